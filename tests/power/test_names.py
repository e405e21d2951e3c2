"""Power cuts while files get their names: first start, backup, restore, pairing. Nothing that was
acknowledged is lost, no journal begins empty, no revoked phone comes back."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from boardctl.storage import backup
from boardctl.storage.journal import AtOnce, Journal, JournalError
from boardctl.web.pairing import Pairing
from tests.power.disk import Op, read_log
from tests.power.names import Names
from tests.power.test_power import HERE, preloaded
from tests.report import LongRun


def recorded(folder: Path, way: str) -> tuple[Path, tuple[Op, ...]]:
    """All that happened on the disk."""
    root = folder / "data"
    root.mkdir()
    program = [sys.executable, str(HERE / "swapper.py"), str(root), way]
    subprocess.run(program, env=preloaded(folder), check=True)
    return root, tuple(read_log(folder / "log"))


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Op, ...]]:
    return recorded(tmp_path_factory.mktemp("synced"), "synced")


@pytest.fixture(scope="module")
def careless(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Op, ...]]:
    return recorded(tmp_path_factory.mktemp("careless"), "careless")


def losses(run: tuple[Path, tuple[Op, ...]], cuts: int, seed: int, where: Path) -> list[str]:
    """What is wrong with the images of so many cuts, under both models in turn."""
    root, ops = run
    chance = random.Random(seed)
    moments = sorted(chance.randrange(1, len(ops) + 1) for _ in range(cuts))
    names = Names(root)
    happened = 0
    wrong = []
    for number, moment in enumerate(moments):
        for op in ops[happened:moment]:
            names.happen(op)
        happened = moment
        image = where / f"cut{number}"
        image.mkdir()
        names.write(image, chance, strict=number % 2 == 0)
        fault = fault_of(names.said, image)
        if fault is not None:
            wrong.append(f"cut {number} after op {moment}: {fault}")
        shutil.rmtree(image)
    return wrong


def last(said: list[str], kind: str) -> int | None:
    found = re.findall(rf"\b{kind}=(\d+)", " ".join(said))
    return int(found[-1]) if found else None


def fault_of(said: list[str], image: Path) -> str | None:
    """What is wrong with one image, None where nothing is."""
    copied = last(said, "copied")
    try:
        if copied is not None and backup.check(image / "copy.sqlite3") != copied:
            return "the backup is another one"
        data = image / "var" / "lib" / "boardctl"
        found = 0
        if data.is_dir() or last(said, "lines"):
            journal = Journal(data, AtOnce())
            try:
                if journal.notice is not None:
                    return journal.notice
                session = journal.last_session()
                found = 0 if session is None else len(session[2])
            finally:
                journal.close()
    except JournalError as error:
        return str(error)
    least = last(said, "lines") or 0
    if "restoring" in said and "restored" not in said:
        least = copied or 0  # either journal, whole
    if found < least:
        return f"{least} lines were acknowledged, {found} are there"
    phones = Pairing(data / "phones.json", lambda: 0.0).phones
    told = last(said, "phones") or 0
    if phones < told and "forgetting" not in said:
        return f"{told} phones were paired, {phones} are"
    if said and said[-1] == "phones=0" and phones:
        return f"{phones} phones are back that were revoked"
    return None


def test_no_name_is_lost(synced: tuple[Path, tuple[Op, ...]], tmp_path: Path) -> None:
    kinds = {op.kind for op in synced[1]}
    assert {"A", "C", "D", "L", "M", "R", "S", "U", "W"} <= kinds, "all of it was recorded"
    assert losses(synced, 150, seed=1, where=tmp_path) == []


def test_the_harness_finds_losses_where_nothing_is_synced(
    careless: tuple[Path, tuple[Op, ...]], tmp_path: Path
) -> None:
    assert losses(careless, 60, seed=2, where=tmp_path) != []


@pytest.mark.long
def test_no_name_is_lost_in_20_000_cuts(
    synced: tuple[Path, tuple[Op, ...]], tmp_path: Path, long_run: LongRun
) -> None:
    long_run(seed=300, cuts=20_000, ops=len(synced[1]))
    wrong = losses(synced, 20_000, seed=300, where=tmp_path)
    long_run(lost=len(wrong))
    assert wrong == []
