"""Hints use only the seat's knowledge, recommend the move that is right by brute force, and have a
fitting nudge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from boardctl.bot import habits, hints, seated, worker
from boardctl.bot.hints import hint
from boardctl.bot.totals import total
from boardctl.bot.worker import Seat
from boardctl.games import IllegalMove, Move, find, names
from boardctl.games.cards import CARDS, Card, parse_cards
from boardctl.record.legal import accepted, legal_moves
from boardctl.record.record import Record
from boardctl.record.visibility import GameLines
from boardctl.text import LANGUAGES, moves, sentences
from boardctl.text.hints import hint as in_words
from tests.bot.dealer import Dealt, play_game
from tests.sweeps import sweep

OPENING = ("game cribbage", "seat 1 Ann", "seat 2 Bob")


def read(*lines: str) -> Record:
    record = Record()
    for line in (*OPENING, *lines):
        record.read(line)
    return record


def asked(record: Record, seat: int) -> str:
    """Return the process's answer, byte for byte."""
    lines = seated.visible_lines(record, GameLines(seat))
    return worker.Worker().answer(json.dumps({"seat": seat, "hint": True, "lines": lines}))


@pytest.mark.parametrize("seed", range(2))
def test_hidden_cards_changed_leave_every_hint_the_same(seed: int) -> None:
    """The hints are equal byte for byte, at each decision of a deal, for both seats."""
    whole = play_game((Seat(1, 2, 1).receive, Seat(2, 3, 2).receive), Random(seed), deals=1)
    for seat in (1, 2):
        away = next(m for m in whole.moves if m.verb == "discard" and m.seat == 3 - seat)
        known = {card for move in whole.moves for card in move.cards}
        free = [card for card in CARDS if card not in known]
        swapped = dict(zip(away.cards, free, strict=False))
        one, two = Record(), Record()
        compared = 0
        for move in whole.moves:
            if move.verb in ("crib", "show"):
                break
            one.apply(move)
            two.apply(move._replace(cards=tuple(swapped.get(c, c) for c in move.cards)))
            if one.position.state is not None:
                said = asked(one, seat)
                assert said == asked(two, seat)
                compared += json.loads(said)["hint"] is not None
        assert compared >= 3


def wins_for_sure(record: Record, seat: int) -> bool:
    """Return whether a seat wins however both play from here, with all cards known. This is a
    brute-force search over the referee's legal moves, with the seat's best moves against the
    opponent's best replies."""
    position = record.position
    if position.over:
        outcome = position.outcome
        assert outcome is not None
        return outcome.winner == seat
    moves = [m for m in legal_moves(record) if m.verb in ("play", "go")]
    if not moves or position.situation.phase != "play":
        return False
    turn = moves[0].seat
    found = (wins_for_sure(after(record, move), seat) for move in moves)
    return any(found) if turn == seat else all(found)


def after(record: Record, move: Move) -> Record:
    copy = record.copy()
    copy.apply(move)
    return copy


def endgames(count: int) -> Iterator[tuple[Record, list[Card]]]:
    """Yield positions late in the play near 121, with seat 1 to choose, and seat 2's possible
    cards."""
    chance = Random(34)
    found = 0
    while found < count:
        cards = chance.sample(CARDS, 13)
        mine, theirs = chance.choice(range(114, 121)), chance.choice(range(114, 121))
        record = read(
            f"start {mine} {theirs}", f"dealer {chance.choice((1, 2))}", "deal",
            "1 hand " + " ".join(map(str, cards[:6])), "2 discard ? ?",
            "1 discard " + " ".join(map(str, cards[:2])), f"starter {cards[12]}",
        )  # fmt: skip
        held = {1: list(cards[2:6]), 2: list(cards[8:12])}
        while not record.position.over and record.position.situation.phase == "play":
            own = [m for m in legal_moves(record, 1) if m.verb == "play"]
            if len(own) > 1 and len(held[2]) == 1 and record.position.situation.turn == 1:
                found += 1
                seen = {*cards[:6], cards[12], *cards[8:12]} - set(held[2])
                yield record, [card for card in CARDS if card not in seen]
                break
            try:
                step(record, held, chance)
            except IllegalMove:
                break


