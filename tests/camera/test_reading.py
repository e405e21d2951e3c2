"""Cards on tables and in fans, rendered from seeds: readings that are certain are correct."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from boardctl.camera import lesson, outlines, overlaps, reading, saved_reports, taught
from boardctl.camera.reading import SeenCard
from boardctl.commands import main
from boardctl.games.cards import CARDS, parse_card
from tests.parts import need
from tools.camera import decks, scenes
from tools.camera.scenes import Scene

pytestmark = pytest.mark.slow

DECKS = ("anglo_poker", "tigullio", "plastic")
"""Decks excluded from training when thresholds were chosen."""


def deck(name: str) -> decks.Image:
    need("gnome-cards-data", "rsvg-convert")
    return decks.faces(name)


def placed(scene: Scene, seen: SeenCard) -> str:
    """Return the card that is really at a reading's place; empty if there is none."""
    middle = np.array(seen.box).mean(axis=0)
    for card, corners in reversed(list(zip(scene.cards, scene.corners, strict=True))):
        width = np.hypot(*(corners[1] - corners[0]))
        if np.hypot(*(corners.mean(axis=0) - middle)) < 0.25 * width:
            return str(card)
    return ""


@pytest.mark.parametrize("seed", range(6))
def test_every_card_laid_apart_has_an_outline(seed: int) -> None:
    scene = scenes.laid(seed, deck(DECKS[seed % 3]), 6)
    found = outlines.find(scene.image).cards
    for corners in scene.corners:
        away = [
            min(np.abs(each.corners - np.roll(corners, turn, axis=0)).max() for turn in range(4))
            for each in found
        ]
        assert min(away) < 0.06 * np.hypot(*(corners[1] - corners[0]))


@pytest.mark.parametrize("name", DECKS)
def test_cards_laid_apart_are_read_and_never_silently_wrong(name: str) -> None:
    right = 0
    for seed in range(4):
        scene = scenes.laid(100 + seed, deck(name), 6)
        for seen in reading.read(scene.image):
            real = placed(scene, seen)
            if seen.sure:
                assert str(seen.card) == real
                right += 1
    assert right >= 21  # of 24


@pytest.mark.parametrize("name", DECKS)
def test_without_colour_no_suit_is_certain(name: str) -> None:
    """Without colour, red is as dark as black, so hearts may be read as spades or clubs."""
    scene = scenes.laid(100, deck(name), 6)
    assert not reading.is_grey(scene.image)
    light = cv2.cvtColor(scene.image, cv2.COLOR_BGR2GRAY)[..., None].astype(np.float64)
    for tone in ((1.0, 1.0, 1.0), (0.75, 0.9, 1.0)):
        image = (light * np.array(tone)).astype(np.uint8)
        assert reading.is_grey(image)
        seen = reading.read(image)
        assert len(seen) >= 5
        assert not any(each.sure for each in seen)


@pytest.mark.parametrize("seed", range(8))
def test_black_cards_on_a_white_table_are_not_a_photo_without_colour(seed: int) -> None:
    faces = deck("anglo_poker")
    black = [n for n, card in enumerate(CARDS) if str(card)[-1] in "SC"]
    scene = scenes.white(seed, faces[black * 2], 5)
    assert not reading.is_grey(scene.image)
    light = cv2.cvtColor(scene.image, cv2.COLOR_BGR2GRAY)
    done, data = cv2.imencode(".jpg", light)
    assert done
    assert reading.is_grey(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8))


def _logarithms(**shares: float) -> reading.Numbers:
    found = np.full(52, 1e-6)
    for card, share in shares.items():
        found[CARDS.index(parse_card(card))] = share
    return np.asarray(np.log(found / found.sum()), np.float32)


def _read(faces: list[reading.Numbers], indices: list[reading.Numbers]) -> reading._Reading:
    present = np.full(len(indices), 0.99, np.float32)
    corners = np.array([[0, 0], [100, 0], [100, 142], [0, 142]], np.float32)
    return reading._joined(corners, faces, present, np.array(indices), free=bool(faces))


