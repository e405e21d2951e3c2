"""The broker client as a feature."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from boardctl.features import Feature, Running, RunningBoard
from boardctl.mqtt import Options


def _start(board: RunningBoard) -> Running:
    from boardctl.mqtt.on_board import MqttOnBoard

    return MqttOnBoard(board, board.options("mqtt"))


def _files(options: Options) -> Iterable[str]:
    return filter(None, (options.ca, options.password_file))


def _check(config: Any) -> Iterable[Any]:
    from boardctl.mqtt.checked import findings

    return findings(config.mqtt)


FEATURE = Feature(name="mqtt", options={"mqtt": Options}, start=_start, files=_files, check=_check)
