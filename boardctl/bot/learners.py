"""The learners of a board, by name, stored in `learners.json` in the data directory.

`POST /learners` with `{"name": "Ann", "counts": true}` stores whether Ann counts her hands before
the board does. `GET /drills` returns Ann's progress with the practice positions, to any of her
phones. `POST /drills` with `{"name": "Ann", "drill": "crib 3", "right": true}` adds an answer. No
progress is stored for spectators. The data never leaves the board.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl import text
from boardctl.options import LONGEST, Between, structure
from boardctl.storage import files
from boardctl.web.guard import Refused, read_body
from boardctl.web.move_list import Viewer

FILE: Final = "learners.json"
MOST: Final = 200
"""The maximum number of names, and of positions for each name. The oldest entries are dropped."""
LONGEST_NAME: Final = 40
BOXES: Final = (3, 8, 20, 50, 120)
"""The number of other questions asked before a position is repeated, by box (Sebastian Leitner, *So
lernt man lernen*, Herder 1972)."""
_DRILL: Final = re.compile(r"[a-z-]{1,16}( [0-9]{1,9}){1,2}")


@dataclass(frozen=True)
class Box:
    """The progress with one practice position."""

    box: Annotated[int, Between(1, len(BOXES))]
    """The number of the box, which is 1 after a wrong answer."""
    due: Annotated[int, Between(0)]
    """The number of answered questions at which the position is asked again."""


@dataclass(frozen=True)
class Learner:
    """One person who is learning at this board."""

    counts: bool = False
    """Whether the person counts a hand before the board does."""
    asked: Annotated[int, Between(0)] = 0
    """The number of practice questions answered."""
    boxes: Mapping[str, Box] = field(default_factory=dict)
    """The box of each practice position, in the order of the latest answers."""

    def answered(self, drill: str, right: bool) -> Learner:
        """Return the person's progress after an answer. A correct answer moves the position to the
        next box, and a wrong answer moves it to the first box."""
        known = self.boxes.get(drill)
        box = 1 if not right else min(len(BOXES), 1 if known is None else known.box + 1)
        asked = self.asked + 1
        others = {name: one for name, one in self.boxes.items() if name != drill}
        boxes = {**others, drill: Box(box, asked + BOXES[box - 1])}
        return replace(self, asked=asked, boxes=dict([*boxes.items()][-MOST:]))


NOBODY: Final = Learner()
"""A person without stored data."""


class Learners:
    """The stored data of all learners at this board."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._people = files.load(path, _people) or {}
        self._saving = asyncio.Lock()

    def of(self, name: str) -> Learner:
        """Return the stored data of a person, or `NOBODY` if nothing is stored."""
        return self._people.get(plain(name), NOBODY)

    async def keep(self, name: str, learner: Learner) -> None:
        """Store a person's new data in memory and, if possible, on disk."""
        self._people.pop(plain(name), None)
        self._people[plain(name)] = learner
        async with self._saving:
            await asyncio.to_thread(files.keep, self._path, self._text())

    def _text(self) -> bytes:
        """Return the content of the file. The oldest names are dropped if there are too many, or if
        the file would become too long to read."""
        while True:
            kept = {name: asdict(one) for name, one in self._people.items()}
            text = json.dumps(kept, ensure_ascii=False).encode()
            if len(kept) <= MOST and len(text) <= LONGEST:
                return text
            del self._people[next(iter(self._people))]


def _people(stored: Any) -> dict[str, Learner]:
    """Return the people in the file, by name."""
    return {str(name): structure(one, Learner) for name, one in dict(stored).items()}


class LearnersApi:
    """The routes for learners."""

    def __init__(
        self,
        learners: Learners,
        seats: Callable[[], list[str]],
        may_play: Callable[[Request], bool],
        viewer: Callable[[Request], Viewer],
        changed: Callable[[], None],
    ) -> None:
        """Create the routes. `seats` returns the names of the players at the table, by seat."""
        self._learners = learners
        self._seats = seats
        self._may_play = may_play
        self._viewer = viewer
        self._changed = changed

    def routes(self) -> list[Route]:
        return [
            Route("/learners", self._learn, methods=["POST"]),
            Route("/drills", self._progress),
            Route("/drills", self._answered, methods=["POST"]),
        ]

    async def _learn(self, request: Request) -> Response:
        """Store whether a player counts first: `{"name": "Ann", "counts": true}` -> the same data,
        once stored.
        """
        body = await read_body(request, {"name": str, "counts": bool})
        self._check(request)
        name = plain(body["name"])
        learner = replace(self._learners.of(name), counts=body["counts"])
        await self._learners.keep(name, learner)
        self._changed()
        return JSONResponse({"name": name, "counts": body["counts"]})

    async def _progress(self, request: Request) -> Response:
        """Return the practice progress of the player named in `?name=Ann`, or else of the player in
        `?seat=1`. The progress is empty if nobody at this table has that name, or if the phone
        belongs to a spectator.
        """
        seats = self._seats() if self._may_play(request) else []
        seat = self._viewer(request).seat or 0
        name = seats[seat - 1] if 0 < seat <= len(seats) else ""
        return self._answer(seats, request.query_params.get("name", name))

    async def _answered(self, request: Request) -> Response:
        """Add an answer: `{"name": "Ann", "drill": "crib 3", "right": true}` -> Ann's new progress,
        once stored.
        """
        body = await read_body(request, {"name": str, "drill": str, "right": bool})
        self._check(request)
        if not _DRILL.fullmatch(body["drill"]):
            raise Refused(HTTPStatus.BAD_REQUEST, "wrong-shape", wanted="drill (crib 3)")
        seats, name = self._seats(), plain(body["name"])
        if name and name in map(plain, seats):
            learner = self._learners.of(name).answered(body["drill"], body["right"])
            await self._learners.keep(name, learner)
        return self._answer(seats, name)

    def _answer(self, seats: list[str], name: str) -> Response:
        """Return a learner's progress, and the names of the other players at this table who have
        progress."""
        names = [plain(seat) for seat in seats if plain(seat) and not text.is_own_name(seat)]
        name = plain(name) if plain(name) in names else ""
        learner = self._learners.of(name) if name else NOBODY
        boxes = {drill: asdict(box) for drill, box in learner.boxes.items()}
        return JSONResponse({"names": names, "name": name, "asked": learner.asked, "boxes": boxes})

    def _check(self, request: Request) -> None:
        if not self._may_play(request):
            raise Refused(HTTPStatus.FORBIDDEN, "not-paired")


def plain(name: str) -> str:
    """Return the form of a name under which a learner's data is stored."""
    return " ".join(name.split())[:LONGEST_NAME]
