/* port: the chip's serial port, the pty in place of its USB cable, and the faults in between.
 *
 * The port is modelled here and not by simavr: two bytes of buffer and a shift register, as in the
 * ATmega328P's datasheet, 20.7.3 (simavr's own holds 64 and hides overruns). */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <simavr/avr_uart.h>

#include "emulator.h"

#define BYTE_CYCLES (10 * (HERTZ / BAUD))
#define USB_FRAME (1000 * MICROSECOND) /* a USB serial chip sends what it has collected in this time */
#define UDR0 0xC6

struct counts port;
uint64_t first_byte, first_reply;

static avr_uart_t *uart;
static const char *link_path;
static int master = -1, slave = -1;

/* ---- faults on the line */

static uint32_t one_in, fault_seed;

/* Apply the faults to a byte: writes none, one or two bytes to `out`. */
static int spoil(uint8_t byte, uint8_t out[2])
{
    out[0] = out[1] = byte;
    if (!one_in || random_below(&fault_seed, one_in))
        return 1;
    port.faults++;
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
static uint64_t last_byte;
static int receiving;

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
    port.delivered++;
    last_byte = cycle();
    if (buffered < 2) {
        buffer[buffered++] = byte;
    } else if (!shifted) {
        shift = byte;
        shifted = 1;
    } else {
        port.lost++;
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

void port_receive(void)
{
    if (receiving || (line_head == line_tail && !noise_left))
        return;
    receiving = 1;
    if (cycle() - last_byte > USB_FRAME)
        first_byte = cycle();
    avr_cycle_timer_register(avr, BYTE_CYCLES, byte_arrives, NULL);
}

/* Read the host's bytes, with the faults of the line, and wait for them at most this many
 * milliseconds (-1: without limit). */
static void take_some(int milliseconds)
{
    uint8_t bytes[4096], out[2];
    struct pollfd ready = {.fd = master, .events = POLLIN};
    if (!poll(&ready, 1, milliseconds))
        return;
    ssize_t n = read(master, bytes, sizeof bytes);
    if (n <= 0) {
        fprintf(stderr, "the host's bytes cannot be read: %s\n", strerror(errno));
        exit(2);
    }
    port.written += n;
    for (ssize_t i = 0; i < n; i++)
        for (int k = 0, many = spoil(bytes[i], out); k < many; k++)
            line[line_head++ % LINE] = out[k];
}

void port_take(uint64_t total)
{
    while (port.written < total)
        take_some(-1);
}

void port_take_what_is_there(void)
{
    take_some(0);
}

void port_noise(uint32_t bytes, uint32_t seed)
{
    noise_left = bytes;
    noise_seed = seed | 1;
}

void port_forget(void)
{
    line_tail = line_head;
}

/* ---- from the board */

static int speaking;

static void byte_leaves(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    uint8_t out[2];
    int many = spoil(value, out);
    if (master >= 0 && many && write(master, out, many) == many)
        port.said += many;
    if (!speaking)
        first_reply = cycle();
    speaking = 1;
}

int port_has_spoken(void)
{
    return speaking && cycle() - first_reply >= USB_FRAME;
}

void port_hush(void)
{
    speaking = 0;
}

/* ---- the cable */

void port_plug(void)
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

void port_unplug(uint64_t total)
{
    port.written = total;
    close(master);
    close(slave);
    master = slave = -1;
    unlink(link_path);
}

void port_faults(uint32_t one, uint32_t seed)
{
    one_in = one;
    fault_seed = seed | 1;
}

void port_reset(void)
{
    receiving = buffered = shifted = 0;
}

void port_start(const char *path)
{
    link_path = path;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr->io[AVR_DATA_TO_IO(UDR0)].r.c = read_udr;
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), byte_leaves, NULL);
    port_plug();
}
