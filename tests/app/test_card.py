"""Requests to the card's helper over a real socket, and the helper program."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import socket
import threading
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from boardctl.app import card
from boardctl.commands import main

ADMIN = Path(__file__).parents[2] / "packaging/image/files/usr/lib/boardctl-card/admin"


def load() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("card_admin", str(ADMIN))
    spec = importlib.util.spec_from_loader("card_admin", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


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
    assert "not started from the project's card image" in done.output


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
    told = admin.answer(line)
    assert told["ok"] is False
    assert "\n" not in told["error"]
    json.dumps(told)


def test_a_phone_joins_the_hotspot_by_its_code() -> None:
    assert card.hotspot_code("cribbage-123") == "WIFI:T:nopass;S:cribbage-123;;"
    assert card.hotspot_code("a;b", "p:w") == r"WIFI:T:WPA;S:a\;b;P:p\:w;;"


def test_the_hotspot_is_told_by_the_name_that_phones_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """comitup's connection has a suffix that the network lacks."""
    nmcli = tmp_path / "nmcli"
    nmcli.write_text(
        "#!/bin/sh\n"
        'case "$*" in\n'
        '*device) echo "connected:cribbage-123-0000"; echo "connected (externally):lo" ;;\n'
        '"-g 802-11-wireless.ssid connection show cribbage-123-0000") echo cribbage-123 ;;\n'
        "esac\n",
        "utf-8",
    )
    nmcli.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    assert load().network() == ("hotspot", "cribbage-123")
    nmcli.write_text("#!/bin/sh\necho 'connected:Home'\n", "utf-8")
    assert load().network() == ("connected", "")
    nmcli.write_text("#!/bin/sh\nexit 8\n", "utf-8")
    assert load().network() == ("none", "")
