"""The plots of docs/figures, drawn from the measurements of `growth`.

The same figures always produce the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from tools.bench.growth import Sample
from tools.bench.league import Load

FOLDER = Path(__file__).parents[2] / "docs" / "figures"
TITLES = {
    "move": "A line submitted to the table, until it is accepted and lit",
    "undo": "An undo, until it is accepted and lit",
    "resume": "A board opened on its journal, until its first frame",
}


def draw(moves: list[Sample], games: list[Sample], folder: Path = FOLDER) -> None:
    """Draw one SVG each for a move, an undo and a resume, plotted against moves in a game and games
    in the journal."""
    folder.mkdir(exist_ok=True)
    with mpl.rc_context({"svg.hashsalt": "boardctl", "svg.fonttype": "none", "font.size": 9}):
        for name, title in TITLES.items():
            figure = Figure(figsize=(7, 2.6), layout="constrained")
            left, right = figure.subplots(1, 2, sharey=True)
            for axes, samples, what in (
                (left, moves, "moves in the game"),
                (right, games, "games in the journal"),
            ):
                axes.plot(
                    [sample.size for sample in samples],
                    [getattr(sample, name) for sample in samples],
                    marker="o",
                    markersize=3,
                )
                axes.set_xlabel(what)
                axes.grid(alpha=0.3)
            right.set_xscale("log")
            left.set_ylim(bottom=0)
            left.set_ylabel("ms")
            figure.suptitle(title, fontsize=10)
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})


def league(loads: Sequence[Load], folder: Path = FOLDER) -> None:
    """Return an SVG of a league's evening: CPU, memory and time to an acknowledgement, plotted
    against boards."""
    boards = [load.boards for load in loads]
    series = {
        "CPU, cores": {
            "broker": [load.broker_cpu for load in loads],
            "three hubs": [load.hubs_cpu for load in loads],
            "PostgreSQL": [load.database_cpu for load in loads],
        },
        "memory, MiB": {
            "broker": [load.broker_memory for load in loads],
            "a hub": [load.hub_memory for load in loads],
        },
        "result to acknowledgement, ms": {
            "half of them": [load.median for load in loads],
            "99 of 100": [load.p99 for load in loads],
        },
    }
    folder.mkdir(exist_ok=True)
    with mpl.rc_context({"svg.hashsalt": "boardctl", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(9, 2.8), layout="constrained")
        for axes, (title, lines) in zip(figure.subplots(1, 3), series.items(), strict=True):
            for label, values in lines.items():
                axes.plot(boards, values, marker="o", markersize=3, label=label)
            axes.set_title(title, fontsize=9)
            axes.set_xlabel("boards")
            axes.set_ylim(bottom=0)
            axes.grid(alpha=0.3)
            axes.legend(fontsize=8)
        figure.savefig(folder / "league.svg", metadata={"Date": None})
