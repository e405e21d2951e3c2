"""bsdgames' `cribbage` (Debian package bsdgames), played in a terminal as by a user.

The program shuffles, deals and counts. A `Match` reads its screen, types throws, cards and counts,
and reports the winner. The program's cards are read from the table that it draws and from its
messages ("I get 2 playing KING of CLUBS"). Only its random numbers are replaced. They are derived
from a seed (chance.c), so that a game can be dealt twice with the seats exchanged.
"""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from boardctl.bot.playing import Event, Past, View, now
from boardctl.bot.tables import DEALER, PONE
from boardctl.bot.totals import total
from boardctl.games.cards import CARDS, parse_card
from tools.bench.bots import Side, luck

PROGRAM: Final = shutil.which("cribbage", path="/usr/games:/usr/local/games") or shutil.which(
    "cribbage"
)
_ROWS, _COLUMNS = 24, 80
_QUIET: Final = 0.01
_PATIENCE: Final = 20.0
_MOST_PROMPTS: Final = 600
_PLAYED: Final = 8
"""The maximum number of cards played in a deal."""
_TABLE: Final = 12
"""The column at which the cards of the play begin."""
_SCORES: Final = (1, 7)
"""The rows of the user's and the program's score."""
_MESSAGES: Final = 39
"""The column at which the program's messages begin."""
_CARD: Final = re.compile(
    r"(ACE|TWO|THREE|FOUR|FIVE|SIX|SEVEN|EIGHT|NINE|TEN|JACK|QUEEN|KING) of "
    r"(SPADES|HEARTS|DIAMONDS|CLUBS)"
)
_RANKS: Final = [
    "ACE",
    "TWO",
    "THREE",
    "FOUR",
    "FIVE",
    "SIX",
    "SEVEN",
    "EIGHT",
    "NINE",
    "TEN",
    "JACK",
    "QUEEN",
    "KING",
]
_SUITS: Final = ["SPADES", "HEARTS", "DIAMONDS", "CLUBS"]
_PROMPTS: Final = (
    "L or S?",
    "Cut for crib?",
    "Cut the deck?",
    "Discard -->",
    "Your play:",
    "Your hand scores",
    "Your crib scores",
    "--More--",
    "Another game?",
)
_ESCAPE: Final = re.compile(rb"\x1b(?:\[([?\d;]*)([A-Za-z])|[()].|[=>])")


