"""The proof that a house has locked and shuffled a pack and has not changed it in any other way.

A house shows that it knows a number k and an order with key = k*G and pack[i] = k*source[order[i]].
The proof is Terelius and Wikström's proof for a committed permutation ("Proofs of Restricted
Shuffles", AFRICACRYPT 2010), in the form of Haenni, Locher, Koenig and Dubuis (FC 2017 Workshops).
The equation for ElGamal pairs is replaced by one for this statement, and a single equation covers
the weighted sum of the chain's links. docs/far-protocol.md lists and explains the equations, using
the same names. `prove` and `verify` are slow and pure, so they may run in a thread. libsodium does
nearly all of the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from boardctl.far import group
from boardctl.far.group import ORDER, POINT, NotInGroup
from boardctl.record import sealed

Pack = tuple[bytes, ...]
MOST: Final = 512
"""The maximum number of cards in a pack."""
_ANSWERS: Final = 5
"""The number of answers in addition to those for each card."""


class NoProof(ValueError):
    """The error raised if the proof in a message fails. The argument is `form` if the message is
    not a shuffle at all, and `proof` if the proof does not hold."""


class Terms(NamedTuple):
    """The values to which a deal is bound: the game (32 bytes drawn by both houses), the deal's
    number within the game, and the number of cards."""

    game: bytes
    number: int
    size: int

    @property
    def bound(self) -> bytes:
        """The hash that binds the whole deal to these terms."""
        return group.step("terms", self.game, group.index(self.number), group.index(self.size))


@lru_cache(maxsize=8)
def cards(terms: Terms) -> Pack:
    """Return the curve points of the cards of a deal, by index.

    Every copy of a card has a different point, because equal points would look equal under any
    lock. Each deal uses different curve points for its cards.
    """
    bound = terms.bound
    return tuple(group.hashed("card", bound, group.index(one)) for one in range(terms.size))


class Statement(NamedTuple):
    """The input to a shuffle."""

    terms: Terms
    party: int
    """The house that shuffles: 1 or 2."""
    before: bytes
    """The digest of the other house's whole message, or empty for house 1."""
    source: Pack
    """The points to shuffle: the cards, or the other house's pack."""

    @property
    def bound(self) -> bytes:
        """The hash that binds a proof to this statement, and thus to its deal and house."""
        party = group.index(self.party)
        return group.step("statement", self.terms.bound, party, self.before, *self.source)


class Shuffle(NamedTuple):
    """A house's message: its public key, the shuffled pack, and the proof."""

    key: bytes
    """K = k*G."""
    pack: Pack
    """Y: the points under the lock k, in an order known only to the house."""
    commitments: Pack
    """c: commitments to the position of each source point in the pack."""
    chain: Pack
    """d: commitments to the products of the permuted challenges."""
    challenge: bytes
    """x."""
    answers: tuple[int, ...]
    """s1 to s5: for the sum, the product, the permuted challenges, the key, and the links."""
    order_answers: tuple[int, ...]
    """v, by position."""

    @property
    def raw(self) -> bytes:
        """The message as `size` bytes."""
        points = (self.key, *self.pack, *self.commitments, *self.chain, self.challenge)
        numbers = (*self.answers, *self.order_answers)
        return b"".join((*points, *map(group.encoded, numbers)))


def size(count: int) -> int:
    """Return the length in bytes of a message for this number of cards."""
    return POINT * (4 * count + 2 + _ANSWERS)


def parsed(raw: bytes, count: int) -> Shuffle:
    """Decode a message as a shuffle of this number of cards.

    Raises:
        NoProof: `form` if the message's length or the encoding of a number is wrong.
    """
    if len(raw) != size(count):
        raise NoProof("form")
    words = [raw[at : at + POINT] for at in range(0, len(raw), POINT)]
    first = 3 * count + 2
    try:
        numbers = tuple(map(group.decoded, words[first:]))
    except NotInGroup:
        raise NoProof("form") from None
    pack, commitments, chain = (
        tuple(words[1 + part * count : 1 + (part + 1) * count]) for part in range(3)
    )
    return Shuffle(
        words[0], pack, commitments, chain, words[first - 1],
        numbers[:_ANSWERS], numbers[_ANSWERS:],
    )  # fmt: skip


