"""The modes of the keypad for points, hands and cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardctl.console.keypad import menu
from boardctl.console.keypad.screen import page
from boardctl.console.keypad.state import (
    ANSWERS,
    RANKS,
    REST,
    SCORE_DIGITS,
    SUITS,
    Answer,
    Command,
    KeypadState,
    Mode,
    Submit,
    TableView,
    auction,
    number_of,
    numbered,
    refuse,
    submit,
)
from boardctl.games import CORRECTIONS, Ask, IllegalMove, Move, Played
from boardctl.games.cards import Card


def press(state: KeypadState, view: TableView, key: str) -> Answer:
    """Return the state after a key, and an action if one is complete. `*` always leads back towards
    rest."""
    state = state._replace(refused=None)
    if key == "hold #":
        return REST._replace(mode="menu"), None
    if key == "hold *" and view.redoing is None and view.left is not None:
        return REST, Command("go-on")
    if key == "hold *":
        return REST, Submit((view.redoing or Move("redo"),))
    if key == "hold D":
        return _muggins(view)
    if key == "*":
        return _star(state, view), None
    step = _MODES.get(state.mode) or menu.MODES[state.mode]
    return step(state, view, key)


def press_as(state: KeypadState, view: TableView, key: str, seat: int) -> Answer:
    """Return the state after a key on one player's pad: its keys need no seat key, and do nothing
    for another player. At rest, digits and `A` to `D` are the seat's points, cards and go; `#`
    opens the next entry of the seat, or of nobody in particular."""
    if state.mode not in ("rest", "refused") or seat > len(view.seats):
        return press(state, view, key)
    mine = REST._replace(mode="seat", seat=seat)
    if key == "#" and view.asks:
        first = view.asks[0]
        if first.seat in (None, seat):
            return press(state, view, key)
        if any(ask.seat == seat for ask in view.asks):
            return press(mine, view, key)
        return refuse(IllegalMove("not-your-turn", turn=first.seat, seat=seat)), None
    if key not in RANKS and key != "D":
        return press(state, view, key)
    due = view.cards_due
    if due is None:
        return press(mine, view, key)
    if due.seat not in (None, seat):
        return refuse(IllegalMove("not-your-turn", turn=due.seat, seat=seat)), None
    return press(state, view, key)


def enter(state: KeypadState, view: TableView, cards: tuple[Card, ...]) -> KeypadState:
    """Return the state after a camera has seen cards: the preview of the hand being typed, or else
    of the first expected hand with that number of cards."""
    asks = (state.ask,) if state.mode == "cards" and state.ask is not None else view.asks
    hands = [ask for ask in asks if ask.kind == "cards" and ask.most > 1]
    due = next((ask for ask in hands if ask.least <= len(cards) <= ask.most), None)
    if due is None:
        return refuse(IllegalMove("no-such-hand", count=len(cards)))
    typed = _open(due)._replace(cards=cards)
    return _settle(due.move._replace(cards=cards), typed, view)[0]


def spoken_move(view: TableView, move: Move) -> Answer:
    """Return the state after a spoken move: submitted at once, or asking for missing details."""
    if move.kind in CORRECTIONS:
        return submit(move)
    return _settle(move, REST, view, at_once=True)


def revise(state: KeypadState, view: TableView) -> KeypadState:
    """Return the state after a possible move by another surface. An entry in progress keeps its
    keys' meanings; if it has become stale, a message says so until the next key, and the referee
    judges the finished entry. If the move to be taken back is no longer the last one, the entry
    ends; its message lasts until the next key or move."""
    if state.mode == "rest" or (state.mode == "refused" and _is_overtaken(state)):
        return REST  # a refusal was about the table as it was before
    match state.mode:
        case "preview" | "question":
            stale = _worth(state, view) != state.points
        case "back" if not _is_last(state, view):
            return KeypadState(mode="refused", refused=IllegalMove("overtaken"))
        case "amend" | "retype":
            stale = menu.place_of(state, view) is None
        case "cards" | "suit" | "number" | "choice":
            stale = state.ask is not None and state.ask not in view.prompt.asks
        case _:
            stale = False
    return state._replace(refused=IllegalMove("overtaken")) if stale else state


def _is_overtaken(state: KeypadState) -> bool:
    return state.refused is not None and state.refused.code == "overtaken"


def _worth(state: KeypadState, view: TableView) -> int | None:
    """Return the points of a preview's move, None if it would be rejected."""
    assert state.move is not None
    try:
        return _earned(menu.attempt_for(state, view, state.move))
    except IllegalMove:
        return None


