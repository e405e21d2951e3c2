/* boot: from the RP2040's ROM to main().
 *
 * The ROM reads the first 256 bytes of the flash into memory, compares their CRC and runs them (2.8.1
 * of the datasheet; the CRC is filled in by make_uf2.py). These tell the flash controller the plain
 * read that every flash chip knows (command 03h, at a sixth of what a W25Q080 or W25Q16JV allows),
 * copy the whole program into memory and start it there: from then on the flash is not read, and
 * nothing waits for it. */
    .cpu cortex-m0plus
    .thumb
    .syntax unified

#define SSI 0x18000000
#define CTRLR0 0x00
#define CTRLR1 0x04
#define SSIENR 0x08
#define BAUDR 0x14
#define SPI_CTRLR0 0xF4
#define FLASH_IMAGE 0x10000100
#define VTOR 0xE000ED08

    .section .boot2, "ax"
    .global boot2
    .thumb_func
boot2:
    ldr  r3, =SSI
    movs r0, #0
    str  r0, [r3, #SSIENR]
    movs r0, #2                 /* of the ring oscillator's 12 MHz at most */
    str  r0, [r3, #BAUDR]
    ldr  r0, =(31 << 16 | 3 << 8)   /* 32 bits a frame; send an instruction, read */
    str  r0, [r3, #CTRLR0]
    movs r0, #0                 /* one frame a read */
    str  r0, [r3, #CTRLR1]
    ldr  r0, =(0x03 << 24 | 2 << 8 | 6 << 2) /* 03h, 8 bits of it, 24 of address, on one wire */
    ldr  r1, =(SSI + SPI_CTRLR0)
    str  r0, [r1]
    movs r0, #1
    str  r0, [r3, #SSIENR]

    ldr  r0, =FLASH_IMAGE
    ldr  r1, =image_start
    ldr  r2, =image_end
1:  ldmia r0!, {r3}
    stmia r1!, {r3}
    cmp  r1, r2
    blo  1b

    ldr  r0, =image_start
    ldr  r1, =VTOR
    str  r0, [r1]
    ldmia r0!, {r1, r2}
    msr  msp, r1
    bx   r2
    .ltorg

    .section .vectors, "a"
    .word stack_top
    .word start
    .rept 14                    /* a fault stops here, and the watchdog restarts the chip */
    .word stuck
    .endr
    .word timer_interrupt       /* IRQ 0 */
    .rept 4
    .word stuck
    .endr
    .word usb_interrupt         /* IRQ 5 */
    .rept 20
    .word stuck
    .endr

    .text
    .thumb_func
stuck:
    b    stuck

    .global start
    .thumb_func
start:
    ldr  r0, =bss_start
    ldr  r1, =bss_end
    movs r2, #0
    b    2f
1:  stmia r0!, {r2}
2:  cmp  r0, r1
    blo  1b
    bl   main
    b    stuck
    .ltorg
