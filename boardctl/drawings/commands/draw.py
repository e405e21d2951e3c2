"""`boardctl draw`: drawings of a board, made from its layout file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boardctl import text
from boardctl.commands import Group
from boardctl.commands.shared import user_language
from boardctl.commands.shared.reading import save
from boardctl.commands.shared.user_language import refused, say, speak, spoken
from boardctl.options import needs
from boardctl.text import LANGUAGES

if TYPE_CHECKING:
    from boardctl.board.layout import Layout
    from boardctl.board.sheet import Sheet

FORMATS = (".svg", ".dxf", ".pdf")
_layout = click.option(
    "--layout",
    "name",
    metavar="NAME",
    help="A layout's name or file; by default the config's.",
)
_config = click.option(
    "--config", "config_file", type=click.Path(path_type=Path), help="The daemon's config file."
)
_out = click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write: .svg, .dxf or .pdf.",
)
_paper = click.option(
    "--paper",
    type=click.Choice(["a4", "letter", "whole"]),
    default="a4",
    show_default=True,
    help="PDF page size: tiles of A4 or Letter, or one large page.",
)


@click.group(cls=Group)
def command() -> None:
    """Draw templates, wiring, key labels and parts lists from a layout.

    \b
    Examples:
        boardctl draw template --layout classic-2 --out front.pdf --paper letter
        boardctl draw wiring --config board.toml --out wiring.svg
        boardctl draw parts --layout travel-2
    """


@command.command()
@_layout
@_config
@click.option(
    "--plate",
    type=click.Choice(["front", "guide", "carrier", "all"]),
    default="all",
    show_default=True,
    help="The plate to draw; all plates, one per page, need a PDF.",
)
@_paper
@_out
def template(name: str | None, config_file: Path | None, plate: str, paper: str, out: Path) -> None:
    """Draw what to cut, drill and engrave, at full scale.

    \b
    Example:
        boardctl draw template --layout classic-2 --plate front --out front.dxf
    """
    _check_format(out)
    from boardctl.drawings.template import PLATES
    from boardctl.drawings.template import template as draw

    board = _board(name, _settings(config_file))
    plates = PLATES if plate == "all" and out.suffix.lower() == ".pdf" else (plate,)
    if plates == ("all",):
        plates = ("front",)
    _write(out, [draw(board, each) for each in plates], paper)  # type: ignore[arg-type]  # click has checked the choice


@command.command()
@_layout
@_config
@_paper
@_out
def wiring(name: str | None, config_file: Path | None, paper: str, out: Path) -> None:
    """Draw the wiring: pins, and the data path through the strips.

    \b
    Example:
        boardctl draw wiring --config ~/.config/boardctl/config.toml --out wiring.pdf
    """
    _check_format(out)
    from boardctl.drawings.parts import currents, feeds
    from boardctl.drawings.wiring import wiring as draw

    settings = _settings(config_file)
    board = _board(name, settings)
    fed = feeds(board, settings.power)
    figures = currents(board, settings.power)
    _write(out, [draw(board, wired(settings, board), fed, figures)], paper)


@command.command()
@_layout
@_config
@click.option(
    "--game", metavar="NAME", default=None, help="The game of the labels; by default the config's."
)
@click.option("--language", type=click.Choice(LANGUAGES), help="By default the config's.")
@click.option("--braille", is_flag=True, help="Large print and braille; .scad are raised caps.")
@click.option("--pad", is_flag=True, help="Labels for a USB number pad, with 7 8 9 on top.")
@_paper
@_out
def labels(
    name: str | None,
    config_file: Path | None,
    game: str | None,
    language: str | None,
    braille: bool,
    pad: bool,
    paper: str,
    out: Path,
) -> None:
    """Draw key labels for one game, at print size.

    \b
    Examples:
        boardctl draw labels --game cribbage --language ja --out keys.pdf
        boardctl draw labels --braille --out caps.scad
        boardctl draw labels --pad --braille --out pad.pdf
    """
    if braille and not pad:
        from boardctl.drawings import braille as felt

        board = _board(name, _settings(config_file))
        if out.suffix.lower() == ".scad":
            _save(out, felt.caps(board))
            return
        _check_format(out)
        _write(out, [felt.labels(board)], paper)
        return
    _check_format(out)
    from boardctl import games
    from boardctl.drawings.labels import labels as draw

    settings = _settings(config_file)
    game = game or settings.game
    if game not in games.names():
        allowed = ", ".join(games.names())
        raise refused("no-such-rules", name=game, allowed=allowed)
    language = language or user_language.boards_language(config_file)
    if pad:
        from boardctl.drawings import numpad

        _write(out, [numpad.labels(game, language, felt=braille)], paper)
        return
    _write(out, [draw(_board(name, settings), game, language)], paper)


@command.command()
@_paper
@_out
def cards(paper: str, out: Path) -> None:
    """Draw labels in braille and print for the cards of a pack, two for each card.

    \b
    Example:
        boardctl draw cards --out cards.pdf
    """
    _check_format(out)
    from boardctl.drawings.card_labels import labels as draw

    _write(out, [draw()], paper)


@command.command()
@_layout
@_config
@_paper
@_out
def ridges(name: str | None, config_file: Path | None, paper: str, out: Path) -> None:
    """Draw tactile ridges for the ends of the streets and the skunk lines, at full scale; .scad has
    strips to print.

    \b
    Examples:
        boardctl draw ridges --layout classic-2 --out ridges.scad
        boardctl draw ridges --layout classic-2 --out ridges.pdf
    """
    from boardctl.drawings import ridges as felt

    board = _board(name, _settings(config_file))
    if out.suffix.lower() == ".scad":
        _save(out, felt.printed(board))
        return
    _check_format(out)
    _write(out, [felt.sheet(board)], paper)


@command.command()
@_layout
@_config
@click.option("--csv", "as_csv", is_flag=True, help="Write CSV instead of Markdown.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write; by default standard output.",
)
def parts(name: str | None, config_file: Path | None, as_csv: bool, out: Path | None) -> None:
    """List what to buy and cut, with the formula of every computed figure.

    \b
    Example:
        boardctl draw parts --layout travel-2 --csv --out parts.csv
    """
    from boardctl.drawings import parts as drawn

    settings = _settings(config_file)
    board = _board(name, settings)
    document = (drawn.table if as_csv else drawn.markdown)(board, settings.power)
    if out is None:
        click.echo(document, nl=False)
    else:
        _save(out, document.encode("utf-8"))


@command.command()
@click.argument("name", required=False)
@_paper
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The picture to write: .svg, .dxf or .pdf.",
)
def layout(name: str | None, paper: str, out: Path | None) -> None:
    """Show a layout in the terminal, or with --out as a picture of the lit board. Without a name,
    list the layouts.

    \b
    Example:
        boardctl draw layout twice-round-2 --out board.svg
    """
    from boardctl.board.layout import names

    if name is None:
        click.echo("\n".join(names()))
        return
    board = _board(name, _settings(None))
    pieces = sum(run.strip is not None for run in board.runs)
    titled = text.sentences().get(f"setup.layout.{board.name}")
    title = board.title if titled is None else text.catalogue(spoken()).gettext(titled)
    fields = {"name": board.name, "title": title, "tracks": board.tracks, "leds": board.leds}
    size = {"width": f"{board.width:.1f}", "height": f"{board.height:.1f}"}
    click.echo(say("layout", **fields, **size, lamps=len(board.lamps), pieces=pieces))
    if out is None:
        from shutil import get_terminal_size

        from boardctl.drawings.terminal import show

        # A pipe has no width and gets the full lines.
        click.echo(show(board, say("map"), get_terminal_size((0, 0)).columns or None))
    else:
        _check_format(out)
        from boardctl.board.drawing import board as draw

        _write(out, [draw(board)], paper)


@command.command("board")
@_layout
@_config
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to fill.",
)
@click.option(
    "--pico",
    is_flag=True,
    help="Add a socket for a Raspberry Pi Pico instead of a header for a Pi.",
)
def circuit_board(name: str | None, config_file: Path | None, out: Path, pico: bool) -> None:
    """Make the files to order a circuit board: KiCad project, Gerbers, bill of materials, placement
    list.

    \b
    Examples:
        boardctl draw board --layout classic-2 --out board
        boardctl draw board --layout classic-2 --pico --out board
    """
    from boardctl.commands.shared.terminal import progress
    from boardctl.drawings.pcb import folder

    settings = _settings(config_file)
    board = _board(name, settings)
    made = list(folder.files(board, settings.power, pico=pico, progress=progress))
    for file, data in made:
        _save(out / file, data)


@command.command("all")
@_layout
@_config
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to fill.",
)
def everything(name: str | None, config_file: Path | None, out: Path) -> None:
    """Write every drawing of a layout to a folder.

    \b
    Example:
        boardctl draw all --layout classic-2 --out hardware/classic-2
    """
    settings = _settings(config_file)
    board = _board(name, settings)
    with needs("drawings", "drawings"):
        from boardctl.drawings import folder
    for file, data in folder.files(board, wired(settings, board), settings.power):
        _save(out / file, data)


def wired(settings: Any, board: Layout) -> dict[str, Any]:
    """Return the parts in the configuration or, if there is none, those in the parts list."""
    from boardctl.app import config

    parts = {name: getattr(settings, name) for name in config.PARTS}
    found = {name: part for name, part in parts.items() if part is not None}
    if found:
        return found
    drivers = {"leds": "ws2812_spi", "keys": "gpio_matrix", "display": "oled"}
    return {name: config.part(driver) for name, driver in drivers.items()}


def _settings(file: Path | None) -> Any:
    from boardctl.app import config

    if file is None:
        return config.Config()
    speak(user_language.language(file))
    return config.load(file)


def _board(name: str | None, settings: Any) -> Layout:
    from boardctl.board.layout import load

    return load(name or settings.layout)


def _check_format(out: Path) -> None:
    if out.suffix.lower() not in FORMATS:
        raise refused("extension", out, allowed=", ".join(FORMATS))


def _write(out: Path, sheets: list[Sheet], paper: str) -> None:
    form = out.suffix.lower()
    with needs(form.removeprefix("."), "drawings"):
        if form == ".svg":
            from boardctl.board import svg

            data = svg.write(sheets[0])
        elif form == ".dxf":
            from boardctl.drawings import dxf

            data = dxf.write(sheets[0])
        else:
            from boardctl.drawings import pdf

            data = pdf.write(sheets, paper)  # type: ignore[arg-type]  # click checked it
    _save(out, data)


def _save(out: Path, data: bytes) -> None:
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused("unwritable", out, reason=error) from error
    save(out, data)
    click.echo(f"{out}")
