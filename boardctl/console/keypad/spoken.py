"""The keypad's states as spoken sentences, next to the displayed ones (`screen`).

Everybody hears the board: cards that only their player has seen are "a card", as on the display.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardctl import text
from boardctl.console.keypad import effects, menu
from boardctl.console.keypad.screen import offered_games
from boardctl.console.keypad.state import (
    KeypadState,
    Level,
    TableView,
)
from boardctl.games import Ask
from boardctl.message import Message
from boardctl.text import moves as words
from boardctl.text import spoken
from boardctl.text.counting import together

LISTED: Final = frozenset(
    {"choice", "question", "telling", "light", "pair", "players", "game", "suit"}
)
"""The modes whose question is empty without its answers."""
FEW: Final = 8
"""Numbers that are said one by one; of more the first and the last are."""
TYPED: Final = frozenset({"seat", "cards", "number", "retype", "preview", "scores"})
"""The modes in which `#` submits what was typed."""
Phrases = list[str]


def said(before: KeypadState, state: KeypadState, view: TableView, level: Level) -> Phrases:
    """Return the words after a key has changed the state: a refusal and the repeated question, only
    the new part while an entry grows, otherwise the current question.

    Args:
        before, state: the keypad's, before and after the key.
        view: of the table.
        level: `everything` also names what can be answered.
    """
    refused = _refused(state, view)
    new = _grown(before, state, view)
    if new is not None and not refused:
        return new
    parts = [*refused, *asked(state, view)]
    if level == "everything":
        parts += [one for one in choices(state, view) if one not in parts]
    return parts


def shown(state: KeypadState, view: TableView) -> str:
    """Return the display's content as a sentence."""
    return spoken.sentence([*_refused(state, view), *asked(state, view)], view.language)


def _refused(state: KeypadState, view: TableView) -> Phrases:
    if state.refused is None:
        return []
    return [spoken.refusal(state.refused, view.seats, view.language)]


def asked(state: KeypadState, view: TableView) -> Phrases:
    """Return a state's question, the typed part, and the reason for an expected rejection."""
    parts = [*_MODES[state.mode](state, view), *_not_taken(state, view)]
    if state.mode in LISTED and state.mode != "suit":
        parts += choices(state, view)
    return parts


def choices(state: KeypadState, view: TableView) -> Phrases:
    """Return the effect of each key, found by pressing it on the pure machine; keys that type are
    grouped."""
    language = view.language
    typing = effects.typing_keys(state, view)
    parts = []
    if "5" in typing and "A" not in typing:
        parts.append(spoken.say("digits", language))
    elif "5" in typing:
        signed = "D" in typing
        parts.append(spoken.say("ranks-d" if signed else "ranks", language))
    parts += _possible(state, view)
    for key, what in effects.does(state, view):
        if key not in typing:
            name = spoken.name_of(key, language)
            parts.append(spoken.say("does", language, key=name, what=what))
    return parts


def _not_taken(state: KeypadState, view: TableView) -> Phrases:
    """Return the reason why `#` would reject the entry; empty if it would not, or if nothing is
    typed."""
    if state.mode not in TYPED or not (state.keys or state.cards):
        return []
    error = effects.attempted(state._replace(refused=None), view, "#")[2]
    if error is None or error.code == "not-a-number":  # a hand that is not typed to its end
        return []
    reason = spoken.refusal(error, view.seats, view.language)
    return [spoken.say("not-taken", view.language, reason=reason)]


