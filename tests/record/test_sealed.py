"""The sealed shuffle: the same for everybody, fair, and verified against a record."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl.commands import main
from boardctl.games.cards import CARDS, spell
from boardctl.record import sealed

SECRET = bytes(range(32))


def test_a_deal_is_fixed_by_secret_cut_and_number() -> None:
    one = sealed.deal(SECRET, "seven", 1)
    assert one == sealed.deal(SECRET, "seven", 1)
    others = [
        sealed.deal(SECRET, "eight", 1),
        sealed.deal(SECRET, "seven", 2),
        sealed.deal(bytes(32), "seven", 1),
    ]
    assert one not in others
    assert sorted((*one.hands[0], *one.hands[1], one.starter, *one.rest)) == sorted(CARDS)


def test_every_card_comes_to_every_place_alike() -> None:
    """In 2,000 packs the deviation of the top card's frequencies is consistent with chance."""
    times = Counter(sealed.shuffled(SECRET, "", number)[0] for number in range(2000))
    mean = 2000 / 52
    square = sum((times[card] - mean) ** 2 / mean for card in CARDS)
    assert 25 < square < 85  # chi-squared with 51 degrees of freedom: 0.1 % to 99.8 %


def test_a_commitment_is_the_secrets_alone() -> None:
    assert sealed.commitment(SECRET) != sealed.commitment(bytes(32))
    with pytest.raises(ValueError, match="32 bytes"):
        sealed.commitment(b"short")


def record(tmp_path: Path, change: bool = False) -> Path:
    lines = ["game cribbage", "seat 1 A", "seat 2 B", "dealer 1", "deal"]
    dealt = sealed.deal(SECRET, "seven", 1)
    hand = dealt.hands[1] if not change else (dealt.rest[0], *dealt.hands[1][1:])
    lines += [f"1 hand {spell(dealt.hands[0])}", f"2 hand {spell(hand)}"]
    lines += [f"starter {dealt.starter}"]
    path = tmp_path / "game.txt"
    path.write_text("\n".join(lines))
    return path


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["sealed", *words])
    return done.exit_code, done.output


def test_a_record_is_verified(tmp_path: Path) -> None:
    found = sealed.commitment(SECRET)
    game = str(record(tmp_path))
    code, output = run("verify", found, SECRET.hex(), game, "--cut", "seven")
    assert (code, "the cards match the secret" in output) == (0, True)
    code, output = run("verify", found, SECRET.hex(), game, "--cut", "eight")
    assert code == 1
    assert output.startswith("Error: deal 1: `1 hand")
    code, output = run("verify", found, SECRET.hex(), str(record(tmp_path, True)), "--cut", "seven")
    assert code == 1
    assert "`2 hand" in output
    assert run("verify", found, SECRET.hex())[0] == 0


def test_a_game_of_two_secrets_is_verified_in_parts(tmp_path: Path) -> None:
    """Players return to a game after its first secret was revealed."""
    game, other = record(tmp_path), bytes(32)
    dealt = sealed.deal(other, "nine", 2)
    with game.open("a") as lines:
        lines.write("\nmisdeal\ndeal\n")
        lines.write(f"1 hand {spell(dealt.hands[0])}\n2 hand {spell(dealt.hands[1])}\n")
    first = ("verify", sealed.commitment(SECRET), SECRET.hex(), str(game), "--cut", "seven")
    last = ("verify", sealed.commitment(other), other.hex(), str(game), "--cut", "nine")
    assert run(*first)[1].startswith("Error: deal 2: `1 hand")
    assert run(*first, "--last", "1")[0] == 0
    assert run(*last)[0] == 1
    assert run(*last, "--first", "2")[0] == 0


def test_another_secret_is_found_out() -> None:
    assert run("verify", sealed.commitment(SECRET), bytes(32).hex()) == (
        1,
        "Error: the secret does not belong to the code that was shown before the game\n",
    )
    code, output = run("deal", "nonsense")
    assert (code, output.count("\n")) == (1, 1)


def test_a_new_secret_deals() -> None:
    code, output = run("new")
    assert code == 0
    found, secret = (line.split()[1] for line in output.splitlines())
    assert sealed.commitment(bytes.fromhex(secret)) == found
    code, output = run("deal", secret, "--number", "3")
    assert [line.split()[0] for line in output.splitlines()] == ["1", "2", "starter"]


def test_what_to_verify_is_told_once() -> None:
    code, output = run("verify", sealed.commitment(SECRET))
    assert code == 2
    assert "or --far FILE" in output
    code, output = run("verify", sealed.commitment(SECRET), SECRET.hex(), "--far", "-")
    assert code == 2
    assert "do not give another" in output
