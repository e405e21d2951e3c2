"""The card image in emulated machines: it boots, plays, survives, updates and falls back.

Needs `make image` and root. Slow: everything is emulated, so no test depends on wall time; the
figures are the guest's own, compared with those of `python3 -c pass` in the same guest.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.board.layout import load
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.drivers.ws2812_spi import Options, latch
from boardctl.storage.journal import AtOnce
from tests.image.building import BUILT
from tests.image.guest import MIB, Card, Guest, Machine, emulator
from tests.image.probe import MARK
from tests.image.write_log import Disk, WriteLog
from tests.report import LongRun

PROBE = Path(__file__).with_name("probe.py")
HOURS = 3600.0
"""The time limit of a guest for its steps."""
VIRTUAL = """\
layout = "classic-2"
[leds]
driver = "wled"
host = "127.0.0.1"
[keys]
driver = "usb_numpad"
"""
"""A configuration that can be played without a Raspberry Pi's pins."""
CUTS = 200
"""The number of power cuts while lines are played; half as many during an update."""
GROWING = 50
"""The number of power cuts while the data partition grows."""
STARTS = 12
"""The number of cards started after that. A third of them were cut while playing, a third while the
update is written, and a third around the choice of the new system. Each takes a minute."""
WEAR = 64
"""The maximum sectors written in an hour of rest, 32 KiB: the time is saved once."""


@pytest.fixture(scope="module")
def qemu() -> list[str]:
    if os.geteuid() != 0:
        pytest.skip("mounting a card needs root")
    if not (BUILT / "boardctl-card.img").exists():
        pytest.skip("there is no image: run `make image`")
    if missing := [name for name in ("mtype", "fdtput", "mmdebstrap") if not shutil.which(name)]:
        pytest.skip(f"not on this machine: {', '.join(missing)}")
    try:
        return emulator(BUILT / "cache")
    except RuntimeError as error:
        pytest.skip(str(error))


@pytest.fixture
def card(tmp_path: Path) -> Card:
    """A freshly flashed card, ready to use."""
    made = Card.flash(BUILT / "boardctl-card.img", tmp_path / "card.img")
    made.put({"probe.py": PROBE})
    return made


def ask(
    qemu: list[str], card: Card, steps: str, machine: Machine = "virt", *, skip: bool = False
) -> dict[str, list[str]]:
    """Start, let the probe run these steps, and switch off."""
    with Guest(qemu, card, machine, steps=f"{steps} end", skip=skip) as guest:
        guest.wait("end", HOURS)
        guest.finish(HOURS)
        return guest.said()


@pytest.mark.long
def test_it_boots_without_network_in_512_mib(
    qemu: list[str], card: Card, long_run: LongRun
) -> None:
    card.put({"config/config.toml": VIRTUAL})
    with Guest(qemu, card, steps="start numbers pad late endings power_button") as guest:
        guest.wait("button", HOURS)
        guest.monitor("system_powerdown")  # the machine's power button, on a pin of its GPIO
        guest.finish(HOURS)
        said = guest.said()
    assert said["slot"] == ["2"]
    assert said["restarts"] == ["0"]
    assert float(said["exposure"][0]) <= 2.0
    assert said["data"][0].startswith("/dev/vda4 ext4")
    assert int(said["data_mib"][0]) > 1000, "it took what the card had left"
    assert said["failed"] == ["none"]
    assert said["left_out"] == ["none"], "no unit is left out because it waits for itself"
    opened = dict(line.split(" ", 1) for line in said["opens"])
    for name in ("ttyUSB0", "i2c-1", "spidev0.0"):
        found = opened.pop(f"/dev/{name}")
        assert found.startswith("No such device"), "let in, though loaded after the start"
    for name in ("ttyACM0", "gpiochip0", "ttyAMA0", "snd/controlC0"):
        assert opened.pop(f"/dev/{name}") == "opens"
    assert opened == dict.fromkeys(("/dev/vda4", "/dev/mem"), "Operation not permitted")
    assert set(said["writable"]) == {"/var/lib/boardctl", "/run/boardctl", "/tmp", "/var/tmp"}
    assert said["watchdog"] == ["1 running"]
    assert said["killed"] == ["1 running"]
    assert said["stopped"] == ["success"]
    assert said["pad"] == ["1"], "a number pad plugged in after the start"
    assert "late" not in said
    with card.data() as data:
        assert (data / "board/journal.sqlite3").exists()
        assert not (data / "board/journal.sqlite3-wal").exists(), "the board was stopped in order"
    long_run(
        python_seconds=said["python_seconds"][0],
        ready_seconds=said["ready"][0],
        service_cpu_seconds=said["cpu_seconds"][0],
        service_mib=int(said["memory_mib"][0]),
        system_mib=int(said["used_mib"][0]),
    )


