"""The deal of two houses: each house's knowledge over time, and the same bytes after a power
cut."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random

import pytest

from boardctl.far import deal as dealing
from boardctl.far import earlier, group, shares, shuffle
from boardctl.far.channel import LARGEST
from boardctl.far.deal import Deal, Deviation
from boardctl.far.game_log import PIECE
from boardctl.far.group import ORDER
from boardctl.far.shuffle import NoProof, Statement, Terms
from tests.far.forging import forged, permutation

pytestmark = pytest.mark.curve

GAME = bytes(range(32))
HAND, COUNT = 6, 52


def pair(chance: Random, count: int = COUNT, number: int = 1) -> tuple[Deal, Deal]:
    terms = Terms(GAME, number, count)
    return Deal(terms, 1, chance.randbytes(32)), Deal(terms, 2, chance.randbytes(32))


def dealt(one: Deal, two: Deal) -> tuple[Deal, Deal]:
    one, first = dealing.make(one)
    two = dealing.take(two, first)
    two, second = dealing.make(two)
    return dealing.take(one, second), two


def shared(giving: Deal, seeing: Deal, *places: int) -> Deal:
    """Let one house open places to the other, through the wire format."""
    given = dealing.share(giving, places)
    return dealing.see(seeing, shares.parsed(given.places, given.raw))


def opened(one: Deal, two: Deal) -> tuple[int, ...]:
    """Return the cards at the end, as either house and anybody else finds them."""
    locks = [group.encoded(deal.lock) for deal in (one, two)]
    found = dealing.close(one, locks[1], range(one.terms.size))
    assert found == dealing.close(two, locks[0], range(one.terms.size))
    keys = [locked.key for locked in one.shuffles]
    packs = [locked.pack for locked in one.shuffles]
    order = dealing.order(one.terms, keys, packs, locks)
    assert found == dict(enumerate(order))
    return order


def test_houses_see_their_own_cards_alone_and_both_know_the_same_pack_in_the_end() -> None:
    """In random deals of every pack, a share opens the same card as the locks that are revealed at
    the end of the deal."""
    chance = Random(1)
    for number, count in enumerate((2, 20, 52, 64, 128, 192), 1):
        one, two = dealt(*pair(chance, count, number))
        assert not one.seen_cards
        hand = count // 4
        if hand:
            two = shared(one, two, *range(hand, 2 * hand))
            one = shared(two, one, *range(hand))
        one, two = shared(two, one, count - 1), shared(one, two, count - 1)
        assert set(one.seen_cards) == {*range(hand), count - 1}
        assert set(two.seen_cards) == {*range(hand, 2 * hand), count - 1}
        cards = opened(one, two)
        assert sorted(cards) == list(range(count))
        for deal in (one, two):
            assert all(cards[place] == card for place, card in deal.seen_cards.items())


@pytest.mark.slow
def test_two_hundred_random_deals() -> None:
    chance = Random(2)
    for number in range(200):
        count = (192, 128, 64, 52)[number] if number < 4 else chance.choice((5, 20, 20, 20, 52))
        one, two = dealt(*pair(chance, count, number))
        places = chance.sample(range(count), 4)
        two, one = shared(one, two, *places[:2]), shared(two, one, *places[2:])
        cards = opened(one, two)
        assert sorted(cards) == list(range(count))
        for deal in (one, two):
            assert all(cards[place] == card for place, card in deal.seen_cards.items())


def test_a_pack_depends_on_both_secrets_on_the_game_and_on_the_number() -> None:
    secrets = [bytes([n]) * 32 for n in range(3)]
    terms = Terms(GAME, 1, 20)

    def order(terms: Terms, one: bytes, two: bytes) -> tuple[int, ...]:
        return opened(*dealt(Deal(terms, 1, one), Deal(terms, 2, two)))

    found = {
        order(terms, secrets[0], secrets[1]),
        order(terms, secrets[0], secrets[2]),
        order(terms, secrets[2], secrets[1]),
        order(terms._replace(number=2), secrets[0], secrets[1]),
        order(terms._replace(game=bytes(32)), secrets[0], secrets[1]),
    }
    assert len(found) == 5
    packs = [terms, terms._replace(number=2), terms._replace(game=bytes(32))]
    packs.append(terms._replace(size=21))
    points = [point for one in packs for point in shuffle.cards(one)]
    assert len(set(points)) == 3 * 20 + 21


def test_the_same_secret_gives_the_same_bytes_and_another_statement_nothing_alike() -> None:
    """After a power cut a house sends the same bytes again. A secret with another pack gives
    another lock, order and nonces, because two answers to one nonce would reveal the lock."""
    one, two = pair(Random(3), 20)
    _, first = dealing.make(one)
    assert dealing.make(one)[1] == first
    taken = dealing.take(two, first)
    _, second = dealing.make(taken)
    assert dealing.make(dealing.take(two, first))[1] == second
    given = dealing.share(dealing.make(taken)[0], [3, 1])
    assert dealing.share(dealing.make(taken)[0], [1, 3]) == given
    other = Deal(one.terms, 1, bytes(32))
    _, otherwise = dealing.make(other)
    _, answer = dealing.make(dealing.take(two, otherwise))
    before, after = (shuffle.parsed(raw, 20) for raw in (second, answer))
    for name in shuffle.Shuffle._fields:
        assert getattr(before, name) != getattr(after, name)
    words = [second[at : at + 32] for at in range(0, len(second), 32)]
    assert not set(words) & {answer[at : at + 32] for at in range(0, len(answer), 32)}


def test_the_deal_is_fixed_for_all_versions() -> None:
    """Finished games are checked years later, so the results of two secrets must never change."""
    vector = json.loads((Path(__file__).parent / "deal.json").read_text())
    terms = Terms(GAME, 3, 16)
    secrets = [bytes.fromhex(secret) for secret in vector["secrets"]]
    one, two = (Deal(terms, party, secrets[party - 1]) for party in (1, 2))
    one, first = dealing.make(one)
    two = dealing.take(two, first)
    two, second = dealing.make(two)
    one = dealing.take(one, second)
    assert [sha256(raw).hexdigest() for raw in (first, second)] == vector["messages"]
    assert sha256(dealing.share(one, [2, 5]).raw).hexdigest() == vector["shares"]
    assert [group.encoded(deal.lock).hex() for deal in (one, two)] == vector["locks"]
    assert list(opened(one, two)) == vector["cards"]


def test_a_file_of_version_1_is_still_checked() -> None:
    vector = json.loads((Path(__file__).parent / "earlier.json").read_text())
    terms = Terms(GAME, 3, 16)
    secrets = [bytes.fromhex(secret) for secret in vector["secrets"]]
    packs = []
    for text in vector["packs"]:
        whole = bytes.fromhex(text)
        packs.append(tuple(whole[at : at + 32] for at in range(0, len(whole), 32)))
    found = earlier.order(terms, secrets, vector["commitments"], packs)
    assert list(found) == vector["cards"]
    assert earlier.order(terms, secrets, vector["commitments"], packs[:3]) == ()
    for number, pack in enumerate(packs):
        false = [*packs[:number], (pack[1], pack[0], *pack[2:]), *packs[number + 1 :]]
        with pytest.raises(Deviation, match="wrong-pack"):
            earlier.order(terms, secrets, vector["commitments"], false)
    with pytest.raises(Deviation, match="wrong-secret"):
        earlier.order(terms, secrets[::-1], vector["commitments"], packs)


def test_the_attack_by_ratios_is_refused() -> None:
    """House 1 sends half of the cards and, next to each, the same card times a small number of its
    choice. Any lock keeps the ratios, so without a check it finds every card in house 2's pack."""
    chance = Random(4)
    terms, half = Terms(GAME, 1, COUNT), COUNT // 2
    statement = Statement(terms, 1, b"", shuffle.cards(terms))
    order, lock, other = list(range(COUNT)), chance.randrange(ORDER), chance.randrange(ORDER)
    matrix = permutation(order)
    for place in range(half, COUNT):
        matrix[place] = [value * (place + 2) for value in matrix[place - half]]
    marked = forged(chance, statement, lock, matrix)
    second = [group.multiple(other, point) for point in chance.sample(marked.pack, COUNT)]
    found = {
        (place, point)
        for place in range(half, COUNT)
        for point in second
        if group.multiple(place + 2, point) in second
    }
    assert {place for place, _ in found} == set(range(half, COUNT)), "the ratios are seen"
    with pytest.raises(Deviation, match="wrong-proof"):
        dealing.take(Deal(terms, 2, bytes(32)), marked.raw)


