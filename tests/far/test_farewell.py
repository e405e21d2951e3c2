"""A house that was removed from another's list is notified, and can be invited again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from boardctl.far import DIRECTORY
from boardctl.games import IllegalMove, Move
from tests.far.test_courier import Evening, Post
from tests.waiting import until

LEFT = "{} has removed this house; a new invitation is needed to play again."


@pytest.fixture
def played(post: Post, tmp_path: Path) -> Callable[[Callable[[Evening], Awaitable[None]]], None]:
    def play(act: Callable[[Evening], Awaitable[None]]) -> None:
        async def evening() -> None:
            three = Evening(tmp_path, ("one", "two", "three"))
            try:
                await three.meet()
                await act(three)
            finally:
                await three.close()

        asyncio.run(evening())

    return play


Played = Callable[[Callable[[Evening], Awaitable[None]]], None]


async def restart(evening: Evening, at: int) -> None:
    await evening.ends[at].close()
    evening.ends[at] = evening.open(evening.boards[at])


def gone(evening: Evening, at: int) -> str:
    """Return a house's list entry about the other."""
    said: str = evening.ends[at].state("en")["houses"][0]["gone"]
    return said


@pytest.mark.slow
def test_who_is_removed_is_told_and_meets_the_other_anew(played: Played) -> None:
    """The removed house used to see the other as connected, and its offers were never answered."""

    async def act(two: Evening) -> None:
        one, other = two.ends[:2]
        await two.play()
        one.remove(0)
        await until(lambda: gone(two, 1))
        assert gone(two, 1) == other.notice("en") == LEFT.format("Ann")
        assert "Ann" in other.notice("ja")
        assert other.state("en")["game"]["stopped"] == LEFT.format("Ann")
        with pytest.raises(IllegalMove, match="far-has-left"):
            other.play(0)
        await until(lambda: not one.contacts.leaving)
        await other.invite("Bob", "cribbage", {"target": "31"})
        await one.accept(" ".join(other.contacts.words), "Ann")
        await until(lambda: one.is_on and other.is_on)
        assert [house.session.has_left for house in other.contacts.houses] == [False]
        await two.play()
        two.agree()

    played(act)


def test_who_is_away_meanwhile_is_told_after_power_cuts_of_both(played: Played) -> None:
    async def act(two: Evening) -> None:
        await two.play(5)
        await two.ends[1].close()
        two.ends[0].leave()
        two.ends[0].remove(0)
        kept = two.boards[0].data / DIRECTORY

        def kinds() -> list[str]:
            return [json.loads(one.read_bytes())["kind"] for one in kept.glob("*.json")]

        await until(lambda: kinds() == ["leaving"])
        await restart(two, 0)
        assert two.ends[0].state("en")["houses"] == []
        two.ends[1] = two.open(two.boards[1])
        await until(lambda: gone(two, 1))
        await until(lambda: not two.ends[0].contacts.leaving)
        (other,) = (two.boards[1].data / DIRECTORY).glob("*.json")
        await until(lambda: json.loads(other.read_bytes())["session"]["left"])
        await restart(two, 1)
        assert gone(two, 1) == LEFT.format("Ann")
        assert not two.ends[1].is_on
        two.ends[1].remove(0)
        assert two.ends[1].contacts.leaving == [], "nobody is there to hear it"

    played(act)


def test_a_game_that_goes_on_there_stops_and_its_table_is_free(played: Played) -> None:
    async def act(two: Evening) -> None:
        one, other = two.ends[:2]
        await two.play(5)
        one.leave()
        one.remove(0)
        await until(lambda: gone(two, 1))
        assert not other.is_on
        assert other.presence("en") == (True, "")
        table = two.boards[1].table
        table.submit(Move("session", name="another"), "page")
        table.submit(Move("game", name="cribbage"), "page")
        assert other.state("en")["game"] is None
        assert other.notice("en") == ""

    played(act)


def test_a_game_that_was_set_aside_here_is_not_gone_on_with(played: Played) -> None:
    async def act(two: Evening) -> None:
        one, other = two.ends[:2]
        await two.play(5)
        other.leave()
        one.leave()
        one.remove(0)
        await until(lambda: gone(two, 1))
        assert other.state("en")["left"] is None

    played(act)


def test_an_offer_and_its_answer_cross_the_farewell(played: Played) -> None:
    async def act(two: Evening) -> None:
        one, other = two.ends[:2]
        await two.play()
        one.play(0)
        await until(lambda: other.contacts.houses[0].session.offered)
        other.play(0)
        one.remove(0)
        await until(lambda: gone(two, 1))
        assert not other.is_on
        assert other.invitation("en") == ""
        await until(lambda: not one.contacts.leaving)

    played(act)


def test_the_list_of_those_who_are_to_hear_it_is_bounded(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardctl.far.houses.LEAVING", 1)

    async def act(three: Evening) -> None:
        one, other = three.ends[0], three.ends[2]
        one.leave()
        await one.invite("Ann", "cribbage", {})
        await other.accept(" ".join(one.contacts.words), "Cy")
        await until(lambda: one.is_on and other.is_on)
        one.leave()
        await three.ends[1].close()
        await other.close()
        one.remove(0)
        one.remove(0)
        assert len(one.contacts.leaving) == 1
        three.ends[2] = three.open(three.boards[2])
        await until(lambda: gone(three, 2))

    played(act)
