"""A board that hears a phrase: its entry, its question, or its answer.

As a program it serves another version of the board: with that version's checkout on `PYTHONPATH`,
each line of input is JSON (a situation, and a file of samples), and each line of output is the
outcome. This file therefore does not import anything from `tools`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardctl.console.settings import TableSettings
from boardctl.games import Move, Telling
from boardctl.record import notation
from boardctl.speech import recogniser, rescoring
from boardctl.speech.hearing import Grammar, Guess, Meaning
from boardctl.speech.listening import Answer
from tests.speech.test_hearing import Talk
from tests.tables import keyed, submit

SITUATIONS: Final[dict[str, tuple[Telling, tuple[str, ...]]]] = {
    "hands": ("hands", ("starter 5",)),
    "start": ("hands", ()),
    "cards": ("cards", ("starter 5", "2 play T", "1 play 7")),
    "question": ("hands", ("starter 5",)),
    "sure": ("hands", ("starter 5",)),
}
"""Cribbage between Ann and Bob: the level of entry, and the lines so far."""
ASKED: Final = {
    "question": (Meaning(Move("peg", 1, numbers=(5,))), Meaning(Move("peg", 1, numbers=(9,)))),
    "sure": (Meaning(Move("peg", 1, numbers=(5,))),),
}
"""The board's pending question."""


class Became(NamedTuple):
    """The outcome of a phrase; moves are lines of the notation."""

    did: tuple[str, str] | None = None
    """The move that the board carried out and the question that it answered, each empty if there is
    none; None if it did nothing."""
    asked: tuple[str, ...] = ()
    """The moves between which it asked."""
    changed: bool = False
    """Whether the record has changed."""


class Board:
    """One board in a situation, for one phrase."""

    def __init__(self, situation: str, folder: Path) -> None:
        telling, lines = SITUATIONS[situation]
        self._table = keyed(folder, TableSettings(telling=telling))
        table = self._table.__enter__()
        for line in ("dealer 1", "deal", *lines):
            submit(table.table, line, "test")
        self.talk = Talk(table)
        self._listening: Any = self.talk.listening
        self._listening._offered = ASKED.get(situation, ())
        self.grammar = Grammar(table.controller.view, only=self._listening._offered)

    def close(self) -> None:
        """Close the board."""
        self._table.__exit__(None, None, None)

    def hear(self, answer: Answer) -> Became:
        """Hold the key, and let the recogniser answer."""
        did: list[Meaning] = []
        asked: list[tuple[Meaning, ...]] = []
        listening, table = self._listening, self.talk.table
        before = table.table.record.moves
        do, ask_back = listening._do, listening._ask_back

        def doing(said: Meaning) -> None:
            did.append(said)
            do(said)

        def asking(meanings: tuple[Meaning, ...]) -> None:
            asked.append(meanings)
            ask_back(meanings)

        listening._do, listening._ask_back = doing, asking
        self.talk.hold(True)
        self.talk.hold(False)
        self.talk.microphone.answers[-1](answer)
        table.clock.run(0.1)
        if did:
            line = "" if did[0].move is None else notation.spell(did[0].move)
            return Became((line, did[0].answer), (), table.table.record.moves != before)
        lines = [notation.spell(one.move) for one in sum(asked, ()) if one.move is not None]
        return Became(None, tuple(lines), table.table.record.moves != before)


def becomes(situation: str, guesses: Iterable[Sequence[Any]], clear: bool, judged: bool) -> Became:
    """Return a board's outcome for some guesses."""
    with tempfile.TemporaryDirectory() as folder:
        board = Board(situation, Path(folder))
        try:
            return board.hear(Answer(tuple(Guess(*one) for one in guesses), clear, judged))
        finally:
            board.close()


def _heard(machine: Any, second: Any, task: Any, audio: bytes) -> list[Any]:
    """Return guesses, from this version or from one that does not have `recogniser.hear`."""
    if hasattr(recogniser, "hear"):
        return list(recogniser.hear(machine, second, task, audio))
    expected = (task["phrases"], task["hands"], task["sets"], audio, task["ranks"])
    found: Any = recogniser.guesses(machine, *expected, best=rescoring.BEST)  # type: ignore[attr-defined]
    return list(second.judge(audio, found))


def main() -> None:
    """Hear the file of each line of input."""
    folder = rescoring.model()
    if folder is None:
        sys.exit("the second recogniser is not installed: pip install boardctl[hearing]")
    machine, second = recogniser.decoder(), rescoring.Rescorer(folder)
    for line in sys.stdin:
        task = json.loads(line)
        audio = Path(task["path"]).read_bytes()
        with tempfile.TemporaryDirectory() as home:
            board = Board(task["situation"], Path(home))
            expected = board.grammar.task()
            board.close()
        guesses = _heard(machine, second, expected, audio)
        clear = recogniser.is_clear(audio)
        try:
            became = becomes(task["situation"], guesses, clear, True)
        except IndexError:  # versions before 2026-11-28 failed if two questions were close
            became = Became()
        sys.stdout.write(json.dumps([[list(one) for one in guesses], clear, became]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
