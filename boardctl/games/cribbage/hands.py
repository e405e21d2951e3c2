"""Hands and crib as they are counted: known cards, cards entered at the show, and stated suits.

Sources: docs/rules/cribbage.md 5 and 8.4; notation "Ranks".
"""

from __future__ import annotations

from operator import itemgetter

from boardctl.games import IllegalMove
from boardctl.games.cards import Card
from boardctl.games.common import known_cards, to_31
from boardctl.games.common.known_cards import Cards, merge, refine, with_rank, without
from boardctl.games.common.series import Item
from boardctl.games.common.to_31 import BIT
from boardctl.games.cribbage import show
from boardctl.games.cribbage.deal import Deal
from boardctl.games.cribbage.form import CRIB, Form
from boardctl.games.table_rules import put

_SUIT = itemgetter(1)
FLUSH_WORDS = ("no-flush", "flush", "flush5")
NOBS_WORDS = ("no-nobs", "nobs")
WORDS = FLUSH_WORDS + NOBS_WORDS


def kept(deal: Deal, seat: int) -> Cards:
    """The known cards of a hand to be counted: those played, and what remains of the hand as dealt
    after the discards."""
    table, place = deal.table, seat - 1
    if table.fully_known and not table.holds(seat):
        return table.played[place]
    played, dealt = table.played[place], with_rank(table.hands[place])
    entered = with_rank(table.discarded[place])
    if len(dealt) == table.size:
        played = refine(played, without(dealt, entered))
    if len(entered) == table.size - table.keep:
        return (*played, *without(dealt, (*entered, *played)))
    return played


def known_crib(deal: Deal) -> Cards:
    """The known cards of the crib."""
    table = deal.table
    known = [] if deal.extra is None else [*with_rank((deal.extra,))]
    for seat in range(1, table.seats + 1):
        hand = table.shown[seat - 1] or kept(deal, seat)
        dealt, away = with_rank(table.hands[seat - 1]), with_rank(table.discarded[seat - 1])
        whole = len(hand) == table.keep
        known += merge(away, without(dealt, hand)) if whole else refine(away, dealt)
    return tuple(known)


def shown(deal: Deal, seat: int, entered: Cards) -> tuple[Deal, Cards]:
    """A hand to be counted, and the deal updated with it if it was not known. `entered` are all its
    cards, the unknown ones only, or none.

    Raises:
        IllegalMove: `cards-needed` with how many; `contradicts` with what was known; any error of
            the pack check.
    """
    table, known = deal.table, kept(deal, seat)
    if not entered and table.fully_known and len(known) == table.keep:
        return deal, known
    cards = known_cards.complete(known, entered, table.keep, seat)
    to_31.check(table._replace(shown=put(table.shown, seat, cards)))
    dealt = with_rank(table.hands[seat - 1])
    if len(dealt) == table.size:
        cards = refine(cards, without(dealt, table.discarded[seat - 1]))
    return deal._replace(table=table._replace(shown=put(table.shown, seat, cards))), cards


def crib(deal: Deal, entered: Cards) -> Cards:
    """The crib to be counted, entered as a hand is. Raises IllegalMove as `shown` does."""
    if deal.table.fully_known and not entered:
        cards = sum(deal.table.discarded, ()) + (() if deal.extra is None else (deal.extra,))
        if len(cards) == CRIB and all(map(BIT.__contains__, cards)):
            return cards
    known = known_crib(deal)
    cards = known_cards.complete(known, entered, CRIB, None)
    to_31.check(deal.table, without(cards, known))
    return cards


def count(
    cards: Cards, starter: Card, words: tuple[str, ...], form: Form, *, crib: bool = False
) -> tuple[Item, ...]:
    """What the cards score with the starter, given what is known and stated about their suits.

    Raises:
        IllegalMove: `suits-needed` with `questions` (`flush`, `nobs`) and `choices`, the words
            that answer them, the simplest first; `suits-not-asked` and `contradicts` for words
            that were not asked for, or that the cards rule out.
    """
    as_hand = form.crib_as_hand
    if not words and None not in map(_SUIT, (*cards, starter)):
        return show.count(cards, starter, crib=crib, flush_any=as_hand)
    possible = _readings(cards, starter, five_only=crib and not as_hand)
    asked = show.questions(possible)
    _check_words(words, asked, cards)
    meant = words
    if crib and not as_hand:
        meant = tuple("no-flush" if word == "flush" else word for word in words)
    left = frozenset(reading for reading in possible if _agrees(reading, meant))
    if not left:
        raise IllegalMove("contradicts", seat=None, cards=cards, known=words)
    if show.questions(left):
        choices = {_answer(reading, asked) for reading in possible}
        raise IllegalMove(
            "suits-needed",
            questions=asked,
            choices=tuple(sorted(choices, key=_plainness)),
            cards=cards,
        )
    return show.count(cards, starter, reading=min(left))


def _readings(cards: Cards, starter: Card, *, five_only: bool) -> frozenset[show.Reading]:
    """The possible readings of the suits; with `five_only`, four cards are no flush."""
    possible = show.readings(cards, starter)
    if not five_only:
        return possible
    return frozenset(
        show.Reading("no-flush", r.nobs) if r.flush == "flush" else r for r in possible
    )


def possible_points(cards: Cards, starter: Card) -> frozenset[int]:
    """What a hand known by rank could score with the starter, for any suits."""
    return frozenset(
        sum(item.points for item in show.count(cards, starter, reading=reading))
        for reading in show.readings(cards, starter)
    )


def _check_words(words: tuple[str, ...], asked: tuple[str, ...], cards: Cards) -> None:
    for kind, known in (("flush", FLUSH_WORDS), ("nobs", NOBS_WORDS)):
        said = [word for word in words if word in known]
        if said and kind not in asked:
            raise IllegalMove("suits-not-asked", word=said[0], cards=cards)
        if len(said) > 1:
            raise IllegalMove("contradicts", seat=None, cards=cards, known=tuple(said))


def _agrees(reading: show.Reading, words: tuple[str, ...]) -> bool:
    """Whether a reading agrees with the words."""
    if "nobs" in words and not reading.nobs:
        return False
    if "no-nobs" in words and reading.nobs:
        return False
    said = [word for word in words if word in FLUSH_WORDS]
    return not said or reading.flush in said


def _answer(reading: show.Reading, asked: tuple[str, ...]) -> tuple[str, ...]:
    """The words that answer the questions for a reading."""
    answers = {"flush": reading.flush, "nobs": NOBS_WORDS[reading.nobs]}
    return tuple(answers[question] for question in asked)


def _plainness(words: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(WORDS.index(word) for word in words)
