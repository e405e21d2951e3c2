"""One deal of Klaberjass: what it has besides those of its family; sequences announced and shown,
and who scores them.

Every step is checked against what is known: a player may keep a sequence secret (5.6), but may not
announce one that no assignment of the unseen cards allows. Source: docs/rules/klaberjass.md 1, 4
and 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from boardctl.games import IllegalMove, Move
from boardctl.games.cards import Card, Rank
from boardctl.games.common import jass
from boardctl.games.common.jass import NATURAL, TRICKS, JassDeal, Piece
from boardctl.games.common.trick_deal import Cards, check_card, check_time

IN_HAND = TRICKS[2]
"""The number of cards each holds for the play."""

Stage = Literal["open", "declared", "equal", "top", "tied", "settled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(JassDeal):
    """A deal for two: six cards each until trumps are fixed, then nine (1.2, 1.3)."""

    stage: Stage = "open"
    """How far announcing has come (5.5): `open`: nothing said; `declared`: the younger's reply is
    due; `equal`: the elder's top rank is due; `top`: the reply to it is due; `tied`: a trump
    sequence may still be claimed; `settled`."""
    announced: int = 0
    """The points that the elder announced."""
    top: Rank | None = None
    """The top rank that the elder named."""
    late: bool = False
    """Whether the seven was exchanged after sequences were announced."""
    bottom: Card | None = None
    """The stock's last card, if it was shown (1.4)."""

    @property
    def going(self) -> bool:
        """Whether somebody must still speak; a reply to `none` may be omitted."""
        return self.stage in ("equal", "top") or (self.stage == "declared" and self.announced > 0)

    def held(self, seat: int) -> tuple[Piece, ...]:
        return runs(self.at_talk(seat)[0], splits(self))

    def strength(self, piece: Piece) -> tuple[int, ...]:
        return piece.strength(self.trump)

    @property
    def earlier_wins(self) -> bool:
        return self.options["meld_tie"] == "elder"

    @property
    def younger(self) -> int:
        return 3 - self.eldest

    @property
    def out(self) -> Cards:
        bottom = () if self.bottom is None else (self.bottom,)
        return (*self.turned_away, *bottom)

    def at_talk(self, seat: int) -> tuple[frozenset[Card], frozenset[Card]]:
        """The cards known to be held, and those that may be, when sequences were declared; a later
        exchange changes nothing (5.5b)."""
        known, possible = self.known(seat), self.possible(seat)
        if self.swapper == seat and self.late and self.turned is not None and self.seven:
            back, seven = frozenset({self.turned}), frozenset({self.seven})
            return (known - back) | seven, (possible - back) | seven
        return known, possible


def show_bottom(deal: Deal, move: Move) -> Deal:
    """`bottom CARD`: the stock's last card, which is in no hand, if the table shows it once trumps
    are fixed (1.4)."""
    (card,) = move.cards
    check_card(deal.spec, card)
    if deal.bottom is not None:
        raise IllegalMove("turned-already", card=deal.bottom, why="bottom")
    check_time(deal, "bottom", led=False)
    if not deal.free(card):
        raise IllegalMove("card-twice", card=card)
    return replace(deal, bottom=card)


def exchange(deal: Deal, move: Move) -> Deal:
    """`N exchange`, but not while an answer is due (4.2). The sequences are those held when the
    first was announced (5.5b)."""
    check_time(deal, "exchange")
    if deal.going and not deal.bidding.second_round and not deal.led:
        raise IllegalMove("exchange-in-talk")
    return replace(deal.exchange(move.player), late=deal.talked)


ANNOUNCED: Final = {"none": 0, "20": 20, "50": 50}
"""The points of what the elder may announce."""


def sequence(cards: Cards) -> Piece:
    """The declaration of cards of one suit, highest first (5.1)."""
    return Piece("sequence", 20 if len(cards) == 3 else 50, cards)


ALL_RUNS: Final = tuple(map(sequence, jass.ALL_RUNS))
"""Every sequence in the pack, the longest first."""


def neighbours(run: Piece) -> frozenset[Card]:
    """The cards that would make a run longer."""
    first = -run.top
    ends = (first - 1, first + len(run.cards))
    return frozenset(Card(NATURAL[place], run.suit) for place in ends if 0 <= place < 8)


