"""The choices on the page are named, and reveal no card that their player has not seen."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import Daemon
from tests.web.walks import GUESTS


def choices_of(state: dict[str, Any], code: str) -> list[str]:
    """Return the labels of an ask's choices."""
    return [c["text"] for ask in state["asks"] if ask["code"] == code for c in ask["choices"]]


def seat(daemon: Daemon, game: str, players: int) -> int:
    """Begin a game like the table sheet, and return the number of its last line."""
    with daemon.client as client:
        number = client.get("/state").json()["number"]
        body = {"game": game, "players": list(GUESTS[:players]), "expect": number}
        begun: int = client.post("/table", json=body).json()["state"]["number"]
        return begun


def test_melds_are_named(daemon: Daemon) -> None:
    """Melds are named even if they score only when the deal is settled. Bids show their points."""
    seat(daemon, "pinochle", 4)
    daemon.say("dealer 4", "deal", "1 bid 300", "2 bid pass", "3 bid pass")
    state = daemon.say("4 bid pass", "trump H")
    assert choices_of(state, "meld")[:6] == [
        "Sequence ♥ 150",
        "Four aces 100",
        "Four kings 80",
        "Four queens 60",
        "Four jacks 40",
        "Pinochle 40",
    ]
    seat(daemon, "klaberjass", 2)
    daemon.say("dealer 2", "deal", "turnup TH")
    daemon.say("1 hand 7C 8C 9C JC QC KC", "1 bid take", "1 hand 9D 8S 7D")
    daemon.say("1 declare 20", "2 reply good")
    with daemon.client as client:
        state = client.get("/state", params={"seat": "1"}).json()
    assert choices_of(state, "meld") == ["Sequence ♣ 20 (K♣ Q♣ J♣)", "Sequence ♣ 20 (9♣ 8♣ 7♣)"]
    seat(daemon, "belote", 4)
    state = daemon.say("set bidding coinche", "dealer 4", "deal")
    assert choices_of(state, "contract")[:3] == ["Pass", "80 ♠ spades", "80 ♥ hearts"]
    state = daemon.say("1 bid 90 S")
    assert state["happened"]["text"] == "Zoë bids 90 ♠ spades"


def test_a_settled_deal_is_the_partners(daemon: Daemon) -> None:
    """The points belong to both partners, not only to the seat that keeps them."""
    seat(daemon, "belote", 4)
    state = daemon.say("dealer 4", "deal", "1 bid S", "4 count 50")
    assert state["happened"]["text"] == (
        "Bo counts 50 in tricks: the deal 112 for Zoë & Ida, the deal 50 – "
        "Zoë and Ida made it: 112 to 50"
    )


def test_a_choice_of_players_has_their_names(daemon: Daemon) -> None:
    """In Noddy, hands are entered but the play is not. The page asks who played the last card,
    because that player leads to the next deal."""
    seat(daemon, "noddy", 2)
    daemon.say("dealer 2", "deal", "starter KD", "1 show 5H 7D 9C")
    state = daemon.say("2 show 2H 3D KC")
    assert [ask["code"] for ask in state["asks"] if ask["due"]] == ["last-card"]
    assert choices_of(state, "last-card") == [GUESTS[0], GUESTS[1]]
    state = daemon.say("1 peg 1")
    assert [ask["code"] for ask in state["asks"] if ask["due"]] == ["deal"]


def test_what_is_laid_away(daemon: Daemon) -> None:
    """Only a page at the player's seat shows the cards, until the deal is over."""
    daemon.say("game cribbage", "dealer 1", "deal", "1 discard 5H 6S")
    with daemon.client as client:
        everybody, mine, other = (
            client.get("/state", params=seat).json() for seat in ({}, {"seat": "1"}, {"seat": "2"})
        )
        assert mine["moves"][-1]["text"] == "You discard 5♥ 6♠"
        for seen in (everybody, other):
            assert seen["moves"][-1]["text"] == "Ann discards 2 cards"
            assert "5H 6S" not in str(seen)
            starter = next(ask for ask in seen["asks"] if ask["code"] == "starter")
            assert {"5H", "6S"} <= set(starter["cards"])
        back = client.get("/amend", params={"back": 1, "seat": "2"}).json()
        assert (back["cards"], back["line"]) == ([], "1 discard ? ?")
        for path in ("/history/2", "/export/2.txt", "/export/games.json"):
            past = client.get(path, params={"seat": "1"}).raise_for_status().text
            assert "discard" not in past, path
        daemon.say("2 discard 2H 3S", "starter 9C", "2 peg 2 hand", "1 peg 4 hand", "1 peg 6 crib")
        public = client.get("/state", params={"seat": "2"}).json()
        assert any(move["text"] == "Ann discards 5♥ 6♠" for move in public["moves"])
        assert "1 discard 5H 6S" in client.get("/export/2.txt").text


