"""Files written by root belong to the user who must read them: `sudo boardctl restore` and
similar."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest
from click.testing import CliRunner

from boardctl.app import wizard
from boardctl.commands import main
from boardctl.storage import backup, database, files
from boardctl.storage.journal import AtOnce, Journal
from boardctl.table import Table
from tests.tables import submit

SERVICE = 4711
"""The user of the data directory; any that is not root."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory that belongs to the service, as systemd creates it."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    data = tmp_path / "boardctl"
    data.mkdir(0o750)
    os.chown(data, SERVICE, SERVICE)
    return data


def of_others(data: Path) -> list[str]:
    """Return the files that the service cannot write."""
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
    assert of_others(data) == []
    copy = tmp_path / "copy.sqlite3"
    backup.save(data, copy)
    run("restore", copy, "--data", data)
    assert of_others(data) == []
    (data / "journal.sqlite3").write_bytes(b"")
    run("journal", "repair", "--data", data)
    assert of_others(data) == []
    assert len(list(data.glob("journal.damaged-1*"))) == 1


def test_a_data_directory_that_root_makes(data: Path) -> None:
    play(data / "new")
    assert of_others(data) == of_others(data / "new") == []


def test_the_config_belongs_to_its_directory(data: Path) -> None:
    wizard.write(data / "config.toml", 'layout = "classic-2"\n')
    wizard.write(data / "config.toml", 'layout = "classic-3"\n')
    assert of_others(data) == []


def test_files_of_the_service_in_a_directory_of_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")

    def nobody(name: str) -> NoReturn:
        raise KeyError(name)

    monkeypatch.setattr("pwd.getpwnam", nobody)
    assert files.owner(tmp_path) == (0, 0), "no service is installed"

    class User:
        pw_uid = pw_gid = SERVICE

    monkeypatch.setattr("pwd.getpwnam", lambda name: User)
    files.replace(tmp_path / "mqtt.password", b"secret")
    assert (tmp_path / "mqtt.password").stat().st_uid == SERVICE


@pytest.mark.parametrize(
    "name",
    ["lock", "history.sqlite3", "journal.next.sqlite3", "journal.sqlite3", "restore.sqlite3"],
)
def test_a_planted_link_gives_nothing_away(data: Path, tmp_path: Path, name: str) -> None:
    """The service's user may write in the directory, and waits for root to run a command."""
    play(data)
    copy = tmp_path / "copy.sqlite3"
    backup.save(data, copy)
    secret = tmp_path / "shadow"
    secret.write_bytes(b"root:secret" * 1000)
    secret.chmod(0o644)
    (data / name).unlink(missing_ok=True)
    (data / name).symlink_to(secret)
    for words in (("restore", copy), ("journal", "repair"), ("journal", "check"), ("export",)):
        CliRunner().invoke(main, [*map(str, words), "--data", str(data)])
        found = secret.stat()
        assert (found.st_uid, found.st_mode & 0o777) == (os.geteuid(), 0o644), words
        assert secret.read_bytes() == b"root:secret" * 1000
    for path in data.iterdir():
        if path.is_file() and path.lstat().st_uid == SERVICE and not path.is_symlink():
            assert b"root:secret" not in path.read_bytes(), path.name


def test_a_log_that_is_a_link_is_not_copied_for_others(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without hard links, as across file systems, root would copy the content."""
    secret = tmp_path / "shadow"
    secret.write_bytes(b"root:secret")

    def other_system(*found: object, **more: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", other_system)
    (data / "journal.sqlite3").symlink_to(secret)
    with pytest.raises(OSError, match="symbolic links"):
        database.keep(data / "journal.sqlite3", "before")
    assert [path.name for path in data.iterdir()] == ["journal.sqlite3"]
