"""The public functions, for use with `from boardctl import …`.

docs/library.md gives an example of each function, and the tests run these examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from boardctl import games
from boardctl.games import Award, Move
from boardctl.games.cards import Card, parse_cards
from boardctl.record.legal import legal_moves
from boardctl.record.record import Record
from boardctl.record.replay import answers


class HandScore(NamedTuple):
    """The score of a hand or crib: its points, its combinations in the traditional order of
    counting, and the spoken count."""

    points: int
    items: tuple[Award, ...]
    spoken: str


def score(
    hand: str | Iterable[Card], starter: str | Card, *, crib: bool = False, language: str = "en"
) -> HandScore:
    """Count a cribbage hand.

    Args:
        hand: four cards, or three in five-card cribbage, as text (`"5H 5S 5C JD"`) or `Card`
            values.
        starter: the starter card.
        crib: whether the hand is the crib, in which a flush must include the starter.
        language: the language of the spoken count, `en` or `ja`.

    Raises:
        ValueError: if the number of cards is wrong, or if a card cannot be parsed, is repeated, or
            has no suit although the suit matters.
    """
    from boardctl.games.cribbage import show
    from boardctl.text.counting import count_aloud

    cards = read_cards(hand)
    (turned,) = read_cards(starter) if isinstance(starter, str) else (starter,)
    if len(cards) != 4 and (crib or len(cards) != 3):
        raise ValueError(f"expected {'4' if crib else '4 or 3'} cards, got {len(cards)}")
    if any(not card.is_known for card in (*cards, turned)):
        raise ValueError("expected cards with rank and suit, such as 5H")
    if len({*cards, turned}) != len(cards) + 1:
        raise ValueError("expected different cards, got one twice")
    items = show.count(cards, turned, crib=crib)
    awards = tuple(Award(0, item.points, item.reason, item.cards) for item in items)
    total = sum(item.points for item in items)
    return HandScore(total, awards, count_aloud(items, language))


def read_cards(cards: str | Iterable[Card]) -> tuple[Card, ...]:
    """Return an argument as cards. Raises ValueError if a card cannot be parsed."""
    if not isinstance(cards, str):
        return tuple(cards)
    try:
        found = tuple(parse_cards(cards))
    except ValueError as error:
        raise ValueError(f"expected cards such as 5H or TD, got {cards!r}") from error
    if not found:
        raise ValueError(f"expected cards such as 5H or TD, got {cards!r}")
    return found


def game_names() -> tuple[str, ...]:
    """Return the names of the games."""
    return games.names()


def parse_move(line: str, record: Record | None = None) -> Move:
    """Parse one line of the table notation (docs/notation.md).

    Args:
        line: a line such as `1 peg 8`.
        record: the record of the current game, whose verbs are allowed, or None to allow the verbs
            of every game.

    Raises:
        IllegalMove: `syntax` or `not-in-this-game`.
    """
    from boardctl.record import notation

    return notation.parse_move(line, record.position.game if record is not None else None)


def spell_move(move: Move) -> str:
    """Return the canonical line of a move in the notation."""
    from boardctl.record import notation

    return notation.spell(move)


def random_move(record: Record, random: Random, seat: int | None = None) -> Move | None:
    """Return a random legal move, or None if there is no legal move."""
    moves = legal_moves(record, seat)
    return random.choice(moves) if moves else None


def replay(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Referee a record line by line. Yield one object for each line, as `boardctl replay --json`
    prints them."""
    from boardctl.text import in_english

    return answers(lines, keep_going=True, sentence=in_english)


def export(record: Record) -> str:
    """Return each game of a record as a separate record in the table notation."""
    return "\n\n".join("\n".join(lines) for _, _, lines in record.games()) + "\n"
