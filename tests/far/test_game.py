"""A game between two houses: both keep the same record, and nobody enters the other's lines."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from boardctl import text
from boardctl.far import cards, game_file, proof
from boardctl.far.game import FarGame
from boardctl.far.game_log import Proposal, Question
from boardctl.games import IllegalMove, Move
from boardctl.record import notation
from tests.far.houses import GAME, SHORT, Houses, Message, consent, refused
from tests.report import LongRun
from tests.spread import spread


def agree(houses: Houses) -> None:
    one, two = houses.sides
    assert not houses.is_stopped, (one.stop, two.stop)
    assert one.chain == two.chain
    assert len(one.lines) == len(two.lines)
    assert one.position.scores == two.position.scores
    for side in (one, two):
        lines = side.in_effect[side.deal_start :] if side.deal is not None else []
        assert side.holdings() == cards.holdings(side.position.game, lines)


@pytest.mark.parametrize("seed", spread(1, range(3)))
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("cribbage", ("Ann", "Bob"), {}),
        ("cribbage", ("Ann", "Bob"), {"muggins": "full", "target": "61"}),
        ("cribbage", ("Ann", "Bob"), {"crib_cards": "two_dealt", "target": "61"}),
        ("cribbage", ("Ann", "Bob"), {"stinkhole": "heels_go", "target": "61"}),
        ("cribbage", ("Ann", "Bob", "Cleo", "Dan"), {"target": "61"}),
        ("five-card-cribbage", ("Ann", "Bob"), {}),
        ("noddy", ("Ann", "Bob"), {}),
        ("noddy", ("Ann", "Bob", "Cleo", "Dan"), {"go": "ends_play"}),
    ],
)
def test_a_game_ends_with_the_same_record_in_both_houses(
    game: str, seats: tuple[str, ...], options: dict[str, str], seed: int
) -> None:
    houses = Houses(Random(seed), proposal=Proposal(GAME, game, seats, options))
    houses.play()
    agree(houses)
    assert houses.is_done
    for first, second in zip(houses.one.lines, houses.two.lines, strict=True):
        assert (first.by, first.places) == (second.by, second.places)
        assert len(first.text.split()) == len(second.text.split()) or "show" in first.text
    assert houses.one.verified == houses.two.verified
    numbers = [deal["number"] for deal in houses.one.verified]
    assert numbers == list(range(1, len(numbers) + 1))
    found = list(proof.proven(map(json.dumps, houses.one.verified)))
    assert [deal.number for deal in found] == numbers
    assert found[-1].scores == houses.one.position.scores


def test_the_locations_of_cards_are_known_after_any_other_lines() -> None:
    """Other lines of the same number may follow an undo."""
    known, hands = cards.HoldingsReader(), []
    for seed in (1, 2):
        houses = Houses(Random(seed))
        houses.until("play")
        hands.append(houses.one.in_effect[houses.one.deal_start :])
        assert hands[-1] != hands[0] or seed == 1
    game = houses.one.position.game
    for lines in (*hands, hands[1][:-1], hands[1], [], hands[0]):
        assert known.after(game, lines) == cards.holdings(game, lines)


def test_boards_that_count_otherwise_stop_with_a_sentence_instead_of_two_scores() -> None:
    """Two versions may have different referees. Each house used to continue with its own score in
    that case."""
    changed: list[str] = []

    def wire(party: int, message: dict[str, Any]) -> list[dict[str, Any]]:
        if party == 2 and message["t"] == "line" and any(message["scores"]) and not changed:
            changed.append(message["line"])
            return [{**message, "scores": [one + 1 for one in message["scores"]]}]
        return [message]

    houses = Houses(Random(1), wire, Proposal(GAME, "cribbage", ("Ann", "Bob"), SHORT))
    houses.play()
    stop, told = houses.one.stop, houses.two.stop
    assert stop is not None
    assert told is not None
    assert (stop.code, stop.fields["line"], told.fields["why"]) == ("scores", *changed, "scores")


def test_a_board_of_version_1_says_no_scores() -> None:
    def wire(party: int, message: dict[str, Any]) -> list[dict[str, Any]]:
        return [{name: value for name, value in message.items() if name != "scores"}]

    houses = Houses(Random(1), wire, Proposal(GAME, "cribbage", ("Ann", "Bob"), SHORT))
    houses.play()
    agree(houses)
    assert houses.is_done


def stock(seed: int, game: str = "bezique", **options: str) -> Houses:
    return Houses(Random(seed), proposal=Proposal(GAME, game, ("Ann", "Bob"), options))


@pytest.mark.parametrize("seed", spread(1, [2, 5]))
def test_a_stock_is_drawn_from_to_the_card_that_was_turned_up_or_exchanged(seed: int) -> None:
    """Two deals of Bezique; each house is stored and reopened now and then."""
    houses = stock(seed)
    turns = 0
    while len(houses.one.verified) < 3 and houses.turn():  # the first pack was for the cut
        turns += 1
        if turns % 20 == 0:
            for n, side in enumerate(houses.sides):
                assert not side.out
                stored = json.loads(json.dumps(game_file.to_json(side)))
                houses.sides[n] = game_file.from_json(stored, houses.chance.randbytes)
                assert houses.sides[n].chain == side.chain
                assert houses.sides[n].holdings() == side.holdings()
    agree(houses)
    texts = [line.text for line in houses.one.lines]
    assert sum(" draw " in text for text in texts) == 2 * 48
    assert any(text.endswith("exchange") for text in texts)
    for first, second in zip(houses.one.lines, houses.two.lines, strict=True):
        assert (first.by, first.places) == (second.by, second.places)
        if " draw " in first.text:
            assert sorted([first.text[-1] == "?", second.text[-1] == "?"]) == [False, True]


@pytest.mark.parametrize(
    ("game", "options", "deals", "draws"),
    [
        pytest.param("pinochle", {}, 2, 24, marks=pytest.mark.slow),
        ("pinochle", {"dix_timing": "any_time", "seven_method": "no_exchange"}, 2, 24),
        pytest.param("rubicon-bezique", {}, 1, 110, marks=pytest.mark.slow),
        pytest.param("six-pack-bezique", {}, 1, 168, marks=pytest.mark.slow),
    ],
)
def test_other_games_with_a_stock_are_drawn_to_the_last_card(
    game: str, options: dict[str, str], deals: int, draws: int
) -> None:
    houses = stock(2, game, **options)
    while len(houses.one.verified) < deals + 1 and houses.turn():  # the first pack was for the cut
        agree(houses)
        for side in houses.sides:
            assert side.deal is None or side.deal.seen_cards.keys() <= side.holdings().keys()
    texts = [line.text for line in houses.one.lines]
    declared = sum(" meld " in text or " seven" in text for text in texts)
    assert declared
    assert sum(" draw " in text for text in texts) == deals * draws
    for first, second in zip(houses.one.lines, houses.two.lines, strict=True):
        assert (first.by, first.places) == (second.by, second.places)
    for side in houses.sides:
        stored = json.loads(json.dumps(game_file.to_json(side)))
        assert game_file.from_json(stored, houses.chance.randbytes).chain == side.chain


def test_before_a_card_is_drawn_it_may_be_declared_and_nothing_played() -> None:
    houses = stock(3)
    houses.until("meld")
    side = houses.sides[houses.one.caller() - 1]
    other = houses.sides[2 - side.party]
    assert side.is_ours
    assert not other.is_ours
    card = next(ask for ask in side.position.prompt.asks if ask.move.verb == "play")
    assert card.cards is not None
    assert refused(side, f"{side.party} play {card.cards[0]}") == "far-draw"
    before = len(side.lines)
    side.let_stand()
    houses.deliver()
    agree(houses)
    drawn = [line.text for line in side.lines[before:]]
    assert [text.split()[:2] for text in drawn] == [
        [str(side.party), "draw"],
        [str(other.party), "draw"],
    ]


@pytest.mark.long
def test_whole_games_of_bezique(seed: int, long_run: LongRun) -> None:
    games, lines = 4, 0
    for number in range(games):
        houses = stock(seed + number)
        houses.play(20_000)
        agree(houses)
        assert houses.is_done
        lines += len(houses.one.lines)
    long_run(games=games, lines=lines)


def test_a_house_never_has_the_other_houses_cards_before_they_are_shown() -> None:
    houses = Houses(Random(4))
    houses.until("play")
    for side in houses.sides:
        held = side.holdings()
        assert side.deal is not None
        hidden = {
            place
            for place, one in held.items()
            if one.where != "open" and (one.seat - 1) % 2 + 1 != side.party
        }
        assert hidden
        assert not hidden & side.deal.seen_cards.keys()
        assert side.deal.seen_cards.keys() <= held.keys(), "nothing of the stock"
        theirs = 3 - side.party
        lines = [line.text for line in side.lines if line.text.startswith(f"{theirs} hand")]
        assert lines == [f"{theirs} hand ? ? ? ? ? ?"]


def test_a_line_before_its_turn_is_refused_with_whose_turn_it_is() -> None:
    """The refusal names the other house's player, or the partner in the same house."""
    proposal = Proposal(GAME, "cribbage", ("Ann", "Bob", "Cleo", "Dan"), {})
    houses = Houses(Random(5), proposal=proposal)
    houses.until("play")
    for _ in range(4):
        due = houses.one.turn()
        for seat in {1, 2, 3, 4} - {due}:
            with pytest.raises(IllegalMove, match="far-turn") as error:
                houses.sides[(seat - 1) % 2].check(Move("go", seat), seat)
            assert error.value.fields == {"seat": due}
        assert houses.turn()
    names = houses.one.position.seats
    assert (
        text.refusal(error.value, text.Reader(names=[*names.values()]))
        == f"It is {names[due]}’s turn."
    )


