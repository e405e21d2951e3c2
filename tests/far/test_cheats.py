"""A house cheats at a random place, in every known way. The cheat is always found out before the
other house accepts a false card, and an honest house never accuses an honest one."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest
from nacl.bindings import crypto_core_ed25519_add as add

from boardctl.far import group, shuffle
from boardctl.far.game_log import Proposal
from boardctl.far.shuffle import Statement, Terms
from boardctl.games.cards import CARDS
from tests.far.forging import torsion
from tests.far.houses import SHORT, Houses, Message
from tests.far.test_session import Pair

CHEAT = 2
Change = Callable[[Message, Random], list[Message] | None]
"""The replacement for the house's message; None if this message gives no opportunity."""


Words = list[bytes]
"""A shuffle, 32 bytes each: the key, 52 points of the pack, and the proof."""


def _shuffle(change: Callable[[Words, Random], Words]) -> Change:
    def cheat(message: Message, chance: Random) -> list[Message] | None:
        if message["t"] != "shuffle":
            return None
        whole = b64decode(message["piece"])
        words = [whole[at : at + 32] for at in range(0, len(whole), 32)]
        return [{**message, "piece": b64encode(b"".join(change(words, chance))).decode()}]

    return cheat


def _places(chance: Random) -> tuple[int, int]:
    one, other = chance.sample(range(1, 53), 2)
    return one, other


def _swap(words: Words, chance: Random) -> Words:
    one, other = _places(chance)
    words[one], words[other] = words[other], words[one]
    return words


def _copy(words: Words, chance: Random) -> Words:
    one, other = _places(chance)
    words[one] = words[other]
    return words


def _locked_copy(words: Words, chance: Random) -> Words:
    one, other = _places(chance)
    words[one] = group.multiple(chance.randrange(2, 99), words[other])
    return words


def _foreign(words: Words, chance: Random) -> Words:
    words[_places(chance)[0]] = group.hashed("card", chance.randbytes(8))
    return words


def _unlocked(words: Words, chance: Random) -> Words:
    """Send a card without a lock."""
    cards = shuffle.cards(Terms(bytes(32), 1, 52))
    words[_places(chance)[0]] = chance.choice(cards)
    return words


def _stack(words: Words, chance: Random) -> Words:
    return [words[0], *chance.sample(words[1:53], 52), *words[53:]]


def _torsion(words: Words, chance: Random) -> Words:
    place = _places(chance)[0]
    words[place] = add(words[place], chance.choice([*torsion().values()]))
    return words


def _other_lock(words: Words, chance: Random) -> Words:
    return [group.generated(chance.randrange(2, 99)), *words[1:]]


def _bit(words: Words, chance: Random) -> Words:
    changed = bytearray(b"".join(words))
    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return [bytes(changed)]


def _own(words: Words, chance: Random) -> Words:
    """Send a complete honest shuffle of something else."""
    terms = Terms(chance.randbytes(32), 1, 52)
    statement = Statement(terms, CHEAT, b"", shuffle.cards(terms))
    return [shuffle.prove(chance.randbytes(32), statement).raw]


def _shares(change: Callable[[Words, Random], Words | None]) -> Change:
    def cheat(message: Message, chance: Random) -> list[Message] | None:
        if not message.get("shares"):
            return None
        whole = b64decode(message["shares"])
        words = change([whole[at : at + 32] for at in range(0, len(whole), 32)], chance)
        if words is None:
            return None
        return [{**message, "shares": b64encode(b"".join(words)).decode()}]

    return cheat


def _other_share(words: Words, chance: Random) -> Words:
    words[chance.randrange(len(words) - 2)] = group.generated(chance.randrange(2, 1 << 99))
    return words


def _marked_share(words: Words, chance: Random) -> Words:
    place = chance.randrange(len(words) - 2)
    words[place] = add(words[place], chance.choice([*torsion().values()]))
    return words


def _mixed_shares(words: Words, chance: Random) -> Words | None:
    if len(words) < 4:
        return None
    one, other = chance.sample(range(len(words) - 2), 2)
    words[one], words[other] = words[other], words[one]
    return words


