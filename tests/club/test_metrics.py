"""The operator's view of a hub: metrics, health, JSON logs, and the dashboard that shows them."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from boardctl.club.hub import Hub
from boardctl.club.metrics import JsonLines
from boardctl.club.page import make
from boardctl.club.store import Store
from boardctl.mqtt.connection import Broker
from boardctl.web import Options

DASHBOARD: Final = Path(__file__).parents[2] / "docs" / "grafana" / "boardctl-hubs.json"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "club.sqlite3")
    yield opened
    opened.close()


def asked(hub: Hub, path: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=make(hub, Options(port=8122)))
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.get(f"http://127.0.0.1:8122{path}")

    return asyncio.run(ask())


def test_every_metric_of_the_dashboard_is_one_of_the_hub_s(store: Store) -> None:
    hub = Hub(store, Broker("localhost"))
    hub.metrics.messages.labels("result").inc()
    hub.metrics.rejected.labels("result").inc()
    exposed = asked(hub, "/metrics")
    assert exposed.headers["content-type"].startswith("text/plain")
    known = {
        sample.name
        for family in text_string_to_metric_families(exposed.text)
        for sample in family.samples
    }
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    used = {
        name
        for panel in panels
        for target in panel["targets"]
        for name in re.findall(r"\b(?:boardctl|process)_[a-z_]+", target["expr"])
    }
    assert len(used) >= 8
    assert used <= known


def test_a_hub_is_alive_and_says_what_it_is_not_ready_for(store: Store) -> None:
    hub = Hub(store, Broker("localhost"))
    assert asked(hub, "/health/live").status_code == 200
    away = asked(hub, "/health/ready")
    assert (away.status_code, away.json()) == (503, {"broker": False, "store": True})
    hub.connected = True
    assert asked(hub, "/health/ready").status_code == 200


def test_a_hub_without_its_database_is_alive_and_not_ready(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlalchemy.exc import OperationalError

    def gone() -> bool:
        raise OperationalError("SELECT 1", {}, Exception("gone"))

    monkeypatch.setattr(store, "alive", gone)
    hub = Hub(store, Broker("localhost"))
    hub.connected = True
    assert asked(hub, "/health/live").status_code == 200
    assert asked(hub, "/health/ready").json() == {"broker": True, "store": False}


def test_a_log_line_is_one_json_object() -> None:
    error = ValueError("two\nlines")
    trace = (ValueError, error, None)
    record = logging.LogRecord("boardctl.hub", logging.ERROR, "", 0, "a %s", ("b\nc",), trace)
    line = JsonLines().format(record)
    assert "\n" not in line
    answer = json.loads(line)
    assert (answer["level"], answer["logger"], answer["message"]) == (
        "error",
        "boardctl.hub",
        "a b\nc",
    )
    assert answer["time"].endswith("+00:00")
    assert "ValueError: two" in answer["traceback"]
