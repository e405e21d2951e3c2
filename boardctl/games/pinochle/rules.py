"""The phases of three- and four-handed Pinochle: cut, deal, bid, widow, trump, meld, discard and
play.

Source: docs/rules/pinochle-3-4.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from boardctl.games import Ask, IllegalMove, Kind, Move, Note, Option, Played, Verb, put
from boardctl.games.cards import Card, Rank
from boardctl.games.common import referee
from boardctl.games.common.auction import STEP
from boardctl.games.common.by_deal import ByDealReferee, changes, check_pegged
from boardctl.games.common.trick_deal import Duties, accepted, ask_choice, ask_trump, stands
from boardctl.games.pinochle import melds
from boardctl.games.pinochle.deal import WIDOW, Bidding, Deal
from boardctl.games.pinochle.melds import ALL, PACK, RANKS
from boardctl.games.pinochle.state import State, settle
from boardctl.message import Fields

HIGHEST: Final = 1000
"""The difference between the lowest bid and the highest bid that the keypad offers."""
MOST_IN_A_DEAL: Final = 5000
"""A number that exceeds the points of any side in a deal."""


class AuctionPinochle(ByDealReferee[State, Deal]):
    """Pinochle for three players, each playing alone, and for four as partners."""

    name = "pinochle"
    opening = State
    seats = (3, 4)
    pack = PACK
    ranks = RANKS
    copies = 2
    options = (
        Option("target", "1000", ("500", "1000", "1500", "2000")),
        Option("min_bid", "auto", ("auto", "100", "200", "250", "300")),
        Option("double_melds", "auto", ("auto", "on", "off")),
        Option("counters", "traditional", ("traditional", "modern")),
        Option("head", "trump_lead_only", ("trump_lead_only", "always")),
        Option("all_pass", "redeal", ("redeal", "dealer_bids", "dealer_under")),
        Option("first_lead", "eldest", ("eldest", "bidder"), seats=(4,)),
        Option("bidder_scores", "all", ("all", "bid"), seats=(3,)),
        Option("failed", "bid", ("bid", "zero"), seats=(3,)),
        Option("double_bete", "off", ("off", "on"), seats=(3,)),
        Option(
            "others_score",
            "melds_and_tricks",
            ("melds_and_tricks", "tricks", "nothing"),
            seats=(3,),
        ),
        Option("below_zero", "on", ("on", "off")),
        referee.NEXT_GAME_DEALER,
    )
    verbs = (
        Verb("hand", cards=(1, 18), secret=True, kind=Kind.HAND),
        Verb("bid", numbers=(0, 1), words=("pass",), kind=Kind.BID),
        Verb("widow", seated=False, cards=(1, 18), kind=Kind.TURNED),
        Verb("trump", seated=False, suit=True, kind=Kind.TRUMP),
        Verb("trump", suit=True, kind=Kind.TRUMP),
        Verb("declare", seated=False, opens=True),
        Verb("meld", cards=(1, 18), kind=Kind.MELD),
        Verb("discard", cards=(1, 18), secret=True, kind=Kind.DISCARD),
        Verb("concede"),
        Verb("play", cards=(1, 1), kind=Kind.PLAY),
        Verb("count", numbers=(1, 1), kind=Kind.POINTS),
        Verb("peg", numbers=(1, 1), either_sign=True, kind=Kind.POINTS),
    )

    def pieces(self, deal: Deal, cards: tuple[Card, ...]) -> tuple[melds.Meld, ...]:
        trump = deal.trump
        return () if trump is None else melds.melds(cards, trump, double=deal.double_melds)

    def cut_strength(self, state: State, rank: Rank) -> int:
        return RANKS.index(rank)  # the lowest card deals (2.1)

    def new_deal(self, state: State) -> Deal:
        assert state.sheet.dealer is not None
        eldest, seats = state.setup.after(state.sheet.dealer), len(state.setup.seats)
        chosen = state.option("min_bid")
        least = int(chosen) if chosen != "auto" else 300 if seats == 3 else 100
        always = state.option("head") == "always"
        duties = Duties(head=always, overtrump=always)
        return Deal.begin(Bidding(eldest, seats, least), state.setup.options, duties=duties)

    def may_follow_end(self, state: State, move: Move) -> bool:
        """Return whether a line may follow the end of the game. Only the third of three counts
        may."""
        third = move.verb == "count" and state.third is not None
        return third or super().may_follow_end(state, move)

    def check_deal(self, state: State) -> Played[State]:
        check_pegged(state)
        if state.deal is not None and state.deal.counted:
            missing = state.deal.counts.index(None) + 1
            raise IllegalMove("count-missing", seat=missing)
        played = super().check_deal(state)
        return Played(replace(played.state, third=None))

    settled = staticmethod(settle)

    def first_counted(self, state: State) -> int | None:
        """Return the bidder's side, which is counted first (7.1), or None."""
        return state.bidder

    def phase(self, deal: Deal) -> str:
        if deal.trump is None:
            return "widow" if deal.seats == 3 and deal.widow is None else "trump"
        if deal.led or deal.counted:
            return "play"
        if not deal.melded:
            return "meld"
        return "discard" if deal.seats == 3 and deal.discards is None else "play"

    def turn(self, deal: Deal) -> int | None:
        """Return the seat that must play or decide, or None."""
        return deal.turn if self.phase(deal) == "play" else deal.bidder

    def asks_bidding(self, deal: Deal) -> Iterator[Ask]:
        least, bid = deal.bidding.lowest, Move("bid", deal.bidding.bidder)
        yield Ask("bid-points", "number", bid, least=least, most=least + HIGHEST, scale=STEP)
        yield Ask("pass", "confirm", bid._replace(words=("pass",)))

    def asks_playing(self, deal: Deal) -> Iterator[Ask]:
        bidder = deal.bidder
        assert bidder is not None
        early = not (deal.led or deal.counted)
        fresh = early and deal.discards is None and not any(deal.melded.values())
        if fresh and deal.seats == 3 and deal.widow is None and deal.unseen(bidder) >= WIDOW:
            cards = deal.unlocated()
            yield Ask("widow", "cards", Move("widow"), "cards", WIDOW, WIDOW, cards=cards)
        if deal.trump is None:
            fields = {"seat": bidder}
            yield ask_trump()._replace(code="name-trump", telling="points", fields=fields)
        else:
            yield from _with_trump(deal, bidder, early=early)
        if not deal.led:
            yield from deal.ask_counts(range(1, deal.sides + 1))
        if deal.seats == 3 and early:
            yield Ask("concede", "confirm", Move("concede", bidder))
        if fresh:
            yield from deal.ask_hands()

    def contract(self, deal: Deal) -> tuple[Note, ...]:
        if deal.bidder is None:
            return ()
        return (Note("bidder", {"seat": deal.bidder, "bid": deal.bidding.bid}),)

    def details(self, deal: Deal) -> Fields:
        return {"bidder": deal.bidder, "bid": deal.bidding.bid or None}

    def laid_down(self, before: State, move: Move) -> tuple[Move, ...]:
        """Return one line for each hand with its melds."""
        deal = self.current_deal(before, move.verb)
        laid = deal.declare_all().melded
        fresh = {at: melds.used(laid[at]) for at in sorted(laid) if at not in deal.melded}
        return tuple(Move("meld", at, tuple(some.elements())) for at, some in fresh.items() if some)

    def passed_out(self, state: State, deal: Deal) -> Played[State]:
        """Return the state after everybody has passed. If the option is set, the dealer must bid
        (3.2)."""
        if state.option("all_pass") == "redeal":
            return super().passed_out(state, deal)
        less = STEP if state.option("all_pass") == "dealer_under" else 0
        return self.with_deal(state, replace(deal, bidding=deal.bidding.held_to_it(less)))

    _widow = changes(Deal.turn_widow, bidden=False)
    _trump = changes(Deal.name_trump)
    _discard = changes(Deal.lay_away, bidden=False)

    def _concede(self, state: State, move: Move) -> Played[State]:
        """Concede the deal before the first lead, as the bidder in a game for three (4.4)."""
        deal = self.current_deal(state, "concede", bidden=False)
        deal.check_bidder(move)
        if deal.led or deal.counted:
            raise IllegalMove("too-late-to-concede")
        nothing = tuple(0 for _ in deal.counts)
        return settle(state, replace(deal, conceded=True, counts=nothing))

    def _play(self, state: State, move: Move) -> Played[State]:
        deal = self.current_deal(state, "play", bidden=False)
        if move.words:
            raise IllegalMove(
                "not-in-this-game",
                verb=move.words[0],
                game=self.name,
                seats=deal.seats,
                why="seats",
            )
        if deal.bidding.over and deal.trump is None:
            raise IllegalMove("trump-unknown", why=deal.trump_by)
        if deal.bidding.over and deal.seats == 3 and deal.discards is None and not deal.counted:
            raise IllegalMove("discard-first", seat=deal.bidder)
        return super()._play(state, move)

    def _count(self, state: State, move: Move) -> Played[State]:
        """Enter a count (8.3). With three players, the third count follows from the other two, but
        may still be entered."""
        (points,) = move.numbers
        if state.deal is None and state.third is not None and not state.half_pegged:
            if (move.player, points) != state.third:
                seat, left = state.third
                if move.player != seat:
                    raise IllegalMove("counted-already", seat=seat, points=left, why="rest")
                fields = {"points": points, "least": left, "most": left, "allowed": (left,)}
                raise IllegalMove("impossible-points", **fields)
            return Played(replace(state, third=None))
        deal = self.current_deal(state, "count")
        if deal.led:
            raise IllegalMove("told-by-cards")
        counted = deal.counts[deal.side(move.player) - 1]
        if counted is not None:
            raise IllegalMove("counted-already", seat=move.player, points=counted, why="own")
        played = super()._count(state, move)
        if deal.sides == 2 or played.state.deal is not None:
            return played
        last = put(deal.counts, move.player, points).index(None) + 1
        rest = ALL - points - sum(n or 0 for n in deal.counts)
        after = replace(played.state, third=(last, rest))
        return Played(after, played.awards, played.notes)

    def check_points(self, state: State, side: int, points: int) -> None:
        if abs(points) > MOST_IN_A_DEAL or points == 1 or (points < 0 and points % STEP):
            raise IllegalMove(
                "impossible-points", points=points, least=-MOST_IN_A_DEAL, most=MOST_IN_A_DEAL
            )

    def gained(self, state: State, side: int, points: int) -> int:
        """Return the change in a side's score. If the option is set, a score cannot fall below 0
        (6.4)."""
        if state.option("below_zero") == "off":
            return max(points, -state.scores[side - 1])
        return points

    def after_pegs(self, state: State, points: tuple[int, ...]) -> State:
        return replace(state, bidder=None)


