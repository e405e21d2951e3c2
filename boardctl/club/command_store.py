"""Helpers for the club commands, which open a club's store and print sentences."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from boardctl.commands.shared.user_language import spoken
from boardctl.message import Message
from boardctl.options import needs

if TYPE_CHECKING:
    from boardctl.club.store import Store


def stored(function: Callable[..., Any], *, begins: bool = False) -> Callable[..., Any]:
    """Add the options that select a store and a club to a command.

    Args:
        function: a command whose `club` is the opened store.
        begins: whether the command creates a missing club or season.
    """
    if not begins:
        function = click.option(
            "--evening", "evening_name", metavar="NAME", help="The evening; by default the newest."
        )(function)
    for option in (
        click.option(
            "--season",
            "season",
            metavar="NAME",
            help="The season of new evenings; by default the last.",
        ),
        click.option(
            "--club", "club_name", metavar="NAME", help="The club, if the store has several."
        ),
        click.option(
            "--store",
            metavar="STORE",
            help="The club's file, or postgresql://…; shared with the hub.",
        ),
    ):
        function = option(function)

    @functools.wraps(function)
    def opened(
        store: str | None,
        club_name: str | None,
        season: str | None,
        evening_name: str | None = None,
        **more: Any,
    ) -> Any:
        with open_store(store, club_name, season, begins) as club:
            if evening_name is not None:
                club.choose(evening_name)
            return function(club=club, **more)

    return opened


beginning = functools.partial(stored, begins=True)
"""The decorator `stored` for commands that begin an evening."""


def say(code: str, **fields: object) -> str:
    """Return a sentence about a club, in the board's or the terminal's language."""
    from boardctl import text

    return text.say(Message("club", code, fields), text.Reader(spoken()))


@contextmanager
def open_store(
    url: str | None, club_name: str | None, season: str | None, begins: bool
) -> Iterator[Store]:
    """Open a club's store, and report any error in one sentence.

    Args:
        url: a path or the URL of a database, or None for a file in the data directory.
        club_name: the club, or None for the first one.
        season: the season of new evenings, or None for the last one.
        begins: whether a missing club or season is created.
    """
    from boardctl import text
    from boardctl.club.evening import ClubRefusal
    from boardctl.storage.files import data_directory

    with needs("store", "club"):
        from boardctl.club.store import Store
    try:
        store = Store(
            url or str(data_directory() / "club.sqlite3"), club_name, season, begins=begins
        )
        try:
            yield store
        finally:
            store.close()
    except ClubRefusal as error:
        raise click.ClickException(text.refusal(error, text.Reader(spoken()))) from error
