"""Whole games of cribbage that OpenSpiel deals, plays at random and scores.

OpenSpiel (github.com/google-deepmind/open_spiel, extra `bench`) scores a hand and a crib in one
step, so their parts are from the second referee in `singles.py`; both must have the same sum.
OpenSpiel differs from the rules in two points. A flush in the crib scores as in a hand, which is an
option here. All hands are counted before a winner is found; here the first to 121 wins
(docs/rules/cribbage.md 6.1). The records of `records-openspiel.jsonl` are from here:

    python -m tests.games.cribbage.openspiel > tests/vectors/records-openspiel.jsonl
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from tests.games.cribbage.singles import RANKS, SUITS, Pip, counted, pegged, spelt
from tests.games.written import Sheet, write

GAMES: Final = {2: 12, 3: 9, 4: 9}
"""The number of records by players."""
SEED: Final = 20261129
TARGET: Final = 121


class Watched:
    """One game of OpenSpiel, watched action by action; its players from 0 are seats from 1."""

    def __init__(self, chance: Random, seats: int) -> None:
        import pyspiel

        self.chance = chance
        self.seats = seats
        self.state = pyspiel.load_game(f"cribbage(players={seats})").new_initial_state()
        self.seen = [0] * (2 if seats == 4 else seats)
        """OpenSpiel's scores by side."""
        self.sheet = Sheet()
        self.sheet.begin("cribbage", seats, {"crib_flush": "as_hand"}, 1)
        self.scores = list(self.seen)
        self.winner: int | None = None
        self.dealer = 1
        while max(self.scores) < TARGET:
            self.deal()
            self.dealer = self.dealer % seats + 1
        assert max(self.seen) >= TARGET

    def step(self) -> tuple[str, list[int]]:
        """Take a random action, and return it in OpenSpiel's words, and what it scored by side."""
        action = self.chance.choice(self.state.legal_actions())
        words = self.state.action_to_string(self.state.current_player(), action)
        self.state.apply_action(action)
        row = next(line for line in str(self.state).splitlines() if line.startswith("Scores"))
        before = self.seen
        self.seen = [int(points) for points in row.split()[1:]][: len(before)]
        return words, [new - old for new, old in zip(self.seen, before, strict=True)]

    def side(self, seat: int) -> int:
        return (seat - 1) % len(self.scores)

    def say(self, line: str, seat: int, points: int) -> None:
        """Write a line that earns points, unless the game has been won."""
        if self.winner is None:
            self.sheet.say(line, {seat: points})
            self.scores[self.side(seat)] += points
            if self.scores[self.side(seat)] >= TARGET:
                self.winner = self.side(seat) + 1
                assert self.state.is_terminal()

    def deal(self) -> None:
        seats = range(1, self.seats + 1)
        size = 6 if self.seats == 2 else 5
        hands = {seat: [self.dealt() for _ in range(size)] for seat in seats}
        crib = [self.dealt()] if self.seats == 3 else []
        self.sheet.say("deal")
        for seat, hand in hands.items():
            self.sheet.say(f"{seat} hand {' '.join(map(spelt, hand))}")
        for card in crib:
            self.sheet.say(f"crib {spelt(card)}")
        for seat in seats:
            away = [pip(word) for word in self.step()[0].split()[1:]]
            for card in away:
                hands[seat].remove(card)
            crib += away
            self.sheet.say(f"{seat} discard {' '.join(map(spelt, away))}")
        words, gained = self.step()
        starter = pip(words.split()[1])
        self.say(f"starter {spelt(starter)}", self.dealer, gained[self.side(self.dealer)])
        if self.winner is None:
            self.play(hands, crib, starter)

    def dealt(self) -> Pip:
        words, gained = self.step()
        assert not any(gained)
        return pip(words.split()[1])

    def play(self, hands: dict[int, list[Pip]], crib: list[Pip], starter: Pip) -> None:
        """Watch the play and the show, then write them."""
        held = {seat: [*hand] for seat, hand in hands.items()}
        lines: list[tuple[str, int, int]] = []
        said: set[int] = set()
        series: list[Pip] = []
        last = 0
        while not (self.state.is_terminal() or self.state.is_chance_node()):
            seat = self.state.current_player() + 1
            words, gained = self.step()
            if words == "Pass":
                if held[seat] and seat not in said:
                    said.add(seat)
                    lines.append((f"{seat} go", last, 0))
            else:
                last = seat
                series.append(pip(words.split()[1]))
                held[seat].remove(series[-1])
                lines.append((f"{seat} play {spelt(series[-1])}", seat, 0))
            points = gained[self.side(last)]
            if not any(held.values()) and (self.state.is_terminal() or self.state.is_chance_node()):
                points = 1 if words == "Pass" else pegged(series)  # the show came with it
            elif sum(gained) != points:
                raise AssertionError(words)
            lines[-1] = (*lines[-1][:2], lines[-1][2] + points)
            if "Running total: 0" in str(self.state):
                said, series = set(), []
        for line in lines:
            self.say(*line)
        order = [(self.dealer + turn) % self.seats + 1 for turn in range(self.seats)]
        for seat in order if not any(held.values()) else ():
            self.say(f"{seat} show", seat, counted(hands[seat], starter, box=False))
        if not any(held.values()):
            self.say(f"{self.dealer} crib", self.dealer, counted(crib, starter, box=False))
        assert self.winner or self.scores == self.seen


def pip(word: str) -> Pip:
    return RANKS.index(word[0]) + 1, SUITS.index(word[1])


def records() -> list[dict[str, Any]]:
    """Return the records of all games."""
    chance = Random(SEED)
    rows = []
    for seats, many in GAMES.items():
        for number in range(1, many + 1):
            game = Watched(chance, seats)
            name = f"openspiel-{seats}-{number}"
            rows.append(game.sheet.row(name, "OpenSpiel 2.0.2", game.scores, game.winner))
    return rows


if __name__ == "__main__":
    write(records())
