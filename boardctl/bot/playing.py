"""Choose the card to play by the chance of winning, averaged over the opponent's possible hands.

Each possible hand of the opponent is a `World`: ranks that are consistent with the opponent's gos
and the cards seen. Its weight depends on how often a player in that role keeps such a hand, and on
whether a player of the opponent's style would have played the same cards.

The rest of the deal is searched completely. Our side chooses each card for all worlds that are
still possible at that point, never for a single world. The opponent plays in one of three styles
(`series`), whose probabilities are inferred from its play in this game. Final positions are
evaluated by counting the hands and the crib in order, and by the chance of winning after that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, exp, lgamma
from random import Random
from typing import Final, NamedTuple

from boardctl.bot.advice import PAIRS, chances, crib_points
from boardctl.bot.objective import WIN, Objective
from boardctl.bot.series import RANKS, START, STYLES, VALUE, Series, code, follow, forget
from boardctl.bot.tables import HANDS, PLACE, PONE, TARGET, WAYS, Histogram, load, with_known_hands
from boardctl.bot.totals import RANK_KEYS, RANK_ROWS, total

WORLDS: Final = 500
"""The maximum number of opponent's hands to search. If there are more, a sample is drawn."""
_ASTRAY: Final = (1.0, 3.0)
"""The parameters of the prior, by which one in four cards of a player deviates from the player's
style."""
_ODD: Final = 1e-7
"""The probability that a weaker player keeps four given cards that a good player would not keep. It
is about a fortieth of the average, 1 in 270,725."""
_EQUAL: Final = 1e-9
"""The difference below which two winning chances count as equal, because of rounding."""
_JACK: Final = 10
_CHOICES: Final = tuple(tuple(comb(n, k) for k in range(5)) for n in range(5))

World = tuple[float, int, int]
"""A world: its probability, the code of the opponent's remaining cards, and the points of the
opponent's hand."""


class Event(NamedTuple):
    """One line of the play: a card, or None for a go."""

    own: bool
    card: int | None


class Past(NamedTuple):
    """The play of a finished deal. `role` is our side's role in that deal."""

    role: int
    events: tuple[Event, ...]


class View(NamedTuple):
    """One side's complete knowledge at its turn to play. Cards are indices in
    `boardctl.games.cards.CARDS`."""

    role: int
    """PONE or DEALER."""
    mine: int
    """The score of the side itself."""
    theirs: int
    """The score of the opponent."""
    kept: tuple[int, ...]
    """The cards that the side kept for the play."""
    thrown: tuple[int, ...]
    """The cards that the side threw."""
    starter: int
    events: tuple[Event, ...] = ()
    """The play of this deal so far."""
    past: tuple[Past, ...] = ()
    """The play of earlier deals in this game."""
    objective: Objective = WIN
    """The objective of the game, whose worth replaces the chance of winning."""

    @property
    def unplayed(self) -> tuple[int, ...]:
        """The kept cards that have not been played."""
        played = {event.card for event in self.events if event.own}
        return tuple(card for card in self.kept if card not in played)


class Now(NamedTuple):
    """The state of the play after the events of a View."""

    turn: bool
    """Whether our side is to play."""
    cards: tuple[int, int]
    """The number of cards left to our side and to the opponent."""
    series: tuple[int, ...]
    """The ranks played since the count was 0."""
    gone: tuple[bool, bool]
    """Whether each side has said go in this series."""
    last: bool
    """Whether our side played the last card."""
    opponent_plays: tuple[tuple[tuple[int, ...], int], ...]
    """The opponent's cards, each with the series before it."""
    floor: int
    """Every card that the opponent holds counts more than this value."""

    @property
    def room(self) -> int:
        """The highest value that a card played at this count may have."""
        return 31 - sum(VALUE[rank] for rank in self.series)


