"""Play any game legally, using only its prompt and simple rules of thumb.

It is a seat's turn if the prompt asks it for a decision. The computer player waits for lines that
only report cards (a hand, a draw, the turned-up card). It does not move while its hand is only
partly known, even if somebody led before the hand was entered.

Up to level 1, the player plays any legal line, except that bids in Coinche do not depend on the
level. From level 2 on, the player chooses the line that immediately earns the most points, and
melds and exchanges as soon as possible. It bids on or takes a suit only with three cards of that
suit, including the jack, nine or ace. It bids the fewest points allowed, up to the worth of its
melds, aces and trumps. In Coinche, it does not outbid its partner. If no line earns points, it
plays the cheapest card, in the order 7 8 9 J Q K T A. It keeps the king and queen of a suit
together. If the nine and jack of trumps are the best trumps, it keeps them until the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final

from boardctl.bot.seated import own_cards
from boardctl.games import Ask, Kind, Move
from boardctl.games.cards import Card, Rank, Suit
from boardctl.record.legal import accepted, completed
from boardctl.record.position import Position
from boardctl.record.record import Record

_DECISIONS: Final = (*(Kind.BID, Kind.DISCARD, Kind.EXCHANGE, Kind.PLAY, Kind.MELD, Kind.CHOICE),)
"""The kinds of lines that are a player's decisions. The dealer enters the other lines, or they only
complete the record. The highest bidder also chooses trumps (`decides`)."""
_BEFORE_DRAW: Final = frozenset({"meld", "seven"})
"""The decisions that the winner of a trick makes before the draw. A carte blanche is also shown
after the draw."""
_ORDER: Final = (
    *(Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX, Rank.SEVEN, Rank.EIGHT, Rank.NINE),
    *(Rank.JACK, Rank.QUEEN, Rank.KING, Rank.TEN, Rank.ACE),
)
"""The ranks from cheap to valuable, in games in which the ten ranks just below the ace."""
_ACE: Final = 20
"""The approximate number of points that an ace gains in the tricks of Pinochle."""
_LONG: Final = 10
"""The approximate number of points that each trump beyond `_SHORT` gains."""
_SHORT: Final = 3
_SIDE: Final = 30
"""The base of the expected points of a Coinche bidder's side. The next three constants add to it.
The values are fitted to deals between players of level 2 and are 15 points below the average, so
that most contracts are made (docs/notes/strength.md)."""
_TRUMP: Final = 12
_SIDE_ACE: Final = 8
_AMONG_TRUMPS: Final = {Rank.JACK: 16, Rank.NINE: 15, Rank.ACE: 6}
_BEST_TRUMPS: Final = (Rank.NINE, Rank.JACK)
_RAISE_TRUMPS: Final = frozenset({"belote", "klaberjass"})
"""The games in which the jack and the nine are the best trumps."""


def next_line(record: Record, seat: int, level: int, random: Random) -> Move | None:
    """Return the next line of a seat, or None if it is not its turn.

    Args:
        record: the record of the game, as the seat knows it.
        seat: from 1.
        level: one of `LEVELS`. Up to level 1, any legal line may be played.
        random: draws among equal lines.
    """
    asks = record.position.prompt.asks
    if any(ask.move.verb == "draw" and ask.seat != seat for ask in asks):
        return None  # leading now would leave the opponent's card unknown
    moves = legal(record, seat)
    if not moves:
        return None
    if level <= 1 and not any("capot" in move.words for move in moves):
        return random.choice(moves)
    hand = own_cards(record, seat) or []
    return max(moves, key=lambda move: _worth(record, seat, move, hand))


def ranked(record: Record, seat: int) -> list[tuple[Move, int]]:
    """Return a seat's possible lines, best first by the rules of thumb, each with the points that
    it earns immediately."""
    hand = own_cards(record, seat) or []
    worths = [(move, _worth(record, seat, move, hand)) for move in legal(record, seat)]
    worths.sort(key=lambda one: one[1], reverse=True)
    return [(move, round(worth[1])) for move, worth in worths]


def _worth(record: Record, seat: int, move: Move, hand: list[Card]) -> tuple[float, float, float]:
    """Return the sort key of a line: priority, immediate points, and cheapness."""
    awards = record.try_out(move).awards
    points = sum(award.points if award.seat == seat else -award.points for award in awards)
    first = 0.0
    if move.verb == "bid":
        if not move.numbers:
            first = _bid(move, hand, _turned(record))
        else:
            first = _bid_contract(record, move, hand) if move.words else _bid_points(move, hand)
    elif move.verb == "trump" and move.seat is None:
        first = 1.0 + in_suit(hand, Suit("SHDC".index(move.words[0])))
    elif move.verb != "play" and (points > 0 or _is_at_once(record.position, move)):
        first = 1.0
    dear = 0.0
    if move.verb in ("play", "discard"):
        dear = sum(_dear(card, hand) + _as_trump(card, record) for card in move.cards)
    return first, float(points), -dear


def _is_at_once(position: Position, move: Move) -> bool:
    """Return whether a line should be played as soon as possible: a meld, or an exchange for the
    turned-up card."""
    kind = position.kind(move)
    return kind is Kind.MELD or (kind is Kind.EXCHANGE and not move.cards)


def _turned(record: Record) -> str:
    """Return the suit of this deal's turned-up card, or an empty string if no card was turned
    up."""
    for move in reversed(record.moves):
        if move.verb == "turnup" and move.cards and move.cards[0].suit is not None:
            return move.cards[0].suit.letter
        if move.begins:
            break
    return ""


def _bid(move: Move, hand: list[Card], turned: str = "") -> float:
    """Return a positive number if a bid is appropriate, or 0 if not. A suit bid requires three
    cards of the suit, including one of its three best. Otherwise a pass is appropriate."""
    word = move.words[0] if move.words else "pass"
    if word == "pass":
        return 1.0
    word = turned if word == "take" else word
    suits = [card for card in hand if card.suit is not None and card.suit.letter == word]
    best = {card.rank for card in suits} & {Rank.JACK, Rank.NINE, Rank.ACE}
    return 1.0 + len(suits) if len(suits) >= 3 and best else 0.0


def _bid_contract(record: Record, move: Move, hand: list[Card]) -> float:
    """Return a positive number if a Coinche bid is appropriate, or 0 if not. A bid is appropriate
    if the bidder's side is likely to make the contract and the last bid is not the partner's."""
    for before in reversed(record.moves):
        if before.verb == "deal":
            break
        if before.verb == "bid" and "pass" not in before.words:
            if (before.player - move.player) % 4 == 2:
                return 0.0
            break
    if len(move.words[0]) > 1:
        return 0.0  # no rule of thumb covers no trumps or all trumps
    suit = Suit("SHDC".index(move.words[0]))
    trumps = [card.rank for card in hand if card.suit == suit and card.rank is not None]
    aces = sum(card.rank == Rank.ACE and card.suit != suit for card in hand)
    worth = _SIDE + _TRUMP * len(trumps) + _SIDE_ACE * aces
    worth += sum(_AMONG_TRUMPS.get(rank, 0) for rank in trumps)
    return 1.0 + worth if worth >= move.numbers[0] else 0.0


def _bid_points(move: Move, hand: list[Card]) -> float:
    """Return a positive number if a bid of points is appropriate, or 0 if not. A bid is appropriate
    if the hand, with its best suit as trumps, is worth at least the points bid."""
    return 2.0 if max(in_suit(hand, suit) for suit in Suit) >= move.numbers[0] else 0.0


def in_suit(hand: list[Card], suit: Suit) -> int:
    """Return the worth of a Pinochle hand if a suit is trumps: its melds, and the approximate gain
    from aces and long trumps."""
    from boardctl.games.pinochle import melds

    aces = sum(card.rank == Rank.ACE for card in hand)
    trumps = sum(card.suit == suit for card in hand)
    found = melds.melds(hand, suit, double=False)
    return melds.points(found) + _ACE * aces + _LONG * max(0, trumps - _SHORT)


def _dear(card: Card, hand: list[Card]) -> float:
    """Return the cost of parting with a card."""
    if card.rank is None:
        return 0.0
    dear = _ORDER.index(card.rank)
    partner = {Rank.KING: Rank.QUEEN, Rank.QUEEN: Rank.KING}.get(card.rank)
    if partner is not None and any(c.rank == partner and c.suit == card.suit for c in hand):
        dear += len(_ORDER)
    return float(dear)


def _as_trump(card: Card, record: Record) -> float:
    """Return the extra value of a trump. Only the nine and the jack have one, if they are the best
    trumps. Also saving the other trumps would cost 132 points (standard error 42) per game of
    Belote."""
    position, suit = record.position, card.suit
    if position.game is None or position.game.name not in _RAISE_TRUMPS:
        return 0.0
    if suit is None or suit.letter != position.situation.trump or card.rank not in _BEST_TRUMPS:
        return 0.0
    return float(2 * len(_ORDER) * (2 + _BEST_TRUMPS.index(card.rank)))


def legal(record: Record, seat: int) -> list[Move]:
    """Return all lines that a seat may play now, in the order of the prompt. The list is empty as
    long as a card that the seat should see has not been entered. Lines with unseen cards are left
    out."""
    position = record.position
    if position.over or own_cards(record, seat) is None:
        return []
    asks = position.prompt.asks
    waits = [ask.move for ask in asks if ask.move.seat in (None, seat)]
    if any(position.kind(move) is Kind.TURNED for move in waits):
        return []
    draws = any(move.verb == "draw" for move in waits)
    found: list[Move] = []
    for ask in asks:
        if not decides(position, ask, seat):
            continue
        if draws and ask.code not in _BEFORE_DRAW:
            continue
        found += [move for move in _known_lines(ask) if accepted(record, move)]
    return found


def _known_lines(ask: Ask) -> Iterator[Move]:
    """Yield the lines that complete an `Ask` with known cards. If it allows several numbers, only
    the lowest is used."""
    lines = islice(completed(ask), 1 if ask.kind == "number" else None)
    return (move for move in lines if all(card.is_known for card in move.cards))


def decides(position: Position, ask: Ask, seat: int) -> bool:
    """Return whether an `Ask` needs a decision from a seat. Naming trumps is a decision of the
    highest bidder."""
    if ask.code == "name-trump":
        return bool(ask.fields["seat"] == seat)
    return ask.seat == seat and is_decision(position, ask.move)


def is_decision(position: Position, move: Move) -> bool:
    """Return whether a line is a player's decision."""
    return position.kind(move) in _DECISIONS
