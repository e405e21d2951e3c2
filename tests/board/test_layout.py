"""Layouts: the shipped ones are valid, and an invalid layout is rejected in one sentence."""

from __future__ import annotations

import copy
import json
import tomllib
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl import text
from boardctl.board import checks, layout, plan
from boardctl.board.layout import LayoutError
from boardctl.board.render import spot
from boardctl.board.shape import CIRCUIT, GAME_HOLE, Lamp
from boardctl.drivers import ws2812_spi

VECTORS: Any = json.loads(
    Path(__file__).parent.with_name("vectors").joinpath("vectors_board.json").read_text("utf-8")
)
FILES = Path(layout.__file__).with_name("layouts")


def source(name: str) -> dict[str, Any]:
    return tomllib.loads((FILES / f"{name}.toml").read_text("utf-8"))


def test_the_four_boards_ship() -> None:
    assert layout.names() == ("classic-2", "classic-3", "travel-2", "twice-round-2")


@pytest.mark.parametrize("name", layout.names())
def test_each_of_them_can_be_built(name: str) -> None:
    """The test is needed because `load` checks only the owner's own layouts."""
    checks.check(layout.load(name))


@pytest.mark.parametrize("name", layout.names())
def test_every_hole_has_one_led_and_every_led_one_hole(name: str) -> None:
    board = layout.load(name)
    assert len({lamp.index for lamp in board.lamps}) == len(board.lamps)
    assert len({lamp.name for lamp in board.lamps}) == len(board.lamps)
    assert max(lamp.index for lamp in board.lamps) < board.leds
    for track in range(1, board.tracks + 1):
        assert len(plan.holes(board, track)) == CIRCUIT // board.laps + 3
        assert board.count(f"won{track}") >= 7


def test_the_classic_board_is_of_a_size_one_can_power() -> None:
    assert 300 <= layout.load("classic-2").leds <= 400


@pytest.mark.parametrize("name", layout.names())
def test_a_frame_fits_into_spidevs_usual_buffer(name: str) -> None:
    """The buffer has 4096 bytes unless `spidev.bufsiz` is set (Linux, drivers/spi/spidev.c).
    wiring.md lists the boards that need a larger one."""
    leds = layout.load(name).leds
    assert ws2812_spi.lead(leds, 3, 4096) >= ws2812_spi.LEAST_LEAD
    bits = ws2812_spi.Options().bits
    zeros = ws2812_spi.lead(leds, bits, 4096)
    assert (zeros >= ws2812_spi.LEAST_LEAD) == (name != "classic-3")
    assert (zeros == ws2812_spi.latch(bits)) == (name not in ("classic-2", "classic-3"))


def test_the_travel_board_is_one_reel() -> None:
    board = layout.load("travel-2")
    assert {run.strip for run in board.runs} == {144, None}
    assert board.leds <= 2 * 144


@pytest.mark.parametrize("name", layout.names())
def test_a_street_is_walked_in_small_steps(name: str) -> None:
    board = layout.load(name)
    for track in range(1, board.tracks + 1):
        way = plan.holes(board, track)
        for one, other in pairwise(way):
            assert dist((one.x, one.y), (other.x, other.y)) < 45, (one, other)


def test_twice_round_is_the_board_of_the_rules() -> None:
    """Hole h is at position (h-1) % 60: outer row away for 30, inner row back (rules 11.3)."""
    board = layout.load("twice-round-2")
    for track, sign in ((1, 1), (2, -1)):
        holes = plan.holes(board, track)[2:-1]
        for away, back in zip(holes[:30], reversed(holes[30:]), strict=True):
            assert away.x == pytest.approx(back.x)
        assert all((b.x - a.x) * sign > 0 for a, b in pairwise(holes[:30]))
    one, two = plan.holes(board, 1)[0], plan.holes(board, 2)[0]
    assert (one.x + two.x, one.y + two.y) == pytest.approx((board.width, board.height))


