"""The interface of features, the installed features, and the features of one running board.

A feature is a room (a package directly in `boardctl`) with a module `feature`, whose `FEATURE`
declares the additions to a board. Another distribution can add a feature by declaring an entry
point in the group `boardctl.features`. The core does not refer to any feature by name: the board
still starts and plays if a feature's folder is missing. A room that adds only commands (`club`,
`drawings`) needs no such module, because the command line finds its `commands` folder.

If a hook of a feature fails, the failure is logged and reported on the display. The hook is called
again the next time it is needed; `start` and `run` are called again after `AGAIN` seconds.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, ParamSpec, Protocol, TypeVar

import boardctl
from boardctl.console.keypad import Item
from boardctl.drivers.ports import KeyEvent, Speaker, Timer, reason_of
from boardctl.games import Game, IllegalMove, Move
from boardctl.signals import Signal

if TYPE_CHECKING:
    from boardctl.console.settings import VoiceSettings
    from boardctl.console.table_controller import TableController
    from boardctl.record.position import Position
    from boardctl.storage.child import Starter
    from boardctl.storage.journal import Post
    from boardctl.table import Table

_log: Final = logging.getLogger(__name__)
AGAIN: Final = 30.0
"""Seconds before a feature that failed to start, or has ended, is started again."""
GROUP: Final = "boardctl.features"
"""The group of entry points through which another distribution adds features."""
FREE: Final = "5679ABCD"
"""The keys of the menu opened by `8`, for items that name none."""
P = ParamSpec("P")
T = TypeVar("T")


class Board(Protocol):
    """A board with its table, real or simulated."""

    @property
    def data(self) -> Path:
        """The data directory, which contains the journal and the data of surfaces."""

    @property
    def table(self) -> Table:
        """The table, which is the only writer of the journal."""

    @property
    def controller(self) -> TableController:
        """The controller: the keypad, its commands, language and faults, the display and the
        lights."""


class RunningBoard(Board, Protocol):
    """The interface of a running board, as features use it."""

    @property
    def features(self) -> Features:
        """The features that are running on this board."""

    @property
    def child(self) -> Starter:
        """Starts one of boardctl's programs next to this board."""

    @property
    def spoken(self) -> Signal[str]:
        """Sent with each spoken text."""

    def options(self, key: str) -> Any:
        """Return a table or a value of the configuration."""

    def chosen_voice(self, speaker: Speaker) -> VoiceSettings:
        """Return a speaker's chosen or configured speech settings."""


class Running:
    """A feature that is running on one board. Each method is a hook, which by default does
    nothing."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether the game on the table is also played on another table."""
        return False

    async def run(self) -> None:
        """Work in the background until cancelled. This is called once the board's event loop is
        running."""

    def authorize(self, moves: Sequence[Move], by: str, seat: int | None) -> None:
        """Raise IllegalMove for moves that may not be entered at this table now.

        Args:
            by: the surface that entered them.
            seat: the seat of the phone that entered them, or None for a shared device.
        """

    def outbox_for(self, session: int, before: Position, after: Position) -> Sequence[Post]:
        """Return the messages to send about a move, stored with its line."""
        return ()

    def odds(self, position: Position) -> float | None:
        """Return side 1's chance of winning for the status light, or None if no feature is
        active."""
        return None

    def speak(self, speaker: Speaker) -> Callable[[], None] | None:
        """Start speaking through a speaker, and return a function that stops the speech."""
        return None

    def obstacle(self, game: Game[Any], language: str) -> str:
        """Return the reason why a game cannot be played at this table now, or an empty string if it
        can."""
        return ""

    def take(self, event: KeyEvent) -> bool:
        """Handle a key on the board. Return False if the key does not belong to this feature."""
        return False

    def close(self) -> None:
        """End the work that `run` does not end."""


class Button(NamedTuple):
    """A button that a feature adds to the page's table sheet."""

    text: Callable[[str], str]
    """A function that returns the button's text in a language."""
    post: str
    """The route, without the first `/`, that a tap posts `{}` to."""


class Ask(Protocol):
    """Asks a question of the set-up and returns its answer, or the suggested one so far."""

    def __call__(
        self,
        name: str,
        usual: str,
        choices: tuple[str, ...] | None = None,
        *,
        secret: bool = False,
    ) -> str: ...


class SetupPart(Protocol):
    """A feature's questions in the set-up. Their names begin with the feature's configuration
    key."""

    def questions(self, before: Mapping[str, str], ask: Ask) -> None:
        """Ask the questions that follow from the answers so far.

        Args:
            before: the present configuration as answers.
            ask: asks a question.
        """

    def wrong(self, name: str, answer: str) -> tuple[str, dict[str, Any]] | None:
        """Return what is wrong with an answer, as the code and fields of a refusal, or None."""

    def settle(self, config: dict[str, Any], given: Mapping[str, str], folder: Path) -> None:
        """Enter the answers in the configuration, whose files are in `folder`."""

    def secrets(self, given: Mapping[str, str]) -> Mapping[str, str]:
        """Return the contents of the files that the answers require, by name. Raises
        SpokenError."""


