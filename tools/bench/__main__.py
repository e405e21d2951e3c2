"""`make bench`: the speed of boardctl compared with its peers, as ratios from one run.

Prints every figure with its bound, and writes the figures to `bench.json` with a description of the
machine. Times are CPU seconds, the minimum of several rounds in which both sides alternate, so that
other load affects both equally. docs/performance.md explains each figure.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tools.bench import (
    analysing,
    attack,
    club,
    far,
    fresh,
    games,
    growth,
    history,
    keys,
    leds,
    photo,
    phrase,
    plots,
    scoring,
    start,
    tricks,
    whole,
)

RESULT = Path("bench.json")


@dataclass(frozen=True)
class Figure:
    """A ratio or size; `least` or `most` is its bound."""

    name: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def kept(self) -> bool:
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )

    def __str__(self) -> str:
        bound = "for comparison"
        if self.least is not None:
            bound = f"at least {self.least:g}"
        elif self.most is not None:
            bound = f"at most {self.most:g}"
        mark = "" if self.kept else "   MISSED"
        return f"{self.name:<68}{self.value:>9.2f} {self.unit:<6}{bound}{mark}"


def figures() -> Iterator[Figure]:
    """Yield every figure as it is measured."""
    installed = fresh.measure()
    yield Figure("make run on a new machine, packages", installed.packages, "", most=15)
    yield Figure("the same, megabytes", installed.megabytes, "MB", most=60)
    yield Figure("the same, CPU", installed.seconds, "s", most=12)
    totals = scoring.totals()
    yield Figure("totals, times as fast as cribbage-scorer", totals.peer, "×", least=60)
    yield Figure("totals, time beside a plain table scorer", totals.table, "×", most=1.3)
    yield Figure("breakdown, times as fast as cribbage-scorer", scoring.breakdown(), "×", least=10)
    yield Figure("frame of 400 LEDs, times as fast as neopixel-spi", leds.encode(), "×", least=100)
    core = start.core()
    yield Figure("core to first frame, CPU beside three imports", core.ratio, "×", most=2.5)
    yield Figure("core to first frame, memory", core.mebibytes, "MiB", most=32)
    yield Figure("whole daemon with keys and page, memory", whole.mebibytes(), "MiB", most=45)
    yield from _keys()
    yield from _growth()
    asked = history.first_answers()
    yield Figure(history.NAME, asked.read, "×", most=history.MOST)
    yield Figure("the same, before any of them was read", asked.unread, "×", most=history.MOST)
    for name, one in attack.measure():
        yield Figure(f"a key's own time to its light under {name}", one.ratio, "×", most=1.5)
        yield Figure(f"the same, 99 of 100, under {name}", one.rare, "×")
        yield Figure(f"the loop's share of a processor under {name}", 100 * one.share, "%")
    yield Figure("advice on a throw, the slowest of 100 hands", scoring.advice(), "ms", most=20)
    analysed = analysing.measure()
    yield Figure("analysis of a game until its first results, CPU", analysed.first, "s", most=3)
    yield Figure("the same, to its end", analysed.whole, "s")
    for trick in tricks.tricks():
        yield Figure(f"without the trick, {trick.name}", trick.times, "×")
    rates = games.rates()
    yield Figure("random whole games entered by card", rates.by_card, "/s")
    yield Figure("random whole games entered by hand", rates.by_hand, "/s")
    if rates.example is not None and rates.lean is not None:
        by_card = rates.by_card / rates.example
        yield Figure("games by card, times OpenSpiel by its example", by_card, "×", least=1.0)
        yield Figure("games by hand, times the same", rates.by_hand / rates.example, "×")
        yield Figure("games by card, times OpenSpiel driven lean", rates.by_card / rates.lean, "×")
    photographed = photo.reading()
    if photographed is not None:
        ratio = photographed.seconds / photographed.peer
        name = "photo of 12 megapixels, six cards, CPU"
        yield Figure(f"{name}, times plain template matching", ratio, "×", most=2.5)
        yield Figure(name, photographed.seconds, "s")
        yield Figure("the same, memory", photographed.mebibytes, "MiB", most=286)
    heard = phrase.measure()
    if heard is not None:
        yield Figure("a spoken phrase, CPU beside its length", heard.first, "×", most=1.0)
        if heard.both is not None:
            yield Figure("the same with both recognisers", heard.both, "×", most=1.5)
        yield Figure("from its answer to the lit peg, virtual time", heard.light, "ms", most=20)
    for dealt in far.measure():
        name = f"a deal of two houses, {dealt.cards} cards"
        yield Figure(f"{name}, CPU of both", dealt.milliseconds, "ms", most=400)
        most = 30 * dealt.cards
        yield Figure("the same, times one multiplication of a point", dealt.units, "×", most=most)
        yield Figure("the same, times a signed key exchange", dealt.exchanges, "×")
        yield Figure("the same, all packets of both", dealt.kilobytes, "kB", most=64)
    crowd = club.crowd()
    if crowd is not None:
        yield Figure("hub with 200 boards, memory", crowd.hub_mebibytes, "MiB", most=96)
        yield Figure("broker with 200 boards, memory", crowd.broker_mebibytes, "MiB", most=64)
        yield Figure("hub, CPU an event", crowd.hub_milliseconds, "ms", most=2)
        yield Figure("broker, CPU an event", crowd.broker_milliseconds, "ms", most=1)
        yield Figure("board's line to hub's page, half of them within", crowd.median, "ms")
        yield Figure("board's line to hub's page, 99 of 100 within", crowd.p99, "ms")


def _keys() -> Iterator[Figure]:
    """Yield the time from a key that pegs, on a running daemon, to the last byte on the bus of 443
    LEDs."""
    for disk, way in (("disk at work", keys.way()), ("disk stalled", keys.way(stalled=True))):
        if way is None:
            continue
        name = disk if way.real_time else f"{disk}, not at real-time priority"
        beside = f"key to light, times a frame by neopixel-spi, {name}"
        yield Figure(f"{beside}, half", way.half, "×", most=1.0)
        yield Figure(f"{beside}, 99 of 100", way.rare, "×", most=2.5)
        yield Figure(f"key to light, half of them, {name}", way.p50, "ms")
        yield Figure(f"key to light, 99 of 100, {name}", way.p99, "ms")
        yield Figure(f"after it, display and next keys, {disk}", way.after, "ms")
        yield Figure(f"until the line is on disk, {disk}", way.saved, "ms")
    yield Figure("before it, scans and debouncing of a contact, CPU", keys.scan(), "ms")
    yield Figure("beside it, the wire of 400 WS2812B", leds.wire(), "ms")


def _growth() -> Iterator[Figure]:
    """Yield costs that must not grow: the largest size compared with an eighth (moves) and a
    thousandth (games)."""
    moves, games_ = growth.by_moves(), growth.by_games()
    plots.draw(moves, games_)
    start = history.start_of_python()
    for samples, what in ((moves, "2,000 moves in a game"), (games_, "10,000 games in a journal")):
        few, many = samples[1], samples[-1]
        yield Figure(f"a move with {what}, times with few", many.move / few.move, "×", most=1.5)
        yield Figure(f"an undo with {what}, times with few", many.undo / few.undo, "×", most=1.5)
        resumes = many.resume / 1000 / start
        yield Figure(f"resume with {what}, times a start of Python", resumes, "×", most=12)
        yield Figure(f"resume with {what}", many.resume, "ms")


def peers() -> dict[str, str | None]:
    """Return the versions of the peers; None if one is not installed."""
    found: dict[str, str | None] = {}
    for name in ("cribbage-scorer", "adafruit-circuitpython-neopixel-spi", "open-spiel"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def machine() -> dict[str, str]:
    """Return a description of the machine."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": models[0] if models else platform.processor(),
        "architecture": platform.machine(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def main(tell: Callable[[str], None] = print) -> int:
    """Measure everything, and return 1 if a figure exceeds its bound."""
    measured = []
    where = machine()
    tell(", ".join(where.values()))
    for figure in figures():
        measured.append(figure)
        tell(str(figure))
    for name, found in peers().items():
        if found is None:
            tell(f"{name} is not installed: nothing was measured against it")
    report = {
        "machine": where,
        "measured": datetime.now(UTC).strftime("%Y-%m-%d"),
        "peers": peers(),
        "figures": [asdict(figure) | {"kept": figure.kept} for figure in measured],
    }
    RESULT.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if all(figure.kept for figure in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
