"""Invariants of every deal, over thousands of shuffled ones."""

from __future__ import annotations

from random import Random

import pytest

from boardctl.games import Move
from boardctl.record import notation
from boardctl.record.record import Record
from tests.games.bezique.shuffled import Table, begin, play_deal, referee
from tests.report import LongRun
from tests.spread import spread
from tests.sweeps import sweep

TOTAL = {"bezique": 170, "pinochle": 250}
SEATS = "game {}\nseat 1 Ann\nseat 2 Bob\n"


def deals(name: str, number: int, seed: int, **options: str) -> list[Table]:
    game = referee(name)
    rng = Random(seed)
    tables = []
    for _ in range(number):
        table = Table(game, begin(game, options), rng)
        table.state = game.play(table.state, Move("dealer", numbers=(rng.choice((1, 2)),))).state
        play_deal(table, judge=True)
        tables.append(table)
    return tables


def check(name: str, table: Table) -> None:
    tens = [award for award in table.awards if award.reason in ("seven", "turned-seven")]
    tricks = [a for a in table.awards if a.reason in ("brisques", "counters", "last-trick")]
    assert sum(award.points for award in tens) <= 20
    assert sum(award.points for award in tricks) == TOTAL[name]
    assert sum(award.points for award in table.awards) == sum(table.state.sheet.scores)
    if name == "bezique":
        assert all(award.points % 10 == 0 for award in table.awards)
    assert table.state.last is not None
    assert table.state.last.over
    assert [len(readings) for readings in table.state.last.hands] == [1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("name", TOTAL)
def test_trick_points_sevens_and_duties_in_some_deals(name: str) -> None:
    for table in deals(name, 150, 1):
        check(name, table)
        assert table.judged


@pytest.mark.long
@pytest.mark.parametrize("name", TOTAL)
def test_trick_points_sevens_and_duties_in_ten_thousand_deals(
    name: str, seed: int, long_run: LongRun
) -> None:
    checked = 0
    for chunk in range(seed, seed + 100):
        for table in deals(name, 100, chunk):
            check(name, table)
            checked += 1
    long_run(deals=checked)


@sweep("number", [4, 100], ordinary=[4])
@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("bezique", "endgame_rule", "follow_only"),
        ("bezique", "seven_method", "exchange_only"),
        ("bezique", "seven_method", "no_exchange"),
        ("bezique", "seven_counts_as_meld", "on"),
        ("bezique", "seven_in_last_eight", "off"),
        ("bezique", "last_draw_meld", "forbidden"),
        ("bezique", "double_bezique_after_two_singles", "off"),
        ("pinochle", "endgame_head", "always"),
        ("pinochle", "new_card_from_hand", "off"),
        ("pinochle", "new_card_from_hand", "not_all_from_one_meld"),
        ("pinochle", "four_kinds", "any"),
        ("pinochle", "double_pinochle", "300"),
        ("pinochle", "dix_timing", "any_time"),
        ("pinochle", "marriage_after_sequence", "on"),
        ("pinochle", "last_draw_meld", "forbidden"),
    ],
)
def test_the_same_at_tables_with_other_rules(
    name: str, option: str, value: str, number: int
) -> None:
    for table in deals(name, number, 2, **{option: value}):
        check(name, table)


def test_a_seven_may_score_twice_only_where_the_table_says_so() -> None:
    """In this deal a player exchanges the seven of trumps and declares the same card later."""
    (table,) = deals("bezique", 1, 3, seven_same_card_twice="on")
    assert sum(award.points for award in table.awards if "seven" in award.reason) == 30


def test_rounded_trick_points_are_tens() -> None:
    for table in deals("pinochle", 8, 4, round_trick_points="nearest_10"):
        tricks = [0, 0]
        for award in table.awards:
            if award.reason in ("counters", "last-trick"):
                tricks[award.seat - 1] += award.points
        assert [points % 10 for points in tricks] == [0, 0]
        assert sum(tricks) in (240, 250)


@pytest.mark.parametrize("name", TOTAL)
@pytest.mark.parametrize(
    "entered", spread(2, ["everything", "no names", "one hand", "no hands", "no draws"])
)
def test_what_is_left_unentered_makes_nothing_illegal_and_earns_the_same(
    name: str, entered: str
) -> None:
    """The same deals with less information: copy names, hands or draws are omitted."""
    for table in deals(name, 4, 5):
        record = Record()
        for line in SEATS.format(name).splitlines():
            record.read(line)
        record.read(f"dealer {table.state.sheet.dealer}")
        awards = []
        for move in table.moves:
            line = notation.spell(move)
            if move.verb == "hand" and (
                entered == "no hands" or (entered == "one hand" and move.seat == 2)
            ):
                continue
            if move.verb == "draw" and entered == "no draws":
                continue
            if entered != "everything":
                for copy in "ab":
                    for rank in "A23456789TJQK":
                        for suit in "SHDC":
                            line = line.replace(f"{rank}{suit}{copy}", f"{rank}{suit}")
            report = record.read(line)
            assert report is not None
            awards += [(a.seat, a.points, a.reason) for a in report.awards]
        assert awards == [(a.seat, a.points, a.reason) for a in table.awards]
