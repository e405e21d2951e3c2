"""The season's pictures: they show the results, and no name becomes markup."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.club.evening import Evening, Result, season
from boardctl.club.pictures import SHOWN, course, spreads
from tests.club.paper import standings

NAMES = [f"p{n}" for n in range(SHOWN + 3)]


@st.composite
def seasons(draw: st.DrawFn) -> list[Evening]:
    found = []
    for number in range(draw(st.integers(1, 12))):
        players = draw(st.lists(st.sampled_from(NAMES), min_size=2, unique=True))
        pairs = st.lists(st.sampled_from(players), min_size=2, max_size=2, unique=True)
        results = []
        for _ in range(draw(st.integers(1, 9))):
            winner, loser = draw(pairs)
            results.append(Result(winner, loser, draw(st.integers(1, 121)), draw(st.booleans())))
        found.append(Evening(f"evening {number}", standings(players, results)))
    return found


@pytest.mark.slow
@given(seasons())
def test_the_season_is_the_sum_of_its_evenings(evenings: list[Evening]) -> None:
    points: Counter[str] = Counter()
    nets: Counter[str] = Counter()
    for evening in evenings:
        for standing in evening.standings:
            points[standing.name] += standing.points
            nets[standing.name] += standing.net
    ranked = season(evenings)
    assert {s.name: (s.points, s.net) for s in ranked} == {n: (points[n], nets[n]) for n in points}
    assert [s.order for s in ranked] == sorted((s.order for s in ranked), reverse=True)


@given(seasons())
def test_what_is_drawn_is_what_was_played(evenings: list[Evening]) -> None:
    ranked = season(evenings)
    lines = ElementTree.fromstring(course(evenings, ranked, "course"))
    drawn = [line.attrib for line in lines.iter("polyline")]
    assert len(drawn) == len(ranked)
    assert sum(line["class"] == "other" for line in drawn) == max(0, len(ranked) - SHOWN)
    ends = {}
    for line in drawn:
        points = [tuple(map(float, point.split(","))) for point in line["points"].split()]
        assert len(points) == len(evenings) + 1
        heights = [y for _, y in points]
        assert heights == sorted(heights, reverse=True), "points only add up"
        ends[line["class"]] = heights[-1]
    for place, standing in enumerate(ranked[:SHOWN]):
        better = ranked[max(0, place - 1)]
        assert ends[f"c{max(0, place - 1)}"] <= ends[f"c{place}"], (better, standing)

    bars = ElementTree.fromstring(spreads(evenings, ranked, "spreads"))
    found = sorted(bar.findtext("title") or "" for bar in bars.iter("rect"))
    assert found == sorted(
        f"{s.name}, {evening.name}: {s.net:+}"
        for evening in evenings
        for s in evening.standings
        if s.games
    )
    for bar in bars.iter("rect"):
        net = int((bar.findtext("title") or "").rpartition(" ")[2])
        assert bar.attrib["class"] == ("up" if net >= 0 else "down")
        assert float(bar.attrib["height"]) <= 15


@pytest.mark.parametrize("name", ["<script>x</script>", '"><b>', "a & b", "'", "]]>", "x" * 200])
def test_no_name_is_markup(name: str) -> None:
    evening = Evening(name, standings([name, "Bob"], [Result(name, "Bob", 3, False)]))
    for draw in (course, spreads):
        drawn = ElementTree.fromstring(draw([evening], season([evening]), name))
        assert {element.tag for element in drawn.iter()} <= {
            *("svg", "text", "title", "line", "rect", "polyline")
        }


def test_a_player_is_one_however_her_name_is_cased() -> None:
    evenings = [
        Evening("one", standings(["ANN", "Bob"], [Result("ANN", "Bob", 3, False)])),
        Evening("two", standings(["Ann", "Bob"], [Result("Ann", "Bob", 40, True)])),
    ]
    (first, _) = season(evenings)
    assert (first.name, first.points, first.skunks, first.net) == ("Ann", 5, 1, 43)
