"""Analysis of a finished game of two-handed six-card cribbage: decisions, luck and winning chances.

The strongest level evaluates every throw and card of a player whose cards are known, using only
what that player knew at the time. The cost of a decision is the loss in the chance of winning
compared with the best decision. The rest of the change during a deal is luck. During a deal, a
seat's chance falls by the cost of its own decisions, rises by the cost of the opponent's decisions,
and changes by its luck. If only hands or points were entered, fewer decisions can be judged, and
the effect of all other decisions counts as luck.

If an objective is given (`objective`), the worth of the game replaces the chance of winning
everywhere except in `course`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import resources
from itertools import chain, pairwise
from random import Random
from statistics import mean
from typing import Final, Literal, NamedTuple

from boardctl.bot import judges, playing, strength, throwing
from boardctl.bot.cribbage import index
from boardctl.bot.objective import WIN, Objective, Objectives, only_wins_count
from boardctl.bot.odds import odds
from boardctl.bot.playing import Event, Past, View
from boardctl.bot.positions import KnownPosition
from boardctl.bot.series import follow
from boardctl.bot.tables import DEALER, PONE, TARGET, start
from boardctl.games import Kind, Move
from boardctl.games.cards import Card, spell
from boardctl.record.history import DEALS, source_of
from boardctl.record.position import Position, step

Verdict = Literal["good", "inaccuracy", "mistake", "blunder"]
LEAST: Final[tuple[tuple[float, Verdict], ...]] = (
    (0.04, "blunder"),
    (0.02, "mistake"),
    (0.01, "inaccuracy"),
)
"""The smallest loss for each verdict, as a share of what a game is played for."""


def verdict(share: float) -> Verdict:
    """Return the verdict on a decision with this cost.

    Args:
        share: the loss as a share of what a game is played for.
    """
    return next((name for least, name in LEAST if share >= least), "good")


WORLDS: Final = 2 * playing.WORLDS
"""The number of possible opponent's hands that are searched to judge a card. It is larger than in
play."""
_SEATS: Final = (1, 2)
_AVERAGED: Final = ("hand", "play", "crib")


class Decision(NamedTuple):
    """A throw or card, judged by what the player knew."""

    place: int
    """The index of the move in the game. The `game` line has index 0."""
    deal: int
    seat: int
    role: int
    kind: Literal["throw", "play"]
    score: tuple[int, int]
    """The scores of the seat and its opponent before the decision."""
    hand: tuple[int, ...]
    """The cards held."""
    chosen: tuple[int, ...]
    """The cards that were thrown or played."""
    best: tuple[int, ...]
    """The best cards to throw or play."""
    win: float
    """The chance of winning with the chosen cards, or the worth under the objective."""
    best_win: float
    """The chance of winning with the best cards, or the worth under the objective."""
    points: float
    """For a throw, the average total of hand, crib and play. For a card, the points that it pegs at
    once."""
    best_points: float
    """The points of the best cards, in the same sense."""
    position: KnownPosition | None = None
    """The position as its player knew it, or None unless all six cards are known."""
    target: int = TARGET
    objective: Objective = WIN

    @property
    def cost(self) -> float:
        """The loss caused by the decision: a chance of winning or a worth, from 0 to 1."""
        return self.best_win - self.win

    @property
    def verdict(self) -> Verdict:
        return verdict(self.cost / self.objective.stake)


class Chance(NamedTuple):
    """Seat 1's chance of winning before a deal. After the last deal, it is 1 or 0."""

    place: int
    """The index of the move in the game."""
    deal: int
    scores: tuple[int, int]
    win: float


class Worths(NamedTuple):
    """The worth of the game for each seat, before a deal or at the end of the game. The other
    fields are those of `Chance`."""

    place: int
    deal: int
    scores: tuple[int, int]
    worth: tuple[float, float]


class DealLuck(NamedTuple):
    """The part of each seat's change in worth during a deal that the judged decisions do not
    explain."""

    deal: int
    luck: tuple[float, float]


