/* emulator: the firmware's real binary on an emulated ATmega328P, wired to the world.
 *
 *   emulator ELF LINK     LINK becomes a symbolic link to the pty that is the board's serial port
 *
 * Time stands still between commands, which come on standard input, one a line; each is answered
 * with one line of JSON: the time, the bytes the board has said and when it last began to, the
 * frames that the strip has latched. All times are cycles of the 16 MHz clock.
 *
 *   run CYCLES BYTES      run so long, or until a little after the board has said something; wait
 *                         first until the host has written BYTES bytes in all
 *   live CYCLES           run so long with what the host happens to have written, as a host does
 *                         that lives by the clock on the wall
 *   key N CLOSED MICROSECONDS SEED    close or open contact N, chattering for so long before
 *   faults ONE_IN SEED    flip, drop or double one byte in so many, both ways; 0: none
 *   noise BYTES SEED      so many random bytes onto the line to the board, back to back
 *   reset CAUSE CYCLES    bits of MCUSR; nothing runs for so long, as in a boot loader
 *   hang                  the program runs in a circle where it is, until the next reset
 *   unplug BYTES          the port vanishes, and what of the host's BYTES was not taken yet
 *   plug                  it comes back
 *   stats                 what has been counted
 *
 * The serial port is modelled here and not by simavr: two bytes of buffer and a shift register, as
 * in the ATmega328P's datasheet, 20.7.3 (simavr's own holds 64 and hides overruns). A strip keeps
 * what it was sent: LEDs beyond the end of a frame stay as they were. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#include "../../firmware/protocol.h"

#define HERTZ 16000000
#define BIT_CYCLES (HERTZ / BAUD)
#define BYTE_CYCLES (10 * BIT_CYCLES)
#define MICROSECOND (HERTZ / 1000000)
#define USB_FRAME (1000 * MICROSECOND) /* what a USB serial chip gathers before it tells */
#define UDR0 0xC6
#define MCUSR 0x54
#define PAINT 0xA5

static avr_t *avr;
static avr_uart_t *uart;
static const char *link_path;
static int master = -1, slave = -1;

static uint64_t cycle(void)
{
    return avr->cycle;
}

static uint32_t random_below(uint32_t *seed, uint32_t n) /* xorshift32 (Marsaglia, 2003) */
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed % n;
}

/* ---- faults on the line */

static uint32_t one_in, fault_seed;
static uint64_t faults;

/* What becomes of a byte: none, one or two bytes in `out`. */
static int spoil(uint8_t byte, uint8_t out[2])
{
    out[0] = out[1] = byte;
    if (!one_in || random_below(&fault_seed, one_in))
        return 1;
    faults++;
    switch (random_below(&fault_seed, 3)) {
    case 0:
        out[0] ^= 1 << random_below(&fault_seed, 8);
        return 1;
    case 1:
        return 0;
    default:
        return 2;
    }
}

/* ---- to the board */

#define LINE (1 << 20)
static uint8_t line[LINE];
static uint32_t line_head, line_tail;
static uint32_t noise_left, noise_seed;
static uint64_t written, delivered, lost;
static uint64_t first_byte, last_byte; /* of what the host says without a pause */
static int receiving;
static uint64_t deaf_until; /* the chip is held in reset until then */

static uint8_t buffer[2], shift;
static int buffered, shifted;

static void show_received(void)
{
    if (buffered) {
        avr_raise_interrupt(avr, &uart->rxc);
    } else {
        avr_clear_interrupt(avr, &uart->rxc);
        avr_regbit_clear(avr, uart->rxc.raised);
    }
}

static uint8_t read_udr(struct avr_t *a, avr_io_addr_t address, void *param)
{
    (void)param;
    uint8_t byte = buffer[0];
    if (buffered) {
        buffer[0] = buffer[1];
        buffered--;
        if (shifted) {
            buffer[buffered++] = shift;
            shifted = 0;
        }
        show_received();
    }
    a->data[address] = byte;
    return byte;
}

static void arrive(uint8_t byte)
{
    if (!avr_regbit_get(avr, uart->rxen))
        return;
    delivered++;
    last_byte = cycle();
    if (buffered < 2) {
        buffer[buffered++] = byte;
    } else if (!shifted) {
        shift = byte;
        shifted = 1;
    } else {
        lost++;
    }
    show_received();
}

static int next_byte(uint8_t *byte)
{
    if (line_head != line_tail)
        *byte = line[line_tail++ % LINE];
    else if (noise_left) {
        noise_left--;
        *byte = random_below(&noise_seed, 256);
    } else {
        return 0;
    }
    return 1;
}

static avr_cycle_count_t byte_arrives(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a;
    (void)param;
    uint8_t byte;
    if (!next_byte(&byte)) {
        receiving = 0;
        return 0;
    }
    arrive(byte);
    return when + BYTE_CYCLES;
}

