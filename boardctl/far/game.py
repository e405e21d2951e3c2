"""One game between two houses: the lines that each house may enter, and the messages from the other
house.

At any time, only one house may add a line: the house of the seat that must decide. A message that
violates the protocol, or a line that this board's referee rejects, stops the game
(docs/far-protocol.md). Records are never merged. Pure.
"""

from __future__ import annotations

import binascii
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NoReturn

from boardctl.far import cards
from boardctl.far import deal as dealing
from boardctl.far.cards import (
    CALL,
    DEALT,
    NOT_DEALT,
    Holding,
    party_of,
)
from boardctl.far.deal import Deviation
from boardctl.far.game_log import GameLog, Question, Stop, Work, heard, shares_message
from boardctl.far.limits import LINES
from boardctl.far.shares import Shares
from boardctl.far.shuffle import NoProof
from boardctl.games import IllegalMove, Kind, Move
from boardctl.record import notation

CONSENT: Final = (Kind.UNDO, Kind.AGREEMENT, Kind.ADJUST)
"""Lines that need the other house's consent."""
NOT_HERE: Final = (
    *(Kind.CORRECTION, Kind.SETUP, Kind.SESSION, Kind.HINT),
    *NOT_DEALT,
    *DEALT,
)
"""Lines that nobody may enter in a game between two houses, because both houses deal the cards."""
LONGEST: Final = 200
"""The maximum displayed length of a line from the other house."""
_CODE: Final = re.compile("[a-z-]{1,40}")