def step(record: Record, held: dict[int, list[Card]], chance: Random) -> None:
    """Enter one card or go of the seat to play."""
    seat = record.position.situation.turn
    assert seat is not None
    count = record.position.situation.count or 0
    fits = [card for card in held[seat] if count + min(card.rank or 0, 10) <= 31]
    if not fits:
        record.read(f"{seat} go")
        return
    card = chance.choice(fits)
    held[seat].remove(card)
    record.read(f"{seat} play {card}")


def test_near_the_end_a_certain_win_is_found() -> None:
    """If some card wins whatever the opponent holds, the hint is such a card."""
    certain = 0
    for record, may_hold in endgames(60):
        mine = [m for m in legal_moves(record, 1) if m.verb == "play"]
        worlds = list(with_each(record, may_hold))

        def wins(move: Move, worlds: list[Record] = worlds) -> bool:
            return all(wins_for_sure(after(world, move), 1) for world in worlds)

        sure = [move for move in mine if wins(move)]
        if not sure or len(sure) == len(mine):
            continue
        certain += 1
        found = hint(as_seen(record), 1)
        assert found is not None
        assert found.best.move in sure, [str(m) for m in record.moves]
        assert found.best.win == pytest.approx(1)
    assert certain >= 5


def as_seen(record: Record, seat: int = 1) -> Record:
    """Return the record as a seat sees it."""
    fresh = Record()
    for line in seated.visible_lines(record, GameLines(seat)):
        fresh.read(line)
    return fresh


def with_each(record: Record, may_hold: list[Card]) -> Iterator[Record]:
    """Return the position with each rank that the opponent may still hold, given its gos."""
    for card in {card.rank: card for card in may_hold}.values():
        away = [other for other in may_hold if other != card][:2]
        try:
            yield with_card(record, card, away)
        except IllegalMove:
            continue


def with_card(record: Record, card: Card, away: list[Card]) -> Record:
    """Return the position with all of the opponent's cards known: the last one, and two that were
    thrown."""
    fresh = Record()
    played = [m.cards[0] for m in record.moves if m.verb == "play" and m.seat == 2]
    for move in record.moves:
        thrown = move.verb == "discard" and move.seat == 2
        fresh.apply(move._replace(cards=tuple(away)) if thrown else move)
        if move.verb == "deal":
            fresh.read("2 hand " + " ".join(map(str, (*played, card, *away))))
    return fresh


def test_a_throw_keeps_the_hand_that_counts_out() -> None:
    """The pone counts out for certain with one throw, and otherwise the dealer does. The hint finds
    that throw."""
    chance = Random(7)
    looked = 0
    while looked < 6:
        cards = chance.sample(range(52), 6)
        rest = [card for card in range(52) if card not in cards]
        need = 8
        ways = {
            two: sum(total(a, b, c, d, starter) >= need for starter in rest)
            for two in combinations(cards, 2)
            for a, b, c, d in [[card for card in cards if card not in two]]
        }
        first, second = sorted(ways.values(), reverse=True)[:2]
        if first != len(rest) or second > len(rest) - 8:
            continue
        looked += 1
        hand = " ".join(str(CARDS[card]) for card in cards)
        found = hint(read(f"start {121 - need} 110", "dealer 2", "deal", f"1 hand {hand}"), 1)
        assert found is not None
        away = {CARDS.index(card) for card in found.best.move.cards}
        assert ways[next(two for two in ways if set(two) == away)] == first


def test_the_hint_is_what_the_strongest_level_plays() -> None:
    """This holds at every decision of a deal."""
    whole = play_game((Seat(1, 5, 1).receive, Seat(2, 3, 2).receive), Random(4), deals=1)
    record = Record()
    compared = 0
    for move in whole.moves:
        if move.seat == 1 and move.verb in ("discard", "play", "go"):
            found = hint(as_seen(record), 1)
            assert found is not None
            if move.verb == "discard":
                assert set(found.best.move.cards) == set(move.cards)
            else:
                assert (found.best.move.verb, found.best.move.seat) == (move.verb, 1)
            compared += 1
        record.apply(move)
    assert compared > 4


