"""Compare games with the same deals, to find out which players did best with the same cards.

Each deal is compared among all games in which the hands, starter and dealer were the same. A seat
gets one matchpoint for each other game in which the same seat gained fewer points in this deal. An
equal gain earns half a matchpoint (Laws of Duplicate Bridge 2017, Law 78A). Only a player's first
game with a deal counts. A deal that was cut short by the end of the game does not count. The
functions have no side effects.
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
"""The number of players in a compared game."""
_HAND: Final = 6
"""The number of cards dealt to each player."""
_LONGEST: Final = 60
"""The number of deals of a round that are recognized. No game to 121 lasts longer."""


class Cards(NamedTuple):
    """The key that identifies equal deals: both hands, the starter and the dealer."""

    hands: tuple[frozenset[Card], frozenset[Card]]
    starter: Card
    dealer: int


class Deal(NamedTuple):
    """A deal of one game."""

    cards: Cards | None
    """The key of the deal, or None if some cards are unknown."""
    thrown: tuple[tuple[Card, ...], tuple[Card, ...]]
    """Each seat's two cards, or an empty tuple if they are unknown."""
    points: tuple[Mapping[Source, int], Mapping[Source, int]]
    """Each seat's points, by source."""
    ended: bool
    """Whether the deal was played to its end."""

    def gained(self, seat: int) -> int:
        """Return the points of a seat minus the opponent's points."""
        return sum(self.points[seat - 1].values()) - sum(self.points[2 - seat].values())


class Row(NamedTuple):
    """A seat's result in one deal of one game."""

    name: str
    opponent: str
    seat: int
    thrown: tuple[Card, ...]
    points: Mapping[Source, int]
    """The points of the seat, by source."""
    theirs: Mapping[Source, int]
    """The points of the opponent, by source."""
    gained: int
    """The total points of the seat minus those of the opponent."""
    matchpoints: float
    """The seat's matchpoints, out of the possible `most`."""
    most: int
    above: float
    """The gain minus the average gain at the other tables."""


class Traveller(NamedTuple):
    """A deal with its results at every table: first the results of seat 1, then those of seat 2,
    best first."""

    round: int
    """The round of the evening, or 0 without an evening's code."""
    number: int
    """The number of the deal in its round. Without an evening's code, the deals are numbered from
    1."""
    cards: Cards
    rows: tuple[Row, ...]


class Standing(NamedTuple):
    """The result of a player."""

    rank: int
    name: str
    deals: int
    """The number of compared deals."""
    matchpoints: float
    """The player's matchpoints, out of the possible `most`."""
    most: int
    above: float
    """The average gain per deal minus the average gain at the other tables."""
    games: int
    """The number of games with these deals."""
    won: int
    """The number of these games that the player won."""
    rounds: tuple[int, ...]
    """The rounds that the player has begun, if the evening's code is known."""

    @property
    def share(self) -> float:
        """The player's share of the possible matchpoints, or 0.5 if none were possible."""
        return self.matchpoints / self.most if self.most else 0.5


class Comparison(NamedTuple):
    """The players, best first, and the compared deals."""

    standings: tuple[Standing, ...]
    travellers: tuple[Traveller, ...]


def whole(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    """Return the games, without those that are continued by a later game with the same cards."""
    found = list(games)
    gone_on = {game.goes_on for game in found}
    return [game for game in found if game.number not in gone_on]


def deals(game: PlayedGame) -> Iterator[Deal]:
    """Yield the deals of a two-player game. In the last deal, `ended` is false, because the end of
    the game cuts the deal short."""
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
    whole = all(len(hand) == _HAND and all(card.is_known for card in hand) for hand in held)
    if whole and starter is not None and starter.is_known and dealer is not None:
        one, two = map(frozenset, held)
        cards = Cards((one, two), starter, dealer)
    return Deal(cards, (thrown[0], thrown[1]), (points[0], points[1]), ended)


def places(code: Code) -> dict[Cards, tuple[int, int]]:
    """Map the cards of each deal of an evening to the deal's round and number. Each deal has two
    keys, one for each possible dealer."""
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
    """The results of a player so far."""

    name: str
    games: int = 0
    won: int = 0
    rounds: set[int] = field(default_factory=set)
    met: set[Cards] = field(default_factory=set)
    """The deals that the player has seen."""
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
    """Compare games of two-handed cribbage, given in order of time. Ignore other games, and deals
    that a player has already played.

    Args:
        games: the games, earliest first.
        code: the code of an evening, to compare only its deals, or None to compare every deal that
            two games share.
        is_board: returns whether a name is that of the board, which plays every deal and is not
            ranked.
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
    """Return the deals that count for the players of a game, and mark these deals as played."""
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
    """Return the travellers in the order of their deals, and add each row to its player's
    results."""
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
    """Yield the results of one seat at every table, best first."""
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
    """Return the standings in order of matchpoints. Players with equal results share a rank."""
    order = sorted(standings, key=lambda one: (-one.share, -one.above, -one.deals))
    ranked: list[Standing] = []
    for place, one in enumerate(order, 1):
        last = ranked[-1] if ranked else None
        tied = last is not None and (last.share, last.above) == (one.share, one.above)
        ranked.append(one._replace(rank=last.rank if tied and last is not None else place))
    return tuple(ranked)


def as_data(found: Comparison, called: Callable[[str], str] = str) -> dict[str, Any]:
    """Return a comparison as JSON data.

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
