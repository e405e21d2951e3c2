"""A viewer's knowledge of a record. No other module removes secret cards.

A viewer is a seat, or an onlooker (None): a device without a seat, the display or the broker.
`VisibleRecords.of` returns the record as a viewer sees it. Everything shown to that viewer is
derived from this record: lists, prompts, previews, counts, rejections and news. The game decides
which lines a viewer sees (`Game.visible_lines`, which reads `Verb.secret`). The same referee
computes the positions from this partial knowledge. The data shown can therefore never depend on a
card that the viewer has not seen. Once a deal is over, its cards are public. All functions are
pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any, Final, NamedTuple

from boardctl.games import Ask, Award, Game, IllegalMove, Move, Note, Played, Prompt
from boardctl.record import notation
from boardctl.record.position import DOUBTFUL, Position, step
from boardctl.record.record import Record, Report

_CARD: Final = len("10Sa")
"""The maximum number of letters in a card."""
_OPEN: Final = frozenset({"seats", "cut", "deal", "done", "over"})
"""The phases outside a deal, in which no card is secret."""
_NOT_OF_CARDS: Final = frozenset({"too-few-tracks"})
"""The rejection codes that concern the table and reveal nothing about cards."""


class Dealt(NamedTuple):
    """A move of the record: its index, its awards, the position after it and the referee's
    notes."""

    place: int
    move: Move
    awards: tuple[Award, ...]
    position: Position
    notes: tuple[Note, ...] = ()


def has_secrets(position: Position) -> bool:
    """Return whether this deal still contains cards that only one player may see."""
    return not position.over and position.situation.phase not in _OPEN


def deal_start(moves: Sequence[Move]) -> int:
    """Return the index of the `deal` line that began the current deal or, before the first deal, of
    the `game` line."""
    start = len(moves)
    while start and not moves[start - 1].begins:
        start -= 1
    return max(0, start - 1)


def _same(before: tuple[Move, ...], now: tuple[Move, ...], start: int) -> int:
    """Return the number of equal moves at the start of two records, or 0 if a move before `start`
    differs. Only moves from `start` on are compared one by one."""
    if before[:start] != now[:start]:
        return 0
    pairs = zip(before[start:], now[start:], strict=False)
    return start + sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))


class CurrentDeal:
    """The moves of the current deal in a record. As the record grows, each move is played only
    once."""

    def __init__(self) -> None:
        self._moves: tuple[Move, ...] = ()
        self._dealt: list[Dealt] = []

    def played(self, record: Record, moves: tuple[Move, ...]) -> list[Dealt]:
        """Return the moves of the current deal, oldest first. `moves` are the moves of the
        record."""
        start = deal_start(moves)
        same = _same(self._moves, moves, start)
        known = [dealt for dealt in self._dealt if start <= dealt.place < same]
        if known and known[0].place == start:
            known += walk(record, known[-1].place + 1, known[-1].position)
        else:
            known = list(walk(record, start, record.position_at(start)))
        self._moves, self._dealt = moves, known
        return known


def walk(record: Record, start: int, position: Position) -> Iterator[Dealt]:
    """Yield the moves from `start` on. `position` is the position before them."""
    for place, move in enumerate(record.moves[start:], start):
        played = step(position, move)
        position = played.state
        yield Dealt(place, move, played.awards, position, played.notes)


def visible_lines(
    before: Position, moves: Sequence[Move], place: int, end: int, seat: int | None
) -> tuple[Move, ...]:
    """Return the lines that a viewer sees in place of one line of the current deal. If the line's
    verb is secret or reveals secret cards, `Game.visible_lines` chooses these lines. Everybody sees
    all other lines unchanged.

    Args:
        before: the position in which the line was played, with every card that was entered.
        moves: lines that include this line and all later lines of its deal.
        place: the index of the line.
        end: the index at which its deal ends.
        seat: the seat of the viewer, or None for an onlooker.
    """
    move = moves[place]
    if move.verb == DOUBTFUL:
        return (move._replace(name="?"),)
    game, state = before.game, before.state
    if game is None or state is None:
        return (move,)
    shape = move.verb, move.seat is not None
    if not any((v.name, v.seated) == shape and (v.secret or v.opens) for v in game.verbs):
        return (move,)
    return game.visible_lines(state, move, moves[place + 1 : end], seat)


def open_cards(before: Position, move: Move) -> Move:
    """Return a line with all the cards that it reveals, if these cards are known. For a hand or
    crib that a player only confirmed, the cards are filled in.

    Args:
        before: the position in which the line was played.
        move: the line.
    """
    game, state = before.game, before.state
    if move.cards or game is None or state is None or not game.opens(move):
        return move
    shown = game.visible_lines(state, move, (), None)
    whole = [one for one in shown if one.verb == move.verb and all(c.is_known for c in one.cards)]
    return whole[0] if len(whole) == len(shown) == 1 else move


class Corrected(NamedTuple):
    """A correction, as one viewer sees it."""

    how: str
    """`corrected`, `added` or `removed`."""
    move: Move
    earlier: bool
    """Whether the move belongs to a finished deal."""
    scores: tuple[int, ...]
    """The scores before the correction."""


class VisibleRecord(NamedTuple):
    """A record, as one viewer sees it."""

    record: Record
    deal: tuple[Dealt, ...]
    """The current deal, with the awards of each move."""
    corrected: Corrected | None = None
    """The last correction, or None."""


def corrected(record: Record, seat: int | None) -> Corrected | None:
    """Return the last correction, or None if there is none or another line has followed it."""
    edited = record.edited
    move = None if edited is None else edited.new or edited.old
    if edited is None or move is None:
        return None
    earlier = edited.place < deal_start(record.moves)
    if not earlier and has_secrets(record.position):
        moves = (move, *record.moves[edited.place + (edited.new is not None) :])
        before = record.position_at(edited.place)
        visible = visible_lines(before, moves, 0, len(moves), seat)
        move = visible[-1] if visible else hide_cards(before, move)
    how = "removed" if edited.new is None else "added" if edited.old is None else "corrected"
    return Corrected(how, move, earlier, edited.scores)


class GameLines:
    """The lines of a growing record from one line on, as one seat has seen them. Cards that were
    not shown in earlier deals remain unseen. Each move is played only once."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self._start = 0
        self._moves: tuple[Move, ...] = ()
        self._positions: list[Position] = []
        """The position before each move from `_start` on, and the position after the last move."""

    def of(self, record: Record, start: int) -> list[Move]:
        """Return the visible lines, beginning with the move at index `start`."""
        moves = record.moves
        same = _same(self._moves, moves, start)
        if start != self._start or same < start or not self._positions:
            self._positions, same = [record.position_at(start)], start
        del self._positions[same - start + 1 :]
        for move in moves[same:]:
            self._positions.append(step(self._positions[-1], move).state)
        self._moves, self._start = moves, start
        ends = [n for n, move in enumerate(moves) if move.begins]
        found: list[Move] = []
        for place in range(start, len(moves)):
            end = next((n for n in ends if n > place), len(moves))
            before = self._positions[place - start]
            found += visible_lines(before, moves, place, end, self.seat)
        return found


