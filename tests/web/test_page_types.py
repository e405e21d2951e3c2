"""The page's state is declared only once: as Python types."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from boardctl.web import schema
from tools import page_types


class Inner(TypedDict):
    name: str


class Outer(TypedDict):
    count: int | None
    kind: Literal["a", "b"]
    inner: list[Inner]
    by_name: dict[str, float]
    card: schema.CardCode
    more: NotRequired[bool]


def test_the_types_of_the_page_are_those_of_python() -> None:
    """After a change, run `python -m tools.page_types`."""
    assert page_types.FILE.read_text("utf-8") == page_types.written()


def test_a_typed_dictionary_is_a_shape() -> None:
    shape = schema.table(Outer, (Inner,))
    assert shape["required"] == ["count", "kind", "inner", "by_name", "card"]
    assert shape["additionalProperties"] is False
    assert shape["properties"] == {
        "count": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "kind": {"enum": ["a", "b"]},
        "inner": {"type": "array", "items": {"$ref": "#/components/schemas/Inner"}},
        "by_name": {"type": "object", "additionalProperties": {"type": "number"}},
        "card": schema.CARD,
        "more": {"type": "boolean"},
    }
