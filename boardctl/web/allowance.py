"""Rate limits for bytes, requests, and questions at the board."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class Allowance:
    """An allowance: a rate per second, and a burst after a rest."""

    pace: float
    most: float
    left: float
    at: float

    def take(self, much: float, now: float) -> float:
        """Take an amount; return the seconds to wait before more may be taken."""
        self.left = min(self.most, self.left + (now - self.at) * self.pace) - much
        self.at = now
        return max(0.0, -self.left / self.pace)