def lock_of(secret: bytes, statement: Statement) -> int:
    """Return the number k with which a house locks a pack. It is derived from the house's secret
    and the statement, so no two packs have the same lock."""
    return group.number("lock", secret, statement.bound)


def order_of(secret: bytes, statement: Statement) -> tuple[int, ...]:
    """Return the house's order, which is derived from its secret and the statement. The order
    gives, for each position, the position in the source. All orders are equally likely."""
    return sealed.permutation(group.step("order", secret, statement.bound), len(statement.source))


def prove(secret: bytes, statement: Statement) -> Shuffle:
    """Lock and shuffle a pack, and prove it. The same secret and statement always produce the same
    bytes."""
    source, count = statement.source, len(statement.source)
    lock, order = lock_of(secret, statement), order_of(secret, statement)
    back = [0] * count
    for place, came_from in enumerate(order):
        back[came_from] = place
    key = group.generated(lock)
    pack = tuple(group.multiple(lock, source[came_from]) for came_from in order)
    claim = _claim(statement, key, pack)

    def nonces(name: str, many: int) -> list[int]:
        made = (group.number(f"nonce {name}", secret, claim, group.index(n)) for n in range(many))
        return list(made)

    blinds = nonces("commitment", count)
    commitments = tuple(
        group.plus(group.generated(blind), group.generator(1 + place))
        for blind, place in zip(blinds, back, strict=True)
    )
    mixes = _mixes(claim, commitments)
    permuted = [mixes[came_from] for came_from in order]
    # d_i = links[i]*G + permuted[i]*d_(i-1) is written sums[i]*G + products[i]*H.
    links, sums, products = nonces("chain", count), [0], [1]
    for link, mix in zip(links, permuted, strict=True):
        sums.append((link + mix * sums[-1]) % ORDER)
        products.append(mix * products[-1] % ORDER)
    h = group.generator(0)
    chain = tuple(
        group.plus(group.generated(one), group.multiple(other, h))
        for one, other in zip(sums[1:], products[1:], strict=True)
    )
    weights = _weights(claim, commitments, chain)
    masks, order_masks = nonces("answer", _ANSWERS), nonces("order answer", count)
    # Each mask times its weight and the previous point of the chain, as a sum over G and H.
    weighted = [mask * weight for mask, weight in zip(order_masks, weights, strict=True)]
    of_sums = sum(one * before for one, before in zip(weighted, sums, strict=False))
    of_products = sum(one * before for one, before in zip(weighted, products, strict=False))
    of_mixes = group.combination(order_masks, _generators(count))
    # The sum over the pack minus the sum over the source, as one sum over the source.
    of_pack = [
        lock * order_masks[back[n]] - masks[3] * mix for n, mix in enumerate(mixes)
    ]  # fmt: skip
    masked = (
        group.generated(masks[0]),
        group.generated(masks[1]),
        group.plus(group.generated(masks[2]), of_mixes),
        group.combination(of_pack, source),
        group.generated(masks[3]),
        group.plus(group.generated(masks[4] + of_sums), group.multiple(of_products, h)),
    )
    challenge = _challenge(claim, commitments, chain, masked)
    x = int.from_bytes(challenge, "little")
    hidden = (
        sum(blinds),
        sums[-1],
        sum(blind * mix for blind, mix in zip(blinds, mixes, strict=True)),
        lock,
        sum(link * weight for link, weight in zip(links, weights, strict=True)),
    )
    return Shuffle(
        key, pack, commitments, chain, challenge,
        _answers(masks, hidden, x), _answers(order_masks, permuted, x),
    )  # fmt: skip


