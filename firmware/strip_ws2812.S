; strip_ws2812: the waveform of WS2812 LEDs on PB0 of a 16 MHz AVR, by counting cycles: every bit
; takes 20 (1250 ns), a 0 is high for 6 (375 ns), a 1 for 14 (875 ns), with no gap between bits,
; bytes or LEDs; that is within the sheets of the first WS2812B and of the V5. In the cycles between the edges the next colour is looked up and scaled, and once
; a byte (160 cycles) the serial port is emptied: a byte takes 320 cycles to arrive and the port
; holds two, so none is lost while interrupts are off. (A host that says more meanwhile than the
; ring holds, without waiting for its answer, spoils its own frames, and their CRC tells.)
;
;   void strip_send(const uint8_t *leds, uint16_t count, uint8_t scale);   interrupts off, count > 0

#include <avr/io.h>

#include "leds.h"

#define PORT    _SFR_IO_ADDR(PORTB)
#define high    r18
#define low     r19
#define scale   r20
#define byte    r21     /* being sent */
#define status  r22
#define next    r16     /* byte to be sent after it */
#define tmp     r17
#define countl  r24

; A bit is `rise`, seven cycles of other work, `fall`, five cycles of other work. A 0 falls in `rise`
; already. Both ways of every skip below take the same time.
.macro wait2
    rjmp .+0
.endm
.macro wait4
    wait2
    wait2
.endm
.macro wait5
    wait4
    nop
.endm
.macro wait7
    wait5
    wait2
.endm
.macro rise bit
    out  PORT, high
    wait4
    sbrs byte, \bit
    out  PORT, low
.endm
.macro fall
    out  PORT, low
.endm

.macro idle bit
    rise \bit
    wait7
    fall
    wait5
.endm

; Take a byte from the serial port, status first as the chip wants it. What is stored while
; nothing has come lies beyond the ring's head and is overwritten.
.macro poll bit
    rise \bit
    lds  status, UCSR0A
    sbrc status, RXC0
    lds  tmp, UDR0
    wait2
    fall
    st   X, tmp
    sbrc status, RXC0
    inc  XL
    nop
.endm

; next = Z[0] * (scale + 1) / 256, and Z moves on.
.macro colour bit
    rise \bit
    ld   next, Z+
    mul  next, scale
    add  r0, next
    nop
    ldi  tmp, 0
    fall
    adc  r1, tmp
    mov  next, r1
    nop
    wait2
.endm

; Z = palette + 3 * Y[0], and Y moves on.
.macro lookup bit
    rise \bit
    ld   tmp, Y+
    sbrc tmp, ALONE_BIT
    ldi  tmp, ALONE
    ldi  next, 3
    wait2
    fall
    mul  tmp, next
    movw ZL, r0
    subi ZL, lo8(-(palette))
    sbci ZH, hi8(-(palette))
.endm

; The byte's last bit; the next byte is ready.
.macro last
    rise 0
    wait7
    fall
    mov  byte, next
    wait4
.endm

; On a boundary, so that one register steps through it. Sorted by alignment it is first in memory,
; where no byte goes to waste as long as no variable in the program starts as anything but zero.
.section .bss.rx_ring, "aw", @nobits
.global rx_ring, rx_head
.balign 256
rx_ring:
    .skip 256
.section .bss.rx_head, "aw", @nobits
rx_head:
    .skip 1

.section .text.strip_send, "ax", @progbits
.global strip_send
strip_send:
    push r16
    push r17
    push YL
    push YH
    movw YL, r24
    movw countl, r22
    in   high, PORT
    ori  high, 1
    mov  low, high
    andi low, 0xFE
    ldi  XH, hi8(rx_ring)
    lds  XL, rx_head

    ld   tmp, Y+            ; the first LED's green
    sbrc tmp, ALONE_BIT
    ldi  tmp, ALONE
    ldi  next, 3
    mul  tmp, next
    movw ZL, r0
    subi ZL, lo8(-(palette))
    sbci ZH, hi8(-(palette))
    ld   byte, Z+
    mul  byte, scale
    add  r0, byte
    ldi  tmp, 0
    adc  r1, tmp
    mov  byte, r1

green:
    poll   7
    colour 6                ; red is next
    idle   5
    idle   4
    idle   3
    idle   2
    idle   1
    last
    poll   7
    colour 6                ; blue is next
    idle   5
    idle   4
    idle   3
    idle   2
    idle   1
    last
    poll   7
    lookup 6                ; the next LED
    colour 5
    idle   4
    idle   3
    idle   2
    idle   1
    rise   0
    wait5
    nop
    mov    byte, next
    fall
    sbiw   countl, 1
    breq   done
    rjmp   green

done:
    sts  rx_head, XL
    clr  r1
    pop  YH
    pop  YL
    pop  r17
    pop  r16
    ret
