"""A player who speaks its moves: a synthetic voice, both recognisers, and what it hears back.

It knows only the possible phrases and its own intention. It learns what the board has understood by
listening. A second table, at which the same moves are made without speech, gives the expected
words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from boardctl import games
from boardctl.console.settings import TableSettings
from boardctl.drivers.ports import KeyEvent
from boardctl.games import IllegalMove, Move
from boardctl.speech import recogniser, rescoring
from boardctl.speech.hearing import Grammar, Guess, Meaning
from boardctl.speech.listening import KEY, Answer, Listening
from boardctl.speech.phrases import plain
from boardctl.speech.voice import Voice
from boardctl.storage.journal import AtOnce, Journal
from boardctl.text import spoken
from tests.speech.by_ear import Ear, Listener
from tests.speech.synthetic import SPEEDS, VOICES, Sound, speak, through
from tests.tables import KeyedTable, submit

TRIES: Final = 4
"""The number of attempts at a phrase before the player chooses another move."""
MENDING: Final = 20
"""The number of phrases in which a mistake must be corrected."""
MOST: Final = 400
"""The number of phrases after which a game is abandoned."""
ONWARD: Final = 10.0
"""The factor by which any other move is likelier than points, so that a game progresses."""
PICKED: Final = 3
"""The number of random points of which the highest is chosen, so that a game does not take an
hour."""
BACK: Final = "take that back"
NOT_PLAYED: Final = frozenset({"undo", "redo", "misdeal", "concede", "session", "game", "hint"})
"""Verbs that correct a mistake, or end the game."""


@dataclass
class Heard:
    """The results of phrases: right at once, asked back and then right, not understood, taken back
    because another move was heard, and silently wrong."""

    right: int = 0
    asked: int = 0
    nothing: int = 0
    back: int = 0
    wrong: int = 0
    typed: int = 0
    """The number of moves typed because none could be spoken."""
    verbs: Counter[str] = field(default_factory=Counter)

    @property
    def phrases(self) -> int:
        return self.right + self.asked + self.nothing + self.back + self.wrong


class Recognisers:
    """Both recognisers of the board, loaded once."""

    def __init__(self) -> None:
        self._machine = recogniser.decoder()
        folder = rescoring.model()
        self._second = rescoring.Rescorer(folder) if folder else None

    def hear(self, task: dict[str, Any], audio: bytes) -> Answer:
        """Return their guesses for a phrase, like the recogniser's process."""
        found = recogniser.hear(self._machine, self._second, task, audio)
        guesses = tuple(Guess(*guess) for guess in found)
        return Answer(guesses, recogniser.is_clear(audio), self._second is not None)


class Mouth(ABC):
    """The player's voice, and the way it is heard."""

    phrase = ""
    """The phrase spoken while the key is held."""

    def __call__(self, task: dict[str, Any], done: Callable[[Answer | None], None]) -> Phrase:
        return Phrase(self, task, done)

    @abstractmethod
    def hear(self, task: dict[str, Any]) -> Answer:
        """Return the guesses for the phrase, given the expected phrases."""


