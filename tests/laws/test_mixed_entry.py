"""A game is worth the same however its deals are entered: by every card, by ranks, by hands and
counts, or by points alone, and mixed from deal to deal.

Computer players deal and play a game with every card entered. Then its deals are entered again,
each in a different way, with the points of the first record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from random import Random
from typing import Final, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from boardctl import games
from boardctl.games import Award, Move
from boardctl.games.belote.deal import CAPOT_BONUS
from boardctl.games.cards import Card
from boardctl.games.common.by_deal import ByDealState
from boardctl.games.common.race import RaceState
from boardctl.record import notation
from boardctl.record.position import Position
from boardctl.record.record import Record
from boardctl.record.visibility import has_secrets, open_cards
from tests.bot.dealer import FORMS, random_game
from tests.chance import examples
from tests.laws.walk import TELLINGS, sit_down

DEALS: Final = 2
LAST_TRICK: Final = 10


class Line(NamedTuple):
    """A line of the first record, with the position before it, its points, and the position after
    it."""

    before: Position
    move: Move
    awards: tuple[Award, ...]
    after: Position


Way = Callable[[Sequence[Line], Random], Iterator[Move]]
"""A way to enter a deal again."""


def by_cards(deal: Sequence[Line], chance: Random) -> Iterator[Move]:
    yield from (line.move for line in deal)


def side_points(deal: Sequence[Line]) -> list[int]:
    """Return each side's score for a deal."""
    before, after = deal[0].before.scores, deal[-1].after.scores
    return [more - less for less, more in zip(before, after, strict=True)]


def total(deal: Sequence[Line], chance: Random) -> Iterator[Move]:
    """Return lines with the points of the whole deal, one for each side in any order; none if
    everybody passed."""
    if not any(line.move.verb in ("play", "count") for line in deal):
        yield from by_cards(deal, chance)
        return
    yield Move("deal")
    scored = list(enumerate(side_points(deal), 1))
    for side, points in chance.sample(scored, len(scored)):
        yield Move("peg", side, numbers=(points,))


def tricks_counted(deal: Sequence[Line], chance: Random) -> Iterator[Move]:
    """Return bids, hands and melds, and then the trick points of both sides."""
    plays = [line for line in deal if line.move.verb == "play"]
    if not plays:
        yield from by_cards(deal, chance)
        return
    yield from (line.move for line in deal if line.move.verb != "play")
    last = plays[-1]
    played = last.before.state.deal.end_talk().play(last.move.player, last.move.cards[0])
    points = list(played.trick_points())
    points[played.side(played.winners[-1]) - 1] += LAST_TRICK
    for seat in range(1, played.seats + 1):
        points[played.side(seat) - 1] += sum(map(played.worth, played.laid_away(seat)))
    counted = list(enumerate(points, 1))
    if len(played.winning_sides) == 1 and played.seats == 4:  # no trick counts more than none
        counted.sort(key=lambda one: one[0] in played.winning_sides)
    if len(played.winning_sides) == 1 and played.seats == 2 and "capot" in played.options:
        (side,) = played.winning_sides  # the count states that it is capot
        more = CAPOT_BONUS[played.options["capot"]]
        counted = [(at, points + more * (at == side)) for at, points in counted]
    for side, one in counted[: played.sides if played.seats == 2 else played.sides - 1]:
        yield Move("count", side, numbers=(one,))


_WORDS: Final = {
    "play": "play",
    "go": "play",
    "show": "hand",
    "crib": "crib",
    "mog": "mog",
    "no-mog": "mog",
}
"""Return the reason for the points of a line; for any other line it is the starter."""


def pegged(line: Line) -> Iterator[Move]:
    """Return a line's points, entered instead of it, even for a hand without points."""
    word = _WORDS.get(line.move.verb, "heels")
    earned = groupby(line.awards, key=lambda award: award.seat)
    found = [(seat, sum(award.points for award in some)) for seat, some in earned]
    if not found and word in ("hand", "crib"):
        found = [(line.move.player, 0)]
    for seat, points in found:
        yield Move("peg", seat, numbers=(points,), words=(word,))


def race_points(deal: Sequence[Line], chance: Random) -> Iterator[Move]:
    yield Move("deal")
    for line in deal[1:]:
        yield from pegged(line)


def race_hands(deal: Sequence[Line], chance: Random) -> Iterator[Move]:
    """Return the starter, the points of the play, and each hand by its cards or by its points."""
    yield Move("deal")
    for line in deal[1:]:
        if line.move.verb == "starter":
            yield line.move
        elif line.move.verb in ("show", "crib") and chance.random() < 0.6:
            shown = open_cards(line.before, line.move)
            whole = line.before.state.deal.keep if shown.verb == "show" else 4
            yield from (shown,) if len(shown.cards) == whole else pegged(line)
        elif line.move.verb not in ("hand", "discard"):
            yield from pegged(line)


