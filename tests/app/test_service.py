"""The service's unit as checked by systemd, and the watchdog."""

from __future__ import annotations

import os
import pwd
import re
import socket
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl.app import service, wizard
from boardctl.app.config import ConfigError
from boardctl.app.watchdog import Watchdog, interval, notify
from boardctl.board import layout
from boardctl.commands import main
from boardctl.drivers import ws2812_spi
from boardctl.drivers.virtual.clock import VirtualClock
from tests.parts import need
from tests.tables import Later


def test_systemd_finds_the_unit_right_and_little_exposed(tmp_path: Path) -> None:
    need("systemd-analyze")
    unit = tmp_path / "boardctl.service"
    unit.write_text(service.unit("/usr/bin/true"), "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    exposure = re.search(r"Overall exposure level for \S+ ([\d.]+)", done.stdout)
    assert exposure is not None, done.stdout + done.stderr
    assert float(exposure[1]) <= 2.0
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "boardctl.service" not in done.stderr, done.stderr


def test_the_unit_says_what_was_promised() -> None:
    unit = service.unit("/usr/bin/boardctl").splitlines()
    for line in (
        "Type=notify",
        "User=boardctl",
        "SupplementaryGroups=gpio spi i2c dialout input audio",
        "DevicePolicy=closed",
        "StateDirectory=boardctl",
        "Environment=LG_WD=/run/boardctl",
        "WatchdogSec=30",
        "ExecStart=/usr/bin/boardctl run --no-browser --config /etc/boardctl/config.toml",
    ):
        assert line in unit


def test_what_the_package_sets_up_is_what_drivers_and_unit_need() -> None:
    files = service.SYSTEM_FILES
    groups = set(re.findall(r'GROUP="(\w+)"', files["udev/rules.d/60-boardctl.rules"]))
    assert groups == {"gpio", "spi", "i2c"} <= set(service.GROUPS)
    room = int(files["modprobe.d/boardctl.conf"].rpartition("=")[2])
    leds = max(layout.load(name).leds for name in layout.names())
    assert len(ws2812_spi.encode(bytes(3 * leds), ws2812_spi.tables(4))) <= room
    for major in (153, 89, 188, 166, 204):
        assert f"DeviceAllow=char-{major} rw" in service.unit("/usr/bin/boardctl")


def test_install_and_remove(tmp_path: Path) -> None:
    done: list[Sequence[str]] = []
    unit, config = tmp_path / "boardctl.service", tmp_path / "config.toml"
    with pytest.raises(service.ServiceError, match="run `boardctl setup` first"):
        service.install("/usr/bin/boardctl", config, ["gpio"], done.append, unit)
    assert done == []
    config.write_text("", "utf-8")
    service.install("/usr/bin/boardctl", config, ["gpio", "spi", "audio"], done.append, unit)
    assert [command[0] for command in done] == ["useradd", "usermod", *["systemctl"] * 3]
    assert [*done[-1][:2]] == ["systemctl", "restart"], "a board that runs takes the new program"
    assert "gpio,spi,audio" in done[1]
    assert "SupplementaryGroups=gpio spi audio" in unit.read_text("utf-8")
    done.clear()
    service.install("/usr/bin/boardctl", config, ["gpio", "boardctl"], done.append, unit)
    assert done[0][0] == "usermod", "the user is there already"
    service.remove(done.append, unit)
    assert not unit.exists()
    with pytest.raises(service.ServiceError, match="there is no"):
        service.remove(done.append, unit)


def test_the_packages_unit_is_not_hidden_by_another(tmp_path: Path) -> None:
    done: list[Sequence[str]] = []
    unit, packaged = tmp_path / "boardctl.service", tmp_path / "packaged.service"
    config, other = tmp_path / "config.toml", tmp_path / "other.toml"
    config.touch()
    other.touch()
    packaged.write_text(service.unit("/usr/bin/boardctl", config), "utf-8")
    unit.write_text("of an earlier installation", "utf-8")
    service.install("/usr/bin/boardctl", config, [], done.append, unit, packaged)
    assert not unit.exists()
    assert [*done[-1]] == ["systemctl", "restart", "boardctl"]
    for program, file in (("/opt/boardctl/bin/boardctl", config), ("/usr/bin/boardctl", other)):
        service.install(program, file, [], done.append, unit, packaged)
        assert f"ExecStart={program} " in unit.read_text("utf-8"), "asked for another one"
    service.remove(done.append, unit, packaged)
    assert not unit.exists()
    assert packaged.exists()
    done.clear()
    service.remove(done.append, unit, packaged)
    assert ["systemctl", "disable", "--now", "boardctl"] in [[*one] for one in done]


def test_spi_has_room_for_a_frame_as_with_the_package(tmp_path: Path) -> None:
    path = tmp_path / "modprobe.d" / "boardctl.conf"
    service.widen(path)
    assert path.read_text("ascii") == service.SYSTEM_FILES["modprobe.d/boardctl.conf"]
    service.narrow(path)
    service.narrow(path)
    assert not path.exists()


@pytest.mark.parametrize("name", ["install", "remove"])
def test_another_user_is_told_to_use_sudo(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(service, "run", lambda command: pytest.fail("before anything is run"))
    done = CliRunner().invoke(main, ["service", name])
    assert done.exit_code == 1
    assert "use sudo" in done.output


def test_the_unit_belongs_to_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The unit file used to belong to the service's user, who could have made root start any
    program."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    monkeypatch.setattr(
        "pwd.getpwnam", lambda name: pwd.struct_passwd((name, "x", 999, 999) + ("",) * 3)
    )
    unit, config = tmp_path / "boardctl.service", tmp_path / "config.toml"
    config.write_text("", "utf-8")
    service.install("/usr/bin/boardctl", config, [], lambda command: None, unit)
    assert (unit.stat().st_uid, unit.stat().st_gid, unit.stat().st_mode & 0o777) == (0, 0, 0o644)


def test_install_hands_over_the_passwords_that_setup_wrote_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """README's order: `boardctl setup` writes root's private files, because the service's user does
    not exist yet. The service used to be unable to read the broker's password."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    users: dict[str, pwd.struct_passwd] = {}
    monkeypatch.setattr("pwd.getpwnam", users.__getitem__)

    def do(command: Sequence[str]) -> None:
        if command[0] == "useradd":
            users["boardctl"] = pwd.struct_passwd(("boardctl", "x", 999, 998) + ("",) * 3)

    folder, other = tmp_path / "boardctl", tmp_path / "other"
    other.mkdir()
    answers = {"far.broker": "other", "far.host": "broker.example", "far.password": "secret"}
    asked = wizard.questions(wizard.Attached(), answers)
    config = folder / "config.toml"
    wizard.write_secrets(asked, answers, folder)
    table = wizard.settle(asked, answers, folder=folder)
    mine, link = other / "mqtt.password", folder / "link.pem"
    mine.write_text("of another program", "utf-8")
    mine.chmod(0o600)
    link.symlink_to(mine)
    table["mqtt"] = {"password_file": str(mine), "ca": str(link)}
    table["far"]["ca"] = str(folder / "missing.pem")
    wizard.write(config, wizard.compose(table))
    password = folder / "far.password"
    assert password.stat().st_uid == 0, "there is no other user yet"
    service.install("/usr/bin/boardctl", config, [], do, tmp_path / "boardctl.service")
    found = password.stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (999, 998, 0o600)
    assert [path.lstat().st_uid for path in (mine, link, config)] == [0, 0, 0], "not setup's"


def test_what_the_service_could_not_read_is_refused_before_anything_is_done(
    tmp_path: Path,
) -> None:
    """The service's unit hides home folders, and the service does not start in the folder of the
    user who installs it."""
    done: list[Sequence[str]] = []
    unit, config = tmp_path / "boardctl.service", tmp_path / "config.toml"
    config.write_text("", "utf-8")
    in_home = Path("/home/ann/.venv/bin/boardctl")
    with pytest.raises(service.ServiceError, match=r"cannot see home folders.*/opt/boardctl"):
        service.install(str(in_home), config, [], done.append, unit)
    link = tmp_path / "boardctl"
    link.symlink_to(in_home)
    with pytest.raises(service.ServiceError, match=r"/home/ann/\.venv/bin/boardctl"):
        service.install(str(link), config, [], done.append, unit)
    for wrong, said in (
        ('layout = "/home/ann/mine.toml"', "/home/ann/mine.toml: .*/etc/boardctl"),
        ('layout = "mine.toml"', "mine.toml: .*full path"),
        ('[mqtt]\npassword_file = "/run/user/1000/password"', "/run/user/1000/password"),
        ('[far]\nca = "/home/ann/ca.pem"', "/home/ann/ca.pem"),
    ):
        config.write_text(wrong, "utf-8")
        with pytest.raises(service.ServiceError, match=said):
            service.install("/usr/bin/boardctl", config, [], done.append, unit)
    config.write_text("layout = 3", "utf-8")
    with pytest.raises(ConfigError, match="layout"):
        service.install("/usr/bin/boardctl", config, [], done.append, unit)
    assert done == []
    assert not unit.exists()


def test_the_unit_names_the_program_by_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People type `.venv/bin/boardctl service install` in a checkout."""
    program = tmp_path / "bin" / "boardctl"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", "ascii")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["bin/boardctl", "service", "show"])
    shown = CliRunner().invoke(main, ["service", "show"]).output
    assert f"ExecStart={program} run" in shown


def test_the_unit_names_the_config_by_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text("", "utf-8")
    unit = tmp_path / "boardctl.service"
    service.install("/usr/bin/boardctl", Path("mine.toml"), [], lambda _: None, unit)
    assert f"ConditionPathExists={tmp_path}/mine.toml\n" in unit.read_text("utf-8")
    assert f"--config {tmp_path}/mine.toml\n" in unit.read_text("utf-8")


def test_a_program_that_fails_is_told_in_a_sentence() -> None:
    with pytest.raises(service.ServiceError, match="is not installed"):
        service.run(["boardctl-no-such-program"])
    with pytest.raises(service.ServiceError, match=r"`ls /no/such/thing` failed: ls: "):
        service.run(["ls", "/no/such/thing"])


def test_the_watchdog_is_fed_only_while_keys_and_journal_live() -> None:
    clock, writer, fed, alive = VirtualClock(), Later(), [0], [True]

    def feed() -> None:
        fed[0] += 1

    watchdog = Watchdog(clock, writer, lambda: alive[0], feed, 10.0)
    writer.work()
    clock.run(1)
    assert fed[0] == 1
    clock.run(30)
    assert fed[0] == 1, "the journal hangs"
    writer.work()
    clock.run(1)
    assert fed[0] > 1, "and goes on"
    before, alive[0] = fed[0], False
    clock.run(30)
    writer.work()
    clock.run(1)
    assert fed[0] == before, "the keys are dead"
    watchdog.close()
    assert clock.idle


def test_what_systemd_asks_for_is_read_from_the_environment(tmp_path: Path) -> None:
    assert interval({}) is None
    assert interval({"WATCHDOG_USEC": "30000000"}) == 10
    notify("READY=1", {})
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(address))
        notify("READY=1", {"NOTIFY_SOCKET": str(address)})
        assert systemd.recv(100) == b"READY=1"


