"""Every duty is enforced in every phase, and every option has its effect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boardctl.board.render import hole
from boardctl.games import IllegalMove, Move
from boardctl.games.bezique import deal as dealing
from boardctl.games.bezique import declare
from boardctl.games.bezique.deal import Deal
from boardctl.games.bezique.readings import Held, Reading
from boardctl.games.cards import Suit, parse_card
from boardctl.record.legal import legal_moves
from boardctl.record.record import Record
from tests.games.bezique.shuffled import begin, referee

VECTORS = Path(__file__).parents[2] / "vectors"
SITUATIONS = json.loads((VECTORS / "vectors_situations.json").read_text())
HEAD = "game {}\nseat 1 Ann\nseat 2 Bob\n{}dealer 2\n"


def record(name: str, *lines: str, options: str = "") -> Record:
    """Return a record after these lines; `|` also separates lines."""
    table = Record()
    settings = "".join(f"set {option}\n" for option in options.split("|") if option)
    for line in (HEAD.format(name, settings) + "\n".join(lines).replace("|", "\n")).splitlines():
        table.read(line.strip())
    return table


def code(table: Record, line: str) -> str:
    """Return the code with which a line is refused, after checking that nothing has changed."""
    before = table.position
    with pytest.raises(IllegalMove) as refused:
        table.read(line)
    assert table.position is before
    return refused.value.code


def earned(table: Record, line: str) -> list[tuple[Any, ...]]:
    report = table.read(line)
    assert report is not None
    return [(award.seat, award.points, award.reason) for award in report.awards]


DEALT = (
    "deal",
    "1 hand KHa QHa 7Ca ASa 9Da 8Da 7Da TSa",
    "2 hand KHb QHb 7Cb ASb 9Db 8Db 7Db TSb",
    "turnup KCa",
)
WON = (*DEALT, "1 play ASa", "2 play 8Db")
"""Ann, who leads, has won the first trick."""


def test_before_a_deal() -> None:
    table = Record()
    for line in ["game bezique", "seat 1 Ann", "seat 2 Bob"]:
        table.read(line)
    assert code(table, "deal") == "dealer-unknown"
    assert code(table, "1 cut 5H") == "card-not-in-pack"
    assert code(table, "1 cut ?") == "card-unknown"
    assert code(table, "1 hand KH") == "no-deal"
    assert code(table, "misdeal") == "no-deal"
    assert code(table, "1 bid pass") == "not-in-this-game"


def test_the_winner_of_the_draw_chooses_who_deals() -> None:
    table = Record()
    lines = "game bezique|seat 1 Ann|seat 2 Bob|1 cut KH|2 cut KH|1 cut TS|2 cut KS"
    for line in lines.split("|"):
        table.read(line)
    assert table.position.situation.dealer == 1, "ten beats king, equal ranks draw again"
    table.read("dealer 2")
    assert table.position.situation.dealer == 2
    table.read("deal")
    table.read("dealer 1")
    table.read("turnup 7H")
    assert table.position.scores == (10, 0), "the turned seven is its dealer's"
    assert code(table, "dealer 2") == "too-late"


def test_the_deal() -> None:
    table = record("bezique", "deal")
    assert code(table, "deal") == "deal-unfinished"
    assert code(table, "1 play KH") == "trump-unknown"
    assert code(table, "1 meld KH QH") == "trump-unknown"
    assert code(table, "1 seven") == "trump-unknown"
    assert code(table, "1 hand 2H") == "card-not-in-pack"
    assert code(table, "1 hand KHc") == "card-not-in-pack"
    assert code(table, "1 hand K") == "card-unknown"
    assert code(table, "1 hand KH KH KH") == "card-seen"
    assert code(table, "1 hand KHa KHa") == "card-seen"
    assert code(table, "1 hand KH QH JH TH 9H 8H 7H AS KS") == "hand-too-long"
    assert code(table, "3 hand KH") == "no-such-seat"
    table.read("1 hand KHa KHb ? ?")
    assert code(table, "turnup KH") == "card-seen"
    assert code(table, "2 hand KH") == "card-seen"
    table.read("turnup KC")
    assert code(table, "turnup KC") == "turned-already"
    assert code(table, "trump H") == "turned-already"
    table.read("1 play KHa")
    assert code(table, "1 hand 9D") == "too-late"
    assert code(table, "dealer 1") == "too-late"
    assert code(table, "set target 1500") == "too-late"
    assert code(table, "deal") == "deal-unfinished"


def test_play_while_the_stock_remains() -> None:
    table = record("bezique", *DEALT)
    assert code(table, "2 play 9Db") == "out-of-turn"
    assert code(table, "1 play KHb") == "not-in-hand"
    assert code(table, "1 play ?") == "card-unknown"
    assert code(table, "1 meld KHa QHa") == "meld-before-trick"
    assert code(table, "1 draw JS") == "no-draw-due"
    table.read("1 play ASa")
    assert code(table, "1 play TSa") == "out-of-turn"
    assert code(table, "1 meld KHa QHa") == "meld-in-trick"
    assert code(table, "2 seven exchange") == "exchange-not-winner"


def test_after_a_trick() -> None:
    table = record("bezique", *WON)
    assert table.position.situation.phase == "meld"
    assert code(table, "2 meld KHb QHb") == "meld-by-loser"
    assert code(table, "1 meld KHb QHa") == "not-in-hand"
    assert code(table, "1 meld KHa 9Da") == "no-such-meld"
    assert code(table, "1 seven 7H") == "not-the-seven"
    assert code(table, "2 seven exchange") == "exchange-not-winner"
    assert earned(table, "1 meld KHa QHa") == [(1, 20, "marriage")]
    assert code(table, "1 meld KHa QHa") == "meld-twice"
    assert earned(table, "1 seven exchange") == [(1, 10, "seven")]
    assert code(table, "1 seven exchange") == "exchange-none"
    assert code(table, "1 seven") == "seven-not-held"
    assert code(table, "1 draw KHb") == "card-seen"
    table.read("1 draw JS")
    assert code(table, "1 draw 9S") == "drawn-already"
    assert code(table, "1 meld KHa QHa") == "meld-after-draw"
    table.read("2 draw 9S")
    assert code(table, "1 draw 9S") == "no-draw-due"
    assert code(table, "2 play KHb") == "out-of-turn"
    table.read("1 play KCa")
    table.read("2 play 7Cb")
    assert earned(table, "2 seven") == [(2, 10, "seven")]
    assert code(table, "2 seven") == "seven-not-held"


def test_a_played_seven_scores_with_its_play_or_directly_after_it() -> None:
    table = record("bezique", *DEALT)
    assert earned(table, "1 play 7Ca seven") == [(1, 10, "seven")]
    assert code(table, "1 seven") == "seven-not-held"
    assert code(table, "2 play KHb seven") == "not-the-seven"
    table.read("2 play 7Cb")
    table.read("1 draw JS")
    assert code(table, "2 seven") == "seven-not-held", "something else was entered in between"


@pytest.mark.parametrize(
    ("game", "option"), [("pinochle", "end deal_end"), ("bezique", "seven_method exchange_only")]
)
def test_where_sevens_are_shown_before_the_draw_none_counts_in_the_last_tricks(
    game: str, option: str
) -> None:
    """The message to the winner of a trick is that it is too late, not "only after winning a
    trick"."""
    table = record(game, "deal", "turnup KS", options=option)
    while table.position.situation.phase != "last-tricks":
        moves = legal_moves(table, seat=table.position.situation.turn)
        table.apply(next(move for move in moves if move.verb == "play"))
    assert code(table, f"{table.position.situation.turn} seven") == "seven-too-late"


