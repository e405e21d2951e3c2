"""Nobody in or between the houses receives a byte that depends on a card that they may not know.

A game, mostly of partners, two in each house, is played at random from both houses' prompts, and
stopped somewhere in a deal. Then the cards that one viewer has not seen change their names in the
pack, and the game is played again with the same secrets and decisions: the cards thrown are those
at the same places. Now and then a house has a power cut and continues from its disk. Everything
that the viewer receives must be equal byte for byte, after decryption if the viewer has the key.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, NamedTuple
from unittest import mock

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from boardctl.console.keypad import Command
from boardctl.far import game_file
from boardctl.far.cards import Holding, party_of
from boardctl.far.channel import Channel
from boardctl.far.feed import Feed
from boardctl.far.game import FarGame
from boardctl.far.game_log import Proposal
from boardctl.far.houses import Houses as OtherHouses
from boardctl.far.on_table import FAR, FarTable
from boardctl.far.session import Session
from boardctl.games import IllegalMove, Kind, Move
from boardctl.games.cards import Card
from tests.far.houses import GAME, Houses, Message, _is_ours, consent
from tests.far.test_far_docs import messages_listed
from tests.report import LongRun
from tests.spread import spread
from tests.web.surfaces import LANGUAGES, Surfaces, refused, tried

NAMES: Final = ("Ann", "Bob", "Cleo", "Dan")
PHONES: Final = ("seat 1", "seat 2", "seat 3", "seat 4")
VIEWERS: Final = (*PHONES, "house 1", "house 2", "onlooker", "broker")
RULES: Final[tuple[tuple[str, int, dict[str, str]], ...]] = (
    ("cribbage", 4, {}),
    ("cribbage", 4, {"muggins": "full"}),
    ("noddy", 4, {}),
    ("cribbage", 2, {}),
    ("five-card-cribbage", 2, {}),
    ("bezique", 2, {}),
    ("pinochle", 2, {}),
)
TURNS: Final = 40
"""The maximum number of decisions; a deal of four has about thirty."""
EXAMPLES: Final = settings(
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),  # a smaller seed is not a simpler example
    suppress_health_check=list(HealthCheck),
)


class Decision(NamedTuple):
    """A house's action: a line without its secret cards, with their places; no line to accept a
    claim. `answers`: the answer to a question. `resumes`: no line, but the house continues from its
    disk. `aside`: the game is set aside, or continued."""

    party: int
    move: Move | None = None
    places: tuple[int, ...] = ()
    answers: bool | None = None
    resumes: bool = False
    aside: bool | None = None


class World:
    """A game in which the cards of the pack have the given names."""

    def __init__(self, seed: int, rules: tuple[str, int, dict[str, str]]) -> None:
        name, count, options = rules
        self.houses = Houses(Random(seed), proposal=Proposal(GAME, name, NAMES[:count], options))
        self.sessions = [self._session(party) for party in (1, 2)]

    def _session(self, party: int) -> Session:
        """Return a house's session, whose own messages are sent like the game's."""
        draw = Random(0).randbytes
        channel = Channel(GAME, party, (bytes(32), bytes(32)), bytes(32), b"", draw)

        def post(message: Message) -> None:
            self.houses.said.append((party, message))
            self.sessions[2 - party]._take(json.loads(json.dumps(message)))

        vars(channel)["post"] = post
        session = Session(channel, NAMES[party - 1], NAMES[2 - party], draw)
        session.number, session.game = 1, self.sides[party - 1]
        return session

    @property
    def sides(self) -> list[FarGame]:
        return self.houses.sides

    def act(self, decision: Decision) -> bool:
        """Carry out a decision, and return False if these cards contradict it."""
        side = self.sides[decision.party - 1]
        try:
            if decision.resumes:
                self._resume(decision.party)
            elif decision.aside is not None:
                self.sessions[decision.party - 1].set_aside(decision.aside)
            elif decision.answers is not None:
                consent(side, decision.answers)
            elif decision.move is None:
                side.let_stand()
            else:
                side.say(self._named(side, decision))
        except IllegalMove as error:
            if not error.code.startswith("far-"):
                return False
        self.houses.deliver()
        return not self.houses.is_stopped

    def _resume(self, party: int) -> None:
        """Cut the power, and continue from the disk."""
        stored = json.loads(json.dumps(game_file.to_json(self.sides[party - 1])))
        self.sides[party - 1] = game_file.from_json(stored, self.houses.chance.randbytes)
        self.sessions[party - 1].game = self.sides[party - 1]

    def _named(self, side: FarGame, decision: Decision) -> Move:
        """Return the line with its secret cards, in the order of the shown hand."""
        move = decision.move
        assert move is not None
        if not decision.places:
            return move
        assert side.deal is not None
        found = [side._pack()[side.deal.seen_cards[place]] for place in decision.places]
        return move._replace(cards=tuple(sorted(found)))


def decided(world: World, chance: Random) -> Decision | None:
    """Return a possible action of one of the houses now, or None if there is none."""
    sides = world.sides
    if chance.random() < 0.05:
        return Decision(chance.randint(1, 2), resumes=True)
    if chance.random() < 0.05:
        return Decision(chance.randint(1, 2), aside=chance.random() < 0.5)
    for side in sides:
        if side.question is not None:
            return Decision(side.party, answers=chance.random() < 0.6)
    if chance.random() < 0.05:
        return Decision(chance.randint(1, 2), Move("undo"))
    early = [side for side in sides if not side.is_ours and not side.caller()]
    due = [side for side in sides if side.is_ours]
    if early and due and chance.random() < 0.3:
        side = chance.choice(early)
        asks = [ask for ask in side.position.prompt.asks if _waits(side, ask)]
        if asks:
            return _chosen(side, chance.choice(asks), chance)
    for side in due:
        if side.caller():
            return Decision(side.party)
        asks = [ask for ask in side.position.prompt.asks if _is_ours(side, ask)]
        if asks:
            return _chosen(side, asks[0], chance)
    return None


def _waits(side: FarGame, ask: Any) -> bool:
    """Return whether a secret line may be entered before its turn."""
    return bool(ask.seat and party_of(ask.seat) == side.party and side._is_secret(ask.move)) and (
        side.position.kind(ask.move) is not Kind.HAND
    )


def _chosen(side: FarGame, ask: Any, chance: Random) -> Decision:
    if ask.kind != "cards":
        return Decision(side.party, ask.move)
    found = tuple(chance.sample(ask.cards or (), ask.least))
    if not side._is_secret(ask.move):
        return Decision(side.party, ask.move._replace(cards=found))
    assert side.deal is not None
    at = {side._pack()[card]: place for place, card in side.deal.seen_cards.items()}
    return Decision(side.party, ask.move, tuple(at[card.plain] for card in found))


def hidden(world: World, viewer: str) -> set[int]:
    """Return the cards of the pack, by index, that the viewer has not seen."""
    known: set[int] = set()
    for side in world.sides:
        assert side.deal is not None
        held = side.holdings()
        for place, card in side.deal.seen_cards.items():
            # its line was taken back after all had seen it
            one = held.get(place, Holding(0, "open"))
            is_open = one.where in ("open", "turned")
            own = viewer == f"seat {one.seat}" and party_of(one.seat) == side.party
            if is_open or own or viewer == f"house {side.party}":
                known.add(card)
    pack = world.sides[0]._pack()
    shown = {
        pack[card] for card in known
    }  # chance plays one of two equal cards, which is no secret
    return {card for card, one in enumerate(pack) if card not in known and one not in shown}


def named(pack: Sequence[Card], among: set[int], chance: Random) -> tuple[Card, ...]:
    """Return the pack with the names of some cards exchanged."""
    old = sorted(among)
    new = dict(zip(old, chance.sample(old, len(old)), strict=True))
    return tuple(pack[new.get(card, card)] for card in range(len(pack)))


def got(world: World, viewer: str) -> list[bytes]:
    """Return every byte that a house, an onlooker or the broker receives."""
    said = world.houses.said
    if viewer == "broker":
        return [f"{party} {len(one)}".encode() for party, one in zip(*_packets(said), strict=True)]
    if viewer == "onlooker":
        return [b"\n".join(_shown(side)) for side in world.sides]
    side = world.sides[int(viewer[-1]) - 1]
    theirs = [_text(message) for party, message in said if party != side.party]
    kept = world.sessions[side.party - 1].to_json()
    del kept["channel"]  # it contains messages, encrypted
    return [*theirs, _text(kept)]


def _text(message: Message) -> bytes:
    return json.dumps(message).encode()


def _packets(said: Sequence[tuple[int, Message]]) -> tuple[list[int], list[bytes]]:
    """Return each message with its sender, as it leaves the houses."""
    keys, draw = (bytes(32), bytes(range(32))), Random(0).randbytes
    channels = {party: Channel(GAME, party, keys, bytes(32), b"", draw) for party in (1, 2)}
    for party, message in said:
        channels[party].post({"g": 1, "m": message} if "t" in message else message)
    outboxes = {party: iter(channel.outbox.values()) for party, channel in channels.items()}
    return [party for party, _ in said], [next(outboxes[party]) for party, _ in said]


def _shown(side: FarGame) -> list[bytes]:
    """Return one house's messages to an onlooker, encrypted with a key that is no secret here."""
    draw = Random(0).randbytes
    look = Feed(Channel(GAME, 1, (bytes(32), bytes(32)), bytes(32), b"", draw), "Eve")
    look.show(side)
    return list(look.channel.outbox.values())