def _is_last(state: KeypadState, view: TableView) -> bool:
    """Return whether the move to be taken back is still the last one."""
    return bool(view.deal) and view.deal[-1].identity == state.target


def _star(state: KeypadState, view: TableView) -> KeypadState:
    """Clear the entry; at rest, ask whether to take back the last move."""
    if state.mode in ("rest", "refused"):
        return REST._replace(mode="back", target=view.deal[-1].identity) if view.deal else REST
    if state.mode in ("cards", "preview", "question") and state.ask is not None and state.cards:
        return _open(state.ask)
    if state.mode == "question" and state.target is not None:
        return REST._replace(mode="retype", target=state.target)
    return REST


def _muggins(view: TableView) -> Answer:
    """Hold `D`: call muggins for the only seat that may; ask for the seat if several may."""
    calls = tuple(ask.move for ask in view.prompt.asks if ask.code == "muggins")
    if len(calls) == 1:
        return submit(calls[0])
    if not calls:
        return refuse(IllegalMove("no-claim-open")), None
    return REST._replace(mode="choice", choices=calls), None


def _rest(state: KeypadState, view: TableView, key: str) -> Answer:
    first, due = view.asks[0] if view.asks else None, view.cards_due
    if key == "#" and first is not None and first is not due:
        return _take(first, view)
    if due is not None:
        return _card_due(due, view, key)
    if key in SUITS:
        seat = "ABCD".index(key) + 1
        if seat <= len(view.seats):
            return REST._replace(mode="seat", seat=seat), None
    return REST, None


def _card_due(ask: Ask, view: TableView, key: str) -> Answer:
    """Enter the play card by card: a rank is the card of the player to move, `D` is go. A choice
    offered before it, such as a meld, is opened with `#` or skipped by playing a card."""
    if key == "D":
        go = next((a.move for a in view.asks if a.code == "go"), None)
        return submit(go or Move("go", ask.seat))
    if key in RANKS and ask.ranks:
        return submit(ask.move._replace(cards=(Card(RANKS[key]),)))
    if key in RANKS:
        return _cards(_open(ask), view, key)
    return REST, None


def _take(ask: Ask, view: TableView) -> Answer:
    """`#` on an offered ask: submit it at once if nothing needs to be typed, otherwise open its
    entry."""
    if ask.kind == "confirm":
        return _settle(ask.move, REST._replace(ask=ask), view, at_once=True)
    if ask.kind == "choice":
        return REST._replace(mode="choice", ask=ask, choices=ask.choices), None
    return _open(ask), None


def _open(ask: Ask) -> KeypadState:
    mode: Mode = "number" if ask.kind == "number" else "cards"
    return KeypadState(mode=mode, ask=ask, seat=ask.seat)


def _seat(state: KeypadState, view: TableView, key: str) -> Answer:
    """Handle the keys after a seat key: points and `#`, or, if a hand is expected, its ranks; the
    number of digits decides. `D` first is go, or the minus of points below zero. A hand that is not
    expected yet is typed in the same way, and refused at `#`."""
    assert state.seat is not None
    mine = tuple(ask for ask in view.prompt.asks if ask.seat == state.seat)
    if key == "#":
        if not state.keys:
            return _offers(state, mine, view)
        try:
            number = number_of(state.keys, view, state.seat)
        except IllegalMove as error:
            return refuse(error), None
        return _points(state.seat, number, mine, view)
    if key == "D" and not state.keys:
        go = next((ask.move for ask in mine if ask.code == "go"), None)
        if view.prompt.signed and state.seat in view.prompt.pegs:
            return state._replace(keys="-"), None
        return submit(go) if go is not None else (state, None)
    hands = view.hands(state.seat)
    if key not in RANKS:
        return state, None
    keys = state.keys + key
    hand = next((ask for ask in hands if ask.least == len(keys)), None)
    if hand is not None:
        cards = tuple(Card(RANKS[k]) for k in keys)
        return _settle(
            hand.move._replace(cards=cards), _open(hand)._replace(cards=cards, keys=keys), view
        )
    longest = max((ask.least for ask in hands), default=SCORE_DIGITS + 1)
    if len(keys.removeprefix("-")) > longest:
        return state, None
    typed = state._replace(keys=keys)
    if not hands and key in "ABC":
        try:
            number_of(keys, view, state.seat)
        except IllegalMove as error:
            return typed._replace(refused=error), None
    return typed, None