@pytest.mark.parametrize(
    ("lines", "nudge", "why"),
    [
        (("dealer 1", "deal", "1 hand 5H 5S 4D 6C KS 9D"), {"keep-run", "keep-pairs"}, "hand"),
        (("dealer 2", "deal", "1 hand 2H 3S 7D 8C KS KD"), None, None),
    ],
)
def test_a_throw_is_nudged_by_what_matters(
    lines: tuple[str, ...], nudge: set[str] | None, why: str | None
) -> None:
    found = hint(read(*lines), 1)
    assert found is not None
    assert nudge is None or found.nudge in nudge
    assert why is None or found.why == why
    assert found.other is not None
    assert (found.best.win or 0) >= (found.other.win or 0)


PLAY = ("dealer 1", "deal", "1 hand 5H 6S 7D 8C JH QS", "1 discard JH QS", "2 discard ? ?",
        "starter 2C")  # fmt: skip


def test_points_at_once_are_nudged_and_compared() -> None:
    found = hint(read(*PLAY, "2 play 8D"), 1)
    assert found is not None
    assert (found.nudge, found.best.points) == ("score", 2)
    answer = in_words(found.as_data(), found.best.move, (), ("Ann", "Bob"))
    assert answer["move"].startswith("Play ")
    assert len(answer["why"]) == 3
    assert "2 now" in answer["why"][1]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_hand_is_counted(language: str) -> None:
    record = read(*PLAY, "2 play KD", "1 play 5H", "2 play 9D", "1 play 6S", "2 go", "2 play 4H",
                  "1 play 7D", "2 play TD", "1 play 8C", "2 show KD 9D 4H TD")  # fmt: skip
    found = hint(record, 1)
    assert found is not None
    awards = record.try_out(found.best.move).awards
    answer = in_words(found.as_data(), found.best.move, awards, ("Ann", "Bob"), language)
    assert str(found.best.points) in answer["move"]
    assert found.best.points == sum(award.points for award in awards) > 0


def test_no_cards_no_hint() -> None:
    assert hint(read("dealer 1", "deal"), 1) is None
    assert hint(read("dealer 1", "deal", "1 hand ? ? ? ? ? ?"), 1) is None
    assert hint(read("dealer 1", "deal", "1 hand 5H 6S 7D 8C JH QS"), 2) is None


FORMS = {
    "three": ("game cribbage", "seat 1 A", "seat 2 B", "seat 3 C", "dealer 3", "deal",
              "1 hand 5H 6S 7D 8C JH"),
    "four": ("game cribbage", "seat 1 A", "seat 2 B", "seat 3 C", "seat 4 D", "dealer 2", "deal",
             "1 hand 5H 6S 7D 8C JH"),
    "singles": ("game cribbage", "seat 1 A", "seat 2 B", "set crib_cards two_dealt", "dealer 1",
                "deal", "1 hand 5H 6S 7D 8C JH"),
    "stinkhole": ("game cribbage", "seat 1 A", "seat 2 B", "set stinkhole heels_go", "dealer 1",
                  "deal", "1 hand 5H 6S 7D 8C JH QS"),
    "five": ("game five-card-cribbage", "seat 1 A", "seat 2 B", "dealer 1", "deal",
             "1 hand 5H 6S 7D 8C JH"),
}  # fmt: skip


@pytest.mark.parametrize("form", sorted(FORMS))
def test_other_forms_are_judged_by_their_average(form: str) -> None:
    record = Record()
    for line in FORMS[form]:
        record.read(line)
    found = hint(record, 1)
    assert found is not None
    assert found.other is not None
    assert found.best.win is None
    assert in_words(found.as_data(), found.best.move, ())["why"][1].endswith("on average.")


@pytest.mark.parametrize(("start", "why"), [("", "even"), ("start 100 100", "late")])
def test_two_throws_of_like_worth_are_not_told_apart_by_an_end_that_is_far(
    start: str, why: str
) -> None:
    """Either nine may go with the jack."""
    lines = (*([start] if start else []), "dealer 2", "deal", "1 hand 9S 4S 2C JC 9H 4D")
    found = hint(read(*lines), 1)
    assert found is not None
    assert found.why == why


