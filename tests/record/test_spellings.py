"""Cards, seats and names are accepted in the spellings that phones and keyboards produce."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from boardctl.commands import main
from boardctl.games import IllegalMove
from boardctl.games.cards import CARDS, Card, parse_card, parse_cards
from boardctl.record import notation
from boardctl.record.position import tally
from boardctl.record.record import Record

HEADS = ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 2", "deal", "starter 4H")
WHOLE_CARDS = dict(zip("SHDC", (0x1F0A0, 0x1F0B0, 0x1F0C0, 0x1F0D0), strict=True))


def spellings(card: Card) -> set[str]:
    """Return every usual spelling of a card."""
    assert card.rank is not None
    assert card.suit is not None
    letter, symbol = card.suit.letter, card.suit.symbol
    white = "♤♡♢♧"[card.suit]
    ranks = {card.rank.letter, card.rank.letter.lower(), *(("10",) if card.rank == 10 else ())}
    found = set()
    for rank in ranks:
        wide = "".join(chr(ord(each) + 0xFEE0) for each in rank)
        found |= {
            f"{rank}{letter}",
            f"{rank}{letter.lower()}",
            f"{letter}{rank}",
            f"{symbol}{rank}",
        }
        found |= {f"{rank}{symbol}{mark}" for mark in ("", "\ufe0e", "\ufe0f")}
        found |= {f"{rank}{white}", f"{symbol}\ufe0f{rank}", f"{wide}{symbol}"}
        found |= {f"{wide}{chr(ord(letter) + 0xFEE0)}"}
    place = card.rank + (card.rank > 11)
    return found | {chr(WHOLE_CARDS[letter] + place)}


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_is_read_in_every_usual_spelling(card: Card) -> None:
    for written in spellings(card):
        assert parse_card(written) == card, ascii(written)


@pytest.mark.parametrize(
    "line", ["1 show 5♥️, 5♠︎、JC TD", "１ ｓｈｏｗ 🂵🂥🃛 １０♦", "1 show ♥5 S5 CJ ♦️10"]
)
def test_a_line_of_a_phone_is_stored_in_the_notation(line: str) -> None:
    record = Record()
    for head in HEADS:
        record.read(head)
    report = record.read(line)
    assert report is not None
    assert notation.spell(report.move) == "1 show 5H 5S JC TD"


@given(st.text("0123456789AaTJKSHDC♠♥♦♣ ,?b\ufe0f５♡🂡🃏🂬", max_size=8))
def test_what_is_read_is_spelled_and_read_again(text: str) -> None:
    try:
        cards = tuple(parse_cards(text))
    except ValueError:
        return
    assert tuple(parse_cards(" ".join(map(str, cards)))) == cards


@pytest.mark.parametrize("wrong", ["🃏", "🂠", "🂬", "5X", "♥", "HH", "HS5", "11H", "5♥♥", "5♥5"])
def test_what_is_no_card_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        parse_card(wrong)
    assert str(refused.value) == wrong


def test_one_name_in_two_spellings_is_one_player() -> None:
    record = Record()
    for line in ("game cribbage", "seat 1 Zoë", "seat 2 Bob"):
        record.read(line)
    for other in ("zoë", "ZOË", "zOe\u0308"):
        with pytest.raises(IllegalMove) as refused:
            record.read(f"seat 2 {other}")
        assert refused.value.code == "name-taken"
    record.read("seat 1 Zoe\u0308")
    assert record.position.seats[1] == "Zoë"
    record.read("2 resign")
    for line in ("game cribbage", "seat 1 bob", "seat 2 ZOË", "1 resign"):
        record.read(line)
    assert record.position.tally.people == {"ZOË": 2, "bob": 0}
    assert record.position.tally.won == (0, 2)


def test_stored_names_that_differ_in_capitals_still_sit_together() -> None:
    record = Record()
    for line in ("game cribbage", "seat 1 Ann", "seat 2 ann", "dealer 1"):
        assert record.resume(line) is None
    assert dict(record.position.seats) == {1: "Ann", 2: "ann"}
    assert tally((), (), ()).people == {}


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200f"])
def test_a_name_has_no_marks_of_direction(mark: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        notation.parse(f"seat 1 An{mark}n")
    assert refused.value.fields["at"] == f"U+{ord(mark):04X}"


@pytest.mark.parametrize(
    "words",
    [
        ["score", "5♥️", "５Ｓ", "♦5", "🃛", "--starter", "♣️5"],
        ["score", "5♥,5♠,5♦,J♣", "--starter", "🃕"],
        ["discard", "--dealer", "5♥️,6♠", "7♦️", "8♣", "Ｊ♥", "♠Q"],
        ["games", "Cribbage"],
    ],
)
def test_commands_take_the_same_spellings(words: list[str]) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output


def test_keys_are_read_in_full_width(tmp_path: Path) -> None:
    keys = tmp_path / "keys.txt"
    keys.write_text("＃ ２ ＃\n", "utf-8")
    done = CliRunner().invoke(main, ["simulate", str(keys), "--json"])
    assert [json.loads(line)["key"] for line in done.output.splitlines()] == ["#", "2", "#"]