class FarGame(GameLog):
    """One house's side of a game."""

    # Our own lines

    def check(self, move: Move, seat: int | None) -> None:
        """Check that this house may enter a line now, on this seat's phone. A line that needs
        consent is sent as a question, and a line entered before its turn is stored. In both cases,
        IllegalMove is raised to report this.

        Raises:
            IllegalMove: `far-stopped`, `far-cards`, `far-asked`, `far-held`, `far-turn`,
            `far-waits`, `far-theirs`, `far-phone`, or the referee's refusal.
        """
        kind = self.position.kind(move)
        if self.stop is not None:
            raise IllegalMove("far-stopped")
        if len(self.lines) >= LINES:
            raise IllegalMove("far-long")
        if kind in NOT_HERE:
            raise IllegalMove("far-cards")
        if kind in CONSENT:
            if self.granted is not None or self.step() is not None:
                raise IllegalMove("far-waits")  # the next line would invalidate the question
            move = self._whole(move)
            self._check_consent(move)
            self.own_question, self.declined = Question(len(self.lines), notation.spell(move)), None
            self.asked_at = len(self.lines)
            self.out.append({"t": "ask", "n": self.own_question[0], "line": self.own_question[1]})
            raise IllegalMove("far-asked")
        if move.seat is not None and party_of(move.seat) != self.party:
            raise IllegalMove("far-theirs")
        if any(not card.is_known for card in move.cards):
            raise IllegalMove("far-cards")
        if move.cards and self.deal is None:
            raise IllegalMove("far-waits")
        calls = self.caller()
        if not calls or party_of(calls) != self.party:
            if self._is_due(move):
                self.record.try_out(move)
                return
            self._wait(move, seat)
        if self._is_call(move, calls):
            self.record.try_out(move)
            return
        if cards.is_drawing(self.position):
            raise IllegalMove("far-draw")
        turn = self.turn()
        if not turn or party_of(turn) != self.party or (move.seat or turn) != turn:
            raise self._not_due()
        self.record.try_out(move)
        self.let_stand()  # a player who continues forgoes the call
        if not self._is_due(move):
            raise IllegalMove("far-waits")

    def _wait(self, move: Move, seat: int | None) -> NoReturn:
        """Store a throw that a player enters early on the player's own phone. No other early line
        is judged: the referee knows both partners' hands, so a player could learn the partner's
        cards by trying lines. Always raises IllegalMove."""
        if self.step() is not None:
            raise IllegalMove("far-waits")
        if not move.seat or not self._is_secret(move):
            raise self._not_due()
        if move.seat != seat:
            raise IllegalMove("far-phone")
        self.record.try_out(move)
        self.queued[move.seat] = move
        raise IllegalMove("far-held")

    def _not_due(self) -> IllegalMove:
        """Return the error for a line entered before its turn. It names the seat whose turn it is,
        if any."""
        seat = self.caller() or self.turn()
        return IllegalMove("far-turn", seat=seat) if seat else IllegalMove("far-waits")

    def _is_due(self, move: Move) -> bool:
        """Return whether it is the turn of this house and of the line's seat."""
        return self.is_ours and self.turn() == (move.seat or self.turn())

    def commit(self, move: Move) -> None:
        """Add one of our lines, after `check` has allowed it."""
        places: tuple[int, ...] = ()
        shown = self._with_cards(move)
        if self.deal is not None and move.seat is not None:
            held, pack = self.holdings(), self._pack()
            places = cards.places_of(shown, self.deal, held, pack, self._one_of)
        if self._is_secret(move):
            # otherwise the order of the positions would reveal the order of the hand
            places = tuple(sorted(places))
        opened: dict[str, Any] = {"places": list(places), "shares": ""}
        is_open = self.deal is not None and places and not self._is_secret(move)
        if self.deal is not None and is_open:
            opened = {**shares_message(dealing.share(self.deal, places)), "places": list(places)}
        public = self._public(shown)
        number = len(self.lines)
        self._append(move, self.party, places, public)
        self.shared_places |= set(places) if is_open else set()
        self.out.append(
            {
                "t": "line",
                "n": number,
                "line": public,
                **opened,
                "chain": self.chain.hex(),
                "scores": list(self.position.scores),
            }
        )
        self.settle()

    def _one_of(self, places: Sequence[int]) -> int:
        """Choose one of these positions at random."""
        return places[int.from_bytes(self._draw(8), "big") % len(places)]

    def say(self, move: Move) -> None:
        """Check a line and add it. Raises IllegalMove with a code of `check`."""
        self.check(move, move.seat)
        self.commit(move)

    def ready(self) -> Move | None:
        """Return the stored move, if its turn has come."""
        move = self.queued.pop(self.turn(), None) if self.is_ours else None
        if move is None:
            return None
        try:
            self.record.try_out(move)
        except IllegalMove:
            return None
        return move

    def let_stand(self) -> None:
        """Do not call muggins on the other house's claim."""
        if self.caller() and party_of(self.caller()) == self.party:
            self.waived_at = len(self.lines)
            self.out.append({"t": "stand", "n": self.waived_at})
            self.settle()

    def answer(self, question: Question, yes: bool) -> None:
        """Answer the other house's question. Raises IllegalMove (`far-other-question`) if the
        question has changed since it was read."""
        if self.question is None or question != self.question:
            raise IllegalMove("far-other-question")
        number, _ = self.question
        self.question = None
        if yes:
            self.granted = question
        self.out.append({"t": "answer", "n": number, "yes": yes})

    def _whole(self, move: Move) -> Move:
        """Extend an undo back to a decision, because automatic lines would only be added again."""
        if move.verb != "undo":
            return move
        steps = undone(move)
        while steps < len(self.in_effect) and self.in_effect[-steps].by == 0:
            steps += 1
        return Move("undo", numbers=(steps,)) if steps > 1 else Move("undo")

    def _check_consent(self, move: Move) -> None:
        """Check that a line may be sent as a question at all. Raises IllegalMove if not."""
        if self.own_question is not None and self.own_question[0] == len(self.lines):
            raise IllegalMove("far-asked")
        if self.question is not None and self.question[0] == len(self.lines):
            raise IllegalMove("far-asks")
        if self.asked_at == len(self.lines):
            raise IllegalMove("far-asked-once")
        if move.seat is not None and party_of(move.seat) != self.party:
            raise IllegalMove("far-theirs")
        self._check_reach(move)
        self.record.copy().apply(move)

    def _check_reach(self, move: Move) -> None:
        """Check that a house may ask for this line now. An undo may not take back a dealt card, an
        opened deal, or the lines that begin the game. Raises IllegalMove if the check fails."""
        if move.verb != "undo":
            if self._waits_for_deal():
                raise IllegalMove("far-waits")
            return
        kept = len(self.in_effect) - undone(move)
        if self.deal is None or self._is_over() or kept < max(self.deal_start, self.beginning):
            raise IllegalMove("far-opened")
        if any(line.by == 0 and _dealt(line.text) for line in self.in_effect[kept:]):
            raise IllegalMove("far-opened")

    # The other house's messages

    def receive(self, message: Mapping[str, Any]) -> None:
        """Handle a message from the other house. A violation of the protocol or the rules stops the
        game."""
        if self.stop is None:
            self.inbox.append(message)
            self.settle()

    def _next(self) -> bool:
        if not self.inbox or (self.ahead is not None and self.deal is None):
            return False  # until the next deal has arrived
        message = self.inbox.pop(0)
        try:
            self._take(message)
        except IllegalMove as error:
            line = str(message.get("line", ""))[:LONGEST]
            self._halt("rejected", {"why": error.code, "line": line})
        except (AttributeError, KeyError, TypeError, ValueError, binascii.Error):
            self._halt("malformed", {})
        return True

    def _take(self, message: Mapping[str, Any]) -> None:
        match message["t"]:
            case "shuffle":
                numbers = _number(message["deal"]), _number(message["at"])
                self._take_shuffle(message, *numbers, _text(message["piece"]))
            case "shares":
                self._take_shares(message)
            case "line":
                self._take_line(message)
            case "lock":
                self._take_lock(message)
            case "ask":
                self._take_question(_number(message["n"]), _text(message["line"]))
            case "answer":
                self._take_answer(_number(message["n"]), message["yes"] is True)
            case "stand":
                caller = self.caller()
                if _number(message["n"]) != len(self.lines) or not caller:
                    raise Deviation("out-of-turn", number=self.deals_begun)
                if party_of(caller) == self.party:
                    raise Deviation("out-of-turn", number=self.deals_begun)
                self.waived_at = len(self.lines)
            case "stop":
                code = _text(message["code"])
                known = code if _CODE.fullmatch(code) else "malformed"
                self.stop = Stop("told", False, len(self.lines), {"why": known})
                self.queued.clear()
                self.question = self.own_question = None
            case _:
                raise Deviation("malformed", number=self.deals_begun)

    def _take_shares(self, message: Mapping[str, Any]) -> None:
        given = self._shares(_numbers(message["places"]), _text(message["shares"]))
        if self.deal is None or _number(message["deal"]) != self.deal.terms.number:
            raise Deviation("out-of-turn", number=self.deals_begun)
        if not set(given.places) <= self.awaited_places - self.deal.points.keys():
            raise Deviation("early-share", number=self.deals_begun)
        self.arriving.append(message)
        self.work = Work(partial(dealing.see, self.deal, given), self._taken)

    def _shares(self, places: Sequence[int], raw: str) -> Shares:
        """Return the shares in a message. Raises Deviation if there are none."""
        try:
            return heard(places, raw)
        except NoProof:
            raise Deviation("wrong-share", number=self.deals_begun) from None

    def _take_line(self, message: Mapping[str, Any]) -> None:
        if _number(message["n"]) != len(self.lines):
            raise Deviation("other-record", number=self.deals_begun)
        if len(self.lines) >= LINES:
            raise Deviation("too-long", number=self.deals_begun)
        text = _text(message["line"])
        move = notation.parse_move(text, self.position.game)
        places = _numbers(message["places"])
        if notation.spell(move) != text or self._public(move) != text:
            raise Deviation("malformed", number=self.deals_begun)
        if move.kind in CONSENT:
            if self.granted != (len(self.lines), text) or places:
                raise Deviation("no-consent", number=self.deals_begun)
        else:
            self._check_turn(move)
            if self.deal is None and (move.cards or places):
                raise Deviation("out-of-turn", number=self.deals_begun)  # no cards were dealt
            self._take_cards(move, places, _text(message["shares"]))
        self._append(move, 3 - self.party, places)
        if _text(message["chain"]) != self.chain.hex():
            raise Deviation("other-record", number=self.deals_begun)
        theirs = message.get("scores")  # version 1.0 does not send them
        if theirs is not None and _numbers(theirs) != self.position.scores:
            both = (_numbers(theirs), self.position.scores)
            theirs, ours = ("–".join(map(str, scores)) for scores in both)
            self._halt("scores", {"line": text, "theirs": theirs, "ours": ours})

    def _is_call(self, move: Move, caller: int) -> bool:
        """Return whether a line is the call that is now possible, or a meld by the seat that may
        declare."""
        is_meld = self.position.kind(move) is Kind.MELD
        return move.verb == CALL or (is_meld and move.seat == caller)

    def _check_turn(self, move: Move) -> None:
        """Check that the other house may enter this line now. Raises Deviation if it may not."""
        if (
            self.position.kind(move) in NOT_HERE
            or self.step() is not None
            or self._waits_for_deal()
        ):
            raise Deviation("out-of-turn", number=self.deals_begun)
        caller = self.caller()
        if caller and self._is_call(move, caller):
            if party_of(caller) == self.party or party_of(move.seat or caller) == self.party:
                raise Deviation("out-of-turn", number=self.deals_begun)
            return
        turn = self.turn()
        if caller or (move.seat or turn) != turn or not turn or party_of(turn) == self.party:
            raise Deviation("out-of-turn", number=self.deals_begun)

    def _take_cards(self, move: Move, places: Sequence[int], raw: str) -> None:
        """Open the cards of the other house's line. Raises Deviation if the line names a card that
        the house does not hold, or hides a card that it must show."""
        may = {Holding(move.seat or 0, "hand")}
        if cards.is_exchange(move):
            may.add(Holding(move.seat or 0, "open"))
        held = self.holdings()
        wrong = len(set(places)) != len(places) or any(held.get(at) not in may for at in places)
        wrong = wrong or (cards.is_exchange(move) and len(places) != 1)
        shown = set() if self._is_secret(move) else set(places)
        if wrong or bool(raw) != bool(shown):
            raise Deviation("card-not-held", number=self.deals_begun)
        if self.deal is not None and shown:
            self.deal = dealing.see(self.deal, self._shares(sorted(shown), raw))
        if self._is_secret(move):
            if len(places) != len(move.cards):
                raise Deviation("card-not-held", number=self.deals_begun)
        elif self.deal is not None and places:
            named = Counter(card.plain for card in move.cards)
            if Counter(self._pack()[self.deal.seen_cards[at]] for at in places) - named:
                raise Deviation("card-not-held", number=self.deals_begun)
        if self.deal is not None and not self._is_secret(move):
            laid = [
                self._pack()[self.deal.seen_cards[at]]
                for at, one in held.items()
                if one.seat == move.seat and (one.where == "open" or at in shown)
            ]
            if Counter(card.plain for card in move.cards) - Counter(laid):
                raise Deviation("card-not-held", number=self.deals_begun)

    def _take_lock(self, message: Mapping[str, Any]) -> None:
        if self.deal is None or _number(message["deal"]) != self.deal.terms.number:
            raise Deviation("out-of-turn", number=self.deals_begun)
        if not self._is_over() or self.other_lock is not None:
            raise Deviation("out-of-turn", number=self.deals_begun)
        self.other_lock = bytes.fromhex(_text(message["lock"]))

    def _take_question(self, number: int, line: str) -> None:
        if number != len(self.lines):
            return  # the question was asked before our last line arrived
        move = notation.parse_move(line, self.position.game)
        if move.kind not in CONSENT or notation.spell(move) != line:
            raise Deviation("malformed", number=self.deals_begun)
        if move.seat is not None and party_of(move.seat) == self.party:
            raise Deviation(
                "malformed", number=self.deals_begun
            )  # only we can resign for ourselves
        if self.questioned_at == number:
            raise Deviation("bad-question", number=self.deals_begun)  # one question per line
        try:
            self._check_reach(move)
        except IllegalMove:
            raise Deviation("bad-question", number=self.deals_begun) from None
        if self._whole(move) != move:
            raise Deviation("bad-question", number=self.deals_begun)
        self.record.copy().apply(move)
        self.questioned_at = number
        if self.own_question is not None and self.own_question[0] == number:
            if self.party == 1:
                return  # both houses have asked at once: house 1's question counts
            self.own_question = None
        self.question = Question(number, line)

    def _take_answer(self, number: int, yes: bool) -> None:
        if self.own_question is None or number != self.own_question[0]:
            return
        line = self.own_question[1]
        if not yes:
            self.own_question, self.declined = None, self.own_question
            return
        move = notation.parse_move(line, self.position.game)
        self.granted = None
        self.commit(move)


def undone(move: Move) -> int:
    """Return how many lines an undo takes back."""
    return move.numbers[0] if move.numbers else 1


def _dealt(text: str) -> bool:
    """Return whether a line has dealt a hand."""
    return " hand " in text or text == "deal"


def _number(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 31:
        raise ValueError("no number")
    return value


def _numbers(value: Any) -> tuple[int, ...]:
    if type(value) is not list:
        raise ValueError("no list")
    return tuple(map(_number, value))


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 1 << 16:
        raise ValueError("no text")
    return value