def test_two_indices_of_one_card_are_one_witness_of_its_suit() -> None:
    """A club with merged lobes looks like a spade in both corners."""
    doubtful = _logarithms(**{"7S": 0.8, "7C": 0.2})
    clear = _logarithms(**{"7S": 0.97, "7C": 0.03})
    assert not _read([], [doubtful, doubtful]).sure
    assert _read([], [clear, clear]).sure
    face = _logarithms(**{"7S": 0.99})
    assert _read([face], [doubtful, doubtful]).sure, "the pips of the face are another"


def test_a_face_that_contradicts_forbids_certainty() -> None:
    index, face = _logarithms(**{"7S": 0.999}), _logarithms(**{"7C": 0.8, "7S": 0.2})
    assert not _read([face], [index, index]).sure
    assert _read([_logarithms(**{"7S": 0.8, "7C": 0.2})], [index, index]).sure


def test_a_single_index_of_a_strange_pack_is_sure_if_only_its_rank_is_a_little_in_doubt() -> None:
    rank = _logarithms(**{"QH": 0.81, "8H": 0.08, "6H": 0.04, "2H": 0.03, "QD": 0.02, "QS": 0.02})
    sign = _logarithms(**{"QH": 0.84, "QD": 0.08, "8H": 0.04, "6H": 0.02, "2H": 0.02})
    readings = [_read([], [each]) for each in (rank, sign)]
    assert all(reading.SURE_SINGLE < each.probability < 0.7 for each in readings)
    assert [each.sure for each in readings] == [True, False]
    assert not _read([], [_logarithms(**{"6S": 0.6, "8S": 0.4})]).sure


def test_the_uppermost_card_of_a_fan_is_not_the_frame_of_the_next_ones_picture() -> None:
    """It is on the guessed outline of its neighbour, is slightly larger, and is read as a whole
    card."""
    corners = np.array([[0, 0], [100, 0], [100, 142], [0, 142]], np.float32)
    below = _read([], [_logarithms(**{"8S": 0.99})] * 2)._replace(
        corners=corners * np.float32(1.1) - np.array([25, 8], np.float32)
    )
    ace = _logarithms(AD=0.99)
    upper = _read([ace], [ace, ace])._replace(corners=corners)
    middle = corners.mean(axis=0)
    within = upper._replace(corners=(corners - middle) * np.float32(0.92) + middle - 12)
    assert below.sure
    assert upper.sure
    assert [each.sure for each in reading._no_frames([below, upper])] == [True, True]
    assert outlines.overlap(within.corners, below.corners) > 0.99
    assert [each.sure for each in reading._no_frames([below, within])] == [True, False]


def test_a_nine_on_a_six_upside_down_is_the_same_card() -> None:
    """The pack has both indices the same way up, or a second index in an unusual place."""
    six, nine = (_read([], [_logarithms(**{card: 0.99})]) for card in ("6D", "9D"))
    there = six.corners + np.array([20, 10], np.float32)
    turned = nine._replace(corners=np.roll(there, 2, axis=0))
    fanned = nine._replace(corners=there)
    both = _read([], [_logarithms(**{"9D": 0.99})] * 2)._replace(corners=turned.corners)
    for other, sure in ((turned, False), (fanned, True), (both, True)):
        assert [each.sure for each in reading._no_halves([six, other])] == [sure, sure]
    doubtful = _read([], [_logarithms(**{"9D": 0.5, "3D": 0.5})])._replace(corners=turned.corners)
    assert [each.sure for each in reading._no_halves([six, doubtful])] == [True, False]


def test_a_fan_is_never_silently_wrong() -> None:
    right = 0
    for seed in range(4):
        scene = scenes.fan(200 + seed, deck("anglo_poker"), 4)
        for seen in reading.read(scene.image):
            if seen.sure:
                assert seen.card in scene.cards
                right += 1
    assert right >= 13  # of 16


def test_the_indices_of_a_fan_are_found_where_they_are() -> None:
    found = there = 0
    for seed in range(4):
        scene = scenes.fan(200 + seed, deck("anglo_poker"), 4)
        places = [index.card[0] for index in overlaps.indices(scene.image)]
        for corners in scene.corners:
            width = float(np.hypot(*(corners[1] - corners[0])))
            away = [float(np.hypot(*(place - corners[0]))) for place in places]
            there += 1
            found += min(away, default=width) < 0.15 * width
    assert found >= there - 2