def test_what_a_house_may_not_say_is_refused_and_changes_nothing() -> None:
    houses = Houses(Random(5))
    one, two = houses.sides
    assert refused(one, "1 cut 5H") == "far-cards"
    assert refused(one, "1 peg 3") == "far-cards"
    dealer = one.turn()
    mine, theirs = (one, two) if dealer == 1 else (two, one)
    assert refused(theirs, "deal") == "far-turn"
    mine.say(notation.parse_move("deal", None))
    assert refused(mine, "deal") != "", "it is dealt already"
    houses.deliver()
    assert refused(one, "2 discard ? ?") == "far-theirs"
    before = len(one.lines), len(two.lines)
    houses.deliver()
    assert before == (len(one.lines), len(two.lines))
    agree(houses)


def test_a_throw_before_its_turn_is_kept_and_follows_by_itself() -> None:
    houses = Houses(Random(6))
    houses.until("discard")
    pone = houses.one.turn()
    late = houses.sides[2 - pone]
    ask = next(
        ask
        for ask in late.position.prompt.asks
        if ask.move.verb == "discard" and ask.seat == late.party
    )
    assert ask.cards is not None
    throw = ask.move._replace(cards=ask.cards[:2])
    with pytest.raises(IllegalMove, match="far-held"):
        late.say(throw)
    houses.turn()
    assert houses.one.position.situation.phase == "play"
    agree(houses)
    assert any(line.text == notation.spell(throw) for line in late.lines)


