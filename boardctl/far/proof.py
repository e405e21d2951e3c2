"""Check a game between two houses from its file, without trusting either house. Anybody can run
this check. Pure.

The file contains both locks of every deal. Each pack is therefore unlocked and compared with the
previous pack, and the referee replays every line with every card known. The file proves that the
game could have been played in this way. Only the two houses know whether they really played it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from boardctl import games
from boardctl.far import GAMES, cards, earlier, game_file, group
from boardctl.far import deal as dealing
from boardctl.far.cards import Holdings, Line, party_of
from boardctl.far.deal import Deviation
from boardctl.far.game import CONSENT
from boardctl.far.shuffle import MOST, Terms
from boardctl.games import IllegalMove, Kind, Move
from boardctl.games.cards import Card
from boardctl.record import notation
from boardctl.record.position import close
from boardctl.record.record import Record

_NEVER: Final = (
    *cards.NOT_DEALT,
    *(Kind.CORRECTION, Kind.SETUP, Kind.SESSION, Kind.HINT),
)
"""Lines that cannot occur in a game between two houses after its beginning."""
_UNREADABLE: Final = (
    AttributeError,
    LookupError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
)


class Proven(NamedTuple):
    """A checked deal, with the lines up to the deal's end."""

    number: int
    cards: tuple[Card, ...]
    """The cards of the pack by position. Empty if the deal was never complete."""
    scores: tuple[int, ...] = ()
    """The score after the deal's last line, by seat or side. Empty in version 1.0 files, which
    contain no lines."""
    is_over: bool = False
    """Whether the deal's last line ends the game, given the lines of the file."""


def proven(lines: Iterable[str]) -> Iterator[Proven]:
    """Check the deals of a file with one transcript on each line (`GameLog.verified`).

    Raises:
        ValueError: if a line is not a transcript.
        Deviation: if a deal, its number or a line of the record is wrong.
    """
    last, replayed = 0, Replayed()
    first: tuple[str, bool] | None = None  # the game, and whether its deals have proofs
    for text in lines:
        try:
            deal = _read(text)
            is_new = "protocol" in deal
            first = first or (deal["game"], is_new)
            if (deal["game"], is_new) != first:
                raise Deviation("other-record", number=last + 1)
            if is_new and deal["number"] == 0:  # the lines after the last deal
                yield Proven(0, (), replayed.add(_lines(deal), ()), replayed.is_over)
                continue
            terms = _terms(deal, last + 1)
            last = terms.number
            order = _order(terms, deal) if is_new else _earlier(terms, deal)
            scores = replayed.add(_lines(deal), order) if is_new else ()
        except IllegalMove as error:
            raise Deviation("rejected", number=last, why=error.code) from error
        except _UNREADABLE as error:
            raise ValueError(f"no transcript of a deal: {text[:60]!r}") from error
        pack = replayed.pack if is_new else _pack(terms.size)
        shown = tuple(pack[card] for card in order)
        yield Proven(last, shown, scores, is_new and replayed.is_over)


def _read(text: str) -> dict[str, Any]:
    """Parse a transcript. Raises ValueError for another protocol."""
    deal: dict[str, Any] = json.loads(text)
    if deal.get("protocol", group.PROTOCOL) != group.PROTOCOL:
        raise ValueError("another protocol")
    return deal


def _terms(deal: Mapping[str, Any], number: int) -> Terms:
    """Return the terms of a transcript's deal. Raises Deviation unless it has this number."""
    terms = Terms(bytes.fromhex(deal["game"]), int(deal["number"]), int(deal["cards"]))
    if terms.number != number:
        raise Deviation("out-of-turn", number=terms.number)
    if not 0 < terms.size <= MOST:
        raise ValueError("no pack")
    return terms


def _order(terms: Terms, deal: Mapping[str, Any]) -> tuple[int, ...]:
    keys, locks = ([bytes.fromhex(one) for one in _two(deal[name])] for name in ("keys", "locks"))
    packs = [game_file.pack_of(pack) for pack in _two(deal["packs"])]
    return dealing.order(terms, keys, packs, locks)


def _earlier(terms: Terms, deal: Mapping[str, Any]) -> tuple[int, ...]:
    secrets = [bytes.fromhex(one) for one in _two(deal["secrets"])]
    packs = [game_file.pack_of(pack) for pack in deal["packs"]]
    if len(packs) > earlier.PACKS:
        raise ValueError("too many packs")
    return earlier.order(terms, secrets, [*map(str, _two(deal["commitments"]))], packs)


def _two(pair: Sequence[str]) -> Sequence[str]:
    if not isinstance(pair, list) or len(pair) != dealing.BOTH:
        raise ValueError("not of two houses")
    return pair


def _lines(deal: Mapping[str, Any]) -> list[Line]:
    return [
        Line(str(text), _whole(by), tuple(map(_whole, places)))
        for text, by, places in deal["lines"]
    ]


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError("no whole number")
    return value


def _pack(size: int) -> tuple[Card, ...]:
    """Return the pack with this many cards, because version 1.0 files do not state their game."""
    packs = (cards.pack_of(games.find(name)) for name in GAMES)
    return next((pack for pack in packs if len(pack) == size), ())