def now(role: int, events: Iterable[Event]) -> Now:
    """Follow the play, including implied gos.

    Args:
        role: the role of our side, PONE or DEALER.
        events: the lines of the play since the deal's first card, in order.
    """
    cards = [4, 4]
    gone = [False, False]
    series: list[int] = []
    seen: list[tuple[tuple[int, ...], int]] = []
    turn = role == PONE
    last = False
    floor = 0
    for own, card in events:
        room = 31 - sum(VALUE[rank] for rank in series)
        side = 0 if own else 1
        if turn != own and cards[1 - side]:
            gone[1 - side] = True
            floor = max(floor, room) if own else floor
        if card is None or VALUE[card % 13] > room:
            gone[side] = True
            floor = floor if own else max(floor, room)
        if card is not None:
            if VALUE[card % 13] > room:
                series, gone = [], [False, False]
            if not own:
                seen.append((tuple(series), card))
            series.append(card % 13)
            cards[side] -= 1
            last = own
        can_play = [cards[some] > 0 and not gone[some] for some in (0, 1)]
        if sum(VALUE[rank] for rank in series) == 31 or not any(can_play):
            series, gone = [], [False, False]
            turn = not last if cards[1 if last else 0] else last
        else:
            turn = not own if can_play[1 if own else 0] else own
    return Now(
        turn, (cards[0], cards[1]), tuple(series), (gone[0], gone[1]), last, tuple(seen), floor
    )


def legal(view: View) -> tuple[int, ...]:
    """Return the cards that may be played now, or an empty tuple if our side must say go."""
    room = now(view.role, view.events).room
    return tuple(card for card in view.unplayed if VALUE[card % 13] <= room)


def values(view: View, random: Random, most: int = WORLDS) -> dict[int, float]:
    """Return the chance of winning with each card that may be played now, by the card's index.

    Args:
        view: our side's knowledge.
        random: draws a sample if the opponent has more possible hands than `most`.
        most: the maximum number of hands searched.
    """
    state = now(view.role, view.events)
    cards = {card % 13: card for card in legal(view)}
    forget()
    search = Search(view, worlds(view, state, random, most))
    by_rank = {rank: min(1.0, search.card(rank, state)) for rank in cards}
    return {card: by_rank[card % 13] for card in legal(view)}


def leaders(worth: Mapping[int, float]) -> list[int]:
    """Return the cards with the highest chance of winning, highest card first. If they have
    different ranks, `ranking` chooses among them."""
    best = max(worth.values(), default=0.0)
    found = [card for card, win in worth.items() if win > best - _EQUAL]
    return sorted(found, key=lambda card: (-VALUE[card % 13], card))


def _unseen(seen: Iterable[int]) -> list[int]:
    """Return the number of unseen cards of each rank."""
    free = [4] * 13
    for card in seen:
        free[card % 13] -= 1
    return free


def worlds(view: View, state: Now, random: Random, most: int) -> list[World]:
    """Return the hands that the opponent may hold, with weights summing to 1.

    Args:
        view: the player's knowledge of the deal.
        state: the state of the play.
        random: draws a sample if there are more than `most` hands.
        most: the maximum number of hands returned.
    """
    seen = [card for _, card in state.opponent_plays]
    free = _unseen((*view.kept, *view.thrown, view.starter, *seen))
    played = [card % 13 for card in seen]
    tables, role, row = load(), 1 - view.role, view.starter % 13
    nodes = [(follow(before), card % 13) for before, card in state.opponent_plays]
    ranks = [rank for rank in RANKS if free[rank] > 0 and VALUE[rank] > state.floor]
    likely_styles = styles(view.past)
    found: list[World] = []
    for hand in combinations_with_replacement(ranks, state.cards[1]):
        place = PLACE[tuple(sorted((*played, *hand)))] if played else PLACE[hand]
        weight = tables.kept[role][place] / WAYS[place] + _ODD
        for rank, times in _counted(hand):
            weight *= _CHOICES[free[rank]][times]
        if weight:
            held, show = code(hand), RANK_ROWS[_KEYS[place]][row]
            for share, style, astray in likely_styles:
                likely = _likely(nodes, held + style, astray) if nodes else 1.0
                found.append((weight * share * likely, held + style, show))
    if not found:  # the known cards contradict one another: any hand will do
        return [(1.0, code(ranks[:1] * state.cards[1]), 0)]
    return _share(found if len(found) <= most else _draw(found, random, most))


