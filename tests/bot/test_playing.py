"""The search of the play compared with brute force, and its results for a view."""

from __future__ import annotations

from random import Random

import pytest

from boardctl.bot import playing, throwing
from boardctl.bot.cribbage import Player
from boardctl.bot.objective import TOURNAMENT
from boardctl.bot.playing import Event, Search, View, legal, now, values
from boardctl.bot.series import START, VALUE, code, follow, pegged, ranks_of
from boardctl.bot.tables import DEALER, PONE, TARGET, with_known_hands
from boardctl.bot.totals import total
from boardctl.games.cards import CARDS, Card, parse_cards
from boardctl.games.cribbage.rules import SCORES
from tests.games.common import count


def cards(text: str) -> tuple[int, ...]:
    return tuple(CARDS.index(one) for one in parse_cards(text))


def card(text: str) -> int:
    return cards(text)[0]


@pytest.mark.parametrize("seed", range(60))
def test_points_of_the_play_are_the_referees(seed: int) -> None:
    """Every series agrees with the referee card by card, although nodes drop irrelevant
    information."""
    random = Random(seed)
    node = START
    series: list[Card] = []
    for one in random.sample(CARDS[: random.choice((52, 20, 7))] * 1, 7):
        assert one.rank is not None
        move = node.open()[one.rank - 1]
        if move is None:
            assert count((*series, one)) > 31
            continue
        series.append(one)
        assert move[0] == sum(item.points for item in SCORES.items(series, count(series)))
        node = move[1]
        if not node.count:
            series = []


class Brute:
    """The rest of the play with every card known, by the rules: our side tries everything, the
    opponent plays like a cautious player."""

    def __init__(self, view: View, show: int) -> None:
        self.view = view
        self.show = show
        a, b, c, d = view.kept
        self.hand = total(a, b, c, d, view.starter)
        self.crib = playing.cribs(view, [])

    def best(
        self,
        hands: tuple[tuple[int, ...], tuple[int, ...]],
        turn: int,
        series: tuple[int, ...],
        gone: tuple[bool, bool],
        last: int,
        scores: tuple[int, int],
    ) -> float:
        count = sum(VALUE[rank] for rank in series)
        if not hands[0] and not hands[1]:
            if series:
                scores = add(scores, last, 1)
            return self.end(scores)
        fits = [rank for rank in set(hands[turn]) if count + VALUE[rank] <= 31]
        if gone[turn] or not fits:
            gone = (True, gone[1]) if turn == 0 else (gone[0], True)
            if all(gone) or (not hands[1 - turn]):
                scores = add(scores, last, 1)
                if max(scores) >= TARGET:
                    return self.end(scores)
                leader = 1 - last if hands[1 - last] else last
                return self.best(hands, leader, (), (False, False), last, scores)
            return self.best(hands, 1 - turn, series, gone, last, scores)
        if turn == 1:
            reply = follow(series).reply(code(hands[1]))
            assert reply is not None
            fits = [reply[0]]
        return max(self.laid(hands, turn, series, gone, scores, rank) for rank in fits)

    def laid(
        self,
        hands: tuple[tuple[int, ...], tuple[int, ...]],
        turn: int,
        series: tuple[int, ...],
        gone: tuple[bool, bool],
        scores: tuple[int, int],
        rank: int,
    ) -> float:
        series = (*series, rank)
        cards = [CARDS[some] for some in series]
        points = SCORES.items(cards, count(cards))
        scores = add(scores, turn, sum(item.points for item in points))
        if max(scores) >= TARGET:
            return self.end(scores)
        left = list(hands[turn])
        left.remove(rank)
        hands = (tuple(left), hands[1]) if turn == 0 else (hands[0], tuple(left))
        if sum(VALUE[some] for some in series) == 31:
            leader = 1 - turn if hands[1 - turn] else turn
            return self.best(hands, leader, (), (False, False), turn, scores)
        other = 1 - turn
        due = other if hands[other] and not gone[other] else turn
        return self.best(hands, due, series, gone, turn, scores)

    def end(self, scores: tuple[int, int]) -> float:
        if max(scores) >= TARGET:
            return float(scores[0] >= TARGET)
        return with_known_hands(
            self.view.role, scores[0], scores[1], self.hand, self.show, self.crib
        )


