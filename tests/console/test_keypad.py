"""The keypad in use: every row of docs/keypad.md, and random presses."""

from __future__ import annotations

import re
import tempfile
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl import text
from boardctl.board import layout
from boardctl.console import keypad
from boardctl.console.keypad import Command, TableView, spoken
from boardctl.console.settings import TableSettings
from boardctl.drivers.ports import KEYS, KeyEvent
from boardctl.games import IllegalMove, Move, Played, Prompt
from boardctl.games.cards import parse_card, pictured
from boardctl.message import Message
from boardctl.record import notation
from boardctl.record.record import Record
from tests.chance import examples
from tests.tables import KeyedTable, keyed, submit


def test_a_seat_and_a_number_are_points(table: KeyedTable) -> None:
    table.press("A8# B12# A 2 #")
    assert table.scores == (10, 12)


def test_a_star_clears_and_takes_back(table: KeyedTable) -> None:
    table.press("A8# B1*")
    assert table.said.endswith("Ann 8      Bob 0")
    table.press("*")
    assert table.said == "Take back 8? | # yes   * no"
    table.press("*")
    assert table.scores == (8, 0)
    table.press("* #")
    assert table.scores == (0, 0)
    table.press("hold*")
    assert table.scores == (8, 0)


def test_what_is_impossible_is_refused_in_words(table: KeyedTable) -> None:
    table.press("A 6 0 #")
    assert table.scores == (0, 0)
    display = " ".join(table.controller.lines())
    assert "60" in display
    table.press("A8#")
    assert table.scores == (8, 0)


def test_a_long_name_leaves_room_for_the_question(table: KeyedTable) -> None:
    submit(table.table, "seat 2 Grandmother Rosemarie", "test")
    for line in ("dealer 1", "deal", "starter 5D"):
        submit(table.table, line, "test")
    assert table.controller.lines()[0] == "Grandmot’s hand?"
    table.press("B")
    assert table.controller.lines()[0].startswith("Grandmother")


@pytest.mark.parametrize(
    ("name", "question", "scores"),
    [
        ("The board", "Board’s hand?", "Ann 8   Board 56"),
        ("Old Mr. Finch", "Old Mr.’s hand?", "Ann 8 Old Mr. 56"),
    ],
)
def test_no_name_on_the_display_ends_within_a_word(
    table: KeyedTable, name: str, question: str, scores: str
) -> None:
    """The computer player has a shorter name for a small space."""
    submit(table.table, f"seat 2 {name}", "test")
    for line in ("dealer 1", "deal", "2 peg 28", "2 peg 28", "1 peg 8", "starter 5D"):
        submit(table.table, line, "test")
    assert table.controller.lines() == (question, scores)


def test_three_names_have_as_many_letters_as_there_is_room(tmp_path: Path) -> None:
    with keyed(tmp_path, board="classic-3") as table:
        for line in ("game cribbage", "seat 1 Ann", "seat 2 The board", "seat 3 Bob"):
            submit(table.table, line, "test")
        assert table.controller.lines()[1] == "An 0 Boa 0 Bob 0"


def test_a_refusal_keeps_a_hand_secret(table: KeyedTable) -> None:
    """The display is public."""
    submit(table.table, "dealer 1", "test")
    for line in ("deal", "2 hand KH QH JH TH 9H 8H", "1 discard ? ?", "2 discard KH QH"):
        submit(table.table, line, "test")
    submit(table.table, "starter 2D", "test")
    table.press("hold# 1 3 3")
    display = " ".join(table.controller.lines())
    assert table.controller.keypad_state.refused is not None
    assert table.controller.keypad_state.refused.code == "secret"
    assert "TH" not in display


def test_a_held_key_does_not_act_twice(table: KeyedTable) -> None:
    table.press("A8# hold#")
    assert table.said.startswith("Menu")
    table.press("*")
    assert table.scores == (8, 0)


def test_a_score_is_set_right(table: KeyedTable) -> None:
    table.press("A8# hold# 9 A 2 4 #")
    assert table.scores == (24, 0)
    table.press("hold# 9 A 7 #")
    assert table.scores == (7, 0)