def _more_shares(message: Message, chance: Random) -> list[Message] | None:
    """Look at the stock, if the other house's share is needed for that."""
    if message["t"] != "shares":
        return None
    whole = b64decode(message["shares"])
    raw = b64encode(whole[:-64] + group.generated(7) + whole[-64:]).decode()
    return [{**message, "places": [*message["places"], 51], "shares": raw}]


def _fewer_shares(message: Message, chance: Random) -> list[Message] | None:
    if message["t"] != "shares" or len(message["places"]) < 2:
        return None
    whole = b64decode(message["shares"])
    raw = b64encode(whole[32:]).decode()
    return [{**message, "places": message["places"][1:], "shares": raw}]


def _moved_shares(message: Message, chance: Random) -> list[Message] | None:
    """Send the same cards at other places."""
    if message["t"] != "shares":
        return None
    return [{**message, "places": [place + 1 for place in message["places"]]}]


def _piece_again(message: Message, chance: Random) -> list[Message] | None:
    return [message, message] if message["t"] == "shuffle" else None


def _deal_ahead(message: Message, chance: Random) -> list[Message] | None:
    """Send a shuffle of the deal after the next."""
    if message["t"] != "shuffle":
        return None
    return [{**message, "deal": message["deal"] + chance.choice((1, 2, 1000))}]


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


def _lock(message: Message, chance: Random) -> list[Message] | None:
    if message["t"] != "lock":
        return None
    other = group.encoded(chance.randrange(1, group.ORDER))
    return [{**message, "lock": chance.choice((other, bytes(32), b"", other[:-1])).hex()}]


def _early_lock(message: Message, chance: Random) -> list[Message] | None:
    if message["t"] != "shares":
        return None
    return [message, {"t": "lock", "deal": message["deal"], "lock": (7).to_bytes(32).hex()}]


def _earlier_deal(message: Message, chance: Random) -> list[Message] | None:
    """Send a message of the version 1.0 deal. Such a cheat could be an old board."""
    if message["t"] not in ("shuffle", "shares", "lock"):
        return None
    pack = b64encode(bytes(52 * 32)).decode()
    old: list[Message] = [{"t": "pack", "pack": pack, "commitment": "00" * 32}]
    old += [{"t": "keys", "keys": {"0": "01" * 32}}, {"t": "secret", "secret": "00" * 32}]
    return [{**chance.choice(old), "deal": message["deal"]}]


def _twice(message: Message, chance: Random) -> list[Message] | None:
    return None if message["t"] == "stop" else [message, message]


def _unasked(message: Message, chance: Random) -> list[Message] | None:
    lines = ["undo", "misdeal", "2 resign", "1 resign", "abandon", "2 adjust +5", "2 peg 9", "deal"]
    invented = {"t": "line", "n": message.get("n", 0), "line": chance.choice(lines), "places": []}
    return [{**invented, "shares": "", "chain": "00"}]


def _look(message: Message, chance: Random) -> list[Message] | None:
    return [message, {"t": "open", "deal": 1, "place": chance.randrange(52)}]


