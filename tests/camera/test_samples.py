"""Training pictures: their labels say what is in them."""

from __future__ import annotations

import numpy as np

from tests.camera import decks, evaluation, hands, labelled
from tests.parts import need


def test_the_target_of_an_index_is_at_its_middle() -> None:
    unknown = np.zeros((hands.SIZE, hands.SIZE), bool)
    unknown[200:] = True
    target = hands.target([hands.Mark(100, 60, 0, 96)], unknown)
    ((y, x),) = np.argwhere(target[0] == 1)
    right, below, cos, sin, width = target[1:, y, x]
    assert ((x + 0.5 + right) * hands.CELL, (y + 0.5 + below) * hands.CELL) == (100, 60)
    assert (cos, sin, width) == (0, 1, 0)
    assert (target[0, -1] == -1).all()


def test_hands_are_drawn_from_their_seed() -> None:
    need("gnome-cards-data", "rsvg-convert")
    deck = decks.faces("anglo_poker")
    one, same, other = (
        hands.make(np.random.default_rng(seed), [deck], [], 6, 0.0) for seed in (1, 1, 2)
    )
    assert (one.pictures == same.pictures).all()
    assert (one.targets == same.targets).all()
    assert (one.pictures != other.pictures).any()
    assert (one.targets[:, 0] == 1).any()


def test_a_hand_is_silently_wrong_if_a_card_is_missed_and_the_others_are_sure() -> None:
    from boardctl.camera.reading import SeenCard
    from boardctl.cards import parse_card

    cards = (("5", (0.0, 0.0, 10.0, 14.0)), ("J", (20.0, 0.0, 30.0, 14.0)))

    def seen(card: str, left: float, sure: bool = True) -> SeenCard:
        box = ((left, 0.0), (left + 10, 0.0), (left + 10, 14.0), (left, 14.0))
        return SeenCard(parse_card(card), sure, box, 1.0, True)

    both = [seen("5H", 0), seen("JD", 20)]
    assert evaluation.judge(cards, both) == (("right", "right"), 0, False)
    assert evaluation.judge(cards, both[:1]) == (("right", "missed"), 0, True)
    assert not evaluation.judge(cards, [seen("5H", 0, sure=False)]).silent
    assert evaluation.judge(cards, [seen("9H", 0), both[1]]) == (
        ("wrong and sure", "right"), 0, True,
    )  # fmt: skip
    assert evaluation.judge(cards, [*both, seen("2H", 40)]).silent


def test_wilsons_interval() -> None:
    low, high = evaluation.wilson(96, 113)  # Wilson (1927)
    assert (round(low, 3), round(high, 3)) == (0.772, 0.904)
    assert labelled.union((0, 0, 2, 2), (1, 0, 3, 2)) == 1 / 3
