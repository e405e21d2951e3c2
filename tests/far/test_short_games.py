"""Short games with a cheat anywhere in them. A house finds the cheat before it takes one false
card, and no house ever accuses an honest one.

A game has one deal, so ten thousand take half an hour. Either house cheats once, at a random place
of the protocol, and one game in ten is honest. Each game is played together with the cheating
house's honest messages. The test therefore knows every card, and after each message compares
everything that the honest house has accepted with the truth.
"""

from __future__ import annotations

import gc
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from nacl.pwhash import argon2id

from boardctl.far import deal as dealing
from boardctl.far import game_file, group, limits, shuffle
from boardctl.far.game import FarGame
from boardctl.far.game_log import Proposal, Work
from boardctl.far.session import Session
from boardctl.far.shuffle import Shuffle, Statement
from boardctl.record import notation
from tests.far.houses import SHORT, Houses, Message
from tests.far.test_cheats import CHEATS, SILENT, STOCK, Change, Cheater, by_group
from tests.far.test_session import Pair
from tests.report import LongRun
from tests.spread import spread
from tests.test_soak import memory

PACKS: Final = 20
"""The number of different honest deals of each game. Games that begin with the same deal share each
house's results, so both proofs are computed once and remembered."""
GAMES: Final = {
    "cribbage": SHORT,
    "noddy": {},
    "bezique": {},
}
OFTEN: Final = ("cribbage", "cribbage", "cribbage", "noddy", "bezique")
DEALERS: Final = (1, 2, 1, 2, 0)
"""The dealer; 0 if the first deal is the one for the cut."""
TURNS: Final = 60
"""The maximum number of lines in a game: a whole deal except for Bezique, whose deal is a whole
game."""
PARTS: Final = 8
"""The parts of the ten thousand games, which may run in parallel."""
HONEST: Final = 10
"""One game in this many has no cheat."""
FIRST: Final = (0, 0, 0, 1, 2, 3, 5, 8)
"""The number of opportunities that a cheat lets pass."""
MOST_KEPT: Final = 256 << 10
"""The maximum size in bytes of a stored game."""
MOST_GROWN: Final = 8 << 20
WARM: Final = 0.2
"""The share of the games after which the memory may no longer grow."""


class Deck(NamedTuple):
    """A deal with which games begin, and the cards that both houses' secrets determine."""

    game: str
    number: int

    @property
    def proposal(self) -> Proposal:
        ident = group.digest("short", self.game.encode(), group.index(self.number))[:32]
        dealer = DEALERS[self.number % len(DEALERS)]
        return Proposal(ident, self.game, ("Ann", "Bob"), GAMES[self.game], dealer)

    def draws(self, party: int) -> Callable[[int], bytes]:
        """Return a house's random bytes: its secret of the first deal first."""
        return Random(f"{self.game} {self.number} {party}").randbytes


class Short(Houses):
    """Two houses that play one deal."""

    def __init__(self, chance: Random, deck: Deck, cheat: Cheater, power_cuts: float = 0.0) -> None:
        self.deck, self.cheat = deck, cheat
        self.honest = 2 - cheat.party
        """The index of the honest house."""
        self._often = power_cuts
        super().__init__(chance, cheat, deck.proposal)

    def begin(self, proposal: Proposal) -> list[FarGame]:
        return [FarGame(proposal, party, self.deck.draws(party)) for party in (1, 2)]

    @property
    def victim(self) -> FarGame:
        """The honest house."""
        return self.sides[self.honest]

    @property
    def cheater(self) -> FarGame:
        """The cheating house as it would be if it were honest."""
        return self.sides[1 - self.honest]

    @property
    def is_over(self) -> bool:
        """Whether a house has stopped, or the honest one has opened the deal."""
        return self.is_stopped or bool(self.victim.verified)

    def works(self, side: FarGame) -> list[Work]:
        """Return the pending arithmetic, except for a second deal's."""
        second = side.ahead is not None and side.deals_begun > 0
        return [one for one in (side.work, None if second else side.ahead) if one is not None]

    def deliver(self) -> None:
        while not self.is_over and any(side.out or self.works(side) for side in self.sides):
            self.deliver_one()
            self.cut()
            self.check()

    def cut(self) -> None:
        """Cut the honest house's power now and then."""
        if self.chance.random() >= self._often or self.victim.out:
            return
        stored = json.dumps(game_file.to_json(self.victim))
        self.sides[self.honest] = game_file.from_json(json.loads(stored), self.chance.randbytes)

    def is_choice(self) -> bool:
        """Return whether the last line has only cards that its seat may choose. The cheat may have
        named another played card, which the digest of the record does not reveal."""
        one, truth = self.victim, true_cards(self.deck)
        move = notation.parse_move(one.public[-1], one.position.game)
        held = [place for place, at in one.holdings().items() if at.seat == move.seat]
        own = {one._pack()[truth[place]] for place in held}
        return bool(move.cards) and {card.plain for card in move.cards} <= own

    def check(self) -> None:
        """Compare everything that the honest house has accepted with the truth."""
        one, other = self.victim, self.cheater
        said = min(len(one.public), len(other.public))
        if one.stop is not None and one.stop.code == "other-record" and self.is_choice():
            said = min(said, len(one.public) - 1)
        assert one.public[:said] == other.public[:said]
        assert [line.places for line in one.lines[:said]] == [
            line.places for line in other.lines[:said]
        ]
        assert len(one.public) <= len(other.public) + LEAD
        if one.deal is not None:
            assert one.deal.shuffles == dealt(self.deck).shuffles
            truth = true_cards(self.deck)
            assert all(truth[place] == card for place, card in one.deal.seen_cards.items())
        for opened in one.verified:
            assert [bytes.fromhex(lock) for lock in opened["locks"]] == true_locks(self.deck)
        assert len(one.inbox) + len(one.arriving) <= limits.WAITING