def test_an_index_in_the_far_corner_upside_down_is_of_the_same_card() -> None:
    card = np.array([[0, 0], [100, 0], [100, 142], [0, 142]], np.float32)
    nothing = np.zeros(52, np.float32)
    first = overlaps.Index(card, 1.0, nothing)
    second = overlaps.Index(np.roll(card, 2, axis=0), 1.0, nothing)
    beside = overlaps.Index(np.roll(card, 2, axis=0) + np.float32(60), 1.0, nothing)
    upright = overlaps.Index(card + np.array([70, 90], np.float32), 1.0, nothing)
    assert overlaps.opposite(first, second)
    fanned = overlaps.Index(np.roll(card, 2, axis=0) + np.array([30, 0], np.float32), 1.0, nothing)
    assert not overlaps.opposite(first, fanned)  # of the next card
    assert overlaps.of_one_card(first, fanned)  # if it reads alike
    assert not overlaps.opposite(first, beside)
    assert not overlaps.opposite(first, upright)


def test_two_large_indices_side_by_side_are_of_two_cards() -> None:
    """The frame of each assumes that its card is as wide as a usual index would make it."""
    card = np.array([[0, 0], [150, 0], [150, 213], [0, 213]], np.float32)
    king = overlaps.Index(card, 0.99, _logarithms(KH=0.9))
    seven = overlaps.Index(card + np.array([28, 2], np.float32), 0.99, _logarithms(**{"7S": 0.8}))
    again = overlaps.Index(seven.card, 0.99, _logarithms(KH=0.8))
    nothing = overlaps.Index(seven.card, 0.0, _logarithms(**{"7S": 0.8}))
    for other, count in ((seven, 2), (again, 1), (nothing, 1)):
        assert len(overlaps._distinct([king, other])) == count
    upon = overlaps.Index(card + np.array([8, 2], np.float32), 0.99, _logarithms(**{"7S": 0.8}))
    assert overlaps._distinct([upon, king]) == [king]


def test_indices_in_other_corners_are_of_the_same_card() -> None:
    card = np.array([[0, 0], [100, 0], [100, 142], [0, 142]], np.float32)
    nothing = np.zeros(52, np.float32)
    first = overlaps.Index(card, 1.0, nothing)
    right = overlaps.Index(card + np.array([78, 0], np.float32), 1.0, nothing)
    below = overlaps.Index(np.roll(card, 2, axis=0) - np.array([78, 0], np.float32), 1.0, nothing)
    fanned = overlaps.Index(card + np.array([35, 0], np.float32), 1.0, nothing)
    turned = overlaps.Index(np.roll(card, 2, axis=0) + np.array([78, 0], np.float32), 1.0, nothing)
    assert overlaps.of_one_card(first, right)
    assert overlaps.of_one_card(first, below)
    assert not overlaps.of_one_card(first, fanned)
    assert not overlaps.of_one_card(first, turned)


@pytest.mark.parametrize("seed", [500, 501, 502, 504])
def test_a_fan_of_a_pack_with_four_indices_is_read_once(seed: int) -> None:
    pack = deck("anglo_poker").copy()
    pack[:, :80, -40:] = pack[:, :80, :40]
    pack[:, -80:, :40] = pack[:, -80:, -40:]
    scene = scenes.fan(seed, pack, 4)
    seen = reading.read(scene.image)
    assert all([each.card for each in seen].count(card) == 1 for card in scene.cards)
    assert sum(each.sure for each in seen) >= 3  # of 4


@pytest.mark.parametrize("seed", [400, 402, 404])
def test_something_light_beside_a_card_is_not_asked_about(seed: int) -> None:
    scene = scenes.laid(seed, deck("anglo_poker"), 4)
    first = scene.corners[0]
    (x, y), width = first.min(axis=0), float(np.hypot(*(first[1] - first[0])))
    there = np.zeros(scene.image.shape[:2], np.uint8)
    left, right = int(x - 0.5 * width), int(x + 0.06 * width)
    cv2.rectangle(there, (left, int(y + 0.2 * width)), (right, int(y + 1.2 * width)), 1, -1)
    for corners in scene.corners:
        cv2.fillConvexPoly(there, corners.round().astype(np.int32), 0)
    image = scene.image.copy()
    image[there > 0] = (150, 215, 235)  # straw
    assert len(reading.read(image)) == 4


