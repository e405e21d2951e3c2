"""docs/notation.md compared with the code: every possible code is listed, and every example is
refused as it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardctl.games import IllegalMove
from boardctl.record.record import Record

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
ROOMS = {
    "Any game": ("games/__init__.py", "games/table_rules.py", "record/record.py", "notation.py"),
    "Cribbage": ("games/cribbage/*.py",),
    "Noddy": (
        "games/noddy/*.py",
        "games/common/known_cards.py",
        "games/common/suits.py",
        "games/common/to_31.py",
    ),
    "Costly Colours": ("games/costly_colours/*.py",),
    "Bezique and Pinochle": ("games/bezique/*.py",),
    "Belote": (
        "games/belote/*.py",
        "games/common/by_deal.py",
        "games/common/jass*.py",
        "games/common/referee.py",
    ),
    "Pinochle for three and four": ("games/pinochle/*.py", "games/common/trick_deal.py"),
    "Klaberjass": ("games/klaberjass/*.py", "games/common/jass*.py"),
}
"""The sections and whose codes they list; another game adds its line here."""
SAID = re.compile(r'IllegalMove\(\s*"([a-z0-9-]+)"')


def sections() -> dict[str, str]:
    refusals = TEXT.split("\n## Refusals\n")[1]
    parts = re.split(r"^### (.+)\n", refusals, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def listed(section: str) -> dict[str, str]:
    """Codes and examples, each with the lines that its section begins with."""
    text = sections()[section]
    begin = re.search(r"begins? with `(game .+?)`\.", text)
    assert begin, section
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| `(.+?)` \|", text, flags=re.M)
    assert len(rows) == len(dict(rows)), f"a code stands twice in {section}"
    return {
        code: example if example.startswith("game ") else f"{begin[1]} / {example}"
        for code, example in rows
    }


def examples() -> Iterator[tuple[str, str]]:
    for section in sections():
        yield from listed(section).items()


@pytest.mark.parametrize(("code", "example"), list(examples()))
def test_an_example_is_refused_as_it_says(code: str, example: str) -> None:
    record = Record()
    *before, last = example.split(" / ")
    for line in before:
        record.read(line)
    with pytest.raises(IllegalMove) as error:
        record.read(last)
    assert error.value.code == code


@pytest.mark.parametrize("section", ROOMS)
def test_every_code_is_listed_once(section: str) -> None:
    said = {
        code
        for pattern in ROOMS[section]
        for path in (ROOT / "boardctl").glob(pattern)
        for code in SAID.findall(path.read_text(encoding="utf-8"))
    }
    everywhere = set(listed("Any game"))
    assert said - everywhere - set(listed(section)) == set()
    assert everywhere & set(listed(section)) == set() or section == "Any game"