LEAD: Final = 8
"""Automatic lines that a house may have before the other."""


@lru_cache(maxsize=PACKS * len(GAMES))
def dealt(of: Deck) -> dealing.Deal:
    """Return house 1's side of the deal after both honest shuffles."""
    one, two = (FarGame(of.proposal, party, of.draws(party))._coming() for party in (1, 2))
    one, first = dealing.make(one)
    two, second = dealing.make(dealing.take(two, first))
    return dealing.take(one, second)


@lru_cache(maxsize=PACKS * len(GAMES))
def true_locks(of: Deck) -> list[bytes]:
    """Return both locks, from both secrets."""
    one = dealt(of)
    two = FarGame(of.proposal, 2, of.draws(2))._coming()
    second = Statement(one.terms, 2, one.shuffles[0].digest, one.shuffles[0].pack)
    return [group.encoded(lock) for lock in (one.lock, shuffle.lock_of(two.secret, second))]


@lru_cache(maxsize=PACKS * len(GAMES))
def true_cards(of: Deck) -> tuple[int, ...]:
    """Return the cards by place."""
    one = dealt(of)
    keys, packs = zip(*((locked.key, locked.pack) for locked in one.shuffles), strict=True)
    return dealing.order(one.terms, keys, packs, true_locks(of))


@pytest.fixture(scope="module", autouse=True)
def proofs() -> Iterator[None]:
    """Cache two pure functions, so the proofs of the honest deals are computed once."""
    prove, verify = shuffle.prove, shuffle.verify
    made = lru_cache(maxsize=2 * PACKS * len(GAMES))(prove)
    honest = set[tuple[Statement, Shuffle]]()

    def verified(statement: Statement, given: Shuffle) -> None:
        if (statement, given) in honest:
            return
        verify(statement, given)
        assert len(honest) < 2 * PACKS * len(GAMES), "only honest proofs hold"
        honest.add((statement, given))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(argon2id, "kdf", lru_cache(maxsize=4)(argon2id.kdf))
        patch.setattr(shuffle, "prove", made)
        patch.setattr(shuffle, "verify", verified)
        yield


@pytest.fixture(autouse=True)
def decks() -> None:
    """Deal anew in each test: on the curve, or with numbers in place of points."""
    for remembered in (dealt, true_locks, true_cards):
        remembered.cache_clear()


class Outcome(NamedTuple):
    """The result of a game for the honest house."""

    ended: str
    """The code by which it found the cheat; `waits` if the cheat sent nothing more; `dropped` if
    its message had no effect; `honest` without a cheat; `no game` if none began, or `outdated` if a
    board must be updated for it."""
    kept: int
    """The size of its file in bytes at the end."""


def play(seed: int, kind: str, packs: int = PACKS) -> Outcome:
    """Play a game in which a house cheats in this way."""
    chance = Random(f"{kind} {seed}")
    name = "bezique" if kind == STOCK else chance.choice(OFTEN)
    number, party = chance.randrange(packs), chance.choice((1, 2))
    change: Change = (CHEATS | SILENT).get(kind, lambda message, _: None)
    cuts = chance.choice((0.0, 0.0, 0.1))
    for first, deck in (
        (chance.choice(FIRST), Deck(name, number)),
        (0, Deck("bezique" if kind == STOCK else "cribbage", 0)),
    ):
        cheat = Cheater(change, chance, first, kind in SILENT, party)
        short = Short(chance, deck, cheat, cuts)
        for _ in range(TURNS):
            if short.is_over or not short.turn():
                break
        if cheat.changed or kind == "honest":
            return Outcome(ended(short, kind), len(json.dumps(game_file.to_json(short.victim))))
    return Outcome("no opportunity", 0)