def test_a_line_of_the_deal_is_put_right(table: KeyedTable) -> None:
    table.press("A8# B4# hold# 2 A # 6 #")
    assert table.scores == (6, 4)
    table.press("hold# 2 D")
    assert table.scores == (6, 0)


def test_other_players_sit_down(table: KeyedTable) -> None:
    table.press("hold# 3 3 1 #")
    assert tuple(table.table.position.seats.values()) == ("Cleo", "Ann")
    table.press("B5#")
    assert table.scores == (0, 5)


def test_players_change_places(table: KeyedTable) -> None:
    for keys, names in (("2 1", ("Bob", "Ann")), ("1 2", ("Ann", "Bob")), ("2 3", ("Bob", "Cleo"))):
        table.press(f"hold# 3 {keys} #")
        assert tuple(table.table.position.seats.values()) == names


@pytest.mark.parametrize("order", list(permutations(("Ann", "Bob", "Cleo", "Dan"))))
def test_four_sit_down_in_any_other_order(order: tuple[str, ...]) -> None:
    record = Record()
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "seat 3 Cleo", "seat 4 Dan"):
        record.read(line)
    for seat, name in enumerate(order, 1):
        record.read(f"seat {seat} {name}")
    assert tuple(record.position.seats.values()) == order


def test_goodnight_closes_saves_and_darkens(table: KeyedTable) -> None:
    table.press("A8# hold# 0 #")
    assert table.said.startswith("Safe to unplug")
    assert not any(table.row.frame)
    assert table.clock.idle
    slept = table.playing
    table.press("5")
    assert (slept, table.playing) == (False, True)
    assert any(table.row.frame)


def test_who_has_won_how_many_games_is_not_torn_apart(tmp_path: Path) -> None:
    """`Ann 0 The board` used to be on one page, and `3 Bob 0` on the next."""
    for language, shown in {"en": ("Ann 0", "The board 0"), "ja": ("Ann 0 盤 0",)}.items():
        with keyed(tmp_path / language, TableSettings(language=language)) as table:
            submit(table.table, "seat 2 The board", "test")
            table.press("hold# 0 #")
            assert table.controller.lines()[1::2] == shown


def test_a_game_from_a_phone_after_goodnight_is_a_lit_evening_of_its_own(table: KeyedTable) -> None:
    table.press("A8#")
    ended = table.table.position.session
    table.controller.obey(Command("goodnight"))
    table.clock.run(1)
    slept = table.controller.lights.asleep
    for line in ("game cribbage", "1 peg 3"):
        table.table.submit(table.table.parse(line), "page", table.table.number)
    table.clock.run(3)
    assert (slept, table.controller.lights.asleep) == (True, False)
    assert any(table.row.frame)
    assert not table.said.startswith("Safe to unplug")
    assert table.table.position.session not in (None, ended)
    assert table.scores == (3, 0)


def test_a_match_is_won_and_the_next_evening_begins(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings(match=2)) as table:
        table.press("A 2 9 # " * 4 + "A 5 #")
        assert table.said.startswith("Next game?") is False, "a skunk counts two: the match"
        assert "match" in table.said
        table.press("#")
        assert table.table.position.tally.games == 0
        assert table.playing


def test_a_win_is_celebrated_and_counted(table: KeyedTable) -> None:
    table.press("B 2 9 # " * 4 + "A 2 9 # " * 4 + "A 5 #")
    assert table.table.position.tally.won == (1, 0)
    frames = table.row.frames
    table.clock.run(60)
    assert table.row.frames > frames + 50, "the celebration moves"
    assert table.clock.idle, "and ends"
    table.press("#")
    assert table.scores == (0, 0)
    won = layout.load("classic-2").ledmap["won1.1"]
    assert any(table.row.frame[3 * won : 3 * won + 3])


