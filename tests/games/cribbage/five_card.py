"""A second referee for five-card cribbage with penalties and misdeals, from the rules alone.

Source: docs/rules/cribbage.md 8 and 13. Counting and the play are those of `singles.py`, penalties
those of `penalised.py`, which are written likewise. The records of `records-five-card-games.jsonl`
are from it:

    python -m tests.games.cribbage.five_card > tests/vectors/records-five-card-games.jsonl
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from tests.games.cribbage.penalised import Penalised
from tests.games.cribbage.singles import JACK, Pip, counted, opening, series, spelt
from tests.games.written import write

RECORDS: Final = 60
SEED: Final = 20261129
TARGET: Final = 61
FOR_LAST: Final = 3


def three(hand: list[Pip], starter: Pip) -> int:
    """Return the points of three cards and the starter. Their flush is worth one point less than
    that of four (8.4)."""
    return counted(hand, starter, box=False) - (len({suit for _, suit in hand}) == 1)


def deal(game: Penalised, chance: Random, dealer: int, *, first: bool) -> None:
    """Play a deal up to its end or a win."""
    pone = 3 - dealer
    pack = [(rank, suit) for rank in range(1, 14) for suit in range(4)]
    chance.shuffle(pack)
    hands = {seat: [pack.pop() for _ in range(5)] for seat in (1, 2)}
    box: list[Pip] = []
    if not game.say("deal", (pone, FOR_LAST * first)):
        return
    for seat in (1, 2):
        if not game.say(f"{seat} hand {' '.join(map(spelt, hands[seat]))}"):
            return
    for seat in (pone, dealer):
        gone = [hands[seat].pop(chance.randrange(len(hands[seat]))) for _ in range(2)]
        box += gone
        if not game.say(f"{seat} discard {' '.join(map(spelt, gone))}"):
            return
    starter = pack.pop()
    heels = 2 if starter[0] == JACK else 0
    if not game.say(f"starter {spelt(starter)}", (dealer, heels)):
        return
    held = {seat: [*hand] for seat, hand in hands.items()}
    if not series(game, chance, held, pone, once=True):
        return
    for seat in (pone, dealer):
        if not game.say(f"{seat} show", (seat, three(hands[seat], starter))):
            return
    game.say(f"{dealer} crib", (dealer, counted(box, starter, box=True)))


def play(chance: Random, table: str) -> Penalised:
    """Play a game at random to its end."""
    dealer = chance.randint(1, 2)
    game = Penalised(TARGET, chance=chance, table=table, misdeals=False)
    opening(game, dealer, f"penalties {table}", "five-card-cribbage")

    def next_deal(dealer: int) -> None:
        deal(game, chance, dealer, first=not game.misdeals)
        game.misdeals = True

    game.play(dealer, next_deal)
    return game


def records(many: int = RECORDS, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records, with both tables of penalties in turn."""
    chance = Random(seed)
    rows = []
    for number in range(1, many + 1):
        game = play(chance, ("acc", "laws")[number % 2])
        rows.append(game.row(f"five-card-game-{number}", "cribbage.md 8 and 13, by five_card.py"))
    return rows


if __name__ == "__main__":
    write(records())
