"""A message without words: a code with fields, which `boardctl.text` puts into words in a
language."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

Fields = Mapping[str, Any]
"""The values in a sentence, or of a game's situation, by name."""
NOTHING: Final[Fields] = MappingProxyType({})


class Message(NamedTuple):
    """A sentence or phrase that `text.say` puts into words."""

    kind: str
    """The kind of the sentence: `refusal`, `ask`, `failure` …"""
    code: str
    """The code within its kind, stable: lower case with hyphens."""
    fields: Fields = NOTHING
    """The values in the message, which may be messages themselves."""
