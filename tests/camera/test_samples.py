"""Training pictures: their labels match their content."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.camera import frames
from tests.parts import need
from tests.spread import spread
from tools.camera import decks, evaluation, hands, labelled, packs, samples, scenes


def test_the_target_of_an_index_is_at_its_middle() -> None:
    unknown = np.zeros((hands.SIZE, hands.SIZE), bool)
    unknown[200:] = True
    target = hands.target([hands.Mark(100, 60, 0, 96)], unknown)
    ((y, x),) = np.argwhere(target[0] == 1)
    right, below, cos, sin, width = target[1:, y, x]
    assert ((x + 0.5 + right) * hands.CELL, (y + 0.5 + below) * hands.CELL) == (100, 60)
    assert (cos, sin, width) == (0, 1, 0)
    assert (target[0, -1] == -1).all()


@given(
    turn=st.floats(-0.6, 0.6),
    scale=st.floats(0.65, 1.5),
    shift=st.tuples(st.floats(-8, 8), st.floats(-8, 8)),
)
def test_a_card_is_moved_to_where_its_index_is(
    turn: float, scale: float, shift: tuple[float, float]
) -> None:
    card = np.array([[50, 40], [150, 40], [150, 182], [50, 182]], np.float32)
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    guess = (card - card[0]) @ np.array([[cos, sin], [-sin, cos]]) + card[0] + np.array(shift)
    patch = samples.Patch(
        frames.index_frame(guess.astype(np.float32), 0), frames.index_frame(card, 0)
    )
    moves = samples.moves(patch).astype(np.float32)
    assert np.abs(frames.moved(guess.astype(np.float32), moves) - card).max() < 0.5


def test_a_card_is_not_moved_far() -> None:
    card = np.array([[50, 40], [150, 40], [150, 182], [50, 182]], np.float32)
    mirrored = np.array([1, 0, -1, 0, 1, 0], np.float32)
    tiny = np.array([0.4, 0.4, -0.4, 0.4, 0.4, -0.4], np.float32)
    assert (frames.moved(card, mirrored) == card).all()
    assert (frames.moved(card, tiny) == card).all()


@pytest.mark.parametrize("seed", spread(2, range(5)))
def test_of_every_card_of_a_heap_an_index_is_in_view(seed: int) -> None:
    need("gnome-cards-data", "rsvg-convert")
    size = (400, 300)
    scene = scenes.heap(seed, decks.faces("anglo_poker"), 4, size)
    assert len(scene.cards) == 4
    for above, corners in enumerate(scene.corners):
        free = []
        for first in (corners, np.roll(corners, 2, axis=0)):
            middle = frames.index_frame(first, 0).mean(axis=0)
            free.append(
                all(
                    cv2.pointPolygonTest(other, (float(middle[0]), float(middle[1])), False) < 0
                    for other in scene.corners[above + 1 :]
                )
            )
        assert any(free)


def test_a_club_whose_lobes_merge_keeps_its_size() -> None:
    club = np.zeros((60, 60), np.uint8)
    for middle in ((30, 14), (14, 32), (46, 32)):
        cv2.circle(club, middle, 13, 255, -1)
    cv2.rectangle(club, (27, 20), (33, 59), 255, -1)
    merged = packs.merged(np.random.default_rng(1), club)
    assert merged.shape == club.shape
    sides = np.array(cv2.boundingRect(merged)) - np.array(cv2.boundingRect(club))
    assert np.abs(sides).max() <= 1
    assert (merged > 0).sum() > (club > 0).sum() + 30


def test_every_language_has_a_letter_for_each_rank() -> None:
    for letters in packs.LETTERS.values():
        assert len(set(letters)) == 13
        assert list(letters[1:10]) == [*"23456789", "10"]


@pytest.mark.parametrize("seed", spread(1, range(3)))
def test_of_every_card_held_in_a_hand_the_index_is_in_view(seed: int) -> None:
    need("gnome-cards-data", "rsvg-convert")
    scene = scenes.held(seed, decks.faces("anglo_poker"), 5)
    for above, corners in enumerate(scene.corners):
        middle = frames.index_frame(corners, 0).mean(axis=0)
        assert all(
            cv2.pointPolygonTest(other, (float(middle[0]), float(middle[1])), False) < 0
            for other in scene.corners[above + 1 :]
        )


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
    from boardctl.games.cards import parse_card

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


def test_a_scene_is_silently_wrong_if_a_sure_card_is_not_in_it() -> None:
    from boardctl.camera.reading import SeenCard
    from boardctl.games.cards import parse_card

    card = np.array([[0, 0], [10, 0], [10, 14], [0, 14]], np.float32)
    hand = (parse_card("5H"), parse_card("JD"))
    scene = scenes.Scene(np.zeros((20, 40, 3), np.uint8), hand, (card, card + np.float32(20)))

    def seen(card: str, left: float, sure: bool = True) -> SeenCard:
        box = ((left, left), (left + 10, left), (left + 10, left + 14), (left, left + 14))
        return SeenCard(parse_card(card), sure, box, 1.0, True)

    assert evaluation.judge_scene(scene, [seen("5H", 0), seen("JD", 26)]).causes == (
        "right", "right",
    )  # fmt: skip
    assert evaluation.judge_scene(scene, [seen("5H", 0)]).silent
    assert evaluation.judge_scene(scene, [seen("5H", 0), seen("QD", 21)]).causes == (
        "right", "wrong and sure",
    )  # fmt: skip
    assert not evaluation.judge_scene(scene, [seen("5H", 0), seen("QD", 21, sure=False)]).silent
    assert evaluation.judge_scene(scene, [seen("5H", 0), seen("JD", 20), seen("2C", 90)]).silent


def test_wilsons_interval() -> None:
    low, high = evaluation.wilson(96, 113)  # Wilson (1927)
    assert (round(low, 3), round(high, 3)) == (0.772, 0.904)
    assert labelled.union((0, 0, 2, 2), (1, 0, 3, 2)) == 1 / 3
