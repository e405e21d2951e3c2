"""A board's peers: houses, and onlookers of a game. Any other `Peer` is a removed house that has
not yet been notified.
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
    """Our greeting, if this house has invited and the other end has not yet received the
    greeting."""
    over: bytes = b""
    """The message that replaces the greeting afterwards."""

    def to_json(self) -> dict[str, str]:
        return {"meeting": self.meeting, "greeting": self.hello.hex(), "over": self.over.hex()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Greeting:
        """Restore the greeting from `to_json`. Raises KeyError, TypeError or ValueError if the data
        is damaged."""
        over = bytes.fromhex(stored.get("over", ""))
        return cls(str(stored["meeting"]), bytes.fromhex(stored["greeting"]), over)


class Peer:
    """The other end of a channel, and the time of its last message.

    Args:
        channel: the channel to the other end.
        greeting: the data from the meeting.
        clock: returns monotonic seconds.
    """

    def __init__(
        self, channel: Channel, greeting: Greeting, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.channel = channel
        self.greeting = greeting
        self.is_here = False
        self.last = 0.0
        self.heard = presence.NOTHING
        """The newest presence message from the peer's board."""
        self.sent: set[int] = set()
        self.also: dict[str, bytes] = {"have": channel.have(again=True)}
        """Packets without a message. At most one of each kind waits."""
        self.is_paused = False
        """Whether a message was rejected, so that the other end must send it again."""
        self.messages = Allowance(limits.MESSAGES, limits.MESSAGES_A_SECOND, clock)
        self.repeats = Allowance(limits.REPEATS, limits.REPEATS_A_SECOND, clock)
        self.written = Allowance(limits.WRITTEN, limits.WRITTEN_A_SECOND, clock)
        self.on_disk = b""
        """The state as last written."""
        channel.may_take = self._may_take

    @property
    def base(self) -> str:
        return f"{TREE}/{self.channel.topic}"

    @property
    def presence(self) -> str:
        return presence.topic(self.channel.other)

    @property
    def file(self) -> str:
        """The name of the peer's file."""
        return f"{self.channel.topic}.json"

    @property
    def is_full(self) -> bool:
        """Whether the maximum number of messages to or from the peer are waiting."""
        return self.channel.is_full

    def _may_take(self) -> bool:
        return not self.is_full and self.messages.take()

    def hear(self, packet: bytes) -> bool:
        """Handle a presence message from the peer's board, and return whether the message is
        new."""
        heard = presence.read(self.channel.other, packet)
        if heard is None or heard < self.heard:
            return False
        self.heard, self.is_here = heard, not heard.is_over
        return True

    def take(self, packet: bytes) -> Taken:
        """Handle a packet from the other end."""
        return self.channel.take(packet)

    def answer(self, taken: Taken, before: int) -> None:
        """Record the reply that a packet requires. `before` is the number of messages received
        before the packet."""
        repeated = {n for n, one in self.channel.outbox.items() if one in taken.resent}
        if repeated and self.repeats.take():
            self.sent -= repeated
        for packet in taken.resent:
            if packet not in self.channel.outbox.values():
                self.also["reply"] = packet
        if self.channel.taken > before:
            self.also["have"] = self.channel.have()

    def to_json(self) -> dict[str, Any]:
        """Return the peer's state to be written to disk."""
        return {"kind": "leaving", "channel": self.channel.to_json(), **self._own_json()}

    def _own_json(self) -> dict[str, Any]:
        """Return the peer's state except for the session. `last` is rounded to whole minutes."""
        last = self.last // 60 * 60
        return {**self.greeting.to_json(), "last": last, "heard": list(self.heard)}

    def restore(self, stored: Mapping[str, Any]) -> None:
        """Restore the state from `to_json`, except for the channel and the greeting. Raises
        KeyError, TypeError or ValueError if the data is damaged."""
        self.last = float(stored["last"])
        number, is_over = stored.get("heard", presence.NOTHING)
        self.heard = presence.Heard(int(number), bool(is_over))


class House(Peer):
    """A known house and its session."""

    def __init__(
        self, session: Session, greeting: Greeting, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(session.channel, greeting, clock)
        self._offers = Allowance(limits.OFFERS, limits.OFFERS_A_SECOND, clock)
        self.is_quiet = False
        """Whether only the page shows the house's offer, because the house has made many offers."""
        self.session = session
        self.waits = False
        """Whether the house's game began while people were playing another game at this table."""

    def take(self, packet: bytes) -> Taken:
        """Handle a packet from the other house, with all its consequences."""
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
        """Return the peer's state to be written to disk."""
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
        self.lines_shown = 0
        """The number of the peer's lines on the table."""
        self.shown_game = ""
        """The game to which those lines belong."""

    def take(self, packet: bytes) -> Taken:
        """Handle a packet from the other end."""
        return self.feed.take(packet)

    def to_json(self) -> dict[str, Any]:
        """Return the peer's state to be written to disk."""
        return {"kind": "onlooker", "look": self.feed.to_json(), **self._own_json()}
