"""Qualifying, playoff, consolation, CSV and ratings, against published rules, results and figures.

Sources, found on the web and cited where they are used:

* cribbage.org/rules/playoffbracket.asp, “Playoff Brackets and Byes”, for qualifiers and byes.
* plumasnews.com, weekly results of the Graeagle Peggers, a Grass Roots club of the American
  Cribbage Congress, 2019, for how ties are broken.
* glicko.net/glicko/glicko2.pdf, the worked example.
"""

from __future__ import annotations

import random
import re
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from boardctl.club import stages, tables, views
from boardctl.club.evening import CARD, ClubRefusal, Standing, ranked
from boardctl.club.glicko import Rating, Score, after, rate
from boardctl.club.hub import Hub
from boardctl.club.page import render
from boardctl.club.playoff import Match, bracket, onward, qualifiers
from boardctl.club.store import Store
from boardctl.commands import main
from boardctl.mqtt.connection import Broker


@pytest.mark.parametrize(
    ("entrants", "qualified", "size", "byes"),
    [(108, 27, 32, 5), (132, 33, 64, 31), (60, 15, 16, 1)],
)
def test_qualifiers_and_byes_as_the_rule_book_has_them(
    entrants: int, qualified: int, size: int, byes: int
) -> None:
    assert qualifiers(entrants) == qualified
    seeds = [f"{n}" for n in range(1, qualified + 1)]
    first = bracket(seeds)
    assert len(first) == size // 2
    assert {match.one for match in first if match.two is None} == set(seeds[:byes])


def test_a_fraction_is_a_whole_player() -> None:
    assert [qualifiers(entrants) for entrants in (120, 121, 122, 123, 124)] == [30, 31, 31, 31, 31]


def test_the_pairings_stand_as_on_the_rule_book_s_chart() -> None:
    """“Playoff Brackets and Byes” names four places of its chart for 64 players: 5–60 below 8–57,
    3–62 below 4–61, and 7–58 below 6–59."""
    chart = bracket([str(n) for n in range(1, 65)])
    place = {match: n for n, match in enumerate(chart)}
    for above, below in ((("8", "57"), ("5", "60")), (("4", "61"), ("3", "62")),
                         (("6", "59"), ("7", "58"))):  # fmt: skip
        assert place[Match(*above)] < place[Match(*below)]


@given(st.integers(2, 130))
def test_better_seeds_meet_later(count: int) -> None:
    seeds = [f"{n:03}" for n in range(1, count + 1)]
    matches = bracket(seeds)
    left = count
    while True:
        playing = {name for match in matches for name in match if name}
        assert sorted(playing) == seeds[:left], "each round has the best that are left"
        if len(matches) == 1:
            break
        left = len(matches)
        matches = onward([min(filter(None, match)) for match in matches])


def standing(name: str, points: int, won: int, net: int) -> Standing:
    return Standing(0, name, 9, won, points - 2 * won, points, net, 0)


@pytest.mark.parametrize(
    "published",
    [
        # 13 July 2019: three cards of 13 points and 6 games; net spread decides; then a 12/6 card.
        [("Cook", 13, 6, 97), ("S. Frank", 13, 6, 46), ("Boynton", 13, 6, 37),
         ("Castillo", 12, 6, 0)],
        # 3 August 2019: 13/6, then 11/5 by net spreads of 37, 34, 18 and 0.
        [("S. Terry", 13, 6, 0), ("C. Terry", 11, 5, 37), ("Pekovich", 11, 5, 34),
         ("Nelson", 11, 5, 18), ("Miller", 11, 5, 0)],
        # 7 December 2019: 15/6, then 13/6 by 63 and 57, then 12/6.
        [("Pekovich", 15, 6, 0), ("Boynton", 13, 6, 63), ("Castillo", 13, 6, 57),
         ("S. Frank", 12, 6, 0)],
        # 10 August 2019: 17/7, 16/7, 14/6, then 11/5 by 20 and 3.
        [("L. Davis", 17, 7, 0), ("Morgan", 16, 7, 0), ("Rodrigues", 14, 6, 0),
         ("Nelson", 11, 5, 20), ("F. Davis", 11, 5, 3)],
    ],
)  # fmt: skip
def test_published_results_are_ranked_as_they_were(
    published: list[tuple[str, int, int, int]],
) -> None:
    shuffled = random.Random(7).sample(published, len(published))
    found = ranked(standing(*row) for row in shuffled)
    assert [s.name for s in found] == [name for name, *_ in published]
    assert [s.rank for s in found] == list(range(1, len(published) + 1))


