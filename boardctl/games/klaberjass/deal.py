"""One deal of Klaberjass: differences from other Jass games, announced and shown sequences, and
possible trick points.

Every line is checked against the known cards. A player may keep a sequence secret (5.6), but may
not announce a sequence that no assignment of the unseen cards allows. Source:
docs/rules/klaberjass.md 1, 2.3, 4, 5, 6.4 and 6.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Final, Literal, Self

from boardctl.games import IllegalMove, Move
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common import jass
from boardctl.games.common.jass import LAST_TRICK, NATURAL, TRICKS, JassDeal, Piece, value
from boardctl.games.common.trick_deal import Cards
from boardctl.games.klaberjass.bidding import ANSWERS, OFFER, OpenBidding

IN_HAND = TRICKS[2]
"""The number of cards that each player holds for the play."""
IN_PLAY: Final = 2 * IN_HAND
_WIDTH: Final = 160
"""An upper bound on the trick points. The best eighteen cards are worth 146, and the last trick
10."""

Stage = Literal["open", "declared", "equal", "top", "tied", "settled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(JassDeal):
    """A deal for two players. Each player holds six cards until trumps are fixed, and then nine
    (1.2, 1.3)."""

    called: ClassVar[str] = "bella"

    stage: Stage = "open"
    """The state of the announcements (5.5). `open`: nobody has announced. `declared`: the younger
    hand must reply. `equal`: the elder hand must name a top rank. `top`: the younger hand must
    reply to the top rank. `tied`: a trump sequence may still be claimed. `settled`: the
    announcements are over."""
    announced: int = 0
    """The points that the elder hand announced."""
    top: Rank | None = None
    """The top rank that the elder hand named, or None."""
    late: bool = False
    """Whether the seven was exchanged after the sequences had been announced."""
    bottom: Card | None = None
    """The last card of the stock, or None if it was not shown (1.4)."""

    @property
    def open_bidding(self) -> OpenBidding:
        """The bidding, in which the hands may be thrown in."""
        assert isinstance(self.bidding, OpenBidding)
        return self.bidding

    @property
    def going(self) -> bool:
        """Whether a player must still speak. The reply to `none` may be omitted."""
        return self.stage in ("equal", "top") or (self.stage == "declared" and self.announced > 0)

    def say(self, move: Move) -> Self:
        """Make a bid: `N bid …`. An option allows schmeiss (3.5).

        Raises:
            IllegalMove: `no-schmeiss`, or a code of the bidding.
        """
        bidding, rule = self.bidding, self.options["schmeiss"]
        if not isinstance(bidding, OpenBidding) or len(move.words) != 1:
            return JassDeal.say(self, move)
        (word,) = move.words
        if word not in (OFFER, *ANSWERS):
            return JassDeal.say(self, move)
        if rule == "off":
            raise IllegalMove("no-schmeiss")
        if word == OFFER:
            return replace(self, bidding=bidding.offer(move.player))
        accepted, makes = word == "yes", rule == "maker"
        after = bidding.answer(move.player, accepted=accepted, offerer_makes=makes)
        return replace(self, bidding=after)

    def declarations_of(self, seat: int) -> tuple[Piece, ...]:
        return runs(self.at_talk(seat)[0], self.splits)

    @property
    def earlier_wins(self) -> bool:
        return self.options["meld_tie"] == "elder"

    @property
    def younger(self) -> int:
        return 3 - self.eldest

    @property
    def speaker(self) -> int:
        """The player who must announce a sequence, reply, or name the top rank."""
        return self.younger if self.stage in ("declared", "top") else self.eldest

    @property
    def out(self) -> Cards:
        bottom = () if self.bottom is None else (self.bottom,)
        return (*self.turned_away, *bottom)

    def at_talk(self, seat: int) -> tuple[frozenset[Card], frozenset[Card]]:
        """Return the cards that a hand certainly contained when sequences were declared, and those
        that it may have contained. A later exchange does not affect them (5.5b)."""
        known, possible = self.known_hand(seat), self.possible(seat)
        if self.swapper == seat and self.late and self.turned is not None and self.seven:
            back, seven = frozenset({self.turned}), frozenset({self.seven})
            return (known - back) | seven, (possible - back) | seven
        return known, possible

    def show_bottom(self, move: Move) -> Self:
        """Show the last card of the stock: `bottom CARD` (1.4). This card is in no hand. Some
        tables show it once trumps are fixed.
        """
        (card,) = move.cards
        self.spec.check_card(card)
        if self.bottom is not None:
            raise IllegalMove("turned-already", card=self.bottom, why="bottom")
        self.check_time("bottom", led=False)
        if not self.free(card):
            raise IllegalMove("card-twice", card=card)
        return replace(self, bottom=card)

    def exchange(self, seat: int) -> Self:
        """Exchange the seven: `N exchange` (4.2). The line is refused while an answer is due. The
        sequences that count are still those held at the first announcement (5.5b)."""
        self.check_time("exchange")
        if self.going and not self.turned_bidding.second_round and not self.led:
            raise IllegalMove("exchange-in-talk")
        return replace(self.take_turned(seat), late=self.talked)

    @property
    def splits(self) -> bool:
        """Whether a long run counts as two sequences."""
        return self.options["split_long_runs"] == "on"

    def whole_at_talk(self, seat: int) -> bool:
        """Return whether all nine cards that a player held at the announcements are known."""
        return len(self.at_talk(seat)[0]) == 9

    def candidates(self, seat: int) -> tuple[Piece, ...]:
        """Return the sequences that a player may hold and has not shown."""
        known, possible = self.at_talk(seat)
        if len(known) == 9:
            found = self.declarations_of(seat)
            if self.splits:
                found += tuple(run for run in runs(known) if run not in found)
        else:
            found = self._possible_runs(known, possible)
        shown = {card for _, piece in self.pieces if piece.is_known for card in piece.cards}
        return tuple(run for run in found if shown.isdisjoint(run.cards))

    def _possible_runs(
        self, known: frozenset[Card], possible: frozenset[Card]
    ) -> tuple[Piece, ...]:
        """Return the sequences that a hand may contain. The hand certainly contains the `known`
        cards and may contain the `possible` cards."""
        loose = sum(len(piece.cards) for _, piece in self.pieces if not piece.is_known)
        lacking = 9 - len(known) - loose
        return tuple(
            run
            for run in ALL_RUNS
            if possible.issuperset(run.cards)
            and len(set(run.cards) - known) <= lacking
            and (self.splits or known.isdisjoint(jass.neighbours(run)))
        )

    def declare(self, move: Move) -> Self:
        """Announce sequences: `N declare none|20|50` (5.5). The elder hand begins."""
        self.check_time("declare", led=False)
        if len(move.words) != 1:
            raise IllegalMove("one-declaration", said=" ".join(move.words))
        self._begin()
        seat, value = move.player, ANNOUNCED[move.words[0]]
        if seat != self.eldest:
            raise IllegalMove("out-of-turn", seat=seat, turn=self.eldest)
        if value and not any(run.points == value for run in self.candidates(seat)):
            raise IllegalMove("no-such-sequence", seat=seat, points=value)
        return replace(self, stage="declared", announced=value)

    def declare_all(self) -> Self:
        """Settle the sequences from the hands, all of which must be known: `declare`."""
        self.check_time("declare", led=False)
        self._begin()
        return self.contested()

    def _begin(self) -> None:
        if self.stage != "open":
            raise IllegalMove("talk-begun")

    def reply(self, move: Move) -> Self:
        """Reply to the elder hand's announcement: `N reply good|not-good|equal`."""
        self.check_time("reply", led=False)
        if len(move.words) != 1:
            raise IllegalMove("one-reply", said=" ".join(move.words))
        seat, (word,) = move.player, move.words
        if self.stage not in ("declared", "top"):
            raise IllegalMove("nothing-announced")
        if seat != self.younger:
            raise IllegalMove("out-of-turn", seat=seat, turn=self.younger)
        if self.announced == 0 and word == "equal":
            word = "good"
        if word == "good":
            owner = self.eldest if self.announced else None
            return replace(self, stage="settled", owner=owner)
        if word == "not-good":
            if not self._may_beat(seat):
                raise IllegalMove("nothing-better", seat=seat, points=self.announced)
            return replace(self, stage="settled", owner=seat)
        if not any(self._above(run) == 0 for run in self.candidates(seat)):
            raise IllegalMove("no-such-sequence", seat=seat, points=self.announced)
        return replace(self, stage="equal" if self.stage == "declared" else "tied")

    def _may_beat(self, seat: int) -> bool:
        """Return whether a player may have a sequence that beats the announced one. Once the top
        rank has been named, only sequences with equally many points count.
        """
        mine = self.candidates(seat)
        return any(
            self._above(run) > 0 for run in mine if self.top is None or run.points == self.announced
        )

    def _above(self, run: Piece) -> int:
        """Return how far a run exceeds the announced run: the difference in points or, if the
        points are equal and a top rank was announced, the difference in top ranks. A negative value
        means that the run is lower."""
        higher = 0 if self.top is None else run.top + NATURAL.index(self.top)
        return run.points - self.announced or higher

    def name_top(self, move: Move) -> Self:
        """Name the top rank of elder hand's sequence, after the reply `equal`: `N top RANK`."""
        self.check_time("top", led=False)
        seat, (card,) = move.player, move.cards
        if self.stage != "equal":
            raise IllegalMove("nothing-equal", why="top")
        if seat != self.eldest:
            raise IllegalMove("out-of-turn", seat=seat, turn=self.eldest)
        if card.rank is None or card.suit is not None:
            raise IllegalMove("rank-alone", card=card)
        mine = self.candidates(self.eldest)
        if all(run.top != -NATURAL.index(card.rank) or self._above(run) for run in mine):
            raise IllegalMove(
                "no-such-top", seat=seat, rank=card.rank.letter, points=self.announced
            )
        return replace(self, stage="top", top=card.rank)

    def claim_trump(self, move: Move) -> Self:
        """Claim that the ranks are also equal but that this player's sequence is in trumps: `N
        trump` (5.5)."""
        self.check_time("trump", led=False)
        seat = move.player
        if self.stage != "tied":
            raise IllegalMove("nothing-equal")
        if not self.may_claim_trump(seat):
            raise IllegalMove("no-trump-sequence", seat=seat)
        return replace(self, stage="settled", owner=seat)

    def may_claim_trump(self, seat: int) -> bool:
        """Return whether a player's announced sequence may be in the trump suit."""
        return any(self._claims_trump(run) for run in self.candidates(seat))

    def _claims_trump(self, run: Piece) -> bool:
        """Return whether this run is in the trump suit and may be the announced sequence."""
        return self._above(run) == 0 and self.trump in (None, run.suit)

    @property
    def scorer(self) -> int | None:
        """The player who scores sequences if there are no further announcements, or None."""
        if self.stage == "tied" and self.options["meld_tie"] == "elder":
            return self.eldest
        return self.owner

    def check_over(self) -> None:
        """Raise IllegalMove while an answer is due."""
        if self.going:
            raise IllegalMove("talk-unfinished", turn=self.speaker)

    def countable(self, side: int) -> tuple[int, ...]:
        rows, other = possible_points(self), self.counts[2 - side]
        if side == 1:
            wanted = -1 if other is None else 1 << other
            return tuple(points for points, others in enumerate(rows) if others & wanted)
        found = 0
        for mine in rows if other is None else (rows[other],):
            found |= mine
        return tuple(points for points in range(_WIDTH) if found >> points & 1)

    def call_with_play(self, seat: int) -> Self:
        mine = self.royals_played and self.plays[-1][0] == seat
        if self.royals_called is None and not mine:
            raise IllegalMove("no-bella", seat=seat)
        return self.call(seat)

    def end_talk(self) -> Self:
        """End the announcements. Raises IllegalMove while an answer is due."""
        self.check_over()
        settled = self.stage == "settled"
        return self if settled else replace(self, stage="settled", owner=self.scorer)

    def may_show(self, seat: int) -> bool:
        """Return whether this player's sequences count or may still turn out to count."""
        if self.stage == "open":
            return True
        if self.stage == "declared" and not self.announced:
            return seat == self.younger
        if self.stage == "tied":
            return self.scorer == seat or self.may_claim_trump(seat)
        return self.stage == "settled" and self.owner == seat

    def show(self, move: Move) -> Self:
        """Show a sequence: `N meld CARD…`. The cards may be shown with suits, by ranks or face down
        (`?`)."""
        self.check_time("meld", led=False)
        seat = move.player
        self.check_over()
        if not self.may_show(seat):
            raise IllegalMove("sequences-not-good", seat=seat)
        if len(move.cards) > 8 or not any(jass.fits(move.cards, run) for run in jass.ALL_RUNS):
            raise IllegalMove("not-a-sequence", cards=move.cards)
        fitting = self._fitting(seat, move.cards)
        known, _ = self.at_talk(seat)
        sure = fitting if len(fitting) == 1 else [r for r in fitting if known.issuperset(r.cards)]
        shown = sure[0].cards if sure else move.cards
        pieces = tuple((seat, sequence(part)) for part in parts(shown, self.splits))
        after = replace(self, stage="settled", owner=seat, pieces=(*self.pieces, *pieces))
        fresh = (card for card in shown if sure and card not in known)
        return after.learn(seat, tuple(fresh))

    def _fitting(self, seat: int, cards: Cards) -> list[Piece]:
        """Return the sequences that a player may be showing with these cards.

        Raises:
            IllegalMove: `sequence-not-held` or `more-than-announced`.
        """
        fitting = [run for run in self.candidates(seat) if jass.fits(cards, run.cards)]
        if self.stage == "tied" and self.scorer != seat:
            fitting = [run for run in fitting if self._claims_trump(run)]
        if not fitting:
            raise IllegalMove("sequence-not-held", seat=seat, cards=cards)
        if seat == self.eldest and self.announced:
            fitting = [run for run in fitting if self._above(run) <= 0]
            if not fitting:
                raise IllegalMove("more-than-announced", cards=cards, points=self.announced)
        return fitting

    @property
    def scored_runs(self) -> tuple[Piece, ...]:
        """The sequences that the owner scores (5.4). These are the shown sequences. If none were
        shown and the owner's sequences were good, they are the sequences in the owner's known hand,
        up to the announced points."""
        seat = self.scorer
        if self.pieces or seat is None or not self.whole_at_talk(seat):
            return tuple(piece for _, piece in self.pieces)
        mine = self.declarations_of(seat)
        if seat == self.eldest:
            mine = tuple(run for run in mine if self._above(run) <= 0)
        return mine


