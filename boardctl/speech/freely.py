"""The meanings of an unconstrained transcript in which every word belongs to the game. Pure.

The recogniser expects the phrases of `hearing` and `everyday`. No list can contain every way to say
something, so the second recogniser's own transcript is read too. Each intent has a vocabulary and
key words that reveal the intent. A transcript with a word outside the vocabulary has no meaning. A
move found in this way is never entered without asking. A question to the board is answered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple


class Reading(NamedTuple):
    """One meaning of a transcript."""

    kind: str
    """`points`, `hand` (the points of the hand counted next), `card`, `undo` or `answer`."""
    seat: int = 0
    """The seat of the named player, or 0 if no player is named."""
    number: int = 0
    """Points."""
    card: str = ""
    """A spoken card: `five`, `five of clubs`."""
    answer: str = ""
    """A question to the board (`Voice.answer`)."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FILLERS: Final = _words(
    "okay well so and um uh er oh now please thanks then just the a an it its it's that that's "
    "there there's here this time is was i i'm i've i'll we we've my me he he's she she's they "
    "his her right wait sorry no yes all think actually oops"
)
_POINTS: Final = _words(
    "point points hole holes peg pegs pegged score scores scored has have had get gets got goes go "
    "up moves move moved take takes took give gives put puts add mark for to more on makes make "
    "made total of worth earns count counts hand in another with down him"
)
_OF_POINTS: Final = _words(
    "point points hole holes peg pegs pegged score scores scored has have get gets got give take "
    "takes mark move moves make makes counts"
)
"""Words that mark a number as points if no player is named."""
_NOTHING: Final = _words("nothing zero nil none anything")
_COUNTING: Final = _words(
    "fifteen pair pairs run runs of royal double flush nob nobs one for his kind is makes make are "
    "else nothing rest won't don't doesn't score scores more makes total and's"
)
_CARD: Final = _words(
    "play plays played playing put puts putting lay lays laid lead leads card starter cut turn "
    "turns turned turning over up comes came flip flipped flips down with makes make out throw of "
    "on the"
)
_OF_CARD: Final = _words(
    "play plays played playing putting lay lays laid lead leads card starter cut turn turns turned "
    "turning comes came flip flipped flips throw there's"
)
_SLIPS: Final = _words("no sorry mean meant wait uh er um rather actually oops")
"""Words between a number and the right one."""
_BACK: Final = _words(
    "undo take back remove delete scratch strike cancel last one move card didn't did not mean "
    "wrong mistake made what said want can could you go get rid of off out step"
)
_ASKS: Final[Mapping[str, tuple[frozenset[str], str]]] = {
    "score": (
        _words(
            "what what's score scores tell can could you how many much far has have do does got "
            "points ahead behind winning leading lead read give count are where stand who who's "
            "am in by of holes"
        ),
        r"\bwhat\b.*\bscores?\b|\bwhat's\b.*\b(scores?|count)\b|\b(tell|read|give) (me )?the "
        r"scores?\b|\bhow (many|much|far)\b|\b(who|who's|am i|how)\b.*\b(winning|ahead|leading|"
        r"lead|behind)\b|\bwhere do we stand\b|\bwhat\b.*\bcount\b",
    ),
    "turn": (
        _words("whose who who's turn go move hand deal next play plays lead crib up first to"),
        r"\b(whose|who's|who is|who)\b.*\b(turn|go|move|hand|deal|next|plays?|lead|crib|up)\b|"
        r"\bis it my (turn|go|deal|lead)\b",
    ),
    "again": (
        _words("say again can could you repeat pardon what did come missed didn't hear catch once "
               "more one time quite get"),
        r"\b(repeat|pardon)\b|\b(say|come|what was) (it |that )?again\b|^(sorry )?what (was that|"
        r"did you say)\b|\b(missed|didn't (hear|catch|get)) (it|that)\b|^(again|once more)$",
    ),
    "slower": (
        _words("speak talk slow slower slowly bit little can could you more down too fast say go"),
        r"\b(slower|slowly|slow down|too fast)\b",
    ),
    "faster": (
        _words("speak talk fast faster quicker quick bit little can could you up speed too slow"),
        r"\b(faster|quicker|speed up|too slow)\b",
    ),
    "choices": (
        _words("help what what's can should could do say tell press options choices are you need "
               "does"),
        r"\b(help|options|choices)\b|\bwhat (can|should|could|do) i (do|say|tell|press)\b",
    ),
}  # fmt: skip
"""The vocabulary of each question to the board, and the words that reveal the question."""
_UNDOES: Final = re.compile(
    r"\b(undo|remove|delete|scratch|strike|cancel) (the|that|it|this|last|my)\b|^(\w+ )*undo$|"
    r"\b(take|get) (\w+ )*back\b|\b(go|step) back\b|\bdidn't mean (that|it|to)\b|"
    r"\b(that's|that is|that was|it's) (all )?(wrong|a mistake|not right)\b"
)


