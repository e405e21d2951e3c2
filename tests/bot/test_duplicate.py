"""Games with the same deals: their comparison, the code of an evening, and the command."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from boardctl import text
from boardctl.bot import evening
from boardctl.bot.duplicate import Comparison, as_data, compare, deals, whole
from boardctl.bot.evening import Code, draw, read_code
from boardctl.bot.worker import Seat
from boardctl.commands import main
from boardctl.message import Message
from boardctl.record import sealed
from boardctl.record.history import PlayedGame
from boardctl.record.record import Record
from tests.bot.dealer import play_game

CODE = Code(2, 3, "ABCDEFGHJKMNPQRSTV")
NUMBERS = count(1)
BOARD = text.say(Message("player", "own-name"))


class Dealer(Random):
    """Deals the cards of an evening's round, as `tests.bot.dealer` asks for them."""

    def __init__(self, code: Code, round_: int) -> None:
        super().__init__(1)
        self._shuffle = code.shuffle(round_)
        self._number = 0

    def sample(self, population: Any, k: int, **more: Any) -> list[Any]:
        self._number += 1
        dealt = sealed.deal(self._shuffle.key, self._shuffle.cut, self._number)
        assert k == 13
        return [*dealt.hands[0], *dealt.hands[1], dealt.starter]


def played(name: str, level: int, round_: int = 1, other: str = BOARD) -> PlayedGame:
    """Return a round of a player of some level against a board of level 2."""
    seats = (Seat(1, level, 1).receive, Seat(2, 2, 1).receive)
    record = play_game(seats, Dealer(CODE, round_))
    return game_of(record, name, other)


def game_of(record: Record, name: str, other: str) -> PlayedGame:
    ((_, after, lines),) = record.games()
    named = {"seat 1 A": f"seat 1 {name}", "seat 2 B": f"seat 2 {other}"}
    lines = tuple(named.get(line, line) for line in lines)
    return PlayedGame(next(NUMBERS), 0.0, 1, None, (name, other), after.outcome, lines)


@pytest.fixture(scope="module")
def three() -> tuple[PlayedGame, ...]:
    return played("Ann", 4), played("Bob", 2), played("Cleo", -1)


def is_board(name: str) -> bool:
    return name == BOARD


def test_every_deal_that_two_have_finished_is_compared(three: tuple[PlayedGame, ...]) -> None:
    found = compare(three, CODE, is_board)
    finished = sorted(len([deal for deal in deals(game) if deal.ended]) for game in three)
    assert [one.number for one in found.travellers] == list(range(1, finished[1] + 1))
    for one in found.travellers:
        dealt = sealed.deal(CODE.secret, "round 1", one.number)
        assert one.cards.hands == tuple(map(frozenset, dealt.hands))
        assert (one.round, one.cards.dealer) == (1, 1 + (one.number - 1) % 2)
        here = len(one.rows)
        assert sum(row.matchpoints for row in one.rows) == here * (here - 1) / 2
        assert {row.most for row in one.rows} == {here - 1}
        assert sum(row.above for row in one.rows) == pytest.approx(0)
        assert [row.gained for row in one.rows] == sorted(
            (row.gained for row in one.rows), reverse=True
        )
    assert {one.name for one in found.standings} == {"Ann", "Bob", "Cleo"}
    assert all(one.games == 1 and one.rounds == (1,) for one in found.standings)
    shares = [one.share for one in found.standings]
    assert shares == sorted(shares, reverse=True)


def test_the_points_of_the_deals_are_those_of_the_game(three: tuple[PlayedGame, ...]) -> None:
    for game in three:
        assert game.outcome is not None
        totals = [sum(sum(deal.points[side].values()) for deal in deals(game)) for side in (0, 1)]
        assert totals == list(game.outcome.scores)
        assert [deal.ended for deal in deals(game)][-2:] == [True, False]


def test_a_second_game_with_the_same_cards_does_not_count(three: tuple[PlayedGame, ...]) -> None:
    ann, bob, _ = three
    again = bob.__class__(
        next(NUMBERS),
        0.0,
        1,
        None,
        ("ann", BOARD),
        bob.outcome,
        tuple(line.replace("seat 1 Bob", "seat 1 ann") for line in bob.lines),
    )
    once, twice = compare((ann, bob), CODE, is_board), compare((ann, bob, again), CODE, is_board)
    assert once.travellers == twice.travellers
    assert once.standings == twice.standings


def test_a_continued_game_counts_once(three: tuple[PlayedGame, ...]) -> None:
    ann, bob, _ = three
    later = PlayedGame(
        next(NUMBERS), 0.0, 2, None, ann.seats, ann.outcome, ann.lines, goes_on=ann.number
    )
    assert whole((ann, bob, later)) == [bob, later]


