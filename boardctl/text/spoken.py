"""The board's spoken texts: the same content as on the display, in whole sentences and without
symbols."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from boardctl import text
from boardctl.games import IllegalMove, Move, Note
from boardctl.games.cards import Card, Rank, Suit
from boardctl.message import Message
from boardctl.text import moves as words
from boardctl.text.counting import PHRASES

SENTENCES: Final = {
    "spoken.key-#": "hash",
    "spoken.key-*": "star",
    "spoken.unseen": "a card",
    "spoken.press": "{what}: press hash",
    "spoken.open": "{what} Press hash",
    "spoken.points": "Whose points? Press a player’s key, the points, hash",
    "spoken.points-or": "Or hash alone: {what}",
    "spoken.unseated": "Who plays? Hold hash, then press three; or hold star for the last players",
    "spoken.offer": "On a page, {seat} shows a hand worth {points}. To take it, open the menu and "
    "press D",
    "spoken.seat": "{seat}: points and hash",
    "spoken.seat-hand": "{seat}: points and hash, or a hand",
    "spoken.typed": "{seat}: {keys}",
    "spoken.entered": "{cards} typed",
    "spoken.more": "{count} more",
    "spoken.enough": "press hash to finish the cards",
    "spoken.suit": "{card}: which suit?",
    "spoken.not-taken": "hash will not be accepted: {reason}",
    "spoken.number": "{number}, press hash",
    "spoken.scale": "Typed in units of {scale}",
    "spoken.bid-scale": "a bid in units of {scale}",
    "spoken.range": "{least} to {most}",
    "spoken.only": "only {numbers} possible",
    "spoken.which": "Which?",
    "spoken.preview": "{cards}: {seat} {points}, press hash",
    "spoken.preview-bare": "{seat} {points}, press hash",
    "spoken.back": "Take back? {line}",
    "spoken.back-correction": "Undo the change?",
    "spoken.amend": "Correct: {line}",
    "spoken.retype": "{line}: type it again",
    "spoken.retyped": "Now: {line}",
    "spoken.player": "Who has key {key}?",
    "spoken.chosen": "Chosen: {names}",
    "spoken.menu": "Menu",
    "spoken.telling": "What do you enter?",
    "spoken.game": "Which game?",
    "spoken.light": "Light?",
    "spoken.voice": "Voice and language?",
    "spoken.pair": "Pair a phone?",
    "spoken.whose-score": "Whose score?",
    "spoken.set-score": "How many points does {seat} have?",
    "spoken.page-number": "Which number does the page show?",
    "spoken.goodnight": "Goodnight?",
    "spoken.end-game": "End this game and begin {game}?",
    "spoken.does": "{key}: {what}",
    "spoken.digits": "digits: the number",
    "spoken.ranks": "one: ace, two to nine, zero: ten, A: jack, B: queen, C: king",
    "spoken.ranks-d": "one: ace, two to nine, zero: ten, A: jack, B: queen, C: king, D: minus",
    "spoken.possible": "possible: {cards}",
    "spoken.of-suits": "{rank} of {suits}",
    "spoken.nothing": "{key} does nothing here",
    "spoken.to-rest": "clear",
    "spoken.to-no": "no",
    "spoken.to-cards": "type cards",
    "spoken.to-more": "more choices",
    "spoken.to-back": "take back",
    "spoken.to-minus": "minus",
    "spoken.to-preview": "look at the hand",
    "spoken.to-amend": "correct a move",
    "spoken.to-retype": "type it again",
    "spoken.to-older": "another move",
    "spoken.to-out": "remove it",
    "spoken.to-players": "players",
    "spoken.to-game": "game",
    "spoken.to-end-game": "end it",
    "spoken.to-telling": "what to enter",
    "spoken.to-light": "light",
    "spoken.to-voice": "voice and language",
    "spoken.to-pair": "phones and keys",
    "spoken.timing": "How do the keys act?",
    "spoken.to-lesson": "a first lesson",
    "spoken.welcome": "Welcome. Hold three for a second to hear what each key does. For a first "
    "lesson, hold hash for a second, then press six and zero",
    "spoken.to-next-step": "the next step",
    "spoken.to-end-lesson": "end the lesson",
    "spoken.lesson-1": "This lesson has six steps. Nothing is pegged, and star ends the lesson. "
    "Step one. Hash means yes. Press hash",
    "spoken.lesson-2": "Step two. A to D are the players’ keys. Press A",
    "spoken.lesson-3": "Step three. After a player’s key, digits are points. Press eight",
    "spoken.lesson-4": "Step four. Hash pegs the points. Press hash",
    "spoken.lesson-5": "Step five. Star means no: it clears an entry, and takes back a move. Press "
    "star",
    "spoken.lesson-6": "Last step. Hold one for a second to hear me again, two for the score, "
    "three for what each key does, and hash for the menu. Press hash to end the lesson",
    "spoken.to-timing": "how the keys act",
    "spoken.do-timing-hold-short": "a hold takes half a second",
    "spoken.do-timing-hold-usual": "a hold takes one second",
    "spoken.do-timing-hold-long": "a hold takes two seconds",
    "spoken.do-timing-slow-off": "a key acts at once",
    "spoken.do-timing-slow-short": "a key acts after 0.3 seconds",
    "spoken.do-timing-slow-long": "a key acts after 0.8 seconds",
    "spoken.do-timing-bounce-off": "the same key can be pressed again at once",
    "spoken.do-timing-bounce-short": "the same key can be pressed again after 0.3 seconds",
    "spoken.do-timing-bounce-long": "the same key can be pressed again after 0.8 seconds",
    "spoken.do-timing-pace-usual": "with a single switch, each choice is offered for 1.5 seconds",
    "spoken.do-timing-pace-long": "with a single switch, each choice is offered for three seconds",
    "spoken.to-far": "another house",
    "spoken.word": "word {number} of six",
    "spoken.to-seated": "begin with these players",
    "spoken.far": "Another house. Enter the numbers of the six words, or an answer",
    "spoken.do-far": "accept the invitation",
    "spoken.do-far-play": "play with the other house",
    "spoken.do-far-yes": "agree to what the other house asks",
    "spoken.do-far-no": "refuse what the other house asks",
    "spoken.do-far-stand": "let it stand",
    "spoken.to-scores": "correct a score",
    "spoken.to-goodnight": "goodnight",
    "spoken.to-let-in": "let a phone in",
    "spoken.to-allow": "allow a change",
    "spoken.to-question": "look at the hand",
    "spoken.do-evening": "this evening’s games",
    "spoken.do-photo": "photograph the hand",
    "spoken.do-hint": "a hint",
    "spoken.do-go-on": "The game continues",
    "spoken.left": "Hold star to continue the unfinished game",
    "spoken.do-goodnight": "end the evening",
    "spoken.do-allow": "allow it",
    "spoken.do-pair-pin": "a PIN for a phone",
    "spoken.do-pair-forget": "forget all phones",
    "spoken.do-pair-pads": "give each player a pad",
    "spoken.do-telling-points": "only points",
    "spoken.do-telling-hands": "hands",
    "spoken.do-telling-cards": "every card",
    "spoken.do-light-night": "night light",
    "spoken.do-light-dim": "dim light",
    "spoken.do-light-bright": "bright light",
    "spoken.do-voice-on": "voice on",
    "spoken.do-voice-off": "voice off",
    "spoken.do-voice-counts": "counts only",
    "spoken.do-voice-questions": "questions too",
    "spoken.do-voice-everything": "everything, with the keys",
    "spoken.do-voice-slower": "slower",
    "spoken.do-voice-faster": "faster",
    "spoken.do-language-en": "English",
    "spoken.do-language-ja": "Japanese",
    "spoken.do-sounds-on": "sounds on",
    "spoken.do-sounds-off": "sounds off",
    "spoken.do-sounds-meaning": "what the sounds mean",
    "spoken.sound-accepted": "accepted",
    "spoken.sound-rejected": "not accepted",
    "spoken.sound-turn": "another player’s turn",
    "spoken.sound-game": "the game is over",
    "spoken.taken-back": "Taken back: {line}",
    "spoken.brought-back": "Brought back: {line}",
    "spoken.added": "Added: {line}",
    "spoken.changed": "Changed: {line}",
    "spoken.changed-earlier": "Changed in an earlier deal: {line}",
    "spoken.removed-earlier": "Removed from an earlier deal: {line}",
    "spoken.score": "{name} {score}",
    "spoken.leads": "{name} leads by {points}",
    "spoken.lead": "{name} lead by {points}",
    "spoken.evening-counted": "Games: {games}, counted as {counted}, because a big win counts more",
    "spoken.won": "Games won by {name}: {games}",
    "spoken.minus": "minus {number}",
    "spoken.plus": "plus {number}",
    "spoken.level": "level",
    "spoken.count": "The count is {count}",
    "spoken.no-score": "No score yet",
    "spoken.no-move": "No move in this deal yet",
    "spoken.no-cards": "No card played in this deal yet",
    "spoken.played": "{name} played {cards}",
    "spoken.earned": "{name} {points}: {reasons}",
    "spoken.or": "{first} or {last}?",
    "spoken.sure": "{line}? Yes or neither",
    "spoken.neither": "Neither",
    "spoken.nothing-more": "nothing more",
    "spoken.claim": "{what}, {points}",
    "spoken.claims": "{line}: {claims}",
    "spoken.not-understood": "That was not understood",
    "spoken.for-example": "That was not understood. Say for example: {phrases}",
    "spoken.can-say": "You can say: {phrases}",
    "spoken.overtaken": "The table has changed in the meantime. Please say it again",
    "spoken.trouble": "Trouble with {parts}",
    "spoken.well": "Working again: {parts}",
    "spoken.asleep": "The evening is saved and the lights are off. Press any key to begin a new "
    "evening",
}
_DIGITS: Final = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_PIN: Final = re.compile(r"\b\d{6}\b")
_SIGNED: Final = re.compile(r"(?<!\w)([-+−])(\d+)", re.ASCII)
"""A pattern that also matches after kana, which are not ASCII letters."""
_SPAN: Final = re.compile(r"(\d+) ?[–…] ?(\d+)")
_MOST: Final = 24
"""The maximum number of possible cards that the voice lists; nobody listens to more."""


def say(code: str, language: str, names: Sequence[str] = (), /, **fields: Any) -> str:
    """Return one phrase from this file."""
    return text.say(Message("spoken", code, fields), text.Reader(language, names))


def sentence(phrases: Iterable[str], language: str) -> str:
    """Join phrases to form one text to speak, without symbols that a voice would spell out."""
    spoken = PHRASES[language]["full-stop"].join(plain(one, language) for one in phrases if one)
    return re.sub(r"([?!？！。:])(?:\. |。)", r"\1 ", spoken).strip()


def plain(written: str, language: str) -> str:
    """Return a text without card symbols, quotation marks, brackets and gaps. The keys `#` and `*`
    are replaced by their names, signs and number ranges by words, and the digits of a PIN are
    separated. This also helps Japanese voices, which spell out every letter of a word that contains
    a middle dot, and omit minus signs."""

    def signed(found: re.Match[str]) -> str:
        return say("plus" if found[1] == "+" else "minus", language, number=found[2])

    def span(found: re.Match[str]) -> str:
        return say("range", language, least=found[1], most=found[2])

    written = _SPAN.sub(span, _SIGNED.sub(signed, written))
    written = re.sub(r" ?[(（]([^()（）]*)[)）]", rf"{PHRASES[language]['between']}\1", written)
    written = re.sub("[♠♥♦♣“”「」_…・]", " ", written)
    for key in "#*":
        written = written.replace(key, f" {name_of(key, language)} ")
    written = _PIN.sub(lambda found: " ".join(found[0]), written)
    written = re.sub(r"\s+(?=[,.?!:])", "", written)
    return re.sub(r"\s+", " ", written).strip(" .。")


def name_of(key: str, language: str) -> str:
    """Return a key's name."""
    if key in "#*":
        return say(f"key-{key}", language)
    return _DIGITS[int(key)] if language == "en" and key.isdigit() else key


