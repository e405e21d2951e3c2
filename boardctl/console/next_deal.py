"""The prompts of a table where only points are entered: they never tell that a deal is over."""

from __future__ import annotations

from boardctl.games import Ask, IllegalMove, Move, Prompt
from boardctl.record.position import step
from boardctl.record.record import Record


def with_next_deal(record: Record) -> Prompt:
    """The game's prompts, with the next deal once points were entered in this one. It is the first
    of them, unless points or bids are asked for."""
    position = record.position
    prompt = position.prompt
    pegged = any(line.move.verb == "peg" for line in record.deal)
    if not pegged or any(ask.move.verb == "deal" for ask in prompt.asks):
        return prompt
    try:
        step(position, Move("deal"))
    except IllegalMove:
        return prompt
    due = [ask for ask in prompt.asks if ask.telling == "points"]
    rest = [ask for ask in prompt.asks if ask.telling != "points"]
    return prompt._replace(asks=(*due, Ask("next-deal", "confirm", Move("deal")), *rest))