def test_without_a_code_common_deals_are_found(three: tuple[PlayedGame, ...]) -> None:
    other = played("Dan", 2, round_=2)
    found = compare((*three, other), is_board=is_board)
    assert [one.round for one in found.travellers] == [0] * len(found.travellers)
    assert "Dan" not in {one.name for one in found.standings}, "nobody else had these cards"
    assert compare((other, three[0]), Code(1, 5, "0" * 18), is_board) == Comparison((), ())


def test_people_at_two_tables_are_compared_in_their_seats() -> None:
    """There are two tables for two, and each seat is compared with the same seat at the other
    table."""
    one, two = played("Ann", 2, other="Bob"), played("Cleo", 4, other="Dan")
    found = compare((one, two), CODE)
    for each in found.travellers:
        assert [row.seat for row in each.rows] == [1, 1, 2, 2]
        gained = {row.name: row.gained for row in each.rows}
        assert gained["Ann"] == -gained["Bob"]
        matchpoints = {row.name: row.matchpoints for row in each.rows}
        assert matchpoints["Ann"] + matchpoints["Cleo"] == 1
        assert matchpoints["Ann"] + matchpoints["Bob"] == 1, "the one's gain is the other's loss"


def test_a_deal_that_nobody_shares_is_left_out(three: tuple[PlayedGame, ...]) -> None:
    found = compare(three[:1], CODE, is_board)
    assert found.travellers == ()
    (ann,) = found.standings
    assert (ann.deals, ann.most, ann.share, ann.rounds) == (0, 0, 0.5, (1,))


@given(
    st.integers(1, 9),
    st.integers(1, 5),
    st.randoms(use_true_random=False),
    st.sampled_from(["{}", " {} ", "{}\n"]),
)
def test_a_code_is_read_in_any_spelling(
    rounds: int, level: int, random: Random, around: str
) -> None:
    code = draw(rounds, level, random.randrange)
    said = around.format(str(code).lower().replace("-", random.choice(["-", " ", ""])))
    assert read_code(said.replace("1", "l").replace("0", "o")) == code
    assert len(str(code).replace("-", "")) == 20


@pytest.mark.parametrize("said", ["", "35", "05" + "A" * 18, "39" + "A" * 18, "35" + "U" * 18])
def test_other_words_are_no_code(said: str) -> None:
    with pytest.raises(ValueError, match="not the code"):
        read_code(said)


def test_codes_deal_different_cards() -> None:
    """The rounds and the level are part of the code."""
    alike = (CODE, CODE._replace(rounds=3), CODE._replace(level=4))
    secrets = {code.secret for code in alike}
    assert len(secrets) == 3
    packs = {sealed.deal(CODE.secret, CODE.shuffle(n).cut, 1).hands for n in (1, 2)}
    assert len(packs) == 2
    assert CODE.shuffle(1).held
    assert CODE.seed(1) != CODE.seed(2)


def test_an_evening_is_stored(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / evening.FILE
    assert evening.load(path) is None
    now = evening.Evening(str(CODE))
    assert evening.save(path, now)
    assert evening.load(path) == now
    path.write_text(json.dumps({"code": "none", "ended": False}))
    assert evening.load(path) is None
    assert evening.FILE in caplog.text


def run(*arguments: str) -> str:
    answered = CliRunner().invoke(main, ["duplicate", *arguments])
    assert answered.exit_code == 0, answered.output
    return answered.output


def test_the_command_compares_files(three: tuple[PlayedGame, ...], tmp_path: Path) -> None:
    files = []
    for game in three:
        path = tmp_path / f"{game.number}.txt"
        path.write_text("".join(f"{line}\n" for line in game.lines))
        files.append(str(path))
    said = run("compare", *files, "--code", str(CODE)).splitlines()
    assert said[0].startswith("1 ")
    assert "round 1 deal 1: seat 1 " in "\n".join(said)
    told = json.loads(run("compare", *files, "--json"))
    found = as_data(compare(three, is_board=is_board))
    assert [one["name"] for one in told["standings"]] == [one["name"] for one in found["standings"]]
    assert told["travellers"][0]["rows"] == found["travellers"][0]["rows"]
    assert run("compare", files[0]).startswith("No deal was played twice")


def test_the_command_deals(tmp_path: Path) -> None:
    code = run("new", "--rounds", "4").split()[-1]
    assert read_code(code).rounds == 4
    dealt = sealed.deal(read_code(code).secret, "round 2", 3)
    assert run("deal", code, "--round", "2", "--number", "3").endswith(f"starter {dealt.starter}\n")
    refused = CliRunner().invoke(main, ["duplicate", "deal", "x"])
    assert refused.exit_code == 1
    assert "This is not the code of an evening" in refused.output
    bad = tmp_path / "bad.txt"
    bad.write_text("game cribbage\nnonsense\n")
    refused = CliRunner().invoke(main, ["duplicate", "compare", str(bad)])
    assert refused.exit_code == 1
    assert "line 2" in refused.output
