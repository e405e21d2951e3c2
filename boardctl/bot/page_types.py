"""The types of the computer player's part of the page's state, and of its requests and
responses."""

from __future__ import annotations

from typing import Final, TypedDict

from boardctl.web.schema import (
    CARD,
    FILE,
    FLAG,
    INT,
    NUMBER,
    SEAT,
    TEXT,
    Api,
    CardCode,
    Operation,
    answers,
    by_name,
    many,
    obj,
    one_of,
    ref,
    some,
)

POSITION: Final = (
    "hand", "deals", "score", "thrown", "starter", "played", "target", "five", "objective"
)  # fmt: skip
"""The fields of a position in a request to judge it."""
_AVERAGES: Final = obj(deals=INT, hand=some(NUMBER), play=some(NUMBER), crib=some(NUMBER))
_PROGRESS: Final = obj(names=many(TEXT), name=TEXT, asked=INT, boxes=by_name(obj(box=INT, due=INT)))
_PAIR: Final = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}


class Sealed(TypedDict):
    """A sealed shuffle."""

    commitment: str
    cut: str
    own_cut: bool
    secret: str | None


class Saying(TypedDict):
    """The computer player's comment on its move."""

    number: int
    cards: list[CardCode]
    places: list[int]
    text: str
    where: str
    spoken: str


class Player(TypedDict):
    """The state of the computer player."""

    seat: int
    level: int
    alone: bool
    named: bool
    """Whether people have given its seat another name than the board's own."""
    sealed: Sealed | None
    said: Saying | None
    plays: bool
    deals: bool
    dealt_game: str
    """The name of the game that the board deals."""
    waits: str | None
    cannot: str
    lacks: str
    uncounted: bool
    dealing: bool


class BotState(TypedDict):
    """The computer player's part of the page's state."""

    judged: bool
    hint: bool
    counts: list[bool]


_DECISION: Final = obj(
    place=INT,
    deal=INT,
    seat=SEAT,
    player=TEXT,
    role=one_of("pone", "dealer"),
    kind=TEXT,
    score=many(INT),
    hand=many(CARD),
    chosen=many(CARD),
    best=many(CARD),
    chance=NUMBER,
    best_chance=NUMBER,
    cost=NUMBER,
    points=NUMBER,
    best_points=NUMBER,
    verdict=TEXT,
    target=INT,
    question=some(by_name({})),
)
_CURVE: Final = many(obj(place=INT, deal=INT, scores=many(INT), chances=_PAIR))

_POINTS: Final = by_name(INT)
_EVENING: Final = obj(
    evening=some(obj(rounds=INT, level=INT, ended=FLAG, commitment=TEXT, code=some(TEXT))),
    names=many(TEXT),
    number=INT,
    standings=many(
        obj(
            rank=INT,
            name=TEXT,
            deals=INT,
            matchpoints=NUMBER,
            most=INT,
            share=NUMBER,
            above=NUMBER,
            games=INT,
            won=INT,
            rounds=many(INT),
        )
    ),
    travellers=many(
        obj(
            round=INT,
            number=INT,
            dealer=SEAT,
            hands=many(many(CARD)),
            starter=CARD,
            rows=many(
                obj(
                    name=TEXT,
                    opponent=TEXT,
                    seat=SEAT,
                    thrown=many(CARD),
                    points=_POINTS,
                    theirs=_POINTS,
                    gained=INT,
                    matchpoints=NUMBER,
                    most=INT,
                    above=NUMBER,
                )
            ),
        )
    ),
)

