"""Cards before a phone's camera, said to its player alone; hands read from several frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import pytest
from playwright.sync_api import Page, expect

from tests.parts import need
from tests.web.conftest import Daemon, Visit
from tools.camera import decks, scenes

BOX = [[0, 0], [9, 0], [9, 9], [0, 9]]
FILMED = """
navigator.mediaDevices.getUserMedia = async () => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [320, 240];
  const paint = () => {
    canvas.getContext('2d').fillRect(0, 0, 320, 240);
    requestAnimationFrame(paint);
  };
  paint();
  const stream = canvas.captureStream();
  const [track] = stream.getTracks();
  const stop = track.stop.bind(track);
  document.body.dataset.camera = 'on';
  track.stop = () => {
    stop();
    document.body.dataset.camera = 'off';
  };
  return stream;
};
"""
"""A camera without a device."""
UNFILMED = "navigator.mediaDevices.getUserMedia = async () => { throw new Error('denied'); }; 0"
SPOKEN = """
document.body.dataset.spoken = '';
speechSynthesis.speak = (one) => { document.body.dataset.spoken += `${one.text}. `; };
speechSynthesis.cancel = () => {};
"""
"""A voice of the phone that only remembers."""


def cards(*names: str) -> list[dict[str, Any]]:
    """Return readings; `JS?` is not sure."""
    return [
        {"card": name[:2], "sure": "?" not in name, "probability": 0.9, "box": BOX}
        for name in names
    ]


def answers(page: Page, *frames: tuple[str, ...]) -> list[str]:
    """Answer the page's photos with these cards, the last ones repeatedly. Return its requests."""
    asked: list[str] = []

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        names = frames[min(len(asked), len(frames)) - 1]
        nothing = {"error": {"code": "photo-unreadable", "message": "No cards in the picture."}}
        route.fulfill(json={"cards": cards(*names)} if names else nothing)

    page.route("**/photo?*most=*", answer)
    return asked


def ear(page: Page) -> Any:
    """Open the private ear and return its dialog."""
    page.locator("#more").click()
    page.get_by_role("button", name="Hear your cards privately").click()
    return page.locator("dialog.ear")


def test_cards_are_said_to_one_phone_and_entered_nowhere(
    daemon: Daemon, visit: Visit, tmp_path: Path
) -> None:
    daemon.say("game cribbage", "dealer 1", "deal")
    page = visit(daemon.url, width=390, height=844)
    page.evaluate(SPOKEN)
    answers(page, ("5H", "JS?"), ())
    before = daemon.state()["number"]
    dialog, heard = ear(page), page.locator("dialog.ear [role=status][aria-live=assertive]")
    (photo := tmp_path / "hand.jpg").write_bytes(b"")
    dialog.locator("input[type=file]").set_input_files(photo)
    expect(heard).to_have_text("five of hearts, perhaps the jack of spades")
    said = "five of hearts, perhaps the jack of spades. "
    aloud = page.locator("body")
    expect(aloud).to_have_attribute("data-spoken", "")  # off until somebody turns it on
    dialog.get_by_role("button", name="This phone reads the cards aloud").click()
    expect(aloud).to_have_attribute("data-spoken", said)
    dialog.get_by_role("button", name="Again").click()
    expect(aloud).to_have_attribute("data-spoken", said + said)
    dialog.locator("input[type=file]").set_input_files(photo)
    expect(heard).to_have_text("No cards in the picture.")
    assert daemon.state()["number"] == before
    dialog.get_by_role("button", name="Close").click()
    expect(page.locator("#happened")).not_to_contain_text("hearts")


def test_a_card_held_before_the_camera_is_said_once_two_frames_agree(
    daemon: Daemon, visit: Visit
) -> None:
    daemon.say("game cribbage", "dealer 1", "deal")
    page = visit(daemon.url, width=390, height=844)
    page.evaluate(SPOKEN + FILMED)
    page.evaluate("localStorage.setItem('boardctl.ear', 'on')")
    assert page.evaluate("document.featurePolicy.allowsFeature('camera')")
    five, six = ("5H",), ("6H",)
    answers(page, (), six, five, five, five, (), five, five, six, six)
    dialog = ear(page)
    dialog.get_by_role("button", name="Watch with the camera").click()
    said = "five of hearts. five of hearts. six of hearts. "
    expect(page.locator("body")).to_have_attribute("data-spoken", said)
    dialog.get_by_role("button", name="Stop the camera").click()
    expect(dialog.get_by_role("button", name="Watch with the camera")).to_be_visible()
    expect(dialog.locator("video")).to_be_hidden()


