"""The page's access to the setup of a running board: the wizard, the self-test, backups of the
journal, and the SD card."""

from __future__ import annotations

import json
import tomllib
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardctl import text
from boardctl.app import card, selftest, service, wizard
from boardctl.app.config import Config, ConfigError
from boardctl.app.doctor import Machine
from boardctl.board import layout as layouts
from boardctl.board.palette import Frame
from boardctl.drivers.budget import fit
from boardctl.drivers.ports import Clock, KeyEvent, Keys, Strip
from boardctl.games import IllegalMove
from boardctl.message import Message
from boardctl.options import SchemaError, read_toml
from boardctl.signals import Signal
from boardctl.storage import backup
from boardctl.storage.backup import Summary
from boardctl.storage.child import running
from boardctl.storage.database import NAME
from boardctl.storage.journal import JournalError
from boardctl.text import SpokenError
from boardctl.web.board_view import SetupRefused

if TYPE_CHECKING:
    from boardctl.app.board_app import BoardApp


class _TestedStrip(Strip):
    """The board's strip during the self-test, limited by the current budget."""

    def __init__(self, board: BoardApp, config: Config) -> None:
        self._board = board
        self._power = config.power

    def show(self, frame: Frame) -> None:
        frame = fit(frame, self._power)
        self._board.parts.strip.show_in_test(frame)
        self._board.lit(frame)

    def close(self) -> None:
        """Do nothing, because the code that opened the strip closes it."""


class BorrowedKeys(Keys):
    """The board's keys during the self-test."""

    def __init__(self, pressed: Signal[KeyEvent], forget: Callable[[], None]) -> None:
        """Args:
        pressed: a signal sent with each key.
        forget: forgets the pressed keys.
        """
        self._pressed = pressed
        self._forget = forget
        self._disconnect: Callable[[], None] | None = None

    def start(self, deliver: Callable[[KeyEvent], None]) -> None:
        self._disconnect = self._pressed.connect(deliver)
        self._forget()

    def close(self) -> None:
        """Return the keys to the game."""
        if self._disconnect is not None:
            self._disconnect()
            self._disconnect = None
            self._forget()


