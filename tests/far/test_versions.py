"""Boards of two versions: the deal of version 1.0 is never played, whatever the other house sends,
and both boards say which of them must be updated."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from boardctl.far import game_file, group, on_demand, sentences
from boardctl.far.game import FarGame
from boardctl.far.game_log import UPDATE, Proposal
from boardctl.far.on_demand import OtherHouses
from boardctl.far.peers import Greeting, House
from boardctl.games import IllegalMove
from tests.far.houses import GAME, SHORT, Houses
from tests.far.test_session import Pair


def deliver(pair: Pair) -> None:
    for side in (0, 1):
        pair.save(side)
    while pair.wire:
        pair.deliver(0)


def heard(pair: Pair, side: int) -> list[dict[str, Any]]:
    """Return everything that an end sends from now on."""
    said: list[dict[str, Any]] = []
    channel = pair.ends[side].channel
    post = channel.post

    def note(message: Any) -> None:
        said.append(message)
        post(message)

    channel.post = note  # type: ignore[method-assign]
    return said


def outdated(pair: Pair, side: int) -> str:
    return sentences.outdated(House(pair.ends[side], Greeting("x")), "en")


@pytest.mark.parametrize("welcome", [False, True])
def test_an_offer_of_an_old_board_begins_no_game_and_is_answered_so_that_it_says_so(
    welcome: bool,
) -> None:
    """Version 1.0 offers without a version. It treats our answer as its game, which stops with the
    reason. A game of this version can follow once it is updated."""
    pair = Pair(1)
    old, new = pair.ends
    new.welcome = welcome
    said = heard(pair, 1)
    offer = {"game": "cribbage", "options": SHORT, "once": "00" * 16, "names": ["Ann"]}
    old.channel.post({"offer": offer, "k": 1})
    deliver(pair)
    assert new.game is None
    assert new.offered is None
    assert new.outdated == "there"
    assert "update that board" in outdated(pair, 1)
    assert "accept" in said[0]
    assert said[1] == {"g": 1, "m": {"t": "stop", "code": UPDATE, "n": 0}}
    old.number = 1
    old.offer("cribbage", SHORT)
    deliver(pair)
    assert outdated(pair, 1) == ""
    new.accept()
    deliver(pair)
    games = [end.game for end in pair.ends]
    assert len({game.proposal.ident for game in games if game is not None}) == 1
    assert None not in games


def test_an_old_board_that_accepts_begins_no_game() -> None:
    pair = Pair(2)
    new, old = pair.ends
    new.offer("cribbage", SHORT)
    said = heard(pair, 0)
    old.channel.post({"accept": "00" * 16, "names": ["Bob"], "k": 1})
    deliver(pair)
    assert new.game is None
    assert new.offering is None
    assert new.outdated == "there"
    assert said == [{"g": 1, "m": {"t": "stop", "code": UPDATE, "n": 0}}]
    # Its messages in the game that it has begun are not read.
    old.channel.post({"g": 1, "m": {"t": "pack", "deal": 1, "pack": "", "commitment": "00" * 32}})
    deliver(pair)
    assert new.game is None


@pytest.mark.parametrize("version", [group.PROTOCOL + 1, 99])
def test_a_newer_board_says_that_this_one_must_be_updated(version: int) -> None:
    pair = Pair(3)
    newer, this = pair.ends
    said = heard(pair, 1)
    offer = {"game": "cribbage", "options": {}, "once": "00" * 16, "names": ["Ann"]}
    newer.channel.post({"offer": {**offer, "deal": version}, "k": 1})
    deliver(pair)
    assert this.game is None
    assert this.outdated == "here"
    assert "update this board" in outdated(pair, 1)
    assert said == [{"speaks": group.PROTOCOL, "k": 1}]
    this.offer("cribbage", SHORT)
    newer.channel.post({"speaks": version, "k": 1})
    deliver(pair)
    assert this.offering is None


@pytest.mark.parametrize("version", [None, "2", True, [2], 2.0, {}])
def test_a_version_that_is_none_begins_no_game(version: object) -> None:
    pair = Pair(4)
    one, two = pair.ends
    two.welcome = True
    offer = {"game": "cribbage", "options": {}, "once": "00" * 16, "names": ["Ann"]}
    one.channel.post({"offer": {**offer, "deal": version}, "k": 1})
    deliver(pair)
    assert two.game is None
    assert two.offered is None


@pytest.mark.parametrize(
    "message",
    [
        {"t": "pack", "deal": 1, "pack": "", "commitment": "00" * 32},
        {"t": "keys", "deal": 1, "keys": {"0": "01" * 32}},
        {"t": "secret", "deal": 1, "secret": "00" * 32},
    ],
)
def test_a_message_of_the_old_deal_stops_a_game(message: dict[str, Any]) -> None:
    houses = Houses(Random(5))
    houses.until("play")
    houses.one.receive(message)
    assert houses.one.stop is not None
    assert houses.one.stop.code == "malformed"


def test_a_game_that_version_1_has_begun_stays_unfinished_and_one_that_is_over_stays_over() -> None:
    houses = Houses(Random(6))
    houses.until("play")
    stored = json.loads(json.dumps(game_file.to_json(houses.one)))
    for name in ("protocol", "coming", "lock", "written"):
        del stored[name]
    stored |= {"secret": None, "opened": [], "deal": {"packs": ["x"], "keys": {}}}
    game = game_file.from_json(stored, Random(1).randbytes)
    assert game.stop is not None
    assert game.stop.code == "outdated"
    assert [line.text for line in game.lines] == [line.text for line in houses.one.lines]
    assert game.out == [{"t": "stop", "code": UPDATE, "n": len(game.lines)}]
    again = game_file.from_json(
        json.loads(json.dumps(game_file.to_json(game))), Random(1).randbytes
    )
    assert again.stop == game.stop
    houses = Houses(Random(6))
    houses.play()
    stored = json.loads(json.dumps(game_file.to_json(houses.one)))
    del stored["protocol"]
    game = game_file.from_json(stored, Random(1).randbytes)
    assert game.stop is None
    assert game.is_done


def test_a_game_is_not_opened_with_a_library_that_takes_false_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> None:
        raise group.UnsafeLibrary("P + (0, -1)")

    monkeypatch.setattr(group, "self_test", fail)
    houses = OtherHouses.__new__(OtherHouses)
    houses.houses = None
    with pytest.raises(IllegalMove, match="far-unsafe"):
        on_demand.OtherHouses.open(houses)


def test_every_game_has_a_pack_that_can_be_dealt() -> None:
    for game in ("cribbage", "bezique", "rubicon-bezique", "six-pack-bezique", "pinochle"):
        side = FarGame(Proposal(GAME, game, ("Ann", "Bob"), {}), 1, Random(7).randbytes)
        assert len(side._pack()) <= 192
