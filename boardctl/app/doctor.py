"""The doctor: find faults that would prevent a board from working on this machine, and their
remedies.

The doctor reads only files under a given root directory, so tests can examine any machine.
"""

from __future__ import annotations

import errno
import grp
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal, get_args

from boardctl import features
from boardctl.app import config as configuration
from boardctl.app.config import Config, ConfigError
from boardctl.board import layout as layouts
from boardctl.drivers import apa102_spi, gpio_buttons, gpio_matrix, header, wled, ws2812_spi
from boardctl.drivers.ports import SYSTEM_PACKAGES
from boardctl.message import Message
from boardctl.text import Reader, Sentence, columns, filled, say, sentences, words, wrapped

State = Literal["good", "bad", "unknown"]

THROTTLED: Final = {
    0: "supply-weak",
    1: "held-back",
    2: "throttled",
    3: "hot",
    16: "supply-was-weak",
    18: "was-throttled",
    19: "was-hot",
}
"""Bits of the firmware's get_throttled (Raspberry Pi documentation, "vcgencmd")."""
_NEEDED: Final = {"spi": "spi", "gpio": "gpio", "i2c": "i2c", "serial": "dialout", "evdev": "input"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One result: the check, its status, the finding, and the remedy. The texts are empty or
    English sentences of kind `doctor`, which `text.words` translates."""

    what: str
    state: State
    found: str
    remedy: str = ""


def _say(code: str, /, **fields: object) -> Sentence:
    return Sentence("doctor", code, **fields)


def _throttled() -> str:
    """Return the firmware's report about throttling, or an empty string if it is not available."""
    program = shutil.which("vcgencmd")
    if program is None:
        return ""
    done = subprocess.run(
        [program, "get_throttled"], capture_output=True, text=True, check=False, timeout=10
    )
    return done.stdout.strip()


def _has(module: str) -> bool:
    """Return whether a Python module is installed."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of a missing package
        return False


def _wled(host: str) -> object:
    """Return a WLED controller's information about itself (WLED documentation, "JSON API",
    `/json/info`).

    Raises:
        OSError: if the controller does not answer.
        ValueError: if the answer is not from a WLED controller.
    """
    import json
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import urlopen

    try:
        with urlopen(f"http://{host}/json/info", timeout=_PATIENCE) as answer:
            return json.loads(answer.read(_LONGEST))
    except (HTTPError, HTTPException) as error:
        raise ValueError(str(error)) from error


_PATIENCE: Final = 5.0
"""Seconds within which a WLED controller must answer."""
_LONGEST: Final = 65536
"""The maximum number of bytes read from the answer. WLED's answers have about 1,500 bytes."""


def _my_groups() -> tuple[str, ...]:
    return tuple(grp.getgrgid(number).gr_name for number in os.getgroups())


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine to examine: its file system, the current user, the firmware's power report, the
    installed Python modules, and the answers of WLED controllers on its network."""

    root: Path = Path("/")
    root_user: bool = field(default_factory=lambda: os.geteuid() == 0)
    groups: tuple[str, ...] = field(default_factory=_my_groups)
    throttled: Callable[[], str] = _throttled
    has: Callable[[str], bool] = _has
    wled: Callable[[str], object] = _wled

    def path(self, name: str) -> Path:
        return self.root / name.lstrip("/")

    def read(self, name: str) -> str | None:
        """Return a file's text, or None if it does not exist or may not be read."""
        try:
            return self.path(name).read_text("utf-8", "replace").strip("\0\n ")
        except OSError:
            return None


def uses(config: Config) -> frozenset[str]:
    """Return the interfaces that a configuration needs: `spi`, `gpio`, `i2c`, `serial`, `evdev`."""
    parts = [part for part in (config.leds, config.keys, config.display) if part is not None]
    kinds = (getattr(configuration.driver(part.driver), "INTERFACE", "") for part in parts)
    return frozenset(kind for kind in kinds if kind)


def _configured(path: Path | None) -> tuple[Config, int]:
    """Return the configuration from a file (the default if there is no file), and the number of
    LEDs in its layout.

    Raises:
        ConfigError: if the file or its layout is invalid.
    """
    config = Config() if path is None else configuration.load(path)
    return config, layouts.load(config.layout).leds


