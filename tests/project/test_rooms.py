"""Every room of the package has its layer in `.importlinter`."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

import boardctl

ROOT = Path(boardctl.__file__).parent


def floors() -> list[set[str]]:
    linter = ConfigParser()
    linter.read(ROOT.parent / ".importlinter", "utf-8")
    lines = linter["importlinter:contract:floors"]["layers"].split("\n")
    return [set(line.replace("|", ":").replace(" ", "").split(":")) for line in lines if line]


def test_every_room_has_a_floor() -> None:
    rooms = {path.stem for path in ROOT.iterdir() if (path / "__init__.py").exists()}
    rooms |= {path.stem for path in ROOT.glob("*.py")}
    assert set.union(*floors()) == rooms - {"__init__"}
