"""Every rule cited by code and tests is in docs/rules, in the named section."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"
CITED = re.compile(r"docs/rules/([a-z0-9-]+)\.md((?:[ ,]+(?:and )?(?:E?\d+(?:\.\d+b?)?))*)")


@cache
def citations() -> list[tuple[str, str]]:
    """Return documents and sections, each once."""
    found = set()
    for folder in ("boardctl", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            text = re.sub(r"\s+(?:# )?", " ", path.read_text(encoding="utf-8"))
            for name, numbers in CITED.findall(text):
                found |= {(name, number) for number in re.findall(r"E?\d+(?:\.\d+b?)?", numbers)}
                found.add((name, ""))
    return sorted(found)


def test_a_cited_section_is_there() -> None:
    for name, number in citations():
        text = (RULES / f"{name}.md").read_text(encoding="utf-8")
        section = rf"(?:^|[\s#(;]){re.escape(number)}(?:[\s.]|$)"
        assert not number or re.search(section, text), (name, number)


def test_every_document_is_listed() -> None:
    listed = (RULES / "README.md").read_text(encoding="utf-8")
    for path in RULES.glob("*.md"):
        assert path.name == "README.md" or f"({path.name})" in listed, path.name
