"""The computer player of a board, at the board's own table.

The player decides in a separate process (`boardctl.bot.worker`), which receives only what its seat
knows. The chosen seat and level are stored in `player.json` in the data directory, so they survive
a restart of the board. A failure of the process does not affect the keys, the LEDs or the journal.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, Final

from boardctl import games, text
from boardctl.bot import CHOICE, GAME, LEVELS, dealing, player_choice, seated
from boardctl.bot.dealing import Dealt
from boardctl.bot.player_choice import PlayerChoice
from boardctl.console.keypad import Command
from boardctl.features import RunningBoard
from boardctl.games import CORRECTIONS, Game, IllegalMove, Kind, Move
from boardctl.games.cards import parse_card, pictured
from boardctl.message import Message
from boardctl.record import notation
from boardctl.record.position import Position
from boardctl.record.sealed import Shuffle
from boardctl.record.visibility import GameLines
from boardctl.storage.child import Child
from boardctl.table import PLAYER, Receipt
from boardctl.text.counting import PHRASES

_log: Final = logging.getLogger(__name__)
PATIENCE: Final = 20.0
"""The time limit for a decision, in seconds. A Raspberry Pi Zero 2 W needs about one second."""
AGAIN: Final = 10.0
"""The delay before a failed process is restarted, in seconds."""
_UNSAYS: Final = (*CORRECTIONS, Kind.DEAL, Kind.SESSION)
"""The kinds of lines after which the player's last words may refer to cards that have left the
table."""


class BoardPlayer:
    """The computer player of a board. It observes the table and plays its seat. Games between two
    houses are for people only: the computer player does not take a seat in them, even if a player
    has its name."""

    def __init__(self, board: RunningBoard) -> None:
        self._board = board
        self._path = board.data / CHOICE
        self._choice = player_choice.load(self._path)
        self._saved = True
        self._visible = GameLines(None)
        self._announced: dict[str, Any] | None = None
        self._notice: tuple[str, ...] = ()
        self._process: Child | None = None
        self._running = AsyncExitStack()
        self._task: asyncio.Task[None] | None = None
        self._is_woken = False
        self._retry: asyncio.TimerHandle | None = None
        self._is_stuck = False
        self._unobserve = board.table.accepted.connect(self._accepted)
        self._unfollow = board.features.changed.connect(self._leave_houses)

    def begin(self) -> None:
        """Resume after the program starts: ask for every card, announce the last move again, and
        play the pending move."""
        self._ask_for_every_card()
        self._follow("")
        self._announced = self._newest("")
        if self._announced is not None and self._announced["number"] and self._announced["places"]:
            self._announce(self._words(self._announced, self._board.controller.language))
        self.wake()

    # Choosing the player

    def state(self, language: str) -> dict[str, Any]:
        """Return the computer player's complete state, for the page."""
        chosen, record = self._choice, self._board.table.record
        position = record.position
        announced = self._announced
        names = tuple(position.seats.values())
        game = position.game
        plays = game is not None and seated.plays(game)
        cannot = "" if game is None else self.obstacle(game, language)
        return {
            "seat": chosen.seat,
            "level": chosen.level,
            "alone": chosen.alone,
            "named": not text.is_own_name(position.seats.get(chosen.seat, "")),
            "sealed": self._sealed(),
            "said": None if announced is None else self._words(announced, language),
            "plays": plays,
            "deals": seated.deals(position),
            "dealt_game": GAME,
            "waits": text.say(
                Message("player", "waits", {"seat": chosen.seat}), text.Reader(language, names)
            )
            if self._waits()
            else None,
            "cannot": cannot,
            "lacks": "" if game is None else self._lacks(game, language),
            "uncounted": self._uncounted(),
            "dealing": self._deals_now(),
        }

    def _deals_now(self) -> bool:
        """Return whether the board deals the current deal or, between deals, the next one."""
        dealt, position = self._dealt(), self._board.table.position
        if dealt is None:
            return False
        number, _ = seated.deal_at_hand(self._board.table.record)
        return number >= dealt.shuffles[0].first or seated.between_deals(position, number)

    def _uncounted(self) -> bool:
        """Return whether the player's hand or crib must be counted but people must first enter some
        of its cards."""
        position = self._board.table.position
        count = seated.count_due(position, self._choice.seat)
        return count is not None and not seated.can_count(position, count)

    def _waits(self) -> bool:
        """Return whether the computer player will start playing only with the next deal."""
        seat, dealt = self._choice.seat, self._dealt()
        first = None if dealt is None else dealt.shuffles[0].first
        return bool(seat) and seated.waits(self._board.table.record, seat, first)

    @staticmethod
    def obstacle(game: Game[Any], language: str) -> str:
        """Return the reason why the computer player cannot play a game, or an empty string if it
        can."""
        if seated.plays(game):
            return ""
        return text.refusal(_cannot_play(game), text.Reader(language))

    @staticmethod
    def check_plays(name: str) -> None:
        """Raise IllegalMove if there is no game with this name, or if the computer player cannot
        play it."""
        game = games.find(name)
        if not seated.plays(game):
            raise _cannot_play(game)

    @staticmethod
    def _lacks(game: Game[Any], language: str) -> str:
        """Return a sentence about the parts of a game that the computer player does not support, or
        an empty string if it supports all of them."""
        code = f"lacks-{game.name}"
        known = f"player.{code}" in text.sentences()
        return text.say(Message("player", code), text.Reader(language)) if known else ""

    def _sealed(self) -> dict[str, Any] | None:
        """Return the sealed shuffle of this game. Its secret is included only once the game is
        over."""
        dealt = self._dealt()
        if dealt is None:
            return None
        revealed = [one for one in dealt.shuffles if one.told]
        over = self._board.table.position.over and revealed
        return dealing.public_data(revealed[-1] if over else dealt.shuffles[-1], self._saved)

    @property
    def seat(self) -> int:
        """The seat that the computer player plays, or 0 if it does not play."""
        return self._choice.seat

    @property
    def level(self) -> int:
        """The level at which the computer player plays."""
        return self._choice.level

    def take_seat(
        self,
        seat: int,
        level: int,
        deals: bool = False,
        alone: bool = False,
        fixed: tuple[Shuffle, int] | None = None,
    ) -> None:
        """Take a seat, or leave the table if `seat` is 0. Raises IllegalMove if the seat cannot be
        taken.

        Args:
            seat: from 1, or 0 to leave.
            level: the level at which the computer player plays.
            deals: whether the board deals from a sealed shuffle.
            alone: whether the computer player also cuts for deal and begins each game, because it
                plays against one person.
            fixed: the shuffle of this game and the seed of the player's random choices, or None to
                draw new ones.
        """
        if self.plays_evening and fixed is None:
            raise IllegalMove("evening-unfinished")
        if level not in LEVELS:
            raise IllegalMove("no-such-level", level=level)
        position = self._board.table.position
        if seat:
            self._check_seat(position, seat, deals)
        number, _ = seated.deal_at_hand(self._board.table.record)
        name = position.seats.get(seat, "")
        chosen = PlayerChoice(seat, level, player_choice.new_seed(), name, alone=alone)
        games = self._choice.games  # the bot may continue with the current game
        if not seat:
            chosen = replace(chosen, games=games)
        elif deals:
            if fixed is None:
                games = dealing.taken_up(games, self._board.table, number + 1)
            else:
                games = dealing.fixed(games, self._board.table, fixed[0])
                chosen = replace(chosen, seed=fixed[1])
            chosen = replace(chosen, deals=True, games=games)
        self._store(chosen)
        self._announced = None
        self._ask_for_every_card()
        self.wake()

    def _check_seat(self, position: Position, seat: int, deals: bool) -> None:
        """Raise IllegalMove if the computer player cannot take this seat now."""
        if self._board.features.is_elsewhere:
            raise IllegalMove("far-busy")
        if position.game is None or seat not in position.seats:
            raise IllegalMove("empty-seat", seat=seat)
        if not seated.plays(position.game):
            raise _cannot_play(position.game)
        if deals and not seated.deals(position):
            raise IllegalMove("cannot-seal")

    def _leave_houses(self, feature: str) -> None:
        """Leave the table when a game with another house begins."""
        if self._board.features.is_elsewhere and self.seat:
            self.take_seat(0, self.level)
            self._board.controller.ask_for_every_card()  # as chosen before it joined

    def _ask_for_every_card(self) -> None:
        """Ask for every card while the computer player plays, because it must know the cards thrown
        and played."""
        if self._choice.seat:
            self._board.controller.ask_for_every_card()

    def partners(self, name: str, level: int) -> list[str]:
        """Return the names of the players when one person plays against the board.

        Args:
            name: the person's name, for seat 1. If the board has the same name, the board gets
                another name at the table.
            level: the board's level.

        Raises:
            IllegalMove: `no-such-level`.
        """
        if level not in LEVELS:
            raise IllegalMove("no-such-level", level=level)
        board = self._board
        own = text.say(Message("player", "own-name"))
        roster = board.controller.settings.roster
        seated_now = (*board.table.position.seats.values(), *roster)
        people = (one for one in (name, *seated_now) if one and not text.is_own_name(one))
        return [next(people, name), own]

    def play_at(self, level: int) -> None:
        """Continue the same game at another level. Raises IllegalMove (`no-such-level`, or
        `evening-level` during a round of a duplicate evening)."""
        if level not in LEVELS:
            raise IllegalMove("no-such-level", level=level)
        if self.plays_evening:
            raise IllegalMove("evening-level")
        if self._choice.seat:
            self._store(replace(self._choice, level=level))
            self._is_woken = True  # restart a pending decision, which uses the old level

    def sit_alone(self, level: int, fixed: tuple[Shuffle, int] | None = None) -> None:
        """Play seat 2 against one person, and deal. `fixed` is as for `take_seat`. Raises
        IllegalMove with a code of `take_seat`."""
        self.take_seat(2, level, deals=True, alone=True, fixed=fixed)

    @property
    def plays_evening(self) -> bool:
        """Whether the current game is an unfinished game of a duplicate evening."""
        table = self._board.table
        here = (one for one in self._choice.games if one.game == dealing.current(table))
        dealt = next(here, None)
        return dealt is not None and dealt.shuffles[0].held and not table.position.over

    def fair(self) -> list[dict[str, Any]]:
        """Return proofs for the sealed shuffles of this game and the previous one, newest first.
        Each proof contains the commitment and the cut. For a revealed shuffle, it also contains the
        secret, and whether the secret produces the cards of the deals."""
        table, saved = self._board.table, self._saved
        return [
            one for dealt in self._choice.games[:2] for one in dealing.proofs(dealt, table, saved)
        ]

    def cut(self, words: str) -> None:
        """Cut the pack for the current game, using the given words. Raises IllegalMove if it is too
        late to cut."""
        number, _ = seated.deal_at_hand(self._board.table.record)
        dealt = self._dealt()
        newest = None if dealt is None else dealt.shuffles[-1]
        if newest is None or newest.cut or number >= newest.first:
            raise IllegalMove("cannot-cut")
        self._replace(newest, cut=words)
        self.wake()

    def _store(self, chosen: PlayerChoice) -> None:
        has_left = self._choice.seat and not chosen.seat
        self._choice = chosen
        self._saved = player_choice.save(self._path, chosen)
        if has_left:
            self._board.controller.ask_as_chosen()

    def _replace(self, shuffle: Shuffle, **changes: Any) -> Shuffle:
        """Replace one of the current game's shuffles."""
        changed = replace(shuffle, **changes)
        dealt, *others = self._choice.games
        shuffles = tuple(changed if one is shuffle else one for one in dealt.shuffles)
        games = (replace(dealt, shuffles=shuffles), *others)
        self._store(replace(self._choice, games=games))
        return changed

    def _dealt(self) -> Dealt | None:
        """Return the shuffles used for dealing the current game, or None if people deal."""
        dealt = next(iter(self._choice.games), None) if self._choice.seat else None
        return None if dealt is None or dealt.game != dealing.current(self._board.table) else dealt

    def _shuffle(self) -> Shuffle | None:
        """Return the shuffle of the current or next deal, or None if people deal. If nobody has cut
        the pack before its first deal, the board cuts it."""
        dealt = self._dealt()
        if dealt is None:
            return None
        number, _ = seated.deal_at_hand(self._board.table.record)
        shuffle = dealing.shuffle_of(dealt, self._board.table, number)
        if not shuffle.cut and number >= shuffle.first:
            shuffle = self._replace(shuffle, cut=secrets.token_hex(8), own_cut=True)
        return shuffle

    def _follow(self, verb: str) -> None:
        """Follow the table after a line. A new game gets a new secret. If the start of a game is
        undone or an old game is continued, the old secret is restored. Secrets of finished games
        are revealed, and a revealed secret is not used for further deals."""
        chosen = self._choice
        if not chosen.seat:
            return
        position = self._board.table.position
        if position.setup is None:
            return
        seat = chosen.seat
        if chosen.name:
            found = (number for number, name in position.seats.items() if name == chosen.name)
            seat = next(found, 0)
        if seat != chosen.seat:
            chosen = PlayerChoice(level=chosen.level) if not seat else replace(chosen, seat=seat)
        if chosen.deals:
            games = dealing.followed(chosen.games, self._board.table, verb)
            chosen = replace(chosen, games=games)
        if chosen != self._choice or not self._saved:
            self._store(chosen)

    # Playing

    def _accepted(self, receipt: Receipt) -> None:
        move = receipt.report.move
        if self._is_stuck:
            self._is_stuck = False
            self._board.controller.report("player", None)
        unsays = move.kind in _UNSAYS or move.begins
        if unsays:
            self._announced = self._newest(move.verb)
        if self._notice and (unsays or move.seat not in (None, self._choice.seat)):
            self._retract()  # after another player's move, the display shows the next entry
        self._follow(move.verb)
        self.wake()

    def _retract(self) -> None:
        shown, self._notice = self._notice, ()
        self._board.controller.retract(shown)

    def wake(self) -> None:
        """Schedule a check for a pending move. Further calls before the check have no effect."""
        if not self._choice.seat:
            return
        self._is_woken = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work(), name="player")

    async def _work(self) -> None:
        while self._is_woken:
            self._is_woken = False
            try:
                await self._once()
            except Exception as error:  # noqa: BLE001 - any error leads to another attempt
                foreseen = isinstance(error, (OSError, ValueError))  # OSError includes a timeout
                reason = str(error) or type(error).__name__
                _log.error("the player failed: %s", reason, exc_info=not foreseen)
                await self._end_process()
                self._failed()
            else:
                self._works()

    def _failed(self) -> None:
        """Report the failure at the table, and schedule a restart of the process."""
        self._report("failed", seconds=f"{AGAIN:g}")
        if self._retry is not None:
            self._retry.cancel()
        self._retry = asyncio.get_running_loop().call_later(AGAIN, self.wake)

    def _report(self, code: str, **fields: str) -> None:
        """Show the reason why the computer player cannot play, at the table."""
        controller = self._board.controller
        controller.report(
            "player", text.say(Message("player", code, fields), text.Reader(controller.language))
        )

    def _works(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
            self._board.controller.report("player", None)

    async def _once(self) -> None:
        table, chosen = self._board.table, self._choice
        game = table.position.game
        if chosen.seat not in table.position.seats or game is None or not seated.plays(game):
            return
        if table.record.redoable and seated.others_decide(table.position, chosen.seat):
            return  # the players took a move back and may restore it
        number = table.number
        alone = chosen.alone and table.unfinished is None  # people may continue an unfinished game
        move = seated.machine_line(table.record, chosen.seat, self._shuffle(), alone)
        chosen, line = self._choice, None
        if move is None and seated.may_be_due(table.position, chosen.seat) and not self._waits():
            line = await self._decision(chosen)
        if number != table.number or chosen is not self._choice:
            self._is_woken = self._is_woken or number != table.number
            return
        if line is not None:
            move = table.parse(line)
        if move is None:
            return
        self._show(move)
        try:
            table.submit(move, PLAYER, number)
        except IllegalMove as error:
            line = notation.spell(game.hide_cards(move))
            _log.error("the player's line %s is refused: %s", line, error.code)
            self._announced = None
            self._retract()
            self._is_stuck = True
            reason = text.refusal(error, text.Reader(self._board.controller.language))
            self._report("stuck", reason=reason)

    async def _decision(self, chosen: PlayerChoice) -> str | None:
        """Return the line chosen by the player's process."""
        if self._process is None or self._process.returncode is not None:
            await self._end_process()
            self._process = await self._running.enter_async_context(
                self._board.child("-m", "boardctl.bot.worker", errors=None, nice=5)
            )
        process, table = self._process, self._board.table
        assert process.stdin is not None
        assert process.stdout is not None
        if self._visible.seat != chosen.seat:
            self._visible = GameLines(chosen.seat)
        lines = seated.visible_lines(table.record, self._visible)
        match = self._board.controller.settings.match
        played_for = seated.objective_of(table.position, chosen.seat, match)
        asked = {
            "seat": chosen.seat,
            "level": chosen.level,
            "seed": chosen.seed,
            "objective": played_for,
            "lines": lines,
        }
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        async with asyncio.timeout(PATIENCE):
            await process.stdin.drain()
            answered = await process.stdout.readline()
        if not answered:
            raise ValueError("it ended")
        answer = json.loads(answered)
        if answer.get("error"):
            _log.warning("the player cannot follow: %s", answer["error"])
        line: str | None = answer.get("line")
        return line

    def _show(self, move: Move) -> None:
        """Show and speak a move before it is played."""
        board = self._board
        if not seated.leaves(board.table.position, move):
            return
        _, deal = seated.deal_at_hand(board.table.record)
        self._announced = self._saying(move, deal, board.table.number + 1)
        shown = self._words(self._announced, board.controller.language)
        board.controller.obey(Command("say", shown["spoken"]))
        # Last, because a command clears the display.
        self._announce(shown)

    def _announce(self, shown: Mapping[str, Any]) -> None:
        """Show the words for a move (`_words`) on the display. The voice announces the move as it
        does any other line at the table."""
        controller = self._board.controller
        self._notice = (shown["text"], shown["where"])
        place = _where(shown["places"], "aloud", controller.language)
        controller.announce(self._notice, aloud=(place,) if place else ())

    def _saying(self, move: Move, deal: Sequence[Move], number: int) -> dict[str, Any]:
        """Return the computer player's words for a move. `deal` contains the other lines of the
        deal, and `number` is the number of the move's line at the table."""
        seat, leaving = move.seat or 0, seated.leaving(deal, move)
        game = self._board.table.position.game
        is_secret = game is not None and game.secret(move)
        return {
            "number": number,
            "verb": move.verb,
            "seat": move.seat,
            "cards": [] if is_secret else [str(card) for card in move.cards],
            "places": list(seated.places(deal, seat, leaving)) if not self._deals_now() else [],
        }

    def _newest(self, verb: str) -> dict[str, Any] | None:
        """Return the player's words for its latest move in this deal, or None if it has made no
        move. Their number is that of the table's newest line if that line made or restored the
        move, and otherwise 0. `verb` is the verb of the newest line, or an empty string after a
        start."""
        table, seat = self._board.table, self._choice.seat
        number, deal = seated.deal_at_hand(table.record)
        if not seat or seated.between_deals(table.position, number) or self._waits():
            return None
        for place in reversed(range(len(deal))):
            move = deal[place]
            if move.seat == seat and seated.leaves(table.position, move):
                last = place == len(deal) - 1 and verb in ("", "redo") and not table.record.redoable
                return self._saying(move, deal[:place], table.number if last else 0)
        return None

    def _words(self, announced: Mapping[str, Any], language: str) -> dict[str, Any]:
        """Return the player's words as a sentence to show, a sentence to speak, and the positions
        of the cards."""
        names = tuple(self._board.table.position.seats.values())
        fields: dict[str, Any] = {"seat": announced["seat"], "cards": ""}
        spoken = dict(fields)
        if announced["cards"]:
            card = parse_card(announced["cards"][0])
            fields["cards"] = pictured((card,))
            spoken["cards"] = text.card_name(card, language)
        line = text.say(Message("player", announced["verb"], fields), text.Reader(language, names))
        aloud = text.say(Message("player", announced["verb"], spoken), text.Reader(language, names))
        place = _where(announced["places"], "aloud", language)
        return {
            **{key: announced[key] for key in ("number", "cards", "places")},
            "text": line,
            "where": _where(announced["places"], "where", language),
            "do": _where(
                announced["places"], "lay" if announced["verb"] == "discard" else "do", language
            ),
            "spoken": PHRASES[language]["full-stop"].join(filter(None, (aloud, place))),
        }

    async def close(self) -> None:
        """Stop playing, and end the player's process."""
        self._unobserve()
        self._unfollow()
        self._is_woken = False
        if self._retry is not None:
            self._retry.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
        await self._end_process()

    async def _end_process(self) -> None:
        self._process = None
        await self._running.aclose()


def _cannot_play(game: Game[Any]) -> IllegalMove:
    """Return an error that lists the games that the computer player can play."""
    played = tuple(name for name in games.names() if seated.plays(games.find(name)))
    return IllegalMove("cannot-play", game=game.name, games=played)


def _where(places: Sequence[int], how: str, language: str) -> str:
    """Return text that states the positions of the move's cards in the player's row, or an empty
    string if the board deals. `how` selects the wording: for the display (`where`), for the voice
    (`aloud`), or as an instruction (`do` or `lay`)."""
    if not places:
        return ""
    code = how if len(places) == 1 else f"{how}-two"
    return text.say(
        Message("player", code, {"first": places[0], "last": places[-1]}), text.Reader(language)
    )
