"""The data about other houses that is shared by the store, the link, the table and the service."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from boardctl.far import TREE
from boardctl.far.meeting import Meeting
from boardctl.far.peers import House, Onlooker, Peer

HELD: Final = 14 * 24 * 3600
"""Seconds for which the broker holds messages for an absent house."""
ENDING: Final = 64
"""The maximum number of retained greetings that still have to be replaced."""


class Packet(NamedTuple):
    """A message for the broker."""

    topic: str
    payload: bytes
    retain: bool = False
    lasts: int | None = None
    """Seconds for which the broker retains the packet, or None to retain it until it is
    replaced."""


@dataclass
class Contacts:
    """The other houses of a board, and the invitations that are open."""

    houses: list[House] = field(default_factory=list)
    active: House | None = None
    """The house whose game is on the table."""
    set_aside: House | None = None
    """The house whose game was set aside, until another game or command begins on the table."""
    leaving: list[Peer] = field(default_factory=list)
    """Removed houses that have not yet been notified."""
    onlookers: list[Onlooker] = field(default_factory=list)
    watched: Onlooker | None = None
    """The house whose game this board watches."""
    meeting: Meeting | None = None
    words: tuple[str, ...] = ()
    """The words of an open invitation."""
    is_late: bool = False
    """Whether the last accepted words had been used or withdrawn before."""
    is_unanswered: bool = False
    """Whether no board seems to invite with the last accepted words."""
    ending: list[Packet] = field(default_factory=list)
    """Messages that replace retained greetings that nobody needs any more."""
    offer: dict[str, Any] = field(default_factory=dict)
    """The game of the invitation, and its options."""
    own: str = ""
    partner: str = ""
    seed: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    """This board's signing key."""
    connections: int = 0
    """The number of the last connection."""

    @property
    def peers(self) -> list[Peer]:
        return [*self.houses, *self.leaving, *self.onlookers]

    @property
    def is_on(self) -> bool:
        """Whether a game with another house is in progress at the table."""
        return self.active is not None and self.active.session.is_playing

    def meet(self, secret: int, party: int, own: str, is_for_onlooker: bool = False) -> Meeting:
        """Return a meeting for the secret of an invitation's words."""
        return Meeting(secret, party, self.seed, own, secrets.token_bytes, is_for_onlooker)

    def end_meeting(self, topic: str, over: bytes) -> None:
        """Leave a message at the broker that the words of a meeting have been used."""
        self.ending.append(Packet(f"{TREE}/{topic}/1", over, True, HELD))
        self.ending.append(Packet(f"{TREE}/{topic}/2", b"", True, HELD))
        self.ending.append(Packet(f"{TREE}/{topic}/open", b"", True, HELD))
        del self.ending[:-ENDING]

    def forget(self, house: House) -> None:
        """Remove a house from the list because the two houses have met again."""
        self.houses.remove(house)
        if self.active is house:
            self.active = None
        if self.set_aside is house:
            self.set_aside = None
