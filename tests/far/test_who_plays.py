"""The offer and the answer to it name a house's players for the next game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from boardctl.far import link
from boardctl.games import IllegalMove
from tests.far.test_courier import Evening, Post
from tests.waiting import until

SHORT = {"target": "31"}


@pytest.fixture
def evening(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], Evening]:
    monkeypatch.setattr(link, "client", Post().client)
    return lambda: Evening(tmp_path)


def seats(both: Evening) -> list[str]:
    one, two = (list(board.table.position.seats.values()) for board in both.boards)
    assert one == two
    return one


@pytest.mark.slow
def test_another_grandchild_plays_the_next_game(evening: Callable[[], Evening]) -> None:
    """The house keeps the name under which it was met, whoever plays there."""

    async def play() -> None:
        both = evening()
        one, two = both.ends
        await both.meet()
        await both.play()
        with pytest.raises(IllegalMove, match="name-missing"):
            two.play(0, name="#")
        two.play(0, name="Cleo")
        await until(lambda: one.invitation("en"))
        assert one.invitation("en") == "Bob wants to play Cribbage"
        one.play(0, name="Grandpa")
        await until(lambda: one.is_on and two.is_on)
        await until(lambda: seats(both) == ["Grandpa", "Cleo"])
        assert [end.state("en")["game"]["name"] for end in both.ends] == ["Bob", "Ann"]
        await both.play()
        both.agree()
        one.play(0)
        await until(lambda: two.invitation("en"))
        assert two.invitation("en") == "Ann wants to play Cribbage"
        offered = two.contacts.houses[0].session.offered
        assert offered is not None
        assert offered["names"] == ["Grandpa"], "the last ones, unless said"
        assert two.state("en")["houses"][0]["own"] == "Cleo"
        await both.close()

    asyncio.run(play())


def test_both_want_to_play_with_others_at_once(evening: Callable[[], Evening]) -> None:
    async def play() -> None:
        both = evening()
        one, two = both.ends
        await both.meet()
        await both.play()
        one.play(0, name="Dora")
        two.play(0, name="Cleo")
        two.play(0, name="Eve")  # offered by then; once withdrawn, it can be offered again
        await until(lambda: one.is_on and two.is_on)
        await until(lambda: seats(both) == ["Dora", "Cleo"])
        assert [end.state("en")["game"]["name"] for end in both.ends] == ["Bob", "Ann"]
        await both.close()

    asyncio.run(play())


def test_other_partners_play_the_next_game(evening: Callable[[], Evening]) -> None:
    async def play() -> None:
        both = evening()
        one, two = both.ends
        await one.invite("Ann", "cribbage", SHORT, "Abe")
        await two.accept(" ".join(one.contacts.words), "Bob", "Bea")
        await until(lambda: one.contacts.active and two.contacts.active)
        assert seats(both) == ["Ann", "Bob", "Abe", "Bea"]
        await both.play()
        two.play(0, partner="Ben")
        await until(lambda: one.contacts.houses[0].wants)
        one.play(0, name="Amy")
        await until(lambda: one.is_on and two.is_on)
        await until(lambda: seats(both) == ["Amy", "Bob", "Abe", "Ben"])
        await both.close()

    asyncio.run(play())
