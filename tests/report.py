"""The table in docs/long-run.md: one row per long test, each naming the commit it was measured at.

Called by `conftest` with `--report`. Text outside the table is written by hand and preserved; a
test that runs again replaces only its own row.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, Self

ROOT: Final = Path(__file__).parents[1]
HEAD: Final = (
    "| test | result | figures | CPU | Python | commit | date |",
    "|---|---|---|---|---|---|---|",
)
_TABLE: Final = re.compile(
    "^" + re.escape("\n".join(HEAD)) + r"\n(?P<rows>(?:\|.*\n)*)", re.MULTILINE
)


class LongRun(Protocol):
    """Records figures of the running long test: seeds, counts and sizes."""

    def __call__(self, **figures: int | str) -> None: ...


@dataclass(frozen=True, slots=True)
class Row:
    """What one test did, and the seconds of CPU that it and its children took."""

    test: str
    result: str
    figures: dict[str, str]
    cpu: float


@dataclass(frozen=True, slots=True)
class Place:
    """The commit, with a `+` if files have changed since, and the date (UTC)."""

    commit: str
    date: str

    @classmethod
    def here(cls) -> Self:
        commit = _git("rev-parse", "--short=9", "HEAD").strip()
        changed = _git("status", "--porcelain", "--", ".", ":!docs").strip()
        return cls(commit + "+" * bool(changed), time.strftime("%Y-%m-%d", time.gmtime()))


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def cpu() -> float:
    """Seconds of CPU of this process and of the children it has waited for."""
    return sum(os.times()[:4])


def entered(text: str, row: Row, place: Place) -> str:
    """The page with this row in its table, replacing an older one of the same test.

    Raises:
        ValueError: the page has no such table.
    """
    found = _TABLE.search(text)
    if found is None:
        raise ValueError(f"there is no table beneath: {HEAD[0]}")
    key = f"| `{row.test}` |"
    figures = ", ".join(_told(name, value) for name, value in row.figures.items())
    minutes = f"{row.cpu / 60:.1f} min" if row.cpu >= 60 else f"{row.cpu:.0f} s"
    line = (
        f"{key} {row.result} | {figures} | {minutes} | {platform.python_version()} "
        f"| {place.commit} | {place.date} |"
    )
    others = [old for old in found["rows"].splitlines() if not old.startswith(key)]
    rows = "".join(f"{each}\n" for each in sorted([*others, line]))
    return text[: found.start("rows")] + rows + text[found.end("rows") :]


def _told(name: str, value: str) -> str:
    if re.fullmatch(r"-?\d+", value) and name != "seed":
        value = f"{int(value):,}"
    return f"{name.replace('_', ' ')} {value}".replace("|", r"\|")
