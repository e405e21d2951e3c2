"""The configuration: one TOML file, checked before anything starts.

Every key is an attribute of a frozen class here or of a driver's own `Options`; an error names the
file, the key and what was allowed, and nothing has started then.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType, NoneType, UnionType
from typing import Any, Final, Literal, get_args, get_origin

import attrs

from boardctl.app.night import Options as Night
from boardctl.drivers.budget import Options as Power
from boardctl.mqtt import Options as Mqtt
from boardctl.web import Options as Page

DEFAULT_PATHS: Final = (Path("~/.config/boardctl/config.toml"), Path("/etc/boardctl/config.toml"))
_NOT_DRIVERS: Final = frozenset(
    {"background_display", "debounce", "ports", "serial_protocol", "budget", "virtual", "wires"}
)


class ConfigError(Exception):
    """A configuration that can not be used; the message is one sentence."""

    def __init__(self, sentence: str) -> None:
        """What no line of text can show, such as a line's end in a key, is told by its escape."""
        super().__init__("".join(c if c.isprintable() else repr(c)[1:-1] for c in sentence))


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
    night: Night = attrs.field(factory=Night)
    mqtt: Mqtt = attrs.field(factory=Mqtt)
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
    allowed = attrs.fields_dict(attrs.resolve_types(shape))
    extra = sorted(set(data) - set(allowed))
    if extra:
        raise _error(f"unknown key {', '.join(extra)}; allowed are {', '.join(allowed)}", where)
    for name, field in allowed.items():
        if field.default is attrs.NOTHING and name not in data:
            raise _error(f"{name} is missing", where)
    values = {
        name: _value(value, allowed[name].type, f"{where}.{name}" if where else name)
        for name, value in data.items()
    }
    try:
        return shape(**values)
    except ValueError as error:  # attrs' own validators
        raise _error(str(error.args[0]), where) from error


def _value(value: Any, kind: Any, where: str) -> Any:
    """What a key says, as the type of its attribute; no silent conversions: a port is a number,
    not the text of one."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:  # `X | None`: the key may be left out, and TOML has no null
        kind = next(one for one in inner if one is not NoneType)
        return _value(value, kind, where)
    if origin is Literal:
        if value not in inner or isinstance(value, bool):
            raise _error(f"must be one of {', '.join(map(str, inner))}", where)
        return value
    if origin is tuple:
        if not isinstance(value, list):
            raise _error(f"{value!r} is no list", where)
        return tuple(_value(item, inner[0], where) for item in value)
    if origin is Mapping or attrs.has(kind):
        if not isinstance(value, dict):
            raise _error(f"{value!r} is no table", where)
        if attrs.has(kind):
            return _structure(value, kind, where)
        return {name: _value(item, inner[1], f"{where}.{name}") for name, item in value.items()}
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise _error(f"{value!r} is no {_KINDS[kind]}", where)
    return value


def _error(what: str, where: str) -> ConfigError:
    return ConfigError(f"{what} @ {where or 'top'}")


_KINDS: Final = {str: "text", bool: "true or false", int: "whole number", float: "number"}
