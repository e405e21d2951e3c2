"""Duplicate matches of cribbage: levels against each other, the advice with greedy play, bsdgames,
and magmacrunch-cribbage if it is installed.

    python -m tools.bench.bots [--pairs N] [--seed S] [--only NAME ...]

Each pair is two games with the same cards and the seats exchanged. The output is the share of games
won by the first side, with its 95 % interval from the variance of the pairs. It also contains the
share adjusted for the luck of the cards (`luck`), with a narrower interval. docs/notes/strength.md
records the figures.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Final, NamedTuple, Protocol

from boardctl.bot import LEVELS, playing
from boardctl.bot.cribbage import Player
from boardctl.bot.playing import Event, Past, View
from boardctl.bot.series import START, VALUE, code, follow, pegged
from boardctl.bot.tables import DEALER, PONE, TARGET, start
from boardctl.bot.throwing import averages
from boardctl.bot.totals import total

_JACK: Final = 10


class Side(Protocol):
    """A player who uses only a seat's knowledge."""

    def throw(
        self, six: Sequence[int], role: int, mine: int, theirs: int, place: object
    ) -> tuple[int, int]: ...

    def play(self, view: View, place: object) -> int | None: ...


class Greedy:
    """The advice's throw (average hand and crib) and a sensible greedy play: most points now, no 5
    led, no count of 5, 10 or 21 left, low cards and pairs led."""

    def throw(
        self, six: Sequence[int], role: int, mine: int, theirs: int, place: object
    ) -> tuple[int, int]:
        sign = 1 if role == DEALER else -1
        return max(averages(six, role), key=lambda throw: throw.hand + sign * throw.crib).cards

    def play(self, view: View, place: object) -> int | None:
        state = playing.now(view.role, view.events)
        moves = follow(state.series).open()
        count = 31 - state.room
        best, chosen = -1e9, None
        for card in playing.legal(view):
            rank = card % 13
            move = moves[rank]
            assert move is not None
            after = count + VALUE[rank]
            worth = 10 * move[0] + 0.1 * VALUE[rank]
            worth -= 4 if after in (5, 21) else 1 if after == 10 else 0
            if not state.series:
                worth -= 6 if rank == 4 else 0
                worth += 3 if sum(other % 13 == rank for other in view.unplayed) > 1 else 0
                worth += 2 if rank < 4 else 0
            elif not move[0] and 0 < abs(rank - state.series[-1]) < 3:
                worth -= 2
            if worth > best:
                best, chosen = worth, card
        return chosen


class Stats:
    """One side's points by role (hands, cribs, play), and CPU seconds per decision."""

    def __init__(self) -> None:
        self.deals = [0, 0]
        self.play = [0, 0]
        self.hand = [0, 0]
        self.crib = 0
        self.seconds: list[float] = []


Played = list[tuple[dict[int, int], list[tuple[int, int | None]]]]
"""The deals of a game: each side's role, and the cards played by each side."""


def as_seen(events: Sequence[tuple[int, int | None]], side: int) -> tuple[Event, ...]:
    """Return the play as one side sees it."""
    return tuple(Event(who == side, card) for who, card in events)


def luck(cards: Sequence[int], dealers: int, pones: int) -> float:
    """Return the value of a deal's cards (the pone's six, the dealer's six, the starter) to the
    dealer. It is the dealer's chance of winning after the deal, if both throw and play as the
    tables assume, minus the chance before the deal. Its mean is 0 for any players, so it can be
    subtracted from the result."""
    starter = cards[12]
    hands: list[tuple[int, ...]] = []
    crib: list[int] = []
    for role, six in ((PONE, cards[:6]), (DEALER, cards[6:12])):
        throw = averages(six, role)[0]
        hands.append(throw.kept)
        crib += throw.cards
    (a, b, c, d), (e, f, g, h), (i, j, k, m) = *hands, crib
    events = [(True, 2)] if starter % 13 == _JACK else []
    events += pegged(*(code([card % 13 for card in hand]) for hand in hands))
    events += [(False, total(a, b, c, d, starter)), (True, total(e, f, g, h, starter))]
    events.append((True, total(i, j, k, m, starter, crib=True)))
    scores = [pones, dealers]
    for dealer, points in events:
        scores[dealer] += points
        if scores[dealer] >= TARGET:
            return float(dealer) - start(True, dealers, pones)
    return start(False, scores[1], scores[0]) - start(True, dealers, pones)


