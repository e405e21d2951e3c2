"""Progress messages for a user waiting at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import click

from boardctl.commands.shared.user_language import say
from boardctl.text import filled

Item = TypeVar("Item")


def progress(items: Sequence[Item], what: str) -> Iterator[Item]:
    """Yield the items one by one. The terminal's last line shows the task and `3 of 40`; `clear`
    removes this line before other output. Nothing is shown if standard error is not a terminal.

    Args:
        items: the items of the work.
        what: the work, as the code of a sentence of kind `command`.
    """
    seen = sys.stderr.isatty()
    for number, item in enumerate(items, 1):
        if seen:
            shown = say(what, number=number, count=len(items))
            click.echo(f"\r\x1b[K{shown}", nl=False, err=True)
        yield item
    clear()


def percent(what: str) -> Callable[[int], None]:
    """Return a function that shows the task and a percentage on the terminal's last line, as
    `progress` does.

    Args:
        what: the work, as the code of a sentence of kind `command`.
    """

    def show(done: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[K{say(what, percent=done)}", nl=False, err=True)

    return show


def clear() -> None:
    """Remove the progress line before something is printed."""
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)


def aligned(cells: Sequence[str], widths: Sequence[int], left: int = 0) -> str:
    """Return a row of a table, with each cell padded to its width.

    Args:
        cells: their words; a wide letter takes two columns.
        widths: of each, in columns.
        left: the number of left-aligned cells; the others are right-aligned.
    """
    row = enumerate(zip(cells, widths, strict=True))
    return "".join(filled(*cell, right=place >= left) for place, cell in row).rstrip()


def is_shown() -> bool:
    """Return whether standard output is a terminal, on which binary data would be unreadable."""
    return sys.stdout.isatty()
