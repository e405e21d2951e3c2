"""Test Home Assistant's view of a board; run by its own pytest plug-in in a separate environment.

`tests/mqtt/test_home_assistant.py` creates the environment. Nothing here is boardctl's except the
board's messages: Home Assistant's MQTT integration, with its own client, connects to a real
Mosquitto by TLS as the user `home`, next to a real `boardctl run`. The parent process controls
board and broker, and takes orders at `STAGE`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_socket
from homeassistant.components import mqtt
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import Event, HomeAssistant
from homeassistant.helpers import device_registry, entity_registry
from pytest_homeassistant_custom_component.common import MockConfigEntry

ONLINE = "binary_sensor.boardctl_one_online"
SCORES = ("sensor.boardctl_one_score_1", "sensor.boardctl_one_score_2")
SHOUT = "event.boardctl_one_shout"
LIGHT = "number.boardctl_one_brightness"
UNDO = "button.boardctl_one_undo"
ENTITIES = {
    ONLINE,
    *(f"sensor.boardctl_one_{what}_{side}" for what in ("score", "won") for side in (1, 2, 3)),
    *(f"sensor.boardctl_one_{what}" for what in ("deal", "turn", "last_count")),
    SHOUT,
    LIGHT,
    UNDO,
}


@pytest.fixture
def expected_lingering_timers() -> bool:
    """The integration's client has its own timers."""
    return True


async def order(what: str) -> None:
    """Ask the parent process to do something to the board."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(os.environ["STAGE"]))
    writer.write(what.encode() + b"\n")
    assert await reader.readline() == b"done\n"
    writer.close()
    await writer.wait_closed()


async def until(true: Callable[[], bool], what: str) -> None:
    """Wait for a condition; the time limit only ensures that a failing test ends."""
    for _ in range(1500):
        if true():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(what)


@pytest.mark.usefixtures("socket_enabled")
async def test_a_board_in_home_assistant(
    hass: HomeAssistant, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pytest_socket.socket_allow_hosts(["127.0.0.1", "::1"])
    (tmp_path / "configuration.yaml").touch()  # the state of a fresh installation: nothing
    hass.config.config_dir = str(tmp_path)
    entry = MockConfigEntry(
        domain=mqtt.DOMAIN,
        version=2,
        minor_version=1,
        data={
            "broker": "localhost",
            "port": int(os.environ["PORT"]),
            "username": "home",
            "password": os.environ["PASSWORD"],
            "certificate": Path(os.environ["CA"]).read_text("ascii"),
        },
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)

    def state(entity: str) -> str | None:
        found = hass.states.get(entity)
        return None if found is None else found.state

    def here() -> set[str]:
        return {one.entity_id for one in entity_registry.async_get(hass).entities.values()}

    answers: list[dict[str, Any]] = []
    await mqtt.async_subscribe(
        hass, "boardctl/one/answer", lambda listed: answers.append(json.loads(listed.payload)), 1
    )

    async def say(line: str) -> dict[str, Any]:
        """A line from Home Assistant, as an automation would send it; returns the board's
        answer."""
        seen = hass.states.get(UNDO)
        assert seen is not None
        listed = {"line": line, "expect": seen.attributes["number"]}
        count = len(answers)
        service = {"topic": "boardctl/one/command", "payload": json.dumps(listed), "qos": 1}
        await hass.services.async_call("mqtt", "publish", service, blocking=True)
        await until(lambda: len(answers) > count, f"an answer to {line}")
        if "number" in answers[-1]:
            await until(lambda: number() == answers[-1]["number"], f"the state after {line}")
        return answers[-1]

    def number() -> Any:
        seen = hass.states.get(UNDO)
        return None if seen is None else seen.attributes.get("number")

    # The board starts: its entities appear, with the requested names, on one device.
    assert here() == set()
    await order("start commands")
    await until(lambda: state(ONLINE) == "on", "online")
    await until(lambda: number() is not None, "state")
    assert here() == ENTITIES
    (device,) = [
        one
        for one in device_registry.async_get(hass).devices.values()
        if ("mqtt", "boardctl_one") in one.identifiers
    ]
    assert (device.name, device.manufacturer) == ("Cribbage board one", "boardctl")

    # States follow the game; those of an absent third player are empty.
    for line in ("seat 1 Ann", "seat 2 Bob", "1 peg 8", "2 peg 24 hand"):
        assert "refused" not in await say(line), answers[-1]
    assert [state(entity) for entity in SCORES] == ["8", "24"]
    assert state("sensor.boardctl_one_last_count") == "24"
    assert state("sensor.boardctl_one_score_3") in ("", "unknown")
    shout = hass.states.get(SHOUT)
    assert shout is not None
    assert (shout.attributes["event_type"], shout.attributes["points"]) == ("big-hand", 24)
    wins: list[str] = []

    def heard(event: Event[Any]) -> None:
        listed = event.data["new_state"]
        if listed is not None and listed.entity_id == SHOUT:
            wins.append(listed.attributes.get("event_type"))

    hass.bus.async_listen("state_changed", heard)

    # A number and a button send lines that the board accepts.
    light = {"entity_id": LIGHT, "value": 35}
    await hass.services.async_call("number", "set_value", light, blocking=True)
    await until(lambda: state(LIGHT) in ("35", "35.0"), "brightness")
    await hass.services.async_call("button", "press", {"entity_id": UNDO}, blocking=True)
    await until(lambda: state(SCORES[1]) == "0", "undone")
    await until(lambda: answers[-1]["line"] == "undo", "the board's answer")
    assert state(SCORES[0]) == "8"

    # Refused lines change nothing.
    assert (await say("1 peg 99"))["refused"] == "impossible-points"
    assert [state(entity) for entity in SCORES] == ["8", "0"]

    # A win is an event, and games won are counted.
    await say("1 adjust +113")
    await until(lambda: "win" in wins, "a win")
    won = hass.states.get(SHOUT)
    assert won is not None
    assert won.attributes["winner"] == "Ann"
    await until(lambda: state("sensor.boardctl_one_won_1") == "2", "a skunk counts two")

    # The board dies abruptly: by its last will it is offline, everything else unavailable.
    await order("kill")
    await until(
        lambda: all(state(entity) == STATE_UNAVAILABLE for entity in ENTITIES - {ONLINE}),
        "unavailable",
    )
    await until(lambda: state(ONLINE) == "off", "offline")
    # It returns unchanged.
    await order("start commands")
    await until(lambda: state(SCORES[0]) == "121", "back")

    # It is removed: everything disappears, entities and device.
    await order("kill")
    await order("start forget")
    await until(lambda: here() == set(), "vanished")
    await until(lambda: all(state(entity) is None for entity in ENTITIES), "states vanished")
    await order("kill")
    assert await hass.config_entries.async_unload(entry.entry_id)
    await hass.async_block_till_done()
    complaints = [
        listed.getMessage()
        for listed in caplog.records
        if listed.levelno >= logging.WARNING
        and listed.name.startswith("homeassistant.components.mqtt")
    ]
    assert complaints == [], "it has nothing to say against what the board tells it"
