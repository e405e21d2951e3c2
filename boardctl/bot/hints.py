"""Hints for a seat: a nudge in words, the best move, and the reason why it beats the second-best
move.

The player's process makes a hint from the lines visible to the seat (`seated.visible_lines`), using
the judgement of the strongest level. A hint is based on the chance of winning in two-handed
six-card cribbage, and on average points in its other variants. In all other games, it is based on a
search or on the rules of thumb of `habits`. This module uses only codes and numbers. `text.hints`
contains the sentences. The same lines produce the same hint.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any, Final, Literal, NamedTuple

from boardctl.bot import cribbage, habits, other_forms, playing, ranking, search, throwing
from boardctl.bot.cribbage import DealKnowledge
from boardctl.bot.objective import WIN, Objective
from boardctl.bot.playing import View
from boardctl.bot.series import START, VALUE, follow
from boardctl.bot.tables import DEALER, PONE
from boardctl.bot.totals import RANK_KEYS, RANK_ROWS
from boardctl.games import Move
from boardctl.games.cards import CARDS, Card
from boardctl.games.cribbage.point_claims import State
from boardctl.record import notation
from boardctl.record.legal import accepted
from boardctl.record.record import Record

Kind = Literal["throw", "play", "go", "count", "line"]
_CRIBBAGE: Final = ("cribbage", "five-card-cribbage")
_FIVE: Final = 4
_NEAR: Final = 100
"""The score in a game to 121 from which the counting order matters more than average points."""
TRAPS: Final = (5, 10, 21)
"""The counts at which a ten or a court card, the most common card, scores."""
_LOW: Final = 4


class Option(NamedTuple):
    """One move and its figures. A figure is None if it is unknown or inapplicable."""

    move: Move
    win: float | None = None
    """The chance of winning."""
    hand: float | None = None
    """The average points of the hand."""
    crib: float | None = None
    """The average points of the crib."""
    points: int | None = None
    """The points that the move earns at once."""
    reply: float | None = None
    """The average points of the opponent's next card."""
    more: float | None = None

    def as_data(self) -> dict[str, Any]:
        """Return the option as JSON data: its line, its cards and the known figures."""
        numbers = self._asdict()
        del numbers["move"]
        known = {name: round(number, 6) for name, number in numbers.items() if number is not None}
        cards = [str(card) for card in self.move.cards]
        return {"line": notation.spell(self.move), "cards": cards, **known}


class Hint(NamedTuple):
    """A hint for one decision."""

    kind: Kind
    nudge: str
    """The code of the sentence that leads towards the move."""
    best: Option
    other: Option | None = None
    """The second-best option, or None if there is no choice."""
    why: str = ""
    """The code of the sentence with the reason."""
    objective: Objective = WIN

    def as_data(self) -> dict[str, Any]:
        """Return the hint as JSON data.

        Unless the objective is to win the game, `worth`, in the unit of the objective, replaces
        `win`.
        """
        played_for = {} if self.objective is WIN else {"objective": self.objective.name}
        return {
            "kind": self.kind,
            "nudge": self.nudge,
            "why": self.why,
            **played_for,
            "best": self._option(self.best),
            "other": None if self.other is None else self._option(self.other),
        }

    def _option(self, option: Option) -> dict[str, Any]:
        data = option.as_data()
        if self.objective is not WIN and "win" in data:
            data["worth"] = round(self.objective.own(data.pop("win")), 6)
        return data


def hint(record: Record, seat: int, objective: Objective = WIN) -> Hint | None:
    """Return the hint for a seat's pending decision. Return None if no decision is pending or the
    seat's cards are unknown.

    Args:
        record: the record of the game, as the seat knows it.
        seat: the seat, from 1.
        objective: the objective of a game of cribbage.
    """
    position = record.position
    if position.game is None or position.state is None or position.over:
        return None
    counted = _count(record, seat)
    if counted is not None:
        return counted
    if position.game.name not in _CRIBBAGE:
        return _by_habit(record, seat)
    start = max(place for place, move in enumerate(record.moves) if move.verb == "game")
    deal = cribbage.deal_knowledge(position, record.moves[start:], seat, objective)
    if deal is None:
        return None
    state: State = position.state
    if cribbage.to_throw(state, deal):
        return _throw(deal, seat) if deal.full else _throw_on_average(state, deal, seat)
    if not cribbage.to_play(state, deal, seat):
        return None
    if not deal.full:
        return _play_in_samples(state, deal, seat)
    view = cribbage.view_of(state, deal, seat)
    return None if view is None else _play(view, seat)


