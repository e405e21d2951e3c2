"""Levels 1 to 5 of two-handed six-card cribbage, from a beginner's mistakes to full strength.

* 1 keeps the most points ignoring the starter, but four times in ten throws any pair of the better
  half; it plays for the most immediate points, and three times in ten any card.
* 2 keeps the most points ignoring starter and crib; it plays for the most immediate points, else
  the highest card.
* 3 throws for the average of hand and crib, as `boardctl discard`; it plays cautiously: points
  minus what the next card may earn.
* 4 throws for the average of hand, crib and play; it plays like 5, but searches fewer of the
* opponent's hands. 5 throws and plays for the winning chance.
*  A decision depends only on what the seat knows and on a random generator seeded by the seed and
* the index of the decision, so the same seed and input give the same play.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Final

from boardctl.bot import playing, throwing
from boardctl.bot.playing import View
from boardctl.bot.series import VALUE, code, follow
from boardctl.bot.tables import DEALER
from boardctl.games.cribbage.totals import RANK_KEYS, RANK_ROWS

LEVELS: Final = range(1, 6)
_FEW_WORLDS: Final = 10
_CARELESS_THROW: Final = 0.4
_OVERLOOKS: Final = 0.3


class Player:
    """A player of one level. Cards are indices of `boardctl.games.cards.CARDS`."""

    def __init__(self, level: int, seed: object) -> None:
        """Raises ValueError if there is no such level."""
        if level not in LEVELS:
            raise ValueError(level)
        self.level = level
        self._seed = seed

    def throw(
        self, six: Sequence[int], role: int, mine: int, theirs: int, place: object
    ) -> tuple[int, int]:
        """The two cards to throw; `place` identifies the deal for the random generator."""
        if self.level == 5:
            return throwing.throws(six, role, mine, theirs)[0].cards
        if self.level == 4:
            return throwing.averages(six, role)[0].cards
        if self.level == 3:
            sign = 1 if role == DEALER else -1
            found = throwing.averages(six, role)
            return max(found, key=lambda throw: throw.hand + sign * throw.crib).cards
        pairs = sorted(combinations(six, 2), key=lambda two: -_lies(six, two))
        random = self._random("throw", place)
        if self.level == 1 and random.random() < _CARELESS_THROW:
            return random.choice(pairs[: len(pairs) // 2])
        best = _lies(six, pairs[0])
        return random.choice([two for two in pairs if _lies(six, two) == best])

    def play(self, view: View, place: object) -> int | None:
        """The card to play, None for go."""
        cards = playing.legal(view)
        if len({card % 13 for card in cards}) < 2:
            return cards[0] if cards else None
        random = self._random("play", place, len(view.events))
        if self.level >= 4:
            worth = playing.values(view, random, playing.WORLDS if self.level == 5 else _FEW_WORLDS)
            return max(cards, key=lambda card: (worth[card], VALUE[card % 13]))
        node = follow(playing.now(view.role, view.events).series)
        if self.level == 3:
            reply = node.reply(code([card % 13 for card in view.held]))
            assert reply is not None
            return next(card for card in cards if card % 13 == reply[0])
        if self.level == 1 and random.random() < _OVERLOOKS:
            return random.choice(cards)
        moves = node.open()
        return max(cards, key=lambda card: ((moves[card % 13] or (0,))[0], VALUE[card % 13]))

    def _random(self, *place: object) -> Random:
        return Random(repr((self._seed, *place)))


def _lies(six: Sequence[int], two: tuple[int, int]) -> int:
    """The points of the four other cards without a starter: fifteens, pairs and runs."""
    keys = [RANK_KEYS[card % 13] for card in six if card not in two]
    return min(RANK_ROWS[sum(keys)])
