"""Rank cards with equal winning chances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

from boardctl.bot.playing import Search, View, World, leaders, now, worlds
from boardctl.bot.series import BITS, START, VALUE, Series, code, ranks_of
from boardctl.bot.tables import TARGET

_ALL: Final = 1 << 20
"""A number larger than any number of worlds."""
HAND: Final = 4
_FEW: Final = 30
"""The number of worlds to consider if the opponent holds all of its cards. The more cards it holds,
the more orders of play there are."""


def ranked(view: View, worth: Mapping[int, float], random: Random) -> list[int]:
    """Return the playable cards, best first.

    Cards are ordered by the chance of winning. Ties are broken by the chance against an opponent
    who chooses among the playable cards at random, and then by rank, highest first. A card that
    wins against any play therefore precedes a card that wins only against good play.

    Args:
        view: our side's knowledge.
        worth: the chance of winning with each card, from `values`.
        random: draws a sample of the opponent's hands.
    """
    state = now(view.role, view.events)
    best = max(worth.values(), default=0.0)
    equal = {card % 13 for card in leaders(worth)}
    anyhow: dict[int, float] = {}
    if len(equal) > 1 and state.cards[1]:
        most = _ALL if state.cards[1] < HAND else _FEW
        search = _AnyPlay(view, worlds(view, state, random, most))
        anyhow = {rank: search.card(rank, state) for rank in equal}

    def order(card: int) -> tuple[float, ...]:
        rank = card % 13
        win = best if rank in equal else worth[card]
        return win, anyhow.get(rank, 0.0), VALUE[rank], -card

    return sorted(worth, key=order, reverse=True)


class _AnyPlay(Search):
    """The search in `playing`, but against an opponent who chooses among the playable ranks at
    random."""

    def __init__(self, view: View, found: Iterable[World]) -> None:
        """Prepare a search.

        Args:
            view: our side's knowledge.
            found: the opponent's possible hands, in any style.
        """
        merged: dict[tuple[int, int], float] = {}
        for weight, hand, show in found:
            key = code(ranks_of(hand)), show
            merged[key] = merged.get(key, 0.0) + weight
        super().__init__(view, [(weight, *key) for key, weight in merged.items()])

    def other(
        self, me: tuple[int, ...], found: list[World], node: Series, mine: int, theirs: int,
        gone: bool, last: bool, cards: int,
    ) -> float:  # fmt: skip
        if not me:
            return self.alone(found, node, mine, theirs, last)
        passed, groups = _any(found, node)
        chance = 0.0
        if passed:
            chance = self.passed(me, passed, node, mine, theirs, gone, last, cards)
        for rank, some in groups.items():
            move = node.open()[rank]
            assert move is not None
            points, after = move
            if theirs + points < TARGET:
                chance += self.answered(me, some, after, mine, theirs + points, gone, cards - 1)
            else:
                chance += self.lost(some, mine)
        return chance

    def alone(self, found: list[World], node: Series, mine: int, theirs: int, last: bool) -> float:
        passed, groups = _any(found, node)
        chance = 0.0
        if passed and not node.count:
            chance = self.end(passed, mine, theirs)
        elif passed and last and mine + 1 >= TARGET:
            chance = self.won(passed, theirs)
        elif passed and (last or theirs + 1 < TARGET):
            chance = self.alone(passed, START, mine + last, theirs + (not last), False)
        elif passed:
            chance = self.lost(passed, mine)
        for rank, some in groups.items():
            move = node.open()[rank]
            assert move is not None
            points, after = move
            if theirs + points < TARGET:
                chance += self.alone(some, after, mine, theirs + points, False)
            else:
                chance += self.lost(some, mine)
        return chance


def _any(found: Iterable[World], node: Series) -> tuple[list[World], dict[int, list[World]]]:
    """Return the worlds in which the opponent has no playable card, and the other worlds, grouped
    by the rank that the opponent plays."""
    groups: dict[int, list[World]] = {}
    passed: list[World] = []
    for weight, hand, show in found:
        fits = [rank for rank in {*ranks_of(hand)} if VALUE[rank] <= 31 - node.count]
        if not fits:
            passed.append((weight, hand, show))
        for rank in fits:
            groups.setdefault(rank, []).append((weight / len(fits), hand - BITS[rank], show))
    return passed, groups
