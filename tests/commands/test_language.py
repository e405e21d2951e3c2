"""The language of commands: the configuration's, else the terminal's, else English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl import text
from boardctl.app import config as configuration
from boardctl.app import config_file, daemon
from boardctl.commands import main
from boardctl.commands.shared.user_language import ENVIRONMENT, boards_language, language
from tests.bot.test_analysis import PEGS_OUT
from tests.record.test_history import opened
from tests.tables import submit

ENGLISH = re.compile(
    r"(?<![-\w])(the|is|are|and|which|written|won|round|players?|results?)(?![-\w])", re.IGNORECASE
)


@pytest.fixture(autouse=True)
def nothing_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without a configuration, and a terminal without a language."""
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(config_file, "DEFAULT_PATHS", (tmp_path / "config.toml",))


def test_the_configuration_goes_before_the_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert language() == "en"
    for value, spoken in (("ja_JP.UTF-8", "ja"), ("ja", "ja"), ("de_DE", "en"), ("C.UTF-8", "en")):
        monkeypatch.setenv("LANG", value)
        assert language() == spoken
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    monkeypatch.setenv("LC_ALL", "C")
    assert language() == "en"
    monkeypatch.setenv("LC_ALL", "")
    assert language() == "ja"
    (tmp_path / "config.toml").write_text('language = "en"\n')
    assert language() == "en"
    (tmp_path / "config.toml").write_text('language = "ja"\n')
    monkeypatch.setenv("LANG", "C")
    assert language() == "ja"
    (tmp_path / "config.toml").write_text("language = ")
    assert language() == "en"


@pytest.mark.parametrize("written", ['players = ["Ann", "Bob"]', "language = ", 'language = "fr"'])
def test_a_configuration_without_a_language_leaves_it_to_the_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, written: str
) -> None:
    """This is the commands' language; the board itself and its labels then use English."""
    (tmp_path / "config.toml").write_text(written)
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert language() == "ja"
    assert boards_language() == configuration.Config().language == "en"
    shown = CliRunner().invoke(main, ["games", "cribbage"]).output
    assert "クリベッジ" in shown


def test_setting_up_speaks_japanese_to_a_japanese_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    path = tmp_path / "new.toml"
    words = ["setup", "--config", str(path)]
    answers = "classic-9\n" + "\n" * 3 + "wled\n\ngpio_buttons\n\nabc\n\n\ny\n\n"
    done = CliRunner().invoke(main, words, answers)
    assert done.exit_code == 0, done.output
    assert configuration.load(path).language == "ja"
    shown = done.output.replace(str(path), "")
    assert [line for line in shown.splitlines() if ENGLISH.search(line)] == []
    assert "「classic-9」" in shown
    again = CliRunner().invoke(main, [*words, "--yes"])
    assert str(path.with_name("new.toml.old")) in again.output
    assert [line for line in again.output.splitlines() if ENGLISH.search(line)] == []


def test_yes_may_be_typed_in_japanese(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    path = tmp_path / "new.toml"
    answers = "\n" * 3 + "wled\n\ngpio_buttons\n\n\n\nはい\n\n"
    done = CliRunner().invoke(main, ["setup", "--config", str(path)], answers)
    assert done.exit_code == 0, done.output
    assert configuration.load(path).page.host == "0.0.0.0"


def test_setting_up_goes_on_in_the_language_that_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    answers = "\n\nja\nwled\n\ngpio_buttons\n\n\n\n\n"
    shown = CliRunner().invoke(main, ["setup", "--config", str(path)], answers).output
    before, _, after = shown.partition("Which language?")
    assert "Which board?" in before
    assert [line for line in after.splitlines()[4:] if ENGLISH.search(line)] == []


def test_an_evening_is_printed_in_the_boards_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with opened(tmp_path / "data") as table:
        for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "1 peg 5"):
            submit(table, line, "test")
        submit(table, "1 resign", "test")
        for line in ("game bezique", "seat 1 Ann", "seat 2 Bob", "dealer 1", "1 resign"):
            submit(table, line, "test")
    words = ["session", "--data", str(tmp_path / "data")]
    shown = CliRunner().invoke(main, words).output
    assert re.search(r"1  Cribbage +Ann 5  Bob 0   Bob won\n", shown)
    assert re.search(r"2  Bezique +Ann 0  Bob 0   Bob won\n", shown)
    assert "games won: Ann 0  Bob 2" in shown
    (tmp_path / "config.toml").write_text('language = "ja"\n')
    shown = CliRunner().invoke(main, words).output
    assert not ENGLISH.search(shown)
    assert "クリベッジ" in shown


