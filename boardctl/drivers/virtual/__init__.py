"""Virtual wires: simulated hardware below the drivers.

The hardware consists of an SPI bus that decodes the LED waveform back into colours, GPIO pins wired
to a key matrix, LED controllers on serial lines and UDP, displays on an I2C bus, and a virtual
clock. The simulation runs the real drivers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

from boardctl.drivers.ports import Clock, PinFactory
from boardctl.drivers.virtual.spi import LedBus

if TYPE_CHECKING:
    from boardctl.drivers.virtual.chip import Chip
    from boardctl.drivers.virtual.controllers import Wled
    from boardctl.drivers.virtual.i2c import Lcd, Oled, VirtualI2c
    from boardctl.drivers.virtual.lines import (
        FarEnd,
        VirtualDatagrams,
        VirtualKeyboard,
        VirtualLine,
        VirtualProcess,
    )

BUFSIZ: Final = 65535
"""The maximum number of bytes per transfer, as on a machine with wiring.md's `spidev.bufsiz`."""


class VirtualKeypad(Protocol):
    """A keypad whose keys a program can press and release."""

    def press(self, key: str) -> None:
        """Press a key of `ports.KEYS`."""

    def release(self, key: str) -> None:
        """Release a key."""


class _NumberPads:
    """A virtual keypad that presses keys on the connected number pads."""

    def __init__(self, keyboards: list[VirtualKeyboard]) -> None:
        self._keyboards = keyboards

    def press(self, key: str) -> None:
        self._put(key, 1)

    def release(self, key: str) -> None:
        self._put(key, 0)

    def _put(self, key: str, value: int) -> None:
        from boardctl.drivers.usb_numpad import CODES

        code = next(code for code, name in CODES.items() if name == key)
        for keyboard in self._keyboards:
            keyboard.put(code, value)


class VirtualWires:
    """The wires of a simulated board. A device is imported when its driver opens its port.

    Args:
        watch: called with the decoded LEDs of every frame (three bytes per LED: red, green, blue).
        leds: the driver of the strip, which determines the LEDs on the SPI bus.
        keys: the options of the key driver, which determine the keypad, or None for a 4×4 matrix on
        the default pins.
        far: the device at the other end of the serial line. By default, the chip of `firmware/` if
        one of the drivers is `serial_board`, otherwise an Adalight controller.

        Opened parts can be inspected: `bus`, `line`, `box`, `glass` (I2C), `spoken`.
    """

    def __init__(
        self,
        clock: Clock,
        watch: Callable[[bytes], None] = lambda leds: None,
        leds: str = "ws2812_spi",
        keys: Any = None,
        far: FarEnd | None = None,
    ) -> None:
        from gpiozero import GPIOZeroError

        from boardctl.drivers.virtual.pins import wired_factory

        self.clock = clock
        self._watch = watch
        self.pin_errors: tuple[type[Exception], ...] = (GPIOZeroError,)
        self._strip = leds
        self._factory = wired_factory()
        self.keyboards: list[VirtualKeyboard] = []
        self.chip = self._new_chip() if leds == "serial_board" else None
        self.keypad = self._wire(keys)
        self.bus: LedBus | None = None
        self.line: VirtualLine | None = None
        self._far = far
        self.box: Wled | None = None
        self.network: VirtualDatagrams | None = None
        self.spoken: list[tuple[str, ...]] = []

    @cached_property
    def oled(self) -> Oled:
        """The OLED on the I2C bus."""
        from boardctl.drivers.virtual.i2c import Oled

        return Oled()

    @cached_property
    def lcd(self) -> Lcd:
        """The LCD on the I2C bus."""
        from boardctl.drivers.virtual.i2c import Lcd

        return Lcd()

    @cached_property
    def glass(self) -> VirtualI2c:
        """The I2C bus with both displays."""
        from boardctl.drivers.virtual.i2c import VirtualI2c

        return VirtualI2c({0x3C: self.oled, 0x27: self.lcd})

    def _new_chip(self, buttons: tuple[str, ...] = ()) -> Chip:
        from boardctl.drivers.virtual.chip import Chip

        return Chip(self.clock, self._watch, buttons)

    def _wire(self, keys: Any) -> VirtualKeypad:
        """Return the keypad for a driver, which is identified by the class of its options."""
        from boardctl.drivers.virtual.pins import ButtonBank, KeyMatrix

        match type(keys).__module__.rpartition(".")[2]:
            case "gpio_buttons":
                return ButtonBank(self._factory, keys.buttons)
            case "usb_numpad":
                return _NumberPads(self.keyboards)
            case "gpio_matrix":
                return KeyMatrix(self._factory, keys.rows, keys.columns)
            case "serial_board":
                self.chip = self._new_chip(keys.buttons)
                return self.chip
        from boardctl.drivers import gpio_matrix

        usual = gpio_matrix.Options()
        return KeyMatrix(self._factory, usual.rows, usual.columns)

    def spi(self, bus: int, device: int, hertz: int, clocked: bool = True) -> LedBus:
        self.bus = LedBus(hertz, self._watch, self._strip == "apa102_spi", BUFSIZ)
        return self.bus

    def pins(self, factory: PinFactory = "lgpio") -> Any:
        return self._factory

    def serial(
        self,
        port: str,
        baud: int,
        received: Callable[[bytes], None],
        changed: Callable[[str | None], None],
    ) -> VirtualLine:
        from boardctl.drivers.virtual.controllers import Adalight
        from boardctl.drivers.virtual.lines import VirtualLine

        far = self._far or self.chip or Adalight(self._watch)
        self.line = VirtualLine(self.clock, far, received, changed)
        if self.chip is not None:
            self.chip.say = self.line.say
        return self.line

    def i2c(self, bus: int) -> VirtualI2c:
        return self.glass

    def udp(self, host: str, port: int) -> VirtualDatagrams:
        from boardctl.drivers.virtual.controllers import Wled
        from boardctl.drivers.virtual.lines import VirtualDatagrams

        self.box = Wled(0, self._watch)
        self.network = VirtualDatagrams(self.box.take)
        return self.network

    def keyboard(
        self,
        device: str,
        received: Callable[[str, int, int], None],
        changed: Callable[[str | None], None],
    ) -> VirtualKeyboard:
        from boardctl.drivers.virtual.lines import VirtualKeyboard

        keyboard = VirtualKeyboard(self.clock, received, changed)
        self.keyboards.append(keyboard)
        return keyboard

    def start(self, program: tuple[str, ...]) -> VirtualProcess:
        from boardctl.drivers.virtual.lines import VirtualProcess

        self.spoken.append(program)
        return VirtualProcess()

    def filtered(self, program: tuple[str, ...], text: str) -> str:
        """Raise OSError, because there are no programs in the simulation."""
        raise FileNotFoundError(2, "No such file or directory")

    def close(self) -> None:
        """Do nothing, because no resource must be released."""
