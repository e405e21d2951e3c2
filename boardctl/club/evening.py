"""The rules of a club's evening: what a result is worth, who stands where, who meets whom. Pure.

Scoring is that of the American Cribbage Congress: 2 game points for a win, 3 for a skunk (won by
31 or more in a game to 121), none for a loss; the winner's spread is how many points the loser
was behind, counted for the one and against the other. Ties are broken by game points, games won,
net spread and plus points (the spread of the games won).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from boardctl.games import IllegalMove, Outcome

ROUNDS: Final = 9
"""Games of an evening."""
CARD: Final = 12
"""The game points from which an evening's card of nine games earns Grass Roots points."""
SKUNK: Final = 31
"""The spread from which a win is a skunk."""
GAME_HOLE: Final = 121
"""The last hole of the board. A winner's peg goes no further, whatever her last hand counted, so a
game of 129 to 105 is won by 16; and nobody is further behind than the whole board. (Tournament
Rules of the American Cribbage Congress, Rule 1.6: the game hole is hole number 121.)"""


class ClubRefusal(IllegalMove):
    """What the club's rules refuse; code and fields as for a line at the table."""


class Result(NamedTuple):
    """One game of the evening, by names. `corrected`: it was told by hand, not by a board."""

    winner: str
    loser: str
    spread: int
    skunk: bool
    corrected: bool = False

    @property
    def points(self) -> int:
        """The winner's game points."""
        return 3 if self.skunk else 2

    def figures(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """What it counts for each of the two, by `FIGURES`."""
        won = {"games": 1, "won": 1, "skunks": int(self.skunk), "points": self.points}
        return (
            (self.winner, {**won, "plus": self.spread}),
            (self.loser, {"games": 1, "minus": self.spread}),
        )


def by_hand(winner: str, loser: str, spread: int) -> Result:
    """A result as players tell it. Raises ClubRefusal: `impossible-spread`."""
    if not 1 <= spread <= GAME_HOLE:
        raise ClubRefusal("impossible-spread", spread=spread, most=GAME_HOLE)
    return Result(winner, loser, spread, spread >= SKUNK, corrected=True)


def from_board(seats: Sequence[str], outcome: Outcome) -> Result | None:
    """What a finished game of two players counts for, None where it counts for nothing.

    Points beyond the game hole do not count. A game that was resigned counts as it stood, as a
    plain win by 1 to 30 points; so does a skunk that its scores do not bear out.
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
"""What is counted of a player."""


class Standing(NamedTuple):
    """One player's evening. `rank` is shared by players whom nothing tells apart."""

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
        """What decides, in this order: game points, games won, net spread, plus points."""
        return (self.points, self.won, self.net, self.plus)


def standings(players: Iterable[str], results: Iterable[Result]) -> tuple[Standing, ...]:
    """Everybody who takes part, the best first."""
    count: dict[str, Counter[str]] = {name: Counter() for name in players}
    for result in results:
        for name, figures in result.figures():
            count[name].update(figures)
    return ranked(
        Standing(0, name, *(c[figure] for figure in FIGURES)) for name, c in count.items()
    )


class Evening(NamedTuple):
    """An evening that was played, and how everybody stood at its end."""

    name: str
    standings: tuple[Standing, ...]


def season(evenings: Iterable[Evening]) -> tuple[Standing, ...]:
    """Everybody over all evenings, the best first; a player is known by her name, however its
    letters are cased, and called as she was last."""
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
    """In the order that decides, with their ranks; whom nothing tells apart stays as it came."""
    found = list(standings)
    found.sort(key=lambda standing: standing.order, reverse=True)
    ranked: list[Standing] = []
    for place, standing in enumerate(found, 1):
        tied = ranked and ranked[-1].order == standing.order
        ranked.append(standing._replace(rank=ranked[-1].rank if tied else place))
    return tuple(ranked)


class Draw(NamedTuple):
    """Who meets whom in a round, table by table, and who sits it out."""

    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None


def draw(players: Sequence[str], before: Sequence[Draw]) -> Draw:
    """The next round: nobody meets twice, and nobody sits out again before everybody has once.

    While the same players stay, rounds follow the circle of a round robin, so that an evening
    can be drawn to its end however few they are; where someone came late or left, a pairing is
    searched for. The order of `players` is the lot.

    Raises:
        ClubRefusal: `too-few-players`, or `all-have-met`: no such round is left.
    """
    if len(players) < 2:
        raise ClubRefusal("too-few-players", players=len(players))
    met = {frozenset(pair) for round_ in before for pair in round_.pairs}
    sat = Counter(dict.fromkeys(players, 0))
    for round_ in before:
        if round_.bye is not None and round_.bye in sat:
            sat[round_.bye] += 1
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


def _circle(players: Sequence[str], turn: int) -> Draw:
    """Round `turn` (from 0) of a round robin: one stays seated, the others move on one chair."""
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
    """Pair all players with somebody new, None where that is impossible. Who has the fewest left
    to meet chooses first; `dead` are sets of players known to have no pairing."""
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
