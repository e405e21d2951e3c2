"""Generate the practice positions for the page.

    python -m tools.drills > boardctl/web/static/drills.json

Deals are dealt and played at random, with a cautious opponent, until a position fits a theme. Its
best choice must win at least MARGIN more often than the next one (with cards of another rank), as
judged by `bot.positions`, and must agree with a hint. The seed is fixed, so the same command always
produces the same file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from boardctl.bot import cribbage, hints, positions, throwing
from boardctl.bot.hints import TRAPS
from boardctl.bot.playing import Event, now
from boardctl.bot.positions import Choice, KnownPosition
from boardctl.bot.series import VALUE, code, follow
from boardctl.bot.tables import DEALER, PONE
from boardctl.games import IllegalMove
from boardctl.games.cards import CARDS, spell

EACH: Final = 12
"""The number of positions in a theme."""
MARGIN: Final = 0.01
"""The minimum advantage in winning chance of the best choice over the next."""
_LATE: Final = (100, 120)

Fits = Callable[["Found"], bool]


@dataclass(frozen=True)
class Found:
    """A position in the play. series: the ranks since the count was 0. ranks: the playable ranks;
    the first is the best one or the one in question."""

    position: KnownPosition
    series: tuple[int, ...]
    ranks: tuple[int, ...]

    @property
    def count(self) -> int:
        """The count."""
        return sum(VALUE[rank] for rank in self.series)


def _trap(found: Found) -> bool:
    counts = [found.count + VALUE[rank] in TRAPS for rank in found.ranks]
    return any(counts) and not counts[0]


def _run(ranks: tuple[int, ...]) -> int:
    """Return the length of the run that the last cards make, or 0 if they make none."""
    for length in range(len(ranks), 2, -1):
        last = sorted(ranks[-length:])
        if last == list(range(last[0], last[0] + length)):
            return length
    return 0


def _runs(found: Found) -> bool:
    series = found.series
    near = [rank for rank in found.ranks if found.count + VALUE[rank] <= 31]
    own = max(_run((*series, rank)) for rank in near)
    other = max(
        _run((*series, rank, answer))
        for rank in near
        for answer in range(13)
        if found.count + VALUE[rank] + VALUE[answer] <= 31 or rank == near[0]
    )
    return len(series) >= 2 and (own >= 4 or other >= 4)


THEMES: Final[dict[str, tuple[tuple[int, int], tuple[int, int], Fits | None]]] = {
    "crib": ((30, 95), (30, 95), None),
    "defence": ((85, 105), (112, 119), lambda _: True),
    "go": ((60, 105), (60, 105), lambda found: found.count > 21),
    "traps": ((60, 110), (60, 110), _trap),
    "runs": ((60, 110), (60, 110), _runs),
    "endgame-throw": (_LATE, _LATE, None),
    "endgame-play": (_LATE, _LATE, lambda _: True),
}
"""By theme: the range of the player's score, the opponent's range, and the fitting positions of the
play; None is a throw."""


def main() -> None:
    """Write the positions of every theme as JSON."""
    made = {theme: made_for(theme, EACH) for theme in THEMES}
    rows = ",\n".join(
        f'"{theme}": [\n' + ",\n".join(json.dumps(one) for one in some) + "\n]"
        for theme, some in made.items()
    )
    sys.stdout.write("{\n" + rows + "\n}\n")


def made_for(theme: str, count: int) -> list[dict[str, Any]]:
    """Return positions of a theme; repeated calls return the same positions."""
    chance = Random(theme)
    found: list[dict[str, Any]] = []
    while len(found) < count:
        position = _deal(theme, chance)
        if position is not None:
            found.append(positions.question(position))
    return found


def _deal(theme: str, chance: Random) -> KnownPosition | None:
    """Return a position of a theme from one deal, or None if there is none."""
    mine, theirs, fits = THEMES[theme]
    deals = theme == "crib" or chance.random() < 0.5
    score = chance.randint(*mine), chance.randint(*theirs)
    cards = chance.sample(range(52), 13)
    six, others, starter = cards[:6], cards[6:12], cards[12]
    position = KnownPosition(_spell(six), deals, score)
    if fits is None:
        return position if _worth_asking(position, own_crib=theme == "crib") else None
    role = DEALER if deals else PONE
    kept = throwing.averages(six, role)[0].kept
    held = list(throwing.averages(others, 1 - role)[0].kept)
    thrown = [card for card in six if card not in kept]
    position = replace(position, thrown=_spell(thrown), starter=_spell([starter]))
    mine_left, events = list(kept), list[Event]()
    while mine_left:
        state = now(role, events)
        room = state.room
        own = [card for card in mine_left if VALUE[card % 13] <= room]
        if not state.turn:
            reply = follow(state.series).reply(code([card % 13 for card in held])) if held else None
            card = None
            if reply is not None:
                card = next(card for card in held if card % 13 == reply[0])
                held.remove(card)
            events.append(Event(False, card))
            continue
        played = _spell([event.card for event in events if event.card is not None])
        asked = replace(position, played=played)
        if len({card % 13 for card in own}) > 1 and held:
            ranks = tuple(card % 13 for card in own)
            if any(fits(Found(asked, state.series, _first(rank, ranks))) for rank in set(ranks)):
                best = _best(asked)
                if best is not None and fits(Found(asked, state.series, _first(best, ranks))):
                    return asked
        card = chance.choice(own) if own else None
        if card is not None:
            mine_left.remove(card)
        events.append(Event(True, card))
    return None


def _first(rank: int, ranks: tuple[int, ...]) -> tuple[int, ...]:
    return (rank, *(other for other in ranks if other != rank))


def _best(position: KnownPosition) -> int | None:
    """Return the rank of the card that is clearly best, or None if no card is or the game is
    over."""
    try:
        judged = positions.judge(positions.record_of(position))
    except IllegalMove:
        return None
    if judged is None or not _clear(judged.choices, position):
        return None
    return cribbage.index(judged.choices[0].cards[0]) % 13


def _worth_asking(position: KnownPosition, *, own_crib: bool) -> bool:
    judged = positions.judge(positions.record_of(position))
    if judged is None or not _clear(judged.choices, position):
        return False
    first = judged.choices[0]
    return not own_crib or (first.hand or 0) < max(choice.hand or 0 for choice in judged.choices)


def _clear(choices: tuple[Choice, ...], position: KnownPosition) -> bool:
    """Return whether the first choice is better than every choice of another rank, and agrees with
    a hint."""
    ranks = [sorted(card.rank or 0 for card in choice.cards) for choice in choices]
    rest = [
        choice.win or 0 for choice, some in zip(choices, ranks, strict=True) if some != ranks[0]
    ]
    if not rest or (choices[0].win or 0) - max(rest) < MARGIN:
        return False
    hint = hints.hint(positions.record_of(position), 1)
    return hint is not None and sorted(c.rank or 0 for c in hint.best.move.cards) == ranks[0]


def _spell(cards: list[int]) -> str:
    return spell(tuple(CARDS[card] for card in cards))


if __name__ == "__main__":
    main()
