"""The tab in the engines of Firefox and of the iPhone, as Debian ships them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import pytest

from tests.tab import games
from tests.tab.conftest import COMPLETE, PATIENCE, START, Site
from tests.web.engines import Engine, Firefox, firefox, webkit

pytestmark = pytest.mark.slow
_FRAME: Final = "document.getElementById('page')?.contentWindow"
_RESUMED: Final = "return performance.getEntriesByName('board-ready')[0].detail.isResumed"
_SAY: Final = """return (async () => {
  const headers = { 'content-type': 'application/json' };
  for (const line of %s) {
    const { number } = await (await page.fetch('state')).json();
    const body = JSON.stringify({ line, expect: number });
    const answer = await (await page.fetch('lines', { method: 'POST', headers, body })).json();
    if (!answer.state) return `${line}: ${JSON.stringify(answer)}`;
  }
  return '';
})()"""


def in_firefox(directory: Path) -> AbstractContextManager[Engine]:
    return firefox(directory)


def in_webkit(directory: Path) -> AbstractContextManager[Engine]:
    return webkit()


@pytest.fixture(params=[in_firefox, in_webkit], ids=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    opened: Callable[[Path], AbstractContextManager[Engine]] = request.param
    with opened(tmp_path) as engine:
        yield engine


def ask(engine: Engine, script: str) -> Any:
    """Return what a script returns in the page of the board, or None while it is not there."""
    found: Any = engine.ask(f"const page = {_FRAME}; if (!page) return null; {script}")
    return found


def until_live(engine: Engine) -> None:
    """Wait until the page shows the board's state; before, somebody taps the button."""
    end = time.monotonic() + PATIENCE
    while not ask(engine, "return page.document.body?.dataset.number ?? null"):
        engine.ask("document.getElementById('play')?.click(); return null")
        said = engine.ask("return document.getElementById('said')?.textContent ?? ''")
        assert "could not start" not in said, said
        assert time.monotonic() < end, said
        time.sleep(0.5)


def until_start_kept(engine: Engine) -> None:
    """Wait until the browser has kept Python's memory."""
    end = time.monotonic() + PATIENCE
    while not engine.ask(f"return {START % COMPLETE}"):
        assert time.monotonic() < end
        time.sleep(0.5)


def say(engine: Engine, lines: Sequence[str]) -> None:
    """Play lines, a few at a time: WebDriver waits for none of them very long."""
    for at in range(0, len(lines), 5):
        assert ask(engine, _SAY % json.dumps(lines[at : at + 5])) == ""


def scores(engine: Engine) -> list[int]:
    state = json.loads(ask(engine, "return page.fetch('state').then((one) => one.text())"))
    return [side["score"] for side in state["sides"]]


def test_a_game(engine: Engine, site: Site) -> None:
    lines = games.cribbage(1)
    half = len(lines) // 2
    engine.open(site.url, 390, 844)
    until_live(engine)
    say(engine, lines[:half])
    assert scores(engine) == games.scores(lines[:half])
    if isinstance(engine, Firefox):
        until_start_kept(engine)
        engine.open(site.url, 390, 844)
        until_live(engine)
        assert engine.ask(_RESUMED), "from Python's kept memory"
        assert scores(engine) == games.scores(lines[:half])
    else:  # a browser that WebDriver drives is private, and keeps no files (MiniBrowser, main.c)
        assert "keeps no games" in engine.ask(
            "return document.getElementById('warned').textContent"
        )
    say(engine, lines[half:])
    assert scores(engine) == games.scores(lines)
