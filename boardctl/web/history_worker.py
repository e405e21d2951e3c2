"""Compute the history in a separate process, so that requests never delay a key.

`python -m boardctl.web.history_worker DATA WHAT NUMBER LANGUAGE` writes its answer to standard
output and ends. WHAT is `overview`, `game`, `highlights`, `notation`, `html`, `picture`, `png`,
`lines`, `csv`, `json`, or, for only the reason why the journal cannot be read, `trouble`. The page
sends the board's layout, pickled, on standard input. The exit status is 4 if there is no such game,
6 if the journal cannot be read, and 7 if this machine cannot create a PNG. It is 5 if the journal
has not been read to its end (`storage.archive`). The overview then contains the games read so far
and the percentage read. For the overview, NUMBER is the game before which the page ends; otherwise
it is the game itself, and 0 is the newest. A deal in progress that has secret cards is omitted
until it ends, because it is not known who sent the request.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO

from boardctl import __version__, features, text
from boardctl.board import plan
from boardctl.board.layout import Layout, fitting
from boardctl.board.render import Picture, lit
from boardctl.record import history
from boardctl.record.history import PlayedGame, without_secrets
from boardctl.storage.archive import PAGE, SOON, Archive, Reading
from boardctl.storage.journal import JournalError
from boardctl.text import moves
from boardctl.web import BEHIND, NO_PNG, NO_SUCH_GAME, UNREADABLE, move_list


def reply(arguments: Sequence[str], given: bytes) -> tuple[int, bytes]:
    """Return the exit status and the output for these arguments and this input."""
    out = io.BytesIO()
    written = io.TextIOWrapper(out, "utf-8", newline="\n", write_through=True)
    status = _write(arguments, io.BytesIO(given), written)
    return status, out.getvalue()


def main(arguments: list[str]) -> int:
    """Read standard input, write standard output, and return the exit status."""
    return _write(arguments, sys.stdin.buffer, sys.stdout)


def _write(arguments: Sequence[str], given: BinaryIO, out: TextIO) -> int:
    data, what, number, language = arguments
    most = None if what in _WHOLE else SOON
    try:
        with closing(Archive(Path(data), __version__, most)) as archive:
            status = _answer(archive, what, int(number), language, given, out)
            return status if archive.reading is None else BEHIND
    except JournalError as error:
        if error.code != "none-yet":
            if what not in _WHOLE:  # a file contains only the file's bytes
                out.write(error.advice(language))
            return UNREADABLE
        if what == "overview":
            out.writelines(_overview([], [], None, language))
        elif what not in _WHOLE:
            return NO_SUCH_GAME
        else:
            out.writelines(_WHOLE[what](iter(())))
        return 0


def _answer(
    archive: Archive, what: str, number: int, language: str, given: BinaryIO, out: TextIO
) -> int:
    if what == "trouble":
        return 0
    if what == "overview":
        games, first = _page(archive, number or None)
        earlier = bool(_page(archive, first)[0])
        found = _overview(games, archive.players(), archive.reading, language, earlier)
        out.writelines(found)
        return 0
    if what in _WHOLE:
        out.writelines(_WHOLE[what](map(without_secrets, archive.games())))
        return 0
    game = archive.game(number or len(archive))
    if game is None:
        return NO_SUCH_GAME
    game = without_secrets(game)
    if what == "lines":
        ended = None if game.outcome is None else game.outcome.state
        json.dump({"state": ended, "lines": game.lines}, out)
    elif what == "notation":
        out.write("\n".join(game.lines) + "\n")
    elif what == "highlights":
        json.dump(_remembered(game, language), out, ensure_ascii=False)
    else:
        board: Layout = pickle.load(given)
        if what in _DRAWN:
            out.write(drawn(what, game, board, language))
            return 0
        if what == "png":
            return _write_png(drawn("picture", game, board, language), out)
        json.dump(_retell(game, language, board), out, ensure_ascii=False)
    return 0


def _page(archive: Archive, before: int | None) -> tuple[list[PlayedGame], int]:
    """Return the games of one page, oldest first, and the number of the first game. The page is the
    last one before a given game, or the last of all. A continued game appears where it ended."""
    later = [] if before is None else archive.page(before + PAGE)
    games = archive.page(before)
    while games:
        gone_on = {game.goes_on for game in (*games, *later)}
        shown = [game for game in games if not game.is_nought and game.number not in gone_on]
        if shown:
            return shown, games[0].number
        later, games = games, archive.page(games[0].number)
    return [], 0


def _overview(
    games: list[PlayedGame],
    players: list[dict[str, Any]],
    reading: Reading | None,
    language: str = "en",
    earlier: bool = False,
) -> Iterator[str]:
    """Return the `games` of a page, oldest first, whether there are `earlier` games, and all
    `players`. `reading` contains the numbers of lines read and still to be read, or is null once
    all have been read."""
    found = {
        "games": [_titled(game, language) for game in games],
        "earlier": earlier,
        "players": [{**one, "name": text.called(one["name"], language)} for one in players],
        "reading": None if reading is None else reading._asdict(),
    }
    yield json.dumps(found, ensure_ascii=False)


def _csv(games: Iterator[PlayedGame]) -> Iterator[str]:
    yield history.to_csv(())
    for game in games:
        yield history.to_csv((game,)).partition("\n")[2]


def _json(games: Iterator[PlayedGame]) -> Iterator[str]:
    yield "["
    yield from _separated(json.dumps(history.to_json(g), ensure_ascii=False) for g in games)
    yield "]"


_WHOLE: Final = {"csv": _csv, "json": _json}


_DRAWN: Final = frozenset({"html", "picture"})


def drawn(what: str, game: PlayedGame, board: Layout, language: str) -> str:
    """Return a game as a file to send.

    Args:
        what: `html`, a page that shows the game move by move, or `picture`, an SVG.
        game: the game.
        board: the layout on which the game is shown.
        language: the first language of the page, or the language of the picture.
    """
    from boardctl.web import viewer
    from boardctl.web.viewer import game_picture  # only needed for drawings

    make = viewer.page if what == "html" else game_picture.draw
    return make(game, board, language)


def _write_png(picture: str, out: TextIO) -> int:
    from subprocess import CalledProcessError

    from boardctl.web.viewer import png

    try:
        out.buffer.write(png.convert(picture))
    except (FileNotFoundError, CalledProcessError):
        return NO_PNG
    return 0


def _remembered(game: PlayedGame, language: str) -> dict[str, Any]:
    """Return a game's summary with its highlights in words."""
    from boardctl.record.highlights import highlights
    from boardctl.web.viewer.game_picture import sentences

    return {**_titled(game, language), "told": sentences(game, highlights(game), language)}


