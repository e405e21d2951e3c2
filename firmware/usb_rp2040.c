/* usb_rp2040: a serial line over USB (Universal Serial Bus 2.0, chapter 9; CDC 1.2 with PSTN's
 * abstract control model), on the RP2040's controller (4.1 of its datasheet).
 *
 * The controller makes the host wait (NAK) while there is no space for another packet, so that no byte
 * is lost while the program is busy. Speed and framing have no effect; they are stored only because
 * the host may read them back, with one exception: if a host sets 1200 baud and closes the port, the
 * chip restarts in its ROM, whose drive RPI-RP2 accepts a new program.
 *
 * Of the controller's errata (RP2040 Datasheet, appendix B) E3 and E4 concern USB hosts; E2 concerns
 * EP_ABORT, which is not used; E5 and E15 are worked around here, E16 by the clocks in chip_rp2040.c. */
#include "usb_rp2040.h"

#include <string.h>

#include "rp2040.h"

#define PACKET 64
#define IN_PACKET 63 /* always a short packet, which ends a transfer */
#define RECEIVED 512 /* both are powers of two */
#define TO_SEND 256

/* Addresses in the controller's memory; endpoint 0 has a fixed one, 0x100. */
#define EP0_AT 0x100
#define NOTICE_AT 0x180
#define OUT_AT 0x1C0
#define IN_AT 0x200
#define AT(offset) ((volatile uint8_t *)(USB_MEMORY + (offset)))

/* Bits of endpoint control and buffer control */
#define EP_ENABLE (1u << 31)
#define EP_TELL (1u << 29)
#define EP_BULK (2u << 26)
#define EP_INTERRUPT (3u << 26)
#define FULL (1u << 15)
#define DATA1 (1u << 13)
#define STALL (1u << 11)
#define AVAILABLE (1u << 10)
#define LENGTH 0x3FF

/* Bits of interrupts and status */
#define BUFF_STATUS (1u << 4)
#define BUS_RESET (1u << 12)
#define SETUP_REQ (1u << 16)
#define DEV_SOF (1u << 17)
#define SIE_LINE_STATE (3u << 2) /* 0 while both wires are low */
#define SIE_CONNECTED (1u << 16)
#define SIE_SETUP_REC (1u << 17)
#define SIE_BUS_RESET (1u << 19)
#define SIE_EP0_INT (1u << 29)
#define SIE_PULLUP (1u << 16)

/* Routing of the bus signals */
#define TO_PHY (1u << 0)
#define TO_DIGITAL_PAD (1u << 2)
#define SOFTCON (1u << 3)
#define PHY_DP_PULLUP (1u << 1)
#define PHY_DP_PULLUP_OVERRIDDEN (1u << 2)
#define DP_PIN 15 /* replaces D+ on the digital pads; otherwise it is the sixth button */

/* Endpoint numbers: notifications, which are never sent, and the serial line. */
#define NOTICE 1
#define LINE 2

enum { GET_STATUS = 0, CLEAR_FEATURE = 1, SET_FEATURE = 3, SET_ADDRESS = 5, GET_DESCRIPTOR = 6,
    GET_CONFIGURATION = 8, SET_CONFIGURATION = 9, GET_INTERFACE = 10, SET_INTERFACE = 11,
    SET_LINE_CODING = 0x20, GET_LINE_CODING = 0x21, SET_CONTROL_LINE_STATE = 0x22,
    SEND_BREAK = 0x23 };

#define DIRECTION_IN 0x80
#define CLASS 0x20
#define TYPE_MASK 0x60

#define LOW(x) ((x) & 0xFF)
#define HIGH(x) ((x) >> 8)
#define VENDOR 0x2E8A  /* Raspberry Pi's vendor number … */
#define PRODUCT 0x000A /* … and its product number for programs that are a serial port */

#define SERIAL_AT 16
static uint8_t device[] = {
    18, 1, LOW(0x0200), HIGH(0x0200), 0xEF, 2, 1, PACKET, LOW(VENDOR), HIGH(VENDOR), LOW(PRODUCT),
    HIGH(PRODUCT), LOW(0x0100), HIGH(0x0100), 1, 2, 0 /* SERIAL_AT */, 1,
};

