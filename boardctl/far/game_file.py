"""Convert a game to and from JSON, so that it can continue after a power cut. Pure."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import Any

from boardctl.far import group
from boardctl.far.deal import Deal, Locked
from boardctl.far.game import FarGame
from boardctl.far.game_log import UPDATE, Proposal, Question, Stop
from boardctl.far.shuffle import Terms
from boardctl.record import notation


def to_json(game: FarGame) -> dict[str, Any]:
    """Return everything that a game needs to continue, as JSON. The game's outgoing messages must
    have been taken first. Pending computations are not stored; they are started again."""
    proposal, stop = game.proposal, game.stop
    return {
        "protocol": group.PROTOCOL,
        "proposal": {**proposal._asdict(), "ident": proposal.ident.hex()},
        "house": game.party,
        "lines": [[line.text, line.by, list(line.places)] for line in game.lines],
        "beginning": game.beginning,
        "chain": game.chain.hex(),
        "deal": None if game.deal is None else _deal_to_json(game.deal),
        "coming": None if game.coming is None else _deal_to_json(game.coming),
        "numbers": game.deals_begun,
        "since": game.deal_start,
        "due": sorted(game.awaited_places),
        "given": sorted(game.shared_places),
        "told": game.has_revealed_lock,
        "lock": None if game.other_lock is None else game.other_lock.hex(),
        "written": game.lines_transcribed,
        "question": game.question,
        "asked": game.own_question,
        "granted": game.granted,
        "asked_at": game.asked_at,
        "questioned_at": game.questioned_at,
        "held": [notation.spell(move) for move in game.queued.values()],
        "passed": game.waived_at,
        "inbox": [] if stop else [*game.arriving, *game.inbox],
        "opened": game.verified,
        "stop": None if stop is None else [stop.code, stop.mine, stop.number, dict(stop.fields)],
    }


def from_json(stored: Mapping[str, Any], draw: Callable[[int], bytes]) -> FarGame:
    """Restore a game from `to_json`. Raises KeyError, TypeError or ValueError if the data is
    damaged."""
    said = stored["proposal"]
    proposal = Proposal(
        bytes.fromhex(said["ident"]),
        said["game"],
        tuple(said["seats"]),
        dict(said["options"]),
        int(said["dealer"]),
    )
    game = FarGame(proposal, int(stored["house"]), draw)
    for text, by, places in stored["lines"][game.beginning :]:
        move = notation.parse_move(text, game.position.game)
        game.restore(move, int(by), tuple(int(place) for place in places))
    game.unapplied.clear()
    game.chain = bytes.fromhex(stored["chain"])
    game.deals_begun, game.deal_start = int(stored["numbers"]), int(stored["since"])
    if stored["stop"] is not None:
        code, mine, number, fields = stored["stop"]
        game.stop = Stop(code, mine, number, fields)
    if stored.get("protocol") != group.PROTOCOL:
        _end(game)
        return game
    game.deal = None if stored["deal"] is None else _deal_from_json(stored["deal"])
    game.coming = None if stored["coming"] is None else _deal_from_json(stored["coming"])
    game.awaited_places, game.shared_places = set(stored["due"]), set(stored["given"])
    game.has_revealed_lock, game.lines_transcribed = bool(stored["told"]), int(stored["written"])
    game.other_lock = None if stored["lock"] is None else bytes.fromhex(stored["lock"])
    game.question, game.own_question = _pair(stored["question"]), _pair(stored["asked"])
    game.granted, game.waived_at = _pair(stored["granted"]), int(stored["passed"])
    game.asked_at = int(stored.get("asked_at", -1))
    game.questioned_at = int(stored.get("questioned_at", -1))
    for text in stored["held"]:
        move = notation.parse_move(text, game.position.game)
        game.queued[move.player] = move
    game.verified = list(stored["opened"])
    game.inbox = list(stored["inbox"])
    game.settle()
    return game


def _end(game: FarGame) -> None:
    """Stop a game that was dealt with the version 1.0 protocol, unless it is over."""
    if game.stop is None and not game.is_done:
        game.stop = Stop("outdated", True, len(game.lines))
        game.out.append({"t": "stop", "code": UPDATE, "n": len(game.lines)})


def _deal_to_json(deal: Deal) -> dict[str, Any]:
    return {
        "terms": [deal.terms.game.hex(), deal.terms.number, deal.terms.size],
        "house": deal.party,
        "secret": deal.secret.hex(),
        "lock": group.encoded(deal.lock).hex(),
        "shuffles": [
            [one.key.hex(), b64encode(b"".join(one.pack)).decode(), one.digest.hex()]
            for one in deal.shuffles
        ],
        "points": {str(place): point.hex() for place, point in deal.points.items()},
        "seen": {str(place): card for place, card in deal.seen_cards.items()},
    }


def _deal_from_json(stored: Mapping[str, Any]) -> Deal:
    ident, number, size = stored["terms"]
    return Deal(
        Terms(bytes.fromhex(ident), int(number), int(size)),
        int(stored["house"]),
        bytes.fromhex(stored["secret"]),
        int.from_bytes(bytes.fromhex(stored["lock"]), "little"),
        tuple(
            Locked(bytes.fromhex(key), pack_of(pack), bytes.fromhex(digest))
            for key, pack, digest in stored["shuffles"]
        ),
        {int(place): bytes.fromhex(point) for place, point in stored["points"].items()},
        {int(place): int(card) for place, card in stored["seen"].items()},
    )


def pack_of(text: str) -> tuple[bytes, ...]:
    """Return the curve points of a pack in base64."""
    whole = b64decode(text, validate=True)
    return tuple(whole[at : at + group.POINT] for at in range(0, len(whole), group.POINT))


def _pair(stored: Any) -> Question | None:
    return None if stored is None else Question(int(stored[0]), str(stored[1]))