def test_at_rest_nothing_moves(table: KeyedTable) -> None:
    table.press("A8#")
    table.clock.run(30)
    frames, calls = table.row.frames, table.clock.calls
    table.clock.run(3600)
    assert (table.row.frames, table.clock.calls) == (frames, calls)
    assert table.clock.idle


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(
    st.lists(
        st.tuples(st.sampled_from(KEYS), st.sampled_from([0.05, 0.05, 0.05, 1.2])), max_size=60
    )
)
def test_mashed_keys_never_lose_a_point(strokes: list[tuple[str, float]]) -> None:
    with tempfile.TemporaryDirectory() as data:
        with keyed(Path(data)) as table:
            for key, seconds in strokes:
                table.tap(key, seconds)
                points = sum(table.scores)
                assert points == sum(table.table.position.scores)
            record = table.table.record.moves
            scores = table.scores
            for _ in range(3):
                table.tap("*")
            if not table.said.startswith("Take back") and not table.said.startswith("Back"):
                table.tap("*")
            table.tap("*")
            assert table.table.record.moves == record
        with keyed(Path(data)) as again:
            if again.table.position.game is not None and record:
                assert again.table.record.moves[: len(record)] == record
                assert again.scores == scores


def test_a_hand_looked_at_on_a_page_is_pegged_from_the_menu(table: KeyedTable) -> None:
    """The hand is shown in front of the peg and does not affect the keys, so an entry in progress
    continues."""
    for line in ("dealer 1", "deal", "starter 5"):
        submit(table.table, line, "page")
    hand = notation.parse("2 show 4 5 5 6", table.table.position.game)
    assert hand is not None
    table.press("hold# D")
    assert table.said.startswith("No page shows a")
    table.press("B")
    table.controller.offer(hand)
    assert table.said.startswith("Bob:")
    table.press("4#")
    assert table.scores == (0, 4)
    table.controller.offer(hand)
    assert table.said.endswith("Bob 23: menu D")
    shown = table.controller.lights.picture()
    assert shown is not None
    assert shown.preview is not None
    assert shown.preview.points == 23
    table.press("hold# D")
    table.controller.withdraw(hand)
    assert table.said.startswith("Bob 23?"), "it is typed now as any other hand"
    table.press("B")
    assert table.scores == (0, 27)


def test_a_key_means_what_it_meant_when_the_entry_began(table: KeyedTable) -> None:
    """This holds whatever arrives from elsewhere between two of its keys."""
    controller = table.controller
    table.press("A")
    controller.obey(Command("telling", "cards"))
    controller.obey(Command("language", "ja"))
    controller.announce(("A phone", "is paired"))
    assert table.said.startswith("Ann:")
    with pytest.raises(IllegalMove, match="somebody-types"):
        controller.obey(Command("goodnight"))
    submit(table.table, "2 peg 3", "page")
    controller.on_key(KeyEvent("*", True, table.clock.time()), here=False)
    controller.on_key(KeyEvent("*", False, table.clock.time()), here=False)
    table.press("8#")
    assert table.scores == (8, 3)
    assert table.said.startswith("A phone"), "what waited is shown now"


def test_what_was_to_be_taken_back_is_taken_back_or_nothing(table: KeyedTable) -> None:
    table.press("A8#")
    table.press("*")
    submit(table.table, "2 peg 3", "page")
    table.press("#")
    assert table.scores == (8, 3)
    table.press("*#")
    assert table.scores == (8, 0)


def test_a_question_that_was_overtaken_does_not_stay_on_the_display(table: KeyedTable) -> None:
    """Somebody presses Escape on the page and then taps its Undo."""

    def phone(line: str) -> None:
        submit(table.table, line, "page")
        table.clock.run(0.1)

    table.press("A8#")
    phone("2 peg 3")
    said = table.said
    table.press("*")
    phone("undo")
    assert table.said.startswith("The table has")
    phone("2 peg 3")
    assert table.said == said
    table.press("A 4 #")
    assert table.scores == (12, 3)