def race_ranks(deal: Sequence[Line], chance: Random) -> Iterator[Move]:
    """Return plays by rank or in full, line by line, without hands; hands are entered at the
    show."""
    setup = deal[0].before.setup
    flushes = setup is not None and setup.options.get("flush_play") == "on"  # noddy.md 6.5
    for line in deal:
        move = line.move
        if move.verb == "hand":
            continue
        if move.verb == "play" and not flushes and chance.random() < 0.7:
            move = move._replace(cards=tuple(Card(card.rank) for card in move.cards))
        yield open_cards(line.before, move) if move.verb in ("show", "crib") else move


def stock_points(deal: Sequence[Line], chance: Random) -> Iterator[Move]:
    """Return trumps, declarations as they score, and the trick points at the end. In Rubicon these
    exclude the last trick, and all brisques are entered although they may not count."""
    yield Move("deal")
    last = deal[-1].after.state.last
    with_last, tricks = last.spec.counts_last, {1: 0, 2: 0}
    for line in deal[1:]:
        for award in line.awards:
            if award.reason in ("brisques", "counters") or (
                award.reason == "last-trick" and with_last
            ):
                tricks[award.seat] += award.points
            else:
                yield Move("peg", award.seat, numbers=(award.points,))
    if not with_last:
        tricks = dict(enumerate(last.won, 1))
    for seat, points in tricks.items():
        yield Move("count", seat, numbers=(points,))


def ways(position: Position) -> tuple[Way, ...]:
    """Return the ways to enter a deal of a game."""
    state = position.state
    if isinstance(state, RaceState):
        return by_cards, race_points, race_hands, race_ranks
    if isinstance(state, ByDealState):
        return by_cards, total, tricks_counted
    return by_cards, stock_points


def played(name: str, seats: int, chance: Random) -> tuple[list[Move], list[list[Line]]]:
    """Return the lines before the first deal, and the lines of each deal."""
    dealt = random_game(name, seats, chance)
    dealt.play(DEALS)
    record, head, deals = Record(), list[Move](), list[list[Line]]()
    for move in dealt.truth.moves:
        before = record.position
        report = record.apply(move)
        line = Line(before, move, report.awards, report.position)
        if move.verb == "deal":
            deals.append([])
        if deals:
            deals[-1].append(line)
        else:
            head.append(move)
    return head, deals


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), FORMS)
@settings(
    max_examples=examples(3),
    suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.generate),
)
@given(seed=st.integers(0, 2**32))
def test_a_game_is_worth_the_same_however_it_is_entered(name: str, seats: int, seed: int) -> None:
    chance = Random(seed)
    head, deals = played(name, seats, chance)
    for _ in range(6):
        record = Record()
        for move in head:
            record.apply(move)
        for deal in deals:
            way = chance.choice(ways(deal[-1].before))
            for move in way(deal, chance):
                record.read(notation.spell(move))
            said = "\n".join(map(notation.spell, record.moves))
            assert record.position.scores == deal[-1].after.scores, (way.__name__, said)
            assert record.position.outcome == deal[-1].after.outcome, (way.__name__, said)
            assert record.position.situation.dealer == deal[-1].after.situation.dealer, said


def known(record: Record) -> tuple[object, ...]:
    """Return the displayed facts of a deal: expected entries, turn, readouts, cards and hands."""
    position = record.position
    assert position.game is not None
    held = [position.game.held_by(position.state, seat) for seat in position.seats]
    board = position.game.scoreboard(position.state)
    return position.prompt, position.situation, board.readouts, held, has_secrets(position)


def begun_with(position: Position) -> Record:
    """Return the first deal of a game that begins with this position's scores."""
    game, fresh = position.game, Record()
    assert game is not None
    lines = [f"game {game.name}"]
    lines += (f"set {name} {one}" for name, one in position.options.get(game.name, {}).items())
    lines += (f"seat {seat} {name}" for seat, name in position.seats.items())
    if any(position.scores):
        lines.append("start " + " ".join(map(str, position.scores)))
    for line in (*lines, f"dealer {position.situation.dealer}", "deal"):
        fresh.read(line)
    return fresh


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in games.names() if "five" not in name])
def test_a_deal_knows_nothing_of_the_one_before(name: str) -> None:
    """This holds however the earlier deal was entered: some lines by cards, some by points. In
    five-card cribbage the first deal has additional points."""
    compared = 0
    for seed in range(examples(10)):
        chance = Random(f"{name} {seed}")
        walk = sit_down(name, chance)
        while len(walk.record.moves) < 150 and not walk.record.position.over:
            walk.telling = chance.choice(TELLINGS)
            prompt = walk.record.position.prompt
            due = [ask.move for ask in prompt.asks if ask.move.verb == "deal"]
            if due and chance.random() < 0.6:
                walk.say(due[0])
                position = walk.record.position
                going_on = getattr(
                    position.state.deal, "pegged", False
                )  # Bezique: points opened the deal
                if min(position.scores) >= 0 and not going_on:
                    compared += 1
                    assert known(walk.record) == known(begun_with(position)), walk.lines
            elif prompt.pegs and chance.random() < 0.35:
                walk.peg(chance.choice(prompt.pegs))
            elif not walk.step():
                break
    assert compared > 5
