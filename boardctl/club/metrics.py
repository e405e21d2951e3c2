"""A hub's Prometheus metrics, and log lines as JSON."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST


class Metrics:
    """One hub's metrics, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.messages = Counter(
            "boardctl_hub_messages_total",
            "Messages received from the broker, by kind.",
            ["kind"],
            registry=self.registry,
        )
        self.rejected = Counter(
            "boardctl_hub_rejected_total",
            "Messages that were malformed or could not be handled, by kind.",
            ["kind"],
            registry=self.registry,
        )
        self.results = Counter(
            "boardctl_hub_results_total",
            "Results: new, repeat (stored before), or failed (not stored, not acknowledged).",
            ["outcome"],
            registry=self.registry,
        )
        for outcome in ("new", "repeat", "failed"):
            self.results.labels(outcome)  # so that zero is exported too
        self.storing = Histogram(
            "boardctl_hub_store_seconds",
            "Seconds to store a result.",
            registry=self.registry,
            buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 30),
        )
        self.boards = Gauge(
            "boardctl_hub_boards_online", "Boards that are online.", registry=self.registry
        )
        self.connected = Gauge(
            "boardctl_hub_broker_connected",
            "1 while the hub is connected to its broker.",
            registry=self.registry,
        )

    def exposition(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self.registry)


class JsonLines(logging.Formatter):
    """A log formatter that writes one JSON object per line: time (UTC), level, logger, message, and
    the traceback, if any."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
