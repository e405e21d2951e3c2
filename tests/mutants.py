"""The second look at mutants: what the tests that judge in a second let live, the whole of the
ordinary tests of cribbage and the journal see, in a process of its own.

    python -m tests.mutants

Called by `make mutants` after `mutmut run`, whose workers share one process: what a module works
out when it is imported, and what a cache holds, is not mutated there. Here it is.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

MUTANTS: Final = Path("mutants")
TESTS: Final = (
    "tests/games/cribbage",
    "tests/commands",
    "tests/test_journal.py",
    "tests/test_mend.py",
    "tests/test_refusals.py",
    "tests/test_replay.py",
    "tests/test_records.py",
    "tests/test_keypad.py",
    "tests/test_history.py",
    "tests/test_sick_disk.py",
    "tests/laws/test_laws.py",
    "tests/test_presses.py",
)
"""The quick ones first: the first that fails is enough."""
OURS: Final = "not bezique and not klaberjass and not pinochle"
KILLED: Final = {1, 3}
TYPED: Final = 37
"""How `mutmut run` ends a mutant that the type checker refuses."""
FOR_EVER: Final = {24, 36, 152, 255, -24}
"""How it ends one that does not come to an end."""
SECONDS: Final = 900


def judged() -> Iterator[tuple[str, int | None]]:
    """Every mutant with how `mutmut run` ended it."""
    for path in sorted(MUTANTS.rglob("*.meta")):
        yield from json.loads(path.read_text("utf-8"))["exit_code_by_key"].items()


def survives(name: str) -> bool:
    """Whether no ordinary test fails with the mutant in the place of the code."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--hypothesis-profile=mutants"]
    command += ["-p", "no:cacheprovider", "-m", "not long", "-k", OURS, *TESTS]
    try:
        run = subprocess.run(
            command,
            cwd=MUTANTS,
            env={**os.environ, "MUTANT_UNDER_TEST": name},
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def diff(name: str) -> str:
    """What was changed."""
    shown = subprocess.run(
        [sys.executable, "-m", "mutmut", "show", name], capture_output=True, text=True, check=True
    )
    return "\n".join(
        line
        for line in shown.stdout.splitlines()
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    )


def main(wanted: list[str]) -> None:
    ends = Counter[str]()
    left = []
    for name, end in judged():
        if end in KILLED:
            ends["killed"] += 1
        elif end == TYPED:
            ends["refused by the type checker"] += 1
        elif end in FOR_EVER:
            ends["did not end"] += 1
        else:
            left.append(name)
    left = [name for name in left if not wanted or any(word in name for word in wanted)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, lives in zip(left, pool.map(survives, left), strict=True):
            ends["survived" if lives else "killed by the whole"] += 1
            if lives:
                print(f"\n{name}\n{diff(name)}", flush=True)
    print("\n" + ", ".join(f"{number} {end}" for end, number in ends.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
