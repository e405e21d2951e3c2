"""A seat's knowledge in cribbage, and the lines that follow from it."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from boardctl import games
from boardctl.bot import cribbage, other_forms, playing, ranking
from boardctl.bot.cribbage import Player, deal_knowledge, indices, next_line, past
from boardctl.bot.objective import TOURNAMENT
from boardctl.bot.playing import Event, View
from boardctl.bot.tables import DEALER, PONE
from boardctl.bot.worker import Seat
from boardctl.games import Move
from boardctl.games.cards import CARDS, Card, Rank, parse_cards, spell
from boardctl.record import notation
from boardctl.record.record import Record

TWO = ("game cribbage", "seat 1 Ann", "seat 2 Bob")
FIVE = ("game five-card-cribbage", "seat 1 Ann", "seat 2 Bob")


def read(*lines: str) -> Record:
    record = Record()
    for line in lines:
        record.read(line)
    return record


def moves(*lines: str) -> list[Move]:
    game = games.find("cribbage")
    return [notation.parse_move(line, game) for line in lines]


PLAY = ("1 play KS", "2 play 9C", "1 go")
PLAYED = ((True, 12), (False, 8), (True, None))


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("dealer", [1, 2])
def test_earlier_deals_have_the_roles_that_alternate(seat: int, dealer: int) -> None:
    """The latest deal comes first. Its dealer was the opponent of the current dealer."""
    events = tuple(Event(own == (seat == 1), card) for own, card in PLAYED)
    found = list(past(moves("deal", *PLAY, "deal", *PLAY), seat, dealer))
    latest = PONE if seat == dealer else DEALER
    assert found == [(latest, events), (1 - latest, events)]


@pytest.mark.parametrize("laid", [(), ("1 play 2H",)])
def test_a_misdeal_is_no_earlier_deal(laid: tuple[str, ...]) -> None:
    """The same player deals again, so the deals before it keep their roles."""
    plain = list(past(moves("deal", *PLAY, "deal", *PLAY), 1, 1))
    assert len(plain) == 2
    again = moves("deal", *PLAY, "deal", *laid, "misdeal", "deal", *PLAY)
    assert list(past(again, 1, 1)) == plain
    last = moves("deal", *PLAY, "deal", *PLAY, "deal", "misdeal")
    assert list(past(last, 1, 1)) == plain


@pytest.mark.parametrize("seed", range(20))
def test_a_card_without_its_suit_keeps_its_rank(seed: int) -> None:
    """The card stands for a card of this rank that is neither ours nor open."""
    random = Random(seed)
    dealt = random.sample(CARDS, 16)
    own = {CARDS.index(card) for card in dealt[:6]}
    shown = [random.choice((card, Card(card.rank))) for card in dealt[6:]]
    found = indices(shown, own)
    assert found is not None
    assert [CARDS[place].rank for place in found] == [card.rank for card in shown]
    assert len({*found, *own}) == 16
    assert indices([Card(None)], own) is None


def test_a_fifth_card_of_a_rank_is_no_error() -> None:
    """People may enter a wrong card, so the play continues with any card of its rank."""
    (place,) = indices([Card(Rank(7))], {6, 19, 32, 45}) or []
    assert place % 13 == 6


@pytest.mark.parametrize(
    ("option", "full"),
    [("set target 61", True), ("set crib_cards two_dealt", False), ("set stinkhole heels", False)],
)
def test_other_rules_are_not_judged_by_the_tables(option: str, full: bool) -> None:
    lines = (*TWO, option, "dealer 1", "deal")
    record = read(*lines)
    state = record.position.state
    assert state is not None and state.deal is not None
    cards = ["5H", "6S", "7D", "8C", "JH", "QS"][: state.deal.size]
    record.read(f"2 hand {' '.join(cards)}")
    found = deal_knowledge(record.position, record.moves, 2)
    assert found is not None
    assert found.full == full


def test_a_hand_shown_later_is_known() -> None:
    """The hand was not entered when it was dealt. It consists of the held and the thrown cards."""
    record = read(*TWO, "dealer 1", "deal", "2 hand ? ? ? ? ? ?")
    assert deal_knowledge(record.position, record.moves, 2) is None
    record = read(*TWO, "dealer 1", "deal", "2 hand 5H 6S 7D 8C JH QS", "2 discard JH QS")
    found = deal_knowledge(record.position, record.moves, 2)
    assert found is not None
    assert spell(found.hand) == "5H 6S 7D 8C JH QS"
    assert [spell([card]) for card in found.unplayed(2)] == ["5H", "6S", "7D", "8C"]


def test_a_hand_entered_in_part_is_known_with_its_discards() -> None:
    record = read(
        *TWO,
        "dealer 2",
        "deal",
        "1 peg 2 play",
        "deal",
        "2 hand 5H 6S 7D 8C ? ?",
        "2 discard JH QS",
    )
    found = deal_knowledge(record.position, record.moves, 2)
    assert found is not None
    assert found.number == 2
    assert set(found.hand) == set(parse_cards("5H 6S 7D 8C JH QS"))


@pytest.mark.parametrize(("seat", "role"), [(1, DEALER), (2, PONE)])
def test_a_throw_is_chosen_from_all_that_the_seat_knows(
    monkeypatch: pytest.MonkeyPatch, seat: int, role: int
) -> None:
    """In a game to 61, both scores count as 60 points nearer to 121."""
    asked: list[object] = []

    class Recorder:
        def throw(self, *told: object) -> tuple[int, int]:
            asked.extend(told)
            return (0, 1)

    monkeypatch.setattr(cribbage, "_player", lambda level, seed: Recorder())
    six = "5H 6S 7D 8C JH QS"
    record = read(*TWO, "set target 61", "start 10 20", "dealer 1", "deal", f"{seat} hand {six}")
    next_line(record.position, record.moves, seat, 5, 1, TOURNAMENT)
    scores = (70, 80) if seat == 1 else (80, 70)
    assert asked == [*known_six(six), role, *scores, (1, "deal"), TOURNAMENT]


def known_six(six: str) -> list[object]:
    return [tuple(CARDS.index(card) for card in parse_cards(six))]


@pytest.mark.parametrize(
    ("lines", "chooser", "place"),
    [((), "throw", (1, "deal")),
     (("2 discard 4H 5S", "1 discard ? ?", "starter KC"), "card", (1, 5))],
)  # fmt: skip
def test_choices_of_other_forms_depend_on_seed_and_place(
    monkeypatch: pytest.MonkeyPatch, lines: tuple[str, ...], chooser: str, place: object
) -> None:
    found = []
    choose = getattr(other_forms, chooser)

    def choose_with(*told: Any) -> Any:
        found.append(told[-1].getstate())
        return choose(*told)

    monkeypatch.setattr(other_forms, chooser, choose_with)
    record = read(*FIVE, "dealer 1", "deal", "2 hand 4H 5S 5D 6C TH", *lines)
    next_line(record.position, record.moves, 2, -1, 7)
    assert found == [Random(repr((7, place))).getstate()]


def test_the_simplest_throw_is_one_of_the_better_half() -> None:
    six = tuple(CARDS.index(card) for card in parse_cards("4H 5S 6D 6C JH 9S"))
    pairs = sorted(combinations(six, 2), key=lambda two: -cribbage._lies(six, two))
    throws = {Player(-1, seed).throw(six, PONE, 0, 0, 1) for seed in range(400)}
    assert throws == set(pairs[:7])


def test_cards_of_two_ranks_that_win_as_often_are_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tuple(CARDS.index(card) for card in parse_cards("4H 9C 2D 3S"))
    monkeypatch.setattr(playing, "leaders", lambda worth: [*kept[:2]])
    monkeypatch.setattr(ranking, "ranked", lambda view, worth, random: [kept[3]])
    assert Player(4, 1).play(View(PONE, 0, 0, kept, (0, 13), 25), 1) == kept[3]


@pytest.mark.parametrize("level", [-1, 2, 5])
def test_each_line_of_five_card_cribbage_is_legal(level: int) -> None:
    """The throw, the cards and the gos are those of the seat whose turn it is, and come from its
    own cards."""
    for seed in range(4):
        dealt = Random(seed).sample(CARDS, 11)
        record = read(*FIVE, "dealer 1", "deal", *(
            f"{seat} hand {spell(dealt[5 * seat - 5 : 5 * seat])}" for seat in (1, 2)
        ))  # fmt: skip
        verbs = set()
        for _ in range(30):
            found = [next_line(record.position, record.moves, seat, level, 1) for seat in (1, 2)]
            move = next((one for one in found if one is not None), None)
            state = record.position.state
            assert state is not None and state.deal is not None
            if move is None and not any(one.verb == "starter" for one in record.moves):
                move = Move("starter", cards=(dealt[10],))
            elif move is None:
                break
            record.apply(move)
            verbs.add(move.verb)
        assert {"discard", "play"} <= verbs
        assert record.position.state.deal.phase != "play"


def test_choices_follow_from_seed_and_place() -> None:
    """Equal seeds repeat every choice. Another seed or deal may choose otherwise."""
    record = read(*FIVE, "dealer 1", "deal", "2 hand 4H 5S 5D 6C TH")
    throws = [next_line(record.position, record.moves, 2, -1, seed) for seed in range(30)]
    assert throws == [next_line(record.position, record.moves, 2, -1, seed) for seed in range(30)]
    assert len(set(throws)) > 1


def test_a_claim_of_too_many_points_is_called_where_that_pays() -> None:
    """With `muggins full`, an over-claim costs the claimant. Otherwise nothing is gained."""
    for option, calls in (("full", True), ("underclaim", False)):
        seat = Seat(2, 5, 1)
        for line in (*TWO, f"set muggins {option}", "dealer 1", "deal"):
            seat.receive(line)
        seat.receive("2 hand 5H 6S 7D 8C JH QS")
        seat.receive("1 discard ? ?")
        (led,) = seat.receive("starter 2C")
        rank = led.split()[2][0]
        said = seat.receive(f"1 play {rank}{'C' if rank != '8' else 'H'} = 4")
        assert (said[:1] == ["2 muggins"]) == calls


def test_an_unknown_level_is_named() -> None:
    with pytest.raises(ValueError, match=r"^9$"):
        Player(9, 1)


def test_a_simple_level_takes_the_most_points_then_the_highest_card() -> None:
    """At a count of 10, a 5 makes fifteen. Without points, the highest card that fits is played."""
    (ten,) = parse_cards("TS")
    a_ten = (Event(False, CARDS.index(ten)),)
    for held, best in (("5H 9C 2D 3S", "5H"), ("4H 9C 2D 3S", "9C"), ("TH 5D QS 9C", None)):
        kept = tuple(CARDS.index(card) for card in parse_cards(held))
        view = View(DEALER, 0, 0, kept, (0, 13), 25, a_ten)
        card = Player(2, 1).play(view, 1)
        assert card is not None
        chosen = spell([CARDS[card]])
        assert chosen == best or (best is None and chosen in ("TH", "5D"))


@pytest.mark.parametrize(("level", "most"), [(5, playing.WORLDS), (4, 10)])
def test_only_the_strongest_level_searches_many_hands(
    monkeypatch: pytest.MonkeyPatch, level: int, most: int
) -> None:
    asked: list[int] = []

    def values(view: View, random: Random, most: int) -> dict[int, float]:
        asked.append(most)
        return dict.fromkeys(playing.legal(view), 0.5)

    monkeypatch.setattr(playing, "values", values)
    monkeypatch.setattr(ranking, "ranked", lambda view, worth, random: list(worth))
    kept = tuple(CARDS.index(card) for card in parse_cards("4H 9C 2D 3S"))
    for place in range(20):
        Player(level, 1).play(View(PONE, 0, 0, kept, (0, 13), 25), place)
    assert set(asked) == {most}
