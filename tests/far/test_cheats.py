"""A house that cheats at a random place, in every way that we know: it is always found out, at the
latest when the deal is opened, and never does an honest house accuse an honest one."""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from boardctl.far import group
from boardctl.far.side import Proposal
from boardctl.games.cards import CARDS
from tests.far.houses import SHORT, Houses, Message
from tests.far.test_session import Pair
from tests.report import LongRun

CHEAT = 2
Change = Callable[[Message, Random], list[Message] | None]
"""What the house sends instead; None where this message gives no opportunity."""


def _pack(change: Callable[[list[bytes], Random], list[bytes]]) -> Change:
    def cheat(message: Message, chance: Random) -> list[Message] | None:
        if message["t"] != "pack":
            return None
        whole = b64decode(message["pack"])
        points = [whole[at : at + 32] for at in range(0, len(whole), 32)]
        pack = b64encode(b"".join(change(points, chance))).decode()
        return [{**message, "pack": pack}]

    return cheat


def _swap(points: list[bytes], chance: Random) -> list[bytes]:
    one, other = chance.sample(range(len(points)), 2)
    points[one], points[other] = points[other], points[one]
    return points


def _copy(points: list[bytes], chance: Random) -> list[bytes]:
    one, other = chance.sample(range(len(points)), 2)
    points[one] = points[other]
    return points


def _locked_copy(points: list[bytes], chance: Random) -> list[bytes]:
    one, other = chance.sample(range(len(points)), 2)
    points[one] = group.lock(group.scalar("x", chance.randbytes(8)), points[other])
    return points


def _foreign(points: list[bytes], chance: Random) -> list[bytes]:
    points[chance.randrange(len(points))] = chance.choice(group.cards(bytes(32), 9, 52))
    return points


def _stack(points: list[bytes], chance: Random) -> list[bytes]:
    return chance.sample(points, len(points))


def _keys(change: Callable[[dict[str, str], Random], dict[str, str] | None]) -> Change:
    def cheat(message: Message, chance: Random) -> list[Message] | None:
        if not message.get("keys"):
            return None
        keys = change(dict(message["keys"]), chance)
        return None if keys is None else [{**message, "keys": keys}]

    return cheat


def _other_key(keys: dict[str, str], chance: Random) -> dict[str, str]:
    keys[chance.choice(sorted(keys))] = group.scalar("x", chance.randbytes(8)).hex()
    return keys


def _mixed_keys(keys: dict[str, str], chance: Random) -> dict[str, str] | None:
    if len(keys) < 2:
        return None
    one, other = chance.sample(sorted(keys), 2)
    keys[one], keys[other] = keys[other], keys[one]
    return keys


def _more_keys(keys: dict[str, str], chance: Random) -> dict[str, str]:
    """A look at the stock, where the other house's key is wanted too."""
    return keys | {"40": group.scalar("x", chance.randbytes(8)).hex()}


def _line(change: Callable[[list[str], Random], list[str] | None], *verbs: str) -> Change:
    def cheat(message: Message, chance: Random) -> list[Message] | None:
        words = message.get("line", "").split()
        if message["t"] != "line" or not set(words) & set(verbs):
            return None
        changed = change(words, chance)
        return None if changed is None else [{**message, "line": " ".join(changed)}]

    return cheat


def _another_card(words: list[str], chance: Random) -> list[str]:
    at = chance.randrange(2, len(words))
    return [
        *words[:at],
        chance.choice([str(c) for c in CARDS if str(c) not in words]),
        *words[at + 1 :],
    ]


def _go(words: list[str], chance: Random) -> list[str]:
    return [words[0], "go"]


def _shown_secret(words: list[str], chance: Random) -> list[str]:
    return [*words[:2], *(str(card) for card in chance.sample(CARDS, 2))]


def _field(name: str, value: Callable[[object, Random], object]) -> Change:
    def cheat(message: Message, chance: Random) -> list[Message] | None:
        if name not in message:
            return None
        changed = value(message[name], chance)
        return None if changed == message[name] else [{**message, name: changed}]

    return cheat


