"""The link of an invitation for somebody without a board, and the broker of a tab."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.app.config import ConfigError, parse
from boardctl.far import BROKER, Options, TabOptions, invitation_words
from boardctl.far.on_demand import OtherHouses
from boardctl.features import Features
from boardctl.games import IllegalMove
from boardctl.signals import Signal
from tests.far.test_courier import Board, Post

PAGE = "https://tab.example/"
ADDRESS = "wss://guest:pass@broker.example:8884"
SECRETS = st.integers(0, (1 << invitation_words.BITS) - 1)


@given(SECRETS, st.text(max_size=100))
def test_a_link_has_the_words_and_the_broker(secret: int, broker: str) -> None:
    link = invitation_words.link(PAGE, invitation_words.spell(secret), broker)
    if len(link) <= invitation_words.LONGEST:
        assert invitation_words.read(link) == secret
        assert invitation_words.broker(link) == broker


@given(st.text())
def test_any_text_has_a_broker_or_none(text: str) -> None:
    assert isinstance(invitation_words.broker(text), str)


def test_six_words_name_no_broker() -> None:
    spelled = invitation_words.spell(7)
    assert invitation_words.broker(" ".join(spelled)) == ""
    assert invitation_words.broker(invitation_words.link("http://board.local/", spelled)) == ""


def houses(board: Board, options: Options) -> OtherHouses:
    features = Features(board, ())  # type: ignore[arg-type]  # what it uses of it
    running: Any = SimpleNamespace(
        data=board.data, table=board.table, controller=board.controller, features=features
    )
    board.controller.commanded = Signal()
    return OtherHouses(running, options)


def test_a_board_tells_browsers_where_its_broker_is(post: Post, tmp_path: Path) -> None:
    spelled = invitation_words.spell(7)
    board = Board(tmp_path)
    plain = houses(board, Options(host="nowhere", tab=PAGE))
    assert plain.tab_link(spelled) == ""
    assert plain.link(spelled) == f"http://board.local/#far={'-'.join(spelled)}"
    told = houses(board, Options(host="nowhere", tab=PAGE, websocket=ADDRESS))
    assert told.link(spelled) == plain.link(spelled)
    assert invitation_words.broker(told.tab_link(spelled)) == ADDRESS
    asyncio.run(told.use("wss://other.example"))
    assert told.websocket == ADDRESS, "a board has a broker of its own"
    board.table.journal.close()


def test_a_tab_keeps_the_broker_of_a_link(post: Post, tmp_path: Path) -> None:
    async def visit() -> None:
        board = Board(tmp_path)
        tab = houses(board, TabOptions(tab=PAGE))
        with pytest.raises(IllegalMove, match="far-tab-broker"):
            tab.open()
        with pytest.raises(IllegalMove, match="far-broker-address"):
            await tab.use("https://broker.example")
        await tab.use(ADDRESS)
        assert (board.data / BROKER).read_text() == ADDRESS
        first = tab.open()
        assert tab.link(invitation_words.spell(7)).startswith(f"{PAGE}#far=")
        await tab.use(ADDRESS)
        assert tab.open() is first, "nothing changes"
        await tab.use("wss://other.example")
        assert tab.open() is not first
        assert houses(board, TabOptions(tab=PAGE)).websocket == "wss://other.example"
        # Houses that are at a broker stay there.
        second = tab.open()
        second.contacts.leaving.append(None)  # type: ignore[arg-type]  # somebody
        with pytest.raises(IllegalMove, match="far-other-broker"):
            await tab.use(ADDRESS)
        second.contacts.leaving.clear()
        await second.close()
        board.table.journal.close()

    asyncio.run(visit())


def test_an_address_that_no_browser_reaches_is_refused() -> None:
    with pytest.raises(ConfigError, match="not a broker’s address for browsers"):
        parse({"far": {"websocket": "mqtts://broker.example"}})
    assert parse({"far": {"websocket": ADDRESS}}).far.websocket == ADDRESS
