"""The stages after a qualifying evening: a playoff for its top quarter, and a consolation for the
other players.

Playoff results are matches, which are entered by hand with both players' PINs. Their spread is the
margin in games.
"""

from __future__ import annotations

from boardctl.club import playoff
from boardctl.club.evening import ROUNDS, ClubRefusal
from boardctl.club.store import About, Store


def begin_playoff(
    store: Store, qualifying: int, anyway: bool = False
) -> tuple[int, tuple[playoff.Match, ...]]:
    """Start the playoff of an evening's top quarter, and return the playoff's number and first
    round.

    A tie for the last qualifying place is broken by the evening's random draw. With `anyway`, some
    rounds may still be undrawn.

    Raises:
        ClubRefusal: `not-begun`, `results-missing`, `rounds-left`, `too-few-players`.
    """
    about = store.about(qualifying)
    _complete(store, about)
    drawn = len(store.draws(qualifying))
    if drawn < about.rounds and not anyway:
        raise ClubRefusal("rounds-left", name=about.name, count=drawn, rounds=about.rounds)
    ranked = [standing.name for standing in store.standings(qualifying)]
    qualified = ranked[: playoff.qualifiers(len(ranked))]
    rounds = playoff.rounds(len(qualified))
    number = store.new(f"{about.name}: playoff", qualified, rounds, "playoff", qualifying)
    matches = playoff.bracket(qualified)
    store.set_round(number, 1, matches)
    return number, matches


def next_round(store: Store, number: int) -> tuple[int, tuple[playoff.Match, ...]]:
    """Draw the next round of a playoff from the last round's winners. Return the round's number and
    matches.

    Raises:
        ClubRefusal: `results-missing`, `evening-over` if there is a champion.
    """
    about = store.about(number)
    _complete(store, about)
    if champion(store, number) is not None:
        raise ClubRefusal("evening-over", rounds=about.rounds)
    matches = playoff.onward([winner or "" for _, winner in store.bracket(number)])
    round_ = len(store.draws(number)) + 1
    store.set_round(number, round_, matches)
    return round_, matches


def begin_consolation(store: Store, qualifying: int, rounds: int = ROUNDS) -> int:
    """Start an evening for the players who did not qualify, in the order of their ranks. Return the
    evening's number.

    Raises:
        ClubRefusal: `not-begun`, `results-missing`, `too-few-players`.
    """
    about = store.about(qualifying)
    _complete(store, about)
    ranked = [standing.name for standing in store.standings(qualifying)]
    others = ranked[playoff.qualifiers(len(ranked)) :]
    return store.new(f"{about.name}: consolation", others, rounds, "consolation", qualifying)


def champion(store: Store, number: int) -> str | None:
    """Return the winner of a playoff, or None while it continues."""
    matches = store.bracket(number)
    return matches[0][1] if len(matches) == 1 else None


def _complete(store: Store, about: About) -> None:
    """Raise ClubRefusal: `results-missing` if a drawn game has no result, or `not-begun` if no game
    was drawn."""
    if not store.draws(about.number):
        raise ClubRefusal("not-begun", name=about.name)
    missing = [met for met in store.meetings(about.number) if met.result is None]
    if missing:
        first = missing[0]
        where = {"round": first.round, "one": first.one, "two": first.two}
        raise ClubRefusal("results-missing", count=len(missing), **where)
