"""The state of a game of Belote, and the scoring of a deal.

The functions receive the table's options as a mapping from names to values. Source:
docs/rules/belote.md 7 to 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from boardctl.games import Award, Note, Played
from boardctl.games.belote.deal import ALL, CAPOT, CAPOT_BONUS, Deal
from boardctl.games.common import jass
from boardctl.games.common.by_deal import better, ended
from boardctl.games.common.jass import LAST_TRICK, JassState, Points, Settled, value


def coinche(
    points: Points,
    options: Mapping[str, str],
    bid: int,
    capot: bool,
    doubled: int,
    whole: int = ALL,
) -> Settled:
    """Settle a deal of Coinche (8).

    Args:
        points: the points of each side.
        options: the options of the table.
        bid: the points of the bid.
        capot: whether the bid was to win all tricks.
        doubled: the multiplier: 1, 2 after `coinche`, or 4 after `surcoinche`.
        whole: the trick points of a deal in this contract.
    """
    made = _is_made(points, options, bid, capot=capot)
    flat = capot and options["capot_bid"] == "500"
    if made and doubled == 1:
        more = FLAT_CAPOT - points.tricks[0] if flat else bid
        return Settled("made", (points.of(0) + more, points.of(1)))
    taken = options["failed_tricks"] == "taken" and (capot or points.all_to == 1)
    tricks = sum(points.tricks) if made else whole + 90 * taken
    if options["failed_tricks"] == "160":
        tricks = whole // 10 * 10
    times = int(options["surcoinche"]) if doubled > 2 else doubled

    def contract(tricks: int) -> int:
        """Return the value of the contract, given the trick points of the bidder's side."""
        if flat:
            return FLAT_CAPOT * times
        return (tricks + bid) * times if options["double_counts"] == "all" else tricks + bid * times

    if made and options["doubled_defence"] == "keeps":
        mine = points.tricks[0]
        return Settled("made", (contract(mine) + points.of(0) - mine, points.of(1)))
    lost, won = jass.beaten(points, options, int(made), contract(tricks))
    return Settled("made", (won, lost)) if made else Settled("failed", (lost, won))


def _is_made(points: Points, options: Mapping[str, str], bid: int, *, capot: bool) -> bool:
    """Return whether a Coinche contract was made."""
    if capot or points.all_to is not None:
        return points.all_to == 0
    mine, theirs = jass.weighed(points, options)
    return mine >= bid and (mine > theirs or options["must_exceed"] == "off")


FLAT_CAPOT: Final = 500
"""The optional value of a bid capot, which replaces the tricks and the bid (8.6)."""


def rounded(points: int) -> int:
    """Round to the nearest ten. A last digit of 5 is rounded up (7.5)."""
    return (points + 5) // 10 * 10


def trick_points(deal: Deal) -> tuple[tuple[int, int], int | None]:
    """Return the trick points of each side, including the last trick and capot, and the side that
    won all tricks, or None."""
    one, two = deal.all_points()
    bonus = CAPOT_BONUS[deal.options["capot"]]
    if deal.counted:
        return (one, two), _counted_capot(deal, one, two, bonus)
    if len(deal.winning_sides) > 1:
        return (one, two), None
    return ((one + bonus, two), 1) if 1 in deal.winning_sides else ((one, two + bonus), 2)


def _counted_capot(deal: Deal, one: int, two: int, bonus: int) -> int | None:
    """Return the side that won all tricks, judging by the trick points entered for both sides, or
    None."""
    if deal.seats == 4:
        whole = deal.whole_points + bonus
        sides = (side for side, points in ((1, one), (2, two)) if points == whole)
        return next(sides, None) if bonus or min(one, two) == 0 else None
    none = min(one, two) == 0 and len(deal.winning_sides) < 2
    if none and deal.all_known and bonus:  # a side may have won a trick without points
        cards = (*deal.hands[0], *deal.hands[1])
        none = one + two > LAST_TRICK + sum(value(card, deal.trump) for card in cards)
    return (1 if one else 2) if none else None


@dataclass(frozen=True, slots=True)
class State(JassState):
    """A game of Belote."""

    deal: Deal | None = None


def settle(state: State, deal: Deal) -> Played[State]:
    """Score a deal once its last line has been entered."""
    taker = deal.bidding.taker
    assert taker is not None
    tricks, all_to = trick_points(deal)
    attack = deal.side(taker)
    defence = 3 - attack
    found = Points(
        (tricks[attack - 1], tricks[defence - 1]),
        (deal.meld_points(attack), deal.meld_points(defence)),
        (deal.royal_points(attack), deal.royal_points(defence)),
        None if all_to is None else int(all_to != attack),
    )
    if deal.coinche:
        bid, doubled = deal.bidding.bid, deal.bidding.doubled
        whole = deal.whole_points
        settled = coinche(found, deal.options, bid, bid == CAPOT, doubled, whole)
    else:
        settled = jass.settle(found, deal.options)
    return _score(state, settled, found, attack)


def _score(state: State, settled: Settled, found: Points, attack: int) -> Played[State]:
    """Enter the settlement on the score sheet, including any points carried over."""
    waiting, held = settled.carry(state.held_over)
    awards: list[Award] = []
    for side, scored, more in zip((attack, 3 - attack), settled.scored, waiting, strict=True):
        total = scored + more
        if state.option("round") == "nearest_10":
            total = rounded(total)
        gains = (total - more, "settlement"), (more, "held")
        awards += [Award(side, gain, reason) for gain, reason in gains if gain]
    fields = {"side": attack, "attack_points": found.of(0), "defence_points": found.of(1)}
    if settled.result == "litige":
        fields["held"] = held
    code = {"made": "contract-made", "failed": "contract-failed", "litige": "litige"}
    notes = [Note(code[settled.result], fields)]
    if found.all_to is not None:
        notes.append(Note("capot", {"side": attack if found.all_to == 0 else 3 - attack}))
    won = [sum(award.points for award in awards if award.seat == side) for side in (1, 2)]
    return ended(replace(state, held_over=held, best=better(won)), awards, notes)
