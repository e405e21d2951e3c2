"""The state of a game of Belote, and the scoring of its deals.

Source: docs/rules/belote.md 7 to 10.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from boardctl.games import Award, Note, Outcome, Played, table_rules
from boardctl.games.belote import declarations, settlement
from boardctl.games.belote.bidding import CAPOT
from boardctl.games.belote.deal import Deal
from boardctl.games.belote.settlement import CAPOT_BONUS, Points, Settled
from boardctl.games.common import by_deal, jass
from boardctl.games.common.jass import LAST_TRICK, ROYALS
from boardctl.games.common.jass_referee import JassState


@dataclass(frozen=True, slots=True)
class State(JassState):
    """A game of Belote."""

    deal: Deal | None = None

    @property
    def seats(self) -> int:
        return len(self.setup.seats)

    @property
    def coinche(self) -> bool:
        return self.option("bidding") == "coinche"

    @property
    def declaring(self) -> declarations.Custom:
        return declarations.Custom(
            self.option("declaration_tie") == "earlier",
            self.option("square_order"),
            self.option("shared_cards") == "allowed",
        )

    @property
    def settling(self) -> settlement.Custom:
        return settlement.Custom(
            self.option("contract_counts"),
            self.option("tie"),
            self.option("failed_declarations") == "kept",
            self.option("failed_belote") == "kept",
            self.option("failed_tricks") == "taken",
            self.option("double_counts") == "all",
            self.option("must_exceed") == "on",
            int(self.option("surcoinche")),
        )


def outcome(state: State) -> Outcome:
    """The outcome; a loser below half the target may lose two games (9.1)."""
    return by_deal.outcome(state, double=state.option("double_win_below_half") == "on")


def points(deal: Deal, capot: str) -> tuple[tuple[int, int], int | None]:
    """Trick points by side, including the last trick and capot, and the side that won all tricks.

    Args:
        capot: the option of this name.
    """
    one, two = deal.all_points()
    bonus = CAPOT_BONUS[capot]
    if deal.counted:
        if deal.seats == 4:
            whole = settlement.ALL + bonus
            for side, points in ((1, one), (2, two)):
                if points == whole and (bonus or min(one, two) == 0):
                    return (one, two), side
            return (one, two), None
        none = min(one, two) == 0 and len(deal.winning_sides) < 2
        if none and deal.all_known and bonus:  # a side may have won a trick that is worth nothing
            cards = (*deal.hands[0], *deal.hands[1])
            none = one + two > LAST_TRICK + sum(jass.value(card, deal.trump) for card in cards)
        return (one, two), (1 if one else 2) if none else None
    if len(deal.winning_sides) > 1:
        return (one, two), None
    return ((one + bonus, two), 1) if 1 in deal.winning_sides else ((one, two + bonus), 2)


def settle(state: State, deal: Deal) -> Played[State]:
    """Score a deal when its last line has been entered."""
    taker = deal.bidding.taker
    assert taker is not None
    tricks, all_to = points(deal, state.option("capot"))
    attack = deal.side(taker)
    defence = 3 - attack
    worth = sum(piece.value for _, piece in deal.pieces)
    owner = None if deal.owner is None else deal.side(deal.owner)
    holders = (s for s in deal.order if deal.royals_called == s or deal.has_royals(s))
    royal = next(holders, None)
    royal_side = None if royal is None else deal.side(royal)
    both = (attack, defence)
    found = Points(
        (tricks[attack - 1], tricks[defence - 1]),
        tuple(worth * (owner == side) for side in both),  # type: ignore[arg-type]  # two of them
        tuple(ROYALS * (royal_side == side) for side in both),  # type: ignore[arg-type]  # two of them
        None if all_to is None else int(all_to != attack),
    )
    bid, doubled = deal.contract
    if deal.coinche:
        settled = settlement.coinche(found, state.settling, bid, bid == CAPOT, doubled)
    else:
        settled = settlement.turned(found, state.settling)
    return _score(state, settled, found, attack)


def _score(state: State, settled: Settled, found: Points, attack: int) -> Played[State]:
    """Enter the settlement on the sheet, with any points carried over."""
    waiting = [0, 0]
    held = state.held + settled.held
    if settled.result != "litige":
        waiting[0 if settled.result == "made" else 1] = held
        held = 0
    gains: list[tuple[int, int, str]] = []
    for part, scored in enumerate(settled.scored):
        side = attack if part == 0 else 3 - attack
        total = scored + waiting[part]
        if state.option("round") == "nearest_10":
            total = settlement.rounded(total)
        gains += [(side, total - waiting[part], "settlement"), (side, waiting[part], "held")]
    awards = tuple(
        Award(side, gain, reason)
        for side, gain, reason in sorted(gains, key=lambda g: g[0])
        if gain
    )
    total_points = {
        "side": attack,
        "attack_points": found.of(0),
        "defence_points": found.of(1),
    }
    code = {"made": "contract-made", "failed": "contract-failed", "litige": "litige"}
    fields = total_points | ({"held": held} if settled.result == "litige" else {})
    notes = [Note(code[settled.result], fields)]
    if found.all_to is not None:
        side = attack if found.all_to == 0 else 3 - attack
        notes.append(Note("capot", {"side": side}))
    sheet = table_rules.earn(state.sheet, awards)
    by_side = {1: 0, 2: 0}
    for award in awards:
        by_side[award.seat] += award.points
    best = 1 if by_side[1] > by_side[2] else 2 if by_side[2] > by_side[1] else None
    after = replace(state, sheet=sheet, deal=None, held=held, best=best)
    return Played(after, awards, tuple(notes))


def counts_allowed(deal: Deal, side: int, capot: str) -> tuple[int, ...]:
    """The trick points that a side may enter now, lowest first (10.4)."""
    bonus = CAPOT_BONUS[capot]
    taken = deal.trick_points()
    if deal.seats == 4:
        whole = settlement.ALL
        low, high = taken[side - 1], whole - taken[2 - side]
        found = [n for n in range(low, high + 1) if n not in (1, whole - 1)]
        winners = deal.winning_sides
        if bonus and not winners - {side}:
            found.append(whole + bonus)
        if bonus and side in winners and low == 0 and 0 not in found:
            found.insert(0, 0)
        return tuple(found)
    return _two_hands(deal, side, bonus)


def _two_hands(deal: Deal, side: int, bonus: int) -> tuple[int, ...]:
    """With two hands: the sum of the eighteen cards held, exact if the cards are known, otherwise
    bounded."""
    trump = deal.trump
    known = deal.known(1) | deal.known(2)
    lacking = 18 - len(known)
    free = sorted(jass.value(card, trump) for card in jass.PACK - known - {*deal.out})
    base = sum(jass.value(card, trump) for card in known) + LAST_TRICK
    if trump is None and known:  # the values of jacks and nines depend on trumps
        base, lacking = 0, 18
        free = sorted(jass.value(card, None) for card in jass.PACK)
    least = base + sum(free[:lacking])
    most = base + sum(free[len(free) - lacking :]) + (30 if trump is None else 0)
    taken = deal.trick_points()
    other = deal.counts[2 - side]
    winners = deal.winning_sides
    low, high = taken[side - 1], most - taken[2 - side]
    if other is None:
        found = {n for n in range(low, high + 1) if n != 1}
        if not winners - {side}:
            found |= set(range(least + bonus, most + bonus + 1))
    else:
        found = {n for n in range(low, high + 1) if n != 1 and least <= n + other <= most}
        if other == 0 and not winners - {side}:
            found |= {n + bonus for n in range(least, most + 1)}
        if least + bonus <= other <= most + bonus and not taken[side - 1]:
            found.add(0)
    return tuple(sorted(found))
