"""Several views of one photo: they settle doubts, and invent nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from boardctl.camera import reading, views
from boardctl.camera.outlines import Image
from boardctl.camera.reading import SeenCard
from boardctl.games.cards import parse_card
from tests.camera.test_reading import deck
from tools.camera import scenes


def seen(text: str) -> list[SeenCard]:
    """Return readings at places 100 pixels apart: `5H` is sure, `5H?.6` has this probability, `!`
    contradicts it, `@2` is its place, by default its number in the text."""
    cards = []
    for n, word in enumerate(text.split()):
        word, _, place = word.partition("@")
        name, _, share = word.rstrip("!").partition("?")
        left = 100.0 * (int(place) if place else n)
        box = ((left, 0.0), (left + 90, 0.0), (left + 90, 126.0), (left, 126.0))
        probability = float(share) if share else 0.99
        card = SeenCard(parse_card(name), not share, box, probability, True, word.endswith("!"))
        cards.append(card)
    return cards


@pytest.mark.parametrize(
    ("several", "found"),
    [
        ("5H 6S | 5H 6S | 5H 6S | 5H 6S", "5H 6S"),
        ("5H 6S?.4 | 5H 6S | 5H 6S | 5H 6S?.3", "5H 6S"),
        ("5H 6S?.4 | 5H 6S | 5H 6S?.4 | 5H", "5H 6S?"),
        ("5H 6S?.6 | 5H 6S?.5 | 5H 6S?.5 | 5H 6S?.5", "5H 6S"),
        ("5H 6S?.6 | 5H 6S?.4 | 5H 6S?.4 | 5H 6S?.4", "5H 6S?"),
        ("5H 6S?.6! | 5H 6S?.9 | 5H 6S?.9 | 5H 6S?.9", "5H 6S?"),
        ("5H 6S?.6 | 5H 6S | 5H 6S | 5H 8S", "5H 6S?"),
        ("5H 6S?.6 | 5H 6S | 5H 6S | 5H@1", "5H 6S"),
        ("5H 6S | 5H 8S | 5H 8S | 5H 8S", "5H 6S?"),
        ("5H 6S | 5H 8S | 5H 6S | 5H 6S", "5H 6S"),
        ("5H 6S?.4 | 5H 8S | 5H 8S | 5H 6S?.4", "5H 8S"),
        ("5H 6S?.4 | 5H 6S | 5H 6S 6S | 5H 6S", "5H 6S?"),
        ("5H 2C?.1 | 5H 2C?.1 7D | 5H 7D@2 | 5H", "5H 2C? 7D"),
        ("5H 2C?.1 | 5H 2C?.1 7D | 5H | 5H", "5H 2C?"),
    ],
)
def test_views_are_fused(several: str, found: str) -> None:
    fused = views.fused([seen(each) for each in several.split("|")])
    assert " ".join(f"{one.card}{'' if one.sure else '?'}" for one in fused) == found


def test_a_photo_without_doubt_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = np.full((200, 300, 3), 90, np.uint8)
    asked = []

    def read(image: Image, packs: object) -> list[SeenCard]:
        asked.append(image.shape[:2])
        return seen("5H 6S" if len(asked) == 1 else "")

    monkeypatch.setattr(reading, "read", read)
    assert len(views.read(photo)) == 2
    assert asked == [(200, 300)]


@pytest.mark.slow
def test_boxes_of_other_views_are_in_the_pixels_of_the_photo() -> None:
    scene = scenes.laid(100, deck("anglo_poker"), 4)
    straight = {each.card: np.array(each.box) for each in reading.read(scene.image)}
    for turn, scale in views.VIEWS:
        for each in views._view(scene.image, (), turn, scale):
            here, there = straight[each.card], np.array(each.box)
            width = float(np.hypot(*(here[1] - here[0])))
            away = min(float(np.abs(np.roll(there, k, axis=0) - here).max()) for k in range(4))
            assert away < 0.05 * width


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seed"), [("held", 901), ("held", 902), ("laid", 901)])
def test_doubts_of_one_view_are_settled_by_the_others(kind: str, seed: int) -> None:
    draw = {"held": scenes.held, "laid": scenes.laid}[kind]
    scene = draw(seed, deck("bellot"), 6 if kind == "laid" else 5)
    assert not all(each.sure for each in reading.read(scene.image))
    found = views.read(scene.image)
    assert all(each.sure for each in found)
    assert {each.card for each in found} == set(scene.cards)


@pytest.mark.slow
def test_a_grey_photo_stays_in_doubt() -> None:
    scene = scenes.laid(100, deck("anglo_poker"), 4)
    light = cv2.cvtColor(scene.image, cv2.COLOR_BGR2GRAY)
    image = np.asarray(cv2.cvtColor(light, cv2.COLOR_GRAY2BGR), np.uint8)
    assert not any(each.sure for each in views.read(image))
