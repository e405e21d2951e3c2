"""The rows of late throws follow from the current program."""

from __future__ import annotations

import pytest

from tools.bench import late_throws


def test_the_positions_and_their_judgement_are_those_of_the_rows() -> None:
    kept = late_throws.rows()
    assert len(kept) >= 300
    for number, row in enumerate(kept[:3]):
        made = late_throws.measured(1, number, 1)
        assert made[:3] == row[:3]
        assert made.judged == pytest.approx(row.judged, abs=1e-4)
        assert all(0 <= chance <= 1 for chance in (*made.first, *made.second))
        assert min(row.scores) >= late_throws.LEAST
