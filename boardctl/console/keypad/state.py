"""The keypad's data types: its state, its view of the table, and actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar, get_args

from boardctl.games import (
    Ask,
    IllegalMove,
    Margin,
    Move,
    Note,
    Played,
    Prompt,
    Telling,
    because,
    side_of,
)
from boardctl.games.cards import Card, Rank, Suit
from boardctl.record.record import Line

T = TypeVar("T")
HOLDS: Final = ("#", "*", "D")
"""The keys that have another meaning when held for a second."""
ANSWERED: Final[Mapping[str, str]] = {
    "1": "again", "2": "score", "3": "choices", "4": "before", "5": "last", "6": "turn",
    "7": "cards", "8": "moves",
}  # fmt: skip
"""The keys that the voice answers when they are held (`Voice.answer`). They change nothing."""

Level = Literal["counts", "questions", "everything"]
"""How much the voice says: only the counts of the play and the hands, or also questions, typed
input and pegged points, or also the effect of each key.
"""
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
RANKS: Final = dict(zip("1234567890ABC", Rank, strict=True))
"""The ranks of the keys: `1` is the ace, `0` the ten, and `A`, `B` and `C` are jack, queen and
king."""
SUITS: Final = dict(zip("ABCD", Suit, strict=True))
ANSWERS: Final = 9
"""The digits that choose an answer to a question. `0` is always the first answer."""
SCORE_DIGITS: Final = 5
"""The maximum number of digits in a score."""
AMOUNTS: Final[dict[Telling, int]] = {"points": 0, "hands": 1, "cards": 2}
"""The levels of entry, lowest first. A table is not asked for entries above its level."""


class Preset(NamedTuple):
    """A named set of rules from the configuration: a game and its options."""

    name: str
    game: str
    options: Mapping[str, str] = MappingProxyType({})


class Request(NamedTuple):
    """A request from the network that only the board's own keys can allow."""

    identity: int
    """The request's number, unique while the board runs."""
    kind: Literal["let-in", "allow"]
    """The mode in which the request's number is typed."""
    number: str
    """The digits shown on the requesting page."""
    what: str
    """The code of its question, `consent.WHAT`."""


class Offer(NamedTuple):
    """A hand that was entered and viewed on a page. The board shows it too."""

    move: Move
    points: int


class UnfinishedGame(NamedTuple):
    """An unfinished game: its players by seat, and the points of each side."""

    seats: tuple[str, ...]
    scores: tuple[int, ...]


class Guard(Protocol):
    """A function that calls a part of a feature and reports a failure."""

    def __call__(self, part: str, call: Callable[[], T], default: T) -> T:
        """Return the call's result, or `default` if the call fails. `part` names the part for the
        log."""


def unguarded(part: str, call: Callable[[], T], default: T) -> T:
    """Return the call's result without catching exceptions."""
    return call()


class Item(NamedTuple):
    """An item that a feature adds to the keypad menu."""

    opens: str
    """A keypad mode, or a command to carry out."""
    keys: str = ""
    """The item's key in the menu, or two keys for an item of the menu that `8` opens. If empty, the
    next free key of that menu."""
    title: str = ""
    """The item's word on the display, or an empty string if the menu's sentence contains the
    word."""
    load: Callable[[], type] | None = None
    """Returns the class of the item's mode (`keypad.mode.Mode`)."""
    modes: tuple[str, ...] = ()
    """The other modes that this mode opens."""
    guard: Guard = unguarded
    """Calls the item's modes. The board's features set this function, so that a failure never stops
    the keypad."""


