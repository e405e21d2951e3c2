"""An independent implementation of Noddy, written literally from docs/rules/noddy.md.

Its only goal is to be obviously correct. Cards are words like `TH`; it uses nothing of boardctl.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

RANKS = "A23456789TJQK"


def count(cards: Sequence[str]) -> int:
    return sum(min(10, RANKS.index(card[0]) + 1) for card in cards)


def is_run(cards: Sequence[str]) -> bool:
    places = sorted(RANKS.index(card[0]) for card in cards)
    return places == list(range(places[0], places[0] + len(places)))


def hand_points(hand: Sequence[str], starter: str, options: Mapping[str, str]) -> int:
    """Return the points of a hand (3.2 to 3.5)."""
    cards = [*hand, starter]
    some = [part for size in (2, 3, 4) for part in combinations(cards, size)]
    per_card = options["points"] == "per_card"
    points = sum(len(part) if per_card else 2 for part in some if count(part) == 15)
    points += 2 * sum(one[0] == two[0] for one, two in combinations(cards, 2))
    runs = [len(part) for part in some if len(part) > 2 and is_run(part)]
    points += sum(length for length in runs if length == max(runs))
    flushes = [part for part in some if len(part) > 2 and len({card[1] for card in part}) == 1]
    if options["flush_hand"] == "hand_only":
        flushes = [part for part in flushes if set(hand) <= set(part)]
    points += max(map(len, flushes), default=0)
    return points + ("J" + starter[1] in hand)


def card_points(series: Sequence[str], options: Mapping[str, str]) -> int:
    """Return the points of a series's last card (4.3)."""
    points = 0
    total = count(series)
    if options["points"] == "per_card":
        points += len(series) * (total in (15, 25, 31))
    else:
        points += 2 * (total in (15, 31))
    for alike in (4, 3, 2):
        if len(series) >= alike and len({card[0] for card in series[-alike:]}) == 1:
            points += alike * (alike - 1)
            break
    last = [series[-size:] for size in range(len(series), 2, -1)]
    points += next((len(part) for part in last if is_run(part)), 0)
    if options["flush_play"] == "on":
        points += next((len(part) for part in last if len({c[1] for c in part}) == 1), 0)
    return points


Line = tuple[str, list[tuple[int, int]]]
"""A line, and the seats that score with their points, in order."""


def deal(
    hands: Mapping[int, Sequence[str]],
    starter: str,
    dealer: int,
    options: Mapping[str, str],
    chance: Random,
) -> Iterator[Line]:
    """Return the lines of a deal after its hands are entered, with random plays. Some gos that a
    later play implies are omitted."""
    seats = len(hands)
    order = [(dealer + n) % seats + 1 for n in range(seats)]
    yield f"starter {starter}", [(dealer, 2 * (starter[0] == "J"))]
    for seat in order:
        yield f"{seat} show", [(seat, hand_points(hands[seat], starter, options))]
    left = {seat: list(cards) for seat, cards in hands.items()}
    series: list[str] = []
    passed: set[int] = set()
    silent: list[Line] = []
    seat = last = order[0]
    while True:
        live = [one for one in order if left[one] and one not in passed]
        if not live:
            break
        while seat not in live:
            seat = seat % seats + 1
        able = [card for card in left[seat] if count([*series, card]) <= 31]
        if not able:
            passed.add(seat)
            over = len(live) == 1 or options["go"] == "ends_play"
            silent.append((f"{seat} go", [(last, int(over))]))
            if over:
                break
            continue
        if chance.random() < 0.7 or options["go"] == "ends_play":
            yield from silent
        silent = []
        card = chance.choice(able)
        left[seat].remove(card)
        series.append(card)
        last = seat
        points = card_points(series, options)
        if count(series) == 31:
            yield f"{seat} play {card}", [(seat, points)]
            return
        over = not any(left[one] for one in order if one not in passed)
        yield f"{seat} play {card}", [(seat, points), (seat, int(over))]
        if over:
            return
        seat = seat % seats + 1
    yield from silent
