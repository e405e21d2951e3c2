"""The best forgery in a deal: the prover, with any matrix in place of a permutation.

A forger that is given a permutation is the honest prover. With another matrix it satisfies every
equation except those that a test names, so each equation of the verifier is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from nacl.bindings import crypto_core_ed25519_add as add
from nacl.exceptions import CryptoError

from boardctl.far import group, shuffle
from boardctl.far.group import ORDER, NotInGroup
from boardctl.far.shuffle import Pack, Shuffle, Statement

Matrix = list[list[int]]
NEUTRAL = group.encoded(1)


def drawn(chance: Random) -> int:
    return chance.randrange(1, ORDER)


def permutation(order: Sequence[int]) -> Matrix:
    return [[int(column == one) for column in range(len(order))] for one in order]


def scaled(matrix: Matrix, factors: Sequence[int], power: int = 1) -> Matrix:
    """Return each row multiplied by a factor, or divided by it."""
    return [
        [value * pow(factor, power, ORDER) % ORDER for value in row]
        for row, factor in zip(matrix, factors, strict=True)
    ]


def marks(chance: Random, count: int, product: bool = True) -> list[int]:
    """Return small factors whose product is one, or is not."""
    found = [chance.randrange(2, 1000) for _ in range(count)]
    if product:
        last = 1
        for one in found[:-1]:
            last = last * pow(one, -1, ORDER) % ORDER
        found[-1] = last
    return found


def sums(matrix: Matrix) -> tuple[Matrix, Matrix]:
    """Return a matrix that sums cards, and the matrix that must mix the challenges: its transposed
    inverse, whose rows sum to one like those of a permutation."""
    half = pow(2, -1, ORDER)
    pack, mixed = [row[:] for row in matrix], [row[:] for row in matrix]
    pairs = list(zip(matrix[0], matrix[1], strict=True))
    mixed[0] = [(2 * one - other) % ORDER for one, other in pairs]
    pack[0] = [half * one % ORDER for one, _ in pairs]
    pack[1] = [(half * one + other) % ORDER for one, other in pairs]
    return pack, mixed


def _product(values: Sequence[int]) -> int:
    found = 1
    for value in values:
        found = found * value % ORDER
    return found


def combined(row: Sequence[int], points: Sequence[bytes]) -> bytes:
    pairs = [(n, point) for n, point in zip(row, points, strict=True) if n % ORDER]
    if not pairs:
        return NEUTRAL
    return group.combination([n for n, _ in pairs], [point for _, point in pairs])


def forged(
    chance: Random,
    statement: Statement,
    lock: int,
    matrix: Matrix,
    *,
    key: bytes = b"",
    pack: Pack = (),
    used: Matrix | None = None,
    committed: Matrix | None = None,
    jumps: bool = False,
    weights: Sequence[int] = (),
) -> Shuffle:
    """Return a pack `lock * matrix * source` with the best proof.

    Args:
        chance: draws all nonces.
        statement: the claimed one.
        lock: of the pack.
        matrix: in place of a permutation.
        key: the public key, if another than the lock's.
        pack: the pack, if another.
        used: the matrix that mixes the challenges.
        committed: the matrix of the commitments, if another than `used`.
        jumps: whether the chain ends at the right product regardless of its factors.
        weights: of the links, if they are known before the chain. The first link then compensates
            for the jump.
    """
    source, count = statement.source, len(statement.source)
    used = used or matrix
    committed = committed or used
    h, hs = group.generator(0), [group.generator(1 + n) for n in range(count)]
    key = key or group.generated(lock)
    pack = pack or tuple(combined([lock * value for value in row], source) for row in matrix)
    claim = shuffle._claim(statement, key, pack)
    blinds = [drawn(chance) for _ in range(count)]
    commitments = tuple(
        group.plus(group.generated(blinds[n]), combined([row[n] for row in committed], hs))
        for n in range(count)
    )
    mixes = shuffle._mixes(claim, commitments)
    permuted = [sum(a * b for a, b in zip(row, mixes, strict=True)) % ORDER for row in used]
    links, order_masks = ([drawn(chance) for _ in range(count)] for _ in range(2))
    product, rest, bend = _product(mixes), _product(permuted[1:]), 0
    if weights:
        missing = product - permuted[0] * rest
        bend = -weights[-1] * missing * pow(weights[0] - weights[-1] * rest, -1, ORDER)
    # d_i as a sum over G and H.
    sums, products = [0], [1]
    for n, (link, mix) in enumerate(zip(links, permuted, strict=True)):
        sums.append((link + mix * sums[-1]) % ORDER)
        products.append((mix * products[-1] + (bend if n == 0 else 0)) % ORDER)
    if jumps:
        products[-1] = product
        sums[-1] = sums[-1] if weights else links[-1]
    chain = [
        group.plus(group.generated(one), group.multiple(other, h))
        for one, other in zip(sums[1:], products[1:], strict=True)
    ]
    z = shuffle._weights(claim, commitments, tuple(chain))
    masks = [drawn(chance) for _ in range(5)]
    masked_pack = group.minus(
        combined(order_masks, pack), group.multiple(masks[3], combined(mixes, source))
    )
    equations = (
        group.generated(masks[0]),
        group.generated(masks[1]),
        group.plus(group.generated(masks[2]), combined(order_masks, hs)),
        masked_pack,
        group.generated(masks[3]),
        group.plus(
            group.generated(masks[4]),
            combined([a * b for a, b in zip(order_masks, z, strict=True)], [h, *chain[:-1]]),
        ),
    )
    challenge = shuffle._challenge(claim, commitments, tuple(chain), equations)
    x = int.from_bytes(challenge, "little")
    mixed = sum(blind * mix for blind, mix in zip(blinds, mixes, strict=True))
    linked = sum(link * weight for link, weight in zip(links, z, strict=True))
    return Shuffle(
        key, pack, commitments, tuple(chain), challenge,
        shuffle._answers(masks, (sum(blinds), sums[-1], mixed, lock, linked), x),
        shuffle._answers(order_masks, permuted, x),
    )  # fmt: skip


def unchecked(value: int, point: bytes) -> bytes:
    """Return a multiple of any point of the curve, like a library that does not check the
    subgroup."""
    found, value = NEUTRAL, value % ORDER
    while value:
        if value & 1:
            found = add(found, point)
        point, value = add(point, point), value >> 1
    return found


def around(point: bytes) -> Callable[[int, bytes], bytes]:
    """Return `group.multiple` for a forger who has one point outside the subgroup."""
    checked = group.multiple

    def multiple(value: int, other: bytes) -> bytes:
        return unchecked(value, other) if other == point else checked(value, other)

    return multiple


def torsion() -> dict[int, bytes]:
    """Return points of the orders 2, 4 and 8: a point of the curve, times the order of the
    subgroup."""
    attempt = 0
    while True:
        attempt += 1
        try:
            point = add(group.step("torsion", group.index(attempt))[:32], NEUTRAL)
        except CryptoError:
            continue
        found, value = NEUTRAL, ORDER
        while value:
            if value & 1:
                found = add(found, point)
            point, value = add(point, point), value >> 1
        four = add(found, found)
        two = add(four, four)
        if two != NEUTRAL:
            return {2: two, 4: four, 8: found}


def is_point(raw: bytes) -> bool:
    try:
        group.multiple(1, raw)
    except NotInGroup:
        return False
    return True
