"""Mutation testing of code that keeps score, decides or throttles: `python -m tools.mutants GROUP`.

mutmut generates the mutants: every function exists in its original form and in variants with one
change each, and `MUTANT_UNDER_TEST` selects the one that is called. This module judges them, using
only tests. Mutants that the type checker rejects are left out, because `make check` stops such a
change.

The group's tests are collected once and recorded by the functions that they reach. For each mutant,
a forked process runs those tests until one fails: first the tests that have killed other mutants of
the same function, then the fastest. Mutants in functions called during import are tested in a
separate process, so that results computed at import change as well.

With `--sample N --seed S` only N mutants of the group are judged, chosen by the seed. The tree with
the mutants is built in `mutants/`, and the results are in its `ends.json`. docs/mutants.json
contains their numbers, from which `python -m tools.mutants --table` prints the rows of
docs/long-run.md.
docs/equivalent-mutants.toml lists the mutants that no caller can observe, with reasons. They are
judged too, but are not reported as survivors.
"""

from __future__ import annotations

import functools
import gc
import json
import mmap
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

TREE: Final = Path("mutants")
RESULTS: Final = Path("docs/mutants.json")
EQUIVALENT: Final = Path("docs/equivalent-mutants.toml")


class Group(NamedTuple):
    """Modules that are mutated together, and the tests that judge them."""

    what: str
    rooms: tuple[Path, ...]
    tests: tuple[str, ...]
    marks: str = "not slow and not long"


def _rooms(folder: str, names: str) -> tuple[Path, ...]:
    return tuple(Path("boardctl", folder, f"{name}.py") for name in names.split())


