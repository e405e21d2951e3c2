"""The average value of each of the fifteen throws in two-handed six-card cribbage.

The value of a throw is the score of the four kept cards in the show, plus (for the dealer) or minus
(for the pone) the score of the crib. The play, his heels and the game score are ignored.

The figures are exact within this model:

* the starter is one of the 46 unseen cards, all equally likely;
* the opponent throws two of the other 45. The probability of a pair is proportional to the
  probability that a player in that role throws two such ranks when holding them. `throws.json`
  contains these probabilities. `tools.throw_chances` computes them by iterating both sides' best
  responses until they converge;
* a flush in the crib must include the starter.

The first call loads the tables. Each later call takes a few milliseconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations, combinations_with_replacement
from operator import mul
from typing import Final, Literal

from boardctl.bot.totals import RANK_KEYS, RANK_ROWS, total
from boardctl.games.cards import CARDS, Card, Rank, spell
from boardctl.record.library import read_cards

Role = Literal["dealer", "pone"]
Chances = tuple[float, ...]
"""The probability that a player who holds a pair of ranks throws it, in the order of PAIRS."""

RANKS: Final = range(13)
PAIRS: Final = tuple(combinations_with_replacement(RANKS, 2))
"""The 91 pairs of ranks, lower rank first. An ace is 0."""
_PLACE: Final = {pair: place for place, pair in enumerate(PAIRS)}
_PLACES: Final = tuple(
    tuple(_PLACE[min(one, two), max(one, two)] for two in RANKS) for one in RANKS
)
_JACK: Final = Rank.JACK - 1
_UNSEEN: Final = 46


@dataclass(frozen=True, slots=True)
class Throw:
    """Two thrown cards and four kept cards. `hand` and `crib` are the average points."""

    cards: tuple[Card, ...]
    kept: tuple[Card, ...]
    hand: float
    crib: float
    dealer: bool

    @property
    def value(self) -> float:
        """The net value for the player who throws. The crib belongs to the dealer."""
        return self.hand + self.crib if self.dealer else self.hand - self.crib


def advise(cards: str | Iterable[Card], *, dealer: bool) -> tuple[Throw, ...]:
    """Return all throws from six cards with their average points, best first.

    Raises:
        ValueError: if the cards are not six different cards with rank and suit.
    """
    return throws(read_cards(cards), dealer=dealer)


def throws(cards: Sequence[Card], *, dealer: bool) -> tuple[Throw, ...]:
    """Return all fifteen throws from six cards, best first. Equal throws keep the order of the
    cards.

    Raises:
        ValueError: if the cards are not six different cards with rank and suit.
    """
    different = {card.plain for card in cards if card.is_known}
    if not len(cards) == len(different) == 6:
        raise ValueError(f"expected six different cards, got {spell(cards)}")
    indices = [CARDS.index(card.plain) for card in cards]
    unseen = Unseen(indices, chances("pone" if dealer else "dealer"))
    found = []
    for away in combinations(range(6), 2):
        one, two = (indices[place] for place in away)
        a, b, c, d = (indices[place] for place in range(6) if place not in away)
        found.append(
            Throw(
                tuple(cards[place] for place in away),
                tuple(cards[place] for place in range(6) if place not in away),
                sum([total(a, b, c, d, starter) for starter in unseen.cards]) / _UNSEEN,
                unseen.crib(one, two),
                dealer,
            )
        )
    return tuple(sorted(found, key=lambda throw: -throw.value))


@cache
def chances(role: Role) -> Chances:
    """Return the throw probabilities for a role, as shipped with the program."""
    source = resources.files("boardctl.bot") / "throws.json"
    by_name = json.loads(source.read_text("utf-8"))[role]
    unit = by_name["unit"]
    return tuple(by_name[pair_name(*pair)] / unit for pair in PAIRS)


def pair_name(one: int, two: int) -> str:
    """Return the key of two ranks in `throws.json`, such as `A5`, `TJ` or `55`."""
    return Rank(one + 1).letter + Rank(two + 1).letter


class Unseen:
    """The cards that a player has not seen, and the average crib against an opponent with given
    throw probabilities."""

    def __init__(self, six: Sequence[int], opponent: Chances) -> None:
        self.cards = [card for card in range(52) if card not in six]
        self._opponent = opponent
        left = [4] * 13
        for card in six:
            left[card % 13] -= 1
        self._remaining = left
        self.weights, self._share = weigh(left, opponent)
        self._nobs = sum(
            self._thrown_jack(suit) for suit in range(4) if 13 * suit + _JACK in self.cards
        )

    def crib(self, one: int, two: int) -> float:
        """Return the average points of the crib if these two of the six cards are thrown."""
        points: float = sum(map(mul, self.weights, crib_points(one % 13, two % 13))) + self._nobs
        for card in (one, two):
            if card % 13 == _JACK:
                points += len(self._suited(card // 13)) / _UNSEEN
        if one // 13 == two // 13:
            points += self._flush(one // 13)
        return points

    def _suited(self, suit: int) -> list[int]:
        """Return the unseen ranks in a suit."""
        return [card % 13 for card in self.cards if card // 13 == suit]

    def _thrown_jack(self, suit: int) -> float:
        """Return the probability that the opponent throws the unseen jack of a suit and the starter
        is of that suit."""
        places, left = _PLACES[_JACK], self._remaining
        held = [self._opponent[places[rank]] * left[rank] for rank in RANKS]
        held[_JACK] -= self._opponent[places[_JACK]]  # a card cannot form a pair with itself
        some = sum(held)
        return sum(
            self._share[rank] * (some - self._opponent[places[rank]])
            for rank in self._suited(suit)
            if rank != _JACK
        )

    def _flush(self, suit: int) -> float:
        """Return five points times the probability that the opponent's two cards and the starter
        are all of this suit."""
        ranks = self._suited(suit)
        paired = {
            rank: sum(self._opponent[_PLACES[rank][other]] for other in ranks if other != rank)
            for rank in ranks
        }
        pairs = sum(paired.values()) / 2
        return 5 * sum(self._share[rank] * (pairs - paired[rank]) for rank in ranks)


def weigh(left: Sequence[int], opponent: Chances) -> tuple[list[float], list[float]]:
    """Return the probabilities of the starter rank and the opponent's throw, given the number of
    unseen cards of each rank.

    Returns:
        Two lists. The first is the probability of each starter rank with each of PAIRS, grouped by
        starter rank. The second list holds a factor for each starter rank. The factor converts the
        opponent's probability of throwing a pair to the probability of one starter card and one
        pair of cards.
    """
    cards = sum(left)
    weights: list[float] = []
    shares = []
    for starter in RANKS:
        if not left[starter]:
            weights += [0.0] * len(PAIRS)
            shares.append(0.0)
            continue
        others = list(left)
        others[starter] -= 1
        pairs = [
            chance * (others[one] * (others[two] - (one == two))) / (1 + (one == two))
            for chance, (one, two) in zip(opponent, PAIRS, strict=True)
        ]
        share = 1 / cards / sum(pairs)
        shares.append(share)
        weights += [pair * share * left[starter] for pair in pairs]
    return weights, shares


@cache
def crib_points(one: int, two: int) -> bytes:
    """Return the points for fifteens, pairs and runs in cribs that contain two cards of these
    ranks, in the order of `weigh`."""
    key = RANK_KEYS[one] + RANK_KEYS[two]
    rows = [RANK_ROWS[key + RANK_KEYS[p] + RANK_KEYS[q]] for p, q in PAIRS]
    return bytes([row[starter] for starter in RANKS for row in rows])
