"""The deal of one pack between two houses, in which neither can look at, choose or change a card.

House 1 locks and shuffles the cards, house 2 locks and shuffles the result, and each house proves
that it did so (`shuffle`). No card is opened until both proofs have been verified. Each position in
the pack then holds a card that neither house knows. A house opens a position to the other house by
sending its share (`shares`). After the deal, both houses reveal their locks, which open every card
to everybody. docs/far-protocol.md explains the guarantees.

A house's actions depend only on its secret and the messages it has received, so they are the same
after a power cut. Positions and cards are numbered from 0. Pure: the caller passes the secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from boardctl.far import group, shares, shuffle
from boardctl.far.group import ORDER
from boardctl.far.shares import Shares
from boardctl.far.shuffle import NoProof, Pack, Statement, Terms

BOTH: Final = 2
"""The number of shuffles in a deal, one by each house. House 1 shuffles first."""


class Deviation(Exception):
    """A violation of the protocol by the other house. The codes are stable. docs/far-protocol.md
    lists them. Messages altered by third parties are dropped earlier, so only the other house can
    be responsible.
    """

    def __init__(self, code: str, **fields: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.fields: Mapping[str, int | str] = fields


class NotDue(RuntimeError):
    """The error for a step that is not this house's next step. It indicates a bug in the caller."""


class Locked(NamedTuple):
    """The data kept from a shuffle whose proof is valid."""

    key: bytes
    """The house's public key K."""
    pack: Pack
    digest: bytes
    """The hash of the whole message, including the proof."""


@dataclass(frozen=True)
class Deal:
    """One house's side of a deal."""

    terms: Terms
    party: int
    """1 or 2."""
    secret: bytes
    """The house's 32 secret bytes, which determine everything that the house draws. They never
    leave the house."""
    lock: int = 0
    """The house's lock k, once the house has shuffled."""
    shuffles: tuple[Locked, ...] = ()
    """The shuffles made or verified so far."""
    points: Mapping[int, bytes] = field(default_factory=dict)
    """The other house's shares, by position."""
    seen_cards: Mapping[int, int] = field(default_factory=dict)
    """The cards that this house has seen, by position."""

    @property
    def is_dealt(self) -> bool:
        """Whether both houses have shuffled, so that cards can be opened."""
        return len(self.shuffles) == BOTH

    @property
    def is_ours(self) -> bool:
        """Whether this house must make the next shuffle."""
        return len(self.shuffles) == self.party - 1

    @property
    def session(self) -> bytes:
        """The hash of both shuffles. Shares are bound to this hash."""
        digests = (one.digest for one in self.shuffles)
        return group.step("session", self.terms.bound, *digests)


def _statement(deal: Deal) -> Statement:
    """Return the input of the next shuffle."""
    if not deal.shuffles:
        return Statement(deal.terms, 1, b"", shuffle.cards(deal.terms))
    first = deal.shuffles[0]
    return Statement(deal.terms, 2, first.digest, first.pack)


def _digest(raw: bytes) -> bytes:
    return group.step("message", raw)


def make(deal: Deal) -> tuple[Deal, bytes]:
    """Make this house's shuffle, and return the deal and the message. Raises NotDue if it is not
    this house's turn."""
    if not deal.is_ours:
        raise NotDue("the next shuffle is the other house's")
    statement = _statement(deal)
    made = shuffle.prove(deal.secret, statement)
    locked = Locked(made.key, made.pack, _digest(made.raw))
    lock = shuffle.lock_of(deal.secret, statement)
    return replace(deal, lock=lock, shuffles=(*deal.shuffles, locked)), made.raw


def take(deal: Deal, raw: bytes) -> Deal:
    """Accept the other house's shuffle if its proof is valid.

    Raises:
        Deviation: `out-of-turn` if another step is next, `bad-pack` if the message is not a
            shuffle, `wrong-proof` if the proof fails.
    """
    number = deal.terms.number
    if deal.is_dealt or deal.is_ours:
        raise Deviation("out-of-turn", number=number)
    try:
        given = shuffle.parsed(raw, deal.terms.size)
        shuffle.verify(_statement(deal), given)
    except NoProof as error:
        code = "bad-pack" if error.args == ("form",) else "wrong-proof"
        raise Deviation(code, number=number) from None
    locked = Locked(given.key, given.pack, _digest(raw))
    return replace(deal, shuffles=(*deal.shuffles, locked))


