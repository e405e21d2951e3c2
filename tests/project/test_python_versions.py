"""The project's promised Python versions are those that its workflow tests."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]
CLASSIFIED = [
    word.rpartition(" ")[2]
    for word in PROJECT["classifiers"]
    if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", word)
]


def test_the_workflow_tests_each_version() -> None:
    workflow = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    matrix = re.search(r"^ +python: \[(.*)\]$", workflow, re.MULTILINE)
    assert matrix is not None
    assert re.findall(r'"(3\.\d+)"', matrix[1]) == CLASSIFIED
    assert "${{ matrix.python }}" in workflow


def test_they_follow_one_another_from_the_oldest() -> None:
    minors = [int(version.removeprefix("3.")) for version in CLASSIFIED]
    assert minors == list(range(minors[0], minors[0] + len(minors)))
    required = SpecifierSet(PROJECT["requires-python"])
    assert f"3.{minors[0] - 1}.99" not in required
    assert all(f"{version}.0" in required for version in CLASSIFIED)


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("pyproject.toml", r'^target-version = "py3(\d+)"'),
        ("Makefile", r"--universal --python-version 3\.(\d+)"),
        ("packaging/deb/build", r"python3 \(>= 3\.(\d+)\)"),
        ("README.md", r"Python 3\.(\d+) or newer"),
        ("README.ja.md", r"Python 3\.(\d+) 以上"),
    ],
)
def test_the_oldest_is_told_everywhere(file: str, pattern: str) -> None:
    """Checks, locks, package and README name the oldest version."""
    found = re.findall(pattern, (ROOT / file).read_text("utf-8"), re.MULTILINE)
    assert found
    assert {f"3.{minor}" for minor in found} == {CLASSIFIED[0]}


def test_no_error_changes_its_type_in_debians_oldest_python() -> None:
    """Debian 12's Python 3.11.2 wraps an error raised in an `except*` in a group (fixed in 3.11.4,
    python/cpython#103590). Code that expects the bare error then misses it."""
    having = [
        path
        for path in sorted((ROOT / "boardctl").rglob("*.py"))
        if any(
            isinstance(node, ast.TryStar) for node in ast.walk(ast.parse(path.read_text("utf-8")))
        )
    ]
    assert having == []