static void receive(void)
{
    if (receiving || (line_head == line_tail && !noise_left))
        return;
    receiving = 1;
    if (cycle() - last_byte > USB_FRAME)
        first_byte = cycle();
    avr_cycle_timer_register(avr, BYTE_CYCLES, byte_arrives, NULL);
}

/* What the host has written, waiting for it so many milliseconds (-1: as long as it takes), through
 * the faults of the line. */
static void take_some(int milliseconds)
{
    uint8_t bytes[4096], out[2];
    struct pollfd ready = {.fd = master, .events = POLLIN};
    if (!poll(&ready, 1, milliseconds))
        return;
    ssize_t n = read(master, bytes, sizeof bytes);
    if (n <= 0) {
        fprintf(stderr, "the host's bytes can not be read: %s\n", strerror(errno));
        exit(2);
    }
    written += n;
    for (ssize_t i = 0; i < n; i++)
        for (int k = 0, many = spoil(bytes[i], out); k < many; k++)
            line[line_head++ % LINE] = out[k];
}

/* Everything that the host has written up to its `total`-th byte. */
static void take_from_host(uint64_t total)
{
    while (written < total)
        take_some(-1);
    receive();
}

/* ---- from the board */

static uint64_t said, last_said;
static int speaking;

static void byte_leaves(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    uint8_t out[2];
    int many = spoil(value, out);
    if (master >= 0 && many && write(master, out, many) == many)
        said += many;
    if (!speaking)
        last_said = cycle();
    speaking = 1;
}

/* ---- the strip */

#define LATCH (280 * MICROSECOND)
#define LONGEST_BIT (HERTZ / 1000 * 185 / 100000) /* 1.25 us + 600 ns (WS2812B datasheet) */
static struct {
    uint64_t start, rise, fall;
    uint32_t bits;
    uint32_t zero_min, zero_max, one_min, one_max, bit_min, bit_max;
    uint8_t bytes[3 * MAX_LEDS + 3];
} wave;
static uint8_t strip[3 * MAX_LEDS];
static uint64_t frames;
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
    frames++;
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

/* ---- the keys */

static uint8_t closed[MATRIX_KEYS + BUTTON_KEYS];
static uint8_t port_c, ddr_c;
static uint64_t shorts;
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

/* Closed keys join rows and columns into nets; a net is low where a row drives it low. */
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

/* A reset has cleared the input registers, and simavr tells them only of changes. */
static void tell_pins(void)
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
    size_t key = (uint8_t *)param - closed;
    if (when >= chatter[key].until) {
        closed[key] = chatter[key].final;
        settle();
        return 0;
    }
    closed[key] ^= 1;
    settle();
    return when + (50 + random_below(&chatter[key].seed, 400)) * MICROSECOND;
}

static void set_key(unsigned key, unsigned value, unsigned microseconds, uint32_t seed)
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

/* ---- reset */

static uint32_t resets;
static uint32_t trap;
static uint16_t trapped;
static uint32_t painted_from;

static void has_reset(struct avr_t *a)
{
    resets++;
    receiving = buffered = shifted = level = 0;
    port_c = ddr_c = 0;
    if (trap)
        memcpy(a->flash + trap, &trapped, 2);
    trap = 0;
}

static void hang(void)
{
    static const uint16_t circle = 0xCFFF; /* rjmp to itself */
    trap = avr->pc;
    memcpy(&trapped, avr->flash + trap, 2);
    memcpy(avr->flash + trap, &circle, 2);
}

static uint32_t stack_left(void)
{
    uint32_t n = 0;
    while (painted_from + n <= avr->ramend && avr->data[painted_from + n] == PAINT)
        n++;
    return n;
}

/* ---- the port */

static void plug(void)
{
    char name[64];
    struct termios raw;
    if (openpty(&master, &slave, name, NULL, NULL)) {
        perror("openpty");
        exit(2);
    }
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    unlink(link_path);
    if (symlink(name, link_path)) {
        perror(link_path);
        exit(2);
    }
}

static void unplug(void)
{
    close(master);
    close(slave);
    master = slave = -1;
    unlink(link_path);
}

/* ---- time */

static avr_cycle_count_t end_of_run(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a;
    (void)when;
    (void)param;
    return 0;
}

static void no_sleep(struct avr_t *a, avr_cycle_count_t cycles)
{
    (void)a;
    (void)cycles;
}

