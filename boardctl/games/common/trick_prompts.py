"""The prompts of trick-taking games: what may be entered next of a deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from boardctl.games import Ask, IllegalMove, Move
from boardctl.games.cards import Card, Suit
from boardctl.games.common.jass import JassDeal, letter
from boardctl.games.common.trick_deal import Cards, D, TrickDeal, play

Said = TypeVar("Said")


def accepted(said: Iterable[Said], step: Callable[[Said], object]) -> tuple[Said, ...]:
    """Of several things that could be entered, those that the referee would accept."""
    return tuple(one for one in said if stands(lambda: step(one)))  # noqa: B023  # called at once


def stands(step: Callable[[], object]) -> bool:
    """Whether the referee would accept a step."""
    try:
        step()
    except IllegalMove:
        return False
    return True


def free(deal: TrickDeal) -> Cards:
    """The distinct cards of which a copy has not been located, each once per copy left."""
    spec = deal.spec
    return tuple(card for card in spec.pack for _ in range(spec.copies - deal.seen(card)))


def hands(deal: TrickDeal, seats: Iterable[int]) -> Iterator[Ask]:
    """Dealt cards that have not been entered."""
    cards = free(deal)
    for seat in seats:
        room = min(
            deal.dealt(seat) - deal.entered[seat - 1], deal.unseen(seat) - deal.awaited(seat)
        )
        if room > 0:
            move, fields = Move("hand", seat), {"room": room}
            yield Ask("hand", "cards", move, "cards", 1, room, cards=cards, fields=fields)


def card(deal: TrickDeal) -> Ask:
    """The next card: the legal plays."""
    seat = deal.turn
    some = (card for card in deal.spec.pack if deal.may_hold(seat, card))
    cards = accepted(some, lambda card: play(deal, seat, card))
    return Ask("play", "cards", Move("play", seat), "cards", 1, 1, cards=cards)


def counts(
    deal: D, seats: Iterable[int], possible: Callable[[D, int], tuple[int, ...]]
) -> Iterator[Ask]:
    """The trick points that were not entered, one seat for each side; `possible` are those of a
    deal's side, lowest first."""
    for seat in seats:
        side = deal.side(seat)
        allowed = possible(deal, side) if deal.counts[side - 1] is None else ()
        if not allowed:
            continue
        least, most = allowed[0], allowed[-1]
        barred = tuple(n for n in range(least, most) if n not in allowed)
        yield Ask("count", "number", Move("count", seat), least=least, most=most, barred=barred)


def royals(deal: JassDeal, verb: str) -> Iterator[Ask]:
    """The king and queen of trumps, called by who may hold both."""
    for seat in deal.order:
        if deal.royals_called is None and deal.with_royals(seat) is not None:
            yield Ask(verb, "confirm", Move(verb, seat))


def turnup(deal: JassDeal) -> Iterator[Ask]:
    """The turned-up card; if entered late, it must agree with the bidding."""
    cards = accepted(deal.spec.pack, lambda card: deal.turn_up(Move("turnup", cards=(card,))))
    if cards:
        yield Ask("turnup", "cards", Move("turnup"), "cards", 1, 1, cards=cards)


def trump_line(suits: Iterable[Suit] = Suit) -> Ask:
    """The trump suit, one of these, for a table that does not enter the card that says it."""
    choices = tuple(Move("trump", words=(suit.letter,)) for suit in suits)
    return Ask("trump", "choice", Move("trump"), telling="hands", choices=choices)


def bid(deal: JassDeal) -> Ask:
    """The bid for the suit of the turned card, or in the second round for another."""
    bidding = deal.bidding
    seat = bidding.due
    words: tuple[str, ...] = ("take", "pass")
    if bidding.suit is None:
        words = ("pass", *(suit.letter for suit in Suit), "take")
    if bidding.second_round:
        words = ("pass", *(suit.letter for suit in Suit if suit != bidding.suit))
    choices = tuple(Move("bid", seat, words=(word,)) for word in words)
    turned: Card | str | None = deal.turned or letter(bidding.suit)
    code = "bid" if bidding.second_round else "take"
    return Ask(code, "choice", Move("bid", seat), choices=choices, fields={"turned": turned})


def exchange(deal: D, seats: Iterable[int], step: Callable[[D, Move], object]) -> Iterator[Ask]:
    """The exchange of the seven of trumps, for the seats that may make it."""
    moves = (Move("exchange", seat) for seat in seats)
    for move in accepted(moves, lambda move: step(deal, move)):
        yield Ask("exchange", "confirm", move, telling="hands")
