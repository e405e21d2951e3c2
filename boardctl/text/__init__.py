"""Convert codes and fields to sentences. No other package contains sentences for users.

The sentences for each game are in a file in this package, as `SENTENCES`: a mapping from
`kind.code` to an English template, whose `{fields}` are those of the rejection, note, ask, readout
or award. The kinds are:

* `refusal`: the reason why a line was rejected: one sentence that states the fault, its place and
  the allowed values.
* `ask`: a prompt, for one display line of 16 characters ("Starter?").
* `question`: the same prompt for the page, in full ("Which card is the starter?").
* `do`: the same prompt as the label of a button ("The starter").
* `note`: a message that does not change the score.
* `readout`: a value shown with the score, in 16 characters ("count 22").
* `award`: the reason for points ("fifteen two").
* `option`: the name of a rule option ("Muggins").
* `value`: one of its values ("off").
* `term`: a phase of a deal, or a thing to be entered, within another sentence ("starter").
* `failure`: the reason why a file, a part or a program cannot be used, in one sentence
  (`options.CodedError`).
* `allowed`: the allowed values of a key, within such a sentence ("an integer from 0 to 65535").
* `part`: an optional part of the program, within such a sentence ("a PDF").
* `system`: a reason given by the operating system ("No space left on device").
* `command`: the output of a command.
* `fault`: a fault of a journal.
* `doctor`, `review`, `setup` …: the output of that command.

The templates are English. Each other language has a gettext catalogue, in which the templates are
the keys. A code without a template is shown as words: `over-31` becomes "over 31 (count 33)".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from threading import RLock
from typing import Any, Final, NamedTuple, Protocol

from boardctl import modules
from boardctl.games import IllegalMove
from boardctl.games.cards import Card, spell
from boardctl.message import NOTHING, Message
from boardctl.options import CodedError, TooLargeError
from boardctl.text.counting import PHRASES, together

_FIRST: Final = ("keypad", "table")
"""The files with the sentences of a board's first display."""


class _Sentences(Mapping[str, str]):
    """All templates, from every file in this package that declares `SENTENCES`. A file is imported
    only if no earlier file contains the requested code, so that few files delay the first
    display."""

    def __init__(self) -> None:
        self._by_code: dict[str, str] = {}
        self._reading = RLock()
        others = (name for name in modules.names(__path__) if name not in _FIRST)
        self._files = iter((*_FIRST, *others))

    def __getitem__(self, code: str) -> str:
        while code not in self._by_code and self._read_one():
            pass
        return self._by_code[code]

    def __iter__(self) -> Iterator[str]:
        while self._read_one():
            pass
        return iter(self._by_code)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _read_one(self) -> bool:
        """Import the next file, and return False if no file is left. Other threads wait."""
        with self._reading:
            for name in self._files:
                self._by_code |= getattr(import_module(f"{__name__}.{name}"), "SENTENCES", {})
                return True
        return False


@cache
def sentences() -> Mapping[str, str]:
    """Return all templates."""
    return _Sentences()


def capital(words: str) -> str:
    """Return the words with the first letter capitalized."""
    return words[:1].upper() + words[1:]


def listed(items: Iterable[str], language: str = "en") -> str:
    """Join several items with the commas of a language."""
    return PHRASES[language]["between"].join(items)


def parts_named(parts: Iterable[str], language: str) -> list[str]:
    """Return the usual names of a board's failed parts, or the code of a part without a name."""
    known = sentences()
    return [
        say(Message("fault", part), Reader(language)) if f"fault.{part}" in known else part
        for part in parts
    ]


def columns(words: str) -> int:
    """Return the number of terminal columns that a text occupies. A wide character, as in Japanese,
    occupies two."""
    if words.isascii():
        return len(words)
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in words)


def filled(words: str, width: int, *, right: bool = False) -> str:
    """Pad a text with spaces to a width in terminal columns, on the right or, with `right`, on the
    left."""
    gap = " " * (width - columns(words))
    return gap + words if right else words + gap


_WIDE: Final = r"[\u3001-\u9fff\uff00-\uff60]"
_OPENING: Final = "「『（"
_CLOSING: Final = "、。」』）：；！？ー…々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
"""Characters that may not begin a line."""
_PIECE: Final = rf"\s+|[{_OPENING}]*(?:{_WIDE}|[^\s\u3001-\u9fff\uff00-\uff60]+)?[{_CLOSING}]*"


