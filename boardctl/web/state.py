"""The game's state as the page shows it: one JSON object, rebuilt after each move.

Sentences come from `text`. All other values are codes and numbers. The page contains no code for
particular games. The state is computed from the record as the viewer sees it (`record.visibility`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from boardctl import text
from boardctl.console.keypad import AMOUNTS
from boardctl.console.lights import Light
from boardctl.games import Ask, Award, IllegalMove, Kind, Move, Prompt, relevant
from boardctl.games.cards import Card, codes, pictured
from boardctl.message import Message
from boardctl.record import notation
from boardctl.record.position import Position, game_start, step
from boardctl.record.record import Record
from boardctl.record.visibility import Dealt
from boardctl.table import Table
from boardctl.text import moves as words
from boardctl.text import options
from boardctl.text.counting import steps_aloud
from boardctl.web.board_view import BoardView
from boardctl.web.move_list import (
    Viewer,
    awarded,
    corrected,
    happened,
    last_spoken,
    listed,
    names,
)
from boardctl.web.page_types import (
    Asked,
    Choice,
    Core,
    Cut,
    CutCard,
    DueAsk,
    Previewed,
    Rule,
    Side,
    Standing,
)
from boardctl.web.page_types import Move as Listed

ALL_GO: Final = "all-go"
"""The code of the ask that enters every go of a series at once."""


class Scene(NamedTuple):
    """The inputs from which a feature creates its part of the page's state."""

    viewer: Viewer
    """The language and the seat of the page."""
    record: Record
    """The game as the viewer knows it."""
    prompt: Prompt
    """The expected entries."""
    called: tuple[str, ...]
    """The players' displayed names, seat 1 first."""


class Snapshots:
    """The current snapshot of a table for each viewer. Snapshots are created on demand, at most
    once per move."""

    def __init__(self, view: BoardView) -> None:
        self._view = view
        self._made_of: tuple[object, ...] = ()
        self._made: dict[Viewer, tuple[dict[str, Any], str]] = {}

    def _get(self, viewer: Viewer) -> tuple[dict[str, Any], str]:
        view = self._view
        controller = view.controller
        light = controller.lights.name
        made_of = (
            view.table.number,
            controller.telling,
            controller.language,
            light,
            controller.voice,
            view.features.changes,
        )
        if self._made_of != made_of:
            self._made_of = made_of
            self._made.clear()
        if viewer not in self._made:
            made = _snapshot(self._view, viewer, light)
            self._made[viewer] = made, json.dumps({"state": made}, ensure_ascii=False)
        return self._made[viewer]

    def forget(self) -> None:
        """Discard all snapshots because a learner or the computer player's seat has changed."""
        self._made.clear()

    def now(self, viewer: Viewer) -> dict[str, Any]:
        """Return the snapshot as an object."""
        return self._get(viewer)[0]

    def text(self, viewer: Viewer) -> str:
        """Return the snapshot as JSON text."""
        return self._get(viewer)[1]


def _snapshot(view: BoardView, viewer: Viewer, light: Light | None) -> dict[str, Any]:
    """Return everything that the page shows except the LEDs. `light` is the chosen brightness."""
    record, prompt, called, core = _core(view, viewer, light)
    return {**core, **view.features.page(Scene(viewer, record, prompt, tuple(called)))}


def _starter(shown: Sequence[Listed]) -> str | None:
    """Return the turned-up card from the lines of the deal, as a viewer sees them."""
    return next((one["line"].split()[1] for one in shown if one["verb"] == "starter"), None)


