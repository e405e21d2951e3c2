"""A disk whose syncs fail, occasionally or permanently, under the real journal and the real SQLite.

Nothing that was acknowledged, or shown as saved after a restart, is lost in a power cut. The kernel
may drop the data of a failed sync and report the next one as a success; the images are built
accordingly (`disk.py`). The same harness must find losses if a restarted journal trusts its reads:
that verifies the test.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.power.test_power import HERE, Played, losses, play, preloaded
from tests.report import LongRun


@pytest.fixture(scope="module")
def sick(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play(tmp_path_factory.mktemp("sick"), "FULL", sick_runs=2)


@pytest.fixture(scope="module")
def trusting(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play(tmp_path_factory.mktemp("trusting"), "TRUSTING", sick_runs=2)


def failed(played: Played) -> dict[str, int]:
    """Return how many syncs failed, by the file name's suffix."""
    found: dict[str, int] = {}
    for op in played.ops:
        if op.kind == "F":
            end = op.path.rpartition("-" if op.path.endswith("-wal") else ".")[2]
            found[end] = found.get(end, 0) + 1
    return found


def test_the_disk_was_sick(sick: Played) -> None:
    assert failed(sick)["wal"] > 100
    assert failed(sick)["sqlite3"] > 0, "a log could not be carried over into the database"
    acknowledged = {int(op.data) for op in sick.ops if op.kind == "A"}
    assert max(acknowledged) == len(sick.lines), "the disk became well, and all was kept"


def test_no_acknowledged_line_is_lost_where_syncs_fail(sick: Played) -> None:
    assert list(losses(sick, 100, seed=3)) == []


@pytest.mark.slow
def test_the_harness_finds_losses_where_a_restart_believes_what_it_reads(
    trusting: Played,
) -> None:
    assert next(losses(trusting, 300, seed=4), None) is not None


@pytest.mark.long
def test_no_acknowledged_line_is_lost_in_10_000_cuts_where_syncs_fail(
    sick: Played, seed: int, long_run: LongRun
) -> None:
    long_run(cuts=10_000, writes_and_syncs=len(sick.ops))
    long_run(failed_syncs=sum(failed(sick).values()))
    wrong = list(losses(sick, 10_000, seed))
    long_run(lost=len(wrong))
    assert wrong == []


def test_light_and_keys_live_on_where_syncs_fail(tmp_path: Path) -> None:
    """Keys are pressed on a table whose disk fails and recovers (`keypad_session.py`)."""
    sick = tmp_path / "sick"
    done = subprocess.run(
        [sys.executable, HERE / "keypad_session.py", tmp_path / "data", sick],
        env=preloaded(tmp_path, sick),
        check=True,
        capture_output=True,
        text=True,
    )
    seen: dict[str, Any] = json.loads(done.stdout)
    assert seen["well"] == {"scores": [8, 0], "faults": {}, "blinks": False, "kept": 8}
    ill = seen["ill"]
    assert ill["scores"] == [8, 4], "keys stay alive"
    assert ill["blinks"], "an unsaved peg blinks"
    assert ill["kept"] == 8
    assert ill["said"][:2] == ["Trouble with", "saving"]
    said, healed = done.stderr.splitlines()
    assert "disk I/O error" in said, "said once, by the line that failed first"
    assert "Input/output error" in ill["faults"]["journal"], "by the file that is opened anew"
    for reason in (said, ill["faults"]["journal"]):
        assert "dmesg" in reason, "with what helps"
    assert healed == "journal: works again"
    assert seen["again"] == {"scores": [8, 4], "faults": {}, "blinks": False, "kept": 12}
