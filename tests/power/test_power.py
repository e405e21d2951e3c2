"""Power cuts under the real journal and the real SQLite: nothing that was acknowledged is lost.

Not `kill -9`, which the page cache survives, but every image that the disk could hold when the
power goes (`disk.py`). The same harness must find losses if commits do not sync: that verifies the
test.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from boardctl.record.record import Record
from boardctl.storage.journal import AtOnce, Journal, JournalError
from boardctl.table import Table
from tests import parts
from tests.power.disk import WAYS, Disk, Op, read_log
from tests.report import LongRun

HERE = Path(__file__).parent
RECORDS = HERE.parent / "vectors" / "records-full-klaberjass.jsonl"
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
GAMES = 2
RUNS = 3
"""The number of times that the player is killed and restarted on its own remains."""


@dataclass(frozen=True, slots=True)
class Played:
    """The lines as stored, the scores after each, and the disk operations."""

    root: Path
    lines: tuple[str, ...]
    scores: tuple[tuple[int, ...], ...]
    ops: tuple[Op, ...]


def evening() -> list[str]:
    """Return complete recorded games, one after the other."""
    with RECORDS.open(encoding="utf-8") as records:
        games = [json.loads(next(records))["record"].splitlines() for _ in range(GAMES)]
    return ["session friday", *(line for game in games for line in game if line)]


@cache
def interposer() -> Path:
    """The library to preload, compiled once."""
    parts.need("cc")
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    library = Path(folder.name, "interpose.so")
    subprocess.run(
        ["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, HERE / "interpose.c"],
        check=True,
    )
    return library


def preloaded(folder: Path, sick: Path | None = None) -> dict[str, str]:
    """Return the environment of a program whose disk is `folder`/data; its operations are logged to
    `folder`/log. While `sick` exists, syncs fail."""
    environment = {
        **os.environ,
        "LD_PRELOAD": str(interposer()),
        "POWER_LOG": str(folder / "log"),
        "POWER_ROOT": str(folder / "data"),
        "PYTHONPATH": str(HERE.parents[1]),
    }
    return environment if sick is None else {**environment, "POWER_SICK": str(sick)}


def play(folder: Path, way: str, sick_runs: int = 0) -> Played:
    """Play the evening in separate processes under the interposer. In the first few of them the
    disk fails occasionally, and at their end."""
    found = evening()
    lines = folder / "lines"
    lines.write_text("\n".join(found))
    root, sick = folder / "data", folder / "sick"
    root.mkdir()
    for run in range(1, RUNS + 1):
        sick.unlink(missing_ok=True)
        subprocess.run(
            [sys.executable, HERE / "player.py", root, lines, str(len(found) * run // RUNS), way],
            env=preloaded(folder, sick if run <= sick_runs else None),
            check=True,
        )
    return Played(root, *told_by_hand(), tuple(read_log(folder / "log")))


@cache
def told_by_hand() -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """Return the evening's lines as stored, and the scores after each."""
    record = Record()
    spelled, scores = [], []
    for line in evening():
        report = record.read(line)
        assert report is not None
        spelled.append(report.line)
        scores.append(record.position.scores)
    return tuple(spelled), tuple(scores)


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play(tmp_path_factory.mktemp("full"), "FULL")


@pytest.fixture(scope="module")
def careless(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play(tmp_path_factory.mktemp("normal"), "NORMAL")


def losses(played: Played, cuts: int, seed: int) -> Iterator[str]:
    """Return the faults in the images of this many cuts. They are written to memory if the system
    has such a place, because the disk's behaviour has already been recorded."""
    chance = random.Random(seed)
    moments = sorted(chance.randrange(1, len(played.ops) + 1) for _ in range(cuts))
    disk = Disk()
    happened = 0
    with TemporaryDirectory(dir=MEMORY) as where:
        for number, moment in enumerate(moments):
            for op in played.ops[happened:moment]:
                disk.happen(op)
            happened = moment
            way = WAYS[number % len(WAYS)]
            folder = Path(where, f"cut{number}")
            folder.mkdir()
            for path, content in disk.image(chance, way):
                (folder / Path(path).name).write_bytes(content)
            fault = fault_of(played, folder, disk.acknowledged, deep=number % 10 == 0)
            if fault:
                yield f"cut {number} after op {moment} ({way}): {fault}"
            shutil.rmtree(folder)


def fault_of(played: Played, folder: Path, acknowledged: int, deep: bool) -> str | None:
    """Return the fault of one image, or None if there is none."""
    try:
        journal = Journal(folder, AtOnce())
    except JournalError as error:
        return str(error)
    try:
        if journal.notice is not None:
            return journal.notice
        last = journal.last_session()
        kept = () if last is None else last[2]
        if tuple(entry.text for entry in kept) != played.lines[: len(kept)]:
            return "a line that was never said, or half of one"
        if len(kept) < acknowledged:
            return f"{acknowledged} lines were acknowledged, {len(kept)} are there"
        if deep and kept:
            stands = Table(journal, now=lambda: 0.0).position.scores
            if stands != played.scores[len(kept) - 1]:
                return f"the pegs stand at {stands}"
    finally:
        journal.close()
    return None


def test_the_disk_saw_the_whole_evening(full: Played) -> None:
    kinds = {op.kind for op in full.ops}
    assert {"A", "C", "W", "S"} <= kinds
    acknowledged = {int(op.data) for op in full.ops if op.kind == "A"}
    assert acknowledged == set(range(1, len(full.lines) + 1))
    databases = [op for op in full.ops if op.kind == "W" and op.path.endswith(".sqlite3")]
    assert len(databases) > 10, "the log was carried over into the database, so that is cut too"


def test_no_acknowledged_line_is_lost(full: Played) -> None:
    assert list(losses(full, 100, seed=1)) == []


@pytest.mark.slow
def test_the_harness_finds_losses_where_commits_do_not_sync(careless: Played) -> None:
    assert next(losses(careless, 100, seed=2), None) is not None


@pytest.mark.long
def test_no_acknowledged_line_is_lost_in_10_000_cuts(
    full: Played, seed: int, long_run: LongRun
) -> None:
    long_run(cuts=10_000, lines=len(full.lines), writes_and_syncs=len(full.ops))
    wrong = list(losses(full, 10_000, seed))
    long_run(lost=len(wrong))
    assert wrong == []