class Alone(FarTable):
    """The game on the table without messages from its lines; none here ends it."""

    def follow(self, party: Any) -> None:
        """Send nothing to the other house."""

    def _withhold(self, party: Any, move: Move) -> None:
        """Keep the line here."""


class Phone:
    """A board with the game of one house on its table, and a phone of one of its seats."""

    def __init__(self, side: FarGame, seat: int, data: Path) -> None:
        self.side, self.seat = side, seat
        self.surfaces = Surfaces(data)
        table = self.surfaces.app.table
        side.unapplied.clear()  # they are on the table
        table.submit_all(side.record.moves, FAR)
        session = SimpleNamespace(
            game=side,
            is_playing=True,
            name="Bob",
            is_behind=False,
            has_left=False,
            is_aside_there=True,
            check_known=lambda: None,
        )
        self._house = SimpleNamespace(session=session)
        known: Any = SimpleNamespace(
            active=self._house, watched=None, left=None, houses=[self._house]
        )
        self._houses: Any = SimpleNamespace(contacts=known)
        self._far = Alone(known, self.surfaces.app, lambda: None, lambda number: None)
        self._far._unobserve()
        table._authorize = self._far.authorize
        self.surfaces.app.controller.obey(Command("telling", "cards"))

    def close(self) -> None:
        self.surfaces.close()

    def answers(self, probes: list[str]) -> dict[str, bytes]:
        """Return what the phone receives, and the answers to lines that a curious person sends."""
        party: Any = self._house
        found = {
            f"far {lang}": repr(OtherHouses._game_state(self._houses, party, lang)).encode()
            for lang in LANGUAGES
        }
        found |= asyncio.run(self.surfaces.answers(self.seat, []))
        for line in probes:
            answer = self.answer(line)
            found[f"said {line}"] = answer
            if b'"number"' in answer:
                break  # it is on the table, and in everybody's list
            found[f"held after {line}"] = repr(sorted(self.side.queued)).encode()
        return found

    def answer(self, line: str) -> bytes:
        """Return the answer to a line of this phone."""
        return asyncio.run(self.surfaces.sent("/lines", {"line": line}, self.seat))


