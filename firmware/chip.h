/* What the program asks of a microcontroller. chip_atmega328p.c and chip_rp2040.c answer; another
 * chip is another such file, and nothing else changes. */
#ifndef CHIP_H
#define CHIP_H

#include <stdint.h>

/* Pins, clocks, serial port and watchdog. Called once. */
void chip_start(void);

/* The reason of the last start: RESET_* of protocol.h, 0 if a boot loader has cleared it. */
uint8_t chip_reset_cause(void);

/* The watchdog restarts the chip if this has not been called for a quarter of a second. */
void chip_alive(void);

/* Whole milliseconds since the last call; the rest is kept for the next. keys_tick has been told of
 * them: now, or each at its time by a timer. */
uint8_t chip_milliseconds(void);

/* Around what the keys' timer must not come between, if there is one. */
void chip_hold_keys(void);
void chip_let_keys(void);

/* The next byte from the host, -1 for none. */
int16_t chip_receive(void);

/* Hand over a byte for the host; 0 if the port is not ready for one. */
uint8_t chip_transmit(uint8_t byte);

/* Contacts closed now, one bit per key: matrix rows 0 and 1, rows 2 and 3, single buttons. */
void chip_keys(uint8_t closed[3]);

/* Send `count` LEDs, looked up in `palette` and scaled by (scale + 1) / 256, and return when they
 * have latched. Bytes received meanwhile are kept. */
void chip_strip(const uint8_t *leds, uint16_t count, uint8_t scale);

/* Sleep until a byte or the next millisecond arrives. */
void chip_rest(void);

#endif