class Averages(NamedTuple):
    """The average points from hand, play and crib in one role, over `deals` deals. Unknown averages
    are None."""

    role: int
    deals: int
    hand: float | None
    play: float | None
    crib: float | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a finished game."""

    seats: tuple[str, ...]
    decisions: tuple[Decision, ...]
    curve: tuple[Worths, ...]
    """Each seat's worth before each deal."""
    course: tuple[Chance, ...]
    """Seat 1's chance after each line that changes it, computed without knowledge of any hand
    (`odds`)."""
    deals: tuple[DealLuck, ...]
    averages: dict[tuple[int, int], Averages]
    unjudged: dict[str, int]
    """The number of throws and plays that could not be judged, by kind."""
    winner: int | None
    objectives: Objectives = (WIN, WIN)

    def costs(self, seat: int) -> list[float]:
        """Return the cost of each judged decision of a seat, in the unit of its objective."""
        span = self.objectives[seat - 1].span
        return [span * decision.cost for decision in self.decisions if decision.seat == seat]

    def luck(self, seat: int) -> float:
        """Return a seat's luck over all finished deals, in the unit of its objective."""
        span = self.objectives[seat - 1].span
        return span * sum(deal.luck[seat - 1] for deal in self.deals)


def season(analyses: Iterable[Analysis]) -> dict[str, tuple[int, strength.Strength]]:
    """Return, for each player, the number of games with judged decisions, and the strength over all
    these games."""
    games: dict[str, int] = {}
    costs: dict[str, list[float]] = {}
    for analysis in analyses:
        for seat, name in enumerate(analysis.seats, 1):
            own = analysis.costs(seat)
            if own:
                games[name] = games.get(name, 0) + 1
                costs.setdefault(name, []).extend(own)
    return {name: (games[name], strength.of_costs(own)) for name, own in costs.items()}


class Stage(NamedTuple):
    """An analysis in progress. The fields that also exist in `Analysis` are complete from the first
    stage on."""

    done: int
    """The number of throws and cards judged so far."""
    of: int
    """The number of throws and cards to judge in all."""
    seats: tuple[str, ...]
    winner: int | None
    curve: tuple[Worths, ...]
    course: tuple[Chance, ...]
    decisions: tuple[Decision, ...]
    """The decisions judged so far."""
    objectives: Objectives


@dataclass(slots=True)
class _Deal:
    """The known cards of a deal, with the scores before each line."""

    number: int
    place: int
    scores: tuple[int, int]
    dealer: int = 0
    starter: Card | None = None
    hands: dict[int, list[Card]] = field(default_factory=lambda: {1: [], 2: []})
    thrown: dict[int, list[Card]] = field(default_factory=lambda: {1: [], 2: []})
    counted_hands: dict[int, list[Card]] = field(default_factory=lambda: {1: [], 2: []})
    threw_at: dict[int, tuple[int, tuple[int, int]]] = field(default_factory=dict)
    play: list[tuple[int, int, Card | None, tuple[int, int]]] = field(default_factory=list)
    """The index, the seat, the card (None for a go) and the earlier scores of each move."""
    pegged: dict[int, int] = field(default_factory=lambda: {1: 0, 2: 0})
    counted: dict[tuple[int, str], int] = field(default_factory=dict)

    def kept(self, seat: int) -> list[Card]:
        """Return the four cards kept, or fewer if some are unknown."""
        played = [card for _, who, card, _ in self.play if who == seat and card is not None]
        away = self.thrown[seat]
        if len(self.hands[seat]) == 6 and len(away) == 2 and all(card.is_known for card in away):
            return [card for card in self.hands[seat] if card not in away]
        for cards in (self.counted_hands[seat], played):
            if len(cards) == 4 and all(card.is_known for card in cards):
                return cards
        return []

    def away(self, seat: int) -> list[Card]:
        """Return the two cards thrown, or fewer if some are unknown."""
        if len(self.thrown[seat]) == 2 and all(card.is_known for card in self.thrown[seat]):
            return self.thrown[seat]
        kept = self.kept(seat)
        left = [card for card in self.hands[seat] if card not in kept]
        return left if len(kept) == 4 and len(left) == 2 else []


def standing(score: tuple[int, int], target: int) -> tuple[int, int]:
    """Convert the scores to a game to TARGET. Each side still needs the same number of points."""
    return score[0] + TARGET - target, score[1] + TARGET - target


def can_judge(position: Position) -> bool:
    """Return whether a game is two-handed six-card cribbage. The target may be any number."""
    game, setup = position.game, position.setup
    if game is None or setup is None:
        return False
    return judges(game.name, len(setup.seats), setup.options)


