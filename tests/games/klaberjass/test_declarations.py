"""Announcing sequences, step by step."""

from __future__ import annotations

import pytest

from boardctl.record import notation
from tests.games.klaberjass.table import Table

UNSEEN = ("deal", "turnup TH", "1 bid take")
COUNTS = ("1 count 70", "2 count 60")


def scored(declarations: tuple[str, ...], options: dict[str, str] | None = None) -> tuple[int, ...]:
    """Return both scores with the tricks 70 to 60 after an announcement; Ann is maker and elder."""
    table = Table(options)
    table.say(*UNSEEN, *declarations, *COUNTS)
    return table.scores


@pytest.mark.parametrize(
    ("declarations", "scores"),
    [
        ((), (70, 60)),
        (("1 declare none",), (70, 60)),
        (("1 declare none", "2 reply good"), (70, 60)),
        (("1 declare none", "2 reply equal"), (70, 60)),
        (("1 declare none", "2 reply not-good", "2 meld ? ? ?"), (0, 150)),
        (("1 declare none", "2 meld ? ? ?"), (0, 150)),
        (("1 declare 20", "2 reply good"), (70, 60)),
        (("1 declare 20", "2 reply good", "1 meld KC QC JC"), (90, 60)),
        (("1 declare 20", "2 reply good", "1 meld KC QC JC", "1 meld 9 8 7"), (110, 60)),
        (("1 declare 20", "2 reply not-good", "2 meld KC QC JC TC"), (0, 180)),
        (("1 declare 50", "2 reply good", "1 meld A K Q J T"), (120, 60)),
        (("1 declare 20", "2 reply equal", "1 top K", "2 reply good", "1 meld ? ? ?"), (90, 60)),
        (("1 declare 20", "2 reply equal", "1 top K", "2 reply not-good", "2 meld A K Q"),
         (0, 150)),
        (("1 declare 20", "2 reply equal", "1 top K", "2 reply equal"), (70, 60)),
        (("1 declare 20", "2 reply equal", "1 top K", "2 reply equal", "1 trump",
          "1 meld KH QH JH"), (110, 60)),  # and the bella that was shown with it
        (("1 declare 20", "2 reply equal", "1 top K", "2 reply equal", "2 trump",
          "2 meld KH QH JH"), (0, 170)),
        (("1 declare 20", "2 reply equal", "1 top K", "2 reply equal", "2 meld KH QH JH"),
         (0, 170)),
        (("1 meld KC QC JC",), (90, 60)),
        (("2 meld KC QC JC", "2 meld 9C 8C 7C"), (0, 170)),
        (("1 meld KC QC JC", "2 bella"), (90, 80)),
    ],
)  # fmt: skip
def test_steps(declarations: tuple[str, ...], scores: tuple[int, int]) -> None:
    assert scored(declarations) == scores


def test_a_tie_is_the_elders_where_the_table_says_so() -> None:
    tie = ("1 declare 20", "2 reply equal", "1 top K", "2 reply equal")
    elder = {"meld_tie": "elder"}
    assert scored((*tie, "1 meld KC QC JC"), elder) == (90, 60)
    assert scored((*tie, "2 trump", "2 meld KH QH JH"), elder) == (0, 170), "a claim goes first"


def test_the_phase_and_whose_word() -> None:
    table = Table()
    table.say(*UNSEEN)
    for line, phase, turn in (
        ("1 declare 20", "declare", 2),
        ("2 reply equal", "declare", 1),
        ("1 top K", "declare", 2),
        ("2 reply equal", "declare", 1),
        ("2 trump", "play", 1),
        ("1 play AS", "play", 2),
    ):
        table.say(line)
        assert (table.phase, table.turn) == (phase, turn), line


KNOWN = (
    "deal", "1 hand KC QC JC 9D 8D 7D", "2 hand KD QD JD TD 7H AS", "turnup TH", "1 bid take",
    "1 hand AC 7S 9S", "2 hand TS 8S 9C",
)  # fmt: skip


def test_known_hands_settle_themselves() -> None:
    table = Table()
    table.say(*KNOWN, "declare")
    assert table.phase == "play"
    table.say("1 count 11")
    (count,) = (ask for ask in table.record.position.prompt.asks if ask.code == "count")
    assert count.least == count.most, "the sum is known"
    table.say(f"2 count {count.least}")
    assert table.scores == (11 + 70, count.least), "ace to jack 50, nine to seven 20"


def test_a_known_winner_need_not_show() -> None:
    """The announcement won and the hand is known, so its sequences count as far as they were
    announced."""
    for word, worth in (("50", 70), ("20", 20)):
        table = Table()
        table.say(*KNOWN, f"1 declare {word}", "2 reply good", "1 count 70")
        (count,) = (ask for ask in table.record.position.prompt.asks if ask.code == "count")
        table.say(f"2 count {count.least}")
        assert table.scores[0] == 70 + worth


def test_sequences_are_those_held_at_the_talk() -> None:
    """Rule 5.5b: the seven of a shown run is exchanged afterwards, and a sequence completed by the
    turned card does not count."""
    table = Table()
    table.say("deal", "1 hand 9H 8H 7H AS KS 7D", "2 hand AC TC KC 8C 7C AD", "turnup TH")
    table.say("1 bid take", "1 hand JH 9S 8S", "2 hand TD KD 9D", "declare", "1 exchange")
    table.refuse("1 play 7H", "not-in-hand")
    state = table.record.position.state
    assert [piece.points for _, piece in state.deal.pieces] == [20]
    early = Table()
    early.say("deal", "1 hand 9H 8H 7H AS KS 7D", "2 hand AC TC KC 8C 7C AD", "turnup TH")
    early.say("1 bid take", "1 hand JH 9S 8S", "2 hand TD KD 9D", "1 exchange", "declare")
    assert [piece.points for _, piece in early.record.position.state.deal.pieces] == [50]


