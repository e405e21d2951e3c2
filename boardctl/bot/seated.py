"""The computer player's view of a table, and the lines that need no decision.

`visible_lines` omits everything that the seat has not seen. The player's process (`worker`)
receives only these lines. `machine_line` returns lines that need no decision: the cards of a sealed
shuffle, the opponent's forced go, and the counts of the player's hand and crib.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from boardctl.bot import judges
from boardctl.games import COUNTS, Game, IllegalMove, Kind, Move
from boardctl.games.cards import Card, Rank
from boardctl.games.common.referee import LOST, Referee
from boardctl.record import notation, sealed
from boardctl.record.position import Position, game_start, step
from boardctl.record.record import Record
from boardctl.record.sealed import Shuffle
from boardctl.record.visibility import GameLines

_LEAVES: Final = (Kind.DISCARD, Kind.EXCHANGE, Kind.PLAY)
"""The kinds of lines whose cards leave the hand."""
_DECISIONS: Final = (Kind.DISCARD, Kind.PLAY, Kind.BID, *COUNTS)


def plays(game: Game[Any]) -> bool:
    """Return whether the computer player can play this game with real cards. It must be possible to
    enter the player's hand once and keep it in a row. In a game with a stock, people would have to
    enter each drawn card, which they must not see."""
    return all(verb.name != "draw" for verb in game.verbs)


def deals(position: Position) -> bool:
    """Return whether the current game can be dealt from a sealed shuffle. This requires two hands
    of six cards."""
    game, setup = position.game, position.setup
    if game is None or setup is None:
        return False
    return judges(game.name, len(position.seats), setup.options)


def objective_of(position: Position, seat: int, match: int | None) -> str:
    """Return the objective of a two-handed game of cribbage, in the form that `bot.aims.read`
    parses.

    Args:
        position: the position of the table.
        seat: the seat that decides.
        match: the number of games that wins the match, or None if no match is played.
    """
    game, state = position.game, position.state
    if game is None or state is None or not judges(game.name, len(position.seats)):
        return "win"
    margins = game.margins(state) if isinstance(game, Referee) else {}
    skunk = LOST["skunk"] if "skunk" in margins else 1
    double = LOST["double-skunk"] if "double-skunk" in margins else skunk
    counts = f"1:{skunk}:{double}"
    won = position.tally.won
    if match is not None and len(won) == len(position.seats) == 2 and max(won) < match:
        return f"match:{match}:{won[seat - 1]}:{won[2 - seat]}:{counts}"
    return "win" if skunk == 1 else f"games:{counts}"


def waits(record: Record, seat: int, first: int | None) -> bool:
    """Return whether a seat waits for the next deal.

    A seat waits if some of its cards were not entered in time, or if it laid away or played a card
    named only by rank. It waits even if it holds only one card of that rank, because continuing
    would reveal this. `first` is the first deal of a sealed shuffle, or None if people deal.
    """
    position = record.position
    number, deal = deal_at_hand(record)
    if between_deals(position, number):
        return False
    if first is not None and number >= first:
        return False
    asked = any(ask.move.verb == "hand" and ask.seat == seat for ask in position.prompt.asks)
    gone = (
        card for move in deal for card in move.cards if move.seat == seat and leaves(position, move)
    )
    return not asked and (
        own_cards(record, seat) is None or not all(card.is_known for card in gone)
    )


def between_deals(position: Position, number: int) -> bool:
    """Return whether the game is between deals, or has more deals than `number`."""
    return not number or position.over or position.situation.phase == "deal"


def leaves(position: Position, move: Move) -> bool:
    """Return whether a move plays, lays away or exchanges cards from a hand, or is a go."""
    return position.kind(move) in _LEAVES


def own_cards(record: Record, seat: int) -> list[Card] | None:
    """Return the cards that a seat holds, or None if some of them are unknown."""
    position = record.position
    if position.game is None or position.state is None:
        return None
    held = position.game.held_by(position.state, seat)
    if held is None or not all(card.is_known for card in held):
        return None
    return [card.plain for card in held]


def game_from(moves: Sequence[Move], place: int) -> Sequence[Move]:
    """Return the moves of the game that begins with the `game` line at this index."""
    ends = (n for n, move in enumerate(moves) if n > place and move.verb == "game")
    return moves[place : next(ends, len(moves))]


def visible_lines(record: Record, visible: GameLines) -> list[str]:
    """Return the lines of the current game as a seat knows them, including the seat's own lines."""
    position = record.position
    if position.game is None:
        return []
    lines = [f"game {position.game.name}"]
    lines += (f"seat {number} {name}" for number, name in sorted(position.seats.items()))
    chosen = position.options.get(position.game.name, {})
    lines += (f"set {name} {value}" for name, value in chosen.items())
    start = game_start(record.moves) + 1
    moves = visible.of(record, start)
    lines += (notation.spell(move) for move in moves if move.kind is not Kind.SETUP)
    return lines


def count_due(position: Position, seat: int) -> Move | None:
    """Return the entry expected for counting a seat's hand or crib, or None if no count is
    expected."""
    asks = (ask.move for ask in position.prompt.asks if ask.seat == seat)
    return next((move for move in asks if position.kind(move) in COUNTS), None)


def can_count(position: Position, count: Move) -> bool:
    """Return whether all cards of the hand or crib to be counted are known, so that nobody must
    enter them."""
    asks = position.prompt.asks
    if not any(ask.move == count and ask.kind == "confirm" for ask in asks):
        return False
    try:
        step(position, count)
    except IllegalMove:
        return False  # an unknown suit matters
    return True


