"""A picture of a game for sharing: players, result, final board, course of the score, and
highlights. It is an SVG file without references to other files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from xml.etree import ElementTree

from boardctl import text
from boardctl.board import svg
from boardctl.board.drawing import board
from boardctl.board.layout import Layout, fitting
from boardctl.board.render import Picture
from boardctl.games import Scoreboard
from boardctl.message import Message
from boardctl.record.highlights import Highlights, Scores, highlights
from boardctl.record.history import PlayedGame, walk
from boardctl.text import highlights as words
from boardctl.text.moves import title

WIDTH: Final = 1080
"""The width of the picture in its own units, about the width of a phone's screen in pixels."""
EDGE: Final = 64
COURSE: Final = 260
"""Height of the score's course."""
PAPER: Final = "#f7f1e6"
INK: Final = "#2a1d12"
QUIET: Final = "#6a5743"
GRID: Final = "#d6c8b0"
RED: Final = "#a8231c"
"""The colour of hearts and diamonds."""
SIDES: Final = ("#a84300", "#1450b8", "#5b6b1c", "#7a2f86")
"""The sides' colours, as on the page."""
DASHES: Final = ("none", "14 6", "4 6", "14 5 3 5")
SIGNS: Final = "●■▲◆"
FAMILY: Final = "'Hiragino Sans', 'Noto Sans', 'Noto Sans CJK JP', 'DejaVu Sans', Arial, sans-serif"
_RED_CARDS: Final = re.compile("([0-9A-Z]+[♥♦])")
LETTER: Final = 0.62
"""The width of a bold letter, or of half a Japanese letter, relative to the font size."""
_LONG: Final = 56
"""The number of letters that fit in a line. A Japanese letter counts as two."""


def final(game: PlayedGame) -> Scoreboard | None:
    """Return the final score as the board shows it, or None if there is no score."""
    for step in reversed(tuple(walk(game))):
        position = step.position
        if position.game is not None and position.state is not None:
            return position.game.scoreboard(position.state)
    return None


def sentences(game: PlayedGame, found: Highlights, language: str) -> dict[str, str]:
    """Return the highlights of a game in words: `best` and `turning`, if the game has them."""
    worded: dict[str, str] = {}
    sides = text.sides(game.teams, language)
    if found.best is not None:
        best = found.best
        name = (
            text.called(game.seats[best.seat - 1], language)
            if best.seat is not None
            else sides[best.side - 1]
        )
        worded["best"] = words.best(
            best.kind, name, best.points, best.deal, best.cards, language, best.starter
        )
    if found.turning is not None:
        turn = found.turning
        name = sides[turn.side - 1]
        worded["turning"] = words.turning(name, turn.deal, turn.scores, turn.behind, language)
    return worded


def draw(game: PlayedGame, layout: Layout, language: str) -> str:
    """Return the picture as an SVG file."""
    found = highlights(game)
    made = _Drawing(language)
    _head(made, game)
    _board(made, game, layout)
    if len(found.course) > 1:
        _course(made, found.course)
    for said in sentences(game, found, language).values():
        for line in _wrapped(said):
            made.say(EDGE, made.y + 34, line, 32, INK)
            made.y += 46
        made.y += 10
    made.say(WIDTH - EDGE, made.y + 24, "boardctl", 24, QUIET, "end")
    return made.finish(made.y + EDGE, _label(game, language))


