/* keys: debounces the contacts and queues changes until the host has acknowledged them. A full
 * queue keeps the oldest events; lost ones are counted and the count is sent in their place, and a
 * key's last state is sent as soon as there is space, so that no key remains stuck. */
#include "keys.h"

#include "chip.h"
#include "protocol.h"

static uint32_t now; /* milliseconds since the start */

/* Debouncing, eight keys per byte: a three-bit counter per key, one bit per byte. */
static uint8_t down[3], ones[3], twos[3], fours[3];
_Static_assert(KEY_SETTLE_MS == 8, "a three-bit counter runs over at eight");

static uint8_t told[3]; /* `down` as of the newest event */
uint8_t keys_known[3];  /* `down` as of the last event that the host has seen */

static struct {
    uint8_t key, value;
    uint32_t at;
} queue[KEY_QUEUE];
static uint8_t oldest, length, number, lost;
static volatile uint8_t looks; /* since the start, up to SETTLED */
#define SETTLED (2 * KEY_SETTLE_MS)

/* Three keys on the corners of a rectangle close the fourth: while that is possible, ignore all. */
static uint8_t ghosts(const uint8_t closed[3])
{
    uint8_t row[4] = {closed[0] & 15, closed[0] >> 4, closed[1] & 15, closed[1] >> 4};
    for (uint8_t a = 0; a < 3; a++)
        for (uint8_t b = a + 1; b < 4; b++) {
            uint8_t both = row[a] & row[b];
            if (both & (both - 1))
                return 1;
        }
    return 0;
}

static uint8_t put(uint8_t key, uint8_t value)
{
    if (length == KEY_QUEUE)
        return 0;
    uint8_t slot = (oldest + length++) % KEY_QUEUE;
    queue[slot].key = key;
    queue[slot].value = value;
    queue[slot].at = now - KEY_SETTLE_MS;
    return 1;
}

static void tell(void)
{
    if (lost && put(KEY_OVERFLOW, lost))
        lost = 0;
    for (uint8_t n = 0; n < 3; n++)
        for (uint8_t bit = 0, news = down[n] ^ told[n]; news; bit++, news >>= 1)
            if (news & 1) {
                uint8_t mask = 1 << bit;
                if (!put(8 * n + bit, (down[n] & mask) != 0))
                    return;
                told[n] ^= mask;
            }
}

/* Sample the contacts, at most once per millisecond: during a refresh the chip cannot sample, and
 * the first sample after it counts once. A tick that follows at once is skipped. */
static void debounce(uint8_t passed)
{
    static uint8_t late;
    uint8_t closed[3];
    if (late && passed == 1) {
        late = 0;
        return;
    }
    late = passed > 1;
    chip_keys(closed);
    if (ghosts(closed))
        return;
    for (uint8_t n = 0; n < 3; n++) {
        uint8_t differ = closed[n] ^ down[n];
        uint8_t settled = differ & ones[n] & twos[n] & fours[n];
        fours[n] = (fours[n] ^ (twos[n] & ones[n])) & differ;
        twos[n] = (twos[n] ^ ones[n]) & differ;
        ones[n] = ~ones[n] & differ;
        down[n] ^= settled;
        for (; settled && length == KEY_QUEUE; settled &= settled - 1)
            if (lost != 255)
                lost++;
    }
}

void keys_start(void)
{
    while (looks < SETTLED)
        chip_milliseconds();
}

void keys_tick(uint8_t passed)
{
    now += passed;
    debounce(passed);
    if (looks == SETTLED) {
        tell();
        return;
    }
    looks++;
    for (uint8_t n = 0; n < 3; n++)
        told[n] = keys_known[n] = down[n];
}

uint8_t keys_oldest(struct key_event *event)
{
    if (!length)
        return 0;
    chip_hold_keys();
    uint32_t age = now - queue[oldest].at;
    event->key = queue[oldest].key;
    event->value = queue[oldest].value;
    chip_let_keys();
    event->age = age > UINT16_MAX ? UINT16_MAX : age;
    return 1;
}

uint8_t keys_number(void)
{
    return number;
}

uint8_t keys_seen(uint8_t seen)
{
    if (!length || seen != number)
        return 0;
    chip_hold_keys();
    uint8_t key = queue[oldest].key;
    if (key != KEY_OVERFLOW)
        keys_known[key / 8] ^= 1 << key % 8;
    oldest = (oldest + 1) % KEY_QUEUE;
    length--;
    number++;
    tell();
    chip_let_keys();
    return 1;
}
