"""The setup wizard: detect attached devices and write a config file.

The questions are asked by the callers, `boardctl setup` and the page. This module contains the
questions, detects the devices, and converts the answers to a file.
"""

from __future__ import annotations

import errno
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from boardctl import features, text
from boardctl.app.config import Config, ConfigError, check_layout, driver, drivers, parse
from boardctl.app.doctor import Machine
from boardctl.app.night import minute
from boardctl.drivers import budget
from boardctl.message import Message
from boardctl.options import LONGEST, NOT_A_FILE, as_toml, read_file
from boardctl.storage import files
from boardctl.text import LANGUAGES, SpokenError
from boardctl.web import is_loopback

T = TypeVar("T")
_READABLE: Final = 0o644
"""The permissions of the configuration file. The service reads this file but does not own it."""
YES: Final = ("yes", "no")


def providing(part: str) -> tuple[str, ...]:
    """Return the drivers that can provide a part. All drivers are imported, and those with the part
    in their `PARTS` are returned."""
    return tuple(name for name in drivers() if part in driver(name).PARTS)


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    `name` is the configuration key of the answer. Preceded by `setup.`, it is the code of the
    question's sentence. `usual` is the suggested answer. `choices` contains the possible answers,
    or is None for free text. The sentence of a choice is `setup.NAME.CHOICE`, or `setup.none` for
    an empty answer.
    """

    name: str
    usual: str
    choices: tuple[str, ...] | None = None
    secret: bool = False
    """Whether the answer is a password."""


@dataclass(frozen=True, slots=True)
class Attached:
    """The devices found on a machine: device files and the names of input devices. Also says
    whether the machine is a Raspberry Pi."""

    spi: tuple[str, ...] = ()
    i2c: tuple[str, ...] = ()
    serial: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    is_pi: bool = False

    def as_text(self, language: str = "en") -> str:
        """Return the devices as text, one line per kind, in one of `LANGUAGES`."""
        serial, keyboards = (
            text.say(Message("setup", kind), text.Reader(language))
            for kind in ("serial", "keyboards")
        )
        kinds = {"SPI": self.spi, "I2C": self.i2c, serial: self.serial, keyboards: self.inputs}
        return "\n".join(
            f"{text.filled(kind, 10)} {', '.join(found) or '-'}" for kind, found in kinds.items()
        )


def find_attached(machine: Machine) -> Attached:
    """Return the attached devices that this user may see."""

    def devices(*patterns: str) -> tuple[str, ...]:
        folder = machine.path("dev")
        found = {path for pattern in patterns for path in folder.glob(pattern)}
        return tuple(f"/dev/{path.relative_to(folder)}" for path in sorted(found))

    given = machine.read("proc/bus/input/devices") or ""
    names = [line[9:].strip('"') for line in given.splitlines() if line.startswith('N: Name="')]
    return Attached(
        spi=devices("spidev*"),
        i2c=devices("i2c-*"),
        serial=devices("serial/by-id/*", "ttyACM*", "ttyUSB*"),
        inputs=tuple(names),
        is_pi="Raspberry Pi" in (machine.read("proc/device-tree/model") or ""),
    )


def suggest(attached: Attached) -> tuple[str, str]:
    """Return the drivers for LEDs and keys that fit the attached devices."""
    leds = "ws2812_spi" if attached.spi else "serial_board" if attached.serial else "wled"
    if leds == "wled" and attached.is_pi:
        leds = "ws2812_spi"  # its SPI can be switched on
    pad = any("pad" in name.lower() for name in attached.inputs)
    if leds == "serial_board" and not pad:
        return leds, "serial_board"
    return leds, "usb_numpad" if pad else "gpio_matrix"


def questions(
    attached: Attached, answers: Mapping[str, str], known: Mapping[str, Any] | None = None
) -> tuple[Question, ...]:
    """Return the questions that follow from these answers, in order. Unanswered questions count as
    answered in the usual way.

    Args:
        attached: the devices found by `find_attached`.
        answers: the answers, by the questions' names.
        known: the existing configuration, whose answers are suggested again.
    """
    from boardctl.board import layout

    asked: list[Question] = []
    before = _flat(known or {})
    ask_anew = _asking(asked, answers)

    def ask(name: str, usual: str, choices: tuple[str, ...] | None = None) -> str:
        usual = before.get(name, usual)
        usual = usual if choices is None or usual in choices else choices[0]
        return ask_anew(name, usual, choices)

    leds, keys = suggest(attached)
    known_layout = {before.get("layout", "classic-2")}  # perhaps the maker's own layout
    ask("layout", "classic-2", (*layout.names(), *sorted(known_layout - set(layout.names()))))
    ask("players", "Ann, Bob")
    ask("language", "en", LANGUAGES)
    leds = ask("leds.driver", leds, providing("leds"))
    _ask_where("leds", leds, attached, ask)
    keys = ask("keys.driver", "serial_board" if leds == "serial_board" else keys, providing("keys"))
    if keys != leds:
        _ask_where("keys", keys, attached, ask)
    ask("display.driver", "oled" if attached.i2c else "", ("", *providing("display")))
    ask("power.supply", _supply(budget.Options().milliamps))
    ask("night.begins", "")
    ask("phones", "no", YES)

    for added in _from_parts("questions", partial(_asked_by, answers=answers, before=before)):
        asked += added
    return tuple(asked)


def _asking(asked: list[Question], answers: Mapping[str, str]) -> features.Ask:
    """Return a function that adds a question to a list and returns the current answer."""

    def ask(
        name: str, usual: str, choices: tuple[str, ...] | None = None, *, secret: bool = False
    ) -> str:
        question = Question(name, usual, choices, secret)
        asked.append(question)
        return _meant(question, answers.get(name, usual))

    return ask


def _asked_by(
    part: features.SetupPart, *, answers: Mapping[str, str], before: Mapping[str, str]
) -> list[Question]:
    asked: list[Question] = []
    part.questions(before, _asking(asked, answers))
    return asked


def _from_parts(
    hook: str, call: Callable[[features.SetupPart], T | None], *raised: type[Exception]
) -> Iterator[T]:
    """Call each feature's part of the set-up, and yield the results (`features.from_each`)."""

    def called(feature: features.Feature) -> T | None:
        return None if feature.setup is None else call(feature.setup())

    return features.from_each(f"setup {hook}", called, raised=raised)


