"""Spoken text can be pronounced: no symbol that a voice spells, omits or stumbles over, and no line
of the notation. A spoken correction matches its effect."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from boardctl import text
from boardctl.console.settings import TableSettings, VoiceSettings
from boardctl.drivers import espeak
from boardctl.games import Note, Telling
from boardctl.speech.voice import Voice
from boardctl.text import spoken
from boardctl.text.counting import PHRASES
from tests.parts import need
from tests.speech.by_ear import Ear
from tests.speech.listening import keys, lines, listen
from tests.tables import KeyedTable, keyed, submit

NAMES = ("Ann", "Bob", "Cleo", "Dan")
SAID = ("spoken", "move", "award", "note", "question", "do", "ask", "refusal", "game", "chip")


@pytest.mark.parametrize(
    ("written", "english", "japanese"),
    [
        ("-440", "minus 440", "マイナス440"),
        ("by +7", "by plus 7", "by プラス7"),
        ("を-7訂正", "をminus 7訂正", "をマイナス7訂正"),
        ("0, 2–248, 250", "0, 2 to 248, 250", "0, 2から248まで, 250"),
        ("0, 10 … 170", "0, 10 to 170", "0, 10から170まで"),
        ("Who (1 point)?", "Who, 1 point?", "Who、1 point?"),
        ("ペア・ロイアル", "ペア ロイアル", "ペア ロイアル"),
        ("five-card", "five-card", "five-card"),
        ("“1A” #", "1A hash", "1A シャープ"),
        ("Hold #, 8", "Hold hash, 8", "Hold シャープ, 8"),
    ],
)
def test_signs_are_said_in_words(written: str, english: str, japanese: str) -> None:
    assert spoken.plain(written, "en") == english
    assert spoken.plain(written, "ja") == japanese


def test_the_japanese_count_has_no_middle_dot_at_any_level(table: KeyedTable) -> None:
    table.controller.language = "ja"
    ear = Ear()
    Voice(table.controller, VoiceSettings(level="counts")).join(ear)
    lines(table, ear, "starter 5D", "2 show 5H 5S 5C JD")
    assert "ダブル ペア ロイアル" in "".join(ear.said)
    assert "・" not in "".join(ear.said)


@pytest.mark.slow
def test_espeak_reads_every_kana_that_is_said() -> None:
    """espeak-ng says "Japanese letter" for a word that it cannot read. It gets kanji as kana."""
    need("espeak-ng")
    catalogue = text.catalogue("ja")
    written = [*PHRASES["ja"].values()]
    for code, template in text.sentences().items():
        if code.partition(".")[0] in SAID:
            written.append(catalogue.gettext(template))
    said = {spoken.plain(re.sub(r"\{\w+\}", "7", one), "ja") for one in written}
    unread = []
    for word in {word for one in said for word in re.findall("[\u3040-\u30ff]+", one)}:
        program = ("espeak-ng", "-q", "-x", "-v", "ja", "--", word)
        heard = subprocess.run(program, capture_output=True, text=True, check=True)
        if "l'et@" in heard.stdout:
            unread.append(word)
    assert unread == []


def test_no_japanese_verb_is_left_out() -> None:
    """kakasi reads 言って as て, so the part before っ must be converted before."""
    catalogue = text.catalogue("ja")
    written = [catalogue.gettext(template) for template in text.sentences().values()]
    verbs = {
        verb for one in written for verb in re.findall("[\u4e00-\u9fff]+[ぁ-ん]?っ(?=[てた])", one)
    }
    left = {verb for verb in verbs if re.search("[\u4e00-\u9fff]っ$", espeak.read_words(verb))}
    assert verbs
    assert left == set()
    assert (
        espeak.read_words("もう一度言ってください。間違った")
        == "もう一度いってください。まちがった"
    )


@pytest.mark.parametrize(
    ("written", "kana"),
    [
        ("もう一度言ってください", "もういちどいってください"),
        ("スターの長押しで", "スターのながおしで"),
        ("捨て札にできる", "すてふだにできる"),
        ("プレイヤーのキーの後の数字", "プレイヤーのキーのあとのすうじ"),
        ("1組のトランプ", "1くみのトランプ"),
        ("12対8", "12たい8"),
        ("1列か2列に並べ", "1れつか2れつにならべ"),
        ("得点が入ります", "とくてんがはいります"),
        ("得点が入力されている", "とくてんがにゅうりょくされている"),
        ("盤に会を保存", "ばんにかいをほぞん"),
        ("大会の得点", "たいかいのとくてん"),
        ("入力済みです", "にゅうりょくずみです"),
        ("会話を保存", "かいわをほぞん"),
        ("組み合わせ済みで", "くみあわせずみで"),
        ("2ゲーム分", "2ゲームぶん"),
        ("カメラを止める", "カメラをとめる"),
        ("合計を言う", "ごうけいをいう"),
    ],
)
def test_kakasi_reads_what_is_left(written: str, kana: str) -> None:
    need("kakasi")
    program = ("kakasi", "-JH", "-i", "utf8", "-o", "utf8")
    left = espeak.read_words(written)
    heard = subprocess.run(program, input=left, capture_output=True, text=True, check=True)
    assert heard.stdout.strip() == kana


def test_what_is_taken_back_or_brought_back_is_named(table: KeyedTable) -> None:
    ear = listen(table)
    assert keys(table, ear, "* #").startswith("Taken back: New deal")
    assert keys(table, ear, "hold*").startswith("Brought back: New deal")
    lines(table, ear, "starter 5D", "1 peg 2")
    assert lines(table, ear, "undo 2").startswith("Taken back: The starter is five of diamonds")
    aloud = lines(table, ear, "redo")
    assert aloud.startswith("Brought back: The starter is five of diamonds, Ann pegs 2. Ann 2")
    assert lines(table, ear, "amend 2").startswith("Taken back: The starter is five of diamonds")
    assert lines(table, ear, "insert 1 starter 6D").startswith("Added: The starter is six")
    assert lines(table, ear, "amend 1 1 peg 4").startswith("Changed: Ann pegs 4. Ann 4")


def test_of_a_long_deal_the_last_line_is_taken_back(table: KeyedTable) -> None:
    for _ in range(35):
        submit(table.table, "1 peg 1", "test")
        submit(table.table, "2 peg 1", "test")
    ear = listen(table)
    assert lines(table, ear, "undo").startswith("Taken back: Bob pegs 1")
    assert lines(table, ear, "redo").startswith("Brought back: Bob pegs 1")
    assert lines(table, ear, "amend 2 1 peg 2").startswith("Changed: Ann pegs 2")


def test_a_corrected_score_is_said(table: KeyedTable) -> None:
    ear = listen(table)
    aloud = keys(table, ear, "hold# 9 A 1 2 #")
    assert aloud.startswith("Ann: score corrected by plus 12. Ann 12")
    assert keys(table, ear, "hold# 9 A 5 #").startswith("Ann: score corrected by minus 7. Ann 5")


def test_the_end_of_an_evening_and_the_next_are_said_in_words(table: KeyedTable) -> None:
    ear = listen(table)
    table.press("hold# 7")
    assert ear.said == ["Games: 0. Games won by Ann: 0. Games won by Bob: 0"]
    aloud = keys(table, ear, "hold# 0 #")
    assert "The evening is over" in aloud
    assert "Safe to unplug. Games won by Ann: 0. Games won by Bob: 0." in aloud
    assert "A new evening. New game: Cribbage / Who deals?" in keys(table, ear, "5")


def test_a_correction_tells_its_keys_by_what_they_do(table: KeyedTable) -> None:
    submit(table.table, "starter 5D", "test")
    ear = listen(table)
    table.press("hold# 2")
    aloud = keys(table, ear, "hold3")
    assert "D: remove it" in aloud
    assert "A: New deal" in aloud


def test_after_a_refusal_only_what_does_something_is_told(table: KeyedTable) -> None:
    submit(table.table, "starter 5D", "test")
    ear = listen(table)
    table.press("B 5 5 5 5")
    assert keys(table, ear, "hold3").count("clear") == 1, "hash clears what was refused"


def test_the_games_of_the_menu_are_told_by_their_names(table: KeyedTable) -> None:
    aloud = keys(table, listen(table), "hold# 4")
    assert aloud.startswith("Which game? one: Belote. two: Bezique.")


def test_partners_lead_together(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("belote", NAMES)) as table:
        for line in ("dealer 1", "deal", "1 peg 82"):
            submit(table.table, line, "test")
        aloud = keys(table, listen(table), "hold2")
        assert aloud == "Ann and Cleo 82. Bob and Dan 0. Ann and Cleo lead by 82"


def test_what_nobody_in_particular_does_has_no_seat(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("cribbage", NAMES[:3]), board="classic-3") as table:
        for line in ("dealer 1", "deal"):
            submit(table.table, line, "test")
        ear = listen(table)
        assert lines(table, ear, "crib ?").startswith("Dealt to the crib: a card")
        for language in text.LANGUAGES:
            assert "None" not in spoken.move(table.table.parse("crib 6H"), NAMES, language)


def test_cards_that_are_typed_for_nobody_are_previewed_without_points(tmp_path: Path) -> None:
    settings = TableSettings("pinochle", NAMES[:3], telling="cards")
    with keyed(tmp_path, settings, board="classic-3") as table:
        for line in ("dealer 1", "deal", "2 bid 300", "3 bid pass", "1 bid pass"):
            submit(table.table, line, "test")
        aloud = keys(table, listen(table), "# C A 0 C B D")
        assert aloud == "king of spades, ten of diamonds, queen of clubs: press hash"


def test_a_go_with_a_card_to_play_names_the_card(table: KeyedTable) -> None:
    (ace,) = table.table.parse("starter A").cards
    note = Note("impossible-with-known-cards", {"seat": 1, "card": ace})
    assert spoken.note(note, NAMES, "en") == "the ace contradicts Ann’s earlier go or points"
    assert spoken.note(note, NAMES, "ja") == "エースはAnnの前のゴーか点数と合いません"


def test_a_card_of_some_lines_ago_is_corrected_by_rank_and_suit(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("bezique", NAMES[:2], telling="cards")) as table:
        for line in ("dealer 1", "deal", "turnup 8H", "2 play AS", "1 play 9D"):
            submit(table.table, line, "test")
        ear = listen(table)
        table.press("hold# 2 A #")
        assert keys(table, ear, "1") == "ace: which suit?"
        assert table.said == "A: which suit? | A♠ B♥ C♦ D♣"
        assert "A: spades. B: hearts. C: diamonds. D: clubs" in keys(table, ear, "hold3")
        assert keys(table, ear, "D") == "ace of clubs. Now: Bob plays ace of clubs"
        assert keys(table, ear, "#").startswith("Changed: Bob plays ace of clubs")
        assert table.table.record.moves[-2] == table.table.parse("2 play AC")


def test_a_correction_takes_as_many_cards_as_there_were(table: KeyedTable) -> None:
    submit(table.table, "starter 5D", "test")
    ear = listen(table)
    table.press("hold# 2 # 7")
    assert keys(table, ear, "7") == "seven does nothing here"
    assert keys(table, ear, "#").startswith("Changed: The starter is seven")


def test_a_bid_is_corrected_by_its_number(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("pinochle", NAMES[:3]), board="classic-3") as table:
        for line in ("dealer 1", "deal", "2 bid 300", "3 bid pass"):
            submit(table.table, line, "test")
        ear = listen(table)
        assert "no card or number" in keys(table, ear, "hold# 2 #")
        table.press("A #")
        assert keys(table, ear, "3 2 #").startswith("Changed: Bob bids 320")


def test_of_an_invitation_the_word_that_is_due_is_told(table: KeyedTable) -> None:
    ear = listen(table)
    assert keys(table, ear, "hold# 8 4 1") == "one"
    assert keys(table, ear, "1 1 1") == "one. word 2 of six"
    aloud = keys(table, ear, "1111 1111 1111 1111 1111")
    assert aloud == "one. accept the invitation: press hash"


def test_all_tricks_go_to_people() -> None:
    capot = Note("capot", {"side": 2})
    assert spoken.note(capot, NAMES, "en") == "Bob and Dan took all tricks"
    assert spoken.note(capot, NAMES, "ja") == "BobとDanのカポ"
    assert spoken.note(capot, (), "en") == "side 2 took all tricks"
    no_trick = Note("no-trick", {"side": 3})
    assert spoken.note(no_trick, NAMES[:3], "en") == "Cleo took no trick: no melds"


def test_every_answer_about_suits_has_its_keys(tmp_path: Path) -> None:
    """Costly Colours has more answers than digits."""
    answers = set()
    for typed in ("0", *(f"{turns}{n}" for turns in ("", "A") for n in range(1, 10))):
        folder = tmp_path / f"keys{typed}"
        folder.mkdir()
        with keyed(folder, TableSettings("costly-colours", NAMES[:2])) as table:
            for line in ("dealer 1", "deal", "starter QH", "2 no-mog"):
                submit(table.table, line, "test")
            table.press("B 5 A 2")
            count = len(table.controller.keypad_state.choices)
            shown = " ".join(table.controller.lines())
            assert "none" not in shown
            assert "A>" in shown
            table.press(typed)
            if table.table.record.moves[-1].verb == "show":
                answers.add(table.table.record.moves[-1].words)
    assert len(answers) == count == 13
    assert ("costly", "right 2") in answers


def test_the_answers_about_suits_are_translated(tmp_path: Path) -> None:
    settings = TableSettings("costly-colours", NAMES[:2], language="ja")
    with keyed(tmp_path, settings) as table:
        for line in ("dealer 1", "deal", "starter QH", "2 no-mog"):
            submit(table.table, line, "test")
        table.press("B 5 A 2")
        assert not re.search("[a-z]{3}", " ".join(table.controller.lines()))
        assert "A：ほかの選択" in keys(table, listen(table), "hold3")


def test_it_speaks_slower_and_faster(table: KeyedTable) -> None:
    ear = listen(table)
    table.press("hold# 6 8")
    assert (ear.speed, ear.said[0].partition(".")[0]) == (120, "slower")
    table.press("hold# 6 8 hold# 6 8 hold# 6 8")
    assert ear.speed == 80
    table.press("hold# 6 9")
    assert ear.speed == 100
    table.press("hold# 6 2 hold# 6 9")
    assert ear.said, "who cannot hear it any more hears it again"


def test_what_was_said_is_said_again_slower(table: KeyedTable) -> None:
    ear = Ear()
    voice = Voice(table.controller)
    voice.join(ear)
    lines(table, ear, "starter 5D")
    (last, *_) = ear.said
    ear.said.clear()
    voice.answer("slower")
    assert ear.speed == 120
    assert ear.said[0].startswith(last)


def test_the_game_that_an_evening_left_is_played_on_by_key_and_ear(table: KeyedTable) -> None:
    for line in ("starter 5D", "1 peg 12", "2 peg 7"):
        submit(table.table, line, "test")
    ear = listen(table)
    table.press("hold# 0 #")
    aloud = keys(table, ear, "5")
    assert "Hold star to continue the unfinished game. Ann 12. Bob 7. Who deals?" in aloud
    assert "Hold * to go on" in table.controller.lines()
    aloud = keys(table, ear, "hold*")
    assert aloud.startswith("The game continues. Ann 12. Bob 7. Ann leads by 5 / ")
    assert table.scores == (12, 7)
    table.press("A 3 #")
    assert table.scores == (15, 7)
    assert "Hold star" not in keys(table, ear, "hold3")


def test_what_was_taken_back_comes_before_the_game_that_was_left(table: KeyedTable) -> None:
    submit(table.table, "1 peg 12", "test")
    ear = listen(table)
    table.press("hold# 0 # 5 # 2")
    assert keys(table, ear, "* #").startswith("Taken back: Bob deals")
    assert keys(table, ear, "hold*").startswith("Brought back: Bob deals")


@pytest.mark.parametrize("telling", ["points", "hands", "cards"])
def test_a_key_offers_a_hand_only_where_one_is_due(tmp_path: Path, telling: Telling) -> None:
    with keyed(tmp_path, TableSettings("cribbage", NAMES[:2], telling=telling)) as table:
        for line in ("dealer 1", "deal", "starter 5D"):
            submit(table.table, line, "test")
        ear = listen(table)
        table.press("hold# 1 2")
        assert keys(table, ear, "B") == "Bob: points and hash, or a hand"
        assert table.said == "Bob: | points # or hand"
        assert keys(table, ear, "* A") == "Ann: points and hash"
        assert table.said == "Ann: | points, then #"


def test_points_in_tens_say_so_after_the_key(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("pinochle", NAMES[:2])) as table:
        for line in ("dealer 1", "deal"):
            submit(table.table, line, "test")
        assert keys(table, listen(table), "A") == "Ann: points and hash. Typed in units of 10"
        assert table.said == "Ann: | tens, then #"


def test_a_bid_is_typed_before_the_zero_that_stands_there(tmp_path: Path) -> None:
    """Typed as spoken, 300 became 3000, and nothing on the display warned of it."""
    with keyed(tmp_path, TableSettings("pinochle", NAMES[:3]), board="classic-3") as table:
        for line in ("dealer 1", "deal"):
            submit(table.table, line, "test")
        table.press("#")
        assert table.said == "Bob bids? | _0"
        table.press("3 0")
        assert table.said == "Bob bids? | 300_"
        table.press("#")
        assert table.table.position.situation.more["bid"] == 300


def test_a_hand_that_is_half_typed_is_no_wrong_number(tmp_path: Path) -> None:
    with keyed(tmp_path) as table:
        for line in ("dealer 1", "deal", "starter 5D"):
            submit(table.table, line, "test")
        ear = listen(table)
        table.press("B 0 B")
        aloud = keys(table, ear, "hold3")
        assert aloud.startswith("Bob: zero, B. 2 more. ")
        assert "number of points" not in aloud


def test_what_a_move_says_is_not_said_twice(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("pinochle", NAMES[:2])) as table:
        for line in ("dealer 1", "deal"):
            submit(table.table, line, "test")
        ear = listen(table)
        assert lines(table, ear, "1 count 140").startswith("Ann counts 140 in tricks / ")
    other = tmp_path / "cribbage"
    other.mkdir()
    with keyed(other, TableSettings("cribbage", NAMES[:2], telling="cards")) as table:
        for line in ("dealer 1", "deal", "starter 5D", "2 play T", "1 play T", "2 play 9"):
            submit(table.table, line, "test")
        ear = listen(table)
        assert lines(table, ear, "1 go").startswith("Ann says go / ")


def test_what_a_side_earns_is_said_of_both_partners(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("belote", NAMES)) as table:
        for line in ("dealer 2", "deal", "3 bid pass", "4 bid S"):
            submit(table.table, line, "test")
        aloud = lines(table, listen(table), "3 count 82")
        assert aloud.startswith(
            "Cleo counts 82 in tricks. Ann and Cleo 162: the deal. Bob and Dan failed: 80 to 82 / "
        )


def test_who_made_a_bid_is_said() -> None:
    for code, said in (("bid-made", "Bob made the bid of 300: 310"), ("bid-lost", "Bob lost")):
        note = Note(code, {"seat": 2, "bid": 300, "made": 310})
        assert spoken.note(note, NAMES, "en").startswith(said)


def test_star_says_no_to_a_question_of_yes_and_no(table: KeyedTable) -> None:
    submit(table.table, "starter 5D", "test")
    ear = listen(table)
    assert keys(table, ear, "*").endswith("hash: take back. star: no")
    table.press("*")
    assert keys(table, ear, "hold# 0") == "Goodnight? hash: end the evening. star: no"


def test_an_answer_about_suits_has_one_key(table: KeyedTable) -> None:
    submit(table.table, "starter 5D", "test")
    aloud = keys(table, listen(table), "B 2 3 4 6")
    assert aloud.count("nothing more") == 1
    table.press("0")
    assert table.table.record.moves[-1].verb == "show", "zero is still the same as hash"


@pytest.mark.parametrize("language", text.LANGUAGES)
def test_the_small_display_writes_moves_in_words(tmp_path: Path, language: str) -> None:
    """An undo or a correction shows its effect, not the notation."""
    settings = TableSettings("bezique", NAMES[:2], telling="cards", language=language)
    with keyed(tmp_path, settings) as table:
        for line in ("dealer 1", "deal", "turnup 8H", "2 play TS"):
            submit(table.table, line, "test")
        for typed in ("*", "hold# 2", "#", "0", "D"):
            table.press(typed)
            shown = table.controller.lines()
            assert all(len(row) <= 16 for row in shown)
            assert "play TS" not in " ".join(shown)
        new = " ".join(table.controller.lines()[::2])
        assert new == ("Bob plays 10♣" if language == "en" else "Bobが10♣を出す")


def test_a_long_move_goes_on_above_its_keys(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("pinochle", NAMES[:2])) as table:
        for line in ("dealer 1", "deal", "1 count 140"):
            submit(table.table, line, "test")
        table.press("hold# 2")
        assert table.controller.lines() == (
            "Ann counts 140",
            "A< B> #new Dout",
            "in tricks",
            "A< B> #new Dout",
        )


def test_a_bid_that_is_too_high_is_not_taken(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("pinochle", NAMES[:3]), board="classic-3") as table:
        for line in ("dealer 1", "deal"):
            submit(table.table, line, "test")
        ear = listen(table)
        before = table.table.record.moves
        table.press("# 3 0 0 0")
        reason = "30000 is too much here: at most 1300 is possible"
        assert f"hash will not be accepted: {reason}" in keys(table, ear, "hold3")
        assert keys(table, ear, "#").startswith(f"{reason}. How much does Bob bid?")
        assert table.table.record.moves == before
        table.press("# 3 0 #")
        assert table.table.record.moves[-1] == table.table.parse("2 bid 300")


def test_a_bid_in_tens_says_so_after_the_key(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("pinochle", NAMES[:3]), board="classic-3") as table:
        for line in ("dealer 1", "deal"):
            submit(table.table, line, "test")
        ear = listen(table)
        assert keys(table, ear, "B") == "Bob: points and hash. a bid in units of 10"
        table.press("3 0 #")
        assert table.table.record.moves[-1] == table.table.parse("2 bid 300")
        assert keys(table, ear, "B") == "Bob: points and hash", "it is another's turn to bid"


def test_the_points_of_a_deal_are_no_bid_of_ten_times_as_many(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("pinochle", NAMES[:3]), board="classic-3") as table:
        for line in ("dealer 1", "deal"):
            submit(table.table, line, "test")
        table.press("B 3 1 0 #")
        assert table.table.record.moves[-1] == table.table.parse("2 peg 310")


def test_scores_of_three_that_do_not_fit_go_on_on_the_next_page(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("pinochle", NAMES[:3]), board="classic-3") as table:
        for line in ("dealer 1", "1 adjust +560", "2 adjust +100", "3 adjust +350"):
            submit(table.table, line, "test")
        assert table.controller.lines() == ("Deal?", "Ann 560 Bob 100", "Deal?", "Cleo 350")
        table.press("hold# 9")
        assert table.controller.lines()[1::2] == ("Ann 560 Bob 100", "Cleo 350")


def test_the_small_display_has_the_games_by_their_titles(table: KeyedTable) -> None:
    table.press("hold# 4")
    shown = " ".join(table.controller.lines())
    assert "3Costly Colours" in shown
    assert "costly-colours" not in shown
    table.controller.language = "ja"
    assert "4クリベッジ" in " ".join(table.controller.lines())


def test_what_is_corrected_is_one_row_if_it_fits(table: KeyedTable) -> None:
    submit(table.table, "starter 5", "test")
    table.press("hold# 2 #")
    assert table.controller.lines() == ("The starter is 5", "_")


def test_why_a_correction_is_not_accepted_is_said_once(table: KeyedTable) -> None:
    for line in ("starter 5D", "2 show 4 5 5 6"):
        submit(table.table, line, "test")
    ear = listen(table)
    assert "not be accepted" in keys(table, ear, "hold# 2 # 5 5 5 5")
    aloud = keys(table, ear, "hold3")
    assert aloud.count("not be accepted") == 1, aloud
    table.press("*")
    assert keys(table, ear, "hold# 2 # 6 7 8 9") == "nine. Now: Bob shows six, seven, eight, nine"
    aloud = keys(table, ear, "#")
    assert "one: flush, 13. two: flush with the starter, 14. star: type it again" in aloud


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "A score of 999 is not possible here. Possible: "),
        ("ja", "ここで999点はありえません。ありえるのは"),
    ],
)
def test_trick_points_that_cannot_be_are_refused_as_such(
    language: str, said: str, tmp_path: Path
) -> None:
    """The refusal was about points entered without bids, in the words of a record's lines."""
    settings = TableSettings("klaberjass", NAMES[:2], language=language)
    with keyed(tmp_path, settings) as table:
        table.press("# 1 # # 2 # 3 A # 1 A 7 5 #")
        ear = listen(table)
        aloud = keys(table, ear, "B 9 9 9 #")
        assert aloud.startswith(said), aloud
        assert ", " not in aloud or language == "en", aloud


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "The players can be changed only before"), ("ja", "プレイヤーを変えられるのは、")],
)
def test_players_are_refused_in_a_game_without_a_word_of_the_record(
    language: str, said: str, table: KeyedTable
) -> None:
    table.controller.language = language
    ear = listen(table)
    assert keys(table, ear, "hold# 3 2 1 #").startswith(said)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_goodnight_asks_nothing(language: str, table: KeyedTable) -> None:
    table.controller.language = language
    ear = listen(table)
    table.press("A 8 # hold# 0")
    assert not [one for one in keys(table, ear, "#").split("。") if "？" in one or "?" in one]


@pytest.mark.parametrize("typed", ["#", "B 6 7 8 9", "*", "hold# 4", "hold# 3", "hold# 5"])
def test_with_every_key_told_no_choice_is_told_twice(typed: str, table: KeyedTable) -> None:
    submit(table.table, "starter 5D", "test")
    ear = Ear()
    Voice(table.controller, VoiceSettings(level="everything")).join(ear)
    table.clock.run(0.05)
    table.press(typed)
    told = ear.heard()
    assert len(told) == len(set(told)), told


def test_suits_of_one_rank_are_heard_as_one(table: KeyedTable) -> None:
    cards = table.table.parse("1 show AS AH AD AC").cards
    assert spoken.possible(cards, "en") == "ace"
    cards = table.table.parse("1 show 7D 7H 8S 9C").cards
    assert (
        spoken.possible(cards, "en")
        == "seven of diamonds and hearts, eight of spades, nine of clubs"
    )
    assert spoken.possible(cards, "ja") == "ダイヤとハートの7、スペードの8、クラブの9"
