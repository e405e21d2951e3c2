"""`boardctl score`: every combination, counted aloud, and its refusals."""

from __future__ import annotations

import json
from typing import Any
from unicodedata import east_asian_width

import pytest
from click.testing import CliRunner

from boardctl.commands import main
from boardctl.text.counting import number


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["score", *words])


def test_parletts_hand_as_json() -> None:
    result = run("5H", "5D", "6S", "JC", "--starter", "7C", "--json")
    answer = json.loads(result.output)
    assert result.exit_code == 0
    assert answer["total"] == 13 == sum(item["points"] for item in answer["items"])
    assert [item["kind"] for item in answer["items"]] == [
        *("fifteen", "fifteen", "pair", "run", "run", "nobs")
    ]
    assert answer["items"][3] == {"kind": "run", "cards": ["5H", "6S", "7C"], "points": 3}
    assert answer["spoken"] == (
        "fifteen two, fifteen four, pair is six, run of three is nine, "
        "run of three is twelve, and one for his nob is thirteen"
    )


def test_parletts_hand_in_the_seeds_own_language() -> None:
    assert run("5H 5D 6S JC", "--starter", "7C", "--lang", "ja").output.splitlines()[-1] == (
        " 13  フィフティーンで2、フィフティーンで4、ペアで6、シークエンスで9、"
        "シークエンスで12、ヒズ・ノブで13"
    )


@pytest.mark.parametrize(
    ("words", "spoken"),
    [
        (("2S 4S 8H QD", "--starter", "JD"), "nothing"),
        (("2S 4S 8S JD", "--starter", "QD"), "one for his nob"),
        (("2S 4S 8S", "--starter", "QS"), "flush of four is four"),
        (("A 4 8 8", "--starter", "K"), "fifteen two, pair is four"),
        (("9S 9H 9D KH", "--starter", "9C"), "double pair royal is twelve"),
        (("9S 9H 9D KH", "--starter", "JC"), "pair royal is six"),
        (("AS 2S 3S 4S", "--starter", "5S", "--crib"), "flush of five is twelve"),
    ],
)
def test_spoken(words: tuple[str, ...], spoken: str) -> None:
    assert json.loads(run(*words, "--json").output)["spoken"].endswith(spoken)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("5H 5H 6S JC", "--starter", "7C"), "5H is repeated"),
        (("5H 5D 6S JC", "--starter", "JC"), "JC is repeated"),
        (("5H 5X 6S JC", "--starter", "7C"), "“5X”"),
        (("5H 5Da 6S JC", "--starter", "7C"), "“5Da”"),
        (("5H 5D 6S JC", "--starter", "?"), "“?”"),
        (("5 5 5 5", "--starter", "5"), "5 is given five times"),
        (("5H 5D", "--starter", "7C"), "got 2"),
        (("5H 5D 6S", "--starter", "7C", "--crib"), "got 3"),
        (("A 4 8 J", "--starter", "K"), "flush, his nobs depend on suits"),
    ],
)
def test_a_mistake_is_one_sentence(words: tuple[str, ...], names: str) -> None:
    result = run(*words)
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert names in result.output
    assert result.output.count("\n") == 1


@pytest.mark.parametrize(
    ("n", "words"),
    [
        (0, "nothing"),
        (13, "thirteen"),
        (20, "twenty"),
        (29, "twenty-nine"),
        (99, "ninety-nine"),
        (100, "a hundred"),
        (121, "a hundred and twenty-one"),
        (199, "a hundred and ninety-nine"),
    ],
)
def test_numbers_as_they_are_said(n: int, words: str) -> None:
    assert number(n) == words


def test_columns_of_wide_letters_stand_under_one_another() -> None:
    """A Japanese letter takes two columns of a terminal."""
    rows = run("5H 5S 5C JD", "--starter", "5D", "--lang", "ja").output.splitlines()[:-1]
    columns = {
        sum(2 if east_asian_width(letter) in "WF" else 1 for letter in row[: row.rindex("  ") + 2])
        for row in rows
    }
    assert len(rows) == 10
    assert len(columns) == 1


def test_the_help_lists_every_command_in_whole_sentences() -> None:
    done = CliRunner().invoke(main, ["--help"]).output
    assert "..." not in done.partition("Commands:")[2]
    assert "Play one seat of a game: read lines in the table notation and" in done
