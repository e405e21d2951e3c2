"""The positions of an evening, the effect of a move on a position, and the cost of reading moves.

All functions are pure: they use no journal, clock or record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from boardctl import games
from boardctl.games import (
    BEFORE_DEALS,
    CORRECTIONS,
    KINDS,
    Game,
    IllegalMove,
    Kind,
    Move,
    Outcome,
    Played,
    Previous,
    Prompt,
    Scoreboard,
    Setup,
    Situation,
    kind_of,
)
from boardctl.record.names import name_key

Opening = tuple[()] | tuple["Opening", Move]
"""The lines before the first deal: an empty tuple, or a pair of the earlier lines and the last
line. The cost of adding a line is therefore constant."""
_NONE: Final[Mapping[Any, Any]] = MappingProxyType({})


class _Fields(NamedTuple):
    session: str | None = None
    """The name of the evening, or None before its first line."""
    seats: Mapping[int, str] = _NONE
    """The names by seat, from 1."""
    options: Mapping[str, Mapping[str, str]] = _NONE
    """The values of the options that were set, by the name of the game and the name of the
    option."""
    game: Game[Any] | None = None
    """The current game."""
    state: Any = None
    """The state of the current game, or None until enough players are seated."""
    seated: bool = False
    """Whether this game has a `seat` line. The first `seat` line removes the players of the
    previous game."""
    opening: Opening | None = ()
    """The lines of the game before its first deal, or None once the setup can no longer change.
    They are replayed when a late `seat` or `set` changes the setup."""
    finished: tuple[Outcome, ...] = ()
    """The outcomes of the earlier games in the session."""
    previous: Previous | None = None
    """The dealer and the outcome of the previous game, which this game inherits."""
    sat: tuple[tuple[str, ...], ...] = ()
    """The players of each finished game, by seat."""
    kinds: tuple[str, ...] = ()
    """The name of each finished game."""


class Position(_Fields):
    """The state of the evening after a move. Values derived by the game are cached."""

    def kind(self, move: Move) -> Kind:
        """Return the kind of a line (`games.Kind`)."""
        return kind_of(move, self.game)

    @property
    def setup(self) -> Setup | None:
        """The setup of the game, or None if there is no game or too few players are seated."""
        if self.game is None or len(self.seats) not in self.game.seats:
            return None
        names = tuple(self.seats.get(n, "") for n in range(1, len(self.seats) + 1))
        if not all(names):
            return None
        chosen = self.options.get(self.game.name, _NONE)
        options = {o.name: chosen.get(o.name, o.default) for o in self.game.options}
        return Setup(names, MappingProxyType(options), self.previous)

    @cached_property
    def outcome(self) -> Outcome | None:
        """The outcome of the current game so far, or None until the game has players."""
        if self.game is None or self.state is None:
            return None
        return self.game.outcome(self.state)

    @cached_property
    def over(self) -> bool:
        outcome = self.outcome
        return outcome is not None and outcome.state != "unfinished"

    @property
    def begun(self) -> bool:
        """Whether a game is in progress: it has lines beyond its opening and is not over."""
        return self.opening is None and not self.over

    @cached_property
    def scores(self) -> tuple[int, ...]:
        outcome = self.outcome
        return outcome.scores if outcome is not None else ()

    @property
    def shown_scores(self) -> tuple[int, ...]:
        """The scores to display. No score exceeds the game hole."""
        board = self.scoreboard
        return self.scores if board is None else board.displayed_scores

    @cached_property
    def situation(self) -> Situation:
        if self.game is None or self.state is None:
            return Situation("seats")
        return self.game.situation(self.state)

    @cached_property
    def prompt(self) -> Prompt:
        """The prompt of the current game or, between games, of the table."""
        if self.game is None or self.state is None:
            return Prompt()
        return self.game.prompt(self.state)

    def asking(self, prompt: Prompt) -> Position:
        """Return the same position with another prompt, such as the prompt that one player may
        see."""
        position = self._replace()
        position.__dict__["prompt"] = prompt  # the cached property stores its value here
        return position

    @cached_property
    def scoreboard(self) -> Scoreboard | None:
        """The data to display the game, or None until the game has players."""
        if self.game is None or self.state is None:
            return None
        board = self.game.scoreboard(self.state)
        # Before the first deal it is nobody's turn, because the players may cut in any order.
        return board if self.opening is None else board._replace(turn=None)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes of all games in the session so far, including the current game."""
        outcome = self.outcome
        return self.finished if outcome is None else (*self.finished, outcome)

    @cached_property
    def tally(self) -> Tally:
        names = tuple(self.seats.values())
        sat = self.sat if self.outcome is None else (*self.sat, names)
        return tally(self.outcomes, sat, names)

    @cached_property
    def won_here(self) -> tuple[int, ...]:
        """The number of games of this kind that each side has won against the other sides in this
        session.

        Games against other people, with other partners or of another kind are not counted.
        """
        if self.game is None:
            return ()
        kinds, sat = self.kinds, self.sat
        if self.outcome is not None:
            kinds, sat = (*kinds, self.game.name), (*sat, tuple(self.seats.values()))
        sides = len(self.scores)
        now = [frozenset(map(name_key, team)) for team in teams(tuple(self.seats.values()), sides)]
        won = dict.fromkeys(now, 0)
        for outcome, seats, kind in zip(self.outcomes, sat, kinds, strict=True):
            played = [frozenset(map(name_key, t)) for t in teams(seats, len(outcome.scores))]
            if kind == self.game.name and outcome.won and set(played) == set(now):
                for team, more in zip(played, outcome.won, strict=True):
                    won[team] += more
        return tuple(won[team] for team in now)


