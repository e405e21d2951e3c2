"""`POST /photo`: a phone's photo of cards, read by `boardctl see` in a separate process.

The photo is stored only while it is being received and read, in a folder that only this user can
open. It is then deleted, and never leaves the board. Only `POST /photo/report` keeps it, as a
report for the board's owner (`saved_reports`). One photo is read at a time, with limits on size,
time and, if the system supports it, memory. While one photo arrives slowly, another may arrive and
be read. The response is the JSON of `see`, limited to the cards about which a question is
worthwhile.
"""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl.camera import saved_reports
from boardctl.games.cards import Card, parse_card, parse_cards
from boardctl.message import Message
from boardctl.storage import pack_files
from boardctl.storage.child import running
from boardctl.web.guard import refuse
from boardctl.web.slow_work import unless_gone

MOST_BYTES: Final = 40_000_000
"""The maximum size of a photo in bytes. Phone photos have 2 to 15 MB."""
PATIENCE: Final = 40.0
"""The maximum time for one photo in seconds. A Raspberry Pi Zero 2 W needs a few seconds."""
AT_ONCE: Final = 2
"""The maximum number of photos that arrive or wait at the same time, each from another address."""
MEMORY: Final = 1_500_000_000
"""The maximum address space for reading in bytes. Most of it is never used."""

ASKED: Final = 0.1
"""The minimum probability of an unsure card to be asked about (docs/notes/camera.md)."""
LIKELY: Final = 0.5
"""The minimum probability of an unsure card to count as shown by the photo."""

_MOST_KNOWN: Final = 160
"""The maximum length of a list of known cards: a pack, "5H QS …"."""
_NAME: Final = "photo.jpg"


class PhotoRefused(Exception):
    """The error for a photo that was not read. `fields` are the fields of the sentence `why`."""

    def __init__(self, status: HTTPStatus, code: str, why: str = "", **fields: Any) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.why = why or code
        self.fields = fields

    def answer(self, request: Request) -> Response:
        return refuse(request, self.status, self.code, self.why, **self.fields)


class Limits(NamedTuple):
    """Limits for reading one photo."""

    most_bytes: int = MOST_BYTES
    patience: float = PATIENCE
    memory: int = MEMORY


