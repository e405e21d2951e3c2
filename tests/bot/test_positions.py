"""Any position: the player's own judgement, checked by the referee, or one sentence if it is
invalid."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import pytest
from click.testing import CliRunner

from boardctl.bot.cribbage import Player
from boardctl.bot.pending_decision import reply
from boardctl.bot.positions import answer
from boardctl.bot.tables import DEALER, PONE
from boardctl.commands import main
from boardctl.games.cards import CARDS, parse_cards

HAND = "5H 6S 7D 8C JH QS"
PLAY = {"hand": HAND, "thrown": "JH QS", "starter": "2C"}


@pytest.mark.parametrize("deals", [True, False])
@pytest.mark.parametrize("score", [(0, 0), (115, 110), (60, 118)])
def test_throws_are_those_of_the_strongest_level(deals: bool, score: tuple[int, int]) -> None:
    found = answer({"hand": HAND, "deals": deals, "score": list(score)})
    assert (found["kind"], len(found["choices"])) == ("throw", 15)
    wins = [choice["win"] for choice in found["choices"]]
    assert wins == sorted(wins, reverse=True)
    six = [CARDS.index(card) for card in parse_cards(HAND)]
    best = Player(5, 1).throw(six, DEALER if deals else PONE, *score, "x")
    named = {str(CARDS[card]) for card in best}
    assert named in [
        set(choice["cards"]) for choice in found["choices"] if choice["win"] == wins[0]
    ]
    assert all(0 <= choice["half"] < 0.01 for choice in found["choices"])


@pytest.mark.parametrize(("deals", "played"), [(True, "9S"), (False, ""), (False, "6S 9D 7D 9C")])
def test_cards_and_the_others_likely_hands(deals: bool, played: str) -> None:
    found = answer({**PLAY, "deals": deals, "played": played})
    assert found["kind"] == "play"
    mine = {"5H", "6S", "7D", "8C"} - set(played.split())
    assert {choice["cards"][0] for choice in found["choices"]} <= mine
    shares = [one["share"] for one in found["likely"]]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1
    left = 4 - len([card for card in played.split() if card not in HAND])
    assert {len(one["ranks"].split()) for one in found["likely"]} == {left}


@pytest.mark.parametrize(
    ("hand", "thrown", "played", "choices"),
    [
        ("3D 5H 5C 7D TS KD", "3D 5H", "KD 8H 5C 4C", {"7D", "TS"}),  # both have said go
        ("KD 3S 2C AS 5H 6H", "5H 6H", "KD 9H 3S", {"2C", "AS"}),  # the opponent has
        ("KD 3S 2C AS 5H 6H", "5H 6H", "KD 9H", {"3S", "2C", "AS"}),
        ("KD 3S 2C TS 5H 6H", "5H 6H", "KD JH 3S", {"2C"}),
    ],
)
def test_gos_are_implied(hand: str, thrown: str, played: str, choices: set[str]) -> None:
    """This includes the last card: it is the player's turn, so a player who could not play has said
    go."""
    found = {"hand": hand, "thrown": thrown, "starter": "QC", "played": played}
    assert {one["cards"][0] for one in answer(found)["choices"]} == choices


def test_a_shorter_game_is_a_long_one_that_began_later() -> None:
    short = answer({"hand": HAND, "score": [52, 49], "target": 61})
    assert short == answer({"hand": HAND, "score": [112, 109]})


def test_a_sure_card_wins_for_sure() -> None:
    found = answer({**PLAY, "deals": True, "score": [119, 110], "played": "9S"})
    best = found["choices"][0]
    assert (best["cards"], best["win"], best["half"], best["points"]) == (["6S"], 1, 0, 2)


def test_five_cards_are_judged_by_points() -> None:
    found = answer({"hand": "5H 6S 7D 8C JH", "five": True, "target": 61})
    assert len(found["choices"]) == 10
    assert all("win" not in choice and choice["hand"] > 0 for choice in found["choices"])


BAD: dict[str, dict[str, Any]] = {
    "twice": {"hand": "5H 6S 7D 8C JH 5H"},
    "few": {"hand": "5H 6S"},
    "letters": {"hand": "5H 6S 7D 8C JH XX"},
    "rank alone": {"hand": "5H 6S 7D 8C JH Q"},
    "unseen": {"hand": "5H 6S 7D 8C JH ?"},
    "score": {"hand": HAND, "score": [121, 0]},
    "scores": {"hand": HAND, "score": [1, 2, 3]},
    "target": {"hand": HAND, "target": 5},
    "starter": {**PLAY, "starter": "JH"},
    "turn": {**PLAY, "played": "9S"},
    "theirs": {**PLAY, "played": "6S"},
    "own": {**PLAY, "deals": True, "played": "5H 6S"},
    "key": {"hand": HAND, "nothing": 1},
    "thrown": {**PLAY, "thrown": "2D 3C"},
    "played what was thrown": {**PLAY, "deals": True, "played": "9S JH"},
    "played twice": {**PLAY, "deals": True, "played": "9S 5H 4S 5H"},
    "no starter": {**PLAY, "starter": ""},
    "two starters": {**PLAY, "starter": "2C 3C"},
    "starter before the throw": {"hand": HAND, "starter": "2C"},
    "played before the throw": {"hand": HAND, "played": "9S"},
    "past 31": {**PLAY, "deals": True, "played": "TS 8C TH 6S"},
}


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", sorted(BAD))
def test_what_is_no_position_gets_one_sentence(name: str, language: str) -> None:
    found = answer(BAD[name], language)
    assert list(found) == ["error"]
    assert found["error"].endswith(("." if language == "en" else "。", "）"))
    assert not re.search("Me|Other|[“「]starter", found["error"]), (
        "nobody's names, no line of the notation"
    )


def test_a_card_without_a_suit_is_named() -> None:
    assert "“Q” is not enough" in answer({"hand": "5H 6S 7D 8C JH Q"})["error"]
    assert "“2” is not enough" in answer({**PLAY, "starter": "2"})["error"]


KLABERJASS: Final = (
    "game klaberjass", "seat 1 Ann", "seat 2 Bob", "start 400 300", "dealer 2", "deal",
    "1 hand KH QH 7S 8S 9S AC", "turnup TH",
)  # fmt: skip


def judged(*lines: str, seat: int | None = None, language: str = "en") -> dict[str, Any]:
    """Return the answer to a request of the page for lines of a game."""
    asked = {"record": lines, "seat": seat, "language": language}
    found: dict[str, Any] = json.loads(reply((), json.dumps(asked).encode())[1])
    return found


def test_a_decision_at_the_end_of_a_record() -> None:
    found = judged(*KLABERJASS)
    assert (found["kind"], found["seat"]) == ("lines", 1)
    assert {one["line"] for one in found["choices"]} == {"1 bid take", "1 bid pass"}
    best, other = found["choices"]
    assert best["win"] > other["win"]
    assert {"1 bid take": "You take it", "1 bid pass": "You pass"}[best["line"]] == best["said"]
    found = judged("game cribbage", "seat 1 A", "seat 2 B", "dealer 1", "deal", f"1 hand {HAND}")
    assert found == answer({"hand": HAND, "deals": True, "score": [0, 0]})


def test_a_record_that_cannot_be_judged() -> None:
    seats = ["game noddy", "seat 1 Ann", "seat 2 Bob"]
    assert judged(*seats, "1 plya 5H")["error"].startswith("Line 4: “1 plya 5H”")
    for lines in ((), seats, KLABERJASS[:-1]):
        assert judged(*lines)["error"].startswith("The lines must end just before a decision")
    both = ["dealer 2", "deal", "1 hand 5H 6S 7D 8C JH QS", "2 hand 5C 6C 7C 8D 9D TD"]
    both = ["game cribbage", *seats[1:], *both]
    assert judged(*both)["error"] == "Several players decide now: choose seat 1 2."
    assert judged(*both, language="ja")["error"].endswith("1 2。")
    assert judged(*both, seat=2)["kind"] == "throw"


def test_the_command() -> None:
    done = CliRunner().invoke(main, ["analyse", *HAND.split(), "--score", "30", "40", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == answer({"hand": HAND, "score": [30, 40]})
    found = ["--deals", "--thrown", "JH QS", "--starter", "2C", "--played", "9S"]
    done = CliRunner().invoke(main, ["analyse", *HAND.split(), *found])
    assert done.stdout.startswith("6S, wins ")
    assert "the opponent holds" in done.stdout
    done = CliRunner().invoke(main, ["analyse", "game.txt", "--seat", "2"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "--seat chooses a player" in done.stderr
    assert "“game.txt” is not a file" in done.stderr
    done = CliRunner().invoke(main, ["analyse", "5H"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
