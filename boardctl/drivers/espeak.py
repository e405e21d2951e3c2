"""A voice using espeak-ng.

Each sentence is a run of the program, one after the other on a separate thread, so the game never
waits for the voice.
"""

from __future__ import annotations

import threading
from functools import partial
from queue import SimpleQueue
from typing import Final

import attrs

from boardctl.drivers.ports import Process, Speaker, Wires
from boardctl.options import Between

PARTS: Final = ("voice",)
"""The tables of the config that may name this driver."""


@attrs.frozen
class Options:
    """`[voice]` with `driver = "espeak"`: espeak-ng's name of the voice, words per minute and
    volume."""

    voice: str = "en"
    speed: int = attrs.field(
        default=150,
        validator=Between(80, 450),
    )
    loudness: int = attrs.field(
        default=100,
        validator=Between(0, 200),
    )


class Espeak(Speaker):
    """A voice that speaks queued sentences in order."""

    def __init__(self, options: Options, wires: Wires) -> None:
        self._options = options
        self._wires = wires
        self._sentences: SimpleQueue[str | None] = SimpleQueue()
        self._closed = False
        self._speaking: Process | None = None
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str) -> None:
        self._sentences.put(text)

    def _run(self) -> None:
        while (text := self._sentences.get()) is not None:
            if self._closed:
                continue
            try:
                self._speaking = self._wires.start(self.command(text))
                status = self._speaking.wait()
            except OSError as error:
                self._tell(f"espeak-ng does not start ({error.strerror})")
            else:
                failed = status and not self._closed
                self._tell(f"espeak-ng ended with status {status}" if failed else None)
            finally:
                self._speaking = None

    def command(self, text: str) -> tuple[str, ...]:
        """The command line that speaks a text."""
        o = self._options
        return ("espeak-ng", "-v", o.voice, "-s", str(o.speed), "-a", str(o.loudness), "--", text)

    def _tell(self, reason: str | None) -> None:
        self._wires.clock.call_soon_threadsafe(partial(self._report, reason))

    def _report(self, reason: str | None) -> None:
        self.report(reason)

    def close(self) -> None:
        """Stop speaking, even in mid-sentence."""
        if not self._closed:
            self._closed = True
            self._sentences.put(None)
            speaking = self._speaking
            if speaking is not None:
                speaking.terminate()
            self._thread.join()


def open_ports(options: Options, wires: Wires) -> tuple[Speaker, ...]:
    """Open the voice; a missing espeak-ng is reported at the first sentence."""
    return (Espeak(options, wires),)
