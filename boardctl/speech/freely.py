"""The meanings of a free transcript that contains only words of the game. Pure.

The recogniser expects the phrases of `hearing` and `everyday`. No list can contain every way to say
something, so the second recogniser's own transcript is read too. Each intent has a vocabulary, and
key words that indicate the intent. A transcript that contains a word outside the vocabulary has no
meaning. The board never enters a move found in this way without asking, but it answers questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple


class Reading(NamedTuple):
    """One meaning of a transcript."""

    kind: str
    """`points`, `hand` (the points of the hand counted next), `counted` (the points of that hand
    or of the play), `shown` (the cards of a hand), `card`, `heels` (a turned jack), `undo` or
    `answer`."""
    seat: int = 0
    """The seat of the named player, or 0 if no player is named."""
    number: int = 0
    """Points."""
    card: str = ""
    """A spoken card: `five`, `five of clubs`."""
    answer: str = ""
    """A question to the board (`Voice.answer`)."""
    cards: tuple[str, ...] = ()
    """The spoken ranks of a hand."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FILLERS: Final = _words(
    "okay well so and um uh er oh ah now please thanks then just only really the a an it its it's "
    "that that's there there's here here's this time is was are be i i'm i've i'll i'd we we've my "
    "me he he's she she's they his her right wait sorry no yes all think actually oops can could "
    "you would like let let's want to'd that'll that'd it'll should"
)
_POINTS: Final = _words(
    "point points hole holes peg pegs pegged pegging score scores scored scoring has have had get "
    "gets got getting goes go going up moves move moved moving forward forwards advance advances "
    "take takes took taking give gives put puts add adds mark marks record chalk write enter award "
    "awards count counted increase plus for to by on more extra another makes make made total of "
    "altogether together told whole worth good earns earned earn counts collects collected picks "
    "pick hand cards in with another down him himself herself single mere measly lousy nice lovely "
    "big little comes come see hold holds"
)
_OF_POINTS: Final = _words(
    "point points hole holes peg pegs pegged pegging score scores scored scoring has have get gets "
    "got give take takes took mark move moves make makes made counts count counted collects worth "
    "altogether"
)
"""Words that mark a number as points if no player is named."""
_MINE: Final = re.compile(
    r"\b(for|to|down|up|gives|give|put|mark) me\b|\bin total\b|\ball told\b|\bcomes to\b|"
    r"\bin there\b|\bhand\b|\b(measly|lousy|mere) \w+$|\ba total of\b|"
    r"\btogether\b|^i see \w+$|\bthis time$"
)
_NOTHING: Final = _words("nothing zero nil none anything zip zilch nada")
_OF_NOTHING: Final = _words(
    "big fat didn't don't haven't hasn't doesn't isn't any not thing single at absolutely bust even"
)
_NONE: Final = re.compile(
    r"\b(didn't|don't|doesn't|haven't|hasn't) (score|get|got|have|peg)\b( any| a)?"
    r"( points?| thing)?( at all)?$|\bnot a (thing|(single )?point)\b|\bno (points?|score)\b|"
    r"\bit's a bust\b|^(i've got |i have |i got )?(a )?nineteen( hand| points?)?$"
)
"""No points, without a word for nothing. No hand has nineteen points, so players say nineteen
for none (https://cribbage.org/NewSite/tips/glossary.asp)."""
_COUNTING: Final = _words(
    "fifteen fifteens pair pairs run runs of royal double triple quadruple flush nob nobs nib nibs "
    "jack one two for kind makes make made is makes are else nothing rest won't don't doesn't do "
    "score scores scored count counts counted more makes total and's with plus another also "
    "has have had got gets hand in see where comes gives last card go thirty-one peg pegs pegged"
)
_COMBINED: Final[tuple[tuple[str, int], ...]] = (
    ("double pair royal|four of a kind", 12),
    ("(?:a )?pair royal|three of a kind", 6),
    ("double double run(?: of three)?|quadruple run(?: of three)?", 16),
    ("triple run(?: of three)?", 15),
    ("double run of four", 10),
    ("double run(?: of three)?", 8),
    ("run of five|flush of five", 5),
    ("run of four|flush(?: of four)?|two pairs?|two fifteens", 4),
    ("three fifteens|three pairs", 6),
    ("four fifteens", 8),
    ("run(?: of three)?", 3),
    ("(?:one for )?(?:the )?(?:his )?(?:nobs?|nibs?|right jack|jack)", 1),
    ("last card|last|go", 1),
    ("pairs?|fifteens?|thirty-one", 2),
)
"""The combinations of a hand or of the play, with their points."""
_COMBINATION: Final = re.compile(
    "|".join(f"(?P<c{n}>\\b(?:{words})\\b)" for n, (words, _) in enumerate(_COMBINED))
)
_CARD: Final = _words(
    "play plays played playing put puts putting lay lays laid laying lead leads card starter cut "
    "turn turns turned turning over up top comes came flip flipped flips down with makes make out "
    "throw throws drops drop of on the upturned revealed go goes going gonna take takes next "
    "another from for pair have has got to"
)
_OF_CARD: Final = _words(
    "play plays played playing putting lay lays laid laying lead leads card starter cut turn turns "
    "turned turning comes came flip flipped flips throw throws drops drop there's here's upturned "
    "revealed top next pair up"
)
_CARD_SAID: Final = re.compile(
    r"\b(we|we've) (have|got) an? |\b(here|that|this|it) is (my |the |a |an )|\bthat's (a|an|the) |"
    r"\bthen( a| an| the|$)|\bthe \w+ (please|then)$|\bi'll (go with|take|put) (a|an|the) |"
    r"\bgoes with (a|an|the) |\bfrom \w+$|\banother \w+$|\b(i've|i have) (got )?an? "
)
_SLIP: Final = re.compile(
    r"(?: (?:no|sorry|i mean|i meant|i said|oh|wait|uh|er|um|or|rather|make that|make it|"
    r"correction|actually|oops|scratch that))+ "
)
"""Words between a number or a card and the right one."""
_AFTER_SLIP: Final = _words("for to point points has is")
"""Words that may come with the right number."""
_BACK: Final = _words(
    "undo take back remove delete scratch strike cancel reverse ignore erase wipe forget correct "
    "last one move card points those didn't did not isn't mean meant wrong mistake made what said "
    "say want get rid of off out step go put again player number other score entry do"
)
_ASKS: Final[Mapping[str, tuple[frozenset[str], str]]] = {
    "last": (
        _words("what what's did do play played last move card score scored put just happened miss "
               "peg pegged get got entered lay"),
        r"\bwhat\b.*\blast (move|card|play|score)\b|\bwhat did \w+ (just )?(do|play|put|peg|lay)\b|"
        r"\bwhat (just happened|did i miss)\b",
    ),
    "cards": (
        _words("what what's which has have been played out so far cards card gone are"),
        r"\b(what|which)\b.*\b(been played|are out|have gone|played so far)\b|^what's out$|"
        r"^what's been played",
    ),
    "score": (
        _words(
            "what what's score scores tell can could you how many much far has have do does got "
            "points ahead behind winning leading lead read give count are where where's stand who "
            "who's am in by of holes say remind at our up to on running total state play doing "
            "most more need close go make current game status to"
        ),
        r"\bwhat\b.*\bscores?\b|\bwhat's\b.*\b(scores?|count|total|status)\b|\b(tell|read|give|say|"
        r"remind)\b.*\bscores?\b|\bhow (many|much|far|close)\b(?! (was|is) it)|"
        r"\b(who|who's|am i|is|are we|how)\b.*"
        r"\b(winning|ahead|leading|lead|behind)\b|\bwhere (do we stand|are we)\b|\bwhat\b.*\bcount"
        r"\b|\bhow (am i|are we|is \w+) doing\b|\bhow does it stand\b|\bwho('s| has)?\b.*\b(most|"
        r"more) points\b|^(the )?scores?( now)?( please)?$|\bwhat are we (at|on|up to)\b|\bwhat's "
        r"the state of play\b|\bwhat does that make\b|\bwhere's the count\b",
    ),
    "turn": (
        _words("whose who who's turn go goes move hand deal deals dealing next play plays lead "
               "crib up first to on am count counts counting what what's comes come waiting for "
               "are is do happens happening now has"),
        r"\b(whose|who's|who is|who)\b.*\b(turn|go|goes|move|hand|deal|deals|dealing|next|plays?|"
        r"lead|crib|up|counts?|on)\b|\bis it \w+('s)? (turn|go|deal|lead)\b|\bam i next\b|"
        r"\bwhat('s| is)? (comes )?next\b|\bwhat are we waiting for\b|\bwhat's happening\b",
    ),
    "again": (
        _words("say again can could you repeat pardon what did come missed didn't hear catch once "
               "more one time quite get tell eh"),
        r"\b(repeat|pardon)\b|\b(say|come|tell|what was) (me |it |that )?(again|once more|one more)"
        r"\b|^(sorry )?what (was that|did you say)\b|\b(missed|didn't (quite )?(hear|catch|get)) "
        r"(it|that|you)\b|^(once |one )?(again|more|more time)( please)?$|^(sorry|what|eh)$|"
        r"^(sorry )?what was that\b",
    ),
    "slower": (
        _words("speak talk slow slower slowly bit little can could you more down too fast say go "
               "you're talking speaking going"),
        r"\b(slower|slowly|slow down|too fast)\b",
    ),
    "faster": (
        _words("speak talk fast faster quicker quick bit little can could you up speed too slow "
               "you're talking speaking going"),
        r"\b(faster|quicker|speed up|too slow)\b",
    ),
    "choices": (
        _words("help what what's can should could do say tell press options choices are you need "
               "does am supposed may how work don't know to"),
        r"\b(help|options|choices)\b|\bwhat (can|should|could|do|may|am) i (do|say|tell|press|"
        r"supposed)\b|\bhow does this work\b|\bdon't know what to\b|\bwhat can you do\b",
    ),
}  # fmt: skip
"""The vocabulary of each question to the board, and the words that reveal the question."""
_UNDOES: Final = re.compile(
    r"\b(undo|remove|delete|scratch|strike|cancel|reverse|ignore|erase|correct|forget) (the|that|"
    r"it|this|last|my)\b|^(\w+ )*undo$|\b(take|get|put) (\w+ )*(back|off)\b|\b(go|step) back\b|"
    r"\bback (a step|one)\b|\bdidn't (mean|say) (that|it|to)\b|\bwipe (that|it) out\b|"
    r"\b(that's|that is|that was|it's|that) (all )?(the )?"
    r"(wrong|a mistake|not right|isn't right)\b|"
    r"\bnot what i (said|meant)\b|\bwrong (player|number|card|one|score)\b|\bmeant the other one\b"
)


