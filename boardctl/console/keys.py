"""Convert key edges to keypad input: the key, whether it was held, and the view of the table.

Keys that can be held act when they are released, or after they have been held long enough.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from boardctl import text
from boardctl.console import keypad
from boardctl.console.keypad import Item, Offer, Request, TableView
from boardctl.console.settings import KeyTiming, TableSettings
from boardctl.drivers.ports import Clock, KeyEvent, Timer
from boardctl.games import Ask, Note, Prompt, Telling
from boardctl.record.position import Position, step
from boardctl.record.record import Record
from boardctl.record.visibility import hide_cards
from boardctl.signals import Signal
from boardctl.table import Table

HOLD: Final = KeyTiming().hold
"""Seconds after which a key on a page counts as held."""
PAGE: Final = "page"
"""The name of the pages' keypad as an input device."""
LATE: Final = 0.1
"""Seconds for which a press that is reported late waits for its release. A serial board queues its
key events while nobody reads them."""


class Press(Protocol):
    def __call__(self, key: str, place: str, asks: tuple[Ask, ...] | None = None) -> None:
        """Handle a key press from a device (`hold #` for a held key). `asks` is the entry that was
        expected when the key went down, or None if it has just gone down."""


class SteadyKeys:
    """A filter for the board's own keys, for players whose hands slip or shake.

    Slow keys and bounce keys work as they do in Windows (Filter Keys) and in the X keyboard
    extension.

    Args:
        deliver: called with each edge that counts.
        timing: returns how long a key must stay down, and for how long it is ignored after its
            release.
    """

    def __init__(
        self, clock: Clock, deliver: Callable[[KeyEvent], None], timing: Callable[[], KeyTiming]
    ) -> None:
        self._clock = clock
        self._deliver = deliver
        self._timing = timing
        self._waiting: dict[tuple[str, str], Timer] = {}
        self._ignored: set[tuple[str, str]] = set()
        self._up: dict[tuple[str, str], float] = {}
        """The time of each key's last release."""

    def take(self, event: KeyEvent) -> None:
        """Handle a key that goes down or up."""
        key, timing = (event.key, event.source), self._timing()
        if not event.pressed:
            waiting = self._waiting.pop(key, None)
            if waiting is not None:  # brushed: the press that is meant may follow at once
                waiting.cancel()
                return
            self._up[key] = event.at
            if key in self._ignored:
                self._ignored.remove(key)
            else:
                self._deliver(event)
        elif key in self._up and event.at - self._up[key] < timing.bounce:
            self._ignored.add(key)
        elif timing.slow:
            if key in self._waiting:  # its release was not reported
                self._waiting[key].cancel()
            at = max(event.at, self._clock.time()) + timing.slow
            self._waiting[key] = self._clock.call_at(at, partial(self._accept, event))
        else:
            self._ignored.discard(key)
            self._deliver(event)

    def _accept(self, event: KeyEvent) -> None:
        key = event.key, event.source
        del self._waiting[key]
        self._ignored.discard(key)
        self._deliver(event._replace(at=self._clock.time()))


