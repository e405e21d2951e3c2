"""The modes of the keypad menu (hold `#`): settings, corrections, players and games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from boardctl import text
from boardctl.console.keypad import screen
from boardctl.console.keypad.correction import (
    amended,
    attempt_for,
    choices,
    place_of,
    submit_for,
    target,
    waits_for_suit,
)
from boardctl.console.keypad.entry import settle
from boardctl.console.keypad.mode import Mode, open_item
from boardctl.console.keypad.state import (
    RANKS,
    REST,
    SCORE_DIGITS,
    SUITS,
    Answer,
    Command,
    KeypadState,
    TableView,
    number_of,
    refuse,
    seating,
    submit,
)
from boardctl.games import IllegalMove, Move
from boardctl.games.cards import Card
from boardctl.message import Message
from boardctl.text import spoken

ITEMS: Final[dict[str, str]] = {
    "1": "telling", "2": "amend", "3": "players", "4": "game", "5": "light",
    "7": "evening", "8": "pair", "9": "scores", "0": "goodnight",
    "B": "let-in", "C": "allow", "D": "offer",
}  # fmt: skip
"""The effect of each key: a keypad mode, a command (evening), or the hand that a page offers.
Features add the other keys (`TableView.items`)."""
WAITING: Final = {"let-in": "B", "allow": "C", "offer": "D"}
"""The keys of items that are listed only while a request is waiting, by the kind of request."""
DIGITS: Final = 2
"""The number of digits in a request's number."""
DIGITS_OF_POINTS: Final = 4
"""The maximum number of digits in a corrected number."""
TELLINGS: Final = {"1": "points", "2": "hands", "3": "cards"}
LIGHTS: Final = {"1": "night", "2": "dim", "3": "bright"}
TIMING: Final = {
    "1": "hold-short", "2": "hold-usual", "3": "hold-long", "4": "slow-off", "5": "slow-short",
    "6": "slow-long", "7": "bounce-off", "8": "bounce-short", "9": "bounce-long",
    "A": "pace-usual", "B": "pace-long",
}  # fmt: skip
TIMING_KEY: Final = "0"
"""The key that opens the key timing from the menu of phones and pads."""
PHONES: Final = {"1": "pin", "2": "forget", "3": "pads"}


class Setting(Mode):
    """A mode in which each key chooses a value."""

    values: ClassVar[Mapping[str, Command]]

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        return (REST, self.values[key]) if key in self.values else (state, None)

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        return screen.say(self.name, view), screen.say(f"{self.name}-keys", view)

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        return [spoken.say(self.name, view.language)]


class Menu(Mode):
    """The main menu."""

    name = "menu"

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Open the item chosen by a key. A hand entered on a page is previewed like a typed
        hand."""
        item = ITEMS.get(key)
        if item == "offer" and view.offer is None:
            return refuse(IllegalMove("nothing-offered")), None
        if item == "offer" and view.offer is not None:
            return settle(view.offer.move, REST, view)
        if item is None:
            return _added(state, view, key)
        if item == "evening":
            return REST, Command(item)
        if item == "amend" and not view.deal:
            return refuse(IllegalMove("nothing-to-amend")), None
        newest = view.deal[-1].identity if item == "amend" else None
        return REST._replace(mode=item, target=newest), None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        """Return the menu items: pending requests first, then the other items in the order of the
        spoken menu."""
        waiting = {WAITING[request.kind] for request in view.requests()}
        if view.offer is not None:
            waiting.add(WAITING["offer"])
        own = {*ITEMS} - {*WAITING.values()} | waiting
        words = screen.offered("menu-keys", "", own, view)
        return screen.paged(
            screen.say("menu", view), sorted(words, key=lambda word: word[0] not in waiting)
        )

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        return [spoken.say(self.name, view.language)]


class Telling(Setting):
    """The level of entry."""

    name = "telling"
    is_listed = True
    values: ClassVar = {key: Command("telling", value) for key, value in TELLINGS.items()}


class Light(Setting):
    """The brightness of the board."""

    name = "light"
    is_listed = True
    values: ClassVar = {key: Command("light", value) for key, value in LIGHTS.items()}


class Timing(Setting):
    """The timing of the board's own keys, for players with slow or shaking hands."""

    name = "timing"
    is_listed = True
    values: ClassVar = {key: Command("timing", value) for key, value in TIMING.items()}

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        words = screen.say("timing-keys", view).split()
        return screen.paged(screen.say("timing", view), words)


