"""The page's requests other than moves: possible points, starting a game, previews of corrected
moves. Pure, apart from a journal."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardctl.app.config import Config
from boardctl.app.simulation import Simulation
from boardctl.board import layout
from boardctl.console.keypad import screen
from boardctl.console.settings import TableSettings
from boardctl.games import IllegalMove, Move
from boardctl.record.visibility import VisibleRecord
from boardctl.text.moves import describe, title
from boardctl.web import Options, move_list, state, table_api
from boardctl.web.app import make
from boardctl.web.page_types import Move as Listed
from tests.tables import keyed, submit
from tests.test_untrusted_input import ask
from tests.web.test_live import Board


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path)
    yield board
    board.close()


def test_the_table_sheet_is_answered_without_reading_layouts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person who taps the game's name waits for the answer. Each layout was read for each
    number of players."""
    with Simulation(Config(), tmp_path) as simulation:
        first = table_api.games_to_choose(simulation.board, "en")
        assert first["tracks"] == 3
        monkeypatch.delattr(layout, "load")
        assert table_api.games_to_choose(simulation.board, "en") == first


@pytest.mark.parametrize(
    ("game", "most", "never"),
    [("cribbage", 53, 51), ("klaberjass", 275, 1), ("bezique", 500, 30)],
)
def test_points_are_those_of_the_game(board: Board, game: str, most: int, never: int) -> None:
    table_api.begin(board.table, game, ["Zoë", "Ida"], 0)
    for line in ("dealer 1", "deal"):
        submit(board.table, line, "test")
    points = table_api.possible_points(
        board.table.position, Move("peg", 1), board.table.position.prompt.scale
    )
    assert points[-1] == most
    assert never not in points
    assert table_api.possible_points(board.table.position, Move("peg", 3), 1) == []


def test_points_of_a_bid_that_was_lost_have_a_minus(board: Board) -> None:
    table_api.begin(board.table, "pinochle", ["Zoë", "Ida", "Bo", "Uwe"], 0)
    points = table_api.possible_points(board.table.position, Move("peg", 1), 1)
    assert {-300, 0, 250} <= set(points)
    assert not {-301, 1} & set(points)


def test_a_table_is_begun_as_one(board: Board) -> None:
    """Four partners fit on two tracks. Three players do not, and then nothing changes."""
    four = ["Zoë", "Old  Mr. Finch", "Ida", "Bo"]
    table_api.begin(board.table, "cribbage", four, 0)
    assert move_list.names(board.table.position) == ["Zoë", "Old Mr. Finch", "Ida", "Bo"]
    number = board.table.number
    for players, code in (
        (four[:3], "too-few-tracks"),
        (["Zoë", " "], "name-missing"),
        (["Zoë", "Zoë"], "name-taken"),
        ([1, 2], "seats-missing"),
        (four * 2, "seats-missing"),
    ):
        with pytest.raises(IllegalMove) as refused:
            table_api.begin(board.table, "cribbage", players, number)
        assert refused.value.code == code
        assert board.table.number == number
    with pytest.raises(IllegalMove, match="stale"):
        table_api.begin(board.table, "klaberjass", ["Zoë", "Ida"], number - 1)
    assert (
        table_api.begin(board.table, "cribbage", move_list.names(board.table.position), number)
        == ()
    )


def test_names_are_spelled_anew_while_a_game_is_played(board: Board) -> None:
    """All names change at once without ending the game, also in the next game, in which nobody was
    seated again."""
    table = board.table
    table_api.begin(table, "cribbage", ["Zoë", "Ida"], 0)
    for line in ("dealer 1", "deal", "2 peg 4 hand"):
        submit(table, line, "test")
    table_api.rename(table, ["Zoe", "Ida Bo"], table.number)
    assert (move_list.names(table.position), table.position.scores) == (["Zoe", "Ida Bo"], (0, 4))
    for line in ("1 resign", "game cribbage", "dealer 2", "deal", "2 peg 2"):
        submit(table, line, "test")
    table_api.rename(table, ["Zoe", "Ida"], table.number)
    assert (move_list.names(table.position), table.position.scores) == (["Zoe", "Ida"], (0, 2))
    assert table_api.rename(table, ["Zoe", "Ida"], table.number) == ()
    number = table.number
    for players, code in ((["Zoe"], "too-late"), (["Zoe", ""], "name-missing")):
        with pytest.raises(IllegalMove) as refused:
            table_api.rename(table, players, number)
        assert (refused.value.code, table.number) == (code, number)
    submit(table, "1 resign", "test")
    with pytest.raises(IllegalMove, match="too-late"):
        table_api.rename(table, ["Zoë", "Ida"], table.number)