def test_the_hash_of_a_hand_that_was_pegged_elsewhere_is_for_nothing_else(
    table: KeyedTable,
) -> None:
    for line in ("dealer 1", "deal", "starter 5"):
        submit(table.table, line, "page")
    table.press("B 4 5 5")
    submit(table.table, "2 show 4 5 5 6", "page")
    number = table.table.number
    table.press("6 #")
    assert table.table.number == number
    assert table.scores == (0, 23)


def test_a_hand_that_earns_something_else_by_now_is_shown_once_more(table: KeyedTable) -> None:
    for line in ("dealer 1", "deal", "starter 5"):
        submit(table.table, line, "page")
    table.press("B 4 5 5 6")
    submit(table.table, "amend 1 starter K", "page")
    table.clock.run(0.1)
    assert table.said.startswith("The table has")
    table.press("#")
    assert table.scores == (0, 0)
    assert re.match(r"Bob \d+\?", table.said)
    shown = int(table.said[4:].split("?")[0])
    table.press("#")
    assert table.scores == (0, shown)


def test_a_key_that_goes_up_means_what_it_meant_when_it_went_down(table: KeyedTable) -> None:
    submit(table.table, "dealer 1", "page")
    table.clock.run(0.1)
    assert table.said.startswith("Deal?")
    table.controller.on_key(KeyEvent("#", True, table.clock.time()))
    submit(table.table, "deal", "page")
    number = table.table.number
    table.controller.on_key(KeyEvent("#", False, table.clock.time()))
    assert table.table.number == number
    assert table.controller.keypad_state.mode == "rest"


def test_keys_of_a_page_end_no_key_that_is_held_at_the_board(table: KeyedTable) -> None:
    table.press("A8")
    now = table.clock.time()
    for here, down in ((True, True), (False, True), (False, False), (True, False)):
        table.controller.on_key(KeyEvent("#", down, now), here)
    assert table.scores == (8, 0)


def test_the_board_does_not_complete_what_a_page_began(table: KeyedTable) -> None:
    now = table.clock.time()
    for key in "A9":
        table.controller.on_key(KeyEvent(key, True, now), here=False)
        table.controller.on_key(KeyEvent(key, False, now), here=False)
    assert table.said.startswith("Ann:")
    number = table.table.number
    table.press("#*B8#")
    assert table.scores == (0, 8)
    assert all("peg" not in str(move) or "9" not in str(move) for move in table.table.record.moves)
    assert number < table.table.number


def test_what_was_pegged_elsewhere_is_not_pegged_again(table: KeyedTable) -> None:
    for line in ("dealer 1", "deal", "starter 5"):
        submit(table.table, line, "page")
    table.press("B 4 5 5 6")
    assert table.said.startswith("Bob 23?")
    submit(table.table, "2 show 4 5 5 6", "page")
    table.press("#")
    assert table.scores == (0, 23)


@pytest.mark.with_features
def test_a_display_without_the_letters_says_so_and_stays_english(table: KeyedTable) -> None:
    table.press("hold# 6 4")
    assert table.said.startswith("ディーラー")
    table.press("hold# 6 3")
    table.screen.languages = ("en",)
    table.press("hold# 6 4")
    assert table.said.startswith("English only")
    assert table.controller.language == "ja", "page and voice speak it all the same"
    table.press("A8#")
    assert table.said.startswith("Who deals?")


def test_a_key_ends_digits_told_by_light(table: KeyedTable) -> None:
    table.controller.announce(("PIN 205", ""), "205")
    shown = table.controller.lights.picture()
    assert shown is not None
    assert shown.spelled is not None
    table.press("*")
    shown = table.controller.lights.picture()
    assert shown is not None
    assert shown.spelled is None


