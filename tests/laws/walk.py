"""Random legal play of any game, from its prompt alone.

Nothing here is specific to a game: possible entries come from `Game.prompt`, and the answer to a
question about suits from the refusal that asks it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from boardctl import games
from boardctl.games import Ask, Game, IllegalMove, Move, Telling
from boardctl.games.cards import Card
from boardctl.record import notation
from boardctl.record.record import Record, Report

NAMES: Final = ("Ann", "Bob", "Cat", "Dan")
TELLINGS: Final[tuple[Telling, ...]] = ("points", "hands", "cards")


@dataclass
class Walk:
    """A game being played at random: the record, the reports of its lines, and the table's level of
    entry. `offsets` are points by side without an award (`start`)."""

    game: Game[Any]
    chance: Random
    telling: Telling
    record: Record = field(default_factory=Record)
    reports: list[Report] = field(default_factory=list)
    offsets: tuple[int, ...] = ()

    def say(self, move: Move | str) -> Report:
        """Enter a line that must be accepted."""
        line = move if isinstance(move, str) else notation.spell(move)
        report = self.record.read(line)
        assert report is not None
        self.reports.append(report)
        return report

    @property
    def lines(self) -> str:
        """Return the record so far, for the reader of a failure."""
        return "\n".join(map(notation.spell, self.record.moves))

    def step(self) -> bool:
        """Enter one expected line, and return False if the game is over and nothing is expected."""
        prompt = self.record.position.prompt
        if not prompt.asks and not prompt.pegs:
            assert self.record.position.over, f"stuck:\n{self.lines}"
            return False
        level = TELLINGS.index(self.telling)
        due = [ask for ask in prompt.asks if TELLINGS.index(ask.telling) <= level]
        pegs = bool(prompt.pegs) and (not prompt.asks or self.chance.random() < 0.05)
        if pegs:
            self.peg(self.chance.choice(prompt.pegs))
            return True
        asks = due or list(prompt.asks)
        ask = asks[0] if self.chance.random() < 0.5 else self.chance.choice(asks)
        self.answer(ask)
        return True

    def peg(self, seat: int) -> None:
        """Enter points; a number may be refused as impossible, and for no other reason."""
        scale = self.record.position.prompt.scale
        points = self.chance.randrange(0, 30) * scale
        try:
            self.say(Move("peg", seat, numbers=(points,)))
        except IllegalMove as error:
            assert error.code == "impossible-points", (error.code, points, self.lines)

    def answer(self, ask: Ask) -> None:
        """Enter an ask's answer; every offered answer must be accepted."""
        move = complete(ask, self.chance)
        try:
            self.say(move)
        except IllegalMove as error:
            choices = error.fields.get("choices")
            if error.code == "suits-needed" and choices:
                words = self.chance.choice(list(choices))
                self.say(move._replace(words=(*move.words, *words)))
                return
            if error.code in ("too-many-of-rank", "not-held") and len(move.cards) > 1:
                # Each may be entered, but not all together: a card may be known only by rank, or
                # only a few cards of a hand may be new.
                return
            if error.code == "contradicts" and len(move.cards) > 1:
                # Each may be entered, but one must have the worth that its giver scored.
                return
            raise AssertionError(
                f"offered by {ask.code}, refused as {error.code} {dict(error.fields)}: "
                f"{notation.spell(move)}\n{self.lines}"
            ) from error


def complete(ask: Ask, chance: Random) -> Move:
    """Return one of the moves that an ask offers."""
    if ask.kind == "confirm":
        return ask.move
    if ask.kind == "choice":
        assert ask.choices, ask
        return chance.choice(ask.choices)
    if ask.kind == "number":
        allowed = [n for n in range(ask.least, ask.most + 1, ask.scale) if n not in ask.barred]
        assert allowed, ask
        return ask.move._replace(numbers=(*ask.move.numbers, chance.choice(allowed)))
    assert ask.cards is not None, f"{ask.code} does not say which cards"
    assert ask.most >= 1, ask
    count = chance.randint(ask.least, min(ask.most, len(ask.cards)))
    chosen = tuple(chance.sample(ask.cards, count))
    if ask.ranks and chance.random() < 0.5:
        chosen = tuple(Card(card.rank) for card in chosen)
    return ask.move._replace(cards=(*ask.move.cards, *chosen))


def sit_down(name: str, chance: Random) -> Walk:
    """Begin a game with random players, options and possibly a handicap."""
    game = games.find(name)
    walk = Walk(game, chance, chance.choice(TELLINGS))
    walk.say(f"game {name}")
    seats = chance.choice(game.seats)
    for option in game.options:
        if chance.random() < 0.5:
            values = option.values or tuple(map(str, option.numbers or ()))
            walk.say(f"set {option.name} {chance.choice(values)}")
    for seat, player in zip(range(1, seats + 1), NAMES, strict=False):
        walk.say(f"seat {seat} {player}")
    sides = len(walk.record.position.scores)
    assert sides, f"{name} has its players and does not begin"
    walk.offsets = (0,) * sides
    if chance.random() < 0.3:
        board = game.scoreboard(walk.record.position.state)
        goal = max(2, board.goal * board.unit)
        walk.offsets = tuple(chance.randrange(goal // 2, goal) // 10 * 10 for _ in range(sides))
        walk.say("start " + " ".join(map(str, walk.offsets)))
    return walk
