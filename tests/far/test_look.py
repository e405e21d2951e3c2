"""An onlooker sees the board, the score and open cards, never a hand: no message depends on a
hidden card."""

from __future__ import annotations

import json
import re
from random import Random

import pytest
from nacl.bindings import crypto_sign_seed_keypair

from boardctl.far import game_file
from boardctl.far.channel import Channel
from boardctl.far.feed import Feed
from boardctl.far.game import FarGame
from boardctl.far.game_log import Proposal
from boardctl.games import IllegalMove
from boardctl.games.cards import CARDS
from boardctl.record import notation
from boardctl.record.record import Record
from tests.far.houses import GAME, SHORT, Houses, consent, refused

KEYS = bytes(32), bytes(31) + b"1"


def ends(seed: int = 1) -> tuple[Feed, Feed]:
    """Return a playing house and an onlooker."""
    draw = Random(seed).randbytes
    seeds = [Random(n).randbytes(32) for n in (1, 2)]
    publics = [crypto_sign_seed_keypair(one)[0] for one in seeds]
    one, two = (
        Feed(Channel(GAME, party, KEYS, seeds[party - 1], publics[2 - party], draw), name)
        for party, name in ((1, "Cleo"), (2, "Ann"))
    )
    return one, two


def sent(game: FarGame) -> list[bytes]:
    """Return every byte that leaves the house for an onlooker."""
    look, _ = ends()
    look.show(game)
    return list(look.channel.outbox.values())


def exchanged(game: FarGame, chance: Random) -> FarGame | None:
    """Return this house's game with hidden cards of its hand exchanged for others that nobody has
    seen; None if it holds none, or the lines contradict them."""
    kept = json.loads(json.dumps(game_file.to_json(game)))
    text = " ".join(line for line, _, _ in kept["lines"])
    hand = next(
        (line for line, _, _ in reversed(kept["lines"]) if f"{game.party} hand" in line), ""
    )
    start = max(n for n, (line, _, _) in enumerate(kept["lines"]) if line == "deal")
    later = [line for line, _, _ in kept["lines"][start + 1 :] if line != hand]
    shown = {word for line in later if " discard " not in line for word in line.split()}
    hidden = [card for card in hand.split()[2:] if card not in shown]
    if not hidden:
        return None
    free = [str(card) for card in CARDS if str(card) not in text[text.rindex("deal") :]]
    change = dict(zip(hidden, chance.sample(free, len(hidden)), strict=True))
    for line in kept["lines"][start + 1 :]:
        line[0] = re.sub(r"\S+", lambda found: change.get(found[0], found[0]), line[0])
    try:
        return game_file.from_json(kept, chance.randbytes)
    except IllegalMove:  # with these cards, a go would have been impossible
        return None


@pytest.mark.parametrize("seed", range(3))
def test_no_byte_for_an_onlooker_depends_on_a_hidden_card(seed: int) -> None:
    chance = Random(seed)
    houses = Houses(chance)
    compared = 0
    houses.until("discard")
    while houses.one.position.situation.phase in ("discard", "play"):
        for side in houses.sides:
            other = exchanged(side, chance)
            if other is not None:
                mine = [line.text for line in side.lines]
                assert [line.text for line in other.lines] != mine
                assert sent(other) == sent(side)
                compared += 1
        assert sent(houses.one) == sent(houses.two), "both houses tell the same"
        houses.turn()
    assert compared > 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (("Ann", "Bob"), SHORT),
        (("Ann", "Bob"), {"muggins": "full", "target": "61"}),
        (("Ann", "Bob", "Cleo", "Dan"), {"target": "61"}),
    ],
)
def test_an_onlookers_referee_has_the_same_scores_to_the_end(
    seats: tuple[str, ...], options: dict[str, str]
) -> None:
    houses = Houses(Random(7), proposal=Proposal(GAME, "cribbage", seats, options))
    tells, looks = ends()
    record, count = Record(), 0
    undone = False
    while not houses.is_done:
        assert houses.turn()
        if houses.one.position.situation.phase == "play" and not undone:
            undone = True  # an undo, which an onlooker sees too
            houses.turn()
            assert refused(houses.one, "undo") == "far-asked"
            houses.deliver()
            consent(houses.two)
            houses.deliver()
        for side in houses.sides[:1]:
            tells.show(side)
        for packet in list(tells.channel.outbox.values()):
            looks.take(packet)
        tells.take(looks.channel.have())
        for line in looks.lines[count:]:
            record.apply(notation.parse_move(line, record.position.game))
        count = len(looks.lines)
        assert record.position.scores == houses.one.position.scores
    assert undone
    assert record.position.over
    assert not tells.channel.outbox


def test_who_was_away_is_told_the_rest_and_the_disk_keeps_it() -> None:
    houses = Houses(Random(8))
    tells, looks = ends()
    while not houses.is_done:
        houses.turn()
        tells.show(houses.one)
    assert len(tells.channel.outbox) <= 8
    draw = Random(1).randbytes
    tells = Feed.from_json(json.loads(json.dumps(tells.to_json())), Random(1).randbytes(32), draw)
    for _ in range(9):
        for packet in list(tells.channel.outbox.values()):
            looks.take(packet)
        tells.take(looks.channel.have())
        tells.show(houses.one)
    looks = Feed.from_json(json.loads(json.dumps(looks.to_json())), Random(2).randbytes(32), draw)
    assert looks.lines == houses.one.public
    tells.end()
    for packet in tells.channel.outbox.values():
        looks.take(packet)
    assert looks.is_over


@pytest.mark.parametrize(
    "message",
    [
        {"look": "a", "n": 5, "lines": ["game cribbage"]},
        {"look": "a", "n": 0, "lines": [5]},
        {"look": "a", "n": 0, "lines": ["x" * 400]},
        {"look": "a", "n": 0, "lines": None},
        {"look": "a"},
    ],
)
def test_what_is_no_game_ends_the_looking_on(message: dict[str, object]) -> None:
    tells, looks = ends()
    tells.channel.post(message)
    (packet,) = tells.channel.outbox.values()
    looks.take(packet)
    assert looks.is_over
    assert not looks.lines
