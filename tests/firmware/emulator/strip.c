/* strip: WS2812 LEDs, decoded from the edges of the pin that drives them. LEDs beyond the end of a
 * frame keep their colours. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include <simavr/avr_ioport.h>

#include "emulator.h"

#define LATCH (280 * MICROSECOND)
static struct {
    uint64_t start, rise, fall;
    uint32_t bits;
    uint32_t zero_min, zero_max, one_min, one_max, bit_min, bit_max;
    uint8_t bytes[3 * MAX_LEDS + 3];
} wave;
uint8_t strip[3 * MAX_LEDS];
uint64_t refreshes;
static int level;
static FILE *report; /* the frames since the last answer, as JSON */
static char *report_text;
static size_t report_size;
static int reported;

static void span(uint32_t value, uint32_t *least, uint32_t *most)
{
    if (*least == 0 || value < *least)
        *least = value;
    if (value > *most)
        *most = value;
}

static void latch(void)
{
    if (!wave.bits)
        return;
    refreshes++;
    uint32_t leds = wave.bits / 24;
    if (leds > MAX_LEDS)
        leds = MAX_LEDS;
    for (uint32_t i = 0; i < leds; i++) {
        strip[3 * i] = wave.bytes[3 * i + 1];
        strip[3 * i + 1] = wave.bytes[3 * i];
        strip[3 * i + 2] = wave.bytes[3 * i + 2];
    }
    fprintf(report, "%s{\"first_byte\":%llu,\"start\":%llu,\"latched\":%llu,\"bits\":%u,"
        "\"zero\":[%u,%u],\"one\":[%u,%u],\"bit\":[%u,%u],\"strip\":\"", reported++ ? "," : "",
        (unsigned long long)first_byte, (unsigned long long)wave.start,
        (unsigned long long)(wave.fall + LATCH), wave.bits, wave.zero_min, wave.zero_max,
        wave.one_min, wave.one_max, wave.bit_min, wave.bit_max);
    for (uint32_t i = 0; i < 3 * leds; i++)
        fprintf(report, "%02x", strip[i]);
    fprintf(report, "\"}");
    memset(&wave, 0, sizeof wave);
}

static void strip_pin(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    value &= 1;
    if ((int)value == level)
        return;
    level = value;
    uint64_t now = cycle();
    if (value) {
        if (wave.bits && now - wave.fall >= LATCH)
            latch();
        if (wave.bits)
            span(now - wave.rise, &wave.bit_min, &wave.bit_max);
        else
            wave.start = now;
        wave.rise = now;
        return;
    }
    uint32_t high = now - wave.rise;
    int one = high >= 10;
    if (one)
        span(high, &wave.one_min, &wave.one_max);
    else
        span(high, &wave.zero_min, &wave.zero_max);
    if (one && wave.bits / 8 < sizeof wave.bytes)
        wave.bytes[wave.bits / 8] |= 0x80 >> wave.bits % 8;
    wave.bits++;
    wave.fall = now;
}

void strip_look(void)
{
    if (wave.bits && !level && cycle() - wave.fall >= LATCH)
        latch();
}

void strip_print_frames(void)
{
    fflush(report);
    printf("%.*s", (int)ftell(report), report_text);
    rewind(report);
    reported = 0;
}

void strip_reset(void)
{
    level = 0;
}

void strip_start(void)
{
    memset(strip, 0x55, sizeof strip); /* arbitrary colours, as after power-on */
    report = open_memstream(&report_text, &report_size);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0), strip_pin, NULL);
}
