"""The deal of two houses: what both see, what each deviation is called, and that no card can be
seen before its time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from nacl.bindings import crypto_core_ed25519_add

from boardctl.far import deal as dealing
from boardctl.far import group
from boardctl.far.deal import Deal, Deviation, Pack, Terms
from boardctl.record import sealed

GAME = bytes(range(32))
HAND, COUNT = 6, 52
Change = Callable[[Pack, Random], Pack]


def pair(chance: Random, count: int = COUNT, number: int = 1) -> tuple[Deal, Deal]:
    terms = Terms(GAME, number, count)
    return Deal(terms, 1, chance.randbytes(32)), Deal(terms, 2, chance.randbytes(32))


def dealt(
    one: Deal, two: Deal, cheat: int = 0, change: Change = lambda pack, _: pack, seed: int = 0
) -> tuple[Deal, Deal]:
    """All four packs; pack number `cheat` is changed by its maker."""
    sides = [one, two]
    for number in range(1, dealing.PACKS + 1):
        maker = (number - 1) % 2
        sides[maker], pack = dealing.make(sides[maker])
        if number == cheat:
            pack = change(pack, Random(seed))
            sides[maker] = replace(sides[maker], packs=(*sides[maker].packs[:-1], pack))
        commitment = sides[maker].commitment if number <= 2 else ""
        sides[1 - maker] = dealing.take(sides[1 - maker], pack, commitment)
    return sides[0], sides[1]


def played(one: Deal, two: Deal) -> tuple[Deal, Deal]:
    """Six cards to each, and one turned up."""
    for place in range(HAND):
        one = dealing.open_place(one, place, dealing.key(two, place))
        two = dealing.open_place(two, HAND + place, dealing.key(one, HAND + place))
    both = 2 * HAND
    keys = dealing.key(one, both), dealing.key(two, both)
    return dealing.open_place(one, both, keys[1]), dealing.open_place(two, both, keys[0])


@pytest.mark.parametrize("count", [1, 2, 24, 52, 128])
def test_both_houses_know_the_same_pack_in_the_end_and_only_their_own_cards_before(
    count: int,
) -> None:
    one, two = dealt(*pair(Random(count), count))
    assert not one.seen
    if count > 2 * HAND:
        one, two = played(one, two)
        assert set(one.seen) == {*range(HAND), 2 * HAND}
        assert set(two.seen) == {*range(HAND, 2 * HAND), 2 * HAND}
        assert one.seen[2 * HAND] == two.seen[2 * HAND]
    cards = dealing.close(one, two.secret)
    assert cards == dealing.close(two, one.secret)
    assert sorted(cards) == list(range(count))
    for deal in (one, two):
        assert all(cards[place] == card for place, card in deal.seen.items())


def test_a_pack_depends_on_both_secrets_on_the_game_and_on_the_number() -> None:
    chance = Random(1)
    secrets = [chance.randbytes(32) for _ in range(3)]
    terms = Terms(GAME, 1, COUNT)
    found = {
        dealing.order(terms, secrets[0], secrets[1]),
        dealing.order(terms, secrets[0], secrets[2]),
        dealing.order(terms, secrets[2], secrets[1]),
        dealing.order(terms._replace(number=2), secrets[0], secrets[1]),
        dealing.order(terms._replace(game=bytes(32)), secrets[0], secrets[1]),
    }
    assert len(found) == 5
    points = [group.cards(GAME, 1, COUNT), group.cards(GAME, 2, COUNT)]
    points.append(group.cards(bytes(32), 1, COUNT))
    assert len({point for pack in points for point in pack}) == 3 * COUNT


def test_the_deal_is_fixed_for_all_versions() -> None:
    """Finished games are checked years later: what follows from two secrets must not change."""
    vector = json.loads((Path(__file__).parent / "deal.json").read_text())
    one, two = (
        Deal(Terms(GAME, 3, 16), house, bytes.fromhex(vector["secrets"][house - 1]))
        for house in (1, 2)
    )
    one, two = dealt(one, two)
    assert [one.commitment, two.commitment] == vector["commitments"]
    assert [b"".join(pack).hex() for pack in one.packs] == vector["packs"]
    assert list(dealing.close(one, two.secret)) == vector["cards"]


# Deviations


def _twice(pack: Pack, chance: Random) -> Pack:
    one, other = chance.sample(range(len(pack)), 2)
    return tuple(pack[one] if place == other else point for place, point in enumerate(pack))


def _again(pack: Pack, chance: Random) -> Pack:
    """One card twice under another lock: it does not show."""
    one, other = chance.sample(range(len(pack)), 2)
    more = group.lock(group.scalar("own", chance.randbytes(8)), pack[one])
    return tuple(more if place == other else point for place, point in enumerate(pack))


def _swapped(pack: Pack, chance: Random) -> Pack:
    one, other = chance.sample(range(len(pack)), 2)
    changed = list(pack)
    changed[one], changed[other] = pack[other], pack[one]
    return tuple(changed)


def _own_card(pack: Pack, chance: Random) -> Pack:
    place = chance.randrange(len(pack))
    card = chance.choice(group.cards(GAME, 1, COUNT))
    return (*pack[:place], card, *pack[place + 1 :])


def _torsion(pack: Pack, chance: Random) -> Pack:
    """A point with a part of small order: it would stay marked under every lock."""
    order_two = (2**255 - 20).to_bytes(32, "little")
    place = chance.randrange(len(pack))
    marked = crypto_core_ed25519_add(pack[place], order_two)
    return (*pack[:place], marked, *pack[place + 1 :])


def _with(point: bytes) -> Change:
    def change(pack: Pack, chance: Random) -> Pack:
        place = chance.randrange(len(pack))
        return (*pack[:place], point, *pack[place + 1 :])

    return change


AT_ONCE: list[Change] = [
    _twice,
    _torsion,
    _with(b"\1" + bytes(31)),  # the neutral point
    _with(bytes(32)),  # of order four
    _with(b"\xff" * 32),  # no point, and not canonical
    _with(b"short"),
    lambda pack, _: pack[:-1],
    lambda pack, _: (*pack, pack[0]),
    lambda pack, _: (),
]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("change", AT_ONCE)
def test_a_pack_that_is_none_is_seen_at_once(change: Change, number: int) -> None:
    for seed in range(4):
        with pytest.raises(Deviation) as raised:
            dealt(*pair(Random(seed)), number, change, seed)
        assert raised.value.code == "bad-pack"
        assert raised.value.fields == {"number": 1, "pack": number}


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("change", [_again, _swapped, _own_card])
def test_any_other_pack_is_seen_at_the_end_at_the_latest(change: Change, number: int) -> None:
    for seed in range(6):
        one, two = dealt(*pair(Random(seed)), number, change, seed)
        honest, cheat = (two, one) if number % 2 else (one, two)
        with pytest.raises(Deviation) as raised:
            dealing.close(honest, cheat.secret)
        assert (raised.value.code, raised.value.fields["pack"]) == ("wrong-pack", number)
        assert dealing.close(cheat, honest.secret) or True  # the honest one is never accused


def test_a_stacked_pack_is_seen_at_the_end_and_was_of_no_use() -> None:
    """House 1 does not shuffle: the pack is in the order of house 2's shuffle alone."""
    one, two = pair(Random(5))
    terms = one.terms
    own = group.scalar("lock", GAME, (1).to_bytes(4, "big"), COUNT.to_bytes(2, "big"), one.secret)
    plain = tuple(group.lock(own, point) for point in group.cards(*terms))
    one, two = dealt(one, two, 1, lambda *_: plain)
    with pytest.raises(Deviation, match="wrong-pack"):
        dealing.close(two, one.secret)


