"""Input is checked before it is read: a device never ends, a pipe may never begin, files may be
huge."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

import click
import pytest
from click.testing import CliRunner

from boardctl import commands
from boardctl.commands.shared import reading
from boardctl.commands.shared.reading import LINE, MOST, Lines, lines
from boardctl.options import read_file, read_toml
from boardctl.record import sealed

ROOT = Path(__file__).parents[2]
MEMORY = 3 << 30
"""Bytes of address space: OpenCV maps much of it, and no file may use up the rest."""
PATIENCE = 120.0
SECRET = bytes(sealed.SECRET_BYTES)
READS = {
    ("replay", "file"): ["replay", "{}"],
    ("simulate", "keys_file"): ["simulate", "{}"],
    ("simulate", "config"): ["simulate", "-", "--config", "{}"],
    ("run", "config"): ["run", "--sim", "--no-browser", "--config", "{}"],
    ("doctor", "config"): ["doctor", "--config", "{}"],
    ("selftest", "config"): ["selftest", "--config", "{}"],
    ("setup", "config"): ["setup", "--config", "{}"],
    ("service follow", "config"): ["service", "follow", "--config", "{}"],
    ("draw labels", "config_file"): ["draw", "labels", "--config", "{}", "--out", "labels.pdf"],
    ("see", "photos"): ["see", "{}"],
    ("restore", "file"): ["restore", "{}"],
    ("sealed verify", "game"): [
        *("sealed", "verify", sealed.commitment(SECRET), SECRET.hex(), "{}"),
    ],
    ("sealed verify", "far"): ["sealed", "verify", "--far", "{}"],
    ("club new", "file"): ["club", "new", "Friday", "--store", "club.sqlite3", "--file", "{}"],
    ("club import", "file"): ["club", "import", "Friday", "{}", "--store", "club.sqlite3"],
    ("hub", "ca"): ["hub", "--broker", "127.0.0.1:1", "--store", "hub.sqlite3", "--ca", "{}"],
    ("hub", "password_file"): [
        *("hub", "--broker", "127.0.0.1:1", "--store", "hub.sqlite3", "--password-file", "{}"),
    ],
    ("review", "game"): ["review", "{}"],
    ("flash", "ready"): ["flash", "--file", "{}"],
}
"""The arguments with which each reading command receives a path; `see --teach` and `draw` read in
the same way.
"""
ASKS: Final = ("setup", "config")
"""Commands that ask before they read, and end if nobody answers."""
OTHERS = {
    *(("backup", "file"), ("see", "out"), ("league person", "file"), ("flash", "firmware")),
    *(("club cards", "file"), ("club export", "file"), ("club sheet", "file"), ("see", "report")),
    *(("club broker", "directory"), ("club join", "directory"), ("card update", "file")),
    ("see", "reports"),
    *(("service install", "config"), ("service show", "config")),
}
"""Paths that a command writes to, or passes on by name."""


def paths(command: click.Command, name: str, context: click.Context) -> Iterator[tuple[str, str]]:
    """Return the parameters of all commands that are paths."""
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            yield from paths(found, f"{name} {each}".strip(), context)
        return
    for parameter in command.params:
        if isinstance(parameter.type, click.Path | click.File | Lines):
            assert parameter.name is not None
            yield name, parameter.name


def test_no_path_is_forgotten() -> None:
    found = set(paths(commands.main, "", click.Context(commands.main)))
    drawn = {one for one in found if one[0].startswith("draw ")}
    folders = {one for one in found if one[1] == "data"}
    others = {("draw labels", "config_file"), ("review", "game")}
    assert found - drawn - folders - OTHERS == set(READS) - others
    assert {parameter for _, parameter in drawn} == {"config_file", "out"}


def spoilt(folder: Path, kind: str) -> str:
    """A path that must not be read."""
    path = folder / "it"
    if kind == "device":
        return "/dev/zero"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "text":
        path.write_bytes("game cribbage\nseat 1 Zo\u00eb\n".encode("latin-1"))
    elif kind == "huge":
        with path.open("wb") as file:
            file.truncate(1 << 40)
    else:
        path.mkdir()
    return str(path)


REFUSED = """
import json, os, resource, sys
from pathlib import Path
from click.testing import CliRunner
from boardctl import commands
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
for words in json.load(sys.stdin):
    done = CliRunner().invoke(commands.main, words)
    crash = None if isinstance(done.exception, SystemExit | None) else repr(done.exception)
    print(json.dumps([done.exit_code, crash, done.output]), flush=True)