class Table(NamedTuple):
    """The data about a table that is needed for reading a transcript."""

    names: Mapping[str, int]
    """The players' names, each with its seat."""
    numbers: Mapping[str, int]
    """The spoken form of every possible number."""
    ranks: frozenset[str]
    suits: frozenset[str]


def vocabulary(table: Table) -> frozenset[str]:
    """Return the words that a transcript with a meaning may contain."""
    known = {word for one in (*table.names, *table.numbers) for word in one.split()}
    asked = {word for some, _ in _ASKS.values() for word in some}
    said = _FILLERS | _POINTS | _NOTHING | _OF_NOTHING | _COUNTING | _CARD | _BACK
    ranks = {*table.ranks, *_plurals(table), *table.suits}
    return frozenset(known | said | asked | ranks) - {"thirty-one"}


def _like(word: str) -> str:
    """Return the known name that sounds like a word: `ann` for `anne`."""
    return re.sub(r"(.)\1", r"\1", word).removesuffix("e") if len(word) > 2 else word


def _plurals(table: Table) -> dict[str, str]:
    """Return the ranks by their plurals: `sixes` for `six`."""
    return {f"{one}es" if one.endswith("x") else f"{one}s": one for one in table.ranks}


_THINGS: Final = _words("cut starter card hand top flip turn crib score")
"""Words before a shortened *is*: "the cut's a king"."""


