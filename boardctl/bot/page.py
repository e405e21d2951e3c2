"""The computer player's routes: its seat, hints, lessons, practice and analysis."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.routing import Route

from boardctl.bot.analysis_api import AnalysisApi
from boardctl.bot.evening_api import EveningApi
from boardctl.bot.hint_api import HintApi
from boardctl.bot.learners import LearnersApi
from boardctl.bot.lesson_api import LessonApi
from boardctl.bot.on_board import BotOnBoard
from boardctl.bot.player_api import PlayerApi
from boardctl.web import move_list
from boardctl.web.board_view import Page


def routes(page: Page) -> Iterable[Route]:
    """Return the routes of one page."""
    board = page.board
    on_board: BotOnBoard = board.features.of("bot")
    learners = LearnersApi(
        on_board.learners,
        lambda: move_list.names(board.table.position),
        page.may_play,
        page.viewer,
        page.changed,
    )
    photos: list[Route] = []
    if "camera" in board.features:
        from boardctl.bot.player_photo import PlayerPhotoApi

        photos = PlayerPhotoApi(board, on_board.player, page.check).routes()
    return (
        *AnalysisApi(board, on_board.shown_odds).routes(),
        *PlayerApi(board, on_board.player, page.check, page.changed).routes(),
        *EveningApi(board, on_board.player, page.check, page.changed).routes(),
        *photos,
        *learners.routes(),
        *LessonApi(board, page.check).routes(),
        *HintApi(board, on_board.hints, page.check, page.viewer).routes(),
    )