def _offers(state: KeypadState, mine: tuple[Ask, ...], view: TableView) -> Answer:
    """Handle a seat's key and `#`: offer that player's possible entries. Numbers are left out
    because they can follow the seat key directly."""
    due = tuple(ask for ask in mine if ask in view.asks) or mine
    if not due:
        return state, None
    choices = _choices(due)
    if len(due) == 1 or due[0].kind == "cards" or not choices:
        return _take(due[0], view)
    return REST._replace(mode="choice", seat=state.seat, choices=choices), None


def _choices(asks: tuple[Ask, ...]) -> tuple[Move, ...]:
    """Return the choices in asks that need no typing."""
    return tuple(
        move
        for ask in asks
        if ask.kind in ("confirm", "choice")
        for move in ask.choices or (ask.move,)
    )


def _points(seat: int, number: int, mine: tuple[Ask, ...], view: TableView) -> Answer:
    """Handle a number after a seat: use its first meaning that the referee accepts; if there is
    none, return the refusal of the first meaning."""
    points = Move("peg", seat, numbers=(number * view.prompt.scale,))
    numbers = [ask for ask in mine if ask.kind == "number"]
    numbered = [ask.move._replace(numbers=(number * ask.scale,)) for ask in numbers]
    later = [move for move, ask in zip(numbered, numbers, strict=True) if ask.after_points]
    most = {move: ask.most for move, ask in zip(numbered, numbers, strict=True)}
    moves = [*(move for move in numbered if move not in later), points, *later]
    refused = None
    for move in moves:
        try:
            view.attempt(move)
            _check_most(move, most.get(move))
        except IllegalMove as error:
            refused = refused or error
        else:
            return submit(move)
    assert refused is not None
    return refuse(refused), None


def _check_most(move: Move, most: int | None) -> None:
    """Raises IllegalMove if a number is far above what is offered."""
    if most is not None and move.numbers[0] > most:
        raise IllegalMove("number-too-high", said=move.numbers[0], most=most)


def _number(state: KeypadState, view: TableView, key: str) -> Answer:
    ask = state.ask
    assert ask is not None
    if key == "#" and state.keys:
        try:
            number = number_of(state.keys, view)
            move = ask.move._replace(numbers=(number * ask.scale,))
            _check_most(move, ask.most)
        except IllegalMove as error:
            return refuse(error), None
        return submit(move)
    if key == "#":  # on to what else that player may say: a pass instead of a bid
        others = tuple(other for other in view.asks if other.seat == ask.seat)
        choices = _choices(others)
        return (
            REST._replace(mode="choice", seat=ask.seat, choices=choices) if choices else state
        ), None
    if key.isdigit() and len(state.keys) < 4:
        return state._replace(keys=state.keys + key), None
    return state, None


def _cards(state: KeypadState, view: TableView, key: str) -> Answer:
    """Enter cards one by one; the last one completes the hand. `#` before the first card moves on
    to the next cards that may be entered for that player: from the throw to the whole hand."""
    ask = state.ask
    assert ask is not None
    if key == "#":
        if state.cards and ask.least <= len(state.cards):
            return _settle(ask.move._replace(cards=state.cards), state, view)
        return (state, None) if state.cards else (_open(_next_cards(ask, view)), None)
    if key not in RANKS:
        return state, None
    card = Card(RANKS[key])
    if not ask.ranks:
        return state._replace(mode="suit", cards=(*state.cards, card), keys=state.keys + key), None
    return _more(state._replace(cards=(*state.cards, card), keys=state.keys + key), view)


def _next_cards(ask: Ask, view: TableView) -> Ask:
    """Return the next ask for cards of the same seat; the first after the last."""
    mine = [other for other in view.asks if other.kind == "cards" and other.seat == ask.seat]
    return mine[(mine.index(ask) + 1) % len(mine)] if ask in mine else ask


def _suit(state: KeypadState, view: TableView, key: str) -> Answer:
    if key not in SUITS:
        return state, None
    card = state.cards[-1]._replace(suit=SUITS[key])
    return _more(state._replace(mode="cards", cards=(*state.cards[:-1], card)), view)


