"""The board's sentences and the possible phrases, as shown in docs/voice.md.

`python -m tests.speech.voice_page` writes both tables: an evening's beginning at each level, and
the phrases that `speech.hearing` accepts, including the offers of every game.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from boardctl import games
from boardctl.console.keypad import LEVELS, Level, TableView
from boardctl.console.settings import VoiceSettings
from boardctl.games import Move
from boardctl.record.record import Record
from boardctl.speech.hearing import ASKING, BACK, Grammar, Meaning
from boardctl.speech.phrases import label
from boardctl.speech.voice import Voice
from boardctl.text import moves as words
from tests.laws.walk import Walk, sit_down
from tests.speech.by_ear import Ear
from tests.tables import keyed, submit

PAGE: Final = Path(__file__).parents[2] / "docs" / "voice.md"
BEFORE: Final = ("start 15 20", "dealer 1", "deal", "starter 5D")
SCENE: Final = (
    ("Bob pegs 2 on a phone", "2 peg 2"),
    *(("a key", key) for key in "B4556#"),
)
"""The events, each with its key or line."""
STEPS: Final = 40
"""The number of lines of each game that are searched for offers."""


def heard(level: Level, folder: Path) -> Iterator[str]:
    """The text spoken after each event of the scene."""
    with keyed(folder) as table:
        for line in BEFORE:
            submit(table.table, line, "test")
        ear = Ear()
        Voice(table.controller, VoiceSettings(level=level)).join(ear)
        table.clock.run(0.1)
        for _, what in SCENE:
            ear.said.clear()
            if len(what) == 1:
                table.tap(what)
            else:
                submit(table.table, what, "page")
                table.clock.run(0.1)
            yield ". ".join(ear.said)


def says() -> list[str]:
    """Return the board's words at each level, event by event."""
    with tempfile.TemporaryDirectory() as folder:
        columns = []
        for level in LEVELS:
            place = Path(folder, level)
            place.mkdir()
            columns.append(list(heard(level, place)))
    table = ["| what happens | " + " | ".join(f"`{level}`" for level in LEVELS) + " |"]
    table.append("|---" * (1 + len(LEVELS)) + "|")
    for (who, what), *sentences in zip(SCENE, *columns, strict=True):
        event = f"`{what}`" if len(what) == 1 else who
        table.append(f"| {event} | {' | '.join(sentences)} |")
    return table


def view_of(record: Record) -> TableView:
    """Return a table that enters every card, as a recogniser gets it."""
    position = record.position
    return TableView(
        prompt=position.prompt,
        seats=tuple(position.seats.values()),
        scores=position.scores,
        telling="cards",
        attempt=record.try_out,
    )


def grammar(*lines: str) -> Grammar:
    """Return the grammar after these lines of cribbage."""
    record = Record()
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", *lines):
        record.read(line)
    return Grammar(view_of(record))


SPOKEN = (
    "fifteen two fifteen four and a pair is six",
    "fifteen two and the rest won't score",
    "she's got twelve",
    "give ann two points",
    "bob's hand is worth six",
    "i've got nothing",
    "ann five no eight",
    "undo that",
    "who's winning",
    "whose turn is it",
)
"""Some everyday phrases when a hand must be counted."""


def phrases(of: Grammar, move: Move) -> list[str]:
    """Return every phrase for a move."""
    return list(dict.fromkeys(phrase for phrase, meant in of.own() if meant == Meaning(move)))


def offers(walk: Walk) -> dict[str, str]:
    """Return a phrase for each offer that comes up, by its code: for one of its moves the small
    display's name, or else the shortest phrase."""
    found: dict[str, str] = {}
    for _ in range(STEPS):
        prompt = walk.record.position.prompt
        asks = [ask for ask in prompt.asks if ask.kind != "cards"]
        if any(ask.code not in found for ask in asks):
            may = Grammar(view_of(walk.record))
            for ask in asks:
                least = ask.move._replace(numbers=(ask.least,))
                moves = ask.choices or (least if ask.kind == "number" else ask.move,)
                said = [one for move in moves for one in phrases(may, move)]
                called = {label(move) for move in moves}
                if said:
                    found.setdefault(
                        ask.code,
                        min(said, key=lambda one: (one == "yes", one not in called, len(one), one)),
                    )
        if not walk.step():
            break
    return found


def offered(game: str) -> list[str]:
    """Return the phrases for a game's offers, in a game played at random."""
    walk = sit_down(game, Random(1))
    walk.telling = "cards"
    return sorted(set(offers(walk).values()))


def may_be_said() -> list[str]:
    """Return the possible phrases with their purposes."""
    start, counting = grammar("deal"), grammar("deal", "starter 5D")
    (starter,) = start.meanings("starter queen of hearts")
    hand = next(counting.meanings("my hand four five five six"))
    assert starter.move is not None
    assert hand.move is not None
    hands = [f"{who} hand four five five six" for who in ("my", "bob", "player two")]
    assert all(hand in counting.meanings(phrase) for phrase in hands)
    five, nine = (Meaning(Move("peg", 1, numbers=(points,))) for points in (5, 9))
    assert five.move is not None
    back = Grammar(counting._view, only=[five, nine])
    answers = ["ann five", "five", "five points", "first", "the second one", "neither", "no"]
    assert all(answer in back.phrases for answer in answers)
    assert all(any(counting.meanings(phrase)) for phrase in SPOKEN)
    rows = [
        ("points", phrases(counting, five.move)),
        ("a hand", hands),
        ("its points", phrases(counting, Move("peg", 2, numbers=(8,), words=("hand",)))),
        ("a card", phrases(start, starter.move)),
        ("an answer", list(ASKING)),
        ("undo", list(BACK)),
        ('"Ann pegs 5 or Ann pegs 9?"', answers),
        ("everyday words", list(SPOKEN)),
    ]
    rows += [(f"offers of {words.title(game, 'en')}", offered(game)) for game in games.names()]
    table = ["| for | say |", "|---|---|"]
    for what, said in rows:
        quoted = ", ".join(f'"{phrase}"' for phrase in said)
        table.append(f"| {what} | {quoted} |")
    return table


def written(page: str) -> str:
    """Return the page with both tables generated anew."""
    for name, table in (("said", says()), ("phrases", may_be_said())):
        begin = f"<!-- {name}: python -m tests.speech.voice_page -->"
        end = f"<!-- end of {name} -->"
        head, rest = page.split(begin)
        text = "\n".join(table)
        page = f"{head}{begin}\n\n{text}\n\n{end}{rest.split(end)[1]}"
    return page


def main() -> None:
    """Write the page."""
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
