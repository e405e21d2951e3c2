"""The number of presses for a count, from the prompt that offers the hand to the pegged score."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from boardctl.console import keypad
from boardctl.console.keypad import REST, Submit, TableView
from boardctl.games import Telling
from boardctl.games.cards import CARDS, Card
from boardctl.games.cribbage import show
from boardctl.record.record import Record

HANDS = 10_000
KEYS = dict(zip("A23456789TJQK", "1234567890ABC", strict=True))


class Keypad:
    """The console alone, on a record: counting presses needs no lights and no clock."""

    def __init__(self, telling: Telling, *lines: str) -> None:
        self.record = Record()
        for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", *lines):
            self.record.read(line)
        self.telling = telling
        self.keypad_state = REST
        self.presses = 0

    @property
    def view(self) -> TableView:
        position = self.record.position
        return TableView(
            prompt=position.prompt,
            seats=("Ann", "Bob"),
            scores=position.scores,
            telling=self.telling,
            attempt=self.record.try_out,
        )

    def press(self, keys: str) -> None:
        for each in keys:
            self.presses += 1
            self.keypad_state, said = keypad.press(self.keypad_state, self.view, each)
            assert self.keypad_state.refused is None, self.keypad_state.refused.code
            if isinstance(said, Submit):
                for move in said.moves:
                    self.record.apply(move)

    @property
    def scores(self) -> tuple[int, ...]:
        return self.record.position.scores


def key(card: Card) -> str:
    return KEYS[str(card)[0]]


def worth(hand: list[Card], starter: Card) -> int:
    return sum(item.points for item in show.count(tuple(hand), starter))


def answer(table: Keypad, hand: list[Card], starter: Card) -> str:
    """Return the key that correctly answers a question about suits, given the cards."""
    words: set[str] = set()
    true = {item.reason for item in show.count(tuple(hand), starter)}
    if "flush" in true:
        alike = len({card.suit for card in (*hand, starter)}) == 1
        words.add("flush5" if alike else "flush")
    if "nobs" in true:
        words.add("nobs")
    choices = table.keypad_state.choices
    said = [{word for word in move.words if not word.startswith("no-")} for move in choices]
    best = max(range(len(said)), key=lambda n: (said[n] <= words, len(said[n])))
    return "#" if best == 0 else str(best)


@pytest.mark.slow
def test_a_hand_typed_in_takes_six_and_a_half() -> None:
    chance = random.Random(20)
    presses = []
    for _ in range(HANDS):
        *hand, starter = chance.sample(CARDS, 5)
        table = Keypad("hands", f"starter {str(starter)[0]}")
        before = table.scores
        table.press("B" + "".join(map(key, hand)))
        if table.keypad_state.mode == "question":
            table.press(answer(table, hand, starter))
        else:
            table.press("#")
        presses.append(table.presses)
        assert table.scores[1] - before[1] == worth(hand, starter)
    assert mean(presses) <= 6.5


def test_a_deal_played_by_rank_is_counted_in_two_presses_a_hand() -> None:
    chance = random.Random(21)
    for _ in range(200):
        cards = chance.sample(CARDS, 9)
        hands = {1: cards[:4], 2: cards[4:8]}
        starter = cards[8]
        table = Keypad("cards", f"starter {str(starter)[0]}")
        left = {seat: list(hand) for seat, hand in hands.items()}
        while any(left.values()):
            due = table.view.asks[0]
            assert due.seat is not None
            playable = [card for card in left[due.seat] if may_play(table, due.seat, card)]
            if playable:
                card = chance.choice(playable)
                left[due.seat].remove(card)
                table.press(key(card))
            else:
                table.press("D")
        for seat in (2, 1):
            table.presses = 0
            before = table.scores[seat - 1]
            table.press("#")
            if table.keypad_state.mode == "question":
                table.press(answer(table, hands[seat], starter))
            assert table.presses <= 2
            assert table.scores[seat - 1] - before == worth(hands[seat], starter)


def may_play(table: Keypad, seat: int, card: Card) -> bool:
    due = table.view.asks[0]
    return (
        due.code == "play" and due.seat == seat and card.rank in {c.rank for c in due.cards or ()}
    )
