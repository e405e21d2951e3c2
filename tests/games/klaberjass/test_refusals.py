"""Every broken duty is refused with its code in its phase."""

from __future__ import annotations

import pytest

from boardctl import text
from tests.games.klaberjass.table import Table

# Ann (1) is elder. Hearts are turned; Ann holds the dix and a run of clubs, Bob a run of trumps.
DEALT = ("deal", "1 hand KC QC JC AS 7D 7H", "2 hand AH KH QH TS 8S 9D", "turnup TH")
TAKEN = (*DEALT, "1 bid take", "1 hand 9C 8D 7S", "2 hand AD TC 8C")
TALKED = (*TAKEN, "declare")
LED = (*TALKED, "1 play AS", "2 play 8S")
UNSEEN = ("deal", "turnup TH", "1 bid take")
NAMED = (*DEALT, "1 bid pass", "2 bid pass")
SECOND = (*NAMED, "1 bid C", "1 hand 9C 8D 7S", "2 hand AD TC 8C")
BELLA = {"bella_auto": "off"}


ROYALS = (
    *("set bella_auto off", "deal", "turnup 9H", "1 bid take"),
    *("1 play KH", "2 play AH", "2 play AS", "1 play QH"),
)


@pytest.mark.parametrize(
    ("before", "line", "code"),
    [
        ((), "1 hand AS", "no-deal"),
        ((), "1 bid take", "no-deal"),
        ((), "1 play AS", "no-deal"),
        ((), "misdeal", "no-deal"),
        ((), "1 bella", "no-deal"),
        ((), "1 peg 1", "impossible-points"),
        ((), "1 peg 276", "impossible-points"),
        (("1 peg 100",), "1 peg 20", "points-due"),
        (("1 peg 100",), "2 peg 100", "impossible-points"),
        (("1 peg 200",), "2 peg 76", "impossible-points"),
        (("1 peg 8",), "2 peg 12", "impossible-points"),
        (("1 peg 100",), "deal", "points-due"),
        (("deal", "1 peg 100"), "1 bid take", "points-due"),
        (("deal", "turnup TH"), "1 peg 20", "told-by-cards"),
        # the cards
        (("deal", "1 hand AS"), "1 hand AS", "card-twice"),
        (("deal", "1 hand AS"), "2 hand 9S AS", "card-twice"),
        (("deal",), "1 hand AS AS", "card-twice"),
        (("deal",), "1 hand 6S", "card-not-in-pack"),
        (("deal",), "1 hand K", "card-unknown"),
        (("deal",), "1 hand ? ? ? ? ? ? ?", "hand-too-long"),
        (DEALT, "1 hand 9C", "hand-too-long"),
        (TAKEN, "1 hand TD", "hand-too-long"),
        (TALKED, "1 hand TD", "deal-too-far"),
        (UNSEEN, "1 hand TH", "card-twice"),
        (DEALT, "turnup 9S", "turned-already"),
        (DEALT, "trump H", "turned-already"),
        (("deal", "1 hand AS"), "turnup AS", "card-twice"),
        (("deal",), "turnup ?", "card-unknown"),
        (("deal",), "turnup 2H", "card-not-in-pack"),
        (("deal", "1 bid take", "1 bella"), "turnup TH", "deal-too-far"),
        (("deal", "1 bid take", "1 bella"), "trump H", "deal-too-far"),
        (("deal", "1 bid pass", "2 bid pass", "1 bid H"), "trump H", "suit-turned-down"),
        (DEALT, "dealer 1", "deal-too-far"),
        (DEALT, "deal", "deal-unfinished"),
        ((*ROYALS, "1 bella"), "1 bella", "bella-called"),
        (LED, "deal", "deal-unfinished"),
        # the bidding
        (DEALT, "2 bid take", "out-of-turn"),
        (DEALT, "1 bid S", "take-or-pass"),
        (DEALT, "1 bid", "one-bid"),
        (DEALT, "1 bid take S", "one-bid"),
        (NAMED, "1 bid take", "name-another-suit"),
        (NAMED, "1 bid H", "suit-turned-down"),
        (TAKEN, "2 bid pass", "bidding-over"),
        (DEALT, "1 play AS", "bidding-first"),
        (DEALT, "declare", "bidding-first"),
        (DEALT, "1 exchange", "bidding-first"),
        (DEALT, "1 meld KC QC JC", "bidding-first"),
        (DEALT, "1 count 20", "bidding-first"),
        (DEALT, "1 bella", "bidding-first"),
        # the dix
        (SECOND, "1 exchange", "exchange-second-round"),
        (LED, "1 exchange", "exchange-after-lead"),
        ((*TAKEN, "1 declare 20"), "1 exchange", "exchange-in-talk"),
        ((*TAKEN, "1 exchange"), "1 exchange", "exchange-twice"),
        (TAKEN, "2 exchange", "no-trump-seven"),
        (("deal", "turnup 7H", "1 bid take"), "1 exchange", "no-trump-seven"),
        (("deal", "1 bid take"), "1 exchange", "trump-unknown"),
        ((*UNSEEN, "1 count 50"), "1 exchange", "deal-too-far"),
        # the announcements
        (UNSEEN, "declare", "hands-unknown"),
        (TAKEN, "2 declare 20", "out-of-turn"),
        (TAKEN, "1 declare 50", "no-such-sequence"),
        (TAKEN, "1 declare", "one-declaration"),
        (TAKEN, "1 declare none 20", "one-declaration"),
        (TALKED, "declare", "talk-begun"),
        (TALKED, "1 declare 20", "talk-begun"),
        (LED, "1 declare 20", "deal-too-far"),
        (TAKEN, "2 reply good", "nothing-announced"),
        ((*TAKEN, "1 declare 20"), "1 reply good", "out-of-turn"),
        ((*TAKEN, "1 declare 20"), "2 reply", "one-reply"),
        ((*TAKEN, "1 declare 20"), "2 reply not-good", "nothing-better"),
        ((*TAKEN, "1 declare 20"), "1 play AS", "talk-unfinished"),
        ((*TAKEN, "1 declare 20"), "1 count 50", "talk-unfinished"),
        ((*TAKEN, "1 declare 20"), "1 meld KC QC JC", "talk-unfinished"),
        ((*TAKEN, "1 declare 20"), "2 bella", "talk-unfinished"),
        ((*TAKEN, "1 declare 20"), "1 top K", "nothing-equal"),
        ((*TAKEN, "1 declare 20", "2 reply equal"), "2 top K", "out-of-turn"),
        ((*TAKEN, "1 declare 20", "2 reply equal"), "1 top A", "no-such-top"),
        ((*TAKEN, "1 declare 20", "2 reply equal"), "1 top KC", "rank-alone"),
        ((*TAKEN, "1 declare 20", "2 reply equal", "1 top K"), "2 reply equal", "no-such-sequence"),
        (TAKEN, "1 trump", "nothing-equal"),
        ((*UNSEEN, "1 declare 20", "2 reply equal", "1 top K", "2 reply equal"), "3 trump",
         "no-such-seat"),
        (("deal", "1 hand KC QC JC AS 7D 7H", "turnup TH", "1 bid take", "1 hand 9C 8D 7S",
          "1 declare 20", "2 reply equal", "1 top K", "2 reply equal"), "1 trump",
         "no-trump-sequence"),
        (TAKEN, "1 meld KC QC", "not-a-sequence"),
        (TAKEN, "1 meld KC QC QC", "not-a-sequence"),
        (TAKEN, "1 meld KC QC JH", "not-a-sequence"),
        (TAKEN, "1 meld KC QC TC", "not-a-sequence"),
        (TAKEN, "1 meld KD QD JD", "sequence-not-held"),
        (TAKEN, "1 meld ? ? ? ?", "sequence-not-held"),
        ((*TAKEN, "1 meld KC QC JC"), "1 meld KC QC JC", "sequence-not-held"),
        ((*TAKEN, "1 meld KC QC JC"), "2 meld AH KH QH", "sequences-not-good"),
        ((*TAKEN, "1 declare none"), "1 meld KC QC JC", "sequences-not-good"),
        (TALKED, "1 meld KC QC JC", "sequences-not-good"),
        ((*UNSEEN, "1 declare 20", "2 reply good"), "1 meld 9S 8S 7S TS", "more-than-announced"),
        (LED, "2 meld AH KH QH", "deal-too-far"),
        # the play
        (TALKED, "2 play AH", "out-of-turn"),
        (TALKED, "1 play AC", "not-in-hand"),
        (TALKED, "1 play AH", "not-in-hand"),
        (TALKED, "1 play 5H", "card-not-in-pack"),
        (TALKED, "1 play ?", "card-unknown"),
        (TALKED, "1 play K", "card-unknown"),
        (LED, "1 play AS", "card-twice"),
        ((*TALKED, "1 play AS"), "2 play AH", "must-follow"),
        ((*TALKED, "1 play 7H"), "2 play TS", "must-follow"),
        ((*UNSEEN, "2 hand AH 9D", "1 play JH"), "2 play 9D", "must-follow"),
        ((*UNSEEN, "2 hand AH 9D", "1 play KH"), "2 play QH", "must-beat"),
        ((*UNSEEN, "2 hand AH 9D", "1 play KH"), "2 play 9D", "must-follow"),
        ((*UNSEEN, "2 hand AH 9D", "1 play KS"), "2 play TD", "must-trump"),
        ((*UNSEEN, "1 play KS", "2 play 9D", "1 play KC"), "2 play 9S", "denied-before"),
        ((*UNSEEN, "1 play KS", "2 play 9D", "1 play KC"), "2 play 8H", "denied-before"),
        (("deal", "1 bid take"), "1 play AS", "trump-unknown"),
        ((*UNSEEN, "1 count 50"), "1 play AS", "deal-too-far"),
        (LED, "turnup 9S", "turned-already"),
        # the count
        (UNSEEN, "1 count 1", "impossible-points"),
        (UNSEEN, "1 count 157", "impossible-points"),
        ((*UNSEEN, "1 count 50"), "1 count 60", "counted-twice"),
        ((*UNSEEN, "1 count 100"), "2 count 60", "impossible-points"),
        (("deal", "1 bid take", "1 count 154"), "2 count 2", "impossible-points"),
        ((*UNSEEN, "1 count 0"), "2 count 26", "impossible-points"),
        # bella
        ((*UNSEEN[:2], "2 hand KH", "1 bid take"), "1 bella", "no-bella"),
        ((*UNSEEN, "1 bella"), "2 bella", "bella-called"),
        (LED, "2 bella", "no-bella"),
        (LED, "1 bella", "no-bella"),
        ((*LED, "1 play KC"), "2 play 8C bella", "no-bella"),
        # the owner of the table
        ((), "3 peg 20", "no-such-seat"),
        ((), "dealer 3", "no-such-seat"),
        ((), "1 cut KD", "dealer-known"),
        (("deal",), "start 1 2", "too-late"),
        (("deal",), "set target 300", "too-late"),
    ],
)  # fmt: skip
def test_refused(before: tuple[str, ...], line: str, code: str) -> None:
    table = Table()
    if before:
        table.say(*before)
    error = table.refuse(line, code)
    sentence = text.refusal(error, text.Reader(names=("Ann", "Bob")))
    assert f"refusal.{code}" in text.sentences()
    assert "{" not in sentence
    assert sentence[-1:] in ".)"


