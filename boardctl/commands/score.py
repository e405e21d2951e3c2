"""`boardctl score`: count a hand or crib, with every combination."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import click

from boardctl import text
from boardctl.commands.shared.user_language import refused, speak, spoken
from boardctl.games.cards import Card, codes, parse_card, spell, split
from boardctl.message import Message
from boardctl.text import LANGUAGES
from boardctl.text.counting import count_aloud

_REASON: Final = 18
_REASON_WIDE: Final = 24
"""The width of a reason in columns, in English and in languages whose letters take two columns."""


@click.command()
@click.argument("cards", nargs=-1, required=True, metavar="CARDS...")
@click.option("--starter", required=True, metavar="CARD", help="The starter.")
@click.option("--crib", is_flag=True, help="Count as a crib: a flush needs the starter too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--lang", "chosen", type=click.Choice(LANGUAGES), help="Language of the count.")
def command(
    cards: tuple[str, ...], starter: str, crib: bool, as_json: bool, chosen: str | None
) -> None:
    """Count a hand: four cards, or the three of five-card cribbage, with the starter.

    Suits may be left out if they cannot matter.

    \b
    Examples:
        boardctl score 5H 5D 6S JC --starter 7C
        boardctl score 2S 4S 6S KS --starter 8H --crib --json
    """
    from boardctl.games.common import suits
    from boardctl.games.cribbage import show

    if chosen is not None:
        speak(chosen)
    hand = [read_card(word) for word in split(" ".join(cards))]
    turned = read_card(starter)
    if len(hand) != 4 and (crib or len(hand) != 3):
        raise refused("crib-size" if crib else "hand-size", count=len(hand))
    check_distinct((*hand, turned))
    asked = suits.still_open(show.readings(hand, turned), show.questions(five_only=crib))
    if asked:
        what = tuple(question.name for question in asked)
        raise refused("suits-open", kinds=what, cards=(*hand, turned))
    items = show.count(hand, turned, crib=crib, reading=min(show.readings(hand, turned)))
    lang = "en" if as_json and chosen is None else spoken()  # data is the same in every language
    aloud = count_aloud(items, lang)
    total = sum(item.points for item in items)
    if as_json:
        click.echo(json.dumps(_as_json(total, items, aloud), ensure_ascii=False))
        return
    for item in items:
        click.echo(f"{item.points:>3}  {_reason(item.reason, lang)}{spell(item.cards)}")
    click.echo(f"{total:>3}  {aloud}")


def _as_json(total: int, items: Sequence[Any], spoken: str) -> dict[str, Any]:
    return {
        "total": total,
        "items": [
            {"kind": item.reason, "cards": codes(item.cards), "points": item.points}
            for item in items
        ],
        "spoken": spoken,
    }


def read_card(word: str) -> Card:
    """Return a card with a known rank and no copy letter. Raises click.ClickException if the text
    is not such a card."""
    try:
        card = parse_card(word)
    except ValueError:
        card = None
    if card is None or card.rank is None or card.copy is not None:
        raise refused("not-a-card", word=word)
    return card


def check_distinct(cards: Sequence[Card]) -> None:
    """Check that no card is repeated. Raises click.ClickException if a card is."""
    for place, card in enumerate(cards):
        if card.suit is not None and card in cards[:place]:
            raise refused("card-repeated", card=card)
        if sum(card.rank == other.rank for other in cards) > 4:
            raise refused("rank-repeated", rank=card.rank.letter if card.rank else "?")


def _reason(code: str, language: str) -> str:
    """Return the reason for points, padded to the width of its column."""
    if language == "en":
        return text.filled(code, _REASON)
    return text.filled(text.say(Message("award", code), text.Reader(language)), _REASON_WIDE)