def _ask_where(part: str, driver: str, attached: Attached, ask: Callable[[str, str], str]) -> None:
    """Return the question about the one property of a driver that cannot be guessed."""
    if driver in ("serial_board", "adalight"):
        ask(f"{part}.port", attached.serial[0] if attached.serial else "/dev/ttyUSB0")
    if driver == "wled":
        ask(f"{part}.host", "wled.local")
    if driver == "usb_numpad":
        pads = [name for name in attached.inputs if "pad" in name.lower()]
        ask(f"{part}.device", pads[0] if pads else "keypad")


def _flat(known: Mapping[str, Any]) -> dict[str, str]:
    """Return a configuration in the form of answers."""
    found: dict[str, str] = {}
    for name, value in known.items():
        if isinstance(value, Mapping):
            found |= {f"{name}.{key}": str(one) for key, one in value.items()}
        else:
            found[name] = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    if "power.milliamps" in found:
        found["power.supply"] = _supply(known["power"]["milliamps"])
    if "page.host" in found:
        found["phones"] = "no" if is_loopback(found["page.host"]) else "yes"
    return found


def _supply(budget_: Any) -> str:
    """Return the current of the supply for a budget, in milliamps, as in the parts list. Return an
    empty string for an impossible budget."""
    amperes = budget.supply(min(budget_, budget.MOST) / 1000) if isinstance(budget_, int) else None
    return "" if amperes is None else str(round(1000 * amperes))


LEAST: Final = 500
MOST: Final = round(1000 * budget.SUPPLIES[-1])
"""The possible currents of a supply in milliamps."""


def _milliamps(answer: str) -> int:
    """Return the milliamps stated in an answer. Raises ConfigError if the answer is not a possible
    supply current."""
    if not (answer.isdecimal() and answer.isascii() and LEAST <= int(answer) <= MOST):
        fields = {"least": LEAST, "most": MOST, "value": as_toml(answer)}
        raise ConfigError("supply", "power.supply", **fields)
    return int(answer)


