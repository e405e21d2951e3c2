"""The API of the setup page: wizard, self-test, backup and restore, and the SD card's functions.

All routes require permission to play. GET routes change nothing: `/setup` (what is available here),
`/setup/test` (messages of the self-test), `/setup/backup` (all evenings as a file). POST:
`/setup/questions` (the questions that follow from some answers), `/setup/config` (use these answers
as the configuration), `/setup/test` (begin or end the self-test), `/setup/upload/WHAT?at=N` (a part
of a file), `/setup/restore` and `/setup/update` (use the uploaded file), `/setup/reset`,
`/setup/flash` (write the firmware to the microcontroller), `/setup/restart`.

Some requests are refused until somebody at the board allows them (`consent`): those that replace
the configuration, the games or the system, restart the board, or take over its keys. The page
explains this and asks again.

A file is uploaded in pieces, so a slow phone is not mistaken for an idle connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future, InvalidStateError
from functools import partial, wraps
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import BinaryIO, Final, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl import text
from boardctl.message import Message
from boardctl.storage.backup import WAITING
from boardctl.web import guard
from boardctl.web.board_view import BoardView, SetupRefused, SetupView, refused
from boardctl.web.consent import Consent, NoConsent
from boardctl.web.guard import Refused, read_body, refuse, rejection
from boardctl.web.pairing import COOKIE
from boardctl.web.slow_work import Streamed

PIECE: Final = 1 << 20
"""The maximum length of an uploaded piece in bytes."""
MOST: Final = {"restore": 1 << 28, "update": 1 << 29}
"""The kinds of files that may be uploaded, with their maximum sizes in bytes."""
ROOM: Final = 16 << 20
"""The bytes of disk space that uploads leave free for the journal."""
_READ: Final = 1 << 16
_COPY: Final = ".backup-"
"""The beginning of the name of a folder in which a backup is made."""
_T = TypeVar("_T")


class SetupApi:
    """The routes of the setup page."""

    def __init__(
        self,
        board: BoardView,
        check: Callable[[Request], None],
        consent: Consent,
    ) -> None:
        """Args:
        board: the board, whose data directory stores an uploaded file until it is used.
        check: raises if a request may not play.
        consent: asks the people at the board."""
        self._board = board
        self._data = board.data
        self._setup = board.setup
        self._consent = consent
        self._check = check
        self._busy = asyncio.Lock()
        self._clean()

    def _clean(self) -> None:
        """Remove the copies, uploads and results that a power cut has left behind."""
        for file in self._data.glob(f".{WAITING}.part*"):
            with contextlib.suppress(OSError):
                file.unlink()
        for folder in self._data.glob(f"{_COPY}*"):
            shutil.rmtree(folder, ignore_errors=True)
        for what in MOST:
            with contextlib.suppress(OSError):
                self._file(what).unlink()

    def routes(self) -> list[Route]:
        posts = {
            "questions": self.questions,
            "config": self.config,
            "test": self.test,
            "upload/{what}": self.upload,
            "restore": self.restore,
            "update": self.update,
            "reset": self.reset,
            "flash": self.flash,
            "restart": self.restart,
        }
        gets = {
            "": self.state,
            "/test": self.tested,
            "/backup": self.backup,
            "/restore": self.summaries,
        }
        return [
            *(Route(f"/setup{path}", self._guarded(do)) for path, do in gets.items()),
            *(Route(f"/setup/{p}", self._guarded(do), methods=["POST"]) for p, do in posts.items()),
        ]

    def _guarded(
        self, do: Callable[[Request, SetupView], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        @wraps(do)
        async def endpoint(request: Request) -> Response:
            self._check(request)
            setup = self._setup()
            if setup is None:
                return refuse(request, HTTPStatus.NOT_FOUND, "not-found", "no-setup")
            try:
                return await do(request, setup)
            except SetupRefused as error:
                return rejection("setup", error.sentence(guard.language(request)))
            except ClientDisconnect:
                return Response()  # the client has disconnected

        return endpoint

    def _check_allowed(self, request: Request, setup: SetupView, what: str, *more: object) -> None:
        """Return normally if somebody at the board has allowed exactly this request from this
        phone, and the phone may still play. Otherwise raise NoConsent or Refused."""
        self._check(request)  # its body may have taken a while
        if setup.testing() and self._consent.is_needed:
            raise NoConsent("testing")  # its keys have no other meaning
        address = "" if request.client is None else request.client.host
        key = (what, request.cookies.get(COOKIE), *map(repr, more))
        self._consent.obtain(what, key, address)

    async def state(self, request: Request, setup: SetupView) -> Response:
        """Return the state of the setup: `{"card": {…} or null, "testing": false, "asks": true,
        "restoring": null}`. `asks` says whether consent must be given with the board's own keys,
        and `restoring` is the percentage of a backup that has been read."""
        card = await _unwaited(setup.card)
        asks = self._consent.is_needed
        found = {"card": card, "testing": setup.testing(), "asks": asks}
        return JSONResponse(found | {"restoring": setup.restoring})

    async def questions(self, request: Request, setup: SetupView) -> Response:
        """Return the wizard's questions: `{"answers": [["layout", "classic-3"]]}` -> `{"questions":
        […]}`.
        """
        answers = await _answers(request)
        language = guard.language(request)
        return JSONResponse(
            {"questions": await asyncio.to_thread(setup.questions, answers, language)}
        )

    async def config(self, request: Request, setup: SetupView) -> Response:
        """Restart the board with these answers. The request body is the same as for `questions`."""
        answers = await _answers(request)
        self._check_allowed(request, setup, "config", answers)
        await asyncio.to_thread(setup.configure, answers, guard.language(request))
        setup.restart()
        return JSONResponse({"done": True})

    async def test(self, request: Request, setup: SetupView) -> Response:
        """Restart the self-test, or end it: `{"begin": 1}` or `{"begin": 0}`."""
        begin = bool((await read_body(request, {"begin": int}))["begin"])
        if begin:
            self._check_allowed(request, setup, "test")
            # the people who allowed the request have continued the game
            if self._board.controller.is_typing:
                raise NoConsent("somebody-types")
        setup.test(begin)
        return JSONResponse({"done": True})

    async def tested(self, request: Request, setup: SetupView) -> Response:
        """Return the self-test's messages. With `?after=3`, return those after the third
        message."""
        after = request.query_params.get("after", "")
        language = guard.language(request)
        results = setup.tested()
        steps = [
            {
                "code": code,
                **fields,
                "text": text.say(Message("selftest", code, fields), text.Reader(language)),
            }
            for code, fields in results[int(after) if after.isdecimal() and len(after) < 6 else 0 :]
        ]
        return JSONResponse({"testing": setup.testing(), "count": len(results), "steps": steps})

    async def backup(self, request: Request, setup: SetupView) -> Response:
        """Return all evenings as a file for `boardctl restore`."""
        source, size = await asyncio.to_thread(self._copy, setup)

        async def end() -> None:
            source.close()

        name = "boardctl-backup.sqlite3"
        return Streamed(
            _pieces(source),
            end,
            media_type="application/octet-stream",
            headers={
                "content-disposition": f'attachment; filename="{name}"',
                "content-length": str(size),
            },
        )

    def _copy(self, setup: SetupView) -> tuple[BinaryIO, int]:
        """Return an open copy of the journal, and its size. The copy has already been unlinked, so
        it does not leave a file behind. Raises SetupRefused if it cannot be made."""
        try:
            journal = sum(file.stat().st_size for file in self._data.glob("journal.sqlite3*"))
            if shutil.disk_usage(self._data).free < journal + ROOM:
                raise refused("setup-no-room-copy")
            with TemporaryDirectory(prefix=_COPY, dir=self._data) as folder:
                file = Path(folder) / "journal"
                setup.backup(file)
                return file.open("rb"), file.stat().st_size
        except OSError as error:
            raise refused("setup-not-copied", reason=error) from error

    async def upload(self, request: Request, setup: SetupView) -> Response:
        """Receive a part of a file as bytes -> `{"size": n}`, the total received so far. `at` is
        the total before this part; 0 starts over."""
        what = request.path_params["what"]
        at = request.query_params.get("at", "")
        if what not in MOST or not at.isdecimal() or len(at) > 12:
            return refuse(request, HTTPStatus.NOT_FOUND, "not-found")
        piece = bytearray()
        try:
            async for part in request.stream():
                piece += part
                if len(piece) > PIECE:
                    too_large = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
                    return refuse(request, too_large, "too-large", most=PIECE)
        except ClientDisconnect:
            return refuse(request, HTTPStatus.BAD_REQUEST, "cut-short")
        async with self._busy:
            size = await asyncio.to_thread(self._append, what, int(at), bytes(piece))
        return JSONResponse({"size": size})

    def _append(self, what: str, at: int, piece: bytes) -> int:
        file = self._file(what)
        try:
            size = file.stat().st_size if at and file.exists() else 0
            if at != size:
                return size
            if size + len(piece) > MOST[what]:
                raise refused("setup-too-large")
            if shutil.disk_usage(self._data).free < len(piece) + ROOM:
                raise refused("setup-no-room")
            with file.open("ab" if at else "wb") as out:
                file.chmod(0o600)
                out.write(piece)
        except OSError as error:
            raise refused("setup-not-kept", reason=error) from error
        return size + len(piece)

    def _file(self, what: str) -> Path:
        return self._data / f".{what}.upload"

    async def _with_upload(
        self, request: Request, setup: SetupView, what: str, use: Callable[[Path], Awaitable[_T]]
    ) -> _T:
        """Use the uploaded file once, if the people at the board have allowed exactly this file,
        and delete the file afterwards. While it is being used, it cannot be replaced by another
        file."""
        file = self._file(what)
        if self._busy.locked() or not file.exists():
            raise refused("setup-no-file")
        found = file.stat()
        self._check_allowed(request, setup, what, found.st_ino, found.st_size, found.st_mtime_ns)
        async with self._busy:
            try:
                return await use(file)
            finally:
                with contextlib.suppress(FileNotFoundError):
                    file.unlink()

    async def summaries(self, request: Request, setup: SetupView) -> Response:
        """Return summaries of the board's journal (`present`), of the uploaded journal (`coming`)
        and of the journal that was replaced by the latest restore (`earlier`). Each may be null."""
        files = {"present": None, "coming": self._file("restore"), "earlier": setup.earlier()}
        found: dict[str, object] = {}
        for name, file in files.items():
            missing = name != "present" and (file is None or not file.exists())
            one = None if missing else await asyncio.to_thread(setup.summary, file)
            found[name] = None if one is None else one._asdict()
        return JSONResponse(found)

    async def restore(self, request: Request, setup: SetupView) -> Response:
        """Restore a backup: `{}` -> `{"lines": n}` restarts the board with the uploaded journal.
        With `{"earlier": true}`, it uses the journal that was replaced by the latest restore. The
        journal being replaced is kept."""
        body = await read_body(request, {}, {"earlier": bool})
        if body.get("earlier"):
            file = setup.earlier()
            if file is None:
                raise refused("setup-no-earlier")
            self._check_allowed(request, setup, "restore", file.name)
            async with self._busy:
                lines = await setup.restore(file)
        else:
            lines = await self._with_upload(request, setup, "restore", setup.restore)
        setup.restart()
        return JSONResponse({"lines": lines})

    async def update(self, request: Request, setup: SetupView) -> Response:
        """Write the uploaded, signed update to the inactive system: `{}`."""
        await read_body(request, {})

        async def install(file: Path) -> None:
            await _unwaited(partial(setup.ask_card, "update", file=str(file)))

        await self._with_upload(request, setup, "update", install)
        return JSONResponse({"done": True})

    async def reset(self, request: Request, setup: SetupView) -> Response:
        """Reset the card to its factory state: `{"games": "keep"}` or `"forget"`."""
        games = (await read_body(request, {"games": str}))["games"]
        self._check_allowed(request, setup, "reset" if games == "keep" else "forget")
        await _unwaited(partial(setup.ask_card, "reset", games=games))
        return JSONResponse({"done": True})

    async def flash(self, request: Request, setup: SetupView) -> Response:
        """Write the ready-made firmware to the connected microcontroller: `{"chip": "pico"}` or
        `"arduino"`. The board restarts during this.
        """
        chip = (await read_body(request, {"chip": str}))["chip"]
        self._check_allowed(request, setup, "flash", chip)
        await _unwaited(partial(setup.ask_card, "flash", chip=chip))
        return JSONResponse({"done": True})

    async def restart(self, request: Request, setup: SetupView) -> Response:
        """Restart the board or the machine: `{"what": "board"}` restarts the board, `"machine"`
        reboots the machine, and `"off"` switches it off.
        """
        what = (await read_body(request, {"what": str}))["what"]
        if what not in ("board", "machine", "off"):
            raise refused("setup-no-restart", what=repr(what))
        self._check_allowed(request, setup, "off" if what == "off" else "restart", what)
        if what == "board":
            setup.restart()
        else:
            do = "restart" if what == "machine" else "poweroff"
            await _unwaited(partial(setup.ask_card, do))
        return JSONResponse({"done": True})


async def _unwaited(work: Callable[[], _T]) -> _T:
    """Run a task of the SD card image, which may take minutes, on a separate thread. When a board
    closes, it waits for threads of `asyncio.to_thread`, but not for this one."""
    done: Future[_T] = Future()

    def run() -> None:
        with contextlib.suppress(InvalidStateError):  # nobody waits for it any more
            try:
                done.set_result(work())
            except Exception as error:  # noqa: BLE001 - passed on through the future
                done.set_exception(error)

    Thread(target=run, name="card", daemon=True).start()
    return await asyncio.wrap_future(done)


async def _answers(request: Request) -> dict[str, str]:
    """Return the answers in a request body. Raises Refused if they are invalid."""
    pairs = (await read_body(request, {"answers": list}))["answers"]
    for pair in pairs:
        if not (isinstance(pair, list) and [type(one) for one in pair] == [str, str]):
            wanted = 'answers ([["layout", "classic-3"]])'
            raise Refused(HTTPStatus.BAD_REQUEST, "wrong-shape", wanted=wanted)
    return dict(pairs)


async def _pieces(source: BinaryIO) -> AsyncIterator[bytes]:
    while piece := await asyncio.to_thread(source.read, _READ):
        yield piece
