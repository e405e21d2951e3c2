"""What a game is: the face behind which every referee stands.

A game is one room (a file or a folder) in this package that exports `GAME` and is found by its
name: `five-card-cribbage` lives in `games/five_card_cribbage`. Rules are pure
functions over frozen states: no I/O, clock, thread or randomness, and no sentences: refusals,
awards and prompts are codes with fields, which only `boardctl.text` turns into words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

from boardctl.cards import Card

State = TypeVar("State")
Telling = Literal["points", "hands", "cards"]
"""How much a table tells the referee: scores only, hands at the show, or every card."""


class IllegalMove(ValueError):
    """A line that the referee refuses; nothing has changed.

    `code` is stable, lower case with hyphens (docs/notation.md lists all); `fields` hold what a
    sentence needs: numbers, cards, seats.
    """

    def __init__(self, code: str, /, **fields: Any) -> None:
        super().__init__(code)
        self.code = code
        self.fields: Mapping[str, Any] = fields


class Move(NamedTuple):
    """One line of the notation, read: `2 play TC = 3` is Move("play", 2, (TC,), claim=3)."""

    verb: str
    seat: int | None = None
    cards: tuple[Card, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    claim: int | None = None
    name: str | None = None
    """The free text that ends `game`, `seat N` and `session`, the line in `amend` and `insert`."""


class Verb(NamedTuple):
    """The shape of a verb's lines, from which they are read and printed.

    `cards` and `numbers` give the least and the most of each; `words` what may follow, `suit`
    that one of the words is a suit (kept as its letter); `claim` that `= POINTS` may end it;
    `signed` that numbers have a sign, `either_sign` that they may have one.
    """

    name: str
    seated: bool = True
    cards: tuple[int, int] = (0, 0)
    numbers: tuple[int, int] = (0, 0)
    words: tuple[str, ...] = ()
    suit: bool = False
    signed: bool = False
    claim: bool = False
    either_sign: bool = False


MANY: Final = 64
COMMON_VERBS: Final = (
    Verb("start", seated=False, numbers=(1, 4)),
    Verb("dealer", seated=False, numbers=(1, 1)),
    Verb("deal", seated=False),
    Verb("misdeal", seated=False),
    Verb("abandon", seated=False),
    Verb("cut", cards=(1, 1)),
    Verb("adjust", numbers=(1, 1), signed=True),
    Verb("resign"),
)
"""The lines that every game understands in the same way (`games.table_rules` plays them)."""


class Option(NamedTuple):
    """A rule that a table may choose: `set NAME VALUE`. `values` lists them, or `numbers` bounds
    a whole number."""

    name: str
    default: str
    values: tuple[str, ...] = ()
    numbers: range | None = None

    def allows(self, value: str) -> bool:
        if self.numbers is None:
            return value in self.values
        return value.isascii() and value.isdigit() and int(value) in self.numbers

    @property
    def allowed(self) -> str:
        """What a refusal lists: `on, off` or `31 to 121`."""
        if self.numbers is None:
            return ", ".join(self.values)
        return f"{self.numbers[0]} to {self.numbers[-1]}"


class Outcome(NamedTuple):
    """How a game ended, or stands. `winner` is a side; `won` and `lost` are games by side."""

    state: Literal["won", "draw", "unfinished", "abandoned"]
    scores: tuple[int, ...]
    winner: int | None = None
    won: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    margin: Literal["game", "skunk", "double-skunk", "double"] | None = None


class Previous(NamedTuple):
    """The game before this one at the same table, for who deals next (`next_game_dealer`)."""

    first_dealer: int
    dealer: int
    outcome: Outcome
    trump: str | None = None


class Setup(NamedTuple):
    """What is agreed before a game: names by seat, every option's value, the game before."""

    seats: tuple[str, ...]
    options: Mapping[str, str]
    previous: Previous | None = None

    @property
    def sides(self) -> int:
        """Four play as partners, so four seats are two sides."""
        return 2 if len(self.seats) == 4 else len(self.seats)

    def side(self, seat: int) -> int:
        """The side (from 1) of a seat: opposite seats of four share one."""
        return (seat - 1) % self.sides + 1

    def after(self, seat: int) -> int:
        """The next seat clockwise."""
        return seat % len(self.seats) + 1


class Award(NamedTuple):
    """Points a line earned: `reason` is a code, `cards` the combination that earned them."""

    seat: int
    points: int
    reason: str
    cards: tuple[Card, ...] = ()


class Note(NamedTuple):
    """Something to tell that changes no score, e.g. `claim-differs` with said and true."""

    code: str
    fields: Mapping[str, Any] = MappingProxyType({})


class Situation(NamedTuple):
    """Where a game stands, as `boardctl replay` prints it. `trump` is a suit's letter."""

    phase: str
    turn: int | None = None
    dealer: int | None = None
    count: int | None = None  # type: ignore[assignment]  # the running count, not the tuple's method
    trump: str | None = None
    more: Mapping[str, Any] = MappingProxyType({})
    """What only some games tell, by name: a bid, its bidder."""