def analyse(
    before: Position,
    moves: Sequence[Move],
    worlds: int = WORLDS,
    objectives: Objectives = (WIN, WIN),
    tell: Callable[[Stage], object] = lambda stage: None,
) -> Analysis:
    """Analyse one game.

    Args:
        before: the position before the game.
        moves: the moves of the game, from `game` on.
        worlds: the number of possible opponent's hands that are searched to judge a card.
        objectives: the objectives of seats 1 and 2.
        tell: called with each stage, the first time before any decision is judged.

    Raises:
        ValueError: if the game is not two-handed six-card cribbage.
        IllegalMove: if a move is illegal.
    """
    deals, after = _read(before, moves)
    setup = after.setup
    if setup is None or not can_judge(after):
        raise ValueError("not two-hand six-card cribbage")
    decisions: list[Decision] = []
    unjudged = {"throw": 0, "play": 0}
    target = int(setup.options["target"])
    winner = after.outcome.winner if after.outcome is not None else None
    curve = tuple(_curve(deals, after, len(moves), winner, target, objectives))
    course = tuple(_course(before, moves))
    done, of = 0, sum(len(_SEATS) + len(deal.play) for deal in deals)

    def tell_stage() -> None:
        judged = tuple(decisions)
        tell(Stage(done, of, setup.seats, winner, curve, course, judged, objectives))

    tell_stage()
    for number, deal in enumerate(deals):
        for decision in chain(
            _throws(deal, unjudged, target, objectives),
            _plays(deal, unjudged, worlds, deals[:number], target, objectives),
        ):
            done += 1
            decisions.append(decision)
            tell_stage()
        done = sum(len(_SEATS) + len(judged.play) for judged in deals[: number + 1])
        tell_stage()
    decisions.sort(key=lambda decision: decision.place)
    return Analysis(
        setup.seats,
        tuple(decisions),
        curve,
        course,
        tuple(_luck(_played_out(curve, course, moves, objectives), decisions)),
        _averages(deals),
        unjudged,
        winner,
        objectives,
    )


def _read(before: Position, moves: Sequence[Move]) -> tuple[list[_Deal], Position]:
    """Return the known cards and scores of a game's deals, and the final position."""
    position = before
    deals: list[_Deal] = []
    for place, move in enumerate(moves):
        scores = (*position.scores, 0, 0)[:2]
        own = (scores[0], scores[1])
        played = step(position, move)
        position = played.state
        if move.verb == "deal":
            deals.append(_Deal(len(deals) + 1, place, own))
        elif move.verb == "misdeal" and deals:
            deals.pop()
        if not deals:
            continue
        deal = deals[-1]
        state = position.state
        if state is not None and state.sheet.dealer is not None and not deal.dealer:
            deal.dealer = state.sheet.dealer
        _enter(deal, place, move, own)
        counted = source_of(position, move)
        if counted in ("hand", "crib") and move.seat:
            deal.counted.setdefault((move.seat, counted), 0)
        for award in played.awards:
            if award.seat not in _SEATS:
                continue
            if position.kind(move) is Kind.PLAY:
                deal.pegged[award.seat] += award.points
            elif counted in ("hand", "crib"):
                key = award.seat, counted
                deal.counted[key] = deal.counted.get(key, 0) + award.points
    return deals, position


def _enter(deal: _Deal, place: int, move: Move, scores: tuple[int, int]) -> None:
    """Add a line's data to a deal. `scores` are the scores before the line."""
    seat = move.seat or 0
    match move.verb:
        case "hand":
            deal.hands[seat] += move.cards
        case "discard":
            deal.thrown[seat] += move.cards
            deal.threw_at[seat] = (place, scores)
        case "starter":
            deal.starter = move.cards[0]
        case "play":
            deal.play.append((place, seat, move.cards[0], scores))
        case "go":
            deal.play.append((place, seat, None, scores))
        case "show":
            deal.counted_hands[seat] = list(move.cards)


