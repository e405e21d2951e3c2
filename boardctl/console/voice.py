"""The spoken count of the play and of the hands, in the traditional words.

The keypad's menu can mute it.
"""

from __future__ import annotations

from collections.abc import Callable

from boardctl.console.keypad import Command
from boardctl.drivers.ports import Speaker
from boardctl.record.record import Report
from boardctl.record.seen import news
from boardctl.table import Receipt, Table
from boardctl.text.counting import PHRASES, count_aloud, said_aloud, win_aloud


def spoken(report: Report, language: str) -> str:
    """The sentences to say for an accepted line; none for most lines."""
    position = report.position
    if position.game is None or position.state is None:
        return ""
    board = position.game.scoreboard(position.state)
    phrases = PHRASES[language]
    said = tuple(note for note in board.readouts if note.code in phrases)
    told = []
    if said:
        told.append(said_aloud(said, language))
    elif report.awards and all(award.reason in phrases for award in report.awards):
        told.append(count_aloud(report.awards, language))
    if report.ended is not None and board.winner is not None:
        told.append(win_aloud(position.seats[board.winner], language))
    return phrases["between"].join(told)


class Voice:
    """Speaks what happens at a table as everybody may hear it, unless muted."""

    def __init__(self, table: Table, speaker: Speaker, language: Callable[[], str]) -> None:
        self._table = table
        self._speaker = speaker
        self._language = language
        self.on = True
        table.observe("voice", self._hear)

    def _hear(self, receipt: Receipt) -> None:
        if self.on:
            report = news(self._table.seen_by(None), receipt.report)
            told = spoken(report, self._language())
            if told:
                self._speaker.say(told)

    def command(self, command: Command) -> None:
        """Handle the menu's commands, voice on or off, and say what the board's player does."""
        if command.what == "voice":
            self.on = command.value == "on"
        elif command.what == "say" and self.on and command.value:
            self._speaker.say(command.value)
