"""Help in the user's language: copies of the commands with texts from the catalogue."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from copy import copy
from gettext import gettext
from typing import Final

import click

from boardctl.text import catalogue, columns, wrapped

_RAW: Final = "\b"
"""The first line of a paragraph whose line breaks are kept."""
_MOST: Final = 30
"""The maximum width of a definition list's first column."""


class Formatter(click.HelpFormatter):
    """Help text wrapped by display columns. A wide character takes two columns, and a line may
    break before such a character."""

    def write_heading(self, heading: str) -> None:
        """Write a heading followed by the kind of colon that its language uses."""
        shown = gettext("{heading}:").format(heading=heading)
        self.write(f"{'':>{self.current_indent}}{shown}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        width = max(self.width - self.current_indent, 11)
        super().write_text("\n\n".join(_broken(part, width) for part in text.split("\n\n")))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _MOST, col_spacing: int = 2
    ) -> None:
        """Write terms and their explanations in two columns."""
        rows = tuple(rows)
        first = min(max(columns(term) for term, _ in rows), col_max) + col_spacing
        width = max(self.width - first - self.current_indent, 10)
        for term, explained in rows:
            indent = " " * self.current_indent
            lines = list(wrapped(explained, width)) or [""]
            if columns(term) <= first - col_spacing:
                gap = " " * (first - columns(term))
                self.write(f"{indent}{term}{gap}{lines.pop(0)}".rstrip() + "\n")
            else:
                self.write(f"{indent}{term}\n")
            for line in lines:
                self.write(f"{indent}{' ' * first}{line}".rstrip() + "\n")


class Context(click.Context):
    """A context with help written by `Formatter`."""

    formatter_class = Formatter


def _broken(paragraph: str, width: int) -> str:
    if paragraph.startswith(_RAW):
        return paragraph
    return "\n".join((_RAW, *wrapped(paragraph, width)))


def paragraphs(words: str | None) -> Iterator[str]:
    """Return the translatable texts of a command's help, each on one line. These are its paragraphs
    and the headings of its examples."""
    for part in inspect.cleandoc(words or "").split("\n\n"):
        if part.startswith(_RAW):
            yield part.split("\n")[1]
        elif part:
            yield " ".join(part.split())


def translated(command: click.Command, language: str) -> click.Command:
    """Return a copy of a command and its subcommands, with help in the given language.

    Args:
        command: the command with help in English.
        language: one of `LANGUAGES`.
    """
    say = catalogue(language).gettext
    copied = copy(command)
    copied.context_class = Context
    parts = []
    for part in inspect.cleandoc(command.help or "").split("\n\n"):
        (heading,) = paragraphs(part) if part else ("",)
        if part.startswith(_RAW):
            _, _, *examples = part.split("\n")
            parts.append("\n".join((_RAW, say(heading), *examples)))
        elif part:
            parts.append(say(heading))
    copied.help = "\n\n".join(parts)
    if parts and language != "en":
        copied.short_help = re.split(r"(?<=。)|(?<=：)", parts[0])[0].rstrip("。：")
    copied.params = [_option(one, language) for one in command.params]
    if isinstance(copied, click.Group):
        copied.commands = {
            name: translated(inner, language) for name, inner in copied.commands.items()
        }
    return copied


def _option(param: click.Parameter, language: str) -> click.Parameter:
    """Return a copy of an option, with help in the given language."""
    say = catalogue(language).gettext
    copied = copy(param)
    if isinstance(copied, click.Option):
        if copied.help:
            copied.help = say(copied.help)
        if isinstance(copied.show_default, str):
            copied.show_default = say(copied.show_default)
        if copied.prompt:
            copied.prompt = say(copied.prompt)
    return copied


def texts(command: click.Command) -> Iterator[str]:
    """Return all translatable texts in the help of a command and its subcommands."""
    yield from paragraphs(command.help)
    for param in command.params:
        if isinstance(param, click.Option):
            given = (param.help, param.show_default, param.prompt)
            yield from (words for words in given if isinstance(words, str) and words)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from texts(inner)
