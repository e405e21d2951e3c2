/* The interface between the program and a microcontroller, implemented by chip_atmega328p.c and
 * chip_rp2040.c. Support for another chip needs only another such file. */
#ifndef CHIP_H
#define CHIP_H

#include <stdint.h>

/* Set up pins, clocks, serial port and watchdog. Called once. */
void chip_start(void);

/* The cause of the last reset: RESET_* of protocol.h, 0 if a boot loader has cleared it. */
uint8_t chip_reset_cause(void);

/* Feed the watchdog. It restarts the chip if this is not called for a quarter of a second. */
void chip_alive(void);

/* Return the whole milliseconds since the last call; the fraction is carried over to the next call.
 * keys_tick receives them now, or from a timer as they pass. */
uint8_t chip_milliseconds(void);

/* These enclose code that the keys' timer interrupt must not interrupt, if there is one. */
void chip_hold_keys(void);
void chip_let_keys(void);

/* The next byte from the host, -1 if there is none. */
int16_t chip_receive(void);

/* Send a byte to the host; 0 if the port is not ready. */
uint8_t chip_transmit(uint8_t byte);

/* The closed contacts, one bit per key: matrix rows 0 and 1, rows 2 and 3, single buttons. */
void chip_keys(uint8_t closed[3]);

/* Send `count` LEDs, looked up in `palette` and scaled by (scale + 1) / 256, and return when the
 * strip has latched them. Bytes received meanwhile are kept. */
void chip_strip(const uint8_t *leds, uint16_t count, uint8_t scale);

/* Sleep until a byte or the next millisecond arrives. */
void chip_rest(void);

#endif