#define CONFIGURATION_SIZE 75
static const uint8_t configuration[CONFIGURATION_SIZE] = {
    9, 2, LOW(CONFIGURATION_SIZE), HIGH(CONFIGURATION_SIZE), 2, 1, 0, 0x80, 50, /* 100 mA */
    8, 11, 0, 2, 2, 2, 1, 0,                  /* interfaces 0 and 1 are one serial port */
    9, 4, 0, 0, 1, 2, 2, 1, 0,                /* communication, abstract control model */
    5, 0x24, 0, LOW(0x0120), HIGH(0x0120),    /* CDC 1.20 */
    5, 0x24, 1, 0, 1,                         /* no call management; data is interface 1 */
    4, 0x24, 2, 2,                            /* line coding and line state are known */
    5, 0x24, 6, 0, 1,                         /* the two interfaces belong together */
    7, 5, DIRECTION_IN | NOTICE, 3, 8, 0, 255,
    9, 4, 1, 0, 2, 10, 0, 0, 0,               /* data */
    7, 5, LINE, 2, PACKET, 0, 0,
    7, 5, DIRECTION_IN | LINE, 2, PACKET, 0, 0,
};

#define SERIAL 3
static char serial[2 * FLASH_NUMBER + 1];
static const char *const strings[] = {"boardctl", "boardctl keys and LEDs", serial};

static struct {
    uint8_t type, request;
    uint16_t value, index, length;
} setup;

static const uint8_t *answer; /* data for endpoint 0, and the number of bytes still to send */
static uint16_t answer_left;
static uint8_t answer_short;  /* the host expects more: an empty packet ends the data */
static uint8_t awaits_coding;
static uint8_t new_address;
static uint8_t leaving;       /* restart in the ROM, once the host has received the answer */
static uint8_t scratch[2 + 2 * 32];
static uint8_t coding[7] = {0x20, 0xA1, 0x07, 0x00, 0, 0, 8}; /* 500000 baud, 8N1 */

static uint8_t configured;
static volatile uint8_t opened; /* DTR, set by the host */
static uint8_t ep0_data1, in_data1, out_data1, in_busy, out_armed;
static uint32_t frame_began; /* the time of the last SOF, in microseconds */

static uint8_t received[RECEIVED];
static volatile uint16_t received_head, received_tail;
static uint8_t to_send[TO_SEND];
static volatile uint8_t send_head, send_tail;
_Static_assert(TO_SEND == 256, "its places are counted in bytes");

/* The controller runs on a clock of its own: everything else must have reached it before AVAILABLE
 * is set (4.1.2.5.1). */
static void hand_over(volatile uint32_t *control, uint32_t value)
{
    *control = value;
    __asm__ volatile("b 1f\n1: b 2f\n2: b 3f\n3: b 4f\n4: b 5f\n5: b 6f\n6:");
    *control = value | AVAILABLE;
}

/* ---- endpoint 0 */

static void ep0_send(const uint8_t *data, unsigned length)
{
    for (unsigned n = 0; n < length; n++)
        AT(EP0_AT)[n] = data[n];
    hand_over(&USB_BUFFER_IN(0), length | FULL | (ep0_data1 ? DATA1 : 0));
    ep0_data1 ^= 1;
}

static void ep0_send_next(void)
{
    unsigned length = answer_left > PACKET ? PACKET : answer_left;
    const uint8_t *data = answer;
    answer += length;
    answer_left -= length;
    if (length < PACKET)
        answer_short = 0;
    ep0_send(data, length);
}

static void ep0_tell(const void *data, unsigned length)
{
    answer = data;
    answer_short = length < setup.length;
    answer_left = length < setup.length ? length : setup.length;
    ep0_send_next();
}

static void ep0_done(void)
{
    ep0_send(0, 0);
}

static void ep0_refuse(void)
{
    USB_STALL_ARM = 3;
    USB_BUFFER_IN(0) = STALL;
    USB_BUFFER_OUT(0) = STALL;
}

static void ep0_hear(void)
{
    hand_over(&USB_BUFFER_OUT(0), PACKET | DATA1);
}

/* ---- the serial line */

