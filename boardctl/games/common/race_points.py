"""Points that are entered without their cards in games to 31.

Each game defines the points that are possible for each reason, and what those points imply about
the deal.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic

from boardctl.games import Award, IllegalMove, Move, Played, put
from boardctl.games.common import referee, to_31
from boardctl.games.common.known_cards import DealExtra, RaceDeal
from boardctl.games.common.race import BEFORE_STARTER, GameExtra, RaceReferee, RaceState
from boardctl.games.common.suits import Reading
from boardctl.games.common.to_31 import MUST_PLAY, VALUE


class PointsReferee(
    RaceReferee[GameExtra, DealExtra, Reading], Generic[GameExtra, DealExtra, Reading]
):
    """A referee for games to 31 that accepts points in place of cards."""

    @abstractmethod
    def kinds(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra], seat: int
    ) -> tuple[str, ...]:
        """Return the possible reasons for points that were entered without a reason."""

    def is_hand_next(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra], seat: int
    ) -> bool:
        """Return whether this seat's hand must be counted next."""
        return deal.phase == "show" and state.order[deal.counted] == seat

    def _peg(
        self, state: RaceState[GameExtra, DealExtra], move: Move
    ) -> Played[RaceState[GameExtra, DealExtra]]:
        """Enter points directly, with an optional reason."""
        seat, (points,) = move.player, move.numbers
        if len(move.words) > 1:
            raise IllegalMove("syntax", text=" ".join(move.words), why="too-much", at=move.words[1])
        why = move.words[0] if move.words else None
        awards = (Award(seat, points, "told"),) if points else ()
        return Played(self.scored(self.points_entered(state, seat, points, why), awards), awards)

    def points_entered(
        self, state: RaceState[GameExtra, DealExtra], seat: int, points: int, why: str | None
    ) -> RaceState[GameExtra, DealExtra]:
        """Return the state after points have been entered, but before they are scored.

        Raises:
            IllegalMove: `impossible-points`, or a code of `pegged`.
        """
        deal = state.deal
        kinds = (why,) if why else self.worths if deal is None else self.kinds(state, deal, seat)
        if points and not any(points in self.possible(state, deal, seat, kind) for kind in kinds):
            raise IllegalMove("impossible-points", seat=seat, points=points, why=why)
        if deal is None and (why or points) and state.sheet.dealer and not state.sheet.deals:
            return state._replace(sheet=referee.deal(state.sheet))  # the `deal` line was omitted
        if deal is None or (why is None and not points):
            return state
        return self.peg(state, (), self._deal_pegged(state, deal, seat, points, why))

    def _deal_pegged(
        self,
        state: RaceState[GameExtra, DealExtra],
        deal: RaceDeal[DealExtra],
        seat: int,
        points: int,
        why: str | None,
    ) -> RaceDeal[DealExtra] | None:
        """Return the deal after points have been entered for it, or None if the deal is over."""
        if not deal.pegged:
            deal = deal._replace(pegged=True)
        if why is None:
            return self.pegged_silently(state, deal, seat, points)
        if why != "heels":
            return self.pegged(state, deal, seat, points, why)
        if deal.phase in BEFORE_STARTER and not deal.heels:
            return deal._replace(heels=points > 0)
        raise IllegalMove("out-of-order", what=why, phase=deal.phase)

    def pegged_silently(
        self,
        state: RaceState[GameExtra, DealExtra],
        deal: RaceDeal[DealExtra],
        seat: int,
        points: int,
    ) -> RaceDeal[DealExtra] | None:
        """Return the deal after points have been entered without a reason, or None if the deal is
        over."""
        if self.is_hand_next(state, deal, seat) and points in self.hand_points(state, deal, seat):
            return self.hand_pegged(state, deal, seat, points)
        return deal

    def pegged(
        self,
        state: RaceState[GameExtra, DealExtra],
        deal: RaceDeal[DealExtra],
        seat: int,
        points: int,
        why: str,
    ) -> RaceDeal[DealExtra] | None:
        """Return the deal after points have been entered for a hand or for the play, or None if the
        deal is over. The cards of this part of the deal are then not entered.

        Raises:
            IllegalMove: `out-of-order` or a similar code if this part is over or has not been
                reached.
        """
        if why == "hand":
            self.check_turn_to_show(state, deal, seat, why)
            return self.hand_pegged(state, deal, seat, points)
        return deal._replace(by_points=True, phase="play", to_play=0)

    def hand_pegged(
        self,
        state: RaceState[GameExtra, DealExtra],
        deal: RaceDeal[DealExtra],
        seat: int,
        points: int,
    ) -> RaceDeal[DealExtra] | None:
        """Return the deal after points have been entered for a hand, or None if the deal is
        over."""
        return self.hand_called(
            state, deal._replace(entered_points=put(deal.entered_points, seat, points)), seat
        )

    def possible(
        self,
        state: RaceState[GameExtra, DealExtra],
        deal: RaceDeal[DealExtra] | None,
        seat: int,
        why: str,
    ) -> frozenset[int]:
        """Return the points that a seat may have earned for this reason, given the known cards."""
        if why == "hand":
            return self.hand_points(state, deal, seat)
        if deal is not None:
            if why == "heels" and state.sheet.dealer not in (None, seat):
                return frozenset()
            if why == "play" and deal.playing:
                return self.next_card(state, deal, seat)
            if why == "go" and deal.playing and not self.go_possible(state, deal, seat):
                return frozenset()
        return self.worth(state, why)

    def next_card(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra], seat: int
    ) -> frozenset[int]:
        """Return the possible points for one card that a seat plays at this count, including points
        for last card."""
        found = {1} if deal.total > MUST_PLAY and deal.last == seat else set()
        last_of_all = sum(map(len, deal.played)) + 1 == deal.seats * deal.keep
        scores = self.scores(state)
        for card in to_31.playable(deal, seat):
            total = deal.total + VALUE[card.rank]
            points = sum(item.points for item in scores.items((*deal.series, card), total))
            found |= {points + more for more in self.last_points(state, total, last_of_all)}
        return frozenset(found)

    def last_points(
        self, state: RaceState[GameExtra, DealExtra], total: int, of_all: bool
    ) -> tuple[int, ...]:
        """Return the points for last card that may be added to a card's own points at this count.
        With `of_all`, the card is the last of the deal, not only of a series."""
        return (0, 1) if of_all or total > MUST_PLAY else (0,)

    def go_possible(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra], seat: int
    ) -> bool:
        """Return whether a go by this seat may earn a point now."""
        return self.play_ended(state, deal) is not None
