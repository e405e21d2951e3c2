"""Anybody can check the file of a game, and every change to it is found."""

from __future__ import annotations

import copy
import json
from base64 import b64encode
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from boardctl.commands import main
from boardctl.far import earlier, group, proof
from boardctl.far.deal import Deviation
from boardctl.far.game_log import Proposal
from boardctl.far.shuffle import Terms
from boardctl.record import sealed
from tests.far.houses import GAME, SHORT, Houses


@cache
def whole() -> str:
    houses = Houses(Random(3), proposal=Proposal(GAME, "cribbage", ("Ann", "Bob"), SHORT))
    houses.play()
    assert houses.is_done
    return json.dumps(houses.one.verified)


def deals() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(whole())
    return found


def found_out(changed: list[dict[str, Any]]) -> str:
    """Return the code with which a file is refused; empty if it is accepted."""
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
    """A card named by a line is exchanged for another: in cut, starter, play and show."""
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
        lambda deals: deals[1].update(protocol=group.PROTOCOL + 1),
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


def test_cards_are_compared_whoever_is_said_to_have_dealt_them() -> None:
    """A file that attributes the dealt cards to a house has no line that both add. The cards of its
    lines are compared with the pack all the same."""
    changed = deals()
    for deal in changed:
        deal["lines"] = [
            [text, by or int(" hand " in text or "cut" in text or "crib" in text), []]
            for text, by, _ in deal["lines"]
        ]
    assert found_out(changed) == "out-of-turn"


def test_a_deal_that_is_over_is_not_changed_by_a_later_undo() -> None:
    changed = deals()
    crib = changed[1]["lines"][-1][0]
    assert " crib " in crib
    other = "2C" if "2C" not in crib else "3C"
    again = [*crib.split()[:-1], other]
    changed[2]["lines"][0:0] = [["undo", 1, []], [" ".join(again), 0, []]]
    assert found_out(changed) == "bad-question"


def test_after_the_last_deal_no_line_has_cards() -> None:
    rest = {"protocol": group.PROTOCOL, "game": deals()[0]["game"], "number": 0}
    hand = ["1 hand 5H 5C 5D JS 2C 3C", 1, []]
    assert found_out([*deals(), {**rest, "lines": [hand]}]) == "out-of-turn"
    one = deals()[:2]  # the second deal's hands have not been entered yet
    one[1]["lines"] = []
    assert found_out([one[0], {**rest, "lines": [["deal", 2, []], [hand[0], 0, []]]}])


def test_hands_are_dealt_in_the_order_of_seats() -> None:
    """Otherwise a file could give each house the other's hand."""
    changed = deals()
    lines = changed[1]["lines"]
    at = next(n for n, line in enumerate(lines) if line[0].startswith("1 hand"))
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    del lines[at + 2 :]
    lines.append(["misdeal", 1, []])
    assert found_out(changed[:2]) == "out-of-turn"


def test_a_deal_of_version_1_takes_no_deals_place_in_a_later_game() -> None:
    """Such a deal has no lines, so those of the deal that it replaces would not be compared."""
    vector = json.loads((Path(__file__).parent / "earlier.json").read_text())
    packs = [b64encode(bytes.fromhex(pack)).decode() for pack in vector["packs"]]
    old = {"game": GAME.hex(), "number": 3, "cards": 16, "packs": packs}
    old |= {name: vector[name] for name in ("secrets", "commitments")}
    assert found_out([*deals()[:2], old]) == "other-record"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (["1 play ?", 1, [0]], "rejected"),
        (["2 adjust +3", 1, []], "out-of-turn"),
        (["2 adjust +3", 0, []], "out-of-turn"),
        (["2 adjust +3", 7, []], "out-of-turn"),
        (["2 adjust +3", 2, [0]], "out-of-turn"),
        (["deal", 0, []], "out-of-turn"),
        (["redo", 1, []], "out-of-turn"),
        (["amend 1 2 crib 7C 2S 4S 5H", 1, []], "out-of-turn"),
        (["2 peg 3", 2, []], "out-of-turn"),
        (["set target 20", 0, []], "out-of-turn"),
        (["2 adjust +3", 2.0, []], "no-transcript"),
        (["2 adjust +3", float("inf"), []], "no-transcript"),
    ],
)
def test_a_line_is_said_by_the_house_of_its_seat(line: list[Any], code: str) -> None:
    changed = deals()
    changed[2]["lines"].insert(0, line)
    assert found_out(changed) == code


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
                        continue  # another card of the same hand may be thrown if it is not played
                    assert found_out(changed), (text, places, other)
                    tried += 1
    assert tried > 10


def test_what_is_no_transcript_is_none() -> None:
    texts = ("", "{", "5", "[]", "{}", '{"game": 5}', '{"protocol": 3}', "[" * 100_000)
    for text in (*texts, '{"game": "00", "protocol": 3, "number": Infinity, "cards": 52}'):
        with pytest.raises(ValueError, match="no transcript"):
            list(proof.proven([text]))


def said(path: Path, deals: list[dict[str, Any]]) -> str:
    """Return the output of `sealed verify --far` for a true file, without its cards."""
    path.write_text("".join(f"{json.dumps(one)}\n" for one in deals))
    done = CliRunner().invoke(main, ["sealed", "verify", "--far", str(path)])
    assert done.exit_code == 0, done.output
    return "\n".join(line for line in done.output.splitlines() if not line.startswith("deal "))


def test_the_command_says_whether_the_end_is_in_the_file(tmp_path: Path) -> None:
    path, whole = tmp_path / "far.jsonl", deals()
    assert said(path, whole).endswith("\nThe file contains the end of the game.")
    for count in range(1, len(whole)):
        found = said(path, whole[:count])
        assert found.startswith(f"{count} deals: every pack was shuffled by both houses")
        assert "The file stops before the end of the game" in found
    assert said(path, []) == "The file contains no deal, so nothing was checked."


def test_the_command_says_that_a_file_of_version_1_has_no_moves(tmp_path: Path) -> None:
    terms, secrets = Terms(GAME, 1, 52), [bytes([house]) * 32 for house in (1, 2)]
    packs = [tuple(earlier._card(terms, card) for card in range(52))]
    for number in range(earlier.PACKS):
        packs.append(earlier._pack(terms, secrets[number % 2], number, packs[-1]))
    deal = {
        "game": GAME.hex(),
        "number": 1,
        "cards": 52,
        "secrets": [one.hex() for one in secrets],
        "commitments": [sealed.commitment(one) for one in secrets],
        "packs": [b64encode(b"".join(pack)).decode() for pack in packs[1:]],
    }
    found = said(tmp_path / "far.jsonl", [deal])
    assert found == (
        "1 deals: every pack follows from the secrets of both houses. A file of version 1.0 has no "
        "moves, so the game was not checked."
    )
