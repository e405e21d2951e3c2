"""A board in the checkout that runs this: `python -m tests.features.core_alone DIRECTORY`.

It starts, serves its page, and plays one game of cribbage by keys and one by taps.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import httpx

from boardctl.app.config import Config
from boardctl.app.simulation import Simulation, Stroke
from boardctl.web import Options
from boardctl.web.app import make

MOST = 29
"""The maximum points of a hand, the only entry here."""
FULL = 40
"""More hands than a game needs."""


def by_keys(simulation: Simulation) -> None:
    """Play a game by the keypad, entering points only."""
    table = simulation.board.table

    def press(keys: str) -> None:
        for word in keys.split():
            key = word.removeprefix("hold")
            simulation.press(Stroke(key, 1.2 if word != key else 0.06))

    press("hold# 1 1 A")
    for hand in range(FULL):
        press(f"{'AB'[hand % 2]} 2 9 #")
        if table.position.over:
            break
        press("#")
    assert table.position.over, table.record.moves
    assert max(table.position.scores) >= 121


async def by_taps(client: httpx.AsyncClient) -> None:
    """Play a game by the page's own requests."""
    state: dict[str, Any] = (await client.get("/state")).raise_for_status().json()
    table = {"game": "cribbage", "players": ["Ann", "Bob"], "expect": state["number"]}
    state = (await client.post("/table", json=table)).raise_for_status().json()["state"]
    lines = ["dealer 1", "deal", *(f"{1 + n % 2} peg {MOST}" for n in range(FULL))]
    for line in lines:
        if state["over"]:
            break
        answer = await client.post("/lines", json={"line": line, "expect": state["number"]})
        state = answer.raise_for_status().json()["state"]
    assert state["over"], state
    assert state["winner"]


async def page(simulation: Simulation) -> list[str]:
    """Serve the page and play through it, and return the features that it names."""
    app = make(simulation.board, Options())
    origin = "http://127.0.0.1:8121"
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app), base_url=origin, headers={"origin": origin}
    ) as client:
        for path in ("/", "/layout", "/words", "/openapi.json"):
            (await client.get(path)).raise_for_status()
        await by_taps(client)
        features: list[str] = (await client.get("/state")).json()["features"]
        return features


def main(data: Path) -> None:
    """Start, play and serve."""
    with Simulation(Config(), data) as simulation:
        simulation.settle()
        by_keys(simulation)
        print(*asyncio.run(page(simulation)))
        simulation.settle()
        assert not simulation.board.controller.faults, simulation.board.controller.faults


if __name__ == "__main__":
    main(Path(sys.argv[1]))
