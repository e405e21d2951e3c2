"""The table notation, in which one line of text corresponds to one `Move`.

`docs/notation.md` defines the notation, which is also the format of the journal. The record,
`games` and each game declare their verbs and arguments as `Verb` values. This module does not
implement rules of play.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from boardctl import games
from boardctl.games import COMMON_VERBS, Game, IllegalMove, Kind, Move, Verb, because
from boardctl.games.cards import Suit, codes, parse_cards, parse_suit, plain
from boardctl.record.names import INVISIBLE, name_key, spelled

RECORD_VERBS: Final = (
    Verb("undo", seated=False, numbers=(0, 1), kind=Kind.UNDO),
    Verb("redo", seated=False, kind=Kind.CORRECTION),
    Verb("hint", kind=Kind.HINT),
)
_NAMED: Final = frozenset({"game", "session"})
EDITS: Final = frozenset({"amend", "insert"})
_UNSEATED: Final = _NAMED | EDITS | {"set"}

_UNFIT: Final = "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]"
"""The characters that a line must not contain. Terminals would interpret control characters. JSON
can express lone surrogates, but UTF-8 cannot."""

Shapes = Mapping[tuple[str, bool], Verb]


def _index(verbs: Iterable[Verb]) -> Shapes:
    return {(verb.name, verb.seated): verb for verb in verbs}


_BASE: Final = _index(RECORD_VERBS + COMMON_VERBS)
_KNOWN: dict[str, Shapes] = {}


def _shapes(game: Game[Any] | None) -> Shapes:
    if game is None:
        return _BASE
    if game.name not in _KNOWN:
        _KNOWN[game.name] = {**_BASE, **_index(game.verbs)}
    return _KNOWN[game.name]


def _syntax(text: str, why: str, at: str = "") -> IllegalMove:
    return IllegalMove("syntax", text=text, why=why, at=at)


def _unfit(text: str, why: str, at: str, shape: Verb) -> IllegalMove:
    """Return the error for a word that does not fit its verb."""
    if not shape.words:
        return _syntax(text, why, at)
    suits = tuple(suit.letter for suit in Suit) if shape.suit else ()
    why = "number-or-word" if shape.numbers[1] else "word"
    possible = ", ".join((*shape.words, *suits))
    return IllegalMove("syntax", text=text, why=why, at=at, words=possible)


class Seated(NamedTuple):
    """The people at a table, for lines that name a player or omit the seat: "Cid passes",
    "pass"."""

    names: Mapping[int, str] = MappingProxyType({})
    """The names by seat, from 1."""
    turn: Callable[[], int | None] = lambda: None
    """Returns the seat that must speak or play, or None if no particular seat must."""


_NOBODY: Final = Seated()


def parse(text: str, game: Game[Any] | None = None, seated: Seated = _NOBODY) -> Move | None:
    """Parse one line. Return None if the line is blank or a comment.

    Args:
        text: the line.
        game: the current game, whose verbs are allowed.
        seated: the people at the table.

    Raises:
        IllegalMove: `syntax` if the line is malformed, or `not-in-this-game` if only another game
            has its verb.
    """
    if not text.isprintable() and (found := re.search(_UNFIT, text)):
        raise _syntax(re.sub(_UNFIT, "\ufffd", text), "character", f"U+{ord(found[0]):04X}")
    line = text.partition("#")[0].strip()
    if not line:
        return None
    words = _by_seat(line.split(), game, seated.names)
    seat: int | None = None
    first = plain(words[0])
    if first.isascii() and first.isdigit():
        seat = int(first)
        del words[0]
        if not words:
            raise _syntax(line, "verb-missing")
    verb = plain(words.pop(0)).lower()
    if seat is None and (common := _parse_common(line, verb, words)) is not None:
        return common
    here = _shapes(game)
    shape = here.get((verb, seat is not None))
    if shape is None and (short := _without_verb(verb, here)) is not None:
        known, said = short
        seat = seated.turn() if seat is None and known.name != verb else seat
        if seat is not None:
            return _fill(line, known, seat, [*said, *words])
    if shape is None:
        shape = _elsewhere(line, verb, seat)
        _fill(line, shape, seat, words)
        raise _not_here(verb, game, has_other_form=(verb, seat is None) in here)
    return _fill(line, shape, seat, words)


def _by_seat(words: list[str], game: Game[Any] | None, names: Mapping[int, str]) -> list[str]:
    """Return the words of a line. If they begin with a player's name, with or without a colon, the
    name is replaced by the seat."""
    if not names or words[0].isdigit() or is_verb(words[0].lower(), game):
        return words
    for seat, name in names.items():
        length = len(name.split())
        called = " ".join(words[:length]).rstrip(":：").rstrip()
        if name_key(called) == name_key(name) and len(words) > length:
            return [str(seat), *words[length:]]
    return words


def _without_verb(word: str, here: Shapes) -> tuple[Verb, tuple[str, ...]] | None:
    """Return the verb and words that a single word after a seat stands for. `pass` and `passes`
    mean `bid pass`, and `plays` means `play`. Return None if the word has no meaning or more than
    one."""
    for form in (word, word.removesuffix("s"), word.removesuffix("es")):
        if (verb := here.get((form, True))) is not None:
            return verb, ()
        verbs = [verb for (_, seated), verb in here.items() if seated and form in verb.words]
        if len(verbs) == 1:
            return verbs[0], (form,)
    return None


def verb_of(text: str) -> str:
    """Return the verb of a line, whether or not the line is valid, or an empty string if it has no
    verb."""
    words = text.split(None, 2)
    if words and words[0].isascii() and words[0].isdigit():
        del words[0]
    return words[0].lower() if words else ""


def is_verb(word: str, game: Game[Any] | None) -> bool:
    """Return whether a word is a verb of a game, or one of the verbs common to all records."""
    return word in _UNSEATED or any(name == word for name, _ in _shapes(game))


def parse_move(text: str, game: Game[Any] | None = None, seated: Seated = _NOBODY) -> Move:
    """Parse one line that must be a move. Raises IllegalMove with a code of `parse`, or `syntax` if
    the line is blank or a comment."""
    move = parse(text, game, seated)
    if move is None:
        raise _syntax(text, "empty")
    return move


def _elsewhere(line: str, verb: str, seat: int | None) -> Verb:
    """Return another game's `Verb`, for a word that is not a verb of the current game."""
    known = [_shapes(games.find(name)) for name in games.names()]
    for shapes in known:
        shape = shapes.get((verb, seat is not None))
        if shape is not None:
            return shape
    if any((verb, seat is None) in shapes for shapes in known) or verb in _UNSEATED:
        raise _syntax(line, "seated" if seat is None else "unseated", verb)
    raise _syntax(line, "verb", verb)


