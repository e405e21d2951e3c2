"""Photos from the page: read in a separate process, limited, deleted, and pegged by one tap."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
import zipfile
from collections.abc import AsyncIterator, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect
from starlette.requests import Request

from boardctl import text
from boardctl.camera import saved_reports
from boardctl.camera.photo_api import Limits, PhotoReader, PhotoRefused, questionable
from boardctl.games.cards import CARDS, parse_cards
from boardctl.message import Message
from tests.parts import need
from tests.web.conftest import Daemon, Visit
from tools.camera import decks, scenes


async def body(data: bytes) -> AsyncIterator[bytes]:
    yield data


def refused(reader: PhotoReader, data: bytes) -> PhotoRefused:
    with pytest.raises(PhotoRefused) as error:
        asyncio.run(reader.read(body(data)))
    return error.value


def test_a_photo_that_is_none_gets_a_sentence_and_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = tmp_path / "read"
    read.mkdir()
    made = read.stat().st_mtime_ns
    monkeypatch.setattr(tempfile, "tempdir", str(read))
    error = refused(PhotoReader(tmp_path), b"%PDF-1.7")
    assert error.status == HTTPStatus.UNPROCESSABLE_ENTITY
    said = text.say(Message("error", error.why, error.fields))
    assert said.endswith(": it is a PDF; photos must be JPEG, PNG or WebP")
    assert read.stat().st_mtime_ns > made, "a photo was there"
    assert not list(read.iterdir())


def test_a_photo_that_is_too_large_is_not_kept(tmp_path: Path) -> None:
    error = refused(PhotoReader(tmp_path, Limits(most_bytes=2_000_000)), bytes(2_000_001))
    assert (error.code, error.fields) == ("photo-too-large", {"most": 2})


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("import time; time.sleep(60)", "photo-too-slow"),
        ("import os; os.abort()", "photo-failed"),
        ("import time; time.sleep(0.2); bytes(400_000_000)", "photo-failed"),
    ],
)
def test_a_reader_that_hangs_dies_or_grows_takes_nothing_along(
    program: str, code: str, tmp_path: Path
) -> None:
    reader = PhotoReader(
        tmp_path,
        Limits(patience=2 if "60" in program else 60, memory=200_000_000),
        ("-c", program),
    )
    assert refused(reader, b"photo").code == code


RIGHT = tuple(parse_cards("5H 5S JD 4C"))
REPORTS = (
    "import json, sys; from pathlib import Path; "
    "Path(sys.argv[sys.argv.index('--report') + 1]).write_bytes(b'a report'); "
    "print(json.dumps({'error': {'code': 'no-cards', 'fields': {}}}) if %r else '{\"cards\": []}')"
)
"""A reader that writes a report and reads no card, or fails because of that."""


@pytest.mark.parametrize("fails", [False, True])
def test_misread_photos_are_saved_until_there_are_too_many(tmp_path: Path, fails: bool) -> None:
    reader = PhotoReader(tmp_path, command=("-c", REPORTS % fails))

    def save() -> str:
        return asyncio.run(reader.save(body(b"photo"), RIGHT, sender("10.0.0.1")))

    assert [save() for _ in range(saved_reports.MOST)][:2] == ["report-1.zip", "report-2.zip"]
    with pytest.raises(PhotoRefused, match="reports-full") as error:
        save()
    assert error.value.fields == {"most": saved_reports.MOST}
    moved = saved_reports.move(tmp_path, tmp_path / "out")
    assert len(moved) == saved_reports.MOST
    assert save() == "report-1.zip"
    assert saved_reports.move(tmp_path, tmp_path / "out") == [
        tmp_path / "out" / f"report-{saved_reports.MOST + 1}.zip"
    ], "no report is overwritten"


def test_two_phones_that_save_at_the_same_time_keep_both_photos(tmp_path: Path) -> None:
    """Both had chosen the same file, and one photo was lost without a word."""
    copy = (
        "import sys; from pathlib import Path; "
        "report = Path(sys.argv[sys.argv.index('--report') + 1]); "
        "report.exists() and sys.exit('it exists'); "
        "report.write_bytes(Path(sys.argv[1]).read_bytes()); print('{\"cards\": []}')"
    )
    reader = PhotoReader(tmp_path, command=("-c", copy))

    async def both() -> None:
        await asyncio.gather(
            reader.save(body(b"one"), RIGHT, sender("10.0.0.1")),
            reader.save(body(b"two"), RIGHT, sender("10.0.0.2")),
        )

    asyncio.run(both())
    saved = list(saved_reports.folder(tmp_path).iterdir())
    assert {report.read_bytes() for report in saved} == {b"one", b"two"}


def test_a_photo_that_cannot_be_read_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(PhotoRefused, match="photo-unreadable"):
        asyncio.run(PhotoReader(tmp_path).save(body(b"%PDF-1.7"), RIGHT, sender("10.0.0.1")))
    assert list(saved_reports.folder(tmp_path).iterdir()) == []


def sender(host: str) -> Request:
    """Return a request of a phone that stays connected."""

    async def stays() -> dict[str, str]:
        await asyncio.get_running_loop().create_future()
        return {}

    return Request({"type": "http", "client": (host, 5), "headers": []}, stays)


def test_a_photo_that_arrives_slowly_keeps_no_other_phone_waiting(tmp_path: Path) -> None:
    """Each address sends one photo, and at most two arrive at a time."""
    reader = PhotoReader(tmp_path, command=("-c", "print('{\"cards\": []}')"))

    async def meet() -> None:
        last: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        async def slow() -> AsyncIterator[bytes]:
            yield b"the beginning"
            yield await last

        first = asyncio.create_task(reader.read(slow(), sender("10.0.0.1")))
        await asyncio.sleep(0)
        assert await reader.read(body(b"whole"), sender("10.0.0.2")) == []
        with pytest.raises(PhotoRefused, match="busy"):
            await reader.read(body(b"whole"), sender("10.0.0.1"))
        second = asyncio.create_task(reader.read(slow(), sender("10.0.0.3")))
        await asyncio.sleep(0)
        with pytest.raises(PhotoRefused, match="busy"):
            await reader.read(body(b"whole"), sender("10.0.0.2"))
        last.set_result(b"the end")
        assert [await first, await second] == [[], []]
        assert await reader.read(body(b"whole"), sender("10.0.0.1")) == []

    asyncio.run(meet())


def seen(*cards: str) -> list[dict[str, Any]]:
    """Return the reader's answer: `5H` is sure, `5H?0.3` a guess with its probability."""
    split = [card.partition("?") for card in cards]
    return [
        {"card": card, "sure": not mark, "probability": float(p or 0.99), "box": []}
        for card, mark, p in split
    ]


