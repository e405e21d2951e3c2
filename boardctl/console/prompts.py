"""The prompts of a table: those of its game, and what follows a deal or a game."""

from __future__ import annotations

from boardctl.games import Ask, IllegalMove, Move, Prompt
from boardctl.record.position import Position, step
from boardctl.record.record import Record


def with_next_deal(record: Record) -> Prompt:
    """The prompts where only points are entered, which never tell that a deal is over: the next
    deal too once points were entered in this one. It is the first of them, unless points or bids
    are asked for."""
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


def with_next_game(position: Position, match: int | None, evening: str) -> Prompt:
    """The prompts of a game that is over, with the next one.

    Args:
        match: the games that win a match, None if none is played.
        evening: the name of the next evening, which follows a match.
    """
    assert position.game is not None
    again = Ask("game", "confirm", Move("game", name=position.game.name))
    most = max(position.tally.won, default=0)
    if match is not None and most >= match:
        winner = position.seats.get(position.tally.won.index(most) + 1, "")
        fields = {"winner": winner, "games": most}
        again = Ask("match", "confirm", Move("session", name=evening), fields=fields)
    return Prompt((again, *position.prompt.asks))
