"""Two houses over a hostile wire and through power cuts: every game ends with the same record."""

from __future__ import annotations

import json
import os
from random import Random
from typing import Any

import pytest

from boardctl.far.meeting import Meeting
from boardctl.far.session import Session
from boardctl.games import IllegalMove, Move
from tests.far.houses import SHORT, _is_ours, compute, consent
from tests.report import LongRun


class Pair:
    """Two sessions, each on its own disk, and the messages between them."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        draw = self.chance.randbytes
        self.seeds = [draw(32), draw(32)]
        one, two = (
            Meeting(5, party, self.seeds[party - 1], name, draw)
            for party, name in ((1, "Ann"), (2, "Bob"))
        )
        first, second = one.take(two.greet()), two.take(one.greet())
        assert first is not None
        assert second is not None
        self.ends = [
            Session(first.channel, "Ann", first.name, draw),
            Session(second.channel, "Bob", second.name, draw),
        ]
        self.disks = [json.dumps(end.to_json()) for end in self.ends]
        self.wire: list[tuple[int, bytes]] = []
        self.sent: list[set[int]] = [set(), set()]

    def save(self, side: int) -> None:
        """Save first: a message leaves the house only once everything that it depends on is on
        disk."""
        end = self.ends[side]
        if end.game is not None and self.chance.random() < 0.7:  # otherwise it is computed later
            compute(end.game)
            end.flush()
        self.disks[side] = json.dumps(end.to_json())
        for number, packet in end.channel.outbox.items():
            if number not in self.sent[side]:
                self.sent[side].add(number)
                self.wire.append((1 - side, packet))

    def cut(self, side: int) -> None:
        """Cut the power: everything that is not on disk is lost."""
        stored = json.loads(self.disks[side])
        self.ends[side] = Session.from_json(stored, self.seeds[side], self.chance.randbytes)
        self.sent[side] = set()
        self.wire.append((1 - side, self.ends[side].channel.have(again=True)))
        self.save(side)

    def deliver(self, trouble: float) -> None:
        """Deliver one packet, or disturb it."""
        drawn = self.chance.random()
        at = self.chance.randrange(len(self.wire)) if drawn < trouble else 0
        side, packet = self.wire[at] if drawn < trouble / 3 else self.wire.pop(at)
        if drawn < trouble / 6:
            return
        end = self.ends[side]
        before = end.channel.taken
        taken = end.take(packet)
        self._follow(end)
        if self.is_lost(trouble):
            self.cut(side)  # after it was accepted, before it was saved
            return
        self.save(side)
        self.wire.extend((1 - side, one) for one in taken.resent)
        if end.channel.taken > before:
            self.wire.append((1 - side, end.channel.have()))

    def is_lost(self, trouble: float) -> bool:
        """Return whether a power cut follows an accepted packet."""
        return self.chance.random() < trouble / 4

    def _follow(self, end: Session) -> None:
        game = end.game
        move = None if game is None else game.ready()
        if game is not None and move is not None:
            game.say(move)
            end.flush()

    def act(self) -> None:
        """Let the player to act enter a line."""
        for side, end in enumerate(self.ends):
            game = end.game
            if game is None or not game.is_ours:
                continue
            if game.caller():
                game.let_stand()
                end.flush()
                self.save(side)
                continue
            asks = [ask for ask in game.position.prompt.asks if _is_ours(game, ask)]
            move = asks[0].move
            if asks[0].kind == "cards":
                cards = self.chance.sample(asks[0].cards or (), asks[0].least)
                move = move._replace(cards=tuple(cards))
            if move.verb == "show" and game.proposal.options.get("muggins") == "full":
                move = move._replace(claim=0)
            game.say(move)
            end.flush()
            self.save(side)

    def play(self, trouble: float = 0.0) -> None:
        idle = 0
        for _ in range(20_000):
            games = [end.game for end in self.ends]
            if all(game is not None and game.is_done for game in games):
                return
            assert not any(game is not None and game.stop for game in games)
            if self.wire:
                self.deliver(trouble)
                continue
            before = [len(game.lines) if game else 0 for game in games]
            self.act()
            for side in (0, 1):
                self.save(side)
            if not self.wire:  # something was lost: the houses report the messages received
                idle += 1
                assert idle < 1000, before
                for side in (0, 1):
                    self.wire.append((1 - side, self.ends[side].channel.have(again=True)))
        raise AssertionError("no end")


def agree(pair: Pair) -> None:
    one, two = (end.game for end in pair.ends)
    assert one is not None
    assert two is not None
    assert one.chain == two.chain
    assert [line.places for line in one.lines] == [line.places for line in two.lines]
    assert one.position.scores == two.position.scores


def test_an_invitation_a_game_and_a_rematch() -> None:
    pair = Pair(1)
    one, two = pair.ends
    two.welcome = True
    one.offer("cribbage", SHORT)
    pair.save(0)
    pair.play()
    agree(pair)
    assert one.game is not None
    first = one.game.proposal.ident
    # Both ask for another game at the same moment, which gives one game.
    one.offer("cribbage", SHORT)
    two.offer("cribbage", {"target": "61"})
    pair.save(0)
    pair.save(1)
    pair.play()
    while pair.wire:
        pair.deliver(0)
    pair.play()
    agree(pair)
    assert [end.number for end in pair.ends] == [2, 2]
    assert one.game.proposal.ident != first
    assert one.game.proposal.options == SHORT


def test_an_offer_waits_until_it_is_accepted_and_an_unknown_game_is_none() -> None:
    pair = Pair(2)
    one, two = pair.ends
    one.channel.post({"offer": {"game": "chess", "options": {}, "once": "00"}, "k": 1})
    one.channel.post({"offer": {"game": "cribbage", "options": {"target": "x"}}, "k": 1})
    pair.save(0)
    while pair.wire:
        pair.deliver(0)
    assert two.game is None
    one.offer("cribbage", SHORT)
    pair.save(0)
    while pair.wire:
        pair.deliver(0)
    assert two.offered is not None
    assert two.game is None
    two.accept()
    pair.save(1)
    pair.play()
    agree(pair)


def test_four_play_with_the_names_that_both_houses_give_and_again() -> None:
    pair = Pair(4)
    one, two = pair.ends
    one.partner, two.welcome = "ann", True  # has Ann's name, and Bob names nobody
    one.offer("cribbage", SHORT)
    pair.save(0)
    pair.play()
    agree(pair)
    for end in pair.ends:
        assert end.game is not None
        assert end.game.proposal.seats == ("Ann", "Bob", "ann 2", "Bob 2")
    two.offer("cribbage", SHORT)
    pair.save(1)
    pair.deliver(0)
    one.accept()
    pair.save(0)
    pair.play()
    agree(pair)
    assert one.game is not None
    assert one.game.proposal.seats == ("Ann", "Bob", "ann 2", "Bob 2")
    with pytest.raises(IllegalMove, match="far-for-two"):
        one.offer("five-card-cribbage", SHORT)


def test_an_offer_with_other_names_than_one_or_two_of_each_house_is_none() -> None:
    pair = Pair(5)
    one, two = pair.ends
    two.welcome = True
    offer = {"game": "cribbage", "options": {}, "once": "00"}
    for names in (None, [], ["A", "B", "C"], "AB", [""], [7, "#"], ["Ann", "\n"]):
        one.channel.post({"offer": {**offer, "names": names}, "k": 1})
    pair.save(0)
    while pair.wire:
        pair.deliver(0)
        assert two.game is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_power_cuts_losses_and_repetitions_change_nothing(seed: int) -> None:
    """Power cuts hit either house after any packet, and the wire loses, repeats and exchanges
    packets."""
    pair = Pair(seed)
    pair.ends[1].welcome = True
    pair.ends[0].offer("cribbage", SHORT)
    pair.save(0)
    pair.save(1)
    pair.play(0.4)
    agree(pair)


def test_a_line_is_never_kept_without_its_message() -> None:
    """A power cut may come between the line and its sending."""
    pair = Pair(3)
    pair.ends[1].welcome = True
    pair.ends[0].offer("cribbage", SHORT)
    pair.save(0)
    said = 0
    for _ in range(1000):
        if said >= 12:
            break
        while pair.wire:
            pair.deliver(0)
        for side, end in enumerate(pair.ends):
            pair.save(side)  # postponed computations are done eventually
            game = end.game
            assert game is not None
            asks = [ask for ask in game.position.prompt.asks if _is_ours(game, ask)]
            if not game.is_ours or not asks:
                continue
            ask = asks[0]
            move = ask.move._replace(cards=tuple(ask.cards or ())[: ask.least])
            game.say(move)
            pair.disks[side] = json.dumps(end.to_json())
            pair.cut(side)
            said += 1
    assert said >= 12
    while pair.wire:
        pair.deliver(0)
    agree(pair)


class Fatal(Pair):
    """Cuts the power whenever a message of one kind was accepted for the first time, before it was
    saved. Somebody also asks once to undo something."""

    def __init__(self, seed: int, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(seed)
        self.kind, self.cuts = kind, 0
        self._taken: str | None = None
        self._seen: set[tuple[int, int]] = set()
        taking = Session._take

        def noted(end: Session, message: dict[str, Any]) -> None:
            inner = message.get("m", message)
            kind = inner.get("t") or next(iter(inner))
            at = end.party, end.channel.taken
            if kind == self.kind and at not in self._seen:
                self._seen.add(at)
                self._taken = kind
            taking(end, message)

        monkeypatch.setattr(Session, "_take", noted)

    def is_lost(self, trouble: float) -> bool:
        lost, self._taken = self._taken is not None, None
        self.cuts += lost
        return lost

    def act(self) -> None:
        one, two = (end.game for end in self.ends)
        if one is not None and two is not None:
            played = [line for line in one.lines if " play " in line.text]
            if one.question or two.question:
                for side, game in enumerate((one, two)):
                    if game.question is not None:
                        consent(game)
                    self.ends[side].flush()
                    self.save(side)
                return
            undone = any(line.text.startswith("undo") for line in one.lines)
            if len(played) == 2 and not undone and one.own_question is None:
                with pytest.raises(IllegalMove, match="far-asked"):
                    one.say(Move("undo"))
                self.ends[0].flush()
                self.save(0)
                return
        super().act()


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["offer", "accept", "shuffle", "shares", "line", "lock", "ask", "answer", "stand"]
)
def test_a_house_is_killed_in_the_middle_of_a_message(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Fatal(1, kind, monkeypatch)
    pair.ends[1].welcome = True
    pair.ends[0].offer("cribbage", {"target": "31", "muggins": "full"})
    pair.save(0)
    pair.save(1)
    pair.play()
    agree(pair)
    assert pair.cuts
    assert any(line.text.startswith("undo") for line in pair.ends[0].game.lines)  # type: ignore[union-attr]


@pytest.mark.long
def test_two_thousand_power_cuts(seed: int, long_run: LongRun) -> None:
    wanted = int(os.environ.get("FAR_CUTS", "2000"))
    cuts = games = 0
    while cuts < wanted:
        pair = Counted(seed + games)
        pair.ends[1].welcome = True
        pair.ends[0].offer("cribbage", SHORT)
        pair.save(0)
        pair.save(1)
        pair.play(0.4)
        agree(pair)
        cuts += pair.cuts
        games += 1
    long_run(games=games, cuts=cuts)


class Counted(Pair):
    """Counts its power cuts."""

    cuts = 0

    def cut(self, side: int) -> None:
        self.cuts += 1
        super().cut(side)
