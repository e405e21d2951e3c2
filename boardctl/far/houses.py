"""The other houses of a board: the actions of people, and the state shown to them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from boardctl import text
from boardctl.bot import GAME
from boardctl.far import TREE, shown, words
from boardctl.far.courier import HELD, LEAVING, Packet
from boardctl.far.ends import End, House, Onlooker
from boardctl.far.meeting import clean_name
from boardctl.far.on_table import OnTable
from boardctl.far.session import check
from boardctl.far.side import Question
from boardctl.games import IllegalMove
from boardctl.message import Message

T = TypeVar("T")


class Houses(OnTable):
    """The other houses of one board."""

    # What people do

    async def invite(
        self, name: str, game: str, options: Mapping[str, str], partner: str = ""
    ) -> None:
        """Open an invitation to a game, for four players if a partner is named; repeating it has no
        effect. Raises IllegalMove."""
        self._check_free()
        check(game, options, 2 if partner else 1)
        own, partner = _name(name), _name(partner, 3) if partner else ""
        offer = {"game": game, "options": dict(options)}
        async with self._opening:
            if self._is_open(looks_on=False):
                if (own, partner, offer) != (self._own, self._partner, self._offer):
                    raise IllegalMove("far-waiting")
                return
            self._own, self._partner, self._offer = own, partner, offer
            await self._invite(looks_on=False)

    async def show(self) -> None:
        """Invite an onlooker to the game on the table. Raises IllegalMove."""
        async with self._opening:
            if self.active is None:
                raise IllegalMove("far-nothing-on")
            if not self._is_open(looks_on=True):
                self._own = self.active.session.own
                await self._invite(looks_on=True)

    def _is_open(self, looks_on: bool) -> bool:
        """Return whether an invitation of this kind is open. Raises IllegalMove if another is open,
        or if this board waits for a house whose invitation it has accepted."""
        if self.meeting is None:
            return False
        if not self.words or self.meeting.looks_on != looks_on:
            raise IllegalMove("far-waiting")
        return True

    async def _invite(self, looks_on: bool) -> None:
        secret = secrets.randbits(words.BITS)
        self.meeting = await asyncio.to_thread(self._meeting, secret, 1, self._own, looks_on)
        self.words, self.is_late = words.spell(secret), False
        self._happened()

    def look(self, number: int) -> None:
        """Look on at a house's game. Raises IllegalMove."""
        end = self._onlooker(number)
        self._check_free()
        if end.look.is_ours:
            raise IllegalMove("far-no-house")
        self.looking = end
        end.shown_of = ""
        self._look(end)

    def forget(self, number: int) -> None:
        """Stop showing an onlooker our game, or stop watching another house's game. Raises
        IllegalMove."""
        end = self._onlooker(number)
        if end.look.is_ours and not end.look.is_over:
            end.look.is_over = True
            end.look.end()
        else:
            self.onlookers.remove(end)
        if end is self.looking:
            self.looking = None
        self._happened()

    def remove(self, number: int) -> None:
        """Remove a house and its game from the list, and tell it so; it can be met again. Raises
        IllegalMove."""
        house = self._known(number)
        if house is self.active:
            self._check_free()
            self.leave()
        self._forget(house)
        session = house.session
        if not (session.is_behind or session.has_left):
            session.leave()
            leaving = End(house.channel, house.greeting, self._clock)
            self._leaving = [*self._leaving, leaving][-LEAVING:]
        self._happened()

    def _known(self, number: int) -> House:
        return _numbered(self.houses, number)

    def _onlooker(self, number: int) -> Onlooker:
        return _numbered(self.onlookers, number)

    async def accept(self, said: str, name: str, partner: str = "") -> None:
        """Accept an invitation; in a game for four, `partner` plays too. Repeating it has no
        effect; an earlier wait is cancelled. Raises IllegalMove if the words are not an invitation,
        were used here before, or are this board's own."""
        secret = words.read(said)
        own, partner = _name(name), _name(partner, 3) if partner else ""
        async with self._opening:
            if words.spell(secret) == self.words:
                raise IllegalMove("far-own-words")
            meeting = await asyncio.to_thread(self._meeting, secret, 2, own)
            if self.meeting is not None and self.meeting.topic == meeting.topic:
                return
            for end in self._ends:
                if end.greeting.meeting == meeting.topic:
                    if end is self.looking or (isinstance(end, House) and self._is_fresh(end)):
                        return
                    raise IllegalMove("far-used")
            self._check_free()
            self.cancel()
            self._own, self._partner, self.meeting = own, partner, meeting
            self._happened()

    def _is_fresh(self, house: House) -> bool:
        """Return whether the game of a house's invitation is still to come, or is on the table."""
        session = house.session
        return session.welcome or (session.number == 1 and session.is_playing)

    def cancel(self) -> None:
        """Take an invitation back, or do not wait any more."""
        if self.meeting is not None and self.meeting.house == 1:
            self._end_meeting(self.meeting.topic, self.meeting.over())
        elif self.meeting is not None:
            self._ending.append(Packet(f"{TREE}/{self.meeting.topic}/2", b"", True, HELD))
        self._no_meeting()
        self.is_late = False
        self._happened()

    def play(
        self,
        number: int,
        game: str = "",
        options: Mapping[str, str] = MappingProxyType({}),
        name: str = "",
        partner: str = "",
    ) -> None:
        """Play with a known house: continue the game, accept its offer, or offer this game. By
        default this is the last game, with the same rules and the same people here. Raises
        IllegalMove."""
        house = self._known(number)
        own, partner = _name(name) if name else "", _name(partner, 3) if partner else ""
        session = house.session
        if self.active is not None and self.active is not house and self.is_on:
            raise IllegalMove("far-busy")
        session.check_known()
        if session.is_playing:
            self._put_on_table(house)
        elif session.offered is not None:
            session.seat(own, partner)
            session.accept()
            self._put_on_table(house)
        else:
            if not game:
                last = session.game
                game = GAME if last is None else last.proposal.game
                options = {} if last is None else last.proposal.options
            session.seat(own, partner)
            session.offer(game, options)
        self._happened()

    @property
    def next(self) -> int:
        """Return the house to play with if people name none: a house that wants to play, else the
        house of the current or set-aside game, else a house with an unfinished game, else the house
        met last."""
        wanting = [number for number, house in enumerate(self.houses) if house.wants]
        if wanting:
            return wanting[0]
        here = self.active or self.left
        if here is not None:
            return self.houses.index(here)
        going = [number for number, house in enumerate(self.houses) if house.session.is_playing]
        known = [number for number, house in enumerate(self.houses) if not house.session.has_left]
        return (going or known or [len(self.houses) - 1])[-1]

    def invitation(self, language: str) -> str:
        """Return a sentence that names the house that wants to play. It is empty if there is none,
        if that house has asked often, or while a game is played here; the page shows the request in
        any case."""
        position = self._board.table.position
        if self.is_on or (position.begun and not position.over):
            return ""
        house = next((one for one in self.houses if one.wants and not one.is_quiet), None)
        if house is None:
            return ""
        return shown.invites(house, language)

    def withdraw(self, number: int) -> None:
        """Withdraw the game offered to a known house. Raises IllegalMove."""
        self._known(number).session.withdraw()
        self._happened()

    def answer(self, number: int, line: str, yes: bool) -> None:
        """Answer a question of the other house at this line number. Raises IllegalMove
        `far-other-question` if the question has changed."""
        if self.active is None or self.active.session.game is None:
            raise IllegalMove("far-other-question")
        self.active.session.game.answer(Question(number, line), yes)
        self._follow(self.active)

    def let_stand(self) -> None:
        """Do not call muggins on the other house's claim."""
        if self.active is not None and self.active.session.game is not None:
            self.active.session.game.let_stand()
            self._follow(self.active)

    @property
    def asks(self) -> Question | None:
        """The other house's question; None if there is none."""
        game = None if self.active is None else self.active.session.game
        return None if game is None else game.question

    def question(self, language: str) -> str:
        """The other house's question in words; empty if there is none."""
        return "" if self.active is None else shown.question(self.active, language) or ""

    def notice(self, language: str) -> str:
        """The message that people at the board should get at once: that the words came too late or
        no board answers to them, why the game has stopped, or that the other house does not agree;
        empty if there is none."""
        if self.is_late:
            return text.say(Message("page", "far-late"), text.Reader(language))
        if self.is_unanswered:
            return text.say(Message("page", "far-unanswered"), text.Reader(language))
        house = self.active
        if house is None or house.session.game is None:
            said = (shown.outdated(one, language) for one in self.houses)
            return next(filter(None, said), "")
        return shown.stopped(house, language) or shown.declined(house, language) or ""

    def presence(self, language: str) -> tuple[bool, str]:
        """Return whether the other house is reachable and has the game on its table, and that in
        words. Without a game: reachable, no words, unless people wait for a house without a
        connection."""
        house = self.active
        if house is None or not house.session.is_playing:
            waits = self.meeting or any(one.session.is_offering for one in self.houses)
            return (
                (False, self._offline(language)) if waits and not self._is_connected else (True, "")
            )
        if house.is_here and (aside := shown.aside(house, language)):
            return False, aside
        if not self._is_connected:
            return False, self._offline(language)
        if house.is_here and (unopened := shown.unopened(house, language)):
            return False, unopened
        code = "far-here" if house.is_here else "far-gone"
        return house.is_here, text.say(
            Message("page", code, {"name": house.session.name}), text.Reader(language)
        )

    def _offline(self, language: str) -> str:
        """Return a sentence that there is no connection, and the reason if people can fix it."""
        if self.trouble:
            return text.words(self.trouble, language)
        return text.say(Message("page", "far-no-broker"), text.Reader(language))

    def state(self, language: str) -> dict[str, Any]:
        """Return the state that a page shows."""
        return {
            "words": list(self.words),
            "numbers": list(words.numbers(self.words)) if self.words else [],
            "accepting": self.meeting is not None and self.meeting.house == 2,
            "late": self.is_late,
            "unanswered": self.is_unanswered,
            "connected": self._is_connected,
            "trouble": text.words(self.trouble or "", language),
            "houses": [self._house(n, house, language) for n, house in enumerate(self.houses)],
            "onlookers": [
                {
                    "number": number,
                    **shown.presence(end, end.look.name),
                    "shows": end.look.is_ours,
                    "over": end.look.is_over,
                }
                for number, end in enumerate(self.onlookers)
            ],
            "looking": None if self.looking is None else self.looking.look.name,
            "left": None if self.left is None else self.houses.index(self.left),
            "game": None if self.active is None else self._game(self.active, language),
        }

    def _house(self, number: int, house: House, language: str) -> dict[str, Any]:
        session = house.session
        return {
            "number": number,
            **shown.presence(house, session.name),
            "playing": session.is_playing,
            "offered": house.wants,
            "invites": shown.invites(house, language),
            "game": "" if session.game is None else session.game.proposal.game,
            "offering": session.is_offering,
            "active": house is self.active,
            "gone": shown.gone(house, language),
            "outdated": shown.outdated(house, language),
            "own": session.own,
            "partner": session.partner,
        }

    def _game(self, house: House, language: str) -> dict[str, Any] | None:
        found = shown.game(house, language)
        return found and {**found, "number": self.houses.index(house)}


def _numbered(ends: Sequence[T], number: int) -> T:
    """Return one of the other ends by its number from 0. Raises IllegalMove if there is none."""
    if not 0 <= number < len(ends):
        raise IllegalMove("far-no-house")
    return ends[number]


def _name(said: str, seat: int = 1) -> str:
    """Return a name in the form that may be sent to another house. Raises IllegalMove if it is
    invalid."""
    try:
        return clean_name(said)
    except ValueError:
        raise IllegalMove("name-missing", number=seat) from None
