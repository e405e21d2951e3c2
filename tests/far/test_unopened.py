"""A game counts once its last deal is open. Before that, neither table, journal, onlooker nor
display has its result, whichever house has won."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardctl.far import game_file
from boardctl.far.feed import Feed
from boardctl.far.game import FarGame
from boardctl.far.game_log import Proposal
from boardctl.far.houses import Houses
from boardctl.games import IllegalMove, Move
from boardctl.record import history
from boardctl.storage.journal import read_sessions
from tests.far.houses import GAME, _is_ours
from tests.far.houses import Houses as OneProcess
from tests.far.test_courier import Evening, Post
from tests.spread import spread
from tests.waiting import until


def is_last(house: Houses, message: Mapping[str, Any]) -> bool:
    """Return whether this message opens the last deal."""
    game = None if house.contacts.active is None else house.contacts.active.session.game
    said = message.get("m", {})
    return said.get("t") == "lock" and game is not None and game.position.over


@pytest.mark.parametrize("silent", spread(1, [0, 1]))
def test_a_win_counts_when_the_deal_is_open(post: Post, tmp_path: Path, silent: int) -> None:
    """One house withholds its last lock, its board restarts, and then it reveals the lock. Until
    then its opponent's table has no winner."""

    async def evening() -> None:
        both = Evening(tmp_path)
        for one, end in zip(both.boards, both.ends, strict=True):
            one.table._authorize = end.authorize
        await both.meet()
        quiet = both.ends[silent]
        assert quiet.contacts.active is not None
        channel = quiet.contacts.active.session.channel
        tell, kept = channel.post, list[Mapping[str, Any]]()

        def keep(message: Mapping[str, Any]) -> None:
            (kept.append if is_last(quiet, message) else tell)(message)

        channel.post = keep  # type: ignore[method-assign]
        playing = asyncio.ensure_future(both.play())
        other, board = both.ends[1 - silent], both.boards[1 - silent]

        def waits() -> bool:
            game = None if other.contacts.active is None else other.contacts.active.session.game
            return bool(kept) and game is not None and game.is_withheld and game.is_unopened

        await until(waits)
        assert other.contacts.active is not None
        game = other.contacts.active.session.game
        assert game is not None
        assert game.position.over
        assert not game.is_done
        assert not board.table.position.over
        assert len(board.table.record.moves) == len(game.in_effect) - 1
        counted = history.figures(history.played(read_sessions(board.data)))
        assert all(one.games == 0 and not any(one.hands) for one in counted), "nothing counts"
        assert any(" show " in line.text for line in game.lines), "hands were shown"
        assert "to open the deal" in other.state("en")["game"]["aside"]
        other.contacts.active.is_here = True
        is_here, said = other.presence("en")
        assert not is_here
        assert "to open the deal" in said
        await other.close()  # a power cut, and a new start
        both.ends[1 - silent] = other = both.open(board)
        board.table._authorize = other.authorize
        await asyncio.sleep(0)
        assert not board.table.position.over
        for message in kept:
            tell(message)
        quiet.happened()
        await playing
        await until(lambda: all(one.table.position.over for one in both.boards))
        both.agree()
        await both.close()

    asyncio.run(evening())


