"""Invitations as people use them: tapped twice, withdrawn, read by a third house, one's own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from boardctl.far import KEPT, TREE, invitation_words, link
from boardctl.games import IllegalMove
from tests.far.test_courier import Evening, Post
from tests.waiting import until

GAME = ("cribbage", {"target": "31"})


@pytest.fixture
def three(post: Post, tmp_path: Path) -> Callable[[], Evening]:
    return lambda: Evening(tmp_path, ("one", "two", "three"))


async def refused(doing: Awaitable[None]) -> str:
    try:
        await doing
    except IllegalMove as error:
        return error.code
    return ""


def test_a_third_house_hears_that_the_words_are_used(
    post: Post, three: Callable[[], Evening]
) -> None:
    """This is true before and after the second house has answered, and the third house does not
    lose any house that it knows."""

    async def evening() -> None:
        all3 = three()
        one, two, other = all3.ends
        await other.invite("Cy", *GAME)
        await one.accept(" ".join(other.contacts.words), "Ann")
        await until(lambda: one.is_on and other.is_on)
        one.leave()
        other.leave()
        await one.invite("Ann", *GAME)
        words = " ".join(one.contacts.words)
        await two.close()  # it leaves as soon as it has greeted
        two = all3.ends[1] = all3.open(all3.boards[1])
        await two.accept(words, "Bob")
        await until(lambda: one.contacts.houses[1:])
        await other.accept(words, "Cy")
        await until(lambda: other.contacts.is_late)
        await until(lambda: one.contacts.active and two.contacts.active)
        await other.accept(words, "Cy")
        assert not other.contacts.is_late
        await until(lambda: other.contacts.is_late)
        assert other.state("en")["late"]
        assert other.notice("en").startswith("These words were withdrawn or used")
        assert [house.session.name for house in other.contacts.houses] == ["Ann"]
        assert [house.session.name for house in one.contacts.houses] == ["Cy", "Bob"]
        await all3.play()
        await all3.close()

    asyncio.run(evening())


@pytest.mark.parametrize("first", ["accept", "cancel"])
def test_words_that_were_taken_back_are_late(
    post: Post, three: Callable[[], Evening], first: str
) -> None:
    """This is true even if the board that withdrew them has no power in the meantime."""

    async def evening() -> None:
        all3 = three()
        one, two, _ = all3.ends
        await one.invite("Ann", *GAME)
        words = " ".join(one.contacts.words)
        one.cancel()
        await until(lambda: post.retained.get(f"{TREE}/{topic(post)}/1"))
        if first == "cancel":
            await one.close()
        await two.accept(words, "Bob")
        kept = all3.boards[1].data / KEPT
        await until(lambda: two.contacts.is_late and json.loads(kept.read_bytes())["late"])
        await two.close()
        two = all3.ends[1] = all3.open(all3.boards[1])
        assert two.contacts.is_late
        assert two.contacts.meeting is None
        await two.invite("Bob", *GAME)
        assert not two.state("en")["late"]
        await all3.close()

    def topic(post: Post) -> str:
        found = [one for one in post.retained if one.endswith("/1")]
        return found[0].split("/")[-2] if found else ""

    asyncio.run(evening())


def test_what_is_tapped_twice_is_done_once(post: Post, three: Callable[[], Evening]) -> None:
    async def evening() -> None:
        all3 = three()
        one, two, _ = all3.ends
        await asyncio.gather(*(one.invite("Ann", *GAME) for _ in range(2)))
        words = " ".join(one.contacts.words)
        await one.invite("Ann", *GAME)
        assert " ".join(one.contacts.words) == words
        await asyncio.gather(*(two.accept(words, "Bob") for _ in range(3)))
        await until(lambda: one.is_on and two.is_on)
        await two.accept(words, "Bob")
        assert len(one.contacts.houses) == len(two.contacts.houses) == 1
        await all3.play()
        all3.agree()
        await asyncio.gather(one.show(), one.show())
        seen = " ".join(one.contacts.words)
        await asyncio.gather(*(all3.ends[2].accept(seen, "Cy") for _ in range(2)))
        await until(lambda: one.contacts.onlookers and all3.ends[2].contacts.watched)
        await all3.ends[2].accept(seen, "Cy")
        assert len(one.contacts.onlookers) == len(all3.ends[2].contacts.onlookers) == 1
        await all3.close()

    asyncio.run(evening())


def test_an_open_invitation_is_lost_by_nothing_but_taking_it_back(
    post: Post, three: Callable[[], Evening]
) -> None:
    async def evening() -> None:
        all3 = three()
        one, two, other = all3.ends
        await one.invite("Ann", *GAME)
        words = " ".join(one.contacts.words)
        assert await refused(one.accept(words, "Ann")) == "far-own-words"
        assert await refused(one.invite("Ann", "bezique", {})) == "far-waiting"
        assert await refused(one.invite("Amy", *GAME)) == "far-waiting"
        assert await refused(one.accept("abandon", "Ann")) == "far-six-words"
        assert await refused(one.accept("abandon " * 6, "Ann")) == "far-other-words"
        assert " ".join(one.contacts.words) == words
        await two.accept(words, "Bob")
        await until(lambda: one.is_on and two.is_on)
        await other.invite("Cy", *GAME)
        assert await refused(two.accept(" ".join(other.contacts.words), "Bob")) == "far-busy"
        assert await refused(two.invite("Bob", *GAME)) == "far-busy"
        two.leave()
        assert await refused(two.accept(words, "Bob")) == ""
        await all3.play(0)
        await all3.close()

    asyncio.run(evening())


@pytest.mark.slow
def test_words_that_were_used_here_are_said_to_be(post: Post, three: Callable[[], Evening]) -> None:
    async def evening() -> None:
        all3 = three()
        one, two, _ = all3.ends
        await one.invite("Ann", *GAME)
        words = " ".join(one.contacts.words)
        await two.accept(words, "Bob")
        await until(lambda: one.is_on and two.is_on)
        await all3.play()
        assert await refused(two.accept(words, "Bob")) == "far-used"
        assert await refused(one.accept(words, "Ann")) == "far-used"
        assert two.contacts.meeting is None
        await all3.close()

    asyncio.run(evening())


def test_other_words_take_the_place_of_those_that_were_waited_for(
    post: Post, three: Callable[[], Evening]
) -> None:
    """A house's own invitation ends too: its words then come too late."""

    async def evening() -> None:
        all3 = three()
        one, two, other = all3.ends
        await two.invite("Bob", *GAME)
        mine = " ".join(two.contacts.words)
        await one.invite("Ann", *GAME)
        await two.accept(" ".join(one.contacts.words), "Bob")
        await until(lambda: one.is_on and two.is_on)
        await other.accept(mine, "Cy")
        await until(lambda: other.contacts.is_late)
        await all3.close()

    asyncio.run(evening())