def test_a_camera_that_may_not_be_used_is_said(daemon: Daemon, visit: Visit) -> None:
    daemon.say("game cribbage", "dealer 1", "deal")
    page = visit(daemon.url, width=390, height=844)
    page.evaluate(UNFILMED)
    dialog = ear(page)
    dialog.get_by_role("button", name="Watch with the camera").click()
    expect(dialog.locator(".heard")).to_have_text(
        "This browser cannot show the camera’s picture: take a photo instead."
    )
    expect(dialog.get_by_role("button", name="Watch with the camera")).to_be_visible()


def test_a_hand_is_read_from_frames_until_it_is_sure(daemon: Daemon, visit: Visit) -> None:
    daemon.say("game cribbage", "dealer 1", "deal", "starter QD")
    page = visit(daemon.url, width=390, height=844)
    page.evaluate(FILMED)
    asked = answers(page, ("5H", "6S", "7D?"), ("5H", "6S", "7D"), ("6S", "7D", "8C"), ("5H", "8C"))
    page.get_by_role("button", name="Enter the cards").click()
    page.get_by_role("button", name="Watch with the camera").click()
    slots = page.locator("dialog.picker .slots button.slot")
    expect(slots).to_have_text(["5♥", "6♠", "7♦", "8♣"])
    assert len(asked) == 4
    expect(page.locator("dialog.picker video")).to_be_hidden()


def test_the_camera_stops_with_the_dialog(daemon: Daemon, visit: Visit) -> None:
    daemon.say("game cribbage", "dealer 1", "deal", "starter QD")
    page = visit(daemon.url, width=390, height=844)
    page.evaluate(FILMED)
    answers(page, ("5H", "6S?"))
    page.get_by_role("button", name="Enter the cards").click()
    page.get_by_role("button", name="Watch with the camera").click()
    expect(page.locator("body")).to_have_attribute("data-camera", "on")
    page.locator("dialog.picker").get_by_role("button", name="Close").click()
    expect(page.locator("body")).to_have_attribute("data-camera", "off")


def test_frames_are_fused(daemon: Daemon, visit: Visit) -> None:
    """Two cards are expected; a frame that is sure of another card forbids certainty."""
    page = visit(daemon.url)
    how = "frames => import('./film.js').then(({ fused }) => fused(frames, 2))"
    for frames, sure, asked, settled in (
        (["5H 6S"], "5H 6S", "", True),
        (["5H 6S 7D?"], "", "5H 6S 7D", False),
        (["5H 6S?", "5H 6S?"], "5H", "6S", False),
        (["5H 6S?", "5H 7D"], "5H 7D", "", True),
        (["5H 6S", "5H 7D"], "5H", "6S 7D", False),
        (["9H 6S", "5H 6S?", "5H 6S"], "5H 6S", "9H", False),
        (["5H", "5H", "5H", "5H", "5H", "5H 6S?"], "5H", "6S", True),
        (["5H 6S 7D", "5H 6S 7D"], "", "5H 6S 7D", False),
    ):
        found = page.evaluate(how, [cards(*frame.split()) for frame in frames])
        known = (sorted(found["sure"]), sorted(found["asked"]), found["settled"])
        assert known == (sure.split(), asked.split(), settled), frames


@pytest.mark.slow
def test_a_real_photo_is_said(daemon: Daemon, visit: Visit, tmp_path: Path) -> None:
    need("gnome-cards-data", "rsvg-convert")
    daemon.say("game cribbage", "dealer 1", "deal")
    scene = scenes.laid(107, decks.faces("anglo_poker"), 1)
    photo = tmp_path / "card.jpg"
    cv2.imwrite(str(photo), scene.image)
    page = visit(daemon.url, width=390, height=844)
    ear(page).locator("input[type=file]").set_input_files(photo)
    card = scene.cards[0]
    suit = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}[str(card)[1]]
    expect(page.locator("dialog.ear .heard")).to_contain_text(f"of {suit}", timeout=60_000)
