"""Compute the cost of each decision in games other than two-handed six-card cribbage.

The strongest level judges each decision, using only what the seat knew at the time (`search`,
`stock`, `other_forms`). It first finds the best line, and then uses new samples to compare it with
the line that was played. Otherwise the highest of several estimates would be favoured. A difference
below twice its standard error counts as no cost.

A cost is the loss in the chance of winning, or in points if the game is judged by points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, Final, Literal, NamedTuple

from boardctl import games
from boardctl.bot import analysis, cribbage, habits, judges, other_forms, search, standing, stock
from boardctl.bot.analysis import Verdict
from boardctl.bot.seated import own_cards
from boardctl.bot.standing import Choice
from boardctl.games import Kind, Move
from boardctl.games.cards import Card
from boardctl.record.legal import accepted
from boardctl.record.position import Position, game_start
from boardctl.record.record import Record
from boardctl.record.visibility import VisibleRecords, deal_start

Unit = Literal["win", "points"]
BATCHES: Final = 6
"""The number of independent estimates of the difference between two lines."""
_CRIBBAGE: Final = ("cribbage", "five-card-cribbage")
ASKED: Final = 12
"""The number of lines that a practice question offers."""
_UNTOLD: Final = ("hand", "draw")
"""The verbs of lines that a question omits. It shows the hand at the decision instead."""
_WHOLE: Final = {"rubicon-bezique": 1000, "six-pack-bezique": 3000}
"""The points that count as a whole game, for games without a target. The number is the rubicon."""


class Question(NamedTuple):
    """A decision for practice, as its player knew it."""

    hand: tuple[Card, ...]
    """The cards that the player held."""
    lines: tuple[Move, ...]
    """The lines of the deal before the decision, without hands and draws."""
    choices: tuple[tuple[Move, float], ...]
    """Some possible lines with their costs, best first."""


class Weighed(NamedTuple):
    """A judged decision."""

    place: int
    """The index of the move in the game. The `game` line has index 0."""
    deal: int
    seat: int
    scores: tuple[int, ...]
    """The score of each side before the decision."""
    chosen: Move
    """The line that was played."""
    best: Move
    """The best line."""
    cost: float
    """The cost in the unit of the game."""
    win: float | None
    """The chance of winning with the line that was played, or None if points decide."""
    best_win: float | None
    """The chance of winning with the best line, or None if points decide."""
    share: float
    """The cost as a share of a whole game."""
    question: Question | None = None
    """The decision for practice, or None if it is not an error."""

    @property
    def verdict(self) -> Verdict:
        return analysis.verdict(self.share)


class Point(NamedTuple):
    """The scores before a deal or at the end, with side 1's chance of winning. `place` is the index
    of the move."""

    place: int
    deal: int
    scores: tuple[int, ...]
    win: float


class Weighing(NamedTuple):
    """A judged game."""

    game: str
    seats: tuple[str, ...]
    """The names of the players."""
    teams: tuple[int, ...]
    """The side of each seat."""
    winner: int | None
    """The winning side, or None."""
    unit: Unit
    decisions: tuple[Weighed, ...]
    curve: tuple[Point, ...]
    """The chances before each deal. It is empty unless the game is scored by the deal."""
    unjudged: int
    """The number of decisions that could not be judged."""

    def costs(self, seat: int) -> list[float]:
        """Return the cost of each judged decision of a seat."""
        return [one.cost for one in self.decisions if one.seat == seat]


class Progress(NamedTuple):
    """A judgement in progress, with the number of moves read so far and the total number."""

    done: int
    of: int


def can_weigh(position: Position) -> bool:
    """Return whether this module judges the decisions of a game."""
    game, setup = position.game, position.setup
    if game is None or setup is None:
        return False
    return weighs(game.name, len(setup.seats), setup.options)


def weighs(game: str, seats: int, options: Any = None) -> bool:
    """Return whether this module judges a game with this number of players and these options."""
    if game not in games.names() or judges(game, seats, options or {}):
        return False
    return seats in games.find(game).seats


def weigh(
    before: Position,
    moves: Sequence[Move],
    tell: Callable[[Progress], object] = lambda progress: None,
) -> Weighing:
    """Judge the decisions of one game.

    Args:
        before: the position before the game.
        moves: the moves of the game, from `game` on.
        tell: called with the progress after each judged decision.

    Raises:
        ValueError: if this module does not judge the game.
        IllegalMove: if a move is illegal.
    """
    table, views = Record(before), VisibleRecords()
    decisions: list[Weighed] = []
    curve: list[Point] = []
    unjudged = deal = 0
    for place, move in enumerate(moves):
        position = table.position
        if move.verb == "deal":
            deal += 1
            curve += _point(position, place, deal)
        seat = _decider(position, move)
        if seat is not None:
            view = views.of(table, seat).record
            if own_cards(view, seat) is None:
                unjudged += bool(move.cards)
            elif len(lines := _alternatives(view, seat, move)) > 1:
                found = judged(view, seat, lines, move, Random(place))
                if found is None:
                    unjudged += 1
                else:
                    decisions.append(_weighed(view, place, deal, seat, move, found))
                    tell(Progress(place, len(moves)))
        table.apply(move)
    position = table.position
    if not can_weigh(position):
        raise ValueError("a game that is not judged here")
    game, setup = position.game, position.setup
    assert game is not None
    assert setup is not None
    winner = position.outcome.winner if position.outcome is not None else None
    if curve:
        curve += _point(position, len(moves), deal, winner)
    seats = range(1, len(setup.seats) + 1)
    return Weighing(
        game.name,
        setup.seats,
        tuple(map(setup.side, seats)),
        winner,
        "win" if standing.spread(game.name, len(seats)) else "points",
        tuple(decisions),
        tuple(curve),
        unjudged,
    )


class Judged(NamedTuple):
    """The best line for a decision, the line that was played, and the difference between them in
    the unit of the game."""

    best: Choice
    made: Choice
    cost: float
    all: Sequence[Choice]
    """All lines, best first."""


def judged(
    view: Record, seat: int, moves: Sequence[Move], made: Move, random: Random
) -> Judged | None:
    """Return the judgement of one decision, or None if it cannot be judged.

    Args:
        view: the record of the game before the decision, as the seat knows it.
        seat: from 1.
        moves: the lines of the same kind that the seat could play.
        made: the line that the seat played.
        random: draws the samples.
    """
    found = _values(view, seat, moves, made, random)
    if not found:
        return None
    best, key = found[0], _key(made)
    own = next((one for one in found if _key(one.move) == key), None)
    if own is best:
        return Judged(best, best, 0.0, found)
    if own is not None and _is_exact(view, made):
        return Judged(best, own, best.points - own.points, found)
    pairs = [_pair(view, seat, best.move, made, random) for _ in range(BATCHES)]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < BATCHES:
        return None
    more = [_worth(one) - _worth(other) for one, other in known]
    cost = fmean(more)
    if cost <= 2 * stdev(more) / sqrt(BATCHES):
        cost = 0.0
    means = [_mean([pair[place] for pair in known]) for place in (0, 1)]
    return Judged(means[0], means[1], cost, found)


class Compared(NamedTuple):
    """A line that a seat may play now. win: the chance of winning, or None if points decide. half:
    half the width of the 95 % interval of that figure, 0 if it does not depend on samples."""

    move: Move
    win: float | None
    points: float
    half: float


def deciders(record: Record) -> list[int]:
    """Return the seats that have a decision now, and whose hands are known."""
    position = record.position
    asks = position.prompt.asks
    return [
        seat
        for seat in range(1, len(position.seats) + 1)
        if own_cards(record, seat) is not None
        and any(habits.decides(position, ask, seat) for ask in asks)
    ]


def pending(record: Record, seat: int) -> list[Compared]:
    """Return the lines that a seat may play now, grouped by kind, best first.

    Args:
        record: a game in the middle of a deal; cards that the seat has not seen are left out.
        seat: from 1.

    Returns:
        The lines; empty if the seat has no choice, or none that can be judged.
    """
    view = VisibleRecords().of(record, seat).record
    if own_cards(view, seat) is None:
        return []
    by_kind: dict[str, list[Move]] = {}
    for move in habits.legal(view, seat):
        by_kind.setdefault(search.kind(move), []).append(move)
    found: list[Compared] = []
    for moves in by_kind.values():
        found += _compared(view, seat, moves)
    return found


def _compared(view: Record, seat: int, moves: Sequence[Move]) -> list[Compared]:
    """Return lines of one kind, best first, ranked by several independent estimates of each
    line."""
    random = Random(len(view.moves))
    times = 1 if _is_exact(view, moves[0]) else BATCHES
    known: dict[tuple[object, ...], list[Choice]] = {}
    for _ in range(times):
        for choice in _values(view, seat, moves, moves[0], random):
            known.setdefault(_key(choice.move), []).append(choice)
    found = []
    for some in known.values():
        mean, spread = _mean(some), [_worth(one) for one in some]
        half = 1.96 * stdev(spread) / sqrt(len(spread)) if len(spread) > 1 else 0.0
        found.append(Compared(mean.move, mean.win, mean.points, half))
    return sorted(found, key=_worth, reverse=True)


def _alternatives(view: Record, seat: int, made: Move) -> list[Move]:
    """Return all lines of the same kind as a line, including the line itself."""
    own = search.kind(made)
    moves = [move for move in habits.legal(view, seat) if search.kind(move) == own]
    keys = set(map(_key, moves))
    if _key(made) not in keys and accepted(view, made):
        moves.append(made)
    return moves


def _values(
    view: Record, seat: int, moves: Sequence[Move], made: Move, random: Random
) -> list[Choice]:
    """Return lines of the same kind with their values, best first, or an empty list if they cannot
    be compared."""
    if _is_cribbage(view):
        return _of_cribbage(view, seat, moves, random)
    if not search.searches(view):
        return []
    return search.weigh(view, seat, moves, search.kind(made), random, shaded=False)


def _of_cribbage(view: Record, seat: int, moves: Sequence[Move], random: Random) -> list[Choice]:
    """Return throws or cards in the other variants of cribbage, best first."""
    position = view.position
    deal = cribbage.deal_knowledge(position, view.moves[game_start(view.moves) :], seat)
    if deal is None:
        return []
    state: Any = position.state
    found: dict[object, float]
    if cribbage.to_throw(state, deal):
        throws = other_forms.throws(state, deal.hand, seat)
        found = {frozenset(throw.cards): throw.worth for throw in throws}
        named = {id(move): frozenset(card.plain for card in move.cards) for move in moves}
    elif cribbage.to_play(state, deal, seat):
        cards = other_forms.cards(state, deal.hand, deal.unplayed(seat), seat, random)
        found = dict(cards)
        named = {id(move): move.cards[0].rank for move in moves if move.cards}  # type: ignore[misc]
    else:
        return []
    known = [move for move in moves if named.get(id(move)) in found]
    some = [Choice(move, None, found[named[id(move)]]) for move in known]
    return sorted(some, key=lambda choice: choice.points, reverse=True)


def _is_exact(view: Record, made: Move) -> bool:
    """Return whether the values of a decision are exact, so that they do not depend on samples."""
    return stock.handles(view.position.state) or (made.verb == "discard" and _is_cribbage(view))


def _is_cribbage(view: Record) -> bool:
    game = view.position.game
    return game is not None and game.name in _CRIBBAGE


def _pair(
    view: Record, seat: int, best: Move, made: Move, random: Random
) -> tuple[Choice, Choice] | None:
    """Return two lines with their values, judged by the same new samples, or None if they cannot be
    compared."""
    found = {_key(one.move): one for one in _values(view, seat, [best, made], made, random)}
    both = found.get(_key(best)), found.get(_key(made))
    return None if both[0] is None or both[1] is None else (both[0], both[1])


def _worth(choice: Choice | Compared) -> float:
    return choice.points if choice.win is None else choice.win


def _mean(some: Sequence[Choice]) -> Choice:
    """Return the mean of several estimates for one line."""
    wins = [one.win for one in some if one.win is not None]
    return Choice(some[0].move, fmean(wins) if wins else None, fmean(one.points for one in some))


def _key(move: Move) -> tuple[object, ...]:
    """Return the key that distinguishes lines."""
    cards = tuple(sorted(str(card.plain) for card in move.cards))
    return move.verb, move.seat, move.words, move.numbers, cards


def _decider(position: Position, move: Move) -> int | None:
    """Return the seat that decides to play a line, or None if the line is not a decision."""
    if not habits.is_decision(position, move) and position.kind(move) is not Kind.TRUMP:
        return None
    if move.seat is not None:
        return move.seat
    for ask in position.prompt.asks:
        if ask.code == "name-trump" and move.verb == ask.move.verb:
            return int(ask.fields["seat"])
    return None


def _weighed(view: Record, place: int, deal: int, seat: int, made: Move, found: Judged) -> Weighed:
    position = view.position
    state: Any = position.state
    game = position.game
    assert game is not None
    own, best = found.made, found.best
    whole = 1.0 if own.win is not None else _WHOLE.get(game.name) or float(state.target)
    share = found.cost / whole
    is_error = analysis.verdict(share) != "good"
    return Weighed(
        place,
        deal,
        seat,
        tuple(position.scores),
        made,
        best.move,
        found.cost,
        own.win,
        best.win,
        share,
        _question(view, seat, found) if is_error else None,
    )


def _question(view: Record, seat: int, found: Judged) -> Question:
    """Return a decision as a practice question, with about `ASKED` of its lines."""
    hand = own_cards(view, seat) or []
    lines = view.moves[deal_start(view.moves) :]
    shown = (move for move in lines if move.verb not in _UNTOLD and not move.begins)
    best, made = _key(found.best.move), _key(found.made.move)
    top = _worth(found.all[0])
    costs = {_key(one.move): (one.move, max(0.0, top - _worth(one))) for one in found.all[:ASKED]}
    costs[best] = found.best.move, 0.0
    costs[made] = found.made.move, found.cost
    choices = sorted(costs.values(), key=lambda one: one[1])
    return Question(tuple(hand), tuple(shown), tuple(choices))


def _point(position: Position, place: int, deal: int, winner: int | None = None) -> list[Point]:
    """Return the point at the beginning of a deal or at the end of the game, or an empty list."""
    game, state, scores = position.game, position.state, tuple(position.scores)
    if game is None or state is None:
        return []
    spread = standing.spread(game.name, len(position.seats))
    if spread is None:
        return []
    if winner is not None:
        return [Point(place, deal, scores, float(winner == 1))]
    return [Point(place, deal, scores, standing.chance(spread, scores, 0, state.target))]
