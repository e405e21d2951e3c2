"""The rooms of the package: at most eighteen on nine floors, as docs/architecture.md says."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

import boardctl

ROOT = Path(boardctl.__file__).parent
START = {"__init__", "__main__"}
"""The package's own modules, which belong to `record` and `commands`."""


def floors() -> list[set[str]]:
    linter = ConfigParser()
    linter.read(ROOT.parent / ".importlinter", "utf-8")
    lines = linter["importlinter:contract:floors"]["layers"].split("\n")
    return [set(line.replace("|", ":").replace(" ", "").split(":")) for line in lines if line]


def test_eighteen_rooms_stand_on_nine_floors() -> None:
    rooms = {path.stem for path in ROOT.iterdir() if (path / "__init__.py").exists()}
    rooms |= {path.stem for path in ROOT.glob("*.py")}
    assert set.union(*floors()) == rooms - {"__init__"}
    assert len(rooms - START) <= 18
    assert len(floors()) == 9