def verify(statement: Statement, given: Shuffle) -> None:
    """Check the proof in a message: its pack must be a shuffle of the source, locked with the
    secret number of the message's public key.

    The points in the message need no separate check, because each is multiplied, and libsodium
    refuses to multiply points outside the group.

    Raises:
        NoProof: `form` if the pack does not have the right number of different points, `proof` if a
            point is not in the group or an equation does not hold.
    """
    source, count = statement.source, len(statement.source)
    lists = (given.commitments, given.chain, given.order_answers)
    if len(set(given.pack)) != count or any(len(one) != count for one in lists):
        raise NoProof("form")
    try:
        holds = _holds(statement, source, given)
    except NotInGroup:
        raise NoProof("proof") from None
    if not holds:
        raise NoProof("proof")


def _holds(statement: Statement, source: Pack, given: Shuffle) -> bool:
    """Return whether the equations hold. Raises NotInGroup for an invalid point."""
    count, h = len(source), group.generator(0)
    generators = _generators(count)
    claim = _claim(statement, given.key, given.pack)
    mixes = _mixes(claim, given.commitments)
    x = int.from_bytes(given.challenge, "little")
    of_sum, of_product, of_mixes, of_key, of_links = given.answers
    weights = _weights(claim, given.commitments, given.chain)
    product = 1
    for mix in mixes:
        product = product * mix % ORDER

    def less(point: bytes, wanted: bytes) -> bytes:
        return group.minus(point, group.multiple(x, wanted))

    every = group.minus(group.total(given.commitments), _sum_of_generators(count))
    last = group.minus(given.chain[-1], group.multiple(product, h))
    mixed = group.combination(mixes, given.commitments)
    shuffled = group.combination(given.order_answers, given.pack)
    plain = group.combination(mixes, source)
    by_order = group.combination(given.order_answers, generators)
    # Each point of the chain is the previous point in one link and the next point in another.
    before = [answer * weight for answer, weight in zip(given.order_answers, weights, strict=True)]
    after = [-x * weight for weight in weights]
    both = [one + other for one, other in zip([*before[1:], 0], after, strict=True)]
    linked = group.combination([before[0], *both], [h, *given.chain])
    masked = (
        less(group.generated(of_sum), every),
        less(group.generated(of_product), last),
        less(group.plus(group.generated(of_mixes), by_order), mixed),
        group.minus(shuffled, group.multiple(of_key, plain)),
        less(group.generated(of_key), given.key),
        group.plus(group.generated(of_links), linked),
    )
    return given.challenge == _challenge(claim, given.commitments, given.chain, masked)


def _generators(count: int) -> Pack:
    """Return H_1 to H_count."""
    return tuple(group.generator(1 + n) for n in range(count))


@lru_cache(maxsize=8)
def _sum_of_generators(count: int) -> bytes:
    return group.total(_generators(count))


def _claim(statement: Statement, key: bytes, pack: Pack) -> bytes:
    return group.step("claim", statement.bound, key, *pack)


def _mixes(claim: bytes, commitments: Pack) -> list[int]:
    """Return u: one challenge for each point of the source, derived from all data before the
    chain."""
    seed = group.step("mixes", claim, *commitments)
    return [group.number("mix", seed, group.index(n)) for n in range(len(commitments))]


def _weights(claim: bytes, commitments: Pack, chain: Pack) -> list[int]:
    """Return z: the weight of each link, derived from the whole chain."""
    seed = group.step("weights", claim, *commitments, *chain)
    return [group.number("link weight", seed, group.index(n)) for n in range(len(chain))]


def _challenge(claim: bytes, commitments: Pack, chain: Pack, masked: Sequence[bytes]) -> bytes:
    """Return x: the challenge derived from all other data."""
    return group.step("challenge", claim, *commitments, *chain, *masked)[:POINT]


def _answers(masks: Sequence[int], hidden: Sequence[int], x: int) -> tuple[int, ...]:
    return tuple((mask + x * one) % ORDER for mask, one in zip(masks, hidden, strict=True))