def answered(cards: Sequence[dict[str, Any]], known: str = "", most: int | None = None) -> str:
    answer = questionable(cards, frozenset(parse_cards(known)), most)
    return " ".join(each["card"] + "?" * (not each["sure"]) for each in answer)


def test_what_cannot_be_is_asked() -> None:
    assert answered(seen("5H", "5H", "5S", "JD")) == "5H? 5H? 5S JD"
    assert answered(seen("5H", "5S", "JD"), known="JD") == "5H 5S", "the starter lies beside it"
    assert answered(seen("5H", "5S", "JD", "QD"), most=3) == "5H? 5S? JD? QD?", "which of them?"


def test_one_doubtful_spot_makes_no_card_a_question() -> None:
    hand = ("5H", "5S", "JD")
    assert answered(seen(*hand, "AS?0.019"), most=4) == "5H 5S JD", "nobody asks about a dog"
    assert answered(seen(*hand, "AS?0.3"), most=4) == "5H 5S JD AS?", "one is missing"
    assert answered(seen(*hand, "AS?0.3"), most=3) == "5H 5S JD", "none is missing"
    assert answered(seen(*hand, "QD", "AS?0.3"), known="QD", most=3) == "5H 5S JD"
    assert answered(seen(*hand, "JD?0.3"), most=3) == "5H 5S JD", "nor is it a second jack"
    assert answered(seen(*hand, "JD?0.6"), most=3) == "5H? 5S? JD? JD?", "which of them is it?"
    assert answered(seen(*hand, "AS?0.8"), most=3) == "5H? 5S? JD? AS?", "another card, surely"


@pytest.mark.slow
def test_a_photo_on_a_phone_ends_as_a_pegged_hand(
    daemon: Daemon, visit: Visit, tmp_path: Path
) -> None:
    need("gnome-cards-data", "rsvg-convert")
    scene = scenes.laid(107, decks.faces("anglo_poker"), 4)
    starter = next(card for card in CARDS if card not in scene.cards)
    daemon.say("game cribbage", "dealer 1", "deal", f"starter {starter}")
    photo = tmp_path / "hand.jpg"
    cv2.imwrite(str(photo), scene.image)
    page = visit(daemon.url, width=390, height=844, is_mobile=True, has_touch=True)
    page.get_by_role("button", name="Enter the cards").click()
    page.set_input_files("input[type=file]", photo)
    slots = page.locator("dialog .slots button.slot")
    questions = page.locator(".photo [role=status] button")
    expect(slots.or_(questions).first).to_be_visible(timeout=60_000)
    for _ in range(questions.count()):
        questions.first.click()
    expect(slots).to_have_count(4)
    page.get_by_role("button", name=re.compile(r"^(Peg \d+|Confirm)$")).click()
    expect(page.locator("dialog.picker")).not_to_be_visible()
    moves = daemon.state()["moves"]
    assert set(map(str, scene.cards)) <= set(moves[-1]["line"].split())


