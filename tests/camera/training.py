"""Trains the two networks of `boardctl see` and writes their weights.

    python -m tests.camera.training --fonts FOLDER --out boardctl/camera

Needs torch, onnx and Pillow in addition to the development packages, GNOME's decks and
rsvg-convert, and a folder of fonts. `--seed` is the only source of randomness. docs/camera.md
records how the shipped weights were made and how well they perform.
"""

from __future__ import annotations

import lzma
import tempfile
from collections.abc import Callable, Iterator
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
from tests.camera import decks, packs, samples
from tests.camera.decks import Image

HELD_DECKS: Final = ("anglo_poker", "tigullio", "bellot", "plastic")
"""Never used for training, nor are `HELD_FONTS`: they measure performance on unseen decks."""
HELD_FONTS: Final = ("LiberationSansNarrow", "FreeSerif", "Play", "EBGaramond", "Roboto-")
HELD_SIGNS: Final = 20
"""Suit signs from this index on are held out as well."""

_BATCH: Final = 64
_SMOOTHING: Final = 0.02
_SHAPES: Final = {
    # channels and stride of each layer, channels before the flat layer, cells there
    "index": (((16, 2), (32, 1), (48, 2), (64, 1), (80, 2)), 32, 9 * 6, frames.CORNER),
    "face": (((16, 2), (32, 2), (48, 1), (64, 2), (96, 1), (96, 2)), 32, 8 * 6, frames.FACE),
}


