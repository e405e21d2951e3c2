"""Who is at the other end of a channel: a house, or an onlooker of a game."""

from __future__ import annotations

from typing import Any

from boardctl.far import TREE, group
from boardctl.far.channel import Channel
from boardctl.far.look import Look
from boardctl.far.session import Session


class End:
    """Somebody at the other end of a channel, and when they were there last."""

    def __init__(self, channel: Channel, greeting: bytes, meeting: str) -> None:
        self.channel = channel
        self.greeting, self.meeting = greeting, meeting
        """Our greeting, and the name of the meeting, until the other end has it."""
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

    def kept(self) -> dict[str, Any]:
        """What there is besides the session; `last` to the minute."""
        last = self.last // 60 * 60
        return {"greeting": self.greeting.hex(), "meeting": self.meeting, "last": last}


class House(End):
    """A house that is known, and the session with it."""

    def __init__(self, session: Session, greeting: bytes = b"", meeting: str = "") -> None:
        super().__init__(session.channel, greeting, meeting)
        self.session = session


class Onlooker(End):
    """An onlooker of our games, or a house at whose games this board looks on."""

    def __init__(self, look: Look, greeting: bytes = b"", meeting: str = "") -> None:
        super().__init__(look.channel, greeting, meeting)
        self.look = look
        self.shown = 0
        """How many of its lines are on the table."""
        self.shown_of = ""
        """Of which game they are."""


def presence(public: bytes) -> str:
    """The topic where the board with this public key says whether it is there."""
    return f"{TREE}/{group.digest('presence', public)[:16].hex()}/online"
