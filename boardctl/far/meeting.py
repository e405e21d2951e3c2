"""The meeting of two houses through an invitation. Six words lead to a channel that only these
houses can read.

Argon2id derives two values from the words: a name under which the houses find each other at the
broker, and a key for two greetings. A greeting contains the house's signing key, a key for this
meeting (X25519) and the house's name, all signed. The inviting house's greeting identifies the
greeting that it answers, so anyone who enters the words later learns that they have been used. The
houses store a secret derived from both keys, so that later the words alone reveal nothing. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from nacl import bindings
from nacl.pwhash import argon2id

from boardctl.far import group
from boardctl.far.channel import Channel, decrypt, encrypt, is_signed, sign

_EFFORT: Final = 4
_MEMORY: Final = 32 << 20
"""The bytes of memory that a guess at the words needs. A Raspberry Pi can spare this memory for a
second."""
_SALT: Final = b"boardctl far 1\0\0"
_OPEN: Final = b"open"
"""The message of house 1 while an invitation is open, in place of a greeting."""
_OVER: Final = b"over"
"""The message that replaces a greeting when an invitation is over."""
NAME: Final = 40
"""The maximum length of a name."""


def clean_name(entered: str) -> str:
    """Return a name in the form that may be sent to another house. Raises ValueError if the name is
    invalid."""
    name = " ".join(entered.split())[:NAME]
    if not name or not name.isprintable() or "#" in name:
        raise ValueError("no name")
    return name


class Met(NamedTuple):
    """The result of a meeting: the channel, the other house's name, and whether house 2 is an
    onlooker."""

    channel: Channel
    name: str
    is_for_onlooker: bool = False


class Meeting:
    """One house's side of a meeting. House 1 invites, and house 2 accepts."""

    def __init__(
        self,
        words: int,
        party: int,
        seed: bytes,
        name: str,
        draw: Callable[[int], bytes],
        is_for_onlooker: bool = False,
    ) -> None:
        """Derive the keys, which takes a second on a Raspberry Pi.

        Args:
            words: the secret of the six words.
            seed: the seed of our signing key.
            draw: random bytes.
            is_for_onlooker: whether house 1 invites an onlooker.
        """
        self.party = party
        self.is_for_onlooker = is_for_onlooker
        self._seed, self._name, self._draw = seed, name, draw
        self._root = argon2id.kdf(
            32, words.to_bytes(8, "big"), _SALT, opslimit=_EFFORT, memlimit=_MEMORY
        )
        self._once = draw(32)
        self._hello: bytes | None = None
        self.is_open = False
        """Whether house 2 knows that the invitation is open."""

    @property
    def topic(self) -> str:
        """The name under which the houses find each other."""
        return group.digest("meeting", self._root)[:16].hex()

    def greet(self, answered: bytes = b"") -> bytes:
        """Return this house's greeting, which is always the same. `answered` is the other house's
        greeting, if this greeting answers it."""
        if self._hello is None:
            public, _ = bindings.crypto_sign_seed_keypair(self._seed)
            hello = {
                "house": public.hex(),
                "once": bindings.crypto_scalarmult_base(self._once).hex(),
                "name": self._name,
                "look": self.is_for_onlooker,
                "answers": _digest(answered) if answered else "",
            }
            text = json.dumps(hello).encode()
            signature = sign(self._seed, self._signed(self.party, text))
            self._hello = self._encrypted(signature + text)
        return self._hello

    def over(self) -> bytes:
        """Return the message with which house 1 replaces its greeting when the invitation is
        over."""
        return self._encrypted(_OVER)

    def open(self) -> bytes:
        """Return the message that house 1 leaves next to its greeting while the invitation is
        open."""
        return encrypt(self._key(), _OPEN, _OPEN, self._draw(24))

    def hear_open(self, packet: bytes) -> None:
        """Handle the message that house 1 leaves while the invitation is open."""
        self.is_open = decrypt(self._key(), _OPEN, packet) == _OPEN

    def is_over(self, packet: bytes) -> bool:
        """Return whether this message says that the invitation was withdrawn or used by another
        house."""
        text = decrypt(self._key(), bytes([3 - self.party]), packet)
        return text is not None and (text == _OVER or not self._answers(text))

    def take(self, packet: bytes) -> Met | None:
        """Return the channel that results from the other house's greeting, or None if the greeting
        is invalid or was meant for another house."""
        theirs = 3 - self.party
        text = decrypt(self._key(), bytes([theirs]), packet)
        if text is None or not self._answers(text):
            return None
        try:
            hello = json.loads(text[64:])
            other, once = bytes.fromhex(hello["house"]), bytes.fromhex(hello["once"])
            name = clean_name(str(hello["name"]))
            if len(once) != 32 or not is_signed(other, self._signed(theirs, text[64:]), text[:64]):
                return None
            shared = bindings.crypto_scalarmult(self._once, once)
        except (KeyError, TypeError, ValueError, RuntimeError):
            return None
        mine = self._own(text)
        texts = (mine, text) if self.party == 1 else (text, mine)
        base = group.digest("link", self._root, shared, *texts)
        one, two = (group.digest("key", base, bytes([party]))[:32] for party in (1, 2))
        ident = group.digest("ident", base)[:32]
        channel = Channel(ident, self.party, (one, two), self._seed, other, self._draw)
        return Met(
            channel, name, self.is_for_onlooker if self.party == 1 else hello.get("look") is True
        )

    def _own(self, other: bytes = b"") -> bytes:
        """Return the text of this house's greeting."""
        text = decrypt(self._key(), bytes([self.party]), self.greet(other))
        assert text is not None
        return text

    def _answers(self, text: bytes) -> bool:
        """Return whether the text of a greeting is meant for this house."""
        if self.party == 1:
            return True
        try:
            answers = json.loads(text[64:]).get("answers")
        except (AttributeError, RecursionError, ValueError):
            return False
        # None: from a board of a version that did not send this field
        return answers in (None, "", _digest(self._own()))

    def _encrypted(self, text: bytes) -> bytes:
        return encrypt(self._key(), bytes([self.party]), text, self._draw(24))

    def _key(self) -> bytes:
        return group.digest("greeting", self._root)[:32]

    def _signed(self, party: int, text: bytes) -> bytes:
        return group.digest("hello", self._root, bytes([party]), text)

    def to_json(self) -> Mapping[str, Any]:
        """Return the whole state as JSON for a file that only its owner may read."""
        hello = self._hello or b""
        return {"house": self.party, "root": self._root.hex(), "once": self._once.hex(),
                "hello": hello.hex(), "name": self._name, "look": self.is_for_onlooker}  # fmt: skip

    @classmethod
    def from_json(
        cls, stored: Mapping[str, Any], seed: bytes, draw: Callable[[int], bytes]
    ) -> Meeting:
        """Restore the state from `to_json`. Raises KeyError, TypeError or ValueError if the data is
        damaged."""
        one = cls.__new__(cls)
        one.party, one._seed, one._draw = int(stored["house"]), seed, draw
        one._name = str(stored["name"])
        one._root, one._once = bytes.fromhex(stored["root"]), bytes.fromhex(stored["once"])
        one._hello = bytes.fromhex(stored["hello"]) or None
        one.is_for_onlooker, one.is_open = bool(stored["look"]), False
        return one


def _digest(text: bytes) -> str:
    return group.digest("greeting of", text)[:16].hex()