class Replayed:
    """The record of a game, replayed deal by deal."""

    def __init__(self) -> None:
        self._record = Record()
        self._lines: list[Line] = []
        self._closed = 0
        """The number of lines in finished deals."""

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards of the game's whole pack, by index."""
        game = self._record.position.game
        return () if game is None else cards.pack_of(game)

    @property
    def is_over(self) -> bool:
        """Return whether the lines so far end the game. A claim that was not called counts."""
        return close(self._record.position).state.over

    def _take_back(self, move: Move, line: Line) -> None:
        """Drop the lines that `undo` takes back.

        Raises:
            Deviation: `bad-question` if one of the lines belongs to a deal that is over.
        """
        kept = len(self._lines) - (move.numbers[0] if move.numbers else 1)
        if kept < self._closed:
            raise Deviation("bad-question", line=line.text)
        del self._lines[kept:]

    def add(self, lines: Sequence[Line], order: Sequence[int]) -> tuple[int, ...]:
        """Play the lines of a deal, then replay them with the deal's cards (indices by position).
        Return the score.

        Raises:
            IllegalMove: if a line breaks the rules. Deviation: `card-not-held` if a line names a
                card that is not at the line's positions, `out-of-turn` if the line's house may not
                enter it now, `bad-question` if a line takes back a line of a deal that is over.
        """
        for line in lines:
            move = notation.parse_move(line.text, self._record.position.game)
            if not (self._may_say(move, line) and self._is_next(move)):
                raise Deviation("out-of-turn", line=line.text)
            self._record.apply(move)
            if move.verb == "undo":
                self._take_back(move, line)
            else:
                self._lines.append(line)
        position = self._record.position
        game = position.game
        if order and game is None:
            raise Deviation("other-record")
        of_deal = self._lines[self._closed :]
        first = next((at for at, line in enumerate(of_deal) if self._deals(line)), len(of_deal))
        without_pack = of_deal[:first] if order else of_deal
        if any(line.places or self._move(line).cards for line in without_pack):
            raise Deviation("card-not-held")
        if game is not None and order:
            _check_places(game, of_deal[first:], order)
            before = self._record.position_at(self._closed + first)
            position = cards.replay(game, before, of_deal[first:], order)
        self._closed = len(self._lines)
        return tuple(position.scores)

    def _may_say(self, move: Move, line: Line) -> bool:
        """Return whether a line belongs to the house that entered it. Hands, turned-up cards and
        the first lines of the game belong to neither house. Any other line belongs to its seat's
        house."""
        if _is_head(move) and all(_is_head(self._move(one)) for one in self._lines):
            return line.by == 0 and not line.places
        kind = self._record.position.kind(move)
        if kind in _NEVER:
            return False
        if kind in cards.DEALT:
            return line.by == 0 and not line.places
        if line.by not in (1, 2) or (kind in CONSENT and line.places):
            return False
        return move.seat is None or party_of(move.seat) == line.by

    def _is_next(self, move: Move) -> bool:
        """Return whether a hand or a drawn card is the next one in the order of dealing. Both
        houses deal in the same order, so each position in the pack belongs to one seat."""
        if self._record.position.kind(move) is not Kind.HAND:
            return True
        position = self._record.position
        held = cards.holdings(position.game, self._lines[self._closed :])
        step = cards.following(position, held, is_decided=False)
        expected = None if step is None else (step.move.verb, step.move.seat, len(step.places))
        return expected == (move.verb, move.seat, len(move.cards))

    def _deals(self, line: Line) -> bool:
        return self._record.position.kind(self._move(line)) in cards.DEALT

    def _move(self, line: Line) -> Move:
        return notation.parse_move(line.text, self._record.position.game)


def _is_head(move: Move) -> bool:
    """Return whether a line begins a game."""
    return move.kind is Kind.SETUP or move.verb == "dealer"


def _check_places(game: games.Game[Any], lines: Sequence[Line], order: Sequence[int]) -> None:
    """Check that the lines of a deal name the cards at their positions. Raises Deviation
    (`bad-pack` or `card-not-held`).

    Args:
        order: the cards by position, as indices.
    """
    pack = cards.pack_of(game)
    if len(pack) != len(order):
        raise Deviation("bad-pack")
    shown = [pack[card] for card in order]
    for line, held in cards.before_each(game, lines):
        if not _is_true(game, held, line, shown):
            raise Deviation("card-not-held", line=line.text)


def _is_true_deal(
    game: games.Game[Any], holdings: Holdings, move: Move, shown: Sequence[Card]
) -> bool:
    """Return whether an automatic line names the cards that it deals."""
    places = cards.places_dealt(holdings, move, game)
    if any(not card.is_known for card in move.cards):
        return len(places) == len(move.cards)
    return Counter(_plain(move)) == Counter(shown[place] for place in places)


def _is_true(game: games.Game[Any], holdings: Holdings, line: Line, shown: Sequence[Card]) -> bool:
    """Return whether the cards named in a line are at the line's positions."""
    move: Move = notation.parse_move(line.text, game)
    if not line.by:
        return _is_true_deal(game, holdings, move, shown)
    if len(set(line.places)) != len(line.places) or not set(line.places) <= holdings.keys():
        return False
    if game.secret(move):
        return len(line.places) == len(move.cards)
    lying = [
        place for place, one in holdings.items() if one == cards.Holding(move.seat or 0, "open")
    ]
    own = all(holdings[place].seat == move.seat for place in line.places)
    laid = Counter(shown[place] for place in line.places)
    at_hand = Counter(shown[place] for place in {*line.places, *lying})
    named = Counter(_plain(move))
    return own and not laid - named and not named - at_hand


def _plain(move: Move) -> list[Card]:
    return [card.plain for card in move.cards]
