"""What root writes belongs to the user who must read it: `sudo boardctl restore` and similar."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl.app import wizard
from boardctl.cli import main
from boardctl.storage import backup, files
from boardctl.storage.journal import AtOnce, Journal
from boardctl.table import Table
from tests.tables import submit

SERVICE = 4711
"""The user of the data directory; any that is not root."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory that belongs to the service, as systemd makes it."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    data = tmp_path / "boardctl"
    data.mkdir(0o750)
    os.chown(data, SERVICE, SERVICE)
    return data


def strangers(data: Path) -> list[str]:
    """The files that the service cannot write."""
    return [path.name for path in data.iterdir() if path.stat().st_uid != SERVICE]


def run(*words: str | Path) -> None:
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 0, done.output


def play(data: Path) -> None:
    journal = Journal(data, AtOnce())
    submit(Table(journal, now=lambda: 0.0), "session friday", "test")
    journal.close()


def test_the_journal_and_its_restored_one(data: Path, tmp_path: Path) -> None:
    play(data)
    assert strangers(data) == []
    copy = tmp_path / "copy.sqlite3"
    backup.save(data, copy)
    run("restore", copy, "--data", data)
    assert strangers(data) == []
    (data / "journal.sqlite3").write_bytes(b"")
    run("journal", "repair", "--data", data)
    assert strangers(data) == []
    assert len(list(data.glob("journal.damaged-1*"))) == 1


def test_a_data_directory_that_root_makes(data: Path) -> None:
    play(data / "new")
    assert strangers(data) == strangers(data / "new") == []


def test_the_config_belongs_to_its_directory(data: Path) -> None:
    wizard.write(data / "config.toml", 'layout = "classic-2"\n')
    wizard.write(data / "config.toml", 'layout = "classic-3"\n')
    assert strangers(data) == []


def test_files_of_the_service_in_a_directory_of_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    assert files.owner(tmp_path) == (0, 0), "no service is installed here"

    class User:
        pw_uid = pw_gid = SERVICE

    monkeypatch.setattr("pwd.getpwnam", lambda name: User)
    files.replace(tmp_path / "mqtt.password", b"secret")
    assert (tmp_path / "mqtt.password").stat().st_uid == SERVICE
