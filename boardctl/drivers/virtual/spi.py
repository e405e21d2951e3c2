"""A virtual SPI bus that decodes a WS2812 waveform or APA102 frames to get the LEDs' colours."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple


class Controller(NamedTuple):
    """An SPI controller: its base clock, and how its Linux driver rounds the divider."""

    name: str
    hertz: int

    def rounded(self, asked: int) -> float:
        """Return the actual clock in Hz for a requested clock. The driver uses the next even
        divider, so the clock is never faster than requested (Linux, spi-bcm2835.c: `DIV_ROUND_UP`,
        then made even; spi-dw-core.c, which drives the RP1: `(DIV_ROUND_UP + 1) & 0xfffe`)."""
        divider = -(-self.hertz // asked)
        return self.hertz / (divider + divider % 2)


BCM2835: Final = tuple(Controller(f"BCM2835, core at {n} MHz", n * 10**6) for n in (250, 400, 500))
"""The Pi Zero to Pi 4. The SPI clock is derived from the core clock, which is 250 to 500 MHz
depending on model and load."""
RP1: Final = Controller("RP1", 200_000_000)
"""The Pi 5. Its SPI uses RP1's system clock (Raspberry Pi's kernel, rp1.dtsi)."""
CONTROLLERS: Final = (*BCM2835, RP1)


class Sheet(NamedTuple):
    """The limits in a data sheet, in seconds: the high and low times of a 0 and a 1, and the
    minimum low time of a reset."""

    name: str
    zero: tuple[tuple[float, float], tuple[float, float]]
    one: tuple[tuple[float, float], tuple[float, float]]
    reset: float


SHEETS: Final = (
    Sheet(
        "WS2812B",
        zero=((250e-9, 550e-9), (700e-9, 1000e-9)),
        one=((650e-9, 950e-9), (300e-9, 600e-9)),
        reset=50e-6,
    ),
    Sheet(
        "WS2812B-V5",
        zero=((220e-9, 380e-9), (580e-9, 1000e-9)),
        one=((580e-9, 1000e-9), (220e-9, 420e-9)),
        reset=280e-6,
    ),
)
"""WorldSemi's "Data transfer time" for the first WS2812B (400/850 and 800/450 ns, each ±150 ns,
reset over 50 µs) and for the V5 (reset over 280 µs). One edition of the V5's sheet also specifies
580 to 1000 ns for the low time of a 1. A bit of 1250 ns cannot satisfy both this limit and the
first sheet."""
OTHERS: Final = (
    Sheet(
        "WS2813",
        zero=((300e-9, 450e-9), (300e-9, 100e-6)),
        one=((750e-9, 1000e-9), (300e-9, 100e-6)),
        reset=300e-6,
    ),
    Sheet(
        "WS2813-Mini",
        zero=((220e-9, 380e-9), (580e-9, 1600e-9)),
        one=((580e-9, 1600e-9), (220e-9, 420e-9)),
        reset=280e-6,
    ),
    Sheet(
        "SK6812",
        zero=((150e-9, 450e-9), (750e-9, 1050e-9)),
        one=((450e-9, 750e-9), (450e-9, 750e-9)),
        reset=80e-6,
    ),
)
"""LEDs that no parts list names, but that shops sell as WS2812B: WorldSemi's WS2813 and WS2813-Mini
("Data Transfer Time"), and the SK6812 with 300/900 and 600/600 ns, each ±150 ns (Opsco
Optoelectronics)."""
LATCH: Final = max(sheet.reset for sheet in SHEETS)
PERIOD: Final = 1250e-9 + 600e-9
"""The maximum duration of a whole bit, high and low, in seconds ("TH + TL" in the first WS2812B's
sheet)."""


class Gap(NamedTuple):
    """Idle clocks after each byte, as on a BCM2835 without DMA or an RP1 in SPI mode 0, and the
    line's level during them: the last bit's level, or low. With `every`, they occur only after that
    many bytes, as when a FIFO is refilled late."""

    clocks: int
    holds_level: bool
    every: int = 1


class Fifo(NamedTuple):
    """A send FIFO that a driver refills at an interrupt: its size, and the number of bytes left
    when the interrupt occurs."""

    size: int
    bytes_left: int

    def late(self, hertz: float, seconds: float) -> Gap:
        """Return the pause if the kernel takes this many seconds to answer each interrupt."""
        pause = seconds - 8 * self.bytes_left / hertz
        return Gap(max(0, round(pause * hertz)), holds_level=False, every=self.size)


BCM2835_FIFO: Final = Fifo(64, 16)
"""Linux, spi-bcm2835.c: 64 bytes; the interrupt comes when three quarters have been received."""
RP1_FIFO: Final = Fifo(64, 32)
"""Linux, spi-dw-core.c, `dw_spi_irq_setup`: half of the FIFO. RP1's has 64 entries."""


class WaveformError(OSError):
    """The error for a waveform that some WS2812B might misread."""


NO_GAP: Final = Gap(0, holds_level=False)


