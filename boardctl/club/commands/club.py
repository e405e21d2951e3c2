"""`boardctl club`: run an evening of many tables: draws, results, standings, sheets."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from boardctl.club.command_store import beginning, say, stored
from boardctl.commands import Group
from boardctl.commands.shared import user_language
from boardctl.commands.shared.reading import Lines, Whole, save
from boardctl.commands.shared.terminal import aligned
from boardctl.commands.shared.user_language import language_option, refused
from boardctl.options import needs, read_file
from boardctl.text import columns

if TYPE_CHECKING:
    from boardctl.club.evening import Result
    from boardctl.club.store import Store


@click.group(cls=Group)
def command() -> None:
    """Run a club evening: nobody meets twice; standings follow the American Cribbage Congress.

    \b
    Examples:
        boardctl club new Friday Ann Bob Cleo Dan
        boardctl club draw
        boardctl club result 1 Ann Bob 17
        boardctl club standings
        boardctl club sheet friday.pdf
    """


_paper = click.option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    default="a4",
    show_default=True,
    help="The size of a page.",
)


@command.command()
@click.argument("name")
@click.argument("players", nargs=-1)
@click.option("--file", type=Lines(), help="The players' names, one a line.")
@click.option("--rounds", type=Whole(1, 63), help="Default 9, or 22 for a qualifying round.")
@click.option("--qualifying", is_flag=True, help="Follow it with a playoff of the top quarter.")
@click.option("--open", "open_", is_flag=True, help="Players join with the code on the hub's page.")
@click.option("--seed", type=int, help="Seed of the draw; the same seed gives the same draw.")
@beginning
def new(
    name: str,
    players: tuple[str, ...],
    file: Iterator[str] | None,
    rounds: int | None,
    qualifying: bool,
    open_: bool,
    seed: int | None,
    club: Store,
) -> None:
    """Start an evening and draw its order of play.

    Players without a PIN get one, shown here once; hand it to that player only. Both players
    confirm a manually entered result with their PINs. A PIN stays valid on later evenings.

    \b
    Example:
        boardctl club new Friday --file players.txt
    """
    from boardctl.club.evening import most_rounds

    names = list(players)
    if file is not None:
        names += [line.strip() for line in file if line.strip()]
    random.Random(seed).shuffle(names)
    rounds = rounds or (22 if qualifying else 9)
    club.new(name, names, rounds, "qualifying" if qualifying else "evening", open_=open_)
    pins = club.give_pins(names)
    click.echo(say("began", name=name, players=len(names), rounds=rounds))
    if not open_ and rounds > most_rounds(len(names)):
        most = most_rounds(len(names))
        click.echo(say("few", players=len(names), most=most, rounds=rounds))
    for player, pin in pins.items():
        click.echo(user_language.say("pin", pin=pin, name=player))


@command.command()
@click.argument("name")
@stored
def pin(name: str, club: Store) -> None:
    """Give a player a new PIN, shown once; the old one stops working.

    \b
    Example:
        boardctl club pin Ann
    """
    evening = club.about().number
    result = club.new_pin(club.player(evening, name))
    click.echo(user_language.say("pin", pin=result, name=name))


@command.command()
@click.argument("name")
@stored
def enter(name: str, club: Store) -> None:
    """Add a player who comes late; the next round is drawn with them.

    A player without a PIN gets one, shown here once.

    \b
    Example:
        boardctl club enter Eve
    """
    evening = club.about().number
    entered = club.enter(evening, name)
    click.echo(say("entered", name=entered))
    for player, pin in club.give_pins((entered,)).items():
        click.echo(user_language.say("pin", pin=pin, name=player))


@command.command()
@click.option("--anyway", is_flag=True, help="Start even if some rounds have not been drawn.")
@stored
def playoff(anyway: bool, club: Store) -> None:
    """Start the playoff of the newest evening's top quarter, or draw its next round.

    Enter each match with `boardctl club result`; its spread is the margin in games.

    \b
    Example:
        boardctl club playoff
    """
    from boardctl.club import stages

    about = club.about()
    if about.kind == "playoff":
        number, (round_, matches) = about.number, stages.next_round(club, about.number)
    else:
        round_, (number, matches) = 1, stages.begin_playoff(club, about.number, anyway)
    click.echo(f"{club.about(number).name}, {say('round', round=round_)}")
    for place, (one, two) in enumerate(matches, 1):
        click.echo(f"{place:>4}  {f'{one} - {two}' if two else say('bye', name=one)}")


@command.command()
@click.option(
    "--of", "number", type=int, help="The number of the qualifying evening; by default the newest."
)
@click.option(
    "--rounds",
    type=Whole(1, 63),
    default=9,
    show_default=True,
    help="The rounds of the evening.",
)
@stored
def consolation(number: int | None, rounds: int, club: Store) -> None:
    """Start an evening for the players who did not qualify.

    \b
    Example:
        boardctl club consolation --rounds 9
    """
    from boardctl.club import stages

    about = club.about(number)
    source = about.source if about.kind == "playoff" and about.source else about.number
    began = club.about(stages.begin_consolation(club, source, rounds))
    count = len(club.players(began.number))
    click.echo(say("began", name=began.name, players=count, rounds=rounds))


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@_paper
@language_option("--language", "The language of the cards.")
@stored
def cards(file: Path, paper: str, language: str, club: Store) -> None:
    """Write a score card for each player to a PDF, four per page.

    \b
    Example:
        boardctl club cards cards.pdf --paper letter
    """
    from boardctl.club import cards as score_cards

    about = club.about()
    players, draws = club.players(about.number), club.draws(about.number)
    save(file, score_cards.write(about.name, players, about.rounds, draws, paper, language))
    click.echo(say("wrote", file=file))


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--what",
    type=click.Choice(["rounds", "standings"]),
    default="rounds",
    show_default=True,
    help="Whether to write the rounds or the standings.",
)
@stored
def export(file: Path, what: str, club: Store) -> None:
    """Write the evening's rounds and results, or its standings, as CSV.

    \b
    Example:
        boardctl club export friday.csv
    """
    from boardctl.club import tables

    evening = club.about().number
    if what == "rounds":
        content = tables.write_rounds(club.draws(evening), club.meetings(evening))
    else:
        content = tables.write_standings(club.standings(evening))
    save(file, content.encode())
    click.echo(say("wrote", file=file))


@command.command(name="import")
@click.argument("name")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@beginning
def read_in(name: str, file: Path, club: Store) -> None:
    """Create an evening from a CSV file with the columns round, table, one, two, winner, spread.

    \b
    Example:
        boardctl club import "Friday, on paper" friday.csv
    """
    from boardctl.club import tables

    try:
        content = read_file(file, tables.LONGEST).decode()
    except OSError as error:
        raise refused("unreadable", file, reason=error) from error
    except UnicodeDecodeError as error:
        raise refused("not-utf-8", file, byte=error.start + 1) from error
    rows = tables.read_rounds(content)
    club.read_in(name, rows)
    played = sum(bool(row.winner) for row in rows)
    click.echo(say("read-in", name=name, lines=len(rows), results=played))


@command.command()
@click.option(
    "--absent",
    metavar="NAME",
    multiple=True,
    help="A player who sits out this round; can be repeated.",
)
@click.option("--cast", is_flag=True, help="Draw a new random order, before the first round.")
@click.option("--anyway", is_flag=True, help="Draw even if results of a round are missing.")
@stored
def draw(absent: tuple[str, ...], cast: bool, anyway: bool, club: Store) -> None:
    """Draw the next round. While results of a round are missing, only --anyway draws the next.

    \b
    Example:
        boardctl club draw --absent Ann
    """
    from boardctl.club.evening import ClubRefusal

    about = club.about()
    if cast:
        club.cast(about.number, random.SystemRandom())
    missing = [met.round for met in club.meetings(about.number) if met.result is None]
    # otherwise the store's message is more specific
    if missing and not anyway and about.kind != "playoff":
        raise ClubRefusal("round-unfinished", round=missing[0], count=len(missing))
    number, drawn = club.draw(about.number, absent)
    click.echo(f"{about.name}, {say('round', round=number)}")
    for table, (one, two) in enumerate(drawn.pairs, 1):
        click.echo(f"{table:>4}  {one} - {two}")
    if drawn.bye is not None:
        click.echo(f"   -  {say('bye', name=drawn.bye)}")


@command.command()
@click.argument("number", type=int, metavar="ROUND")
@click.argument("winner")
@click.argument("loser")
@click.argument("spread", type=int)
@stored
def result(number: int, winner: str, loser: str, spread: int, club: Store) -> None:
    """Enter or correct a result by hand. Both players type their PINs; the entry keeps a mark.

    \b
    Example:
        boardctl club result 1 Ann Bob 17
    """
    evening = club.about().number
    club.entry(evening, number, winner, loser, spread)
    one, two = (
        click.prompt(say("pin-of", name=name), hide_input=True, default="", show_default=False)
        for name in (winner, loser)
    )
    result = club.correct(evening, number, winner, loser, spread, (one, two), time.time())
    fields = {"winner": result.winner, "points": result.points, "spread": result.spread}
    click.echo(say("by-both", **fields))


@command.command()
@click.argument("name")
@stored
def forfeit(name: str, club: Store) -> None:
    """Give the unplayed games of a player who has left to their opponents.

    Each counts as a game resigned before its first deal: 2 game points, +1. Leave the player out of
    the next rounds with `boardctl club draw --absent`.

    \b
    Example:
        boardctl club forfeit Ann
    """
    evening = club.about().number
    for met in club.forfeit(evening, name):
        where = f"{say('round', round=met.round)}, {say('table')} {met.table}"
        assert met.result is not None
        click.echo(f"{where}: {_beaten(met.result)} ({say('forfeit')})")


@command.command()
@click.argument("number", type=Whole(1, 10_000), metavar="TABLE")
@click.argument("board")
@stored
def table(number: int, board: str, club: Store) -> None:
    """Assign a board to a table: only its results count there automatically.

    \b
    Example:
        boardctl club table 1 table-1
    """
    from boardctl.mqtt import NAME

    if not NAME.fullmatch(board):
        raise click.BadParameter(refused("board-name", value=board).message, param_hint="'BOARD'")
    club.bind(board, number)
    for name, place in club.boards().items():
        click.echo(f"{place or '-':>4}  {name}")


@command.command()
@stored
def conflicts(club: Store) -> None:
    """List the games received that are not counted.

    \b
    Example:
        boardctl club conflicts
    """
    about = club.about()
    found = club.conflicts(about.number)
    click.echo(about.name if found else f"{about.name}\n{say('no-conflict')}")
    for c in found:
        click.echo(
            f"{say('round', round=c.round)}, {say('table')} {c.table or '-'}: {_beaten(c.result)} "
            f"({say(c.reason)}): {c.board} {c.game}"
        )


@command.command()
@click.argument("board")
@click.argument("game")
@click.option("--accept/--dismiss", required=True, help="Count this game instead, or never.")
@stored
def decide(board: str, game: str, accept: bool, club: Store) -> None:
    """Decide on one of the games that `boardctl club conflicts` lists.

    \b
    Example:
        boardctl club decide table-1 a1b2c3-4-1 --accept
    """
    evening = club.about().number
    c = club.decide(evening, board, game, accept)
    click.echo(f"{_beaten(c.result)}: {say('counts' if accept else 'counts-not')}")


def _beaten(result: Result) -> str:
    """Return the winner, the loser and the spread in words."""
    fields = {"winner": result.winner, "loser": result.loser, "spread": result.spread}
    return say("beaten", **fields)


@command.command()
@stored
def standings(club: Store) -> None:
    """Print the standings: game points, games won, net spread, plus points.

    \b
    Example:
        boardctl club standings
    """
    about = club.about()
    evening = about.number
    click.echo(about.name)
    if about.kind == "playoff":
        from boardctl.club import stages

        champion = stages.champion(club, evening)
        click.echo(say("goes-on") if champion is None else say("champion", name=champion))
        return
    found = club.standings(evening)
    by_hand = [m for m in club.meetings(evening) if m.result and m.result.corrected]
    head = [say(code) for code in ("rank", "games", "won", "points", "net", "plus", "player")]
    rows = [
        [str(s.rank), str(s.games), str(s.won), str(s.points), f"{s.net:+}", str(s.plus), s.name]
        for s in found
    ]
    wide = [2 + max(map(columns, column)) for column in zip(head, *rows, strict=True)]
    wide[0] -= 2
    for *figures, player in (head, *rows):
        click.echo(f"{aligned(figures, wide[:-1])}  {player}")
    for meeting in by_hand:
        where = say("round", round=meeting.round)
        click.echo(f"{say('by-hand')}: {where}, {meeting.one} - {meeting.two}")


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@_paper
@language_option("--language", "The language of the sheet.")
@stored
def sheet(file: Path, paper: str, language: str, club: Store) -> None:
    """Write the evening to a PDF: the rounds drawn so far and the standings.

    \b
    Example:
        boardctl club sheet friday.pdf
    """
    with needs("sheet", "drawings"):
        from boardctl.club import sheet as sheets
    about = club.about()
    number = about.number
    found = (club.draws(number), club.meetings(number), club.standings(number))
    save(file, sheets.write(about.name, *found, paper=paper, language=language))
    click.echo(say("wrote", file=file))


@command.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.argument("boards", nargs=-1, required=True)
@click.option("--host", metavar="HOST", help="The host name that boards use for this machine.")
@click.option(
    "--port",
    type=Whole(1, 65535),
    default=8883,
    show_default=True,
    help="The broker's port.",
)
@click.option("--add", is_flag=True, help="Admit more boards, or give a board a new code.")
@click.option("--revoke", is_flag=True, help="Revoke boards.")
def broker(
    directory: Path,
    boards: tuple[str, ...],
    host: str | None,
    port: int,
    add: bool,
    revoke: bool,
) -> None:
    """Write a Mosquitto configuration: TLS, passwords, and an ACL for each board.

    Each board's code is shown once and not stored; enter it there with `boardctl club join`.

    \b
    Examples:
        boardctl club broker /etc/boardctl-broker table-1 table-2 --host broker.local
        boardctl club broker /etc/boardctl-broker table-3 --add
        boardctl club broker /etc/boardctl-broker table-2 --revoke
    """
    from boardctl.club import broker as brokers

    if host is None and not add and not revoke:
        raise click.UsageError(user_language.say("host-missing"))
    joined = []
    if revoke:
        brokers.revoke(directory, boards)
        click.echo(user_language.say("broker-reload") + "\n")
    elif add:
        joined = brokers.add(directory, boards)
        click.echo(user_language.say("broker-reload") + "\n")
    else:
        joined = brokers.write(directory, host or "", port, boards)
        click.echo(f"mosquitto -c {directory}/mosquitto.conf\n")
    for one in joined:
        click.echo(f"{one.user:<12} {one.code}")


@command.command()
@click.argument("code")
@click.argument("directory", type=click.Path(path_type=Path))
def join(code: str, directory: Path) -> None:
    """Connect this board, hub or Home Assistant to a broker with the code that the broker showed.

    Writes the broker's certificate and the password into a directory and prints the config lines
    to add, or for a hub the command that starts it.

    \b
    Example:
        boardctl club join CODE /etc/boardctl
    """
    from boardctl.mqtt.joining import join

    click.echo(join(code, directory))