static void run(uint64_t cycles)
{
    uint64_t target = cycle() + cycles;
    avr_cycle_timer_register(avr, cycles, end_of_run, NULL);
    while (cycle() < target && !(speaking && cycle() - last_said >= USB_FRAME)) {
        uint32_t before = resets;
        if (cycle() < deaf_until) {
            avr->cycle += deaf_until - cycle() < target - cycle() ? deaf_until - cycle() : target - cycle();
            line_tail = line_head;
            continue;
        }
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the program has stopped at %04x\n", avr->pc);
            exit(3);
        }
        if (resets != before) { /* by the watchdog; it took all timers with it */
            tell_pins();
            avr_cycle_timer_register(avr, target - cycle(), end_of_run, NULL);
            receive();
        }
        if (wave.bits && !level && cycle() - wave.fall >= LATCH)
            latch();
    }
    avr_cycle_timer_cancel(avr, end_of_run, NULL);
    speaking = 0;
}

static void answer(void)
{
    fflush(report);
    printf("{\"cycle\":%llu,\"said\":%llu,\"spoke\":%llu,\"frames\":[%.*s]}\n",
        (unsigned long long)cycle(), (unsigned long long)said, (unsigned long long)last_said,
        (int)ftell(report), report_text);
    rewind(report);
    reported = 0;
}

static void stats(void)
{
    printf("{\"cycle\":%llu,\"said\":%llu,\"spoke\":0,\"frames\":[],\"written\":%llu,\"delivered\":%llu,"
        "\"lost\":%llu,\"faults\":%llu,\"refreshes\":%llu,\"resets\":%u,\"shorts\":%llu,"
        "\"stack_left\":%u,\"strip\":\"", (unsigned long long)cycle(), (unsigned long long)said,
        (unsigned long long)written, (unsigned long long)delivered, (unsigned long long)lost,
        (unsigned long long)faults, (unsigned long long)frames, resets,
        (unsigned long long)shorts, stack_left());
    for (size_t i = 0; i < sizeof strip; i++)
        printf("%02x", strip[i]);
    printf("\"}\n");
}

static void no_log(struct avr_t *a, const int level_, const char *format, va_list arguments)
{
    (void)a;
    (void)level_;
    (void)format;
    (void)arguments;
}

int main(int argc, char **argv)
{
    avr_global_logger_set(no_log); /* it would speak on standard output */
    elf_firmware_t firmware = {0};
    if (argc != 3 || elf_read_firmware(argv[1], &firmware))
        return 2;
    link_path = argv[2];
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->frequency = firmware.frequency = HERTZ;
    avr->log = LOG_NONE;
    avr->sleep = no_sleep;
    avr_load_firmware(avr, &firmware);
    painted_from = 0x100 + firmware.datasize + firmware.bsssize + 16;
    memset(avr->data + painted_from, PAINT, avr->ramend + 1 - painted_from);
    memset(strip, 0x55, sizeof strip); /* whatever stood there before power came */

    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr->io[AVR_DATA_TO_IO(UDR0)].r.c = read_udr;
    avr->reset = has_reset;
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), byte_leaves, NULL);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0), strip_pin, NULL);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), IOPORT_IRQ_REG_PORT), row_port, &port_c);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), IOPORT_IRQ_DIRECTION_ALL), row_port, &ddr_c);
    tell_pins();
    plug();
    avr->data[MCUSR] = RESET_POWER;
    report = open_memstream(&report_text, &report_size);
    setvbuf(stdout, NULL, _IOLBF, 0);

    char command[256];
    while (fgets(command, sizeof command, stdin)) {
        unsigned long long a, b;
        unsigned key, value, microseconds, seed;
        if (sscanf(command, "run %llu %llu", &a, &b) == 2) {
            take_from_host(b);
            run(a);
        } else if (sscanf(command, "live %llu", &a) == 1) {
            take_some(0);
            receive();
            run(a);
        } else if (sscanf(command, "key %u %u %u %u", &key, &value, &microseconds, &seed) == 4
            && key < MATRIX_KEYS + BUTTON_KEYS) {
            set_key(key, value, microseconds, seed);
        } else if (sscanf(command, "faults %u %u", &one_in, &fault_seed) == 2) {
            fault_seed |= 1;
        } else if (sscanf(command, "noise %u %u", &noise_left, &noise_seed) == 2) {
            noise_seed |= 1;
            receive();
        } else if (sscanf(command, "reset %u %llu", &value, &a) == 2) {
            avr_reset(avr);
            avr->data[MCUSR] = value;
            tell_pins();
            deaf_until = cycle() + a;
            line_tail = line_head;
        } else if (!strncmp(command, "hang", 4)) {
            hang();
        } else if (sscanf(command, "unplug %llu", &a) == 1) {
            written = a;
            unplug();
        } else if (!strncmp(command, "plug", 4)) {
            plug();
        } else if (!strncmp(command, "stats", 5)) {
            stats();
            continue;
        } else {
            fprintf(stderr, "not a command: %s", command);
            return 2;
        }
        answer();
    }
    unlink(link_path);
    return 0;
}
