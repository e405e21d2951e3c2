"""Make decisions in games with hidden cards by playing out sampled deals.

The unseen cards are dealt at random, but consistently with everything that the seat has seen
(`sampling`). Each possible line is tried in the same samples. The deal is then played out by rules
of thumb that use only the hand of the seat whose turn it is (`tricks`), and settled by the
referee's functions. The search chooses the line with the highest average chance of winning the game
(`standing`).

Sampling follows Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game"
(2001). Playing out without knowledge of the other hands follows Furtak and Buro, "Recursive Monte
Carlo Search for Imperfect Information Games" (2013). This avoids most of the strategy fusion that
occurs if each sample is treated as known (Frank and Basin 1998).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from boardctl.bot import SLIPS, auction, bidding, habits, replayed, stock, trick_tables
from boardctl.bot.standing import Choice, Table
from boardctl.bot.trick_tables import Imagined
from boardctl.games import Move
from boardctl.games.belote import deal as belote
from boardctl.games.common.jass import JassDeal
from boardctl.games.common.trick_deal import TrickDeal
from boardctl.games.pinochle import deal as pinochle
from boardctl.record.record import Record

SAMPLES: Final = {2: 60, 3: 24, 4: 20}
"""The number of sampled deals in which a card is tried, by the number of players. With two players,
more cards are unseen."""


def next_line(record: Record, seat: int, level: int, random: Random) -> Move | None:
    """Return the next line of a seat, or None if it is not its turn.

    Args:
        record: the record of the game, as the seat knows it.
        seat: from 1.
        level: one of `LEVELS`. Levels below 3 never search.
        random: draws the samples.
    """
    if level not in SLIPS or not searches(record):
        return habits.next_line(record, seat, level, random)
    by_habit = habits.next_line(record, seat, 2, random)
    if by_habit is None or random.random() < SLIPS[level]:
        return by_habit
    found = choices(record, seat, by_habit, random)
    return found[0].move if found else by_habit


def searches(record: Record) -> bool:
    """Return whether the search covers the decisions of the current game."""
    position = record.position
    if position.game is not None and position.game.name in replayed.GAMES:
        return True
    if stock.handles(position.state):
        return True
    return isinstance(getattr(position.state, "deal", None), TrickDeal)


def choices(record: Record, seat: int, by_habit: Move, random: Random) -> list[Choice]:
    """Return a line and its alternatives with their values, best first.

    Args:
        record: the record of the game, as the seat knows it.
        seat: from 1.
        by_habit: the line that the rules of thumb choose. Only lines of the same kind are compared.
        random: draws the samples.

    Returns:
        The lines, or an empty list if there is no choice or if the search does not cover it.
    """
    moves = [move for move in habits.legal(record, seat) if kind(move) == kind(by_habit)]
    return weigh(record, seat, moves, by_habit.verb, random)


def weigh(
    record: Record,
    seat: int,
    moves: Sequence[Move],
    verb: str,
    random: Random,
    *,
    shaded: bool = True,
) -> list[Choice]:
    """Return lines of the same kind with their values, best first.

    Args:
        record: the record of the game, as the seat knows it.
        seat: from 1.
        moves: the lines to compare.
        verb: the verb of the decision.
        random: draws the samples.
        shaded: whether to subtract `bidding.SHADE` from bids.

    Returns:
        The lines, or an empty list if there are fewer than two lines or if the search does not
        cover the choice.
    """
    if len(moves) < 2:
        return []
    if stock.handles(record.position.state):
        by_verb = {"play": stock.choices, "meld": stock.meld_choices}
        chosen = by_verb.get(verb)
        return chosen(record, seat, moves) if chosen is not None else []
    table = Table(record, seat)
    if not isinstance(record.position.state.deal, TrickDeal):
        return replayed.choices(record, table, seat, moves, random)
    deal: Any = record.position.state.deal
    if isinstance(deal, belote.Deal):
        moves = [move for move in moves if not _without_suit(move)]
        if deal.contract or any(map(_without_suit, table.bids)):
            return []
    if verb == "play":
        return _cards(deal, table, seat, moves, random)
    schmeiss = deal.options.get("schmeiss", "off") != "off"  # not covered by the search
    if verb == "bid" and isinstance(deal, JassDeal) and not schmeiss:
        return bidding.choices(deal, table, seat, moves, random, shaded=shaded)
    if isinstance(deal, pinochle.Deal):
        return auction.choices(deal, table, seat, moves, random)
    return []


def _without_suit(move: Move) -> bool:
    """Return whether a bid is for no-trump or all-trump. The search does not cover such bids."""
    return any(word in belote.CALLS for word in move.words)


def kind(move: Move) -> str:
    """Return the kind of a line. Only lines of the same kind are compared."""
    kinds = {"coinche": "bid", "surcoinche": "bid", "refuse": "mog"}
    return kinds.get(move.verb, move.verb)


def _cards(
    deal: Any, table: Table, seat: int, moves: Sequence[Move], random: Random
) -> list[Choice]:
    """Return the playable cards with their values, which are found by playing out sampled deals."""
    bidder = deal.bidding.taker
    seen = Imagined(deal, deal.trump, deal.side(bidder) - 1)
    settle = trick_tables.settlement(deal)
    base, me = seen.play, seat - 1
    number = seen.pack.number
    tried: dict[int, Move] = {}
    for move in moves:
        card = number[move.cards[0].plain]
        while not base.hands[me] >> card & 1:
            card += 1  # this copy is not in the hand
        tried.setdefault(card, move)
    wins, points, count = dict.fromkeys(tried, 0.0), dict.fromkeys(tried, 0.0), 0
    for _ in range(SAMPLES[deal.seats]):
        hands = seen.hands(random)
        if hands is None:
            continue
        count += 1
        dealt = [hand | had for hand, had in zip(hands, seen.had, strict=True)]
        for card in tried:
            play = base.copy(hands)
            play.step(card)
            play.finish()
            scored = settle(play, dealt)
            wins[card] += table.worth(scored)
            points[card] += table.more(scored)
    if not count:
        return []
    some = 0
    for card in tried:
        some |= 1 << card
    usual = base.choose(some)
    found = [
        (wins[card], card == usual, Choice(move, wins[card] / count, points[card] / count))
        for card, move in tried.items()
    ]
    found.sort(key=lambda one: one[:2], reverse=True)
    return [choice for _, _, choice in found]