ODD: tuple[object, ...] = (None, [], {}, -1, "x", 1.5)
CHEATS: dict[str, Change] = {
    "places exchanged": _shuffle(_swap),
    "a card twice": _shuffle(_copy),
    "a card twice under another lock": _shuffle(_locked_copy),
    "a foreign point": _shuffle(_foreign),
    "a card without a lock": _shuffle(_unlocked),
    "stacked": _shuffle(_stack),
    "a card marked by a point of small order": _shuffle(_torsion),
    "another lock announced": _shuffle(_other_lock),
    "a bit of a shuffle": _shuffle(_bit),
    "a shuffle of something else": _shuffle(_own),
    "a shuffle too short": _shuffle(lambda words, _: words[:-1]),
    "a shuffle too long": _shuffle(lambda words, _: [*words, words[-1]]),
    "no shuffle": _shuffle(lambda words, _: []),
    "a piece said twice": _piece_again,
    "a piece from elsewhere": _field("at", lambda at, chance: int(str(at)) + 32),
    "a shuffle of a later deal": _deal_ahead,
    "the deal of version 1.0": _earlier_deal,
    "another share": _shares(_other_share),
    "a share marked by a point of small order": _shares(_marked_share),
    "shares exchanged": _shares(_mixed_shares),
    "a bit of the shares": _shares(_bit),
    "shares without their proof": _shares(lambda words, _: words[:-2]),
    "shares of more places": _more_shares,
    "shares of fewer places": _fewer_shares,
    "shares of other places": _moved_shares,
    "a lock told too early": _early_lock,
    "asking for a share": _look,
    "another card": _line(_another_card, "play"),
    "a go with a card to play": _line(_go, "play"),
    "a meld of cards not held": _line(_another_card, "meld"),
    "cards not held": _line(_another_card, "show"),
    "a throw that says what it is": _line(_shown_secret, "discard"),
    "other places": _field("places", lambda places, chance: [chance.randrange(60)]),
    "another record": _field("chain", lambda _, chance: chance.randbytes(64).hex()),
    "another number": _field("n", lambda n, chance: int(str(n)) + chance.choice((-1, 1))),
    "another deal": _field("deal", lambda n, chance: int(str(n)) + chance.choice((-1, 1))),
    "another lock at the end": _lock,
    "said twice": _twice,
    "a line without consent": _unasked,
    "not a message": lambda _, chance: [{"t": chance.choice(["", "shuffle", "shares", "line"])}],
    "nothing of another type": lambda m, chance: (
        [{**m, "places": chance.choice(({}, ""))}] if m.get("places") == [] else None
    ),
    "wrong types": lambda m, chance: [{**m, chance.choice(sorted(m)): chance.choice(ODD)}],
}
SILENT: dict[str, Change] = {
    "nothing more": lambda message, chance: [],
    "a refusal to open": lambda m, chance: [] if m["t"] == "lock" else None,
}
"""Cheats that may look like an absence: the game waits, nobody is accused, and it does not
count."""
ON_THE_CURVE = (
    "a card marked by a point of small order",
    "a share marked by a point of small order",
)
"""Cheats that only the curve allows."""


def by_group(kinds: Iterable[str]) -> list[Any]:
    """Return the parameters of a test for each kind of cheat."""
    return [
        pytest.param(kind, marks=[pytest.mark.curve] if kind in ON_THE_CURVE else [])
        for kind in kinds
    ]


class Cheater:
    """A house that cheats once, at the nth opportunity; `changed` once it has."""

    def __init__(
        self,
        change: Change,
        chance: Random,
        first: int,
        silent: bool = False,
        party: int = CHEAT,
    ) -> None:
        self.party = party
        self._change = change
        self._chance = chance
        self._left = first
        self._silent = silent
        self.changed = False

    def __call__(self, party: int, message: Message) -> list[Message]:
        if party != self.party or message["t"] == "stop":
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
    """Play against a cheat, and return the code of the accusation, or None if it had no
    opportunity."""
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
    if honest.stop is None and honest.is_done:
        return "unused"  # a deal prepared when the game was over, which nobody has played
    assert honest.stop is not None, kind
    return honest.stop.code


STOCK = "a meld of cards not held"
"""Cheats that need drawn cards."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", by_group(kind for kind in (*CHEATS, *SILENT) if kind != STOCK))
def test_every_cheat_is_found_out(kind: str) -> None:
    """These are whole games; `test_short_games` has 10,000 of one deal."""
    found = (_found_out(kind, seed) for seed in range(5))
    assert any(found), "it had an opportunity"


@pytest.mark.parametrize(
    "kind",
    [
        STOCK,
        "another card",
        *(
            pytest.param(kind, marks=pytest.mark.long)
            for kind in (
                *("places exchanged", "a card twice", "another share", "shares of more places"),
                *("other places", "another lock at the end", "said twice"),
                "a line without consent",
            )
        ),
    ],
)
def test_a_cheat_with_a_stock_is_found_out(kind: str) -> None:
    found = (_found_out(kind, seed, "bezique", 400) for seed in range(5))
    assert any(found), "it had an opportunity"


class Hostile(Pair):
    """House 2 cheats once, and the broker loses, repeats and exchanges packets. Meanwhile house 1
    has power cuts."""

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
@pytest.mark.parametrize("kind", by_group(kind for kind in CHEATS if kind != STOCK))
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
