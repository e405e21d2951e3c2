"""The stored data about learners: its limits, what is forgotten first, and a damaged file."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from boardctl.bot.learners import BOXES, FILE, MOST, Learner, Learners
from boardctl.options import LONGEST


def test_a_damaged_file_is_begun_anew(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "learners.json"
    path.write_text('{"Ann": {"counts": "yes"}}')
    people = Learners(path)
    assert not people.of("Ann").counts
    why = "counts: expected true or false, got 'yes'"
    assert caplog.messages == [f"{path} cannot be read: {why}"], "no object of the program"
    asyncio.run(people.keep("Bob", Learner(counts=True)))
    assert json.loads(path.read_text()) == {"Bob": {"counts": True, "asked": 0, "boxes": {}}}
    path.write_text('{"Bob": {"counts": true}}')
    people = Learners(path)
    assert people.of("Bob").counts, "written before there were practice positions"

    async def crowd() -> None:
        for n in range(MOST):
            await people.keep(f"P{n}", Learner())

    asyncio.run(crowd())
    assert not Learners(path).of("Bob").counts, "the oldest are forgotten"


@pytest.mark.slow
def test_boxes_and_how_many_are_kept(tmp_path: Path) -> None:
    """A file with the maximum number of people and positions can be read again."""
    ann = Learner()
    for number, box in enumerate((1, 2, 3, 4, 5, 5), 1):
        ann = ann.answered("go 0", right=True)
        assert (ann.boxes["go 0"].box, ann.boxes["go 0"].due) == (box, number + BOXES[box - 1])
    assert ann.answered("go 0", right=False).boxes["go 0"].box == 1
    for number in range(MOST + 1):
        ann = ann.answered(f"endgame-throw {number}", right=True)
    assert len(ann.boxes) == MOST
    assert "go 0" not in ann.boxes, "the one not answered for longest is forgotten"
    size = len(json.dumps(asdict(ann))) + 30
    names = [f"{number} of those who learn" for number in range(LONGEST // size)]
    assert len(names) < MOST
    path = tmp_path / FILE
    path.write_text(json.dumps(dict.fromkeys(names, asdict(ann))))
    people = Learners(path)
    assert people.of(names[0]) == ann

    async def more() -> None:
        for number in range(4):
            await people.keep(f"{number} 日本語", ann)

    asyncio.run(more())
    assert path.stat().st_size <= LONGEST
    again = Learners(path)
    assert again.of("3 日本語") == ann
    assert again.of(names[0]) == Learner(), "the oldest are forgotten"
    assert again.of(names[-1]) == ann
