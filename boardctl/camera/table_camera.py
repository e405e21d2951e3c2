"""A camera over the table (`camera = "/dev/video0"` or `"picamera"`). A keypad menu item takes a
picture, and the cards in it are entered as if they had been typed.

`boardctl see` takes and reads the picture in a separate process. The cards are entered only if all
readings are certain, and people still confirm the usual preview.
"""

from __future__ import annotations

import asyncio
import logging
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from boardctl import text
from boardctl.console import keypad
from boardctl.features import Running, RunningBoard
from boardctl.games.cards import parse_card
from boardctl.message import Message

if TYPE_CHECKING:
    from boardctl.camera.photo_api import PhotoReader

_log: Final = logging.getLogger(__name__)


class TableCamera(Running):
    """The camera of one table."""

    def __init__(
        self,
        board: RunningBoard,
        device: str,
        reader: PhotoReader | None = None,
    ) -> None:
        """Args:
        device: a V4L2 device such as `/dev/video0`, or `picamera`, or an empty string if there is
            no camera.
        reader: replaces `boardctl see`.
        """
        self._controller = board.controller
        self._device = device
        self._data = board.data
        self._reader = reader
        self._taking: asyncio.Task[None] | None = None
        board.features.connect("camera", self._controller.commanded, self.command)

    def command(self, command: keypad.Command) -> None:
        """Handle a keypad menu command."""
        if command.what != "photo":
            return
        if not self._device:
            self._say("no-camera")
        elif self._taking is None or self._taking.done():
            self._say("looking")
            self._taking = asyncio.create_task(self._take(), name="photo")

    def close(self) -> None:
        """Stop waiting for a picture."""
        if self._taking is not None:
            self._taking.cancel()

    async def _take(self) -> None:
        from boardctl.camera.photo_api import PhotoReader, PhotoRefused

        reader = self._reader or PhotoReader(self._data)
        try:
            seen = await reader.take(self._device)
        except PhotoRefused as error:
            language = self._controller.view.language
            sentence = text.say(Message("error", error.why, error.fields), text.Reader(language))
            _log.warning("No cards from the camera: %s", sentence)
            self._announce(sentence)
            return
        except OSError as error:
            _log.warning("No cards from the camera: %s", error)
            self._announce(str(error))
            return
        self._enter(seen)

    def _enter(self, seen: list[dict[str, Any]]) -> None:
        """Enter the cards, or name the uncertain ones."""
        unsure = [str(parse_card(each["card"])) for each in seen if not each["sure"]]
        if unsure:
            self._say("unsure", cards=" ".join(unsure))
        else:
            self._controller.enter_cards(tuple(parse_card(each["card"]) for each in seen))

    def _say(self, code: str, **fields: object) -> None:
        view = self._controller.view
        self._announce(
            text.say(Message("photo", code, fields), text.Reader(view.language, view.seats))
        )

    def _announce(self, sentence: str) -> None:
        self._controller.announce(tuple(wrap(sentence, keypad.COLUMNS)), aloud=(sentence,))