class Misheard(Mouth):
    """A recogniser without sound that mishears three of ten phrases."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def hear(self, task: dict[str, Any]) -> Answer:
        right, other = Guess(self.phrase, 0.0), Guess(self._chance.choice(task["phrases"]), 0.0)
        return self._chance.choices(
            (
                Answer((right,), judged=True),
                Answer((other,), judged=True),
                Answer((right, other), judged=True),
                Answer((right,), clear=False, judged=True),
                Answer(()),
            ),
            (70, 8, 12, 5, 5),
        )[0]


class Voiced(Mouth):
    """A synthetic voice in the sounds of a room, heard by the real recognisers."""

    def __init__(self, recognisers: Recognisers, chance: Random, sound: Sound) -> None:
        self._recognisers, self._sound = recognisers, sound
        self._chance = chance
        self.voice, self.speed = chance.choice(VOICES), chance.choice([*SPEEDS])

    def hear(self, task: dict[str, Any]) -> Answer:
        said = speak(self.voice, self.phrase, self.speed)
        audio = through(said, self._sound, self._chance.getrandbits(32))
        return self._recognisers.hear(task, audio)


class Phrase:
    """One phrase, heard when the key is released."""

    def __init__(
        self, mouth: Mouth, task: dict[str, Any], done: Callable[[Answer | None], None]
    ) -> None:
        self._mouth, self._task, self._done = mouth, task, done

    def finish(self) -> None:
        self._done(self._mouth.hear(self._task))

    def cancel(self) -> None: ...


class _Table:
    """A table with a voice, and the words heard from it."""

    def __init__(self, data: Path, settings: TableSettings, board: str) -> None:
        data.mkdir(parents=True)
        self.journal = Journal(data, AtOnce())
        self.keyed = KeyedTable(self.journal, settings, board=board)
        self.ear = Ear()
        for option in games.find(settings.game).options:
            if option.name == "target":
                least = min(int(one) for one in option.values or option.numbers or ())
                submit(self.keyed.table, f"set target {least}", "test")
        self.voice = Voice(self.keyed.controller)
        self.voice.join(self.ear)
        self.keyed.clock.run(0.1)
        self.ear.heard()

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(self.keyed.table.record.moves)

    def heard(self) -> list[str]:
        self.keyed.clock.run(0.1)
        return self.ear.heard()

    def make(self, move: Move) -> list[str]:
        """Make an understood move, and return the words heard then."""
        try:
            self.keyed.controller.speak(move)
        except IllegalMove:
            return []
        return self.heard()


def _points(said: Meaning) -> int:
    return sum(said.move.numbers) if said.move and said.move.verb == "peg" else 0


class Talker:
    """Plays one game by speech.

    Args:
        data: a separate folder.
        settings: the game, which must be in English.
        mouth: the player's voice.
        chance: the source of its choices.
    """

    def __init__(self, data: Path, settings: TableSettings, mouth: Mouth, chance: Random) -> None:
        board = "classic-3" if len(settings.players) == 3 else "classic-2"
        self._table = _Table(data / "spoken", settings, board)
        self._twin = _Table(data / "meant", settings, board)
        self.mouth = mouth
        controller = self._table.keyed.controller
        self._listening = Listening(controller, self._table.voice, "default", self.mouth)
        self._listener = Listener(
            self._table.keyed, self._table.ear, "en", chance.getrandbits(32), MOST
        )
        self._chance = chance
        self.figures = Heard()

    @property
    def is_over(self) -> bool:
        return self._table.keyed.table.position.over

    def close(self) -> None:
        for table in (self._table, self._twin):
            table.journal.close()

    def play(self) -> None:
        """Play to the end, or until too many phrases were spoken."""
        while not self.is_over and self.figures.phrases < MOST:
            chosen = self._choice()
            if chosen is None:
                self._type()
            else:
                self._tell(*chosen)
            assert self._table.moves == self._twin.moves or self.figures.wrong

    def _choice(self) -> tuple[str, Meaning] | None:
        """Return a phrase for a possible move: a random one of the possible verbs, and one of its
        phrases."""
        may = Grammar(self._table.keyed.controller.view)
        by_verb: dict[str, list[tuple[str, Meaning]]] = {}
        for phrase, meanings in may.phrases.items():
            for said in meanings:
                if len(meanings) == 1 and said.move and said.move.verb not in NOT_PLAYED:
                    by_verb.setdefault(said.move.verb, []).append((phrase, said))
        for names, word, least, most, ranks, move in may._hands:
            known = self._chance.choices(ranks.split("_"), k=self._chance.randint(least, most))
            phrase = " ".join((self._chance.choice(names), word, *known))
            for said in may.understand([Guess(phrase, 0.0)]).meanings:
                by_verb.setdefault(move.verb, []).append((phrase, said))
        if not by_verb:
            return None
        verbs = sorted(by_verb)
        likely = [1.0 if verb == "peg" else ONWARD for verb in verbs]
        possible = by_verb[self._chance.choices(verbs, likely)[0]]
        return max(self._chance.choices(possible, k=PICKED), key=lambda one: _points(one[1]))

    def _tell(self, phrase: str, meant: Meaning) -> None:
        """Say a phrase until it is understood, or give up."""
        assert meant.move is not None
        for _ in range(TRIES):
            before = self._table.moves
            heard = self._say(phrase)
            heard, meant = self._claim(heard, meant)
            assert meant.move is not None
            asked = " or " in " ".join(heard) or any("?" in one for one in heard)
            if self._table.moves == before and self._listening._offered and asked:
                heard, meant = self._claim(self._say(self._answer(heard, meant)), meant)
                assert meant.move is not None
                kind = "asked"
            else:
                kind = "right"
            if self._table.moves == before:
                self.figures.nothing += 1
                continue
            assert meant.move is not None
            should = self._twin.make(meant.move)
            self.figures.verbs[meant.move.verb] += 1
            if self._table.moves == self._twin.moves:
                assert heard[:1] == should[:1], (phrase, heard, should)
                setattr(self.figures, kind, getattr(self.figures, kind) + 1)
                return
            if heard == should:
                self.figures.wrong += 1
                return
            self.figures.back += 1
            self._mend(before)

    def _claim(self, heard: list[str], meant: Meaning) -> tuple[list[str], Meaning]:
        """Say the points that suits add to a hand, if asked. Return the words heard, and the move
        with them."""
        bare = meant.move._replace(words=()) if meant.move else None
        claims = self._listening._offered
        asked = {said.move._replace(words=()) for said in claims if said.move}
        if bare is None or not bare.cards or len(claims) < 2 or asked != {bare}:
            return heard, meant
        chosen = self._chance.choice(claims)
        assert chosen.move is not None
        said = plain(spoken.claim(chosen.move.words, "en"))
        assert any(spoken.claim(chosen.move.words, "en") in one for one in heard), heard
        leads_to = self._listening._steps.get(chosen, (chosen,))
        heard = self._say(said)
        return (heard, leads_to[0]) if len(leads_to) == 1 else self._claim(heard, chosen)

    def _say(self, phrase: str) -> list[str]:
        """Hold the key, speak, and listen."""
        self.mouth.phrase = phrase
        clock = self._table.keyed.clock
        for pressed in (True, False):
            self._listening.take(KeyEvent(KEY, pressed, clock.time()))
            clock.run(0.05)
        return self._table.heard()

    def _answer(self, heard: list[str], meant: Meaning) -> str:
        """Return the shortest answer to the board's question, as heard."""
        view = self._table.keyed.controller.view
        assert meant.move is not None
        name = spoken.move(meant.move, view.seats, "en")
        asked = self._listening._offered
        if not any(name in one for one in heard) or meant not in asked:
            return "neither"
        may = Grammar(view, only=asked)
        fit = [phrase for phrase, meanings in may.phrases.items() if meanings == [meant]]
        return min(fit, key=len)

    def _mend(self, before: tuple[Move, ...]) -> None:
        """Take back a misunderstood move by speech, and repeat other moves that were taken back
        with it."""
        undo = self._twin.keyed.controller.view.undoing
        if undo is not None and self._twin.moves != before:
            self._twin.make(undo)
        for _ in range(MENDING):
            moves = self._table.moves
            if moves == before:
                break
            lost = before[len(moves) :] if moves == before[: len(moves)] else ()
            may = Grammar(self._table.keyed.controller.view)
            wanted = Meaning(lost[0]) if lost else may.phrases[BACK][0]
            fit = [phrase for phrase, meanings in may.phrases.items() if meanings == [wanted]]
            if lost and not fit:  # the setup of the game is not spoken
                self._table.make(lost[0])
                continue
            heard = self._say(fit[0] if fit else BACK)
            if self._listening._offered:
                self._say(self._answer(heard, wanted))
        assert self._table.moves == self._twin.moves == before

    def _type(self) -> None:
        """Type a move by keys, like a player who hears; this may also undo one."""
        before = self._table.moves
        while self._table.moves == before:
            self._listener._one()
        undo = self._twin.keyed.controller.view.undoing
        if len(self._table.moves) < len(before) and undo is not None:
            self._twin.make(undo)
        for move in self._table.moves[len(before) :]:
            self._twin.make(move)
        self.figures.typed += 1
        self._table.heard()
