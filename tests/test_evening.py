"""A whole evening in virtual time: every key from the contact to the decoded LEDs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl.app import simulation
from boardctl.app.config import Config
from boardctl.app.simulation import TAP, KeysError, Simulation, Stroke
from boardctl.commands import main
from boardctl.record.record import Record
from boardctl.storage.journal import read_sessions
from tests.players import RandomHands


def test_an_evening_is_walked_from_contact_to_light(tmp_path: Path) -> None:
    hands = RandomHands(1)
    games = 0
    with Simulation(Config(telling="cards"), tmp_path) as evening:
        controller, table = evening.board.controller, evening.board.table
        presses = 0
        while games < 2:
            evening.press(Stroke(hands.keys(controller.keypad_state, controller.view), TAP))
            presses += 1
            refused = controller.keypad_state.refused  # used ranks are not tracked
            assert refused is None or refused.code == "too-many-of-rank", refused
            if presses % 20 == 0 or table.position.over:
                evening.settle()
                seen = evening.observe("")
                for side, score in enumerate(table.position.scores, 1):
                    assert seen["lit"].get(f"track{side}.front", 0) == min(score, 121)
                    won = table.position.tally.won[side - 1]
                    assert seen["lit"].get(f"track{side}.won", 0) == won
            games += table.position.over and controller.keypad_state.mode == "rest"
            if games == 1 and table.position.over:
                evening.press(Stroke("#", TAP))
        assert presses > 200
        kept = evening.board.table.record.moves
    again = Record()
    ((_, entries),) = read_sessions(tmp_path)
    for entry in entries:
        again.read(entry.text)
    assert again.moves == kept, "the journal tells the same evening"


def test_keys_are_read_from_a_file() -> None:
    typed = list(simulation.strokes(["A 8 #  // Ann", "hold D 1s wait 2.5s", "", "b"]))
    assert typed == [
        Stroke("A", TAP),
        Stroke("8", TAP),
        Stroke("#", TAP),
        Stroke("D", 1.0),
        Stroke(None, 2.5),
        Stroke("B", TAP),
    ]
    assert list(map(str, typed))[3:5] == ["hold D 1s", "wait 2.5s"]


@pytest.mark.parametrize("words", ["A E #", "hold", "hold D", "hold D fast", "wait", "wait 2"])
def test_a_wrong_word_names_its_line(words: str) -> None:
    with pytest.raises(KeysError, match="line 2"):
        list(simulation.strokes(["A 8 #", words]))


def test_simulate_tells_what_is_seen_after_each_key() -> None:
    done = CliRunner().invoke(main, ["simulate", "-", "--json"], input="A 8 #  B 1 2 #\nA 2 #")
    assert done.exit_code == 0, done.output
    seen = [json.loads(line) for line in done.output.splitlines()]
    assert [key["key"] for key in seen] == list("A8#B12#A2#")
    assert seen[-1]["scores"] == [10, 12]
    assert seen[-1]["lit"]["track1.front"] == 10
    assert seen[-1]["lit"]["track1.back"] == 8
    assert "track2.back" not in seen[-1]["lit"], "the rear peg stands in its start hole"
    assert "track1.front" not in seen[0]["lit"]
    assert all(len(line) <= 16 for key in seen for line in key["prompt"])
    assert all(key["pages"][0] == key["prompt"] for key in seen)


def test_simulate_tells_every_page_of_the_display() -> None:
    """It printed the page shown after the pages had turned for eight seconds."""
    done = CliRunner().invoke(main, ["simulate", "-"], input="hold # 1s")
    assert done.exit_code == 0, done.output
    said = done.output.partition("Menu | ")[2]
    assert said.startswith("2fix 7games 0bye | #hint "), done.output
    assert "8phone" in said, done.output
    assert "Menu" not in said, "the question is printed once"


def test_simulate_refuses_in_a_sentence(tmp_path: Path) -> None:
    wrong = CliRunner().invoke(main, ["simulate", "-"], input="A X #")
    assert wrong.exit_code == 1
    assert "“X” is not a key" in wrong.output
    wrong = CliRunner().invoke(main, ["simulate", "-", "--layout", "round"], input="A")
    assert wrong.exit_code == 1
    assert "round" in wrong.output


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Ann pegs 8. Who deals? Press hash"),
        ("ja", "Annに8点。ディーラーは？ シャープで決定"),
    ],
)
def test_simulate_tells_what_is_said_where_a_voice_is_configured(
    language: str, said: str, tmp_path: Path
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'language = "{language}"\n[voice]\ndriver = "espeak"\n', "utf-8")
    keys, wanted = "A 8 # hold 2 1.2s", ["simulate", "-", "--config", str(config)]
    done = CliRunner().invoke(main, [*wanted, "--json"], input=keys)
    assert done.exit_code == 0, done.output
    seen = [json.loads(line) for line in done.output.splitlines()]
    assert seen[2]["said"] == [said]
    assert len(seen[3]["said"]) == 1, "a held key is answered"
    assert said in CliRunner().invoke(main, wanted, input=keys).output
    silent = CliRunner().invoke(main, ["simulate", "-", "--json"], input="A")
    assert "said" not in json.loads(silent.output)
