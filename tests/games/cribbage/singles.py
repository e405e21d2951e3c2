"""A second referee for cribbage with two cards dealt to the box, written from the rules alone.

Source: docs/rules/cribbage.md sections 3 to 6 and 11. It shares no code with the product: cards are
pairs of numbers, hands are counted by trying every set of cards, and the play is counted card by
card. `play` deals and plays a game at random and returns its record with the points of every line.
The records of `records-singles.jsonl` are from it:

    python -m tests.games.cribbage.singles > tests/vectors/records-singles.jsonl
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from random import Random
from typing import Any, Final

from tests.games.written import write

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
RECORDS: Final = 60
SEED: Final = 20261128

Pip = tuple[int, int]
"""A card: its rank from 1 (ace) to 13 (king), and its suit from 0 to 3."""
JACK: Final = 11


def spelt(card: Pip) -> str:
    return RANKS[card[0] - 1] + SUITS[card[1]]


def worth(card: Pip) -> int:
    return min(card[0], 10)


def counted(hand: list[Pip], starter: Pip, *, box: bool) -> int:
    """Return the points of four cards and the starter (5.2 to 5.7)."""
    five = [*hand, starter]
    points = 0
    for size in range(2, 6):
        points += sum(2 for some in combinations(five, size) if sum(map(worth, some)) == 15)
    points += sum(2 for one, other in combinations(five, 2) if one[0] == other[0])
    for size in (5, 4, 3):
        runs = [
            some
            for some in combinations(sorted(card[0] for card in five), size)
            if all(b - a == 1 for a, b in pairwise(some))
        ]
        if runs:
            points += size * len(runs)
            break
    if len({card[1] for card in hand}) == 1:
        if starter[1] == hand[0][1]:
            points += 5
        elif not box:
            points += 4
    points += sum(card == (JACK, starter[1]) for card in hand)
    return points


def pegged(series: list[Pip]) -> int:
    """Return the points of the last card of a series, without those for last (4.8 to 4.10)."""
    points = 0
    total = sum(map(worth, series))
    if total in (15, 31):
        points += 2
    alike = 1
    while alike < len(series) and series[-alike - 1][0] == series[-1][0]:
        alike += 1
    points += {1: 0, 2: 2, 3: 6, 4: 12}[alike]
    for size in range(len(series), 2, -1):
        ranks = sorted(card[0] for card in series[-size:])
        if all(b - a == 1 for a, b in pairwise(ranks)):
            points += size
            break
    return points


@dataclass
class Game:
    """A game as it is written down: lines, the points of each by its number, and the scores."""

    target: int
    lines: list[str] = field(default_factory=list)
    points: dict[int, Counter[int]] = field(default_factory=dict)
    scores: list[int] = field(default_factory=lambda: [0, 0])
    winner: int = 0

    def say(self, line: str, *earned: tuple[int, int]) -> bool:
        """Write a line and what it earned, and return whether the game goes on.

        Points after those that win are not earned (6.1, 6.4).
        """
        self.lines.append(line)
        for seat, points in earned:
            if points and not self.winner:
                self.points.setdefault(len(self.lines), Counter())[seat] += points
                self.scores[seat - 1] += points
                if self.scores[seat - 1] >= self.target:
                    self.winner = seat
        return not self.winner

    def play(self, dealer: int, deal: Callable[[int], None]) -> None:
        """Play until somebody wins. The deal passes to the other player after each deal.

        Args:
            dealer: of the first deal.
            deal: plays the deal of a dealer.
        """
        while not self.winner:
            if self.finish(dealer, deal):
                dealer = 3 - dealer

    def finish(self, dealer: int, deal: Callable[[int], None]) -> bool:
        """Play a deal, and return whether it was played to its end."""
        deal(dealer)
        return True

    def row(self, name: str, source: str) -> dict[str, Any]:
        """Return the game as a row of the vectors."""
        lines = {
            str(n): {str(seat): p for seat, p in sorted(of.items())}
            for n, of in self.points.items()
        }
        return {
            "id": name,
            "meta": {"source": source},
            "record": "\n".join(self.lines) + "\n",
            "expect": {"lines": lines, "scores": self.scores, "winner": self.winner},
        }


def play(chance: Random, target: int = 121, dealer: int = 1) -> Game:
    """Play a game at random from its first deal to its end."""
    game = Game(target)
    opening(game, dealer, "crib_cards two_dealt")
    game.play(dealer, lambda dealer: deal(game, chance, dealer))
    return game


def opening(game: Game, dealer: int, option: str, name: str = "cribbage") -> None:
    """Write the lines before the first deal, with one option and its value."""
    for line in (
        f"game {name}",
        "seat 1 A",
        "seat 2 B",
        f"set {option}",
        f"set target {game.target}",
        f"dealer {dealer}",
    ):
        game.say(line)


def deal(game: Game, chance: Random, dealer: int, to_box: int = 2) -> None:
    """Play a deal with a number of cards dealt to the box, 2 or 0, up to its end or a win."""
    pone = 3 - dealer
    pack = [(rank, suit) for rank in range(1, 14) for suit in range(4)]
    chance.shuffle(pack)
    away = 2 - to_box // 2
    hands = {seat: [pack.pop() for _ in range(4 + away)] for seat in (1, 2)}
    box = [pack.pop() for _ in range(to_box)]
    if not game.say("deal"):
        return
    for seat in (1, 2):
        if not game.say(f"{seat} hand {' '.join(map(spelt, hands[seat]))}"):
            return
    for card in box:
        game.say(f"crib {spelt(card)}")
    for seat in (pone, dealer):
        gone = [hands[seat].pop(chance.randrange(len(hands[seat]))) for _ in range(away)]
        box += gone
        if not game.say(f"{seat} discard {' '.join(map(spelt, gone))}"):
            return
    starter = pack.pop()
    heels = 2 if starter[0] == JACK else 0
    if not game.say(f"starter {spelt(starter)}", (dealer, heels)):
        return
    if not series(game, chance, {seat: [*hand] for seat, hand in hands.items()}, pone):
        return
    for seat in (pone, dealer):
        if not game.say(f"{seat} show", (seat, counted(hands[seat], starter, box=False))):
            return
    game.say(f"{dealer} crib", (dealer, counted(box, starter, box=True)))


def series(
    game: Game, chance: Random, held: dict[int, list[Pip]], first: int, *, once: bool = False
) -> bool:
    """Play all cards, or one series. Return whether the game goes on."""
    turn = first
    while held[1] or held[2]:
        played: list[Pip] = []
        gone: set[int] = set()
        last = 0
        while True:
            room = 31 - sum(map(worth, played))
            fits = [card for card in held[turn] if worth(card) <= room]
            if not fits:
                if held[turn] and turn not in gone:
                    gone.add(turn)
                    if not game.say(f"{turn} go"):
                        return False
                turn = 3 - turn
                continue
            card = chance.choice(fits)
            held[turn].remove(card)
            played.append(card)
            last, turn = turn, 3 - turn
            total = sum(map(worth, played))
            ends = not any(worth(c) <= 31 - total for c in (*held[1], *held[2]))
            # The point for last belongs to the go that shows it. A go holds for the series, and a
            # player without cards says none: then it belongs to the card.
            says = [s for s in (turn, last) if held[s] and s not in gone] if total < 31 else []
            one = int(ends and total < 31)
            earned = (last, pegged(played)), (last, 0 if says else one)
            if not game.say(f"{last} play {spelt(card)}", *earned):
                return False
            if ends:
                for seat in says:
                    if not game.say(f"{seat} go", (last, int(seat == says[-1]))):
                        return False
                break
        turn = 3 - last if held[3 - last] else last
        if once:
            break
    return True


def records(many: int = RECORDS, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records: every third to 121, the others to 61, the dealers in turn."""
    chance = Random(seed)
    rows = []
    for number in range(1, many + 1):
        game = play(chance, 121 if number % 3 == 0 else 61, number % 2 + 1)
        source = "cribbage.md 11, by tests/games/cribbage/singles.py"
        rows.append(game.row(f"singles-{number}", source))
    return rows


if __name__ == "__main__":
    write(records())
