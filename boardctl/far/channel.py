"""Messages between two houses. They are encrypted, signed, numbered, and kept until they have
arrived.

Each house encrypts a message with its own key (XChaCha20-Poly1305) and signs the message, its
number and all earlier messages with its signing key (Ed25519). The message keys change with each
game (`rekey`). Packets that contain only message counts use keys that never change, so that a board
restored from an old copy is noticed. A changed, forged, repeated or late packet is dropped. Missing
messages are sent again when the other house reports how many have arrived. Pure: the caller's
function draws nonces.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from nacl import bindings
from nacl.exceptions import CryptoError

from boardctl.far import group
from boardctl.far.limits import WAITING, WAITING_BYTES

_VERSION: Final = 1
_SAID, _HAVE = 1, 2
_AGAIN, _GONE = b"again", b"gone"
"""A flag in a packet that reports the number of messages received. The packet asks for the other
house's number, or answers such a request."""
_NONCE: Final = 24
_HEAD: Final = 10
_SIGNATURE: Final = 64
_PUBLIC: Final = 32
LARGEST: Final = 32_768
"""The maximum size of a packet in bytes."""


class Taken(NamedTuple):
    """The result of handling a packet: a message or None, and packets to send again."""

    message: dict[str, Any] | None = None
    resent: tuple[bytes, ...] = ()
    is_genuine: bool = True
    """Whether the packet is from the other house."""
    is_taken: bool = True
    """False for a message that cannot be handled now, so that the other house must send it
    again."""
    is_behind: bool = False
    """Whether the other house has received more of our messages than this state has sent. The state
    is then an old copy."""


def encrypt(key: bytes, about: bytes, text: bytes, nonce: bytes) -> bytes:
    """Encrypt a text with a 24-byte nonce and a 32-byte key, and bind the text to `about`."""
    return nonce + bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(text, about, nonce, key)


def decrypt(key: bytes, about: bytes, packet: bytes) -> bytes | None:
    """Return the text that was encrypted, or None if the key or `about` does not match."""
    try:
        return bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(
            packet[_NONCE:], about, packet[:_NONCE], key
        )
    except (CryptoError, ValueError):
        return None


def sign(seed: bytes, text: bytes) -> bytes:
    """Return a 64-byte signature of a text, made with the key derived from a 32-byte seed."""
    _, secret = bindings.crypto_sign_seed_keypair(seed)
    return bindings.crypto_sign(text, secret)[:_SIGNATURE]


def is_signed(public: bytes, text: bytes, signature: bytes) -> bool:
    """Return whether a signature was made with a house's key. Check the lengths too, because
    libsodium does not."""
    if len(public) != _PUBLIC or len(signature) != _SIGNATURE:
        return False
    try:
        bindings.crypto_sign_open(signature + text, public)
    except (CryptoError, ValueError):
        return False
    return True


def packed(message: Any) -> bytes:
    """Return a message as bytes: JSON, then a zero byte and the bytes of the message's `piece`, if
    any. In base64, these bytes would be a third longer."""
    content = message.get("m") if isinstance(message, Mapping) else None
    piece = content.get("piece") if isinstance(content, Mapping) else None
    raw = _bytes_of(piece) if isinstance(piece, str) else b""
    if raw and isinstance(content, Mapping):
        rest = {name: value for name, value in content.items() if name != "piece"}
        message, raw = {**message, "m": rest}, b"\0" + raw
    return json.dumps(message, separators=(",", ":")).encode() + raw


def unpacked(text: bytes) -> dict[str, Any]:
    """Decode a message from bytes made by `packed`. Return an empty message if they are invalid."""
    content, has_piece, raw = text.partition(b"\0")
    try:
        message = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(message, dict):
        return {}
    if has_piece and isinstance(message.get("m"), dict):
        message["m"]["piece"] = b64encode(raw).decode()
    return message


def _bytes_of(piece: str) -> bytes:
    """Decode base64 text, and return no bytes if it is not in canonical form."""
    try:
        raw = b64decode(piece, validate=True)
    except ValueError:
        return b""
    return raw if b64encode(raw).decode() == piece else b""


