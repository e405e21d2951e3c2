"""Sentences for Costly Colours, in addition to those for cribbage."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.mog-first": "The play begins only after both players have swapped a card (the mog) "
    "or one of them has refused.",
    "refusal.mogged-already": "The swap of a card (the mog) has already been settled in this deal.",
    "ask.mog": "{seat} swaps?",
    "verb.no-mog": "no swap",
    "award.refusal": "swap refused",
    "award.mog": "card given",
    "award.thirty": "thirty",
    "award.go": "go",
    "award.jack": "jack",
    "award.deuce": "deuce",
    "award.colours": "colours",
    "option.colour_four": "Four of a colour",
    "option.go_point": "A point for a go",
    "option.jd_pairs": "Jacks and deuces also pair",
    "option.last_at_31": "Last card also scores at thirty-one",
    "option.mog_value": "Points for a jack or deuce given away",
    "option.pairs": "Two, three or four of a rank",
    "option.play_pairs": "Pairs in the play",
    "option.play_scores": "What scores in the play",
    "option.series": "After thirty-one or a go",
    "option.thirty": "Thirty scores in the play",
    "value.colour_four-full": "scores 4 or 5",
    "value.colour_four-none": "scores nothing",
    "value.pairs-6_12": "2, 6, 12",
    "value.pairs-9_18": "2, 9, 18",
    "value.play_scores-full": "points and runs",
    "value.play_scores-points": "points only",
    "value.series-one": "the play is over",
    "value.series-several": "the remaining cards are played",
}
