"""The current budget: frames that exceed the limit of the power supply are dimmed.

A strip at full white draws more current than any table-top supply delivers (400 LEDs: 22 A), and an
overloaded supply resets the Pi. Each frame's current is therefore computed from the currents of all
its LEDs, including dark ones, and the whole frame is dimmed until it fits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Final

from boardctl.board.palette import Frame
from boardctl.drivers.ports import PortError, Strip, trouble
from boardctl.options import Between

FUSES: Final = (2, 3, 4, 5, 7.5, 10, 15)
"""Ratings of available fuses, in amperes."""
SUPPLIES: Final = (3, 4, 5, 6, 8, 10, 15)
"""Currents of available 5 V supplies, in amperes."""
STEPS: Final = 256
"""The number of brightness steps. Each step has a lookup table, which avoids a multiplication per
LED."""


@dataclass(frozen=True)
class Options:
    """`[power]`: the current of the supply and those of the LEDs, in milliamps.

    The defaults are FastLED's constants for a WS2812B at 5 V: 16, 11 and 15 mA for full red, green
    and blue, and 1 mA for the chip, lit or dark (`power_mgt.cpp`, gRed_mW to gDark_mW).
    FastLED's authors expect errors of about 10 %. This project has not measured an LED.
    """

    milliamps: Annotated[int, Between(1)] = 3000
    red: Annotated[float, Between(0)] = 16.0
    green: Annotated[float, Between(0)] = 11.0
    blue: Annotated[float, Between(0)] = 15.0
    idle: Annotated[float, Between(0)] = 1.0


def from_supply(milliamps: int) -> int:
    """Return the budget for a supply and a fuse rated for this current: three quarters of it. A
    fuse carries that much for hours (Littelfuse, 466 series: "75 % of rated current"), and the
    supply keeps a reserve."""
    return milliamps * 3 // 4


MOST: Final = from_supply(1000 * SUPPLIES[-1])
"""The largest budget in milliamps: the budget of the largest supply and fuse in the parts list."""


def _next(sizes: tuple[float, ...], amperes: float) -> float | None:
    return next((size for size in sizes if from_supply(round(1000 * size)) >= 1000 * amperes), None)


def fuse(amperes: float) -> float | None:
    """Return the smallest fuse (in amperes) that carries this current for hours, or None if no fuse
    is large enough."""
    return _next(FUSES, amperes)


def supply(amperes: float) -> float | None:
    """Return the smallest supply (in amperes) whose budget allows this current, or None if no
    supply is large enough."""
    return _next(SUPPLIES, amperes)


def light(frame: Frame, options: Options) -> float:
    """Return the current drawn by a frame's light in milliamps, without the chips' idle current."""
    return (
        sum(frame[0::3]) * options.red
        + sum(frame[1::3]) * options.green
        + sum(frame[2::3]) * options.blue
    ) / 255


def draw(frame: Frame, options: Options) -> float:
    """Return the current drawn by a frame in milliamps, including the chips' idle current."""
    return light(frame, options) + len(frame) // 3 * options.idle


@cache
def _table(step: int) -> bytes:
    return bytes(value * step // STEPS for value in range(256))


def dim(frame: Frame, step: int) -> Frame:
    """Return a frame dimmed to `step` / STEPS of its brightness, rounded down."""
    return frame if step >= STEPS else frame.translate(_table(step))


def fit(frame: Frame, options: Options) -> Frame:
    """Return the frame, dimmed as a whole to fit the budget.

    Raises:
        PortError: if the chips' idle current alone exceeds the budget.
    """
    idle = len(frame) // 3 * options.idle
    room = options.milliamps - idle
    if room < 0:
        raise PortError(
            "leds",
            trouble("too-dark", leds=len(frame) // 3, idle=f"{idle:.0f}", most=options.milliamps),
        )
    lit = frame.translate(None, b"\0")
    if sum(lit) * max(options.red, options.green, options.blue) <= 255 * room:
        return frame  # the usual picture, a few pegs, fits in any colour
    wanted = light(frame, options)
    return frame if wanted <= room else dim(frame, int(STEPS * room / wanted))


class Budgeted(Strip):
    """A strip that never exceeds its current budget.

    Args:
        strip: the strip that lights up. Until the strip is open, this is None, and every frame
            raises the reason.
        options: the budget.
        watch: called with every frame in the form in which it was sent.
    """

    def __init__(
        self,
        strip: Strip | None,
        options: Options,
        watch: Callable[[Frame], None] = lambda frame: None,
    ) -> None:
        self.strip = strip
        self.reason = "is not open yet"
        """The reason why `strip` is None."""
        self.in_test = False
        """Whether the self-test is using the strip. During the test, no other frame is sent."""
        self._options = options
        self._watch = watch

    def show(self, frame: Frame) -> None:
        within = fit(frame, self._options)
        try:
            if not self.in_test:
                self.show_in_test(within)
        finally:
            self._watch(within)

    def show_in_test(self, frame: Frame) -> None:
        """Light the strip for the self-test. Raises PortError."""
        if self.strip is None:
            raise PortError("leds", self.reason)
        self.strip.show(frame)

    def close(self) -> None:
        if self.strip is not None:
            self.strip.close()
