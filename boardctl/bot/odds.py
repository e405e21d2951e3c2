"""Live odds: the chance of winning, computed only from the scores, the dealer and the starter.

Cards in hand are not used, even if they are known, so the odds reveal nothing. During the play, the
remaining pegging is estimated by its average for the number of unplayed cards. The points of the
hands and the crib follow their distributions for the starter, in counting order.
"""

from __future__ import annotations

from functools import lru_cache

from boardctl.bot import GAME, judges
from boardctl.bot.tables import DEALER, PONE, TARGET, counted, load, next_deal, start
from boardctl.record.position import Position


def _has_odds(position: Position) -> bool:
    """Return whether the game on the table is two-handed six-card cribbage."""
    setup, state = position.setup, position.state
    if position.game is None or position.game.name != GAME or setup is None or state is None:
        return False
    return judges(GAME, len(setup.seats), setup.options) and not state.sheet.abandoned


def odds(position: Position) -> float | None:
    """Return seat 1's chance of winning two-handed six-card cribbage. Return None in any other
    game, or if the dealer is unknown."""
    state = position.state
    if not _has_odds(position):
        return None
    outcome = position.outcome
    if outcome is not None and outcome.winner is not None:
        return float(outcome.winner == 1)
    deal, dealer = state.deal, state.sheet.dealer
    if dealer is None:
        return None
    one, two = (score + TARGET - state.target for score in position.scores)
    if deal is None:
        return start(dealer == 1, one, two)
    if deal.phase == "done":
        return start(dealer == 2, one, two)
    starter = deal.starter
    if starter is None or starter.rank is None:
        return start(dealer == 1, one, two)
    pone = 3 - dealer
    scores = (one, two)
    left = [len(deal.played[seat - 1]) for seat in (pone, dealer)]
    pegs = [(4 - laid) / 4 if deal.phase == "play" else 0.0 for laid in left]
    counts = {"play": 0, "show": deal.counted, "crib": 2}[deal.phase]
    chance = _pone(starter.rank - 1, scores[pone - 1], scores[dealer - 1], counts, pegs[0], pegs[1])
    return chance if pone == 1 else 1 - chance


@lru_cache(maxsize=256)
def _pone(
    starter: int, pone: int, dealer: int, counts: int, pone_play: float, dealer_play: float
) -> float:
    """Return the pone's chance of winning, after `counts` hands have been counted and with these
    fractions of the play remaining."""
    tables = load()
    means = [sum(cell[role] * cell[2] for cell in tables.pegged) for role in (PONE, DEALER)]
    own, other = means[PONE] * pone_play, means[DEALER] * dealer_play
    chance = 0.0
    for more in (0, 1):
        for others in (0, 1):
            share = (own % 1 if more else 1 - own % 1) * (other % 1 if others else 1 - other % 1)
            if share:
                chance += share * _counts(
                    starter, pone + int(own) + more, dealer + int(other) + others, counts
                )
    return chance


@lru_cache(maxsize=4096)
def _counts(starter: int, pone: int, dealer: int, counts: int) -> float:
    if pone >= TARGET or dealer >= TARGET:
        return float(pone >= dealer)
    pones, _, cribs = (rows[starter] for rows in load().shows)
    if counts == 0:
        return sum(
            chance
            * (1.0 if pone + points >= TARGET else _counts(starter, pone + points, dealer, 1))
            for points, chance in enumerate(pones)
            if chance
        )
    if counts == 1:
        return sum(
            chance * counted(PONE, starter, pone, dealer + points)
            for points, chance in enumerate(cribs)
            if chance
        )
    return sum(
        chance * next_deal(PONE, pone, dealer + points) for points, chance in enumerate(cribs)
    )