_NAMED_AN: Final = re.compile(
    r"\ban ((?:one|two|three|four|five|six|seven|nine|ten|twelve|twenty|gets|has|scores|pegs)\b)"
)
"""Words before which *an* can only be the name Ann."""


def _marked(text: str, table: Table) -> list[str]:
    """Return the words, with two-word numbers joined and names replaced by their known spelling."""
    joined = re.sub(r"\bplayer (one|two|three|four)\b", r"player-\1", text)
    joined = re.sub(r"\ba couple( of)?\b", "two", joined)
    joined = re.sub(r"\ba (single )?(point|hole)\b", r"one \2", joined)
    joined = _NAMED_AN.sub(r"ann \1", joined) if "ann" in table.names else joined
    for spelled in sorted(table.numbers, key=len, reverse=True):
        if " " in spelled:
            joined = re.sub(rf"\b{spelled}\b", spelled.replace(" ", "-"), joined)
    alike = {_like(name): name for name in table.names}
    found = []
    for word in joined.split():
        bare, has = (word[:-2], True) if word.endswith("'s") else (word, False)
        name = alike.get(_like(bare.replace("-", " "))) if bare not in _FILLERS else None
        if name:
            found += [name, *(["has"] if has else [])]
        elif has and (bare in table.ranks or bare in table.suits or bare in _THINGS):
            found += [bare, "is"]
        else:
            found.append(word)
    return found


