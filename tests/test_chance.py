"""Randomness comes from a seed: the ordinary run's tests draw the same everywhere (`chance.py`)."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import settings

from tests import chance

ROOT = Path(__file__).parents[1]
UNSEEDED = ("secrets.", "uuid.uuid1", "uuid.uuid4", "os.urandom", "os.getrandom")
"""Calls that never return the same value twice: whole modules and functions."""
SOURCES = re.compile("random|secrets|uuid")
"""A module without these words has no unseeded call."""
CLOCKS = ("time", "datetime", "os.getpid")
"""Values that must not be a seed."""
ALLOWED = {("tests/chance.py", "secrets.randbelow"), ("tests/chance.py", "derandomize=False")}
"""An exploring run's new seed, and its profile."""


def unseeded(source: str) -> Iterator[tuple[int, str]]:
    """Return the line and text of each call in one module that draws from an unseeded source."""
    tree = ast.parse(source)
    modules, functions = _imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg is not None:
            value = ast.unparse(node.value)
            if (node.arg, value) in {("use_true_random", "True"), ("derandomize", "False")}:
                yield node.lineno, f"{node.arg}={value}"
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        first, _, rest = name.partition(".")
        if first in modules:
            name = modules[first] + f".{rest}" * bool(rest)
        elif first in functions:
            name = functions[first] + f".{rest}" * bool(rest)
        else:
            continue
        if _draws(name, node):
            yield node.lineno, name


def _imported(tree: ast.Module) -> tuple[dict[str, str], dict[str, str]]:
    """Return full names by local names, for the module's imported modules and its imports from
    modules."""
    modules, functions = {}, {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                modules[alias.asname or alias.name.partition(".")[0]] = alias.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                functions[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return modules, functions


def _draws(name: str, call: ast.Call) -> bool:
    """Return whether this call, by its full name, draws from or makes an unseeded generator."""
    if name in (
        "random.Random",
        "numpy.random.default_rng",
        "numpy.random.RandomState",
    ):
        given = [ast.unparse(word) for word in (*call.args, *(k.value for k in call.keywords))]
        return not given or given == ["None"] or any(clock in given[0] for clock in CLOCKS)
    if name.startswith("random.") and name.count(".") == 1:
        return True  # the module's own generator, and SystemRandom
    if re.fullmatch(r"numpy\.random\.[a-z]+", name):
        return True
    return name.startswith(UNSEEDED)


def test_every_test_draws_from_a_seed() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if SOURCES.search(source := path.read_text("utf-8"))
        for line, name in unseeded(source)
        if (str(path.relative_to(ROOT)), name) not in ALLOWED
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import random\nrandom.choice('ab')", "random.choice"),
        ("import random as chance\nchance.shuffle([])", "random.shuffle"),
        ("from random import choice as c\nc('ab')", "random.choice"),
        ("from random import Random\nRandom()", "random.Random"),
        ("import random, time\nrandom.Random(time.time())", "random.Random"),
        ("import random\nrandom.SystemRandom().random()", "random.SystemRandom"),
        ("import secrets\nsecrets.token_hex(4)", "secrets.token_hex"),
        ("from uuid import uuid4\nuuid4()", "uuid.uuid4"),
        ("import os\nos.urandom(4)", "os.urandom"),
        ("import numpy as np\nnp.random.default_rng()", "numpy.random.default_rng"),
        ("import numpy as np\nnp.random.normal()", "numpy.random.normal"),
        ("st.randoms(use_true_random=True)", "use_true_random=True"),
        ("settings(derandomize=False)", "derandomize=False"),
    ],
)
def test_the_rule_sees_each_way(source: str, name: str) -> None:
    assert name in [found for _, found in unseeded(source)]


@pytest.mark.parametrize(
    "source",
    [
        "from random import Random\nRandom(7).random()",
        "import random\ndef walk(chance: random.Random) -> None:\n    chance.choice('ab')",
        "import numpy as np\nnp.random.default_rng(5).normal()",
        "import uuid\nuuid.uuid5(SPACE, 'name')",
    ],
)
def test_the_rule_allows_a_seed(source: str) -> None:
    assert list(unseeded(source)) == []


def fixed_in_long_tests(source: str) -> list[str]:
    """Return long tests that begin a walk at their own seed instead of the `seed` fixture's."""
    return [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(mark) == "pytest.mark.long" for mark in node.decorator_list)
        and re.search(r"Random\(\d+\)|\bseed=\d", ast.unparse(node))
    ]


def test_long_tests_explore() -> None:
    found = {
        str(path.relative_to(ROOT)): names
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if (names := fixed_in_long_tests(path.read_text("utf-8")))
    }
    assert found == {}
    assert fixed_in_long_tests("@pytest.mark.long\ndef test_a():\n    Random(3)") == ["test_a"]


def test_what_hypothesis_draws_here() -> None:
    """The values are the same in every run, unless it explores, and come from no database."""
    assert settings.default is not None
    exploring = chance.explored() is not None
    assert settings.default.derandomize is not exploring
    assert settings.default.database is None
    assert settings.default.deadline is None
    assert chance.examples(5) == (5 * chance.MORE if exploring else 5)


def drawn(tmp_path: Path, *options: str) -> tuple[str, str]:
    """Return the values that a separate session with these options draws, with Hypothesis and from
    `seed`, and the first lines of its output."""
    (tmp_path / "test_drawn.py").write_text(
        dedent("""\
            from hypothesis import given, strategies as st

            SEEN = []

            @given(st.integers())
            def test_draws(number):
                SEEN.append(number)

            def test_tells(seed):
                print("drawn:", seed, len(SEEN), sum(SEEN))
        """),
        "utf-8",
    )
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-s", "-m", "", "-p", "no:cacheprovider"),
            *("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-p", "tests.conftest"),
            *(*options, str(tmp_path / "test_drawn.py")),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"drawn: .*", done.stdout)
    assert found is not None, done.stdout
    return found[0], done.stdout


def test_two_ordinary_runs_draw_the_same(tmp_path: Path) -> None:
    first, said = drawn(tmp_path)
    assert drawn(tmp_path)[0] == first
    assert first.startswith(f"drawn: {chance.ORDINARY} 100 ")
    assert "the ordinary run's fixed seeds" in said


def test_an_exploring_run_prints_its_seed_and_can_be_repeated(tmp_path: Path) -> None:
    first, said = drawn(tmp_path, "--seed", chance.NEW)
    seeds = re.findall(r"chance: seed (\d+); `make long SEED=(\d+)` repeats this run", said)
    assert len(seeds) == 2, "at the top, and at the end where a failure is read"
    seed = seeds[0][0]
    assert {*seeds} == {(seed, seed)}
    assert first.startswith(f"drawn: {seed} {100 * chance.MORE} ")
    assert drawn(tmp_path, "--seed", seed)[0] == first


def test_what_make_runs() -> None:
    """Sets of strings have the same order in every run of `make test`. `make long` explores, and so
    do the tests that draw by Hypothesis in it."""
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    assert "export PYTHONHASHSEED ?= 0" in lines
    plan = subprocess.run(
        ["make", "--dry-run", "--always-make", "long", "SEED=7"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert '-m "long or slow or hypothesis" --slow-pages 1 --seed 7 ' in plan
