"""The small display's lines of 16 characters during an entry.

Everybody sees the display, on the board and on every phone: cards that only their player has seen
are shown as `?`, also while they are typed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from textwrap import wrap
from typing import Final

from boardctl import games, text
from boardctl.console.keypad import menu
from boardctl.console.keypad.state import (
    ANSWERS,
    SUITS,
    KeypadState,
    TableView,
    auction,
    numbered,
)
from boardctl.games import Ask, Move
from boardctl.games.cards import UNSEEN
from boardctl.message import Message
from boardctl.text import options
from boardctl.text.moves import describe, readouts, title

COLUMNS = 16
_SUIT_KEYS: Final = " ".join(f"{key}{suit.symbol}" for key, suit in SUITS.items())


def lines(state: KeypadState, view: TableView) -> tuple[str, ...]:
    """Return the display's lines: two, or more if a message or a menu needs them."""
    if state.refused is not None:
        why = text.refusal(state.refused, text.Reader(view.language, view.seats))
        return tuple(wrap(why, COLUMNS))
    return tuple(_MODES.get(state.mode, _plain)(state, view))


def rows(line: str) -> list[str]:
    """Return a line as rows of the display, broken between words if it is too long for one."""
    return [line] if len(line) <= COLUMNS else wrap(line, COLUMNS)


def paged(head: str, offered: Iterable[str]) -> tuple[str, ...]:
    """Return a question and its choices, two lines per page, with as many choices as fit; the
    display turns the pages automatically."""
    rows = [""]
    for choice in offered:
        longer = f"{rows[-1]} {choice}" if rows[-1] else choice[:COLUMNS]
        if len(longer) <= COLUMNS:
            rows[-1] = longer
        else:
            rows.append(choice[:COLUMNS])
    return tuple(line for row in rows for line in (head, row))


