"""Views of the journal: each game that was played, as a separate record.

Every view is computed from the lines. The module does not store any data.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from io import StringIO
from typing import Any, Final

from boardctl.games import Award, Game, IllegalMove, Kind, Move, Note, Outcome, awards_json, side_of
from boardctl.games.cards import Card
from boardctl.record.names import name_key
from boardctl.record.position import Position, tally, teams
from boardctl.record.record import Entry, Record, restore
from boardctl.record.visibility import has_secrets, open_cards


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game in the journal."""

    number: int
    """The number of the game in the journal, from 1, oldest first."""
    began: float
    """The start of the game, in seconds since 1970."""
    evening: int
    """The number of the evening."""
    session: str | None
    """The name of the evening, or None."""
    seats: tuple[str, ...]
    """The names of the players, by seat."""
    outcome: Outcome | None
    lines: tuple[str, ...]
    """The whole record of the game, as lines for `boardctl replay`."""
    shown_scores: tuple[int, ...] = ()
    """The scores of the sides. No score exceeds the game hole."""
    goes_on: int = 0
    """The number of the unfinished game that this game continues, or 0."""

    @property
    def game(self) -> str:
        """The name of the game, such as `cribbage`."""
        return self.lines[0].removeprefix("game ")

    @property
    def options(self) -> dict[str, str]:
        """The option values that the game's lines set."""
        lines = (line.split() for line in self.lines)
        return {words[1]: words[2] for words in lines if len(words) == 3 and words[0] == "set"}

    @property
    def is_nought(self) -> bool:
        """Whether the game is unfinished and nobody has scored."""
        return self.outcome is None or (self.is_unfinished and not any(self.outcome.scores))

    @property
    def is_unfinished(self) -> bool:
        """Whether the game was not played to its end."""
        return self.outcome is None or self.outcome.state == "unfinished"

    @property
    def teams(self) -> tuple[tuple[str, ...], ...]:
        """The players of each side."""
        count = len(self.outcome.scores) if self.outcome is not None else len(self.seats)
        return teams(self.seats, count)

    @property
    def sides(self) -> tuple[str, ...]:
        """The exported name of each side. `text.sides` returns the displayed form."""
        return tuple(map(" + ".join, self.teams))


RECENT: Final = 8
"""The number of latest games that may be continued: the last game of an evening, and games that
were begun after it but not played."""
_OPENINGS: Final = 64
"""The maximum number of lines that a new evening may have before it continues an earlier game, not
counting the lines of that game."""


def played(
    sessions: Iterable[tuple[str, Iterable[Entry]]],
    number: int = 0,
    evenings: int = 0,
    earlier: Iterable[PlayedGame] = (),
) -> Iterator[PlayedGame]:
    """Yield every game of the sessions, oldest first.

    Args:
        sessions: the prelude and the lines of each session (`storage.journal.read_sessions`).
        number: the number of games before these sessions.
        evenings: the number of evenings before these sessions.
        earlier: the last of the games before these sessions, up to `RECENT`.
    """
    recent = deque(earlier, RECENT)
    for evening, (prelude, entries) in enumerate(sessions, evenings + 1):
        record = restore(prelude)
        times: list[float] = []
        on: dict[int, int] = {}
        left = {game.lines: game.number for game in recent if game.is_unfinished}
        most = max(map(len, left), default=0) + _OPENINGS
        for entry in (*entries, None):
            if entry is None or entry.text.startswith("session "):
                for place, after, lines in record.games():
                    number += 1
                    game = PlayedGame(
                        number,
                        times[place],
                        evening,
                        after.session,
                        tuple(after.seats.values()),
                        after.outcome,
                        lines,
                        after.shown_scores,
                        on.get(place, 0),
                    )
                    recent.append(game)
                    yield game
            if entry is not None:
                record.resume(entry.text)
                # Players continue a game before another game begins. Later corrections do not make
                # it another game.
                if len(record.moves) < most and any(entry.text == lines[-1] for lines in left):
                    for place, _, lines in record.games():
                        on |= {place: left[lines]} if lines in left else {}
                # One line may restore several moves (`redo`) or remove several moves (`undo`).
                del times[len(record.moves) :]
                times += [entry.at] * (len(record.moves) - len(times))


def won_by(games: Iterable[PlayedGame]) -> dict[str, int]:
    """Return the number of games that each person has won, in order of first appearance."""
    won: dict[str, int] = {}
    latest: dict[str, str] = {}
    for game in games:
        latest |= {name_key(name): name for name in game.seats}
        won |= {key: won.get(key, 0) for key in map(name_key, game.seats)}
        if game.outcome is not None:
            for name, more in tally((game.outcome,), (game.seats,), ()).people.items():
                won[name_key(name)] += more
    return {latest[key]: count for key, count in won.items()}


