"""Review the throws of a game: their cost, and the luck that followed.

A throw can be judged if the six cards of the hand and the two thrown cards are known. The thrown
cards are known if they were entered face up or can be inferred from the four played cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from boardctl.bot import advice
from boardctl.bot.advice import Throw
from boardctl.games import Move
from boardctl.games.cards import Card
from boardctl.games.cribbage import show


@dataclass(slots=True)
class Deal:
    """The cards entered in one deal."""

    number: int
    """The number of the deal, from 1."""
    dealer: int | None = None
    starter: Card | None = None
    hands: dict[int, list[Card]] = field(default_factory=dict)
    thrown: dict[int, list[Card]] = field(default_factory=dict)
    played: dict[int, list[Card]] = field(default_factory=dict)
    crib: list[Card] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Review:
    """One throw of a game."""

    deal: int
    seat: int
    throw: Throw
    best: Throw
    hand_luck: float | None
    """The points by which the hand exceeded its average, or None if the starter is unknown."""
    crib_luck: float | None
    """The points by which the crib was luckier than average for the player, or None if the starter
    or the crib is unknown. A rich crib is bad luck for the pone."""

    @property
    def cost(self) -> float:
        """The average value of the best throw minus the average value of this throw."""
        return self.best.value - self.throw.value

    @property
    def luck(self) -> float | None:
        """The player's luck in points, or None if part of it is unknown."""
        if self.hand_luck is None or self.crib_luck is None:
            return None
        return self.hand_luck + self.crib_luck


def deals(moves: Iterable[tuple[Move, int | None]]) -> Iterator[Deal]:
    """Yield the deals in a game's moves. Each move is paired with the dealer after the move."""
    deal: Deal | None = None
    number = 0
    for move, dealer in moves:
        if move.verb == "deal":
            if deal is not None:
                yield deal
            number += 1
            deal = Deal(number)
        elif move.verb == "misdeal":
            deal = None
            number -= 1
        if deal is None:
            continue
        deal.dealer = dealer
        seat = move.seat or 0  # hands, discards and plays always have a seat
        match move.verb:
            case "hand":
                deal.hands.setdefault(seat, []).extend(move.cards)
            case "discard":
                deal.thrown.setdefault(seat, []).extend(move.cards)
            case "play":
                deal.played.setdefault(seat, []).extend(move.cards)
            case "starter":
                (deal.starter,) = move.cards
            case "crib" if move.cards:
                deal.crib = list(move.cards)
    if deal is not None:
        yield deal


def review(deal: Deal, *, flush_any: bool) -> Iterator[Review]:
    """Yield the throws of a deal that can be judged, the pone's first. With `flush_any`, a flush in
    the crib need not include the starter."""
    if deal.dealer is None:
        return
    away = {seat: _thrown(deal, seat) for seat in deal.hands}
    known = [cards for cards in away.values() if cards is not None]
    crib = [card for cards in known for card in cards] if len(known) == 2 else deal.crib
    for seat in sorted(away, key=lambda seat: seat == deal.dealer):
        thrown = away[seat]
        if thrown is None:
            continue
        found = advice.throws(deal.hands[seat], dealer=seat == deal.dealer)
        throw = next(some for some in found if set(some.cards) == set(thrown))
        richer = _luck(crib, deal.starter, throw.crib, five_only=not flush_any)
        if richer is not None and not throw.dealer:
            richer = -richer
        hand_luck = _luck(throw.kept, deal.starter, throw.hand, five_only=False)
        yield Review(deal.number, seat, throw, found[0], hand_luck, richer)


def _thrown(deal: Deal, seat: int) -> tuple[Card, ...] | None:
    """Return the two cards that a seat threw, or None if these cards or the hand are unknown."""
    hand = deal.hands[seat]
    if len(hand) != 6 or not all(card.is_known for card in hand):
        return None
    thrown = deal.thrown.get(seat, [])
    if len(thrown) == 2 and all(card in hand for card in thrown):
        return tuple(thrown)
    left = list(hand)
    for card in deal.played.get(seat, []):
        fitting = [some for some in left if some.matches(card)]
        if len(fitting) != 1:
            return None
        left.remove(fitting[0])
    return tuple(left) if len(left) == 2 else None


def _luck(
    cards: Iterable[Card], starter: Card | None, expected: float, *, five_only: bool
) -> float | None:
    hand = tuple(cards)
    if starter is None or len(hand) != 4 or not all(card.is_known for card in (*hand, starter)):
        return None
    items = show.count(hand, starter, crib=five_only)
    return sum(item.points for item in items) - expected
