"""Games between two houses as a feature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from boardctl.console.keypad import Item
from boardctl.far import KEPT, Options, TabOptions
from boardctl.features import Feature, Running, RunningBoard


def _start(board: RunningBoard) -> Running:
    from boardctl.far.keypad_menu import FarKeys
    from boardctl.far.on_demand import OtherHouses

    broker = board.options("mqtt") if "mqtt" in board.features else None
    houses = OtherHouses(board, board.options("far"), broker)
    FarKeys(board.controller, houses)
    return houses


def _mode() -> type:
    from boardctl.far.keypad_menu import FarMode

    return FarMode


def _routes(page: Any) -> Iterable[Any]:
    from boardctl.far.far_api import FarApi

    return FarApi(page.board.features.of("far"), page.check).routes()


def _tab_options(address: str) -> Mapping[str, Any]:
    return {"far": TabOptions(tab=address)}


def _files(options: Options) -> Iterable[str]:
    return filter(None, (options.ca, options.password_file))


def _api() -> Any:
    from boardctl.far.page_types import API

    return API


def _setup() -> Any:
    from boardctl.far import broker_setup

    return broker_setup


FEATURE = Feature(
    name="far",
    options={"far": Options},
    start=_start,
    routes=_routes,
    api=_api,
    menu=(Item("far", "84", load=_mode),),
    files=_files,
    setup=_setup,
    in_tab=True,
    tab_options=_tab_options,
    data_files=(KEPT,),
)
