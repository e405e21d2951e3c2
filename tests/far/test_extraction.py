"""The extractor of docs/far-protocol.md finds the lock, the order and each link from a rewound
prover.

The prover's nonces follow from its secret and the claim. Asking a prover again with other
challenges therefore rewinds the same prover.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from boardctl.far import group, shuffle
from boardctl.far.group import ORDER
from boardctl.far.shuffle import Pack, Shuffle, Statement, Terms
from tests.far.forging import drawn

pytestmark = pytest.mark.curve

COUNT = 4
SECRET = bytes(range(32))
Vector = list[int]


def solved(rows: Sequence[Vector], values: Sequence[int]) -> Vector:
    """Solve rows * result = values modulo the order; ValueError if the rows are dependent."""
    table = [[*row, value] for row, value in zip(rows, values, strict=True)]
    for at in range(len(table)):
        pivot = next((n for n in range(at, len(table)) if table[n][at] % ORDER), None)
        if pivot is None:
            raise ValueError("dependent")
        table[at], table[pivot] = table[pivot], table[at]
        inverse = pow(table[at][at], -1, ORDER)
        table[at] = [one * inverse % ORDER for one in table[at]]
        for n, row in enumerate(table):
            if n != at:
                table[n] = [
                    (one - row[at] * other) % ORDER
                    for one, other in zip(row, table[at], strict=True)
                ]
    return [row[-1] for row in table]


def asked(
    statement: Statement, mixes: Vector, weights: Vector, x: int, patched: pytest.MonkeyPatch
) -> tuple[Shuffle, Pack]:
    """Return an accepted answer to these challenges u, z and x, and t."""
    masks: list[Pack] = []

    def challenge(claim: bytes, commitments: Pack, chain: Pack, masked: Sequence[bytes]) -> bytes:
        masks.append(tuple(masked))
        return group.encoded(x)

    patched.setattr(shuffle, "_mixes", lambda claim, commitments: mixes)
    patched.setattr(shuffle, "_weights", lambda claim, commitments, chain: weights)
    patched.setattr(shuffle, "_challenge", challenge)
    given = shuffle.prove(SECRET, statement)
    shuffle.verify(statement, given)
    sent, computed = masks
    assert sent == computed
    return given, sent


def quotients(
    statement: Statement, mixes: Vector, weights: Vector, patched: pytest.MonkeyPatch
) -> tuple[Shuffle, Vector, Vector]:
    """Return one of two answers with the same t, and by step 1 the quotients of s and of v."""
    one, masked = asked(statement, mixes, weights, 3, patched)
    other, again = asked(statement, mixes, weights, 10, patched)
    assert masked == again
    seventh = pow(7, -1, ORDER)
    of_s, of_v = (
        [(b - a) * seventh % ORDER for a, b in zip(*both, strict=True)]
        for both in (
            (one.answers, other.answers),
            (one.order_answers, other.order_answers),
        )
    )
    return one, of_s, of_v


def test_lock_order_and_links_are_extracted(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(1)
    terms = Terms(bytes(32), 1, COUNT)
    statement = Statement(terms, 1, b"", shuffle.cards(terms))
    commitments = shuffle.prove(SECRET, statement).commitments

    def vectors() -> list[Vector]:
        return [[drawn(chance) for _ in range(COUNT)] for _ in range(COUNT)]

    every_mixes, mixed = vectors(), []
    for mixes in every_mixes:
        every_weights, of_links, found = vectors(), [], None
        for weights in every_weights:
            given, (_, _, _, lock, of_link), permuted = quotients(
                statement, mixes, weights, monkeypatch
            )
            found = found or (given, lock, permuted)
            assert given.commitments == commitments
            assert (given.chain, lock, permuted) == (found[0].chain, *found[1:])
            of_links.append(of_link)
        assert found is not None
        given, lock, permuted = found
        assert group.generated(lock) == given.key
        links = solved(every_weights, of_links)  # step 4: a, by place
        before = (group.generator(0), *given.chain[:-1])
        for link, mix, last, point in zip(links, permuted, before, given.chain, strict=True):
            assert point == group.plus(group.generated(link), group.multiple(mix, last))
        mixed.append(permuted)
    order = shuffle.order_of(SECRET, statement)
    for place, came_from in enumerate(order):  # step 5: each row of M
        row = solved(every_mixes, [permuted[place] for permuted in mixed])
        assert row == [int(n == came_from) for n in range(COUNT)]
        assert group.multiple(lock, statement.source[came_from]) == given.pack[place]
