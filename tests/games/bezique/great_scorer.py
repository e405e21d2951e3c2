"""A second scorer of the great Beziques, written from docs/rules/rubicon-bezique.md and
docs/rules/six-pack-bezique.md; it uses nothing of boardctl.

A `GreatGame` deals and plays a game of one deal at random, with allowed and forbidden melds. It
records the points that each line must earn, or that the line must be refused. Every copy of a card
is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

Card = tuple[str, str, str]
"""Rank, suit, copy."""
ORDER = "ATKQJ987"
SUITS = "SHDC"
COURTS = "KQJ"
FOURS = {
    "A": ("aces", 100, 1000),
    "T": ("tens", 90, 900),
    "K": ("kings", 80, 800),
    "Q": ("queens", 60, 600),
    "J": ("jacks", 40, 400),
}
"""By rank, the name of four, the value of any four, and the value of four trumps (six-pack 4)."""
BEZIQUES = (
    ("bezique", 40),
    ("double-bezique", 500),
    ("triple-bezique", 1500),
    ("quadruple-bezique", 4500),
)
PARTNER = {"H": "C", "D": "S", "C": "H", "S": "D"}
"""By the queen's suit, the jack's suit, if the queen of trumps makes bezique (six-pack 6)."""


class Kind(NamedTuple):
    """A declaration: its name, class and level, its points, and the trumps that it sets."""

    name: str
    group: str
    level: int
    points: int
    trump: str | None = None


class Expected(NamedTuple):
    """The required result of a line: a refusal, or these awards (seat, points, reason) with this
    note (code, seat, value)."""

    line: str
    refused: bool
    earned: list[tuple[int, int, str]]
    note: tuple[str, int | None, int | None] | None


def spell(cards: Sequence[Card]) -> str:
    return " ".join(map("".join, cards))


class GreatGame:
    """One game of one deal; `before` are the trumps of the previous game."""

    def __init__(self, chance: Random, *, six: bool, before: str | None = None) -> None:
        self.chance = chance
        self.six = six
        self.options = {
            "bezique_suits": chance.choice(("fixed", "fixed", "trump_queen")),
            "carte_blanche_repeat": chance.choice(("on", "on", "off")),
        }
        more = ("any_four_tens_90", "no_repeat_trump") if six else ("below_100_extra",)
        self.options |= {option: chance.choice(("off", "on")) for option in more}
        self.before = before if self.options.get("no_repeat_trump") == "on" else None
        self.expected: list[Expected] = []
        self.hands: dict[int, list[Card]] = {1: [], 2: []}
        self.scores = {1: 0, 2: 0}
        self.brisques = {1: 0, 2: 0}
        self.melds: dict[int, list[tuple[Kind, tuple[Card, ...]]]] = {1: [], 2: []}
        self.blanche = {1: "", 2: ""}
        """`on` while a carte blanche may continue, `no` once it cannot."""
        self.trump: str | None = None
        copies = "abcdef" if six else "abcd"
        self.stock = [(rank, suit, copy) for rank in ORDER for suit in SUITS for copy in copies]
        self._play()

    def _say(
        self,
        line: str,
        earned: Sequence[tuple[int, int, str]] = (),
        *,
        refused: bool = False,
        note: tuple[str, int | None, int | None] | None = None,
    ) -> None:
        for seat, points, _ in earned:
            self.scores[seat] += points
        self.expected.append(Expected(line, refused, list(earned), note))

    def _play(self) -> None:
        chance, size = self.chance, 12 if self.six else 9
        self._say(f"game {'six-pack' if self.six else 'rubicon'}-bezique")
        for seat in (1, 2):
            self._say(f"seat {seat} P{seat}")
        for option, value in self.options.items():
            self._say(f"set {option} {value}")
        lead = chance.choice((1, 2))
        self._say(f"dealer {3 - lead}")
        self._say("deal")
        chance.shuffle(self.stock)
        if chance.random() < 0.5:  # courts come late
            self.stock.sort(
                key=lambda card: card[0] in COURTS and chance.random() < 0.7, reverse=True
            )
        lucky = chance.choice((0, 1, 2))
        for seat in (1, 2):
            for _ in range(size):
                plain = (n for n, card in enumerate(self.stock) if card[0] not in COURTS)
                self.hands[seat].append(self.stock.pop(next(plain) if seat == lucky else -1))
            self._say(f"{seat} hand {spell(self.hands[seat])}")
        while self.hands[1]:
            lead = self._trick(lead)
            if self.stock:
                self._declare(lead)
                for seat in (lead, 3 - lead):
                    self._draw(seat)

    def _trick(self, lead: int) -> int:
        """Play a trick, and return its winner."""
        self._first_blanche(lead)
        led = self._choose(self.hands[lead], lead)
        self.hands[lead].remove(led)
        self._say(f"{lead} play {spell([led])}")
        follower = 3 - lead
        self._first_blanche(follower)
        hand = self.hands[follower]
        allowed = hand if self.stock else self._duty(hand, led)
        barred = [card for card in hand if card not in allowed]
        if barred and self.chance.random() < 0.3:
            self._say(f"{follower} play {spell(barred[:1])}", refused=True)
        card = self._choose(allowed, follower)
        hand.remove(card)
        higher = ORDER.index(card[0]) < ORDER.index(led[0])
        over = higher if card[1] == led[1] else card[1] == self.trump
        winner = follower if over else lead
        self.brisques[winner] += (led[0] in "AT") + (card[0] in "AT")
        line = f"{follower} play {spell([card])}"
        if hand:
            self._say(line)
        else:
            self._settle(line, (winner, 250 if self.six else 50, "last-trick"))
        return winner

    def _duty(self, hand: list[Card], led: Card) -> list[Card]:
        """Return the legal cards in the last tricks: beat, else follow, else trump, else any."""
        suit = [card for card in hand if card[1] == led[1]]
        better = [card for card in suit if ORDER.index(card[0]) < ORDER.index(led[0])]
        return better or suit or [card for card in hand if card[1] == self.trump] or hand

    def _choose(self, cards: list[Card], seat: int) -> Card:
        """Choose a card, usually a useless one."""
        laid = {card for _, meld in self.melds[seat] for card in meld}
        useful = set(COURTS) if self.chance.random() < 0.75 else set()
        poor = [card for card in cards if card[0] not in useful and card not in laid]
        return self.chance.choice(poor if poor and useful else cards)

    def _first_blanche(self, seat: int) -> None:
        """Show a hand without king, queen and jack before its owner plays (Rubicon 3)."""
        if self.blanche[seat]:
            return
        self.blanche[seat] = "no"
        line = f"{seat} meld {spell(self.hands[seat])}"
        if any(card[0] in COURTS for card in self.hands[seat]):
            if self.chance.random() < 0.2:
                self._say(line, refused=True)
        elif self.chance.random() < 0.85:
            self.blanche[seat] = "on"
            self._say(line, [(seat, 250 if self.six else 50, "carte-blanche")])
            self._say(line, refused=True)

    def _draw(self, seat: int) -> None:
        card = self.stock.pop()
        self.hands[seat].append(card)
        shown, drawn = f"{seat} meld {spell([card])}", f"{seat} draw {spell([card])}"
        goes_on = self.blanche[seat] == "on"
        if goes_on and self.options["carte_blanche_repeat"] == "on" and card[0] not in COURTS:
            if self.chance.random() < 0.5:
                self._say(drawn)
            self._say(shown, [(seat, 250 if self.six else 50, "carte-blanche")])
            return
        self.blanche[seat] = "no"
        self._say(drawn)
        if goes_on or self.chance.random() < 0.02:
            self._say(shown, refused=True)

    def _kind(self, cards: Sequence[Card]) -> Kind | None:
        ranks = "".join(sorted((card[0] for card in cards), key=ORDER.index))
        suits = {card[1] for card in cards}
        suit = cards[0][1] if len(suits) == 1 else None
        first = self.trump is None and suit != self.before
        if suit and ranks in ("KQ", "ATKQJ"):
            royal = suit == self.trump or first
            made = suit if royal else None
            if ranks == "KQ":
                name, points = ("royal-marriage", 40) if royal else ("marriage", 20)
                return Kind(name, "marriages", 1, points, made)
            name, points = ("sequence", 250) if royal else ("plain-sequence", 150)
            return Kind(name, "marriages", 2, points, made)
        if len(cards) == 4 and len(set(ranks)) == 1 and ranks[0] in FOURS:
            name, points, trumps = FOURS[ranks[0]]
            if self.six and suit and suit == self.trump:
                return Kind(f"four-trump-{name}", name, 2, trumps)
            if name == "tens" and self.options.get("any_four_tens_90") != "on":
                return None
            return Kind(f"four-{name}", name, 1, points)
        queen = self.trump if self.options["bezique_suits"] == "trump_queen" else "S"
        pair = [("Q", queen), ("J", PARTNER[queen] if queen else None)]
        number = len(cards) // 2
        if sorted(card[:2] for card in cards) == sorted(pair * number, key=str) and number <= 4:
            name, points = BEZIQUES[number - 1]
            return Kind(name, "beziques", number, points)
        return None

    def _allowed(self, seat: int, cards: tuple[Card, ...]) -> Kind | None:
        """Return the meld that these cards form, or None if it is forbidden (Rubicon 6)."""
        kind = self._kind(cards)
        if kind is None:
            return None
        mine = [(one, set(meld)) for one, meld in self.melds[seat] if one.group == kind.group]
        for one, meld in mine:
            standing = meld <= set(self.hands[seat])
            if not standing or one.level < kind.level or not meld & set(cards):
                continue
            marriages = kind.group == "marriages" and kind.level == one.level == 1
            left = set(cards) - meld
            widowed = any(
                left <= old and not old <= set(self.hands[seat])
                for other, old in mine
                if other.level == 1
            )
            # otherwise the remaining partners are paired again
            if not (marriages and left and widowed):
                return None
        return kind

    def _shapes(self, hand: list[Card]) -> Iterator[tuple[Card, ...]]:
        """Return groups of cards that may be melds, including some that are not."""
        for two in combinations(hand, 2):
            if {card[0] for card in two} <= set(COURTS):
                yield two
        for rank in FOURS:
            yield from combinations([card for card in hand if card[0] == rank][:7], 4)
        for queen, jack in PARTNER.items():
            queens = [card for card in hand if card[:2] == ("Q", queen)]
            jacks = [card for card in hand if card[:2] == ("J", jack)]
            for number in range(2, min(len(queens), len(jacks), 4) + 1):
                yield (*queens[:number], *jacks[:number])
        for suit in SUITS:
            run = [[card for card in hand if card[:2] == (rank, suit)] for rank in ORDER[:5]]
            if all(run):
                yield tuple(self.chance.choice(same) for same in run)

    def _declare(self, seat: int) -> None:
        """Try up to five melds; the first allowed one is made."""
        chance = self.chance
        tried = list(self._shapes(self.hands[seat]))
        chance.shuffle(tried)
        if chance.random() < 0.5:
            tried.sort(key=lambda cards: -(self._kind(cards) or Kind("", "", 0, 0)).points)
        if tried and chance.random() < 0.03:
            self._say(f"{3 - seat} meld {spell(tried[0])}", refused=True)
        for cards in tried[:5]:
            kind = self._allowed(seat, cards)
            line = f"{seat} meld {spell(cards)}"
            if kind is None:
                self._say(line, refused=True)
                continue
            self._say(line, [(seat, kind.points, kind.name)])
            self.trump = self.trump or kind.trump
            self.melds[seat].append((kind, cards))
            if chance.random() < 0.1:
                self._say(f"{seat} meld {spell(tried[-1])}", refused=True)
            return

    def _settle(self, line: str, last: tuple[int, int, str]) -> None:
        """Settle: the last trick, the brisques if they count, and the value of the game."""
        score = {seat: self.scores[seat] + (last[1] if seat == last[0] else 0) for seat in (1, 2)}
        loser = min(score, key=lambda seat: score[seat])
        saved = score[loser] < 1000 <= score[loser] + 10 * self.brisques[loser]
        earned = [last]
        if not self.six and (score[1] == score[2] or saved):
            earned += [(seat, 10 * n, "brisques") for seat, n in self.brisques.items() if n]
            score = {seat: points + 10 * self.brisques[seat] for seat, points in score.items()}
        if score[1] == score[2]:
            self._say(line, earned, note=("game-tied", None, None))
            return
        winner = max(score, key=lambda seat: score[seat])
        high, low = (score[seat] // 100 * 100 for seat in (winner, 3 - winner))
        lost = score[3 - winner]
        if lost < (3000 if self.six else 1000):
            code, value = "game-rubicon", high + low + (1000 if self.six else 1320)
        else:
            code, value = "game-won", high - low + (1000 if self.six else 500)
        value += 100 if lost < 100 and self.options.get("below_100_extra") == "on" else 0
        self._say(line, earned, note=(code, winner, value))
