"""`boardctl bot`: a computer player for one seat, controlled through the table notation."""

from __future__ import annotations

import sys

import click

from boardctl.bot import LEVELS
from boardctl.commands.shared.reading import Whole


@click.command()
@click.option("--seat", type=Whole(1, 4), required=True, help="The seat to play.")
@click.option(
    "--level",
    type=Whole(LEVELS[0], LEVELS[-1]),
    default=5,
    show_default=True,
    help="Strength; 1 is a beginner, 0 and -1 are for children.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random choices.")
def command(seat: int, level: int, seed: int) -> None:
    """Play one seat of a game: read lines in the table notation and write the seat's moves.

    The player receives only the lines that its seat would see, never the opponent's hand. From
    level 3 on, it searches. docs/notes/player.md describes the protocol and the search.

    \b
    Examples:
        boardctl bot --seat 2
        boardctl bot --seat 1 --level 3 --seed 42 < lines.txt
    """
    import gc

    from boardctl import text
    from boardctl.bot.worker import Seat
    from boardctl.commands.shared.user_language import say, spoken
    from boardctl.games import IllegalMove

    player = Seat(seat, level, seed)
    gc.disable()  # a collection may take as long as a decision
    number = 1
    try:
        for line in sys.stdin:
            if line.startswith("game"):
                gc.collect()
            for said in player.receive(line.rstrip("\r\n")):
                click.echo(said)
            sys.stdout.flush()
            number += 1
    except IllegalMove as error:
        refusal = text.refusal(error, text.Reader(spoken()))
        click.echo(say("at-line", number=number, said=refusal), err=True)
        sys.exit(2)
    except UnicodeDecodeError:
        click.echo(say("at-line", number=number, said=say("not-utf-8")), err=True)
        sys.exit(2)
