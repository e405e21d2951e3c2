"""Sequences announced and shown, and who scores them. Source: docs/rules/klaberjass.md 5.

Every step is checked against what is known: a player may keep a sequence secret (5.6), but may not
announce one that no assignment of the unseen cards allows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from boardctl.games import IllegalMove, Move
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common.jass import NATURAL
from boardctl.games.klaberjass.deal import Deal, Declarations, Shown
from boardctl.games.klaberjass.sequences import ALL_RUNS, Run, neighbours, runs


@dataclass(frozen=True, slots=True)
class Custom:
    """The table's options for sequences: split_long_runs and meld_tie=elder."""

    split: bool = False
    elder_wins_ties: bool = False


def contest(
    elder: tuple[Run, ...], younger: tuple[Run, ...], trump: Suit | None, elder_wins_ties: bool
) -> str | None:
    """Who has the strongest sequence, `elder` or `younger`; None if nobody scores (5.2, 5.3).

    Of a player's equal sequences the trump one is the best (E6).
    """

    def best(held: tuple[Run, ...]) -> tuple[tuple[int, int], bool] | None:
        return max(((run.level, run.suit == trump) for run in held), default=None)

    one, other = best(elder), best(younger)
    if one is None or other is None:
        return "elder" if one else "younger" if other else None
    if one == other:
        return "elder" if elder_wins_ties else None
    return "elder" if one > other else "younger"


def whole(deal: Deal, seat: int) -> bool:
    """Whether all nine cards that a player held when sequences were announced are known."""
    return len(deal.at_talk(seat)[0]) == 9


def held(deal: Deal, seat: int, custom: Custom) -> tuple[Run, ...]:
    """The sequences of a fully known hand."""
    return runs(deal.at_talk(seat)[0], custom.split)


def candidates(deal: Deal, seat: int, custom: Custom) -> tuple[Run, ...]:
    """The sequences that a player has or may have and has not shown."""
    known, possible = deal.at_talk(seat)
    if len(known) == 9:
        found = runs(known, custom.split)
        if custom.split:
            found += tuple(run for run in runs(known) if run not in found)
    else:
        loose = sum(len(shown.cards) for shown in deal.shown if shown.run is None)
        lacking = 9 - len(known) - loose
        found = tuple(
            run
            for run in ALL_RUNS
            if possible.issuperset(run.cards)
            and len(set(run.cards) - known) <= lacking
            and (custom.split or known.isdisjoint(neighbours(run)))
        )
    shown = {card for one in deal.shown if one.run for card in one.run.cards}
    return tuple(run for run in found if shown.isdisjoint(run.cards))


def declare(deal: Deal, seat: int, value: int, custom: Custom) -> Deal:
    """`N declare none|20|50`: the elder begins (5.5)."""
    _begin(deal)
    if seat != deal.eldest:
        raise IllegalMove("out-of-turn", seat=seat, turn=deal.eldest)
    if value and not any(run.value == value for run in candidates(deal, seat, custom)):
        raise IllegalMove("no-such-sequence", seat=seat, points=value)
    return replace(deal, declarations=Declarations("declared", value))


def declare_all(deal: Deal, custom: Custom) -> Deal:
    """`declare`: settle the sequences from the hands, which are all known."""
    _begin(deal)
    for seat in (deal.eldest, deal.younger):
        if not whole(deal, seat):
            raise IllegalMove("hands-unknown", seat=seat)
    seats = {"elder": deal.eldest, "younger": deal.younger}
    sides = {name: held(deal, seat, custom) for name, seat in seats.items()}
    winner = contest(sides["elder"], sides["younger"], deal.trump, custom.elder_wins_ties)
    if winner is None:
        return replace(deal, declarations=Declarations("settled"))
    shown = tuple(Shown(run.cards, run) for run in sides[winner])
    return replace(deal, declarations=Declarations("settled", owner=seats[winner]), shown=shown)


