"""A circuit board without KiCad is refused before anything is routed."""

from __future__ import annotations

import pytest

from boardctl.board import layout
from boardctl.drawings.pcb import folder
from boardctl.drawings.pcb.fabrication import KicadError
from boardctl.drivers.budget import Options


def test_kicad_is_looked_for_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(folder, "panels", lambda *_, **__: pytest.fail("routed for nothing"))
    with pytest.raises(KicadError, match="apt install kicad"):
        list(folder.files(layout.load("travel-2"), Options()))
