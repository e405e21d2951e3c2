"""Choose the next move of a seat in a game of cribbage: a throw, a card, a go or a muggins call.

`Player` plays two-handed six-card cribbage. `other_forms` plays the other variants. The levels
range from a child's first games to full strength. `THROWS` and `PLAYS` list the methods for judging
throws and cards, best first. A level uses one method from each list. In a certain share of its
decisions (its slips), it uses the next simpler method. The shares are chosen so that each level
wins about three in five games against the level below it (docs/bot.md, "The levels").

A decision depends only on the seat's knowledge and on a random generator. The generator is seeded
with the player's seed and the index of the decision, so the same seed and input always produce the
same play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from boardctl.bot import LEVELS, judges, other_forms, playing, ranking, throwing
from boardctl.bot.objective import WIN, Objective
from boardctl.bot.playing import Event, Past, View, legal
from boardctl.bot.series import VALUE, code, follow
from boardctl.bot.tables import DEALER, PONE, TARGET
from boardctl.bot.totals import RANK_KEYS, RANK_ROWS
from boardctl.games import Move
from boardctl.games.cards import CARDS, Card, Rank
from boardctl.games.common.race import over
from boardctl.games.cribbage.point_claims import State
from boardctl.games.cribbage.rules import won_unless_called
from boardctl.record.position import Position

THROWS: Final = ("win", "points", "show", "hand", "any")
"""The methods to judge throws, best first.

* `win`: the chance of winning.
* `points`: the average points of hand, crib and play.
* `show`: the average points of hand and crib.
* `hand`: the points of the four kept cards, without a starter.
* `any`: any throw from the better half by the points of the kept cards.
"""
SIX: Final = 6
"""The number of cards in a hand of the variant that `Player` plays."""
PLAYS: Final = ("win", "few", "wary", "most", "any")
"""The methods to judge cards, best first.

* `win`: the chance of winning.
* `few`: the chance of winning against only a few possible hands of the opponent.
* `wary`: the points minus the expected points of the opponent's next card.
* `most`: the most points at once, and then the highest card.
* `any`: any legal card.
"""


class Skill(NamedTuple):
    """The skill of a level: its methods of judging throws and cards, and its share of slips."""

    throw: str
    play: str
    slips: float


SKILLS: Final = {
    -1: Skill("hand", "most", 0.56),
    0: Skill("hand", "most", 0.36),
    1: Skill("hand", "most", 0.18),
    2: Skill("hand", "most", 0.0),
    3: Skill("show", "wary", 0.47),
    4: Skill("points", "few", 0.63),
    5: Skill("win", "win", 0.0),
}
_FEW_WORLDS: Final = 10


class Player:
    """A computer player at one level. Cards are indices in `boardctl.games.cards.CARDS`."""

    def __init__(self, level: int, seed: object) -> None:
        """Create a player. Raises ValueError if the level does not exist."""
        if level not in LEVELS:
            raise ValueError(level)
        self._skill = SKILLS[level]
        self._seed = seed

    def throw(
        self,
        six: Sequence[int],
        role: int,
        mine: int,
        theirs: int,
        place: object,
        objective: Objective = WIN,
    ) -> tuple[int, int]:
        """Return the two cards to throw.

        Args:
            six: the cards held, as indices in CARDS, 0 to 51.
            role: PONE or DEALER.
            mine, theirs: the scores, up to TARGET.
            place: identifies the deal for the random generator.
            objective: the objective of the game.
        """
        random = self._random("throw", place)
        match self._way(THROWS, self._skill.throw, random):
            case "win":
                return throwing.throws(six, role, mine, theirs, objective)[0].cards
            case "points":
                return throwing.averages(six, role)[0].cards
            case "show":
                sign = 1 if role == DEALER else -1
                found = throwing.averages(six, role)
                return max(found, key=lambda throw: throw.hand + sign * throw.crib).cards
            case way:
                pairs = sorted(combinations(six, 2), key=lambda two: -_lies(six, two))
                if way == "any":
                    return random.choice(pairs[: len(pairs) // 2])
                best = _lies(six, pairs[0])
                return random.choice([two for two in pairs if _lies(six, two) == best])

    def play(self, view: View, place: object) -> int | None:
        """Return the card to play as an index in CARDS, or None to say go. `place` identifies the
        deal for the random generator."""
        cards = playing.legal(view)
        if len({card % 13 for card in cards}) < 2:
            return cards[0] if cards else None
        random = self._random("play", place, len(view.events))
        node = follow(playing.now(view.role, view.events).series)
        match self._way(PLAYS, self._skill.play, random):
            case "any":
                return random.choice(cards)
            case "most":
                moves = node.open()
                return max(
                    cards, key=lambda card: ((moves[card % 13] or (0,))[0], VALUE[card % 13])
                )
            case "wary":
                reply = node.reply(code([card % 13 for card in view.unplayed]))
                assert reply is not None
                return next(card for card in cards if card % 13 == reply[0])
            case way:
                most = playing.WORLDS if way == "win" else _FEW_WORLDS
                worth = playing.values(view, random, most)
                best = playing.leaders(worth)
                if len({card % 13 for card in best}) > 1:
                    best = ranking.ranked(view, worth, random)
                return best[0]

    def _way(self, ways: Sequence[str], way: str, random: Random) -> str:
        """Return the method for this decision: the level's own method or, for a slip, the next
        simpler one."""
        slips = self._skill.slips
        return ways[ways.index(way) + 1] if slips and random.random() < slips else way

    def _random(self, *place: object) -> Random:
        return Random(repr((self._seed, *place)))


def _lies(six: Sequence[int], two: tuple[int, int]) -> int:
    """Return the points for fifteens, pairs and runs in the other four cards, without a starter."""
    keys = [RANK_KEYS[card % 13] for card in six if card not in two]
    return min(RANK_ROWS[sum(keys)])


def index(card: Card) -> int:
    """Return the index of a known card in CARDS."""
    return CARDS.index(card.plain)


class DealKnowledge(NamedTuple):
    """A seat's knowledge of the current deal."""

    number: int
    """The number of the deal in the game, from 1."""
    earlier: Sequence[Move]
    """The game's lines before the deal."""
    lines: Sequence[Move]
    """The lines of the deal itself, from `deal` on."""
    dealer: int
    """The seat of the dealer."""
    hand: tuple[Card, ...]
    """All cards dealt to the seat."""
    thrown: tuple[Card, ...]
    """The cards that the seat has laid away."""
    full: bool
    """Whether the game is two-handed six-card cribbage under rules that `judges` accepts."""
    scores: tuple[int, ...]
    """The scores by side, shifted to a game to TARGET. Each side still needs the same number of
    points."""
    objective: Objective = WIN
    """The objective of the game."""

    @property
    def six(self) -> tuple[int, ...]:
        """The cards dealt, as indices in CARDS."""
        return tuple(map(index, self.hand))

    def unplayed(self, seat: int) -> list[Card]:
        """Return the cards that have not been laid away or played."""
        played = [card.plain for move in own(self.lines, seat, "play") for card in move.cards]
        return [card for card in self.hand if card not in self.thrown and card.plain not in played]


