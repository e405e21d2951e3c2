"""Every place that refuses a line is reached by a record, and what it says is read by somebody."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from typing import Any

import pytest

from tests.games import refusal_places
from tests.games.refusal_places import PAGE, ROOT, places, refused, rows, sentences, tabled

BEFORE = "a check before it refuses whatever was tried"
UNREACHED = {
    "games/belote/deal.py:Deal.give_turned:card-twice:1": BEFORE,
    "games/belote/deal.py:Deal.show:declared-already:1": BEFORE,
    "games/bezique/deal.py:turn_up:too-late:1": "a play needs a trump, which is turned up before",
    "games/bezique/declare.py:_declaring:meld-stock-gone:1": BEFORE,
    "games/bezique/declare.py:_last_seven:seven-too-late:1": BEFORE,
    "games/bezique/declare.py:play:*:1": BEFORE,
    "games/common/referee.py:Referee._deal:game-over:1": "no game is won by what `deal` closes",
    "games/common/referee.py:Referee.play:not-in-this-game:1": "for a move made without a line",
    "games/common/to_31.py:make_way:not-in-play:1": BEFORE,
    "games/klaberjass/rules.py:Klaberjass._bella:no-bella:1": BEFORE,
    "record/seen.py:refusal:secret:1": "for a viewer, not for a record (tests/record/test_seen.py)",
}
"""Places that no record reaches, as far as could be found by random lines and by hand,
and why they stand there."""


def test_every_place_has_one_record() -> None:
    by_code = Counter(row["place"] for row in rows())
    assert [place for place, count in by_code.items() if count > 1] == []
    named = {re.sub(r":\*[a-z0-9-]+:", ":*:", place) for place in by_code}
    assert sorted({*places().values()} - {*named, *UNREACHED}) == []
    assert sorted({*named, *UNREACHED} - {*places().values()}) == []


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["place"])
def test_it_is_refused_there_and_says_so(row: dict[str, Any]) -> None:
    place, _, _ = refused(row["lines"])
    assert place == row["place"]
    said = sentences(row)
    assert said == {"en": row["en"], "ja": row["ja"]}, refusal_places.__doc__
    assert not any("{" in one for one in said.values())


def test_the_document_lists_every_code_that_a_game_has_a_sentence_for() -> None:
    page = PAGE.read_text("utf-8")
    assert page == tabled(page, rows()), refusal_places.__doc__
    listed = set(re.findall(r"^\| `([a-z0-9-]+)` \|", page, re.MULTILINE))
    games = [path.name for path in (ROOT / "games").iterdir() if (path / "rules.py").exists()]
    unlisted = [
        key
        for game in sorted(games)
        for key in import_module(f"boardctl.text.{game}").SENTENCES
        for kind, _, code in [key.partition(".")]
        if kind == "refusal" and not any(f"{code}-".startswith(f"{one}-") for one in listed)
    ]
    assert len(games) >= 7
    assert unlisted == []