def _is(move: Move, verb: str, seat: int) -> bool:
    return move.verb == verb and move.seat == seat


def deal_at_hand(record: Record) -> tuple[int, Sequence[Move]]:
    """Return the number of deals in this game, and the moves of the last deal."""
    moves = record.moves[game_start(record.moves) + 1 :]
    places = [place for place, move in enumerate(moves) if move.verb == "deal"]
    return len(places), moves[places[-1] :] if places else ()


def _dealt_line(position: Position, deal: Sequence[Move], cards: sealed.Deal) -> Move | None:
    """Return the next line of a sealed deal (a hand, or the starter when it is due), or None."""
    asked = {(ask.move.verb, ask.move.seat) for ask in position.prompt.asks}
    for other in (1, 2):
        if ("hand", other) in asked and not any(_is(m, "hand", other) for m in deal):
            return Move("hand", other, cards.hands[other - 1])
    if ("starter", None) in asked and position.situation.phase == "starter":
        return Move("starter", cards=(cards.starter,))
    return None


def _forced_go(position: Position, seat: int) -> Move | None:
    """Return the go of a seat that holds no playable card, or None if the seat can play or it is
    not its turn. The cards must come from a sealed shuffle. Under muggins, players enter the go
    themselves, because a claim may accompany it."""
    setup = position.setup
    if setup is None or setup.options.get("muggins", "off") != "off":
        return None
    asked = {ask.move.verb: ask.move for ask in position.prompt.asks if ask.seat == seat}
    return None if "play" in asked else asked.get("go")


def machine_line(
    record: Record, seat: int, shuffle: Shuffle | None, alone: bool = False
) -> Move | None:
    """Return the next line that needs no decision, or None if there is none.

    Args:
        record: the record of the table.
        seat: the seat of the computer player.
        shuffle: the sealed shuffle of the current or next deal, or None if people deal.
        alone: whether the computer player also cuts for deal and begins the first deal, because it
            plays against one person.
    """
    position = record.position
    number, deal = deal_at_hand(record)
    if not number and shuffle is not None and shuffle.cut and alone:
        return _opening(record, shuffle)
    if not number or position.over:
        return None
    if shuffle is not None and number >= shuffle.first:
        dealt = _dealt_line(position, deal, sealed.deal(shuffle.key, shuffle.cut, number))
        if dealt is not None:
            return dealt
        go = _forced_go(position, 3 - seat)
        if go is not None:
            return go
    count = count_due(position, seat)
    first = None if shuffle is None else shuffle.first
    if count is None or waits(record, seat, first) or not can_count(position, count):
        return None
    return count


def _opening(record: Record, shuffle: Shuffle) -> Move | None:
    """Return the next line of the opening: a cut for the deal, one card at a time from a separate
    pack, or the first deal."""
    moves = record.moves[game_start(record.moves) + 1 :]
    cut = {card for move in moves if move.verb == "cut" for card in move.cards}
    pack = sealed.shuffled(shuffle.key, shuffle.cut, 0)
    for ask in record.position.prompt.asks:
        if ask.move.verb == "cut":
            return ask.move._replace(cards=(next(card for card in pack if card not in cut),))
        if ask.move.verb == "deal":
            return ask.move
    return None


def may_be_due(position: Position, seat: int) -> bool:
    """Return whether to ask the player's process for a line. The table may expect an entry from the
    seat, the seat may call an opponent's claim, or it may have to name trumps as the highest
    bidder."""
    if position.over:
        return False
    asks = position.prompt.asks
    others = (Kind.CLAIM, Kind.TRUMP)
    return any(ask.seat == seat or position.kind(ask.move) in others for ask in asks)


def others_decide(position: Position, seat: int) -> bool:
    """Return whether another seat must decide now."""
    asks = position.prompt.asks
    return any(
        ask.seat not in (None, seat) and position.kind(ask.move) in _DECISIONS for ask in asks
    )


def leaving(deal: Sequence[Move], move: Move) -> tuple[Card, ...]:
    """Return the cards that leave a seat's hand in a move. A line that exchanges a card for the
    turned-up card does not name the card."""
    if move.verb != "exchange":
        return move.cards
    return tuple(Card(Rank.SEVEN, turned.suit) for turned in _turned(deal))


def places(deal: Sequence[Move], seat: int, cards: Sequence[Card]) -> tuple[int, ...]:
    """Return the positions of these cards in the seat's hand.

    Positions count from 1 in the order of entry, so that people can find these cards without
    looking at the others. A card received in exchange takes the position of the old card. The
    result is empty if the hand was not entered completely.
    """
    row = _row(deal, seat)
    return tuple(row.index(card) + 1 for card in cards) if set(cards) <= set(row) else ()


def _row(deal: Sequence[Move], seat: int) -> list[Card]:
    """Return a seat's cards in the order in which they lie on the table."""
    row: list[Card] = []
    given: dict[int, Card] = {}
    for move in deal:
        if _is(move, "hand", seat):
            row += move.cards
        elif move.verb == "mog":
            given[move.player] = move.cards[0]
            if len(given) == 2 and given[seat] in row:
                row[row.index(given[seat])] = given[3 - seat]
        elif _is(move, "exchange", seat):
            for seven, turned in zip(leaving(deal, move), _turned(deal), strict=True):
                if seven in row:
                    row[row.index(seven)] = turned
    return row


def _turned(deal: Sequence[Move]) -> tuple[Card, ...]:
    """Return the turned-up card of a deal, or an empty tuple if it was not entered."""
    return next((move.cards for move in deal if move.verb == "turnup"), ())