def _latest_deal(game: Sequence[Move]) -> tuple[int, int]:
    """Return the number of the current deal, and the index of its `deal` line."""
    number = sum(move.verb == "deal" for move in game)
    return number, max(place for place, move in enumerate(game) if move.verb == "deal")


def _cards_of(lines: Sequence[Move], seat: int, verb: str) -> tuple[Card, ...]:
    """Return the cards in all lines of a seat with a given verb."""
    return tuple(card for move in own(lines, seat, verb) for card in move.cards)


def deal_knowledge(
    position: Position, game: Sequence[Move], seat: int, objective: Objective = WIN
) -> DealKnowledge | None:
    """Return a seat's knowledge of the current deal, or None if the seat's hand is unknown."""
    state: State = position.state
    dealer = state.sheet.dealer
    if over(state) or won_unless_called(state) or state.deal is None or dealer is None:
        return None
    held = state.deal.held_by(seat)
    if held is None:
        return None
    number, start = _latest_deal(game)
    lines = game[start:]
    hand, thrown, played = (_cards_of(lines, seat, verb) for verb in ("hand", "discard", "play"))
    if not all(card.is_known for card in hand):
        hand = (*held, *thrown, *played)  # cards not entered in the deal may have been shown later
    if len(hand) != state.deal.size or not all(card.is_known for card in hand):
        return None
    judged = judges("cribbage", len(state.setup.seats), state.setup.options)
    full = judged and len(hand) == SIX
    missing = TARGET - state.target
    scores = tuple(score + missing for score in position.scores)
    return DealKnowledge(number, game[:start], lines, dealer, hand, thrown, full, scores, objective)


def to_throw(state: State, own_deal: DealKnowledge) -> bool:
    """Return whether the seat must throw cards to the crib now."""
    assert state.deal is not None
    return state.deal.phase == "discard" and not own_deal.thrown


def to_play(state: State, own_deal: DealKnowledge, seat: int) -> bool:
    """Return whether the seat must play a card or say go now."""
    deal = state.deal
    assert deal is not None
    return (
        deal.phase == "play"
        and deal.to_play == seat
        and bool(own_deal.thrown)
        and bool(deal.starter)
    )


def view_of(state: State, own_deal: DealKnowledge, seat: int) -> View | None:
    """Return what the seat knows during the play of two-handed six-card cribbage, or None if the
    rank of an open card is unknown."""
    assert state.deal is not None
    assert state.deal.starter is not None
    hand, thrown, dealer = own_deal.hand, own_deal.thrown, own_deal.dealer
    view = play_view(
        own_deal.lines, seat, dealer, own_deal.scores, hand, thrown, state.deal.starter
    )
    if view is None:
        return None
    earlier = tuple(past(own_deal.earlier, seat, dealer))
    return view._replace(past=earlier, objective=own_deal.objective)


