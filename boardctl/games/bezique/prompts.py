"""The prompts: every line that may be entered next, for the keypad and the page.

Offered lines are checked by the functions that play them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from boardctl.games import Ask, Move, Prompt
from boardctl.games.bezique import deal as dealing
from boardctl.games.bezique import declare, melds
from boardctl.games.bezique.deal import Deal
from boardctl.games.bezique.game_spec import COURTS, GameSpec
from boardctl.games.bezique.state import State
from boardctl.games.cards import Card, Suit
from boardctl.games.common.referee import ScoreSheet, between_deals, who_deals
from boardctl.games.common.trick_deal import accepted, ask_trump

SEATS = (1, 2)


def prompt(spec: GameSpec, state: State, *, over: bool) -> Prompt:
    """All lines that are due, the most common first."""
    deal = state.deal
    asks: list[Ask] = []
    if deal is not None and deal.over and not deal.unsaid:
        asks += _seven_asks(deal)
    if over:
        return Prompt(tuple(asks))
    if deal is None or not state.on:
        asks = [*_between(spec, state.sheet), *asks]
    else:
        if not deal.unsaid and not deal.by_points:
            asks += _cards(deal)
        asks += _by_points(deal)
        if not deal.by_cards and (deal.by_points or deal.pegged) and deal.counts == (None, None):
            reached = state.goal is not None and max(state.sheet.scores) >= state.goal
            asks += () if reached else between_deals(state.sheet)[:1]
    return Prompt(tuple(asks), pegs=SEATS, scale=10)


def _between(spec: GameSpec, sheet: ScoreSheet) -> Iterator[Ask]:
    """Before a deal: who deals, or cuts for it; then the deal, or the winner's choice."""
    asked = between_deals(sheet, spec.pack, spec.copies)
    yield from asked[:1] if sheet.deals else asked
    if sheet.dealer is not None and (not sheet.deals or sheet.again):
        yield who_deals(sheet)


def _cards(deal: Deal) -> Iterator[Ask]:
    """What a table that enters its cards would enter next."""

    def some(
        code: str, move: Move, step: Callable[[Deal, Move], object], most: int = 1
    ) -> Iterator[Ask]:
        cards = accepted(deal.spec.pack, lambda card: step(deal, move._replace(cards=(card,))))
        if cards:
            yield Ask(code, "cards", move, "cards", 1, most, cards=cards)

    if deal.spec.turned and not deal.turned:
        yield from some("turnup", Move("turnup"), dealing.turn_up)
        yield ask_trump()
    called = deal.options.call_out and deal.tricks and deal.lead is None
    out = (Move("out", deal.turn),) if called else ()
    if deal.may_declare:
        yield from _choice("meld", _declarable(deal, deal.turn) + out)
    else:
        yield from _choice("out", out)
    yield from some("play", Move("play", deal.turn), dealing.ways_to_play)
    yield from _blanche(deal)
    if deal.drawn < 2 and not deal.over:
        seat = deal.turn if deal.drawn == 0 else 3 - deal.turn
        yield Ask("draw", "cards", Move("draw", seat), "cards", 1, 1, cards=dealing.drawable(deal))
    if not deal.tricks and deal.lead is None:
        for seat in SEATS:
            places = min(deal.knowledge.unseen(r, seat) for r in deal.knowledge.readings)
            if places:
                yield from some("hand", Move("hand", seat), dealing.hand, places)
    yield from _seven_asks(deal)


def _declarable(deal: Deal, seat: int) -> tuple[Move, ...]:
    """What a player may declare: the seven of trumps, then the melds."""
    return (*_sevens(deal, seat), *declare.offered(deal, seat))


def _melds_asked(deal: Deal) -> bool:
    """Whether both players are asked for melds: no cards were entered, and nothing was counted."""
    cards = deal.by_cards or deal.unsaid
    return not cards and (deal.turned or not deal.spec.turned) and deal.counts == (None, None)


def _sevens(deal: Deal, seat: int) -> tuple[Move, ...]:
    """The seven of trumps, exchanged or shown."""
    if deal.spec.seven is None:
        return ()
    moves = (Move("seven", seat, words=("exchange",)), Move("seven", seat))
    return accepted(moves, lambda move: declare.seven(deal, move))