class Setup:
    """The setup of one running board."""

    def __init__(
        self,
        board: BoardApp,
        config: Config,
        path: Path | None,
        clock: Clock,
        again: Callable[[], None],
        machine: Machine | None = None,
    ) -> None:
        """Args:
        config: of the running board.
        path: the configuration's file, or None without one.
        again: restarts the board.
        machine: the machine to examine for attached devices."""
        self._board = board
        self._config = config
        self._path = path
        self._clock = clock
        self._restart = again
        self._machine = machine or Machine()
        self._walk: selftest.Walk | None = None
        self._keys = BorrowedKeys(board.tested, board.controller.forget_keys)
        self._messages: list[tuple[str, Mapping[str, Any]]] = []
        self.restoring: int | None = None

    def _current_file(self) -> dict[str, Any]:
        """Return the current configuration file."""
        if self._path is None or not self._path.is_file():
            return {}
        try:
            return read_toml(self._path)
        except SchemaError:
            return {}

    def _questions(self, every: tuple[wizard.Question, ...]) -> tuple[wizard.Question, ...]:
        """Return the questions that apply here. For a simulated board without a file, there are no
        parts to ask about, and the players and the language are chosen at the table."""
        if self._path is None and not card.present():
            return tuple(question for question in every if question.name == "layout")
        return every

    def questions(self, answers: Mapping[str, str], language: str) -> list[dict[str, Any]]:
        known = self._current_file()
        every = wizard.questions(wizard.find_attached(self._machine), answers, known)
        return [
            {
                "name": asked.name,
                "text": text.say(Message("setup", asked.name), text.Reader(language)),
                "secret": asked.secret,
                "usual": asked.usual
                if self._path is not None or card.present()
                else self._now(asked.name),
                "choices": asked.choices
                and [
                    {"value": choice, "text": wizard.described(asked.name, choice, language)}
                    for choice in asked.choices
                ],
                "refused": wizard.objection(every, answers, asked.name, known, language),
            }
            for asked in self._questions(every)
        ]

    def _now(self, name: str) -> str:
        """Return a simulated board's current values as answers."""
        assert name == "layout"
        return self._board.layout.name

    def configure(self, answers: Mapping[str, str], language: str) -> None:
        known = self._current_file()
        every = wizard.questions(wizard.find_attached(self._machine), answers, known)
        asked = self._questions(every)
        every_answer = {question.name: question.usual for question in asked} | dict(answers)
        for question in asked:
            wrong = wizard.objection(every, every_answer, question.name, known, language)
            if wrong is not None:
                raise SetupRefused(wrong)
        try:
            written = wizard.compose(wizard.settle(every, answers, known, self._board.data))
            if card.present() or self._path is not None:
                wizard.write_secrets(every, answers, self._board.data)
        except ConfigError as error:
            together = text.say(
                Message("refusal", "setup-together", {"reason": error}), text.Reader(language)
            )
            raise SetupRefused(together) from error
        except SpokenError as error:
            raise SetupRefused(partial(text.sentence, error)) from error
        except OSError as error:
            raise _unwritten(self._board.data, error, language) from error
        if card.present():
            self.ask_card("configure", text=written)
            return
        path = self._path
        if path is None:
            self._use_layout(written)
            return
        try:
            wizard.write(path, written)
        except OSError as error:
            raise _unwritten(path, error, language) from error
        if service.installed(path):
            try:
                service.follow(path, service.run)
            except service.ServiceError as error:
                raise SetupRefused(partial(text.sentence, error)) from error

    def _use_layout(self, written: str) -> None:
        """Give a simulated board without a file this configuration's layout. Such a board has no
        other parts to configure."""
        layout = tomllib.loads(written).get("layout", self._config.layout)
        try:
            self._board.use_layout(layouts.load(layout))
        except IllegalMove as error:
            raise SetupRefused(partial(_refusal, error)) from error

    def restart(self) -> None:
        self._restart()

    def backup(self, file: Path) -> None:
        try:
            backup.save(self._board.data, file)
        except JournalError as error:
            raise SetupRefused(error.sentence) from error

    def summary(self, file: Path | None) -> Summary | None:
        try:
            return backup.summary(file or self._board.data / NAME)
        except JournalError:
            return None

    def earlier(self) -> Path | None:
        return backup.earlier(self._board.data)

    async def restore(self, file: Path) -> int:
        # In a separate process, which ends with the board, because reading thousands of games here
        # would delay keys and lights.
        program = ("-m", backup.__name__, str(file), str(self._board.data))
        self.restoring = 0
        try:
            async with running(*program) as process:
                return await self._follow(process)
        finally:
            self.restoring = None

    async def _follow(self, process: Process) -> int:
        """Return the answer of the restoring process (`backup.main`). Raises SetupRefused."""
        assert process.stdout is not None
        answer: dict[str, Any] = {}
        async for line in process.stdout:
            with suppress(ValueError):
                answer = json.loads(line)
            self.restoring = answer.get("percent", self.restoring)
        if "lines" not in answer:
            raise SetupRefused(partial(_no_backup, answer))
        return int(answer["lines"])

    def card(self) -> Mapping[str, Any] | None:
        if not card.present():
            return None
        try:
            status = card.ask("status")
            return {name: value for name, value in status.items() if name != "password"}
        except card.CardError as error:
            raise SetupRefused(partial(text.sentence, error)) from error

    def ask_card(self, do: str, **fields: Any) -> None:
        try:
            card.ask(do, **fields)
        except card.CardError as error:
            raise SetupRefused(partial(text.sentence, error)) from error

    def test(self, begin: bool) -> None:
        self._end()
        if not begin:
            return
        self._messages.clear()
        self._board.parts.strip.in_test = True
        keys = self._config.keys.options if self._config.keys is not None else None
        walk = self._walk = selftest.Walk(
            self._board.layout,
            self._clock,
            lambda code, fields: self._messages.append((code, fields)),
            self._done,
            _TestedStrip(self._board, self._config),
            self._keys,
            None,
            selftest.expected(keys),
            self._config.power,
        )
        walk.start()

    def _done(self, report: selftest.Report) -> None:
        counts = {"lit": len(report.lit), "pressed": len(report.pressed)}
        self._messages.append(("done", counts))
        if report.missing:
            self._messages.append(("missing", {"keys": " ".join(report.missing)}))
        self._end()

    def _end(self) -> None:
        """Return the lights and keys to the game."""
        if self._walk is not None:
            self._walk.stop()
            self._walk = None
            self._board.parts.strip.in_test = False
            self._keys.close()
            self._board.controller.draw()

    def tested(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        return tuple(self._messages)

    def testing(self) -> bool:
        return self._walk is not None


def _unwritten(path: Path, error: OSError, language: str) -> SetupRefused:
    message = Message("refusal", "setup-unwritten", {"path": path, "reason": error})
    return SetupRefused(text.say(message, text.Reader(language)))


def _refusal(error: IllegalMove, language: str) -> str:
    return text.refusal(error, text.Reader(language))


def _no_backup(answer: Mapping[str, Any], language: str) -> str:
    """Return the reason why a file was refused, taken from the last reply of `storage.backup`."""
    code, fields = answer.get("code", "unreadable"), answer.get("fields", {})
    code = "damaged" if code == "not-ours" else code
    if f"refusal.setup-backup-{code}" in text.sentences():
        return text.say(Message("refusal", f"setup-backup-{code}", fields), text.Reader(language))
    reason = text.say(Message("journal", code, fields), text.Reader(language))
    return text.say(
        Message("refusal", "setup-not-restored", {"reason": reason}), text.Reader(language)
    )
