"""The page's data about games between two houses, and the types of requests and responses."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

from boardctl.web.schema import (
    FLAG,
    INT,
    TEXT,
    Api,
    Operation,
    Seat,
    answers,
    by_name,
    obj,
    ref,
)


class Question(TypedDict):
    """A question from the other house."""

    number: int
    line: str


class FarGameState(TypedDict):
    """The state of the game with another house."""

    name: str
    number: int
    seats: list[Seat]
    turn: int
    due: Literal["", "ours", "theirs", "dealing"]
    asks: str | None
    question: Question | None
    asked: bool
    declined: str | None
    stand: bool
    draws: bool
    aside: str
    stopped: str | None
    done: bool


class Presence(TypedDict):
    """Whether another house's board is connected."""

    name: str
    here: bool
    minutes: int | None


class HouseState(Presence):
    """The state of another house."""

    number: int
    playing: bool
    offered: bool
    invites: str
    game: str
    offering: bool
    active: bool
    gone: str
    outdated: str
    own: str
    partner: str


class OnlookerState(Presence):
    """An onlooker's house, or a house watched by this one."""

    number: int
    shows: bool
    over: bool


class HousesState(TypedDict):
    """The state of the other houses."""

    words: list[str]
    numbers: list[str]
    accepting: bool
    late: bool
    unanswered: bool
    connected: bool
    trouble: str
    houses: list[HouseState]
    onlookers: list[OnlookerState]
    looking: str | None
    left: int | None
    game: FarGameState | None


class Far(HousesState):
    """The sheet of the other houses."""

    link: str
    tab_link: str
    broker: str
    code: str
    qr: list[str]
    games: list[str]
    usual: str


API: Final = Api(
    operations={
        ("GET", "/far"): answers(ref("Far")),
        ("POST", "/far/invite"): Operation(
            ref("Far"), obj(name=TEXT, partner=TEXT, game=TEXT, options=by_name(TEXT)), paired=True
        ),
        ("POST", "/far/accept"): Operation(
            ref("Far"), obj(words=TEXT, name=TEXT, partner=TEXT), paired=True
        ),
        ("POST", "/far/broker"): Operation(ref("Far"), obj(broker=TEXT), paired=True),
        ("POST", "/far/cancel"): Operation(ref("Far"), obj(), paired=True),
        ("POST", "/far/play"): Operation(
            ref("Far"),
            obj(
                ("game", "options", "name", "partner"),
                house=INT,
                game=TEXT,
                options=by_name(TEXT),
                name=TEXT,
                partner=TEXT,
            ),
            paired=True,
        ),
        ("POST", "/far/remove"): Operation(ref("Far"), obj(house=INT), paired=True),
        ("POST", "/far/withdraw"): Operation(ref("Far"), obj(house=INT), paired=True),
        ("POST", "/far/answer"): Operation(
            ref("Far"), obj(number=INT, line=TEXT, yes=FLAG), paired=True
        ),
        ("POST", "/far/stand"): Operation(ref("Far"), obj(), paired=True),
        ("POST", "/far/leave"): Operation(ref("Far"), obj(), paired=True),
        ("POST", "/far/show"): Operation(ref("Far"), obj(), paired=True),
        ("POST", "/far/look"): Operation(ref("Far"), obj(onlooker=INT), paired=True),
        ("POST", "/far/forget"): Operation(ref("Far"), obj(onlooker=INT), paired=True),
    },
    types=(Far,),
    components={},
    state=None,
)