class Tally(NamedTuple):
    """The results of a session."""

    games: int
    """The number of games won or drawn."""
    won: tuple[int, ...]
    """The games that the people now on each side won together."""
    lost: tuple[int, ...]
    """The games that the people now on each side lost together."""
    people: dict[str, int]
    """The games that each person won, by name."""


def _by_team(
    outcomes: tuple[Outcome, ...], sat: tuple[tuple[str, ...], ...]
) -> list[tuple[set[str], int, int]]:
    """Return the name keys of each side in each game, and the numbers of games that the side won
    and lost by it."""
    return [
        (set(map(name_key, team)), outcome.won[side], outcome.lost[side])
        for outcome, seats in zip(outcomes, sat, strict=True)
        for side, team in enumerate(teams(seats, len(outcome.scores)))
        if outcome.won
    ]


def tally(
    outcomes: tuple[Outcome, ...], sat: tuple[tuple[str, ...], ...], names: tuple[str, ...]
) -> Tally:
    """Return the results of a session.

    Wins belong to people, not to seats. A side's wins are the games that its members won together,
    in any seats. If a name was spelled in several ways, the latest spelling is used.

    Args:
        outcomes: the outcomes of the games, oldest first.
        sat: the players of each game, by seat.
        names: the current players, by seat.
    """
    won: list[int] = []
    lost: list[int] = []
    people: dict[str, int] = {}
    latest = {name_key(name): name for seats in (*sat, names) for name in seats}
    played = _by_team(outcomes, sat)
    for team, more, _ in played:
        for name in sorted(latest[key] for key in team):
            people[name] = people.get(name, 0) + more
    for side in teams(names, len(outcomes[-1].scores)) if outcomes else ():
        keys = set(map(name_key, side))
        mine = [(more, less) for team, more, less in played if keys and team >= keys]
        won.append(sum(more for more, _ in mine))
        lost.append(sum(less for _, less in mine))
    ended = sum(outcome.state in ("won", "draw") for outcome in outcomes)
    return Tally(ended, tuple(won), tuple(lost), people)


def game_start(moves: Sequence[Move]) -> int:
    """Return the index of the `game` line that began the current game, or -1 before the first
    game."""
    games = (place for place in reversed(range(len(moves))) if moves[place].verb == "game")
    return next(games, -1)