@dataclass(frozen=True, eq=False)
class Feature:
    """The additions made by one feature. Only `start` and the functions here import the feature's
    modules."""

    name: str
    options: Mapping[str, type] = field(default_factory=dict)
    """The keys that the feature adds to the configuration, each with its type: a dataclass for a
    table."""
    start: Callable[[RunningBoard], Running] | None = None
    """A function that begins the feature's work on a board, before the board's parts are opened."""
    routes: Callable[[Any], Iterable[Any]] | None = None
    """A function that returns the feature's routes, given what the page offers
    (`web.board_view.Page`)."""
    api: Callable[[], Any] | None = None
    """A function that returns the requests and answers of the feature's routes
    (`web.schema.Api`)."""
    page: Callable[[RunningBoard, Any], Mapping[str, Any]] | None = None
    """A function that returns the feature's part of the page's state for a viewer
    (`web.state.Scene`)."""
    game: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    """A function that returns the feature's additions to a game of the history, given the game's
    summary with its `options`."""
    buttons: tuple[Button, ...] = ()
    """The feature's buttons on the page."""
    menu: tuple[Item, ...] = ()
    """The feature's items in the keypad's menu."""
    files: Callable[[Any], Iterable[str]] | None = None
    """A function that returns the files named in the feature's part of the configuration."""
    check: Callable[[Any], Iterable[Any]] | None = None
    """A function that checks the feature's requirements for `boardctl doctor`, given the
    configuration."""
    setup: Callable[[], SetupPart] | None = None
    """A function that returns the feature's questions in the set-up."""
    in_tab: bool = False
    """Whether the feature also works on a board in a browser tab, which has no sockets, threads or
    processes."""
    tab_options: Callable[[str], Mapping[str, Any]] | None = None
    """A function that returns the feature's part of the configuration in a tab, given the tab's
    address."""
    data_files: tuple[str, ...] = ()
    """The feature's files in the data directory that a backup must mention, because the journal
    does not contain them."""


@cache
def installed() -> tuple[Feature, ...]:
    """Return all installed features by name. A feature that fails to load is left out, and the
    failure is logged."""
    features = {}
    for place in (*_rooms(), *_others()):
        try:
            feature = place()
        except Exception:  # noqa: BLE001 - the board continues without it
            _log.exception("a feature cannot be described")
        else:
            features[feature.name] = feature
    return tuple(features[name] for name in sorted(features))