def runs(hand: Iterable[Card], split: bool = False) -> tuple[Piece, ...]:
    """The sequences of a fully known hand. With `split` a run of seven or eight counts as two
    (option split_long_runs), otherwise each run counts once (5.1, E5)."""
    found = sorted(jass.runs(hand), key=len, reverse=True)
    return tuple(
        sequence(part)
        for cards in found
        for part in ((cards[:4], cards[4:]) if split and len(cards) >= 7 else (cards,))
    )


def splits(deal: Deal) -> bool:
    """Whether a long run counts as two sequences."""
    return deal.options["split_long_runs"] == "on"


def whole(deal: Deal, seat: int) -> bool:
    """Whether all nine cards that a player held when sequences were announced are known."""
    return len(deal.at_talk(seat)[0]) == 9


def candidates(deal: Deal, seat: int) -> tuple[Piece, ...]:
    """The sequences that a player has or may have and has not shown."""
    known, possible = deal.at_talk(seat)
    if len(known) == 9:
        found = deal.held(seat)
        if splits(deal):
            found += tuple(run for run in runs(known) if run not in found)
    else:
        loose = sum(len(piece.cards) for _, piece in deal.pieces if not piece.known)
        lacking = 9 - len(known) - loose
        found = tuple(
            run
            for run in ALL_RUNS
            if possible.issuperset(run.cards)
            and len(set(run.cards) - known) <= lacking
            and (splits(deal) or known.isdisjoint(neighbours(run)))
        )
    shown = {card for _, piece in deal.pieces if piece.known for card in piece.cards}
    return tuple(run for run in found if shown.isdisjoint(run.cards))


def declare(deal: Deal, move: Move) -> Deal:
    """`N declare none|20|50`: the elder begins (5.5)."""
    check_time(deal, "declare", led=False)
    if len(move.words) != 1:
        raise IllegalMove("one-declaration", said=" ".join(move.words))
    _begin(deal)
    seat, value = move.player, ANNOUNCED[move.words[0]]
    if seat != deal.eldest:
        raise IllegalMove("out-of-turn", seat=seat, turn=deal.eldest)
    if value and not any(run.points == value for run in candidates(deal, seat)):
        raise IllegalMove("no-such-sequence", seat=seat, points=value)
    return replace(deal, stage="declared", announced=value)


def declare_all(deal: Deal) -> Deal:
    """`declare`: settle the sequences from the hands, which are all known."""
    check_time(deal, "declare", led=False)
    _begin(deal)
    return deal.declare_all()


def _begin(deal: Deal) -> None:
    if deal.stage != "open":
        raise IllegalMove("talk-begun")


def reply(deal: Deal, move: Move) -> Deal:
    """`N reply good|not-good|equal`: the younger answers the elder's announcement."""
    check_time(deal, "reply", led=False)
    if len(move.words) != 1:
        raise IllegalMove("one-reply", said=" ".join(move.words))
    seat, (word,) = move.player, move.words
    if deal.stage not in ("declared", "top"):
        raise IllegalMove("nothing-announced")
    if seat != deal.younger:
        raise IllegalMove("out-of-turn", seat=seat, turn=deal.younger)
    if deal.announced == 0 and word == "equal":
        word = "good"
    if word == "good":
        owner = deal.eldest if deal.announced else None
        return replace(deal, stage="settled", owner=owner)
    mine = candidates(deal, seat)
    if word == "not-good":
        mine = tuple(run for run in mine if deal.top is None or run.points == deal.announced)
        if not any(_above(deal, run) > 0 for run in mine):
            raise IllegalMove("nothing-better", seat=seat, points=deal.announced)
        return replace(deal, stage="settled", owner=seat)
    if not any(_above(deal, run) == 0 for run in mine):
        raise IllegalMove("no-such-sequence", seat=seat, points=deal.announced)
    return replace(deal, stage="equal" if deal.stage == "declared" else "tied")


def _above(deal: Deal, run: Piece) -> int:
    """How far a run is above the announced one, negative if below: in points or, if those are
    equal, in top cards, as far as those are announced."""
    higher = 0 if deal.top is None else run.top + NATURAL.index(deal.top)
    return run.points - deal.announced or higher


