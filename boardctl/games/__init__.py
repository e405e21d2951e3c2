"""The interface that every game (referee) implements, and the shared data types.

Each game is a module or package in this package and exports `GAME`. The module is named after the
game: `five-card-cribbage` is in `games/five_card_cribbage`. Rules are pure functions over frozen
states, without I/O, clocks, threads or randomness. Rejections, awards and prompts are codes with
fields, which `boardctl.text` converts to sentences.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from functools import cache, cached_property
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, TypeVar

from boardctl import modules
from boardctl.games.cards import CARDS, UNSEEN, Card, codes
from boardctl.message import Fields, Message

State = TypeVar("State")
State_co = TypeVar("State_co", covariant=True)
Value = TypeVar("Value")
Telling = Literal["points", "hands", "cards"]
"""The level of entry at a table: only points, hands at the show, or every card."""


class IllegalMove(ValueError):
    """The referee's rejection of a line. The state remains unchanged.

    `code` is stable and written in lower case with hyphens (docs/notation.md lists all codes).
    `fields` are the values for its sentence, such as numbers, cards and seats.
    """

    def __init__(self, code: str, /, **fields: object) -> None:
        super().__init__(code)
        self.code = code
        self.fields: Fields = fields

    @property
    def message(self) -> Message:
        """The message to show to people."""
        return Message("refusal", self.code, self.fields)


def because(why: str | None) -> Mapping[str, str]:
    """Return the field that selects a special sentence for a refusal. Return no fields for the
    usual sentence."""
    return {} if why is None else {"why": why}


class _New(Protocol):
    def __call__(self, kind: type[Value], fields: tuple[object, ...], /) -> Value: ...


new: Final[_New] = tuple.__new__  # type: ignore[assignment]  # for a named tuple
"""Create a named tuple from its fields without calling its Python constructor. Code that runs for
every line needs this speed (docs/performance.md)."""


def put(values: tuple[Value, ...], seat: int, value: Value) -> tuple[Value, ...]:
    """Return values by seat, seat 1 first, with one seat's value replaced."""
    changed = list(values)
    changed[seat - 1] = value
    return tuple(changed)


class Kind(Enum):
    """The category of a line. Surfaces distinguish lines by kind, not by verb."""

    SETUP = auto()
    """The players, the game and its rules."""
    SESSION = auto()
    """The beginning or the end of an evening."""
    UNDO = auto()
    """The newest moves taken back."""
    CORRECTION = auto()
    """An earlier move changed, or an undone move restored."""
    HINT = auto()
    """A hint given to a player."""
    OPENING = auto()
    """The dealer or scores before the first deal."""
    CUT = auto()
    """A card cut for the deal."""
    DEAL = auto()
    """The beginning of a deal."""
    AGREEMENT = auto()
    """A misdeal, or a game that the players give up."""
    ADJUST = auto()
    """A corrected score."""
    HAND = auto()
    """Cards dealt to a player or drawn from the pack."""
    STARTER = auto()
    """The card turned up after the discard."""
    TURNED = auto()
    """Any other card turned up in the deal."""
    BLIND = auto()
    """A card of the pack laid away unseen."""
    TRUMP = auto()
    """The trump suit, if no card shows it."""
    BID = auto()
    """A bid or a pass."""
    DISCARD = auto()
    """Cards of a hand laid away."""
    EXCHANGE = auto()
    """A card of a hand exchanged for another card."""
    PLAY = auto()
    """A card of a hand played, or a pass because no card can be played."""
    MELD = auto()
    """A combination that a player declares for points."""
    CHOICE = auto()
    """Any other decision of a player."""
    COUNT = auto()
    """A hand shown and counted."""
    CRIB = auto()
    """The crib, shown and counted."""
    CLAIM = auto()
    """A claim that the referee checks: an opponent's points, or the end of the game."""
    POINTS = auto()
    """Points entered without the cards that earned them."""


COUNTS: Final = (Kind.COUNT, Kind.CRIB)
"""The kinds of lines that count cards."""


