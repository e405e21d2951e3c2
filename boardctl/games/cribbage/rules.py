"""The referee of all forms of cribbage: what each line requires and does.

The phases are cut, deal, discard, starter, play, show, crib. Sources: docs/rules/cribbage.md;
docs/notation.md "Cribbage".

Besides what `games.common.referee` does, nearly every common line updates the readings of points
entered, and some close claims' windows or award three for last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardctl.games import (
    MANY,
    Award,
    IllegalMove,
    Move,
    Note,
    Option,
    Played,
    Setup,
    Verb,
)
from boardctl.games.cards import CARDS, Card, Rank
from boardctl.games.common import to_31
from boardctl.games.common.referee import NEXT_GAME_DEALER, Referee, open_score_sheet
from boardctl.games.common.series import THIRTY_ONE
from boardctl.games.cribbage import display, play, point_claims, show
from boardctl.games.cribbage.state import (
    CRIB,
    Claim,
    Deal,
    Form,
    Phase,
    Said,
    State,
    moved,
    outcome,
    peg,
    settle,
)

CLOSING: Final = frozenset({"play", "show", "crib", "peg", "deal"})
"""The lines that close the windows of claims."""

MOST: Final = 29
"""The most that a line can earn, except the hand of five-card cribbage (E18)."""

OPTIONS: Final = (
    Option("target", "121", numbers=range(31, 122)),
    Option("deal_draw", "high", ("high", "low")),
    Option("skunk", "on", ("on", "off")),
    Option("double_skunk", "off", ("off", "on"), only_if=("skunk", "on")),
    Option("muggins", "off", ("off", "underclaim", "full")),
    Option("crib_flush", "five_only", ("five_only", "as_hand")),
    NEXT_GAME_DEALER,
    Option("cap_final_score", "off", ("off", "on")),
)
FIVE_CARD_OPTIONS: Final = (
    Option("target", "61", numbers=range(31, 122)),
    *(option for option in OPTIONS if option.name not in ("target", "double_skunk")),
    Option("double_skunk", "off", ("off",)),
    Option("three_for_last", "on", ("on", "off")),
)
VERBS: Final = (
    Verb("hand", cards=(1, MANY), secret=True),
    Verb("discard", cards=(1, MANY), secret=True),
    Verb("crib", seated=False, cards=(1, 1), secret=True),
    Verb("starter", seated=False, cards=(1, 1)),
    Verb("play", cards=(1, 1), claim=True),
    Verb("go", claim=True),
    Verb("show", cards=(0, MANY), words=show.WORDS, claim=True, opens=True),
    Verb("crib", cards=(0, MANY), words=show.WORDS, claim=True, opens=True),
    Verb("muggins", numbers=(0, 1)),
    Verb("peg", numbers=(1, 1), words=point_claims.WHY),
)


class Cribbage(Referee[State]):
    """Six-card cribbage for two, three, or four as partners; five-card cribbage for two."""

    source = "Akagiri, “Cribbage” (1995)"
    verbs = VERBS
    limit = THIRTY_ONE

    def __init__(self, *, five: bool = False) -> None:
        self.name = "five-card-cribbage" if five else "cribbage"
        self.seats = (2,) if five else (2, 3, 4)
        self.options = FIVE_CARD_OPTIONS if five else OPTIONS

    def begin(self, setup: Setup) -> State:
        form = Form(setup, five=self.name.startswith("five"))
        sheet = open_score_sheet(setup)
        readings = point_claims.opening(form, sheet.dealer)
        return State(sheet, form, readings, (0,) * setup.sides)

    def cut_strength(self, state: State, rank: Rank) -> int:
        """The highest card deals, or by option the lowest; an ace is low (2.1)."""
        return rank if state.form.setup.options["deal_draw"] == "high" else -rank

    def new_deal(self, state: State) -> Deal:
        form = state.form
        return Deal(to_31.opened(form.seats, form.dealt, form.discards), "discard")

    def begun(self, deal: Deal) -> bool:
        return deal.entered

    def holes(self, state: State) -> tuple[int, int]:
        return 1, state.target

    def dealing(self, state: State) -> bool:
        return state.dealing

    def before_line(self, state: State, move: Move) -> tuple[State, tuple[Note, ...]]:
        """Close the windows of claims, if the line does. After the end a claim may be called."""
        verb, _, _, _, _, claim, _ = move
        sheet, form, _, _, _, windows, winner, _ = state
        if (winner or sheet.abandoned or sheet.resigned is not None) and not (
            verb == "adjust" or (verb == "muggins" and windows)
        ):
            raise IllegalMove("game-over")
        notes: tuple[Note, ...] = ()
        if windows and verb in CLOSING:
            if state.won_unless_called:
                raise IllegalMove("game-over")
            notes = point_claims.close(windows)
            state = state._replace(claims=())
        if claim is not None:
            most = form.most if verb == "show" else MOST
            if claim > most:
                raise IllegalMove("claim-too-high", said=claim, allowed=most)
        return state, notes

    def after_line(self, before: State, move: Move, played: Played[State]) -> Played[State]:
        """The readings of points entered later, and three for last (8.1)."""
        state, awards, form = played.state, played.awards, played.state.form
        if move.verb == "adjust":
            readings = point_claims.adjusted(state.readings)
            return Played(settle(state._replace(readings=readings)), awards)
        dealer, last = state.sheet.dealer, before.sheet.dealer
        said = None if move.verb in ("deal", "misdeal") else state.said
        readings = point_claims.opening(form, dealer)
        state = State(
            state.sheet, form, readings, state.base, state.deal, state.claims, state.winner, said
        )
        three: tuple[Award, ...] = ()
        if move.verb == "misdeal":
            state = settle(state._replace(claims=()))
        elif move.verb == "dealer":
            state = state._replace(deal=before.deal)
            first = before.dealing and state.sheet.deals == 1
            if first and last is not None and dealer is not None and last != dealer:
                three = (
                    Award(form.setup.after(last), -3, "correction"),
                    Award(form.setup.after(dealer), 3, "three-for-last"),
                )
        elif move.verb == "deal" and state.sheet.deals == 1 and dealer is not None:
            three = (Award(form.setup.after(dealer), 3, "three-for-last"),)
        if not (three and form.three_for_last):
            return Played(state, awards)
        return Played(peg(state, three, state.deal), three)

    def check_deal(self, state: State) -> Played[State]:
        """Refuse while a deal entered by cards is unfinished. Points entered without `deal` may say
        who has dealt since."""
        if state.deal is not None and state.deal.unfinished:
            raise IllegalMove("deal-unfinished", phase=state.deal.phase)
        sheet = state.sheet
        dealers = {reading.dealer for reading in state.readings}
        if not sheet.deals or sheet.again or len(dealers) > 1 or sheet.dealer in dealers:
            return Played(state)
        return Played(state._replace(sheet=sheet._replace(dealer=dealers.pop())))

    def close(self, state: State) -> Played[State]:
        if not state.claims:
            return Played(state)
        notes = point_claims.close(state.claims)
        winner = state.winner or state.won_unless_called
        return Played(settle(state._replace(claims=(), winner=winner)), notes=notes)

    prompt = staticmethod(display.prompt)
    situation = staticmethod(display.situation)
    lines = staticmethod(display.lines)
    readouts = staticmethod(display.readouts)
    outcome = staticmethod(outcome)

    def seen(
        self, before: State, move: Move, later: Sequence[Move], seat: int | None
    ) -> tuple[Move, ...]:
        """A hand or crib that is shown, with every card of it."""
        if not self.opens(move) or before.deal is None or move.seat is None:
            return super().seen(before, move, later, seat)
        if move.verb == "show":
            cards = show.shown(before.deal, move.seat, move.cards)[1]
        else:
            cards = show.crib(before.deal, move.cards)
        return (move._replace(cards=cards),)

    def luck(self, hand: Sequence[Card], starter: Card) -> float | None:
        """For four cards whose suits are all known."""
        if len(hand) != CRIB or not all(card.known for card in (*hand, starter)):
            return None
        points = {
            card: sum(item.points for item in show.count(hand, card))
            for card in CARDS
            if card not in hand
        }
        return points[starter.plain] - sum(points.values()) / len(points)

    def _hand(self, state: State, move: Move) -> Played[State]:
        """`N hand CARD…`: cards dealt to a seat, in any number of lines."""
        on = _before_starter(state, move)
        table = to_31.enter_hand(on.table, move.player, move.cards)
        return Played(peg(state, (), moved(on, table, on.phase), state.said))

    def _discard(self, state: State, move: Move) -> Played[State]:
        """`N discard CARD…`: a seat discards to the crib (3.2)."""
        on, seat = _before_starter(state, move), move.player
        if on.table.discarded[seat - 1]:
            raise IllegalMove("discarded-already", seat=seat)
        table = to_31.discard(on.table, seat, move.cards)
        phase: Phase = "starter" if all(table.discarded) else "discard"
        return Played(peg(state, (), moved(on, table, phase), state.said))

    def _starter(self, state: State, move: Move) -> Played[State]:
        """The starter, which opens the play; his heels for a jack (3.4). The dealer's left leads
        (4.1)."""
        on, dealer, (card,) = _before_starter(state, move), state.sheet.dealer, move.cards
        assert dealer is not None
        if on.heels and card.rank not in (None, Rank.JACK):
            raise IllegalMove("contradicts", seat=None, cards=move.cards, known=("heels",))
        table = to_31.turn(on.table, card, state.form.setup.after(dealer))
        awards: tuple[Award, ...] = ()
        if card.rank is Rank.JACK and not on.heels:
            awards = (Award(dealer, 2, "heels", move.cards),)
        on = on._replace(table=table, phase="play", starter=card)
        return Played(peg(state, awards, on), awards)

    def _play(self, state: State, move: Move) -> Played[State]:
        on = _on(state, move)
        played = play.play(on, state.form, move.player, move.cards[0], state.sheet.scores)
        return _pegged(state, move, played, on.table.total)

    def _go(self, state: State, move: Move) -> Played[State]:
        if state.deal is None:
            raise IllegalMove("no-deal", verb="go")
        played = play.go(state.deal, state.form, move.player, state.sheet.scores)
        return _pegged(state, move, played, state.deal.table.total)

    def _show(self, state: State, move: Move) -> Played[State]:
        form, seat, dealer = state.form, move.player, state.sheet.dealer
        on = _on(state, move)
        assert dealer is not None
        ended = _to_the_show(on, form, state.sheet.scores)
        order = form.order(dealer)
        place = order.index(seat)
        if ended.deal.phase == "crib":
            raise IllegalMove("out-of-order", what="show", phase="crib")
        if place > ended.deal.counted and ended.deal.loose:
            point_claims.check_hands_before("show", ended.deal, form, dealer, seat)
        elif place != ended.deal.counted:
            raise IllegalMove("not-your-turn", seat=seat, turn=order[ended.deal.counted])
        after, cards = show.shown(ended.deal, seat, move.cards)
        assert on.starter is not None
        items = show.counted(cards, on.starter, move.words, form)
        awards = (*ended.awards, *to_31.awarded(seat, items))
        return _pegged(
            state, move, play.CardPlayed(point_claims.counted(after, form, place + 1), awards)
        )

    def _crib(self, state: State, move: Move) -> Played[State]:
        """The card dealt straight to the crib, or the crib as it is shown."""
        form, seat = state.form, move.seat
        on = _on(state, move)
        if seat is None:
            return self._straight_card(state, move)
        if seat != state.sheet.dealer:
            raise IllegalMove("not-your-crib", seat=seat, dealer=state.sheet.dealer)
        if on.phase != "crib" and not (on.loose and on.phase in ("play", "show")):
            raise IllegalMove("out-of-order", what="crib", phase=on.phase)
        if on.phase != "crib":
            point_claims.check_hands_before("crib", on, form, seat, seat)
        if on.starter is None:
            raise IllegalMove("starter-missing")
        cards = show.crib(on, move.cards)
        items = show.counted(cards, on.starter, move.words, form, crib=True)
        awards = to_31.awarded(seat, items)
        return _pegged(state, move, play.CardPlayed(on._replace(phase="done"), awards))

    def _straight_card(self, state: State, move: Move) -> Played[State]:
        """`crib CARD`: the card dealt straight to the crib of three players (9.1, E20)."""
        if not state.form.straight:
            raise IllegalMove("no-straight-card", seats=state.form.seats)
        on, (card,) = _before_starter(state, move), move.cards
        if on.extra is not None:
            raise IllegalMove("told-already", what="crib")
        on = on._replace(table=to_31.lay_open(on.table, card), extra=card)
        return Played(peg(state, (), on, state.said))

    def _muggins(self, state: State, move: Move) -> Played[State]:
        points = move.numbers[0] if move.numbers else None
        left, awards, notes = point_claims.call(state.claims, state.form, move.player, points)
        first = next((claim for claim in state.claims if claim.earned and claim not in left), None)
        if first is not None and not state.winner:  # its true points were scored before the call's
            state = state._replace(winner=state.form.setup.side(first.seat))
        return Played(peg(state._replace(claims=left), awards, state.deal), awards, notes)

    def _peg(self, state: State, move: Move) -> Played[State]:
        """Points entered directly. With a reason, and if `deal` was entered, the order of the deal
        is enforced."""
        (points,), seat, form = move.numbers, move.player, state.form
        if len(move.words) > 1:
            raise IllegalMove("syntax", text=" ".join(move.words), why="too-much", at=move.words[1])
        why = move.words[0] if move.words else None
        on, dealer = state.deal, state.sheet.dealer
        if on is not None and dealer is not None and why is not None:
            on = point_claims.in_deal(on, form, dealer, seat, points, why)
            state = state._replace(readings=point_claims.adjusted(state.readings))
        elif on is not None and dealer is not None and state.dealing and on.entered:
            on = point_claims.without_why(on, form, dealer, seat, points)._replace(
                wordless=on.wordless | 1 << seat
            )
        else:
            readings = point_claims.enter(state.readings, form, seat, points, why)
            state = _deal_unsaid(state._replace(readings=readings))
            if on is not None:
                on = on._replace(pegged=on.pegged or points > 0, wordless=on.wordless | 1 << seat)
        awards = (Award(seat, points, "told"),) if points else ()
        return Played(peg(state, awards, on), awards)


def _on(state: State, move: Move) -> Deal:
    """The current deal. Raises IllegalMove `no-deal`."""
    if state.deal is None or state.deal.phase == "done":
        raise IllegalMove("no-deal", verb=move.verb)
    return state.deal


def _before_starter(state: State, move: Move) -> Deal:
    """The current deal, whose starter is not turned yet. Raises IllegalMove `no-deal`,
    `too-late`."""
    on = _on(state, move)
    if on.phase not in ("discard", "starter"):
        why = "turned" if move.verb == "starter" else "starter"
        raise IllegalMove("too-late", what=move.verb, why=why)
    return on


def _to_the_show(on: Deal, form: Form, scores: play.Scores) -> play.CardPlayed:
    """The deal ready for its show: the play is ended by implied gos if need be, or was entered by
    points."""
    if on.starter is None:
        raise IllegalMove("starter-missing")
    if on.phase in ("show", "crib") or on.loose:
        return play.CardPlayed(on)
    return play.end_for_show(on, form, scores)


def _pegged(
    state: State, move: Move, played: play.CardPlayed, before: int | None = None
) -> Played[State]:
    """Peg the line's points: the true ones, or those claimed. `before` is the running count before
    a line of the play."""
    form = state.form
    deal, awards, notes = played
    if move.claim is None:
        said = None if before is None else Said(move, before, awards)
        return Played(peg(state, awards, deal, said), awards, notes)
    claim, seat = move.claim, move.player
    if move.verb == "go" and any(award.seat != seat for award in awards):
        raise IllegalMove("claim-not-yours", seat=seat, owner=awards[0].seat)
    true = sum(award.points for award in awards if award.seat == seat)
    if form.muggins == "off":
        said = None if before is None else Said(move, before, awards)
        notes = (*notes, *point_claims.differs(claim, true))
        return Played(peg(state, awards, deal, said), awards, notes)
    others = tuple(award for award in awards if award.seat != seat)
    pegged = (*others, Award(seat, claim, "told")) if claim else others
    state = peg(state, others, state.deal)
    scores = state.sheet.scores
    ahead = not form.reaches(scores, seat, 0)
    reaches = ahead and form.reaches(scores, seat, claim)
    earned = ahead and form.reaches(scores, seat, min(claim, true))
    opened = Claim(seat, claim, true, reaches, earned)
    said = None if before is None else Said(move, before, pegged)
    state = state._replace(claims=(*state.claims, opened))
    return Played(peg(state, pegged[len(others) :], deal, said), pegged, notes)


def _deal_unsaid(state: State) -> State:
    """Points entered without `deal`: a deal is in progress anyway, and its dealer is the one that
    all readings agree on."""
    sheet = state.sheet
    if state.deal is not None or sheet.dealer is None:
        return state
    if not sheet.deals:
        sheet = sheet._replace(deals=1, first_dealer=sheet.dealer)
    dealers = {reading.dealer for reading in state.readings}
    if len(dealers) == 1:
        sheet = sheet._replace(dealer=dealers.pop(), again=False)
    return state._replace(sheet=sheet)
