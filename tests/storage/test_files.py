"""Files are replaced atomically and durably, and belong to the user who reads them."""

from __future__ import annotations

import os
import resource
import stat
from pathlib import Path

import pytest

from boardctl.storage import backup, files, rows
from boardctl.storage.journal import NAME, AtOnce, Journal, JournalError, read_sessions


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The syncs, renames and changes of owner, in order."""
    seen: list[str] = []
    sync, rename = os.fsync, Path.rename

    def fsync(number: int) -> None:
        seen.append(f"sync {Path(f'/proc/self/fd/{number}').readlink().name}")
        sync(number)

    def renamed(self: Path, target: Path) -> Path:
        seen.append(f"rename {target.name}")
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "rename", renamed)
    return seen


def test_a_file_is_synced_then_named_then_its_name_is_synced(
    tmp_path: Path, calls: list[str]
) -> None:
    path = tmp_path / "phones.json"
    path.write_text("old")
    files.replace(path, b"new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert calls == ["sync .phones.json.part", "rename phones.json", f"sync {tmp_path.name}"]


def test_every_new_directory_is_synced_into_its_parent(tmp_path: Path, calls: list[str]) -> None:
    path = tmp_path / "state" / "boardctl" / "data"
    files.make_directory(path)
    assert calls == [f"sync {tmp_path.name}", "sync state", "sync boardctl"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    files.make_directory(path)
    assert len(calls) == 3, "what is there is not made again"


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("old")
    with pytest.raises(RuntimeError), files.replacing(path) as file:
        file.write(b"half")
        raise RuntimeError
    assert [p.name for p in tmp_path.iterdir()] == ["config.toml"]
    assert path.read_text() == "old"


def test_a_link_planted_under_the_temporary_name_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    files.part(tmp_path / "journal").symlink_to(victim)
    files.replace(tmp_path / "journal", b"new")
    assert victim.read_text() == "mine"
    assert (tmp_path / "journal").read_text() == "new"


def test_the_first_free_name_is_taken(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    (tmp_path / "journal.damaged-1.sqlite3").touch()
    assert files.unused(journal, "damaged").name == "journal.damaged-2.sqlite3"


@pytest.mark.parametrize("step", ["VACUUM", "check", "install"])
def test_nothing_is_left_of_a_backup_that_fails(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds at any of its steps, and the file that it would have replaced is unchanged."""
    data = tmp_path / "data"
    journal = Journal(data, AtOnce())
    journal.begin_session(1, "", "session friday", 0.0, "test")
    journal.close()
    before = sorted(path.name for path in data.iterdir())

    def fails(*_: object, **__: object) -> None:
        full = OSError(28, "No space left on device")
        raise full if step == "install" else JournalError(data, "failed", reason="no")

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if step == "VACUUM":  # a disk that fills up in the middle of it
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
    elif step == "check":
        monkeypatch.setattr(backup, "check", fails)
        monkeypatch.setattr(rows, "copy", fails)
    else:
        monkeypatch.setattr(files, "install", fails)
    try:
        with pytest.raises(JournalError):
            backup.save(data, tmp_path / "copy.sqlite3")
        with pytest.raises(JournalError):
            backup.restore(data / NAME, data)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    monkeypatch.undo()
    left = {path.name for path in data.iterdir()} - set(before)
    assert not {name for name in left if name.endswith(".part")}
    assert [found.text for _, entries in read_sessions(data) for found in entries] == [
        "session friday"
    ]
