"""A sealed shuffle: nobody can know the cards in advance, and everybody can verify them afterwards.

The dealing side draws a secret and publishes its `commitment`. Then the other side chooses any text
as the `cut`. The secret and the cut together determine every deal of the game. After the game the
secret is revealed, and anyone can recompute the cards with `deal`.

The commitment is the SHA-256 hash of the secret (FIPS 180-4), so it hides the secret and prevents
the dealer from changing it. Because the cut is chosen later, the dealer cannot have chosen the
secret in order to get certain cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Final, NamedTuple

from boardctl.games import Move
from boardctl.games.cards import CARDS, Card
from boardctl.options import Between

SECRET_BYTES: Final = 32
_NAME: Final = b"boardctl sealed deal 1"


class Deal(NamedTuple):
    """The hands of seats 1 and 2, the starter, and the rest of the pack below the starter."""

    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    starter: Card
    rest: tuple[Card, ...]


@dataclass(frozen=True)
class Shuffle:
    """A sealed shuffle. It determines a game's deals from deal `first` on, until another shuffle
    takes over."""

    secret: str
    """The secret, in hexadecimal digits."""
    cut: str = ""
    """The words that cut the pack, or an empty string if nobody has cut it."""
    own_cut: bool = False
    """Whether the dealer has also cut the pack."""
    first: Annotated[int, Between(1, 1_000_000)] = 1
    """The number of the first deal that uses this shuffle, from 1."""
    told: bool = False
    """Whether the secret was revealed. A revealed shuffle deals no more cards."""
    held: bool = False
    """Whether the secret stays hidden after the game, because other games use the same deals."""

    @property
    def key(self) -> bytes:
        """The secret's bytes."""
        return bytes.fromhex(self.secret)


class Difference(NamedTuple):
    """A line of a record that does not match the sealed cards."""

    deal: int
    line: Move
    expected: tuple[Card, ...]


def commitment(secret: bytes) -> str:
    """Return the commitment to a secret, for publication before the game. Raises ValueError unless
    the secret has `SECRET_BYTES` bytes."""
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    return sha256(_NAME + b" commitment" + secret).hexdigest()


def shuffled(secret: bytes, cut: str, number: int) -> tuple[Card, ...]:
    """Return the shuffled pack of a deal. A Fisher–Yates shuffle draws each index from a stream of
    SHA-256 hashes, without bias (rejection sampling).

    Args:
        secret, cut: as for `deal`.
        number: the number of the deal, from 1, or 0 for the cut for deal.
    """
    key = sha256(_NAME + secret + cut.encode() + b"\0%d" % number).digest()
    return tuple(CARDS[card] for card in permutation(key, len(CARDS)))


def permutation(key: bytes, count: int) -> tuple[int, ...]:
    """Return the numbers from 0 to `count` - 1 in an order determined by a key."""
    stream = _numbers(key)
    pack = list(range(count))
    for last in range(len(pack) - 1, 0, -1):
        places = last + 1
        fair = (1 << 32) // places * places
        place = next(drawn for drawn in stream if drawn < fair) % places
        pack[last], pack[place] = pack[place], pack[last]
    return tuple(pack)


def _numbers(key: bytes) -> Iterator[int]:
    """Yield an infinite stream of 32-bit numbers."""
    counter = 0
    while True:
        block = sha256(key + counter.to_bytes(8, "big")).digest()
        for at in range(0, len(block), 4):
            yield int.from_bytes(block[at : at + 4], "big")
        counter += 1


def deal(secret: bytes, cut: str, number: int, each: int = 6) -> Deal:
    """Return the cards of a two-handed deal.

    Args:
        secret: the secret that the dealer committed to, `SECRET_BYTES` bytes.
        cut: the words with which the other side cut the pack.
        number: the number of the deal in its game, from 1.
        each: the number of cards in a hand.
    """
    pack = shuffled(secret, cut, number)
    return Deal((pack[:each], pack[each : 2 * each]), pack[2 * each], pack[2 * each + 1 :])


def differences(
    moves: Iterable[Move], secret: bytes, cut: str, first: int = 1, last: int | None = None
) -> Iterator[Difference]:
    """Yield the hands and starters of a record that differ from the cards of the sealed deals.

    Args:
        moves: the moves of one game.
        secret, cut: the secret and the cut of the sealed shuffle (`deal`).
        first: the number of the first sealed deal, from 1.
        last: the number of the last deal that this shuffle dealt, or None if it dealt all later
            deals.
    """
    number = 0
    cards: Deal | None = None
    shown: dict[int, list[Card]] = {}
    for move in moves:
        if move.verb == "deal":
            number += 1
            shown = {1: [], 2: []}
            sealed = first <= number and (last is None or number <= last)
            cards = deal(secret, cut, number) if sealed else None
        if cards is None:
            continue
        if move.verb == "hand" and move.seat in shown:
            shown[move.seat] += move.cards
            expected = cards.hands[move.seat - 1]
            left = list(expected)
            for card in shown[move.seat]:
                fits = next((some for some in left if some.matches(card)), None)
                if fits is None:
                    yield Difference(number, move, expected)
                    break
                left.remove(fits)
        elif move.verb == "starter" and not move.cards[0].matches(cards.starter):
            yield Difference(number, move, (cards.starter,))


def shares(moves: Sequence[Move], shuffles: Sequence[Shuffle]) -> list[list[int]]:
    """Return the numbers of the deals dealt by each shuffle of a game, oldest shuffle first.

    A deal that was undone and then restored may come from an older shuffle than the deals undone
    after it. Each deal is therefore assigned to the oldest matching shuffle that is not older than
    the shuffle of the previous deal. A deal that matches no shuffle or has no cards yet is assigned
    to the newest shuffle.
    """
    dealt: list[list[int]] = [[] for _ in shuffles]
    with_cards = set()
    count = 0
    for move in moves:
        count += move.verb == "deal"
        if move.verb in ("hand", "starter"):
            with_cards.add(count)
    least = 0
    for number in range(shuffles[0].first, count + 1):
        may = [n for n in range(least, len(shuffles)) if shuffles[n].first <= number] or [least]
        chosen = may[-1]
        if number in with_cards:
            chosen = least = next((n for n in may if follows(moves, shuffles[n], number)), chosen)
        dealt[chosen].append(number)
    return dealt


def follows(moves: Iterable[Move], shuffle: Shuffle, *deals: int) -> bool:
    """Return whether the cards of these deals match a shuffle."""
    return not any(
        found.deal in deals
        for found in differences(moves, shuffle.key, shuffle.cut, min(deals), max(deals))
    )
