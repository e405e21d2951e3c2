"""The two great Beziques: invariants of every deal, their settlement, and their own rules."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardctl.games import Move
from boardctl.games.bezique.game_spec import Rubicon
from boardctl.games.bezique.state import settle
from boardctl.record import replay
from boardctl.record.record import Record
from boardctl.text import in_english
from tests.games.bezique.great_scorer import Expected, GreatGame
from tests.games.bezique.shuffled import Table, begin, play_deal, referee
from tests.games.bezique.test_rules import code, earned
from tests.report import LongRun

VECTORS = Path(__file__).parents[2] / "vectors"
SITUATIONS = json.loads((VECTORS / "vectors_situations.json").read_text())
ROWS = [row for rows in SITUATIONS.values() for row in rows if isinstance(row, dict)]
SETTLED = [row for row in ROWS if str(row.get("id", ""))[:3] in ("ru-", "sp-")]
GREAT = ("rubicon-bezique", "six-pack-bezique")
LAST = {"rubicon-bezique": 50, "six-pack-bezique": 250}
LINE = {"rubicon-bezique": 1000, "six-pack-bezique": 3000}
EXTRA = {"rubicon-bezique": (500, 1320), "six-pack-bezique": (1000, 1000)}


def rubicon(name: str) -> Rubicon:
    options = begin(referee(name)).options
    assert options.rubicon is not None
    return options.rubicon


@pytest.mark.parametrize("row", SETTLED, ids=[row["id"] for row in SETTLED])
def test_every_settlement_row(row: dict[str, Any]) -> None:
    name = GREAT[row["id"].startswith("sp")]
    settled = settle(
        rubicon(name),
        (row["winner_points"], row["loser_points"]),
        (row["brisques_winner"], row["brisques_loser"]),
        claimed=bool(row["brisques_loser"]),
    )
    assert settled.winner == 1
    assert settled.value == row["game_value"]
    assert settled.rubiconed == row["rubiconed"]


def test_there_are_settlement_rows() -> None:
    assert len(SETTLED) == 6


def test_brisques_break_a_tie_and_save_a_loser_and_count_for_nothing_else() -> None:
    options = rubicon("rubicon-bezique")
    tied = settle(options, (1500, 1500), (20, 12))
    assert (tied.winner, tied.value, tied.counted) == (1, 1700 - 1600 + 500, True)
    saved = settle(options, (880, 1900), (12, 20))
    assert (saved.winner, saved.value, saved.counted) == (2, 2100 - 1000 + 500, True)
    lost = settle(options, (880, 1900), (10, 5))
    assert (lost.value, lost.counted) == (1900 + 800 + 1320, False)
    even = settle(options, (1500, 1500), (16, 16))
    assert (even.winner, even.value) == (None, 0)
    turned = settle(options, (950, 990), (20, 12))
    assert (turned.winner, turned.counted) == (1, True), "the loser counts his way past"


def check(name: str, table: Table) -> None:
    """Check a finished deal: its points, its independently computed settlement, its trumps."""
    deal = table.state.last
    assert deal is not None
    assert deal.over
    assert deal.tricks == referee(name).spec.size // 2
    assert all(award.points % 10 == 0 for award in table.awards)
    assert [a.points for a in table.awards if a.reason == "last-trick"] == [LAST[name]]
    assert deal.won[0] + deal.won[1] == (320 if name == "rubicon-bezique" else 0)
    scores = table.state.sheet.scores
    points = [0, 0]
    for award in table.awards:
        points[award.seat - 1] += award.points
    assert tuple(points) == scores
    (note,) = table.notes
    if scores[0] == scores[1]:
        assert note.code == "game-tied"
        return
    high, low = max(scores), min(scores)
    more, price = EXTRA[name]
    if low < LINE[name]:
        value = high // 100 * 100 + low // 100 * 100 + price
    else:
        value = high // 100 * 100 - low // 100 * 100 + more
    assert note.fields == {"seat": 1 + (scores[1] > scores[0]), "value": value}
    outcome = referee(name).outcome(table.state)
    assert outcome.winner == note.fields["seat"]
    royal = [a for a in table.awards if a.reason in ("royal-marriage", "sequence")]
    assert bool(royal) == (deal.trump is not None)
    for award in royal:
        assert {card.suit for card in award.cards} == {deal.trump}


def deals(name: str, number: int, seed: int) -> int:
    """Play and check this many deals, and return their number of awards."""
    game = referee(name)
    rng = Random(seed)
    awards = 0
    for _ in range(number):
        table = Table(game, begin(game), rng)
        table.say(Move("dealer", numbers=(rng.choice((1, 2)),)))
        play_deal(table, judge=True)
        check(name, table)
        assert table.judged
        awards += len(table.awards)
    return awards


@pytest.mark.slow
@pytest.mark.parametrize("name", GREAT)
def test_what_holds_in_some_deals(name: str) -> None:
    deals(name, 15, 1)


@pytest.mark.long
@pytest.mark.parametrize("name", GREAT)
def test_what_holds_in_two_thousand_deals(name: str, seed: int, long_run: LongRun) -> None:
    long_run(deals=2000)
    long_run(awards=deals(name, 2000, seed))


def record(name: str, *lines: str, options: str = "") -> Record:
    entered = Record()
    settings = [f"set {option}" for option in options.split("|") if option]
    for line in [f"game {name}", "seat 1 Ann", "seat 2 Bob", *settings, "dealer 2", *lines]:
        entered.read(line)
    return entered


RUBICON = "rubicon-bezique"
SIX = "six-pack-bezique"


def test_trumps_come_of_the_first_marriage_or_sequence() -> None:
    entered = record(RUBICON, "deal", "1 play AS", "2 play 8D")
    assert earned(entered, "1 meld KD QD") == [(1, 40, "royal-marriage")]
    assert entered.position.situation.trump == "D"
    entered.read("1 play 7H")
    entered.read("2 play 7D")
    assert earned(entered, "2 meld AC TC KC QC JC") == [(2, 150, "plain-sequence")]
    assert code(entered, "2 meld AC TC KC QC") == "meld-twice"
    entered.read("2 play TH")
    entered.read("1 play AH")
    assert code(entered, "1 meld AC TC KC QC") == "no-such-meld"
    first = record(RUBICON, "deal", "1 play AS", "2 play 8D")
    assert earned(first, "1 meld AC TC KC QC JC") == [(1, 250, "sequence")]


def test_a_meld_scores_anew_once_a_card_was_played_and_replaced() -> None:
    entered = record(
        RUBICON, "deal", "1 hand QSa QHa QDa QCa QSb ASa ASb ASc 9H", "1 play ASa", "2 play 8D"
    )
    assert earned(entered, "1 meld QSa QHa QDa QCa") == [(1, 60, "four-queens")]
    entered.read("1 play ASb")
    entered.read("2 play 8D")
    assert code(entered, "1 meld QSb QHa QDa QCa") == "meld-standing"
    entered.read("1 play QSa")
    entered.read("2 play 7S")
    assert earned(entered, "1 meld QSb QHa QDa QCa") == [(1, 60, "four-queens")]
    entered.read("1 play ASc")
    entered.read("2 play 8S")
    assert code(entered, "1 meld QSb QHa QDa QCa") == "meld-standing"


def test_no_marriage_out_of_a_standing_sequence_but_out_of_a_broken_one() -> None:
    entered = record(
        RUBICON, "deal", "1 hand AHa THa KHa QHa JHa KHb ASa ASb ASc", "1 play ASa", "2 play 8D"
    )
    assert earned(entered, "1 meld AHa THa KHa QHa JHa") == [(1, 250, "sequence")]
    entered.read("1 play ASb")
    entered.read("2 play 8D")
    assert code(entered, "1 meld KHb QHa") == "meld-standing"
    entered.read("1 play JHa")
    entered.read("2 play 7D")
    assert earned(entered, "1 meld KHb QHa") == [(1, 40, "royal-marriage")]


def test_two_marriages_are_re_paired_after_one_partner_was_played() -> None:
    entered = record(
        RUBICON, "deal", "1 hand KHa QHa KHb QHb KHc ASa ASb ASc ACa", "1 play ASa", "2 play 8D"
    )
    entered.read("1 meld KHa QHa")
    entered.read("1 play ASb")
    entered.read("2 play 8D")
    entered.read("1 meld KHb QHb")
    entered.read("1 play ASc")
    entered.read("2 play 8D")
    assert code(entered, "1 meld KHa QHb") == "meld-standing", "nothing was played of either"
    entered.read("1 play QHa")
    entered.read("2 play 7S")
    assert code(entered, "1 meld KHc QHb") == "meld-standing", "a new king for a married queen"
    assert earned(entered, "1 meld KHa QHb") == [(1, 40, "royal-marriage")]
    entered.read("1 play ACa")
    entered.read("2 play 7D")
    assert code(entered, "1 meld KHb QHb") == "meld-standing", "her first marriage still lies there"


def test_beziques_grow_to_the_quadruple() -> None:
    entered = record(
        RUBICON,
        "deal",
        "1 hand QSa QSb QSc QSd JDa JDb JDc JDd AHa",
        "1 play AHa",
        "2 play 8D",
    )
    values = []
    lines = ("QS JD", "QS QS JD JD", "QS QS QS JD JD JD", "QS QS QS QS JD JD JD JD")
    for place, cards in enumerate(lines):
        values.append(earned(entered, f"1 meld {cards}")[0][1:])
        if place < 3:
            entered.read(f"1 draw AH{'bcd'[place]}")
            entered.read(f"1 play AH{'bcd'[place]}")
            entered.read("2 play 7H")
    assert values == [
        (40, "bezique"),
        (500, "double-bezique"),
        (1500, "triple-bezique"),
        (4500, "quadruple-bezique"),
    ]
    entered.read("1 draw AC")
    entered.read("1 play AC")
    entered.read("2 play 7C")
    assert code(entered, "1 meld QS JD") == "meld-standing"


@pytest.mark.parametrize("name", [RUBICON, SIX])
def test_no_seven_is_declared_with_a_play(name: str) -> None:
    """The prompt used to ask for the turned-up card, which these games do not have."""
    entered = record(name, "dealer 2", "deal")
    assert code(entered, "1 play 7H seven") == "syntax"
    entered.read("1 play 7H")


def test_declarations_without_tricks_go_on_after_a_carte_blanche() -> None:
    entered = record(RUBICON, "dealer 2", "deal", "2 meld AD 7H 7C 8C AS 8C TH TD 8S")
    assert code(entered, "deal") == "deal-unfinished"
    assert earned(entered, "1 meld KS QS") == [(1, 40, "royal-marriage")]
    assert code(entered, "2 meld AD 7H 7C 8C AS 8C TH TD 8S") == "tricks-not-told"
    assert earned(entered, "2 meld TC") == [(2, 50, "carte-blanche")], "a card drawn since"
    assert code(entered, "1 meld TC") == "blanche-too-late"
    assert code(entered, "2 meld QC") == "not-blanche"
    assert earned(entered, "2 meld AS AH AD AC") == [(2, 100, "four-aces")]
    (due,) = [ask for ask in entered.position.prompt.asks if ask.code == "carte-blanche"]
    assert (due.seat, due.telling, due.most) == (2, "hands", 1)
    assert earned(entered, "2 meld 7H") == [(2, 50, "carte-blanche")]
    assert earned(entered, "2 meld KC QC") == [(2, 20, "marriage")]
    assert code(entered, "2 meld 9C") == "blanche-too-late", "a king and a queen were drawn"
    entered.read("1 count 200")
    entered.read("2 count 120")
    assert entered.position.over


def test_carte_blanche_goes_on_with_every_card_drawn_that_is_no_court_card() -> None:
    hand = "AH AS AD 9H 9S 8D 8S 7C 7H"
    entered = record(RUBICON, "deal", f"1 hand {hand}")
    assert code(entered, "1 meld 9H") == "blanche-too-late"
    assert code(entered, "1 meld AH AS AD 9H 9S 8D 8S 7C KH") == "not-blanche"
    assert code(entered, "1 meld AH AS AD 9H 9S 8D 8S 7C TD") == "not-in-hand"
    assert earned(entered, f"1 meld {hand}") == [(1, 50, "carte-blanche")]
    assert code(entered, f"1 meld {hand}") == "blanche-too-late"
    entered.read("1 play AH")
    entered.read("2 play 8H")
    entered.read("1 draw TC")
    assert code(entered, "1 meld TD") == "not-the-drawn-card"
    assert earned(entered, "1 meld TC") == [(1, 50, "carte-blanche")]
    entered.read("1 play AS")
    entered.read("2 play 8S")
    assert earned(entered, "1 meld 9C") == [(1, 50, "carte-blanche")], "drawn and shown at once"
    entered.read("1 play AD")
    entered.read("2 play 8D")
    entered.read("1 draw KC")
    assert code(entered, "1 meld KC") == "not-blanche"
    assert code(entered, "1 meld 9C") == "blanche-too-late"
    once = record(RUBICON, "deal", options="carte_blanche_repeat off")
    assert earned(once, f"2 meld {hand}") == [(2, 50, "carte-blanche")]
    once.read("1 play TC")
    once.read("2 play AH")
    assert code(once, "2 meld TC") == "blanche-once"
    assert code(once, f"1 meld {hand}") == "blanche-too-late"


def test_fours_in_trumps() -> None:
    entered = record(SIX, "deal", "1 play AS", "2 play 8D", "1 meld KH QH")
    entered.read("1 play 9S")
    entered.read("2 play 8D")
    assert earned(entered, "1 meld KH KH KH KH") == [(1, 800, "four-trump-kings")]
    entered.read("1 play AC")
    entered.read("2 play 8D")
    assert code(entered, "1 meld TH TS TD TC") == "no-such-meld"
    assert earned(entered, "1 meld TH TH TH TH") == [(1, 900, "four-trump-tens")]
    tens = record(SIX, "deal", "1 play AS", "2 play 8D", options="any_four_tens_90 on")
    assert earned(tens, "1 meld TH TS TD TC") == [(1, 90, "four-tens")]


def test_bezique_by_the_trump_suit() -> None:
    entered = record(
        SIX, "deal", "1 play AS", "2 play 8D", options="bezique_suits trump_queen"
    )  # fmt: skip
    assert code(entered, "1 meld QS JD") == "no-such-meld"
    entered.read("1 meld KH QH")
    entered.read("1 play 9S")
    entered.read("2 play 8D")
    assert code(entered, "1 meld QS JD") == "no-such-meld"
    assert earned(entered, "1 meld QH JC") == [(1, 40, "bezique")]


def test_the_same_suit_is_not_trump_twice_where_the_table_says_so() -> None:
    entered = record(
        SIX, "deal", "trump H", "1 count 250", "2 count 0", options="no_repeat_trump on"
    )
    assert entered.position.over
    for line in ("game six-pack-bezique", "dealer 1", "deal"):
        entered.read(line)
    assert code(entered, "trump H") == "trump-repeated"
    entered.read("2 play AS")
    entered.read("1 play 8D")
    assert earned(entered, "2 meld KH QH") == [(2, 20, "marriage")]
    assert entered.position.situation.trump is None


def test_entered_by_points() -> None:
    entered = record(RUBICON, "deal", "trump H")
    assert earned(entered, "1 meld QS QH QD QC") == [(1, 60, "four-queens")]
    assert earned(entered, "1 meld QS QH QD QC") == [(1, 60, "four-queens")], "one of them is new"
    entered.read("1 peg 1500")
    entered.read("2 peg 500")
    assert code(entered, "2 peg 400") == "impossible-points"
    entered.read("2 peg 250")
    entered.read("2 peg 100")
    entered.read("2 peg 50")
    assert code(entered, "1 turnup 7C") == "syntax"
    assert code(entered, "1 count 330") == "impossible-points"
    assert earned(entered, "1 count 180") == []
    report = entered.read("2 count 140")
    assert report is not None
    assert {(a.seat, a.points, a.reason) for a in report.awards} == {
        (1, 180, "brisques"),
        (2, 140, "brisques"),
    }, "900 and 140 save the rubicon, so both count"
    assert entered.position.scores == (1800, 1040)
    assert [note.code for note in report.notes] == ["game-won"]
    assert report.notes[0].fields == {"seat": 1, "value": 1800 - 1000 + 500}
    board = referee(RUBICON).scoreboard(entered.position.state)
    assert (board.unit, board.lines[0].name, board.lines[0].hole) == (100, "rubicon", 10)
    assert code(entered, "deal") == "game-over"


def test_the_board_of_six_packs() -> None:
    entered = record(SIX, "deal", "1 peg 1000", "1 count 250", "2 count 0")
    board = referee(SIX).scoreboard(entered.position.state)
    assert (board.unit, board.lines[0].hole, board.winner) == (100, 30, 1)
    assert [note.code for note in board.readouts] == ["game-rubicon"]
    assert board.readouts[0].fields == {"seat": 1, "value": 1200 + 1000}


def test_the_cut_bonus_is_offered_where_the_table_plays_it() -> None:
    entered = record(SIX, "deal", options="cut_bonus on")
    ask = next(ask for ask in entered.position.prompt.asks if ask.code == "cut-bonus")
    assert [(move.seat, move.numbers) for move in ask.choices] == [(2, (250,)), (1, (150,))]
    assert all(a.code != "cut-bonus" for a in record(SIX, "deal").position.prompt.asks)


def scored_twice(expected: list[Expected]) -> None:
    """Check the referee's answers to the lines of a `GreatGame`."""
    lines = [one.line for one in expected]
    told = replay.answers(lines, keep_going=True, sentence=in_english)
    answers = {answer["line"]: answer for answer in told if "line" in answer}
    for number, one in enumerate(expected, 1):
        answer, so_far = answers[number], "\n".join(lines[:number])
        assert ("error" in answer) == one.refused, so_far
        if one.refused:
            continue
        awards = [(award["seat"], award["points"], award["reason"]) for award in answer["awards"]]
        assert sorted(awards) == sorted(one.earned), so_far
        if one.note is not None:
            (note,) = answer["notes"]
            assert (note["code"], note.get("seat"), note.get("value")) == one.note, so_far


def unnamed(expected: list[Expected]) -> list[Expected]:
    """Return the allowed lines, without the letters of the copies."""
    cards = re.compile(r"\b([AKQJT987][SHDC])[a-f]\b")
    return [one._replace(line=cards.sub(r"\1", one.line)) for one in expected if not one.refused]


@pytest.mark.parametrize("six", [False, True])
def test_a_deal_is_scored_as_by_the_rules(six: bool) -> None:
    game = GreatGame(Random(1), six=six)
    scored_twice(game.expected)
    scored_twice(unnamed(game.expected))


@pytest.mark.long
@pytest.mark.parametrize("six", [False, True])
def test_deals_are_scored_as_by_the_rules(six: bool, seed: int, long_run: LongRun) -> None:
    chance = Random(seed)
    lines = 0
    for _ in range(150):
        game = GreatGame(chance, six=six)
        again = GreatGame(chance, six=six, before=game.trump)
        for expected in (game.expected, unnamed(game.expected)):
            scored_twice(expected)
        if six:  # a second game, for which the first may bar its trumps
            scored_twice([*game.expected, *again.expected])
        lines += len(game.expected) + len(again.expected)
    long_run(deals=300, lines=lines)
