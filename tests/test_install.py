"""The packages that `make run` and `make test` install, and the reports of their progress."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.app.test_daemon import environment
from tools import install

ROOT = Path(__file__).parents[1]
RUN = (ROOT / "requirements-run.lock").read_text("utf-8")
NAMES = frozenset(map(canonicalize_name, install.pins(RUN)))
MOST_PACKAGES = 15
PINS = {"spidev"}
"""A board's own optional packages that the drivers import if present, even in a simulation."""


def needed(names: list[str]) -> set[str]:
    """Return the packages that these need on this machine, and their dependencies in turn."""
    found: set[str] = set()
    while names:
        name = canonicalize_name(names.pop())
        if name not in found:
            found.add(name)
            wanted = map(Requirement, requires(name) or ())
            names += [
                r.name for r in wanted if r.marker is None or r.marker.evaluate({"extra": ""})
            ]
    return found


def test_the_runtime_lock_has_what_the_board_needs_and_no_more() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert needed([Requirement(one).name for one in project["dependencies"]]) == NAMES
    assert len(NAMES) <= MOST_PACKAGES


def parts(lines: str) -> tuple[str, set[str]]:
    """Return the version and the checksums of a lock file's entry; the package that requires it may
    differ."""
    return lines.split()[0], set(re.findall(r"sha256:\w+", lines))


def test_the_tests_add_to_it_without_another_version() -> None:
    every = (ROOT / "requirements-dev.lock").read_text("utf-8")
    pinned = {name: parts(lines) for name, lines in install.entries(every)}
    for name, lines in install.entries(RUN):
        assert pinned[name] == parts(lines)


@pytest.mark.parametrize("lock", ["pi", "bench", "maintain", "training"])
def test_a_later_lock_file_leaves_the_versions_of_the_tests(lock: str) -> None:
    """Both are installed into .venv. A lock may pin one package for each kind of machine."""

    def versions(name: str) -> dict[str, set[str]]:
        lines = (ROOT / f"requirements-{name}.lock").read_text("utf-8").splitlines()
        found: dict[str, set[str]] = {}
        for line in lines:
            if pin := re.match(r"([\w.-]+)==(\S+)(?: ; (.*?))? \\\\?$", line):
                found.setdefault(pin[1], set()).add(pin[2])
        return found

    tests = versions("dev")
    common = tests.keys() & (later := versions(lock)).keys()
    assert common
    assert not {name: later[name] for name in common if not tests[name] & later[name]}


def commands(target: str) -> str:
    """Return the commands that make would run in a checkout without .venv."""
    words = ["make", "--dry-run", "--always-make", target]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_make_run_installs_the_runtime_lock_only() -> None:
    said = commands("run")
    assert re.findall(r"requirements-\w+\.lock", said) == ["requirements-run.lock"]
    assert not re.search(r"pip |npm|apt|sudo|system", said)


@pytest.mark.parametrize("target", ["test", "slow", "coverage"])
def test_tests_install_python_packages_only(target: str) -> None:
    said = commands(target)
    locks = ["requirements-run.lock", "requirements-dev.lock"]
    assert re.findall(r"requirements-\w+\.lock", said) == locks
    assert not re.search(r"npm|apt|sudo|install-system", said)


ONLY_RUNTIME = """
import sys
from importlib.metadata import packages_distributions
refused = {module for module, owners in packages_distributions().items()
           if not {one.lower().replace("_", "-") for one in owners} & set(sys.argv[1].split())
           and module not in ("boardctl", "pip")}
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in refused:
            print("tried:", name, flush=True)
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
assert "pytest" in refused and "httpx" in refused
for name in refused:
    for loaded in [one for one in sys.modules if one == name or one.startswith(name + ".")]:
        del sys.modules[loaded]
sys.meta_path.insert(0, Absent())
from boardctl.__main__ import main
sys.argv[1:] = sys.argv[2:]
main()
"""
"""A program that runs `boardctl` with only the packages of the first argument installed."""
EVENING = """
import asyncio, json, sys
from urllib.request import Request, urlopen
import websockets
def ask(path, body=None):
    headers = {"Origin": at, "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(at + path, data, headers)) as answer:
        return answer.read()
at = sys.argv[1]
assert b"<html" in ask("/")
number = json.loads(ask("/state"))["number"]
for line in ("dealer 1", "deal", "starter 5H", "2 show 4S 5C 5D 6H"):
    number = json.loads(ask("/lines", {"line": line, "expect": number}))["state"]["number"]
assert ask("/openapi.json") and ask("/games") and ask("/history")
"""


def test_a_board_plays_without_any_development_package(tmp_path: Path) -> None:
    """Every other package is absent, as after `make run`, and no development package is even
    tried."""
    board = subprocess.Popen(
        [
            *(sys.executable, "-c", ONLY_RUNTIME, " ".join(NAMES), "run", "--sim"),
            *("--no-browser", "--data", str(tmp_path / "data")),
        ],
        cwd=ROOT,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert board.stdout is not None
    said = ""
    try:
        while not (found := re.search(r"the board is at (http://\S+)", said)):
            line = board.stdout.readline()
            assert line, said
            said += line
        subprocess.run([sys.executable, "-c", EVENING, found[1]], check=True)
    finally:
        board.terminate()
        said += board.communicate(timeout=60)[0]
    assert board.returncode == 0, said
    assert set(re.findall(r"^tried: (\S+)", said, re.MULTILINE)) <= PINS
    assert "Traceback" not in said


class Clock:
    """Seconds that pass only on demand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_line_comes_at_least_every_two_seconds() -> None:
    clock, lines, done = Clock(), list[tuple[float, str]](), [0]
    progress = install.Progress(
        lambda line: lines.append((clock.now, line)), clock, "reading", lambda: done[0], 14
    )
    for _ in range(5):
        clock.now += progress.wait + 0.01
        progress.tick()
    done[0] = 3
    progress.heard("Collecting anyio==4.16.0 (from -r requirements-run.lock (line 3))\n")
    clock.now += progress.wait + 0.01
    progress.tick()
    times = [0.0, *(at for at, _ in lines)]
    assert all(after - before <= 2 for before, after in pairwise(times))
    assert len(times) > 5
    assert lines[-1][1].startswith("pip: finding anyio; 3 of 14 installed, ")


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("  Downloading a/ruff-0.1.whl (10.6 MB)\n", "downloading ruff-0.1.whl (10.6 MB)"),
        ("  Downloading idna-3.20-py3-none-any.whl (65 kB)\n", None),
        ("  Building wheel for evdev (pyproject.toml): started\n", "building evdev"),
        ("Installing collected packages: idna, h11\n", "writing packages to .venv"),
        ("Requirement already satisfied: idna==3.20\n", None),
    ],
)
def test_large_steps_are_shown_at_once(line: str, shown: str | None) -> None:
    lines: list[str] = []
    install.Progress(lines.append, Clock(), "reading").heard(line)
    assert lines == ([f"pip: {shown}"] if shown else [])


def test_a_command_keeps_its_exit_status_and_lines() -> None:
    progress = install.Progress(lambda _: None, Clock(), "working")
    script = "print('one'); print('two'); raise SystemExit(3)"
    assert install.run([sys.executable, "-c", script], progress) == (3, ["one\n", "two\n"])
