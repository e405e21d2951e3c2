"""How much may be taken over time: of bytes, requests, questions at the board."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class Allowance:
    """What may be taken: so much a second, and so much at once after a rest."""

    pace: float
    most: float
    left: float
    at: float

    def take(self, much: float, now: float) -> float:
        """Take so much at a time; gives the seconds to wait before more is taken."""
        self.left = min(self.most, self.left + (now - self.at) * self.pace) - much
        self.at = now
        return max(0.0, -self.left / self.pace)
