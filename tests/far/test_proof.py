"""Anybody can check the file of a game, and whatever is changed in it is found."""

from __future__ import annotations

import copy
import json
from functools import cache
from random import Random
from typing import Any

import pytest

from boardctl.far import proof
from boardctl.far.deal import Deviation
from boardctl.far.side import Proposal
from tests.far.houses import GAME, SHORT, Houses


@cache
def whole() -> str:
    houses = Houses(Random(3), proposal=Proposal(GAME, "cribbage", ("Ann", "Bob"), SHORT))
    houses.play()
    assert houses.is_done
    return json.dumps(houses.one.opened)


def deals() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(whole())
    return found


def found_out(changed: list[dict[str, Any]]) -> str:
    """The code with which a file is refused; empty if it is not."""
    try:
        list(proof.proven(map(json.dumps, changed)))
    except Deviation as error:
        return error.code
    except ValueError:
        return "no-transcript"
    return ""


def test_a_true_file_is_proven_with_its_score() -> None:
    found = list(proof.proven(map(json.dumps, deals())))
    assert len(found) >= 2
    assert all(len(set(one.cards)) == 52 for one in found)
    assert max(found[-1].scores) >= 31


def test_every_named_card_is_where_the_record_says() -> None:
    """A card that a line names is exchanged for another: by cut, starter, play and show."""
    tried = 0
    for number, deal in enumerate(deals()):
        for at, (text, _, places) in enumerate(deal["lines"]):
            words = text.split()
            if len(words) < 2 or len(words[-1]) != 2 or words[-1][0] not in "A23456789TJQK":
                continue
            if words[-1][1] not in "CDHS" or (not places and words[0] in "12" and "hand" in text):
                continue
            changed = deals()
            other = "2C" if words[-1] != "2C" else "3C"
            changed[number]["lines"][at][0] = " ".join((*words[:-1], other))
            assert found_out(changed), text
            tried += 1
    assert tried > 5


@pytest.mark.parametrize(
    "change",
    [
        lambda deals: deals[1].update(packs=deals[0]["packs"]),
        lambda deals: deals[1]["packs"].reverse(),
        lambda deals: deals[1].update(locks=deals[0]["locks"]),
        lambda deals: deals[1]["locks"].reverse(),
        lambda deals: deals[1].update(keys=deals[0]["keys"]),
        lambda deals: deals[1].update(number=3),
        lambda deals: deals[1].update(cards=51),
        lambda deals: deals[1].update(cards=10**9),
        lambda deals: deals[1].update(game="00" * 32),
        lambda deals: deals[1].update(protocol=3),
        lambda deals: deals[1].update(lines=[]) or deals[2:3] or deals.pop(0),
        lambda deals: deals[1].update(locks=["00" * 32] * 2),
        lambda deals: deals[1].update(locks=["00"]),
        lambda deals: deals[1]["lines"].append(["1 play 5H", 1, [0]]),
        lambda deals: deals[1]["lines"].append(["undo 50", 1, []]),
        lambda deals: deals[1]["lines"].append(["nonsense", 1, []]),
        lambda deals: deals[1]["lines"].append(5),
        lambda deals: deals.pop(0),
        lambda deals: deals.insert(0, deals[0]),
    ],
)
def test_a_changed_file_is_found_out(change: Any) -> None:
    changed = copy.deepcopy(deals())
    change(changed)
    assert found_out(changed)


def test_places_of_another_cards_are_found_out() -> None:
    tried = 0
    for number, deal in enumerate(deals()):
        for at, (text, by, places) in enumerate(deal["lines"]):
            if by and places:
                for other in ((places[0] + 1) % 52, 51, 99, -1):
                    if other in places:
                        continue
                    changed = deals()
                    changed[number]["lines"][at][2] = [other, *places[1:]]
                    if " discard " in text and other in range(12):
                        continue  # another card of the same hand may be thrown, if it is not played
                    assert found_out(changed), (text, places, other)
                    tried += 1
    assert tried > 10


def test_what_is_no_transcript_is_none() -> None:
    for text in ("", "{", "5", "[]", "{}", '{"game": 5}', '{"protocol": 2}'):
        with pytest.raises(ValueError, match="no transcript"):
            list(proof.proven([text]))
