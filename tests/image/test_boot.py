"""The card image in emulated machines: it boots, plays, survives, updates and goes back.

Needs `make image` and root. Slow: everything is emulated, so nothing here is bound by seconds; the
figures are the guest's own, beside those of `python3 -c pass` in the same guest.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

from tests.image.building import BUILT
from tests.image.guest import Card, Guest, Machine, emulator
from tests.report import LongRun

PROBE = Path(__file__).with_name("probe.py")
HOURS = 3600.0
"""How long a guest may take for what it was asked, at most."""
VIRTUAL = """\
layout = "classic-2"
[leds]
driver = "wled"
host = "127.0.0.1"
[keys]
driver = "usb_numpad"
[page]
host = "0.0.0.0"
"""
"""What a machine without a Raspberry Pi's pins can be played with."""
CUTS = int(os.environ.get("CARD_CUTS", "200"))
"""How often the power goes; each takes an emulated machine some seconds."""


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
    """A freshly flashed card, ready to be asked."""
    made = Card.flash(BUILT / "boardctl-card.img", tmp_path / "card.img")
    made.put({"probe.py": PROBE})
    return made


def ask(qemu: list[str], card: Card, steps: str, machine: Machine = "virt") -> dict[str, list[str]]:
    """Start, let the probe do these steps, and switch off."""
    with Guest(qemu, card, machine, steps=f"{steps} end") as guest:
        guest.wait("end", HOURS)
        guest.finish(HOURS)
        return guest.said()


@pytest.mark.long
def test_it_boots_without_network_in_512_mib(
    qemu: list[str], card: Card, long_run: LongRun
) -> None:
    card.put({"config/config.toml": VIRTUAL})
    said = ask(qemu, card, "start late endings")
    assert said["slot"] == ["2"]
    assert said["restarts"] == ["0"]
    assert float(said["exposure"][0]) <= 2.0
    assert said["data"][0].startswith("/dev/vda4 ext4")
    assert int(said["data_mib"][0]) > 1000, "it took what the card had left"
    assert said["failed"] == ["none"]
    opened = dict(line.split(" ", 1) for line in said["opens"])
    for name in ("/dev/ttyUSB0", "/dev/ttyACM0"):
        assert opened[name].startswith("No such device"), "let in, though loaded after the start"
    assert opened["/dev/vda4"] == "Operation not permitted"
    assert said["watchdog"] == ["1 running"]
    assert said["killed"] == ["1 running"]
    assert said["stopped"] == ["success"]
    assert "late" not in said
    said |= ask(qemu, card, "start numbers")  # the data partition has grown at the first start
    long_run(
        python_seconds=said["python_seconds"][0],
        ready_seconds=said["ready"][0],
        service_cpu_seconds=said["cpu_seconds"][0],
        service_mib=int(said["memory_mib"][0]),
        system_mib=int(said["used_mib"][0]),
        sectors_a_minute_at_rest=int(said["rest_sectors"][0]),
        cpu_ms_a_minute_at_rest=said["rest_cpu_ms"][0],
    )


@pytest.mark.long
def test_the_first_frame_leaves_a_raspberry_pi(
    qemu: list[str], card: Card, long_run: LongRun
) -> None:
    """With the configuration that the card comes with: LEDs on SPI, keypad on the pins."""
    said = ask(qemu, card, "start frames", "raspi3b")
    assert int(said["frames"][0]) > 0
    assert "len=3051" in said["frame"][0], "329 LEDs of classic-2, three bits a bit, and the latch"
    long_run(frames=int(said["frames"][0]), ready_seconds=said["ready"][0])


@pytest.mark.long
def test_a_new_system_that_does_not_come_up_is_left(
    qemu: list[str], card: Card, long_run: LongRun
) -> None:
    """Its kernel starts and its root is damaged: one try, then back, with what was on the card."""
    card.twin()
    card.write(3, "root.squashfs", b"damaged" * 100)
    card.write(1, "autoboot.txt", b"[all]\nboot_partition=3\n")
    card.put({"config/config.toml": VIRTUAL, "board/kept": "as it was", "system/trial-3": ""})

    with Guest(qemu, card) as guest:  # it says so and starts anew, which ends this machine
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
def test_an_update_is_tried_and_kept(qemu: list[str], card: Card, long_run: LongRun) -> None:
    """The signed update is written beside the running system, started, and found good."""
    card.put({"config/config.toml": VIRTUAL})
    ask(qemu, card, "start")  # the data partition takes what the card has left
    card.put({"update.raucb": BUILT / "boardctl-card.raucb", "board/kept": "as it was"})
    updated(qemu, card)
    long_run(update_bytes=(BUILT / "boardctl-card.raucb").stat().st_size)


def updated(qemu: list[str], card: Card) -> None:
    """Install the update that is on the card, and start it."""
    said = ask(qemu, card, "start update")
    assert said["slot"] == ["2"]
    assert said["installed"] == ["0"], said
    assert card.booted() == 3
    with card.data() as data:
        assert (data / "system/trial-3").exists()
    said = ask(qemu, card, "start good")
    assert said["slot"] == ["3"]
    assert said["good"] == ["True"]
    with card.data() as data:
        assert not list((data / "system").glob("t*-3"))
        assert (data / "board/kept").read_text("utf-8") == "as it was"


def saved_lines(data: Path) -> int:
    """The journal's lines as the next start finds them: its file system's log is replayed by the
    mount, its own by SQLite."""
    folder = data.with_suffix(".mounted")
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "loop", data, folder], check=True)
    try:
        with contextlib.closing(sqlite3.connect(folder / "board/journal.sqlite3")) as journal:
            assert journal.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            (count,) = journal.execute("SELECT count(*) FROM line").fetchone()
            return int(count)
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.long
def test_the_power_goes_while_playing(
    qemu: list[str], card: Card, tmp_path: Path, long_run: LongRun
) -> None:
    """One machine that plays is frozen, and thawed again and again to be cut at another moment:
    every line that was seen as saved is there, and after the last cut the card boots and plays."""
    card.put({"config/config.toml": VIRTUAL})
    layer = card.layer(qemu, tmp_path / "layer.qcow2")
    with Guest(qemu, layer, steps="start play") as guest:
        guest.wait("saved", HOURS)
        guest.monitor("stop")
        guest.monitor("savevm play")
    chance, seen, found = Random(19), 0, 0
    for _ in range(CUTS):
        with Guest(qemu, layer, steps="start play", resume="play") as guest:
            guest.wait_for(lambda said: "saved" in said, HOURS)
            time.sleep(6 * chance.random())
            guest.cut()
            saved = int(guest.said()["saved"][-1])
        lines = saved_lines(layer.data_file(qemu, tmp_path / "data.img"))
        assert lines >= saved
        seen, found = seen + saved, found + lines
    after = Card(tmp_path / "after.img")
    layer.flatten(qemu, after.path)
    said = ask(qemu, after, "start journal")
    assert int(said["lines"][0]) == lines
    long_run(cuts=CUTS, lines_seen_saved=seen, lines_found=found)
