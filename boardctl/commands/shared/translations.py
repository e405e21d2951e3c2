"""The words of the command-line library, from our catalogue."""

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
    """Take the library's words from our catalogue by gettext, which finds the language in the
    environment: `user_language.speak` puts it there."""
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
