"""The six words of an invitation, which can be read out over the telephone, and the numbers of
these words for a keypad.

The word list is that of BIP 39: 2,048 English words that differ in their first four letters. Six
words therefore encode 66 bits: a 60-bit secret, and a 6-bit checksum that reveals a misheard word.
Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlencode

from boardctl.games import IllegalMove

COUNT: Final = 6
BITS: Final = 60
"""The number of bits of a secret."""
_WORD_BITS: Final = 11
_CHECK_BITS: Final = COUNT * _WORD_BITS - BITS
_PREFIX: Final = 4
_PART: Final = re.compile(r"[a-z]+|[0-9]+")
LONGEST: Final = 1000
"""The maximum length of an invitation's text."""
_LINK: Final = "#far="
_BROKER: Final = "broker"


@cache
def _words() -> tuple[str, ...]:
    return tuple(Path(__file__).with_name("words.txt").read_text("ascii").split())


def spell(secret: int) -> tuple[str, ...]:
    """Return the words of a 60-bit secret."""
    return tuple(_words()[number] for number in _numbers(secret))


def numbers(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words as four-digit numbers, `0001` to `2048`."""
    return tuple(f"{_words().index(word) + 1:04}" for word in words)


def read(text: str) -> int:
    """Return the secret of an invitation. The invitation is given as six words or their beginnings,
    as six numbers, or as a link that ends with the words.

    Raises:
        IllegalMove: `far-six-words` unless there are six words, `far-no-word` if a word is unknown,
        or `far-other-words` if the words do not belong together.
    """
    entered = text[:LONGEST].rpartition(_LINK)[2].partition("&")[0]
    parts = _PART.findall(entered.lower())
    if len(parts) == 1 and parts[0].isdigit() and len(parts[0]) == 4 * COUNT:
        parts = [parts[0][at : at + 4] for at in range(0, 4 * COUNT, 4)]
    if len(parts) != COUNT:
        raise IllegalMove("far-six-words", count=len(parts))
    found = [_index(part) for part in parts]
    whole = 0
    for index in found:
        whole = whole << _WORD_BITS | index
    secret = whole >> _CHECK_BITS
    if _numbers(secret) != found:
        raise IllegalMove("far-other-words")
    return secret


def link(page: str, words: Sequence[str], broker: str = "") -> str:
    """Return an invitation as a link to a page, with a broker's address for browsers if one is
    given. A browser does not send the part after `#` to the page's server."""
    ending = f"&{urlencode({_BROKER: broker})}" if broker else ""
    return f"{page}{_LINK}{'-'.join(words)}{ending}"


def broker(text: str) -> str:
    """Return the broker's address in a link, or an empty string if the link contains none."""
    _, _, ending = text[:LONGEST].rpartition(_LINK)[2].partition("&")
    return parse_qs(ending).get(_BROKER, [""])[0]


def _index(part: str) -> int:
    words = _words()
    if part.isdigit():
        if len(part) <= _PREFIX and 1 <= int(part) <= len(words):
            return int(part) - 1
    elif part in words:
        return words.index(part)
    elif len(part) >= _PREFIX:
        like = [n for n, word in enumerate(words) if word[:_PREFIX] == part[:_PREFIX]]
        if len(like) == 1:
            return like[0]
    raise IllegalMove("far-no-word", word=part)


def _numbers(secret: int) -> list[int]:
    digest = sha256(b"boardctl far words " + secret.to_bytes(8, "big")).digest()
    whole = secret << _CHECK_BITS | digest[0] & (1 << _CHECK_BITS) - 1
    return [whole >> _WORD_BITS * n & (1 << _WORD_BITS) - 1 for n in reversed(range(COUNT))]