def of_game(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the features' additions to a game in the history."""
    added: dict[str, Any] = {}
    for one in from_each("game", lambda feature: feature.game and feature.game(summary)):
        added |= one
    return added


def from_each(
    hook: str,
    call: Callable[[Feature], T | None],
    features: Iterable[Feature] | None = None,
    raised: tuple[type[Exception], ...] = (),
) -> Iterator[T]:
    """Call a function for each feature, and yield the results other than None. If a call fails, the
    failure is logged and the feature is left out, unless the error is one of `raised`.

    Args:
        hook: the name of the called hook, for the log.
        call: calls the hook of a feature, if it has one.
        features: by default every installed one.
    """
    for feature in installed() if features is None else features:
        try:
            result = call(feature)
        except raised:
            raise
        except Exception:  # noqa: BLE001 - the others are not affected
            _log.exception("%s: %s failed", feature.name, hook)
        else:
            if result is not None:
                yield result


def _rooms() -> Iterable[Callable[[], Feature]]:
    """Return the features of this package."""
    for place in boardctl.__path__:
        for file in Path(place).glob("*/feature.py"):
            yield partial(_described, f"boardctl.{file.parent.name}.feature")


def _described(module: str) -> Feature:
    feature: Feature = import_module(module).FEATURE
    return feature


def _others() -> Iterable[Callable[[], Feature]]:
    """Return the features of other distributions. `importlib.metadata` needs a lot of memory, so it
    is imported only if a distribution has such an entry point."""
    if not any(map(_declares, sys.path)):
        return
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        yield point.load


def _declares(folder: str) -> bool:
    """Return whether any distribution in a folder on the import path declares a feature."""
    sought = f"[{GROUP}]".encode()
    with suppress(OSError), os.scandir(folder or ".") as entries:  # or an archive of modules
        for entry in entries:
            if entry.name.endswith(".dist-info"):
                # `Path.open` would take twice the time, before a board's first frame
                with suppress(OSError), open(f"{entry.path}/entry_points.txt", "rb") as file:  # noqa: PTH123
                    if sought in file.read():
                        return True
    return False


def _buttons(feature: Feature, scene: Any) -> list[dict[str, str]]:
    language = scene.viewer.language
    return [{"text": each.text(language), "post": each.post} for each in feature.buttons]


class Features:
    """The features of one running board."""

    def __init__(
        self,
        board: RunningBoard,
        features: Iterable[Feature] | None = None,
    ) -> None:
        """Args:
        features: the features to start; by default every installed one.
        """
        self._board = board
        self.all = tuple(installed() if features is None else features)
        self.changed: Signal[str] = Signal()
        """Sent with `state` when a feature's part of the page's state has changed, or with the
        feature's name to tell the page's own script of that feature."""
        self.changes = 0
        """The number of times that `changed` was sent."""
        self.changed.connect(self._count)
        self._running: dict[str, Running] = {}
        self._tasks: dict[str, asyncio.Task[None]] | None = None
        self._failing: dict[str, dict[str, str]] = {}
        self._waiting: dict[str, Timer] = {}

    def _count(self, news: str) -> None:
        self.changes += 1

    def __contains__(self, name: str) -> bool:
        return any(feature.name == name for feature in self.all)

    def of(self, name: str) -> Any:
        """Return a running feature, for use by the modules of its own room. Raises KeyError if it
        has not been started."""
        return self._running[name]

    # Starting and ending

    def start(self) -> None:
        """Start every feature."""
        for feature in self.all:
            self._start(feature)

    def _start(self, feature: Feature) -> None:
        self._waiting.pop(feature.name, None)
        if feature.start is None:
            return
        running = self._call(feature.name, "start", feature.start, None, self._board)
        if running is None:
            clock = self._board.controller.clock
            again = clock.call_at(clock.time() + AGAIN, partial(self._start, feature))
            self._waiting[feature.name] = again
            return
        self._running[feature.name] = running
        if self._tasks is not None:
            self._run(feature.name)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run all features for the duration of the context."""
        self._tasks = {}
        for name in self._running:
            self._run(name)
        try:
            yield
        finally:
            tasks, self._tasks = self._tasks, None
            for task in tasks.values():
                task.cancel()
            for name, task in tasks.items():
                await asyncio.wait((task,))
                if not task.cancelled() and (error := task.exception()) is not None:
                    self._failed(name, "run", error)

    def _run(self, name: str) -> None:
        assert self._tasks is not None
        self._tasks[name] = asyncio.create_task(self._work(name), name=name)

    async def _work(self, name: str) -> None:
        while True:
            try:
                self._recovered(name, "run")
                await self._running[name].run()
            except Exception as error:  # noqa: BLE001 - the board continues without it
                self._failed(name, "run", error)
                await asyncio.sleep(AGAIN)
            else:
                return

    def close(self) -> None:
        """Stop the features in the reverse order of starting."""
        for timer in self._waiting.values():
            timer.cancel()
        while self._running:
            name, running = self._running.popitem()
            self._call(name, "close", running.close, None)

    # Questions that a board asks its features

    @property
    def is_elsewhere(self) -> bool:
        """Whether the game on the table is also played on another table."""
        return any(
            self._call(name, "is_elsewhere", lambda one=running: one.is_elsewhere, False)
            for name, running in self._running.items()
        )

    def authorize(self, moves: Sequence[Move], by: str, seat: int | None) -> None:
        """Raise IllegalMove if a feature refuses these moves."""
        for name, running in self._running.items():
            self._call(name, "authorize", running.authorize, None, moves, by, seat)

    def outbox_for(self, session: int, before: Position, after: Position) -> Sequence[Post]:
        """Return the features' messages about a move."""
        found: list[Post] = []
        for name, running in self._running.items():
            call: Callable[..., Sequence[Post]] = running.outbox_for
            found += self._call(name, "outbox_for", call, (), session, before, after)
        return found

    def odds(self, position: Position) -> float | None:
        """Return side 1's chance of winning, from the first feature that gives one, or None."""
        found = (
            self._call(name, "odds", running.odds, None, position)
            for name, running in self._running.items()
        )
        return next((one for one in found if one is not None), None)

    def obstacle(self, game: Game[Any], language: str) -> str:
        """Return the reason why a game cannot be played at this table now, or an empty string if it
        can."""
        found = (
            self._call(name, "obstacle", running.obstacle, "", game, language)
            for name, running in self._running.items()
        )
        return next(filter(None, found), "")

    def speak(self, speaker: Speaker) -> Callable[[], None]:
        """Start speaking through a speaker, and return a function that stops the speech."""
        ends = [
            (name, end)
            for name, running in self._running.items()
            if (end := self._call(name, "speak", running.speak, None, speaker)) is not None
        ]

        def end_all() -> None:
            for name, end in ends:
                self._call(name, "speak", end, None)

        return end_all

    def take(self, event: KeyEvent) -> bool:
        """Offer a key on the board to the features, and return whether one of them handles it."""
        return any(
            self._call(name, "take", running.take, False, event)
            for name, running in self._running.items()
            if type(running).take is not Running.take
        )

    def menu(self) -> tuple[Item, ...]:
        """Return the features' items for the keypad menu."""
        items = [
            item._replace(guard=partial(self._guard, feature.name))
            for feature in self.all
            for item in feature.menu
        ]
        taken = {item.keys for item in items}
        free = iter(key for key in map("8{}".format, FREE) if key not in taken)
        return tuple(
            item if item.keys else item._replace(keys=key)
            for item in items
            if (key := item.keys or next(free, ""))
        )

    def _guard(self, name: str, part: str, call: Callable[[], T], default: T) -> T:
        """Call a part of a feature's keypad mode (`keypad.state.Guard`)."""
        return self._attempt(name, f"menu {part}", call, default)

    def page(self, scene: Any) -> dict[str, Any]:
        """Return the features' part of the page's state for a viewer."""
        state: dict[str, Any] = {
            "features": [feature.name for feature in self.all],
            "buttons": [],
        }
        nothing: list[dict[str, str]] = []
        for feature in self.all:
            state["buttons"] += self._call(
                feature.name, "buttons", _buttons, nothing, feature, scene
            )
        for feature in self.all:
            if feature.page is not None and (
                feature.start is None or feature.name in self._running
            ):
                empty: Mapping[str, Any] = MappingProxyType({})
                state |= self._call(feature.name, "page", feature.page, empty, self._board, scene)
        return state

    def routes(self, page: Any, add: Callable[[list[Any]], None]) -> None:
        """Add the routes of every feature to the page, now or as soon as the feature can create
        them.

        Args:
            page: the page's interface for features.
            add: adds routes.
        """
        for feature in self.all:
            if feature.routes is not None:
                self._route(feature, page, add)

    def _route(self, feature: Feature, page: Any, add: Callable[[list[Any]], None]) -> None:
        assert feature.routes is not None
        make = feature.routes
        made = self._call(feature.name, "routes", lambda: list(make(page)), None)
        if made is not None:
            for route in made:
                route.app = self._guarded(feature.name, route.app)
            add(made)
            return
        clock = self._board.controller.clock
        again = partial(self._route, feature, page, add)
        self._waiting[f"{feature.name} routes"] = clock.call_at(clock.time() + AGAIN, again)

    def _guarded(self, name: str, answer: Callable[..., Awaitable[None]]) -> Any:
        """Return a route's ASGI application that also reports unexpected exceptions."""

        async def answered(*request: Any) -> None:
            try:
                await answer(*request)
            except Exception as error:
                self._failed(name, "route", error)
                raise
            self._recovered(name, "route")

        return answered

    # Failures

    def connect(
        self, name: str, signal: Signal[P], receiver: Callable[P, object]
    ) -> Callable[[], None]:
        """Connect a feature to a signal, and return a function that disconnects the feature."""

        def received(*args: P.args, **kwargs: P.kwargs) -> None:
            receiver(*args, **kwargs)
            self._recovered(name, "signal")

        return signal.connect(received, partial(self._failed, name, "signal"))

    def _call(self, name: str, hook: str, call: Callable[..., T], default: T, *args: object) -> T:
        """Call a hook of a feature. Return `default` if the hook fails, except for a refusal."""
        return self._attempt(name, hook, partial(call, *args), default, IllegalMove)

    def _attempt(
        self, name: str, hook: str, call: Callable[[], T], default: T, *raised: type[Exception]
    ) -> T:
        """Return the result of a call, or `default` if it fails with an error other than those in
        `raised`."""
        try:
            value = call()
        except raised:
            raise
        except Exception as error:  # noqa: BLE001 - the board continues without it
            self._failed(name, hook, error)
            return default
        self._recovered(name, hook)
        return value

    def _failed(self, name: str, hook: str, error: BaseException) -> None:
        reason = reason_of(error) if isinstance(error, Exception) else repr(error)
        hooks = self._failing.setdefault(name, {})
        if hooks.get(hook) != reason:
            hooks[hook] = reason
            _log.error("%s: %s failed", name, hook, exc_info=error)
            self._report(name)

    def _recovered(self, name: str, hook: str) -> None:
        if name in self._failing and self._failing[name].pop(hook, None) is not None:
            self._report(name)

    def _report(self, name: str) -> None:
        """Show on the display that a feature has failed, or that it works again."""
        reasons = self._failing[name]
        with suppress(AttributeError):  # a table reads its journal before it has a controller
            self._board.controller.report(name, "; ".join(dict.fromkeys(reasons.values())) or None)
