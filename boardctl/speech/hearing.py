"""Spoken moves: the grammar of the possible phrases, and the meaning of a phrase. Pure.

For each phrase, a new grammar is created from the legal moves and the players' names. The
recogniser returns its best guesses, and the referee rules out the impossible ones. If two different
guesses have similar scores, the board asks which one was meant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from boardctl.console.keypad import TableView
from boardctl.games import Ask, IllegalMove, Move
from boardctl.games.cards import Card, Rank, Suit
from boardctl.speech import everyday, freely
from boardctl.speech.everyday import Frame
from boardctl.speech.phrases import (
    RANKS,
    SUITS,
    card_phrases,
    in_short,
    label,
    name_of,
    plain,
    some_cards,
    spell,
)
from boardctl.text import moves as words
from boardctl.text import spoken
from boardctl.text.counting import number

MARGIN: Final = 0.1
"""The margin by which the best guess must beat the next guess with another meaning, as a fraction
of the best score (a logarithm, below zero). If the margin is smaller, the board asks which one was
meant. The less likely the best guess is, the larger the margin must be. docs/notes/voice.md
compares several values."""
JUDGED_MARGIN: Final = 5.0
"""The margin by which the best guess must beat the next one after a second recogniser has judged
both. It is a difference of log-likelihoods and independent of the scores."""
DOUBT: Final = 9.0
"""The maximum advantage of a second recogniser's unconstrained transcript over the best guess, as a
difference of log-likelihoods. Above it, the board asks whether the guess is right."""
VETO: Final = 14.0
"""The advantage from which the phrase counts as not understood."""
EACH_WORD: Final = 1.0
"""The amount added to both limits for each word of a guess."""
FLOOR: Final = -30.0
"""A judged guess below this score was not meant for the board."""
LOWER: Final = 4.0
"""The reduction of that score for each word of a guess."""
NEARLY: Final = -999.0
"""A guess up to this score is only a transcript in the game's words (`recogniser.NEARLY`)."""
MOST_POINTS: Final = 30
MOST_EXAMPLES: Final = 6
USUAL: Final = frozenset({"score", "again", "choices", "slower", "faster", "undo"})
"""The phrases that are always possible. They come last among the examples."""
EXAMPLE_HAND: Final = "four five five six"
ASKING: Final = {
    "what is the score": "score",
    "say that again": "again",
    "what can i do": "choices",
    "speak slower": "slower",
    "speak faster": "faster",
}
"""The board's own phrases that only ask a question, by question (`Voice.answer`)."""
BACK: Final = ("take that back", "wrong")
"""Phrases that undo."""
_INSTEAD: Final = "no|not|wrong|sorry|i said|i meant|it's|neither"
"""The words that begin an answer other than the offered ones."""


class Meaning(NamedTuple):
    """The meaning of a phrase: a move, or a question to the board."""

    move: Move | None = None
    answer: str = ""
    """The question to the board (`Voice.answer`)."""


class Guess(NamedTuple):
    """A guess by the recogniser. A larger score is better."""

    text: str
    score: float
    gap: float = 0.0
    """The advantage of a second recogniser's unconstrained transcript over this guess, as a
    difference of log-likelihoods. It is 0 without a second recogniser."""


class Understood(NamedTuple):
    """The result of a phrase: one meaning, or several between which the board asks the player to
    choose. If no guess is possible, `refused` is the reason why the best guess was rejected."""

    meanings: tuple[Meaning, ...] = ()
    refused: IllegalMove | None = None
    doubtful: bool = False
    """Whether the board asks about the meaning even if there is only one."""


SPELLED: Final = {n: spell(n) for n in range(1, MOST_POINTS)}
"""The points of a hand in words, by number."""
_BETWEEN: Final = "[ a | an | and | and a | and an ]"
_FILLERS: Final = frozenset({"a", "an", "and"})


def _hand_words(word: str) -> str:
    """Return the words between a player and the cards of a hand."""
    return f"( {word} [ is ] | shows | has )" if word == "hand" else f"{word} [ is ]"


