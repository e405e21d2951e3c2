"""Read real photographs with known cards: count the correct readings, and find the causes of the
others.

    python -m tools.camera.evaluation photos --part held-out

`right` is the rank: suits are not labelled. tools/camera/labelled.py describes the photographs.

    python -m tools.camera.evaluation --renders 8

reads this many scenes of each kind and each held-out deck; there `right` is the card.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import cv2
import numpy as np

from boardctl.camera import annotate, photo, reading, views
from boardctl.camera.photo_api import questionable
from boardctl.camera.reading import SeenCard
from tools.camera import decks, inputs, labelled, packs, scenes
from tools.camera.decks import Image
from tools.camera.labelled import Box, Labelled
from tools.camera.scenes import Scene

KINDS: Final = {
    "laid": (scenes.laid, 6),
    "white": (scenes.white, 6),
    "fan": (scenes.fan, 5),
    "held": (scenes.held, 5),
    "heap": (scenes.heap, 4),
}
"""The rendered kinds of scenes, with the number of cards in each."""
_FIRST_SEED: Final = 900
_PACKS: Final = 4
_FIRST_PACK: Final = 500


Reader = Callable[[Image], Sequence[SeenCard]]
"""A way to read a photo."""


class Outcome(NamedTuple):
    """The results for the cards of one photograph."""

    causes: tuple[str, ...]
    """One for each labelled card: `right`, `unsure` (the guess is right), `wrong guess`, `missed`
    or `wrong and sure`."""
    false: int
    """The number of sure cards at places without a card."""
    silent: bool
    """Whether the hand is silently wrong: a wrong or false sure card, or a missed one while every
    other is sure."""


def judge(cards: Sequence[tuple[str, Box]], seen: Sequence[SeenCard]) -> Outcome:
    """Compare the readings of a photograph with its labels, in the photograph's own pixels."""
    pairs = []
    for place, (rank, box) in enumerate(cards):
        for index, each in enumerate(seen):
            around = labelled.box_of(np.array(each.box, np.float32))
            if labelled.inside(box, around) > 0.5:
                fits = (str(each.card)[0] == rank, each.sure, labelled.union(box, around))
                pairs.append((fits, place, index))
    causes: dict[int, str] = {}
    used: set[int] = set()
    for (right, _, _), place, index in sorted(pairs, reverse=True):
        if place not in causes and index not in used:
            used.add(index)
            words = ("right", "unsure") if right else ("wrong and sure", "wrong guess")
            causes[place] = words[not seen[index].sure]
    found = tuple(causes.get(place, "missed") for place in range(len(cards)))
    false = sum(each.sure for index, each in enumerate(seen) if index not in used)
    wrong = "wrong and sure" in found or false > 0
    silent = wrong or ("missed" in found and bool(seen) and all(each.sure for each in seen))
    return Outcome(found, false, silent)


def fills(outcome: Outcome, seen: Sequence[SeenCard]) -> bool:
    """Return whether the page would enter this hand without a question, given the number of
    cards."""
    answer = [
        {"card": str(each.card), "sure": each.sure, "probability": each.probability}
        for each in seen
    ]
    entered = questionable(answer, (), len(outcome.causes))
    return len(entered) == len(outcome.causes) and all(each["sure"] for each in entered)


