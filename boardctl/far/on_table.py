"""A game with another house at this board's table, and games of other houses that the board
watches.

The table writes lines to its journal as always. Its gate refuses lines that this house may not
enter.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any, Final

from boardctl import games, text
from boardctl.far.contacts import Contacts
from boardctl.far.game import FarGame
from boardctl.far.limits import SLICE
from boardctl.far.peers import House, Onlooker
from boardctl.features import Board
from boardctl.games import Game, IllegalMove, Kind, Move
from boardctl.message import Message
from boardctl.record import notation, visibility
from boardctl.record.position import close
from boardctl.table import Receipt

_log: Final = logging.getLogger(__name__)
FAR: Final = "far"
"""The submitter's name on lines that both houses have agreed on."""
PAUSE: Final = 0.05
"""Seconds between two parts of a watched game, so that keys and lights are served first."""
BEGINNING: Final = 40
"""The maximum number of lines that begin a game."""


class FarTable:
    """The game with another house on this board's table.

    Args:
        known: the other houses.
        board: the board whose table is used.
        happened: called after a change that must be written and shown.
        play: starts to play with a house, given its number.
    """

    def __init__(
        self,
        known: Contacts,
        board: Board,
        happened: Callable[[], None],
        play: Callable[[int], None],
    ) -> None:
        self.contacts = known
        self._board, self._happened, self._play = board, happened, play
        self._queue: deque[Move] = deque()
        """Lines of the active house's game that are not yet on the table."""
        self._is_placing = False
        """Whether those lines are the whole game, which has just been put on the table."""
        self._is_applying = False
        """Whether agreed lines are being submitted now."""
        self._next: asyncio.Handle | None = None
        """The timer that submits the next lines, in a later turn of the event loop."""
        self._unobserve = board.table.accepted.connect(self._observed)

    def close(self) -> None:
        """Stop without changing the table."""
        if self._next is not None:
            self._next.cancel()
        self._unobserve()

    def leave(self) -> None:
        """Take the game off the table. Its lines remain on the table until another game or command
        begins, and the game can be continued later."""
        self._take_back()
        self.contacts.set_aside = self.contacts.active if self.contacts.is_on else None
        self.contacts.active = None
        self._queue.clear()
        self._board.controller.ask_as_chosen()
        self._happened()

    def _take_back(self) -> None:
        """Take a claim (muggins) off the table if the claim's deal has not been opened and the
        claim would win as soon as another game begins. The game on the table remains unfinished.
        The claim remains in the session's game."""
        house, table = self.contacts.active, self._board.table
        game = None if house is None else house.session.game
        if game is None or game.deal is None or table.position.over:
            return
        there = [notation.spell(move) for move in table.record.moves]
        if there != [line.text for line in game.in_effect]:
            return  # another game is on the table
        was = self._is_applying
        self._is_applying = True
        try:
            while close(table.position).state.over and table.record.moves:
                table.submit(Move("undo"), FAR)
        finally:
            self._is_applying = was

    def check_free(self) -> None:
        if self.contacts.is_on:
            raise IllegalMove("far-busy")

    def authorize(self, moves: Sequence[Move], by: str, seat: int | None) -> None:
        """Refuse a line that this house may not enter, by raising IllegalMove. The error does not
        reveal secrets to a seat, although this board's referee knows the hands of both partners."""
        house = self.contacts.active
        if by != FAR and self.contacts.watched is not None and self.contacts.watched.shown_game:
            if moves[0].verb != "session":
                raise IllegalMove("far-looking", name=self.contacts.watched.feed.name)
            self.contacts.watched = None
            self._happened()
            return
        if by == FAR:
            if moves[0].verb == "session":
                self._take_back()
            return
        if house is None or not house.session.is_playing:
            self._play_on(house, moves)
            if _begins_another(moves[0]):
                self._take_back()
            return
        game = house.session.game
        assert game is not None
        if moves[0].verb == "session":
            self.leave()  # another evening: the game stays available in the list of houses
            return
        self._check_in_match(moves, game)
        try:
            game.check(moves[0], seat)
            self._withhold(house, moves[0])
        except IllegalMove as error:
            if error.code.startswith("far-"):
                raise
            table = self._board.table
            known = table.visible_to(seat).record
            raise visibility.refusal(known, table.record, moves, error) from error
        finally:
            self.follow(house)

    def _withhold(self, house: House, move: Move) -> None:
        """If a line ends the game, send it only to the other house, and raise IllegalMove. `_apply`
        enters the line on the table once the deal has been opened. Until then, the line does not
        count."""
        game = house.session.game
        if game is not None and game.record.try_out(move).state.over:
            game.commit(move)
            raise IllegalMove("far-opens", name=house.session.name)

    def _playing_these(self, moves: Sequence[Move]) -> House | None:
        """Return the house in whose unfinished game a hand in these lines was dealt."""
        spelled = set(map(notation.spell, moves))
        going = (one for one in self.contacts.houses if one.session.is_playing)
        return next((one for one in going if spelled & _hands(one)), None)

    def _check_in_match(self, moves: Sequence[Move], game: FarGame) -> None:
        """Check that lines may be entered in a game with the other house.

        Raises:
            IllegalMove: `far-waits`, `far-busy`, `hints-match`, `far-cards`.
        """
        if self._queue:
            raise IllegalMove("far-waits")
        if moves[0].kind is Kind.SETUP:
            raise IllegalMove("far-busy")
        if moves[0].verb == "hint":  # both houses store the same lines
            raise IllegalMove("hints-match")
        if len(moves) != 1:
            raise IllegalMove("far-cards")
        if game.unapplied:
            raise IllegalMove("far-waits")

    def _play_on(self, over: House | None, moves: Sequence[Move]) -> None:
        """If the lines would start a rematch or resume an unfinished game with another house, start
        or resume that game instead, and refuse the lines.

        Raises:
            IllegalMove: `far-again`, `far-begins` or `far-goes-on`, which report what happens
                instead. As long as the lines of a game that was set aside are on the table, any
                other line is refused in the same way.
        """
        game = None if over is None else over.session.game
        code, house = "", over
        if self.contacts.set_aside is not None and not _begins_another(moves[0]):
            code, house = "far-goes-on", self.contacts.set_aside
        elif over is not None and game is not None and game.is_done and not over.session.has_left:
            if list(moves) == [Move("game", name=game.proposal.game)]:
                code = "far-begins" if over.wants else "far-again"
        elif moves[0].verb == "game" and len(moves) > 1:
            code, house = "far-goes-on", self._playing_these(moves)
        if code and house is not None:
            asyncio.get_running_loop().call_soon(self._play, self.contacts.houses.index(house))
            raise IllegalMove(code, name=house.session.name)

    def _observed(self, receipt: Receipt) -> None:
        """Send an accepted line to the other house if the line is ours."""
        house = self.contacts.active
        if self._is_applying:
            return
        if _begins_another(receipt.report.move):
            self.contacts.set_aside = None
        if house is None:
            return
        if not house.session.is_playing:
            if _begins_another(receipt.report.move):
                self.leave()  # another game is on the table
            return
        game = house.session.game
        assert game is not None
        game.commit(receipt.report.move)
        del game.unapplied[0]
        asyncio.get_running_loop().call_soon(self.follow, house)

    def follow(self, house: House) -> None:
        """Update the table, the disk and the page."""
        session = house.session
        session.flush()
        if house is self.contacts.active and not self._is_applying:
            self._apply(house)
        self._happened()

    def _apply(self, house: House) -> None:
        """Enter on the table the lines that both houses have agreed on, and a stored move."""
        game = house.session.game
        if game is None:
            return
        count = max(0, len(game.unapplied) - game.is_withheld)
        for line in game.unapplied[:count]:
            self._queue.append(notation.parse_move(line.text, game.position.game))
        del game.unapplied[:count]
        if self._next is None:
            self._say(house)

    def _say(self, house: House) -> None:
        """Enter the next waiting lines, a limited number per iteration of the event loop, and then
        a stored move."""
        self._next = None
        if house is not self.contacts.active or self._is_applying:
            return
        game, table = house.session.game, self._board.table
        assert game is not None
        lines = [self._queue.popleft() for _ in range(min(SLICE, len(self._queue)))]
        self._is_applying = True
        try:
            for line in lines:
                table.submit(line, FAR)
        except IllegalMove as error:
            _log.error("the table refuses a line of the other house: %s", error.code)
            self._is_applying = False
            if not self._is_placing:
                self.put_on(house)
                return
            self.contacts.active = None
            self._queue.clear()
        finally:
            self._is_applying = False
        if self._queue:
            self._next = asyncio.get_running_loop().call_soon(self._say, house)
            return
        self._is_placing = False
        if self.contacts.active is house and (move := game.ready()) is not None:
            with suppress(IllegalMove):
                table.submit(move, "page")

    def put_on(self, house: House) -> None:
        """Begin an evening with the game. Its first lines are entered now, and the other lines in
        later iterations of the event loop."""
        game, table = house.session.game, self._board.table
        assert game is not None
        self._take_back()
        self.contacts.active, self.contacts.set_aside, self.contacts.watched, house.waits = (
            house,
            None,
            None,
            False,
        )
        language = self._board.controller.language
        title = text.say(
            Message("far", "evening", {"name": house.session.name}), text.Reader(language)
        )
        count = len(game.lines) - game.is_withheld
        lines = [notation.parse_move(one.text, game.position.game) for one in game.lines[:count]]
        game.unapplied[:] = game.lines[count:]
        self._queue = deque(lines[game.beginning :])
        self._is_placing = True
        self._is_applying = True
        try:
            head = lines[: game.beginning]
            table.submit_all([Move("session", name=title), *head], FAR)
        except IllegalMove as error:
            _log.error("the game with the other house cannot be put on the table: %s", error.code)
            self.contacts.active = None
            self._queue.clear()
        finally:
            self._is_applying = False
        self._board.controller.ask_for_every_card()
        if self._next is not None:
            self._next.cancel()
        self._say(house)

    def show_watched(self, peer: Onlooker) -> None:
        if peer is self.contacts.watched:
            if peer.feed.is_over:
                self.contacts.watched = None
            else:
                self._show(peer)
        self._happened()

    def _show(self, peer: Onlooker) -> None:
        """Enter the lines newly shown to an onlooker on the table: some now, the others in later
        iterations of the event loop."""
        if self._next is None:
            self._show_some(peer)

    def _show_some(self, peer: Onlooker) -> None:
        """Enter some of the lines shown to an onlooker."""
        self._next = None
        feed, table = peer.feed, self._board.table
        if peer is not self.contacts.watched or not feed.lines:
            return
        is_begun = peer.shown_game == feed.game
        start = peer.lines_shown if is_begun else 0
        count = SLICE if is_begun else max(SLICE, _beginning(feed.lines))
        lines = feed.lines[start : start + count]
        if not lines:
            return
        try:
            moves = _moves(lines, table.record.position.game if is_begun else None)
            later = moves if is_begun else moves[1:]
            is_new = is_begun or moves[0].verb == "game"
            if not is_new or any(map(_never, later)):
                raise IllegalMove("not-in-this-game")  # noqa: TRY301 - as the table refuses a line
            if not is_begun:
                language = self._board.controller.language
                title = text.say(
                    Message("far", "looking", {"name": feed.name}), text.Reader(language)
                )
                table.submit_all([Move("session", name=title), *moves], FAR)
            else:
                for move in moves:
                    table.submit(move, FAR)
        except IllegalMove as error:
            _log.error("the game of another house cannot be shown: %s", error.code)
            self.contacts.watched = None
            return
        peer.lines_shown, peer.shown_game = start + len(lines), feed.game
        # Messages that arrive in the meantime wait too, because several may arrive in one turn.
        self._next = asyncio.get_running_loop().call_later(PAUSE, self._show_some, peer)

    def begun(self, house: House) -> None:
        """Put a new game on the table. If people are playing another game there, the new game waits
        until they agree."""
        if self.contacts.active is not house and (
            self.contacts.is_on or self._board.table.position.begun
        ):
            house.waits = True
        else:
            self.put_on(house)

    def resync(self) -> None:
        """Compare the journal and the game after the program starts, because they may differ in the
        last line."""
        there = [notation.spell(move) for move in self._board.table.record.moves]
        if self.contacts.watched is not None:
            feed = self.contacts.watched.feed
            if there and there == feed.lines[: len(there)]:
                self.contacts.watched.lines_shown, self.contacts.watched.shown_game = (
                    len(there),
                    feed.game,
                )
            self._show(self.contacts.watched)
        house = self.contacts.active
        if house is None or house.session.game is None:
            return
        game, table = house.session.game, self._board.table
        ours = [line.text for line in game.in_effect]
        if game.is_withheld:
            game.unapplied[:] = game.lines[-1:]
            ours.pop()
        if there == ours:
            return
        if not house.session.is_playing:
            self.contacts.active = None  # another game is on the table
            return
        moves = table.record.moves
        if there[:-1] == ours:
            self._is_applying = True
            try:
                game.check(moves[-1], moves[-1].seat)
                game.commit(moves[-1])
                del game.unapplied[0]
            except IllegalMove:
                self.put_on(house)
            finally:
                self._is_applying = False
            self.follow(house)
        else:
            self.put_on(house)


