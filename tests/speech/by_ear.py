"""A player who only hears: it gets the spoken sentences, and has nothing but keys.

It knows only the language, that is the templates of `text.spoken` with the catalogue: no game, no
state, no display. It has no particular cards in mind, and types any that are possible.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any, Final

from boardctl import text
from boardctl.drivers.ports import Speaker
from boardctl.message import Message
from tests.tables import KeyedTable

RANKS = dict(zip("A23456789TJQK", "1234567890ABC", strict=True))
SUITS = dict(zip("SHDC", "ABCD", strict=True))

SECRETS = ("question.hand", "question.discard")
"""Words about cards that only their player sees. This player has no cards, and would not remember
typed ones."""


SEAT = ("spoken.seat", "spoken.seat-hand")


class Ear(Speaker):
    """A speaker that keeps what it has said since it was last asked."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.played: list[str] = []
        self.hushed = 0

    def say(self, text: str, language: str = "en", *, passing: bool = False) -> None:
        self.said.append(text)

    def play(self, name: str, wav: bytes) -> None:
        self.played.append(name)

    def hush(self) -> None:
        self.hushed += 1
        self.said.clear()

    def close(self) -> None: ...

    def heard(self) -> list[str]:
        """Return the phrases spoken since the last call."""
        text = (
            " . ".join(self.said).replace("。", " . ").replace("? ", "? . ").replace("？", "？ . ")
        )
        self.said.clear()
        return [phrase for one in re.split(r"\s*\.\s+", text) if (phrase := one.strip())]


@cache
def _known(code: str, language: str) -> re.Pattern[str]:
    """Return a template as a pattern: its fields are groups."""
    template = text.catalogue(language).gettext(text.sentences()[code])
    parts = re.split(r"\{(\w+)\}", template)
    wanted = "".join(re.escape(p) if n % 2 == 0 else f"(?P<{p}>.+?)" for n, p in enumerate(parts))
    return re.compile(wanted)


def understood(phrase: str, code: str, language: str) -> dict[str, Any] | None:
    """Return the fields of a phrase, or None if it does not match."""
    found = _known(code, language).fullmatch(phrase)
    return None if found is None else found.groupdict()


STUCK: Final = 75
"""The number of keys without an accepted move after which a player undoes the last entry. Cards
that must agree with a player's private knowledge cannot be guessed."""


class Lost(AssertionError):
    """The error raised if the player no longer knows what to press."""


