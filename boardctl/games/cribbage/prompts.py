"""The prompts: every line that may be entered next, the most common first.

Keypad, page and the tests' random play use only these prompts, so every ask, completed as it says,
must be accepted.
"""

from __future__ import annotations

from boardctl.games import Ask, Move, Prompt
from boardctl.games.cards import CARDS, Card, Rank
from boardctl.games.common.to_31 import THIRTY_ONE
from boardctl.games.cribbage import knowledge, play
from boardctl.games.cribbage.deal import Deal
from boardctl.games.cribbage.form import CRIB, Form
from boardctl.games.cribbage.state import State


def prompt(state: State) -> Prompt:
    calls = _muggins(state)
    if state.over or state.won_unless_called:
        return Prompt(asks=calls)
    deal, dealer = state.deal, state.sheet.dealer
    pegs = tuple(range(1, state.form.seats + 1))
    if dealer is None:
        return Prompt((*_cut(state), *calls), pegs)
    if deal is None or deal.phase == "done":
        asks = [Ask("deal", "confirm", Move("deal"))]
        return Prompt((*asks, *calls), pegs)
    match deal.phase:
        case "discard" | "starter":
            due = _before_play(deal, state.form)
        case "play":
            due = _play(deal, state.form, dealer)
        case "show":
            due = _show(deal, state.form, state.form.order(dealer)[deal.counted])
        case _:
            due = _crib(deal, state.form, dealer)
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


def _cut(state: State) -> tuple[Ask, ...]:
    sheet, form = state.sheet, state.form
    done = {seat for seat, _ in sheet.cuts}
    left = tuple(card for card in CARDS if card not in {cut for _, cut in sheet.cuts})
    cuts = [
        Ask("cut", "cards", Move("cut", seat), least=1, most=1, ranks=True, cards=left)
        for seat in sheet.cutters or range(1, form.seats + 1)
        if seat not in done
    ]
    seats = range(1, form.seats + 1)
    choices = tuple(Move("dealer", numbers=(seat,)) for seat in seats)
    return (Ask("dealer", "choice", choices[0], choices=choices), *cuts)


def _before_play(deal: Deal, form: Form) -> tuple[Ask, ...]:
    """What comes before the play; who holds a whole known hand discards before the starter is
    turned."""
    unseen = turned = knowledge.unseen(deal, form)
    if deal.heels:
        turned = tuple(card for card in turned if card.rank is Rank.JACK)
    asks = [Ask("starter", "cards", Move("starter"), "hands", 1, 1, ranks=True, cards=turned)]
    first: list[Ask] = []
    for seat in range(1, form.seats + 1):
        cards = knowledge.certain(deal, form, seat)
        if not deal.discarded[seat - 1]:
            whole = len(deal.dealt[seat - 1]) == form.dealt
            free = unseen if knowledge.room(deal, form, seat) >= form.discards else ()
            (first if whole else asks).append(
                Ask(
                    "discard",
                    "cards",
                    Move("discard", seat),
                    "cards",
                    form.discards,
                    form.discards,
                    ranks=True,
                    cards=(*cards, *free),
                )
            )
        room = knowledge.room(deal, form, seat)
        missing = min(room, form.dealt - len(deal.dealt[seat - 1]))
        if missing > 0:
            asks.append(Ask("hand", "cards", Move("hand", seat), "cards", 1, missing, cards=unseen))
    if form.straight and deal.extra is None:
        asks.append(Ask("straight-card", "cards", Move("crib"), "cards", 1, 1, cards=unseen))
    return (*first, *asks)


def _play(deal: Deal, form: Form, dealer: int) -> tuple[Ask, ...]:
    asks: list[Ask] = []
    seat = deal.due
    if seat:
        count = {"count": deal.total}
        cards = play.playable(deal, form, seat)
        if cards:
            card = Move("play", seat)
            asks.append(
                Ask("play", "cards", card, "cards", 1, 1, ranks=True, cards=cards, fields=count)
            )
        if not knowledge.can_surely_play(deal, form, seat, THIRTY_ONE - deal.total):
            asks.append(Ask("go", "confirm", Move("go", seat), "cards", fields=count))
    if deal.loose:
        asks += _show(deal, form, form.order(dealer)[deal.counted])
    return tuple(asks)


def _show(deal: Deal, form: Form, seat: int) -> tuple[Ask, ...]:
    known = knowledge.kept(deal, form, seat)
    missing = form.keep - len(known)
    own = () if len(known) > len(deal.played[seat - 1]) else knowledge.certain(deal, form, seat)
    room = knowledge.room(deal, form, seat)
    unseen = knowledge.unseen(deal, form) if room else ()
    cards = (*own, *unseen)
    return _counted("show", Move("show", seat), deal, missing, cards)


def _crib(deal: Deal, form: Form, dealer: int) -> tuple[Ask, ...]:
    missing = CRIB - len(knowledge.crib(deal, form))
    unseen = knowledge.unseen(deal, form)
    return _counted("crib", Move("crib", dealer), deal, missing, unseen)


def _counted(
    code: str, move: Move, deal: Deal, missing: int, cards: tuple[Card, ...]
) -> tuple[Ask, ...]:
    """A hand to be counted: entered directly if it is known, otherwise completed by its cards; not
    asked for if no starter was entered, since then only its points can be entered."""
    if deal.starter is None:
        return ()
    if not missing:
        return (Ask(code, "confirm", move, "hands"),)
    return (Ask(code, "cards", move, "hands", missing, missing, ranks=True, cards=cards),)
