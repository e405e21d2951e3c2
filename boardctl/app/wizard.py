"""The setup wizard: detect what is attached and write a config file.

The questions are asked by whoever calls, `boardctl setup` or the page; here are the questions, what
can be found, and how the answers are written down.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardctl.app.config import Config, ConfigError, check_layout, parse
from boardctl.app.doctor import Machine
from boardctl.drivers import budget
from boardctl.options import LONGEST, read_file
from boardctl.storage import files
from boardctl.text import LANGUAGES

_READABLE: Final = 0o644
"""The service reads the config and does not own it."""
LEDS: Final = ("ws2812_spi", "apa102_spi", "serial_board", "adalight", "wled")
KEYS: Final = ("gpio_matrix", "gpio_buttons", "usb_numpad", "serial_board")
DISPLAYS: Final = ("", "oled", "lcd")
YES: Final = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    `name` is the key of the configuration that it answers, and with `setup.` before it the code of
    its sentence; `usual` what is suggested; `choices` what may be answered, None if anything
    may be written. The sentence of a choice is `setup.NAME.CHOICE`, that of none `setup.none`.
    """

    name: str
    usual: str
    choices: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Attached:
    """Devices found on a machine: device files, and the names of input devices."""

    spi: tuple[str, ...] = ()
    i2c: tuple[str, ...] = ()
    serial: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()

    def tell(self) -> str:
        """The devices as text, one line per kind."""
        kinds = {"SPI": self.spi, "I2C": self.i2c, "serial": self.serial, "keyboards": self.inputs}
        return "\n".join(f"{kind:<10} {', '.join(found) or '-'}" for kind, found in kinds.items())


def look(machine: Machine) -> Attached:
    """Find attached devices, as far as this user may see them."""

    def devices(*patterns: str) -> tuple[str, ...]:
        folder = machine.path("dev")
        found = {path for pattern in patterns for path in folder.glob(pattern)}
        return tuple(f"/dev/{path.relative_to(folder)}" for path in sorted(found))

    told = machine.read("proc/bus/input/devices") or ""
    names = [line[9:].strip('"') for line in told.splitlines() if line.startswith('N: Name="')]
    return Attached(
        spi=devices("spidev*"),
        i2c=devices("i2c-*"),
        serial=devices("serial/by-id/*", "ttyACM*", "ttyUSB*"),
        inputs=tuple(names),
    )


def suggest(attached: Attached) -> tuple[str, str]:
    """The drivers for LEDs and keys that fit the attached devices."""
    leds = "ws2812_spi" if attached.spi else "serial_board" if attached.serial else "wled"
    pad = any("pad" in name.lower() for name in attached.inputs)
    if leds == "serial_board" and not pad:
        return leds, "serial_board"
    return leds, "usb_numpad" if pad else "gpio_matrix"


def questions(
    attached: Attached, answers: Mapping[str, str], known: Mapping[str, Any] | None = None
) -> tuple[Question, ...]:
    """The questions that these answers lead to, in order. One that is not answered counts as its
    usual answer.

    Args:
        attached: what `look` found.
        answers: by the questions' names.
        known: the configuration that is there, whose answers are suggested again.
    """
    from boardctl.board import layout

    asked: list[Question] = []
    before = _flat(known or {})

    def ask(name: str, usual: str, choices: tuple[str, ...] | None = None) -> str:
        usual = before.get(name, usual)
        asked.append(
            Question(name, usual if choices is None or usual in choices else choices[0], choices)
        )
        return answers.get(name, asked[-1].usual)

    leds, keys = suggest(attached)
    ask("layout", "classic-2", tuple(layout.names()))
    ask("players", "Ann, Bob")
    ask("language", "en", LANGUAGES)
    leds = ask("leds.driver", leds, LEDS)
    _ask_where("leds", leds, attached, ask)
    keys = ask("keys.driver", "serial_board" if leds == "serial_board" else keys, KEYS)
    if keys != leds:
        _ask_where("keys", keys, attached, ask)
    ask("display.driver", "oled" if attached.i2c else "", DISPLAYS)
    ask("power.supply", _supply(budget.Options().milliamps))
    ask("night.begins", "")
    ask("phones", "no", YES)
    return tuple(asked)


