"""The keypad's menu (hold `#`): what one sets now and then. Called by `entry.press`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardctl import games, notation
from boardctl.cards import Card
from boardctl.entry.talk import RANKS, REST, Answer, Conversation, Mode, Say, Scene, Wish, refuse
from boardctl.games import IllegalMove, Move

ITEMS: Final[dict[str, Mode | str]] = {
    "1": "telling", "2": "amend", "3": "players", "4": "game", "5": "light",
    "6": "voice", "7": "evening", "8": "pair", "9": "scores", "0": "goodnight",
}  # fmt: skip
"""What each digit opens: a mode of the conversation, or (evening) a wish."""
NAMES: Final = ("game", "seat", "set", "session")
"""The lines that end in a name, which no key can type."""
TELLINGS: Final = {"1": "points", "2": "hands", "3": "cards"}
LIGHTS: Final = {"1": "night", "2": "dim", "3": "bright"}
PHONES: Final = {"1": "pin", "2": "forget"}
VOICES: Final = {"1": "on", "2": "off", "3": "en", "4": "ja"}


def _menu(talk: Conversation, scene: Scene, key: str) -> Answer:
    item = ITEMS.get(key)
    if item is None:
        return (REST, None) if key == "#" else (talk, None)
    if item == "evening":
        return REST, Wish(item)
    if item == "amend" and not scene.deal:
        return refuse(IllegalMove("nothing-to-amend")), None
    mode: Mode = item  # type: ignore[assignment]  # the rest of ITEMS are modes
    return REST._replace(mode=mode), None


def _pick(what: str, choices: dict[str, str]) -> Callable[[Conversation, Scene, str], Answer]:
    def pick(talk: Conversation, scene: Scene, key: str) -> Answer:
        return (REST, Wish(what, choices[key])) if key in choices else (talk, None)

    return pick


def _voice(talk: Conversation, scene: Scene, key: str) -> Answer:
    if key not in VOICES:
        return talk, None
    return REST, Wish("voice" if key in "12" else "language", VOICES[key])


def _amend(talk: Conversation, scene: Scene, key: str) -> Answer:
    """`A` older, `B` newer, `#` retypes the line shown, `D` takes it out."""
    last = len(scene.deal) - 1
    if key == "A":
        return talk._replace(place=min(last, talk.place + 1)), None
    if key == "B":
        return talk._replace(place=max(0, talk.place - 1)), None
    if key == "D":
        return REST, Say((f"amend {talk.place + 1}",))
    if key == "#":
        return talk._replace(mode="retype"), None
    return talk, None


def amended(talk: Conversation, scene: Scene) -> Move | None:
    """The line being amended with what was retyped in it, None where that is no number for it, or
    it takes neither a number nor cards."""
    words = scene.deal[-1 - talk.place].split()
    seat = int(words[0]) if words[0].isdigit() else None
    verb = words[0] if seat is None else words[1]
    rest = words[1:] if seat is None else words[2:]
    if verb in ("peg", "count", "adjust"):
        if not talk.keys.isdigit():
            return None
        return Move(verb, seat, numbers=(int(talk.keys),), words=tuple(rest[1:]))
    if not rest or verb in NAMES:
        return None
    return Move(verb, seat, tuple(Card(RANKS[key]) for key in talk.keys))


def _retype(talk: Conversation, scene: Scene, key: str) -> Answer:
    if key in RANKS and len(talk.keys) < 4:
        return talk._replace(keys=talk.keys + key), None
    if key == "#" and talk.keys:
        move = amended(talk, scene)
        if move is None:
            return refuse(IllegalMove("not-a-number", said=talk.keys)), None
        return REST, Say((f"amend {talk.place + 1} {notation.spell(move)}",))
    return talk, None


def _players(talk: Conversation, scene: Scene, key: str) -> Answer:
    """A digit seats the next player from the roster; `#` when all sit."""
    if key == "#":
        if len(talk.chosen) not in scene.players:
            allowed = " or ".join(map(str, scene.players))
            return refuse(IllegalMove("seats-missing", allowed=allowed)), None
        lines = tuple(f"seat {n} {name}" for n, name in enumerate(talk.chosen, 1))
        return REST, Say(lines)
    if key == "A":
        place = talk.place + 9
        return talk._replace(place=place if place < len(scene.roster) else 0), None
    number = talk.place + int(key) if key.isdigit() and key != "0" else 0
    if not 1 <= number <= len(scene.roster) or len(talk.chosen) == max(scene.players):
        return talk, None
    name = scene.roster[number - 1]
    if name in talk.chosen:
        return talk, None
    return talk._replace(chosen=(*talk.chosen, name)), None


def choices(scene: Scene) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What `4` offers: the house presets, then every game; each with the lines it says."""
    presets = tuple(
        (
            preset.name,
            (f"game {preset.game}", *(f"set {k} {v}" for k, v in preset.options.items())),
        )
        for preset in scene.presets
    )
    return presets + tuple((name, (f"game {name}",)) for name in games.names())


def _game(talk: Conversation, scene: Scene, key: str) -> Answer:
    offered = choices(scene)
    if key == "A":
        place = talk.place + 9
        return talk._replace(place=place if place < len(offered) else 0), None
    if key.isdigit() and key != "0" and talk.place + int(key) <= len(offered):
        return REST, Say(offered[talk.place + int(key) - 1][1])
    return talk, None


def _scores(talk: Conversation, scene: Scene, key: str) -> Answer:
    """A seat, its true score, `#`."""
    if talk.seat is None:
        seat = "ABCD".find(key) + 1
        return (talk._replace(seat=seat), None) if 1 <= seat <= len(scene.seats) else (talk, None)
    if key.isdigit() and len(talk.keys) < 5:
        return talk._replace(keys=talk.keys + key), None
    if key == "#" and talk.keys and scene.scores:
        change = int(talk.keys) - scene.scores[scene.side(talk.seat)]
        return REST, (Say((f"{talk.seat} adjust {change:+d}",)) if change else None)
    return talk, None


def _goodnight(talk: Conversation, scene: Scene, key: str) -> Answer:
    return (REST, Wish("goodnight")) if key == "#" else (REST, None)


MODES: Final[dict[str, Callable[[Conversation, Scene, str], Answer]]] = {
    "menu": _menu,
    "telling": _pick("telling", TELLINGS),
    "amend": _amend,
    "retype": _retype,
    "players": _players,
    "game": _game,
    "light": _pick("light", LIGHTS),
    "voice": _voice,
    "pair": _pick("pair", PHONES),
    "scores": _scores,
    "goodnight": _goodnight,
}
