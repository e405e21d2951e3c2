"""The names of players, and the spellings that count as the same name."""

from __future__ import annotations

from typing import Final

INVISIBLE: Final = "[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
"""The characters that a name must not contain. Control characters and marks of the writing
direction change how a terminal or a page shows the text after them. UTF-8 cannot express lone
surrogates."""


def spelled(name: str) -> str:
    """Return a name with composed letters and single spaces between words.

    Some keyboards and file systems encode "Zoë" as three characters, others as four.
    """
    if not name.isascii():
        from unicodedata import normalize  # 0.4 MB that most boards never need

        name = normalize("NFC", name)
    return " ".join(name.split())


def name_key(name: str) -> str:
    """Return a string that is equal for every spelling of a name."""
    return spelled(name).casefold()
