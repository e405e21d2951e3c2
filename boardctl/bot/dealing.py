"""The sealed shuffles from which a board deals its games, and the data published about them.

Each game has a list of shuffles. The newest shuffle is used until its secret is revealed, at the
end of the game or when the next game has been dealt. If players return to the game later, a new
shuffle is used for its further deals (docs/security.md).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from boardctl.bot import seated
from boardctl.games import Move
from boardctl.record import sealed
from boardctl.record.position import game_start
from boardctl.record.sealed import Shuffle
from boardctl.table import Table

_KEPT: Final = 4
"""The number of games whose shuffles are kept. Players may begin several games by mistake before
they continue one."""


@dataclass(frozen=True)
class Dealt:
    """A game that the board deals."""

    game: str
    """The identity of the game: the session and the index of its `game` line, such as `12/3`."""
    shuffles: tuple[Shuffle, ...]
    """The shuffles, oldest first. A secret is revealed when the game is over or the next game is
    dealt. If players return to the game afterwards, a new shuffle deals."""


def current(table: Table) -> str:
    """Return the identity of the game on the table, as in `Dealt.game`."""
    return f"{table.session}/{game_start(table.record.moves)}"


def begun(table: Table, first: int) -> Dealt:
    """Return the game on the table with a new shuffle, for use from deal `first` on."""
    return Dealt(current(table), (_new_shuffle(first),))


def fixed(games: tuple[Dealt, ...], table: Table, shuffle: Shuffle) -> tuple[Dealt, ...]:
    """Return the games dealt by a board after it begins to deal the current game from a given
    shuffle."""
    game = current(table)
    others = tuple(one for one in games if one.game != game)
    return (Dealt(game, (shuffle,)), *others)[:_KEPT]


def taken_up(games: tuple[Dealt, ...], table: Table, first: int) -> tuple[Dealt, ...]:
    """Return the games dealt by a board after it begins to deal. If all cards of the current game
    come from the board's own shuffles, the board continues to use them. Otherwise it uses a new
    shuffle from deal `first` on."""
    dealt = next((one for one in games if one.game == current(table)), None)
    if dealt is None or not _are_of(dealt.shuffles, _moves_of(dealt, table)):
        return (begun(table, first),)
    return followed((dealt, *(one for one in games if one is not dealt)), table, "")


def followed(games: tuple[Dealt, ...], table: Table, verb: str) -> tuple[Dealt, ...]:
    """Return the games that a board has dealt, after a line of the table. The current game comes
    first if the board deals it. Secrets of finished games are revealed, and a revealed shuffle is
    not used again.

    Args:
        games: the dealt games before the line, newest first.
        table: the table after the line.
        verb: the verb of the line.
    """
    return tuple(_after_line(dealt, table, verb) for dealt in _turned_to(games, table, verb))


def shuffle_of(dealt: Dealt, table: Table, number: int) -> Shuffle:
    """Return the shuffle for deal `number` of a game. Deals are counted from 1."""
    shares = sealed.shares(_moves_of(dealt, table), dealt.shuffles)
    both = zip(dealt.shuffles, shares, strict=True)
    return next((one for one, share in both if number in share), dealt.shuffles[-1])


def public_data(shuffle: Shuffle, saved: bool) -> dict[str, Any]:
    """Return the public data of a shuffle. The secret is included only once its disclosure has been
    stored on disk (`saved`). The shuffle is then never used again, even after a power cut."""
    return {
        "commitment": sealed.commitment(shuffle.key),
        "cut": shuffle.cut,
        "own_cut": shuffle.own_cut,
        "secret": shuffle.secret if shuffle.told and saved else None,
    }


def proofs(dealt: Dealt, table: Table, saved: bool) -> Iterator[dict[str, Any]]:
    """Yield the public data of each shuffle that was or will be used in a game, newest first.
    `saved` is as for `public_data`."""
    shuffles, moves = dealt.shuffles, _moves_of(dealt, table)
    shares = sealed.shares(moves, shuffles)
    playing = dealt.game == current(table) and not table.position.over
    for n, shuffle in reversed(tuple(enumerate(shuffles))):
        share, newest = shares[n], shuffle is shuffles[-1]
        dealt_some = share if moves else shuffle.told
        if not dealt_some and not (newest and (playing or n == 0)):
            continue
        follows = None
        if moves and shuffle.told and saved:
            follows = not share or sealed.follows(moves, shuffle, *share)
        yield {
            **public_data(shuffle, saved),
            "first": share[0] if share else shuffle.first,
            "deals": len(share) if moves else None,
            "follows": follows,
        }


def _moves_of(dealt: Dealt, table: Table) -> Sequence[Move]:
    """Return the moves of a game, or no moves if the game has left the table."""
    session, _, place = dealt.game.partition("/")
    moves = table.record.moves[int(place) :] if session == str(table.session) else ()
    return seated.game_from(moves, 0) if moves and moves[0].verb == "game" else ()


def _dealt_by(games: tuple[Dealt, ...], game: str | None, moves: Sequence[Move]) -> Dealt | None:
    """Return the dealt game with this identity, or else the game whose shuffles produced the cards
    in these lines, or None."""
    named = (one for one in games if one.game == game)
    return next(named, None) or next((one for one in games if _are_of(one.shuffles, moves)), None)


def _turned_to(games: tuple[Dealt, ...], table: Table, verb: str) -> tuple[Dealt, ...]:
    """Return the dealt games. The current game comes first if the board deals it."""
    game, fresh = current(table), verb == "game"
    if games and games[0].game == game and not fresh:
        return games
    if not seated.deals(table.position):
        return tuple(one for one in games if one.game != game) if fresh else games
    moves = seated.game_from(table.record.moves, game_start(table.record.moves))
    number = sum(move.verb == "deal" for move in moves)
    found = _dealt_by(games, None if fresh else game, moves)
    others = tuple(one for one in games if one is not found and one.game != game)
    shuffles = (_new_shuffle(number + 1),) if found is None else found.shuffles
    return (Dealt(game, shuffles), *others)[:_KEPT]


def _after_line(dealt: Dealt, table: Table, verb: str) -> Dealt:
    """Return a game after a line. If the game is over or the next game is dealt, its secrets are
    revealed and an unused shuffle is dropped. If the game continues after that, a new shuffle is
    used for the next deal."""
    shuffles, playing = dealt.shuffles, dealt.game == current(table)
    if table.position.over if playing else verb == "deal":
        moves = _moves_of(dealt, table)
        shares = sealed.shares(moves, shuffles)
        told = (
            replace(one, told=not one.held)
            for one, share in zip(shuffles, shares, strict=True)
            if one.told or not moves or share or one is shuffles[0]
        )
        return replace(dealt, shuffles=tuple(told))
    if not playing:
        return dealt
    number, _ = seated.deal_at_hand(table.record)
    newest = shuffles[-1]
    if newest.told:
        return replace(dealt, shuffles=(*shuffles, _new_shuffle(number + 1)))
    if len(shuffles) > 1 and not sealed.shares(_moves_of(dealt, table), shuffles)[-1]:
        # the newest shuffle has dealt nothing yet, so it deals the next deal
        shuffles = (*shuffles[:-1], replace(newest, first=number + 1))
    return replace(dealt, shuffles=shuffles)


def _new_shuffle(first: int) -> Shuffle:
    """Return a shuffle with a new secret, for use from deal `first` on."""
    return Shuffle(secrets.token_bytes(sealed.SECRET_BYTES).hex(), first=first)


def _are_of(shuffles: Sequence[Shuffle], moves: Sequence[Move]) -> bool:
    """Return whether all cards of a game come from these shuffles, as they do if the game is
    continued. At least one hand must be known."""
    if not any(move.verb == "hand" and all(card.is_known for card in move.cards) for move in moves):
        return False
    shares = sealed.shares(moves, shuffles)
    return any(shares) and all(
        not share or sealed.follows(moves, shuffle, *share)
        for shuffle, share in zip(shuffles, shares, strict=True)
    )
