"""The files released with an image: the key for updates, its entry for the Imager, the sources."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
from pathlib import Path

import pytest

from tests.image.building import IMAGE, ROOT, load_part


def test_the_key_is_kept_apart_from_what_is_built(tmp_path: Path) -> None:
    """`make clean` and `make dist` delete dist/, so the key is with the user's own data."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl")
    signing = load_part("signing")
    here = {"HOME": str(tmp_path)}
    key, certificate = signing.key(here, tmp_path / "nowhere")
    assert key == tmp_path / ".local/share/boardctl/card-key/key.pem"
    assert key.stat().st_mode & 0o777 == 0o600
    assert "BEGIN CERTIFICATE" in certificate.read_text("ascii")
    before = key.read_bytes()
    assert signing.key(here, tmp_path / "nowhere") == (key, certificate)
    assert key.read_bytes() == before, "one for all updates"
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for line in makefile.splitlines():
        if line.startswith("\trm -rf"):
            assert ".local" not in line
    assert (
        str(signing.folder({"XDG_DATA_HOME": "/data", "HOME": "/x"})) == "/data/boardctl/card-key"
    )
    found = signing.folder({"SUDO_USER": "root", "HOME": "/home/ann", "XDG_DATA_HOME": "/y"})
    key = Path("~root").expanduser() / ".local/share/boardctl/card-key"
    assert found == key, "under sudo, the user's own"


def test_a_key_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    signing = load_part("signing")
    former = tmp_path / "dist/image/keys"
    former.mkdir(parents=True)
    (former / "key.pem").write_text("the key", "ascii")
    (former / "certificate.pem").write_text("its certificate", "ascii")
    key, certificate = signing.key({"HOME": str(tmp_path)}, former)
    assert (key.read_text("ascii"), certificate.read_text("ascii")) == (
        "the key",
        "its certificate",
    )
    chosen = {"CARD_KEY": str(former / "key.pem"), "HOME": str(tmp_path / "other")}
    assert signing.key(chosen, tmp_path) == (former / "key.pem", former / "certificate.pem")


def test_the_imagers_entry_says_what_the_image_is(tmp_path: Path) -> None:
    """These are the fields required by raspberrypi/rpi-imager,
    doc/json-schema/os-list-schema.json."""
    image, packed = tmp_path / "card.img", tmp_path / "card.img.xz"
    image.write_bytes(b"image" * 1000)
    packed.write_bytes(b"packed")
    icon = ROOT / "boardctl/web/static/icon.svg"
    entry = load_part("imager").entry(image, packed, icon, 1_790_000_000, packed.as_uri())
    (system,) = json.loads(json.dumps(entry))["os_list"]
    assert {"name", "description", "icon", "url", "extract_size", "extract_sha256",
            "image_download_size", "release_date", "devices"} <= set(system)  # fmt: skip
    assert system["extract_size"] == 5000
    assert system["extract_sha256"] == hashlib.sha256(b"image" * 1000).hexdigest()
    assert system["image_download_sha256"] == hashlib.sha256(b"packed").hexdigest()
    assert system["release_date"] == "2026-09-21"
    assert system["init_format"] == "rpi-preseed", "what the card's `owner` applies"
    assert base64.b64decode(system["icon"].partition(",")[2]) == icon.read_bytes()
    assert system["devices"] == ["pi5-64bit", "pi4-64bit", "pi3-64bit"]
    assert f'ICON = "{icon.relative_to(ROOT)}"' in (IMAGE / "build").read_text("utf-8")


def test_the_bill_of_materials_names_every_package() -> None:
    """It is CycloneDX 1.6, with addresses like the package-url specification's examples of type
    deb."""
    inventory = load_part("inventory")
    listed = inventory.contents({"boardctl": "1.0.0", "libstdc++6": "2:14.2+b1~deb13"}, [])
    bill = inventory.bill_of_materials(listed, "1.0.0", 1_790_000_000)
    answer = json.loads(json.dumps(bill))
    assert (answer["bomFormat"], answer["specVersion"]) == ("CycloneDX", "1.6")
    assert answer["metadata"]["timestamp"] == "2026-09-21T14:13:20+00:00", "reproducible"
    parts = {one["name"]: one for one in answer["components"]}
    assert list(parts) == ["boardctl", "libstdc++6", "lgpio"]
    address = "pkg:deb/debian/libstdc%2B%2B6@2%3A14.2%2Bb1~deb13?arch=arm64&distro=trixie"
    assert parts["libstdc++6"]["purl"] == address
    assert "purl" not in parts["boardctl"], "no Debian's"
    assert parts["lgpio"]["version"][0].isdecimal(), "from the lock that it was built by"
    assert answer["dependencies"] == [{"ref": "card", "dependsOn": list(parts)}]


def test_a_package_documented_by_another_has_the_others_licences(tmp_path: Path) -> None:
    inventory = load_part("inventory")
    base, binary = tmp_path / "base/usr/share/doc", tmp_path / "binary/usr/share/doc"
    (base / "linux-base").mkdir(parents=True)
    (base / "linux-base/copyright").write_text("License: GPL-2\n", "utf-8")
    binary.mkdir(parents=True)
    (binary / "linux-binary").symlink_to("linux-base")
    roots = [tmp_path / "base", tmp_path / "binary"]
    assert inventory.licences("linux-binary", roots) == "GPL-2"
    assert inventory.licences("linux-base", roots) == "GPL-2"


def test_the_card_has_the_licence_of_each_part_that_is_only_unpacked(tmp_path: Path) -> None:
    """SOURCES refers to them, and the boot firmware's licence requires its text."""
    firmware, kernel, root = (tmp_path / name for name in ("firmware", "kernel", "root"))
    for part, name in ((firmware, "raspi-firmware"), (kernel, "linux-base")):
        (part / "usr/share/doc" / name).mkdir(parents=True)
        (part / "usr/share/doc" / name / "copyright").write_text(name, "utf-8")
        (part / "usr/share/doc" / name / "changelog.gz").write_bytes(b"")
    (kernel / "usr/share/doc/linux-binary").symlink_to("elsewhere")
    load_part("inventory").keep_notices([firmware, kernel], root)
    found = {str(path.relative_to(root)): path for path in root.rglob("*") if path.is_file()}
    assert sorted(found) == ["linux-base/copyright", "raspi-firmware/copyright"]
    assert found["raspi-firmware/copyright"].read_text("utf-8") == "raspi-firmware"
    assert "keep_notices(parts.values(), tree" in (IMAGE / "build").read_text("utf-8")


def test_the_sources_are_those_of_the_packages() -> None:
    inventory = load_part("inventory")
    found = inventory.sources(inventory.locked_at())
    assert f"snapshot.debian.org/archive/debian/{inventory.locked_at()} trixie" in found
    assert "apt-get source PACKAGE=VERSION" in found
    assert f"the second\nkernel: {load_part('pi_5').SUITE}" in found, "a Pi 5's"


def test_no_message_on_the_card_tells_to_use_a_shell() -> None:
    """The card has no login, so its display and page may recommend only actions that are possible
    there. The doctor and shell commands are not available."""
    shell = {"doctor.py", "service.py", "selftest.py", "commands.py"}
    for folder in ("app", "drivers", "console", "web", "text"):
        for path in (ROOT / "boardctl" / folder).rglob("*.py"):
            if path.name in shell:
                continue
            said = path.read_text("utf-8")
            assert "raspi-config" not in said, path
            # never on a card, because of `card.present()` before
            if path != ROOT / "boardctl/app/setup.py":
                assert "sudo" not in said, path
