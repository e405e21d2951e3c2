"""The page's HTTP interface as an OpenAPI document (spec.openapis.org/oas/v3.1.1), `/openapi.json`.

Addresses, methods and descriptions are those of the routes and of their functions' docstrings; the
shapes of bodies and answers stand here. A test compares them with what each address takes, and
checks every answer against them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, get_args

from starlette.routing import BaseRoute, Route

from boardctl import __version__
from boardctl.console.keypad import LEVELS
from boardctl.console.lights import LIGHTS
from boardctl.games import Telling
from boardctl.games.cards import CARDS
from boardctl.text import LANGUAGES
from boardctl.web.pairing import COOKIE

Shape = dict[str, Any]
ADDRESS: Final = "/openapi.json"
TEXT: Final[Shape] = {"type": "string"}
INT: Final[Shape] = {"type": "integer"}
NUMBER: Final[Shape] = {"type": "number"}
FLAG: Final[Shape] = {"type": "boolean"}
SEAT: Final[Shape] = {"type": "integer", "minimum": 1, "maximum": 4}
CARD: Final[Shape] = {
    "type": "string",
    "pattern": r"^([A23456789TJQK?][SHDC]?|\?)$",
    "examples": [str(CARDS[0]), "5H", "?"],
}
FILE: Final[Shape] = {"type": "string", "format": "binary"}


def obj(_optional: Iterable[str] = (), **fields: Shape) -> Shape:
    """An object of these fields and no others, all of them required but for `_optional`."""
    optional = set(_optional)
    return {
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def many(shape: Shape) -> Shape:
    """A list."""
    return {"type": "array", "items": shape}


def some(shape: Shape) -> Shape:
    """A shape, or null."""
    return {"anyOf": [shape, {"type": "null"}]}


def by_name(shape: Shape) -> Shape:
    """An object with any names."""
    return {"type": "object", "additionalProperties": shape}


def one_of(*values: object) -> Shape:
    """One of these values."""
    return {"enum": list(values)}


def ref(name: str) -> Shape:
    """One of the document's components."""
    return {"$ref": f"#/components/schemas/{name}"}


