"""The state of a game of Belote, and the scoring of its deals.

Source: docs/rules/belote.md 7 to 10.
"""

from __future__ import annotations

from dataclasses import dataclass

from boardctl.games import Award, Note, Outcome, Played
from boardctl.games.belote import settlement
from boardctl.games.belote.bidding import CAPOT
from boardctl.games.belote.deal import Deal
from boardctl.games.belote.settlement import Points, Settled
from boardctl.games.common import by_deal
from boardctl.games.common.by_deal import better, ended
from boardctl.games.common.jass import ROYALS, JassState


@dataclass(frozen=True, slots=True)
class State(JassState):
    """A game of Belote."""

    deal: Deal | None = None


def outcome(state: State) -> Outcome:
    """The outcome; a loser below half the target may lose two games (9.1)."""
    return by_deal.outcome(state, double=state.option("double_win_below_half") == "on")


def settle(state: State, deal: Deal) -> Played[State]:
    """Score a deal when its last line has been entered."""
    taker = deal.bidding.taker
    assert taker is not None
    tricks, all_to = settlement.trick_points(deal)
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
        settled = settlement.coinche(found, deal.options, bid, bid == CAPOT, doubled)
    else:
        settled = settlement.turned(found, deal.options)
    return _score(state, settled, found, attack)


def _score(state: State, settled: Settled, found: Points, attack: int) -> Played[State]:
    """Enter the settlement on the sheet, with any points carried over."""
    held = state.held + settled.held
    waiting = {"made": (held, 0), "failed": (0, held), "litige": (0, 0)}[settled.result]
    awards: list[Award] = []
    for side, scored, more in zip((attack, 3 - attack), settled.scored, waiting, strict=True):
        total = scored + more
        if state.option("round") == "nearest_10":
            total = settlement.rounded(total)
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
    left = held if settled.result == "litige" else 0
    return ended(state, awards, notes, held=left, best=better(won))