class TableView(NamedTuple):
    """The keypad's view of the table. It contains only public information, because everybody sees
    the display."""

    prompt: Prompt
    """The expected entries."""
    seats: tuple[str, ...]
    """The players' names, seat 1 first."""
    scores: tuple[int, ...]
    """The points of each side."""
    telling: Telling
    """The table's level of entry: points, hands or every card."""
    attempt: Callable[[Move], Played[Any]]
    """Returns the effect of a move, or raises IllegalMove."""
    hide_cards: Callable[[Move], Move] = lambda move: move
    """Returns a move in the form that may be shown, with secret cards as `?`."""
    answered: Callable[[int], Prompt] = lambda back: Prompt()
    """Returns the prompt that an earlier move answered, given how many moves back it is (1 for the
    last)."""
    attempt_before: Callable[[int, Move], Played[Any]] = lambda back, move: Played(None)
    """Returns the effect of replacing an earlier move, given how many moves back it is, or raises
    IllegalMove."""
    deal: tuple[Line, ...] = ()
    """The moves of this deal, newest last."""
    last_points: int = 0
    """The points that the newest move scored."""
    roster: tuple[str, ...] = ()
    """The player names that the menu offers for the seats."""
    presets: tuple[Preset, ...] = ()
    """The sets of rules that the menu offers."""
    begun: bool = False
    """Whether a game is in progress, so that another game would end it."""
    players: tuple[int, ...] = (2,)
    """The numbers of players that this game allows."""
    language: str = "en"
    """The language of the display."""
    spoken_readouts: tuple[Note, ...] = ()
    """The words to speak now ("fifteen for two")."""
    undoing: Move | None = None
    """The line that takes back the newest line, or None if there is no such line."""
    redoing: Move | None = None
    """The line that restores the last undone change, or None if there is no such change."""
    displayed_scores: tuple[int, ...] = ()
    """The scores as the display shows them, limited to the game hole."""
    margin: Margin | None = None
    """The margin by which a finished game was won."""
    unfinished: UnfinishedGame | None = None
    """The game that the previous evening left unfinished, or None if there is no such game."""
    offer: Offer | None = None
    """A hand from a page that can be taken in the menu."""
    requests: Callable[[], tuple[Request, ...]] = tuple
    """The requests that can be allowed in the menu now."""
    items: tuple[Item, ...] = ()
    """The items that features add to the menu."""
    rejects: Callable[[tuple[Move, ...]], IllegalMove | None] = lambda moves: None
    """Returns why moves submitted as one would be rejected according to public knowledge, or None
    if public knowledge does not contradict them."""

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The entries expected at this table's level of entry, most usual first."""
        most = AMOUNTS[self.telling]
        return tuple(ask for ask in self.prompt.asks if AMOUNTS[ask.telling] <= most)

    @property
    def cards_due(self) -> Ask | None:
        """The `Ask` whose cards can be typed at rest, or None if there is none."""
        ask = next((ask for ask in self.asks if ask.kind != "choice"), None)
        return ask if ask is not None and ask.kind == ask.telling == "cards" else None

    def hands(self, seat: int) -> tuple[Ask, ...]:
        """Return the entries for a seat's hands that may be typed by rank after the seat key."""
        return tuple(
            ask
            for ask in self.prompt.asks
            if ask.seat == seat and ask.kind == "cards" and ask.ranks and ask.least > 2
        )

    @property
    def waiting(self) -> TableView:
        """Return the view with the players and scores of the unfinished game."""
        assert self.unfinished is not None
        seats, scores = self.unfinished
        return self._replace(seats=seats, scores=scores, displayed_scores=scores)

    def name(self, seat: int) -> str:
        """Return the player's name at a seat, or the seat number if the seat is now empty. The
        players can be changed on another surface during an entry."""
        return self.seats[seat - 1] if seat <= len(self.seats) else str(seat)

    def side(self, seat: int) -> int:
        """Return a seat's index in `scores`. Partners share an index."""
        return side_of(seat, len(self.scores)) - 1 if self.scores else 0


class KeypadState(NamedTuple):
    """The entry so far. At rest, the state is `KeypadState()`."""

    mode: str = "rest"
    """The meaning of the next key."""
    seat: int | None = None
    """The seat to which the entry belongs, from 1, or None if it belongs to no seat."""
    keys: str = ""
    """The typed keys in order."""
    cards: tuple[Card, ...] = ()
    """The typed cards. In the mode `suit`, the last card has only a rank."""
    ask: Ask | None = None
    """The ask being answered."""
    move: Move | None = None
    """The move that `#` would submit."""
    choices: tuple[Move, ...] = ()
    """The moves that digits would submit, with 1 for the first. In the mode `question`, `0` and `#`
    submit the first, and 1 the second."""
    points: int = 0
    """The points of `move`."""
    place: int = 0
    """The index of the first choice shown, or in the mode `end-game`, of the chosen game."""
    target: int | None = None
    """The identity (`record.Line`) of the move being amended or taken back. In the mode `question`,
    it is that of the move that `move` or one of `choices` would replace."""
    chosen: tuple[str, ...] = ()
    """The names chosen so far for the seats, seat 1 first."""
    request: Request | None = None
    """The request that `#` would allow."""
    refused: IllegalMove | None = None
    """The reason why the last move was rejected, which is shown until the next key."""

    @property
    def is_open(self) -> bool:
        """Whether an entry is in progress. Until the entry ends, its keys keep their meanings,
        whatever happens on other surfaces."""
        return self.mode not in ("rest", "refused")


