"""Options: TOML tables read into frozen dataclasses, for the config and for layouts. This module
also reads files within limits, and reports missing optional packages with the extra that provides
them.

The fields of a class are the keys that its table may have, with their types. An `Annotated` type
also states the allowed values (`Between`, `OneOf`) or another name for the key (`Key`, `Renamed`).
Nothing is converted silently: a port is a number, not a string. An error contains the code and
fields of a sentence in `boardctl.text`, which states the key, the expected value and the value
found.
"""

from __future__ import annotations

import errno
import logging
import math
import os
import re
import stat
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from boardctl.message import Message

_LOG: Final = logging.getLogger(__name__)
T = TypeVar("T")
_KINDS: Final = {str: "string", bool: "boolean", int: "integer", float: "number"}


class CodedError(Exception):
    """An error that `boardctl.text.sentence` puts into words.

    `where` is the file, key or line with the error, or empty if the sentence already names it.
    """

    kind: ClassVar[str] = "failure"
    """The kind of its sentence."""

    def __init__(self, code: str, /, where: object = "", **fields: Any) -> None:
        """Args:
        code: the code of the sentence.
        fields: its fields.
        """
        super().__init__(code)
        self.message = Message(self.kind, code, fields)
        self.where = str(where)

    @property
    def code(self) -> str:
        """The code of the error's message."""
        return self.message.code

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields of the error's message."""
        return self.message.fields

    @classmethod
    def of(cls, error: CodedError) -> Self:
        """Return an error of this class with another error's message."""
        return cls(error.code, error.where, **error.fields)

    def at(self, where: object) -> Self:
        """Prepend the name of a place to the error's place, and return the error."""
        self.where = f"{where}: {self.where}" if self.where else str(where)
        return self

    def __str__(self) -> str:
        """Return the code and its place, for a log."""
        return " ".join(filter(None, (self.where, self.code, *map(str, self.fields.values()))))


class SchemaError(CodedError, ValueError):
    """A table that cannot be read."""


class Between(NamedTuple):
    """The constraint that a number, or every number in a list, is from `least` to `most`."""

    least: float
    most: float = math.inf

    def allows(self, value: Any) -> bool:
        """Return whether a value, a list of values or a list of lists is within the limits."""
        if isinstance(value, tuple):
            return all(map(self.allows, value))
        return value is None or bool(self.least <= value <= self.most)

    def words(self, kind: Message) -> Message:
        """Return the allowed values in words: the kind of value and its limits."""
        fields = {"kind": kind, "least": f"{self.least:g}", "most": f"{self.most:g}"}
        return _words("at-least" if self.most == math.inf else "between", **fields)


class OneOf(NamedTuple):
    """The constraint that a value is one of certain values."""

    values: tuple[Any, ...]

    def allows(self, value: Any) -> bool:
        """Return whether a value is allowed."""
        return value in self.values

    def words(self, kind: Message) -> Message:
        """Return the allowed values in words."""
        return one_of(self.values)


class Key(NamedTuple):
    """The key of a field whose name must differ from it, for keys such as `from`."""

    name: str


class Renamed(NamedTuple):
    """The old name of a key. It is still accepted, and its use is logged."""

    old: str


LONGEST: Final = 1_000_000
"""The maximum size of a TOML file in bytes."""


NOT_A_FILE: Final = "it is not a regular file"
"""The reason of an OSError if the file's name belongs to something other than a file."""


class TooLargeError(OSError):
    """The error for a file of more than `most` bytes."""

    def __init__(self, path: Path, most: int) -> None:
        super().__init__(errno.EFBIG, f"it is larger than {most:,} bytes", str(path))
        self.most = most


def read_file(path: Path, most: int) -> bytes:
    """Return the content of a file of at most `most` bytes.

    Raises:
        OSError: it cannot be read, is longer, or is not a regular file: a device may never end, and
            a
        pipe may never begin.
    """
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    found = os.fstat(number)
    if not stat.S_ISREG(found.st_mode):  # for a folder, `fdopen` would name only the number
        os.close(number)
        raise OSError(errno.EINVAL, NOT_A_FILE, str(path))
    with os.fdopen(number, "rb") as file:
        content = file.read(most + 1) if found.st_size <= most else b""
        if found.st_size > most or len(content) > most:
            raise TooLargeError(path, most)
    return content


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        SchemaError: if it cannot be read, is too long, or is not valid TOML.
    """
    try:
        data = read_file(path, LONGEST)
    except OSError as error:
        raise SchemaError("unreadable", reason=error) from error
    try:
        # editors on Windows begin with a byte order mark
        return tomllib.loads(data.decode("utf-8-sig"))
    except RecursionError as error:
        raise SchemaError("toml-deep") from error
    except UnicodeDecodeError as error:
        raise SchemaError("toml-not-utf-8", byte=error.start + 1) from error
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        if place is None:
            raise SchemaError("toml-end") from error
        raise SchemaError("toml", line=place[1], column=place[2]) from error


def structure(data: Any, shape: type[T], where: str = "") -> T:
    """Build a value of a dataclass from a table.

    Args:
        data: the table from `tomllib`.
        shape: a dataclass whose fields are the table's keys.
        where: the table's own key, for the errors.

    Raises:
        SchemaError: if a key is unknown or missing, or its value does not fit.
    """
    if not isinstance(data, Mapping):
        raise expected(_words("table"), data, where)
    keys = _keys(shape)  # type: ignore[arg-type]  # a class is hashable
    data = _with_new_names(data, keys, where)
    for name in data:
        if name not in keys:
            raise _unknown(name, tuple(keys), where)
    for name, key in keys.items():
        if key.needed and name not in data:
            raise SchemaError("missing", _join(where, name), expected=_describe(key))
    values = {
        keys[name].field: _value(value, keys[name], _join(where, name))
        for name, value in data.items()
    }
    try:
        return shape(**values)
    except SchemaError as error:  # from a check of the whole class
        if where:
            error.at(where)
        raise


class _Key(NamedTuple):
    """A key of a table: its field, type, limits and old name."""

    field: str
    kind: Any
    needed: bool
    limit: Between | OneOf | None
    old: str


@cache
def _keys(shape: type) -> dict[str, _Key]:
    """Return the keys of a dataclass's table, in order."""
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
    """Return the type and the other arguments of an `Annotated` type."""
    return get_args(hint) if get_origin(hint) is Annotated else (hint,)