def examine(machine: Machine, path: Path | None) -> Iterator[Finding]:
    """Return all findings, in the order in which they should be fixed."""
    yield _model(machine)
    try:
        config, leds = _configured(path)
    except (ConfigError, layouts.LayoutError) as error:
        config, leds = _configured(None)
        yield Finding("config", "bad", _say("error", reason=error), _say("correct"))
    else:
        if path is None:
            yield Finding("config", "bad", _say("no-config"), _say("run-setup"))
        else:
            yield Finding("config", "good", str(path))
    needed = uses(config)
    if "spi" in needed:
        yield from _spi(machine, config, leds)
    if "i2c" in needed:
        bus = f"dev/i2c-{header.i2c(header.HEADER_BUS, machine.root)}"
        yield _device(machine, "I2C", bus, _say("do-i2c"))
    if "spi" in needed and config.leds is not None and config.leds.driver == "ws2812_spi":
        yield _core_clock(machine)
    if "gpio" in needed:
        yield _gpio(machine)
        yield _pins(machine, config)
    if "serial" in needed:
        yield _serial(machine, config)
    if config.leds is not None and isinstance(config.leds.options, wled.Options):
        yield _controller(machine, config.leds.options, leds)
    yield from _libraries(machine, config, needed)
    yield from _optional(config)
    yield _journal()
    yield from _groups(machine, needed)
    yield _power(machine)
    yield _clock(machine)


def _model(machine: Machine) -> Finding:
    model = machine.read("proc/device-tree/model")
    if model is None or "Raspberry Pi" not in model:
        return Finding("model", "unknown", model or _say("no-pi"), _say("simulate"))
    return Finding("model", "good", model)


def _device(machine: Machine, what: str, name: str, remedy: str) -> Finding:
    if machine.path(name).exists():
        return Finding(what, "good", _say("there", file=f"/{name}"))
    return Finding(what, "bad", _say("not-there", file=f"/{name}"), remedy)


def _spi(machine: Machine, config: Config, leds: int) -> Iterator[Finding]:
    part = config.leds
    assert part is not None
    name = f"dev/spidev{part.options.bus}.{part.options.device}"
    yield _device(machine, "SPI", name, _say("do-spi"))
    if isinstance(part.options, ws2812_spi.Options):
        needed = ws2812_spi.least(leds, part.options.bits)
    else:
        needed = len(apa102_spi.encode(bytes(3 * leds)))
    read = machine.read("sys/module/spidev/parameters/bufsiz")
    most = int(read) if read and read.isdigit() else 4096
    read_as = _say("frame", leds=leds, needed=needed, most=most)
    if needed <= most:
        yield Finding("spidev.bufsiz", "good", read_as)
    else:
        yield Finding("spidev.bufsiz", "bad", read_as, _say("do-bufsiz"))


_CORE: Final = {
    "Pi 4": "core_freq_min=500",
    "Compute Module 4": "core_freq_min=500",
    "Pi 3": "core_freq=250",
    "Compute Module 3": "core_freq=250",
    "Zero": "core_freq=250",
}
"""The settings that fix the core clock, and with it the SPI clock, by model (Raspberry Pi
documentation, "config.txt"). A Pi 5 uses a separate clock for SPI."""


def _core_clock(machine: Machine) -> Finding:
    """Check that the SPI clock does not change with the processor's load."""
    model = machine.read("proc/device-tree/model") or ""
    wanted = next((line for name, line in _CORE.items() if name in model), None)
    if wanted is None:
        return Finding("core_freq", "good", _say("clock-steady"))
    read = machine.read("boot/firmware/config.txt") or machine.read("boot/config.txt")
    if read is None:
        return Finding("core_freq", "unknown", _say("no-config-txt"), _say("see-wiring"))
    lines = {line.split("#")[0].strip() for line in read.splitlines()}
    if wanted in lines:
        return Finding("core_freq", "good", wanted)
    remedy = _say("do-core-freq", setting=wanted)
    return Finding("core_freq", "bad", _say("clock-follows"), remedy)


def _gpio(machine: Machine) -> Finding:
    """Check the header's GPIO chip. It is found by its device tree node; otherwise it is gpiochip0,
    or gpiochip4 on a Pi 5 with a kernel before 6.6.45."""
    found = header.chip(machine.root)
    for name in ("dev/gpiochip0", "dev/gpiochip4") if found is None else (f"dev/gpiochip{found}",):
        if machine.path(name).exists():
            return Finding("GPIO", "good", _say("there", file=f"/{name}"))
    return Finding("GPIO", "bad", _say("not-there", file="/dev/gpiochip0"), _say("do-gpio"))


def _libraries(machine: Machine, config: Config, needed: frozenset[str]) -> Iterator[Finding]:
    """Check the Python modules that talk to the Pi's hardware."""
    pins = getattr(config.keys.options, "pins", "") if config.keys is not None else ""
    gpio = {"lgpio": "lgpio", "rpigpio": "RPi.GPIO"}.get(pins)
    screen = {"oled": ("luma.oled",), "lcd": ("RPLCD", "smbus2")}
    wanted = [name for kind, name in (("spi", "spidev"), ("evdev", "evdev")) if kind in needed]
    wanted += [gpio] if gpio and "gpio" in needed else []
    wanted += screen.get(config.display.driver, ()) if config.display is not None else ()
    for name in wanted:
        if machine.has(name):
            yield Finding(name, "good", _say("installed"))
            continue
        code = "do-apt-lgpio" if name == "lgpio" else "do-apt"
        package = SYSTEM_PACKAGES.get(name)
        remedy = _say(code, package=package) if package else _say("do-extra", extra="lcd")
        yield Finding(name, "bad", _say("no-module"), remedy)


