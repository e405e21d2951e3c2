/* The numbers of the link between host and board; protocol.md tells what they mean. Made by
 * `make protocol` from boardctl/drivers/serial_protocol.py and budget.py. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#define PROTOCOL_VERSION 1
#define BAUD 500000
#define MAX_PAYLOAD 61

/* What the host says. */
#define HELLO 0x01
#define PALETTE 0x02
#define LIGHTS 0x03
#define PING 0x04
#define KEY_SEEN 0x05
#define GOODBYE 0x06

/* What the board says. */
#define GREETING 0x81
#define DONE 0x82
#define KEY 0x83

/* The code in DONE. */
#define CODE_DONE 0
#define CODE_UNGREETED 1
#define CODE_MALFORMED 2

/* The flags of LIGHTS. */
#define LIGHTS_CLEAR 0x01
#define LIGHTS_SHOW 0x02

/* The byte of GREETING after the version: why the chip last started, and whether the host has
 * said nothing but HELLO since. */
#define RESET_POWER 0x01
#define RESET_BUTTON 0x02
#define RESET_BROWNOUT 0x04
#define RESET_WATCHDOG 0x08
#define RESET_SINCE_HELLO 0x80

#define MAX_LEDS 600
#define PALETTE_COLOURS 128

/* Keys: those of the matrix, then the single buttons; how many events wait for a host, how long
 * a contact must be at rest, and how often an event is told. */
#define MATRIX_KEYS 16
#define BUTTON_KEYS 6
#define KEY_OVERFLOW 0xFF
#define KEY_QUEUE 16
#define KEY_SETTLE_MS 8
#define KEY_REPEAT_MS 50

#define HOST_GONE_MS 3000

/* A WS2812B's current in milliamperes: each colour at full, and dark; and what the strip may
 * draw where the build names no BUDGET_MA. */
#define RED_MA 16
#define GREEN_MA 11
#define BLUE_MA 15
#define DARK_MA 1
#define DEFAULT_BUDGET_MA 3000

#endif
