"""Options: TOML tables read into frozen dataclasses, for the config and for layouts; files read
within limits; and optional packages, reported with the extra that provides them.

The fields of a class are the keys its table may have, with their types; an `Annotated` type also
says what values are allowed (`Between`, `OneOf`) or what else the key is called (`Key`, `Renamed`).
Nothing is converted silently: a port is a number, not a string. An error is one sentence with the
key, what was expected and what was found.
"""

from __future__ import annotations

import errno
import logging
import math
import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

_LOG: Final = logging.getLogger(__name__)
T = TypeVar("T")
_KINDS: Final = {str: "a string", bool: "true or false", int: "an integer", float: "a number"}


class SchemaError(ValueError):
    """A table that cannot be read; the message is one sentence."""

    def __init__(self, sentence: str) -> None:
        """Unprintable characters, such as a line break in a key, are escaped."""
        super().__init__("".join(c if c.isprintable() else repr(c)[1:-1] for c in sentence))


class Between(NamedTuple):
    """A number, or every number of a list, must be from `least` to `most`."""

    least: float
    most: float = math.inf

    def allows(self, value: Any) -> bool:
        """Whether a value, a list of values or a list of lists is within."""
        if isinstance(value, tuple):
            return all(map(self.allows, value))
        return value is None or bool(self.least <= value <= self.most)

    def __str__(self) -> str:
        if self.most == math.inf:
            return f"at least {self.least:g}"
        return f"{self.least:g} to {self.most:g}"


class OneOf(NamedTuple):
    """The value must be one of some values."""

    values: tuple[Any, ...]

    def allows(self, value: Any) -> bool:
        """Whether a value is one of them."""
        return value in self.values

    def __str__(self) -> str:
        return f"one of {', '.join(map(str, self.values))}"


class Key(NamedTuple):
    """The key of a field whose own name it cannot be, such as `from`."""

    name: str


class Renamed(NamedTuple):
    """The old name of a key, which is still read, with a log note."""

    old: str


LONGEST: Final = 1_000_000
"""The most bytes of a TOML file."""


def read_file(path: Path, most: int) -> bytes:
    """The content of a file of at most `most` bytes.

    Raises:
        OSError: it cannot be read, is longer, or is no regular file: a device may never end, and a
        pipe may never begin.
    """
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    found = os.fstat(number)
    if not stat.S_ISREG(found.st_mode):  # of a folder, `fdopen` would name only the number
        os.close(number)
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    with os.fdopen(number, "rb") as file:
        content = file.read(most + 1) if found.st_size <= most else b""
        if found.st_size > most or len(content) > most:
            raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes", str(path))
    return content


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        SchemaError: if it cannot be read, is too long, or is not valid TOML.
    """
    try:
        data = read_file(path, LONGEST)
    except OSError as error:
        raise SchemaError(f"cannot be read ({error.strerror})") from error
    try:
        return tomllib.loads(data.decode())
    except RecursionError as error:
        raise SchemaError("invalid TOML: nested too deeply") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SchemaError(f"invalid TOML: {error}") from error


def structure(data: Any, shape: type[T], where: str = "") -> T:
    """Build a value of a dataclass from a table.

    Args:
        data: the table as `tomllib` reads it.
        shape: a dataclass whose fields are the table's keys.
        where: the table's own key, for the errors.

    Raises:
        SchemaError: if a key is unknown or missing, or its value does not fit.
    """
    if not isinstance(data, Mapping):
        raise _expected("a table", data, where)
    keys = _keys(shape)  # type: ignore[arg-type]  # a class is hashable
    data = _with_new_names(data, keys, where)
    for name in data:
        if name not in keys:
            raise _unknown(name, tuple(keys), where)
    for name, key in keys.items():
        if key.needed and name not in data:
            raise SchemaError(f"{_join(where, name)} is missing: expected {_describe(key)}")
    values = {
        keys[name].field: _value(value, keys[name], _join(where, name))
        for name, value in data.items()
    }
    try:
        return shape(**values)
    except ValueError as error:  # from a check of the whole class
        raise SchemaError(f"{where}: {error.args[0]}" if where else str(error.args[0])) from error


class _Key(NamedTuple):
    """A key of a table: the field it becomes, its type, what limits it, and its old name."""

    field: str
    kind: Any
    needed: bool
    limit: Between | OneOf | None
    old: str


@cache
def _keys(shape: type) -> dict[str, _Key]:
    """The keys of a dataclass's table, in order."""
    hints = get_type_hints(shape, include_extras=True)
    keys = {}
    for field in fields(shape):
        kind, *marks = _parts(hints[field.name])
        needed = field.default is MISSING and field.default_factory is MISSING
        limit = next((mark for mark in marks if isinstance(mark, Between | OneOf)), None)
        old = next((mark.old for mark in marks if isinstance(mark, Renamed)), "")
        name = next((mark.name for mark in marks if isinstance(mark, Key)), field.name)
        keys[name] = _Key(field.name, kind, needed, limit, old)
    return keys


