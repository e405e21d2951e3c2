"""Searched decisions see nothing hidden, and depend only on the seed and the lines."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from boardctl.bot import habits, search, seated, stock
from boardctl.bot.sampling import Group, dealt, numbers
from boardctl.bot.standing import Spread, chance
from boardctl.bot.tricks import Play, pack
from boardctl.games import IllegalMove, Move
from boardctl.games.cards import Card, Suit
from boardctl.games.common.trick_deal import Duties
from boardctl.games.pinochle.melds import TWO_HANDS
from boardctl.record.record import Record
from boardctl.record.visibility import GameLines
from tests.bot.dealer import FORMS, Dealt, Player
from tests.games.common import random_options


def hidden(table: Record, seat: int) -> list[tuple[int, int]]:
    """Return the lines and places of the last deal's cards that a seat has not seen."""
    if table.position.situation.phase in ("cut", "deal", "over"):
        return []
    start = max(place for place, move in enumerate(table.moves) if move.verb == "deal")
    seen = GameLines(seat).of(table, start)
    moves = table.moves[start:]
    if len(seen) != len(moves):
        return []
    shown = [card for move in seen for card in move.cards if card.is_known]
    found = []
    for number, (move, known) in enumerate(zip(moves, seen, strict=True), start):
        if move.verb not in ("hand", "draw") or move.seat == seat:
            continue
        for place, (card, one) in enumerate(zip(move.cards, known.cards, strict=True)):
            if not one.is_known and card not in shown:
                found.append((number, place))
    return found


def exchanged(table: Record, one: tuple[int, int], other: tuple[int, int]) -> Record | None:
    """Return the game with two dealt cards exchanged, or None if it would have gone differently."""
    moves: list[Move] = list(table.moves)
    (a, at), (b, to) = one, other
    first, second = moves[a].cards[at], moves[b].cards[to]
    for number, place, card in ((a, at, second), (b, to, first)):
        cards: list[Card] = list(moves[number].cards)
        cards[place] = card
        moves[number] = moves[number]._replace(cards=tuple(cards))
    again = Record()
    try:
        for move in moves:
            again.apply(move)
    except IllegalMove:
        return None
    return again


@pytest.mark.parametrize(("name", "seats"), FORMS)
def test_hidden_cards_exchanged_leave_every_choice_the_same(name: str, seats: int) -> None:
    """In the middle of a deal, exchanging two hidden cards changes nothing, byte for byte."""
    random = Random(repr(("hidden", name, seats)))
    game = Dealt(name, [2] * seats, random)
    compared = 0
    for _ in range(60):
        if compared >= 6 or not game.step(1):
            break
        table = game.truth
        for seat in range(1, seats + 1):
            if not seated.may_be_due(table.position, seat):
                continue
            places = hidden(table, seat)
            for _ in range(2 if len(places) > 1 else 0):
                again = exchanged(table, *random.sample(places, 2))
                if again is None:
                    continue
                lines = seated.visible_lines(table, GameLines(seat))
                if lines != seated.visible_lines(again, GameLines(seat)):
                    continue  # they determine a card that the seat sees
                said = [Player(seat, 5, 3).due(one) for one in (table, again)]
                assert said[0] == said[1]
                compared += said[0] is not None
    assert compared or name == "noddy"  # hands are shown before the play


_ORDINARY: Final = ("belote", 4), ("klaberjass", 2), ("bezique", 2), ("costly-colours", 2)
_SEARCHED: Final = (
    *_ORDINARY,
    *(("belote", 2), ("pinochle", 2), ("pinochle", 3), ("pinochle", 4), ("noddy", 2), ("noddy", 4)),
)


@pytest.mark.parametrize(
    ("name", "seats", "level"),
    [
        pytest.param(
            *form, level, marks=[] if level == 5 and form in _ORDINARY else [pytest.mark.slow]
        )
        for level in (3, 5)
        for form in _SEARCHED
    ],
)
def test_a_searching_player_plays_whatever_was_agreed(name: str, seats: int, level: int) -> None:
    """Every line is accepted, even if people forgot to enter cards."""
    chosen = Random(repr((name, seats, level)))
    options = random_options(name, chosen)
    assert Dealt(name, [level] * seats, chosen, options).step(1)
    game = Dealt(name, [level] * seats, chosen, options, forgets=0.1)
    game.play(1)
    whole = Dealt(name, [level] * seats, chosen, options)
    whole.play(1)
    assert whole.said


