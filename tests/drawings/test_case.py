"""The case fits a printer and its layout, and no two of its parts overlap."""

from __future__ import annotations

import re
import subprocess
from math import dist
from pathlib import Path

import pytest

from boardctl.drawings import case, inside, template
from boardctl.drawings.pcb.design import apart
from tests.drawings.drawn import EVERY, HARDWARE, LAYOUTS
from tests.parts import need


def openscad(name: str, target: Path, *settings: str) -> subprocess.CompletedProcess[str]:
    """Draw a layout's enclosure with OpenSCAD."""
    need("openscad")
    return subprocess.run(
        [
            "openscad",
            *(word for s in settings for word in ("-D", s)),
            "-o",
            target,
            "enclosure.scad",
        ],
        cwd=HARDWARE / name,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_screw_passes_the_whole_stack() -> None:
    least = case.STACK + case.INSERT
    assert least <= case.screw_length() < least + 5 < case.STACK + case.ROOM


@EVERY
@pytest.mark.parametrize("part", ["tray", "front", "guide"])
def test_the_enclosure_reads_its_measures_from_the_layout(
    name: str, part: str, tmp_path: Path
) -> None:
    done = openscad(name, tmp_path / "x.csg", f'part="{part}"')
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    tree = (tmp_path / "x.csg").read_text("utf-8")
    board_layout = LAYOUTS[name]
    edge = 2 * board_layout.corner
    size = f"size = [{board_layout.width - edge:g}, {board_layout.height - edge:g}]"
    assert size in tree, "the outline is the layout's"
    holes = {"tray": 0, "front": len(board_layout.lamps), "guide": len(board_layout.lamps)}[part]
    radius = (board_layout.hole if part == "front" else template.well(board_layout)) / 2
    assert tree.count(f"r = {radius:g}") >= holes


@EVERY
def test_every_printed_piece_fits_the_bed(name: str, tmp_path: Path) -> None:
    for bed in (200, 250):
        done = openscad(name, tmp_path / "x.csg", f"bed=[{bed},{bed}]")
        assert done.returncode == 0, done.stderr
        cell = re.search(r"cell = \[([\d.]+), ([\d.]+)\]", done.stderr)
        assert cell is not None
        assert max(map(float, cell.groups())) <= bed
        assert "WARNING" not in done.stderr


def shared(name: str, tmp_path: Path, *settings: str) -> bool:
    """Return whether any two parts of a case intersect, by OpenSCAD's own geometry."""
    done = openscad(name, tmp_path / "x.stl", 'part="check"', "plain=true", *settings)
    empty = "Current top level object is empty" in done.stderr
    assert empty or done.returncode == 0, done.stderr
    return not empty


@pytest.mark.long
@pytest.mark.parametrize(("pi", "bed"), [("zero", 200), ("full", 200), ("full", 250)])
@EVERY
def test_no_two_parts_of_the_case_share_room(name: str, pi: str, bed: int, tmp_path: Path) -> None:
    """The test compares tray, plates, Pi with its plug, display, keypad, screws, splices with their
    screws, and the parts on the back of a circuit board, pairwise."""
    assert not shared(name, tmp_path, f'pi="{pi}"', f"bed=[{bed},{bed}]")


@pytest.mark.slow
@EVERY
def test_a_pi_stands_beside_posts_display_and_what_hangs(name: str) -> None:
    board = LAYOUTS[name]
    hangs = inside.hanging(board)
    for pi in case.PIS:
        x, y = inside.pi_place(board, pi, hangs)
        left, right = x - pi.width / 2, x + pi.width / 2
        top, bottom = y - pi.height / 2 - inside.PLUG, y + pi.height / 2
        assert 0 < left < right < board.width
        assert 0 < top < bottom < board.height
        for part, box in hangs:
            assert apart((left, top, right, bottom), box), part.value
        for hole in board.mounting_holes:
            nearest = (min(max(hole[0], left), right), min(max(hole[1], top), bottom))
            assert dist(hole, nearest) > inside.POST / 2
        room = case.opening(board)
        display = (room.x, room.y, room.x + room.width, room.y + room.height)
        assert case.display(board).depth < case.STACK or apart((left, top, right, bottom), display)
        up = board.height - y
        found = (HARDWARE / name / "layout.scad").read_text("utf-8")
        assert f"pi_{pi.name}_at = [{x:.3f}, {up:.3f}];" in found


@pytest.mark.long
@pytest.mark.parametrize("change", ["nut=[70, 2.6]", "hanging=[[200, 40, 50, 60, 20]]"])
def test_a_nut_under_a_post_and_a_capacitor_over_the_pi_are_seen(
    change: str, tmp_path: Path
) -> None:
    need("openscad")
    assert shared("travel-2", tmp_path, change)


@pytest.mark.long
def test_a_pi_that_is_in_the_way_is_seen(tmp_path: Path) -> None:
    need("openscad")
    assert shared("travel-2", tmp_path, 'pi="full"', "wrong=40")


@pytest.mark.long
def test_a_keypad_that_is_too_deep_is_seen(tmp_path: Path) -> None:
    need("openscad")
    assert shared("travel-2", tmp_path, "keypad_depth=12")


@EVERY
def test_a_keypad_fits_before_the_carrier_and_beside_display_and_screws(name: str) -> None:
    assert case.STACK - case.CARRIER > case.KEYPAD_DEPTH
    board, key = LAYOUTS[name], LAYOUTS[name].keypad
    room = case.opening(board)
    assert (
        room.x + room.width <= key.x
        or key.x + key.width <= room.x
        or room.y + room.height <= key.y
        or key.y + key.height <= room.y
    )
    radius = board.mounting_hole_diameter / 2
    for x, y in board.mounting_holes:
        assert not (
            key.x - radius < x < key.x + key.width + radius
            and key.y - radius < y < key.y + key.height + radius
        )


@pytest.mark.parametrize("name", ["classic-2", "travel-2"])
def test_the_displays_own_board_passes_its_opening(name: str) -> None:
    room, module = case.opening(LAYOUTS[name]), case.display(LAYOUTS[name])
    assert room.width >= module.width + 2 * case.PLAY
    assert room.height >= module.height + 2 * case.PLAY