# Throws


def _throw(deal: DealKnowledge, seat: int) -> Hint:
    role = DEALER if seat == deal.dealer else PONE
    mine, theirs = deal.scores[seat - 1], deal.scores[2 - seat]
    found = throwing.throws(deal.six, role, mine, theirs, deal.objective)
    best, second = found[0], found[1]
    options = [
        Option(
            Move("discard", seat, tuple(CARDS[card] for card in one.cards)),
            win=one.win
            if one.win is not None
            else throwing.win(one, deal.six, mine, theirs, deal.objective),
            hand=one.hand,
            crib=one.crib,
        )
        for one in (best, second)
    ]
    most_points = max(found, key=lambda throw: throw.points)
    most_hand = max(found, key=lambda throw: throw.hand)
    late = max(mine, theirs) >= _NEAR
    if late and best.cards != most_points.cards:
        nudge = "count-first" if role == PONE else "count-last"
    elif best.cards != most_hand.cards or _together(best.cards):
        nudge = "own-crib" if role == DEALER else "their-crib"
    else:
        nudge = f"keep-{_makes(best.kept)}"
    why = _why_throw(best, second, role, late)
    return Hint("throw", nudge, options[0], options[1], why, deal.objective)


def _why_throw(best: throwing.Throw, second: throwing.Throw, role: int, late: bool) -> str:
    """Return the main reason why the best throw beats the second-best throw."""
    crib = best.crib - second.crib if role == DEALER else second.crib - best.crib
    hand, play = best.hand - second.hand, best.play - second.play
    if late and hand + crib + play <= 0:
        return "late"
    name, most = max((("hand", hand), ("crib", crib), ("play", play)), key=lambda one: one[1])
    if most > 0:
        return name
    return "late" if late else "even"


def _together(two: Sequence[int]) -> bool:
    """Return whether two thrown cards add points to the crib: as a pair, a fifteen or with a
    five."""
    one, other = (card % 13 for card in two)
    return one == other or VALUE[one] + VALUE[other] == 15 or _FIVE in (one, other)


def _makes(kept: Sequence[int]) -> str:
    """Return the main strength of four kept cards: `run`, `pairs`, `fifteens` or `low`."""
    ranks = sorted(card % 13 for card in kept)
    if any(ranks.count(rank) and {rank + 1, rank + 2} <= set(ranks) for rank in ranks):
        return "run"
    if len(set(ranks)) < len(ranks):
        return "pairs"
    points = min(RANK_ROWS[sum(RANK_KEYS[rank] for rank in ranks)])
    return "fifteens" if points else "low"


def _throw_on_average(state: State, deal: DealKnowledge, seat: int) -> Hint:
    """Return a hint for a throw by average points, in five-card cribbage or with three or four
    players."""
    found = other_forms.throws(state, deal.hand, seat)
    best, second = (
        Option(Move("discard", seat, throw.cards), hand=throw.hand) for throw in found[:2]
    )
    mine = state.setup.side(seat) == state.setup.side(deal.dealer)
    kept = [cribbage.index(card) for card in deal.hand if card not in best.move.cards]
    most = max(found, key=lambda throw: throw.hand)
    crib = "own-crib" if mine else "their-crib"
    nudge = crib if most.cards != best.move.cards else f"keep-{_makes_of(kept)}"
    return Hint("throw", nudge, best, second, "hand" if nudge != crib else "crib")


