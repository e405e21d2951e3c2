"""A game that one house has set aside: the other house learns of it, until the game continues."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardctl.far import DIRECTORY
from boardctl.far.session import Session
from boardctl.games import IllegalMove, Move
from tests.far.houses import SHORT
from tests.far.test_courier import Evening, Post
from tests.far.test_rematch import hear, settle
from tests.far.test_session import Pair
from tests.spread import spread
from tests.waiting import until

ASIDE = "{}’s board has set this game aside"


@pytest.fixture
def evening(post: Post, tmp_path: Path) -> Callable[[], Evening]:
    return lambda: Evening(tmp_path, ("one", "two", "three"))


def told(evening: Evening, at: int) -> tuple[str, str]:
    """Return what a house's page and display show about the other house's table."""
    end = evening.ends[at]
    game = end.state("en")["game"]
    return game["aside"], end.presence("en")[1]


def on_disk(evening: Evening, at: int) -> dict[str, Any]:
    """Return a house's stored session with the other house."""
    (path,) = (evening.boards[at].data / DIRECTORY).glob("*.json")
    found: dict[str, Any] = json.loads(path.read_text())["session"]
    return found


async def played(three: Callable[[], Evening], act: Callable[[Evening], Awaitable[None]]) -> None:
    evening = three()
    try:
        await evening.meet()
        await act(evening)
    finally:
        await evening.close()


@pytest.mark.parametrize("how", spread(1, ["leave", "evening"]))
def test_the_other_house_is_told_until_the_game_goes_on(
    evening: Callable[[], Evening], how: str
) -> None:
    async def act(two: Evening) -> None:
        one, other = two.ends[:2]
        assert told(two, 1) == ("", "Ann is connected")
        if how == "leave":
            one.leave()
        else:
            two.boards[0].table.submit(Move("session", name="end"), "page")
        await until(lambda: told(two, 1) == (ASIDE.format("Ann"),) * 2)
        assert not other.presence("en")[0], "the display and the voice say it too"
        assert "Ann" in other.presence("ja")[1]
        one.play(0)
        await until(lambda: told(two, 1) == ("", "Ann is connected"))
        await two.play()
        two.agree()

    asyncio.run(played(evening, act))


def test_it_is_told_once_the_other_is_there_again_and_kept_over_power_cuts(
    evening: Callable[[], Evening],
) -> None:
    async def act(two: Evening) -> None:
        async def restart(at: int) -> None:
            await two.ends[at].close()
            two.ends[at] = two.open(two.boards[at])

        await two.ends[1].close()
        two.ends[0].leave()
        await until(lambda: on_disk(two, 0)["aside"])
        await restart(0)
        two.ends[1] = two.open(two.boards[1])
        await until(lambda: told(two, 1)[0] == ASIDE.format("Ann"))
        await until(lambda: on_disk(two, 1)["aside_there"])
        await restart(1)
        await until(lambda: told(two, 1)[1] == ASIDE.format("Ann"))
        two.ends[0].play(0)
        await until(lambda: told(two, 1) == ("", "Ann is connected"))
        await two.play()
        two.agree()

    asyncio.run(played(evening, act))


@pytest.mark.slow
def test_a_line_on_a_table_whose_game_is_set_aside_takes_it_up_again(
    evening: Callable[[], Evening],
) -> None:
    """The cards remained on the table, and a card played there used to have no effect."""

    async def act(two: Evening) -> None:
        one, table = two.ends[0], two.boards[0].table
        await until(lambda: table.position.situation.dealer)
        await until(lambda: not one._computing)
        one.leave()
        assert one.state("en")["left"] == 0
        before = list(table.record.moves)
        await until(lambda: on_disk(two, 0)["aside"])
        await one.close()
        one = two.ends[0] = two.open(two.boards[0])
        assert one.state("en")["left"] == 0
        for line in ("undo", "1 peg 2"):
            with pytest.raises(IllegalMove, match="far-goes-on"):
                table.submit(table.parse(line), "page")
            assert list(table.record.moves) == before
        await until(lambda: one.contacts.active)
        assert one.state("en")["left"] is None
        one.leave()
        table.submit(Move("session", name="end"), "page")
        assert one.state("en")["left"] is None
        one.play(0)
        await two.play()
        two.agree()

    asyncio.run(played(evening, act))


@pytest.mark.slow
def test_both_set_it_aside_at_once_and_each_is_told_as_it_goes_on(
    evening: Callable[[], Evening],
) -> None:
    async def act(two: Evening) -> None:
        for end in two.ends[:2]:
            end.leave()
        sessions = [end.contacts.houses[0].session for end in two.ends[:2]]
        await until(lambda: all(one.is_aside_there for one in sessions))
        two.ends[1].play(0)
        assert told(two, 1)[0] == ASIDE.format("Ann")
        await until(lambda: not sessions[0].is_aside_there)
        two.ends[0].play(0)
        await until(lambda: not sessions[1].is_aside_there)
        await until(lambda: [told(two, at)[0] for at in (0, 1)] == ["", ""])
        await two.play()
        two.agree()

    asyncio.run(played(evening, act))


