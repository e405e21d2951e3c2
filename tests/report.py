"""The log of the long tests, docs/long-run.jsonl: one row per test, with its commit.

`pytest --report docs/long-run.jsonl` writes a row as soon as its test has run, and the summary in
docs/long-run.md; `python -m tests.report` prints the rows as lines to read.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, Self

from tests.speech import recognition

ROOT: Final = Path(__file__).parents[1]
LOG: Final = ROOT / "docs" / "long-run.jsonl"
PAGE: Final = ROOT / "docs" / "long-run.md"
_SUMMARY: Final = re.compile(
    r"(?P<begin><!-- summary: .*-->\n)(?:\|.*\n)*(?P<end><!-- end of summary -->)"
)


class LongRun(Protocol):
    """Records figures of the running long test: seeds, counts and sizes."""

    def __call__(self, **figures: int | str) -> None: ...


@dataclass(frozen=True, slots=True)
class Row:
    """The work of one test, and the CPU seconds that it and its children took."""

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
    """Return the CPU seconds of this process and of the children it has waited for."""
    return sum(os.times()[:4])


def entered(log: str, row: Row, place: Place) -> str:
    """Return the log with this row, sorted by test; the row replaces an older one of the same
    test."""
    kept = [old for old in rows(log) if old["test"] != row.test]
    new = {
        "test": row.test,
        "result": row.result,
        "figures": row.figures,
        "cpu_seconds": round(row.cpu),
        "python": platform.python_version(),
        "commit": place.commit,
        "date": place.date,
    }
    return "".join(
        json.dumps(each, ensure_ascii=False) + "\n"
        for each in sorted([*kept, new], key=lambda each: str(each["test"]))
    )


def rows(log: str) -> list[dict[str, Any]]:
    """Return the rows of a log: `test`, `result`, `figures`, `cpu_seconds`, `python`, `commit`,
    `date`."""
    return [json.loads(line) for line in log.splitlines()]


def summarized(page: str, log: str) -> str:
    """Return the page with its summary of the log: one line per folder of tests.

    Raises:
        ValueError: if the page has no place for it.
    """
    folders: dict[str, list[dict[str, Any]]] = {}
    for row in rows(log):
        path = Path(str(row["test"]).partition("::")[0])
        folders.setdefault(str(path if path.parent.name == "tests" else path.parent), []).append(
            row
        )
    table = ["| tests | runs | passed | CPU | date |", "|---|---|---|---|---|"]
    for folder, found in folders.items():
        first, last = min(row["date"] for row in found), max(row["date"] for row in found)
        passed = sum(row["result"] == "passed" for row in found)
        minutes = sum(row["cpu_seconds"] for row in found) / 60
        when = first if first == last else f"{first} to {last}"
        table.append(f"| `{folder}` | {len(found)} | {passed} | {minutes:.1f} min | {when} |")
    text, count = _SUMMARY.subn(
        lambda found: found["begin"] + "".join(f"{line}\n" for line in table) + found["end"], page
    )
    if count != 1:
        raise ValueError("the page has no place between `<!-- summary: … -->` and its end")
    return text


def write(log: Path, row: Row, place: Place) -> None:
    """Enter a row in this log, which is created if necessary. The project's own log is also
    summarized on its page."""
    text = entered(log.read_text("utf-8") if log.exists() else "", row, place)
    log.write_text(text, "utf-8")
    if log.resolve() == LOG:
        PAGE.write_text(summarized(PAGE.read_text("utf-8"), text), "utf-8")
        if row.test.startswith(recognition.TEST):
            page = recognition.PAGE.read_text("utf-8")
            recognition.PAGE.write_text(recognition.written(page, rows(text)), "utf-8")


def readable(row: dict[str, Any]) -> str:
    """Return a row as one line: `tests/a.py::test_b passed, 75 s of CPU, games 10,000 (3.11.7,
    …)`."""
    figures = "".join(
        f", {name.replace('_', ' ')} {_grouped(name, value)}"
        for name, value in row["figures"].items()
    )
    place = ", ".join(row[name] for name in ("python", "commit", "date"))
    return f"{row['test']} {row['result']}, {row['cpu_seconds']} s of CPU{figures} ({place})"


def _grouped(name: str, value: str) -> str:
    return f"{int(value):,}" if re.fullmatch(r"-?\d+", value) and name != "seed" else value


def main(words: Sequence[str]) -> None:
    """Print the rows whose test contains each of the words."""
    for row in rows(LOG.read_text("utf-8")):
        if all(word in row["test"] for word in words):
            print(readable(row))


if __name__ == "__main__":
    main(sys.argv[1:])
