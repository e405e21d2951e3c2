"""Costly Colours: the examples of docs/rules/costly-colours.md, two deals counted by hand, and
random deals."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from boardctl.games.cards import CARDS, parse_cards
from boardctl.games.costly_colours import GAME, show
from tests.games.common import Table, count, hand, random_options, shuffled
from tests.games.costly_colours import definition
from tests.report import LongRun

USUAL = {"pairs": "9_18", "jd_pairs": "on", "colour_four": "full"}


def worth(cards: str, starter: str, **options: str) -> int:
    own, (turned,) = tuple(parse_cards(cards)), parse_cards(starter)
    (reading,) = show.readings(own, turned, None, 0)
    by = show.scale(USUAL | options)
    return sum(item.points for item in show.count(own, turned, reading, by))


@pytest.mark.parametrize(
    ("cards", "starter", "points"),
    [
        ("JS JH KC", "5S", 4 + 2 + 2 + 6 + 9 + 2),
        ("2D 8C 9S", "2S", 2 + 2 + 2),  # the deuce, the pair, three black
        ("TS TH 5C", "6D", 13),
        ("QS 8S 3H", "6D", 0),
        ("4H 6H 8D", "TD", 4),
        ("4H 6H 8D", "TH", 5),
        ("4H 6H 8H", "TH", 6),
        ("4H 6H 8H", "TS", 3),
        ("4H 6H 8D", "TS", 2),
        ("5H 4H 8H", "JH", 8),
        ("2H 7C 9H", "JH", 7),
    ],
)
def test_hands(cards: str, starter: str, points: int) -> None:
    assert worth(cards, starter) == points


def test_hands_by_option() -> None:
    assert worth("4H 6H 8D", "TD", colour_four="none") == 2
    assert worth("4H 6H 8D", "TH", colour_four="none") == 3
    assert worth("2D 8C 9S", "2S", jd_pairs="off") == 4
    assert worth("7H 7D 7C", "TS", pairs="6_12") == worth("7H 7D 7C", "TS") - 3


def played(cards: str, **options: str) -> list[int]:
    series = tuple(parse_cards(cards))
    scores = GAME.scores(Table("costly-colours", 2, 1, **options).record.position.state)
    return [
        sum(i.points for i in scores.items(series[:n], count(series[:n])))
        for n in range(1, len(series) + 1)
    ]


def test_played() -> None:
    assert played("7H 4D 4C KS 6H") == [0, 0, 3, 4, 5]
    assert played("8H 6D 7C 5S") == [0, 0, 3, 4]
    assert played("8H 6D 7C 9S", thirty="on") == [0, 0, 3, 8]
    assert played("TH TD") == [0, 0]
    assert played("TH TD", play_pairs="on") == [0, 2]
    assert played("8H 6D 7C", play_scores="points") == [0, 0, 0]


def test_cottons_deal_counted_again() -> None:
    """Rule 9, as docs/rules/costly-colours.md counts it."""
    table = Table("costly-colours", dealer=2, play_scores="points")
    table.read("deal; 1 hand 5H 4H 8H; 2 hand 2H 7C 9H")
    assert table.points("starter JH") == {2: 4}
    assert table.points("1 no-mog") == {2: 1}
    assert table.each("1 play 5H; 2 play 7C; 1 play 8H; 2 play 9H; 1 go; 2 play 2H") == [
        *(0, 0, 0, 0, 0),
        5,
    ]
    assert table.points("1 play 4H") == {1: 1}
    assert table.points("1 show") == {1: 8}
    assert table.points("2 show") == {2: 7}
    assert table.scores == (9, 17)
    assert table.phase == "deal"


def test_another_deal_counted_by_hand() -> None:
    """Eldest mogs the right jack and scores 4, the dealer a deuce for 2; in their new hands they
    score nothing alone, but they pair and count."""
    table = Table("costly-colours", dealer=1)
    table.read("deal; 1 hand 2C 5S KD; 2 hand JH 9S TD; starter 8H; 2 mog JH")
    assert table.points("1 mog 2C") == {2: 4, 1: 2}
    assert table.each("2 play 9S; 1 play 5S; 2 play 2C; 1 play JH") == [0, 0, 0, 0]
    assert table.points("2 go") == {}
    assert table.points("1 go") == {1: 1}  # JH made 26
    assert table.each("2 play TD; 1 play KD") == [0, 1]
    # 9 2 T and 8: none of 15, 25, 31; ♠♣♦♥: two black, two red
    assert table.points("2 show") == {}
    # 5 K, 5 J: 2 + 2; 5 K J: 3 (25); K J 8 and J K … 28: no; red K J 8: 2 and ♥♥ no more
    assert table.points("1 show") == {1: 2 + 2 + 3 + 2}
    assert table.scores == (2 + 1 + 1 + 9, 4)


def test_a_card_given_unseen_shows_its_worth() -> None:
    table = Table("costly-colours", dealer=1)
    table.read("deal; starter 8H; 2 mog ? = 4")
    assert table.points("1 mog ?") == {2: 4}
    table.read("2 peg 1 play; 2 peg 6 hand")
    assert table.points("1 show JH 5S KD") == {1: 2 + 2 + 3 + 2}
    table.read("undo")
    assert table.refused("1 show 9S 5S KD").code == "contradicts"


@pytest.mark.parametrize("mog", ["2 mog JC; 1 mog JS", "2 peg 2 mog; 1 peg 4 mog"])
def test_a_card_scored_when_it_was_given_is_not_counted_again(mog: str) -> None:
    """This is rule 3.3. It also applies if only points are entered for the exchange, and cards for
    the hands."""
    table = Table("costly-colours", dealer=1)
    table.read(f"deal; starter AS; {mog}; 2 peg 1 play; 1 peg 1 play")
    before = table.scores
    table.read("2 show 5H KC JS; 1 show TD 4C JC")
    counted = [now - then for now, then in zip(table.scores, before, strict=True)]
    assert counted == [12, 9]


def test_suits_are_asked_for_where_they_matter() -> None:
    table = Table("costly-colours", dealer=1)
    table.read("deal; starter 8H; 2 no-mog; 2 peg 1 play")
    error = table.refused("2 show J 5 K")
    assert set(error.fields["questions"]) == {"colours", "right"}
    assert table.points("2 show J 5 K none right 0") == {2: 2 + 2 + 3 + 2}
    table.read("undo")
    assert table.points("2 show J 5 K costly right 1") == {2: 2 + 2 + 3 + 4 + 6}


def test_what_the_suits_leave_open_is_the_same_in_every_replay() -> None:
    """`right 1` leaves open whether the jack or the deuce is of the starter's suit. The referee's
    choice is the same in every replay."""
    found = []
    for suit in "SHDC":
        table = Table("costly-colours", dealer=1)
        table.read(f"deal; starter 9{suit}; 2 no-mog; 2 peg 1 play")
        awards = table.read("2 show 6 J 2 none right 1").awards
        found.append({award.reason: award.points for award in awards})
    jacks = [one["jack"] for one in found]
    assert jacks == [4, 2, 2, 2], "the first suits, from spades on, that the answers allow"


@pytest.mark.parametrize("option", ["off", "on"])
def test_a_go_may_be_worth_one(option: str) -> None:
    table = Table("costly-colours", dealer=1, go_point=option)
    table.read("deal; 1 hand 8C 8D 3S; 2 hand KC AS QH; starter 6H; 2 no-mog")
    table.read("2 play KC; 1 play 8C; 2 play AS; 1 play 8D")
    assert table.points("2 go") == ({1: 1} if option == "on" else {})
    assert table.points("1 play 3S") == {1: 1}
    assert table.points("2 play QH") == {2: 1}


def test_last_at_31() -> None:
    for option, points in (("off", 5), ("on", 6)):
        table = Table("costly-colours", dealer=2, last_at_31=option)
        table.read("deal; 1 hand 3S TS QD; 2 hand 9H AD 8H; starter 7S; 1 no-mog")
        table.read("1 play 3S; 2 play 9H; 1 play TS; 2 play 8H; 1 go")
        assert table.points("2 play AD") == {2: points}


def test_one_series_leaves_cards_unplayed() -> None:
    table = Table("costly-colours", dealer=2, series="one")
    table.read("deal; 1 hand 3S TS QD; 2 hand 9H AD 8H; starter 7S; 1 no-mog")
    table.read("1 play 3S; 2 play 9H; 1 play TS; 2 play 8H; 1 go; 2 play AD")
    assert table.phase == "show"
    table.read("1 show; 2 show")


def test_the_refused_mog_may_win() -> None:
    table = Table("costly-colours", dealer=None)
    table.read("start 60 10; dealer 2; deal; starter 9H; 1 mog ?; 2 no-mog")
    assert table.winner == 1


BY_OPTION = tuple(
    {"pairs": pairs, "jd_pairs": twos, "colour_four": four}
    for pairs in ("9_18", "6_12")
    for twos in ("on", "off")
    for four in ("full", "none")
)


@pytest.mark.parametrize("options", BY_OPTION)
def test_possible_hands(options: dict[str, str]) -> None:
    """Rule 7.7 for some hands, of which one card may be worthless after a mog; the long run covers
    all."""
    chance = Random(5)
    possible = show.hand_values(options)
    for _ in range(200):
        *own, turned = map(str, shuffled(chance)[:4])
        for mogged in (None, *own):
            assert definition.hand_points(own, turned, mogged, options) in possible


@pytest.mark.long
def test_all_hands(long_run: LongRun) -> None:
    """Rule 7.7: the possible values of a hand, over all sets of four cards with each of them as the
    starter. Only a hand's ranks, colours, and jacks and deuces matter, so similar hands are counted
    once."""
    found: list[set[int]] = [set() for _ in BY_OPTION]
    seen = set()
    hands = 0
    for four in combinations(map(str, CARDS), 4):
        for turned in four:
            hands += 1
            own = [card for card in four if card != turned]
            shape = (
                tuple(sorted(card[0] for card in four)),
                tuple(sorted(definition.worth(card, turned) for card in own)),
                definition.colours(four, USUAL),
            )
            if shape in seen:
                continue
            seen.add(shape)
            for values, options in zip(found, BY_OPTION, strict=True):
                values |= {
                    definition.hand_points(own, turned, mogged, options) for mogged in (None, *own)
                }
    assert [frozenset(values) for values in found] == list(map(show.hand_values, BY_OPTION))
    long_run(hands=hands)


def play_game(chance: Random, deals: int = 1) -> int:
    """Enter deals card by card under random options; `definition` recomputes each line's points.
    Return the number of deals played until the game or this number of deals was over."""
    drawn = random_options("costly-colours", chance)
    options = {option.name: option.default for option in GAME.options} | drawn
    target = int(options["target"])
    table = Table("costly-colours", 2, 2, **drawn)
    scores = [0, 0]
    for number in range(deals):
        pack = shuffled(chance)
        hands = {seat: [pack.pop() for _ in range(3)] for seat in (1, 2)}
        table.read(f"deal; {hand(1, hands[1])}; {hand(2, hands[2])}")
        words = {seat: [str(card) for card in cards] for seat, cards in hands.items()}
        dealer = 2 - number % 2
        for line, earned in definition.deal(words, str(pack[0]), dealer, options, chance):
            winner = None
            for seat, points in earned:
                if winner and "mog" not in line:
                    break  # a card that reaches the target does not earn last card
                scores[seat - 1] += points
                if winner is None and scores[seat - 1] >= target:
                    winner = seat
            table.read(line)
            assert table.scores == tuple(scores), line
            assert table.winner == winner
            if winner:
                return number + 1
        assert table.phase == "deal"
    return deals


def test_random_deals() -> None:
    chance = Random(21)
    for _ in range(12):
        play_game(chance, 20)


@pytest.mark.long
def test_ten_thousand_random_deals(seed: int, long_run: LongRun) -> None:
    chance = Random(seed)
    deals = games = 0
    while deals < 10_000:
        deals += play_game(chance, min(20, 10_000 - deals))
        games += 1
    long_run(deals=deals, games=games)


@pytest.mark.parametrize(("start", "scores"), [("30 12", (32, 12)), ("26 29", (28, 31))])
def test_eldests_card_counts_first_and_may_win(start: str, scores: tuple[int, ...]) -> None:
    """The dealer then cannot score any more points, which might have avoided the skunk."""
    table = Table("costly-colours", dealer=None, target=31, skunk="on")
    table.read(f"start {start}; dealer 2; deal; 1 hand JH QD 6S; 2 hand 2S 4D 5C")
    table.read("starter 7C; 1 mog JH; 2 mog 2S")
    assert table.scores == scores
    assert table.record.position.over
    winner = 1 if scores[0] > 31 else 2
    assert table.record.position.scoreboard is not None
    assert table.record.position.tally.won[winner - 1] == (2 if scores[0] > 31 else 1)
