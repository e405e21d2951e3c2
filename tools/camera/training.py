"""Train the three networks of `boardctl see` and write their weights.

    make training PHOTOS=FOLDER

Needs torch, onnx and Pillow in addition to the development packages, GNOME's decks and
rsvg-convert; tools/camera/inputs.py names and fetches the rest. `--seed` is the only source of
randomness. docs/notes/camera.md records how the shipped weights were made and how well they
perform; tools/camera/figures.py compares two sets of weights.
"""

from __future__ import annotations

import lzma
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

from boardctl.camera import frames
from tools.camera import figures, hands, inputs, labelled, prints, samples
from tools.camera.decks import Image

_BATCH: Final = 64
_STEPS: Final = {"detector": (16_000, 8000), "index": (40_000, 16_000), "face": (40_000, 4000)}
"""Samples and batches of each network."""
_SQUARES: Final = 16
"""The number of pictures in a batch for the detector."""
_SMOOTHING: Final = 0.02
_REAL: Final = 0.1
"""The share of samples cut out of real photographs; the network would memorize more."""
_MOVES: Final = 3.0
"""The weight of an index's frame relative to its card."""
_REAL_HANDS: Final = 0.25

_SHAPES: Final = {
    # channels and stride of each layer, channels before the flat layer, cells there
    "index": (((16, 2), (32, 1), (48, 2), (64, 1), (64, 1), (80, 2)), 32, 9 * 6, frames.CORNER),
    "face": (((16, 2), (32, 2), (48, 1), (64, 2), (96, 1), (96, 2)), 32, 8 * 6, frames.FACE),
}
_DETECTOR: Final = (
    (16, 2, 1),
    (32, 2, 1),
    (48, 2, 1),
    (64, 1, 1),
    (64, 1, 2),
    (80, 1, 1),
    (80, 1, 2),
    (80, 1, 1),
)
"""Channels, stride and dilation of each layer."""


def network(name: str) -> nn.Sequential:
    """Return a network with 18 outputs: present, 13 ranks, 4 suits, and for `index` the six of
    `Samples.index_moves`; or, for `detector`, with the six maps of `hands.target`."""
    if name == "detector":
        return nn.Sequential(*_layers(_DETECTOR), nn.Conv2d(_DETECTOR[-1][0], 6, 1))
    layers, narrow, cells, _ = _SHAPES[name]
    return nn.Sequential(
        *_layers([(channels, stride, 1) for channels, stride in layers]),
        nn.Conv2d(layers[-1][0], narrow, 1, bias=False),
        nn.BatchNorm2d(narrow),
        nn.ReLU(inplace=True),
        nn.Flatten(),
        nn.Dropout(0.15),
        nn.Linear(narrow * cells, 128),
        nn.ReLU(),
        nn.Linear(128, 24 if name == "index" else 18),
    )


