"""An onlooker's view of a game between two houses, and the onlooker's stored state.

An onlooker has met one of the two houses through a separate invitation, and sees the lines of the
shared record. In these lines, hands and cards that are thrown or drawn appear as `?` until they are
shown. An onlooker does not receive any other data, and sends only the number of lines received.
Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from boardctl.far.channel import Channel, Taken
from boardctl.far.game_log import GameLog
from boardctl.far.limits import LINES

_WAITING: Final = 8
"""The maximum number of messages that wait for an absent onlooker. Further messages follow
later."""
_PART: Final = 100
"""The maximum number of lines in a message."""
LONGEST: Final = 200
"""The maximum length of a line."""
_TEXT: Final = 1 << 20
"""The maximum total length of a game's lines."""
_IDENT: Final = 16
"""The maximum length of a game's name."""


class Feed:
    """One end of the channel between a playing house (house 1 of the channel) and an onlooker
    (house 2). `name` is the name of the house at the other end."""

    def __init__(self, channel: Channel, name: str) -> None:
        self.channel, self.name = channel, name
        self.game = ""
        """The game that is shown."""
        self.lines_sent = 0
        """The number of the game's lines sent to the onlooker."""
        self._size = 0
        """The total length of `lines`."""
        self.lines: list[str] = []
        """At the onlooker's end, the lines received."""
        self.is_over = False
        """Whether the playing house has ended the invitation."""

    @property
    def is_ours(self) -> bool:
        """Whether this end is the playing house."""
        return self.channel.party == 1

    def show(self, game: GameLog) -> None:
        """Send the lines that have not yet been sent to the onlooker."""
        ident = game.proposal.ident.hex()[:16]
        if ident != self.game:
            self.game, self.lines_sent = ident, 0
        count = len(game.public) - game.is_claimed  # also after the end of the game
        while self.lines_sent < count and len(self.channel.outbox) < _WAITING:
            lines = game.public[self.lines_sent : min(count, self.lines_sent + _PART)]
            self.channel.post({"look": self.game, "n": self.lines_sent, "lines": lines})
            self.lines_sent += len(lines)

    def end(self) -> None:
        """Stop sending to the onlooker."""
        self.channel.post({"look": "", "n": 0, "lines": []})

    def take(self, packet: bytes) -> Taken:
        """Handle a packet from the other end."""
        taken = self.channel.take(packet)
        if taken.message and not self.is_ours:
            try:
                self._take(taken.message["look"], taken.message["n"], taken.message["lines"])
            except (KeyError, TypeError, ValueError):
                self.is_over = True
        return taken

    def _take(self, game: object, number: object, lines: object) -> None:
        if not game:
            self.is_over = True
            return
        if not isinstance(game, str) or len(game) > _IDENT or not isinstance(lines, list):
            raise ValueError("no lines of a game")
        is_same = game == self.game
        before, size = (len(self.lines), self._size) if is_same else (0, 0)
        wrong = any(not isinstance(line, str) or len(line) > LONGEST for line in lines)
        if wrong or number != before or before + len(lines) > LINES or len(lines) > _PART:
            raise ValueError("no lines of a game")
        size += sum(map(len, lines))
        if size > _TEXT:
            raise ValueError("too many lines of a game")
        if not is_same:
            self.game, self.lines = game, []
        self.lines.extend(lines)
        self._size = size

    def to_json(self) -> dict[str, Any]:
        """Return the whole state as JSON for a file that only its owner may read."""
        return {
            "channel": self.channel.to_json(),
            "name": self.name,
            "game": self.game,
            "told": self.lines_sent,
            "lines": self.lines,
            "over": self.is_over,
        }

    @classmethod
    def from_json(
        cls, stored: Mapping[str, Any], seed: bytes, draw: Callable[[int], bytes]
    ) -> Feed:
        """Restore the state from `to_json`. Raises KeyError, TypeError or ValueError if the data is
        damaged."""
        one = cls(Channel.from_json(stored["channel"], seed, draw), str(stored["name"]))
        one.game, one.lines_sent = str(stored["game"]), int(stored["told"])
        one.lines, one.is_over = [str(line) for line in stored["lines"]], bool(stored["over"])
        one._size = sum(map(len, one.lines))
        return one