def decode(
    data: bytes,
    hertz: float,
    idle: Literal[0, 1] = 0,
    stretch: float = 0.0,
    gap: Gap = NO_GAP,
    sheets: Sequence[Sheet] = SHEETS,
) -> bytes:
    """Return the colours (red, green, blue per LED) that a strip would latch from a single
    transfer.

    Args:
        hertz: the actual clock after rounding.
        idle: the level of the line before the transfer and after it.
        stretch: seconds for which the first bit is on the line before the clock starts.
        gap: the pauses between bytes.
        sheets: the data sheets whose limits apply.

    Raises:
        WaveformError: if a high or low time is outside one of the sheets, a colour is incomplete,
        or the pause is missing. A low time that contains a gap may exceed the sheets' limits if the
        whole bit is within PERIOD.
    """
    wave = bin(int.from_bytes(b"\x01" + data, "big"))[3:]
    if gap.clocks:
        some = 8 * gap.every
        wave = "".join(
            part + (part[-1] if gap.holds_level else "0") * gap.clocks
            for part in (wave[n : n + some] for n in range(0, len(wave), some))
        )
    body = wave.rstrip("0")
    if len(wave) - len(body) < LATCH * hertz:
        raise WaveformError("the strip cannot latch: the pause after the frame is too short")
    begun = body.lstrip("0")
    lows = len(body) - len(begun)
    if idle and (lows == 0 or lows / hertz + stretch < LATCH):
        raise WaveformError("the line idled high, and no reset discards that bit")
    *pulses, last = begun.replace("01", "0 1").split(" ")
    kinds = sorted(set(pulses), key=lambda one: (-one.count("0"), one))  # the longest pause first
    read = {pulse: _bit(pulse, hertz, gap=gap, sheets=sheets) for pulse in kinds}
    bits = [read[pulse] for pulse in pulses]
    if last:
        bits.append(_bit(last, hertz, gap=gap, sheets=sheets))
    if pulses and not lows:
        bits[0] = _bit(pulses[0], hertz, stretch, gap, sheets)
    if len(bits) % 24:
        raise WaveformError(f"{len(bits)} bits are not a whole number of LEDs")
    wire = int("1" + "".join(bits), 2).to_bytes(len(bits) // 8 + 1, "big")[1:]
    colours = bytearray(len(wire))
    colours[0::3], colours[1::3], colours[2::3] = wire[1::3], wire[0::3], wire[2::3]
    return bytes(colours)


def _bit(
    pulse: str,
    hertz: float,
    stretch: float = 0.0,
    gap: Gap = NO_GAP,
    sheets: Sequence[Sheet] = SHEETS,
) -> str:
    """Return the bit that every LED reads from a pulse such as "1100". The pulse is high for one
    clock per 1 plus `stretch` seconds, then low. A pulse without a low time is followed by a
    reset."""
    ones = pulse.count("1")
    high = ones / hertz + stretch
    low = (len(pulse) - ones) / hertz or None
    if low is not None and low >= min(sheet.reset for sheet in sheets):
        raise WaveformError("a pause within the frame: the strip shows its first part alone")
    for name, times in (("0", [s.zero for s in sheets]), ("1", [s.one for s in sheets])):
        if all(
            highs[0] <= high <= highs[1]
            and (low is None or lows[0] <= low <= (PERIOD - high if gap.clocks else lows[1]))
            for highs, lows in times
        ):
            return name
    pause = "the reset" if low is None else f"{low * 1e9:.0f} ns low"
    raise WaveformError(
        f"{high * 1e9:.0f} ns high and {pause} are neither a 0 nor a 1 to every LED"
    )


def decode_apa102(data: bytes) -> bytes:
    """Return the colours (red, green, blue per LED) that APA102 LEDs would show after one transfer.

    A zero word starts a frame. Each LED takes one word `111bbbbb` blue green red, and shows the
    colour dimmed to b/31. Every LED delays the clock by half a period, so half a clock per LED must
    follow (APA102C datasheet; T. Böscke, "Understanding the APA102 Superled", 2014).

    Raises:
        WaveformError: if the start is missing, or too few clocks follow the last LED.
    """
    if data[:4] != bytes(4):
        raise WaveformError("no start frame")
    leds = bytearray()
    at = 4
    while at + 4 <= len(data) and data[at] >= 0xE0:
        dim, blue, green, red = data[at : at + 4]
        leds += bytes(value * (dim & 31) // 31 for value in (red, green, blue))
        at += 4
    clocks = 8 * (len(data) - at)
    if clocks < 32 + len(leds) // 3 / 2:
        raise WaveformError(f"{clocks} clocks after {len(leds) // 3} LEDs do not reach the last")
    return bytes(leds)


class LedBus:
    """A strip's bus. `leds` are the strip's colours, and `transfers` counts the frames.

    Like spidev, the bus rejects transfers of more than `limit` bytes. If a test sets `broken` to a
    reason, every write fails with this reason until `broken` is None again. `controller` rounds the
    clock. The line idles at `idle`, and the first bit is on the line `stretch` seconds before the
    clock starts.
    """

    def __init__(
        self,
        hertz: int,
        watch: Callable[[bytes], None],
        apa102: bool = False,
        limit: int = 4096,
        controller: Controller = BCM2835[1],
        idle: Literal[0, 1] = 0,
        stretch: float = 200e-9,
    ) -> None:
        self._hertz = controller.rounded(hertz)
        self._watch = watch
        self._apa102 = apa102
        self._rest: tuple[Literal[0, 1], float] = (idle, stretch)
        self.limit = limit
        self.broken: str | None = None
        self.leds = b""
        self.transfers = 0

    def write(self, data: bytes | bytearray) -> None:
        if self.broken is not None:
            raise OSError(errno.EIO, self.broken)
        if len(data) > self.limit:
            raise OSError(errno.EMSGSIZE, "Message too long")
        if self._apa102:
            self.leds = decode_apa102(bytes(data))
        else:
            self.leds = decode(bytes(data), self._hertz, *self._rest)
        self.transfers += 1
        self._watch(self.leds)

    def close(self) -> None:
        """Do nothing, because no resource must be closed."""