class PhotoReader:
    """A reader of photos for the page, one at a time."""

    def __init__(
        self,
        data: Path,
        limits: Limits | None = None,
        command: Sequence[str] = ("-m", "boardctl", "see"),
    ) -> None:
        self._data = data
        self._limits = limits or Limits()
        self._command = tuple(command)
        self._busy = asyncio.Lock()
        self._arriving: set[str] = set()

    @staticmethod
    def available() -> bool:
        """Return whether the optional packages are installed, without importing them."""
        return find_spec("cv2") is not None and find_spec("numpy") is not None

    async def read(
        self, photo: AsyncIterator[bytes], request: Request | None = None
    ) -> list[dict[str, Any]]:
        """Return the cards of a photo, as `boardctl see --json` prints them, unless the client that
        sent `request` disconnects first.

        Raises:
            PhotoRefused: the photo is too large, another photo is being read, or there are no cards
                in the photo.
            ClientDisconnect: the client has disconnected.
        """
        reading = await self._answer(photo, request)
        cards: list[dict[str, Any]] = reading["cards"]
        return cards

    async def teach(
        self, photo: AsyncIterator[bytes], name: str, suit: str, ranks: str, request: Request
    ) -> dict[str, Any]:
        """Learn these ranks of a suit in a pack from a photo of the cards. The response is that of
        `boardctl see --teach NAME --suit SUIT --ranks RANKS --json`.

        Raises:
            PhotoRefused: the photo is too large, another photo is being read, or the photo cannot
                be read.
            ClientDisconnect: the client has disconnected.
        """
        what = ("--teach", name, "--suit", suit, "--ranks", ranks)
        return await self._answer(photo, request, *what)

    async def save(
        self, photo: AsyncIterator[bytes], right: Sequence[Card], request: Request
    ) -> str:
        """Save a photo, its reading and the correct cards as a report for the board's owner. Return
        the name of the report.

        Raises:
            PhotoRefused: the photo is too large, another photo is being read, the photo cannot be
                read, or the board already holds `saved_reports.MOST` reports.
            ClientDisconnect: the client has disconnected.
        """
        self._next_report()
        cards = " ".join(map(str, right))
        with saved_reports.incoming(self._data) as report:
            try:
                await self._answer(photo, request, "--report", str(report), "--right", cards)
            except PhotoRefused:
                if not report.exists():  # a photo in which no card was read is reported as well
                    raise
            return report.replace(self._next_report()).name

    def _next_report(self) -> Path:
        """Return the file of the next report. Raises PhotoRefused if there are too many."""
        report = saved_reports.free(self._data)
        if report is None:
            status = HTTPStatus.CONFLICT
            raise PhotoRefused(status, "reports-full", most=saved_reports.MOST)
        return report

    async def take(self, device: str) -> list[dict[str, Any]]:
        """Return the cards in a new picture from the board's camera.

        Raises:
            PhotoRefused: there is no such camera, or there are no cards in its picture.
        """
        if self._busy.locked():
            raise _busy()
        async with self._busy:
            cards: list[dict[str, Any]] = (await self._see("--camera", device))["cards"]
            return cards

    async def _answer(
        self, photo: AsyncIterator[bytes], request: Request | None, *options: str
    ) -> dict[str, Any]:
        who = request.client.host if request is not None and request.client is not None else ""
        if who in self._arriving or len(self._arriving) >= AT_ONCE:
            raise _busy()
        self._arriving.add(who)
        try:
            with TemporaryDirectory(prefix="boardctl-photo-") as folder:
                path = Path(folder) / _NAME
                await self._keep(photo, path)
                reading = self._in_turn(str(path), *options)
                return await (reading if request is None else unless_gone(request, reading))
        finally:
            self._arriving.discard(who)

    async def _in_turn(self, *arguments: str) -> dict[str, Any]:
        async with self._busy:
            return await self._see(*arguments)

    async def _keep(self, photo: AsyncIterator[bytes], path: Path) -> None:
        size = 0
        with path.open("wb") as file:
            async for part in photo:
                size += len(part)
                if size > self._limits.most_bytes:
                    raise PhotoRefused(
                        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                        "photo-too-large",
                        most=self._limits.most_bytes // 1_000_000,
                    )
                file.write(part)

    async def _see(self, *arguments: str) -> dict[str, Any]:
        """Return the output of `boardctl see`. If a file is given, it is the first argument. Raises
        PhotoRefused."""
        see = (*self._command, *arguments, "--json", "--data", str(self._data))
        async with running(*see, errors=PIPE, memory=self._limits.memory) as process:
            try:
                async with asyncio.timeout(self._limits.patience):
                    out, _ = await process.communicate(b"")
            except TimeoutError:
                raise PhotoRefused(
                    HTTPStatus.UNPROCESSABLE_ENTITY,
                    "photo-too-slow",
                    seconds=round(self._limits.patience),
                ) from None
        if process.returncode in (0, 1) and out:
            reading: dict[str, Any] = json.loads(out)
            if "error" not in reading:
                return reading
            reason = Message("failure", **reading["error"])
            unreadable = HTTPStatus.UNPROCESSABLE_ENTITY
            raise PhotoRefused(unreadable, "photo-unreadable", reason=reason)
        raise PhotoRefused(HTTPStatus.INTERNAL_SERVER_ERROR, "photo-failed")


def _busy() -> PhotoRefused:
    return PhotoRefused(HTTPStatus.TOO_MANY_REQUESTS, "busy", "photo-busy")


def questionable(
    cards: Sequence[dict[str, Any]], known: Collection[Card] = (), most: int | None = None
) -> list[dict[str, Any]]:
    """Return the cards in a photo about which a question is worthwhile.

    Args:
        cards: `{"card": "5H", "sure": true, "probability": 0.97, …}` each.
        known: cards outside the hand, such as the starter beside it. These cards are omitted.
        most: the number of cards expected. If this many are sure and no other is likely, nothing is
            asked; if the photo shows more that are sure or likely, none is sure.
    """
    left = [
        (reading, card) for reading in cards if (card := parse_card(reading["card"])) not in known
    ]
    read = [card for each, card in left if each["sure"] or each["probability"] >= LIKELY]
    worth = [
        {**reading, "sure": reading["sure"] and read.count(card) == 1}
        for reading, card in left
        if reading["sure"] or reading["probability"] >= ASKED
    ]
    return worth if most is None else _at_most(worth, most)


