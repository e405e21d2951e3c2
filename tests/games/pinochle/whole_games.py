"""A second referee for whole games of Pinochle with three and four players.

Source: docs/rules/pinochle-3-4.md. It shares no code with the product. A card is a word of rank,
suit and copy, such as `TSb`. The records of `records-pinochle-games.jsonl` are from it:

    python -m tests.games.pinochle.whole_games > tests/vectors/records-pinochle-games.jsonl
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, Final

from tests.games.written import Sheet, write

RECORDS: Final = 60
SEED: Final = 20261129
SUITS: Final = "SHDC"
ORDER: Final = "9JQKTA"
DEALS: Final = 12
"""A game that is unfinished after this number of deals is left there."""

BOTH: Final = {
    "min_bid": ("100", "200", "200", "auto", "250", "300"),
    "double_melds": ("auto", "on", "off"),
    "counters": ("traditional", "modern"),
    "head": ("trump_lead_only", "always"),
    "all_pass": ("dealer_under", "dealer_under", "dealer_bids", "redeal"),
    "below_zero": ("on", "off"),
}
FOUR: Final = {"first_lead": ("eldest", "bidder")}
THREE: Final = {
    "bidder_scores": ("all", "bid"),
    "failed": ("bid", "bid", "zero"),
    "double_bete": ("off", "on"),
    "others_score": ("melds_and_tricks", "tricks", "nothing"),
}
FOURS: Final = {"A": (100, 1000), "K": (80, 800), "Q": (60, 600), "J": (40, 400)}


def height(card: str) -> int:
    return ORDER.index(card[0])


def melds(hand: list[str], trump: str, *, double: bool) -> tuple[int, Counter[str]]:
    """Return the points of a hand's melds, and how many copies of each card are in one (1.3)."""
    held = Counter(card[:2] for card in hand)
    used: Counter[str] = Counter()
    total = 0

    def lay(classed: list[tuple[int, str, int, int]]) -> None:
        nonlocal total
        within: Counter[str] = Counter()
        for times, cards, one, two in classed:
            total += two if times == 2 and double and two else one * times
            for card in cards.split():
                within[card] += times
        for card, many in within.items():
            used[card] = max(used[card], many)

    def many(cards: str) -> int:
        return min(held[card] for card in cards.split())

    flush = " ".join(rank + trump for rank in "ATKQJ")
    flushes = many(flush)
    marriages = [(flushes, flush, 150, 1500)]
    for suit in SUITS:
        pair = f"K{suit} Q{suit}"
        royal = suit == trump
        marriages.append((many(pair) - flushes * royal, pair, 40 if royal else 20, 0))
    lay(marriages)
    lay([(many("QS JD"), "QS JD", 40, 300)])
    for rank, (one, two) in FOURS.items():
        four = " ".join(rank + suit for suit in SUITS)
        lay([(many(four), four, one, two)])
    lay([(held["9" + trump], "9" + trump, 10, 0)])
    return total, used


