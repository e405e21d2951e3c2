"""The prompts of Klaberjass: every line that may be entered next, the most common first."""

from __future__ import annotations

from collections.abc import Iterator

from boardctl.games import Ask, Move
from boardctl.games.cards import UNSEEN, Card
from boardctl.games.common.jass import IN_ORDER, NATURAL, ask_bid, ask_royals, ask_turnup
from boardctl.games.common.trick_deal import (
    accepted,
    ask_card,
    ask_counts,
    ask_exchange,
    ask_hands,
    ask_trump,
)
from boardctl.games.klaberjass import deal as dealing
from boardctl.games.klaberjass.deal import Deal, exchange, show_bottom
from boardctl.games.klaberjass.state import counts


def asks(deal: Deal) -> Iterator[Ask]:
    """All lines of a deal that are due."""
    steps = _bidding if not deal.bidding.over else _playing if deal.led else _declaring
    yield from steps(deal)
    called = deal.options["bella_auto"] == "off" and deal.royals_called is None
    if called and deal.royals_played:
        yield bella(deal.plays[-1][0])
    if deal.options["bottom_card"] == "shown" and not deal.going:
        yield from _bottom(deal)


def bella(seat: int) -> Ask:
    return Ask("bella", "confirm", Move("bella", seat))


def _bidding(deal: Deal) -> Iterator[Ask]:
    late = deal.bidding.second_round
    if deal.turned is None and not late:
        yield from ask_turnup(deal)
    yield ask_bid(deal)
    if deal.bidding.suit is None:
        yield ask_trump()
    if deal.turned is None and late:
        yield from ask_turnup(deal)
    yield from ask_hands(deal)


def _bottom(deal: Deal) -> Iterator[Ask]:
    """The stock's last card, once trumps are fixed and before the lead."""
    if not deal.bidding.over or deal.led or deal.counted or deal.bottom is not None:
        return
    free = accepted(IN_ORDER, lambda card: show_bottom(deal, Move("bottom", cards=(card,))))
    yield Ask("bottom", "cards", Move("bottom"), telling="cards", least=1, most=1, cards=free)


def _declaring(deal: Deal) -> Iterator[Ask]:
    """Prompts from the bidding to the first lead."""
    silent = not deal.going
    if not deal.counted:
        yield from _talk(deal)
        if silent and deal.trump is not None:
            yield ask_card(deal)
    if silent:
        yield from ask_counts(deal, deal.order, counts)
    if deal.counted:
        yield from ask_royals(deal, "bella")
        return
    for seat in deal.order:
        yield from _melds(deal, seat)
    if silent:
        yield from ask_royals(deal, "bella")
        yield from ask_exchange(deal, exchange)
    if deal.scored:
        return
    if deal.trump is None and deal.bidding.suit is None:
        yield ask_trump()
    if deal.turned is None and deal.swapper is None:
        yield from ask_turnup(deal)
    yield from ask_hands(deal)


def _talk(deal: Deal) -> Iterator[Ask]:
    """The next announcement about sequences (5.5): what the referee would accept."""
    stage, elder, younger = deal.stage, deal.eldest, deal.younger
    seat: int | None = elder
    if stage == "open":
        if deal.trump is not None and all(dealing.whole(deal, s) for s in deal.order):
            yield Ask("sequences", "confirm", Move("declare"), telling="cards")
        code, step = "declare", dealing.declare
        moves = [Move("declare", elder, words=(word,)) for word in dealing.ANNOUNCED]
    elif stage in ("declared", "top"):
        code, step, seat = "reply", dealing.reply, younger
        words = ("good", "not-good", "equal") if deal.announced else ("good", "not-good")
        moves = [Move("reply", younger, words=(word,)) for word in words]
    elif stage == "equal":
        code, step = "top", dealing.name_top
        moves = [Move("top", elder, (Card(rank),)) for rank in NATURAL]
    else:
        code, step, seat = "trump-sequence", dealing.claim_trump, None
        moves = [Move("trump", s) for s in deal.order]
    choices = accepted(moves, lambda move: step(deal, move))
    if choices:
        move = Move(choices[0].verb, seat)
        fields = {"points": deal.announced, "seat": seat or elder}
        yield Ask(code, "choice", move, telling="cards", choices=choices, fields=fields)


def _melds(deal: Deal, seat: int) -> Iterator[Ask]:
    """The sequences that a player may show: by their cards if the hand is known, otherwise as three
    or four face-down cards."""
    if dealing.whole(deal, seat):
        held = [run.cards for run in dealing.candidates(deal, seat)]
    else:
        held = [(UNSEEN,) * 3, (UNSEEN,) * 4]
    moves = (Move("meld", seat, shown) for shown in held)
    choices = accepted(moves, lambda move: dealing.show(deal, move))
    if choices:
        yield Ask("meld", "choice", Move("meld", seat), choices=choices)


def _playing(deal: Deal) -> Iterator[Ask]:
    if deal.counted:
        yield from ask_counts(deal, (1, 2), counts)
    else:
        yield ask_card(deal)