def test_what_the_board_waits_for_is_shown_until_a_key_or_until_it_came(table: KeyedTable) -> None:
    looking, controller = ("No network yet", "You can play now"), table.controller
    table.clock.run(1)
    before = table.said
    controller.announce(looking, waiting="network")
    assert table.said.startswith("No network yet")
    controller.set_light("night")
    shown = controller.lights.picture()
    assert shown is not None
    assert shown.waiting == "network"
    assert shown.brightness < 1.0, "the night does not wait for a network"
    controller.retract(looking)
    assert _waiting(table) is None
    assert table.said == before
    controller.announce(looking, waiting="network")
    table.press("**")
    assert _waiting(table) is None
    controller.announce(("PIN 205", ""), "205")
    controller.retract(looking)
    assert table.said.startswith("PIN 205"), "that is another message"


def _waiting(table: KeyedTable) -> object:
    shown = table.controller.lights.picture()
    return None if shown is None else shown.waiting


def test_a_players_six_cards_are_typed_unseen(table: KeyedTable) -> None:
    """`#` before the first card moves on from the throw to the hand, and back again."""
    for line in ("dealer 1", "deal"):
        submit(table.table, line, "test")
    table.press("hold# 1 3 B #")
    assert table.said.startswith("Bob discards?")
    table.press("#")
    assert table.said.startswith("Bob holds?")
    table.press("#")
    assert table.said.startswith("Bob discards?")
    table.press("# 5B 6A 7C")
    assert table.said == "Bob holds? | ? ? ?"
    table.press("8D BA CA")
    assert table.table.record.deal[-1].move.verb != "hand", "looked at first"
    table.press("#")
    move = table.table.record.deal[-1].move
    assert notation.spell(move) == "2 hand 5H 6S 7D 8C QS KS"


def test_where_nothing_was_told_nothing_is_taken_back(tmp_path: Path) -> None:
    """Before the first line, keys that would undo, amend or continue have no effect."""

    def attempt(move: Move) -> Played[object]:
        raise AssertionError(move)

    view = TableView(Prompt(), (), (), "hands", attempt)
    assert keypad.press(keypad.REST, view, "*") == (keypad.REST, None)
    assert keypad.press(keypad.REST, view, "#") == (keypad.REST, None)
    assert keypad.press(keypad.REST, view, "7") == (keypad.REST, None)
    assert keypad.press(keypad.REST, view, "A") == (keypad.REST, None)
    keypad_state, _ = keypad.press(keypad.REST, view, "hold #")
    keypad_state, said = keypad.press(keypad_state, view, "2")
    assert said is None
    assert keypad_state.refused is not None
    assert keypad_state.refused.code == "nothing-to-amend"


def test_only_players_have_scores_to_set(table: KeyedTable) -> None:
    table.press("A8# hold# 9 C A 1 2 3 4 5 6 * hold# 9 A A 8 #")
    assert table.scores == (8, 0)


def test_muggins_is_called_by_holding_a_key(tmp_path: Path) -> None:
    with keyed(tmp_path) as table:
        table.press("holdD")
        assert "claim" in " ".join(table.controller.lines()).lower()
        for line in ("set muggins full", "dealer 1", "deal", "starter 5", "2 play 5 = 2"):
            submit(table.table, line, "page")
        table.press("* holdD")
        assert table.scores == (2, 0)
    with keyed(tmp_path / "four", TableSettings(players=("Ann", "Bob", "Cleo", "Dan"))) as table:
        for line in ("set muggins full", "dealer 1", "deal", "starter 5", "2 play 5 = 2"):
            submit(table.table, line, "page")
        table.press("holdD")
        assert table.said == "Which? | 1Ann 2Cleo"
        table.press("2")
        assert table.scores == (2, 0), "one and three play together"


def test_a_hand_mistyped_is_typed_again(table: KeyedTable) -> None:
    for line in ("dealer 1", "deal", "starter 5"):
        submit(table.table, line, "page")
    table.press("B 4 5 A #")
    assert table.scores == (0, 0), "letters are no number"
    table.press("B 4 5 5 6 1")
    assert table.said.startswith("Bob 23?"), "a key that means nothing here does nothing"
    table.press("*")
    table.press("4 5 # 5 6 #")
    assert table.scores == (0, 23)