def test_no_ratio_of_an_honest_deal_is_seen() -> None:
    """House 1 has its lock, its pack and its visible hand. It searches house 2's pack for
    multiples, sums and differences."""
    one, two = dealt(*pair(Random(5), 24))
    one = shared(two, one, *range(HAND))
    packs = [locked.pack for locked in one.shuffles]
    theirs = [group.multiple(pow(one.lock, -1, ORDER), point) for point in packs[1]]
    cards = shuffle.cards(one.terms)
    assert not set(packs[0]) & set(packs[1])
    assert not set(theirs) & {*cards, *packs[0], *packs[1]}
    known = [theirs[place] for place in one.seen_cards]
    unknown = set(theirs) - set(known)
    for first, second in product(known, known):
        if first != second:
            assert group.plus(first, second) not in unknown
            assert group.minus(first, second) not in unknown
    for point, factor in product(theirs, range(2, 12)):
        assert group.multiple(factor, point) not in theirs


def test_no_card_is_seen_before_its_share() -> None:
    """With all messages and its own lock, a house finds its own cards and no others."""
    one, two = dealt(*pair(Random(6), 16))
    one, two = shared(two, one, 0, 1, 2), shared(one, two, 3, 4, 5)
    cards = {point: card for card, point in enumerate(shuffle.cards(one.terms))}
    for deal in (one, two):
        said = [point for locked in deal.shuffles for point in (locked.key, *locked.pack)]
        said += deal.points.values()
        locks = [1, deal.lock, pow(deal.lock, -1, ORDER)]
        multiples = {group.multiple(lock, point) for lock in locks for point in said}
        found = {cards[point] for point in multiples if point in cards}
        own = set(deal.seen_cards.values())
        # House 1 made the first pack, so its lock opens that; the order reveals nothing.
        assert found == (own if deal.party == 2 else set(cards.values()))
        places = {
            (place, cards[group.multiple(lock, point)])
            for lock in locks
            for place, point in enumerate(deal.shuffles[1].pack)
            if group.multiple(lock, point) in cards
        }
        assert not places


