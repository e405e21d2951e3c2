"""The lines of the small display (16 characters) during an entry.

Everybody sees the display, on the board and on every phone. Cards that only their player has seen
are therefore shown as `?`, even while they are being typed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from textwrap import wrap
from typing import Final

from boardctl import games, text
from boardctl.console.keypad import correction
from boardctl.console.keypad.mode import ask
from boardctl.console.keypad.state import (
    SUITS,
    KeypadState,
    TableView,
    numbered,
)
from boardctl.games import Ask, Move
from boardctl.games.cards import UNSEEN
from boardctl.message import Message
from boardctl.text import options
from boardctl.text.moves import describe, title

COLUMNS = 16
SUIT_KEYS: Final = " ".join(f"{key}{suit.symbol}" for key, suit in SUITS.items())


def lines(state: KeypadState, view: TableView) -> tuple[str, ...]:
    """Return the display's lines: two, or more if needed by a message or a menu."""
    if state.refused is not None:
        why = text.refusal(state.refused, text.Reader(view.language, view.seats))
        return tuple(wrap(why, COLUMNS))
    return ask(state, view, "screen", lambda mode: mode.screen(state, view), ("", ""))


def rows(line: str) -> list[str]:
    """Return a line as display rows. A line that is too long for one row is broken between
    words."""
    return [line] if len(line) <= COLUMNS else wrap(line, COLUMNS)


def paged(head: str, offered: Iterable[str]) -> tuple[str, ...]:
    """Return a question and its choices, two lines per page, with as many choices as fit. The
    display shows the pages in turn."""
    rows = [""]
    for choice in offered:
        longer = f"{rows[-1]} {choice}" if rows[-1] else choice[:COLUMNS]
        if len(longer) <= COLUMNS:
            rows[-1] = longer
        else:
            rows.append(choice[:COLUMNS])
    return tuple(line for row in rows for line in (head, row))


def scores(view: TableView) -> str:
    """Return `Ann 12 Bob 34`. The longest names are shortened to fit, and partners appear as
    initials."""
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
    """Return the number of games that each player has won, below a heading. Each page shows as many
    players as fit.
    """
    return paged(
        head,
        (
            _beside_figure(text.called(name, language), str(games), language)
            for name, games in won.items()
        ),
    )


def _beside_figure(name: str, figure: str, language: str) -> str:
    """Return `Ann 12` in one row."""
    return f"{text.brief(name, COLUMNS - len(figure) - 1, language)} {figure}"


def _sides(view: TableView) -> list[tuple[str, str]]:
    """Return the name and score of each side."""
    found = []
    for side, score in enumerate(view.displayed_scores or view.scores):
        mates = [name for seat, name in enumerate(view.seats, 1) if view.side(seat) == side]
        name = mates[0] if len(mates) == 1 else "+".join(mate[:1] for mate in mates)
        found.append((name, str(score)))
    return found


def above_scores(head: str, view: TableView) -> tuple[str, ...]:
    """Return a line with the scores below it. The scores are side by side if they fit, otherwise on
    several pages."""
    line = scores(view)
    if len(line) <= COLUMNS:
        return head, line
    sides = _sides(view)
    return paged(head, (_beside_figure(name, figure, view.language) for name, figure in sides))


def say(code: str, view: TableView, **fields: object) -> str:
    return fit("keypad", code, fields, view)


def fit(kind: str, code: str, fields: Mapping[str, object], view: TableView) -> str:
    """Return a sentence with its names shortened to fit one line. The end of a question is kept."""
    shown = text.say(Message(kind, code, fields), text.Reader(view.language, view.seats))
    for letters in range(COLUMNS, 2, -1):
        if len(shown) <= COLUMNS:
            break
        names = [text.brief(name, letters, view.language) for name in view.seats]
        shown = text.say(Message(kind, code, fields), text.Reader(view.language, names))
    return shown


def question(ask: Ask, view: TableView) -> str:
    """Return the question of an `Ask` in one line."""
    fields = {"seat": ask.seat, **ask.fields} if ask.seat is not None else dict(ask.fields)
    return fit("ask", ask.code, fields, view)


def page(state: KeypadState, view: TableView) -> tuple[str, ...]:
    """Return the choices of the current page that fit in one line: `1take`, `2pass`. A number is
    preceded by a sign: `2=20`. If the choices belong to different players, the players' names are
    shown instead: `1Ann`, `2Bob`."""
    shown: list[str] = []
    whose = len({move.seat for move in state.choices}) > 1
    for number, move in numbered(state):
        short = view.name(move.seat) if whose and move.seat else short_of(move, view)
        shown.append(f"{number}{'=' * short[:1].isdigit()}{short}")
        if len(shown) > 1 and len(" ".join(shown)) > COLUMNS:
            return tuple(shown[:-1])
    return tuple(shown)


def short_of(move: Move, view: TableView) -> str:
    """Return a short label for a choice: its words, cards and numbers, a player's name, or else its
    verb."""
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


def described(move: Move, view: TableView) -> str:
    """Return a move in words that everybody may read."""
    return describe(view.hide_cards(move), view.seats, view.language)


def beside(head: str, keys: str) -> tuple[str, ...]:
    """Return a line of any length as pages, with the meanings of the keys at the bottom of each
    page."""
    return tuple(line for row in rows(head) for line in (row, keys))


def offered_games(view: TableView) -> list[str]:
    """Return the names of the choices in menu item `4`: the presets, every game by its title, then
    the named tables with their games."""

    def called(n: int, name: str, game: str) -> str:
        if n < len(view.presets):
            return name
        if n < len(view.presets) + len(games.names()):
            return title(name, view.language)
        return f"{title(game, view.language)}: {options.table(name, view.language)}"

    return [
        called(n, name, moves[0].name or "")
        for n, (name, moves) in enumerate(correction.choices(view))
    ]


def offered(code: str, before: str, own: Collection[str], view: TableView) -> list[str]:
    """Return the words for a menu's own items and for the items of features, each preceded by its
    key.

    Args:
        code: the sentence with the words.
        before: the key that opens the menu, or an empty string for the main menu.
        own: the keys that need no feature.
    """
    added = {item.keys[-1]: item.title for item in view.items if item.keys[:-1] == before}
    words = [word for word in say(code, view).split() if word[0] in own or added.get(word[0]) == ""]
    return [*words, *(f"{key}{title}" for key, title in added.items() if title)]
