"""Moves as sentences: "Ann plays 5♥", for lists of moves, news and history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from boardctl import text
from boardctl.games import Ask, Award, IllegalMove, Move, Note
from boardctl.games.cards import Card, Suit, pictured
from boardctl.message import Fields, Message
from boardctl.text import options

SENTENCES: Final = {
    "move.abandon": "The game is abandoned",
    "move.adjust": "{seat}: score corrected by {numbers}",
    "move.amend": "A move is corrected",
    "move.belote": "{seat} calls belote",
    "move.bella": "{seat} has the bella",
    "move.bottom": "{cards} is the bottom card",
    "move.bid": "{seat} bids {bid}",
    "move.bid-pass": "{seat} passes",
    "move.bid-no": "{seat} refuses the schmeiss",
    "move.bid-schmeiss": "{seat} says schmeiss",
    "move.bid-yes": "{seat} throws the hands in",
    "move.bid-take": "{seat} takes it",
    "move.coinche": "{seat} doubles",
    "move.concede": "{seat} concedes the bid",
    "move.count": "{seat} counts {numbers} in tricks",
    "move.crib": "{seat}’s crib: {cards}",
    "move.crib-unseated": "Dealt to the crib: {cards}",
    "move.crib-bare": "{seat}’s crib is counted",
    "move.cut": "{seat} cuts {cards}",
    "move.deal": "New deal",
    "move.dealer": "{dealer} deals",
    "move.declare": "{seat} declares {words}",
    "move.declare-bare": "Everybody declares",
    "move.discard": "{seat} discards {cards}",
    "move.discard-unseen": "{seat} discards {count} cards",
    "move.discard-unseen-one": "{seat} discards a card",
    "move.draw": "{seat} draws {cards}",
    "move.draw-unseen": "{seat} draws a card",
    "move.exchange": "{seat} exchanges the seven",
    "move.game": "New game: {game}",
    "move.go": "{seat} says go",
    "move.hand": "{seat} holds {cards}",
    "move.hand-unseen": "{seat} holds {count} cards",
    "move.hand-unseen-one": "{seat} holds a card",
    "move.hint": "{seat} gets a hint",
    "move.meld": "{seat} melds {cards}",
    "move.meld-unseen": "{seat} melds {count} cards",
    "move.meld-unseen-one": "{seat} melds a card",
    "move.misdeal": "The deal is void",
    "move.mog": "{seat} gives {cards}",
    "move.mog-unseen": "{seat} gives a card",
    "move.penalty": "Penalty for {seat}: {words} {numbers}",
    "move.muggins": "{seat} calls muggins",
    "move.no-mog": "{seat} does not swap a card",
    "move.out": "{seat} calls out",
    "move.peg": "{seat} pegs {numbers}",
    "move.peg-crib": "{seat} pegs {numbers} for the crib",
    "move.peg-hand": "{seat} pegs {numbers} for the hand",
    "move.play": "{seat} plays {cards}",
    "move.reply": "{seat} replies {words}",
    "move.resign": "{seat} gives up",
    "move.seat": "Seat {number}: {name}",
    "move.session": "A new evening",
    "move.session-end": "The evening is over",
    "move.set": "Rule “{rule}”: {words}",
    "move.seven": "{seat} shows the lowest trump",
    "move.seven-exchange": "{seat} exchanges the lowest trump",
    "move.show": "{seat} shows {cards}",
    "move.show-bare": "{seat}’s hand is counted",
    "move.start": "Scores start at {numbers}",
    "move.starter": "The starter is {cards}",
    "move.surcoinche": "{seat} doubles again",
    "move.top": "{seat} names the highest: {cards}",
    "move.trump": "Trumps are {words}",
    "move.trump-seated": "{seat} has the trump sequence",
    "move.turnup": "{cards} is turned up",
    "move.widow": "The widow is {cards}",
    "happened.corrected": "Corrected: {said}",
    "happened.corrected-earlier": "Corrected in an earlier deal: {said}",
    "happened.added": "Added: {said}",
    "happened.added-earlier": "Added in an earlier deal: {said}",
    "happened.removed": "Removed: {said}",
    "happened.removed-earlier": "Removed from an earlier deal: {said}",
    "happened.score-was": "{name} now has {points}, not {before}",
    "happened.scores-stay": "the scores are unchanged",
    "happened.correction": "{said} – {scores}",
    "happened.counted": "{seat} {points}: {reasons}",
    "happened.hand-and-crib": "{seat}’s hand {points}, crib {cards}: {reasons}",
    "happened.earned": "{said}: {reasons}",
    "happened.noted": "{said} – {added}",
    "happened.reason": "{reason} {points}",
    "happened.reason-of": "{reason} {points} for {seat}",
    "happened.reason-only-of": "{reason} for {seat}",
    "game.belote": "Belote",
    "game.bezique": "Bezique",
    "game.costly-colours": "Costly Colours",
    "game.cribbage": "Cribbage",
    "game.five-card-cribbage": "Five-card cribbage",
    "game.klaberjass": "Klaberjass",
    "game.noddy": "Noddy",
    "game.pinochle": "Pinochle",
    "game.rubicon-bezique": "Rubicon Bezique",
    "game.six-pack-bezique": "Six-pack Bezique",
}


def cards_named(error: IllegalMove) -> dict[str, tuple[Card, ...]]:
    """Return those fields of a rejection that are cards."""
    return {
        key: value
        for key, value in error.fields.items()
        if isinstance(value, tuple) and value and all(isinstance(card, Card) for card in value)
    }


def refusal(error: IllegalMove, names: Sequence[str] = (), language: str = "en") -> str:
    """Return the sentence for a rejected line, with its cards in readable form: `10♦` for `TD`."""
    shown = {key: pictured((card,)) for key, card in error.fields.items() if isinstance(card, Card)}
    for key, cards in cards_named(error).items():
        shown[key] = pictured(cards)
    if (later := text.broken(error)) is not None:
        shown["reason"] = refusal(later, names, language)
    return text.refusal(error, text.Reader(language, names), fields=shown)


def awarded(awards: Iterable[Award], names: Sequence[str], language: str = "en") -> list[str]:
    """Return the reason for each award, in words."""
    return [
        text.say(
            Message(
                "award", one.reason, {"seat": one.seat, "points": one.points, "cards": one.cards}
            ),
            text.Reader(language, names),
        )
        for one in awards
    ]


def reasons(awards: Iterable[Award], names: Sequence[str], language: str = "en") -> str:
    """Return the reasons for awards in a row, each once."""
    return text.listed(dict.fromkeys(awarded(awards, names, language)), language)


def readouts(notes: Iterable[Note], names: Sequence[str] = (), language: str = "en") -> list[str]:
    """Return the values shown with the score, each in words: "count 22", "trump ♥"."""
    return [
        text.say(Message("readout", note.code, _signed(note.fields)), text.Reader(language, names))
        for note in notes
    ]


def noted(said: str, notes: Iterable[Note], names: Sequence[str], language: str = "en") -> str:
    """Return the text of a move with the referee's note: "… – Ann is bête: 40 to 60". `worth` is
    the value of the game."""
    for note in notes:
        if note.code not in _WORTH:
            added = text.say(
                Message("note", note.code, _signed(note.fields)), text.Reader(language, names)
            )
            fields = {"said": said, "added": added}
            said = (
                text.say(Message("happened", "noted", fields), text.Reader(language, names))
                if said
                else added
            )
    return said


def worth(notes: Iterable[Note], names: Sequence[str] = (), language: str = "en") -> str:
    """Return the value of a one-deal game, for display with its score: "Ann wins 1200." Return an
    empty string if the points already show the value."""
    settled = (note for note in notes if note.code in _WORTH)
    return " ".join(
        text.say(Message("note", note.code, note.fields), text.Reader(language, names))
        for note in settled
    )


_SIGNS: Final = {suit.letter: suit.symbol for suit in Suit}


def _signed(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a note, with the suit as a card symbol."""
    suit = fields.get("suit")
    return fields if suit is None else {**fields, "suit": _SIGNS.get(suit, suit)}


