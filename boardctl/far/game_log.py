"""One house's record of a game between two houses, and the automatic lines.

Both houses keep the same lines in the same order, but each with only the cards that it has seen.
Lines that need no decision, such as dealt hands and turned-up cards, are added automatically by
each house once it has seen the cards that it may see. Lines are chained by a hash, so that equal
hashes imply equal records. Pure: the caller draws the random secrets, and takes messages from `out`
and new lines from `unapplied`.
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
from boardctl.far.cards import Line, Step, party_of
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
"""The code of a stop because the other board deals by an older protocol. The other board reports
this stop."""
PIECE: Final = 16_384
"""The maximum number of bytes of a shuffle in one message. With it, every pack fits into the
channel."""


class Proposal(NamedTuple):
    """A game that both houses have agreed on. `ident` is 32 bytes, drawn by both houses together.
    `seats` contains the names by seat; house 1 has the odd seats. `options` are the values that
    differ from the usual rules. `dealer` is the first dealer, or 0 if the players cut for the
    deal."""

    ident: bytes
    game: str
    seats: tuple[str, ...]
    options: Mapping[str, str]
    dealer: int = 0


class Question(NamedTuple):
    """A line that needs the other house's consent. Both fields are repeated in the answer."""

    number: int
    """The number of lines in the record when the question is asked."""
    line: str


@dataclass(frozen=True)
class Stop:
    """The reason why the game has stopped permanently: `code` and `fields` of the sentence, `mine`
    if this house stopped the game, and the number of the line at which the game stopped."""

    code: str
    mine: bool
    number: int
    fields: Mapping[str, Any] = field(default_factory=dict)


