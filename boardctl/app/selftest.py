"""The self-test of a newly wired board: every LED by name, every key, and the display.

Each step that lights the whole strip states the current that the strip should draw, so that you can
check it with a meter. The test runs on any clock, an event loop's or a virtual one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from boardctl import text
from boardctl.board.layout import Layout
from boardctl.drivers import budget, gpio_buttons
from boardctl.drivers.budget import Options as Power
from boardctl.drivers.ports import KEYS, Clock, Display, KeyEvent, Keys, PortError, Strip
from boardctl.message import Message

STEP: Final = 0.15
"""Seconds for which each LED is lit."""
LOOKING: Final = 3.0
"""The maximum seconds to wait for a strip that the board is still looking for, such as a name on
the network."""
PATIENCE: Final = 60.0
"""Seconds to wait for a key."""
_WHITE: Final = bytes((64, 64, 64))
_COLOURS: Final = (
    ("dark", (0, 0, 0)),
    ("red", (64, 0, 0)),
    ("green", (0, 64, 0)),
    ("blue", (0, 0, 64)),
    ("white", (255, 255, 255)),
)


class Step(NamedTuple):
    """A step with the whole strip in one colour: the step's name, the frame, and the current in
    milliamps."""

    colour: str
    frame: bytes
    milliamps: float


def steps(leds: int, power: Power) -> tuple[Step, ...]:
    """Return the steps that light the whole strip: dark, a quarter of each colour, and the
    brightest white that the power budget allows. Raises PortError if the LED chips alone exceed the
    budget."""
    found = []
    for name, colour in _COLOURS:
        frame = budget.fit(bytes(colour) * leds, power)
        found.append(Step(name, frame, budget.draw(frame, power)))
    return tuple(found)


def _named(step: Step) -> tuple[str, dict[str, int]]:
    """Return the code and fields of a step's sentence."""
    return f"colour-{step.colour}", {"milliamps": round(step.milliamps)}


@dataclass
class Report:
    """The result: the lit LEDs, the received keys, and the failures as sentences."""

    lit: list[str] = field(default_factory=list)
    pressed: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    has_shown_text: bool = False


def expected(options: object) -> tuple[str, ...]:
    """Return the keys of a keypad with these options."""
    if isinstance(options, gpio_buttons.Options):
        return tuple(key for key in KEYS if key in options.buttons)
    return KEYS


class Walk:
    """The running test: colours, LEDs one by one, display, keys. At the end, it calls `done`."""

    def __init__(
        self,
        layout: Layout,
        clock: Clock,
        say: Callable[[str, Mapping[str, Any]], None],
        done: Callable[[Report], None],
        strip: Strip | None = None,
        keys: Keys | None = None,
        display: Display | None = None,
        wanted: tuple[str, ...] = KEYS,
        power: Power | None = None,
        hold: float = 4 * STEP,
    ) -> None:
        """Args:
        say: receives each step as the code and fields of a sentence of `selftest`.
        power: the budget and the current of the LEDs.
        hold: the duration in seconds of each step that lights the whole strip."""
        self.report = Report()
        self._power = power or Power()
        self._hold = hold
        self._layout = layout
        self._clock = clock
        self._say = say
        self._done = done
        self._strip = strip
        self._keys = keys
        self._display = display
        self._wanted = list(wanted)
        self._questions = 0
        self._stopped = False

    def start(self) -> None:
        """Start with the lights."""
        if self._strip is None:
            self._show_text()
            return
        asked = steps(self._layout.leds, self._power)
        self._later(0, partial(self._colours, asked, self._clock.time() + LOOKING))

    def _colours(self, asked: tuple[Step, ...], until: float) -> None:
        """Light the whole strip in each colour. Start when the first colour has been shown, or at
        this time."""
        assert self._strip is not None
        if self._clock.time() < until:
            try:
                self._strip.show(asked[0].frame)
            except PortError:
                self._later(STEP, partial(self._colours, asked, until))
                return
            self._say(*_named(asked[0]))
        else:
            self._light(asked[0])
        for number, step in enumerate(asked[1:], 1):
            self._later(self._hold * number, partial(self._light, step))
        self._later(self._hold * len(asked), lambda: self._lamp(0))

    def _later(self, seconds: float, call: Callable[[], object]) -> None:
        self._clock.call_at(self._clock.time() + seconds, lambda: None if self._stopped else call())

    def stop(self) -> None:
        """End the test, so that no further steps follow."""
        self._stopped = True

    def _light(self, step: Step) -> bool:
        return self._lit(step.frame, *_named(step))

    def _lit(self, frame: bytes, code: str, fields: Mapping[str, Any]) -> bool:
        assert self._strip is not None
        self._say(code, fields)
        try:
            self._strip.show(frame)
        except PortError as error:
            self.fault(error)
            return False
        return True

    def fault(self, error: PortError) -> None:
        """Show and report the failure of a part."""
        fault = text.Sentence("selftest", "fault", reason=error)
        if fault not in self.report.faults:  # for an absent strip, each frame has the same reason
            self.report.faults.append(fault)
            self._say("fault", {"reason": error})

    def _lamp(self, number: int) -> None:
        lamps = self._layout.lamps
        if number == len(lamps):
            self._lit(bytes(3 * self._layout.leds), "off", {})
            self._show_text()
            return
        lamp = lamps[number]
        frame = bytearray(3 * self._layout.leds)
        frame[3 * lamp.index : 3 * lamp.index + 3] = _WHITE
        if not self._lit(bytes(frame), "lamp", {"index": lamp.index, "name": lamp.name}):
            self._show_text()
            return
        self.report.lit.append(lamp.name)
        self._later(STEP, lambda: self._lamp(number + 1))

    def _show_text(self) -> None:
        if self._display is not None:
            try:
                self._display.show(("0123456789ABCDEF", "Can you read it?"))
                self.report.has_shown_text = True
                self._say("display", {})
            except PortError as error:
                self.fault(error)
        self._ask_keys()

    def _ask_keys(self) -> None:
        if self._keys is None or not self._wanted:
            self._done(self.report)
            return
        self._keys.start(self._key)
        self._ask()

    def _ask(self) -> None:
        self._say("press", {"key": self._wanted[0]})
        self._questions += 1
        waiting = self._questions
        self._later(PATIENCE, lambda: self._missed(waiting))

    def _missed(self, waiting: int) -> None:
        if waiting == self._questions and self._wanted:
            self.report.missing.append(self._wanted.pop(0))
            self._next()

    def _key(self, event: KeyEvent) -> None:
        if not event.pressed or not self._wanted:
            return
        if event.key != self._wanted[0]:
            self._say("other", {"key": event.key})
            return
        self.report.pressed.append(self._wanted.pop(0))
        self._next()

    def _next(self) -> None:
        if self._wanted:
            self._ask()
        else:
            self._questions += 1
            self._done(self.report)


def verdict(report: Report, language: str = "en") -> str:
    """Return the report, one line per item."""
    counts = {"lit": len(report.lit), "pressed": len(report.pressed)}
    sentences = [text.say(Message("selftest", "done", counts), text.Reader(language))]
    if report.missing:
        keys = {"keys": " ".join(report.missing)}
        sentences.append(text.say(Message("selftest", "missing", keys), text.Reader(language)))
    sentences += (text.words(fault, language) for fault in report.faults)
    return "\n".join(sentences)
