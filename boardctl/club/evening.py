"""The rules of a club evening: results, standings and pairings. Pure.

Scoring follows the American Cribbage Congress: 2 game points for a win, 3 for a skunk (a win by 31
or more in a game to 121), and none for a loss. The spread is the margin in points, positive for the
winner and negative for the loser. Standings are ordered by game points, games won, net spread and
plus points (the spread of the games won).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from boardctl.games import IllegalMove, Outcome

ROUNDS: Final = 9
"""The number of games in an evening."""
CARD: Final = 12
"""The game points at which a score card of nine games earns Grass Roots points."""
SKUNK: Final = 31
"""The spread from which a win is a skunk."""
GAME_HOLE: Final = 121
"""The last hole of the board. A winner's peg stops there, however many points the last hand has, so
a game of 129 to 105 is won by 16. This is also the largest possible spread. (Tournament Rules of
the American Cribbage Congress, Rule 1.6: the game hole is hole number 121.)"""


COUNTED: Final = ("evening", "qualifying", "consolation")
"""The kinds of evening that count for standings, season and ratings. A playoff does not count,
because its results are matches with spreads in games."""


class ClubRefusal(IllegalMove):
    """A rejection by the club's rules, with a code and fields like those of an illegal move."""


class Result(NamedTuple):
    """The result of one game, with the players' names. `corrected` marks a result that was entered
    by hand and not sent by a board. `forfeit` marks a game that was not played because the loser
    had left."""

    winner: str
    loser: str
    spread: int
    skunk: bool
    corrected: bool = False
    forfeit: bool = False

    @property
    def mark(self) -> str:
        """The code of the words for a manual entry, or an empty string if a board sent the
        result."""
        return "forfeit" if self.forfeit else "by-hand" if self.corrected else ""

    @property
    def points(self) -> int:
        """The winner's game points."""
        return 3 if self.skunk else 2

    def figures(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """Return the values for the winner and the loser, in the order of `FIGURES`."""
        won = {"games": 1, "won": 1, "skunks": int(self.skunk), "points": self.points}
        return (
            (self.winner, {**won, "plus": self.spread}),
            (self.loser, {"games": 1, "minus": self.spread}),
        )


def by_hand(winner: str, loser: str, spread: int) -> Result:
    """Return a result entered by hand. Raises ClubRefusal: `impossible-spread`."""
    if not 1 <= spread <= GAME_HOLE:
        raise ClubRefusal("impossible-spread", spread=spread, most=GAME_HOLE)
    return Result(winner, loser, spread, spread >= SKUNK, corrected=True)


def by_forfeit(winner: str, loser: str) -> Result:
    """Return the result of a game whose loser has left. It counts like a game resigned before its
    first deal."""
    return Result(winner, loser, 1, skunk=False, forfeit=True)


def from_board(seats: Sequence[str], outcome: Outcome) -> Result | None:
    """Return the result of a finished two-player game, or None if the game does not count.

    Points beyond the game hole do not count. A resigned game counts as an ordinary win by the
    margin of its scores, but at least 1 and at most 30 points. The same applies to a skunk that is
    not confirmed by the scores.
    """
    if outcome.winner is None or len(seats) != 2:
        return None
    side = outcome.winner - 1
    spread = min(GAME_HOLE, outcome.scores[side]) - max(0, outcome.scores[1 - side])
    skunk = outcome.margin in ("skunk", "double-skunk") and spread >= SKUNK
    if not skunk:
        spread = max(1, min(SKUNK - 1, spread))
    return Result(seats[side], seats[1 - side], spread, skunk)


FIGURES: Final = ("games", "won", "skunks", "points", "plus", "minus")
"""The figures that are added up for a player."""


class Standing(NamedTuple):
    """One player's standing in an evening. Tied players share a `rank`."""

    rank: int
    name: str
    games: int
    won: int
    skunks: int
    points: int
    plus: int
    minus: int

    @property
    def net(self) -> int:
        return self.plus - self.minus

    @property
    def order(self) -> tuple[int, int, int, int]:
        """The sort key: game points, games won, net spread, then plus points."""
        return (self.points, self.won, self.net, self.plus)


class Evening(NamedTuple):
    """An evening that has been played, and its final standings."""

    name: str
    standings: tuple[Standing, ...]


def season(evenings: Iterable[Evening]) -> tuple[Standing, ...]:
    """Return the standings over all evenings, best first. Players are identified by name, ignoring
    case, and shown with the latest spelling.
    """
    names: dict[str, str] = {}
    count: dict[str, Counter[str]] = {}
    for evening in evenings:
        for standing in evening.standings:
            key = standing.name.casefold()
            names[key] = standing.name
            figures = {figure: getattr(standing, figure) for figure in FIGURES}
            count.setdefault(key, Counter()).update(figures)
    return ranked(
        Standing(0, names[key], *(c[figure] for figure in FIGURES)) for key, c in count.items()
    )


def ranked(standings: Iterable[Standing]) -> tuple[Standing, ...]:
    """Sort standings and set the ranks. Tied players keep their order."""
    found = list(standings)
    found.sort(key=lambda standing: standing.order, reverse=True)
    ranked: list[Standing] = []
    for place, standing in enumerate(found, 1):
        tied = ranked and ranked[-1].order == standing.order
        ranked.append(standing._replace(rank=ranked[-1].rank if tied else place))
    return tuple(ranked)


class Draw(NamedTuple):
    """The pairings of a round, table by table, and the byes."""

    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None


def _byes(players: Sequence[str], before: Sequence[Draw]) -> Counter[str]:
    """Return how many byes each player has had."""
    sat = Counter(dict.fromkeys(players, 0))
    for round_ in before:
        if round_.bye is not None and round_.bye in sat:
            sat[round_.bye] += 1
    return sat


def draw(players: Sequence[str], before: Sequence[Draw]) -> Draw:
    """Draw the next round. No two players meet twice. Players with the fewest byes sit out first.

    As long as the players stay the same, rounds follow the circle method for a round robin, so that
    a small group can play all its rounds. If someone has come late or left, a pairing is found by
    searching. The order of `players` is the random draw.

    Raises:
        ClubRefusal: `too-few-players`, or `all-have-met` if no such round remains.
    """
    if len(players) < 2:
        raise ClubRefusal("too-few-players", players=len(players))
    met = {frozenset(pair) for round_ in before for pair in round_.pairs}
    sat = _byes(players, before)
    fewest = min(sat.values())
    circle = _circle(players, len(before))
    fresh = all(frozenset(pair) not in met for pair in circle.pairs)
    if fresh and (circle.bye is None or sat[circle.bye] == fewest):
        return circle
    patient = sorted(players, key=sat.__getitem__)
    byes: Sequence[str | None] = patient if len(players) % 2 else (None,)
    for bye in byes:
        pairs = _pair(tuple(name for name in players if name != bye), met, set())
        if pairs is not None:
            return Draw(pairs, bye)
    raise ClubRefusal("all-have-met", players=len(players), rounds=len(before))


def most_rounds(players: int) -> int:
    """Return the number of rounds that are possible without a repeated pairing. With an odd number
    of players, one player sits out each round."""
    return players - 1 + players % 2


def _circle(players: Sequence[str], turn: int) -> Draw:
    """Return round `turn` (from 0) of a round robin. One player stays seated, and the other players
    move on by one chair."""
    chairs: list[str | None] = list(players)
    if len(chairs) % 2:
        chairs.insert(0, None)
    moving = chairs[1:]
    turn %= len(moving)
    chairs = [chairs[0], *moving[turn:], *moving[:turn]]
    half = len(chairs) // 2
    pairs = [(chairs[n], chairs[-1 - n]) for n in range(half)]
    bye = next((b or a for a, b in pairs if a is None or b is None), None)
    return Draw(tuple((a, b) for a, b in pairs if a is not None and b is not None), bye)


def _pair(
    players: tuple[str, ...], met: set[frozenset[str]], dead: set[frozenset[str]]
) -> tuple[tuple[str, str], ...] | None:
    """Pair all players with new opponents, or return None if that is impossible. The player with
    the fewest possible opponents is paired first. `dead` contains sets of players that cannot be
    paired."""
    if not players:
        return ()
    left = frozenset(players)
    if left in dead:
        return None
    new = {a: [b for b in players if a != b and frozenset((a, b)) not in met] for a in players}
    first = min(players, key=lambda name: len(new[name]))
    for second in new[first]:
        rest = _pair(tuple(n for n in players if n not in (first, second)), met, dead)
        if rest is not None:
            return ((first, second), *rest)
    dead.add(left)
    return None