def test_a_hand_that_can_not_be_filled() -> None:
    """Bob, void of spades, trumps and diamonds, would need eight clubs; seven are not turned."""
    table = Table()
    table.say("deal", "turnup 7C", "1 bid pass", "2 bid pass", "1 bid H", "1 play AS", "2 play 9D")
    table.say("1 play AD")
    table.refuse("2 play KC", "impossible-hand")
    table.say("2 play KD")


def test_cut_for_deal() -> None:
    table = Table(opening="1 cut KD")
    table.refuse("1 cut 9S", "cut-twice")
    table.refuse("2 cut 6S", "card-not-in-pack")
    table.say("2 cut K")
    assert table.dealer() is None
    table.say("1 cut A", "2 cut 7")
    assert table.dealer() == 2, "low deals"
    high = Table({"first_dealer": "high"}, "1 cut A, 2 cut 7")
    assert high.dealer() == 1


def test_refused_when_the_game_is_over() -> None:
    table = Table(opening="start 490 100, dealer 2")
    table.say("1 peg 100")
    assert table.phase == "deal"
    table.say("2 peg 0")
    assert table.phase == "over"
    for line in ("deal", "1 peg 20", "1 bella", "1 hand AS", "dealer 1", "1 resign"):
        table.refuse(line, "game-over")
    table.say("1 adjust -200")
    assert table.phase == "deal"