@pytest.mark.parametrize(
    ("written", "allowed"),
    [
        ("", ""),
        ('[mqtt]\nenabled = true\nhost = "192.168.1.2"', ""),
        ('[mqtt]\nenabled = true\nhost = "broker.local"', ""),
        ('[mqtt]\nenabled = true\nhost = "homeassistant"', ""),
        ('[mqtt]\nenabled = true\nhost = "fe80::1"', ""),
        ('[mqtt]\nenabled = true\nhost = "127.0.0.1"', ""),
        ('[mqtt]\nhost = "broker.example"', ""),
        ('[mqtt]\nenabled = true\nhost = "broker.example"', "any"),
        ('[far]\nhost = "broker.example."', "any"),
        ('[far]\nhost = "local.example"', "any"),
        ('[far]\nhost = "203.0.113.5"', "203.0.113.5"),
        ('[far]\nhost = "172.32.0.1"', "172.32.0.1"),
        (
            '[mqtt]\nenabled = true\nhost = "2001:db8::5"\n[far]\nhost = "203.0.113.5"',
            "2001:db8::5 203.0.113.5",
        ),
        (
            '[mqtt]\nenabled = true\nhost = "192.168.1.2"\n[far]\nhost = "203.0.113.5"',
            "203.0.113.5",
        ),
        ('[mqtt]\nenabled = true\nhost = "203.0.113.5"\n[far]\nhost = "broker.example"', "any"),
    ],
)
def test_the_unit_lets_the_board_reach_the_brokers_of_its_configuration(
    tmp_path: Path, written: str, allowed: str
) -> None:
    """Two houses with a public broker used to be unable to play, because the unit allowed only
    private networks."""
    config, done = tmp_path / "config.toml", list[Sequence[str]]()
    config.write_text(written, "utf-8")
    path = tmp_path / "boardctl.service.d" / "broker.conf"
    service.follow(config, done.append, tmp_path)
    said = path.read_text("utf-8").splitlines() if path.exists() else []
    assert [line for line in said if line.startswith("IPAddressAllow=")] == (
        [f"IPAddressAllow={allowed}"] if allowed else []
    )
    assert done == ([("systemctl", "daemon-reload")] if allowed else [])
    done.clear()
    service.follow(config, done.append, tmp_path)
    assert done == [], "nothing has changed"
    config.write_text("", "utf-8")
    service.follow(config, done.append, tmp_path)
    assert not path.exists()
    assert len(done) == bool(allowed)


