"""The image's own files, without building it: they are consistent, and one sector holds the choice
of a system, either the old or the new one."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import boardctl
from tests.image.building import IMAGE, ROOT, load_part
from tests.parts import need

CARD = IMAGE / "files/usr/lib/boardctl-card"
SCRIPTS = sorted(
    path for path in (*CARD.iterdir(), IMAGE / "init") if path.read_bytes().startswith(b"#!/bin/")
)


@pytest.fixture(scope="module")
def inventory() -> ModuleType:
    return load_part("inventory")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_each_script_can_be_read_by_its_shell(script: Path) -> None:
    shells = [["sh"]] + ([["busybox", "sh"]] if shutil.which("busybox") else [])
    for shell in shells:
        done = subprocess.run([*shell, "-n", script], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_choice_of_a_system_is_written_in_place(tmp_path: Path) -> None:
    file = tmp_path / "autoboot.txt"
    file.write_text("[all]\nboot_partition=2\n", "utf-8")
    before = file.stat()

    def do(command: str) -> str:
        return subprocess.run(
            ["sh", "-euc", f". {CARD}/slot-file; {command}"],
            check=True, capture_output=True, text=True,
        ).stdout.strip()  # fmt: skip

    assert do(f"read_slot {file}") == "2"
    do(f"write_slot {file} 3")
    assert do(f"read_slot {file}") == "3"
    after = file.stat()
    assert (after.st_ino, after.st_size) == (before.st_ino, before.st_size)
    assert file.read_text("utf-8") == "[all]\nboot_partition=3\n"


@pytest.fixture
def slot(tmp_path: Path) -> Callable[..., str]:
    """Send RAUC's requests to the boot loader, on a card that runs system 2; mounts stay
    unchanged."""
    for name in ("data/system", "run/card/first", "programs"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "run/card/booted").write_text("2\n", "utf-8")
    (tmp_path / "run/card/disk").write_text("/dev/vda\n", "utf-8")
    (tmp_path / "run/card/first/autoboot.txt").write_text("[all]\nboot_partition=2\n", "utf-8")
    for name in ("mount", "umount", "mountpoint"):
        (tmp_path / "programs" / name).symlink_to("/bin/true")

    def ask(*words: str) -> str:
        environment = {"CARD_ROOT": str(tmp_path), "PATH": f"{tmp_path}/programs:/usr/bin:/bin"}
        done = subprocess.run(
            ["sh", CARD / "slot", *words],
            check=True, capture_output=True, text=True, env=environment,
        )  # fmt: skip
        return done.stdout.strip()

    return ask


def written_system(look: Path, version: str) -> None:
    """Return the findings of `slot` at the mount points of a new system and its root."""
    for name in ("config.txt", "cmdline.txt", "vmlinuz", "initrd.img", "root.squashfs"):
        (look / "slot" / name).parent.mkdir(parents=True, exist_ok=True)
        (look / "slot" / name).write_text("content", "utf-8")
    (look / "root/sbin").mkdir(parents=True, exist_ok=True)
    (look / "root/sbin/init").symlink_to("../lib/systemd/systemd")
    package = look / "root/usr/lib/boardctl/boardctl"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(f'"""x"""\n\n__version__ = "{version}"\n', "utf-8")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda look: (look / "slot/vmlinuz").unlink(), "vmlinuz is missing"),
        (lambda look: (look / "slot/initrd.img").write_bytes(b""), "initrd.img is missing"),
        (lambda look: (look / "root/sbin/init").unlink(), "its root has no init"),
        (lambda look: (look / "../version").write_text("1.3.0"), "it is 1.2.0, not 1.3.0"),
    ],
)
def test_a_system_that_is_not_whole_is_not_chosen(
    slot: Callable[..., str], tmp_path: Path, spoil: Callable[[Path], None], reason: str
) -> None:
    look = tmp_path / "run/card/look"
    written_system(look, "1.2.0")
    (tmp_path / "run/card/version").write_text("1.2.0", "utf-8")
    spoil(look)
    with pytest.raises(subprocess.CalledProcessError) as refused:
        slot("set-primary", "3")
    assert refused.value.stderr.strip() == f"system 3 is not chosen: {reason}"
    assert slot("get-primary") == "2"
    assert not list((tmp_path / "data/system").iterdir()), "nor is it on trial"


def test_the_version_that_slot_reads_is_where_the_program_has_it(
    slot: Callable[..., str], tmp_path: Path
) -> None:
    look = tmp_path / "run/card/look"
    written_system(look, "0")
    own = (ROOT / "boardctl/__init__.py").read_text("utf-8")
    (look / "root/usr/lib/boardctl/boardctl/__init__.py").write_text(own, "utf-8")
    (tmp_path / "run/card/version").write_text(boardctl.__version__, "utf-8")
    slot("set-primary", "3")
    assert slot("get-primary") == "3"


@pytest.mark.parametrize(("refused", "waited"), [(1, ["1"]), (3, ["1", "2", "4"]), (4, None)])
def test_a_partition_that_is_busy_is_tried_again(
    slot: Callable[..., str], tmp_path: Path, refused: int, waited: list[str] | None
) -> None:
    """On a card under load, mounting was once refused (exit status 32), and the update was lost."""
    written_system(tmp_path / "run/card/look", "1.2.0")
    programs, tries, naps = tmp_path / "programs", tmp_path / "tries", tmp_path / "naps"
    for name, does in (
        ("mount", f'echo x >> {tries}; [ "$(wc -l < {tries})" -gt {refused} ] || exit 32'),
        ("sleep", f'echo "$1" >> {naps}'),
    ):
        (programs / name).unlink(missing_ok=True)
        (programs / name).write_text(f"#!/bin/sh\n{does}\n", "utf-8")
        (programs / name).chmod(0o755)
    if waited is None:
        with pytest.raises(subprocess.CalledProcessError) as failed:
            slot("set-primary", "3")
        assert failed.value.returncode == 32
        assert slot("get-primary") == "2"
        return
    slot("set-primary", "3")
    assert slot("get-primary") == "3"
    assert naps.read_text("utf-8").split() == waited


def test_a_new_system_is_on_trial_until_it_is_found_good(
    slot: Callable[..., str], tmp_path: Path
) -> None:
    state = tmp_path / "data/system"
    assert (slot("get-primary"), slot("get-current"), slot("get-state", "3")) == ("2", "2", "good")
    slot("set-state", "3", "bad")  # RAUC reports this before it writes
    assert slot("get-state", "3") == "bad"
    written_system(tmp_path / "run/card/look", "1.2.0")
    slot("set-primary", "3")
    assert slot("get-primary") == "3"
    assert [path.name for path in state.iterdir()] == ["trial-3"]
    (tmp_path / "run/card/booted").write_text("3\n", "utf-8")
    (state / "tried-3").touch()
    slot("set-state", "3", "good")
    assert list(state.iterdir()) == []
    slot("set-primary", "3")
    assert list(state.iterdir()) == [], "what runs and is good is on no trial"
    with pytest.raises(subprocess.CalledProcessError):
        slot("no-such-request")


def test_the_partition_table_is_in_order(inventory: ModuleType, tmp_path: Path) -> None:
    table = inventory.partition_table(
        [(0x0E, 1, 16), (0x0C, 17, 320), (0x0C, 337, 320), (0x83, 657, 48)]
    )
    assert len(table) == 512
    assert table[510:] == b"\x55\xaa"
    entries = [struct.unpack_from("<8xII", table, 446 + 16 * n) for n in range(4)]
    ends = [start + size for start, size in entries]
    assert [start for start, _ in entries] == [2048, *ends[:3]]
    need("sfdisk")
    card = tmp_path / "card"
    card.write_bytes(table)
    with card.open("r+b") as file:
        file.truncate(705 * 1024 * 1024)
    done = subprocess.run(
        ["sfdisk", "--dump", card], check=True, capture_output=True, text=True
    ).stdout
    assert f"label-id: 0x{inventory.DISK_ID:08x}" in done
    assert done.count("start=") == 4


def test_the_names_of_the_systems_agree(inventory: ModuleType) -> None:
    rules = (IMAGE / "files/etc/udev/rules.d/90-boardctl-card.rules").read_text("utf-8")
    system = (IMAGE / "files/etc/rauc/system.conf").read_text("utf-8")
    for number in "23":
        assert f'"{inventory.DISK_ID:08x}-0{number}", SYMLINK+="boardctl-card{number}"' in rules
        assert f"device=/dev/boardctl-card{number}\n" in system
        assert f"bootname={number}\n" in system
    assert "compatible=boardctl-card\n" in system


def test_other_versions_than_the_locked_ones_stop_the_build(
    inventory: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inventory, "LOCK", tmp_path / "packages.lock")
    found = {"base-files": "13.8", "boardctl": "0.1.0"}
    inventory.check_lock(found, "20261122T090000Z")
    assert inventory.locked_at() == "20261122T090000Z"
    inventory.check_lock(found | {"boardctl": "0.2.0"}, None)  # the program itself is not locked
    with pytest.raises(SystemExit, match=r"base-files 13\.8; .*--snapshot 20261122T090000Z"):
        inventory.check_lock(found | {"base-files": "13.9"}, None)


def test_the_lock_file_has_its_date(inventory: ModuleType) -> None:
    assert re.fullmatch(r"\d{8}T\d{6}Z", inventory.locked_at())


def test_every_unit_names_programs_that_are_there() -> None:
    for unit in (IMAGE / "files/etc/systemd/system").glob("boardctl-card-*.service"):
        for program in re.findall(r"^Exec\w+=/usr/lib/boardctl-card/(\S+)", unit.read_text(), re.M):
            assert (CARD / program).exists(), unit.name


def test_a_user_that_is_made_while_a_service_runs_is_known_to_d_bus() -> None:
    """systemd.exec(5), DynamicUser=: without nss-systemd nobody else can look such a user up, and
    D-Bus closes its connection."""
    units = [
        path for path in (IMAGE / "files").rglob("*.conf") if "DynamicUser=yes" in path.read_text()
    ]
    assert [path.parent.name for path in units] == ["comitup-web.service.d"]
    packages = (IMAGE / "packages.txt").read_text("utf-8").splitlines()
    assert "libnss-systemd" in [line.partition("#")[0].strip() for line in packages]


def test_the_first_configuration_is_one_the_board_takes() -> None:
    from boardctl.app import wizard

    config = wizard.check((IMAGE / "config.toml").read_text("utf-8"))
    assert config.leds is not None
    assert config.leds.driver == "ws2812_spi"
    assert not config.page.private


def test_the_lock_has_every_package_of_the_list(inventory: ModuleType) -> None:
    """A package added to the list without `--update-lock` would stop the build."""
    wanted = {
        line.partition("#")[0].strip()
        for line in (IMAGE / "packages.txt").read_text("utf-8").splitlines()
    }
    lock = (IMAGE / "packages.lock").read_text("utf-8").splitlines()
    locked = {line.split()[0] for line in lock if not line.startswith("#")}
    assert wanted - {""} <= locked
    assert {"avrdude", "espeak-ng", "kakasi", "alsa-utils", "python3-nacl"} <= wanted