Source = str
"""The source of points: `play`, `hand`, `crib` or `other`."""
SOURCES: Final[tuple[Source, ...]] = ("play", "hand", "crib", "other")
_BY_CARDS: Final = {Kind.PLAY: "play", Kind.COUNT: "hand", Kind.CRIB: "crib"}
"""The source of points by the kind of a line with cards."""
_BY_POINTS: Final = {"play": "play", "go": "play", "hand": "hand", "crib": "crib"}
"""The source of points by the word that follows them. The points of `show` are a hand and a crib
together."""
DEALS: Final = {"deal": 1, "misdeal": -1}
"""The change in the deal number, by verb."""
_OF_PLAY: Final = frozenset({"last-card", "go"})
"""The reasons of points in the play that a later line may earn, because that line shows that the
play is over."""


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a game: its line, its points and their source, the position after the move, and
    the referee's notes."""

    move: Move
    full_move: Move
    """The move with every card that it shows."""
    line: str
    awards: tuple[Award, ...]
    source: Source
    position: Position
    luck: float | None = None
    """The score of a hand minus its average score over all starters, or None if some cards are
    unknown."""
    notes: tuple[Note, ...] = ()

    def points(self, seat: int) -> int:
        """Return the points that a seat earned in this step from the step's source."""
        mine = (award for award in self.awards if award.seat == seat)
        return sum(award.points for award in mine if self.earned(award) == self.source)

    def earned(self, award: Award) -> Source:
        """Return the source of one of the step's awards."""
        return "play" if award.reason in _OF_PLAY else self.source


def source_of(position: Position, move: Move) -> Source | None:
    """Return the source of a line's points, or None if it cannot earn any. The line may enter cards
    or points."""
    if move.verb != "peg":
        return _BY_CARDS.get(position.kind(move))
    return _BY_POINTS.get(move.words[0]) if move.words else None


def walk(game: PlayedGame) -> Iterator[Step]:
    """Yield the moves of a game, one step at a time. Rejected lines are skipped, so one doubtful
    line does not hide any game."""
    record = Record()
    cards = _KnownCards()
    for line in game.lines:
        before = record.position
        try:
            report = record.read(line)
        except IllegalMove:
            continue
        assert report is not None
        move = report.move
        cards.see(move)
        source = source_of(before if before.game is not None else report.position, move)
        if move.verb == "peg" and not move.words and before.situation.phase == "play":
            source = "play"
        after = report.position
        luck = cards.luck(after.game, move)
        shown = open_cards(before, move)
        awards, notes = report.awards, report.notes
        yield Step(move, shown, report.line, awards, source or "other", after, luck, notes)


def without_secrets(game: PlayedGame) -> PlayedGame:
    """Return the game. If its last deal is in progress and has secret cards, leave that deal out,
    because players may still continue the game."""
    if not game.is_unfinished:
        return game
    steps = list(walk(game))
    start = max((n for n, step in enumerate(steps) if step.move.verb == "deal"), default=0)
    entered = any(
        step.position.game is not None and step.position.game.secret(step.move)
        for step in steps[start:]
    )
    if not entered or not has_secrets(steps[-1].position):
        return game
    return replace(game, lines=tuple(step.line for step in steps[:start]))


class _KnownCards:
    """Tracks the cards known so far in a deal, to compute the luck of the cut."""

    def __init__(self) -> None:
        self._starter: Card | None = None
        self._dealt: dict[int, list[Card]] = {}

    def see(self, move: Move) -> None:
        if move.verb == "deal":
            self._starter = None
            self._dealt = {}
        elif move.verb == "starter":
            self._starter = move.cards[0]
        elif move.verb == "hand" and move.seat is not None:
            self._dealt.setdefault(move.seat, []).extend(move.cards)
        elif move.verb == "discard" and move.seat in self._dealt:
            held = self._dealt[move.seat]
            self._dealt[move.seat] = [card for card in held if card not in move.cards]

    def luck(self, game: Game[Any] | None, move: Move) -> float | None:
        """Return the luck of a shown hand (`Game.luck`)."""
        if game is None or move.verb != "show" or move.seat is None or self._starter is None:
            return None
        return game.luck(move.cards or tuple(self._dealt.get(move.seat, ())), self._starter)


