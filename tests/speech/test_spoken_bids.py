"""Spoken bids: the phrases, their meanings, and the words read back and asked back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardctl import games
from boardctl.games import Move
from boardctl.record.record import Record
from boardctl.speech import hearing, recogniser
from boardctl.speech.hearing import Grammar
from tests.laws.walk import sit_down
from tests.speech.test_hearing import Talk
from tests.speech.voice_page import phrases, view_of
from tests.tables import keyed, submit

PINOCHLE = ("game pinochle", "seat 1 Ann", "seat 2 Bob", "seat 3 Cat", "dealer 1", "deal")
JASS = ("seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")
COINCHE = (
    "game belote", "seat 1 Ann", "seat 2 Bob", "seat 3 Cat", "seat 4 Dan", "set bidding coinche",
    "dealer 1", "deal",
)  # fmt: skip


def grammar(*lines: str) -> Grammar:
    """Return the grammar after these lines."""
    record = Record()
    for line in lines:
        record.read(line)
    return Grammar(view_of(record))


def meant(of: Grammar, phrase: str) -> list[Move | None]:
    """Return the moves that a phrase may mean."""
    return [said.move for said in of.meanings(phrase)]


@pytest.fixture
def auction(tmp_path: Path) -> Iterator[Talk]:
    with keyed(tmp_path) as table:
        for line in PINOCHLE:
            submit(table.table, line, "test")
        yield Talk(table)


def bid(talk: Talk) -> tuple[int, int | None]:
    """Return the highest bid and the next seat."""
    state: Any = talk.table.table.position.state
    return state.deal.bidding.bid, state.deal.bidding.bidder


def test_a_bid_is_spoken_read_back_and_undone(auction: Talk) -> None:
    assert "Bob bids 310" in auction.say("bid three hundred ten")
    assert bid(auction) == (310, 3)
    assert "Cat passes" in auction.say("pass")
    assert "Ann bids 1000" in auction.say("ann bids one thousand")
    assert "Taken back: Ann bids 1000" in auction.say("take that back")
    assert bid(auction) == (310, 1)


def test_bids_that_are_close_are_asked_back(auction: Talk) -> None:
    close = ("bid three hundred thirty", "bid three hundred forty")
    spoken = auction.say(*close, scores=(-0.2, -0.2 - 0.2 * hearing.MARGIN / 2))
    assert spoken == "Bob bids 330 or Bob bids 340?"
    assert bid(auction)[0] == 0
    auction.say("three hundred forty")
    assert bid(auction)[0] == 340


def test_what_is_read_can_be_said() -> None:
    costly = ("game costly-colours", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "starter QH")
    swap = grammar(*costly)
    for phrase in ("no swap", "no mog", "bob does not swap a card"):
        assert meant(swap, phrase) == [Move("no-mog", 2)], phrase
    assert meant(swap, "mog one card") == meant(swap, "bob gives a card") != []
    dix = grammar("game klaberjass", *JASS, "turnup 9H", "2 bid take")
    assert meant(dix, "dix") == meant(dix, "exchange") != []


def test_only_bids_that_are_allowed_can_be_said() -> None:
    start = grammar(*PINOCHLE)
    assert meant(start, "bid three hundred") == [Move("bid", 2, numbers=(300,))]
    assert not meant(start, "bid two hundred ninety")
    assert not meant(start, "bid three hundred five")
    later = grammar(*PINOCHLE, "2 bid 350")
    assert not meant(later, "bid three hundred fifty")
    assert meant(later, "cat bids three hundred sixty") == [Move("bid", 3, numbers=(360,))]
    assert meant(later, "pass") == [Move("bid", 3, words=("pass",))]


def test_take_pass_and_suits_are_spoken() -> None:
    for game in ("klaberjass", "belote"):
        start = grammar(f"game {game}", *JASS, "turnup 9H")
        assert meant(start, "take") == [Move("bid", 2, words=("take",))]
        assert meant(start, "bob takes it") == [Move("bid", 2, words=("take",))]
        assert meant(start, "pass") == [Move("bid", 2, words=("pass",))]
        second = grammar(f"game {game}", *JASS, "turnup 9H", "2 bid pass", "1 bid pass")
        assert meant(second, "spades") == [Move("bid", 2, words=("S",))]
        assert not meant(second, "hearts")
    unknown = grammar("game klaberjass", *JASS)
    assert meant(unknown, "spades") == [Move("bid", 2, words=("S",))], "the bid, not the card"


def test_a_contract_is_its_points_and_its_suit() -> None:
    start = grammar(*COINCHE)
    assert meant(start, "eighty spades") == [Move("bid", 2, numbers=(80,), words=("S",))]
    assert meant(start, "one hundred ten clubs") == [Move("bid", 2, numbers=(110,), words=("C",))]
    assert meant(start, "capot hearts") == [Move("bid", 2, words=("capot", "H"))]
    assert not meant(start, "spades"), "how many?"
    later = grammar(*COINCHE, "2 bid 80 S")
    (double,) = [said for said in meant(later, "coinche") if said is not None]
    assert double.verb == "coinche"


@pytest.mark.slow
def test_whatever_is_offered_can_be_said_with_the_words_that_the_recogniser_knows() -> None:
    """Every choice of every game has a phrase without a player's name, which may be in no
    dictionary."""
    pytest.importorskip("pocketsphinx", reason="the optional extra `voice`")
    machine, names = recogniser.decoder(), {"ann", "bob", "cat", "dan"}
    for game in games.names():
        walk, seen = sit_down(game, Random(1)), set()
        walk.telling = "cards"
        for _ in range(30):
            asks = walk.record.position.prompt.asks
            new = [ask for ask in asks if ask.kind in ("confirm", "choice")]
            new = [ask for ask in new if ask.code not in seen]
            may = Grammar(view_of(walk.record)) if new else None
            for ask in new:
                seen.add(ask.code)
                for move in ask.choices or (ask.move,):
                    assert may is not None
                    sayable = [
                        phrase
                        for phrase in phrases(may, move)
                        if not names & set(phrase.split())
                        and all(machine.lookup_word(word) is not None for word in phrase.split())
                    ]
                    assert sayable, (game, ask.code, phrases(may, move))
            if not walk.step():
                break


@pytest.mark.parametrize(
    ("game", "seats", "bid"),
    [
        ("pinochle", 3, "{name} bids three hundred ten"),
        ("pinochle", 4, "{name} bids three hundred ten"),
        ("klaberjass", 2, "{name} takes it"),
        ("belote", 2, "{name} takes it"),
        ("belote", 4, "{name} takes it"),
    ],
)
def test_in_every_seat_a_pass_and_a_bid_are_offered_and_understood(
    game: str, seats: int, bid: str
) -> None:
    names = ("Ann", "Bob", "Cid", "Dan")[:seats]
    record = Record()
    for line in (f"game {game}", *(f"seat {n} {name}" for n, name in enumerate(names, 1))):
        record.read(line)
    for line in ("dealer 1", "deal"):
        record.read(line)
    for n in range(1, seats + 1):
        due, name = n % seats + 1, names[n % seats].lower()
        passes, may = Move("bid", due, words=("pass",)), Grammar(view_of(record))
        offered = [
            move for ask in record.position.prompt.asks for move in ask.choices or (ask.move,)
        ]
        assert passes in offered
        assert meant(may, "pass") == meant(may, f"{name} passes") == [passes]
        assert [move.seat for move in meant(may, bid.format(name=name)) if move] == [due]
        report = record.read(f"{name} passes")
        assert report is not None
        assert report.move == passes
