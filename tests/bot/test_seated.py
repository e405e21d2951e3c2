"""The permitted knowledge of the player at a table, and its lines that need no decision."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

import pytest

from boardctl.bot import seated, worker
from boardctl.bot.worker import Seat
from boardctl.games import Move, Played
from boardctl.games.cards import CARDS, parse_card
from boardctl.record import notation, sealed, visibility
from boardctl.record.position import Position, step
from boardctl.record.record import Record
from boardctl.record.sealed import Shuffle
from boardctl.record.visibility import GameLines
from tests.bot.dealer import play_game

HEAD = ("game cribbage", "seat 1 Ann", "seat 2 Board", "dealer 2", "deal")


def record(*lines: str) -> Record:
    found = Record()
    for line in (*HEAD, *lines):
        found.read(line)
    return found


def asked(found: Record, seat: int = 2, level: int = 5) -> str:
    lines = seated.visible_lines(found, GameLines(seat))
    request = {"seat": seat, "level": level, "seed": 3, "lines": lines}
    return json.dumps(request)


def test_the_others_cards_are_left_out() -> None:
    found = record("1 hand 2H 3H 9S 4D KC KD", "2 hand 5H 6S 7D 8C JH QS", "1 discard 2H 3H")
    lines = seated.visible_lines(found, GameLines(2))
    unseen = ("1 hand ? ? ? ? ? ?", "1 discard ? ?")
    assert lines == [*HEAD, unseen[0], "2 hand 5H 6S 7D 8C JH QS", unseen[1]]
    hands = ("1 hand 2H 3H 9S 4D KC KD", "2 hand ? ? ? ? ? ?")
    assert seated.visible_lines(found, GameLines(1)) == [*HEAD, *hands, "1 discard 2H 3H"]


def test_a_record_that_grows_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is taken back, restored or begun anew, the lines equal those computed from the
    beginning."""
    played = [0]

    def counted(position: Position, move: Move) -> Played[Position]:
        played[0] += 1
        return step(position, move)

    growing, found = GameLines(2), Record()
    most: dict[str, int] = {}
    lines = [*HEAD, "1 hand 2H 3H 9S 4D KC KD", "2 hand 5H 6S 7D 8C JH QS", "1 discard 2H 3H"]
    lines += ["undo", "1 discard 9S 4D", "2 discard 5H 6S", "undo 2", "redo", "starter 2C"]
    lines += ["1 play 2H", "amend 1 1 play KC", "game cribbage", "dealer 1", "deal", "undo 3"]
    lines += ["2 play 7D", "session end", *HEAD, "1 hand 2H 3H 9S 4D KC KD"]
    for line in lines:
        found.read(line)
        with monkeypatch.context() as counting:
            counting.setattr(visibility, "step", counted)
            played[0] = 0
            now = seated.visible_lines(found, growing)
            most[line] = played[0]
        assert now == seated.visible_lines(found, GameLines(2)), line
    back = most.pop("undo 3")  # into the previous game
    assert max(most.values()) <= 2 < back


def test_a_hand_that_was_known_is_shown_whole() -> None:
    """In Noddy the hands are shown before the play, and the line may omit cards that the table
    knew."""
    whole = Record()
    for line in (
        *("game noddy", "seat 1 Ann", "seat 2 Board", "dealer 2", "deal"),
        *("1 hand 5H 9S KD", "2 hand TS QC AH", "starter 2C", "1 show"),
    ):
        whole.read(line)
    lines = seated.visible_lines(whole, GameLines(2))
    assert "1 hand 5H 9S KD" not in lines
    assert lines[-1] == "1 show 5H 9S KD"
    seat = Seat(2, 3, 1)
    seat.next_line_after(lines)  # the views can follow it
    assert seat.position.scores == whole.position.scores


@pytest.mark.parametrize("seed", range(3))
def test_hidden_cards_changed_leave_the_request_the_same(seed: int) -> None:
    """From the deal to the end of the play, the request is equal byte for byte; the process
    receives nothing else."""
    whole = play_game((Seat(1, 2, 1).receive, Seat(2, 3, 2).receive), Random(seed), deals=1)
    theirs = next(m for m in whole.moves if m.verb == "hand" and m.seat == 1)
    away = next(m for m in whole.moves if m.verb == "discard" and m.seat == 1)
    known = {card for move in whole.moves for card in move.cards}
    free = [card for card in CARDS if card not in known]
    swapped = dict(zip(away.cards, free, strict=False))
    one, two = Record(), Record()
    compared = 0
    for move in whole.moves:
        if move.verb in ("crib", "show"):
            break
        other = move._replace(cards=tuple(swapped.get(card, card) for card in move.cards))
        one.apply(move)
        two.apply(other)
        if one.position.game is not None and one.position.state is not None:
            assert asked(one) == asked(two)
            compared += 1
    assert compared > 10
    assert theirs.cards != next(m for m in two.moves if m.verb == "hand" and m.seat == 1).cards
    assert worker.Worker().answer(asked(one)) == worker.Worker().answer(asked(two))


