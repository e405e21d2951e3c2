"""The players' phones: the assignment of paired phones to players, whose cards they show.

A phone asks for a seat with `POST /seat`. It gets the seat immediately if it already has the seat,
or if no phone has the seat and this deal does not contain any secret cards of that player yet.
Otherwise, the seat's current phone must allow the change while its page is open (`POST
/seat/allow`), or somebody must allow it with the board's own keys (`consent`). A board without keys
needs no consent if no other phone is connected. Each change is shown on the display, spoken, and
sent to all pages.

On a board that serves only its own machine, all pages belong to one person, who may use any seat.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from boardctl.options import read_file
from boardctl.record.names import name_key
from boardctl.storage import files
from boardctl.web.board_view import BoardView
from boardctl.web.consent import Consent, NoConsent

_log: Final = logging.getLogger(__name__)

FILE: Final = "seats.json"
"""The file in the data directory with the phone of each player."""
MOST: Final = 64
"""The maximum number of players whose phones are remembered. Beyond it, the oldest is forgotten."""
LARGEST: Final = 1 << 16
"""The maximum size of that file in bytes."""


class Claim(NamedTuple):
    """A phone's request for a seat that belongs to another phone."""

    identity: int
    """The request's number, unique while the board runs."""
    name: str
    """The player whose cards the phone would show."""


class PhoneSeats:
    """The players' phones at one board. A phone is identified by the hash of its token."""

    def __init__(
        self,
        board: BoardView,
        consent: Consent,
        is_live: Callable[[str], bool],
        changed: Callable[[str], None],
    ) -> None:
        """Args:
        board: the board of the table.
        consent: asks the people at the board.
        is_live: returns whether a phone has an open page.
        changed: called with the name of a player who now has a phone, or with an empty string after
            a claim was made or answered."""
        self._board = board
        self._consent = consent
        self._is_live = is_live
        self._changed = changed
        self._file = board.data / FILE
        self._phones = _read(self._file)
        self._names: tuple[str, ...] = ()
        self._game: tuple[int, int] | None = None
        self._claims: dict[int, tuple[str, str]] = {}

    def has(self, phone: str, seat: int) -> bool:
        """Return whether a phone belongs to the player at a seat."""
        self._follow_names()
        name = self._board.table.position.seats.get(seat)
        return name is not None and self._phones.get(name_key(name)) == phone

    def take(self, phone: str, seat: int, name: str, address: str) -> None:
        """Give a phone to a player.

        Args:
            phone: the phone's token hash.
            seat: the player's seat, from 1.
            name: the player's name, as the page shows it.
            address: the network address of the phone.

        Raises:
            NoConsent: somebody must first allow the change. Ask again with the same arguments.
        """
        self._follow_names()
        key = name_key(name)
        holder = self._phones.get(key)
        if holder == phone:
            return
        request = ("seat", phone, key)
        if (holder is None and not self._has_secrets(seat)) or self._consent.is_allowed(request):
            self._give(key, phone, name)
        elif holder is not None and self._is_live(holder):
            asked = self._consent.ask("allow", "seat", request, address)
            if asked.identity not in self._claims:
                self._claims[asked.identity] = (key, name)
                self._changed("")
            code = "needs-phone-or-board" if self._consent.is_needed else "needs-phone"
            raise NoConsent(code, asked.number, name=name)
        else:
            self._consent.obtain("seat", request, address)
            self._give(key, phone, name)

    def release(self, phone: str) -> None:
        """Take away a phone's seat."""
        kept = {key: one for key, one in self._phones.items() if one != phone}
        if kept != self._phones:
            self._keep(kept)

    def claims(self, phone: str) -> tuple[Claim, ...]:
        """Return the open requests for a phone's seat."""
        self._claims = {
            request.identity: self._claims[request.identity]
            for request in self._consent.requests.open()
            if request.identity in self._claims
        }
        return tuple(
            Claim(identity, name)
            for identity, (key, name) in self._claims.items()
            if self._phones.get(key) == phone
        )

    def answer(self, phone: str, identity: int, allow: bool) -> bool:
        """Allow or refuse a request for a phone's seat.

        Returns:
            Whether the request was still open and this phone could answer it.
        """
        if identity not in {claim.identity for claim in self.claims(phone)}:
            return False
        if allow:
            self._consent.allow(identity)
        else:
            self._consent.refuse(identity)
        del self._claims[identity]
        self._changed("")
        return True

    def forget(self) -> None:
        """Take away the seats of all phones."""
        self._claims.clear()
        self._keep({})

    def _has_secrets(self, seat: int) -> bool:
        """Return whether this deal contains cards that only the player in a seat may see."""
        table = self._board.table
        game = table.position.game
        if game is None:
            return False
        moves = (line.move for line in table.record.deal)
        return any(move.seat == seat and game.secret(move) for move in moves)

    def _follow_names(self) -> None:
        """Keep a phone with its player when a name is corrected in the middle of a game."""
        table = self._board.table
        position, before = table.position, self._names
        names = tuple(position.seats.values())
        game = (table.session, len(position.finished)) if position.begun else None
        if names != before and game is not None and game == self._game:
            renamed = dict(zip(map(name_key, before), map(name_key, names), strict=False))
            moved = {renamed.get(key, key): phone for key, phone in self._phones.items()}
            if moved != self._phones:
                self._keep(moved)
        self._names, self._game = names, game

    def _give(self, key: str, phone: str, name: str) -> None:
        others = {one: held for one, held in self._phones.items() if held != phone and one != key}
        self._keep({**others, key: phone})
        self._changed(name)

    def _keep(self, phones: Mapping[str, str]) -> None:
        self._phones = dict(list(phones.items())[-MOST:])
        try:
            files.replace(self._file, json.dumps(self._phones).encode())
        except OSError as error:  # valid until the next start
            _log.error("The players' phones cannot be written: %s", error)


def _read(file: Path) -> dict[str, str]:
    """Return the phones stored in a file. If the file is damaged, each phone must ask again."""
    try:
        return {str(key): str(phone) for key, phone in json.loads(read_file(file, LARGEST)).items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        _log.error("%s cannot be read, all phones must choose their player again: %s", file, error)
        return {}
