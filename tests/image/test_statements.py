"""The sentences of `docs/image.md` and `docs/notes/image.md`, against the files of the card.

Needs no image. `test_packages`, `test_trees` and `test_pi_5` check the table of models.
"""

from __future__ import annotations

import re
import tomllib
from typing import Final

from boardctl.app.config import parse
from boardctl.board.layout import load
from boardctl.commands import main
from boardctl.drawings.wires import HEADER, POWER_BUTTON, SCL, SDA
from boardctl.drivers import ws2812_spi
from boardctl.web import Options as Page
from tests.image.building import IMAGE, ROOT, load_build, load_part
from tests.report import LOG, rows

FILES: Final = IMAGE / "files"
CARD: Final = FILES / "usr/lib/boardctl-card"


def words(name: str) -> str:
    return " ".join((ROOT / name).read_text("utf-8").split())


PAGE: Final = words("docs/image.md")
NOTE: Final = words("docs/notes/image.md")


def says(sentence: str, text: str = PAGE) -> None:
    assert sentence in text, f"the page should say: {sentence}"


def test_the_image_fits_the_smallest_card() -> None:
    build = load_build()
    flashed = (1 + build.FIRST + 2 * build.SLOT + build.DATA) * build.MIB
    gigabytes = re.search(r"a card of (\d+) GB or more", PAGE)
    assert gigabytes
    assert flashed < int(gigabytes[1]) * 1e9 * 0.9, "a card has a little less than is printed"
    says(f"{flashed / 1e6:.0f} MB flashed", NOTE)


def test_the_results_have_the_names_of_the_page() -> None:
    build = (IMAGE / "build").read_text("utf-8")
    for name in ("boardctl-card.rpi-imager-manifest", "boardctl-card.raucb", "SHA256SUMS"):
        says(name)
        assert f'"{name}"' in build
    says("boardctl-card.img.xz")
    assert '"boardctl-card.img"' in build
    assert '".img.xz"' in build
    for name in ("manifest.json", "SOURCES", "os_list.json"):
        says(f"`{name}`", NOTE)
        assert f'"{name}"' in build


def test_the_hotspot_and_the_page_have_the_written_names() -> None:
    says("`cribbage-` plus three digits")
    assert "ap_name: cribbage-<nnn>\n" in (FILES / "etc/comitup.conf").read_text("utf-8")
    host = (FILES / "etc/hostname").read_text("ascii").strip()
    says(f"`http://{host}.local`")
    says(f"`http://{host}.local:{Page().port}`")
    assert f'names = ["{host}.local"]' in (IMAGE / "config.toml").read_text("utf-8")


def test_the_first_configuration_expects_the_written_parts() -> None:
    config = parse(tomllib.loads((IMAGE / "config.toml").read_text("utf-8")))
    assert config.leds
    assert config.keys
    assert config.display
    drivers = [part.driver for part in (config.leds, config.keys, config.display)]
    assert drivers == ["ws2812_spi", "gpio_matrix", "oled"]
    says(f"pins {HEADER[SDA]} and {HEADER[SCL]}")
    says(f"GPIO{POWER_BUTTON}")


def test_the_owners_firmware_is_found_on_the_first_partition() -> None:
    says("folder `firmware/brcm`")
    init = (IMAGE / "init").read_text("utf-8")
    assert "cp -r /first/firmware/. /run/card/firmware/" in init
    assert "firmware_class.path=/run/card/firmware" in (IMAGE / "boot/cmdline.txt").read_text()


def test_the_commands_of_the_card_exist() -> None:
    group = main.get_command(
        main.make_context("boardctl", ["card"], resilient_parsing=True), "card"
    )
    assert group is not None
    there = set(group.commands)  # type: ignore[attr-defined]  # a group
    named = set(re.findall(r"`boardctl card (\w+)", PAGE))
    assert {"update", "restart", "reset"} <= named <= there