def test_cards_offered_for_a_secret_hand(daemon: Daemon) -> None:
    """If the page may not show a known hand, it offers the cards of the pack that are not known to
    be elsewhere."""
    daemon.say("game klaberjass", "dealer 2", "deal", "turnup TH", "1 hand KC QC JC AS 7D 7H")
    daemon.say("1 bid take", "1 declare none")
    with daemon.client as client:
        asks = client.get("/state", params={"seat": "2"}).json()["asks"]
    cards = next(ask["cards"] for ask in asks if ask["code"] == "play")
    assert len(cards) == len(set(cards)) == 31
    assert "TH" not in cards, "it is turned up"
    assert {card[0] for card in cards} == set("789TJQKA")
    daemon.say("game cribbage", "dealer 1", "deal", "1 hand 2S 3S 4S 5S 6S 7S", "1 discard 2S 3S")
    daemon.say("2 discard ? ?", "starter 9C", "2 play TC", "1 play 7S", "2 play 9D")
    with daemon.client as client:
        asks = client.get("/state", params={"seat": "2"}).json()["asks"]
    cards = next(ask["cards"] for ask in asks if ask["head"] == "1 play")
    assert {card[0] for card in cards} == set("A2345")


def test_other_hands_stay_secret(daemon: Daemon) -> None:
    """Neither the choices for one's own known hand nor a rejection name another player's cards."""
    mine, other = "AS 2S 3S 4S 5S 6S", "KH QH JH TH 9H 8H"
    daemon.say("game cribbage", "dealer 1", "deal", f"1 hand {mine}", f"2 hand {other}")
    with daemon.client as client:
        state = client.get("/state", params={"seat": "1"}).json()
        offered = [ask["cards"] for ask in state["asks"] if ask["head"] == "1 discard"]
        assert sorted(offered[0]) == sorted(mine.split())
        for line in ("2 discard 2C 3C", "2 hand 7C"):
            body = {"line": line, "expect": state["number"]}
            for path in ("/lines", "/preview"):
                sent = body if path == "/lines" else {"line": line}
                answer = client.post(path, params={"seat": "1"}, json=sent).json()
                if line == "2 discard 2C 3C" and path == "/preview":
                    assert "refused" not in answer, "Ann cannot know that Bob holds other cards"
                    continue
                message = answer["refused"]["message"]
                assert not any(rank in message for rank in "KQJ98"), message
        sent = {"line": "1 discard 2C 3C"}
        answer = client.post("/preview", params={"seat": "1"}, json=sent).json()
        assert "A♠ 2♠ 3♠" in answer["refused"]["message"]


def test_other_hands_stay_secret_where_only_points_are_entered(daemon: Daemon) -> None:
    """After cards were entered, and then only points, nobody else is offered Bob's cards."""
    daemon.say("game cribbage", "dealer 1", "deal", "1 hand 2S 3S 4S 5S 6S 7S")
    daemon.say("2 hand AH AD AC 8H 9H TH", "2 discard AH 8H", "1 discard 2S 3S", "starter KD")
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "points"}).raise_for_status()
        others, own = (
            client.get("/state", params=seat).json()["asks"]
            for seat in ({"seat": "1"}, {"seat": "2"})
        )
    held = {"AD", "AC", "9H", "TH"}
    assert {card for ask in own if ask["head"] == "2 play" for card in ask["cards"]} == held
    for ask in others:
        assert not ask["cards"] or not set(ask["cards"]) <= held


def test_an_unseen_swap_is_chosen_in_words(daemon: Daemon) -> None:
    """The answers to "Mogging means swapping a card unseen. Does Ann mog?"."""
    seat(daemon, "costly-colours", 2)
    state = daemon.say("dealer 1", "deal", "starter KH")
    labels = choices_of(state, "mog")
    assert labels[:3] == ["Swaps a card", "Swaps a card worth 2", "Swaps a card worth 4"]
    with daemon.client as client:
        shown = client.get("/state", params={"lang": "ja"}).json()
    assert choices_of(shown, "mog")[0] == "交換する"