class Game:
    """One game, dealt and played at random."""

    def __init__(self, chance: Random, seats: int) -> None:
        self.chance = chance
        self.seats = seats
        more = FOUR if seats == 4 else THREE
        self.options = {name: chance.choice(some) for name, some in (BOTH | more).items()}
        self.options["target"] = "500"
        least = self.options["min_bid"]
        self.least = (300 if seats == 3 else 100) if least == "auto" else int(least)
        double = self.options["double_melds"]
        self.double = seats == 4 if double == "auto" else double == "on"
        self.shy = chance.choice((0, 200))
        self.dealer = chance.randint(1, seats)
        self.sheet = Sheet()
        self.sheet.begin("pinochle", seats, self.options, self.dealer)
        self.scores = [0] * (3 if seats == 3 else 2)
        self.winner: int | None = None
        self.hands: dict[int, list[str]] = {}
        self.bidder = 0
        self.bid = 0
        self.trump = ""
        for _ in range(DEALS):
            if self.winner is None:
                self.deal()

    def side(self, seat: int) -> int:
        """Return the side of a seat, from 0."""
        return seat - 1 if self.seats == 3 else (seat - 1) % 2

    def order(self, first: int) -> list[int]:
        return [(first + turn - 1) % self.seats + 1 for turn in range(self.seats)]

    def best(self, seat: int) -> tuple[int, str]:
        """Return the suit in which a hand melds most, with its points."""
        hand = self.hands[seat]
        return max(
            (melds(hand, suit, double=self.double)[0] + 4 * len(of), suit)
            for suit in SUITS
            for of in [[card for card in hand if card[1] == suit]]
        )

    def deal(self) -> None:
        pack = [rank + suit + copy for rank in ORDER for suit in SUITS for copy in "ab"]
        self.chance.shuffle(pack)
        self.sheet.say("deal")
        size = 15 if self.seats == 3 else 12
        self.hands = {s: [pack.pop() for _ in range(size)] for s in range(1, self.seats + 1)}
        for seat, hand in self.hands.items():
            self.sheet.say(f"{seat} hand {' '.join(hand)}")
        self.auction()
        if not self.bidder:
            self.dealer = self.dealer % self.seats + 1
            return
        if self.seats == 3:
            self.sheet.say(f"widow {' '.join(pack)}")
            self.hands[self.bidder] += pack
        self.trump = self.best(self.bidder)[1]
        self.sheet.say(f"trump {self.trump}")
        self.sheet.say("declare")
        melded = {
            seat: melds(hand, self.trump, double=self.double)[0]
            for seat, hand in self.hands.items()
        }
        dealer, self.dealer = self.dealer, self.dealer % self.seats + 1
        away: list[str] = []
        if self.seats == 3:
            if self.chance.random() < 0.15:
                self.concede(melded)
                return
            away = self.discard()
            if self.chance.random() < 0.05:
                self.concede(melded)
                return
        self.play(dealer, melded, away)

    def auction(self) -> None:
        """Bid (3.1, 3.2)."""
        chance = self.chance
        self.bidder = self.bid = 0
        open_ = self.order(self.dealer % self.seats + 1)
        limits = {seat: self.best(seat)[0] + chance.randint(20, 130) - self.shy for seat in open_}
        while open_ and not (len(open_) == 1 and self.bidder):
            seat = open_.pop(0)
            bid = max(self.least, self.bid + 10) + chance.choice((0, 0, 0, 10, 20))
            if bid > limits[seat]:
                self.sheet.say(f"{seat} bid pass")
                continue
            self.bidder, self.bid = seat, bid
            self.sheet.say(f"{seat} bid {bid}")
            open_.append(seat)
        if not self.bidder and self.options["all_pass"] != "redeal":
            self.bidder = self.dealer
            self.bid = self.least - 10 * (self.options["all_pass"] == "dealer_under")

    def discard(self) -> list[str]:
        """Lay three cards away that are in no meld, and others if fewer are free (4.3)."""
        hand = self.hands[self.bidder]
        _, used = melds(hand, self.trump, double=self.double)
        self.chance.shuffle(hand)
        spare = Counter(card[:2] for card in hand) - used
        free = []
        for card in hand:
            if spare[card[:2]]:
                spare[card[:2]] -= 1
                free.append(card)
        tied = [card for card in hand if card not in free]
        away = [*free, *tied][:3]
        for card in away:
            hand.remove(card)
        self.sheet.say(f"{self.bidder} discard {' '.join(away)}")
        return away

    def concede(self, melded: dict[int, int]) -> None:
        """Give the bid up before the first lead (6.3)."""
        scored = [0, 0, 0]
        for seat in self.hands:
            if seat == self.bidder:
                scored[seat - 1] = 0 if self.options["failed"] == "zero" else -self.bid
            elif self.options["others_score"] == "melds_and_tricks":
                scored[seat - 1] = melded[seat]
        self.score(f"{self.bidder} concede", scored)

    def allowed(self, seat: int, trick: list[tuple[int, str]]) -> list[str]:
        """Return the cards that a seat may play (5.2 to 5.4)."""
        hand, trump = self.hands[seat], self.trump
        if not trick:
            return hand
        led = trick[0][1][1]
        always = self.options["head"] == "always"
        top = self.leading(trick)[1]
        suited = [card for card in hand if card[1] == led]
        if suited:
            must = led == trump or (always and top[1] == led)
            higher = [card for card in suited if height(card) > height(top)]
            return (higher or suited) if must else suited
        trumps = [card for card in hand if card[1] == trump]
        if trumps and always and top[1] == trump:
            return [card for card in trumps if height(card) > height(top)] or trumps
        return trumps or hand

    def leading(self, trick: list[tuple[int, str]]) -> tuple[int, str]:
        suit = self.trump if any(c[1] == self.trump for _, c in trick) else trick[0][1][1]
        return max((p for p in trick if p[1][1] == suit), key=lambda play: height(play[1]))

    def play(self, dealer: int, melded: dict[int, int], away: list[str]) -> None:
        lead = dealer % self.seats + 1
        if self.seats == 3 or self.options["first_lead"] == "bidder":
            lead = self.bidder
        value = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
        if self.options["counters"] == "modern":
            value = {"A": 10, "T": 10, "K": 10, "Q": 0, "J": 0, "9": 0}
        taken = [0] * len(self.scores)
        won = [0] * len(self.scores)
        taken[self.side(self.bidder)] += sum(value[card[0]] for card in away)
        line = ""
        while self.hands[lead]:
            trick: list[tuple[int, str]] = []
            for seat in self.order(lead):
                fits = self.allowed(seat, trick)
                barred = [card for card in self.hands[seat] if card not in fits]
                if barred and self.chance.random() < 0.04:
                    self.sheet.deny(f"{seat} play {barred[0]}")
                card = self.chance.choice(fits)
                self.hands[seat].remove(card)
                trick.append((seat, card))
                line = f"{seat} play {card}"
                if any(self.hands.values()):
                    self.sheet.say(line)
            lead = self.leading(trick)[0]
            won[self.side(lead)] += 1
            taken[self.side(lead)] += sum(value[card[0]] for _, card in trick)
        taken[self.side(lead)] += 10
        settle = self.three if self.seats == 3 else self.four
        self.score(line, settle(melded, taken, won))

    def four(self, melded: dict[int, int], taken: list[int], won: list[int]) -> list[int]:
        scored = []
        for side in (0, 1):
            own = sum(points for seat, points in melded.items() if self.side(seat) == side)
            scored.append(taken[side] + own if won[side] else 0)
        mine = self.side(self.bidder)
        if scored[mine] < self.bid:
            scored[mine] = -self.bid
        return scored

    def three(self, melded: dict[int, int], taken: list[int], won: list[int]) -> list[int]:
        scored = []
        for seat in (1, 2, 3):
            points, own = taken[seat - 1], melded[seat]
            if seat == self.bidder:
                made = points + own >= self.bid
                lost = self.bid * (2 if self.options["double_bete"] == "on" else 1)
                if self.options["failed"] == "zero":
                    lost = 0
                whole = points + own if self.options["bidder_scores"] == "all" else self.bid
                scored.append(whole if made else -lost)
            elif self.options["others_score"] == "nothing":
                scored.append(0)
            elif self.options["others_score"] == "tricks":
                scored.append(points)
            else:
                scored.append(points + own * (won[seat - 1] > 0))
        return scored

    def score(self, line: str, scored: list[int]) -> None:
        """Score a deal with its last line, and look for a winner (6.4, 7.1)."""
        if self.options["below_zero"] == "off":
            scored = [max(some, -have) for some, have in zip(scored, self.scores, strict=True)]
        self.sheet.say(line, {side + 1: points for side, points in enumerate(scored)})
        self.scores = [a + b for a, b in zip(self.scores, scored, strict=True)]
        mine = self.side(self.bidder)
        if self.scores[mine] >= 500:
            self.winner = mine + 1
            return
        others = [points for side, points in enumerate(self.scores) if side != mine]
        if max(others) >= 500 and others.count(max(others)) == 1:
            self.winner = self.scores.index(max(others)) + 1


def records(many: int = RECORDS, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records of games with three and with four players, in turn."""
    chance = Random(seed)
    rows = []
    for number in range(1, many + 1):
        game = Game(chance, 3 + number % 2)
        source = "docs/rules/pinochle-3-4.md, by tests/games/pinochle/whole_games.py"
        rows.append(game.sheet.row(f"pinochle-game-{number}", source, game.scores, game.winner))
    return rows


if __name__ == "__main__":
    write(records())
