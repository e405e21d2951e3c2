"""Views of the journal: statistics, exports, and copies of it."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import StringIO
from pathlib import Path
from statistics import fmean

import pytest
from click.testing import CliRunner

from boardctl.commands import main
from boardctl.games.cards import CARDS, parse_cards
from boardctl.games.cribbage.show import count
from boardctl.record import history
from boardctl.record.record import Record
from boardctl.storage import backup
from boardctl.storage.archive import Archive
from boardctl.storage.journal import (
    NAME,
    AtOnce,
    Journal,
    JournalError,
    Writer,
    read_sessions,
)
from boardctl.table import Table
from boardctl.web.history_worker import _page
from tests.parts import need
from tests.spread import spread
from tests.tables import submit

VECTORS = Path(__file__).parents[1] / "vectors" / "records-cribbage-2.jsonl"


@contextmanager
def opened(directory: Path) -> Iterator[Table]:
    with closing(Writer()) as writer:
        journal = Journal(directory, writer)
        try:
            times = iter(range(1_000_000, 2_000_000))
            yield Table(journal, now=lambda: float(next(times)))
        finally:
            journal.close()


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A data directory with three whole games on two evenings."""
    rows = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()[:3]]
    with opened(tmp_path) as table:
        for evening, games in (("first", rows[:2]), ("second", rows[2:])):
            submit(table, f"session {evening}", "test")
            for row in games:
                for line in row["record"].splitlines():
                    submit(table, line, "test")
    return tmp_path


def test_every_point_is_somebodys_and_from_somewhere(played: Path) -> None:
    games = tuple(history.played(read_sessions(played)))
    assert [game.evening for game in games] == [1, 1, 2]
    players = history.figures(games)
    assert [player.name for player in players] == ["P1", "P2"]
    scores = [game.shown_scores for game in games]
    for side, player in enumerate(players):
        assert sum(player.points.values()) == sum(score[side] for score in scores)
        assert player.games == 3
        assert sum(player.hands) >= player.points["hand"], "none beyond the game hole"
        assert sum(player.cribs) >= player.points["crib"]
    assert sum(player.won for player in players) == 3


def test_a_walk_ends_where_the_game_ended(played: Path) -> None:
    for game in history.played(read_sessions(played)):
        steps = tuple(history.walk(game))
        assert game.outcome is not None
        assert steps[-1].position.scores == game.outcome.scores
        assert [step.line for step in steps] == list(game.lines)


def test_luck_is_what_the_starter_brought(played: Path) -> None:
    """It is recomputed from the first hand of the first game: 8D JH JC JS with 9H."""
    (game, *_) = history.played(read_sessions(played))
    step = next(step for step in history.walk(game) if step.line == "2 show")
    hand = tuple(parse_cards("8D JH JC JS"))
    scores = {
        card: sum(item.points for item in count(hand, card)) for card in CARDS if card not in hand
    }
    starter = next(parse_cards("9H"))
    assert step.luck == pytest.approx(scores[starter] - fmean(scores.values()))
    assert scores[starter] == sum(award.points for award in step.awards)


def figured(tmp_path: Path, *lines: str) -> list[history.Figures]:
    """Return the statistics of one finished game of Ann and Bob."""
    with opened(tmp_path) as table:
        for line in lines:
            submit(table, line, "test")
    return list(history.figures(history.played(read_sessions(tmp_path))))


def test_a_hand_and_a_crib_entered_together_are_neither(tmp_path: Path) -> None:
    """No single hand counts 40."""
    lines = ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")
    ann, _ = figured(tmp_path, *lines, "2 peg 8 hand", "1 peg 40 show", "1 adjust +81")
    assert (ann.hands, ann.cribs, ann.points["hand"], ann.points["other"]) == ([], [], 0, 121)