static void arm_out(void)
{
    uint16_t waiting = received_head - received_tail;
    if (out_armed || !configured || waiting > RECEIVED - PACKET)
        return;
    out_armed = 1;
    hand_over(&USB_BUFFER_OUT(LINE), PACKET | (out_data1 ? DATA1 : 0));
    out_data1 ^= 1;
}

/* Erratum RP2040-E15, in all steppings: the controller hangs until its next reset if it receives
 * anything but an ACK after a packet that it has sent, which can happen in the last 200 us of a
 * frame behind the VL805 of a Pi 4 or 400. So no packet is handed over in that time: the next SOF,
 * which begins a frame every millisecond, sends it. The limit is 20 us earlier, because a SOF may be
 * noticed late; after 998 us without one the next SOF has come, or the bus is suspended. */
static uint8_t is_late_in_frame(void)
{
    uint32_t since = TIMER_NOW - frame_began;
    return since >= 780 && since <= 998;
}

static void send_in(void)
{
    unsigned length = 0;
    if (in_busy || !configured || is_late_in_frame())
        return;
    for (uint8_t tail = send_tail; length < IN_PACKET && tail != send_head; tail++)
        AT(IN_AT)[length++] = to_send[tail];
    if (!length)
        return;
    send_tail += length;
    in_busy = 1;
    hand_over(&USB_BUFFER_IN(LINE), length | FULL | (in_data1 ? DATA1 : 0));
    in_data1 ^= 1;
}

static void take_out(void)
{
    unsigned length = USB_BUFFER_OUT(LINE) & LENGTH;
    for (unsigned n = 0; n < length; n++)
        received[received_head++ % RECEIVED] = AT(OUT_AT)[n];
    out_armed = 0;
    arm_out();
}

static void configure(uint8_t number)
{
    configured = number;
    opened = in_data1 = out_data1 = in_busy = out_armed = 0;
    send_tail = send_head;
    USB_BUFFER_IN(LINE) = USB_BUFFER_OUT(LINE) = 0;
    USB_EP_CTRL_IN(NOTICE) = EP_ENABLE | EP_TELL | EP_INTERRUPT | NOTICE_AT;
    USB_EP_CTRL_OUT(LINE) = EP_ENABLE | EP_TELL | EP_BULK | OUT_AT;
    USB_EP_CTRL_IN(LINE) = EP_ENABLE | EP_TELL | EP_BULK | IN_AT;
    arm_out();
}

/* 2.8.3: ROM functions are looked up by two letters; this one does not return. */
static void become_a_drive(void)
{
    typedef void *(*look_up_t)(uint16_t *table, uint32_t code);
    typedef void (*usb_boot_t)(uint32_t led, uint32_t without);
    uintptr_t at = 0x14;
    __asm__("" : "+r"(at)); /* hides the constant: the compiler would warn about so low an address */
    uint16_t *table = (uint16_t *)(uintptr_t)*(uint16_t *)at;
    look_up_t look_up = (look_up_t)(uintptr_t)*(uint16_t *)(at + 4);
    usb_boot_t usb_boot = (usb_boot_t)look_up(table, 'U' | 'B' << 8);
    usb_boot(0, 0);
}

static void set_opened(uint8_t is)
{
    static const uint8_t touch[] = {LOW(1200), HIGH(1200), 0, 0};
    if (opened && !is && !memcmp(coding, touch, sizeof touch))
        leaving = 1;
    opened = is;
    if (!is)
        send_tail = send_head; /* bytes that the last host did not read are not sent to the next */
}

/* ---- requests */

static void tell_descriptor(void)
{
    uint8_t which = LOW(setup.value);
    switch (HIGH(setup.value)) {
    case 1:
        ep0_tell(device, sizeof device);
        return;
    case 2:
        ep0_tell(configuration, sizeof configuration);
        return;
    case 3:
        if (which > sizeof strings / sizeof *strings - !device[SERIAL_AT])
            break;
        scratch[0] = 4;
        scratch[1] = 3;
        scratch[2] = LOW(0x0409); /* the supported languages: English */
        scratch[3] = HIGH(0x0409);
        if (which) {
            const char *text = strings[which - 1];
            scratch[0] = 2 + 2 * strlen(text);
            for (unsigned n = 0; text[n]; n++) {
                scratch[2 + 2 * n] = text[n];
                scratch[3 + 2 * n] = 0;
            }
        }
        ep0_tell(scratch, scratch[0]);
        return;
    }
    ep0_refuse();
}