@pytest.mark.slow
def test_a_question_shows_what_it_is_about(daemon: Daemon, visit: Visit, tmp_path: Path) -> None:
    """In a grey photo, every suit is asked about, next to its part of the picture."""
    need("gnome-cards-data", "rsvg-convert")
    scene = scenes.laid(107, decks.faces("anglo_poker"), 4)
    starter = next(card for card in CARDS if card not in scene.cards)
    daemon.say("game cribbage", "dealer 1", "deal", f"starter {starter}")
    photo = tmp_path / "grey.jpg"
    cv2.imwrite(str(photo), cv2.cvtColor(scene.image, cv2.COLOR_BGR2GRAY))
    page = visit(daemon.url, width=390, height=844, is_mobile=True, has_touch=True)
    page.get_by_role("button", name="Enter the cards").click()
    page.set_input_files("input[type=file]", photo)
    questions = page.locator(".photo [role=status] button")
    expect(questions).to_have_count(4, timeout=60_000)
    expect(page.locator("dialog .slots button.slot")).to_have_count(0)
    for place in range(4):
        size = questions.nth(place).locator("canvas").evaluate("c => [c.width, c.height]")
        assert max(size) == 64
        ink = (
            questions.nth(place)
            .locator("canvas")
            .evaluate(
                "c => new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size"
            )
        )
        assert ink > 20, "a card is more than one colour"
        assert (box := questions.nth(place).bounding_box()) is not None
        assert min(box["width"], box["height"]) >= 44


def test_both_copies_of_a_card_are_taken_from_a_photo(
    daemon: Daemon, visit: Visit, tmp_path: Path
) -> None:
    """In a game with two packs, a photo asks about each of two equal cards separately."""
    daemon.say("game pinochle", "dealer 1", "deal")
    page = visit(daemon.url, width=390, height=844)
    box = [[0, 0], [9, 0], [9, 9], [0, 9]]
    cards = [{"card": "9C", "sure": False, "probability": 0.9, "box": box}] * 2
    page.route("**/photo?*most=*", lambda route: route.fulfill(json={"cards": cards}))
    page.locator("#more").click()
    page.locator("[data-focus=hand1]").click()
    (photo := tmp_path / "hand.jpg").write_bytes(b"")
    page.set_input_files("dialog.picker input[type=file]", photo)
    questions = page.locator(".photo [role=status] button")
    expect(questions).to_have_count(2)
    questions.first.click()
    questions.first.click()
    expect(page.locator("dialog .slots button.slot")).to_have_count(2)


def test_a_misread_photo_is_saved_with_the_entered_cards(
    daemon: Daemon, visit: Visit, tmp_path: Path
) -> None:
    """The button appears only if the entered cards differ from those read. No page returns it."""
    daemon.say("game cribbage", "dealer 1", "deal", "starter 9D")
    page = visit(daemon.url, width=390, height=844)
    box = [[0, 0], [9, 0], [9, 9], [0, 9]]
    cards = [
        {"card": card, "sure": True, "probability": 0.99, "box": box}
        for card in ("5H", "5S", "JD", "4S")
    ]
    page.route("**/photo?*most=*", lambda route: route.fulfill(json={"cards": cards}))
    page.get_by_role("button", name="Enter the cards").click()
    (photo := tmp_path / "hand.jpg").write_bytes(
        cv2.imencode(".jpg", np.full((400, 600, 3), 130, np.uint8))[1].tobytes()
    )
    page.set_input_files("dialog.picker input[type=file]", photo)
    slots, save = (
        page.locator("dialog .slots button.slot"),
        page.locator("[data-focus=photo-report]"),
    )
    expect(slots).to_have_count(4)
    expect(save).to_be_hidden()
    slots.last.click()
    expect(save).to_be_hidden()
    page.locator("dialog .target[data-card='4C']").click()
    expect(save).to_be_visible()
    save.click()
    expect(page.locator(".photo [role=status]")).to_have_text(
        "The photo is saved on the board, where its owner can export it."
    )
    expect(save).to_be_hidden()
    expect(slots).to_have_count(4)
    report = daemon.data / "reports" / "report-1.zip"
    with zipfile.ZipFile(report) as archive:
        assert json.loads(archive.read("cards.json"))["right"] == ["5H", "5S", "JD", "4C"]
    with daemon.client as client:
        assert client.get("/photo/report").status_code == HTTPStatus.METHOD_NOT_ALLOWED
        assert client.get("/reports/report-1.zip").status_code == HTTPStatus.NOT_FOUND
        bad = client.post("/photo/report?right=5X", content=b"")
    assert bad.json()["error"]["code"] == "report-cards"
