"""Hints and practice positions near the end, compared with a brute force that is independent of the
player.

Two or three of the opponent's cards are unknown. A card is sure to win if the player's further
choices, made without seeing those cards, win against every possible hand and every play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import comb, prod
from random import Random
from typing import Any, NamedTuple

import pytest

from boardctl.bot.hints import hint
from boardctl.bot.positions import answer
from boardctl.games import IllegalMove
from boardctl.games.cards import CARDS, Card, Rank, parse_cards
from boardctl.record.legal import legal_moves
from boardctl.record.record import Record
from tests.bot.test_hints import as_seen, read, step
from tests.sweeps import sweep

GOAL = 121
Hand = tuple[int, ...]
"""Ranks from 1 to 13, the smallest first."""


def worth(rank: int) -> int:
    return min(rank, 10)


def pegged(series: Hand) -> int:
    """Return the points of the last card of a count, without those for a go or the last card."""
    count = sum(map(worth, series))
    points = 2 * (count in (15, 31))
    alike = next((n for n, rank in enumerate(reversed(series)) if rank != series[-1]), len(series))
    points += alike * (alike - 1)
    runs = [
        length
        for length in range(3, len(series) + 1)
        if len({*series[-length:]}) == length
        and max(series[-length:]) - min(series[-length:]) == length - 1
    ]
    return points + max(runs, default=0)


class Play(NamedTuple):
    """The pone's knowledge during the play. theirs: every possible hand of the opponent. gone:
    whether each side has said go, the pone first. scores: the pone's first. show: the points of the
    pone's hand."""

    mine: Hand
    theirs: frozenset[Hand]
    series: Hand
    own_turn: bool
    own_last: bool
    gone: tuple[bool, bool]
    scores: tuple[int, int]
    show: int

    def fits(self, hand: Hand) -> set[int]:
        room = 31 - sum(map(worth, self.series))
        return {rank for rank in hand if worth(rank) <= room}

    def score(self, own: bool, points: int) -> Play:
        one, two = self.scores
        return self._replace(scores=(one + points, two) if own else (one, two + points))

    def play(self, rank: int) -> Play:
        """Return the play after the side whose turn it is plays a card. The opponent's possible
        hands are those that contain the card."""
        own, series = self.own_turn, (*self.series, rank)
        theirs = self.theirs
        if not own:
            theirs = frozenset(without(hand, rank) for hand in theirs if rank in self.fits(hand))
        after = self._replace(
            mine=without(self.mine, rank) if own else self.mine,
            theirs=theirs, series=series, own_last=own,
            own_turn=own if self.gone[own] else not own,
        ).score(own, pegged(series))  # fmt: skip
        if sum(map(worth, series)) == 31:
            return after.fresh()
        return after.score(own, 1) if after.is_over else after

    def go(self) -> Play:
        """Return the play after the side whose turn it is says go."""
        if self.gone[self.own_turn]:  # as the waiting side has said
            return self.score(self.own_last, 1).fresh()
        said = (True, self.gone[1]) if self.own_turn else (self.gone[0], True)
        return self._replace(gone=said, own_turn=not self.own_turn)

    def fresh(self) -> Play:
        """Return the play with a new count, begun by the side that did not play last."""
        return self._replace(series=(), gone=(False, False), own_turn=not self.own_last)

    @property
    def is_over(self) -> bool:
        return not self.mine and not any(self.theirs)


def without(hand: Hand, rank: int) -> Hand:
    place = hand.index(rank)
    return hand[:place] + hand[place + 1 :]


def is_sure(now: Play) -> bool:
    """Return whether the pone wins whatever the opponent holds and plays."""
    if max(now.scores) >= GOAL:
        return now.scores[0] >= GOAL
    if now.is_over:
        return now.scores[0] + now.show >= GOAL  # the pone counts first
    if now.own_turn:
        fits = now.fits(now.mine)
        return any(is_sure(now.play(rank)) for rank in fits) if fits else is_sure(now.go())
    silent = frozenset(hand for hand in now.theirs if not now.fits(hand))
    if silent and not is_sure(now._replace(theirs=silent).go()):
        return False
    played = {rank for hand in now.theirs for rank in now.fits(hand)}
    return all(is_sure(now.play(rank)) for rank in played)