def compare_phones(one: FarGame, two: FarGame, seat: int, chance: Random) -> None:
    probes = tried(one.record, chance)
    chance.shuffle(probes)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        replies = []
        for name, side in (("one", one), ("two", two)):
            (Path(folder) / name).mkdir()
            phone = stack.enter_context(closing(Phone(side, seat, Path(folder) / name)))
            replies.append(phone.answers(probes))
    for what, answer in replies[0].items():
        other = replies[1].get(what)
        if answer == other:
            continue
        codes = {_code(answer), _code(other)}
        assert what.startswith("said "), what
        opens = codes == {"accepted"} and what.endswith(" show")  # the hand is due to be shown
        assert opens or codes == {"accepted", "secret"}, (what, answer, other)
        return  # as at one board: the record must stay consistent


def _code(answer: bytes | None) -> str:
    reply = json.loads(answer or b"{}")
    return "accepted" if "number" in reply else refused(reply)


def look(seed: int, viewer: str) -> bool:
    """Examine one game for one viewer. Return whether the hidden cards could have been others."""
    chance = Random(f"{viewer} {seed}")
    seats = 4 if viewer in ("seat 3", "seat 4") else 2
    rules = chance.choice([rules for rules in RULES if rules[1] >= seats])
    one = World(seed, rules)
    decisions: list[Decision] = []
    most = chance.randrange(1, TURNS)
    while len(decisions) < most or one.sides[0].deal is None:
        decision = decided(one, chance)
        if decision is None or len(decisions) > 2 * TURNS:
            break
        assert one.act(decision), (decision, [side.stop for side in one.sides])
        decisions.append(decision)
    deals = [side.deal for side in one.sides]
    if any(deal is None or not deal.is_dealt for deal in deals):
        return False
    if any(side.has_revealed_lock for side in one.sides):
        return False
    number, pack = one.sides[0].deals_begun, one.sides[0]._pack()
    other = named(pack, hidden(one, viewer), chance)

    def _pack(side: FarGame) -> tuple[Card, ...]:
        return other if side.deals_begun == number else pack

    with mock.patch.object(FarGame, "_pack", _pack):
        two = World(seed, rules)
        if not all(two.act(decision) for decision in decisions):
            return False  # with these cards, a go would have been impossible
        texts = [[[line.text for line in side.lines] for side in w.sides] for w in (one, two)]
        if viewer.startswith("seat"):
            seat = int(viewer[-1])
            at = party_of(seat) - 1
            compare_phones(one.sides[at], two.sides[at], seat, chance)
        else:
            for first, second in zip(got(one, viewer), got(two, viewer), strict=True):
                assert first == second, (viewer, decisions)
    return texts[0] != texts[1]


