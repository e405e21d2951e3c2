"""The best response to level 5's play: the maximum points per deal that level 5 can lose in the
play.

    python -m tools.bench.best_response [--deals N] [--seed S] [--first N] > some-rows.jsonl

Each deal consists of a starter and of four ranks in the hand of the responder, who is pone and
dealer in turn and knows level 5's way of playing, but not its hand. That hand may be any in the
other role's table of kept hands, with the table's probability given the unseen cards. The whole
tree of the play is searched: the responder chooses one card for all hands with which level 5 would
have played exactly the cards seen. Level 5 in the responder's seat meets the same hands. Scores are
0 to 0 before the play, without heels. The thrown cards are unknown even to the player who threw
them. A row is written after each deal. docs/best-response.jsonl contains the rows that
docs/notes/strength.md summarizes (`tools.bot_page`).
"""

from __future__ import annotations

import argparse
import gc
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import comb, prod
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from boardctl.bot.cribbage import Player
from boardctl.bot.playing import Event, View
from boardctl.bot.series import RANKS, START, VALUE, Series
from boardctl.bot.tables import DEALER, HANDS, PONE, WAYS, load

ROWS: Final = Path(__file__).parents[2] / "docs" / "best-response.jsonl"
OWN: Final = 0
OTHER: Final = 1
Hand = tuple[int, ...]
"""Ranks from 0 to 12, ascending."""
World = tuple[float, Hand]
"""A hand of the opponent and its weight."""


class Play(NamedTuple):
    """The play, as both sides see it. The responder's side is OWN.

    turn: the side to play. left: the number of each side's cards. gone: whether each side has said
    go in this series. last: the side that played last. scores: the points pegged. lines: each
    side's played rank, or None for a go.
    """

    turn: int
    left: tuple[int, int]
    scores: tuple[int, int] = (0, 0)
    node: Series = START
    gone: tuple[bool, bool] = (False, False)
    last: int = OWN
    lines: tuple[tuple[int, int | None], ...] = ()

    def after(self, rank: int | None) -> Play:
        """Return the play after a card, or a go, of the side to play."""
        side, last, node = self.turn, self.last, self.node
        left, scores, gone = list(self.left), list(self.scores), list(self.gone)
        if rank is None:
            gone[side] = True
        else:
            move = node.open()[rank]
            assert move is not None
            points, node = move
            left[side] -= 1
            scores[side] += points
            last = side
        on = [left[some] > 0 and not gone[some] for some in (OWN, OTHER)]
        if node.count and any(on):
            turn = 1 - side if on[1 - side] else side
        else:
            if node.count:
                scores[last] += 1
            node, gone = START, [False, False]
            turn = 1 - last if left[1 - last] else last
        lines = (*self.lines, (side, rank))
        return Play(
            turn, (left[0], left[1]), (scores[0], scores[1]), node, (gone[0], gone[1]), last, lines
        )

    def fits(self, held: Hand) -> list[int]:
        """Return the different ranks among these that the side to play may play."""
        room = 31 - self.node.count
        return [rank for rank in sorted(set(held)) if VALUE[rank] <= room]

    def held(self, side: int, hand: Hand) -> Hand:
        """Return the rest of a side's hand."""
        ranks = list(hand)
        for who, rank in self.lines:
            if who == side and rank is not None:
                ranks.remove(rank)
        return tuple(ranks)


Policy = Callable[[int, Hand, Play], int]
"""A side's choice from its whole hand, if two or more ranks fit."""


def worth(
    play: Play, hand: Hand, worlds: Sequence[World], other: Policy, own: Policy | None
) -> float:
    """Return the responder's points minus the opponent's, times the weight of the worlds.

    Args:
        play: the play so far.
        hand: the responder's whole hand.
        worlds: the opponent's whole hands that are still possible.
        other: how the opponent plays.
        own: how the responder plays; None for the best play against `other`.
    """
    if not any(play.left):
        return (play.scores[OWN] - play.scores[OTHER]) * sum([weight for weight, _ in worlds])
    if play.turn == OWN:
        fits: Sequence[int | None] = play.fits(play.held(OWN, hand)) or [None]
        if own is not None and len(fits) > 1:
            fits = [own(OWN, hand, play)]
        return max(worth(play.after(rank), hand, worlds, other, own) for rank in fits)
    groups: dict[int | None, list[World]] = {}
    for world in worlds:
        choices = play.fits(play.held(OTHER, world[1]))
        rank = other(OTHER, world[1], play) if len(choices) > 1 else next(iter(choices), None)
        groups.setdefault(rank, []).append(world)
    return sum([worth(play.after(rank), hand, some, other, own) for rank, some in groups.items()])