def scores(view: TableView) -> str:
    """`Ann 12  Bob 34`, with the longest names shortened to fit and partners as initials."""
    sides = _sides(view)
    names = [name for name, _ in sides]

    def row() -> list[str]:
        return [f"{name} {figure}" for name, (_, figure) in zip(names, sides, strict=True)]

    while len(" ".join(row())) > COLUMNS and any(len(name) > 1 for name in names):
        longest = max(range(len(names)), key=lambda side: len(names[side]))
        names[longest] = text.brief(names[longest], len(names[longest]) - 1, view.language)
    shown = row()
    gap = COLUMNS - sum(map(len, shown))
    return (" " * max(1, gap // max(1, len(shown) - 1))).join(shown)


def tally(head: str, won: Mapping[str, int], language: str) -> tuple[str, ...]:
    """Return the number of games that everybody has won, below a heading: as many people per page
    as fit."""
    return paged(
        head,
        (
            _beside_figure(text.called(name, language), str(games), language)
            for name, games in won.items()
        ),
    )


def _beside_figure(name: str, figure: str, language: str) -> str:
    """`Ann 12` in one row."""
    return f"{text.brief(name, COLUMNS - len(figure) - 1, language)} {figure}"


def _sides(view: TableView) -> list[tuple[str, str]]:
    """Return the name and score of each side."""
    found = []
    for side, score in enumerate(view.shown or view.scores):
        mates = [name for seat, name in enumerate(view.seats, 1) if view.side(seat) == side]
        name = mates[0] if len(mates) == 1 else "+".join(mate[:1] for mate in mates)
        found.append((name, str(score)))
    return found


def _above_scores(head: str, view: TableView) -> tuple[str, ...]:
    """Return a line above the scores: side by side if they fit, otherwise on several pages."""
    line = scores(view)
    if len(line) <= COLUMNS:
        return head, line
    sides = _sides(view)
    return paged(head, (_beside_figure(name, figure, view.language) for name, figure in sides))


def _say(code: str, view: TableView, **fields: object) -> str:
    return _fit("keypad", code, fields, view)


def _fit(kind: str, code: str, fields: Mapping[str, object], view: TableView) -> str:
    """Return a sentence with its names shortened to fit one line; a question keeps its end."""
    shown = text.say(Message(kind, code, fields), text.Reader(view.language, view.seats))
    for letters in range(COLUMNS, 2, -1):
        if len(shown) <= COLUMNS:
            break
        names = [text.brief(name, letters, view.language) for name in view.seats]
        shown = text.say(Message(kind, code, fields), text.Reader(view.language, names))
    return shown


def question(ask: Ask, view: TableView) -> str:
    """Return the question of an ask, in one line."""
    fields = {"seat": ask.seat, **ask.fields} if ask.seat is not None else dict(ask.fields)
    return _fit("ask", ask.code, fields, view)


def _rest(state: KeypadState, view: TableView) -> tuple[str, ...]:
    ask = view.asks[0] if view.asks else None
    if ask is None:
        first = _say("points", view)
    else:
        first = _say(f"points-{ask.code}", view) if ask.after_points else question(ask, view)
    if view.offer is not None:
        seat, points = view.offer.move.seat, view.offer.points
        return first, _say("offer", view, seat=seat, points=points)
    shown = _above_scores(first, view)
    if view.margin not in (None, "game"):  # in place of the scores, which the pegs show
        shown = first, _say(f"margin-{view.margin}", view)
    if view.said:
        shown = first, " ".join(readouts(view.said, view.seats, view.language))
    if view.left is not None:
        return *shown, *_above_scores(_say("left", view), view.waiting)
    return shown


def _seat(state: KeypadState, view: TableView) -> tuple[str, str]:
    assert state.seat is not None
    code = "points-of" if view.prompt.scale == 1 else "tens-of"
    code = "points-or-hand" if view.hands(state.seat) else code
    return _say("seat", view, seat=state.seat), state.keys or _say(code, view)


def _cards(state: KeypadState, view: TableView) -> tuple[str, str]:
    assert state.ask is not None
    shown = " ".join(map(str, view.veil(state.ask.move._replace(cards=state.cards)).cards))
    return question(state.ask, view), shown + " _" * (state.ask.least - len(state.cards))


def _suit(state: KeypadState, view: TableView) -> tuple[str, str]:
    assert state.ask is not None
    shown = view.veil(state.ask.move._replace(cards=state.cards)).cards
    return _say("suit", view, card=shown[-1]), _SUIT_KEYS


def _number(state: KeypadState, view: TableView) -> tuple[str, str]:
    """Return the typed number; if it is in tens, with the zero that nobody types."""
    assert state.ask is not None
    scale = state.ask.scale
    typed = f"{int(state.keys) * scale}_" if state.keys else str(scale).replace("1", "_")
    return question(state.ask, view), typed


def page(state: KeypadState, view: TableView) -> tuple[str, ...]:
    """Return the choices of the current page that fit in one line: `1take`, `2pass`; a number is
    set off, `2=20`. Choices of different players include their names."""
    shown: list[str] = []
    whose = len({move.seat for move in state.choices}) > 1
    for number, move in numbered(state):
        short = view.name(move.seat) if whose and move.seat else _short(move, view)
        shown.append(f"{number}{'=' * short[:1].isdigit()}{short}")
        if len(shown) > 1 and len(" ".join(shown)) > COLUMNS:
            return tuple(shown[:-1])
    return tuple(shown)


def _choice(state: KeypadState, view: TableView) -> tuple[str, ...]:
    head = question(state.ask, view) if state.ask is not None else _say("which", view)
    if not auction(state.choices):
        return head, " ".join(page(state, view))
    bids = [f"{key}{_short(move, view).replace(' ', '')}" for key, move in numbered(state)]
    higher = auction(state.choices)[state.place + 1 :]
    return paged(head, [*bids, "#>"] if higher else bids)


def _short(move: Move, view: TableView) -> str:
    """Return a choice in a word or two: its words or cards, its number, or its verb."""
    unseen = "".join(map(str, move.cards)) if UNSEEN in move.cards else ""
    cards = (unseen,) if unseen else tuple(map(str, move.cards))
    words = (
        word if len(word) == 1 else text.say(Message("word", word), text.Reader(view.language))
        for word in move.words
    )
    worth = () if move.claim is None else (f"={move.claim}",)
    parts = (*words, *cards, *worth, *map(str, move.numbers))
    if move.verb == "dealer":
        return view.name(move.numbers[0])
    if not parts and move.name is not None:
        return move.name
    return " ".join(parts) or text.say(Message("verb", move.verb), text.Reader(view.language))


def _preview(state: KeypadState, view: TableView) -> tuple[str, str]:
    seat = state.move.seat if state.move is not None else None
    return _say("preview", view, seat=seat, points=state.points), _say("pegs", view)


def _question(state: KeypadState, view: TableView) -> tuple[str, ...]:
    """Return the move that `#` would peg, and the other answers."""
    first = state.place + 1
    shown = []
    for n, move in enumerate(state.choices[first : first + ANSWERS], 1):
        short = _claim(move.words, view)
        shown.append(f"{n}{'=' * short[:1].isdigit()}{short}")
    if len(state.choices) > ANSWERS + 1:
        shown.append("A>")
    seat = state.choices[0].seat
    return paged(_say("preview-or", view, seat=seat, points=state.points), shown)


def _claim(answer: tuple[str, ...], view: TableView) -> str:
    """Return the contribution of a hand's suits, in a word or two."""
    known = text.sentences()
    if f"word.{'+'.join(answer)}" in known:
        return text.say(Message("word", "+".join(answer)), text.Reader(view.language))
    claims = [word for word in answer if f"chip.{word}" in known]
    return "+".join(text.say(Message("word", word), text.Reader(view.language)) for word in claims)


def _back(state: KeypadState, view: TableView) -> tuple[str, ...]:
    """Return the move to take back: a correction, or the last move of a person."""
    undo = view.undoing
    if undo is not None and undo.verb != "undo":
        return _say("back-correction", view), _say("yes", view)
    count = undo.numbers[0] if undo is not None and undo.numbers else 1
    if count == 1 and view.last_points:
        return _say("back-points", view, points=view.last_points), _say("yes", view)
    last = _described(view.deal[-count].move, view) if count <= len(view.deal) else ""
    return _beside(_say("back", view, line=last), _say("yes", view))


def _described(move: Move, view: TableView) -> str:
    """Return a move in the words that everybody may read."""
    return describe(view.veil(move), view.seats, view.language)


def _beside(head: str, keys: str) -> tuple[str, ...]:
    """Return a line of any length in pages, each above the meanings of the keys."""
    return tuple(line for row in rows(head) for line in (row, keys))


def _amending(state: KeypadState, view: TableView) -> str:
    """Return the move being amended, empty if another surface removed it."""
    move = menu.target(state, view)
    return "" if move is None else _described(move, view)


def _amend(state: KeypadState, view: TableView) -> tuple[str, ...]:
    return _beside(_amending(state, view), _say("amend", view))


def _retype(state: KeypadState, view: TableView) -> tuple[str, ...]:
    """Return the move being corrected above the typed part, then the new move."""
    move, old = menu.amended(state, view), menu.target(state, view)
    if move is not None:
        return _beside(_described(move, view), _say("yes", view))
    typed = "_"
    if old is not None and state.cards:
        shown = view.veil(old._replace(cards=state.cards)).cards
        if menu.waits_for_suit(state, view):
            return _say("suit", view, card=shown[-1]), _SUIT_KEYS
        typed = " ".join(map(str, shown)) + " _" * (len(old.cards) - len(shown))
    return _beside(_amending(state, view), typed)


def _players(state: KeypadState, view: TableView) -> tuple[str, ...]:
    if len(state.chosen) == max(view.players):
        chosen = rows(" ".join(state.chosen))
        return tuple(line for names in chosen for line in (names, _say("yes", view)))
    offered = view.roster[state.place : state.place + 9]
    shown = [f"{n}{name}" for n, name in enumerate(offered, 1) if name not in state.chosen]
    seat = len(state.chosen) + 1
    return paged(_say("player", view, seat=seat, key="ABCD"[seat - 1]), shown)


def offered_games(view: TableView) -> list[str]:
    """Return the choices of menu item `4` by name: the presets, every game by its title, then the
    named tables."""

    def called(n: int, name: str) -> str:
        if n < len(view.presets):
            return name
        if n < len(view.presets) + len(games.names()):
            return title(name, view.language)
        return options.table(name, view.language)

    return [called(n, name) for n, (name, _) in enumerate(menu.choices(view))]


def _game(state: KeypadState, view: TableView) -> tuple[str, ...]:
    offered = offered_games(view)[state.place : state.place + 9]
    shown = [f"{n}{name}" for n, name in enumerate(offered, 1)]
    return paged(_say("game", view), shown)


def _menu(state: KeypadState, view: TableView) -> tuple[str, ...]:
    """Return the menu items, the likely ones first: pending requests, then in the sentence's
    order."""
    waiting = {menu.WAITING[request.kind] for request in view.requests()}
    if view.offer is not None:
        waiting.add(menu.WAITING["offer"])
    own = {*menu.ITEMS} - {*menu.WAITING.values()} | waiting
    words = _offered("menu-keys", "", own, view)
    return paged(_say("menu", view), sorted(words, key=lambda word: word[0] not in waiting))


def _offered(code: str, before: str, own: Collection[str], view: TableView) -> list[str]:
    """Return the words of a menu, each after its key: its own items and those of features.

    Args: code: the sentence with the words. before: the key that opens the menu, empty for the
    first menu. own: the keys that need no feature.

    Args:
        code: the sentence with the words.
        before: the key that opens the menu, empty for the first menu.
        own: the keys that need no feature.
    """
    added = {item.keys[-1]: item.title for item in view.items if item.keys[:-1] == before}
    words = [
        word for word in _say(code, view).split() if word[0] in own or added.get(word[0]) == ""
    ]
    return [*words, *(f"{key}{title}" for key, title in added.items() if title)]


def _voice(state: KeypadState, view: TableView) -> tuple[str, ...]:
    return paged(_say("voice", view), _say("voice-keys", view).split())


def _scores(state: KeypadState, view: TableView) -> tuple[str, ...]:
    if state.seat is None:
        return _above_scores(_say("whose-score", view), view)
    return _say("set-score", view, seat=state.seat), state.keys + "_"


def _allow(state: KeypadState, view: TableView) -> tuple[str, str]:
    if state.request is None:
        return _say("number", view), state.keys + "_"
    return _fit("consent", state.request.what, {}, view), _say("yes", view)


def _pair(state: KeypadState, view: TableView) -> tuple[str, ...]:
    return paged(_say("pair", view), _offered("pair-keys", "8", menu.PHONES, view))


def _far(state: KeypadState, view: TableView) -> tuple[str, ...]:
    """Return the number of the word being typed, and its digits."""
    if not state.keys:
        return paged(_say("far", view), _say("far-keys", view).split())
    if len(state.keys) == menu.INVITATION:
        return _say("far-all", view), _say("yes", view)
    typed = len(state.keys) // 4 * 4
    return _say("far-word", view, number=typed // 4 + 1), state.keys[typed:] + "_"


def _plain(state: KeypadState, view: TableView) -> tuple[str, str]:
    return _say(state.mode, view), _say(f"{state.mode}-keys", view)


_MODES: Final[dict[str, Callable[[KeypadState, TableView], tuple[str, ...]]]] = {
    "rest": _rest, "seat": _seat, "cards": _cards, "suit": _suit, "number": _number,
    "choice": _choice, "preview": _preview, "question": _question, "back": _back,
    "amend": _amend, "retype": _retype, "players": _players, "game": _game, "scores": _scores,
    "menu": _menu, "voice": _voice, "let-in": _allow, "allow": _allow,
    "pair": _pair, "far": _far,
}  # fmt: skip
