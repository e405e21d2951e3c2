"""The accuracy of networks on packs that were not used for training, and whether two sets of
networks are equally good.

    python -m tools.camera.figures boardctl/camera OTHER --inputs FOLDER

The program fetches the inputs of the training and draws the held-out packs. It ends with an error
if two shares differ by more than `BOUND`, because then one set is not a result of the training.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click
import cv2
import numpy as np
import numpy.typing as npt

from boardctl.camera import network
from tools.camera import hands, inputs, prints, samples
from tools.camera.decks import Image

BOUND: Final = 0.02
"""The maximum difference between two shares. With about 5,000 pictures their standard error is
below 0.007; the rest comes from different arithmetic of another processor over thousands of
batches."""

_SHOTS: Final = 1500
_HANDS: Final = 300
_PACKS: Final = 12
_MARKED: Final = 0.3
"""The minimum probability of a detector's mark that the reader examines."""
_BATCH: Final = 128

Numbers = npt.NDArray[np.float32]


def measured(weights: Path, fonts: Path, seed: int) -> dict[str, float]:
    """Return the shares of a folder's three networks, each between 0 and 1.

    Args:
        weights: the folder of `detector.onnx.xz`, `index.onnx.xz` and `face.onnx.xz`; missing ones
            are ignored.
        fonts: from `inputs.gathered`.
        seed: of the training.
    """
    chosen = inputs.sources(fonts, (), True, _PACKS, seed - 2)
    unseen = samples.make(np.random.default_rng(seed - 1), chosen, _SHOTS)
    found: dict[str, float] = {}
    for name, pictures, labels in (
        ("index", unseen.indices, unseen.index_labels),
        ("face", unseen.faces, unseen.face_labels),
    ):
        if (net := _loaded(weights, name)) is not None:
            found |= {f"{name} {what}": share for what, share in _of_cards(net, pictures, labels)}
    if (net := _loaded(weights, "detector")) is not None:
        chance = np.random.default_rng(seed - 3)
        pages = prints.pages(chance, inputs.some_fonts(fonts, True), _HANDS // 4)
        found |= _of_hands(net, hands.make(chance, chosen, (), _HANDS, 0.0, pages))
    return found


def apart(one: Mapping[str, float], other: Mapping[str, float]) -> list[str]:
    """Return the shares that differ by more than `BOUND`, or are in only one of two sets."""
    return [
        f"{name}: {one.get(name)} and {other.get(name)}"
        for name in sorted(one.keys() | other.keys())
        if name not in one or name not in other or abs(one[name] - other[name]) > BOUND
    ]


def sentences(shares: Mapping[str, float]) -> list[str]:
    """Return one line for each share."""
    return [f"{name} {share:.3f}" for name, share in shares.items()]


def _loaded(weights: Path, name: str) -> cv2.dnn.Net | None:
    path = weights / f"{name}.onnx.xz"
    if not path.is_file():
        return None
    packed = lzma.decompress(path.read_bytes())
    return cv2.dnn.readNetFromONNX(np.frombuffer(packed, np.uint8))


def _answers(net: cv2.dnn.Net, pictures: Numbers) -> Numbers:
    """Return the network's outputs for pictures in its input format, one row for each."""
    rows = []
    for start in range(0, len(pictures), _BATCH):
        some = pictures[start : start + _BATCH].transpose(0, 3, 1, 2)
        net.setInput(np.ascontiguousarray(some))
        rows.append(np.array(net.forward(), np.float32))
    return np.concatenate(rows)


def _of_cards(
    net: cv2.dnn.Net, pictures: Image, labels: npt.NDArray[np.int8]
) -> list[tuple[str, float]]:
    answers = _answers(net, np.stack([network.normalised(each) for each in pictures]))
    there = labels[:, 2] == 1
    ranks = answers[there, 1:14].argmax(axis=1) == labels[there, 0]
    suits = answers[there, 14:18].argmax(axis=1) == labels[there, 1]
    present = (answers[:, 0] > 0) == there
    return [
        ("rank", float(ranks.mean())),
        ("suit", float(suits.mean())),
        ("card", float((ranks & suits).mean())),
        ("present", float(present.mean())),
    ]


def _of_hands(net: cv2.dnn.Net, made: hands.Hands) -> dict[str, float]:
    answers = _answers(net, made.pictures.astype(np.float32) / np.float32(255) - np.float32(0.5))
    marked = 1 / (1 + np.exp(-answers[:, 0])) > _MARKED
    return {
        "detector found": float(marked[made.targets[:, 0] == 1].mean()),
        "detector false": float(marked[made.targets[:, 0] == 0].mean()),
    }


@click.command()
@click.argument("weights", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--inputs", "kept", required=True, type=click.Path(path_type=Path))
@click.option("--seed", default=1000, show_default=True)
def main(weights: tuple[Path, ...], kept: Path, seed: int) -> None:
    """Print the shares of one folder of WEIGHTS, or compare two."""
    fonts, _ = inputs.gathered(kept)
    found = [measured(each, fonts, seed) for each in weights]
    for folder, shares in zip(weights, found, strict=True):
        click.echo("\n  ".join([f"{folder}:", *sentences(shares)]))
    for shares in found[1:]:
        if differences := apart(found[0], shares):
            raise click.ClickException("not of one training: " + "; ".join(differences))


if __name__ == "__main__":
    main()
