"""The prompts of Pinochle for three or four: every line that may be entered next, most common
first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from boardctl.games import Ask, Move
from boardctl.games.common.trick_deal import (
    accepted,
    ask_card,
    ask_counts,
    ask_hands,
    ask_trump,
    stands,
    unlocated,
)
from boardctl.games.pinochle import deal as dealing
from boardctl.games.pinochle.deal import STEP, WIDOW, Deal
from boardctl.games.pinochle.melds import kinds
from boardctl.games.pinochle.state import counts

HIGHEST: Final = 1000
"""How far above the lowest bid the keypad offers bids."""


def asks(deal: Deal) -> Iterator[Ask]:
    """All lines of a deal that are due."""
    return _playing(deal) if deal.bidding.over else _bidding(deal)


def _bidding(deal: Deal) -> Iterator[Ask]:
    said = deal.bidding
    seat = said.due
    yield Ask(
        "bid-points",
        "number",
        Move("bid", seat),
        least=said.lowest,
        most=said.lowest + HIGHEST,
        scale=STEP,
    )
    yield Ask("pass", "confirm", Move("bid", seat, words=("pass",)))
    yield from ask_hands(deal)


def _playing(deal: Deal) -> Iterator[Ask]:
    """Prompts from the auction to the end of the deal."""
    bidder = deal.bidder
    assert bidder is not None
    early = not (deal.led or deal.counted)
    fresh = early and deal.discards is None and not any(deal.melded.values())
    if fresh and deal.seats == 3 and deal.widow is None and deal.unseen(bidder) >= WIDOW:
        yield Ask("widow", "cards", Move("widow"), "cards", WIDOW, WIDOW, cards=unlocated(deal))
    if deal.trump is None:
        named = ask_trump()
        yield named._replace(code="name-trump", telling="points", fields={"seat": bidder})
    else:
        yield from _with_trump(deal, bidder, early=early)
    if not deal.led:
        yield from ask_counts(deal, range(1, deal.sides + 1), counts)
    if deal.seats == 3 and early:
        yield Ask("concede", "confirm", Move("concede", bidder))
    if fresh:
        yield from ask_hands(deal)


def _with_trump(deal: Deal, bidder: int, *, early: bool) -> Iterator[Ask]:
    unmelded = any(deal.whole(seat) for seat in deal.order if seat not in deal.melded)
    if early and unmelded and stands(lambda: dealing.meld_known(deal)):
        yield Ask("melds", "confirm", Move("declare"), telling="cards")
    if deal.seats == 3 and deal.discards is None and early:
        yield from _discard(deal, bidder)
    elif not deal.counted:
        yield ask_card(deal)
    if early and deal.discards is None:
        assert deal.trump is not None
        every = [lying for _, _, lying in kinds(deal.trump)]
        for seat in range(1, deal.seats + 1):
            moves = (Move("meld", seat, some) for some in every)
            choices = accepted(moves, lambda move: dealing.meld(deal, move))
            if choices:
                yield Ask("meld", "choice", Move("meld", seat), choices=choices)


def _discard(deal: Deal, bidder: int) -> Iterator[Ask]:
    """The three discards: from a known hand, cards that are in no meld if possible."""
    move = Move("discard", bidder)
    if not deal.whole(bidder):
        own = deal.left(bidder)
        free = unlocated(deal) if deal.unseen(bidder) >= WIDOW else ()
        if len(own) + len(free) >= WIDOW:
            yield Ask("discard", "cards", move, "cards", WIDOW, WIDOW, cards=(*own, *free))
        return
    free_cards = tuple(dealing.free_cards(deal, bidder).elements())
    if len(free_cards) >= WIDOW:
        yield Ask("discard", "cards", move, "cards", WIDOW, WIDOW, cards=free_cards)
        return
    lying = [card.plain for card in deal.hands[bidder - 1]]
    for card in free_cards:
        lying.remove(card)
    more = sorted(set(combinations(sorted(lying), WIDOW - len(free_cards))))
    choices = tuple(Move("discard", bidder, (*free_cards, *some)) for some in more[:40])
    yield Ask("discard", "choice", move, "cards", choices=choices)
