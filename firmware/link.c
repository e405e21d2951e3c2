/* link: frames on a serial line. A frame is type, number, payload and CRC-16, encoded by COBS
 * (Cheshire and Baker, "Consistent Overhead Byte Stuffing", 1997) and terminated by a zero, so that
 * reception resynchronizes at the next zero. The meaning of the frames is not known here. */
#include "link.h"

#include "chip.h"

#define HEAD 2
#define CHECK 2
#define LONGEST (HEAD + MAX_PAYLOAD + CHECK)
#define CRC_START 0xFFFF
#define LONGEST_ANSWER 12
#define LONGEST_FRAME (HEAD + LONGEST_ANSWER + CHECK + 2)
#define QUEUE 64 /* a power of two, and room for two of the longest answers */

struct frame link_frame;
uint16_t link_corrupt;

static uint8_t body[LONGEST];
static uint8_t taken;   /* number of bytes in `body` */
static uint8_t code;    /* the current COBS code, 0 before the first */
static uint8_t left;    /* bytes until the next code */
static uint8_t corrupt;  /* too long: skip to the zero */

static uint8_t queue[QUEUE];
static uint8_t head, tail;

/* Eight steps of the polynomial 0x1021 at once. */
static uint16_t crc_of(uint16_t crc, uint8_t byte)
{
    uint8_t x = crc >> 8 ^ byte;
    x ^= x >> 4;
    return crc << 8 ^ (uint16_t)x << 12 ^ (uint16_t)x << 5 ^ x;
}

static void take(uint8_t byte)
{
    if (taken == LONGEST)
        corrupt = 1;
    else
        body[taken++] = byte;
}

static uint8_t sound(void)
{
    if (corrupt || left || taken < HEAD + CHECK)
        return 0;
    uint16_t crc = CRC_START;
    for (uint8_t i = 0; i < taken; i++)
        crc = crc_of(crc, body[i]);
    return crc == 0;
}

uint8_t link_take(uint8_t byte)
{
    if (byte) {
        if (left) {
            left--;
            take(byte);
        } else {
            if (code && code != 0xFF)
                take(0);
            code = byte;
            left = byte - 1;
        }
        return 0;
    }
    uint8_t good = sound();
    if (good) {
        link_frame.type = body[0];
        link_frame.number = body[1];
        link_frame.length = taken - HEAD - CHECK;
        link_frame.payload = body + HEAD;
    } else if (code && link_corrupt != UINT16_MAX) {
        link_corrupt++;
    }
    taken = code = left = corrupt = 0;
    return good;
}

static uint8_t room(void)
{
    return (uint8_t)(tail - head - 1) % QUEUE;
}

uint8_t link_ready(void)
{
    return room() >= LONGEST_FRAME;
}

uint8_t link_send(uint8_t type, uint8_t number, const uint8_t *payload, uint8_t length)
{
    uint8_t plain[HEAD + LONGEST_ANSWER + CHECK] = {type, number};
    uint8_t size = HEAD + length + CHECK;
    if (size + 2 > room())
        return 0;
    for (uint8_t i = 0; i < length; i++)
        plain[HEAD + i] = payload[i];
    uint16_t crc = CRC_START;
    for (uint8_t i = 0; i < size - CHECK; i++)
        crc = crc_of(crc, plain[i]);
    plain[size - 2] = crc >> 8;
    plain[size - 1] = crc & 0xFF;

    uint8_t place = head; /* where the code of the following bytes goes */
    head = (head + 1) % QUEUE;
    uint8_t run = 1;
    for (uint8_t i = 0; i < size; i++) {
        if (plain[i]) {
            queue[head] = plain[i];
            run++;
        } else {
            queue[place] = run;
            place = head;
            run = 1;
        }
        head = (head + 1) % QUEUE;
    }
    queue[place] = run;
    queue[head] = 0;
    head = (head + 1) % QUEUE;
    return 1;
}

uint8_t link_pump(void)
{
    if (head == tail)
        return 0;
    if (chip_transmit(queue[tail]))
        tail = (tail + 1) % QUEUE;
    return 1;
}
