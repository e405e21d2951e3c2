"""Golden frames: the lights of every layout for a few pictures, as text with one line per lit lamp.

`python -m tests.board.golden` regenerates them; check the difference before committing it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from boardctl.board import layout
from boardctl.board.layout import Layout
from boardctl.board.reading import lights, reading
from boardctl.board.render import Event, Picture, Preview, Walk, render
from boardctl.games import Line, Scoreboard, Standing

FOLDER: Final = Path(__file__).with_name("golden")
SKUNKS: Final = (Line("double-skunk", 61), Line("skunk", 91))


def board(*scores: tuple[int, int], **rest: object) -> Scoreboard:
    """Return a scoreboard of (score, before) by side."""
    standings = tuple(Standing(score, before) for score, before in scores)
    return Scoreboard(standings, **rest)  # type: ignore[arg-type]  # fields by name


START = Picture(board((0, 0), (0, 0), lines=SKUNKS, dealer=1, turn=2))
MID = Picture(board((72, 64), (55, 43), lines=SKUNKS, dealer=2, turn=1), won=(3, 1))
PICTURES: Final[dict[str, tuple[Picture, float]]] = {
    "start": (START, 0.0),
    "double-skunk": (MID, 0.0),
    "skunk": (Picture(board((95, 91), (88, 80), lines=SKUNKS, dealer=1), won=(12, 0)), 0.0),
    "preview": (
        Picture(MID.scoreboard, preview=Preview(2, 12), event=Event("accepted", 3.0)),
        3.2,
    ),
    "walk": (Picture(MID.scoreboard, walks=(Walk(1, 64, 10.0),), unsaved=frozenset({1})), 10.2),
    "unsaved": (Picture(MID.scoreboard, unsaved=frozenset({1, 2})), 20.3),
    "refused": (Picture(MID.scoreboard, event=Event("refused", 5.0)), 5.5),
    "won": (
        Picture(
            board((121, 109), (80, 72), lines=SKUNKS, winner=1, over=True),
            won=(2, 0),
            celebrate=0.0,
        ),
        1.0,
    ),
    "night": (Picture(MID.scoreboard, won=(1, 8), brightness=0.0), 0.0),
    "pinochle": (Picture(board((484, 470), (37, 0), unit=10, goal=100, turn=1)), 0.0),
    "klaberjass": (Picture(board((499, 488), (181, 181), unit=5, goal=100)), 0.0),
    "rubicon": (
        Picture(board((2340, 840), (960, 0), unit=100, lines=(Line("rubicon", 10),))),
        0.0,
    ),
    "noddy": (Picture(board((29, 24), (17, 15), goal=31, turn=2)), 0.0),
    "costly-colours": (
        Picture(board((58, 49), (26, 20), goal=61, lines=(Line("skunk", 31),), dealer=2, turn=1)),
        0.0,
    ),
    "costly-colours-121": (Picture(board((112, 104), (97, 97), goal=121, turn=2)), 0.0),
    "belote-501": (Picture(board((347, 340), (162, 0), unit=5, goal=100)), 0.0),
    "pinochle-overshoot": (Picture(board((1150, 990), (760, 700), unit=10, goal=100)), 0.0),
    "belote": (
        Picture(board((488, 326), (251, 240), unit=5, goal=100, lines=(Line("half", 50),))),
        0.0,
    ),
    "below-zero": (Picture(board((-300, 0), (1010, 990), unit=10, goal=100)), 0.0),
    "five-card": (
        Picture(board((61, 57), (28, 22), goal=61, lines=(Line("skunk", 31),), winner=1)),
        0.0,
    ),
}


def tell(board_layout: Layout, picture: Picture, t: float) -> str:
    """Return one golden file: the readouts of the board, then each lamp and its colour."""
    frame = render(board_layout, picture, t)
    read = reading(board_layout, frame, picture.brightness)
    lines = [f"# {name} {value}" for name, value in read.items()]
    for name, colour in lights(board_layout, frame).items():
        lines.append(f"{name:<16}{colour.red:>4}{colour.green:>4}{colour.blue:>4}")
    return "\n".join(lines) + "\n"


def main() -> None:
    for name in layout.names():
        for title, (picture, t) in PICTURES.items():
            file = FOLDER / name / f"{title}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(tell(layout.load(name), picture, t), "utf-8")


if __name__ == "__main__":
    main()