class Screen:
    """The subset of a VT100 that the program uses."""

    def __init__(self) -> None:
        self.cells = [[" "] * _COLUMNS for _ in range(_ROWS)]
        self.row = self.column = 0
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Process output from the program."""
        data = self._rest + data
        self._rest = b""
        at = 0
        while at < len(data):
            if data[at] == 0x1B:
                found = _ESCAPE.match(data, at)
                if found is None:
                    self._rest = data[at:]
                    return
                if found[2]:
                    self._control(found[2].decode(), found[1].decode())
                at = found.end()
                continue
            self._put(chr(data[at]))
            at += 1

    def _put(self, char: str) -> None:
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self.row = min(self.row + 1, _ROWS - 1)
        elif char == "\b":
            self.column = max(self.column - 1, 0)
        elif char >= " ":
            self.cells[self.row][min(self.column, _COLUMNS - 1)] = char
            self.column += 1

    def _control(self, letter: str, text: str) -> None:
        numbers = [int(part) if part.isdigit() else 0 for part in text.split(";")]
        first = numbers[0]
        match letter:
            case "H":
                self.row = max(first, 1) - 1
                self.column = max(numbers[1] if len(numbers) > 1 else 1, 1) - 1
            case "A":
                self.row -= max(first, 1)
            case "B":
                self.row += max(first, 1)
            case "C":
                self.column += max(first, 1)
            case "D":
                self.column -= max(first, 1)
            case "J" | "K":
                self._erase(letter, first)

    def _erase(self, letter: str, kind: int) -> None:
        ahead = (self.row, self.column)
        for row in range(_ROWS) if letter == "J" else (self.row,):
            for column in range(_COLUMNS):
                here = (row, column)
                if kind == 2 or (here >= ahead if kind == 0 else here <= ahead):
                    self.cells[row][column] = " "

    def text(self, row: int, begin: int = 0, end: int = _COLUMNS) -> str:
        """Return the text in a row."""
        return "".join(self.cells[row][begin:end])

    def cascade(self, begin: int, most: int) -> list[int]:
        """Return the overlapping cards, each of which is two rows lower and one column farther
        right than the previous one."""
        found = []
        for place in range(most):
            row, column = 2 * place + 1, begin + place + 1
            try:
                card = parse_card(self.text(row, column, column + 2).strip())
            except (ValueError, IndexError):
                break
            if not card.is_known:
                break
            found.append(CARDS.index(card))
        return found


@cache
def prepared() -> tuple[str, str]:
    """Prepare a copy of the program (the installed one is setgid and ignores LD_PRELOAD) and the
    library of chance.c. Raises CalledProcessError if that cannot be compiled."""
    assert PROGRAM is not None
    folder = Path(mkdtemp(prefix="boardctl-bench-"))
    library, source = folder / "chance.so", Path(__file__).with_name("chance.c")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source], check=True)
    return shutil.copy(PROGRAM, str(folder / "cribbage")), str(library)


_WORD: Final = (1 << 64) - 1


def _number(seed: int, block: int, place: int) -> int:
    """Return the number that chance.c draws (splitmix64)."""
    mixed = (seed + 1000003 * block + place + 0x9E3779B97F4A7C15) & _WORD
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB & _WORD
    return (mixed ^ (mixed >> 31)) >> 34


def decks(seed: int) -> Iterator[list[int]]:
    """Yield the cards of each deal for a seed: the pone's six, the dealer's six and the starter."""
    deck = [13 * suit + rank for rank in range(13) for suit in range(4)]
    block, place = 1, 0

    def shuffle() -> None:
        nonlocal place
        for left in range(len(deck), 0, -1):
            other = (_number(seed, block, place) >> 4) % left
            place += 1
            deck[left - 1], deck[other] = deck[other], deck[left - 1]

    while True:
        shuffle()
        one, two = (_number(seed, block, place + some) >> 4 for some in (0, 1))
        place += 2
        two += one % len(deck) == two % len(deck)
        if deck[one % len(deck)] % 13 != deck[two % len(deck)] % 13:
            break
    while True:
        shuffle()
        block, place = block + 1, 1
        starter = deck[12 + (_number(seed, block, 0) >> 4) % (len(deck) - 12)]
        yield [*deck[0:12:2], *deck[1:12:2], starter]


class Match:
    """One game against a fresh program, dealt from a seed; `turned` exchanges the seats. `luck` is
    the value of the cards to the side (`bots.luck`)."""

    def __init__(self, side: Side, name: object, seed: int, turned: bool = False) -> None:
        program, chance = prepared()
        self.luck = 0.0
        self._decks = decks(seed)
        self._side = side
        self._name = name
        self._screen = Screen()
        self._deals = 0
        self._rows = [""] * _ROWS
        self._away: list[int] = []
        pid, self._terminal = pty.fork()
        if pid == 0:
            os.environ.update(TERM="vt100", LINES=str(_ROWS), COLUMNS=str(_COLUMNS))
            os.environ.update(LD_PRELOAD=chance, CHANCE_SEED=str(seed))
            if turned:
                os.environ["CHANCE_TURNED"] = "1"
            os.execv(program, [program, "-q"])
        self._pid = pid

    def close(self) -> None:
        """End the program."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._terminal)

    def play(self) -> bool:
        """Play, and return whether the side has won. Raises RuntimeError if the screen cannot be
        understood."""
        thrown: list[int] = []
        hand: list[int] = []
        kept: list[int] = []
        events: list[Event] = []
        series: list[int] = []
        starter = 0
        role = PONE
        past: list[Past] = []
        for prompt in self._prompts():
            if prompt in ("Your play:", "--More--"):
                starter = self._starter(role)
                self._follow(kept, role, events, series)
            match prompt:
                case "L or S?":
                    self._type("l")
                case "Cut for crib?" | "Cut the deck?":
                    self._type("\n")
                case "--More--":
                    row = self._screen.text(self._screen.row - 1, _MESSAGES)
                    row += self._screen.text(self._screen.row, _MESSAGES)
                    if "really only" in row or "should have taken" in row:
                        raise RuntimeError(f"counted wrong: {kept}, starter {starter}")
                    self._type(" ")
                case "Discard -->":
                    if len(thrown) != 1:
                        hand = self._screen.cascade(0, 6)
                        role = PONE if self._screen.text(17, 20, 36).strip() else DEALER
                        mine, theirs = self.scores()
                        self._deals += 1
                        self._weigh(hand, role, mine, theirs)
                        place = (self._name, self._deals)
                        thrown = list(self._side.throw(hand, role, mine, theirs, place))
                        kept = [card for card in hand if card not in thrown]
                        self._type(f"{CARDS[thrown.pop()]}\n")
                        self._away = [card for card in hand if card not in kept]
                        if sum(event.card is not None for event in events) == _PLAYED:
                            past.insert(0, Past(1 - role, tuple(events)))
                        events, series = [], []
                    else:
                        self._type(f"{CARDS[thrown.pop()]}\n")
                        thrown = []
                        self._new_rows()
                case "Your play:":
                    if not now(role, events).turn:
                        events.append(Event(False, None))
                    mine, theirs = self.scores()
                    view = View(
                        role,
                        mine,
                        theirs,
                        tuple(kept),
                        tuple(self._away),
                        starter,
                        tuple(events),
                        tuple(past),
                    )
                    card = self._side.play(view, (self._name, self._deals))
                    if card is None:
                        raise RuntimeError(f"no card fits: {view}")
                    events.append(Event(True, card))
                    series.append(card)
                    self._type(f"{CARDS[card]}\n")
                case "Your hand scores":
                    self._type(f"{self._count(kept, starter, crib=False)}\n")
                case "Your crib scores":
                    crib = self._screen.cascade(0, 4)
                    self._type(f"{self._count(crib, starter, crib=True)}\n")
                case "Another game?":
                    break
        whole = "\n".join(self._screen.text(row) for row in range(_ROWS))
        if "YOU WON" in whole or "YOU SKUNKED" in whole or "YOU DOUBLE SKUNKED" in whole:
            return True
        if "I WON" in whole or "I SKUNKED" in whole or "I DOUBLE SKUNKED" in whole:
            return False
        raise RuntimeError(f"nobody has won:\n{whole}")

    def _prompts(self) -> Iterator[str]:
        """Yield each prompt at which the program waits."""
        for _ in range(_MOST_PROMPTS):
            waited = 0.0
            while True:
                ready, _, _ = select.select([self._terminal], [], [], _QUIET)
                if ready:
                    data = os.read(self._terminal, 65536)
                    self._screen.feed(data)
                    waited = 0.0
                    continue
                before = self._screen.text(self._screen.row, _MESSAGES, self._screen.column).strip()
                found = next((prompt for prompt in _PROMPTS if before.endswith(prompt)), None)
                if found is not None:
                    break
                waited += _QUIET
                if waited > _PATIENCE:
                    rows = "\n".join(self._screen.text(row) for row in range(_ROWS))
                    raise RuntimeError(f"no prompt:\n{rows}")
            yield found
        rows = "\n".join(self._screen.text(row) for row in range(_ROWS))
        raise RuntimeError(f"the game does not end:\n{rows}")

    def _type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())
        ready, _, _ = select.select([self._terminal], [], [], _PATIENCE)
        if not ready:
            raise RuntimeError(f"no answer to {keys!r}")

    def scores(self) -> tuple[int, int]:
        """Return the user's and the program's points, as shown on the screen."""
        mine, theirs = (
            int(re.findall(r"Score:\s+(\d+)", self._screen.text(row))[0]) for row in _SCORES
        )
        return mine, theirs

    def _weigh(self, hand: list[int], role: int, mine: int, theirs: int) -> None:
        """Add the luck of a deal. Raises RuntimeError if the hand is not the one that the seed
        produces."""
        cards = next(self._decks)
        if set(cards[6:12] if role == DEALER else cards[:6]) != set(hand):
            raise RuntimeError(f"dealt {hand} and not from {cards}")
        if role == DEALER:
            self.luck += luck(cards, mine, theirs)
        else:
            self.luck -= luck(cards, theirs, mine)

    def _starter(self, role: int) -> int:
        """Return the turned-up card, which is beside the hand of the crib's owner, or 0 while there
        is none."""
        column = 1 if role == DEALER else 27
        try:
            return CARDS.index(parse_card(self._screen.text(19, column, column + 2).strip()))
        except ValueError:
            return 0

    def _follow(self, kept: list[int], role: int, events: list[Event], series: list[int]) -> None:
        """Return the cards played since the last call, and the gos that ended a series."""
        table = self._screen.cascade(_TABLE, 8)
        if table[: len(series)] != series:
            series[:] = []
            while (state := now(role, events)).series:
                events.append(Event(state.turn, None))
        known = {event.card for event in events}
        for card in table[len(series) :]:
            if card not in known:
                events.append(Event(card in kept, card))
                known.add(card)
        series[:] = table
        for row in self._new_rows():
            for rank, suit in re.findall(r"I get \d+ playing " + _CARD.pattern, row):
                if _named(rank, suit) not in known:
                    events.append(Event(False, _named(rank, suit)))
                    series[:] = []

    def _new_rows(self) -> list[str]:
        """Return the message rows that have changed since the last call."""
        rows = [self._screen.text(row, _MESSAGES) for row in range(_ROWS)]
        new = [row for row, before in zip(rows, self._rows, strict=True) if row != before]
        self._rows = rows
        return new

    def _count(self, cards: list[int], starter: int, *, crib: bool) -> int:
        a, b, c, d = cards
        return total(a, b, c, d, starter, crib=crib)


def _named(rank: str, suit: str) -> int:
    return 13 * _SUITS.index(suit) + _RANKS.index(rank)