def _more(state: KeypadState, view: TableView) -> Answer:
    ask = state.ask
    assert ask is not None
    if len(state.cards) < ask.most:
        return state, None
    at_once = ask.most == 1
    return _settle(ask.move._replace(cards=state.cards), state, view, at_once=at_once)


def _settle(move: Move, state: KeypadState, view: TableView, at_once: bool = False) -> Answer:
    """Handle a complete move: preview it before it is pegged, unless it is submitted at once. If
    the referee needs more details (its rejection lists the possible words as `choices`), ask for
    them first."""
    try:
        played = view.attempt(move)
    except IllegalMove as error:
        choices = error.fields.get("choices")
        if choices is None:
            return refuse(error)._replace(mode="rest" if at_once else "refused"), None
        moves = tuple(move._replace(words=(*move.words, *words)) for words in choices)
        points = _earned(view.attempt(moves[0]))
        return state._replace(mode="question", move=moves[0], choices=moves, points=points), None
    if at_once:
        return submit(move)
    return state._replace(mode="preview", move=move, points=_earned(played)), None


def _earned(played: Played[object]) -> int:
    return sum(award.points for award in played.awards)


def _preview(state: KeypadState, view: TableView, key: str) -> Answer:
    """Handle keys on a preview: `#` or the player's seat key pegs it. If another surface has
    changed the hand's points, the preview is shown once more."""
    move = state.move
    assert move is not None
    if key == "#" or (move.seat is not None and key == "ABCD"[move.seat - 1 : move.seat]):
        worth = _worth(state, view)
        if worth is not None and worth != state.points:
            return state._replace(points=worth), None
        return menu.submit_for(state, view, move)
    return state, None


def _refused(state: KeypadState, view: TableView, key: str) -> Answer:
    """Handle the first key after a rejected hand: the `#` that would have pegged it only clears the
    message."""
    return (REST, None) if key == "#" else _rest(REST, view, key)


def _menu(state: KeypadState, view: TableView, key: str) -> Answer:
    """Preview a hand entered on a page like a typed one; the menu does the rest."""
    if menu.ITEMS.get(key) != "offer":
        return menu.MODES["menu"](state, view, key)
    if view.offer is None:
        return refuse(IllegalMove("nothing-offered")), None
    return _settle(view.offer.move, REST, view)


def _question(state: KeypadState, view: TableView, key: str) -> Answer:
    """Handle keys on a question: a digit chooses its answer; `#` and `0` choose the first, which
    claims nothing more. `A` turns the page if there are more answers than digits."""
    if key == "#":
        return _preview(state, view, key)
    if key == "A" and len(state.choices) > ANSWERS + 1:
        place = state.place + ANSWERS
        return state._replace(place=place if place + 1 < len(state.choices) else 0), None
    if (chosen := answer(state, key)) is not None:
        return menu.submit_for(state, view, chosen)
    return state, None


def answer(state: KeypadState, key: str) -> Move | None:
    """Return the answer chosen by a key, None if the key chooses none."""
    if key != "#" and not key.isdigit():
        return None
    chosen = 0 if key in "#0" else state.place + int(key)
    return state.choices[chosen] if chosen < len(state.choices) else None


def _choice(state: KeypadState, view: TableView, key: str) -> Answer:
    """Handle keys on choices: a digit takes one; `#` moves on to the next choices, in an auction to
    the next height."""
    bids = auction(state.choices)
    shown = 1 if bids else len(page(state, view))
    if key == "#":
        place = state.place + shown
        return state._replace(place=place if place < len(bids or state.choices) else 0), None
    offered = dict(numbered(state) if bids else numbered(state)[:shown])
    if key.isdigit() and int(key) in offered:
        return _settle(offered[int(key)], state, view, at_once=True)
    return state, None


def _back(state: KeypadState, view: TableView, key: str) -> Answer:
    if key != "#":
        return REST, None
    if not _is_last(state, view):
        return refuse(IllegalMove("overtaken")), None
    return submit(view.undoing or Move("undo"))


_MODES: Final[dict[str, Callable[[KeypadState, TableView, str], Answer]]] = {
    "rest": _rest,
    "seat": _seat,
    "cards": _cards,
    "suit": _suit,
    "number": _number,
    "choice": _choice,
    "preview": _preview,
    "question": _question,
    "back": _back,
    "refused": _refused,
    "menu": _menu,
}
