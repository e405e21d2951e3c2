/* The RP2040's USB port as a serial line (CDC-ACM). */
#ifndef USB_RP2040_H
#define USB_RP2040_H

#include <stdint.h>

#define FLASH_NUMBER 8

/* Show the host that something has been plugged in. Called once, with its clock at 48 MHz. The flash
 * chip's number becomes the serial number; bytes that are all the same are no chip's answer, and then
 * there is none. */
void usb_start(const uint8_t number[FLASH_NUMBER]);

/* Called every quarter of a millisecond, with interrupts held. */
void usb_tick(void);

/* The next byte from the host, -1 for none; whether there is one. */
int16_t usb_receive(void);
uint8_t usb_waiting(void);

/* A byte for the host, 0 for no room; without a host that has opened the port it is dropped. */
uint8_t usb_transmit(uint8_t byte);

/* Send what has been handed over: bytes that come together travel together. */
void usb_flush(void);

#endif
