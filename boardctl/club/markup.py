"""HTML building blocks of the hub's pages: document, table, wide content. Pure.

All text is escaped here.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from html import escape


class Markup(str):
    """HTML to insert as it is; every other value is escaped text."""

    __slots__ = ()


def link(path: str, words: object) -> Markup:
    return Markup(f'<a href="{escape(path)}">{escape(str(words))}</a>')


def document(title: str, body: str, language: str, refresh: int | None = None) -> str:
    """A whole page; with `refresh`, browsers reload it after that many seconds."""
    again = f'<meta http-equiv="refresh" content="{refresh}">' if refresh else ""
    return (
        f'<!doctype html><html lang="{escape(language)}"><head><meta charset="utf-8">{again}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/style.css"></head>'
        f"<body><main><h1>{escape(title)}</h1>{body}</main></body></html>"
    )


def table(
    head: Sequence[str], rows: Sequence[Sequence[object]], figures: Container[int] = ()
) -> str:
    """`figures` are the columns that hold numbers."""
    kinds = [' class="figure"' if place in figures else "" for place in range(len(head))]

    def line(tag: str, values: Sequence[object], more: str = "") -> str:
        cells = zip(kinds, values, strict=True)
        return "".join(f"<{tag}{more}{kind}>{_cell(v)}</{tag}>" for kind, v in cells)

    header = line("th", head, ' scope="col"')
    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return wide(f"<table><thead><tr>{header}</tr></thead><tbody>{body}</tbody></table>")


def wide(content: str) -> str:
    """Wrap content wider than a phone in a container that scrolls sideways, also by keyboard."""
    return f'<div class="wide" tabindex="0">{content}</div>'


def _cell(value: object) -> str:
    return value if isinstance(value, Markup) else escape(str(value))
