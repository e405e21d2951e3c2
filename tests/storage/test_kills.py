"""A game on real `boardctl run` processes, each ended by SIGKILL.

After each line, whether or not its answer was awaited, the next process finds every acknowledged
line, an unacknowledged line completely or not at all, and each steady peg in its place.
"""

from __future__ import annotations

import json
import random
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from boardctl.board import layout
from boardctl.board.reading import Reading, reading
from boardctl.record.record import Record
from boardctl.storage.journal import read_sessions
from tests.app.test_daemon import running, state, tell
from tests.report import LongRun
from tests.tables import keyed, submit

LAYOUT = layout.load("classic-2")
RECORDS = Path(__file__).parents[1] / "vectors" / "records-cribbage-2.jsonl"
GAME = """\
game cribbage
seat 1 Ann
seat 2 Bob
start 97 101
dealer 1
deal
starter 5D
2 play TC
1 play 5H
2 play 9S
1 play 7D
2 play 4S
1 play 4D
2 play KH
1 play KD
2 show
1 show
undo
redo
1 peg 4 crib
deal
2 peg 2 heels
1 peg 3
2 peg 4
1 peg 8"""
"""A game entered by cards and by points, with corrections, until a side has won."""


@dataclass(frozen=True, slots=True)
class Lives:
    """The number of lines acknowledged before the kill, and of the others that were kept."""

    acknowledged: int
    kept: int
    gone: int


def rests(address: str, expected: Reading) -> Reading:
    """Return the positions of the pegs, from the frames sent to the page. The last peg repeats its
    animation, so wait until all are as expected or no more frames arrive."""
    frame = bytearray()
    seen: Reading = {}
    with connect(f"ws{address.removeprefix('http')}/ws", origin=Origin(address)) as page:
        try:
            while not frame or seen != expected:
                found = page.recv(20)
                if isinstance(found, bytes) and found[0] == 0:
                    frame[:] = found[1:]
                elif isinstance(found, bytes):
                    for at in range(1, len(found), 5):
                        place = 3 * int.from_bytes(found[at : at + 2], "big")
                        frame[place : place + 3] = found[at + 2 : at + 5]
                seen = steady(reading(LAYOUT, bytes(frame))) if frame else {}
        except TimeoutError:
            pass
    return seen


def say_only(address: str, number: int, line: str) -> None:
    """Send a line like the page, without waiting for the answer."""
    place = urlsplit(address)
    assert place.hostname
    body = json.dumps({"line": line, "expect": number}).encode()
    head = (
        f"POST /lines HTTP/1.1\r\nHost: {place.netloc}\r\nOrigin: {address}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((place.hostname, place.port)) as page:
        page.sendall(head.encode() + body)


def kept(data: Path) -> list[str]:
    """Return every line of the journal, all of one session: a start begins none."""
    ((_, entries),) = read_sessions(data)
    return [entry.text for entry in entries]


def spelled(lines: list[str]) -> list[str]:
    """Return the lines as stored in the journal."""
    record = Record()
    reports = [record.read(line) for line in lines]
    return [report.line for report in reports if report is not None]


def standing(lines: list[str], data: Path) -> Reading:
    """Return the positions of the pegs on a board on which these lines were entered long ago."""
    with keyed(data) as table:
        for line in lines:
            submit(table.table, line, "test")
        table.clock.run(60)
        return steady(reading(LAYOUT, table.row.frame))


def steady(seen: Reading) -> Reading:
    return {name: hole for name, hole in seen.items() if name.endswith((".front", ".back"))}


def play(lines: list[str], folder: Path, seed: int) -> Lives:
    """Play a whole game, with one process per line, each killed."""
    chance = random.Random(seed)
    data = folder / "data"
    acknowledged = there = gone = at = 0
    before: list[str] | None = None
    waiting = False
    while True:
        with running(folder, "--sim", "--data", str(data)) as (process, answer):
            address = answer[answer.index("http://") :].split()[0]
            number = state(address)["number"]
            found = kept(data)
            if before is None:
                before = found  # the board has seated its players
            if waiting:
                whole = len(found) == len(before) + at + 1
                at, there, gone = at + whole, there + whole, gone + (not whole)
            assert found == [*before, *lines[:at]], "what was acknowledged, and no other"
            assert number == len(found)
            place = standing(found, folder / f"{acknowledged}-{there}-{gone}")
            assert rests(address, place) == place
            if at == len(lines):
                return Lives(acknowledged, there, gone)
            waiting = chance.random() < 0.4
            if waiting:
                say_only(address, number, lines[at])
                time.sleep(chance.choice((0.0, 0.002, 0.005, 0.02)))
            else:
                tell(address, number, lines[at])
                acknowledged, at = acknowledged + 1, at + 1
            process.kill()
            process.wait()


@pytest.mark.slow
def test_killed_at_every_line_of_a_game(tmp_path: Path) -> None:
    lines = spelled(GAME.splitlines())
    lives = play(lines, tmp_path, seed=1)
    assert lives.acknowledged + lives.kept == len(lines)
    assert lives.kept + lives.gone > 5, "some were killed before they answered"


@pytest.mark.long
def test_killed_at_every_line_of_a_whole_game_by_cards(
    tmp_path: Path, seed: int, long_run: LongRun
) -> None:
    with RECORDS.open(encoding="utf-8") as records:
        lines = spelled(json.loads(next(records))["record"].splitlines())
    lives = play(lines, tmp_path, seed)
    long_run(
        lines=len(lines),
        kills=lives.acknowledged + lives.kept + lives.gone,
        acknowledged=lives.acknowledged,
        unanswered_and_kept=lives.kept,
        unanswered_and_gone=lives.gone,
    )
    assert lives.acknowledged + lives.kept == len(lines)
