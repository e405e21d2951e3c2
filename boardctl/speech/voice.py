"""The board's speech: a sentence for each state of the keypad, the menu and the table, the counts
of the play and of the hands in traditional words, and short sounds.

Everybody hears the voice, so it says only what an onlooker may know. Speech stops at the next key
press and never falls behind the game: a newer question replaces an older one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from boardctl import text
from boardctl.console.keypad import LEVELS, REST, Command, KeypadState, Submit, TableView, effects
from boardctl.console.keypad import spoken as sentences
from boardctl.console.settings import VoiceSettings
from boardctl.console.table_controller import TableController
from boardctl.drivers.ports import SPEEDS, Speaker
from boardctl.games import CORRECTIONS, Kind, Note, side_of
from boardctl.games.cards import Card
from boardctl.message import Message
from boardctl.record.record import Line, Report
from boardctl.record.visibility import corrected, news
from boardctl.signals import Signal
from boardctl.speech.sounds import NOTES, Sound, wav
from boardctl.table import Receipt
from boardctl.text import moves as words
from boardctl.text import spoken
from boardctl.text.counting import (
    PHRASES,
    count_aloud,
    number,
    said_aloud,
    together,
    win_aloud,
)

_log: Final = logging.getLogger(__name__)
_MANY: Final = 4
"""The maximum number of lines spoken one by one. If more lines arrive at once, only the last ones
are spoken."""
_REVIEWED: Final = 5
"""The number of moves reviewed at once, as in the blind modes of chess websites."""
_HISTORY: Final = 30
"""The number of messages that can be heard again."""
_TELL_THEMSELVES: Final = frozenset({"evening", "goodnight", "go-on"})
"""Commands that are already announced by another message."""
_FASTER: Final = {"slower": 0.8, "faster": 1.25}
"""The factors of the speed for a slower and a faster repetition."""
_COUNTS: Final = frozenset({"fifteen", "twenty-five", "thirty", "thirty-one"})
"""The award reasons that already state the count, so that it is not spoken twice."""


def counted(report: Report, language: str) -> str:
    """Return the words for the running count, a counted hand or the end of the game after an
    accepted line. For most lines, return an empty string."""
    position = report.position
    if position.game is None or position.state is None:
        return ""
    board = position.game.scoreboard(position.state)
    phrases = PHRASES[language]
    said = _play_notes(report, language)
    parts = []
    if said:
        parts.append(said_aloud(said, language))
    elif report.awards and (counts := count_aloud(report.awards, language)):
        parts.append(counts)
    if report.ended is not None and board.winner is not None:
        seats = range(board.winner, len(position.seats) + 1, len(board.standings))
        names = [position.seats[seat] for seat in seats]
        parts.append(_won(names, report.ended.outcome.margin, language))
    elif report.ended is not None and report.ended.outcome.state == "draw":
        parts.append(phrases["drawn"])
    return phrases["between"].join(parts)


def _play_notes(report: Report, language: str) -> tuple[Note, ...]:
    """Return the words for a played card (the running count and its points), a go, or one for
    last."""
    position, move = report.position, report.move
    board = position.scoreboard
    said = () if board is None else board.readouts
    notes = tuple(note for note in said if note.code in PHRASES[language])
    if notes or move.verb != "play" or not (count := position.situation.count):
        return notes
    points = sum(award.points for award in report.awards if award.seat == move.seat)
    fields = {"count": count, "points": points}
    return (Note("said", fields) if points else Note("said-count", {"count": count}),)


def _running(report: Report, language: str) -> str:
    """Return the running count to announce, or an empty string if the award already states it."""
    if report.move.verb != "play" or any(award.reason in _COUNTS for award in report.awards):
        return ""
    counts = (
        note.fields["count"] for note in _play_notes(report, language) if "count" in note.fields
    )
    return next((number(count, language) for count in counts), "")


def _won(names: Sequence[str], margin: str | None, language: str) -> str:
    """Return words that name the winner, and any skunk or double game."""
    if margin in (None, "game"):
        return win_aloud(names, language)
    code = f"moment-{margin}{'-partners' if len(names) > 1 else ''}"
    return text.say(
        Message("page", code, {"name": together(names, language)}), text.Reader(language)
    ).rstrip("!！")


def happened(report: Report, language: str) -> list[str]:
    """Return the words for an accepted line: the move, its points with player and reason, and the
    winner. The voice does not repeat any of these."""
    position, move = report.position, report.move
    names = tuple(position.seats.values())
    count = counted(report, language)
    parts = [spoken.move(move, names, language)]
    phrases = PHRASES[language]
    won = report.ended is not None and bool(count)
    running = _running(report, language)
    if report.awards and move.verb not in ("peg", "adjust") and not won:
        for seat in dict.fromkeys(award.seat for award in report.awards):
            if seat == move.seat and running:  # before the points of its card, after a last card
                parts.append(running)
                running = ""
            awards = [award for award in report.awards if award.seat == seat]
            points = sum(award.points for award in awards)
            if move.numbers == (points,) and seat == move.seat:
                continue
            reasons = count_aloud(awards, language) or words.reasons(awards, names, language)
            sides = len(position.scores)
            side = names[side_of(seat, sides) - 1 :: sides]
            who = names[seat - 1] if seat == move.seat else together(side, language)
            fields = {"name": who, "points": points, "reasons": reasons}
            parts.append(spoken.say("earned", language, **fields))
        parts += [running] if running else []
    elif count and not (move.verb == "go" and count == phrases["said-go"]):
        parts.append(count)
    if move.verb == "adjust" and move.seat is not None:
        at = side_of(move.seat, len(position.scores)) - 1
        fields = {"name": names[move.seat - 1], "score": position.scores[at]}
        parts.append(spoken.say("score", language, **fields))
    parts += [spoken.note(note, names, language) for note in report.notes]
    return parts


class Voice:
    """The voice of a table, with speakers and other listeners (`listeners`).

    Args:
        settings: the level of speech, and whether sounds are played.
    """

    def __init__(
        self,
        controller: TableController,
        settings: VoiceSettings | None = None,
        spoken: Signal[str] | None = None,
    ) -> None:
        self._controller = controller
        self._settings = settings or VoiceSettings()
        self.speakers: list[Speaker] = []
        self.spoken: Signal[str] = Signal() if spoken is None else spoken
        """A signal sent with each spoken text, even while the voice is off."""
        self.last = ""
        """The last spoken text, or the current question if none has been spoken."""
        self._history: list[str] = []
        self._earlier = 0
        """The number of messages that a listener has stepped back."""
        self._before = REST
        self._key = ""
        self._effect: Submit | Command | None = None
        self._pending: list[str] = []
        self._counts: list[str] = []
        self._scores = controller.table.position.scores
        self._turn = self._now_playing()
        self._sound: Sound | None = None
        self._question: object = None
        self._message: tuple[str, ...] = ()
        self._faults: tuple[str, ...] = ()
        self._is_scheduled = False
        self._lines = self._known_lines()
        controller.key_down.connect(self.hush)
        controller.acted.connect(self.pressed)
        controller.answered.connect(self.answer)
        controller.pointed.connect(self.point)
        controller.drawn.connect(self.changed)
        controller.commanded.connect(self.command)
        controller.table.accepted.connect(self._accepted)

    # Reports of the controller

    @property
    def answers(self) -> bool:
        """Whether the voice gives information while a key is held."""
        return self._settings.is_on and bool(self.speakers)

    @property
    def settings(self) -> VoiceSettings:
        """The current settings."""
        return self._settings

    @settings.setter
    def settings(self, settings: VoiceSettings) -> None:
        if not settings.is_on:
            self.hush()
        self._settings = settings
        for speaker in self.speakers:
            speaker.speed = settings.speed
        self._controller.show_voice(settings if self.speakers else None)

    def hush(self) -> None:
        """Stop speaking because a key has been pressed."""
        for speaker in self.speakers:
            speaker.hush()

    def pressed(self, key: str, before: KeypadState, effect: Submit | Command | None) -> None:
        """Handle a key after it has acted on a state."""
        self._key, self._before, self._effect = key, before, effect
        self.changed()

    def changed(self) -> None:
        """Handle a possible change of the display. Changes in quick succession are spoken
        together."""
        if not self._is_scheduled and (self.speakers or self.spoken):
            self._is_scheduled = True
            self._controller.clock.call_soon_threadsafe(self._flush)

    def say(self, what: str) -> None:
        """Interrupt any speech and say something immediately."""
        self.hush()
        self._speak(spoken.sentence((what,), self._controller.language))

    def sound(self, what: Sound) -> bool:
        """Play a sound immediately, and return whether any speaker plays it."""
        if not (self._settings.is_on and self._settings.sounds and self.speakers):
            return False
        self.hush()
        for speaker in self.speakers:
            speaker.play(what, wav(what))
        return True

    def point(self, what: str) -> None:
        """Speak only the currently offered action."""
        if what:
            self.hush()
            self._speak("", spoken.sentence((what,), self._controller.language), keep=False)

    def answer(self, what: str) -> None:
        """Answer a held key or a spoken question.

        Args:
            what: `again` repeats the last message and `before` the one before the last answer,
                `slower` and `faster` repeat at another speed; `score`, `turn`, `choices`, `last`
                (the last move), `moves` (the last five) and `cards` (played in this deal).
        """
        view, language = self._view, self._controller.language
        self._earlier = self._earlier + 1 if what == "before" else 0
        if what == "before":
            at = max(0, len(self._history) - 1 - self._earlier)
            parts = self._history[at : at + 1] or [self._question_text()]
        elif what == "last":
            parts = self._moves(1)
        elif what == "moves":
            parts = self._moves(_REVIEWED)
        elif what == "cards":
            parts = self._cards_played()
        elif what == "score":
            parts = [*sentences.score(view), *self._count_now()]
        elif what == "turn":
            parts = [*sentences.question_words(self._controller.keypad_state, view)]
        elif what == "choices":
            state = self._controller.keypad_state
            parts = [*sentences.question_words(state._replace(refused=None), view)]
            parts += [one for one in sentences.choices(state, view) if one not in parts]
        else:
            if what in _FASTER:
                self._set(what)
            self._speak(self.last or self._question_text(), keep=False)
            return
        self._speak(spoken.sentence(parts, language), keep=False)

    def _moves(self, count: int) -> list[str]:
        """Return the newest moves of the deal, oldest first."""
        view, language = self._view, self._controller.language
        lines = [line for line in self._known_lines() if line.move.kind is not Kind.SETUP]
        parts = [spoken.move(line.move, view.seats, language) for line in lines[-count:]]
        return parts or [spoken.say("no-move", language)]

    def _cards_played(self) -> list[str]:
        """Return the cards that each player has played in this deal."""
        view, language = self._view, self._controller.language
        played: dict[int, list[Card]] = {}
        for line in self._known_lines():
            if line.move.verb == "play" and line.move.seat is not None:
                played.setdefault(line.move.seat, []).extend(line.move.cards)
        parts = [
            spoken.say(
                "played", language, name=view.name(seat), cards=spoken.cards(cards, language)
            )
            for seat, cards in played.items()
        ]
        return parts or [spoken.say("no-cards", language)]

    def command(self, command: Command) -> None:
        """Handle the menu's commands for voice and sounds, and speak the computer player's
        moves."""
        if command.what == "voice":
            self._set(command.value)
        elif command.what == "sounds" and command.value == "meaning":
            self._explain()
        elif command.what == "sounds":
            self.settings = self._settings._replace(sounds=command.value == "on")
        elif command.what == "say" and self._settings.level != "counts":
            pass  # the line itself is spoken
        elif command.what == "say" and self._settings.is_on and command.value:
            for speaker in self.speakers:
                speaker.say(command.value, self._controller.language)

    def _set(self, value: str) -> None:
        level = next((level for level in LEVELS if level == value), self._settings.level)
        speed = int(self._settings.speed * _FASTER.get(value, 1))
        speed = min(SPEEDS[-1], max(SPEEDS[0], speed))
        self.settings = self._settings._replace(is_on=value != "off", level=level, speed=speed)

    def _explain(self) -> None:
        """Play each sound and explain it."""
        language = self._controller.language
        for sound in NOTES:
            for speaker in self.speakers:
                speaker.play(sound, wav(sound))
                speaker.say(spoken.say(f"sound-{sound}", language), language)

    # Reports of the table

    def _accepted(self, receipt: Receipt) -> None:
        """Record an accepted line so that it will be spoken."""
        if not self.speakers and not self.spoken:
            return
        language = self._controller.language
        report = news(self._controller.table.visible_to(None), receipt.report)
        count = counted(report, language)
        if count:
            self._counts.append(count)
        if report.move.kind in CORRECTIONS:
            self._pending += self._corrected(report.move.verb)
        elif report.move.kind is not Kind.SETUP or report.position.opening is not None:
            self._pending += happened(report, language)
            if report.ended is not None:
                self._pending += [
                    spoken.say("score", language, name=name, score=points)
                    for name, points in sentences.scores(self._view).items()
                ]
            elif report.move.verb == "deal" and any(report.position.scores):
                self._pending += sentences.score(self._view)
        self._lines = self._known_lines()
        self._scores = report.position.scores
        if report.ended is not None:
            self._sound = "game"
        elif self._sound is None and self._now_playing() not in (None, self._turn):
            self._sound = "turn"
        self._turn = self._now_playing()
        self.changed()

    def _now_playing(self) -> int | None:
        position = self._controller.table.position
        if position.game is None or position.state is None:
            return None
        return position.situation.turn

    def _known_lines(self) -> tuple[Line, ...]:
        """Return the moves of the deal, as everybody may see them."""
        if self._controller.table.position.game is None:
            return ()
        return self._controller.table.visible_to(None).record.deal

    def _corrected(self, verb: str) -> list[str]:
        """Return what a correction has changed: the move, and the scores that differ."""
        language = self._controller.language
        position = self._controller.table.position
        names = tuple(position.seats.values())
        before, after = self._lines, self._known_lines()
        known, left = ({line.identity for line in lines} for lines in (before, after))
        gone = [line.move for line in before if line.identity not in left]
        new = [line.move for line in after if line.identity not in known]
        latest = max(known, default=0)
        fresh = [line.move for line in after if line.identity > latest]
        parts = []
        if verb == "redo":
            moves = [spoken.move(move, names, language) for move in new[-_MANY:]]
            parts.append(spoken.say("brought-back", language, line=text.listed(moves, language)))
        elif verb != "undo" and fresh:
            line = spoken.move(fresh[0], names, language)
            parts.append(spoken.say("changed" if gone else "added", language, line=line))
        elif gone:
            line = spoken.move(gone[0], names, language)
            parts.append(spoken.say("taken-back", language, line=line))
        elif (said := corrected(self._controller.table.record, None)) is not None and said.earlier:
            line = spoken.move(said.move, names, language)
            code = "removed-earlier" if said.how == "removed" else "changed-earlier"
            parts.append(spoken.say(code, language, line=line))
        now = sentences.scores(self._view)
        for (name, score), old in zip(now.items(), self._scores, strict=False):
            if score != old:
                parts.append(spoken.say("score", language, name=name, score=score))
        return parts + self._count_now()

    def _count_now(self) -> list[str]:
        """Return the running count in the current play."""
        position, language = self._controller.table.position, self._controller.language
        count = None if position.state is None else position.situation.count
        return [spoken.say("count", language, count=number(count, language))] if count else []

    # Spoken texts

    @property
    def _view(self) -> TableView:
        return self._controller.view._replace(language=self._controller.language)

    def _question_text(self) -> str:
        state = self._controller.keypad_state
        return spoken.sentence(
            sentences.question_words(state, self._view), self._controller.language
        )

    def _flush(self) -> None:
        self._is_scheduled = False
        try:
            self._say_all()
        except Exception:  # noqa: BLE001 - one failed sentence must not silence the next
            _log.exception("the board could not say what it shows")
            self._forget()

    def _forget(self) -> None:
        self._pending, self._counts, self._sound = [], [], None
        self._key, self._effect = "", None
        self._before = self._controller.keypad_state

    def _say_all(self) -> None:
        """Speak the news and the current question."""
        controller = self._controller
        state, view, language = controller.keypad_state, self._view, controller.language
        if state.refused is not None and self._key:
            self._sound = "rejected"
        elif self._sound is None and self._key and isinstance(self._effect, Submit):
            self._sound = "accepted"
        faults = self._faults_now()
        recent, asked = self._pending[-2 * _MANY :], self._now_asked(state, view, faults)
        if self._effect == Command("go-on") and state.refused is None:
            recent = [effects.command(self._effect, language), *sentences.score(view)]
            self._counts = []
        counts = PHRASES[language]["between"].join(self._counts[-_MANY:])
        sound = self._sound
        self._forget()
        if self._settings.is_on and self._settings.sounds and sound is not None:
            self._play(sound)
        if self._settings.level == "counts":
            said = spoken.sentence((counts, *faults), language)
            if said:
                self._speak(said)
            return
        first = spoken.sentence(recent, language)
        then = spoken.sentence(asked, language)
        if first or then:
            self._speak(first, then)

    def _play(self, sound: Sound) -> None:
        """Play a sound. The sound of a turn indicates whose turn it is."""
        turn = self._turn if sound == "turn" else None
        for speaker in self.speakers:
            speaker.play(sound if turn is None else f"{sound}-{turn}", wav(sound, turn))

    def _faults_now(self) -> list[str]:
        """Return the parts that have failed, and those that have recovered, since the last
        report."""
        language = self._controller.language
        before, self._faults = self._faults, tuple(self._controller.faults)
        parts: list[str] = []
        for code, some, others in (
            ("well", before, self._faults),
            ("trouble", self._faults, before),
        ):
            new = [part for part in some if part not in others]
            if new:
                names = text.listed(text.parts_named(new, language), language)
                parts.append(spoken.say(code, language, parts=names))
        return parts

    def _now_asked(self, state: KeypadState, view: TableView, faults: list[str]) -> list[str]:
        """Return the current question after a key or a change. News about failed and recovered
        parts precedes it."""
        controller, language = self._controller, self._controller.language
        parts: list[str] = []
        if isinstance(self._effect, Command) and self._effect.what not in _TELL_THEMSELVES:
            parts.append(effects.command(self._effect, language, view.items))
        parts += faults
        question = (state, view.asks[:1], view.prompt.pegs, language)
        message = controller.announced
        if message:
            if message != self._message or self._key:
                parts += controller.announced_aloud
            if controller.lights.asleep:
                parts.append(spoken.say("asleep", language))
            elif self._pending and view.asks and question != self._question and not state.is_open:
                parts += sentences.question_words(state, view)
        elif self._key and not self._pending and self._unmoved(state):
            parts.append(spoken.say("nothing", language, key=spoken.name_of(self._key, language)))
            parts += (
                sentences.question_words(state, view)
                if self._settings.level == "everything"
                else []
            )
        elif self._key or (question != self._question and not state.is_open):
            parts += sentences.words_after_key(self._before, state, view, self._settings.level)
        self._message, self._question = message, question
        return parts

    def _unmoved(self, state: KeypadState) -> bool:
        """Return whether the last key changed nothing."""
        return self._effect is None and state == self._before and len(self._key) == 1

    def _speak(self, first: str, then: str = "", *, keep: bool = True) -> None:
        """Speak a text and then the current question. If the text is kept, it can be repeated."""
        language = self._controller.language
        whole = spoken.sentence((first, then), language)
        if keep:
            self.last = whole
            self._history = [*self._history[1 - _HISTORY :], whole]
            self._earlier = 0
        self.spoken.send(whole)
        if not self._settings.is_on:
            return
        for speaker in self.speakers:
            if first:
                speaker.say(first, language)
            if then:
                speaker.say(then, language, passing=True)

    def join(self, speaker: Speaker) -> Callable[[], None]:
        """Start speaking through a speaker, and return a function that stops the speech."""
        self.speakers.append(speaker)
        speaker.speed = self._settings.speed
        self._controller.show_voice(self._settings)
        if self._settings.is_on and self._is_new():
            language = self._controller.language
            self._speak(spoken.sentence((spoken.say("welcome", language),), language))
        self.changed()
        return partial(self._leave, speaker)

    def _is_new(self) -> bool:
        """Return whether no game has ever been played on this board."""
        table = self._controller.table
        played = any(move.kind is not Kind.SETUP for move in table.record.moves)
        return table.session <= 1 and not played

    def _leave(self, speaker: Speaker) -> None:
        if speaker in self.speakers:
            self.speakers.remove(speaker)
            if not self.speakers:
                self._controller.show_voice(None)
