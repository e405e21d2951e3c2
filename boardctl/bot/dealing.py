"""The assignment of sealed shuffles to a board's games, and the data revealed about them.

A list of shuffles deals a game. The newest one deals until its secret is revealed: at the end of
the game, or when the next game has been dealt. If players return to the game after that, a new
shuffle deals the next deals (docs/security.md).
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
"""The number of games whose shuffles are kept. Players may begin several by mistake before they
continue one."""


@dataclass(frozen=True)
class Dealt:
    """A game that the board deals."""

    game: str
    """The identity of the game: the session and the index of its `game` line, `12/3`."""
    shuffles: tuple[Shuffle, ...]
    """Oldest first. A secret is revealed when the game is over or the next game is dealt. If
    players return to the game afterwards, another shuffle deals."""


def current(table: Table) -> str:
    """Return the identity of the game on the table, as in `Dealt.game`."""
    return f"{table.session}/{game_start(table.record.moves)}"


def begun(table: Table, first: int) -> Dealt:
    """Return the game on the table, with a new shuffle that is used from a given deal on."""
    return Dealt(current(table), (_new_shuffle(first),))


def fixed(games: tuple[Dealt, ...], table: Table, shuffle: Shuffle) -> tuple[Dealt, ...]:
    """Return the games of a board that deals the one on the table by a given shuffle."""
    game = current(table)
    others = tuple(one for one in games if one.game != game)
    return (Dealt(game, (shuffle,)), *others)[:_KEPT]


def taken_up(games: tuple[Dealt, ...], table: Table, first: int) -> tuple[Dealt, ...]:
    """Return the games of a board that starts dealing. It continues the game on the table if all
    cards are from its own shuffles; otherwise a new shuffle deals from the deal `first` on."""
    dealt = next((one for one in games if one.game == current(table)), None)
    if dealt is None or not _are_of(dealt.shuffles, _moves_of(dealt, table)):
        return (begun(table, first),)
    return followed((dealt, *(one for one in games if one is not dealt)), table, "")


def followed(games: tuple[Dealt, ...], table: Table, verb: str) -> tuple[Dealt, ...]:
    """Return the games that a board has dealt, after a line of the table: the current one first, if
    the board deals it. Secrets of finished games are revealed; a revealed shuffle deals no more
    cards.

    Args:
        games: before the line, the newest first.
        table: after the line.
        verb: of the line.
    """
    return tuple(_told(dealt, table, verb) for dealt in _turned_to(games, table, verb))


def shuffle_of(dealt: Dealt, table: Table, number: int) -> Shuffle:
    """Return the shuffle for a deal of a game, counted from 1."""
    shares = sealed.shares(_moves_of(dealt, table), dealt.shuffles)
    both = zip(dealt.shuffles, shares, strict=True)
    return next((one for one, share in both if number in share), dealt.shuffles[-1])


def shown(shuffle: Shuffle, saved: bool) -> dict[str, Any]:
    """Return the public data of a shuffle. Its secret is included only after its disclosure is on
    disk (`saved`), so that it deals no further cards even after a power cut."""
    return {
        "commitment": sealed.commitment(shuffle.key),
        "cut": shuffle.cut,
        "own_cut": shuffle.own_cut,
        "secret": shuffle.secret if shuffle.told and saved else None,
    }


def proofs(dealt: Dealt, table: Table, saved: bool) -> Iterator[dict[str, Any]]:
    """Return the known data of each shuffle of a game that has dealt or will deal, newest first;
    `saved` as for `shown`."""
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
            **shown(shuffle, saved),
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
    """Return the game of this name, or the one whose shuffles these lines were dealt from."""
    named = (one for one in games if one.game == game)
    return next(named, None) or next((one for one in games if _are_of(one.shuffles, moves)), None)


def _turned_to(games: tuple[Dealt, ...], table: Table, verb: str) -> tuple[Dealt, ...]:
    """Return the games, with the current game first if the board deals it."""
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


def _told(dealt: Dealt, table: Table, verb: str) -> Dealt:
    """Return a game after a line. If the game is over or the next one is dealt, its secrets are
    revealed and an unused shuffle is dropped; if the game then continues, the next deal gets a new
    shuffle."""
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
        # the next game is dealt from it
        shuffles = (*shuffles[:-1], replace(newest, first=number + 1))
    return replace(dealt, shuffles=shuffles)


def _new_shuffle(first: int) -> Shuffle:
    """Return a shuffle with a new secret, used from a deal on."""
    return Shuffle(secrets.token_bytes(sealed.SECRET_BYTES).hex(), first=first)


def _are_of(shuffles: Sequence[Shuffle], moves: Sequence[Move]) -> bool:
    """Return whether a game's cards are all from these shuffles, as in a continued game: at least
    one hand, and no other card."""
    if not any(move.verb == "hand" and all(card.known for card in move.cards) for move in moves):
        return False
    shares = sealed.shares(moves, shuffles)
    return any(shares) and all(
        not share or sealed.follows(moves, shuffle, *share)
        for shuffle, share in zip(shuffles, shares, strict=True)
    )
