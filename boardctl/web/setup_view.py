"""What the setup page needs of a board. The daemon implements it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from boardctl import text
from boardctl.message import Message

if TYPE_CHECKING:
    from boardctl.storage.backup import Summary


class SetupRefused(Exception):
    """Something that was asked for and not done."""

    def __init__(self, why: str | Callable[[str], str]) -> None:
        """`why` is one sentence, or says it in a language."""
        super().__init__(why if isinstance(why, str) else why("en"))
        self._why = why

    def sentence(self, language: str) -> str:
        """Why, in this language if it can be said in it."""
        return self._why if isinstance(self._why, str) else self._why(language)


def refused(code: str, **fields: object) -> SetupRefused:
    """A refusal with the sentence `refusal.CODE`."""
    return SetupRefused(
        lambda language: text.say(Message("refusal", code, fields), text.Reader(language))
    )


class SetupView(Protocol):
    """Setting up a running board. What may take long is done on the caller's thread, which is never
    the event loop's; the self-test is on the loop's."""

    def questions(self, answers: Mapping[str, str], language: str) -> list[dict[str, Any]]:
        """The wizard's questions that mean something here, as far as these answers lead: `name`,
        `text`, `usual`, `choices` (`value`, `text`) or None, and `refused`, why its answer cannot
        be taken, or None."""

    def configure(self, answers: Mapping[str, str], language: str) -> None:
        """Write the configuration of these answers. Raises SetupRefused, in this language."""

    def restart(self) -> None:
        """Begin again with the configuration and the journal that are there now."""

    def backup(self, file: Path) -> None:
        """Copy the journal to a new file. Raises SetupRefused."""

    @property
    def restoring(self) -> int | None:
        """How much of a backup was read so far, in percent; None if none is being restored."""

    def summary(self, file: Path | None) -> Summary | None:
        """Return what a backup holds, or the board's own journal (None). None if there is none or
        it cannot be read."""

    def earlier(self) -> Path | None:
        """Return the journal that the latest restore has replaced, None if it is not kept."""

    async def restore(self, file: Path) -> int:
        """Take this backup in place of the journal at the next beginning; its lines. Raises
        SetupRefused where it is not a whole journal."""

    def card(self) -> Mapping[str, Any] | None:
        """The state of the card that the machine was started from (`app.card`), None if it was
        started from something else. Raises SetupRefused."""

    def ask_card(self, do: str, **fields: Any) -> None:
        """Have the card do something. Raises SetupRefused."""

    def test(self, begin: bool) -> None:
        """Begin the self-test again, or end it; the lights are the game's again when it ends."""

    def tested(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """What the self-test has said since it began, as codes and fields of sentences."""

    def testing(self) -> bool:
        """Whether it runs."""
