"""The places in the rules that refuse a line, and one record for each sentence of such a refusal.

`python -m tests.games.refusal_places` writes the sentences in English and Japanese into each record
of `refusal-places.jsonl`, for people to read, and the codes into docs/notation.md. A missing record
must be added by hand (its `place` and `lines`).
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from boardctl.games import IllegalMove
from boardctl.record.record import Record
from boardctl.text import moves, sentence_code

ROOT: Final = Path(__file__).parents[2] / "boardctl"
FILE: Final = Path(__file__).with_name("refusal-places.jsonl")
PAGE: Final = Path(__file__).parents[2] / "docs" / "notation.md"
_TABLE: Final = re.compile(
    r"(?P<begin><!-- refusals: .*-->\n)(?:\|.*\n)*(?P<end><!-- end of refusals -->)"
)
ROOMS: Final = ("games/**/*.py", "record/*.py")


@cache
def places() -> dict[tuple[str, int], str]:
    """Return, by file and line, the name of the place that refuses there: its file, function, code
    (`*` if it is computed), and number among equal ones."""
    found: dict[tuple[str, int], str] = {}
    for path in sorted(file for room in ROOMS for file in ROOT.glob(room)):
        counted: Counter[str] = Counter()
        for call, function in _calls(ast.parse(path.read_text("utf-8")), ""):
            said = call.args[0]
            code = str(said.value) if isinstance(said, ast.Constant) else "*"
            name = f"{path.relative_to(ROOT).as_posix()}:{function}:{code}"
            counted[name] += 1
            for line in range(call.lineno, (call.end_lineno or call.lineno) + 1):
                found[str(path), line] = f"{name}:{counted[name]}"
    return found


def _calls(node: ast.AST, function: str) -> Iterator[tuple[ast.Call, str]]:
    """Yield each `IllegalMove(…)` below a node, with its enclosing function."""
    for child in ast.iter_child_nodes(node):
        inside = function
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inside = f"{function}.{child.name}".lstrip(".")
        if isinstance(child, ast.Call) and getattr(child.func, "id", "") == "IllegalMove":
            yield child, inside
        yield from _calls(child, inside)


@contextmanager
def watched() -> Iterator[dict[int, str]]:
    """Record the origin of each refusal raised meanwhile, by the refusal's identity."""
    made: dict[int, str] = {}
    kept: list[IllegalMove] = []  # so that no identity is reused
    before = IllegalMove.__init__

    def note(self: IllegalMove, code: str, /, **fields: Any) -> None:
        before(self, code, **fields)
        maker = sys._getframe(1)
        kept.append(self)
        made[id(self)] = places().get((maker.f_code.co_filename, maker.f_lineno), "")

    IllegalMove.__init__ = note  # type: ignore[method-assign]
    try:
        yield made
    finally:
        IllegalMove.__init__ = before  # type: ignore[method-assign]


def refused(lines: list[str]) -> tuple[str, IllegalMove | None, tuple[str, ...]]:
    """Return the place that refuses the last of these lines, the refusal, and the players by seat;
    empty and None if the line is accepted. A computed code is part of the place, as in
    `*must-beat`."""
    record = Record()
    for line in lines[:-1]:
        record.read(line)
    names = tuple(record.position.seats.values())
    with watched() as made:
        try:
            record.read(lines[-1])
        except IllegalMove as error:
            return made[id(error)].replace(":*:", f":*{error.code}:"), error, names
    return "", None, names


def code_said(row: dict[str, Any]) -> str:
    """Return the code of the sentence for a refused record."""
    _, error, _ = refused(row["lines"])
    assert error is not None, row
    return sentence_code(error)


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def sentences(row: dict[str, Any]) -> dict[str, str]:
    """Return the sentences for a refused record, by language."""
    _, error, names = refused(row["lines"])
    assert error is not None, row
    return {language: moves.refusal(error, names, language) for language in ("en", "ja")}


PACKAGES: Final = frozenset(path.parent.name for path in ROOT.glob("games/*/rules.py"))


def whose(place: str) -> frozenset[str]:
    """Return the games whose refusals have codes from that place's file: one game, the games that
    use a shared engine, or all."""
    folders = place.partition(":")[0].removesuffix(".py").split("/")
    if folders[1] in PACKAGES:
        return frozenset({folders[1]})
    name = re.compile(rf"common(\.{folders[-1]} import|.* import .*\b{folders[-1]}\b)")
    files = ((path.parent.name, path.read_text("utf-8")) for path in ROOT.glob("games/*/*.py"))
    using = {game for game, text in files if name.search(text)} if folders[1] == "common" else set()
    return frozenset(using & PACKAGES or PACKAGES)


def tabled(page: str, written: list[dict[str, Any]]) -> str:
    """Return the page with the codes that refuse lines, one row for the games that have them."""
    games: dict[str, set[str]] = {}
    for row in written:
        _, error, _ = refused(row["lines"])
        assert error is not None, row
        games.setdefault(error.code, set()).update(whose(row["place"]))
    codes: dict[str, list[str]] = {}
    for code in sorted(games):
        where = "any" if games[code] == PACKAGES else ", ".join(sorted(games[code]))
        codes.setdefault(where, []).append(f"`{code}`")
    table = ["| games | codes |", "|---|---|"]
    table += [f"| {where} | {' '.join(some)} |" for where, some in sorted(codes.items())]
    text, count = _TABLE.subn(
        lambda found: found["begin"] + "".join(f"{line}\n" for line in table) + found["end"], page
    )
    assert count == 1, "the page has one place for it"
    return text


def main() -> None:
    ordered = sorted(rows(), key=lambda row: (row["place"], row["lines"]))
    written = [{**row, **sentences(row)} for row in ordered]
    FILE.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in written), "utf-8")
    PAGE.write_text(tabled(PAGE.read_text("utf-8"), written), "utf-8")


if __name__ == "__main__":
    main()
