"""One key after the other: the modes in which points, hands and cards are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardctl.cards import Card
from boardctl.entry import menu
from boardctl.entry.screen import page
from boardctl.entry.talk import (
    RANKS,
    REST,
    SUITS,
    Answer,
    Conversation,
    Mode,
    Say,
    Scene,
    refuse,
    say,
)
from boardctl.games import Ask, IllegalMove, Move, Played


def press(talk: Conversation, scene: Scene, key: str) -> Answer:
    """The conversation after a key, and what is to be done. `*` always leads towards rest."""
    talk = talk._replace(refused=None)
    if key == "hold #":
        return REST._replace(mode="menu"), None
    if key == "hold *":
        return REST, Say(("redo",))
    if key == "hold D":
        return _muggins(scene)
    if key == "*":
        return _star(talk, scene), None
    step = _MODES.get(talk.mode) or menu.MODES[talk.mode]
    return step(talk, scene, key)


def _star(talk: Conversation, scene: Scene) -> Conversation:
    """Clears what is typed; at rest it asks whether to take back."""
    if talk.mode == "rest":
        return REST._replace(mode="back") if scene.deal else REST
    if talk.mode in ("cards", "preview", "question") and talk.ask is not None and talk.cards:
        return _open(talk.ask)
    return REST


def _muggins(scene: Scene) -> Answer:
    """Hold `D`: the one seat that may call says it; where several may, they are asked which."""
    calls = tuple(ask.move for ask in scene.prompt.asks if ask.code == "muggins")
    if len(calls) == 1:
        return say(calls[0])
    if not calls:
        return refuse(IllegalMove("no-claim-open")), None
    return REST._replace(mode="choice", choices=calls), None


def _rest(talk: Conversation, scene: Scene, key: str) -> Answer:
    first = scene.asks[0] if scene.asks else None
    due = next((ask for ask in scene.asks if ask.kind != "choice"), None)
    by_cards = due is not None and due.kind == "cards" and due.telling == "cards"
    if key == "#" and (first is not due or not by_cards):
        return _take(first, scene) if first is not None else (REST, None)
    if due is not None and by_cards:
        return _card_due(due, scene, key)
    if key in SUITS:
        seat = "ABCD".index(key) + 1
        if seat <= len(scene.seats):
            return REST._replace(mode="seat", seat=seat), None
    return REST, None


def _card_due(ask: Ask, scene: Scene, key: str) -> Answer:
    """The play told card by card: a rank is the card of the player due, `D` is go.

    A choice offered before it, such as a meld, is opened with `#` or passed over by playing on.
    """
    if key == "D":
        go = next((a.move for a in scene.asks if a.code == "go"), None)
        return say(go or Move("go", ask.seat))
    if key in RANKS and ask.ranks:
        return say(ask.move._replace(cards=(Card(RANKS[key]),)))
    if key in RANKS:
        return _cards(_open(ask), scene, key)
    return REST, None


def _take(ask: Ask, scene: Scene) -> Answer:
    """`#` on what is offered: said at once where nothing need be typed, else its entry opens."""
    if ask.kind == "confirm":
        return _settle(ask.move, REST._replace(ask=ask), scene, at_once=True)
    if ask.kind == "choice":
        return REST._replace(mode="choice", ask=ask, choices=ask.choices), None
    return _open(ask), None


def _open(ask: Ask) -> Conversation:
    mode: Mode = "number" if ask.kind == "number" else "cards"
    return Conversation(mode=mode, ask=ask, seat=ask.seat)


def _seat(talk: Conversation, scene: Scene, key: str) -> Answer:
    """After a seat: points and `#`, or as many ranks as a hand has. Length decides."""
    assert talk.seat is not None
    mine = tuple(ask for ask in scene.prompt.asks if ask.seat == talk.seat)
    if key == "#":
        if not talk.keys:
            return _offers(talk, mine, scene)
        if not talk.keys.isdigit():
            return refuse(IllegalMove("not-a-number", said=talk.keys)), None
        return _points(talk.seat, int(talk.keys), mine, scene)
    if key == "D" and not talk.keys:
        go = next((ask.move for ask in mine if ask.code == "go"), None)
        return say(go) if go is not None else (talk, None)
    if key not in RANKS:
        return talk, None
    keys = talk.keys + key
    hands = [a for a in mine if a.kind == "cards" and a.ranks and a.least > 2]
    hand = next((ask for ask in hands if ask.least == len(keys)), None)
    if hand is not None:
        cards = tuple(Card(RANKS[k]) for k in keys)
        return _settle(
            hand.move._replace(cards=cards), _open(hand)._replace(cards=cards, keys=keys), scene
        )
    longest = max((ask.least for ask in hands), default=3)
    if len(keys) > longest:
        return talk, None
    return talk._replace(keys=keys), None


def _offers(talk: Conversation, mine: tuple[Ask, ...], scene: Scene) -> Answer:
    """A seat's key and `#`: what that player may tell now. A number needs no opening, since it
    may follow the key at once."""
    due = tuple(ask for ask in mine if ask in scene.asks) or mine
    if not due:
        return talk, None
    choices = tuple(
        move
        for ask in due
        if ask.kind in ("confirm", "choice")
        for move in ask.choices or (ask.move,)
    )
    if len(due) == 1 or due[0].kind == "cards" or not choices:
        return _take(due[0], scene)
    return REST._replace(mode="choice", seat=talk.seat, choices=choices), None


def _points(seat: int, number: int, mine: tuple[Ask, ...], scene: Scene) -> Answer:
    """A number after a seat: the first telling of it that the referee accepts."""
    points = Move("peg", seat, numbers=(number * scene.prompt.scale,))
    numbers = [ask for ask in mine if ask.kind == "number"]
    told = [ask.move._replace(numbers=(number * ask.scale,)) for ask in numbers]
    later = [move for move, ask in zip(told, numbers, strict=True) if ask.after_points]
    moves = [*(move for move in told if move not in later), points, *later]
    refused = None
    for move in moves:
        try:
            scene.attempt(move)
        except IllegalMove as error:
            refused = error
        else:
            return say(move)
    assert refused is not None
    return refuse(refused), None


def _number(talk: Conversation, scene: Scene, key: str) -> Answer:
    ask = talk.ask
    assert ask is not None
    if key == "#" and talk.keys:
        return say(ask.move._replace(numbers=(int(talk.keys) * ask.scale,)))
    if key.isdigit() and len(talk.keys) < 4:
        return talk._replace(keys=talk.keys + key), None
    return talk, None


def _cards(talk: Conversation, scene: Scene, key: str) -> Answer:
    """Cards one by one; the last one completes the hand."""
    ask = talk.ask
    assert ask is not None
    if key == "#":
        if talk.cards and ask.least <= len(talk.cards):
            return _settle(ask.move._replace(cards=talk.cards), talk, scene)
        return talk, None
    if key not in RANKS:
        return talk, None
    card = Card(RANKS[key])
    if not ask.ranks:
        return talk._replace(mode="suit", cards=(*talk.cards, card), keys=talk.keys + key), None
    return _more(talk._replace(cards=(*talk.cards, card), keys=talk.keys + key), scene)


def _suit(talk: Conversation, scene: Scene, key: str) -> Answer:
    if key not in SUITS:
        return talk, None
    card = talk.cards[-1]._replace(suit=SUITS[key])
    return _more(talk._replace(mode="cards", cards=(*talk.cards[:-1], card)), scene)


def _more(talk: Conversation, scene: Scene) -> Answer:
    ask = talk.ask
    assert ask is not None
    if len(talk.cards) < ask.most:
        return talk, None
    at_once = ask.most == 1
    return _settle(ask.move._replace(cards=talk.cards), talk, scene, at_once=at_once)


def _settle(move: Move, talk: Conversation, scene: Scene, at_once: bool = False) -> Answer:
    """A move is complete: shown before it is pegged, unless it is said at once.

    Where the referee must know more (its refusal lists the `choices` of words that would do), that
    is asked first, and the answer says the line.
    """
    try:
        played = scene.attempt(move)
    except IllegalMove as error:
        choices = error.fields.get("choices")
        if choices is None:
            return refuse(error), None
        moves = tuple(move._replace(words=(*move.words, *words)) for words in choices)
        points = _earned(scene.attempt(moves[0]))
        return talk._replace(mode="question", move=moves[0], choices=moves, points=points), None
    if at_once:
        return say(move)
    return talk._replace(mode="preview", move=move, points=_earned(played)), None


def _earned(played: Played[object]) -> int:
    return sum(award.points for award in played.awards)


def _preview(talk: Conversation, scene: Scene, key: str) -> Answer:
    """`#` or the owner's own seat key pegs."""
    move = talk.move
    assert move is not None
    if key == "#" or (move.seat is not None and key == "ABCD"[move.seat - 1 : move.seat]):
        return say(move)
    return talk, None


def _question(talk: Conversation, scene: Scene, key: str) -> Answer:
    """A digit says the answer it stands for; `#` and `0` the first: nothing more to claim."""
    if key == "#":
        return say(talk.choices[0])
    if key.isdigit() and int(key) < len(talk.choices):
        return say(talk.choices[int(key)])
    return talk, None


def _choice(talk: Conversation, scene: Scene, key: str) -> Answer:
    """A digit takes a choice; `#` turns the page where a line can not show them all."""
    shown = len(page(talk, scene))
    if key == "#":
        place = talk.place + shown
        return talk._replace(place=place if place < len(talk.choices) else 0), None
    if key.isdigit() and 1 <= int(key) <= shown:
        return _settle(talk.choices[talk.place + int(key) - 1], talk, scene, at_once=True)
    return talk, None


def _back(talk: Conversation, scene: Scene, key: str) -> Answer:
    return (REST, Say(("undo",))) if key == "#" else (REST, None)


_MODES: Final[dict[str, Callable[[Conversation, Scene, str], Answer]]] = {
    "rest": _rest,
    "seat": _seat,
    "cards": _cards,
    "suit": _suit,
    "number": _number,
    "choice": _choice,
    "preview": _preview,
    "question": _question,
    "back": _back,
}
