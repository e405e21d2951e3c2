"""The record of a game between two houses as one of them has it, and what follows by itself.

Both houses keep the same lines in the same order, each with the cards that it has seen. Lines that
need no decision, hands dealt and cards turned up, both add by themselves as soon as they can see
what they may see. What was said is chained, so that a line means the same record in both houses.
Pure: random secrets are drawn by the caller, and messages and new lines are left in `out` and
`fresh`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from boardctl import games
from boardctl.console.keypad import seating
from boardctl.far import cards, group, shares
from boardctl.far import deal as dealing
from boardctl.far.cards import Holding, Line, Step, house_of
from boardctl.far.deal import Deal, Deviation
from boardctl.far.shares import Shares
from boardctl.far.shuffle import MOST, NoProof, Terms, size
from boardctl.games import IllegalMove, Kind, Move
from boardctl.games.cards import Card
from boardctl.record import notation
from boardctl.record.legal import accepted
from boardctl.record.position import Position, close
from boardctl.record.record import Record

UPDATE: Final = "update-your-board"
"""Why a game stops that the other board deals by an older protocol: it says so there."""
PIECE: Final = 16_384
"""The most bytes of a shuffle in one message, so that every pack fits into the channel."""


class Proposal(NamedTuple):
    """A game that both houses have agreed on. `ident`: 32 bytes drawn by both; `seats`: names by
    seat, those of house 1 at the odd seats; `options`: the values that are not the usual ones;
    `dealer`: who deals first, 0 if it is cut for."""

    ident: bytes
    game: str
    seats: tuple[str, ...]
    options: Mapping[str, str]
    dealer: int = 0


class Question(NamedTuple):
    """A line for which a house asks the other's consent. An answer names both fields."""

    number: int
    """How many lines the record has when it is asked."""
    line: str


@dataclass(frozen=True)
class Stop:
    """Why the game has stopped for good: `code` and `fields` for the sentence, `mine` if this house
    found it, and the number of the line at which it did."""

    code: str
    mine: bool
    number: int
    fields: Mapping[str, Any] = field(default_factory=dict)


def head(proposal: Proposal) -> list[Move]:
    """The lines that begin the game, every option with its value.

    Raises:
        IllegalMove: if there is no such game, option, value or number of seats.
    """
    game = games.find(proposal.game)
    moves = [Move("game", name=game.name), *seating(proposal.seats)]
    values = {option.name: option.default for option in game.options} | dict(proposal.options)
    moves += [Move("set", words=(name, value)) for name, value in values.items()]
    if proposal.dealer:
        moves.append(Move("dealer", numbers=(proposal.dealer,)))
    record = Record()
    for move in moves:
        record.apply(move)
    if record.position.state is None or len(proposal.seats) not in (2, 4):
        raise IllegalMove("seats-missing", allowed="2 or 4", players=(2, 4))
    return moves


class Work:
    """Arithmetic that takes long: `run` is pure, and may be called in another thread; what it
    returns or raises is taken by `Side.finish`."""

    def __init__(self, run: Callable[[], Any], then: Callable[[Any], None]) -> None:
        self.run, self.then = run, then