class Table(NamedTuple):
    """The data for reading a transcript."""

    names: Mapping[str, int]
    """The players' single-word names, each with its seat."""
    numbers: Mapping[str, int]
    """The spoken form of every possible number."""
    ranks: frozenset[str]
    suits: frozenset[str]


def _like(word: str) -> str:
    """Return the known name that sounds like a word: `ann` for `anne`."""
    return re.sub(r"(.)\1", r"\1", word).removesuffix("e") if len(word) > 2 else word


def _marked(text: str, table: Table) -> list[str]:
    """Return the words, with two-word numbers joined and names in their known spelling."""
    joined = text
    for spelled in sorted(table.numbers, key=len, reverse=True):
        if " " in spelled:
            joined = re.sub(rf"\b{spelled}\b", spelled.replace(" ", "-"), joined)
    alike = {_like(name): name for name in table.names}
    found = []
    for word in joined.split():
        bare, has = (word[:-2], True) if word.endswith("'s") else (word, False)
        name = alike.get(_like(bare))
        found += [name, *(["has"] if has else [])] if name else [word]
    return found


def read(text: str, table: Table) -> Iterator[Reading]:
    """Return the possible meanings of a transcript.

    Args:
        text: spoken words (`rescoring.spoken_words`).
        table: the table's players, and the words for numbers and cards.
    """
    words = _marked(text, table)
    plain = [one for one in words if one not in _FILLERS]
    names = [one for one in words if one in table.names]
    numbers = [one for one in words if one.replace("-", " ") in table.numbers]
    known = frozenset(names) | frozenset(numbers)
    told = {one for one in plain if one not in known}
    for answer, (vocabulary, reveals) in _ASKS.items():
        if not numbers and told <= vocabulary and re.search(reveals, text):
            yield Reading("answer", answer=answer)
    if set(numbers) <= {"one"} and told <= _BACK and _UNDOES.search(text):
        yield Reading("undo")
    yield from _counted(words, told, names, numbers, table)
    yield from _points(words, told, names, numbers, table)
    yield from _card(words, told, table)


def _counted(
    words: list[str], told: set[str], names: list[str], numbers: list[str], table: Table
) -> Iterator[Reading]:
    """Read a hand counted aloud, with its total at the end."""
    begins = [one for one in words if one not in _FILLERS and one not in table.names][:1]
    combined = {"pair", "pairs", "run", "runs", "royal", "flush", "kind", "nob", "nobs"} & told
    if not told <= _COUNTING or not numbers or not (begins == ["fifteen"] or combined):
        return
    total = _value(numbers[-1], table)
    last = max((at for at, one in enumerate(words) if one == numbers[-1]), default=0)
    if words[last - 1 : last] == ["of"] or numbers[-1] == "fifteen":
        return  # "a run of three", "fifteen"
    said = [_value(one, table) for one in numbers[:-1] if one != "fifteen"]
    if total >= max(said, default=0) and total < 30:
        yield Reading("hand", table.names[names[-1]] if names else 0, total)


def _points(
    words: list[str], told: set[str], names: list[str], numbers: list[str], table: Table
) -> Iterator[Reading]:
    """Read the points, perhaps none, of a player or of the hand counted next."""
    seat = table.names[names[-1]] if names else 0
    if not numbers and told & _NOTHING and told - _NOTHING <= _POINTS | _words("big fat didn't"):
        yield Reading("hand", seat, 0)
    if not numbers or not told <= _POINTS | _SLIPS | {"said", "not"} or len(set(names)) > 1:
        return
    if not names and not told & _OF_POINTS:
        return
    if len(numbers) == 1 and told <= _POINTS:
        yield Reading("points", seat, _value(numbers[0], table))
    elif len(numbers) == 2:
        first, second = (
            (words.index(one) for one in numbers) if numbers[0] != numbers[1] else (0, 0)
        )
        between = set(words[first + 1 : second])
        if "not" in between:
            yield Reading("points", seat, _value(numbers[0], table))
        elif between & _SLIPS:
            yield Reading("points", seat, _value(numbers[1], table))


def _card(words: list[str], told: set[str], table: Table) -> Iterator[Reading]:
    """Read a turned or played card: its rank, and perhaps its suit or the count it makes."""
    at = [n for n, one in enumerate(words) if one in table.ranks]
    suits = [one for one in words if one in table.suits]
    counts = [
        n
        for n, one in enumerate(words)
        if one.replace("-", " ") in table.numbers
        and ("makes" in words[n - 1 : n] or words[n + 1 : n + 2] == ["with"])
    ]
    at = [n for n in at if n not in counts]
    ranks = {words[n] for n in at}
    if len(at) != 1 or len(suits) > 1 or len(counts) > 1:
        return
    if not told - ranks - set(suits) <= _CARD | table.ranks:
        return
    heard = _OF_CARD & set(words) or suits or counts
    if heard:
        yield Reading("card", card=" of ".join((words[at[0]], *suits)))


def _value(word: str, table: Table) -> int:
    return table.numbers[word.replace("-", " ")]