def wrapped(words: str, width: int) -> Iterator[str]:
    """Return the lines of a paragraph, each of at most `width` columns unless a word is longer."""
    line = ""
    for piece in re.findall(_PIECE, words):
        piece = piece.replace("\n", " ")
        if line and columns(line + piece.rstrip()) > width:
            yield line.rstrip()
            line = ""
        line += piece if line else piece.lstrip()
    if line:
        yield line.rstrip()


LOCALE: Final = Path(__file__).parent / "locale"


def languages() -> tuple[str, ...]:
    """Return English, and every language that has a compiled catalogue."""
    return ("en", *sorted(file.parts[-3] for file in LOCALE.glob("*/LC_MESSAGES/boardctl.mo")))


LANGUAGES: Final = languages()


class Catalogue(Protocol):
    """The translations of a language."""

    def gettext(self, message: str, /) -> str:
        """Return a text in the language, or in English if there is no translation."""


class _English:
    """The language of the templates."""

    def gettext(self, message: str, /) -> str:
        return message


@cache
def catalogue(language: str) -> Catalogue:
    """Return the translations of a language: `locale/LANGUAGE/LC_MESSAGES/boardctl.mo`."""
    if language == "en":
        return _English()
    from gettext import translation

    return translation("boardctl", str(LOCALE), [language])


class Reader(NamedTuple):
    """The person for whom messages are worded."""

    language: str = "en"
    """One of `LANGUAGES`."""
    names: Sequence[str] = ()
    """The players by seat, seat 1 first; a seat without a name is shown by the seat's number."""


_ENGLISH: Final = Reader()


def say(message: Message, reader: Reader = _ENGLISH) -> str:
    """Return a message as a sentence or phrase.

    Cards and lists of cards are written out. `seat` and other fields that contain seats (`dealer`,
    `turn`, `winner`) are shown as the players' names, if known.
    """
    kind, code, fields = message
    worded = _Worded(fields, reader)
    template = sentences().get(f"{kind}.{code}")
    if template is not None:
        return catalogue(reader.language).gettext(template).format_map(worded)
    words = code.replace("-", " ")
    if not fields:
        return words
    return f"{words} ({', '.join(f'{key} {worded[key]}' for key in fields)})"


def saying(kind: str, language: str, names: Sequence[str] = ()) -> Callable[..., str]:
    """Return a function that words messages of one kind: `saying("club", "en")("round", round=3)`.

    Args:
        kind: as for `say`.
        language: as for `say`.
        names: the players by seat.
    """

    def said(code: str, /, **fields: Any) -> str:
        return say(Message(kind, code, fields), Reader(language, names))

    return said


def card_name(card: Card, language: str = "en") -> str:
    """Return a known card in words: "five of hearts"."""
    assert card.rank is not None
    assert card.suit is not None
    rank = say(Message("page", f"rank-{card.rank.letter}"), Reader(language))
    suit = say(Message("page", f"suit-{card.suit.letter}"), Reader(language))
    return say(Message("page", "card-name", {"rank": rank, "suit": suit}), Reader(language))


