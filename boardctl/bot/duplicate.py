"""Games with the same deals, compared: who did best with the same cards.

Each deal is compared among the games in which both hands, the starter and the dealer were the same.
A seat gets one matchpoint for each other game in which the same seat gained fewer points in this
deal, and half a matchpoint for an equal gain (as in duplicate bridge: Laws of Duplicate Bridge
2017, Law 78A). Only the first game of a player counts, and no deal that the end of the game cut
short. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean
from typing import Any, Final, NamedTuple

from boardctl.bot import GAME
from boardctl.bot.evening import Code
from boardctl.games.cards import Card, codes
from boardctl.record import history, sealed
from boardctl.record.history import SOURCES, PlayedGame, Source
from boardctl.record.names import name_key

PLAYERS: Final = 2
"""The number of players of a compared game."""
_HAND: Final = 6
"""The cards dealt to each player."""
_LONGEST: Final = 60
"""The deals of a round that are recognized; no game to 121 has more."""


class Cards(NamedTuple):
    """The cards of a deal, by which games are compared: both hands, the starter, the dealer."""

    hands: tuple[frozenset[Card], frozenset[Card]]
    starter: Card
    dealer: int


class Deal(NamedTuple):
    """A deal of one game.

    cards: None if not all of them are known. thrown: each seat's two cards, empty if unknown.
    points: each seat's points, by source. ended: whether it was played to its end.
    """

    cards: Cards | None
    thrown: tuple[tuple[Card, ...], tuple[Card, ...]]
    points: tuple[Mapping[Source, int], Mapping[Source, int]]
    ended: bool

    def gained(self, seat: int) -> int:
        """Return the points of a seat minus the opponent's points."""
        return sum(self.points[seat - 1].values()) - sum(self.points[2 - seat].values())


class Row(NamedTuple):
    """A seat's result in one deal of one game.

    points, theirs: by source, the seat's and its opponent's. gained: the difference of their sums.
    matchpoints: of the `most` possible. above: the points gained more than on average at the other
    tables.
    """

    name: str
    opponent: str
    seat: int
    thrown: tuple[Card, ...]
    points: Mapping[Source, int]
    theirs: Mapping[Source, int]
    gained: int
    matchpoints: float
    most: int
    above: float


class Traveller(NamedTuple):
    """A deal with its results at every table: those of seat 1, then of seat 2, the best first.

    round, number: its place in the evening; without an evening's code round 0 and a running number.
    """

    round: int
    number: int
    cards: Cards
    rows: tuple[Row, ...]


class Standing(NamedTuple):
    """A player's result.

    deals: the number compared. matchpoints: of the `most` possible. above: the points per deal more
    than on average at the other tables. games, won: the games with these deals. rounds: those that
    the player has begun, if the evening's code is known.
    """

    rank: int
    name: str
    deals: int
    matchpoints: float
    most: int
    above: float
    games: int
    won: int
    rounds: tuple[int, ...]

    @property
    def share(self) -> float:
        """The share of the possible matchpoints, 0.5 without any."""
        return self.matchpoints / self.most if self.most else 0.5


class Comparison(NamedTuple):
    """The players, best first, and the deals that were compared."""

    standings: tuple[Standing, ...]
    travellers: tuple[Traveller, ...]