def read(text: str, table: Table) -> Iterator[Reading]:
    """Return the possible meanings of a transcript.

    Args:
        text: spoken words (`rescoring.spoken_words`).
        table: the table's players, and the words for numbers and cards.
    """
    found: dict[Reading, None] = {}
    for said in (text, *_heard_as(text, table)):
        if all(reading.kind == "card" for reading in found):
            more = dict.fromkeys(_read(said, table)) or dict.fromkeys(_corrected(said, table))
            found.update(more)
    yield from found


def _heard_as(text: str, table: Table) -> Iterator[str]:
    """Return other texts that sound like this one, in which numbers or a name were written as short
    words: "fifteen to", "and six"."""
    spelled = re.sub(r"\bfifteen too?\b", "fifteen two", text)
    spelled = re.sub(r"\bfifteen for(?= (and|fifteen|pair|run|that)|$)", "fifteen four", spelled)
    if spelled != text:
        yield spelled
    if "ann" in table.names and spelled.startswith("and "):
        yield f"ann {spelled.removeprefix('and ')}"


def _read(text: str, table: Table) -> Iterator[Reading]:
    """Read a transcript that does not contain a correction."""
    words = _marked(text, table)
    plain = [one for one in words if one not in _FILLERS]
    names = [one for one in words if one in table.names]
    numbers = _numbers(words, table)
    known = frozenset(names) | frozenset(numbers)
    others = {one for one in plain if one not in known}
    if set(numbers) <= {"one"}:
        yield from _question(text, others)
        if others <= _BACK and _UNDOES.search(text):
            yield Reading("undo")
    if (
        others <= {"heels", "for", "nibs", "jack"}
        and others & {"heels", "nibs"}
        and numbers == ["two"]
    ):
        yield Reading("heels", number=2)
        return
    yield from _counted(words, others, names, numbers, table)
    yield from _points(text, words, others, names, numbers, table)
    yield from _shown_hand(words, names, table)
    yield from _card(text, words, others, table)


