"""Power cuts while files are named: first start, backup, restore, pairing, setup, repair, update.

Nothing that was acknowledged is lost, no journal begins empty, and no revoked phone returns.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from boardctl.app import config
from boardctl.storage import backup
from boardctl.storage.journal import AtOnce, Journal, JournalError
from boardctl.web.pairing import Pairing
from tests.power.disk import Op, read_log
from tests.power.names import Names
from tests.power.test_power import HERE, MEMORY, preloaded
from tests.report import LongRun

GAMES = ("bezique", "pinochle")
"""The games that `swapper` configures first and later."""


def recorded(folder: Path, way: str) -> tuple[Path, tuple[Op, ...]]:
    """All recorded disk operations."""
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


def losses(run: tuple[Path, tuple[Op, ...]], cuts: int, seed: int) -> Iterator[str]:
    """Return the faults in the images of this many cuts, under both models in turn."""
    root, ops = run
    chance = random.Random(seed)
    moments = sorted(chance.randrange(1, len(ops) + 1) for _ in range(cuts))
    names = Names(root)
    happened = 0
    with TemporaryDirectory(dir=MEMORY) as where:
        for number, moment in enumerate(moments):
            for op in ops[happened:moment]:
                names.happen(op)
            happened = moment
            image = Path(where, f"cut{number}")
            image.mkdir()
            names.write(image, chance, strict=number % 2 == 0)
            fault = fault_of(names.said, image)
            if fault is not None:
                yield f"cut {number} after op {moment}: {fault}"
            shutil.rmtree(image)


def last(said: list[str], kind: str) -> int | None:
    found = re.findall(rf"\b{kind}=(\d+)", " ".join(said))
    return int(found[-1]) if found else None


def fault_of(said: list[str], image: Path) -> str | None:
    """Return the fault of one image, or None if there is none."""
    copied = last(said, "copied")
    try:
        if copied is not None and backup.check(image / "copy.sqlite3") != copied:
            return "the backup is another one"
        found = lines_of(image / "var" / "lib" / "boardctl", said)
    except JournalError as error:
        return str(error)
    least = last(said, "lines") or 0
    if "restoring" in said and "restored" not in said:
        least = copied or 0  # either journal, complete
    if found < least:
        return f"{least} lines were acknowledged, {found} are there"
    return fault_of_files(said, image)


def lines_of(data: Path, said: list[str]) -> int:
    """Return the number of lines in the last evening. Raises JournalError, also for unexpected
    damage."""
    if not data.is_dir() and not last(said, "lines"):
        return 0
    with closing(Journal(data, AtOnce())) as journal:
        hurt = said.count("damaging") > said.count("repaired")
        if journal.notice is not None and not hurt:
            raise JournalError(data, "failed", reason=journal.notice)
        session = journal.last_session()
        return 0 if session is None else len(session[2])


def fault_of_files(said: list[str], image: Path) -> str | None:
    """Return the faults of the paired phones, the configuration and the service's unit."""
    phones = Pairing(image / "var/lib/boardctl/phones.json", lambda: 0.0).phones
    found = last(said, "phones") or 0
    if phones < found and "forgetting" not in said:
        return f"{found} phones were paired, {phones} are"
    if "phones=0" in said and phones:
        return f"{phones} phones are back that were revoked"
    file = image / "etc" / "config.toml"
    games = [word.removeprefix("config=") for word in said if word.startswith("config=")]
    allowed = GAMES[max(0, len(games) - 1) :]
    if games or file.exists():
        if not file.exists():
            return "the configuration is gone"
        if config.load(file).game not in allowed:
            return "the configuration is an older one"
    if "unit" in said and "[Service]" not in (image / "unit").read_text():
        return "the service's unit is another one"
    return None


@pytest.mark.slow
def test_no_name_is_lost(synced: tuple[Path, tuple[Op, ...]]) -> None:
    kinds = {op.kind for op in synced[1]}
    assert {"A", "C", "D", "L", "M", "R", "S", "U", "W"} <= kinds, "all of it was recorded"
    assert list(losses(synced, 300, seed=1)) == []


@pytest.mark.slow
def test_the_harness_finds_losses_where_nothing_is_synced(
    careless: tuple[Path, tuple[Op, ...]],
) -> None:
    assert next(losses(careless, 60, seed=2), None) is not None


@pytest.mark.long
def test_no_name_is_lost_in_20_000_cuts(
    synced: tuple[Path, tuple[Op, ...]], seed: int, long_run: LongRun
) -> None:
    long_run(cuts=20_000, ops=len(synced[1]))
    wrong = list(losses(synced, 20_000, seed))
    long_run(lost=len(wrong))
    assert wrong == []
