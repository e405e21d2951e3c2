"""The benefit of each optimisation: the same work without and with it, alternating in one run.

An optimisation is code that a plain implementation would not have. An optimisation that saves less
than a tenth of its work is removed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from boardctl import games
from boardctl.app import config as configuration
from boardctl.app.board_app import BoardApp
from boardctl.board import render
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.games import Setup, put
from boardctl.games.cards import CARDS, Card
from boardctl.games.common import known_cards, race, referee, to_31
from boardctl.games.common.known_cards import RaceDeal
from boardctl.games.common.to_31 import VALUE
from boardctl.games.cribbage import rules, show
from boardctl.record.position import Position
from boardctl.record.record import Record
from tests.tables import submit
from tools.bench import growth
from tools.bench.core import CONFIG, Copper
from tools.bench.games import by_card
from tools.bench.rounds import least

LINES: Final = 300
"""The number of lines in the game of every round: longer than most games by card."""
PROPERTIES: Final = ("outcome", "over", "scores", "situation", "prompt", "scoreboard")
"""The values that a position caches about its game."""


class Trick(NamedTuple):
    """Work that takes `times` as long without the optimisation."""

    name: str
    times: float


def tricks() -> Iterator[Trick]:
    """Yield every optimisation as it is measured."""
    lines = list(islice(growth.lines(endless=True), LINES))
    yield Trick("names of lamps are kept: a move", _ratio(partial(_played, lines), _fresh_names))
    yield Trick(
        "a position keeps what its game said: a move", _ratio(partial(_played, lines), _asked_again)
    )
    yield Trick(f"positions are kept: an undo after {LINES} moves", _undo(lines))
    chance = random.Random(5)
    hands = [chance.sample(CARDS, 5) for _ in range(500)]
    yield Trick("what ranks score is kept: a breakdown", _ratio(partial(_counted, hands), _by_rank))
    yield Trick(
        "combinations made without their constructor: a breakdown",
        _ratio(partial(_counted, hands), _constructed),
    )
    yield Trick(
        "a deal after a card without `_replace`: random games by card", _ratio(_games, _replaced)
    )
    yield Trick(
        "what every line makes without its constructor: random games by card",
        _ratio(_games, _constructed),
    )


def _ratio(work: Callable[[], object], undo: Callable[[ExitStack], None]) -> float:
    """Return how many times as long some work takes while an optimisation is disabled."""

    def plainly() -> None:
        with ExitStack() as stack:
            undo(stack)
            work()

    tricky, plain = least(work, plainly)
    return plain / tricky


def _played(lines: list[str]) -> None:
    """Submit lines to a board that draws each of them."""
    wires: Any = Copper()
    with TemporaryDirectory() as folder:
        path = Path(folder, "config.toml")
        path.write_text(CONFIG)
        board = BoardApp(configuration.load(path), Path(folder), VirtualClock(), wires)
        for line in lines:
            submit(board.table, line, "page")
        board.close()


def _counted(hands: list[list[Card]]) -> None:
    for *hand, starter in hands:
        show.count(hand, starter)


def _fresh_names(stack: ExitStack) -> None:
    stack.enter_context(patch.object(render, "lamps", render.lamps.__wrapped__))


def _asked_again(stack: ExitStack) -> None:
    for name in PROPERTIES:
        stack.enter_context(patch.object(Position, name, property(vars(Position)[name].func)))


def _by_rank(stack: ExitStack) -> None:
    stack.enter_context(patch.object(show, "rank_items", to_31.rank_items.__wrapped__))


def _constructed(stack: ExitStack) -> None:
    for module in (known_cards, race, referee, rules, show, to_31):
        stack.enter_context(patch.object(module, "new", lambda kind, fields: kind(*fields)))


def _games() -> None:
    """Play a few random games, always the same ones."""
    game, chance = games.find("cribbage"), random.Random(7)
    options = MappingProxyType({option.name: option.default for option in game.options})
    for _ in range(5):
        by_card(game, Setup(("Ann", "Bob"), options), chance)


def _replaced(stack: ExitStack) -> None:
    def lay(deal: RaceDeal[Any], seat: int, card: Card, bit: int) -> RaceDeal[Any]:
        played = put(deal.played, seat, (*deal.played[seat - 1], card))
        total = deal.total + VALUE[card.rank]
        to_play = to_31.next_to_play(played, deal.passed, deal.keep, seat) if total < 31 else 0
        return deal._replace(
            played=played,
            hand_bits=put(deal.hand_bits, seat, deal.hand_bits[seat - 1] & ~bit),
            series=(*deal.series, card),
            total=total,
            last=seat,
            to_play=to_play,
        )

    stack.enter_context(patch.object(to_31, "_lay", lay))


def _undo(lines: list[str]) -> float:
    """Undo a line with the previous position cached, and with the game replayed."""
    record = Record()
    for line in lines:
        record.read(line)

    def kept() -> None:
        record.read("undo")
        record.read("redo")

    def folded() -> None:
        again = Record()
        for move in record.moves[:-1]:
            again.apply(move)
        again.read(lines[-1])

    tricky, plain = least(kept, folded)
    return plain / tricky