def test_an_offer_is_taken_back(post: Post, three: Callable[[], Evening]) -> None:
    async def evening() -> None:
        all3 = three()
        one, two, _ = all3.ends
        await one.invite("Ann", *GAME)
        await two.accept(" ".join(one.contacts.words), "Bob")
        await until(lambda: one.is_on and two.is_on)
        await all3.play()
        one.play(0)
        assert one.state("en")["houses"][0]["offering"]
        await until(lambda: two.state("en")["houses"][0]["offered"])
        one.withdraw(0)
        assert not one.state("en")["houses"][0]["offering"]
        await until(lambda: not two.state("en")["houses"][0]["offered"])
        with pytest.raises(IllegalMove, match="far-no-house"):
            one.withdraw(1)
        await all3.close()

    asyncio.run(evening())


@pytest.mark.slow
def test_a_house_whose_card_was_replaced_can_be_removed_once_its_game_is_set_aside(
    post: Post, three: Callable[[], Evening]
) -> None:
    """Such a house used to remain in the list forever, next to its new entry, with a game that
    nobody could continue."""

    async def evening() -> None:
        all3 = three()
        one = all3.ends[0]
        await all3.meet()
        await all3.ends[1].close()
        new = all3.ends[1] = all3.ends[2]  # Bob's board, without its data
        with pytest.raises(IllegalMove, match="far-busy"):
            one.remove(0)
        one.leave()
        await one.invite("Ann", *GAME)
        await new.accept(" ".join(one.contacts.words), "Bob")
        await until(lambda: one.contacts.active and new.contacts.active)
        assert [house["name"] for house in one.state("en")["houses"]] == ["Bob", "Bob"]
        one.remove(0)
        assert [house["active"] for house in one.state("en")["houses"]] == [True]
        with pytest.raises(IllegalMove, match="far-no-house"):
            one.remove(1)
        all3.boards[1].table.journal.close()
        all3.boards[1] = all3.boards.pop()
        all3.ends.pop()
        await all3.play()
        all3.agree()
        one.remove(0)
        assert one.state("en")["houses"] == []
        assert one.state("en")["game"] is None
        await all3.close()

    asyncio.run(evening())


