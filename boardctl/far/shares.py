"""Shares, with which a house opens pack positions to the other house and to nobody else.

The share of a position is the position's curve point without the house's lock. The house proves
that it removed only the lock that corresponds to its public key from all these points (Chaum and
Pedersen, "Wallet Databases with Observers", CRYPTO 1992). One proof covers the weighted sum of all
positions. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boardctl.far import group
from boardctl.far.group import ORDER, POINT, NotInGroup
from boardctl.far.shuffle import NoProof, Pack


class Shares(NamedTuple):
    """The opened positions, and the proof."""

    places: tuple[int, ...]
    """The opened positions in ascending order, each once."""
    points: Pack
    """U, in the order of `places`."""
    challenge: bytes
    """x."""
    answer: int
    """s."""

    @property
    def raw(self) -> bytes:
        """The encoded points, challenge and answer, 32 bytes each."""
        return b"".join((*self.points, self.challenge, group.encoded(self.answer)))


def parsed(places: Sequence[int], raw: bytes) -> Shares:
    """Decode the shares of these positions from bytes.

    Raises:
        NoProof: `form` if there is no position, the positions are not in ascending order, or the
            bytes have the wrong length or do not encode a number.
    """
    words = [raw[at : at + POINT] for at in range(0, len(raw), POINT)]
    rising = list(places) == sorted(set(places))
    if not places or not rising or len(raw) != POINT * (len(places) + 2):
        raise NoProof("form")
    try:
        answer = group.decoded(words[-1])
    except NotInGroup:
        raise NoProof("form") from None
    return Shares(tuple(places), tuple(words[:-2]), words[-2], answer)


def prove(
    secret: bytes, lock: int, session: bytes, party: int, places: Sequence[int], pack: Pack
) -> Shares:
    """Remove a house's lock from the points at these positions, and prove that no other change was
    made.

    Args:
        secret: the house's 32 secret bytes, which determine the nonce.
        lock: the house's k.
        session: the hash of both shuffles of the deal.
        house: 1 or 2.
        places: the positions of the points to open, in any order.
        pack: the points of the second shuffle, by position.
    """
    places = tuple(sorted(set(places)))
    key, off = group.generated(lock), pow(lock, -1, ORDER)
    locked = tuple(pack[place] for place in places)
    points = tuple(group.multiple(off, point) for point in locked)
    claim = _claim(session, party, key, places, points, locked)
    mask = group.number("nonce share", secret, claim)
    up, _ = _sums(claim, points, locked)
    challenge = _challenge(claim, group.generated(mask), group.multiple(mask, up))
    answer = (mask + int.from_bytes(challenge, "little") * lock) % ORDER
    return Shares(places, points, challenge, answer)


def verify(session: bytes, party: int, key: bytes, pack: Pack, given: Shares) -> None:
    """Check another house's shares of a deal against its public key.

    Raises:
        NoProof: `form` if a position is not in the pack, `proof` if a point is not in the group or
            more than this house's lock was removed from it.
    """
    if not 0 <= given.places[0] <= given.places[-1] < len(pack):
        raise NoProof("form")
    locked = tuple(pack[place] for place in given.places)
    claim = _claim(session, party, key, given.places, given.points, locked)
    x = int.from_bytes(given.challenge, "little")
    try:
        up, down = _sums(claim, given.points, locked)
        of_key = group.minus(group.generated(given.answer), group.multiple(x, key))
        of_point = group.minus(group.multiple(given.answer, up), group.multiple(x, down))
    except NotInGroup:
        raise NoProof("proof") from None
    if _challenge(claim, of_key, of_point) != given.challenge:
        raise NoProof("proof")


def _claim(
    session: bytes, party: int, key: bytes, places: Sequence[int], points: Pack, locked: Pack
) -> bytes:
    place_hash = group.step("places", *map(group.index, places))
    return group.step("share", session, group.index(party), place_hash, key, *points, *locked)


def _sums(claim: bytes, points: Pack, locked: Pack) -> tuple[bytes, bytes]:
    """Return the weighted sums of both lists of points. Because the weights depend on all pairs, if
    a pair does not have the ratio k, the sums have that ratio only with a probability of 1/L, where
    L is the order of the group."""
    if len(points) == 1:
        return points[0], locked[0]
    weights = [group.number("weight", claim, group.index(n)) for n in range(len(points))]
    return group.combination(weights, points), group.combination(weights, locked)


def _challenge(claim: bytes, of_key: bytes, of_point: bytes) -> bytes:
    return group.step("share challenge", claim, of_key, of_point)[:POINT]