def test_both_partners_may_throw_before_their_turn_and_both_throws_are_kept() -> None:
    proposal = Proposal(GAME, "cribbage", ("Ann", "Bob", "Cleo", "Dan"), {"target": "61"})
    for seed in range(4):
        houses = Houses(Random(seed), proposal=proposal)
        houses.until("discard")
        due = houses.sides[(houses.one.turn() - 1) % 2]
        late = houses.sides[2 - due.party]
        for ask in late.position.prompt.asks:
            if ask.move.verb == "discard" and (ask.seat or 0) % 2 == late.party % 2:
                assert ask.cards is not None
                with pytest.raises(IllegalMove, match="far-held"):
                    late.say(ask.move._replace(cards=ask.cards[:1]))
        assert len(late.queued) == 2
        kept = game_file.to_json(late)
        assert game_file.from_json(kept, Random(0).randbytes).queued == late.queued
        houses.turn()
        houses.turn()
        assert houses.one.position.situation.phase == "play"
        assert not late.queued
        agree(houses)


def test_whoever_goes_on_does_not_call() -> None:
    """The next line accepts a claim of the other house, like the button."""
    proposal = Proposal(GAME, "cribbage", ("Ann", "Bob"), {"muggins": "full", "target": "61"})
    went_on = 0
    for seed in range(3):
        houses = Houses(Random(seed), proposal=proposal)
        houses.until("show")
        side = houses.sides[(houses.one.turn() - 1) % 2]
        show = houses.decision(side)
        assert show is not None
        side.say(show._replace(claim=0))
        houses.deliver()
        other = houses.sides[2 - side.party]
        move = houses.decision(other)
        if not other.caller() or move is None:
            continue
        other.say(move)
        houses.deliver()
        went_on += 1
        houses.play()
        agree(houses)
        assert houses.is_done
    assert went_on