def test_the_missing_ranks_of_a_suit_are_known() -> None:
    certain = np.log(np.full((13, 13), 0.01) + 0.8 * np.eye(13)).astype(np.float32)
    assert lesson.gaps(certain) == []
    assert lesson.gaps(np.delete(certain, [0, 6], axis=0)) == [0, 6]
    assert lesson.gaps(certain[:5]) == []  # too few for a conclusion


def test_the_missing_ranks_of_a_short_suit_are_known() -> None:
    certain = np.log(np.full((8, 8), 0.01) + 0.8 * np.eye(8)).astype(np.float32)
    assert lesson.gaps(np.delete(certain, [2, 7], axis=0)) == [2, 7]
    assert lesson.gaps(certain[:4]) == []


def test_a_card_that_a_pack_was_not_taught_is_not_ruled_out() -> None:
    """A pack of 32 cards was taught, and a three is on the table."""
    random = np.random.default_rng(5)
    faces = random.integers(0, 256, (52, taught.FACE[1], taught.FACE[0], 3)).astype(np.uint8)
    short = faces.copy()
    short[[13 * suit + rank for suit in range(4) for rank in range(1, 6)]] = 0  # 2 to 6
    seen = [faces[0], *faces[6:12], faces[2]]
    found = taught.witness(seen, [taught.Pack("short", short)])
    assert found is not None
    assert [int(each.argmax()) for each in found[:-1]] == [0, *range(6, 12)]
    assert found[-1][2] == found[-1].max(), "it may be the three"
    assert found[0][2] < found[0][0] - 5, "and an ace is none"
    assert taught.witness([faces[2]] * 3, [taught.Pack("short", short)]) is None


def test_a_taught_pack_is_read_better(tmp_path: Path) -> None:
    pack = deck("guyenne-classic")  # courts and indices of its own
    sheet = np.full((4 * 340 + 80, 13 * 240 + 80, 3), (40, 70, 30), np.uint8)
    for place, face in enumerate(pack):
        row, column = divmod(place, 13)
        y, x = 60 + 340 * row, 60 + 240 * column
        sheet[y : y + decks.HEIGHT, x : x + decks.WIDTH] = face
    photo = tmp_path / "pack.jpg"
    cv2.imwrite(str(photo), sheet)
    run = CliRunner().invoke(main, ["see", "--teach", "paris", str(photo), "--data", str(tmp_path)])
    assert run.output == "paris: 52 cards learned\n"
    packs = taught.load(tmp_path / "packs")
    right = 0
    for seed in range(2):
        scene = scenes.laid(300 + seed, pack, 6)
        seen = reading.read(scene.image, packs)
        assert all(str(card.card) == placed(scene, card) for card in seen if card.sure)
        right += sum(card.sure for card in seen)
    assert right >= 10  # of 12


def test_the_command_prints_json_and_draws(tmp_path: Path) -> None:
    scene = scenes.laid(7, deck("anglo_poker"), 3)
    photo = tmp_path / "three.png"
    cv2.imwrite(str(photo), scene.image)
    out = tmp_path / "seen.png"
    run = CliRunner().invoke(
        main, ["see", str(photo), "--json", "--annotate", str(out), "--data", str(tmp_path)]
    )
    cards = json.loads(run.output)["cards"]
    assert len(cards) == 3
    assert all(
        set(card) == {"card", "sure", "probability", "box"} and len(card["box"]) == 4
        for card in cards
    )
    drawn = cv2.imread(str(out))
    assert drawn is not None
    assert drawn.shape == scene.image.shape


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "expected one photo, got 0"),
        (["a.jpg", "b.jpg"], "expected one photo, got 2"),
        (["--teach", "x"], "--teach takes only photos"),
        (["--teach", "A/b", "a.jpg"], ("“A/b” cannot be the name of a pack; use at most 31 "
                                      "letters, digits, spaces and hyphens")),
        (["--camera", "/dev/video99"], "/dev/video99: there is no such camera; allowed are "
         "picamera and V4L2 devices"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["see", *arguments, "--data", str(tmp_path)])
    assert (run.exit_code, run.output) == (1, f"Error: {sentence}\n")


