"""Sentences of Noddy, in addition to those of cribbage."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.show-first": "{seat}’s hand is called before anybody plays.",
    "award.noddy": "noddy",
    "award.twenty-five": "twenty-five",
}
