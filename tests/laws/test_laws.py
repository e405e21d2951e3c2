"""The laws of every game; a new game is tested without any change here.

The tests play at random, using only the prompt, and check at every turn: offered lines are
accepted; the state is the fold of the record; undo and redo restore it; a refused line changes
nothing; printing and parsing preserve a line; scores are the sum of the awards; the outcome is
consistent.
"""

from __future__ import annotations

from random import Random

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from boardctl import games, text
from boardctl.board.shape import GAME_HOLE
from boardctl.games import IllegalMove
from boardctl.record import notation
from boardctl.record.position import Position
from boardctl.record.record import Record
from tests.chance import examples
from tests.laws.walk import Walk, sit_down
from tests.report import LongRun
from tests.spread import spread

PHASES = frozenset({
    "seats", "cut", "deal", "discard", "starter", "play", "show", "crib", "over", "turnup", "meld",
    "last-tricks", "bid", "declare", "mog", "widow", "trump",
})  # fmt: skip
BELOW_ZERO = frozenset({"pinochle"})
"""The games that subtract a failed bid, so scores may be negative."""
NASTY = (
    "deal", "misdeal", "dealer 1", "dealer 9", "start 1 2", "1 cut KD", "2 cut ?", "abandon",
    "1 adjust -999", "9 play 5H", "1 play", "1 play ?", "1 play 5H", "2 play 7C", "1 play KSb",
    "1 hand ? ? ?", "2 hand AS AS", "turnup 7C", "turnup ?", "starter 5H", "trump H", "1 bid H",
    "2 bid take", "1 bid pass take", "1 exchange", "2 seven", "1 meld KH QH", "2 meld KH QH JH",
    "1 declare 50", "declare", "2 reply equal", "1 top K", "1 trump", "2 bella", "1 count 999",
    "2 count 1", "1 go", "2 go", "1 discard 5H 5D", "1 show", "2 show flush nobs", "2 crib",
    "1 muggins", "1 peg 999", "2 peg 19", "1 draw KH", "session", "seat 1 Zoe", "set skunk maybe",
    "set target 3", "undo 0", "undo 999", "redo 3", "amend 1 nonsense", "insert 1", "nonsense",
    "amend 1 undo", "1 play 5H = 2 = 3", "game chess", "crib 5H", "1 resign 3",
)  # fmt: skip


def consistent(walk: Walk) -> None:
    """Check the invariants of every state of a game."""
    position = walk.record.position
    game, state, outcome = position.game, position.state, position.outcome
    assert game is not None
    assert outcome is not None
    situation, board, prompt = position.situation, game.scoreboard(state), position.prompt
    seats = range(1, len(position.seats) + 1)
    assert situation.phase in PHASES, situation
    assert situation.turn is None or situation.turn in seats
    assert situation.dealer is None or situation.dealer in seats
    assert (situation.phase == "over") == position.over == board.over, walk.lines
    assert tuple(standing.score for standing in board.standings) == position.scores
    assert min(position.scores) >= 0 or game.name in BELOW_ZERO, walk.lines
    assert board.unit >= 1
    assert board.goal >= 1
    assert all(1 <= line.hole <= GAME_HOLE for line in board.lines)
    assert set(prompt.pegs) <= set(seats)
    sides = len(position.scores)
    assert len(outcome.won) == len(outcome.lost) == sides
    assert (outcome.state == "won") == (outcome.winner is not None) == any(outcome.won)
    assert (outcome.margin is not None) == (outcome.winner is not None)
    assert board.winner == outcome.winner
    if outcome.winner is not None:
        assert outcome.won[outcome.winner - 1] >= 1
        assert outcome.lost[outcome.winner - 1] == 0
        assert sum(won > 0 for won in outcome.won) == 1
    if outcome.state in ("draw", "unfinished", "abandoned"):
        assert not any(outcome.won)
        assert not any(outcome.lost)
    for seat in seats:
        held = game.held_by(state, seat)
        assert held is None or all(card.rank is not None for card in held), (seat, held)
    for ask in prompt.asks:
        assert ask.least <= ask.most or ask.kind not in ("number", "cards"), ask
        assert ask.kind != "choice" or ask.choices, ask


def earned(walk: Walk) -> tuple[int, ...]:
    """Return the points by side of all awards, plus the initial scores."""
    total = list(walk.offsets)
    for report in walk.reports:
        for award in report.awards:
            total[(award.seat - 1) % len(total)] += award.points
            assert award.points, f"an award of nothing: {report.move}"
    return tuple(total)


