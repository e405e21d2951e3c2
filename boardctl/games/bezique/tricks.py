"""Tricks: who wins one, what it is worth, and which cards the follower had to play.

Sources: docs/rules/bezique.md 2.3, 3 and 6; docs/rules/pinochle.md 1.5 and 1.9.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from boardctl.games.bezique.game_spec import GameSpec, RuleOptions
from boardctl.games.cards import Card, Suit


def duties(
    spec: GameSpec, options: RuleOptions, lead: Card, card: Card, trump: Suit | None
) -> Iterator[tuple[str, frozenset[Card]]]:
    """What the hand cannot have held if `card` was a legal reply to `lead` in the last tricks: the
    code of each duty, and the cards that would have had to be played instead (3.1)."""
    pack, beats = spec.pack, spec.trick.beats
    if card.suit == lead.suit:
        heads = options.heading == "always" or (options.heading == "trumps" and lead.suit == trump)
        if heads and not beats(card, lead, lead.suit, trump):
            suited = (c for c in pack if c.suit == lead.suit)
            yield "must-beat", frozenset(c for c in suited if beats(c, lead, lead.suit, trump))
        return
    yield "must-follow", frozenset(c for c in pack if c.suit == lead.suit)
    if options.trumping and trump is not None and card.suit != trump:
        yield "must-trump", frozenset(c for c in pack if c.suit == trump)


def worth(spec: GameSpec, cards: tuple[Card, ...]) -> int:
    """The trick points of some cards."""
    return sum(spec.trick_points.get(card.rank, 0) for card in cards if card.rank is not None)


def rounded(points: int) -> int:
    """Round to tens; 7, 8 and 9 round up (Pinochle's `round_trick_points`)."""
    return (points + 3) // 10 * 10


@cache
def shares(spec: GameSpec, round_tens: bool) -> Mapping[int, frozenset[int]]:
    """Every possible trick point total of one player, and the totals the other can then enter.

    A player takes an even number of cards, and one player also takes the last trick; so Pinochle
    never gives 1 point, nor 249. If points are rounded, they may be entered rounded or exact.
    """
    even, odd = {0}, set[int]()
    for card in spec.pack:
        points = worth(spec, (card,))
        for _ in range(spec.copies):
            even, odd = (
                even | {taken + points for taken in odd},
                odd | {taken + points for taken in even},
            )
    possible = even | {taken + spec.last_trick for taken in even}
    totals: dict[int, set[int]] = {}
    for mine in possible:
        other = spec.trick_total - mine
        if other not in possible:
            continue
        for said in {mine, rounded(mine)} if round_tens else {mine}:
            totals.setdefault(said, set()).update(
                {other, rounded(other)} if round_tens else {other}
            )
    return {said: frozenset(others) for said, others in sorted(totals.items())}
