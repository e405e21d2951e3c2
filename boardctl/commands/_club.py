"""How the commands of a club open its store, and speak."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from boardctl.commands._language import spoken
from boardctl.options import needs

if TYPE_CHECKING:
    from boardctl.club.store import Store


def stored(function: Callable[..., Any], *, begins: bool = False) -> Callable[..., Any]:
    """Add the options that select a store and a club.

    Args:
        function: a command whose `club` is the opened store.
        begins: whether it begins the club and the season if the store has none of that name.
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
        with _open(store, club_name, season, begins) as club:
            if evening_name is not None:
                club.choose(evening_name)
            return function(club=club, **more)

    return opened


beginning = functools.partial(stored, begins=True)
"""`stored` for the commands that begin an evening."""


def say(code: str, **fields: object) -> str:
    """A club's sentence in the board's or the terminal's language."""
    from boardctl import text

    return text.say("club", code, fields, (), spoken())


def store_url(given: str | None) -> str:
    """The club's store; by default a file in the data directory."""
    from boardctl.storage.files import data_directory

    return given or str(data_directory() / "club.sqlite3")


@contextmanager
def _open(
    url: str | None, club_name: str | None, season: str | None, begins: bool
) -> Iterator[Store]:
    """Open the club's store; errors are reported in one sentence."""
    from boardctl import text
    from boardctl.club.evening import ClubRefusal

    with needs("store", "club"):
        from boardctl.club.store import Store
    try:
        store = Store(store_url(url), club_name, season, begins=begins)
        try:
            yield store
        finally:
            store.close()
    except ClubRefusal as error:
        raise click.ClickException(text.refusal(error, (), spoken())) from error