def _makes_of(kept: Sequence[int]) -> str:
    """Return the main strength of three or four kept cards, as `_makes` does for four."""
    if len(kept) == 4:
        return _makes(kept)
    ranks = {card % 13 for card in kept}
    if max(ranks) - min(ranks) == 2 and len(ranks) == 3:
        return "run"
    if len(ranks) < len(kept):
        return "pairs"
    values = [VALUE[card % 13] for card in kept]
    sums = (sum(some) for size in (2, 3) for some in combinations(values, size))
    return "fifteens" if 15 in sums else "low"


# The play


def _play(view: View, seat: int) -> Hint:
    cards = playing.legal(view)
    if not cards:
        return Hint("go", "go", Option(Move("go", seat)), why="go")
    state = playing.now(view.role, view.events)
    random = Random(len(view.events))
    worth = playing.values(view, random)
    replies = _replies(view, cards)
    node = follow(state.series)
    ranked = ranking.ranked(view, worth, random)
    options = [
        Option(
            Move("play", seat, (CARDS[card],)),
            win=worth[card],
            points=node.points(card % 13),
            reply=replies[card % 13],
        )
        for card in ranked
        if card == ranked[0] or card % 13 != ranked[0] % 13
    ]
    other = options[1] if len(options) > 1 else None
    scores = any(node.points(card % 13) for card in cards)
    count = node.count
    alike = len(cards) > 1
    nudge = _nudge_to_play(options[0], other, count, scores=scores, alike=alike)
    why = _why_play(options[0], other, count, alike=alike)
    return Hint("play", nudge, options[0], other, why, view.objective)


def _nudge_to_play(
    best: Option, other: Option | None, count: int, *, scores: bool, alike: bool
) -> str:
    """Return the nudge towards a card. `alike` says whether all playable cards have the same
    rank."""
    if other is None:
        return "alike" if alike else "one-card"
    if best.points:
        return "score"
    if scores:
        return "not-every-point"
    if not count:
        return "lead" if _is_low(best) else "lead-any"
    return "last-card" if count > 21 else "traps"


def _is_low(option: Option) -> bool:
    """Return whether no other single card makes fifteen with this card."""
    (card,) = option.move.cards
    return VALUE[cribbage.index(card) % 13] <= _LOW


def _why_play(best: Option, other: Option | None, count: int, *, alike: bool) -> str:
    """Return the main reason why the best card beats the second-best card."""
    if other is None:
        return "alike" if alike else "only"
    if (best.points or 0) > (other.points or 0):
        return "points"
    if best.reply is not None and other.reply is not None and best.reply < other.reply - 0.05:
        return "safer"
    if not count and _is_low(best):
        return "low-lead"
    return "later"


def _replies(view: View, cards: Sequence[int]) -> dict[int, float]:
    """Return the average points of the opponent's next card over all its possible hands, for each
    rank that we may play."""
    state = playing.now(view.role, view.events)
    worlds = playing.worlds(view, state, Random(len(view.events)), playing.WORLDS)
    node = follow(state.series)
    found: dict[int, float] = {}
    for rank in {card % 13 for card in cards}:
        move = node.open()[rank]
        assert move is not None
        after = move[1] if move[1].count else START
        total = 0.0
        if state.cards[1] and not state.gone[1]:
            for weight, hand, _ in worlds:
                reply = after.reply(hand)
                total += weight * reply[1] if reply is not None else 0.0
        found[rank] = total
    return found


def _fitting(held: Sequence[Card], count: int) -> list[Card]:
    """Return the cards that can be played at this count."""
    return [card for card in held if VALUE[cribbage.index(card) % 13] <= 31 - count]


