"""The play: whose turn it is, gos said and implied, the end of series, and what they earn.

A series is the cards since the count was last 0. A line may presuppose gos that nobody said; they
are implied unless the known cards rule them out, and the point for last card then belongs to that
line. Sources: docs/rules/cribbage.md 4, 8.3, 9.2.
"""

from __future__ import annotations

from typing import NamedTuple

from boardctl.games import Award, IllegalMove, Note, because
from boardctl.games.cards import Card
from boardctl.games.common.to_31 import THIRTY_ONE, VALUE
from boardctl.games.cribbage import knowledge, pegging
from boardctl.games.cribbage.deal import Cards, Deal, Phase, lay
from boardctl.games.cribbage.form import Form
from boardctl.games.cribbage.knowledge import BIT, LOW
from boardctl.games.table_rules import put

Scores = tuple[int, ...]
"""Scores by side, side 1 first: a line ends the game if its points bring a side to the target."""


class CardPlayed(NamedTuple):
    """A line of the play: the deal after it, what it earned, and its notes."""

    deal: Deal
    awards: tuple[Award, ...] = ()
    notes: tuple[Note, ...] = ()


def holds(deal: Deal, form: Form, seat: int) -> bool:
    """Whether a seat still has cards to play."""
    return len(deal.played[seat - 1]) < form.keep


def _next(played: tuple[Cards, ...], passed: int, form: Form, seat: int) -> int:
    """The next seat clockwise that has cards and has not said go, the seat itself last; 0 if there
    is none and the series is over."""
    keep = form.keep
    for other in form.order(seat):
        if len(played[other - 1]) < keep and not passed >> other & 1:
            return other
    return 0


def _leader(deal: Deal, form: Form) -> int:
    """The seat to lead after the series: the next clockwise from its last card that has cards
    (4.7); 0 if there is none, or if there is only one series (8.3)."""
    return 0 if form.five else _next(deal.played, 0, form, deal.last)


def _end(deal: Deal, form: Form, leader: int) -> Deal:
    """End the series; the play is over too if nobody leads another."""
    phase: Phase = "play" if leader else "show"
    return lay(deal, deal.played, deal.held, phase, (), 0, deal.last, leader, 0)


def _waiting(deal: Deal, form: Form, until: int) -> tuple[int, ...]:
    """The seats from the one due up to, but not including, `until`; all of them if `until` is 0."""
    seats = []
    seat = deal.due
    for _ in range(form.seats):
        if seat == until:
            break
        seats.append(seat)
        seat = form.after(seat)
    return tuple(seats)


def _passed(deal: Deal, form: Form, seats: tuple[int, ...]) -> Deal | None:
    """The deal after these seats pass in turn; None if a known card rules one of them out."""
    most = THIRTY_ONE - deal.total
    passed = deal.passed
    for seat in seats:
        if knowledge.can_surely_play(deal, form, seat, most):
            return None
        passed |= 1 << seat
    if (
        not deal.fully_known
    ):  # what their hands can no longer hold; known already in a fully known deal
        floors = tuple(
            max(floor, most) if seat in seats else floor
            for seat, floor in enumerate(deal.floors, 1)
        )
        deal = deal._replace(floors=floors)
    return lay(
        deal,
        deal.played,
        deal.held,
        deal.phase,
        deal.series,
        deal.total,
        deal.last,
        _next(deal.played, passed, form, seats[-1]),
        passed,
    )


def _last_card(deal: Deal, form: Form, scores: Scores) -> tuple[Award, ...]:
    """One for the last card of a series below 31; nothing if that card, or another, has already
    reached the target (4.6, 6.4)."""
    if form.reaches(scores, deal.last, 0):
        return ()
    return (Award(deal.last, 1, "last-card", deal.series[-1:]),)