def _parts(hint: Any) -> tuple[Any, ...]:
    """The type, then what else an `Annotated` type says."""
    return get_args(hint) if get_origin(hint) is Annotated else (hint,)


def _with_new_names(
    data: Mapping[str, Any], keys: Mapping[str, _Key], where: str
) -> Mapping[str, Any]:
    """The table with old names of renamed keys replaced; each is noted in the log."""
    new = {key.old: name for name, key in keys.items() if key.old}
    for old in new.keys() & data.keys():
        if new[old] in data:
            raise SchemaError(f"{_join(where, old)} is the old name of {new[old]}: use only one")
        _LOG.warning("%s is now called %s", _join(where, old), new[old])
    return {new.get(name, name): value for name, value in data.items()}


def _value(value: Any, key: _Key, where: str) -> Any:
    read = _read(value, key.kind, where, _describe(key))
    if key.limit is not None and not key.limit.allows(read):
        raise _expected(_describe(key), value, where)
    return read


def _read(value: Any, kind: Any, where: str, expected: str) -> Any:
    """Check a key's value against the type of its field."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:  # `X | None`: the key may be left out, and TOML has no null
        kind = next(one for one in inner if one is not NoneType)
        return _read(value, kind, where, expected)
    if origin is Literal:
        if isinstance(value, bool) or value not in inner:
            raise _expected(expected, value, where)
        return value
    if origin is tuple:
        if not isinstance(value, list):
            raise _expected(expected, value, where)
        if inner[-1] is Ellipsis:
            item = inner[0]
            return tuple(
                _read(one, item, f"{where} {n}", _kind(item)) for n, one in enumerate(value, 1)
            )
        if len(value) != len(inner):
            raise _expected(expected, value, where)
        return tuple(
            _read(one, item, where, expected) for one, item in zip(value, inner, strict=True)
        )
    if origin is Mapping:
        if not isinstance(value, Mapping):
            raise _expected(expected, value, where)
        return {
            name: _read(item, inner[1], _join(where, name), _kind(inner[1]))
            for name, item in value.items()
        }
    if isinstance(kind, type) and is_dataclass(kind):
        return structure(value, kind, where)
    if kind is float and type(value) is int:
        value = float(value)
    if kind is not Any and type(value) is not kind:
        raise _expected(expected, value, where)
    if kind is float and not math.isfinite(value):
        raise _expected(expected, value, where)
    return value


def _describe(key: _Key) -> str:
    kind = _kind(key.kind)
    if isinstance(key.limit, Between):
        kind = kind.replace(" numbers", f" numbers of {key.limit}")
        return kind if "numbers of" in kind else f"{kind} of {key.limit}"
    return str(key.limit) if key.limit is not None else kind


def _kind(kind: Any) -> str:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return _kind(next(one for one in inner if one is not NoneType))
    if origin is Literal:
        return f"one of {', '.join(map(str, inner))}"
    if origin is tuple:
        return "a list" if inner[-1] is Ellipsis else f"a list of {len(inner)} numbers"
    return _KINDS.get(kind, "a table")


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _expected(expected: str, value: Any, where: str) -> SchemaError:
    return SchemaError(f"{where}: expected {expected}, got {value!r}")


def _unknown(name: str, allowed: tuple[str, ...], where: str) -> SchemaError:
    from difflib import get_close_matches

    close = get_close_matches(name, allowed, 1)
    guess = f" (did you mean {close[0]}?)" if close else ""
    place = f"{where}: " if where else ""
    return SchemaError(f"{place}unknown key {name}{guess}; allowed are {', '.join(allowed)}")


class MissingPackageError(Exception):
    """A missing package of an optional part; the message is one sentence."""


@contextmanager
def needs(what: str, extra: str) -> Iterator[None]:
    """A context manager for importing an optional part.

    Args:
        what: the part, as the sentence's subject: `a PDF`.
        extra: the extra of pyproject.toml with its packages: `drawings`.

    Raises:
        MissingPackageError: if a package cannot be imported.
    """
    try:
        yield
    except ImportError as error:
        raise MissingPackageError(
            f"{what} needs the Python package {error.name}, which is not installed: "
            f"install boardctl with its extra [{extra}]"
        ) from error