def test_a_declared_seven_scores_no_more_when_it_is_played() -> None:
    table = record("bezique", *WON, "1 seven")
    assert code(table, "1 seven") == "seven-scored"
    assert code(table, "1 play 7Ca seven") == "seven-scored"


def test_the_seven_of_a_table_with_one_method() -> None:
    only = record("bezique", *DEALT, options="seven_method exchange_only")
    assert code(only, "1 play 7Ca seven") == "seven-not-winner"
    assert code(only, "1 seven") == "seven-not-winner"
    none = record("bezique", *WON, options="seven_method no_exchange")
    assert code(none, "1 seven exchange") == "no-exchange"
    assert earned(none, "2 seven") == [(2, 10, "seven")], "any time, by either"
    late = record("pinochle", "deal", "turnup KS", "1 play 9S")
    assert code(late, "1 seven") == "seven-not-winner"


def test_a_seven_that_counts_as_the_meld() -> None:
    table = record("bezique", *WON, "1 seven exchange", options="seven_counts_as_meld on")
    assert code(table, "1 meld KHa QHa") == "meld-twice"
    other = record("bezique", *WON, "1 meld KHa QHa", options="seven_counts_as_meld on")
    assert code(other, "1 seven exchange") == "meld-twice"


def follow(name: str, hand: str, lead: str, card: str, options: str = "") -> str | None:
    """Return the result of playing a card from a known hand to a lead in the last tricks."""
    game = referee(name)
    chosen = dict(option.split() for option in options.split("|") if option)
    cards = [parse_card(text) for text in hand.split()]
    held = Reading().give(*(Held(c) for c in cards))
    rest = game.spec.size - len(cards)
    deal = Deal(
        spec=game.spec, sizes=(rest, len(cards)), hands=((Reading(),), (held,)), turn=2, stock=0,
        options=begin(game, chosen).options, trump=Suit.SPADES, turned=True, by_cards=True,
        tricks=30, lead=parse_card(lead),
    )  # fmt: skip
    try:
        dealing.play(deal, Move("play", 2, (parse_card(card),)))
    except IllegalMove as error:
        return error.code
    return None


