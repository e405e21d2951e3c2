"""Compare the games of a board's duplicate evening. The page runs this as a separate process.

`python -m boardctl.bot.compared DATA` reads `{"code": "…", "language": "en"}` and writes the result
of `duplicate.as_data`. The exit status is 1 if the journal cannot be read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from boardctl import __version__, text
from boardctl.bot import duplicate
from boardctl.bot.evening import read_code
from boardctl.record.history import PlayedGame
from boardctl.storage.archive import Archive
from boardctl.storage.journal import JournalError

MOST: Final = 500
"""The number of latest games in the journal that are searched for an evening's deals. Nine rounds
of eight players make 72 games."""


def reply(arguments: Sequence[str], given: bytes) -> tuple[int, bytes]:
    """Compare the games of an evening.

    Returns:
        The exit status, and the comparison as JSON.
    """
    asked = json.loads(given)
    try:
        with closing(Archive(Path(arguments[0]), __version__)) as archive:
            games = recent(archive)
    except JournalError:
        return 1, b""
    found = duplicate.compare(games, read_code(asked["code"]), text.is_own_name)
    shown = duplicate.as_data(found, lambda name: text.called(name, asked["language"]))
    return 0, json.dumps(shown).encode()


def recent(archive: Archive) -> list[PlayedGame]:
    """Return the latest games, earliest first. A game that is continued by a later one is left
    out."""
    found: list[PlayedGame] = []
    games = archive.page()
    while games and len(found) < MOST:
        found[:0] = games
        games = archive.page(games[0].number)
    return duplicate.whole(found)


if __name__ == "__main__":
    status, compared = reply(sys.argv[1:], sys.stdin.buffer.read())
    sys.stdout.buffer.write(compared)
    sys.exit(status)
