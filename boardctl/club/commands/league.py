"""`boardctl league`: many clubs in one store: players, ratings, transfers and privacy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boardctl.club.command_store import stored
from boardctl.commands import Group
from boardctl.commands.shared.reading import Whole, save
from boardctl.commands.shared.terminal import aligned
from boardctl.commands.shared.user_language import say
from boardctl.text import columns

if TYPE_CHECKING:
    from boardctl.club.store import Store


@click.group(cls=Group)
def command() -> None:
    """Manage what the clubs of a store share: people, season totals, ratings.

    \b
    Examples:
        boardctl league clubs --store postgresql://league@db.example/league
        boardctl league top
        boardctl league ratings
    """


@command.command()
@stored
def clubs(club: Store) -> None:
    """List the clubs of the store and their numbers of members.

    \b
    Example:
        boardctl league clubs
    """
    from boardctl.club import league

    for name, members in league.clubs(club):
        click.echo(f"{members:>6}  {name}")


@command.command()
@click.option(
    "--count",
    type=Whole(1, 1000),
    default=20,
    show_default=True,
    help="How many players to print.",
)
@stored
def top(count: int, club: Store) -> None:
    """Print the season's top players across all clubs.

    \b
    Example:
        boardctl league top --count 100
    """
    from boardctl.club import league

    heads = [say(f"head-{name}") for name in ("evenings", "games", "won", "points", "net", "cards")]
    wide = [max(columns(head), 4) + 2 for head in heads]
    wide[0] -= 2
    click.echo(aligned(heads, wide))
    for t in league.best(club, count):
        figures = (t.evenings, t.games, t.won, t.points, f"{t.net:+}", t.cards)
        click.echo(f"{aligned(tuple(map(str, figures)), wide)}  {t.name} ({t.club})")


@command.command()
@stored
def ratings(club: Store) -> None:
    """Rate all players from every result in the store with Glicko-2, one evening per rating period.

    \b
    Example:
        boardctl league ratings
    """
    from boardctl.club import ratings as rated

    for name, rating, games in rated.rate_all(club)[:20]:
        value, half = f"{rating.value:6.0f}", f"{2 * rating.deviation:4.0f}"
        click.echo(say("rating", value=value, half=half, games=f"{games:>5}", name=name))


@command.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@stored
def skill(files: tuple[str, ...], club: Store) -> None:
    """Judge games entered by cards, from `boardctl export`, and store how much each player lost by
    decisions and gained by luck. Unlike ratings, this separates skill from luck.

    Each game counts only once. The names must be those of the club's members.

    \b
    Example:
        boardctl league skill table-1.txt table-2.txt
    """
    from hashlib import sha256

    from boardctl.bot.commands.review import analysed_in, read_record
    from boardctl.club import skill as judging
    from boardctl.record import notation

    found: list[judging.Judged] = []
    for file in files:
        for (_, _, moves), analysis in analysed_in(read_record(file)):
            record = "\n".join((*analysis.seats, *map(notation.spell, moves)))
            game = sha256(record.encode()).hexdigest()[:32]
            for seat, name in enumerate(analysis.seats, 1):
                if costs := analysis.costs(seat):
                    squares = sum(cost * cost for cost in costs)
                    luck = analysis.luck(seat)
                    found.append(judging.Judged(game, name, len(costs), sum(costs), squares, luck))
    new, unknown = judging.keep(club, found)
    click.echo(say("skill-kept", new=new, left=len(found) - new))
    for name in sorted(unknown):
        click.echo(say("no-member", name=name), err=True)


@command.command()
@click.argument("name")
@click.argument("to", metavar="CLUB")
@stored
def transfer(name: str, to: str, club: Store) -> None:
    """Move a member from one club (`--club`) to another; identity and results are kept.

    \b
    Example:
        boardctl league transfer Ann "Club 43" --club "Club 12"
    """
    from boardctl.club import league

    league.transfer(club, name, to)
    click.echo(say("transferred", name=name, club=to))


@command.command()
@click.argument("name")
@click.option(
    "--delete",
    is_flag=True,
    help="Replace the name with a pseudonym and remove the PIN, permanently.",
)
@click.option("--file", type=click.Path(path_type=Path), help="File to write the stored data to.")
@stored
def person(name: str, delete: bool, file: Path | None, club: Store) -> None:
    """Write all stored data of a member as JSON, or delete the person.

    \b
    Examples:
        boardctl league person Ann --file ann.json
        boardctl league person Ann --delete
    """
    from boardctl.club import league

    if delete:
        click.confirm(say("delete-person", name=name), abort=True)
        click.echo(say("forgotten", name=name, pseudonym=league.forget(club, name)))
        return
    content: dict[str, Any] = league.everything(club, name)
    written = json.dumps(content, ensure_ascii=False, indent=2)
    if file is None:
        click.echo(written)
    else:
        save(file, f"{written}\n".encode())
        click.echo(say("wrote", file=file))
