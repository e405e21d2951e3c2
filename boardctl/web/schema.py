"""JSON schemas (json-schema.org, draft 2020-12), generated from Python types or written by hand.

`of` converts a typed dictionary to a schema (a shape), so that a type checker and the page's
OpenAPI document use the same declaration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from boardctl.games.cards import CARDS

Shape = dict[str, Any]
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
    """Return the shape of an object with exactly these fields. All except those in `_optional` are
    required."""
    optional = set(_optional)
    return {
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def many(shape: Shape) -> Shape:
    """Return the shape of a list."""
    return {"type": "array", "items": shape}


def some(shape: Shape) -> Shape:
    """Return a shape that also allows null."""
    return {"anyOf": [shape, {"type": "null"}]}


def by_name(shape: Shape) -> Shape:
    """Return the shape of an object with arbitrary keys."""
    return {"type": "object", "additionalProperties": shape}


def one_of(*values: object) -> Shape:
    """Return the shape that allows one of these values."""
    return {"enum": list(values)}


def ref(name: str) -> Shape:
    """Return a reference to a component of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


class Shaped:
    """The shape of an `Annotated` type."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape


Seat = Annotated[int, Shaped(SEAT)]
"""A seat, from 1."""
CardCode = Annotated[str, Shaped(CARD)]
"""A card as the notation writes it."""
_PLAIN: Final[Mapping[Any, Shape]] = {str: TEXT, int: INT, float: NUMBER, bool: FLAG, Any: {}}


def of(kind: Any, named: Iterable[type] = ()) -> Shape:
    """Return the shape of a type.

    Args:
        kind: a typed dictionary, a list, a dictionary by name, one or several literals, an optional
            type or a plain type. An `Annotated` type includes its shape (`Shaped`).
        named: the typed dictionaries that are components of the document.
    """
    if kind in named:
        return ref(kind.__name__)
    if is_typeddict(kind):
        return table(kind, named)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        shaped: Shaped = inner[1]
        return shaped.shape
    if origin is NotRequired:
        return of(inner[0], named)
    if origin is list:
        return many(of(inner[0], named))
    if origin is dict:
        return by_name(of(inner[1], named))
    if origin is Literal:
        return one_of(*inner)
    if origin in (UnionType, Union):
        kinds = [one for one in inner if one is not NoneType]
        literals = [value for one in kinds for value in get_args(one)]
        shape = one_of(*literals) if len(kinds) > 1 else of(kinds[0], named)
        return some(shape) if NoneType in inner else shape
    return _PLAIN[kind]


def table(kind: Any, named: Iterable[type] = ()) -> Shape:
    """Return the shape of a typed dictionary, even if it is a component."""
    fields = get_type_hints(kind, include_extras=True)
    # Python 3.11 finds no optional keys if annotations are evaluated later.
    optional = [name for name, one in fields.items() if get_origin(one) is NotRequired]
    return obj(optional, **{name: of(one, named) for name, one in fields.items()})


class Operation(NamedTuple):
    """The request and the response of one HTTP method at an address."""

    answer: Shape
    body: Shape | None = None
    kind: str = "application/json"
    """The media type of the answer."""
    query: Mapping[str, Shape] = {}
    refuses: bool = True
    """Whether the answer may be a refusal in a sentence."""
    paired: bool = False
    """Whether only a paired phone may send the request if the board serves more than its own
    machine."""


class Api(NamedTuple):
    """The requests and responses of a feature's routes."""

    operations: Mapping[tuple[str, str], Operation]
    """The operations, by method and address."""
    types: tuple[type, ...] = ()
    """The feature's named typed dictionaries in the document."""
    components: Mapping[str, Shape] = {}
    """The feature's named shapes that are written by hand."""
    state: type | None = None
    """The typed dictionary of the feature's part of the page's state."""


def answers(answer: Shape, **more: Any) -> Operation:
    """Return the operation for an address that never refuses."""
    return Operation(answer, refuses=False, **more)
