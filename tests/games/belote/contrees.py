"""Deals of Coinche that colver deals, plays at random and scores.

colver (pypi.org/project/colver) follows the federation's contrée; the options are those of that
named table. It gives the legal actions and both sides' points. The records of
`records-colver.jsonl` are from here, with colver 0.11.1:

    python -m tests.games.belote.contrees > tests/vectors/records-colver.jsonl
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any, Final

from tests.games.written import Sheet, write

DEALS: Final = 60
SEED: Final = 20261129
SUITS: Final = "SHDC"
RANKS: Final = "789JQKTA"
CAPOT: Final = 37
COINCHE: Final = 41
OPTIONS: Final = {
    "bidding": "coinche",
    "declarations": "off",
    "tie": "inside",
    "failed_belote": "opponents",
    "undertrump": "free",
    "surcoinche": "3",
    "must_exceed": "off",
}


def card(number: int) -> str:
    return RANKS[number % 8] + SUITS[number // 8]


def bid(action: int) -> str:
    """Return a bid of colver in the notation."""
    if action == 0:
        return "bid pass"
    if action >= COINCHE:
        return "coinche" if action == COINCHE else "surcoinche"
    if action >= CAPOT:
        return f"bid capot {SUITS[action - CAPOT]}"
    return f"bid {80 + (action - 1) // 4 * 10} {SUITS[(action - 1) % 4]}"


def deal(colver: Any, chance: Random) -> tuple[Sheet, list[int]]:
    """Play a deal that somebody takes, and return its sheet and its points by side."""
    pack = list(range(32))
    chance.shuffle(pack)
    hands = [pack[start : start + 8] for start in range(0, 32, 8)]
    dealer = chance.randrange(4)
    env = colver.Env.deal_with_hands(dealer=dealer, hands=hands)
    sheet = Sheet()
    sheet.begin("belote", 4, OPTIONS, dealer + 1)
    sheet.say("deal")
    for seat, hand in enumerate(hands, 1):
        sheet.say(f"{seat} hand {' '.join(map(card, hand))}")
    held = [set(hand) for hand in hands]
    while not env.is_terminal():
        seat, legal = env.current_player(), env.legal_actions()
        if env.phase() == 0:
            action = chance.choice(legal)
            if 0 in legal and chance.random() < 0.6:
                action = 0
            elif chance.random() < 0.7:  # low bids are more often made
                action = min(other for other in legal if other or len(legal) == 1)
            line = f"{seat + 1} {bid(action)}"
        else:
            barred = sorted(held[seat] - set(legal))
            if barred and chance.random() < 0.1:
                sheet.deny(f"{seat + 1} play {card(chance.choice(barred))}")
            action = chance.choice(legal)
            held[seat].remove(action)
            line = f"{seat + 1} play {card(action)}"
        env.step(action)
        if not env.is_terminal():
            sheet.say(line)
    points = [round(some) for some in env.rewards()]
    if any(held):
        return deal(colver, chance)  # all passed
    sheet.say(line, {1: points[0], 2: points[1]})
    return sheet, points


def records() -> list[dict[str, Any]]:
    """Return the records of all deals."""
    colver, chance = import_module("colver"), Random(SEED)
    rows = []
    for number in range(1, DEALS + 1):
        sheet, points = deal(colver, chance)
        winner = None if max(points) < 1000 else 1 + (points[1] > points[0])
        rows.append(sheet.row(f"colver-{number}", "colver 0.11.1", points, winner))
    return rows


if __name__ == "__main__":
    write(records())
