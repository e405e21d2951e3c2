"""A keypad session on a disk whose syncs fail for a while; prints the visible state as JSON.

Run by `test_fsync` with the interposer preloaded: `keypad_session.py DATA SICK`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from boardctl.board import layout
from boardctl.console.faults import RETRY
from boardctl.record.record import Record, restore
from boardctl.storage.journal import AtOnce, Journal, read_sessions
from tests.tables import KeyedTable


def main() -> None:
    data, sick = map(Path, sys.argv[1:])
    journal = Journal(data, AtOnce())
    table = KeyedTable(journal)

    def kept() -> int:
        """Return the points that another program reads from the file."""
        ((prelude, entries),) = read_sessions(data)
        record: Record = restore(prelude)
        for entry in entries:
            record.read(entry.text)
        return sum(record.position.scores)

    def blinks(peg: str) -> bool:
        place = layout.load("classic-2").ledmap[peg]
        table.clock.run(3)
        seen = set()
        for _ in range(80):
            table.clock.run(0.05)
            seen.add(table.row.frame[3 * place : 3 * place + 3])
        return bytes(3) in seen

    def look(peg: str) -> dict[str, Any]:
        return {
            "blinks": blinks(peg),
            "scores": table.scores,
            "faults": dict(table.controller.faults),
            "kept": kept(),
        }

    table.press("A8#")
    found: dict[str, Any] = {"well": look("track1.8")}
    sick.write_text("1")
    table.press("B4#")
    found["ill"] = {**look("track2.4"), "said": table.controller.lines()}
    sick.unlink()
    table.clock.run(RETRY + 1)
    found["again"] = look("track2.4")
    journal.close()
    print(json.dumps(found))


main()
