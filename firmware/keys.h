/* Keys: from contacts to numbered events. */
#ifndef KEYS_H
#define KEYS_H

#include <stdint.h>

struct key_event {
    uint8_t key;   /* 0 to 15: the matrix, row by row, then the single buttons; or KEY_OVERFLOW */
    uint8_t value; /* 1 pressed, 0 released; for KEY_OVERFLOW the number of lost events */
    uint16_t age;  /* milliseconds since the contact closed or opened, at most 65535 */
};

/* Reset. Keys held while the chip starts are not reported until they have settled. */
void keys_start(void);

/* Sample the contacts once, after this many milliseconds. Called by the chip, on some chips from a
 * timer interrupt. */
void keys_tick(uint8_t passed);

/* The oldest unacknowledged event and its number; 0 if there is none. */
uint8_t keys_oldest(struct key_event *event);
uint8_t keys_number(void);

/* The host acknowledges the event of this number; 0 if that is not the oldest. */
uint8_t keys_seen(uint8_t number);

/* The keys that are down according to acknowledged events, as bits like those of chip_keys. */
extern uint8_t keys_known[3];

#endif