"""
"""Run commands in one process, whose address space is limited."""


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[str, Any]]:
    """Return each command with a path of some kind, with the path and the result. Commands of a
    kind share a process, because its start would take longer than they do."""

    @cache
    def answers(kind: str, names: tuple[tuple[str, str], ...]) -> tuple[str, dict[Any, Any]]:
        folder = tmp_path_factory.mktemp(kind)
        path = spoilt(folder, kind)
        asked = [[word.replace("{}", path) for word in READS[name]] for name in names]
        done = subprocess.run(
            [sys.executable, "-c", REFUSED, str(MEMORY)],
            cwd=folder,
            env={**os.environ, "XDG_STATE_HOME": str(folder / "state"), "PYTHONPATH": str(ROOT)},
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        said = [json.loads(line) for line in done.stdout.splitlines()]
        return path, dict(zip(names, said, strict=True))

    def refused(name: tuple[str, str], kind: str) -> tuple[str, Any]:
        path, found = answers(kind, HUGE if kind == "huge" else tuple(READS))
        return path, found[name]

    return refused


HUGE: Final = (("see", "photos"), ("hub", "ca"), ("restore", "file"))
"""Commands that read whole files."""


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, kind) for name in READS for kind in ("device", "folder", "text", "pipe")),
        *((name, "huge") for name in HUGE),
    ],
    ids=lambda one: one if isinstance(one, str) else "-".join(one),
)
def test_what_cannot_be_read_is_refused_in_a_sentence(
    name: tuple[str, str], kind: str, refused: Callable[..., tuple[str, Any]]
) -> None:
    """Neither memory nor time runs out, and nothing crashes. The sentence names the path."""
    path, (code, crash, said) = refused(name, kind)
    assert crash is None, said
    assert code in (1, 2), said
    assert "Traceback" not in said
    assert name == ASKS or Path(path).name in said


def test_lines_are_counted_while_they_come(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_text(f"{'a' * (LINE - 1)}\n{'b' * LINE}\n", "utf-8")
    reading = lines(str(file))
    assert len(next(reading)) == LINE
    with pytest.raises(click.ClickException, match="line 2 is longer than 10,000 characters"):
        next(reading)


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    """Editors and spreadsheets on Windows write such a mark."""
    file = tmp_path / "players.txt"
    file.write_bytes(b"\xef\xbb\xbfAnn\r\nBob\r\n")
    assert list(lines(str(file))) == ["Ann\n", "Bob\n"]
    config = tmp_path / "board.toml"
    config.write_bytes(b'\xef\xbb\xbflayout = "travel-2"\r\n')
    assert read_toml(config) == {"layout": "travel-2"}


def test_a_pipe_that_never_ends_is_left(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)  # a writer exists from the beginning
    with subprocess.Popen(["cp", "/dev/zero", str(pipe)], stderr=subprocess.DEVNULL) as endless:
        try:
            with pytest.raises(click.ClickException, match="line 1 is longer"):
                list(lines(str(pipe)))
            os.close(writer)
            endless.wait(PATIENCE)
        finally:
            endless.kill()
    assert MOST > LINE


def test_a_pipe_into_which_nobody_writes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(
        click.ClickException, match="pipe: cannot be read: no program is writing to it"
    ):
        list(lines(str(pipe)))
    writer = os.open(pipe, os.O_RDWR)
    waits = os.set_blocking

    def write(reader: int, blocking: bool) -> None:
        """The writer exists while the pipe is opened, and begins afterwards."""
        waits(reader, blocking)
        os.write(writer, "Zo\u00eb\nBob\n".encode())
        os.close(writer)

    monkeypatch.setattr(os, "set_blocking", write)
    assert list(lines(str(pipe))) == ["Zo\u00eb\n", "Bob\n"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay"],
        ["simulate"],
        ["analyse"],
        ["review"],
        ["duplicate", "compare"],
        ["sealed", "verify"],
    ],
)
def test_a_command_closes_its_file_after_an_error_in_it(
    tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is in the second of many lines, so the file is not read to its end."""
    opened: list[IO[bytes]] = []
    plain = reading._open

    def remembered(path: str) -> AbstractContextManager[IO[bytes]]:
        file = plain(path)
        assert isinstance(file, io.BufferedReader)
        opened.append(file)
        return file

    monkeypatch.setattr(reading, "_open", remembered)
    file = tmp_path / "record.txt"
    file.write_text("game cribbage\nnonsense\n" + "dealer 1\n" * 100_000, "utf-8")
    secret = [sealed.commitment(SECRET), SECRET.hex()] if arguments[-1] == "verify" else []
    done = CliRunner().invoke(commands.main, [*arguments, *secret, str(file)])
    assert done.exit_code
    assert [file.closed for file in opened] == [True]


