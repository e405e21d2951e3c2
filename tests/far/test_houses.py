"""Two boards as people run them, `boardctl run --sim`, over a real Mosquitto with TLS: from an
invitation to a finished game, with power cuts of either board and of the broker."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardctl.commands import main
from boardctl.far import KEPT
from boardctl.storage.journal import read_sessions
from tests.far.boards import Boards
from tests.mqtt.broker import Mosquitto
from tests.mqtt.running import run
from tests.web.conftest import Daemon


@pytest.fixture
def boards(broker: Mosquitto, tmp_path: Path) -> Iterator[Boards]:
    both = Boards(broker, tmp_path)
    yield both
    both.end()


def agree(boards: Boards) -> None:
    states = [boards.state(board) for board in (0, 1)]
    assert states[0]["seats"] == states[1]["seats"] == ["Ann", "Bob"]
    assert [side["score"] for side in states[0]["sides"]] == [
        side["score"] for side in states[1]["sides"]
    ]
    assert states[0]["over"]
    assert states[1]["over"]


@pytest.mark.slow
def test_whoever_accepts_interrupts_no_game_at_the_other_table(boards: Boards) -> None:
    """Days may pass between an invitation and its answer. A person who was playing with a neighbour
    in the meantime used to lose that game in the middle of a deal."""
    words = boards.invite(target="31")["words"]
    for line in ("seat 1 Ann", "seat 2 Cleo", "dealer 1", "deal", "starter 5"):
        boards.submit(0, "/lines", 1, line=line)
    before = boards.state(0)
    assert before["seats"] == ["Ann", "Cleo"]
    boards.post(1, "/far/accept", words=" ".join(words), name="Bob", partner="")
    boards.until(lambda: boards.far(1)["game"], "they meet")
    boards.restart(0)
    assert boards.state(0)["seats"] == ["Ann", "Cleo"]
    assert boards.state(0)["moves"] == before["moves"]
    assert boards.submit(0, "/lines", 1, line="2 peg 1")["number"]
    assert boards.far(0)["game"] is None
    boards.until(lambda: any(house["offered"] for house in boards.far(0)["houses"]), "on the page")
    boards.press(0, "hold #", "8", "4", "#")
    boards.until(lambda: boards.state(0)["seats"] == ["Ann", "Bob"], "joined by keys")
    assert not boards.far(0)["houses"][0]["offered"]
    boards.play()
    agree(boards)
    boards.post(1, "/far/play", house=0)
    boards.until(lambda: boards.far(0)["houses"][0]["offered"], "offered")
    boards.submit(0, "/lines", 1, line="session Friday")
    assert boards.far(0)["game"] is None, "something else is on the table"
    assert boards.state(0)["telling"] == "hands", "people enter what they had chosen again"
    boards.cut_power(0)  # a start may begin an evening before it knows other houses
    kept = boards.daemons[0].data / KEPT
    stored = json.loads(kept.read_text())
    kept.write_text(json.dumps(stored | {"active": stored["ends"][0]}))
    boards.start(0)
    assert boards.far(0)["game"] is None


@pytest.mark.slow
def test_the_next_game_is_asked_for_and_joined_by_keys_alone(boards: Boards) -> None:
    """`#` at "Next game?" used to begin a game at one board alone, with nobody in the other seat.
    Only the page showed an offer."""
    boards.meet(target="31")
    boards.play()
    boards.restart(0)
    boards.press(0, "#")
    boards.until_displayed(0, "Bob is being")
    boards.until_displayed(1, "Ann wants to")
    assert all(boards.state(board)["over"] for board in (0, 1))
    boards.press(1, "#")
    boards.until(lambda: not any(boards.state(n)["over"] for n in (0, 1)), "begun")
    boards.play()
    agree(boards)


@pytest.mark.slow
def test_an_invitation_a_game_and_another(boards: Boards) -> None:
    boards.meet(target="31")
    boards.play()
    agree(boards)
    same_lines(boards)
    checked(boards)
    assert boards.post(1, "/far/play", house=0)["houses"][0]["offering"]
    boards.until(lambda: boards.far(0)["houses"][0]["offered"], "offered")
    boards.post(0, "/far/play", house=0)
    boards.until(lambda: boards.far(1)["game"]["due"], "begun")
    boards.play()
    agree(boards)


@pytest.mark.slow
def test_four_play_as_partners_two_in_each_house_and_see_only_their_own_hands(
    boards: Boards,
) -> None:
    """Four phones are used, two at each board."""
    boards.meet(("Cleo", "Dan"), target="31")
    for board, seats in ((0, [1, 3]), (1, [2, 4])):
        assert boards.far(board)["game"]["seats"] == seats
        assert boards.state(board)["seats"] == ["Ann", "Bob", "Cleo", "Dan"]
    boards.play_to("discard")
    hands = {seat: held(boards, seat) for seat in (1, 2, 3, 4)}
    assert [len(hand) for hand in hands.values()] == [5] * 4
    assert len(set.union(*map(set, hands.values()))) == 20
    for seat in hands:  # for another hand, the phone offers all cards that it has not seen
        for board in (0, 1):
            state = boards.state(board, seat)
            lines = [move["line"].split() for move in state["moves"]]
            offered = {int(line[0]): set(line[2:]) for line in lines if "hand" in line}
            assert offered == {
                one: set(hands[one]) if one == seat and (seat - 1) % 2 == board else {"?"}
                for one in hands
            }
    boards.play()
    for board in (0, 1):
        assert boards.state(board)["over"]
    assert boards.state(0)["sides"] == boards.state(1)["sides"]
    assert boards.post(1, "/far/play", house=0)["houses"][0]["offering"], "another, for four too"
    boards.until(lambda: boards.far(0)["houses"][0]["offered"], "offered")
    boards.post(0, "/far/play", house=0)
    boards.until(lambda: boards.far(1)["game"]["due"], "begun")
    assert boards.state(1)["seats"] == ["Ann", "Bob", "Cleo", "Dan"]


@pytest.mark.slow
def test_cards_are_drawn_from_a_stock_on_two_boards(boards: Boards) -> None:
    """They play a trick and two draws of Bezique; the second house has a power cut in between."""
    boards.meet(game="bezique")

    def verbs(board: int) -> list[str]:
        return [move["verb"] for move in boards.state(board)["moves"]]

    while verbs(0).count("draw") < 4:
        boards.play(1)
        if verbs(1).count("draw") == 2 and boards.far(1)["game"]["due"] != "dealing":
            boards.restart(1)
        boards.until(lambda: boards.far(0)["game"]["due"] != "dealing", "dealt")
    boards.until(lambda: verbs(0) == verbs(1), "both have the same lines")
    for board in (0, 1):
        drawn = [move["line"] for move in boards.state(board)["moves"] if move["verb"] == "draw"]
        own = [line for line in drawn if line.startswith(f"{board + 1} ")]
        assert len(own) == 2
        assert all(("?" in line) != (line in own) for line in drawn)


def held(boards: Boards, seat: int) -> list[str]:
    """Return the cards that a phone is offered to throw."""
    hands: list[list[str]] = []

    def dealt() -> bool:
        asks = boards.state((seat - 1) % 2, seat)["asks"]
        throws = [ask for ask in asks if (ask["code"], ask["seat"]) == ("discard", seat)]
        hands[:] = [ask["cards"] for ask in throws]
        return bool(hands) and len(hands[0]) == 5  # not a pack to choose from

    boards.until(dealt, "a hand")
    return hands[0]


def same_lines(boards: Boards) -> None:
    """Check that both journals have the same lines, except for cards that one house has not
    seen."""

    def lines(board: int) -> list[list[str]]:
        (*_, (_, entries)) = read_sessions(boards.daemons[board].data)
        return [entry.text.split() for entry in entries]

    boards.until(lambda: len(lines(0)) == len(lines(1)) > 20, "saved")
    one, two = lines(0), lines(1)
    for first, second in zip(one[1:], two[1:], strict=True):
        assert first[:2] == second[:2]
        pairs = zip(first, second, strict="show" not in first)
        assert all(a == b or "?" in (a, b) for a, b in pairs), (first, second)


def checked(boards: Boards) -> None:
    """Check that anybody can verify the deals, and that a changed one is found."""
    for daemon in boards.daemons:
        (path,) = daemon.data.glob("far-*.jsonl")
        done = CliRunner().invoke(main, ["sealed", "verify", "--far", str(path)])
        assert done.exit_code == 0, done.output
        assert "every pack was shuffled by both houses" in done.output
        entries = [json.loads(line) for line in path.read_text().splitlines()]
        entries[1]["packs"][1] = entries[0]["packs"][1]
        false = path.with_name("false.txt")
        false.write_text("".join(f"{json.dumps(one)}\n" for one in entries))
        done = CliRunner().invoke(main, ["sealed", "verify", "--far", str(false)])
        assert done.exit_code == 1
        assert "wrong-proof" in done.output
        false.write_text("{}")
        assert (
            "line 1 is not from a game between two houses"
            in CliRunner().invoke(main, ["sealed", "verify", "--far", str(false)]).output
        )


@pytest.mark.slow
def test_power_cuts_of_both_boards_and_of_the_broker(boards: Boards) -> None:
    boards.meet(target="31")
    for step in range(9):
        boards.play(3)
        if step % 3 == 2:
            boards.broker.kill()
            boards.broker.start()
        else:
            boards.restart(step % 3)
    boards.play()
    agree(boards)


@pytest.mark.slow
def test_a_whole_game_of_bezique_with_power_cuts(boards: Boards) -> None:
    """Cards are drawn and melded, and both boards and the broker have power cuts. Random players
    need a dozen deals to 1,000 points, about 2,000 lines. So both houses agree that each starts
    with 900."""
    boards.melds = True
    boards.meet(game="bezique")
    for board in (0, 1):
        boards.until(lambda: boards.far(0)["game"]["due"] != "dealing", "dealt")
        boards.agree_to(board, f"{board + 1} adjust +900")
    for step in range(6):
        boards.play(12)
        if step % 3 == 2:
            boards.broker.kill()
            boards.broker.start()
        else:
            boards.restart(step % 3)
    boards.play()
    agree(boards)
    assert max(side["score"] for side in boards.state(0)["sides"]) >= 1000
    same_lines(boards)
    verbs = {move["verb"] for move in boards.state(0)["moves"]}
    assert verbs >= {"draw", "play", "meld"}
    for daemon in boards.daemons:
        (path,) = daemon.data.glob("far-*.jsonl")
        done = CliRunner().invoke(main, ["sealed", "verify", "--far", str(path)])
        assert done.exit_code == 0, done.output
        assert done.output.endswith("The file contains the end of the game.\n")


@pytest.mark.slow
def test_a_house_without_power_is_missed_and_greeted_on_the_display(boards: Boards) -> None:
    boards.meet(target="31")
    boards.play_to("play")
    boards.cut_power(1)
    boards.until_displayed(0, "Bob is not")
    boards.start(1)
    boards.until_displayed(0, "Bob is connected")


@pytest.mark.slow
def test_an_onlooker_at_a_third_board_sees_the_game_to_its_end_and_never_a_hand(
    boards: Boards, broker: Mosquitto, tmp_path: Path
) -> None:
    def begin() -> Daemon:
        boards.daemons.append(run(broker, "three", tmp_path / "three"))
        return boards.daemons[-1]

    third = begin()

    def seen(path: str) -> dict[str, Any]:
        with third.client as client:
            answer: dict[str, Any] = client.get(path).raise_for_status().json()
            return answer

    def post(path: str, **body: object) -> dict[str, Any]:
        with third.client as client:
            answer: dict[str, Any] = client.post(path, json=body).json()
            return answer

    def level() -> bool:
        return bool(seen("/state")["sides"] == boards.state(0)["sides"])

    refused = boards.post(0, "/far/show")
    assert refused["refused"]["code"] == "far-nothing-on"
    boards.meet(target="31")
    boards.play(3)
    answer = boards.post(0, "/far/show")
    assert post("/far/accept", words=answer["link"], name="Cleo", partner="")["accepting"]
    boards.until(lambda: seen("/far")["looking"] == "Ann", "it looks on")
    boards.until(lambda: seen("/state")["session"] == "At Ann’s", "the game is on its table")
    assert boards.far(0)["onlookers"][0]["name"] == "Cleo"

    def refused_here() -> bool:
        answer = post("/lines", line="1 resign", expect=seen("/state")["number"])
        assert "number" not in answer, answer
        return bool(answer.get("refused", {}).get("code") == "far-looking")

    boards.until(refused_here, "refused, once no line of the game came between")
    boards.play(4)
    third.end(signal.SIGKILL)
    boards.play(4)
    third = begin()
    boards.play()
    boards.until(level, "the end is seen")
    ((_, entries),) = list(read_sessions(third.data))[-1:]
    lines = [entry.text.split() for entry in entries]
    hidden = [line for line in lines if {"hand", "discard"} & set(line)]
    assert hidden
    assert all(set(line[2:]) == {"?"} for line in hidden)
    assert boards.post(0, "/far/forget", onlooker=0)["onlookers"][0]["over"]
    boards.until(lambda: seen("/far")["looking"] is None, "it is ended")


@pytest.mark.slow
def test_an_invitation_is_accepted_by_keys_alone(boards: Boards) -> None:
    answer = boards.invite(target="31")
    boards.press(1, "hold #", "8", "4", *"".join(answer["numbers"]), "#")
    boards.until(lambda: all(boards.far(n)["game"] for n in (0, 1)), "they meet")
    assert boards.far(1)["game"]["name"] == "Ann"


@pytest.mark.slow
def test_what_needs_consent_is_asked_and_answered_by_keys(boards: Boards) -> None:
    """Undo and correction are also requested by keys, a misdeal and resignation by a line."""
    boards.meet(target="61")
    boards.play_to("play")
    boards.play(1)

    def lines() -> list[list[str]]:
        return [[move["verb"] for move in boards.state(board)["moves"]] for board in (0, 1)]

    def answered(key: str, *asking: str, line: str = "") -> None:
        boards.until(lambda: lines()[0] == lines()[1], "both have the same lines")
        if line:
            boards.submit(0, "/lines", line=line)
        else:
            boards.press(0, *asking)
        boards.until(lambda: boards.far(1)["game"]["asks"], "asked")
        assert boards.far(0)["game"]["asked"]
        boards.press(1, "hold #", "8", "4", key)
        boards.until(lambda: not boards.far(0)["game"]["asked"], "answered")

    def scores() -> list[list[int]]:
        return [[side["score"] for side in boards.state(board)["sides"]] for board in (0, 1)]

    boards.until(lambda: lines()[0][-1] == "play", "played")
    before, points = lines()[0], scores()[0]
    answered("B", "*", "#")
    assert lines() == [before, before], "refused"
    boards.until(lambda: boards.far(0)["game"]["declined"], "said so")
    assert boards.far(0)["game"]["declined"] == "Bob does not agree: take back the last move"
    assert boards.far(1)["game"]["declined"] is None
    boards.play(1)  # each house asks once per line
    boards.until(lambda: all(len(some) > len(before) for some in lines()), "played on")
    answered("A", "*", "#")
    boards.until(lambda: lines() == [before] * 2, "taken back in both houses")
    assert boards.far(0)["game"]["declined"] is None
    answered("A", "hold #", "9", "A", "7", "#")
    boards.until(lambda: scores() == [[7, points[1]]] * 2, "corrected in both houses")
    answered("A", line="misdeal")
    boards.until(lambda: all("misdeal" in some for some in lines()), "a misdeal in both houses")
    boards.play_to("play")
    answered("A", line="1 resign")
    boards.until(lambda: all(boards.far(n)["game"]["done"] for n in (0, 1)), "over in both")
    assert all(boards.state(n)["over"] for n in (0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("by", ["keypad", "page"])
def test_what_the_evening_before_left_goes_on_with_the_other_house(boards: Boards, by: str) -> None:
    """The game used to be restored as a game of this board alone, and its lines were not sent."""
    boards.meet(target="31")
    boards.play_to("discard")
    boards.play(2)
    _evening(boards, "session end")
    kept = boards.daemons[0].data / KEPT
    boards.until(lambda: json.loads(kept.read_text())["active"] is None, "on disk")
    boards.restart(0)
    assert "Bob" in boards.state(0)["unfinished"]
    if by == "keypad":
        boards.hold(0, "*", lambda: boards.far(0)["game"], "gone on with")
    else:
        answer = boards.submit(0, "/evening")
        assert answer["refused"]["message"] == "The game with Bob continues."
        boards.until(lambda: boards.far(0)["game"], "gone on with")
    boards.play()
    agree(boards)


@pytest.mark.slow
def test_the_computer_player_plays_for_nobody_of_another_houses_game(boards: Boards) -> None:
    """The computer player follows a person by name into the next game, so it used to throw and play
    for the Bob who was playing with another house."""
    for line in ("seat 1 Ann", "seat 2 Bob"):
        boards.submit(1, "/lines", line=line)
    assert _player(boards, 2)["seat"] == 2
    boards.meet(target="31")
    boards.play_to("discard")
    assert _player(boards)["seat"] == 0
    assert boards.state(1)["telling"] == "cards"
    assert _player(boards, 2)["refused"]["code"] == "far-busy"
    assert [move["verb"] for move in boards.state(1)["moves"]].count("discard") == 0
    boards.play()
    agree(boards)


def _player(boards: Boards, seat: int | None = None) -> dict[str, Any]:
    """Return the computer player of the second board, which was asked to take a seat before."""
    with boards.daemons[1].client as client:
        if seat is None:
            answer = client.get("/player?seat=2")
        else:
            answer = client.post("/player?seat=2", json={"seat": seat, "level": 5, "deals": False})
        found: dict[str, Any] = answer.json()
        return found


@pytest.mark.slow
def test_another_evening_puts_the_game_aside_and_it_is_gone_on_with(boards: Boards) -> None:
    boards.meet(target="31")
    boards.play(3)
    boards.until(lambda: boards.far(0)["game"]["due"] != "dealing", "settled")
    refused = boards.submit(0, "/table", game="noddy", players=["Ann", "Bob"])
    assert refused["refused"]["code"] == "far-busy"
    before = [line["line"] for line in boards.state(0)["moves"]]
    _evening(boards, "session tomorrow")
    assert boards.far(0)["game"] is None
    assert "deal" not in [line["line"] for line in boards.state(0)["moves"]]
    house = boards.post(0, "/far/play", house=0)["houses"][0]
    assert house["active"]
    assert [line["line"] for line in boards.state(0)["moves"]] == before
    boards.play()
    agree(boards)


def _evening(boards: Boards, line: str) -> None:
    """Begin another evening at the first board; a line of the other house may come before it."""

    def begins() -> bool:
        return "number" in boards.submit(0, "/lines", line=line)

    boards.until(begins, line)
