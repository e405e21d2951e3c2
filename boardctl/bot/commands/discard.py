"""`boardctl discard`: the value of each throw from six cards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from boardctl.commands.score import check_distinct, read_card
from boardctl.commands.shared.reading import Whole
from boardctl.commands.shared.terminal import aligned
from boardctl.commands.shared.user_language import refused, say, spoken
from boardctl.games import IllegalMove
from boardctl.games.cards import CARDS, Card, codes, split
from boardctl.text import Reader, columns, refusal


@click.command()
@click.argument("cards", nargs=-1, required=True, metavar="CARDS...")
@click.option("--dealer", is_flag=True, help="The crib is yours.")
@click.option("--pone", is_flag=True, help="The crib is the opponent's.")
@click.option(
    "--objective",
    metavar="WHAT",
    help="Judge by win, games, tournament or match:GAMES:YOURS:THEIRS instead of points.",
)
@click.option(
    "--score",
    metavar="YOURS THEIRS",
    type=(Whole(0, 120), Whole(0, 120)),
    default=(0, 0),
    help="Your score, and your opponent's; with --objective.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(
    cards: tuple[str, ...],
    *,
    dealer: bool,
    pone: bool,
    objective: str | None,
    score: tuple[int, int],
    as_json: bool,
) -> None:
    """Evaluate all fifteen throws from six cards, best first.

    The hand is averaged over all 46 starters, and the crib over all starters and all throws of the
    opponent. docs/advice.md explains the method. With an objective, the throws are ordered by the
    resulting worth of the game at this score: the chance of winning, games or points.

    \b
    Examples:
        boardctl discard 5H 6S 7D 8C JH QS --dealer
        boardctl discard 5H 6S 7D 8C JH QS --pone --json
        boardctl discard 5H 6S 7D 8C JH QS --dealer --score 116 88 --objective games
    """
    from boardctl.bot import advice

    six = [read_card(word) for word in split(" ".join(cards))]
    if len(six) != 6:
        raise refused("six-cards", count=len(six))
    check_distinct(six)
    for card in six:
        if card.suit is None:
            raise refused("suit-matters", card=card)
    if dealer == pone:
        raise refused("whose-crib")
    role = "dealer" if dealer else "pone"
    if objective is not None:
        rows = _by_objective(six, dealer, objective, score)
        if as_json:
            click.echo(json.dumps({"role": role, "objective": objective, "throws": rows}))
        else:
            _show(rows, dealer)
        return
    found = advice.throws(six, dealer=dealer)
    if as_json:
        answer = {"role": role, "throws": [as_data(throw) for throw in found]}
        click.echo(json.dumps(answer))
        return
    _show([as_data(throw) for throw in found], dealer, 2)


def _show(rows: Sequence[Mapping[str, Any]], dealer: bool, digits: int = 4) -> None:
    """Print the throws as a table. The values in the last column have `digits` decimal places."""
    heads = [say(f"head-{name}") for name in ("throw", "keep", "hand", "crib", "worth")]
    wide = [8, 14, *(max(7, columns(head) + 1) for head in heads[2:])]
    wide[2] -= 1
    click.echo(aligned(heads, wide, left=2))
    for row in rows:
        crib = row["crib"] if dealer else -row["crib"]
        figures = (f"{row['hand']:.2f}", f"{crib:+.2f}", f"{row['value']:.{digits}f}")
        click.echo(aligned((" ".join(row["throw"]), " ".join(row["keep"]), *figures), wide, left=2))


def _by_objective(
    six: Sequence[Card], dealer: bool, text: str, score: tuple[int, int]
) -> list[dict[str, Any]]:
    """Return the throws as JSON data, ordered by the worth of the game, best first."""
    from boardctl.bot import aims, throwing
    from boardctl.bot.cribbage import index
    from boardctl.bot.tables import DEALER, PONE

    try:
        chosen = aims.read(text)
    except ValueError:
        error = IllegalMove("no-such-objective", said=text)
        raise click.ClickException(refusal(error, Reader(spoken()))) from None
    places, role = [index(card) for card in six], DEALER if dealer else PONE
    found = []
    for throw in throwing.throws(places, role, *score, chosen):
        worth = throw.win
        if worth is None:
            worth = throwing.win(throw, places, *score, chosen)
        found.append(
            {
                "throw": codes(CARDS[card] for card in throw.cards),
                "keep": codes(CARDS[card] for card in throw.kept),
                "hand": round(throw.hand, 6),
                "crib": round(throw.crib, 6),
                "value": round(chosen.own(worth), 6),
            }
        )
    return sorted(found, key=lambda row: -float(str(row["value"])))


def as_data(throw: Any) -> dict[str, Any]:
    """Return a throw as JSON data, with points rounded to six decimal places."""
    return {
        "throw": codes(throw.cards),
        "keep": codes(throw.kept),
        "hand": round(throw.hand, 6),
        "crib": round(throw.crib, 6),
        "value": round(throw.value, 6),
    }