def _with_trump(deal: Deal, bidder: int, *, early: bool) -> Iterator[Ask]:
    unmelded = any(deal.whole(seat) for seat in deal.order if seat not in deal.melded)
    if early and unmelded and stands(deal.declare_all):
        yield Ask("melds", "confirm", Move("declare"), telling="cards")
    if deal.seats == 3 and deal.discards is None and early:
        yield from _discard(deal, bidder)
    elif not deal.counted:
        yield deal.ask_card()
    if early and deal.discards is None:
        yield from _melds(deal)


def _melds(deal: Deal) -> Iterator[Ask]:
    """Yield the entries of each seat's possible melds."""
    assert deal.trump is not None
    every = [lying for _, _, lying in melds.kinds(deal.trump)]
    for seat in range(1, deal.seats + 1):
        moves = (Move("meld", seat, some) for some in every)
        yield from ask_choice("meld", accepted(moves, deal.show))


def _discard(deal: Deal, bidder: int) -> Iterator[Ask]:
    """Yield the entry for the three discards. From a known hand, cards that are not in melds are
    discarded if possible."""
    move = Move("discard", bidder)
    if not deal.whole(bidder):
        own = deal.remaining(bidder)
        free = deal.unlocated() if deal.unseen(bidder) >= WIDOW else ()
        if len(own) + len(free) >= WIDOW:
            cards = tuple(sorted((*own, *free), key=lambda card: PACK.index(card.plain)))
            yield Ask("discard", "cards", move, "cards", WIDOW, WIDOW, cards=cards)
        return
    free_cards = tuple(deal.free_cards(bidder).elements())
    if len(free_cards) >= WIDOW:
        yield Ask("discard", "cards", move, "cards", WIDOW, WIDOW, cards=free_cards)
        return
    lying = [card.plain for card in deal.hands[bidder - 1]]
    for card in free_cards:
        lying.remove(card)
    more = sorted(set(combinations(sorted(lying), WIDOW - len(free_cards))))
    choices = (Move("discard", bidder, (*free_cards, *some)) for some in more[:40])
    yield from ask_choice("discard", choices, telling="cards")