def teams(names: Sequence[str], sides: int) -> tuple[tuple[str, ...], ...]:
    """Return the names of each side. Partners sit opposite each other."""
    return tuple(tuple(names[side::sides]) for side in range(sides))


def close(position: Position) -> Played[Position]:
    """Return the position after closing its game. An open claim can then no longer be
    challenged."""
    if position.game is None or position.state is None:
        return Played(position)
    played = position.game.close(position.state)
    return Played(position._replace(state=played.state), played.awards, played.notes)


DOUBTFUL: Final = "doubtful"
"""The verb of the placeholder for a rejected line of the journal (`Record.resume`). It is not part
of the notation."""


_BOARD: Final = {"盤": "The board"}
"""The current name of the computer player, by its names in older journals."""


def step(position: Position, move: Move) -> Played[Position]:
    """Return the position after one move. Raises IllegalMove if the move is rejected."""
    if move.verb == DOUBTFUL:
        return Played(position)
    if move.verb == "game":
        return _new_game(position, move)
    game = position.game
    if game is None:
        raise IllegalMove("no-game", verb=move.verb)
    if move.kind is Kind.SETUP:
        return Played(_agree(position, game, move))
    if position.state is None:
        allowed = " or ".join(map(str, game.seats))
        raise IllegalMove("seats-missing", allowed=allowed, players=game.seats)
    played = game.play(position.state, move)
    opening = position.opening
    if opening is not None:
        opening = (opening, move) if move.kind in BEFORE_DEALS else None
    return Played(
        position._replace(state=played.state, opening=opening), played.awards, played.notes
    )


def enter(position: Position, move: Move) -> Played[Position]:
    """Return the position after a new move. (For moves that a record already contains, use `step`.)

    A second `deal` would skip a dealer without a hand being played, and "ann" and "Ann" would count
    as two players. Records of older versions may contain these mistakes, so only new moves are
    checked for them.

    Raises:
        IllegalMove: if the move is rejected, with `deal-twice` or `name-taken` for these mistakes.
    """
    if move.verb == "seat":
        _check_spelling(position, move)
    played = step(position, move)
    game, state = position.game, position.state
    if move.verb == "deal" and game is not None and state is not None and game.is_fresh(state):
        raise IllegalMove("deal-twice")
    return played


def _check_spelling(position: Position, move: Move) -> None:
    """Raise IllegalMove (`name-taken`) if another seat has a different spelling of the name."""
    name = move.name or ""
    for seat, sits in position.seats.items() if position.seated else ():
        if seat != move.seat and sits != name and name_key(sits) == name_key(name):
            raise IllegalMove("name-taken", name=sits)


def _new_game(position: Position, move: Move) -> Played[Position]:
    game = games.find(move.name or "")
    closed = close(position)
    before = closed.state
    outcome = before.outcome
    previous = before.previous
    if outcome is not None and before.game is not None:
        first = before.game.first_dealer(before.state)
        dealer = before.situation.dealer
        if first is not None and dealer is not None:
            previous = Previous(first, dealer, outcome, before.situation.trump)
    fresh = before._replace(
        game=game,
        state=None,
        seated=False,
        opening=(),
        finished=before.outcomes,
        sat=before.sat if outcome is None else (*before.sat, tuple(before.seats.values())),
        kinds=before.kinds
        if outcome is None or before.game is None
        else (*before.kinds, before.game.name),
        previous=previous,
    )
    return Played(_begin(fresh), closed.awards, closed.notes)


def _begin(position: Position) -> Position:
    """Start the game with the current setup and replay its opening lines."""
    setup = position.setup
    if setup is None or position.game is None:
        return position._replace(state=None)
    if position.previous is not None and len(position.previous.outcome.scores) != setup.sides:
        setup = setup._replace(previous=None)
    state = position.game.begin(setup)
    for move in _in_order(position.opening or ()):
        state = position.game.play(state, move).state
    return position._replace(state=state)


def _in_order(opening: Opening) -> Iterator[Move]:
    moves = []
    while opening:
        opening, move = opening
        moves.append(move)
    return reversed(moves)


