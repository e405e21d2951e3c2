"""`boardctl duplicate`: compare players who play the same deals."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from boardctl import text
from boardctl.bot import duplicate, evening
from boardctl.bot.duplicate import Comparison
from boardctl.bot.evening import Code
from boardctl.commands import Group
from boardctl.commands.shared.reading import Whole, evenings, for_all_to_see, journal_games, lines
from boardctl.commands.shared.user_language import spoken
from boardctl.games import IllegalMove
from boardctl.games.cards import spell
from boardctl.message import Message
from boardctl.record import sealed
from boardctl.record.history import PlayedGame
from boardctl.record.record import Record

_ROUNDS = Whole(evening.ROUNDS[0], evening.ROUNDS[-1])
_LEVELS = Whole(evening.LEVELS[0], evening.LEVELS[-1])


@click.group(cls=Group)
def command() -> None:
    """Let several players play the same deals, on one or several boards, and compare their results.
    The page offers this under "Same deals for everybody".

    \b
    Examples:
        boardctl duplicate new --rounds 3
        boardctl duplicate deal CODE --round 2 --number 1
        boardctl duplicate compare our-board.txt their-board.txt
    """


@command.command()
@click.option("--rounds", type=_ROUNDS, default=3, show_default=True, help="Games per player.")
@click.option("--level", type=_LEVELS, default=5, show_default=True, help="The board's level.")
def new(rounds: int, level: int) -> None:
    """Print the code of a new evening, to enter on the page of each board.

    \b
    Example:
        boardctl duplicate new --rounds 3 --level 4
    """
    code = evening.draw(rounds, level, secrets.randbelow)
    click.echo(_say("code", code=str(code)))


@command.command()
@click.argument("code")
@click.option("--round", "number", type=_ROUNDS, default=1, help="Which game of a player.")
@click.option("--number", "deal_number", type=Whole(1), default=1, help="Which deal of the game.")
def deal(code: str, number: int, deal_number: int) -> None:
    """Print the hands and the starter of a deal in the notation, so that you can prepare a real
    pack.

    \b
    Example:
        boardctl duplicate deal CODE --round 2 --number 3
    """
    shuffle = _code(code).shuffle(number)
    found = sealed.deal(shuffle.key, shuffle.cut, deal_number)
    for seat, hand in enumerate(found.hands, 1):
        click.echo(f"{seat} hand {spell(hand)}")
    click.echo(f"starter {found.starter}")


@command.command()
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--code", metavar="CODE", help="Compare only the deals of this evening.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def compare(files: tuple[str, ...], code: str | None, as_json: bool, data: Path | None) -> None:
    """Compare the games in exported files (`boardctl export`) or in this board's journal. Print the
    standings by matchpoints, and each deal with every player's points.

    Deals are compared if both hands, the starter and the dealer are the same. A player's second
    game with the same cards does not count. The last deal of a game does not count either, because
    the end of the game cuts it short.

    \b
    Examples:
        boardctl duplicate compare
        boardctl duplicate compare our-board.txt their-board.txt
        boardctl duplicate compare --code CODE --json
    """
    chosen = None if code is None else _code(code)
    games = _read(files) if files else duplicate.whole(for_all_to_see(journal_games(data)))
    found = duplicate.compare(games, chosen, text.is_own_name)
    if as_json:
        click.echo(json.dumps(duplicate.as_data(found), ensure_ascii=False))
        return
    if not found.standings:
        click.echo(_say("none"))
    for sentence in _sentences(found):
        click.echo(sentence)


def _sentences(found: Comparison) -> Iterator[str]:
    """Yield sentences that state the standings and describe the deals."""
    for one in found.standings:
        yield _say(
            "standing",
            rank=one.rank,
            name=text.called(one.name, spoken()),
            share=f"{100 * one.share:.1f}",
            above=f"{one.above:+.2f}",
            deals=one.deals,
            won=one.won,
            games=one.games,
        )
    for each in found.travellers:
        hands = [spell(sorted(hand)) for hand in each.cards.hands]
        yield _say(
            "traveller" if each.round else "deal",
            round=each.round,
            number=each.number,
            one=hands[0],
            two=hands[1],
            starter=each.cards.starter,
            dealer=each.cards.dealer,
        )
        for row in each.rows:
            yield _say(
                "row",
                name=text.called(row.name, spoken()),
                seat=row.seat,
                thrown=spell(row.thrown) or "?",
                **row.points,
                theirs=sum(row.theirs.values()),
                gained=f"{row.gained:+}",
                matchpoints=f"{row.matchpoints:g}",
                most=row.most,
            )


def _read(files: Iterable[str]) -> Iterator[PlayedGame]:
    """Yield the games in notation files. Raises ClickException if a file cannot be read."""
    for file in files:
        for record in evenings(lines(file), file):
            yield from _games(record)


def _games(record: Record) -> Iterator[PlayedGame]:
    """Yield the games in a record that has been read to its last line."""
    for number, (_, after, found) in enumerate(record.games(), 1):
        seats = tuple(after.seats.values())
        yield PlayedGame(number, 0.0, 1, after.session, seats, after.outcome, found)


def _code(entered: str) -> Code:
    """Parse a code. Raises ClickException if the text is not a code."""
    try:
        return evening.read_code(entered)
    except ValueError as error:
        reason = IllegalMove("evening-code")
        raise click.ClickException(text.refusal(reason, text.Reader(spoken()))) from error


def _say(code: str, /, **fields: object) -> str:
    return text.say(Message("duplicate", code, fields), text.Reader(spoken()))