@pytest.mark.long
def test_a_phone_is_let_in_by_its_number_typed_at_the_board(qemu: list[str], card: Card) -> None:
    card.put({"config/config.toml": f'{VIRTUAL}[page]\nhost = "0.0.0.0"\n'})
    said = ask(qemu, card, "start consent")
    assert said["stranger"] == ["not-paired"] * 2
    assert said["not_let_in"] == ["not-granted"] * 3
    assert said["paired"] == ["True"]
    assert said["plays"] == ["True"]
    assert "late" not in said


@pytest.mark.long
def test_a_day_at_rest_writes_only_the_time(qemu: list[str], card: Card, long_run: LongRun) -> None:
    """The test runs five minutes and then twenty-four hours of the guest's clock, with idle waiting
    skipped. Then the power is cut, and the next start continues with the time last saved."""
    card.put({"config/config.toml": VIRTUAL})
    with Guest(qemu, card, steps="start rest day end", skip=True) as guest:
        guest.wait("end", HOURS)
        said = guest.said()
    minutes = [int(count) for count in said["rest_sectors"][0].split()]
    assert sum(minutes) <= 16, "8 KiB: nothing is written but the time, once an hour"
    hours = [int(count) for count in said["day_sectors"][0].split()]
    assert len(hours) == 24
    assert int(said["day_seconds"][0]) >= 24 * 3600
    assert int(said["day_saved"][0]) >= 23 * 3600, "the time is saved every hour"
    assert max(hours) <= WEAR
    assert said["day_restarts"] == ["0"]
    assert "late" not in said
    next_start = ask(qemu, card, "start clock")
    lost = int(said["day_ended"][0]) - int(next_start["clock"][0])
    assert lost < 3600, "the time goes on from the last hour"
    long_run(
        sectors_in_a_day=sum(hours),
        most_in_an_hour=max(hours),
        sectors_in_five_minutes=sum(minutes),
        board_sleeps_in_five_minutes=int(said["rest_switches"][0]),
        board_cpu_ms_in_five_minutes=said["rest_cpu_ms"][0],
        seconds_lost_by_a_power_cut=lost,
    )


@pytest.mark.long
def test_a_phone_joins_the_boards_own_wifi_and_shows_it_a_network(
    qemu: list[str], card: Card, long_run: LongRun
) -> None:
    """Without a network the board opens its own Wi-Fi; a wrong password or a network that
    disappears bring it back. The radios are simulated (mac80211_hwsim)."""
    card.put({"config/config.toml": VIRTUAL + '[page]\nhost = "0.0.0.0"\n'})
    said = ask(qemu, card, "start air hotspot home", skip=True)
    assert said["plays"] == ["True"]
    assert said["phone"] == ["joined"]
    status = json.loads(said["card"][0])
    assert (status["network"], status["hotspot"]) == ("hotspot", said["hotspot"][0])
    assert said["address"][0].startswith("10.41.0.")
    assert said["page"] == ["80 Cribbage board", "8121 boardctl"]
    assert said["wrong_password"] == said["hotspot"] == said["vanished"]
    assert "wlan0:connected:Home" in said["joined"][0]
    assert "late" not in said
    long_run(hotspot=said["hotspot"][0], phone_address=said["address"][0])