def test_names_kept_from_the_evening_before_stay_until_the_next_game(tmp_path: Path) -> None:
    """Nobody was seated this evening, and the request failed with status 500. It also failed if the
    game had just ended on another phone, or had not begun."""
    with Simulation(Config(), tmp_path) as simulation:
        table, page = simulation.board.table, make(simulation.board)

        def renamed(*players: str, expect: int | None = None) -> Any:
            said = {"game": "cribbage", "players": players, "rename": True}
            number = table.number if expect is None else expect
            sent = json.dumps({**said, "expect": number}).encode()
            own = f"127.0.0.1:{Options().port}"
            headers = {"host": own, "origin": f"http://{own}", "content-type": "application/json"}
            status, body = asyncio.run(ask(page, "POST", "/table", headers, sent))
            assert status == 200
            return json.loads(body).get("refused", {}).get("message")

        assert "too late" in renamed("Zoë", "Ida")
        table_api.begin(table, "cribbage", ["Zoë", "Ida"], table.number)
        assert "too late" in renamed("Zoe", "Ida")
        for line in ("dealer 1", "deal", "session Friday", "game cribbage", "dealer 1", "deal"):
            submit(table, line, "test")
        assert renamed("Zoe", "Ida") == (
            "These names are from an earlier evening; correct them when the next game begins."
        )
        submit(table, "1 resign", "test")
        assert "too late" in renamed("Zoe", "Ida")
        assert "too late" not in renamed("Zoe", "Ida", expect=table.number - 1)  # stale


def test_who_sat_down_the_wrong_way_round_changes_places(board: Board) -> None:
    """Exchanging the names was refused, because for a moment two players had the same name."""
    table = board.table
    table_api.begin(table, "cribbage", ["Zoë", "Ida"], 0)
    for line in ("dealer 1", "deal", "2 peg 4 hand"):
        submit(table, line, "test")
    for names in (["Ida", "Zoë"], ["Zoë", "Bo"], ["Bo", "Zoe"]):
        table_api.rename(table, names, table.number)
        assert (move_list.names(table.position), table.position.scores) == (names, (0, 4))


def test_a_move_put_right_is_previewed_where_it_was(board: Board) -> None:
    table_api.begin(board.table, "cribbage", ["Zoë", "Ida"], 0)
    for line in ("dealer 1", "deal", "starter 5D", "2 show 4S 5S 5C 6C", "1 peg 4 hand"):
        submit(board.table, line, "test")
    move, before = table_api.previewed(board.table.record, "amend 2 2 show 4S 5S 5C 6D")
    assert (move.verb, before.situation.phase) == ("show", "play")
    with pytest.raises(IllegalMove, match="no-such-move"):
        table_api.previewed(board.table.record, "amend 99 2 show 4S 5S 5C 6D")
    with pytest.raises(IllegalMove, match="syntax"):
        table_api.previewed(board.table.record, "undo")


def test_a_line_that_answers_in_part_is_asked_for_the_rest(board: Board) -> None:
    """Choices that contradict the rest of the line are not offered."""
    table_api.begin(board.table, "cribbage", ["Zoë", "Ida"], 0)
    for line in ("dealer 1", "deal", "starter 5D"):
        submit(board.table, line, "test")
    before = board.table.position
    move = board.table.parse("2 show 2 3 J 9 no-nobs")
    with pytest.raises(IllegalMove, match="suits-needed") as refused:
        submit(board.table, "2 show 2 3 J 9 no-nobs", "test")
    offered = refused.value.fields["choices"]
    found = state.choices(move, offered, before, ["Zoë", "Ida"], "en")
    assert 0 < len(found) < len(offered)
    for choice in found:
        assert " nobs" not in choice["line"]


def test_commands_are_those_of_the_menu() -> None:
    assert table_api.command("telling", "cards").value == "cards"
    with pytest.raises(IllegalMove, match="no-such-command"):
        table_api.command("telling", "everything")


