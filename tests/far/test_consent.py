"""The questions between two houses, and that an answer belongs to its question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardctl.far import game_file, sentences
from boardctl.far.game import FarGame
from boardctl.far.game_log import Question
from boardctl.far.peers import Greeting, House
from boardctl.games import IllegalMove
from boardctl.record import notation
from tests.far.houses import Houses, compute, consent, refused
from tests.far.test_keypad import Table
from tests.far.test_session import Pair


def ask(side: FarGame, line: str, number: int | None = None) -> None:
    """Let a side receive a question invented by the other house."""
    side.receive({"t": "ask", "n": len(side.lines) if number is None else number, "line": line})
    compute(side)


def playing(seed: int = 2, turns: int = 2) -> Houses:
    """Return two houses in the play, after this many cards."""
    houses = Houses(Random(seed))
    houses.until("play")
    for _ in range(turns):
        assert houses.turn()
    return houses


def closed(seed: int = 2) -> Houses:
    """Return two houses between two deals: the first was opened, the second has not begun."""
    houses = Houses(Random(seed))
    while houses.one.position.situation.phase != "show" or houses.one.deal is not None:
        assert houses.turn()
        if houses.one.deal is None:
            break
    assert houses.one.deal is None
    assert houses.two.deal is None
    return houses


def code(side: FarGame) -> str | None:
    return None if side.stop is None else side.stop.code


def test_an_answer_to_another_question_than_the_one_asked_grants_nothing() -> None:
    houses = playing()
    two = houses.two
    ask(two, "undo")
    read = two.question
    assert read is not None
    two.question = Question(read.number, "1 adjust +30")
    for wrong in (read, Question(read.number + 1, "1 adjust +30"), Question(0, "")):
        with pytest.raises(IllegalMove, match="far-other-question"):
            two.answer(wrong, True)
    assert two.granted is None
    assert not any(message["t"] == "answer" for message in two.out)


def test_a_question_cannot_be_exchanged_for_another_at_the_same_line() -> None:
    two = playing().two
    ask(two, "undo")
    ask(two, "1 adjust +30")
    assert code(two) == "bad-question"
    assert two.question is None


def test_a_question_that_was_declined_cannot_be_asked_again_at_that_line() -> None:
    houses = playing()
    other = houses.sides[2 - houses.sides[(houses.one.turn() - 1) % 2].party]
    assert refused(other, "undo") == "far-asked"
    houses.deliver()
    asked = houses.sides[2 - other.party]
    consent(asked, yes=False)
    houses.deliver()
    assert other.declined is not None
    assert refused(other, "undo") == "far-asked-once"
    kept = game_file.from_json(
        json.loads(json.dumps(game_file.to_json(asked))), Random(3).randbytes
    )
    ask(kept, "undo")
    assert code(kept) == "bad-question"
    assert houses.turn()
    assert refused(other, "undo") == "far-asked", "after the next line it can be asked again"


@pytest.mark.parametrize("steps", [3, 6, 7, 8, 9, 30, 10_000])
def test_an_undo_reaches_neither_the_deal_nor_the_beginning(steps: int) -> None:
    two = playing().two
    ask(two, f"undo {steps}")
    assert code(two) in ("bad-question", "rejected", "malformed")
    assert two.question is None


@pytest.mark.parametrize("steps", [1, 2, 3, 10, 20, 40])
def test_an_undo_reaches_into_no_deal_that_was_opened(steps: int) -> None:
    houses = closed()
    line = "undo" if steps == 1 else f"undo {steps}"
    assert refused(houses.one, line) == "far-opened"
    ask(houses.two, line)
    assert houses.two.question is None
    assert code(houses.two) in ("bad-question", "rejected")


def test_no_card_line_is_taken_while_there_is_no_deal() -> None:
    """Such a line would name cards that nobody can check."""
    for line in ("1 discard 5s 5h", "1 play 5s", "1 hand 5s 5h 5c Jd 2c 3c"):
        houses = closed()
        two = houses.two
        move = notation.parse_move(line, two.position.game)
        two._check_turn = lambda move: None  # type: ignore[method-assign]  # as if it were due
        message = {"t": "line", "n": len(two.lines), "line": two._public(move), "places": []}
        two.receive({**message, "keys": {}, "shares": "", "chain": "", "scores": []})
        compute(two)
        assert code(two) == "out-of-turn", line
        with pytest.raises(IllegalMove, match=r"far-(waits|cards)"):
            houses.one.check(move, 1)


def test_another_house_cannot_write_hints_into_the_record() -> None:
    houses = playing()
    due = houses.sides[(houses.one.turn() - 1) % 2]
    other = houses.sides[2 - due.party]
    count = len(other.lines)
    line = f"{due.party} hint"
    other.receive({"t": "line", "n": count, "line": line, "places": [], "keys": {}, "shares": "",
                   "chain": "", "scores": []})  # fmt: skip
    assert code(other) == "out-of-turn"
    assert len(other.lines) == count
    assert refused(due, line) == "far-cards"


def test_a_question_says_how_many_lines_it_takes_back() -> None:
    houses = playing(turns=4)
    pair = Pair(5)
    session = pair.ends[1]
    session.game, session.name = houses.two, "Ann"
    house = House(session, Greeting("x"))
    ask(houses.two, "undo 2" if houses.two.in_effect[-2].by else "undo 3")
    question = houses.two.question
    assert question is not None
    count = question.line.split()[1]
    assert sentences.question(house, "en") == f"Ann asks: take back the last {count} lines"
    assert count in (sentences.question(house, "ja") or "")
    found = sentences.game(house, "en") or {}
    assert found["question"] == {"number": question.number, "line": question.line}


def test_every_undo_that_a_house_may_ask_for_is_taken_by_the_other() -> None:
    """The limits are the same at both ends, so no honest house is accused."""
    asked = set[str]()
    for seed in range(6):
        houses = Houses(Random(seed))
        chance = Random(seed)
        for _ in range(60):
            for side in chance.sample(houses.sides, 2):
                line = f"undo {chance.randint(1, 4)}"
                move = notation.parse_move(line, side.position.game)
                try:
                    side.check(move, None)
                except IllegalMove as error:
                    if error.code == "far-asked":
                        asked.add(line)
            houses.deliver()
            assert not houses.is_stopped, [side.stop for side in houses.sides]
            for side in houses.sides:
                if side.question is not None:
                    consent(side, chance.random() < 0.3)
            houses.deliver()
            if not houses.turn():
                break
    assert len(asked) > 1


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.board.close()


class Answered:
    """The keypad's answers."""

    def __init__(self, table: Table) -> None:
        self.answers: list[tuple[Any, ...]] = []
        table.house.answer = self._answer
        table.far.open = lambda: table.house

    def _answer(self, number: int, line: str, yes: bool) -> None:
        if number < 0:
            raise IllegalMove("far-other-question")
        self.answers.append((number, line, yes))


def menu(table: Table, *keys: str) -> None:
    table.board.press("#", True)
    table.clock.run(2)
    table.board.press("#", False)
    table.clock.run(0.3)
    for key in keys:
        table.press(key)


def test_the_keypad_answers_the_question_that_the_display_has_shown(table: Table) -> None:
    answered = Answered(table)
    table.hear(asks=Question(7, "undo"))
    menu(table, "8", "4")
    table.hear(asks=Question(8, "1 adjust +30"))  # while the answer is being typed
    table.press("A")
    assert answered.answers == [(7, "undo", True)]
    menu(table, "8", "4", "A")
    assert answered.answers[1:] == [(8, "1 adjust +30", True)], "now it has been shown"


def test_the_keypad_answers_no_question_that_was_never_shown(table: Table) -> None:
    answered = Answered(table)
    menu(table, "8", "4")
    table.hear(asks=Question(8, "1 adjust +30"))
    table.press("A")
    assert answered.answers == []
    assert " ".join(table.board.controller.announced).startswith("Bob asks"), "now it is shown"
    menu(table, "8", "4", "A")
    assert answered.answers == [(8, "1 adjust +30", True)]
