"""The wizard and the self-test, on simulated machines."""

from __future__ import annotations

import itertools
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import tomli_w
from click.testing import CliRunner

from boardctl import features, text
from boardctl.app import config as configuration
from boardctl.app import service, wizard
from boardctl.app.doctor import Machine
from boardctl.app.selftest import PATIENCE, STEP, Report, Walk, expected, verdict
from boardctl.board import layout as layouts
from boardctl.commands import main
from boardctl.drawings import parts
from boardctl.drawings.pcb import footprints
from boardctl.drivers import budget, gpio_buttons, gpio_matrix, lcd, wled, ws2812_spi
from boardctl.drivers.ports import KEYS, PortError
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.message import Message
from tests.spread import spread


def test_what_is_attached_is_found(tmp_path: Path) -> None:
    for name in ("dev/spidev0.0", "dev/i2c-1", "dev/ttyUSB0", "dev/serial/by-id/usb-1a86-if00"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    listed = tmp_path / "proc/bus/input/devices"
    listed.parent.mkdir(parents=True)
    listed.write_text('I: Bus=0003\nN: Name="Cheap USB Keypad"\nP: Phys=usb\n', "utf-8")
    attached = wizard.find_attached(Machine(tmp_path, False, (), str))
    assert attached == wizard.Attached(
        ("/dev/spidev0.0",),
        ("/dev/i2c-1",),
        ("/dev/serial/by-id/usb-1a86-if00", "/dev/ttyUSB0"),
        ("Cheap USB Keypad",),
    )
    assert wizard.suggest(attached) == ("ws2812_spi", "usb_numpad")
    assert wizard.suggest(wizard.Attached(serial=("/dev/ttyUSB0",))) == ("serial_board",) * 2
    assert wizard.suggest(wizard.Attached()) == ("wled", "gpio_matrix")
    off = wizard.Attached(is_pi=True)
    assert wizard.suggest(off) == ("ws2812_spi", "gpio_matrix"), "SPI can be switched on"
    model = tmp_path / "proc/device-tree/model"
    model.parent.mkdir(parents=True)
    model.write_text("Raspberry Pi 4 Model B Rev 1.4\0", "utf-8")
    assert wizard.find_attached(Machine(tmp_path, False, (), str)).is_pi


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [("1", "red"), ("２", ""), ("none", ""), ("3", "7"), ("7", "7"), ("4", "4"), ("0", "0"),
     ("blue", "blue"), ("red ", "red"), ("ｒｅｄ", "red"), ("blue ", "blue ")],
)  # fmt: skip
def test_a_list_is_answered_by_word_or_number(answer: str, chosen: str) -> None:
    assert wizard.chosen(("red", "", "7"), answer) == chosen


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """A Raspberry Pi with SPI off and the packaged service; yields the programs that are run."""
    done: list[tuple[str, ...]] = []
    monkeypatch.setattr(wizard, "find_attached", lambda machine: wizard.Attached(is_pi=True))
    monkeypatch.setattr(service, "run", lambda command: done.append(tuple(command)))
    monkeypatch.setattr(service, "installed", lambda config: True)
    monkeypatch.setattr(service, "follow", lambda config, do: None)
    monkeypatch.setattr(service, "can_start", lambda: True)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    return done


RESTART = ("systemctl", "restart", "boardctl")


def test_setup_switches_on_spi_and_starts_the_board(
    tmp_path: Path, pi: list[tuple[str, ...]]
) -> None:
    path = tmp_path / "config.toml"
    done = CliRunner().invoke(main, ["setup", "--yes", "--config", str(path)])
    assert done.exit_code == 0, done.output
    assert pi == [("raspi-config", "nonint", "do_spi", "0"), RESTART]
    assert "SPI will be on after the next restart" in done.output
    assert "The board is running" in done.output
    assert tomllib.loads(path.read_text("utf-8"))["leds"]["driver"] == "ws2812_spi", "not WLED"
    pi.clear()
    lines = ["1", "Ann, Bob", "1", "ws2812_spi", "1", "none", "4000", "", "n", "none", "n", "n"]
    done = CliRunner().invoke(main, ["setup", "--config", str(path)], "\n".join(lines) + "\n")
    assert done.exit_code == 0, done.output
    assert pi == [], "asked, and refused"
    assert "sudo raspi-config nonint do_spi 0" in done.output
    assert tomllib.loads(path.read_text("utf-8"))["layout"] == layouts.names()[0]


