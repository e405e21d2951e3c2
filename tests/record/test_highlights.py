"""The best hand or deal of a game and its turning point, compared with games analysed by hand."""

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
        "Turning point: deal 2. Bob had been as many as 10 points behind, "
        "took the lead at 18 – 28 and kept it."
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
    said = best("hand", "Ann", 29, 1, found.best.cards, "en", found.best.starter)
    assert said.startswith("Best hand: Ann, 29 with 5♥")
    assert said.endswith("and starter 5♦"), "without it the four cards do not make 29"
    assert found.turning is None, "it is not over"


def test_a_misdeal_is_no_deal() -> None:
    """The deals have the table's numbers, which the analysis uses too."""
    (game,) = games(
        *CRIBBAGE,
        *("misdeal", "deal", "2 peg 8 hand", "1 peg 12 hand", "1 peg 4 crib", "deal", "misdeal"),
        *("deal", "1 peg 2 hand", "2 peg 20 hand", "2 adjust +93"),
    )
    found = highlights(game)
    assert found.best is not None and found.turning is not None
    assert (found.best.points, found.best.deal) == (20, 2)
    assert found.turning.deal == 2


def test_a_game_of_one_deal_after_a_misdeal_has_no_best_deal() -> None:
    seats = ("game six-pack-bezique", "seat 1 Ann", "seat 2 Bob", "dealer 1")
    (game,) = games(*seats, "deal", "misdeal", "deal", "1 peg 40", "2 count 250", "1 count 0")
    assert highlights(game).best is None


FIVE = ("game five-card-cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")
PLAY = ("starter 5D", "2 play KC", "1 play KD", "2 play 9C", "1 go", "2 go", "2 peg 8 hand")


@pytest.mark.parametrize(
    ("known", "show", "cards"),
    [
        (
            ("1 hand 5H 5S KD 2C 9D", "1 discard 2C 9D", "2 discard ? ?"),
            "1 show",
            {"5H", "5S", "KD"},
        ),
        ((), "1 peg 14 hand", set()),
        ((), "1 show 5H 5S KD", {"5H", "5S", "KD"}),
    ],
)
def test_a_hand_is_named_whole_or_not_at_all(
    known: tuple[str, ...], show: str, cards: set[str]
) -> None:
    """In five-card cribbage the play ends before everybody has played every card."""
    (game,) = games(*FIVE, *known, *PLAY, show)
    found = highlights(game).best
    assert found is not None and (found.seat, found.points) == (1, 14)
    assert set(map(str, found.cards)) == cards


def test_a_crib_that_is_known_is_named() -> None:
    (game,) = games(
        *CRIBBAGE,
        *("1 hand 5H 5S 2D 4D 6D 8D", "2 hand 5C JD TS QS AS 2S"),
        *("1 discard 5H 5S", "2 discard 5C JD", "starter 5D"),
        *("2 peg 0 hand", "1 peg 8 hand", "1 crib"),
    )
    found = highlights(game).best
    assert found is not None and (found.kind, found.points) == ("crib", 29)
    assert set(map(str, found.cards)) == {"5H", "5S", "5C", "JD"}


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
