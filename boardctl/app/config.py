"""The configuration: one TOML file, checked before anything starts.

Every key is an attribute of a frozen class in this module or of a driver's `Options`. An error
names the file, the key and the allowed values.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, Final

from boardctl import features, games, modules
from boardctl.app.night import Options as Night
from boardctl.board.shape import Layout
from boardctl.drivers import budget
from boardctl.drivers.budget import Options as Power
from boardctl.message import Message
from boardctl.options import OneOf, SchemaError, as_toml, expected, one_of, read_toml, structure
from boardctl.record.names import name_key
from boardctl.text import LANGUAGES, SpokenError
from boardctl.web import Options as Page

_log: Final = logging.getLogger(__name__)

_NOT_DRIVERS: Final = frozenset(
    {
        "background_display",
        "debounce",
        "header",
        "inputs",
        "ports",
        "serial_protocol",
        "budget",
        "virtual",
        "wires",
    }
)


class ConfigError(SpokenError, SchemaError):
    """A configuration that cannot be used."""


@dataclass(frozen=True)
class Preset:
    """`[[preset]]`: a named set of rule options."""

    name: str
    game: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """The driver of one part, and the driver's options: `[leds]`, `[keys]`, `[display]` or
    `[voice]`."""

    driver: str
    options: Any


@dataclass(frozen=True, eq=False, repr=False)  # `Config` has both
class CoreConfig:
    """The configuration without the features' parts."""

    layout: str = "classic-2"
    game: str = "cribbage"
    language: Annotated[str, OneOf(LANGUAGES)] = "en"
    telling: games.Telling = "hands"
    players: tuple[str, ...] = ("Ann", "Bob", "Cleo", "Dan")
    seats: Annotated[int, OneOf((2, 3, 4))] = 2
    match: int | None = None
    preset: tuple[Preset, ...] = ()
    page: Page = field(default_factory=Page)
    power: Power = field(default_factory=Power)
    night: Night = field(default_factory=Night)
    leds: Part | None = None
    keys: Part | None = None
    display: Part | None = None
    voice: Part | None = None


if TYPE_CHECKING:

    class Config(CoreConfig):
        """The complete configuration: the board's own keys, and a key for each feature with its
        options."""

        def __init__(self, **keys: Any) -> None: ...

        def __getattr__(self, key: str) -> Any: ...

else:
    Config = make_dataclass(
        "Config",
        [
            (key, kind, field(default_factory=kind))
            for feature in features.installed()
            for key, kind in feature.options.items()
        ],
        bases=(CoreConfig,),
        frozen=True,
    )


PARTS: Final = ("leds", "keys", "display", "voice")
"""The parts of a board. Each driver module lists in `PARTS` the parts it can provide, and in
`INTERFACE` the machine's interfaces that it needs: `spi`, `gpio`, `i2c`, `serial`, `evdev`."""


def drivers() -> tuple[str, ...]:
    """Return the names of the drivers, one for each module in `boardctl.drivers`."""
    from boardctl import drivers as package

    return _drivers(tuple(package.__path__))


@cache
def _drivers(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in modules.names(path) if name not in _NOT_DRIVERS)


def driver(name: str) -> ModuleType:
    """Return a driver's module. Raises ConfigError if there is no driver with this name."""
    if name not in drivers():
        raise ConfigError("no-driver", name=name, allowed=", ".join(drivers()))
    return import_module(f"boardctl.drivers.{name}")


def part(name: str, **options: Any) -> Part:
    """Return a part with default options, by its driver's name. Raises ConfigError if there is no
    such driver."""
    return _part("", {"driver": name, **options})


def load(path: Path) -> Config:
    """Read and check a config file. Raises ConfigError if the file is not valid."""
    try:
        return parse(read_toml(path))
    except SchemaError as error:
        raise ConfigError.of(error).at(path) from error


