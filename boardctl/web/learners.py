"""What the board remembers of those who learn at it, by name, in `learners.json` among its data.

`POST /learners` with `{"name": "Ann", "counts": true}`: whether she counts her hands herself before
the board does. Nothing of it leaves the board.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import attrs
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl.options import LONGEST, read_file, structure
from boardctl.storage import files

_log: Final = logging.getLogger(__name__)
FILE: Final = "learners.json"
MOST: Final = 200
"""Names that are remembered; the oldest are forgotten."""


@attrs.frozen
class Learner:
    """One person. counts: whether they count their own hands first."""

    counts: bool = False


class Learners:
    """The people who learn at this board."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._people = self._load()

    def of(self, name: str) -> Learner:
        """What is known of a person."""
        return self._people.get(name, Learner())

    def keep(self, name: str, learner: Learner) -> None:
        """Remember a person as they are now; on disk if it can be written."""
        self._people.pop(name, None)
        self._people[name] = learner
        while len(self._people) > MOST:
            del self._people[next(iter(self._people))]
        kept = {name: attrs.asdict(one) for name, one in self._people.items()}
        try:
            files.replace(self._path, json.dumps(kept, ensure_ascii=False).encode())
        except OSError as error:
            _log.error("%s cannot be written: %s", self._path, error)

    def _load(self) -> dict[str, Learner]:
        try:
            kept = json.loads(read_file(self._path, LONGEST))
            return {str(name): structure(one, Learner) for name, one in dict(kept).items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, RecursionError) as error:
            _log.error("%s cannot be read: %s", self._path, error)
            return {}


class LearnersApi:
    """The route of the learners."""

    def __init__(
        self,
        learners: Learners,
        check: Callable[[Request], None],
        body: Callable[[Request, dict[str, type]], Awaitable[dict[str, Any]]],
        changed: Callable[[], None],
    ) -> None:
        self._learners = learners
        self._check = check
        self._body = body
        self._changed = changed

    def routes(self) -> list[Route]:
        return [Route("/learners", self._learn, methods=["POST"])]

    async def _learn(self, request: Request) -> Response:
        """`{"name": "Ann", "counts": true}` -> the same, once it is kept."""
        self._check(request)
        body = await self._body(request, {"name": str, "counts": bool})
        name = " ".join(body["name"].split())[:40]
        self._learners.keep(name, attrs.evolve(self._learners.of(name), counts=body["counts"]))
        self._changed()
        return JSONResponse({"name": name, "counts": body["counts"]})
