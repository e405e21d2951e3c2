"""Generate `tables.json` for the computer player.

    python -m tools.bot_tables > boardctl/bot/tables.json

It works in four steps, each using the previous one:

1. `kept`: for all 18,395 sets of ranks that six cards can have, each role's best throw by `advice`
  (on ranks: kept cards over all starters, crib over all starters and throws), counted by how many
  deals have these ranks. Exact.
2. `pegging`: every hand that the pone keeps against every hand that the dealer keeps, played out by
  two cautious players (`series`), weighted by the frequency of both and by the number of pairs of
  hands with these ranks in a pack. Exact for these players.
3. `pegged` and `shows` of hands and cribs: DEALS random deals, thrown as in step 1 with the net
  points of the play added, played out as in step 2 and counted by cards. Sampled: the seed is
  fixed, so the same command gives the same file.
4. `win`: for every pair of scores below 121, from the highest down, the chance that the dealer of
  the next deal wins. For each deal of step 3, either one side reaches 121 first, or the chance is
  that of the scores after the deal, with the other side dealing. Dynamic programming: a deal always
  pegs a point, so a pair of scores depends only on higher ones. Between four seeds a chance has a
  standard deviation of 0.0002 (root mean square over all pairs of scores), 0.0015 at most.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, combinations
from math import comb, prod
from operator import mul
from random import Random
from typing import Final

from boardctl.bot.advice import chances, crib_points, weigh
from boardctl.bot.series import RANKS, code, pegged
from boardctl.bot.tables import CODES, DEALER, HANDS, MOST_PEGGED, PLACE, PONE, TARGET, UNIT, WAYS
from boardctl.bot.totals import RANK_KEYS, RANK_ROWS, total
from tools.throw_chances import sixes

DEALS: Final = 200_000
SEED: Final = 1
ABOUT: Final = (
    "the tables of boardctl.bot.tables, made by python -m tools.bot_tables; MIT, as the program"
)
_TIE: Final = 1e-9

Six = tuple[int, ...]
Throws = dict[Six, tuple[int, int]]
"""By six ranks, the two ranks thrown."""
Events = list[tuple[bool, int]]
"""A sequence of (whether the dealer scored, points)."""


def worths(ranks: Six, role: int) -> dict[tuple[int, int], float]:
    """Return the value of throwing each pair of ranks: kept cards plus or minus crib."""
    opponent = chances("pone" if role == DEALER else "dealer")
    left = [4 - ranks.count(rank) for rank in RANKS]
    weights, _ = weigh(left, opponent)
    sign = 1 if role == DEALER else -1
    found = {}
    for one, two in set(combinations(ranks, 2)):
        row = RANK_ROWS[sum(RANK_KEYS[rank] for rank in without(ranks, one, two))]
        hand = sum(map(mul, row, left)) / sum(left)
        found[one, two] = hand + sign * sum(map(mul, weights, crib_points(one, two)))
    return found


def without(ranks: Six, one: int, two: int) -> Six:
    """Return the four kept ranks."""
    kept = list(ranks)
    kept.remove(one)
    kept.remove(two)
    return tuple(kept)


def keep(worth: dict[Six, dict[tuple[int, int], float]]) -> list[float]:
    """Step 1: return how often each hand is kept, summing to 1. Throws of equal value share the
    frequency."""
    found = [0.0] * len(HANDS)
    for ranks, values in worth.items():
        best = max(values.values())
        pairs = [pair for pair, value in values.items() if value > best - _TIE]
        deals = prod(comb(4, ranks.count(rank)) for rank in set(ranks)) / len(pairs)
        for pair in pairs:
            found[PLACE[without(ranks, *pair)]] += deals
    return [number / comb(52, 6) for number in found]


def play(kept: Sequence[Sequence[float]]) -> list[list[tuple[float, float]]]:
    """Step 2: return the mean points of each role and of the opponent, by role and hand."""
    points = [[0.0] * len(HANDS) for _ in range(4)]
    weights = [[0.0] * len(HANDS) for _ in range(2)]
    for pone, pone_hand in enumerate(HANDS):
        free = [4 - pone_hand.count(rank) for rank in RANKS]
        for dealer, dealer_hand in enumerate(HANDS):
            pairs = ways(dealer_hand, free) / WAYS[dealer]
            if not pairs:
                continue
            earned = [0, 0]
            for side, number in pegged(CODES[pone], CODES[dealer]):
                earned[side] += number
            for role, hand, weight in (
                (PONE, pone, pairs * kept[DEALER][dealer]),
                (DEALER, dealer, pairs * kept[PONE][pone]),
            ):
                weights[role][hand] += weight
                points[2 * role][hand] += weight * earned[role]
                points[2 * role + 1][hand] += weight * earned[1 - role]
    return [
        [
            (own / weight, other / weight)
            for own, other, weight in zip(
                points[2 * role], points[2 * role + 1], weights[role], strict=True
            )
        ]
        for role in (PONE, DEALER)
    ]


def ways(hand: Sequence[int], free: Sequence[int]) -> int:
    """Return the number of card hands with these ranks if `free` cards of each rank are
    available."""
    return prod(comb(free[rank], hand.count(rank)) for rank in set(hand))


def throws(
    worth: dict[Six, dict[tuple[int, int], float]], pegging: Sequence[tuple[float, float]]
) -> Throws:
    """Return the best throw of every six ranks, including the net points of the play."""
    found = {}
    for ranks, values in worth.items():
        best = {}
        for pair, value in values.items():
            own, other = pegging[PLACE[without(ranks, *pair)]]
            best[pair] = value + own - other
        found[ranks] = max(best, key=lambda pair: best[pair])
    return found


def deals(thrown: Sequence[Throws], number: int, seed: int) -> Iterator[tuple[int, Events]]:
    """Step 3: yield random deals: the starter's rank, and the sequence of points earned."""
    random = Random(seed)
    pack = range(52)
    for _ in range(number):
        cards = random.sample(pack, 13)
        crib: list[int] = []
        hands = []
        for role, six in ((PONE, cards[:6]), (DEALER, cards[6:12])):
            four = sorted(six, key=lambda card: card % 13)
            for rank in thrown[role][tuple(card % 13 for card in four)]:
                crib.append(next(card for card in four if card % 13 == rank))
                four.remove(crib[-1])
            hands.append(four)
        starter = cards[12]
        codes = [code([card % 13 for card in hand]) for hand in hands]
        events = [(True, 2)] if starter % 13 == 10 else []
        events += pegged(codes[PONE], codes[DEALER])
        for dealers, four in ((False, hands[PONE]), (True, hands[DEALER])):
            events.append((dealers, total(four[0], four[1], four[2], four[3], starter)))
        events.append((True, total(crib[0], crib[1], crib[2], crib[3], starter, crib=True)))
        yield starter % 13, events


