"""An independent implementation of Pinochle for three and four, written literally from its rules.

Its only goal is to be obviously correct. The rules are docs/rules/pinochle-3-4.md. Cards are words
like `TH`; it uses nothing of boardctl.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

ORDER = "ATKQJ9"
FOURS = {"A": (100, 1000), "K": (80, 800), "Q": (60, 600), "J": (40, 400)}
Play = tuple[int, str]


def classes(hand: Iterable[str], trump: str) -> list[list[tuple[int, tuple[str, ...]]]]:
    """Return the melds of a hand in each class, each with its number (1.4)."""
    held = Counter(hand)
    flush = tuple(rank + trump for rank in "ATKQJ")
    flushes = min(held[card] for card in flush)
    marriages: list[tuple[int, tuple[str, ...]]] = [(flushes, flush)]
    for suit in "SHDC":
        pair = ("K" + suit, "Q" + suit)
        marriages.append((min(held[c] for c in pair) - flushes * (suit == trump), pair))
    pinochle = ("QS", "JD")
    found: list[list[tuple[int, tuple[str, ...]]]] = [marriages]
    found.append([(min(held[c] for c in pinochle), pinochle)])
    for rank in "AKQJ":
        four = tuple(rank + suit for suit in "SHDC")
        found.append([(min(held[c] for c in four), four)])
    found.append([(held["9" + trump], ("9" + trump,))])
    return found


def melds(hand: Sequence[str], trump: str, *, double: bool) -> int:
    """Return the melds of a hand (1.3)."""
    total = 0
    for melded in classes(hand, trump):
        for times, cards in melded:
            if len(cards) == 5:
                one, two = 150, 1500
            elif cards == ("QS", "JD"):
                one, two = 40, 300
            elif len(cards) == 4:
                one, two = FOURS[cards[0][0]]
            elif len(cards) == 2:
                one = 40 if cards[0][1] == trump else 20
                two = 2 * one
            else:
                one, two = 10, 20
            total += two if times == 2 and double else one * times
    return total


def in_no_meld(hand: Sequence[str], trump: str) -> Counter[str]:
    """Return the cards of a hand that are in no meld (4.3)."""
    used: Counter[str] = Counter()
    for melded in classes(hand, trump):
        here: Counter[str] = Counter()
        for times, cards in melded:
            for card in cards:
                here[card] += times
        used |= here
    return Counter(hand) - used


def may_lay_away(hand: Sequence[str], cards: Sequence[str], trump: str) -> bool:
    free = in_no_meld(hand, trump)
    if free.total() >= 3:
        return not Counter(cards) - free
    return not free - Counter(cards) and not Counter(cards) - Counter(hand)


def beats(card: str, other: str, trump: str) -> bool:
    """Return whether a card played later beats the best one before it; of two equal cards the first
    wins."""
    if card[1] == other[1]:
        return ORDER.index(card[0]) < ORDER.index(other[0])
    return card[1] == trump


def best(trick: Sequence[Play], trump: str) -> Play:
    held = trick[0]
    for play in trick[1:]:
        if beats(play[1], held[1], trump):
            held = play
    return held


def legal(trick: Sequence[Play], hand: Iterable[str], trump: str, *, always: bool) -> set[str]:
    """Return the legal plays (5.2 to 5.4)."""
    cards = set(hand)
    if not trick:
        return cards
    lead = trick[0][1][1]
    _, top = best(trick, trump)
    suited = {card for card in cards if card[1] == lead}
    over = {card for card in cards if beats(card, top, trump)}
    if suited:
        heading = lead == trump or (always and top[1] == lead)
        return (over & suited if heading else set()) or suited
    trumps = {card for card in cards if card[1] == trump}
    return (over & trumps if always else set()) or trumps or cards


def duty(trick: Sequence[Play], card: str, allowed: set[str], trump: str) -> str:
    """Return the code of the duty that a card breaks: to follow, beat, trump or overtrump."""
    lead = trick[0][1][1]
    if any(other[1] == lead for other in allowed):
        return "must-beat" if card[1] == lead else "must-follow"
    return "must-overtrump" if card[1] == trump else "must-trump"


def counters(cards: Iterable[str], options: Mapping[str, str]) -> int:
    """Return the counters (1.2)."""
    traditional = options["counters"] == "traditional"
    values = dict(
        zip("ATKQJ", (11, 10, 4, 3, 2) if traditional else (10, 10, 10, 0, 0), strict=True)
    )
    return sum(values.get(card[0], 0) for card in cards)


def settle(
    options: Mapping[str, str],
    before: Sequence[int],
    hands: Mapping[int, Sequence[str]],
    laid_away: Sequence[str],
    plays: Sequence[Play],
    bidder: int,
    bid: int,
    trump: str,
) -> tuple[int, ...]:
    """Return the scores after a deal (6). `hands` are as melded, the bidder's including the
    widow."""
    seats = len(hands)
    sides = 2 if seats == 4 else 3
    double = options["double_melds"] == "on" or (options["double_melds"] == "auto" and seats == 4)

    def side(seat: int) -> int:
        return (seat - 1) % sides + 1

    taken, melded, won = [0] * (sides + 1), [0] * (sides + 1), set()
    for seat, hand in hands.items():
        melded[side(seat)] += melds(hand, trump, double=double)
    for start in range(0, len(plays), seats):
        trick = plays[start : start + seats]
        holder = side(best(trick, trump)[0])
        won.add(holder)
        taken[holder] += counters((card for _, card in trick), options)
    taken[holder] += 10
    mine = side(bidder)
    taken[mine] += counters(laid_away, options)
    scores = list(before)
    for one in range(1, sides + 1):
        own = melded[one] if one in won else 0
        if one == mine:
            made = taken[one] + (melded[one] if seats == 3 else own)
            if made >= bid:
                bid_only = seats == 3 and options["bidder_scores"] == "bid"
                scores[one - 1] += bid if bid_only else made
                continue
            price = bid
            if seats == 3:
                price = 0 if options["failed"] == "zero" else bid
                price *= 2 if options["double_bete"] == "on" else 1
            after = scores[one - 1] - price
            scores[one - 1] = max(0, after) if options["below_zero"] == "off" and price else after
        elif seats == 4 or options["others_score"] == "melds_and_tricks":
            scores[one - 1] += taken[one] + own
        elif options["others_score"] == "tricks":
            scores[one - 1] += taken[one]
    return tuple(scores)
