"""The opponent's style is inferred from its play."""

from __future__ import annotations

from random import Random

import pytest

from boardctl.bot.cribbage import past
from boardctl.bot.levels import Player
from boardctl.bot.playing import Past, likely_plain, now, worlds
from boardctl.bot.playing import View as Seen
from boardctl.bot.protocol import Seat
from boardctl.bot.series import PLAIN
from boardctl.bot.tables import DEALER, PONE
from tests.bench.bots import Greedy, Played, Side, Stats, as_seen, deal
from tests.bot.dealer import play_game


def played(one: Side, two: Side, deals: int) -> list[Past]:
    """The play of some deals, as `one` sees it."""
    random = Random(4)
    found: Played = []
    for number in range(deals):
        cards = random.sample(range(52), 13)
        deal((one, two), cards, number % 2, [0, 0], (Stats(), Stats()), number, found)
    return [Past(roles[0], as_seen(events, 0)) for roles, events in found]


def test_nothing_seen_says_nothing() -> None:
    assert likely_plain(()) == 0.5


def test_whoever_takes_every_point_is_known_by_it() -> None:
    assert likely_plain(played(Player(3, 1), Greedy(), 12)) > 0.9


def test_whoever_is_wary_is_known_by_it() -> None:
    assert likely_plain(played(Greedy(), Player(3, 1), 12)) < 0.1


@pytest.mark.parametrize(("other", "plain"), [(Greedy(), True), (Player(3, 1), False)])
def test_the_hands_searched_are_held_by_such_a_player(other: Side, plain: bool) -> None:
    seen = tuple(played(Player(3, 1), other, 12))
    view = Seen(PONE, 0, 0, (0, 4, 8, 12), (13, 17), 20, past=seen)
    found = worlds(view, now(PONE, ()), Random(1), 9999)
    share = sum(weight for weight, hand, _ in found if hand & PLAIN)
    assert (share > 0.9) == plain


def test_a_record_gives_the_deals_before_the_latest_first() -> None:
    whole = play_game((Seat(1, 2, 1).told, Seat(2, 3, 2).told), Random(1), deals=3)
    start = max(place for place, move in enumerate(whole.moves) if move.verb == "deal")
    found = list(past(whole.moves[:start], 2, 1))
    assert [deal.role for deal in found] == [DEALER, PONE]
    assert [sum(event.card is not None for event in deal.events) for deal in found] == [8, 8]
    for one in found:
        state = now(one.role, one.events)
        assert state.cards == (0, 0)
        assert len(state.seen) == 4
