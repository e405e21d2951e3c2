"""`boardctl see`: read the cards in a photograph."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from boardctl import text
from boardctl.camera import saved_reports
from boardctl.commands.shared.user_language import refused, say
from boardctl.games.cards import Card, parse_cards
from boardctl.message import Message
from boardctl.options import needs
from boardctl.storage import pack_files

if TYPE_CHECKING:
    from boardctl.camera.reading import SeenCard


@click.command()
@click.argument("photos", nargs=-1, metavar="PHOTO...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--annotate",
    "out",
    metavar="OUT.png",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the photo with the recognized cards marked on it.",
)
@click.option(
    "--report",
    metavar="OUT.zip",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the photo, its reading and the cards of --right to a file that you can send.",
)
@click.option(
    "--right", metavar="CARDS", help='With --report: the cards in the photo, such as "5H 5S JD 4C".'
)
@click.option(
    "--reports",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Move the reports that phones saved on the board to a folder.",
)
@click.option(
    "--teach",
    metavar="NAME",
    help="Learn a pack from photos of its 52 cards in rows: spades, hearts, diamonds, clubs, each "
    "from ace to king.",
)
@click.option(
    "--suit",
    type=click.Choice(tuple(pack_files.SUITS.values())),
    help="With --teach: the photo shows only this suit; the pack is ready after all four.",
)
@click.option(
    "--ranks",
    metavar="RANKS",
    help="With --suit: the ranks that the pack has, such as A789TJQK; all thirteen if left out.",
)
@click.option("--camera", metavar="DEVICE", help="Take the photo: a V4L2 device, or picamera.")
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def command(
    photos: tuple[Path, ...],
    as_json: bool,
    out: Path | None,
    report: Path | None,
    right: str | None,
    reports: Path | None,
    teach: str | None,
    suit: str | None,
    ranks: str | None,
    camera: str | None,
    data: Path | None,
) -> None:
    """Read the cards in a photograph of a table.

    An uncertain card is printed with "?": check it before you peg it. With --json, an `error`
    object says why a photo cannot be read.

    \b
    Examples:
        boardctl see hand.jpg
        boardctl see hand.jpg --json --annotate seen.png
        boardctl see hand.jpg --report hand.zip --right "5H 5S JD 4C"
        boardctl see --reports saved
        boardctl see --teach bicycle black.jpg red.jpg
        boardctl see --teach bicycle --suit hearts hearts.jpg
        boardctl see --camera /dev/video0
    """
    if reports is not None:
        if any((photos, as_json, out, report, right, teach, suit, ranks, camera)):
            raise refused("reports-alone")
        _move_reports(_data(data), reports)
        return
    folder = _data(data) / "packs"
    with _reason(as_json):
        if teach is None:
            _check_source(photos, camera)
            after = _After(out, report, _cards(right, report))
            _see(photos[0] if photos else None, camera, folder, as_json, after)
        elif camera is not None or not photos or any((out, report, right)):
            raise refused("teach-photos")
        elif ranks is not None and (suit is None or not pack_files.valid_ranks(ranks)):
            raise refused("pack-ranks", value=ranks)
        elif suit is None:
            _teach(teach, photos, folder)
        elif len(photos) == 1:
            _teach_suit(teach, suit, ranks or pack_files.RANKS, photos[0], folder, as_json)
        else:
            raise refused("suit-one-photo", count=len(photos))


def _check_source(photos: tuple[Path, ...], camera: str | None) -> None:
    """Refuse anything but one photo or a camera."""
    if camera is not None and photos:
        raise refused("camera-no-photo")
    if camera is None and len(photos) != 1:
        raise refused("one-photo", count=len(photos))


@contextmanager
def _reason(as_json: bool) -> Iterator[None]:
    """If `as_json` is set, also print the reason why a photo cannot be read."""
    with needs("photographs", "camera"):
        from boardctl.camera.photo import PhotoError
    try:
        yield
    except PhotoError as error:
        if as_json:
            click.echo(json.dumps({"error": text.as_data(error)}))
        raise


def _data(data: Path | None) -> Path:
    from boardctl.storage.files import data_directory

    return data or data_directory()


def _move_reports(data: Path, to: Path) -> None:
    """Move the saved reports to a folder, and print their new paths.

    Raises:
        ClickException: if there are none, or one cannot be moved.
    """
    try:
        moved = saved_reports.move(data, to)
    except OSError as error:
        raise refused("unwritable", str(to), reason=error) from None
    if not moved:
        raise refused("no-reports", str(saved_reports.folder(data)))
    for path in moved:
        click.echo(path)


class _After(NamedTuple):
    """The files to write after a photo has been read."""

    annotated: Path | None
    report: Path | None
    right: tuple[Card, ...]
    """The cards in the photo, as its owner sees them."""


def _cards(right: str | None, report: Path | None) -> tuple[Card, ...]:
    """Return the cards given for a report, or no cards without a report.

    Raises:
        ClickException: if they are not cards, or only one of the two options is given.
    """
    if right is None and report is None:
        return ()
    try:
        cards = tuple(parse_cards(right or ""))
    except ValueError:
        cards = ()
    if not cards or report is None:
        raise refused("report-cards")
    return cards


def _see(path: Path | None, device: str | None, folder: Path, as_json: bool, after: _After) -> None:
    from boardctl.camera import annotate, devices, photo, reports, taught, views

    taken = photo.load(path) if path is not None else devices.take(device or "")
    seen = views.read(taken.image, taught.load(folder))
    if after.report is not None:
        reading = [_as_json(card, 1.0) for card in seen]
        reports.write(after.report, taken.image, reading, after.right)
    if not seen:
        raise photo.PhotoError("no-cards", path.name if path is not None else device)
    if after.annotated is not None:
        photo.write(after.annotated, annotate.annotate(taken.image, seen))
    if as_json:
        click.echo(json.dumps({"cards": [_as_json(card, taken.scale) for card in seen]}))
    else:
        click.echo(" ".join(f"{card.card}{'' if card.sure else '?'}" for card in seen))


def _as_json(card: SeenCard, scale: float) -> dict[str, Any]:
    box = [[round(x * scale, 1), round(y * scale, 1)] for x, y in card.box]
    probability = round(card.probability, 3)
    return {"card": str(card.card), "sure": card.sure, "probability": probability, "box": box}


def _teach(name: str, paths: tuple[Path, ...], folder: Path) -> None:
    from boardctl.camera import outlines, photo, taught

    taught.check_name(name)
    photos = []
    for path in paths:
        image = photo.load(path).image
        photos.append((path.name, image, outlines.of_one_size(outlines.find(image).cards)))
    pack = taught.learn(name, photos)
    taught.save(folder, pack)
    click.echo(say("pack-learned", name=name, count=len(pack.faces)))


def _teach_suit(name: str, suit: str, ranks: str, path: Path, folder: Path, as_json: bool) -> None:
    """Learn one suit. If `as_json` is set, print the content of the photo even if cards are
    missing."""
    from boardctl.camera import lesson, photo, taught

    taught.check_name(name)
    letter = suit[0].upper()
    seen = lesson.cards_laid(photo.load(path).image, letter, ranks)
    left = lesson.keep(folder, name, letter, seen.pictures, ranks) if seen.learned else None
    if as_json:
        answer = {"found": seen.found, "missing": seen.missing, "other": seen.other, "left": left}
        click.echo(json.dumps(answer))
    elif seen.other:
        raise refused("other-suit", path.name, shown=_named(seen.other), wanted=_named(letter))
    elif left is None:
        code = "suit-incomplete-lay" if seen.missing else "suit-incomplete"
        missing = ", ".join(seen.missing)
        raise refused(code, path.name, found=seen.found, wanted=seen.wanted, missing=missing)
    elif left:
        still = tuple(map(_named, left))
        click.echo(say("suit-learned", name=name, suit=_named(letter), left=still))
    else:
        count = int(taught.taught_faces(taught.load_pack(folder, name).faces).sum())
        click.echo(say("pack-learned", name=name, count=count))


def _named(suit: str) -> Message:
    """Return the name of a suit, by its letter."""
    return Message("page", f"suit-{suit}")