def next_line(
    position: Position,
    game: Sequence[Move],
    seat: int,
    level: int,
    seed: object,
    objective: Objective = WIN,
) -> Move | None:
    """Return the next line of a seat, or None if it is not its turn.

    Args:
        position: the newest position, as the seat knows it.
        game: the moves of this game.
        seat: from 1.
        level: one of `LEVELS`.
        seed: the seed of the random choices, together with the index of the decision.
        objective: the objective of the game.
    """
    state: State = position.state
    if _short_claim(state, seat):
        return Move("muggins", seat)
    deal = deal_knowledge(position, game, seat, objective)
    if deal is None or state.deal is None:
        return None
    place = (deal.number, "deal")
    if to_throw(state, deal):
        if not deal.full:
            away = other_forms.throw(state, deal.hand, seat, level, _random(seed, place))
            return Move("discard", seat, away.cards)
        role = DEALER if seat == deal.dealer else PONE
        two = _player(level, repr(seed)).throw(
            deal.six, role, deal.scores[seat - 1], deal.scores[2 - seat], place, objective
        )
        return Move("discard", seat, tuple(CARDS[card] for card in two))
    if not to_play(state, deal, seat):
        return None
    if not deal.full:
        random = _random(seed, (deal.number, len(deal.lines)))
        best = other_forms.card(state, deal.hand, deal.unplayed(seat), seat, level, random)
        return Move("go", seat) if best is None else Move("play", seat, (best,))
    view = view_of(state, deal, seat)
    if view is None:
        return None
    if not legal(view):
        return Move("go", seat)
    card = _player(level, repr(seed)).play(view, place)
    assert card is not None
    return Move("play", seat, (CARDS[card],))


def _random(seed: object, place: object) -> Random:
    return Random(repr((seed, place)))


@lru_cache(maxsize=8)
def _player(level: int, seed: str) -> Player:
    return Player(level, seed)


def _short_claim(state: State, seat: int) -> bool:
    """Return whether another side has claimed too few points, so that a muggins call earns
    points."""
    side, full = state.setup.side, state.option("muggins") == "full"
    return any(
        side(claim.seat) != side(seat)
        and (claim.claimed < claim.true or (claim.claimed > claim.true and full))
        for claim in state.extra.claims
    )


def own(lines: Sequence[Move], seat: int, verb: str) -> list[Move]:
    """Return a seat's lines with a given verb."""
    return [move for move in lines if move.verb == verb and move.seat == seat]


def past(game: Sequence[Move], seat: int, dealer: int) -> Iterator[Past]:
    """Yield the play of a game's earlier deals, latest first. `dealer` deals the current deal."""
    events: list[Event] = []
    role = PONE if seat == dealer else DEALER
    void = False
    for move in reversed(game):
        if move.verb == "play" and move.cards[0].rank is not None:
            events.append(Event(move.seat == seat, move.cards[0].rank - 1))  # the rank is enough
        elif move.verb == "go":
            events.append(Event(move.seat == seat, None))
        elif move.verb == "misdeal":
            void = True
        elif move.verb == "deal":
            if void:
                events, void = [], False
                continue
            if events:
                yield Past(role, tuple(reversed(events)))
            events, role = [], 1 - role


def play_view(
    lines: Sequence[Move],
    seat: int,
    dealer: int,
    scores: Sequence[int],
    hand: Sequence[Card],
    thrown: Sequence[Card],
    starter: Card,
) -> View | None:
    """Return what a seat knows during the play, or None if the rank of a card is unknown.

    Args:
        lines: the lines of the deal, as the seat knows them.
        seat: 1 or 2.
        dealer: the seat that deals.
        scores: the scores of seats 1 and 2.
        hand: the cards dealt to the seat.
        thrown: the cards that the seat has thrown.
        starter: the turned-up card.
    """
    played = [move for move in lines if move.verb in ("play", "go")]
    open_cards = [starter, *(card for move in played for card in move.cards)]
    places = indices(open_cards, {index(card) for card in hand})
    if places is None:
        return None
    turned_up, *cards = places
    laid = iter(cards)
    return View(
        DEALER if seat == dealer else PONE,
        scores[seat - 1],
        scores[2 - seat],
        tuple(index(card) for card in hand if card not in thrown),
        tuple(map(index, thrown)),
        turned_up,
        tuple(Event(move.seat == seat, next(laid) if move.cards else None) for move in played),
    )


def indices(cards: Sequence[Card], own: set[int]) -> list[int] | None:
    """Return the indices of open cards, or None if the rank of a card is unknown.

    A card entered only by rank gets the index of the first unused card of that rank, since only
    ranks matter in the play.
    """
    taken = own | {index(card) for card in cards if card.is_known}
    found = []
    for card in cards:
        if card.is_known:
            found.append(index(card))
            continue
        if card.rank is None:
            return None
        same = range(card.rank - 1, len(CARDS), len(Rank))
        found.append(next((place for place in same if place not in taken), same[0]))
        taken.add(found[-1])
    return found
