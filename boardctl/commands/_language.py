"""The language in which a command speaks to people."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from boardctl.options import SchemaError, read_toml
from boardctl.text import LANGUAGES

if TYPE_CHECKING:
    from boardctl.storage.database import JournalError

ENVIRONMENT: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where a terminal's language stands: the first that is not empty counts (POSIX, 8.2)."""


def language(config: Path | None = None) -> str:
    """The board's language, as its configuration has it; where there is none, the terminal's; where
    we do not speak that one, English.

    Args:
        config: the configuration file; by default this machine's, if it has one.
    """
    from boardctl.app import config as configuration

    path = config or configuration.find()
    if path is not None:
        try:
            return _spoken(str(read_toml(path).get("language", "en")))
        except SchemaError:  # whoever needs more of it says what is wrong
            pass
    given = next((found for name in ENVIRONMENT if (found := os.environ.get(name))), "")
    return _spoken(given.partition(".")[0].partition("_")[0])


def _spoken(wanted: str) -> str:
    return wanted if wanted in LANGUAGES else "en"


def unreadable(error: JournalError) -> click.ClickException:
    """What is wrong with a journal and what to do, in the language of `language`."""
    return click.ClickException(f"{error.where}: {error.advice(language())}")


def language_option(name: str, what: str) -> Callable[[Any], Any]:
    """An option that selects a language; without it, `language` does.

    Args:
        name: `--lang` or `--language`.
        what: its help.
    """
    usual = "the board's or the terminal's"
    kind = click.Choice(LANGUAGES)
    return click.option(name, type=kind, default=language, show_default=usual, help=what)
