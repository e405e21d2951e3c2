"""`boardctl league`: many clubs on one store: their players, ratings, transfers and privacy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boardctl.commands.club import stored

if TYPE_CHECKING:
    from boardctl.club.store import Store


@click.group()
def command() -> None:
    """Look after what the clubs of a store share: people, season totals, ratings.

    \b
    Example:
        boardctl league clubs --store postgresql://league@db.example/league
        boardctl league top
        boardctl league ratings
    """


@command.command()
@stored
def clubs(club: Store) -> None:
    """List the clubs of the store with their members.

    \b
    Example:
        boardctl league clubs
    """
    from boardctl.club import league

    for name, members in league.clubs(club):
        click.echo(f"{members:>6}  {name}")


@command.command()
@click.option("--count", type=click.IntRange(1, 1000), default=20, show_default=True)
@stored
def top(count: int, club: Store) -> None:
    """Print the first players of the season over all clubs.

    \b
    Example:
        boardctl league top --count 100
    """
    from boardctl.club import league

    click.echo("evenings  games  won  points   net  12+ cards")
    for t in league.best(club, count):
        click.echo(
            f"{t.evenings:>8}  {t.games:>5}  {t.won:>3}  {t.points:>6}  {t.net:>+4}"
            f"  {t.cards:>9}  {t.name} ({t.club})"
        )


@command.command()
@stored
def ratings(club: Store) -> None:
    """Rate everybody from all results in the store by Glicko-2, an evening at a time.

    \b
    Example:
        boardctl league ratings
    """
    from boardctl.club import ratings as rated

    for name, rating, games in rated.rate_all(club)[:20]:
        click.echo(f"{rating.value:6.0f} ±{2 * rating.deviation:4.0f}  {games:>5} games  {name}")


@command.command()
@click.argument("name")
@click.argument("to", metavar="CLUB")
@stored
def transfer(name: str, to: str, club: Store) -> None:
    """Make a member of one club (`--club`) a member of another; identity and results stay hers.

    \b
    Example:
        boardctl league transfer Ann "Club 43" --club "Club 12"
    """
    from boardctl.club import league

    league.transfer(club, name, to)
    click.echo(f"{name} is now a member of {to}")


@command.command()
@click.argument("name")
@click.option("--delete", is_flag=True, help="Replace name and PIN by a pseudonym, for ever.")
@click.option("--file", type=click.Path(path_type=Path), help="Where to write what is stored.")
@stored
def person(name: str, delete: bool, file: Path | None, club: Store) -> None:
    """Write all that the store holds of a member as JSON, or delete the person.

    \b
    Example:
        boardctl league person Ann --file ann.json
        boardctl league person Ann --delete
    """
    from boardctl.club import league

    if delete:
        click.confirm(f"Delete {name}? This cannot be undone", abort=True)
        click.echo(f"{name} is now {league.forget(club, name)}")
        return
    content: dict[str, Any] = league.everything(club, name)
    written = json.dumps(content, ensure_ascii=False, indent=2)
    if file is None:
        click.echo(written)
    else:
        file.write_text(written + "\n", "utf-8")
        click.echo(f"wrote {file}")
