"""The files that the owner puts on the first partition, and the attached devices, determine the
configuration."""

from __future__ import annotations

import json
import socket
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from boardctl.app import wizard
from boardctl.commands.flash import LABEL
from tests.image.building import IMAGE, load_program

FIRST = (IMAGE / "config.toml").read_text("utf-8")
SEED = """\
config_version = "1.0"

[system]
hostname = "Red-Board"

[user]
name = "pi"
password = "$5$x"
password_encrypted = true
groups = ["sudo"]

[ssh]
enabled = true
password_authentication = false
authorized_keys = [
  "ssh-ed25519 AAAA ada@laptop",
]

[wlan]
ssid = "Home; Café"
password = "back\\\\slash pass"
password_encrypted = false
hidden = true
country = "DE"

[locale]
keymap = "de"
timezone = "Europe/Berlin"

[interfaces]
i2c = true
spi = true
serial = "console"
"""
"""The tables, keys and their order in the files of the Raspberry Pi Imager 2.0.11
(raspberrypi/rpi-imager, src/customization_generator.cpp, `generateRpiPreseedToml`)."""
SCHEMA = {
    "system": ("hostname",),
    "user": ("name", "password", "password_encrypted", "passwordless_sudo"),
    "ssh": ("enabled", "password_authentication", "ssh_import_id", "authorized_keys"),
    "wlan": ("ssid", "ssid_hex", "password", "password_encrypted", "hidden", "country", "key_mgmt"),
    "locale": ("keymap", "timezone", "locales", "lang", "lc_time", "lc_measurement",
               "keymap_model", "keymap_variant", "keymap_options"),
    "connect": ("enabled", "mode", "token"),
    "interfaces": ("i2c", "spi", "onewire", "serial", "usb_gadget"),
    "boot": ("config_txt", "cmdline_txt"),
    "runcmd": ("early", "late"),
}  # fmt: skip
"""The published keys (raspberrypi/rpi-preseed, schema/rpi-preseed.schema)."""


@pytest.fixture
def owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = load_program("owner")
    for name in ("OWNER", "SYSTEM", "CONNECTIONS", "ZONES", "ETC"):
        folder = tmp_path / name.lower()
        folder.mkdir()
        monkeypatch.setattr(module, name, folder)
    (tmp_path / "zones/Europe").mkdir()
    (tmp_path / "zones/Europe/Berlin").touch()
    (tmp_path / "etc/hosts").write_text("127.0.0.1 localhost\n127.0.1.1 cribbage\n", "utf-8")
    monkeypatch.setattr(module, "HOSTNAME", tmp_path / "system/hostname")
    monkeypatch.setattr(module, "TIMEZONE", tmp_path / "system/timezone")
    monkeypatch.setattr(module, "NOTICE", tmp_path / "notice")
    monkeypatch.setattr(module, "CONFIG", tmp_path / "config.toml")
    module.CONFIG.write_text(FIRST, "utf-8")
    monkeypatch.setattr(socket, "sethostname", lambda name: None)
    return module


def seeded(owner: ModuleType, text: str) -> list[str]:
    """Apply a file of the Imager, and return the names of the unused settings."""
    (owner.OWNER / "rpi-preseed.toml").write_text(text, "utf-8")
    owner.apply("rpi-preseed.toml", owner.preseed)
    kept = json.loads((owner.SYSTEM / "owner.json").read_text("utf-8"))
    return [name for name, _ in kept["rpi-preseed.toml"]]


def connection(owner: ModuleType) -> list[str]:
    (file,) = owner.CONNECTIONS.glob("*.nmconnection")
    assert file.stat().st_mode & 0o777 == 0o600, "NetworkManager refuses others"
    return list(file.read_text("utf-8").splitlines())