def test_contracts_without_a_suit_are_played_by_habit() -> None:
    """Every seat plays a whole deal at no-trump and one at all-trump, which the search does not
    cover."""
    for call in ("no-trump", "all-trump"):
        options = {"bidding": "coinche", "trump_calls": "all", "declarations": "off"}
        game = Dealt("belote", [5] * 4, Random(call), options)
        while (
            game.truth.position.situation.phase != "bid" or game.truth.position.state.deal is None
        ):
            assert game.step(1)
        while any(ask.move.verb == "hand" for ask in game.truth.position.prompt.asks):
            assert game.step(1)
        seat = game.truth.position.situation.turn
        game.truth.read(f"{seat} bid 100 {call}")
        deal = game.truth.position.situation.dealer
        while game.truth.position.situation.phase not in ("deal", "over"):
            assert game.step(1)
            assert game.truth.position.situation.dealer == deal


def test_a_dealt_hand_has_no_barred_card() -> None:
    """Every card is dealt once, every group gets its number of cards, and none gets a barred
    card."""
    random = Random(1)
    groups = (Group(0, 3, 0b11), Group(1, 3, 0b1100), Group(-1, 2))
    for _ in range(200):
        found = dealt(random, range(8), groups)
        assert found is not None
        assert [mask.bit_count() for mask in found] == [3, 3, 2]
        assert found[0] | found[1] | found[2] == 0xFF
        assert not found[0] & 0b11
        assert not found[1] & 0b1100


def test_no_deal_is_found_where_none_is_possible() -> None:
    assert dealt(Random(1), range(2), (Group(0, 1, 0b11), Group(1, 1))) is None


@pytest.mark.parametrize("lead", range(-200, 201, 50))
def test_the_chance_of_winning_is_that_of_one_of_two(lead: int) -> None:
    """The chances of both sides add up to 1, and a longer lead is worth more."""
    spread = Spread(150, 170)
    scores = (500 + lead, 500)
    mine, theirs = (chance(spread, scores, side, 1000) for side in (0, 1))
    assert mine + theirs == pytest.approx(1)
    assert mine < chance(spread, (510 + lead, 500), 0, 1000)


def test_a_won_game_is_worth_more_than_any_lead() -> None:
    spread = Spread(150, 170)
    assert chance(spread, (1000, 990), 0, 1000) > chance(spread, (990, 800), 0, 1000)
    assert chance(spread, (1000, 1010), 0, 1000) < chance(spread, (800, 990), 0, 1000)


def plainly(play: Play, last: int) -> float:
    """Return the difference in points if both sides play perfectly, by trying everything."""
    if not play.laid and not play.hands[play.turn]:
        one, two = play.points
        return one - two + (last if play.last == 0 else -last)
    found = []
    for card in numbers(play.legal()):
        after = play.copy(play.hands)
        after.step(card)
        found.append(plainly(after, last))
    return max(found) if play.turn == 0 else min(found)


@pytest.mark.parametrize("head", [True, False])
def test_the_last_tricks_are_played_perfectly(head: bool) -> None:
    """The result agrees with trying everything, with two copies of each card."""
    random, spec = Random(7), TWO_HANDS
    for _ in range(25):
        trump = random.choice(list(Suit))
        numbered = pack(spec, trump, tuple(map(spec.worth, spec.pack)))
        cards = random.sample(range(48), 8)
        hands = [sum(1 << card for card in cards[place::2]) for place in (0, 1)]
        play = Play(numbered, Duties(head=head), hands, random.randrange(2), 0)
        play.points = [random.randrange(90), random.randrange(90)]
        found = stock.Solver(10).difference(play, -10_000, 10_000)
        assert found == plainly(play, 10)


def melding(*more: str) -> Record:
    """Return a game of Bezique in which Bob has won a trick with a sequence of trumps in hand."""
    record = Record()
    head = ("game bezique", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")
    hands = ("2 hand AS TS KS QS JS 7H 8C 9D", "1 hand ? ? ? ? ? ? ? ?", "turnup 9S")
    for line in (*head, *hands, *more):
        record.read(line)
    return record


def test_a_marriage_is_declared_before_its_sequence() -> None:
    """A player who declares the marriage first can still declare the sequence later; the reverse is
    not allowed. The rule of thumb declares the sequence, which earns more at once."""
    record = melding("2 play 7H", "1 play 7C")
    by_habit = habits.next_line(record, 2, 2, Random(1))
    assert by_habit is not None
    assert len(by_habit.cards) == 5
    chosen = search.next_line(record, 2, 5, Random(1))
    assert chosen is not None
    assert (chosen.verb, set(map(str, chosen.cards))) == ("meld", {"KS", "QS"})


def test_after_its_marriage_the_sequence_is_declared() -> None:
    drawn = ("2 meld KS QS", "2 draw 7D", "1 draw ?")
    record = melding("2 play 7H", "1 play 7C", *drawn, "2 play 7D", "1 play 8H")
    chosen = search.next_line(record, 2, 5, Random(1))
    assert chosen is not None
    assert len(chosen.cards) == 5
