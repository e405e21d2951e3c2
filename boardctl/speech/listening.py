"""Listening for a spoken move while a key is held (`[voice] listen = "key"`).

A recogniser process runs for one phrase, so no process runs while nobody is speaking. A move that
was understood is submitted and read back like any other; "take that back" undoes it.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, Protocol

from boardctl import text
from boardctl.console.table_controller import TableController
from boardctl.drivers.ports import KeyEvent
from boardctl.games import IllegalMove
from boardctl.speech.hearing import Grammar, Guess, Meaning
from boardctl.speech.voice import Voice
from boardctl.text import spoken

_log: Final = logging.getLogger(__name__)
KEY: Final = "talk"
PATIENCE: Final = 10.0
"""Seconds within which the recogniser must answer after the key is released."""
EXAMPLES: Final = 2
"""The number of phrases given as examples."""
AT_ONCE: Final = 4
"""The maximum number of answers offered at once about a hand's suits. With more answers, the board
asks in two steps."""
LONGEST: Final = 15.0
"""Seconds after which a phrase ends automatically, because a switch may be stuck."""


def in_steps(meanings: Sequence[Meaning]) -> dict[Meaning, tuple[Meaning, ...]]:
    """Return the first step of a question about suits that has more than `AT_ONCE` answers.

    Returns:
        Each first answer, with the complete answers that remain possible after it. Empty if one
        step is enough.
    """
    moves = [meaning.move for meaning in meanings if meaning.move is not None]
    same = len({move._replace(words=()) for move in moves}) == 1
    if len(meanings) <= AT_ONCE or len(moves) < len(meanings) or not same:
        return {}
    added = {move.words[-1] for move in moves if len(move.words) > 1}
    found: dict[Meaning, tuple[Meaning, ...]] = {}
    for meaning, move in zip(meanings, moves, strict=True):
        kept = move.words[:-1] if move.words and move.words[-1] in added else move.words
        first = Meaning(move._replace(words=kept))
        found[first] = (*found.get(first, ()), meaning)
    return found if 1 < len(found) < len(meanings) else {}


class Recording(Protocol):
    """A phrase that is being recorded and recognized."""

    def finish(self) -> None:
        """End the recording of the phrase. The guesses follow."""

    def cancel(self) -> None:
        """Discard the phrase."""


class Answer(NamedTuple):
    """The recogniser's result: its guesses, whether the phrase was clearly louder than the noise,
    and whether a second recogniser has judged it."""

    guesses: tuple[Guess, ...]
    clear: bool = True
    judged: bool = False


Start = Callable[[dict[str, object], Callable[[Answer | None], None]], Recording]
"""A function that starts to record a phrase. It takes the possible phrases, and calls back on any
thread with the answer, or with None if the recogniser failed."""


class Process:
    """A phrase recognized by `speech.recogniser` in a separate process."""

    def __init__(self, task: dict[str, object], done: Callable[[Answer | None], None]) -> None:
        """Raises OSError."""
        self._done = done
        self._process = subprocess.Popen(
            (sys.executable, "-m", "boardctl.speech.recogniser"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(task) + "\n")
        self._process.stdin.flush()

    def finish(self) -> None:
        threading.Thread(target=self._wait, name="recogniser", daemon=True).start()

    def _wait(self) -> None:
        try:
            output, _ = self._process.communicate(timeout=PATIENCE)
            answer = json.loads(output)
            found = tuple(
                Guess(str(one), float(score), float(gap)) for one, score, gap in answer["guesses"]
            )
        except (OSError, ValueError, TypeError, KeyError, subprocess.TimeoutExpired) as error:
            _log.error("the recogniser failed: %s", error)
            self._process.kill()
            self._process.wait()
            self._done(None)
        else:
            self._done(Answer(found, bool(answer["clear"]), bool(answer["judged"])))

    def cancel(self) -> None:
        self._process.kill()
        self._process.wait()


class Listening:
    """A listener that enters moves spoken at one table.

    Args:
        voice: reads back understood phrases, and asks about doubtful ones.
        microphone: the ALSA name of the device.
        start: starts to record a phrase.
    """

    def __init__(
        self,
        controller: TableController,
        voice: Voice,
        microphone: str = "default",
        start: Start = Process,
    ) -> None:
        self._controller = controller
        self._voice = voice
        self._microphone = microphone
        self._start = start
        self._recording: Recording | None = None
        self._grammar: Grammar | None = None
        self._offered: tuple[Meaning, ...] = ()
        self._steps: dict[Meaning, tuple[Meaning, ...]] = {}
        """The answers of the second step, by the answer to the first."""
        self._number = 0
        self._rejected = 0
        """The number of consecutive phrases that were not understood."""

    def take(self, event: KeyEvent) -> bool:
        """Handle the key that is held to speak. Return False for any other key; such a key cancels
        the board's question."""
        if event.key != KEY:
            self._offered = ()
            return False
        if event.pressed and self._recording is None:
            self._begin()
        elif not event.pressed and self._recording is not None:
            recording, self._recording = self._recording, None
            recording.finish()
        return True

    def close(self) -> None:
        """Stop listening."""
        if self._recording is not None:
            self._recording.cancel()
            self._recording = None

    def _begin(self) -> None:
        controller, clock = self._controller, self._controller.clock
        controller.key_down.send()
        self._steps = self._steps if self._offered else {}
        self._grammar = Grammar(controller.view, only=self._offered)
        self._number = controller.table.number
        task: dict[str, object] = {**self._grammar.task(), "microphone": self._microphone}

        def done(answer: Answer | None) -> None:
            clock.call_soon_threadsafe(partial(self._answered, answer))

        try:
            self._recording = self._start(task, done)
        except OSError as error:
            _log.error("the recogniser does not start: %s", error)
            controller.report("hearing", str(error.strerror or error))
            return
        clock.call_at(clock.time() + LONGEST, partial(self._too_long, self._recording))

    def _too_long(self, recording: Recording) -> None:
        if self._recording is recording:
            self._recording = None
            recording.finish()

    def _answered(self, answer: Answer | None) -> None:
        """Enter the recognized move, or ask which move was meant."""
        language, asked, self._offered = self._controller.language, self._offered, ()
        self._controller.report("hearing", "it failed" if answer is None else None)
        if answer is None or self._grammar is None:
            return
        if self._number != self._controller.table.number:
            self._say(spoken.say("overtaken", language))
            return
        understood = self._grammar.understand(
            answer.guesses, answer.clear or bool(asked), judged=answer.judged
        )
        if not understood.meanings and understood.refused is None:
            self._offered = () if self._rejected else asked
            self._reject(self._grammar if self._offered else Grammar(self._controller.view))
            return
        self._rejected = 0
        if understood.refused is not None and not understood.meanings:
            self._say(spoken.refusal(understood.refused, self._controller.view.seats, language))
        elif asked and (understood.doubtful or len(understood.meanings) > 1):
            others = tuple(meaning for meaning in understood.meanings if meaning not in asked)
            self._ask_back(others or asked)
        elif len(understood.meanings) > 1 or understood.doubtful or not (answer.clear or asked):
            self._ask_which(understood.meanings)
        else:
            self._do(understood.meanings[0])

    def _ask_which(self, meanings: tuple[Meaning, ...]) -> None:
        """Ask which move was meant. If the phrase is a question to the board and no move sounds
        like it, answer the question, because that changes nothing."""
        moves = tuple(meaning for meaning in meanings if meaning.move is not None)
        if moves:
            self._ask_back(moves)
        else:
            self._do(meanings[0])

    def _reject(self, grammar: Grammar) -> None:
        """Make a short sound for a phrase that was not understood. From the second such phrase on,
        also say which phrases are possible."""
        language = self._controller.language
        self._rejected += 1
        if self._rejected > 1:
            example = text.listed(grammar.examples()[:EXAMPLES], language)
            self._say(spoken.say("for-example", language, phrases=example))
        elif not self._voice.sound("rejected"):
            self._say(spoken.say("not-understood", language))

    def _ask_back(self, meanings: tuple[Meaning, ...]) -> None:
        """Ask which move was meant. If only the suits differ, ask for the suit."""
        self._steps = in_steps(meanings)
        meanings = tuple(self._steps) or meanings
        self._offered = meanings
        language = self._controller.language
        moves = [self._words(meaning) for meaning in meanings]
        line, *others = dict.fromkeys(moves)
        if len(moves) > 1 and not others:
            moves = [
                spoken.claim(meaning.move.words, language) for meaning in meanings if meaning.move
            ]
        others_said = text.listed(moves[:-1], language)
        several = spoken.say("or", language, first=others_said, last=moves[-1])
        if len(moves) == 1:
            self._say(spoken.say("sure", language, line=line))
        elif others:
            self._say(several)
        else:
            self._say(spoken.say("claims", language, line=line, claims=several))

    def _words(self, meaning: Meaning) -> str:
        if meaning.move is None:
            return spoken.say("neither", self._controller.language)
        return spoken.move(meaning.move, self._controller.view.seats, self._controller.language)

    def _do(self, meaning: Meaning) -> None:
        following = self._steps.get(meaning, ())
        self._steps = {}
        if len(following) > 1:
            self._ask_back(following)
            return
        meaning = following[0] if following else meaning
        if meaning.answer == "choices":
            language = self._controller.language
            phrases = text.listed(Grammar(self._controller.view).examples(), language)
            self._say(spoken.say("can-say", language, phrases=phrases))
        elif meaning.answer:
            self._voice.answer(meaning.answer)
        elif meaning.move is None:
            self._controller.leave_question()
            self._say(spoken.say("neither", self._controller.language))
        else:
            try:
                self._controller.speak(meaning.move)
            except IllegalMove as error:
                seats, language = self._controller.view.seats, self._controller.language
                self._say(spoken.refusal(error, seats, language))
            else:
                state = self._controller.keypad_state
                if state.mode == "question":
                    self._ask_back(tuple(Meaning(move) for move in state.choices))

    def _say(self, sentence: str) -> None:
        self._voice.say(sentence)
