"""The referee of all forms of cribbage: what each line requires and does.

The phases are cut, deal, discard, starter, play, show, crib. Sources: docs/rules/cribbage.md;
docs/notation.md "Cribbage".

Not a `games.common.referee.Referee`: nearly every common line here also updates the readings of
points entered, closes claims' windows, or awards three for last; only `resign` and `abandon` are
the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from boardctl.games import (
    MANY,
    Award,
    Game,
    IllegalMove,
    Move,
    Note,
    Option,
    Played,
    Setup,
    Verb,
    table_rules,
)
from boardctl.games.cards import Rank
from boardctl.games.common.to_31 import Item
from boardctl.games.cribbage import claims, deal, display, hands, play, point_claims, prompts
from boardctl.games.cribbage.before_play import discard, hand, straight_card, turn
from boardctl.games.cribbage.deal import Deal
from boardctl.games.cribbage.form import Form
from boardctl.games.cribbage.state import (
    Said,
    State,
    outcome,
    peg,
    score,
    settle,
    with_deal,
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
    table_rules.NEXT_GAME_DEALER,
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
    Verb("show", cards=(0, MANY), words=hands.WORDS, claim=True, opens=True),
    Verb("crib", cards=(0, MANY), words=hands.WORDS, claim=True, opens=True),
    Verb("muggins", numbers=(0, 1)),
    Verb("peg", numbers=(1, 1), words=point_claims.WHY),
)


class Cribbage(Game[State]):
    """Six-card cribbage for two, three, or four as partners; five-card cribbage for two."""

    source = "Akagiri, “Cribbage” (1995)"
    verbs = VERBS

    def __init__(self, *, five: bool = False) -> None:
        self.name = "five-card-cribbage" if five else "cribbage"
        self.seats = (2,) if five else (2, 3, 4)
        self.options = FIVE_CARD_OPTIONS if five else OPTIONS

    def begin(self, setup: Setup) -> State:
        form = Form(setup, five=self.name.startswith("five"))
        sheet = table_rules.open_score_sheet(setup)
        return State(sheet, form, point_claims.opening(form, sheet.dealer), (0,) * form.sides)

    def play(self, state: State, move: Move) -> Played[State]:
        verb, seat, cards, _, _, claim, _ = move
        sheet, form, _, _, _, windows, winner, _ = state
        if seat is not None and not 1 <= seat <= form.seats:
            table_rules.check_seat(sheet, move)
        if (winner or sheet.abandoned or sheet.resigned is not None) and not (
            verb == "adjust" or (verb == "muggins" and windows)
        ):
            raise IllegalMove("game-over")
        notes: tuple[Note, ...] = ()
        if windows and verb in CLOSING:
            if state.won_unless_called:
                raise IllegalMove("game-over")
            notes = claims.close(windows)
            state = state._replace(claims=())
        if claim is not None:
            most = form.most if verb == "show" else MOST
            if claim > most:
                raise IllegalMove("claim-too-high", said=claim, allowed=most)
        for card in cards:
            if card.copy is not None:
                raise IllegalMove("no-such-card", card=card)
        act = _ACTS.get((verb, seat is not None))
        if act is None:
            raise IllegalMove("not-in-this-game", verb=verb, game=self.name)
        played = act(state, move)
        return Played(played.state, played.awards, (*notes, *played.notes)) if notes else played

    def close(self, state: State) -> Played[State]:
        if not state.claims:
            return Played(state)
        notes = claims.close(state.claims)
        winner = state.winner or state.won_unless_called
        return Played(settle(state._replace(claims=(), winner=winner)), notes=notes)

    prompt = staticmethod(prompts.prompt)
    situation = staticmethod(display.situation)
    scoreboard = staticmethod(display.scoreboard)
    outcome = staticmethod(outcome)

    def seen(
        self, before: State, move: Move, later: Sequence[Move], seat: int | None
    ) -> tuple[Move, ...]:
        """A hand or crib that is shown, with every card of it."""
        if not self.opens(move) or before.deal is None or move.seat is None:
            return super().seen(before, move, later, seat)
        if move.verb == "show":
            cards = hands.shown(before.deal, before.form, move.seat, move.cards)[1]
        else:
            cards = hands.crib(before.deal, before.form, move.cards)
        return (move._replace(cards=cards),)

    def first_dealer(self, state: State) -> int | None:
        return state.sheet.first_dealer


def _start(state: State, move: Move) -> Played[State]:
    return Played(state._replace(sheet=table_rules.start(state.sheet, move, state.form.target)))


def _cut(state: State, move: Move) -> Played[State]:
    """The cut for deal: the highest card deals, or by option the lowest; an ace is low (2.1)."""
    sign = 1 if state.form.setup.options["deal_draw"] == "high" else -1

    def strength(rank: Rank) -> int:
        return sign * rank

    sheet = table_rules.cut(state.sheet, move, strength)
    return Played(
        state._replace(sheet=sheet, readings=point_claims.opening(state.form, sheet.dealer))
    )


def _dealer(state: State, move: Move) -> Played[State]:
    form = state.form
    if state.dealing and state.deal is not None and state.deal.entered:
        raise IllegalMove("too-late", what="dealer", why="deal")
    first = state.dealing and state.sheet.deals == 1 and form.three_for_last
    before = state.sheet.dealer
    sheet = table_rules.name_dealer(
        state.sheet, move, between=bool(state.sheet.deals) and not state.dealing
    )
    state = state._replace(sheet=sheet, readings=point_claims.opening(form, sheet.dealer))
    if not first or before is None or before == sheet.dealer or sheet.dealer is None:
        return Played(state)
    awards = (
        Award(form.after(before), -3, "correction"),
        Award(form.after(sheet.dealer), 3, "three-for-last"),
    )
    return Played(score(state, awards), awards)


def _deal(state: State, move: Move) -> Played[State]:
    """`deal`: refused while a deal entered by cards is unfinished, and before a dealer is known."""
    form, on = state.form, state.deal
    if on is not None and point_claims.unfinished(on):
        raise IllegalMove("deal-unfinished", phase=on.phase)
    sheet = state.sheet
    dealers = {reading.dealer for reading in state.readings}
    if sheet.deals and not sheet.again and len(dealers) == 1:
        sheet = sheet._replace(dealer=dealers.pop())
    first = not sheet.deals
    sheet = table_rules.deal(sheet)
    assert sheet.dealer is not None
    state = state._replace(
        sheet=sheet,
        deal=deal.begin(form.seats),
        readings=point_claims.opening(form, sheet.dealer),
        base=sheet.scores,
        said=None,
    )
    if not (first and form.three_for_last):
        return Played(state)
    awards = (Award(form.after(sheet.dealer), 3, "three-for-last"),)
    return Played(score(state, awards), awards)


def _misdeal(state: State, move: Move) -> Played[State]:
    if not state.dealing:
        raise IllegalMove("no-deal", verb="misdeal")
    scores = state.sheet.scores
    void = tuple(min(now, now - then) for now, then in zip(scores, state.base, strict=True))
    sheet, awards = table_rules.misdeal(state.sheet, void)
    state = state._replace(
        sheet=sheet,
        deal=None,
        readings=point_claims.opening(state.form, sheet.dealer),
        claims=(),
        said=None,
    )
    return Played(settle(state), awards)


def _adjust(state: State, move: Move) -> Played[State]:
    sheet, awards = table_rules.adjust(state.sheet, move)
    moved = zip(state.base, sheet.scores, state.sheet.scores, strict=True)
    base = tuple(then + now - before for then, now, before in moved)
    state = state._replace(sheet=sheet, base=base, readings=point_claims.adjusted(state.readings))
    return Played(settle(state), awards)


def _give_up(state: State, move: Move) -> Played[State]:
    return Played(state._replace(sheet=table_rules.give_up(state.sheet, move)))


def _on(state: State, move: Move) -> Deal:
    """The current deal. Raises IllegalMove `no-deal`."""
    if state.deal is None or state.deal.phase == "done":
        raise IllegalMove("no-deal", verb=move.verb)
    return state.deal


def _hand(state: State, move: Move) -> Played[State]:
    return Played(with_deal(state, hand(_on(state, move), state.form, move)))


def _discard(state: State, move: Move) -> Played[State]:
    return Played(with_deal(state, discard(_on(state, move), state.form, move)))


def _straight_card(state: State, move: Move) -> Played[State]:
    return Played(with_deal(state, straight_card(_on(state, move), state.form, move)))


def _starter(state: State, move: Move) -> Played[State]:
    """The starter; his heels for a jack (3.4)."""
    on, dealer = _on(state, move), state.sheet.dealer
    assert dealer is not None
    awards: tuple[Award, ...] = ()
    if move.cards[0].rank is Rank.JACK and not on.heels:
        awards = (Award(dealer, 2, "heels", move.cards),)
    return Played(peg(state, awards, turn(on, state.form, dealer, move), None), awards)


def _play(state: State, move: Move) -> Played[State]:
    assert move.seat is not None
    on = _on(state, move)
    played = play.play(on, state.form, move.seat, move.cards[0], state.sheet.scores)
    return _pegged(state, move, played, on.total)


def _go(state: State, move: Move) -> Played[State]:
    assert move.seat is not None
    if state.deal is None:
        raise IllegalMove("no-deal", verb="go")
    played = play.go(state.deal, state.form, move.seat, state.sheet.scores)
    return _pegged(state, move, played, state.deal.total)


def _show(state: State, move: Move) -> Played[State]:
    form, seat, dealer = state.form, move.seat, state.sheet.dealer
    on = _on(state, move)
    assert seat is not None
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
    after, cards = hands.shown(ended.deal, form, seat, move.cards)
    assert on.starter is not None
    items = hands.count(cards, on.starter, move.words, form)
    awards = (*ended.awards, *_awards(seat, items))
    return _pegged(
        state, move, play.CardPlayed(point_claims.counted(after, form, place + 1), awards)
    )


def _crib(state: State, move: Move) -> Played[State]:
    assert move.seat is not None
    form, seat = state.form, move.seat
    on = _on(state, move)
    if seat != state.sheet.dealer:
        raise IllegalMove("not-your-crib", seat=seat, dealer=state.sheet.dealer)
    if on.phase != "crib" and not (on.loose and on.phase in ("play", "show")):
        raise IllegalMove("out-of-order", what="crib", phase=on.phase)
    if on.phase != "crib":
        point_claims.check_hands_before("crib", on, form, seat, seat)
    if on.starter is None:
        raise IllegalMove("starter-missing")
    cards = hands.crib(on, form, move.cards)
    items = hands.count(cards, on.starter, move.words, form, crib=True)
    awards = tuple(_awards(seat, items))
    return _pegged(state, move, play.CardPlayed(deal.count(on, "done", on.counted), awards))


def _awards(seat: int, items: Iterable[Item]) -> list[Award]:
    """The awards to a seat for the combinations of a hand or crib."""
    return [Award(seat, points, reason, cards) for reason, cards, points in items]


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
    claim, seat = move.claim, move.seat
    assert seat is not None
    if move.verb == "go" and any(award.seat != seat for award in awards):
        raise IllegalMove("claim-not-yours", seat=seat, owner=awards[0].seat)
    true = sum(award.points for award in awards if award.seat == seat)
    if form.muggins == "off":
        said = None if before is None else Said(move, before, awards)
        notes = (*notes, *claims.differs(claim, true))
        return Played(peg(state, awards, deal, said), awards, notes)
    others = tuple(award for award in awards if award.seat != seat)
    pegged = (*others, Award(seat, claim, "told")) if claim else others
    state = score(state, others)
    scores = state.sheet.scores
    ahead = not form.reaches(scores, seat, 0)
    reaches = ahead and form.reaches(scores, seat, claim)
    earned = ahead and form.reaches(scores, seat, min(claim, true))
    opened = claims.Claim(seat, claim, true, reaches, earned)
    said = None if before is None else Said(move, before, pegged)
    state = state._replace(claims=(*state.claims, opened))
    return Played(peg(state, pegged[len(others) :], deal, said), pegged, notes)


def _muggins(state: State, move: Move) -> Played[State]:
    assert move.seat is not None
    points = move.numbers[0] if move.numbers else None
    left, awards, notes = claims.call(state.claims, state.form, move.seat, points)
    first = next((claim for claim in state.claims if claim.earned and claim not in left), None)
    if first is not None and not state.winner:  # its true points were scored before the call's
        state = state._replace(winner=state.form.setup.side(first.seat))
    return Played(score(state._replace(claims=left), awards), awards, notes)


def _peg(state: State, move: Move) -> Played[State]:
    """Points entered directly. With a reason, and if `deal` was entered, the order of the deal is
    enforced."""
    assert move.seat is not None
    (points,), seat, form = move.numbers, move.seat, state.form
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
    return Played(peg(state, awards, on, None), awards)


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


_ACTS: Final[dict[tuple[str, bool], Callable[[State, Move], Played[State]]]] = {
    ("start", False): _start,
    ("cut", True): _cut,
    ("dealer", False): _dealer,
    ("deal", False): _deal,
    ("misdeal", False): _misdeal,
    ("adjust", True): _adjust,
    ("resign", True): _give_up,
    ("abandon", False): _give_up,
    ("hand", True): _hand,
    ("discard", True): _discard,
    ("crib", False): _straight_card,
    ("starter", False): _starter,
    ("play", True): _play,
    ("go", True): _go,
    ("show", True): _show,
    ("crib", True): _crib,
    ("muggins", True): _muggins,
    ("peg", True): _peg,
}