def add(scores: tuple[int, int], side: int, points: int) -> tuple[int, int]:
    return (scores[0] + points, scores[1]) if side == 0 else (scores[0], scores[1] + points)


@pytest.mark.parametrize("seed", range(40))
def test_the_search_is_brute_force_where_all_cards_are_known(seed: int) -> None:
    random = Random(seed)
    dealt = random.sample(range(52), 11)
    kept, thrown, theirs, starter = dealt[:4], dealt[4:6], dealt[6:10], dealt[10]
    mine, other = random.choice(((118, 117), (112, 119), (105, 110), (0, 0)))
    view = View(PONE, mine, other, tuple(kept), tuple(thrown), starter)
    a, b, c, d = theirs
    show = total(a, b, c, d, starter)
    search = Search(view, [(1.0, code([some % 13 for some in theirs]), show)])
    brute = Brute(view, show)
    hands = (tuple(some % 13 for some in kept), tuple(some % 13 for some in theirs))
    for rank in set(hands[0]):
        expected = brute.laid(hands, 0, (), (False, False), (mine, other), rank)
        assert search.card(rank, now(PONE, ())) == pytest.approx(expected, abs=1e-12)


def test_wary_players_peg_what_the_brute_force_pegs() -> None:
    """Somebody scores every point of a complete play: a paired card, a go, the last card."""
    events = pegged(code([0, 0, 4, 12]), code([0, 3, 9, 9]))
    assert all(points > 0 for _, points in events)
    assert ranks_of(code([4, 0, 12, 0])) == (0, 0, 4, 12)


def test_a_winning_card_is_played() -> None:
    """At 119 as dealer, a 7 on the opponent's 8 makes fifteen for two and the game."""
    view = View(
        DEALER, 119, 120, cards("7H KS QD 2C"), cards("AS 3D"), card("9C"),
        (Event(False, card("8S")),),
    )  # fmt: skip
    worth = values(view, Random(1))
    assert worth[cards("7H")[0]] == pytest.approx(1)
    assert max(worth, key=lambda some: worth[some]) == cards("7H")[0]


def test_the_count_out_is_played_for() -> None:
    """As dealer with the opponent close to the end, only pegging out before the pone's count can
    win."""
    view = View(
        DEALER, 118, 120, cards("5H 5S JD KC"), cards("8S 2D"), card("4C"),
        (Event(False, card("TS")),),
    )  # fmt: skip
    worth = values(view, Random(1))
    best = max(worth, key=lambda some: worth[some])
    assert best in cards("5H 5S")


def test_a_view_follows_the_play() -> None:
    play = [
        Event(True, card("TS")),
        Event(False, card("JD")),
        Event(True, card("KH")),
        Event(False, None),
        Event(True, None),
    ]
    state = now(PONE, play)
    assert state.turn is False  # our side played last, so the opponent leads
    assert state.series == ()
    assert state.cards == (2, 3)
    assert state.floor == 1
    view = View(PONE, 0, 0, cards("TS KH 5H 9C"), cards("AS 2S"), card("7D"), tuple(play))
    assert legal(view) == cards("5H 9C")
    assert now(PONE, play[:3]).turn is False
    assert now(PONE, play[:4]).turn is True


def test_a_go_leaves_no_low_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """The searched hands contain no card that would have fitted."""
    play = (Event(True, card("TS")), Event(False, card("9D")), Event(True, card("5H")))
    view = View(
        PONE, 0, 0, cards("TS 5H 2H 2C"), cards("AS 3S"), card("7D"),
        (*play, Event(False, None)),
    )  # fmt: skip
    found = playing.worlds(view, now(PONE, view.events), Random(1), 5000)
    assert found
    assert sum(weight for weight, _, _ in found) == pytest.approx(1)
    assert all(min(VALUE[rank] for rank in ranks_of(hand)) > 7 for _, hand, _ in found)


