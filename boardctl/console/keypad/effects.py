"""Find the effect of each key in a keypad state by pressing the key on the pure machine.

Keys are omitted if public knowledge shows that their moves would be rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from boardctl import text
from boardctl.console.keypad import correction
from boardctl.console.keypad.machine import press
from boardctl.console.keypad.mode import ask, mode_of
from boardctl.console.keypad.screen import offered_games
from boardctl.console.keypad.state import (
    RANKS,
    REST,
    Command,
    Item,
    KeypadState,
    Submit,
    TableView,
    answer,
)
from boardctl.games import IllegalMove, Move, Played
from boardctl.games.cards import Card
from boardctl.message import Message
from boardctl.text import moves as words
from boardctl.text import spoken

_KEYS: Final = tuple("1234567890ABCD")


def does(state: KeypadState, view: TableView) -> Iterator[tuple[str, str]]:
    """Return the effect of each key in a state. Keys are omitted if public knowledge shows that
    their moves would be rejected."""
    plain = REST if state.mode == "refused" else state._replace(refused=None)
    for key in ("#", *_KEYS, "*"):
        if mode_of(plain).only_hash and key not in "#*":
            continue  # any other key means no
        if plain.mode == "question" and key == "0":
            continue  # same as hash
        if state.mode == "refused" and key == "#":
            yield key, spoken.say("to-rest", view.language)
            continue
        after, effect, error = attempted(plain, view, key)
        if error is not None:
            continue
        if isinstance(effect, Submit):
            said = _submits(plain, key, effect, view)
            if said is not None:
                yield key, said
        elif isinstance(effect, Command):
            yield key, command(effect, view.language, view.items)
        elif after not in (plain, state):
            yield key, _leads_to(plain, after, view)


def scan(state: KeypadState, view: TableView) -> Iterator[tuple[str, str]]:
    """Return the effect of each key in a state. `#` comes first, then keys that complete an entry,
    then keys that type, and `*` last."""
    typing = typing_keys(state, view)
    done = dict(does(state, view))
    back = done.pop("*", None)
    yield from ((key, what) for key, what in done.items() if key not in typing)
    for key in (key for key in _KEYS if key in typing):
        ranks = state.mode in ("cards", "rest", "refused")
        card = Card(RANKS[key]) if ranks and key in RANKS else None
        named = spoken.card(card, view.language) if card else spoken.name_of(key, view.language)
        yield key, named
    if back is not None:
        yield "*", back


def command(effect: Command, language: str, items: Iterable[Item] = ()) -> str:
    """Return the words for a menu command: its sentence, or the word shown on the display."""
    sentences = text.sentences()
    for code in (f"do-{effect.what}-{effect.value}", f"do-{effect.what}"):
        if f"spoken.{code}" in sentences:
            return spoken.say(code, language)
    return next(item.title for item in items if item.opens == effect.what)


def attempted(
    state: KeypadState, view: TableView, key: str
) -> tuple[KeypadState, Submit | Command | None, IllegalMove | None]:
    """Return the effect of a key according to public knowledge, and the reason for a rejection.
    Moves offered by the referee count as accepted, because the rejection of a shown hand could
    depend on its secret cards."""
    offered = {ask.move for ask in view.prompt.asks if ask.kind == "confirm"}
    seen = view.attempt

    def attempt(move: Move) -> Played[Any]:
        plain = move._replace(words=(), claim=None)
        return Played(None) if plain in offered else seen(move)

    if state.mode not in ("preview", "question"):
        view = view._replace(attempt=attempt)
    after, effect = press(state, view, key)
    error = view.rejects(effect.moves) if isinstance(effect, Submit) else after.refused
    return after, effect, error


def typing_keys(state: KeypadState, view: TableView) -> frozenset[str]:
    """Return the keys that type one more digit, rank or suit."""
    nothing: frozenset[str] | None = frozenset()
    found = ask(state, view, "typing", lambda mode: mode.typing(state, view), nothing)
    if found is not None:
        return found
    view = view._replace(attempt=lambda move: Played(None))  # as in `does`
    return frozenset(key for key in _KEYS if _types(key, state, view))


def _submits(plain: KeypadState, key: str, effect: Submit, view: TableView) -> str | None:
    """Return the effect of a key that submits moves, or None if the key says go and the referee
    would reject it."""
    if plain.mode == "back":
        return spoken.say("to-back", view.language)
    if effect.moves[0].verb == "go" and not _may_go(view):
        return None
    if plain.mode == "question" and (chosen := answer(plain, key)) is not None:
        return _claim(plain, chosen, view)
    moves = effect.moves
    return ask(plain, view, "submits", lambda mode: mode.submits(plain, key, moves, view), "")


def _leads_to(state: KeypadState, after: KeypadState, view: TableView) -> str:
    """Return the effect of a key that does not complete an entry."""
    language = view.language
    if mode_of(state).only_hash or state.request is not None:
        return spoken.say("to-no", language)
    named = after.cards[-1].suit if after.cards else None
    if named is not None and (state.mode == "suit" or correction.waits_for_suit(state, view)):
        return text.say(Message("page", f"suit-{named.letter}"), text.Reader(language))
    if after.mode == "end-game":
        return offered_games(view)[after.place]
    if after.mode == "seat" and state.mode != "seat" and after.seat is not None:
        return view.name(after.seat)
    if after.mode == "rest":
        return spoken.say("to-end-lesson" if state.mode == "lesson" else "to-rest", language)
    if state.mode == after.mode == "lesson":
        return spoken.say("to-next-step", language)
    if state.mode == after.mode == "choice":
        return spoken.say("to-more", language)
    if state.mode == after.mode == "amend":
        return amending(after, view)
    if state.mode == after.mode == "players" and after.chosen != state.chosen:
        return after.chosen[-1] if len(after.chosen) > len(state.chosen) else ""
    if state.mode == after.mode == "scores" and after.seat is not None:
        return view.name(after.seat)
    if state.mode == after.mode:
        return spoken.say("to-more" if after.place != state.place else "to-rest", language)
    if after.mode == "suit":
        return last_card(after, view)
    if state.mode in ("preview", "question"):
        return spoken.say("to-retype", language)
    if after.mode in ("cards", "number", "choice") and after.ask is not None:
        return words.question(after.ask, ("do", "question", "ask"), view.seats, language)
    if after.mode in ("number", "choice"):
        return spoken.say("to-more", language)
    return spoken.say(f"to-{after.mode}", language)


def _claim(state: KeypadState, move: Move, view: TableView) -> str:
    """Return what an answer about suits adds to the count of a hand, and the hand's points with
    this answer."""
    points = sum(award.points for award in correction.attempt_for(state, view, move).awards)
    fields = {"what": spoken.claim(move.words, view.language), "points": points}
    return spoken.say("claim", view.language, **fields)


def _may_go(view: TableView) -> bool:
    return any(ask.code == "go" for ask in view.prompt.asks)


def _types(key: str, state: KeypadState, view: TableView) -> bool:
    """Return whether a key adds to the entry, or is the last rank of a hand."""
    after, _ = press(state, view, key)
    if state.mode == "seat" and key in RANKS and after.mode != "seat":
        return True
    longer = after.keys > state.keys or len(after.cards) > len(state.cards)
    return after.mode == state.mode and longer and after.refused is None


def last_card(state: KeypadState, view: TableView) -> str:
    """Return the last typed card in the form that everybody may hear."""
    assert state.ask is not None
    parts = view.hide_cards(state.ask.move._replace(cards=state.cards)).cards
    return spoken.card(parts[-1], view.language)


def amending(state: KeypadState, view: TableView) -> str:
    """Return the move being corrected, or an empty string if another surface removed the move."""
    move = correction.target(state, view)
    return "" if move is None else spoken.move(view.hide_cards(move), view.seats, view.language)
