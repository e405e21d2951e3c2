"""Hypothesis strategies for the values that a JSON Schema allows, and that it narrowly rejects.

They cover the part of the schema language used by our messages: objects, lists, texts, numbers,
enumerations and alternatives (json-schema.org/draft/2020-12).
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

Schema = dict[str, Any]
Values = st.SearchStrategy[Any]

ODD: Values = st.sampled_from(
    [None, True, False, 0, -1, 0.5, 1e308, 2**31, 2**63, -(10**30), 10**400, "", "x", "é" * 700,
     "\0", "\ud800", "\u202e", [], {}, [[]], [None] * 9, {"a": {}}, "9" * 4400]
)  # fmt: skip
"""Unexpected values."""


def valid(schema: Schema, root: Schema | None = None) -> Values:
    """Return values that a schema allows, its bounds more often than the rest."""
    root = root or schema
    match schema:
        case {"$ref": str(name)}:
            return valid(root["$defs"][name.rpartition("/")[2]], root)
        case {"anyOf": list(some)}:
            return st.one_of([valid(one, root) for one in some])
        case {"enum": list(some)}:
            return st.sampled_from(some)
        case {"type": "string", "pattern": str(pattern)}:
            return st.from_regex(pattern)
        case {"type": "string"}:
            most = schema.get("maxLength", 12)
            known: Values = st.sampled_from(schema.get("examples", ["", "é", "a" * most]))
            return known | st.text(max_size=min(most, 12))
        case {"type": "integer"}:
            least, most = schema.get("minimum", -(2**70)), schema.get("maximum", 2**70)
            near = {least, most, max(least, min(1, most)), *schema.get("examples", ())}
            return st.sampled_from(sorted(near)) | st.integers(least, most)
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "null"}:
            return st.none()
        case {"type": "array"}:
            return st.lists(valid(schema["items"], root), max_size=schema.get("maxItems", 5))
        case {"type": "object"}:
            needed = schema.get("required", list(schema["properties"]))
            fields = {name: valid(one, root) for name, one in schema["properties"].items()}
            return st.fixed_dictionaries(
                {name: fields[name] for name in needed},
                optional={name: one for name, one in fields.items() if name not in needed},
            )
    raise AssertionError(schema)


def wrong(schema: Schema, root: Schema | None = None) -> Values:
    """Return values that a schema rejects, mostly narrowly: one step past a bound, another type, or
    a field that is missing, added or invalid."""
    root = root or schema
    match schema:
        case {"$ref": str(name)}:
            return wrong(root["$defs"][name.rpartition("/")[2]], root)
        case {"type": "string"}:
            return ODD | st.just("a" * (schema.get("maxLength", 99) + 1))
        case {"type": "integer"}:
            ends = [schema.get("minimum", 0) - 1, schema.get("maximum", 2**64) + 1]
            return ODD | st.sampled_from([*ends, *map(float, ends), *map(str, ends)])
        case {"type": "array"}:
            most = schema.get("maxItems", 5)
            items = valid(schema["items"], root)
            return (
                ODD
                | st.lists(items, min_size=most + 1, max_size=most + 2)
                | st.lists(wrong(schema["items"], root), min_size=1, max_size=2)
            )
        case {"type": "object"}:
            right = valid(schema, root)
            names = sorted(schema["properties"])
            broken = [
                st.tuples(right, st.just(name), wrong(one, root)).map(_put)
                for name, one in schema["properties"].items()
            ]
            gone = st.tuples(right, st.sampled_from(names)).map(_without) if names else right
            more = st.tuples(right, st.sampled_from(["more", "", "\0"]), ODD).map(_put)
            return st.one_of(*broken, gone, more, ODD)
    return ODD


def _put(parts: tuple[dict[str, Any], str, Any]) -> dict[str, Any]:
    right, name, value = parts
    return {**right, name: value}


def _without(parts: tuple[dict[str, Any], str]) -> dict[str, Any]:
    right, name = parts
    return {key: value for key, value in right.items() if key != name}


def payloads(schema: Schema) -> st.SearchStrategy[bytes]:
    """Return messages on the wire: valid, invalid, and either with corrupted bytes."""
    whole = (valid(schema) | wrong(schema)).map(_to_bytes)
    hurt = st.tuples(whole, st.integers(0, 200), st.binary(max_size=2)).map(_hurt)
    return st.one_of(whole, whole, whole, hurt, st.binary(max_size=40))


def _to_bytes(value: Any) -> bytes:
    return json.dumps(value).encode()


def _hurt(parts: tuple[bytes, int, bytes]) -> bytes:
    whole, place, change = parts
    return whole[:place] + change + whole[place + 1 :] * (place % 2)
