"""Deals from a shuffled pack, played by two players independent of the referee.

The legal plays of the last tricks are computed here a second time, from the text of the rules, to
check the referee's decision on every card of every such hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any

from boardctl import games
from boardctl.games import IllegalMove, Move, Setup
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.bezique.state import State
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.pinochle import TWO_HANDS

ORDER = "AT KQJ987".replace(" ", "")


def referee(name: str) -> BeziqueGame:
    game = TWO_HANDS if name == "pinochle" else games.find(name)
    assert isinstance(game, BeziqueGame)
    return game


def options(game: BeziqueGame, chosen: Mapping[str, str]) -> dict[str, str]:
    return {option.name: option.default for option in game.options} | dict(chosen)


def begin(game: BeziqueGame, chosen: Mapping[str, str] | None = None) -> State:
    return game.begin(Setup(("Ann", "Bob"), options(game, chosen or {})))


def height(card: Card) -> int:
    assert card.rank is not None
    return -ORDER.index(card.rank.letter)


def dutiful(hand: list[Card], lead: Card, trump: Any, *, heads: bool, strict: bool) -> set[Card]:
    """Return the cards that may be played under the rules: follow and beat; else follow; else
    trump; else any."""
    suit = [card for card in hand if card.suit == lead.suit]
    if suit:
        better = [card for card in suit if height(card) > height(lead)]
        must = strict and (heads or lead.suit == trump)
        return set(better) if better and must else set(suit)
    if strict:
        ruff = [card for card in hand if card.suit == trump]
        if ruff:
            return set(ruff)
    return set(hand)


def shapes(hand: list[Card]) -> Iterator[tuple[Card, ...]]:
    """Return groups of cards that may be melds, including some that are not."""
    for king, queen in combinations(hand, 2):
        if {king.rank, queen.rank} <= {Rank.KING, Rank.QUEEN, Rank.JACK}:
            yield king, queen
    for rank in (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK):
        yield from combinations([card for card in hand if card.rank == rank], 4)
    queens = [card for card in hand if card.plain == Card(Rank.QUEEN, Suit.SPADES)]
    jacks = [card for card in hand if card.plain == Card(Rank.JACK, Suit.DIAMONDS)]
    for count in range(2, min(len(queens), len(jacks)) + 1):
        yield (*queens[:count], *jacks[:count])
    for suit in {card.suit for card in hand}:
        by_rank = {card.rank: card for card in hand if card.suit == suit}
        run = [by_rank.get(Rank(rank)) for rank in (1, 10, 13, 12, 11)]
        if None not in run:
            yield tuple(card for card in run if card is not None)


@dataclass
class Table:
    """A game that a referee knows completely, with all its awards."""

    game: BeziqueGame
    state: State
    rng: Random
    awards: list[Any] = field(default_factory=list)
    notes: list[Any] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    judged: int = 0

    def say(self, move: Move) -> None:
        played = self.game.play(self.state, move)
        self.state = played.state
        self.awards += played.awards
        self.notes += played.notes
        self.moves.append(move)

    def refuses(self, move: Move) -> str | None:
        try:
            self.game.play(self.state, move)
        except IllegalMove as error:
            return error.code
        return None


def shuffle(game: BeziqueGame, rng: Random) -> list[Card]:
    names = "abcdef"[: game.spec.copies]
    cards = [card._replace(copy=name) for card in game.spec.pack for name in names]
    rng.shuffle(cards)
    return cards


def play_deal(table: Table, *, judge: bool = False) -> None:
    """Play one deal, entered card by card. With `judge`, every card is tried in the last tricks."""
    game, rng, options = table.game, table.rng, table.state.options
    size = game.spec.hand
    cards = shuffle(game, rng)
    table.say(Move("deal"))
    hands = {seat: [cards.pop() for _ in range(size)] for seat in (1, 2)}
    for seat in (1, 2):
        table.say(Move("hand", seat, tuple(hands[seat])))
    turned: Card | None = None
    trump: Any = None
    if game.spec.turned:
        turned = cards.pop()
        trump = turned.suit
        table.say(Move("turnup", cards=(turned,)))
        cards.insert(0, turned)
    leader = 3 - (table.state.sheet.dealer or 0)
    while hands[1]:
        lead = rng.choice(hands[leader])
        table.say(Move("play", leader, (lead,)))
        hands[leader].remove(lead)
        follower = 3 - leader
        allowed = set(hands[follower])
        if not cards:
            trump = table.state.deal.trump if table.state.deal else None
            allowed = dutiful(
                hands[follower], lead, trump, heads=options.head, strict=options.strict
            )
            if judge:
                for card in hands[follower]:
                    code = table.refuses(Move("play", follower, (card,)))
                    assert (code is None) == (card in allowed), (lead, card, hands[follower])
                    table.judged += 1
        card = rng.choice(sorted(allowed, key=str))
        table.say(Move("play", follower, (card,)))
        hands[follower].remove(card)
        deal = table.state.deal or table.state.last
        assert deal is not None
        if card.rank == game.spec.seven and rng.random() < 0.5:
            seven = Move("seven", follower)
            if table.refuses(seven) is None:
                table.say(seven)
        leader = deal.turn
        if cards:
            _declare(table, leader, hands, cards)
            for seat in (leader, 3 - leader):
                drawn = cards.pop()
                table.say(Move("draw", seat, (drawn,)))
                hands[seat].append(drawn)


def _declare(table: Table, seat: int, hands: dict[int, list[Card]], stock: list[Card]) -> None:
    """Declare a seven and a meld, if the winner has them."""
    game, rng = table.game, table.rng
    deal = table.state.deal
    assert deal is not None
    mine = [c for c in hands[seat] if c.suit == deal.trump and c.rank == game.spec.seven]
    for seven in mine:
        for words in (("exchange",), ()):
            move = Move("seven", seat, (seven,), words=words)
            if rng.random() < 0.7 and table.refuses(move) is None:
                table.say(move)
                if words:
                    hands[seat].remove(seven)
                    hands[seat].append(stock[0])
                    stock[0] = seven
                break
    melds = list(shapes(hands[seat]))
    rng.shuffle(melds)
    for cards in melds[:12]:
        move = Move("meld", seat, cards)
        if table.refuses(move) is None:
            table.say(move)
            return
