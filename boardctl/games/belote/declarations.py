"""Declarations: the runs and squares of a hand, and whose count. Source: docs/rules/belote.md 4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common import jass
from boardctl.games.common.jass import NATURAL, PACK, TRUMP

RUNS: Final = {3: 20, 4: 50}
LONG_RUN: Final = 100
SQUARES: Final = {
    Rank.JACK: 200,
    Rank.NINE: 150,
    Rank.ACE: 100,
    Rank.TEN: 100,
    Rank.KING: 100,
    Rank.QUEEN: 100,
}
_ORDERS: Final = {
    "trick": TRUMP,
    "natural": (Rank.JACK, Rank.NINE, Rank.ACE, Rank.KING, Rank.QUEEN, Rank.TEN),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A declaration: a run, highest card first, or a square. If it was shown face down, only the
    number of its cards is known."""

    kind: Literal["run", "square"]
    cards: tuple[Card, ...]

    @property
    def value(self) -> int:
        if self.kind == "square":
            rank = self.cards[0].rank
            assert rank is not None
            return SQUARES[rank]
        return RUNS.get(len(self.cards), LONG_RUN)

    @property
    def top(self) -> Rank | None:
        return self.cards[0].rank


def strength(piece: Piece, trump: Suit | None, options: Mapping[str, str]) -> tuple[int, ...]:
    """The sort key that decides between two declarations (4.3), before seat order does."""
    assert piece.top is not None
    if piece.kind == "square":
        return (1, piece.value, -_ORDERS[options["square_order"]].index(piece.top), 0)
    return (0, piece.value, -NATURAL.index(piece.top), piece.cards[0].suit == trump)


def runs(hand: Iterable[Card]) -> tuple[Piece, ...]:
    """The longest runs of a hand, each once (4.2)."""
    return tuple(Piece("run", cards) for cards in jass.runs(hand))


def squares(hand: Iterable[Card]) -> tuple[Piece, ...]:
    """The squares of a hand."""
    held = frozenset(hand)
    fours = (tuple(Card(rank, suit) for suit in Suit) for rank in SQUARES)
    return tuple(Piece("square", four) for four in fours if held.issuperset(four))


def declared(
    hand: Iterable[Card], trump: Suit | None, options: Mapping[str, str]
) -> tuple[Piece, ...]:
    """The declarations of a hand. By option no card may be in two of them; the set with the highest
    value is then chosen (4.5)."""
    held = frozenset(hand)
    pieces = (*squares(held), *runs(held))
    overlap = any(set(one.cards) & set(other.cards) for one, other in combinations(pieces, 2))
    if options["shared_cards"] == "allowed" or not overlap:
        return pieces
    parts = [
        Piece("run", run.cards[start : start + length])
        for run in runs(held)
        for length in range(3, len(run.cards) + 1)
        for start in range(len(run.cards) - length + 1)
    ]
    return _best_apart((*squares(held), *parts), trump, options)


def _best_apart(
    pieces: Sequence[Piece], trump: Suit | None, options: Mapping[str, str]
) -> tuple[Piece, ...]:
    """The subset of disjoint declarations with the highest value, then with the strongest one."""
    best: tuple[Piece, ...] = ()
    rank: tuple[int, tuple[int, ...]] = (0, ())
    for size in range(1, 4):
        for some in combinations(pieces, size):
            cards = [card for piece in some for card in piece.cards]
            if len(set(cards)) != len(cards):
                continue
            worth = sum(piece.value for piece in some)
            found = (worth, max(strength(piece, trump, options) for piece in some))
            if found > rank:
                best, rank = some, found
    return best


def contest(
    hands: Sequence[tuple[int, frozenset[Card]]], trump: Suit | None, options: Mapping[str, str]
) -> tuple[int | None, tuple[tuple[int, Piece], ...]]:
    """Decide whose declarations count: the seat, and all of its side's declarations with their
    seats (4.4).

    Args:
        hands: seats and their hands, starting with eldest.
    """
    sides = len(hands) if len(hands) != 4 else 2
    found = [(seat, piece) for seat, hand in hands for piece in declared(hand, trump, options)]
    return jass.contest(
        found,
        lambda piece: strength(piece, trump, options),
        sides,
        earlier_wins=options["declaration_tie"] == "earlier",
    )


def stated(cards: Sequence[Card]) -> Piece | None:
    """The declaration that the shown cards make, known or not; None if they make none."""
    ranks = Counter(card.rank for card in cards if card.rank is not None)
    known = all(card.known for card in cards)
    if len(cards) == 4 and len(ranks) == 1 and sum(ranks.values()) == 4:
        (rank,) = ranks
        four = tuple(Card(rank, suit) for suit in Suit)
        fits = not known or set(cards) == set(four)
        return Piece("square", four) if rank in SQUARES and fits else None
    if not 3 <= len(cards) <= 8 or max(ranks.values(), default=1) > 1:
        return None
    if not known:
        places = [NATURAL.index(rank) for rank in ranks if rank in NATURAL]
        fits = len(places) == len(ranks) and max(places, default=0) - min(places, default=0) < len(
            cards
        )
        return Piece("run", tuple(cards)) if fits else None
    if not PACK.issuperset(cards):
        return None
    (piece, *more) = runs(cards) or (None,)
    return piece if piece is not None and not more and len(piece.cards) == len(cards) else None