class Style(NamedTuple):
    """One of STYLES: its probability, and the odds of a deviation by a player of this style."""

    share: float
    flag: int
    astray: float


def styles(past: Iterable[Past]) -> list[Style]:
    """Return the opponent's likely styles, given the finished deals. A player who has followed a
    style in every choice will probably follow it again.

    The share of deviating cards has a beta distribution. `_ASTRAY` holds the parameters of its
    prior.
    """
    others, followed = [0] * len(STYLES), [0] * len(STYLES)
    for deal in past:
        for place, (some, all_choices) in enumerate(_choices_of(deal)):
            others[place] += some
            followed[place] += all_choices - some
    found = []
    for flag, some, rest in zip(STYLES, others, followed, strict=True):
        a, b = _ASTRAY[0] + some, _ASTRAY[1] + rest
        found.append(Style(exp(lgamma(a) + lgamma(b) - lgamma(a + b)), flag, min(1.0, a / b)))
    whole = sum([style.share for style in found])
    return [Style(style.share / whole, style.flag, style.astray) for style in found]


@lru_cache(maxsize=256)
def _choices_of(past: Past) -> tuple[tuple[int, int], ...]:
    """Return how many of the opponent's plays deviate from each style, and the number of
    choices."""
    seen = now(past.role, past.events).opponent_plays
    held = code([card % 13 for _, card in seen])
    others, choices = [0] * len(STYLES), 0
    for before, card in seen:
        node = follow(before)
        fits = [rank for rank in RANKS if held >> 3 * rank & 7 and VALUE[rank] <= 31 - node.count]
        if len(fits) > 1:
            choices += 1
            for place, flag in enumerate(STYLES):
                reply = node.reply(held + flag)
                others[place] += reply is None or reply[0] != card % 13
        held -= 1 << 3 * (card % 13)
    return tuple([(some, choices) for some in others])


def _likely(nodes: Sequence[tuple[Series, int]], held: int, astray: float) -> float:
    """Return the probability that a player with these remaining cards played the cards seen. It is
    1 if a player of this style would play the same cards."""
    weight = 1.0
    for node, rank in reversed(nodes):
        held += 1 << 3 * rank
        reply = node.reply(held)
        if reply is None or reply[0] != rank:
            weight *= astray
    return weight


_KEYS: Final = tuple(sum(RANK_KEYS[rank] for rank in hand) for hand in HANDS)


