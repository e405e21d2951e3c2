"""Judge any cribbage position: the chance of winning with each throw or card, and the opponent's
likely hands.

A position is what one player knows: the scores, the dealer, the player's cards, the cards laid
away, the starter, and the played cards in order. The player's hand determines who played each card.
Gos are implied. A go may also follow the last card, because it must be the player's turn. The
referee checks the position. Two-handed six-card cribbage to any target is judged by the chance of
winning, and five-card cribbage by average points.

    python -m boardctl.bot.positions reads such a position as JSON and writes its judgement
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any, Final, NamedTuple

from boardctl import text
from boardctl.bot import aims, cribbage, hints, other_forms, playing, ranking, throwing
from boardctl.bot.objective import WIN, Objective
from boardctl.bot.series import follow, ranks_of
from boardctl.bot.tables import DEALER, PONE
from boardctl.games import IllegalMove
from boardctl.games.cards import CARDS, Card, Rank, parse_cards, spell
from boardctl.games.cribbage.point_claims import State
from boardctl.message import Message
from boardctl.options import structure
from boardctl.record.record import Record
from boardctl.text import hints as words

TABLE_ERROR: Final = 0.0015
"""The largest standard deviation of a winning chance in the tables (docs/notes/player.md, "The
data")."""
SAMPLES: Final = 4
"""The number of independent samples of the opponent's hands. Samples are used if there are too many
hands to search at once."""
NAMES: Final = ("Me", "Other")
"""The names of the two players: the player to move, and the opponent."""
LIMIT: Final = 31
ALL_FIT: Final = LIMIT - 10
"""The highest count at which every card can be played."""
LIKELY: Final = 8
"""The number of the opponent's most likely hands in a judgement."""
_SEATED: Final = tuple(f"seat {seat} {name}" for seat, name in enumerate(NAMES, 1))
_SURE: Final = 1.96
_RANK_BITS: Final = (1 << 39) - 1


@dataclass(frozen=True)
class KnownPosition:
    """A position, as the player in seat 1 knows it. Cards are in the notation, separated by
    spaces."""

    hand: str
    """All cards dealt to that player."""
    deals: bool = False
    """Whether that player deals."""
    score: tuple[int, ...] = (0, 0)
    """The points of that player and of the opponent before the decision."""
    thrown: str = ""
    """The cards that the player has laid away, or an empty string before the throw."""
    starter: str = ""
    played: str = ""
    """The cards of both players in the order of the play."""
    target: int = 121
    five: bool = False
    """Whether the game is five-card cribbage."""
    objective: str = "win"
    """The objective of the game, in the form that `aims.read` parses."""


class Choice(NamedTuple):
    """One throw or card. A figure is None if it does not apply."""

    cards: tuple[Card, ...]
    win: float | None = None
    """The chance of winning, or None if only points are judged."""
    half: float | None = None
    """Half the width of the 95 % interval of the chance."""
    hand: float | None = None
    """The average points of the kept hand after a throw."""
    crib: float | None = None
    """The average points of the crib after a throw."""
    play: float | None = None
    """The average net points of the play after a throw."""
    points: int | None = None
    """The points that a card pegs."""


class Judgement(NamedTuple):
    """The choices, best first. In the play, also the opponent's most likely hands, by ranks."""

    kind: str
    choices: tuple[Choice, ...]
    likely: tuple[tuple[str, float], ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the judgement as JSON data."""
        rows = []
        for choice in self.choices:
            numbers = {key: value for key, value in choice._asdict().items() if key != "cards"}
            known = {key: round(value, 5) for key, value in numbers.items() if value is not None}
            rows.append({"cards": [str(card) for card in choice.cards], **known})
        likely = [{"ranks": ranks, "share": round(share, 5)} for ranks, share in self.likely]
        return {"kind": self.kind, "choices": rows, "likely": likely}


def _check_position(known: KnownPosition) -> None:
    """Check that the cards and scores of a position are consistent. Raises IllegalMove or
    ValueError if they are not."""
    hand, thrown, starter = map(_cards, (known.hand, known.thrown, known.starter))
    vague = next((card for card in (*hand, *thrown, *starter) if not card.is_known), None)
    if vague is not None:
        raise IllegalMove("position-suit", said=str(vague))
    if len(starter) != bool(thrown) or (known.played and not thrown):
        raise ValueError("a play has a throw and a starter, and what is before it has neither")
    if not set(thrown) <= set(hand):
        raise IllegalMove("position-thrown")
    if (below := min(known.score)) < 0:
        raise IllegalMove("position-score", said=below)


def record_of(known: KnownPosition) -> Record:
    """Return a position as a record with only the cards that seat 1 has seen.

    Raises:
        IllegalMove: if the referee refuses a line. The code is `syntax` if a card cannot be read,
            `position-suit` if a card lacks its rank or suit, `position-score` if a score is not
            possible, and `position-thrown` if a thrown card was not dealt.
        ValueError: if the number of scores is wrong or the play is incomplete.
    """
    hand, thrown, played = map(_cards, (known.hand, known.thrown, known.played))
    _check_position(known)
    mine, theirs = known.score
    record = Record()
    read = record.read
    read("game five-card-cribbage" if known.five else "game cribbage")
    for line in (*_SEATED, f"set target {known.target}"):
        read(line)
    if mine or theirs:
        read(f"start {mine} {theirs}")
    for line in (f"dealer {1 if known.deals else 2}", "deal", f"1 hand {spell(hand)}"):
        read(line)
    if not known.thrown:
        return record
    read(f"1 discard {known.thrown}")
    read("2 discard ? ?")
    read(f"starter {known.starter}")
    for card in played:
        read(f"{1 if card in hand else 2} play {card}")
    away = {*thrown, *played}
    for _ in NAMES:
        _read_go(record, [card for card in hand if card not in away])
    return record


def _cards(text: str) -> tuple[Card, ...]:
    """Parse the cards in a text. Raises IllegalMove (`syntax`) if a word is not a card."""
    try:
        return tuple(parse_cards(text))
    except ValueError as error:
        raise IllegalMove("syntax", text=text, why="card", at=str(error)) from None


def _read_go(record: Record, held: Sequence[Card]) -> None:
    """Enter the go that the position implies. Seat 1 says go if it holds no playable card.
    Otherwise the opponent must have said go, because it is seat 1's turn. Up to a count of ALL_FIT,
    every card can be played."""
    situation = record.position.situation
    count, seat = situation.count or 0, situation.turn
    if situation.phase != "play" or seat is None or count <= ALL_FIT:
        return
    if seat == 1 and any(min(10, card.rank or 0) + count <= LIMIT for card in held):
        return
    with suppress(IllegalMove):
        record.read(f"{seat} go")


def question(known: KnownPosition) -> dict[str, Any]:
    """Return a position as a practice question: its fields, the current scores (`now`) and the
    cards of the current count (`series`).

    Raises:
        IllegalMove, ValueError: as for `record_of`.
    """
    position = record_of(known).position
    state: State = position.state
    series = state.deal.series if known.thrown and state.deal is not None else ()
    values = ((field, getattr(known, field.name)) for field in fields(known))
    given = {field.name: value for field, value in values if value != field.default}
    return {**given, "now": list(position.shown_scores), "series": spell(series)}


def judge(record: Record, played_for: Objective = WIN) -> Judgement | None:
    """Return the judgement of seat 1's pending decision, or None if no decision is pending. If the
    objective is not to win, `win` is the worth under the objective."""
    moves = record.moves
    start = max(place for place, move in enumerate(moves) if move.verb == "game")
    deal = cribbage.deal_knowledge(record.position, moves[start:], 1, played_for)
    if deal is None:
        return None
    state: State = record.position.state
    if cribbage.to_throw(state, deal):
        if not deal.full:
            found = other_forms.throws(state, deal.hand, 1)
            return Judgement("throw", tuple(Choice(one.cards, hand=one.hand) for one in found))
        return Judgement("throw", tuple(_throws(deal.six, deal)))
    if not deal.full or not cribbage.to_play(state, deal, 1):
        return None
    view = cribbage.view_of(state, deal, 1)
    return None if view is None or not playing.legal(view) else _play(view)


def _throws(six: Sequence[int], deal: cribbage.DealKnowledge) -> list[Choice]:
    role = DEALER if deal.dealer == 1 else PONE
    mine, theirs = deal.scores
    found = []
    for throw in throwing.throws(six, role, mine, theirs, deal.objective):
        win = throw.win
        if win is None:
            win = throwing.win(throw, six, mine, theirs, deal.objective)
        cards = tuple(CARDS[card] for card in throw.cards)
        half = _SURE * TABLE_ERROR if 0 < win < 1 else 0.0
        found.append(Choice(cards, win, half, throw.hand, throw.crib, throw.play))
    return sorted(found, key=lambda choice: -(choice.win or 0.0))


def _play(view: playing.View) -> Judgement:
    state = playing.now(view.role, view.events)
    cards = playing.legal(view)
    worlds = playing.worlds(view, state, Random(0), 1 << 20)
    all_known = len(worlds) <= playing.WORLDS
    samples = [playing.values(view, Random(seed)) for seed in range(1 if all_known else SAMPLES)]
    node = follow(state.series)
    means = {card: mean(worth[card] for worth in samples) for card in cards}
    found = []
    for card in ranking.ranked(view, means, Random(0)):
        wins = [worth[card] for worth in samples]
        spread = 0.0 if all_known else stdev(wins) / sqrt(len(wins))
        half = _SURE * sqrt(spread**2 + TABLE_ERROR**2) if 0 < means[card] < 1 else 0.0
        points = node.points(card % 13)
        found.append(Choice((CARDS[card],), means[card], half, points=points))
    shares: dict[int, float] = {}
    for weight, hand, _ in worlds:
        ranks = hand & _RANK_BITS
        shares[ranks] = shares.get(ranks, 0.0) + weight
    likely = sorted(shares.items(), key=lambda one: -one[1])[:LIKELY]
    named = tuple((_ranks(hand), share) for hand, share in likely if hand)
    return Judgement("play", tuple(found), named)


def _ranks(hand: int) -> str:
    return " ".join(list(Rank)[rank].letter for rank in ranks_of(hand))


def answer(asked: Any, language: str = "en", *, why: bool = False) -> dict[str, Any]:
    """Return the judgement of a position as JSON data, or a sentence that says why it cannot be
    judged.

    Args:
        asked: the fields of a `KnownPosition` as a dictionary.
        language: `en` or `ja`.
        why: whether to add the best move and the reasons in words, as in a hint.
    """
    try:
        known = structure(asked, KnownPosition)
        chosen = _objective(known.objective)
        record = record_of(known)
        found = judge(record, chosen)
    except IllegalMove as error:
        if error.code == "not-your-turn":
            code = "position-mine-due" if error.fields["turn"] == 1 else "position-theirs-due"
            return {"error": text.say(Message("refusal", code), text.Reader(language))}
        return {"error": text.refusal(error, text.Reader(language, NAMES))}
    except ValueError:
        found = None
    if found is None:
        return {"error": text.say(Message("refusal", "no-position"), text.Reader(language))}
    judged = found.as_data()
    if chosen is not WIN:
        judged = _in_currency(judged, chosen)
    return judged | (_explained(record, language, chosen) if why else {})


def _objective(text: str) -> Objective:
    """Parse an objective. Raises IllegalMove (`no-such-objective`) if the text is not an
    objective."""
    try:
        return aims.read(text)
    except ValueError:
        raise IllegalMove("no-such-objective", said=text) from None


def _in_currency(judged: dict[str, Any], chosen: Objective) -> dict[str, Any]:
    """Return a judgement under an objective: the worth, in the unit of the objective, replaces the
    chance of winning."""
    rows = []
    for row in judged["choices"]:
        if "win" in row:
            worth, half = chosen.own(row.pop("win")), chosen.span * row.pop("half")
            row = {
                "cards": row.pop("cards"),
                "worth": round(worth, 5),
                "half": round(half, 5),
                **row,
            }
        rows.append(row)
    return {**judged, "objective": chosen.name, "choices": rows}


def _explained(record: Record, language: str, chosen: Objective) -> dict[str, Any]:
    """Return a sentence that states the best move, and sentences that give the reasons."""
    hint = hints.hint(record, 1, chosen)
    if hint is None:
        return {}
    said = words.hint(hint.as_data(), hint.best.move, (), NAMES, language)
    return {"move": said["move"], "why": said["why"]}


def reply(arguments: Sequence[str], given: bytes) -> tuple[int, bytes]:
    """Judge the position in a request: `{"language": "en", "why": false, "position": {…}}`.

    Returns:
        The exit status, and the judgement as JSON.
    """
    asked = json.loads(given)
    found = answer(asked["position"], asked["language"], why=asked["why"])
    return 0, json.dumps(found).encode() + b"\n"


if __name__ == "__main__":
    # the board may have ended, which is not an error here
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdout.buffer.write(reply((), sys.stdin.buffer.read())[1])
