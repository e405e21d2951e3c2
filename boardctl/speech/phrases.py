"""Words for spoken numbers, cards, names and moves, all found in any dictionary. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from boardctl.console.keypad import TableView
from boardctl.games import Move
from boardctl.games.cards import Card, Rank, Suit
from boardctl.message import Message
from boardctl.text import Reader, say, sentences
from boardctl.text.counting import number

RANKS: Final = {
    "ace": Rank.ACE, "two": Rank.TWO, "deuce": Rank.TWO, "three": Rank.THREE, "trey": Rank.THREE,
    "four": Rank.FOUR, "five": Rank.FIVE, "six": Rank.SIX, "seven": Rank.SEVEN,
    "eight": Rank.EIGHT, "nine": Rank.NINE, "ten": Rank.TEN, "jack": Rank.JACK,
    "queen": Rank.QUEEN, "king": Rank.KING,
}  # fmt: skip
SUITS: Final = {
    "spades": Suit.SPADES, "hearts": Suit.HEARTS, "diamonds": Suit.DIAMONDS, "clubs": Suit.CLUBS,
}  # fmt: skip


def spell(n: int) -> str:
    """Spell out a number from 0 to 9999 in words."""
    for unit, word in ((1000, "thousand"), (100, "hundred")):
        if n >= unit:
            many, rest = divmod(n, unit)
            return f"{spell(many)} {word} {spell(rest) if rest else ''}".strip()
    return number(n).replace("-", " ").replace("nothing", "zero")


def name_of(seat: int, view: TableView) -> tuple[str, ...]:
    """Return the ways to name a seat: its number and, if the name consists of letters, its player's
    name."""
    name = view.seats[seat - 1].lower()
    known = (name,) if re.fullmatch(r"[a-z]+( [a-z]+)*", name) else ()
    return (*known, f"player {number(seat)}")


def in_short(move: Move) -> str:
    """Return a choice in a few words that any dictionary contains, without players' names: `pass`,
    `spades`, `eighty spades`, `bid three hundred ten`, `meld king of clubs queen of clubs`."""
    parts = [spell(abs(one)) for one in move.numbers]
    parts += [plain(_word(word)) for word in move.words]
    unseen = sum(card.rank is None for card in move.cards)
    parts += [next(card_phrases(card)) for card in move.cards if card.rank is not None]
    parts += [some_cards(unseen)] if unseen else []
    parts += [f"worth {spell(move.claim)}"] if move.claim is not None else []
    if move.verb == "dealer":
        return f"player {parts[0]} deals"
    return " ".join(parts if move.words and not move.cards else [plain(move.verb), *parts])


def label(move: Move) -> str:
    """Return the small display's words for a move that consists only of a verb: `no swap`. For any
    other move, return an empty string."""
    if move.words or move.cards or move.numbers or f"verb.{move.verb}" not in sentences():
        return ""
    return plain(say(Message("verb", move.verb), Reader("en")))


def some_cards(count: int) -> str:
    """Return the words for a number of cards: `three cards`."""
    return f"{spell(count)} card{'s' * (count > 1)}"


def _word(word: str) -> str:
    return _SPOKEN.get(word, word)


_SPOKEN: Final = {
    "S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs",
    "misdealt": "dealt wrongly", "overpeg": "too many points", "schmeiss": "throw in",
}  # fmt: skip
"""The words spoken for words of the notation that dictionaries lack."""


def card_phrases(card: Card) -> Iterator[str]:
    for name, rank in RANKS.items():
        if rank == card.rank:
            if card.suit is None:
                yield name
            else:
                yield f"{name} of {next(n for n, s in SUITS.items() if s == card.suit)}"


def plain(sentence: str) -> str:
    """Return a sentence in the form that the recogniser uses: lower case, with numbers spelled
    out."""
    text = re.sub(r"\d+", lambda found: f" {spell(int(found[0]) % 10_000)} ", sentence.lower())
    return " ".join(re.sub(r"[^a-z' ]", " ", text.replace("’s", "'s")).split())
