"""A table of cribbage for tests: lines in, points and refusals out."""

from __future__ import annotations

from boardctl.games import IllegalMove, Scoreboard
from boardctl.games.common.race import RaceState
from boardctl.games.cribbage.point_claims import State
from boardctl.record.record import Record, Report

DEALT = "deal; 1 hand 2S 4S 6S 8S KS KH; 2 hand AH 3H 5H 7H QD QC"
"""Six cards each, entered as dealt …"""
LAID = f"{DEALT}; 1 discard KS KH; 2 discard QD QC; starter 9D"
"""… up to the starter …"""
PLAYED = (
    f"{LAID}; 2 play 7H; 1 play 8S; 2 play 5H; 1 play 6S; 2 play 3H; 1 play 2S; 2 play AH; "
    "1 play 4S"
)
"""… and to the last card of the play."""


class Table:
    """A game with this number of seats, options and a dealer; lines are separated by semicolons."""

    def __init__(
        self, seats: int = 2, *, game: str = "cribbage", dealer: int | None = 1, **options: object
    ) -> None:
        self.record = Record()
        self.reports: list[Report] = []
        self.read(f"game {game}")
        for seat, name in zip(range(1, seats + 1), ("Ann", "Bob", "Cleo", "Dan"), strict=False):
            self.read(f"seat {seat} {name}")
        for option, value in options.items():
            self.read(f"set {option} {value}")
        if dealer is not None:
            self.read(f"dealer {dealer}")

    def read(self, lines: str) -> Report:
        for line in lines.split(";"):
            report = self.record.read(line.strip())
            assert report is not None
            self.reports.append(report)
        return self.reports[-1]

    def points(self, line: str) -> dict[int, int]:
        """Return the points of a line, by seat."""
        earned: dict[int, int] = {}
        for award in self.read(line).awards:
            earned[award.seat] = earned.get(award.seat, 0) + award.points
        return {seat: points for seat, points in earned.items() if points}

    def each(self, lines: str) -> list[int]:
        """Return the total of each of these lines."""
        return [sum(self.points(line).values()) for line in lines.split(";")]

    def reasons(self, line: str) -> list[tuple[str, int, str]]:
        """Return the awards of a line: reason, points, cards."""
        return [
            (award.reason, award.points, " ".join(map(str, award.cards)))
            for award in self.read(line).awards
        ]

    def refusal(self, line: str) -> IllegalMove:
        """Return the reason why a line is refused, after checking that nothing has changed."""
        before = self.record.position
        try:
            self.record.read(line)
        except IllegalMove as error:
            assert self.record.position == before
            return error
        raise AssertionError(f"accepted: {line}")

    def refused(self, line: str) -> str:
        """Return the code with which a line is refused."""
        return self.refusal(line).code

    @property
    def scores(self) -> tuple[int, ...]:
        return self.record.position.scores

    @property
    def phase(self) -> str:
        return self.record.position.situation.phase

    @property
    def turn(self) -> int | None:
        return self.record.position.situation.turn

    @property
    def dealer(self) -> int | None:
        return self.record.position.situation.dealer

    @property
    def count(self) -> int | None:
        return self.record.position.situation.count

    @property
    def scoreboard(self) -> Scoreboard:
        board = self.record.position.scoreboard
        assert board is not None
        return board

    @property
    def state(self) -> State:
        state = self.record.position.state
        assert isinstance(state, RaceState)
        return state

    @property
    def winner(self) -> int | None:
        outcome = self.record.position.outcome
        return outcome.winner if outcome else None