def whole(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    """Return games without those that a later one continues with the same cards."""
    found = list(games)
    gone_on = {game.goes_on for game in found}
    return [game for game in found if game.number not in gone_on]


def deals(game: PlayedGame) -> Iterator[Deal]:
    """Yield the deals of a game of two players; the last one has not `ended`, because the end of
    the game cut it short."""
    steps: list[history.Step] = []
    for step in history.walk(game):
        if step.move.verb in history.DEALS:
            if steps and step.move.verb == "deal":
                yield _deal(steps, ended=True)
            steps = []
        if steps or step.move.verb == "deal":
            steps.append(step)
    if steps:
        yield _deal(steps, ended=False)


def _deal(steps: Sequence[history.Step], ended: bool) -> Deal:
    held: tuple[set[Card], set[Card]] = (set(), set())
    thrown: list[tuple[Card, ...]] = [(), ()]
    points = tuple(dict.fromkeys(SOURCES, 0) for _ in range(PLAYERS))
    starter = None
    for step in steps:
        move = step.move
        if move.verb == "hand":
            held[move.player - 1].update(move.cards)
        elif move.verb == "discard":
            thrown[move.player - 1] = move.cards
        elif move.verb == "starter":
            starter = move.cards[0]
        for award in step.awards:
            points[award.seat - 1][step.earned(award)] += award.points
    cards = None
    dealer = steps[0].position.situation.dealer
    whole = all(len(hand) == _HAND and all(card.known for card in hand) for hand in held)
    if whole and starter is not None and starter.known and dealer is not None:
        one, two = map(frozenset, held)
        cards = Cards((one, two), starter, dealer)
    return Deal(cards, (thrown[0], thrown[1]), (points[0], points[1]), ended)


def places(code: Code) -> dict[Cards, tuple[int, int]]:
    """Return the round and number of each deal of an evening, by its cards with either dealer."""
    found = {}
    for number in range(1, code.rounds + 1):
        shuffle = code.shuffle(number)
        for deal in range(1, _LONGEST + 1):
            dealt = sealed.deal(shuffle.key, shuffle.cut, deal)
            one, two = map(frozenset, dealt.hands)
            for dealer in (1, 2):
                found[Cards((one, two), dealt.starter, dealer)] = number, deal
    return found


@dataclass(slots=True)
class _Player:
    """A player's results so far; `met` are the cards that it has seen."""

    name: str
    games: int = 0
    won: int = 0
    rounds: set[int] = field(default_factory=set)
    met: set[Cards] = field(default_factory=set)
    rows: list[Row] = field(default_factory=list)

    def standing(self, rank: int = 0) -> Standing:
        most = sum(row.most for row in self.rows)
        compared = [row for row in self.rows if row.most]
        return Standing(
            rank,
            self.name,
            len(compared),
            sum(row.matchpoints for row in compared),
            most,
            mean(row.above for row in compared) if compared else 0.0,
            self.games,
            self.won,
            tuple(sorted(self.rounds)),
        )


class _Table(NamedTuple):
    """One deal at one table."""

    names: tuple[str, ...]
    deal: Deal


def compare(
    games: Iterable[PlayedGame],
    code: Code | None = None,
    is_board: Callable[[str], bool] = lambda _: False,
) -> Comparison:
    """Compare games of two-handed cribbage, the earliest first; other games are left out.

    A deal that a player has met before is left out.

    Args:
        games: their records.
        code: of an evening, to compare only its deals; None to compare every deal that two games
            have in common.
        is_board: returns whether a name is the board's, which plays every deal and is not ranked.
    """
    known = None if code is None else places(code)
    players: dict[str, _Player] = {}
    tables: dict[Cards, list[_Table]] = {}
    for game in games:
        if game.game != GAME or len(game.seats) != PLAYERS:
            continue
        people = {n: name for n, name in enumerate(game.seats, 1) if not is_board(name)}
        here = [players.setdefault(name_key(name), _Player(name)) for name in people.values()]
        met = _meet(deals(game), here, known)
        for cards, deal in met:
            if deal.ended:
                tables.setdefault(cards, []).append(_Table(game.seats, deal))
        winner = None if game.outcome is None else game.outcome.winner
        for seat, player in zip(people, here, strict=True):
            player.games += bool(met)
            player.won += bool(met) and winner == seat
    travellers = _travellers(tables, players, known, is_board)
    shared = (one for one in players.values() if one.rows or (known is not None and one.games))
    return Comparison(_ranked([one.standing() for one in shared]), travellers)


def _meet(
    found: Iterable[Deal], here: Sequence[_Player], known: Mapping[Cards, tuple[int, int]] | None
) -> list[tuple[Cards, Deal]]:
    """Return the deals that count for the players of a game, who have met them from now on."""
    met: list[tuple[Cards, Deal]] = []
    for deal in found:
        cards = deal.cards
        if cards is None or (known is not None and cards not in known):
            continue
        if any(cards in player.met for player in here):
            continue
        met.append((cards, deal))
        for player in here:
            player.met.add(cards)
            player.rounds |= set() if known is None else {known[cards][0]}
    return met


def _travellers(
    tables: Mapping[Cards, Sequence[_Table]],
    players: Mapping[str, _Player],
    known: Mapping[Cards, tuple[int, int]] | None,
    is_board: Callable[[str], bool],
) -> tuple[Traveller, ...]:
    """Return the deals of several tables in their order, and add their rows to the players."""
    travellers: list[Traveller] = []
    for cards, some in tables.items():
        rows = tuple(row for seat in (1, 2) for row in _rows(some, seat, is_board))
        if any(row.most for row in rows):
            place = (0, len(travellers) + 1) if known is None else known[cards]
            travellers.append(Traveller(*place, cards, rows))
            for row in rows:
                players[name_key(row.name)].rows.append(row)
    return tuple(sorted(travellers, key=lambda one: (one.round, one.number)))


def _rows(tables: Sequence[_Table], seat: int, is_board: Callable[[str], bool]) -> Iterator[Row]:
    """Yield the results of one seat at every table, the best first."""
    gains = [table.deal.gained(seat) for table in tables]
    others = len(tables) - 1
    for table in sorted(tables, key=lambda one: one.deal.gained(seat), reverse=True):
        name, gained = table.names[seat - 1], table.deal.gained(seat)
        if is_board(name):
            continue
        fewer = sum(gain < gained for gain in gains)
        alike = gains.count(gained) - 1
        yield Row(
            name,
            table.names[2 - seat],
            seat,
            table.deal.thrown[seat - 1],
            table.deal.points[seat - 1],
            table.deal.points[2 - seat],
            gained,
            fewer + alike / 2,
            others,
            gained - (sum(gains) - gained) / others if others else 0.0,
        )


def _ranked(standings: Sequence[Standing]) -> tuple[Standing, ...]:
    """Return the standings by matchpoints; equal players share a rank."""
    order = sorted(standings, key=lambda one: (-one.share, -one.above, -one.deals))
    ranked: list[Standing] = []
    for place, one in enumerate(order, 1):
        last = ranked[-1] if ranked else None
        tied = last is not None and (last.share, last.above) == (one.share, one.above)
        ranked.append(one._replace(rank=last.rank if tied and last is not None else place))
    return tuple(ranked)


def as_data(found: Comparison, called: Callable[[str], str] = str) -> dict[str, Any]:
    """Return a comparison as JSON.

    Args:
        found: the comparison.
        called: returns the displayed form of a name.
    """
    return {
        "standings": [
            {
                **one._asdict(),
                "name": called(one.name),
                "share": round(one.share, 4),
                "above": round(one.above, 2),
                "rounds": list(one.rounds),
            }
            for one in found.standings
        ],
        "travellers": [
            {
                "round": one.round,
                "number": one.number,
                "dealer": one.cards.dealer,
                "hands": [codes(sorted(hand)) for hand in one.cards.hands],
                "starter": str(one.cards.starter),
                "rows": [
                    {
                        **row._asdict(),
                        "name": called(row.name),
                        "opponent": called(row.opponent),
                        "thrown": codes(row.thrown),
                        "points": dict(row.points),
                        "theirs": dict(row.theirs),
                        "above": round(row.above, 2),
                    }
                    for row in one.rows
                ],
            }
            for one in found.travellers
        ],
    }
