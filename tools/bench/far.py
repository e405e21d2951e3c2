"""A deal of two houses: its CPU time on both sides together, beside one key exchange of the kind
that begins every TLS connection, and its bytes."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

from nacl import bindings

from boardctl.far import deal as dealing
from boardctl.far import group
from boardctl.far.deal import Deal, Terms

ROUNDS = 15
CARDS = 52


class Cost(NamedTuple):
    """Milliseconds of CPU of both houses, times one key exchange, and bytes of packs and keys."""

    milliseconds: float
    exchanges: float
    kibibytes: float


def measure() -> Cost:
    """The minimum of several deals, each of points of its own, and of as many key exchanges."""
    chance = Random(1)
    deal = min(_seconds(partial(_deal, chance, number)) for number in range(ROUNDS))
    exchange = min(_seconds(partial(_exchange, chance)) for _ in range(20 * ROUNDS))
    size = (dealing.PACKS * CARDS + 2 * 13) * group.POINT + 4 * 32
    return Cost(1000 * deal, deal / exchange, size / 1024)


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _deal(chance: Random, number: int) -> None:
    """Four packs, six cards to each and one turned up, and everything checked at the end."""
    terms = Terms(bytes(32), number, CARDS)
    sides = [Deal(terms, house, chance.randbytes(32)) for house in (1, 2)]
    for pack in range(dealing.PACKS):
        maker = pack % 2
        sides[maker], made = dealing.make(sides[maker])
        commitment = sides[maker].commitment if pack < 2 else ""
        sides[1 - maker] = dealing.take(sides[1 - maker], made, commitment)
    for side in (0, 1):
        for place in (*range(6 * side, 6 * side + 6), 12):
            key = dealing.key(sides[1 - side], place)
            sides[side] = dealing.open_place(sides[side], place, key)
    one, two = sides
    assert dealing.close(one, two.secret) == dealing.close(two, one.secret)


def _exchange(chance: Random) -> None:
    """Two keys made and the secret they share (X25519), signed and checked by both (Ed25519)."""
    seeds = [chance.randbytes(32), chance.randbytes(32)]
    publics = [bindings.crypto_scalarmult_base(seed) for seed in seeds]
    assert bindings.crypto_scalarmult(seeds[0], publics[1]) == bindings.crypto_scalarmult(
        seeds[1], publics[0]
    )
    for seed, text in zip(seeds, publics, strict=True):
        public, secret = bindings.crypto_sign_seed_keypair(seed)
        bindings.crypto_sign_open(bindings.crypto_sign(text, secret), public)
