"""The tables of docs/voice.md are generated from the board's spoken sentences and understood
phrases."""

from __future__ import annotations

from tests.speech import voice_page


def test_the_page_is_what_is_said_and_may_be_said() -> None:
    page = voice_page.PAGE.read_text("utf-8")
    assert voice_page.written(page) == page, voice_page.__doc__