class _VisibleDeal(NamedTuple):
    """The current deal, as a viewer last saw it: the lines of each move, and their effects."""

    lines: tuple[tuple[Move, ...], ...] = ()
    deal: tuple[Dealt, ...] = ()


class VisibleRecords:
    """A growing record, as each viewer sees it. Every move is played only once for each viewer."""

    def __init__(self) -> None:
        self._current = CurrentDeal()
        self._base: tuple[Any, ...] = ()
        self._by_seat: dict[int | None, _VisibleDeal] = {}
        self._made_of: tuple[Any, ...] = ()
        self._made: dict[int | None, VisibleRecord] = {}

    def of(self, record: Record, seat: int | None) -> VisibleRecord:
        """Return the record as a viewer sees it, or the record itself if nothing is hidden from the
        viewer. `seat` is None for an onlooker."""
        moves = record.moves
        made_of = record.position, moves, record.redoable, record.edited
        if self._made_of[:1] != made_of[:1] or self._made_of != made_of:
            self._made, self._made_of = {}, made_of
        if seat not in self._made:
            self._made[seat] = self._make(record, moves, seat)
        return self._made[seat]

    def _make(self, record: Record, known: tuple[Move, ...], seat: int | None) -> VisibleRecord:
        dealt = self._current.played(record, known)
        last_correction = corrected(record, seat)
        if not dealt or not has_secrets(record.position):
            return VisibleRecord(record, tuple(dealt), last_correction)
        start = dealt[0].place
        base = start, known[:start], record.position.session
        if base != self._base:
            self._base, self._by_seat = base, {}
        first = record.position_at(start)
        moves = tuple(one.move for one in dealt)
        befores = (first, *(one.position for one in dealt))
        found = tuple(
            visible_lines(befores[n], moves, n, len(moves), seat) for n in range(len(moves))
        )
        if all(some == (move,) for some, move in zip(found, moves, strict=True)):
            return VisibleRecord(record, tuple(dealt), last_correction)
        deal = _follow(found, first, dealt, self._by_seat.get(seat, _VisibleDeal()))
        self._by_seat[seat] = _VisibleDeal(found, deal)
        last = deal[-1].position.asking(_prompt(deal[-1].position, record.position, moves, seat))
        deal = (*deal[:-1], deal[-1]._replace(position=last))
        moves, positions = tuple(one.move for one in deal), [one.position for one in deal]
        return VisibleRecord(record.with_moves(start, moves, positions), deal, last_correction)


