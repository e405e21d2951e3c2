"""The lights: properties for any score, game and time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl import text
from boardctl.board import layout
from boardctl.board.layout import LayoutError
from boardctl.board.palette import BACK, FRONT, NEUTRAL
from boardctl.board.reading import reading
from boardctl.board.render import (
    CELEBRATION,
    LONGEST,
    Event,
    Picture,
    Preview,
    Spelled,
    Walk,
    colour_of,
    hole,
    lit,
    pips,
    render,
    scaled,
    settled,
)
from boardctl.games import Line, Scoreboard, Standing

VECTORS: Any = json.loads(
    Path(__file__).parent.with_name("vectors").joinpath("vectors_board.json").read_text("utf-8")
)
CLASSIC = layout.load("classic-2")
TWICE = layout.load("twice-round-2")
LAYOUTS = {name: layout.load(name) for name in layout.names()}
SKUNKS = (Line("double-skunk", 61), Line("skunk", 91))


def board(*scores: int, before: tuple[int, ...] = (), **rest: Any) -> Scoreboard:
    befores = before or (0,) * len(scores)
    return Scoreboard(tuple(map(Standing, scores, befores)), **rest)


@pytest.mark.parametrize("row", VECTORS["mapping"])
def test_score_to_hole(row: dict[str, Any]) -> None:
    peg = hole(row["score"], row["unit"])
    assert (peg.hole, peg.remainder) == (row["hole"], row["remainder"])


@given(
    st.sampled_from(sorted(LAYOUTS)),
    st.integers(0, 121),
    st.integers(0, 29),
    st.integers(0, 121),
    st.floats(0, 1),
)
def test_what_is_lit_can_be_read_back(
    name: str, score: int, back: int, other: int, brightness: float
) -> None:
    before = max(0, score - back)
    shown = board(score, other, before=(before, max(0, other - 3)))
    read = reading(
        LAYOUTS[name],
        render(LAYOUTS[name], Picture(shown, brightness=brightness), 0),
        brightness,
    )
    assert read.get("track1.front", 0) == score
    if before != score:
        assert read.get("track1.back", 0) == before
    assert read.get("track2.front", 0) == other


@given(
    st.sampled_from(["classic-2", "travel-2", "classic-3"]),
    st.sampled_from([(5, 500), (10, 1000), (15, 1500), (20, 2000), (100, 12000)]),
    st.data(),
)
def test_pips_are_the_remainder(name: str, game: tuple[int, int], data: st.DataObject) -> None:
    unit, target = game
    score = data.draw(st.integers(0, target))
    before = data.draw(st.integers(0, score))
    shown = board(score, 0, before=(before, 0), unit=unit, goal=100)
    read = reading(LAYOUTS[name], render(LAYOUTS[name], Picture(shown), 0))
    expected = (score % unit) // 10 if unit == 100 else score % unit
    if score // unit >= 121:
        expected = 0
    assert read.get("track1.pips", 0) == expected == pips(score, unit)
    assert read.get("track1.front", 0) == min(121, score // unit)


def test_front_is_bright_and_back_is_dim() -> None:
    lights = lit(CLASSIC, Picture(board(12, 0, before=(8, 0))), 0)
    assert lights["track1.12"] == scaled(colour_of(1), FRONT)
    assert lights["track1.8"] == scaled(colour_of(1), BACK)
    assert lights["track2.start2"] == scaled(colour_of(2), FRONT)
    assert lights["track2.start1"] == scaled(colour_of(2), BACK)


def test_two_pegs_in_one_hole_show_the_front() -> None:
    lights = lit(CLASSIC, Picture(board(10, 0, before=(10, 0))), 0)
    assert lights["track1.10"] == scaled(colour_of(1), FRONT)


@pytest.mark.parametrize(
    ("scores", "lines", "expected"),
    [
        ((90, 60), SKUNKS, {"double-skunk"}),
        ((91, 60), SKUNKS, {"double-skunk", "skunk"}),
        ((91, 61), SKUNKS, {"skunk"}),
        ((91, 91), SKUNKS, set()),
        ((60, 60), SKUNKS, set()),
        ((121, 90), SKUNKS, {"skunk"}),
        ((121, 90), (), set()),
    ],
)
def test_the_skunk_lines(
    scores: tuple[int, ...], lines: tuple[Line, ...], expected: set[str]
) -> None:
    lights = lit(CLASSIC, Picture(board(*scores, lines=lines)), 0)
    assert {"skunk", "double-skunk"} & set(lights) == expected


def test_a_line_without_a_lamp_is_a_faint_pair_of_holes_on_every_track() -> None:
    rubicon = (Line("rubicon", 10),)
    shown = set(lit(CLASSIC, Picture(board(500, 1500, unit=100, lines=rubicon)), 0))
    assert {"track1.9", "track1.10", "track2.9", "track2.10"} <= shown
    crossed = set(lit(CLASSIC, Picture(board(1100, 1500, unit=100, lines=rubicon)), 0))
    assert not {"track1.9", "track2.9", "track1.10"} & crossed


def test_five_card_cribbage_is_once_round_and_home() -> None:
    for layout_, name in ((TWICE, "track1.121"), (CLASSIC, "track1.61")):
        assert name in lit(layout_, Picture(board(61, 20, before=(55, 0), goal=61)), 0)


def test_the_lap_is_told_by_light() -> None:
    assert {"track1.5", "lap1.1"} <= set(lit(TWICE, Picture(board(5, 0)), 0))
    second = set(lit(TWICE, Picture(board(65, 0)), 0))
    assert {"track1.5", "lap1.1", "lap1.2"} <= second
    assert "lap2.2" not in second


def test_three_sides_need_three_tracks() -> None:
    with pytest.raises(LayoutError) as refused:
        render(CLASSIC, Picture(board(1, 2, 3)), 0)
    assert "2 tracks, which is too few for 3 sides" in text.sentence(refused.value)


def test_partners_without_marks_of_their_own_use_their_sides() -> None:
    assert "dealer3" in lit(CLASSIC, Picture(board(0, 0, dealer=3)), 0)
    assert "dealer1" in lit(LAYOUTS["travel-2"], Picture(board(0, 0, dealer=3)), 0)


@pytest.mark.parametrize("games", range(31))
def test_games_won_roll_over(games: int) -> None:
    frame = render(CLASSIC, Picture(board(0, 0), won=(games, 0)), 0)
    row = CLASSIC.count("won1")
    read = reading(CLASSIC, frame).get("track1.won", 0)
    assert read == (games if games <= 2 * row else games - row)  # 21 looks like 11


def test_a_preview_lies_ahead_and_is_not_bright() -> None:
    picture = Picture(board(30, 10, before=(20, 0)), preview=Preview(1, 8))
    lights = lit(CLASSIC, picture, 0)
    assert {f"track1.{n}" for n in range(30, 39)} <= set(lights)
    assert max(lights["track1.38"]) < max(lights["track1.30"])
    assert settled(picture, 0) is None
    assert reading(CLASSIC, render(CLASSIC, picture, 0))["track1.preview"] == 38


def changes(picture: Picture, start: float, seconds: float) -> list[float]:
    """Yield the moments at which `settled` asks for a frame."""
    moments = []
    moment: float | None = start
    while moment is not None and moment < start + seconds:
        moment = settled(picture, moment)
        if moment is not None:
            moments.append(moment)
    return moments


@given(st.integers(0, 121), st.integers(0, 121), st.floats(0, 1e5), st.sampled_from([1, 5]))
def test_a_peg_walks_every_hole_once_and_arrives(
    origin: int, score: int, since: float, unit: int
) -> None:
    shown = board(score * unit, 0, before=(origin * unit, 0), unit=unit)
    picture = Picture(shown, walks=(Walk(1, origin * unit, since),))
    step = 1 if score > origin else -1
    fronts = []
    for moment in [since, *changes(picture, since, 10)]:
        fronts.append(reading(CLASSIC, render(CLASSIC, picture, moment)).get("track1.front", 0))
        assert moment <= since + LONGEST + 1e-6
    assert fronts == list(range(origin, score + step, step)) if score != origin else [score]


def test_between_the_asked_frames_nothing_changes() -> None:
    picture = Picture(
        board(24, 3, before=(10, 0)),
        walks=(Walk(1, 10, 7.0),),
        unsaved=frozenset({2}),
        event=Event("refused", 7.3),
    )
    t = 7.0
    while t < 10:
        due = settled(picture, t)
        assert due is not None
        assert due > t
        frame = render(CLASSIC, picture, t)
        assert render(CLASSIC, picture, t + 0.5 * (due - t)) == frame
        assert render(CLASSIC, picture, t + 0.98 * (due - t)) == frame
        t = due


def test_nothing_moves_at_rest() -> None:
    still = Picture(
        board(24, 3, before=(10, 0), dealer=1, turn=2),
        won=(3, 4),
        walks=(Walk(1, 10, 0.0),),
        event=Event("accepted", 0.0),
        celebrate=0.0,
    )
    assert settled(still, 100.0) is None
    plain = still._replace(walks=(), event=None, celebrate=None)
    assert render(CLASSIC, still, 100.0) == render(CLASSIC, plain, 0.0)


def test_an_unsaved_peg_blinks_and_a_saved_one_does_not() -> None:
    picture = Picture(board(24, 3, before=(10, 0)), unsaved=frozenset({1}))
    seen = ["track1.24" in lit(CLASSIC, picture, n * 0.05) for n in range(40)]
    assert any(seen)
    assert not all(seen)
    assert all("track2.3" in lit(CLASSIC, picture, n * 0.05) for n in range(40))


def test_every_answer_has_its_own_light() -> None:
    def flashes(picture: Picture) -> tuple[bool, ...]:
        return tuple("status" in lit(CLASSIC, picture, n * 0.05) for n in range(30))

    still = board(24, 3)
    answers = {
        flashes(Picture(still)),
        flashes(Picture(still, event=Event("accepted", 0.0))),
        flashes(Picture(still, event=Event("refused", 0.0))),
        flashes(Picture(still, unsaved=frozenset({1}))),
    }
    assert len(answers) == 4


def test_a_win_is_celebrated_and_then_the_board_is_still() -> None:
    shown = board(121, 80, before=(110, 70), winner=1, over=True)
    picture = Picture(shown, celebrate=5.0)
    moments = changes(picture, 5.0, 60)
    frames = [render(CLASSIC, picture, moment) for moment in moments]
    assert len(set(frames)) > 10
    assert all("track1.121" in lit(CLASSIC, picture, moment) for moment in moments)
    assert moments[-1] == pytest.approx(5.0 + CELEBRATION)
    assert frames[-1] == render(CLASSIC, Picture(shown), 0)


@pytest.mark.parametrize("kind", ["accepted", "refused"])
def test_no_lamp_flashes_more_than_three_times_a_second(kind: Any) -> None:
    """This is WCAG 2.2, success criterion 2.3.1."""
    shown = board(121, 80, before=(110, 70), winner=1, over=True)
    picture = Picture(shown, celebrate=0.0, event=Event(kind, 0.0), unsaved=frozenset({1, 2}))
    frames = [lit(CLASSIC, picture, n / 100) for n in range(700)]
    for name in CLASSIC.ledmap:
        on = [name in frame for frame in frames]
        rises = [n for n in range(1, len(on)) if on[n] and not on[n - 1]]
        for n, rise in enumerate(rises):
            assert sum(rise <= other < rise + 99 for other in rises[n:]) <= 3, name


def test_before_the_first_game_only_the_counters_are_lit() -> None:
    assert set(lit(CLASSIC, Picture(Scoreboard(()), won=(1, 0)), 0)) == {"won1.1"}


def test_digits_are_told_by_so_many_holes() -> None:
    board = Scoreboard((Standing(30, 20), Standing(0, 0)))
    plan = layout.load("classic-2")
    spelled = Spelled("205", 100.0)
    picture = Picture(board, spelled=spelled)
    counts = []
    t: float | None = 100.0
    while t is not None:
        counts.append(len(lit(plan, picture, t)))
        t = settled(picture, t)
    once = [2, 0, 10, 0, 5, 0, 0, 0]
    assert counts[:-1] == once * 3
    assert lit(plan, picture, 1000.0).keys() == lit(plan, Picture(board), 0.0).keys()
    assert set(lit(plan, picture, 100.1)) == {"track1.1", "track1.2"}


def test_the_status_light_shows_what_the_board_waits_for() -> None:
    """The light blinks for a network and is steady for a phone. An answer and an unsaved line take
    precedence over a wait, and a wait takes precedence over the odds."""
    looking = Picture(board(40, 60), odds=0.5, waiting="network")
    seen, t = [], 0.0
    for _ in range(4):
        seen.append("status" in lit(CLASSIC, looking, t))
        due = settled(looking, t)
        assert due is not None
        t = due
    assert seen == [True, False, True, False]
    invites = looking._replace(waiting="phone")
    assert lit(CLASSIC, invites, 0.3)["status"] == scaled(NEUTRAL, FRONT)
    assert settled(invites, 0.3) is None, "it sleeps meanwhile"
    unsaved = invites._replace(unsaved=frozenset({1}))
    assert lit(CLASSIC, unsaved, 0.3)["status"] == scaled(NEUTRAL, BACK)
    refused = invites._replace(event=Event("refused", 0))
    assert lit(CLASSIC, refused, 0.1)["status"] == scaled(colour_of(1), FRONT)


def test_the_status_light_shows_who_is_likely_to_win() -> None:
    """The colours of sides 1 and 2 are at the ends of the scale, with all others between them. An
    answer takes precedence over these colours, and none is shown after the game."""
    ahead, behind, even = (
        lit(CLASSIC, Picture(board(40, 60), odds=odds), 0)["status"] for odds in (1.0, 0.0, 0.5)
    )
    assert (ahead, behind) == (scaled(colour_of(1), 0.4), scaled(colour_of(2), 0.4))
    assert all(min(a, b) <= c <= max(a, b) for a, b, c in zip(ahead, behind, even, strict=True))
    answered = Picture(board(40, 60), odds=0.5, event=Event("accepted", 0))
    assert lit(CLASSIC, answered, 0.1)["status"] == scaled(NEUTRAL, FRONT)
    assert "status" not in lit(CLASSIC, Picture(board(40, 60)), 0)
    over = board(121, 60, winner=1, over=True)
    assert "status" not in lit(CLASSIC, Picture(over, odds=1.0), 0)
