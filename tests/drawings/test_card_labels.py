"""Labels for cards in braille: each card is told apart, and the dots fit at full scale."""

from __future__ import annotations

from itertools import combinations
from math import dist
from pathlib import Path

from click.testing import CliRunner

from boardctl.board.sheet import Circle
from boardctl.drawings import braille, card_labels
from boardctl.drawings.commands.draw import command
from boardctl.games.cards import CARDS, parse_card


def test_cards_have_the_cells_that_readers_of_braille_know() -> None:
    """The examples are those of "Read Again": gh, ic, fd, es, ac, kh, qd, bc and xs."""
    letters = dict(zip("abcdefghijkqsx", "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠟⠎⠭", strict=True))
    for card, written in {
        "7H": "gh", "9C": "ic", "6D": "fd", "5S": "es", "AC": "ac",
        "KH": "kh", "QD": "qd", "2C": "bc", "TS": "xs",
    }.items():  # fmt: skip
        assert card_labels.cells(parse_card(card)) == "".join(letters[one] for one in written)


def test_each_card_has_cells_of_its_own() -> None:
    assert len({card_labels.cells(card) for card in CARDS}) == 52


def test_the_dots_are_on_their_label_in_true_scale() -> None:
    sheet = card_labels.labels()
    for card in CARDS:
        wanted = list(card_labels.places(card))
        for x, y in wanted:
            assert braille.DOT / 2 < x < card_labels.WIDTH - braille.DOT / 2
            assert braille.DOT / 2 < y < card_labels.HEIGHT - braille.DOT / 2
        near = [dist(*pair) for pair in combinations(wanted, 2)]
        assert min(near, default=braille.APART) > braille.APART - 1e-6
        drawn = [one for one in sheet.shapes if isinstance(one, Circle) and one.name == str(card)]
        assert len(drawn) == 2 * len(wanted), "one label for each of two corners"


def test_the_command_draws_them(tmp_path: Path) -> None:
    out = tmp_path / "cards.svg"
    result = CliRunner().invoke(command, ["cards", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "10♠" in out.read_text("utf-8")
