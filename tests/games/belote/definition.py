"""An independent implementation of Belote, written literally from docs/rules/belote.md.

Its only goal is to be obviously correct. Cards are words like `TH`; it uses nothing of boardctl.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

TRUMPS = "J9ATKQ87"
PLAIN = "ATKQJ987"
RUNS = "AKQJT987"
SQUARES = {"J": 200, "9": 150, "A": 100, "T": 100, "K": 100, "Q": 100}
Play = tuple[int, str]
Piece = tuple[str, tuple[str, ...], int]
"""`square` or `run`, its cards from highest to lowest, its points."""


NO_TRUMP_SQUARES = {"A": 200, "T": 150, "K": 100, "Q": 100, "J": 100}


def value(card: str, trump: str, ace: int = 11) -> int:
    """Return the value of a card (1.3, 1.5); `ace` is the value of an ace at no trumps."""
    rank, suit = card[0], card[1]
    if trump in (suit, "all-trump") and rank in "J9":
        return 20 if rank == "J" else 14
    if trump == "no-trump" and rank == "A":
        return ace
    return {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(rank, 0)


def beats(card: str, other: str, trump: str) -> bool:
    """Return whether a card played later beats the best one before it."""
    if card[1] == other[1]:
        order = TRUMPS if trump in (card[1], "all-trump") else PLAIN
        return order.index(card[0]) < order.index(other[0])
    return card[1] == trump


def best(trick: Sequence[Play], trump: str) -> Play:
    held = trick[0]
    for play in trick[1:]:
        if beats(play[1], held[1], trump):
            held = play
    return held


def legal(
    trick: Sequence[Play], hand: Iterable[str], seat: int, trump: str, *, four: bool, must: bool
) -> set[str]:
    """Return the legal plays (6.2 to 6.6); `must` is the option undertrump."""
    cards = set(hand)
    if not trick:
        return cards
    lead = trick[0][1][1]
    holder, top = best(trick, trump)
    suited = {card for card in cards if card[1] == lead}
    trumps = {card for card in cards if card[1] == trump}
    over = {card for card in trumps if top[1] != trump or beats(card, top, trump)}
    if suited and trump == "all-trump":
        higher = {card for card in suited if beats(card, top, trump)}
        return higher or suited
    if suited:
        return (over or suited) if lead == trump else suited
    partner = four and (holder - seat) % 2 == 0
    if partner or not trumps:
        return cards
    if over:
        return over
    return trumps if must else cards


def duty(trick: Sequence[Play], card: str, allowed: set[str], trump: str) -> str:
    """Return the code of the duty that a card breaks: to follow, beat, trump or overtrump."""
    lead = trick[0][1][1]
    if any(other[1] == lead for other in allowed):
        return "must-beat" if card[1] == lead else "must-follow"
    return "must-overtrump" if card[1] == trump else "must-trump"


def pieces(hand: Iterable[str], options: Mapping[str, str], trump: str) -> list[Piece]:
    """Return the declarations of a hand (4.1, 4.2, 4.5)."""
    held = set(hand)
    squares = [
        ("square", tuple(rank + suit for suit in "SHDC"), points)
        for rank, points in (NO_TRUMP_SQUARES if trump == "no-trump" else SQUARES).items()
        if all(rank + suit in held for suit in "SHDC")
    ]
    stretches = []
    for suit in "SHDC":
        marks = "".join(rank if rank + suit in held else " " for rank in RUNS)
        stretches += [tuple(rank + suit for rank in part) for part in marks.split()]
    whole = [run(cards) for cards in stretches if len(cards) >= 3]
    if options["shared_cards"] == "allowed":
        return squares + whole
    parts = [
        run(cards[start:end])
        for cards in stretches
        for start in range(len(cards))
        for end in range(start + 3, len(cards) + 1)
    ]
    chosen: list[Piece] = []
    rank: Any = (0,)
    for size in (1, 2, 3):
        for some in combinations(squares + parts, size):
            laid = [card for piece in some for card in piece[1]]
            if len(laid) != len(set(laid)):
                continue
            now = (sum(p[2] for p in some), max(strength(p, options, trump) for p in some))
            if now > rank:
                chosen, rank = list(some), now
    return chosen


def run(cards: tuple[str, ...]) -> Piece:
    return "run", cards, {3: 20, 4: 50}.get(len(cards), 100)


def strength(piece: Piece, options: Mapping[str, str], trump: str) -> Any:
    """Return the sort key of a declaration (4.3): the greater one wins."""
    kind, cards, points = piece
    if kind == "square":
        order = "J9ATKQ" if options["square_order"] == "trick" else "J9AKQT"
        if trump == "no-trump":
            order = "ATKQJ"
        return 2, -order.index(cards[0][0])
    return 1, points, -RUNS.index(cards[0][0]), cards[0][1] == trump


def contest(
    hands: Mapping[int, Iterable[str]], eldest: int, options: Mapping[str, str], trump: str
) -> dict[int, int]:
    """Return the declared points by side (4.3, 4.4)."""
    seats = len(hands)
    order = [(eldest - 1 + n) % seats + 1 for n in range(seats)]
    found = [
        (strength(piece, options, trump), seat, piece[2])
        for seat in order
        for piece in pieces(hands[seat], options, trump)
    ]
    none = {1: 0, 2: 0}
    if options["declarations"] == "off" or not found:
        return none
    top = max(found, key=lambda one: one[0])[0]
    owners = [(seat - 1) % 2 + 1 for some, seat, _ in found if some == top]
    if len(set(owners)) > 1 and options["declaration_tie"] == "none":
        return none
    return none | {
        owners[0]: sum(points for _, seat, points in found if (seat - 1) % 2 + 1 == owners[0])
    }


def tricks(plays: Sequence[Play], seats: int) -> Iterator[Sequence[Play]]:
    for start in range(0, len(plays), seats):
        yield plays[start : start + seats]


def settle(
    options: Mapping[str, str],
    plays: Sequence[Play],
    declared: Mapping[int, int],
    taker: int,
    trump: str,
    *,
    seats: int,
    bid: int = 0,
    times: int = 1,
    held: int = 0,
) -> tuple[dict[int, int], int]:
    """Return each side's score for a deal, including points carried over, and the points carried on
    (7, 8).

    Args:
        bid: of Coinche, 250 for capot. times: the multiplier of coinche and surcoinche.
        held: points carried over from earlier deals.
    """
    taken = {1: 0, 2: 0}
    won: set[int] = set()
    side = 0
    for trick in tricks(plays, seats):
        side = (best(trick, trump)[0] - 1) % 2 + 1
        won.add(side)
        taken[side] += sum(value(card, trump, int(options["no_trump_ace"])) for _, card in trick)
    bonus = {"252": 100, "250": 98, "off": 10}[options["capot"]]
    taken[side] += bonus if len(won) == 1 else 10
    royal = {1: 0, 2: 0}
    hands: dict[int, set[str]] = {}
    for seat, card in plays:
        hands.setdefault(seat, set()).add(card)
    for seat, cards in hands.items():
        for suit in "SHDC":
            if trump in (suit, "all-trump") and {"K" + suit, "Q" + suit} <= cards:
                royal[(seat - 1) % 2 + 1] += 20
    mine = (taker - 1) % 2 + 1
    theirs = 3 - mine

    def weighed(part: int) -> int:
        points = taken[part]
        if options["contract_counts"] in ("cards_belote", "all"):
            points += royal[part]
        if options["contract_counts"] in ("cards_declarations", "all"):
            points += declared[part]
        return points

    def total(part: int) -> int:
        return taken[part] + declared[part] + royal[part]

    made: bool | None = weighed(mine) > weighed(theirs)
    if bid:
        enough = weighed(mine) >= bid
        made = enough and (weighed(mine) > weighed(theirs) or options["must_exceed"] == "off")
        if bid == 250:
            made = False
    elif weighed(mine) == weighed(theirs) and options["tie"] != "inside":
        made = None
    if len(won) == 1:
        made = mine in won
    kept = declared[mine] if options["failed_declarations"] == "kept" else 0
    whole = {"all-trump": 258, "no-trump": 130}.get(trump, 162)
    if trump == "no-trump" and options["no_trump_ace"] == "19":
        whole = 162
    lost = whole
    if bid and options["failed_tricks"] == "taken" and (bid == 250 or won == {theirs}):
        lost = whole + 90
    if bid and options["failed_tricks"] == "160":
        lost = {258: 250, 130: 130, 162: 160}[whole]
    if not bid:
        lost = sum(taken.values())
    if made is None:
        wait = taken[mine] + declared[mine] if options["tie"] == "litige" else 0
        scored = {mine: royal[mine], theirs: total(theirs)}
        return rounded(scored, options), held + wait
    flat = bid == 250 and options["capot_bid"] == "500"
    if times > 1 and made and options["doubled_defence"] == "keeps":
        doubled = taken[mine] + bid * times
        if options["double_counts"] == "all":
            doubled = (taken[mine] + bid) * times
        if flat:
            doubled = 500 * times
        scored = {mine: doubled + declared[mine] + royal[mine], theirs: total(theirs)}
        scored[mine] += held
        return rounded(scored, options), 0
    if flat and times == 1:
        if made:
            scored = {mine: 500 + declared[mine] + royal[mine], theirs: total(theirs)}
        else:
            scored = {mine: kept + royal[mine], theirs: 500 + declared[theirs] + royal[theirs]}
            scored[theirs] += declared[mine] - kept
    elif times == 1:
        if made:
            scored = {mine: total(mine) + bid, theirs: total(theirs)}
        else:
            scored = {mine: kept + royal[mine], theirs: lost + bid + total(theirs) - taken[theirs]}
            scored[theirs] += declared[mine] - kept
    else:
        winner, loser = (mine, theirs) if made else (theirs, mine)
        base = sum(taken.values()) if made and options["failed_tricks"] != "160" else lost
        left = declared[loser] if options["failed_declarations"] == "kept" else 0
        doubled = (base + bid) * times if options["double_counts"] == "all" else base + bid * times
        if flat:
            doubled = 500 * times
        scored = {
            winner: doubled + declared[winner] + declared[loser] - left + royal[winner],
            loser: left + royal[loser],
        }
    beaten = theirs if made else mine
    only_belote = scored[beaten] == royal[beaten] and (not made or times > 1)
    if options["failed_belote"] == "opponents" and only_belote:
        scored[3 - beaten] += scored[beaten]
        scored[beaten] = 0
    scored[mine if made else theirs] += held
    return rounded(scored, options), 0


def rounded(scored: dict[int, int], options: Mapping[str, str]) -> dict[int, int]:
    """Return points rounded to tens (7.5)."""
    if options["round"] == "off":
        return scored
    return {side: (points + 5) // 10 * 10 for side, points in scored.items()}