def test_the_imagers_settings_are_used(
    owner: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert seeded(owner, SEED) == ["user", "ssh", "interfaces.serial"]
    assert owner.NOTICE.exists()
    name = "".join(f"{byte};" for byte in "Home; Café".encode())
    assert {f"ssid={name}", "hidden=true", "key-mgmt=wpa-psk", "psk=back\\\\slash pass"} <= set(
        connection(owner)
    )
    assert owner.HOSTNAME.read_text("utf-8") == "red-board\n"
    assert "127.0.1.1 red-board" in (owner.ETC / "hosts").read_text("utf-8")
    assert owner.TIMEZONE.read_text("utf-8") == "Europe/Berlin\n"
    assert (owner.SYSTEM / "country").read_text("utf-8") == "DE\n"
    config = wizard.check(owner.CONFIG.read_text("utf-8"))
    assert config.page.names == ("red-board.local",), "the page answers to its new name"
    said = capsys.readouterr().err
    assert "rpi-preseed.toml: ssh: SSH is not part of this image" in said
    assert "no users to log in" in said
    next(owner.CONNECTIONS.iterdir()).unlink()
    owner.NOTICE.unlink()
    seeded(owner, SEED)
    assert not list(owner.CONNECTIONS.iterdir()), "once: the page may have changed it since"
    assert not owner.NOTICE.exists(), "nor is it named again"
    seeded(owner, SEED.replace("Home", "New"))
    assert len(list(owner.CONNECTIONS.iterdir())) == 1, "another file is another wish"


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ('lang = "ja_JP.UTF-8"', "ja"),
        ('locales = ["fr_FR.UTF-8", "ja_JP.UTF-8"]', "ja"),
        ('lang = "en_GB.UTF-8"\nlocales = ["ja_JP.UTF-8"]', "en"),
        ('lang = "fr_FR.UTF-8"', ""),
    ],
)
def test_the_schemas_language_is_used(owner: ModuleType, locale: str, language: str) -> None:
    assert seeded(owner, f"[locale]\n{locale}\n") == []
    assert wizard.check(owner.CONFIG.read_text("utf-8")).language == (
        language or wizard.check(FIRST).language
    )


@pytest.mark.parametrize(
    ("wlan", "lines"),
    [
        ('ssid_hex = "ff00e9"\nssid = "other"', {"ssid=255;0;233;"}),
        ('ssid = "x"', {"ssid=120;"}),
        ('ssid = "x"\nkey_mgmt = "none"', {"ssid=120;"}),
        ('ssid = "x"\nkey_mgmt = "owe"', {"key-mgmt=owe"}),
        ('ssid = "x"\nkey_mgmt = "sae"\npassword = "pw"', {"key-mgmt=sae", "psk=pw"}),
        ('ssid = "x"\npassword = "zwölf Zeichen"', {"key-mgmt=wpa-psk", "psk=zwölf Zeichen"}),
        (f'ssid = "x"\npassword = "{"aB" * 32}"\npassword_encrypted = true', {f"psk={'aB' * 32}"}),
    ],
)
def test_every_wifi_of_the_schema_is_kept(owner: ModuleType, wlan: str, lines: set[str]) -> None:
    assert seeded(owner, f"[wlan]\n{wlan}\n") == []
    made = connection(owner)
    assert lines <= set(made)
    if not any("=owe" in line or "=sae" in line or "psk" in line for line in lines):
        assert "[wifi-security]" not in made


