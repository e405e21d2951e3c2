"""Generate `averages.json`: the average points of two players of the strongest level in a deal.

    python -m tools.expert_averages > boardctl/bot/averages.json

The strongest level throws in random deals at 0 to 0, taking suits into account. Hands are averaged
over every starter that their player has not seen, and the crib over every starter that neither
player has seen. The first of these deals are also played, with their own starters. The seed is
fixed, so the same tables always produce the same file. Each figure has a standard error. It takes
about ten minutes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Final

from boardctl.bot import throwing
from boardctl.bot.cribbage import Player
from boardctl.bot.tables import DEALER, PONE
from boardctl.bot.totals import total
from tools.bench.bots import Stats, deal

DEALS: Final = 20_000
PLAYED: Final = 4_000
"""The number of deals that are also played."""
SEED: Final = 1
ABOUT: Final = (
    "points a deal of two players of level 5 by role, and their standard errors, made by python -m "
    "tools.expert_averages; MIT, as the program"
)


def figures(cards: Sequence[int]) -> tuple[float, float, float]:
    """Return the average worth of a deal's cards: the pone's hand, the dealer's hand, the crib.
    `cards`: the pone's six, then the dealer's."""
    hands: list[float] = []
    crib: list[int] = []
    for role, six in ((PONE, cards[:6]), (DEALER, cards[6:])):
        throw = throwing.throws(six, role, 0, 0)[0]
        hands.append(throw.hand)
        crib += throw.cards
    a, b, c, d = crib
    starters = [card for card in range(52) if card not in cards]
    return *hands, mean(total(a, b, c, d, card, crib=True) for card in starters)  # type: ignore[return-value]


def played(cards: Sequence[int]) -> tuple[int, int]:
    """Return the points pegged by pone and dealer in the play of a deal of thirteen cards, the
    starter last."""
    stats = (Stats(), Stats())
    deal((Player(5, 1), Player(5, 2)), cards, 1, [0, 0], stats, tuple(cards), [])
    return stats[0].play[PONE], stats[1].play[DEALER]


def make(deals: int, plays: int, seed: int) -> dict[str, dict[str, list[float]]]:
    """Return the averages by role, each with its standard error."""
    chance = Random(seed)
    dealt = [chance.sample(range(52), 13) for _ in range(deals)]
    pones, dealers, cribs = zip(*(figures(cards[:12]) for cards in dealt), strict=True)
    pegs = list(zip(*map(played, dealt[:plays]), strict=True))
    return {
        "pone": {"hand": _figure(pones), "play": _figure(pegs[PONE])},
        "dealer": {
            "hand": _figure(dealers),
            "play": _figure(pegs[DEALER]),
            "crib": _figure(cribs),
        },
    }


def _figure(found: Sequence[float]) -> list[float]:
    return [round(mean(found), 3), round(stdev(found) / sqrt(len(found)), 3)]


if __name__ == "__main__":
    found = {"about": ABOUT, **make(DEALS, PLAYED, SEED)}
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
