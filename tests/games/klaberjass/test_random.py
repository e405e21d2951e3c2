"""Random deals with every card entered: invariant sums, and counts that give the same result."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from boardctl.games.cards import Card
from boardctl.games.common import jass
from boardctl.games.klaberjass.deal import IN_PLAY, Deal, possible_points
from boardctl.games.klaberjass.state import State
from tests.games.klaberjass.table import Table, hand, shuffled
from tests.report import LongRun


def bid(table: Table, chance: Random) -> bool:
    """Bid at random, and return False if all passed."""
    for _ in range(4):
        (ask,) = (a for a in table.record.position.prompt.asks if a.code in ("take", "bid"))
        table.record.apply(chance.choice(ask.choices))
        if table.phase != "bid":
            break
    return table.phase == "declare"


def exchange(table: Table, chance: Random) -> None:
    for ask in table.record.position.prompt.asks:
        if ask.code == "exchange" and chance.random() < 0.7:
            table.record.apply(ask.move)
            return


def play_deal(chance: Random) -> State | None:
    """Play one random deal to its settlement, and return None if all passed."""
    options = {
        "meld_tie": chance.choice(("none", "elder")),
        "split_long_runs": chance.choice(("on", "off")),
    }
    table = Table(options)
    pack = shuffled(chance)
    table.say("deal", hand(pack[:6], 1), hand(pack[6:12], 2), f"turnup {pack[12]}")
    if not bid(table, chance):
        return None
    table.say(hand(pack[13:16], 1), hand(pack[16:19], 2))
    exchange(table, chance)
    table.say("declare")
    exchange(table, chance)
    for _ in range(IN_PLAY):
        (ask,) = (a for a in table.record.position.prompt.asks if a.code == "play")
        assert ask.cards
        table.say(f"{ask.seat} play {chance.choice(ask.cards)}")
    state = table.record.position.state
    assert isinstance(state, State)
    return state


def check_sums(chance: Random) -> bool:
    """Play and check a deal, and return whether it was played rather than passed out."""
    after = play_deal(chance)
    if after is None:
        return False
    assert after.last is not None
    deal, scored = after.last
    trump = deal.trump
    assert trump is not None
    held = deal.known_hand(1) | deal.known_hand(2)
    assert len(held) == IN_PLAY
    cards = sum(jass.value(card, trump) for card in held)
    assert sum(deal.trick_points()) == cards, "the tricks are worth the eighteen cards held"
    melds = sum(piece.points for _, piece in deal.pieces)
    royals = {Card(rank, trump) for rank in (jass.NATURAL[1], jass.NATURAL[2])}
    bella = 20 * any(royals <= deal.known_hand(seat) for seat in (1, 2))
    total = cards + 10 + melds + bella
    maker = deal.bidding.taker
    assert maker is not None
    mine, theirs = scored
    assert (mine, theirs) == (after.sheet.scores[maker - 1], after.sheet.scores[2 - maker])
    if mine:
        assert mine > theirs
        assert sum(scored) == total
    else:
        assert theirs == total or 2 * theirs == total, "all of it, or at a tie its own half"
    return True


def check_counts(deal: Deal) -> None:
    """The played points are always among the countable ones, whatever is known. If every hand is
    known, all alternatives have the same sum."""
    points = list(deal.trick_points())
    points[deal.winners[-1] - 1] += jass.LAST_TRICK
    for entered in range(0, IN_PLAY - 1, 6):
        plays = deal.plays[:entered]
        hands = tuple(tuple(card for player, card in plays if player == at) for at in (1, 2))
        unseen = replace(deal, hands=hands, denied=(frozenset(),) * 2, plays=plays)
        assert possible_points(unseen)[points[0]] >> points[1] & 1
        known = possible_points(replace(deal, plays=plays))
        assert known[points[0]] >> points[1] & 1
        for mine, row in enumerate(known[: sum(points) + 1]):
            assert row in (0, 1 << sum(points) - mine)
        assert not any(known[sum(points) + 1 :])


@pytest.mark.slow
def test_sums_of_random_deals() -> None:
    chance = Random(1)
    for _ in range(300):
        check_sums(chance)


def test_counts_of_random_deals() -> None:
    chance = Random(3)
    for _ in range(15):
        played = play_deal(chance)
        if played is not None:
            assert played.last is not None
            check_counts(played.last[0])


@pytest.mark.long
def test_sums_of_ten_thousand_random_deals(seed: int, long_run: LongRun) -> None:
    long_run(deals=10_000)
    chance = Random(seed)
    long_run(settled=sum(check_sums(chance) for _ in range(10_000)))
