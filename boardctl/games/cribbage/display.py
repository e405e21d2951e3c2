"""What is seen of a game of cribbage: situation, board, what is said aloud, and the prompts.

Nothing here reveals the true value of a claim whose window is open. Keypad, page and the tests'
random play use only the prompts, so every ask, completed as it says, must be accepted.
"""

from __future__ import annotations

from boardctl.games import Ask, Line, Move, Note, Prompt, Situation
from boardctl.games.cards import Rank
from boardctl.games.common.referee import between_deals, counted, next_cutter, to_go
from boardctl.games.common.series import THIRTY_ONE, VALUE
from boardctl.games.common.to_31 import card_asks
from boardctl.games.cribbage import show
from boardctl.games.cribbage.state import CRIB, Deal, Form, State


def situation(state: State) -> Situation:
    sheet, _, _, _, deal, _, winner, _ = state
    dealer = sheet.dealer
    if winner or sheet.abandoned or sheet.resigned is not None:
        return Situation("over", dealer=dealer)
    if deal is None or deal.phase == "done":
        if dealer is None:
            return Situation("cut", turn=next_cutter(sheet))
        return Situation("deal", dealer=dealer)
    phase = deal.phase
    if phase == "play":  # asked for more often than all other phases together
        table = deal.table
        count = None if deal.by_points else table.total
        return Situation(phase, table.due or None, dealer, count, None)
    return Situation(phase, turn(state), dealer)


def turn(state: State) -> int | None:
    """The seat that is to discard or show, outside the play; None if there is none."""
    deal, form, dealer = state.deal, state.form, state.sheet.dealer
    if deal is None or dealer is None:
        return None
    order = form.order(dealer)
    match deal.phase:
        case "discard":
            return next(seat for seat in order if not deal.table.discarded[seat - 1])
        case "show":
            return order[deal.counted]
        case "crib":
            return dealer
        case _:
            return None


def lines(state: State) -> tuple[Line, ...]:
    """The skunk lines that are played."""
    form = state.form
    both = Line("skunk", form.skunk), Line("double-skunk", form.double_skunk)
    return tuple(line for line in both if line.hole)


def readouts(state: State) -> tuple[Note, ...]:
    """What is said aloud, the count, each side's points to go, who is ahead, who is behind the
    skunk line."""
    form, scores = state.form, state.sheet.scores
    notes = _said(state)
    deal = state.deal
    if deal is not None and deal.phase == "play" and not deal.by_points:
        notes.append(Note("count", {"count": deal.table.total}))
    if state.over:
        return tuple(notes)
    if state.won_unless_called:
        notes.append(Note("won-unless-called", {"side": state.won_unless_called}))
    notes += to_go(scores, form.target)
    best = max(scores)
    second = sorted(scores)[-2]
    if best > second:
        side = scores.index(best) + 1
        notes.append(Note("ahead", {"side": side, "points": best - second}))
    for side, points in enumerate(scores, 1):
        if points < form.skunk <= best:
            holes = form.skunk - points
            notes.append(Note("behind-skunk", {"side": side, "holes": holes}))
    return tuple(notes)


def _said(state: State) -> list[Note]:
    """What is said with the last card: the running count and its points (those claimed, if claims
    are pegged), or go; one for last."""
    if state.said is None:
        return []
    move, before, awards = state.said
    notes = []
    if move.verb == "go":
        notes.append(Note("said-go", {"seat": move.seat}))
    else:
        value = VALUE[move.cards[0].rank]
        count = before + value if before + value <= THIRTY_ONE else value
        points = sum(a.points for a in awards if a.seat == move.seat and a.reason != "last-card")
        if points:  # “fifteen for two”, else “twenty-two”
            notes.append(Note("said", {"count": count, "points": points}))
        else:
            notes.append(Note("said-count", {"count": count}))
    notes += [
        Note("said-last", {"seat": award.seat}) for award in awards if award.reason == "last-card"
    ]
    return notes


def prompt(state: State) -> Prompt:
    calls = _muggins(state)
    if state.over or state.won_unless_called:
        return Prompt(asks=calls)
    deal, dealer = state.deal, state.sheet.dealer
    pegs = tuple(range(1, state.form.seats + 1))
    if deal is None or dealer is None or deal.phase == "done":
        return Prompt((*between_deals(state.sheet), *calls), pegs)
    match deal.phase:
        case "discard" | "starter":
            due = _before_play(deal, state.form)
        case "play":
            due = _play(deal, state.form, dealer)
        case "show":
            due = _show(deal, state.form.order(dealer)[deal.counted])
        case _:
            due = _crib(deal, dealer)
    return Prompt((*due, *calls), pegs)


def _muggins(state: State) -> tuple[Ask, ...]:
    """A muggins call for every seat of another side, whether or not it would succeed."""
    if not state.claims:
        return ()
    side = state.form.setup.side
    owners = {side(claim.seat) for claim in state.claims}
    return tuple(
        Ask("muggins", "confirm", Move("muggins", seat))
        for seat in range(1, state.form.seats + 1)
        if owners - {side(seat)}
    )


def _before_play(deal: Deal, form: Form) -> tuple[Ask, ...]:
    """What comes before the play; who holds a whole known hand discards before the starter is
    turned."""
    table, size, discards = deal.table, form.dealt, form.discards
    unseen = turned = table.unseen
    if deal.heels:
        turned = tuple(card for card in turned if card.rank is Rank.JACK)
    asks = [Ask("starter", "cards", Move("starter"), "hands", 1, 1, ranks=True, cards=turned)]
    first: list[Ask] = []
    for seat in range(1, form.seats + 1):
        entered, room = len(table.hands[seat - 1]), table.room(seat)
        if not table.discarded[seat - 1]:
            cards = (*table.certain(seat), *(unseen if room >= discards else ()))
            away = Move("discard", seat)
            (first if entered == size else asks).append(
                Ask("discard", "cards", away, "cards", discards, discards, ranks=True, cards=cards)
            )
        missing = min(room, size - entered)
        if missing > 0:
            asks.append(Ask("hand", "cards", Move("hand", seat), "cards", 1, missing, cards=unseen))
    if form.straight and deal.extra is None:
        asks.append(Ask("straight-card", "cards", Move("crib"), "cards", 1, 1, cards=unseen))
    return (*first, *asks)


def _play(deal: Deal, form: Form, dealer: int) -> tuple[Ask, ...]:
    asks = card_asks(deal.table)
    if deal.loose:
        asks += _show(deal, form.order(dealer)[deal.counted])
    return asks


def _show(deal: Deal, seat: int) -> tuple[Ask, ...]:
    if deal.starter is None:  # only its points can be entered
        return ()
    table, known = deal.table, show.kept(deal, seat)
    own = () if len(known) > len(table.played[seat - 1]) else table.certain(seat)
    cards = (*own, *(table.unseen if table.room(seat) else ()))
    return counted("show", Move("show", seat), table.keep - len(known), cards)


def _crib(deal: Deal, dealer: int) -> tuple[Ask, ...]:
    if deal.starter is None:
        return ()
    missing = CRIB - len(show.known_crib(deal))
    return counted("crib", Move("crib", dealer), missing, deal.table.unseen)
