"""The pickers' questions. The question of who deals comes first, and all its choices look alike.
Every card that may be held is offered; only cards known to be elsewhere are left out."""

from __future__ import annotations

import pytest

from boardctl import games
from boardctl.games.cards import CARDS, Card, parse_card
from boardctl.record.record import Record

ACES = frozenset(f"A{suit}" for suit in "SHDC")
SEATED = ("seat 1 Ann", "seat 2 Bob")
AN_ACE_BY_RANK = {
    "cribbage": ("dealer 1", "deal", "2 hand A"),
    "five-card-cribbage": ("dealer 1", "deal", "2 hand A"),
    "noddy": ("dealer 1", "deal", "1 hand A"),
    "costly-colours": ("dealer 1", "deal", "1 hand A"),
}


def record(game: str, *lines: str) -> Record:
    found = Record()
    for line in (f"game {game}", *SEATED, *lines):
        found.read(line)
    return found


def offered(found: Record) -> list[tuple[str, tuple[Card, ...]]]:
    """Return the cards of every ask for cards of a pack of which some are not known."""
    asks = found.position.prompt.asks
    return [(f"{ask.code} {ask.seat}", ask.cards) for ask in asks if ask.cards]


FORMS = [(name, seats) for name in games.names() for seats in games.find(name).seats]


@pytest.mark.parametrize(("game", "seats"), FORMS)
def test_a_new_game_asks_who_deals(game: str, seats: int) -> None:
    """The question comes before anybody cuts a card."""
    found = Record()
    order = [seat for seat in (1, 2, 4, 3) if seat <= seats]
    for line in (f"game {game}", *(f"seat {seat} P{seat}" for seat in order)):
        found.read(line)
    first, *others = found.position.prompt.asks
    assert (first.code, first.kind, len(first.choices)) == ("dealer", "choice", seats)
    assert {other.code for other in others} == {"cut"}


@pytest.mark.parametrize("game", AN_ACE_BY_RANK)
def test_an_ace_known_by_its_rank_may_be_any_of_the_four(game: str) -> None:
    found = offered(record(game, *AN_ACE_BY_RANK[game]))
    assert found
    for what, cards in found:
        assert {str(card) for card in cards} >= ACES, what


def test_no_fifth_card_of_a_rank_is_offered() -> None:
    lines = ("dealer 1", "deal", "2 hand A A", "1 hand A A")
    for what, cards in offered(record("cribbage", *lines)):
        if what in ("starter None", "hand 1", "hand 2"):
            assert ACES.isdisjoint(map(str, cards)), what


def test_a_hand_known_in_part_is_shown_with_any_other_cards() -> None:
    """Two of Bob's six cards were never entered, and each unseen card may be one of them."""
    lines = ("dealer 1", "deal", "2 hand 2H 3H 4H 5H", "1 discard ? ?", "2 discard ? ?")
    found = record("cribbage", *lines, "starter 9C", "2 peg 1 go")
    ask = next(ask for ask in found.position.prompt.asks if ask.code == "show")
    unseen = {card for card in CARDS if str(card) not in ["2H", "3H", "4H", "5H", "9C"]}
    assert ask.cards is not None
    assert unseen <= set(ask.cards)


@pytest.mark.parametrize("name", [name for name in games.names() if games.find(name).copies > 1])
def test_a_card_is_offered_as_often_as_a_hand_may_hold_it(name: str) -> None:
    """In a game with several packs, a card is offered as often as nobody else is known to have
    it."""
    copies = games.find(name).copies

    def kings(*lines: str) -> list[int]:
        found = dict(offered(record(name, "dealer 1", "deal", *lines)))
        return [found[f"hand {seat}"].count(parse_card("KS")) for seat in (1, 2)]

    assert kings() == [copies, copies]
    assert kings("1 hand KS") == [copies - 1, copies - 1]
    assert kings("1 hand KS KS")[1] == copies - 2


def test_cards_to_lay_away_lie_in_their_order() -> None:
    """This includes those of the widow, which are known to be in the hand."""
    found = Record()
    for line in ("game pinochle", *SEATED, "seat 3 Cid", "dealer 3", "deal", "1 bid 300"):
        found.read(line)
    for line in ("2 bid pass", "3 bid pass", "widow KD QD 9D", "trump S"):
        found.read(line)
    (cards,) = (cards for what, cards in offered(found) if what == "discard 1")
    kinds = list(dict.fromkeys(card.plain for card in cards))
    assert kinds == list(dict.fromkeys(games.find("pinochle").pack))
