"""The options of games as the page offers and sends them. The page can set every option of the
notation, by the same line, and each has words. Pure, apart from a journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl import games, text
from boardctl.console.keypad import Preset
from boardctl.games import IllegalMove, Move, Option, relevant
from boardctl.record import notation
from boardctl.record.record import Record
from boardctl.text import options as words
from boardctl.text.moves import describe
from boardctl.web import state, table_api
from tests.chance import examples
from tests.tables import submit
from tests.web.test_contract import Client
from tests.web.test_live import Board

GUESTS = ("Zoë", "Ida", "Bo", "Uwe")
FORMS = [(game, seats) for game in games.names() for seats in games.find(game).seats]


TWO_SIDES = [form for form in FORMS if form[1] != 3]


def values(option: Option) -> tuple[str, ...]:
    """Return every value of an option; of a range both ends and one between."""
    if option.numbers is None:
        return option.values
    numbers = option.numbers
    return str(numbers[0]), str(numbers[len(numbers) // 2]), str(numbers[-1])


def seating(seats: int) -> list[str]:
    return [f"seat {n} {GUESTS[n - 1]}" for n in (1, 2, 4, 3) if n <= seats]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path)
    yield board
    board.close()


@pytest.mark.parametrize("language", text.LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_every_option_has_plain_words(game: str, language: str) -> None:
    """The names are not those of the notation, and no two in a game are equal. The same applies to
    the values."""
    options = [option for option in games.find(game).options if len(values(option)) > 1]
    names = [words.name(option.name, language) for option in options]
    assert len(set(names)) == len(names)
    for option, name in zip(options, names, strict=True):
        assert f"option.{option.name}" in text.sentences(), option.name
        assert "_" not in name
        labels = [words.value(option.name, value, language) for value in values(option)]
        assert len(set(labels)) == len(labels), option
        assert not any("_" in one for one in labels), option
        for value in option.values:
            codes = {f"value.{option.name}-{value}", f"value.{value}"}
            assert value.isdigit() or codes & text.sentences().keys(), (option.name, value)


def test_an_option_that_nobody_named() -> None:
    """A game may be a single file. Its options are then shown as words from their codes."""
    assert words.name("most_points") == "Most points"
    assert words.value("most_points", "not_all") == "not all"
    move = Move("set", words=("most_points", "6"))
    assert describe(move) == "Rule “Most points”: 6"


def test_the_steps_of_a_range_are_told() -> None:
    """A game of another author may have them. 105 is between the ends."""
    option = Option("target", "500", numbers=range(100, 1001, 10))
    assert option.allowed == "100 to 1000 in steps of 10"
    with pytest.raises(IllegalMove, match="no-such-value") as refused:
        table_api.check_value(option, "105")
    sentence = "Points to win cannot be “105”; it may be 100 to 1000, in steps of 10."
    assert text.refusal(refused.value) == sentence


def test_rules_that_belong_to_another() -> None:
    """Every option named by `only_if` exists, has that value, and has no `only_if` itself."""
    for name in games.names():
        options = {option.name: option for option in games.find(name).options}
        for option in options.values():
            assert set(option.seats) <= set(games.find(name).seats)
            if option.only_if is not None:
                other, value = option.only_if
                assert options[other].allows(value)
                assert options[other].only_if is None


@pytest.mark.parametrize(("game", "seats"), TWO_SIDES)
def test_every_value_is_the_line_of_the_notation(board: Board, game: str, seats: int) -> None:
    """The page's request and a line lead to the same position."""
    table, record = board.table, Record()
    players = list(GUESTS[:seats])
    for line in (f"game {game}", *seating(seats)):
        record.read(line)
    table_api.begin(table, game, players, table.number)
    for option in games.find(game).options:
        for value in (*values(option), option.default):
            before = table.number
            line = f"set {option.name} {value}"
            now = record.position.options.get(game, {}).get(option.name, option.default)
            record.read(line)
            receipts = table_api.begin(table, game, players, before, {option.name: value})
            assert [notation.spell(receipt.report.move) for receipt in receipts] == [line] * (
                value != now
            )
            assert table.position.setup == record.position.setup


CHOICES = st.sampled_from(TWO_SIDES).flatmap(
    lambda form: st.tuples(
        st.just(form),
        st.fixed_dictionaries(
            {},
            optional={
                option.name: st.sampled_from(values(option))
                for option in games.find(form[0]).options
            },
        ),
        st.booleans(),
    )
)


