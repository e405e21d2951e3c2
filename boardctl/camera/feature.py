"""Photographs of cards as a feature."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from boardctl.console.keypad import Item
from boardctl.features import Feature, Running, RunningBoard


def _start(board: RunningBoard) -> Running:
    from boardctl.camera.table_camera import TableCamera

    return TableCamera(board, board.options("camera"))


def _routes(page: Any) -> Iterable[Any]:
    from boardctl.camera.photo_api import PhotoApi
    from boardctl.games.cards import CARDS, codes
    from boardctl.storage import pack_files

    def ranks() -> str:
        game = page.board.table.position.game
        return pack_files.ranks_in(codes(CARDS if game is None else game.pack))

    return PhotoApi(page.board.data, page.check, ranks).routes()


def _api() -> Any:
    from boardctl.camera.page_types import API

    return API


FEATURE = Feature(
    name="camera",
    options={"camera": str},
    start=_start,
    routes=_routes,
    api=_api,
    menu=(Item("photo", "A"),),
)