@lru_cache(maxsize=4096)
def _counted(hand: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return each rank in a hand and the number of its cards."""
    return tuple((rank, hand.count(rank)) for rank in sorted(set(hand)))


def _draw(found: Sequence[World], random: Random, most: int) -> list[World]:
    """Sample at equal steps of the cumulative weight. Likely hands are always drawn, others in
    proportion to their weights."""
    step = sum(world[0] for world in found) / most
    at = random.random() * step
    so_far = 0.0
    drawn: list[World] = []
    for weight, hand, show in found:
        so_far += weight
        times = 0
        while at < so_far:
            at += step
            times += 1
        if times:
            drawn.append((float(times), hand, show))
    return drawn


def _share(found: Sequence[World]) -> list[World]:
    whole = sum(world[0] for world in found)
    return [(weight / whole, hand, show) for weight, hand, show in found]


def cribs(view: View, seen: Sequence[int]) -> Histogram:
    """Return the probability of each crib total: the points for the ranks, plus his nobs if our
    throw includes it. If our throw is unknown, return the distribution over all cribs with this
    starter."""
    if len(view.thrown) != 2:
        shows = load().shows[2][view.starter % 13]
        return [(points, chance) for points, chance in enumerate(shows) if chance]
    free = [4] * 13
    for card in (*view.kept, *view.thrown, view.starter, *seen):
        free[card % 13] -= 1
    one, two = view.thrown
    begin = view.starter % 13 * len(PAIRS)
    points = crib_points(one % 13, two % 13)[begin : begin + len(PAIRS)]
    nobs = sum(card % 13 == _JACK and card // 13 == view.starter // 13 for card in view.thrown)
    likely: dict[int, float] = {}
    thrown = chances("dealer" if view.role == PONE else "pone")
    for chance, worth, (a, b) in zip(thrown, points, PAIRS, strict=True):
        ways = free[a] * (free[b] - 1) / 2 if a == b else free[a] * free[b]
        if ways > 0:
            likely[worth + nobs] = likely.get(worth + nobs, 0.0) + chance * ways
    whole = sum(likely.values())
    return [(worth, weight / whole) for worth, weight in sorted(likely.items())]


class Search:
    """A search of the rest of the play, for all worlds at once.

    The methods share these arguments:

    * `me`: the ranks left to our side, in ascending order.
    * `found`: the worlds that are still possible.
    * `node`: the current series.
    * `mine`, `theirs`: the scores.
    * `gone`: whether the side whose turn it is not has said go in this series.
    * `last`: whether our side played the last card.
    * `cards`: the number of cards left to the opponent.
    """

    def __init__(self, view: View, found: list[World]) -> None:
        self._worlds = found
        self._role = view.role
        self._mine, self._theirs = view.mine, view.theirs
        self._me = tuple(sorted(card % 13 for card in view.unplayed))
        a, b, c, d = view.kept
        self._hand = total(a, b, c, d, view.starter)
        seen = [event.card for event in view.events if not event.own and event.card is not None]
        self._crib = cribs(view, seen)
        self._rows: dict[tuple[int, int], dict[int, float]] = {}
        self.objective = view.objective

    def won(self, found: Iterable[World], theirs: int) -> float:
        """Return the total worth of these worlds after a win."""
        return sum([world[0] for world in found]) * self.objective.gained(theirs)

    def lost(self, found: Iterable[World], mine: int) -> float:
        """Return the total worth of these worlds after a loss."""
        given = self.objective.given(mine)
        return sum([world[0] for world in found]) * given if given else 0.0

    def card(self, rank: int, state: Now) -> float:
        """Return the chance of winning if our side plays this rank now."""
        node = follow(state.series)
        return self._laid(
            rank, self._me, self._worlds, node, self._mine, self._theirs, state.gone[1],
            state.cards[1],
        )  # fmt: skip

    def end(self, found: list[World], mine: int, theirs: int) -> float:
        """Return the value at the end of the play."""
        row = self._rows.get((mine, theirs))
        if row is None:
            row = self._rows[mine, theirs] = {}
        chance = 0.0
        for weight, _, show in found:
            if show not in row:
                row[show] = with_known_hands(
                    self._role, mine, theirs, self._hand, show, self._crib, self.objective
                )
            chance += weight * row[show]
        return chance

    def _own(
        self, me: tuple[int, ...], found: list[World], node: Series, mine: int, theirs: int,
        gone: bool, cards: int,
    ) -> float:  # fmt: skip
        """Return the value when our side is to play and has a playable card."""
        best = 0.0
        room = 31 - node.count
        before = -1
        for rank in me:
            if rank != before and VALUE[rank] <= room:
                before = rank
                chance = self._laid(rank, me, found, node, mine, theirs, gone, cards)
                if chance > best:
                    best = chance
        return best

    def _laid(
        self, rank: int, me: tuple[int, ...], found: list[World], node: Series, mine: int,
        theirs: int, gone: bool, cards: int,
    ) -> float:  # fmt: skip
        """Return the value after our side has played a rank."""
        move = node.open()[rank]
        assert move is not None
        place = me.index(rank)
        me = me[:place] + me[place + 1 :]
        points, after = move
        mine += points
        if mine < TARGET and after.count:
            if cards and not gone:
                return self.other(me, found, after, mine, theirs, False, True, cards)
            if me and VALUE[me[0]] <= 31 - after.count:
                return self._own(me, found, after, mine, theirs, gone, cards)
            mine += 1  # nobody can continue
        if mine >= TARGET:
            return self.won(found, theirs)
        if cards:
            return self.other(me, found, START, mine, theirs, False, False, cards)
        if me:
            return self._own(me, found, START, mine, theirs, False, cards)
        return self.end(found, mine, theirs)

    def other(
        self, me: tuple[int, ...], found: list[World], node: Series, mine: int, theirs: int,
        gone: bool, last: bool, cards: int,
    ) -> float:  # fmt: skip
        """Return the value when the opponent is to play and has cards."""
        if not me:
            return self.alone(found, node, mine, theirs, last)
        groups: dict[int, list[World]] = {}
        passed: list[World] = []
        for weight, hand, show in found:
            reply = node.reply(hand)
            if reply is None:
                passed.append((weight, hand, show))
            elif reply[0] in groups:
                groups[reply[0]].append((weight, reply[3], show))
            else:
                groups[reply[0]] = [(weight, reply[3], show)]
        chance = 0.0
        if passed:
            chance = self.passed(me, passed, node, mine, theirs, gone, last, cards)
        for rank, some in groups.items():
            move = node.open()[rank]
            assert move is not None
            points, after = move
            if theirs + points < TARGET:
                chance += self.answered(me, some, after, mine, theirs + points, gone, cards - 1)
            else:
                chance += self.lost(some, mine)
        return chance

    def passed(
        self, me: tuple[int, ...], found: list[World], node: Series, mine: int, theirs: int,
        gone: bool, last: bool, cards: int,
    ) -> float:  # fmt: skip
        """Return the value after the opponent has said go."""
        if not gone and VALUE[me[0]] <= 31 - node.count:
            return self._own(me, found, node, mine, theirs, True, cards)
        if last:
            if mine + 1 >= TARGET:
                return self.won(found, theirs)
            return self.other(me, found, START, mine + 1, theirs, False, False, cards)
        if theirs + 1 >= TARGET:
            return self.lost(found, mine)
        return self._own(me, found, START, mine, theirs + 1, False, cards)

    def answered(
        self, me: tuple[int, ...], found: list[World], node: Series, mine: int, theirs: int,
        gone: bool, cards: int,
    ) -> float:  # fmt: skip
        """Return the value after the opponent has played a card, while our side has cards."""
        if not node.count:
            return self._own(me, found, START, mine, theirs, False, cards)
        if not gone and VALUE[me[0]] <= 31 - node.count:
            return self._own(me, found, node, mine, theirs, False, cards)
        if cards:
            return self.other(me, found, node, mine, theirs, True, False, cards)
        if theirs + 1 >= TARGET:
            return self.lost(found, mine)
        return self._own(me, found, START, mine, theirs + 1, False, cards)

    def alone(self, found: list[World], node: Series, mine: int, theirs: int, last: bool) -> float:
        """Return the value if our side has no cards and the opponent plays its remaining cards."""
        chance = 0.0
        by_points: dict[tuple[int, int], list[World]] = {}
        for world in found:
            by_points.setdefault(node.play_out(world[1], last), []).append(world)
        for (own, others), some in by_points.items():
            if mine + own >= TARGET:
                chance += self.won(some, theirs)  # a go's point comes before theirs
            elif theirs + others < TARGET:
                chance += self.end(some, mine + own, theirs + others)
            else:
                chance += self.lost(some, mine + own)
        return chance