def test_points_too_long_to_be_a_number_are_not_typed(table: KeyedTable) -> None:
    table.press("A 1 2 3 4 #")
    assert table.scores == (0, 0)
    table.press("* A D *")
    assert table.scores == (0, 0), "the board asks nobody to say go"


def test_a_bid_that_was_lost_is_told_with_a_minus(tmp_path: Path) -> None:
    settings = TableSettings(game="pinochle", players=("Ann", "Bob", "Cy", "Dee"))
    with keyed(tmp_path, settings) as table:
        table.press("A D 3 0 0")
        assert table.said.endswith("-300")
        table.press("# B D #")
        assert table.scores == (-300, 0), "a minus alone is not a number"
        table.press("B 1 2 5 0 #")
        assert table.scores == (-300, 1250)


def test_a_bid_may_be_a_pass(tmp_path: Path) -> None:
    settings = TableSettings(game="pinochle", players=("Ann", "Bob", "Cleo", "Dan"))
    with keyed(tmp_path, settings) as table:
        table.press("# 1 # # 9 #")
        assert table.said == "“90” is not a | bid: a multiple"
        table.press("# 3 0 # # #")
        assert table.said == "Which? | 2pass"
        table.press("2 # # 2 # # 2")
        assert table.said.startswith("Bob: trumps?")


def test_a_mog_is_told_with_its_worth(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings(game="costly-colours")) as table:
        table.press("# 1 # # 5 #")
        assert table.said.endswith("1? 2? =2 3? =4")
        table.press("2 # 1")
        assert table.scores == (0, 2), "Bob gave a jack or deuce"
        table.press("* # #")
        table.press("# 1")
        assert table.scores == (0, 1), "Ann has refused"


def test_where_nothing_is_below_zero_there_is_no_minus(table: KeyedTable) -> None:
    table.press("A D 8 #")
    assert table.scores == (8, 0)


def test_a_players_key_says_go_in_the_play(table: KeyedTable) -> None:
    for line in ("dealer 1", "deal", "starter 5", "2 play T", "1 play T", "2 play 9"):
        submit(table.table, line, "page")
    table.press("A D B D")
    assert table.scores == (2, 1)


def test_choices_that_do_not_fit_are_on_the_next_page(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings(players=("Alexandra", "Bartholomew"))) as table:
        table.press("#")
        assert table.said == "Who deals? | 1Alexandra"
        table.press("#")
        assert table.said == "Who deals? | 1Bartholomew"
        table.press("# # 1")
        assert table.table.position.situation.dealer == 2


def test_nothing_that_the_display_says_is_cut(tmp_path: Path) -> None:
    """Text longer than a row continues in the next one, including the choice that is pointed at."""
    with keyed(tmp_path) as table:
        table.controller.announce(("Ann and Bob are playing", "cards 2 + 5"))
        assert table.controller.lines() == ("Ann and Bob are", "playing", "cards 2 + 5")
        table.press("*")
        table.controller.point("photograph the cards")
        assert table.controller.lines() == (">photograph the", "cards")


@pytest.mark.parametrize("language", text.LANGUAGES)
def test_what_the_computer_player_does_fits_the_display(language: str) -> None:
    own = text.called("The board", language)
    for code in ("discard", "play", "go"):
        fields = {"seat": 1, "cards": pictured((parse_card("TH"),))}
        assert (
            len(text.say(Message("player", code, fields), text.Reader(language, (own,))))
            <= keypad.COLUMNS
        ), code


def test_a_choice_of_players_outlives_its_players(table: KeyedTable) -> None:
    """A page renames them one by one while the keypad asks who deals."""
    table.press("#")
    assert table.said == "Who deals? | 1Ann 2Bob"
    submit(table.table, "game cribbage", "page")
    submit(table.table, "seat 1 Eve", "page")
    table.press("#")
    assert table.said == "Who deals? | 1Eve 2=2"
    assert spoken.question_words(table.controller.keypad_state, table.controller.view)
    submit(table.table, "seat 2 Zoe", "page")
    table.press("2")
    assert table.said == "Deal? | Eve 0      Zoe 0"