@pytest.mark.parametrize("row", VECTORS["geometry_2x30"])
def test_the_geometry_of_twice_round(row: dict[str, Any]) -> None:
    """Each row of the vectors contains a hole's street, lap, row and position within the row."""
    number = row["hole"]
    where = spot(number, 2, GAME_HOLE)
    assert where.lap == row["lap60"]
    assert (number - 1) // 30 + 1 == row["street"]
    board = layout.load("twice-round-2")
    way = {lamp.name: lamp for lamp in plan.holes(board, 1)}
    lamp = way[f"track1.{where.place}"]
    outer = [way[f"track1.{n}"] for n in range(1, 31)]
    assert (lamp.y == outer[0].y) == (row["row"] == "outer")
    assert lamp.x == pytest.approx(outer[row["pos"]].x)


def broken(name: str, change: Any) -> str:
    data = copy.deepcopy(source(name))
    change(data)
    with pytest.raises(LayoutError) as caught:
        layout.parse("mine", data)
    sentence = text.sentence(caught.value)
    assert sentence.startswith("layout mine: ")
    assert "\n" not in sentence
    return sentence


def _set(*keys: Any) -> Any:
    *way, last, value = keys

    def change(data: Any) -> None:
        for key in way:
            data = data[key]
        data[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_set("colour", "red"), ["unknown key colour", "allowed are", "corner"]),
        (_set("run", 0, "evry", 5), ["run 1: unknown key evry", "did you mean every?"]),
        (_set("tracks", "two"), ["tracks: expected an integer from 1 to 4, got 'two'"]),
        (_set("tracks", True), ["tracks: ", "got true"]),
        (_set("tracks", 1.5), ["an integer", "1.5"]),
        (_set("size", [400]), ["size: expected a list of 2 numbers", "[400]"]),
        (_set("title", ""), ["title: ", "text"]),
        (_set("run", []), ["at least one [[run]]"]),
        (_set("run", 0, "every", 8.333), ["8.333", "the pitch of a strip", "6.944 (144/m)"]),
        (_set("run", 0, "lights", "track1.1-x"), ["no LED lights track1.start1"]),
        (_set("run", 0, "lights", "- -*x"), ["'-*x'", "dark LEDs"]),
        (_set("run", 0, "lights", "track1.1-5/0"), ["a group size"]),
        (_set("run", 0, "lights", "-*3 "), ["no LED lights track1.start1"]),
        (_set("run", 1, "lights", "track1.1"), ["both light track1.1"]),
        (_set("run", 0, "from", [125.3, 33.0]), ["track1.", "track2.", "mm apart", "10 mm"]),
        (_set("hole", 6.0), ["track1.start1 and track1.start2 are 6.9 mm apart", "7.5 mm"]),
        (_set("size", [300, 200]), ["is not inside"]),
        (_set("display", "at", [20, 20]), ["is in the window [display]"]),
        (_set("display", "at", [420, 20]), ["the window [display] is not inside"]),
        (_set("mounting_holes", [[22, 44]]), ["is on the mounting hole at 22, 44"]),
        (_set("mounting_holes", 3), ["mounting_holes: expected a list"]),
        (_set("wired", True), ["unknown key wired"]),
        (_set("run", 0, "wired", "yes"), ["run 1.wired: expected true or false, got 'yes'"]),
        (_set("lines", "goal", 100), ["no LED lights goal"]),
        (_set("lines", "skunk", 500), ["lines.skunk: ", "2 to 121", "500"]),
        (_set("text", 0, "size", 0.5), ["text 1.size: ", "1.5 to 60", "0.5"]),
        (_set("laps", 2), ["no LED lights lap1.1"]),
        (_set("display", 5), ["display: expected a table, got 5"]),
    ],
)
def test_what_is_refused(change: Any, words: list[str]) -> None:
    sentence = broken("classic-2", change)
    for word in words:
        assert word in sentence


def test_renamed_keys_are_read_under_their_old_names(caplog: pytest.LogCaptureFixture) -> None:
    data = source("classic-2")
    data["fixings"] = data.pop("mounting_holes")
    data["fixing"] = 3.5
    read = layout.parse("mine", data)
    assert read.mounting_holes == layout.load("classic-2").mounting_holes
    assert read.mounting_hole_diameter == 3.5
    assert sorted(caplog.messages) == [
        "fixing is now called mounting_hole_diameter",
        "fixings is now called mounting_holes",
    ]


