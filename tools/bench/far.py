"""A deal between two houses: its CPU time on both sides together, compared with one point
multiplication and with one key exchange, as at the beginning of every TLS connection; and its size
in bytes."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

from nacl import bindings

from boardctl.far import deal as dealing
from boardctl.far import group, shuffle
from boardctl.far.channel import Channel
from boardctl.far.deal import Deal
from boardctl.far.game_log import PIECE
from boardctl.far.shuffle import Terms

ROUNDS = 5
SIZES = (52, 64, 128, 192)
"""The numbers of cards in cribbage, Bezique, Rubicon and six-pack Bezique."""


class Cost(NamedTuple):
    """The cost of one deal for both houses together."""

    cards: int
    milliseconds: float
    """CPU milliseconds, from nothing to the opened deal."""
    units: float
    """The same, in multiplications of a point by a number in libsodium."""
    exchanges: float
    """The same, in key exchanges."""
    kilobytes: float
    """The bytes of all packets of the deal, in both directions."""


def measure() -> list[Cost]:
    """Return the minimum over several deals of each size. Each deal uses different points."""
    chance = Random(1)
    group.self_test()
    point = group.hashed("bench")
    many = 200
    unit = min(
        _seconds(lambda: [group.multiple(group.ORDER - 5, point) for _ in range(many)])
        for _ in range(10)
    )
    exchange = min(_seconds(partial(_exchange, chance)) for _ in range(50))
    costs = []
    for cards in SIZES:
        _deal(chance, 0, cards)  # the generators, which all deals share
        rounds = range(1, ROUNDS + 1)
        deal = min(_seconds(partial(_deal, chance, number, cards)) for number in rounds)
        ratios = deal / unit * many, deal / exchange
        costs.append(Cost(cards, 1000 * deal, *ratios, bytes_sent(chance, cards) / 1000))
    return costs


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def bytes_sent(chance: Random, cards: int) -> int:
    """Return the number of bytes in all packets that both houses send in a deal such as `_deal`."""
    keys = chance.randbytes(32), chance.randbytes(32)
    channel = Channel(bytes(32), 1, keys, chance.randbytes(32), bytes(32), chance.randbytes)
    raw = chance.randbytes(shuffle.size(cards))
    messages: list[dict[str, object]] = [
        {"t": "shuffle", "deal": 1, "at": at, "piece": b64encode(raw[at : at + PIECE]).decode()}
        for at in range(0, len(raw), PIECE)
    ]
    for many in (6, 1):
        said = b64encode(chance.randbytes(32 * (many + 2))).decode()
        messages.append({"t": "shares", "deal": 1, "places": [*range(many)], "shares": said})
    messages.append({"t": "lock", "deal": 1, "lock": chance.randbytes(32).hex()})
    for message in messages:
        channel.post({"g": 1, "m": message})
    return 2 * sum(map(len, channel.outbox.values()))


def _deal(chance: Random, number: int, cards: int) -> None:
    """Make both shuffles, deal six cards to each house, turn one card up, and open all cards at the
    end."""
    terms = Terms(bytes(32), number, cards)
    one, two = (Deal(terms, house, chance.randbytes(32)) for house in (1, 2))
    one, first = dealing.make(one)
    two = dealing.take(two, first)
    two, second = dealing.make(two)
    one = dealing.take(one, second)
    for places in (range(6), (12,)):
        one = dealing.see(one, dealing.share(two, places))
    for places in (range(6, 12), (12,)):
        two = dealing.see(two, dealing.share(one, places))
    locks = [group.encoded(deal.lock) for deal in (one, two)]
    shuffle.cards.cache_clear()
    shuffle.cards(terms)  # by the other house, in another process
    places = range(13)
    assert dealing.close(one, locks[1], places) == dealing.close(two, locks[0], places)


def _exchange(chance: Random) -> None:
    """Make two keys and their shared secret (X25519), signed and checked by both sides
    (Ed25519)."""
    seeds = [chance.randbytes(32), chance.randbytes(32)]
    publics = [bindings.crypto_scalarmult_base(seed) for seed in seeds]
    assert bindings.crypto_scalarmult(seeds[0], publics[1]) == bindings.crypto_scalarmult(
        seeds[1], publics[0]
    )
    for seed, text in zip(seeds, publics, strict=True):
        public, secret = bindings.crypto_sign_seed_keypair(seed)
        bindings.crypto_sign_open(bindings.crypto_sign(text, secret), public)