def _implied_end(deal: Deal, form: Form, scores: Scores) -> CardPlayed | None:
    """The series ended by gos that nobody said; None if a known card rules them out.

    Raises:
        IllegalMove: `go-unsaid` if the point for last card would win the game.
    """
    ended = _passed(deal, form, _waiting(deal, form, 0))
    if ended is None:
        return None
    awards = _last_card(ended, form, scores)
    if awards and form.reaches(scores, deal.last, 1):
        raise IllegalMove("go-unsaid", seat=deal.due, last=deal.last)
    return CardPlayed(_end(ended, form, _leader(ended, form)), awards)


def _not_in_play(deal: Deal, verb: str) -> IllegalMove:
    why = "points" if deal.phase == "play" else None
    return IllegalMove("not-in-play", verb=verb, phase=deal.phase, **because(why))


def go(deal: Deal, form: Form, seat: int, scores: Scores) -> CardPlayed:
    """`N go`, which implies the gos of the seats due before it.

    Raises:
        IllegalMove: `not-in-play`; `can-play` with the seat that could, or must be able to.
    """
    if not holds(deal, form, seat):
        return CardPlayed(deal)
    if deal.phase != "play" or not deal.due:
        raise _not_in_play(deal, "go")
    if deal.passed >> seat & 1:
        return CardPlayed(deal)
    seats = (*_waiting(deal, form, seat), seat)
    after = _passed(deal, form, seats)
    if after is None:
        most = THIRTY_ONE - deal.total
        able = next(s for s in seats if knowledge.can_surely_play(deal, form, s, most))
        raise IllegalMove("can-play", seat=able, count=deal.total)
    if after.due:
        return CardPlayed(after)
    return CardPlayed(_end(after, form, _leader(after, form)), _last_card(after, form, scores))


def play(deal: Deal, form: Form, seat: int, card: Card, scores: Scores) -> CardPlayed:
    """`N play CARD`: in turn, after the gos it implies, or as the lead after the series it implies
    is over.

    Raises:
        IllegalMove: `not-in-play`, `card-unknown`, `not-held` and any error of the pack check,
            `over-31`, `not-your-turn`, `go-unsaid`.
    """
    if deal.phase != "play" or not deal.due:
        raise _not_in_play(deal, "play")
    rank = card.rank
    if rank is None:
        raise IllegalMove("card-unknown", card=card)
    if len(deal.played[seat - 1]) >= form.keep:
        raise IllegalMove("no-cards-left", seat=seat)
    before = deal
    awards: tuple[Award, ...] = ()
    fits = deal.total + VALUE[rank] <= THIRTY_ONE
    if not fits or seat != deal.due:
        deal, awards = _make_way(deal, form, seat, card, fits, scores)
    if deal.fully_known:
        bit, held = BIT.get(card, 0), deal.held
        if bit & held[seat - 1]:
            held = put(held, seat, held[seat - 1] ^ bit)
            return _lay(deal, form, seat, card, held, awards, (), scores)
        deal, card = _take(deal, form, seat, card)
    else:
        knowledge.check(
            deal._replace(played=put(deal.played, seat, (*deal.played[seat - 1], card))), form
        )
    notes: tuple[Note, ...] = ()
    if VALUE[rank] <= before.floors[seat - 1]:
        notes = (Note("impossible-with-known-cards", {"seat": seat, "card": card}),)
        deal = deal._replace(floors=put(deal.floors, seat, 0))
    return _lay(deal, form, seat, card, deal.held, awards, notes, scores)


def _make_way(
    deal: Deal, form: Form, seat: int, card: Card, fits: bool, scores: Scores
) -> tuple[Deal, tuple[Award, ...]]:
    """The deal with the gos that this card implies, and the last card that they earn."""
    if fits and not deal.passed >> seat & 1:
        passed = _passed(deal, form, _waiting(deal, form, seat))
        if passed is None:
            raise IllegalMove("not-your-turn", seat=seat, turn=deal.due)
        return passed, ()
    if deal.series and _leader(deal, form) == seat:
        ended = _implied_end(deal, form, scores)
        if ended is not None:
            return ended.deal, ended.awards
    if fits or seat != deal.due:
        raise IllegalMove("not-your-turn", seat=seat, turn=deal.due)
    raise IllegalMove("over-31", seat=seat, card=card, count=deal.total)


