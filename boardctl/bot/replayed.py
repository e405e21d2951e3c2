"""Make decisions in Noddy and Costly Colours by playing out sampled deals with the referee.

A deal in these games has so few lines that the referee itself is fast enough. For each sample, the
other hands are dealt at random, and the deal is entered again with these hands. A sample is dropped
if the referee refuses a line, such as a go by a player who could play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from boardctl.bot.standing import Choice, Table, best_first
from boardctl.games import Ask, Game, IllegalMove, Move
from boardctl.games.cards import UNSEEN, Card
from boardctl.record.legal import completed
from boardctl.record.record import Record
from boardctl.record.visibility import deal_start

GAMES: Final = frozenset({"costly-colours", "noddy"})
SAMPLES: Final = 24
"""The number of sampled deals in which a line is tried."""
_TRIES: Final = 4
"""The maximum number of deals drawn for each accepted deal."""
_LINES: Final = 60
"""A number larger than the remaining lines of any deal."""
_CHOSEN: Final = ("play", "mog", "refuse")
"""The verbs of lines that a player chooses."""
_SIZE: Final = 3
"""The number of cards in a hand."""


def choices(
    record: Record, table: Table, seat: int, moves: Sequence[Move], random: Random
) -> list[Choice]:
    """Return the possible lines of a seat with their values, best first.

    Args:
        record: the record of the game, as the seat knows it.
        table: the value of points.
        seat: from 1.
        moves: the possible lines.
        random: draws the samples.
    """
    game = record.position.game
    assert game is not None
    wins, points, count = [0.0] * len(moves), [0.0] * len(moves), 0
    for state in _sampled(record, game, seat, random):
        before = record.position.scores
        for place, move in enumerate(moves):
            after = _played_out(game, game.play(state, move).state, random)
            scored = [now - was for was, now in zip(before, after, strict=True)]
            wins[place] += table.worth(scored)
            points[place] += table.more(scored)
        count += 1
    if not count:
        return []
    found = [
        Choice(move, win / count, more / count)
        for move, win, more in zip(moves, wins, points, strict=True)
    ]
    return sorted(found, key=best_first)


def _sampled(record: Record, game: Game[Any], seat: int, random: Random) -> Iterator[Any]:
    """Yield states of the current deal in which every other hand is dealt at random, but
    consistently with the lines of the deal."""
    start = deal_start(record.moves)
    lines = record.moves[start:]
    seen = {card for move in lines for card in move.cards if card.is_known}
    free = [card for card in game.pack if card not in seen]
    before = record.position_at(start).state
    seats = [other for other in sorted(record.position.seats) if other != seat]
    given = any(UNSEEN in move.cards for move in lines)
    hidden = given or not all(_own(lines, other, "hand") for other in seats)
    found = 0
    for _ in range(SAMPLES * _TRIES if hidden else 1):
        random.shuffle(free)
        state = _replay(game, before, lines, seats, free, random)
        if state is not None:
            found += 1
            yield state
        if found == SAMPLES:
            return


def _replay(
    game: Game[Any],
    before: Any,
    lines: Sequence[Move],
    seats: Sequence[int],
    free: Sequence[Card],
    random: Random,
) -> Any:
    """Return the state after the lines of a deal, with random cards dealt to the other seats, or
    None if the referee refuses a line."""
    hands = _hands(lines, seats, free)
    state = before
    try:
        for move in _with_hands(lines, hands, random):
            state = game.play(state, move).state
    except IllegalMove:
        return None
    return state


def _hands(
    lines: Sequence[Move], seats: Sequence[int], free: Sequence[Card]
) -> dict[int, list[Card]]:
    """Return a hand for each seat: the cards that the seat's lines name, filled up with unseen
    cards."""
    left = list(free)
    given = [card for move in lines if move.verb == "mog" for card in _known_cards(move)]
    hands: dict[int, list[Card]] = {}
    for other in seats:
        own = [card for move in _own(lines, other) for card in _known_cards(move)]
        kept = [card for move in _own(lines, other, "mog") for card in _known_cards(move)]
        hand = list(dict.fromkeys(card for card in own if card not in given or card in kept))
        while len(hand) < _SIZE:
            hand.append(left.pop())
        hands[other] = hand
    return hands


def _known_cards(move: Move) -> Iterator[Card]:
    """Yield the known cards of a line."""
    return (card for card in move.cards if card.is_known)


def _with_hands(
    lines: Sequence[Move], hands: Mapping[int, Sequence[Card]], random: Random
) -> Iterator[Move]:
    """Yield the lines of a deal with these hands entered as dealt. Each unseen card that a player
    gave away is replaced by a card of that player's hand.
    """
    for move in lines:
        if move.verb == "hand" and move.seat in hands:
            continue
        if UNSEEN in move.cards and move.verb == "mog":
            move = move._replace(cards=(random.choice(hands[move.player]),), claim=None)
        yield move
        if move.verb == "deal":
            yield from (Move("hand", seat, tuple(hand)) for seat, hand in hands.items())


def _own(lines: Sequence[Move], seat: int, verb: str = "") -> list[Move]:
    """Return the lines of a seat, or only the lines with the given verb."""
    return [move for move in lines if move.seat == seat and verb in ("", move.verb)]


def _played_out(game: Game[Any], state: Any, random: Random) -> Sequence[int]:
    """Return the scores at the end of the deal if every player always chooses the line that
    immediately earns the most points."""
    for _ in range(_LINES):
        if state.deal is None or game.outcome(state).state != "unfinished":
            break
        found = _next(game, state, random)
        if found is None:
            break
        state = found
    return game.outcome(state).scores


def _next(game: Game[Any], state: Any, random: Random) -> Any:
    """Return the state after the next line, or None at the end of the deal."""
    asks = [ask for ask in game.prompt(state).asks if ask.seat is not None]
    plays = any(ask.move.verb == "play" for ask in asks)
    for ask in asks:
        if ask.kind == "confirm" and (ask.code == "show" or (ask.code == "go" and not plays)):
            return game.play(state, ask.move).state
    some = [ask for ask in asks if ask.move.verb in _CHOSEN]
    best = _best(game, state, _moves(some), random)
    if best is None:
        gos = [ask.move for ask in asks if ask.code == "go"]
        return game.play(state, gos[0]).state if gos else None
    return best


def _best(game: Game[Any], state: Any, moves: Iterable[Move], random: Random) -> Any:
    """Return the state after the line that earns the most points, or None if the referee refuses
    all lines. Among equal plays, the highest card is chosen."""
    best, most = None, (-1, -1.0)
    for move in moves:
        try:
            after = game.play(state, move)
        except IllegalMove:
            continue
        earned = sum(award.points for award in after.awards if award.seat == move.seat)
        rank = move.cards[0].rank if move.cards else None
        high = random.random() if move.verb != "play" else min(rank or 0, 10)
        if (earned, high) > most:
            best, most = after.state, (earned, high)
    return best


def _moves(asks: Sequence[Ask]) -> Iterator[Move]:
    for ask in asks:
        yield from completed(ask)
