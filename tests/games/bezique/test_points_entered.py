"""A table that only keeps score: melds, sevens, counts and pegs without tricks; and its end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from boardctl.console import keypad
from boardctl.console.keypad import REST, Submit, TableView
from boardctl.games import Move, Telling, find
from boardctl.games.bezique.deal import countable
from boardctl.record import notation
from boardctl.record.record import Record
from tests.games.bezique.shuffled import Table, begin, play_deal, referee
from tests.games.bezique.test_rules import code, earned, record


def look(entered: Record, telling: Telling) -> TableView:
    return TableView(
        prompt=entered.position.prompt,
        seats=("Ann", "Bob"),
        scores=entered.position.scores,
        telling=telling,
        attempt=entered.try_out,
    )


def shown(entered: Record, keys: str) -> str:
    """Return the display's second line after these keys, which enter nothing."""
    view, talk = look(entered, "cards"), REST
    for key in keys:
        talk, _ = keypad.press(talk, view, key)
    return keypad.lines(talk, view)[1]


def press(entered: Record, keys: str, telling: Telling = "points") -> list[str]:
    """Enter a seated player's line with these keys, and return it."""
    said = []
    talk = REST
    for key in keys:
        talk, wish = keypad.press(talk, look(entered, telling), key)
        assert talk.refused is None, talk.refused
        if isinstance(wish, Submit):
            for move in wish.moves:
                said.append(notation.spell(move))
                entered.apply(move)
    return said


def test_a_marriage_in_three_presses_and_a_deals_brisques_in_four() -> None:
    entered = record("bezique", "deal")
    assert press(entered, "A2#") == ["1 peg 20"]
    assert press(entered, "B25#") == ["2 peg 250"]
    assert press(entered, "A11#") == ["1 count 110"]
    assert press(entered, "#") == ["2 count 60"], "what is left is offered"
    assert entered.position.scores == (130, 310)
    assert press(entered, "#") == ["deal"]
    assert press(entered, "#4#") == ["1 count 40"], "opened first, 40 are brisques and no bezique"
    assert press(entered, "#") == ["2 count 130"]


def test_a_trick_entered_by_its_cards_and_a_meld_between_two() -> None:
    entered = record("bezique", "deal")
    assert press(entered, "8B", "cards") == ["turnup 8H"]
    assert press(entered, "1A0A", "cards") == ["1 play AS", "2 play TS"]
    prompt = entered.position.prompt.asks[0]
    assert prompt.code == "meld"
    keys = "#"
    while "1QS JD" not in shown(entered, keys):
        keys += "#"
        assert len(keys) < 20, "some page begins with it"
    assert press(entered, keys + "1", "cards") == ["1 meld QS JD"]
    assert press(entered, "AC", "cards") == ["1 play JD"]


def test_pinochle_counts_in_ones() -> None:
    entered = record("pinochle", "deal")
    assert press(entered, "A15#") == ["1 peg 150"]
    assert press(entered, "#134#") == ["1 count 134"]
    assert press(entered, "#") == ["2 count 116"]
    assert entered.position.scores == (284, 116)


def test_points_need_no_deal_to_be_said() -> None:
    entered = record("bezique", "1 peg 40", "1 count 100")
    assert code(entered, "deal") == "count-missing"
    entered.read("2 count 70")
    assert entered.position.scores == (140, 70)
    entered.read("2 peg 20")
    entered.read("deal")
    assert entered.position.situation.dealer == 1, "the pegs began the deal that `deal` names"
    assert entered.position.scores == (140, 90)


@pytest.mark.parametrize(
    ("name", "first", "refused"),
    [
        ("bezique", "1 count 110", ["2 count 70", "2 count 50", "2 count 65", "2 count 180"]),
        ("bezique", None, ["1 count 180", "1 count 15", "1 peg 33", "1 peg 110", "1 peg 30"]),
        ("pinochle", "1 count 110", ["2 count 139", "2 count 141", "2 count 250"]),
        ("pinochle", None, ["1 count 1", "1 count 249", "1 count 251", "1 peg 250", "1 peg 0"]),
    ],
)
def test_what_the_pack_can_not_give_is_refused(
    name: str, first: str | None, refused: list[str]
) -> None:
    entered = record(name, "deal", *([first] if first else []))
    for line in refused:
        assert code(entered, line) == "impossible-points"


GAMES = ("bezique", "pinochle", "rubicon-bezique", "six-pack-bezique")