def head(proposal: Proposal) -> list[Move]:
    """Return the lines that begin the game, with the value of every option.

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
    """A long computation. `run` is pure and may be called in another thread. Its result or
    exception is passed to `GameLog.finish`."""

    def __init__(self, run: Callable[[], Any], then: Callable[[Any], None]) -> None:
        self.run, self.then = run, then


class GameLog(ABC):
    """One house's record of a game, and the automatic lines."""

    def __init__(self, proposal: Proposal, party: int, draw: Callable[[int], bytes]) -> None:
        """Begin a game. `draw` returns a given number of random bytes. Raises IllegalMove with a
        code of `head`."""
        self.proposal = proposal
        self.party = party
        self._draw = draw
        self.record = Record()
        self.lines: list[Line] = []
        self.public: list[str] = []
        """The lines in the form that both houses share. An onlooker may see only these."""
        self.chain = group.digest("game", proposal.ident)
        self.deal: Deal | None = None
        self.coming: Deal | None = None
        """The next deal, which both houses shuffle during the current deal."""
        self.verified: list[dict[str, Any]] = []
        """Transcripts of finished and verified deals (`transcript`)."""
        self.deals_begun = 0
        """The number of deals begun, including the deal for the cut."""
        self.stop: Stop | None = None
        self.question: Question | None = None
        """The other house's question."""
        self.questioned_at = -1
        """The number of the other house's last question."""
        self.own_question: Question | None = None
        """This house's question."""
        self.asked_at = -1
        """The number of this house's last question."""
        self.declined: Question | None = None
        """A question of this house that the other house has refused."""
        self.queued: dict[int, Move] = {}
        """Our moves, by seat, that wait for a line from the other house."""
        self.waived_at = -1
        """The number of lines in the record when a claim was accepted without a call."""
        self.out: list[dict[str, Any]] = []
        self.unapplied: list[Line] = []
        self.work: Work | None = None
        """The computation that must finish before any other step."""
        self.ahead: Work | None = None
        """The computation for the next deal, which runs during the current deal."""
        self.inbox: list[Mapping[str, Any]] = []
        """Messages from the other house that wait to be handled."""
        self.arriving: list[Mapping[str, Any]] = []
        """Messages that have not yet been checked: pieces of a shuffle, and shares."""
        self.granted: Question | None = None
        """The other house's question that this house has granted."""
        self.in_effect: list[Line] = []
        self.deal_start = 0
        """The number of lines in effect before the current deal."""
        self._dealt = cards.HoldingsReader()
        self.awaited_places: set[int] = set()
        """The places of cards whose shares this house needs from the other one."""
        self.shared_places: set[int] = set()
        """The places of cards whose shares this house has sent."""
        self.has_revealed_lock = False
        """Whether this house has revealed its lock at the end of the deal."""
        self.other_lock: bytes | None = None
        """The other house's lock, revealed at the end of a deal."""
        self.lines_transcribed = 0
        """The number of lines in the transcripts of earlier deals."""
        for move in head(proposal):
            self._append(move, 0)
        self.unapplied.clear()
        self.beginning = len(self.lines)

    # The next step

    @property
    def position(self) -> Position:
        return self.record.position

    @property
    def is_done(self) -> bool:
        """Whether the game is over and its last deal has been opened."""
        return self.ended and self.deal is None

    @property
    def ended(self) -> bool:
        """Whether no line can follow, because the game is over, or has been won and not called."""
        asks = self.position.prompt.asks
        others = any(ask.move.verb != "muggins" for ask in asks)
        return self.position.over or not (others or self.caller())

    @property
    def is_withheld(self) -> bool:
        """Whether the last line ends the game but does not count yet, because its deal has not been
        opened."""
        return self.position.over and self.deal is not None

    @property
    def is_claimed(self) -> bool:
        """Whether the last line wins the game unless muggins is called, and its deal has not been
        opened."""
        return self.deal is not None and close(self.position).state.over

    @property
    def is_unopened(self) -> bool:
        """Whether the other house has not revealed the lock of a finished deal."""
        return self.deal is not None and self.has_revealed_lock and self.other_lock is None

    def turn(self) -> int:
        """The seat that must decide next, or 0 if no seat must decide."""
        return cards.turn(self.position)

    @property
    def is_ours(self) -> bool:
        """Whether this house may enter the next line."""
        if self.stop is not None or self.granted is not None or self.step() is not None:
            return False
        if self._waits_for_deal():
            return False
        caller = self.caller()
        if caller:
            return party_of(caller) == self.party
        turn = self.turn()
        return bool(turn) and party_of(turn) == self.party

    def caller(self) -> int:
        """Return the seat that may call muggins on the last claim before the game continues, or 0
        if no seat may."""
        return 0 if self.waived_at == len(self.lines) else cards.caller(self.position)

    def _waits_for_deal(self) -> bool:
        """Return whether a finished deal has not yet been opened by both houses."""
        return self.deal is not None and self._is_over()

    def _is_over(self) -> bool:
        """Return whether both houses know every card of the current pack."""
        return self.ended or cards.is_over(self.position)

    def step(self) -> Step | None:
        """Return the next automatic line."""
        if self.stop is not None or self.ended:
            return None
        calls = bool(self.caller())
        return cards.following(self.position, self.holdings(), not (self.turn() or calls), calls)

    def holdings(self) -> cards.Holdings:
        """Return the location of every card of the current pack. Before the deal, all cards are in
        the pack."""
        if self.deal is None:
            return {}
        return self._dealt.after(self.position.game, self.in_effect[self.deal_start :])

    def _is_secret(self, move: Move) -> bool:
        game = self.position.game
        return game is not None and game.secret(move)

    def _shares_of(self, party: int) -> set[int]:
        """Return the pack positions whose shares this house must send now."""
        return cards.shares_of(party, cards.wanted(self.holdings(), self.step()))

    def _pack(self) -> tuple[Card, ...]:
        game = self.position.game
        assert game is not None
        return cards.pack_of(game)

    def _public(self, move: Move) -> str:
        game = self.position.game
        return notation.spell(move if game is None else game.hide_cards(move))

    def _with_cards(self, move: Move) -> Move:
        """Return a line as the other house may see it, with all the cards that it shows."""
        game, state = self.position.game, self.position.state
        if game is not None and game.kind(move) is Kind.MELD and not move.cards:
            named = (move._replace(cards=(card,)) for card in game.pack)
            return next((one for one in named if accepted(self.record, one)), move)
        if game is None or not game.opens(move):
            return move
        (shown,) = game.visible_lines(state, move, (), None)
        return shown

    def _append(
        self, move: Move, by: int, places: tuple[int, ...] = (), public: str | None = None
    ) -> None:
        """Add a line. `public` is the text shared by both houses, if it contains more. If
        IllegalMove is raised, the state is unchanged.
        """
        public = public or self._public(move)
        self.record.apply(move)
        line = Line(notation.spell(move), by, places)
        if move.verb == "undo":
            del self.in_effect[len(self.in_effect) - (move.numbers[0] if move.numbers else 1) :]
        else:
            self.in_effect.append(line)
        said = bytes([by]) + b"".join(place.to_bytes(2, "big") for place in places)
        self.chain = group.digest("line", self.chain, public.encode(), said)
        self.lines.append(line)
        self.public.append(public)
        self.unapplied.append(line)
        self.question = self.own_question = self.declined = self.granted = None
        if move.verb in ("undo", "deal", "misdeal"):
            self.queued.clear()

    def restore(self, move: Move, by: int, places: tuple[int, ...]) -> None:
        """Add a line of a stored game. Raises IllegalMove if the referee rejects it."""
        own = by == self.party
        self._append(move, by, places, self._public(self._with_cards(move)) if own else None)

    # Automatic steps

    def settle(self) -> None:
        """Take all steps that need no decision: shuffle, send shares, add lines, open a finished
        deal, and handle waiting messages. Stop at a pending computation (`work`). A deal that
        proves to be false stops the game."""
        while self.stop is None and self.work is None:
            if not self._checked(lambda: self._once() or self._next()):
                return

    @property
    def due_work(self) -> Work | None:
        """Return the next computation."""
        return self.work or self.ahead

    def finish(self, work: Work, found: Callable[[], Any]) -> None:
        """Continue after `work`. `found` returns the computation's result, or raises its
        Deviation."""
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
        """Run a step in which false data from the other house may be discovered."""
        try:
            return act()
        except Deviation as found:
            self._halt(found.code, found.fields)
        except IllegalMove as error:
            self._halt("rejected", {"why": error.code, "line": ""})
        return None

    @abstractmethod
    def _next(self) -> bool:
        """Handle the next waiting message, and return whether there was one."""

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
        self.awaited_places |= self._shares_of(3 - self.party)
        places = self._shares_of(self.party) - self.shared_places
        if places:
            self.work = Work(partial(dealing.share, self.deal, sorted(places)), self._shared)
            return True
        return self._follow(self.deal)

    def _prepare(self) -> bool:
        """Start shuffling the next deal if it is this house's turn to shuffle."""
        if self.ahead is not None or self.position.game is None:
            return False
        if self.ended:
            self.coming = None
            return False
        if self.deal is not None and self.step() is not None:
            return False  # the cards that people are waiting for come first
        if self._coming().is_ours:
            self.ahead = Work(partial(dealing.make, self._coming()), self._made)
            return True
        return False

    def _coming(self) -> Deal:
        """Return the deal after the current one."""
        if self.coming is None:
            terms = Terms(self.proposal.ident, self.deals_begun + 1, len(self._pack()))
            self.coming = Deal(terms, self.party, self._draw(32))
        return self.coming

    def _made(self, made: tuple[Deal, bytes]) -> None:
        """Send this house's shuffle, unless no further deal follows."""
        deal, raw = made
        if self.coming is None:
            return
        self.coming = deal
        for at in range(0, len(raw), PIECE):
            piece = b64encode(raw[at : at + PIECE]).decode()
            self.out.append({"t": "shuffle", "deal": deal.terms.number, "at": at, "piece": piece})

    def _take_shuffle(self, message: Mapping[str, Any], number: int, at: int, piece: str) -> None:
        """Take a piece of the other house's shuffle. The last piece starts the check. Raises
        Deviation."""
        if self.ended and number == self.deals_begun + 1:
            return  # the piece was made before the last line arrived there
        coming = self._coming()
        is_next = number == coming.terms.number and not (coming.is_dealt or coming.is_ours)
        before = [one for one in self.arriving if one["t"] == "shuffle"]
        if not is_next or self.ahead is not None or at != PIECE * len(before):
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
        """Accept the other house's shuffle as proven."""
        self.arriving = [one for one in self.arriving if one["t"] != "shuffle"]
        if self.coming is not None:
            self.coming = deal

    def _begin_deal(self) -> bool:
        """Begin the deal that both houses have shuffled, when its first card is needed."""
        if self.step() is None or self.coming is None or not self.coming.is_dealt:
            return False
        self.deal, self.coming = self.coming, None
        self.deals_begun += 1
        self.deal_start = len(self.in_effect)
        self.awaited_places, self.shared_places, self.has_revealed_lock, self.other_lock = (
            set(),
            set(),
            False,
            None,
        )
        return True

    def _shared(self, given: Shares) -> None:
        """Send this house's shares of some positions."""
        assert self.deal is not None
        self.shared_places |= set(given.places)
        self.out.append({"t": "shares", "deal": self.deal.terms.number, **shares_message(given)})

    def _taken(self, deal: Deal) -> None:
        """Accept the other house's shares as valid."""
        self.deal = deal
        self.arriving = [one for one in self.arriving if one["t"] != "shares"]

    def _follow(self, deal: Deal) -> bool:
        """Add the next automatic line if enough of its cards are known."""
        coming = self.step()
        if coming is None:
            return False
        move = cards.cards_of(coming, deal, self.party, self._pack())
        if move is None:
            return False
        self._append(move, 0)
        return True

    def _close(self) -> bool:
        """Open a finished deal, and show all its cards once the other house has opened it too."""
        assert self.deal is not None
        if not self.has_revealed_lock:
            self.has_revealed_lock = True
            opened = {"t": "lock", "deal": self.deal.terms.number}
            self.out.append({**opened, "lock": group.encoded(self.deal.lock).hex()})
        if self.other_lock is None:
            return False
        places = sorted(self.holdings())
        self.work = Work(partial(dealing.close, self.deal, self.other_lock, places), self._closed)
        return True

    def _closed(self, opened: Mapping[int, int]) -> None:
        """Check an open deal, given its cards by position. The referee replays the deal with every
        card known."""
        game = self.position.game
        assert self.deal is not None
        assert self.other_lock is not None
        assert game is not None
        self.verified.append(self._transcript(self.deal, self.other_lock))
        self.lines_transcribed = len(self.lines)
        before = self.record.position_at(self.deal_start)
        cards.replay(game, before, self.in_effect[self.deal_start :], opened)
        self.deal = None

    def _transcript(self, deal: Deal, lock: bytes) -> dict[str, Any]:
        """Return the transcript of a finished deal, with the lines since the previous transcript,
        so that anybody can check the deal (`proof`)."""
        own = group.encoded(deal.lock)
        one, two = (own, lock) if deal.party == 1 else (lock, own)
        return {
            **self._since_then(),
            "number": deal.terms.number,
            "cards": deal.terms.size,
            "keys": [locked.key.hex() for locked in deal.shuffles],
            "packs": [b64encode(b"".join(locked.pack)).decode() for locked in deal.shuffles],
            "locks": [one.hex(), two.hex()],
        }

    def _since_then(self) -> dict[str, Any]:
        """Return the lines since the previous transcript."""
        lines = list(zip(self.public, self.lines, strict=True))[self.lines_transcribed :]
        return {
            "protocol": group.PROTOCOL,
            "game": self.proposal.ident.hex(),
            "lines": [[public, line.by, list(line.places)] for public, line in lines],
        }

    def _write_rest(self) -> None:
        """Add the lines that follow the last deal to the transcripts."""
        if self.lines_transcribed < len(self.lines):
            self.verified.append({**self._since_then(), "number": 0})
            self.lines_transcribed = len(self.lines)

    def _halt(self, code: str, fields: Mapping[str, Any]) -> None:
        self.stop = Stop(code, True, len(self.lines), dict(fields))
        self.queued.clear()
        self.question = self.own_question = self.declined = None
        self.inbox.clear()
        self.arriving.clear()
        self.coming = self.ahead = None
        self.out.append({"t": "stop", "code": code, "n": len(self.lines)})


def shares_message(given: Shares) -> dict[str, Any]:
    """Convert shares to the form used in messages."""
    return {"places": list(given.places), "shares": b64encode(given.raw).decode()}


def heard(places: Sequence[int], raw: str) -> Shares:
    """Return the shares of these positions from a message. Raises ValueError if the message
    contains none."""
    if len(places) > MOST:
        raise NoProof("form")
    return shares.parsed(places, b64decode(raw, validate=True))