def key_names(typed: str, language: str) -> str:
    """Return typed keys, one by one."""
    known = (name_of(key, language) if key != "-" else say("to-minus", language) for key in typed)
    return text.listed(known, language)


def card(one: Card, language: str) -> str:
    """Return a card in spoken form, as far as it is known: "five of hearts", "five", "a card"."""
    if one.rank is None:
        return say("unseen", language)
    if one.suit is None:
        return text.say(Message("page", f"rank-{one.rank.letter}"), text.Reader(language))
    return text.card_name(one, language)


def cards(some: Iterable[Card], language: str) -> str:
    """Return several cards in spoken form."""
    return text.listed((card(one, language) for one in some), language)


def possible(some: Sequence[Card], language: str) -> str:
    """Return the cards that may be entered: ranks, each with its suits unless all four are
    possible. If the list is too long to listen to, return only the ranks, or an empty string."""
    suits: dict[str, list[str]] = {}
    for one in sorted(some, key=lambda c: (c.rank is None, c.rank or 0)):
        if one.rank is None:
            continue
        found = suits.setdefault(
            text.say(Message("page", f"rank-{one.rank.letter}"), text.Reader(language)), []
        )
        if one.suit is not None:
            suit = text.say(Message("page", f"suit-{one.suit.letter}"), text.Reader(language))
            found += [] if suit in found else [suit]
    if sum(map(len, suits.values())) > _MOST:
        return text.listed(suits, language) if len(suits) < len(Rank) else ""
    named = [
        say("of-suits", language, rank=rank, suits=_together(found, language))
        if 0 < len(found) < len(Suit)
        else rank
        for rank, found in suits.items()
    ]
    return text.listed(named, language)


