"""A second referee for the ends of games of Bezique and of Pinochle for two.

Sources: docs/rules/bezique.md and docs/rules/pinochle.md. It shares no code with the product. A
card is a rank, a suit and a copy; every line names its copies. The records of
`records-bezique-games.jsonl` are from it:

    python -m tests.games.bezique.whole_games > tests/vectors/records-bezique-games.jsonl
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any, Final, NamedTuple

from tests.games.written import Sheet, spelt, write

RECORDS: Final = 120
"""Half of them are of Bezique, half of Pinochle."""
SEED: Final = 20261129
SUITS: Final = "SHDC"
FOURS: Final = {"A": ("aces", 100), "K": ("kings", 80), "Q": ("queens", 60), "J": ("jacks", 40)}
OPTIONS: Final = {
    "bezique": {
        "endgame_rule": ("strict", "follow_only"),
        "last_draw_meld": ("allowed", "forbidden"),
        "seven_method": ("either", "exchange_only", "no_exchange"),
        "seven_counts_as_meld": ("off", "on"),
        "tie_rule": ("draw", "extra_deal", "raise_target_500"),
        "double_bezique_after_two_singles": ("on", "off"),
        "seven_in_last_eight": ("on", "off"),
        "new_card_from_hand": ("off", "on"),
        "exchanged_card_melds": ("on", "off"),
    },
    "pinochle": {
        "target": ("500", "1000"),
        "endgame_head": ("trump_lead_only", "always"),
        "endgame_rule": ("strict", "follow_only"),
        "last_draw_meld": ("allowed", "forbidden"),
        "seven_method": ("either", "exchange_only", "no_exchange"),
        "dix_timing": ("trick_win", "any_time"),
        "new_card_from_hand": ("on", "off", "not_all_from_one_meld"),
        "four_kinds": ("distinct", "any"),
        "double_pinochle": ("off", "300", "80"),
        "marriage_after_sequence": ("off", "on"),
        "round_trick_points": ("off", "nearest_10"),
        "tie_rule": ("draw", "extra_deal", "raise_target_500"),
        "both_reach": ("higher", "raise_250"),
    },
}
"""The options that vary, with their values."""

Card = tuple[str, str, str]


class Kind(NamedTuple):
    """A meld: its points, its group, and its level in the group."""

    points: int
    group: str
    level: int


class Game:
    """The end of one game, dealt and played at random."""

    def __init__(self, chance: Random, name: str) -> None:
        self.chance, self.name = chance, name
        self.pinochle = name == "pinochle"
        self.order = "ATKQJ9" if self.pinochle else "ATKQJ987"
        self.low = self.order[-1]
        self.options = {key: chance.choice(some) for key, some in OPTIONS[name].items()}
        self.target = int(self.options.get("target", "1000"))
        near = range(self.target // 2, self.target, 10)
        self.scores = {seat: chance.choice(near) for seat in (1, 2)}
        self.winner: int | None = None
        self.over = False
        self.dealer = chance.randint(1, 2)
        self.sheet = Sheet()
        self.sheet.begin(name, 2, self.options, self.dealer, list(self.scores.values()))
        while not self.over:
            self.deal()

    def says(self, option: str, value: str = "on") -> bool:
        return self.options.get(option) == value

    def say(self, line: str, **earned: int) -> None:
        """Write a line and the points of the seats `one` and `two`."""
        points = {1: earned.get("one", 0), 2: earned.get("two", 0)}
        for seat, more in points.items():
            self.scores[seat] += more
        self.sheet.say(line, points)

    def say_for(self, seat: int, line: str, points: int) -> None:
        self.say(line, **{("one", "two")[seat - 1]: points})

    @property
    def any_time(self) -> bool:
        """Whether a seven scores at any time, without exchange (5.3; Pinochle's `dix_timing`)."""
        by_winner = self.pinochle and self.says("dix_timing", "trick_win")
        return not by_winner and not self.says("seven_method", "exchange_only")

    # A deal

    def deal(self) -> None:
        ranks = self.order
        self.stock = [(rank, suit, copy) for rank in ranks for suit in SUITS for copy in "ab"]
        self.chance.shuffle(self.stock)
        if self.chance.random() < 0.3:  # courts come early, for more melds
            self.stock.sort(key=lambda card: card[0] in "KQJA" and self.chance.random() < 0.5)
        size = 12 if self.pinochle else 8
        pone = 3 - self.dealer
        self.hands: dict[int, list[Card]] = {1: [], 2: []}
        self.uses: dict[Card, list[tuple[str, int, int]]] = {}
        """The melds of each card: group, level, and the number of the meld."""
        self.melds = 0
        self.scored: set[Card] = set()
        """The sevens that have scored."""
        self.won: dict[int, list[Card]] = {1: [], 2: []}
        self.say("deal")
        for seat in (pone, self.dealer):
            self.hands[seat] = [self.stock.pop() for _ in range(size)]
            self.say(f"{seat} hand {spelt(self.hands[seat])}")
        self.turned = self.stock.pop()
        self.trump = self.turned[1]
        at_once = 10 if self.turned[0] == self.low else 0
        self.say_for(self.dealer, f"turnup {spelt([self.turned])}", at_once)
        if at_once:
            self.scored.add(self.turned)
        leader = pone
        self.exchanged: Card | None = None
        while self.hands[1]:
            leader = self.trick(leader, late=not self.stock)
            if self.stock:
                last = len(self.stock) == 1
                self.turn(leader, last=last)
                self.draw(leader)
        self.dealer = 3 - self.dealer
        self.decide()

    def draw(self, winner: int) -> None:
        """Let both players draw. The loser of the last trick takes the turned-up card."""
        for seat in (winner, 3 - winner):
            card = self.stock.pop() if self.stock else self.turned
            self.hands[seat].append(card)
            self.say(f"{seat} draw {spelt([card])}")

    def trick(self, leader: int, *, late: bool) -> int:
        """Play a trick and return its winner."""
        lead = self.choose(self.hands[leader])
        self.put(leader, lead, late=late, last=False)
        other = 3 - leader
        allowed = self.duties(self.hands[other], lead) if late else list(self.hands[other])
        wrong = [card for card in self.hands[other] if card not in allowed]
        if wrong and self.chance.random() < 0.3:
            self.sheet.deny(f"{other} play {spelt([self.chance.choice(wrong)])}")
        reply = self.choose(allowed)
        beats = reply[1] == lead[1] and self.height(reply) > self.height(lead)
        beats = beats or (reply[1] == self.trump != lead[1])
        winner = other if beats else leader
        self.won[winner] += [lead, reply]
        self.put(other, reply, late=late, last=len(self.hands[other]) == 1, winner=winner)
        return winner

    def choose(self, cards: Sequence[Card]) -> Card:
        """Choose a card, preferably one that is of no use in a meld."""
        poor = [card for card in cards if card[0] not in "KQJA"]
        return self.chance.choice(poor if poor and self.chance.random() < 0.7 else list(cards))

    def height(self, card: Card) -> int:
        return -self.order.index(card[0])

    def duties(self, hand: list[Card], lead: Card) -> list[Card]:
        """Return the cards that may follow in the last tricks."""
        strict = self.says("endgame_rule", "strict")
        suit = [card for card in hand if card[1] == lead[1]]
        if suit:
            better = [card for card in suit if self.height(card) > self.height(lead)]
            heads = not self.pinochle or self.says("endgame_head", "always")
            return better if better and strict and (heads or lead[1] == self.trump) else suit
        trumps = [card for card in hand if card[1] == self.trump]
        return trumps if trumps and strict else list(hand)

    def put(self, seat: int, card: Card, *, late: bool, last: bool, winner: int = 0) -> None:
        """Write a card, perhaps declared as a seven, and the points of the tricks at the end."""
        self.hands[seat].remove(card)
        seven = card[:2] == (self.low, self.trump)
        fresh = seven and card not in self.scored
        open_now = not late or self.says("seven_in_last_eight")
        open_now = open_now and self.any_time
        points = 0
        line = f"{seat} play {spelt([card])}"
        if seven and self.chance.random() < 0.7:
            if fresh and open_now:
                points, line = 10, f"{line} seven"
                self.scored.add(card)
            elif not fresh:
                self.sheet.deny(f"{line} seven")
        ends = Counter({1: 0, 2: 0})
        if last:
            for one in (1, 2):
                ends[one] += sum(map(self.trick_points, self.won[one])) + 10 * (one == winner)
                if self.says("round_trick_points", "nearest_10"):
                    ends[one] = (ends[one] + 3) // 10 * 10  # 7, 8 and 9 round up
        ends[seat] += points
        self.say(line, one=ends[1], two=ends[2])

    def trick_points(self, card: Card) -> int:
        if not self.pinochle:
            return 10 * (card[0] in "AT")
        return {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(card[0], 0)

    # The winner's turn before the draw

    def turn(self, seat: int, *, last: bool) -> None:
        """Declare a seven and a meld, or neither."""
        self.exchanged = None
        loser = 3 - seat
        theirs = list(self.legal(loser, last=last)) if self.chance.random() < 0.1 else []
        if theirs:
            self.sheet.deny(f"{loser} meld {spelt(self.chance.choice(theirs)[0])}", "meld-by-loser")
        replaced = self.seven(seat)
        any_time = self.says("seven_method", "no_exchange")
        melded = replaced and self.says("seven_counts_as_meld") and not any_time
        found = list(self.legal(seat, last=last))
        barred = list(self.barred(seat))
        if barred and self.chance.random() < 0.4:
            self.sheet.deny(f"{seat} meld {spelt(self.chance.choice(barred))}")
        if not found or self.chance.random() < 0.1:
            return
        cards, kind = self.chance.choice(found)
        line = f"{seat} meld {spelt(cards)}"
        if melded:
            self.sheet.deny(line, "meld-twice")
            return
        self.say_for(seat, line, kind.points)
        self.lay(cards, kind)
        again = list(self.legal(seat, last=last))
        if again and self.chance.random() < 0.3:
            self.sheet.deny(f"{seat} meld {spelt(self.chance.choice(again)[0])}", "meld-twice")

    def lay(self, cards: Sequence[Card], kind: Kind) -> None:
        self.melds += 1
        for card in cards:
            self.uses.setdefault(card, []).append((kind.group, kind.level, self.melds))

    def seven(self, seat: int) -> bool:
        """Declare a seven in hand, perhaps in exchange. Return whether one was declared."""
        mine = [card for card in self.hands[seat] if card[:2] == (self.low, self.trump)]
        fresh = [card for card in mine if card not in self.scored]
        if not fresh or self.chance.random() < 0.3:
            return False
        card = self.chance.choice(fresh)
        can_exchange = not self.says("seven_method", "no_exchange") and self.turned[0] != self.low
        line = f"{seat} seven {spelt([card])}"
        if can_exchange and self.chance.random() < 0.6:
            self.say_for(seat, f"{line} exchange", 10)
            self.hands[seat].remove(card)
            self.hands[seat].append(self.turned)
            self.exchanged, self.turned = self.turned, card
        else:
            if not can_exchange and self.chance.random() < 0.5:
                self.sheet.deny(f"{line} exchange")
            self.say_for(seat, line, 10)
        self.scored.add(card)
        return True

    # Melds

    def shapes(self, hand: Sequence[Card]) -> Iterator[tuple[tuple[Card, ...], Kind]]:
        """Return every set of cards of a hand that forms a meld, whatever it was used for."""
        at = {
            (rank, suit): [card for card in hand if card[:2] == (rank, suit)]
            for rank in self.order
            for suit in SUITS
        }
        for suit in SUITS:
            royal = suit == self.trump
            for king in at["K", suit]:
                for queen in at["Q", suit]:
                    yield (king, queen), Kind(40 if royal else 20, "ladder", 1)
        for some in self.product([at[rank, self.trump] for rank in "ATKQJ"]):
            yield some, Kind(150 if self.pinochle else 250, "ladder", 2)
        for rank, (name, points) in FOURS.items():
            same = [card for card in hand if card[0] == rank]
            for four in combinations(same, 4):
                suits = len({card[1] for card in four})
                if not self.pinochle or suits == 4 or self.says("four_kinds", "any"):
                    yield four, Kind(points, name, 1)
        queens, jacks = at["Q", "S"], at["J", "D"]
        for queen in queens:
            for jack in jacks:
                yield (queen, jack), Kind(40, "bezique", 1)
        double = self.options.get("double_pinochle", "500")
        if len(queens) == len(jacks) == 2 and double != "off":
            yield (*queens, *jacks), Kind(int(double), "bezique", 2)

    def product(self, some: Sequence[Sequence[Card]]) -> Iterator[tuple[Card, ...]]:
        """Return every choice of one card of each list."""
        if not some:
            yield ()
            return
        for first in some[0]:
            for rest in self.product(some[1:]):
                yield (first, *rest)

    def legal(self, seat: int, *, last: bool) -> Iterator[tuple[tuple[Card, ...], Kind]]:
        if last and self.says("last_draw_meld", "forbidden"):
            return
        for cards, kind in self.shapes(self.hands[seat]):
            if self.may(cards, kind):
                yield cards, kind

    def barred(self, seat: int) -> Iterator[tuple[Card, ...]]:
        """Return the melds that the use of their cards forbids."""
        for cards, kind in self.shapes(self.hands[seat]):
            if not self.may(cards, kind):
                yield cards

    def may(self, cards: Sequence[Card], kind: Kind) -> bool:
        """Return whether the cards may form a meld, after their earlier melds."""
        if self.says("exchanged_card_melds", "off") and self.exchanged in cards:
            return False
        fresh = [card for card in cards if card not in self.uses]
        if self.says("new_card_from_hand") and not fresh:
            return False
        if self.says("new_card_from_hand", "not_all_from_one_meld"):
            lying = [{number for _, _, number in self.uses.get(card, ())} for card in cards]
            if set.intersection(*lying):
                return False
        for card in cards:
            for group, level, _ in self.uses.get(card, ()):
                if group != kind.group:
                    continue
                after = self.says("marriage_after_sequence") and (level, kind.level) == (2, 1)
                if level >= kind.level and not after:
                    return False
        singles = all(
            any(group == "bezique" for group, _, _ in self.uses.get(card, ())) for card in cards
        )
        two = kind.group == "bezique" and kind.level == 2 and singles
        return not (two and self.says("double_bezique_after_two_singles", "off"))

    # The end

    def decide(self) -> None:
        one, two = self.scores[1], self.scores[2]
        if max(one, two) < self.target:
            return
        if min(one, two) >= self.target and self.says("both_reach", "raise_250"):
            while min(one, two) >= self.target:
                self.target += 250
            if max(one, two) < self.target:
                return
        if one != two:
            self.over, self.winner = True, 1 if one > two else 2
        elif self.says("tie_rule", "draw"):
            self.over = True
        elif self.says("tie_rule", "raise_target_500"):
            self.target += 500

    def row(self, name: str) -> dict[str, Any]:
        rules = f"docs/rules/{self.name}.md, by tests/games/bezique/whole_games.py"
        return self.sheet.row(name, rules, list(self.scores.values()), self.winner)


def records(count: int = RECORDS, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records of games, Bezique and Pinochle in turn."""
    found = []
    for number in range(count):
        name = ("bezique", "pinochle")[number % 2]
        game = Game(Random(f"{seed} {number}"), name)
        found.append(game.row(f"{name}-game-{number + 1}"))
    return found


if __name__ == "__main__":
    write(records())
