"""Deals two-handed six-card cribbage to two seats and sends each what it may see."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from boardctl.games.cards import CARDS, Card, spell
from boardctl.record.record import Record

Seat = Callable[[str], list[str]]
"""What a seat answers after a line."""


def play_game(
    seats: tuple[Seat, Seat], random: Random, extra: tuple[str, ...] = (), deals: int = 99
) -> Record:
    """The record of a game between two seats, with all cards entered; every line is checked.

    Each seat receives the other's lines, its own hand, and after the play both hands and the crib.
    """
    whole = Record()
    queue: list[tuple[int, str]] = []

    def tell(line: str, to: tuple[int, ...] = (0, 1)) -> None:
        for place in to:
            queue.extend((place, said) for said in seats[place](line))

    def say(line: str) -> None:
        whole.read(line)

    def heard() -> None:
        """Pass on what the seats say, alternating, until both wait."""
        while queue:
            place, line = queue.pop(0)
            verb = line.split()[1]
            say(line)
            hidden = f"{place + 1} discard ? ?"
            tell(hidden if verb == "discard" else line, (1 - place,))

    for line in ("game cribbage", "seat 1 A", "seat 2 B", *extra, "dealer 1"):
        say(line)
        tell(line)
    for _ in range(deals):
        if _deal(whole, random.sample(CARDS, 13), say, tell, heard):
            break
    return whole


def _deal(
    whole: Record,
    cards: list[Card],
    say: Callable[[str], None],
    tell: Callable[..., None],
    heard: Callable[[], None],
) -> bool:
    """Play one deal; returns whether the game is over."""
    say("deal")
    tell("deal")
    hands = [tuple(cards[:6]), tuple(cards[6:12])]
    for place in (0, 1):
        line = f"{place + 1} hand {spell(hands[place])}"
        say(line)
        tell(line, (place,))
    heard()
    say(f"starter {cards[12]}")
    tell(f"starter {cards[12]}")
    heard()
    now = whole.position.situation
    if now.phase == "over":
        return True
    dealer = now.dealer
    assert dealer is not None
    assert now.phase == "show", now
    for seat in (3 - dealer, dealer):
        say(f"{seat} show")
        kept = [card for card in hands[seat - 1] if card not in _thrown(whole, seat)]
        tell(f"{seat} show {spell(kept)}")
        if whole.position.situation.phase == "over":
            return True
    say(f"{dealer} crib")
    tell(f"{dealer} crib {spell((*_thrown(whole, 1), *_thrown(whole, 2)))}")
    return whole.position.situation.phase == "over"


def _thrown(whole: Record, seat: int) -> tuple[Card, ...]:
    return next(
        move.cards for move in reversed(whole.moves) if move.verb == "discard" and move.seat == seat
    )