def _throws(
    deal: _Deal, unjudged: dict[str, int], target: int, objectives: Objectives
) -> Iterator[Decision]:
    for seat, objective in zip(_SEATS, objectives, strict=True):
        hand, away = deal.hands[seat], deal.away(seat)
        if not deal.dealer or len(hand) != 6 or not all(c.is_known for c in hand) or not away:
            unjudged["throw"] += 1
            continue
        role = DEALER if seat == deal.dealer else PONE
        place, scores = deal.threw_at.get(seat, (deal.place, deal.scores))
        score = scores[seat - 1], scores[2 - seat]
        mine, theirs = standing(score, target)
        six = tuple(map(index, hand))
        found = throwing.throws(six, role, mine, theirs, objective)
        two = set(map(index, away))
        chosen = next(throw for throw in found if set(throw.cards) == two)
        best = found[0]
        win = chosen.win
        if win is None:
            win = throwing.win(chosen, six, mine, theirs, objective)
        yield Decision(
            place,
            deal.number,
            seat,
            role,
            "throw",
            score,
            six,
            chosen.cards,
            best.cards if best.win is not None and best.win > win else chosen.cards,
            win,
            max(best.win or 0.0, win),
            chosen.points,
            best.points,
            KnownPosition(
                spell(hand), role == DEALER, score, target=target, objective=objective.text
            ),
            target,
            objective,
        )


def _past(earlier: Sequence[_Deal], seat: int) -> Iterator[Past]:
    """Yield the play of earlier deals as a seat saw it, latest deal first."""
    for deal in reversed(earlier):
        ranks = [None if card is None else card.rank for _, _, card, _ in deal.play]
        known = all(
            rank is not None or card is None
            for rank, (_, _, card, _) in zip(ranks, deal.play, strict=True)
        )
        if deal.play and deal.dealer and known:
            yield Past(
                DEALER if seat == deal.dealer else PONE,
                tuple(
                    Event(who == seat, None if rank is None else rank - 1)
                    for rank, (_, who, _, _) in zip(ranks, deal.play, strict=True)
                ),
            )


def _plays(
    deal: _Deal,
    unjudged: dict[str, int],
    worlds: int,
    earlier: Sequence[_Deal],
    target: int,
    objectives: Objectives,
) -> Iterator[Decision]:
    known = deal.starter is not None and deal.starter.is_known and bool(deal.dealer)
    known = known and all(card is None or card.is_known for _, _, card, _ in deal.play)
    kept = {seat: tuple(map(index, deal.kept(seat))) for seat in _SEATS}
    past = {seat: tuple(_past(earlier, seat)) for seat in _SEATS}
    for number, (place, seat, card, scores) in enumerate(deal.play):
        if card is None:
            continue
        if not known or not kept[seat] or deal.starter is None:
            unjudged["play"] += 1
            continue
        role = DEALER if seat == deal.dealer else PONE
        score = scores[seat - 1], scores[2 - seat]
        view = View(
            role,
            *standing(score, target),
            kept[seat],
            tuple(map(index, deal.away(seat))),
            index(deal.starter),
            tuple(
                Event(who == seat, None if some is None else index(some))
                for _, who, some, _ in deal.play[:number]
            ),
            past[seat],
            objectives[seat - 1],
        )
        chosen = index(card)
        legal = playing.legal(view)
        if chosen not in legal or len({some % 13 for some in legal}) < 2:
            continue
        worth = playing.values(view, Random(place), worlds)
        best = max(legal, key=lambda some: worth[some])
        node = follow(playing.now(role, view.events).series)
        if worth[best] <= worth[chosen]:
            best = chosen
        yield Decision(
            place,
            deal.number,
            seat,
            role,
            "play",
            score,
            view.unplayed,
            (chosen,),
            (best,),
            worth[chosen],
            worth[best],
            node.points(chosen % 13),
            node.points(best % 13),
            _known_play(deal, seat, deal.play[:number], target, objectives[seat - 1]),
            target,
            objectives[seat - 1],
        )


def _known_play(
    deal: _Deal,
    seat: int,
    play: Sequence[tuple[int, int, Card | None, tuple[int, int]]],
    target: int,
    objective: Objective,
) -> KnownPosition | None:
    if len(deal.hands[seat]) != 6 or deal.starter is None:
        return None
    return KnownPosition(
        spell(deal.hands[seat]),
        seat == deal.dealer,
        (deal.scores[seat - 1], deal.scores[2 - seat]),
        spell(deal.away(seat)),
        str(deal.starter),
        spell(card for _, _, card, _ in play if card is not None),
        target,
        objective=objective.text,
    )