@pytest.mark.slow
def test_every_kind_of_message_that_is_sent_while_cards_lie_is_compared() -> None:
    """The others belong to no deal, or end it; docs/far-protocol.md lists all kinds."""
    kinds = set[str]()
    for seed in range(40):
        chance = Random(seed)
        world = World(seed, chance.choice(RULES))
        for _ in range(TURNS):
            decision = decided(world, chance)
            if decision is None or not world.act(decision):
                break
        kinds |= {message.get("t") or next(iter(message)) for _, message in world.houses.said}
    of_no_deal = {"speaks", "offer", "accept", "withdraw", "withdrawn", "farewell", "stop"}
    assert kinds == messages_listed() - of_no_deal


def test_a_throw_does_not_tell_in_which_order_a_hand_is_shown() -> None:
    """A throw is sent as places, which have a separate order."""
    for backwards in (False, True):
        houses = Houses(Random(3), proposal=Proposal(GAME, "cribbage", NAMES[:2], {}))
        houses.until("discard")
        side = houses.sides[houses.one.turn() - 1]
        ask = next(ask for ask in side.position.prompt.asks if _waits(side, ask))
        assert side.deal is not None
        at = {side._pack()[card]: place for place, card in side.deal.seen_cards.items()}
        two = sorted((ask.cards or ())[:2], key=lambda card: at[card.plain], reverse=backwards)
        side.say(ask.move._replace(cards=tuple(two)))
        assert side.out[0]["places"] == sorted(at[card.plain] for card in two)