def ended(short: Short, kind: str) -> str:
    """Return how a game ended; an accused house must have cheated."""
    one, other = short.victim, short.cheater
    assert other.stop is None or not other.stop.mine, "an honest house was accused"
    if not short.cheat.changed:
        assert not short.is_stopped
        assert one.verified or short.deck.game == "bezique"
        return "honest"
    if one.stop is not None:
        assert one.stop.mine
        return one.stop.code
    if kind in SILENT:
        assert not one.verified
        return "waits"
    assert one.public == other.public[: len(one.public)]
    return "dropped"


Meeting = Callable[[Message, Random], Message]


def _field(message: str, name: str, value: Callable[[Any, Random], Any]) -> Meeting:
    """Put another value into an offer or its answer."""

    def change(said: Message, chance: Random) -> Message:
        if message not in said:
            return said
        inner = said["offer"] if message == "offer" else said
        inner = {**inner, name: value(inner[name], chance)}
        return {**said, "offer": inner} if message == "offer" else inner

    return change


def _version(_: object, chance: Random) -> object:
    now = group.PROTOCOL
    return chance.choice((0, 1, now - 1, now + 1, -1, 10**9, True, None, str(now), [now]))


def _key(key: str, chance: Random) -> object:
    low = (
        "00" * 32,
        "01" + "00" * 31,
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    )
    return chance.choice((*low, key[:-2], key + "00", "", "zz" * 32, None, 7))


def _once(once: str, chance: Random) -> object:
    return chance.choice((once[:-2], once + "00", "", "zz" * 16, None, [once]))


def _game(_: object, chance: Random) -> object:
    return chance.choice(("chess", "belote", "", None, 7, "klaberjass"))


MEETINGS: Final[dict[str, Meeting]] = {
    "another version offered": _field("offer", "deal", _version),
    "another version accepted": _field("accept", "deal", _version),
    "a key that is none offered": _field("offer", "key", _key),
    "a key that is none accepted": _field("accept", "key", _key),
    "half a name of another length offered": _field("offer", "once", _once),
    "half a name of another length accepted": _field("accept", "once", _once),
    "a game that nobody plays here": _field("offer", "game", _game),
    "other names": _field(
        "offer", "names", lambda _, chance: chance.choice((None, [], ["A"] * 3, [""], "AB"))
    ),
}


def meet(seed: int, kind: str) -> Outcome:
    """Offer and accept a game with one false statement by one house; no card is dealt."""
    chance = Random(f"{kind} {seed}")
    pair = Pair(chance.randrange(1 << 30))
    offers = chance.randrange(2)
    cheats = offers if kind.endswith(("offered", "here", "names")) else 1 - offers
    post = pair.ends[cheats].channel.post

    def false(message: Message) -> None:
        post(MEETINGS[kind](message, chance))

    pair.ends[cheats].channel.post = false  # type: ignore[method-assign, assignment]
    honest: Session = pair.ends[1 - cheats]
    pair.ends[1 - offers].welcome = True
    pair.ends[offers].offer("cribbage", SHORT)
    pair.save(offers)
    while pair.wire:
        pair.deliver(0)
        game = honest.game
        assert game is None or (game.deal is None and not game.coming), "it begins no deal"
    kept = len(json.dumps(honest.to_json()))
    return Outcome("outdated" if honest.outdated else "no game", kept)


def game(seed: int, kind: str, packs: int = PACKS) -> str:
    """Play a game, or meet for one. Return how it ended."""
    outcome = meet(seed, kind) if kind in MEETINGS else play(seed, kind, packs)
    assert outcome.kept < MOST_KEPT
    return outcome.ended


KINDS: Final = (*CHEATS, *SILENT, *MEETINGS)


@pytest.mark.parametrize("kind", spread(8, by_group([*KINDS, "honest"])))
def test_a_cheat_takes_nobody_in(kind: str) -> None:
    found = [game(seed, kind, packs=len(DEALERS)) for seed in range(3)]
    if kind == "honest":
        assert set(found) == {"honest"}
    else:
        assert set(found) - {"dropped", "no opportunity"}, found


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_ten_thousand_short_games(part: int, seed: int, long_run: LongRun) -> None:
    """Play 10,000 games in all, or the number in the environment's FAR_GAMES."""
    games = int(os.environ.get("FAR_GAMES", "10000")) // PARTS
    found = Counter[str]()
    warm = 0
    for number in range(part * games, (part + 1) * games):
        kind = "honest" if number % HONEST == 0 else KINDS[number % len(KINDS)]
        try:
            found[game(seed + number, kind)] += 1
        except AssertionError as error:
            error.add_note(f"game({seed + number}, {kind!r})")
            raise
        if number == part * games + int(games * WARM):
            gc.collect()
            warm = memory()
    gc.collect()
    grown = memory() - warm
    assert found.total() == games
    assert grown < MOST_GROWN
    named = {name.replace("-", " "): count for name, count in found.most_common()}
    long_run(games=games, grown_kib=grown // 1024, **named)
