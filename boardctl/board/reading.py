"""Frame -> what a person would read off the board, by the names of the lamps.

The way back from `render`: `boardctl simulate` and the tests tell what the decoded LEDs say, not
what they were meant to say.
"""

from __future__ import annotations

from boardctl.board.layout import Layout
from boardctl.ports import Frame


def reading(layout: Layout, frame: Frame) -> dict[str, int | bool]:
    """What is lit: `trackN.front` and `trackN.back` by hole (absent in the start holes),
    `trackN.won` by count, and every other lamp by its name as True.

    The front peg is the brightest lamp of its track, the back peg the next.
    """
    told: dict[str, int | bool] = {}
    tracks: dict[str, list[tuple[int, str]]] = {}
    for lamp in layout.lamps:
        level = max(frame[3 * lamp.index : 3 * lamp.index + 3], default=0)
        group, _, place = lamp.name.partition(".")
        if not level:
            continue
        if group.startswith("track"):
            tracks.setdefault(group, []).append((level, place))
        elif group.startswith("won"):
            name = f"track{group.removeprefix('won')}.won"
            told[name] = int(told.get(name, 0)) + 1
        else:
            told[lamp.name] = True
    for track, lit in tracks.items():
        pegs = sorted(lit, key=lambda peg: peg[0], reverse=True)
        for name, (_, place) in zip(("front", "back"), pegs, strict=False):
            if place.isdigit():
                told[f"{track}.{name}"] = int(place)
    return told
