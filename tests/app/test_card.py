"""Requests to the card's helper over a real socket, and the helper program."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from boardctl.app import card
from boardctl.commands import main
from tests.image.building import load_program
from tests.parts import need


def load() -> ModuleType:
    return load_program("admin")


@pytest.fixture
def admin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    module = load()
    monkeypatch.setattr(module, "SYSTEM", tmp_path)
    monkeypatch.setattr(module, "CONFIG", tmp_path / "config.toml")
    monkeypatch.setattr(module, "run", lambda *command: " ".join(command))
    return module


def serve(path: Path, answer: bytes) -> threading.Thread:
    """Answer one connection."""
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen()

    def talk() -> None:
        line, _ = server.accept()
        while line.recv(4096):
            pass
        line.sendall(answer)
        line.close()
        server.close()

    thread = threading.Thread(target=talk)
    thread.start()
    return thread


def test_an_answer_and_a_refusal(tmp_path: Path) -> None:
    path = tmp_path / "one"
    assert not card.present(path)
    thread = serve(path, b'{"ok": true, "system": "2"}')
    assert card.present(path)
    assert card.ask("status", path) == {"system": "2"}
    thread.join()
    thread = serve(tmp_path / "two", b'{"ok": false, "error": "no such file"}')
    with pytest.raises(card.CardError, match="no such file"):
        card.ask("update", tmp_path / "two", file="x")
    thread.join()


@pytest.mark.parametrize("heard", [b"", b"[]", b"7", b"{", b'{"ok": 1}'])
def test_what_is_no_answer_is_an_error(heard: bytes) -> None:
    with pytest.raises(card.CardError):
        card.read_answer(heard)


def test_without_the_image_the_command_says_so() -> None:
    done = CliRunner().invoke(main, ["card", "status"])
    assert done.exit_code == 1
    assert "not started from the project’s card image" in done.output


def test_a_reset_is_asked_for_before_the_restart(admin: ModuleType, tmp_path: Path) -> None:
    assert admin.answer('{"do": "reset", "games": "keep"}') == {"ok": True}
    assert (tmp_path / "reset").read_text("utf-8") == "keep-games\n"
    assert not admin.answer('{"do": "reset", "games": "some"}')["ok"]


@pytest.mark.parametrize(
    "line",
    ["", "{", "7", "[]", '{"do": "sh"}', '{"do": ["status"]}', '{"do": "update", "file": 7}',
     '{"do": "update", "file": "/no/such"}', '{"do": "configure"}'],
)  # fmt: skip
def test_a_bad_request_is_refused_in_a_sentence(admin: ModuleType, line: str) -> None:
    said = admin.answer(line)
    assert said["ok"] is False
    assert "\n" not in said["error"]
    json.dumps(said)


def test_a_configuration_lets_the_board_reach_its_broker_before_it_starts_again(
    admin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[str, ...]] = []
    checked = subprocess.CompletedProcess([], 0, "", "")
    monkeypatch.setattr(admin.subprocess, "run", lambda *_, **__: checked)
    monkeypatch.setattr(admin, "run", lambda *command: done.append(command))
    text = '[far]\nhost = "broker.example"\n'
    assert admin.answer(json.dumps({"do": "configure", "text": text})) == {"ok": True}
    assert (tmp_path / "config.toml").read_text("utf-8") == text
    assert done == [
        ("/usr/bin/boardctl", "service", "follow"),
        ("systemctl", "--no-block", "restart", "boardctl.service"),
    ]


def test_a_phone_joins_the_hotspot_by_its_code() -> None:
    assert card.hotspot_code("cribbage-123") == "WIFI:T:nopass;S:cribbage-123;;"
    assert card.hotspot_code("a;b", "p:w") == r"WIFI:T:WPA;S:a\;b;P:p\:w;;"


def test_the_hotspot_is_told_by_the_name_that_phones_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """comitup's connection has a suffix that the network's name lacks."""
    nmcli = tmp_path / "nmcli"
    nmcli.write_text(
        "#!/bin/sh\n"
        'case "$*" in\n'
        '*device) echo connected:wlan0:cribbage-123-0000; echo "connected (externally):lo:lo" ;;\n'
        '"-g 802-11-wireless.ssid connection show cribbage-123-0000") echo cribbage-123 ;;\n'
        "esac\n",
        "utf-8",
    )
    nmcli.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    ip = tmp_path / "ip"
    ip.write_text("#!/bin/sh\n", "utf-8")
    ip.chmod(0o755)
    module = load()
    monkeypatch.setattr(module, "HOTSPOT", tmp_path / "comitup.conf")
    module.HOTSPOT.write_text("ap_name: cribbage-<nnn>\n", "utf-8")
    here = {"network": "hotspot", "hotspot": "cribbage-123", "password": "", "joined": False}
    assert module.network() == here
    module.HOTSPOT.write_text("ap_password: k7mq2xw9pd\n", "utf-8")
    ip.write_text(
        '#!/bin/sh\n[ "$*" = "-4 neighbour show dev wlan0 nud reachable" ] && '
        "echo 10.41.0.7 lladdr 02:00:00:00:00:01 REACHABLE\n",
        "utf-8",
    )
    assert module.network() == here | {"password": "k7mq2xw9pd", "joined": True}
    nmcli.write_text("#!/bin/sh\necho 'connected:wlan0:Home'\n", "utf-8")
    assert module.network() == here | {"network": "connected", "hotspot": ""}
    nmcli.write_text("#!/bin/sh\nexit 8\n", "utf-8")
    assert module.network() == here | {"network": "none", "hotspot": ""}


def test_an_older_version_is_refused_unless_it_is_asked_for(
    admin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("dpkg-deb")
    done: list[tuple[str, ...]] = []
    file = tmp_path / "card.raucb"
    file.touch()
    offered = "0.9.0"

    def run(*command: str) -> str:
        done.append(command)
        if command[:2] == ("rauc", "info"):
            return json.dumps({"version": offered})
        return "1.0.0" if command[0] == "dpkg-query" else ""

    monkeypatch.setattr(admin, "run", run)
    monkeypatch.setattr(admin, "VERSION", tmp_path / "version")
    asked = {"do": "update", "file": str(file)}
    refused = {"ok": False, "error": "that is version 0.9.0, older than the installed 1.0.0"}
    assert admin.answer(json.dumps(asked)) == refused
    assert ("rauc", "install", str(file)) not in done
    answer = admin.answer(json.dumps(asked | {"older": True}))
    assert answer == {"ok": True, "restart": True, "version": "0.9.0"}
    for offered in ("1.0.0", "1.10.0"):
        assert admin.answer(json.dumps(asked))["version"] == offered
        assert (tmp_path / "version").read_text("utf-8") == offered, "what was written must be it"
    assert done.count(("rauc", "install", str(file))) == 3
