"""The configuration: one TOML file, checked before anything starts.

Every key is an attribute of a frozen class here or of a driver's own `Options`; an error names the
file, the key and what was allowed, and nothing has started then. Called by `daemon`, `simulate`,
`setup` and the drawings.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final, Literal, get_args, get_origin

import attrs

from boardctl.drivers.budget import Options as Power
from boardctl.web import Options as Page

DEFAULT_PATHS: Final = (Path("~/.config/boardctl/config.toml"), Path("/etc/boardctl/config.toml"))
_NOT_DRIVERS: Final = frozenset({"wires", "virtual", "budget"})


class ConfigError(Exception):
    """A configuration that can not be used; the message is one sentence."""


@attrs.frozen
class Preset:
    """`[[preset]]`: a house's own rules by name."""

    name: str
    game: str
    options: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class Part:
    """`[leds]`, `[keys]`, `[display]` or `[voice]`: a driver and what it was told."""

    driver: str
    options: Any


@attrs.frozen
class Config:
    """The whole configuration."""

    layout: str = "classic-2"
    game: str = "cribbage"
    language: Literal["en", "ja"] = "en"
    telling: Literal["points", "hands", "cards"] = "hands"
    players: tuple[str, ...] = ("Ann", "Bob", "Cleo", "Dan")
    seats: int = attrs.field(default=2, validator=attrs.validators.in_((2, 3, 4)))
    match: int | None = None
    preset: tuple[Preset, ...] = ()
    page: Page = attrs.field(factory=Page)
    power: Power = attrs.field(factory=Power)
    leds: Part | None = None
    keys: Part | None = None
    display: Part | None = None
    voice: Part | None = None


PARTS: Final[tuple[str, ...]] = ("leds", "keys", "display", "voice")


def drivers() -> tuple[str, ...]:
    """The drivers there are: one for each file in `boardctl.drivers`."""
    from boardctl import drivers as package

    return tuple(
        sorted(m.name for m in iter_modules(package.__path__) if m.name not in _NOT_DRIVERS)
    )


def driver(name: str) -> ModuleType:
    """A driver's module. Raises ConfigError where there is none of that name."""
    if name not in drivers():
        raise ConfigError(f"there is no driver {name!r}; there are {', '.join(drivers())}")
    return import_module(f"boardctl.drivers.{name}")


def part(name: str, **options: Any) -> Part:
    """A part by its driver's name. Raises ConfigError."""
    return _part("", {"driver": name, **options})


def find() -> Path | None:
    """The configuration of this machine, None where nothing is configured."""
    paths = (path.expanduser() for path in DEFAULT_PATHS)
    return next((path for path in paths if path.is_file()), None)


def load(path: Path) -> Config:
    """Read and check a file. Raises ConfigError."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: can not be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: is no TOML: {error}") from error
    try:
        return parse(data)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def parse(data: dict[str, Any]) -> Config:
    """Check a configuration already read. Raises ConfigError naming key and what was allowed."""
    data = dict(data)
    parts: dict[str, Any] = {name: _part(name, data.pop(name)) for name in PARTS if name in data}
    config: Config = _structure(data, Config, "")
    return attrs.evolve(config, **_joined(parts))


def _joined(parts: dict[str, Any]) -> dict[str, Any]:
    """A board that is strip and keypad at once is described once, in `[leds]`; `[keys]` names its
    driver. Raises ConfigError where both describe it, and not alike."""
    leds, keys = parts.get("leds"), parts.get("keys")
    if leds is None or keys is None or leds.driver != keys.driver or leds == keys:
        return parts
    if keys != part(keys.driver):
        raise ConfigError(
            f"[leds] and [keys] are one {leds.driver}: say in [leds] what there is to say of it, "
            "and in [keys] only its driver"
        )
    return parts | {"keys": leds}


def _part(where: str, table: Any) -> Part:
    if not isinstance(table, dict):
        raise ConfigError(f"{where} must be a table: [{where}]")
    table = dict(table)
    name = table.pop("driver", None)
    if not isinstance(name, str):
        raise ConfigError(f"[{where}] has no driver; there are {', '.join(drivers())}")
    return Part(name, _structure(table, driver(name).Options, where))


def _structure(data: Mapping[str, Any], shape: Any, where: str) -> Any:
    """An attrs class from a table, with errors as sentences."""
    import cattrs
    from cattrs.strategies import configure_union_passthrough

    converter = cattrs.Converter(forbid_extra_keys=True)
    configure_union_passthrough(str | bool | int | float | None, converter)
    for kind in (str, bool, int, float):
        converter.register_structure_hook(kind, _exactly)
    converter.register_structure_hook_factory(
        _is_list,
        lambda kind: (
            lambda value, _: tuple(
                converter.structure(item, get_args(kind)[0]) for item in _list(value)
            )
        ),
    )
    try:
        return converter.structure(data, shape)
    except (cattrs.BaseValidationError, cattrs.StructureHandlerNotFoundError) as error:
        told = cattrs.transform_error(error, format_exception=_sentence)
        first = told[0].replace("$.", f"{where}." if where else "").replace("$", where or "top")
        raise ConfigError(first) from error


def _exactly(value: Any, kind: type) -> Any:
    """No silent conversions: a port is a number, not the text of one."""
    good = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not good:
        raise TypeError(f"{value!r} is no {_KINDS[kind]}")
    return value


def _is_list(kind: object) -> bool:
    return get_origin(kind) is tuple


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return value


_KINDS: Final = {str: "text", bool: "true or false", int: "whole number", float: "number"}


def _sentence(error: BaseException, kind: Any) -> str:
    import cattrs

    if isinstance(error, cattrs.ForbiddenExtraKeysError):
        extra = ", ".join(sorted(error.extra_fields))
        allowed = ", ".join(a.name for a in attrs.fields(error.cl))
        return f"unknown key {extra}; allowed are {allowed}"
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing"
    if get_origin(kind) is Literal:
        return f"must be one of {', '.join(map(str, get_args(kind)))}"
    if isinstance(error, ValueError) and len(error.args) == 4:  # attrs' own validators
        return str(error.args[0])
    return str(error)
