"""What every game shares at the table: the cut for deal, whose deal it is, scores that are set
right, giving up, and a game that is over. Sources: docs/rules/cribbage.md 2 and
6.5, and docs/notation.md for `start`, `adjust`, `resign` and `abandon`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, TypeVar

from boardctl.games import (
    Award,
    IllegalMove,
    Margin,
    Move,
    Option,
    Outcome,
    Setup,
    Standing,
    because,
)
from boardctl.games.cards import Card, Rank

Value = TypeVar("Value")
NEXT_GAME_DEALER = Option("next_game_dealer", "redraw", ("redraw", "alternate", "loser", "winner"))


def put(values: tuple[Value, ...], seat: int, value: Value) -> tuple[Value, ...]:
    """The values by seat, seat 1 first, with one seat's replaced."""
    changed = list(values)
    changed[seat - 1] = value
    return tuple(changed)


class ScoreSheet(NamedTuple):
    """The score sheet: current and previous scores by side, and the dealer.

    `dealer` is the dealer of the current deal, or of the last one between deals; before the first
    deal, the player who will deal. `again` means that the same player deals next: after a misdeal,
    or after `dealer` between deals. `cuts` are the cards of the cut for deal that still count.
    """

    setup: Setup
    scores: tuple[int, ...]
    before: tuple[int, ...]
    dealer: int | None = None
    first_dealer: int | None = None
    deals: int = 0
    again: bool = False
    cuts: tuple[tuple[int, Card], ...] = ()
    cutters: tuple[int, ...] = ()
    resigned: int | None = None
    abandoned: bool = False

    @property
    def standings(self) -> tuple[Standing, ...]:
        return tuple(map(Standing, self.scores, self.before))


def open_score_sheet(setup: Setup) -> ScoreSheet:
    """An empty sheet, with the dealer if `next_game_dealer` determines it."""
    zeros = (0,) * setup.sides
    return ScoreSheet(setup, zeros, zeros, dealer=next_dealer(setup))


def next_dealer(setup: Setup) -> int | None:
    """Who deals first in this game by the game before it (6.5), None if it is cut for.

    `alternate` goes clockwise from the first dealer of the game before; `loser` and `winner`
    name that side's seat nearest clockwise after the last dealer.
    """
    rule, previous = setup.options.get("next_game_dealer", "redraw"), setup.previous
    if previous is None or rule == "redraw":
        return None
    if rule == "alternate":
        return setup.after(previous.first_dealer)
    outcome = previous.outcome
    if rule == "winner":
        sides = {outcome.winner}
    else:
        lowest = min(outcome.scores)
        sides = {n for n, score in enumerate(outcome.scores, 1) if score == lowest}
    seat = previous.dealer
    for _ in setup.seats:
        seat = setup.after(seat)
        if setup.side(seat) in sides:
            return seat
    return None


def check_seat(sheet: ScoreSheet, move: Move) -> None:
    """Raise IllegalMove `no-such-seat` if the move names an empty seat."""
    if move.seat is not None and not 1 <= move.seat <= len(sheet.setup.seats):
        raise IllegalMove("no-such-seat", seat=move.seat, seats=len(sheet.setup.seats))


def earn(sheet: ScoreSheet, awards: Iterable[Award]) -> ScoreSheet:
    """The sheet after a scoring event: each scoring side's rear peg moves to its old score."""
    setup, scores_before, rear, dealer, first, deals, again, cuts, cutters, resigned, given_up = (
        sheet
    )
    scores, before = [*scores_before], [*rear]
    moved: set[int] = set()
    for seat, points, _, _ in awards:
        side = (seat - 1) % len(scores)
        if side not in moved:
            moved.add(side)
            before[side] = scores[side]
        scores[side] += points
    if not moved:
        return sheet
    after = (setup, tuple(scores), tuple(before), dealer, first, deals, again, cuts, cutters)
    return ScoreSheet(*after, resigned, given_up)  # faster than `_replace`


def cut(
    sheet: ScoreSheet, move: Move, strength: Callable[[Rank], int], copies: int = 1
) -> ScoreSheet:
    """A card of the cut for deal; the highest `strength` deals, ties cut again (2.1, 2.2). The pack
    has `copies` of each card.
    """
    (card,) = move.cards
    seat = move.player
    if sheet.deals or sheet.dealer is not None:
        why = "unknown" if sheet.dealer is None else None
        raise IllegalMove("dealer-known", dealer=sheet.dealer, **because(why))
    if card.rank is None:
        raise IllegalMove("card-unknown", card=card)
    cutters = sheet.cutters or tuple(range(1, len(sheet.setup.seats) + 1))
    if seat not in cutters or any(seat == other for other, _ in sheet.cuts):
        raise IllegalMove("cut-twice", seat=seat)
    one_of_its_kind = card.known and (copies == 1 or card.copy is not None)
    if one_of_its_kind and any(card == other for _, other in sheet.cuts):
        raise IllegalMove("card-twice", card=card)
    cuts = (*sheet.cuts, (seat, card))
    if len(cuts) < len(cutters):
        return sheet._replace(cuts=cuts)
    best = max(strength(c.rank) for _, c in cuts if c.rank is not None)
    tied = tuple(s for s, c in cuts if c.rank is not None and strength(c.rank) == best)
    if len(tied) > 1:
        return sheet._replace(cuts=(), cutters=tuple(sorted(tied)))
    return sheet._replace(cuts=cuts, cutters=cutters, dealer=tied[0])


