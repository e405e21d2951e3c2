"""The best response to a known way of playing, compared with every possible strategy."""

from __future__ import annotations

from random import Random

import pytest

from boardctl.bot import series
from boardctl.bot.tables import DEALER, HANDS, PONE
from tests.bot.test_endgames import pegged, worth
from tests.report import LongRun
from tools.bench import best_response
from tools.bench.best_response import OTHER, OWN, Hand, Play, World

Lines = tuple[tuple[int, int | None], ...]
Strategy = dict[Lines, int]
"""For each situation that its player can meet, the rank that it plays."""


class Unforeseen(Exception):
    """A strategy does not cover the play after these lines; it may play one of `fits`."""

    def __init__(self, lines: Lines, fits: list[int]) -> None:
        self.lines, self.fits = lines, fits


def odd(fits: list[int], lines: Lines) -> int:
    """Return an arbitrary card, determined by the play so far."""
    return fits[sum((rank or 3) * place for place, (_, rank) in enumerate(lines, 1)) % len(fits)]


def as_odd(side: int, hand: Hand, play: Play) -> int:
    return odd(play.fits(play.held(side, hand)), play.lines)


def played(hands: tuple[Hand, Hand], leads: int, strategy: Strategy) -> int:
    """Return the result of one play with both hands open: the first side's points minus the
    other's.

    Raises:
        Unforeseen: if the strategy does not cover the play.
    """
    held = [list(hands[0]), list(hands[1])]
    points = [0, 0]
    lines: list[tuple[int, int | None]] = []
    leader = leads
    while held[0] or held[1]:
        count: list[int] = []
        said = {side for side in (OWN, OTHER) if not held[side]}
        turn = leader if held[leader] else 1 - leader
        last = turn
        while len(said) < 2 and sum(map(worth, count)) < 31:
            if turn not in said:
                room = 31 - sum(map(worth, count))
                fits = sorted({rank for rank in held[turn] if worth(rank + 1) <= room})
                if not fits:
                    said.add(turn)
                    lines.append((turn, None))
                else:
                    rank = fits[0]
                    if len(fits) > 1 and turn == OTHER:
                        rank = odd(fits, tuple(lines))
                    elif len(fits) > 1:
                        if tuple(lines) not in strategy:
                            raise Unforeseen(tuple(lines), fits)
                        rank = strategy[tuple(lines)]
                    held[turn].remove(rank)
                    if not held[turn]:
                        said.add(turn)
                    lines.append((turn, rank))
                    count.append(rank + 1)
                    points[turn] += pegged(tuple(count))
                    last = turn
            turn = 1 - turn
        points[last] += sum(map(worth, count)) < 31
        leader = 1 - last
    return points[OWN] - points[OTHER]


def every_strategy(hand: Hand, leads: int, worlds: list[World]) -> list[float]:
    """Return the worth of every possible strategy."""
    found: list[float] = []
    open_ones: list[Strategy] = [{}]
    while open_ones:
        strategy = open_ones.pop()
        try:
            whole = sum(weight * played((hand, other), leads, strategy) for weight, other in worlds)
        except Unforeseen as gap:
            open_ones += [{**strategy, gap.lines: rank} for rank in gap.fits]
        else:
            found.append(whole)
    return found


@pytest.mark.parametrize("cards", [2, 3])
@pytest.mark.parametrize("leads", [OWN, OTHER])
def test_no_strategy_is_better_and_one_is_as_good(cards: int, leads: int) -> None:
    chance = Random(f"{cards} {leads}")
    choices = secrets = 0
    for _ in range(6):
        ranks = chance.sample([*range(5), 6, 9, 10, 11] * 4, 6 * cards)
        hand, *others = (tuple(sorted(ranks[at::6])) for at in range(6))
        worlds = [(chance.random(), other) for other in others]
        found = every_strategy(hand, leads, worlds)
        best = best_response.worth(Play(leads, (cards, cards)), hand, worlds, as_odd, None)
        assert best == pytest.approx(max(found))
        seen = [
            best_response.worth(Play(leads, (cards, cards)), hand, [one], as_odd, None)
            for one in worlds
        ]
        choices += max(found) > min(found)
        secrets += sum(seen) > best + 1e-9
    assert choices
    assert secrets or cards == 2, "no hand would be played otherwise if the other's were known"


def cautious(side: int, hand: Hand, play: Play) -> int:
    reply = play.node.reply(series.code(play.held(side, hand)))
    assert reply is not None
    return reply[0]


def test_points_are_those_of_the_play_that_the_tables_are_made_of() -> None:
    chance = Random("cautious")
    for _ in range(200):
        pone, dealer = chance.choices(HANDS, k=2)
        events = series.pegged(series.code(pone), series.code(dealer))
        net = sum(-points if of_dealer else points for of_dealer, points in events)
        first = Play(OWN, (4, 4))
        assert best_response.worth(first, pone, [(1.0, dealer)], cautious, cautious) == net
        assert best_response.worth(first, pone, [(1.0, dealer)], cautious, None) >= net


@pytest.mark.parametrize("role", [PONE, DEALER])
def test_level_five_chooses_by_what_its_seat_knows(role: int) -> None:
    """The player knows as much as at the table: its own hand and the lines of the play."""
    level = best_response.LevelFive(role, 4)
    play = Play(OTHER, (4, 4)).after(8).after(5)
    hand = (3, 6, 7, 8)
    rank = level(OTHER, hand, play)
    assert rank in play.fits(play.held(OTHER, hand)) and rank != 8
    assert level(OTHER, hand, play) == rank


def test_hands_are_as_likely_as_the_table_and_the_unseen_cards_say() -> None:
    every = {hand: weight for weight, hand in best_response.likely(PONE, [])}
    worlds = {hand: weight for weight, hand in best_response.likely(PONE, [4, 4, 4, 9])}
    assert sum(worlds.values()) == pytest.approx(1)
    assert all(hand.count(4) < 2 for hand in worlds)
    with_five, without = (4, 9, 10, 11), (8, 9, 10, 11)
    share = every[with_five] / every[without]
    # one of four fives is left
    assert worlds[with_five] / worlds[without] == pytest.approx(share / 4)


def test_the_best_response_is_no_worse_than_level_five() -> None:
    rows = best_response.rows()
    assert len({row.number for row in rows}) == len(rows)
    assert all(row.best > row.level - 1e-9 for row in rows)


@pytest.mark.long
def test_a_row_is_found_again(seed: int, long_run: LongRun) -> None:
    """The row is one of those in docs/notes/strength.md, and complete."""
    rows = best_response.rows()
    kept = Random(seed).choice(rows)
    found = best_response.row(kept.seed, kept.number)
    long_run(number=kept.number, more=f"{found.best - found.level:.4f}")
    assert found._replace(best=kept.best, level=kept.level) == kept
    assert found.best == pytest.approx(kept.best)
    assert found.level == pytest.approx(kept.level)