_WORTH: Final = frozenset({"game-won", "game-rubicon", "game-tied"})
"""Notes on the value of a one-deal game."""


def title(game: str, language: str = "en") -> str:
    """Return a game's title, or its code as words if it has none."""
    if f"game.{game}" in text.sentences():
        return text.say(Message("game", game), text.Reader(language))
    return game.replace("-", " ").capitalize()


def _sentence(move: Move, own: int | None, fields: Fields) -> Message | None:
    """Return the sentence for a move, or None if there is none. If the reader made the move, the
    sentence says "you"."""
    known = text.sentences()
    for code in _codes(move):
        if own is not None and move.seat == own and f"you.{code}" in known:
            return Message("you", code, fields)
        if f"move.{code}" in known:
            return Message("move", code, fields)
    return None


def describe(
    move: Move,
    names: Sequence[str] = (),
    language: str = "en",
    spell: Callable[[tuple[Card, ...], str], str] = lambda cards, language: pictured(cards),
    own: int | None = None,
) -> str:
    """Return one move in words. Unseen cards are only counted.

    Args:
        move: any line of the notation.
        names: the players by seat.
        language: `en` or `ja`.
        spell: writes cards in a language.
        own: the reader's seat, which is "you".
    """
    words = [text.say(Message("word", word), text.Reader(language)) for word in move.words]
    fields: dict[str, Any] = {
        "seat": move.seat,
        "cards": spell(move.cards, language),
        "count": len(move.cards),
        "numbers": " ".join(map(str, move.numbers)),
        "words": " ".join(words),
        "bid": " ".join((*map(str, move.numbers), *words)),
        "name": move.name or "",
        "number": move.seat or "",
        "dealer": move.numbers[0] if move.verb == "dealer" else None,
        "game": title(move.name or "", language) if move.verb == "game" else "",
    }
    if move.verb == "set":
        option, value = move.words
        fields["rule"] = options.name(option, language)
        fields["words"] = options.value(option, value, language)
    if move.verb == "adjust":
        fields["numbers"] = f"{move.numbers[0]:+d}"
    message = _sentence(move, own, fields)
    if message is not None:
        return text.say(message, text.Reader(language, names))
    played = [text.say(Message("verb", move.verb), text.Reader(language)), fields["cards"]]
    who = (names[move.seat - 1],) if move.seat and move.seat <= len(names) else ()
    return " ".join(part for part in (*who, *played, fields["numbers"], fields["words"]) if part)


