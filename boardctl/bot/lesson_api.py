"""The routes for lessons: `/lessons`, `/lessons/cribbage`, and `POST /lesson`, which shows the pegs
for a step.

A lesson is played at a separate table. Its record is not part of the journal, so it does not affect
the evening's game. The LEDs show the lesson's pegs until the evening continues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl import games, text
from boardctl.bot import GAME, lessons, seated
from boardctl.bot.lessons import Lesson, Step
from boardctl.games import IllegalMove, Kind, Move
from boardctl.games.cards import Card, codes
from boardctl.message import Message
from boardctl.record import notation
from boardctl.record.position import Position
from boardctl.record.record import Record
from boardctl.text import moves as words
from boardctl.web import guard
from boardctl.web.board_view import BoardView
from boardctl.web.guard import read_body, refuse
from boardctl.web.move_list import Viewer
from boardctl.web.state import ask, preview

LEARNER: Final = 1
"""The learner's seat."""
COURT: Final = 10
"""The points that a court card adds to the count."""


class Scene(NamedTuple):
    """A step with two records: the table before and after the step's task."""

    step: Step
    record: Record
    after: Record


@cache
def scenes(name: str) -> tuple[Scene, ...]:
    """Return the steps of a lesson, after playing it to the end. Raises KeyError if the lesson does
    not exist, or IllegalMove if the referee rejects one of its lines."""
    lesson = lessons.load(name)
    record = Record()
    record.read(f"game {lesson.game}")
    for seat, who in enumerate(lesson.seats, 1):
        record.read(f"seat {seat} {who}")
    return tuple(_played(lesson, record))


def _played(lesson: Lesson, record: Record) -> Iterator[Scene]:
    for step in lesson.step:
        for line in step.show:
            record.read(line)
        before = record.copy()
        for line in filter(None, (step.do, step.count)):
            record.read(line)
        yield Scene(step, before, record.copy())


def as_json(name: str, language: str) -> dict[str, Any]:
    """Return a lesson in the form that the page expects. `first_game` states how one person can
    play the lesson's game against the board: with cards that the board has `dealt`, with `real`
    cards, or not at all (empty)."""
    lesson = lessons.load(name)
    real = "real" if seated.plays(games.find(lesson.game)) else ""
    translate = text.catalogue(language).gettext
    seats = [translate(who) for who in lesson.seats]
    return {
        "name": name,
        "game": lesson.game,
        "first_game": "dealt" if lesson.game == GAME else real,
        "title": translate(lesson.title),
        "seats": seats,
        "steps": [_step(scene, seats, language) for scene in scenes(name)],
    }


def _step(scene: Scene, seats: list[str], language: str) -> dict[str, Any]:
    translate = text.catalogue(language).gettext
    step, record, after = scene
    count = step.sum or record.position.situation.count
    return {
        "say": translate(step.say),
        "right": translate(step.right) if step.right else "",
        "scores": list(record.position.shown_scores),
        "scores_after": list(after.position.shown_scores),
        "count": count,
        "count_after": _count_after(step, record, count),
        "hand": codes(_hand(step, record)),
        "rows": [{"label": translate(row.label), "cards": row.cards.split()} for row in step.rows],
        "task": _task(step, record, seats, language),
    }


def _count_after(step: Step, record: Record, count: int | None) -> int | None:
    """Return the count after the learner plays the required card, or None if there is no count."""
    if not step.do or count is None:
        return count
    move = _parsed(step.do, record)
    if move.verb != "play":
        return count
    return count + sum(min(int(card.rank or 0), COURT) for card in move.cards)


def _turned(record: Record) -> list[Card]:
    """Return the cards turned up in this deal."""
    moves = [line.move for line in record.deal]
    turning = (Kind.STARTER, Kind.TURNED)
    return [card for move in moves if record.position.kind(move) in turning for card in move.cards]


def _hand(step: Step, record: Record) -> list[Card]:
    """Return the learner's cards. Once all cards have been played, the hand is returned only if it
    must be counted."""
    position = record.position
    held = _entered(record)
    if held and position.game is not None and position.state is not None:
        # sorted as in a hand
        held = list(position.game.held_by(position.state, LEARNER) or held)
    played = [
        card
        for line in record.deal
        if line.move.verb == "play" and line.move.seat == LEARNER
        for card in line.move.cards
    ]
    return held or (played if step.count else [])


def _entered(record: Record) -> list[Card]:
    """Return the cards that the lesson has given the learner in this deal. There may be fewer cards
    than in a hand."""
    held: list[Card] = []
    for line in record.deal:
        move = line.move
        if move.seat != LEARNER:
            continue
        if record.position.kind(move) is Kind.HAND:
            held += [card.plain for card in move.cards]
        elif record.position.kind(move) in (Kind.PLAY, Kind.DISCARD):
            for card in move.cards:
                if card.plain in held:
                    held.remove(card.plain)
    return held


