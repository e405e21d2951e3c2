/* keypad: a 4x4 matrix and six single buttons. Closed keys connect rows and columns electrically, so
 * ghost keys appear as in hardware; two outputs that drive one net to different levels are counted
 * as a short. */
#include <simavr/avr_ioport.h>

#include "emulator.h"

static uint8_t closed[MATRIX_KEYS + BUTTON_KEYS];
static uint8_t port_c, ddr_c;
uint64_t shorts;
static struct {
    uint64_t until;
    uint32_t seed;
    uint8_t final;
} chatter[MATRIX_KEYS + BUTTON_KEYS];
/* Single buttons: D2 D3 D9 D10 D11 D12. */
static const struct {
    char port;
    uint8_t pin;
} buttons[BUTTON_KEYS] = {{'D', 2}, {'D', 3}, {'B', 1}, {'B', 2}, {'B', 3}, {'B', 4}};

static void pull(char port, uint8_t pin, uint8_t high)
{
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin), high);
}

/* Closed keys join rows and columns into nets; a net is low if a row drives it low. */
static void settle(void)
{
    uint8_t rows = ddr_c & ~port_c & 15, high = ddr_c & port_c & 15, columns = 0, before;
    do {
        before = rows | columns << 4;
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++)
                if (closed[4 * r + c]) {
                    if (rows >> r & 1)
                        columns |= 1 << c;
                    if (columns >> c & 1)
                        rows |= 1 << r;
                }
    } while ((rows | columns << 4) != before);
    if (rows & high)
        shorts++;
    for (int c = 0; c < 4; c++)
        pull('D', 4 + c, !(columns >> c & 1));
    for (int b = 0; b < BUTTON_KEYS; b++)
        pull(buttons[b].port, buttons[b].pin, !closed[MATRIX_KEYS + b]);
}

static void row_port(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    *(uint8_t *)param = value;
    settle();
}

/* A reset has cleared the input registers, and simavr passes on only changes. */
void keypad_tell(void)
{
    for (int pin = 2; pin < 8; pin++) {
        pull('D', pin, 0);
        pull('D', pin, 1);
    }
    for (int pin = 1; pin < 5; pin++) {
        pull('B', pin, 0);
        pull('B', pin, 1);
    }
    settle();
}

static avr_cycle_count_t bounce(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a;
    unsigned key = (uint8_t *)param - closed;
    if (when >= chatter[key].until) {
        closed[key] = chatter[key].final;
        settle();
        return 0;
    }
    closed[key] ^= 1;
    settle();
    return when + (50 + random_below(&chatter[key].seed, 400)) * MICROSECOND;
}

void keypad_set(unsigned key, unsigned value, unsigned microseconds, uint32_t seed)
{
    chatter[key].until = cycle() + (uint64_t)microseconds * MICROSECOND;
    chatter[key].seed = seed | 1;
    chatter[key].final = value;
    avr_cycle_timer_cancel(avr, bounce, &closed[key]);
    if (microseconds) {
        avr_cycle_timer_register(avr, 1, bounce, &closed[key]);
    } else {
        closed[key] = value;
        settle();
    }
}

void keypad_reset(void)
{
    port_c = ddr_c = 0;
}

void keypad_start(void)
{
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), IOPORT_IRQ_REG_PORT), row_port, &port_c);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), IOPORT_IRQ_DIRECTION_ALL), row_port,
        &ddr_c);
    keypad_tell();
}