def _number(line: str, word: str) -> int:
    word = plain(word)
    if not word:
        raise _syntax(line, "number-missing")
    if not (word.isascii() and word.isdigit() and len(word) <= 9):
        raise _syntax(line, "number", word)
    return int(word)


def _not_here(verb: str, game: Game[Any] | None, *, has_other_form: bool) -> IllegalMove:
    """Return the error for a verb that belongs only to another game.

    Args:
        verb: the verb.
        game: the current game.
        has_other_form: whether this game has the verb in the other form, with or without a seat.
    """
    fields = {"verb": verb, "game": game.name if game else None}
    return IllegalMove(
        "not-in-this-game", **fields, **because("unseated" if has_other_form else None)
    )


def _parse_common(line: str, verb: str, words: list[str]) -> Move | None:
    """Parse a line that is common to all records and has no seat. Return None if the verb is not of
    this kind."""
    if verb == "seat":
        return _parse_seat(line, words)
    if verb in _NAMED:
        return _parse_named(line, verb, words)
    if verb == "set":
        if len(words) != 2:
            raise _syntax(line, "option-and-value")
        option, value = (plain(word).lower() for word in words)
        return Move("set", words=(option, value))
    return _parse_edit(line, verb, words) if verb in EDITS else None


def _parse_seat(line: str, words: list[str]) -> Move:
    if len(words) < 2:
        raise _syntax(line, "seat-and-name")
    name = spelled(" ".join(words[1:]))
    if (found := re.search(INVISIBLE, name)) is not None:
        raise _syntax(re.sub(INVISIBLE, "\ufffd", line), "character", f"U+{ord(found[0]):04X}")
    return Move("seat", seat=_number(line, words[0]), name=name)


def _parse_named(line: str, verb: str, words: list[str]) -> Move:
    if not words:
        raise _syntax(line, "name")
    name = " ".join(words)
    if verb == "session" and name.lower() == "end":
        return Move("session", words=("end",))
    if verb == "game":
        name = games.canonical(plain(name))
    return Move(verb, name=name)


