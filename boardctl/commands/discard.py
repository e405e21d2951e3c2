"""`boardctl discard`: the value of each throw from six cards."""

from __future__ import annotations

import json
from typing import Any

import click

from boardctl.commands.score import check_distinct, read_card
from boardctl.games.cards import codes, spell


@click.command()
@click.argument("cards", nargs=-1, required=True, metavar="CARDS...")
@click.option("--dealer", is_flag=True, help="The crib is yours.")
@click.option("--pone", is_flag=True, help="The crib is the opponent's.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(cards: tuple[str, ...], dealer: bool, pone: bool, as_json: bool) -> None:
    """Evaluate all fifteen throws from six cards, best first.

    The hand is averaged over all 46 starters, the crib over all starters and everything the
    opponent may throw; docs/advice.md explains how.

    \b
    Examples:
        boardctl discard 5H 6S 7D 8C JH QS --dealer
        boardctl discard 5H 6S 7D 8C JH QS --pone --json
    """
    from boardctl.bot import advice

    six = [read_card(word) for word in " ".join(cards).split()]
    if len(six) != 6:
        raise click.ClickException(f"expected six cards to throw from, got {len(six)}")
    check_distinct(six)
    for card in six:
        if card.suit is None:
            raise click.ClickException(f"the suit of {card} matters here; write it as in 5H")
    if dealer == pone:
        raise click.ClickException("whose crib is it? use either --dealer or --pone")
    found = advice.throws(six, dealer=dealer)
    if as_json:
        role = "dealer" if dealer else "pone"
        answer = {"role": role, "throws": [as_data(throw) for throw in found]}
        click.echo(json.dumps(answer))
        return
    click.echo(f"{'throw':<8}{'keep':<14}{'hand':>6}{'crib':>7}{'worth':>7}")
    for throw in found:
        crib = throw.crib if dealer else -throw.crib
        click.echo(
            f"{spell(throw.cards):<8}{spell(throw.kept):<14}"
            f"{throw.hand:6.2f}{crib:+7.2f}{throw.value:7.2f}"
        )


def as_data(throw: Any) -> dict[str, Any]:
    """A throw as JSON data; points rounded to a millionth."""
    return {
        "throw": codes(throw.cards),
        "keep": codes(throw.kept),
        "hand": round(throw.hand, 6),
        "crib": round(throw.crib, 6),
        "value": round(throw.value, 6),
    }
