"""Deal cards to computer players: two-handed six-card cribbage by the protocol, in which each seat
receives what it may see, and any game at a table that asks each player's process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

import pytest

from boardctl import games
from boardctl.bot import habits, seated
from boardctl.bot.worker import Worker
from boardctl.games import Ask, IllegalMove, Move
from boardctl.games.cards import CARDS, UNSEEN, Card, spell
from boardctl.record import notation
from boardctl.record.legal import accepted
from boardctl.record.record import Record
from boardctl.record.visibility import GameLines, open_cards
from tests.games.common import random_options

Seat = Callable[[str], list[str]]
"""A seat's answers to a line."""


def play_game(
    seats: tuple[Seat, Seat], random: Random, extra: tuple[str, ...] = (), deals: int = 99
) -> Record:
    """Play a game between two seats with all cards entered, and return its record; every line is
    checked.

    Each seat receives the other's lines, its own hand, and after the play both hands and the crib.
    """
    whole = Record()
    queue: list[tuple[int, str]] = []

    def tell(line: str, to: tuple[int, ...] = (0, 1)) -> None:
        for place in to:
            queue.extend((place, said) for said in seats[place](line))

    def say(line: str) -> None:
        whole.read(line)

    def heard() -> None:
        """Pass on the seats' lines alternately until both wait."""
        while queue:
            place, line = queue.pop(0)
            verb = line.split()[1]
            say(line)
            hidden = f"{place + 1} discard ? ?"
            tell(hidden if verb == "discard" else line, (1 - place,))

    for line in ("game cribbage", "seat 1 A", "seat 2 B", *extra, "dealer 1"):
        say(line)
        tell(line)
    for _ in range(deals):
        if _deal(whole, random.sample(CARDS, 13), say, tell, heard):
            break
    return whole


def _deal(
    whole: Record,
    cards: list[Card],
    say: Callable[[str], None],
    tell: Callable[..., None],
    heard: Callable[[], None],
) -> bool:
    """Play one deal, and return whether the game is over."""
    say("deal")
    tell("deal")
    hands = [tuple(cards[:6]), tuple(cards[6:12])]
    for place in (0, 1):
        line = f"{place + 1} hand {spell(hands[place])}"
        say(line)
        tell(line, (place,))
    heard()
    say(f"starter {cards[12]}")
    tell(f"starter {cards[12]}")
    heard()
    now = whole.position.situation
    if now.phase == "over":
        return True
    dealer = now.dealer
    assert dealer is not None
    assert now.phase == "show", now
    for seat in (3 - dealer, dealer):
        say(f"{seat} show")
        kept = [card for card in hands[seat - 1] if card not in _thrown(whole, seat)]
        tell(f"{seat} show {spell(kept)}")
        if whole.position.situation.phase == "over":
            return True
    say(f"{dealer} crib")
    tell(f"{dealer} crib {spell((*_thrown(whole, 1), *_thrown(whole, 2)))}")
    return whole.position.situation.phase == "over"


def _thrown(whole: Record, seat: int) -> tuple[Card, ...]:
    return next(
        move.cards for move in reversed(whole.moves) if move.verb == "discard" and move.seat == seat
    )


_LONG: Final = frozenset({"rubicon-bezique", "six-pack-bezique"})
"""Games with many packs, whose prompts try thousands of cards."""
FORMS: Final = [
    pytest.param(name, seats, marks=[pytest.mark.long] if name in _LONG else [])
    for name in games.names()
    if any(verb.cards[1] for verb in games.find(name).verbs)
    for seats in games.find(name).seats
]
"""Every form of every game with cards, `name, seats`, for `pytest.mark.parametrize`."""
_CUT_OR_DEALT: Final = frozenset(
    {"deal", "cut", "hand", "turnup", "widow", "starter", "bottom", "draw", "show", "crib"}
)
"""The verbs of lines that no player decides."""


class Player:
    """A computer player at a table, asked like the board's player."""

    def __init__(self, seat: int, level: int, seed: int) -> None:
        self.seat = seat
        self._asked = {"seat": seat, "level": level, "seed": seed}
        self._seen = GameLines(seat)
        self._worker = Worker()

    def due(self, table: Record) -> str | None:
        """Return its next line, or None if none is expected from it."""
        if not seated.may_be_due(table.position, self.seat):
            return None
        lines = seated.visible_lines(table, self._seen)
        answer = json.loads(self._worker.answer(json.dumps({**self._asked, "lines": lines})))
        assert "error" not in answer, (answer, lines)
        line: str | None = answer["line"]
        return line