def test_a_renamed_key_and_its_old_name_are_not_both_given() -> None:
    sentence = broken("classic-2", _set("fixings", [[8, 8]]))
    assert "fixings: it is the old name of mounting_holes: use only one" in sentence


def test_an_arc_is_no_strip() -> None:
    def unwire(data: Any) -> None:
        arc = next(run for run in data["run"] if "centre" in run)
        arc["wired"] = False

    assert "a strip cannot be bent" in broken("classic-3", unwire)


def test_missing_keys_say_what_they_are() -> None:
    def forget(data: Any) -> None:
        del data["run"][0]["every"]

    assert "run 1.every: it is missing" in broken("classic-2", forget)


def test_no_such_layout() -> None:
    with pytest.raises(LayoutError) as caught:
        layout.load("classic-9")
    said = text.sentence(caught.value)
    assert said.startswith("layout classic-9: there is no such layout: use classic-2, ")


def test_a_layout_of_ones_own(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text((FILES / "travel-2.toml").read_text("utf-8"), "utf-8")
    assert layout.load(str(mine)).name == "mine"
    mine.write_text("size = [", "utf-8")
    with pytest.raises(LayoutError) as caught:
        layout.load(str(mine))
    assert "mine.toml: invalid TOML" in text.sentence(caught.value)
    with pytest.raises(LayoutError) as caught:
        layout.load(str(tmp_path / "other.toml"))
    assert "cannot be read" in text.sentence(caught.value)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(st.data())
def test_any_value_anywhere_is_taken_or_refused_in_a_sentence(data: st.DataObject) -> None:
    board = source("twice-round-2")
    table: Any = board
    while True:
        key = data.draw(
            st.sampled_from(range(len(table)) if isinstance(table, list) else sorted(table))
        )
        if not isinstance(table[key], dict | list) or not table[key] or data.draw(st.booleans()):
            break
        table = table[key]
    table[key] = data.draw(VALUES)
    try:
        layout.parse("mine", board)
    except LayoutError as error:
        assert text.sentence(error).startswith("layout mine: ")


@pytest.mark.parametrize("name", layout.names())
def test_the_picture_is_of_the_same_lamps(name: str) -> None:
    board = layout.load(name)
    picture = plan.picture(board)
    assert [(p["index"], p["x"], p["y"], p["name"]) for p in picture["lamps"]] == [
        (lamp.index, lamp.x, lamp.y, lamp.name) for lamp in board.lamps
    ]
    assert len(picture["lanes"]) == board.tracks
    for line in picture["lines"]:
        assert 0 < line["x1"] < board.width
        assert 0 < line["y1"] < board.height


@pytest.mark.parametrize("name", layout.names())
def test_a_line_stands_between_its_holes(name: str) -> None:
    board = layout.load(name)
    for mark, (_, hole) in zip(
        plan.marks(board),
        ((track, hole) for hole in board.lines.values() for track in range(board.tracks)),
        strict=True,
    ):
        middle = ((mark.start[0] + mark.end[0]) / 2, (mark.start[1] + mark.end[1]) / 2)
        place = (hole - 1) % (CIRCUIT // board.laps)  # of the lap
        apart = []
        for track in range(1, board.tracks + 1):
            start, *way = plan.holes(board, track)[1:-1]
            one, other = way[place - 1] if place else start, way[place]
            apart.append((dist(middle, (one.x, one.y)), dist(middle, (other.x, other.y))))
        before, after = min(apart, key=sum)
        assert before == pytest.approx(after, abs=3)


@pytest.mark.parametrize("name", layout.names())
def test_every_lamp_beside_the_tracks_has_a_word_beside_it(name: str) -> None:
    """This includes each single lamp, and each row of counted ones."""
    board = layout.load(name)

    def nearest(lamp: Lamp) -> float:
        return min(dist((lamp.x, lamp.y), (words.x, words.y)) for words in board.texts)

    rows: dict[str, list[float]] = {}
    for lamp in board.lamps:
        group, _, _ = lamp.name.rpartition(".")
        if not group.startswith("track"):
            rows.setdefault(group or lamp.name, []).append(nearest(lamp))
    assert {"status", "dealer1", "turn1", "won1", "skunk"} <= set(rows)
    assert max(map(min, rows.values())) <= 13
