"""Two houses say the same bytes with PyNaCl and with the tab's libsodium."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.parts import need
from tests.tab.dealing import digest

ROOT = Path(__file__).parents[2]
CARDS = 20


def test_greetings_secrets_and_a_deal_are_the_same_in_the_tab(folder: Path) -> None:
    need("node", "pyodide")
    script = Path(__file__).with_name("dealing.mjs")
    command = ["node", str(script), str(folder), str(ROOT), str(CARDS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, digest(CARDS)), done.stderr[-2000:]
