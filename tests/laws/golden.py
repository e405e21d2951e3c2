"""Seeded random games with all of a referee's answers to their lines, legal or not.

`python -m tests.laws.golden` writes the digests of `golden.json` anew, `… NAME` those of one game;
`… NAME SEED` prints one game's answers, to be compared with those of another version. Reorganizing
the rules must not change a digest. If one has to change, the commit states which answer changed and
why.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from boardctl import games
from boardctl.games import Ask, IllegalMove, Move, Prompt, Verb
from boardctl.games.cards import UNSEEN, Card
from boardctl.record import notation
from tests.laws.walk import Walk, complete, sit_down

FILE: Final = Path(__file__).with_name("golden.json")
SEEDS: Final = 24
"""The number of games of each kind in the ordinary run."""
LONG_SEEDS: Final = 120
STEPS: Final = 90


def plain(value: Any) -> Any:
    """Return a value as JSON data, with sets sorted and cards spelled."""
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Move):
        return notation.spell(value)
    if isinstance(value, frozenset | set):
        return sorted(map(str, value))
    if hasattr(value, "_asdict"):
        return {key: plain(one) for key, one in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if hasattr(value, "items"):
        return {str(key): plain(one) for key, one in value.items()}
    return value


def in_order(prompt: Prompt) -> tuple[Ask, ...]:
    """Return the asks of a prompt in an order independent of the game's, so that a random game does
    not depend on the game's order."""

    def ordered(ask: Ask) -> Ask:
        cards = None if ask.cards is None else tuple(sorted(ask.cards, key=str))
        choices = tuple(sorted(ask.choices, key=notation.spell))
        move = ask.move if ask.kind != "choice" else Move(ask.move.verb)
        return ask._replace(cards=cards, choices=choices, move=move)

    return tuple(sorted(map(ordered, prompt.asks), key=said))


def said(value: Any) -> str:
    return json.dumps(plain(value), sort_keys=True, ensure_ascii=False)


def anything(walk: Walk) -> Move:
    """Return a line of the game, or one common to all games, that is rarely legal."""
    position, chance = walk.record.position, walk.chance
    game = position.game
    assert game is not None
    seats = len(position.seats)
    verb: Verb = chance.choice((*game.verbs, *game.verbs, *games.COMMON_VERBS))
    pack = (*game.pack, UNSEEN)
    cards = tuple(
        chance.choice(pack) for _ in range(chance.randint(verb.cards[0], min(verb.cards[1], 5)))
    )
    numbers = tuple(
        chance.choice((0, 1, 2, 10, 20, 31, 50, 80, 100, 162, 300))
        for _ in range(chance.randint(*verb.numbers))
    )
    suits = ("S", "H", "D", "C") if verb.suit else ()
    words = (*verb.words, *suits)
    return Move(
        verb.name,
        chance.randint(1, seats) if verb.seated else None,
        cards,
        numbers,
        tuple(chance.sample(words, min(len(words), chance.randint(0, 1)))),
    )


def altered(move: Move, walk: Walk) -> Move:
    """Return an expected line with another seat or another card."""
    position, chance = walk.record.position, walk.chance
    assert position.game is not None
    if move.seat is not None and chance.random() < 0.4:
        return move._replace(seat=chance.randint(1, len(position.seats)))
    if move.cards:
        return move._replace(cards=(chance.choice(position.game.pack), *move.cards[1:]))
    return move


def answers(name: str, seed: int, steps: int = STEPS) -> Iterator[str]:
    """Yield the referee's answer to every line of a random game, with the following prompt and
    display.

    Args:
        name: the game. seed: of the options, the lines and the players. steps: the maximum number
            of lines.
    """
    walk = sit_down(name, Random(seed))
    chance = walk.chance
    for _ in range(steps):
        position = walk.record.position
        prompt, game = position.prompt, position.game
        assert game is not None
        asks = in_order(prompt)
        yield said((asks, prompt.pegs, prompt.scale, prompt.signed))
        board = game.scoreboard(position.state)
        yield said((position.situation, position.scores, position.outcome, board))
        kind = chance.random()
        if kind < 0.2 or not (asks or prompt.pegs):
            move = anything(walk)
        elif prompt.pegs and (not asks or kind < 0.23):
            points = chance.randrange(0, 30) * prompt.scale
            move = Move("peg", chance.choice(prompt.pegs), numbers=(points,))
        else:
            # Mostly the first ask of the table's own level, so that deals come to an end.
            ask = asks[0] if chance.random() < 0.5 else chance.choice(asks)
            cards = [one for one in asks if one.telling == "cards"]
            if cards and walk.telling == "cards" and chance.random() < 0.7:
                ask = cards[0]
            move = complete(ask, chance)
            if chance.random() < 0.15:
                move = altered(move, walk)
        line = notation.spell(move)
        try:
            report = walk.record.read(line)
        except IllegalMove as error:
            yield said((line, error.code, error.fields))
            choices = error.fields.get("choices")
            if error.code == "suits-needed" and choices:
                words = chance.choice(list(choices))
                walk.record.read(notation.spell(move._replace(words=(*move.words, *words))))
            continue
        assert report is not None
        yield said((report.line, report.awards, report.notes))
    yield said(walk.record.position.outcome)


def digest(name: str, seeds: range) -> str:
    """Return a digest of all answers in the games with these seeds."""
    total = hashlib.sha256()
    for seed in seeds:
        for answer in answers(name, seed):
            total.update(answer.encode())
            total.update(b"\n")
    return total.hexdigest()


def main(arguments: list[str]) -> None:
    if len(arguments) > 1:
        name, seed = arguments
        print("\n".join(answers(name, int(seed))))
        return
    found = {
        name: {"short": digest(name, range(SEEDS)), "long": digest(name, range(LONG_SEEDS))}
        for name in arguments or games.names()
    }
    if arguments:
        found = {**json.loads(FILE.read_text("utf-8")), **found}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
