"""Complete deals and games: bella, the settlement, the dealers, the end, and deals entered by
points."""

from __future__ import annotations

from boardctl.games import Note
from tests.games.klaberjass.table import Table

# Ann leads; she holds king and queen of trumps, and her last card is the queen.
HANDS = (
    "deal", "1 hand KH QH AS TS KS AC", "2 hand JH 9H 7S 8S 9S 7C", "turnup 8H", "1 bid take",
    "1 hand TC KC QC", "2 hand 7D 8D 9D",
)  # fmt: skip
TRICKS = (
    "1 play AS", "2 play 7S", "1 play TS", "2 play 8S", "1 play KS", "2 play 9S",
    "1 play AC", "2 play 7C", "1 play TC", "2 play 9H", "2 play 7D", "1 play KH",
    "1 play KC", "2 play JH", "2 play 8D",
)  # fmt: skip
# So far: Ann AS TS KS AC KH (40), Bob TC 9H (24), KC JH (24).


def test_bella_is_claimed_for_the_players() -> None:
    table = Table()
    table.say(*HANDS, *TRICKS, "1 play QH", "1 play QC")
    report = table.say("2 play 9D")
    # Ann takes QH, QC and also the last trick: 40 + 3 + 3 + 10, and bella 20.
    assert table.scores == (76, 48)
    assert report.notes == (
        Note("settled-made", {"maker": 1, "maker_points": 76, "other_points": 48}),
    )
    assert [(a.seat, a.points, a.reason) for a in report.awards] == [
        (1, 76, "settlement"),
        (2, 48, "settlement"),
    ]


def test_bella_not_called_is_lost() -> None:
    table = Table({"bella_auto": "off"})
    table.say(*HANDS, *TRICKS, "1 play QH")
    assert "bella" in table.asked
    table.say("1 play QC", "2 play 9D")
    assert table.scores == (56, 48)


def test_bella_called() -> None:
    for call in (("1 play QH bella",), ("1 play QH", "1 bella")):
        table = Table({"bella_auto": "off"})
        table.say(*HANDS, *TRICKS, *call, "1 play QC", "2 play 9D")
        assert table.scores == (76, 48)


# Bob's last card completes his bella; Ann is maker with 54 to 57 without it.
LATE = (
    "deal", "1 hand AS TS KS AC TC 7C", "2 hand KH QH 7S 8S 9S 8C", "turnup 8H", "1 bid take",
    "1 hand 7D 8D QS", "2 hand AD TD 9C",
    "1 play AS", "2 play 7S", "1 play TS", "2 play 8S", "1 play KS", "2 play 9S",
    "1 play AC", "2 play 8C", "1 play TC", "2 play 9C", "1 play QS", "2 play KH",
    "2 play AD", "1 play 7D", "2 play TD", "1 play 8D", "2 play QH",
)  # fmt: skip


def test_the_bella_of_the_last_play_may_follow_it() -> None:
    """Bob leads the queen of trumps to the last trick; Ann's card ends the deal, so he must call
    before it, and afterwards there is nothing left to call."""
    table = Table({"bella_auto": "off"})
    table.say(*LATE, "1 play 7C")
    # Ann AS TS KS AC TC 46; Bob QS KH AD TD QH 31 and 10.
    assert table.scores == (46, 41)
    table.refuse("2 bella", "no-deal")
    called = Table({"bella_auto": "off"})
    called.say(*LATE, "2 bella", "1 play 7C")
    assert called.scores == (0, 46 + 41 + 20), "and Ann is bête"


def test_a_late_bella_settles_the_deal_again() -> None:
    """Ann leads to the last trick and Bob plays his second royal as the very last card: the deal is
    settled with that card, and again with his call, which makes Ann bête and wins the game."""
    opening = "start 480 300, dealer 2"
    table = Table({"bella_auto": "off"}, opening)
    table.say(
        "deal", "1 hand AS TS KS AC TC 7C", "2 hand KH QH 7S 8S 9S 8C", "turnup 8H", "1 bid take",
        "1 hand 7D 8D QS", "2 hand AD TD 9C",
        "1 play AS", "2 play 7S", "1 play TS", "2 play 8S", "1 play KS", "2 play 9S",
        "1 play AC", "2 play 8C", "1 play QS", "2 play KH", "2 play AD", "1 play 7D",
        "2 play TD", "1 play 8D", "2 play 9C", "1 play TC", "1 play 7C",
    )  # fmt: skip
    report = table.say("2 play QH")
    before = table.scores
    assert before == (480 + 46, 300 + 41)
    assert table.over()
    assert report.ended is not None
    assert table.asked == {"bella"}
    table.refuse("1 bella", "no-bella")
    table.refuse("deal", "game-over")
    report = table.say("2 bella")
    assert [(a.seat, a.points, a.reason) for a in report.awards] == [
        (1, -46, "correction"),
        (2, 66, "settlement"),
    ]
    assert table.scores == (480, 407)
    assert not table.over(), "the win is taken back"
    table.refuse("2 bella", "no-deal")


def test_the_three_settlements() -> None:
    for counts, scores, code in (
        (("1 count 70", "2 count 60"), (70, 60), "settled-made"),
        (("1 count 65", "2 count 65"), (0, 65), "settled-tie"),
        (("2 count 70", "1 count 60"), (0, 130), "settled-bete"),
    ):
        table = Table()
        report = table.say("deal", "1 bid take", *counts)
        assert table.scores == scores
        assert [note.code for note in report.notes] == [code]