def test_nothing_is_opened_before_both_have_shuffled() -> None:
    one, two = pair(Random(7), 8)
    other, _ = dealt(*pair(Random(7), 8))
    given = dealing.share(other, [2])
    one, first = dealing.make(one)
    with pytest.raises(dealing.NotDue):  # even if Python drops assertions (-O)
        dealing.share(one, [2])
    with pytest.raises(dealing.NotDue):
        dealing.make(one)
    with pytest.raises(dealing.NotDue):
        dealing.make(two)
    with pytest.raises(Deviation, match="out-of-turn"):
        dealing.see(one, given)
    with pytest.raises(Deviation, match="out-of-turn"):
        dealing.take(Deal(one.terms, 1, b""), first)
    with pytest.raises(Deviation, match="bad-pack"):
        dealing.take(two, b"")


def test_an_opened_deal_that_is_false_is_seen_by_anybody() -> None:
    one, two = dealt(*pair(Random(8), 12))
    locks = [group.encoded(deal.lock) for deal in (one, two)]
    keys = [locked.key for locked in one.shuffles]
    packs = [locked.pack for locked in one.shuffles]
    for number in (0, 1):
        first, other, *rest = packs[number]
        for bad in ((other, other, *rest), (group.generated(5), other, *rest), (bytes(32), first)):
            false = [bad if at == number else pack for at, pack in enumerate(packs)]
            with pytest.raises(Deviation, match="wrong-proof"):
                dealing.order(one.terms, keys, false, locks)
    with pytest.raises(Deviation, match="wrong-lock"):
        dealing.order(one.terms, keys, packs, locks[::-1])
    with pytest.raises(Deviation, match="wrong-lock"):
        dealing.order(one.terms, keys[::-1], packs, locks)


def test_the_end_opens_dealt_places_alone_and_each_must_have_a_card() -> None:
    """A false point in a dealt place is refused here even if the proof had not found it."""
    one, two = dealt(*pair(Random(9), 12))
    two = shared(one, two, 3)
    lock, order = group.encoded(one.lock), opened(one, two)
    assert dealing.close(two, lock, [0, 5]) == {place: order[place] for place in (0, 3, 5)}
    last = two.shuffles[1]
    for place in (0, 5):
        pack = [*last.pack]
        pack[place] = group.generated(5)
        false = replace(two, shuffles=(two.shuffles[0], last._replace(pack=tuple(pack))))
        with pytest.raises(Deviation, match="wrong-proof"):
            dealing.close(false, lock, [0, 5])
        assert dealing.close(false, lock, [1]) == {place: order[place] for place in (1, 3)}


@pytest.mark.parametrize("count", [52, 64, 128, 192])
def test_a_shuffle_fits_into_the_channel(count: int) -> None:
    """Two messages of a deal have at most 64 KB. A piece of one, in base 64 in JSON, is smaller
    than the channel's largest packet."""
    assert 2 * shuffle.size(count) <= 64_000
    piece = min(PIECE, shuffle.size(count))
    assert piece * 4 / 3 + 500 < LARGEST


def test_of_several_copies_of_a_card_each_has_a_point_of_its_own() -> None:
    assert len(set(shuffle.cards(Terms(GAME, 1, 192)))) == 192


def test_shares_that_are_none() -> None:
    for places, size in (((), 2), ((1,), 2), ((1, 1), 4), ((2, 1), 4), ((1, 2), 3)):
        with pytest.raises(NoProof):
            shares.parsed(places, b"\1" * 32 * size)


@pytest.mark.parametrize("own", ["honest", "fixed"])
@pytest.mark.parametrize("deals", [3_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_every_card_comes_to_every_place_and_every_pair_alike(own: str, deals: int) -> None:
    """Chi-squared of places (52 x 52 cells) and of pairs of neighbours (52 x 51), also if one house
    chooses its own shuffle: here it never shuffles. Limits: five standard deviations of
    chi-squared, whose variance is twice its degrees of freedom."""
    chance = Random(10)
    places: Counter[int] = Counter()
    pairs: Counter[int] = Counter()
    statement = Statement(Terms(GAME, 1, COUNT), 1, b"", (b"",) * COUNT)
    for _ in range(deals):
        second = shuffle.order_of(chance.randbytes(32), statement)
        first = range(COUNT) if own == "fixed" else chance.sample(range(COUNT), COUNT)
        cards = [first[place] for place in second]
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


def _chi(times: Counter[int], places: int) -> float:
    mean = times.total() / places
    return sum((times[place] - mean) ** 2 / mean for place in range(places))
