"""What is said at a table of Belote, besides what is said at one of Klaberjass."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.not-a-bid": "“{said}” is not a bid: 80 to 160 in tens, or capot, and a suit.",
    "refusal.bid-too-low": "“{said}” is not higher than the last bid; at least {least} is needed.",
    "refusal.nothing-to-double": "There is no bid of the other side to double.",
    "refusal.own-contract": "{seat} cannot double the own side’s bid.",
    "refusal.doubled-already": "The bid has been doubled; nobody bids higher.",
    "refusal.not-doubled": "Only a bid of the own side that was doubled can be doubled again.",
    "refusal.nothing-turned": "In Coinche no card is turned.",
    "refusal.declared-already": "The declarations of this deal are settled.",
    "refusal.not-a-declaration": "{cards} are neither a run of three or more nor a square.",
    "refusal.declaration-not-held": "{seat} cannot hold {cards}, or has shown them.",
    "refusal.declarations-not-good": "The other side’s declarations count, not {seat}’s.",
    "refusal.no-declarations": "At this table nothing is declared.",
    "refusal.no-belote": "{seat} has not king and queen of trumps, or not just now.",
    "refusal.belote-called": "{seat} has called belote.",
    "refusal.must-overtrump": "{seat} has a higher trump to play on this trick.",
    "ask.declare-all": "Declarations?",
    "ask.belote": "{seat}: belote?",
    "note.contract-made": "made: {attack_points} to {defence_points}",
    "note.contract-failed": "failed: {attack_points} to {defence_points}",
    "note.litige": "equal: {held} points wait",
    "note.capot": "all tricks to side {side}",
    "readout.taker": "taker {seat}",
    "readout.contract": "bid {bid} x{times}",
    "readout.held": "{points} wait",
    "award.held": "points that waited",
}