def _begin(deal: Deal) -> None:
    if deal.declarations.stage != "open":
        raise IllegalMove("talk-begun")


def reply(deal: Deal, seat: int, word: str, custom: Custom) -> Deal:
    """`N reply good|not-good|equal`: the younger answers the elder's announcement."""
    declarations = deal.declarations
    if declarations.stage not in ("declared", "top"):
        raise IllegalMove("nothing-announced")
    if seat != deal.younger:
        raise IllegalMove("out-of-turn", seat=seat, turn=deal.younger)
    if declarations.value == 0 and word == "equal":
        word = "good"
    if word == "good":
        owner = deal.eldest if declarations.value else None
        return replace(deal, declarations=replace(declarations, stage="settled", owner=owner))
    mine = candidates(deal, seat, custom)
    if word == "not-good":
        if not any(_above(run, declarations) for run in mine):
            raise IllegalMove("nothing-better", seat=seat, points=declarations.value)
        return replace(deal, declarations=replace(declarations, stage="settled", owner=seat))
    if not any(_level(run, declarations) for run in mine):
        raise IllegalMove("no-such-sequence", seat=seat, points=declarations.value)
    return replace(
        deal,
        declarations=replace(
            declarations, stage="equal" if declarations.stage == "declared" else "tied"
        ),
    )


def _above(run: Run, declarations: Declarations) -> bool:
    """Whether a run beats the announced one."""
    if declarations.top is None:
        return run.value > declarations.value
    return run.value == declarations.value and NATURAL.index(run.top) < NATURAL.index(
        declarations.top
    )


def _level(run: Run, declarations: Declarations) -> bool:
    """Whether a run equals the announced one."""
    return run.value == declarations.value and declarations.top in (None, run.top)


def name_top(deal: Deal, seat: int, card: Card, custom: Custom) -> Deal:
    """`N top RANK`: the elder's top rank, after `equal`."""
    if deal.declarations.stage != "equal":
        raise IllegalMove("nothing-equal")
    if seat != deal.eldest:
        raise IllegalMove("out-of-turn", seat=seat, turn=deal.eldest)
    if card.rank is None or card.suit is not None:
        raise IllegalMove("rank-alone", card=card)
    if card.rank not in tops(deal, custom):
        raise IllegalMove(
            "no-such-top", seat=seat, rank=card.rank.letter, points=deal.declarations.value
        )
    return replace(deal, declarations=replace(deal.declarations, stage="top", top=card.rank))


def tops(deal: Deal, custom: Custom) -> tuple[Rank, ...]:
    """The ranks that the elder may name, from high to low."""
    mine = {r.top for r in candidates(deal, deal.eldest, custom) if _level(r, deal.declarations)}
    return tuple(rank for rank in NATURAL if rank in mine)


def claim_trump(deal: Deal, seat: int, custom: Custom) -> Deal:
    """`N trump`: the ranks are equal too, and this player's sequence is in trumps (5.5)."""
    if deal.declarations.stage != "tied":
        raise IllegalMove("nothing-equal")
    if not may_claim_trump(deal, seat, custom):
        raise IllegalMove("no-trump-sequence", seat=seat)
    return replace(deal, declarations=replace(deal.declarations, stage="settled", owner=seat))


def may_claim_trump(deal: Deal, seat: int, custom: Custom) -> bool:
    """Whether a player's announced sequence can be in trumps."""
    return any(
        _level(run, deal.declarations) and deal.trump in (None, run.suit)
        for run in candidates(deal, seat, custom)
    )


def owner(deal: Deal, custom: Custom) -> int | None:
    """The player who scores sequences if nothing more is said."""
    if deal.declarations.stage == "tied" and custom.elder_wins_ties:
        return deal.eldest
    return deal.declarations.owner