class HeldKeys:
    """The keys that are down and have not yet acted.

    Args:
        press: called when a key acts.
        asks: returns the expected entries.
        timing: returns how long a key of the board itself is held.
        answers: returns whether the voice gives information while a key of `keypad.ANSWERED` is
            held.
        answered: a signal sent with the request of such a key.
    """

    def __init__(
        self,
        clock: Clock,
        press: Press,
        asks: Callable[[], tuple[Ask, ...]],
        timing: Callable[[], KeyTiming],
        answers: Callable[[], bool],
        answered: Signal[str],
    ) -> None:
        self._clock = clock
        self._press = press
        self._asks = asks
        self._timing = timing
        self._answers = answers
        self._answer = answered
        self._down: dict[tuple[str, str], tuple[Timer, tuple[Ask, ...]]] = {}

    def edge(self, event: KeyEvent, place: str) -> None:
        """Handle a key that goes down or up on a device."""
        key = event.key
        waits = key in keypad.ANSWERED and (key, place) in self._down
        if key not in keypad.HOLDS and not waits and not (event.pressed and self._answered(key)):
            if event.pressed:
                self._press(key, place)
        elif event.pressed:
            asks = self._asks()  # if that fails, no timer is left behind
            hold = HOLD if place == PAGE else self._timing().hold
            at = max(event.at + hold, self._clock.time() + LATE)
            if (key, place) in self._down:  # its release was not reported
                self._down[key, place][0].cancel()
            timer = self._clock.call_at(at, partial(self._hold, key, place))
            self._down[key, place] = timer, asks
        elif (key, place) in self._down:
            self._release(key, place)

    @property
    def are_down(self) -> bool:
        """Whether a key that has not acted yet is down on a device other than a page."""
        return any(place != PAGE for _, place in self._down)

    def type_waiting(self, place: str) -> None:
        """Handle another key going down on the device. Held keys that get a spoken answer act
        first."""
        waiting = [key for key, where in self._down if where == place and key in keypad.ANSWERED]
        for key in waiting:
            self._release(key, place)

    def forget(self) -> None:
        """Forget the keys that are down, so that releasing them has no effect."""
        for timer, _ in self._down.values():
            timer.cancel()
        self._down.clear()

    def _release(self, key: str, place: str) -> None:
        timer, asks = self._down.pop((key, place))
        timer.cancel()
        self._press(key, place, asks)

    def _answered(self, key: str) -> bool:
        """Return whether holding a key gets a spoken answer."""
        return key in keypad.ANSWERED and self._answers()

    def _hold(self, key: str, place: str) -> None:
        del self._down[key, place]
        if key in keypad.ANSWERED:
            self._answer.send(keypad.ANSWERED[key])
        else:
            self._press(f"hold {key}", place)


def table_view(
    table: Table,
    seen: Record,
    prompt: Prompt,
    settings: TableSettings,
    telling: Telling,
    language: str,
    offer: Offer | None,
    requests: Callable[[], tuple[Request, ...]],
    items: tuple[Item, ...],
) -> TableView:
    """Return the keypad's view of a table after its newest line.

    Args:
        seen: the table's record as an onlooker knows it.
        prompt: the expected entries.
        telling: the level of entry.
        language: the language of the display.
        offer: the hand that a page shows on the board, or None if there is no such hand.
        requests: returns the requests that the menu can allow when it is opened.
        items: the items that features add to the menu.
    """
    position = table.position
    return TableView(
        prompt=prompt,
        seats=tuple(text.called(name, language) for name in position.seats.values()),
        scores=position.scores,
        displayed_scores=position.shown_scores,
        margin=None if position.outcome is None else position.outcome.margin,
        telling=telling,
        attempt=table.attempt,
        hide_cards=partial(hide_cards, position),
        answered=lambda back: seen.position_at(len(seen.moves) - back).prompt,
        attempt_before=lambda back, move: step(seen.position_at(len(seen.moves) - back), move),
        deal=seen.deal,
        last_points=table.record.last_points,
        roster=settings.roster,
        presets=settings.presets,
        begun=position.begun,
        players=position.game.seats if position.game is not None else (2,),
        language=language,
        spoken_readouts=_spoken_readouts(seen.position),
        unfinished=_unfinished(table, language),
        offer=offer,
        requests=requests,
        items=items,
        rejects=table.rejects,
        undoing=table.undoing,
        redoing=table.record.redoing,
    )


def _unfinished(table: Table, language: str) -> keypad.UnfinishedGame | None:
    """Return the unfinished game of the previous evening."""
    if table.unfinished is None:
        return None
    position = table.unfinished.position
    seats = tuple(text.called(name, language) for name in position.seats.values())
    return keypad.UnfinishedGame(seats, position.scores)


def _spoken_readouts(position: Position) -> tuple[Note, ...]:
    """Return the readouts to be spoken now, which are those with a `said` code."""
    board = position.scoreboard
    readouts = () if board is None else board.readouts
    return tuple(note for note in readouts if note.code.startswith("said"))
