"""The peers of a board: houses, and onlookers of a game. Any other `Peer` is a removed house that
has not been notified yet.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from boardctl.far import TREE, limits, presence
from boardctl.far.channel import Channel, Taken
from boardctl.far.feed import Feed
from boardctl.far.limits import Allowance
from boardctl.far.session import Session


class Greeting(NamedTuple):
    """The data kept from a meeting."""

    meeting: str
    """Its name."""
    hello: bytes = b""
    """Our greeting, if this house has invited and the other end does not have it yet."""
    over: bytes = b""
    """The message that replaces it afterwards."""

    def to_json(self) -> dict[str, str]:
        return {"meeting": self.meeting, "greeting": self.hello.hex(), "over": self.over.hex()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Greeting:
        """Restore it from `to_json`. Raises KeyError, TypeError or ValueError if it is damaged."""
        over = bytes.fromhex(stored.get("over", ""))
        return cls(str(stored["meeting"]), bytes.fromhex(stored["greeting"]), over)


class Peer:
    """The other end of a channel, and the time of its last message.

    Args:
        channel: to the other end.
        greeting: how they met.
        clock: seconds that never go back.
    """

    def __init__(
        self, channel: Channel, greeting: Greeting, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.channel = channel
        self.greeting = greeting
        self.is_here = False
        self.last = 0.0
        self.heard = presence.NOTHING
        """The newest message of its board about its presence."""
        self.sent: set[int] = set()
        self.also: dict[str, bytes] = {"have": channel.have(again=True)}
        """Packets without a message: at most one of each kind waits."""
        self.is_paused = False
        """Whether a message was rejected, so the other end has to send it again."""
        self.messages = Allowance(limits.MESSAGES, limits.MESSAGES_A_SECOND, clock)
        self.repeats = Allowance(limits.REPEATS, limits.REPEATS_A_SECOND, clock)
        self.written = Allowance(limits.WRITTEN, limits.WRITTEN_A_SECOND, clock)
        self.on_disk = b""
        """Its state as last written."""
        channel.may_take = self._may_take

    @property
    def base(self) -> str:
        return f"{TREE}/{self.channel.topic}"

    @property
    def presence(self) -> str:
        return presence.topic(self.channel.other)

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.channel.topic}.json"

    @property
    def is_full(self) -> bool:
        """Whether the maximum number of messages to or from the peer is waiting."""
        return self.channel.is_full

    def _may_take(self) -> bool:
        return not self.is_full and self.messages.take()

    def hear(self, packet: bytes) -> bool:
        """Handle a presence message from the peer's board; return whether the message is new."""
        heard = presence.read(self.channel.other, packet)
        if heard is None or heard < self.heard:
            return False
        self.heard, self.is_here = heard, not heard.is_over
        return True

    def take(self, packet: bytes) -> Taken:
        """Take a packet of the other end."""
        return self.channel.take(packet)

    def answer(self, taken: Taken, before: int) -> None:
        """Note the reply that a packet requires. `before` is the number of messages received before
        the packet."""
        repeated = {n for n, one in self.channel.outbox.items() if one in taken.again}
        if repeated and self.repeats.take():
            self.sent -= repeated
        for packet in taken.again:
            if packet not in self.channel.outbox.values():
                self.also["reply"] = packet
        if self.channel.taken > before:
            self.also["have"] = self.channel.have()

    def to_json(self) -> dict[str, Any]:
        """Return its state to be written to disk."""
        return {"kind": "leaving", "channel": self.channel.to_json(), **self._own_json()}

    def _own_json(self) -> dict[str, Any]:
        """Return its state besides the session; `last` is in whole minutes."""
        last = self.last // 60 * 60
        return {**self.greeting.to_json(), "last": last, "heard": list(self.heard)}

    def restore(self, stored: Mapping[str, Any]) -> None:
        """Restore the state from `to_json`, except the channel and the greeting. Raises KeyError,
        TypeError or ValueError if it is damaged."""
        self.last = float(stored["last"])
        number, is_over = stored.get("heard", presence.NOTHING)
        self.heard = presence.Heard(int(number), bool(is_over))


class House(Peer):
    """A known house, and the session with it."""

    def __init__(
        self, session: Session, greeting: Greeting, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(session.channel, greeting, clock)
        self._offers = Allowance(limits.OFFERS, limits.OFFERS_A_SECOND, clock)
        self.is_quiet = False
        """Whether only the page shows its offer, because it has made many."""
        self.session = session
        self.waits = False
        """Whether its game began while people were playing something else at this table."""

    def take(self, packet: bytes) -> Taken:
        """Handle a packet from the other house and all its consequences."""
        before = self.session.offered
        taken = self.session.take(packet)
        if self.session.offered is not None and self.session.offered is not before:
            self.is_quiet = not self._offers.take()
        return taken

    @property
    def is_full(self) -> bool:
        game = self.session.game
        return super().is_full or (game is not None and len(game.inbox) >= limits.WAITING)

    def to_json(self) -> dict[str, Any]:
        """Return its state to be written to disk."""
        session = self.session.to_json()
        return {"kind": "house", "session": session, "waits": self.waits, **self._own_json()}

    @property
    def wants(self) -> bool:
        """Whether people at this board must agree before the house's game is put on the table."""
        return self.waits or self.session.offered is not None


class Onlooker(Peer):
    """An onlooker of our games, or a house whose games this board watches."""

    def __init__(
        self, feed: Feed, greeting: Greeting, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(feed.channel, greeting, clock)
        self.feed = feed
        self.shown = 0
        """The number of its lines on the table."""
        self.shown_of = ""
        """The game that those lines belong to."""

    def take(self, packet: bytes) -> Taken:
        """Take a packet of the other end."""
        return self.feed.take(packet)

    def to_json(self) -> dict[str, Any]:
        """Return its state to be written to disk."""
        return {"kind": "onlooker", "look": self.feed.to_json(), **self._own_json()}
