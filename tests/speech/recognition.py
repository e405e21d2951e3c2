"""The figures of recognition in docs/notes/voice.md, from the rows of `test_recognition.py` in the
log.

They are written with each such row, like the summary in docs/long-run.md (`tests/report.py`). A
figure is five numbers: phrases right at once, asked back, asked back without the right choice, not
understood, silently wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

PAGE: Final = Path(__file__).parents[2] / "docs" / "notes" / "voice.md"
TEST: Final = "tests/speech/test_recognition.py::test_phrases_by_synthetic_voices"
_PLACE: Final = re.compile(
    r"(?P<begin><!-- recognition: .*-->\n).*(?P<end>\n<!-- end of recognition -->)", re.DOTALL
)
_FIGURE: Final = re.compile(r"\d+( \d+){4}")
_WORDS: Final = ("right at once", "asked back", "asked without it", "not understood", "wrong")

Figures = Mapping[str, Sequence[int]]


def _figures(row: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    return {
        name: tuple(map(int, value.split()))
        for name, value in row["figures"].items()
        if _FIGURE.fullmatch(value)
    }


def _together(figures: Iterable[Sequence[int]]) -> list[int]:
    return [sum(column) for column in zip(*figures, strict=True)]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def _shares(figures: Sequence[int]) -> str:
    return " | ".join(_share(part, sum(figures)) for part in figures)


def _sounds(by_sound: Mapping[str, Figures]) -> list[str]:
    """Return the shares in each sound, by both recognisers with the referee's knowledge."""
    table = [f"| in the sound | {' | '.join(_WORDS)} |", "|---" * (1 + len(_WORDS)) + "|"]
    every = _together(figures["knowing"] for figures in by_sound.values())
    for sound, figures in (*by_sound.items(), ("**all**", {"knowing": every})):
        table.append(f"| {sound} | {_shares(figures['knowing'])} |")
    return table


def tables(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the table of a log's rows, and one paragraph about them. Only passed tests are
    included, because a failed one does not have all its figures."""
    passed = (row for row in rows if row["result"] == "passed")
    found = [row for row in passed if str(row["test"]).startswith(f"{TEST}[")]
    if not found:
        return "Not measured."
    by_sound = {str(row["test"])[len(TEST) + 1 : -1]: _figures(row) for row in found}
    every = _together(figures["knowing"] for figures in by_sound.values())
    right, *_, nothing, wrong = every
    took, judging = (
        [int(row["figures"][name]) for row in found] for name in ("milliseconds", "judging")
    )
    each = {row["figures"]["phrases"] for row in found}
    seeds = {row["figures"]["seed"] for row in found}
    dates = {row["date"] for row in found}
    sentence = (
        f"Of {sum(every):,} phrases ({' or '.join(sorted(each))} in each sound; seed "
        f"{', '.join(sorted(seeds))}; {', '.join(sorted(dates))}), {_share(right, sum(every))} "
        f"were right at once, {_share(sum(every) - nothing - wrong, sum(every))} right or asked "
        f"back, and {wrong} wrong ({_share(wrong, sum(every))}). The first recogniser took "
        f"{min(took)} to {max(took)} ms of CPU time per phrase on the machine of the log; "
        f"the second added {min(judging)} to {max(judging)} ms."
    )
    return "\n".join([sentence, "", *_sounds(by_sound)])


def written(page: str, rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the page with its figures computed from the rows of a log.

    Raises:
        ValueError: if the page has no place for them.
    """
    text, count = _PLACE.subn(
        lambda found: f"{found['begin']}\n{tables(rows)}\n{found['end']}", page
    )
    if count != 1:
        raise ValueError("the page has no place between `<!-- recognition: … -->` and its end")
    return text
