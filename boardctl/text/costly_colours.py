"""Sentences of Costly Colours, in addition to those of cribbage."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.mog-first": "The play begins only after both have mogged or one has refused.",
    "refusal.mogged-already": "The mog of this deal is already settled.",
    "ask.mog": "{seat} mogs?",
    "verb.no-mog": "no mog",
    "award.refusal": "mog refused",
    "award.mog": "mogged",
    "award.thirty": "thirty",
    "award.go": "go",
    "award.jack": "jack",
    "award.deuce": "deuce",
    "award.colours": "colours",
}