def network(name: str) -> nn.Sequential:
    """A network with 18 outputs: present, 13 ranks, 4 suits."""
    layers, narrow, cells, _ = _SHAPES[name]
    parts: list[nn.Module] = []
    before = 3
    for channels, stride in layers:
        parts += [
            nn.Conv2d(before, channels, 3, stride, 1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
        ]
        before = channels
    parts += [
        nn.Conv2d(before, narrow, 1, bias=False),
        nn.BatchNorm2d(narrow),
        nn.ReLU(inplace=True),
        nn.Flatten(),
        nn.Dropout(0.15),
        nn.Linear(narrow * cells, 128),
        nn.ReLU(),
        nn.Linear(128, 18),
    ]
    return nn.Sequential(*parts)


def normalised(pictures: Image) -> torch.Tensor:
    """Like `boardctl.camera.network.normalised`, for a batch."""
    pixels = pictures.reshape(len(pictures), -1, 3)[:, ::7]
    place = int(pixels.shape[1] * 0.88)
    white = np.maximum(np.partition(pixels, place, axis=1)[:, place].astype(np.float32), 40)
    light = np.minimum(pictures / white[:, None, None], 1.25).astype(np.float32) - 0.5
    return torch.from_numpy(light.transpose(0, 3, 1, 2).copy())


def _loss(answers: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    there = labels[:, 1] == 1
    loss = functional.binary_cross_entropy_with_logits(answers[:, 0], labels[:, 1].float())
    if there.any():
        number = labels[there, 0]
        for part, right in (
            (answers[there, 1:14], number % 13),
            (answers[there, 14:], number // 13),
        ):
            loss = loss + functional.cross_entropy(part, right, label_smoothing=_SMOOTHING)
    return loss


def train(
    net: nn.Sequential,
    pictures: Image,
    labels: npt.NDArray[np.int8],
    steps: int,
    seed: int,
    say: Callable[[str], None],
) -> None:
    """Train for `steps` batches, with a cosine schedule for the learning rate."""
    chance = np.random.default_rng(seed)
    net.to(memory_format=torch.channels_last)
    best = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=2e-3)
    net.train()
    mean = 0.0
    for step, some in zip(range(steps), _batches(chance, len(pictures)), strict=False):
        rate = 3e-3 * min(1.0, step / 200 + 0.01) * (0.5 + 0.5 * np.cos(np.pi * step / steps))
        for group in best.param_groups:
            group["lr"] = rate + 1e-5
        shown = normalised(pictures[some])
        down, right = (int(move) for move in chance.integers(-3, 4, 2))
        shown = torch.roll(shown, (down, right), (2, 3))
        tint = chance.uniform(0.85, 1.15, (len(some), 1, 1, 1)).astype(np.float32)
        shift = chance.uniform(-0.08, 0.08, (len(some), 3, 1, 1)).astype(np.float32)
        shown = shown * torch.from_numpy(tint) + torch.from_numpy(shift)
        loss = _loss(
            net(shown.contiguous(memory_format=torch.channels_last)),
            torch.from_numpy(labels[some].astype(np.int64)),
        )
        best.zero_grad()
        loss.backward()
        best.step()
        mean = 0.98 * mean + 0.02 * loss.item() if step else loss.item()
        if step % 200 == 199:
            say(f"  {step + 1} batches, loss {mean:.3f}")


def _batches(chance: np.random.Generator, count: int) -> Iterator[npt.NDArray[np.int64]]:
    while True:
        order = chance.permutation(count)
        for start in range(0, count - _BATCH, _BATCH):
            yield order[start : start + _BATCH]


def score(net: nn.Sequential, pictures: Image, labels: npt.NDArray[np.int8]) -> str:
    """How many cards of pictures that it was not trained with are right."""
    net.eval()
    with torch.no_grad():
        parts = [
            net(normalised(pictures[start : start + 256])) for start in range(0, len(pictures), 256)
        ]
    answers = torch.cat(parts).numpy()
    there = labels[:, 1] == 1
    ranks = answers[there, 1:14].argmax(axis=1) == labels[there, 0] % 13
    suits = answers[there, 14:].argmax(axis=1) == labels[there, 0] // 13
    present = (answers[:, 0] > 0) == there
    return (
        f"rank {ranks.mean():.3f}, suit {suits.mean():.3f}, card {(ranks & suits).mean():.3f}, "
        f"present {present.mean():.3f} of {len(labels)}"
    )


def save(net: nn.Sequential, name: str, out: Path) -> int:
    """Write `NAME.onnx.xz` with weights rounded to 11 bits; returns its size in bytes."""
    width, height = _SHAPES[name][3]
    net.to(memory_format=torch.contiguous_format)
    net.eval()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        axes = {"x": {0: "n"}, "y": {0: "n"}}
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
            # float16 as such is not read by OpenCV 4.6; float32 of its precision packs as well
            rough = numbers.astype(np.float16).astype(np.float32)
            weights.CopyFrom(numpy_helper.from_array(rough, weights.name))
    packed = lzma.compress(model.SerializeToString(), preset=9 | lzma.PRESET_EXTREME)
    return (out / f"{name}.onnx.xz").write_bytes(packed)


def sources(fonts: Path, held: bool, invented: int, seed: int) -> list[Image]:
    """Real decks, twice, and invented ones; either those for training or those held out."""
    chance = np.random.default_rng(seed)
    real = {name: decks.faces(name) for name in decks.names()}
    every = packs.fonts(fonts)
    if not every:
        raise click.ClickException(f"there are no fonts in {fonts}")
    signs = packs.pips(real, every)
    signs = signs[HELD_SIGNS:] if held else signs[:HELD_SIGNS]
    kept = {name: deck for name, deck in real.items() if (name in HELD_DECKS) == held}
    wanted = [font for font in every if any(word in Path(font).name for word in HELD_FONTS) == held]
    made = [packs.invented(chance, kept, signs, wanted) for _ in range(invented)]
    return [*made, *kept.values(), *kept.values()]


@click.command()
@click.option("--fonts", required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--out", required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--shots", default=12_000, show_default=True, help="Cards photographed.")
@click.option("--index-steps", default=1600, show_default=True, help="Batches for the indices.")
@click.option("--face-steps", default=1150, show_default=True, help="Batches for whole faces.")
@click.option("--seed", default=1000, show_default=True)
def main(fonts: Path, out: Path, shots: int, index_steps: int, face_steps: int, seed: int) -> None:
    """Draw samples, train both networks, print their performance on held-out packs, and write
    them."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    part = 4000
    made: list[samples.Samples] = []
    for start in range(0, shots, part):  # other invented packs for each part
        chosen = sources(fonts, held=False, invented=60, seed=seed + start)
        chance = np.random.default_rng(seed + start + 1)
        made.append(samples.make(chance, chosen, min(part, shots - start)))
        click.echo(f"{start + part} shots")
    unseen = samples.make(
        np.random.default_rng(seed - 1), sources(fonts, held=True, invented=12, seed=seed - 2), 1500
    )
    for name, steps in (("index", index_steps), ("face", face_steps)):
        pictures, labels = _of(name, made)
        net = network(name)
        train(net, pictures, labels, steps, seed, click.echo)
        click.echo(f"{name}: {score(net, *_of(name, [unseen]))}; {save(net, name, out)} bytes")


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