def _secret(message: Message, chance: Random) -> list[Message] | None:
    if message["t"] != "secret":
        return None
    return [{**message, "secret": chance.randbytes(32).hex()}]


def _commitment(message: Message, chance: Random) -> list[Message] | None:
    if not message.get("commitment"):
        return None
    return [{**message, "commitment": chance.randbytes(32).hex()}]


def _twice(message: Message, chance: Random) -> list[Message] | None:
    return None if message["t"] == "stop" else [message, message]


def _unasked(message: Message, chance: Random) -> list[Message] | None:
    lines = ["undo", "misdeal", "2 resign", "1 resign", "abandon", "2 adjust +5", "2 peg 9", "deal"]
    invented = {"t": "line", "n": message.get("n", 0), "line": chance.choice(lines), "places": []}
    return [{**invented, "keys": {}, "chain": "00"}]


def _look(message: Message, chance: Random) -> list[Message] | None:
    return [message, {"t": "open", "deal": 1, "place": chance.randrange(52)}]


ODD: tuple[object, ...] = (None, [], {}, -1, "x", 1.5)
CHEATS: dict[str, Change] = {
    "places exchanged": _pack(_swap),
    "a card twice": _pack(_copy),
    "a card twice under another lock": _pack(_locked_copy),
    "a foreign point": _pack(_foreign),
    "stacked": _pack(_stack),
    "a pack too short": _pack(lambda points, _: points[:-1]),
    "another key": _keys(_other_key),
    "keys exchanged": _keys(_mixed_keys),
    "too many keys": _keys(_more_keys),
    "asking for a key": _look,
    "another card": _line(_another_card, "play"),
    "a go with a card to play": _line(_go, "play"),
    "a meld of cards not held": _line(_another_card, "meld"),
    "cards not held": _line(_another_card, "show"),
    "a throw that says what it is": _line(_shown_secret, "discard"),
    "other places": _field("places", lambda places, chance: [chance.randrange(60)]),
    "another record": _field("chain", lambda _, chance: chance.randbytes(64).hex()),
    "another number": _field("n", lambda n, chance: int(str(n)) + chance.choice((-1, 1))),
    "another deal": _field("deal", lambda n, chance: int(str(n)) + chance.choice((-1, 1))),
    "another secret": _secret,
    "another commitment": _commitment,
    "said twice": _twice,
    "a line without consent": _unasked,
    "not a message": lambda _, chance: [{"t": chance.choice(["", "pack", "keys", "line"])}],
    "nothing of another type": lambda m, chance: (
        [{**m, "places": chance.choice(({}, ""))}] if m.get("places") == [] else None
    ),
    "wrong types": lambda m, chance: [{**m, chance.choice(sorted(m)): chance.choice(ODD)}],
}
SILENT: dict[str, Change] = {
    "nothing more": lambda message, chance: [],
    "a refusal to open": lambda m, chance: [] if m["t"] == "secret" else None,
}
"""These may also be an absence: the game waits, nobody is accused, and it does not count."""


class Cheater:
    """House 2 cheats once, at the nth opportunity; `changed` once it did."""

    def __init__(self, change: Change, chance: Random, first: int, silent: bool = False) -> None:
        self._change = change
        self._chance = chance
        self._left = first
        self._silent = silent
        self.changed = False

    def __call__(self, house: int, message: Message) -> list[Message]:
        if house != CHEAT or message["t"] == "stop":
            return [message]
        if self.changed and self._silent:
            return []
        if self.changed:
            return [message]
        instead = self._change(message, self._chance)
        if instead is None or instead == [message]:
            return [message]
        self._left -= 1
        if self._left >= 0:
            return [message]
        self.changed = True
        return instead


