"""Noddy: the examples of docs/rules/noddy.md, two deals counted by hand, and random deals."""

from __future__ import annotations

from random import Random

import pytest

from boardctl.games.cards import UNSEEN, parse_cards
from boardctl.games.noddy import GAME, show
from boardctl.record import notation
from tests.games.common import Table, count, hand, random_options, shuffled
from tests.games.noddy import definition
from tests.report import LongRun


def worth(cards: str, starter: str, *, any_three: bool = True, per_card: bool = False) -> int:
    own, (turned,) = tuple(parse_cards(cards)), parse_cards(starter)
    options = {
        "flush_hand": "any_three" if any_three else "hand_only",
        "points": "per_card" if per_card else "two",
    }
    (reading,) = show.readings(own, turned, options)
    return sum(item.points for item in show.count(own, turned, reading, options))


@pytest.mark.parametrize(
    ("cards", "starter", "points"),
    [
        ("5H 5D 5C", "5S", 20),
        ("7H 7D 4C", "3S", 2),
        ("2H 2D TC", "3S", 6),
        ("KH AD AC", "4S", 6),
        ("AH 2H 3H", "4H", 8),
        ("AH 2H 3H", "4S", 7),
        ("2H 9H KC", "6H", 5),
        ("JH 9H 2C", "5H", 6),
        ("8H 9D 2C", "JC", 0),
        ("QH KD AC", "7S", 0),
    ],
)
def test_hands(cards: str, starter: str, points: int) -> None:
    assert worth(cards, starter) == points


def test_hands_by_option() -> None:
    assert worth("2H 9H KC", "6H", any_three=False) == 2
    assert worth("5H 5D 5C", "5S", per_card=True) == 24


@pytest.mark.parametrize(
    ("cards", "points", "per_card"),
    [
        ("5H 5D 5C", [0, 2, 8], [0, 2, 9]),
        ("4H 6H 5H 7H", [0, 0, 8, 8], [0, 0, 9, 8]),
        ("TH TD 5C", [0, 2, 0], [0, 2, 3]),
        ("TH 7D TC 4S", [0, 0, 0, 2], [0, 0, 0, 4]),
    ],
)
def test_played(cards: str, points: list[int], per_card: list[int]) -> None:
    series = tuple(parse_cards(cards))
    for wanted, each in ((points, "two"), (per_card, "per_card")):
        scores = GAME.scores(Table("noddy", points=each).record.position.state)
        found = [
            sum(i.points for i in scores.items(series[:n], count(series[:n])))
            for n in range(1, len(series) + 1)
        ]
        assert found == wanted


def test_a_deal_counted_by_hand() -> None:
    """Ann deals; Bob's hand: 4 5 6 a run of three, fifteen: 5; Ann's: a pair, fifteens 7 8 twice,
    noddy. The play: 5, 13 (8), 19 (6): 5 8 6 make nothing, 26 (7): 5 8 6 7 a run of 4; go; 30 (4):
    8 6 7 4 is no run, 5 8 6 7 4 is one of 5; both out of reach: last card 1."""
    table = Table("noddy")
    table.read("deal; 1 hand 8C 7H JD; 2 hand 5H 6S 4C; starter 8D")
    assert table.points("2 show") == {2: 3 + 2}  # run 4 5 6, and fifteen 4 5 6
    assert table.points("1 show") == {1: 2 + 2 + 2 + 1}  # 8 8, 7 8 twice, noddy
    assert table.each("2 play 5H; 1 play 8C; 2 play 6S; 1 play 7H") == [0, 0, 0, 4]
    assert table.points("2 play 4C") == {2: 5}
    assert table.points("1 go") == {2: 1}
    assert table.scores == (11, 11)
    assert table.phase == "deal"


def test_another_deal_counted_by_hand() -> None:
    """Partners play, and a jack is turned: 2 to the dealer. All four hands are counted before the
    lead."""
    table = Table("noddy", 4, dealer=4)
    table.read("deal; 1 hand TH 5C 2S; 2 hand AH 2H 3H; 3 hand 9C 9D 6S; 4 hand QS KS 3S")
    assert table.points("starter JS") == {4: 2}
    assert table.points("1 show") == {1: 2 + 2}  # T 5, J 5
    assert table.points("2 show") == {2: 2 + 3 + 3}  # J 2 3, run, flush
    assert table.points("3 show") == {3: 2 + 2 + 2}  # 9 9, 9 6 twice
    assert table.refused("1 play 5C").code == "show-first"
    assert table.points("4 show") == {4: 3 + 4}  # J Q K, flush of four
    assert table.each("1 play 5C; 2 play 2H; 3 play 6S; 4 play 3S") == [0, 0, 0, 0]
    assert table.points("1 play 2S") == {1: 3}  # 6 3 2 of spades, and no run
    assert table.points("2 play AH") == {2: 3}  # 3 2 A; the count is 19
    assert table.points("3 play 9C") == {}
    assert table.read("4 go").awards == ()
    assert table.points("1 go") == {}
    assert table.points("2 play 3H") == {2: 2}  # thirty-one
    assert table.scores == (4 + 6 + 3, 2 + 8 + 7 + 3 + 2)