def _choose(position: Position, game: Game[Any], name: str, value: str) -> Position:
    """Apply `set`. Raises IllegalMove (`no-such-option` or `no-such-value`)."""
    option = next((o for o in game.options if o.name == name), None)
    if option is None:
        allowed = ", ".join(o.name for o in game.options)
        raise IllegalMove("no-such-option", option=name, game=game.name, allowed=allowed)
    if not option.allows(value):
        raise IllegalMove("no-such-value", option=name, value=value, allowed=option.allowed)
    chosen = {**position.options.get(game.name, _NONE), name: value}
    return _begin(position._replace(options={**position.options, game.name: chosen}))


def _agree(position: Position, game: Game[Any], move: Move) -> Position:
    """Apply a `seat` or `set` line, which is allowed only before the first deal."""
    if position.opening is None:
        raise IllegalMove("too-late", what=move.verb, why=move.verb)
    if move.verb == "set":
        return _choose(position, game, *move.words)
    seat = move.seat or 0
    if not 1 <= seat <= max(game.seats):
        raise IllegalMove("no-such-seat", seat=seat, seats=max(game.seats), why="game")
    seats = dict(position.seats) if position.seated else {}
    name = _BOARD.get(move.name or "", move.name or "")
    before = next((other for other, sits in seats.items() if sits == name), seat)
    if before != seat:  # the two players swap seats, unless one seat is empty
        if seat not in seats:
            raise IllegalMove("name-taken", name=name)
        seats[before] = seats[seat]
    seats[seat] = name
    in_order = dict(sorted(seats.items()))
    return _begin(position._replace(seats=in_order, seated=True))


FULL_EFFORT: Final = 10_000
"""The effort after which the next game begins a new evening. It is the effort of about 40 games of
cribbage with all cards. The board keeps an evening in memory (docs/performance.md gives the
limit)."""
FULL_GAMES: Final = 100
"""The number of games after which the next game also begins a new evening. Each position holds the
outcomes of all games of its evening, and the lights wait until their wins are counted."""
MOST_EFFORT: Final = 50_000
"""The maximum effort of an evening. It takes several seconds on a Raspberry Pi Zero 2 W."""
MOST_CARRIED: Final = 2_000
"""The maximum effort of the lines that an evening carries over. The players and all options of all
games need less than a tenth of it."""
_LETTERS: Final = 256
"""The number of letters that cost as much work as one move."""


class Effort:
    """An upper bound on the number of moves played to read an evening. Each line counts as at least
    one move.

    A board reads its last evening move by move before it turns on its LEDs. `amend`, `insert`,
    `undo` with `redo`, and `set` before the first deal replay moves, so a short text can require a
    lot of work. Before an evening exceeds `MOST_EFFORT`, the table begins a new evening or stops
    accepting lines. Storage does not continue an evening above this limit.
    """

    def __init__(self, prelude: str = "") -> None:
        self.total = 0
        """The effort of the lines so far, in moves."""
        self._lines = 0
        self._opening = 0
        for line in prelude.splitlines():
            self.add(line)

    def of(self, text: str) -> int:
        """Return the cost of one more line, in moves."""
        words = text.split(None, 2)[:2]
        cost = 1 + len(text) // _LETTERS
        kind = KINDS.get(words[0]) if words else None
        if kind in CORRECTIONS and words[0] != "redo":
            # The moves are taken back and may be restored.
            cost += 2 * min(_number(words[1:]), self._lines)
        elif kind is Kind.SETUP and words[0] != "game":
            cost += self._opening  # lines before the first deal are replayed
        return cost

    def add(self, text: str) -> int:
        """Add the cost of a line, and return the total."""
        self.total += self.of(text)
        self._lines += 1
        self._opening += any(KINDS.get(word) in BEFORE_DEALS for word in text.split(None, 2)[:2])
        return self.total


def _number(words: list[str]) -> int:
    """Return the number after a verb, or 1 if there is none. Invalid text does not add to the
    cost."""
    if not words:
        return 1
    return int(words[0]) if words[0].isascii() and words[0].isdigit() and len(words[0]) < 10 else 0