class Move(NamedTuple):
    """One parsed line of the notation: `2 play TC = 3` is Move("play", 2, (TC,), claim=3)."""

    verb: str
    seat: int | None = None
    cards: tuple[Card, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    claim: int | None = None
    name: str | None = None
    """The free text at the end of `game`, `seat N` and `session`, or the inner line of `amend` and
    `insert`."""

    @property
    def player(self) -> int:
        """The seat number written before the verb."""
        assert self.seat is not None
        return self.seat

    @property
    def entered(self) -> str:
        """The numbers and words of the line, in order."""
        return " ".join((*map(str, self.numbers), *self.words))

    @property
    def kind(self) -> Kind | None:
        """The kind of a line that is common to all games, or None if only one game has the verb
        (`Game.kind`)."""
        return KINDS.get(self.verb)

    @property
    def begins(self) -> bool:
        """Whether the line begins a deal or a game."""
        return self.verb in ("deal", "game")


class Verb(NamedTuple):
    """The syntax of the lines with one verb, used to parse and print them.

    Every surface that shows lines relies on `secret` and `opens` (`record.visibility`).
    """

    name: str
    seated: bool = True
    cards: tuple[int, int] = (0, 0)
    """The minimum and maximum number of cards."""
    numbers: tuple[int, int] = (0, 0)
    """The minimum and maximum number of numbers."""
    words: tuple[str, ...] = ()
    """The words that may follow."""
    suit: bool = False
    """Whether one of the words is a suit, which is stored as its letter."""
    signed: bool = False
    """Whether numbers must have a sign."""
    claim: bool = False
    """Whether `= POINTS` may end the line."""
    either_sign: bool = False
    """Whether numbers may have a sign."""
    secret: bool = False
    """Whether only the player sees the cards of a line, until the deal is over or another line
    shows them."""
    opens: bool = False
    """Whether a line lays cards on the table, so that it may omit cards that were entered in
    secret."""
    kind: Kind = Kind.CHOICE
    """The subject of the lines."""


MANY: Final = 64
COMMON_VERBS: Final = (
    Verb("start", seated=False, numbers=(1, 4), kind=Kind.OPENING),
    Verb("dealer", seated=False, numbers=(1, 1), kind=Kind.OPENING),
    Verb("deal", seated=False, kind=Kind.DEAL),
    Verb("misdeal", seated=False, kind=Kind.AGREEMENT),
    Verb("abandon", seated=False, kind=Kind.AGREEMENT),
    Verb("cut", cards=(1, 1), kind=Kind.CUT),
    Verb("adjust", numbers=(1, 1), signed=True, kind=Kind.ADJUST),
    Verb("resign", kind=Kind.AGREEMENT),
)
"""The verbs that all games share. `games.common.referee` plays them."""
KINDS: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("game", "seat", "set"), Kind.SETUP),
    "session": Kind.SESSION,
    "undo": Kind.UNDO,
    **dict.fromkeys(("redo", "amend", "insert"), Kind.CORRECTION),
    "hint": Kind.HINT,
    **{verb.name: verb.kind for verb in COMMON_VERBS},
}
"""The kinds of the lines that all records and games share, by verb."""
CORRECTIONS: Final = (Kind.UNDO, Kind.CORRECTION)
"""The kinds of lines that change which moves are in effect."""
BEFORE_DEALS: Final = (Kind.OPENING, Kind.CUT, Kind.ADJUST)
"""The kinds of lines allowed before the first deal of a game."""
NOT_MOVES: Final = (*CORRECTIONS, Kind.SESSION, Kind.HINT)
"""The kinds of lines that cannot be undone."""


_DIGITS: Final = 9
"""The maximum number of digits in the number of an option."""


class Option(NamedTuple):
    """A rule option, which `set NAME VALUE` sets.

    Either `values` lists the values, or `numbers` is the range of an integer. With `seats` and
    `only_if`, lists show the option only under these conditions (`relevant`). `set` always accepts
    the option.
    """

    name: str
    default: str
    values: tuple[str, ...] = ()
    numbers: range | None = None
    seats: tuple[int, ...] = ()
    """The numbers of seats for which the option matters, or an empty tuple for all numbers."""
    only_if: tuple[str, str] | None = None
    """The name and value of another option on which this option depends, or None."""

    def allows(self, value: str) -> bool:
        if self.numbers is None:
            return value in self.values
        # Python refuses to convert numbers with thousands of digits.
        number = value.isascii() and value.isdigit() and len(value) <= _DIGITS
        return number and int(value) in self.numbers

    @property
    def allowed(self) -> str:
        """The allowed values as text, such as `on, off` or `31 to 121`. The step is included unless
        it is 1."""
        if self.numbers is None:
            return ", ".join(self.values)
        steps = f" in steps of {self.numbers.step}" if self.numbers.step != 1 else ""
        return f"{self.numbers[0]} to {self.numbers[-1]}{steps}"