def scored(walk: Walk) -> bool:
    """Return whether the scores are the sum of the awards. They may be lower if an option makes a
    winner's peg stops in the game hole.
    """
    sums, scores = earned(walk), walk.record.position.scores
    setup = walk.record.position.setup
    if setup is None or setup.options.get("cap_final_score") != "on":
        return sums == scores
    return all(
        less == points or less == int(setup.options["target"]) <= points
        for less, points in zip(scores, sums, strict=True)
    )


def same(one: Position, other: Position) -> None:
    """Check that two positions are indistinguishable."""
    assert one.scores == other.scores
    assert one.situation == other.situation
    assert one.prompt == other.prompt
    assert one.outcome == other.outcome
    assert one.game is not None
    assert other.game is not None
    assert one.game.scoreboard(one.state) == other.game.scoreboard(other.state)


def check_fold(walk: Walk) -> None:
    """Check that a fresh record of the lines has the same state, and so does each move. Lines with
    an undeclared verb must be visible to everybody unchanged."""
    fresh = Record()
    for move in walk.record.moves:
        at = fresh.position
        plain = at.game is not None and not (at.game.secret(move) or at.game.opens(move))
        if at.game is not None and at.state is not None and plain:
            assert at.game.visible_lines(at.state, move, (), None) == (move,)
        line = notation.spell(move)
        assert notation.parse(line, fresh.position.game) == move, line
        assert notation.parse(line.lower(), fresh.position.game) == move or move.name, line
        report = fresh.read(line)
        assert report is not None
        assert report.line == line
    same(fresh.position, walk.record.position)
    assert fresh.position.state == walk.record.position.state


def check_undo(walk: Walk) -> None:
    """Check that undoing and redoing, all at once or one by one, leaves the game unchanged."""
    table = walk.record
    before, redoable = table.position, table.redoable
    steps = walk.chance.randint(1, len(table.moves))
    table.read(f"undo {steps}")
    assert table.redoable
    table.read("redo")
    same(before, table.position)
    assert before.state == table.position.state
    singly = min(steps, 3)
    for _ in range(singly):
        table.read("undo")
    for _ in range(singly):
        table.read("redo")
    same(before, table.position)
    assert table.redoable == redoable


def check_refusals(walk: Walk) -> None:
    """Check that a refused line changes nothing, gives its reason in a sentence, and is refused
    again."""
    table = walk.record
    for line in walk.chance.sample(NASTY, 8):
        before, moves, redoable = table.position, table.moves, table.redoable
        try:
            table.read(line)
        except IllegalMove as error:
            assert table.position == before
            assert table.moves == moves
            assert table.redoable == redoable
            sentence = text.refusal(error, text.Reader(names=tuple(before.seats.values())))
            assert sentence.strip()
            assert "{" not in sentence, sentence
        else:
            assert len(table.moves) == len(moves) + 1, line
            table.read("undo")
            assert table.position == before, line


def check_edits(walk: Walk) -> None:
    """Check that a corrected, inserted or removed line leaves a valid record, or is refused and
    changes nothing."""
    table = walk.record
    said = [notation.spell(move) for move in table.moves]
    for _ in range(6):
        back, line = walk.chance.randint(1, len(table.moves)), walk.chance.choice(said)
        edit = walk.chance.choice(
            (f"amend {back} {line}", f"insert {back} {line}", f"amend {back}")
        )
        before, moves = table.position, table.moves
        try:
            table.read(edit)
        except IllegalMove:
            assert table.position == before, edit
            assert table.moves == moves, edit
        else:
            assert len(table.moves) - len(moves) == edit.startswith("insert") - (
                len(edit.split()) == 2
            )
    if table.position.game is not None and table.position.state is not None:
        check_fold(walk)


def check_end(walk: Walk) -> None:
    """Check that a resigned game is over, and refuses lines that are not allowed after the end."""
    if walk.record.position.over:
        return
    end = walk.chance.choice(("1 resign", "2 resign", "abandon"))
    walk.say(end)
    assert walk.record.position.situation.phase == "over", end
    consistent(walk)
    for line in ("deal", "1 play 5H", "1 peg 10", "1 cut 9S", "dealer 1"):
        try:
            walk.record.read(line)
        except IllegalMove as error:
            assert error.code == "game-over", line
        else:
            raise AssertionError(f"{line} after {end}")
    walk.record.read("undo")
    consistent(walk)


