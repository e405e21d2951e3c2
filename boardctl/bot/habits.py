"""Legal play of any game, from its prompt alone, with a beginner's good habits.

A line is due of a seat where the prompt asks that seat for one that is the player's own to say; a
line that only reports cards (a hand, a draw, the card turned) is waited for.

Level 1 says any legal line. From level 2 on: what earns most at once, by the referee; melds and
exchanges as soon as they may be made; a suit bid only with three cards of it and its jack, nine or
ace; else the cheapest card, in the order 7 8 9 J Q K T A, of which the king and queen of a suit
held together are kept.
"""

from __future__ import annotations

from random import Random
from typing import Final

from boardctl.cards import Card, Rank
from boardctl.games import Move
from boardctl.record.legal import accepted, completed
from boardctl.record.record import Record

REPORTS: Final = frozenset(
    {"hand", "draw", "turnup", "starter", "cut", "count", "peg", "show", "crib", "muggins", "out"}
    | {"dealer", "deal", "trump", "resign", "adjust"}
)
"""Verbs that tell what lies on the table: whoever deals or keeps the record says them."""
_AT_ONCE: Final = frozenset({"seven", "exchange", "meld", "bella"})
_ORDER: Final = (
    *(Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX, Rank.SEVEN, Rank.EIGHT, Rank.NINE),
    *(Rank.JACK, Rank.QUEEN, Rank.KING, Rank.TEN, Rank.ACE),
)
"""Cheap to dear, in the games whose tens stand below the ace."""


def due(record: Record, seat: int, level: int, random: Random) -> Move | None:
    """The line that is due of a seat, None where nothing is."""
    moves = legal(record, seat)
    if not moves:
        return None
    if level == 1:
        return random.choice(moves)
    hand = own_cards(record, seat)
    return max(moves, key=lambda move: _worth(record, seat, move, hand))


def own_cards(record: Record, seat: int) -> list[Card]:
    """What a seat holds, by the cards told of its hand in this deal."""
    held: list[Card] = []
    for move in record.moves:
        if move.verb in ("deal", "game"):
            held = []
        elif move.seat != seat:
            continue
        elif move.verb in ("hand", "draw"):
            held += [card.plain for card in move.cards]
        elif move.verb in ("play", "discard"):
            for card in move.cards:
                if card.plain in held:
                    held.remove(card.plain)
    return held


def _worth(record: Record, seat: int, move: Move, hand: list[Card]) -> tuple[float, float, float]:
    """How good a line is: what comes before all else, points at once, then cheapness."""
    awards = record.try_out(move).awards
    points = sum(award.points if award.seat == seat else -award.points for award in awards)
    first = 0.0
    if move.verb == "bid":
        first = _bid(move, hand)
    elif move.verb != "play" and (points > 0 or move.verb in _AT_ONCE):
        first = 1.0
    dear = sum(_dear(card, hand) for card in move.cards) if move.verb in ("play", "discard") else 0
    return first, float(points), -dear


def _bid(move: Move, hand: list[Card]) -> float:
    """A suit named is right with three cards of it and one of its three best; a pass else."""
    word = move.words[0] if move.words else "pass"
    if word == "pass":
        return 1.0
    suits = [card for card in hand if card.suit is not None and card.suit.letter == word]
    best = {card.rank for card in suits} & {Rank.JACK, Rank.NINE, Rank.ACE}
    return 1.0 + len(suits) if len(suits) >= 3 and best else 0.0


def _dear(card: Card, hand: list[Card]) -> float:
    """How unwillingly a card is given away."""
    if card.rank is None:
        return 0.0
    dear = _ORDER.index(card.rank)
    partner = {Rank.KING: Rank.QUEEN, Rank.QUEEN: Rank.KING}.get(card.rank)
    if partner is not None and any(c.rank == partner and c.suit == card.suit for c in hand):
        dear += len(_ORDER)
    return float(dear)


def legal(record: Record, seat: int) -> list[Move]:
    """All lines that a seat may say now, in the order of the prompt; none while a card that it is
    to see has not been told."""
    position = record.position
    if position.game is None or position.state is None or position.over:
        return []
    asks = position.prompt.asks
    waits = {ask.move.verb for ask in asks if ask.move.seat in (None, seat)}
    found: list[Move] = []
    for ask in asks:
        if ask.seat != seat or ask.move.verb in REPORTS:
            continue
        if waits & {"hand", "draw", "turnup"} and ask.move.verb != "meld":
            continue
        found += [move for move in completed(ask) if accepted(record, move)]
    return found
