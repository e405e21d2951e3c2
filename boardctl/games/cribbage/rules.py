"""The referee of all variants of cribbage: the requirements and effects of each line.

The phases are cut, deal, discard, starter, play, show and crib. Sources: docs/rules/cribbage.md;
docs/notation.md "Cribbage".

In addition to their effects in `games.common.referee`, nearly all common lines update the readings
of entered points. Some also close claims or award “three for last”.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from boardctl.games import (
    MANY,
    Ask,
    Award,
    IllegalMove,
    Kind,
    Margin,
    Move,
    NamedTable,
    Note,
    Option,
    Played,
    Prompt,
    Setup,
    Verb,
    because,
    new,
    put,
)
from boardctl.games.cards import CARDS, Card, Rank
from boardctl.games.common import known_cards, to_31
from boardctl.games.common.known_cards import Cards
from boardctl.games.common.race import BEFORE_STARTER, over
from boardctl.games.common.race_points import PointsReferee
from boardctl.games.common.referee import NEXT_GAME_DEALER, to_go
from boardctl.games.common.to_31 import ALIKE, FIFTEEN, THIRTY_ONE, VALUE, Item, PlayScores
from boardctl.games.cribbage import penalties, point_claims, show
from boardctl.games.cribbage.point_claims import LastPlay, State, Stated
from boardctl.games.cribbage.show import CRIB, Deal

CLOSING: Final = frozenset({"play", "show", "crib", "peg", "deal"})
"""The verbs that close claims."""

SKUNK: Final = 30
"""The distance of the skunk line from the target. The line is at 91 in a game to 121, and at 31 in
a game to 61 (6.2)."""
DOUBLE_SKUNK: Final = 60
"""The distance of the double skunk line from the target. The line is at 61 in a game to 121
(6.3)."""
MOST: Final = 29
"""The highest number of points that a line can score, except for a hand of five-card cribbage
(E18)."""

OPTIONS: Final = (
    Option("target", "121", numbers=range(31, 122)),
    Option("deal_draw", "high", ("high", "low")),
    Option("skunk", "on", ("on", "off")),
    Option("double_skunk", "off", ("off", "on"), only_if=("skunk", "on")),
    Option("muggins", "off", ("off", "underclaim", "full")),
    Option("crib_flush", "five_only", ("five_only", "as_hand")),
    Option("crib_cards", "discarded", ("discarded", "two_dealt"), seats=(2,)),
    NEXT_GAME_DEALER,
    Option("cap_final_score", "off", ("off", "on")),
    Option("stinkhole", "off", ("off", "heels", "heels_go")),
    Option("penalties", "off", ("off", *penalties.TABLES), seats=(2, 4)),
)
TABLES: Final = (
    NamedTable(
        "acc",
        {
            "target": "121",
            "deal_draw": "low",
            "skunk": "on",
            "double_skunk": "off",
            "muggins": "off",
            "crib_cards": "discarded",
            "crib_flush": "five_only",
            "next_game_dealer": "redraw",
            "cap_final_score": "on",
            "stinkhole": "off",
            "penalties": "acc",
        },
        "American Cribbage Congress, Tournament Rules 1.6, 1.7, 3, 10.1",
    ),
    NamedTable(
        "english-league",
        {
            "target": "121",
            "deal_draw": "low",
            "skunk": "off",
            "double_skunk": "off",
            "muggins": "off",
            "crib_cards": "discarded",
            "crib_flush": "five_only",
            "next_game_dealer": "redraw",
            "cap_final_score": "off",
            "stinkhole": "off",
            "penalties": "off",
        },
        "shgddcl.co.uk, rules 60, 61 and 63; Bere Regis Cribbage League, How to play",
    ),
    NamedTable(
        "english-singles",
        {
            "target": "121",
            "deal_draw": "low",
            "skunk": "off",
            "double_skunk": "off",
            "muggins": "off",
            "crib_cards": "two_dealt",
            "crib_flush": "five_only",
            "next_game_dealer": "redraw",
            "cap_final_score": "off",
            "stinkhole": "off",
            "penalties": "off",
        },
        "Bere Regis Cribbage League, How to play",
        seats=(2,),
    ),
    NamedTable(
        "akagiri",
        {
            "target": "121",
            "deal_draw": "high",
            "skunk": "on",
            "double_skunk": "off",
            "muggins": "off",
            "crib_cards": "discarded",
            "crib_flush": "five_only",
            "next_game_dealer": "redraw",
            "cap_final_score": "off",
            "stinkhole": "off",
            "penalties": "off",
        },
        "Akagiri, “Cribbage” (1995)",
    ),
)
_SIX_CARDS_ONLY: Final = ("target", "double_skunk", "penalties", "crib_cards", "stinkhole")
FIVE_CARD_OPTIONS: Final = (
    Option("target", "61", numbers=range(31, 122)),
    *(option for option in OPTIONS if option.name not in _SIX_CARDS_ONLY),
    Option("double_skunk", "off", ("off",)),
    Option("three_for_last", "on", ("on", "off")),
    Option("penalties", "off", ("off", *penalties.TABLES)),
)
FIVE_CARD_TABLES: Final = tuple(
    NamedTable(
        name,
        {"deal_draw": draw, "skunk": skunk, "three_for_last": "on", "penalties": table},
        document,
    )
    for name, draw, skunk, table, document in (
        ("akagiri", "high", "on", "off", "Akagiri, “Cribbage” (1995)"),
        ("enquire", "low", "off", "laws", "Enquire Within Upon Everything 82 and 83"),
    )
)
VERBS: Final = (
    Verb("hand", cards=(1, MANY), secret=True, kind=Kind.HAND),
    Verb("discard", cards=(1, MANY), secret=True, kind=Kind.DISCARD),
    Verb("crib", seated=False, cards=(1, 1), secret=True, kind=Kind.BLIND),
    Verb("starter", seated=False, cards=(1, 1), kind=Kind.STARTER),
    Verb("play", cards=(1, 1), claim=True, kind=Kind.PLAY),
    Verb("go", claim=True, kind=Kind.PLAY),
    Verb("show", cards=(0, MANY), words=show.WORDS, claim=True, opens=True, kind=Kind.COUNT),
    Verb("crib", cards=(0, MANY), words=show.WORDS, claim=True, opens=True, kind=Kind.CRIB),
    Verb("muggins", numbers=(0, 1), kind=Kind.CLAIM),
    Verb("peg", numbers=(1, 1), words=tuple(point_claims.WORTH), kind=Kind.POINTS),
    Verb("penalty", numbers=(0, 1), words=penalties.CODES, kind=Kind.ADJUST),
)


_STINKHOLE: Final[Mapping[str, frozenset[str]]] = {
    "heels": frozenset({"heels"}),
    "heels_go": frozenset({"heels", "last-card"}),
}
"""The awards that a side one point short of the target does not score, by the value of the option
(6.6)."""

SCORES: Final = PlayScores({FIFTEEN: "fifteen"}, 2, ALIKE, last_counts={THIRTY_ONE: "thirty-one"})
"""The points that a card of the play scores."""


def won_unless_called(state: State) -> int:
    """Return the side that wins the game once its open claim is closed, or 0 if there is no such
    side."""
    if state.winner:
        return 0
    for claim in state.extra.claims:
        side = state.setup.side(claim.seat)
        if claim.reaches and state.sheet.scores[side - 1] >= state.target:
            return side
    return 0


def straight_cards(setup: Setup) -> int:
    """Return the number of cards that are dealt straight to the crib: one with three players (9.1)
    or, with an option, two with two players (11)."""
    seats = len(setup.seats)
    if seats == 2 and setup.options.get("crib_cards") == "two_dealt":
        return 2
    return 1 if seats == 3 else 0


class Cribbage(PointsReferee[Stated, Cards, show.Reading]):
    """Six-card cribbage for two or three players, or four as partners, and five-card cribbage for
    two."""

    source = "Akagiri, “Cribbage” (1995)"
    for_clubs = True
    verbs = VERBS
    phases = ("discard", "starter", "play", "show", "crib", "done")
    heels = frozenset({Rank.JACK})
    extra = Stated(frozenset())
    deal_extra: Cards = ()

    def __init__(self, *, five: bool = False) -> None:
        self.name = "five-card-cribbage" if five else "cribbage"
        self.seats = (2,) if five else (2, 3, 4)
        self.options = FIVE_CARD_OPTIONS if five else OPTIONS
        self.tables = FIVE_CARD_TABLES if five else TABLES
        self.worths = point_claims.FIVE_WORTH if five else point_claims.WORTH
        self.keep = 3 if five else 4

    def begin(self, setup: Setup) -> State:
        state = super().begin(setup)
        readings = point_claims.opening(len(setup.seats), state.sheet.dealer)
        return state._replace(extra=Stated(readings))

    def cut_strength(self, state: State, rank: Rank) -> int:
        """Return the sort key of a cut. The player with the highest card deals or, with an option,
        the player with the lowest card. Aces are low (2.1)."""
        return rank if state.option("deal_draw") == "high" else -rank

    def begun(self, state: State) -> bool:
        """Return whether any card has been entered. If only points have been pegged, `deal` may
        still follow."""
        return state.deal is not None and state.deal.begun

    def new_deal(self, state: State) -> Deal:
        seats = len(state.setup.seats)
        discards = (CRIB - straight_cards(state.setup)) // seats
        straight: Cards = ()
        return known_cards.fresh_deal(seats, "discard", self.keep + discards, straight, discards)

    def before_line(self, state: State, move: Move) -> tuple[State, tuple[Note, ...]]:
        """Close the claims that the line ends. A claim may still be called after the end of the
        game."""
        verb, claim, windows = move.verb, move.claim, state.extra.claims
        if over(state) and not (verb == "adjust" or (verb == "muggins" and windows)):
            raise IllegalMove("game-over")
        notes: tuple[Note, ...] = ()
        if windows and verb in CLOSING:
            if won_unless_called(state):
                raise IllegalMove("game-over")
            notes = point_claims.close(windows)
            state = state._replace(extra=state.extra._replace(claims=()))
        if claim is not None:
            most = max(self.worths["hand"]) if verb == "show" else MOST
            if claim > most:
                raise IllegalMove("claim-too-high", said=claim, allowed=most)
        return state, notes

    def after_line(self, before: State, move: Move, played: Played[State]) -> Played[State]:
        """Update the readings used for later entries of points, and award “three for last”
        (8.1)."""
        state, awards, setup = played.state, played.awards, played.state.setup
        extra, verb = state.extra, move.verb
        if verb == "adjust":
            extra = extra._replace(readings=point_claims.adjusted(extra.readings))
            return Played(self.settled(state._replace(extra=extra)), awards)
        dealer = state.sheet.dealer
        readings, begins = point_claims.opening(len(setup.seats), dealer), verb == "deal"
        said = None if begins or verb == "misdeal" else extra.last_play
        claims = () if verb == "misdeal" else extra.claims
        state = state._replace(extra=Stated(readings, claims, said))
        if verb == "misdeal":
            state = self.settled(state)
        elif verb == "dealer":
            state = state._replace(deal=before.deal)
        three = _three_for_last(before, state, verb)
        return Played(self.scored(state, three), three) if three else Played(state, awards)

    def check_deal(self, state: State) -> Played[State]:
        """Check that the next deal may begin. Points entered without `deal` may reveal who has
        dealt since."""
        super().check_deal(state)
        sheet = state.sheet
        dealers = {reading.dealer for reading in state.extra.readings}
        if not sheet.deals or sheet.deals_again or len(dealers) > 1 or sheet.dealer in dealers:
            return Played(state)
        return Played(state._replace(sheet=sheet._replace(dealer=dealers.pop())))

    def close(self, state: State) -> Played[State]:
        extra, winner = state.extra, state.winner or won_unless_called(state)
        if not extra.claims:
            return Played(state)
        closed = state._replace(extra=extra._replace(claims=()), winner=winner)
        return Played(self.settled(closed), notes=point_claims.close(extra.claims))

    def settled(self, state: State) -> State:
        """Return the settled state. With an option, the winner's score is capped at the target once
        no claim can reduce it."""
        state = super().settled(state)
        if state.winner and not state.extra.claims and state.has_option("cap_final_score"):
            scores = put(state.sheet.scores, state.winner, state.target)
            state = state._replace(sheet=state.sheet._replace(scores=scores))
        return state

    def scored(self, state: State, awards: tuple[Award, ...]) -> State:
        """Return the scored state. Once another line has scored, the last line of the play is no
        longer spoken."""
        return self.peg(state, awards, state.deal, Stated(*state.extra[:2]))

    disputed = staticmethod(won_unless_called)
    kinds = staticmethod(point_claims.kinds)
    cards_to_count = staticmethod(show.cards_to_count)
    hand_to_count = staticmethod(show.hand_to_count)

    def margins(self, state: State) -> dict[Margin, float]:
        """Return the winning margins. Double skunks apply only if skunks apply."""
        if not state.has_option("skunk"):
            return {}
        skunk: dict[Margin, float] = {"skunk": state.target - SKUNK}
        if not state.has_option("double_skunk"):
            return skunk
        return {"double-skunk": max(0, state.target - DOUBLE_SKUNK), **skunk}

    def readouts(self, state: State) -> tuple[Note, ...]:
        """Return the readouts: spoken words, the count, the points that each side needs, the
        leading side, and the sides behind the skunk line. The true points of an open claim are not
        revealed."""
        said, deal, scores = state.extra.last_play, state.deal, state.sheet.scores
        notes = [] if said is None else _spoken(said)
        if deal is not None and deal.phase == "play" and not deal.by_points:
            notes.append(Note("count", {"count": deal.total}))
        if over(state):
            return tuple(notes)
        if claimed := won_unless_called(state):
            notes.append(Note("won-unless-called", {"side": claimed}))
        notes += to_go(scores, state.target)
        best, second = max(scores), sorted(scores)[-2]
        skunk = int(self.margins(state).get("skunk", 0))
        if best > second:
            side = scores.index(best) + 1
            notes.append(Note("ahead", {"side": side, "points": best - second}))
        for side, points in enumerate(scores, 1):
            if points < skunk <= best:
                notes.append(Note("behind-skunk", {"side": side, "holes": skunk - points}))
        return tuple(notes)

    def prompt(self, state: State) -> Prompt:
        """Return the possible entries, including muggins calls. If an open claim will win the game
        unless it is called, only calls are possible."""
        calls = point_claims.calls(state) if state.extra.claims else ()
        if over(state) or won_unless_called(state):
            return Prompt(calls)
        expected = super().prompt(state)
        more: tuple[Ask, ...] = ()
        deal = state.deal
        straight = straight_cards(state.setup)
        if deal and len(deal.extra) < straight and deal.phase in BEFORE_STARTER:
            cards = deal.unseen
            more = (Ask("straight-card", "cards", Move("crib"), "cards", 1, 1, cards=cards),)
        offered = penalties.asks(state.option("penalties"), len(state.setup.seats))
        return expected._replace(asks=(*expected.asks, *more, *calls, *offered))

    def asks(self, state: State, deal: Deal) -> tuple[Ask, ...]:
        if deal.phase == "crib":
            return show.crib_asks(deal, state.order[-1])
        return super().asks(state, deal)

    def turn(self, state: State, deal: Deal) -> int | None:
        if deal.phase == "discard":
            return next(seat for seat in state.order if not deal.discarded[seat - 1])
        return state.sheet.dealer if deal.phase == "crib" else super().turn(state, deal)

    def scores(self, state: State) -> PlayScores:
        return SCORES

    def visible_lines(
        self, before: State, move: Move, later: Sequence[Move], seat: int | None
    ) -> tuple[Move, ...]:
        """Return the lines that a viewer sees. A shown crib includes all its cards."""
        if move.verb != "crib" or before.deal is None or move.seat is None:
            return super().visible_lines(before, move, later, seat)
        return (move._replace(cards=show.crib(before.deal, move.cards)),)

    def luck(self, hand: Sequence[Card], starter: Card) -> float | None:
        """Return the luck of a four-card hand, or None if any suit is unknown."""
        if len(hand) != CRIB or not all(card.is_known for card in (*hand, starter)):
            return None
        points = {
            card: sum(item.points for item in show.count(hand, card))
            for card in CARDS
            if card not in hand
        }
        return points[starter.plain] - sum(points.values()) / len(points)

    def _discard(self, state: State, move: Move) -> Played[State]:
        """Discard to the crib: `N discard CARD…` (3.2)."""
        deal, seat = self.before_starter(state, move.verb), move.player
        if deal.discarded[seat - 1]:
            raise IllegalMove("discarded-already", seat=seat)
        after = known_cards.discard(deal, seat, move.cards)
        whole = all(after.discarded)
        return self.with_deal(state, self.after(state, after, "discard") if whole else after)

    def readings(self, state: State, deal: Deal, seat: int, cards: Cards) -> Iterable[show.Reading]:
        assert deal.starter is not None
        return show.readings(cards, deal.starter)

    def items(
        self, state: State, cards: Cards, starter: Card, reading: show.Reading
    ) -> tuple[Item, ...]:
        return show.count(cards, starter, reading=reading)

    def in_play(self, state: State, move: Move) -> Deal:
        """Return the deal if a card may be played or “go” said. A seat that has played all its
        cards may say “go” at any time."""
        deal, verb = state.deal, move.verb
        if deal is not None and verb == "go" and not deal.holds(move.player):
            return deal
        if deal is None or (deal.phase == "done" and verb == "play"):
            raise IllegalMove("no-deal", verb=verb)
        if deal.phase != "play" or not deal.to_play:
            early = "starter" if deal.phase in ("discard", "starter") else None
            why = "points" if deal.phase == "play" else early
            raise IllegalMove("not-in-play", verb=verb, phase=deal.phase, **because(why))
        return deal

    def more_series(self, state: State) -> bool:
        """Return whether another series may follow. In five-card cribbage, there is only one series
        (8.3)."""
        return self.keep == CRIB

    def check_turn_to_show(self, state: State, deal: Deal, seat: int, what: str) -> None:
        """Check the order of the hands. If the cards of the play are not entered, only points may
        be entered for earlier hands."""
        order = state.order
        place = order.index(seat)
        if deal.phase == "crib":
            raise IllegalMove("out-of-order", what=what, phase="crib")
        if place > deal.counted and deal.loose:
            point_claims.check_hands_before(state, deal, seat, what)
        elif place != deal.counted:
            turn, why = order[deal.counted], "show" if place > deal.counted else None
            raise IllegalMove("not-your-turn", seat=seat, turn=turn, **because(why))

    def hand_items(
        self, state: State, deal: Deal, seat: int, cards: Cards, words: tuple[str, ...]
    ) -> tuple[Item, ...]:
        assert deal.starter is not None
        return show.scored(cards, deal.starter, words)

    def won(self, state: State, awards: tuple[Award, ...]) -> bool:
        return super().won(state, _out_of_stinkhole(state, awards)[0])

    def earned(
        self,
        state: State,
        move: Move,
        deal: Deal | None,
        awards: tuple[Award, ...] = (),
        notes: tuple[Note, ...] = (),
        last: tuple[Award, ...] = (),
    ) -> Played[State]:
        """Return the result of a line. Peg the true points, or the claimed points if there is a
        claim."""
        awards += last
        awards, stuck = _out_of_stinkhole(state, awards)
        notes += stuck
        (readings, claims, _), before = state.extra, state.deal
        verb, claim, said = move.verb, move.claim, None
        if before is not None and (verb == "play" or verb == "go"):
            said = new(LastPlay, (move, before.total, awards))
        stated = new(Stated, (readings, claims, said))
        if claim is None:
            return new(Played, (self.peg(state, awards, deal, stated), awards, notes))
        seat = move.player
        if verb == "go" and any(award.seat != seat for award in awards):
            raise IllegalMove("claim-not-yours", seat=seat, owner=awards[0].seat)
        true = sum(award.points for award in awards if award.seat == seat)
        if state.option("muggins") == "off":
            notes = (*notes, *point_claims.differs(claim, true))
            return Played(self.peg(state, awards, deal, stated), awards, notes)
        others = tuple(award for award in awards if award.seat != seat)
        own = (Award(seat, claim, "told"),) if claim else ()
        state = self.scored(state, others)
        claims = (*claims, point_claims.claimed(state, seat, claim, true))
        said = said and said._replace(awards=(*others, *own))
        stated = Stated(readings, claims, said)
        return Played(self.peg(state, own, deal, stated), (*others, *own), notes)

    def _crib(self, state: State, move: Move) -> Played[State]:
        """Enter a card dealt straight to the crib, or the crib when it is shown."""
        deal, seat = self.current_deal(state, "crib"), move.seat
        if seat is None:
            return self._straight_card(state, move)
        if seat != state.sheet.dealer:
            raise IllegalMove("not-your-crib", seat=seat, dealer=state.sheet.dealer)
        if deal.phase != "crib" and not (deal.loose and deal.phase in ("play", "show")):
            raise IllegalMove("out-of-order", what="crib", phase=deal.phase)
        if deal.phase != "crib":
            point_claims.check_hands_before(state, deal, seat, "crib")
        if deal.starter is None:
            raise IllegalMove("starter-missing")
        cards = show.crib(deal, move.cards)
        five_only = state.option("crib_flush") != "as_hand"
        items = show.scored(cards, deal.starter, move.words, five_only=five_only)
        awards = to_31.awarded(seat, items)
        skipped = _hand_skipped(deal, seat)
        return self.earned(state, move, self.after(state, deal, "crib"), awards, skipped)

    def _straight_card(self, state: State, move: Move) -> Played[State]:
        """Deal a card straight to the crib: `crib CARD` (9.1, 11.2, E20)."""
        straight = straight_cards(state.setup)
        if not straight:
            raise IllegalMove("no-straight-card", seats=len(state.setup.seats))
        deal, (card,) = self.before_starter(state, "crib"), move.cards
        if len(deal.extra) == straight:
            raise IllegalMove("told-already", what="crib")
        opened = known_cards.lay_open(deal, card)
        return self.with_deal(state, opened._replace(extra=(*deal.extra, card)))

    def _penalty(self, state: State, move: Move) -> Played[State]:
        """Penalize player N for breaking the rules: `N penalty CODE [NUMBER]` (13). A later misdeal
        does not cancel the penalty."""
        setup, seat = state.setup, move.player
        penalty, number = penalties.find(state.option("penalties"), move)
        if setup.sides != 2:
            raise IllegalMove("penalty-sides")
        side = setup.side(seat)
        if penalty.loses_game:
            return Played(state._replace(sheet=state.sheet._replace(resigned=side)))
        before = state.sheet.scores
        awards = penalties.awards(penalty, number, seat, setup.after(seat), before[side - 1])
        after = self.scored(state, awards)
        moved = zip(state.base, after.sheet.scores, before, strict=True) if state.base else ()
        base = tuple(then + now - was for then, now, was in moved)
        return Played(after._replace(base=base), awards)

    def _muggins(self, state: State, move: Move) -> Played[State]:
        points = move.numbers[0] if move.numbers else None
        extra = state.extra
        left, awards, notes = point_claims.call(state, move.player, points)
        first = next((claim for claim in extra.claims if claim.earned and claim not in left), None)
        if first is not None and not state.winner:  # the claim's true points precede the call's
            state = state._replace(winner=state.setup.side(first.seat))
        state = state._replace(extra=extra._replace(claims=left))
        # Apply the correction first: a side that was waiting for it wins before the call counts.
        for award in awards:
            state = self.scored(state, (award,))
        return Played(state, awards, notes)

    def _peg(self, state: State, move: Move) -> Played[State]:
        played, deal = super()._peg(state, move), state.deal
        if deal is None or move.words != ("crib",):
            return played
        return played._replace(notes=(*played.notes, *_hand_skipped(deal, move.player)))

    def points_entered(self, state: State, seat: int, points: int, why: str | None) -> State:
        """Return the state after points have been entered. If a reason is given and `deal` was
        entered, the order of the deal is enforced. Otherwise the points are interpreted in every
        way that the record allows."""
        deal, dealer = state.deal, state.sheet.dealer
        if points == (2 if why == "heels" else 1) and why in _STUCK:
            stuck = (Award(seat, points, _STUCK[why]),)
            if not _out_of_stinkhole(state, stuck)[0]:
                raise IllegalMove("stinkhole", seat=seat)
        if deal is not None and dealer is not None and why is not None:
            if why in ("heels", "crib", "show") and seat != dealer:
                raise point_claims.impossible(seat, points, why)
            state = super().points_entered(state, seat, points, why)
            readings, claims, _ = state.extra
            stated = Stated(point_claims.adjusted(readings), claims)
            return self.peg(state, (), state.deal, stated)
        if self.dealing(state) and deal is not None and deal.begun:
            state = super().points_entered(state, seat, points, None)
            pegged = False
        else:
            readings = point_claims.enter(state, self.worths, seat, points, why)
            state = _deal_unsaid(state._replace(extra=state.extra._replace(readings=readings)))
            pegged = points > 0
        if state.deal is None:
            return state
        deal = state.deal
        pegged, wordless = deal.pegged or pegged, deal.wordless | 1 << seat
        return state._replace(deal=deal._replace(pegged=pegged, wordless=wordless))

    def pegged(self, state: State, deal: Deal, seat: int, points: int, why: str) -> Deal | None:
        """Return the deal after points have been entered with a reason, if `deal` was entered.

        Raises:
            IllegalMove: `out-of-order` if this part of the deal is over or the entered cards have
                not reached it.
        """
        if _is_out_of_order(state, deal, seat, why):
            raise IllegalMove("out-of-order", what=why, phase=deal.phase)
        if why not in ("play", "go"):
            point_claims.check_hands_before(state, deal, seat, why)
        if why in ("crib", "show"):
            return deal._replace(phase="done")
        counting = deal.phase in _COUNTING
        if not counting and (deal.wordless or not deal.by_points):
            deal = deal._replace(by_points=True, phase="play", to_play=0, wordless=0)
        if why == "hand":
            return self.hand_called(state, deal, seat)
        return deal

    def pegged_silently(self, state: State, deal: Deal, seat: int, points: int) -> Deal | None:
        is_due = self.is_hand_next(state, deal, seat)
        if deal.phase == "crib" or (is_due and points not in self.hand_points(state, deal, seat)):
            return deal._replace(phase="done")
        return super().pegged_silently(state, deal, seat, points)

    def possible(self, state: State, deal: Deal | None, seat: int, why: str) -> frozenset[int]:
        if why == "play" and deal is not None and deal.phase == "play" and not deal.loose:
            return self.next_card(state, deal, seat)
        return super().possible(state, deal, seat, why)

    def go_possible(self, state: State, deal: Deal, seat: int) -> bool:
        return not deal.series or super().go_possible(state, deal, seat)

    def last_points(self, state: State, total: int, of_all: bool) -> tuple[int, ...]:
        if total == THIRTY_ONE:
            return (0,)
        return (1,) if of_all else super().last_points(state, total, of_all)


_STUCK: Final = {"heels": "heels", "go": "last-card", "play": "last-card"}
"""The award to which the stinkhole rule may apply, by the reason of entered points. One point in
the play can only be for last card."""


def _out_of_stinkhole(
    state: State, awards: tuple[Award, ...]
) -> tuple[tuple[Award, ...], tuple[Note, ...]]:
    """Return the awards that count under the table's stinkhole rule (6.6), and a note for each
    award that does not count."""
    barred = _STINKHOLE.get(state.setup.options.get("stinkhole", "off"))
    if barred is None:
        return awards, ()
    scores = list(state.sheet.scores)
    left: list[Award] = []
    notes: list[Note] = []
    for award in awards:
        place = state.setup.side(award.seat) - 1
        if award.reason in barred and scores[place] == state.target - 1:
            notes.append(Note("stinkhole", {"seat": award.seat}))
        else:
            left.append(award)
            scores[place] += award.points
    return tuple(left), tuple(notes)


_COUNTING: Final = ("show", "crib", "done")
"""The phases after the play."""


def _is_out_of_order(state: State, deal: Deal, seat: int, why: str) -> bool:
    """Return whether the part of the deal for which points are entered is over or has not been
    reached."""
    if why in ("play", "go"):
        return deal.phase in _COUNTING
    if deal.phase == "done" or deal.playing:
        return True
    if why == "hand":
        return state.order.index(seat) < deal.counted
    early = why == "crib" and deal.phase == "show" and not deal.by_points
    again = why == "show" and deal.phase == "crib"
    return early or again


def _hand_skipped(deal: Deal, dealer: int) -> tuple[Note, ...]:
    """Return a note if the crib is entered before the dealer's hand (5.1), which then counts
    nothing. Points without a reason may have been the hand."""
    told = deal.phase == "crib" or deal.wordless >> dealer & 1
    return () if told else (Note("hand-skipped", {"seat": dealer}),)


def _three_for_last(before: State, state: State, verb: str) -> tuple[Award, ...]:
    """Return the award “three for last” in the first deal (8.1). If the dealer is corrected, the
    points are transferred to the other player."""
    dealer, last, setup = state.sheet.dealer, before.sheet.dealer, state.setup
    if dealer is None or state.sheet.deals != 1 or not state.has_option("three_for_last"):
        return ()
    three = Award(setup.after(dealer), 3, "three-for-last")
    if verb == "deal":
        return (three,)
    begun = before.deal is not None and before.deal.phase != "done"
    if verb != "dealer" or not begun or last is None or last == dealer:
        return ()
    return Award(setup.after(last), -3, "correction"), three


def _spoken(said: LastPlay) -> list[Note]:
    """Return the words spoken with the last card: the count and the points for it, or “go”, and
    “one for last”. If claims are pegged, the claimed points are spoken."""
    move, before, awards = said
    last = [Note("said-last", {"seat": a.seat}) for a in awards if a.reason == "last-card"]
    if move.verb == "go":
        return [Note("said-go", {"seat": move.seat}), *last]
    value = VALUE[move.cards[0].rank]
    count = before + value if before + value <= THIRTY_ONE else value
    points = sum(a.points for a in awards if a.seat == move.seat and a.reason != "last-card")
    if points:  # “fifteen for two”, but “twenty-two” without points
        return [Note("said", {"count": count, "points": points}), *last]
    return [Note("said-count", {"count": count}), *last]


def _deal_unsaid(state: State) -> State:
    """Return the state after points were entered without `deal`. A deal is then in progress. Its
    dealer is known if all readings agree on the dealer."""
    sheet = state.sheet
    if state.deal is not None or sheet.dealer is None:
        return state
    if not sheet.deals:
        sheet = sheet._replace(deals=1, first_dealer=sheet.dealer)
    dealers = {reading.dealer for reading in state.extra.readings}
    if len(dealers) == 1:
        sheet = sheet._replace(dealer=dealers.pop(), deals_again=False)
    return state._replace(sheet=sheet)