class NamedTable(NamedTuple):
    """A set of rules of a federation, league or book, with a name that players recognize."""

    name: str
    """The code of the rules. `boardctl.text` provides the displayed name."""
    options: Mapping[str, str]
    """The options that the table sets. All named tables of a game set the same options, so one
    table completely replaces another."""
    source: str
    """The published document."""
    seats: tuple[int, ...] = ()
    """The numbers of players to which these rules apply, or an empty tuple for every number."""

    def complete(self, options: Iterable[Option]) -> dict[str, str]:
        """Return the value of every option under these rules, including unchanged defaults."""
        return {option.name: self.options.get(option.name, option.default) for option in options}


Margin = Literal["game", "skunk", "double-skunk", "double"]


class Outcome(NamedTuple):
    """The outcome of a game so far."""

    state: Literal["won", "draw", "unfinished", "abandoned"]
    scores: tuple[int, ...]
    winner: int | None = None
    """The winning side, or None."""
    won: tuple[int, ...] = ()
    """The number of games that each side won."""
    lost: tuple[int, ...] = ()
    """The number of games that each side lost."""
    margin: Margin | None = None


class Previous(NamedTuple):
    """The previous game at the same table. It determines who deals first in the next game
    (`next_game_dealer`)."""

    first_dealer: int
    dealer: int
    outcome: Outcome
    trump: str | None = None


def side_of(seat: int, sides: int) -> int:
    """Return the side of a seat, from 1. If there are half as many sides as seats, partners sit
    opposite each other."""
    return (seat - 1) % sides + 1


class Setup(NamedTuple):
    """The setup of a game: the names by seat, the value of every option, and the previous game."""

    seats: tuple[str, ...]
    options: Mapping[str, str]
    previous: Previous | None = None

    @property
    def sides(self) -> int:
        """The number of sides. Four players play as partners, so four seats form two sides."""
        return 2 if len(self.seats) == 4 else len(self.seats)

    def side(self, seat: int) -> int:
        """Return the side of a seat, from 1. With four seats, opposite seats belong to the same
        side."""
        return side_of(seat, self.sides)

    def after(self, seat: int) -> int:
        """Return the next seat clockwise after a seat."""
        return seat % len(self.seats) + 1


class Award(NamedTuple):
    """Points earned by a line."""

    seat: int
    points: int
    reason: str
    """The code of the reason."""
    cards: tuple[Card, ...] = ()
    """The combination that earned the points."""


def awards_json(awards: Iterable[Award]) -> list[dict[str, object]]:
    """Return awards as JSON data, in order. Every surface uses this form: `seat` (from 1),
    `points`, the code `reason`, and `cards` in the notation."""
    return [{**award._asdict(), "cards": codes(award.cards)} for award in awards]


class Note(NamedTuple):
    """A message that does not change the score, such as `claim-differs` with the claimed and the
    true points."""

    code: str
    fields: Fields = MappingProxyType({})


class Situation(NamedTuple):
    """The state of a game in the form that `boardctl replay` prints."""

    phase: str
    turn: int | None = None
    dealer: int | None = None
    count: int | None = None  # type: ignore[assignment]  # hides the method of tuples
    trump: str | None = None
    """The letter of the trump suit."""
    more: Fields = MappingProxyType({})
    """Additional values in some games, by name, such as a bid and its bidder."""


class Ask(NamedTuple):
    """One possible entry, as the keypad and the page offer it.

    The kinds are:

    * `confirm`: `move` is complete.
    * `cards`: `move` is completed with `least` to `most` cards. If `cards` is not None, they are
      chosen from it. With `ranks`, only the ranks are entered, and suits are asked for afterwards
      if they matter.
    * `number`: `move` is completed with a number from `least` to `most`, typed in units of `scale`.
      Digits after a seat key enter the number directly. With `after_points`, they do so only if
      they cannot be points (`Prompt.pegs`). Otherwise the ask must be opened first.
    * `choice`: one of `choices` is played.
    """

    code: str
    """Together with `fields`, the code selects the question in `boardctl.text`."""
    kind: Literal["confirm", "cards", "number", "choice"]
    move: Move
    telling: Telling = "points"
    """The lowest level of entry at which a table gets this ask."""
    least: int = 0
    most: int = 0
    scale: int = 1
    barred: tuple[int, ...] = ()
    """Numbers that are not possible."""
    ranks: bool = False
    cards: tuple[Card, ...] | None = None
    choices: tuple[Move, ...] = ()
    after_points: bool = False
    """Whether points or melds usually precede this entry, so that it is offered rather than asked
    for."""
    fields: Fields = MappingProxyType({})

    @property
    def seat(self) -> int | None:
        return self.move.seat