def _core(
    view: BoardView, viewer: Viewer, light: Light | None
) -> tuple[Record, Prompt, list[str], Core]:
    """Return the record and the prompt as a viewer sees them, the players' displayed names, and the
    state without the features' parts."""
    table = view.table
    record, dealt, edited = table.visible_to(viewer.seat)
    position = record.position
    seats = names(position)
    called = [text.called(name, viewer.language) for name in seats]
    prompt = view.controller.prompt(position)
    standing = _standing(position, seats, viewer.language)
    moves, hints = record.moves, table.record.hints
    shown = listed(dealt, len(moves), seats, viewer)
    starter = _starter(shown)
    sides = _sides(position, called)
    most, voice = AMOUNTS[view.controller.telling], view.controller.voice
    core: Core = {
        **standing,
        "number": table.number,
        "viewer": viewer.seat,
        "layout": view.layout.name,
        "session": position.session,
        "game": position.game.name if position.game is not None else None,
        "title": words.title(position.game.name, viewer.language) if position.game else "",
        "rules": rules(position, viewer.language),
        "seats": called,
        "sides": sides,
        "laid": [] if standing["count"] is None else _laid(dealt),
        "starter": starter,
        "telling": view.controller.telling,
        "light": light,
        "voice": None if voice is None else voice.level if voice.is_on else "off",
        "sounds": None if voice is None else "on" if voice.sounds else "off",
        "asks": [
            _due_ask(asked, position, seats, viewer, most, starter)
            for asked in (*prompt.asks, *_all_go(prompt, position, viewer))
        ],
        "claims": _claims(position),
        "cut": _cut(record, viewer.language),
        "hints": [hints.get(seat, 0) for seat in range(1, len(seats) + 1)],
        "pegs": list(prompt.pegs),
        "held": _own_hand(position, viewer.seat),
        "moves": shown,
        "length": len(moves),
        "begun": position.begun,
        "happened": corrected(edited, position, sides, viewer)
        if edited is not None
        else happened(shown, dealt, position, viewer),
        "spoken": last_spoken(dealt, seats, viewer.language),
        "undo": table.undoing is not None and any(m.kind is not Kind.SETUP for m in moves),
        "redo": record.redoing is not None,
        "unfinished": None if position.opening is None else _unfinished(table, viewer.language),
    }
    return record, prompt, called, core


def _due_ask(
    asked: Ask, position: Position, seats: list[str], viewer: Viewer, most: int, starter: str | None
) -> DueAsk:
    """Return an `Ask` in the form used in the page's state. `most` is the level of entry at this
    table."""
    shown = ask(asked, position, seats, viewer)
    if asked.code == ALL_GO:
        shown["seat"] = position.situation.turn
    due = AMOUNTS[asked.telling] <= most
    return {**shown, "due": due, "beside": beside(asked, starter, position)}


def _all_go(prompt: Prompt, visible: Position, viewer: Viewer) -> Iterator[Ask]:
    """If a go is offered, also yield a go for the last seat that may say it. This entry, which
    everybody sees, means that nobody else can play. It implies the earlier gos (docs/notation.md,
    "Go")."""
    turn = next((asked.seat for asked in prompt.asks if asked.code == "go"), None)
    if turn is None or viewer.seat is not None:
        return
    for place in range(1, len(visible.seats)):
        move = Move("go", (turn - 1 - place) % len(visible.seats) + 1)
        with suppress(IllegalMove):
            if step(visible, move).state.situation.count == 0:
                yield Ask(ALL_GO, "confirm", move, telling="cards")
                return


def _claims(position: Position) -> bool:
    """Return whether players announce their own counts, so that opponents may take missed points
    (muggins)."""
    setup = position.setup
    return setup is not None and setup.options.get("muggins", "off") != "off"


def _cut(record: Record, language: str) -> Cut | None:
    """Return the last card cut by each player for the first deal, and the rule that decides the
    cut.

    Return None before all players have cut, and after the first deal.
    """
    setup = record.position.setup
    moves = record.moves[game_start(record.moves) + 1 :]
    deals = sum(move.verb in ("deal", "misdeal") for move in moves)
    cut = {
        move.seat: str(move.cards[0]) for move in moves if move.verb == "cut" and len(move.cards)
    }
    if setup is None or deals > 1 or len(cut) < len(setup.seats):
        return None
    name = next((one for one in options.CUTS if one in setup.options), None)
    rule = "" if name is None else options.value(name, setup.options[name], language)
    cards: list[CutCard] = [
        {"seat": seat, "card": card} for seat, card in sorted(cut.items()) if seat is not None
    ]
    return {"cards": cards, "rule": text.capital(rule)}


