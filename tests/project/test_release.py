"""The workflow that makes a release, as far as it can be checked without publishing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from boardctl import __version__
from tools import release_notes
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
    """The owner of an action's repository can move a tag."""
    uses = re.findall(r"uses: (.*)", path.read_text())
    assert uses
    for one in uses:
        assert re.fullmatch(r"[\w-]+(/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one), one


def test_only_the_job_that_needs_a_right_has_it() -> None:
    release = workflow("release")
    assert release["permissions"] == {"contents": "read"}
    rights = {name: job.get("permissions") for name, job in release["jobs"].items()}
    assert rights == {
        "packages": None,
        "image": None,
        "index": {"id-token": "write"},
        "attest": {"id-token": "write", "attestations": "write"},
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
    assert re.search(rf"^## {re.escape(__version__)} \(", changelog, re.MULTILINE)


def test_every_unreleased_change_is_a_fragment_that_the_tool_reads() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    tool = project["tool"]["towncrier"]
    assert tuple(kind["directory"] for kind in tool["type"]) == release_notes.KINDS
    assert tool["start_string"] in (ROOT / tool["filename"]).read_text("utf-8")
    assert (ROOT / tool["directory"]) == release_notes.FRAGMENTS
    for name in release_notes.unreleased(release_notes.FRAGMENTS):
        assert re.fullmatch(rf"\+[a-z0-9-]+\.({'|'.join(release_notes.KINDS)})\.md", name), name
        text = (release_notes.FRAGMENTS / name).read_text("utf-8")
        assert 1 <= len(text.strip().splitlines()) <= 3, f"{name}: one sentence or two"


def test_a_release_with_changes_outside_the_changelog_is_refused(tmp_path: Path) -> None:
    changes = CHANGES.format(unreleased="")
    (tmp_path / "README.md").write_text("How to write one.\n")
    (tmp_path / "+dark.fixed.md").write_text("The display stayed dark.\n")
    with pytest.raises(ValueError, match=r"`make changelog` moves them: \+dark\.fixed\.md"):
        notes("v1.2.0", "1.2.0", changes, release_notes.unreleased(tmp_path))
    (tmp_path / "+dark.fixed.md").unlink()
    assert notes("v1.2.0", "1.2.0", changes, release_notes.unreleased(tmp_path))


def test_every_lock_file_is_explained() -> None:
    """CONTRIBUTING.md states the purpose of each lock file in one line."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    explained = set(re.findall(r"^\| `requirements-(\w+)\.lock` \|", page, re.MULTILINE))
    assert explained == {path.stem.partition("-")[2] for path in ROOT.glob("requirements-*.lock")}


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_a_release_from_another_repository_is_refused() -> None:
    urls = PROJECT["project"]["urls"]
    release_notes.check_address(urls["Source"].removeprefix("https://github.com/"), urls)
    with pytest.raises(ValueError, match=r"Source is https://github\.com/\S+, this is ann/fork"):
        release_notes.check_address("ann/fork", urls)


def test_one_address_stands_everywhere() -> None:
    """A file that names another repository of this project would mislead readers."""
    source = PROJECT["project"]["urls"]["Source"]
    owner, name = source.removeprefix("https://github.com/").split("/")
    named = re.compile(
        r"(?:github|githubusercontent)\.com/([\w-]+/boardctl)\b|([\w-]+)\.github\.io/"
    )
    for path in (*ROOT.glob("*.*"), *ROOT.glob(".github/**/*.yml"), *ROOT.glob("docs/**/*.md")):
        if not path.is_file() or path.suffix not in (".md", ".toml", ".yml"):
            continue
        for repository, host in named.findall(path.read_text("utf-8")):
            assert repository in ("", f"{owner}/{name}"), path
            assert host in ("", owner) or path.name != "mkdocs.yml", path


def test_the_package_index_shows_the_readme_with_whole_links() -> None:
    """The index has no folder from which a relative link could start."""
    hook = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    text = (ROOT / "README.md").read_text("utf-8")
    for one in hook["substitutions"]:
        text = re.sub(one["pattern"], one["replacement"], text)
    links = re.findall(r"\]\(([^)]*)\)", text)
    pictures = re.findall(r"!\[[^]]*\]\(([^)]*)\)", text)
    assert links
    assert pictures
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    raw = "https://raw.githubusercontent.com/"
    assert [link for link in pictures if not link.startswith(raw)] == []
    assert all(link in pictures for link in links if link.startswith(raw))


def test_the_command_named_like_the_distribution_is_the_same() -> None:
    scripts = PROJECT["project"]["scripts"]
    assert scripts[PROJECT["project"]["name"]] == scripts["boardctl"]