def _hands(house: House) -> set[str]:
    """Return the lines with the hands dealt to this house in its game. They identify the game."""
    game = house.session.game
    lines = () if game is None else game.lines
    return {line.text for line in lines if " hand " in line.text and "?" not in line.text}


def _begins_another(move: Move) -> bool:
    """Return whether a line begins another game or evening."""
    return move.kind is Kind.SESSION or move.verb == "game"


def _never(move: Move) -> bool:
    """Return whether a line can never follow the first lines of a game between two houses."""
    return _begins_another(move) or move.kind in (Kind.CORRECTION, Kind.HINT)


def _beginning(lines: Sequence[str]) -> int:
    """Return the number of lines that begin a game. These lines are entered together, because
    partners fit on two tracks only when all four players are seated."""
    verbs = (line.split(maxsplit=1)[0] for line in lines[:BEGINNING] if line)
    return sum(1 for _ in takewhile(("game", "seat", "set", "dealer").__contains__, verbs))


def _moves(lines: Iterable[str], game: Game[Any] | None) -> list[Move]:
    """Return these lines as moves, and the game before them. Raises IllegalMove if a line is
    invalid."""
    moves = list[Move]()
    for line in lines:
        moves.append(notation.parse_move(line, game))
        if moves[-1].verb == "game":
            game = games.find(moves[-1].name or "")
    return moves
