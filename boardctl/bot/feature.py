"""The computer player as a feature: playing, hints, odds, lessons and analysis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from boardctl import bot
from boardctl.console.keypad import Item
from boardctl.features import Feature, Running, RunningBoard


@dataclass(frozen=True)
class Odds:
    """The section `[odds]`: whether the chance of winning is shown during a game, either on the
    page only or also on the board's status light. During a match (`match = 5`), it is shown only if
    `matches` allows it."""

    show: Literal["off", "page", "board"] = "off"
    matches: bool = False


@dataclass(frozen=True)
class Hints:
    """The section `[hints]`: whether a player may ask the board for a hint. During a match (`match
    = 5`), hints are given only if `matches` allows them."""

    allowed: bool = True
    matches: bool = False


def _start(board: RunningBoard) -> Running:
    from boardctl.bot.on_board import BotOnBoard

    return BotOnBoard(board)


def _routes(page: Any) -> Iterable[Any]:
    from boardctl.bot.page import routes

    return routes(page)


def _state(board: RunningBoard, scene: Any) -> Mapping[str, Any]:
    on_board = board.features.of("bot")
    position, viewer = scene.record.position, scene.viewer
    game, setup = position.game, position.setup
    options = {} if setup is None else setup.options
    offered = viewer.seat is not None and on_board.hints.offered(
        scene.prompt, scene.record, viewer.seat
    )
    return {
        "judged": game is not None and bot.judges(game.name, len(scene.called), options),
        "hint": offered,
        "counts": [on_board.learners.of(name).counts for name in scene.called],
    }


def _judged(summary: Mapping[str, Any]) -> Mapping[str, Any]:
    judges = bot.judges(summary["game"], summary["seats"], summary["options"])
    return {
        "judged": judges and summary["state"] == "won",
        "weighed": not judges and summary["state"] in ("won", "draw"),
    }


def _api() -> Any:
    from boardctl.bot.page_types import API

    return API


FEATURE = Feature(
    name="bot",
    options={"odds": Odds, "hints": Hints},
    start=_start,
    routes=_routes,
    api=_api,
    page=_state,
    game=_judged,
    menu=(Item("hint", "#"),),
    in_tab=True,
)
