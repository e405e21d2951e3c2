"""The keys of an auction, whatever the game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from boardctl import games
from boardctl.console.keypad.state import REST, auction, numbered
from boardctl.games import Ask
from tests.laws.walk import Walk, sit_down
from tests.spread import spread
from tests.tables import keyed, submit

BIDS = ("bid", "coinche", "surcoinche")


def keys(ask: Ask) -> Iterator[tuple[int, str]]:
    """Return each key of the answers to a question, on every page, with its words without a
    number."""
    state = REST._replace(mode="choice", ask=ask, choices=ask.choices)
    for place in range(len(auction(ask.choices)) or 1):
        for key, move in numbered(state._replace(place=place)):
            yield key, " ".join(move.words[-1:]) or move.verb


def auctions(walk: Walk, steps: int) -> Iterator[list[Ask]]:
    """Yield the questions of each auction in a random game."""
    asked: list[Ask] = []
    for _ in range(steps):
        asks = walk.record.position.prompt.asks
        bids = [ask for ask in asks if ask.choices and ask.move.verb in BIDS]
        if bids:
            asked += bids
        elif asked:
            yield asked
            asked = []
        if not walk.step():
            break
    if asked:
        yield asked


FORMS = (("belote", "trump_calls all"), ("klaberjass", "schmeiss maker"))
"""Games with options that add words to their auctions."""


@pytest.mark.parametrize(
    ("name", "option"), [*spread(3, ((name, "") for name in games.names())), *FORMS]
)
def test_a_key_never_changes_its_meaning_between_two_questions(name: str, option: str) -> None:
    """In Klaberjass `2` was a pass and then spades, in Coinche 80 in spades and then a double."""
    for seed in range(8):
        walk = sit_down(name, Random(seed))
        if option:
            players = [line for line in walk.lines.splitlines() if line.startswith("seat ")]
            walk = Walk(walk.game, walk.chance, "hands")
            coinche = ("set bidding coinche",) if name == "belote" else ()
            for line in (f"game {name}", *coinche, f"set {option}", *players):
                walk.say(line)
        for asked in auctions(walk, 50):
            said: dict[int, set[str]] = {}
            for ask in asked:
                for key, word in keys(ask):
                    said.setdefault(key, set()).add(word)
            assert all(len(words) == 1 for words in said.values()), (asked[0].code, said)


def test_coinche_is_bid_by_keys(tmp_path: Path) -> None:
    with keyed(tmp_path) as table:
        for line in (
            *("game belote", "set bidding coinche"),
            *(f"seat {seat} {name}" for seat, name in enumerate(("Ann", "Bob", "Cat", "Dan"), 1)),
            *("dealer 4", "deal"),
        ):
            submit(table.table, line, "page")
        for typed, line in (
            ("# 2", "1 bid pass"),
            ("# 3", "2 bid 80 S"),
            ("# # 4", "3 bid 100 H"),
            ("# 1", "4 coinche"),
            ("# 1 2", "1 bid pass"),  # a double that is typed twice does not redouble
            ("# 2", "2 bid pass"),
            ("# 7", "3 surcoinche"),
        ):
            table.press(typed)
            assert table.table.record.deal[-1].text == line, typed
            if line.endswith("100 H"):
                table.press("#")
                rows = [row for _, row in table.controller.pages]
                assert rows == ["1coinche 2pass", "3S110 4H110", "5D110 6C110 #>"]
                table.press("*")