def test_keeping_score_alone() -> None:
    """Maker, a sequence, bella and both counts are sufficient."""
    table = Table()
    table.say("deal", "1 bid pass", "2 bid take", "2 meld ? ? ?", "2 bella", "1 count 62")
    assert table.scores == (0, 0), "all points of a deal are scored at its settlement"
    table.say("2 count 40")
    assert table.scores == (62, 80)
    assert table.phase == "deal"


def test_four_passes() -> None:
    table = Table()
    table.say("deal", "1 bid pass", "2 bid pass", "1 bid pass")
    report = table.say("2 bid pass")
    assert [note.code for note in report.notes] == ["passed-out"]
    table.say("deal")
    assert table.dealer() == 1, "the deal alternates"


def test_misdeal_keeps_the_dealer() -> None:
    table = Table()
    table.say("deal", "1 hand AS", "misdeal")
    assert table.phase == "deal"
    table.say("deal")
    assert table.dealer() == 2
    report = table.say("1 peg 90", "misdeal")
    assert [(a.seat, a.points, a.reason) for a in report.awards] == [(1, -90, "correction")]
    assert table.scores == (0, 0)


def test_who_deals_next() -> None:
    def dealers(rotation: str) -> list[int | None]:
        table = Table({"deal_rotation": rotation})
        found = []
        for points in ((100, 30), (20, 120), (0, 0), (100, 30)):
            table.say("deal")
            found.append(table.dealer())
            table.say(f"1 peg {points[0]}", f"2 peg {points[1]}")
        return found

    assert dealers("alternate") == [2, 1, 2, 1]
    assert dealers("winner_deals") == [2, 1, 2, 1], "and after a deal that nobody won it alternates"
    table = Table({"deal_rotation": "winner_deals"})
    table.say("deal", "1 bid take", "1 count 60", "2 count 70", "deal")
    assert table.dealer() == 2, "the maker was bête: Bob won the deal"
    table.say("dealer 1")
    assert table.dealer() == 1
    table.say("1 peg 100", "2 peg 20", "dealer 2", "deal")
    assert table.dealer() == 2, "said between deals, it names the next"


def test_the_higher_wins_at_the_deals_end() -> None:
    table = Table(opening="start 490 480, dealer 2")
    table.say("deal", "1 bid take", "1 count 66", "2 count 64")
    outcome = table.record.position.outcome
    assert outcome is not None
    assert (outcome.state, outcome.winner, outcome.scores) == ("won", 1, (556, 544))
    assert (outcome.won, outcome.lost, outcome.margin) == ((1, 0), (0, 1), "game")


def test_a_bete_decides() -> None:
    """Ann needs ten and takes sixty. Her bête gives Bob all of it."""
    table = Table(opening="start 490 400, dealer 2")
    table.say("deal", "1 bid take", "1 count 60", "2 count 70")
    outcome = table.record.position.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.scores) == (2, (490, 530))


def test_both_at_the_target_and_equal() -> None:
    for tie, state in (("extra_deal", "unfinished"), ("draw", "draw")):
        table = Table({"game_tie": tie}, "start 440 450, dealer 2")
        table.say("deal", "1 bid take", "1 count 70", "2 count 60")
        outcome = table.record.position.outcome
        assert outcome is not None
        assert (outcome.state, outcome.scores) == (state, (510, 510))
        if state == "draw":
            table.refuse("deal", "game-over")
            continue
        table.say("deal", "2 bid take", "1 count 60", "2 count 60")
        assert table.scores == (570, 510), "the tie is the opponent's"
        outcome = table.record.position.outcome
        assert outcome is not None
        assert outcome.winner == 1


def test_an_adjustment_wins_and_takes_back() -> None:
    table = Table(opening="start 490 100, dealer 2")
    table.say("1 adjust +10")
    assert table.over()
    table.say("1 adjust -10")
    assert not table.over()
    table.say("deal", "1 adjust +10")
    assert not table.over(), "the deal is played to its end"
    table.say("1 bid take", "2 count 70", "1 count 60")
    assert table.scores == (500, 230)
    assert table.over()


def test_resigning() -> None:
    table = Table()
    table.say("deal", "1 resign")
    outcome = table.record.position.outcome
    assert outcome is not None
    assert (outcome.state, outcome.winner, outcome.won) == ("won", 2, (0, 1))


def test_the_last_points_entered_by_one_side_alone() -> None:
    """A record that ends there is unfinished, because the other side may have more points."""
    from boardctl.record.position import close

    table = Table(opening="start 490 495, dealer 2")
    table.say("1 peg 50")
    assert not close(table.record.position).state.over
    table.say("2 peg 112")
    outcome = table.record.position.outcome
    assert outcome is not None
    assert outcome.winner == 2


def test_the_board() -> None:
    table = Table()
    table.say(*HANDS, "declare", "1 play AS")
    position = table.record.position
    assert position.game is not None
    board = position.game.scoreboard(position.state)
    assert (board.unit, board.goal, board.turn) == (5, 100, 2)
    assert board.readouts == (
        Note("trump", {"suit": "H"}),
        Note("maker", {"seat": 1}),
        Note("melds", {"side": 1, "points": 20}),
        Note("tricks-left", {"tricks": 9}),
    )
    table.say("2 play 7S")
    board = position.game.scoreboard(table.record.position.state)
    assert board.readouts[3:] == (Note("tricks-left", {"tricks": 8}), Note("lead", {"seat": 1}))
    for target, unit, goal in (
        ("1000", 10, 100),
        ("300", 3, 100),
        ("250", 5, 50),
        ("730", 10, 73),
        ("501", 5, 100),
    ):
        other = Table({"target": target}).record.position
        assert other.game is not None
        board = other.game.scoreboard(other.state)
        assert (board.unit, board.goal) == (unit, goal)
