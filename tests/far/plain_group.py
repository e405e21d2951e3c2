"""A group for tests that are not about cryptography: numbers in place of points.

A point is its own discrete logarithm, so the deal's equations hold or fail as on the curve, at a
fiftieth of the cost. Nothing is secret in it. Tests of the proofs use libsodium.
"""

from __future__ import annotations

import pytest

from boardctl.far import group, shuffle
from boardctl.far.group import ORDER, POINT, NotInGroup


def _read(point: bytes) -> int:
    value = int.from_bytes(point, "little")
    if len(point) != POINT or value >= ORDER:
        raise NotInGroup("no point")
    return value


def multiple(value: int, point: bytes) -> bytes:
    product = value * _read(point) % ORDER
    if not product:
        raise NotInGroup("no point")
    return group.encoded(product)


def generated(value: int) -> bytes:
    if not value % ORDER:
        raise NotInGroup("zero")
    return group.encoded(value)


def plus(one: bytes, other: bytes) -> bytes:
    return group.encoded(_read(one) + _read(other))


def minus(one: bytes, other: bytes) -> bytes:
    return group.encoded(_read(one) - _read(other))


def hashed(name: str, *parts: bytes) -> bytes:
    return group.encoded(group.number(name, *parts))


def forget() -> None:
    """Drop the points that the product remembers."""
    for remembered in (group.generator, shuffle.cards, shuffle._sum_of_generators):
        remembered.cache_clear()


def install(patch: pytest.MonkeyPatch) -> None:
    """Use this group until the patch is undone; call `forget` before anything uses the curve."""
    forget()
    for one in (multiple, generated, plus, minus, hashed):
        patch.setattr(group, one.__name__, one)
    patch.setattr(group, "self_test", lambda: None)