def test_a_last_card_belongs_to_the_play_also_where_no_go_was_said(tmp_path: Path) -> None:
    lines = ("game five-card-cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")
    play = ("starter 5D", "2 play KC", "1 play KH", "2 play 9S", "2 show KC 9S 5H")
    _, bob = figured(tmp_path, *lines, *play, "1 adjust +59")
    assert bob.hands == [6]
    assert (bob.points["play"], bob.points["hand"]) == (1, 6)


def test_csv(played: Path) -> None:
    rows = list(csv.DictReader(StringIO(history.to_csv(history.played(read_sessions(played))))))
    assert len(rows) == 6
    first = rows[0]
    (game, *_) = history.played(read_sessions(played))
    assert game.outcome is not None
    assert first["name"] == "P1"
    assert first["score"] == str(game.outcome.scores[0])
    assert first["session"] == "first"
    assert first["began"] == "1970-01-12T13:46:41Z"


@pytest.mark.parametrize("name", ["=1+1", "+A", "-A", "@SUM(A1)"])
def test_csv_is_no_formula(name: str, tmp_path: Path) -> None:
    with opened(tmp_path) as table:
        for line in ("game cribbage", f"seat 1 {name}", "seat 2 Bob", "1 peg 8"):
            submit(table, line, "test")
    rows = list(csv.DictReader(StringIO(history.to_csv(history.played(read_sessions(tmp_path))))))
    assert rows[0]["name"] == f"'{name}"


def test_export(played: Path) -> None:
    def run(*arguments: str) -> str:
        result = CliRunner().invoke(main, ["export", *arguments, "--data", str(played)])
        assert result.exit_code == 0, result.output
        return result.output

    (first, *_) = history.played(read_sessions(played))
    assert run("1").splitlines() == list(first.lines)
    assert run("--as", "csv").count("\n") == 7
    assert len(json.loads(run("--as", "json"))) == 3
    answer = json.loads(run("1", "--as", "json"))
    assert answer["moves"][-1]["scores"] == answer["scores"]
    refused = CliRunner().invoke(main, ["export", "4", "--data", str(played)])
    assert refused.exit_code == 1
    assert "1 to 3" in refused.output


