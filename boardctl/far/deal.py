"""The deal of one pack by two houses, neither of which can look, choose or change a card.

Mental poker after Shamir, Rivest and Adleman, with a key for every card after the shuffle; what is
proven when stands in docs/far.md. House 1 locks and shuffles, house 2 locks and shuffles again,
then each in turn replaces its one lock by a lock for every place:

    pack 1 = key1 * card[order1]        house 1, with the commitment to its secret
    pack 2 = key2 * pack1[order2]       house 2, with its commitment
    pack 3 = place1 / key1 * pack2      house 1
    pack 4 = place2 / key2 * pack3      house 2

A card is seen by whom the other house gives its key of the place. Everything that a house does
follows from its secret, to which it has committed itself before it saw anything, and from what it
was sent; when the deal is over both tell their secrets, and each computes every pack and key of
the other again: whatever differs is a deviation. Packs have `size` points of 32 bytes, places and
cards are numbered from 0. Pure: the secret is passed in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from boardctl.far import group
from boardctl.record import sealed

Pack = tuple[bytes, ...]
PACKS: Final = 4
MOST: Final = 512
"""The most cards of a pack."""


class Deviation(Exception):
    """What the other house did is not what the protocol says. The code is stable: docs/far.md lists
    all. In a game of two it can only have been the other house: a message that somebody between
    them has changed does not get as far as this."""

    def __init__(self, code: str, **fields: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.fields: Mapping[str, int | str] = fields


class Terms(NamedTuple):
    """What a deal is bound to: the game (its 32 bytes are drawn by both houses), the number of the
    deal in it, and the number of cards."""

    game: bytes
    number: int
    size: int


@dataclass(frozen=True)
class Deal:
    """One house's side of a deal. `house`: 1 or 2; `secret`: its 32 bytes; `other`: the other's
    commitment, empty until it came; `packs`: those made so far, by both; `keys`: the other's keys
    by place, as given; `seen`: the cards by place, as far as they are open to this house."""

    terms: Terms
    house: int
    secret: bytes
    other: str = ""
    packs: tuple[Pack, ...] = ()
    keys: Mapping[int, bytes] = field(default_factory=dict)
    seen: Mapping[int, int] = field(default_factory=dict)

    @property
    def is_dealt(self) -> bool:
        """Whether all four packs are there, so that cards may be opened."""
        return len(self.packs) == PACKS

    @property
    def is_ours(self) -> bool:
        """Whether the next pack is this house's to make."""
        return not self.is_dealt and len(self.packs) % 2 == self.house - 1

    @property
    def commitment(self) -> str:
        """The commitment to this house's secret."""
        return sealed.commitment(self.secret)


def make(deal: Deal) -> tuple[Deal, Pack]:
    """Make the next pack, which is this house's."""
    made = _pack(deal.terms, deal.house, deal.secret, deal.packs)
    return replace(deal, packs=(*deal.packs, made)), made


def take(deal: Deal, pack: Sequence[bytes], commitment: str = "") -> Deal:
    """Take the next pack from the other house, its first with its commitment. Raises Deviation:
    `out-of-turn`, `no-commitment`, `bad-pack`."""
    if deal.is_dealt or deal.is_ours:
        raise Deviation("out-of-turn", number=deal.terms.number)
    if not deal.other and not (len(commitment) == 64 and set(commitment) <= _HEX):
        raise Deviation("no-commitment", number=deal.terms.number)
    if deal.other and commitment:
        raise Deviation("out-of-turn", number=deal.terms.number)
    whole = len(pack) == deal.terms.size == len(set(pack))
    if not whole or not group.are_points(pack):
        raise Deviation("bad-pack", number=deal.terms.number, pack=len(deal.packs) + 1)
    packs = (*deal.packs, tuple(pack))
    return replace(deal, packs=packs, other=deal.other or commitment)


def key(deal: Deal, place: int) -> bytes:
    """This house's key of a place: given away, it opens this card to the other house, and no other
    card to anybody."""
    return _place(deal.terms, deal.secret, place)


