"""The page's HTTP interface as an OpenAPI document (spec.openapis.org/oas/v3.1.1) at
`/openapi.json`.

Addresses and methods come from the routes, and descriptions from the docstrings of the routes'
functions. The shapes of request and response bodies are declared here and in `page_types`. Each
feature declares its own shapes (`Feature.api`). A test compares the shapes with the requests that
are accepted, and checks every response.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from typing import Final

from starlette.routing import BaseRoute, Route

from boardctl import __version__
from boardctl.features import Feature, from_each
from boardctl.text import LANGUAGES
from boardctl.web.page_types import NAMED, Previewed
from boardctl.web.pairing import COOKIE
from boardctl.web.schema import (
    CARD,
    FILE,
    FLAG,
    INT,
    NUMBER,
    SEAT,
    TEXT,
    Api,
    Operation,
    Shape,
    answers,
    by_name,
    many,
    obj,
    of,
    one_of,
    ref,
    some,
    table,
)

ADDRESS: Final = "/openapi.json"
_SUMMARY: Final = {
    "number": INT, "began": {"type": "string", "format": "date-time"}, "evening": INT,
    "session": some(TEXT), "game": TEXT, "sides": many(TEXT),
    "state": one_of("won", "draw", "abandoned", "unfinished"), "scores": many(INT),
    "winner": some(INT), "margin": some(TEXT), "won": many(INT),
}  # fmt: skip
_TITLED: Final = {**_SUMMARY, "teams": many(many(TEXT)), "title": TEXT, "judged": FLAG,
                   "weighed": FLAG}  # fmt: skip
_SUMMED: Final = some(obj(evenings=INT, lines=INT, first=some(NUMBER), last=some(NUMBER)))
_DONE: Final = obj(done=one_of(True))
_CHOSEN: Final = obj(answers=many(many(TEXT)))
_INVITED: Final = obj(("number", "message"), pin=TEXT, url=TEXT, qr=many(TEXT), number=TEXT,
                      message=TEXT)  # fmt: skip


_AWARD: Final = {"seat": SEAT, "points": INT, "reason": TEXT, "cards": many(CARD)}

COMPONENTS: Final[Mapping[str, Shape]] = {
    "Error": obj(error=obj(code=TEXT, message=TEXT)),
    "Refused": obj(
        refused=obj(
            ("state", "choices", "cards", "number"),
            code=TEXT,
            message=TEXT,
            state=ref("State"),
            choices=many(ref("Choice")),
            cards=many(CARD),
            number={"type": "string", "description": "To be typed in the board's menu."},
        )
    ),
    "Saved": obj(number=INT, state=ref("State")),
    "Option": obj(
        name=TEXT, text=TEXT, usual=TEXT, customs=FLAG, now=TEXT,
        values=many(obj(value=TEXT, text=TEXT)),
        numbers=some(many(INT)), seats=many(INT), only_if=some({}),
    ),
    "Summary": obj(**_TITLED),
    "Game": obj(
        **_TITLED, board=some(by_name({})), seats=many(TEXT),
        steps=many(obj(line=TEXT, text=TEXT, seat=some(SEAT), source=TEXT, scores=many(INT),
                       awards=many(ref("Award")), lit=by_name(many(INT)))),
    ),
    "Exported": obj(
        **_SUMMARY,
        moves=many(obj(move=TEXT, scores=many(INT), awards=many(obj(**_AWARD)))),
    ),
    "Question": obj(
        name=TEXT, text=TEXT, usual=TEXT, secret=FLAG, refused=some(TEXT),
        choices=some(many(obj(value=TEXT, text=TEXT))),
    ),
}  # fmt: skip
"""The named shapes that are written by hand."""

OPERATIONS: Final[Mapping[tuple[str, str], Operation]] = {
    ("GET", "/layout"): answers(by_name({})),
    ("GET", "/state"): answers(ref("State"), query={"seat": SEAT}),
    ("GET", "/words"): answers(obj(language=one_of(*LANGUAGES), words=by_name(TEXT))),
    ("POST", "/lines"): Operation(ref("Saved"), obj(line=TEXT, expect=INT), paired=True),
    ("POST", "/undo"): Operation(ref("Saved"), obj(expect=INT), paired=True),
    ("POST", "/redo"): Operation(ref("Saved"), obj(expect=INT), paired=True),
    ("POST", "/preview"): Operation(
        obj(**of(Previewed, NAMED)["properties"], number=INT),
        obj(("quiet",), line=TEXT, quiet=FLAG),
        paired=True,
    ),
    ("POST", "/withdraw"): Operation(obj(withdrawn=one_of(True)), obj(line=TEXT), paired=True),
    ("POST", "/table"): Operation(
        ref("Saved"),
        obj(
            ("options", "rename"),
            game=TEXT,
            players=many(TEXT),
            expect=INT,
            options=by_name(TEXT),
            rename=FLAG,
        ),
        paired=True,
    ),
    ("POST", "/rules"): Operation(
        _DONE,
        obj(("remove",), name=TEXT, game=TEXT, options=by_name(TEXT), remove=FLAG),
        paired=True,
    ),
    ("POST", "/evening"): Operation(ref("Saved"), obj(expect=INT), paired=True),
    ("POST", "/commands"): Operation(_DONE, obj(what=TEXT, value=TEXT), paired=True),
    ("POST", "/phones"): Operation(_INVITED, obj(), paired=True),
    ("POST", "/pin"): Operation(_INVITED, obj()),
    ("POST", "/pair"): Operation(obj(paired=one_of(True)), obj(pin=TEXT)),
    ("POST", "/pair/ask"): Operation(obj(ticket=TEXT, number=TEXT, message=TEXT), obj()),
    ("POST", "/seat"): Operation(obj(seat=some(SEAT)), obj(seat=INT, name=TEXT), paired=True),
    ("POST", "/seat/allow"): Operation(obj(done=FLAG), obj(claim=INT, allow=FLAG), paired=True),
    ("GET", "/games"): answers(
        obj(
            games=many(
                obj(
                    name=TEXT,
                    title=TEXT,
                    seats=many(INT),
                    cannot=TEXT,
                    options=many(ref("Option")),
                )
            ),
            presets=many(
                obj(name=TEXT, game=TEXT, options=by_name(TEXT), seats=many(INT), own=FLAG)
            ),
            roster=many(TEXT),
            tracks=INT,
        )
    ),
    ("GET", "/points"): answers(obj(points=many(INT)), query={"whose": SEAT, "seat": SEAT}),
    ("GET", "/moves"): answers(obj(moves=many(ref("Move"))), query={"seat": SEAT}),
    ("GET", "/amend"): answers(
        obj(
            ask=some(ref("Ask")), cards=many(CARD), points=some(INT), possible=many(INT), line=TEXT
        ),
        query={"back": INT, "seat": SEAT},
    ),
    ("GET", "/history"): answers(
        obj(
            games=many(ref("Summary")),
            players=many(by_name({})),
            reading=some(by_name(INT)),
            earlier=FLAG,
        ),
        query={"before": INT},
    ),
    ("GET", "/history/{number}"): answers(ref("Game")),
    ("GET", "/highlights/{number}"): answers(obj(**_TITLED, told=by_name(TEXT))),
    ("GET", "/export/{number}.txt"): answers(TEXT, kind="text/plain"),
    ("GET", "/export/{number}.html"): answers(TEXT, kind="text/html"),
    ("GET", "/export/{number}.svg"): answers(TEXT, kind="image/svg+xml"),
    ("GET", "/export/{number}.png"): answers(FILE, kind="image/png"),
    ("GET", "/export/games.csv"): answers(TEXT, kind="text/csv"),
    ("GET", "/export/games.json"): answers(many(ref("Exported"))),
    ("GET", "/setup"): Operation(
        obj(card=some(by_name({})), testing=FLAG, asks=FLAG, restoring=some(INT)), paired=True
    ),
    ("GET", "/setup/test"): Operation(
        obj(
            testing=FLAG,
            count=INT,
            steps=many({"type": "object", "required": ["code", "text"]}),
        ),
        query={"after": INT},
        paired=True,
    ),
    ("GET", "/setup/backup"): Operation(FILE, kind="application/octet-stream", paired=True),
    ("POST", "/setup/questions"): Operation(
        obj(questions=many(ref("Question"))), _CHOSEN, paired=True
    ),
    ("POST", "/setup/config"): Operation(_DONE, _CHOSEN, paired=True),
    ("POST", "/setup/test"): Operation(_DONE, obj(begin=INT), paired=True),
    ("POST", "/setup/upload/{what}"): Operation(
        obj(size=INT), FILE, query={"at": INT}, paired=True
    ),
    ("GET", "/setup/restore"): Operation(
        obj(present=_SUMMED, coming=_SUMMED, earlier=_SUMMED), paired=True
    ),
    ("POST", "/setup/restore"): Operation(
        obj(lines=INT), obj(("earlier",), earlier=FLAG), paired=True
    ),
    ("POST", "/setup/update"): Operation(_DONE, obj(), paired=True),
    ("POST", "/setup/reset"): Operation(_DONE, obj(games=TEXT), paired=True),
    ("POST", "/setup/flash"): Operation(_DONE, obj(chip=TEXT), paired=True),
    ("POST", "/setup/restart"): Operation(_DONE, obj(what=TEXT), paired=True),
    ("GET", ADDRESS): answers(by_name({})),
}


def apis(features: Iterable[Feature]) -> list[Api]:
    """Return the features' descriptions of their routes."""
    return list(from_each("api", lambda feature: feature.api and feature.api(), features))