def _serial(machine: Machine, config: Config) -> Finding:
    """Check every configured serial port. A port given by its USB identity has no device file to
    check."""
    parts = (config.leds, config.keys, config.display)
    ports = [getattr(part.options, "port", "") for part in parts if part is not None]
    files = sorted({str(port) for port in ports if str(port).startswith("/")})
    missing = [name for name in files if not machine.path(name).exists()]
    if missing:
        there = sorted(f"/dev/{p.name}" for p in machine.path("dev").glob("tty[UA][SC][BM]*"))
        code = "ports-there" if there else "no-ports"
        read = _say(code, missing=", ".join(missing), ports=", ".join(there))
        return Finding("serial", "bad", read, _say("do-plug"))
    return Finding("serial", "good", ", ".join(files) or _say("by-identity"))


def _buses(config: Config) -> dict[int, str]:
    """Return the BCM pins used by the configured buses, with their purposes."""
    used: dict[int, str] = {}
    if config.leds is not None and config.leds.driver in ("ws2812_spi", "apa102_spi"):
        used |= {10: "SPI data", 11: "SPI clock", 9: "SPI in"}
        # the kernel reserves both pins, whichever is used
        used |= {8: "SPI select", 7: "SPI select 1"}
    if config.display is not None and config.display.driver in ("oled", "lcd"):
        used |= {2: "I2C data", 3: "I2C clock"}
    return used


def _keypad(config: Config) -> dict[int, str]:
    """Return the BCM pins used by the keypad or the buttons, with their purposes in English."""
    options = None if config.keys is None else config.keys.options
    if isinstance(options, gpio_matrix.Options):
        named = [*(("row", n) for n in options.rows), *(("column", n) for n in options.columns)]
        return {n: _say(f"pin-{kind}") for kind, n in named}
    if isinstance(options, gpio_buttons.Options):
        return {n: _say("pin-button", key=key) for key, n in options.buttons.items()}
    return {}


def _controller(machine: Machine, options: wled.Options, wanted: int) -> Finding:
    """Check that the WLED controller responds and drives at least as many LEDs as the layout
    has."""
    try:
        answer = machine.wled(options.host)
    except OSError as error:
        reason = getattr(error, "reason", error)  # urllib's own error contains the system's
        read = _say("wled-away", host=options.host, reason=reason)
        return Finding("WLED", "bad", read, _say("do-wled"))
    except ValueError:
        answer = None
    match answer:
        case {"ver": str(version), "leds": {"count": int(count)}}:
            read = _say("wled", host=options.host, version=version, count=count, wanted=wanted)
            if count >= wanted:
                return Finding("WLED", "good", read)
            return Finding("WLED", "bad", read, _say("do-wled-leds", wanted=wanted))
        case _:
            read = _say("wled-other", host=options.host)
            return Finding("WLED", "bad", read, _say("do-wled"))


def pins(config: Config) -> dict[int, str]:
    """Return the BCM pins used by the configuration, with their purposes in English."""
    return _buses(config) | _keypad(config)


def _pins(machine: Machine, config: Config) -> Finding:
    """Check whether a bus or another program uses the keypad's pins. Only root can see which pins
    other programs use."""
    wanted, buses = _keypad(config), _buses(config)
    twice = tuple(
        Message("doctor", "pin-held", {"pin": n, "use": wanted[n], "by": buses[n]})
        for n in sorted(wanted.keys() & buses.keys())
    )
    if twice:
        return Finding("pins", "bad", _say("pins-twice", pins=twice), _say("do-other-pins"))
    read = machine.read("sys/kernel/debug/gpio")
    if read is None and machine.root_user:
        return Finding("pins", "unknown", _say("no-debugfs"))
    if read is None:
        return Finding("pins", "unknown", _say("root-only"), "sudo boardctl doctor")
    held = {}
    for line in read.splitlines():
        match = re.match(r"\s*gpio-\d+\s*\(GPIO(\d+)\s*\|([^)]+)\)", line)
        if match and int(match[1]) in wanted and match[2].strip() not in ("lg", "boardctl"):
            held[int(match[1])] = match[2].strip()
    if held:
        who = tuple(
            Message("doctor", "pin-held", {"pin": n, "use": wanted[n], "by": by})
            for n, by in sorted(held.items())
        )
        return Finding("pins", "bad", _say("pins-held", pins=who), _say("do-pins"))
    return Finding("pins", "good", _say("pins-free", count=len(wanted)))


