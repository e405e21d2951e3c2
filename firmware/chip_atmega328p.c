/* chip_atmega328p: the Arduino Nano or Uno, 16 MHz, 5 V. Pins, timers, serial port, watchdog.
 *
 *   strip    D8 (PB0)
 *   matrix   rows A0-A3 (PC0-PC3), columns D4-D7 (PD4-PD7)
 *   buttons  D2 D3 (PD2 PD3), D9 D10 D11 D12 (PB1-PB4), each to ground
 */
#include "chip.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/delay.h>

#include "keys.h"
#include "protocol.h"

#define ROWS 0x0F        /* of port C */
#define COLUMNS 0xF0     /* of port D */
#define BUTTONS_D 0x0C
#define BUTTONS_B 0x1E
#define STRIP (1 << PB0)
#define LATCH_US 300     /* WS2812B: low for 50 us, newer ones 280 us */
#define SETTLE_US 10     /* a column behind its 20 to 50 kOhm pull-up and 200 pF of cable, twice */
#define TICKS 250        /* of timer 1, four microseconds each, in a millisecond */

_Static_assert(RESET_POWER == 1 << PORF && RESET_BUTTON == 1 << EXTRF
    && RESET_BROWNOUT == 1 << BORF && RESET_WATCHDOG == 1 << WDRF, "MCUSR is told as it is");
_Static_assert(F_CPU % (8 * BAUD) == 0, "the serial port keeps the rate exactly");

/* Defined in strip_ws2812.S, which also fills the buffer while interrupts are off. */
extern uint8_t rx_ring[256];
extern volatile uint8_t rx_head;
static volatile uint8_t rx_tail;

static uint8_t reset_cause __attribute__((section(".noinit")));

void strip_send(const uint8_t *leds, uint16_t count, uint8_t scale);

/* After a watchdog reset the watchdog keeps running with a period of 15 ms: stop it before anything
 * else. */
void stop_watchdog(void) __attribute__((naked, used, section(".init3")));
void stop_watchdog(void)
{
    reset_cause = MCUSR & (RESET_POWER | RESET_BUTTON | RESET_BROWNOUT | RESET_WATCHDOG);
    MCUSR = 0;
    wdt_disable();
}

ISR(USART_RX_vect)
{
    uint8_t head = rx_head;
    uint8_t byte = UDR0;
    if ((uint8_t)(head + 1) != rx_tail) {
        rx_ring[head] = byte;
        rx_head = head + 1;
    }
}

EMPTY_INTERRUPT(TIMER2_COMPA_vect) /* only wakes chip_rest */

void chip_start(void)
{
    DDRB = STRIP;
    PORTB = BUTTONS_B;
    PORTD = COLUMNS | BUTTONS_D;

    TCCR1B = 1 << CS11 | 1 << CS10; /* timer 1 measures time: 250 kHz */
    TCCR2A = 1 << WGM21;            /* timer 2 wakes every millisecond */
    TCCR2B = 1 << CS22;
    OCR2A = TICKS - 1;
    TIMSK2 = 1 << OCIE2A;

    UBRR0 = F_CPU / (8 * BAUD) - 1;
    UCSR0A = 1 << U2X0;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;

    set_sleep_mode(SLEEP_MODE_IDLE);
    wdt_enable(WDTO_250MS);
    sei();
}

uint8_t chip_reset_cause(void)
{
    return reset_cause;
}

void chip_alive(void)
{
    wdt_reset();
}

uint8_t chip_milliseconds(void)
{
    static uint16_t counted;
    uint8_t passed = 0;
    for (uint16_t now = TCNT1; now - counted >= TICKS; counted += TICKS)
        passed++;
    if (passed)
        keys_tick(passed);
    return passed;
}

void chip_hold_keys(void)
{
}

void chip_let_keys(void)
{
}

int16_t chip_receive(void)
{
    uint8_t tail = rx_tail;
    if (tail == rx_head)
        return -1;
    uint8_t byte = rx_ring[tail];
    rx_tail = tail + 1;
    return byte;
}

uint8_t chip_transmit(uint8_t byte)
{
    if (!(UCSR0A & 1 << UDRE0))
        return 0;
    UDR0 = byte;
    return 1;
}

static uint8_t row(uint8_t n)
{
    DDRC = 1 << n; /* the other rows float, so that two closed keys cannot short two outputs */
    _delay_us(SETTLE_US);
    uint8_t columns = ~PIND & COLUMNS;
    DDRC = 0;
    return columns;
}

void chip_keys(uint8_t closed[3])
{
    closed[0] = row(0) >> 4;
    closed[0] |= row(1);
    closed[1] = row(2) >> 4;
    closed[1] |= row(3);
    closed[2] = (~PIND & BUTTONS_D) >> 2 | (~PINB & BUTTONS_B) << 1;
}

void chip_strip(const uint8_t *leds, uint16_t count, uint8_t scale)
{
    cli();
    strip_send(leds, count, scale);
    sei();
    _delay_us(LATCH_US);
}

void chip_rest(void)
{
    cli();
    if (rx_head == rx_tail) {
        sleep_enable();
        sei(); /* the next instruction runs before any interrupt */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}
