"""Check a version 1.0 deal in the file of a finished game. New deals never use that protocol.

In version 1.0, each house locked and shuffled the pack, then replaced its lock with a separate lock
for each position, without a proof. Every step was determined by the house's secret, which was
revealed after the deal. A house could therefore choose cards, but would have been detected
afterwards. A file with both secrets can still be checked. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardctl.far import group
from boardctl.far.deal import Deviation
from boardctl.far.group import ORDER, POINT
from boardctl.far.shuffle import Pack, Terms
from boardctl.record import sealed

PACKS: Final = 4


def order(
    terms: Terms, secrets: Sequence[bytes], commitments: Sequence[str], packs: Sequence[Pack]
) -> tuple[int, ...]:
    """Return the cards by position, or no cards if the deal was not complete.

    Args:
        terms: the deal's terms.
        secrets: the secrets of house 1 and of house 2.
        commitments: the commitments to these secrets, in hexadecimal digits.
        packs: the packs that the houses sent in turn, at most four.

    Raises:
        Deviation: `wrong-secret` or `wrong-pack` if a step does not follow from the secrets.
    """
    for house, secret in enumerate(secrets):
        sent = len(packs) > house
        if sent and (len(secret) != POINT or sealed.commitment(secret) != commitments[house]):
            raise Deviation("wrong-secret", number=terms.number)
    before: Pack = tuple(_card(terms, card) for card in range(terms.size))
    for number, pack in enumerate(packs):
        before = _pack(terms, secrets[number % 2], number, before)
        if before != pack:
            raise Deviation("wrong-pack", number=terms.number, pack=number + 1)
    if len(packs) < PACKS:
        return ()
    first, second = (_order(terms, secret) for secret in secrets)
    return tuple(first[place] for place in second)


def _pack(terms: Terms, secret: bytes, number: int, before: Pack) -> Pack:
    lock = _key("lock", *_bound(terms), secret)
    if number < PACKS // 2:
        return tuple(group.multiple(lock, before[place]) for place in _order(terms, secret))
    off = pow(lock, -1, ORDER)
    return tuple(
        group.multiple(_key("place", *_bound(terms), place.to_bytes(2, "big"), secret) * off, point)
        for place, point in enumerate(before)
    )


def _order(terms: Terms, secret: bytes) -> tuple[int, ...]:
    return sealed.permutation(group.digest("order", *_bound(terms), secret), terms.size)


def _key(label: str, *parts: bytes) -> int:
    return int.from_bytes(group.digest(label, *parts), "little") % ORDER


def _card(terms: Terms, card: int) -> bytes:
    """Return a card's curve point: the first hash that encodes a point, multiplied by the
    cofactor."""
    for attempt in range(1 << 16):
        tried = attempt.to_bytes(2, "big")
        hashed = group.digest("card", *_bound(terms), card.to_bytes(2, "big"), tried)[:POINT]
        try:
            point = hashed
            for _ in range(3):
                point = group.plus(point, point)
            return group.multiple(1, point)
        except group.NotInGroup:
            continue
    raise AssertionError("65,536 hashes in a row are no point")


def _bound(terms: Terms) -> tuple[bytes, ...]:
    return terms.game, terms.number.to_bytes(4, "big"), terms.size.to_bytes(2, "big")