_AWARD: Final = {"seat": SEAT, "points": INT, "reason": TEXT, "cards": many(CARD)}
_PREVIEW: Final = {
    "line": TEXT, "points": INT, "awards": many(ref("Award")), "spoken": many(TEXT),
}  # fmt: skip
_ASK: Final = {
    "code": TEXT, "kind": one_of("confirm", "cards", "number", "choice"), "text": TEXT,
    "button": TEXT, "seat": some(SEAT), "head": TEXT, "tail": TEXT,
    "telling": one_of(*get_args(Telling)), "least": INT, "most": INT, "scale": INT,
    "barred": many(INT), "ranks": FLAG, "later": FLAG, "cards": some(many(CARD)),
    "choices": many(obj(line=TEXT, text=TEXT, cards=many(CARD), points=some(INT))),
    "beside": some(CARD),
}  # fmt: skip
_SUMMARY: Final = {
    "number": INT, "began": {"type": "string", "format": "date-time"}, "evening": INT,
    "session": some(TEXT), "game": TEXT, "sides": many(TEXT),
    "state": one_of("won", "draw", "abandoned", "unfinished"), "scores": many(INT),
    "winner": some(INT), "margin": some(TEXT), "won": many(INT),
}  # fmt: skip
_TITLED: Final = {**_SUMMARY, "teams": many(many(TEXT)), "title": TEXT, "judged": FLAG}
_AVERAGES: Final = obj(deals=INT, hand=some(NUMBER), play=some(NUMBER), crib=some(NUMBER))
_PROGRESS: Final = obj(names=many(TEXT), name=TEXT, asked=INT, boxes=by_name(obj(box=INT, due=INT)))
_SUMMED: Final = some(obj(evenings=INT, lines=INT, first=some(NUMBER), last=some(NUMBER)))
_PAIR: Final = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}

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
    "Award": obj(**_AWARD, text=TEXT),
    "Choice": obj(**_PREVIEW, text=TEXT),
    "Ask": obj(**_ASK),
    "Move": obj(
        back=INT, place=INT, verb=TEXT, line=TEXT, text=TEXT, seat=some(SEAT),
        points=INT, why=TEXT, awards=many(ref("Award")),
    ),
    "State": obj(
            features=many(TEXT), buttons=many(obj(text=TEXT, post=TEXT)),
        number=INT, viewer=some(SEAT), layout=TEXT, session=some(TEXT), game=some(TEXT), title=TEXT,
        judged=FLAG,
        rules=many(obj(name=TEXT, value=TEXT, text=TEXT, told=TEXT)), seats=many(TEXT),
        sides=many(obj(names=many(TEXT), seats=many(SEAT), score=INT, before=INT, won=INT)),
        phase=some(TEXT), turn=some(SEAT), dealer=some(SEAT), count=some(INT), left=some(INT),
        laid=many(CARD), starter=some(CARD),
        trump=some(TEXT), target=some(INT), winner=some(INT), over=FLAG, drawn=FLAG,
        margin=some(TEXT), readouts=many(obj(code=TEXT, text=TEXT)), worth=TEXT,
        telling=one_of(*get_args(Telling)),
        light=some(one_of(*LIGHTS)),
        voice=some(one_of("off", *LEVELS)), sounds=some(one_of("on", "off")),
        asks=many(obj(**_ASK, due=FLAG)), hint=FLAG, hints=many(INT), counts=many(FLAG),
        pegs=many(SEAT), held=many(TEXT), moves=many(ref("Move")), length=INT, begun=FLAG,
        happened=some(obj(text=TEXT, seat=some(SEAT), points=INT, moment=some(TEXT))),
        spoken=TEXT, undo=FLAG, redo=FLAG, unfinished=some(TEXT),
    ),
    "Saved": obj(number=INT, state=ref("State")),
    "Option": obj(
        name=TEXT, text=TEXT, usual=TEXT, now=TEXT, values=many(obj(value=TEXT, text=TEXT)),
        numbers=some(many(INT)), seats=many(INT), only_if=some({}),
    ),
    "Player": obj(
        seat=INT, level=INT, alone=FLAG,
        sealed=some(obj(commitment=TEXT, cut=TEXT, own_cut=FLAG, secret=some(TEXT))),
        said=some(obj(number=INT, cards=many(CARD), places=many(INT), text=TEXT, where=TEXT,
                      spoken=TEXT)),
        plays=FLAG, deals=FLAG, waits=some(TEXT), cannot=TEXT, lacks=TEXT,
        uncounted=FLAG, dealing=FLAG,
    ),
    "Far": obj(
        words=many(TEXT), numbers=many(TEXT), link=TEXT, qr=many(TEXT), accepting=FLAG,
        late=FLAG, unanswered=FLAG, connected=FLAG, trouble=TEXT, games=many(TEXT), usual=TEXT,
        houses=many(obj(
            number=INT, name=TEXT, here=FLAG, minutes=some(INT), playing=FLAG, offered=FLAG,
            invites=TEXT, game=TEXT, offering=FLAG, active=FLAG, gone=TEXT, outdated=TEXT,
            own=TEXT, partner=TEXT,
        )),
        onlookers=many(obj(
            number=INT, name=TEXT, here=FLAG, minutes=some(INT), shows=FLAG, over=FLAG,
        )),
        looking=some(TEXT), left=some(INT),
        game=some(obj(
            name=TEXT, number=INT, seats=many(SEAT), turn=INT,
            due=one_of("", "ours", "theirs", "dealing"),
            asks=some(TEXT), question=some(obj(number=INT, line=TEXT)), asked=FLAG,
            declined=some(TEXT), stand=FLAG, draws=FLAG, aside=TEXT, stopped=some(TEXT), done=FLAG,
        )),
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
    "Analysis": obj(
        judged=one_of(True), game=INT, players=many(TEXT), winner=some(INT),
        curve=many(obj(place=INT, deal=INT, scores=many(INT), chances=_PAIR)),
        course=many(many(NUMBER)),
        decisions=many(obj(
            place=INT, deal=INT, seat=SEAT, player=TEXT, role=one_of("pone", "dealer"), kind=TEXT,
            score=many(INT), hand=many(CARD), chosen=many(CARD), best=many(CARD), chance=NUMBER,
            best_chance=NUMBER, cost=NUMBER, points=NUMBER, best_points=NUMBER, verdict=TEXT,
            target=INT, question=some(by_name({})),
        )),
        luck=many(obj(deal=INT, luck=many(NUMBER))),
        totals=many(obj(
            seat=SEAT, player=TEXT, decisions=INT, loss=NUMBER, loss_throws=NUMBER,
            loss_plays=NUMBER, loss_a_decision=some(NUMBER), interval=some(NUMBER), enough=FLAG,
            errors=by_name(INT), errors_in_nine_games=INT, luck=NUMBER,
            averages=obj(pone=_AVERAGES, dealer=_AVERAGES),
        )),
        expert=obj(pone=_AVERAGES, dealer=_AVERAGES), unjudged=by_name(INT), least=by_name(NUMBER),
    ),
    "Question": obj(
        name=TEXT, text=TEXT, usual=TEXT, choices=some(many(obj(value=TEXT, text=TEXT))),
        refused=some(TEXT),
    ),
}  # fmt: skip
"""The shapes that have a name."""