def test_long_runs_count_once_or_twice() -> None:
    """Option split_long_runs: seven in suit are one 50, or 50 and 20."""
    for split, worth in (("off", 50), ("on", 70)):
        table = Table({"split_long_runs": split})
        table.say("deal", "1 hand AC KC QC JC TC 9C", "2 hand AD TD KD 8D 7D AS", "turnup TH")
        table.say("1 bid take", "1 hand 8C 7S 9S", "2 hand TS 8S 9D", "declare")
        shown = table.record.position.state.deal.pieces
        assert sum(piece.points for _, piece in shown) == worth
    table = Table({"split_long_runs": "off"})
    table.say(*UNSEEN, "1 meld AC KC QC JC")
    table.refuse("1 meld TC 9C 8C", "sequence-not-held")
    table = Table({"split_long_runs": "on"})
    table.say(*UNSEEN, "1 meld AC KC QC JC", "1 meld TC 9C 8C")


@pytest.mark.parametrize(
    ("run", "others", "worth"),
    [
        ("AC KC QC JC TC 9C", "7C 7S 9S", 50),
        ("AC KC QC JC TC 9C 8C", "8C 7S 9S", 70),
        ("8C 9C TC JC QC KC AC", "8C 7S 9S", 70),
        ("A K Q J T 9 8", "8C 7S 9S", 70),
        ("? ? ? ? ? ? ?", "8C 7S 9S", 70),
        ("AC KC QC JC TC 9C 8C 7C", "8C 7C 9S", 100),
    ],
)
@pytest.mark.parametrize("known", [True, False])
def test_a_long_run_shown_in_one_line_counts_as_in_two(
    run: str, others: str, worth: int, known: bool
) -> None:
    """Option split_long_runs: the same cards are worth the same however they are shown."""
    table = Table({"split_long_runs": "on"})
    hands = ("1 hand AC KC QC JC TC 9C", f"1 hand {others}") if known else ()
    table.say("deal", *hands[:1], "turnup TH", "1 bid take", *hands[1:])
    position = table.record.position
    shown = notation.parse_move(f"1 meld {run}", position.game)
    table.say(f"1 meld {run}")
    pieces = table.record.position.state.deal.pieces
    assert sum(piece.points for _, piece in pieces) == worth
    if all(card.is_known for card in shown.cards):
        assert position.game is not None
        promised = position.game.promised(position.state, shown)
        assert sum(award.points for award in promised) == worth
    table.refuse("1 meld TC 9C 8C", "sequence-not-held")


def test_nine_cards_hold_no_ten() -> None:
    """There are no impossible sequences: nine cards contain at most three runs of three."""
    table = Table()
    table.say(*UNSEEN, "1 meld ? ? ?", "1 meld ? ? ?", "1 meld ? ? ?")
    table.refuse("1 meld ? ? ?", "sequence-not-held")
    table = Table()
    table.say(*UNSEEN, "1 meld ? ? ? ?", "1 meld ? ? ? ? ?")
    table.refuse("1 meld 9 8 7", "sequence-not-held")


def test_what_is_shown_is_known() -> None:
    table = Table()
    table.say(*UNSEEN, "1 meld KC QC JC", "1 play AS", "2 play 7S", "1 play 8D")
    table.refuse("2 play KC", "not-in-hand")


def asked(table: Table, code: str) -> list[str]:
    """Return the lines offered by this ask; none if it is not asked."""
    return [
        notation.spell(move)
        for ask in table.record.position.prompt.asks
        if ask.code == code
        for move in ask.choices
    ]


def test_what_is_asked_at_each_step_of_a_tie() -> None:
    """They were announced only by values, so every rank may be the top, and either player may claim
    the trump."""
    table = Table()
    table.say(*UNSEEN)
    assert asked(table, "declare") == ["1 declare none", "1 declare 20", "1 declare 50"]
    table.say("1 declare 20")
    replies = ["2 reply good", "2 reply not-good", "2 reply equal"]
    assert asked(table, "reply") == replies
    table.say("2 reply equal")
    tops = asked(table, "top")
    assert tops[0] == "1 top A"
    assert "1 top 8" not in tops, "a sequence of three begins with a nine at least"
    table.say("1 top K")
    assert asked(table, "reply") == replies
    table.say("2 reply equal")
    assert asked(table, "trump-sequence") == ["1 trump", "2 trump"]
    table.say("2 trump")
    assert asked(table, "trump-sequence") == []
    assert "2 meld ? ? ?" in asked(table, "meld")


def test_an_exchange_after_none_leaves_the_younger_his_sequence() -> None:
    """Only the owner's sequence counts, if the owner held it when sequences were announced (5.4,
    5.5b)."""
    table = Table()
    table.say("deal", "1 hand 9H 8D 7H AC KC 7D", "2 hand AS KS QS JS 8C 7C", "turnup TH")
    table.say("1 bid take", "1 hand JH 9S 8S", "2 hand TD KD 9D", "1 declare none", "1 exchange")
    table.say("2 meld AS KS QS JS", "1 count 50")
    (count,) = (ask for ask in table.record.position.prompt.asks if ask.code == "count")
    table.say(f"2 count {count.least}")
    assert sum(table.scores) == 50 + count.least + 50


def test_what_is_announced_and_never_shown_does_not_score() -> None:
    """A sequence counts only if it is shown or its cards are known (5.4)."""
    table = Table()
    table.say(*UNSEEN, "1 declare 50", "2 reply good", "1 count 70", "2 count 40")
    assert table.scores == (70, 40)