class Ask(NamedTuple):
    """One thing that could be told next, as keypad and page offer it.

    kind:
        `confirm`: `move` is said as it stands.
        `cards`: `move` is completed with `least` to `most` cards, out of `cards` where they are
        known, and by rank alone where `ranks` (suits are asked afterwards if they matter).
        `number`: `move` is completed with a number from `least` to `most`, typed in units of
        `scale`; those in `barred` cannot be. Digits after a seat key tell it at once; with
        `after_points` only where they cannot be meant as points (`pegs`), and else it is opened
        first.
        `choice`: one of `choices` is said.
    telling: the least telling at which a table would want to be asked.
    code and fields: what `boardctl.text` makes the question of.
    """

    code: str
    kind: Literal["confirm", "cards", "number", "choice"]
    move: Move
    telling: Telling = "points"
    least: int = 0
    most: int = 0
    scale: int = 1
    barred: tuple[int, ...] = ()
    ranks: bool = False
    cards: tuple[Card, ...] | None = None
    choices: tuple[Move, ...] = ()
    after_points: bool = False
    fields: Mapping[str, Any] = MappingProxyType({})

    @property
    def seat(self) -> int | None:
        return self.move.seat


class Prompt(NamedTuple):
    """All that is due, the most usual first; every ask, completed as it says, is accepted, but for
    cards that can each be told and not all together.

    `pegs` names the seats that may tell points now (`N peg POINTS`), typed in units of `scale`, and
    where `signed` with a minus too.
    """

    asks: tuple[Ask, ...] = ()
    pegs: tuple[int, ...] = ()
    scale: int = 1
    signed: bool = False


class Standing(NamedTuple):
    """One side's score, and where its rear peg stands: the score before its latest event."""

    score: int
    before: int


class Line(NamedTuple):
    """A line across the board just before `hole`: the skunk line is Line("skunk", 91)."""

    name: str
    hole: int


class Scoreboard(NamedTuple):
    """All that any picture of a game needs; sides and seats count from 1.

    A score stands at hole `score // unit` with `score % unit` pips beside it; `goal` is the hole
    of the goal line (docs/rules/board-mapping.md: one trip is one game). `readouts` are further
    codes with fields for display and page: trump, maker, tricks left.
    """

    standings: tuple[Standing, ...]
    unit: int = 1
    goal: int = 121
    lines: tuple[Line, ...] = ()
    dealer: int | None = None
    turn: int | None = None
    winner: int | None = None
    over: bool = False
    readouts: tuple[Note, ...] = ()

    def shown(self, score: int) -> int:
        """A score as people read it: where one hole is one point the game hole is the end, and what
        the last hand counted beyond it is not (ACC Tournament Rules, rule 1.6)."""
        return min(score, self.goal) if self.unit == 1 else score


class Played(NamedTuple, Generic[State]):
    """What a move did: the new state, the points it earned, what there is to tell."""

    state: State
    awards: tuple[Award, ...] = ()
    notes: tuple[Note, ...] = ()


class Game(ABC, Generic[State]):
    """A referee. Stateless: all knowledge of a game is in the State it hands out."""

    name: str
    seats: tuple[int, ...]
    """How many may sit down."""
    options: tuple[Option, ...]
    source: str = ""
    """Whose rules they are, for the list of games; docs/rules has all of them."""
    verbs: tuple[Verb, ...]
    """The lines of its own, besides COMMON_VERBS."""

    @abstractmethod
    def begin(self, setup: Setup) -> State:
        """The state before the first line; `setup.seats` has an allowed length."""

    @abstractmethod
    def play(self, state: State, move: Move) -> Played[State]:
        """The state after a move. Raises IllegalMove; nothing has changed then."""

    def close(self, state: State) -> Played[State]:
        """What ends with the record, the session or the next game: an open claim's window."""
        return Played(state)

    @abstractmethod
    def prompt(self, state: State) -> Prompt:
        """What is due."""

    @abstractmethod
    def situation(self, state: State) -> Situation:
        """Where the game stands."""

    @abstractmethod
    def scoreboard(self, state: State) -> Scoreboard:
        """What the board shows."""

    @abstractmethod
    def outcome(self, state: State) -> Outcome:
        """How the game ended, `unfinished` while it goes on."""

    @abstractmethod
    def first_dealer(self, state: State) -> int | None:
        """Who dealt first in this game, None before that is known."""


_SHARED: Final = frozenset({"table_rules", "common"})
"""Modules beside the games that are none."""


def names() -> tuple[str, ...]:
    """The games that can be found: one for each module in this package, none imported yet."""
    return _found(tuple(__path__))


@cache
def _found(path: tuple[str, ...]) -> tuple[str, ...]:
    """Looked up on disk once: a line that no game knows asks for all names several times."""
    return tuple(
        sorted(
            module.name.replace("_", "-")
            for module in iter_modules(path)
            if module.name not in _SHARED
        )
    )


ALIASES: Final[Mapping[str, str]] = dict.fromkeys(
    (
        *("clabber", "clabiasch", "clob", "clobber", "clobby", "clobiosh", "clobyosh"),
        *("kalaber", "kalabrias", "kalabriasz", "klab", "klabberjass", "klabrias", "klob"),
    ),
    "klaberjass",
)
"""Other names under which a game is known; `game` lines say them too."""


def find(name: str) -> Game[Any]:
    """The referee of a game by its name, or by one of its other names.

    Raises:
        IllegalMove: `no-such-game`, with the names that are allowed.
    """
    name = ALIASES.get(name, name)
    if name not in names():
        raise IllegalMove("no-such-game", name=name, allowed=", ".join(names()))
    game: Game[Any] = import_module(f"{__name__}.{name.replace('-', '_')}").GAME
    return game