def _curve(
    deals: Sequence[_Deal],
    after: Position,
    places: int,
    winner: int | None,
    target: int,
    objectives: Objectives,
) -> Iterator[Worths]:
    one, two = (*after.shown_scores, 0, 0)[:2]

    def before(dealer: int, scores: tuple[int, int]) -> tuple[float, float]:
        mine, theirs = standing(scores, target)
        first, second = objectives
        win = start(dealer == 1, mine, theirs, first)
        return win, 1 - win if only_wins_count(objectives) else start(
            dealer == 2, theirs, mine, second
        )

    for deal in deals:
        if deal.dealer and max(deal.scores) < target:
            yield Worths(deal.place, deal.number, deal.scores, before(deal.dealer, deal.scores))
    if winner is not None:
        loser = min(standing((one, two), target))
        ends = [
            objective.gained(loser) if winner == seat else objective.given(loser)
            for seat, objective in zip(_SEATS, objectives, strict=True)
        ]
        yield Worths(places, len(deals) + 1, (one, two), (ends[0], ends[1]))
    elif deals and after.situation.phase == "deal" and after.situation.dealer is not None:
        # The other player deals the next deal.
        worth = before(3 - after.situation.dealer, (one, two))
        yield Worths(places, len(deals) + 1, (one, two), worth)


def _course(before: Position, moves: Sequence[Move]) -> Iterator[Chance]:
    position, deal, last = before, 0, None
    for place, move in enumerate(moves):
        position = step(position, move).state
        deal += DEALS.get(move.verb, 0)
        win = odds(position)
        if win is not None and win != last:
            last = win
            one, two = position.scores
            yield Chance(place, deal, (one, two), win)


def _played_out(
    curve: Sequence[Worths],
    course: Sequence[Chance],
    moves: Sequence[Move],
    objectives: Objectives,
) -> Sequence[Worths]:
    """Return the curve up to the point where a player gave up, because giving up is a decision and
    not luck. In the middle of a deal, only the chance of winning is known. For other objectives,
    the unfinished deal does not count as luck."""
    place = next((n for n, move in enumerate(moves) if move.verb == "resign"), None)
    last = [point.win for point in course if place is not None and point.place < place]
    if not curve or place is None:
        return curve
    if not only_wins_count(objectives):
        return curve[:-1]
    return (*curve[:-1], curve[-1]._replace(worth=(last[-1], 1 - last[-1]))) if last else curve


def _luck(curve: Sequence[Worths], decisions: Iterable[Decision]) -> Iterator[DealLuck]:
    cost: dict[tuple[int, int], float] = {}
    for decision in decisions:
        key = decision.deal, decision.seat
        cost[key] = cost.get(key, 0.0) + decision.cost
    for this, following in pairwise(curve):
        if following.deal != this.deal + 1:
            continue
        one, two = (
            following.worth[seat - 1]
            - this.worth[seat - 1]
            + cost.get((this.deal, seat), 0.0)
            - cost.get((this.deal, 3 - seat), 0.0)
            for seat in _SEATS
        )
        yield DealLuck(this.deal, (one, two))


def _averages(deals: Sequence[_Deal]) -> dict[tuple[int, int], Averages]:
    """Return each seat's averages in each role."""
    found = {}
    for seat in _SEATS:
        for role in (PONE, DEALER):
            own = [deal for deal in deals if deal.dealer and (seat == deal.dealer) == bool(role)]
            hands = [d.counted[seat, "hand"] for d in own if (seat, "hand") in d.counted]
            cribs = [d.counted[seat, "crib"] for d in own if (seat, "crib") in d.counted]
            pegs = [d.pegged[seat] for d in own if d.play]
            found[seat, role] = Averages(
                role, len(own), *(mean(some) if some else None for some in (hands, pegs, cribs))
            )
    return found


def expert() -> dict[int, Averages]:
    """Return the averages of players at the strongest level, by role. `python -m
    tools.expert_averages` writes them to `averages.json`.
    """
    text = (resources.files("boardctl.bot") / "averages.json").read_text("utf-8")
    found = json.loads(text)
    return {
        role: Averages(role, 0, *(found[name].get(what, (None,))[0] for what in _AVERAGED))
        for role, name in ((PONE, "pone"), (DEALER, "dealer"))
    }