def _layers(shape: Sequence[tuple[int, int, int]]) -> list[nn.Module]:
    parts: list[nn.Module] = []
    before = 3
    for channels, stride, apart in shape:
        parts += [
            nn.Conv2d(before, channels, 3, stride, apart, apart, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
        ]
        before = channels
    return parts


def normalised(pictures: Image) -> torch.Tensor:
    """Normalize a batch as `boardctl.camera.network.normalised` does."""
    pixels = pictures.reshape(len(pictures), -1, 3)[:, ::7]
    place = int(pixels.shape[1] * 0.88)
    white = np.maximum(np.partition(pixels, place, axis=1)[:, place].astype(np.float32), 40)
    light = np.minimum(pictures / white[:, None, None], 1.25).astype(np.float32) - 0.5
    return torch.from_numpy(light.transpose(0, 3, 1, 2).copy())


def _loss(answers: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    loss = functional.binary_cross_entropy_with_logits(answers[:, 0], labels[:, 2].float())
    for part, right in ((answers[:, 1:14], labels[:, 0]), (answers[:, 14:18], labels[:, 1])):
        known = (labels[:, 2] == 1) & (right >= 0)
        if known.any():
            loss = loss + functional.cross_entropy(
                part[known], right[known], label_smoothing=_SMOOTHING
            )
    return loss


def _detector_loss(answers: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return the focal loss (Lin et al., 2017) if the presence of an index is known, and distances
    if there is one."""
    there, known = targets[:, 0] == 1, targets[:, 0] >= 0
    chance = torch.sigmoid(answers[:, 0])
    plain = functional.binary_cross_entropy_with_logits(
        answers[:, 0], there.float(), reduction="none"
    )
    missed = torch.where(there, 1 - chance, chance)
    count = there.sum().clamp(min=1)
    loss = (plain * missed**2 * known).sum() / count
    asked = there | (targets[:, 0] == hands.NEAR)
    if asked.any():
        places = answers[:, 1:].permute(0, 2, 3, 1)[asked]
        right = targets[:, 1:].permute(0, 2, 3, 1)[asked]
        loss = loss + functional.smooth_l1_loss(places, right, beta=0.1) * 2
    return loss


def train(
    net: nn.Sequential,
    steps: int,
    size: int,
    count: int,
    seed: int,
    loss_of: Callable[[np.random.Generator, npt.NDArray[np.int64]], torch.Tensor],
    say: Callable[[str], None],
) -> None:
    """Train for `steps` batches of `size` out of `count` samples, with a cosine schedule for the
    learning rate. `loss_of` returns the loss for some samples."""
    chance = np.random.default_rng(seed)
    net.to(memory_format=torch.channels_last)
    best = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=2e-3)
    net.train()
    mean = 0.0
    for step, some in zip(range(steps), _batches(chance, count, size), strict=False):
        rate = 3e-3 * min(1.0, step / 200 + 0.01) * (0.5 + 0.5 * np.cos(np.pi * step / steps))
        for group in best.param_groups:
            group["lr"] = rate + 1e-5
        loss = loss_of(chance, some)
        best.zero_grad()
        loss.backward()
        best.step()
        mean = 0.98 * mean + 0.02 * loss.item() if step else loss.item()
        if step % 200 == 199:
            say(f"  {step + 1} batches, loss {mean:.3f}")


def _answers(net: nn.Sequential, shown: torch.Tensor) -> torch.Tensor:
    """Return a network's outputs, computed in bfloat16, which takes half the time."""
    with torch.autocast("cpu", torch.bfloat16):
        answers = net(shown)
    return torch.as_tensor(answers).float()


def _of_cards(
    net: nn.Sequential,
    pictures: Image,
    labels: npt.NDArray[np.int8],
    moves: npt.NDArray[np.float32] | None,
) -> Callable[[np.random.Generator, npt.NDArray[np.int64]], torch.Tensor]:
    """Return the loss for faces or, with `moves`, for indices."""

    def loss(chance: np.random.Generator, some: npt.NDArray[np.int64]) -> torch.Tensor:
        shown = normalised(pictures[some])
        down, right = (int(move) for move in chance.integers(-3, 4, 2))
        shown = _tinted(chance, torch.roll(shown, (down, right), (2, 3)))
        answers, known = _answers(net, shown), torch.from_numpy(labels[some].astype(np.int64))
        total = _loss(answers, known)
        if moves is not None:
            height, width = pictures.shape[1:3]
            shift = np.array([right / width, down / height] * 3, np.float32)
            wanted = torch.from_numpy(moves[some] + shift)
            there = known[:, 2] == 1
            total = total + _MOVES * functional.smooth_l1_loss(
                answers[there, 18:], wanted[there], beta=0.05
            )
        return total

    return loss


def _of_hands(
    net: nn.Sequential, made: hands.Hands
) -> Callable[[np.random.Generator, npt.NDArray[np.int64]], torch.Tensor]:
    def loss(chance: np.random.Generator, some: npt.NDArray[np.int64]) -> torch.Tensor:
        light = made.pictures[some].astype(np.float32) / 255 - 0.5
        shown = _tinted(chance, torch.from_numpy(light.transpose(0, 3, 1, 2).copy()))
        targets = torch.from_numpy(made.targets[some])
        for _ in range(int(chance.integers(4))):
            shown, targets = _turned(shown, targets)
        shown = shown.contiguous(memory_format=torch.channels_last)
        return _detector_loss(_answers(net, shown), targets)

    return loss


def _turned(shown: torch.Tensor, targets: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return pictures after a quarter turn counterclockwise, in which (x, y) becomes (y, -x)."""
    turned = torch.rot90(targets, 1, (2, 3))[:, [0, 2, 1, 4, 3, 5]]
    turned[:, [2, 4]] *= -1
    return torch.rot90(shown, 1, (2, 3)), turned


def _tinted(chance: np.random.Generator, shown: torch.Tensor) -> torch.Tensor:
    tint = chance.uniform(0.85, 1.15, (len(shown), 1, 1, 1)).astype(np.float32)
    shift = chance.uniform(-0.08, 0.08, (len(shown), 3, 1, 1)).astype(np.float32)
    shown = shown * torch.from_numpy(tint) + torch.from_numpy(shift)
    return shown.contiguous(memory_format=torch.channels_last)


def _batches(chance: np.random.Generator, count: int, size: int) -> Iterator[npt.NDArray[np.int64]]:
    while True:
        order = chance.permutation(count)
        for start in range(0, count - size, size):
            yield order[start : start + size]


def save(net: nn.Sequential, name: str, out: Path) -> int:
    """Write `NAME.onnx.xz` with weights rounded to 11 bits, and return its size in bytes."""
    width, height = (hands.SIZE, hands.SIZE) if name == "detector" else _SHAPES[name][3]
    net.to(memory_format=torch.contiguous_format)
    net.eval()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        axes = {"x": {0: "n"}, "y": {0: "n"}}
        if name == "detector":
            axes = {side: {0: "n", 2: "h", 3: "w"} for side in "xy"}
        torch.onnx.export(
            net,
            (torch.zeros(1, 3, height, width),),
            str(path),
            input_names=["x"],
            output_names=["y"],
            dynamic_axes=axes,
            opset_version=13,
            dynamo=False,
        )
        model = onnx.load(str(path))
    for weights in model.graph.initializer:
        numbers = numpy_helper.to_array(weights)
        if numbers.dtype == np.float32:
            # OpenCV 4.6 does not read float16; float32 of its precision compresses as well
            rough = numbers.astype(np.float16).astype(np.float32)
            weights.CopyFrom(numpy_helper.from_array(rough, weights.name))
    packed = lzma.compress(model.SerializeToString(), preset=9 | lzma.PRESET_EXTREME)
    return (out / f"{name}.onnx.xz").write_bytes(packed)


_PART: Final = 4000
"""The number of samples made with one set of invented packs."""
_PAGES: Final = 200
"""The number of printed pages for as many samples."""


@click.command()
@click.option(
    "--photos",
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="The labelled photographs.",
)
@click.option(
    "--inputs",
    "kept",
    required=True,
    type=click.Path(path_type=Path),
    help="Where packages are kept; those that are missing are fetched.",
)
@click.option("--out", required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--network", "names", multiple=True, type=click.Choice(tuple(_STEPS)))
@click.option("--effort", default=1.0, show_default=True, help="Multiplies samples and batches.")
@click.option("--seed", default=1000, show_default=True)
def main(
    photos: Path,
    kept: Path,
    out: Path,
    names: tuple[str, ...],
    effort: float,
    seed: int,
) -> None:
    """Draw samples, train the networks, print their performance on held-out packs, and write them.

    Each network is the same whether it is trained alone or with the others.
    """
    torch.set_num_threads(1)
    inputs.checked_photos(photos)
    fonts, more = inputs.gathered(kept)
    real = labelled.outlined(labelled.load(photos, "tuning"))
    cards: list[samples.Samples] = []
    for name in names or tuple(_STEPS):
        shots, steps = (int(each * effort) for each in _STEPS[name])
        torch.manual_seed(seed)
        net = network(name)
        if name == "detector":
            made = _hands(fonts, more, real, shots, seed)
            count = len(made.pictures)
            train(net, steps, _SQUARES, count, seed, _of_hands(net, made), click.echo)
            click.echo(f"{name}: {save(net, name, out)} bytes")
            continue
        cards = cards or _cards(fonts, more, real, shots, seed)
        pictures, labels = _of(name, cards)
        moves = np.concatenate([each.index_moves for each in cards]) if name == "index" else None
        count = len(pictures)
        train(net, steps, _BATCH, count, seed, _of_cards(net, pictures, labels, moves), click.echo)
        click.echo(f"{name}: {save(net, name, out)} bytes")
    for line in figures.sentences(figures.measured(out, fonts, seed)):
        click.echo(line)


def _hands(
    fonts: Path, more: Sequence[Path], real: list[labelled.Outlined], count: int, seed: int
) -> hands.Hands:
    made = []
    for start in range(0, count, _PART):
        chosen = inputs.sources(fonts, more, False, 60, seed + start)
        chance = np.random.default_rng(seed + start + 2)
        pages = prints.pages(chance, inputs.some_fonts(fonts, False), _PAGES)
        some = min(_PART, count - start)
        made.append(hands.make(chance, chosen, real, some, _REAL_HANDS, pages))
        click.echo(f"{start + len(made[-1].pictures)} hands")
    return hands.Hands(
        np.concatenate([each.pictures for each in made]),
        np.concatenate([each.targets for each in made]),
    )


def _cards(
    fonts: Path, more: Sequence[Path], real: list[labelled.Outlined], count: int, seed: int
) -> list[samples.Samples]:
    made = []
    for start in range(0, count, _PART):
        chosen = inputs.sources(fonts, more, False, 60, seed + start)
        chance = np.random.default_rng(seed + start + 1)
        some = min(_PART, count - start)
        pages = prints.pages(chance, inputs.some_fonts(fonts, False), _PAGES)
        made.append(samples.make(chance, chosen, some, pages))
        if real:
            made.append(samples.cut(chance, real, int(some * _REAL)))
        click.echo(f"{start + some} shots")
    return made


def _of(name: str, made: list[samples.Samples]) -> tuple[Any, Any]:
    if name == "index":
        return (
            np.concatenate([each.indices for each in made]),
            np.concatenate([each.index_labels for each in made]),
        )
    return (
        np.concatenate([each.faces for each in made]),
        np.concatenate([each.face_labels for each in made]),
    )


if __name__ == "__main__":
    main()