@pytest.mark.parametrize("how", spread(1, ["session", "left", "stopped"]))
def test_a_claim_that_nobody_calls_does_not_win_before_the_deal_is_open(
    post: Post, tmp_path: Path, how: str
) -> None:
    """With muggins a last claim wins once something else begins, without another line. The claiming
    house withholds its lock, and its opponent's people begin another evening."""

    async def evening() -> None:
        both = Evening(tmp_path)
        cheat, other, board = both.ends[1], both.ends[0], both.boards[0]
        await other.invite("Ann", "cribbage", {"target": "31", "muggins": "full"})
        await cheat.accept(" ".join(other.contacts.words), "Bob")
        await until(lambda: other.contacts.active and cheat.contacts.active)
        assert cheat.contacts.active is not None
        channel = cheat.contacts.active.session.channel
        tell = channel.post

        def keep(message: Mapping[str, Any]) -> None:
            game = None if cheat.contacts.active is None else cheat.contacts.active.session.game
            said = message.get("m", {})
            if said.get("t") != "lock" or game is None or not game.ended:
                tell(message)

        channel.post = keep  # type: ignore[method-assign]

        def game() -> FarGame:
            assert other.contacts.active is not None
            assert other.contacts.active.session.game is not None
            return other.contacts.active.session.game

        while True:
            await until(lambda: both._due() is not None or game().ended)
            if game().ended:
                break
            houses, table = both._due() or (other, board.table)
            assert houses.contacts.active is not None
            side = houses.contacts.active.session.game
            assert side is not None
            if houses is cheat and not side.position.scores[1]:  # so its first claim is enough
                with pytest.raises(IllegalMove, match="far-asked"):
                    table.submit(Move("adjust", 2, numbers=(10,)), "page")
                await until(lambda: other.asks)
                assert other.asks is not None
                other.answer(*other.asks, True)
                await until(lambda: game().position.scores[1])
                continue
            if side.caller():
                houses.let_stand()
                continue
            ask = next(ask for ask in side.position.prompt.asks if _is_ours(side, ask))
            move = ask.move
            if ask.kind == "cards":
                chosen = both.chance.sample(ask.cards or (), ask.least)
                move = move._replace(cards=tuple(chosen))
            if move.verb == "show":
                move = move._replace(claim=29 if houses is cheat else 0)
            with suppress(IllegalMove):
                table.submit(move, "page")
            await asyncio.sleep(0)
        assert not game().position.over
        await until(lambda: game().is_unopened)
        await until(lambda: len(board.table.record.moves) == len(game().in_effect))
        ended: list[object] = []
        board.table.accepted.connect(lambda receipt: ended.append(receipt.report.ended))
        with pytest.raises(IllegalMove, match="far-busy"):
            board.table.submit(Move("game", name="cribbage"), "page")
        assert not ended, "a line that is refused changes nothing"
        if how == "left":
            other.leave()
        elif how == "stopped":
            game().receive({"t": "stop", "code": "malformed", "n": 0})
        board.table.submit(Move("session", name="another evening"), "page")
        assert ended
        assert not any(ended)
        await both.close()

    asyncio.run(evening())


def test_an_onlooker_sees_no_result_before_the_deal_is_open() -> None:
    held: list[dict[str, Any]] = []

    def wire(house: int, message: dict[str, Any]) -> list[dict[str, Any]]:
        if house == 2 and message["t"] == "lock" and houses.one.position.over:
            held.append(message)
            return []
        return [message]

    houses = OneProcess.__new__(OneProcess)
    houses.__init__(Random(5), wire)  # type: ignore[misc]
    houses.play()
    game = houses.one
    assert game.is_withheld
    channel = _Deaf()
    look = Feed(channel, "Cy")  # type: ignore[arg-type]
    look.show(game)
    assert look.lines_sent == len(game.lines) - 1
    stored = json.loads(json.dumps(game_file.to_json(game)))
    assert game_file.from_json(stored, Random(1).randbytes).is_withheld
    for message in held:
        game.receive(message)
    houses.deliver()
    assert game.is_done
    look.show(game)
    assert look.lines_sent == len(game.lines)


def test_an_onlooker_sees_no_claim_that_wins_before_the_deal_is_open() -> None:
    """With muggins it would win on the onlooker's board as soon as something else begins there."""

    def wire(house: int, message: dict[str, Any]) -> list[dict[str, Any]]:
        return [] if house == 2 and message["t"] == "lock" and houses.one.ended else [message]

    houses = OneProcess.__new__(OneProcess)
    rules = {"muggins": "full", "target": "31"}
    proposal = Proposal(GAME, "cribbage", ("A", "B"), rules)
    houses.__init__(Random(4), wire, proposal)  # type: ignore[misc]
    game = houses.one
    look = Feed(_Deaf(), "Cy")  # type: ignore[arg-type]
    while not (game.ended and game.is_unopened):
        side = next((one for one in houses.sides if one.is_ours and not one.caller()), None)
        move = None if side is None else houses.decision(side)
        if side is not None and move is not None and move.verb == "show":
            side.say(move._replace(claim=12))
            houses.deliver()
        else:
            assert houses.turn()
    assert not game.position.over, "this game is won by a claim"
    look.show(game)
    assert look.lines_sent == len(game.lines) - 1


class _Deaf:
    """A channel that sends nothing."""

    def __init__(self) -> None:
        self.outbox: dict[int, bytes] = {}

    def post(self, message: Mapping[str, Any]) -> None: ...


def test_a_game_whose_last_deal_is_false_stays_unfinished() -> None:
    """The lock is wrong, so the game stops, and its last line never counts."""

    def wire(house: int, message: dict[str, Any]) -> list[dict[str, Any]]:
        if house == 2 and message["t"] == "lock" and houses.one.position.over:
            return [{**message, "lock": bytes(range(32)).hex()}]
        return [message]

    houses = OneProcess.__new__(OneProcess)
    houses.__init__(Random(5), wire)  # type: ignore[misc]
    houses.play()
    stop = houses.one.stop
    assert stop is not None
    assert stop.code == "wrong-lock"
    assert houses.one.is_withheld
    assert not houses.one.is_done
