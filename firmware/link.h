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

/* Take a byte from the host; 1 when it completes a valid frame, which stays until the next byte. */
uint8_t link_take(uint8_t byte);
extern struct frame link_frame;

/* Number of corrupt frames since the start. */
extern uint16_t link_corrupt;

/* Whether there is space for any answer; otherwise no frame is taken. */
uint8_t link_ready(void);

/* Queue a frame for the host; 0 if there is no space. */
uint8_t link_send(uint8_t type, uint8_t number, const uint8_t *payload, uint8_t length);

/* Pass queued bytes to the port as it accepts them; 0 when none are left. */
uint8_t link_pump(void);

#endif
