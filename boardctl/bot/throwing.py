"""Choose the throw with the best chance of winning, considering hand, crib, play and counting
order.

For each throw, all starters and the opponent's throws are weighed as in `advice`. The play uses the
average pegging of the kept ranks (`pegging`) with the spread of `Tables.pegged`. The opponent's
hand follows the distribution of its role for that starter. Nothing is random, so the same cards
always produce the same numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from boardctl.bot.advice import PAIRS, Unseen, chances, crib_points
from boardctl.bot.objective import WIN, Objective
from boardctl.bot.tables import DEALER, PLACE, PONE, TARGET, counted, load
from boardctl.bot.totals import total

FAR: Final = 90
"""The score below which nobody can win during the play. If both scores are below it, the average of
the play is used."""
_WITHIN: Final = 3.0
"""The points by which a throw may be worse than the best. Worse throws are evaluated by winning
chance only from FAR on."""
_MOST: Final = 8
_JACK: Final = 10
_RARE: Final = 0.0015
_OF_PLAY: Final = 0.7
"""The share to which the differences between hands are reduced. They are measured in the play of
two cautious players and are smaller for other players."""

Two = tuple[int, int]
Pegs = tuple[tuple[int, int, float], ...]
"""Pairs of the player's and the opponent's points in the play, with their probabilities."""


class Throw(NamedTuple):
    """One throw of two cards and its average points."""

    cards: Two
    kept: tuple[int, ...]
    hand: float
    crib: float
    play: float
    """The average points pegged minus those of the opponent."""
    role: int
    win: float | None = None
    """The chance of winning, or None if the throw is too bad to be evaluated."""

    @property
    def points(self) -> float:
        """The average net points. The crib belongs to the dealer."""
        return self.hand + self.play + (self.crib if self.role == DEALER else -self.crib)


def throws(
    six: Sequence[int], role: int, mine: int, theirs: int, objective: Objective = WIN
) -> list[Throw]:
    """Return all fifteen throws, best first, by chance of winning and then by points.

    Args:
        six: the cards dealt, as indices in `games.cards.CARDS`.
        role: PONE or DEALER.
        mine, theirs: the scores before the starter is turned.
        objective: the objective of the game, whose worth replaces the chance of winning.
    """
    unseen = Unseen(six, chances("dealer" if role == PONE else "pone"))
    found = sorted(_averages(six, role, unseen), key=lambda throw: -throw.points)
    least = found[0].points - _WITHIN
    late = max(mine, theirs) >= FAR
    weighed = [
        throw._replace(win=_win(throw, unseen, mine, theirs, objective))
        if late or (place < _MOST and throw.points >= least)
        else throw
        for place, throw in enumerate(found)
    ]
    return sorted(weighed, key=lambda throw: (-(throw.win or -1.0), -throw.points))


def averages(six: Sequence[int], role: int) -> list[Throw]:
    """Return all fifteen throws, best first, judged only by points."""
    unseen = Unseen(six, chances("dealer" if role == PONE else "pone"))
    return sorted(_averages(six, role, unseen), key=lambda throw: -throw.points)


def _averages(six: Sequence[int], role: int, unseen: Unseen) -> list[Throw]:
    found = []
    for one, two in combinations(range(6), 2):
        kept = tuple(card for place, card in enumerate(six) if place not in (one, two))
        a, b, c, d = kept
        hand = sum([total(a, b, c, d, starter) for starter in unseen.cards]) / len(unseen.cards)
        own, other = pegging(role, tuple(sorted(card % 13 for card in kept)))
        crib = unseen.crib(six[one], six[two])
        found.append(Throw((six[one], six[two]), kept, hand, crib, own - other, role))
    return found


@lru_cache(maxsize=4096)
def pegging(role: int, ranks: tuple[int, ...]) -> tuple[float, float]:
    """Return the average points that the holder of four ranks (ascending) pegs, and those that the
    opponent pegs."""
    tables = load()
    own, other = tables.pegging[role][PLACE[ranks]]
    mean, others = _means()[role], _means()[1 - role]
    return mean + _OF_PLAY * (own - mean), others + _OF_PLAY * (other - others)


@cache
def _means() -> tuple[float, float]:
    """Return the average points that the pone and the dealer peg, over all hands."""
    pegged = load().pegged
    whole = sum(cell[2] for cell in pegged)
    pone, dealer = (sum(cell[role] * cell[2] for cell in pegged) / whole for role in (PONE, DEALER))
    return pone, dealer


def win(
    throw: Throw, six: Sequence[int], mine: int, theirs: int, objective: Objective = WIN
) -> float:
    """Return the chance of winning (0 to 1) after one throw, or the worth under an objective.

    Args:
        throw: the kept and thrown cards, and the role.
        six: the cards dealt, as indices in `games.cards.CARDS`.
        mine, theirs: the scores before the starter is turned.
        objective: the objective of the game.
    """
    unseen = Unseen(six, chances("dealer" if throw.role == PONE else "pone"))
    return _win(throw, unseen, mine, theirs, objective)


def _win(throw: Throw, unseen: Unseen, mine: int, theirs: int, objective: Objective) -> float:
    role, margins = throw.role, objective is not WIN
    pegs = _pegs(role, tuple(sorted(card % 13 for card in throw.kept)), max(mine, theirs) < FAR)
    chance = 0.0
    for starter, shows in _shows(throw, unseen).items():
        heels = 2 if starter == _JACK else 0
        own = mine + (heels if role == DEALER else 0)
        other = theirs + (heels if role == PONE else 0)
        if own >= TARGET or other >= TARGET:
            end = objective.gained(other) if own >= TARGET else objective.given(own)
            chance += sum(shows.values()) * end
            continue
        for more, others, share in pegs:
            if own + more >= TARGET or other + others >= TARGET:
                won = _pegs_out(own, more, other, others)
                end = won * objective.gained(other + others)
                end += (1 - won) * objective.given(own + more)
                chance += share * end * sum(shows.values())
                continue
            some = 0.0
            before = own + more if role == DEALER else other + others
            before = before if margins else 0
            for (hand, crib), likely in shows.items():
                some += likely * counted(
                    role, starter, own + more + hand, other + others + crib, before, objective
                )
            chance += share * some
    return chance


def _pegs_out(own: int, more: int, other: int, others: int) -> float:
    """Return 1 if our side reaches the target in the play, or 0 if the opponent does. If both would
    reach it, the side that needs the smaller fraction of its points wins."""
    if other + others < TARGET:
        return 1.0
    if own + more < TARGET:
        return 0.0
    mine, theirs = (TARGET - own) / more, (TARGET - other) / others
    return 0.5 if mine == theirs else float(mine < theirs)


def _shows(throw: Throw, unseen: Unseen) -> dict[int, dict[tuple[int, int], float]]:
    """Return the joint distribution of counted points, by the rank of the starter. Our side counts
    its hand and, as dealer, the crib. Otherwise the opponent counts the crib."""
    a, b, c, d = throw.kept
    hands: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for card in unseen.cards:
        hands[card % 13][total(a, b, c, d, card)] += 1
    one, two = throw.cards
    points = crib_points(one % 13, two % 13)
    pairs = len(PAIRS)
    mean = sum(weight * worth for weight, worth in zip(unseen.weights, points, strict=True))
    suits = throw.crib - mean  # ranks alone do not determine flushes and his nobs
    found = {}
    for starter, hand in hands.items():
        cribs: dict[int, float] = defaultdict(float)
        begin = starter * pairs
        for place in range(begin, begin + pairs):
            weight = unseen.weights[place]
            cribs[points[place]] += weight * (1 - suits)
            cribs[points[place] + 1] += weight * suits
        cards = sum(hand.values())
        both: dict[tuple[int, int], float] = defaultdict(float)
        for worth, times in hand.items():
            for crib, weight in cribs.items():
                key = (worth, crib) if throw.role == PONE else (worth + crib, 0)
                both[key] += times / cards * weight
        found[starter] = both
    return found


@lru_cache(maxsize=4096)
def _pegs(role: int, kept: tuple[int, ...], average: bool) -> Pegs:
    """Return the distribution of points in the play for a hand of these ranks. With `average`, only
    the means are correct."""
    own, other = pegging(role, kept)
    if average:
        low, rest = divmod(own, 1)
        others, more = divmod(other, 1)
        return tuple(
            (int(low) + a, int(others) + b, (rest if a else 1 - rest) * (more if b else 1 - more))
            for a in (0, 1)
            for b in (0, 1)
        )
    return _tilted(own, other, _cells(role))


def _cells(role: int) -> list[tuple[int, int, float]]:
    """Return the likely outcomes of the play of an average hand. Each contains the player's points,
    the opponent's points and the probability."""
    return [
        (pone, dealer, chance) if role == PONE else (dealer, pone, chance)
        for pone, dealer, chance in load().pegged
        if chance >= _RARE
    ]


def _tilted(own: float, other: float, cells: Sequence[tuple[int, int, float]]) -> Pegs:
    """Return a distribution of points, with its probabilities adjusted so that the means are `own`
    and `other`."""
    whole = sum(chance for _, _, chance in cells)
    means = [sum(cell[side] * cell[2] for cell in cells) / whole for side in (0, 1)]
    spread = [
        sum((cell[side] - means[side]) ** 2 * cell[2] for cell in cells) / whole for side in (0, 1)
    ]
    slope = ((own - means[0]) / spread[0], (other - means[1]) / spread[1])
    tilted = [
        (x, y, max(0.0, chance * (1 + slope[0] * (x - means[0]) + slope[1] * (y - means[1]))))
        for x, y, chance in cells
    ]
    whole = sum(chance for _, _, chance in tilted)
    return tuple((x, y, chance / whole) for x, y, chance in tilted if chance)
