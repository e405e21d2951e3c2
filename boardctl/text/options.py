"""Rule options and their values in words: "Muggins: off". This module also contains the sentences
for options that several games share.

`option.NAME` is the name of an option. `value.NAME-VALUE` or, if that does not exist, `value.VALUE`
is one of its values. An option or value without a sentence is shown under its own name, with spaces
for underscores.
"""

from __future__ import annotations

from typing import Final

from boardctl import text
from boardctl.message import Message

SENTENCES: Final = {
    "named-table.acc": "American Cribbage Congress",
    "named-table.akagiri": "Akagiri",
    "named-table.bicycle": "Bicycle",
    "named-table.birnbaum": "a club’s rules (Birnbaum)",
    "named-table.coinchons": "Coinche contests (coinchons.fr)",
    "named-table.contest": "Belote contests (no litige)",
    "named-table.cotton": "Cotton (1674)",
    "named-table.english-league": "English league",
    "named-table.english-singles": "English league, singles",
    "named-table.enquire": "Enquire Within",
    "named-table.federation": "Fédération française de belote (contrée)",
    "named-table.foster": "Foster",
    "named-table.groves": "Four-Card Noddy (Groves)",
    "named-table.herring": "Herring",
    "named-table.michigan": "University of Michigan",
    "named-table.pagat": "Pagat",
    "named-table.parlett": "Parlett",
    "named-table.portland": "Portland Club (1887)",
    "named-table.st-ives": "Guilde of St Ives",
    "option.deal_rotation": "Who deals next",
    "option.double_win_below_500": "A loser below 500 loses two games",
    "option.first_dealer": "Who deals first",
    "option.game_tie": "Equal scores at the end",
    "option.next_game_dealer": "Who deals first in the next game",
    "option.passed_out": "If everybody passes",
    "option.skunk": "A skunk counts as two games",
    "option.target": "Points to win",
    "option.tie": "Equal points in a deal",
    "option.tie_rule": "Equal scores at the end",
    "value.alternate": "takes turns",
    "value.draw": "a draw",
    "value.extra_deal": "one more deal",
    "value.high": "the player who cuts the highest card deals",
    "value.low": "the player who cuts the lowest card deals",
    "value.next_dealer": "the next player deals",
    "value.next_game_dealer-loser": "the loser",
    "value.next_game_dealer-redraw": "cut again",
    "value.next_game_dealer-winner": "the winner",
    "value.off": "off",
    "value.on": "on",
    "value.raise_target_500": "500 more to win",
    "value.same_dealer": "the same player deals again",
    "value.tie-lost": "the taker’s side scores nothing",
    "value.winner_deals": "the winner of the deal",
}

CUTS: Final = ("deal_draw", "first_dealer")
"""Options for the cut card that gives the first deal."""
CUSTOMS: Final = frozenset({"deal_draw"})
"""Options whose values are regional customs, none of them usual everywhere."""


def table(code: str, language: str = "en") -> str:
    """Return the name of a set of rules described by a federation, a league or a book."""
    return text.say(Message("named-table", code), text.Reader(language))


def name(option: str, language: str = "en") -> str:
    """Return an option's name in words."""
    if f"option.{option}" in text.sentences():
        return text.say(Message("option", option), text.Reader(language))
    return option.replace("_", " ").capitalize()


def value(option: str, chosen: str, language: str = "en") -> str:
    """Return an option's value in words."""
    for code in (f"{option}-{chosen}", chosen):
        if f"value.{code}" in text.sentences():
            return text.say(Message("value", code), text.Reader(language))
    return chosen.replace("_", " ")
