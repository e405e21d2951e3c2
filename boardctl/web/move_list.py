"""A record's moves as the page shows them: in words, with their points.

The moves are those that the viewer may see (`record.visibility`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from boardctl import text
from boardctl.games import COUNTS, Award, Kind, Move, side_of
from boardctl.games.cards import Card, codes, pictured
from boardctl.message import Message
from boardctl.record import notation
from boardctl.record.position import Position
from boardctl.record.visibility import Corrected, Dealt, VisibleRecord, open_cards, walk
from boardctl.text import moves as words
from boardctl.text.counting import briefly, count_aloud, steps_aloud
from boardctl.web.page_types import Award as Earned
from boardctl.web.page_types import Happened, Said, Side
from boardctl.web.page_types import Move as Listed


class Viewer(NamedTuple):
    """The viewer of a page: the language, and the seat or None."""

    language: str
    seat: int | None = None


def names(position: Position) -> list[str]:
    """Return the players by seat."""
    return [position.seats.get(n, "") for n in range(1, max(position.seats, default=0) + 1)]


def game_moves(visible: VisibleRecord, viewer: Viewer) -> list[Listed]:
    """Return every move of the current game, oldest first."""
    record = visible.record
    moves = record.moves
    start = max((n for n, move in enumerate(moves) if move.verb == "game"), default=0)
    deal = visible.deal[0].place if visible.deal else len(moves)
    earlier = takewhile(
        lambda one: one.place < deal, walk(record, start, record.position_at(start))
    )
    seats = names(record.position)
    return listed((*earlier, *visible.deal), len(moves), seats, viewer)


def listed(dealt: Iterable[Dealt], length: int, seats: list[str], viewer: Viewer) -> list[Listed]:
    """Return moves as the page lists them. `back` is each move's number for `amend`, and `place`
    does not change while other moves are played. A hand or crib that was only confirmed is shown
    with its cards.

    Args:
        dealt: the moves as the viewer knows them.
        length: the number of moves in the record.
        seats: the players' names, seat 1 first.
        viewer: the viewer of the list.
    """
    found: list[Listed] = []
    before = None
    for one in dealt:
        cards = one.move.cards
        counts = one.position.kind(one.move) in COUNTS
        if counts and not cards and before is not None:
            cards = open_cards(before, one.move).cards
        before = one.position
        sentences = _entry(one.move, counts, cards, one.awards, tuple(seats), viewer)
        if one.notes:
            why = words.noted(sentences["why"], one.notes, seats, viewer.language)
            sentences = {**sentences, "why": why}
        found.append({"back": length - one.place, "place": one.place, **sentences})
    return found


@lru_cache(maxsize=512)
def _entry(
    move: Move,
    counts: bool,
    cards: tuple[Card, ...],
    awards: tuple[Award, ...],
    seats: tuple[str, ...],
    viewer: Viewer,
) -> Said:
    """Return a move's entry in the list. The entry does not change when other moves are played, and
    must not be modified.

    `counts` says whether the move counts cards. `cards` contains the cards that it shows. `why` is
    the count of a hand, or lists other awards one by one. `counted` contains the cards of a counted
    hand, and its count in spoken words.
    """
    language = viewer.language
    earned = awarded(awards, seats, language)
    alone = len({award.seat for award in awards}) == 1
    why = briefly(awards, language) if counts and awards else ""
    if not why:
        shown = earned if move.verb != "peg" else []
        pointed = counts or not alone
        why = text.listed(_reasons(move, shown, seats, language, points=pointed), language)
    return {
        "verb": move.verb,
        "line": notation.spell(move),
        "text": words.describe(move._replace(cards=cards), seats, language, own=viewer.seat),
        "counted": {"cards": codes(cards), "spoken": steps_aloud(awards, language)}
        if counts and cards and all(card.is_known for card in cards)
        else None,
        "seat": move.seat,
        "points": sum(award.points for award in awards) if alone else 0,
        "why": why,
        "awards": earned,
    }


def _reasons(
    move: Move,
    awards: Iterable[Earned],
    seats: Sequence[str],
    language: str,
    *,
    points: bool = True,
) -> Iterable[str]:
    """Return the awards for a move in words, each with its points. If another player or other
    partners earned an award, it includes their names."""
    partners = len(seats) == 4
    earners = [" & ".join(seats[side::2]) for side in (0, 1, 0, 1)] if partners else seats
    for earned in awards:
        fields = {**earned, "reason": earned["text"]}
        both = move.seat is not None and side_of(earned["seat"], 2) == side_of(move.seat, 2)
        ours = partners and both
        if earned["seat"] != move.seat and not ours:
            code = "reason-of" if points else "reason-only-of"
            yield text.say(Message("happened", code, fields), text.Reader(language, earners))
        elif points:
            yield text.say(Message("happened", "reason", fields), text.Reader(language, seats))
        else:
            yield earned["text"]


def happened(
    shown: list[Listed], dealt: Sequence[Dealt], position: Position, viewer: Viewer
) -> Happened | None:
    """Return the last move in words with its points, and any announcement: a hand of 29, a won
    game, a skunk or a draw.

    Args:
        shown: the moves of the deal from `listed`.
        dealt: the same moves as the viewer knows them.
        position: the newest position.
        viewer: the reader of the words.
    """
    if not shown or (dealt[-1].move.kind is Kind.SETUP and shown[-1]["verb"] != "game"):
        return None
    last, move, awards = shown[-1], dealt[-1].move, dealt[-1].awards
    points = last["points"]
    sentence = last["text"]
    seats = names(position)
    is_count = position.kind(move) in COUNTS
    if is_count:
        sentence = _counted(last, dealt, seats, viewer)
    elif awards and move.verb != "peg":
        reasons = text.listed(
            _reasons(move, last["awards"], seats, viewer.language), viewer.language
        )
        fields = {"said": sentence, "reasons": reasons}
        sentence = text.say(
            Message("happened", "earned", fields), text.Reader(viewer.language, seats)
        )
    if dealt[-1].notes and not (is_count and awards):  # the reasons of a count have them
        sentence = words.noted(sentence, dealt[-1].notes, seats, viewer.language)
    is_hand = is_count or not {"hand", "crib"}.isdisjoint(move.words)
    moment = _ended(position) or ("29" if is_hand and points == 29 else None)
    return {"text": sentence, "seat": move.seat, "points": points, "moment": moment}


def _counted(last: Listed, dealt: Sequence[Dealt], seats: list[str], viewer: Viewer) -> str:
    """Return the hand or crib counted last. On a player's own phone, another player's hand is shown
    with its cards. A crib is shown together with the points of the previous hand, because the two
    may be counted in quick succession."""
    move, awards, language = dealt[-1].move, dealt[-1].awards, viewer.language
    brief = last["why"] if awards else briefly(awards, language)
    before = dealt[-2] if len(dealt) > 1 else None
    cards = move.cards
    if not cards and before is not None:
        cards = open_cards(before.position, move).cards
    others = viewer.seat not in (None, move.seat)
    fields = {"seat": move.seat, "points": last["points"], "reasons": brief, "said": last["text"]}
    if not cards or not (others or (move.verb == "crib" and not move.cards)):
        return text.say(Message("happened", "counted", fields), text.Reader(language, seats))
    if others and before is not None and before.move[:2] == ("show", move.seat):
        fields["points"] = sum(award.points for award in before.awards)
        fields["cards"] = pictured(cards)
        return text.say(Message("happened", "hand-and-crib", fields), text.Reader(language, seats))
    return text.say(Message("happened", "earned", fields), text.Reader(language, seats))


def corrected(
    correction: Corrected, position: Position, sides: Sequence[Side], viewer: Viewer
) -> Happened:
    """Return a correction in words: the move, and the new scores.

    Args:
        said: the correction as the viewer knows it.
        position: the newest position.
        sides: the sides in the page's form.
        viewer: the reader of the words.
    """
    language = viewer.language
    seats, scores = names(position), position.scores
    code = f"{correction.how}-earlier" if correction.earlier else correction.how
    fields: dict[str, Any] = {
        "said": words.describe(correction.move, seats, language, own=viewer.seat)
    }
    what = text.say(Message("happened", code, fields), text.Reader(language, seats))
    changes = []
    for side, before, now in zip(sides, correction.scores, scores, strict=False):
        if before != now:
            fields = {"name": " & ".join(side["names"]), "points": now, "before": before}
            changes.append(
                text.say(Message("happened", "score-was", fields), text.Reader(language, seats))
            )
    if not changes:
        changes.append(text.say(Message("happened", "scores-stay"), text.Reader(language, seats)))
    fields = {"said": what, "scores": text.listed(changes, language)}
    sentence = text.say(Message("happened", "correction", fields), text.Reader(language, seats))
    return {"text": sentence, "seat": correction.move.seat, "points": 0, "moment": _ended(position)}


def _ended(position: Position) -> str | None:
    """Return the announcement of a game's end: a draw, or how the game was won."""
    outcome = position.outcome
    if not position.over or outcome is None or outcome.state not in ("won", "draw"):
        return None
    return "draw" if outcome.state == "draw" else outcome.margin or "game"


def last_spoken(dealt: Sequence[Dealt], seats: list[str], language: str) -> str:
    """Return the spoken text for the last move: the count of a hand, or the count of the play."""
    if not dealt:
        return ""
    _, move, awards, position, _ = dealt[-1]
    if position.kind(move) in COUNTS:
        return count_aloud(awards, language) or text.listed(
            _reasons(move, awarded(awards, seats, language), seats, language), language
        )
    count = position.situation.count
    if move.verb == "play" and count:
        points = sum(award.points for award in awards)
        fields = {"count": count, "points": points}
        return (
            text.say(Message("readout", "said", fields), text.Reader(language, seats))
            if points
            else str(count)
        )
    return text.listed(words.awarded(awards, seats, language), language)


def awarded(awards: Sequence[Award], seats: Sequence[str], language: str) -> list[Earned]:
    """Return awards as JSON for the page, each with its words in `text`."""
    if not awards:
        return []
    named = words.awarded(awards, seats, language)
    return [
        {
            "seat": award.seat,
            "points": award.points,
            "reason": award.reason,
            "cards": codes(award.cards),
            "text": sentence,
        }
        for award, sentence in zip(awards, named, strict=True)
    ]