def asked(houses: Houses, asking: FarGame, line: str, yes: bool) -> None:
    assert refused(asking, line) == "far-asked"
    houses.deliver()
    other = houses.sides[2 - asking.party]
    assert other.question is not None
    consent(other, yes)
    houses.deliver()
    agree(houses)


def test_undo_misdeal_and_giving_up_need_the_other_house() -> None:
    houses = Houses(Random(7))
    houses.until("play")
    for _ in range(2):
        houses.turn()
    count = len(houses.one.record.moves)
    asked(houses, houses.one, "undo", yes=False)
    assert len(houses.one.record.moves) == count
    houses.turn()
    count += 1
    asked(houses, houses.one, "undo", yes=True)
    assert len(houses.two.record.moves) == count - 1
    # The undo reaches back to the throws, and the automatic lines follow again.
    throws = (
        count
        - 1
        - next(n for n, move in enumerate(houses.one.record.moves) if move.verb == "discard")
    )
    starter = [move for move in houses.one.record.moves if move.verb == "starter"]
    asked(houses, houses.two, f"undo {throws}", yes=True)
    assert houses.one.position.situation.phase == "discard"
    assert refused(houses.one, "undo 2") == "far-opened", "the hands are dealt"
    houses.until("play")
    assert [move for move in houses.one.record.moves if move.verb == "starter"] == starter
    asked(houses, houses.one, "misdeal", yes=True)
    houses.until("play")
    houses.play()
    agree(houses)
    assert houses.is_done


def test_a_house_gives_up_if_the_other_agrees() -> None:
    houses = Houses(Random(8))
    houses.until("play")
    assert refused(houses.one, "2 resign") == "far-theirs"
    asked(houses, houses.one, "1 resign", yes=True)
    assert houses.is_done
    assert houses.two.position.over


class _Asking(Houses):
    """Two houses, one of which asks to resign while the message with that number is on its way."""

    def __init__(self, seat: int, number: int) -> None:
        self.answer, self._seat, self._left = "", seat, number
        super().__init__(Random(number), self._ask)

    def _ask(self, _: int, message: Message) -> list[Message]:
        self._left -= 1
        if self._left == 0:
            asking = self.sides[self._seat - 1]
            self.answer = refused(asking, f"{self._seat} resign")
            self._at = len(asking.lines)
        return [message]

    def deliver(self) -> None:
        """Unless the other house has sent something at the same moment, it receives the
        question."""
        super().deliver()
        asking, other = self.sides[self._seat - 1], self.sides[2 - self._seat]
        if self.answer == "far-asked" and not any(line.by for line in asking.lines[self._at :]):
            assert other.question is not None