def share(deal: Deal, places: Sequence[int]) -> Shares:
    """Return this house's shares of some positions. They open these cards to the other house, and
    do not open any other card to anybody.

    Raises:
        NotDue: before both shuffles are proven. A share of an unproven pack would remove this
            house's lock from any point chosen by the other house.
    """
    if not deal.is_dealt:
        raise NotDue("no place is opened before both shuffles are proven")
    pack = deal.shuffles[-1].pack
    return shares.prove(deal.secret, deal.lock, deal.session, deal.party, places, pack)


def see(deal: Deal, given: Shares) -> Deal:
    """Open the cards at some positions with the other house's shares of these positions.

    Raises:
        Deviation: `out-of-turn` before both houses have shuffled, or if there is no such position;
            `wrong-share` if the proof does not hold.
    """
    number, place = deal.terms.number, given.places[0]
    if not deal.is_dealt:
        raise Deviation("out-of-turn", number=number)
    theirs = deal.shuffles[BOTH - deal.party]
    try:
        pack = deal.shuffles[-1].pack
        shares.verify(deal.session, BOTH + 1 - deal.party, theirs.key, pack, given)
    except NoProof as error:
        code = "out-of-turn" if error.args == ("form",) else "wrong-share"
        raise Deviation(code, number=number, place=place) from None
    off = pow(deal.lock, -1, ORDER)
    cards = shuffle.cards(deal.terms)
    opened = [group.multiple(off, point) for point in given.points]
    if not set(opened) <= set(cards):  # these proofs ensure that every point is a card
        raise Deviation("wrong-share", number=number, place=place)
    found = [cards.index(point) for point in opened]
    points = {**deal.points, **dict(zip(given.places, given.points, strict=True))}
    seen = {**deal.seen_cards, **dict(zip(given.places, found, strict=True))}
    return replace(deal, points=points, seen_cards=seen)


def close(deal: Deal, lock: bytes, places: Iterable[int]) -> dict[int, int]:
    """Return the cards of a finished deal at these positions, opened with the other house's lock.

    The remaining positions stay closed. Because the proofs of both shuffles are valid, each
    position contains a different card of the deal.

    Raises:
        Deviation: `wrong-lock` if the lock does not match the house's public key.
    """
    try:
        revealed = group.decoded(lock)
        is_true = group.generated(revealed) == deal.shuffles[BOTH - deal.party].key
    except group.NotInGroup:
        is_true = False
    if not is_true:
        raise Deviation("wrong-lock", number=deal.terms.number)
    cards = {point: card for card, point in enumerate(shuffle.cards(deal.terms))}
    off, pack = pow(deal.lock * revealed, -1, ORDER), deal.shuffles[-1].pack
    opened = {
        place: group.multiple(off, pack[place]) for place in places if place not in deal.seen_cards
    }
    if not set(opened.values()) <= cards.keys():  # both proofs ensure that every point is a card
        raise Deviation("wrong-proof", number=deal.terms.number)
    return {**deal.seen_cards, **{place: cards[point] for place, point in opened.items()}}


def order(
    terms: Terms, keys: Sequence[bytes], packs: Sequence[Pack], locks: Sequence[bytes]
) -> tuple[int, ...]:
    """Return the cards of a finished deal by position, after a check that anybody can repeat: each
    pack is unlocked and compared with the previous pack. No cryptographic proof is needed, because
    both locks are known.

    Args:
        terms: the deal's terms.
        keys: the public keys of house 1 and of house 2.
        packs: the packs of both houses.
        locks: the locks of both houses.

    Raises:
        Deviation: `wrong-lock` if a lock does not match its key, `wrong-proof` if a pack is not the
            previous pack, locked and shuffled.
    """
    source = shuffle.cards(terms)
    order = tuple(range(terms.size))
    for key, pack, lock in zip(keys, packs, locks, strict=True):
        places = {point: place for place, point in enumerate(source)}
        try:
            revealed = group.decoded(lock)
            if group.generated(revealed) != key:
                raise Deviation("wrong-lock", number=terms.number)
            off = pow(revealed, -1, ORDER)
            came_from = [places[group.multiple(off, point)] for point in pack]
        except (group.NotInGroup, KeyError):
            raise Deviation("wrong-proof", number=terms.number) from None
        if sorted(came_from) != list(range(terms.size)):
            raise Deviation("wrong-proof", number=terms.number)
        order, source = tuple(order[place] for place in came_from), pack
    return order
