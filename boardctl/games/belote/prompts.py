"""The prompts of Belote: every line that may be entered next, the most common first."""

from __future__ import annotations

from collections.abc import Iterator

from boardctl.games import Ask, Move
from boardctl.games.belote.deal import LEAST, MOST, STEP, Coinche, Deal, exchange
from boardctl.games.belote.state import counts
from boardctl.games.cards import UNSEEN, Suit
from boardctl.games.common.jass import ask_bid, ask_royals, ask_turnup
from boardctl.games.common.trick_deal import ask_card, ask_counts, ask_exchange, ask_hands, stands


def asks(deal: Deal) -> Iterator[Ask]:
    """All lines of a deal that are due."""
    return _playing(deal) if deal.bidding.over else _bidding(deal)


def _bidding(deal: Deal) -> Iterator[Ask]:
    if isinstance(deal.bidding, Coinche):
        yield _coinche(deal.bidding)
    else:
        if deal.turned is None:
            yield from ask_turnup(deal)
        yield ask_bid(deal)
    yield from ask_hands(deal)


def _coinche(bidding: Coinche) -> Ask:
    """A pass, the higher bids, coinche and surcoinche."""
    seat = bidding.due
    choices = [Move("bid", seat, words=("pass",))]
    if stands(lambda: bidding.double(seat)):
        choices.append(Move("coinche", seat))
    if stands(lambda: bidding.redouble(seat)):
        choices.append(Move("surcoinche", seat))
    if bidding.doubled == 1:
        least = max(LEAST, bidding.bid + STEP)
        for points in range(least, MOST + 1, STEP):
            choices += [Move("bid", seat, numbers=(points,), words=(suit.letter,)) for suit in Suit]
        if bidding.bid <= MOST:
            choices += [Move("bid", seat, words=("capot", suit.letter)) for suit in Suit]
    return Ask("contract", "choice", Move("bid", seat), choices=tuple(choices))


def _playing(deal: Deal) -> Iterator[Ask]:
    """Prompts from the bidding to the end of the deal."""
    if not deal.counted:
        if not deal.talked and deal.all_known and deal.options["declarations"] == "on":
            yield Ask("declare-all", "confirm", Move("declare"), telling="cards")
        if deal.trump is not None:
            yield ask_card(deal)
    yield from ask_counts(deal, deal.order[:2], counts)
    yield from ask_royals(deal, "belote")
    if not deal.counted:
        yield from _before_play(deal)


def _before_play(deal: Deal) -> Iterator[Ask]:
    """Shown declarations, the exchange, and cards entered late."""
    if deal.stage != "settled" and deal.options["declarations"] == "on":
        for seat in deal.order:
            if deal.owner is not None and deal.side(deal.owner) != deal.side(seat):
                continue
            shown = sum(len(piece.cards) for at, piece in deal.pieces if at == seat)
            if not deal.whole(seat) and shown + 5 <= deal.whole_hand:
                choices = tuple(Move("meld", seat, (UNSEEN,) * n) for n in (3, 4, 5))
                yield Ask("meld", "choice", Move("meld", seat), choices=choices)
    yield from ask_exchange(deal, exchange)
    if not deal.scored:
        if deal.turned is None and not deal.coinche:
            yield from ask_turnup(deal)
        yield from ask_hands(deal)
