/* chip_rp2040: the Raspberry Pi Pico, 96 MHz, 3.3 V. Pins, clocks, timer, strip, watchdog; its port
 * is USB, in usb_rp2040.c.
 *
 *   strip    GP22 (pin 29), through a level shifter
 *   matrix   rows GP2-GP5 (pins 4-7), columns GP6-GP9 (pins 9-12)
 *   buttons  GP10-GP15 (pins 14-17, 19, 20), each to ground
 *
 * The PIO times the strip's bits and the DMA feeds it, so that neither the program nor an interrupt
 * can lengthen a bit. A timer interrupt scans the keys, so that a refresh does not delay them. */
#include "chip.h"

#include "keys.h"
#include "leds.h"
#include "protocol.h"
#include "rp2040.h"
#include "usb_rp2040.h"

#define STRIP 22
#define ROW 2
#define COLUMN 6
#define BUTTON 10
#define LATCH_US 300 /* WS2812B: low for 50 us, newer ones 280 us */
#define SCAN_US 250  /* for one row: more than ten times 80 kOhm times 200 pF of cable */
#define WATCHDOG_US 250000

/* A bit takes ten PIO cycles of 125 ns: three low, three high, and four more at the bit's own level.
 * So a 0 is high for 375 ns, a 1 for 875 ns, and each takes 1250 ns, as in strip_ws2812.S for the
 * AVR. The side-set bit (12) is the pin; bits 8 to 11 are delay cycles. */
#define PIO_DIVIDER 12
static const uint16_t program[] = {
    0x6021 | 0 << 12 | 2 << 8, /* out x, 1   side 0 [2] */
    0x0023 | 1 << 12 | 2 << 8, /* jmp !x, 3  side 1 [2] */
    0x0000 | 1 << 12 | 3 << 8, /* jmp 0      side 1 [3] */
    0xA042 | 0 << 12 | 3 << 8, /* nop        side 0 [3] */
};
#define SET_PINS_0 0xE000
#define SET_PINDIRS_1 0xE081

static uint32_t words[MAX_LEDS]; /* one word per colour, green first, in the upper 24 bits */
static volatile uint32_t milliseconds;
static uint8_t scan[4]; /* closed columns of each row */
static uint8_t contacts[3];
static uint8_t reset_cause;

/* 12 MHz times `times`, which must be 750 to 1600 MHz, divided twice (2.18.2). */
static void start_pll(uintptr_t pll, unsigned times, unsigned first, unsigned second)
{
    PLL_FBDIV(pll) = times;
    CLEAR(PLL_PWR(pll)) = 1u << 0 | 1u << 5;
    while (!(PLL_CS(pll) & 1u << 31)) {
    }
    PLL_PRIM(pll) = first << 16 | second << 12;
    CLEAR(PLL_PWR(pll)) = 1u << 3;
}

/* The processor's clock must be a tenth faster than the USB's 48 MHz, otherwise events from the
 * controller are sometimes lost (erratum RP2040-E16, in all steppings): 96 MHz. */
static void start_clocks(void)
{
    XOSC_STARTUP = 47; /* a millisecond at 12 MHz, in units of 256 cycles */
    XOSC_CTRL = 0xFAB << 12 | 0xAA0;
    while (!(XOSC_STATUS & 1u << 31)) {
    }
    CLK_REF_CTRL = 2; /* the crystal */
    while (CLK_REF_SELECTED != 1u << 2) {
    }
    start_pll(PLL_SYS, 80, 5, 2);  /* 960 MHz, divided to 96 */
    start_pll(PLL_USB, 100, 5, 5); /* 1200 MHz, divided to 48 */
    CLK_SYS_CTRL = 1; /* the system PLL */
    while (CLK_SYS_SELECTED != 1u << 1) {
    }
    CLK_USB_CTRL = 1u << 11;
    WATCHDOG_TICK = 1u << 9 | 12; /* microseconds, for the watchdog and the timer */
}

