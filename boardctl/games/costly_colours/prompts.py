"""The prompts of Costly Colours: every line that may be entered next, the most common first."""

from __future__ import annotations

from boardctl.games import Ask, Move
from boardctl.games.cards import UNSEEN, Card
from boardctl.games.common import known_cards
from boardctl.games.common.race import HAND
from boardctl.games.common.referee import between_deals, counted
from boardctl.games.common.to_31 import card_asks
from boardctl.games.costly_colours import show
from boardctl.games.costly_colours.mogging import HONOURS, WORTHS
from boardctl.games.costly_colours.state import Deal, State


def asks(state: State, deal: Deal) -> tuple[Ask, ...]:
    """What is due of a deal after its starter."""
    if deal.phase == "mog":
        return _mog(state, deal)
    asks: tuple[Ask, ...] = ()
    if deal.phase == "play" and not deal.by_points:
        asks = card_asks(deal.table)
    if deal.phase == "show" or deal.loose:
        asks += _show(deal, (state.eldest, state.dealer)[deal.called])
    if deal.pegged and not deal.playing:
        asks += between_deals(state.sheet)
    return asks


def _mog(state: State, deal: Deal) -> tuple[Ask, ...]:
    """A card to give away, or no exchange."""
    seat = state.eldest if deal.mog.given[state.eldest - 1] is None else state.dealer
    hand = deal.table.hands[seat - 1]
    cards = hand if len(hand) == HAND else (*hand, *known_cards.unseen(_seen(deal)))
    if deal.starter is not None and deal.starter.suit is None:
        cards = tuple(card for card in cards if card.rank not in HONOURS)
    cards = tuple(card for card in cards if card.suit is not None or card.rank not in HONOURS)
    choices = (Move("no-mog", seat),)
    if len(hand) < HAND:  # an unseen card, and what its giver says it is worth
        unseen = Move("mog", seat, (UNSEEN,))
        worths = (unseen._replace(claim=worth) for worth in WORTHS if worth)
        choices = (unseen, *(worths if state.on("mog_value") else ()), *choices)
    asks = [Ask("mog", "choice", Move("mog", seat), "hands", choices=choices)]
    if cards:
        asks.append(Ask("mog", "cards", Move("mog", seat), "cards", 1, 1, cards=cards))
    return tuple(asks)


def _seen(deal: Deal) -> known_cards.Cards:
    """Every card entered in the deal, including those offered."""
    offered = tuple(card for card in deal.mog.given if card is not None and card.rank is not None)
    return (*deal.table.entered, *(card for card in offered if card not in deal.table.entered))


def _show(deal: Deal, seat: int) -> tuple[Ask, ...]:
    if deal.starter is None:
        return ()
    table, mog = deal.table, deal.mog
    known = table.known(seat)
    missing = HAND - len(known)
    starter, received, worth = deal.starter, mog.received(seat), mog.received_worth(seat)

    def stands(*more: Card) -> bool:
        return bool(show.readings((*known, *more), starter, received, worth))

    if not missing and not stands():
        return ()
    cards = table.unseen
    if missing == 1 and worth:  # it may have to be the card that its giver scored for
        cards = tuple(card for card in cards if stands(card))
    if len(cards) < missing:
        return ()
    return counted("show", Move("show", seat), missing, cards)
