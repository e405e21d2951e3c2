/* main: handles each frame, and the absence of frames. It contains no rules of play. */
#include <stdint.h>

#include "chip.h"
#include "keys.h"
#include "leds.h"
#include "link.h"

#define ALONE_STEP_MS 500
#define MOST_BYTES 128

static uint8_t greeted; /* the host has said hello and knows the picture */
static uint8_t known;   /* the host has gone on after a GREETING since the reset */
static uint16_t silence; /* milliseconds since the host's last valid frame */
static uint16_t alone;   /* steps of the pattern since the host was lost; 0 with a host */
static uint8_t last_number, last_code;
static uint8_t key_wait; /* milliseconds until the oldest key event is sent again */

static void greet(void)
{
    const uint8_t *p = link_frame.payload;
    if (link_frame.length < 5)
        return;
    uint16_t budget = 0;
    greeted = p[0] == PROTOCOL_VERSION;
    if (greeted)
        budget = leds_setup(p[1] | (uint16_t)p[2] << 8, p[3] | (uint16_t)p[4] << 8);
    uint16_t leds = leds_count();
    uint8_t answer[] = {
        PROTOCOL_VERSION, chip_reset_cause() | (known ? 0 : RESET_SINCE_HELLO),
        leds & 0xFF, leds >> 8,
        budget & 0xFF, budget >> 8,
        keys_number(), keys_known[0], keys_known[1], keys_known[2],
        link_corrupt & 0xFF, link_corrupt >> 8,
    };
    link_send(GREETING, link_frame.number, answer, sizeof answer);
    last_number = link_frame.number;
    last_code = CODE_DONE;
    key_wait = 0;
}

static uint8_t obey(void)
{
    switch (link_frame.type) {
    case PALETTE:
        return leds_palette(link_frame.payload, link_frame.length);
    case LIGHTS:
        return leds_change(link_frame.payload, link_frame.length);
    case PING:
        return link_frame.length == 0;
    default:
        return 0;
    }
}

static void answer(void)
{
    uint8_t code = CODE_UNGREETED;
    if (greeted && link_frame.number == last_number) {
        code = last_code; /* the host repeats the frame, because the answer was lost */
    } else if (greeted) {
        code = obey() ? CODE_DONE : CODE_MALFORMED;
        last_number = link_frame.number;
        last_code = code;
    }
    link_send(DONE, link_frame.number, &code, 1);
}

static void handle(void)
{
    silence = 0;
    if (alone) {
        alone = 0;
        leds_back();
    }
    if (link_frame.type == HELLO) {
        greet();
        return;
    }
    known |= greeted;
    if (link_frame.type == KEY_SEEN) {
        if (greeted && keys_seen(link_frame.number))
            key_wait = 0;
    } else if (link_frame.type == GOODBYE) {
        greeted = 0; /* the host leaves deliberately, so the picture stays */
    } else {
        answer();
    }
}

static void tick(void)
{
    if (key_wait)
        key_wait--;
    if (silence < HOST_GONE_MS + ALONE_STEP_MS)
        silence++;
    if (silence == HOST_GONE_MS + (alone ? ALONE_STEP_MS : 0) && (greeted || alone)) {
        silence = HOST_GONE_MS;
        if (!leds_alone(alone++))
            greeted = 0;
        if (!alone)
            alone = 8; /* the pattern has eight steps */
    }
}

static void tell_key(void)
{
    struct key_event event;
    if (!greeted || alone || key_wait || !keys_oldest(&event))
        return;
    uint8_t payload[] = {event.key, event.value, event.age & 0xFF, event.age >> 8};
    if (link_send(KEY, keys_number(), payload, sizeof payload))
        key_wait = KEY_REPEAT_MS;
}

/* At most one frame per iteration, so that a host that never pauses cannot starve the keys. */
static void take(void)
{
    int16_t byte;
    if (!link_ready())
        return;
    for (uint8_t n = 0; n < MOST_BYTES && (byte = chip_receive()) >= 0; n++)
        if (link_take(byte)) {
            handle();
            return;
        }
}

int main(void)
{
    uint8_t code = CODE_UNGREETED;
    chip_start();
    leds_start();
    keys_start();
    link_send(DONE, 0, &code, 1); /* so that a connected host need not wait for its next HELLO */
    for (;;) {
        chip_alive();
        take();
        for (uint8_t passed = chip_milliseconds(); passed; passed--)
            tick();
        tell_key();
        if (!link_pump())
            chip_rest();
    }
}
