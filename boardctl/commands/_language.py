"""The language in which a command speaks to people."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from boardctl import text
from boardctl.app import config_file
from boardctl.message import Message
from boardctl.options import SchemaError, read_toml
from boardctl.text import LANGUAGES

ENVIRONMENT: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where a terminal's language stands: the first that is not empty counts (POSIX, 8.2)."""


def language(config: Path | None = None) -> str:
    """The language that a configuration names; where there is none, the terminal's; where we do
    not speak that one, English.

    Args:
        config: the configuration file; by default this machine's, if it has one.
    """
    return _configured(config or config_file.find()) or _terminals()


def boards_language(config: Path | None = None) -> str:
    """The language of the board with a configuration, which is English where that names none;
    without a configuration, the terminal's.

    Args:
        config: as for `language`.
    """
    path = config or config_file.find()
    return _terminals() if path is None else _configured(path) or "en"


def _configured(path: Path | None) -> str | None:
    if path is None:
        return None
    try:
        named = read_toml(path).get("language")
    except SchemaError:  # whoever needs more of it says what is wrong
        return None
    return named if named in LANGUAGES else None


def _terminals() -> str:
    given = next((found for name in ENVIRONMENT if (found := os.environ.get(name))), "")
    named = given.partition(".")[0].partition("_")[0]
    return named if named in LANGUAGES else "en"


_CHOSEN: Final = f"{__name__}.chosen"
"""The key of the command's language in its context."""


def speak(chosen: str) -> None:
    """From now on the running command speaks this language."""
    click.get_current_context().meta[_CHOSEN] = chosen
    os.environ["LANGUAGE"] = chosen


def spoken() -> str:
    """The language of the running command: the one chosen by an option or a file named to it, else
    the board's or the terminal's."""
    context = click.get_current_context(silent=True)
    if context is None:
        return language()
    chosen: str = context.meta.setdefault(_CHOSEN, language())
    return chosen


def say(code: str, /, **fields: object) -> str:
    """A sentence of kind `command` in the running command's language."""
    return text.say(Message("command", code, fields), text.Reader(spoken()))


def refused(code: str, /, where: object = "", **fields: object) -> click.ClickException:
    """An error that ends the command with a sentence of kind `failure`, about a file or line."""
    return click.ClickException(text.sentence(text.SpokenError(code, where, **fields), spoken()))


def no_such_game(number: int, count: int) -> click.ClickException:
    """The error of a game that the journal, with so many games, does not have."""
    return refused("no-such-game" if count else "no-games", number=number, count=count)


@contextmanager
def advised() -> Iterator[None]:
    """Say of a journal that cannot be read what to do, too."""
    from boardctl.storage.journal import JournalError

    try:
        yield
    except JournalError as error:
        raise click.ClickException(f"{error.where}: {error.advice(spoken())}") from error


def _chosen(context: click.Context, param: click.Parameter, value: str) -> str:
    speak(value)
    return value


def language_option(name: str, what: str) -> Callable[[Any], Any]:
    """An option that selects a language; without it, `language` does.

    Args:
        name: `--lang` or `--language`.
        what: its help.
    """
    usual = "the board's or the terminal's"
    kind = click.Choice(LANGUAGES)
    return click.option(
        name, type=kind, default=spoken, show_default=usual, help=what, callback=_chosen
    )