def test_a_worker_follows_a_whole_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked after each line, it gives the same answer as a seat that has seen every line, and as
    one that has just been started. It reads each line once, and everything again after an undo."""
    seats = (Seat(1, 2, 1), Seat(2, 4, 3))
    whole = play_game((seats[0].receive, seats[1].receive), Random(6), ("start 100 101",))
    found, kept, read = Record(), worker.Worker(), []
    following = Seat.next_line_after

    def next_line_after(seat: Seat, lines: Sequence[str]) -> Move | None:
        read.append(len(lines))
        return following(seat, lines)

    said = 0
    for move in whole.moves:
        if move.seat == 2 and move.verb in ("discard", "play", "go"):
            request = asked(found, level=4)
            fresh = worker.Worker().answer(request)
            with monkeypatch.context() as patch:
                patch.setattr(Seat, "next_line_after", next_line_after)
                assert kept.answer(request) == fresh
            assert json.loads(fresh) == {"line": notation.spell(move)}
            said += 1
        found.apply(move)
    assert said > 4
    lines = len(json.loads(request)["lines"])
    assert sum(read) < 2 * lines, "a hand that is opened is read again, and nothing else"
    found.read("undo")
    found.read("undo")
    assert kept.answer(asked(found, level=4)) == worker.Worker().answer(asked(found, level=4))


def test_a_worker_says_why_it_cannot_follow() -> None:
    request = json.dumps({"seat": 2, "level": 5, "seed": 1, "lines": ["game cribbage", "9 play"]})
    assert json.loads(worker.Worker().answer(request))["error"].endswith(".")


def test_a_sealed_shuffle_deals_both_hands_and_the_starter() -> None:
    shuffle = Shuffle(bytes(32).hex(), "cut")
    dealt = sealed.deal(shuffle.key, shuffle.cut, 1)
    found = record()
    for seat in (1, 2):
        move = seated.machine_line(found, 2, shuffle)
        assert move is not None
        assert (move.verb, move.seat, move.cards) == ("hand", seat, dealt.hands[seat - 1])
        found.apply(move)
    assert seated.machine_line(found, 2, shuffle) is None, "the throws are decisions"
    for seat in (1, 2):
        cards = " ".join(map(str, dealt.hands[seat - 1][:2]))
        found.read(f"{seat} discard {cards}")
    move = seated.machine_line(found, 2, shuffle)
    assert move is not None
    assert (move.verb, move.cards) == ("starter", (dealt.starter,))
    assert seated.machine_line(found, 2, None) is None


@pytest.mark.parametrize("muggins", ["off", "full"])
def test_the_opponents_forced_go_is_said_for_it(muggins: str) -> None:
    """Under muggins, the person enters the go, because a claim may accompany it."""
    found = Record()
    for line in (
        *(*HEAD[:3], f"set muggins {muggins}", *HEAD[3:]),
        *("1 hand KC KD QH QS 2H 3H", "2 hand 5H 6S 7D 8C JH AS", "1 discard 2H 3H"),
        *("2 discard JH 5H", "starter TC", "1 play KC", "2 play 6S"),
    ):
        found.read(line)
    shuffle = Shuffle(bytes(32).hex(), "cut")
    assert seated.machine_line(found, 2, shuffle) is None, "seat 1 chooses among its cards"
    for line in ("1 play QH", "2 play AS"):
        found.read(line)
    forced = Move("go", 1) if muggins == "off" else None
    assert seated.machine_line(found, 2, shuffle) == forced
    assert seated.machine_line(found, 2, None) is None, "people deal"
    assert seated.machine_line(found, 1, shuffle) is None, "not for the player itself"


def test_who_plays_alone_gets_a_cut_of_its_own_pack() -> None:
    """This holds even if another pack had been cut, with the same or another card."""
    shuffle = Shuffle(bytes(32).hex(), "cut")
    found = Record()
    for line in HEAD[:3]:
        found.read(line)
    assert seated.machine_line(found, 2, shuffle) is None
    first = seated.machine_line(found, 2, shuffle, alone=True)
    assert first is not None
    pack = sealed.shuffled(shuffle.key, shuffle.cut, 0)
    assert (first.verb, first.cards) == ("cut", pack[:1])
    found.read(f"{first.seat} cut {pack[1]}")
    second = seated.machine_line(found, 2, shuffle, alone=True)
    assert second is not None
    assert (second.seat, second.cards) == (2, pack[:1])
    found.apply(second)


def test_its_own_hand_is_counted_and_a_crib_that_is_known() -> None:
    found = record(
        "2 hand 5H 6S 7D 8C JH QS", "1 discard ? ?", "2 discard JH QS", "starter 2C",
        "1 play 9S", "2 play 6S", "1 play 4D", "2 play 5H", "1 go", "2 play 7D",
        "1 play KD", "2 play 8C", "1 play KC", "1 show",
    )  # fmt: skip
    move = seated.machine_line(found, 2, None)
    assert move is not None
    assert notation.spell(move) == "2 show"
    found.apply(move)
    assert seated.machine_line(found, 2, None) is None, "the other's two cards are not known"
    count = seated.count_due(found.position, 2)
    assert count == Move("crib", 2)
    assert not seated.can_count(found.position, count), "people enter them"


@pytest.mark.parametrize(
    "lines",
    [
        ("game noddy", "2 hand 5H 9S KD", "starter 2C", "1 show TS QC AH"),
        (
            *("game costly-colours", "2 hand 5H 9S KD", "starter 7C", "1 mog TS", "2 mog 5H"),
            *("1 play AH", "2 play TS", "1 play 8C", "2 play 9S", "1 go", "2 go"),
            *("1 play 5H", "2 play KD", "1 show"),
        ),
    ],
    ids=("noddy", "costly-colours"),
)
def test_a_hand_of_which_nothing_is_thrown_is_counted_too(lines: tuple[str, ...]) -> None:
    found = Record()
    for line in (lines[0], "seat 1 Ann", "seat 2 Board", "dealer 2", "deal", *lines[1:]):
        found.read(line)
    assert seated.machine_line(found, 2, None) == Move("show", 2)


def test_cards_are_named_by_their_places() -> None:
    found = record("2 hand 5H 6S 7D 8C JH QS", "1 discard ? ?", "2 discard JH 6S")
    _, deal = seated.deal_at_hand(found)
    away = deal[-1].cards
    assert sorted(seated.places(deal, 2, away)) == [2, 5]
    assert seated.places(deal, 1, away) == ()


@pytest.mark.parametrize(
    ("lines", "swap", "place", "after", "given"),
    [
        (
            ("game costly-colours", "dealer 1", "deal", "2 hand 5H 9S KD", "starter 7C"),
            "2 mog 9S",
            2,
            ("1 mog TS",),
            "TS",
        ),
        (
            (
                "game costly-colours",
                "dealer 2",
                "deal",
                "2 hand 5H 9S KD",
                "starter 7C",
                "1 mog TS",
            ),
            "2 mog 9S",
            2,
            (),
            "TS",
        ),
        (
            (
                *("game klaberjass", "dealer 1", "deal", "2 hand AS 7H QS JD TD 9D", "turnup KH"),
                *("2 bid take", "2 hand 8S 8D 8H"),
            ),
            "2 exchange",
            2,
            (),
            "KH",
        ),
    ],
    ids=("first", "second", "klaberjass"),
)
def test_what_is_given_in_exchange_lies_where_the_other_card_lay(
    lines: tuple[str, ...], swap: str, place: int, after: tuple[str, ...], given: str
) -> None:
    """The person at the table makes the exchange without looking at the cards."""
    found = Record()
    for line in (lines[0], "seat 1 Ann", "seat 2 Board", *lines[1:]):
        found.read(line)
    _, deal = seated.deal_at_hand(found)
    move = notation.parse_move(swap, found.position.game)
    assert seated.places(deal, 2, seated.leaving(deal, move)) == (place,)
    for line in (swap, *after):
        found.read(line)
    _, deal = seated.deal_at_hand(found)
    assert seated.places(deal, 2, (parse_card(given),)) == (place,)


def test_a_seat_waits_for_the_next_deal_unless_its_whole_hand_is_known() -> None:
    found = Record()
    for line in ("game belote", "seat 1 Ann", "seat 2 Board", "dealer 2", "deal"):
        found.read(line)
    assert not seated.waits(found, 2, None), "its cards may still be entered"
    for line in ("2 hand AS KS QS JD TD 9D", "turnup 8D", "1 bid take"):
        found.read(line)
        assert not seated.waits(found, 2, None)
    found.read("1 play AC")
    assert seated.waits(found, 2, None), "three of its cards are in no line"
    found.read("undo")
    for line in ("2 hand 9S 7C TH", "1 play AC"):
        found.read(line)
        assert not seated.waits(found, 2, None)


@pytest.mark.parametrize("kept", ["3H", "KS"])
def test_a_seat_that_laid_away_a_card_by_its_rank_waits_whatever_it_holds(kept: str) -> None:
    """With the other three cards it cannot tell which it kept; with a king in their place it
    could."""
    names = ("Ann", "Bob", "Cat", "Dan")
    found = Record()
    for line in (
        *("game cribbage", *(f"seat {seat} {name}" for seat, name in enumerate(names, 1))),
        *("dealer 4", "deal", "1 hand JD 6H KC 5S KD", "2 hand QS 4S 7D 8H 5D"),
        *(f"3 hand {kept} KH AC 4C 3C", "4 hand TC JS AS 6S AH", "1 discard 6H"),
        *("2 discard 4S", "3 discard 3", "4 discard TC"),
    ):
        found.read(line)
    assert seated.waits(found, 3, None)
    assert not seated.waits(found, 2, None)
