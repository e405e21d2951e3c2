"""Play Coinche against colver, a program that follows the federation's rules.

    pip install colver==0.11.1
    python -m tools.bench.colver [--deals N] [--first K] [--seed S] [--level L]
        [--opponent rules|ismcts] [--same-bids] > some-rows.jsonl

Each deal is played twice, with the seats exchanged. colver deals, referees and keeps the score. Our
players receive their own hand, the bids and the played cards, in the notation. With `--same-bids`,
colver bids for all four players. Unlike ours, its rule-based player looks at all four hands. A row
is written after each deal. docs/colver.jsonl contains the rows that docs/notes/strength.md
summarizes (`tools.bot_page`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module, metadata
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final, NamedTuple

from boardctl.bot import search
from boardctl.record import notation
from boardctl.record.record import Record

ROWS: Final = Path(__file__).parents[2] / "docs" / "colver.jsonl"
_SUITS: Final = "SHDC"
_RANKS: Final = "789JQKTA"
_CAPOT: Final = 37
_COINCHE: Final = 41
_MILLISECONDS: Final = 10
_RULES: Final = (
    *("bidding coinche", "declarations off", "undertrump free", "surcoinche 3"),
    *("must_exceed off", "failed_belote opponents"),
)
"""colver's rules as options of the table."""


class Row(NamedTuple):
    """A deal. more: our side's points minus colver's, averaged over both seatings. ours, theirs:
    the contracts that each side took and made. slowest: our longest decision in CPU seconds."""

    opponent: str
    version: str
    same_bids: bool
    level: int
    seed: int
    number: int
    more: float
    ours: tuple[int, int]
    theirs: tuple[int, int]
    slowest: float


def card(number: int) -> str:
    """Return a card in the notation."""
    return _RANKS[number % 8] + _SUITS[number // 8]


def bid(action: int) -> str:
    """Return a bid in the notation."""
    if action == 0:
        return "bid pass"
    if action >= _COINCHE:
        return "coinche" if action == _COINCHE else "surcoinche"
    if action >= _CAPOT:
        return f"bid capot {_SUITS[action - _CAPOT]}"
    return f"bid {80 + (action - 1) // 4 * 10} {_SUITS[(action - 1) % 4]}"


class Ours:
    """Our player at one seat, from 0."""

    def __init__(self, seat: int, hand: Sequence[int], dealer: int, level: int, seed: str) -> None:
        self.record = Record()
        self._seat, self._level, self._seed = seat + 1, level, seed
        seats = (f"seat {number} {'ABCD'[number - 1]}" for number in (1, 2, 3, 4))
        rules = (f"set {rule}" for rule in _RULES)
        for line in ("game belote", *seats, *rules, f"dealer {dealer + 1}", "deal"):
            self.record.read(line)
        self.record.read(f"{seat + 1} hand {' '.join(map(card, hand))}")
        self.slowest = 0.0

    def line(self) -> str:
        """Return the player's decision, without the seat."""
        begun = process_time()
        random = Random(repr((self._seed, len(self.record.moves))))
        move = search.next_line(self.record, self._seat, self._level, random)
        self.slowest = max(self.slowest, process_time() - begun)
        assert move is not None
        return notation.spell(move).partition(" ")[2]


def played(
    colver: Any, hands: Any, dealer: int, ours: Sequence[int], chosen: Any, seed: str
) -> Any:
    """Play one deal, and return colver's rewards, the contract, and our slowest decision."""
    env = colver.Env.deal_with_hands(dealer=dealer, hands=hands)
    mine = {seat: Ours(seat, hands[seat], dealer, chosen.level, f"{seed}{seat}") for seat in ours}
    searching = False
    while not env.is_terminal():
        seat = env.current_player()
        bidding = env.phase() == 0
        names = {(bid if bidding else _play)(action): action for action in env.legal_actions()}
        if not bidding and not searching and chosen.opponent == "ismcts":
            env.smart_ismcts_init()
            searching = True
        if seat in mine and not (bidding and chosen.same_bids):
            line = mine[seat].line()
            while line == "belote":  # colver counts it automatically
                for player in mine.values():
                    player.record.read(f"{seat + 1} {line}")
                line = mine[seat].line()
            action = names[line]
        elif bidding:
            action = env.bid_improved_v2()
        elif searching:
            action = env.action_smart_ismcts(_MILLISECONDS)
        else:
            action = env.action_heuristic_play()
        line = f"{seat + 1} {(bid if bidding else _play)(action)}"
        for player in mine.values():
            player.record.read(line)
        (env.smart_ismcts_step if searching else env.step)(action)
    slowest = max(player.slowest for player in mine.values())
    return env.rewards(), env.get_contract(), slowest


def _play(action: int) -> str:
    return f"play {card(action)}"


def measured(colver: Any, chosen: Any, number: int) -> Row:
    """Measure a deal with our side at either pair of seats."""
    random = Random(repr(("colver", chosen.seed, number)))
    pack = list(range(32))
    random.shuffle(pack)
    hands = [sorted(pack[start : start + 8]) for start in range(0, 32, 8)]
    dealer = random.randrange(4)
    more, slowest = 0.0, 0.0
    took = {True: [0, 0], False: [0, 0]}
    for side, ours in enumerate(((0, 2), (1, 3))):
        seed = repr((chosen.seed, number, side))
        rewards, contract, slow = played(colver, hands, dealer, ours, chosen, seed)
        more += (rewards[side] - rewards[1 - side]) / 2
        slowest = max(slowest, slow)
        if any(rewards):
            team = contract["team"]
            found = took[team == side]
            found[0] += 1
            found[1] += rewards[team] > rewards[1 - team]
    return Row(
        chosen.opponent, metadata.version("colver"), chosen.same_bids, chosen.level, chosen.seed,
        number, more, (took[True][0], took[True][1]), (took[False][0], took[False][1]),
        round(slowest, 3),
    )  # fmt: skip


def rows() -> list[Row]:
    """Return the stored rows."""
    return [Row(**json.loads(line)) for line in ROWS.read_text("ascii").splitlines()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write one row per deal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", type=int, default=5)
    parser.add_argument("--opponent", choices=("rules", "ismcts"), default="rules")
    parser.add_argument("--same-bids", action="store_true")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of CPU, then stop")
    chosen = parser.parse_args(arguments)
    colver = import_module("colver")
    for number in range(chosen.first, chosen.first + chosen.deals):
        if process_time() > chosen.seconds:
            sys.exit(0)
        print(json.dumps(measured(colver, chosen, number)._asdict()), flush=True)


if __name__ == "__main__":
    main()