class Operation(NamedTuple):
    """What an address takes and answers with one method."""

    answer: Shape
    body: Shape | None = None
    kind: str = "application/json"
    """The media type of the answer."""
    query: Mapping[str, Shape] = {}
    refuses: bool = True
    """Whether the answer may be a refusal in a sentence."""
    paired: bool = False
    """Whether only a paired phone may ask, where the board serves more than its own machine."""


_DONE: Final = obj(done=one_of(True))
_PACKS: Final = obj(packs=many(TEXT), begun=by_name(TEXT), ranks=TEXT)
_CHOSEN: Final = obj(answers=many(many(TEXT)))
_PLACED: Final = obj(card=CARD, sure=FLAG, probability=NUMBER, box=many(_PAIR))
_INVITED: Final = obj(("number", "message"), pin=TEXT, url=TEXT, qr=many(TEXT), number=TEXT,
                      message=TEXT)  # fmt: skip


def _get(answer: Shape, **more: Any) -> Operation:
    return Operation(answer, refuses=False, **more)


OPERATIONS: Final[Mapping[tuple[str, str], Operation]] = {
    ("GET", "/layout"): _get(by_name({})),
    ("GET", "/state"): _get(ref("State"), query={"seat": SEAT}),
    ("GET", "/words"): _get(obj(language=one_of(*LANGUAGES), words=by_name(TEXT))),
    ("POST", "/lines"): Operation(ref("Saved"), obj(line=TEXT, expect=INT), paired=True),
    ("POST", "/undo"): Operation(ref("Saved"), obj(expect=INT), paired=True),
    ("POST", "/redo"): Operation(ref("Saved"), obj(expect=INT), paired=True),
    ("POST", "/preview"): Operation(
        obj(**_PREVIEW, number=INT), obj(("quiet",), line=TEXT, quiet=FLAG), paired=True
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
    ("POST", "/evening"): Operation(ref("Saved"), obj(expect=INT), paired=True),
    ("POST", "/commands"): Operation(_DONE, obj(what=TEXT, value=TEXT), paired=True),
    ("POST", "/phones"): Operation(_INVITED, obj(), paired=True),
    ("POST", "/pin"): Operation(_INVITED, obj()),
    ("POST", "/pair"): Operation(obj(paired=one_of(True)), obj(pin=TEXT)),
    ("POST", "/pair/ask"): Operation(obj(ticket=TEXT, number=TEXT, message=TEXT), obj()),
    ("POST", "/seat"): Operation(obj(seat=some(SEAT)), obj(seat=INT, name=TEXT), paired=True),
    ("POST", "/seat/allow"): Operation(obj(done=FLAG), obj(claim=INT, allow=FLAG), paired=True),
    ("GET", "/games"): _get(
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
            presets=many(obj(name=TEXT, game=TEXT, options=by_name(TEXT), seats=many(INT))),
            roster=many(TEXT),
            tracks=INT,
        )
    ),
    ("GET", "/points"): _get(obj(points=many(INT)), query={"whose": SEAT, "seat": SEAT}),
    ("GET", "/moves"): _get(obj(moves=many(ref("Move"))), query={"seat": SEAT}),
    ("GET", "/amend"): _get(
        obj(
            ask=some(ref("Ask")), cards=many(CARD), points=some(INT), possible=many(INT), line=TEXT
        ),
        query={"back": INT, "seat": SEAT},
    ),
    ("GET", "/history"): _get(
        obj(
            games=many(ref("Summary")),
            players=many(by_name({})),
            reading=some(by_name(INT)),
            earlier=FLAG,
        ),
        query={"before": INT},
    ),
    ("GET", "/history/{number}"): _get(ref("Game")),
    ("GET", "/highlights/{number}"): _get(obj(**_TITLED, told=by_name(TEXT))),
    ("GET", "/export/{number}.txt"): _get(TEXT, kind="text/plain"),
    ("GET", "/export/{number}.html"): _get(TEXT, kind="text/html"),
    ("GET", "/export/{number}.svg"): _get(TEXT, kind="image/svg+xml"),
    ("GET", "/export/{number}.png"): _get(FILE, kind="image/png"),
    ("GET", "/export/games.csv"): _get(TEXT, kind="text/csv"),
    ("GET", "/export/games.json"): _get(many(ref("Exported"))),
    ("GET", "/analysis/{number}"): _get(
        {
            "anyOf": [
                ref("Analysis"),
                obj(judged=one_of(False), why=one_of("unfinished", "not-judged", "too-slow")),
            ]
        }
    ),
    ("GET", "/odds"): _get(obj(odds=some(NUMBER))),
    ("GET", "/trainer"): _get(
        obj(right=FLAG, cost=NUMBER, best=many(CARD), points=NUMBER, best_points=NUMBER),
        query={"hand": TEXT, "role": one_of("pone", "dealer"), "score": TEXT, "throw": TEXT},
    ),
    ("GET", "/position"): _get(
        obj(
            problem=some(TEXT),
            kind=one_of("", "throw", "play"),
            choices=many(by_name({})),
            likely=many(obj(ranks=TEXT, share=NUMBER)),
            move=TEXT,
            why=many(TEXT),
        ),
        query=dict.fromkeys(
            ("hand", "deals", "score", "thrown", "starter", "played", "target", "five", "why"), TEXT
        ),
    ),
    ("GET", "/photo"): _get(obj(available=FLAG)),
    ("POST", "/photo"): Operation(
        obj(cards=many(_PLACED)),
        FILE,
        query={"most": INT, "known": TEXT},
        refuses=False,
        paired=True,
    ),
    ("GET", "/packs"): _get(_PACKS),
    ("POST", "/packs/{name}/{suit}"): Operation(
        obj(found=INT, missing=many(TEXT), other=TEXT, left=some(TEXT)),
        FILE,
        query={"ranks": TEXT},
        refuses=False,
        paired=True,
    ),
    ("DELETE", "/packs/{name}"): Operation(_PACKS, refuses=False, paired=True),
    ("GET", "/lessons"): _get(obj(lessons=many(obj(name=TEXT, game=TEXT, title=TEXT)))),
    ("GET", "/lessons/{name}"): _get(
        obj(
            name=TEXT,
            title=TEXT,
            seats=many(TEXT),
            steps=many(
                obj(
                    say=TEXT,
                    right=TEXT,
                    scores=many(INT),
                    count=some(INT),
                    hand=many(CARD),
                    table=many(CARD),
                    turned=many(CARD),
                    task=some({"type": "object"}),
                )
            ),
        )
    ),
    ("POST", "/lesson"): Operation(
        obj(lent=FLAG), obj(name=TEXT, step=INT), refuses=False, paired=True
    ),
    ("POST", "/learners"): Operation(
        obj(name=TEXT, counts=FLAG), obj(name=TEXT, counts=FLAG), refuses=False, paired=True
    ),
    ("GET", "/drills"): _get(_PROGRESS, query={"name": TEXT}),
    ("POST", "/drills"): Operation(
        _PROGRESS, obj(name=TEXT, drill=TEXT, right=FLAG), refuses=False, paired=True
    ),
    ("POST", "/hint"): Operation(
        obj(
            hint=obj(
                kind=one_of("throw", "play", "go", "count", "line"),
                nudge=TEXT,
                move=TEXT,
                line=TEXT,
                cards=many(CARD),
                why=many(TEXT),
            ),
            number=INT,
        ),
        obj(expect=INT),
        query={"seat": SEAT},
        paired=True,
    ),
    ("GET", "/far"): _get(ref("Far")),
    ("POST", "/far/invite"): Operation(
        ref("Far"), obj(name=TEXT, partner=TEXT, game=TEXT, options=by_name(TEXT)), paired=True
    ),
    ("POST", "/far/accept"): Operation(
        ref("Far"), obj(words=TEXT, name=TEXT, partner=TEXT), paired=True
    ),
    ("POST", "/far/cancel"): Operation(ref("Far"), obj(), paired=True),
    ("POST", "/far/play"): Operation(
        ref("Far"),
        obj(
            ("game", "options", "name", "partner"),
            house=INT,
            game=TEXT,
            options=by_name(TEXT),
            name=TEXT,
            partner=TEXT,
        ),
        paired=True,
    ),
    ("POST", "/far/remove"): Operation(ref("Far"), obj(house=INT), paired=True),
    ("POST", "/far/withdraw"): Operation(ref("Far"), obj(house=INT), paired=True),
    ("POST", "/far/answer"): Operation(
        ref("Far"), obj(number=INT, line=TEXT, yes=FLAG), paired=True
    ),
    ("POST", "/far/stand"): Operation(ref("Far"), obj(), paired=True),
    ("POST", "/far/leave"): Operation(ref("Far"), obj(), paired=True),
    ("POST", "/far/show"): Operation(ref("Far"), obj(), paired=True),
    ("POST", "/far/look"): Operation(ref("Far"), obj(onlooker=INT), paired=True),
    ("POST", "/far/forget"): Operation(ref("Far"), obj(onlooker=INT), paired=True),
    ("GET", "/player"): _get(ref("Player")),
    ("POST", "/player"): Operation(
        ref("Player"), obj(seat=INT, level=INT, deals=FLAG), paired=True
    ),
    ("POST", "/player/cut"): Operation(ref("Player"), obj(cut=TEXT), paired=True),
    ("POST", "/player/game"): Operation(
        ref("Player"), obj(name=TEXT, level=INT, expect=INT), paired=True
    ),
    ("GET", "/player/fair"): _get(
        obj(
            games=many(
                obj(
                    commitment=TEXT,
                    cut=TEXT,
                    own_cut=FLAG,
                    secret=some(TEXT),
                    first=INT,
                    deals=some(INT),
                    follows=some(FLAG),
                )
            )
        )
    ),
    ("POST", "/player/photo"): Operation(obj(read=INT), FILE, paired=True),
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
    ("GET", ADDRESS): _get(by_name({})),
}


def document(routes: Iterable[BaseRoute]) -> Shape:
    """The document of these routes; those of files of the page are left out. The shapes of a route
    that another distribution adds are not known."""
    paths: dict[str, Shape] = {}
    for route in routes:
        if isinstance(route, Route) and route.include_in_schema:
            path = re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path)
            for method in sorted((route.methods or set()) - {"HEAD"}):
                described = inspect.getdoc(route.endpoint) or ""
                known = OPERATIONS.get((method, path), _get(by_name({})))
                operation = _operation(known, path, described)
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
            "schemas": dict(COMPONENTS),
            "securitySchemes": {"phone": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def _operation(what: Operation, path: str, described: str) -> Shape:
    """One method of an address."""
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