def test_setup_says_how_spi_is_switched_on_where_it_may_not(
    tmp_path: Path, pi: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(service, "installed", lambda config: False)
    done = CliRunner().invoke(main, ["setup", "--yes", "--config", str(tmp_path / "config.toml")])
    assert done.exit_code == 0, done.output
    assert pi == []
    assert "Switch it on with `sudo raspi-config nonint do_spi 0`" in done.output


@pytest.mark.parametrize("leds", wizard.providing("leds"))
@pytest.mark.parametrize("keys", wizard.providing("keys"))
@pytest.mark.parametrize("display", spread(2, ("", *wizard.providing("display"))))
def test_every_choice_makes_a_config_that_the_daemon_reads(
    leds: str, keys: str, display: str
) -> None:
    answers: dict[str, object] = {
        "layout": "classic-2",
        "players": ["Ann “A.” O'Hara", "Bob"],
        "leds": {"driver": leds},
        "keys": {"driver": keys},
        "power": {"milliamps": 3000},
    }
    if display:
        answers["display"] = {"driver": display}
    config = wizard.check(wizard.compose(answers))
    assert config.leds is not None
    assert config.leds.driver == leds
    assert config.players[0] == "Ann “A.” O'Hara"


def test_what_does_not_go_together_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(configuration.ConfigError, match=r"power\.milliamps"):
        wizard.compose({"power": {"milliamps": "much"}})


def test_the_old_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "etc" / "config.toml"
    assert wizard.write(path, "a = 1\n") is None
    assert wizard.write(path, "a = 2\n") == path.with_name("config.toml.old")
    assert path.with_name("config.toml.old").read_text("utf-8") == "a = 1\n"


def test_only_a_file_is_replaced(tmp_path: Path) -> None:
    """A folder or a device remains unchanged."""
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe):
        done = CliRunner().invoke(main, ["setup", "--yes", "--config", str(path)])
        assert done.exit_code == 1
        assert done.output.endswith(f"Error: {path} cannot be written (it is not a regular file)\n")
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_setup_as_it_is_run(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    done = CliRunner().invoke(main, ["setup", "--yes", "--config", str(path)])
    assert done.exit_code == 0, done.output
    assert configuration.load(path).keys is not None
    lines = ["classic-3", "Cleo, Dan", "ja", "wled", "10.0.0.9", "gpio_buttons", "none"]
    lines += ["2000", "22:30", "y", "other", "broker.example:8884", "ann", "secret"]
    done = CliRunner().invoke(main, ["setup", "--config", str(path)], "\n".join(lines) + "\n")
    assert done.exit_code == 0, done.output
    answer = tomllib.loads(path.read_text("utf-8"))
    assert answer["leds"] == {"driver": "wled", "host": "10.0.0.9"}
    assert answer["page"] == {"host": "0.0.0.0"}
    assert "display" not in answer
    assert answer["language"] == "ja"
    assert answer["night"] == {"begins": "22:30"}
    password = tmp_path / "far.password"
    assert password.read_text("utf-8") == "secret"
    assert password.stat().st_mode & 0o077 == 0, "only the board may read it"
    assert "secret" not in done.output
    assert answer["far"] == {
        "host": "broker.example",
        "port": 8884,
        "user": "ann",
        "password_file": str(password),
    }


def test_a_second_setup_suggests_what_the_file_has_and_keeps_the_rest(tmp_path: Path) -> None:
    """Pressing Enter at every question, or `--yes`, leaves the board unchanged. “none” clears an
    answer."""
    path = tmp_path / "config.toml"
    before = {
        "layout": "classic-3",
        "players": ["Zoe", "Max"],
        "language": "en",
        "leds": {"driver": "wled", "host": "10.0.0.9"},
        "keys": {"driver": "usb_numpad", "device": "desk"},
        "display": {"driver": "oled"},
        "power": {"milliamps": 2500},
        "night": {"begins": "22:30", "ends": "06:00"},
        "page": {"host": "192.168.1.5"},
        "far": {
            "host": "broker.example",
            "port": 8884,
            "user": "zoe",
            "password_file": "/etc/boardctl/far.password",
            "websocket": "wss://broker.example:8885",
        },
        "presence": {"minutes": 7},
    }
    del before["presence"]
    before["voice"] = {"driver": "espeak"}
    path.write_text(tomli_w.dumps(before), "utf-8")
    for arguments, typed in (("--yes",), ""), ((), "\n" * 20):
        done = CliRunner().invoke(main, ["setup", *arguments, "--config", str(path)], typed)
        assert done.exit_code == 0, done.output
        assert tomllib.loads(path.read_text("utf-8")) == before
    typed = "\n" * 9 + "none" + "\n" * 6
    done = CliRunner().invoke(main, ["setup", "--config", str(path)], typed)
    assert done.exit_code == 0, done.output
    assert tomllib.loads(path.read_text("utf-8")) == before | {"night": {"ends": "06:00"}}


@pytest.mark.parametrize("broken", ["layout = ", 'layout = "nowhere-2"\n', "[ledz]\n"])
def test_setup_mends_a_file_that_the_daemon_refuses(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(broken, "utf-8")
    done = CliRunner().invoke(main, ["setup", "--config", str(path)], "\n" * 20)
    assert done.exit_code == 0, done.output
    assert configuration.load(path).layout == "classic-2"
    assert f"{path} cannot be used, so none of its answers are suggested: " in done.output
    assert path.with_name("config.toml.old").read_text("utf-8") == broken


def test_a_layout_of_ones_own_stays_a_choice(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    found = Path(layouts.__file__).parent / "layouts" / "classic-3.toml"
    own.write_text(found.read_text("utf-8").replace("Classic, three players", "Ours"), "utf-8")
    known = {"layout": str(own)}
    asked = wizard.questions(wizard.Attached(), {}, known)
    assert str(own) in (asked[0].choices or ())
    assert wizard.described("layout", str(own)) == "Ours"
    assert wizard.settle(asked, {}, known)["layout"] == str(own)


@pytest.mark.parametrize(
    ("host", "phones"),
    [("127.0.0.1", "no"), ("localhost", "no"), ("::1", "no"), ("0.0.0.0", "yes")],
)
def test_a_page_for_this_machine_alone_is_none_for_phones(host: str, phones: str) -> None:
    asked = wizard.questions(wizard.Attached(), {}, {"page": {"host": host}})
    assert next(one.usual for one in asked if one.name == "phones") == phones


def test_answers_are_taken_as_a_japanese_keyboard_types_them() -> None:
    names = "アン、ボブ，クレオ"
    answers = {"players": names, "power.supply": "５０００", "night.begins": "２２：３０"}
    asked = wizard.questions(wizard.Attached(), answers)
    for name in answers:
        assert wizard.objection(asked, answers, name) is None, name
    found = wizard.settle(asked, answers)
    assert found["players"] == ["アン", "ボブ", "クレオ"]
    assert found["power"] == {"milliamps": 3750}
    assert found["night"] == {"begins": "22:30"}


@pytest.mark.parametrize(("other", "strip"), [("other ", " wled"), ("ｏｔｈｅｒ", "ｗｌｅｄ")])
def test_an_accepted_answer_also_decides_the_next_questions(other: str, strip: str) -> None:
    """The broker "own " used to be accepted, but no question about it followed, and no broker was
    written."""
    answers = {"far.broker": other, "leds.driver": strip}
    asked = wizard.questions(wizard.Attached(), answers)
    assert {"far.host", "leds.host"} <= {question.name for question in asked}
    assert all(wizard.objection(asked, answers, name) is None for name in answers)
    found = wizard.settle(asked, answers | {"far.host": "broker.example"})
    assert found["far"] == {"host": "broker.example"}
    assert found["leds"]["host"] == "wled.local"


class Added:
    """A part of the set-up by another author, with a defect in one hook."""

    def __init__(self, broken: str) -> None:
        self._broken = broken
        self.failed = 0

    def _fail(self, hook: str) -> None:
        if hook == self._broken:
            self.failed += 1
            raise ZeroDivisionError

    def questions(self, before: object, ask: features.Ask) -> None:
        ask("added.name", "usual")
        self._fail("questions")

    def wrong(self, name: str, answer: str) -> None:
        self._fail("wrong")

    def settle(self, config: dict[str, Any], given: Mapping[str, str], folder: Path) -> None:
        config["night"] = {"begins": "21:00"}
        self._fail("settle")

    def secrets(self, given: Mapping[str, str]) -> dict[str, str]:
        self._fail("secrets")
        return {"added.password": "secret"}


@pytest.mark.parametrize("broken", ["questions", "wrong", "settle", "secrets", "nothing"])
def test_a_part_of_another_author_that_fails_is_left_out(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    added = Added(broken)
    feature = features.Feature("added", options={"added": dict}, setup=lambda: added)
    every = (feature, *features.installed())
    monkeypatch.setattr(features, "installed", lambda: every)
    answers = {"far.broker": "other", "far.host": "broker.example", "far.password": "x"}
    asked = wizard.questions(wizard.Attached(), answers)
    names = [question.name for question in asked]
    assert "far.password" in names, "the other features still ask"
    assert ("added.name" in names) == (broken != "questions")
    assert all(wizard.objection(asked, answers, name) is None for name in names)
    found = wizard.settle(asked, answers, folder=tmp_path)
    assert found["far"]["host"] == "broker.example"
    assert ("night" in found) == (broken != "settle")
    wizard.write_secrets(asked, answers, tmp_path)
    assert (tmp_path / "far.password").exists()
    assert (tmp_path / "added.password").exists() == (broken != "secrets")
    assert bool(added.failed) == (f"added: setup {broken} failed" in caplog.text)
    assert bool(added.failed) == (broken != "nothing")


def test_an_answer_is_refused_where_it_is_asked_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    lines = [
        "classic-9",
        "classic-3",
        "Ann",
        "Ann, Ann",
        "Cleo, Dan, Eve",
        "en",
        "wled",
        "10.0.0.9",
    ]
    lines += [
        "gpio_buttons",
        "none",
        "abc",
        "2000",
        "25:99",
        "22:30",
        "maybe",
        "y",
        "other",
        "not one",
        "b.example",
    ]
    lines += ["", ""]
    done = CliRunner().invoke(main, ["setup", "--config", str(path)], "\n".join(lines) + "\n")
    assert done.exit_code == 0, done.output
    for said in (
        "“Ann, Ann” cannot be used; enter two or more different names",
        "“abc” is not a supply current; enter 500 to 15000 milliamps",
        "“25:99” is not a time of day; write it as 22:30",
        "“maybe” is not one of the choices: yes, no.",
        "“not one” is neither a broker’s address nor a code. "
        "An address looks like broker.example:8883.",
    ):
        assert done.output.count(said) == 1
    answer = tomllib.loads(path.read_text("utf-8"))
    assert answer["players"] == ["Cleo", "Dan", "Eve"]
    assert answer["night"] == {"begins": "22:30"}
    assert answer["leds"] == {"driver": "wled", "host": "10.0.0.9"}


def test_what_is_taken_at_the_question_is_taken_at_the_end() -> None:
    """The test takes every choice and every usual answer, one after the other."""
    attached = wizard.Attached()
    for first in wizard.questions(attached, {}):
        for choice in first.choices or (first.usual,):
            answers = {first.name: choice}
            asked = wizard.questions(attached, answers)
            refused = wizard.objection(asked, answers, first.name)
            if refused is None:
                wizard.compose(wizard.settle(asked, answers))
            else:
                with pytest.raises(configuration.ConfigError):
                    wizard.compose(wizard.settle(asked, answers))


def test_every_driver_of_a_part_is_a_choice_by_itself() -> None:
    """A new driver needs no line in the wizard."""
    for part in ("leds", "keys", "display"):
        asked = {q.name: q.choices for q in wizard.questions(wizard.Attached(), {})}
        found = {name for name in configuration.drivers()
                 if part in configuration.driver(name).PARTS}  # fmt: skip
        assert found <= set(asked[f"{part}.driver"] or ())
    assert wizard.described("leds.driver", "brand_new") == "brand new"


@pytest.fixture
def firmware_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], int]:
    """Return the BUDGET_MA that `boardctl flash --milliamps` passes to make."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, content in (("make", f'#!/bin/sh\necho "$@" >{tmp_path}/called\n'), ("avr-gcc", "")):
        (programs / name).write_text(content, "utf-8")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))

    def flash(milliamps: int) -> int:
        done = CliRunner().invoke(main, ["flash", "--build-only", "--milliamps", str(milliamps)])
        assert done.exit_code == 0, done.output
        words = re.search(r"BUDGET_MA=(\d+)", (tmp_path / "called").read_text("utf-8"))
        assert words is not None
        assert f"at most {words[1]} of {milliamps} mA" in done.output, "it says what it uses"
        return int(words[1])

    return flash


def test_supply_budget_fuse_and_wire_agree_everywhere(
    firmware_budget: Callable[[int], int],
) -> None:
    """For every available supply, these figures agree: the budget stored by the setup, the budget
    built in by flashing, the supply named by the parts list, and the current of fuse and wire."""
    for amperes in budget.SUPPLIES:
        found = round(1000 * amperes)
        asked = wizard.questions(wizard.Attached(), {})
        stored = wizard.settle(asked, {"power.supply": str(found)})["power"]["milliamps"]
        assert stored == firmware_budget(found)
        assert stored <= 0.75 * found
        for name in layouts.names():
            figures = parts.currents(layouts.load(name), budget.Options(milliamps=stored))
            assert figures.supply == amperes
            assert stored / 1000 <= 0.75 * figures.fuse
            assert figures.most <= 0.75 * figures.own_fuse or not figures.own_fuse
            assert any(
                (figures.own_fuse or figures.fuse) <= rated and figures.area >= area
                for rated, area in parts.RATED
            )
    usual = budget.Options().milliamps
    assert next(q.usual for q in asked if q.name == "power.supply") == "4000"
    assert usual == budget.from_supply(4000)
    assert budget.fuse(usual / 1000) == footprints.FUSE_AMPERES, "the circuit board's own"


def test_a_budget_set_by_hand_stays_if_the_supply_is_only_confirmed() -> None:
    known = {"layout": "classic-2", "power": {"milliamps": 2500}}
    asked = wizard.questions(wizard.Attached(), {}, known)
    assert wizard.settle(asked, {}, known)["power"] == {"milliamps": 2500}
    found = wizard.settle(asked, {"power.supply": "5000"}, known)
    assert found["power"] == {"milliamps": 3750}


def test_what_was_not_asked_for_stays_as_it_was() -> None:
    known = {
        "layout": "classic-2",
        "players": ["Ann", "Bob", "Cleo"],
        "seats": 3,
        "leds": {"driver": "ws2812_spi", "bits": 4},
        "keys": {"driver": "gpio_matrix", "pins": "rpigpio"},
        "page": {"host": "0.0.0.0", "names": ["cribbage.local"]},
    }
    nothing = wizard.Attached()
    asked = wizard.questions(nothing, {}, known)
    found = wizard.settle(asked, {}, known)
    assert found == known | {"language": "en", "power": {"milliamps": 3000}}
    answers = {"keys.driver": "usb_numpad", "players": "Dan, Eve"}
    asked = wizard.questions(nothing, answers, known)
    assert "keys.device" in [question.name for question in asked]
    found = wizard.settle(asked, answers, known)
    assert found["leds"]["bits"] == 4
    assert found["keys"] == {"driver": "usb_numpad", "device": "keypad"}
    assert found["seats"] == 2, "no more than there are names"


def test_a_layout_without_room_is_refused() -> None:
    with pytest.raises(configuration.ConfigError, match="do not fit"):
        wizard.check('layout = "classic-2"\nseats = 3\nplayers = ["A", "B", "C"]\n')
    with pytest.raises(configuration.ConfigError, match="round"):
        wizard.check('layout = "round"\n')


def test_a_walk_that_is_stopped_lights_nothing_more() -> None:
    clock = VirtualClock()
    seen: list[bytes] = []
    wires = VirtualWires(clock, seen.append)
    (strip,) = ws2812_spi.open_ports(ws2812_spi.Options(), wires)
    board = layouts.load("classic-2")
    walk = Walk(board, clock, print, lambda report: None, strip)
    walk.start()
    clock.run(5)
    walk.stop()
    lit = len(seen)
    clock.run(60)
    assert len(seen) == lit > 5


def test_the_selftest_walks_every_led_every_key_and_the_display() -> None:
    pytest.importorskip("RPLCD", reason="the optional extra `lcd`")
    clock = VirtualClock()
    seen: list[bytes] = []
    wires = VirtualWires(clock, seen.append)
    (strip,) = ws2812_spi.open_ports(ws2812_spi.Options(), wires)
    (keys,) = gpio_matrix.open_ports(gpio_matrix.Options(), wires)
    (display,) = lcd.open_ports(lcd.Options(), wires)
    board = layouts.load("classic-2")
    found: list[str] = []
    reports: list[Report] = []

    def tell(code: str, fields: Mapping[str, Any]) -> None:
        found.append(text.say(Message("selftest", code, fields)))

    Walk(board, clock, tell, reports.append, strip, keys, display).start()
    clock.run(60)
    lit = {n for frame in seen[5:] for n in range(board.leds) if any(frame[3 * n : 3 * n + 3])}
    assert lit == {lamp.index for lamp in board.lamps}
    assert found[0] == "all dark? the strip should draw about 329 mA"
    assert found[1] == f"all red? the strip should draw about {329 * (1 + 16 * 64 / 255):.0f} mA"
    white = int(found[4].rpartition("about ")[2].removesuffix(" mA"))
    assert 0.95 * 3000 < white <= 3000, "all that the budget allows"
    assert f"LED {board.lamps[5].index}: {board.lamps[5].name}" in found
    assert not any(seen[-1])
    assert wires.lcd.lines()[1] == "Can you read it?"
    for key in KEYS[:-1]:
        assert found[-1] == f"press {key}"
        for name in ("#", key):
            wires.keypad.press(name)
            clock.run(0.05)
            wires.keypad.release(name)
            clock.run(0.05)
    assert "that was #" in found
    assert not reports
    clock.run(PATIENCE)
    (report,) = reports
    assert report.missing == ["#"]
    assert report.pressed == list(KEYS[:-1])
    summary = f"{len(board.lamps)} LEDs were lit"
    assert verdict(report) == f"{summary}, and 15 keys responded.\nNo response: #."


def test_each_colour_is_held_for_the_meter_and_draws_what_is_told() -> None:
    """The expected figure is the current of the light at the far end of the strip, LED by LED."""
    clock = VirtualClock()
    seen: list[tuple[float, bytes]] = []
    wires = VirtualWires(clock, lambda leds: seen.append((clock.time(), leds)))
    (strip,) = ws2812_spi.open_ports(ws2812_spi.Options(), wires)
    board = layouts.load("travel-2")
    found: list[float] = []

    def tell(code: str, fields: Mapping[str, Any]) -> None:
        if "milliamps" in fields:
            found.append(float(fields["milliamps"]))

    Walk(board, clock, tell, lambda report: None, strip, hold=20).start()
    clock.run(100 + STEP / 2)
    held = [later[0] - one[0] for one, later in itertools.pairwise(seen)]
    assert held == pytest.approx([20] * 5)
    for milliamps, (_, leds) in zip(found, seen[:5], strict=True):
        drawn = sum(
            1 + (16 * leds[n] + 11 * leds[n + 1] + 15 * leds[n + 2]) / 255
            for n in range(0, len(leds), 3)
        )
        assert milliamps == pytest.approx(drawn, abs=0.5)


def test_a_strip_that_fails_is_told_and_the_keys_are_asked_all_the_same() -> None:
    clock = VirtualClock()
    wires = VirtualWires(clock, keys=gpio_buttons.Options())
    (strip,) = ws2812_spi.open_ports(ws2812_spi.Options(), wires)
    (keys,) = gpio_buttons.open_ports(gpio_buttons.Options(), wires)
    assert wires.bus is not None
    wires.bus.broken = "Input/output error"
    reports: list[Report] = []
    wanted = expected(gpio_buttons.Options())
    assert wanted == ("A", "B", "*", "#")
    Walk(layouts.load("classic-2"), clock, print, reports.append, strip, keys, None, wanted).start()
    clock.run(10)
    for key in wanted:
        wires.keypad.press(key)
        clock.run(0.05)
        wires.keypad.release(key)
        clock.run(0.05)
    (report,) = reports
    assert report.pressed == list(wanted)
    assert verdict(report).count("Input/output error") == 1


def test_a_strip_that_is_found_while_the_test_begins_has_no_fault() -> None:
    """The name of a strip on the network is looked up in the meantime. The test of a working strip
    used to end as failed."""
    clock = VirtualClock()
    wires = VirtualWires(clock)
    (strip,) = wled.open_ports(wled.Options(), wires)
    assert wires.network is not None
    wires.network.away = True
    said: list[str] = []
    reports: list[Report] = []
    board = layouts.load("travel-2")
    walk = Walk(board, clock, lambda code, fields: said.append(code), reports.append, strip)
    walk.start()
    clock.run(1)
    assert not said
    wires.network.away = False
    clock.run(90)
    (report,) = reports
    assert not report.faults
    assert said[0] == "colour-dark"
    assert len(report.lit) == len(board.lamps)


class Bench:
    """The wires of a machine without one part, on a loop; `opened` are the opened parts."""

    pin_errors: tuple[type[Exception], ...] = ()

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.opened: list[str] = []
        self.bus = SimpleNamespace(limit=65535, write=lambda data: None, close=lambda: None)

    def spi(self, bus: int, device: int, hertz: int, clocked: bool = True) -> Any:
        self.opened.append("spi")
        return self.bus

    def pins(self, factory: str = "lgpio") -> Any:
        raise PortError("keys", "there are no pins")

    def i2c(self, bus: int) -> Any:
        raise PortError("display", "there is no bus")

    def serial(self, port: str, *args: Any) -> Any:
        self.opened.append(f"serial {port}")
        return SimpleNamespace(write=lambda data: None, close=lambda: None)

    def close(self) -> None: ...


BOTH = '[leds]\ndriver = "serial_board"\n[keys]\ndriver = "serial_board"\n'


@pytest.mark.parametrize(
    ("config", "options", "opened", "said"),
    [
        (
            '[leds]\ndriver = "ws2812_spi"\n[keys]\ndriver = "gpio_matrix"\n'
            '[display]\ndriver = "oled"\n',
            [],
            ["spi"],
            {"there are no pins", "there is no bus"},
        ),
        (
            '[leds]\ndriver = "ws2812_spi"\n[keys]\ndriver = "gpio_matrix"\n',
            ["--no-keys"],
            ["spi"],
            set(),
        ),
        (BOTH, ["--no-keys"], ["serial /dev/ttyUSB0"], set()),
    ],
)
def test_the_selftest_tests_what_is_there(
    config: str,
    options: list[str],
    opened: list[str],
    said: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A part that could not be opened used to end the test, even if its pins were not configured.
    The port of a microcontroller, which cannot be opened twice, used to be opened twice."""
    pytest.importorskip("luma.oled", reason="the optional extra `oled`")
    path = tmp_path / "board.toml"
    path.write_text(config, "utf-8")
    benches: list[Bench] = []

    def bench(clock: VirtualClock) -> Bench:
        benches.append(Bench(clock))
        return benches[-1]

    monkeypatch.setattr("boardctl.drivers.wires.CopperWires", bench)
    monkeypatch.setattr("boardctl.app.selftest.STEP", 0.0)
    monkeypatch.setattr("boardctl.app.selftest.PATIENCE", 0.0)
    done = CliRunner().invoke(main, ["selftest", "--config", str(path), "--hold", "0.1", *options])
    assert benches[0].opened == opened
    assert "LEDs were lit" in done.output, done.output
    for sentence in said:
        assert sentence in done.output
    assert done.exit_code == int(bool(said))
