"""Play the other variants of cribbage: five-card cribbage, and games with three or four players.

From level 3 on, throws and cards are tried in sampled deals (`pegging`). The gain of a throw is the
average score of its hand over all starters, plus the averages of crib and play over the samples.
The gain of a card is the average number of points that follow in the play of the samples.
Opponents' points are subtracted. With three players, only half of these points are subtracted.

Level 2 judges a throw by the average hand over all starters, plus or minus the score of the thrown
cards alone. It plays cautiously (`series`). Up to level 1, the player plays any legal line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from boardctl.bot import SLIPS
from boardctl.bot.pegging import Unseen, play_out, samples, together, tried
from boardctl.bot.series import START, code, follow
from boardctl.bot.totals import RANK_KEYS, RANK_ROWS
from boardctl.games.cards import CARDS, Card
from boardctl.games.cribbage import show
from boardctl.games.cribbage.point_claims import State

SAMPLES: Final = 120
"""The number of sampled deals in which a card, or the play after a throw, is tried."""
CRIBS: Final = 480
"""The number of sampled deals in which the crib after a throw is counted."""
_WON: Final = 100.0
"""The bonus for reaching the target, in points."""


class Throw(NamedTuple):
    """A throw, the kept hand's average points over all starters, and these points plus the gain in
    crib and play."""

    cards: tuple[Card, ...]
    hand: float
    worth: float


def throw(state: State, hand: Sequence[Card], seat: int, level: int, random: Random) -> Throw:
    """Return the throw from a full hand.

    Args:
        state: the state of the game before the throw.
        hand: the cards dealt.
        seat: from 1.
        level: one of `LEVELS`.
        random: draws slips and samples.
    """
    assert state.deal is not None
    if level < 2:
        away = tuple(random.sample(list(hand), state.deal.size - state.deal.keep))
        return Throw(away, 0.0, 0.0)
    if random.random() < SLIPS.get(level, 1.0):
        return by_rule(state, hand, seat)[0]
    return throws(state, hand, seat)[0]


def throws(state: State, hand: Sequence[Card], seat: int) -> list[Throw]:
    """Return every throw from a full hand, best first. The figures for a hand are always the
    same."""
    assert state.deal is not None
    weights, once = _weights(state, seat), _is_one_series(state)
    dealer = state.sheet.dealer or seat
    own = tuple(map(CARDS.index, hand))
    unseen = Unseen(
        tuple(card for card in range(len(CARDS)) if card not in own),
        state.deal.size,
        state.deal.keep,
        seat - 1,
        ((),) * len(weights),
        (0,) * len(weights),
        _owns_crib(state, dealer),
    )
    away = state.deal.size - state.deal.keep
    found = []
    for sample in samples(unseen, CRIBS, Random(repr((sorted(own), seat, dealer)))):
        thrown = [card for some in sample.thrown for card in some]
        *more, starter = sample.undealt[: 4 - away - len(thrown) + 1]
        hands = [code(card % 13 for card in some) for some in sample.hands]
        found.append((_key((*thrown, *more)), starter, hands))
    starters = [card for card in CARDS if card not in hand]

    def weighed(thrown: tuple[Card, ...]) -> Throw:
        kept = [card for card in hand if card not in thrown]
        points = _average_points(kept, starters)
        own_key = _key(map(CARDS.index, thrown))
        ranks = code((card.rank or 1) - 1 for card in kept)
        cribs = float(sum(RANK_ROWS[own_key + key][starter] for key, starter, _ in found))
        pegged = 0.0
        for _, _, others in found[:SAMPLES]:
            hands = others.copy()
            hands[seat - 1] = ranks
            pegs = play_out(START, hands, dealer % len(weights), dealer - 1, 0, once=once)
            pegged += _gained(weights, pegs)
        gained = weights[dealer - 1] * cribs / len(found) + pegged / min(SAMPLES, len(found))
        return Throw(thrown, points, points + gained)

    return sorted(map(weighed, combinations(hand, away)), key=lambda one: -one.worth)


def by_rule(state: State, hand: Sequence[Card], seat: int) -> list[Throw]:
    """Return every throw from a full hand, best first by the rule of level 2."""
    assert state.deal is not None
    dealer = state.sheet.dealer or seat
    side = state.setup.side
    sign = 1 if side(seat) == side(dealer) else -1
    starters = [card for card in CARDS if card not in hand]

    def weighed(away: tuple[Card, ...]) -> Throw:
        points = _average_points([card for card in hand if card not in away], starters)
        return Throw(
            away,
            points,
            points + sign * together(tuple(sorted((card.rank or 1) - 1 for card in away))),
        )

    found = map(weighed, combinations(hand, state.deal.size - state.deal.keep))
    return sorted(found, key=lambda throw: -throw.worth)


def _is_one_series(state: State) -> bool:
    """Return whether the play ends with its first series (docs/rules/cribbage.md 8.3)."""
    return state.deal is not None and state.deal.keep == 3


def _weights(state: State, seat: int) -> list[float]:
    """Return the value that a point scored by each seat has for the deciding seat: 1 if the seat is
    on the deciding side, otherwise -1 divided by the number of other sides."""
    side = state.setup.side
    seats = range(1, len(state.setup.seats) + 1)
    others = len({side(other) for other in seats}) - 1
    return [1.0 if side(other) == side(seat) else -1.0 / others for other in seats]


def _gained(weights: Sequence[float], pegs: Sequence[int]) -> float:
    return sum(weight * peg for weight, peg in zip(weights, pegs, strict=True))


def _key(cards: Iterable[int]) -> int:
    """Return the contribution of these cards to a key of `RANK_ROWS`."""
    return sum(RANK_KEYS[card % 13] for card in cards)


def _owns_crib(state: State, dealer: int) -> tuple[bool, ...]:
    side = state.setup.side
    return tuple(side(seat) == side(dealer) for seat in range(1, len(state.setup.seats) + 1))


def _average_points(kept: Sequence[Card], starters: Sequence[Card]) -> float:
    """Return the average points of a hand over these starters."""
    points = (item.points for starter in starters for item in show.count(kept, starter))
    return sum(points) / len(starters)


def card(
    state: State,
    dealt: Sequence[Card],
    held: Sequence[Card],
    seat: int,
    level: int,
    random: Random,
) -> Card | None:
    """Return the card to play, or None if no card can be played.

    Args:
        state: the state of the game during the play.
        dealt: all cards dealt to the seat.
        held: the cards that the seat still holds.
        seat: from 1.
        level: one of `LEVELS`.
        random: draws slips and samples.
    """
    assert state.deal is not None
    by_habit = cautious(state.deal.series, held)
    if by_habit is None:
        return None
    node = follow([(some.rank or 1) - 1 for some in state.deal.series])
    fits = [some for some in held if node.open()[(some.rank or 1) - 1] is not None]
    if level < 2:
        return random.choice(fits)
    if random.random() < SLIPS.get(level, 1.0):
        return by_habit
    found = cards(state, dealt, held, seat, random)
    best = max(found, key=lambda one: one[1])[0] if found else by_habit.rank
    return by_habit if best == by_habit.rank else next(one for one in fits if one.rank == best)


def cards(
    state: State, dealt: Sequence[Card], held: Sequence[Card], seat: int, random: Random
) -> list[tuple[int, float]]:
    """Return the playable ranks (1 to 13), each with the points that playing it gains in the rest
    of the play.

    The list is empty if there is no choice, or if an open card has no rank. The arguments are those
    of `card`.
    """
    deal = state.deal
    assert deal is not None
    node = follow((some.rank or 1) - 1 for some in deal.series)
    ranks = sorted({some.rank for some in held if some.rank and node.open()[some.rank - 1]})
    played = tuple(tuple((some.rank or 0) - 1 for some in own) for own in deal.played)
    if len(ranks) < 2 or deal.starter is None or any(-1 in some for some in played):
        return []
    open_cards = {some.plain for own in deal.played for some in own}
    seen = {some.plain for some in dealt} | {deal.starter.plain} | open_cards
    unseen = Unseen(
        tuple(place for place, some in enumerate(CARDS) if some not in seen),
        deal.size,
        deal.keep,
        seat - 1,
        played,
        deal.floors,
        _owns_crib(state, state.sheet.dealer or seat),
    )
    weights, target, once = _weights(state, seat), state.target, _is_one_series(state)
    score = state.sheet.scores[state.setup.side(seat) - 1]
    mine = code((some.rank or 1) - 1 for some in held)
    worth = dict.fromkeys(ranks, 0.0)
    number = 0
    for sample in samples(unseen, SAMPLES, random):
        hands = [code(some % 13 for some in own) for own in sample.hands]
        hands[seat - 1] = mine
        number += 1
        for rank in ranks:
            pegs = tried(node, rank - 1, hands, seat - 1, deal.passed >> 1, once=once)
            assert pegs is not None
            worth[rank] += _gained(weights, pegs)
    if not number:
        return []
    for rank in ranks:
        if score + node.points(rank - 1) >= target:
            worth[rank] += _WON * number
    return [(rank, total / number) for rank, total in worth.items()]


def cautious(series: Sequence[Card], held: Sequence[Card]) -> Card | None:
    """Return the card that a cautious player adds to a series, or None if no card can be played."""
    node = follow([(some.rank or 1) - 1 for some in series])
    reply = node.reply(code([(some.rank or 1) - 1 for some in held])) if held else None
    if reply is None:
        return None
    return next(some for some in held if (some.rank or 1) - 1 == reply[0])
