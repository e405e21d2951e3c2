"""The daemon's core imports nothing that is not configured."""

from __future__ import annotations

import pytest

from tools.bench.start import started


@pytest.fixture(scope="module")
def modules() -> frozenset[str]:
    report = started()
    assert report["frames"], "the core came to its first frame"
    return frozenset(report["modules"])


@pytest.mark.parametrize(
    "never",
    [
        *("numpy", "pandas", "pydantic", "click"),
        *("starlette", "uvicorn", "websockets", "boardctl.web.app", "boardctl.web.serve"),
        *("paho", "aiomqtt", "boardctl.mqtt.client", "boardctl.mqtt.connection", "boardctl.club"),
        *("boardctl.mqtt.results", "boardctl.mqtt.payloads", "boardctl.mqtt.discovery"),
        *("nacl", "boardctl.far.houses", "boardctl.far.group", "boardctl.far.cards"),
        *("gpiozero", "serial", "PIL", "reportlab", "ezdxf", "boardctl.drawings"),
        *("boardctl.bot.advice",),
        *("boardctl.bot.totals", "boardctl.games.bezique"),
        *("boardctl.console.keypad.spoken", "boardctl.console.keypad.effects"),
        *("boardctl.web.lessons", "importlib.resources", "random", "tempfile", "zipfile"),
        *("difflib", "shutil"),
    ],
)
def test_never_loaded_unless_enabled(never: str, modules: frozenset[str]) -> None:
    assert not {name for name in modules if name == never or name.startswith(f"{never}.")}


def test_what_is_asked_for_is_loaded(modules: frozenset[str]) -> None:
    assert {"boardctl.games.cribbage", "boardctl.drivers.ws2812_spi", "sqlite3"} <= modules
