"""The state of a game of Klaberjass, the score of its deals, and which trick points it can
have.

Source: docs/rules/klaberjass.md 2.3, 6.4, 6.5, 7.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from boardctl.games import Award, Note, Played
from boardctl.games.cards import Suit
from boardctl.games.common import jass, referee
from boardctl.games.common.by_deal import ended
from boardctl.games.common.jass import LAST_TRICK, ROYALS, JassState, Pair, Points, value
from boardctl.games.klaberjass.deal import IN_HAND, Deal

IN_PLAY: Final = 2 * IN_HAND
_WIDTH: Final = 160
"""More than any trick points: the best eighteen cards are worth 146, plus 10 for the last trick."""
MOST_IN_A_DEAL: Final = 275
"""The most that a side can score in a deal: 145 in cards, the last trick, bella, and two sequences
of 50, which require a plain jack in place of a plain queen."""
LEAST_SHARED: Final = 28
"""The lowest total of both players if both score: the poorest eighteen cards and the last trick."""

AS_IN_BELOTE: Final = {"contract_counts": "all", "failed_declarations": "opponents"}
"""The options of Belote by which a deal is settled; bella counts as a declaration does."""
ENDINGS: Final = {"made": "made", "failed": "bete", "litige": "tie"}
"""How a deal ends for its maker, by the name that `jass` has for it (7.2 to 7.4)."""


def possible(deal: Deal) -> tuple[int, ...]:
    """The trick points, including the last trick, that both can have. Known cards limit them.

    Returns:
        By the points of seat 1 (0 to 159) those that seat 2 can have with them: bit n is n points.
    """
    trumps = tuple(Suit) if deal.trump is None else (deal.trump,)
    if deal.trump is None and not (deal.hands[0] or deal.hands[1] or deal.turned):
        trumps = trumps[:1]
    won, taken = deal.winners, deal.trick_points()
    tricks = [won.count(seat) for seat in (1, 2)]
    done = frozenset(card for _, card in deal.plays[: 2 * len(won)])
    sure = (deal.known(1) | deal.known(2)) - done
    maybe = (deal.possible(1) | deal.possible(2)) - sure - done
    rows = [0] * _WIDTH
    for trump in trumps:
        found = _splits(
            tuple(sorted(value(card, trump) for card in sure)),
            tuple(sorted(value(card, trump) for card in maybe)),
            (tricks[0], tricks[1]),
        )
        for mine, theirs in found:
            if mine + taken[0] < _WIDTH:
                rows[mine + taken[0]] |= theirs << taken[1]
    return tuple(rows)


@lru_cache(maxsize=64)
def _splits(
    sure: tuple[int, ...], maybe: tuple[int, ...], tricks: tuple[int, int]
) -> tuple[tuple[int, int], ...]:
    """The points still to come for both: pairs of seat 1's points and the bits of seat 2's.

    Cards are counted by value. Those of value 0 only fill hands, so they are left out of the sum:
    `ways[n, m]` holds, as bits `_WIDTH * mine + theirs`, the points that n valuable cards won by
    seat 1 and m by seat 2 can make.
    """
    room = IN_PLAY - 2 * sum(tricks)
    ways = {(0, 0): 1}
    for worth, must in [(v, True) for v in sure if v] + [(v, False) for v in maybe if v]:
        after: dict[tuple[int, int], int] = {} if must else dict(ways)
        for (n, m), bits in ways.items():
            if n + m < room:
                after[n + 1, m] = after.get((n + 1, m), 0) | bits << worth * _WIDTH
                after[n, m + 1] = after.get((n, m + 1), 0) | bits << worth
        ways = after
    idle, spare = sure.count(0), maybe.count(0)
    total = 0
    for (n, m), bits in ways.items():
        blanks = room - n - m
        if idle <= blanks <= idle + spare:
            for mine, theirs in _evenly(n, m, blanks):
                if mine:
                    total |= bits << LAST_TRICK * _WIDTH
                if theirs:
                    total |= bits << LAST_TRICK
    row = (1 << _WIDTH) - 1
    return tuple(
        (mine, bits)
        for mine in range(total.bit_length() // _WIDTH + 1)
        if (bits := total >> mine * _WIDTH & row)
    )


def _evenly(n: int, m: int, blanks: int) -> Iterator[tuple[int, int]]:
    """How the remaining tricks may fall, given their valuable and blank cards: each trick is two
    cards. The last trick goes to a player who wins any of them."""
    for mine in range(n % 2, blanks + 1, 2):
        if (m + blanks - mine) % 2 == 0:
            yield (n + mine) // 2, (m + blanks - mine) // 2


def counts(deal: Deal, side: int) -> tuple[int, ...]:
    """The trick points that a player may enter now, lowest first."""
    rows, other = possible(deal), deal.counts[2 - side]
    if side == 1:
        wanted = -1 if other is None else 1 << other
        return tuple(points for points, others in enumerate(rows) if others & wanted)
    found = 0
    for mine in rows if other is None else (rows[other],):
        found |= mine
    return tuple(points for points in range(_WIDTH) if found >> points & 1)


def fit_one_deal(points: int, other: int) -> bool:
    """Whether two entered scores can belong to one deal. No card is worth 1, and if neither score
    is 0 the maker's is the higher."""
    total = points + other
    if 1 in (points, other) or total > MOST_IN_A_DEAL:
        return False
    return 0 in (points, other) or (points != other and total >= LEAST_SHARED)


