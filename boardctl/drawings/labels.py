"""Labels for the sixteen keys, for each game and language, at print size.

Each label shows the key's name, the rank and suit that the key types, and its other functions
(docs/keypad.md). The sheet is the size of the keypad's window: print it, cut it out and put it
under the keys, or glue single labels onto them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from boardctl import games, text
from boardctl.board.shape import Layout
from boardctl.board.sheet import CUT, NOTE, Box, Layer, Sheet, Words, bar
from boardctl.message import Message

KEYS: Final = ("123A", "456B", "789C", "*0#D")
INK: Final = Layer("ink", "#101010", 0.2)
SOFT: Final = Layer("soft", "#505050", 0.2)
RED: Final = Layer("red", "#c00000", 0.2)
SUITS: Final = {"A": "♠", "B": "♥", "C": "♦", "D": "♣"}
HEARD: Final = {
    "1": "hold-again", "2": "hold-score", "3": "hold-choices", "4": "hold-before",
    "5": "hold-last", "6": "hold-turn", "7": "hold-cards", "8": "hold-moves",
}  # fmt: skip
"""The keys that the voice answers when they are held."""
RANKS: Final = {"1": "A", "0": "10", "A": "J", "B": "Q", "C": "K"}
WIDEST: Final = 0.8
"""The width of a wide letter as a fraction of the capital height. Japanese letters are square."""


class Label(NamedTuple):
    """A key's label, without the name of the key: the rank (left) and suit (right) that the key
    types, and the words below."""

    rank: str = ""
    suit: str = ""
    words: tuple[str, ...] = ()


def label(key: str, game: str, language: str) -> Label:
    """Return the label of one key."""

    def say(code: str, **fields: object) -> str:
        return text.say(Message("label", code, fields), text.Reader(language))

    words = []
    if key in SUITS:
        words.append(say("seat", number="ABCD".index(key) + 1))
    if key in HEARD:
        words.append(say(HEARD[key]))
    rank = RANKS.get(key, "")
    if key == "D" and goes(game):
        rank = say("go")
    if key == "D" and claims(game):
        words.append(say("hold-muggins"))
    if key == "#":
        words += [say("yes"), say("hold-menu")]
    if key == "*":
        words += [say("no"), say("hold-redo")]
    return Label(rank, SUITS.get(key, ""), tuple(words))


def claims(game: str) -> bool:
    """Return whether points are claimed in a game, so that a key is needed for calling a false
    claim."""
    return any(verb.claim and verb.name == "play" for verb in games.find(game).verbs)


def goes(game: str) -> bool:
    """Return whether a key is used for saying "go" in a game."""
    return any(verb.name == "go" for verb in games.find(game).verbs)


def _more(game: str) -> tuple[bool, bool]:
    """Return a game's key labels in addition to those of the game with the fewest labels."""
    return claims(game), goes(game)


def _kinds() -> dict[tuple[bool, bool], list[str]]:
    """Return the games, grouped by identical key labels. Those with the most extra labels come
    first."""
    kinds: dict[tuple[bool, bool], list[str]] = {}
    for name in sorted(games.names(), key=_more, reverse=True):
        kinds.setdefault(_more(name), []).append(name)
    return kinds


def families() -> tuple[str, ...]:
    """Return one game of each kind: the one with the shortest name. Games of one kind have the same
    labels and share a sheet."""
    return tuple(min(names, key=len) for names in _kinds().values())


def _kind(game: str) -> str:
    """Return the name of the sheet for a game's kind."""
    kind = _more(game)
    return " and ".join(sorted(_kinds()[kind], key=len)) if any(kind) else "other games"


def labels(layout: Layout, game: str, language: str = "en") -> Sheet:
    """Return a sheet of sixteen labels."""
    window = layout.keypad
    width, height = window.width / 4, window.height / 4
    foot = 22.0
    sheet = Sheet(
        f"{layout.title}: keys for {_kind(game)} ({language})",
        -10,
        -10,
        max(window.width, 170) + 10,
        window.height + foot,
    )
    for row, names in enumerate(KEYS):
        for column, key in enumerate(names):
            draw_label(
                sheet, label(key, game, language), key, column * width, row * height, width, height
            )
    sheet.add(*bar(0, window.height + 7))
    words = f"boardctl {layout.name}: keys for {_kind(game)} ({language})"
    sheet.add(Words(NOTE, 0, window.height + 15, 2.5, words, "left"))
    return sheet


def draw_label(
    sheet: Sheet, what: Label, key: str, x: float, y: float, width: float, height: float
) -> None:
    """Draw one label with its upper left corner at (x, y). All lengths are in mm."""
    edge = 0.6
    sheet.add(Box(CUT, x + edge, y + edge, width - 2 * edge, height - 2 * edge, 1.2))
    room = width - 3 * edge
    small = height / 8
    least = FULL * small if len(what.words) == 1 else LEGIBLE
    lines = [part for words in what.words for part in _broken(words, room, least)]
    middle, size = ((0.52, 0.24), (0.43, 0.24), (0.42, 0.21), (0.37, 0.15))[len(lines)]
    sheet.add(Words(INK, x + width / 2, y + middle * height, size * height, key, bold=True))
    if what.rank:
        size = min(small, _fits(what.rank, 0.3 * width))
        sheet.add(Words(SOFT, x + 0.12 * width, y + 0.15 * height, size, what.rank, "left"))
    if what.suit:
        layer = RED if what.suit in "♥♦" else SOFT
        sheet.add(Words(layer, x + 0.86 * width, y + 0.15 * height, small, what.suit, "right"))
    for n, line in enumerate(lines):
        at = y + height * (0.98 - 0.145 * (len(lines) - n))
        sheet.add(Words(SOFT, x + width / 2, at, min(FULL * small, _fits(line, room)), line))


FULL: Final = 0.72
"""The capital heights of the words below a key's name, and of the rank and suit."""
LEGIBLE: Final = 1.15
"""The capital height below which one of several lines is broken in two. A single line is broken
below its full height, because there is room."""


def _broken(words: str, room: float, least: float) -> list[str]:
    """Return the words as one line, or as two if the letters would be smaller than `least` and the
    line can be broken after a colon."""
    first, colon, second = words.partition(":")
    if _fits(words, room) >= least or not colon:
        return [words]
    return [first + colon, second.strip()]


def _fits(line: str, room: float) -> float:
    """Return the letter size at which a line fills the available width."""
    return room / (len(line) * (1.45 if _wide(line) else WIDEST))


def _wide(line: str) -> bool:
    return any(ord(letter) > 0x2FFF for letter in line)
