"""Render the hub's pages from their templates (`templates/`). Every value in a template is escaped.
Only `Markup` is inserted unchanged."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from boardctl import text

FOLDER: Final = Path(__file__).with_name("templates")

Words = Callable[..., str]

words: Final[Callable[[str], Words]] = partial(text.saying, "club")
"""A function that returns the club's sentences in a language: `words("en")("round", round=3)`."""


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        auto_reload=False,
    )


def render(template: str, language: str, **values: Any) -> str:
    """Render a complete page.

    Args:
        template: a file in `templates/`.
        language: the language of the page and of its `words`.
        values: the values of the template's variables. `title` is always required.

    Raises:
        jinja2.UndefinedError: if the template uses a variable without a value.
    """
    usual: dict[str, Any] = {"refresh": None, "sentence": "", "role": ""}
    given = {"language": language, "words": words(language), **values}
    return _templates().get_template(template).render(usual | given)


def link(path: str, shown: object) -> Markup:
    """Return a link to another page of the hub."""
    return Markup('<a href="{}">{}</a>').format(path, shown)
