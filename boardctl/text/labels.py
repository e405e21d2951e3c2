"""Texts for the key labels, in addition to ranks and suits."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "label.seat": "player {number}",
    "label.yes": "peg, yes",
    "label.no": "back, no",
    "label.go": "go",
    "label.hold-menu": "hold: menu",
    "label.hold-redo": "hold: redo",
    "label.hold-muggins": "hold: muggins",
    "label.hold-again": "hold: hear again",
    "label.hold-score": "hold: hear score",
    "label.hold-choices": "hold: hear keys",
    "label.hold-before": "hold: earlier",
    "label.hold-last": "hold: last move",
    "label.hold-turn": "hold: whose turn",
    "label.hold-cards": "hold: cards out",
    "label.hold-moves": "hold: five moves",
}
