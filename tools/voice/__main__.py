"""Measure how the board hears everyday speech: `python -m tools.voice --help`."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from tools.voice import evaluate
from tools.voice.evaluate import Row, interval, outcome

PAGE: Final = Path(__file__).parents[2] / "docs" / "notes" / "voice.md"
_PLACES: Final = {"test": "everyday", "fresh": "fresh"}
"""The part of docs/notes/voice.md for each part of the phrases."""
_KINDS: Final = {
    "own": "the board's own phrases",
    "everyday": "everyday phrases",
    "aside": "speech not meant for the board",
}
_OUTCOMES: Final = ("right", "offered", "astray", "rejected", "answered", "wrong")


def read(paths: Iterable[Path]) -> list[Row]:
    """Read stored rows."""
    rows = []
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            row[3], row[6] = tuple(row[3]), tuple(tuple(one) for one in row[6])
            row[9:] = [one and evaluate.remade(one) for one in row[9:]]
            rows.append(Row(*row))
    return rows


def share(part: int, whole: int) -> str:
    """Return a share with its interval."""
    least, most = (100 * one for one in interval(part, whole))
    return f"{100 * part / max(1, whole):.1f} % ({least:.1f} to {most:.1f})"


def table(rows: Sequence[Row], beside: Sequence[Row] = ()) -> str:
    """Return a table of the outcomes by kind. An older version's outcomes are below those of this
    version."""
    lines = [f"| phrases | number | {' | '.join(_OUTCOMES)} |", "|---" * (2 + len(_OUTCOMES)) + "|"]
    for kind, named in _KINDS.items():
        for some, which in ((beside, ", before"), (rows, ", now" if beside else "")):
            found = Counter(outcome(one) for one in some if one.kind == kind)
            if number := found.total():
                cells = " | ".join(share(found[one], number) for one in _OUTCOMES)
                lines.append(f"| {named}{which} | {number} | {cells} |")
    return "\n".join(lines)


def print_texts(part: str) -> None:
    """Print the outcomes that a part's phrases would have if both recognisers wrote them without
    mistakes."""
    found = Counter[str]()
    for phrase in evaluate.texts(part):
        became = evaluate.text_outcome(phrase)
        found[f"{_KINDS[phrase.kind]}: {became}"] += 1
        if became not in ("right", "offered", "rejected" * (phrase.kind == "aside")):
            print(became, phrase.situation, repr(phrase.text))
    for what, number in sorted(found.items()):
        print(number, what)


def main() -> None:
    """Hear phrases, and print or write the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.voice", description=__doc__)
    parser.add_argument("--part", choices=("tune", "test", "fresh", "wider"), default="test")
    parser.add_argument("--texts", action="store_true", help="read the texts; hear nothing")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long")
    parser.add_argument("--rows", type=Path, help="a file for the rows, which a later run goes on")
    parser.add_argument("--python", default=sys.executable, help="has piper, hibari, pico voices")
    parser.add_argument("--older", type=Path, help="a checkout of an older version, which hears")
    parser.add_argument("--beside", type=Path, help="rows of an older version, for the table")
    parser.add_argument("--only-table", action="store_true", help="hear nothing more")
    parser.add_argument("--misses", action="store_true", help="list what was not right")
    parser.add_argument("--write", action="store_true", help="write docs/notes/voice.md")
    given = parser.parse_args()
    if given.texts:
        print_texts(given.part)
        return
    rows = read([given.rows]) if given.rows and given.rows.exists() else []
    times = {"own": 90, "everyday": 2, "aside": 3}
    if given.part == "fresh":
        times = {"own": 0, "everyday": 2, "aside": 2}
    planned = list(evaluate.plan(given.part, given.seed, times))
    if not given.only_table:
        end = time.monotonic() + given.seconds
        with ExitStack() as stack:
            speakers = stack.enter_context(evaluate.Speakers(given.python))
            left = planned[len(rows) :]
            missing = {voice for _, voice, *_ in left if not speakers.has(voice)}
            if missing:
                sys.exit(f"{', '.join(sorted(missing))}: see tools/voice/say.py for the packages")
            heard = evaluate.hear(speakers, left)
            if given.older:
                older = stack.enter_context(evaluate.Older(given.older))
                heard = evaluate.hear_older(speakers, left, older)
            for row in heard:
                rows.append(row)
                if given.rows:
                    with given.rows.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
                if time.monotonic() > end:
                    break
    if given.misses:
        for one in rows:
            if (became := outcome(one)) not in ("right", "rejected" * (one.kind == "aside")):
                print(became, one.voice, one.sound, repr(one.text), one.guesses[:3])
    voices = sorted({one.voice for one in rows})
    head = (
        f"{len(rows)} of the {len(planned)} phrases of the part `{given.part}` "
        f"(seed {given.seed}), spoken by {', '.join(voices)}. The noise is 20 dB below "
        "the phrase, and every second phrase has the echo of a room"
    )
    if any(one.kind == "own" for one in rows):
        head += "; a third of the board's own phrases have no noise"
    beside = read([given.beside]) if given.beside else []
    known = {one[:6] for one in rows}
    text = f"{head}. Shares have 95 % Wilson intervals:\n\n" + table(
        rows, [one for one in beside if one[:6] in known]
    )
    print(text)
    if given.write:
        place = _PLACES[given.part]
        page, count = re.subn(
            rf"(<!-- {place}: .*-->\n).*(\n<!-- end of {place} -->)",
            lambda found: f"{found[1]}\n{text}\n{found[2]}",
            PAGE.read_text("utf-8"),
            flags=re.DOTALL,
        )
        if count != 1:
            sys.exit(f"the page has no place between `<!-- {place}: … -->` and its end")
        PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