def test_a_move_in_words() -> None:
    names = ("Zoë", "Ida")
    assert describe(Move("adjust", 2, numbers=(4,)), names) == "Ida: score corrected by +4"
    assert describe(Move("show", 1), names) == "Zoë’s hand is counted"
    assert describe(Move("juggle", 1, numbers=(7,)), names) == "Zoë juggle 7", "a game to come"
    assert title("some-new-game") == "Some new game"


def test_menus_show_every_choice() -> None:
    """Text beyond sixteen columns is on the next page, under the same question."""
    names = [f"{n}{name}" for n, name in enumerate(("Ann", "Bob", "Cleo", "Dan", "E" * 30), 1)]
    lines = screen.paged("Seat A?", names)
    assert lines[::2] == ("Seat A?",) * 3
    assert lines[1::2] == ("1Ann 2Bob 3Cleo", "4Dan", "5" + "E" * 15)


def test_the_display_keeps_a_secret(tmp_path: Path) -> None:
    """Everybody sees the display, so it hides a player's discard, both during typing and during a
    correction."""
    with keyed(tmp_path, TableSettings(telling="cards")) as table:
        for line in ("game cribbage", "dealer 1", "deal"):
            submit(table.table, line, "test")
        seen = []
        for key in "A#56":
            table.press(key)
            seen.append(table.said)
        table.press("#")
        assert table.table.record.moves[-1].verb == "discard"
        assert [str(card) for card in table.table.record.moves[-1].cards] == ["5", "6"]
        table.press("*")
        seen.append(table.said)
        table.press("* hold# 2")
        seen.append(table.said)
        assert "Ann discards 2" in seen[-1]
        table.press("# 7 8")
        seen.append(table.said)
        assert not any(card in said for said in seen for card in ("5", "6H", "7", "8"))


def test_long_lists_are_made_beside_the_loop_and_of_one_moment(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guests may request them a hundred times a second. Whatever is played meanwhile, an answer
    hides the cards that were secret at the request."""
    table_api.begin(board.table, "cribbage", ["Zoë", "Ida"], 0)
    for line in ("dealer 1", "deal", "1 hand 4S 5S 5C 6C 7D 8D"):
        submit(board.table, line, "test")
    app = make(board)
    made: list[bool] = []
    asking = threading.Event()
    played = threading.Event()
    listing = move_list.game_moves

    def listed(record: VisibleRecord, viewer: move_list.Viewer) -> list[Listed]:
        made.append(threading.current_thread() is threading.main_thread())
        asking.set()
        assert played.wait(20)
        return listing(record, viewer)

    monkeypatch.setattr(move_list, "game_moves", listed)
    headers = {"host": "127.0.0.1:8121"}

    async def get(path: str, query: bytes) -> Any:
        status, body = await ask(app, "GET", path, headers, b"", query)
        assert status == 200
        return json.loads(body)

    async def run() -> None:
        answer = asyncio.create_task(get("/moves", b"seat=2"))
        await asyncio.to_thread(asking.wait, 20)
        submit(board.table, "2 hand 9S 9C 9D 9H 10S 10C", "test")
        played.set()
        last = (await answer)["moves"][-1]
        assert last["line"] == "1 hand ? ? ? ? ? ?", "Zoë's cards stay hers"
        answered = await asyncio.gather(*(get("/moves", b"seat=1") for _ in range(3)))
        assert answered[0] == answered[1] == answered[2]
        assert answered[0]["moves"][-1]["line"] == "2 hand ? ? ? ? ? ?"

    asyncio.run(run())
    assert made == [False, False], "once for each state of the table"


def test_only_what_a_player_would_peg_is_shown_on_the_board(board: Board) -> None:
    """A card of the table, such as the widow, belongs to nobody: the board said "None 0"."""
    own = "127.0.0.1:8121"
    headers = {"host": own, "origin": f"http://{own}", "content-type": "application/json"}
    app = make(board, Options())

    def preview(line: str) -> None:
        body = json.dumps({"line": line}).encode()
        status, _ = asyncio.run(ask(app, "POST", "/preview", headers, body))
        assert status == 200

    table_api.begin(board.table, "cribbage", ["Zoë", "Ida"], 0)
    for line in ("dealer 1", "deal"):
        submit(board.table, line, "test")
    preview("starter 5D")
    assert board.controller.offered == []
    submit(board.table, "starter 5D", "test")
    preview("2 show 4 5 5 6")
    assert [move.seat for move in board.controller.offered] == [2]