def _blanche(deal: Deal) -> Iterator[Ask]:
    """A carte blanche: the whole hand, unless it is known to be something else, or the card
    drawn."""
    if "carte-blanche" not in deal.options.values:
        return

    def shown(move: Move) -> Callable[[tuple[Card, ...]], object]:
        return lambda some: declare.show_blanche(deal, move._replace(cards=some))

    plain = tuple(card for card in deal.spec.pack if card.rank not in COURTS)
    for seat in SEATS:
        move = Move("meld", seat)
        drawn = accepted(((card,) for card in plain), shown(move))
        if drawn:
            cards = tuple(card for (card,) in drawn)
            yield Ask("carte-blanche", "cards", move, "cards", 1, 1, cards=cards)
        first = deal.knowledge.readings[0]
        mine = tuple(held.card for held in first.hands[seat - 1])
        size = deal.spec.hand
        whole = move._replace(cards=mine or plain[:size])
        if not accepted((whole.cards,), shown(move)):
            continue
        if len(mine) == size:
            yield Ask("carte-blanche", "confirm", whole, telling="cards")
        elif not mine:
            cards = tuple(card for card in plain if deal.knowledge.has_room(first, card))
            yield Ask("carte-blanche", "cards", move, "cards", size, size, cards=cards)


def _choice(code: str, moves: tuple[Move, ...]) -> Iterator[Ask]:
    if moves:
        bare = Move(moves[0].verb, moves[0].seat)
        yield Ask(code, "choice", bare, telling="hands", choices=moves)


def _seven_asks(deal: Deal) -> Iterator[Ask]:
    """The seven of trumps, of players who are not asked for it among their melds."""
    if _melds_asked(deal):
        return
    for seat in (deal.turn, 3 - deal.turn):
        if not (deal.may_declare and seat == deal.turn):
            yield from _choice("seven", _sevens(deal, seat))


def _by_points(deal: Deal) -> Iterator[Ask]:
    """What a table that enters only points would enter: trick points and declarations."""
    cards = not deal.by_cards and not deal.unsaid
    if _melds_asked(deal):
        for seat in (deal.turn, 3 - deal.turn):
            yield from _choice("meld", _declarable(deal, seat))
    if not deal.by_cards:
        for seat in SEATS:
            yield from _count(deal, seat)
    if deal.options.cut_bonus is not None and deal.fresh:
        pone, lifted = deal.turn, deal.options.cut_bonus
        choices: tuple[Move, ...] = (
            Move("peg", 3 - pone, numbers=(lifted[0],)),
            Move("peg", pone, numbers=(lifted[1],)),
        )
        yield Ask("cut-bonus", "choice", Move("peg", 3 - pone), choices=choices)
    if cards and deal.trump is None and not deal.spec.turned:
        yield ask_trump(suit for suit in Suit if suit != deal.no_trump)
    worth = melds.declarations(deal.spec, deal.options)
    for seat in SEATS:
        choices = tuple(Move("peg", seat, numbers=(points,)) for points in worth)
        yield Ask("declare", "choice", Move("peg", seat), choices=choices)


def _count(deal: Deal, seat: int) -> Iterator[Ask]:
    """The trick points of a seat: a number, or what remains after the other's count."""
    move = Move("count", seat)
    if deal.counts[seat - 1] is not None:
        return
    step = deal.spec.granule
    possible = dealing.countable(deal, seat)
    if deal.counts[2 - seat] is not None:
        for points in possible:
            yield Ask("count", "confirm", move._replace(numbers=(points,)))
        return
    if len(possible) <= 2:
        choices = tuple(move._replace(numbers=(points,)) for points in possible)
        yield Ask("count", "choice", move, choices=choices)
        return
    least, most = possible[0], possible[-1]
    barred = tuple(sorted({*range(least, most + 1, step)} - {*possible}))
    yield Ask(
        "count",
        "number",
        move,
        least=least,
        most=most,
        scale=step,
        barred=barred,
        after_points=True,
    )