class Prompt(NamedTuple):
    """All expected entries, most usual first. The referee accepts every completed ask, unless it
    combines cards that can be entered only separately.

    `pegs` contains the seats that may enter points now (`N peg POINTS`), typed in units of `scale`.
    With `signed`, a minus sign is also allowed.
    """

    asks: tuple[Ask, ...] = ()
    pegs: tuple[int, ...] = ()
    scale: int = 1
    signed: bool = False


class Standing(NamedTuple):
    """The score of one side, and its score before the latest event (the rear peg)."""

    score: int
    before: int


class Line(NamedTuple):
    """A line across the board, just before `hole`. The skunk line is Line("skunk", 91)."""

    name: str
    hole: int


class Scoreboard(NamedTuple):
    """All the data that a display needs to show a game. Sides and seats count from 1.

    A score is shown at hole `score // unit` with `score % unit` pips. One trip round the board is
    one game (docs/rules/board-mapping.md).
    """

    standings: tuple[Standing, ...]
    unit: int = 1
    goal: int = 121
    """The hole of the goal line."""
    lines: tuple[Line, ...] = ()
    dealer: int | None = None
    turn: int | None = None
    winner: int | None = None
    over: bool = False
    readouts: tuple[Note, ...] = ()
    """Further codes with fields for the display and the page, such as trump, maker and tricks
    left."""
    target: int | None = None
    """The winning score. It is None if it equals the score at the goal line, which a target of 1001
    with ten points per hole does not. It is 0 in a one-deal game, which no score wins."""

    @property
    def winning(self) -> int | None:
        """The score needed to win, or None if no particular score wins."""
        return self.goal * self.unit if self.target is None else self.target or None

    @property
    def displayed_scores(self) -> tuple[int, ...]:
        """The displayed score of each side. If a hole is worth one point, points beyond the game
        hole are not shown (ACC Tournament Rules, rule 1.6)."""
        scores = [side.score for side in self.standings]
        return tuple(scores if self.unit > 1 else [min(score, self.goal) for score in scores])


class Played(NamedTuple, Generic[State_co]):
    """The result of a move: the new state, the points earned, and notes."""

    state: State_co
    awards: tuple[Award, ...] = ()
    notes: tuple[Note, ...] = ()


class Game(ABC, Generic[State]):
    """A referee. It stores nothing: all the data of a game is in its `State`."""

    name: str
    seats: tuple[int, ...]
    """The allowed numbers of seats."""
    options: tuple[Option, ...]
    tables: tuple[NamedTable, ...] = ()
    """The named tables that people may choose instead of setting options one by one."""
    pack: tuple[Card, ...] = CARDS
    """The distinct cards in the pack of the game."""
    copies: int = 1
    """The number of copies of each card in the pack."""
    limit: int | None = None
    """The running count that no card may exceed, or None for a game without a count."""
    for_clubs: bool = False
    """Whether club evenings count this game in their standings."""
    source: str = ""
    """The source of the rules, for the list of games. docs/rules gives the details."""
    verbs: tuple[Verb, ...]
    """The verbs of this game, in addition to COMMON_VERBS."""

    @abstractmethod
    def begin(self, setup: Setup) -> State:
        """Return the state before the first line. The length of `setup.seats` must be allowed."""

    @abstractmethod
    def play(self, state: State, move: Move) -> Played[State]:
        """Return the state after a move. Raises IllegalMove, in which case the state is
        unchanged."""

    def close(self, state: State) -> Played[State]:
        """Close an open claim at the end of the record, session or game."""
        return Played(state)

    def is_fresh(self, state: State) -> bool:
        """Return whether a deal was announced but nothing has been entered for it."""
        return False

    @cached_property
    def _kinds(self) -> Mapping[tuple[str, bool], Kind]:
        return {(verb.name, verb.seated): verb.kind for verb in self.verbs}

    def kind(self, move: Move) -> Kind:
        """Return the kind of a line (`Verb.kind`)."""
        return move.kind or self._kinds.get((move.verb, move.seat is not None), Kind.CHOICE)

    def secret(self, move: Move) -> bool:
        """Return whether only the player whose line it is may see its cards (`Verb.secret`)."""
        return self._declared(move, "secret")

    def opens(self, move: Move) -> bool:
        """Return whether a line reveals cards that may have been secret (`Verb.opens`)."""
        return self._declared(move, "opens")

    def _declared(self, move: Move, what: Literal["secret", "opens"]) -> bool:
        shape = (move.verb, move.seat is not None)
        return any(getattr(v, what) for v in self.verbs if (v.name, v.seated) == shape)

    def hide_cards(self, move: Move) -> Move:
        """Return a line as other viewers see it, with secret cards replaced by `?`."""
        if not self.secret(move):
            return move
        return move._replace(cards=(UNSEEN,) * len(move.cards), claim=None)

    def visible_lines(
        self, before: State, move: Move, later: Sequence[Move], seat: int | None
    ) -> tuple[Move, ...]:
        """Return the lines that a viewer sees in place of a line with secret or newly revealed
        cards.

        Args:
            before: the state before the line, with every entered card.
            move: the line.
            later: the later lines of the same deal.
            seat: the viewer's seat, or None for an onlooker.
        """
        mine = move.seat is not None and move.seat == seat
        return (move if mine else self.hide_cards(move),)

    def promised(self, state: State, move: Move) -> tuple[Award, ...]:
        """Return the awards for a meld that scores only when its deal is settled."""
        return ()

    def held_by(self, state: State, seat: int) -> tuple[Card, ...] | None:
        """Return the cards that a seat holds now, sorted as in a hand, or None if some of them are
        unknown."""
        return None

    def luck(self, hand: Sequence[Card], starter: Card) -> float | None:
        """Return the points of a counted hand minus its average over all starters. Return None if
        this is unknown or meaningless in the game."""
        return None

    @abstractmethod
    def prompt(self, state: State) -> Prompt:
        """Return all expected entries."""

    @abstractmethod
    def situation(self, state: State) -> Situation:
        """Return the situation to print."""

    @abstractmethod
    def scoreboard(self, state: State) -> Scoreboard:
        """Return the data to display the game on the board."""

    @abstractmethod
    def outcome(self, state: State) -> Outcome:
        """Return the outcome, which is `unfinished` while the game continues."""

    @abstractmethod
    def first_dealer(self, state: State) -> int | None:
        """Return the first dealer of this game, or None if this dealer is not known yet."""