def _possible(state: KeypadState, view: TableView) -> Phrases:
    """Return the possible input for the open entry, if the list is short enough to listen to."""
    ask = view.cards_due if state.mode in ("rest", "refused") else state.ask
    if ask is None:
        return []
    language = view.language
    if ask.kind == "number":
        parts = []
        if ask.scale > 1:
            parts.append(spoken.say("scale", language, scale=ask.scale))
        numbers = [n for n in range(ask.least, ask.most + 1, ask.scale) if n not in ask.barred]
        typed = [n // ask.scale for n in numbers]
        if len(typed) <= FEW:
            parts.append(spoken.say("only", language, numbers=typed))
        else:
            parts.append(spoken.say("range", language, least=typed[0], most=typed[-1]))
        return parts
    if ask.kind != "cards" or ask.cards is None:
        return []
    found = spoken.possible(ask.cards, language)
    return [spoken.say("possible", language, cards=found)] if found else []


def _grown(before: KeypadState, state: KeypadState, view: TableView) -> Phrases | None:
    """Return the new part of an entry that has grown by one key; None if something else has
    happened."""
    language = view.language
    same = state.mode == before.mode and state.seat == before.seat and state.ask == before.ask
    if state.mode == "cards" and before.mode in ("cards", "suit") and state.cards:
        if len(state.cards) < len(before.cards):
            return None
        missing = (state.ask.least if state.ask else 0) - len(state.cards)
        more = [spoken.say("more", language, count=missing)] if missing > 0 else []
        if missing == 0 or (missing < 0 and len(state.cards) != len(before.cards)):
            more = [spoken.say("enough", language)]
        return [effects.last_card(state, view), *more]
    if state.mode == before.mode == "retype" and state.cards != before.cards:
        return [*_anew(state, view), *_not_taken(state, view)]
    if not same or state.target != before.target:
        return None
    if len(state.keys) == len(before.keys) + 1 and state.keys[:-1] == before.keys:
        parts = [spoken.keys(state.keys[-1], language)]
        if state.mode == "retype":
            parts += [*_retyped(state, view), *_not_taken(state, view)]
        elif state.mode == "far" and len(state.keys) % 4 == 0:
            parts += _word_due(state, view)
        elif state.request is not None:
            return None
        return parts
    return None


def _anew(state: KeypadState, view: TableView) -> Phrases:
    """Return the card of a correction typed last, and the next step: its suit, the next card, or
    the new move."""
    language = view.language
    old = menu.target(state, view)
    if old is None:
        return []
    card = view.veil(old._replace(cards=state.cards)).cards[-1]
    last = spoken.card(card, language)
    if menu.waits_for_suit(state, view):
        return [spoken.say("suit", language, card=last)]
    missing = len(old.cards) - len(state.cards)
    return [
        last,
        *([spoken.say("more", language, count=missing)] if missing else _retyped(state, view)),
    ]


def _retyped(state: KeypadState, view: TableView) -> Phrases:
    """Return the new move of a correction; nothing while cards are missing, or if it would be
    rejected."""
    move = menu.amended(state, view)
    if move is None or _not_taken(state, view):
        return []
    new = spoken.move(view.veil(move), view.seats, view.language)
    return [spoken.say("retyped", view.language, line=new)]


def question(ask: Ask, view: TableView) -> str:
    """Return the question of an ask, in full."""
    return words.asked(ask, ("question", "ask"), view.seats, view.language)


def _rest(state: KeypadState, view: TableView) -> Phrases:
    language = view.language
    parts = []
    if view.offer is not None:
        seat, points = view.offer.move.seat, view.offer.points
        parts.append(spoken.say("offer", language, view.seats, seat=seat, points=points))
    if not view.asks:
        return (
            [*parts, spoken.say("points", language)] if view.prompt.pegs else [*parts, _over(view)]
        )
    first, due = view.asks[0], view.cards_due
    if view.left is not None:
        parts.append(spoken.say("left", view.language))
        parts += score(view.waiting)[:-1]
    if first is due:
        parts.append(question(first, view))
    elif first.after_points:
        parts.append(spoken.say("points", language))
        parts.append(spoken.say("points-or", language, what=question(first, view)))
    elif first.kind == "confirm":
        what = words.asked(first, ("do", "ask"), view.seats, language).rstrip("?？")
        parts.append(spoken.say("press", language, what=what))
    else:
        parts.append(spoken.say("open", language, what=question(first, view)))
        if due is not None:
            parts.append(question(due, view))
    return parts


def _over(view: TableView) -> str:
    if not view.scores:
        return spoken.say("unseated", view.language)
    return spoken.sentence(score(view), view.language)


def score(view: TableView) -> Phrases:
    """Return every side's score, and the leader's margin."""
    partners = len(view.scores) < len(view.seats)
    return spoken.score(scores(view), view.language, partners=partners)


def scores(view: TableView) -> dict[str, int]:
    """Return the scores by the names of each side."""
    sides = view.shown or view.scores
    return {
        together(
            [name for seat, name in enumerate(view.seats, 1) if view.side(seat) == side],
            view.language,
        ): points
        for side, points in enumerate(sides)
    }


def _seat(state: KeypadState, view: TableView) -> Phrases:
    assert state.seat is not None
    hands, scale = view.hands(state.seat), view.prompt.scale
    if not state.keys:
        code = "seat-hand" if hands else "seat"
        parts = [spoken.say(code, view.language, view.seats, seat=state.seat)]
        if scale > 1 and state.seat in view.prompt.pegs:
            parts.append(spoken.say("scale", view.language, scale=scale))
        parts += [
            spoken.say("bid-scale", view.language, scale=ask.scale)
            for ask in view.prompt.asks
            if (ask.seat, ask.kind) == (state.seat, "number") and ask.scale > scale
        ]
        return parts
    keys = spoken.keys(state.keys, view.language)
    parts = [spoken.say("typed", view.language, view.seats, seat=state.seat, keys=keys)]
    if hands and not state.keys.isdigit():
        missing = hands[0].least - len(state.keys)
        parts.append(spoken.say("more", view.language, count=missing))
    return parts


def _cards(state: KeypadState, view: TableView) -> Phrases:
    assert state.ask is not None
    parts = [question(state.ask, view)]
    if state.cards:
        typed = view.veil(state.ask.move._replace(cards=state.cards)).cards
        known = spoken.cards(typed, view.language)
        parts.append(spoken.say("entered", view.language, cards=known))
    missing = state.ask.least - len(state.cards)
    if missing > 0 and state.ask.most > 1:
        parts.append(spoken.say("more", view.language, count=missing))
    return parts


def _suit(state: KeypadState, view: TableView) -> Phrases:
    return [spoken.say("suit", view.language, card=effects.last_card(state, view))]


def _number(state: KeypadState, view: TableView) -> Phrases:
    assert state.ask is not None
    parts = [question(state.ask, view)]
    if state.keys:
        number = int(state.keys) * state.ask.scale
        accepted = not _not_taken(state, view)
        parts.append(
            spoken.say("number", view.language, number=number) if accepted else str(number)
        )
    elif state.ask.scale > 1:
        parts.append(spoken.say("scale", view.language, scale=state.ask.scale))
    return parts


def _choice(state: KeypadState, view: TableView) -> Phrases:
    if state.ask is not None:
        return [question(state.ask, view)]
    return [spoken.say("which", view.language)]


def _preview(state: KeypadState, view: TableView) -> Phrases:
    move = state.move
    assert move is not None
    held = spoken.cards(view.veil(move).cards, view.language)
    if move.seat is None and held and not _not_taken(state, view):
        return [spoken.say("press", view.language, what=held)]
    fields = {"seat": move.seat, "points": state.points, "cards": held}
    code = "preview" if held else "preview-bare"
    if _not_taken(state, view):
        return [spoken.say("entered", view.language, cards=held)] if held else []
    return [spoken.say(code, view.language, view.seats, **fields)]


def _back(state: KeypadState, view: TableView) -> Phrases:
    undo = view.undoing
    if undo is not None and undo.verb != "undo":
        return [spoken.say("back-correction", view.language), *choices(state, view)]
    count = undo.numbers[0] if undo is not None and undo.numbers else 1
    line = ""
    if count <= len(view.deal):
        line = spoken.move(view.veil(view.deal[-count].move), view.seats, view.language)
    return [spoken.say("back", view.language, line=line), *choices(state, view)]


def _amend(state: KeypadState, view: TableView) -> Phrases:
    return [spoken.say("amend", view.language, line=effects.amending(state, view))]


def _retype(state: KeypadState, view: TableView) -> Phrases:
    parts = [spoken.say("retype", view.language, line=effects.amending(state, view))]
    if state.keys:
        parts.append(spoken.keys(state.keys, view.language))
    return parts + (_anew(state, view) if state.cards else [])


def _players(state: KeypadState, view: TableView) -> Phrases:
    parts = []
    if state.chosen:
        names = text.listed(state.chosen, view.language)
        parts.append(spoken.say("chosen", view.language, names=names))
    if len(state.chosen) < max(view.players):
        key = "ABCD"[len(state.chosen)]
        parts.append(spoken.say("player", view.language, key=key))
    return parts


def _scores(state: KeypadState, view: TableView) -> Phrases:
    if state.seat is None:
        return [
            spoken.say("whose-score", view.language),
            *score(view),
        ]
    parts = [spoken.say("set-score", view.language, view.seats, seat=state.seat)]
    return [*parts, spoken.keys(state.keys, view.language)] if state.keys else parts


def _allow(state: KeypadState, view: TableView) -> Phrases:
    if state.request is None:
        parts = [spoken.say("page-number", view.language)]
        return [*parts, spoken.keys(state.keys, view.language)] if state.keys else parts
    return [
        text.say(Message("consent", state.request.what), text.Reader(view.language)),
        *choices(state, view),
    ]


def _far(state: KeypadState, view: TableView) -> Phrases:
    if not state.keys:
        return [spoken.say("far", view.language)]
    typed = state.keys[-(len(state.keys) % 4) :] if len(state.keys) % 4 else ""
    return [*_word_due(state, view), *([spoken.keys(typed, view.language)] if typed else [])]


def _word_due(state: KeypadState, view: TableView) -> Phrases:
    """Return which word of an invitation is typed now, or that all are complete."""
    if len(state.keys) == menu.INVITATION:
        return [spoken.say("press", view.language, what=spoken.say("do-far", view.language))]
    return [spoken.say("word", view.language, number=len(state.keys) // 4 + 1)]


def _goodnight(state: KeypadState, view: TableView) -> Phrases:
    return [spoken.say("goodnight", view.language), *choices(state, view)]


def _end_game(state: KeypadState, view: TableView) -> Phrases:
    chosen = offered_games(view)[state.place]
    return [spoken.say("end-game", view.language, game=chosen), *choices(state, view)]


def _title(state: KeypadState, view: TableView) -> Phrases:
    return [spoken.say(state.mode, view.language)]


_MODES: Final[dict[str, Callable[[KeypadState, TableView], Phrases]]] = {
    "rest": _rest, "refused": _rest, "seat": _seat, "cards": _cards, "suit": _suit,
    "number": _number, "choice": _choice, "preview": _preview, "question": _preview,
    "back": _back, "amend": _amend, "retype": _retype, "players": _players, "scores": _scores,
    "let-in": _allow, "allow": _allow, "goodnight": _goodnight,
    "menu": _title, "telling": _title, "light": _title, "voice": _title, "pair": _title,
    "game": _title, "end-game": _end_game, "far": _far,
}  # fmt: skip
