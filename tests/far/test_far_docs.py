"""docs/far.md and docs/far-protocol.md compared with the code."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from random import Random

from boardctl.far import Options
from tools.bench import far

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "far.md").read_text("utf-8")
TEXT = (ROOT / "docs" / "far-protocol.md").read_text("utf-8")


def test_every_deviation_is_listed() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "boardctl" / "far").glob("*.py"))
    raised = set(re.findall(r'(?:Deviation|_halt)\(\s*"([a-z-]+)"', code))
    table = TEXT.split("### Deviations")[1].split("## ")[0]
    assert raised == set(
        re.findall(r"`([a-z-]+)`", "".join(re.findall(r"^\| (`[^|]*)\|", table, flags=re.M)))
    )


def test_every_key_of_the_config_is_one() -> None:
    (example,) = re.findall(r"```toml\n\[far\].*?\n(.*?)```", PAGE, flags=re.S)
    keys = set(re.findall(r"^(\w+) =", example, flags=re.M))
    assert keys <= {field.name for field in fields(Options)}
    assert keys >= {"host", "port", "ca", "user", "password_file", "page"}


def messages_listed() -> set[str]:
    """Return the kinds of messages in the table of docs/far-protocol.md."""
    table = TEXT.split("| message | says |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (`.*?`) \|", table, flags=re.M)
    return {one.strip("` ") for row in rows for one in row.split(",")}


def test_every_message_is_listed() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "boardctl" / "far").glob("*.py"))
    said = set(re.findall(r'(?:"t": "|channel\.post\(\{")(\w+)"', code))
    assert messages_listed() == said - {"g", "look"}  # a game's message, and an onlooker's


def test_the_bytes_of_a_deal_are_those_that_are_sent() -> None:
    rows = re.findall(r"^\| (\d+) \| \d+ ms \| [\d,]+ \| ([\d.]+) kB \|$", TEXT, flags=re.M)
    assert [int(cards) for cards, _ in rows] == [*far.SIZES]
    for cards, kilobytes in rows:
        sent = far.bytes_sent(Random(1), int(cards)) / 1000
        assert abs(sent - float(kilobytes)) < 0.06
        assert sent <= 64
