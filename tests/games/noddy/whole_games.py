"""A second referee for whole games of Noddy with two and four players.

Source: docs/rules/noddy.md. It shares no code with the product. A card is a pair of rank and suit.
The records of `records-noddy-games.jsonl` are from it:

    python -m tests.games.noddy.whole_games > tests/vectors/records-noddy-games.jsonl
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
ALIKE: Final = {1: 0, 2: 2, 3: 6, 4: 12}
OPTIONS: Final = {
    "target": ("31", "15", "21", "61"),
    "points": ("two", "per_card"),
    "flush_hand": ("any_three", "hand_only"),
    "flush_play": ("on", "off"),
    "go": ("play_on", "ends_play"),
}


class Game:
    """One game, dealt and played at random to its end."""

    def __init__(self, chance: Random, seats: int) -> None:
        self.chance, self.seats = chance, seats
        self.options = {name: chance.choice(some) for name, some in OPTIONS.items()}
        self.target = int(self.options["target"])
        self.dealer = chance.randint(1, seats)
        self.sheet = Sheet()
        self.sheet.begin("noddy", seats, self.options, self.dealer)
        self.scores = [0, 0]
        self.winner: int | None = None
        while self.winner is None:
            self.deal()
            self.dealer = self.after(self.dealer)

    def after(self, seat: int) -> int:
        return seat % self.seats + 1

    def say(self, line: str, seat: int = 0, *points: int) -> None:
        """Write a line, and the points of a seat in the order of scoring, up to the target."""
        side, earned = (seat - 1) % 2, 0
        for more in points:
            if self.winner is None:
                earned += more
                self.scores[side] += more
                if self.scores[side] >= self.target:
                    self.winner = side + 1
        self.sheet.say(line, {seat: earned})

    def deal(self) -> None:
        pack = [(rank, suit) for rank in RANKS for suit in "SHDC"]
        self.chance.shuffle(pack)
        if self.chance.random() < 0.4:  # few ranks and suits, for more combinations
            few = self.chance.sample(RANKS, 5)
            pack.sort(key=lambda card: card[0] in few and card[1] in "SH")
        self.say("deal")
        self.hands = {seat: [pack.pop() for _ in range(3)] for seat in range(1, self.seats + 1)}
        for seat, hand in self.hands.items():
            self.say(f"{seat} hand {spelt(hand)}")
        starter = pack.pop()
        self.say(f"starter {spelt([starter])}", self.dealer, 2 * (starter[0] == "J"))
        seat = self.dealer
        for turn in range(self.seats):
            if self.winner is not None:
                return
            seat = self.after(seat)
            if turn < self.seats - 1 and self.chance.random() < 0.05:
                self.sheet.deny(f"{self.after(seat)} show")
            if self.chance.random() < 0.05:
                lead = self.after(self.dealer)
                self.sheet.deny(f"{lead} play {spelt(self.hands[lead][:1])}", "show-first")
            self.say(f"{seat} show", seat, self.called(self.hands[seat], starter))
        if self.winner is None:
            self.play()

    def called(self, hand: list[Card], starter: Card) -> int:
        """Return the value of a hand (3.2)."""
        four = [*hand, starter]
        points = 0
        for size in (2, 3, 4):
            for some in combinations(four, size):
                if sum(map(value, some)) == 15:
                    points += size if self.options["points"] == "per_card" else 2
        points += sum(ALIKE[many] for many in Counter(rank for rank, _ in four).values())
        for size in (4, 3):
            runs = sum(consecutive(list(some)) for some in combinations(four, size))
            if runs:
                points += runs * size
                break
        suits = Counter(suit for _, suit in four)
        if 4 in suits.values():
            points += 4
        elif len({suit for _, suit in hand}) == 1 or (
            3 in suits.values() and self.options["flush_hand"] == "any_three"
        ):
            points += 3
        return points + (starter[0] != "J" and ("J", starter[1]) in hand)

    def play(self) -> None:
        """Play the one series (4)."""
        laid: list[Card] = []
        count, last = 0, 0
        said: set[int] = set()
        seat = self.after(self.dealer)
        while True:
            fits = [card for card in self.hands[seat] if count + value(card) <= 31]
            over = [card for card in self.hands[seat] if card not in fits]
            if over and self.chance.random() < 0.1:
                self.sheet.deny(f"{seat} play {spelt(over[:1])}", "over-31")
            if fits:
                if self.chance.random() < 0.04:
                    self.sheet.deny(f"{seat} go", "can-play")
                card = self.chance.choice(fits)
                self.hands[seat].remove(card)
                laid.append(card)
                count += value(card)
                line, points, last = f"{seat} play {spelt([card])}", self.earned(laid, count), seat
            else:
                said.add(seat)
                line, points = f"{seat} go", 0
            stopped = bool(said) and self.options["go"] == "ends_play"
            turns = (seat + turn for turn in range(1, self.seats + 1))
            following = [
                one
                for one in ((turn - 1) % self.seats + 1 for turn in turns)
                if self.hands[one] and one not in said
            ]
            ends = count == 31 or stopped or not following
            final = int(ends and count < 31)
            if final and last != seat:
                self.say(line, last, final)
            else:
                self.say(line, seat, points, final)
            if ends or self.winner is not None:
                return
            seat = following[0]

    def earned(self, laid: list[Card], count: int) -> int:
        """Return the points of the last card (4.3)."""
        points = 0
        if self.options["points"] == "per_card":
            points += len(laid) * (count in (15, 25, 31))
        else:
            points += 2 * (count in (15, 31))
        same = 1
        while same < len(laid) and laid[-same - 1][0] == laid[-1][0]:
            same += 1
        points += ALIKE[same]
        lengths = range(3, len(laid) + 1)
        points += max((n for n in lengths if consecutive(laid[-n:])), default=0)
        if self.options["flush_play"] == "on":
            flushes = [n for n in lengths if len({suit for _, suit in laid[-n:]}) == 1]
            points += max(flushes, default=0)
        return points


def records(many: int = RECORDS, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records of games with two and with four players in turn."""
    chance = Random(seed)
    rows = []
    for number in range(1, many + 1):
        game = Game(chance, 4 if number % 2 == 0 else 2)
        source = "docs/rules/noddy.md, by tests/games/noddy/whole_games.py"
        rows.append(game.sheet.row(f"noddy-game-{number}", source, game.scores, game.winner))
    return rows


if __name__ == "__main__":
    write(records())