def test_few_hands_are_searched_whole() -> None:
    """With two cards left, no hands are sampled, so every random source leads to the same
    numbers."""
    play = (
        Event(True, card("TS")), Event(False, card("9D")),
        Event(True, card("AH")), Event(False, card("8D")),
    )  # fmt: skip
    view = View(PONE, 60, 70, cards("TS AH 2H 2C"), cards("6S 3S"), card("7D"), play)
    assert values(view, Random(1)) == values(view, Random(2))


def test_a_go_ends_the_game_before_the_opponent_plays_on() -> None:
    """Our ten made the count 30. With a pair of kings, the opponent would pass the skunk line."""
    kept = tuple(CARDS.index(card) for card in parse_cards("TH TS 2D 3C"))
    search = Search(View(PONE, 120, 90, kept, (25, 26), 0, objective=TOURNAMENT), [])
    kings = [(1.0, code((12, 12)), 0)]
    assert search.alone(kings, follow((9, 9, 9)), 120, 90, True) == TOURNAMENT.gained(90)
    assert TOURNAMENT.gained(90) > TOURNAMENT.gained(93)


def test_nobody_has_played_the_last_card_of_nothing() -> None:
    assert not now(PONE, ()).last


def test_throws_are_weighed_by_chance_not_points() -> None:
    """The pone counts first. Six short of the game, a certain six wins and the crib does not
    matter."""
    found = throwing.throws(cards("5H 5S JD 4C 6C KD"), PONE, 115, 105)
    assert found[0].win is not None and found[0].win > 0.97
    assert {len(throw.cards) for throw in found} == {2}
    assert len(found) == 15
    weighed = [throw for throw in found if throw.win is not None]
    assert weighed == sorted(weighed, key=lambda throw: -(throw.win or 0))


def test_two_for_his_heels_end_a_game_for_whoever_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dealer who needs two points wins if the starter is a jack, as are 4 of 46 cards. Here
    nobody pegs, and hands are not counted."""
    monkeypatch.setattr(throwing, "_pegs", lambda *_: ((0, 0, 1.0),))
    six = cards("5H 5S 4D 6C KD 9D")
    for role, scores, counts, won in (
        (PONE, (100, TARGET - 2), 1.0, 42 / 46),
        (PONE, (TARGET - 2, 100), 0.0, 0.0),
        (DEALER, (TARGET - 2, 100), 0.0, 4 / 46),
        (DEALER, (TARGET - 3, 100), 0.0, 0.0),
        (PONE, (100, TARGET - 3), 1.0, 1.0),
        (PONE, (TARGET - 1, 100), 0.0, 0.0),
        (DEALER, (100, TARGET - 2), 1.0, 1.0),
    ):
        monkeypatch.setattr(throwing, "counted", lambda *_, counts=counts: counts)
        throw = throwing.averages(six, role)[0]
        assert throwing.win(throw, six, *scores) == pytest.approx(won)


@pytest.mark.parametrize(
    ("hand", "away", "with_own_crib"),
    [
        ("AS 6S AD 8S 3S KS", "AD KS", "AD 3S"),
        ("2C 7S 5H 9C 6S 9S", "2C 7S", "2C 5H"),
        ("6C JS 3D AC 4C 8D", "6C JS", "6C 8D"),
    ],
)
def test_a_middling_player_spares_the_opponents_crib(
    hand: str, away: str, with_own_crib: str
) -> None:
    """Level 3 judges a throw by the hand and the crib (as pone, it subtracts the crib). A slip
    considers only the hand."""
    player = Player(3, 1)
    by_role = {
        role: {frozenset(player.throw(cards(hand), role, 0, 0, place)) for place in range(40)}
        for role in (PONE, DEALER)
    }
    assert frozenset(cards(away)) in by_role[PONE]
    assert frozenset(cards(with_own_crib)) not in by_role[PONE]
    assert frozenset(cards(with_own_crib)) in by_role[DEALER]


def test_a_throw_is_the_same_whatever_the_order_of_the_cards() -> None:
    hand = cards("5H 6S 7D 8C JH QS")
    one = throwing.throws(hand, DEALER, 30, 40)[0]
    two = throwing.throws(tuple(reversed(hand)), DEALER, 30, 40)[0]
    assert set(one.cards) == set(two.cards)
    assert one.win == pytest.approx(two.win)
