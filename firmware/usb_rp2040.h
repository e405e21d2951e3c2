/* The RP2040's USB port as a serial line (CDC-ACM). */
#ifndef USB_RP2040_H
#define USB_RP2040_H

#include <stdint.h>

#define FLASH_NUMBER 8

/* Connect to the host. Called once, with the USB clock at 48 MHz. The flash chip's number becomes
 * the serial number; if all its bytes are equal, the chip has not answered, and there is no serial
 * number. */
void usb_start(const uint8_t number[FLASH_NUMBER]);

/* Called every quarter of a millisecond, with interrupts disabled. */
void usb_tick(void);

/* The next byte from the host, -1 if there is none; and whether there is one. */
int16_t usb_receive(void);
uint8_t usb_waiting(void);

/* Queue a byte for the host; 0 if there is no space. It is dropped if no host has opened the port. */
uint8_t usb_transmit(uint8_t byte);

/* Send the queued bytes, several in one packet. */
void usb_flush(void);

#endif
