"""The page's state, typed: `openapi` and `state.d.ts` are generated from it."""

from __future__ import annotations

from typing import Literal, TypedDict

from boardctl.console.keypad import Level
from boardctl.console.lights import Light
from boardctl.games import Telling
from boardctl.web.schema import CardCode, Seat


class Award(TypedDict):
    """The points of a line, in words."""

    seat: Seat
    points: int
    reason: str
    cards: list[CardCode]
    text: str


class Previewed(TypedDict):
    """The result of a line that was not played."""

    line: str
    points: int
    awards: list[Award]
    spoken: list[str]


class Choice(Previewed):
    """An answer to a question of the referee."""

    text: str


class Offered(TypedDict):
    """A move offered by an `Ask`."""

    line: str
    text: str
    cards: list[CardCode]
    points: int | None


class Asked(TypedDict):
    """The base of `Ask`. `head` and `tail` are the parts of the line before and after the entry."""

    code: str
    kind: Literal["confirm", "cards", "number", "choice"]
    text: str
    button: str
    seat: Seat | None
    head: str
    tail: str
    telling: Telling
    least: int
    most: int
    scale: int
    barred: list[int]
    ranks: bool
    later: bool
    cards: list[CardCode] | None
    choices: list[Offered]


class Ask(Asked):
    """An expected entry; for a hand, with the starter next to it."""

    beside: CardCode | None


class DueAsk(Ask):
    """An expected entry in the page's state."""

    due: bool


class Counted(TypedDict):
    """A counted hand or crib: its cards, and the spoken count."""

    cards: list[CardCode]
    spoken: list[str]


class CutCard(TypedDict):
    """The card that a player cut."""

    seat: Seat
    card: CardCode


class Cut(TypedDict):
    """The cut for the first deal, and the rule for which card deals."""

    cards: list[CutCard]
    rule: str


class Line(TypedDict):
    """A line across the board, such as the skunk line, given as a score."""

    name: str
    score: int


class Said(TypedDict):
    """A move in words."""

    verb: str
    line: str
    text: str
    seat: Seat | None
    points: int
    why: str
    awards: list[Award]
    counted: Counted | None


class Move(Said):
    """A move in the list, with its number for `amend` and its place in the list, which does not
    change."""

    back: int
    place: int


class Rule(TypedDict):
    """An option that differs from its default."""

    name: str
    value: str
    text: str
    told: str


class Side(TypedDict):
    """A side with its score and its rear peg."""

    names: list[str]
    seats: list[Seat]
    score: int
    before: int
    won: int


class Readout(TypedDict):
    """A value shown with the score."""

    code: str
    text: str


class Happened(TypedDict):
    """The last move in words."""

    text: str
    seat: Seat | None
    points: int
    moment: str | None


class Button(TypedDict):
    """A feature's button."""

    text: str
    post: str


class Standing(TypedDict):
    """The state of play of a game."""

    phase: str | None
    turn: Seat | None
    dealer: Seat | None
    count: int | None
    left: int | None
    trump: str | None
    target: int | None
    goal: int | None
    lines: list[Line]
    winner: int | None
    over: bool
    drawn: bool
    margin: str | None
    readouts: list[Readout]
    worth: str


class Core(Standing):
    """The page's state without the features' parts."""

    number: int
    viewer: Seat | None
    layout: str
    session: str | None
    game: str | None
    title: str
    rules: list[Rule]
    seats: list[str]
    sides: list[Side]
    laid: list[CardCode]
    starter: CardCode | None
    telling: Telling
    light: Light | None
    voice: Literal["off"] | Level | None
    sounds: Literal["on", "off"] | None
    asks: list[DueAsk]
    claims: bool
    cut: Cut | None
    hints: list[int]
    pegs: list[Seat]
    held: list[str]
    moves: list[Move]
    length: int
    begun: bool
    happened: Happened | None
    spoken: str
    undo: bool
    redo: bool
    unfinished: str | None


class State(Core):
    """Everything that the page shows except the LEDs. Features add their own fields."""

    features: list[str]
    buttons: list[Button]


NAMED = (Award, Choice, Ask, Move, State)
"""The types that have a name in the document."""
