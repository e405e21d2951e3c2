"""The best hand or deal of a game and its turning point, against games told by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardctl.record.highlights import highlights
from boardctl.record.history import PlayedGame, played
from boardctl.record.record import Entry
from boardctl.text.highlights import best, turning

VECTORS = Path(__file__).parents[1] / "vectors"


def games(*lines: str) -> list[PlayedGame]:
    entries = [Entry(number, line, float(number), "test") for number, line in enumerate(lines, 1)]
    return list(played([("", entries)]))


CRIBBAGE = ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")


def test_the_best_hand_and_the_turning_point_of_cribbage() -> None:
    (game,) = games(
        *CRIBBAGE,
        "2 peg 8 hand",
        "1 peg 12 hand",
        "1 peg 4 crib",
        "deal",
        "1 peg 2 hand",
        "2 peg 20 hand",
        "2 adjust +93",
    )
    found = highlights(game)
    assert found.course[-1] == (18, 121)
    assert found.best is not None and found.turning is not None
    assert (found.best.kind, found.best.seat, found.best.points) == ("hand", 2, 20)
    assert (found.best.deal, found.best.place) == (2, 10)
    assert found.turning.scores == (18, 28)
    assert (found.turning.side, found.turning.deal, found.turning.behind) == (2, 2, 10)
    assert turning("Bob", 2, (18, 28), 10, "en") == (
        "Turning point: deal 2. Bob, up to 10 behind until then, took the lead at 18 – 28 and "
        "kept it."
    )


def test_who_was_never_behind_has_no_turning_point() -> None:
    (game,) = games(*CRIBBAGE, "1 adjust +12", "2 peg 4 hand", "1 adjust +109")
    found = highlights(game)
    assert found.turning is not None and found.turning.behind == 0
    assert turning("Ann", 1, (12, 0), 0, "en") == "Ann never fell behind."


def test_known_cards_are_named() -> None:
    (game,) = games(
        *CRIBBAGE,
        *("starter 5D", "2 play TD", "1 play 5H", "2 play JH", "1 play 5S", "2 go"),
        *("1 go", "2 play 9C", "1 play 5C", "2 play 2C", "1 play JD"),
        *("2 show TD JH 9C 2C", "1 show"),
    )
    found = highlights(game)
    assert found.best is not None
    assert (found.best.seat, found.best.points) == (1, 29)
    assert {str(card) for card in found.best.cards} == {"5H", "5S", "5C", "JD"}
    said = best("hand", "Ann", 29, 1, found.best.cards, "en")
    assert said.startswith("Best hand: Ann, 29 with 5♥")
    assert found.turning is None, "it is not over"


def test_cards_that_nobody_told_are_not_named() -> None:
    (game,) = games(*CRIBBAGE, "2 peg 8 hand")
    found = highlights(game)
    assert found.best is not None and found.best.cards == ()
    assert best("hand", "Bob", 8, 1, (), "en") == "Best hand: Bob, 8"


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(VECTORS.glob("records-*.jsonl")), ids=lambda f: f.stem)
def test_every_game_has_highlights_that_agree_with_its_score(file: Path) -> None:
    count = 0
    for row in file.read_text("utf-8").splitlines()[:12]:
        for game in games(*_accepted(json.loads(row)["record"].splitlines())):
            found = highlights(game)
            assert found.course[-1] == game.shown_scores
            if found.turning is not None:
                place = found.turning.place
                side = found.turning.side - 1
                assert found.course[place] == found.turning.scores
                for scores in found.course[place:]:
                    assert scores[side] > max(s for n, s in enumerate(scores) if n != side)
            if found.best is not None:
                count += 1
                assert found.best.points > 0
    assert count or "full" not in file.stem


def _accepted(lines: list[str]) -> list[str]:
    from boardctl.games import IllegalMove
    from boardctl.record.record import Record

    record = Record()
    accepted = []
    for line in lines:
        try:
            if record.read(line) is not None:
                accepted.append(line)
        except IllegalMove:
            pass
    return accepted
