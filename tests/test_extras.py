"""A missing optional package is reported in one sentence that names it and its extra."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from boardctl.drivers.ports import SYSTEM_PACKAGES, PortError, need
from boardctl.options import MissingPackageError, needs
from boardctl.text import sentence, words

ROOT = Path(__file__).parent.parent


def test_the_sentence_names_part_package_and_extra() -> None:
    with pytest.raises(MissingPackageError) as missing, needs("pdf", "drawings"):
        import no_such_package  # type: ignore[import-not-found]  # noqa: F401
    assert sentence(missing.value) == (
        "a .pdf needs the Python package no_such_package, which is not installed: "
        "install boardctl with its extra [drawings]"
    )


def test_a_driver_reports_it_as_its_part() -> None:
    with pytest.raises(PortError, match=r"no_such_package.*\[lcd\]") as missing:
        need("no_such_package", "display", "lcd")
    assert missing.value.part == "display"


@pytest.mark.parametrize(
    ("module", "part", "extra"), [("spidev", "leds", "pi"), ("luma.oled", "display", "oled")]
)
def test_a_driver_advises_what_the_guide_installs(
    module: str, part: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It recommended the extra, which pip would compile on the Pi, next to apt's advice."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(PortError, match=rf"{module}.*\[{extra}\]") as missing:
        need(module, part, extra)
    package = SYSTEM_PACKAGES[module]
    assert f"on Raspberry Pi OS `apt install {package}` " in missing.value.reason
    for page in ("README.md", "docs/image.md"):
        assert package in (ROOT / page).read_text("utf-8"), page
    japanese = words(missing.value.reason, "ja")
    assert f"apt install {package}" in japanese
    assert "which is not" not in japanese


def test_a_command_ends_with_the_sentence_and_no_traceback() -> None:
    code = (
        "import sys; sys.modules['reportlab'] = None; sys.argv = ['boardctl', 'draw', 'labels', "
        "'--out', '/dev/null/labels.pdf']; from boardctl.commands import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: a .pdf needs the Python package reportlab")
    assert done.stderr.count("\n") == 1
