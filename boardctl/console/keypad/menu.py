"""The keypad's menu (hold `#`): occasional settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from boardctl import games
from boardctl.console.keypad.state import (
    RANKS,
    REST,
    SCORE_DIGITS,
    SUITS,
    Answer,
    Command,
    KeypadState,
    Mode,
    TableView,
    number_of,
    refuse,
    seating,
    submit,
)
from boardctl.games import IllegalMove, Move, Played, Prompt
from boardctl.games.cards import Card
from boardctl.record import notation

ITEMS: Final[dict[str, Mode | str]] = {
    "1": "telling", "2": "amend", "3": "players", "4": "game", "5": "light",
    "6": "voice", "7": "evening", "8": "pair", "9": "scores", "0": "goodnight",
    "B": "let-in", "C": "allow", "D": "offer",
}  # fmt: skip
"""What each key opens: a mode of the keypad, a command (evening), or the hand that a page offers.
Features add the other keys (`TableView.items`)."""
WAITING: Final = {"let-in": "B", "allow": "C", "offer": "D"}
"""The keys of items that are only listed while somebody waits for them, by what is waited for."""
DIGITS: Final = 2
"""Digits of the number of a request."""
DIGITS_OF_POINTS: Final = 4
"""Digits of a number that is typed anew."""
TELLINGS: Final = {"1": "points", "2": "hands", "3": "cards"}
LIGHTS: Final = {"1": "night", "2": "dim", "3": "bright"}
PHONES: Final = {"1": "pin", "2": "forget", "3": "pads"}
FAR: Final = {"#": "play", "A": "yes", "B": "no", "C": "stand"}
"""Another house: play with it, agree to what it asks or not, let its claim stand."""
INVITATION: Final = 24
"""Digits of an invitation: six words of four."""
VOICES: Final[dict[str, Command]] = {
    "1": Command("voice", "on"), "2": Command("voice", "off"),
    "3": Command("language", "en"), "4": Command("language", "ja"),
    "5": Command("voice", "counts"), "6": Command("voice", "questions"),
    "7": Command("voice", "everything"), "8": Command("voice", "slower"),
    "9": Command("voice", "faster"), "A": Command("sounds", "on"),
    "B": Command("sounds", "off"), "C": Command("sounds", "meaning"),
}  # fmt: skip


def _menu(state: KeypadState, view: TableView, key: str) -> Answer:
    item = ITEMS.get(key)
    if item is None:
        return _added(state, view, key)
    if item == "evening":
        return REST, Command(item)
    if item == "amend" and not view.deal:
        return refuse(IllegalMove("nothing-to-amend")), None
    mode: Mode = item  # type: ignore[assignment]  # the rest of ITEMS are modes
    newest = view.deal[-1].identity if item == "amend" else None
    return REST._replace(mode=mode, target=newest), None


def _added(state: KeypadState, view: TableView, keys: str) -> Answer:
    """Open the item that a feature has added at these keys, if there is one."""
    item = next((one for one in view.items if one.keys == keys), None)
    return (state, None) if item is None else item.answer()


def _pick(what: str, choices: dict[str, str]) -> Callable[[KeypadState, TableView, str], Answer]:
    def pick(state: KeypadState, view: TableView, key: str) -> Answer:
        return (REST, Command(what, choices[key])) if key in choices else (state, None)

    return pick


def _pair(state: KeypadState, view: TableView, key: str) -> Answer:
    if key in PHONES:
        return _pick("pair", PHONES)(state, view, key)
    return _added(state, view, f"8{key}")


def _far(state: KeypadState, view: TableView, key: str) -> Answer:
    """Handle the numbers of an invitation's six words, then `#`; or an answer to the other
    house."""
    if key.isdigit() and len(state.keys) < INVITATION:
        return state._replace(keys=state.keys + key), None
    if not state.keys and key in FAR:
        return REST, Command("far", FAR[key])
    if key == "#" and len(state.keys) == INVITATION:
        return REST, Command("far", state.keys)
    return state, None


def _voice(state: KeypadState, view: TableView, key: str) -> Answer:
    return (REST, VOICES[key]) if key in VOICES else (state, None)


def place_of(state: KeypadState, view: TableView) -> int | None:
    """Return the number of moves in the deal after the move being amended, None if it is gone."""
    later = (n for n, line in enumerate(reversed(view.deal)) if line.identity == state.target)
    return next(later, None)


def _amend(state: KeypadState, view: TableView, key: str) -> Answer:
    """Handle keys while amending: `A` older, `B` newer, `#` retypes the move shown, `D` removes
    it."""
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


def target(state: KeypadState, view: TableView) -> Move | None:
    """Return the move being amended, None if it is gone."""
    place = place_of(state, view)
    return None if place is None else view.deal[-1 - place].move


def amended(state: KeypadState, view: TableView) -> Move | None:
    """Return the amended move with the retyped number or cards, None until all are typed."""
    move, place = target(state, view), place_of(state, view)
    if move is None or place is None:
        return None
    if move.cards:
        whole = len(state.cards) == len(move.cards) and not waits_for_suit(state, view)
        return Move(move.verb, move.seat, state.cards) if whole else None
    if not state.keys:
        return None
    number = int(state.keys) * _scale(move, view.answered(place + 1))
    return move._replace(numbers=(number,), claim=None)


def waits_for_suit(state: KeypadState, view: TableView) -> bool:
    """Return whether the card retyped last needs its suit: the table was asked for it."""
    move, place = target(state, view), place_of(state, view)
    if move is None or place is None or not state.cards or state.cards[-1].suit is not None:
        return False
    asked = [
        ask.ranks
        for ask in view.answered(place + 1).asks
        if ask.kind == "cards" and (ask.move.verb, ask.seat) == (move.verb, move.seat)
    ]
    return not any(asked) if asked else all(card.suit is not None for card in move.cards)


def _scale(move: Move, prompt: Prompt) -> int:
    """Return the unit in points in which a number was typed."""
    if move.verb in ("adjust", "dealer"):
        return 1
    asked = (ask for ask in prompt.asks if (ask.kind, ask.move.verb) == ("number", move.verb))
    return next((ask.scale for ask in asked), prompt.scale)


def _retype(state: KeypadState, view: TableView, key: str) -> Answer:
    """Type the cards of a move again, with each suit if it is needed, or its number."""
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


def _replaced(state: KeypadState, view: TableView, new: Move) -> Answer:
    """Replace the move being amended; for a hand whose suits matter, ask for them first, as when it
    is entered."""
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


def attempt_for(state: KeypadState, view: TableView, move: Move) -> Played[Any]:
    """Return the effect of a typed move: now, or in place of the move being amended. Raises
    IllegalMove."""
    if state.target is None:
        return view.attempt(move)
    place = place_of(state, view)
    if place is None:
        raise IllegalMove("overtaken")
    return view.attempt_before(place + 1, move)


def submit_for(state: KeypadState, view: TableView, move: Move) -> Answer:
    """Submit a typed move, new or in place of the move being amended."""
    if state.target is None:
        return submit(move)
    place = place_of(state, view)
    if place is None:
        return refuse(IllegalMove("overtaken")), None
    return submit(Move("amend", numbers=(place + 1,), name=notation.spell(move)))


def _players(state: KeypadState, view: TableView, key: str) -> Answer:
    """Return a digit seats the next player from the roster; `#` when all are seated."""
    if key == "#":
        if len(state.chosen) not in view.players:
            allowed = " or ".join(map(str, view.players))
            return refuse(IllegalMove("seats-missing", allowed=allowed, players=view.players)), None
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


def choices(view: TableView) -> tuple[tuple[str, tuple[Move, ...]], ...]:
    """Return the choices of menu item `4` with their moves: the presets, every game, the games'
    named tables."""
    presets = tuple(
        (
            preset.name,
            (
                Move("game", name=preset.game),
                *(Move("set", words=option) for option in preset.options.items()),
            ),
        )
        for preset in view.presets
    )
    plain = tuple((name, (Move("game", name=name),)) for name in games.names())
    return (
        *presets,
        *plain,
        *(
            (
                table.name,
                (
                    Move("game", name=name),
                    *(Move("set", words=option) for option in table.options.items()),
                ),
            )
            for name in games.names()
            for table in games.find(name).tables
            if not table.seats or len(view.seats) in table.seats
        ),
    )


def _game(state: KeypadState, view: TableView, key: str) -> Answer:
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


def _end_game(state: KeypadState, view: TableView, key: str) -> Answer:
    """Ask whether the game in progress may end for the chosen one: `#` means yes; any other key
    means no."""
    return submit(*choices(view)[state.place][1]) if key == "#" else (REST, None)


def _scores(state: KeypadState, view: TableView, key: str) -> Answer:
    """Correct a score: a seat, its true score, `#`."""
    if state.seat is None:
        seat = "ABCD".find(key) + 1
        return (state._replace(seat=seat), None) if 1 <= seat <= len(view.seats) else (state, None)
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


def _allow(state: KeypadState, view: TableView, key: str) -> Answer:
    """Handle the number on the requesting page, then `#` on its request. Only this path allows
    requests, and `#` allows only the request that is shown, whatever has been asked since."""
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


def _goodnight(state: KeypadState, view: TableView, key: str) -> Answer:
    return (REST, Command("goodnight")) if key == "#" else (REST, None)


MODES: Final[dict[str, Callable[[KeypadState, TableView, str], Answer]]] = {
    "menu": _menu,
    "telling": _pick("telling", TELLINGS),
    "amend": _amend,
    "retype": _retype,
    "players": _players,
    "game": _game,
    "end-game": _end_game,
    "light": _pick("light", LIGHTS),
    "voice": _voice,
    "pair": _pair,
    "far": _far,
    "scores": _scores,
    "goodnight": _goodnight,
    "let-in": _allow,
    "allow": _allow,
}
