/* leds: one palette byte per LED, changes that are applied completely or not at all, and the
 * current budget. The transmission to the strip is in chip.h. */
#include "leds.h"

#include <string.h>

#include "chip.h"

#ifndef BUDGET_MA
#define BUDGET_MA DEFAULT_BUDGET_MA
#endif

#define RUN 4

uint8_t palette[3 * (PALETTE_COLOURS + 1)];

static uint8_t picture[MAX_LEDS + 1]; /* one more: the strip routine looks ahead */
static uint16_t leds;
static uint16_t budget;
static uint8_t half_told; /* changed but not yet shown: this picture cannot be restored */

/* The scale that keeps the picture within the budget: (scale + 1) / 256. */
static uint8_t affordable(void)
{
    uint32_t drawn = 0; /* in 1/255 mA, in addition to the current of dark LEDs */
    for (uint16_t i = 0; i < leds; i++) {
        if (picture[i] == 0)
            continue;
        const uint8_t *c = &palette[3 * (picture[i] & (1 << ALONE_BIT) ? ALONE : picture[i])];
        drawn += (uint16_t)(c[0] * GREEN_MA + c[1] * RED_MA + c[2] * BLUE_MA);
    }
    uint16_t dark = leds * DARK_MA;
    uint32_t allowed = budget > dark ? (uint32_t)(budget - dark) * 255 : 0;
    if (drawn <= allowed)
        return 255;
    uint32_t parts = allowed * 256 / drawn;
    return parts ? parts - 1 : 0;
}

static void show(uint8_t scale)
{
    if (leds)
        chip_strip(picture, leds, scale);
}

void leds_start(void)
{
    uint8_t *alone = &palette[3 * ALONE];
    alone[0] = alone[1] = alone[2] = 128;
    budget = BUDGET_MA;
    leds = MAX_LEDS;
    show(255);
    leds = 0;
}

uint16_t leds_setup(uint16_t count, uint16_t milliamps)
{
    if (count > MAX_LEDS)
        count = MAX_LEDS;
    if (count && count != leds) {
        memset(picture, 0, sizeof picture);
        leds = MAX_LEDS;
        show(255);
        leds = count;
    }
    budget = milliamps && milliamps < BUDGET_MA ? milliamps : BUDGET_MA;
    return budget;
}

uint16_t leds_count(void)
{
    return leds;
}

uint8_t leds_palette(const uint8_t *payload, uint8_t length)
{
    if (length < 4 || length % 3 != 1)
        return 0;
    uint8_t first = *payload++;
    uint8_t colours = length / 3;
    if (first == 0 || first >= PALETTE_COLOURS || colours > PALETTE_COLOURS - first)
        return 0;
    half_told = 1;
    for (uint8_t *c = &palette[3 * first]; colours--; c += 3, payload += 3) {
        c[0] = payload[1];
        c[1] = payload[0];
        c[2] = payload[2];
    }
    return 1;
}

uint8_t leds_change(const uint8_t *payload, uint8_t length)
{
    if (length % RUN != 1)
        return 0;
    uint8_t flags = *payload++;
    const uint8_t *end = payload + length - 1;
    for (const uint8_t *run = payload; run != end; run += RUN) {
        uint16_t start = run[0] | (uint16_t)run[1] << 8;
        if (start >= leds || run[2] > leds - start || run[3] >= PALETTE_COLOURS)
            return 0;
    }
    half_told = 1;
    if (flags & LIGHTS_CLEAR)
        memset(picture, 0, sizeof picture);
    for (const uint8_t *run = payload; run != end; run += RUN)
        memset(&picture[run[0] | (uint16_t)run[1] << 8], run[3], run[2]);
    if (flags & LIGHTS_SHOW) {
        half_told = 0;
        show(affordable());
    }
    return 1;
}

uint8_t leds_alone(uint8_t phase)
{
    uint8_t whole = !half_told;
    if (!whole)
        memset(picture, 0, sizeof picture);
    half_told = 0;
    for (uint16_t i = phase & 7; i < leds; i += 8)
        picture[i] |= 1 << ALONE_BIT;
    show(affordable() / 8);
    for (uint16_t i = 0; i < leds; i++)
        picture[i] &= ~(1 << ALONE_BIT);
    return whole;
}

void leds_back(void)
{
    show(affordable());
}