@dataclass(slots=True)
class Figures:
    """The statistics of one player over many games. `hands` and `cribs` contain the points of each
    counted hand and crib."""

    name: str
    games: int = 0
    won: int = 0
    skunks: int = 0
    points: dict[Source, int] = field(default_factory=lambda: dict.fromkeys(SOURCES, 0))
    hands: list[int] = field(default_factory=list)
    cribs: list[int] = field(default_factory=list)
    luck: list[float] = field(default_factory=list)


def figures(games: Iterable[PlayedGame]) -> tuple[Figures, ...]:
    """Return the statistics of every player, in order of first appearance."""
    players: dict[str, Figures] = {}
    for game in games:
        for name in game.seats:
            players.setdefault(name, Figures(name))
        outcome = game.outcome
        if outcome is None or outcome.state != "won":
            continue
        for seat, name in enumerate(game.seats, 1):
            player = players[name]
            player.games += 1
            if side_of(seat, len(outcome.scores)) == outcome.winner:
                player.won += 1
                player.skunks += outcome.margin in ("skunk", "double-skunk")
        steps = list(walk(game))
        for step in steps:
            _count(step, game, players)
        _cap(steps, game, players)
    return tuple(players.values())


def _cap(steps: Sequence[Step], game: PlayedGame, players: Mapping[str, Figures]) -> None:
    """Remove points beyond the game hole, because they were not pegged."""
    if not steps:
        return
    end = steps[-1].position
    sides = len(end.shown_scores)
    for side, (score, shown) in enumerate(zip(end.scores, end.shown_scores, strict=True), 1):
        for step in reversed(steps if score > shown else ()):
            theirs = [one for one in step.awards if side_of(one.seat, sides) == side]
            won = [one for one in theirs if one.points > 0]
            if won:
                source = step.earned(won[-1])
                players[game.seats[won[-1].seat - 1]].points[source] -= score - shown
                break


def _count(step: Step, game: PlayedGame, players: Mapping[str, Figures]) -> None:
    for award in step.awards:
        players[game.seats[award.seat - 1]].points[step.earned(award)] += award.points
    seat = step.move.seat
    if seat is None or not 1 <= seat <= len(game.seats):
        return
    player = players[game.seats[seat - 1]]
    if step.source == "hand":
        player.hands.append(step.points(seat))
    elif step.source == "crib":
        player.cribs.append(step.points(seat))
    if step.luck is not None:
        player.luck.append(step.luck)


def summary(game: PlayedGame) -> dict[str, Any]:
    """Return a game as JSON data, without its moves. Times are in UTC (RFC 3339)."""
    outcome = game.outcome
    return {
        "number": game.number,
        "began": datetime.fromtimestamp(int(game.began), UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "evening": game.evening,
        "session": game.session,
        "game": game.game,
        "sides": list(game.sides),
        "state": outcome.state if outcome is not None else "unfinished",
        "scores": list(game.shown_scores) if outcome is not None else [],
        "winner": outcome.winner if outcome is not None else None,
        "margin": outcome.margin if outcome is not None else None,
        "won": list(outcome.won) if outcome is not None else [],
    }


_COLUMNS: Final = (
    *("number", "began", "session", "game", "state", "winner", "margin"),
    *("side", "name", "score", "games_won"),
)


def to_csv(games: Iterable[PlayedGame]) -> str:
    """Return games as a table for a spreadsheet, with one row for each side of each game."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for game in games:
        row = summary(game)
        for side, name in enumerate(game.sides):
            score = row["scores"][side] if row["scores"] else ""
            won = row["won"][side] if row["won"] else ""
            cells = [row[column] for column in _COLUMNS[:7]]
            writer.writerow([*map(csv_cell, cells), side + 1, csv_cell(name), score, won])
    return file.getvalue()


_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""The characters at the beginning of a text that make a spreadsheet treat it as a formula."""


def csv_cell(value: object) -> object:
    """Return a value as a table cell. Text that a spreadsheet would interpret as a formula is
    prefixed with an apostrophe (owasp.org/www-community/attacks/CSV_Injection)."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else value


def of_csv_cell(cell: str) -> str:
    """Return the text of a table cell, without an apostrophe added by `csv_cell`."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(_FORMULA) else cell


def to_json(game: PlayedGame) -> dict[str, Any]:
    """Return a game as JSON data, with its record and the scores after each move."""
    return {
        **summary(game),
        "moves": [
            {
                "move": step.line,
                "scores": list(step.position.shown_scores),
                "awards": awards_json(step.awards),
            }
            for step in walk(game)
        ],
    }
