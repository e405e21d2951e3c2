"""The hub's unit as checked by systemd, and the permissions of files written by the club's
commands."""

from __future__ import annotations

import os
import pwd
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from boardctl.club.store import Store
from boardctl.commands import main
from boardctl.storage import files
from tests.parts import need

HUB = ("hub", "--broker", "broker.local", "--password-file", "hub.password", "--name", "a b%")


def unit() -> str:
    done = CliRunner().invoke(main, [*HUB, "--unit"])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_unit_starts_the_hub_again_whatever_ends_it() -> None:
    text = unit()
    assert "Restart=always\n" in text
    assert "StartLimitIntervalSec=0\n" in text
    assert re.search(
        r"^ExecStart=\S+boardctl hub --broker broker.local --name 'a b%%' "
        r"--language en --password-file %d/password$",
        text,
        re.MULTILINE,
    )
    assert re.search(r"^LoadCredential=password:/.*/hub.password$", text, re.MULTILINE)


def test_systemd_finds_the_unit_right_and_little_exposed(tmp_path: Path) -> None:
    need("systemd-analyze")
    path = tmp_path / "boardctl-hub.service"
    path.write_text(re.sub(r"ExecStart=\S+", "ExecStart=/usr/bin/true", unit()), "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    exposure = re.search(r"Overall exposure level for \S+ ([\d.]+)", done.stdout)
    assert exposure is not None, done.stdout + done.stderr
    assert float(exposure[1]) <= 2.0
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "boardctl-hub.service" not in done.stderr, done.stderr


def test_the_club_s_file_is_not_for_everybody(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite3"
    path.touch(0o666)
    path.chmod(0o666)
    for mode in (0o660, 0o600):
        store = Store(path)
        store.new("Friday", ("Ann", "Bob"))
        for file in tmp_path.glob("club.sqlite3*"):
            assert file.stat().st_mode & 0o777 == mode, file
        store.close()
        path.unlink()


def test_what_root_joins_belongs_to_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(_: str) -> object:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwnam", nobody)
    assert files.owner(tmp_path) == (os.getuid(), os.getgid())
    service = SimpleNamespace(pw_uid=991, pw_gid=992)
    monkeypatch.setattr(pwd, "getpwnam", lambda _: service)
    if os.getuid() == 0:
        assert files.owner(tmp_path) == (991, 992)
        os.chown(tmp_path, 77, 78)
        assert files.owner(tmp_path) == (77, 78)
