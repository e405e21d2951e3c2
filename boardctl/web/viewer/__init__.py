"""A single HTML file that shows a game move by move, for sending or for embedding in other pages.

The file is self-contained: it does not load other files, and its own policy forbids loading. Its
content is computed by the referee and is in both languages.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final
from xml.etree import ElementTree

from boardctl import text
from boardctl.board import svg
from boardctl.board.drawing import board, felt
from boardctl.board.layout import Layout, fitting
from boardctl.board.render import Picture, lit
from boardctl.games.cards import codes
from boardctl.message import Message
from boardctl.record import history
from boardctl.record.highlights import highlights
from boardctl.record.history import PlayedGame
from boardctl.text import moves
from boardctl.web.viewer.game_picture import final, result, sentences

_WORDS: Final = (
    *("viewer-first", "viewer-back", "viewer-on", "viewer-last", "viewer-moves", "viewer-keys"),
    *("play", "pause", "step", "score", "board", "other-language"),
)


def page(game: PlayedGame, layout: Layout, language: str) -> str:
    """Return the HTML file.

    Args:
        game: the game without secrets (`history.without_secrets`).
        layout: the board to draw. If it has too few tracks, another layout is used.
        language: the first language shown.
    """
    files = resources.files(__package__)
    standing = final(game)
    layout = fitting(layout, 0 if standing is None else len(standing.standings))
    data = json.dumps(_data(game, layout, language), ensure_ascii=False, separators=(",", ":"))
    made = files.joinpath("viewer.html").read_text("utf-8")
    parts = {
        "LANGUAGE": language,
        "STYLE": files.joinpath("viewer.css").read_text("utf-8"),
        "BOARD": _board(layout),
        # A script's text ends at the first `</`.
        "DATA": data.replace("<", "\\u003c"),
        "SCRIPT": files.joinpath("viewer.js").read_text("utf-8"),
    }
    for name, part in parts.items():
        made = made.replace(f"<!--{name}-->", part, 1)
    return made


def _board(layout: Layout) -> str:
    """Return the board as SVG, with every LED off and marked with its number."""
    drawn = ElementTree.fromstring(svg.write(board(layout, dark=True)))
    for node in drawn.iter():
        node.tag = node.tag.rpartition("}")[2]
        node.attrib.pop("id", None)
    drawn.attrib.pop("width")
    drawn.attrib.pop("height")
    drawn.set("role", "img")
    return ElementTree.tostring(drawn, "unicode", short_empty_elements=False)


def _data(game: PlayedGame, layout: Layout, language: str) -> dict[str, Any]:
    found = highlights(game)
    summary = history.summary(game)
    return {
        "language": language,
        "began": summary["began"],
        "sides": {each: text.sides(game.teams, each) for each in text.LANGUAGES},
        "seats": {
            each: [text.called(name, each) for name in game.seats] for each in text.LANGUAGES
        },
        "scores": summary["scores"],
        "title": {each: moves.title(summary["game"], each) for each in text.LANGUAGES},
        "highlights": {
            each: [result(game, each), *sentences(game, found, each).values()]
            for each in text.LANGUAGES
        },
        "words": {each: _words(each) for each in text.LANGUAGES},
        "steps": [_step(step, game, layout) for step in history.walk(game)],
    }


def _words(language: str) -> dict[str, str]:
    catalogue = text.catalogue(language)
    return {word: catalogue.gettext(text.sentences()[f"page.{word}"]) for word in _WORDS}


def _step(step: history.Step, game: PlayedGame, layout: Layout) -> dict[str, Any]:
    position = step.position
    lights: dict[str, str] = {}
    if position.game is not None and position.state is not None:
        scoreboard = position.game.scoreboard(position.state)
        if len(scoreboard.standings) <= layout.tracks:
            picture = Picture(scoreboard, won=position.tally.won)
            lights = {name: felt(colour) for name, colour in lit(layout, picture, 0.0).items()}
    return {
        "line": step.line,
        "verb": step.move.verb,
        "text": {
            each: moves.noted(
                moves.describe(step.full_move, game.seats, each), step.notes, game.seats, each
            )
            for each in text.LANGUAGES
        },
        "cards": codes(card for card in step.full_move.cards if card.is_known),
        "scores": list(position.shown_scores),
        "awards": [
            {
                "points": award.points,
                "seat": award.seat,
                "text": {
                    each: text.say(
                        Message(
                            "award",
                            award.reason,
                            {"seat": award.seat, "points": award.points, "cards": award.cards},
                        ),
                        text.Reader(each, game.seats),
                    )
                    for each in text.LANGUAGES
                },
            }
            for award in step.awards
        ],
        "lit": lights,
    }
