"""Every rule cited by code and tests is in docs/rules, in the named section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"
CITED = re.compile(r"docs/rules/([a-z0-9-]+)\.md((?:[ ,]+(?:and )?(?:E?\d+(?:\.\d+b?)?))*)")


def citations() -> Iterator[tuple[str, str]]:
    """Return documents and sections, each once."""
    found = set()
    for folder in ("boardctl", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            text = re.sub(r"\s+(?:# )?", " ", path.read_text(encoding="utf-8"))
            for name, numbers in CITED.findall(text):
                found |= {(name, number) for number in re.findall(r"E?\d+(?:\.\d+b?)?", numbers)}
                found.add((name, ""))
    yield from sorted(found)


@pytest.mark.parametrize("name", sorted({name for name, _ in citations()}))
def test_a_cited_section_is_there(name: str) -> None:
    text = (RULES / f"{name}.md").read_text(encoding="utf-8")
    for document, number in citations():
        if document == name and number:
            assert re.search(rf"(?:^|[\s#(;]){re.escape(number)}(?:[\s.]|$)", text), number


def test_every_document_is_listed() -> None:
    listed = (RULES / "README.md").read_text(encoding="utf-8")
    for path in RULES.glob("*.md"):
        assert path.name == "README.md" or f"({path.name})" in listed, path.name
