"""Options: TOML tables read into frozen attrs classes, for the config and for layouts; files read
within limits; and optional packages, reported with the extra that provides them.

The attributes of a class are the keys its table may have, with their types. Nothing is converted
silently: a port is a number, not a string. An error is one sentence with the key, what was expected
and what was found.
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
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

import attrs

_LOG: Final = logging.getLogger(__name__)
T = TypeVar("T")
_KINDS: Final = {str: "a string", bool: "true or false", int: "an integer", float: "a number"}
_ALIAS: Final = "key"
_OLD: Final = "old"


class SchemaError(ValueError):
    """A table that cannot be read; the message is one sentence."""

    def __init__(self, sentence: str) -> None:
        """Unprintable characters, such as a line break in a key, are escaped."""
        super().__init__("".join(c if c.isprintable() else repr(c)[1:-1] for c in sentence))


@attrs.frozen
class Between:
    """An attrs validator: a number, or every number of a list, must be from `least` to `most`."""

    least: float
    most: float = math.inf

    def __call__(self, instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, tuple):
                self(instance, attribute, number)
            elif number is not None and not self.least <= number <= self.most:
                raise ValueError(f"expected {self}, got {value!r}")

    def __str__(self) -> str:
        if self.most == math.inf:
            return f"at least {self.least:g}"
        return f"{self.least:g} to {self.most:g}"


@attrs.frozen
class OneOf:
    """An attrs validator: the value must be one of some values."""

    values: tuple[Any, ...]

    def __call__(self, instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value not in self.values:
            raise ValueError(f"expected {self}, got {value!r}")

    def __str__(self) -> str:
        return f"one of {', '.join(map(str, self.values))}"


def key(name: str) -> dict[str, Any]:
    """The metadata of an attribute whose key is a Python keyword, such as `from`."""
    return {_ALIAS: name}


def renamed(old: str) -> dict[str, Any]:
    """The metadata of an attribute whose key is still read under its old name, with a log note."""
    return {_OLD: old}


LONGEST: Final = 1_000_000
"""The most bytes of a TOML file."""


def read_file(path: Path, most: int) -> bytes:
    """The content of a file of at most `most` bytes.

    Raises:
        OSError: it cannot be read, is longer, or is no regular file: a device may never end, and a
        pipe may never begin.
    """
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(number, "rb") as file:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "is no regular file", str(path))
        content = file.read(most + 1) if found.st_size <= most else b""
        if found.st_size > most or len(content) > most:
            raise OSError(errno.EFBIG, f"is larger than {most:,} bytes", str(path))
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
    """Build a value of an attrs class from a table.

    Args:
        data: the table as `tomllib` reads it.
        shape: an attrs class whose attributes are the table's keys.
        where: the table's own key, for the errors.

    Raises:
        SchemaError: if a key is unknown or missing, or its value does not fit.
    """
    if not isinstance(data, Mapping):
        raise _expected("a table", data, where)
    fields = {
        field.metadata.get(_ALIAS, name): field
        for name, field in attrs.fields_dict(attrs.resolve_types(shape)).items()  # type: ignore[type-var, arg-type]  # T is an attrs class
    }
    data = _with_new_names(data, fields, where)
    for name in data:
        if name not in fields:
            raise _unknown(name, tuple(fields), where)
    for name, field in fields.items():
        if field.default is attrs.NOTHING and name not in data:
            raise SchemaError(f"{_join(where, name)} is missing: expected {_describe(field)}")
    values = {
        fields[name].name: _value(value, fields[name], _join(where, name))
        for name, value in data.items()
    }
    try:
        return shape(**values)
    except ValueError as error:  # from a validator of the whole class
        raise SchemaError(f"{where}: {error.args[0]}" if where else str(error.args[0])) from error


def _with_new_names(
    data: Mapping[str, Any], fields: Mapping[str, attrs.Attribute[Any]], where: str
) -> Mapping[str, Any]:
    """The table with old names of renamed keys replaced; each is noted in the log."""
    new = {field.metadata[_OLD]: name for name, field in fields.items() if _OLD in field.metadata}
    for old in new.keys() & data.keys():
        if new[old] in data:
            raise SchemaError(f"{_join(where, old)} is the old name of {new[old]}: use only one")
        _LOG.warning("%s is now called %s", _join(where, old), new[old])
    return {new.get(name, name): value for name, value in data.items()}


def _value(value: Any, field: attrs.Attribute[Any], where: str) -> Any:
    read = _read(value, field.type, where, _describe(field))
    if isinstance(field.validator, Between | OneOf):
        try:
            field.validator(None, field, read)
        except ValueError as error:
            raise _expected(_describe(field), value, where) from error
    return read


def _read(value: Any, kind: Any, where: str, expected: str) -> Any:
    """Check a key's value against the type of its attribute."""
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
    if attrs.has(kind):
        return structure(value, kind, where)
    if kind is float and type(value) is int:
        value = float(value)
    if kind is not Any and type(value) is not kind:
        raise _expected(expected, value, where)
    if kind is float and not math.isfinite(value):
        raise _expected(expected, value, where)
    return value


def _describe(field: attrs.Attribute[Any]) -> str:
    kind = _kind(field.type)
    if isinstance(field.validator, Between):
        kind = kind.replace(" numbers", f" numbers of {field.validator}")
        return kind if "numbers of" in kind else f"{kind} of {field.validator}"
    return str(field.validator) if isinstance(field.validator, OneOf) else kind


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