@pytest.mark.parametrize("name", GAMES)
def test_what_can_be_counted_is_what_the_cards_can_make(name: str) -> None:
    """Each number needs an even number of cards, and one player also has the last trick."""
    game = referee(name)
    even, odd = {0}, set[int]()
    for worth in [game.spec.worth(card) for card in game.pack for _ in range(game.copies)]:
        even, odd = even | {worth + n for n in odd}, odd | {worth + n for n in even}
    possible = even | {game.spec.last_trick + n for n in even}
    total = game.spec.trick_total
    mine = {n for n in possible if total - n in possible}
    deal = game.new_deal(begin(game))
    assert countable(deal, 1) == tuple(sorted(mine))
    for points in mine:
        assert countable(replace(deal, counts=(points, None)), 2) == (total - points,)


def test_a_count_is_entered_once_and_only_where_tricks_are_not() -> None:
    entered = record("bezique", "deal", "1 count 110")
    assert code(entered, "1 count 110") == "counted-already"
    played = record("bezique", "deal", "turnup KC", "1 play AS")
    assert code(played, "1 count 110") == "told-by-cards"


def test_melds_without_tricks_come_from_the_pack_and_not_out_of_thin_air() -> None:
    entered = record("bezique", "deal", "trump H")
    assert earned(entered, "1 meld AH TH KH QH JH") == [(1, 250, "sequence")]
    assert earned(entered, "1 meld AH TH KH QH JH") == [(1, 250, "sequence")], "the other five"
    assert code(entered, "1 meld AH TH KH QH JH") == "meld-reuse"
    assert code(entered, "2 meld AH TH KH QH JH") == "not-in-hand"
    assert code(entered, "1 meld KH QH") == "meld-reuse"
    assert earned(entered, "1 meld KH KH KS KS") == [(1, 80, "four-kings")]
    assert code(entered, "2 meld KS QS") == "not-in-hand"
    assert code(entered, "1 play KH") == "tricks-not-told"
    assert code(entered, "1 hand KH") == "too-late"
    assert earned(entered, "2 meld QS JD") == [(2, 40, "bezique")]
    assert earned(entered, "1 meld QS JD") == [(1, 40, "bezique")]
    assert code(entered, "1 meld QS QS JD JD") == "not-in-hand"


def test_sevens_without_tricks() -> None:
    entered = record("bezique", "deal", "turnup 8H")
    assert earned(entered, "1 seven exchange") == [(1, 10, "seven")]
    assert code(entered, "2 seven exchange") == "exchange-none"
    assert earned(entered, "2 seven") == [(2, 10, "seven")]
    assert code(entered, "2 seven") in ("seven-scored", "seven-not-held")
    entered.read("1 count 110")
    assert code(entered, "1 meld KH QH") == "counted-already"


@pytest.mark.parametrize(("twice", "again"), [("on", True), ("off", False)])
@pytest.mark.parametrize("before", ["turnup 7C|1 seven", "turnup AC|2 seven exchange|1 seven"])
def test_without_tricks_the_turned_seven_scores_for_who_drew_it(
    before: str, twice: str, again: bool
) -> None:
    entered = record("bezique", "deal", before, options=f"seven_same_card_twice {twice}")
    if again:
        assert earned(entered, "1 seven") == [(1, 10, "seven")]
    for seat in (1, 2):
        assert code(entered, f"{seat} seven") in ("seven-scored", "seven-not-held")


def test_a_deal_entered_by_points_needs_its_counts_only_where_they_decide() -> None:
    entered = record("bezique", "start 900 0", "deal", "1 peg 20", "deal")
    assert entered.position.situation.dealer == 1
    entered.read("1 peg 80")
    assert code(entered, "deal") == "count-missing"
    entered.read("1 count 0")
    entered.read("2 count 170")
    outcome = entered.position.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.scores, outcome.margin) == (1, (1000, 170), "game")


def _last(entered: Record, first: int, second: int) -> None:
    entered.read("deal")
    entered.read(f"1 count {first}")
    entered.read(f"2 count {second}")


def test_a_tie_is_a_draw_or_another_deal_or_a_higher_target() -> None:
    start = "start 990 940"
    draw = record("bezique", start)
    _last(draw, 55 * 2, 60)
    assert draw.position.outcome is not None
    assert draw.position.outcome.state == "won"
    tied = "start 940 990"
    drawn = record("bezique", tied)
    _last(drawn, 110, 60)
    assert drawn.position.outcome is not None
    assert drawn.position.outcome.state == "draw"
    assert code(drawn, "deal") == "game-over"
    more = record("bezique", tied, options="tie_rule extra_deal")
    _last(more, 110, 60)
    assert not more.position.over
    _last(more, 90, 80)
    assert more.position.outcome is not None
    assert more.position.outcome.winner == 1
    higher = record("bezique", tied, options="tie_rule raise_target_500")
    _last(higher, 110, 60)
    assert not higher.position.over
    board = find("bezique").scoreboard(higher.position.state)
    assert (board.unit, board.goal) == (15, 100)
    _last(higher, 90, 80)
    assert higher.position.situation.phase == "deal", "the target is 1500 now"
    higher.read("1 adjust +400")
    assert higher.position.situation.phase == "over", "between deals a score set right can win"
    higher.read("1 adjust -400")
    assert higher.position.situation.phase == "deal", "and take the win back"


