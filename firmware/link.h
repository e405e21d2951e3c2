/* The link: frames in, frames out. */
#ifndef LINK_H
#define LINK_H

#include <stdint.h>

#include "protocol.h"

struct frame {
    uint8_t type;
    uint8_t number;
    uint8_t length; /* of the payload */
    const uint8_t *payload;
};

/* Take a byte from the host; 1 when it completes a sound frame, which stays until the next byte. */
uint8_t link_take(uint8_t byte);
extern struct frame link_frame;

/* Frames that did not pass, since the start. */
extern uint16_t link_corrupt;

/* Whether there is room for any answer: nothing is asked for that could not be answered. */
uint8_t link_ready(void);

/* Queue a frame for the host; 0 if there is no room. */
uint8_t link_send(uint8_t type, uint8_t number, const uint8_t *payload, uint8_t length);

/* Hand what is queued to the port as it takes it; 0 when there is nothing left. */
uint8_t link_pump(void);

#endif
