"""Sentences about a finished game: its best hand or deal, its turning point, and luck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardctl import text
from boardctl.games.cards import Card, pictured
from boardctl.message import Message

SENTENCES: Final = {
    "highlight.hand": "Best hand: {name}, {points} with {cards}",
    "highlight.hand-turned": "Best hand: {name}, {points} with {cards} and starter {starter}",
    "highlight.hand-unseen": "Best hand: {name}, {points}",
    "highlight.crib": "Best crib: {name}, {points} with {cards}",
    "highlight.crib-turned": "Best crib: {name}, {points} with {cards} and starter {starter}",
    "highlight.crib-unseen": "Best crib: {name}, {points}",
    "highlight.deal": "Best deal: {name}, {points} points in deal {deal}",
    "highlight.turning": (
        "Turning point: deal {deal}. {name} had been as many as {behind} points behind, "
        "took the lead at {scores} and kept it."
    ),
    "highlight.always": "{name} never fell behind.",
    "highlight.unfinished": "Unfinished",
    "highlight.course": "The score, move by move",
    "page.viewer-first": "First move",
    "page.viewer-back": "Previous move",
    "page.viewer-on": "Next move",
    "page.viewer-last": "Last move",
    "page.viewer-moves": "Moves",
    "page.viewer-keys": "Arrow keys, Home and End also step through the game.",
    "page.turning": "Turning point: deal {deal}. {name}’s chance of winning rose from {before} % "
    "to {after} %.",
    "page.luck-to": "Luck: the cards favoured {name} by {share} % (100 % = one win).",
    "page.luck-even": "Luck: the cards favoured nobody.",
    "page.share-picture": "Share a picture",
    "page.save-picture": "Save a picture",
    "page.send-game": "Send this game",
    "page.save-game": "Save this game as a page",
    "page.after": "This game",
}


def best(
    kind: str,
    name: str,
    points: int,
    deal: int,
    cards: Sequence[Card],
    language: str,
    starter: Card | None = None,
) -> str:
    """Return the best hand, crib or deal of a game in words.

    Args:
        kind: `hand`, `crib` or `deal`.
        name: of the side.
        points: of the hand, crib or deal.
        deal: its number, from 1.
        cards: of the hand or crib; none if they are not known.
        language: one of `LANGUAGES`.
        starter: the card turned up, or None if there is none or it is not known.
    """
    fields = {"name": name, "points": points, "deal": deal, "cards": pictured(cards)}
    if kind == "deal":
        code = kind
    elif not cards or not all(card.is_known for card in cards):
        code = f"{kind}-unseen"
    elif starter is not None and starter.is_known:
        code = f"{kind}-turned"
        fields["starter"] = pictured((starter,))
    else:
        code = kind
    return text.say(Message("highlight", code, fields), text.Reader(language))


def turning(name: str, deal: int, scores: Sequence[int], behind: int, language: str) -> str:
    """Return the turning point of a game in words.

    Args:
        name: of the winner.
        deal: the first deal of the winner's final lead, from 1.
        scores: of all sides at that time.
        behind: the winner's largest deficit before, in points; 0 for never.
        language: one of `LANGUAGES`.
    """
    course = " – ".join(map(str, scores))
    fields = {"name": name, "deal": deal, "scores": course, "behind": behind}
    return text.say(
        Message("highlight", "turning" if behind else "always", fields), text.Reader(language)
    )