def game(
    sides: Sequence[Side], deals: Random, stats: Sequence[Stats], name: object
) -> tuple[int, float]:
    """Play a game, in which side 0 deals first. Return the winner, 0 or 1, and side 0's luck."""
    scores = [0, 0]
    dealer = 0
    number = 0
    past: Played = []
    lucky = 0.0
    while True:
        cards = deals.sample(range(52), 13)
        lucky += (-1) ** dealer * luck(cards, scores[dealer], scores[1 - dealer])
        won = deal(sides, cards, dealer, scores, stats, (name, number), past)
        if won is not None:
            return won, lucky
        dealer = 1 - dealer
        number += 1


def _timed(stats: Stats, call: Callable[[], object]) -> object:
    begin = time.process_time()
    answer = call()
    stats.seconds.append(time.process_time() - begin)
    return answer


def deal(
    sides: Sequence[Side],
    cards: Sequence[int],
    dealer: int,
    scores: list[int],
    stats: Sequence[Stats],
    place: object,
    past: Played,
) -> int | None:
    pone = 1 - dealer
    hands: dict[int, tuple[int, ...]] = {pone: tuple(cards[:6]), dealer: tuple(cards[6:12])}
    starter = cards[12]
    role = {pone: PONE, dealer: DEALER}
    thrown: dict[int, tuple[int, int]] = {}
    for side in (pone, dealer):
        begin = time.process_time()
        thrown[side] = sides[side].throw(
            hands[side], role[side], scores[side], scores[1 - side], place
        )
        stats[side].seconds.append(time.process_time() - begin)
        stats[side].deals[role[side]] += 1
    kept = {side: tuple(c for c in hands[side] if c not in thrown[side]) for side in (0, 1)}
    if starter % 13 == 10:
        scores[dealer] += 2
        if scores[dealer] >= TARGET:
            return dealer
    events: list[tuple[int, int | None]] = []
    left = [4, 4]
    node, gone, turn, last = START, [False, False], pone, pone
    while any(left):
        view = View(
            role[turn],
            scores[turn],
            scores[1 - turn],
            kept[turn],
            thrown[turn],
            starter,
            as_seen(events, turn),
            tuple(Past(turns[turn], as_seen(play, turn)) for turns, play in reversed(past)),
        )
        begin = time.process_time()
        card = sides[turn].play(view, place)
        stats[turn].seconds.append(time.process_time() - begin)
        events.append((turn, card))
        if card is None:
            gone[turn] = True
        else:
            move = node.open()[card % 13]
            assert move is not None
            points, node = move
            left[turn] -= 1
            scores[turn] += points
            stats[turn].play[role[turn]] += points
            last = turn
            if scores[turn] >= TARGET:
                return turn
        on = [left[side] > 0 and not gone[side] for side in (0, 1)]
        if not node.count or not any(on):
            if node.count:
                scores[last] += 1
                stats[last].play[role[last]] += 1
                if scores[last] >= TARGET:
                    return last
            node, gone = START, [False, False]
            turn = 1 - last if left[1 - last] else last
        else:
            turn = 1 - turn if on[1 - turn] else turn
    past.append((role, events))
    for side in (pone, dealer):
        a, b, c, d = kept[side]
        points = total(a, b, c, d, starter)
        scores[side] += points
        stats[side].hand[role[side]] += points
        if scores[side] >= TARGET:
            return side
    a, b, c, d = (*thrown[0], *thrown[1])
    points = total(a, b, c, d, starter, crib=True)
    scores[dealer] += points
    stats[dealer].crib += points
    return dealer if scores[dealer] >= TARGET else None