def _corrected(text: str, table: Table) -> Iterator[Reading]:
    """Read a phrase that corrects itself: "bob six, no, eight", "three, not four"."""
    before, is_not, _ = text.partition(" not ")
    if is_not:
        yield from _read(before, table)
        return
    slips = list(_SLIP.finditer(text))
    if not slips:
        return
    before, after = text[: slips[-1].start()], text[slips[-1].end() :]
    words = _marked(after, table)
    names = [one for one in words if one in table.names]
    numbers = _numbers(words, table)
    ranks = [one for one in words if one in table.ranks]
    left = {one for one in words if one not in _FILLERS} - {*names, *numbers, *ranks}
    first = list(_read(before, table))
    bare = [one for one in _marked(before, table) if one not in _FILLERS | {"for", "to", "at"}]
    if len(bare) == 1 and bare[0].replace("-", " ") in {*table.numbers, *table.ranks}:
        yield from _read(after, table)
        if len(words) == len(ranks) + len(set(words) & _FILLERS) and len(ranks) == 1:
            yield Reading("card", card=ranks[0])
        return
    if len(bare) == 2 and len(numbers) == 1 and bare[0] in table.names:
        value = _number(bare[1], table)
        first = first or ([Reading("points", table.names[bare[0]], value)] if value else [])
    for reading in first:
        named = table.names[names[-1]] if names else reading.seat
        if reading.kind == "card" and len(ranks) == 1 and left <= {"of", *table.suits}:
            suit = [one for one in words if one in table.suits]
            yield Reading("card", card=" of ".join((ranks[0], *suit)))
        one_new = len(numbers) == 1 or (names and not numbers)
        if reading.kind in ("points", "hand", "counted") and left <= _AFTER_SLIP and one_new:
            number = _value(numbers[0], table) if numbers else reading.number
            yield reading._replace(seat=named, number=number)


def _counted(
    words: list[str], others: set[str], names: list[str], numbers: list[str], table: Table
) -> Iterator[Reading]:
    """Read combinations counted aloud: the last total that was spoken, plus the combinations after
    it."""
    if not others <= _COUNTING or len(set(names)) > 1:
        return
    text = " ".join(one for one in words if one not in table.names)
    total = stated = combined = fifteens = at = 0
    for word in re.finditer(r"\S+", text):
        if word.start() < at:
            continue
        found = _COMBINATION.match(text, word.start())
        value = _number(word[0], table)
        just = "".join(text[: word.start()].split()[-1:])
        stating = value and (just in ("is", "makes", "are") or (just == "for" and combined))
        if found is not None and not stating:
            kind = int(str(found.lastgroup)[1:])
            total += _COMBINED[kind][1]
            combined += 1
            fifteens += found[0].startswith("fifteen")
            stated = stated or int(found[0].startswith("one for"))
            at = found.end()
        elif value is not None:
            before = not combined and re.match(r"\S+ for (the |a |his )*", text[word.start() :])
            if before is not None and before:  # "two for the pair"
                stated = value
                continue
            total = stated = value
    if not combined or not 0 < total < 30:
        return
    seat = table.names[names[-1]] if names else 0
    single = combined == 1 and not (fifteens and stated and not re.search(r"\bfor\b", text))
    if single and not stated and not others & {"pair", "nob", "nobs", "nib", "nibs"}:
        return  # "fifteen", "run for it"
    total = stated or total
    if single:
        yield Reading("counted", seat, total)
    else:
        yield Reading("hand", seat, total)