def test_of_two_cards_alike_chance_plays_one() -> None:
    """If the first place were always played, the other house would learn that no earlier place has
    such a card."""
    seeds = (
        Houses(Random(seed), proposal=Proposal(GAME, "bezique", NAMES[:2], {})) for seed in count()
    )
    for houses in seeds:
        houses.until("play")
        side = houses.sides[houses.one.turn() - 1]
        assert side.deal is not None
        (ask,) = (ask for ask in side.position.prompt.asks if _is_ours(side, ask))
        seen, held = side.deal.seen_cards, side.holdings()
        hand = [side._pack()[seen[at]] for at, one in held.items() if one.seat == ask.seat]
        twice = [card for card in hand if hand.count(card) == 2]
        if twice:
            break
    stored, places = game_file.to_json(side), set[int]()
    for seed in range(20):
        one = game_file.from_json(stored, Random(seed).randbytes)
        one.say(ask.move._replace(cards=(twice[0],)))
        (said,) = (message for message in one.out if message["t"] == "line")
        places |= set(said["places"])
    assert len(places) == 2


@pytest.mark.slow
def test_a_partners_phone_does_not_learn_the_hand_by_trying_throws(tmp_path: Path) -> None:
    houses = Houses(Random(5), proposal=Proposal(GAME, "cribbage", NAMES, {}))
    houses.until("discard")
    for seat in (1, 2, 3, 4):
        side = houses.sides[party_of(seat) - 1]
        partner = (seat + 1) % 4 + 1
        if side.turn() == partner:
            continue
        (tmp_path / str(seat)).mkdir()
        own = next(ask for ask in side.position.prompt.asks if _throws(ask, seat)).cards or ()
        hand = next(ask for ask in side.position.prompt.asks if _throws(ask, partner)).cards or ()
        game = side.position.game
        assert game is not None
        others = [card for card in game.pack if card not in (*hand, *own)]
        with closing(Phone(side, seat, tmp_path / str(seat))) as phone:
            lines = [f"{partner} discard {card}" for card in (*hand, *others)]
            replies = {phone.answer(line) for line in lines}
        assert len(replies) == 1, replies
        assert not side.queued


def _throws(ask: Any, seat: int) -> bool:
    return bool(ask.seat == seat and ask.move.verb == "discard")


@pytest.mark.parametrize(
    "viewer",
    spread(
        2,
        (
            # phones have complete boards
            pytest.param(viewer, marks=[pytest.mark.slow] * (viewer in PHONES))
            for viewer in VIEWERS
        ),
    ),
)
def test_a_hidden_card_changes_nothing_that_a_viewer_gets(viewer: str) -> None:
    compared = 0

    @settings(EXAMPLES, max_examples=2)
    @given(st.integers(0, 1 << 30))
    def check(seed: int) -> None:
        nonlocal compared
        compared += any(look(seed + n, viewer) for n in range(4))

    check()
    assert compared


@pytest.mark.long
@pytest.mark.parametrize("viewer", VIEWERS)
def test_hidden_cards_change_nothing_for_long(viewer: str, long_run: LongRun) -> None:
    compared, examples = 0, 2000 // len(VIEWERS)

    @settings(EXAMPLES, max_examples=examples)
    @given(st.integers(0, 1 << 30))
    def check(seed: int) -> None:
        nonlocal compared
        compared += look(seed, viewer)

    check()
    long_run(examples=examples, compared=compared)
    assert compared > examples // 4
