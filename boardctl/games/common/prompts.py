"""Prompts shared by several games."""

from __future__ import annotations

from boardctl.games import Ask, Move
from boardctl.games.cards import CARDS, Card
from boardctl.games.common.to_31 import Table
from boardctl.games.table_rules import ScoreSheet


def between_deals(sheet: ScoreSheet, cards: tuple[Card, ...] = CARDS) -> tuple[Ask, ...]:
    """The cut for first deal, with one of these cards, and then the deal."""
    if sheet.dealer is not None:
        return (Ask("deal", "confirm", Move("deal")),)
    seats = range(1, len(sheet.setup.seats) + 1)
    choices = tuple(Move("dealer", numbers=(seat,)) for seat in seats)
    cut = dict(sheet.cuts)
    left = tuple(card for card in cards if card not in cut.values())
    return (
        Ask("dealer", "choice", choices[0], choices=choices),
        *(
            Ask("cut", "cards", Move("cut", seat), least=1, most=1, ranks=True, cards=left)
            for seat in sheet.cutters or seats
            if seat not in cut
        ),
    )


def card_asks(table: Table) -> tuple[Ask, ...]:
    """The next card of a play that counts to 31, or go."""
    seat = table.due
    if not seat:
        return ()
    fields = {"count": table.total}
    asks = []
    cards = table.playable(seat)
    if cards:
        play = Move("play", seat)
        asks.append(
            Ask("play", "cards", play, "cards", 1, 1, ranks=True, cards=cards, fields=fields)
        )
    if not table.can_surely_play(seat):
        asks.append(Ask("go", "confirm", Move("go", seat), "cards", fields=fields))
    return tuple(asks)


def counted(code: str, move: Move, missing: int, cards: tuple[Card, ...]) -> tuple[Ask, ...]:
    """A hand to be counted: entered directly if it is known, otherwise completed by some of these
    cards."""
    if not missing:
        return (Ask(code, "confirm", move, "hands"),)
    return (Ask(code, "cards", move, "hands", missing, missing, ranks=True, cards=cards),)


def next_cutter(sheet: ScoreSheet) -> int:
    """The next seat to cut for deal, in seat order."""
    cut = {seat for seat, _ in sheet.cuts}
    seats = sheet.cutters or range(1, len(sheet.setup.seats) + 1)
    return next(seat for seat in seats if seat not in cut)
