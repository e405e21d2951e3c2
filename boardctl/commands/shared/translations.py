"""Translations of the command-line library's own words, from our catalogue."""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

DOMAIN: Final = "boardctl"
LOCALE: Final = Path(__file__).parents[2] / "text" / "locale"
"""The catalogues. Importing `boardctl.text` for them would take as long as all of `--version`."""


@contextmanager
def translated() -> Iterator[None]:
    """Translate the library's words with gettext and our catalogue. gettext takes the language from
    the environment, where `user_language.speak` stores it."""
    kept, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if kept is None:
            os.environ.pop("LANGUAGE", None)
        else:
            os.environ["LANGUAGE"] = kept