def _play_in_samples(state: State, deal: DealKnowledge, seat: int) -> Hint:
    """Return a hint for a card in the other variants of cribbage, based on sampled deals."""
    assert state.deal is not None
    held = deal.unplayed(seat)
    node = follow([(card.rank or 1) - 1 for card in state.deal.series])
    by_habit = other_forms.cautious(state.deal.series, held)
    if by_habit is None:
        return Hint("go", "go", Option(Move("go", seat)), why="go")
    fits = _fitting(held, node.count)
    found = other_forms.cards(state, deal.hand, held, seat, Random(len(deal.lines)))
    ranks = [rank for rank, _ in sorted(found, key=lambda one: -one[1])] or [by_habit.rank or 1]
    options = [_open(card, seat, node.points(cribbage.index(card) % 13)) for card in fits]
    by_rank = {int(one.move.cards[0].rank or 0): one for one in reversed(options)}
    first, *rest = (by_rank[rank] for rank in ranks[:2])
    other = rest[0] if rest else None
    scores = any(one.points for one in options)
    alike = len(fits) > 1
    nudge = _nudge_to_play(first, other, node.count, scores=scores, alike=alike)
    return Hint("play", nudge, first, other, _why_play(first, other, node.count, alike=alike))


def _open(card: Card, seat: int, points: int) -> Option:
    return Option(Move("play", seat, (card,)), points=points)


# Hints for counting, and for all other games


def _count(record: Record, seat: int) -> Hint | None:
    """Return a hint for counting the seat's own hand or crib, or None if some cards are unknown."""
    for ask in record.position.prompt.asks:
        if ask.seat != seat or ask.code not in ("show", "crib") or ask.kind != "confirm":
            continue
        if not accepted(record, ask.move):
            return None
        awards = record.try_out(ask.move).awards
        points = sum(award.points for award in awards)
        reasons = {award.reason for award in awards}
        rare = [one for one in reasons if one != "fifteen" and "pair" not in one]
        nudge = "count-nothing" if not points else "count-more" if rare else "count"
        return Hint("count", nudge, Option(ask.move, points=points), why="count")
    return None


def _searched(record: Record, seat: int) -> Hint | None:
    """Return the hint for a decision that the strongest level makes by searching, or None for any
    other decision."""
    random = Random(len(record.moves))
    by_habit = habits.next_line(record, seat, 2, random) if search.searches(record) else None
    found = [] if by_habit is None else search.choices(record, seat, by_habit, random)
    if len(found) < 2:
        return None
    best, other = (
        Option(one.move, win=one.win, more=None if one.win is None else one.points)
        for one in found[:2]
    )
    nudge = f"search-{best.move.verb}"
    nudge = nudge if nudge in NUDGES else "search"
    why = "searched" if best.win is not None else "weighed"
    return Hint("line", nudge, best, other, why)


def _by_habit(record: Record, seat: int) -> Hint | None:
    """Return the hint in a game other than cribbage."""
    searched = _searched(record, seat)
    if searched is None:
        return _ranked(record, seat)
    habit = _ranked(record, seat)
    if habit is None or habit.best.move != searched.best.move or habit.best.move.verb == "play":
        return searched
    # keep the searched move, but give the reason from the rules of thumb
    return searched._replace(nudge=habit.nudge, why=habit.why)


def _ranked(record: Record, seat: int) -> Hint | None:
    """Return the hint given by the rules of thumb."""
    found = habits.ranked(record, seat)
    if not found:
        return None
    options = [Option(move, points=points) for move, points in found[:2]]
    best = options[0]
    other = options[1] if len(options) > 1 else None
    earns = (best.points or 0) > 0
    nudge = "only-line" if other is None else "earn" if earns else f"habit-{best.move.verb}"
    if nudge not in NUDGES:
        nudge = "habit"
    why = "only" if other is None else "earns" if earns else _habit(best, found) or nudge
    return Hint("line", nudge, best, other, why)


def _habit(best: Option, found: Sequence[tuple[Move, int | None]]) -> str:
    """Return the reason for a line that earns no points, or an empty string if its verb already
    implies the reason."""
    if best.move.verb == "bid" and any(move.numbers for move, _ in found):
        return "habit-points"
    if best.move.verb == "trump" and best.move.seat is None:
        return "habit-trump"
    if "pass" in best.move.words:
        return "habit-pass"
    return "fewest" if (best.points or 0) < 0 else ""


NUDGES: Final = (
    *("only-line", "earn", "habit-bid", "habit-play", "habit-discard", "habit"),
    *("search-bid", "search-play", "search"),
)
"""The codes of the nudges for games other than cribbage."""