def test_keys() -> None:
    one, two = dealt(*pair(Random(2)))
    for bad in (bytes(32), b"\xff" * 32, b"", group._ORDER.to_bytes(32, "little")):
        with pytest.raises(Deviation, match="wrong-key"):
            dealing.open_place(one, 0, bad)
    with pytest.raises(Deviation, match="wrong-key"):  # another place's key opens nothing
        dealing.open_place(one, 0, dealing.key(two, 1))
    for nowhere in (-1, COUNT):
        with pytest.raises(Deviation, match="out-of-turn"):
            dealing.open_place(one, nowhere, dealing.key(two, 0))
    one = dealing.open_place(one, 0, dealing.key(two, 0))
    assert dealing.open_place(one, 0, dealing.key(two, 0)) is one
    with pytest.raises(Deviation, match="key-changed"):
        dealing.open_place(one, 0, dealing.key(two, 1))


def test_a_card_that_is_in_two_places_is_seen_when_it_is_opened() -> None:
    """House 2 knows one card as soon as it has the other; whoever opens both has it."""
    one, two = pair(Random(3))
    one, first = dealing.make(one)
    two = dealing.take(two, first, one.commitment)
    two, second = dealing.make(two)
    second = (*second[:7], group.lock(group.scalar("x"), second[0]), *second[8:])
    one = dealing.take(one, second, two.commitment)
    one, third = dealing.make(one)
    two = replace(two, packs=(first, second, third))
    two, fourth = dealing.make(two)
    x = group.inverse(group.scalar("x"))
    fourth = (*fourth[:7], group.lock(x, fourth[7]), *fourth[8:])
    one = dealing.take(one, fourth)
    one = dealing.open_place(one, 0, dealing.key(two, 0))
    with pytest.raises(Deviation, match="card-twice"):
        dealing.open_place(one, 7, dealing.key(two, 7))
    with pytest.raises(Deviation, match="wrong-pack"):
        dealing.close(one, two.secret)