def _together(suits: Sequence[str], language: str) -> str:
    """Return the suits of one rank, separated in such a way that the next rank does not sound like
    one of them."""
    *some, last = suits
    if not some:
        return last
    others = "と".join(some) if language == "ja" else text.listed(some, language)
    return PHRASES[language]["and"].format(one=others, other=last)


def move(one: Move, names: Sequence[str], language: str) -> str:
    """Return a move in spoken form."""
    played = words.describe(one, names, language, cards)
    more = [str(len(one.cards))] if one.cards and one.verb in ("declare", "belote") else []
    extra = [
        text.say(Message("choice", code), text.Reader(language)) for code in more if code in "345"
    ]
    if one.claim is not None:
        extra.append(
            text.say(Message("choice", "worth", {"points": one.claim}), text.Reader(language))
        )
    return text.listed((played, *extra), language)


def note(one: Note, names: Sequence[str], language: str) -> str:
    """Return the referee's note on a move, with its cards in spoken form."""
    fields = {
        key: card(value, language) if isinstance(value, Card) else value
        for key, value in one.fields.items()
    }
    return text.say(Message("note", one.code, fields), text.Reader(language, names))


def claim(answer: tuple[str, ...], language: str) -> str:
    """Return the spoken words for what a hand's suits contribute: `his nobs`, `nothing more`."""
    found = words.claimed(answer, language)
    return found.replace(" + ", PHRASES[language]["between"]) or say("nothing-more", language)


