"""The configuration: errors name the key and the allowed values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boardctl.app import config, config_file, wizard
from boardctl.app.config import ConfigError
from boardctl.board import layout
from boardctl.drivers import budget


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"layot": "x"}, ("layot", "layout, game")),
        ({"language": "fr"}, ("language", "en, ja")),
        ({"page": {"port": "80"}}, ("page.port: expected an integer from 0 to 65535, got '80'",)),
        ({"page": {"prt": 1}}, ("prt", "port", "page")),
        ({"leds": {"driver": "ws2812_spi", "bits": 5}}, ("leds.bits", "3, 4")),
        ({"leds": {"driver": "candles"}}, ("candles", "ws2812_spi")),
        ({"leds": {"driver": "ws2812_spi", "bit": 3}}, ("bit", "bits", "leds")),
        ({"leds": {}}, ("leds", "driver", "ws2812_spi")),
        ({"leds": 3}, ("leds", "table")),
        ({"players": "Ann"}, ("players", "list")),
        ({"preset": [{"game": "cribbage"}]}, ("preset", "name")),
        ({"seats": 5}, ("seats", "2, 3, 4")),
        ({"keys": {"driver": "gpio_matrix", "rows": [1, "2"]}}, ("keys.rows", "'2'")),
        ({"page": {"port": 70000}}, ("page.port: expected an integer from 0 to 65535, got 70000",)),
        ({"game": "chess"}, ("game: expected one of", "cribbage", "got 'chess'")),
        ({"preset": [{"name": "pub", "game": "chess"}]}, ("preset 1.game", "'chess'")),
        ({"players": ["Ann", "ann"]}, ("players", "is repeated")),
        ({"players": ["Ann", ""]}, ("players 2: expected a name without #",)),
        ({"players": ["Ann", "Bo\nb"]}, ("players 2", "expected a name")),
        ({"players": ["Ann"]}, ("players: expected at least 2 names", "got 1")),
        ({"game": "klaberjass", "seats": 3}, ("seats: klaberjass is for 2 players, got 3",)),
        ({"leds": {"driver": "espeak"}}, ("leds.driver", "ws2812_spi", "got 'espeak'")),
        ({"keys": {"driver": "lcd"}}, ("keys.driver", "gpio_matrix", "got 'lcd'")),
        ({"keys": {"rows": [1]}}, ("keys.driver", "gpio_matrix, serial_board", "missing")),
    ],
)
def test_a_wrong_key_is_named(data: dict[str, Any], named: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError) as refused:
        config.parse(data)
    message = str(refused.value)
    assert "\n" not in message
    for word in named:
        assert word in message


def test_an_integer_too_large_for_a_fraction_is_refused() -> None:
    """Such an integer used to stop the board with a Python error."""
    with pytest.raises(config.ConfigError, match=r"power\.idle: expected"):
        config.parse({"power": {"idle": 10**400}})


@pytest.mark.parametrize("milliamps", [11_251, 999_999, 10**400])
def test_a_budget_above_every_fuse_is_read_as_the_largest_one(
    milliamps: int, caplog: pytest.LogCaptureFixture
) -> None:
    """With such a budget, nothing would be dimmed, whatever current the wires can carry. A board
    with this configuration still starts."""
    read = config.parse({"power": {"milliamps": milliamps, "idle": 0.5}})
    assert read.power == budget.Options(milliamps=11_250, idle=0.5)
    (said,) = caplog.messages
    assert said.startswith(
        "power.milliamps: 1 to 11250 are allowed, as a supply and a fuse of 15 A"
    )
    white = bytes([255]) * 3 * 400
    assert budget.draw(budget.fit(white, read.power), read.power) <= 11_250
    known = {"power": {"milliamps": milliamps}}
    asked = {one.name: one.usual for one in wizard.questions(wizard.Attached(), {}, known)}
    assert asked["power.supply"] == "15000"


def test_the_largest_budget_is_read_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    assert config.parse({"power": {"milliamps": budget.MOST}}).power.milliamps == 11_250
    assert not caplog.messages


def test_three_do_not_fit_on_two_tracks_and_four_partners_do() -> None:
    three = config.parse({"seats": 3})
    with pytest.raises(ConfigError, match="3 sides do not fit on the 2 tracks of classic-2"):
        config.check_layout(three, layout.load("classic-2"))
    config.check_layout(three, layout.load("classic-3"))
    config.check_layout(config.parse({"seats": 4}), layout.load("classic-2"))


def test_a_file_is_named_too(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("layot = 'x'")
    with pytest.raises(ConfigError, match=r"config\.toml: unknown key layot"):
        config.load(file)
    file.write_text("layout = ")
    with pytest.raises(ConfigError, match=r"config\.toml: invalid TOML"):
        config.load(file)
    with pytest.raises(ConfigError, match="cannot be read"):
        config.load(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("/dev/zero", "it is not a regular file"),
        ("/dev/urandom", "it is not a regular file"),
        ("huge.toml", "it is larger than 1,000,000 bytes"),
    ],
)
def test_a_file_without_end_is_not_read_on(file: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / file  # an absolute path stays
    if not path.exists():
        with path.open("wb") as sparse:
            sparse.truncate(50_000_000_000)
    with pytest.raises(ConfigError) as error:
        config.load(path)
    assert str(error.value) == f"{path}: cannot be read ({why})"


def test_a_file_of_the_greatest_length_is_read(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("language = 'ja'\n#" + "x" * (1_000_000 - 17))
    assert file.stat().st_size == 1_000_000
    assert config.load(file).language == "ja"
    with file.open("a") as more:
        more.write("x")
    with pytest.raises(ConfigError, match="larger than"):
        config.load(file)


def test_a_file_nested_too_deeply(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("players = " + "[" * 100_000)
    with pytest.raises(ConfigError, match=r"config\.toml: invalid TOML: nested too deeply"):
        config.load(file)


def test_every_driver_declares_what_may_be_said_of_it() -> None:
    for name in config.drivers():
        part = config.part(name)
        assert part.options == config.driver(name).Options()


def test_a_whole_config_is_read(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        """
        layout = "classic-2"
        telling = "cards"
        players = ["Ann", "Bob", "Cleo"]
        [leds]
        driver = "ws2812_spi"
        bits = 4
        [[preset]]
        name = "pub"
        game = "cribbage"
        options = { skunk = "off" }
        """
    )
    found = config.load(file)
    assert found.telling == "cards"
    assert found.players == ("Ann", "Bob", "Cleo")
    assert found.leds is not None
    assert found.leds.options.bits == 4
    assert found.preset[0].options == {"skunk": "off"}


def test_a_home_that_cannot_be_looked_into_has_no_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board installed with `boardctl service install` used to stop immediately: systemd hides its
    home folder (ProtectHome=yes), and the kernel's refusal was treated as an error."""
    shared = tmp_path / "config.toml"
    monkeypatch.setattr(
        config_file, "DEFAULT_PATHS", (Path("~/.config/boardctl/config.toml"), shared)
    )
    monkeypatch.setenv("HOME", f"/{'a' * 300}")  # the kernel refuses this name even to root
    assert config_file.find() is None
    shared.touch()
    assert config_file.find() == shared