def test_order_of_the_packs() -> None:
    one, two = pair(Random(4))
    one, pack = dealing.make(one)
    with pytest.raises(Deviation, match="no-commitment"):
        dealing.take(two, pack)
    with pytest.raises(Deviation, match="no-commitment"):
        dealing.take(two, pack, "x" * 64)
    with pytest.raises(Deviation, match="out-of-turn"):
        dealing.take(Deal(one.terms, 1, one.secret), pack, two.commitment)
    two = dealing.take(two, pack, one.commitment)
    with pytest.raises(Deviation, match="out-of-turn"):
        dealing.take(two, pack)
    with pytest.raises(Deviation, match="out-of-turn"):  # no card is opened before all is locked
        dealing.open_place(two, 0, dealing.key(one, 0))
    two, pack = dealing.make(two)
    one = dealing.take(one, pack, two.commitment)
    one, pack = dealing.make(one)
    with pytest.raises(Deviation, match="out-of-turn"):  # a commitment is made once
        dealing.take(two, pack, one.commitment)


def test_another_secret_is_none() -> None:
    one, two = played(*dealt(*pair(Random(6))))
    for other in (bytes(32), two.secret[:-1], b"", one.secret):
        with pytest.raises(Deviation, match="wrong-secret"):
            dealing.close(one, other)


def test_a_deal_that_was_broken_off_can_be_closed() -> None:
    one, two = pair(Random(7))
    assert dealing.close(one, two.secret) == ()
    one, pack = dealing.make(one)
    two = dealing.take(two, pack, one.commitment)
    assert dealing.close(two, one.secret) == ()
    with pytest.raises(Deviation, match="wrong-secret"):
        dealing.close(two, bytes(32))


# What a tap sees


def known_cards(deal: Deal, given: dict[int, bytes]) -> set[tuple[int, int]]:
    """The (place, card) that somebody finds who has all packs, this house's secret and the other
    house's keys of some places, and tries every key that follows on every point of every pack."""
    terms = deal.terms
    own = group.scalar(
        "lock", terms.game, terms.number.to_bytes(4, "big"), terms.size.to_bytes(2, "big"),
        deal.secret,
    )  # fmt: skip
    places = {place: dealing.key(deal, place) for place in range(terms.size)}
    cards = {point: card for card, point in enumerate(group.cards(*terms))}
    found = set()
    one = (1).to_bytes(32, "little")
    for pack in deal.packs[1:]:
        for place, point in enumerate(pack):
            mine = [one, group.inverse(own), group.inverse(places[place])]
            mine.append(group.both(own, mine[2]))
            theirs = [one, *(group.inverse(key) for key in given.values())]
            for off, more in product(mine, theirs):
                opened = group.lock(group.both(off, more), point)
                if opened in cards:
                    found.add((place, cards[opened]))
    return found


