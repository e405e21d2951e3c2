"""The cards that a game asks for, and their locations: one interface for every game.

A game asks for cards through its prompts. A verb in `TO_HAND` moves cards from the top of the pack
to a seat's hand. A verb in `TURNED` turns the top card up. `crib` without a seat deals one card
face down to the crib. A secret line lays away cards from a hand. Any other line of a seat shows the
cards that it names. In games with a stock, the player who draws first may make a declaration before
drawing (`caller`), and then the opponent draws. The last card drawn is the turned-up card, or the
card exchanged for it. The locations of a deal's cards therefore depend only on its lines, and both
houses compute the same locations from different knowledge. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from boardctl.far.deal import Deal
from boardctl.games import Game, Kind, Move, kind_of, side_of
from boardctl.games.cards import UNSEEN, Card
from boardctl.record import notation
from boardctl.record.position import Position, step
from boardctl.record.visibility import has_secrets

TURNED: Final = (Kind.CUT, Kind.STARTER, Kind.TURNED)
"""Lines that turn up a card of the pack."""
DEALT: Final = (Kind.HAND, *TURNED, Kind.BLIND, Kind.CRIB)
"""Lines that both houses add without a player's decision."""
NOT_DEALT: Final = (Kind.OPENING, Kind.POINTS, Kind.TRUMP)
"""Lines of tables on which cards are not entered."""
CALL: Final = "muggins"


class Line(NamedTuple):
    """A line of the record as this house knows it. `by` is the house that entered the line, 1 or 2,
    or 0 for an automatic line. `places` are the pack positions of the line's cards that left a
    hand."""

    text: str
    by: int
    places: tuple[int, ...] = ()


class Holding(NamedTuple):
    """The location of a card: in a seat's `hand`, `away` unseen, `open`, or `turned` up. Seat 0
    means that the card belongs to nobody."""

    seat: int
    where: str


class Step(NamedTuple):
    """An automatic line without its cards, and the pack positions of these cards."""

    move: Move
    places: tuple[int, ...]
    becomes: Holding
    """The location of these cards after the line."""


Indices = Mapping[int, int] | Sequence[int]
"""The cards of a pack by position, as indices. Cards of the stock may be missing."""
Holdings = Mapping[int, Holding]
"""The locations of a pack's cards, by position. All other cards are in the pack."""


def party_of(seat: int) -> int:
    """Return the house of a seat. With four players, partners sit opposite each other and are in
    the same house."""
    return side_of(seat, 2)


def is_to_hand(move: Move, game: Game[Any] | None) -> bool:
    return kind_of(move, game) is Kind.HAND and move.seat is not None


def pack_of(game: Game[Any]) -> tuple[Card, ...]:
    """Return the cards of a whole pack by index. A card that exists twice is listed twice."""
    return tuple(card.plain for card in game.pack) * game.copies


@lru_cache(4096)
def _move(text: str, game: Game[Any] | None) -> Move:
    return notation.parse_move(text, game)


def holdings(game: Game[Any] | None, lines: Sequence[Line]) -> dict[int, Holding]:
    """Return the location of every card after these lines of the deal."""
    found: dict[int, Holding] = {}
    for line in lines:
        _put(found, line, game)
    return found


def before_each(game: Game[Any], lines: Sequence[Line]) -> Iterator[tuple[Line, Holdings]]:
    """Yield each line of a deal with the locations before that line. The yielded object is modified
    by the next iteration."""
    found: dict[int, Holding] = {}
    for line in lines:
        yield line, found
        _put(found, line, game)


