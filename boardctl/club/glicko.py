"""Glicko-2: ratings with a deviation, computed from wins and losses. Pure.

Mark E. Glickman, “Example of the Glicko-2 system” (2022), glicko.net/glicko/glicko2.pdf; the
comments below use its step numbers. One evening is one rating period. Spreads and skunks do not
count, and luck is not separated from skill.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

TAU: Final = 0.5
"""The constant tau, which limits the change of volatility. The value is that of the paper's
example."""
SCALE: Final = 173.7178
"""The conversion factor from Glicko points to the Glicko-2 scale (step 2)."""
EPSILON: Final = 1e-6


class Rating(NamedTuple):
    """A player's rating. The true strength lies within two deviations of it with 95 %
    probability."""

    value: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


class Score(NamedTuple):
    """The score in a game against an opponent: 1 for a win, 0 for a loss."""

    opponent: Rating
    score: float


def rate(rating: Rating, games: Iterable[Score]) -> Rating:
    """Return a player's rating after a period with these games."""
    mu, phi = (rating.value - 1500) / SCALE, rating.deviation / SCALE
    played = [
        (g, 1 / (1 + math.exp(-g * (mu - mu_j))), score)
        for (opponent, score) in games
        for mu_j in [(opponent.value - 1500) / SCALE]
        for g in [_g(opponent.deviation / SCALE)]
    ]
    if not played:  # step 6: the deviation of an absent player grows
        phi = math.hypot(phi, rating.volatility)
        return rating._replace(deviation=min(350.0, phi * SCALE))
    v = 1 / sum(g * g * e * (1 - e) for g, e, _ in played)  # step 3
    total = sum(g * (score - e) for g, e, score in played)
    sigma = _volatility(v * total, phi, v, rating.volatility)  # steps 4 and 5
    phi = 1 / math.sqrt(1 / (phi * phi + sigma * sigma) + 1 / v)  # steps 6 and 7
    mu += phi * phi * total
    return Rating(1500 + SCALE * mu, SCALE * phi, sigma)  # step 8


def _g(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi * phi / math.pi**2)


def _volatility(delta: float, phi: float, v: float, sigma: float) -> float:
    """Find the root of f with the Illinois algorithm (step 5)."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        e = math.exp(x)
        part = phi * phi + v + e
        return e * (delta * delta - part) / (2 * part * part) - (x - a) / (TAU * TAU)

    low = a
    if delta * delta > phi * phi + v:
        high = math.log(delta * delta - phi * phi - v)
    else:
        steps = 1
        while f(a - steps * TAU) < 0:
            steps += 1
        high = a - steps * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > EPSILON:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


def after(ratings: Mapping[int, Rating], games: Iterable[tuple[int, int]]) -> dict[int, Rating]:
    """Return the ratings of all rated players after one evening's games, each given as a winner and
    a loser. The deviation of absent players grows."""
    found: dict[int, list[Score]] = {who: [] for who in ratings}
    for winner, loser in games:
        for who, other, score in ((winner, loser, 1.0), (loser, winner, 0.0)):
            found.setdefault(who, []).append(Score(ratings.get(other, Rating()), score))
    return {who: rate(ratings.get(who, Rating()), scores) for who, scores in found.items()}