@pytest.mark.long
@pytest.mark.parametrize("machine", ["raspi3b", "raspi4b"])
def test_the_first_frame_leaves_a_raspberry_pi(
    qemu: list[str], card: Card, machine: Machine, long_run: LongRun
) -> None:
    """The configuration is the card's own: LEDs on SPI, keypad on the pins."""
    said = ask(qemu, card, "start frames", machine)
    assert int(said["frames"][0]) > 0
    bits = Options().bits
    length = 2 * latch(bits) + 3 * bits * load("classic-2").leds
    assert f"len={length} " in said["frame"][0], "a whole frame in one transfer"
    long_run(frames=int(said["frames"][0]), ready_seconds=said["ready"][0])


@pytest.mark.long
def test_a_new_system_that_does_not_come_up_is_left(
    qemu: list[str], card: Card, long_run: LongRun
) -> None:
    """The kernel of the new system starts, but its root is damaged: one attempt is made, then the
    old system returns with its data."""
    card.twin()
    card.write(3, "root.squashfs", b"damaged" * 100)
    card.write(1, "autoboot.txt", b"[all]\nboot_partition=3\n")
    card.put({"config/config.toml": VIRTUAL, "board/kept": "as it was", "system/trial-3": ""})

    with Guest(qemu, card) as guest:  # it reports this and restarts, which ends this machine
        guest.finish(HOURS)
    with card.data() as data:
        assert (data / "system/tried-3").exists()
    assert card.booted() == 3

    with Guest(qemu, card) as guest:
        guest.finish(HOURS)
    assert card.booted() == 2
    with card.data() as data:
        assert (data / "system/failed-3").exists()
        assert not (data / "system/trial-3").exists()
        assert (data / "board/kept").read_text("utf-8") == "as it was"
    said = ask(qemu, card, "start")
    assert said["slot"] == ["2"]
    long_run(starts=3)


@pytest.mark.long
def test_the_power_goes_while_the_card_grows(
    qemu: list[str], card: Card, seed: int, long_run: LongRun
) -> None:
    """The log of a first start is cut around its write of the partition table, and at random
    moments after it. The table is the old or the new one, and the data partition is repaired
    without a question. The next start grows it to the end of the card."""
    card.put({"config/config.toml": VIRTUAL})
    before = Card(card.path.with_name("before.img"))
    subprocess.run(["cp", "--sparse=always", card.path, before.path], check=True)
    sizes = {card.size(4)}
    writes = card.path.with_name("writes")
    with Guest(qemu, card, steps="start end", log=writes) as guest:
        guest.wait("end", HOURS)
        guest.finish(HOURS)
        grown = guest.said()["data_mib"]
    sizes.add(card.size(4))
    log = WriteLog(writes)
    table = next(n for n, asked in enumerate(log.requests) if asked.start == 0 and asked.length)
    chance = Random(seed)
    moments = [chance.randrange(table, len(log.requests)) for _ in range(GROWING)]
    moments = sorted([table - 1, table, table + 1, *moments])
    disk = Disk(log, before.path)
    found = []
    for place, moment in enumerate(moments):
        disk.advance(moment)
        cut = _cut(before, disk.lost_by(chance), card.path.with_name("cut.img"))
        found.append(cut.size(4))
        print(f"cut after request {moment} of {len(log.requests)}: {cut.size(4)} bytes of data")
        if place in _spread(range(len(moments)), 3):
            assert ask(qemu, cut, "start")["data_mib"] == grown
        assert cut.repair() < 4, f"cut after request {moment}"
    assert set(found) == sizes, "the old or the new table"
    long_run(cuts=len(found), cuts_with_old_table=found.count(min(sizes)), started=3)


@pytest.fixture(scope="module")
def played(qemu: list[str], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Card]:
    """One run: lines are played, then the signed update is installed, and every write is logged.
    Returns the card before, the log, and the card afterwards."""
    folder = tmp_path_factory.mktemp("played")
    card = Card.flash(BUILT / "boardctl-card.img", folder / "card.img", gibibytes=1)
    card.grow()  # the update needs room
    card.put({"probe.py": PROBE, "config/config.toml": VIRTUAL, "board/kept": "as it was"})
    card.put({"update.raucb": BUILT / "boardctl-card.raucb"})
    subprocess.run(["cp", "--sparse=always", card.path, folder / "before.img"], check=True)
    with Guest(qemu, card, steps="start play update end", log=folder / "writes") as guest:
        guest.wait("end", HOURS)
        guest.finish(HOURS)
        said = guest.said()
    assert said["slot"] == ["2"]
    assert said["installed"] == ["0"], said
    return folder, card