class Channel:
    """One house's end of a channel. `ident` is 32 bytes that both houses know. `house` is 1 or 2.
    `keys` are the message keys of house 1 and house 2. `seed` is this house's signing key, and
    `other` the other house's public key."""

    def __init__(
        self,
        ident: bytes,
        party: int,
        keys: tuple[bytes, bytes],
        seed: bytes,
        other: bytes,
        draw: Callable[[int], bytes],
    ) -> None:
        self.ident, self.party, self.channel_keys = ident, party, keys
        self.message_keys = keys
        """The keys of messages, which change with each game."""
        self.before: bytes | None = None
        """The other house's previous key, until a message with the current key arrives."""
        self.may_take: Callable[[], bool] = lambda: True
        """Called before a genuine message is accepted. A rejected message is sent again."""
        self._seed, self.other, self._draw = seed, other, draw
        self.sent = self.taken = 0
        self.outbox: dict[int, bytes] = {}
        """Packets that the other house has not acknowledged, by number."""
        self._chains = {1: ident, 2: ident}

    @property
    def topic(self) -> str:
        """The topic, whose name reveals nothing about the houses."""
        return group.digest("topic", self.ident)[:16].hex()

    def post(self, message: Mapping[str, Any]) -> None:
        """Add a message to the outbox."""
        text = packed(message)
        self.sent += 1
        signature = sign(self._seed, self._signed(self.party, self.sent, text))
        self._chains[self.party] = self._next(self.party, text)
        self.outbox[self.sent] = self._packet(_SAID, self.sent, signature + text)

    @property
    def is_full(self) -> bool:
        """Whether the maximum number of messages for the other house are waiting."""
        waiting = self.outbox.values()
        return len(waiting) >= WAITING or sum(map(len, waiting)) >= WAITING_BYTES

    def rekey(self, shared: bytes, *about: bytes) -> None:
        """Change the message keys so that nobody can compute the old keys from this channel's later
        ones. `shared` is a secret that both houses know but neither stores. `about` is the data
        from which it was derived. Both houses call this method after the same message, in which one
        house accepts a game."""
        self.before = self.message_keys[2 - self.party]
        one, two = (
            group.digest("game key", key, shared, *about, bytes([party]))[:32]
            for party, key in enumerate(self.message_keys, 1)
        )
        self.message_keys = one, two

    def have(self, again: bool = False) -> bytes:
        """Return a packet that reports how many of the other house's messages have arrived. With
        `again`, the packet also asks for the missing messages."""
        return self._packet(_HAVE, self.taken, _AGAIN if again else b"")

    def take(self, packet: bytes) -> Taken:
        """Handle a packet that was sent to this house."""
        head, sealed = packet[:_HEAD], packet[_HEAD:]
        if len(head) < _HEAD or head[0] != _VERSION or len(packet) > LARGEST:
            return Taken(is_genuine=False)
        kind, number = head[1], int.from_bytes(head[2:], "big")
        theirs = 3 - self.party
        about = self._about(theirs, head)
        key = (self.message_keys if kind == _SAID else self.channel_keys)[theirs - 1]
        text = decrypt(key, about, sealed)
        is_newest = text is not None
        if text is None and kind == _SAID and self.before is not None:
            text = decrypt(self.before, about, sealed)
        if text is None:
            return Taken(is_genuine=False)
        if kind == _HAVE and text == _GONE:  # the number received never decreases
            return Taken(is_behind=number == self.taken)
        if kind == _HAVE:
            if number > self.sent:
                return Taken(is_behind=True)
            if text == _AGAIN and number < self.sent - len(self.outbox):
                return Taken(resent=(self._packet(_HAVE, number, _GONE),))
            for old in [one for one in self.outbox if one <= number]:
                del self.outbox[old]
            return Taken(resent=tuple(self.outbox.values()) if text == _AGAIN else ())
        if kind != _SAID or number != self.taken + 1:
            return Taken(resent=(self.have(again=True),) if number > self.taken + 1 else ())
        signature, text = text[:_SIGNATURE], text[_SIGNATURE:]
        if not is_signed(self.other, self._signed(theirs, number, text), signature):
            return Taken(is_genuine=False)
        if self.is_full or not self.may_take():
            return Taken(is_taken=False)
        if is_newest:
            self.before = None
        self.taken = number
        self._chains[theirs] = self._next(theirs, text)
        return Taken(unpacked(text))

    def _packet(self, kind: int, number: int, text: bytes) -> bytes:
        head = bytes((_VERSION, kind)) + number.to_bytes(8, "big")
        about = self._about(self.party, head)
        keys = self.message_keys if kind == _SAID else self.channel_keys
        return head + encrypt(keys[self.party - 1], about, text, self._draw(_NONCE))

    def _about(self, party: int, head: bytes) -> bytes:
        return self.ident + bytes([party]) + head

    def _signed(self, party: int, number: int, text: bytes) -> bytes:
        before = self._chains[party]
        return group.digest("said", self.ident, bytes([party]), bytes([number % 256]), before, text)

    def _next(self, party: int, text: bytes) -> bytes:
        return group.digest("after", self._chains[party], text)[:32]

    def to_json(self) -> dict[str, Any]:
        """Return the whole state as JSON for a file that only its owner may read."""
        return {
            "ident": self.ident.hex(),
            "house": self.party,
            "keys": [key.hex() for key in self.channel_keys],
            "message_keys": [key.hex() for key in self.message_keys],
            "before": None if self.before is None else self.before.hex(),
            "other": self.other.hex(),
            "sent": self.sent,
            "taken": self.taken,
            "outbox": {str(n): b64encode(one).decode() for n, one in self.outbox.items()},
            "chains": [self._chains[1].hex(), self._chains[2].hex()],
        }

    @classmethod
    def from_json(
        cls, stored: Mapping[str, Any], seed: bytes, draw: Callable[[int], bytes]
    ) -> Channel:
        """Restore the state from `to_json`. Raises KeyError, TypeError or ValueError if the data is
        damaged."""
        one, two = (bytes.fromhex(key) for key in stored["keys"])
        ident, other = bytes.fromhex(stored["ident"]), bytes.fromhex(stored["other"])
        channel = cls(ident, int(stored["house"]), (one, two), seed, other, draw)
        one, two = (bytes.fromhex(key) for key in stored.get("message_keys", stored["keys"]))
        channel.message_keys = one, two
        before = stored.get("before")
        channel.before = None if before is None else bytes.fromhex(before)
        channel.sent, channel.taken = int(stored["sent"]), int(stored["taken"])
        channel.outbox = {int(n): b64decode(one) for n, one in stored["outbox"].items()}
        first, second = (bytes.fromhex(one) for one in stored["chains"])
        channel._chains = {1: first, 2: second}
        return channel
