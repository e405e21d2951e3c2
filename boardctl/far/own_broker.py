"""This board as the broker for both houses: Mosquitto runs next to the board.

Mosquitto has two users, one for each house. The other house joins with a code, which contains the
address, its name, its password and the certificate's fingerprint.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
from asyncio.subprocess import DEVNULL
from collections.abc import Callable
from pathlib import Path
from typing import Final

from boardctl.far import TREE
from boardctl.mqtt import mosquitto
from boardctl.mqtt.connection import Broker
from boardctl.mqtt.mosquitto import BrokerError

FOLDER: Final = "far-broker-here"
"""Mosquitto's files, in the data directory."""
HERE: Final = "here"
"""The user name of this house."""
THERE: Final = "there"
"""The user name of the other house."""
PROGRAM: Final = "mosquitto"
PATHS: Final = os.pathsep.join((os.defpath, "/usr/local/bin", "/usr/sbin", "/usr/local/sbin"))
AGAIN: Final = 30.0
"""Seconds before a broker that has ended is started again."""


def program() -> str | None:
    """Return the path of the installed Mosquitto, or None if there is none."""
    return shutil.which(PROGRAM) or shutil.which(PROGRAM, path=PATHS)


def prepare(data: Path, host: str, port: int) -> Path:
    """Write Mosquitto's files if they do not exist for this address, and return their folder.

    Args:
        data: the board's data directory.
        host: the name or address at which the other house reaches this board.

    Raises:
        BrokerError: if a program is missing or has failed.
        OSError: if the files cannot be written.
    """
    folder = data / FOLDER
    where = f"{host}:{port}"
    if _read(folder / "address") == where:
        return folder
    if folder.exists():
        shutil.rmtree(folder)
    (folder / "data").mkdir(parents=True, mode=0o700)
    folder.chmod(0o700)
    mosquitto.certificate(folder, host, "localhost", "127.0.0.1")
    passwords = mosquitto.new_passwords((HERE, THERE))
    mosquitto.private(folder / "passwords", mosquitto.hashed(folder, passwords))
    rights = "".join(f"user {user}\ntopic readwrite {TREE}/#\n\n" for user in passwords)
    mosquitto.private(folder / "acl", rights)
    # Mosquitto started by root would become a user who may not read these files.
    user = f"user {pwd.getpwuid(os.geteuid()).pw_name}\n"
    mosquitto.private(folder / "mosquitto.conf", mosquitto.config(folder, port) + user)
    mosquitto.private(folder / f"{HERE}.password", passwords[HERE])
    codes = mosquitto.joined(folder, host, port, passwords)
    (code,) = (one.code for one in codes if one.user == THERE)
    mosquitto.private(folder / "code", code)
    mosquitto.private(folder / "address", where)
    return folder


def _read(file: Path) -> str:
    return file.read_text("utf-8") if file.exists() else ""


def code(data: Path) -> str:
    """Return the code with which the other house joins, empty before the first start."""
    return _read(data / FOLDER / "code")


def reached(data: Path, port: int) -> Broker:
    """Return the broker as this board reaches it."""
    folder = data / FOLDER
    return Broker("localhost", port, True, folder / "server.crt", HERE, folder / f"{HERE}.password")


async def serve(data: Path, host: str, port: int, report: Callable[[str | None], None]) -> None:
    """Keep Mosquitto running until cancelled.

    Args:
        report: receives the reason why the broker does not run, or None once it runs.
    """
    while True:
        try:
            folder = await asyncio.to_thread(prepare, data, host, port)
            await _run(folder, report)
        except (BrokerError, OSError) as error:
            report(str(error))
        await asyncio.sleep(AGAIN)


async def _run(folder: Path, report: Callable[[str | None], None]) -> None:
    """Run Mosquitto until it ends. Raises BrokerError."""
    path = program()
    if path is None:
        raise BrokerError("not-installed", program=PROGRAM)
    process = await asyncio.create_subprocess_exec(
        path, "-c", str(folder / "mosquitto.conf"), stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL
    )
    report(None)
    try:
        status = await process.wait()
    except asyncio.CancelledError:
        process.terminate()
        await process.wait()
        raise
    raise BrokerError("program-failed", program=PROGRAM, reason=status)
