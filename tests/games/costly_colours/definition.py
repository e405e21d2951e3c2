"""An independent implementation of Costly Colours, written literally from its rules.

Its only goal is to be obviously correct. The rules are docs/rules/costly-colours.md. Cards are
words like `TH`; it uses nothing of boardctl.
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


def worth(card: str, starter: str) -> int:
    """Return the value of a jack or deuce: 2, or 4 in the starter's suit."""
    return 0 if card[0] not in "J2" else 4 if card[1] == starter[1] else 2


def pairs(alike: int, options: Mapping[str, str]) -> int:
    return ((0, 0, 2, 9, 18) if options["pairs"] == "9_18" else (0, 0, 2, 6, 12))[alike]


def colours(cards: Sequence[str], options: Mapping[str, str]) -> int:
    """Return the best of the colours of 5.2."""
    suit = max(sum(card[1] == one for card in cards) for one in "SHDC")
    red = sum(card[1] in "HD" for card in cards)
    if suit == 4:
        return 6
    if red in (0, 4) and options["colour_four"] == "full":
        return 5 if suit == 3 else 4
    if suit == 3:
        return 3
    return 2 if red != 2 else 0


def hand_points(
    hand: Sequence[str], starter: str, mogged: str | None, options: Mapping[str, str]
) -> int:
    """Return the points of a hand (5). `mogged` is the card that its giver has scored for."""
    cards = [*hand, starter]
    some = [part for size in (2, 3, 4) for part in combinations(cards, size)]
    points = sum(len(part) for part in some if count(part) in (15, 25, 31))
    points += sum(worth(card, starter) for card in hand if card != mogged)
    for rank in RANKS:
        if rank not in "J2" or options["jd_pairs"] == "on":
            points += pairs(sum(card[0] == rank for card in cards), options)
    return points + colours(cards, options)


def card_points(series: Sequence[str], options: Mapping[str, str]) -> int:
    """Return the points of a series's last card (4.2, 4.3)."""
    totals = {15, 25, 31} | ({30} if options["thirty"] == "on" else set())
    points = len(series) * (count(series) in totals)
    if options["play_pairs"] == "on":
        for alike in (4, 3, 2):
            if len(series) >= alike and len({card[0] for card in series[-alike:]}) == 1:
                points += pairs(alike, options)
                break
    if options["play_scores"] == "full":
        last = [series[-size:] for size in range(len(series), 2, -1)]
        points += next((len(part) for part in last if is_run(part)), 0)
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
    """Return the lines of a deal after its hands are entered, with random mogs and plays."""
    eldest = 3 - dealer
    left = {seat: list(cards) for seat, cards in hands.items()}
    yield f"starter {starter}", [(dealer, 4 * (starter[0] in "J2"))]
    given: dict[int, str] = {}
    scored: dict[int, str] = {}
    for seat in (eldest, dealer):
        if chance.random() < 0.3:
            yield f"{seat} no-mog", [(3 - seat, 1)]
            given = {}
            break
        given[seat] = chance.choice(left[seat])
        if seat == eldest:
            yield f"{seat} mog {given[seat]}", []
            continue
        both = [(one, worth(given[one], starter)) for one in (eldest, dealer)]
        yield f"{seat} mog {given[seat]}", both if options["mog_value"] == "on" else []
        if options["mog_value"] == "on":
            scored = {3 - one: card for one, card in given.items()}
    if len(given) == 2:
        for seat, card in given.items():
            left[seat].remove(card)
            left[3 - seat].append(card)
    shown = {seat: list(cards) for seat, cards in left.items()}
    yield from play(left, eldest, options, chance)
    for seat in (eldest, dealer):
        points = hand_points(shown[seat], starter, scored.get(seat), options)
        yield f"{seat} show", [(seat, points)]


def play(
    left: Mapping[int, list[str]], seat: int, options: Mapping[str, str], chance: Random
) -> Iterator[Line]:
    """Return the lines of the play (4)."""
    while left[1] or left[2]:
        series: list[str] = []
        passed: set[int] = set()
        last = 0
        if not left[seat]:
            seat = 3 - seat
        while True:
            able = [card for card in left[seat] if count([*series, card]) <= 31]
            other = 3 - seat
            if not able:
                passed.add(seat)
                if left[other] and other not in passed:
                    yield f"{seat} go", [(other, int(options["go_point"] == "on"))]
                    seat = other
                    continue
                yield f"{seat} go", [(last, 1)]
                break
            card = chance.choice(able)
            left[seat].remove(card)
            series.append(card)
            last, total = seat, count(series)
            earned = [(seat, card_points(series, options))]
            live = [one for one in (1, 2) if left[one] and one not in passed]
            if total == 31:
                extra = int(options["last_at_31"] == "on" and bool(passed))
                yield f"{seat} play {card}", [*earned, (seat, extra)]
                break
            if not live:
                yield f"{seat} play {card}", [*earned, (seat, 1)]
                break
            yield f"{seat} play {card}", earned
            seat = other if other in live else seat
        if options["series"] == "one":
            return
        seat = 3 - last