def parse(data: dict[str, Any]) -> Config:
    """Check the data of a config file. Raises ConfigError with the key and the allowed values."""
    data = dict(data)
    try:
        parts: dict[str, Any] = {n: _part(n, data.pop(n)) for n in PARTS if n in data}
        config = replace(structure(data, Config), **_joined(parts))
    except ConfigError:
        raise
    except SchemaError as error:
        raise ConfigError.of(error) from error
    _check_table(config)
    if config.power.milliamps > budget.MOST:
        _log.warning(
            "power.milliamps: 1 to %d are allowed, as a supply and a fuse of %d A carry for hours; "
            "%d is read as %d",
            budget.MOST,
            budget.SUPPLIES[-1],
            config.power.milliamps,
            budget.MOST,
        )
        config = replace(config, power=replace(config.power, milliamps=budget.MOST))
    return config


def _check_table(config: Config) -> None:
    """Check rules that involve several keys: a known game, distinct players, and a possible number
    of seats."""
    for where, name in [("game", config.game)] + [
        (f"preset {n}.game", preset.game) for n, preset in enumerate(config.preset, 1)
    ]:
        if name not in games.names():
            raise _expected(one_of(games.names()), name, where)
    game = games.find(config.game)
    for n, name in enumerate(config.players, 1):
        if not name.strip() or name != name.strip() or not name.isprintable() or "#" in name:
            raise _expected(Message("allowed", "name"), name, f"players {n}")
    keys = [name_key(name) for name in config.players]
    for name in config.players:
        if keys.count(name_key(name)) > 1:
            raise ConfigError("repeated-name", "players", name=as_toml(name))
    if config.seats not in game.seats:
        fields = {"game_name": config.game, "players": game.seats, "count": config.seats}
        raise ConfigError("seats", "seats", **fields)
    if len(config.players) < config.seats:
        fields = {"seats": config.seats, "count": len(config.players)}
        raise ConfigError("too-few-names", "players", **fields)


def check_layout(config: Config, layout: Layout) -> None:
    """Raise ConfigError if the players do not fit on the board's tracks."""
    sides = 2 if config.seats == 4 else config.seats
    if sides > layout.tracks:
        fields = {"sides": sides, "tracks": layout.tracks, "layout": layout.name}
        raise ConfigError("too-few-tracks", "seats", **fields)


def _expected(what: Message, value: object, where: str) -> ConfigError:
    return ConfigError.of(expected(what, value, where))


def _joined(parts: dict[str, Any]) -> dict[str, Any]:
    """Share the options of a device that is both a strip and a keypad. `[leds]` contains them, and
    `[keys]` names only the driver. Raises ConfigError if both tables contain options and these
    differ."""
    leds, keys = parts.get("leds"), parts.get("keys")
    if leds is None or keys is None or leds.driver != keys.driver or leds == keys:
        return parts
    if keys != part(keys.driver):
        raise ConfigError("one-board", driver=leds.driver)
    return parts | {"keys": leds}


def roles(config: Config) -> dict[Part, tuple[str, ...]]:
    """Return each part of a board once, with its roles. A microcontroller may be both a strip and a
    keypad."""
    named = {name: getattr(config, name) for name in PARTS}
    found = dict.fromkeys(part for part in named.values() if part is not None)
    return {part: tuple(name for name, one in named.items() if one == part) for part in found}


def _part(where: str, table: Any) -> Part:
    if not isinstance(table, dict):
        raise _expected(Message("allowed", "table"), table, where)
    table = dict(table)
    name = table.pop("driver", None)
    if name not in drivers() or (where and where not in driver(name).PARTS):
        able = one_of(one for one in drivers() if not where or where in driver(one).PARTS)
        key = f"{where}.driver".removeprefix(".")
        if name is None:
            raise ConfigError("missing", key, expected=able)
        raise _expected(able, name, key)
    return Part(name, structure(table, driver(name).Options, where))