def test_the_computer_player_has_one_name_in_a_language(tmp_path: Path) -> None:
    """This includes the lists and reviews in a terminal."""
    (tmp_path / "config.toml").write_text('language = "ja"\n')
    lines = ("session friday", *PEGS_OUT.replace("seat 2 Bob", "seat 2 The board").splitlines())
    with opened(tmp_path / "data") as table:
        for line in lines:
            submit(table, line, "test")
    for words in ("session", "games --played", "review 1"):
        done = CliRunner().invoke(main, [*words.split(), "--data", str(tmp_path / "data")])
        assert "盤" in done.output
        assert "The board" not in done.output


@pytest.mark.parametrize(("spoken", "unfinished"), [("en", "unfinished"), ("ja", "途中")])
def test_an_evening_has_aligned_games_and_one_that_goes_on_is_no_draw(
    tmp_path: Path, spoken: str, unfinished: str
) -> None:
    (tmp_path / "config.toml").write_text(f'language = "{spoken}"\n')
    with opened(tmp_path / "data") as table:
        for game in ("costly-colours", "cribbage"):
            for line in (f"game {game}", "seat 1 Ann", "seat 2 Bob", "dealer 1", "1 peg 5"):
                submit(table, line, "test")
            if game == "costly-colours":
                submit(table, "1 resign", "test")
    shown = CliRunner().invoke(main, ["session", "--data", str(tmp_path / "data")]).output
    first, second = (line for line in shown.splitlines() if "Ann 5" in line)
    assert second.endswith(unfinished)
    assert len({text.columns(line.partition("Ann")[0]) for line in (first, second)}) == 1


def test_an_evening_without_a_finished_game_is_printed(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as table:
        for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob"):
            submit(table, line, "test")
    done = CliRunner().invoke(main, ["session", "--data", str(tmp_path / "data")])
    assert done.exit_code == 0, done.output


def test_a_club_speaks_and_prints_in_the_organisers_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    store = ["--store", str(tmp_path / "club.sqlite3")]

    def run(*words: str) -> str:
        return CliRunner().invoke(main, ["club", *words, *store]).output

    assert not ENGLISH.search(run("draw"))
    for line in ("new 例会 Ann Bob 花子", "draw", "draw", "standings"):
        assert not ENGLISH.search(run(*line.split()).replace("--anyway", "")), line
    assert not ENGLISH.search(run("conflicts") + run("enter", "太郎"))
    printed = {}
    for words in ((), ("--language", "ja"), ("--language", "en")):
        run("sheet", str(tmp_path / "sheet.pdf"), *words)
        printed[words] = (tmp_path / "sheet.pdf").read_bytes()
    assert printed[()] == printed["--language", "ja"] != printed["--language", "en"]


def test_labels_are_in_the_boards_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def drawn(*words: str) -> bytes:
        out = tmp_path / "labels.svg"
        CliRunner().invoke(main, ["draw", "labels", "--out", str(out), *words])
        return out.read_bytes()

    english, japanese = drawn("--language", "en"), drawn("--language", "ja")
    assert drawn() == english != japanese
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert drawn() == japanese
    named = tmp_path / "named.toml"
    for written in ('language = "en"\n', 'game = "cribbage"\n'):
        named.write_text(written)
        assert drawn("--config", str(named)) == english


def test_a_count_is_said_in_the_terminals_language_and_its_json_is_the_same_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run(*words: str) -> str:
        return (
            CliRunner()
            .invoke(main, ["score", "5H", "5D", "6S", "JC", "--starter", "7C", *words])
            .output
        )

    english, data = run(), run("--json")
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert run() == run("--lang", "ja") != english
    assert run("--json") == data


def test_a_simulated_board_without_a_configuration_speaks_the_terminals_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    spoken = []

    async def run(chosen: configuration.Config, *more: object) -> None:
        spoken.append(chosen.language)

    monkeypatch.setattr(daemon, "run", run)
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    for words in ((), ("--lang", "en")):
        CliRunner().invoke(main, ["run", "--sim", "--data", str(tmp_path), *words])
    (tmp_path / "config.toml").write_text('language = "en"\n')
    CliRunner().invoke(main, ["run", "--sim", "--data", str(tmp_path)])
    assert spoken == ["ja", "en", "en"]


def test_a_board_that_is_configured_while_it_runs_speaks_its_configurations_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The page's setup writes one, and the board restarts."""
    spoken = []

    async def run(chosen: configuration.Config, *more: object) -> str | None:
        spoken.append(chosen.language)
        (tmp_path / "config.toml").write_text('language = "en"\n')
        return "classic-2" if len(spoken) == 1 else None

    monkeypatch.setattr(daemon, "run", run)
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    done = CliRunner().invoke(main, ["run", "--sim", "--data", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert spoken == ["ja", "en"]
