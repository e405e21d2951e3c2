"""The page's requests other than moves: table settings, possible points, and moves to amend.

GET routes change nothing: `/games` (the games, their numbers of players and their options),
`/points?whose=1` (the acceptable points of that seat, as far as the viewer can know), `/moves`
(every move of the game), `/amend?back=3` (the entry to which a move belongs, for correcting it).
POST: `/table` starts a game with its players and options in one step, `/rules` saves or removes a
named set of rules, `/commands` carries out commands of the keypad menu, `/withdraw` cancels a
preview.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from itertools import takewhile
from types import MappingProxyType
from typing import Any, Final, TypeVar, get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl import games, text
from boardctl.console.keypad import LEVELS, Command, Preset, seating
from boardctl.console.lights import LIGHTS
from boardctl.games import NOT_MOVES, Ask, IllegalMove, Move, Option, Prompt, Telling
from boardctl.record import notation
from boardctl.record.names import INVISIBLE, name_key, spelled
from boardctl.record.position import Position, step
from boardctl.record.record import Record
from boardctl.record.visibility import VisibleRecord
from boardctl.table import Receipt, Table
from boardctl.text import moves as words
from boardctl.text import options
from boardctl.web import guard, move_list, state
from boardctl.web.board_view import BoardView
from boardctl.web.slow_work import Turns

MOST_POINTS: Final = 5000
"""The highest number of points tried for one entry."""
COMMANDS: Final = {
    "telling": get_args(Telling),
    "language": text.LANGUAGES,
    "light": tuple(LIGHTS),
    "voice": ("on", "off", *LEVELS),
    "sounds": ("on", "off"),
    "goodnight": ("",),
}
"""The commands of the page, each with its allowed values."""

LONGEST_NAME: Final = 40
"""The maximum number of characters in the name of saved rules."""
_T = TypeVar("_T")
_KEPT: Final = 256
"""Answers that stay valid until the table changes."""


def games_to_choose(view: BoardView, language: str) -> dict[str, Any]:
    """Return every game with its title, the possible numbers of players on this board, its options,
    and the reason why it cannot be played at this table now (an empty string if it can). Also
    return the configured rule presets, the games' named tables, and the known players."""
    found = []
    chosen = view.table.position.options
    for name in games.names():
        game = games.find(name)
        now = {option.name: option.default for option in game.options}
        now |= chosen.get(name, {})
        found.append(
            {
                "name": name,
                "title": words.title(name, language),
                "seats": [n for n in game.seats if (2 if n == 4 else n) <= view.most_tracks],
                "cannot": view.features.obstacle(game, language),
                "options": [
                    _option(option, now[option.name], language)
                    for option in game.options
                    if option.numbers is not None or len(option.values) > 1
                ],
            }
        )
    presets: list[dict[str, Any]] = [
        {
            "name": preset.name,
            "game": preset.game,
            "options": dict(preset.options),
            "seats": [],
            "own": preset in view.controller.own_rules,
        }
        for preset in view.controller.settings.presets
    ]
    presets += [
        {
            "name": f"{words.title(name, language)}: {options.table(table.name, language)}",
            "game": name,
            "options": table.complete(game.options),
            "seats": list(table.seats),
            "own": False,
        }
        for name in games.names()
        for game in (games.find(name),)
        for table in game.tables
    ]
    return {
        "games": found,
        "presets": presets,
        "roster": list(view.controller.settings.roster),
        "tracks": view.most_tracks,
    }


def _option(option: Option, now: str, language: str) -> dict[str, Any]:
    """Return an option with its current value. `numbers` are the minimum, the maximum and the
    step."""
    numbers = option.numbers
    return {
        "name": option.name,
        "text": options.name(option.name, language),
        "usual": option.default,
        "customs": option.name in options.CUSTOMS,
        "now": now,
        "values": [
            {"value": value, "text": options.value(option.name, value, language)}
            for value in option.values
        ],
        "numbers": None if numbers is None else [numbers[0], numbers[-1], numbers.step],
        "seats": list(option.seats),
        "only_if": option.only_if,
    }