def chosen(choices: Sequence[str], answer: str) -> str:
    """Return the choice that an answer selects, either by its word or by its number in the list
    (from 1). Any other answer is returned unchanged."""
    typed = unicodedata.normalize("NFKC", answer).strip()
    if typed == "none":
        return ""
    if typed not in choices and typed.isdecimal() and 1 <= int(typed) <= len(choices):
        return choices[int(typed) - 1]
    return typed if typed in choices else answer


def _names(answer: str) -> list[str]:
    return [one.strip() for one in re.split("[,、，]", answer) if one.strip()]


def _meant(question: Question, answer: str) -> str:
    """Return what was meant by a typed answer: without spaces and full-width digits, and empty if
    the answer is the word for none and may be empty."""
    answer = answer.strip()
    if question.choices is not None or question.name in ("power.supply", "night.begins"):
        answer = unicodedata.normalize("NFKC", answer)
    return "" if question.name == "night.begins" and answer.lower() == "none" else answer


def _wrong(question: Question, answer: str) -> tuple[str, dict[str, Any]] | None:
    """Return the fault of an answer considered alone, as the code and fields of a sentence."""
    typed, answer = answer, _meant(question, answer)
    if question.choices is not None and answer not in question.choices:
        choices = tuple(choice or "none" for choice in question.choices)
        return "setup-choice", {"answer": typed.strip(), "choices": choices}
    if question.name == "power.supply":
        if answer != question.usual:
            try:
                _milliamps(answer)
            except ConfigError:
                return "setup-milliamps", {"answer": typed.strip(), "least": LEAST, "most": MOST}
    elif question.name == "night.begins":
        try:
            if answer:
                minute(answer)
        except ValueError:
            return "setup-time", {"answer": typed.strip()}
    elif question.name == "players":
        try:
            parse({"players": _names(answer)})
        except ConfigError:
            return "setup-names", {"answer": typed.strip()}
    return next(_from_parts("wrong", lambda part: part.wrong(question.name, answer)), None)


def objection(
    asked: Sequence[Question],
    answers: Mapping[str, str],
    name: str,
    known: Mapping[str, Any] | None = None,
    language: str = "en",
) -> str | None:
    """Return a sentence with the reason for refusing an answer, or None if the answer is valid or
    missing.

    The answer is checked together with the answers to the previous questions. Later questions count
    as answered in the usual way.

    Args:
        asked: the questions, in their order.
        answers: the typed answers, by the question's name.
        name: of the question.
        known: the existing configuration, as in its file.
        language: the language of the sentence.
    """
    if name not in answers:
        return None
    place = next(n for n, question in enumerate(asked) if question.name == name)
    wrong = _wrong(asked[place], answers[name])
    if wrong is not None:
        return text.say(Message("refusal", *wrong), text.Reader(language))
    before = {
        question.name: answers[question.name]
        for question in asked[:place]
        if question.name in answers and _wrong(question, answers[question.name]) is None
    }
    error = _misfit(asked, {**before, name: answers[name]}, known)
    if error is None or _misfit(asked, before, known) is not None:
        return None  # this answer is not the cause
    return text.say(Message("refusal", "setup-together", {"reason": error}), text.Reader(language))


def _misfit(
    asked: Sequence[Question], answers: Mapping[str, str], known: Mapping[str, Any] | None
) -> ConfigError | None:
    """Return the daemon's reason for rejecting the configuration that results from these answers,
    or None if the daemon would accept it."""
    try:
        compose(settle(asked, answers, known))
    except ConfigError as error:
        return error
    return None


def _set(config: dict[str, Any], name: str, answer: Any) -> None:
    """Store an answer under its key in the configuration."""
    table, _, key = name.rpartition(".")
    if name == "players":
        config[name] = _names(answer)
    elif name == "phones":
        if answer != _flat(config).get(name):
            host = "0.0.0.0" if answer == "yes" else "127.0.0.1"
            config.setdefault("page", {})["host"] = host
    elif name == "power.supply":
        if answer != _supply(config.get("power", {}).get("milliamps")):
            config.setdefault(table, {})["milliamps"] = budget.from_supply(_milliamps(answer))
    elif not table:
        config[key] = answer
    elif answer:
        config.setdefault(table, {})[key] = answer
    elif table in config:
        config[table].pop(key, None)