def test_a_win_stops_the_hands() -> None:
    table = Table("noddy", dealer=None)
    table.read("start 28 30; dealer 1; deal; 1 hand 5H 5D 5C; 2 hand 7H 8D KC; starter 5S")
    assert table.points("2 show") == {2: 2 + 2}
    assert table.winner == 2
    assert table.refused("1 show").code == "game-over"
    heels = Table("noddy", dealer=None)
    heels.read("start 0 29; dealer 2; deal; starter JH")
    assert heels.winner == 2


def test_skunks_are_played_for_by_option() -> None:
    table = Table("noddy", dealer=None, skunk="on")
    table.read("start 15 29; dealer 2; deal; starter JH")
    outcome = table.record.position.outcome
    assert outcome is not None
    assert (outcome.won, outcome.margin) == ((0, 2), "skunk")


def test_the_first_go_may_end_the_play() -> None:
    for go in ("play_on", "ends_play"):
        table = Table("noddy", go=go)
        table.read("deal; 1 hand KC KD 2S; 2 hand QH JH 8D; starter 5C; 2 show; 1 show")
        table.read("2 play QH; 1 play KC; 2 play 8D")
        assert table.points("1 play 2S") == {}
        assert table.points("2 go") == ({} if go == "play_on" else {1: 1})


def test_a_deal_may_imply_the_last_go() -> None:
    table = Table("noddy")
    table.read("deal; 1 hand KC KD 9S; 2 hand QH JH 8D; starter 5C; 2 show; 1 show")
    table.read("2 play QH; 1 play KC; 2 play 8D")
    assert table.points("deal") == {2: 1}
    table.read("undo")
    assert table.refused("1 play 9S").code == "over-31"
    near = Table("noddy", dealer=None)
    near.read("start 0 26; dealer 1; deal; 1 hand KC KD 9S; 2 hand QH JH 8D; starter 5C")
    near.read("2 show; 1 show; 2 play QH; 1 play KC; 2 play 8D")
    assert near.scores[1] == 30
    assert near.refused("deal").code == "go-unsaid"


def test_a_go_that_ends_the_play_may_be_pegged_while_the_other_could_play() -> None:
    table = Table("noddy", dealer=1, go="ends_play")
    table.read("deal; starter 9H; 2 show 7C 3H QS; 1 show AD KH 3D")
    table.read("2 play QS; 1 play 3D; 2 play 7C; 1 play KH")
    assert table.points("1 peg 1 go") == {1: 1}


def test_suits_are_asked_for_where_they_matter() -> None:
    table = Table("noddy")
    table.read("deal; starter 9D")
    error = table.refused("2 show 2 4 J")
    assert error.code == "suits-needed"
    assert set(error.fields["questions"]) == {"flush", "noddy"}
    assert table.points("2 show 2 4 J flush4 noddy") == {2: 2 + 4 + 1}
    assert table.points("1 show 5S 5H 6C") == {1: 2 + 2}


def test_points_entered_are_bounded() -> None:
    table = Table("noddy")
    table.read("deal; starter 9D")
    assert table.refused("2 peg 16 hand").code == "impossible-points"
    assert table.refused("1 peg 2 hand").code == "out-of-order"
    table.read("2 peg 0 hand; 1 peg 20 hand; 2 play 5H; 1 play 7C")
    assert table.scores == (20, 0)


def test_cards_that_belie_an_entered_hand_are_noted() -> None:
    table = Table("noddy")
    table.read("deal; starter 9D; 2 peg 20 hand; 1 peg 5 hand; 2 play AH; 1 play 7C; 2 play 2H")
    table.read("1 play 8C")
    notes = table.read("2 play 3H").notes
    assert [note.code for note in notes] == ["impossible-with-known-cards"]
    assert table.read("1 play KS").notes == ()