def interval(pairs: Sequence[float]) -> tuple[float, float]:
    """Return the mean share and half the width of its 95 % interval, from the variance of the
    pairs."""
    return mean(pairs), 1.96 * stdev(pairs) / sqrt(len(pairs))


class Matched(NamedTuple):
    """The first side's share of the two games in each pair, and the same adjusted for luck."""

    won: list[float]
    earned: list[float]

    def __str__(self) -> str:
        shares = [f"{100 * share:.1f} ± {100 * half:.1f} %" for share, half in map(interval, self)]
        return f"{shares[0]} of {2 * len(self.won)} games; less the luck of the cards {shares[1]}"


def match(one: Side, two: Side, pairs: int, seed: int) -> tuple[Matched, tuple[Stats, Stats]]:
    """Play two sides against each other."""
    stats = (Stats(), Stats())
    found = Matched([], [])
    for number in range(pairs):
        won = 0
        lucky = 0.0
        for turned in (False, True):
            deals = Random(repr((seed, number)))
            sides, kept = ((two, one), (stats[1], stats[0])) if turned else ((one, two), stats)
            winner, luck_of_first = game(sides, deals, kept, (seed, number))
            won += (winner == 0) != turned
            lucky += -luck_of_first if turned else luck_of_first
        found.won.append(won / 2)
        found.earned.append((won - lucky) / 2)
        if number % 10 == 9:
            print(f"  {found}", file=sys.stderr)
    return found, stats


def show(name: str, found: Matched, stats: Sequence[Stats]) -> None:
    """Print one match as a line of text, with its averages."""
    print(f"{name}: {found}")
    for who, some in zip(("first", "second"), stats, strict=True):
        seconds = sorted(some.seconds)
        each = " ".join(
            f"{label} hand {some.hand[role] / some.deals[role]:.2f} "
            f"play {some.play[role] / some.deals[role]:.2f}"
            for role, label in ((PONE, "pone"), (DEALER, "dealer"))
        )
        print(
            f"  {who}: {each} crib {some.crib / some.deals[DEALER]:.2f}; CPU a decision "
            f"{1000 * mean(seconds):.0f} ms, most {1000 * seconds[-1]:.0f} ms",
            flush=True,
        )


def against_bsdgames(pairs: int, seed: int) -> None:
    """Play level 5 against bsdgames' program."""
    from tools.bench import bsdgames

    if bsdgames.PROGRAM is None:
        print("5-bsdgames: not played, since the package bsdgames is not installed")
        return
    side = Player(5, seed)
    found = Matched([], [])
    for number in range(pairs):
        won = lucky = 0.0
        for turned in (False, True):
            played = bsdgames.Match(side, (seed, number), 100_000 * seed + number, turned)
            try:
                won += played.play()
                lucky += played.luck
            finally:
                played.close()
        found.won.append(won / 2)
        found.earned.append((won - lucky) / 2)
        if number % 10 == 9:
            print(f"  {found}", file=sys.stderr)
    print(f"5-bsdgames: {found}", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*")
    chosen = parser.parse_args(arguments)
    gc.disable()  # like the player's process
    matches: list[tuple[str, Side, Side]] = [("5-greedy", Player(5, 1), Greedy())]
    matches += [
        (f"{high}-{low}", Player(high, 1), Player(low, 1)) for low, high in pairwise(LEVELS)
    ]
    from tools.bench import magmacrunch

    if magmacrunch.installed():
        matches.append(("5-magmacrunch", Player(5, 1), magmacrunch.Magmacrunch()))
    for name, one, two in matches:
        if not chosen.only or name in chosen.only:
            show(name, *match(one, two, chosen.pairs, chosen.seed))
            gc.collect()
    if not chosen.only or "5-bsdgames" in chosen.only:
        against_bsdgames(chosen.pairs, chosen.seed)


if __name__ == "__main__":
    main()