@pytest.mark.long
def test_an_update_is_tried_and_kept(
    qemu: list[str], played: tuple[Path, Card], long_run: LongRun
) -> None:
    """The signed update is written to the inactive partition, started, and marked good."""
    folder, after = played
    card = Card(folder / "updated.img")
    subprocess.run(["cp", "--sparse=always", after.path, card.path], check=True)
    assert card.booted() == 3
    assert part(card, 3) == part(card, 2), "the update is the system that is on the card"
    with card.data() as data:
        assert (data / "system/trial-3").exists()
    said = ask(qemu, card, "start good")
    assert said["slot"] == ["3"]
    assert said["good"] == ["True"]
    with card.data() as data:
        assert not list((data / "system").glob("t*-3"))
        assert (data / "board/kept").read_text("utf-8") == "as it was"
    long_run(update_bytes=(BUILT / "boardctl-card.raucb").stat().st_size)


def part(card: Card, number: int) -> str:
    """Return the digest of a system partition."""
    with card.path.open("rb") as file:
        file.seek(card.offset(number))
        digest = hashlib.sha256()
        for _ in range((card.offset(3) - card.offset(2)) // MIB):
            digest.update(file.read(MIB))
    return digest.hexdigest()


def mended(data: Path) -> int:
    """Repair the data partition after a power cut like the card's init and the board: mount it,
    continue with the journal, and play a line. Return its number of lines before."""
    done = subprocess.run(["e2fsck", "-p", data], capture_output=True, text=True, check=False)
    assert done.returncode < 4, done.stdout + done.stderr
    folder = data.with_suffix(".mounted")
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "loop", data, folder], check=True)
    try:
        with contextlib.closing(sqlite3.connect(folder / "board/journal.sqlite3")) as journal:
            assert journal.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            (count,) = journal.execute("SELECT count(*) FROM line").fetchone()
        board = BoardApp(simulated(Config()), folder / "board", VirtualClock(), None, AtOnce())
        try:
            assert board.table.journal.notice is None
            before = board.table.number
            line = "1 peg 1" if not board.table.position.over else "game cribbage"
            board.table.submit(board.table.parse(line), "page", before)
            assert board.table.number == before + 1
        finally:
            board.close()
        return int(count)
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.long
def test_the_power_goes_while_playing_and_at_every_stage_of_an_update(
    qemu: list[str], played: tuple[Path, Card], seed: int, long_run: LongRun
) -> None:
    """The log of writes is cut at random moments. Unflushed data is randomly on the card or not.
    The journal contains every acknowledged line, the board continues, and the system that starts
    next is either the old one or the complete new one. Some of the cards are really started and
    play on; a new system whose first start is cut short falls back to the old one."""
    folder, after = played
    log = WriteLog(folder / "writes")
    marks = [(n, text.decode("ascii", "replace").strip()) for n, text in log.marks(MARK)]
    lines = [(n, int(text.split()[1])) for n, text in marks if text.startswith("lines ")]
    begun = next(n for n, text in marks if text == "installing")
    ended = next(n for n, text in marks if text == "installed")
    chance = Random(seed)
    moments = sorted(
        [chance.randrange(lines[0][0], begun) for _ in range(CUTS)]
        + [chance.randrange(begun, ended + 1) for _ in range(CUTS // 2)]
        + _stages(log, after, begun, ended)
    )
    card = Card(folder / "before.img")
    whole = part(after, 3)
    disk = Disk(log, card.path)
    answered = found = new = 0
    places = range(len(moments))
    update = next(place for place in places if moments[place] >= begun)
    starting = [
        place
        for stage in (places[:update], places[update:-10], places[-10:])
        for place in _spread(stage, STARTS // 3)
    ]
    started: list[int] = []
    for place, moment in enumerate(moments):
        disk.advance(moment)
        kept = disk.lost_by(chance)
        data = folder / "data.img"
        _copy_data(card, data, kept)
        promised = max((count for n, count in lines if n <= moment), default=0)
        have = mended(data)
        assert have >= promised, f"cut after request {moment}"
        answered, found = answered + promised, found + have
        slot = _slot(card, kept)
        if slot == 3:
            new += 1
            assert not any(card.offset(3) <= at < card.offset(4) for at, _ in kept)
            assert part(card, 3) == whole, f"half a system after request {moment}"
        if place in starting:
            print(f"card {place} of {len(moments)}: cut after request {moment}, system {slot}")
            tried = _cut(card, kept, folder / "cut.img")
            _start(qemu, tried, have, slot)
            started.append(slot)
    assert (started[0], started[-1]) == (2, 3)
    with Guest(qemu, tried) as guest:  # the last one, cut again before its new system was good
        guest.finish(HOURS)
    said = ask(qemu, tried, "start again")
    assert (said["slot"], said["lines"]) == (["2"], [str(have + 1), str(have + 2)])
    long_run(
        cuts=len(moments), lines_answered_for=answered, lines_found=found, cuts_with_new_system=new,
        started=len(started), started_with_new_system=started.count(3),
    )  # fmt: skip


def _spread(places: Sequence[int], count: int) -> list[int]:
    """Return this many of the places, evenly spread, including the first and the last."""
    return [places[k * (len(places) - 1) // (count - 1)] for k in range(count)]


def _stages(log: WriteLog, card: Card, begun: int, ended: int) -> list[int]:
    """Return the places around every write of an update to the choice of the system and to the
    record of the trial: the requests on the first and the fourth partition, and the first and last
    on the third."""
    first = (card.offset(1), card.offset(2))
    third = (card.offset(3), card.offset(4))
    near = [
        n
        for n in range(begun, ended + 1)
        if first[0] <= log.requests[n].start < first[1] and log.requests[n].length
    ]
    slot = [
        n
        for n in range(begun, ended + 1)
        if third[0] <= log.requests[n].start < third[1] and log.requests[n].length
    ]
    return [n + d for n in [*near, slot[0], slot[-1]] for d in (-1, 0, 1)]


def _copy_data(card: Card, data: Path, kept: list[tuple[int, bytes]]) -> None:
    """Return the data partition of a card after a power cut, as a separate file."""
    start = card.offset(4)
    subprocess.run(
        ["dd", f"if={card.path}", f"of={data}", "bs=1M", f"skip={start // MIB}", "conv=sparse",
         "status=none"],
        check=True,
    )  # fmt: skip
    with data.open("r+b") as file:
        for at, content in kept:
            if at >= start:
                file.seek(at - start)
                file.write(content)


def _slot(card: Card, kept: list[tuple[int, bytes]]) -> int:
    """Return the partition that the firmware would start."""
    first = card.path.with_suffix(".first")
    with card.path.open("rb") as file:
        content = bytearray(file.read(card.offset(2)))
    for at, piece in kept:
        if at + len(piece) <= len(content):
            content[at : at + len(piece)] = piece
    first.write_bytes(content)
    return Card(first).booted()


def _cut(card: Card, kept: list[tuple[int, bytes]], path: Path) -> Card:
    """Return a copy of the card as a power cut leaves it."""
    subprocess.run(["cp", "--sparse=always", card.path, path], check=True)
    with path.open("r+b") as file:
        for at, content in kept:
            file.seek(at)
            file.write(content)
    return Card(path)


def _start(qemu: list[str], card: Card, lines: int, slot: int) -> None:
    """Start the card after a power cut: it has its lines and its system, and continues to play.
    Then its power is cut again."""
    with Guest(qemu, card, steps="start again end") as guest:
        said = guest.wait_for(lambda said: "end" in said, HOURS)
    assert said["slot"] == [str(slot)]
    assert said["lines"] == [str(lines), str(lines + 1)]
