"""Sentences of Belote, in addition to those of Klaberjass."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.not-a-bid": "“{said}” is not a bid: 80 to 160 in tens, or capot, and a suit.",
    "refusal.bid-too-low": "“{said}” is not higher than the last bid; at least {least} is needed.",
    "refusal.nothing-to-double": "The other side has made no bid to double.",
    "refusal.own-contract": "{seat} cannot double their own side’s bid.",
    "refusal.doubled-already": "The bid has been doubled and can no longer be raised.",
    "refusal.not-doubled": "You can redouble only your own side’s bid, once it has been doubled.",
    "refusal.nothing-turned": "No card is turned up in Coinche.",
    "refusal.declared-already": "The declarations of this deal are settled.",
    "refusal.not-a-declaration": "{cards} are neither a run of three or more nor a square.",
    "refusal.declaration-not-held": "{seat} cannot hold {cards}, or has already shown them.",
    "refusal.declarations-not-good": "The other side’s declarations count, not {seat}’s.",
    "refusal.no-declarations": "There are no declarations at this table.",
    "refusal.no-belote": "{seat} does not hold the king and queen of trumps, or cannot call them "
    "now.",
    "refusal.belote-called": "{seat} has already called belote.",
    "refusal.must-overtrump": "{seat} has a higher trump and must play it on this trick.",
    "ask.declare-all": "Declarations?",
    "ask.belote": "{seat}: belote?",
    "note.contract-made": "made: {attack_points} to {defence_points}",
    "note.contract-failed": "failed: {attack_points} to {defence_points}",
    "note.litige": "equal: {held} points held over",
    "note.capot": "all tricks to side {side}",
    "readout.taker": "taker {seat}",
    "readout.contract": "bid {bid} x{times}",
    "readout.held": "{points} wait",
    "ask.contract": "{seat} bids?",
    "award.held": "points held over",
    "award.four-nines": "four nines",
    "verb.belote": "belote",
    "verb.coinche": "coinche",
    "verb.surcoinche": "surcoinche",
}