@pytest.mark.parametrize(
    ("line", "code", "fields"),
    [
        ("2 show", "cards-needed", {"seat": 2, "cards": 3}),
        ("2 peg 5 hand; 1 peg 5 hand; 2 play 5H; 1 play 6H; 2 play 5H", "not-held",
         {"seat": 2, "cards": (*parse_cards("5H"),), "held": ()}),
    ],
)  # fmt: skip
def test_a_refusal_names(line: str, code: str, fields: dict[str, object]) -> None:
    table = Table("noddy")
    table.read("deal; starter 9D")
    *before, last = line.split(";")
    for one in before:
        table.read(one)
    error = table.refused(last.strip())
    assert error.code == code
    assert error.fields.items() >= fields.items()


def test_a_viewer_sees_the_cards_of_the_own_hand_alone() -> None:
    table = Table("noddy")
    move = notation.parse_move("2 hand 5H 6H", GAME)
    state = table.read("deal").position.state
    (own,) = GAME.visible_lines(state, move, (), 2)
    (other,) = GAME.visible_lines(state, move, (), 1)
    assert own == move
    assert other.cards == (UNSEEN, UNSEEN)


def play_game(seats: int, chance: Random, deals: int = 1) -> int:
    """Enter deals card by card under random options; `definition` recomputes each line's points.
    Return the number of deals played until the game or this number of deals was over."""
    drawn = random_options("noddy", chance)
    options = {option.name: option.default for option in GAME.options} | drawn
    target = int(options["target"])
    table = Table("noddy", seats, seats, **drawn)
    scores = [0, 0]
    for number in range(deals):
        dealer = (seats - 1 + number) % seats + 1
        pack = shuffled(chance)
        hands = {seat: [pack.pop() for _ in range(3)] for seat in range(1, seats + 1)}
        table.read("deal")
        for seat, cards in hands.items():
            table.read(hand(seat, cards))
        words = {seat: [str(card) for card in cards] for seat, cards in hands.items()}
        for line, earned in definition.deal(words, str(pack[0]), dealer, options, chance):
            for seat, points in earned:
                if max(scores) < target:  # a card that reaches the target does not earn last card
                    scores[(seat - 1) % 2] += points
            table.read(line)
            assert table.scores == tuple(scores), line
            if max(scores) >= target:
                assert table.winner == scores.index(max(scores)) + 1
                return number + 1
            assert table.winner is None
        assert table.phase == "deal"
    return deals


@pytest.mark.parametrize("seats", [2, 4])
def test_random_deals(seats: int) -> None:
    chance = Random(20)
    for _ in range(20):
        play_game(seats, chance, 10)


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 4])
def test_ten_thousand_random_deals(seats: int, seed: int, long_run: LongRun) -> None:
    chance = Random(seed)
    deals = games = 0
    while deals < 10_000:
        deals += play_game(seats, chance, min(12, 10_000 - deals))
        games += 1
    long_run(deals=deals, games=games)


def test_a_play_by_points_leads_to_the_next_deal() -> None:
    """The play always earns a point (4.5). If no cards of the play were entered, the prompt asks
    who scored this point."""
    table = Table("noddy", dealer=2)
    table.read("deal; starter KD; 1 show 5H 7D 9C; 2 show 2H 3D KC")
    last = next(ask for ask in table.record.position.prompt.asks if ask.code == "last-card")
    assert (last.kind, last.telling) == ("choice", "hands")
    assert [notation.spell(move) for move in last.choices] == ["1 peg 1", "2 peg 1"]
    before = table.record.position.scores
    table.read("1 peg 1")
    assert table.record.position.scores == (before[0] + 1, before[1])
    assert "deal" in [ask.code for ask in table.record.position.prompt.asks]
    table.read("deal")


def test_a_play_by_cards_has_its_last_card() -> None:
    table = Table("noddy", dealer=2)
    table.read("deal; starter KD; 1 show 5H 7D 9C; 2 show 2H 3D KC; 1 play 5H")
    assert "last-card" not in [ask.code for ask in table.record.position.prompt.asks]


@pytest.mark.parametrize(
    ("game", "points"),
    [
        ("noddy", "2 peg 2 hand; 1 peg 3 hand; 1 peg 1 go"),
        ("costly-colours", "2 peg 1 mog; 1 peg 3 play; 2 peg 6 hand; 1 peg 2 hand"),
        ("cribbage", "2 peg 3 play; 2 peg 6 hand; 1 peg 2 hand; 1 peg 4 crib"),
    ],
)
def test_a_first_deal_entered_by_points_passes_the_deal_on(game: str, points: str) -> None:
    """This holds with and without `deal` before it."""
    for begun in ("deal; ", ""):
        table = Table(game)
        table.read(f"{begun}{points}; deal")
        assert table.record.position.situation.dealer == 2, begun