def refusal(error: IllegalMove, names: Sequence[str], language: str) -> str:
    """Return the reason for a rejected move, with its cards in spoken form."""
    aloud: dict[str, Any] = {}
    for key, value in error.fields.items():
        if isinstance(value, Card):
            aloud[key] = card(value, language)
    for key, some in words.cards_named(error).items():
        aloud[key] = cards(some, language)
    if (later := text.broken(error)) is not None:
        aloud["reason"] = refusal(later, names, language)
    return text.refusal(error, text.Reader(language, names), fields=aloud)


def head(code: str, language: str, **fields: object) -> str:
    """Return the heading above the games won, as a phrase: the display's line, or a longer
    version."""
    kind = "spoken" if f"spoken.{code}" in SENTENCES else "keypad"
    return text.say(Message(kind, code, fields), text.Reader(language))


def won(names: Mapping[str, int], language: str) -> tuple[str, ...]:
    """Return the number of games that each player has won."""
    return tuple(say("won", language, name=name, games=games) for name, games in names.items())


def score(names: Mapping[str, int], language: str, *, partners: bool = False) -> list[str]:
    """Return every side's score, and the margin of the leading side. A side is one player, or two
    `partners`."""
    if not names:
        return [say("no-score", language)]
    phrases = [say("score", language, name=name, score=points) for name, points in names.items()]
    first, *others = sorted(names.items(), key=lambda one: -one[1])
    if others and first[1] == others[0][1]:
        return [*phrases, say("level", language)]
    if others:
        ahead = first[1] - others[0][1]
        phrases.append(say("lead" if partners else "leads", language, name=first[0], points=ahead))
    return phrases