def win(dealt: Sequence[Events]) -> list[list[float]]:
    """Step 4: return the dealer's chance of winning from each pair of scores (dealer's, pone's)."""
    first = _first([*dealt])
    ends = Counter(
        (
            sum(points for dealers, points in events if dealers),
            sum(points for dealers, points in events if not dealers),
        )
        for events in dealt
    )
    cells = [(dealer, pone, times / len(dealt)) for (dealer, pone), times in sorted(ends.items())]
    found = [[0.0] * TARGET for _ in range(TARGET)]
    for both in range(2 * TARGET - 2, -1, -1):
        for dealer in range(max(0, both - TARGET + 1), min(TARGET, both + 1)):
            pone = both - dealer
            needs, other = TARGET - dealer, TARGET - pone
            chance = first[min(needs, _FAR)][min(other, _FAR)]
            for more, others, share in cells:
                if more < needs and others < other:
                    chance += share * (1 - found[pone + others][dealer + more])
            found[dealer][pone] = chance
    return found


_FAR: Final = 90
"""An upper limit of the points in a deal for either side."""


def _first(dealt: Sequence[Events]) -> list[list[float]]:
    """Return how often the dealer gets the required points first within one deal, by the points
    that dealer and pone need."""
    change = [[0] * (_FAR + 2) for _ in range(_FAR + 2)]
    for events in dealt:
        have = [0, 0]
        for dealers, points in events:
            if dealers and points:
                # If the pone needs more, the dealer reaches every need up to here first.
                change[have[1] + 1][have[0] + 1] += 1
                change[have[1] + points + 1][have[0] + 1] -= 1
            have[dealers] += points
    for row in change:
        row[:] = accumulate(row)
    columns = list(map(accumulate, zip(*change, strict=True)))
    return [[times / len(dealt) for times in row] for row in zip(*columns, strict=True)]


def make(number: int, seed: int, tell: Callable[[str], object]) -> dict[str, list[list[int]]]:
    """Return all tables in the form of the file."""
    worth = [{ranks: worths(ranks, role) for ranks in sixes()} for role in (PONE, DEALER)]
    kept = [keep(worth[role]) for role in (PONE, DEALER)]
    tell("kept\n")
    pegging = play(kept)
    tell("pegging\n")
    thrown = [throws(worth[role], pegging[role]) for role in (PONE, DEALER)]
    dealt = list(deals(thrown, number, seed))
    tell("deals\n")
    played: Counter[tuple[int, int]] = Counter()
    shown = [[[0] * 30 for _ in RANKS] for _ in range(3)]
    for starter, events in dealt:
        heels = starter == 10
        pegs = [0, 0]
        for dealers, points in events[heels:-3]:
            pegs[dealers] += points
        played[min(pegs[PONE], MOST_PEGGED), min(pegs[DEALER], MOST_PEGGED)] += 1
        for which in range(3):
            shown[which][starter][events[which - 3][1]] += 1
    chance = win([events for _, events in dealt])
    tell(f"win, first dealer's share {chance[0][0]:.4f}\n")
    found = {"win": [[round(UNIT * some) for some in row] for row in chance]}
    found["pegged"] = [[*pegs, round(UNIT * n / number)] for pegs, n in sorted(played.items())]
    for role, name in enumerate(("pone", "dealer")):
        found[f"kept {name}"] = [[round(UNIT * share) for share in kept[role]]]
        found[f"pegging {name}"] = [
            [round(100 * both[side]) for both in pegging[role]] for side in (0, 1)
        ]
    for which, name in enumerate(("pone", "dealer", "crib")):
        found[f"shows {name}"] = [
            [round(UNIT * times / sum(row)) for times in row] for row in shown[which]
        ]
    return found


def as_json(found: dict[str, list[list[int]]], about: str = ABOUT) -> str:
    """Return the file's text, one row per line."""
    parts = [f' "about": {json.dumps(about)}']
    for name, rows in sorted(found.items()):
        lines = ",\n".join("  " + json.dumps(row, separators=(",", ":")) for row in rows)
        parts.append(f" {json.dumps(name)}: [\n{lines}\n ]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(as_json(make(DEALS, SEED, sys.stderr.write)))
