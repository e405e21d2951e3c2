/* The picture on the strip. */
#ifndef LEDS_H
#define LEDS_H

#include "protocol.h"

/* If set in an LED's byte, it shows ALONE instead of its colour. */
#define ALONE_BIT 7
#define ALONE PALETTE_COLOURS

#ifndef __ASSEMBLER__ /* strip_ws2812.S needs both of these values */

#include <stdint.h>

/* Green, red, blue: the order on the wire. Colour 0 is always dark; the last is ALONE's. */
extern uint8_t palette[3 * (PALETTE_COLOURS + 1)];

/* Make all LEDs dark. */
void leds_start(void);

/* Set the number of LEDs (0: unchanged) and the current budget in milliamperes (0: as built);
 * returns the budget in force. */
uint16_t leds_setup(uint16_t count, uint16_t milliamps);
uint16_t leds_count(void);

/* Colours from `first` on, three bytes each (red, green, blue). 0 if there is no such colour. */
uint8_t leds_palette(const uint8_t *payload, uint8_t length);

/* Changes to the picture: flags, then runs of start (2 bytes), length, colour. All or nothing;
 * 0 if a run does not fit the strip or the palette. */
uint8_t leds_change(const uint8_t *payload, uint8_t length);

/* Show the picture without a host: dimmed, with marks that move with `phase`. 0 if the host was
 * lost in the middle of a change: the incomplete picture is then discarded. */
uint8_t leds_alone(uint8_t phase);

/* The host is back: restore the picture. */
void leds_back(void);

#endif
#endif
