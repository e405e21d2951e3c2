"""Sentences about another house and the game with that house."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from boardctl import text
from boardctl.far import cards
from boardctl.far.cards import party_of
from boardctl.far.game import FarGame, undone
from boardctl.far.game_log import UPDATE
from boardctl.far.peers import House, Peer
from boardctl.games import IllegalMove
from boardctl.message import Message
from boardctl.record import notation
from boardctl.text import moves


def question(house: House, language: str) -> str | None:
    """Return a house's question, or None if there is none."""
    return _of_line(house, "far-asks", lambda game: game.question, language)


def declined(house: House, language: str) -> str | None:
    """Return a house's refusal, or None if it has not refused."""
    return _of_line(house, "far-declined", lambda game: game.declined, language)


def _of_line(
    house: House, code: str, of: Callable[[FarGame], tuple[int, str] | None], language: str
) -> str | None:
    """Return a sentence about the line that needs consent, or None if there is no such line."""
    game, name = house.session.game, house.session.name
    line = None if game is None else of(game)
    if game is None or line is None:
        return None
    move = notation.parse_move(line[1], game.position.game)
    said = moves.describe(move, tuple(game.proposal.seats), language)
    if move.verb == "undo":
        count = undone(move)
        back = "far-undo" if count == 1 else "far-undo-lines"
        said = text.say(Message("page", back, {"count": count}), text.Reader(language))
    return text.say(Message("page", code, {"name": name, "line": said}), text.Reader(language))


def stopped(house: House, language: str) -> str | None:
    """Return the reason why a house's game has stopped, or None if the game has not stopped."""
    game, name = house.session.game, house.session.name
    if lost := gone(house, language):
        return lost
    if game is None or game.stop is None:
        return None
    fields = {"name": name, "code": game.stop.code, "line": "", "why": ""}
    fields |= {key: str(value) for key, value in game.stop.fields.items()}
    codes = ("rejected", "scores", "told", "outdated")
    known = game.stop.code if game.stop.code in codes else "false"
    if game.stop.fields.get("why") == UPDATE:
        return text.say(Message("page", "far-update-here", fields), text.Reader(language))
    if game.stop.fields.get("why") == "scores":
        known = "scores-told"
    return text.say(Message("far", known, fields), text.Reader(language))


def gone(house: House, language: str) -> str:
    """Return the reason why the houses must meet again before they can play, or an empty string if
    they need not meet again."""
    try:
        house.session.check_known()
    except IllegalMove as error:
        return text.refusal(error, text.Reader(language))
    return ""


def outdated(house: House, language: str) -> str:
    """Return a sentence that names the board to update before both houses can play, or an empty
    string if neither board needs an update."""
    whose = house.session.outdated
    return whose and text.say(
        Message("page", f"far-update-{whose}", {"name": house.session.name}), text.Reader(language)
    )


def unopened(house: House, language: str) -> str:
    """Return a sentence that says that a house has not opened the finished deal, or an empty string
    if it has."""
    game = house.session.game
    if game is None or not (house.session.is_playing and game.is_unopened):
        return ""
    return text.say(
        Message("page", "far-unopened", {"name": house.session.name}), text.Reader(language)
    )


def invites(house: House, language: str) -> str:
    """Return a sentence that says which game a house wants to play, or an empty string if it does
    not offer one."""
    session = house.session
    name = session.name
    if session.offered is not None:
        game = str(session.offered["game"])
    elif house.waits and session.game is not None:
        game = session.game.proposal.game
    else:
        return ""
    fields = {"name": name, "game": moves.title(game, language)}
    return text.say(Message("page", "far-invited", fields), text.Reader(language))


def aside(house: House, language: str) -> str:
    """Return a sentence that says that a house has set its game aside, or an empty string if it has
    not."""
    session = house.session
    if not (session.is_playing and session.is_aside_there):
        return ""
    return text.say(Message("page", "far-aside", {"name": session.name}), text.Reader(language))


def game(house: House, language: str) -> dict[str, Any] | None:
    """Return the state of the game with a house, for a page."""
    game, name = house.session.game, house.session.name
    if game is None:
        return None
    caller = game.caller()
    turn = game.turn()
    due = "" if not house.session.is_playing else "theirs"
    if due and game.is_ours:
        due = "ours"
    elif due and not (turn and party_of(turn) != game.party):
        due = "dealing"
    return {
        "name": name,
        "seats": [n for n in game.position.seats if party_of(n) == game.party],
        "due": due,
        "turn": turn,
        "asks": question(house, language),
        "question": None if game.question is None else game.question._asdict(),
        "asked": game.own_question is not None,
        "declined": declined(house, language),
        "stand": bool(caller) and party_of(caller) == game.party and due == "ours",
        "draws": cards.is_drawing(game.position),
        "aside": aside(house, language) or unopened(house, language),
        "stopped": stopped(house, language),
        "done": game.is_done,
    }


def presence(peer: Peer, name: str) -> dict[str, Any]:
    """Return whether another board is connected, and how many minutes ago its last message
    arrived."""
    ago = int((time.time() - peer.last) // 60) if peer.last else None
    return {"name": name, "here": peer.is_here, "minutes": None if ago is None or ago < 0 else ago}
