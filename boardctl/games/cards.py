"""Playing cards with a rank, a suit and a copy letter, and functions to parse and print them.

The cards are on a real table, and the players choose how much to enter. A card may therefore be
known only by its rank, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple


class Suit(IntEnum):
    """The four suits, in the order of the keypad's `A♠ B♥ C♦ D♣`."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3

    @property
    def letter(self) -> str:
        return "SHDC"[self]

    @property
    def symbol(self) -> str:
        return "♠♥♦♣"[self]


class Rank(IntEnum):
    """The thirteen ranks in the order of a cribbage run, from ace (1) to king (13)."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def letter(self) -> str:
        return "A23456789TJQK"[self - 1]


class Card(NamedTuple):
    """One card as far as it is known.

    Cards compare and hash by value. Use `CARDS` or `parse_card` to get the shared instances.
    """

    rank: Rank | None
    """The rank, or None for an unseen card (`?`)."""
    suit: Suit | None = None
    """The suit, or None if only the rank is known."""
    copy: str | None = None
    """A letter, such as `"a"`, that distinguishes identical cards in games with several packs."""

    @property
    def is_known(self) -> bool:
        """Whether both the rank and the suit are known."""
        return self.rank is not None and self.suit is not None

    @property
    def plain(self) -> Card:
        """The same card without its copy letter."""
        return self if self.copy is None else Card(self.rank, self.suit)

    def matches(self, other: Card) -> bool:
        """Return whether two cards could be the same card, judging by what is known about both."""
        return (
            (self.rank is None or other.rank is None or self.rank == other.rank)
            and (self.suit is None or other.suit is None or self.suit == other.suit)
            and (self.copy is None or other.copy is None or self.copy == other.copy)
        )

    def __str__(self) -> str:
        if self.rank is None:
            return "?"
        suit = "" if self.suit is None else self.suit.letter
        return f"{self.rank.letter}{suit}{self.copy or ''}"


UNSEEN: Final = Card(None)
CARDS: Final = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards in the order of their indices. The index is `suit * 13 + rank - 1`."""

_RANKS: Final = {rank.letter: rank for rank in Rank}
_SUITS: Final = {
    **{suit.letter: suit for suit in Suit},
    **{suit.symbol: suit for suit in Suit},
    **dict(zip("♤♡♢♧", Suit, strict=True)),
}
_SUIT_NAMES: Final = {
    name: suit for suit in Suit for name in (suit.name, suit.name.removesuffix("S"), suit.letter)
} | _SUITS


@cache
def _characters() -> dict[int, str | None]:
    """Return a `str.translate` table that replaces characters outside the notation."""
    found: dict[int, str | None] = {0xFE0E: None, 0xFE0F: None, 0x3000: " "}
    found |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width ASCII
    found |= {ord(comma): "," for comma in "、，﹐"}
    for first, suit in ((0x1F0A0, "S"), (0x1F0B0, "H"), (0x1F0C0, "D"), (0x1F0D0, "C")):
        ranks = "A23456789TJ?QK"  # `?` stands for the knight, which no pack here contains
        found |= {
            first + place: f" {rank}{suit} " for place, rank in enumerate(ranks, 1) if rank != "?"
        }
    return found


def plain(text: str) -> str:
    """Return a text after converting it to the characters of the notation.

    Phones and Japanese keyboards may produce `5♥️` with an emoji selector, full-width letters and
    digits (`５Ｈ`), full-width commas, and single Unicode characters for cards (`🂵`).
    """
    return text if text.isascii() else text.translate(_characters())


def parse_card(text: str) -> Card:
    """Parse a card: `5H`, `TD`, `10d`, `5♥`, `♥5`, `KSb`, a rank alone (`5`), or `?`.

    Raises:
        ValueError: if `text` is not a card in the notation.
    """
    body = plain(text).strip()
    if body == "?":
        return UNSEEN
    body = body.replace("10", "T", 1)
    if len(body) > 1 and body[0].upper() in _SUITS:  # the suit first, as in "♥5"
        body = body[1] + body[0] + body[2:]
    rank = _RANKS.get(body[:1].upper())
    if rank is None or len(body) > 3:
        raise ValueError(text)
    suit = _SUITS.get(body[1:2].upper()) if len(body) > 1 else None
    copy = body[2:3].lower() or None
    if (len(body) > 1 and suit is None) or (copy is not None and not "a" <= copy <= "z"):
        raise ValueError(text)
    return Card(rank, suit, copy)


def parse_suit(text: str) -> Suit:
    """Parse a suit: `H`, `♥`, `hearts` or `heart`.

    Raises:
        ValueError: if `text` is not a suit.
    """
    try:
        return _SUIT_NAMES[plain(text).upper()]
    except KeyError:
        raise ValueError(text) from None


def pictured(cards: Iterable[Card]) -> str:
    """Return cards in readable form, separated by spaces, as in `5♥ 10♦`. A card without a known
    suit is shown by its rank alone."""
    return " ".join(
        "?"
        if card.rank is None
        else ("10" if card.rank is Rank.TEN else card.rank.letter)
        + (card.suit.symbol if card.suit is not None else "")
        for card in cards
    )


def codes(cards: Iterable[Card]) -> list[str]:
    """Return each card in the notation, as in `["5H", "TD"]`."""
    return [str(card) for card in cards]


def spell(cards: Iterable[Card]) -> str:
    """Return cards in the notation, separated by spaces."""
    return " ".join(codes(cards))


def split(text: str) -> list[str]:
    """Split a text at spaces and commas, and return the words."""
    return plain(text).replace(",", " ").split()


def parse_cards(text: str) -> Iterator[Card]:
    """Parse cards separated by spaces or commas. Raises ValueError for the first word that is not a
    card, as `parse_card` does."""
    return iter([parse_card(word) for word in split(text)])