def _separated(texts: Iterator[str]) -> Iterator[str]:
    for first in texts:
        yield first
        yield from chain.from_iterable((", ", text) for text in texts)


def _titled(game: PlayedGame, language: str) -> dict[str, Any]:
    """Return a game's summary with its title."""
    summary = history.summary(game)
    return {
        **summary,
        "sides": text.sides(game.teams, language),
        "teams": [[text.called(name, language) for name in names] for names in game.teams],
        "title": moves.title(summary["game"], language),
        **features.of_game({**summary, "options": game.options, "seats": len(game.seats)}),
    }


def _retell(game: PlayedGame, language: str, board: Layout) -> dict[str, Any]:
    """Return the game move by move. `board` is the game's layout, or null for the current board's
    layout."""
    fit = fitting(board, len(game.sides))
    names = [text.called(name, language) for name in game.seats]
    steps = [_step(step, names, language, fit) for step in history.walk(game)]
    shown = None if fit is board else plan.picture(fit)
    return {**_titled(game, language), "board": shown, "seats": names, "steps": steps}


def _step(step: history.Step, names: list[str], language: str, board: Layout) -> dict[str, Any]:
    position = step.position
    lights: dict[str, Any] = {}
    if position.game is not None and position.state is not None:
        picture = Picture(position.game.scoreboard(position.state), won=position.tally.won)
        if len(picture.scoreboard.standings) <= board.tracks:
            lights = lit(board, picture, 0.0)
    return {
        "line": step.line,
        "text": moves.noted(
            moves.describe(step.full_move, names, language), step.notes, names, language
        ),
        "seat": step.move.seat,
        "source": step.source,
        "scores": list(position.shown_scores),
        "awards": move_list.awarded(step.awards, names, language),
        "lit": {name: list(colour) for name, colour in lights.items()},
    }


def _process(arguments: list[str]) -> int:
    """Run as a process whose output may be cut off early, because the page has stopped or the phone
    has disconnected."""
    try:
        status = main(arguments)
        sys.stdout.flush()
    except (EOFError, pickle.UnpicklingError):
        return 1
    except BrokenPipeError:
        # Python flushes again at its end (docs.python.org/3/library/signal.html#note-on-sigpipe).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


if __name__ == "__main__":
    sys.exit(_process(sys.argv[1:]))
