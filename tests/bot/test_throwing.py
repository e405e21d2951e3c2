"""The throw's numbers: pegging, cribs, the order of counting, and the level that decides."""

from __future__ import annotations

from itertools import product

import pytest

from boardctl.bot import throwing
from boardctl.bot.cribbage import Player
from boardctl.bot.objective import TOURNAMENT, WIN, Objective
from boardctl.bot.tables import DEALER, PONE, TARGET
from boardctl.games.cards import CARDS, parse_cards


def cards(text: str) -> tuple[int, ...]:
    return tuple(CARDS.index(one) for one in parse_cards(text))


HANDS = [cards("5H 6S 7D 8C JH QS"), cards("AS AD 4H 4C KD 9S"), cards("2C 3C 9D TH JS KC")]


@pytest.mark.parametrize("role", [PONE, DEALER])
@pytest.mark.parametrize("six", HANDS)
def test_throws_by_points_and_by_chance_have_the_same_points(
    six: tuple[int, ...], role: int
) -> None:
    """Only the order may differ. The best by points comes first in one, by chance in the other."""
    plain, weighed = throwing.averages(six, role), throwing.throws(six, role, 60, 70)
    of = {throw.cards: (throw.hand, throw.crib, throw.play) for throw in plain}
    assert of == {throw.cards: (throw.hand, throw.crib, throw.play) for throw in weighed}
    points = [throw.points for throw in plain]
    assert points == sorted(points, reverse=True)


@pytest.mark.parametrize("role", [PONE, DEALER])
@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("ranks", [(0, 1, 2, 3), (4, 4, 10, 12), (6, 7, 7, 8)])
def test_the_play_of_a_hand_has_its_averages(
    role: int, average: bool, ranks: tuple[int, ...]
) -> None:
    """The tails of a tilted distribution are cut off at zero, which moves its averages a little."""
    found = throwing._pegs(role, ranks, average)
    assert all(chance >= 0 for *_, chance in found)
    assert sum(chance for *_, chance in found) == pytest.approx(1)
    means = tuple(sum(cell[side] * cell[2] for cell in found) for side in (0, 1))
    assert means == pytest.approx(throwing.pegging(role, ranks), abs=1e-9 if average else 0.1)


@pytest.mark.parametrize("wanted", [(1.0, 2.0), (1.3, 1.9), (0.8, 2.4)])
def test_a_tilt_reaches_both_averages(wanted: tuple[float, float]) -> None:
    """The two sides' points are independent here, so no tail is cut off."""
    own, other = {0: 0.25, 1: 0.5, 2: 0.25}, {1: 0.75, 5: 0.25}
    cells = [(x, y, 3 * own[x] * other[y]) for x, y in product(own, other)]
    found = throwing._tilted(*wanted, cells)
    assert sum(chance for *_, chance in found) == pytest.approx(1)
    means = tuple(sum(cell[side] * cell[2] for cell in found) for side in (0, 1))
    assert means == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("own", "more", "other", "others", "won"),
    [
        (118, 3, 110, 4, 1.0),  # only our side reaches the target
        (110, 4, 118, 3, 0.0),
        (118, 6, 118, 4, 1.0),  # half of the play is enough, the opponent needs three quarters
        (118, 4, 118, 6, 0.0),
        (119, 4, 117, 8, 0.5),
        (120, 4, 119, 4, 1.0),
        (TARGET - 3, 3, TARGET - 2, 2, 0.5),
    ],
)
def test_the_side_that_needs_the_smaller_part_of_the_play_pegs_out_first(
    own: int, more: int, other: int, others: int, won: float
) -> None:
    assert throwing._pegs_out(own, more, other, others) == won


@pytest.mark.parametrize("role", [PONE, DEALER])
def test_each_side_pegs_the_points_of_its_role(role: int) -> None:
    cells = throwing._cells(role)
    whole = sum(chance for *_, chance in cells)
    means = [sum(cell[side] * cell[2] for cell in cells) / whole for side in (0, 1)]
    pone, dealer = throwing._means()
    assert means == pytest.approx((pone, dealer) if role == PONE else (dealer, pone), abs=0.2)


@pytest.mark.parametrize(("theirs", "average"), [(89, True), (90, False)])
def test_the_average_of_the_play_is_used_until_the_play_may_win(
    monkeypatch: pytest.MonkeyPatch, theirs: int, average: bool
) -> None:
    asked: list[object] = []

    def pegs(role: int, kept: tuple[int, ...], average: bool) -> throwing.Pegs:
        asked.append(average)
        return ((0, 0, 1.0),)

    monkeypatch.setattr(throwing, "_pegs", pegs)
    monkeypatch.setattr(throwing, "counted", lambda *_: 0.5)
    throwing.win(throwing.averages(HANDS[0], PONE)[0], HANDS[0], 60, theirs)
    assert asked == [average]


