"""The objectives of a game of cribbage: the worth of its ends, and their effect on play."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner

from boardctl.bot import aims, seated, tables, worker
from boardctl.bot.aims import match
from boardctl.bot.commands import analyse, discard
from boardctl.bot.objective import TOURNAMENT, WIN, Objective, games
from boardctl.bot.positions import answer
from boardctl.bot.tables import DEALER, PONE, ends
from boardctl.record import notation
from boardctl.record.record import Record
from boardctl.text import hints as words
from tools.margin_tables import margins

SCORES = list(product(range(0, 121, 15), repeat=2))
SKUNK, DOUBLE = 90, 60


@pytest.mark.parametrize("dealer", [True, False])
def test_the_ends_of_a_game_add_up_to_one(dealer: bool) -> None:
    """The chances agree with the chance of winning, and are mirrored for the other side."""
    for mine, theirs in SCORES:
        found = ends(dealer, mine, theirs)
        assert sum(found) == pytest.approx(1)
        assert min(found) > -0.005  # sampled deals
        assert sum(found[:3]) == pytest.approx(tables.start(dealer, mine, theirs))
        assert found[:3] == pytest.approx(ends(not dealer, theirs, mine)[3:])


def test_nobody_is_skunked_once_over_the_line() -> None:
    for mine, theirs in SCORES:
        _, skunk, double, _, _, _ = ends(True, mine, theirs)
        assert not (theirs > SKUNK and skunk)
        assert not (theirs > DOUBLE and double)


@pytest.mark.parametrize("line", [91, 61])
def test_margins_of_deals_that_are_all_alike(line: int) -> None:
    """In each deal the dealer scores 9, then the pone 4, so every end is known from any scores."""
    wins, losses = margins([[(True, 9), (False, 4)]], line)

    def end(dealer: int, pone: int) -> tuple[bool, int]:
        have, deals = [pone, dealer], 1
        while True:
            have[deals] += 9
            if have[deals] >= 121:
                return deals == 1, have[1 - deals]
            have[1 - deals] += 4
            if have[1 - deals] >= 121:
                return deals == 0, have[deals]
            deals = 1 - deals

    for dealer, pone in product(range(0, 121, 7), repeat=2):
        won, loser = end(dealer, pone)
        assert wins[dealer, pone] == (won and loser < line)
        assert losses[dealer, pone] == (not won and loser < line)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("win", WIN),
        ("tournament", TOURNAMENT),
        ("games", games()),
        ("games:1:2:2", games((1, 2, 2))),
        ("match:5", match(5)),
        ("match:5:2:1", match(5, 2, 1)),
        ("match:5:2:1:1:2:2", match(5, 2, 1, (1, 2, 2))),
    ],
)
def test_an_objective_is_read(text: str, expected: Objective) -> None:
    assert aims.read(text) == expected


@pytest.mark.parametrize(
    "text",
    (
        *("", "wins", "win:1", "games:1", "games:2:1:4", "games:0:1:1", "match", "match:0"),
        *("match:5:5:0", "match:100", "match:5:2", "match:-1", "match:5:１:1", "tournament:2"),
    ),
)
def test_what_is_no_objective_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{text}$"):
        aims.read(text)


@pytest.mark.parametrize("played_for", [WIN, TOURNAMENT, games(), match(5), match(3, 2, 0)])
def test_ends_are_worth_more_the_better_they_are(played_for: Objective) -> None:
    worths = (*played_for.lost[::-1], *played_for.won)
    assert sorted(worths) == list(worths)
    assert 0 <= worths[0] < worths[-1] <= 1


def test_games_and_points_are_told_in_their_own_currency() -> None:
    assert [games().own(worth) for worth in games().won] == [1, 2, 4]
    assert [games().own(worth) for worth in games().lost] == [-1, -2, -4]
    assert [
        TOURNAMENT.own(worth) for worth in (*TOURNAMENT.lost, *TOURNAMENT.won)
    ] == pytest.approx([0, 0, 0, 2, 3, 3])


def test_the_last_game_of_a_match_is_played_to_win() -> None:
    last = match(3, 2, 2)
    assert (last.won, last.lost) == (WIN.won, WIN.lost)


def test_a_level_match_is_even() -> None:
    level = match(7, 3, 3)
    for won, lost in zip(level.won, level.lost, strict=True):
        assert won + lost == pytest.approx(1)


def test_the_pone_counts_out_against_the_score_before_the_count() -> None:
    """The dealer's hand and crib come too late to avoid the skunk."""
    saved = tables.counted(PONE, 4, 125, 95, 92, TOURNAMENT)
    late = tables.counted(PONE, 4, 125, 95, 88, TOURNAMENT)
    assert saved == pytest.approx(2 / 3)
    assert late == 1.0
    lost = tables.counted(DEALER, 4, 95, 120, 88, games())
    assert lost < tables.counted(DEALER, 4, 95, 120, 92, games())
    crib = [(0, 1.0)]
    assert tables.with_known_hands(PONE, 115, 88, 6, 20, crib, TOURNAMENT) == 1.0
    assert tables.with_known_hands(DEALER, 88, 115, 20, 6, crib, games()) == games().given(88)