def name_dealer(sheet: ScoreSheet, move: Move, *, between: bool = False) -> ScoreSheet:
    """`dealer N`; the game has already checked that no card of the deal was entered. If `between`
    deals, it sets the next dealer.
    """
    (seat,) = move.numbers
    if not 1 <= seat <= len(sheet.setup.seats):
        raise IllegalMove("no-such-seat", seat=seat, seats=len(sheet.setup.seats))
    named = sheet._replace(dealer=seat, cuts=(), cutters=())
    if between:
        return named._replace(again=True)
    return named._replace(first_dealer=seat) if sheet.deals == 1 else named


def deal(sheet: ScoreSheet) -> ScoreSheet:
    """Start the next deal: the first dealer deals, then the deal passes clockwise (2.3)."""
    if sheet.dealer is None:
        raise IllegalMove("dealer-unknown")
    if not sheet.deals:
        return sheet._replace(deals=1, first_dealer=sheet.dealer, again=False)
    dealer = sheet.dealer if sheet.again else sheet.setup.after(sheet.dealer)
    return sheet._replace(deals=sheet.deals + 1, dealer=dealer, again=False)


def misdeal(sheet: ScoreSheet, earned: tuple[int, ...]) -> tuple[ScoreSheet, tuple[Award, ...]]:
    """`misdeal`: the deal and what the sides `earned` in it are void; same dealer (2.4)."""
    awards = tuple(
        Award(side, -points, "correction") for side, points in enumerate(earned, 1) if points
    )
    return earn(sheet, awards)._replace(deals=sheet.deals - 1, again=True), awards


def start(sheet: ScoreSheet, move: Move, target: int | None) -> ScoreSheet:
    """`start P1 P2 …`: initial scores below the target, if the game has one, before the first deal
    and first point."""
    if sheet.deals or sheet.scores != sheet.before or any(sheet.before):
        raise IllegalMove("too-late", what="start")
    if len(move.numbers) != sheet.setup.sides:
        raise IllegalMove(
            "wrong-number", what="start", said=len(move.numbers), allowed=sheet.setup.sides
        )
    if target is not None and max(move.numbers) >= target:
        raise IllegalMove("start-too-high", said=max(move.numbers), target=target)
    return sheet._replace(scores=move.numbers, before=move.numbers)


def adjust(sheet: ScoreSheet, move: Move) -> tuple[ScoreSheet, tuple[Award, ...]]:
    """`N adjust +P`: correct a score; rejected below 0."""
    (points,) = move.numbers
    award = Award(move.player, points, "adjusted")
    after = earn(sheet, (award,))
    if after.scores[sheet.setup.side(move.player) - 1] < 0:
        raise IllegalMove(
            "score-below-zero",
            seat=move.player,
            points=points,
            score=sheet.scores[sheet.setup.side(move.player) - 1],
        )
    return after, (award,)


def give_up(sheet: ScoreSheet, move: Move) -> ScoreSheet:
    """`N resign` or `abandon`."""
    if move.verb == "abandon":
        return sheet._replace(abandoned=True)
    return sheet._replace(resigned=sheet.setup.side(move.player))


def given_up(sheet: ScoreSheet) -> Outcome | None:
    """The outcome of an abandoned or resigned game: the best other side wins one game."""
    if sheet.abandoned:
        return undecided(sheet.scores, "abandoned")
    if sheet.resigned is None:
        return None
    others = [n for n in range(1, sheet.setup.sides + 1) if n != sheet.resigned]
    winner = max(others, key=lambda n: sheet.scores[n - 1])
    return won(sheet.scores, winner, put((0,) * sheet.setup.sides, sheet.resigned, 1))


def undecided(
    scores: tuple[int, ...], state: Literal["draw", "unfinished", "abandoned"] = "unfinished"
) -> Outcome:
    """The outcome of a game that nobody has won."""
    nobody = (0,) * len(scores)
    return Outcome(state, scores, won=nobody, lost=nobody)


def won(
    scores: tuple[int, ...], winner: int, lost: tuple[int, ...], margin: Margin = "game"
) -> Outcome:
    """The outcome of a game that a side has won: as many games as the best loser loses.

    Args:
        lost: how many games each side has lost.
    """
    games = min(games for games in lost if games)
    return Outcome("won", scores, winner, put((0,) * len(scores), winner, games), lost, margin)


def won_by_more(scores: tuple[int, ...], double_below: float = 0) -> Outcome:
    """The outcome of a game of two sides that the higher score wins.

    Args:
        double_below: a loser below this score loses two games.
    """
    double = min(scores) < double_below
    lost = tuple((1 + double) * (score < max(scores)) for score in scores)
    winner = scores.index(max(scores)) + 1
    return won(scores, winner, lost, "double" if double else "game")