GROUPS: Final = {
    "score": Group(
        "`games/cribbage`, and what the other races share with it",
        (
            *sorted(Path("boardctl/games/cribbage").glob("*.py")),
            *_rooms("games/common", "known_cards race race_points referee to_31"),
        ),
        (
            "tests/games/cribbage",
            "tests/games/costly_colours",
            "tests/games/noddy",
            "tests/games/test_refusal_places.py",
            "tests/record/test_replay.py",
            "tests/record/test_records.py",
            "tests/record/test_history.py",
            "tests/record/test_visibility.py",
            "tests/laws/test_golden.py",
            "tests/laws/test_laws.py",
            "tests/console/test_presses.py",
        ),
        "not long",
    ),
    "decide": Group(
        "the computer player, advice and review",
        _rooms("bot", "advice cribbage odds playing review strength throwing totals"),
        (
            "tests/bot/test_advice.py",
            "tests/bot/test_analysis.py",
            "tests/bot/test_endgames.py",
            "tests/bot/test_knowledge.py",
            "tests/bot/test_odds.py",
            "tests/bot/test_pegging.py",
            "tests/bot/test_play_states.py",
            "tests/bot/test_playing.py",
            "tests/bot/test_seated.py",
            "tests/bot/test_strength.py",
            "tests/bot/test_style.py",
            "tests/bot/test_throwing.py",
            "tests/commands/test_review.py",
        ),
    ),
    "throttle": Group(
        "pairing, consent, turns by address",
        _rooms("web", "consent pairing slow_work"),
        ("tests/web/test_consent.py", "tests/web/test_pairing.py", "tests/web/test_turns.py"),
    ),
    "connections": Group(
        "the limits of connections and requests",
        _rooms("web", "limits"),
        ("tests/web/test_gate.py", "tests/web/test_limits.py"),
    ),
    "keys": Group(
        "the debouncer",
        _rooms("drivers", "debounce"),
        ("tests/drivers/test_gpio_matrix.py", "tests/drivers/test_keys.py"),
    ),
    "keep": Group(
        "the journal and the reader of its pages",
        _rooms("storage", "journal pages"),
        (
            "tests/storage/test_damage.py",
            "tests/storage/test_failing_disk.py",
            "tests/storage/test_journal.py",
            "tests/storage/test_log.py",
            "tests/storage/test_repair.py",
            "tests/storage/test_unwritable.py",
        ),
    ),
}
NO_JUDGES: Final = ("bezique", "klaberjass", "pinochle", "test_every_place_has_a_record")
"""Tests that judge no mutant: those of other games, and one that lists every function that refuses
a line, so every mutant of such a function."""
OPTIONS: Final = (
    *("-q", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"),
    *("--assert=plain", "--tb=native"),  # nobody reads why a test fails
    *("-k", f"not ({' or '.join(NO_JUDGES)})"),
)
NOT_OF_A_MUTANT: Final = ("has-type", "no-redef", "unreachable", "unused-ignore", "var-annotated")
"""Errors of the type checker that do not reject a mutant. The copies of `__init__` beside each
other cause most of them."""
PATIENCE: Final = 20
"""The CPU seconds that a test may use on a mutant in addition to four times its normal use."""
UNENDING: Final = (-signal.SIGPROF, -signal.SIGALRM)
LONGEST: Final = 1000
"""The CPU seconds that a mutant may use for all tests."""
MEMORY: Final = 4 << 30


def build(rooms: Sequence[Path]) -> tuple[list[str], dict[str, str]]:
    """Build the tree with all mutants, and return their names, and the module of each."""
    from mutmut.mutation.file_mutation import mutate_file_contents

    shutil.rmtree(TREE, ignore_errors=True)
    for folder in ("boardctl", "tests", "tools", "docs"):
        shutil.copytree(folder, TREE / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy("pyproject.toml", TREE)
    rooms_of: dict[str, str] = {}
    for path in rooms:
        mutated = mutate_file_contents(str(path), path.read_text("utf-8"))
        (TREE / path).write_text(mutated.code, "utf-8")
        module = ".".join(path.with_suffix("").parts)
        rooms_of |= {f"{module}.{name}": str(path) for name in mutated.mutant_names}
    return list(rooms_of), rooms_of


def rejected(rooms: Collection[str]) -> set[str]:
    """Return the mutants of these modules that the type checker rejects."""
    if not rooms:
        return set()
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", *rooms, "--output", "json", "--no-incremental"],
        cwd=TREE,
        capture_output=True,
        text=True,
        check=False,
    )
    found = set()
    lines = {room: (TREE / room).read_text("utf-8").splitlines() for room in rooms}
    for line in checked.stdout.splitlines():
        error = json.loads(line)
        if error["severity"] != "error" or error["code"] in NOT_OF_A_MUTANT:
            continue
        above = reversed(lines[error["file"]][: error["line"]])
        heads = (re.match(r"\s*(?:async )?def (\w+__mutmut_\d+)\(", text) for text in above)
        name = next((head[1] for head in heads if head), None)
        if name is not None:
            found.add(f"{error['file'].removesuffix('.py').replace('/', '.')}.{name}")
    return found


def name_as_written() -> None:
    """Let the tests of refusals find functions by their original names, which mutmut has
    replaced."""
    from tests.games import refusal_places

    every = refusal_places._calls
    # a mutant may refuse without a code
    vars(refusal_places)["_calls"] = lambda *under: (e for e in every(*under) if e[0].args)
    renamed = re.compile(r"x(?:_|ǁ\w+?ǁ)(\w+?)__mutmut_\w+")
    places = refusal_places.places()
    plain = {line: renamed.sub(r"\1", place) for line, place in places.items()}
    vars(refusal_places)["places"] = lambda: plain


def function_of(mutant: str) -> str:
    return mutant.partition("__mutmut_")[0]


class Timed(NamedTuple):
    """A test and its CPU seconds without a mutant."""

    took: float
    turn: int
    item: pytest.Item

    def worth(self, kills: Counter[int]) -> float:
        """Return how soon this test should run, by the sibling mutants that it has killed."""
        return (kills[self.turn] + 0.1) / (self.took + 0.01)


class Judge:
    """A pytest plugin that runs the tests once, and then the relevant ones on each mutant."""

    def __init__(self, names: list[str]) -> None:
        from mutmut.mutation import trampoline

        self._names = names
        self._caches: list[functools._lru_cache_wrapper[object]] = []
        self._called: set[str] = set()
        self._kills: dict[str, Counter[int]] = defaultdict(Counter)
        self._running = memoryview(mmap.mmap(-1, 4 * max(len(names), 1))).cast("i")
        """The turn of the test that each mutant's process runs, plus 1. The processes share it."""
        self.ends: dict[str, str] = {}
        vars(trampoline)["record_trampoline_hit"] = lambda name, caller=None: self._called.add(name)
        trampoline.set_mutant_under_test("stats")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        name_as_written()
        imported = self._called.copy()
        by_function = self._watch(session.items)
        # By type: code that asks a weak reference for its class may find its object gone.
        kind = functools._lru_cache_wrapper
        caches = (e for e in gc.get_objects() if type(e) is kind)
        self._caches = [cache for cache in caches if cache.__module__.startswith("boardctl.")]
        gc.freeze()
        waiting: dict[int, int] = {}
        for number, name in enumerate(self._names):
            if number % 20 == 0:
                print(f"{number} of {len(self._names)}", file=sys.stderr, flush=True)
                self.tell()
            if len(waiting) == os.cpu_count():
                self._reap(waiting)
            function = function_of(name)
            kills = self._kills[function]
            tests = sorted(by_function[function], key=lambda test: -test.worth(kills))
            waiting[self._fork(number, tests, function in imported)] = number
        while waiting:
            self._reap(waiting)
        self.tell()
        return True

    def tell(self) -> None:
        Path("ends.json").write_text(json.dumps(self.ends, indent=1), "utf-8")

    def _watch(self, items: list[pytest.Item]) -> dict[str, list[Timed]]:
        """Record which tests reach each function."""
        from mutmut.mutation import trampoline

        found: dict[str, list[Timed]] = defaultdict(list)
        for turn, item in enumerate(items):
            self._called.clear()
            began = time.process_time()
            if not passes(item):
                raise pytest.UsageError(f"{item.nodeid} fails without a mutant")
            timed = Timed(time.process_time() - began, turn, item)
            for function in self._called:
                found[function].append(timed)
        trampoline.set_mutant_under_test(None)
        return found

    def _fork(self, number: int, tests: list[Timed], imported: bool) -> int:
        child = os.fork()
        if child:
            return child
        name = self._names[number]
        is_always(name)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
        for cache in self._caches:
            cache.cache_clear()
        for took, turn, item in tests:
            self._running[number] = turn + 1
            # The signals of these timers end the process; the second's even a sleeping one.
            signal.setitimer(signal.ITIMER_PROF, PATIENCE + 4 * took)
            signal.setitimer(signal.ITIMER_REAL, 10 * (PATIENCE + 4 * took))
            if not passes(item):
                os._exit(1)
        self._running[number] = 0
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        os._exit(alone(name) if imported else 0)

    def _reap(self, waiting: dict[int, int]) -> None:
        child, status = os.wait()
        while child not in waiting:  # a process that a test has left running
            child, status = os.wait()
        end = os.waitstatus_to_exitcode(status)
        fate = "lives" if end == 0 else "does not end" if end in UNENDING else "is killed"
        number = waiting.pop(child)
        name = self._names[number]
        self.ends[name] = fate
        if fate != "lives" and self._running[number]:
            self._kills[function_of(name)][self._running[number] - 1] += 1


def passes(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, log=False, nextitem=None)
    return all(report.passed or report.skipped for report in reports)


def is_always(mutant: str) -> None:
    """Select this mutant from now on. mutmut reads the environment at every call, which takes
    longer than most of the calls."""
    from mutmut.mutation import trampoline

    os.environ["MUTANT_UNDER_TEST"] = mutant
    vars(trampoline)["get_mutant_under_test"] = lambda: mutant


def alone(mutant: str) -> int:
    """Return whether a mutant fails in a separate process."""
    group = os.environ["MUTANT_GROUP"]
    program = "from tools import mutants; "
    program += f"mutants.is_always({mutant!r}); mutants.ordinary({group!r})"
    quiet = subprocess.DEVNULL
    run = [sys.executable, "-c", program]
    return subprocess.run(run, stdout=quiet, stderr=quiet, check=False).returncode


def ordinary(group: str) -> None:
    """Run all the tests of a group until one fails."""
    _, _, tests, marks = GROUPS[group]
    raise SystemExit(pytest.main(["-x", *OPTIONS, "-m", marks, *tests]))


def judge(group: str) -> None:
    """Return the result of each mutant of `names.json`; run in the tree."""
    os.environ["MUTANT_GROUP"] = group
    names = json.loads(Path("names.json").read_text("utf-8"))
    _, _, tests, marks = GROUPS[group]
    if pytest.main([*OPTIONS, "-m", marks, *tests], plugins=[Judge(names)]):
        raise SystemExit("the tests do not pass without a mutant")


def changed(name: str) -> Iterator[str]:
    """Return the lines of a mutant that differ from the original."""
    module, _, mutant = name.rpartition(".")
    lines = (TREE / (module.replace(".", "/") + ".py")).read_text("utf-8").splitlines()

    def body(function: str) -> list[str]:
        (start,) = (
            n
            for n, line in enumerate(lines)
            if line.strip().removeprefix("async ").startswith(f"def {function}(")
        )
        inside = len(lines[start]) - len(lines[start].lstrip())
        end = next(
            (
                n
                for n, line in enumerate(lines[start + 1 :], start + 1)
                if line.strip()
                and len(line) - len(line.lstrip()) <= inside
                and line.strip()[0] != ")"
            ),
            len(lines),
        )
        head = lines[start].strip().replace(function, function_of(mutant))
        return [head, *(line.strip() for line in lines[start + 1 : end])]

    one, two = body(f"{function_of(mutant)}__mutmut_orig"), body(mutant)
    yield from (f"- {line}" for line in one if line not in two)
    yield from (f"+ {line}" for line in two if line not in one)


def equivalent() -> set[str]:
    """Return the listed changes that no caller can observe, as `shown` spells them."""
    listed = tomllib.loads(EQUIVALENT.read_text("utf-8"))["equivalent"]
    return {change for entry in listed for change in entry["changes"]}


def shown(name: str) -> str:
    """Return the module of a mutant and its new lines, or the lines that it removes."""
    module = name.rpartition(".")[0].removeprefix("boardctl.")
    lines = list(changed(name))
    new = [line[2:] for line in lines if line[0] == "+"]
    return f"{module}: {' '.join(new or [f'{line[2:]} (removed)' for line in lines])}"


def keep(group: str, mutants: int, seed: int, ends: Collection[str]) -> None:
    """Store the numbers from a group's run.

    Args:
        group: the group.
        mutants: the number of mutants that the type checker accepts.
        seed: the seed of the sample.
        ends: the results of the judged mutants.
    """
    kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    kept[group] = {"mutants": mutants, "seed": seed, **Counter(ends)}
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


def table() -> str:
    """Return the rows of docs/long-run.md. A mutant that does not end counts as killed."""
    rows = []
    for group, kept in json.loads(RESULTS.read_text("utf-8")).items():
        killed = kept.get("is killed", 0) + kept.get("does not end", 0)
        same = kept.get("is equivalent", 0)
        numbers = kept["mutants"], killed + same + kept.get("lives", 0), killed, same
        cells = (group, GROUPS[group].what, *(f"{number:,}" for number in numbers))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def main() -> None:
    asked = ArgumentParser(prog="python -m tools.mutants")
    asked.add_argument("group", nargs="?", choices=GROUPS)
    asked.add_argument("--table", action="store_true", help="print the kept numbers")
    asked.add_argument("--sample", type=int, default=0, help="judge so many; 0 for all")
    asked.add_argument("--seed", type=int, default=0, help="which ones")
    options = asked.parse_args()
    if options.table:
        print(table())
        return
    if options.group is None:
        asked.error("a group is missing")
    every, rooms = build(GROUPS[options.group].rooms)
    wrong = rejected(sorted(set(rooms.values())))
    typed = [name for name in every if name not in wrong]
    names = typed
    if options.sample:
        names = sorted(Random(options.seed).sample(typed, min(options.sample, len(typed))))
    (TREE / "names.json").write_text(json.dumps(names), "utf-8")
    judging = [sys.executable, "-c", f"from tools.mutants import judge; judge({options.group!r})"]
    done = subprocess.run(judging, cwd=TREE, check=False)
    ends: dict[str, str] = json.loads((TREE / "ends.json").read_text("utf-8"))
    known = equivalent()
    for name in [name for name, end in ends.items() if end == "lives"]:
        if shown(name) in known:
            ends[name] = "is equivalent"
        else:
            print(f"\n{name}", *changed(name), sep="\n")
    counts = ", ".join(f"{n} {end}" for end, n in Counter(ends.values()).most_common())
    print(f"\n{options.group}: {len(typed)} mutants, {len(ends)} judged: {counts}")
    keep(options.group, len(typed), options.seed, ends.values())
    raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
