/* Keys: from contacts to numbered events. */
#ifndef KEYS_H
#define KEYS_H

#include <stdint.h>

struct key_event {
    uint8_t key;   /* 0 to 15 the matrix row by row, then the single buttons; or KEY_OVERFLOW */
    uint8_t value; /* 1 pressed, 0 released; edges lost, where the queue was full */
    uint16_t age;  /* milliseconds since the contact closed or opened, at most 65535 */
};

/* Keys held while the chip starts are not reported: wait until they have settled. */
void keys_start(void);

/* So many milliseconds have passed: look at the contacts, once however many they are. Called by the
 * chip, on some by a timer's interrupt. */
void keys_tick(uint8_t passed);

/* The oldest event not acknowledged, and its number; 0 if there is none. */
uint8_t keys_oldest(struct key_event *event);
uint8_t keys_number(void);

/* The host acknowledges the event of this number; 0 if that is not the oldest. */
uint8_t keys_seen(uint8_t number);

/* Keys that are down according to acknowledged events, in the bits of chip_keys. */
extern uint8_t keys_known[3];

#endif