@dataclass(frozen=True, slots=True)
class State(JassState):
    """A game of Klaberjass."""

    deal: Deal | None = None
    last: tuple[Deal, Pair] | None = None
    """The deal settled by the latest play, while its bella may still be called, with what the
    maker and the other scored in it."""
    waited: int = 0
    """Points of ties that were carried into the deal settled last."""


def late_bella(state: State) -> int | None:
    """The seat that may still call the bella of the deal's last play."""
    given_up = referee.given_up(state.sheet) is not None
    if state.last is None or not state.between or given_up:
        return None
    deal, _ = state.last
    if deal.royals_called is None and deal.led and deal.royals_played:
        return deal.plays[-1][0]
    return None


def settle(state: State, deal: Deal, before: Pair = (0, 0)) -> Played[State]:
    """Score a deal when its last line has been entered (7); `before` is what was already scored for
    it, the maker's first."""
    maker = deal.bidding.taker
    assert maker is not None
    seats, tricks, owner = (maker, 3 - maker), deal.all_points(), deal.scorer
    runs = sum(run.points for run in deal.scored_runs)
    auto = state.option("bella_auto") == "on"

    def declared(seat: int) -> int:
        bella = deal.royals_called == seat or (auto and deal.has_royals(seat))
        return ROYALS * bella + runs * (owner == seat)

    found = Points((tricks[maker - 1], tricks[2 - maker]), (declared(maker), declared(3 - maker)))
    tie = "litige" if state.option("tie") == "carried" else "lost"
    settled = jass.settle(found, {**AS_IN_BELOTE, "tie": tie})
    late = state.deal is None  # a bella called after the deal's last play settles it a second time
    waiting = state.waited if late else state.held
    more, held = settled.carry(waiting)
    mine, theirs = map(sum, zip(settled.scored, more, strict=True))
    awards = tuple(
        Award(seat, now - was, "settlement" if now > was else "correction")
        for seat, now, was in zip(seats, (mine, theirs), before, strict=True)
        if now != was
    )
    fields = {"maker": maker, "maker_points": found.of(0), "other_points": found.of(1)}
    note = Note(f"settled-{ENDINGS[settled.result]}", fields)
    return ended(
        state,
        awards,
        (note,),
        last=(deal, (mine, theirs)),
        best=maker if mine > theirs else 3 - maker,
        held=held,
        waited=waiting,
    )