def test_a_game_that_waits_until_people_join_it_is_aside_there(
    evening: Callable[[], Evening],
) -> None:
    async def act(two: Evening) -> None:
        one = two.ends[0]
        one.leave()
        table = two.boards[0].table
        for line in ("session other", "game noddy", "seat 1 Ann", "seat 2 Cy", "dealer 1", "deal"):
            table.submit(table.parse(line), "page")
        third = two.ends[2]
        await third.invite("Cy", "cribbage", SHORT)
        words = " ".join(third.contacts.words)
        await one.accept(words, "Ann")
        await until(lambda: any(house.waits for house in one.contacts.houses))
        await until(lambda: third.contacts.houses[0].session.is_aside_there)
        one.play(1)
        await until(lambda: not third.contacts.houses[0].session.is_aside_there)

    asyncio.run(played(evening, act))


def test_the_keypad_goes_on_with_the_game_that_was_set_aside(
    evening: Callable[[], Evening],
) -> None:
    """The keypad used to offer a game to the house met last, whichever game was set aside."""

    async def act(three: Evening) -> None:
        one, _, third = three.ends
        one.leave()
        await one.invite("Ann", "cribbage", SHORT)
        await third.accept(" ".join(one.contacts.words), "Cy")
        await until(
            lambda: len(one.contacts.houses) == 2 and one.contacts.active is one.contacts.houses[1]
        )
        assert one.next == 1
        one.leave()
        assert one.next == 1
        one.play(0)
        one.leave()
        assert one.next == 0
        three.boards[0].table.submit(Move("session", name="end"), "page")
        one.contacts.houses[1].session.game = None
        assert one.next == 0, "a game that goes on, before a house with none"

    asyncio.run(played(evening, act))


def begun(seed: int) -> Pair:
    pair = Pair(seed)
    pair.ends[1].welcome = True
    pair.ends[0].offer("cribbage", SHORT)
    pair.save(0)
    settle(pair)
    assert all(end.is_playing for end in pair.ends)
    return pair


@pytest.mark.parametrize("seed", spread(2, range(8)))
def test_whatever_is_lost_repeated_or_late_the_last_word_counts(seed: int) -> None:
    pair, chance = begun(seed), Random(seed)
    for _ in range(40):
        side, aside = chance.randrange(2), chance.random() < 0.5
        pair.ends[side].set_aside(aside)
        if chance.random() < 0.7:
            pair.save(side)
        if chance.random() < 0.2:
            pair.cut(side)
        if pair.wire and chance.random() < 0.5:
            pair.deliver(0.3)
    for side in (0, 1):
        pair.cut(side)
    settle(pair)
    for side in (0, 1):
        for packet in pair.ends[side].take(pair.ends[1 - side].channel.have(again=True)).resent:
            pair.wire.append((1 - side, packet))
    settle(pair)
    one, two = pair.ends
    assert (one.is_aside, two.is_aside) == (two.is_aside_there, one.is_aside_there)
    pair.play()


def test_the_next_game_is_on_both_tables_and_a_late_word_means_the_one_before() -> None:
    pair = begun(3)
    for end in pair.ends:
        end.set_aside(True)
    for side in (0, 1):
        pair.save(side)
    settle(pair)
    assert all(end.is_aside_there for end in pair.ends)
    pair.play()
    one, two = pair.ends
    one.offer("cribbage", SHORT)
    pair.save(0)
    settle(pair)
    two.accept()
    two.channel.post({"aside": True, "k": two.number - 1})
    pair.save(1)
    settle(pair)
    assert not any(end.is_aside or end.is_aside_there for end in pair.ends)


def test_a_house_of_the_last_version_drops_it_and_plays_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such a house does not know any session message with the current game's number."""
    pair = begun(4)
    before = Session._take

    def _take(self: Session, message: dict[str, object]) -> None:
        if self is not pair.ends[1] or "g" in message or message.get("k") == self.number + 1:
            before(self, message)  # the rest of 1.0.0's function returns here

    monkeypatch.setattr(Session, "_take", _take)
    pair.ends[0].set_aside(True)
    pair.save(0)
    assert hear(pair, 1)
    assert not pair.ends[1].is_aside_there
    pair.play()


def test_what_is_no_word_of_it_changes_nothing() -> None:
    pair = begun(5)
    said: tuple[object, ...] = ("yes", 1, None, [True], {})
    for value in said:
        pair.ends[0].channel.post({"aside": value, "k": 1})
    pair.save(0)
    settle(pair)
    assert not pair.ends[1].is_aside_there
    assert pair.ends[1].is_playing


def test_a_file_of_the_last_version_is_read(tmp_path: Path) -> None:
    pair = begun(6)
    kept = json.loads(json.dumps(pair.ends[0].to_json()))
    del kept["aside"], kept["aside_there"]
    one = Session.from_json(kept, pair.seeds[0], pair.chance.randbytes)
    assert (one.is_aside, one.is_aside_there) == (False, False)
