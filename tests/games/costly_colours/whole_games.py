"""A second referee for whole games of Costly Colours.

Source: docs/rules/costly-colours.md. It shares no code with the product. A card is a pair of rank
and suit. The records of `records-costly-colours-games.jsonl` are from it:

    python -m tests.games.costly_colours.whole_games \
        > tests/vectors/records-costly-colours-games.jsonl
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any, Final

from tests.games.pips import RANKS, consecutive, value
from tests.games.written import Card, Sheet, spelt, write

RECORDS: Final = 60
SEED: Final = 20261129
OPTIONS: Final = {
    "target": ("61", "121", "31"),
    "mog_value": ("on", "off"),
    "play_scores": ("full", "points"),
    "play_pairs": ("off", "on"),
    "thirty": ("off", "on"),
    "go_point": ("off", "on"),
    "last_at_31": ("off", "on"),
    "series": ("several", "one"),
    "pairs": ("9_18", "6_12"),
    "jd_pairs": ("on", "off"),
    "colour_four": ("full", "none"),
}


class Game:
    """One game, dealt and played at random to its end."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.options = {name: chance.choice(some) for name, some in OPTIONS.items()}
        self.target = int(self.options["target"])
        self.dealer = chance.randint(1, 2)
        self.sheet = Sheet()
        self.sheet.begin("costly-colours", 2, self.options, self.dealer)
        self.scores = [0, 0]
        self.winner: int | None = None
        while self.winner is None:
            self.deal()
            self.dealer = 3 - self.dealer

    def on(self, option: str) -> bool:
        return self.options[option] == "on"

    def say(self, line: str, *earned: tuple[int, int]) -> None:
        """Write a line and its points, as seat and points in the order of scoring.

        The first seat that reaches the target wins, and later points are not scored.
        """
        points: Counter[int] = Counter()
        for seat, more in earned:
            if self.winner is None and more:
                points[seat] += more
                self.scores[seat - 1] += more
                if self.scores[seat - 1] >= self.target:
                    self.winner = seat
        self.sheet.say(line, points)

    def deal(self) -> None:
        pack = [(rank, suit) for rank in RANKS for suit in "SHDC"]
        self.chance.shuffle(pack)
        if self.chance.random() < 0.4:  # jacks, deuces and few suits come early
            pack.sort(key=lambda card: card[0] in "J25" and self.chance.random() < 0.6)
        elder = 3 - self.dealer
        self.say("deal")
        self.hands = {seat: [pack.pop() for _ in range(3)] for seat in (elder, self.dealer)}
        for seat, hand in self.hands.items():
            self.say(f"{seat} hand {spelt(hand)}")
        self.starter = pack.pop()
        heels = 4 if self.starter[0] in "J2" else 0
        self.say(f"starter {spelt([self.starter])}", (self.dealer, heels))
        self.received: set[Card] = set()
        for phase in (self.mog, self.play, self.show):
            if self.winner is None:
                phase()

    def honour(self, card: Card) -> int:
        """Return what a jack or deuce scores, 0 for another card."""
        if card[0] not in "J2":
            return 0
        return 4 if card[1] == self.starter[1] else 2

    def mog(self) -> None:
        elder = 3 - self.dealer
        if self.chance.random() < 0.1:
            self.sheet.deny(f"{elder} play {spelt(self.hands[elder][:1])}", "mog-first")
        given = {}
        for seat in (elder, self.dealer):
            if seat == elder and self.chance.random() < 0.05:
                self.sheet.deny(f"{self.dealer} no-mog", "out-of-turn")
            if self.chance.random() < 0.25:
                self.say(f"{seat} no-mog", (3 - seat, 1))
                return
            given[seat] = self.chance.choice(self.hands[seat])
            line = f"{seat} mog {spelt([given[seat]])}"
            if seat == elder:
                self.say(line)
        worth = [(seat, self.honour(card)) for seat, card in given.items()]
        self.say(line, *(worth if self.on("mog_value") else ()))
        for seat, card in given.items():
            self.hands[seat].remove(card)
            self.hands[3 - seat].append(card)
        if self.on("mog_value"):
            self.received = set(given.values())

    # The play

    def play(self) -> None:
        self.left = {seat: [*hand] for seat, hand in self.hands.items()}
        leader = 3 - self.dealer
        while any(self.left.values()):
            last = self.one_series(leader)
            if self.winner is not None or self.options["series"] == "one":
                return
            leader = 3 - last if self.left[3 - last] else last

    def one_series(self, seat: int) -> int:
        """Play a series, and return the seat of its last card."""
        laid: list[Card] = []
        count, last = 0, 0
        said: set[int] = set()
        while True:
            fits = [card for card in self.left[seat] if count + value(card) <= 31]
            over = [card for card in self.left[seat] if card not in fits]
            if over and self.chance.random() < 0.1:
                self.sheet.deny(f"{seat} play {spelt(over[:1])}", "over-31")
            earned: list[tuple[int, int]] = []
            if fits:
                if self.chance.random() < 0.04:
                    self.sheet.deny(f"{seat} go", "can-play")
                card = self.chance.choice(fits)
                self.left[seat].remove(card)
                laid.append(card)
                count += value(card)
                last = seat
                line = f"{seat} play {spelt([card])}"
                earned.append((seat, self.earned(laid, count)))
            else:
                line = f"{seat} go"
                if not said and self.on("go_point") and self.left[3 - seat]:
                    earned.append((3 - seat, 1))
                said.add(seat)
            following = [one for one in (3 - seat, seat) if self.left[one] and one not in said]
            ends = count == 31 or not following
            if ends and (count < 31 or (said and self.on("last_at_31"))):
                earned.append((last, 1))
            self.say(line, *earned)
            if ends or self.winner is not None:
                return last
            seat = following[0]

    def alike(self, many: int) -> int:
        """Return the points of equal cards (5.2)."""
        three, four = (9, 18) if self.options["pairs"] == "9_18" else (6, 12)
        return {1: 0, 2: 2, 3: three, 4: four}[many]

    def earned(self, laid: list[Card], count: int) -> int:
        """Return the points of the last card (4.2, 4.3)."""
        sums = (15, 25, 30, 31) if self.on("thirty") else (15, 25, 31)
        points = len(laid) if count in sums else 0
        if self.options["play_scores"] == "full":
            lengths = range(3, len(laid) + 1)
            points += max((n for n in lengths if consecutive(laid[-n:])), default=0)
        if self.on("play_pairs"):
            same = 1
            while same < len(laid) and laid[-same - 1][0] == laid[-1][0]:
                same += 1
            points += self.alike(same)
        return points

    # The show

    def show(self) -> None:
        for seat in (3 - self.dealer, self.dealer):
            if seat != self.dealer and self.chance.random() < 0.1:
                self.sheet.deny(f"{self.dealer} show", "out-of-order")
            self.say(f"{seat} show", (seat, self.worth(self.hands[seat])))
            if self.winner is not None:
                return

    def worth(self, hand: list[Card]) -> int:
        """Return the value of a hand (5.2)."""
        four = [*hand, self.starter]
        points = 0
        for size in (2, 3, 4):
            for some in combinations(four, size):
                points += size * (sum(map(value, some)) in (15, 25, 31))
        points += sum(self.honour(card) for card in hand if card not in self.received)
        for rank, many in Counter(rank for rank, _ in four).items():
            if rank not in "J2" or self.on("jd_pairs"):
                points += self.alike(many)
        return points + self.colours(four)

    def colours(self, four: list[Card]) -> int:
        suits = max(Counter(suit for _, suit in four).values())
        red = sum(suit in "HD" for _, suit in four)
        whole = red in (0, 4) and self.options["colour_four"] == "full"
        if suits == 4:
            return 6
        if suits == 3:
            return 5 if whole else 3
        if whole:
            return 4
        return 0 if red == 2 else 2


def records(many: int = RECORDS, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records of games."""
    chance = Random(seed)
    rows = []
    for number in range(1, many + 1):
        game = Game(chance)
        name = f"costly-colours-second-{number}"
        source = "docs/rules/costly-colours.md, by tests/games/costly_colours/whole_games.py"
        rows.append(game.sheet.row(name, source, game.scores, game.winner))
    return rows


if __name__ == "__main__":
    write(records())