def _at_most(worth: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """Return the cards to ask about if at most this number of cards is expected
    (`questionable`)."""
    sure = [each for each in worth if each["sure"]]
    likely = sum(each["sure"] or each["probability"] >= LIKELY for each in worth)
    if likely > most:
        return [{**each, "sure": False} for each in worth]
    return sure if len(sure) == most else worth


class PhotoApi:
    """The routes: `GET /photo` returns whether photos can be read, `POST /photo` reads one, and
    `POST /photo/report` saves one that was misread; `/packs` lists the packs that the camera has
    learned, `POST /packs/NAME/SUIT` teaches one suit of a pack from a photo, and `DELETE
    /packs/NAME` deletes a pack."""

    def __init__(
        self, data: Path, check: Callable[[Request], None], ranks: Callable[[], str]
    ) -> None:
        """Args:
        check: raises an error if a request may not play.
        ranks: the ranks in the pack of the game on the table.
        """
        self._reader = PhotoReader(data)
        self._packs = data / "packs"
        self._check = check
        self._ranks = ranks

    def routes(self) -> list[Route]:
        return [
            Route("/photo", self.available, methods=["GET"]),
            Route("/photo", self.read, methods=["POST"]),
            Route("/photo/report", self.report, methods=["POST"]),
            Route("/packs", self.packs, methods=["GET"]),
            Route("/packs/{name}/{suit}", self.teach, methods=["POST"]),
            Route("/packs/{name}", self.forget, methods=["DELETE"]),
        ]

    async def available(self, request: Request) -> Response:
        """Return whether photos can be read here."""
        return JSONResponse({"available": self._reader.available()})

    async def read(self, request: Request) -> Response:
        """Read the photo in the body -> `{"cards": [{"card": "5H", "sure": true, "probability":
        0.97, "box": …}]}`. `?most=4` states the expected number of cards, and `?known=QS` omits
        known cards.
        """
        self._check(request)
        most = request.query_params.get("most", "")
        reading = request.query_params.get("known", "")
        try:
            known = frozenset(parse_cards(reading)) if len(reading) <= _MOST_KNOWN else frozenset()
        except ValueError:
            known = frozenset()  # as if there were none; the page then asks one more question

        async def cards() -> dict[str, Any]:
            seen = await self._reader.read(request.stream(), request)
            return {"cards": questionable(seen, known, int(most) if _is_number(most) else None)}

        return await _answered(cards(), request)

    async def report(self, request: Request) -> Response:
        """Save the photo in the body, with the correct cards `?right=5H 5S JD 4C` -> `{"saved":
        "report-1.zip"}`."""
        self._check(request)
        named = request.query_params.get("right", "")
        try:
            right = tuple(parse_cards(named)) if len(named) <= _MOST_KNOWN else ()
        except ValueError:
            right = ()
        if not right:
            return refuse(request, HTTPStatus.BAD_REQUEST, "report-cards")

        async def saved() -> dict[str, Any]:
            return {"saved": await self._reader.save(request.stream(), right, request)}

        return await _answered(saved(), request)

    async def packs(self, request: Request) -> Response:
        """List packs: `{"packs": ["bicycle"], "begun": {"jumbo": "SH"}, "ranks": "A789TJQK"}`."""
        packs, begun = pack_files.names(self._packs), pack_files.begun(self._packs)
        return JSONResponse({"packs": packs, "begun": begun, "ranks": self._ranks()})

    async def teach(self, request: Request) -> Response:
        """Learn a suit from the photo in the body -> `{"found": 12, "missing": ["7"], "other": "",
        "left": null}`. `left` contains the suits that are still missing once this one has been
        learned. `?ranks=A789TJQK` is for a pack that has only these ranks."""
        self._check(request)
        name, suit = request.path_params["name"], request.path_params["suit"]
        ranks = request.query_params.get("ranks") or pack_files.RANKS
        known = suit in pack_files.SUITS.values() and pack_files.valid_ranks(ranks)
        if not pack_files.valid(name) or not known:
            return refuse(request, HTTPStatus.NOT_FOUND, "not-found", "no-pack-or-suit")
        learned = self._reader.teach(request.stream(), name, suit, ranks, request)
        return await _answered(learned, request)

    async def forget(self, request: Request) -> Response:
        """Forget a pack, and return the remaining packs."""
        self._check(request)
        name = request.path_params["name"]
        if not pack_files.valid(name) or not pack_files.forget(self._packs, name):
            return refuse(request, HTTPStatus.NOT_FOUND, "not-found", "no-pack")
        return await self.packs(request)


async def _answered(reading: Awaitable[dict[str, Any]], request: Request) -> Response:
    """Return the result of reading a photo, or the reason why it was not read."""
    try:
        return JSONResponse(await reading)
    except ClientDisconnect:
        return refuse(request, HTTPStatus.BAD_REQUEST, "cut-short")
    except PhotoRefused as error:
        return error.answer(request)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 4
