"""The prompts of Belote: every line that may be entered next, the most common first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from boardctl.games import Ask, IllegalMove, Move, Prompt
from boardctl.games.belote import bidding
from boardctl.games.belote import deal as cards
from boardctl.games.belote.bidding import LEAST, MOST, STEP
from boardctl.games.belote.deal import Deal
from boardctl.games.belote.state import State, counts_allowed, outcome
from boardctl.games.belote.tricks import IN_ORDER
from boardctl.games.cards import UNSEEN, Suit
from boardctl.games.common.prompts import between_deals


def prompt(state: State) -> Prompt:
    if outcome(state).state != "unfinished":
        return Prompt()
    seats = tuple(range(1, state.seats + 1))
    if state.half_told:
        due = 1 if state.told[0] is None else 2
        return Prompt((Ask("no-points", "confirm", Move("peg", due, numbers=(0,))),), (due,))
    deal = state.deal
    if deal is None:
        return Prompt(between_deals(state.sheet, IN_ORDER), seats)
    asks = tuple(_bidding(deal) if not deal.bidding.over else _playing(state, deal))
    return Prompt(asks, () if deal.begun else seats)


def _stands(step: Callable[[], object]) -> bool:
    """Whether the referee would accept the step."""
    try:
        step()
    except IllegalMove:
        return False
    return True


def _bidding(deal: Deal) -> Iterator[Ask]:
    said = deal.bidding
    seat = said.due
    if not said.coinche and deal.turned is None:
        yield from _turnup(deal)
    if said.coinche:
        yield _coinche(deal, seat)
    else:
        words: tuple[str, ...] = ("take", "pass")
        if said.suit is None:
            words = ("pass", *(suit.letter for suit in Suit), "take")
        if said.second_round:
            words = ("pass", *(suit.letter for suit in Suit if suit != said.suit))
        choices = tuple(Move("bid", seat, words=(word,)) for word in words)
        turned = deal.turned or cards.letter_of(said.suit)
        code = "bid" if said.second_round else "take"
        yield Ask(code, "choice", Move("bid", seat), choices=choices, fields={"turned": turned})
    yield from _hands(deal)


def _coinche(deal: Deal, seat: int) -> Ask:
    """A pass, the higher bids, coinche and surcoinche."""
    said = deal.bidding
    choices = [Move("bid", seat, words=("pass",))]
    for move, how in (
        (Move("coinche", seat), bidding.double),
        (Move("surcoinche", seat), bidding.redouble),
    ):
        if _stands(lambda how=how: how(said, seat)):  # type: ignore[misc]  # bound at once
            choices.append(move)
    if said.doubled == 1:
        least = max(LEAST, said.bid + STEP)
        for points in range(least, MOST + 1, STEP):
            choices += [Move("bid", seat, numbers=(points,), words=(suit.letter,)) for suit in Suit]
        if said.bid <= MOST:
            choices += [Move("bid", seat, words=("capot", suit.letter)) for suit in Suit]
    return Ask("contract", "choice", Move("bid", seat), choices=tuple(choices))


def _turnup(deal: Deal) -> Iterator[Ask]:
    free = tuple(card for card in IN_ORDER if _stands(lambda c=card: cards.turn_up(deal, c)))  # type: ignore[misc]  # bound at once
    if free:
        yield Ask("turnup", "cards", Move("turnup"), telling="cards", least=1, most=1, cards=free)


def _hands(deal: Deal) -> Iterator[Ask]:
    """Dealt cards that have not been entered, eldest's first."""
    seen = deal.out.union(*deal.hands)
    free = tuple(card for card in IN_ORDER if card not in seen)
    for seat in deal.order:
        taker = deal.seats == 4 and deal.bidding.over and deal.bidding.taker == seat
        most = deal.size - (taker and not deal.bidding.coinche) - deal.told[seat - 1]
        lacking = deal.unseen(seat)
        if taker and deal.turned is None and not deal.bidding.coinche:
            lacking -= 1  # the turned-up card is the taker's, and is entered by `turnup`
        room = min(most, lacking)
        if room > 0:
            fields = {"room": room}
            hand = Move("hand", seat)
            yield Ask("hand", "cards", hand, "cards", 1, room, cards=free, fields=fields)


def _playing(state: State, deal: Deal) -> Iterator[Ask]:
    """Prompts from the bidding to the end of the deal."""
    if not deal.counted:
        open_still = not deal.declared and not deal.pieces
        if open_still and deal.all_known and state.option("declarations") == "on":
            yield Ask("declare-all", "confirm", Move("declare"), telling="cards")
        if deal.trump is not None:
            yield from _card(deal)
    for seat in deal.order[:2]:
        side = deal.side(seat)
        allowed = counts_allowed(deal, side, state.option("capot"))
        if deal.counts[side - 1] is None and allowed:
            least, most = allowed[0], allowed[-1]
            barred = tuple(n for n in range(least, most) if n not in allowed)
            yield Ask("count", "number", Move("count", seat), least=least, most=most, barred=barred)
    for seat in deal.order:
        if cards.may_hold_belote(deal, seat):
            yield Ask("belote", "confirm", Move("belote", seat))
    if not deal.counted:
        yield from _before_play(state, deal)


def _before_play(state: State, deal: Deal) -> Iterator[Ask]:
    """Shown declarations, the exchange, and cards entered late."""
    if not deal.declared and state.option("declarations") == "on":
        for seat in deal.order:
            if deal.owner is not None and deal.side(deal.owner) != deal.side(seat):
                continue
            shown = sum(len(p.cards) for at, p in deal.pieces if at == seat)
            if not deal.whole(seat) and shown + 5 <= cards.TRICKS[deal.seats]:
                choices = tuple(Move("meld", seat, (UNSEEN,) * n) for n in (3, 4, 5))
                yield Ask("meld", "choice", Move("meld", seat), choices=choices)
    if deal.seats == 2 and not deal.led and state.option("seven_exchange") == "on":
        for seat in deal.order:
            if _stands(lambda s=seat: cards.exchange(deal, s)):  # type: ignore[misc]  # bound at once
                yield Ask("exchange", "confirm", Move("exchange", seat), telling="hands")
    if not (deal.declared or deal.pieces or deal.led or deal.belote is not None):
        if deal.turned is None and not deal.bidding.coinche:
            yield from _turnup(deal)
        yield from _hands(deal)


def _card(deal: Deal) -> Iterator[Ask]:
    """The next card: the legal plays."""
    seat = deal.turn
    hand = deal.possible(seat) - deal.played
    allowed = tuple(
        card
        for card in IN_ORDER
        if card in hand and _stands(lambda c=card: cards.play(deal, seat, c))  # type: ignore[misc]  # bound at once
    )
    yield Ask("play", "cards", Move("play", seat), telling="cards", least=1, most=1, cards=allowed)