@pytest.mark.parametrize("written", ["", "one\ntwo\n"])
def test_what_a_shell_substitutes_is_read(written: str, tmp_path: Path) -> None:
    (tmp_path / "written").write_text(written, "utf-8")
    reads = (
        "import sys; from boardctl.commands.shared.reading import lines; print(*lines(sys.argv[1]))"
    )
    done = subprocess.run(
        ["bash", "-c", f'exec "$0" -c "{reads}" <(cat written)', sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert done.stdout.split() == written.split()


@pytest.mark.parametrize("kind", ["device", "huge", "folder", "pipe"])
def test_a_file_is_read_within_its_limit(kind: str, tmp_path: Path) -> None:
    path = spoilt(tmp_path, kind)
    with pytest.raises(OSError, match=r"it is not a regular file|it is larger") as refused:
        read_file(Path(path), 1000)
    assert refused.value.filename == path
    file = tmp_path / "file"
    file.write_bytes(b"x" * 1000)
    assert read_file(file, 1000) == b"x" * 1000
    with pytest.raises(OSError, match="larger than 999 bytes"):
        read_file(file, 999)


RECORD = "game cribbage\nseat 1 Zoë\nseat 2 雪\ndealer 1\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_text_is_read_as_editors_save_it(tmp_path: Path, encoding: str, newline: str) -> None:
    file = tmp_path / "record.txt"
    file.write_bytes(RECORD.replace("\n", newline).encode(encoding))
    assert "".join(lines(str(file))) == RECORD
    file.write_bytes(("#" * 70_000 + newline + RECORD).encode(encoding))
    with pytest.raises(click.ClickException, match="line 1 "):
        list(lines(str(file)))


@pytest.mark.parametrize(
    ("written", "where"),
    [
        (RECORD.replace("雪", "Bob").encode("latin-1"), "byte 10 of line 2"),
        (RECORD.replace("ë", "e").encode("shift-jis"), "byte 8 of line 3"),
        (RECORD.encode("utf-8")[:-11], "byte 8 of line 3"),
        (RECORD.encode("utf-16")[:-1], "byte 17 of line 4"),
        (("#\n" * 100_000).encode() + b"\xff", "byte 1 of line 100001"),
        (RECORD.encode("utf-16-le"), "byte 2 of line 1"),
        (b"game cribbage\nseat 1 A\0n", "byte 9 of line 2"),
    ],
)
@pytest.mark.parametrize("command", ["replay", "review", "simulate"])
def test_another_encoding_is_refused_with_its_place(
    tmp_path: Path, command: str, written: bytes, where: str
) -> None:
    file = tmp_path / "record.txt"
    file.write_bytes(written)
    done = CliRunner().invoke(commands.main, [command, str(file)])
    assert done.exit_code == 1
    assert where in done.stderr
    assert "\ufffd" not in done.output