def _follow(
    found: Sequence[tuple[Move, ...]], first: Position, dealt: Sequence[Dealt], known: _VisibleDeal
) -> tuple[Dealt, ...]:
    """Return the current deal after playing these lines. Only lines from the first difference from
    the stored lines on are played again."""
    pairs = zip(known.lines, found, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    deal = list(known.deal[:same])
    position = deal[-1].position if deal else first
    for some, true in zip(found[same:], dealt[same:], strict=True):
        deal.append(_played(position, some, true))
        position = deal[-1].position
    return tuple(deal)


def _played(position: Position, some: tuple[Move, ...], true: Dealt) -> Dealt:
    """Return the effect of the lines that a viewer sees in place of a move. Points are always
    public: if the visible cards lead to other points, the true points replace them, and the visible
    cards do not change. Whatever else the referee infers is based on the viewer's knowledge."""
    move = some[0] if len(some) == 1 else true.move
    after = position
    awards: tuple[Award, ...] = ()
    notes: tuple[Note, ...] = ()
    try:
        for line in some:
            played = step(after, line)
            after, awards = played.state, (*awards, *played.awards)
            notes += played.notes
    except IllegalMove:
        after, notes = position, ()
    if after.scores != true.position.scores:
        after, notes = _scored(after, true.position), ()
        awards = tuple(award._replace(cards=()) for award in true.awards)
    return Dealt(true.place, move, awards, after, notes)


def _scored(position: Position, true: Position) -> Position:
    """Return a viewer's position with the true score sheet."""
    state: Any = position.state
    change: Callable[..., Any] = getattr(state, "_replace", partial(replace, state))
    return position._replace(state=change(sheet=true.state.sheet))


def _has_left_hand(moves: Sequence[Move], seat: int | None) -> bool:
    """Return whether a seat's hand was entered and cards have since left it."""
    verbs = {move.verb for move in moves if move.seat == seat and move.cards}
    return len(verbs) > 1 and "hand" in verbs


def _prompt(view: Position, true: Position, moves: Sequence[Move], seat: int | None) -> Prompt:
    """Return the prompt for a viewer.

    The referee prompts a viewer as if the viewer's knowledge were complete, with three differences.
    The viewer is not asked for cards that other players have entered in secret. Cards that must be
    shown next need not be entered. Once cards have left another player's entered hand, the viewer
    is not asked for the rest of that hand. Such a request would reveal whether those cards had been
    entered.

    Args:
        view: the position as the viewer knows it.
        true: the true position.
        moves: the moves of the deal.
        seat: the seat of the viewer.
    """
    game, prompt = view.game, view.prompt
    assert game is not None
    entered = {_what(ask) for ask in true.prompt.asks}
    shown = {
        _what(ask): ask
        for ask in true.prompt.asks
        if ask.kind == "confirm" and game.opens(ask.move)
    }
    asks: list[Ask] = []
    for ask in prompt.asks:
        if game.secret(ask.move) and _what(ask) not in entered:
            continue
        if ask.move.verb == "hand" and ask.seat != seat and _has_left_hand(moves, ask.seat):
            continue
        asks.append(shown.pop(_what(ask), ask))
    return prompt._replace(asks=(*shown.values(), *asks))


def news(visible: VisibleRecord, report: Report) -> Report:
    """Return the effect of an accepted line, as a viewer sees it. `visible` is the visible record
    after that line."""
    move = hide_cards(report.position, report.move)
    if visible.record.position is report.position:
        return report._replace(move=move)
    last = visible.deal[-1]
    awards = last.awards if report.awards else ()
    notes = last.notes if report.notes else ()
    return report._replace(move=move, position=last.position, awards=awards, notes=notes)


def hide_cards(position: Position, move: Move) -> Move:
    """Return a line in a form that everybody may read. Secret cards are replaced by `?`, including
    those in an amended or inserted line."""
    if position.game is None:
        return move
    if move.name is None or move.verb not in notation.EDITS:
        return position.game.hide_cards(move)
    try:
        inner = notation.parse(move.name, position.game)
    except IllegalMove:
        inner = None  # a line of an earlier game
    hidden = "?" if inner is None else notation.spell(position.game.hide_cards(inner))
    return move._replace(name=hidden)


def readable(game: Game[Any] | None, text: str) -> str:
    """Return a journal line in a form that a log may contain, whether or not the referee accepts
    it. After an unknown verb, or a verb whose cards may be secret, all words are replaced by
    `?`."""
    words = text.split()
    place = next((n for n, word in enumerate(words) if not word.isdecimal()), len(words))
    verb = notation.verb_of(text)
    if verb in notation.EDITS and place == 0:
        inner = " ".join(words[2:])
        shown = readable(game, inner)
        return text if shown == inner else " ".join((*words[:2], shown))
    if notation.is_verb(verb, game):
        verbs = game.verbs if game is not None else ()
        secret = any(one.name == verb and one.secret for one in verbs)
        return " ".join((*words[: place + 1], "?")) if secret else text
    named = place < 2 and len(verb) > _CARD and verb.isalpha()
    return " ".join((*words[: min(place, 1)], *words[place : place + named], "?"))


class Doubt(NamedTuple):
    """A rejected line of a journal, in a form that everybody may read."""

    number: int
    written: str
    why: IllegalMove | None
    """The reason of the rejection, or None if the reason might name secret cards."""


class Doubts:
    """The rejected lines of an evening, collected while the evening is read.

    A reason may depend on hidden cards, so no reasons are given for lines in an unfinished deal.
    """

    def __init__(self) -> None:
        self._doubts: list[Doubt] = []
        self._deal: list[Doubt] = []

    def resume(self, record: Record, number: int, text: str) -> None:
        """Have a record read a line that was accepted earlier (`Record.resume`)."""
        if self._deal and notation.verb_of(text) == "session":  # players may continue the deal
            self._doubts, self._deal = self.of(record), []
        why = record.resume(text)
        if why is not None:
            written = readable(record.position.game, text)
            self._deal.append(Doubt(number, written, why if written == text else None))
        if self._deal and not has_secrets(record.position):
            self._doubts, self._deal = [*self._doubts, *self._deal], []

    def of(self, record: Record) -> list[Doubt]:
        """Return all rejected lines, once the evening has been read."""
        game, moves = record.position.game, record.moves
        assert game is not None or not self._deal
        deal = self._deal
        if game is not None and any(map(game.secret, moves[deal_start(moves) :])):
            deal = [doubt._replace(why=None) for doubt in deal]
        return [*self._doubts, *deal]


def attempt(visible: Record, true: Record, move: Move) -> Played[Position]:
    """Return the effect of a move, as far as a viewer can know it. Cards that must be shown next
    are assumed to be correct, because their players know them.

    Args:
        visible: the record as the viewer knows it.
        true: the record itself.
        move: the move, which has not been played yet.

    Raises:
        IllegalMove: if the move would be rejected.
    """
    return (true if opens_now(visible.position, move) else visible).try_out(move)


def refusal(
    visible: Record, true: Record, moves: Sequence[Move], error: IllegalMove
) -> IllegalMove:
    """Return the referee's reason for rejecting moves, as far as a viewer may know it.

    Args:
        visible: the record as the viewer knows it.
        true: the record itself.
        moves: the moves that were submitted together.
        error: the reason why the true record rejects the moves.

    Returns:
        The reason that follows from the viewer's knowledge, or `secret` if that knowledge does not
        contradict the moves.
    """
    if visible is true or error.code in _NOT_OF_CARDS:
        return error
    if len(moves) == 1 and opens_now(visible.position, moves[0]):
        return error
    trial = visible.copy()
    try:
        for move in moves:
            trial.apply(move)
    except IllegalMove as own:
        return own
    return IllegalMove("secret")


def opens_now(position: Position, move: Move) -> bool:
    """Return whether a move shows cards that must be shown now."""
    plain = move._replace(words=(), claim=None)
    return (
        position.game is not None
        and position.game.opens(move)
        and any(ask.kind == "confirm" and ask.move == plain for ask in position.prompt.asks)
    )


def _what(ask: Ask) -> tuple[str, int | None]:
    return ask.move.verb, ask.seat