class Sentence(str):
    """An English sentence that `words` can translate. It is logged and shown in English, and
    translated for a reader whose language is known."""

    __slots__ = ("message",)
    message: Message

    def __new__(cls, kind: str, code: str, /, **fields: Any) -> Sentence:
        """Return the sentence of a kind and code, as in `say`."""
        message = Message(kind, code, fields)
        made = super().__new__(cls, say(message))
        made.message = message
        return made

    def __deepcopy__(self, memo: object) -> Sentence:
        return self  # as in every string

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Pickle the sentence as English."""
        return str, (str(self),)


def words(said: str, language: str) -> str:
    """Return a sentence in a language. A library's sentence is translated if the catalogue contains
    it."""
    if isinstance(said, Sentence):
        return say(said.message, Reader(language))
    return catalogue(language).gettext(said) if said else ""  # its key is the catalogue's header


class SpokenError(CodedError):
    """An error whose message is its English sentence."""

    def __str__(self) -> str:
        return sentence(self)


def sentence(error: BaseException, language: str = "en") -> str:
    """Return an error in one sentence. If the error comes from the operating system, its reason is
    translated. A library's message is left unchanged. Unprintable characters, such as a line break
    in a key, are escaped.

    Args:
        error: an error of boardctl, a game, the operating system, or a library.
        language: one of `LANGUAGES`.
    """
    if isinstance(error, IllegalMove):
        return refusal(error, Reader(language))
    if isinstance(error, CodedError):
        said = say(error.message, Reader(language))
        said = f"{error.where}: {said}" if error.where else said
    elif isinstance(error, TooLargeError):
        said = say(Message("system", "too-large", {"most": f"{error.most:,}"}), Reader(language))
    elif isinstance(error, OSError) and error.strerror:
        said = catalogue(language).gettext(error.strerror)
    else:
        said = words(str(error), language)
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in said)


_LONGEST: Final = 400
"""The maximum length of a field in `as_data`, because foreign files have values of any length."""


def as_data(error: CodedError) -> dict[str, Any]:
    """Return the code and fields of an error as JSON, for another process to put into words. An
    error in a field is replaced by its reason."""
    fields = {
        name: (sentence(value) if isinstance(value, BaseException) else str(value))[:_LONGEST]
        for name, value in error.fields.items()
    }
    return {"code": error.code, "fields": fields}


class _Worded:
    """Fields in words. Each is translated only when a template uses it."""

    def __init__(self, fields: Mapping[str, Any], reader: Reader) -> None:
        self._fields, self._reader = fields, reader

    def __getitem__(self, key: str) -> Any:
        return _in_words(key, self._fields[key], self._reader)


OWN_NAMES: Final = frozenset({"The board", "盤"})
"""The computer player's name in every language, copied from the catalogues because a board reads
only its own language's catalogue."""


@lru_cache(256)
def called(name: str, language: str) -> str:
    """Return a player's displayed name. The computer player has a different one in each
    language."""
    if name in OWN_NAMES:
        return catalogue(language).gettext(sentences()["player.own-name"])
    return name


def brief(name: str, letters: int, language: str) -> str:
    """Return a player's name in a limited number of letters, for a small display: the computer
    player's short name, or otherwise as many whole words as fit after the first."""
    if len(name) <= letters:
        return name
    if is_own_name(name):
        name = say(Message("player", "own-name-brief"), Reader(language))
    words, cut = name[: letters + 1].rpartition(" ")[0].rstrip(), name[:letters]
    return cut if len(name) <= letters or not words else words


def sides(teams: Iterable[Iterable[str]], language: str) -> list[str]:
    """Return the displayed form of each side: its player's name, or the names of partners, as in
    `Ann & Cleo`."""
    return [" & ".join(called(name, language) for name in names) for names in teams]


def is_own_name(name: str) -> bool:
    """Return whether a name is the computer player's name in any language."""
    return name in OWN_NAMES


def known_as(name: str) -> str:
    """Return the recorded name for a displayed name (the inverse of `called`)."""
    return sentences()["player.own-name"] if name in OWN_NAMES else name


def two_lines(
    kind: str, code: str, fields: Mapping[str, Any], language: str = "en"
) -> tuple[str, str]:
    """Return the two lines that show a code on a small display: the sentences `KIND.CODE-1` and
    `-2`.

    Args:
        kind, code: those of the sentences, as for `say`.
        fields: the templates' fields.
        language: one of `LANGUAGES`.
    """
    return (
        say(Message(kind, f"{code}-1", fields), Reader(language)),
        say(Message(kind, f"{code}-2", fields), Reader(language)),
    )


def _seat(seat: int, reader: Reader) -> str:
    if 1 <= seat <= len(reader.names):
        return called(reader.names[seat - 1], reader.language)
    return say(Message("term", "seat-number", {"number": seat}), reader)


def _side(side: int, reader: Reader) -> str:
    sides = 3 if len(reader.names) == 3 else 2
    found = [called(name, reader.language) for name in reader.names[side - 1 :: sides]]
    if found:
        return together(found, reader.language)
    return say(Message("term", "side-number", {"number": side}), reader)


def _suit(suit: str, reader: Reader) -> str:
    return say(Message("page", f"suit-{suit}"), reader) if suit in ("S", "H", "D", "C") else suit


def _numbers_of_players(numbers: tuple[int, ...], reader: Reader) -> str:
    *more, last = map(str, numbers)
    if not more:
        return last
    template = catalogue(reader.language).gettext("{first} or {last}")
    return template.format(first=listed(more, reader.language), last=last)