@settings(max_examples=examples(25))
@given(evening=st.lists(CHOICES, max_size=5))
def test_an_evening_of_games(
    tmp_path_factory: pytest.TempPathFactory,
    evening: list[tuple[tuple[str, int], Mapping[str, str], bool]],
) -> None:
    """In games begun one after another with any choices, the last choice is carried over, and the
    state lists the differences from the defaults."""
    board = Board(tmp_path_factory.mktemp("evening"))
    agreed: dict[str, dict[str, str]] = {}
    try:
        for (name, seats), chosen, deal in evening:
            game = games.find(name)
            table_api.begin(board.table, name, list(GUESTS[:seats]), board.table.number, chosen)
            now = {option.name: option.default for option in game.options}
            now |= agreed.get(name, {}) | dict(chosen)
            agreed[name] = now
            setup = board.table.position.setup
            assert setup is not None
            assert setup.options == now
            rules = state.rules(board.table.position, "en")
            assert {rule["name"]: rule["value"] for rule in rules} == {
                option.name: now[option.name]
                for option in relevant(game, seats, now)
                if now[option.name] != option.default
            }
            offered = table_api.games_to_choose(board, "en")["games"]
            listed = next(one for one in offered if one["name"] == name)["options"]
            assert {one["name"]: one["now"] for one in listed}.items() <= now.items()
            if deal:
                submit(board.table, "dealer 1", "test")
                submit(board.table, "deal", "test")
    finally:
        board.close()


def test_what_is_not_an_option(board: Board) -> None:
    """Each gets one sentence, and nothing changes."""
    number = board.table.number
    players = ["Zoë", "Ida"]
    for wrong, code in (
        ({"jokers": "on"}, "no-such-option"),
        ({"muggins": "maybe"}, "no-such-value"),
        ({"target": "1" * 400}, "no-such-value"),
        ({"target": "９９"}, "no-such-value"),
        ({"muggins": True}, "no-such-value"),
        ({"muggins": ["off"]}, "no-such-value"),
        ({"muggins off #": "on"}, "no-such-option"),
        ({"muggins": "off\nundo"}, "no-such-value"),
    ):
        with pytest.raises(IllegalMove) as refused:
            table_api.begin(board.table, "cribbage", players, number, wrong)
        assert refused.value.code == code, wrong
        assert board.table.number == number
        for language in text.LANGUAGES:
            assert "\n" not in text.refusal(refused.value, text.Reader(language))


def test_the_request(board: Board) -> None:
    """`options` may be omitted; anything but an object is refused."""
    client = Client(board)
    body = {"game": "cribbage", "players": ["Zoë", "Ida"], "expect": 0}
    wrongs: list[Any] = [[], "muggins", 1, None]
    for wrong in wrongs:
        answer = client.post("/table", json={**body, "options": wrong})
        assert answer.status_code == 400
        assert "options (an object)" in answer.json()["error"]["message"]
    answer = client.post("/table", json={**body, "options": {"target": "7"}})
    message = "Points to win cannot be “7”; it may be 31 to 121."
    assert answer.json() == {"refused": {"code": "no-such-value", "message": message}}
    assert client.post("/table", json=body).json()["state"]["rules"] == []


def test_presets_are_offered(board: Board) -> None:
    sunday = Preset("Sunday", "cribbage", {"muggins": "full"})
    board.controller.settings = board.controller.settings._replace(presets=(sunday,))
    offered = table_api.games_to_choose(board, "en")
    assert offered["presets"][0] == {
        "name": "Sunday",
        "game": "cribbage",
        "options": {"muggins": "full"},
        "seats": [],
        "own": False,
    }
    named = [preset["name"] for preset in offered["presets"][1:]]
    assert "Cribbage: American Cribbage Congress" in named
    assert len(named) == sum(len(games.find(name).tables) for name in games.names())


@pytest.mark.parametrize("name", games.names())
def test_a_named_table_sets_every_option_to_a_value_that_it_has(name: str) -> None:
    game = games.find(name)
    known = {option.name: option for option in game.options}
    assert len({tuple(table.options) for table in game.tables}) <= 1, "one replaces another"
    for table in game.tables:
        assert set(table.options) <= set(known)
        assert set(table.seats) <= set(game.seats)
        for option, value in table.complete(game.options).items():
            assert known[option].allows(value), (table.name, option)
        for language in text.LANGUAGES:
            assert words.table(table.name, language)