def possible_points(position: Position, move: Move, scale: int) -> list[int]:
    """Return the points that a move such as `SEAT peg POINTS` may have in a position, in ascending
    order and in units of `scale`."""
    found = []
    least = -MOST_POINTS if position.prompt.signed else 0
    for points in range(least, MOST_POINTS + 1, scale):
        try:
            step(position, move._replace(numbers=(points,)))
        except IllegalMove:
            continue
        found.append(points)
    return found


def begin(
    table: Table,
    game: str,
    players: list[Any],
    expect: int,
    chosen: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[Receipt, ...]:
    """Start a game with these players and option values, or change them before its first deal, in a
    single step. Other options do not change.

    Raises:
        IllegalMove: if the referee rejects the change; `stale`; `name-missing` for an empty name.
    """
    names = _named(players)
    position = table.position
    agreed = _agreed(position, game, chosen)
    fresh = position.game is None or position.game.name != game
    ongoing = position.opening is None or position.over
    moves: tuple[Move, ...] = (Move("game", name=game), *seating(names))
    if not fresh and not ongoing and move_list.names(position) == names:
        moves = ()
    if not moves and not agreed:
        return ()
    lines = [table.parse(notation.spell(move)) for move in moves]  # normalized like an entered line
    return table.submit_all([*lines, *agreed], "page", expect)


def own_rules(name: str, game: str, chosen: Mapping[str, Any]) -> Preset:
    """Return a set of rules to be saved.

    Raises:
        IllegalMove: `rules-unnamed`; `no-such-game`; `no-such-value` as `begin`; `no-such-option`.
    """
    found = spelled(name)
    if not found or len(found) > LONGEST_NAME or re.search(INVISIBLE, found):
        raise IllegalMove("rules-unnamed", most=LONGEST_NAME)
    rules = games.find(game)
    for what, value in chosen.items():
        option = next((one for one in rules.options if one.name == what), None)
        if option is None:
            known = ", ".join(one.name for one in rules.options)
            raise IllegalMove("no-such-option", option=what, game=game, allowed=known)
        check_value(option, value)
    return Preset(found, game, {what: str(value) for what, value in chosen.items()})


def rename(table: Table, players: list[Any], expect: int) -> tuple[Receipt, ...]:
    """Correct the names of a game's players in one step, without ending the game. This changes all
    games since the players took these seats.

    Raises:
        IllegalMove: as `begin`; `too-late` if no game with this number of players is in progress;
            `names-kept` if the players took the seats on an earlier evening, whose lines cannot be
            changed now.
    """
    names, position, moves = _named(players), table.position, table.record.moves
    now = move_list.names(position)
    table.check_newest(expect)
    if position.opening is not None or position.over or len(names) != len(now):
        raise IllegalMove("too-late", what="seat")
    changed = [seat for seat, name in enumerate(names, 1) if name != now[seat - 1]]
    sat = {move.seat: n for n, move in enumerate(moves) if move.verb == "seat"}
    if changed and not sat:
        raise IllegalMove("names-kept")
    if any(names[seat - 1] in now for seat in changed):  # two players change places once both sit
        how = dict.fromkeys(changed, f"insert {len(moves) - max(sat.values()) - 1}")
    else:
        how = {seat: f"amend {len(moves) - sat[seat]}" for seat in changed}
    lines = [
        table.parse(f"{how[seat]} {notation.spell(Move('seat', seat, name=names[seat - 1]))}")
        for seat in changed
    ]
    return table.submit_all(lines, "page", expect) if lines else ()


def _named(players: list[Any]) -> list[str]:
    """Return the names of 2 to 4 players, in their recorded form."""
    if len(players) > 4 or not all(isinstance(name, str) for name in players):
        raise IllegalMove("seats-missing", allowed="2, 3 or 4", players=(2, 3, 4))
    names = [text.known_as(spelled(name)) for name in players]
    for seat, name in enumerate(names, 1):
        if not name:
            raise IllegalMove("name-missing", number=seat)
        if name_key(name) in map(name_key, names[: seat - 1]):
            raise IllegalMove("name-taken", name=name)
    return names


def check_value(option: Option, value: object) -> None:
    """Check a value of an option.

    Raises:
        IllegalMove: `no-such-value` if the value is not text or not allowed. For a number, it also
            has `rule`, the limits and the step.
    """
    if isinstance(value, str) and option.allows(value):
        return
    written = " ".join(str(value).split())
    fields: dict[str, Any] = {"option": option.name, "value": written, "allowed": option.allowed}
    if option.numbers is not None:
        least, *_, most = option.numbers
        step = option.numbers.step
        fields |= {"rule": option.name, "least": least, "most": most, "step": step}
        fields["why"] = "number" if step == 1 else "steps"
    raise IllegalMove("no-such-value", **fields)


def _agreed(position: Position, name: str, chosen: Mapping[str, Any]) -> list[Move]:
    """Return the `set` lines for the values that are not yet in effect.

    Raises:
        IllegalMove: `no-such-value` as in `check_value`; `no-such-game`.
    """
    game = games.find(name)
    known = {option.name: option for option in game.options}
    now = {option.name: option.default for option in game.options}
    now |= position.options.get(game.name, {})
    for what, value in chosen.items():
        if what in known:
            check_value(known[what], value)
    return [
        Move("set", words=(what, value)) for what, value in chosen.items() if now.get(what) != value
    ]


def previewed(record: Record, line: str) -> tuple[Move, Position]:
    """Return the move of a line and its position. This is the current position, or for `amend N
    LINE`, the position before the amended move.

    Args:
        record: the record as the viewer knows it, so that a preview reveals nothing else.

    Raises:
        IllegalMove: `syntax`, or `no-such-move`.
    """
    position = record.position
    words = line.split()
    if words[:1] != ["amend"] or len(words) < 3 or not words[1].isdecimal():
        return _parsed(line, position), position
    moves = record.moves
    back = int(words[1])
    if not 1 <= back <= len(moves):
        raise IllegalMove("no-such-move", said=back, moves=len(moves))
    before = record.position_at(len(moves) - back)
    return _parsed(" ".join(words[2:]), before), before


def _parsed(line: str, position: Position) -> Move:
    move = notation.parse(line, position.game)
    if move is None or move.kind in NOT_MOVES:
        raise IllegalMove("syntax", text=line, why="not-a-move", at="")
    return move


def _answered(move: Move, prompt: Prompt) -> Ask | None:
    for ask in prompt.asks:
        if ask.kind == "choice" and any(
            (choice.verb, choice.seat) == (move.verb, move.seat) for choice in ask.choices
        ):
            if move.verb == "peg" and move not in ask.choices:
                continue
            return ask
        if ask.kind in ("cards", "number") and (ask.move.verb, ask.move.seat, ask.move.words) == (
            move.verb,
            move.seat,
            move.words if ask.kind == "number" else ask.move.words,
        ):
            return ask
    return None


class TableApi:
    """The routes that change nothing."""

    def __init__(self, view: BoardView, viewer: Callable[[Request], move_list.Viewer]) -> None:
        self._view = view
        self._viewer = viewer
        self._turns = Turns()
        self._cached: dict[tuple[Hashable, ...], Any] = {}

    def routes(self) -> list[Route]:
        return [
            Route("/games", self._games),
            Route("/points", self._points),
            Route("/moves", self._moves),
            Route("/amend", self._amend),
        ]

    async def _games(self, request: Request) -> Response:
        """Return the games with their numbers of players and options, the presets, and the known
        players."""
        # On a separate thread: the first call loads the rules of every game.
        language = self._viewer(request).language
        return JSONResponse(await asyncio.to_thread(games_to_choose, self._view, language))

    async def _once(
        self, request: Request, number: int, what: Hashable, work: Callable[[], _T]
    ) -> _T:
        """Return the result of slow work on the table after line `number`. The work is done on a
        separate thread, one piece at a time, and only once per state of the table. Because a piece
        takes tens of milliseconds and guests may request it, clients at different addresses take
        turns."""
        async with self._turns.of(guard.address(request)):
            key = number, what
            if key not in self._cached:
                if len(self._cached) >= _KEPT or any(number != old[0] for old in self._cached):
                    self._cached.clear()
                self._cached[key] = await asyncio.to_thread(work)
            found: _T = self._cached[key]
            return found

    async def _points(self, request: Request) -> Response:
        """Return the points that the referee would accept for a seat now."""
        seat, viewer = _number(request, "whose"), self._viewer(request)
        number, position = self._view.table.number, self._visible_copy(viewer).record.position
        prompt = self._view.controller.prompt(position)
        if seat not in prompt.pegs:
            return JSONResponse({"points": []})
        work = partial(possible_points, position, Move("peg", seat), prompt.scale)
        found = await self._once(request, number, ("points", seat, viewer.seat), work)
        return JSONResponse({"points": found})

    def _visible_copy(self, viewer: move_list.Viewer) -> VisibleRecord:
        """Return the record as the viewer sees it. This copy does not change while others play."""
        visible = self._view.table.visible_to(viewer.seat)
        return visible._replace(record=visible.record.copy())

    async def _moves(self, request: Request) -> Response:
        """Return every move of the current game, oldest first."""
        number, viewer = self._view.table.number, self._viewer(request)
        work = partial(move_list.game_moves, self._visible_copy(viewer), viewer)
        listed = await self._once(request, number, viewer, work)
        return JSONResponse({"moves": listed})

    async def _amend(self, request: Request) -> Response:
        """Return the `Ask` to which a move belongs, and the content of the move, so that the picker
        for correcting it can be opened."""
        viewer = self._viewer(request)
        # The whole answer, including secrets, is about this moment, whatever is played meanwhile.
        number, record = self._view.table.number, self._visible_copy(viewer).record
        moves = record.moves
        back = _number(request, "back")
        if not 1 <= back <= len(moves):
            return JSONResponse(
                {"ask": None, "cards": [], "points": None, "possible": [], "line": ""}
            )
        move = moves[-back]
        seats = move_list.names(record.position)
        at = partial(record.position_at, len(moves) - back)
        before = await self._once(request, number, ("before", back, viewer.seat), at)
        ask = _answered(move, before.prompt)
        dealt = takewhile(lambda earlier: earlier.verb != "deal", reversed(moves[:-back]))
        starter = next((str(m.cards[0]) for m in dealt if m.verb == "starter"), None)
        possible: list[int] = []
        if move.verb == "peg":
            work = partial(possible_points, before, move, before.prompt.scale)
            possible = await self._once(request, number, ("possible", back, viewer.seat), work)
        return JSONResponse(
            {
                "ask": None
                if ask is None
                else {
                    **state.ask(ask, before, seats, viewer),
                    "beside": state.beside(ask, starter, before),
                },
                "cards": [str(card) for card in move.cards if card.rank is not None],
                "points": move.numbers[0] if move.numbers else None,
                "possible": possible,
                "line": notation.spell(move),
            }
        )


def command(what: str, value: str) -> Command:
    """Carry out a command from the page. Raises IllegalMove if there is no such command."""
    if value not in COMMANDS.get(what, ()):
        raise IllegalMove("no-such-command", what=what, value=value)
    return Command(what, value)


def _number(request: Request, name: str) -> int:
    value = request.query_params.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 7 else 0