def settle(
    asked: Sequence[Question],
    answers: Mapping[str, str],
    known: Mapping[str, Any] | None = None,
    folder: Path = Path("/etc/boardctl"),
) -> dict[str, Any]:
    """Return the configuration that results from these answers, as tables. Other settings stay as
    in `known`, except those of a part that has been replaced. Passwords are in `folder`
    (`write_secrets`).

    Raises:
        ConfigError: an invalid answer.
    """
    config: dict[str, Any] = {
        name: dict(value) if isinstance(value, Mapping) else value
        for name, value in (known or {}).items()
    }
    given = _given(asked, answers)
    for part in ("leds", "keys", "display"):
        if config.get(part, {}).get("driver") != given[f"{part}.driver"]:
            config.pop(part, None)
    core = [question.name for question in asked if not _is_added(question.name)]
    for name in core:
        _set(config, name, given[name])

    def settled(part: features.SetupPart) -> dict[str, Any]:
        fresh = deepcopy(config)  # a part that fails has changed nothing
        part.settle(fresh, given, folder)
        return fresh

    for changed in _from_parts("settle", settled):
        config = changed
    if config["keys"]["driver"] == config["leds"]["driver"]:
        config["keys"] = config["leds"]
    if config.get("seats", 2) > len(config["players"]) >= 2:
        config["seats"] = len(config["players"])
    return {name: value for name, value in config.items() if value != {}}


def _given(asked: Sequence[Question], answers: Mapping[str, str]) -> dict[str, str]:
    return {
        question.name: _meant(question, answers.get(question.name, question.usual))
        for question in asked
    }


def _is_added(name: str) -> bool:
    """Return whether a question belongs to a feature."""
    keys = (key for feature in features.installed() if feature.setup for key in feature.options)
    return name.partition(".")[0] in keys


def write_secrets(asked: Sequence[Question], answers: Mapping[str, str], folder: Path) -> None:
    """Write the files with passwords and certificates that these answers require.

    Raises:
        SpokenError: if an answer cannot be used after all.
        OSError: if a file cannot be written.
    """
    given = _given(asked, answers)
    for secrets in _from_parts("secrets", lambda part: part.secrets(given), SpokenError):
        for name, content in secrets.items():
            files.make_directory(folder, 0o755)
            files.replace(folder / name, content.encode(), user=files.owner(folder))


def compose(answers: Mapping[str, Any]) -> str:
    """Return the text of a configuration file with these answers. Each dictionary becomes a TOML
    table.

    Raises:
        ConfigError: if the daemon would reject the configuration.
    """
    import tomli_w

    written = "# Written by `boardctl setup`.\n" + tomli_w.dumps(answers)
    check(written)
    return written


def check(written: str) -> Config:
    """Load a file, including its layout, as the daemon does. Raises ConfigError."""
    import tomllib

    from boardctl.board import layout

    config = parse(tomllib.loads(written))
    try:
        check_layout(config, layout.load(config.layout))
    except layout.LayoutError as error:
        raise ConfigError.of(error) from error
    return config


def described(name: str, choice: str, language: str = "en") -> str:
    """Return a choice in words, or a driver's name if it has no words."""
    from boardctl.board import layout

    if f"setup.{name}.{choice}" in text.sentences():
        return text.say(Message("setup", f"{name}.{choice}"), text.Reader(language))
    return layout.load(choice).title if name == "layout" else choice.replace("_", " ")


def write(path: Path, written: str) -> Path | None:
    """Write the file, and keep an existing file next to it under another name. Return that file, if
    any.

    Raises:
        OSError: if the file cannot be written.
    """
    files.make_directory(path.parent, 0o755)
    found = path.parent.stat()
    user = found.st_uid, found.st_gid
    kept = None
    if path.exists():
        if not path.is_file():
            raise OSError(errno.EINVAL, NOT_A_FILE)
        kept = path.with_name(path.name + ".old")
        files.replace(kept, read_file(path, LONGEST), _READABLE, user)
    files.replace(path, written.encode(), _READABLE, user)
    return kept
