"""The club's file: draws stored, results counted once, corrections only with both players' PINs."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from boardctl.club import pin, schema, tables
from boardctl.club.evening import ClubRefusal, Result
from boardctl.club.store import Game, Store, StoreError
from boardctl.commands import main
from tests.club.paper import Paper

PLAYERS = ("Ann", "Bob", "Cleo", "Dan")


def evening(store: Store) -> tuple[int, str, str]:
    number = store.new("Friday", PLAYERS)
    _, drawn = store.draw(number)
    return number, *drawn.pairs[0]


def sent(one: str, two: str, scores: tuple[int, int] = (121, 100), **more: Any) -> dict[str, Any]:
    winner = 1 if scores[0] > scores[1] else 2
    found: dict[str, Any] = {
        "seats": [one, two],
        "state": "won",
        "scores": list(scores),
        "winner": winner,
        "margin": "skunk" if min(scores) < 91 else "game",
    }
    return found | more


def test_a_board_counts_once_and_takes_back(store: Store) -> None:
    number, one, two = evening(store)
    game = Game("t1", "5", 1, sent(one.upper(), two), 1.0)
    assert store.keep(game)
    assert not store.keep(game)
    (first, *_) = store.standings(number)
    assert (first.name, first.points, first.net) == (one, 2, 21)
    withdrawn = sent(one, two, state="unfinished", winner=None, margin=None)
    assert store.keep(Game("t1", "5", 2, withdrawn, 2.0))
    assert not store.keep(game), "an older version that came late"
    assert all(s.games == 0 for s in store.standings(number))
    assert store.keep(Game("t1", "5", 3, sent(one, two, (80, 121)), 3.0))
    (first, *_) = store.standings(number)
    assert (first.name, first.points, first.net) == (two, 3, 41)
    assert len(store.games()) == 1


def test_a_second_game_of_two_who_have_a_result_is_kept_but_not_counted(store: Store) -> None:
    number, one, two = evening(store)
    store.keep(Game("t1", "5", 1, sent(one, two), 1.0))
    assert store.keep(Game("t1", "6", 1, sent(two, one), 2.0))
    assert sum(s.games for s in store.standings(number)) == 2
    assert len(store.games()) == 2


@pytest.mark.slow
def test_a_tournament_by_its_store_equals_an_independent_count(store: Store) -> None:
    """Boards send nine rounds of 32 games. Some games are sent twice, some are replayed, and some
    are entered by hand."""
    chance = random.Random(64)
    size = 64 if store.database.path else 16  # the rules are equal, and a server is slower
    players = [f"player {n}" for n in range(size)]
    number = store.new("tournament", players)
    pins = store.give_pins(players[:2])
    paper = Paper(players)
    met = set()
    for round_ in range(1, 10):
        assert store.draw(number)[0] == round_
        for place, pair in enumerate(store.draws(number)[-1].pairs):
            assert frozenset(pair) not in met
            met.add(frozenset(pair))
            winner, loser = chance.sample(pair, 2)
            behind = chance.randint(0, 120)
            seats = (loser.upper(), winner)
            name = f"{round_}-{place}"
            if chance.random() < 0.1:  # won, undone, and won again by the right player
                store.keep(Game("b", name, 1, sent(*seats, (121, 3)), 0.0))
                withdrawn = sent(*seats, state="withdrawn", winner=None, margin=None)
                store.keep(Game("b", name, 2, withdrawn, 0.0))
            found = Game("b", name, 3, sent(*seats, (behind, 121)), 0.0)
            assert store.keep(found)
            if chance.random() < 0.1:
                assert not store.keep(found)
            if set(pair) == set(players[:2]):
                behind = 30
                store.correct(number, round_, winner, loser, 91, (pins[winner], pins[loser]), 0.0)
            paper.write(winner, loser, behind)
    count = paper.sums()
    table = store.standings(number)
    assert {s.name: s.order for s in table} == count
    assert [s.order for s in table] == sorted(count.values(), reverse=True)
    with pytest.raises(ClubRefusal) as refused:
        store.draw(number)
    assert refused.value.code == "evening-over"


def test_a_board_that_comes_back_later_finds_its_evening(store: Store) -> None:
    number, one, two = evening(store)
    next_week = store.new("Friday again", ["Ann", "Bob", "Cleo", "Dan", "Eve", "Flo"])
    assert store.evenings()[0].standings[0].games == 0
    store.keep(Game("t1", "5", 1, sent(one, two), 1.0))
    assert store.meetings(number)[0].result is not None
    assert store.evenings()[0].standings[0].points == 2, "counted anew"
    while {one, two} not in [set(pair) for d in store.draws(next_week) for pair in d.pairs]:
        store.draw(next_week)
    store.keep(Game("t1", "5", 2, sent(one, two, (80, 121)), 2.0))
    store.keep(Game("t1", "6", 1, sent(one, two), 3.0))
    old, new = (
        [m.result for m in store.meetings(n) if m.result is not None] for n in (number, next_week)
    )
    assert [(r.winner, r.spread) for r in old] == [(two, 41)], "a game stays where it was"
    assert [(r.winner, r.spread) for r in new] == [(one, 21)]


def test_a_game_that_others_turn_out_to_have_played_is_theirs(store: Store) -> None:
    number, one, two = evening(store)
    three, four = store.draws(number)[0].pairs[1]
    store.keep(Game("t1", "5", 1, sent(one, two), 1.0))
    store.keep(Game("t1", "5", 2, sent(four, three), 2.0))
    first, second = store.meetings(number)
    assert first.result is None
    assert second.result is not None
    assert second.result.winner == four
    store.keep(Game("t1", "5", 3, sent("Zoe", "Yan"), 3.0))
    assert all(meeting.result is None for meeting in store.meetings(number))
    store.keep(Game("t1", "5", 4, sent(one, two), 4.0))
    assert store.meetings(number)[0].result is not None


def test_an_absent_player_is_named_in_any_case(store: Store) -> None:
    number = store.new("cases", ["Ann", "Bob", "Cleo"], 9)
    _, drawn = store.draw(number, ["ann"])
    assert {name for pair in drawn.pairs for name in pair} == {"Bob", "Cleo"}


def test_who_leaves_in_the_middle_of_a_round_loses_the_games_not_played(store: Store) -> None:
    """The round used to stay open forever: only both players together could enter a result, and a
    playoff could not continue."""
    number, one, two = evening(store)
    with pytest.raises(ClubRefusal, match="no-such-player"):
        store.forfeit(number, "Nobody")
    (met,) = store.forfeit(number, one.upper())
    assert met.result == Result(two, one, 1, skunk=False, forfeit=True)
    assert next(m for m in store.meetings(number) if one in (m.one, m.two)) == met
    (first, *_) = store.standings(number)
    assert (first.name, first.points, first.net, first.games) == (two, 2, 1, 1)
    with pytest.raises(ClubRefusal, match="nothing-open"):
        store.forfeit(number, one)
    # played after all, and then sent
    store.keep(Game("t1", "5", 1, sent(one, two, (121, 80)), 1.0))
    assert store.standings(number)[0].name == two
    assert [c.reason for c in store.conflicts(number)] == ["second-result"]
    store.decide(number, "t1", "5", accept=True)
    assert store.standings(number)[0].name == one


def test_a_correction_needs_both_words_and_stays_visible(store: Store) -> None:
    number, one, two = evening(store)
    store.keep(Game("t1", "5", 1, sent(one, two), 1.0))
    before = store.meetings(number)
    pins = store.give_pins(PLAYERS)
    mine, yours = pins[two], pins[one]
    wrong = next(p for p in ("0000", "0001", "0002") if p not in pins.values())
    for given, code in (
        (("", ""), "word-missing"),
        ((mine, ""), "word-missing"),
        (("", yours), "word-missing"),
        ((mine, wrong), "word-wrong"),
        ((wrong, yours), "word-wrong"),
        ((mine, two), "word-wrong"),
    ):
        with pytest.raises(ClubRefusal) as refused:
            store.correct(number, 1, two, one, 40, given, 2.0)
        assert refused.value.code == code
    for winner, round_, code in ((two, 2, "not-drawn"), ("Eve", 1, "no-such-player")):
        with pytest.raises(ClubRefusal) as refused:
            store.correct(number, round_, winner, one, 40, (mine, yours), 2.0)
        assert refused.value.code == code
    assert store.meetings(number) == before
    store.correct(number, 1, two.upper(), one.lower(), 40, (mine, yours), 3.0)
    assert store.standings(number)[0].name == two
    result = store.meetings(number)[0].result
    assert result is not None
    assert (result.winner, result.points, result.corrected) == (two, 3, True)
    store.keep(Game("t1", "5", 2, sent(one, two), 4.0))
    assert store.meetings(number)[0].result == result, "players' word stands over a board's"


def test_a_pin_can_not_be_guessed_and_is_kept_from_evening_to_evening(
    store: Store,
) -> None:
    number, one, two = evening(store)
    pins = store.give_pins(PLAYERS)
    assert store.give_pins([*PLAYERS, "ANN", "Eve"]).keys() == {"Eve"}
    with store.database.read() as connection:
        kept = repr(connection.execute(sa.select(schema.person)).all())
    assert not any(f"'{pin}'" in kept for pin in pins.values()), "kept as a hash"

    def correct(pin: str) -> str:
        try:
            store.correct(number, 1, one, two, 40, (pin, pins[two]), 1.0)
        except ClubRefusal as error:
            return error.code
        return "done"

    wrong = "none"
    for _ in range(pin.TRIES - 1):
        assert correct(wrong) == "word-wrong"
    assert correct(pins[one]) == "done", "a right one forgives"
    for _ in range(pin.TRIES):
        assert correct(wrong) == "word-wrong"
    assert correct(pins[one]) == "word-worn"
    pins[one] = store.new_pin(one)
    assert correct(pins[one]) == "done"


def test_what_is_kept_is_there_again(opened: Callable[..., Store]) -> None:
    first = opened()
    number, one, two = evening(first)
    first.keep(Game("t1", "5", 1, sent(one, two), 1.0))
    found = first.meetings(number)
    first.close()
    again = opened()
    assert again.meetings(number) == found
    assert again.about()[:3] == (number, "Friday", 9)


def test_a_foreign_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite3"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE mine (x)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        "standings --store \udcff.sqlite3",
        "enter \udcff",
        "new \udcff Ann Bob",
        "new Friday Ann \udcff",
        "new Friday Ann Bob --club \udcff",
        "new Friday Ann Bob --season \udcff",
        "import \udcff evening.csv",
        "pin \udcff",
        "result 1 \udcff Ann 3",
    ],
)
def test_a_name_that_is_no_utf_8_is_refused_in_a_sentence(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("evening.csv").write_text("round,table,one,two,winner,spread\n1,1,Ann,Bob,Ann,3\n")
    store = [] if "--store" in words else ["--store", "club.sqlite3"]
    CliRunner().invoke(main, ["club", "new", "Monday", "Ann", "Bob", "--store", "club.sqlite3"])
    done = CliRunner().invoke(main, ["club", *words.split(), *store])
    assert isinstance(done.exception, SystemExit), done.exception
    assert (done.exit_code, done.output.count("Error: ")) == (1, 1), done.output


def test_an_evening_by_the_command_line(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "c.sqlite3"))

    def run(*words: str, status: int = 0, typed: str = "") -> str:
        done = CliRunner().invoke(main, ["club", *words, *store], input=typed)
        assert done.exit_code == status, done.output
        return done.output

    assert "no evening" in run("draw", status=1).lower()
    begun = run("new", "Friday", "Ann", "Bob", "Cléo", "花子", "Eve", "--seed", "1")
    pins = {name: pin for pin, name in re.findall(r"^PIN (\d{4})  (.+)$", begun, re.MULTILINE)}
    assert len(pins) == 5
    output = run("draw")
    assert "sits out" in output
    one, two = output.splitlines()[1][6:].split(" - ")
    result = ("result", "1", one, two, "31")
    for words, why in (
        (("result", "9", one, two, "31"), "do not meet in round 9"),
        (("result", "1", one, two, "0"), "not by 0"),
        (("result", "1", "Nobody", two, "31"), "Nobody is not taking part"),
    ):
        output = run(*words, status=1)
        assert why in output
        assert "PIN" not in output, "the program asks for no PIN if the result cannot be entered"
    assert "cannot be the name of a board" in run("table", "1", "b/c", status=2)
    assert "both players" in run(*result, status=1, typed=f"{pins[one]}\n\n")
    pins[two] = run("pin", two)[4:8]
    output = run(*result, typed=f"{pins[one]}\n{pins[two]}\n")
    assert "3 game points" in output
    assert pins[one] not in output, "nobody looks over a shoulder"
    assert f"by hand: round 1, {one} - {two}" in run("standings")
    for language in ("en", "ja"):
        pdf = tmp_path / f"{language}.pdf"
        run("sheet", str(pdf), "--language", language)
        assert pdf.read_bytes().startswith(b"%PDF")
    assert "both be called" in run("new", "X", "Ann", "ann", status=1)


def test_a_player_who_comes_late_is_let_in_by_the_director_alone(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "c.sqlite3"))

    def run(*words: str, status: int = 0) -> str:
        done = CliRunner().invoke(main, ["club", *words, *store])
        assert done.exit_code == status, done.output
        return done.output

    assert "visible characters" in run("new", " ", "Ann", "Bob", status=1)
    assert "not 1" in run("new", "Friday", "Ann", status=1)
    run("new", "Friday", "Ann", "Bob", "Cleo", "--rounds", "2")
    run("draw")
    assert "no game" in run("conflicts")
    assert re.fullmatch(r"Dan is taking part.\nPIN \d{4}  Dan\n", run("enter", "Dan"))
    assert "both be called" in run("enter", "dan", status=1)
    opened = Store(tmp_path / "c.sqlite3")
    with pytest.raises(ClubRefusal, match="evening-begun"):
        opened.enter(opened.about().number, "Eve", "1234")
    opened.close()
    second = run("draw", "--anyway")
    assert "Dan" in second
    assert "sits out" not in second
    assert run("standings").count("Dan") == 1
    assert "Every round" in run("enter", "Eve", status=1)


@pytest.mark.parametrize(
    ("listed", "recorded"),
    [
        ("山田\u3000花子", "山田 花子"),
        (" Ann  Smith ", "Ann Smith"),
        ("カ\u3099ン太", "ガン太"),
        ("Jose\u0301", "José"),
    ],
    ids=["wide space", "two spaces", "composed kana", "accent"],
)
def test_a_list_of_players_may_spell_names_otherwise_than_a_board_records_them(
    store: Store, listed: str, recorded: str
) -> None:
    """A Japanese keyboard's space is wide, and a board records one space between words. Such a game
    used to be stored but never counted, and the director was not informed."""
    number = store.new("Friday", [listed, "Bob"])
    (pin,) = (store.give_pins([listed]) or {"": ""}).values()
    store.draw(number)
    assert store.keep(Game("t1", "5", 1, sent(recorded, "Bob"), 1.0))
    best = store.standings(number)[0]
    assert (best.name, best.points) == (recorded, 2)
    assert store.player(number, listed) == recorded
    store.correct(number, 1, listed, "Bob", 30, (pin, store.new_pin("Bob")), 2.0)
    assert store.standings(number)[0].net == 30
    later = store.new("Saturday", ["Bob", "Dan"], open_=True)
    assert store.enter(later, listed, pin) == recorded, "the same member, with the same PIN"
    assert store.draw(later, [listed])[1].pairs == (("Bob", "Dan"),)


def test_an_imported_list_is_spelled_as_the_boards_record_it(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "friday.csv"
    file.write_text("round,table,one,two,winner,spread\n1,1,山田\u3000花子,Bob,山田 花子,12\n")
    number = store.read_in("Friday", tables.read_rounds(file.read_text()))
    assert store.players(number) == ("山田 花子", "Bob")
    assert store.standings(number)[0].name == "山田 花子"


def test_a_group_too_small_for_its_rounds_is_told_before_it_begins(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "c.sqlite3"))

    def run(*words: str, status: int = 0) -> str:
        done = CliRunner().invoke(main, ["club", *words, *store])
        assert done.exit_code == status, done.output
        return done.output

    nine = [f"player {n}" for n in range(9)]
    assert "repeating a pairing" not in run("new", "nine", *nine)
    least = "{} can play at most {} rounds without repeating a pairing, not 9"
    assert least.format("8 players", 7) in run("new", "eight", *nine[1:])
    assert least.format("2 players", 1) in run("new", "two", *PLAYERS[:2])
    run("draw")
    assert "1 rounds" not in run("draw", "--anyway", status=1)
    assert least.format("4 players", 3) in run("new", "four", *PLAYERS)
    for _ in range(3):
        run("draw", "--anyway")
    assert "start a new evening" in run("draw", "--anyway", status=1)
    run("new", "four again", *PLAYERS)
    run("draw")