class Side(ABC):
    """The record of a game as one house has it, and what follows by itself."""

    def __init__(self, proposal: Proposal, house: int, draw: Callable[[int], bytes]) -> None:
        """Begin a game. `draw` returns so many random bytes. Raises IllegalMove as `head` does."""
        self.proposal = proposal
        self.house = house
        self._draw = draw
        self.record = Record()
        self.lines: list[Line] = []
        self.public: list[str] = []
        """The lines as both houses have them, which is all that an onlooker may know."""
        self.chain = group.digest("game", proposal.ident)
        self.deal: Deal | None = None
        self.coming: Deal | None = None
        """The deal after this one, which both houses shuffle while this one is played."""
        self.opened: list[dict[str, Any]] = []
        """Transcripts of deals that are over and were found true (`transcript`)."""
        self.numbers = 0
        """How many deals were begun, that for the cut among them."""
        self.stop: Stop | None = None
        self.question: Question | None = None
        """What the other house asks."""
        self.questioned_at = -1
        """The number of the question that the other house has asked last."""
        self.asked: Question | None = None
        """What this house asks."""
        self.asked_at = -1
        """The number of the question that this house has asked last."""
        self.declined: Question | None = None
        """A question of this house that the other does not agree to."""
        self.held: dict[int, Move] = {}
        """Moves of ours, by seat, that wait for the other house's."""
        self.passed = -1
        """The number of lines at which a claim was let stand."""
        self.out: list[dict[str, Any]] = []
        self.fresh: list[Line] = []
        self.work: Work | None = None
        """What has to be computed before anything else follows."""
        self.ahead: Work | None = None
        """What is computed of the coming deal, while this one is played."""
        self.inbox: list[Mapping[str, Any]] = []
        """Messages of the other house that wait to be taken."""
        self.arriving: list[Mapping[str, Any]] = []
        """Messages that were taken and are not checked yet: pieces of a shuffle, and shares."""
        self._granted: Question | None = None
        self._in_effect: list[Line] = []
        self._since = 0
        self._due: set[int] = set()
        self._given: set[int] = set()
        self._lock_told = False
        self._lock: bytes | None = None
        """The other house's lock, told at the end of a deal."""
        self._written = 0
        """How many lines are in the transcripts of the deals before."""
        for move in head(proposal):
            self._append(move, 0)
        self.fresh.clear()
        self.beginning = len(self.lines)

    # What is due

    @property
    def position(self) -> Position:
        return self.record.position

    @property
    def is_done(self) -> bool:
        """Whether the game is over and its last deal was opened."""
        return self.ended and self.deal is None

    @property
    def ended(self) -> bool:
        """Whether nothing can be said any more: the game is over, or won and nobody calls."""
        asks = self.position.prompt.asks
        others = any(ask.move.verb != "muggins" for ask in asks)
        return self.position.over or not (others or self.caller())

    @property
    def is_withheld(self) -> bool:
        """Whether the last line ends the game, and does not count yet: its deal is not open."""
        return self.position.over and self.deal is not None

    @property
    def is_claimed(self) -> bool:
        """Whether the last line wins unless it is called (muggins), and its deal is not open."""
        return self.deal is not None and close(self.position).state.over

    @property
    def is_unopened(self) -> bool:
        """Whether the other house has not told the lock of a deal that is over."""
        return self.deal is not None and self._lock_told and self._lock is None

    def turn(self) -> int:
        """The seat whose decision is due, 0 if nobody's is."""
        return cards.turn(self.position)

    @property
    def is_ours(self) -> bool:
        """Whether this house may say the next line."""
        if self.stop is not None or self._granted is not None or self.step() is not None:
            return False
        if self._waits_for_deal():
            return False
        caller = self.caller()
        if caller:
            return house_of(caller) == self.house
        turn = self.turn()
        return bool(turn) and house_of(turn) == self.house

    def caller(self) -> int:
        """The seat that may call what was claimed last, before the game goes on; 0 if none."""
        return 0 if self.passed == len(self.lines) else cards.caller(self.position)

    def _waits_for_deal(self) -> bool:
        """Whether a deal is over, and not opened by both houses yet."""
        return self.deal is not None and self._is_over()

    def _is_over(self) -> bool:
        """Whether the cards of the current pack are everybody's."""
        return self.ended or cards.is_over(self.position)

    def step(self) -> Step | None:
        """The next line that follows by itself."""
        if self.stop is not None or self.ended:
            return None
        calls = bool(self.caller())
        return cards.following(self.position, self.holdings(), not (self.turn() or calls), calls)

    def holdings(self) -> dict[int, Holding]:
        """Where the cards of the current pack are; all are in it before it was begun."""
        if self.deal is None:
            return {}
        return cards.holdings(self.position.game, self._in_effect[self._since :])

    def _is_secret(self, move: Move) -> bool:
        game = self.position.game
        return game is not None and game.secret(move)

    def _shares_of(self, house: int) -> set[int]:
        """The places whose shares a house is to give now."""
        return cards.shares_of(house, cards.wanted(self.holdings(), self.step()))

    def _pack(self) -> tuple[Card, ...]:
        game = self.position.game
        assert game is not None
        return cards.pack_of(game)

    def _public(self, move: Move) -> str:
        game = self.position.game
        return notation.spell(move if game is None else game.veiled(move))

    def _shown(self, move: Move) -> Move:
        """A line with all cards that it lays on the table, as the other house must see it."""
        game, state = self.position.game, self.position.state
        if game is not None and game.kind(move) is Kind.MELD and not move.cards:
            named = (move._replace(cards=(card,)) for card in game.pack)
            return next((one for one in named if accepted(self.record, one)), move)
        if game is None or not game.opens(move):
            return move
        (shown,) = game.seen(state, move, (), None)
        return shown

    def _append(
        self, move: Move, by: int, places: tuple[int, ...] = (), public: str | None = None
    ) -> None:
        """Add a line; `public` is its text as both houses have it, if it says more. Raises
        IllegalMove; nothing has changed then."""
        public = public or self._public(move)
        self.record.apply(move)
        line = Line(notation.spell(move), by, places)
        if move.verb == "undo":
            del self._in_effect[len(self._in_effect) - (move.numbers[0] if move.numbers else 1) :]
        else:
            self._in_effect.append(line)
        said = bytes([by]) + b"".join(place.to_bytes(2, "big") for place in places)
        self.chain = group.digest("line", self.chain, public.encode(), said)
        self.lines.append(line)
        self.public.append(public)
        self.fresh.append(line)
        self.question = self.asked = self.declined = self._granted = None
        if move.verb in ("undo", "deal", "misdeal"):
            self.held.clear()

    # What follows by itself

    def settle(self) -> None:
        """Do whatever follows without a decision: shuffle, give shares, add lines, open a finished
        deal, take the messages that wait. It goes on until something has to be computed (`work`).
        A deal that is found to be false then stops the game."""
        while self.stop is None and self.work is None:
            if not self._checked(lambda: self._once() or self._next()):
                return

    @property
    def due_work(self) -> Work | None:
        """What is to be computed next."""
        return self.work or self.ahead

    def finish(self, work: Work, found: Callable[[], Any]) -> None:
        """Go on with what `work` has found: `found` returns it, or raises its Deviation."""
        if work is self.work:
            self.work = None
        elif work is self.ahead:
            self.ahead = None
        else:
            return
        if self.stop is None:
            self._checked(lambda: work.then(found()))
            self.settle()

    def _checked(self, act: Callable[[], bool | None]) -> bool | None:
        """Do something that what the other house has sent may prove to be false."""
        try:
            return act()
        except Deviation as found:
            self._halt(found.code, found.fields)
        except IllegalMove as error:
            self._halt("rejected", {"why": error.code, "line": ""})
        return None

    @abstractmethod
    def _next(self) -> bool:
        """Take the next message that waits; whether there was one."""

    def _once(self) -> bool:
        if self._prepare():
            return True
        if self.deal is None and self.ended:
            self._write_rest()
            return False
        if self.deal is None:
            return self._begin_deal()
        if self._is_over():
            return self._close()
        self._due |= self._shares_of(3 - self.house)
        places = self._shares_of(self.house) - self._given
        if places:
            self.work = Work(partial(dealing.share, self.deal, sorted(places)), self._shared)
            return True
        return self._follow(self.deal)

    def _prepare(self) -> bool:
        """Begin to shuffle the coming deal, if that is this house's to do now."""
        if self.ahead is not None or self.position.game is None:
            return False
        if self.ended:
            self.coming = None
            return False
        if self.deal is not None and self.step() is not None:
            return False  # the cards that people wait for come first
        if self._coming().is_ours:
            self.ahead = Work(partial(dealing.make, self._coming()), self._made)
            return True
        return False

    def _coming(self) -> Deal:
        """The deal after this one."""
        if self.coming is None:
            terms = Terms(self.proposal.ident, self.numbers + 1, len(self._pack()))
            self.coming = Deal(terms, self.house, self._draw(32))
        return self.coming

    def _made(self, made: tuple[Deal, bytes]) -> None:
        """Send a shuffle that this house has made, unless no deal comes any more."""
        deal, raw = made
        if self.coming is None:
            return
        self.coming = deal
        for at in range(0, len(raw), PIECE):
            piece = b64encode(raw[at : at + PIECE]).decode()
            self.out.append({"t": "shuffle", "deal": deal.terms.number, "at": at, "piece": piece})

    def _take_shuffle(self, message: Mapping[str, Any], number: int, at: int, piece: str) -> None:
        """Take a piece of the other house's shuffle; with the last one it is checked. Raises
        Deviation."""
        if self.ended and number == self.numbers + 1:
            return  # it was made before the last line was heard there
        coming = self._coming()
        due = number == coming.terms.number and not (coming.is_dealt or coming.is_ours)
        before = [one for one in self.arriving if one["t"] == "shuffle"]
        if not due or self.ahead is not None or at != PIECE * len(before):
            raise Deviation("out-of-turn", number=number)
        whole = size(coming.terms.size)
        part = b64decode(piece, validate=True)
        if len(part) != min(PIECE, whole - at):
            raise Deviation("bad-pack", number=number)
        self.arriving.append(message)
        if at + len(part) == whole:
            raw = b"".join(b64decode(one["piece"]) for one in before) + part
            self.ahead = Work(partial(dealing.take, coming, raw), self._arrived)

    def _arrived(self, deal: Deal) -> None:
        """The other house's shuffle is one."""
        self.arriving = [one for one in self.arriving if one["t"] != "shuffle"]
        if self.coming is not None:
            self.coming = deal

    def _begin_deal(self) -> bool:
        """Begin the deal that both houses have shuffled, when its first card is due."""
        if self.step() is None or self.coming is None or not self.coming.is_dealt:
            return False
        self.deal, self.coming = self.coming, None
        self.numbers += 1
        self._since = len(self._in_effect)
        self._due, self._given, self._lock_told, self._lock = set(), set(), False, None
        return True

    def _shared(self, given: Shares) -> None:
        """Send shares of places, which this house has made."""
        assert self.deal is not None
        self._given |= set(given.places)
        self.out.append({"t": "shares", "deal": self.deal.terms.number, **said(given)})

    def _taken(self, deal: Deal) -> None:
        """The other house's shares are true."""
        self.deal = deal
        self.arriving = [one for one in self.arriving if one["t"] != "shares"]

    def _follow(self, deal: Deal) -> bool:
        """Add the next line that follows by itself, if its cards are known as far as they may."""
        coming = self.step()
        if coming is None:
            return False
        move = cards.cards_of(coming, deal, self.house, self._pack())
        if move is None:
            return False
        self._append(move, 0)
        return True

    def _close(self) -> bool:
        """Open a deal that is over, and every card of it once the other house has too."""
        assert self.deal is not None
        if not self._lock_told:
            self._lock_told = True
            opened = {"t": "lock", "deal": self.deal.terms.number}
            self.out.append({**opened, "lock": group.encoded(self.deal.lock).hex()})
        if self._lock is None:
            return False
        self.work = Work(partial(dealing.close, self.deal, self._lock), self._closed)
        return True

    def _closed(self, order: tuple[int, ...]) -> None:
        """A deal is open: the referee plays it again with every card known."""
        game = self.position.game
        assert self.deal is not None
        assert self._lock is not None
        assert game is not None
        self.opened.append(self._transcript(self.deal, self._lock))
        self._written = len(self.lines)
        before = self.record.position_at(self._since)
        cards.replay(game, before, self._in_effect[self._since :], order)
        self.deal = None

    def _transcript(self, deal: Deal, lock: bytes) -> dict[str, Any]:
        """A deal that is over, with the lines since the one before, as anybody can check it
        (`proof`)."""
        own = group.encoded(deal.lock)
        one, two = (own, lock) if deal.house == 1 else (lock, own)
        return {
            **self._since_then(),
            "number": deal.terms.number,
            "cards": deal.terms.size,
            "keys": [locked.key.hex() for locked in deal.shuffles],
            "packs": [b64encode(b"".join(locked.pack)).decode() for locked in deal.shuffles],
            "locks": [one.hex(), two.hex()],
        }

    def _since_then(self) -> dict[str, Any]:
        """The lines since the transcript before."""
        lines = list(zip(self.public, self.lines, strict=True))[self._written :]
        return {
            "protocol": group.PROTOCOL,
            "game": self.proposal.ident.hex(),
            "lines": [[public, line.by, list(line.places)] for public, line in lines],
        }

    def _write_rest(self) -> None:
        """Add the lines after the last deal to the transcripts."""
        if self._written < len(self.lines):
            self.opened.append({**self._since_then(), "number": 0})
            self._written = len(self.lines)

    def _halt(self, code: str, fields: Mapping[str, Any]) -> None:
        self.stop = Stop(code, True, len(self.lines), dict(fields))
        self.held.clear()
        self.question = self.asked = self.declined = None
        self.inbox.clear()
        self.arriving.clear()
        self.coming = self.ahead = None
        self.out.append({"t": "stop", "code": code, "n": len(self.lines)})


def said(given: Shares) -> dict[str, Any]:
    """Shares as a message says them."""
    return {"places": list(given.places), "shares": b64encode(given.raw).decode()}


def heard(places: Sequence[int], raw: str) -> Shares:
    """The shares of these places that a message says. Raises ValueError if it says none."""
    if len(places) > MOST:
        raise NoProof("form")
    return shares.parsed(places, b64decode(raw, validate=True))
