"""A board's other houses: the actions that people choose, and the state shown to them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Final, TypeVar

from boardctl import text
from boardctl.bot import GAME
from boardctl.far import TREE, invitation_words, sentences
from boardctl.far.contacts import HELD, Contacts, Packet
from boardctl.far.game import FarGame
from boardctl.far.game_log import Question
from boardctl.far.link import FarLink
from boardctl.far.meeting import clean_name
from boardctl.far.on_table import FAR, FarTable
from boardctl.far.peers import House, Onlooker, Peer
from boardctl.far.session import check
from boardctl.far.store import FarStore
from boardctl.far.tasks import Tasks
from boardctl.features import Board
from boardctl.games import IllegalMove, Move
from boardctl.message import Message
from boardctl.mqtt.connection import Broker, delays
from boardctl.signals import Signal

T = TypeVar("T")
LEAVING: Final = 8
"""The maximum number of removed houses that have not yet been notified."""


class Houses:
    """The other houses of one board. No other class uses the store, the link and the table
    together."""

    def __init__(
        self,
        board: Board,
        broker: Broker,
        waits: Callable[[], Iterator[float]] = lambda: delays(Random()),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the stored state.

        Raises:
            OSError, KeyError, TypeError, ValueError: if the state cannot be read.
        """
        self._board, self._clock = board, clock
        self.contacts = Contacts()
        self.changed: Signal[[]] = Signal()
        """A signal sent when a page must show a change."""
        self._opening = asyncio.Lock()
        """A lock held while a meeting is prepared, so that a double tap takes effect only once."""
        self._computing: set[House] = set()
        self._tasks = Tasks()
        self.link = FarLink(self.contacts, broker, waits, clock, self._tasks, self)
        self.store = FarStore(
            self.contacts,
            board.data,
            clock,
            self._tasks,
            self.link.packets,
            self.link.release,
            self._report,
        )
        self.store.load()
        self._tasks.always(self.store.keep, self.write, "far-keep")
        self._tasks.always(self.link.connect, self.write, "far")
        self.table = FarTable(self.contacts, board, self.happened, self.play)
        self.table.resync()
        self.happened()

    def _report(self, reason: str | None) -> None:
        self._board.controller.report(FAR, reason)

    async def close(self) -> None:
        """Stop without changing the stored state."""
        self.table.close()
        self.link.close()
        await self._tasks.close()
        await self.store.close()

    @property
    def is_on(self) -> bool:
        """Whether a game with another house is in progress at the table."""
        return self.contacts.is_on

    def authorize(self, moves: Sequence[Move], by: str, seat: int | None) -> None:
        """Refuse a line that this house may not enter. Raises IllegalMove."""
        self.table.authorize(moves, by, seat)

    def leave(self) -> None:
        """Take the game from the table. It can be continued later."""
        self.table.leave()

    # Events of the link

    def game_begun(self, house: House) -> None:
        """Handle the start of a game."""
        self.table.begun(house)

    def message_handled(self, house: House) -> None:
        """Continue after a message from a house has been handled."""
        self.table.follow(house)

    def lines_received(self, peer: Onlooker) -> None:
        """Continue after a message from the watched house has been handled."""
        self.table.show_watched(peer)

    def write(self) -> None:
        """Arrange for waiting messages to be sent."""
        self.store.write()

    def happened(self) -> None:
        """Store, send and show a change."""
        self.write()
        self.link.resume()
        game = None if self.contacts.active is None else self.contacts.active.session.game
        for onlooker in self.contacts.onlookers:
            if game is not None and onlooker.feed.is_ours:
                onlooker.feed.show(game)
        for house in self.contacts.houses:
            house.session.set_aside(house is not self.contacts.active)
            game = house.session.game
            is_idle = house not in self._computing and not self._tasks.is_closed
            if game is not None and game.due_work is not None and is_idle:
                self._computing.add(house)
                self._tasks.start(self._compute(house, game), "far-deal")
        self.changed.send()

    async def _compute(self, house: House, game: FarGame) -> None:
        """Do a deal's arithmetic in another thread, so that the keys and the lights keep
        working."""
        loop = asyncio.get_running_loop()
        try:
            while (work := game.due_work) is not None:
                found = loop.run_in_executor(None, work.run)
                try:
                    await asyncio.wait((found,))
                finally:
                    # otherwise an exception raised after this task has ended would stay unhandled
                    found.cancel()
                game.finish(work, found.result)
                self.table.follow(house)
        finally:
            self._computing.discard(house)

    # Actions of people

    async def invite(
        self, name: str, game: str, options: Mapping[str, str], partner: str = ""
    ) -> None:
        """Open an invitation to a game, which is for four players if a partner is named. Repeated
        calls have no effect. Raises IllegalMove."""
        self.table.check_free()
        check(game, options, 2 if partner else 1)
        own, partner = _name(name), _name(partner, 3) if partner else ""
        offer = {"game": game, "options": dict(options)}
        async with self._opening:
            if self._is_open(is_for_onlooker=False):
                if (own, partner, offer) != (
                    self.contacts.own,
                    self.contacts.partner,
                    self.contacts.offer,
                ):
                    raise IllegalMove("far-waiting")
                return
            self.contacts.own, self.contacts.partner, self.contacts.offer = own, partner, offer
            await self._invite(is_for_onlooker=False)

    async def show(self) -> None:
        """Invite an onlooker to the game on the table. Raises IllegalMove."""
        async with self._opening:
            if self.contacts.active is None:
                raise IllegalMove("far-nothing-on")
            if not self._is_open(is_for_onlooker=True):
                self.contacts.own = self.contacts.active.session.own
                await self._invite(is_for_onlooker=True)

    def _is_open(self, is_for_onlooker: bool) -> bool:
        """Return whether an invitation of this kind is open. Raises IllegalMove if another kind of
        invitation is open, or if this board is waiting for a house after accepting its
        invitation."""
        if self.contacts.meeting is None:
            return False
        if not self.contacts.words or self.contacts.meeting.is_for_onlooker != is_for_onlooker:
            raise IllegalMove("far-waiting")
        return True

    async def _invite(self, is_for_onlooker: bool) -> None:
        secret = secrets.randbits(invitation_words.BITS)
        self.contacts.meeting = await asyncio.to_thread(
            self.contacts.meet, secret, 1, self.contacts.own, is_for_onlooker
        )
        self.contacts.words, self.contacts.is_late = invitation_words.spell(secret), False
        self.happened()

    def watch(self, number: int) -> None:
        """Watch a house's game. Raises IllegalMove."""
        peer = self._onlooker(number)
        self.table.check_free()
        if peer.feed.is_ours:
            raise IllegalMove("far-no-house")
        self.contacts.watched = peer
        peer.shown_game = ""
        self.table.show_watched(peer)

    def forget(self, number: int) -> None:
        """Stop showing an onlooker our game, or stop watching another house's game. Raises
        IllegalMove."""
        peer = self._onlooker(number)
        if peer.feed.is_ours and not peer.feed.is_over:
            peer.feed.is_over = True
            peer.feed.end()
        else:
            self.contacts.onlookers.remove(peer)
        if peer is self.contacts.watched:
            self.contacts.watched = None
        self.happened()

    def remove(self, number: int) -> None:
        """Remove a house and its game from the list, and notify the house. The two houses can meet
        again later. Raises IllegalMove if that is impossible now."""
        house = self._numbered_house(number)
        if house is self.contacts.active:
            self.table.check_free()
            self.leave()
        self.contacts.forget(house)
        session = house.session
        if not (session.is_behind or session.has_left):
            session.leave()
            leaving = Peer(house.channel, house.greeting, self._clock)
            self.contacts.leaving = [*self.contacts.leaving, leaving][-LEAVING:]
        self.happened()

    def _numbered_house(self, number: int) -> House:
        return _numbered(self.contacts.houses, number)

    def _onlooker(self, number: int) -> Onlooker:
        return _numbered(self.contacts.onlookers, number)

    async def accept(self, entered: str, name: str, partner: str = "") -> None:
        """Accept an invitation. In a game for four, `partner` also plays. Repeated calls have no
        effect, and an earlier wait is cancelled. Raises IllegalMove if the words are not an
        invitation, were used here before, or are this board's own."""
        secret = invitation_words.read(entered)
        own, partner = _name(name), _name(partner, 3) if partner else ""
        async with self._opening:
            if invitation_words.spell(secret) == self.contacts.words:
                raise IllegalMove("far-own-words")
            meeting = await asyncio.to_thread(self.contacts.meet, secret, 2, own)
            if self.contacts.meeting is not None and self.contacts.meeting.topic == meeting.topic:
                return
            for peer in self.contacts.peers:
                if peer.greeting.meeting == meeting.topic:
                    if peer is self.contacts.watched or (
                        isinstance(peer, House) and self._is_fresh(peer)
                    ):
                        return
                    raise IllegalMove("far-used")
            self.table.check_free()
            self.cancel()
            self.contacts.own, self.contacts.partner, self.contacts.meeting = own, partner, meeting
            self.happened()

    def _is_fresh(self, house: House) -> bool:
        """Return whether the game with an invited house is on the table or has not yet begun."""
        session = house.session
        return session.welcome or (session.number == 1 and session.is_playing)

    def cancel(self) -> None:
        """Withdraw an invitation, or stop waiting."""
        if self.contacts.meeting is not None and self.contacts.meeting.party == 1:
            self.contacts.end_meeting(self.contacts.meeting.topic, self.contacts.meeting.over())
        elif self.contacts.meeting is not None:
            self.contacts.ending.append(
                Packet(f"{TREE}/{self.contacts.meeting.topic}/2", b"", True, HELD)
            )
        self.link.no_meeting()
        self.contacts.is_late = False
        self.happened()

    def play(
        self,
        number: int,
        game: str = "",
        options: Mapping[str, str] = MappingProxyType({}),
        name: str = "",
        partner: str = "",
    ) -> None:
        """Play with a known house: continue the game, accept the house's offer, or offer a game. By
        default, the game offered is the same as last time, with the same rules and the same people
        in this house. Raises IllegalMove."""
        house = self._numbered_house(number)
        own, partner = _name(name) if name else "", _name(partner, 3) if partner else ""
        session = house.session
        if self.contacts.active is not None and self.contacts.active is not house and self.is_on:
            raise IllegalMove("far-busy")
        session.check_known()
        if session.is_playing:
            self.table.put_on(house)
        elif session.offered is not None:
            session.seat(own, partner)
            session.accept()
            self.table.put_on(house)
        else:
            if not game:
                last = session.game
                game = GAME if last is None else last.proposal.game
                options = {} if last is None else last.proposal.options
            session.seat(own, partner)
            session.offer(game, options)
        self.happened()

    @property
    def next(self) -> int:
        """Return the house to play with if the user does not name one: in order of preference, a
        house that wants to play, the house of the current or set-aside game, a house with an
        unfinished game, or the house met last."""
        wanting = [number for number, house in enumerate(self.contacts.houses) if house.wants]
        if wanting:
            return wanting[0]
        here = self.contacts.active or self.contacts.set_aside
        if here is not None:
            return self.contacts.houses.index(here)
        going = [
            number for number, house in enumerate(self.contacts.houses) if house.session.is_playing
        ]
        known = [
            number
            for number, house in enumerate(self.contacts.houses)
            if not house.session.has_left
        ]
        return (going or known or [len(self.contacts.houses) - 1])[-1]

    def invitation(self, language: str) -> str:
        """Return a sentence that names the house that wants to play. Return an empty string if no
        house does, if that house has asked too often, or while a game is in progress here. The page
        shows the request in any case."""
        position = self._board.table.position
        if self.is_on or (position.begun and not position.over):
            return ""
        house = next((one for one in self.contacts.houses if one.wants and not one.is_quiet), None)
        if house is None:
            return ""
        return sentences.invites(house, language)

    def withdraw(self, number: int) -> None:
        """Withdraw the game offered to a known house. Raises IllegalMove."""
        self._numbered_house(number).session.withdraw()
        self.happened()

    def answer(self, number: int, line: str, yes: bool) -> None:
        """Answer the other house's question at this line number. Raises IllegalMove
        (`far-other-question`) if the question has changed."""
        if self.contacts.active is None or self.contacts.active.session.game is None:
            raise IllegalMove("far-other-question")
        self.contacts.active.session.game.answer(Question(number, line), yes)
        self.table.follow(self.contacts.active)

    def let_stand(self) -> None:
        """Do not call muggins on the other house's claim."""
        if self.contacts.active is not None and self.contacts.active.session.game is not None:
            self.contacts.active.session.game.let_stand()
            self.table.follow(self.contacts.active)

    @property
    def asks(self) -> Question | None:
        """Return the other house's question, or None if there is none."""
        game = None if self.contacts.active is None else self.contacts.active.session.game
        return None if game is None else game.question

    def question(self, language: str) -> str:
        """Return the other house's question in words, or an empty string if there is none."""
        return (
            ""
            if self.contacts.active is None
            else sentences.question(self.contacts.active, language) or ""
        )

    def notice(self, language: str) -> str:
        """Return the message that people at the board should see immediately, or an empty string.
        The message says that the words were entered too late, that no board answers to the words,
        why the game has stopped, or that the other house does not agree."""
        if self.contacts.is_late:
            return text.say(Message("page", "far-late"), text.Reader(language))
        if self.contacts.is_unanswered:
            return text.say(Message("page", "far-unanswered"), text.Reader(language))
        house = self.contacts.active
        if house is None or house.session.game is None:
            notices = (sentences.outdated(one, language) for one in self.contacts.houses)
            return next(filter(None, notices), "")
        return sentences.stopped(house, language) or sentences.declined(house, language) or ""

    def presence(self, language: str) -> tuple[bool, str]:
        """Return whether the other house is reachable and has the game on its table, with a
        sentence about this. If no game is in progress, the house counts as reachable and the
        sentence is empty, unless people are waiting for a house that is not connected.
        """
        house = self.contacts.active
        if house is None or not house.session.is_playing:
            waits = self.contacts.meeting or any(
                one.session.is_offering for one in self.contacts.houses
            )
            return (
                (False, self._offline(language))
                if waits and not self.link.is_connected
                else (True, "")
            )
        if house.is_here and (aside := sentences.aside(house, language)):
            return False, aside
        if not self.link.is_connected:
            return False, self._offline(language)
        if house.is_here and (unopened := sentences.unopened(house, language)):
            return False, unopened
        code = "far-here" if house.is_here else "far-gone"
        return house.is_here, text.say(
            Message("page", code, {"name": house.session.name}), text.Reader(language)
        )

    def _offline(self, language: str) -> str:
        """Return a sentence that reports the missing connection, with the reason if the players can
        fix it."""
        if self.link.trouble:
            return text.words(self.link.trouble, language)
        return text.say(Message("page", "far-no-broker"), text.Reader(language))

    def state(self, language: str) -> dict[str, Any]:
        """Return the state that a page shows."""
        aside = self.contacts.set_aside
        return {
            "words": list(self.contacts.words),
            "numbers": list(invitation_words.numbers(self.contacts.words))
            if self.contacts.words
            else [],
            "accepting": self.contacts.meeting is not None and self.contacts.meeting.party == 2,
            "late": self.contacts.is_late,
            "unanswered": self.contacts.is_unanswered,
            "connected": self.link.is_connected,
            "trouble": text.words(self.link.trouble or "", language),
            "houses": [
                self._house_state(n, house, language)
                for n, house in enumerate(self.contacts.houses)
            ],
            "onlookers": [
                {
                    "number": number,
                    **sentences.presence(peer, peer.feed.name),
                    "shows": peer.feed.is_ours,
                    "over": peer.feed.is_over,
                }
                for number, peer in enumerate(self.contacts.onlookers)
            ],
            "looking": None if self.contacts.watched is None else self.contacts.watched.feed.name,
            "left": None if aside is None else self.contacts.houses.index(aside),
            "game": None
            if self.contacts.active is None
            else self._game_state(self.contacts.active, language),
        }

    def _house_state(self, number: int, house: House, language: str) -> dict[str, Any]:
        session = house.session
        return {
            "number": number,
            **sentences.presence(house, session.name),
            "playing": session.is_playing,
            "offered": house.wants,
            "invites": sentences.invites(house, language),
            "game": "" if session.game is None else session.game.proposal.game,
            "offering": session.is_offering,
            "active": house is self.contacts.active,
            "gone": sentences.gone(house, language),
            "outdated": sentences.outdated(house, language),
            "own": session.own,
            "partner": session.partner,
        }

    def _game_state(self, house: House, language: str) -> dict[str, Any] | None:
        found = sentences.game(house, language)
        return found and {**found, "number": self.contacts.houses.index(house)}


def _numbered(peers: Sequence[T], number: int) -> T:
    """Return a peer by its number from 0. Raises IllegalMove if there is no such peer."""
    if not 0 <= number < len(peers):
        raise IllegalMove("far-no-house")
    return peers[number]


def _name(entered: str, seat: int = 1) -> str:
    """Return a name in the form that may be sent to another house. Raises IllegalMove if the name
    is invalid."""
    try:
        return clean_name(entered)
    except ValueError:
        raise IllegalMove("name-missing", number=seat) from None
