"""Random states of the play: the state, the search and the opponent's hands agree with an
enumeration."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

import pytest

from boardctl.bot import playing
from boardctl.bot.advice import PAIRS, chances
from boardctl.bot.objective import TOURNAMENT, WIN, Objective
from boardctl.bot.playing import Event, Past, Search, View, leaders, legal, now, worlds
from boardctl.bot.series import STYLES, VALUE, code, follow, ranks_of
from boardctl.bot.tables import DEALER, PLACE, PONE, TARGET, WAYS, load, with_known_hands
from boardctl.bot.totals import total
from boardctl.games.cards import CARDS
from boardctl.games.cribbage import show
from tests.bot.test_playing import Brute


@dataclass
class Table:
    """A play with both hands known, by the rules. Side 0 is ours."""

    hands: list[list[int]]
    turn: int
    series: list[int] = field(default_factory=list)
    gone: list[bool] = field(default_factory=lambda: [False, False])
    last: int = 1
    events: list[Event] = field(default_factory=list)
    seen: list[tuple[tuple[int, ...], int]] = field(default_factory=list)
    floor: int = 0

    @property
    def room(self) -> int:
        return 31 - sum(VALUE[card % 13] for card in self.series)

    @property
    def fits(self) -> list[int]:
        return [card for card in self.hands[self.turn] if VALUE[card % 13] <= self.room]

    def step(self, random: Random) -> None:
        """Play a random card, or say go."""
        own = self.turn == 0
        if self.fits:
            card = random.choice(self.fits)
            if not own:
                self.seen.append((tuple(one % 13 for one in self.series), card))
            self.events.append(Event(own, card))
            self.hands[self.turn].remove(card)
            self.series.append(card)
            self.last = self.turn
        else:
            self.events.append(Event(own, None))
            self.gone[self.turn] = True
            if not own:
                self.floor = max(self.floor, self.room)
        may = [bool(self.hands[side]) and not self.gone[side] for side in (0, 1)]
        if not self.room or not any(may):
            self.series, self.gone = [], [False, False]
            self.turn = 1 - self.last if self.hands[1 - self.last] else self.last
        else:
            self.turn = 1 - self.turn if may[1 - self.turn] else self.turn


def played(seed: int, least: int = 0) -> tuple[View, Table, list[int], list[int]]:
    """Return our knowledge after some cards, the table, and both hands as dealt. It is our turn,
    and there is a card to play."""
    random = Random(seed)
    while True:
        dealt = random.sample(range(52), 11)
        kept, theirs, role = dealt[:4], dealt[6:10], random.choice((PONE, DEALER))
        table = Table([list(kept), list(theirs)], 0 if role == PONE else 1)
        for _ in range(random.randrange(least, 10)):
            if any(table.hands):
                table.step(random)
        if table.turn == 0 and table.fits:
            break
    objective = random.choice((WIN, TOURNAMENT, Objective("", (1, 1, 1), (0.2, 0.1, 0.0))))
    scores = random.choice(((118, 117), (120, 120), (119, 120), (60, 120), (88, 119), (119, 87)))
    view = View(
        role, *scores, tuple(kept), tuple(dealt[4:6]), dealt[10], tuple(table.events),
        objective=objective,
    )  # fmt: skip
    return view, table, kept, theirs


def without_gos(events: list[Event], random: Random) -> list[Event]:
    """Leave out gos that the next card implies, never two in a row."""
    found: list[Event] = []
    for place, event in enumerate(events):
        after = events[place + 1].card if place + 1 < len(events) else None
        before = found[-1].card if found else None
        is_implied = event.card is None and after is not None and before is not None
        if not is_implied or random.random() < 0.3:
            found.append(event)
    return found


SEEDS = [range(first, first + 40) for first in range(0, 1200, 40)]


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_the_state_follows_from_the_lines(seeds: range) -> None:
    for seed in seeds:
        view, table, _, _ = played(seed)
        assert legal(view) == tuple(card for card in view.kept if card in table.fits)
        for events in (table.events, without_gos(table.events, Random(seed))):
            state = now(view.role, events)
            assert state.turn
            assert state.cards == (len(table.hands[0]), len(table.hands[1]))
            assert state.series == tuple(card % 13 for card in table.series)
            assert state.opponent_plays == tuple(table.seen)
            assert state.floor == table.floor
            assert state.room == table.room
            if table.series:
                assert state.gone == tuple(table.gone)
                assert state.last == (table.last == 0)


class Worth(Brute):
    """A brute-force search for an objective in which a loss also has a worth, and a skunk has a
    higher one."""

    def end(self, scores: tuple[int, int]) -> float:
        view = self.view
        if scores[0] >= TARGET:
            return view.objective.gained(scores[1])
        if scores[1] >= TARGET:
            return view.objective.given(scores[0])
        return with_known_hands(
            view.role, *scores, self.hand, self.show, self.crib, view.objective
        )  # fmt: skip


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_the_search_is_brute_force_from_any_state(seeds: range) -> None:
    for seed in seeds:
        view, table, _, theirs = played(seed)
        a, b, c, d = theirs
        counted = total(a, b, c, d, view.starter)
        left = [card % 13 for card in table.hands[1]]
        search = Search(view, [(1.0, code(left), counted)])
        brute = Worth(view, counted)
        brute.crib = playing.cribs(view, [card for _, card in table.seen])
        hands = tuple(card % 13 for card in table.hands[0]), tuple(left)
        series, gone = tuple(card % 13 for card in table.series), (table.gone[0], table.gone[1])
        state, scores = now(view.role, view.events), (view.mine, view.theirs)
        for rank in {card % 13 for card in table.fits}:
            expected = brute.laid(hands, 0, series, gone, scores, rank)
            assert search.card(rank, state) == pytest.approx(expected, abs=1e-12)


def counted_by_ranks(ranks: tuple[int, ...]) -> int:
    """Return the points of five ranks, by the referee. Suits that score nothing are chosen."""
    seen: dict[int, int] = defaultdict(int)
    cards = []
    for rank in ranks:
        cards.append(CARDS[13 * seen[rank] + rank])
        seen[rank] += 1
    items = show.count(tuple(cards[:4]), cards[4], crib=True)
    return sum(item.points for item in items if item.reason not in ("flush", "nobs"))


@pytest.mark.parametrize("seed", range(6))
def test_the_cribs_are_all_cribs_that_are_possible(seed: int) -> None:
    """Every pair of unseen cards is weighed by how often the opponent throws its ranks."""
    view, table, _, _ = played(seed)
    theirs = [card for _, card in table.seen]
    known = {*view.kept, *view.thrown, view.starter, *theirs}
    thrown = dict(zip(PAIRS, chances("dealer" if view.role == PONE else "pone"), strict=True))
    one, two = view.thrown
    jack = any(card % 13 == 10 and card // 13 == view.starter // 13 for card in view.thrown)
    expected: dict[int, float] = defaultdict(float)
    for pair in combinations([card for card in range(52) if card not in known], 2):
        a, b = sorted(card % 13 for card in pair)
        points = counted_by_ranks((one % 13, two % 13, a, b, view.starter % 13))
        expected[points + jack] += thrown[a, b]
    whole = sum(expected.values())
    assert dict(playing.cribs(view, theirs)) == pytest.approx(
        {points: weight / whole for points, weight in expected.items() if weight}
    )


def test_his_nobs_in_our_throw_is_a_point_of_every_crib() -> None:
    view, *_ = played(1)
    jack = 13 * (view.starter // 13) + 10
    other = 13 * ((view.starter // 13 + 1) % 4) + 10
    own, foreign = (
        min(dict(playing.cribs(view._replace(thrown=(card, 0), kept=(1, 3, 5, 7)), ())))
        for card in (jack, other)
    )
    assert own == foreign + 1


@pytest.mark.parametrize("seed", [3, 8, 21, 34, 55])
def test_the_opponents_hands_are_all_hands_that_fit(seed: int) -> None:
    """Every set of unseen cards is weighed by how often its four cards are kept, and by the style
    that would have played the cards seen."""
    view, table, _, _ = played(seed, least=4)
    count = len(table.hands[1])
    seen = [card for _, card in table.seen]
    known = {*view.kept, *view.thrown, view.starter, *seen}
    free = [card for card in range(52) if card not in known and VALUE[card % 13] > table.floor]
    kept = load().kept[1 - view.role]
    expected: dict[int, float] = defaultdict(float)
    for hand in combinations(free, count):
        place = PLACE[tuple(sorted(card % 13 for card in (*seen, *hand)))]
        weight = kept[place] / WAYS[place] + 1e-7
        for style in STYLES:
            held, likely = code([card % 13 for card in hand]), 1.0
            for before, card in reversed(table.seen):
                held += code([card % 13])
                reply = follow(before).reply(held + style)
                likely *= 1.0 if reply is not None and reply[0] == card % 13 else 1 / 3
            expected[code([card % 13 for card in hand]) + style] += weight * likely
    whole = sum(expected.values())
    found = worlds(view, now(view.role, view.events), Random(1), len(expected))
    assert {hand: weight for weight, hand, _ in found} == pytest.approx(
        {hand: weight / whole for hand, weight in expected.items()}
    )
    sampled = worlds(view, now(view.role, view.events), Random(1), len(expected) - 1)
    assert len(sampled) < len(expected)
    assert sum(weight for weight, *_ in sampled) == pytest.approx(1)


def test_a_sample_has_each_hand_as_often_as_it_is_likely() -> None:
    weights = [0.5, 0.25, 0.125, 0.0625, 0.03, 0.02, 0.0125]
    found = [(weight, 1 << place, 0) for place, weight in enumerate(weights)]
    for seed in range(5):
        drawn = {hand: times for times, hand, _ in playing._draw(found, Random(seed), 40)}
        assert sum(drawn.values()) == pytest.approx(40, abs=1)
        for weight, hand, _ in found:
            assert drawn.get(hand, 0) == pytest.approx(40 * weight, abs=1)


def test_a_hand_that_contradicts_the_cards_seen_ends_no_search() -> None:
    """All fives are known, and the opponent holds only a five by its gos and cards."""
    view, *_ = played(2)
    odd = view._replace(kept=(9, 10, 11, 12), thrown=(22, 23), starter=25, events=())
    state = now(PONE, ())._replace(floor=10)
    ((weight, hand, _),) = worlds(odd, state, Random(1), 10)
    assert (weight, ranks_of(hand)) == (1.0, ())


def test_the_highest_of_equal_cards_leads() -> None:
    assert leaders({0: 0.5, 12: 0.5, 25: 0.5, 4: 0.5 - 1e-12, 7: 0.4}) == [12, 25, 4, 0]
    assert leaders({}) == []


def test_a_style_is_judged_by_all_earlier_deals() -> None:
    """Deviations and choices add up over the deals, whatever their order."""
    random = Random(5)
    deals: list[Past] = []
    while len(deals) < 6:
        table = Table([random.sample(range(26), 4), random.sample(range(26, 52), 4)], 0)
        while any(table.hands):
            table.step(random)
        deals.append(Past(PONE, tuple(table.events)))
    whole = playing.styles(deals)
    for style, backwards in zip(whole, playing.styles(deals[::-1]), strict=True):
        assert style == pytest.approx(backwards)
    assert sum(style.share for style in whole) == pytest.approx(1)
    for place, style in enumerate(whole):
        pairs = [playing._choices_of(deal)[place] for deal in deals]
        some, choices = (sum(one) for one in zip(*pairs, strict=True))
        assert style.astray == pytest.approx(min(1.0, (1 + some) / (3 + choices - some)))