static void start_pins(void)
{
    GPIO_OUT_CLEAR = ~0u;
    for (unsigned pin = ROW; pin < BUTTON + BUTTON_KEYS; pin++) {
        PAD(pin) = PAD_INPUT | PAD_4MA | PAD_SCHMITT | (pin < COLUMN ? 0 : PAD_PULL_UP);
        IO_CTRL(pin) = FUNCTION_SIO;
    }
    GPIO_OE = 1u << ROW;
}

static void start_strip(void)
{
    for (unsigned n = 0; n < sizeof program / sizeof *program; n++)
        PIO_PROGRAM(n) = program[n];
    PIO_CLKDIV = (uint32_t)PIO_DIVIDER << 16;
    PIO_EXECCTRL = 3u << 12;                        /* wrap from the last instruction to the first */
    PIO_SHIFTCTRL = 1u << 30 | 24u << 25 | 1u << 17; /* autopull 24 bits of each word */
    PIO_PINCTRL = 1u << 29 | 1u << 26 | STRIP << 10 | STRIP << 5;
    PIO_INSTR = SET_PINS_0;
    PIO_INSTR = SET_PINDIRS_1;
    PAD(STRIP) = PAD_4MA;
    IO_CTRL(STRIP) = FUNCTION_PIO0;
    PIO_CTRL = 1u << 4 | 1u << 0;
}

/* The flash chip's 64-bit serial number (W25Q16JV datasheet, Read Unique ID Number: instruction 4Bh,
 * four dummy bytes, then eight bytes of the number). The program runs in memory, and boot_rp2040.S
 * has left the chip in its standard command mode, so nothing uses the flash during or after this. */
#define READ_NUMBER 0x4B
#define BEFORE_NUMBER 5

static void read_flash_number(uint8_t number[FLASH_NUMBER])
{
    SSI_SSIENR = 0; /* the other registers can be written only when it is off */
    SSI_BAUDR = 8;  /* 12 MHz; the slowest such chip allows 50 */
    SSI_CTRLR0 = 7u << 16; /* eight bits per frame, in both directions */
    SSI_SER = 1;
    SSI_SSIENR = 1;
    /* A chip without this instruction does not drive the line: the pull-up makes it read as ones. */
    FLASH_ANSWER_PAD = PAD_INPUT | PAD_4MA | PAD_SCHMITT | PAD_PULL_UP;
    FLASH_SELECT_CTRL = OUTPUT_LOW; /* forced: the controller would release it between two bytes */
    (void)FLASH_SELECT_CTRL;        /* wait until the write has taken effect */
    for (unsigned n = 0; n < BEFORE_NUMBER + FLASH_NUMBER; n++) {
        SSI_DR0 = n ? 0 : READ_NUMBER;
        while (!(SSI_SR & SSI_RECEIVED)) {
        }
        uint8_t byte = SSI_DR0;
        if (n >= BEFORE_NUMBER)
            number[n - BEFORE_NUMBER] = byte;
    }
    FLASH_SELECT_CTRL = OUTPUT_HIGH;
}

void chip_start(void)
{
    static const uint32_t used = RESET_DMA | RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_PIO0
        | RESET_PLL_SYS | RESET_PLL_USB | RESET_TIMER | RESET_USBCTRL;
    /* After a watchdog reset CHIP_RESET still holds the cause of the reset before it. */
    reset_cause = WATCHDOG_REASON ? RESET_WATCHDOG
        : CHIP_RESET & HAD_POR ? RESET_POWER
        : CHIP_RESET & HAD_RUN ? RESET_BUTTON : 0;
    SET(RESETS_RESET) = used;
    CLEAR(RESETS_RESET) = used;
    while (~RESETS_DONE & used) {
    }
    start_clocks();
    start_pins();
    start_strip();

    PSM_WDSEL = PSM_ALL_BUT_OSCILLATORS;
    chip_alive();
    WATCHDOG_CTRL = 1u << 30;

    TIMER_INTE = 1;
    TIMER_ALARM0 = TIMER_NOW + SCAN_US;
    NVIC_ENABLE = 1u << IRQ_TIMER_0;
    uint8_t number[FLASH_NUMBER];
    read_flash_number(number);
    usb_start(number);
}

