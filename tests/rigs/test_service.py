"""The service's unit under a real systemd, in a guest (see `qemu`): what its board reaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.parts import need
from tests.report import LongRun
from tests.rigs import qemu
from tests.rigs.guest.service import ONE, OTHER


@pytest.mark.long
def test_the_board_reaches_the_brokers_of_its_configuration(
    tmp_path: Path, long_run: LongRun
) -> None:
    need(
        "qemu",
        "kernel",
        "kernel-headers",
        "busybox",
        "cpio",
        "modprobe",
        "make",
        "cc",
        "systemd-analyze",
    )
    rows = qemu.boot(
        "tests.rigs.guest.service", tmp_path, ("overlay",), "init-systemd", patience=1200
    )
    found = {row["what"]: row for row in rows}
    long_run(**{what.replace(" ", "_"): str(row["reached"]) for what, row in found.items()})
    assert {what: row["reached"] for what, row in found.items()} == {
        "installed": True,
        "another broker": False,
        "followed": True,
        "at home": True,
    }
    assert all("ActiveState=active" in row["shown"] for row in rows)
    assert ONE in found["installed"]["shown"]
    assert OTHER in found["followed"]["shown"]
    assert "broker.conf" not in found["at home"]["shown"]
