"""What the small display says while one types: lines of 16 characters, the state always named.

Called by `sitting`, which shows two lines at a time.
"""

from __future__ import annotations

from textwrap import wrap

from boardctl import notation, text
from boardctl.cards import UNSEEN, Suit
from boardctl.entry import menu
from boardctl.entry.talk import Conversation, Scene
from boardctl.games import Ask, Move

COLUMNS = 16


def lines(talk: Conversation, scene: Scene) -> tuple[str, ...]:
    """The display's lines: two, or more where a refusal needs them."""
    if talk.refused is not None:
        return tuple(wrap(text.refusal(talk.refused, scene.seats, scene.language), COLUMNS))
    first, second = _MODES.get(talk.mode, _plain)(talk, scene)
    return first[:COLUMNS], second[:COLUMNS]


def scores(scene: Scene) -> str:
    """`Ann 12  Bob 34`, names cut to fit; partners by their first letters."""
    if not scene.scores:
        return ""
    width = COLUMNS // len(scene.scores) - 1
    told = []
    for side, score in enumerate(scene.scores):
        mates = [name for seat, name in enumerate(scene.seats) if seat % len(scene.scores) == side]
        figure = str(score)
        name = mates[0] if len(mates) == 1 else "+".join(mate[:1] for mate in mates)
        told.append(f"{name[: max(1, width - len(figure) - 1)]} {figure}")
    gap = COLUMNS - sum(map(len, told))
    return (" " * max(1, gap // max(1, len(told) - 1))).join(told)


def _say(code: str, scene: Scene, **fields: object) -> str:
    return text.say("keypad", code, fields, scene.seats, scene.language)


def question(ask: Ask, scene: Scene) -> str:
    """What an ask asks, for one line."""
    fields = {"seat": ask.seat, **ask.fields} if ask.seat is not None else dict(ask.fields)
    return text.say("ask", ask.code, fields, scene.seats, scene.language)


def _rest(talk: Conversation, scene: Scene) -> tuple[str, str]:
    first = question(scene.asks[0], scene) if scene.asks else _say("points", scene)
    said = " ".join(
        text.say("readout", note.code, note.fields, scene.seats, scene.language)
        for note in scene.said
    )
    return first, said or scores(scene)


def _seat(talk: Conversation, scene: Scene) -> tuple[str, str]:
    return _say("seat", scene, seat=talk.seat), talk.keys or _say("points-or-hand", scene)


def _cards(talk: Conversation, scene: Scene) -> tuple[str, str]:
    assert talk.ask is not None
    told = " ".join(map(str, talk.cards))
    return question(talk.ask, scene), told + " _" * (talk.ask.least - len(talk.cards))


def _suit(talk: Conversation, scene: Scene) -> tuple[str, str]:
    keys = " ".join(f"{key}{suit.symbol}" for key, suit in zip("ABCD", Suit, strict=True))
    return _say("suit", scene, card=talk.cards[-1]), keys


def _number(talk: Conversation, scene: Scene) -> tuple[str, str]:
    assert talk.ask is not None
    scaled = str(int(talk.keys) * talk.ask.scale) if talk.keys else ""
    return question(talk.ask, scene), scaled + "_"


def page(talk: Conversation, scene: Scene) -> tuple[str, ...]:
    """The choices from where the page begins, as many as one line can show: `1take`, `2pass`; a
    number is set off, `2=20`. Where they are different players' they bear their names."""
    told: list[str] = []
    whose = len({move.seat for move in talk.choices}) > 1
    for number, move in enumerate(talk.choices[talk.place : talk.place + 9], 1):
        short = scene.seats[move.seat - 1] if whose and move.seat else _short(move, scene)
        told.append(f"{number}{'=' * short[:1].isdigit()}{short}")
        if len(told) > 1 and len(" ".join(told)) > COLUMNS:
            return tuple(told[:-1])
    return tuple(told)


def _choice(talk: Conversation, scene: Scene) -> tuple[str, str]:
    head = question(talk.ask, scene) if talk.ask is not None else _say("which", scene)
    return head, " ".join(page(talk, scene))


def _short(move: Move, scene: Scene) -> str:
    """A choice in a word or two: its words or cards, its number, or else its verb."""
    unseen = "".join(map(str, move.cards)) if UNSEEN in move.cards else ""
    cards = (unseen,) if unseen else tuple(map(str, move.cards))
    parts = (*move.words, *cards, *map(str, move.numbers))
    if move.verb == "dealer":
        return scene.seats[move.numbers[0] - 1]
    if not parts and move.name is not None:
        return move.name
    return " ".join(parts) or text.say("verb", move.verb, {}, (), scene.language)


def _preview(talk: Conversation, scene: Scene) -> tuple[str, str]:
    seat = talk.move.seat if talk.move is not None else None
    return _say("preview", scene, seat=seat, points=talk.points), _say("pegs", scene)


def _question(talk: Conversation, scene: Scene) -> tuple[str, str]:
    """What `#` would peg, and what the other answers are."""
    told = [
        f"{n}{text.say('word', '+'.join(move.words), {}, (), scene.language)}"
        for n, move in enumerate(talk.choices)
    ]
    seat = talk.choices[0].seat
    return _say("preview-or", scene, seat=seat, points=talk.points), " ".join(told[1:])


def _back(talk: Conversation, scene: Scene) -> tuple[str, str]:
    last = scene.deal[-1] if scene.deal else ""
    first = _say("back-points", scene, points=scene.last_points)
    return (first if scene.last_points else _say("back", scene, line=last)), _say("yes", scene)


def _amend(talk: Conversation, scene: Scene) -> tuple[str, str]:
    return scene.deal[-1 - talk.place], _say("amend", scene)


def _retype(talk: Conversation, scene: Scene) -> tuple[str, str]:
    move = menu.amended(talk, scene) if talk.keys else None
    return _say("retype", scene, line=scene.deal[-1 - talk.place]), (
        notation.spell(move) if move is not None else "_"
    )


def _players(talk: Conversation, scene: Scene) -> tuple[str, str]:
    if len(talk.chosen) == max(scene.players):
        return " ".join(talk.chosen), _say("yes", scene)
    offered = scene.roster[talk.place : talk.place + 9]
    told = " ".join(f"{n}{name}" for n, name in enumerate(offered, 1) if name not in talk.chosen)
    return _say("player", scene, seat=len(talk.chosen) + 1, key="ABCD"[len(talk.chosen)]), told


def _game(talk: Conversation, scene: Scene) -> tuple[str, str]:
    offered = menu.choices(scene)[talk.place : talk.place + 9]
    return _say("game", scene), " ".join(f"{n}{name}" for n, (name, _) in enumerate(offered, 1))


def _scores(talk: Conversation, scene: Scene) -> tuple[str, str]:
    if talk.seat is None:
        return _say("whose-score", scene), scores(scene)
    return _say("set-score", scene, seat=talk.seat), talk.keys + "_"


def _plain(talk: Conversation, scene: Scene) -> tuple[str, str]:
    return _say(talk.mode, scene), _say(f"{talk.mode}-keys", scene)


_MODES = {
    "rest": _rest, "seat": _seat, "cards": _cards, "suit": _suit, "number": _number,
    "choice": _choice, "preview": _preview, "question": _question, "back": _back,
    "amend": _amend, "retype": _retype, "players": _players, "game": _game, "scores": _scores,
}  # fmt: skip