def test_every_code_has_its_sentence() -> None:
    source = sentences()
    for code in ("own-crib", "their-crib", "count-first", "count-last", *hints.NUDGES):
        assert f"hint.{code}" in source
    for code in (
        "hand",
        "crib",
        "play",
        "late",
        "even",
        "points",
        "safer",
        "low-lead",
        "later",
        "only",
    ):
        assert f"hint.why-{code}" in source


@pytest.mark.slow
@sweep("enough", [12, 10_000], ordinary=[12])
@pytest.mark.parametrize("name", sorted(set(names()) - {"cribbage", "five-card-cribbage"}))
def test_every_other_game_has_hints_that_are_legal(name: str, enough: int) -> None:
    """In games with every card entered, each hint is accepted as far as the seat can know."""
    given = 0
    every = 16 if "bezique" in name else 2
    for game_number in range(3):
        dealt = Dealt(name, [1] * find(name).seats[0], Random(game_number))
        for number in range(120):
            for seat in () if number % every else dealt.table.position.seats:
                known = as_seen(dealt.table, seat)
                found = hint(known, seat)
                if found is None:
                    continue
                given += 1
                assert accepted(known, found.best.move)
                counts = found.kind == "count"
                awards = known.try_out(found.best.move).awards if counts else ()
                for language in LANGUAGES:
                    said = in_words(found.as_data(), found.best.move, awards, "ABCD", language)
                    assert said["nudge"]
                    assert said["move"]
            if given >= enough or not dealt.step(2):
                break
    assert given


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hand_of_costly_colours_is_counted_in_words(language: str) -> None:
    """The combinations in this game have no traditional words."""
    dealt = Dealt("costly-colours", [1, 1], Random(1))
    named = set[str]()
    while len(named) < 3 and dealt.step(9):
        for seat in dealt.table.position.seats:
            known = as_seen(dealt.table, seat)
            found = hint(known, seat)
            if found is not None and found.kind == "count" and found.best.points:
                awards = known.try_out(found.best.move).awards
                named |= {award.reason for award in awards}
                said = in_words(found.as_data(), found.best.move, awards, "AB", language)
                for reason in moves.awarded(awards, "AB", language):
                    assert reason in said["move"]
    assert "colours" in named


def advice(record: Record, seat: int) -> dict[str, str]:
    """Return a seat's hint, as its player reads it."""
    known = as_seen(record, seat)
    found = hint(known, seat)
    assert found is not None
    awards = known.try_out(found.best.move).awards if found.kind == "count" else ()
    said = in_words(found.as_data(), found.best.move, awards, ("Ann", "Bob"))
    return {"nudge": said["nudge"], "move": said["move"], "why": " ".join(said["why"])}


def test_two_cards_of_one_rank_are_not_called_one() -> None:
    deal = ("dealer 2", "deal", "1 hand 6C 6D 2S 3S KS QS", "2 hand 7D 8D 9D TD 5D JD")
    throws = ("1 discard KS QS", "2 discard 5D JD", "starter AH")
    plays = ("1 play 2S", "2 play TD", "1 play 3S", "2 play 9D")
    said = advice(read(*deal, *throws, *plays), 1)
    assert (
        said["nudge"]
        == "The cards that you can play all have the same rank, so any of them will do."
    )
    assert said["why"].startswith("No other rank can be played.")


def test_four_of_a_kind_are_counted_with_nothing_else() -> None:
    deal = ("dealer 2", "deal", "1 hand 6C 6D 6S 6H KS QS", "2 hand 7D 8D 2D TD 5D JD")
    throws = ("1 discard KS QS", "2 discard 5D JD", "starter AH")
    plays = ("1 play 6C", "2 play 7D", "1 play 6D", "2 play 2D", "1 play 6H", "1 go", "2 go")
    record = read(*deal, *throws)
    for line in plays:
        if record.position.prompt.asks:
            try:
                record.read(line)
            except IllegalMove:
                continue
    while any(ask.code in ("play", "go") for ask in record.position.prompt.asks):
        record.apply(legal_moves(record)[0])
    said = advice(record, 1)
    assert said["move"].startswith("It is worth 12")
    assert "something else" not in said["nudge"]