class HoldingsReader:
    """The locations of a deal's cards. Each call reads only the lines added since the previous
    call."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._holdings: Holdings = {}

    def after(self, game: Game[Any] | None, lines: list[Line]) -> Holdings:
        """Return the result of `holdings`."""
        count = len(self._lines)
        if lines[:count] != self._lines:
            self._lines, self._holdings, count = [], {}, 0
        if lines[count:]:
            found = dict(self._holdings)
            for line in lines[count:]:
                _put(found, line, game)
            self._lines, self._holdings = lines, found
        return self._holdings


def _put(found: dict[int, Holding], line: Line, game: Game[Any] | None) -> None:
    """Move the cards of a line to their new locations."""
    move = _move(line.text, game)
    if is_exchange(move) and line.places:
        up = _turned(found)
        found[up] = Holding(move.seat or 0, "open")
        found[line.places[0]] = Holding(0, "turned")
    elif line.by:
        where = "away" if game is not None and game.secret(move) else "open"
        found |= {place: found[place]._replace(where=where) for place in line.places}
    elif kind_of(move, game) is Kind.CRIB:
        crib = [place for place, held in found.items() if held.where == "away"]
        found |= dict.fromkeys(crib, Holding(0, "open"))
    else:
        places = _drawn(found, move, game)
        is_up = any(place in found for place in places)
        found |= dict.fromkeys(
            places, Holding(move.seat or 0, "open") if is_up else _becomes(move, game)
        )


def is_exchange(move: Move) -> bool:
    """Return whether this line exchanges a card from a hand for the turned-up card."""
    return move.verb == "seven" and "exchange" in move.words


def _turned(holdings: Holdings) -> int:
    """Return the pack position of the turned-up card."""
    return next(place for place, one in holdings.items() if one.where == "turned")


def _drawn(holdings: Holdings, move: Move, game: Game[Any] | None) -> tuple[int, ...]:
    """Return the pack positions from which an automatic line draws. Once the stock is empty, this
    is the position of the turned-up card."""
    if kind_of(move, game) not in DEALT:
        return ()
    return _next(holdings, len(move.cards), game)


def places_dealt(holdings: Holdings, move: Move, game: Game[Any] | None) -> tuple[int, ...]:
    """Return the pack positions from which an automatic line deals."""
    if kind_of(move, game) is Kind.CRIB:
        return tuple(place for place, one in holdings.items() if one.where == "away")
    return _drawn(holdings, move, game)


def _next(holdings: Holdings, count: int, game: Game[Any] | None) -> tuple[int, ...]:
    first = len(holdings)
    if count and game is not None and first == len(game.pack) * game.copies:
        return (_turned(holdings),)
    return tuple(range(first, first + count))


def _becomes(move: Move, game: Game[Any] | None) -> Holding:
    if is_to_hand(move, game):
        return Holding(move.seat or 0, "hand")
    if kind_of(move, game) is Kind.TURNED:
        return Holding(0, "turned")
    return Holding(0, "away" if kind_of(move, game) is Kind.BLIND else "open")


def turn(position: Position) -> int:
    """Return the seat that must decide next, or 0 if no seat must decide."""
    asks = position.prompt.asks
    others = (Kind.HAND, *TURNED, *NOT_DEALT)
    deciding = (ask for ask in asks if position.kind(ask.move) not in others)
    seats = {ask.seat for ask in deciding if ask.seat and ask.move.verb != CALL}
    situation = position.situation
    if not seats and any(ask.move.verb == "deal" for ask in asks):
        return situation.dealer or 0
    if situation.turn in seats:
        return situation.turn or 0
    count, dealer = len(position.seats), situation.dealer or 0
    return min(seats, key=lambda seat: (seat - dealer - 1) % count, default=0)


def caller(position: Position) -> int:
    """Return the seat that may call muggins, or declare before drawing, before the game continues.
    Return 0 if there is no such seat."""
    asks = position.prompt.asks
    if is_drawing(position):
        return position.situation.turn or 0
    return next((ask.seat or 0 for ask in asks if ask.move.verb == CALL), 0)


def is_drawing(position: Position) -> bool:
    """Return whether the next action is a draw by the seat whose turn it is."""
    turn = position.situation.turn
    return any(ask.move.verb == "draw" and ask.seat == turn for ask in position.prompt.asks)


def is_over(position: Position) -> bool:
    """Return whether both houses know every card of the current pack."""
    verbs = {ask.move.verb for ask in position.prompt.asks}
    return not (has_secrets(position) or "cut" in verbs)


def _open_crib(position: Position, holdings: Holdings) -> Step | None:
    """Return the line that shows the cards laid away, if that line is due now."""
    seat = turn(position)
    laid = (ask.move for ask in position.prompt.asks if ask.seat == seat)
    crib = next((move for move in laid if position.kind(move) is Kind.CRIB), None)
    away = tuple(place for place, one in holdings.items() if one.where == "away")
    if not seat or crib is None or not away:
        return None
    return Step(Move(crib.verb, seat), away, Holding(0, "open"))


def following(
    position: Position, held: Holdings, is_decided: bool, calls: bool = False
) -> Step | None:
    """Return the next automatic line, or None if there is no such line. `is_decided` says whether
    no seat has a decision to make, and `calls` whether a seat may act before the game continues."""
    asks = position.prompt.asks
    first = len(held)
    has = {one.seat for one in held.values()}  # a hand that was dealt unseen may still be entered
    hands = sorted(
        (ask.seat or 0, ask.most, ask.move)
        for ask in asks
        if is_to_hand(ask.move, position.game)
        and not (ask.seat in has if ask.move.verb == "hand" else calls)
    )
    if hands:
        _, count, move = hands[0]
        return Step(move, _next(held, count, position.game), _becomes(move, position.game))
    for ask in asks:
        if position.kind(ask.move) is Kind.BLIND:
            return Step(ask.move, (first,), _becomes(ask.move, position.game))
    if not is_decided:
        return _open_crib(position, held)
    for ask in asks:
        if position.kind(ask.move) in TURNED:
            return Step(ask.move, (first,), _becomes(ask.move, position.game))
    return None


def wanted(holdings: Holdings, coming: Step | None) -> Holdings:
    """Return the location of every card, including the cards of the next step."""
    if coming is None:
        return holdings
    return {**holdings, **dict.fromkeys(coming.places, coming.becomes)}


def shares_of(party: int, holdings: Holdings) -> set[int]:
    """Return the pack positions whose shares this house must send now."""
    return {
        place
        for place, one in holdings.items()
        if one.where in ("open", "turned") or (one.seat and party_of(one.seat) != party)
    }


def cards_of(coming: Step, deal: Deal, party: int, pack: Sequence[Card]) -> Move | None:
    """Return a step's line as a house knows it, or None until the house has seen the cards that it
    may see.

    Args:
        coming: the step.
        deal: the cards that the house has seen, as indices by position.
        house: 1 or 2.
        pack: the cards by these indices.
    """
    move, places, becomes = coming
    if becomes.where == "away":
        return move._replace(cards=(UNSEEN,))
    if becomes.where == "hand" and party_of(move.seat or 0) != party:
        return move._replace(cards=(UNSEEN,) * len(places))
    if all(place in deal.seen_cards for place in places):
        return move._replace(cards=tuple(pack[deal.seen_cards[place]] for place in places))
    return None


def _places_with(card: Card, places: Sequence[int], deal: Deal, pack: Sequence[Card]) -> list[int]:
    """Return those of the given positions at which this house has seen a card."""
    return [
        at for at in places if at in deal.seen_cards and pack[deal.seen_cards[at]] == card.plain
    ]


def places_of(
    move: Move,
    deal: Deal,
    held: Holdings,
    pack: Sequence[Card],
    one_of: Callable[[Sequence[int]], int],
) -> tuple[int, ...]:
    """Return the pack positions of the move's cards that leave the player's hand. Unless the move
    plays a card, a copy of the card that is already on the table is preferred to a copy in the
    hand.

    Args:
        move: a move of this house.
        deal: the cards that this house has seen, as indices by position.
        held: the locations of the cards.
        pack: the cards by these indices.
        one_of: draws one of several positions with equal cards. Always choosing the first would
            tell the other house that no earlier position contains such a card.
    """
    found: list[int] = []
    named: list[int] = []  # each copy that is already face up, once
    mine = [place for place, one in held.items() if one.seat == move.seat]
    for card in move.cards:
        like = _places_with(card, mine, deal, pack)
        in_hand = _located("hand", like, held, found)
        lying = _located("open", like, held, named)
        if in_hand and (move.verb == "play" or is_exchange(move) or not lying):
            found.append(in_hand[0] if len(in_hand) == 1 else one_of(in_hand))
        elif lying and is_exchange(move):
            found.append(lying[0])
        else:
            named += lying[:1]
    return tuple(found)


def _located(
    where: str, places: Iterable[int], held: Holdings, without: Sequence[int]
) -> list[int]:
    """Return those of the given positions whose cards are in a hand or open, without the excluded
    positions."""
    return [place for place in places if held[place].where == where and place not in without]


def replay(game: Game[Any], position: Position, lines: Sequence[Line], cards: Indices) -> Position:
    """Replay a deal from the beginning with every card known.

    Args:
        game: the referee.
        position: the record's position before the deal.
        lines: the deal's lines.
        cards: the cards of the pack by position, as indices.

    Raises:
        IllegalMove: if a line broke the rules, such as a go with a playable card.
    """
    pack = pack_of(game)
    for line, held in before_each(game, lines):
        move = _move(line.text, game)
        places: Sequence[int] = line.places
        is_crib = kind_of(move, game) is Kind.CRIB
        if UNSEEN in move.cards and not line.by and not is_crib:
            places = _drawn(held, move, game)
        if UNSEEN in move.cards:
            move = move._replace(cards=tuple(pack[cards[place]] for place in places))
        position = step(position, move).state
    return position