def _task(step: Step, record: Record, seats: list[str], language: str) -> dict[str, Any] | None:
    """Return the learner's task (`cards` of the hand, a `choice`, or a hand to `count`), or None if
    the step has no task."""
    translate = text.catalogue(language).gettext
    wrong = translate(step.wrong) if step.wrong else ""
    if step.answers:
        choices = [translate(answer) for answer in step.answers]
        return _choice_task(choices, [step.answers.index(step.answer)], wrong)
    if step.count:
        move = _parsed(step.count, record)
        awards = record.try_out(move).awards
        earned = preview(move, awards, seats, language)
        cards = codes([*_hand(step, record), *_turned(record)])
        return {"kind": "count", "answer": earned, "cards": cards}
    if not step.do:
        return None
    move = _parsed(step.do, record)
    hand = _entered(record)
    if move.cards and set(move.cards) <= set(hand):
        others = [card for card in hand if card not in move.cards]
        return {
            "kind": "cards",
            "right": codes(move.cards),
            "wrong": {
                str(card): _wrong_card(record, move, card, language) or wrong for card in others
            },
            "plays": move.verb == "play",
        }
    options = list(_options(record, move, seats, language))
    right = [n for n, (_, one) in enumerate(options) if one == move]
    return _choice_task([label for label, _ in options], right, wrong)


def _choice_task(choices: list[str], right: list[int], wrong: str) -> dict[str, Any]:
    """Return the task of choosing an answer. The sentence about a wrong answer is always the
    same."""
    return {"kind": "choice", "choices": choices, "right": right, "wrong": [wrong] * len(choices)}


def _wrong_card(record: Record, move: Move, card: Card, language: str) -> str:
    """Return the sentence about a wrong card, or an empty string if there is no such sentence. The
    correct line plays a single card."""
    if len(move.cards) != 1:
        return ""
    refused = _refused(record, move._replace(cards=(card,)), language)
    return refused or _as_good(record, move, card, language)


def _options(
    record: Record, move: Move, seats: list[str], language: str
) -> Iterator[tuple[str, Move]]:
    """Yield a move and the alternatives that the table offers."""
    position = record.position
    for asked in position.prompt.asks:
        if move in asked.choices:
            shown = ask(asked, position, seats, Viewer(language))["choices"]
            yield from ((one["text"], said) for one, said in zip(shown, asked.choices, strict=True))


def _parsed(line: str, record: Record) -> Move:
    return notation.parse_move(line, record.position.game)


def _refused(record: Record, move: Move, language: str) -> str:
    """Return the reason why the referee refuses a move, or an empty string if the move is legal."""
    try:
        record.try_out(move)
    except IllegalMove as error:
        return words.refusal(error, (), language)
    return ""


def _as_good(record: Record, move: Move, card: Card, language: str) -> str:
    """Return the message for an equally good card, or an empty string if the card is worse or if
    neither card earns points."""
    (right,) = move.cards
    earned, other = (
        sum(award.points for award in record.try_out(one).awards)
        for one in (move, move._replace(cards=(card,)))
    )
    if not earned or other != earned:
        return ""
    named = {"card": text.card_name(card, language), "right": text.card_name(right, language)}
    named["card"] = text.capital(named["card"])
    return text.say(Message("page", "lesson-as-good", named), text.Reader(language))


class LessonApi:
    """The routes for lessons."""

    def __init__(
        self,
        board: BoardView,
        check: Callable[[Request], None],
    ) -> None:
        self._board = board
        self._check = check

    def routes(self) -> list[Route]:
        return [
            Route("/lessons", self._all),
            Route("/lessons/{name}", self._one),
            Route("/lesson", self._light, methods=["POST"]),
        ]

    async def _all(self, request: Request) -> Response:
        """Return the name, game and title of each lesson. The lesson of the game on the table comes
        first."""
        game = self._board.table.position.game
        translate = text.catalogue(guard.language(request)).gettext
        found = [(name, lessons.load(name)) for name in lessons.names()]
        if game is not None:
            found.sort(key=lambda one: one[1].game != game.name)
        return JSONResponse(
            {
                "lessons": [
                    {"name": name, "game": lesson.game, "title": translate(lesson.title)}
                    for name, lesson in found
                ]
            }
        )

    async def _one(self, request: Request) -> Response:
        """Return a lesson with all its steps."""
        name = request.path_params["name"]
        if name not in lessons.names():
            return refuse(request, HTTPStatus.NOT_FOUND, "no-such-lesson")
        return JSONResponse(as_json(name, guard.language(request)))

    async def _light(self, request: Request) -> Response:
        """Show a lesson's step on the LEDs until a line is played at the table: `{"name":
        "cribbage", "step": 3}`. Steps are counted from 0. With `"done": true`, the LEDs show the
        position after the step's task. An empty name ends the lesson immediately.
        """
        body = await read_body(request, {"name": str, "step": int}, {"done": bool})
        self._check(request)
        name, step = body["name"], body["step"]
        position: Position | None = None
        if name in lessons.names() and 0 <= step < len(scenes(name)):
            scene = scenes(name)[step]
            position = (scene.after if body.get("done") else scene.record).position
        self._board.controller.lights.show_lesson(position)
        return JSONResponse({"lent": position is not None})