def _optional(config: Config) -> Iterator[Finding]:
    """Check the optional parts of the program."""
    if config.page.enabled:
        from boardctl.web import listen

        try:
            listen(config.page).close()
        except OSError as error:
            where = f"{config.page.host}:{config.page.port}"
            state: State = "unknown" if error.errno == errno.EADDRINUSE else "bad"
            read = _say("not-served", where=where, reason=error)
            yield Finding("page", state, read, _say("do-page"))
        else:
            yield Finding("page", "good", _say("port-free", port=config.page.port))
    for feature in features.installed():
        if feature.check is not None:
            try:
                yield from feature.check(config)
            except Exception as error:  # noqa: BLE001 - the other findings are still shown
                yield Finding(feature.name, "unknown", _say("error", reason=error))


def _journal() -> Finding:
    """Check the journal of this machine's board."""
    from boardctl.storage import database, place, repair

    path = place.find().path / database.NAME
    try:
        if not path.is_file():
            return Finding("journal", "good", _say("no-journal"))
        health = repair.check(path)
    except (OSError, database.JournalError) as error:
        return Finding("journal", "unknown", _say("error", reason=error), "sudo boardctl doctor")
    read = {"path": path, "lines": health.lines}
    if health.damaged:
        damaged = _say("journal-damaged", fault=health.damaged[0], **read)
        return Finding("journal", "bad", damaged, "boardctl journal repair")
    kept = sorted(one.name for one in path.parent.glob("journal.damaged-*.sqlite3"))
    if kept:
        return Finding("journal", "good", _say("journal-kept", kept=", ".join(kept), **read))
    return Finding("journal", "good", _say("journal", **read))


def _groups(machine: Machine, needed: frozenset[str]) -> Iterator[Finding]:
    wanted = sorted(_NEEDED[kind] for kind in needed)
    missing = [group for group in wanted if group not in machine.groups]
    if machine.root_user or not missing:
        yield Finding("groups", "good", ", ".join(wanted) or _say("no-groups"))
    else:
        read = _say("not-in-groups", groups=", ".join(missing))
        yield Finding("groups", "bad", read, _say("do-groups", groups=",".join(missing)))


def _power(machine: Machine) -> Finding:
    word = machine.throttled()
    match = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", word)
    if match is None:
        return Finding("power", "unknown", _say("no-firmware"))
    bits = int(match[1], 16)
    read = tuple(Message("doctor", code) for bit, code in THROTTLED.items() if bits >> bit & 1)
    if read:
        return Finding("power", "bad", _say("throttling", troubles=read), _say("do-power"))
    return Finding("power", "good", _say("power-good"))


def _clock(machine: Machine) -> Finding:
    if machine.path("run/systemd/timesync/synchronized").exists():
        return Finding("clock", "good", _say("clock-set"))
    if machine.path("dev/rtc0").exists():
        return Finding("clock", "good", _say("clock-rtc"))
    return Finding("clock", "unknown", _say("clock-unset"), _say("do-clock"))


def as_text(findings: Sequence[Finding], language: str = "en", width: int = 0) -> str:
    """Return the findings as text lines, each followed by its remedy.

    Args:
        findings: the result of `examine`.
        language: one of `LANGUAGES`.
        width: the maximum columns of a line, or 0 for no limit.
    """
    marks = {state: say(Message("doctor", state), Reader(language)) for state in get_args(State)}
    narrow = 0 < width < _INDENT + _LEAST_ROOM
    indent = _NARROW if narrow else _INDENT
    room = width - indent if width else _UNLIMITED
    lines: list[str] = []
    for finding in findings:
        named = say(Message("doctor", f"what-{finding.what}"), Reader(language))
        what = named if f"doctor.what-{finding.what}" in sentences() else finding.what
        head = f"{filled(marks[finding.state], 3)}  {filled(what, _INDENT - 6)} "
        if narrow:  # the findings follow below
            lines.append(head.rstrip())
            head = " " * indent
        found = list(wrapped(words(finding.found, language), room)) or [""]
        remedy = wrapped(words(finding.remedy, language), room - 3)
        lines += _hung(head, found)
        lines += _hung(f"{'':<{indent}}-> ", remedy)
    return "\n".join(lines)


_INDENT: Final = 20
"""The column at which findings begin."""
_NARROW: Final = 5
"""The same column in a narrow terminal."""
_LEAST_ROOM: Final = 30
_UNLIMITED: Final = 10_000


def _hung(head: str, lines: Iterable[str]) -> Iterator[str]:
    """Return lines after a heading: the first is on the same line as the heading, and the others
    are indented."""
    for line in lines:
        yield head + line
        head = " " * columns(head)
