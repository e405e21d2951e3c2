"""The opponent's style is inferred from its play."""

from __future__ import annotations

from random import Random

import pytest

from boardctl.bot import playing
from boardctl.bot.cribbage import Player, past
from boardctl.bot.playing import Past, now, styles, worlds
from boardctl.bot.playing import View as Seen
from boardctl.bot.series import PLAIN, PREPARED, STYLES, code, follow, ranks_of
from boardctl.bot.tables import DEALER, PONE
from boardctl.bot.worker import Seat
from tests.bot.dealer import play_game
from tools.bench.bots import Greedy, Played, Side, Stats, as_seen, deal


def played(one: Side, two: Side, deals: int) -> list[Past]:
    """Return the play of some deals, as `one` sees it."""
    random = Random(4)
    found: Played = []
    for number in range(deals):
        cards = random.sample(range(52), 13)
        deal((one, two), cards, number % 2, [0, 0], (Stats(), Stats()), number, found)
    return [Past(roles[0], as_seen(events, 0)) for roles, events in found]


class Prepared:
    """Throws like the advice, and plays for the replies that it keeps."""

    throw = Greedy().throw

    def play(self, view: Seen, place: object) -> int | None:
        node = follow(now(view.role, view.events).series)
        reply = node.reply(code(card % 13 for card in view.unplayed) + PREPARED)
        return None if reply is None else next(c for c in view.unplayed if c % 13 == reply[0])


def test_nothing_seen_says_nothing() -> None:
    for style in styles(()):
        assert style.share == pytest.approx(1 / 3)
        assert style.astray == pytest.approx(1 / 3)


def test_a_style_is_as_likely_as_its_next_card_was_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a beta prior, each deviation is predicted by the share of earlier deviations."""
    choices = (1, 5), (0, 5), (4, 5)
    monkeypatch.setattr(playing, "_choices_of", lambda past: choices)
    expected = []
    for others, all_choices in choices:
        odd, plain = 1.0, 3.0
        likely = 1.0
        for number in range(all_choices):
            deviates = number < others
            likely *= (odd if deviates else plain) / (odd + plain)
            odd, plain = odd + deviates, plain + (not deviates)
        expected.append(likely)
    found = styles([Past(PONE, ())])
    shares = [style.share * sum(expected) for style in found]
    assert shares == pytest.approx(expected)


@pytest.mark.parametrize(
    ("other", "flag"), [(Player(3, 1), 0), (Greedy(), PLAIN), (Prepared(), PREPARED)]
)
def test_a_player_is_known_by_its_style(other: Side, flag: int) -> None:
    """A player who has always followed a style is expected to follow it again."""
    found = {style.flag: style for style in styles(played(Player(3, 1), other, 12))}
    assert found[flag].share > 0.9
    assert found[flag].astray < 0.2 < min(found[some].astray for some in set(STYLES) - {flag})
    assert sum(style.share for style in found.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("series", "held", "played"),
    [
        ((), "2479", "4"),  # makes it four
        ((), "3678", "3"),  # makes it three
        ((8,), "25K9", "9"),  # takes the most
        ((8,), "2TJQ", "T"),  # leaves 19, for the 2 after a ten: 31
        ((5,), "A8TK", "A"),  # leaves 7, for the 8: 15
        ((12,), "A5K9", "5"),  # fifteen
    ],
)
def test_a_prepared_player_keeps_the_answer(
    series: tuple[int, ...], held: str, played: str
) -> None:
    ranks = ["A23456789TJQK".index(letter) for letter in held]
    reply = follow(series).reply(code(ranks) + PREPARED)
    assert reply is not None
    assert "A23456789TJQK"[reply[0]] == played
    assert sorted((*ranks_of(reply[3] - PREPARED), reply[0])) == sorted(ranks)


@pytest.mark.parametrize(("other", "plain"), [(Greedy(), True), (Player(3, 1), False)])
def test_the_hands_searched_are_held_by_such_a_player(other: Side, plain: bool) -> None:
    seen = tuple(played(Player(3, 1), other, 12))
    view = Seen(PONE, 0, 0, (0, 4, 8, 12), (13, 17), 20, past=seen)
    found = worlds(view, now(PONE, ()), Random(1), 9999)
    share = sum(weight for weight, hand, _ in found if hand & PLAIN)
    assert (share > 0.9) == plain


def test_a_record_gives_the_deals_before_the_latest_first() -> None:
    whole = play_game((Seat(1, 2, 1).receive, Seat(2, 3, 2).receive), Random(1), deals=3)
    start = max(place for place, move in enumerate(whole.moves) if move.verb == "deal")
    found = list(past(whole.moves[:start], 2, 1))
    assert [deal.role for deal in found] == [DEALER, PONE]
    assert [sum(event.card is not None for event in deal.events) for deal in found] == [8, 8]
    for one in found:
        state = now(one.role, one.events)
        assert state.cards == (0, 0)
        assert len(state.opponent_plays) == 4