def _own_hand(visible: Position, seat: int | None) -> list[str]:
    """Return the cards in the hand of the viewer's seat, if the viewer has seen all of them."""
    if visible.game is None or visible.state is None or seat is None or seat not in visible.seats:
        return []
    return codes(visible.game.held_by(visible.state, seat) or ())


def _unfinished(table: Table, language: str) -> str | None:
    """Return the score of the previous evening's unfinished game, as long as it can be
    continued."""
    if table.unfinished is None or table.position.over:
        return None
    unfinished = table.unfinished.position
    sides = _sides(unfinished, [text.called(name, language) for name in names(unfinished)])
    return ", ".join(f"{' & '.join(side['names'])} {side['score']}" for side in sides)


def beside(asked: Ask, starter: str | None, visible: Position) -> str | None:
    """Return the starter, to be shown as the fifth card of a requested hand. It is omitted if the
    hand only needs to be confirmed and contains cards that this viewer has not seen, because such a
    hand must not be shown before it is pegged."""
    if starter is None or asked.code not in ("show", "crib"):
        return None
    if asked.kind == "confirm":
        try:
            step(visible, asked.move)
        except IllegalMove as error:
            return starter if error.code == "suits-needed" else None
    return starter


def _laid(dealt: Iterable[Dealt]) -> list[str]:
    """Return the cards of the current series, oldest first. After a series has ended, return its
    cards until the next card is played."""
    laid: list[Card] = []
    count: int | None = None
    for one in dealt:
        if one.move.verb == "play":
            laid = [*(laid if count else ()), *one.move.cards]
        count = one.position.situation.count
    return codes(laid)


def rules(position: Position, language: str) -> list[Rule]:
    """Return the current game's options that differ from their defaults, each with its name and
    value and the display text for both."""
    game = position.game
    chosen = position.options.get(game.name) if game is not None else None
    if game is None or not chosen:
        return []
    return [
        {
            "name": option.name,
            "value": chosen[option.name],
            "text": options.name(option.name, language),
            "told": options.value(option.name, chosen[option.name], language),
        }
        for option in relevant(game, len(position.seats), chosen)
        if chosen.get(option.name, option.default) != option.default
    ]


def _sides(position: Position, seats: list[str]) -> list[Side]:
    """Return the sides' scores. `seats` are the players' displayed names. Partners sit opposite
    each other."""
    board = position.scoreboard
    if board is None:
        return []
    sides = len(board.standings)
    won = position.won_here or (0,) * sides
    return [
        {
            "names": seats[side::sides],
            "seats": list(range(side + 1, len(seats) + 1, sides)),
            "score": score,
            "before": standing.before,
            "won": games,
        }
        for side, (score, standing, games) in enumerate(
            zip(board.displayed_scores, board.standings, won, strict=True)
        )
    ]


def _standing(position: Position, seats: list[str], language: str) -> Standing:
    situation = position.situation
    count, limit = situation.count, None if position.game is None else position.game.limit
    shown: Standing = {
        "phase": situation.phase,
        "turn": situation.turn,
        "dealer": situation.dealer,
        "count": count,
        "left": None if count is None or limit is None else limit - count,
        "trump": situation.trump,
        "target": None,
        "goal": None,
        "lines": [],
        "winner": None,
        "over": position.over,
        "drawn": position.outcome is not None and position.outcome.state == "draw",
        "margin": position.outcome.margin if position.outcome is not None else None,
        "readouts": [],
        "worth": "",
    }
    board = position.scoreboard
    if board is not None:
        shown["target"] = board.winning
        shown["goal"] = board.goal * board.unit
        shown["lines"] = [
            {"name": line.name, "score": line.hole * board.unit} for line in board.lines
        ]
        shown["winner"] = board.winner
        if position.over:
            shown["worth"] = words.worth(board.readouts, seats, language)
        said = words.readouts(board.readouts, seats, language)
        shown["readouts"] = [
            {"code": note.code, "text": one} for note, one in zip(board.readouts, said, strict=True)
        ]
    return shown