def name_top(deal: Deal, move: Move) -> Deal:
    """`N top RANK`: the elder's top rank, after `equal`."""
    check_time(deal, "top", led=False)
    seat, (card,) = move.player, move.cards
    if deal.stage != "equal":
        raise IllegalMove("nothing-equal")
    if seat != deal.eldest:
        raise IllegalMove("out-of-turn", seat=seat, turn=deal.eldest)
    if card.rank is None or card.suit is not None:
        raise IllegalMove("rank-alone", card=card)
    mine = candidates(deal, deal.eldest)
    if all(run.top != -NATURAL.index(card.rank) or _above(deal, run) for run in mine):
        raise IllegalMove("no-such-top", seat=seat, rank=card.rank.letter, points=deal.announced)
    return replace(deal, stage="top", top=card.rank)


def claim_trump(deal: Deal, move: Move) -> Deal:
    """`N trump`: the ranks are equal too, and this player's sequence is in trumps (5.5)."""
    check_time(deal, "trump", led=False)
    seat = move.player
    if deal.stage != "tied":
        raise IllegalMove("nothing-equal")
    if not may_claim_trump(deal, seat):
        raise IllegalMove("no-trump-sequence", seat=seat)
    return replace(deal, stage="settled", owner=seat)


def may_claim_trump(deal: Deal, seat: int) -> bool:
    """Whether a player's announced sequence can be in trumps."""
    return any(_claims_trump(deal, run) for run in candidates(deal, seat))


def _claims_trump(deal: Deal, run: Piece) -> bool:
    """Whether the announced sequence can be this one, in trumps."""
    return _above(deal, run) == 0 and deal.trump in (None, run.suit)


def owner(deal: Deal) -> int | None:
    """The player who scores sequences if nothing more is said."""
    if deal.stage == "tied" and deal.options["meld_tie"] == "elder":
        return deal.eldest
    return deal.owner


def check_over(deal: Deal) -> None:
    """Raise IllegalMove while an answer is due."""
    if deal.going:
        due = deal.eldest if deal.stage == "equal" else deal.younger
        raise IllegalMove("talk-unfinished", turn=due)


def end(deal: Deal) -> Deal:
    """End the announcing because a later line was entered.

    Raises:
        IllegalMove: an answer is due.
    """
    check_over(deal)
    settled = deal.stage == "settled"
    return deal if settled else replace(deal, stage="settled", owner=owner(deal))


def may_show(deal: Deal, seat: int) -> bool:
    """Whether this player's sequences count, or may still turn out to."""
    if deal.stage == "open":
        return True
    if deal.stage == "declared" and not deal.announced:
        return seat == deal.younger
    if deal.stage == "tied":
        return owner(deal) == seat or may_claim_trump(deal, seat)
    return deal.stage == "settled" and deal.owner == seat


def show(deal: Deal, move: Move) -> Deal:
    """`N meld CARD…`: a sequence shown, by suits, by ranks, or face down (`?`)."""
    check_time(deal, "meld", led=False)
    seat = move.player
    check_over(deal)
    if not may_show(deal, seat):
        raise IllegalMove("sequences-not-good", seat=seat)
    if len(move.cards) > 8 or not any(jass.fits(move.cards, run) for run in jass.ALL_RUNS):
        raise IllegalMove("not-a-sequence", cards=move.cards)
    fitting = [run for run in candidates(deal, seat) if jass.fits(move.cards, run.cards)]
    if deal.stage == "tied" and owner(deal) != seat:
        fitting = [run for run in fitting if _claims_trump(deal, run)]
    if not fitting:
        raise IllegalMove("sequence-not-held", seat=seat, cards=move.cards)
    if seat == deal.eldest and deal.announced:
        fitting = [run for run in fitting if _above(deal, run) <= 0]
        if not fitting:
            raise IllegalMove("more-than-announced", cards=move.cards, points=deal.announced)
    known, _ = deal.at_talk(seat)
    sure = fitting if len(fitting) == 1 else [r for r in fitting if known.issuperset(r.cards)]
    piece = sure[0] if sure else sequence(move.cards)
    after = replace(deal, stage="settled", owner=seat, pieces=(*deal.pieces, (seat, piece)))
    fresh = (card for card in piece.cards if sure and card not in known)
    return after.learn(seat, tuple(fresh))


def counted(deal: Deal) -> tuple[Piece, ...]:
    """The sequences that the owner scores: those shown or, if the owner's were good and none were
    shown, those that the known hand contains, as far as they were announced (5.4)."""
    seat = owner(deal)
    if deal.pieces or seat is None or not whole(deal, seat):
        return tuple(piece for _, piece in deal.pieces)
    mine = deal.held(seat)
    if seat == deal.eldest:
        mine = tuple(run for run in mine if _above(deal, run) <= 0)
    return mine