@pytest.mark.parametrize("why", ["mistyped", "old"])
def test_words_with_which_no_board_invites_are_said_to_be_so(
    post: Post, three: Callable[[], Evening], monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    """One in 64 wrong words fits the others, and the mark that words were used disappears after 14
    days. The board used to wait forever in these cases."""
    monkeypatch.setattr(link, "ANSWER", 0.2)

    async def evening() -> None:
        all3 = three()
        one, two, other = all3.ends
        await one.invite("Ann", *GAME)
        said = " ".join(one.contacts.words)
        if why == "old":
            await two.accept(said, "Bob")
            await until(lambda: one.contacts.active and two.contacts.active)
            await until(lambda: not one.contacts.ending)
            post.retained.clear()
        else:
            said = " ".join(invitation_words.spell(invitation_words.read(said) ^ 1))
        await other.accept(said, "Cy")
        await until(lambda: other.state("en")["unanswered"])
        assert other.notice("en").startswith("No board answers to these words")
        assert other.notice("ja") not in ("", other.notice("en"))
        assert other.state("en")["accepting"]
        other.cancel()
        assert not other.state("en")["unanswered"]
        assert other.notice("en") == ""
        await all3.close()

    asyncio.run(evening())


def test_a_board_that_invites_and_is_away_is_waited_for(
    post: Post, three: Callable[[], Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broker still has the message that the invitation is open."""
    monkeypatch.setattr(link, "ANSWER", 0.0)

    async def evening() -> None:
        all3 = three()
        one, two, other = all3.ends
        await one.invite("Ann", *GAME)
        said = " ".join(one.contacts.words)
        await until(lambda: any(topic.endswith("/open") for topic in post.retained))
        await one.close()
        await two.accept(said, "Bob")
        await until(lambda: two.contacts.meeting and two.contacts.meeting.is_open)
        assert not two.state("en")["unanswered"]
        one = all3.ends[0] = all3.open(all3.boards[0])
        await until(lambda: one.contacts.active and two.contacts.active)
        await until(lambda: not one.contacts.ending)
        assert [post.retained[topic] for topic in post.retained if topic.endswith("/open")] == [b""]
        await other.accept(said, "Cy")
        await until(lambda: other.contacts.is_late)
        assert not other.contacts.is_unanswered
        await all3.close()

    asyncio.run(evening())


@pytest.mark.slow
def test_a_board_that_hears_of_the_invitation_late_does_not_say_so_any_more(
    post: Post, three: Callable[[], Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The inviting board had no connection yet."""
    monkeypatch.setattr(link, "ANSWER", 0.0)

    async def evening() -> None:
        all3 = three()
        one, two, _ = all3.ends
        await one.invite("Ann", *GAME)
        said = " ".join(one.contacts.words)
        await until(lambda: any(topic.endswith("/open") for topic in post.retained))
        await one.close()
        post.retained.clear()
        await two.accept(said, "Bob")
        await until(lambda: two.contacts.is_unanswered)
        one = all3.ends[0] = all3.open(all3.boards[0])
        await until(lambda: one.contacts.active and two.contacts.active)
        assert not two.contacts.is_unanswered
        await all3.play()
        all3.agree()
        await all3.close()

    asyncio.run(evening())