class Listener:
    """Plays by ear.

    Args:
        most: the maximum number of keys for one accepted move.
    """

    def __init__(self, table: KeyedTable, ear: Ear, language: str, seed: int, most: int) -> None:
        self.table, self.ear, self.language = table, ear, language
        self.chance = Random(seed)
        self.most = most
        self.keys = 0
        self.longest = 0
        self.ended = False
        """Whether the game was played to its end."""
        self._tried: set[str] = set()
        """The ranks typed since the last accepted move: after a refusal the player types
        another."""
        self._since = 0
        """The keys pressed before the last accepted move."""
        self.story: list[str] = []
        self._names = (
            {self._word(f"key-{key}"): key for key in "#*"}
            | {self._key(n): str(n) for n in range(10)}
            | {key: key for key in "ABCD"}
        )
        self._ranks = {
            text.say(Message("page", f"rank-{r}"), text.Reader(language)): k
            for r, k in RANKS.items()
        }
        self._suits = {
            text.say(Message("page", f"suit-{s}"), text.Reader(language)): k
            for s, k in SUITS.items()
        }

        whole = text.say(Message("spoken", "unseated"), text.Reader(language))
        self._back = self._word("to-back")
        self._unseated = re.split(r"[?？]", whole)[1].strip()
        opens = text.catalogue(language).gettext(text.sentences()["spoken.open"])
        self._opens = {opens.partition("{what}")[2].strip()}

    def _word(self, code: str) -> str:
        return text.say(Message("spoken", code), text.Reader(self.language))

    def _key(self, n: int) -> str:
        words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
        return words[n] if self.language == "en" else str(n)

    def press(self, key: str) -> list[str]:
        """Press a key and listen."""
        self.keys += 1
        self.table.tap(key[-1], 1.2 if key.startswith("hold") else 0.05)
        phrases = self.ear.heard()
        self.story.append(f"{key}: {' / '.join(phrases)}")
        del self.story[:-40]
        if not phrases:
            raise Lost("silence\n" + "\n".join(self.story))
        return phrases

    def play(self, done: Any) -> None:
        """Play until `done()`; raise Lost if a move takes more keys than allowed."""
        moves, self._since = len(self.table.table.record.moves), self.keys
        while not done():
            self._one()
            if len(self.table.table.record.moves) != moves:
                moves, self._since = len(self.table.table.record.moves), self.keys
                self._tried.clear()
            self.longest = max(self.longest, self.keys - self._since)
            if self.keys - self._since > self.most:
                raise Lost(f"{self.most} keys\n" + "\n".join(self.story))

    def _one(self) -> None:
        """Ask for the choices and take one of them."""
        phrases = self.press("hold3")
        keys: dict[str, str] = {}
        possible: list[tuple[str, str]] = []
        types = suit = seated = secret = pressed = False
        allowed: Sequence[int] = range(13)
        numbers = False
        for phrase in phrases:
            if (found := understood(phrase, "spoken.only", self.language)) is not None:
                allowed = [int(one) for one in found["numbers"].split(", ")]
            elif (found := understood(phrase, "spoken.possible", self.language)) is not None:
                possible = self._cards(found["cards"])
            elif (
                understood(phrase, "spoken.ranks", self.language) is not None
                or understood(phrase, "spoken.ranks-d", self.language) is not None
            ):
                types = True
            elif understood(phrase, "spoken.digits", self.language) is not None:
                numbers = True
            elif understood(phrase, "spoken.suit", self.language) is not None:
                suit = True
            elif any(understood(phrase, code, self.language) for code in SECRETS):
                secret = True
            elif phrase in self._opens:
                pressed = True
            elif any(understood(phrase, code, self.language) for code in SEAT):
                seated = True
            elif (found := understood(phrase, "spoken.range", self.language) or {}) and found[
                "least"
            ].isdigit():
                allowed = range(int(found["least"]), int(found["most"]) + 1)
            elif (found := understood(phrase, "spoken.does", self.language) or {}).get(
                "key"
            ) in self._names:
                keys[self._names[found["key"]]] = found["what"]
        back = self.keys - self._since > STUCK and "*" in keys
        if not back and self.chance.random() < 0.9:
            keys.pop("*", None)
        if self._unseated in phrases:
            self.press("hold*")
        elif back:
            self.press(next((key for key in keys if keys[key] == self._back), "*"))
        elif suit:
            self.press(self.chance.choice("ABCD"))
        elif secret:
            self.press("#" if pressed else "*")
        elif numbers and "#" in keys and self.chance.random() < 0.7:
            self.press("#")
        elif numbers:
            for digit in str(self.chance.choice(allowed[:20])):
                self.press(digit)
            self.press("#")
        elif types and (self.chance.random() < 0.8 or not keys):
            self._type(possible, seated)
        elif keys:
            ways = [*keys, *("#" for key in keys if key == "#" for _ in range(6))]
            self.press(self.chance.choice(ways))
        else:
            self.press(self.chance.choice("#*"))

    def _type(self, possible: list[tuple[str, str]], points: bool) -> None:
        """Type a possible card, or points if a number may be entered too."""
        if not possible and points and self.chance.random() < 0.5:
            for digit in str(self.chance.randint(0, 12)):
                self.press(digit)
            self.press("#")
            return
        rank, suits = self.chance.choice(possible) if possible else ("", "")
        if not rank:
            ranks = RANKS.values()
            rank = self.chance.choice([k for k in ranks if k not in self._tried] or list(ranks))
            self._tried.add(rank)
        phrases = self.press(rank)
        if any(understood(phrase, "spoken.suit", self.language) is not None for phrase in phrases):
            self.press(self.chance.choice(suits or "ABCD"))

    def _cards(self, phrase: str) -> list[tuple[str, str]]:
        """Return spoken cards as keys: the rank's, and those of its suits."""
        ranks = "|".join(map(re.escape, sorted(self._ranks, key=len, reverse=True)))
        suits = "|".join(map(re.escape, sorted(self._suits, key=len, reverse=True)))
        sep = ", | and " if self.language == "en" else "と"
        several = f"(?:{suits})(?:(?:{sep})(?:{suits}))*"
        pattern = f"(?P<rank>{ranks})(?: of (?P<suits>{several}))?"
        if self.language != "en":
            pattern = f"(?:(?P<suits>{several})の)?(?P<rank>{ranks})"
        return [
            (
                self._ranks[found["rank"]],
                "".join(self._suits[one] for one in re.split(sep, found["suits"] or "") if one),
            )
            for found in re.finditer(pattern, phrase)
        ]
