"""What is due in a game of Costly Colours: every line that may be told next, the most usual
first."""

from __future__ import annotations

from boardctl.games import Ask, Move, Prompt
from boardctl.games.common import known_cards, race
from boardctl.games.common.prompts import between_deals, card_asks
from boardctl.games.costly_colours.mogging import HONOURS
from boardctl.games.costly_colours.state import HAND, Deal, State

SEATS = (1, 2)


def prompt(state: State) -> Prompt:
    if race.outcome(state).state != "unfinished":
        return Prompt()
    deal = state.deal
    if deal is None:
        return Prompt(between_deals(state.sheet), SEATS)
    if deal.phase == "starter":
        return Prompt(_starter(deal), SEATS)
    if deal.phase == "mog":
        return Prompt(_mog(state, deal), SEATS)
    asks: tuple[Ask, ...] = ()
    if deal.phase == "play" and not deal.by_points:
        asks = card_asks(deal.table)
    if deal.phase == "show" or deal.loose:
        asks += _show(deal, (state.eldest, state.dealer)[deal.called])
    if deal.pegged and not deal.playing:
        asks += between_deals(state.sheet)
    return Prompt(asks, SEATS)


def _starter(deal: Deal) -> tuple[Ask, ...]:
    table = deal.table
    unseen = known_cards.unseen(table.seen)
    if deal.heels:
        unseen = tuple(card for card in unseen if card.rank in HONOURS)
    asks = [Ask("starter", "cards", Move("starter"), "hands", 1, 1, ranks=True, cards=unseen)]
    together = known_cards.unseen(table.seen, together=True)
    for seat in SEATS:
        room = HAND - len(table.hands[seat - 1])
        if room:
            asks.append(Ask("hand", "cards", Move("hand", seat), "cards", 1, room, cards=together))
    return tuple(asks)


def _mog(state: State, deal: Deal) -> tuple[Ask, ...]:
    """A card to give, or no exchange."""
    seat = state.eldest if deal.mog.given[state.eldest - 1] is None else state.dealer
    hand = deal.table.hands[seat - 1]
    cards = hand if len(hand) == HAND else (*hand, *known_cards.unseen(_seen(deal)))
    if deal.starter is not None and deal.starter.suit is None:
        cards = tuple(card for card in cards if card.rank not in HONOURS)
    cards = tuple(card for card in cards if card.suit is not None or card.rank not in HONOURS)
    asks = [Ask("no-mog", "confirm", Move("no-mog", seat), "hands")]
    if cards:
        asks.insert(0, Ask("mog", "cards", Move("mog", seat), "cards", 1, 1, cards=cards))
    return tuple(asks)


def _seen(deal: Deal) -> known_cards.Cards:
    """Every card told of the deal, those offered with them."""
    offered = tuple(card for card in deal.mog.given if card is not None and card.rank is not None)
    return (*deal.table.seen, *(card for card in offered if card not in deal.table.seen))


def _show(deal: Deal, seat: int) -> tuple[Ask, ...]:
    if deal.starter is None:
        return ()
    table = deal.table
    missing = HAND - len(table.known(seat))
    show = Move("show", seat)
    if not missing:
        return (Ask("show", "confirm", show, "hands"),)
    if deal.mog.received_worth(seat):  # the cards must hold what was given away for points
        return ()
    cards = known_cards.unseen(table.seen, together=True)
    return (Ask("show", "cards", show, "hands", missing, missing, ranks=True, cards=cards),)
