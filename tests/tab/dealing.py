"""The messages of two houses that meet and deal, from a seed: the same with PyNaCl and in a tab."""

from __future__ import annotations

from hashlib import sha256
from random import Random

from boardctl.far import channel, group, shares
from boardctl.far import deal as dealing
from boardctl.far.deal import Deal
from boardctl.far.meeting import Meeting
from boardctl.far.shuffle import Terms


def digest(cards: int) -> str:
    """Return the digest of everything that two houses say, from their greetings to the end of a
    deal of so many cards."""
    group.self_test()
    chance, said = Random(1), sha256()
    seeds = [chance.randbytes(32), chance.randbytes(32)]
    two = Meeting(77, 2, seeds[1], "Bob", chance.randbytes)
    one = Meeting(77, 1, seeds[0], "Ann", chance.randbytes)
    assert one.take(two.greet())
    assert two.take(one.greet())
    said.update(one.greet() + two.greet())

    key, nonce = chance.randbytes(32), chance.randbytes(24)
    packet = channel.encrypt(key, b"about", b"a line", nonce)
    assert channel.decrypt(key, b"about", packet) == b"a line"
    assert channel.decrypt(key, b"other", packet) is None
    signature = channel.sign(seeds[0], packet)
    public = group.generated(3)
    assert not channel.is_signed(public, packet, signature)
    said.update(packet + signature)

    terms = Terms(bytes(range(32)), 1, cards)
    first, second = (Deal(terms, house, chance.randbytes(32)) for house in (1, 2))
    first, message = dealing.make(first)
    said.update(message)
    second = dealing.take(second, message)
    second, message = dealing.make(second)
    said.update(message)
    first = dealing.take(first, message)
    given = dealing.share(first, range(cards // 2))
    said.update(given.raw)
    second = dealing.see(second, shares.parsed(given.places, given.raw))
    assert len(second.seen_cards) == cards // 2
    found = dealing.close(first, group.encoded(second.lock), range(cards))
    said.update(bytes(found[place] for place in range(cards)))
    return said.hexdigest()
