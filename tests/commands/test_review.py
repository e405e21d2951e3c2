"""`boardctl review`: the cost of throws and luck, from the current record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardctl.bot import advice
from boardctl.commands import main
from boardctl.games.cards import Card, parse_card, parse_cards
from boardctl.games.cribbage import show
from boardctl.storage.journal import AtOnce, Journal
from boardctl.table import Table
from tests.tables import submit

DEAL = """\
game cribbage
seat 1 Ann
seat 2 Bob
dealer 1
deal
1 hand 8H AS AH 2D TC 9C
2 hand 8D JH JC JS 8S QS
1 discard AH 2D
2 discard 8S QS
starter 9H
"""
PLAYED = ("2 play 8D", "1 play 8H", "2 play JH", "1 play AS", "2 play JS", "1 play TC")
ANN = list(parse_cards("8H AS AH 2D TC 9C"))
BOB = list(parse_cards("8D JH JC JS 8S QS"))


def review(tmp_path: Path, record: str) -> tuple[list[Any], list[Any]]:
    """Return the reported throws and players."""
    path = tmp_path / "game.txt"
    path.write_text(record)
    result = CliRunner().invoke(main, ["review", str(path), "--json"])
    assert result.exit_code == 0, result.output
    found = [json.loads(line) for line in result.output.splitlines()]
    return [t for t in found if "throw" in t], [t for t in found if "throws" in t]


def thrown(six: list[Card], cards: str, *, dealer: bool) -> tuple[advice.Throw, advice.Throw]:
    """Return the actual throw, and the best."""
    found = advice.throws(six, dealer=dealer)
    return next(t for t in found if set(t.cards) == set(parse_cards(cards))), found[0]


def points(cards: str, *, crib: bool = False) -> int:
    hand = list(parse_cards(cards))
    return sum(item.points for item in show.count(hand, parse_card("9H"), crib=crib))


def test_cost_and_luck(tmp_path: Path) -> None:
    (bob, ann), players = review(tmp_path, DEAL)
    made, best = thrown(BOB, "8S QS", dealer=False)
    crib = points("AH 2D 8S QS", crib=True)
    assert (bob["player"], bob["role"], bob["game"], bob["deal"]) == ("Bob", "pone", 1, 1)
    assert bob["cost"] == pytest.approx(best.value - made.value, abs=1e-5)
    assert bob["hand_luck"] == pytest.approx(points("8D JH JC JS") - made.hand, abs=1e-5)
    assert bob["crib_luck"] == pytest.approx(made.crib - crib, abs=1e-5)
    made, best = thrown(ANN, "AH 2D", dealer=True)
    assert ann["cost"] == pytest.approx(best.value - made.value, abs=1e-5)
    assert ann["crib_luck"] == pytest.approx(crib - made.crib, abs=1e-5)
    assert [p["player"] for p in players] == ["Bob", "Ann"]
    assert players[1]["luck"] == pytest.approx(ann["hand_luck"] + ann["crib_luck"], abs=1e-5)


def test_a_throw_face_down_follows_from_the_play(tmp_path: Path) -> None:
    hidden = DEAL.replace("1 discard AH 2D", "1 discard ? ?").replace(
        "2 discard 8S QS", "2 discard ? ?"
    )
    assert review(tmp_path, hidden) == ([], [])
    lines = (*PLAYED, "2 play JC", "1 play 9C")
    throws, _ = review(tmp_path, hidden + "\n".join(lines) + "\n")
    assert [t["throw"] for t in throws] == [["8S", "QS"], ["AH", "2D"]]


def test_what_is_taken_back_is_not_judged(tmp_path: Path) -> None:
    record = DEAL.replace("starter 9H\n", "undo\n2 discard 8D 8S\n")
    (bob, ann), players = review(tmp_path, record)
    assert bob["throw"] == ["8D", "8S"]
    assert ann["hand_luck"] is ann["luck"] is None
    assert players[0]["luck"] is None


def test_deals_are_numbered_and_misdeals_are_none(tmp_path: Path) -> None:
    void = "deal\n1 hand 2S 3S 4S 5S 6S 7S\n1 discard 2S 3S\nmisdeal\n"
    bob, ann = points("8D JH JC JS"), points("8H AS TC 9C")
    first = f"2 peg 1 go\n2 peg {bob} hand\n1 peg 8 show\n"
    second = f"1 peg 1 go\n1 peg {ann} hand\n2 peg 8 show\n"
    deal = DEAL[DEAL.index("deal\n") :]
    record = DEAL.replace("deal\n", void + "deal\n", 1) + first + void + deal + second + deal
    throws, _ = review(tmp_path, record)
    assert [(t["deal"], t["player"], t["role"]) for t in throws] == [
        (1, "Bob", "pone"),
        (1, "Ann", "dealer"),
        (2, "Ann", "pone"),
        (2, "Bob", "dealer"),
        (3, "Bob", "pone"),
        (3, "Ann", "dealer"),
    ]


@pytest.mark.parametrize("flush", ["five_only", "as_hand"])
def test_a_crib_told_card_by_card_is_luck_too(tmp_path: Path, flush: str) -> None:
    record = DEAL.replace("deal\n", f"set crib_flush {flush}\ndeal\n", 1)
    record = record.replace("1 hand 8H AS AH 2D TC 9C\n", "").replace("1 discard AH 2D\n", "")
    crib = points("2S 4S 8S QS", crib=True) + (4 if flush == "as_hand" else 0)
    record += f"2 peg 1 go\n2 peg {points('8D JH JC JS')} hand\n1 peg 6 hand\n"
    throws, _ = review(tmp_path, record)
    assert [t["crib_luck"] for t in throws] == [None]
    ((bob,), _) = review(tmp_path, record + "1 crib 2S 4S 8S QS\n")
    made, _ = thrown(BOB, "8S QS", dealer=False)
    assert bob["crib_luck"] == pytest.approx(made.crib - crib, abs=1e-5)


@pytest.mark.parametrize("flush", ["five_only", "as_hand"])
def test_a_flush_of_the_hand_is_luck(tmp_path: Path, flush: str) -> None:
    record = DEAL.replace("deal\n", f"set crib_flush {flush}\ndeal\n", 1)
    record = record.replace("2 hand 8D JH JC JS 8S QS", "2 hand 8D 4D KD 5D 8S QS")
    ((bob, _), _) = review(tmp_path, record)
    made, _ = thrown(list(parse_cards("8D 4D KD 5D 8S QS")), "8S QS", dealer=False)
    assert points("8D 4D KD 5D") == 4 + 2
    assert bob["hand_luck"] == pytest.approx(6 - made.hand, abs=1e-5)


def test_only_six_known_cards_are_judged(tmp_path: Path) -> None:
    record = DEAL.replace("2 hand 8D JH JC JS 8S QS", "2 hand 8D JH JC JS 8S ?")
    throws, _ = review(tmp_path, record.replace("2 discard 8S QS", "2 discard 8S ?"))
    assert [t["player"] for t in throws] == ["Ann"]
    record = DEAL.replace("2 hand 8D JH JC JS 8S QS", "2 hand 8D JH JC JS 8S")
    throws, _ = review(tmp_path, record.replace("2 discard 8S QS", "2 discard 8S ?"))
    assert [t["player"] for t in throws] == ["Ann"]


def test_luck_needs_a_starter_with_its_suit(tmp_path: Path) -> None:
    throws, _ = review(tmp_path, DEAL.replace("starter 9H", "starter 9"))
    assert [(t["hand_luck"], t["crib_luck"]) for t in throws] == [(None, None), (None, None)]


def test_games_are_numbered_through_evenings(tmp_path: Path) -> None:
    throws, _ = review(tmp_path, f"session Monday\n{DEAL}session end\nsession Tuesday\n{DEAL}")
    assert [(t["game"], t["deal"]) for t in throws] == [(1, 1), (1, 1), (2, 1), (2, 1)]


def test_a_game_of_the_journal_is_named_by_its_number_there(tmp_path: Path) -> None:
    """The sentences do so; the JSON counts the games in the reviewed input."""
    journal = Journal(tmp_path, AtOnce())
    table = Table(journal, now=lambda: 1e9)
    for line in ("session friday", *(*DEAL.splitlines(), "abandon") * 2):
        submit(table, line, "test")
    journal.close()
    asked = ["review", "2", "--data", str(tmp_path)]
    for more in ((), ("--throws",)):
        told = CliRunner().invoke(main, [*asked, *more]).output
        assert "game 2 deal 1: Bob" in told
        assert "game 1" not in told
    first, *_ = CliRunner().invoke(main, [*asked, "--json"]).output.splitlines()
    assert json.loads(first)["game"] == 1
    every = CliRunner().invoke(main, ["review", "all", "--data", str(tmp_path)]).output
    assert [f"game {number} deal 1: Bob" in every for number in (1, 2, 3)] == [True, True, False]


def test_for_people(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(DEAL)
    lines = CliRunner().invoke(main, ["review", str(path)]).output.splitlines()
    assert lines[0].startswith("game 1 deal 1: Bob (non-dealer) threw 8S QS")
    assert lines[3].startswith("Ann: 1 throw cost 1.")


@pytest.mark.parametrize("game", ["cribbage", "five-card-cribbage"])
def test_where_nothing_is_known_it_says_so(tmp_path: Path, game: str) -> None:
    path = tmp_path / "game.txt"
    path.write_text(f"game {game}\nseat 1 Ann\nseat 2 Bob\n1 peg 8\n")
    result = CliRunner().invoke(main, ["review", str(path)])
    assert result.exit_code == 0
    assert "No throw can be judged: no game of two-handed six-card" in result.output


@pytest.mark.parametrize(
    ("record", "names"),
    [(DEAL + "starter 9H\n", "line 11: "), (DEAL + "nonsense\n", "line 11: ")],
)
def test_a_refused_line_is_named(tmp_path: Path, record: str, names: str) -> None:
    path = tmp_path / "game.txt"
    path.write_text(record)
    result = CliRunner().invoke(main, ["review", str(path)])
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: {names}")
    assert result.output.count("\n") == 1


def test_a_game_of_the_journal_that_is_not_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["review", "3", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert result.output.count("\n") == 1


def test_a_file_that_is_not_there() -> None:
    result = CliRunner().invoke(main, ["review", "no-such-file.txt"])
    assert result.exit_code == 1
    assert "no-such-file.txt: cannot be read" in result.output