def play(store: Store, number: int, chance: random.Random) -> None:
    """Give every drawn game a result, as the players would."""
    names = store.players(number)
    for met in store.meetings(number):
        if met.result is None:
            winner, loser = chance.sample((met.one, met.two), 2)
            pins = (store.new_pin(winner), store.new_pin(loser))
            store.correct(number, met.round, winner, loser, chance.randint(1, 3), pins, 1.0)
    assert len(names) == len(store.players(number))


@pytest.fixture
def no_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of PINs are created here, so their hash need not be slow."""
    monkeypatch.setattr("boardctl.club.pin._hashed", lambda pin, salt: pin.encode() + salt)


@pytest.mark.usefixtures("no_cost")
def test_from_a_qualifying_to_its_champion(store: Store) -> None:
    chance = random.Random(11)
    names = [f"p{n:02}" for n in range(11)]
    number = store.new("Open", names, 3, kind="qualifying")
    with pytest.raises(ClubRefusal) as refused:
        stages.begin_playoff(store, number)
    assert refused.value.code == "not-begun"
    for _ in range(3):
        store.draw(number)
    play(store, number, chance)
    ranked_names = [s.name for s in store.standings(number)]
    playoff, first = stages.begin_playoff(store, number)
    assert first == (Match(ranked_names[0], None), Match(ranked_names[1], ranked_names[2]))
    season = store.evenings()
    with pytest.raises(ClubRefusal) as refused:
        stages.next_round(store, playoff)
    assert refused.value.code == "results-missing"
    play(store, playoff, chance)
    round_, final = stages.next_round(store, playoff)
    assert (round_, len(final)) == (2, 1)
    play(store, playoff, chance)
    with pytest.raises(ClubRefusal) as refused:
        stages.next_round(store, playoff)
    assert refused.value.code == "evening-over"
    ((match, champion),) = store.bracket(playoff)
    assert champion in match
    assert store.evenings() == season, "a match is not a game of the season"
    consolation = stages.begin_consolation(store, number, 2)
    assert store.players(consolation) == tuple(ranked_names[3:])
    assert store.about(consolation).source == number


@pytest.mark.usefixtures("no_cost")
def test_a_match_corrected_after_the_next_round_was_drawn_lets_its_winner_play_there(
    store: Store,
) -> None:
    """The loser used to remain in the final, and could be announced as the winner of the
    playoff."""
    names = [f"p{n:02}" for n in range(16)]
    number = store.new("Open", names, 1, kind="qualifying")
    store.draw(number)
    play(store, number, random.Random(3))
    playoff, ((one, two), (three, four)) = stages.begin_playoff(store, number)
    assert two is not None
    assert four is not None
    pins = {name: store.new_pin(name) for name in (one, two, three, four)}

    def won(round_: int, winner: str, loser: str) -> None:
        store.correct(playoff, round_, winner, loser, 2, (pins[winner], pins[loser]), 0.0)

    won(1, one, two)
    won(1, four, three)
    assert stages.next_round(store, playoff)[1] == (Match(one, four),)
    won(1, one, two)
    assert store.bracket(playoff) == ((Match(one, four), None),)
    won(1, two, one)
    won(1, three, four)
    assert store.bracket(playoff) == ((Match(two, three), None),)
    won(2, three, two)
    for winner, loser in ((one, two), (four, three)):
        with pytest.raises(ClubRefusal) as refused:
            won(1, winner, loser)
        assert refused.value.code == "match-played"
        assert loser in str(refused.value.fields["name"])
    won(1, two, one)
    assert stages.champion(store, playoff) == three


def test_a_playoff_and_its_consolation_go_on_side_by_side(tmp_path: Path) -> None:
    """`draw` used to pair all players of a playoff anew, including the losers. Once the consolation
    had begun, no match of the playoff could be entered or drawn."""
    store = ("--store", str(tmp_path / "c.sqlite3"))

    def run(*words: str, status: int = 0, typed: str = "") -> str:
        done = CliRunner().invoke(main, ["club", *words, *store], input=typed)
        assert done.exit_code == status, done.output
        return done.output

    begun = run("new", "Open", *(f"p{n}" for n in range(13)), "--qualifying", "--rounds", "1")
    pins = {name: pin for pin, name in re.findall(r"^PIN (\d{4})  (.+)$", begun, re.MULTILINE)}

    def entered(drawn: str, number: int, *evening: str) -> None:
        pairs = re.findall(r"^ +\d+  (\S+) - (\S+)$", drawn, re.MULTILINE)
        assert pairs
        for one, two in pairs:
            typed = f"{pins[one]}\n{pins[two]}\n"
            run("result", str(number), one, two, "2", *evening, typed=typed)

    entered(run("draw"), 1)
    first = run("playoff")
    one, two = re.findall(r"^ +1  (\S+) - (\S+)$", first, re.MULTILINE)[0]
    assert f"{one} against {two} in round 1" in run("playoff", status=1)
    assert "no evening “9”; the newest are: Open" in run("consolation", "--of", "9", status=1)
    assert "boardctl club playoff" in run("draw", status=1)
    with closing(Store(store[1])) as opened:
        page = render(Hub(opened, Broker("localhost")))
        number = opened.about().number
        assert opened.standings(number) == ()
        opened.bind("t1", 1)
        missing = views.director(Hub(opened, Broker("localhost")), lambda code, **_: code)
        boards = {row[-1] for row in missing["missing"]}
        assert boards == {""}, "what a board sends does not count in a playoff"
    assert "<h2>round 1</h2>" in page
    assert "<h2>standings</h2>" not in page, "all of them first, with no game"
    run("consolation", "--of", "1")
    entered(run("draw"), 1)
    playoff = ("--evening", "open: PLAYOFF")
    assert "boardctl club playoff" in run("draw", *playoff, status=1)
    assert run("standings", *playoff) == "Open: playoff\nthe playoff continues\n"
    entered(first, 1, *playoff)
    final = run("playoff", *playoff)
    assert final.startswith("Open: playoff, round 2")
    entered(final, 2, *playoff)
    assert "has been drawn" in run("playoff", *playoff, status=1)
    assert re.search(r"\n(p\d+) has won the playoff$", run("standings", *playoff).strip())
    assert "Open: consolation, Open: playoff, Open" in run("standings", "--evening", "x", status=1)
    assert run("standings", "--evening", "Open").startswith("Open\n")


def test_a_playoff_waits_for_the_rounds_before_it(store: Store) -> None:
    """Otherwise a mistake by the director would end a qualifying evening after its first round."""
    chance = random.Random(3)
    number = store.new("Open", [f"p{n}" for n in range(8)], 2, kind="qualifying")
    store.draw(number)
    play(store, number, chance)
    with pytest.raises(ClubRefusal) as refused:
        stages.begin_playoff(store, number)
    assert refused.value.code == "rounds-left"
    assert refused.value.fields == {"name": "Open", "count": 1, "rounds": 2}
    assert store.about().number == number
    playoff, _ = stages.begin_playoff(store, number, anyway=True)
    assert not store.standings(playoff)


def test_of_four_players_one_qualifies_and_has_nobody_to_play(store: Store) -> None:
    """`boardctl club playoff` used to end with a traceback."""
    number = store.new("Open", "ABCD", 1, kind="qualifying")
    store.draw(number)
    play(store, number, random.Random(5))
    with pytest.raises(ClubRefusal) as refused:
        stages.begin_playoff(store, number)
    assert (refused.value.code, refused.value.fields) == ("too-few-players", {"players": 1})
    assert store.about().number == number


def test_rounds_go_out_and_in_as_csv(store: Store) -> None:
    long = "Maximilian-Alexander von und zu Hohenstein-Waldeck"
    number = store.new("Friday", [long, "=Bob", "'t Hooft"])
    store.draw(number)
    store.draw(number)
    (met, *_) = store.meetings(number)
    pins = (store.new_pin(met.one), store.new_pin(met.two))
    store.correct(number, 1, met.one, met.two, 40, pins, 1.0)
    content = tables.write_rounds(store.draws(number), store.meetings(number))
    assert ",=Bob" not in content, "no spreadsheet takes it for a formula"
    again = store.read_in("Friday again", tables.read_rounds("\ufeff" + content))
    assert [(d.pairs, d.bye) for d in store.draws(again)] == [
        (d.pairs, d.bye) for d in store.draws(number)
    ]
    assert store.standings(again) == store.standings(number)
    sheet = tables.write_standings(store.standings(number)).splitlines()
    assert sheet[1].split(",")[2:] == ["1", "1", "1", "3", "40", "40"]


HEADER = ",".join(tables.COLUMNS)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("", 2),
        ("name\nAnn", 1),
        (f"{HEADER}\n1,1,Ann,Bob,Cleo,5", 2),
        (f"{HEADER}\n1,1,Ann,Bob,Ann,122", 2),
        (f"{HEADER}\n1,1,Ann,Bob,Ann,５", 2),
        (f"{HEADER}\n1,1,Ann,Bob,Ann,5\n1,2,ann,Dan,,", 3),
        (f"{HEADER}\n0,1,Ann,Bob,,", 2),
        (f"{HEADER}\n1,x,Ann,Bob,,", 2),
        (f"{HEADER}\n1,1,,Bob,,", 2),
        (f"{HEADER}\n1,1,Ann", 2),
        (f'{HEADER}\n1,1,"Ann', 2),
        (f"{HEADER}\n1,1,Ann,Bob,,\n1,1,Cleo,Dan,,", 3),
        (f"{HEADER}\n1,,Ann,,,\n2,,Ann,,,\n2,,Bob,,,", 4),
    ],
)
def test_a_file_that_is_wrong_says_where(content: str, line: int) -> None:
    with pytest.raises(ClubRefusal) as refused:
        tables.read_rounds(content)
    assert refused.value.code == "csv-unread"
    assert refused.value.fields["line"] == line


def test_who_is_in_a_round_twice_is_named() -> None:
    with pytest.raises(ClubRefusal) as refused:
        tables.read_rounds(f"{HEADER}\n1,1,Ann,Bob,,\n1,2,Bob,Dan,,")
    assert refused.value.fields["what"] == "round 1, one, two ≠ Bob"


def test_a_file_is_taken_whole_or_not_at_all(store: Store) -> None:
    rows = tables.read_rounds(f"{HEADER}\n1,1,Ann,Bob,Ann,5\n2,1,Cleo,D\x1ban,Cleo,5")
    with pytest.raises(ClubRefusal) as refused:
        store.read_in("Friday", rows)
    assert refused.value.code == "name-unfit"
    with pytest.raises(ClubRefusal) as refused:
        store.about()
    assert refused.value.code == "no-evening", "half an evening is none"


def test_a_file_without_end_is_not_read(tmp_path: Path) -> None:
    store = str(tmp_path / "club.sqlite3")
    (tmp_path / "long.csv").write_text("x" * (tables.LONGEST + 1))
    for file, why in (
        ("/dev/zero", "it is not a regular file"),
        (str(tmp_path / "long.csv"), "than"),
    ):
        done = CliRunner().invoke(main, ["club", "import", "F", file, "--store", store])
        assert (done.exit_code, done.output.count("\n")) == (1, 1)
        assert why in done.output


def test_glicko_2_as_in_its_paper() -> None:
    games = [
        Score(Rating(1400, 30), 1),
        Score(Rating(1550, 100), 0),
        Score(Rating(1700, 300), 0),
    ]
    found = rate(Rating(1500, 200, 0.06), games)
    assert found.value == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(6, 9)), max_size=30))
def test_who_wins_is_rated_higher_and_who_rests_less_surely(games: list[tuple[int, int]]) -> None:
    found = after({10: Rating(1600, 50)}, games)
    assert found[10].value == 1600
    assert found[10].deviation > 50
    assert all(found[winner].value > 1500 > found[loser].value for winner, loser in games)


def test_a_card_of_twelve_counts_for_the_season(store: Store) -> None:
    """tricityvoice.com, “Cribbage Club completes first quarter of season” (club 43, 2024): 12 game
    points of nine games are the threshold for Grass Roots points."""
    assert CARD == 12
    names = [f"p{n}" for n in range(10)]
    rows = []
    number = store.new("draws", names)
    for round_ in range(1, 10):
        _, drawn = store.draw(number)
        for table, (one, two) in enumerate(drawn.pairs, 1):
            best = "p0" if "p0" in (one, two) else max(one, two)
            rows.append(tables.Row(round_, table, one, two, best, 35 if best == "p0" else 9))
    played = store.read_in("played", rows)
    with store.database.read() as connection:
        from boardctl.club import totals

        season = totals.best(connection, store.season)
    cards = {s.name: s.points for s in store.standings(played)}
    assert cards["p0"] == 27, "nine skunks"
    for total in season:
        assert total.cards == (cards[total.name] >= 12)
        assert total.earned == (cards[total.name] if cards[total.name] >= 12 else 0)
    assert [t.name for t in season][:2] == ["p0", "p9"]