static void standard(void)
{
    switch (setup.request) {
    case GET_DESCRIPTOR:
        tell_descriptor();
        return;
    case GET_STATUS:
        scratch[0] = scratch[1] = 0;
        ep0_tell(scratch, 2);
        return;
    case GET_CONFIGURATION:
        ep0_tell(&configured, 1);
        return;
    case GET_INTERFACE:
        scratch[0] = 0;
        ep0_tell(scratch, 1);
        return;
    case SET_ADDRESS:
        new_address = LOW(setup.value); /* takes effect once the host has received the answer */
        ep0_done();
        return;
    case SET_CONFIGURATION:
        if (setup.value > 1)
            break;
        configure(LOW(setup.value));
        ep0_done();
        return;
    case CLEAR_FEATURE: /* an endpoint halt: none occurs, but DATA0 comes first again */
        if (setup.index == LINE)
            out_data1 = out_armed;
        else if (setup.index == (DIRECTION_IN | LINE))
            in_data1 = 0;
        ep0_done();
        return;
    case SET_INTERFACE:
    case SET_FEATURE:
        ep0_done();
        return;
    }
    ep0_refuse();
}

static void of_the_line(void)
{
    switch (setup.request) {
    case SET_LINE_CODING:
        if (setup.length != sizeof coding)
            break;
        awaits_coding = 1;
        ep0_hear();
        return;
    case GET_LINE_CODING:
        ep0_tell(coding, sizeof coding);
        return;
    case SET_CONTROL_LINE_STATE:
        set_opened(setup.value & 1);
        ep0_done();
        return;
    case SEND_BREAK:
        ep0_done();
        return;
    }
    ep0_refuse();
}

static void take_setup(void)
{
    setup.type = USB_SETUP[0];
    setup.request = USB_SETUP[1];
    setup.value = USB_SETUP[2] | USB_SETUP[3] << 8;
    setup.index = USB_SETUP[4] | USB_SETUP[5] << 8;
    setup.length = USB_SETUP[6] | USB_SETUP[7] << 8;
    answer_left = answer_short = awaits_coding = new_address = 0;
    USB_BUFFER_IN(0) = USB_BUFFER_OUT(0) = 0; /* remains of a request that was aborted */
    ep0_data1 = 1;
    switch (setup.type & TYPE_MASK) {
    case 0:
        standard();
        return;
    case CLASS:
        of_the_line();
        return;
    }
    ep0_refuse();
}

static void ep0_sent(void)
{
    if (leaving) {
        become_a_drive();
    } else if (new_address) {
        USB_ADDRESS = new_address;
        new_address = 0;
    } else if (answer_left || answer_short) {
        ep0_send_next();
    } else if (setup.type & DIRECTION_IN) {
        ep0_hear(); /* an empty packet: the host has received everything */
    }
}

static void ep0_heard(void)
{
    if (!awaits_coding)
        return;
    awaits_coding = 0;
    for (unsigned n = 0; n < sizeof coding; n++)
        coding[n] = AT(EP0_AT)[n];
    ep0_done();
}

/* ---- erratum RP2040-E5, in steppings B0 and B1; harmless in B2
 *
 * After a bus reset the controller waits until it has seen the bus idle (J: D+ high) for 800 us, which
 * never happens on a hub with other devices. So once the host has released the wires, the controller
 * sees J on a pin's input that is forced high for a millisecond; the pull-up stays, and the host
 * notices nothing. The pin belongs to a button, which reads as open during that time; this is too short
 * to count as a press or a release. */

#define J_US 1000
#define J_MOST_US 4000

static enum { ON_THE_BUS, RESETTING, J_FORCED } bus;
static uint32_t j_began;
static uint32_t pin_before, pad_before;

