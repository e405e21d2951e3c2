"""Write `boardctl/web/state.d.ts`: the page's state for TypeScript, generated from the Python
types.

`python -m tools.page_types` writes it; a test compares the file with the types.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import boardctl
from boardctl.features import installed
from boardctl.web import openapi
from boardctl.web.page_types import NAMED

FILE: Final = Path(boardctl.__file__).parent / "web" / "state.d.ts"
_HEAD: Final = "// Written by `python -m tools.page_types` from the types in page_types.py.\n"
_PLAIN: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def written() -> str:
    """Return the text of the file."""
    shapes = openapi.components(openapi.apis(installed()))
    wanted = {kind.__name__ for kind in NAMED}
    wanted |= {kind.__name__ for api in openapi.apis(installed()) for kind in api.types}
    parts = (f"\nexport interface {name} {_object(shapes[name], '')}\n" for name in sorted(wanted))
    return _HEAD + "".join(parts)


def _object(shape: dict[str, Any], indent: str) -> str:
    return "{\n" + "".join(_fields(shape, indent + "  ")) + indent + "}"


def _fields(shape: dict[str, Any], indent: str) -> Iterator[str]:
    for name, field in shape["properties"].items():
        mark = "" if name in shape["required"] else "?"
        yield f"{indent}{name}{mark}: {_type(field, indent)};\n"


def _type(shape: dict[str, Any], indent: str) -> str:
    """Return a shape as a TypeScript type."""
    if "$ref" in shape:
        return str(shape["$ref"].rpartition("/")[2])
    if "anyOf" in shape:
        return " | ".join(_type(one, indent) for one in shape["anyOf"])
    if "enum" in shape:
        return " | ".join(f"'{one}'" if isinstance(one, str) else str(one) for one in shape["enum"])
    kind = shape.get("type")
    if kind == "null":
        return "null"
    if kind == "array":
        return f"({_type(shape['items'], indent)})[]"
    if kind == "object" and "properties" in shape:
        return _object(shape, indent)
    if kind == "object":
        return f"Record<string, {_type(shape['additionalProperties'], indent)}>"
    return _PLAIN.get(str(kind), "any")


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