@pytest.mark.parametrize(
    ("name", "hand", "lead", "card", "options", "expected"),
    [
        ("bezique", "KHa 7Ha ASa", "9H", "ASa", "", "must-follow"),
        ("bezique", "KHa 7Ha ASa", "9H", "7Ha", "", "must-beat"),
        ("bezique", "KHa 7Ha ASa", "9H", "KHa", "", None),
        ("bezique", "7Sa ACa", "9H", "ACa", "", "must-trump"),
        ("bezique", "7Sa ACa", "9H", "ACa", "endgame_rule follow_only", None),
        ("bezique", "KHa 7Ha", "9H", "7Ha", "endgame_rule follow_only", None),
        ("bezique", "9Sa 7Sa", "8S", "7Sa", "", "must-beat"),
        ("bezique", "AHb 7Ha", "AH", "7Ha", "", None),
        ("pinochle", "KHa JHa ASa", "QH", "JHa", "", None),
        ("pinochle", "KHa JHa ASa", "QH", "JHa", "endgame_head always", "must-beat"),
        ("pinochle", "QSa ASa", "KS", "QSa", "", "must-beat"),
        ("pinochle", "KSa ACa", "9H", "ACa", "", "must-trump"),
        ("pinochle", "KHa ACa", "9H", "ACa", "", "must-follow"),
        ("pinochle", "QSa ASa", "KS", "QSa", "endgame_rule follow_only", None),
        ("pinochle", "KSa ACa", "9H", "ACa", "endgame_rule follow_only", None),
        ("pinochle", "KHa ACa", "9H", "ACa", "endgame_rule follow_only", "must-follow"),
    ],
)
def test_the_duties_of_the_last_tricks(
    name: str, hand: str, lead: str, card: str, options: str, expected: str | None
) -> None:
    assert follow(name, hand, lead, card, options) == expected


ROWS = [row for rows in SITUATIONS.values() for row in rows if isinstance(row, dict)]
FOLLOWED = [row for row in ROWS if str(row.get("id", ""))[:3] in ("be-", "pe-")]


@pytest.mark.parametrize("row", FOLLOWED, ids=[row["id"] for row in FOLLOWED])
def test_every_row_of_the_last_tricks(row: dict[str, Any]) -> None:
    options = "|".join(f"{name} {value}" for name, value in row.get("option", {}).items())
    assert row["trump"] == "S"
    hand = " ".join(row["hand"])
    legal = [c for c in row["hand"] if not follow(row["game"], hand, row["lead"], c, options)]
    assert legal == row["legal"]


def test_there_are_rows_of_the_last_tricks() -> None:
    assert len(FOLLOWED) == 14


def test_a_meld_before_the_last_draw_where_the_table_allows_it() -> None:
    for value, expected in (("allowed", None), ("forbidden", "meld-last-draw")):
        game = referee("bezique")
        options = begin(game, {"last_draw_meld": value}).options
        cards = [parse_card(text) for text in ["KHa", "QHa", "7Ha", "8Ha", "9Ha", "THa", "AHa"]]
        hand = Reading().give(*(Held(card) for card in cards))
        deal = Deal(
            spec=game.spec, sizes=(7, 7), hands=((hand,), (Reading(),)), turn=1, stock=2,
            options=options, trump=Suit.SPADES, turned=True, by_cards=True, drawn=0, tricks=24,
        )  # fmt: skip
        move = Move("meld", 1, tuple(cards[:2]))
        plain = Move("meld", 1, tuple(card.plain for card in cards[:2]))
        assert (plain in declare.offered(deal, 1)) == (expected is None)
        if expected is not None:
            with pytest.raises(IllegalMove) as refused:
                declare.meld(deal, move)
            assert refused.value.code == expected


MAPPED = [
    row
    for row in json.loads((VECTORS / "vectors_board.json").read_text())["mapping"]
    if row["game"] in ("bezique", "pinochle")
]


@pytest.mark.parametrize("row", MAPPED, ids=[f"{r['game']}-{r['score']}" for r in MAPPED])
def test_every_row_of_the_board(row: dict[str, Any]) -> None:
    table = record(row["game"], f"1 adjust +{row['score']}", options=f"target {row['target']}")
    board = referee(row["game"]).scoreboard(table.position.state)
    assert board.unit == row["unit"]
    (standing, _) = board.standings
    peg = hole(standing.score, board.unit)
    assert (peg.hole, peg.remainder) == (row["hole"], row["remainder"])
    assert (standing.score >= board.goal * board.unit) == row["won_line"]


@pytest.mark.parametrize(("target", "line"), [("1000", 50), ("1500", 33), ("2000", 25)])
def test_the_line_of_500(target: str, line: int) -> None:
    table = record("bezique", options=f"target {target}|double_win_below_500 on")
    board = referee("bezique").scoreboard(table.position.state)
    assert [(mark.name, mark.hole) for mark in board.lines] == [("double", line)]