MATCH = Objective("match", (0.7, 0.8, 0.9), (0.3, 0.2, 0.1))


@pytest.mark.parametrize("objective", [WIN, TOURNAMENT, MATCH])
@pytest.mark.parametrize("role", [PONE, DEALER])
def test_points_of_the_play_end_a_game(
    monkeypatch: pytest.MonkeyPatch, role: int, objective: Objective
) -> None:
    """Our side pegs 3 and the opponent 2, and a game that goes on is worth a quarter. A jack's two
    points for his heels are left out by holding all jacks."""
    monkeypatch.setattr(throwing, "_pegs", lambda *_: ((3, 2, 1.0),))
    monkeypatch.setattr(throwing, "counted", lambda *_: 0.25)
    six = cards("JH JS JD JC KD 9D")
    throw = throwing.averages(six, role)[0]
    for mine, theirs, worth in (
        (TARGET - 3, 100, objective.gained(102)),
        (TARGET - 4, 100, 0.25),
        (100, TARGET - 2, objective.given(103)),
        (100, TARGET - 3, 0.25),
        (TARGET - 3, 80, objective.gained(82)),
        (80, TARGET - 2, objective.given(83)),
        (TARGET - 2, TARGET - 2, objective.gained(TARGET)),  # two of three before two of two
    ):
        assert throwing.win(throw, six, mine, theirs, objective) == pytest.approx(worth)


def test_his_heels_win_before_the_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four of 46 starters are jacks. The opponent's points in the play would avoid the skunk."""
    monkeypatch.setattr(throwing, "_pegs", lambda *_: ((0, 5, 1.0),))
    monkeypatch.setattr(throwing, "counted", lambda *_: 0.0)
    six = cards("5H 6S 7D 8C 9H QS")
    throw = throwing.averages(six, DEALER)[0]
    worth = throwing.win(throw, six, TARGET - 2, 88, MATCH)
    assert worth == pytest.approx(4 / 46 * MATCH.gained(88))


def test_the_strongest_level_throws_for_the_game() -> None:
    """At 115 the pone needs only this hand's points. Every simpler method throws other cards."""
    six = cards("5H 5S JD 4C 6C KD")
    for role, mine, theirs in ((PONE, 115, 105), (DEALER, 60, 70), (PONE, 0, 0)):
        best = throwing.throws(six, role, mine, theirs)[0].cards
        assert {Player(5, seed).throw(six, role, mine, theirs, 1) for seed in range(20)} == {best}
    assert throwing.throws(six, PONE, 115, 105)[0].cards != throwing.averages(six, PONE)[0].cards


@pytest.mark.parametrize(("level", "slips"), [(3, 0.47), (4, 0.63)])
def test_a_level_slips_as_often_as_documented(level: int, slips: float) -> None:
    """The next simpler method throws other cards from these hands, so a slip is visible."""
    six = cards({3: "AS 6S AD 8S 3S KS", 4: "5D 4H TD 2H KS 7C"}[level])
    found = throwing.averages(six, PONE)
    best = max(found, key=lambda throw: throw.hand - throw.crib) if level == 3 else found[0]
    other = sum(
        set(Player(level, 1).throw(six, PONE, 0, 0, place)) != set(best.cards)
        for place in range(300)
    )
    assert other / 300 == pytest.approx(slips, abs=0.1)


@pytest.mark.parametrize("role", [PONE, DEALER])
def test_what_the_first_hand_is_counted_from_decides_a_skunk(
    monkeypatch: pytest.MonkeyPatch, role: int
) -> None:
    """The dealer's score before the counting decides by how much it loses. These scores include
    both sides' points in the play, and the objective is used."""
    asked = []

    def counted(*told: object) -> float:
        asked.append(told)
        return 0.5

    monkeypatch.setattr(throwing, "_pegs", lambda *_: ((3, 2, 1.0),))
    monkeypatch.setattr(throwing, "counted", counted)
    six = cards("JH JS JD JC KD 9D")
    throw = throwing.averages(six, role)[0]
    assert throwing.win(throw, six, 80, 70, MATCH) == pytest.approx(0.5)
    for _, _, mine, theirs, before, objective in asked:
        assert isinstance(mine, int) and isinstance(theirs, int)
        assert before == (83 if role == DEALER else 72)
        assert objective == MATCH
        assert mine >= 83 and theirs >= 72
    asked.clear()
    throwing.win(throw, six, 80, 70)
    assert {before for *_, before, _ in asked} == {0}, "a plain win has no margins"


@pytest.mark.parametrize("role", [PONE, DEALER])
@pytest.mark.parametrize("six", HANDS)
def test_a_single_throw_is_worth_what_it_is_among_all(six: tuple[int, ...], role: int) -> None:
    for throw in throwing.throws(six, role, 95, 100)[:3]:
        assert throwing.win(throw, six, 95, 100) == throw.win