def ask(asked: Ask, position: Position, seats: list[str], viewer: Viewer) -> Asked:
    """Return an `Ask` as JSON data. `head` and `tail` are the parts of the line before and after
    the entry.

    Args:
        asked: the prompt.
        position: the position that asks it.
        seats: the players' names, seat 1 first.
        viewer: the reader of the ask. Players are "you" on their own phones.
    """
    language = viewer.language
    own = ["own"] if viewer.seat is not None and asked.seat == viewer.seat else []
    do = ["own-do"] if own else []
    question = _exactly(asked, position, seats)
    head = notation.spell(asked.move._replace(words=(), claim=None))
    named = [_choice(asked, move, position, seats, language) for move in asked.choices]
    labels = [
        f"{name} ({pictured(move.cards)})" if move.cards and named.count(name) > 1 else name
        for name, move in zip(named, asked.choices, strict=True)
    ]
    return {
        "code": asked.code,
        "kind": asked.kind,
        "text": words.question(question, (*own, "question", "ask"), seats, language),
        "button": words.question(asked, (*do, "do", *own, "question", "ask"), seats, language),
        "seat": asked.move.seat,
        "head": head,
        "tail": notation.spell(asked.move).removeprefix(head).strip(),
        "telling": asked.telling,
        "least": asked.least,
        "most": asked.most,
        "scale": asked.scale,
        "barred": list(asked.barred),
        "ranks": asked.ranks,
        "later": asked.after_points,
        "cards": None if asked.cards is None else codes(asked.cards),
        "choices": [
            {
                "line": notation.spell(move),
                "text": label,
                "cards": codes(card for card in move.cards if card.is_known),
                "points": _worth(move, position),
            }
            for move, label in zip(asked.choices, labels, strict=True)
        ],
    }


def _exactly(asked: Ask, position: Position, seats: list[str]) -> Ask:
    """Return an entry with a more precise label: for a discard, whose crib it goes to; for the
    board's own hand, who reads its cards."""
    game, dealer = position.game, position.situation.dealer
    if asked.code == "hand" and asked.seat and text.is_own_name(seats[asked.seat - 1]):
        return asked._replace(code="hand-board")  # nobody at the table may look at them
    if asked.code != "discard" or dealer is None or game is None:
        return asked
    if all(verb.name != "crib" for verb in game.verbs):
        return asked
    whose = "own" if dealer == asked.seat else ""
    if not whose and text.is_own_name(seats[dealer - 1]):
        whose = "board"
    code = "-".join(filter(None, ("discard", whose, "crib")))
    return asked._replace(code=code, fields={**asked.fields, "dealer": dealer})


def choices(
    move: Move,
    more: Iterable[tuple[str, ...]],
    before: Position,
    seats: list[str],
    language: str,
) -> list[Choice]:
    """Return the lines that add the details that the referee needs (code `suits-needed`), each with
    its points.

    Args:
        move: the move without these words.
        more: the possible answers, as words of the line.
        before: the position in which the move is played.
        seats: the players' names, seat 1 first.
        language: the language of the words.
    """
    shown: list[Choice] = []
    for answer in more:
        if not {*move.words} <= {*answer}:
            continue  # it contradicts another part of the line
        full = move._replace(words=answer)
        played = step(before, full)
        shown.append(
            {
                "text": words.claimed(answer, language),
                **preview(full, played.awards, seats, language),
            }
        )
    return shown


