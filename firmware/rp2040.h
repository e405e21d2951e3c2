/* The registers of an RP2040 that this program uses, by the names and sections of its datasheet
 * (Raspberry Pi Ltd, RP2040 Datasheet). The vendor's SDK is not needed. */
#ifndef RP2040_H
#define RP2040_H

#include <stdint.h>

#define REG(address) (*(volatile uint32_t *)(address))

/* 2.1.2: aliases of a register. A write sets or clears the bits that are 1 in the value. */
#define SET(reg) REG((uintptr_t)&(reg) + 0x2000)
#define CLEAR(reg) REG((uintptr_t)&(reg) + 0x3000)

/* 2.13 power-on state machine, 2.14 resets */
#define PSM_WDSEL REG(0x40010008)
#define PSM_ALL_BUT_OSCILLATORS 0x0001FFFC
#define RESETS_RESET REG(0x4000C000)
#define RESETS_DONE REG(0x4000C008)
#define RESET_DMA (1u << 2)
#define RESET_IO_BANK0 (1u << 5)
#define RESET_PADS_BANK0 (1u << 8)
#define RESET_PIO0 (1u << 10)
#define RESET_PLL_SYS (1u << 12)
#define RESET_PLL_USB (1u << 13)
#define RESET_TIMER (1u << 21)
#define RESET_USBCTRL (1u << 24)

/* 2.12.7 the cause of the last chip reset: power-on or brown-out, or the RUN pin */
#define CHIP_RESET REG(0x40064008)
#define HAD_POR (1u << 8)
#define HAD_RUN (1u << 16)

/* 2.15 clocks, 2.16 crystal oscillator, 2.18 PLL */
#define CLK_REF_CTRL REG(0x40008030)
#define CLK_REF_SELECTED REG(0x40008038)
#define CLK_SYS_CTRL REG(0x4000803C)
#define CLK_SYS_SELECTED REG(0x40008044)
#define CLK_USB_CTRL REG(0x40008054)
#define XOSC_CTRL REG(0x40024000)
#define XOSC_STATUS REG(0x40024004)
#define XOSC_STARTUP REG(0x4002400C)
#define PLL_SYS 0x40028000
#define PLL_USB 0x4002C000
#define PLL_CS(pll) REG((pll) + 0x0)
#define PLL_PWR(pll) REG((pll) + 0x4)
#define PLL_FBDIV(pll) REG((pll) + 0x8)
#define PLL_PRIM(pll) REG((pll) + 0xC)

/* 2.19 GPIO, 2.3.1 single-cycle IO */
#define PAD(pin) REG(0x4001C004 + 4 * (pin))
#define PAD_SCHMITT (1u << 1)
#define PAD_PULL_DOWN (1u << 2)
#define PAD_PULL_UP (1u << 3)
#define PAD_4MA (1u << 4)
#define PAD_INPUT (1u << 6)
#define IO_CTRL(pin) REG(0x40014004 + 8 * (pin))
#define FUNCTION_SIO 5
#define FUNCTION_PIO0 6
#define FUNCTION_USB 8
#define OUTPUT_OFF (2u << 12)
#define INPUT_HIGH (3u << 16)
#define GPIO_IN REG(0xD0000004)
#define GPIO_OUT_CLEAR REG(0xD0000018)
#define GPIO_OE REG(0xD0000020)

/* 2.5 DMA, channel 0 */
#define DMA_READ REG(0x50000000)
#define DMA_WRITE REG(0x50000004)
#define DMA_COUNT REG(0x50000008)
#define DMA_CTRL_TRIGGER REG(0x5000000C)
#define DMA_ENABLE (1u << 0)
#define DMA_WORDS (2u << 2)
#define DMA_READ_ON (1u << 4)
#define DMA_PACED_BY_PIO0_TX0 (0u << 15)
#define DMA_QUIET (1u << 21)
#define DMA_BUSY (1u << 24)

/* 3.7 PIO0, state machine 0 */
#define PIO_CTRL REG(0x50200000)
#define PIO_FDEBUG REG(0x50200008)
#define PIO_TX_STALLED (1u << 24)
#define PIO_TXF 0x50200010
#define PIO_PROGRAM(n) REG(0x50200048 + 4 * (n))
#define PIO_CLKDIV REG(0x502000C8)
#define PIO_EXECCTRL REG(0x502000CC)
#define PIO_SHIFTCTRL REG(0x502000D0)
#define PIO_INSTR REG(0x502000D8)
#define PIO_PINCTRL REG(0x502000DC)

/* 4.10 the flash chip's serial controller, and its chip select from 2.19 */
#define SSI_CTRLR0 REG(0x18000000)
#define SSI_SSIENR REG(0x18000008)
#define SSI_SER REG(0x18000010)
#define SSI_BAUDR REG(0x18000014)
#define SSI_SR REG(0x18000028)
#define SSI_RECEIVED (1u << 3)
#define SSI_DR0 REG(0x18000060)
#define FLASH_SELECT_CTRL REG(0x4001800C)
#define FLASH_ANSWER_PAD REG(0x4002000C) /* SD1 */
#define OUTPUT_LOW (2u << 8)
#define OUTPUT_HIGH (3u << 8)

/* 4.6 timer: microseconds and an alarm */
#define TIMER_ALARM0 REG(0x40054010)
#define TIMER_NOW REG(0x40054028)
#define TIMER_INTR REG(0x40054034)
#define TIMER_INTE REG(0x40054038)

/* 4.7 watchdog */
#define WATCHDOG_CTRL REG(0x40058000)
#define WATCHDOG_LOAD REG(0x40058004)
#define WATCHDOG_REASON REG(0x40058008)
#define WATCHDOG_TICK REG(0x4005802C)

/* 4.1 USB: its memory and registers */
#define USB_MEMORY 0x50100000
#define USB_SETUP ((volatile uint8_t *)USB_MEMORY)
#define USB_EP_CTRL_IN(n) REG(USB_MEMORY + 8 * (n))
#define USB_EP_CTRL_OUT(n) REG(USB_MEMORY + 4 + 8 * (n))
#define USB_BUFFER_IN(n) REG(USB_MEMORY + 0x80 + 8 * (n))
#define USB_BUFFER_OUT(n) REG(USB_MEMORY + 0x84 + 8 * (n))
#define USB_ADDRESS REG(0x50110000)
#define USB_MAIN_CTRL REG(0x50110040)
#define USB_SOF_RD REG(0x50110048)
#define USB_SIE_CTRL REG(0x5011004C)
#define USB_SIE_STATUS REG(0x50110050)
#define USB_BUFF_STATUS REG(0x50110058)
#define USB_STALL_ARM REG(0x50110068)
#define USB_MUXING REG(0x50110074)
#define USB_PWR REG(0x50110078)
#define USB_PHY_DIRECT REG(0x5011007C)
#define USB_PHY_OVERRIDE REG(0x50110080)
#define USB_INTE REG(0x50110090)
#define USB_INTS REG(0x50110098)

/* 2.4 the Cortex-M0+ */
#define NVIC_ENABLE REG(0xE000E100)
#define IRQ_TIMER_0 0
#define IRQ_USB 5

#define hold_interrupts() __asm__ volatile("cpsid i" ::: "memory")
#define allow_interrupts() __asm__ volatile("cpsie i" ::: "memory")
#define wait_for_interrupt() __asm__ volatile("dsb\n\twfi" ::: "memory")

#endif