def test_no_card_is_seen_before_its_time() -> None:
    """With everything that went over the wire, all of one house's secrets and every key that the
    other house gave it, its own cards are found, and no other."""
    one, _ = played(*dealt(*pair(Random(8), 16)))
    found = known_cards(one, dict(one.keys))
    assert found == set(one.seen.items())
    assert known_cards(replace(one, secret=bytes(32)), {}) == set()


def test_a_look_at_another_card_costs_the_own_one_and_is_seen_at_the_end() -> None:
    """What is proven only afterwards (docs/far.md): house 1 puts a card of house 2 where its own
    belongs, and sees it; it cannot name its own card any more, and is found out."""
    chance = Random(9)
    one, two = pair(chance, 16)

    def look(pack: Pack, _: Random) -> Pack:
        return (group.lock(group.scalar("look"), pack[HAND]), *pack[1:])

    one, two = dealt(one, two, 3, look)
    given = {place: dealing.key(two, place) for place in range(HAND)}
    lock = dealing.key(one, HAND)
    off = group.both(group.both(lock, given[0]), group.scalar("look"))
    looked = group.lock(group.inverse(off), one.packs[3][0])
    true = dealing.order(one.terms, one.secret, two.secret)[HAND]
    assert group.cards(*one.terms).index(looked) == true
    with pytest.raises(Deviation, match="wrong-key"):
        dealing.open_place(one, 0, given[0])
    with pytest.raises(Deviation, match="wrong-pack"):
        dealing.close(two, one.secret)


# Fairness


def _chi(times: Counter[int], places: int) -> float:
    mean = times.total() / places
    return sum((times[place] - mean) ** 2 / mean for place in range(places))


@pytest.mark.parametrize("own", ["honest", "fixed"])
@pytest.mark.parametrize("deals", [3_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_every_card_comes_to_every_place_and_every_pair_alike(own: str, deals: int) -> None:
    """Chi-squared of places (52 x 52 cells) and of pairs of neighbours (52 x 51), also where one
    house chooses its shuffle as it likes: here it never shuffles. Limits: five standard deviations
    of chi-squared, whose variance is twice its degrees of freedom."""
    chance = Random(10)
    places: Counter[int] = Counter()
    pairs: Counter[int] = Counter()
    fixed = tuple(range(COUNT))
    for number in range(deals):
        terms = Terms(GAME, number, COUNT)
        if own == "honest":
            cards = dealing.order(terms, chance.randbytes(32), chance.randbytes(32))
        else:
            cards = tuple(fixed[at] for at in dealing._order(terms, chance.randbytes(32)))
        for place, card in enumerate(cards):
            places[place * COUNT + card] += 1
        pairs[cards[0] * COUNT + cards[1]] += 1
    free = (COUNT - 1) ** 2
    assert abs(_chi(places, COUNT**2) - free) < 5 * (2 * free) ** 0.5
    mean = deals / (COUNT * (COUNT - 1))
    cells = [n for n in range(COUNT**2) if n // COUNT != n % COUNT]
    spread = sum((pairs[cell] - mean) ** 2 / mean for cell in cells)
    free = len(cells) - 1
    assert abs(spread - free) < 5 * (2 * free) ** 0.5
    assert all(pairs[n * COUNT + n] == 0 for n in range(COUNT))


def test_the_one_sided_case_is_the_same_shuffle() -> None:
    key = bytes(range(64))
    assert sorted(sealed.permutation(key, COUNT)) == list(range(COUNT))
    terms = Terms(GAME, 1, COUNT)
    first, second = dealing._order(terms, bytes(32)), dealing._order(terms, b"\1" * 32)
    assert dealing.order(terms, bytes(32), b"\1" * 32) == tuple(first[at] for at in second)