class LevelFive:
    """Level 5's play of a deal; its choices are cached."""

    def __init__(self, responder: int, starter: int) -> None:
        """Args:
            responder: the responder's role, PONE or DEALER.
        starter: its rank.
        """
        self._roles = (responder, 1 - responder)
        self._starter = starter
        self._player = Player(5, 1)
        self._chosen: dict[tuple[int, Hand, tuple[tuple[int, int | None], ...]], int] = {}

    def __call__(self, side: int, hand: Hand, play: Play) -> int:
        """Choose a rank, as a `Policy`."""
        key = side, hand, play.lines
        if key not in self._chosen:
            kept = suited(hand)
            unplayed = list(kept)
            events = []
            for who, rank in play.lines:
                card = rank
                if who == side and rank is not None:
                    card = next(card for card in unplayed if card % 13 == rank)
                    unplayed.remove(card)
                events.append(Event(who == side, card))
            mine, theirs = play.scores[side], play.scores[1 - side]
            role = self._roles[side]
            view = View(role, mine, theirs, kept, (), self._starter, tuple(events))
            card = self._player.play(view, "best response")
            assert card is not None
            self._chosen[key] = card % 13
        return self._chosen[key]


def suited(hand: Hand) -> Hand:
    """Return four cards of these ranks without a flush, and if possible without the starter's suit,
    0."""
    suits = [1, 2, 3, 0 if hand[0] == hand[3] else 1]
    return tuple([13 * suit + rank for suit, rank in zip(suits, hand, strict=True)])


def likely(role: int, seen: Iterable[int]) -> list[World]:
    """Yield every hand of a role's table of kept hands, given the ranks seen; the weights sum to
    1."""
    gone = Counter(seen)
    found = []
    for place, hand in enumerate(HANDS):
        ways = prod([comb(4 - gone[rank], hand.count(rank)) for rank in set(hand)])
        weight = load().kept[role][place] / WAYS[place] * ways
        if weight:
            found.append((weight, hand))
    whole = sum(weight for weight, _ in found)
    return [(weight / whole, hand) for weight, hand in found]


class Row(NamedTuple):
    """One deal: the responder's role and ranks (0 to 12), and the mean of the responder's points
    minus the opponent's, for the best response and for level 5."""

    seed: int
    number: int
    role: int
    hand: Hand
    starter: int
    best: float
    level: float


def row(seed: int, number: int) -> Row:
    """Search one deal."""
    random = Random(repr((seed, number)))
    role = (PONE, DEALER)[number % 2]
    starter = random.choice(RANKS)
    own = likely(role, [starter])
    hand = random.choices([ranks for _, ranks in own], [weight for weight, _ in own])[0]
    worlds = likely(1 - role, [*hand, starter])
    first = Play(OWN if role == PONE else OTHER, (4, 4))
    level = LevelFive(role, starter)
    best = worth(first, hand, worlds, level, None)
    return Row(seed, number, role, hand, starter, best, worth(first, hand, worlds, level, level))


def rows() -> list[Row]:
    """Return the stored rows."""
    found = map(json.loads, ROWS.read_text("utf-8").splitlines())
    return [Row(**{**one, "hand": tuple(one["hand"])}) for one in found]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a row of JSON for each deal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    chosen = parser.parse_args(arguments)
    for number in range(chosen.first, chosen.first + chosen.deals):
        print(json.dumps(row(chosen.seed, number)._asdict()), flush=True)
        gc.collect()


if __name__ == "__main__":
    main()