def test_a_loser_below_500_loses_double() -> None:
    entered = record("bezique", "start 990 490", options="double_win_below_500 on")
    _last(entered, 170, 0)
    assert entered.position.outcome is not None
    assert entered.position.outcome.margin == "double"
    assert (entered.position.outcome.won, entered.position.outcome.lost) == ((2, 0), (0, 2))
    saved = record("bezique", "start 990 490", options="double_win_below_500 on")
    _last(saved, 160, 10)
    assert saved.position.outcome is not None
    assert saved.position.outcome.margin == "game"


def test_a_game_ends_only_at_a_deals_end_unless_it_is_called_out() -> None:
    entered = record("pinochle", "start 990 0", "deal", "1 peg 40")
    assert not entered.position.over, "and no sooner"
    out = record("pinochle", "start 990 0", "deal", "1 peg 40", options="end call_out")
    assert out.position.over
    assert not out.position.prompt.asks


@pytest.mark.parametrize("counts", [("1 count 120", "2 count 130"), ("2 count 130", "1 count 120")])
def test_who_is_counted_first_has_not_won_by_it(counts: tuple[str, str]) -> None:
    """Even if reaching the target ends the game immediately, trick points count only at the end of
    the deal."""
    entered = record("pinochle", "start 900 980", "deal", options="end call_out")
    entered.read(counts[0])
    assert not entered.position.over
    entered.read(counts[1])
    assert entered.position.outcome is not None
    assert (entered.position.scores, entered.position.outcome.winner) == ((1020, 1110), 2)


def test_a_misdeal_takes_its_points_with_it_and_keeps_the_dealer() -> None:
    entered = record("bezique", "deal", "turnup 7C", "1 play AS", "2 play 8D", "1 meld KH QH")
    assert entered.position.scores == (20, 10)
    assert sorted(earned(entered, "misdeal")) == [(1, -20, "correction"), (2, -10, "correction")]
    assert entered.position.scores == (0, 0)
    entered.read("deal")
    assert entered.position.situation.dealer == 2


def test_a_seven_of_the_last_play_counts_before_the_winner_is_decided() -> None:
    game = referee("bezique")
    last = Move("seven", 1)
    for seed in range(LAST_SEVEN, LAST_SEVEN + 400):
        table = Table(game, begin(game), Random(seed))
        table.say(Move("dealer", numbers=(1,)))
        table.say(Move("start", numbers=(990, 990)))
        play_deal(table)
        last = Move("seven", table.moves[-1].seat)
        if table.refuses(last) is None:
            break
    assert game.outcome(table.state).state == "won"
    before = table.state.sheet.scores
    table.say(last)
    assert sum(table.state.sheet.scores) == sum(before) + 10
    assert table.refuses(last) == "game-over"
    assert table.refuses(Move("seven", 3 - (last.seat or 0))) == "game-over"


LAST_SEVEN = 335
"""A seed to start searching for a deal whose last card is a seven of trumps that has not scored."""


def test_a_table_without_cards_is_asked_for_melds_before_trick_points() -> None:
    """Any player may lead first. The seven is one of the melds, and the count of the tricks
    ends the deal."""
    entered = record("bezique", "dealer 1", "deal", "trump H")
    asks = [ask for ask in entered.position.prompt.asks if ask.telling != "cards"]
    assert [(ask.code, ask.seat) for ask in asks][:4] == [
        *(("meld", 2), ("meld", 1)),
        *(("count", 1), ("count", 2)),
    ]
    assert [notation.spell(move) for move in asks[0].choices[:2]] == [
        "2 seven exchange",
        "2 seven",
    ]


@pytest.mark.parametrize(
    ("game", "wins"), [("bezique", 1000), ("rubicon-bezique", None), ("six-pack-bezique", None)]
)
def test_the_score_that_wins(game: str, wins: int | None) -> None:
    """The score is None if one deal is a game, because the holes are not a target in that case."""
    board = record(game, "dealer 1", "deal").position.scoreboard
    assert board is not None
    assert board.winning == wins


def test_where_only_the_last_trick_counts_its_winner_is_asked() -> None:
    entered = record("six-pack-bezique", "deal")
    asked = [ask for ask in entered.position.prompt.asks if ask.move.verb == "count"]
    assert [(ask.code, ask.seat, ask.after_points) for ask in asked] == [("last-trick", None, True)]
    assert [notation.spell(move) for move in asked[0].choices] == ["1 count 250", "2 count 250"]
    assert press(entered, "#2") == ["2 count 250"]
    assert press(entered, "#") == ["1 count 0"], "what is left is offered"
    assert entered.position.over