def test_a_nudge_to_a_low_lead_is_not_given_where_another_is_better() -> None:
    deal = ("dealer 2", "deal", "1 hand 4H 5S 6D 6C KS QD", "2 hand 5D 3S 9H 8D 2C QH")
    record = read(*deal, "1 discard KS QD", "2 discard 2C QH", "starter JD")
    said = advice(record, 1)
    low = any(rank in said["move"] for rank in "A234")
    assert ("make fifteen with at once" in said["nudge"]) == low


def test_the_best_trumps_are_taken() -> None:
    record = Record()
    for line in ("game klaberjass", "seat 1 Ann", "seat 2 Bob", "dealer 2", "deal"):
        record.read(line)
    for line in ("1 hand JH 9H AH KS QS 7D", "2 hand TH 8H AS TS 8C 7C", "turnup QH"):
        record.read(line)
    assert advice(record, 1)["move"] == "Ann takes it"


def test_the_best_trumps_are_not_what_is_needed_least() -> None:
    record = Record()
    for line in ("game belote", "seat 1 Ann", "seat 2 Bob", "dealer 2", "deal"):
        record.read(line)
    for line in ("1 hand JH 9H AH KS QS 7D", "2 hand TH 8H AS TS 8C 7S", "turnup QH"):
        record.read(line)
    for line in ("1 bid take", "1 hand 7C 8D TC", "1 play JH", "2 play 8H"):
        record.read(line)
    best, _ = habits.ranked(record, 1)[0]
    assert best != Move("play", 1, tuple(parse_cards("9H")))


def test_who_passes_reads_why() -> None:
    record = Record()
    for line in ("game klaberjass", "seat 1 Ann", "seat 2 Bob", "dealer 2", "deal"):
        record.read(line)
    for line in ("1 hand 7H 8S AS KD QC 7D", "2 hand TH 8H JS TS 8C 7C", "turnup QH"):
        record.read(line)
    said = advice(record, 1)
    assert said["move"] == "Ann passes"
    assert said["why"].startswith("A bid needs three cards of a suit")


@pytest.mark.parametrize(
    ("dealt", "move", "named"),
    [
        ("AH TH KH QH JH AS AC 9D 9C TS JS QC", "Ann bids 100", "♥"),
        ("9H TH KD QH JH TS KC 9D 9C TS JS QC", "Ann passes", "♥"),
    ],
)
def test_who_bids_points_reads_how_far(dealt: str, move: str, named: str) -> None:
    record = Record()
    begun = ("game pinochle", *(f"seat {n} {'ABCD'[n - 1]}" for n in range(1, 5)), "dealer 4")
    for line in (*begun, "deal", f"1 hand {dealt}"):
        record.read(line)
    said = advice(record, 1)
    assert said["move"] == move
    assert said["why"].startswith("Bid up to the points")
    for line in ("1 bid 100", "2 bid pass", "3 bid pass", "4 bid pass"):
        record.read(line)
    said = advice(record, 1)
    assert named in said["move"]
    assert said["why"].startswith(("In this suit your melds", "It was best on average"))


@pytest.mark.parametrize(
    ("kept", "made"),
    [("5H TS 2C", "fifteens"), ("2C 9H KD", "low"), ("4H 5S 6C", "run"), ("9H 9C 2D", "pairs")],
)
def test_three_cards_are_kept_for_what_they_make(kept: str, made: str) -> None:
    cards = [CARDS.index(card) for card in parse_cards(kept)]
    assert hints._makes_of(cards) == made


def test_no_hint_where_the_hand_is_not_known_whole() -> None:
    for hand in ((), ("2 hand 5H",), ("2 hand 5H ? ?",), ("2 hand 5H TS 2C",)):
        record = Record()
        for line in ("game costly-colours", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal"):
            record.read(line)
        for line in (*hand, "starter QH"):
            record.read(line)
        assert (hint(as_seen(record, 2), 2) is None) == (hand != ("2 hand 5H TS 2C",))