def claimed(answer: tuple[str, ...], language: str) -> str:
    """Return what a hand's suits (as entered in words) add to its points, or an empty string if
    they add nothing."""
    codes = [code for code in ("+".join(answer), *answer) if f"chip.{code}" in text.sentences()]
    if codes and codes[0] == "+".join(answer):
        codes = codes[:1]
    return " + ".join(text.say(Message("chip", code), text.Reader(language)) for code in codes)


def question(ask: Ask, kinds: Sequence[str], names: Sequence[str], language: str) -> str:
    """Return a question in words.

    Args:
        ask: the expected entry.
        kinds: of sentence (`question`, `do`, `ask`); the first one that exists for the code is
            used.
        names: the players by seat, seat 1 first.
        language: one of `text.LANGUAGES`.
    """
    numbers = " ".join(map(str, ask.move.numbers))
    fields: Mapping[str, Any] = {"seat": ask.move.seat, "numbers": numbers, **ask.fields}
    known = text.sentences()
    one = [f"{ask.code}-one"] if ask.kind == "cards" and ask.most == 1 else []
    for kind in kinds:
        for code in (*one, f"{ask.code}-{ask.kind}", ask.code):
            if f"{kind}.{code}" in known:
                return text.say(Message(kind, code, fields), text.Reader(language, names))
    return text.say(Message(kinds[-1], ask.code, fields), text.Reader(language, names))


_COUNTED: Final = frozenset({"show", "crib"})
"""The lines that count only by their suit words if their cards are known."""


def _codes(move: Move) -> tuple[str, ...]:
    """Return the possible codes for a move's sentence, most specific first."""
    codes = [f"{move.verb}-{word}" for word in move.words]
    if move.cards and all(card.rank is None for card in move.cards):
        codes += [f"{move.verb}-unseen-one"] * (len(move.cards) == 1) + [f"{move.verb}-unseen"]
    elif not (move.cards or move.numbers or (move.words and move.verb not in _COUNTED)):
        codes.append(f"{move.verb}-bare")
    codes.append(f"{move.verb}-{'unseated' if move.seat is None else 'seated'}")
    return (*codes, move.verb)