def _take(deal: Deal, form: Form, seat: int, card: Card) -> tuple[Deal, Card]:
    """Take a card from a fully known hand that does not hold it as entered: a card of that rank is
    taken, left without a suit if there are several.

    Raises:
        IllegalMove: `not-held`.
    """
    place = seat - 1
    alike = [
        c
        for c in deal.dealt[place]
        if card.suit is None and c.rank == card.rank and BIT[c] & deal.held[place]
    ]
    if not alike:
        gone = ("played", deal.played), ("discarded", deal.discarded)
        why = next((where for where, cards in gone if card in cards[place]), None)
        raise IllegalMove(
            "not-held", seat=seat, cards=(card,), held=deal.dealt[place], **because(why)
        )
    if len(alike) > 1:
        return deal._replace(fully_known=False), card
    held = put(deal.held, seat, deal.held[place] & ~BIT[alike[0]])
    return deal._replace(held=held), alike[0]


def _lay(
    deal: Deal,
    form: Form,
    seat: int,
    card: Card,
    held: tuple[int, ...],
    awards: tuple[Award, ...],
    notes: tuple[Note, ...],
    scores: Scores,
) -> CardPlayed:
    """Play the card: what it earns, whose turn is next, whether the series is over."""
    series = (*deal.series, card)
    total = deal.total + VALUE[card.rank]
    played = put(deal.played, seat, (*deal.played[seat - 1], card))
    if len(series) > 1:
        for reason, cards, points in pegging.points(series, total):
            awards = (*awards, Award(seat, points, reason, cards))
    if total < THIRTY_ONE:
        due = _next(played, deal.passed, form, seat)
        if due:
            after = lay(deal, played, held, "play", series, total, seat, due, deal.passed)
            return CardPlayed(after, awards, notes)
        earned = _earned(awards, form, seat) if awards else 0
        if not form.reaches(scores, seat, earned):
            awards = (*awards, Award(seat, 1, "last-card", (card,)))
    leader = 0 if form.five else _next(played, 0, form, seat)
    phase: Phase = "play" if leader else "show"
    after = lay(deal, played, held, phase, (), 0, seat, leader, 0)
    return CardPlayed(after, awards, notes)


def _earned(awards: tuple[Award, ...], form: Form, seat: int) -> int:
    """What the side of a seat has earned."""
    side = form.setup.side
    return sum(award.points for award in awards if side(award.seat) == side(seat))


def end_for_show(deal: Deal, form: Form, scores: Scores) -> CardPlayed:
    """End the play because a hand is shown, with the gos that this implies.

    Raises:
        IllegalMove: `play-unfinished` if cards are still to be played.
    """
    if not _leader(deal, form):
        ended = _implied_end(deal, form, scores)
        if ended is not None:
            return ended
    raise IllegalMove("play-unfinished", turn=deal.due, count=deal.total)


def playable(deal: Deal, form: Form, seat: int) -> tuple[Card, ...]:
    """The cards that could now be entered as played by a seat: those of its hand if known,
    otherwise also every unseen card of the pack."""
    most = THIRTY_ONE - deal.total
    if deal.fully_known:
        mask = deal.held[seat - 1] & LOW[most]
        return tuple(card for card in deal.dealt[seat - 1] if BIT[card] & mask)
    own = knowledge.certain(deal, form, seat)
    cards = own if not knowledge.room(deal, form, seat) else (*own, *knowledge.unseen(deal, form))
    return tuple(c for c in dict.fromkeys(cards) if VALUE[c.rank] <= most)