@dataclass
class Dealt:
    """A game of any kind between computer players, with cards from a shuffled pack.

    levels: the player at each seat. chance: shuffles, and makes people's choices.
    forgets: the share of lines about dealt cards that are omitted at the table, or have `?`. People
        then decide for a seat whose player does not know its hand.
    """

    game: str
    levels: Sequence[int]
    chance: Random
    options: Mapping[str, str] = field(default_factory=dict)
    forgets: float = 0.0

    def __post_init__(self) -> None:
        seats = range(1, len(self.levels) + 1)
        self.players = [
            Player(seat, level, self.chance.getrandbits(32))
            for seat, level in zip(seats, self.levels, strict=True)
        ]
        self.truth = Record()
        """The game with every card entered."""
        self.table = Record() if self.forgets else self.truth
        """The game as entered."""
        self.said = 0
        """The number of lines from the players."""
        self._pack: list[Card] = []
        """The cards not dealt yet, the next card last."""
        self._read(f"game {self.game}")
        for name, value in self.options.items():
            self._read(f"set {name} {value}")
        for seat in seats:
            self._read(f"seat {seat} {'ABCD'[seat - 1]}")

    def play(self, deals: int = 99) -> None:
        """Play the game, or this many deals of it."""
        while self.step(deals):
            pass

    def step(self, deals: int) -> bool:
        """Enter the next line, and return False at the end."""
        if self.truth.position.over:
            return False
        reports = self._reports()
        dealt = next((ask for ask in reports if ask.move.verb == "hand"), None)
        line = None if dealt else self._decision()
        if line is None and not reports:
            line = self._by_people(habits.legal)
        if line is not None:
            return self._say(line)
        ask = dealt or reports[0]
        if ask.move.verb == "deal":
            if sum(move.verb == "deal" for move in self.truth.moves) == deals:
                return False
            game = games.find(self.game)
            self._pack = list(game.pack) * self._copies()
            self.chance.shuffle(self._pack)
        self._report(ask)
        return True

    def _copies(self) -> int:
        """Return how often each card is in the pack."""
        game = games.find(self.game)
        spec = getattr(self.truth.position.state, "spec", None)
        return game.copies if spec is None else spec.copies

    def _reports(self) -> list[Ask]:
        asks = self.truth.position.prompt.asks
        return [ask for ask in asks if ask.move.verb in _CUT_OR_DEALT and ask.kind != "choice"]

    def _decision(self) -> str | None:
        """Return a player's decision, or people's if the player does not know its cards."""
        turn = self.truth.position.situation.turn  # the leader waits until the others have melded
        for player in sorted(self.players, key=lambda player: player.seat == turn):
            line = player.due(self.table)
            if line is not None:
                self.said += 1
                return line
        return self._by_people(self._unknown)

    def _unknown(self, truth: Record, seat: int) -> list[Move]:
        """Return people's possible lines for a seat whose player does not know its cards."""
        if seated.own_cards(self.table, seat) is not None:
            return []
        return habits.legal(truth, seat)

    def _by_people(self, may_say: Callable[[Record, int], list[Move]]) -> str | None:
        """Return a line that people enter for a seat."""
        drawing = {ask.seat for ask in self._reports() if ask.move.verb == "draw"}
        for player in self.players if self.forgets else ():
            moves = may_say(self.truth, player.seat) if drawing <= {player.seat} else []
            moves = [move for move in moves if accepted(self.table, move)]
            if moves:
                return notation.spell(self.chance.choice(moves))
        return None

    def _report(self, ask: Ask) -> None:
        """Enter a card that is cut, dealt or shown."""
        move, position = ask.move, self.truth.position
        if ask.kind == "cards":
            assert ask.cards is not None
            cards: tuple[Card, ...]
            if move.verb == "cut":
                cards = (self.chance.choice(ask.cards),)
            elif len(ask.cards) == 1 and move.verb == "draw":
                cards = ask.cards  # the turned card
            else:
                cards = tuple(self._pack.pop() for _ in range(ask.most))
            move = move._replace(cards=cards)
        elif self.forgets:
            move = open_cards(position, move)
        self.truth.apply(move)
        if self.table is not self.truth:
            for entered in self._entered(move):
                self.table.apply(entered)

    def _entered(self, move: Move) -> Iterator[Move]:
        """Enter a line, or omit it."""
        forgotten = move.verb in ("hand", "draw") and self.chance.random() < self.forgets
        if not forgotten:
            yield move
        elif move.verb == "hand" and self.chance.random() < 0.5:
            hidden = (UNSEEN if self.chance.random() < 0.3 else card for card in move.cards)
            yield move._replace(cards=tuple(hidden))

    def _say(self, line: str) -> bool:
        """Enter a decision, and return False if nothing can follow. Whether a meld is still on the
        table may depend on a forgotten card: then the table accepts a line that the truth does
        not."""
        move = notation.parse_move(line, games.find(self.game))
        if self.table is not self.truth and move.verb == "meld" and move.seat is not None:
            held = seated.own_cards(self.truth, move.seat)
            assert held is not None
            assert set(move.cards) <= set(held), line
            self.table.read(line)
            try:
                self.truth.read(line)
            except IllegalMove:
                return False
            return True
        self._read(line)
        return True

    def _read(self, line: str) -> None:
        """Read a line that both records must accept."""
        for record in {id(one): one for one in (self.truth, self.table)}.values():
            record.read(line)


def random_game(name: str, seats: int, chance: Random) -> Dealt:
    """Play a game between players of levels 1 and 2, at a table with any options."""
    levels = [chance.choice((1, 2)) for _ in range(seats)]
    return Dealt(name, levels, chance, random_options(name, chance))