def test_every_key_of_the_published_schema_is_used_or_named(owner: ModuleType) -> None:
    for table, keys in SCHEMA.items():
        for key in keys:
            named = [name for name, _ in owner.unknown({table: {key: "x"}})]
            quiet = key in owner.USED.get(table, ()) or key in owner.WITHOUT_EFFECT.get(table, ())
            assert named == ([] if quiet else [table if table in owner.ABSENT else named[0]])
            assert bool(named) != quiet, f"{table}.{key}"
    assert owner.unknown({"wlan": {"sside": "x"}, "ethernet": {}, "ssh": {"enabled": False}}) == [
        ("wlan.sside", "not known to this image"),
        ("ethernet", "not known to this image"),
    ]


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ('[system]\nhostname = "a b"', "system.hostname", "expected a text, got 'a b'"),
        ('[system]\nhostname = "x\\nssid=y"', "system.hostname", "expected a text"),
        ("[system]\nhostname = 7", "system.hostname", "expected a text, got 7"),
        ("[system]\nhostname = ", "rpi-preseed.toml", "Invalid value"),
        ("system = 7", "system", "expected a table"),
        (
            'config_version = "2.0"\n[system]\nhostname = "x"',
            "config_version",
            "expected 1, got 2.0",
        ),
        ('[locale]\ntimezone = "Mars/Base"', "locale.timezone", "there is no Mars/Base"),
    ],
)
def test_what_cannot_be_used_is_said_and_changes_nothing(
    owner: ModuleType, capsys: pytest.CaptureFixture[str], text: str, name: str, reason: str
) -> None:
    assert seeded(owner, text + "\n") == [name]
    assert f"rpi-preseed.toml: {name}: {reason}" in capsys.readouterr().err
    assert owner.CONFIG.read_text("utf-8") == FIRST
    assert not owner.HOSTNAME.exists()
    assert not owner.TIMEZONE.exists()


@pytest.mark.parametrize(
    ("wlan", "name"),
    [
        ('ssid = "x"\npassword = "geheim"', "wlan.password"),
        ('ssid = "x"\npassword = "geheim a line\\nbreak"', "wlan.password"),
        ('ssid = "x"\npassword = "geheim geheim"\nkey_mgmt = "none"', "wlan.password"),
        ('ssid = "x"\nkey_mgmt = "sae"', "wlan.password"),
        ('ssid = "x"\nkey_mgmt = "wep"', "wlan.key_mgmt"),
        ('ssid = "x"\ncountry = "../etc"', "wlan.country"),
        (f'ssid = "{"é" * 17}"', "wlan.ssid"),
        ('ssid_hex = "f"', "wlan.ssid_hex"),
        ('ssid_hex = "xy"', "wlan.ssid_hex"),
    ],
)
def test_a_wifi_that_cannot_be_used_is_named_and_leaves_the_rest(
    owner: ModuleType, capsys: pytest.CaptureFixture[str], wlan: str, name: str
) -> None:
    assert seeded(owner, f'[wlan]\n{wlan}\n[system]\nhostname = "red"\n') == [name]
    assert "geheim" not in capsys.readouterr().err, "a password is not written into the log"
    assert "geheim" not in (owner.SYSTEM / "owner.json").read_text("utf-8")
    assert owner.HOSTNAME.read_text("utf-8") == "red\n"
    made = "".join(one.read_text("utf-8") for one in owner.CONNECTIONS.iterdir())
    assert "break" not in made


def test_a_wifi_adds_no_lines_of_its_own(owner: ModuleType) -> None:
    assert seeded(owner, '[wlan]\nssid = "x\\n[connection]"\n') == []
    assert sum(line.startswith("[connection]") for line in connection(owner)) == 1


