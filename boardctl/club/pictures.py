"""Charts of the season as SVG, with colours defined in the page's style sheet. Pure.

The only texts from outside are names, which are escaped where they are formatted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from markupsafe import Markup, escape

from boardctl.club.evening import Evening, Standing
from boardctl.text import columns

SHOWN: Final = 8
"""The number of top players whose lines have a colour and a name. The other lines are grey."""
_WIDE: Final = 400
_HIGH: Final = 240
"""A chart's size. It is as wide as a phone, so that its letters are legible there."""
_NAMES: Final = 116
"""The width for names beside a chart."""
_LETTERS: Final = 14
_LABEL: Final = 8
"""The maximum length of a player's or an evening's name. A Japanese letter counts as two."""
_LABELS: Final = 4
"""The maximum number of labelled evenings."""


def course(evenings: Sequence[Evening], season: Sequence[Standing], title: str) -> Markup:
    """Return a line chart of all players' cumulative game points by evening. The order is that of
    `season`."""
    earned = [{s.name.casefold(): s.points for s in evening.standings} for evening in evenings]
    lines = {
        s.name: list(accumulate((e.get(s.name.casefold(), 0) for e in earned), initial=0))
        for s in season
    }
    most = max((line[-1] for line in lines.values()), default=0) or 1
    left, right, top, bottom = 34, _WIDE - _NAMES, 10, _HIGH - 24

    def x(evening: int) -> float:
        return left + (right - left) * evening / len(evenings)

    def y(points: float) -> float:
        return bottom - (bottom - top) * points / most

    drawn = []
    for value in range(0, most + 1, _step(most)):
        drawn.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y(value):.1f}" ')
        drawn.append(f'y2="{y(value):.1f}"/>')
        drawn.append(f'<text class="end" x="{left - 6}" y="{y(value) + 4:.1f}">{value}</text>')
    for number in _labelled(len(evenings)):
        label = escape(_cut(evenings[number - 1].name, _LABEL))
        drawn.append(f'<text class="middle" x="{x(number):.1f}" y="{_HIGH - 6}">{label}</text>')
    below = list(lines)[SHOWN:]
    for name in (*below, *reversed(list(lines)[:SHOWN])):  # draw the leader last, on top
        points = " ".join(f"{x(n):.1f},{y(value):.1f}" for n, value in enumerate(lines[name]))
        colour = "other" if name in below else f"c{list(lines).index(name)}"
        drawn.append(f'<polyline class="{colour}" points="{points}"/>')
    at = top - 6.0
    for place, (name, line) in enumerate(list(lines.items())[:SHOWN]):
        at = max(at + 15, y(line[-1]) + 4)
        at = min(at, bottom + 4 - 15 * (min(SHOWN, len(lines)) - place - 1))
        drawn.append(
            f'<text class="c{place}" x="{right + 8}" y="{at:.1f}">'
            f"{escape(_cut(name, _LETTERS - len(f' {line[-1]}')))} {line[-1]}</text>"
        )
    return _svg(title, _HIGH, drawn)


def spreads(evenings: Sequence[Evening], season: Sequence[Standing], title: str) -> Markup:
    """Return a bar chart of net spreads, with a row for each player and a bar for each evening."""
    rows = {s.name.casefold(): s.name for s in season}
    most = max((abs(s.net) for e in evenings for s in e.standings), default=0) or 1
    high, head = 30, 18
    wide = (_WIDE - _NAMES) / len(evenings)
    bar = min(28.0, wide * 0.8)
    drawn = []
    for number in _labelled(len(evenings)):
        label = escape(_cut(evenings[number - 1].name, _LABEL))
        middle = min(_NAMES + wide * (number - 0.5), _WIDE - 3.6 * len(label))
        drawn.append(f'<text class="middle" x="{middle:.1f}" y="12">{label}</text>')
    for place, (key, name) in enumerate(rows.items()):
        zero = head + high * (place + 0.5)
        drawn.append(f'<text x="0" y="{zero + 4:.1f}">{escape(_cut(name))}</text>')
        drawn.append(
            f'<line class="grid" x1="{_NAMES}" x2="{_WIDE}" y1="{zero:.1f}" y2="{zero:.1f}"/>'
        )
        for number, evening in enumerate(evenings):
            found = next((s for s in evening.standings if s.name.casefold() == key), None)
            if found is None or not found.games:
                continue
            size = abs(found.net) / most * (high / 2 - 1)
            up = found.net >= 0
            drawn.append(
                f'<rect class="{"up" if up else "down"}" width="{bar:.1f}" '
                f'x="{_NAMES + wide * (number + 0.5) - bar / 2:.1f}" '
                f'y="{zero - size if up else zero:.1f}" height="{max(size, 0.5):.1f}">'
                f"<title>{escape(name)}, {escape(evening.name)}: {found.net:+}</title></rect>"
            )
    return _svg(title, head + high * len(rows), drawn)


def _svg(title: str, high: float, drawn: Sequence[str]) -> Markup:
    return Markup(  # only numbers, and names that are escaped
        f'<svg role="img" aria-label="{escape(title)}" viewBox="0 0 {_WIDE} {high:g}">'
        f"{''.join(drawn)}</svg>"
    )


def _step(most: int) -> int:
    """Return the step for a scale with four to ten lines. The step is 1, 2 or 5 times a power of
    ten."""
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            if most // step <= 6:
                return step
        size *= 10


def _labelled(count: int) -> range:
    """Return the evenings that are labelled below a chart."""
    return range(count, 0, -((count + _LABELS - 1) // _LABELS))


def _cut(name: str, letters: int = _LETTERS) -> str:
    """Shorten a name to the width of this number of Latin letters."""
    widths = list(accumulate(map(columns, name)))
    if not widths or widths[-1] <= letters:
        return name
    return f"{name[: sum(width < letters for width in widths)]}…"
