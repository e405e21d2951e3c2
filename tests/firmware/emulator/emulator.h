/* The parts of the emulator. Each models one thing that is soldered to the chip. */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <simavr/sim_avr.h>

#include "../../../firmware/protocol.h"

#define HERTZ 16000000
#define MICROSECOND (HERTZ / 1000000)

extern avr_t *avr;

static inline uint64_t cycle(void)
{
    return avr->cycle;
}

/* xorshift32 (Marsaglia, 2003); the seed is odd. */
static inline uint32_t random_below(uint32_t *seed, uint32_t n)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed % n;
}

/* port.c: the serial port, and the cable to the host with its faults. */
extern struct counts {
    uint64_t written;   /* bytes that the host has written */
    uint64_t delivered; /* of these and the noise, those that reached the chip's port */
    uint64_t lost;      /* of those, the ones lost because the chip's buffer was full */
    uint64_t said;      /* bytes that the board has sent */
    uint64_t faults;
} port;
extern uint64_t first_byte;  /* when the host last began to send after a pause */
extern uint64_t first_reply; /* when the board last did */
void port_start(const char *link);
void port_plug(void);
void port_unplug(uint64_t total);
void port_faults(uint32_t one_in, uint32_t seed);
void port_noise(uint32_t bytes, uint32_t seed);
void port_take(uint64_t total);        /* wait for the host's `total`-th byte */
void port_take_what_is_there(void);
void port_receive(void);               /* deliver the received bytes to the chip, one by one */
void port_forget(void);                /* discard the bytes on the line */
void port_reset(void);
int port_has_spoken(void);             /* whether a USB chip would have delivered them by now */
void port_hush(void);

/* strip.c: the LEDs, decoded from the pin that drives them. */
extern uint8_t strip[3 * MAX_LEDS];
extern uint64_t refreshes;
void strip_start(void);
void strip_reset(void);
void strip_look(void);        /* latch the frame if the pin has been low long enough */
void strip_print_frames(void); /* the frames since the last call, as JSON */

/* keypad.c: the contacts. */
extern uint64_t shorts;
void keypad_start(void);
void keypad_reset(void);
void keypad_tell(void); /* compute every level again */
void keypad_set(unsigned key, unsigned closed, unsigned microseconds, uint32_t seed);

#endif
