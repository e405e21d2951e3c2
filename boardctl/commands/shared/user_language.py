"""The language used for a command's messages."""

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
"""The environment variables for a terminal's language. The first non-empty one applies (POSIX,
8.2)."""


def language(config: Path | None = None) -> str:
    """Return the language set in a configuration. Without a configuration, return the terminal's
    language, or English if that language is not supported.

    Args:
        config: the configuration file; by default this machine's, if it has one.
    """
    return _configured(config or config_file.find()) or _terminals()


def boards_language(config: Path | None = None) -> str:
    """Return the configured board's language, by default English. Without a configuration, return
    the terminal's language.

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
    except SchemaError:  # code that needs more of the file reports its faults
        return None
    return named if named in LANGUAGES else None


def _terminals() -> str:
    given = next((found for name in ENVIRONMENT if (found := os.environ.get(name))), "")
    named = given.partition(".")[0].partition("_")[0]
    return named if named in LANGUAGES else "en"


_CHOSEN: Final = f"{__name__}.chosen"
"""The key under which a command's context stores its language."""


def speak(chosen: str) -> None:
    """Set the language of the running command."""
    click.get_current_context().meta[_CHOSEN] = chosen
    os.environ["LANGUAGE"] = chosen


def spoken() -> str:
    """Return the language of the running command. It is chosen by an option or by a given file, and
    is otherwise the board's or the terminal's language."""
    context = click.get_current_context(silent=True)
    if context is None:
        return language()
    chosen: str = context.meta.setdefault(_CHOSEN, language())
    return chosen


def say(code: str, /, **fields: object) -> str:
    """Return a sentence of kind `command` in the language of the running command."""
    return text.say(Message("command", code, fields), text.Reader(spoken()))


def refused(code: str, /, where: object = "", **fields: object) -> click.ClickException:
    """Return an error about a file or line, which ends the command with a sentence of kind
    `failure`."""
    return click.ClickException(text.sentence(text.SpokenError(code, where, **fields), spoken()))


def no_such_game(number: int, count: int) -> click.ClickException:
    """Return the error for a game number that is higher than that of the journal's last game."""
    return refused("no-such-game" if count else "no-games", number=number, count=count)


@contextmanager
def advised() -> Iterator[None]:
    """Add the remedy to an error message about an unreadable journal."""
    from boardctl.storage.journal import JournalError

    try:
        yield
    except JournalError as error:
        raise click.ClickException(f"{error.where}: {error.advice(spoken())}") from error


def _chosen(context: click.Context, param: click.Parameter, value: str) -> str:
    speak(value)
    return value


def language_option(name: str, what: str) -> Callable[[Any], Any]:
    """Return an option that selects a language. If the option is not given, `language` determines
    the language.

    Args:
        name: `--lang` or `--language`.
        what: its help.
    """
    usual = "the board's or the terminal's"
    kind = click.Choice(LANGUAGES)
    return click.option(
        name, type=kind, default=spoken, show_default=usual, help=what, callback=_chosen
    )