class Grammar:
    """The phrases that are currently possible at a table.

    Args:
        view: the table as everybody knows it.
        knows: whether only legal moves are possible. If not, every known phrase is, which serves to
            measure what the legal moves contribute.
        only: the meanings that the board's question offers. No other phrase is then possible.
    """

    def __init__(
        self, view: TableView, *, knows: bool = True, only: Sequence[Meaning] = ()
    ) -> None:
        self._view = view
        self._knows = knows
        self._choices = tuple(only)
        self._only_these = bool(only)
        self.phrases: dict[str, list[Meaning]] = {}
        for phrase, meaning in self._only(only) if only else self._all():
            known = self.phrases.setdefault(phrase, [])
            if meaning not in known:
                known.append(meaning)
        if len(only) > 1:  # an answer that fits two of them decides nothing
            self.phrases = {
                one: choices for one, choices in self.phrases.items() if len(choices) == 1
            }
        self._hands = () if only else tuple(self._hand_rules())
        self.frames: dict[Frame, dict[str, list[Meaning]]] = {}
        for frame, meanings in self._frames():
            kept = _among(meanings, only) if only else meanings
            if kept:
                self.frames[frame._replace(slot=tuple(kept))] = kept
        self._counts = {} if only else self._counting()

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The possible names for each seat."""
        return tuple(name_of(seat + 1, self._view) for seat in range(len(self._view.seats)))

    def task(self) -> dict[str, Any]:
        """Return the recogniser's task: phrases, frames, and rules for hands with the sets that
        they use (JSpeech Grammar Format). The task also contains each word for a rank, with its
        synonyms."""
        hands = []
        for names, word, least, most, ranks, _ in self._hands:
            one = f"{_BETWEEN} <{ranks}>"
            cards = " ".join([one] * least + [f"[ {one} ]"] * (most - least))
            hands.append(f"( {' | '.join(names)} ) {_hand_words(word)} {cards}")
        named = sorted({ranks for *_, ranks, _ in self._hands})
        sets = "".join(f"<{one}> = {one.replace('_', ' | ')};\n" for one in named)
        counts: list[str] = []
        if self._counts:
            totals = {total for known in self._counts.values() for total in known}
            sets += everyday.counting_rules(SPELLED, totals)
            counts = [f"{lead} <{everyday.COUNT}>".strip() for lead in self._counts]
        may = {one for ranks in named for one in ranks.split("_")}
        others = {
            word: [one for one in RANKS if one in may and RANKS[one] != RANKS[word]]
            for word in RANKS
            if word in may
        }
        frames = [[one.before, list(one.slot), one.after] for one in self.frames]
        vocabulary = [] if self._only_these else sorted(freely.vocabulary(self._read_by))
        called = sorted({word for seat in self.names for name in seat for word in name.split()})
        return {
            "phrases": [*self.phrases], "frames": frames, "hands": hands, "sets": sets,
            "counts": counts, "ranks": others, "names": [one for one in called if one != "player"],
            "words": vocabulary,
        }  # fmt: skip

    def meanings(self, text: str) -> Iterator[Meaning]:
        """Return the possible meanings of a phrase, whether legal or not."""
        yield from self.phrases.get(text, ())
        for frame, meanings in self.frames.items():
            found = frame.find(text)
            if found is not None:
                yield from meanings[found]
        for names, word, least, most, ranks, move in self._hands:
            start = everyday.expression(f"( {' | '.join(names)} ) {_hand_words(word)}")
            fits = re.match(start, f"{text} ")
            if fits is None:
                continue
            spoken_ranks = [one for one in text[fits.end() :].split() if one not in _FILLERS]
            known = set(ranks.split("_"))
            long_enough = least <= len(spoken_ranks) <= most
            if long_enough and all(one in known for one in spoken_ranks):
                yield Meaning(move._replace(cards=tuple(Card(RANKS[one]) for one in spoken_ranks)))
        for lead, totals in self._counts.items():
            fits = re.match(everyday.expression(lead), f"{text} ")
            if fits is not None:
                total = everyday.counted(text[fits.end() :], SPELLED)
                if total in totals:
                    yield totals[total]

    def understand(
        self,
        guesses: Iterable[Guess],
        clear: bool = True,
        margin: float | None = None,
        *,
        judged: bool = False,
    ) -> Understood:
        """Return the meaning of a phrase. Guesses that the referee rejects are dropped. If several
        remaining guesses are close to the best, the board asks which was meant. If the phrase was
        not clearly louder than the noise, it asks about all of them.

        Args:
            guesses: best first if they were judged, otherwise from the widest search to the
                narrowest. A later guess was also possible in the earlier search, which scored it
                lower, so its score is capped.
            clear: whether the phrase was clearly louder than the noise.
            margin: by default `MARGIN`, or `JUDGED_MARGIN` if the guesses were judged.
            judged: whether a second recogniser has judged the guesses.
        """
        found: dict[Meaning, float] = {}
        unfit: dict[Meaning, float] = {}
        free: list[Meaning] = []
        refused: IllegalMove | None = None
        ceiling = math.inf
        text = ""
        guesses = tuple(guesses)
        near = [guess.text for guess in guesses if guess.score <= NEARLY]
        guesses = tuple(guess for guess in guesses if guess.score > NEARLY)
        written = min(guesses, key=lambda guess: guess.gap, default=None) if judged else None
        for guess in guesses:
            ceiling = min(ceiling, guess.score)
            gap = guess.gap - EACH_WORD * len(guess.text.split())
            meanings = list(self.meanings(guess.text))
            if guess is written and not meanings:
                free += self.read_freely(guess.text)
            for meaning in meanings:
                if meaning in found:
                    unfit[meaning] = min(unfit[meaning], gap)
                    continue
                try:
                    self._try(meaning)
                except IllegalMove as error:
                    refused = refused or error
                else:
                    text = text or guess.text
                    found[meaning], unfit[meaning] = ceiling, gap
        if not found:
            free = free or self._nearly(near)
            return self._offered(free) if free else Understood(refused=refused)
        first, best = next(iter(found.items()))
        # whether the free transcript scores better with both recognisers but is not a phrase
        elsewhere = judged and not any(self.meanings(guesses[0].text))
        veto = DOUBT if elsewhere else VETO
        if judged and (unfit[first] > veto or best < FLOOR - LOWER * len(text.split())):
            return self._offered(free or self._nearly(near))
        if free and first not in free:
            return Understood((first, *free)[:3], doubtful=True)
        if judged:
            least = best - (JUDGED_MARGIN if margin is None else margin)
        else:
            least = best - (MARGIN if margin is None else margin) * abs(best)
        close = tuple(meaning for meaning, score in found.items() if not clear or score >= least)
        framed = not self._only_these and self._in_frame(text)
        doubtful = unfit[first] > DOUBT if judged else framed
        doubtful |= elsewhere and not self._only_these
        return Understood(close[:3], doubtful=doubtful)

    @staticmethod
    def _offered(free: Sequence[Meaning]) -> Understood:
        """Return the possible meanings of an unconstrained transcript. The board never enters a
        move from it without asking, but answers a question, because that changes nothing."""
        moves = tuple(meaning for meaning in free if meaning.move is not None)
        return Understood(moves[:3] or tuple(free[:1]), doubtful=bool(moves))

    def _nearly(self, texts: Sequence[str]) -> list[Meaning]:
        """Return the legal meanings of transcripts in the game's words."""
        found: list[Meaning] = []
        for text in texts:
            found += [meaning for meaning in self.meanings(text) if self._allowed(meaning)]
            found += self.read_freely(text)
        return list(dict.fromkeys(found))

    def read_freely(self, text: str) -> list[Meaning]:
        """Return the legal meanings of an unconstrained transcript that contains only words of the
        game (`speech.freely`)."""
        found: list[Meaning] = []
        if self._only_these:
            if not re.match(rf"({_INSTEAD})\b", text):
                return []
            text = re.sub(rf"^({_INSTEAD}| )+ ", "", text)
            number = self._read_by.numbers.get(text)
            found += self._with_number(number) if number else ()
        for reading in freely.read(text, self._read_by):
            found += [meaning for meaning in self._read(reading) if self._allowed(meaning)]
        return list(dict.fromkeys(found))

    def _with_number(self, number: int) -> list[Meaning]:
        """Return the moves about which the board asked, with another number: "no, nine"."""
        moves = [meaning.move for meaning in self._choices if meaning.move is not None]
        some = [
            Meaning(move._replace(numbers=(number,))) for move in moves if len(move.numbers) == 1
        ]
        return [
            meaning
            for meaning in dict.fromkeys(some)
            if meaning not in self._choices and self._allowed(meaning)
        ]

    @cached_property
    def _read_by(self) -> freely.Table:
        scale = self._view.prompt.scale
        counts = (*range(1, 32), *(scale * n for n in range(1, MOST_POINTS + 1)))
        names = {name: seat for seat, known in enumerate(self.names, 1) for name in known}
        numbers = {spell(n): n for n in counts}
        return freely.Table(names, numbers, frozenset(RANKS), frozenset(SUITS))

    def _read(self, reading: freely.Reading) -> Iterator[Meaning]:
        seat, number = reading.seat, reading.number
        if reading.kind == "answer":
            yield Meaning(answer=reading.answer)
        elif reading.kind == "undo":
            yield Meaning(self._view.undoing or Move("undo"))
        elif reading.kind == "card":
            for ask in self._view.asks:
                yield from self._known_cards(ask).get(reading.card, ())
        elif reading.kind == "shown":
            yield from self._hands_of_ranks(seat, reading.cards)
        elif reading.kind == "heels":
            yield from self._jack_turned()
            yield from self._anybody(number)
        elif reading.kind == "hand" and (
            not seat or (self._next_count and self._next_count[0].seat == seat)
        ):
            yield from self._mine(number)
        elif reading.kind == "counted" and not seat:
            yield from self._mine(number)
            yield from self._anybody(number)
        elif seat:
            yield from self._pegged(seat, number)
        else:
            yield from self._anybody(number)

    def _jack_turned(self) -> Iterator[Meaning]:
        """Return the jacks that may be turned up as the starter."""
        for ask in self._view.asks:
            if ask.code == "starter":
                yield from self._known_cards(ask).get("jack", ())

    def _hands_of_ranks(self, seat: int, ranks: Sequence[str]) -> Iterator[Meaning]:
        """Return a hand of these ranks, if a hand of this seat may be shown. Seat 0 stands for the
        next seat."""
        for _, _, least, most, known, move in self._hands:
            if seat in (0, move.seat):
                may = set(known.split("_"))
                if least <= len(ranks) <= most and may.issuperset(ranks):
                    yield Meaning(move._replace(cards=tuple(Card(RANKS[one]) for one in ranks)))
                return

    def _in_frame(self, text: str) -> bool:
        """Return whether a phrase is an everyday phrase with a gap. Many of these phrases sound
        alike, so without a second recogniser the board always asks about them."""
        if text in self.phrases:
            return False
        fits = (re.match(everyday.expression(lead), f"{text} ") for lead in self._counts)
        counts = (everyday.counted(text[one.end() :], SPELLED) for one in fits if one is not None)
        return any(frame.find(text) is not None for frame in self.frames) or any(counts)

    def examples(self) -> list[str]:
        """Return examples of the phrases that are currently possible: one of each kind, most usual
        first."""
        if self._only_these:
            return [phrase for phrase in self.phrases if phrase != "neither"][:MOST_EXAMPLES]
        found: dict[str, str] = {}
        for phrase, meaning in self.own():
            kind = meaning.move.verb if meaning.move else meaning.answer
            if kind not in found and self._allowed(meaning):
                found[kind] = phrase
        order = sorted(found, key=lambda kind: (kind in USUAL, kind == "undo"))
        for who, word, *_, move in self._hands[:1]:
            if move.verb in ("show", "crib"):  # no cards that are still secret
                found["hand"] = f"{who[0]} {word} {EXAMPLE_HAND}"
                order.insert(0, "hand")
        return list(dict.fromkeys(found[kind] for kind in order))[:MOST_EXAMPLES]

    def _allowed(self, meaning: Meaning) -> bool:
        try:
            self._try(meaning)
        except IllegalMove:
            return False
        return True

    def _try(self, meaning: Meaning) -> None:
        """Raise IllegalMove if the referee rejects a move for any reason other than missing
        details."""
        if meaning.move is None or meaning.move.verb == "undo" or not self._knows:
            return
        try:
            self._view.attempt(meaning.move)
        except IllegalMove as error:
            if "choices" not in error.fields:
                raise

    def _only(self, only: Sequence[Meaning]) -> Iterator[tuple[str, Meaning]]:
        """Return the possible answers to the board's question. Every phrase for a meaning selects
        that meaning, and so does its player's name or its suits, if they distinguish it from the
        others."""
        everything = Grammar(self._view, knows=self._knows)
        seats = {meaning.move.seat for meaning in only if meaning.move is not None}
        bare = {meaning.move._replace(words=()) for meaning in only if meaning.move is not None}
        shorts = {short for meaning in only for short in _short(meaning)}
        for meaning in only:
            for phrase, known in everything.phrases.items():
                if meaning in known:
                    yield phrase, meaning
            for one in _short(meaning):
                for phrase in (one, *(f"{before} {one}" for before in everyday.IT_IS)):
                    yield phrase, meaning
                yield f"{one} please", meaning
                yield f"the {one} please", meaning
                yield f"{one} that is", meaning
                for other in shorts - {one}:
                    yield f"{one} not {other}", meaning
                if meaning.move is not None and meaning.move.verb == "peg":
                    yield f"{one} points", meaning
            if meaning.move is not None and len(only) > 1 and len(bare) == 1:
                yield plain(spoken.claim(meaning.move.words, "en")), meaning
            if (
                len(seats) == len(only) > 1
                and meaning.move is not None
                and meaning.move.seat is not None
            ):
                for name in name_of(meaning.move.seat, self._view):
                    yield name, meaning
        if len(only) == 1:
            for phrase in (*everyday.YES, *(f"yes {one}" for one in _short(only[0]))):
                yield phrase, only[0]
        else:
            for meaning, nth in zip(only, everyday.ORDINALS, strict=False):
                for phrase in (nth, f"{nth} one"):
                    for before, after in (
                        ("", ""),
                        ("the ", ""),
                        ("", " please"),
                        ("the ", " please"),
                    ):
                        yield f"{before}{phrase}{after}", meaning
                yield f"{nth} option", meaning
                for word in ("number", "option"):
                    yield f"{word} {everyday.NUMBERED[nth]}", meaning
                    yield f"{word} {everyday.NUMBERED[nth]} please", meaning
            for meaning, phrases in (
                zip(only, everyday.OF_TWO, strict=False) if len(only) == 2 else ()
            ):
                for phrase in phrases:
                    yield phrase, meaning
            for phrase in ("last", "the last", "the last one", "last one"):
                yield phrase, only[-1]
        for phrase in everyday.NO:
            yield phrase, Meaning()

    def _all(self) -> Iterator[tuple[str, Meaning]]:
        yield from self.own()
        for answer, phrases in everyday.ASKING.items():
            for phrase in phrases:
                yield phrase, Meaning(answer=answer)
        for phrase in everyday.BACK:
            yield phrase, Meaning(self._view.undoing or Move("undo"))
        yield from self._in_other_words()

    def own(self) -> Iterator[tuple[str, Meaning]]:
        """Return the board's own phrases, without the everyday phrases."""
        for phrase, answer in ASKING.items():
            yield phrase, Meaning(answer=answer)
        for phrase in BACK:
            yield phrase, Meaning(self._view.undoing or Move("undo"))
        yield from self._pegs()
        yield from self._counted()
        yield from self._cards()
        yield from self._offers()

    def _in_other_words(self) -> Iterator[tuple[str, Meaning]]:
        """Return everyday phrases without gaps."""
        for ask in self._view.asks:
            for code, phrases in (("go", everyday.GO), ("deal", everyday.DEAL)):
                if ask.kind == "confirm" and ask.move.verb == code:
                    for phrase in phrases:
                        yield phrase, Meaning(ask.move)
        for meaning in self._mine(0):
            for phrase in everyday.NO_POINTS:
                yield phrase, meaning
        for meaning in self._anybody(1):
            for phrase in everyday.LAST:
                yield phrase, meaning

    @cached_property
    def _next_count(self) -> tuple[Ask, str] | None:
        """Return the hand or crib to be counted next, and the spoken word for it."""
        for ask in self._view.prompt.asks:
            if ask.code in ("show", "crib") and ask.seat is not None:
                return ask, "crib" if ask.code == "crib" else "hand"
        return None

    def _mine(self, points: int) -> list[Meaning]:
        """Return the phrases for the points of the hand to be counted."""
        if self._next_count is None:
            return []
        ask, word = self._next_count
        move = Move("peg", ask.seat, numbers=(points,), words=(word,))
        return [Meaning(move)] if self._legal(move) else []

    def _pegged(self, seat: int, points: int) -> list[Meaning]:
        """Return the phrases that peg points for a seat."""
        move = Move("peg", seat, numbers=(points,))
        fits = seat in self._view.prompt.pegs and self._legal(move)
        return [Meaning(move)] if fits and not self._only_together(move) else []

    def _anybody(self, points: int) -> list[Meaning]:
        """Return the phrases for points without a player. The board must then ask which player
        scores them."""
        return [
            meaning for seat in self._view.prompt.pegs for meaning in self._pegged(seat, points)
        ]

    def _frames(self) -> Iterator[tuple[Frame, dict[str, list[Meaning]]]]:
        """Return the frames for points and cards, each with the meanings of its fillers."""
        yield from self._point_frames()
        yield from self._hand_frames()
        yield from self._card_frames()

    @staticmethod
    def _framed(
        before: str, known: Mapping[str, list[Meaning]], after: str = ""
    ) -> Iterator[tuple[Frame, dict[str, list[Meaning]]]]:
        meant = {phrase: choices for phrase, choices in known.items() if choices}
        if meant:
            yield Frame(before, tuple(meant), after), meant

    def _point_frames(self) -> Iterator[tuple[Frame, dict[str, list[Meaning]]]]:
        scale = self._view.prompt.scale
        points = [typed * scale for typed in range(1, MOST_POINTS + 1)]
        spoken_points = {spell(n): n for n in points}
        plural = "[ points | point ]"
        numbers = everyday.either([spell(n) for n in points if n <= MOST_POINTS])
        for seat in self._view.prompt.pegs:
            known = {word: self._pegged(seat, n) for word, n in spoken_points.items()}
            every = name_of(seat, self._view)
            names = everyday.either(every)
            yield from self._framed(f"{everyday.LEAD} {names} {everyday.GETS}", known, plural)
            point = {"a point": self._pegged(seat, 1)} if scale == 1 else {}
            yield from self._framed(f"{names} {everyday.GETS}", point)
            yield from self._framed(f"{everyday.LEAD} {names}", known, "( points | holes | more )")
            yield from self._framed(f"{everyday.LEAD} {everyday.own(every)} got", known, plural)
            yield from self._framed(f"{everyday.GIVE} {names}", known, plural)
            yield from self._framed(f"put {names} down for", known, plural)
            before = "[ give | put | add | mark | peg | so | that's | and | score | put down ]"
            after = "[ points | point | down ] ( for | to )"
            yield from self._framed(before, known, f"{after} {names}")
            yield from self._framed("so that's", known, f"{after} {names}")
            yield from self._framed(f"{names} and that's", known, plural)
            fix = f"{names} {numbers} {everyday.CORRECTION} [ {' | '.join(every)} ]"
            yield from self._framed(fix, known, plural)
        bare = {word: self._mine(n) or self._anybody(n) for word, n in spoken_points.items()}
        for before in (everyday.ONE, everyday.THAT):
            yield from self._framed(f"{everyday.LEAD} {before}", bare, plural)
        anybody = {word: self._anybody(n) for word, n in spoken_points.items()}
        yield from self._framed(f"{everyday.LEAD} {everyday.OTHER}", anybody, plural)
        yield from self._framed("", bare, "( points | holes )")

    def _hand_frames(self) -> Iterator[tuple[Frame, dict[str, list[Meaning]]]]:
        if self._next_count is None:
            return
        ask, word = self._next_count
        assert ask.seat is not None
        known = {spell(n): self._mine(n) for n in range(MOST_POINTS)}
        names = name_of(ask.seat, self._view)
        owners = [*(f"{name}'s" for name in names), *names, "my", "the"]
        before = f"{everyday.either(owners)} {word} {everyday.WORTH}"
        yield from self._framed(before, known, "[ points ]")
        after = f"[ points ] in {everyday.either(['my', 'his', 'her', 'the'])} {word}"
        got = everyday.either([f"{name} has" for name in names] + [f"{n}'s got" for n in names])
        lead = f"[ i've got | i have | there's | {got} ]"
        yield from self._framed(lead, known, after)
        nothing = {"nothing": self._mine(0), "no points": self._mine(0)}
        has = everyday.either([*(f"{name} has" for name in names), *(f"{n}'s got" for n in names)])
        yield from self._framed(f"{everyday.LEAD} {has}", nothing, f"[ in {word} ]")

    def _card_frames(self) -> Iterator[tuple[Frame, dict[str, list[Meaning]]]]:
        asks = self._view.asks if self._knows else self._view.prompt.asks
        for ask in asks:
            known = self._known_cards(ask)
            if not known:
                continue
            if ask.code == "starter":
                for before in everyday.TURNS:
                    yield from self._framed(f"{everyday.LEAD} {before}", known)
                yield from self._framed("( a | an | the )", known, "( is turned | turned up )")
                continue
            names, *others = everyday.PLAYS
            if ask.seat is not None:
                who = everyday.either(name_of(ask.seat, self._view))
                yield from self._framed(f"{who} {names}", known)
            for before in others:
                yield from self._framed(before, known)
        yield from self._made_frames()

    def _known_cards(self, ask: Ask) -> dict[str, list[Meaning]]:
        """Return every way to name a card that may be turned up or played now."""
        if ask.kind != "cards" or ask.most != 1 or ask.code not in ("starter", "play"):
            return {}
        known: dict[str, list[Meaning]] = {}
        every = [Card(rank, suit) for rank in Rank for suit in Suit]
        some = every if ask.cards is None or not self._knows else list(ask.cards)
        some += [Card(card.rank) for card in some] if ask.ranks else []
        for card in dict.fromkeys(some):
            for phrase in card_phrases(card):
                known.setdefault(phrase, []).append(Meaning(ask.move._replace(cards=(card,))))
        return known

    def _made_frames(self) -> Iterator[tuple[Frame, dict[str, list[Meaning]]]]:
        """Return the frames for a count that scores: `thirty-one for two`."""
        play = next((one for one in self._view.asks if one.code == "play"), None)
        for total in (15, 31):
            twos = self._anybody(2)
            if play is not None and play.kind == "cards":
                twos = [one for one in self._ranks(play) if self._makes(one, total)]
            yield from self._framed(f"{spell(total)}", {"for two": twos}, "[ points ]")

    def _ranks(self, play: Ask) -> list[Meaning]:
        return (
            [Meaning(play.move._replace(cards=(Card(rank),))) for rank in Rank]
            if play.ranks
            else []
        )

    def _makes(self, meaning: Meaning, total: int) -> bool:
        """Return whether playing a card makes the running count 15 or 31, as given by `total`."""
        assert meaning.move is not None
        try:
            played = self._view.attempt(meaning.move)
        except IllegalMove:
            return False
        reason = {15: "fifteen", 31: "thirty-one"}[total]
        return any(award.reason == reason for award in played.awards)

    def _counting(self) -> dict[str, dict[int, Meaning]]:
        """Return the words before a hand counted aloud, and the meaning of each total."""
        if self._next_count is None:
            return {}
        ask, word = self._next_count
        assert ask.seat is not None
        totals = {n: own[0] for n in range(1, MOST_POINTS) if (own := self._mine(n))}
        names = " | ".join(name_of(ask.seat, self._view))
        return {f"[ {names} | my {word} | okay | well ]": totals} if totals else {}

    def _legal(self, move: Move) -> bool:
        if not self._knows:
            return True
        try:
            self._view.attempt(move)
        except IllegalMove as error:
            return "choices" in error.fields
        return True

    def _pegs(self) -> Iterator[tuple[str, Meaning]]:
        """Return the phrases for points: `ann eight`."""
        prompt = self._view.prompt
        seats = range(1, len(self._view.seats) + 1)
        for seat in seats if not self._knows else prompt.pegs:
            for typed in range(1, MOST_POINTS + 1):
                move = Move("peg", seat, numbers=(typed * prompt.scale,))
                if self._legal(move) and not self._only_together(move):
                    for name in name_of(seat, self._view):
                        yield f"{name} {spell(typed * prompt.scale)}", Meaning(move)

    def _only_together(self, move: Move) -> bool:
        """Return whether these points are possible only for a hand and a crib together. The two
        must be spoken separately, so that fewer numbers sound alike."""
        if not self._knows:
            return False
        for why in ("play", "hand", "crib"):
            try:
                self._view.attempt(move._replace(words=(why,)))
            except IllegalMove as error:
                if error.code == "impossible-points":
                    continue
            return False
        return True

    def _counted(self) -> Iterator[tuple[str, Meaning]]:
        """Return the phrases with which players count their own hands: `my hand eight`, `bob crib
        four`."""
        hands = [ask for ask in self._view.prompt.asks if ask.code in ("show", "crib")]
        for n, ask in enumerate(hands):
            word = "crib" if ask.code == "crib" else "hand"
            names = name_of(ask.seat, self._view) if ask.seat is not None else ()
            for points in range(MOST_POINTS + 1):
                pegs = Move("peg", ask.seat, numbers=(points,), words=(word,))
                if names and self._legal(pegs):
                    for name in (*names, "my") if n == 0 else names:
                        yield f"{name} {word} {spell(points)}", Meaning(pegs)

    def _cards(self) -> Iterator[tuple[str, Meaning]]:
        """Return the phrases for single cards: `starter queen of hearts`, `five`, `ann five of
        clubs`."""
        asks = self._view.asks if self._knows else self._view.prompt.asks
        for ask in asks:
            if ask.kind != "cards" or ask.most != 1:
                continue
            every = [Card(rank, suit) for rank in Rank for suit in Suit]
            known = every if ask.cards is None or not self._knows else list(ask.cards)
            known += [Card(card.rank) for card in known] if ask.ranks else []
            for card in dict.fromkeys(known):
                meaning = Meaning(ask.move._replace(cards=(card,)))
                for phrase in card_phrases(card):
                    yield phrase, meaning
                    if ask.code == "starter":
                        yield f"starter {phrase}", meaning

    def _offers(self) -> Iterator[tuple[str, Meaning]]:
        """Return the offers that need no typing: `deal`, `go`, choices and bids. Words that fit two
        offers select the more usual one. To select the other, speakers add its player's name."""
        numbered = [f"player {number(n + 1)}" for n in range(len(self._view.seats))]
        taken: set[str] = set()
        for n, ask in enumerate(self._view.asks):
            if ask.kind == "confirm":
                phrases = [words.question(ask, ("do", "ask"), self._view.seats, "en"), ask.code]
                for phrase in {*map(plain, phrases), label(ask.move)} - {""}:
                    yield phrase, Meaning(ask.move)
                if n == 0:
                    yield "yes", Meaning(ask.move)
            moves = ask.choices
            if ask.kind == "number":
                typed = [typed for typed in _typed(ask) if typed not in ask.barred]
                moves = tuple(ask.move._replace(numbers=(points,)) for points in typed)
            short = {move: in_short(move) for move in moves}
            for move in moves:
                yield plain(spoken.move(move, self._view.seats, "en")), Meaning(move)
                called = plain(spoken.move(move, numbered, "en"))
                yield called if short[move] in taken else short[move], Meaning(move)
                named = label(move)
                if named and short[move] not in taken:
                    yield named, Meaning(move)
            taken.update(short.values())

    def _hand_rules(self) -> Iterator[tuple[tuple[str, ...], str, int, int, str, Move]]:
        """Return rules for hands by rank: `ann hand four five five six`, `my hand …`. Each rule
        consists of the player, a word, the number of cards, the ranks, and the move."""
        first = True
        for ask in self._view.asks if self._knows else self._view.prompt.asks:
            if ask.kind == "cards" and ask.ranks and ask.least > 1 and ask.seat is not None:
                known = {card.rank for card in ask.cards or ()} if self._knows else set()
                ranks = [one for one, rank in RANKS.items() if not known or rank in known]
                mine = ("my",) if first else ()
                first = False
                word = "crib" if ask.code == "crib" else "hand"
                names = (*name_of(ask.seat, self._view), *mine)
                yield names, word, ask.least, ask.most, "_".join(ranks), ask.move


