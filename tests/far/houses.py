"""Two houses in one process: their games, and all messages between them."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from boardctl.far.cards import NOT_DEALT, party_of
from boardctl.far.game import FarGame
from boardctl.far.game_log import Proposal, Work
from boardctl.games import Ask, IllegalMove, Kind, Move

GAME = bytes(range(32))
SHORT = {"target": "31"}
Message = dict[str, Any]
Wire = Callable[[int, Message], list[Message]]
"""The fate of a house's message on its way."""


def compute(game: FarGame) -> None:
    """Do all arithmetic that a game waits for, immediately."""
    while (work := game.due_work) is not None:
        game.finish(work, work.run)


class Houses:
    """Both sides of a game, and random play."""

    def __init__(
        self,
        chance: Random,
        wire: Wire = lambda party, message: [message],
        proposal: Proposal | None = None,
    ) -> None:
        self.chance = chance
        self._wire = wire
        game = proposal or Proposal(GAME, "cribbage", ("Ann", "Bob"), SHORT)
        self.sides = self.begin(game)
        self.said: list[tuple[int, Message]] = []
        for side in self.sides:
            side.settle()
        self.deliver()

    @property
    def one(self) -> FarGame:
        return self.sides[0]

    @property
    def two(self) -> FarGame:
        return self.sides[1]

    @property
    def is_stopped(self) -> bool:
        return any(side.stop is not None for side in self.sides)

    @property
    def is_done(self) -> bool:
        return all(side.is_done for side in self.sides)

    def begin(self, proposal: Proposal) -> list[FarGame]:
        """Both sides of the game."""
        return [FarGame(proposal, party, self.chance.randbytes) for party in (1, 2)]

    def works(self, side: FarGame) -> list[Work]:
        """Return the arithmetic of a side that may be done now."""
        return [one for one in (side.work, side.ahead) if one is not None]

    def deliver(self) -> None:
        while any(side.out or self.works(side) for side in self.sides):
            self.deliver_one()

    def deliver_one(self) -> None:
        """Deliver one message, or finish one piece of arithmetic."""
        busy = [side for side in self.sides if self.works(side)]
        if busy and (self.chance.random() < 0.5 or not any(side.out for side in self.sides)):
            side = self.chance.choice(busy)
            work = self.chance.choice(self.works(side))
            side.finish(work, work.run)
            return
        side = self.chance.choice([side for side in self.sides if side.out])
        message = side.out.pop(0)
        self.said.append((side.party, message))
        for changed in self._wire(side.party, json.loads(json.dumps(message))):
            self.sides[2 - side.party].receive(json.loads(json.dumps(changed)))
        for one in self.sides:
            move = one.ready()
            if move is not None:
                one.say(move)

    def decision(self, side: FarGame) -> Move | None:
        """Return a random line that this house may enter now."""
        asks = [ask for ask in side.position.prompt.asks if _is_ours(side, ask)]
        if not asks:
            return None
        ask = asks[0]
        if ask.kind == "cards":
            return ask.move._replace(cards=tuple(self.chance.sample(ask.cards or (), ask.least)))
        return ask.move

    def declaration(self, side: FarGame) -> Move | None:
        """Return a random declaration that this house may make before it draws."""
        asks = side.position.prompt.asks
        found = [
            choice
            for ask in asks
            for choice in ask.choices
            if side.position.kind(choice) is Kind.MELD and choice.seat == side.caller()
        ]
        return self.chance.choice(found) if found else None

    def turn(self) -> bool:
        """Let the player to act enter one line, and return False if there is none."""
        for side in self.sides:
            if not side.is_ours:
                continue
            if side.caller():
                declared = self.declaration(side)
                if declared is not None and self.chance.random() < 0.7:
                    side.say(declared)
                else:
                    side.let_stand()
            else:
                move = self.decision(side)
                if move is None:
                    return False
                side.say(move)
            self.deliver()
            return True
        return False

    def play(self, most: int = 2000) -> None:
        """Play to the end, or until the game stops."""
        for _ in range(most):
            if self.is_done or self.is_stopped or not self.turn():
                return

    def until(self, phase: str) -> None:
        while self.one.position.situation.phase != phase:
            assert self.turn()


def consent(side: FarGame, yes: bool = True) -> None:
    """Answer the other house's question."""
    assert side.question is not None
    side.answer(side.question, yes)


def _is_ours(side: FarGame, ask: Ask) -> bool:
    if ask.move.verb == "deal":
        return party_of(side.turn()) == side.party
    kind = side.position.kind(ask.move)
    wrong = ask.move.verb == "muggins" or kind in (Kind.HAND, Kind.MELD, *NOT_DEALT)
    return not wrong and ask.seat is not None and ask.seat == side.turn()


def refused(side: FarGame, line: str) -> str:
    """Return the code with which a house's own line is refused."""
    from boardctl.record import notation

    try:
        side.say(notation.parse_move(line, side.position.game))
    except IllegalMove as error:
        return error.code
    raise AssertionError(f"{line} is accepted")