def test_a_configuration_is_taken_if_the_board_would_take_it(
    owner: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    asked: list[str] = []

    def check(command: list[str], **how: object) -> object:
        text = str(how["input"])
        asked.append(text)
        ok = "wled" in text
        return type("Done", (), {"returncode": int(not ok), "stderr": "x.ConfigError: leds: bad\n"})

    monkeypatch.setattr(owner.subprocess, "run", check)
    given = 'layout = "classic-2"\n[leds]\ndriver = "wled"\n[keys]\ndriver = "usb_numpad"\n'
    (owner.OWNER / "boardctl.toml").write_text(given, "utf-8")
    owner.apply("boardctl.toml", owner.configuration)
    assert owner.CONFIG.read_text("utf-8") == given
    (owner.OWNER / "boardctl.toml").write_text("[leds]\ndriver = 1\n", "utf-8")
    owner.apply("boardctl.toml", owner.configuration)
    assert owner.CONFIG.read_text("utf-8") == given
    assert "leds: bad" in (owner.SYSTEM / "owner.json").read_text("utf-8")
    windows = f"\ufeff# from Windows\n{given}".replace("\n", "\r\n")
    (owner.OWNER / "boardctl.toml").write_bytes(windows.encode())
    owner.apply("boardctl.toml", owner.configuration)
    assert owner.CONFIG.read_text("utf-8") == f"# from Windows\n{given}", "no byte order mark"


@pytest.fixture
def plugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = load_program("plugged")
    monkeypatch.setattr(module, "FIRST", IMAGE / "config.toml")
    monkeypatch.setattr(module, "CONFIG", tmp_path / "config.toml")
    monkeypatch.setattr(module, "SYS", tmp_path / "class")
    monkeypatch.setattr(module.subprocess, "run", lambda *command, **how: None)
    module.CONFIG.write_text(FIRST, "utf-8")
    return module


def pad(sys: Path, name: str, codes: tuple[int, ...], called: str) -> None:
    """Return an input device with these keys, in the kernel's words of 64 bits."""
    device = sys / "input" / name / "device"
    (device / "capabilities").mkdir(parents=True)
    bits = sum(1 << code for code in codes)
    words = [f"{bits >> 64 * n & (1 << 64) - 1:x}" for n in (1, 0)]
    (device / "capabilities/key").write_text(" ".join(words) + "\n", "ascii")
    (device / "name").write_text(called + "\n", "utf-8")


PAD = (14, 69, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 55, 96, 98)


def test_a_number_pad_becomes_the_keys(plugged: ModuleType) -> None:
    pad(plugged.SYS, "event0", (116,), "power button")
    plugged.main("event0")
    assert plugged.CONFIG.read_text("utf-8") == FIRST, "a power button is no pad"
    pad(plugged.SYS, "event3", PAD, "SIGMACHIP USB Keyboard")
    plugged.main("event3")
    config = wizard.check(plugged.CONFIG.read_text("utf-8"))
    assert config.keys is not None
    assert config.leds is not None
    assert (config.keys.driver, config.keys.options.device) == (
        "usb_numpad", "SIGMACHIP USB Keyboard",
    )  # fmt: skip
    assert config.leds.driver == "ws2812_spi", "the lights stay"
    pad(plugged.SYS, "event4", PAD, "Another pad")
    plugged.main("event4")
    answer = tomllib.loads(plugged.CONFIG.read_text("utf-8"))
    assert answer["keys"] == {"driver": "usb_numpad", "device": "Another pad"}


def test_a_microcontroller_becomes_lights_and_keys(plugged: ModuleType, tmp_path: Path) -> None:
    serial_port(tmp_path / "class", "ttyUSB0", ("1a86", "7523"))
    serial_port(tmp_path / "class", "ttyACM0", ("dead", "beef"))
    plugged.main("ttyACM0")
    assert plugged.CONFIG.read_text("utf-8") == FIRST, "a modem is no board"
    plugged.main("ttyUSB0")
    config = wizard.check(plugged.CONFIG.read_text("utf-8"))
    assert config.leds == config.keys
    assert config.leds is not None
    assert (config.leds.driver, config.leds.options.port) == ("serial_board", "usb:1a86:7523")
    assert config.page.names == ("cribbage.local",)


def sound_card(sys: Path, number: int, called: str, *, usb: bool, plays: bool = True) -> None:
    """Add a sound card."""
    bus = sys.parent / "devices" / f"bus{number}"
    card = bus / "interface/sound" / f"card{number}"
    card.mkdir(parents=True)
    (card / "id").write_text(called + "\n", "ascii")
    if usb:
        (bus / "idVendor").write_text("0d8c\n", "ascii")
    for name in (f"controlC{number}", f"pcmC{number}D0{'p' if plays else 'c'}"):
        (sys / "sound" / name).mkdir(parents=True)
        (sys / "sound" / name / "device").symlink_to(card)


def test_a_sound_card_becomes_the_voice(plugged: ModuleType) -> None:
    sound_card(plugged.SYS, 0, "Headphones", usb=False)
    sound_card(plugged.SYS, 1, "Webcam", usb=True, plays=False)
    sound_card(plugged.SYS, 2, "Device", usb=True)
    for name in ("controlC0", "controlC1"):
        plugged.main(name)
        assert plugged.CONFIG.read_text("utf-8") == FIRST, "nobody has plugged in a loudspeaker"
    plugged.main("controlC2")
    config = wizard.check(plugged.CONFIG.read_text("utf-8"))
    assert config.voice is not None
    assert config.keys is not None
    voice = config.voice
    assert (voice.driver, voice.options.output) == ("espeak", "plughw:CARD=Device")
    assert config.keys.driver == "gpio_matrix", "the keys stay"
    pad(plugged.SYS, "event3", PAD, "A pad")
    plugged.main("event3")
    config = wizard.check(plugged.CONFIG.read_text("utf-8"))
    assert config.voice == voice
    assert config.keys is not None
    assert config.keys.driver == "usb_numpad"


def serial_port(sys: Path, name: str, chip: tuple[str, str]) -> None:
    """Return a serial port at USB with this vendor and product."""
    usb = sys.parent / "devices" / name
    (usb / "interface").mkdir(parents=True)
    (usb / "idVendor").write_text(chip[0] + "\n", "ascii")
    (usb / "idProduct").write_text(chip[1] + "\n", "ascii")
    (sys / "tty" / name).mkdir(parents=True)
    (sys / "tty" / name / "device").symlink_to(usb / "interface")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand-ins for systemctl and boardctl that record their calls."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("systemctl", "boardctl"):
        (folder / name).write_text(
            f'#!/bin/sh\necho {name} "$@" >>{tmp_path}/called\n'
            f"[ {name} != boardctl ] || [ ! -e {tmp_path}/fails ] || "
            '{ echo "Error: avrdude: not in sync" >&2; exit 1; }\n',
            "utf-8",
        )
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


@pytest.fixture
def admin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, programs: Path) -> ModuleType:
    module = load_program("admin")
    monkeypatch.setattr(module.firmware.plugged, "SYS", tmp_path / "class")
    monkeypatch.setattr(module.firmware, "DRIVE", tmp_path / "RPI-RP2")
    monkeypatch.setattr(module.firmware, "RESULT", tmp_path / "flashed")
    return module