def wilson(right: int, total: int) -> tuple[float, float]:
    """Return the 95 % interval of a share, by Wilson's score."""
    if not total:
        return 0.0, 1.0
    z = 1.96
    share = right / total
    middle = share + z * z / (2 * total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    least, most = ((middle + way) / (1 + z * z / total) for way in (-half, half))
    return max(least, 0.0), most


def interval(right: int, total: int) -> str:
    """Return a count with its interval."""
    low, high = wilson(right, total)
    return f"{right} of {total} ({100 * low:.0f} to {100 * high:.0f} %)"


def judge_scene(scene: Scene, seen: Sequence[SeenCard]) -> Outcome:
    """Compare the readings of a scene with its cards. A reading matches the same card anywhere,
    because the far end of a card with a single index is a guess; otherwise another card whose
    middle is nearer than a third of the width."""
    causes = ["missed"] * len(scene.cards)
    used: set[int] = set()
    sure_first = sorted(enumerate(seen), key=lambda one: not one[1].sure)
    for same in (True, False):
        for place, (card, corners) in enumerate(zip(scene.cards, scene.corners, strict=True)):
            width = float(np.hypot(*(corners[1] - corners[0])))
            for index, each in sure_first:
                away = np.hypot(*(np.array(each.box).mean(axis=0) - corners.mean(axis=0)))
                there = each.card == card if same else away < 0.33 * width
                if causes[place] == "missed" and index not in used and there:
                    used.add(index)
                    words = ("right", "unsure") if same else ("wrong and sure", "wrong guess")
                    causes[place] = words[not each.sure]
    false = sum(each.sure for index, each in enumerate(seen) if index not in used)
    wrong = "wrong and sure" in causes or false > 0
    silent = wrong or ("missed" in causes and bool(seen) and all(each.sure for each in seen))
    return Outcome(tuple(causes), false, silent)


def _renders(count: int, faces: Sequence[Image], read: Reader) -> None:
    for kind, (draw, size) in KINDS.items():
        causes: Counter[str] = Counter()
        hands: Counter[str] = Counter()
        for deck in faces:
            for seed in range(_FIRST_SEED, _FIRST_SEED + count):
                scene = draw(seed, deck, size)
                seen = read(scene.image)
                outcome = judge_scene(scene, seen)
                causes.update(outcome.causes)
                asked = set(outcome.causes) == {"right"} and not all(each.sure for each in seen)
                filled = fills(outcome, seen)
                hands.update(hands=1, silent=outcome.silent, asked=asked, filled=filled)
        total = sum(causes.values())
        click.echo(f"{kind}: right and sure {interval(causes['right'], total)}")
        click.echo(f"  hands silently wrong {interval(hands['silent'], hands['hands'])}")
        entered = interval(hands["filled"], hands["hands"])
        click.echo(f"  hands entered on the page without a tap {entered}")
        click.echo(f"  {dict(causes)} {dict(hands)}")


@click.command()
@click.argument("folder", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--part", type=click.Choice(["tuning", "held-out", "all"]), default="held-out")
@click.option("--draw", type=click.Path(path_type=Path), help="Where photos with errors are drawn.")
@click.option("--every", default=1, help="Only each n-th photograph.")
@click.option("--renders", default=0, help="Scenes of each kind and held-out deck.")
@click.option(
    "--deck",
    "files",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="With --renders: scenes of this deck instead, as `decks.elements` reads it.",
)
@click.option(
    "--letters",
    type=click.Choice(tuple(packs.LETTERS)),
    help="With --renders: scenes of packs invented in held-out fonts, in this language.",
)
@click.option(
    "--inputs",
    "kept",
    default=Path(".training"),
    type=click.Path(path_type=Path),
    help="With --letters: where the training's packages are.",
)
@click.option("--single", is_flag=True, help="Read one view of each photo only.")
def main(
    folder: Path | None,
    part: str,
    draw: Path | None,
    every: int,
    renders: int,
    files: tuple[Path, ...],
    letters: str | None,
    kept: Path,
    single: bool,
) -> None:
    """Read the photographs of FOLDER, or rendered scenes, and print the results for their cards."""
    read: Reader = reading.read if single else views.read
    if renders and letters:
        fonts = inputs.gathered(kept).fonts
        _renders(renders, inputs.held_out(fonts, letters, _PACKS, _FIRST_PACK), read)
    elif renders:
        from_files = [decks.elements(path) for path in files]
        _renders(renders, from_files or [decks.faces(name) for name in decks.HELD], read)
    if folder is None:
        return
    counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    hands: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for each in labelled.load(folder, part)[::every]:
        image = photo.load(each.path).image
        seen = read(image)
        outcome = judge(each.cards, seen)
        counts[each.apart].update(outcome.causes)
        hands[each.apart].update(
            hands=1, silent=outcome.silent, false=outcome.false > 0,
            wrong="wrong and sure" in outcome.causes,
            right=set(outcome.causes) == {"right"}, filled=fills(outcome, seen),
            asked=set(outcome.causes) == {"right"} and not all(each.sure for each in seen),
        )  # fmt: skip
        if draw is not None and set(outcome.causes) != {"right"}:
            _draw(draw, each, image, seen, outcome)
    for apart, name in ((True, "laid apart"), (False, "overlapping")):
        total = sum(counts[apart].values())
        if total:
            click.echo(f"{name}: right and sure {interval(counts[apart]['right'], total)}")
            click.echo(
                f"  hands silently wrong {interval(hands[apart]['silent'], hands[apart]['hands'])}"
            )
            filled = interval(hands[apart]["filled"], hands[apart]["hands"])
            click.echo(f"  hands entered on the page without a tap {filled}")
            click.echo(f"  {dict(counts[apart])} {dict(hands[apart])}")


def _draw(
    folder: Path, each: Labelled, image: Any, seen: Sequence[SeenCard], outcome: Outcome
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    large = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    twice = [card._replace(box=tuple((2 * x, 2 * y) for x, y in card.box)) for card in seen]
    drawn = annotate.annotate(large, twice)
    for rank, box in each.cards:
        start, end = ((2 * int(box[i]), 2 * int(box[i + 1])) for i in (0, 2))
        cv2.rectangle(drawn, start, end, (255, 0, 255), 1)
        cv2.putText(drawn, rank, (start[0], start[1] + 20), 0, 0.7, (255, 0, 255), 2)
    word = "silent-" if outcome.silent else ""
    cv2.imwrite(str(folder / f"{word}{each.path.stem}.png"), drawn)


if __name__ == "__main__":
    main()