class Submit(NamedTuple):
    """Moves for the table, submitted together, so that all or none are accepted."""

    moves: tuple[Move, ...]


class Command(NamedTuple):
    """An action that is not a move: `telling`, `light`, `timing`, `voice`, `sounds`, `language`,
    `pair`, `evening`, `go-on`, `photo`, `goodnight` or `allow`, with the chosen value."""

    what: str
    value: str = ""


BID_KEYS: Final = {
    "take": 1, "coinche": 1, "pass": 2, "S": 3, "H": 4, "D": 5, "C": 6, "surcoinche": 7,
    "schmeiss": 7, "no-trump": 8, "yes": 8, "all-trump": 9, "no": 9,
}  # fmt: skip
"""The key of each word of an auction, which is the same in all questions. If the keys changed with
each question, three presses meant as passes could name a suit, and a bid could double."""


_BIDS: Final = ("bid", "coinche", "surcoinche")


def auction(choices: Sequence[Move]) -> tuple[dict[int, Move], ...]:
    """Return an auction's bids by their fixed keys.

    Args:
        choices: the player's possible bids.

    Returns:
        One dictionary for each contract height, lowest first. Each also contains the bids without a
        height: a pass, a double, a suit. The result is empty unless every choice contains a word of
        `BID_KEYS`.
    """
    words = [move.words[-1] if move.words else move.verb for move in choices]
    bids = bool(choices) and all(move.verb in _BIDS for move in choices)
    if not bids or not all(word in BID_KEYS for word in words):
        return ()
    heights: dict[tuple[object, ...], dict[int, Move]] = {}
    for word, move in zip(words, choices, strict=True):
        heights.setdefault((*move.words[:-1], *move.numbers), {})[BID_KEYS[word]] = move
    plain = heights.pop((), {})
    return tuple(dict(sorted((plain | step).items())) for step in heights.values() or ({},))


def numbered(state: KeypadState) -> tuple[tuple[int, Move], ...]:
    """Return the choices from the current page on, each with its digit."""
    bids = auction(state.choices)
    if bids:
        return tuple(bids[state.place].items())
    return tuple(enumerate(state.choices[state.place : state.place + ANSWERS], 1))


def answer(state: KeypadState, key: str) -> Move | None:
    """Return the answer chosen by a key, or None if the key does not choose one."""
    if key != "#" and not key.isdigit():
        return None
    chosen = 0 if key in "#0" else state.place + int(key)
    return state.choices[chosen] if chosen < len(state.choices) else None


Answer = tuple[KeypadState, Submit | Command | None]
REST: Final = KeypadState()


def number_of(keys: str, view: TableView, seat: int | None = None) -> int:
    """Return the number that was typed.

    Args:
        keys: the keys in their order, with a leading `-` for a negative number.
        view: the table.
        seat: the owner of the points, or None for a number that is not a score.

    Raises:
        IllegalMove: `not-a-number`: for a leading zero, a court card or too many digits. The keys
            were probably meant as a hand that is not expected now.
    """
    digits = keys.removeprefix("-")
    if digits.isdigit() and len(digits) <= SCORE_DIGITS and str(int(digits)) == digits:
        return int(keys)
    hands = () if seat is None else view.hands(seat)
    if hands:
        raise IllegalMove("not-a-number", said=keys, cards=hands[0].least, why="hand")
    no_starter = seat is not None and any(ask.code == "starter" for ask in view.prompt.asks)
    raise IllegalMove("not-a-number", said=keys, **because("starter" if no_starter else None))


def refuse(error: IllegalMove) -> KeypadState:
    """Return the state after the table has rejected a move."""
    return KeypadState(refused=error)


def submit(*moves: Move) -> Answer:
    """Return the rest state, and an action that submits these moves."""
    return REST, Submit(moves)


def seating(names: Sequence[str]) -> tuple[Move, ...]:
    """Return the moves that seat players by name. The fourth player is seated before the third,
    because four players form two sides, whereas three would not fit on a board with two tracks."""
    moves = [Move("seat", seat=seat, name=name) for seat, name in enumerate(names, 1)]
    return (*moves[:2], *reversed(moves[2:]))