ANNOUNCED: Final = {"none": 0, "20": 20, "50": 50}
"""The points that the elder hand may announce, by word."""


def sequence(cards: Cards) -> Piece:
    """Return the declaration that cards of one suit form, highest card first (5.1)."""
    return Piece("sequence", 20 if len(cards) == 3 else 50, cards)


ALL_RUNS: Final = tuple(map(sequence, jass.ALL_RUNS))
"""Every sequence in the pack, longest first."""


def parts(run: Cards, split: bool) -> tuple[Cards, ...]:
    """Return the sequences that a run counts as (5.1, E5). With `split` (option `split_long_runs`),
    a run of seven or eight cards counts as two sequences, otherwise as one."""
    return (run[:4], run[4:]) if split and len(run) >= 7 else (run,)


def runs(hand: Iterable[Card], split: bool = False) -> tuple[Piece, ...]:
    """Return the sequences of a fully known hand."""
    found = sorted(jass.runs(hand), key=len, reverse=True)
    return tuple(sequence(part) for cards in found for part in parts(cards, split))


def possible_points(deal: Deal) -> tuple[int, ...]:
    """Return the trick points that both players may have, given the known cards, including those
    for the last trick.

    Returns:
        The possible points of seat 2, indexed by the points of seat 1 (0 to 159). Bit n stands for
        n points.
    """
    trumps = tuple(Suit) if deal.trump is None else (deal.trump,)
    if deal.trump is None and not (deal.hands[0] or deal.hands[1] or deal.turned):
        trumps = trumps[:1]
    won, taken = deal.winners, deal.trick_points()
    tricks = [won.count(seat) for seat in (1, 2)]
    done = frozenset(card for _, card in deal.plays[: 2 * len(won)])
    sure = (deal.known_hand(1) | deal.known_hand(2)) - done
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
    """Return the points that both players can still score, as pairs of seat 1's points and a bit
    mask of seat 2's points.

    Cards are counted by value. Cards of value 0 only fill the hands, so they are left out of the
    sum. `ways[n, m]` holds the possible points if seat 1 has won n valuable cards and seat 2 has
    won m, as bits `_WIDTH * mine + theirs`.
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
    return _rows(total)


def _rows(total: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of points that the bits `_WIDTH * mine + theirs` represent."""
    row = (1 << _WIDTH) - 1
    return tuple(
        (mine, bits)
        for mine in range(total.bit_length() // _WIDTH + 1)
        if (bits := total >> mine * _WIDTH & row)
    )


def _evenly(n: int, m: int, blanks: int) -> Iterator[tuple[int, int]]:
    """Yield the possible divisions of the remaining tricks, given the numbers of valuable and
    worthless cards in them. Each trick consists of two cards. The player who gets the last trick
    must win at least one of these tricks."""
    for mine in range(n % 2, blanks + 1, 2):
        if (m + blanks - mine) % 2 == 0:
            yield (n + mine) // 2, (m + blanks - mine) // 2
