"""Everyday phrases at a table, in addition to the board's own phrases. Pure.

A frame is a phrase with one gap: "give ann … points". Frames use the notation of the JSpeech
Grammar Format for alternatives, `( a | b )`, and optional words, `[ c ]`. For matching, they are
converted to regular expressions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

LEAD: Final = "[ okay | well | so | and | um | now ]"
"""Words that people put before any phrase."""
ASKING: Final[Mapping[str, tuple[str, ...]]] = {
    "score": (
        "what's the score", "what is the score now", "tell me the score", "what are the scores",
        "what's the score please", "what is the score please", "what's the score now",
        "who's winning", "who is winning", "who's ahead", "who is ahead", "who's leading",
        "who is in the lead", "who's in the lead", "how many points do i have", "read the score",
        "how many do i have", "what are the points", "how do we stand", "score please",
        "what's the count", "what is the count", "how many is that",
    ),
    "turn": (
        "whose turn is it", "whose turn", "who's turn is it", "whose go is it", "who is next",
        "who's next", "who plays next", "is it my turn", "what happens now", "what now",
        "what do i do now", "what's next", "what do you want",
    ),
    "again": (
        "say it again", "repeat that", "repeat please", "can you repeat that", "repeat that please",
        "please repeat that", "pardon", "pardon me", "what did you say", "what was that",
        "once more please", "say that again please", "i didn't hear that",
    ),
    "before": (
        "before that", "and before that", "what was before that", "what did you say before that",
    ),
    "last": (
        "last move", "what was the last move", "what was played last", "what was the last card",
    ),
    "moves": ("the last five moves", "last five moves", "what happened", "what has happened"),
    "cards": (
        "which cards are out", "what has been played", "what cards have been played",
        "which cards have been played", "cards played",
    ),
    "choices": (
        "what can i say", "help", "help me", "what are my options", "what can i do now",
        "what are my choices", "help please",
    ),
    "slower": ("speak slower please", "please speak slower", "talk slower", "speak more slowly",
               "slower please", "not so fast"),
    "faster": ("speak faster please", "please speak faster", "talk faster", "faster please"),
}  # fmt: skip
"""Phrases that only ask a question, by question."""
BACK: Final = (
    "undo", "undo that", "undo it", "undo the last move", "take it back", "take that back please",
    "take it back please", "oops take that back", "no take that back", "that's wrong",
    "that is wrong", "that was wrong", "no that's wrong", "no that was wrong", "scratch that",
    "delete that", "go back", "go back one", "that was a mistake", "that's a mistake",
    "that's not right", "i made a mistake", "remove that", "cancel that",
)  # fmt: skip
"""Phrases that undo."""
YES: Final = (
    "yes", "yes please", "yeah", "yep", "yup", "okay", "sure", "right", "that's right", "correct",
    "that's correct", "all right", "exactly", "yes that's right", "of course", "do it", "please do",
    "yes it is", "that's it", "yes that's it", "go ahead", "certainly", "absolutely", "yes do",
    "yeah that's right", "yeah sure", "yeah okay", "okay then", "okay yes", "yes of course",
    "that is right", "that is correct", "that's fine", "indeed", "you got it", "yes she does",
    "yes he does", "yes they do", "yes i do",
)  # fmt: skip
NO: Final = (
    "no", "no thanks", "no thank you", "nope", "none", "none of them", "none of those", "neither",
    "neither one", "neither of them", "neither of those", "wrong", "that's wrong",
    "no that's wrong", "cancel", "cancel that", "stop", "stop it", "never mind", "forget it",
    "not that", "no way", "not right", "that's not right", "of course not", "neither of these",
    "no no", "no it isn't", "it isn't", "don't", "don't do that", "no don't", "not those",
    "not these", "none of them thanks", "none of those thanks", "neither thanks", "not quite",
    "no that's not it", "no sorry", "nah", "no no no", "no it's wrong", "it's wrong",
    "that is wrong", "not at all", "incorrect", "that's incorrect", "please don't",
    "no please don't", "no i didn't", "no she doesn't", "no he doesn't", "i don't think so",
    "none of the above", "something else", "forget about it", "no not that", "not either",
    "not that one",
)  # fmt: skip
"""Answers to a question, in full or in short."""
ORDINALS: Final = ("first", "second", "third")
OF_TWO: Final = (("former", "the former"), ("latter", "the latter"))
"""Answers to a question between two."""
NUMBERED: Final = dict(zip(ORDINALS, ("one", "two", "three"), strict=True))
IT_IS: Final = (
    "no", "the", "it's", "it was", "it is", "no it's", "no it was", "i said", "no i said",
    "i meant", "make it", "i think", "i think it's", "the one with", "option",
)  # fmt: skip
"""Words before the number or the card that answers a question."""
NO_POINTS: Final = (
    "nothing", "i've got nothing", "i have nothing", "i got nothing", "nothing for me",
    "nothing in my hand", "no points", "no points at all", "no score", "nothing at all",
    "i don't have anything", "there's nothing", "that's nothing", "zero points", "nothing here",
)  # fmt: skip
GO: Final = (
    "i say go", "go for me", "i can't play", "i can't go", "can't go", "it's a go", "that's a go",
    "i have to say go", "i pass go", "i'm out",
)  # fmt: skip
"""A go in the play."""
DEAL: Final = ("new deal", "next deal", "deal the cards", "deal again", "let's deal", "next hand",
               "the next deal", "cards are dealt")  # fmt: skip
LAST: Final = ("one for last", "one for the last card", "one for last card", "one for the go",
               "one for go")  # fmt: skip
"""The point for the last card of a series."""
ONE: Final = "( i've got | i have | i got | i score | i peg | i'll take | i take )"
OTHER: Final = "( she's got | she has | she gets | he's got | he has | he gets | we've got )"
THAT: Final = "( that's | that is | that makes | that's a total of | it's )"
GETS: Final = (
    "( has | has got | gets | got | scores | scored | pegs | pegged | takes | makes | earns | "
    "counts | wins )"
)
GIVE: Final = "( give | put | add | mark | peg | score )"
WORTH: Final = "( is | has | is worth | makes | counts | scores | comes to )"
PLAYS: Final = (
    "( plays | played | puts down | put down | lays | leads ) [ a | an | the ]",
    "( i play | i'll play | i lead | i put down | playing | here's | i'm playing ) "
    "[ a | an | the ]",
    "( a | an | the | and a | and an | my card is a | my card is an | my card is the )",
)  # fmt: skip
TURNS: Final = (
    "( flip | flipped | turn up | turned up | turn over | cut | we cut | flip up ) "
    "[ a | an | the ]",
    "( the starter is | starter is | the starter card is | starter card is | the starter | "
    "the cut is | cut card is | the cut card is | the turn up is | it's | the up card is ) "
    "[ a | an | the ]",
    "( a | an | the )",
)  # fmt: skip
CORRECTION: Final = (
    "( no | sorry | i mean | no wait | no sorry | no i mean | wait | no make it | make that )"
)
MORE: Final = (
    ("fifteen", 2, "fifteen"),
    ("pair", 2, "[ and ] [ a | one ] pair [ is | makes | for | are ]"),
    ("plus", 2, "and two ( is | makes | are )"),
    ("pairs", 4, "[ and ] two pairs ( is | are | makes | make )"),
    ("royal", 6, "[ and ] [ a ] pair royal [ is | makes ]"),
    ("double royal", 12, "[ and ] [ a ] double pair royal [ is | makes ]"),
    ("three", 3, "[ and ] [ a ] ( run of three | run ) ( is | makes )"),
    ("plus three", 3, "and three ( is | makes )"),
    ("four", 4, "[ and ] [ a ] run of four ( is | makes )"),
    ("five", 5, "[ and ] [ a ] run of five ( is | makes )"),
    ("plus four", 4, "and four ( is | makes )"),
    ("double run", 8, "[ and ] [ a ] double run [ of three ] ( is | makes )"),
    ("double run of four", 10, "[ and ] [ a ] double run of four ( is | makes )"),
    ("flush", 4, "[ and ] [ a ] flush [ of four ] ( is | makes )"),
    ("flush of five", 5, "[ and ] [ a ] flush of five ( is | makes )"),
    ("nob", 1, "[ and ] [ one for ] ( his nob | his nobs | nobs ) ( is | makes )"),
)
"""The combinations named when a hand is counted: name, points, and the words before the new
total."""
REST: Final = (
    "[ and the rest won't score | and the rest don't score | and the rest doesn't score | "
    "and that's all | and no more | and there are no more | and there ain't no more | "
    "and that's it ]"
)
COUNT: Final = "counting"
"""The name of the rules for counting aloud."""


class Frame(NamedTuple):
    """A phrase with a gap: words, then one of several fillers, then more words."""

    before: str
    slot: tuple[str, ...]
    after: str = ""

    def find(self, text: str) -> str | None:
        """Return the words that fill the frame's gap in a phrase, or None if the phrase does not
        fit."""
        fits = pattern(self.before, self.slot, self.after).fullmatch(f"{text} ")
        return None if fits is None else fits["slot"].strip()

    def rule(self, without: Iterable[str] = ()) -> str:
        """Return a rule in the JSpeech Grammar Format, or an empty string if there are no
        fillers."""
        left = [one for one in self.slot if one not in without]
        return f"{self.before} ( {' | '.join(left)} ) {self.after}".strip() if left else ""

    @property
    def words(self) -> set[str]:
        """Return all words that occur in the frame."""
        return set(re.findall(r"[a-z']+", " ".join((self.before, self.after, *self.slot))))


@lru_cache(maxsize=512)
def expression(rule: str) -> str:
    """Convert a rule without rule names to a regular expression, for words that are each followed
    by a space."""
    signs = {"(": "(?:", ")": ")", "[": "(?:", "]": ")?", "|": "|"}
    return "".join(signs.get(word, f"{re.escape(word)} ") for word in rule.split())


@lru_cache(maxsize=256)
def pattern(before: str, slot: tuple[str, ...], after: str) -> re.Pattern[str]:
    """Return the regular expression for a frame."""
    may = "|".join(f"{one} " for one in slot)
    return re.compile(f"{expression(before)}(?P<slot>{may}){expression(after)}")


def either(some: Sequence[str]) -> str:
    """Return a rule that matches one of several texts."""
    return f"( {' | '.join(some)} )"


def own(names: Sequence[str]) -> str:
    """Return a rule that matches one of several names in the possessive form."""
    return either([f"{name}'s" for name in names])


def counting_rules(spelled: Mapping[int, str], totals: Iterable[int]) -> str:
    """Return rules for counting a hand aloud, in the JSpeech Grammar Format: `<counting>`.

    The rules accept more phrases than `counted` does: they check the total only for the first
    combination after the fifteens. Exact rules would need a state for each total, which the
    recogniser would copy for each path that leads to it.

    Args:
        spelled: the words of each number.
        totals: the possible points of the hand.
    """
    most = max(totals, default=0)
    later = " | ".join(words for name, _, words in MORE if name != "fifteen")
    numbers = " | ".join(spelled[n] for n in range(3, most + 1))
    rules = [f"<{COUNT}_later> = ( {later} ) ( {numbers} );"]
    ways = []
    for fifteens in range(5):
        total = 2 * fifteens
        first = " ".join(f"fifteen {spelled[2 * n]}" for n in range(1, fifteens + 1))
        after = [
            f"{words} {spelled[total + points]}"
            for name, points, words in MORE
            if name != "fifteen" and total + points <= most
        ]
        then = f"( {' | '.join(after)} ) [ <{COUNT}_later> ] {REST}"
        ways.append(f"{first} ( {then} | {REST} )" if fifteens else then)
    return "\n".join((*rules, f"<{COUNT}> = {' | '.join(ways)};")) + "\n"


def counted(text: str, spelled: Mapping[int, str]) -> int | None:
    """Return the total of a hand counted aloud, or None if the spoken totals are inconsistent."""
    found = max(_totals(f"{text} ", 0, spelled), default=0)
    return found or None


def _totals(text: str, total: int, spelled: Mapping[int, str]) -> Iterator[int]:
    if total and re.fullmatch(expression(REST), text):
        yield total
    for _, points, words in MORE:
        after = total + points
        if after in spelled:
            fits = re.match(f"{expression(words)}{spelled[after]} ", text)
            if fits:
                yield from _totals(text[fits.end() :], after, spelled)
