"""The feature of the recipe, in a separate distribution, appears on the page and in the menu."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.project.test_contributing import blocks, recipe

ROOT = Path(__file__).parents[2]
PROGRAM = """
import asyncio, json, sys
from pathlib import Path
import httpx
from boardctl.app import config
from boardctl.app.simulation import Simulation, Stroke
from boardctl.web import Options
from boardctl.web.app import make

async def requests(app, again):
    origin = "http://127.0.0.1:8121"
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(
        transport=transport, base_url=origin, headers={"origin": origin}
    ) as client:
        document = (await client.get("/openapi.json")).json()
        rung = await client.post("/bell", json={})
        stranger = await client.post("/bell", json={}, headers={"origin": "http://evil"})
        state = (await client.get("/state?seat=1")).json()
        again()
        state["then"] = (await client.get("/state?seat=1")).json()["rings"]
        return {"document": "/bell" in document["paths"], "rung": rung.status_code,
                "stranger": stranger.status_code, "state": state}

chosen = config.parse({"bell": {"sentence": "Cake is ready"}, "voice": {"driver": "espeak"}})
with Simulation(chosen, Path(sys.argv[1])) as simulation:
    said = []
    simulation.board.spoken.connect(said.append)
    simulation.press(Stroke("#", 1.2))
    simulation.press(Stroke("8", 0.06))
    menu = " ".join(simulation.board.controller.lines())
    simulation.press(Stroke("5", 0.06))
    simulation.settle()
    lines = simulation.board.controller.lines()
    again = simulation.board.features.of("bell").ring
    answers = asyncio.run(requests(make(simulation.board, Options()), again))
    print(json.dumps({"menu": menu, "lines": lines, "said": said, **answers}))
"""


def installed(place: Path) -> None:
    """Install the recipe like pip."""
    (source,) = blocks(recipe("A new feature"), "python")
    (points,) = blocks(recipe("A new feature"), "toml")
    (place / "bell.py").write_text(source, "utf-8")
    about = place / "bell-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: bell\nVersion: 1.0\n", "utf-8")
    group = points.replace('project.entry-points."boardctl.features"', "boardctl.features")
    (about / "entry_points.txt").write_text(group.replace('"', ""), "utf-8")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the board's answers with the bell installed."""
    place = tmp_path_factory.mktemp("bell")
    installed(place)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(place / "data")],
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{place}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


def test_it_is_in_the_keypads_menu(found: dict[str, Any]) -> None:
    assert "5bell" in found["menu"]
    assert found["lines"] == ["Cake is ready"]


def test_its_sentence_is_said(found: dict[str, Any]) -> None:
    assert "Cake is ready" in " ".join(found["said"])


def test_it_is_on_the_page(found: dict[str, Any]) -> None:
    assert {"text": "Ring for tea", "post": "bell"} in found["state"]["buttons"]
    assert "bell" in found["state"]["features"]
    assert found["state"]["rings"] == 2, "once by keys, once by a tap"
    assert found["state"]["then"] == 3, "and again by keys, after the page was read"
    assert found["document"], "its route is described"
    assert found["rung"] == 200
    assert found["stranger"] == 403, "the guard of the page is its guard"