def _found_out(kind: str, seed: int, game: str = "cribbage", most: int = 2000) -> str | None:
    """Play against a cheat; what it was called, None if it had no opportunity."""
    chance = Random(f"{kind} {seed}")
    silent = kind in SILENT
    cheat = Cheater((CHEATS | SILENT)[kind], chance, chance.choice((0, 0, 1, 2, 5, 9)), silent)
    options = SHORT if game == "cribbage" else {}
    proposal = Proposal(chance.randbytes(32), game, ("Ann", "Bob"), options)
    houses = Houses(chance, cheat, proposal)
    houses.play(most)
    honest = houses.one
    if not cheat.changed:
        assert houses.is_done or len(houses.said) > most
        assert not houses.is_stopped
        return None
    if silent:
        assert not honest.is_done
        assert honest.stop is None
        return "waits"
    assert honest.stop is not None, kind
    return honest.stop.code


STOCK = "a meld of cards not held"
"""Only where cards are drawn."""


@pytest.mark.parametrize("kind", [kind for kind in (*CHEATS, *SILENT) if kind != STOCK])
def test_every_cheat_is_found_out(kind: str) -> None:
    """Three games for each kind; `make long` plays 10,000 in all."""
    found = [_found_out(kind, seed) for seed in range(3)]
    assert any(found), "it had an opportunity"


@pytest.mark.parametrize(
    "kind",
    [
        STOCK,
        "another card",
        *(
            pytest.param(kind, marks=pytest.mark.long)
            for kind in (
                *("places exchanged", "a card twice", "another key", "too many keys"),
                *("other places", "another secret", "said twice", "a line without consent"),
            )
        ),
    ],
)
def test_a_cheat_with_a_stock_is_found_out(kind: str) -> None:
    found = (_found_out(kind, seed, "bezique", 400) for seed in range(5))
    assert any(found), "it had an opportunity"


@pytest.mark.long
def test_ten_thousand_cheats_are_found_out(seed: int, long_run: LongRun) -> None:
    """10,000 games; the environment's FAR_GAMES plays another number."""
    kinds = [kind for kind in (*CHEATS, *SILENT) if kind != STOCK]
    games = int(os.environ.get("FAR_GAMES", "10000"))
    found = Counter(_found_out(kinds[n % len(kinds)], seed + n) for n in range(games))
    assert found.total() == games
    long_run(games=games, cheated=games - found[None], stopped=games - found[None] - found["waits"])


class Hostile(Pair):
    """House 2 cheats once, and the broker loses, repeats and exchanges packets; house 1 loses its
    power meanwhile."""

    def __init__(self, seed: int, kind: str) -> None:
        super().__init__(seed)
        self.cheat = Cheater(CHEATS[kind], self.chance, self.chance.choice((0, 0, 1, 2, 5)))
        post = self.ends[1].channel.post

        def false(message: Message) -> None:
            if "m" not in message:
                post(message)
                return
            for changed in self.cheat(CHEAT, message["m"]):
                post({**message, "m": changed})

        self.ends[1].channel.post = false  # type: ignore[method-assign, assignment]

    def cut(self, side: int) -> None:
        if side == 0:
            super().cut(side)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in CHEATS if kind != STOCK])
def test_a_hostile_house_with_a_hostile_broker_is_found_out(kind: str) -> None:
    pair = Hostile(sorted(CHEATS).index(kind), kind)
    pair.ends[1].welcome = True
    pair.ends[0].offer("cribbage", SHORT)
    pair.save(0)
    pair.save(1)
    for _ in range(4000):
        game = pair.ends[0].game
        if game is not None and (game.stop is not None or game.is_done):
            break
        if pair.wire:
            pair.deliver(0.4)
            continue
        pair.act()
        for side in (0, 1):
            pair.save(side)
        if not pair.wire:
            for side in (0, 1):
                pair.wire.append((1 - side, pair.ends[side].channel.have(again=True)))
    assert game is not None
    assert (game.stop is not None and game.stop.mine) == pair.cheat.changed


def test_honest_houses_never_accuse_each_other() -> None:
    for seed in range(4):
        houses = Houses(Random(seed), proposal=Proposal(bytes(32), "cribbage", ("A", "B"), SHORT))
        houses.play()
        assert houses.is_done
        assert not houses.is_stopped
