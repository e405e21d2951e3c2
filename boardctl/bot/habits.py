"""Legal play of any game, using only its prompt and simple rules of thumb.

It is a seat's turn if the prompt asks that seat for a decision; lines that only report cards (a
hand, a draw, the turned-up card) are waited for. Up to level 1 it plays any legal line. From level
2 on: the line that earns most at once; melds and exchanges as soon as possible; a suit bid, or the
turned-up one taken, only with three cards of it and its jack, nine or ace; otherwise the cheapest
card, in the order 7 8 9 J Q K T A, keeping king and queen of a suit together, and nine and jack of
trumps to the last where they are the best.
"""

from __future__ import annotations

from random import Random
from typing import Final

from boardctl.games import Move
from boardctl.games.cards import Card, Rank
from boardctl.record.legal import accepted, completed
from boardctl.record.record import Record

REPORTS: Final = frozenset(
    {"hand", "draw", "turnup", "starter", "cut", "count", "peg", "show", "crib", "muggins", "out"}
    | {"dealer", "deal", "trump", "resign", "adjust"}
)
"""Verbs that report visible cards, entered by whoever deals or keeps the record."""
_DEALT: Final = frozenset({"hand", "turnup", "widow"})
"""Verbs that report what is dealt: before that nobody decides, who would declare what may be."""
_BEFORE_DRAW: Final = frozenset({"meld", "seven"})
"""Verbs of what the winner of a trick may do before drawing."""
_AT_ONCE: Final = frozenset({"seven", "exchange", "meld", "bella"})
_ORDER: Final = (
    *(Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX, Rank.SEVEN, Rank.EIGHT, Rank.NINE),
    *(Rank.JACK, Rank.QUEEN, Rank.KING, Rank.TEN, Rank.ACE),
)
"""From cheap to valuable, in games whose tens rank below the ace."""
_BEST_TRUMPS: Final = (Rank.NINE, Rank.JACK)
_RAISE_TRUMPS: Final = frozenset({"belote", "klaberjass"})
"""The games in which nine and jack are the best trumps."""


def due(record: Record, seat: int, level: int, random: Random) -> Move | None:
    """The next line of a seat, None if it is not its turn."""
    moves = legal(record, seat)
    if not moves:
        return None
    if level <= 1:
        return random.choice(moves)
    hand = own_cards(record, seat)
    return max(moves, key=lambda move: _worth(record, seat, move, hand))


def ranked(record: Record, seat: int) -> list[tuple[Move, int]]:
    """The lines that a seat may play now, the best first by the rules of thumb, each with the
    points that it earns its side at once."""
    hand = own_cards(record, seat)
    worths = [(move, _worth(record, seat, move, hand)) for move in legal(record, seat)]
    worths.sort(key=lambda one: one[1], reverse=True)
    return [(move, round(worth[1])) for move, worth in worths]


def own_cards(record: Record, seat: int) -> list[Card]:
    """The cards a seat holds, from those entered for its hand in this deal."""
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
    """The sort key of a line: priority, immediate points, then cheapness."""
    awards = record.try_out(move).awards
    points = sum(award.points if award.seat == seat else -award.points for award in awards)
    first = 0.0
    if move.verb == "bid":
        first = _bid(move, hand, _turned(record))
    elif move.verb != "play" and (points > 0 or move.verb in _AT_ONCE):
        first = 1.0
    dear = 0.0
    if move.verb in ("play", "discard"):
        dear = sum(_dear(card, hand) + _as_trump(card, record) for card in move.cards)
    return first, float(points), -dear


def _turned(record: Record) -> str:
    """The suit of the card that was turned up in this deal, empty if none was."""
    for move in reversed(record.moves):
        if move.verb == "turnup" and move.cards and move.cards[0].suit is not None:
            return move.cards[0].suit.letter
        if move.verb in ("deal", "game"):
            break
    return ""


def _bid(move: Move, hand: list[Card], turned: str = "") -> float:
    """Whether a bid is right: a suit with three cards including one of its three best, else a
    pass."""
    word = move.words[0] if move.words else "pass"
    if word == "pass":
        return 1.0
    word = turned if word == "take" else word
    suits = [card for card in hand if card.suit is not None and card.suit.letter == word]
    best = {card.rank for card in suits} & {Rank.JACK, Rank.NINE, Rank.ACE}
    return 1.0 + len(suits) if len(suits) >= 3 and best else 0.0


def _dear(card: Card, hand: list[Card]) -> float:
    """The value of a card when giving it away."""
    if card.rank is None:
        return 0.0
    dear = _ORDER.index(card.rank)
    partner = {Rank.KING: Rank.QUEEN, Rank.QUEEN: Rank.KING}.get(card.rank)
    if partner is not None and any(c.rank == partner and c.suit == card.suit for c in hand):
        dear += len(_ORDER)
    return float(dear)


def _as_trump(card: Card, record: Record) -> float:
    """By how much a card is dearer as a trump: nine and jack, where they are the best. To keep the
    other trumps back too loses: 132 points (standard error 42) a game of Belote."""
    position, suit = record.position, card.suit
    if position.game is None or position.game.name not in _RAISE_TRUMPS:
        return 0.0
    if suit is None or suit.letter != position.situation.trump or card.rank not in _BEST_TRUMPS:
        return 0.0
    return float(2 * len(_ORDER) * (2 + _BEST_TRUMPS.index(card.rank)))


def legal(record: Record, seat: int) -> list[Move]:
    """All lines that a seat may play now, in the order of the prompt; none while a card that it
    should see has not been entered, and none of cards that nobody has seen."""
    position = record.position
    if position.game is None or position.state is None or position.over:
        return []
    asks = position.prompt.asks
    waits = {ask.move.verb for ask in asks if ask.move.seat in (None, seat)}
    if waits & _DEALT:
        return []
    found: list[Move] = []
    for ask in asks:
        if ask.seat != seat or ask.move.verb in REPORTS:
            continue
        if "draw" in waits and ask.move.verb not in _BEFORE_DRAW:
            continue
        own = (move for move in completed(ask) if all(card.known for card in move.cards))
        found += [move for move in own if accepted(record, move)]
    return found
