"""A hand counted aloud: "fifteen two, fifteen four, pair is six".

Every combination is spoken with the running total, in the order of `games.cribbage.show`. The
English words follow the way of counting described by Parlett, the Japanese words that of the
source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

from boardctl.games import Note

_ONES: Final = (
    *("nothing", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

PHRASES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "fifteen": "fifteen {total}",
        "pair": "pair is {total}",
        "pair-royal": "pair royal is {total}",
        "double-pair-royal": "double pair royal is {total}",
        "run": "run of {cards} is {total}",
        "flush": "flush of {cards} is {total}",
        "nobs": "and one for his nob is {total}",
        "nobs-alone": "one for his nob",
        "nothing": "nothing",
        "between": ", ",
        "full-stop": ". ",
        "said": "{count} for {points}",
        "said-count": "{count}",
        "said-go": "go",
        "said-last": "one for last",
        "wins": "{name} wins",
        "win": "{name} win",
        "drawn": "the game is drawn",
        "and": "{one} and {other}",
    },
    "ja": {
        "fifteen": "フィフティーンで{total}",
        "pair": "ペアで{total}",
        "pair-royal": "ペア・ロイアルで{total}",
        "double-pair-royal": "ダブル・ペア・ロイアルで{total}",
        "run": "シークエンスで{total}",
        "flush": "フラッシュで{total}",
        "nobs": "ヒズ・ノブで{total}",
        "nobs-alone": "ヒズ・ノブで1",
        "nothing": "役なし",
        "between": "、",
        "full-stop": "。",
        "said": "{count}で{points}てん",
        "said-count": "{count}",
        "said-go": "ゴー",
        "said-last": "ラストカードで1てん",
        "wins": "{name}のかち",
        "win": "{name}のかち",
        "drawn": "ひきわけ",
        "and": "{one}と{other}",
    },
}


class Scored(Protocol):
    """A counted combination: an item of the show, or an award of the referee."""

    @property
    def reason(self) -> str: ...
    @property
    def cards(self) -> tuple[object, ...]: ...
    @property
    def points(self) -> int: ...


def number(n: int, language: str = "en") -> str:
    """Return a number from 0 to 199 in words, or for Japanese in digits, which every voice can
    read."""
    if language == "ja":
        return str(n)
    if n < 20:
        return _ONES[n]
    if n < 100:
        tens, ones = divmod(n, 10)
        return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")
    return "a hundred" + (f" and {number(n - 100)}" if n > 100 else "")


def steps_aloud(items: Iterable[Scored], language: str = "en") -> list[str]:
    """Return the spoken text of each combination, with the total so far. Return an empty list if
    there are no traditional words for a combination; they exist only for cribbage hands."""
    phrases, scored = PHRASES[language], list(items)
    if any(item.reason not in phrases for item in scored):
        return []
    phrases_said: list[str] = []
    total = 0
    for item in scored:
        total += item.points
        alone = item.reason == "nobs" and not phrases_said
        phrases_said.append(
            phrases["nobs-alone" if alone else item.reason].format(
                total=number(total, language), cards=number(len(item.cards), language)
            )
        )
    return phrases_said


def count_aloud(items: Iterable[Scored], language: str = "en") -> str:
    """Return combinations counted with their running total, or "nothing" if there are none. Return
    an empty string if there are no traditional words for one of them."""
    phrases, scored = PHRASES[language], list(items)
    return phrases["between"].join(steps_aloud(scored, language)) if scored else phrases["nothing"]


def briefly(items: Iterable[Scored], language: str = "en") -> str:
    """Return the count in one line, with the running total. Combinations of one kind are counted
    together: "fifteen eight, pair royal is fourteen, run of three is twenty-three"."""
    phrases, scored = PHRASES[language], list(items)
    if not scored:
        return phrases["nothing"]
    steps = steps_aloud(scored, language)
    return phrases["between"].join(
        step
        for place, step in enumerate(steps)
        if place + 1 == len(steps) or scored[place + 1].reason != scored[place].reason
    )


def said_aloud(notes: Iterable[Note], language: str = "en") -> str:
    """Return the spoken text for the play: "fifteen for two", "twenty-two", "go", "one for
    last"."""
    phrases = PHRASES[language]
    return phrases["between"].join(
        phrases[note.code].format(
            **{
                name: number(value, language) if isinstance(value, int) else value
                for name, value in note.fields.items()
            }
        )
        for note in notes
    )


def together(names: Sequence[str], language: str = "en") -> str:
    """Return the names of one side: a player, or two partners."""
    one, *others = names
    return PHRASES[language]["and"].format(one=one, other=others[0]) if others else one


def win_aloud(names: Sequence[str], language: str = "en") -> str:
    """Return the words that announce the winner: a player, or two partners."""
    phrases = PHRASES[language]
    return phrases["wins" if len(names) == 1 else "win"].format(name=together(names, language))