def shown(cards: list[Card], starter: Card) -> int:
    """Return the points of a hand."""
    ranks = [card.rank or 0 for card in (*cards, starter)]
    sets = [[rank for place, rank in enumerate(ranks) if which >> place & 1] for which in range(32)]
    points = 2 * sum(sum(map(worth, some)) == 15 for some in sets)
    points += 2 * sum(len(some) == 2 and some[0] == some[1] for some in sets)
    runs = [
        some
        for some in sets
        if len(some) >= 3 and len({*some}) == len(some) == max(some) - min(some) + 1
    ]
    longest = max(map(len, runs), default=0)
    points += sum(longest for some in runs if len(some) == longest)
    suits = {card.suit for card in cards}
    flush = (4 + (starter.suit in suits)) * (len(suits) == 1)
    return (
        points + flush + any(card.rank == Rank.JACK and card.suit == starter.suit for card in cards)
    )


class Case(NamedTuple):
    """A position of the pone, seat 1, in the form for the brute force too."""

    record: Record
    play: Play


def case(record: Record, six: list[Card], away: list[Card], starter: Card) -> Case:
    """Return the position of a record in the play whose pone is seat 1."""
    moves = record.moves
    deal = max(place for place, move in enumerate(moves) if move.verb == "deal")
    lines = [move for move in moves[deal:] if move.verb in ("play", "go")]
    series: Hand = ()
    gone, own_last, least = [False, False], False, 0
    seen = [*six, starter]
    for move in lines:
        own = move.seat == 1
        if move.verb == "go":
            gone[0 if own else 1] = True
            if not own:
                least = max(least, 31 - sum(map(worth, series)))
        else:
            card = move.cards[0]
            if sum(map(worth, (*series, card.rank or 0))) > 31:
                series, gone = (), [False, False]
            series, own_last = (*series, card.rank or 0), own
            seen += () if own else (card,)
        if sum(map(worth, series)) == 31 or all(gone):
            series, gone = (), [False, False]
    played = [move.cards[0] for move in lines if move.verb == "play" and move.seat == 1]
    left = 4 - sum(move.verb == "play" and move.seat == 2 for move in lines)
    ranks = [card.rank or 0 for card in CARDS if card not in seen and worth(card.rank or 0) > least]
    hands = frozenset(
        hand
        for hand in combinations_with_replacement(sorted({*ranks}), left)
        if all(hand.count(rank) <= ranks.count(rank) for rank in hand)
    )
    kept = [card for card in six if card not in away]
    mine = tuple(sorted(card.rank or 0 for card in kept if card not in played))
    one, two = record.position.scores
    scores = (one, two)
    play = Play(
        mine, hands, series, True, own_last, (gone[0], gone[1]), scores, shown(kept, starter)
    )
    return Case(record, play)


def cases(unknown: int) -> Iterator[Case]:
    """Yield positions near 121 in which the pone has a choice, and the opponent this many cards."""
    chance = Random(f"two or more {unknown}")
    while True:
        cards = chance.sample(CARDS, 13)
        six, others, starter = cards[:6], cards[6:12], cards[12]
        record = read(
            f"start {chance.choice(range(112, 121))} {chance.choice(range(110, 121))}", "dealer 2",
            "deal", f"1 hand {' '.join(map(str, six))}", "2 discard ? ?",
            f"1 discard {six[0]} {six[1]}", f"starter {starter}",
        )  # fmt: skip
        held = {1: six[2:], 2: others[2:]}
        while not record.position.over and record.position.situation.phase == "play":
            own = [move for move in legal_moves(record, 1) if move.verb == "play"]
            ready = len(own) > 1 and record.position.situation.turn == 1
            if ready and len(held[2]) == unknown:
                yield case(record, six, six[:2], starter)
                break
            try:
                step(record, held, chance)
            except IllegalMove:
                break


def sure_cards(play: Play) -> set[int]:
    """Return the ranks that are sure to win."""
    return {rank for rank in play.fits(play.mine) if is_sure(play.play(rank))}


def winning(now: Play, chances: dict[Hand, float]) -> float:
    """Return our chance of winning in the play or by our own count, times the sum of the weights.
    The opponent plays all fitting cards equally often, and our own choices are the best ones."""
    if max(now.scores) >= GOAL:
        return sum(chances.values()) * (now.scores[0] >= GOAL)
    if now.is_over:
        return sum(chances.values()) * (now.scores[0] + now.show >= GOAL)
    if now.own_turn:
        fits = now.fits(now.mine)
        if not fits:
            return winning(now.go(), chances)
        return max(winning(now.play(rank), chances) for rank in fits)
    found = 0.0
    silent = {hand: weight for hand, weight in chances.items() if not now.fits(hand)}
    if silent:
        found += winning(now._replace(theirs=frozenset(silent)).go(), silent)
    for rank in {rank for hand in chances for rank in now.fits(hand)}:
        after: dict[Hand, float] = {}
        for hand, weight in chances.items():
            fits = now.fits(hand)
            if rank in fits:
                left = without(hand, rank)
                after[left] = after.get(left, 0.0) + weight / len(fits)
        found += winning(now._replace(theirs=frozenset(chances)).play(rank), after)
    return found


