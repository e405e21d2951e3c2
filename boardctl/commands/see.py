"""`boardctl see`: the cards in a photograph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boardctl.camera.reading import SeenCard


@click.command()
@click.argument("photo", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option(
    "--annotate",
    "out",
    metavar="OUT.png",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the photo with what was seen drawn on it.",
)
def command(photo: Path, as_json: bool, out: Path | None) -> None:
    """Read the cards in a photograph of a table.

    What is not sure is printed with "?": ask before you peg it.

    \b
    Examples:
        boardctl see hand.jpg
        boardctl see hand.jpg --json --annotate seen.png
    """
    try:
        from boardctl.camera import photo as photos
        from boardctl.camera import reading
    except ImportError as error:
        raise click.ClickException(
            f"reading photographs needs {error.name}: pip install 'cribbage-boardctl[camera]'"
        ) from None
    try:
        taken = photos.load(photo)
        seen = reading.read(taken.image)
        if out is not None:
            from boardctl.camera.annotate import annotate

            photos.write(out, annotate(taken.image, seen))
    except photos.PhotoError as error:
        raise click.ClickException(str(error)) from None
    if not seen:
        raise click.ClickException(f"no cards found in {photo.name}")
    if as_json:
        click.echo(json.dumps({"cards": [_as_json(card, taken.scale) for card in seen]}))
        return
    click.echo(" ".join(f"{card.card}{'' if card.sure else '?'}" for card in seen))


def _as_json(card: SeenCard, scale: float) -> dict[str, Any]:
    box = [[round(x * scale, 1), round(y * scale, 1)] for x, y in card.box]
    return {"card": str(card.card), "sure": card.sure, "box": box}
