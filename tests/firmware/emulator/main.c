/* emulator: the firmware's real binary on an emulated ATmega328P, wired to the world.
 *
 *   emulator ELF LINK     LINK becomes a symbolic link to the pty that is the board's serial port
 *
 * Time stands still between commands, which come on standard input, one a line; each is answered
 * with one line of JSON: the time, the bytes that the board has sent, when it last began to
 * send, and the frames that the strip has latched. All times are cycles of the 16 MHz clock.
 *
 *   run CYCLES BYTES      run for this time, or until shortly after the board has sent something;
 *                         first wait until the host has written BYTES bytes in total
 *   live CYCLES           run for this time with the bytes that the host has written so far, for a
 *                         host that runs in real time
 *   key N CLOSED MICROSECONDS SEED    close or open contact N, which bounces for this time first
 *   faults ONE_IN SEED    flip, drop or double one byte in ONE_IN, in both directions; 0: none
 *   noise BYTES SEED      send BYTES random bytes to the board without pauses
 *   reset CAUSE CYCLES    CAUSE: bits of MCUSR; nothing runs for CYCLES, as in a boot loader
 *   hang                  the program loops where it is, until the next reset
 *   unplug BYTES          the port disappears, with those of the host's BYTES not yet read
 *   plug                  the port is back
 *   stats                 the counters
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_elf.h>

#include "emulator.h"

#define MCUSR 0x54
#define PAINT 0xA5 /* fill pattern of stack that has never been used */

avr_t *avr;
static uint64_t deaf_until; /* the chip is held in reset until then */

/* ---- reset */

static uint32_t resets;
static uint32_t trap;
static uint16_t trapped;
static uint32_t painted_from;

static void has_reset(struct avr_t *a)
{
    resets++;
    port_reset();
    strip_reset();
    keypad_reset();
    if (trap)
        memcpy(a->flash + trap, &trapped, 2);
    trap = 0;
}

static void hang(void)
{
    static const uint16_t circle = 0xCFFF; /* rjmp to its own address */
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
    while (cycle() < target && !port_has_spoken()) {
        uint32_t before = resets;
        if (cycle() < deaf_until) {
            avr->cycle = deaf_until < target ? deaf_until : target;
            port_forget();
            continue;
        }
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the program has stopped at %04x\n", avr->pc);
            exit(3);
        }
        if (resets != before) { /* reset by the watchdog; this has removed all timers */
            keypad_tell();
            avr_cycle_timer_register(avr, target - cycle(), end_of_run, NULL);
            port_receive();
        }
        strip_look();
    }
    avr_cycle_timer_cancel(avr, end_of_run, NULL);
    port_hush();
}

static void answer(void)
{
    printf("{\"cycle\":%llu,\"said\":%llu,\"spoke\":%llu,\"frames\":[",
        (unsigned long long)cycle(), (unsigned long long)port.said,
        (unsigned long long)first_reply);
    strip_print_frames();
    printf("]}\n");
}

static void stats(void)
{
    printf("{\"cycle\":%llu,\"said\":%llu,\"spoke\":0,\"frames\":[],\"written\":%llu,"
        "\"delivered\":%llu,\"lost\":%llu,\"faults\":%llu,\"refreshes\":%llu,\"resets\":%u,"
        "\"shorts\":%llu,\"stack_left\":%u,\"strip\":\"", (unsigned long long)cycle(),
        (unsigned long long)port.said, (unsigned long long)port.written,
        (unsigned long long)port.delivered, (unsigned long long)port.lost,
        (unsigned long long)port.faults, (unsigned long long)refreshes, resets,
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
    avr_global_logger_set(no_log); /* simavr would log to standard output */
    elf_firmware_t firmware = {0};
    if (argc != 3 || elf_read_firmware(argv[1], &firmware))
        return 2;
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->frequency = firmware.frequency = HERTZ;
    avr->log = LOG_NONE;
    avr->sleep = no_sleep;
    avr_load_firmware(avr, &firmware);
    painted_from = 0x100 + firmware.datasize + firmware.bsssize + 16;
    memset(avr->data + painted_from, PAINT, avr->ramend + 1 - painted_from);
    avr->reset = has_reset;
    strip_start();
    keypad_start();
    port_start(argv[2]);
    avr->data[MCUSR] = RESET_POWER;
    setvbuf(stdout, NULL, _IOLBF, 0);

    char command[256];
    while (fgets(command, sizeof command, stdin)) {
        unsigned long long cycles, bytes;
        unsigned first, value, microseconds, seed;
        if (sscanf(command, "run %llu %llu", &cycles, &bytes) == 2) {
            port_take(bytes);
            port_receive();
            run(cycles);
        } else if (sscanf(command, "live %llu", &cycles) == 1) {
            port_take_what_is_there();
            port_receive();
            run(cycles);
        } else if (sscanf(command, "key %u %u %u %u", &first, &value, &microseconds, &seed) == 4
            && first < MATRIX_KEYS + BUTTON_KEYS) {
            keypad_set(first, value, microseconds, seed);
        } else if (sscanf(command, "faults %u %u", &first, &seed) == 2) {
            port_faults(first, seed);
        } else if (sscanf(command, "noise %u %u", &first, &seed) == 2) {
            port_noise(first, seed);
            port_receive();
        } else if (sscanf(command, "reset %u %llu", &value, &cycles) == 2) {
            avr_reset(avr);
            avr->data[MCUSR] = value;
            keypad_tell();
            deaf_until = cycle() + cycles;
            port_forget();
        } else if (!strncmp(command, "hang", 4)) {
            hang();
        } else if (sscanf(command, "unplug %llu", &bytes) == 1) {
            port_unplug(bytes);
        } else if (!strncmp(command, "plug", 4)) {
            port_plug();
        } else if (!strncmp(command, "stats", 5)) {
            stats();
            continue;
        } else {
            fprintf(stderr, "not a command: %s", command);
            return 2;
        }
        answer();
    }
    port_unplug(0);
    return 0;
}