def test_a_misread_photo_is_reported_with_its_right_cards(tmp_path: Path) -> None:
    scene = scenes.laid(7, deck("anglo_poker"), 3)
    photo, out = tmp_path / "three.jpg", tmp_path / "three.zip"
    done, data = cv2.imencode(".jpg", scene.image)
    assert done
    secret = b"\xff\xfe\x00\x10taken at home."  # a comment of the camera
    photo.write_bytes(data.tobytes()[:2] + secret + data.tobytes()[2:])
    given = ["--report", str(out), "--right", "5h TS,jd", "--data", str(tmp_path)]
    run = CliRunner().invoke(main, ["see", str(photo), *given])
    assert run.exit_code == 0
    assert out.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(out) as archive:
        told = json.loads(archive.read("cards.json"))
        sent = archive.read("photo.jpg")
        assert {entry.date_time[0] for entry in archive.infolist()} == {1980}
    assert b"home" in photo.read_bytes()
    assert b"home" not in sent
    assert told["right"] == ["5H", "TS", "JD"]
    assert [card["card"] + "?" * (not card["sure"]) for card in told["read"]] == run.output.split()
    shown = cv2.imdecode(np.frombuffer(sent, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape == scene.image.shape


def test_a_report_replaces_no_file(tmp_path: Path) -> None:
    photo = tmp_path / "hand.png"
    cv2.imwrite(str(photo), np.full((400, 600, 3), 130, np.uint8))
    before = photo.read_bytes()
    given = ["--report", str(photo), "--right", "5H", "--data", str(tmp_path)]
    run = CliRunner().invoke(main, ["see", str(photo), *given])
    assert run.exit_code == 1
    assert f"{photo}: cannot be written (File exists)" in run.stderr
    assert photo.read_bytes() == before


def test_a_photo_without_a_card_can_be_reported(tmp_path: Path) -> None:
    photo, out = tmp_path / "empty.png", tmp_path / "empty.zip"
    cv2.imwrite(str(photo), np.full((400, 600, 3), 130, np.uint8))
    given = ["--report", str(out), "--right", "5H", "--data", str(tmp_path)]
    run = CliRunner().invoke(main, ["see", str(photo), *given])
    assert run.exit_code == 1
    with zipfile.ZipFile(out) as archive:
        assert json.loads(archive.read("cards.json"))["read"] == []


def test_reports_saved_by_phones_are_moved_to_a_folder(tmp_path: Path) -> None:
    def run(*given: str) -> Result:
        data = ["--data", str(tmp_path)]
        return CliRunner().invoke(main, ["see", "--reports", str(tmp_path / "out"), *given, *data])

    assert "no phone has saved a report there" in run().output
    with saved_reports.incoming(tmp_path) as written:
        written.write_bytes(b"a report")
        report = saved_reports.free(tmp_path)
        assert report is not None
        written.replace(report)
    assert "--reports takes no photo" in run("hand.jpg").output
    moved = run()
    assert (moved.exit_code, moved.output) == (0, f"{tmp_path / 'out' / report.name}\n")
    assert (tmp_path / "out" / report.name).read_bytes() == b"a report"
    assert not report.exists()


@pytest.mark.parametrize(
    "given", [["--report", "x.zip"], ["--right", "5H"], ["--report", "x.zip", "--right", "5X"]]
)
def test_a_report_needs_the_right_cards(given: list[str], tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["see", "x.png", *given, "--data", str(tmp_path)])
    assert run.exit_code == 1
    assert run.output.startswith("Error: --report needs the photo’s cards")


def test_a_photo_to_teach_from_shows_whole_suits(tmp_path: Path) -> None:
    scene = scenes.laid(8, deck("anglo_poker"), 6)
    photo = tmp_path / "six.png"
    cv2.imwrite(str(photo), scene.image)
    run = CliRunner().invoke(main, ["see", "--teach", "six", str(photo), "--data", str(tmp_path)])
    assert run.exit_code == 1
    assert "a photo for teaching must show whole suits of thirteen cards" in run.output
    assert not (tmp_path / "packs").exists()
