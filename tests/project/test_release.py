"""The workflow that makes a release, as far as it can be checked without publishing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from boardctl import __version__
from tools.release_notes import notes

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
CHANGES = """\
# Changelog

## Unreleased
{unreleased}
## 1.2.0 (2026-12-24)

* Something new.

## 1.1.0 (2026-11-22)

* Something old.
"""


def workflow(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text())
    return loaded


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_action_is_one_commit(path: Path) -> None:
    """A tag can be moved by whoever holds the action's repository."""
    uses = re.findall(r"uses: (.*)", path.read_text())
    assert uses
    for one in uses:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one), one


def test_only_the_job_that_needs_a_right_has_it() -> None:
    release = workflow("release")
    assert release["permissions"] == {"contents": "read"}
    rights = {name: job.get("permissions") for name, job in release["jobs"].items()}
    assert rights == {
        "packages": None,
        "image": None,
        "index": {"id-token": "write"},
        "release": {"contents": "write"},
    }
    for step in release["jobs"]["index"]["steps"]:
        assert "password" not in step.get("with", {}), "the index trusts the workflow itself"


def test_it_runs_what_is_there() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    ran = "\n".join(
        step["run"] for job in workflow("release")["jobs"].values() for step in job["steps"]
        if "run" in step
    )  # fmt: skip
    assert set(re.findall(r"\bmake ([a-z-]+)", ran)) <= targets
    assert ".ci/run" in ran
    lock = (ROOT / "packaging/image/packages.lock").read_text()
    assert re.findall(r"^# as of (\d{8}T\d{6}Z)$", lock, re.MULTILINE), "read by the image's job"


def test_the_notes_are_the_versions_section() -> None:
    changes = CHANGES.format(unreleased="")
    assert notes("v1.2.0", "1.2.0", changes) == "* Something new."
    with pytest.raises(ValueError, match=r"the tag is v1\.3\.0"):
        notes("v1.3.0", "1.2.0", changes)
    with pytest.raises(ValueError, match=r"no section '## 1\.3\.0 \(date\)'"):
        notes("v1.3.0", "1.3.0", changes)
    with pytest.raises(ValueError, match="under Unreleased"):
        notes("v1.2.0", "1.2.0", CHANGES.format(unreleased="\n* Not yet.\n"))


def test_the_changelog_knows_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## ({re.escape(__version__)} \(|Unreleased$)", changelog, re.MULTILINE)