def components(described: Iterable[Api]) -> dict[str, Shape]:
    """Return the named shapes."""
    described = tuple(described)
    named = (*NAMED, *(kind for api in described for kind in api.types))
    found = {**COMPONENTS, **{kind.__name__: table(kind, named) for kind in named}}
    for api in described:
        found |= api.components
        if api.state is not None:
            found["State"] = _joined(found["State"], table(api.state, named))
    return found


def _joined(one: Shape, other: Shape) -> Shape:
    """Return the shape of an object with the fields of both shapes."""
    return {
        **one,
        "properties": {**one["properties"], **other["properties"]},
        "required": [*one["required"], *other["required"]],
    }


def document(routes: Iterable[BaseRoute], features: Iterable[Feature]) -> Shape:
    """Return the document for these routes, without the routes for the page's files.

    If a feature does not describe a route (`Feature.api`), any response is allowed.
    """
    described = apis(features)
    operations = dict(OPERATIONS)
    for api in described:
        operations |= api.operations
    paths: dict[str, Shape] = {}
    for route in routes:
        if isinstance(route, Route) and route.include_in_schema:
            path = re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path)
            for method in sorted((route.methods or set()) - {"HEAD"}):
                words = inspect.getdoc(route.endpoint) or ""
                known = operations.get((method, path), answers(by_name({})))
                operation = _operation(known, path, words)
                paths.setdefault(path, {})[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "boardctl",
            "version": __version__,
            "description": "The interface of a board's own page. A POST must come with the page's "
            "own Origin. A refusal by the referee is a normal answer with status 200, of the shape "
            "Refused. The live board is a WebSocket, /ws.",
        },
        "paths": paths,
        "components": {
            "schemas": components(described),
            "securitySchemes": {"phone": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def _operation(what: Operation, path: str, described: str) -> Shape:
    """Return the description of one method at an address."""
    named = [
        {"name": name, "in": "path", "required": True, "schema": TEXT}
        for name in re.findall(r"\{(\w+)\}", path)
    ]
    asked = [
        {"name": name, "in": "query", "schema": shape}
        for name, shape in {**what.query, "lang": one_of(*LANGUAGES)}.items()
    ]
    answer = {"anyOf": [what.answer, ref("Refused")]} if what.refuses else what.answer
    content = {what.kind: {"schema": answer}}
    if what.refuses and what.kind != "application/json":
        content = {
            what.kind: {"schema": what.answer},
            "application/json": {"schema": ref("Refused")},
        }
    made: Shape = {
        "description": described,
        "parameters": [*named, *asked],
        "responses": {
            "200": {"description": "Done, or refused in a sentence.", "content": content},
            "default": {
                "description": "A request that the page never makes.",
                "content": {"application/json": {"schema": ref("Error")}},
            },
        },
    }
    if what.body is not None:
        kind = "application/octet-stream" if what.body is FILE else "application/json"
        made["requestBody"] = {"required": True, "content": {kind: {"schema": what.body}}}
    if what.paired:
        made["security"] = [{"phone": []}, {}]
    return made
