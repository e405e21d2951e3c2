"""Without the folder of a feature, or of all features, a board starts, serves its page and
plays."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
FEATURES: Final = ("bot", "camera", "club", "drawings", "far", "mqtt", "speech")
ON_A_BOARD: Final = ("bot", "camera", "far", "mqtt", "speech")
CORE: Final = ("board", "console", "record")
"""The folders of core tests that run without any feature."""


def checkout(place: Path, without: tuple[str, ...]) -> Path:
    """Copy the repository's code, with its compiled modules, without the folders of some
    features."""
    for name in ("boardctl", "tests", "tools", "docs"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("build"))
    for file in ("pyproject.toml", "CONTRIBUTING.md"):
        shutil.copy(ROOT / file, place)
    for name in without:
        shutil.rmtree(place / "boardctl" / name)
    return place


def run(place: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=1500,
    )


@pytest.mark.parametrize("without", [*((name,) for name in FEATURES), FEATURES], ids="-".join)
def test_the_board_plays_without(without: tuple[str, ...], tmp_path: Path) -> None:
    place = checkout(tmp_path, without)
    done = run(place, "-m", "tests.features.core_alone", tmp_path / "data")
    assert done.returncode == 0, done.stderr
    left = [name for name in ON_A_BOARD if name not in without]
    assert done.stdout.split() == left
    commands = run(place, "-m", "boardctl", "--help")
    assert commands.returncode == 0, commands.stderr
    assert ("  draw " in commands.stdout) == ("drawings" not in without)


@cache
def imports(file: Path) -> frozenset[str]:
    """Return the rooms of the package that a file imports, also through other files of the
    tests."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            where = ROOT.joinpath(*name.split(".")).with_suffix(".py")
            if name.startswith("boardctl."):
                found.add(name.split(".")[1])
            elif name.startswith("tests.") and where.exists() and where != file:
                found |= imports(where)
    return frozenset(found)


def of_the_core() -> list[str]:
    """Return the tests of the core: files in its folders that import neither a feature nor the
    command line, which includes the features' commands."""
    files = sorted(file for folder in CORE for file in (ROOT / "tests" / folder).rglob("test_*.py"))
    return [str(f.relative_to(ROOT)) for f in files if not imports(f) & {"commands", *FEATURES}]


@pytest.mark.slow
def test_the_tests_of_the_core_pass_without_any_feature(tmp_path: Path) -> None:
    place = checkout(tmp_path, FEATURES)
    chosen = of_the_core()
    assert len(chosen) > 15
    chosen_by = "not long and not slow and not with_features"
    marks = ("-m", chosen_by, "-q", "-p", "no:cacheprovider")
    done = run(place, "-m", "pytest", *marks, *chosen)
    assert done.returncode == 0, done.stdout[-6000:]


def test_nothing_of_the_core_imports_a_feature() -> None:
    """The core imports none even for a type, apart from the package's public names."""
    for file in (ROOT / "boardctl").rglob("*.py"):
        room = file.relative_to(ROOT / "boardctl").parts[0]
        if room not in (*FEATURES, "__init__.py"):
            assert not imports(file) & {*FEATURES}, file