@pytest.mark.parametrize("seat", spread(1, [1, 2]))
def test_what_is_asked_while_the_houses_deal_is_heard_or_refused(seat: int) -> None:
    """An automatic line used to make the question void, and nobody was notified."""
    answers = Counter[str]()
    for number in range(1, 21):
        houses = _Asking(seat, number)
        while not houses.answer and houses.turn():
            pass
        answers[houses.answer] += 1
    assert answers.keys() == {"far-asked", "far-waits"}, answers


def test_a_question_that_has_been_overtaken_is_void() -> None:
    houses = Houses(Random(9))
    houses.until("play")
    due = houses.sides[(houses.one.turn() - 1) % 2]
    other = houses.sides[2 - due.party]
    assert refused(other, "undo") == "far-asked"
    move = houses.decision(due)
    assert move is not None
    due.say(move)  # at the same moment
    houses.deliver()
    assert due.question is None
    with pytest.raises(IllegalMove, match="far-other-question"):
        due.answer(Question(len(due.lines) - 1, "undo"), True)
    houses.play()
    agree(houses)
    assert houses.is_done


@pytest.mark.parametrize("seed", spread(1, range(4)))
def test_both_houses_ask_for_an_undo_at_the_same_moment_and_both_agree(seed: int) -> None:
    houses = Houses(Random(seed))
    houses.until("play")
    houses.turn()
    count = len(houses.one.record.moves)
    for side in houses.sides:
        assert refused(side, "undo") == "far-asked"
    houses.deliver()
    assert [side.question is None for side in houses.sides] == [True, False], "one question counts"
    assert refused(houses.two, "undo") == "far-asks"
    consent(houses.two)
    houses.deliver()
    agree(houses)
    assert len(houses.one.record.moves) == count - 1
    houses.play()
    agree(houses)
    assert houses.is_done


@pytest.mark.slow
def test_a_claim_waits_until_the_other_house_has_had_its_call() -> None:
    proposal = Proposal(GAME, "cribbage", ("Ann", "Bob"), {"muggins": "full", "target": "61"})
    called = False
    for seed in range(4):
        houses = Houses(Random(seed), proposal=proposal)
        houses.until("show")
        show = houses.decision(houses.sides[(houses.one.turn() - 1) % 2])
        side = houses.sides[(houses.one.turn() - 1) % 2]
        assert show is not None
        side.say(show._replace(claim=0))
        houses.deliver()
        other = houses.sides[2 - side.party]
        assert other.caller() == other.party
        assert not side.is_ours
        try:
            other.say(notation.parse_move(f"{other.party} muggins", other.position.game))
            called = True
        except IllegalMove:
            other.let_stand()
        houses.deliver()
        houses.play()
        agree(houses)
        assert houses.is_done
    assert called


def test_a_house_that_refuses_to_open_its_deal_gets_no_further_one() -> None:
    houses = Houses(
        Random(10),
        lambda party, m: [] if party == 2 and m["t"] == "lock" else [m],
        Proposal(GAME, "cribbage", ("Ann", "Bob"), SHORT, dealer=1),  # house 1 deals next
    )
    houses.play()
    assert houses.one.deal is not None
    assert not houses.one.is_ours
    assert houses.one.stop is None, "it may only be away"
    assert not houses.one.is_done


def test_unknown_games_and_rules_are_refused() -> None:
    for proposal in (
        Proposal(GAME, "chess", ("Ann", "Bob"), {}),
        Proposal(GAME, "cribbage", ("Ann",), {}),
        Proposal(GAME, "cribbage", ("Ann", "Bob", "Cleo"), {}),
        Proposal(GAME, "cribbage", ("Ann", "Bob"), {"target": "-1"}),
        Proposal(GAME, "cribbage", ("Ann", "Bob"), SHORT, 3),
    ):
        with pytest.raises(IllegalMove):
            FarGame(proposal, 1, Random(1).randbytes)