class Phones(Setting):
    """The menu for phones, pads and keys, with the items added by features."""

    name = "pair"
    is_listed = True
    values: ClassVar = {key: Command("pair", value) for key, value in PHONES.items()}

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        if key in self.values:
            return super().press(state, view, key)
        if key == TIMING_KEY:
            return REST._replace(mode=Timing.name), None
        return _added(state, view, f"8{key}")

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        return screen.paged(
            screen.say("pair", view), screen.offered("pair-keys", "8", (*PHONES, TIMING_KEY), view)
        )


class Amend(Mode):
    """The mode for choosing the move to correct."""

    name = "amend"

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle keys while amending: `A` shows an older move, `B` a newer one, `#` starts retyping
        the move shown, and `D` removes it."""
        place = place_of(state, view)
        if place is None:
            return refuse(IllegalMove("overtaken")), None
        if key in ("A", "B"):
            there = place + 1 if key == "A" else place - 1
            shown = view.deal[-1 - min(len(view.deal) - 1, max(0, there))]
            return state._replace(target=shown.identity), None
        if key == "D":
            return submit(Move("amend", numbers=(place + 1,)))
        if key == "#":
            move = view.deal[-1 - place].move
            if not move.cards and len(move.numbers) != 1:
                return state._replace(refused=IllegalMove("nothing-to-retype")), None
            return state._replace(mode="retype"), None
        return state, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        return screen.beside(_amending(state, view), screen.say("amend", view))

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import effects

        return [spoken.say("amend", view.language, line=effects.amending(state, view))]

    def is_stale(self, state: KeypadState, view: TableView) -> bool:
        return place_of(state, view) is None

    def submits(
        self, state: KeypadState, key: str, moves: tuple[Move, ...], view: TableView
    ) -> str:
        return spoken.say("to-out", view.language)


class Retype(Mode):
    """The mode for retyping a move's cards or number."""

    name = "retype"
    submits_typed = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle keys that retype a move's number, or its cards with the suits that are needed."""
        move, place = target(state, view), place_of(state, view)
        if move is None or place is None:
            return refuse(IllegalMove("overtaken")), None
        if key == "#":
            try:
                if state.keys:
                    number_of(state.keys, view)
            except IllegalMove as error:
                return refuse(error), None
            new = amended(state, view)
            return (state, None) if new is None else _replaced(state, view, new)
        if waits_for_suit(state, view):
            if key not in SUITS:
                return state, None
            card = state.cards[-1]._replace(suit=SUITS[key])
            return state._replace(cards=(*state.cards[:-1], card)), None
        if move.cards and key in RANKS and len(state.cards) < len(move.cards):
            return state._replace(cards=(*state.cards, Card(RANKS[key]))), None
        if not move.cards and key.isdigit() and len(state.keys) < DIGITS_OF_POINTS:
            return state._replace(keys=state.keys + key), None
        return state, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        """Return the move being corrected above the typed part, and finally the new move."""
        move, old = amended(state, view), target(state, view)
        if move is not None:
            return screen.beside(screen.described(move, view), screen.say("yes", view))
        typed = "_"
        if old is not None and state.cards:
            shown = view.hide_cards(old._replace(cards=state.cards)).cards
            if waits_for_suit(state, view):
                return screen.say("suit", view, card=shown[-1]), screen.SUIT_KEYS
            typed = " ".join(map(str, shown)) + " _" * (len(old.cards) - len(shown))
        return screen.beside(_amending(state, view), typed)

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import effects

        parts = [spoken.say("retype", view.language, line=effects.amending(state, view))]
        if state.keys:
            parts.append(spoken.key_names(state.keys, view.language))
        return parts + (_anew(state, view) if state.cards else [])

    def typing(self, state: KeypadState, view: TableView) -> frozenset[str] | None:
        return None

    def is_stale(self, state: KeypadState, view: TableView) -> bool:
        return place_of(state, view) is None

    def grown(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import spoken as aloud

        new = _anew if state.cards else _retyped
        return [*new(state, view), *aloud.not_taken(state, view)]


class Players(Mode):
    """The mode for seating the players."""

    name = "players"
    is_listed = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle a digit, which seats the next player from the roster, or `#` when all are
        seated."""
        if key == "#":
            if len(state.chosen) not in view.players:
                allowed = " or ".join(map(str, view.players))
                return refuse(
                    IllegalMove("seats-missing", allowed=allowed, players=view.players)
                ), None
            return submit(*seating(state.chosen))
        if key == "A":
            place = state.place + 9
            return state._replace(place=place if place < len(view.roster) else 0), None
        number = state.place + int(key) if key.isdigit() and key != "0" else 0
        if not 1 <= number <= len(view.roster) or len(state.chosen) == max(view.players):
            return state, None
        name = view.roster[number - 1]
        if name in state.chosen:
            return state, None
        return state._replace(chosen=(*state.chosen, name)), None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        if len(state.chosen) == max(view.players):
            chosen = screen.rows(" ".join(state.chosen))
            return tuple(line for names in chosen for line in (names, screen.say("yes", view)))
        offered = view.roster[state.place : state.place + 9]
        shown = [f"{n}{name}" for n, name in enumerate(offered, 1) if name not in state.chosen]
        seat = len(state.chosen) + 1
        return screen.paged(screen.say("player", view, seat=seat, key="ABCD"[seat - 1]), shown)

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        parts = []
        if state.chosen:
            names = text.listed(state.chosen, view.language)
            parts.append(spoken.say("chosen", view.language, names=names))
        if len(state.chosen) < max(view.players):
            key = "ABCD"[len(state.chosen)]
            parts.append(spoken.say("player", view.language, key=key))
        return parts

    def submits(
        self, state: KeypadState, key: str, moves: tuple[Move, ...], view: TableView
    ) -> str:
        return spoken.say("to-seated", view.language)


class Games(Mode):
    """The mode for choosing the game."""

    name = "game"
    is_listed = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        offered = choices(view)
        if key == "A":
            place = state.place + 9
            return state._replace(place=place if place < len(offered) else 0), None
        if key.isdigit() and key != "0" and state.place + int(key) <= len(offered):
            chosen = state.place + int(key) - 1
            if view.begun:
                return REST._replace(mode="end-game", place=chosen), None
            return submit(*offered[chosen][1])
        return state, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        offered = screen.offered_games(view)[state.place : state.place + 9]
        shown = [f"{n}{name}" for n, name in enumerate(offered, 1)]
        return screen.paged(screen.say("game", view), shown)

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        return [spoken.say(self.name, view.language)]

    def submits(
        self, state: KeypadState, key: str, moves: tuple[Move, ...], view: TableView
    ) -> str:
        return screen.offered_games(view)[state.place + int(key) - 1]


class EndGame(Mode):
    """The mode that asks whether the game in progress may end."""

    name = "end-game"
    only_hash = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle the answer to whether the game in progress may end so that the chosen game can
        begin. `#` means yes; any other key means no."""
        return submit(*choices(view)[state.place][1]) if key == "#" else (REST, None)

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        return screen.say(self.name, view), screen.say(f"{self.name}-keys", view)

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import spoken as aloud

        chosen = screen.offered_games(view)[state.place]
        return [spoken.say("end-game", view.language, game=chosen), *aloud.choices(state, view)]

    def submits(
        self, state: KeypadState, key: str, moves: tuple[Move, ...], view: TableView
    ) -> str:
        return spoken.say("to-end-game", view.language)


class Scores(Mode):
    """The mode for correcting a score."""

    name = "scores"
    submits_typed = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle the keys that correct a score: a seat, its true score, and `#`."""
        if state.seat is None:
            seat = "ABCD".find(key) + 1
            return (
                (state._replace(seat=seat), None) if 1 <= seat <= len(view.seats) else (state, None)
            )
        if key.isdigit() and len(state.keys) < SCORE_DIGITS:
            return state._replace(keys=state.keys + key), None
        if key == "#" and state.keys and view.scores:
            try:
                score = number_of(state.keys, view)
            except IllegalMove as error:
                return refuse(error), None
            change = score - view.scores[view.side(state.seat)]
            return submit(Move("adjust", state.seat, numbers=(change,))) if change else (REST, None)
        return state, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        if state.seat is None:
            return screen.above_scores(screen.say("whose-score", view), view)
        return screen.say("set-score", view, seat=state.seat), state.keys + "_"

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import spoken as aloud

        if state.seat is None:
            return [
                spoken.say("whose-score", view.language),
                *aloud.score(view),
            ]
        parts = [spoken.say("set-score", view.language, view.seats, seat=state.seat)]
        return [*parts, spoken.key_names(state.keys, view.language)] if state.keys else parts

    def typing(self, state: KeypadState, view: TableView) -> frozenset[str] | None:
        return None


class Allow(Mode):
    """The mode for allowing a request from the network. It asks for the request's number, then for
    permission."""

    name = "allow"

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle the number shown on the requesting page, then `#` to allow the request. Requests
        can be allowed only here, and `#` allows only the displayed request, even if others have
        arrived since."""
        if state.request is not None:
            if key != "#":
                return state, None
            return REST, Command("allow", str(state.request.identity))
        if not key.isdigit():
            return state, None
        typed = state.keys + key
        if len(typed) < DIGITS:
            return state._replace(keys=typed), None
        for request in view.requests():
            if (request.kind, request.number) == (state.mode, typed):
                return state._replace(keys=typed, request=request), None
        nobody = IllegalMove("no-such-request", number=typed)
        return state._replace(keys="", refused=nobody), None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, str]:
        if state.request is None:
            return screen.say("number", view), state.keys + "_"
        return screen.fit("consent", state.request.what, {}, view), screen.say("yes", view)

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import spoken as aloud

        if state.request is None:
            parts = [spoken.say("page-number", view.language)]
            return [*parts, spoken.key_names(state.keys, view.language)] if state.keys else parts
        return [
            text.say(Message("consent", state.request.what), text.Reader(view.language)),
            *aloud.choices(state, view),
        ]

    def typing(self, state: KeypadState, view: TableView) -> frozenset[str] | None:
        """Return all digits, so that the right digits are not revealed."""
        return frozenset("0123456789" if state.request is None else "")


