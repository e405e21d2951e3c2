"""Every layout shows the reviewed golden pictures."""

from __future__ import annotations

import pytest

from boardctl.board import layout
from tests.board.golden import FOLDER, PICTURES, tell


@pytest.mark.parametrize("title", PICTURES)
@pytest.mark.parametrize("name", layout.names())
def test_golden_frame(name: str, title: str) -> None:
    picture, t = PICTURES[title]
    golden = (FOLDER / name / f"{title}.txt").read_text("utf-8")
    assert tell(layout.load(name), picture, t) == golden


def test_no_golden_frame_is_left_over() -> None:
    kept = {(file.parent.name, file.stem) for file in FOLDER.glob("*/*.txt")}
    assert kept == {(name, title) for name in layout.names() for title in PICTURES}
