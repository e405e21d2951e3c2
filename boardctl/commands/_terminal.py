"""How much of a long work is done, shown while somebody waits for it at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import click

Item = TypeVar("Item")


def progress(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items one by one, with `WHAT 3 of 40` on the terminal's last line while each is worked
    on; `clear` takes the line away before anything is printed. Where the standard error is not a
    terminal nothing is shown.

    Args:
        items: what the work goes through.
        what: the work, in a few words.
    """
    seen = sys.stderr.isatty()
    for number, item in enumerate(items, 1):
        if seen:
            click.echo(f"\r\x1b[K{what} {number} of {len(items)}", nl=False, err=True)
        yield item
    clear()


def percent(what: str) -> Callable[[int], None]:
    """A function that shows `WHAT 40 %` on the terminal's last line, as `progress` does.

    Args:
        what: the work, in a few words.
    """

    def show(done: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[K{what} {done} %", nl=False, err=True)

    return show


def clear() -> None:
    """Take the line away before something is printed."""
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