@pytest.mark.parametrize(
    "words",
    spread(
        3,
        [
            *(
                pytest.param(("export", "4", "--as", form))
                for form in ("notation", "csv", "json", "html", "svg", "png")
            ),
            *(pytest.param(("export", "--as", form)) for form in ("notation", "csv", "json")),
            *(pytest.param(("review", game, "--throws", "--json")) for game in ("4", "all")),
            *(pytest.param(("session",)), pytest.param(("games", "--played"))),
        ],
    ),
)
def test_no_command_tells_the_cards_of_a_deal_that_is_not_over(
    played: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Nobody may read the computer's hand, but a backup contains it."""
    if "png" in words:
        need("rsvg-convert")
    said = []
    for seat_2, thrown in (("AH 2H 3H 4H 5H 6H", "5H 6H"), ("AD 2D 3D 4D 5D 6D", "AD 6D")):
        data = tmp_path / thrown
        backup.save(played, tmp_path / f"{thrown}.sqlite3")
        backup.restore(tmp_path / f"{thrown}.sqlite3", data)
        with opened(data) as table:
            for line in ("game cribbage", "dealer 1", "deal", "1 peg 3", "deal"):
                submit(table, line, "test")
            hands = f"1 hand AS 2S 3S 4S 5S 6S|2 hand {seat_2}|1 discard AS 2S|2 discard {thrown}"
            for line in hands.split("|"):
                submit(table, line, "test")
        done = CliRunner().invoke(main, [*words, "--data", str(data)])
        assert done.exit_code == 0, done.output
        said.append((done.stdout, done.stderr))
        hidden = words[0] in ("export", "review") and "csv" not in words
        assert ("game 4" in done.stderr) == hidden, "what is left out is said"
        (*_, game) = history.played(read_sessions(data))
        assert f"2 discard {thrown}" in game.lines
    assert said[0] == said[1]


def test_backup_and_restore(played: Path, tmp_path: Path) -> None:
    copy, elsewhere = tmp_path / "copy.sqlite3", tmp_path / "elsewhere"
    before = tuple(history.played(read_sessions(played)))
    with opened(played) as table:  # while a board is running
        lines = backup.save(played, copy)
        assert lines == table.number
    assert backup.restore(copy, elsewhere) == (lines, None, ())
    assert tuple(history.played(read_sessions(elsewhere))) == before
    with opened(elsewhere) as table:
        submit(table, "game cribbage", "test")
        assert table.number == lines + 1
    count, kept, _ = backup.restore(copy, elsewhere)
    assert count == lines
    assert kept is not None
    assert backup.check(kept) == lines + 1, "what was there is kept, whole"
    assert tuple(history.played(read_sessions(elsewhere))) == before


def test_what_a_backup_refuses(played: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    backup.save(played, copy)
    with pytest.raises(JournalError, match="already exists"):
        backup.save(played, copy)
    with pytest.raises(JournalError, match="no journal here"):
        backup.save(tmp_path / "nothing", tmp_path / "x")
    with opened(played), pytest.raises(JournalError, match="running"):
        backup.restore(copy, played)
    stranger = tmp_path / "stranger.sqlite3"
    with closing(sqlite3.connect(stranger)) as db:
        db.execute("CREATE TABLE t (x)")
    torn = tmp_path / "torn.sqlite3"
    torn.write_bytes(copy.read_bytes()[:5000])
    words = tmp_path / "words.txt"
    words.write_text("no journal at all, but a long enough text to be looked at\n" * 20)
    before = (played / NAME).read_bytes()
    for file in (stranger, torn, words, tmp_path / "missing"):
        with pytest.raises(JournalError, match=file.name):
            backup.restore(file, played)
    assert (played / NAME).read_bytes() == before


def test_the_commands(played: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    runner = CliRunner()
    saved = runner.invoke(main, ["backup", str(copy), "--data", str(played)])
    assert saved.exit_code == 0, saved.output
    again = runner.invoke(main, ["backup", str(copy), "--data", str(played)])
    assert again.exit_code == 1
    assert "already exists" in again.output
    back = runner.invoke(main, ["restore", str(copy), "--data", str(played)])
    assert back.exit_code == 0, back.output
    assert "before-1" in back.output


def test_undo_of_several_redo_and_the_next_game(tmp_path: Path) -> None:
    """One line restores three moves, and the games after it begin at their original times."""
    journal = Journal(tmp_path, AtOnce())
    times = iter(range(100, 200))
    table = Table(journal, now=lambda: float(next(times)))
    opening = ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob")
    for line in (*opening, "1 peg 2", "2 peg 3", "1 peg 4", "undo 3", "redo", "1 peg 1"):
        submit(table, line, "test")
    for line in ("game cribbage", "1 peg 8"):
        submit(table, line, "test")
    games = tuple(history.played(read_sessions(tmp_path)))
    assert [game.began for game in games] == [101.0, 110.0]
    assert games[0].lines[-4:] == ("1 peg 2", "2 peg 3", "1 peg 4", "1 peg 1")
    journal.close()


def test_the_boards_player_is_one_person_by_whatever_name_it_was_recorded(tmp_path: Path) -> None:
    with opened(tmp_path) as table:
        for line in ("game cribbage", "seat 1 Ann", "seat 2 盤", "dealer 1", "1 resign"):
            submit(table, line, "test")
        for line in ("game cribbage", "seat 1 Ann", "seat 2 The board", "dealer 1", "1 resign"):
            submit(table, line, "test")
        assert table.position.seats == {1: "Ann", 2: "The board"}
    done = CliRunner().invoke(main, ["session", "--data", str(tmp_path)])
    assert "games won: Ann 0  The board 2" in done.output, done.output


def test_an_evenings_games_have_the_numbers_by_which_they_are_asked_for(tmp_path: Path) -> None:
    """This holds even if an earlier game was never begun."""
    game = ("game cribbage", "seat 1 Ann", "seat 2 Bob")
    with opened(tmp_path) as table:
        for line in (*game, *game, "dealer 1", "1 resign", "session next", *game, "2 resign"):
            submit(table, line, "test")
    done = CliRunner().invoke(main, ["session", "--all", "--data", str(tmp_path)])
    rows = [line.split()[0] for line in done.output.splitlines() if "Cribbage" in line]
    exported = [
        CliRunner().invoke(main, ["export", row, "--data", str(tmp_path)]).output for row in rows
    ]
    assert ["resign" in lines for lines in exported] == [True, True]


def test_a_game_is_the_same_where_it_is_corrected_after_it_was_gone_on_with(tmp_path: Path) -> None:
    """The evening before does not appear as another, unfinished game."""
    lines = ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "2 peg 8 hand")
    with opened(tmp_path) as table:
        for line in ("session friday", *lines, "1 peg 6 hand", "session saturday", "game bezique"):
            submit(table, line, "test")
        table.resume("test")
        for line in ("amend 2 2 peg 9 hand", "amend 6 seat 1 Anna", "session sunday"):
            submit(table, line, "test")
        table.resume("test")
        submit(table, "1 resign", "test")
    every = list(history.played(read_sessions(tmp_path)))
    assert [(game.number, game.goes_on) for game in every] == [(1, 0), (2, 0), (3, 1), (4, 3)]
    with closing(Archive(tmp_path, "test")) as archive:
        assert [game.goes_on for game in archive.games()] == [0, 0, 1, 3]
        shown, _ = _page(archive, None)
    assert [game.number for game in shown] == [4]


def test_a_game_whose_players_have_gone_can_be_read_again(tmp_path: Path) -> None:
    """If one player is seated alone after cuts by two, nothing else can be reported."""
    lines = ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob", "game noddy", "2 cut 9")
    with opened(tmp_path) as table:
        for line in (*lines, "seat 1 Dan"):
            submit(table, line, "test")
    for game in history.played(read_sessions(tmp_path)):
        record = Record()
        for line in game.lines:
            record.read(line)


def test_the_players_of_games_played_stand_under_one_another(tmp_path: Path) -> None:
    with opened(tmp_path) as table:
        for name in ("noddy", "six-pack-bezique"):
            for line in (f"game {name}", "seat 1 Zoë", "seat 2 Bob", "dealer 1", "deal"):
                submit(table, line, "test")
    done = CliRunner().invoke(main, ["games", "--played", "--data", str(tmp_path)])
    places = [line.index("Zoë") for line in done.stdout.splitlines()]
    assert len(places) == 2
    assert len(set(places)) == 1


def test_nobody_has_won_while_points_of_the_last_deal_are_due(tmp_path: Path) -> None:
    """Ann has reached the target, but Bob and Cid may have scored more in the same deal."""

    def ended(*lines: str) -> tuple[str, ...]:
        with opened(tmp_path) as table:
            for line in lines:
                submit(table, line, "test")
        (game,) = history.played(read_sessions(tmp_path))
        session = CliRunner().invoke(main, ["session", "--data", str(tmp_path)])
        table_file = CliRunner().invoke(main, ["export", "--as", "csv", "--data", str(tmp_path)])
        row, *_ = csv.DictReader(StringIO(table_file.output))
        _, _, said = session.output.splitlines()[1].rpartition("   ")
        return str(history.summary(game)["state"]), row["state"], said

    due = ("unfinished",) * 3
    players = ("game pinochle", "seat 1 Ann", "seat 2 Bob", "seat 3 Cid", "start 900 990 100")
    assert ended(*players, "dealer 3", "1 peg 110") == due
    assert ended("2 peg 150") == due
    assert ended("3 peg 0") == ("won", "won", "Bob won")