def check_over(deal: Deal) -> None:
    """Raise IllegalMove while an answer is due."""
    if deal.declarations.going:
        due = deal.eldest if deal.declarations.stage == "equal" else deal.younger
        raise IllegalMove("talk-unfinished", turn=due)


def end(deal: Deal, custom: Custom) -> Deal:
    """End the announcing because a later line was entered.

    Raises:
        IllegalMove: an answer is due.
    """
    check_over(deal)
    if deal.declarations.stage == "settled":
        return deal
    return replace(
        deal, declarations=replace(deal.declarations, stage="settled", owner=owner(deal, custom))
    )


def may_show(deal: Deal, seat: int, custom: Custom) -> bool:
    """Whether this player's sequences count, or may still turn out to."""
    if deal.declarations.stage == "open":
        return True
    if deal.declarations.stage == "declared" and not deal.declarations.value:
        return seat == deal.younger
    if deal.declarations.stage == "tied":
        return owner(deal, custom) == seat or may_claim_trump(deal, seat, custom)
    return deal.declarations.stage == "settled" and deal.declarations.owner == seat


def show(deal: Deal, move: Move, custom: Custom) -> Deal:
    """`N meld CARD…`: a sequence shown, by suits, by ranks, or face down (`?`)."""
    seat = move.player
    declarations = deal.declarations
    check_over(deal)
    if not may_show(deal, seat, custom):
        raise IllegalMove("sequences-not-good", seat=seat)
    if len(move.cards) > 8 or not any(_fits(move.cards, run) for run in ALL_RUNS):
        raise IllegalMove("not-a-sequence", cards=move.cards)
    fitting = tuple(r for r in candidates(deal, seat, custom) if _fits(move.cards, r))
    if declarations.stage == "tied" and owner(deal, custom) != seat:
        fitting = tuple(
            run for run in fitting if _level(run, declarations) and deal.trump in (None, run.suit)
        )
    if not fitting:
        raise IllegalMove("sequence-not-held", seat=seat, cards=move.cards)
    if seat == deal.eldest and declarations.value:
        fitting = tuple(run for run in fitting if not _higher(run, declarations))
        if not fitting:
            raise IllegalMove("more-than-announced", cards=move.cards, points=declarations.value)
    known, _ = deal.at_talk(seat)
    sure = next((run for run in fitting if known.issuperset(run.cards)), None)
    if sure is None and len(fitting) == 1:
        (sure,) = fitting
    after = replace(
        deal,
        shown=(*deal.shown, Shown(move.cards, sure)),
        declarations=replace(declarations, stage="settled", owner=seat),
    )
    if sure is None:
        return after
    return after.learn(seat, tuple(card for card in sure.cards if card not in known))


def _fits(cards: tuple[Card, ...], run: Run) -> bool:
    """Whether a run matches the entered cards, as far as each is known."""
    if len(cards) != len(run.cards):
        return False
    exact = {card for card in cards if card.known}
    if len(exact) != sum(card.known for card in cards) or not exact <= set(run.cards):
        return False
    ranks = Counter(card.rank for card in cards if card.rank is not None)
    return max(ranks.values(), default=1) == 1 and set(ranks) <= {card.rank for card in run.cards}


def _higher(run: Run, declarations: Declarations) -> bool:
    """Whether a run is higher than the elder announced."""
    return run.value > declarations.value or (
        declarations.top is not None and _above(run, declarations)
    )


def counted(deal: Deal, custom: Custom) -> tuple[Shown, ...]:
    """The sequences that the owner scores: those shown or, if the owner's were good and none were
    shown, those that the known hand contains, as far as they were announced (5.4)."""
    seat = owner(deal, custom)
    if deal.shown or seat is None or not whole(deal, seat):
        return deal.shown
    mine = held(deal, seat, custom)
    if seat == deal.eldest:
        mine = tuple(run for run in mine if not _higher(run, deal.declarations))
    return tuple(Shown(run.cards, run) for run in mine)
