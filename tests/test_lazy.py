"""The daemon's core imports nothing that is not configured."""

from __future__ import annotations

import subprocess
import sys

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
        *("boardctl.bot.lessons", "importlib.resources", "random", "tempfile", "zipfile"),
        *("difflib", "shutil", "gettext", "hashlib", "json", "unicodedata"),
        *("boardctl.text.bezique", "boardctl.text.page", "boardctl.board.checks"),
    ],
)
def test_never_loaded_unless_enabled(never: str, modules: frozenset[str]) -> None:
    assert not {name for name in modules if name == never or name.startswith(f"{never}.")}


def test_what_is_asked_for_is_loaded(modules: frozenset[str]) -> None:
    assert {"boardctl.games.cribbage", "boardctl.drivers.ws2812_spi", "sqlite3"} <= modules


def test_the_page_loads_no_client_and_no_history() -> None:
    """`boardctl pin` needs the client, and a separate process reads the history."""
    script = "import boardctl.web.serve, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    never = {"urllib.request", "boardctl.web.history_worker", "boardctl.record.history"}
    assert not never & set(done.stdout.decode().split())


@pytest.mark.parametrize(
    "part", ["boardctl.far.houses", "boardctl.mqtt.client", "boardctl.web.app", "boardctl.club.hub"]
)
def test_what_is_optional_loads_no_more_than_it_needs(part: str) -> None:
    """Each part runs in a separate process, because a small board has no memory for other parts'
    packages."""
    script = f"import {part}, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.decode().split()}
    assert not loaded & {"numpy", "cv2", "onnxruntime", "PIL", "reportlab", "cryptography", "ezdxf"}
    needed = {"boardctl.far.houses": "nacl", "boardctl.club.hub": "sqlalchemy"}
    assert not loaded & {package for owner, package in needed.items() if owner != part}
