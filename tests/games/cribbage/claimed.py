"""A second scorer of claims and calls, written from the rules (docs/rules/cribbage.md 4 to 10) and
the notation ("Claims"); it uses nothing of boardctl.

A `ClaimedGame` deals and plays a game at random, including claims and calls. It records the points
that each line must earn, or the code with which it must be refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from tests.games.cribbage.definition import JACK, peg_points, rank_points, suit_points, value

Card = tuple[int, int]


def spell(cards: Iterable[Card]) -> str:
    return " ".join("?A23456789TJQK"[rank] + "SHDC"[suit] for rank, suit in cards)


class Expected(NamedTuple):
    """The required result of a line: the code of its refusal, or points by seat, scores, and the
    stated and true points of the claims whose windows it closes."""

    line: str
    refused: str | None
    earned: dict[int, int]
    scores: list[int]
    differences: list[tuple[int, int]]


@dataclass(eq=False)
class Claim:
    """A claim whose window is open."""

    seat: int
    said: int
    true: int


class ClaimedGame:
    """A game of any form, played to its end."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.five = chance.random() < 0.15
        self.seats = 2 if self.five else chance.choice((2, 2, 3, 4))
        self.muggins = chance.choice(("off", "underclaim", "underclaim", "full", "full"))
        self.cap = chance.random() < 0.4
        self.as_hand = chance.random() < 0.2
        self.known = chance.random() < 0.6
        self.target = 61 if self.five else 121
        self.dealer = chance.randint(1, self.seats)
        self.scores = [0] * (2 if self.seats == 4 else self.seats)
        self.claims: list[Claim] = []
        self.reached: list[tuple[int, Claim | None]] = []
        """The sides at the target in order of arrival, with the claim that brought each of them."""
        self.expected: list[Expected] = []
        self.figures: Counter[str] = Counter()
        self._earned: Counter[int] = Counter()
        self._differences: list[tuple[int, int]] = []
        self._play()
        self.claims = []  # the end of the record closes the windows

    def side(self, seat: int) -> int:
        return (seat - 1) % len(self.scores)

    @property
    def winner(self) -> int | None:
        """Return the first side to reach the target, unless its claim may still be called (7.3)."""
        if not self.reached:
            return None
        side, claim = self.reached[0]
        return None if claim in self.claims else side

    @property
    def closed(self) -> bool:
        """Return whether nothing more can score: the game is won, or will be if a claim stands."""
        return bool(self.reached)

    @property
    def shown(self) -> list[int]:
        """Return the scores; optionally the winner's stops at the target."""
        capped = self.cap and not self.claims
        return [
            self.target if capped and side == self.winner else points
            for side, points in enumerate(self.scores)
        ]

    def _say(self, line: str, refused: str | None = None) -> None:
        earned = {seat: points for seat, points in self._earned.items() if points}
        self.expected.append(Expected(line, refused, earned, self.shown, self._differences))
        self._earned, self._differences = Counter(), []

    def _score(self, seat: int, points: int, claim: Claim | None = None) -> None:
        side = self.side(seat)
        before, after = self.scores[side], self.scores[side] + points
        self.scores[side] = after
        self._earned[seat] += points
        if before < self.target <= after:
            self.reached.append((side, claim))
            self.figures["second to reach the target"] += len(self.reached) > 1
        if after < self.target:
            self.reached = [one for one in self.reached if one[0] != side]

    def _call(self, seat: int, points: int | None) -> None:
        """Call `N muggins [POINTS]`: the latest wrong claim of another side, with the
        difference."""
        line = f"{seat} muggins" + ("" if points is None else f" {points}")
        if not self.claims:
            self._say(line, "no-claim-open" if self.winner is None else "game-over")
            return
        others = [claim for claim in self.claims if self.side(claim.seat) != self.side(seat)]
        if not others:
            self._say(line, "own-claim")
            return
        for claim in reversed(others):
            short = claim.true - claim.said
            if not short or points not in (None, abs(short)):
                continue
            self.claims.remove(claim)
            self.figures["short" if short > 0 else "too high"] += 1
            if short > 0:
                self._score(seat, short)
            else:
                self._score(claim.seat, short)
                self._score(seat, 2 if self.muggins == "full" else 0)
            self._differences.append((claim.said, claim.true))
            break
        self._say(line)

    def _calls(self) -> None:
        """Let anybody call, whether rightly or wrongly."""
        chance = self.chance
        while chance.random() < (0.55 if self.claims else 0.02):
            short = [abs(claim.true - claim.said) for claim in self.claims] + [chance.randint(1, 5)]
            said = chance.choice(short) or None if chance.random() < 0.4 else None
            self._call(chance.randint(1, self.seats), said)

    def _claim(self, true: int, most: int) -> int | None:
        chance = self.chance
        if chance.random() < 0.45:
            return None
        low, high = max(0, true - chance.randint(1, max(1, true))), true + chance.randint(1, 4)
        return min(most, chance.choice((true, low, high, chance.choice((high, high, most)))))

    def _line(self, seat: int, words: str, true: int, *, most: int = 29, last: int = 0) -> bool:
        """Enter a line of the play or the show, and the calls after it. Return False at the game's
        end. `last` is the player whose last card it counts, if the gos before were not said."""
        start, go = f"{seat} {words}", words == "go"
        if self.winner is not None or (self.closed and not go):
            self._say(start, "game-over")
            return False
        if self.chance.random() < 0.03:
            self._say(f"{start} = {most + self.chance.randint(1, 3)}", "claim-too-high")
        if not go:
            self._close()
        self._score(last or seat, 1 if last else 0)
        said = self._claim(true, most)
        if said is None or self.muggins == "off":
            self._differences += [] if said in (None, true) else [(said or 0, true)]
            self._score(seat, true)
        else:
            claim = Claim(seat, said, true)
            self.claims.append(claim)
            self._score(seat, said, claim)
        self._say(start if said is None else f"{start} = {said}")
        self._calls()
        return True

    def _close(self) -> None:
        wrong = [claim for claim in self.claims if claim.said != claim.true]
        self._differences += [(claim.said, claim.true) for claim in wrong]
        self.claims = []

    def _play(self) -> None:
        self._say(f"game {'five-card-cribbage' if self.five else 'cribbage'}")
        if self.chance.random() < 0.3:
            self.target = self.chance.randrange(31, 122)
            self._say(f"set target {self.target}")
        self._say(f"set muggins {self.muggins}")
        self._say(f"set cap_final_score {'on' if self.cap else 'off'}")
        self._say(f"set crib_flush {'as_hand' if self.as_hand else 'five_only'}")
        for seat in range(1, self.seats + 1):
            self._say(f"seat {seat} P{seat}")
        if self.chance.random() < 0.8:
            least = max(0, self.target - 45)
            self.scores = [self.chance.randrange(least, self.target) for _ in self.scores]
            self._say("start " + " ".join(map(str, self.scores)))
        self._say(f"dealer {self.dealer}")
        while self._deal():
            self.dealer = self.dealer % self.seats + 1

    def _order(self) -> list[int]:
        """Return the seats from the dealer's left."""
        return [(self.dealer + place) % self.seats + 1 for place in range(self.seats)]

    def _deal(self) -> bool:
        if self.closed:
            self._say("deal", "game-over")
            return False
        self._close()
        if self.five and not any(one.line == "deal" for one in self.expected):
            self._score(self._order()[0], 3)
        self._say("deal")
        if self.winner is not None:
            return False
        pack = [(rank, suit) for rank in range(1, 14) for suit in range(4)]
        self.chance.shuffle(pack)
        keep, thrown = 3 if self.five else 4, 2 if self.seats == 2 else 1
        hands = {seat: [pack.pop() for _ in range(keep)] for seat in self._order()}
        away = {seat: [pack.pop() for _ in range(thrown)] for seat in hands}
        crib = [card for cards in away.values() for card in cards]
        straight = [pack.pop()] if self.seats == 3 else []
        starter = pack.pop()
        if self.known:
            for seat in hands:
                self._say(f"{seat} hand {spell(hands[seat] + away[seat])}")
            for card in straight:
                self._say(f"crib {spell([card])}")
            for seat in hands:
                self._say(f"{seat} discard {spell(away[seat])}")
        self._score(self.dealer, 2 if starter[0] == JACK else 0)
        self._say(f"starter {spell([starter])}")
        self._calls()
        return self._pegging({seat: list(hand) for seat, hand in hands.items()}) and self._show(
            hands, crib + straight, starter
        )

    def _show(self, hands: dict[int, list[Card]], crib: list[Card], starter: Card) -> bool:
        for seat, cards, verb in (
            *((seat, hands[seat], "show") for seat in self._order()),
            (self.dealer, crib, "crib"),
        ):
            ranks, suits = zip(*cards, starter, strict=True)
            five_only = verb == "crib" and not self.as_hand
            true = rank_points(ranks) + suit_points(ranks, suits, crib=five_only)
            again = self.chance.random() < 0.5 or not self.known
            words = f"{verb} {spell(cards)}" if again else verb
            most = 20 if self.five and verb == "show" else 29
            if not self._line(seat, words, true, most=most):
                return False
        return True

    def _pegging(self, held: dict[int, list[Card]]) -> bool:
        """Play, and return False if the game ends in the play."""
        due = self._order()[0]
        unsaid = 0
        while any(held.values()):
            while not held[due]:
                due = due % self.seats + 1
            series: list[int] = []
            gone: set[int] = set()
            last = due
            while True:
                fits = [c for c in held[due] if sum(map(value, series)) + value(c[0]) <= 31]
                more = {seat for seat in held if held[seat]} - gone - ({due} if not fits else set())
                if not fits:
                    gone.add(due)
                    point = 0 if more else 1
                    wins = point and self.scores[self.side(last)] + 1 >= self.target
                    silent = not (more or wins or self.closed or self.five)
                    if silent and any(held.values()) and self.chance.random() < 0.2:
                        unsaid = last
                    elif not self._go(due, last, point):
                        return False
                else:
                    card = max(fits, key=lambda c: peg_points([*series, c[0]]))
                    if self.chance.random() < 0.6:
                        card = self.chance.choice(fits)
                    held[due].remove(card)
                    series.append(card[0])
                    more = {seat for seat in held if held[seat]} - gone
                    full = sum(map(value, series)) == 31
                    own = unsaid == due
                    points = peg_points(series) + own
                    before = self.scores[self.side(due)] + (
                        1 if unsaid and not own and self.side(unsaid) == self.side(due) else 0
                    )
                    points += not (full or more or before + points >= self.target)
                    other = 0 if own else unsaid
                    if not self._line(due, f"play {spell([card])}", points, last=other):
                        return False
                    unsaid, last = 0, due
                    more = set() if full else more
                if not more:
                    break
                due = due % self.seats + 1
                while due not in more:
                    due = due % self.seats + 1
            if self.five:
                return True
            due = last % self.seats + 1
        return True

    def _go(self, seat: int, last: int, point: int) -> bool:
        """Enter a go that must be said. Its point belongs to the last player, the only one who may
        claim it."""
        if not point or seat == last:
            return self._line(seat, "go", point)
        if self.winner is not None:
            self._say(f"{seat} go", "game-over")
            return False
        if self.chance.random() < 0.1:
            self._say(f"{seat} go = {self.chance.randrange(3)}", "claim-not-yours")
        self._score(last, point)
        self._say(f"{seat} go")
        self._calls()
        return True