def test_the_status_has_the_settings_that_are_not_used(
    admin: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(admin, "SYSTEM", tmp_path)
    monkeypatch.setattr(admin, "NOTICE", tmp_path / "notice")
    assert admin.unused() == {"unused": [], "unused_now": False}
    kept = {"boardctl.toml": ["of an earlier version"], "rpi-preseed.toml": [["ssh", "absent"]]}
    (tmp_path / "owner.json").write_text(json.dumps(kept), "utf-8")
    (tmp_path / "notice").touch()
    assert admin.unused() == {"unused": [["ssh", "absent"]], "unused_now": True}


def called(folder: Path) -> list[str]:
    """Return the calls recorded by the stand-ins since the last time."""
    file = folder / "called"
    text = file.read_text("utf-8").splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return text


def test_the_firmware_is_written_to_what_is_plugged_in(admin: ModuleType, tmp_path: Path) -> None:
    flash = admin.firmware
    assert flash.found() == {}
    refused = admin.answer('{"do": "flash", "chip": "pico"}')
    assert refused == {
        "ok": False,
        "error": "flash needs chip: one that is plugged in (none is)",
    }
    serial_port(tmp_path / "class", "ttyUSB0", ("1a86", "7523"))
    serial_port(tmp_path / "class", "ttyUSB1", ("dead", "beef"))
    serial_port(tmp_path / "class", "ttyACM0", ("2e8a", "000a"))
    assert flash.found() == {"pico": Path("/dev/ttyACM0"), "arduino": Path("/dev/ttyUSB0")}
    assert called(tmp_path) == []
    flash.RESULT.write_text("an old reason", "utf-8")
    assert admin.answer('{"do": "flash", "chip": "arduino"}') == {"ok": True}
    assert called(tmp_path) == ["systemctl --no-block start boardctl-card-flash@arduino.service"]
    assert not flash.RESULT.exists()
    away, back = "systemctl stop boardctl.service", "systemctl --no-block start boardctl.service"
    assert flash.write("arduino") == ""
    assert called(tmp_path) == [away, "boardctl flash /dev/ttyUSB0", back]
    assert flash.write("pico") == ""
    assert called(tmp_path) == [away, "boardctl flash --pico /dev/ttyACM0", back]
    flash.DRIVE.touch()
    assert flash.write("pico") == ""
    assert called(tmp_path) == [away, "boardctl flash --pico", back], "the drive is there already"
    (tmp_path / "fails").touch()
    assert flash.write("arduino") == "avrdude: not in sync"
    assert called(tmp_path)[-1] == back, "the board is back whatever happens"


@pytest.mark.parametrize("chip", ['"../x"', '"arduino"', "7", "null", '["pico"]', '{"a": 1}'])
def test_no_other_unit_can_be_started(admin: ModuleType, tmp_path: Path, chip: str) -> None:
    serial_port(tmp_path / "class", "ttyACM0", ("2e8a", "000a"))
    answer = admin.answer(f'{{"do": "flash", "chip": {chip}}}')
    assert answer["ok"] is False
    assert called(tmp_path) == []


def test_a_picos_drive_is_mounted_where_flash_looks_for_it() -> None:
    files = IMAGE / "files/etc"
    unit = (files / r"systemd/system/run-RPI\x2dRP2.mount").read_text("utf-8")
    assert f"Where=/run/{LABEL}\n" in unit
    assert f"What=/dev/disk/by-label/{LABEL}\n" in unit
    rules = (files / "udev/rules.d/90-boardctl-card.rules").read_text("utf-8")
    assert r'ENV{SYSTEMD_WANTS}+="run-RPI\x2dRP2.mount"' in rules
    assert f'ENV{{ID_FS_LABEL}}=="{LABEL}"' in rules


def test_what_an_owner_has_chosen_stays(plugged: ModuleType) -> None:
    own = FIRST.replace("gpio_matrix", "gpio_buttons")
    plugged.CONFIG.write_text(own, "utf-8")
    pad(plugged.SYS, "event3", PAD, "pad")
    plugged.main("event3")
    assert plugged.CONFIG.read_text("utf-8") == own


@pytest.mark.parametrize("there", [True, False])
def test_the_hotspot_has_a_password_where_a_display_can_show_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    hotspot = load_program("hotspot")
    monkeypatch.setattr(hotspot, "CONFIG", IMAGE / "config.toml")
    monkeypatch.setattr(hotspot, "COMITUP", tmp_path / "comitup.conf")
    monkeypatch.setattr(hotspot, "PASSWORD", tmp_path / "password")
    asked: list[dict[str, object]] = []

    def answers(display: dict[str, object]) -> bool:
        asked.append(display)
        return there

    monkeypatch.setattr(hotspot, "answers", answers)
    hotspot.COMITUP.write_text((IMAGE / "files/etc/comitup.conf").read_text("utf-8"), "utf-8")
    for _ in range(2):
        hotspot.main()
    assert asked == [{"driver": "oled"}] * 2
    lines = [x for x in hotspot.COMITUP.read_text("utf-8").splitlines() if x.startswith("ap_p")]
    if there:
        kept = hotspot.PASSWORD.read_text("ascii").strip()
        assert lines == [f"ap_password: {kept}"], "the same at every start"
        assert len(kept) == 10
        assert set(kept) <= set(hotspot.LETTERS)
        assert hotspot.PASSWORD.stat().st_mode & 0o777 == 0o600
        assert hotspot.COMITUP.stat().st_mode & 0o777 == 0o600
    else:
        assert lines == []