class LetIn(Allow):
    """The mode for allowing a request from a phone without a seat. It asks for the request's
    number, then for permission."""

    name = "let-in"


class Goodnight(Mode):
    """The mode that asks whether the evening ends."""

    name = "goodnight"
    only_hash = True

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        return (REST, Command("goodnight")) if key == "#" else (REST, None)

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        return screen.say(self.name, view), screen.say(f"{self.name}-keys", view)

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        from boardctl.console.keypad import spoken as aloud

        return [spoken.say("goodnight", view.language), *aloud.choices(state, view)]


def _added(state: KeypadState, view: TableView, keys: str) -> Answer:
    """Open the menu item that a feature has added under these keys, if there is one."""
    item = next((one for one in view.items if one.keys == keys), None)
    return (state, None) if item is None else open_item(item)


def _replaced(state: KeypadState, view: TableView, new: Move) -> Answer:
    """Replace the move being amended. For a hand whose suits matter, first ask for them, as when
    the hand is entered."""
    choices: tuple[Move, ...] = ()
    try:
        attempt_for(state, view, new)
    except IllegalMove as error:
        words = error.fields.get("choices") or ()
        choices = tuple(new._replace(words=(*new.words, *some)) for some in words)
    if not choices:
        return submit_for(state, view, new)
    played = attempt_for(state, view, choices[0])
    points = sum(award.points for award in played.awards)
    return REST._replace(
        mode="question", target=state.target, move=choices[0], choices=choices, points=points
    ), None


def _amending(state: KeypadState, view: TableView) -> str:
    """Return the move being amended, or an empty string if it was removed on another surface."""
    move = target(state, view)
    return "" if move is None else screen.described(move, view)


def _anew(state: KeypadState, view: TableView) -> list[str]:
    """Return the last typed card of a correction, and the next step: its suit, the next card, or
    the new move."""
    language = view.language
    old = target(state, view)
    if old is None:
        return []
    card = view.hide_cards(old._replace(cards=state.cards)).cards[-1]
    last = spoken.card(card, language)
    if waits_for_suit(state, view):
        return [spoken.say("suit", language, card=last)]
    missing = len(old.cards) - len(state.cards)
    return [
        last,
        *([spoken.say("more", language, count=missing)] if missing else _retyped(state, view)),
    ]


def _retyped(state: KeypadState, view: TableView) -> list[str]:
    """Return the new move of a correction, or an empty string if cards are missing or the move
    would be rejected."""
    from boardctl.console.keypad import spoken as aloud

    move = amended(state, view)
    if move is None or aloud.not_taken(state, view):
        return []
    new = spoken.move(view.hide_cards(move), view.seats, view.language)
    return [spoken.say("retyped", view.language, line=new)]
