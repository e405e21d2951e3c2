"""The play to 31 in sampled deals, for five-card cribbage and three or four players."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.bot import other_forms
from boardctl.bot.pegging import Unseen, plain_points, play_out, samples, tried
from boardctl.bot.series import START, VALUE, code
from boardctl.bot.worker import Seat
from boardctl.games.cards import CARDS, Card, parse_cards, spell
from boardctl.games.cribbage import show
from boardctl.record.record import Record
from tests.bot.dealer import Dealt

FORMS = {
    "three": ("game cribbage", "seat 1 A", "seat 2 B", "seat 3 C", "dealer 1", "deal"),
    "four": ("game cribbage", "seat 1 A", "seat 2 B", "seat 3 C", "seat 4 D", "dealer 1", "deal"),
    "five": ("game five-card-cribbage", "seat 1 A", "seat 2 B", "dealer 1", "deal"),
}
THROWN = {"three": 1, "four": 1, "five": 2}


def dealt(form: str, cards: list[Card]) -> tuple[Record, list[list[Card]]]:
    """A deal up to the starter, and the hands that are kept."""
    record = Record()
    for line in FORMS[form]:
        record.read(line)
    kept = []
    for seat in range(1, len(record.position.seats) + 1):
        hand = [cards.pop() for _ in range(5)]
        record.read(f"{seat} hand {spell(hand)}")
        record.read(f"{seat} discard {spell(hand[: THROWN[form]])}")
        kept.append(hand[THROWN[form] :])
    record.read(f"starter {cards.pop()}")
    return record, kept


@given(st.sampled_from(sorted(FORMS)), st.randoms(use_true_random=False))
def test_the_referee_awards_the_same(form: str, random: Random) -> None:
    """Cautious players play these hands, one line at a time, and the referee checks each line."""
    cards = list(CARDS)
    random.shuffle(cards)
    record, kept = dealt(form, cards)
    before = record.position.scores
    hands = [code((card.rank or 1) - 1 for card in hand) for hand in kept]
    side = record.position.setup.side  # type: ignore[union-attr]
    first = 2
    expected = [0] * len(before)
    pegs = play_out(START, list(hands), first - 1, 0, 0, once=form == "five")
    for seat, points in enumerate(pegs, 1):
        expected[side(seat) - 1] += points
    state: Any = record.position.state
    while state.deal.phase == "play":
        seat = state.deal.to_play
        card = other_forms.cautious(state.deal.series, kept[seat - 1])
        if card is None:
            record.read(f"{seat} go")
        else:
            kept[seat - 1].remove(card)
            record.read(f"{seat} play {card}")
        state = record.position.state
    if all(score < state.target for score in record.position.scores):
        scored = [now - was for now, was in zip(record.position.scores, before, strict=True)]
        assert scored == expected


@given(st.lists(st.integers(0, 51), min_size=4, max_size=5, unique=True))
def test_ranks_count_as_at_the_show(cards: list[int]) -> None:
    """The hands have three or four cards and a starter. Flush and nobs are left out."""
    *hand, starter = (CARDS[card] for card in cards)
    items = show.count(hand, starter)
    counted = sum(item.points for item in items if item.reason not in ("flush", "nobs"))
    assert plain_points(tuple(sorted(card % 13 for card in cards))) == counted


@given(st.randoms(use_true_random=False), st.integers(0, 30), st.integers(0, 3))
def test_a_sample_agrees_with_what_is_known(random: Random, floor: int, number: int) -> None:
    played = ((), tuple(random.choices(range(13), k=number)), ())
    pool = tuple(random.sample(range(52), 44))
    unseen = Unseen(pool, 5, 4, 0, played, (0, min(floor, 9), 0), (True, False, False))
    for sample in samples(unseen, 5, random):
        cards = [*sample.undealt]
        for seat in (1, 2):
            cards += [*sample.hands[seat], *sample.thrown[seat]]
            assert len(sample.hands[seat]) == 4 - len(played[seat])
            assert len(sample.thrown[seat]) == 1
            assert all(VALUE[card % 13] > unseen.floors[seat] for card in sample.hands[seat])
        assert sorted(cards) == sorted(pool)
        assert sample.hands[0] == sample.thrown[0] == ()


def test_nobody_keeps_what_would_help_more_in_its_own_crib() -> None:
    """A sampled dealer throws fives more often than its opponent."""
    fives = {True: 0, False: 0}
    pool = tuple(range(5, 52))
    for owner in fives:
        unseen = Unseen(pool, 5, 3, 0, ((), ()), (0, 0), (not owner, owner))
        for sample in samples(unseen, 400, Random(1)):
            fives[owner] += sum(card % 13 == 4 for card in sample.thrown[1])
    assert fives[True] > 1.2 * fives[False]


def test_a_card_that_does_not_fit_is_not_tried() -> None:
    hands = [code([9, 0]), code([9])]
    series = START
    for rank in (9, 9, 8):
        move = series.open()[rank]
        assert move is not None
        series = move[1]
    assert series.count == 29
    assert tried(series, 9, hands, 0, 0) is None
    # The ace makes 30 and both say go: one. Then ten and ten, a pair: two; the last card: one.
    assert tried(series, 0, hands, 0, 0) == [4, 0]
    assert hands == [code([9, 0]), code([9])], "the hands stay"


def told(form: str, seat: int, level: int, others: int) -> list[str]:
    """A seat's lines in a deal in which the other hands and the crib are dealt by a different
    random source."""
    random = Random("known")
    own = random.sample(list(CARDS), 6)
    hand, starter = own[:5], own[5]
    hidden = [card for card in CARDS if card not in own]
    Random(others).shuffle(hidden)
    player = Seat(seat, level, 7)
    for line in FORMS[form]:
        player.receive(line)
    said = player.receive(f"{seat} hand {spell(hand)}")
    for other in range(1, len(player.position.seats) + 1):
        if other != seat:
            player.receive(f"{other} discard {' '.join('?' * THROWN[form])}")
    said += player.receive(f"starter {starter}")
    return said


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("level", [1, 3, 5])
def test_hidden_cards_change_nothing(form: str, level: int) -> None:
    """The same seed and the same knowledge give the same lines."""
    assert len({tuple(told(form, 2, level, others)) for others in range(3)}) == 1


@pytest.mark.parametrize("form", sorted(FORMS))
def test_every_level_plays_a_whole_deal(form: str) -> None:
    game = FORMS[form][0].removeprefix("game ")
    seats = sum(line.startswith("seat") for line in FORMS[form])
    for level in (-1, 2, 5):
        dealt = Dealt(game, [level] * seats, Random(level), {})
        dealt.play(1)
        assert dealt.said >= 8


def test_a_winning_card_is_played() -> None:
    """Two points are missing, and a five makes fifteen."""
    record = Record()
    for line in (
        *FORMS["five"][:3], "set three_for_last off", "start 40 59", *FORMS["five"][3:],
        "2 hand 5H 2C 3D 9S 9H", "1 discard ? ?", "2 discard 9S 9H", "starter KS",
    ):  # fmt: skip
        record.read(line)
    record.read("2 play 3D")
    record.read("1 play 7C")
    state: Any = record.position.state
    hand = list(parse_cards("5H 2C 3D 9S 9H"))
    held = list(parse_cards("5H 2C"))
    found = dict(other_forms.cards(state, hand, held, 2, Random(1)))
    assert found[5] > 90 > found[2]
    assert other_forms.card(state, hand, held, 2, 5, Random(1)) == held[0]
