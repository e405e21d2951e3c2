"""Who is at the other end of a channel: a house, or an onlooker of a game. An `End` that is neither
is a house that was taken out of the list, until it has heard of that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from boardctl.far import TREE, group
from boardctl.far.channel import Channel, Taken
from boardctl.far.look import Look
from boardctl.far.session import Session


class Greeting(NamedTuple):
    """What is left of a meeting."""

    meeting: str
    """Its name."""
    hello: bytes = b""
    """Our greeting, if this house has invited, until the other end has it."""
    over: bytes = b""
    """What takes its place then."""

    def kept(self) -> dict[str, str]:
        return {"meeting": self.meeting, "greeting": self.hello.hex(), "over": self.over.hex()}

    @classmethod
    def restored(cls, kept: Mapping[str, Any]) -> Greeting:
        """What `kept` wrote. Raises KeyError, TypeError or ValueError if it is damaged."""
        over = bytes.fromhex(kept.get("over", ""))
        return cls(str(kept["meeting"]), bytes.fromhex(kept["greeting"]), over)


class End:
    """Somebody at the other end of a channel, and when they were there last."""

    def __init__(self, channel: Channel, greeting: Greeting) -> None:
        self.channel = channel
        self.greeting = greeting
        """How they met."""
        self.is_here = False
        self.last = 0.0
        self.sent: set[int] = set()
        self.also: list[bytes] = [channel.have(again=True)]

    @property
    def base(self) -> str:
        return f"{TREE}/{self.channel.topic}"

    @property
    def presence(self) -> str:
        return presence(self.channel.other)

    def take(self, packet: bytes) -> Taken:
        """Take a packet of the other end."""
        return self.channel.take(packet)

    def kept(self) -> dict[str, Any]:
        """What there is besides the session; `last` to the minute."""
        last = self.last // 60 * 60
        return {**self.greeting.kept(), "last": last}


class House(End):
    """A house that is known, and the session with it."""

    def __init__(self, session: Session, greeting: Greeting) -> None:
        super().__init__(session.channel, greeting)
        self.session = session
        self.waits = False
        """Whether its game has begun while people played something else at this table."""

    def take(self, packet: bytes) -> Taken:
        """Take a packet of the other house, with all that follows from it."""
        return self.session.take(packet)

    @property
    def wants(self) -> bool:
        """Whether people here have to say that a game with it is put on the table."""
        return self.waits or self.session.offered is not None


class Onlooker(End):
    """An onlooker of our games, or a house at whose games this board looks on."""

    def __init__(self, look: Look, greeting: Greeting) -> None:
        super().__init__(look.channel, greeting)
        self.look = look
        self.shown = 0
        """How many of its lines are on the table."""
        self.shown_of = ""
        """Of which game they are."""

    def take(self, packet: bytes) -> Taken:
        """Take a packet of the other end."""
        return self.look.take(packet)


def presence(public: bytes) -> str:
    """The topic where the board with this public key says whether it is there."""
    return f"{TREE}/{group.digest('presence', public)[:16].hex()}/online"
