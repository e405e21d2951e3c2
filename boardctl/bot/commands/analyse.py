"""`boardctl analyse`: the best throw or card in any position of cribbage."""

from __future__ import annotations

import json as as_json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from boardctl.commands.shared.reading import Whole


@click.command()
@click.argument("hand", nargs=-1, required=True)
@click.option("--seat", type=Whole(1, 4), help="In a file: the player who decides.")
@click.option(
    "--score",
    metavar="YOURS THEIRS",
    type=(int, int),
    default=(0, 0),
    help="Your score, and your opponent's.",
)
@click.option("--deals", is_flag=True, help="The crib is yours.")
@click.option(
    "--thrown",
    metavar="CARDS",
    default="",
    help="The cards laid away; if given, cards to play are judged.",
)
@click.option("--starter", metavar="CARD", default="", help="The starter.")
@click.option(
    "--played", metavar="CARDS", default="", help="The cards played so far by both, in order."
)
@click.option("--target", default=121, show_default=True, help="The score that wins.")
@click.option("--five-card", "five", is_flag=True, help="Five-card cribbage.")
@click.option(
    "--objective",
    metavar="WHAT",
    default="win",
    show_default=True,
    help="What the game is played for: win, games (a skunk counts two, a double skunk four), "
    "tournament (two points, three for a skunk), or match:GAMES:YOURS:THEIRS.",
)
@click.option("--json", "json", is_flag=True, help="One JSON object.")
def command(
    hand: tuple[str, ...],
    score: tuple[int, int],
    *,
    seat: int | None,
    deals: bool,
    thrown: str,
    starter: str,
    played: str,
    target: int,
    five: bool,
    objective: str,
    json: bool,
) -> None:
    """Judge a position in two-handed cribbage from all the cards dealt to one player.

    Each throw or card is shown with its chance of winning and half the width of its 95 percent
    interval. For a card, the opponent's most likely hands are shown too. Five-card cribbage is
    judged by average points.

    For any game, also accepts a notation file that ends before the decision, or - for standard
    input. It needs only the cards that the player has seen.

    \b
    Examples:
        boardctl analyse 5H 6S 7D 8C JH QS --score 30 40
        boardctl analyse 5H 6S 7D 8C JH QS --score 116 88 --objective games
        boardctl analyse 5H 6S 7D 8C JH QS --deals --thrown "JH QS" --starter 2C --played 9S
        boardctl analyse belote.txt --seat 2
    """
    from boardctl import text
    from boardctl.bot.positions import answer
    from boardctl.commands.shared.user_language import say, spoken

    asked: dict[str, Any] = {
        "hand": " ".join(hand), "deals": deals, "score": list(score), "thrown": thrown,
        "starter": starter, "played": played, "target": target, "five": five,
    }  # fmt: skip
    if len(hand) == 1 and (hand[0] == "-" or Path(hand[0]).is_file()):
        found = _of_file(hand[0], seat, json=json)
        if found is None:
            return
        asked = found
    elif seat is not None:
        raise click.ClickException(say("seat-of-file", given=" ".join(hand)))
    answered = answer(asked | {"objective": objective}, spoken())
    if json:
        click.echo(as_json.dumps(answered))
    elif "error" not in answered:
        for choice in answered["choices"]:
            click.echo(text.listed(_row(choice, answered.get("objective", "")), spoken()))
        for one in answered["likely"]:
            click.echo(say("likely", ranks=one["ranks"], share=f"{100 * one['share']:.1f}"))
    if "error" in answered and not json:
        raise click.ClickException(answered["error"])
    if "error" in answered:
        sys.exit(1)


def _row(choice: dict[str, Any], objective: str) -> Iterator[str]:
    """Yield the table columns of one throw or card."""
    from boardctl.commands.shared.user_language import say

    yield " ".join(choice["cards"])
    if "win" in choice:
        win, half = (f"{100 * choice[name]:.1f}" for name in ("win", "half"))
        yield say("wins", win=win, half=half)
    if "worth" in choice:
        scale, digits = (100, 1) if objective == "match" else (1, 3)
        worth, half = (f"{scale * choice[name]:.{digits}f}" for name in ("worth", "half"))
        yield say(f"expects-{objective}", worth=worth, half=half)
    for name in ("hand", "crib", "play"):
        if name in choice:
            yield say(f"average-{name}", points=f"{choice[name]:.1f}")
    if "points" in choice:
        yield say("pegs", points=choice["points"])


def _of_file(file: str, seat: int | None, *, json: bool) -> dict[str, Any] | None:
    """Judge the decision at the end of a notation file.

    Args:
        file: its path, or `-`.
        seat: the player who decides, or None for the only one.
        json: whether to write one JSON object.

    Returns:
        The fields of the position in two-handed six-card cribbage (`positions.KnownPosition`), or
        None for any other game, whose judgement has been written.
    """
    from boardctl import text
    from boardctl.bot import pending_decision
    from boardctl.commands.shared.reading import evenings, lines
    from boardctl.commands.shared.user_language import say, spoken
    from boardctl.games import IllegalMove
    from boardctl.text import moves

    *_, record = evenings(lines(file))
    try:
        found = pending_decision.pending(record, seat)
    except IllegalMove as error:
        raise click.ClickException(say(error.code, **error.fields)) from error
    if found.position is not None:
        return found.position
    if json:
        click.echo(as_json.dumps(pending_decision.as_data(found)))
        return None
    names = tuple(text.called(name, spoken()) for name in record.position.seats.values())
    for one in found.lines:
        said = [moves.describe(one.move, names, spoken())]
        if one.win is None:
            said.append(say("gains-points", points=f"{one.points:+.1f}", half=f"{one.half:.1f}"))
        else:
            said.append(say("wins", win=f"{100 * one.win:.1f}", half=f"{100 * one.half:.1f}"))
            said.append(say("leads-by", points=f"{one.points:+.1f}"))
        click.echo(text.listed(said, spoken()))
    return None