def _points(
    text: str,
    words: list[str],
    others: set[str],
    names: list[str],
    numbers: list[str],
    table: Table,
) -> Iterator[Reading]:
    """Read the points (possibly none) for a player or for the hand to be counted next."""
    seat = table.names[names[-1]] if names else 0
    none = others & _NOTHING or _NONE.search(text)
    only_none = others - _NOTHING <= _POINTS | _OF_NOTHING
    if none and only_none and not set(numbers) - {"nineteen", "one"}:
        yield Reading("hand", seat, 0)
    if len(numbers) != 1 or not others <= _POINTS or len(set(names)) > 1:
        return
    if not names and not others & _OF_POINTS and not _MINE.search(text):
        return
    if others & {"fifteen", "card"}:
        return
    kind = "hand" if not names and (others & {"hand"} or "in there" in text) else "points"
    yield Reading(kind, seat, _value(numbers[0], table))


_HELD: Final = _words("hand cards card hold holding holds has have got show shows with of")
"""Words beside the cards of a hand."""


def _question(text: str, others: set[str]) -> Iterator[Reading]:
    """Read a question to the board from the words that are neither names nor numbers."""
    for answer, (vocabulary, reveals) in _ASKS.items():
        if others <= vocabulary and re.search(reveals, text):
            yield Reading("answer", answer=answer)
            return


def _shown_hand(words: list[str], names: list[str], table: Table) -> Iterator[Reading]:
    """Read the cards of a hand: "two fives, a jack and a king"."""
    plurals = _plurals(table)
    found: list[str] = []
    some, waiting = 1, ""
    for word in words:
        if word in plurals:
            if some == 1:
                return
            found += [plurals[word]] * some
            some, waiting = 1, ""
        elif word == "pair":
            some = 2
        elif word in table.ranks:
            if waiting:
                found.append(waiting)
            waiting, some = word, 1
            some = {"two": 2, "three": 3, "four": 4}.get(word, 1)
        elif word not in _FILLERS and word not in _HELD and word not in names:
            return
        elif waiting and word in {"a", "an", "and"}:
            found.append(waiting)
            waiting, some = "", 1
    if waiting:
        found.append(waiting)
    if len(found) > 3 and len(set(names)) < 2:
        yield Reading("shown", table.names[names[-1]] if names else 0, cards=tuple(found))


def _card(text: str, words: list[str], others: set[str], table: Table) -> Iterator[Reading]:
    """Read a turned-up or played card: its rank, and possibly its suit or the count that it
    makes."""
    plurals = _plurals(table)
    if "pair" in words:  # "a pair of sevens for two"
        words = [plurals.get(one, one) for one in words]
        others = {plurals.get(one, one) for one in others}
    suits = [one for one in words if one in table.suits]
    counts = [
        n
        for n, one in enumerate(words)
        if _number(one, table) is not None
        and ({"makes", "for"} & set(words[n - 1 : n]) or words[n + 1 : n + 2] == ["with"])
    ]
    larger = [
        n
        for n, one in enumerate(words)
        if _number(one, table) is not None and one not in table.ranks and n not in counts
    ]
    counts += larger
    at = [n for n, one in enumerate(words) if one in table.ranks and n not in counts]
    ranks = {words[n] for n in at}
    if len(at) != 1 or len(suits) > 1 or len(counts) > 1:
        return
    if not others - ranks - set(suits) <= _CARD | table.ranks:
        return
    heard = _OF_CARD & set(words) or suits or counts or _CARD_SAID.search(" ".join(words))
    if heard and not (larger and _SLIP.search(text)):
        yield Reading("card", card=" of ".join((words[at[0]], *suits)))


def _numbers(words: Iterable[str], table: Table) -> list[str]:
    """Return those of the words that are numbers."""
    return [word for word in words if _number(word, table) is not None]


def _number(word: str, table: Table) -> int | None:
    """Return the number that a word (possibly with joined parts) stands for, or None."""
    return table.numbers.get(word.replace("-", " "))


def _value(word: str, table: Table) -> int:
    """Return the number that a word from `_numbers` stands for."""
    found = _number(word, table)
    assert found is not None
    return found