def _term(kind: str, code: str, reader: Reader) -> str:
    template = sentences().get(f"{kind}.{code}")
    return code if template is None else catalogue(reader.language).gettext(template)


def _several(key: str, values: Iterable[Any], reader: Reader) -> str:
    values = tuple(values)
    if all(isinstance(one, Card) for one in values):
        return spell(values)
    return listed((str(_in_words(key, one, reader)) for one in values), reader.language)


_TERMS: Final = {
    "what": "term",
    "phase": "term",
    "rule": "option",
    "game": "game",
    "games": "game",
    **dict.fromkeys(("kind", "kinds", "questions", "known"), "award"),
}
"""By field that contains a code, the kind of sentence with the words for it."""
_BY_KEY: Final[Mapping[tuple[str, type], Callable[[Any, Reader], str]]] = {
    **dict.fromkeys(
        (
            (key, int)
            for key in ("seat", "dealer", "turn", "other", "maker", "bidder", "winner", "owner")
        ),
        _seat,
    ),
    ("side", int): _side,
    **dict.fromkeys(
        ((key, str) for key in ("name", "winner")), lambda name, to: called(name, to.language)
    ),
    **dict.fromkeys(((key, str) for key in ("card", "suit", "turned")), _suit),
    ("players", tuple): _numbers_of_players,
    ("reason", str): lambda reason, reader: words(reason, reader.language),
    **{(key, str): partial(_term, kind) for key, kind in _TERMS.items()},
}
"""For each field name and type, a function that returns the words for the field's value."""


def _in_words(key: str, value: Any, reader: Reader) -> Any:
    match value:
        case Message():
            return say(value, reader)
        case BaseException():
            return sentence(value, reader.language)
        case Sentence():
            return words(value, reader.language)
        case Card():
            return str(value)
    said = _BY_KEY.get((key, type(value)))
    if said is not None:
        return said(value, reader)
    if isinstance(value, tuple | list | frozenset):
        return _several(key, value, reader)
    return value


def broken(error: IllegalMove) -> IllegalMove | None:
    """Return the reason why a correction would make a later line illegal."""
    if error.code != "breaks-later":
        return None
    return IllegalMove(error.fields["code"], **error.fields["fields"])


def sentence_code(error: IllegalMove) -> str:
    """Return the code of the sentence for a rejected line: if there is one, the special code for
    its `why` or for the allowed alternatives."""
    exact = f"{error.code}-{error.fields.get('why')}"
    code = exact if f"refusal.{exact}" in sentences() else error.code
    allowed = f"{code}-allowed"
    return allowed if error.fields.get("allowed") and f"refusal.{allowed}" in sentences() else code


def refusal(
    error: IllegalMove, reader: Reader = _ENGLISH, *, fields: Mapping[str, Any] = NOTHING
) -> str:
    """Return the sentence for a rejected line. For the code `syntax`, there is one sentence for
    each `why`. For a correction that would make a later line illegal, the sentence gives the reason
    for that line.

    Args:
        error: the rejection.
        reader: the reader of the sentence.
        fields: used instead of the error's own.
    """
    later = broken(error)
    if later is not None:
        fields = {"reason": refusal(later, reader), **fields}
    code = sentence_code(error)
    if code.endswith("-allowed"):
        fields = {"allowed": numbers(error.fields["allowed"], reader.language), **fields}
    return say(Message("refusal", code, {**error.fields, **fields}), reader)


def in_english(error: IllegalMove, names: Sequence[str]) -> str:
    """Return the English sentence for a rejected line, given the players by seat."""
    return refusal(error, Reader(names=names))


def numbers(values: Iterable[int], language: str = "en") -> str:
    """Return numbers in readable form: consecutive numbers as a range (`0–162, 252`), and equal
    steps as `0, 10 … 170`.

    Args:
        values: at least one, in rising order.
    """
    first, *others = values
    steps = {after - before for before, after in pairwise((first, *others))}
    if len(steps) == 1 and len(others) > 3 and steps != {1}:
        return f"{listed((str(first), str(others[0])), language)} … {others[-1]}"
    rows = [[first]]
    for number in others:
        if number == rows[-1][-1] + 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    parts = (
        f"{row[0]}–{row[-1]}" if len(row) > 2 else listed(map(str, row), language) for row in rows
    )
    return listed(parts, language)