def test_install_and_setup_write_the_drop_in_and_remove_takes_it_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit, config = tmp_path / "boardctl.service", tmp_path / "config.toml"
    done: list[Sequence[str]] = []
    config.write_text('[far]\nhost = "203.0.113.5"\n', "utf-8")
    service.install("/usr/bin/boardctl", config, [], done.append, unit)
    path = tmp_path / "boardctl.service.d" / "broker.conf"
    assert "IPAddressAllow=203.0.113.5\n" in path.read_text("utf-8")
    path.unlink()
    absent = tmp_path / "packaged"
    monkeypatch.setattr(service, "run", done.append)
    monkeypatch.setattr(
        service, "installed", partial(service.installed, folder=tmp_path, packaged=absent)
    )
    monkeypatch.setattr(service, "follow", partial(service.follow, folder=tmp_path))
    command = ["setup", "--yes", "--config", str(config)]
    set_up = CliRunner().invoke(main, command, catch_exceptions=False)
    assert set_up.exit_code == 0, set_up.output
    assert "IPAddressAllow=203.0.113.5\n" in path.read_text("utf-8")
    other = ["setup", "--yes", "--config", str(tmp_path / "other.toml")]
    path.unlink()
    assert CliRunner().invoke(main, other).exit_code == 0
    assert not path.exists(), "the service does not read that file"
    service.follow(config, done.append)
    assert path.exists()
    service.remove(done.append, unit)
    assert not path.exists()


def test_what_is_reached_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "run", lambda command: None)
    monkeypatch.setattr(service, "follow", partial(service.follow, folder=tmp_path))
    config = tmp_path / "config.toml"
    for written, said in (
        ('[far]\nhost = "203.0.113.5"\n', "203.0.113.5"),
        ("", "only the home network"),
    ):
        config.write_text(written, "utf-8")
        done = CliRunner().invoke(main, ["service", "follow", "--config", str(config)])
        assert said in done.output
