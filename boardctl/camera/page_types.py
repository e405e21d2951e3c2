"""The types of requests and responses about photographs."""

from __future__ import annotations

from typing import Final

from boardctl.web.schema import (
    CARD,
    FILE,
    FLAG,
    INT,
    NUMBER,
    TEXT,
    Api,
    Operation,
    answers,
    by_name,
    many,
    obj,
    some,
)

_PAIR: Final = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
_PACKS: Final = obj(packs=many(TEXT), begun=by_name(TEXT), ranks=TEXT)
_PLACED: Final = obj(card=CARD, sure=FLAG, probability=NUMBER, box=many(_PAIR))


API: Final = Api(
    operations={
        ("GET", "/photo"): answers(obj(available=FLAG)),
        ("POST", "/photo"): Operation(
            obj(cards=many(_PLACED)),
            FILE,
            query={"most": INT, "known": TEXT},
            refuses=False,
            paired=True,
        ),
        ("POST", "/photo/report"): Operation(
            obj(saved=TEXT), FILE, query={"right": TEXT}, refuses=False, paired=True
        ),
        ("GET", "/packs"): answers(_PACKS),
        ("POST", "/packs/{name}/{suit}"): Operation(
            obj(found=INT, missing=many(TEXT), other=TEXT, left=some(TEXT)),
            FILE,
            query={"ranks": TEXT},
            refuses=False,
            paired=True,
        ),
        ("DELETE", "/packs/{name}"): Operation(_PACKS, refuses=False, paired=True),
    },
    types=(),
    components={},
    state=None,
)
