"""The interface of a board for the setup page. The daemon implements it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from boardctl import text
from boardctl.message import Message

if TYPE_CHECKING:
    from boardctl.storage.backup import Summary


class SetupRefused(Exception):
    """A request that was refused or failed."""

    def __init__(self, why: str | Callable[[str], str]) -> None:
        """`why` is one sentence, or a function that returns it in a language."""
        super().__init__(why if isinstance(why, str) else why("en"))
        self._why = why

    def sentence(self, language: str) -> str:
        """Return the reason, in this language if possible."""
        return self._why if isinstance(self._why, str) else self._why(language)


def refused(code: str, **fields: object) -> SetupRefused:
    """Return a refusal with the sentence `refusal.CODE`."""
    return SetupRefused(
        lambda language: text.say(Message("refusal", code, fields), text.Reader(language))
    )


class SetupView(Protocol):
    """The setup of a running board. Slow methods run on the caller's thread, which is never the
    event loop's; the self-test runs on the loop's."""

    def questions(self, answers: Mapping[str, str], language: str) -> list[dict[str, Any]]:
        """Return the wizard's questions that follow from these answers: `name`, `text`, `usual`,
        `choices` (`value`, `text`) or None, and `refused`, the reason for refusing its answer, or
        None."""

    def configure(self, answers: Mapping[str, str], language: str) -> None:
        """Write the configuration from these answers. Raises SetupRefused, in this language."""

    def restart(self) -> None:
        """Restart with the present configuration and journal."""

    def backup(self, file: Path) -> None:
        """Copy the journal to a new file. Raises SetupRefused."""

    @property
    def restoring(self) -> int | None:
        """The share of a backup read so far, in percent; None if none is being restored."""

    def summary(self, file: Path | None) -> Summary | None:
        """Return a summary of a backup, or of the board's own journal (None). None if there is none
        or it cannot be read."""

    def earlier(self) -> Path | None:
        """Return the journal replaced by the latest restore, None if it no longer exists."""

    async def restore(self, file: Path) -> int:
        """Replace the journal with this backup at the next start; return its number of lines.
        Raises SetupRefused unless it is a whole journal."""

    def card(self) -> Mapping[str, Any] | None:
        """Return the state of the card that the machine was started from (`app.card`), None without
        a card. Raises SetupRefused."""

    def ask_card(self, do: str, **fields: Any) -> None:
        """Have the card do something. Raises SetupRefused."""

    def test(self, begin: bool) -> None:
        """Restart the self-test, or end it; afterwards the lights show the game again."""

    def tested(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """Return the messages of the self-test since it began, as codes and fields of sentences."""

    def testing(self) -> bool:
        """Return whether the self-test is running."""
