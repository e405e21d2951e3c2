"""The play: what its lines earn, and how it ends.

Whose turn it is and which gos a line implies is `games.common.to_31`; the point for last card then
belongs to that line. Sources: docs/rules/cribbage.md 4, 8.3, 9.2.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from boardctl.games import Award, IllegalMove, Note, because
from boardctl.games.cards import Card
from boardctl.games.common import to_31
from boardctl.games.common.series import ALIKE, FIFTEEN, MUST_PLAY, THIRTY_ONE, PlayScores
from boardctl.games.common.to_31 import Table
from boardctl.games.cribbage.state import Deal, Form, moved

SCORES: Final = PlayScores({FIFTEEN: "fifteen"}, 2, ALIKE, last_counts={THIRTY_ONE: "thirty-one"})
Scores = tuple[int, ...]
"""Scores by side, side 1 first: a line ends the game if its points bring a side to the target."""


class CardPlayed(NamedTuple):
    """A line of the play: the deal after it, what it earned, and its notes."""

    deal: Deal
    awards: tuple[Award, ...] = ()
    notes: tuple[Note, ...] = ()


def _leader(table: Table, form: Form) -> int:
    """The seat to lead after the series: the next clockwise from its last card that has cards
    (4.7); 0 if there is none, or if there is only one series (8.3)."""
    return 0 if form.five else table.leader()


def _end(deal: Deal, table: Table, form: Form) -> Deal:
    """End the series; the play is over too if nobody leads another."""
    leader = _leader(table, form)
    return moved(deal, to_31.end_series(table, leader), "play" if leader else "show")


def _last_card(table: Table, form: Form, scores: Scores) -> tuple[Award, ...]:
    """One for the last card of a series below 31; nothing if that card, or another, has already
    reached the target (4.6, 6.4)."""
    if form.reaches(scores, table.last, 0):
        return ()
    return (Award(table.last, 1, "last-card", table.series[-1:]),)


def _unsaid_last_card(table: Table, form: Form, scores: Scores) -> tuple[Award, ...]:
    """The last card of a series ended by gos that nobody said. Raises IllegalMove `go-unsaid` if
    its point would win the game."""
    awards = _last_card(table, form, scores)
    if awards and form.reaches(scores, table.last, 1):
        raise IllegalMove("go-unsaid", seat=table.due, last=table.last)
    return awards


def _not_in_play(deal: Deal, verb: str) -> IllegalMove:
    why = "points" if deal.phase == "play" else None
    return IllegalMove("not-in-play", verb=verb, phase=deal.phase, **because(why))


def go(deal: Deal, form: Form, seat: int, scores: Scores) -> CardPlayed:
    """`N go`, which implies the gos of the seats due before it.

    Raises:
        IllegalMove: `not-in-play`; `can-play` with the seat that could, or must be able to.
    """
    if not deal.table.holds(seat):
        return CardPlayed(deal)
    if deal.phase != "play" or not deal.table.due:
        raise _not_in_play(deal, "go")
    table = to_31.go(deal.table, seat)
    if table.due:
        return CardPlayed(moved(deal, table, "play"))
    return CardPlayed(_end(deal, table, form), _last_card(table, form, scores))


def play(deal: Deal, form: Form, seat: int, card: Card, scores: Scores) -> CardPlayed:
    """`N play CARD`: in turn, after the gos it implies, or as the lead after the series it implies
    is over.

    Raises:
        IllegalMove: `not-in-play`, `card-unknown`, `not-held` and any error of the pack check,
            `over-31`, `not-your-turn`, `go-unsaid`.
    """
    before = deal.table
    if deal.phase != "play" or not before.due:
        raise _not_in_play(deal, "play")
    table, ended = before, False
    if seat != before.due or before.total > MUST_PLAY or card.rank is None:
        table, ended = to_31.make_way(before, seat, card, more_series=not form.five)
    awards = _unsaid_last_card(before, form, scores) if ended else ()
    table, card, belied = to_31.lay(table, seat, card)
    notes: tuple[Note, ...] = ()
    if belied:
        notes = (to_31.belied(seat, card),)
    items = SCORES.items(table.series, table.total)
    if items:
        awards += to_31.awarded(seat, items)
    if table.due:
        return CardPlayed(moved(deal, table, "play"), awards, notes)
    if table.total < THIRTY_ONE:
        earned = _earned(awards, form, seat) if awards else 0
        if not form.reaches(scores, seat, earned):
            awards = (*awards, Award(seat, 1, "last-card", (card,)))
    return CardPlayed(_end(deal, table, form), awards, notes)


def _earned(awards: tuple[Award, ...], form: Form, seat: int) -> int:
    """What the side of a seat has earned."""
    side = form.setup.side
    return sum(award.points for award in awards if side(award.seat) == side(seat))


def end_for_show(deal: Deal, form: Form, scores: Scores) -> CardPlayed:
    """End the play because a hand is shown, with the gos that this implies.

    Raises:
        IllegalMove: `play-unfinished` if cards are still to be played.
    """
    table = deal.table
    ended = None if _leader(table, form) else to_31.everybody_passed(table)
    if ended is None:
        raise IllegalMove("play-unfinished", turn=table.due, count=table.total)
    return CardPlayed(_end(deal, ended, form), _unsaid_last_card(table, form, scores))