API: Final = Api(
    operations={
        ("GET", "/analysis/{number}"): answers(
            {
                "anyOf": [
                    ref("Analysis"),
                    ref("Weighing"),
                    obj(judged=one_of(False), why=one_of("unfinished", "not-judged", "too-slow")),
                ]
            }
        ),
        ("GET", "/analysis/{number}/so-far"): answers(
            obj(
                stage={
                    "anyOf": [
                        obj(
                            done=INT,
                            of=INT,
                            players=many(TEXT),
                            winner=some(INT),
                            curve=_CURVE,
                            course=many(many(NUMBER)),
                            decisions=many(_DECISION),
                        ),
                        obj(done=INT, of=INT),
                        {"type": "null"},
                    ]
                }
            )
        ),
        ("GET", "/odds"): answers(obj(odds=some(NUMBER))),
        ("GET", "/trainer"): answers(
            obj(right=FLAG, cost=NUMBER, best=many(CARD), points=NUMBER, best_points=NUMBER),
            query={"hand": TEXT, "role": one_of("pone", "dealer"), "score": TEXT, "throw": TEXT},
        ),
        ("GET", "/position"): answers(
            obj(
                problem=some(TEXT),
                kind=one_of("", "throw", "play", "lines"),
                seat=some(INT),
                objective=TEXT,
                choices=many(by_name({})),
                likely=many(obj(ranks=TEXT, share=NUMBER)),
                move=TEXT,
                why=many(TEXT),
            ),
            query=dict.fromkeys((*POSITION, "why", "record", "seat"), TEXT),
        ),
        ("GET", "/lessons"): answers(obj(lessons=many(obj(name=TEXT, game=TEXT, title=TEXT)))),
        ("GET", "/lessons/{name}"): answers(
            obj(
                name=TEXT,
                game=TEXT,
                first_game=one_of("dealt", "real", ""),
                title=TEXT,
                seats=many(TEXT),
                steps=many(
                    obj(
                        say=TEXT,
                        right=TEXT,
                        scores=many(INT),
                        scores_after=many(INT),
                        count=some(INT),
                        count_after=some(INT),
                        hand=many(CARD),
                        rows=many(obj(label=TEXT, cards=many(CARD))),
                        task=some({"type": "object"}),
                    )
                ),
            )
        ),
        ("POST", "/lesson"): Operation(
            obj(lent=FLAG),
            obj(("done",), name=TEXT, step=INT, done=FLAG),
            refuses=False,
            paired=True,
        ),
        ("POST", "/learners"): Operation(
            obj(name=TEXT, counts=FLAG), obj(name=TEXT, counts=FLAG), refuses=False, paired=True
        ),
        ("GET", "/drills"): answers(_PROGRESS, query={"name": TEXT}),
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
        ("GET", "/player"): answers(ref("Player")),
        ("POST", "/player"): Operation(
            ref("Player"), obj(seat=INT, level=INT, deals=FLAG), paired=True
        ),
        ("POST", "/player/level"): Operation(ref("Player"), obj(level=INT), paired=True),
        ("POST", "/player/cut"): Operation(ref("Player"), obj(cut=TEXT), paired=True),
        ("POST", "/player/game"): Operation(
            ref("Player"), obj(("game",), name=TEXT, level=INT, expect=INT, game=TEXT), paired=True
        ),
        ("GET", "/duplicate"): answers(_EVENING),
        ("POST", "/duplicate"): Operation(
            _EVENING, obj(code=TEXT, rounds=INT, level=INT), paired=True
        ),
        ("POST", "/duplicate/play"): Operation(
            _EVENING, obj(name=TEXT, round=INT, expect=INT), paired=True
        ),
        ("POST", "/duplicate/code"): Operation(obj(code=TEXT), obj(), paired=True),
        ("POST", "/duplicate/end"): Operation(_EVENING, obj(), paired=True),
        ("GET", "/player/fair"): answers(
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
    },
    types=(Player,),
    components={
        "Weighing": obj(
            judged=one_of(True),
            game=INT,
            name=TEXT,
            unit=one_of("win", "points"),
            players=many(TEXT),
            winner=some(INT),
            curve=many(obj(place=INT, deal=INT, scores=many(INT), chance=NUMBER)),
            decisions=many(
                obj(
                    place=INT,
                    deal=INT,
                    seat=SEAT,
                    player=TEXT,
                    score=many(INT),
                    chosen=TEXT,
                    best=TEXT,
                    said=TEXT,
                    better=TEXT,
                    chance=some(NUMBER),
                    best_chance=some(NUMBER),
                    cost=NUMBER,
                    verdict=TEXT,
                    question=some(
                        obj(
                            hand=many(CARD),
                            lines=many(TEXT),
                            story=many(TEXT),
                            choices=many(obj(line=TEXT, said=TEXT, cost=NUMBER)),
                        )
                    ),
                )
            ),
            totals=many(
                obj(seat=SEAT, player=TEXT, decisions=INT, loss=NUMBER, errors=by_name(INT))
            ),
            unjudged=INT,
            least=by_name(NUMBER),
        ),
        "Analysis": obj(
            judged=one_of(True),
            game=INT,
            players=many(TEXT),
            winner=some(INT),
            curve=_CURVE,
            course=many(many(NUMBER)),
            decisions=many(_DECISION),
            luck=many(obj(deal=INT, luck=many(NUMBER))),
            totals=many(
                obj(
                    seat=SEAT,
                    player=TEXT,
                    decisions=INT,
                    loss=NUMBER,
                    loss_throws=NUMBER,
                    loss_plays=NUMBER,
                    loss_a_decision=some(NUMBER),
                    interval=some(NUMBER),
                    enough=FLAG,
                    errors=by_name(INT),
                    errors_in_nine_games=INT,
                    luck=NUMBER,
                    averages=obj(pone=_AVERAGES, dealer=_AVERAGES),
                )
            ),
            expert=obj(pone=_AVERAGES, dealer=_AVERAGES),
            unjudged=by_name(INT),
            least=by_name(NUMBER),
        ),
    },
    state=BotState,
)
