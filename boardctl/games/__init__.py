"""The interface of games (referees), and their common data types.

A game is a module or package here that exports `GAME` and is found by its name:
`five-card-cribbage` is in `games/five_card_cribbage`. Rules are pure functions over frozen states
without I/O, clock, threads or randomness. Rejections, awards and prompts are codes with fields,
which `boardctl.text` turns into sentences.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from functools import cache, cached_property
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, TypeVar

from boardctl.games.cards import CARDS, UNSEEN, Card, codes
from boardctl.message import Fields, Message

State = TypeVar("State")
State_co = TypeVar("State_co", covariant=True)
Value = TypeVar("Value")
Telling = Literal["points", "hands", "cards"]
"""The amount that a table enters: only points, hands at the show, or every card."""


class IllegalMove(ValueError):
    """A line rejected by the referee, which leaves the state unchanged.

    `code` is stable and written in lower case with hyphens (docs/notation.md lists all codes);
    `fields` are the values for its sentence: numbers, cards, seats.
    """

    def __init__(self, code: str, /, **fields: object) -> None:
        super().__init__(code)
        self.code = code
        self.fields: Fields = fields

    @property
    def message(self) -> Message:
        """The message for a person."""
        return Message("refusal", self.code, self.fields)


def because(why: str | None) -> Mapping[str, str]:
    """Return the field of a refusal that selects the sentence for its situation; none for the usual
    sentence."""
    return {} if why is None else {"why": why}


class _New(Protocol):
    def __call__(self, kind: type[Value], fields: tuple[object, ...], /) -> Value: ...


new: Final[_New] = tuple.__new__  # type: ignore[assignment]  # of a tuple with field names
"""Build a named tuple from all its fields without calling its Python constructor. Code that runs
for every line needs the speed (docs/performance.md)."""


def put(values: tuple[Value, ...], seat: int, value: Value) -> tuple[Value, ...]:
    """Return the values by seat, seat 1 first, with the value of one seat replaced."""
    changed = list(values)
    changed[seat - 1] = value
    return tuple(changed)


class Kind(Enum):
    """The subject of a line. Surfaces switch on it instead of on verbs."""

    SETUP = auto()
    """The players, the game and its rules."""
    SESSION = auto()
    """An evening begins or ends."""
    UNDO = auto()
    """The newest moves are taken back."""
    CORRECTION = auto()
    """An earlier move is changed, or an undone one is restored."""
    HINT = auto()
    """A player got a hint."""
    OPENING = auto()
    """The dealer or scores before the first deal."""
    CUT = auto()
    """A card cut for the deal."""
    DEAL = auto()
    """A misdeal, or an abandoned game."""
    AGREEMENT = auto()
    """A misdeal, or a game that is given up."""
    ADJUST = auto()
    """A corrected score."""
    HAND = auto()
    """Cards of the pack in a player's hand."""
    STARTER = auto()
    """The card turned up after the discard."""
    TURNED = auto()
    """Any other cards turned up by the deal."""
    BLIND = auto()
    """A card of the pack laid away unseen."""
    TRUMP = auto()
    """The trump suit, if no card shows it."""
    BID = auto()
    """A bid or a pass."""
    DISCARD = auto()
    """Cards of a hand laid away."""
    EXCHANGE = auto()
    """A card of a hand exchanged for another one."""
    PLAY = auto()
    """A card of a hand played, or a pass because no card can be played."""
    MELD = auto()
    """A combination declared for points."""
    CHOICE = auto()
    """Any other decision of a player."""
    COUNT = auto()
    """A hand laid open and counted."""
    CRIB = auto()
    """The cards that were laid away, laid open and counted."""
    CLAIM = auto()
    """A claim that the referee checks: an opponent's points, or the end of the game."""
    POINTS = auto()
    """Points entered without the cards that earned them."""


COUNTS: Final = (Kind.COUNT, Kind.CRIB)
"""The lines that count cards."""


