"""`boardctl discard`: the value of each throw from six cards."""

from __future__ import annotations

import json
from typing import Any

import click

from boardctl.commands._language import refused, say
from boardctl.commands._terminal import aligned
from boardctl.commands.score import check_distinct, read_card
from boardctl.games.cards import codes, spell, split
from boardctl.text import columns


@click.command()
@click.argument("cards", nargs=-1, required=True, metavar="CARDS...")
@click.option("--dealer", is_flag=True, help="The crib is yours.")
@click.option("--pone", is_flag=True, help="The crib is the opponent's.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(cards: tuple[str, ...], dealer: bool, pone: bool, as_json: bool) -> None:
    """Evaluate all fifteen throws from six cards, best first.

    The hand is averaged over all 46 starters, the crib over all starters and all throws of the
    opponent; docs/advice.md explains how.

    \b
    Examples:
        boardctl discard 5H 6S 7D 8C JH QS --dealer
        boardctl discard 5H 6S 7D 8C JH QS --pone --json
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
    found = advice.throws(six, dealer=dealer)
    if as_json:
        role = "dealer" if dealer else "pone"
        answer = {"role": role, "throws": [as_data(throw) for throw in found]}
        click.echo(json.dumps(answer))
        return
    heads = [say(f"head-{name}") for name in ("throw", "keep", "hand", "crib", "worth")]
    wide = [8, 14, *(max(7, columns(head) + 1) for head in heads[2:])]
    wide[2] -= 1
    click.echo(aligned(heads, wide, left=2))
    for throw in found:
        crib = throw.crib if dealer else -throw.crib
        figures = (f"{throw.hand:.2f}", f"{crib:+.2f}", f"{throw.value:.2f}")
        click.echo(aligned((spell(throw.cards), spell(throw.kept), *figures), wide, left=2))


def as_data(throw: Any) -> dict[str, Any]:
    """Return a throw as JSON data; points rounded to a millionth."""
    return {
        "throw": codes(throw.cards),
        "keep": codes(throw.kept),
        "hand": round(throw.hand, 6),
        "crib": round(throw.crib, 6),
        "value": round(throw.value, 6),
    }
