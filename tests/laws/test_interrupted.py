"""Deals played with every card, with undos, corrections and new deals in between."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from boardctl import games
from boardctl.games import IllegalMove
from boardctl.record import notation
from boardctl.record.record import Record
from boardctl.record.visibility import deal_start
from tests.bot.dealer import FORMS, Dealt, random_game
from tests.chance import examples
from tests.laws.golden import altered
from tests.laws.test_laws import same
from tests.laws.walk import Walk
from tests.spread import spread

STEPS = 90


def misdealt(record: Record) -> None:
    """Declare a misdeal: the current deal counts for nothing, and the same player deals again."""
    start = deal_start(record.moves)
    before = record.position_at(start)
    dealer = record.position.situation.dealer
    record.read("misdeal")
    assert record.position.scores == before.scores
    assert record.position.situation.dealer == dealer
    assert record.position.situation.phase == "deal"


def taken_back(record: Record, chance: Random) -> None:
    """Take back some lines and enter them again."""
    before = record.position
    record.read(f"undo {chance.randint(1, len(record.moves) - deal_start(record.moves))}")
    record.read("redo")
    same(before, record.position)
    assert record.position.state == before.state


def whole_deal_taken_back(record: Record) -> None:
    start = deal_start(record.moves)
    before = record.position_at(start)
    record.read(f"undo {len(record.moves) - start}")
    assert record.position.state == before.state


def corrected(game: Dealt, chance: Random) -> None:
    """Correct a line, or try a refused correction; after an undo, everything is as before."""
    record = game.truth
    before, moves = record.position, record.moves
    back = chance.randint(1, len(moves) - deal_start(moves))
    move = moves[-back]
    if chance.random() < 0.8:
        found = games.find(game.game)
        move = altered(move, Walk(found, chance, "cards", record))
    try:
        record.read(f"amend {back} {notation.spell(move)}")
    except IllegalMove:
        assert record.moves == moves
    else:
        if record.moves == moves:
            assert record.position.state == before.state
            return
        assert record.undoing is not None
        record.apply(record.undoing)
    assert record.moves == moves
    assert record.position.state == before.state
    same(before, record.position)


@pytest.mark.parametrize(("name", "seats"), spread(3, FORMS))
@settings(
    max_examples=examples(3),
    suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.generate),
)
@given(seed=st.integers(0, 2**32))
def test_a_game_that_is_interrupted(name: str, seats: int, seed: int) -> None:
    chance = Random(seed)
    game = random_game(name, seats, chance)
    record = game.truth
    for _ in range(STEPS):
        if not game.step(99):
            break
        if record.position.over or record.position.situation.phase in ("cut", "deal"):
            continue
        match chance.randrange(24):
            case 0:
                misdealt(record)
            case 1:
                whole_deal_taken_back(record)
            case 2 | 3:
                taken_back(record, chance)
            case 4 | 5 | 6:
                corrected(game, chance)
    fresh = Record()
    for move in record.moves:
        fresh.read(notation.spell(move))
    same(fresh.position, record.position)
    assert fresh.position.state == record.position.state
