"""A record reaches every place that refuses a line, and people have read each sentence."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from typing import Any

import pytest

from boardctl import text
from tests.games import refusal_places
from tests.games.refusal_places import (
    PAGE,
    ROOT,
    code_said,
    places,
    refused,
    rows,
    sentences,
    tabled,
)
from tests.unfinished import unfinished

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
    "games/klaberjass/rules.py:Klaberjass._bella:no-bella:1": BEFORE,
    "record/visibility.py:refusal:secret:1": "for a viewer (tests/record/test_visibility.py)",
}
"""Places that no record reaches, after a search by random lines and by hand, with the reasons for
keeping them."""


UNSAID = {
    "syntax": "every kind of mistake has a sentence of its own",
    "syntax-empty": "an empty line of a record is no move",
    "no-such-value-number": "where a choice is asked for, not a line",
    "no-such-value-steps": "where a choice is asked for, not a line",
}
"""Sentences for codes of the games that refuse no record, with the reasons for keeping them."""


def test_every_place_has_a_record_for_each_sentence() -> None:
    written = rows()
    by_sentence = Counter((row["place"], code_said(row)) for row in written)
    assert [place for place, count in by_sentence.items() if count > 1] == []
    named = {re.sub(r":\*[a-z0-9-]+:", ":*:", row["place"]) for row in written}
    missing = {*places().values()} - {*named, *UNREACHED}
    known = {name.partition(":")[0] for name in named}
    new = {name for name in missing if name.partition(":")[0] not in known}
    assert sorted(missing - new) == []
    assert sorted({*named, *UNREACHED} - {*places().values()}) == []
    if new:
        unfinished(f"refusal-places.jsonl has no record of a new game yet: {sorted(new)}")


def test_every_sentence_is_said_by_a_record() -> None:
    said = {code_said(row) for row in rows()}
    codes = {error.code for row in rows() if (error := refused(row["lines"])[1])}
    keys = [key.partition(".") for key in text.sentences()]
    unsaid = {code for kind, _, code in keys if kind == "refusal"} - said
    ours = {code for code in unsaid if any(f"{code}-".startswith(f"{one}-") for one in codes)}
    assert ours == set(UNSAID)


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
    listed = set(re.findall(r"`([a-z0-9-]+)`", page.partition("<!-- refusals:")[2]))
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
