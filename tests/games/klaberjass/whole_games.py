"""A second referee for whole games of Klaberjass, with schmeiss in most of them.

Source: docs/rules/klaberjass.md. It shares no code with the product. A card is a pair of rank and
suit. The records of `records-klaberjass-games.jsonl` are from it:

    python -m tests.games.klaberjass.whole_games > tests/vectors/records-klaberjass-games.jsonl
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from tests.games.written import Card, Sheet, spelt, write

RECORDS: Final = 60
SEED: Final = 20261129
SUITS: Final = "SHDC"
SEQUENCE: Final = "789TJQKA"

Run = tuple[int, int, bool]
"""A sequence: its points, its top from 0 to 7, and whether it is of trumps; the greater wins."""

OPTIONS: Final = {
    "meld_tie": ("none", "elder"),
    "deal_rotation": ("alternate", "winner_deals"),
    "passed_out": ("next_dealer", "same_dealer"),
    "tie": ("lost", "carried"),
    "game_tie": ("extra_deal", "draw"),
    "split_long_runs": ("off", "on"),
    "bella_auto": ("on", "off"),
    "bottom_card": ("shown", "hidden"),
    "schmeiss": ("maker", "opponent", "maker", "opponent", "off"),
    "target": ("200", "300"),
}


def height(card: Card, trump: str) -> int:
    return ("78QKTA9J" if card[1] == trump else "789JQKTA").index(card[0])


def worth(card: Card, trump: str) -> int:
    if card[1] == trump and card[0] in "J9":
        return 20 if card[0] == "J" else 14
    return {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(card[0], 0)


class Game:
    """One game, dealt and played at random to its end."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.options = {name: chance.choice(some) for name, some in OPTIONS.items()}
        self.dealer = chance.randint(1, 2)
        self.sheet = Sheet()
        self.sheet.begin("klaberjass", 2, self.options, self.dealer)
        self.scores = {1: 0, 2: 0}
        self.waiting = 0
        self.winner: int | None = None
        self.ended = False
        self.hands: dict[int, list[Card]] = {}
        self.maker = 0
        self.trump = ""
        self.swap = False
        while not self.ended:
            self.deal()

    # The auction

    def deal(self) -> None:
        pack = [(rank, suit) for rank in SEQUENCE for suit in SUITS]
        self.chance.shuffle(pack)
        self.sheet.say("deal")
        elder = 3 - self.dealer
        self.hands = {seat: [pack.pop() for _ in range(6)] for seat in (elder, self.dealer)}
        for seat, hand in self.hands.items():
            self.sheet.say(f"{seat} hand {spelt(hand)}")
        turned = pack.pop()
        self.sheet.say(f"turnup {spelt([turned])}")
        self.maker, self.trump, self.swap = 0, "", False
        if self.bidding(elder, turned[1]) == "thrown":
            return
        if not self.maker:
            if self.options["passed_out"] == "next_dealer":
                self.dealer = elder
            return
        for seat in (elder, self.dealer):
            more = [pack.pop() for _ in range(3)]
            self.hands[seat] += more
            self.sheet.say(f"{seat} hand {spelt(more)}")
        if self.chance.random() < 0.3:
            line = f"bottom {spelt(pack[:1])}"
            if self.options["bottom_card"] == "shown":
                self.sheet.say(line)
            else:
                self.sheet.deny(line, "bottom-hidden")
        if self.chance.random() < 0.5:
            self.exchange(turned)
        announced = self.announce(elder)
        self.exchange(turned)
        self.play(elder, announced)

    def bidding(self, elder: int, turned: str) -> str:
        """Bid in two rounds (3.1 to 3.5); return `thrown` if the hands are thrown in."""
        chance, sheet = self.chance, self.sheet
        rule = self.options["schmeiss"]
        for late in (False, True):
            for seat in (elder, 3 - elder):
                other = 3 - seat
                calls = [suit for suit in SUITS if suit != turned] if late else [turned]
                if late and chance.random() < 0.1:
                    sheet.deny(f"{seat} bid {turned}", "suit-turned-down")
                call = max(calls, key=lambda suit: self.strength(seat, suit))
                if rule != "off" and chance.random() < 0.2:
                    sheet.say(f"{seat} bid schmeiss")
                    if chance.random() < 0.3:
                        sheet.deny(f"{other} bid pass", "schmeiss-answer")
                    if chance.random() < 0.35:
                        sheet.say(f"{other} bid yes")
                        return "thrown"
                    sheet.say(f"{other} bid no")
                    if late:
                        sheet.say(f"{seat} bid {call}")
                        self.maker, self.trump = seat, call
                    else:
                        self.maker = seat if rule == "maker" else other
                        self.trump, self.swap = turned, True
                    return ""
                if self.strength(seat, call) < chance.randint(15, 45):
                    sheet.say(f"{seat} bid pass")
                    continue
                sheet.say(f"{seat} bid {call if late else 'take'}")
                self.maker, self.trump, self.swap = seat, call, not late
                return ""
        return ""

    def strength(self, seat: int, suit: str) -> int:
        return sum(worth(card, suit) for card in self.hands[seat])

    def exchange(self, turned: Card) -> None:
        """Exchange the seven of trumps for the turned card, mostly (4)."""
        seven = ("7", self.trump)
        for seat, hand in self.hands.items():
            if seven not in hand or self.chance.random() < 0.2:
                continue
            if not self.swap:
                self.sheet.deny(f"{seat} exchange", "exchange-second-round")
                continue
            self.sheet.say(f"{seat} exchange")
            hand.remove(seven)
            hand.append(turned)

    # Sequences (5)

    def runs(self, seat: int) -> list[Run]:
        """Return the sequences of a hand, the best first."""
        found = []
        for suit in SUITS:
            held = [(rank, suit) in self.hands[seat] for rank in SEQUENCE] + [False]
            length = 0
            for place, one in enumerate(held):
                if one:
                    length += 1
                    continue
                parts = [length]
                if self.options["split_long_runs"] == "on" and length >= 7:
                    parts = [4, length - 4]
                top = place - 1
                for part in parts:
                    if part >= 3:
                        found.append((50 if part > 3 else 20, top, suit == self.trump))
                    top -= part
                length = 0
        return sorted(found, reverse=True)

    def announce(self, elder: int) -> dict[int, int]:
        """Announce sequences, and return the points of each seat."""
        sheet, chance = self.sheet, self.chance
        younger = 3 - elder
        mine, theirs = self.runs(elder), self.runs(younger)
        silent = chance.random() < 0.15
        words = chance.random() < 0.6 or silent
        if words and silent:  # a player keeps silent about sequences (5.6)
            quiet = chance.choice((elder, younger))
            if quiet == elder:
                mine = []
            else:
                theirs = []
        owner = 0
        if mine and (not theirs or mine[0][:2] > theirs[0][:2]):
            owner = elder
        elif theirs and (not mine or theirs[0][:2] > mine[0][:2]):
            owner = younger
        elif mine and mine[0][2] != theirs[0][2]:
            owner = elder if mine[0][2] else younger
        elif mine and self.options["meld_tie"] == "elder":
            owner = elder
        if not words:
            sheet.say("declare")
        else:
            sheet.say(f"{elder} declare {mine[0][0] if mine else 'none'}")
            higher = bool(theirs) and (not mine or theirs[0][0] > mine[0][0])
            if not mine:
                sheet.say(f"{younger} reply {'not-good' if higher else 'good'}")
            elif not theirs or theirs[0][0] < mine[0][0]:
                sheet.say(f"{younger} reply good")
            elif higher:
                sheet.say(f"{younger} reply not-good")
            else:
                sheet.say(f"{younger} reply equal")
                sheet.say(f"{elder} top {SEQUENCE[mine[0][1]]}")
                if theirs[0][1] != mine[0][1]:
                    word = "good" if theirs[0][1] < mine[0][1] else "not-good"
                    sheet.say(f"{younger} reply {word}")
                else:
                    sheet.say(f"{younger} reply equal")
                    if mine[0][2] or theirs[0][2]:
                        sheet.say(f"{owner} trump")
        points = {elder: 0, younger: 0}
        if owner:
            points[owner] = sum(run[0] for run in (mine if owner == elder else theirs))
        return points

    # The play (6) and its settlement (7)

    def allowed(self, hand: list[Card], led: Card | None) -> list[Card]:
        if led is None:
            return hand
        suited = [card for card in hand if card[1] == led[1]]
        if suited and led[1] == self.trump:
            higher = [c for c in suited if height(c, self.trump) > height(led, self.trump)]
            return higher or suited
        return suited or [card for card in hand if card[1] == self.trump] or hand

    def play(self, elder: int, points: dict[int, int]) -> None:
        sheet, chance, trump = self.sheet, self.chance, self.trump
        royal = {("K", trump), ("Q", trump)}
        holders = [seat for seat, hand in self.hands.items() if royal <= {*hand}]
        out: set[Card] = set()
        lead = elder
        line = ""
        for trick in range(9):
            cards: dict[int, Card] = {}
            led = None
            for seat in (lead, 3 - lead):
                hand = self.hands[seat]
                fits = self.allowed(hand, led)
                barred = [card for card in hand if card not in fits]
                if barred and chance.random() < 0.05:
                    sheet.deny(f"{seat} play {spelt(barred[:1])}")
                card = chance.choice(fits)
                hand.remove(card)
                cards[seat] = card
                led = led or card
                line = f"{seat} play {spelt([card])}"
                out |= {card} & royal
                if card in royal and out == royal and seat in holders:
                    automatic = self.options["bella_auto"] == "on"
                    called = chance.random() < (0.3 if automatic else 0.7)
                    points[seat] += 20 * (called or automatic)
                    line += " bella" * called
                if trick < 8 or seat == lead:
                    sheet.say(line)
            first, second = cards[lead], cards[3 - lead]
            if second[1] == first[1]:
                beaten = height(second, trump) > height(first, trump)
            else:
                beaten = second[1] == trump
            lead = 3 - lead if beaten else lead
            points[lead] += worth(first, trump) + worth(second, trump)
        points[lead] += 10
        self.settle(line, points)

    def settle(self, line: str, points: dict[int, int]) -> None:
        maker, other = self.maker, 3 - self.maker
        winner = maker if points[maker] > points[other] else other
        scored = dict(points)
        if points[maker] == points[other]:
            scored[maker] = 0
            if self.options["tie"] == "carried":
                self.waiting += points[maker]
        else:
            if winner == other:
                scored = {maker: 0, other: points[1] + points[2]}
            scored[winner] += self.waiting
            self.waiting = 0
        self.sheet.say(line, scored)
        for seat in (1, 2):
            self.scores[seat] += scored[seat]
        self.dealer = winner if self.options["deal_rotation"] == "winner_deals" else 3 - self.dealer
        if max(self.scores.values()) < int(self.options["target"]):
            return
        if self.scores[1] != self.scores[2]:
            self.winner = 1 if self.scores[1] > self.scores[2] else 2
            self.ended = True
        elif self.options["game_tie"] == "draw":
            self.ended = True


def records(many: int = RECORDS, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records of games, one after the other."""
    chance = Random(seed)
    rows = []
    for number in range(1, many + 1):
        game = Game(chance)
        scores = [game.scores[1], game.scores[2]]
        source = "docs/rules/klaberjass.md, by tests/games/klaberjass/whole_games.py"
        rows.append(game.sheet.row(f"jass-game-{number}", source, scores, game.winner))
    return rows


if __name__ == "__main__":
    write(records())
