"""The documents' promises: every command has an example, every example runs, every link
resolves."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from click import Command, Context, Group, Option
from click.testing import CliRunner

from boardctl.commands import main

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("*/README.md")])
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def commands(name: str = "", command: Command = main) -> dict[str, Command]:
    """Return every command by its typed words, and after it the commands of each group."""
    found = {name: command} if name else {}
    if isinstance(command, Group):
        with Context(command) as context:
            for more in command.list_commands(context):
                inner = command.get_command(context, more)
                assert inner is not None
                found |= commands(f"{name} {more}".strip(), inner)
    return found


COMMANDS = commands()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_an_example_and_explains_its_options(name: str) -> None:
    done = CliRunner().invoke(main, [*name.split(), "--help"])
    assert done.exit_code == 0
    examples = done.output.partition("\n  Example")[2].partition("\n\n")[0]
    heading, *lines = examples.splitlines()
    assert heading == ("s:" if len(lines) > 1 else ":")
    assert lines
    assert all(f"boardctl {name.split()[0]} " in f"{line} " for line in lines)
    options = [one for one in COMMANDS[name].params if isinstance(one, Option)]
    assert [one.opts for one in options if not one.help] == []
    assert not re.search(r" TEXT\b| <\w", done.output), "what is to be typed has a name"


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name != "CHANGELOG.md"],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_a_command_that_is_written_with_its_options_has_all_that_it_needs(page: Path) -> None:
    """The command as it used to be written, without a required option, was refused."""
    text = " ".join(page.read_text("utf-8").split())
    for typed in re.findall(r"`(?:sudo )?boardctl (\w[^`…]*--[^`…]*)`", text):
        words = typed.split()
        name = next(n for k in (3, 2, 1) if (n := " ".join(words[:k])) in COMMANDS)
        options = [one for one in COMMANDS[name].params if isinstance(one, Option)]
        known = {opt for one in options for opt in (*one.opts, *one.secondary_opts)}
        asked = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert asked <= known | {"--help", "--version"}, typed
        assert all(asked & {*one.opts} for one in options if one.required), typed


def shell_lines() -> list[str]:
    """Return the commands that the README gives for a shell with the project installed."""
    text = (ROOT / "README.md").read_text("utf-8")
    return [line[2:] for line in text.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("line", shell_lines())
def test_every_line_of_the_readme_runs(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    (tmp_path / "evening.txt").write_text("game cribbage\nseat 1 Ann\nseat 2 Bob\n1 peg 8\n")
    played = CliRunner()
    head, pipe, tail = line.partition("|")
    typed = shlex.split(head)[1] if pipe else None
    words = shlex.split(tail if pipe else head)
    assert words[0] == "boardctl"
    if words[1] == "session":
        play_an_evening(tmp_path / "state")
    done = played.invoke(main, words[1:], input=typed)
    assert done.exit_code == 0, done.output
    assert done.output.strip()


def play_an_evening(data: Path) -> None:
    from tests.tables import keyed

    with keyed(data) as table:
        table.press("A8#")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_status_is_said_in_the_same_words_everywhere() -> None:
    """It is above the README's picture, and on each page with building instructions."""
    said = {
        page: re.findall(
            r"^<!-- status -->\n(.*?)^<!-- end of status -->$",
            (ROOT / page).read_text(),
            re.M | re.S,
        )
        for page in ("README.md", "wiring.md", "docs/image.md", "hardware/README.md")
    }
    assert len({tuple(found) for found in said.values()}) == 1, said
    readme = (ROOT / "README.md").read_text()
    assert readme.index("<!-- status -->") < readme.index("![")
    form = re.search(r"issues/new\?template=([\w-]+\.yml)", *said["README.md"])
    assert form is not None
    assert (ROOT / ".github/ISSUE_TEMPLATE" / form[1]).is_file()


def test_every_picture_is_shown() -> None:
    linked = [
        (page.parent / one).resolve()
        for page in PAGES
        for one in LINK.findall(page.read_text("utf-8"))
    ]
    assert set((ROOT / "docs" / "pictures").iterdir()) <= set(linked)


def test_one_minute_to_the_first_peg(tmp_path: Path) -> None:
    """The keys in the README, in its order, have the described effect."""
    from tests.tables import keyed

    text = (ROOT / "README.md").read_text("utf-8")
    minute = text.partition("the same on the keypad")[2].partition("(Type tens")[0]
    keys = re.findall(r"`([0-9ABCD#*])`", minute)
    with keyed(tmp_path) as table:
        table.press("".join(keys))
        assert table.scores == (8, 23)


def test_the_readmes_count_lessons_and_levels_as_the_code_does() -> None:
    """Eighteen steps and seven levels: the words in the READMEs match the code's numbers."""
    from boardctl.bot import LEVELS, lessons

    words = {7: "seven", 18: "eighteen"}
    steps = len(lessons.load("cribbage").step)
    english = (ROOT / "README.md").read_text("utf-8")
    assert f"teaches cribbage in {words[steps]} small steps" in english
    assert f"a computer player with {words[len(LEVELS)]} levels" in english
    japanese = (ROOT / "README.ja.md").read_text("utf-8")
    assert f"クリベッジを{steps}の小さな段階" in japanese
    assert f"強さは{len(LEVELS)}段階" in japanese


def test_the_history_figures_have_the_bound_of_the_benchmark() -> None:
    from tools.bench import history

    rows = (ROOT / "docs" / "performance.md").read_text("utf-8").splitlines()
    place = next(n for n, row in enumerate(rows) if row.startswith(f"| {history.NAME} |"))
    for row in rows[place : place + 2]:
        assert row.split(" | ")[1] == f"at most {history.MOST}"
        assert float(row.split(" | ")[2].rstrip(" |")) <= history.MOST


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_an_example_of_a_configuration_is_valid_toml(page: Path) -> None:
    """Two examples had been joined into one line, which nobody could have copied."""
    for example in re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        assert tomllib.loads(example)