class Move(NamedTuple):
    """One parsed line of the notation: `2 play TC = 3` is Move("play", 2, (TC,), claim=3)."""

    verb: str
    seat: int | None = None
    cards: tuple[Card, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    claim: int | None = None
    name: str | None = None
    """The free text that ends `game`, `seat N` and `session`, the line in `amend` and `insert`."""

    @property
    def player(self) -> int:
        """The seat in front of the verb."""
        assert self.seat is not None
        return self.seat

    @property
    def entered(self) -> str:
        """The numbers and words of the line, in their order."""
        return " ".join((*map(str, self.numbers), *self.words))

    @property
    def kind(self) -> Kind | None:
        """The kind of a line common to all games, or None for a game's own verb (`Game.kind`)."""
        return KINDS.get(self.verb)

    @property
    def begins(self) -> bool:
        """Whether the line begins a deal or a game."""
        return self.verb in ("deal", "game")


class Verb(NamedTuple):
    """The syntax of a verb's lines, used to parse and print them.

    `cards` and `numbers` are the minimum and maximum of each; `words` the words that may follow,
    `suit` whether one of them is a suit (kept as its letter); `claim` whether `= POINTS` may end
    the line; `signed` whether numbers have a sign, `either_sign` whether they may have one.

    `secret`: only its player sees its cards until the deal is over, or until another line shows
    them. `opens`: it lays cards on the table, so it may omit cards that were entered in secret.
    Every surface that shows lines relies on this (`record.visibility`).

    `kind`: the subject of its lines.
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
    secret: bool = False
    opens: bool = False
    kind: Kind = Kind.CHOICE


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
"""The verbs common to all games (played by `games.common.referee`)."""
KINDS: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("game", "seat", "set"), Kind.SETUP),
    "session": Kind.SESSION,
    "undo": Kind.UNDO,
    **dict.fromkeys(("redo", "amend", "insert"), Kind.CORRECTION),
    "hint": Kind.HINT,
    **{verb.name: verb.kind for verb in COMMON_VERBS},
}
"""The kinds of the lines common to all records and games, by verb."""
CORRECTIONS: Final = (Kind.UNDO, Kind.CORRECTION)
"""The lines that change which moves are in effect."""
BEFORE_DEALS: Final = (Kind.OPENING, Kind.CUT, Kind.ADJUST)
"""The lines allowed before the first deal of a game."""
NOT_MOVES: Final = (*CORRECTIONS, Kind.SESSION, Kind.HINT)
"""The lines that cannot themselves be undone."""


_DIGITS: Final = 9
"""Maximum digits of an option's number."""


class Option(NamedTuple):
    """A rule option: `set NAME VALUE`. Either `values` lists the values, or `numbers` is the range
    of an integer.

    `seats` and `only_if` limit an option in lists (`relevant`); `set` is accepted in other games
    too. `seats`: the numbers of seats, empty for all. `only_if`: the name and value of another
    option that it depends on.
    """

    name: str
    default: str
    values: tuple[str, ...] = ()
    numbers: range | None = None
    seats: tuple[int, ...] = ()
    only_if: tuple[str, str] | None = None

    def allows(self, value: str) -> bool:
        if self.numbers is None:
            return value in self.values
        # Python refuses to convert thousands of digits.
        number = value.isascii() and value.isdigit() and len(value) <= _DIGITS
        return number and int(value) in self.numbers

    @property
    def allowed(self) -> str:
        """The allowed values as text: `on, off` or `31 to 121`, with the step unless it is 1."""
        if self.numbers is None:
            return ", ".join(self.values)
        steps = f" in steps of {self.numbers.step}" if self.numbers.step != 1 else ""
        return f"{self.numbers[0]} to {self.numbers[-1]}{steps}"


class NamedTable(NamedTuple):
    """The rules of a federation, a league or a book, under a name that players recognize."""

    name: str
    """The code of the rules; `boardctl.text` provides the displayed name."""
    options: Mapping[str, str]
    """The options that it sets. All tables of a game set the same options, so choosing one replaces
    another."""
    source: str
    """The published document."""
    seats: tuple[int, ...] = ()
    """The numbers of players to which these rules apply; empty for every number."""

    def complete(self, options: Iterable[Option]) -> dict[str, str]:
        """Return the value of every option at this table, including unchanged defaults."""
        return {option.name: self.options.get(option.name, option.default) for option in options}


Margin = Literal["game", "skunk", "double-skunk", "double"]


class Outcome(NamedTuple):
    """The outcome of a game so far. `winner` is a side; `won` and `lost` are games by side."""

    state: Literal["won", "draw", "unfinished", "abandoned"]
    scores: tuple[int, ...]
    winner: int | None = None
    won: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    margin: Margin | None = None


class Previous(NamedTuple):
    """The previous game at the same table, to determine the dealer (`next_game_dealer`)."""

    first_dealer: int
    dealer: int
    outcome: Outcome
    trump: str | None = None


def side_of(seat: int, sides: int) -> int:
    """Return the side (from 1) of a seat: with half as many sides as seats, partners sit opposite
    each other."""
    return (seat - 1) % sides + 1


class Setup(NamedTuple):
    """The setup of a game: names by seat, every option's value, the previous game."""

    seats: tuple[str, ...]
    options: Mapping[str, str]
    previous: Previous | None = None

    @property
    def sides(self) -> int:
        """The number of sides: four players play as partners, so four seats are two sides."""
        return 2 if len(self.seats) == 4 else len(self.seats)

    def side(self, seat: int) -> int:
        """Return the side (from 1) of a seat: opposite seats of four share one."""
        return side_of(seat, self.sides)

    def after(self, seat: int) -> int:
        """Return the next seat clockwise."""
        return seat % len(self.seats) + 1


class Award(NamedTuple):
    """Points earned by a line: `reason` is a code, `cards` the combination that earned them."""

    seat: int
    points: int
    reason: str
    cards: tuple[Card, ...] = ()


def awards_json(awards: Iterable[Award]) -> list[dict[str, object]]:
    """Return awards as JSON in their order, in the one form for every surface: `seat` (from 1),
    `points`, the code `reason`, and `cards` in the notation."""
    return [{**award._asdict(), "cards": codes(award.cards)} for award in awards]


class Note(NamedTuple):
    """A message that does not change a score, e.g. `claim-differs` with the claimed and true
    points."""

    code: str
    fields: Fields = MappingProxyType({})


class Situation(NamedTuple):
    """A game's situation, as `boardctl replay` prints it. `trump` is a suit's letter."""

    phase: str
    turn: int | None = None
    dealer: int | None = None
    count: int | None = None  # type: ignore[assignment]  # the running count, not the tuple's method
    trump: str | None = None
    more: Fields = MappingProxyType({})
    """Additional values of some games, by name: a bid, its bidder."""


class Ask(NamedTuple):
    """One thing that could be entered next, as keypad and page offer it.

    kind:
        `confirm`: `move` is complete.
        `cards`: `move` is completed with `least` to `most` cards, out of `cards` if these are
            known; with `ranks`, by rank alone (suits are asked afterwards if they matter).
            `number`: `move` is completed with a number from `least` to `most`, typed in units of
            `scale`; those in `barred` are not possible. Digits after a seat key enter it directly;
            with `after_points` only if they cannot be points (`pegs`), otherwise it must be opened
            first. `choice`: one of `choices` is played.
    after_points: points or melds usually come before it, so it is offered rather than asked for.
    telling: the lowest level of entry at which a table is asked.
    code and fields: select the question in `boardctl.text`.
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
    fields: Fields = MappingProxyType({})

    @property
    def seat(self) -> int | None:
        return self.move.seat


class Prompt(NamedTuple):
    """All expected entries, the most usual first. The referee accepts every ask once it is
    completed, except for cards that can be entered singly but not together.

    `pegs` names the seats that may enter points now (`N peg POINTS`), typed in units of `scale`; if
    `signed`, a minus is also allowed.
    """

    asks: tuple[Ask, ...] = ()
    pegs: tuple[int, ...] = ()
    scale: int = 1
    signed: bool = False


class Standing(NamedTuple):
    """One side's score, and the score of its rear peg, before the latest event."""

    score: int
    before: int


class Line(NamedTuple):
    """A line across the board just before `hole`. The skunk line is Line("skunk", 91)."""

    name: str
    hole: int


class Scoreboard(NamedTuple):
    """Everything a display needs to show a game; sides and seats count from 1.

    A score is shown at hole `score // unit` with `score % unit` pips; `goal` is the hole of the
    goal line (docs/rules/board-mapping.md: one trip is one game). `readouts` are further codes with
    fields for display and page: trump, maker, tricks left. `target` is the winning score. It is
    None if it equals the score at the goal line, unlike 1001 on a board with ten points per hole.
    It is 0 in a one-deal game, which no score wins.
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
    target: int | None = None

    @property
    def winning(self) -> int | None:
        """The winning score, or None if no score wins."""
        return self.goal * self.unit if self.target is None else self.target or None

    @property
    def shown(self) -> tuple[int, ...]:
        """Each side's score as shown to people: if one hole is one point, points beyond the game
        hole are left out (ACC Tournament Rules, rule 1.6)."""
        scores = [side.score for side in self.standings]
        return tuple(scores if self.unit > 1 else [min(score, self.goal) for score in scores])


class Played(NamedTuple, Generic[State_co]):
    """The result of a move: the new state, the points earned, notes."""

    state: State_co
    awards: tuple[Award, ...] = ()
    notes: tuple[Note, ...] = ()


class Game(ABC, Generic[State]):
    """A referee. Stateless: all data of a game is in its State."""

    name: str
    seats: tuple[int, ...]
    """The allowed numbers of seats."""
    options: tuple[Option, ...]
    tables: tuple[NamedTable, ...] = ()
    """The named tables that people may choose instead of single options."""
    pack: tuple[Card, ...] = CARDS
    """The distinct cards of the game's pack."""
    copies: int = 1
    """The number of copies of each card in the pack."""
    limit: int | None = None
    """The running count that no card may exceed, or None for a game without a count."""
    for_clubs: bool = False
    """Whether club evenings count this game in their standings."""
    source: str = ""
    """The source of the rules, for the list of games; docs/rules has the details."""
    verbs: tuple[Verb, ...]
    """The game's own verbs, in addition to COMMON_VERBS."""

    @abstractmethod
    def begin(self, setup: Setup) -> State:
        """Return the state before the first line; `setup.seats` has an allowed length."""

    @abstractmethod
    def play(self, state: State, move: Move) -> Played[State]:
        """Return the state after a move. Raises IllegalMove, in which case the state is
        unchanged."""

    def close(self, state: State) -> Played[State]:
        """Close a pending claim at the end of the record, the session or the game."""
        return Played(state)

    def is_fresh(self, state: State) -> bool:
        """Return whether a deal was announced and has no entries yet."""
        return False

    @cached_property
    def _kinds(self) -> Mapping[tuple[str, bool], Kind]:
        return {(verb.name, verb.seated): verb.kind for verb in self.verbs}

    def kind(self, move: Move) -> Kind:
        """Return what a line is about (`Verb.kind`)."""
        return move.kind or self._kinds.get((move.verb, move.seat is not None), Kind.CHOICE)

    def secret(self, move: Move) -> bool:
        """Return whether only its player may see a line's cards (`Verb.secret`)."""
        return self._declared(move, "secret")

    def opens(self, move: Move) -> bool:
        """Return whether a line shows cards that may have been secret (`Verb.opens`)."""
        return self._declared(move, "opens")

    def _declared(self, move: Move, what: Literal["secret", "opens"]) -> bool:
        shape = (move.verb, move.seat is not None)
        return any(getattr(v, what) for v in self.verbs if (v.name, v.seated) == shape)

    def hide_cards(self, move: Move) -> Move:
        """Return a line as other viewers see it: its secret cards are `?`."""
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
        """Return the value of a meld that scores only when its deal is settled."""
        return ()

    def held_by(self, state: State, seat: int) -> tuple[Card, ...] | None:
        """Return the cards that a seat holds now, in the order of a hand, or None if not all of
        them are known."""
        return None

    def luck(self, hand: Sequence[Card], starter: Card) -> float | None:
        """Return a counted hand's points minus its average over all starters, or None if that is
        unknown or meaningless in the game."""
        return None

    @abstractmethod
    def prompt(self, state: State) -> Prompt:
        """Return the prompts."""

    @abstractmethod
    def situation(self, state: State) -> Situation:
        """Return the game's situation."""

    @abstractmethod
    def scoreboard(self, state: State) -> Scoreboard:
        """Return the board's display of the game."""

    @abstractmethod
    def outcome(self, state: State) -> Outcome:
        """Return the outcome, `unfinished` while the game continues."""

    @abstractmethod
    def first_dealer(self, state: State) -> int | None:
        """Return the first dealer of this game, or None if the dealer is not known yet."""


def kind_of(move: Move, game: Game[State] | None) -> Kind:
    """Return what a line is about, with or without a game on the table."""
    return (move.kind or Kind.CHOICE) if game is None else game.kind(move)


def relevant(game: Game[State], seats: int, chosen: Mapping[str, str]) -> tuple[Option, ...]:
    """Return the options that matter with this number of seats and can be chosen, in the game's
    order.

    Args:
        chosen: the values of options; those left out have their defaults.
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
    """Return the names of all games: one for each module in this package; nothing is imported."""
    return _found(tuple(__path__))


@cache
def _found(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names found on disk. They are cached because an unknown verb asks for all names
    several times."""
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
"""Other names of games, also accepted in `game` lines."""


def canonical(name: str) -> str:
    """Return the usual name of a game for any capitalization and any of its other names."""
    return ALIASES.get(name.lower(), name.lower())


def find(name: str) -> Game[Any]:
    """Return the referee of a game by one of its names.

    Raises:
        IllegalMove: `no-such-game`, with the names that are allowed.
    """
    name = ALIASES.get(name, name)
    if name not in names():
        raise IllegalMove("no-such-game", name=name, allowed=", ".join(names()))
    game: Game[Any] = import_module(f"{__name__}.{name.replace('-', '_')}").GAME
    return game
