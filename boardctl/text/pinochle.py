"""Sentences of Pinochle for three and four, in addition to those of Bezique."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.not-a-bid-points": "“{said}” is not a bid: a multiple of ten, and at least {least}.",
    "refusal.passed-already": "{seat} has passed and is out of the auction.",
    "refusal.not-the-bidder": "Only {bidder}, who won the bidding, can do that, not {seat}.",
    "refusal.widow-three": "The widow is three cards, in three-handed Pinochle only, and is shown "
    "once.",
    "refusal.melded-card": "{cards} are part of melds; discard other cards.",
    "refusal.meld-after-lead": "Melds are declared before the first card is led.",
    "refusal.discard-first": "First {seat} must discard three cards.",
    "refusal.too-late-to-concede": "A card has been led; the bid can only be conceded before that.",
    "ask.bid-points": "{seat} bids?",
    "ask.name-trump": "{seat}: trumps?",
    "ask.pass": "{seat} passes?",
    "ask.widow": "The widow?",
    "ask.melds": "Melds?",
    "ask.concede": "{seat} concedes?",
    "note.bid-made": "bid {bid} made: {made}",
    "note.bid-lost": "bid {bid} lost: {made}",
    "note.no-trick": "side {side} has no trick: no melds",
    "readout.bidder": "{seat} bid {bid}",
    "award.melds": "melds",
    "award.dix": "dix",
    "verb.concede": "concede",
    "verb.declare": "melds",
}
