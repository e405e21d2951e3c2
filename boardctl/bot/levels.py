"""The levels of two-handed six-card cribbage, from a child's first games to full strength.

A throw and a card are each judged in one of a few ways, the best first (`THROWS`, `PLAYS`). A level
judges in one of them, and in a share of its decisions, its slips, in the next simpler one. The
shares are chosen so that each level wins about three games of five against the one below it
(docs/bot.md, "The levels").

A decision depends only on what the seat knows and on a random generator seeded by the seed and the
index of the decision, so the same seed and input give the same play.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from boardctl.bot import LEVELS, playing, ranking, throwing
from boardctl.bot.playing import View
from boardctl.bot.series import VALUE, code, follow
from boardctl.bot.tables import DEALER
from boardctl.bot.totals import RANK_KEYS, RANK_ROWS

THROWS: Final = ("win", "points", "show", "hand", "any")
"""By the chance of winning; by the average of hand, crib and play; of hand and crib; by the points
of the four cards kept, without a starter; any pair of the better half by that."""
PLAYS: Final = ("win", "few", "wary", "most", "any")
"""By the chance of winning; the same, searching few of the opponent's hands; points minus what the
next card may earn; the most points at once, else the highest card; any card that fits."""


class Skill(NamedTuple):
    """How a level decides: its way to judge throws and cards, and its share of slips."""

    throw: str
    play: str
    slips: float


SKILLS: Final = {
    -1: Skill("hand", "most", 0.56),
    0: Skill("hand", "most", 0.36),
    1: Skill("hand", "most", 0.18),
    2: Skill("hand", "most", 0.0),
    3: Skill("show", "wary", 0.47),
    4: Skill("points", "few", 0.63),
    5: Skill("win", "win", 0.0),
}
_FEW_WORLDS: Final = 10


class Player:
    """A player of one level. Cards are indices of `boardctl.games.cards.CARDS`."""

    def __init__(self, level: int, seed: object) -> None:
        """Raises ValueError if there is no such level."""
        if level not in LEVELS:
            raise ValueError(level)
        self._skill = SKILLS[level]
        self._seed = seed

    def throw(
        self, six: Sequence[int], role: int, mine: int, theirs: int, place: object
    ) -> tuple[int, int]:
        """The two cards to throw; `place` identifies the deal for the random generator."""
        random = self._random("throw", place)
        match self._way(THROWS, self._skill.throw, random):
            case "win":
                return throwing.throws(six, role, mine, theirs)[0].cards
            case "points":
                return throwing.averages(six, role)[0].cards
            case "show":
                sign = 1 if role == DEALER else -1
                found = throwing.averages(six, role)
                return max(found, key=lambda throw: throw.hand + sign * throw.crib).cards
            case way:
                pairs = sorted(combinations(six, 2), key=lambda two: -_lies(six, two))
                if way == "any":
                    return random.choice(pairs[: len(pairs) // 2])
                best = _lies(six, pairs[0])
                return random.choice([two for two in pairs if _lies(six, two) == best])

    def play(self, view: View, place: object) -> int | None:
        """The card to play, None for go."""
        cards = playing.legal(view)
        if len({card % 13 for card in cards}) < 2:
            return cards[0] if cards else None
        random = self._random("play", place, len(view.events))
        node = follow(playing.now(view.role, view.events).series)
        match self._way(PLAYS, self._skill.play, random):
            case "any":
                return random.choice(cards)
            case "most":
                moves = node.open()
                return max(
                    cards, key=lambda card: ((moves[card % 13] or (0,))[0], VALUE[card % 13])
                )
            case "wary":
                reply = node.reply(code([card % 13 for card in view.held]))
                assert reply is not None
                return next(card for card in cards if card % 13 == reply[0])
            case way:
                most = playing.WORLDS if way == "win" else _FEW_WORLDS
                worth = playing.values(view, random, most)
                best = playing.leaders(worth)
                if len({card % 13 for card in best}) > 1:
                    best = ranking.ranked(view, worth, random)
                return best[0]

    def _way(self, ways: Sequence[str], way: str, random: Random) -> str:
        """How this decision is judged: as the level does, or by a slip the next simpler way."""
        slips = self._skill.slips
        return ways[ways.index(way) + 1] if slips and random.random() < slips else way

    def _random(self, *place: object) -> Random:
        return Random(repr((self._seed, *place)))


def _lies(six: Sequence[int], two: tuple[int, int]) -> int:
    """The points of the four other cards without a starter: fifteens, pairs and runs."""
    keys = [RANK_KEYS[card % 13] for card in six if card not in two]
    return min(RANK_ROWS[sum(keys)])