uint8_t chip_reset_cause(void)
{
    return reset_cause;
}

void chip_alive(void)
{
    WATCHDOG_LOAD = 2 * WATCHDOG_US; /* it counts twice per microsecond: erratum RP2040-E1 */
}

uint8_t chip_milliseconds(void)
{
    static uint32_t told;
    uint32_t passed = milliseconds - told;
    if (passed > 255)
        passed = 255;
    told += passed;
    return passed;
}

int16_t chip_receive(void)
{
    return usb_receive();
}

uint8_t chip_transmit(uint8_t byte)
{
    return usb_transmit(byte);
}

void chip_hold_keys(void)
{
    hold_interrupts();
}

void chip_let_keys(void)
{
    allow_interrupts();
}

void chip_keys(uint8_t closed[3])
{
    for (unsigned n = 0; n < 3; n++)
        closed[n] = contacts[n];
}

/* Every quarter of a millisecond: read the row that has been low since the last call, and drive the
 * next one low; the others float, so that two closed keys cannot short two outputs. */
void timer_interrupt(void);
void timer_interrupt(void)
{
    static uint32_t due;
    static uint8_t row;
    TIMER_INTR = 1;
    if (!due)
        due = TIMER_NOW;
    due += SCAN_US;
    TIMER_ALARM0 = due;
    if ((int32_t)(TIMER_NOW - due) >= 0) { /* it is already past, and would come only after an hour */
        due = TIMER_NOW + SCAN_US;
        TIMER_ALARM0 = due;
    }

    uint32_t low = ~GPIO_IN;
    scan[row] = low >> COLUMN & 15;
    row = (row + 1) % 4;
    GPIO_OE = 1u << (ROW + row);
    usb_tick();
    if (row)
        return;
    contacts[0] = scan[0] | scan[1] << 4;
    contacts[1] = scan[2] | scan[3] << 4;
    contacts[2] = low >> BUTTON & ((1 << BUTTON_KEYS) - 1);
    milliseconds++;
    keys_tick(1);
}

void chip_strip(const uint8_t *leds, uint16_t count, uint8_t scale)
{
    for (uint16_t n = 0; n < count; n++) {
        const uint8_t *c = &palette[3 * (leds[n] & 1 << ALONE_BIT ? ALONE : leds[n])];
        uint32_t word = 0;
        for (unsigned colour = 0; colour < 3; colour++)
            word = word << 8 | (uint32_t)c[colour] * (scale + 1u) >> 8;
        words[n] = word << 8;
    }
    DMA_READ = (uintptr_t)words;
    DMA_WRITE = PIO_TXF;
    DMA_COUNT = count;
    DMA_CTRL_TRIGGER = DMA_ENABLE | DMA_WORDS | DMA_READ_ON | DMA_PACED_BY_PIO0_TX0 | DMA_QUIET;
    while (DMA_CTRL_TRIGGER & DMA_BUSY)
        wait_for_interrupt(); /* by the timer interrupt at the latest */
    PIO_FDEBUG = PIO_TX_STALLED;
    while (!(PIO_FDEBUG & PIO_TX_STALLED)) {
    }
    for (uint32_t sent = TIMER_NOW; TIMER_NOW - sent <= LATCH_US;) {
    }
}

void chip_rest(void)
{
    static uint32_t rested;
    usb_flush();
    hold_interrupts(); /* an interrupt that comes now also ends the wait */
    if (!usb_waiting() && rested == milliseconds)
        wait_for_interrupt();
    rested = milliseconds;
    allow_interrupts();
}
