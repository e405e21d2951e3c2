"""The phases of Belote: cut, deal, bid, declare and play. Source: docs/rules/belote.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from boardctl.games import (
    MANY,
    Ask,
    IllegalMove,
    Kind,
    Line,
    Margin,
    Move,
    NamedTable,
    Note,
    Option,
    Verb,
)
from boardctl.games.belote.deal import CALLS, MOST, Coinche, Deal, stated
from boardctl.games.belote.state import State, settle
from boardctl.games.cards import UNSEEN, Suit
from boardctl.games.common import referee
from boardctl.games.common.auction import STEP
from boardctl.games.common.by_deal import changes
from boardctl.games.common.jass import Bidding, JassReferee, Piece
from boardctl.games.common.trick_deal import Cards, Duties, accepted, ask_choice
from boardctl.message import Fields

MOST_IN_A_DEAL: Final = 3000
"""A number that exceeds the points of any side in a deal."""


class Belote(JassReferee[State, Deal]):
    """Belote, for four players as partners or for two players, and Coinche."""

    name = "belote"
    opening = State
    source = "named by Akagiri, “Klaberjass”; rules after Parlett, the federation and others"
    seats = (2, 4)
    options = (
        Option("bidding", "turned", ("turned", "coinche"), seats=(4,)),
        Option("target", "1000", ("500", "501", "701", "1000", "1001", "1500", "2000", "3000")),
        Option("declarations", "on", ("on", "off")),
        Option("declaration_tie", "earlier", ("earlier", "none"), only_if=("declarations", "on")),
        Option("square_order", "trick", ("trick", "natural"), only_if=("declarations", "on")),
        Option("shared_cards", "allowed", ("allowed", "forbidden"), only_if=("declarations", "on")),
        Option("contract_counts", "all", ("all", "cards_belote", "cards", "cards_declarations")),
        Option("tie", "litige", ("litige", "inside", "lost")),
        Option(
            "failed_declarations",
            "opponents",
            ("opponents", "kept"),
            only_if=("declarations", "on"),
        ),
        Option("failed_belote", "kept", ("kept", "opponents")),
        Option("capot", "252", ("252", "250", "off")),
        Option("undertrump", "must", ("must", "free")),
        Option("passed_out", "next_dealer", ("next_dealer", "same_dealer")),
        Option("round", "off", ("off", "nearest_10")),
        Option("first_dealer", "low", ("low", "high")),
        Option("game_tie", "extra_deal", ("extra_deal", "draw")),
        Option("double_win_below_half", "off", ("off", "on")),
        Option("seven_exchange", "on", ("on", "off"), seats=(2,)),
        Option("deal_rotation", "alternate", ("alternate", "winner_deals"), seats=(2,)),
        Option("double_counts", "bid_only", ("bid_only", "all"), only_if=("bidding", "coinche")),
        Option("failed_tricks", "162", ("162", "taken", "160"), only_if=("bidding", "coinche")),
        Option("surcoinche", "4", ("4", "3"), only_if=("bidding", "coinche")),
        Option("must_exceed", "on", ("on", "off"), only_if=("bidding", "coinche")),
        Option("trump_calls", "suits", ("suits", "all"), only_if=("bidding", "coinche")),
        Option("no_trump_ace", "11", ("11", "19"), only_if=("bidding", "coinche")),
        Option("capot_bid", "250", ("250", "500"), only_if=("bidding", "coinche")),
        Option("doubled_defence", "nothing", ("nothing", "keeps"), only_if=("bidding", "coinche")),
        Option("coinche_turn", "turn", ("turn", "any"), only_if=("bidding", "coinche")),
        referee.NEXT_GAME_DEALER,
    )
    tables = (
        NamedTable(
            "federation",
            {
                "bidding": "coinche",
                "target": "1000",
                "declarations": "off",
                "contract_counts": "all",
                "tie": "inside",
                "failed_belote": "opponents",
                "capot": "252",
                "undertrump": "free",
                "round": "off",
                "double_counts": "bid_only",
                "failed_tricks": "162",
                "capot_bid": "250",
                "surcoinche": "3",
                "must_exceed": "off",
            },
            "colver 0.11, a program that follows the federation's contrée",
            seats=(4,),
        ),
        NamedTable(
            "contest",
            {
                "bidding": "turned",
                "target": "1000",
                "declarations": "on",
                "contract_counts": "all",
                "tie": "inside",
                "failed_belote": "kept",
                "capot": "252",
                "undertrump": "must",
                "round": "off",
                "double_counts": "bid_only",
                "failed_tricks": "162",
                "capot_bid": "250",
                "surcoinche": "4",
                "must_exceed": "on",
            },
            "contree.org, La marque",
        ),
        NamedTable(
            "coinchons",
            {
                "bidding": "coinche",
                "target": "2000",
                "declarations": "off",
                "contract_counts": "cards_belote",
                "tie": "inside",
                "failed_belote": "kept",
                "capot": "off",
                "undertrump": "must",
                "round": "nearest_10",
                "double_counts": "all",
                "failed_tricks": "160",
                "capot_bid": "500",
                "surcoinche": "4",
                "must_exceed": "off",
            },
            "coinchons.fr, Comment compter les points",
            seats=(4,),
        ),
    )
    verbs = (
        Verb("hand", cards=(1, 9), secret=True, kind=Kind.HAND),
        Verb("turnup", seated=False, cards=(1, 1), kind=Kind.TURNED),
        Verb(
            "bid",
            numbers=(0, 1),
            words=("pass", "take", "capot", *CALLS),
            suit=True,
            kind=Kind.BID,
        ),
        Verb("coinche"),
        Verb("surcoinche"),
        Verb("exchange", kind=Kind.EXCHANGE),
        Verb("declare", seated=False, opens=True),
        Verb("meld", cards=(1, MANY), kind=Kind.MELD),
        Verb("belote"),
        Verb("play", cards=(1, 1), words=("belote",), kind=Kind.PLAY),
        Verb("count", numbers=(1, 1), kind=Kind.POINTS),
        Verb("peg", numbers=(1, 1), kind=Kind.POINTS),
    )

    def pieces(self, deal: Deal, cards: Cards) -> Sequence[Piece]:
        piece = stated(cards, deal.contract)
        return () if piece is None else (piece,)

    def new_deal(self, state: State) -> Deal:
        assert state.sheet.dealer is not None
        eldest, options = state.setup.after(state.sheet.dealer), state.setup.options
        seats = len(state.setup.seats)
        bidding = Coinche if seats == 4 and options["bidding"] == "coinche" else Bidding
        undertrump = options["undertrump"] == "must"
        duties = Duties(overtrump=True, undertrump=undertrump, partners=seats == 4)
        return Deal.begin(bidding(eldest, seats), options, duties=duties)

    settled = staticmethod(settle)

    def contract(self, deal: Deal) -> tuple[Note, ...]:
        bidding = deal.bidding
        notes = () if bidding.taker is None else (Note("taker", {"seat": bidding.taker}),)
        fields = {"bid": bidding.bid, "times": bidding.doubled}
        if deal.contract:
            notes = (Note(deal.contract), *notes)
        return (*notes, Note("contract", fields)) if bidding.bid else notes

    def details(self, deal: Deal) -> Fields:
        bidding = deal.bidding
        found = {"taker": bidding.taker, "bid": bidding.bid or None, "doubled": bidding.doubled}
        return {**found, "call": deal.contract} if deal.contract else found

    def readouts(self, state: State) -> tuple[Note, ...]:
        """Return the readouts, including the points carried over to the next deal."""
        held = (Note("held", {"points": state.held_over}),) if state.held_over else ()
        return (*super().readouts(state), *held)

    def margins(self, state: State) -> dict[Margin, float]:
        """Return the winning margins. A loser below half the target may lose a double game
        (9.1)."""
        double = state.option("double_win_below_half") == "on"
        return {"double": state.target / 2} if double else {}

    def lines(self, state: State) -> tuple[Line, ...]:
        return (Line("skunk" if state.option("double_win_below_half") == "on" else "half", 50),)

    def asks_bidding(self, deal: Deal) -> Iterator[Ask]:
        if isinstance(deal.bidding, Coinche):
            yield from _coinche(deal)
        else:
            yield from super().asks_bidding(deal)

    def asks_playing(self, deal: Deal) -> Iterator[Ask]:
        played = deal.options["declarations"] == "on"
        if not deal.counted:
            if played and not deal.talked and deal.all_known:
                yield Ask("declare-all", "confirm", Move("declare"), telling="cards")
            if deal.trump_fixed:
                yield deal.ask_card()
        yield from deal.ask_counts(deal.order[:2])
        yield from deal.ask_royals()
        if deal.counted:
            return
        if played and deal.stage != "settled":
            yield from _ask_melds(deal)
        yield from deal.ask_exchange()
        if not deal.scored:
            yield from deal.ask_turnup()
            yield from deal.ask_hands()

    # The lines of a deal

    def laid_down(self, before: State, move: Move) -> tuple[Move, ...]:
        if before.option("declarations") == "off":
            return (move,)
        return super().laid_down(before, move)

    _coinche = _surcoinche = changes(Deal.double, bidden=False)

    _belote = changes(lambda deal, move: deal.call(move.player))

    def check_points(self, state: State, side: int, points: int) -> None:
        if points == 1 or points > MOST_IN_A_DEAL:
            raise IllegalMove("impossible-points", points=points, least=0, most=MOST_IN_A_DEAL)


def _ask_melds(deal: Deal) -> Iterator[Ask]:
    """Yield the entries for face-down declarations, for seats whose hands are unknown."""
    for seat in deal.order:
        good = deal.owner is None or deal.side(deal.owner) == deal.side(seat)
        shown = sum(len(piece.cards) for at, piece in deal.pieces if at == seat)
        if good and not deal.whole(seat) and shown + 5 <= deal.whole_hand:
            moves = (Move("meld", seat, (UNSEEN,) * n) for n in (3, 4, 5))
            yield from ask_choice("meld", moves)


def _coinche(deal: Deal) -> Iterator[Ask]:
    """Yield the entries of the auction: a pass, higher bids, coinche and surcoinche. With an
    option, the last two are allowed out of turn."""
    bidding, seat = deal.bidding, deal.bidding.bidder
    moves = [Move("bid", seat, words=("pass",)), Move("coinche", seat), Move("surcoinche", seat)]
    for points in range(bidding.lowest, MOST + 1, STEP):
        moves += [Move("bid", seat, numbers=(points,), words=(suit.letter,)) for suit in Suit]
    moves += [Move("bid", seat, words=("capot", suit.letter)) for suit in Suit]
    if deal.options["trump_calls"] == "all":
        for points in range(bidding.lowest, MOST + 1, STEP):
            moves += [Move("bid", seat, numbers=(points,), words=(call,)) for call in CALLS]
        moves += [Move("bid", seat, words=("capot", call)) for call in CALLS]

    def step(move: Move) -> object:
        return bidding.say(move) if move.verb == "bid" else deal.double(move)

    yield from ask_choice("contract", accepted(moves, step))
    if deal.options["coinche_turn"] == "any":
        early = (Move(verb, at) for verb in ("coinche", "surcoinche") for at in deal.order)
        for move in accepted((move for move in early if move.seat != seat), deal.double):
            yield Ask(move.verb, "confirm", move)