def kind_of(move: Move, game: Game[State] | None) -> Kind:
    """Return the kind of a line. `game` is None if no game has been chosen."""
    return (move.kind or Kind.CHOICE) if game is None else game.kind(move)


def relevant(game: Game[State], seats: int, chosen: Mapping[str, str]) -> tuple[Option, ...]:
    """Return the options that apply to this number of seats and these other options, in the game's
    order.

    Args:
        game: the game.
        seats: the number of seats.
        chosen: the values of options. Missing options have their defaults.
    """
    now = {option.name: option.default for option in game.options} | dict(chosen)
    fitting = [option for option in game.options if not option.seats or seats in option.seats]
    names = {option.name for option in fitting}
    return tuple(
        option
        for option in fitting
        if (option.numbers is not None or len(option.values) > 1)
        and (
            option.only_if is None
            or (option.only_if[0] in names and now[option.only_if[0]] == option.only_if[1])
        )
    )


_SHARED: Final = frozenset({"cards", "common"})
"""Modules of this package that are not games."""


def names() -> tuple[str, ...]:
    """Return the names of all games, one for each module in this package. No module is imported."""
    return _module_names(tuple(__path__))


@cache
def _module_names(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the modules on disk. They are cached, because reporting an unknown verb
    needs them several times."""
    return tuple(
        sorted(name.replace("_", "-") for name in modules.names(path) if name not in _SHARED)
    )


ALIASES: Final[Mapping[str, str]] = dict.fromkeys(
    (
        *("clabber", "clabiasch", "clob", "clobber", "clobby", "clobiosh", "clobyosh"),
        *("kalaber", "kalabrias", "kalabriasz", "klab", "klabberjass", "klabrias", "klob"),
    ),
    "klaberjass",
)
"""Alternative names of games, which `game` lines also accept."""


def canonical(name: str) -> str:
    """Return the standard name of a game, given any of its names in any capitalization."""
    return ALIASES.get(name.lower(), name.lower())


def find(name: str) -> Game[Any]:
    """Return the referee of a game by one of its names.

    Raises:
        IllegalMove: `no-such-game`, with the allowed names.
    """
    name = ALIASES.get(name, name)
    if name not in names():
        raise IllegalMove("no-such-game", name=name, allowed=", ".join(names()))
    game: Game[Any] = import_module(f"{__name__}.{name.replace('-', '_')}").GAME
    return game