static void force_j(void)
{
    pin_before = IO_CTRL(DP_PIN);
    pad_before = PAD(DP_PIN);
    PAD(DP_PIN) = pad_before | PAD_PULL_UP | PAD_PULL_DOWN; /* both, so the level is kept */
    IO_CTRL(DP_PIN) = FUNCTION_USB | OUTPUT_OFF | INPUT_HIGH;
    SET(USB_PHY_DIRECT) = PHY_DP_PULLUP;
    SET(USB_PHY_OVERRIDE) = PHY_DP_PULLUP_OVERRIDDEN;
    USB_MUXING = TO_DIGITAL_PAD | SOFTCON;
    j_began = TIMER_NOW;
    bus = J_FORCED;
}

static void end_j(void)
{
    USB_MUXING = TO_PHY | SOFTCON;
    CLEAR(USB_PHY_OVERRIDE) = PHY_DP_PULLUP_OVERRIDDEN;
    IO_CTRL(DP_PIN) = pin_before;
    PAD(DP_PIN) = pad_before;
    bus = ON_THE_BUS;
}

void usb_tick(void)
{
    uint32_t status = USB_SIE_STATUS, since = TIMER_NOW - j_began;
    if (bus == RESETTING && status & SIE_LINE_STATE)
        force_j();
    else if (bus == J_FORCED && since > J_US && (status & SIE_CONNECTED || since >= J_MOST_US))
        end_j();
}

void usb_interrupt(void);
void usb_interrupt(void)
{
    uint32_t why = USB_INTS;
    if (why & DEV_SOF) {
        (void)USB_SOF_RD; /* reading it clears the interrupt */
        frame_began = TIMER_NOW;
        send_in();
    }
    if (why & BUS_RESET) {
        USB_SIE_STATUS = SIE_BUS_RESET;
        if (bus == ON_THE_BUS)
            bus = RESETTING;
        USB_ADDRESS = 0;
        configured = opened = 0;
        send_tail = send_head;
    }
    if (why & BUFF_STATUS) {
        uint32_t done = USB_BUFF_STATUS;
        USB_BUFF_STATUS = done;
        if (done & 1u << 0)
            ep0_sent();
        if (done & 1u << 1)
            ep0_heard();
        if (done & 1u << 2 * LINE) {
            in_busy = 0;
            send_in();
        }
        if (done & 1u << (2 * LINE + 1))
            take_out();
    }
    if (why & SETUP_REQ) {
        USB_SIE_STATUS = SIE_SETUP_REC;
        take_setup();
    }
}

/* ---- the interface to the program */

static void set_serial(const uint8_t number[FLASH_NUMBER])
{
    static const char digits[] = "0123456789ABCDEF";
    for (unsigned n = 0; n < FLASH_NUMBER; n++) {
        serial[2 * n] = digits[number[n] >> 4];
        serial[2 * n + 1] = digits[number[n] & 15];
        if (number[n] != number[0])
            device[SERIAL_AT] = SERIAL;
    }
}

void usb_start(const uint8_t number[FLASH_NUMBER])
{
    set_serial(number);
    for (unsigned n = 0; n < 0x180; n += 4)
        REG(USB_MEMORY + n) = 0;
    NVIC_ENABLE = 1u << IRQ_USB;
    USB_MUXING = TO_PHY | SOFTCON;
    USB_PWR = 1u << 3 | 1u << 2;    /* assume power: the pin that would sense it is not wired */
    USB_MAIN_CTRL = 1;
    USB_SIE_CTRL = SIE_EP0_INT;
    USB_INTE = BUFF_STATUS | BUS_RESET | SETUP_REQ | DEV_SOF;
    SET(USB_SIE_CTRL) = SIE_PULLUP;
}

uint8_t usb_waiting(void)
{
    return received_head != received_tail;
}

int16_t usb_receive(void)
{
    if (!usb_waiting())
        return -1;
    uint8_t byte = received[received_tail % RECEIVED];
    hold_interrupts();
    received_tail++;
    arm_out();
    allow_interrupts();
    return byte;
}

uint8_t usb_transmit(uint8_t byte)
{
    if (!opened)
        return 1;
    if ((uint8_t)(send_head + 1) == send_tail) {
        usb_flush();
        return 0;
    }
    to_send[send_head] = byte;
    send_head++;
    return 1;
}

void usb_flush(void)
{
    hold_interrupts();
    send_in();
    allow_interrupts();
}