class _Drawing:
    """A picture that grows downwards. `y` is the position of the next element."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.y = float(EDGE)
        self.root = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg"})

    def add(self, name: str, **attributes: object) -> ElementTree.Element:
        given = {key.replace("_", "-"): _plain(value) for key, value in attributes.items()}
        return ElementTree.SubElement(self.root, name, given)

    def say(
        self, x: float, y: float, said: str, size: int, colour: str, anchor: str = "start",
        weight: int = 400,
    ) -> None:  # fmt: skip
        node = self.add("text", x=x, y=y, font_size=size, fill=colour, font_weight=weight)
        node.set("text-anchor", anchor)
        node.text, *cards = _RED_CARDS.split(said)
        for card, after in zip(cards[::2], cards[1::2], strict=True):
            red = ElementTree.SubElement(node, "tspan", fill=RED)
            red.text, red.tail = card, after

    def finish(self, height: float, label: str) -> str:
        self.root.set("viewBox", f"0 0 {WIDTH} {_plain(height)}")
        self.root.set("width", str(WIDTH))
        self.root.set("height", _plain(height))
        self.root.set("role", "img")
        self.root.set("font-family", FAMILY)
        self.root.set("lang", self.language)
        paper = ElementTree.Element("rect", {"width": str(WIDTH), "height": _plain(height)})
        paper.set("fill", PAPER)
        self.root.insert(0, paper)
        named = ElementTree.Element("title")
        named.text = label
        self.root.insert(0, named)
        return ElementTree.tostring(self.root, "unicode")


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _head(made: _Drawing, game: PlayedGame) -> None:
    day = datetime.fromtimestamp(int(game.began), UTC).astimezone().strftime("%Y-%m-%d")
    made.say(EDGE, made.y + 30, title(game.game, made.language), 34, QUIET)
    made.say(WIDTH - EDGE, made.y + 30, day, 30, QUIET, "end")
    made.y += 62
    winner = game.outcome.winner if game.outcome is not None else None
    scores = game.shown_scores or (0,) * len(game.sides)
    names = text.sides(game.teams, made.language)
    for side, (name, score) in enumerate(zip(names, scores, strict=False)):
        weight = 700 if winner == side + 1 else 400
        y = made.y + 58
        made.say(EDGE, y - 6, SIGNS[side % len(SIGNS)], 34, SIDES[side % len(SIDES)])
        made.say(WIDTH - EDGE, y, str(score), 64, SIDES[side % len(SIDES)], "end", 700)
        wide = WIDTH - 2 * EDGE - 72 - LETTER * 64 * len(str(score))
        size = next((some for some in (52, 36) if LETTER * some * _room(name) <= wide), 28)
        for line, part in enumerate(_wrapped(name, int(wide / (LETTER * size)))):
            made.say(EDGE + 48, y + 38 * line, part, size, INK, weight=weight)
            made.y += 38 if line else 78
    for part in _wrapped(result(game, made.language), int((WIDTH - 2 * EDGE) / (LETTER * 34))):
        made.say(EDGE, made.y + 36, part, 34, INK, weight=700)
        made.y += 44
    made.y += 24


def result(game: PlayedGame, language: str) -> str:
    """Return a sentence or a word that says how a game ended."""
    outcome = game.outcome
    if outcome is None or game.is_unfinished:
        return text.say(Message("highlight", "unfinished"), text.Reader(language))
    if outcome.winner is None:
        return text.capital(text.say(Message("page", outcome.state), text.Reader(language)))
    name = text.sides(game.teams, language)[outcome.winner - 1]
    code = f"moment-{outcome.margin or 'game'}"
    if len(game.seats) > len(game.sides):
        code += "-partners"
    return text.say(Message("page", code, {"name": name}), text.Reader(language))


def _label(game: PlayedGame, language: str) -> str:
    sides = " – ".join(text.sides(game.teams, language))
    scores = " – ".join(map(str, game.shown_scores))
    return f"{title(game.game, language)}: {sides}, {scores}"


def _board(made: _Drawing, game: PlayedGame, layout: Layout) -> None:
    standing = final(game)
    if standing is None:
        return
    layout = fitting(layout, len(standing.standings))
    if len(standing.standings) > layout.tracks:
        return
    drawn = ElementTree.fromstring(svg.write(board(layout, Picture(standing))))
    width = WIDTH - 2 * EDGE
    height = width * float(drawn.get("height", "0mm")[:-2]) / float(drawn.get("width", "1mm")[:-2])
    for name, value in (("x", EDGE), ("y", made.y), ("width", width), ("height", height)):
        drawn.set(name, _plain(value))
    for group in drawn:
        for lamp in [node for node in group if "data-name" in node.attrib]:
            radius = float(lamp.get("r", "1"))
            lamp.set("r", _plain(radius * 1.7))  # people hold the picture in a hand
            halo = {**lamp.attrib, "r": _plain(radius * 3.4), "opacity": "0.35"}
            group.append(ElementTree.Element("circle", halo))
    for node in drawn.iter():  # a group's name could be repeated on the same page
        node.attrib.pop("id", None)
    made.root.append(drawn)
    made.y += height + 36


def _course(made: _Drawing, course: Sequence[Scores]) -> None:
    made.say(
        EDGE,
        made.y + 24,
        text.say(Message("highlight", "course"), text.Reader(made.language)),
        26,
        QUIET,
    )
    made.y += 40
    top, bottom = made.y, made.y + COURSE
    most = max(30, *(max(scores, default=0) for scores in course))
    least = min(0, *(min(scores, default=0) for scores in course))
    left, right = EDGE + 64, WIDTH - EDGE

    def place(move: int, score: int) -> tuple[float, float]:
        x = left + (right - left) * move / (len(course) - 1)
        return round(x, 1), round(bottom - (bottom - top) * (score - least) / (most - least), 1)

    pace = _pace(most - least)
    for score in range(-(-least // pace) * pace, most + 1, pace):
        y = place(0, score)[1]
        made.add("line", x1=left, x2=right, y1=y, y2=y, stroke=GRID, stroke_width=2)
        made.say(left - 12, y + 8, str(score), 24, QUIET, "end")
    for side in range(len(course[-1])):
        points = [place(move, scores[side]) for move, scores in enumerate(course)]
        made.add(
            "polyline",
            points=" ".join(f"{x:g},{y:g}" for x, y in points),
            fill="none",
            stroke=SIDES[side % len(SIDES)],
            stroke_width=5,
            stroke_dasharray=DASHES[side % len(DASHES)],
            stroke_linejoin="round",
        )
        x, y = points[-1]
        made.add("circle", cx=x, cy=y, r=9, fill=SIDES[side % len(SIDES)])
    made.y = bottom + 42


def _pace(most: int) -> int:
    """Return the distance between grid lines, of which there are about five."""
    return next(pace for pace in (10, 30, 100, 300, 1000, 3000, 10**9) if most / pace < 6)


def _room(said: str) -> int:
    """Return the width of a text, measured in letter widths."""
    return sum(2 if ord(letter) > 0x2FFF else 1 for letter in said)


_PIECES: Final = re.compile("[^\\s\u3000-\uffff]+|\\s|[\u3000-\uffff][、。）！？]?")
"""The units that a line break must not split: a word, or a Japanese letter with its closing
punctuation."""


def _wrapped(said: str, letters: int = _LONG) -> list[str]:
    """Break a text into lines of limited length, at spaces and between Japanese characters."""
    lines = [""]
    for piece in _PIECES.findall(said):
        if _room(lines[-1] + piece) > letters and lines[-1]:
            lines.append("")
        if lines[-1] or not piece.isspace():
            lines[-1] += piece
    return [line.rstrip() for line in lines]
