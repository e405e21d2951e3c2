"""An evening: its sequence of games, its end, and the entries offered after a deal or a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future

from boardctl.console import keypad
from boardctl.console.settings import TableSettings
from boardctl.games import Ask, IllegalMove, Move, Prompt
from boardctl.record.position import Position, step
from boardctl.record.record import Line
from boardctl.table import Table


class Evening:
    """The evenings of one table. `today` returns a date, which becomes the name of a new
    evening."""

    def __init__(self, table: Table, settings: TableSettings, today: Callable[[], str]) -> None:
        self._table = table
        self._settings = settings
        self._today = today

    def begin(self) -> None:
        """Start a new evening with the configured game and, if no players are seated, the
        configured players."""
        self._table.submit(Move("session", name=self._today()), "table")
        self._table.submit(Move("game", name=self._settings.game), "table")
        if self._table.position.state is None:
            self._table.submit_all(keypad.seating(self._settings.players), "table")

    def begin_after_match(self) -> bool:
        """Start the first game of an evening if it has no game yet. Return whether a game was
        started."""
        position = self._table.position
        empty = position.game is None and position.session is not None
        if empty:
            self._table.submit(Move("game", name=self._settings.game), "table")
        return empty

    def won(self) -> dict[str, int]:
        """Return the number of games that each player has won."""
        position = self._table.position
        return dict.fromkeys(position.seats.values(), 0) | position.tally.people

    def played(self) -> tuple[str, dict[str, int]]:
        """Return the number of finished games, as the code and fields of a sentence. The sentence
        includes their value if any game counts as more than one, as a skunk does."""
        position = self._table.position
        games = position.tally.games
        counted = sum(sum(outcome.won) for outcome in position.outcomes)
        if counted > games:
            return "evening-counted", {"games": games, "counted": counted}
        return "evening", {"games": games}

    def end(self, saved: Callable[[Future[None]], object]) -> None:
        """End the evening. `saved` is called on the journal's thread once the end is on disk."""
        receipt = self._table.submit(Move("session", words=("end",)), "keypad")
        receipt.saved.add_done_callback(saved)


def with_next_deal(position: Position, deal: Iterable[Line]) -> Prompt:
    """Return the prompt. In points-only entry, it includes the next deal once points have been
    entered. The deal comes first unless points or bids are asked for.

    Args:
        position: the newest position, as one viewer knows it.
        deal: the moves of this deal.
    """
    prompt = position.prompt
    pegged = any(line.move.verb == "peg" for line in deal)
    if not pegged or any(ask.move.verb == "deal" for ask in prompt.asks):
        return prompt
    try:
        step(position, Move("deal"))
    except IllegalMove:
        return prompt
    entries = [ask for ask in prompt.asks if ask.telling == "points"]
    rest = [ask for ask in prompt.asks if ask.telling != "points"]
    return prompt._replace(asks=(*entries, Ask("next-deal", "confirm", Move("deal")), *rest))


def with_next_game(position: Position, match: int | None, evening: str) -> Prompt:
    """Return the prompt of a finished game, with the next game added.

    Args:
        match: the number of games that win a match, or None without a match.
        evening: the name of the evening that follows a match.
    """
    assert position.game is not None
    again = Ask("game", "confirm", Move("game", name=position.game.name))
    most = max(position.tally.won, default=0)
    if match is not None and most >= match:
        winner = position.seats.get(position.tally.won.index(most) + 1, "")
        fields = {"winner": winner, "games": most}
        again = Ask("match", "confirm", Move("session", name=evening), fields=fields)
    return Prompt((again, *position.prompt.asks))