def _ask_where(part: str, driver: str, attached: Attached, ask: Callable[[str, str], str]) -> None:
    """The one thing about a driver that cannot be guessed."""
    if driver in ("serial_board", "adalight"):
        ask(f"{part}.port", attached.serial[0] if attached.serial else "/dev/ttyUSB0")
    if driver == "wled":
        ask(f"{part}.host", "wled.local")
    if driver == "usb_numpad":
        pads = [name for name in attached.inputs if "pad" in name.lower()]
        ask(f"{part}.device", pads[0] if pads else "keypad")


def _flat(known: Mapping[str, Any]) -> dict[str, str]:
    """A configuration as answers."""
    found: dict[str, str] = {}
    for name, value in known.items():
        if isinstance(value, Mapping):
            found |= {f"{name}.{key}": str(one) for key, one in value.items()}
        else:
            found[name] = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    if "power.milliamps" in found:
        found["power.supply"] = _supply(known["power"]["milliamps"])
    if "page.host" in found:
        found["phones"] = "no" if found["page.host"] in ("127.0.0.1", "localhost") else "yes"
    return found


def _supply(budget_: Any) -> str:
    """The milliamps of the supply that goes with a budget, as the parts list names it; empty for
    what is no budget."""
    amperes = budget.supply(budget_ / 1000) if isinstance(budget_, int) else None
    return "" if amperes is None else str(round(1000 * amperes))


def _milliamps(answer: str) -> int:
    """Raises ConfigError for an answer that is no current of a supply."""
    least, most = 500, round(1000 * budget.SUPPLIES[-1])
    if not (answer.isdecimal() and answer.isascii() and least <= int(answer) <= most):
        raise ConfigError(
            f"power.supply: expected milliamps from {least} to {most}, got {answer!r}"
        )
    return int(answer)


def settle(
    asked: Sequence[Question], answers: Mapping[str, str], known: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The configuration of these answers, as tables. What was not asked for stays as `known` has
    it, but for the settings of a part that is another one now.

    Raises:
        ConfigError: an answer that is no answer.
    """
    config: dict[str, Any] = {
        name: dict(value) if isinstance(value, Mapping) else value
        for name, value in (known or {}).items()
    }
    told = {question.name: answers.get(question.name, question.usual).strip() for question in asked}
    for part in ("leds", "keys", "display"):
        if config.get(part, {}).get("driver") != told[f"{part}.driver"]:
            config.pop(part, None)
    for name, answer in told.items():
        table, _, key = name.rpartition(".")
        if name == "players":
            config[name] = [one.strip() for one in answer.split(",") if one.strip()]
        elif name == "phones":
            config.setdefault("page", {})["host"] = "0.0.0.0" if answer == "yes" else "127.0.0.1"
        elif name == "power.supply":
            if answer != _supply(config.get("power", {}).get("milliamps")):
                config.setdefault(table, {})["milliamps"] = budget.from_supply(_milliamps(answer))
        elif not table:
            config[key] = answer
        elif answer:
            config.setdefault(table, {})[key] = answer
        elif table in config:
            config[table].pop(key, None)
    if config["keys"]["driver"] == config["leds"]["driver"]:
        config["keys"] = config["leds"]
    if config.get("seats", 2) > len(config["players"]) >= 2:
        config["seats"] = len(config["players"])
    return {name: value for name, value in config.items() if value != {}}


def compose(answers: Mapping[str, Any]) -> str:
    """The text of a config file with these answers; a dictionary becomes a TOML table.

    Raises:
        ConfigError: if the daemon would reject the configuration.
    """
    import tomli_w

    text = "# Written by `boardctl setup`.\n" + tomli_w.dumps(answers)
    check(text)
    return text


def check(text: str) -> Config:
    """What the daemon would make of it, its layout included. Raises ConfigError."""
    import tomllib

    from boardctl.board import layout

    config = parse(tomllib.loads(text))
    try:
        check_layout(config, layout.load(config.layout))
    except layout.LayoutError as error:
        raise ConfigError(str(error)) from error
    return config


def write(path: Path, text: str) -> Path | None:
    """Write the file and keep an existing one next to it; returns the kept file, if any.

    Raises:
        OSError: if it cannot be written.
    """
    files.make_directory(path.parent, 0o755)
    found = path.parent.stat()
    user = found.st_uid, found.st_gid
    kept = None
    if path.exists():
        if not path.is_file():
            raise OSError(errno.EINVAL, "not a regular file")
        kept = path.with_name(path.name + ".old")
        files.replace(kept, read_file(path, LONGEST), _READABLE, user)
    files.replace(path, text.encode(), _READABLE, user)
    return kept
