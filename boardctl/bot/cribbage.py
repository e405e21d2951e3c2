"""The next move of a seat in a game of cribbage: a throw, a card, a go, or calling a false claim.

`levels` plays two-handed six-card cribbage, `other_forms` the other forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from boardctl.bot import other_forms
from boardctl.bot.levels import Player
from boardctl.bot.playing import Event, Past, View, legal
from boardctl.bot.tables import DEALER, PONE, TARGET
from boardctl.games import Move
from boardctl.games.cards import CARDS, Card, Rank
from boardctl.games.cribbage.state import State
from boardctl.record.position import Position


def index(card: Card) -> int:
    """A known card's index in CARDS."""
    return CARDS.index(card.plain)


def due(
    position: Position, game: Sequence[Move], seat: int, level: int, seed: object
) -> Move | None:
    """The next line of a seat, None if it is not its turn; `game` are the moves of this game.
    `seed` and the index of the decision seed its random choices.
    """
    state: State = position.state
    if _short_claim(state, seat):
        return Move("muggins", seat)
    deal, dealer = state.deal, state.sheet.dealer
    if state.over or state.won_unless_called or deal is None or dealer is None:
        return None
    number = sum(move.verb == "deal" for move in game)
    start = max(place for place, move in enumerate(game) if move.verb == "deal")
    lines = game[start:]
    hand = [card for move in own(lines, seat, "hand") for card in move.cards]
    if len(hand) != state.form.dealt or not all(card.known for card in hand):
        return None
    full = len(state.form.setup.seats) == 2 and not state.form.five
    missing = TARGET - state.form.target
    scores = tuple(score + missing for score in position.scores)  # as if the target were TARGET
    place = (number, "deal")
    thrown = [card for move in own(lines, seat, "discard") for card in move.cards]
    if deal.phase in ("discard", "starter") and not thrown:
        role = DEALER if seat == dealer else PONE
        if not full:
            return Move("discard", seat, other_forms.throw(state, hand, seat))
        two = _player(level, repr(seed)).throw(
            tuple(map(index, hand)), role, scores[seat - 1], scores[2 - seat], place
        )
        return Move("discard", seat, tuple(CARDS[card] for card in two))
    if deal.phase != "play" or deal.due != seat or not thrown or deal.starter is None:
        return None
    if not full:
        held = [card for card in hand if card not in thrown]
        for move in own(lines, seat, "play"):
            held.remove(move.cards[0])
        best = other_forms.card(deal.series, held)
        return Move("go", seat) if best is None else Move("play", seat, (best,))
    view = seen(lines, seat, dealer, scores, hand, thrown, deal.starter)
    if view is None:
        return None
    view = view._replace(past=tuple(past(game[:start], seat, dealer)))
    if not legal(view):
        return Move("go", seat)
    card = _player(level, repr(seed)).play(view, place)
    assert card is not None
    return Move("play", seat, (CARDS[card],))


@lru_cache(maxsize=8)
def _player(level: int, seed: str) -> Player:
    return Player(level, seed)


def _short_claim(state: State, seat: int) -> bool:
    """Whether another side's claim is too low, so that calling it earns points."""
    side = state.form.setup.side
    return any(
        side(claim.seat) != side(seat)
        and (claim.said < claim.true or (claim.said > claim.true and state.form.muggins == "full"))
        for claim in state.claims
    )


def own(lines: Sequence[Move], seat: int, verb: str) -> list[Move]:
    """A seat's lines of one verb."""
    return [move for move in lines if move.verb == verb and move.seat == seat]


def past(game: Sequence[Move], seat: int, dealer: int) -> Iterator[Past]:
    """The play of a game's earlier deals, latest first; `dealer` deals the current one."""
    events: list[Event] = []
    role = PONE if seat == dealer else DEALER
    void = False
    for move in reversed(game):
        if move.verb == "play" and move.cards[0].rank is not None:
            events.append(Event(move.seat == seat, move.cards[0].rank - 1))  # its rank is enough
        elif move.verb == "go":
            events.append(Event(move.seat == seat, None))
        elif move.verb == "misdeal":
            void = True
        elif move.verb == "deal":
            if void:
                void = False
                continue
            if events:
                yield Past(role, tuple(reversed(events)))
            events, role = [], 1 - role


def seen(
    lines: Sequence[Move],
    seat: int,
    dealer: int,
    scores: Sequence[int],
    hand: Sequence[Card],
    thrown: Sequence[Card],
    starter: Card,
) -> View | None:
    """What a seat knows in the play; None if a card of it has no rank."""
    played = [move for move in lines if move.verb in ("play", "go")]
    open_cards = [starter, *(card for move in played for card in move.cards)]
    places = indices(open_cards, {index(card) for card in hand})
    if places is None:
        return None
    turned_up, *cards = places
    laid = iter(cards)
    return View(
        DEALER if seat == dealer else PONE,
        scores[seat - 1],
        scores[2 - seat],
        tuple(index(card) for card in hand if card not in thrown),
        tuple(map(index, thrown)),
        turned_up,
        tuple(Event(move.seat == seat, next(laid) if move.cards else None) for move in played),
    )


def indices(cards: Sequence[Card], own: set[int]) -> list[int] | None:
    """The indices of cards that lie open, None if one has no rank.

    A card that was entered by its rank alone stands for the first of that rank that is not among
    the others or `own`: in the play only ranks count.
    """
    taken = own | {index(card) for card in cards if card.known}
    found = []
    for card in cards:
        if card.known:
            found.append(index(card))
            continue
        if card.rank is None:
            return None
        same = range(card.rank - 1, len(CARDS), len(Rank))
        found.append(next((place for place in same if place not in taken), same[0]))
        taken.add(found[-1])
    return found
