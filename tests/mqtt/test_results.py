"""The outbox, and the results a hub accepts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boardctl.club.messages import read_result
from boardctl.mqtt.results import poster
from boardctl.storage import backup
from boardctl.storage.journal import AtOnce, Journal
from boardctl.table import Table
from tests.tables import submit


@pytest.fixture
def table(tmp_path: Path) -> Any:
    journal = Journal(tmp_path, AtOnce())
    table = Table(journal, now=lambda: 0.0)
    table._outbox_for = poster(table)
    for line in ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob"):
        submit(table, line, "test")
    yield table
    journal.close()


def test_each_game_is_posted_with_its_own_players(table: Table) -> None:
    submit(table, "1 resign", "test")
    for line in ("game cribbage", "seat 1 Cleo", "seat 2 Dan", "2 resign"):
        submit(table, line, "test")
    found = [json.loads(post.result)["seats"] for post in table.journal.outbox().result()]
    assert found == [["Ann", "Bob"], ["Cleo", "Dan"]]
    submit(table, "undo 4", "test")
    first, second = (json.loads(post.result) for post in table.journal.outbox().result())
    assert (first["seats"], first["state"]) == (["Ann", "Bob"], "won")
    assert (second["seats"], second["state"]) == (["Cleo", "Dan"], "withdrawn")


def test_only_cribbage_is_a_clubs_game(table: Table) -> None:
    """Two paired players played Noddy while they waited, and it counted as their game of the
    round."""
    for line in ("game noddy", "1 resign", "game cribbage", "2 resign", "game bezique", "1 resign"):
        submit(table, line, "test")
    (post,) = table.journal.outbox().result()
    assert post.game.endswith("-1-3"), "its place among all games of the evening"
    assert json.loads(post.result)["winner"] == 1
    submit(table, "undo 3", "test")
    (post,) = table.journal.outbox().result()
    assert json.loads(post.result)["state"] == "withdrawn"


def test_a_game_after_a_restored_backup_is_not_one_of_those_since_it_was_made(
    tmp_path: Path,
) -> None:
    """Both had the same identifier. The hub treated the later one as a repeat or an update of the
    other, and lost one of the two results."""

    def played(data: Path, *lines: str) -> list[tuple[str, int]]:
        journal = Journal(data, AtOnce())
        table = Table(journal, now=lambda: 0.0)
        table._outbox_for = poster(table)
        for line in ("game cribbage", *lines):
            submit(table, line, "test")
        posts = journal.outbox().result()
        for post in posts:  # the hub has it
            journal.delivered(post.game, post.version).result()
        journal.close()
        return [(post.game, post.version) for post in posts]

    data, card, kept = tmp_path / "data", tmp_path / "card", tmp_path / "kept.sqlite3"
    played(data, "seat 1 Ann", "seat 2 Bob", "1 adjust +20", "1 resign")
    backup.save(data, kept)
    (since,) = played(data, "seat 1 Cleo", "seat 2 Dan", "1 adjust +1", "2 adjust +1", "1 resign")
    backup.restore(kept, card)
    (after,) = played(card, "seat 1 Eve", "seat 2 Fay", "2 resign")
    assert after[0] != since[0]


def waiting(table: Table) -> list[tuple[str, int, Any]]:
    me = table.journal.identity
    return [
        (g.replace(me, "me"), v, json.loads(r)["state"])
        for g, v, r in table.journal.outbox().result()
    ]


def test_a_win_is_posted_and_withdrawn_and_won_again(table: Table) -> None:
    submit(table, "1 adjust +100", "test")
    assert waiting(table) == []
    submit(table, "1 adjust +21", "test")
    assert waiting(table) == [("me-1-1", 6, "won")]
    submit(table, "undo", "test")
    assert waiting(table) == [("me-1-1", 7, "withdrawn")]
    submit(table, "redo", "test")
    assert waiting(table) == [("me-1-1", 8, "won")]
    submit(table, "game cribbage", "test")
    submit(table, "2 adjust +121", "test")
    assert [game for game, _, _ in waiting(table)] == ["me-1-1", "me-1-2"]
    submit(table, "undo 3", "test")
    assert {game: state for game, _, state in waiting(table)} == {
        "me-1-1": "withdrawn",
        "me-1-2": "withdrawn",
    }
    submit(table, "session saturday", "test")
    submit(table, "game cribbage", "test")
    submit(table, "1 resign", "test")
    assert waiting(table)[-1][0] == "me-12-1"
    post = table.journal.outbox().result()[-1]
    sent = {"game": post.game, "version": post.version, "result": json.loads(post.result)}
    assert read_result(json.dumps(sent).encode()).result.winner == 2