def _with_new_names(
    data: Mapping[str, Any], keys: Mapping[str, _Key], where: str
) -> Mapping[str, Any]:
    """Return the table after replacing the old names of renamed keys. Every replacement is
    logged."""
    new = {key.old: name for name, key in keys.items() if key.old}
    for old in new.keys() & data.keys():
        if new[old] in data:
            raise SchemaError("old-name", _join(where, old), new=new[old])
        _LOG.warning("%s is now called %s", _join(where, old), new[old])
    return {new.get(name, name): value for name, value in data.items()}


def _value(value: Any, key: _Key, where: str) -> Any:
    describe = partial(_describe, key)
    read = _read(value, key.kind, where, describe)
    if key.limit is not None and not key.limit.allows(read):
        raise expected(describe(), value, where)
    return read


def _read(value: Any, kind: Any, where: str, describe: Callable[[], Message]) -> Any:
    """Check a key's value against the type of its field. `describe` returns what is allowed."""
    if type(value) is kind and kind is not float:  # most values
        return value
    if kind is float and type(value) in (int, float) and abs(value) <= sys.float_info.max:
        return float(value)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:  # `X | None`: the key may be omitted, because TOML has no null
        kind = next(one for one in inner if one is not NoneType)
        return _read(value, kind, where, describe)
    if origin is Literal and not isinstance(value, bool) and value in inner:
        return value
    if origin is tuple and isinstance(value, list):
        if inner[-1] is Ellipsis:
            item = inner[0]
            describe = partial(_kind, item)
            return tuple(
                _read(one, item, f"{where} {n}", describe) for n, one in enumerate(value, 1)
            )
        if len(value) == len(inner):
            return tuple(
                _read(one, item, where, describe) for one, item in zip(value, inner, strict=True)
            )
    if origin is Mapping and isinstance(value, Mapping):
        describe = partial(_kind, inner[1])
        return {
            name: _read(item, inner[1], _join(where, name), describe)
            for name, item in value.items()
        }
    if isinstance(kind, type) and is_dataclass(kind):
        return structure(value, kind, where)
    if kind is Any:
        return value
    raise expected(describe(), value, where)


def _describe(key: _Key) -> Message:
    kind = _kind(key.kind)
    return kind if key.limit is None else key.limit.words(kind)


def _kind(kind: Any) -> Message:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return _kind(next(one for one in inner if one is not NoneType))
    if origin is Literal:
        return one_of(inner)
    if origin is tuple:
        return _words("list") if inner[-1] is Ellipsis else _words("numbers", count=len(inner))
    return _words(_KINDS.get(kind, "table"))


def _words(code: str, **fields: object) -> Message:
    return Message("allowed", code, fields)


def one_of(values: Iterable[object]) -> Message:
    """Return a list of allowed values in words."""
    return _words("one-of", values=", ".join(map(str, values)))


def as_toml(value: Any) -> str:
    """Return a value in TOML notation: `true`, `'Ann'`, `[1, 2]`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} = {as_toml(one)}' for key, one in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(as_toml, value))}]"
    return repr(value) if isinstance(value, str) else str(value)


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def expected(what: Message, value: object, where: str) -> SchemaError:
    """Return the error for a key whose value is not allowed."""
    return SchemaError("expected", where, expected=what, value=as_toml(value))


def _unknown(name: str, allowed: tuple[str, ...], where: str) -> SchemaError:
    from difflib import get_close_matches

    close = get_close_matches(name, allowed, 1)
    fields = {"key": name, "allowed": ", ".join(allowed)}
    if close:
        return SchemaError("unknown-key-near", where, near=close[0], **fields)
    return SchemaError("unknown-key", where, **fields)


class MissingPackageError(CodedError):
    """The error for a missing package that an optional part needs."""


@contextmanager
def needs(part: str, extra: str) -> Iterator[None]:
    """Return a context manager for importing an optional part.

    Args:
        part: its code, a sentence of kind `part` that is the sentence's subject: `pdf`.
        extra: the extra of pyproject.toml with its packages: `drawings`.

    Raises:
        MissingPackageError: if a package cannot be imported.
    """
    try:
        yield
    except ImportError as error:
        raise MissingPackageError(
            "package", part=Message("part", part), package=error.name, extra=extra
        ) from error
