"""The keypad states as spoken sentences (`screen` contains the displayed ones).

Because everybody hears the board, the voice says "a card" for a card that only its player has seen.
"""

from __future__ import annotations

from typing import Final

from boardctl.console.keypad import effects
from boardctl.console.keypad.mode import ask, mode_of
from boardctl.console.keypad.state import (
    KeypadState,
    Level,
    TableView,
)
from boardctl.games import Ask
from boardctl.text import moves as words
from boardctl.text import spoken
from boardctl.text.counting import together

FEW: Final = 8
"""The maximum number of values spoken one by one. Of a longer list the voice reads only the first
and the last value."""
Phrases = list[str]


def words_after_key(
    before: KeypadState, state: KeypadState, view: TableView, level: Level
) -> Phrases:
    """Return the words after a key has changed the state. After a refusal, they are the reason and
    the repeated question. If the entry has grown, they are only the new part. Otherwise they are
    the current question.

    Args:
        before, state: the keypad's states before and after the key.
        view: of the table.
        level: with `everything`, the words also name the possible answers.
    """
    refused = _refused(state, view)
    new = _grown(before, state, view)
    if new is not None and not refused:
        return new
    parts = [*refused, *question_words(state, view)]
    if level == "everything":
        parts += [one for one in choices(state, view) if one not in parts]
    return parts


def display_sentence(state: KeypadState, view: TableView) -> str:
    """Return the content of the display as a sentence."""
    return spoken.sentence([*_refused(state, view), *question_words(state, view)], view.language)


def _refused(state: KeypadState, view: TableView) -> Phrases:
    if state.refused is None:
        return []
    return [spoken.refusal(state.refused, view.seats, view.language)]


def question_words(state: KeypadState, view: TableView) -> Phrases:
    """Return a state's question, the typed part, and the reason for an expected rejection."""
    nothing: Phrases = []
    question = ask(state, view, "spoken", lambda mode: mode.spoken(state, view), nothing)
    parts = [*question, *not_taken(state, view)]
    if mode_of(state).is_listed and state.mode != "suit":
        parts += choices(state, view)
    return parts


def choices(state: KeypadState, view: TableView) -> Phrases:
    """Return the effect of each key, found by pressing it on the pure machine. Keys that type are
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


def not_taken(state: KeypadState, view: TableView) -> Phrases:
    """Return the reason why `#` would reject the entry. Return an empty list if `#` would accept
    the entry, or if nothing has been typed."""
    if not mode_of(state).submits_typed or not (state.keys or state.cards):
        return []
    error = effects.attempted(state._replace(refused=None), view, "#")[2]
    if error is None or error.code == "not-a-number":  # an incompletely typed hand
        return []
    reason = spoken.refusal(error, view.seats, view.language)
    return [spoken.say("not-taken", view.language, reason=reason)]


def _possible(state: KeypadState, view: TableView) -> Phrases:
    """Return the possible inputs for the open entry, if the list is short enough to listen to."""
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


def _grown_cards(before: KeypadState, state: KeypadState, view: TableView) -> Phrases | None:
    """Return the newest card in a list with the number of cards still missing, or None if a card
    was taken back."""
    if len(state.cards) < len(before.cards):
        return None
    missing = (state.ask.least if state.ask else 0) - len(state.cards)
    more = [spoken.say("more", view.language, count=missing)] if missing > 0 else []
    if missing == 0 or (missing < 0 and len(state.cards) != len(before.cards)):
        more = [spoken.say("enough", view.language)]
    return [effects.last_card(state, view), *more]


def _grown(before: KeypadState, state: KeypadState, view: TableView) -> Phrases | None:
    """Return the new part of an entry that has grown by one key, or None if it has changed in any
    other way."""
    language = view.language
    same = state.mode == before.mode and state.seat == before.seat and state.ask == before.ask
    if state.mode == "cards" and before.mode in ("cards", "suit") and state.cards:
        return _grown_cards(before, state, view)
    if state.mode == before.mode == "retype" and state.cards != before.cards:
        return _of_grown(state, view)
    if not same or state.target != before.target:
        return None
    if len(state.keys) == len(before.keys) + 1 and state.keys[:-1] == before.keys:
        parts = [spoken.key_names(state.keys[-1], language)]
        if state.request is not None:
            return None
        return [*parts, *_of_grown(state, view)]
    return None


def _of_grown(state: KeypadState, view: TableView) -> Phrases:
    return ask(state, view, "grown", lambda mode: mode.grown(state, view), [])


def question(ask: Ask, view: TableView) -> str:
    """Return the full question of an `Ask`."""
    return words.question(ask, ("question", "ask"), view.seats, view.language)


def score(view: TableView) -> Phrases:
    """Return each side's score, and the margin of the leading side."""
    partners = len(view.scores) < len(view.seats)
    return spoken.score(scores(view), view.language, partners=partners)


def scores(view: TableView) -> dict[str, int]:
    """Return the scores, each with the names of its side."""
    sides = view.displayed_scores or view.scores
    return {
        together(
            [name for seat, name in enumerate(view.seats, 1) if view.side(seat) == side],
            view.language,
        ): points
        for side, points in enumerate(sides)
    }