def test_a_system_is_kept_after_a_minute() -> None:
    says("for a minute")
    healthy = (CARD / "healthy").read_text("utf-8")
    pause = re.search(r"^ +sleep (\d+)$", healthy, re.M)
    times = re.search(r"\$steady -ge (\d+) ", healthy)
    assert pause
    assert times
    assert int(pause[1]) * int(times[1]) == 60
    says("`autoboot.txt`")
    assert "boot_partition=2" in (IMAGE / "build").read_text("utf-8")


def test_an_older_version_needs_the_written_option() -> None:
    says("`boardctl card update --older`")
    assert 'asked.get("older") is not True' in (CARD / "admin").read_text("utf-8")


def test_the_signing_key_is_where_the_page_has_it() -> None:
    signing = load_part("signing")
    says("`~/.local/share/boardctl/card-key`")
    assert str(signing.folder({"HOME": "/home/a"})) == "/home/a/.local/share/boardctl/card-key"
    says("`CARD_KEY` and `CARD_CERTIFICATE`")


def test_nobody_can_log_in() -> None:
    says("no SSH")
    locked = (IMAGE / "packages.lock").read_text("utf-8")
    assert not re.search(r"^(openssh-server|dropbear\S*|sudo|raspi-config) ", locked, re.M)
    assert '"getty@tty1.service"' in (IMAGE / "build").read_text("utf-8")


def test_the_note_has_the_limits_of_log_and_clock() -> None:
    conf = FILES / "etc/systemd"
    says("8 MB at most", NOTE)
    journal = (conf / "journald.conf.d/card.conf").read_text("ascii").splitlines()
    assert {"Storage=volatile", "RuntimeMaxUse=8M"} <= set(journal)
    says("once an hour", NOTE)
    assert "SaveIntervalSec=1h" in (conf / "timesyncd.conf.d/card.conf").read_text("ascii")


def test_the_note_has_the_socket_of_the_cards_functions() -> None:
    unit = (FILES / "etc/systemd/system/boardctl-card-admin.socket").read_text("ascii")
    (path,) = re.findall(r"^ListenStream=(\S+)$", unit, re.M)
    says(f"`{path}`", NOTE)
    assert "SocketGroup=boardctl\n" in unit


def test_the_note_has_the_partitions_of_the_build() -> None:
    says("2 or 3", NOTE)
    slots = (FILES / "etc/rauc/system.conf").read_text("ascii")
    assert re.findall(r"^bootname=(\d)$", slots, re.M) == ["2", "3"]
    says("ext4", NOTE)
    assert '"mkfs.ext4"' in (IMAGE / "build").read_text("utf-8")


def figures(test: str) -> dict[str, str]:
    """Return the figures that a long test of the image has recorded."""
    (row,) = [row for row in rows(LOG.read_text("utf-8")) if row["test"].endswith(f"::{test}")]
    assert row["result"] == "passed"
    found: dict[str, str] = row["figures"]
    return found


def test_the_notes_figures_are_those_of_the_log() -> None:
    frames = [figures(f"test_the_first_frame_leaves_a_raspberry_pi[raspi{n}b]") for n in (3, 4)]
    (seconds,) = {round(float(one["ready_seconds"])) for one in frames}
    bits = ws2812_spi.Options().bits
    length = 2 * ws2812_spi.latch(bits) + 3 * bits * load("classic-2").leds
    says(f"ready after {seconds} s. Each frame is one SPI transfer of {length} bytes", NOTE)
    virt = figures("test_it_boots_without_network_in_512_mib")
    says(f"uses {virt['system_mib']} MiB of 466, the board {virt['service_mib']} MiB", NOTE)
    rest = figures("test_a_day_at_rest_writes_only_the_time")
    says(f"{int(rest['sectors_in_a_day']) * 512 // 1024} KiB", NOTE)
    cuts = figures("test_the_power_goes_while_playing_and_at_every_stage_of_an_update")
    playing, updating = map(int, re.findall(r"power cut at (\d+) ", NOTE))
    assert playing + updating == int(cuts["cuts"])
    new = int(cuts["cuts_with_new_system"])
    says(f"the old system starts {updating - new} times, the complete new one {new} times", NOTE)