def _parse_edit(line: str, verb: str, words: list[str]) -> Move:
    """Parse `amend` and `insert`. The inner line is kept as text, because it must be parsed for the
    game played at that point."""
    back = _number(line, words[0] if words else "")
    if verb == "insert" and len(words) == 1:
        raise _syntax(line, "line-missing")
    return Move(verb, numbers=(back,), name=" ".join(words[1:]) or None)


def _suit(line: str, word: str, shape: Verb) -> str:
    """Parse a suit, and return its letter."""
    try:
        return parse_suit(word).letter
    except ValueError:
        raise _unfit(line, "suit", word, shape) from None


def _claim(line: str, words: list[str]) -> int:
    """Parse the words after `=`, which state the points of a claim."""
    points = _number(line, words[0] if words else "")
    if len(words) > 1:
        raise _syntax(line, "after-claim")
    return points


def _signed(line: str, word: str, shape: Verb) -> int:
    """Parse a number with the sign that the verb requires or allows."""
    has_sign = word.startswith(("+", "-"))
    digits = word[1:] if has_sign else word
    misplaced = shape.signed != has_sign and not shape.either_sign
    if misplaced or (shape.words and not digits.isdigit()):
        raise _unfit(line, "number", word, shape)
    return (-1 if word.startswith("-") else 1) * _number(line, digits)


def _check_count(line: str, shape: Verb, name: str, found: int, allowed: tuple[int, int]) -> None:
    """Check that a line has a number of cards or numbers that its verb allows."""
    least, most = allowed
    if not least <= found <= most:
        count = f"{least}" if least == most else f"{least}–{most}"
        fields = {"why": f"how-many-{name}", "at": shape.name, "count": count}
        raise IllegalMove("syntax", text=line, **fields)


def _fill(line: str, shape: Verb, seat: int | None, words: list[str]) -> Move:
    """Parse the words after the verb. Each word is parsed as the first argument type that fits."""
    cards: list[str] = []
    numbers: list[int] = []
    said: list[str] = []
    claimed: list[str] | None = None
    rest = iter(_phrases(plain(" ".join(words)).replace("=", " = ").split(), shape))
    for word in rest:
        lower = word.lower()
        if word == "=" and shape.claim:
            claimed = list(rest)
        elif lower in shape.words:
            said.append(lower)
        elif shape.cards[1]:
            cards.append(word)
        elif shape.suit and not (shape.numbers[1] and word.isdigit()):
            said.append(_suit(line, word, shape))
        elif shape.numbers[1]:
            numbers.append(_signed(line, word, shape))
        else:
            raise _unfit(line, "too-much", word, shape)
    try:
        parsed = tuple(parse_cards(" ".join(cards)))
    except ValueError as error:
        raise _syntax(line, "card", str(error)) from None
    claim = None if claimed is None else _claim(line, claimed)
    _check_count(line, shape, "cards", len(parsed), shape.cards)
    _check_count(line, shape, "numbers", len(numbers), shape.numbers)
    if shape.suit and not shape.words and len(said) != 1:
        raise _syntax(line, "suit")
    return Move(shape.name, seat, parsed, tuple(numbers), tuple(said), claim)


def _phrases(words: list[str], shape: Verb) -> list[str]:
    """Return the words, after joining pairs that the verb declares as one word (`right 1`)."""
    if not any(" " in known for known in shape.words):
        return words
    found: list[str] = []
    for word in words:
        pair = f"{found[-1]} {word}" if found else ""
        if pair.lower() in shape.words:
            found[-1] = pair
        else:
            found.append(word)
    return found


@lru_cache(maxsize=1024)
def spell(move: Move) -> str:
    """Return the canonical line of a move. `parse` converts the line back to an equal move. Recent
    results are cached, because lists of moves, the journal and previews need them repeatedly."""
    if move.verb == "seat":
        return f"seat {move.seat} {move.name}"
    parts = [] if move.seat is None else [str(move.seat)]
    parts.append(move.verb)
    if move.verb in EDITS:
        parts += map(str, move.numbers)
        if move.name is not None:
            parts.append(move.name)
        return " ".join(parts)
    if move.name is not None:
        parts.append(move.name)
    if move.cards:
        parts += codes(move.cards)
    if move.verb == "adjust":
        parts += (f"{number:+d}" for number in move.numbers)
    else:
        parts += map(str, move.numbers)
    parts += move.words
    if move.claim is not None:
        parts.append(f"= {move.claim}")
    return " ".join(parts)