def preview(move: Move, awards: tuple[Award, ...], seats: list[str], language: str) -> Previewed:
    """Return the awards for a move, in points and in words.

    Args:
        move: the move.
        awards: the referee's awards for the move.
        seats: the players' names, seat 1 first.
        language: the language of the words.
    """
    return {
        "line": notation.spell(move),
        "points": sum(award.points for award in awards),
        "awards": awarded(awards, seats, language),
        "spoken": steps_aloud(awards, language),
    }


def _said_or_whose(ask: Ask, move: Move, seats: list[str], language: str) -> list[str]:
    """Return the words of a choice with its numbers. For a choice without words, return the
    player's name if several players have choices, with the numbers if these differ."""
    shown = [text.say(Message("word", word), text.Reader(language)) for word in move.words]
    if shown:
        return [*map(str, move.numbers), *shown]
    whose = {choice.seat for choice in ask.choices}
    if move.cards or move.seat is None or len(whose) <= 1:
        return []
    differ = len({choice.numbers for choice in ask.choices}) > 1
    who = text.called(seats[move.seat - 1], language)
    return [who, *(map(str, move.numbers) if differ else ())]


def _about_seat(ask: Ask, move: Move, seats: list[str], language: str) -> list[str]:
    """Return the label of a choice that has neither words nor cards: another player, a dealer, or
    the line."""
    if move.seat is not None and move.seat != ask.seat:
        return [text.called(seats[move.seat - 1], language)]
    if move.verb == "dealer":
        return [text.called(seats[seat - 1], language) for seat in move.numbers]
    if not move.numbers and move.seat is not None:
        return [words.describe(move, seats, language)]
    return []


def _choice(ask: Ask, move: Move, position: Position, seats: list[str], language: str) -> str:
    """Return the label of a choice. If the choice names cards, the label includes the points
    ("marriage ♥ 20"); otherwise it consists of the words, the seat or the numbers. The seven of
    trumps is described in a sentence."""
    if move.verb == "seven" and not move.cards:
        points = sum(award.points for award in _awards(move, position))
        return f"{words.describe(move, seats, language)} {points}"
    shown = _said_or_whose(ask, move, seats, language)
    if move.cards and all(card.is_known for card in move.cards):
        shown = [*_meld(move, position, seats, language), *shown]
    elif move.cards:
        shown.append(text.say(Message("choice", str(len(move.cards))), text.Reader(language)))
    if move.claim is not None:
        shown.append(
            text.say(Message("choice", "worth", {"points": move.claim}), text.Reader(language))
        )
    shown = shown or _about_seat(ask, move, seats, language)
    label = " ".join(shown or map(str, move.numbers)) or notation.spell(move)
    return text.capital(label) if move.words or move.cards else label  # not a player's name


def _meld(move: Move, position: Position, seats: list[str], language: str) -> list[str]:
    """Return a meld's name, its suit (if any) and its points. A meld without a name is described by
    its cards."""
    cards = pictured(move.cards)
    awards = _awards(move, position)
    if not awards:
        return [cards]
    suits = {card.suit for card in move.cards}
    suit = next(iter(suits)) if len(suits) == 1 else None
    name = text.listed(words.awarded(awards, seats, language), language)
    points = str(sum(a.points for a in awards))
    return [text.capital(name), *([suit.symbol] if suit is not None else []), points]


def _awards(move: Move, position: Position) -> tuple[Award, ...]:
    """Return the awards for a meld, which it earns now or when the deal is settled."""
    awards: tuple[Award, ...] = ()
    with suppress(IllegalMove):
        awards = step(position, move).awards
    if not awards and position.game is not None and position.state is not None:
        awards = position.game.promised(position.state, move)
    return awards


def _worth(move: Move, position: Position) -> int | None:
    """Return the points for a meld whose cards are named, or None for any other choice."""
    if not move.cards or not all(card.is_known for card in move.cards):
        return None
    return sum(award.points for award in _awards(move, position)) or None