ASKED = [
    ("Ask2005_10a", "2H 3S 6D 7C KH KS", (83, 64), "6D 7C"),  # Barlow, Colvert
    ("Ask2002_03a", "2H 3S 3D 5C 9H QS", (76, 61), "9H QS"),  # Barlow, Colvert
    ("Ask2006_09a", "6H 6S 7D 7C TH TS", (52, 43), "TH TS"),  # Barlow, Colvert
]
"""Throws of the pone with a prize for a skunk, on which Cribbage Forum (cribbageforum.com) asked
experts: the page, the cards, the scores, and the throw of most readable answers."""


@pytest.mark.parametrize(("page", "six", "score", "thrown"), ASKED)
def test_experts_throws_with_a_prize_for_a_skunk(
    page: str, six: str, score: tuple[int, int], thrown: str
) -> None:
    """According to our judgement, these throws cost at most a twentieth of a tournament point."""
    found = answer({"hand": six, "score": list(score), "objective": "tournament"})
    best = found["choices"][0]["worth"]
    theirs = next(one for one in found["choices"] if sorted(one["cards"]) == sorted(thrown.split()))
    assert best - theirs["worth"] < 0.05, page


def test_experts_card_with_a_prize_for_a_skunk() -> None:
    """Ask2005_02a: from 102 to 79 the dealer holds A 4 Q K of a suit after 6 Q, the starter is a
    queen, and a four is led. Chambers, Colvert and Rasmussen play the queen, Barlow the four."""
    asked = {"hand": "AH 4H QH KH 6S QD", "deals": True, "score": [102, 79], "thrown": "6S QD"}
    played = {"starter": "QS", "played": "4S", "objective": "tournament"}
    found = answer({**asked, **played})
    assert found["choices"][0]["cards"] == ["QH"]
    assert found["objective"] == "tournament"


def test_the_commands_take_an_objective() -> None:
    six = "2H 3S 5D 9C TH JS"
    told = ["--score", "85", "68", "--objective", "games", "--json"]
    by_throw = CliRunner().invoke(discard.command, [six, "--pone", *told])
    judged = CliRunner().invoke(analyse.command, [six, *told])
    throws = json.loads(by_throw.output)["throws"]
    choices = json.loads(judged.output)["choices"]
    assert throws[0]["throw"] == choices[0]["cards"]
    assert throws[0]["value"] == pytest.approx(choices[0]["worth"], abs=1e-4)
    plain = CliRunner().invoke(discard.command, [six, "--pone", *told[:-1]])
    assert plain.output.splitlines()[1].startswith("9C JS")
    shown = CliRunner().invoke(analyse.command, [six, "--objective", "match:3"])
    assert "percent of matches" in shown.output
    for command, more in ((discard.command, ["--pone"]), (analyse.command, [])):
        refused = CliRunner().invoke(command, [six, *more, "--objective", "fun"])
        assert refused.exit_code == 1
        assert "“fun” is not an objective" in refused.output


def hinted(lines: Sequence[str], played_for: str) -> dict[str, Any]:
    request = {"seat": 1, "hint": True, "objective": played_for, "lines": lines}
    found: dict[str, Any] = json.loads(worker.Worker().answer(json.dumps(request)))["hint"]
    return found


def test_a_hint_tells_what_the_game_is_played_for() -> None:
    """The hint uses the objective's currency. The same lines without an objective give the chance
    of winning."""
    head = ["game cribbage", "seat 1 Ann", "seat 2 Bob", "start 85 68", "dealer 2", "deal"]
    lines = [*head, "1 hand 2H 3S 5D 9C TH JS"]
    found = hinted(lines, "games:1:2:2")
    assert found["objective"] == "games"
    assert 0 < found["best"]["worth"] < 2
    record = Record()
    for line in lines:
        record.read(line)
    plain = hinted(lines, "win")
    assert "objective" not in plain
    assert 0 < plain["best"]["win"] < 1
    move = notation.parse_move(found["best"]["line"], record.position.game)
    said = words.hint(found, move, (), ("Ann", "Bob"), "en")
    assert any("games on average" in sentence for sentence in said["why"])


@pytest.mark.parametrize(
    ("lines", "to", "expected"),
    [
        ([], None, "games:1:2:2"),
        (["set skunk off"], None, "win"),
        (["set double_skunk on"], None, "games:1:2:4"),
        ([], 3, "match:3:0:0:1:2:2"),
    ],
)
def test_a_table_plays_for_what_it_counts(lines: list[str], to: int | None, expected: str) -> None:
    record = Record()
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", *lines, "dealer 1", "deal"):
        record.read(line)
    assert seated.objective_of(record.position, 1, to) == expected
    aims.read(expected)


def test_a_finished_game_counts_in_the_match() -> None:
    record = Record()
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "start 120 95", "dealer 1", "deal"):
        record.read(line)
    for line in ("1 peg 1", "game cribbage", "dealer 2", "deal"):
        record.read(line)
    assert seated.objective_of(record.position, 2, 3) == "match:3:0:1:1:2:2"