def open_place(deal: Deal, place: int, other: bytes) -> Deal:
    """Open the card of a place with the other house's key of it.

    Raises:
        Deviation: `out-of-turn` before all packs are made, or if there is no such place;
            `key-changed` if another key of it came before; `wrong-key` if this is no key, or
            what it opens is not a card; `card-twice` if that card was opened at another place.
    """
    number = deal.terms.number
    if not deal.is_dealt or not 0 <= place < deal.terms.size:
        raise Deviation("out-of-turn", number=number)
    if deal.keys.get(place, other) != other:
        raise Deviation("key-changed", number=number, place=place)
    if place in deal.seen:
        return deal
    if not group.is_key(other):
        raise Deviation("wrong-key", number=number, place=place)
    off = group.inverse(group.both(key(deal, place), other))
    cards = group.cards(*deal.terms)
    point = group.lock(off, deal.packs[-1][place])
    if point not in cards:
        raise Deviation("wrong-key", number=number, place=place)
    card = cards.index(point)
    if card in deal.seen.values():
        raise Deviation("card-twice", number=number, place=place)
    keys, seen = {**deal.keys, place: other}, {**deal.seen, place: card}
    return replace(deal, keys=keys, seen=seen)


def close(deal: Deal, secret: bytes) -> tuple[int, ...]:
    """The cards of a finished deal by place, from the other house's secret. Raises Deviation if
    anything that it did does not follow from its secret: `wrong-secret`, `wrong-pack`, `wrong-key`.
    A deal may be closed before it was complete."""
    terms, house = deal.terms, 3 - deal.house
    check(terms, house, secret, deal.other, deal.packs, deal.keys)
    if not deal.is_dealt:
        return ()
    one, two = (deal.secret, secret) if deal.house == 1 else (secret, deal.secret)
    return order(terms, one, two)


def check(
    terms: Terms,
    house: int,
    secret: bytes,
    commitment: str,
    packs: Sequence[Pack],
    keys: Mapping[int, bytes],
) -> None:
    """Check what a house sent in a deal against its secret, which it gives at the end.

    Args:
        terms: of the deal.
        house: 1 or 2.
        secret: from which all that it sent must follow.
        commitment: what it committed itself to before the first pack.
        packs: those made so far by both houses, in order; each has a point for every place.
        keys: those that it gave away, by place.

    Raises:
        Deviation: as `close` does.
    """
    number = terms.number
    if len(packs) < house:  # it has sent nothing yet
        return
    if len(secret) != sealed.SECRET_BYTES or sealed.commitment(secret) != commitment:
        raise Deviation("wrong-secret", number=number)
    for place in range(house - 1, len(packs), 2):
        if _pack(terms, house, secret, packs[:place]) != packs[place]:
            raise Deviation("wrong-pack", number=number, pack=place + 1)
    for place, given in keys.items():
        if _place(terms, secret, place) != given:
            raise Deviation("wrong-key", number=number, place=place)


def order(terms: Terms, one: bytes, two: bytes) -> tuple[int, ...]:
    """The cards by place, as indices from 0, that follow from the secrets `one` of house 1
    and `two` of house 2."""
    first, second = _order(terms, one), _order(terms, two)
    return tuple(first[place] for place in second)


_HEX: Final = frozenset("0123456789abcdef")


def _pack(terms: Terms, house: int, secret: bytes, before: Sequence[Pack]) -> Pack:
    """The next pack after those before it."""
    own = group.scalar("lock", *_bound(terms), secret)
    if len(before) < 2:
        pack = before[0] if before else group.cards(*terms)
        return tuple(group.lock(own, pack[place]) for place in _order(terms, secret))
    off = group.inverse(own)
    return tuple(
        group.lock(group.both(_place(terms, secret, place), off), point)
        for place, point in enumerate(before[-1])
    )


def _place(terms: Terms, secret: bytes, place: int) -> bytes:
    return group.scalar("place", *_bound(terms), place.to_bytes(2, "big"), secret)


def _order(terms: Terms, secret: bytes) -> tuple[int, ...]:
    drawn = group.digest("order", *_bound(terms), secret)
    return sealed.permutation(drawn, terms.size)


def _bound(terms: Terms) -> tuple[bytes, ...]:
    return terms.game, terms.number.to_bytes(4, "big"), terms.size.to_bytes(2, "big")