def play(name: str, seed: int, steps: int) -> Walk:
    """Play a random game of this many steps, with checks along the way."""
    walk = sit_down(name, Random(seed))
    for number in range(steps):
        consistent(walk)
        if not walk.step():
            break
        assert scored(walk), walk.lines
        if number % 11 == 5:
            check_refusals(walk)
    consistent(walk)
    return walk


LAWS = settings(
    suppress_health_check=[HealthCheck.too_slow],
    # A failure prints its whole record, because shrinking would take longer than reading it.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("name", games.names())
@settings(LAWS, max_examples=examples(6))
@given(seed=SEEDS, steps=st.integers(1, 120))
def test_the_laws(name: str, seed: int, steps: int) -> None:
    walk = play(name, seed, steps)
    check_fold(walk)
    check_undo(walk)
    check_refusals(walk)
    check_end(walk)
    check_edits(walk)


@pytest.mark.long
@pytest.mark.parametrize("name", games.names())
def test_the_laws_for_long(name: str, seed: int, long_run: LongRun) -> None:
    walks = lines = 0

    @hypothesis.seed(seed)
    @settings(LAWS, max_examples=300)
    @given(seed=SEEDS, steps=st.integers(1, 600))
    def walked(seed: int, steps: int) -> None:
        nonlocal walks, lines
        walk = play(name, seed, steps)
        check_fold(walk)
        check_undo(walk)
        walks += 1
        lines += len(walk.reports)

    walked()
    long_run(walks=walks, lines=lines)


@pytest.mark.parametrize("name", spread(3, games.names()))
def test_everything_said_has_a_sentence(name: str) -> None:
    known = text.sentences()
    missing = set()
    for seed in range(6):
        walk = sit_down(name, Random(seed))
        for _ in range(150):
            position = walk.record.position
            assert position.game is not None
            missing |= {f"ask.{ask.code}" for ask in position.prompt.asks}
            board = position.game.scoreboard(position.state)
            missing |= {f"readout.{note.code}" for note in board.readouts}
            if not walk.step():
                break
        for report in walk.reports:
            missing |= {f"award.{award.reason}" for award in report.awards}
            missing |= {f"note.{note.code}" for note in report.notes}
    assert sorted(missing - set(known)) == []


def has_target(name: str) -> bool:
    """Return whether the table chooses the target: not in the two great Beziques."""
    return any(option.name == "target" for option in games.find(name).options)


@pytest.mark.parametrize("name", [name for name in games.names() if has_target(name)])
def test_no_game_begins_at_its_end(name: str) -> None:
    """`start` must be below the table's target, even if the target is set afterwards."""
    game = games.find(name)
    target = next(option for option in game.options if option.name == "target")
    lower = str(target.numbers[0]) if target.numbers else min(target.values, key=int)
    goal = int(target.default)
    for seats in game.seats:
        begun = [f"game {name}", *(f"seat {n} P{n}" for n in range(1, seats + 1))]
        record = Record()
        for line in begun:
            record.read(line)
        rest = " 0" * (len(record.position.scores) - 1)
        for points in (goal, goal + 500):
            for line in (f"start {points}{rest}", f"start 0{rest[2:]} {points}"):
                with pytest.raises(IllegalMove) as refused:
                    record.read(line)
                assert refused.value.code == "start-too-high"
                assert refused.value.fields == {"said": points, "target": goal}
        record.read(f"start {goal - 1}{rest}")
        assert record.position.situation.phase != "over"
        if int(lower) < goal:
            with pytest.raises(IllegalMove, match="start-too-high"):
                record.read(f"set target {lower}")
        record.read("dealer 1")
        record.read("deal")
        with pytest.raises(IllegalMove, match="too-late"):
            record.read(f"start {goal}{rest}")


@pytest.mark.parametrize("name", games.names())
def test_a_misdeal_after_a_correction_leaves_no_score_below_zero(name: str) -> None:
    """A misdeal does not subtract points of a deal that the table has already taken back."""
    for seats in games.find(name).seats:
        record = Record()
        begun = [f"game {name}", *(f"seat {n} P{n}" for n in range(1, seats + 1))]
        for line in (*begun, "dealer 1", "deal"):
            record.read(line)
        for points in range(1, 200):
            try:
                record.read(f"2 peg {points}")
                break
            except IllegalMove as error:
                assert error.code == "impossible-points"
        scored = record.position.scores
        assert max(scored) > 0
        record.read(f"2 adjust -{max(scored)}")
        record.read("misdeal")
        assert record.position.scores == (0,) * len(scored), seats
