"""The files in which a board keeps its data about other houses.

Every event is written to disk before the house sends a message about it, so no event known to the
other house is lost in a power cut. The board's signing key and its list of houses are in
`far.json`. Each house has a separate file in `far/`. A damaged file, or a house that sends too
much, does not affect the other houses (`limits`).
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from boardctl.far import DIRECTORY, KEPT, limits
from boardctl.far.channel import Channel
from boardctl.far.contacts import HELD, Contacts, Packet
from boardctl.far.feed import Feed
from boardctl.far.meeting import Meeting
from boardctl.far.peers import Greeting, House, Onlooker, Peer
from boardctl.far.session import Session
from boardctl.far.tasks import AGAIN, Tasks
from boardctl.games import IllegalMove
from boardctl.options import read_file
from boardctl.storage import files

_log: Final = logging.getLogger(__name__)
LONGEST: Final = 1 << 24
"""The maximum size in bytes of the file with the list of houses. Before version 1.2, this file also
contained the games."""
Due = Callable[[], Iterator[Packet]]


class FarStore:
    """The files in which a board keeps its data about other houses.

    Args:
        known: the houses to read from the files and write to them.
        data: the data directory.
        clock: returns seconds of a monotonic clock.
        tasks: the tasks that do the waiting work.
        packets: returns the packets for peers that may be sent once the present state is on disk.
        release: receives those packets once the state is on disk.
        report: receives the reason why the files cannot be written, and None once they can.
    """

    def __init__(
        self,
        known: Contacts,
        data: Path,
        clock: Callable[[], float],
        tasks: Tasks,
        packets: Callable[[list[Peer]], Due],
        release: Callable[[Due], None],
        report: Callable[[str | None], None],
    ) -> None:
        self.contacts = known
        self._data, self._clock, self._tasks = data, clock, tasks
        self._packets, self._release, self._report = packets, release, report
        self._path, self._directory = data / KEPT, data / DIRECTORY
        self._is_changed = asyncio.Event()
        self._written = b""
        self._writing: asyncio.Future[None] | None = None

    def write(self) -> None:
        """Arrange for changes to be written as soon as possible and for the resulting messages to
        be sent."""
        self._is_changed.set()

    async def close(self) -> None:
        """Wait until the changes are written."""
        if self._writing is not None:
            with suppress(OSError):
                await self._writing

    def load(self) -> None:
        try:
            stored = json.loads(read_file(self._path, LONGEST))
        except FileNotFoundError:
            return
        self.contacts.seed = bytes.fromhex(stored["seed"])
        self.contacts.connections = int(stored.get("connections", 0))
        if "ends" in stored:
            peers = {name: self._load_peer(str(name)) for name in stored["ends"]}
        else:
            peers = self._load_all(stored)
        for peer in peers.values():
            if isinstance(peer, House):
                self.contacts.houses.append(peer)
            elif isinstance(peer, Onlooker):
                self.contacts.onlookers.append(peer)
            elif peer is not None:
                self.contacts.leaving.append(peer)
        active, left = peers.get(stored["active"]), peers.get(stored.get("left"))
        looking = peers.get(stored.get("looking"))
        self.contacts.active = active if isinstance(active, House) else None
        self.contacts.set_aside = left if isinstance(left, House) else None
        self.contacts.watched = looking if isinstance(looking, Onlooker) else None
        if stored["meeting"] is not None:
            self.contacts.meeting = Meeting.from_json(
                stored["meeting"], self.contacts.seed, secrets.token_bytes
            )
        self.contacts.words, self.contacts.offer = tuple(stored["words"]), stored["offer"]
        self.contacts.own, self.contacts.partner = stored["own"], stored["partner"]
        self.contacts.is_late = bool(stored.get("late"))
        self.contacts.ending = [
            Packet(topic, bytes.fromhex(payload), True, HELD)
            for topic, payload in stored.get("ending", ())
        ]

    def _load_peer(self, name: str) -> Peer | None:
        """Return one peer's stored state, or None if it cannot be read. The other peers are not
        affected."""
        path = self._directory / name
        try:
            content = read_file(path, limits.LARGEST)
            peer = self._from_json(json.loads(content))
        except (OSError, KeyError, TypeError, ValueError, IllegalMove) as error:
            _log.error("%s: a house cannot be read, and is left out: %s", path, error)
            with suppress(OSError):
                path.rename(path.with_suffix(".damaged"))
            return None
        peer.on_disk = content
        return peer

    def _load_all(self, stored: dict[str, Any]) -> dict[Any, Peer | None]:
        """Return the peers stored by an older version, by name. Its file contains all peers. The
        indices of peers on the table are also replaced by names."""
        kinds = ("houses", "house"), ("leaving", "leaving"), ("onlookers", "onlooker")
        lists = {
            key: [self._from_json({"kind": kind, **one}) for one in stored.get(key, ())]
            for key, kind in kinds
        }
        places = ("active", "houses"), ("left", "houses"), ("looking", "onlookers")
        for field, key in places:
            if stored.get(field) is not None:
                stored[field] = lists[key][stored[field]].file
        return {peer.file: peer for peers in lists.values() for peer in peers}

    def _from_json(self, stored: dict[str, Any]) -> Peer:
        """Return one peer from its stored state. Raises KeyError, TypeError or ValueError if the
        state is damaged, or IllegalMove if the peer's game cannot be played here."""
        draw, greeting = secrets.token_bytes, Greeting.from_json(stored)
        peer: Peer
        if stored["kind"] == "house":
            session = Session.from_json(stored["session"], self.contacts.seed, draw)
            peer = House(session, greeting, self._clock)
            peer.waits = bool(stored.get("waits"))
        elif stored["kind"] == "onlooker":
            feed = Feed.from_json(stored["look"], self.contacts.seed, draw)
            peer = Onlooker(feed, greeting, self._clock)
        else:
            channel = Channel.from_json(stored["channel"], self.contacts.seed, draw)
            peer = Peer(channel, greeting, self._clock)
        peer.restore(stored)
        return peer

    def _to_json(self) -> bytes:
        """Return the list of houses, and the state that does not belong to any particular house."""
        stored = {
            "seed": self.contacts.seed.hex(),
            "connections": self.contacts.connections,
            "ends": [peer.file for peer in self.contacts.peers],
            "looking": None if self.contacts.watched is None else self.contacts.watched.file,
            "active": None if self.contacts.active is None else self.contacts.active.file,
            "left": None if self.contacts.set_aside is None else self.contacts.set_aside.file,
            "meeting": None if self.contacts.meeting is None else self.contacts.meeting.to_json(),
            "words": self.contacts.words,
            "offer": self.contacts.offer,
            "own": self.contacts.own,
            "partner": self.contacts.partner,
            "late": self.contacts.is_late,
            "ending": [(packet.topic, packet.payload.hex()) for packet in self.contacts.ending],
        }
        return json.dumps(stored).encode()

    def _fresh(self) -> tuple[dict[Peer, bytes], list[Peer]]:
        """Return the states of the peers that have changed, and the peers that must wait because
        too much has been written for them."""
        fresh, waiting = dict[Peer, bytes](), list[Peer]()
        for peer in self.contacts.peers:
            content = json.dumps(peer.to_json()).encode()
            if content == peer.on_disk:
                continue
            if len(content) > limits.LARGEST:
                _log.error("%s: too large to be read again, and not written", peer.file)
                waiting.append(peer)
            elif peer.written.take(len(content)):
                fresh[peer] = content
            else:
                waiting.append(peer)
                self._tasks.later("write", peer.written.wait(len(content)), self.write)
        return fresh, waiting

    async def _write_opened(self) -> None:
        """Write the opened deals to the files of their games."""
        games = [house.session.game for house in self.contacts.houses]
        some = [(game, tuple(game.verified)) for game in games if game and game.verified]
        for game, deals in some:
            path = self._data / f"far-{game.proposal.ident.hex()[:16]}.jsonl"
            await self._write(_write_down, path, deals)
            del game.verified[: len(deals)]

    async def keep(self) -> None:
        """Write the changes, and then send the resulting messages."""
        while True:
            await self._is_changed.wait()
            self._is_changed.clear()
            try:
                await self._write_opened()
                stored, (fresh, waiting) = self._to_json(), self._fresh()
                packets = self._packets(
                    [peer for peer in self.contacts.peers if peer not in waiting]
                )
                # The list must not name a missing file. A message that changes the list is handled
                # again after a power cut, because its house's file is written last.
                await self._write_ends({e: fresh[e] for e in fresh if not e.on_disk})
                if stored != self._written:
                    await self._write(files.replace, self._path, stored)
                    self._written = stored
                    await self._write(
                        _sweep, self._directory, {peer.file for peer in self.contacts.peers}
                    )
                await self._write_ends({e: fresh[e] for e in fresh if e.on_disk != fresh[e]})
            except OSError as error:
                self._report(f"{self._path}: {error.strerror}")
                asyncio.get_running_loop().call_later(AGAIN, self.write)
                continue
            self._report(None)
            self._release(packets)

    async def _write_ends(self, contents: dict[Peer, bytes]) -> None:
        """Write the files of peers. Raises OSError."""
        for peer, content in contents.items():
            self._directory.mkdir(mode=0o700, exist_ok=True)
            await self._write(files.replace, self._directory / peer.file, content)
            peer.on_disk = content

    async def _write(self, write: Callable[..., None], path: Path, content: object) -> None:
        """Write in another thread, and finish writing even if the board is closed in the meantime.
        Raises OSError."""
        self._writing = asyncio.ensure_future(asyncio.to_thread(write, path, content))
        await asyncio.shield(self._writing)


def _sweep(directory: Path, names: set[str]) -> None:
    """Remove the files of peers that no longer exist. Raises OSError."""
    for path in directory.glob("*.json"):
        if path.name not in names:
            path.unlink(missing_ok=True)


def _write_down(path: Path, deals: Iterable[Mapping[str, Any]]) -> None:
    """Store opened deals, one per line, so that anybody can check them (`boardctl sealed verify
    --far`). Each deal is stored only once, even after a power cut. Raises OSError."""
    before = path.read_text("ascii").splitlines() if path.exists() else []
    proofs = [json.dumps(deal) for deal in deals]
    fresh = [line for line in proofs if line not in before]
    if fresh:
        files.replace(path, "".join(f"{line}\n" for line in (*before, *fresh)).encode())