def _among(
    meanings: Mapping[str, list[Meaning]], only: Sequence[Meaning]
) -> dict[str, list[Meaning]]:
    """Return the fillers of a gap that mean exactly one of these moves."""
    kept = {
        phrase: [one for one in only if one in alike or _pegged_alike(one, alike)]
        for phrase, alike in meanings.items()
    }
    return {phrase: alike for phrase, alike in kept.items() if len(alike) == 1}


def _pegged_alike(one: Meaning, others: Sequence[Meaning]) -> bool:
    """Return whether one of these moves pegs the same points for the same seat, for any reason."""
    move = one.move
    if move is None or move.verb != "peg":
        return False
    return any(
        other.move is not None and other.move._replace(words=move.words) == move for other in others
    )


def _typed(ask: Ask) -> range:
    """Return the numbers that can complete an `Ask`."""
    return range(ask.least, ask.most + 1, ask.scale)


def _short(meaning: Meaning) -> Iterator[str]:
    """Return the shortest answer to the board's question: the number, or the cards."""
    move = meaning.move
    if move is not None and move.numbers:
        yield spell(abs(move.numbers[0]))
    if move is not None and move.cards:
        every = [next(card_phrases(card)) for card in move.cards if card.rank is not None]
        yield " ".join(every) or some_cards(len(move.cards))
