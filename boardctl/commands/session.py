"""`boardctl session`: print an evening's games."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

import click

from boardctl import __version__, text
from boardctl.commands.shared.data import board_data
from boardctl.commands.shared.user_language import advised, spoken
from boardctl.games import Outcome
from boardctl.record import history
from boardctl.storage.archive import Archive
from boardctl.text.moves import title


@click.command()
@click.option("--all", "every", is_flag=True, help="Print every evening, not only the last.")
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def command(every: bool, data: Path | None) -> None:
    """Print the last evening: its games, how they ended, and the games won by each player.

    The game numbers are those listed by `boardctl games --played`.

    \b
    Example:
        boardctl session
    """

    with advised(), closing(Archive(board_data(data), __version__)) as archive:
        games = archive.games() if every else iter(archive.last_evening())
        for _, evening in groupby(games, key=lambda game: game.evening):
            _print(tuple(evening), spoken())


def _print(evening: tuple[history.PlayedGame, ...], language: str) -> None:
    say = text.saying("session", language)
    began = time.strftime(say("began"), time.localtime(evening[0].began))
    click.echo(f"{evening[0].session or say('evening')}  ({began})")
    tally = history.won_by(evening)
    rows = []
    for game in evening:
        outcome = game.outcome
        if outcome is None or game.is_nought:
            continue
        names = text.sides(game.teams, language)
        sides = "  ".join(
            f"{side} {score}" for side, score in zip(names, game.shown_scores, strict=True)
        )
        ended = _ended(outcome, names, language)
        rows.append((game.number, title(game.game, language), f"{sides}   {ended}"))
    wide = max((text.columns(name) for _, name, _ in rows), default=0)
    for number, name, rest in rows:
        click.echo(f"{number:>4}  {text.filled(name, wide)}  {rest}")
    won = "  ".join(f"{text.called(name, language)} {count}" for name, count in tally.items())
    click.echo(f"  {say('won', names=won)}")


def _ended(outcome: Outcome, sides: Sequence[str], language: str) -> str:
    """Return how a game ended, in a few words."""
    say = text.saying("page", language)
    if outcome.winner is None:
        return say(outcome.state)
    won = say("won-by", name=sides[outcome.winner - 1])
    plain = outcome.margin in (None, "game")
    return won if plain else f"{won} ({say(f'margin-{outcome.margin}')})"