def drill(record: Record) -> dict[str, Any]:
    """Return the position in the form of the practice page."""
    moves = {move.verb: move for move in record.moves if move.seat != 2}
    played = [move.cards[0] for move in record.moves if move.verb == "play"]
    return {
        "hand": " ".join(map(str, moves["hand"].cards)),
        "score": list(moves["start"].numbers),
        "thrown": " ".join(map(str, moves["discard"].cards)),
        "starter": str(moves["starter"].cards[0]),
        "played": " ".join(map(str, played)),
    }


@sweep("unknown, wanted", [(2, 8), (2, 80), (3, 20)], ordinary=[(2, 8)])
def test_a_card_that_is_sure_to_win_is_right(unknown: int, wanted: int) -> None:
    """In a practice position it is a right answer, and a hint names such a card."""
    certain = 0
    for record, play in cases(unknown):
        sure = sure_cards(play)
        if not sure or sure == play.fits(play.mine):
            continue
        certain += 1
        judged = answer(drill(record))["choices"]
        wins = {next(parse_cards(one["cards"][0])).rank or 0: one["win"] for one in judged}
        assert {wins[rank] for rank in sure} == {1.0}, drill(record)
        found = hint(as_seen(record), 1)
        assert found is not None
        assert found.best.win == pytest.approx(1)
        assert (found.best.move.cards[0].rank or 0) in sure, drill(record)
        if certain == wanted:
            break


def test_the_brute_force_counts_as_the_referee() -> None:
    """Whole plays with all cards known agree in scores and turn, after every card and go."""
    chance = Random("counts")
    for _ in range(40):
        cards = chance.sample(CARDS, 13)
        record = read(
            "start 60 60", "dealer 2", "deal", f"1 hand {' '.join(map(str, cards[:6]))}",
            "2 discard ? ?", f"1 discard {cards[0]} {cards[1]}", f"starter {cards[12]}",
        )  # fmt: skip
        held = {1: cards[2:6], 2: cards[8:12]}
        mine, theirs = (tuple(sorted(card.rank or 0 for card in held[seat])) for seat in (1, 2))
        scores = record.position.scores
        now = Play(
            mine, frozenset([theirs]), (), True, False, (False, False), (scores[0], scores[1]), 0
        )
        while record.position.situation.phase == "play":
            while not now.fits(now.mine if now.own_turn else min(now.theirs)):
                now = now.go()
            if now.own_turn != (record.position.situation.turn == 1):
                step(record, held, chance)  # a go that must be said
            assert now.own_turn == (record.position.situation.turn == 1)
            before = len(record.moves)
            step(record, held, chance)
            (move,) = record.moves[before:]
            if move.verb == "play":
                now = now.play(move.cards[0].rank or 0)
        assert now.scores == record.position.scores


def weights(record: Record, play: Play) -> dict[Hand, float]:
    """Return each possible hand of the opponent, with the number of ways to hold it."""
    seen = {card for move in record.moves for card in move.cards if card.is_known}
    free = Counter(card.rank or 0 for card in CARDS if card not in seen)
    return {
        hand: float(prod(comb(free[rank], times) for rank, times in Counter(hand).items()))
        for hand in play.theirs
    }


@sweep("unknown, wanted", [(2, 15), (2, 60), (3, 30)], ordinary=[(2, 15)])
def test_hints_beside_a_brute_force_whose_other_player_plays_anything(
    unknown: int, wanted: int
) -> None:
    """The opponent's hands are as likely as their cards, and it plays all fitting cards equally
    often. Even then, following a hint loses little. The opponent needs one or two points, so the
    play decides the game."""
    looked, lost, at_random = 0, 0.0, 0.0
    for record, play in cases(unknown):
        if play.scores[1] < GOAL - 2:
            continue
        hands = weights(record, play)
        whole = sum(hands.values())
        wins = {rank: winning(play.play(rank), hands) / whole for rank in play.fits(play.mine)}
        best = max(wins.values())
        if best - min(wins.values()) < 0.02:
            continue
        found = hint(as_seen(record), 1)
        assert found is not None
        looked += 1
        lost += best - wins[found.best.move.cards[0].rank or 0]
        at_random += best - sum(wins.values()) / len(wins)
        if looked == wanted:
            break
    assert lost / looked < 0.02
    assert lost < 0.2 * at_random
