"""Print the changes in a release: `python -m tools.release_notes v1.0.0`.

The release workflow runs this first, so that a tag that does not match the commit stops the
workflow.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from boardctl import __version__

CHANGELOG: Final = Path(__file__).parents[1] / "CHANGELOG.md"
FRAGMENTS: Final = CHANGELOG.with_name("changelog.d")
KINDS: Final = ("added", "changed", "fixed", "security")


def unreleased(folder: Path) -> list[str]:
    """Return the names of the unreleased changes, in order."""
    return sorted(
        path.name for path in folder.iterdir() if path.name not in ("README.md", ".gitignore")
    )


def check_address(repository: str, project: Mapping[str, str]) -> None:
    """Check that a release comes from the repository named by its package.

    Args:
        repository: owner and name, as the workflow has them in GITHUB_REPOSITORY.
        project: `[project.urls]` of pyproject.toml.

    Raises:
        ValueError: if `Source` is another repository, whose pages the index would show.
    """
    source = project["Source"]
    if source != f"https://github.com/{repository}":
        raise ValueError(f"pyproject.toml: Source is {source}, this is {repository}")


def notes(tag: str, version: str, changelog: str, fragments: Sequence[str] = ()) -> str:
    """Return the changelog's section about a version.

    Args:
        tag: the commit's tag, such as v1.0.0.
        version: of the program, such as 1.0.0.
        changelog: all of CHANGELOG.md.
        fragments: the names of the changes that are still in changelog.d.

    Raises:
        ValueError: if the tag is another version's, or the changelog has no dated section of it, or
            still lists unreleased changes.
    """
    if tag != f"v{version}":
        raise ValueError(f"the tag is {tag}, boardctl/__init__.py says {version}")
    if fragments:
        names = ", ".join(fragments)
        raise ValueError(
            f"changelog.d has unreleased changes, `make changelog` moves them: {names}"
        )
    sections = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    found = {title: text for title, _, text in (section.partition("\n") for section in sections)}
    if found.get("Unreleased", "").strip():
        raise ValueError("CHANGELOG.md has changes under Unreleased: give them this version")
    for title, text in found.items():
        if re.fullmatch(rf"{re.escape(version)} \(\d{{4}}-\d\d-\d\d\)", title):
            return text.strip()
    raise ValueError(f"CHANGELOG.md has no section '## {version} (date)'")


if __name__ == "__main__":
    try:
        if "GITHUB_REPOSITORY" in os.environ:
            project = tomllib.loads(CHANGELOG.with_name("pyproject.toml").read_text("utf-8"))
            check_address(os.environ["GITHUB_REPOSITORY"], project["project"]["urls"])
        changes = CHANGELOG.read_text("utf-8")
        print(notes(sys.argv[1], __version__, changes, unreleased(FRAGMENTS)))
    except ValueError as error:
        sys.exit(str(error))
