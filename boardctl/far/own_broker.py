"""This board as the broker for both houses: Mosquitto runs next to the board.

Mosquitto has two users, one for each house. The other house joins with a code, which contains the
address, its name, its password and the certificate's fingerprint.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import re
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from boardctl.drivers.ports import trouble
from boardctl.far import TREE
from boardctl.mqtt import mosquitto
from boardctl.mqtt.connection import Broker
from boardctl.mqtt.mosquitto import BrokerError
from boardctl.text import Sentence

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
STEADY: Final = 3.0
"""Seconds after which a broker that has not ended counts as running."""
CONNECTIONS: Final = 64
"""The maximum number of connections: two houses, and strangers who never log in."""
MEMORY: Final = 32 * 2**20
"""Mosquitto's memory limit in bytes. The board's service limits both programs together."""
_OUTPUT: Final = 4096
"""The bytes of Mosquitto's output that are kept to explain its end."""


def program() -> str | None:
    """Return the path of the installed Mosquitto, or None if there is none."""
    return shutil.which(PROGRAM) or shutil.which(PROGRAM, path=PATHS)


def prepare(data: Path, host: str, port: int) -> Path:
    """Write Mosquitto's files and return their folder. As long as the address is the same, the
    certificate and the passwords do not change.

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
        if _read(folder / "mosquitto.conf") != (wanted := _config(folder, port)):  # older version
            mosquitto.private(folder / "mosquitto.conf", wanted)
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
    mosquitto.private(folder / "mosquitto.conf", _config(folder, port))
    mosquitto.private(folder / f"{HERE}.password", passwords[HERE])
    codes = mosquitto.joined(folder, host, port, passwords)
    (code,) = (one.code for one in codes if one.user == THERE)
    mosquitto.private(folder / "code", code)
    mosquitto.private(folder / "address", where)
    return folder


def _config(folder: Path, port: int) -> str:
    # Mosquitto started by root would become a user who may not read these files.
    user = f"user {pwd.getpwuid(os.geteuid()).pw_name}\n"
    return mosquitto.config(folder, port, CONNECTIONS, MEMORY) + user + "log_type error\n"


def _read(file: Path) -> str:
    return file.read_text("utf-8") if file.exists() else ""


def code(data: Path) -> str:
    """Return the code with which the other house joins, or an empty string before the first
    start."""
    return _read(data / FOLDER / "code")


def reached(data: Path, port: int) -> Broker:
    """Return the broker, in the form in which this board connects to it."""
    folder = data / FOLDER
    return Broker("localhost", port, True, folder / "server.crt", HERE, folder / f"{HERE}.password")


async def serve(
    data: Path,
    host: str,
    port: int,
    report: Callable[[Sentence | None], None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Keep Mosquitto running until cancelled.

    Args:
        report: receives the reason why the broker does not run, or None once it has been running
            for `STEADY` seconds.
        sleep: waits for some seconds.
    """
    while True:
        try:
            folder = await asyncio.to_thread(prepare, data, host, port)
            await _run(folder, report, sleep)
        except BrokerError as error:
            report(Sentence(error.message.kind, error.code, **error.fields))
        except OSError as error:
            report(trouble("file", path=error.filename or data / FOLDER, reason=error))
        await sleep(AGAIN)


async def _run(
    folder: Path,
    report: Callable[[Sentence | None], None],
    sleep: Callable[[float], Awaitable[None]],
) -> None:
    """Run Mosquitto until it ends. Raises BrokerError."""
    path = program()
    if path is None:
        raise BrokerError("not-installed", program=PROGRAM)
    process = await asyncio.create_subprocess_exec(
        path, "-c", str(folder / "mosquitto.conf"), stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE
    )
    assert process.stderr is not None
    steady = asyncio.create_task(_report_steady(report, sleep))
    try:
        output = await _end_of(process.stderr)
        status = await process.wait()
    except asyncio.CancelledError:
        process.terminate()
        await process.wait()
        raise
    finally:
        steady.cancel()
    raise BrokerError("program-failed", program=PROGRAM, reason=_reason(output) or status)


async def _report_steady(
    report: Callable[[Sentence | None], None], sleep: Callable[[float], Awaitable[None]]
) -> None:
    await sleep(STEADY)
    report(None)


async def _end_of(output: asyncio.StreamReader) -> str:
    """Read a program's output to its end, and return its last `_OUTPUT` bytes."""
    last = b""
    while some := await output.read(_OUTPUT):
        last = (last + some)[-_OUTPUT:]
    return last.decode("utf-8", "replace")


def _reason(output: str) -> str:
    """Return the last error in Mosquitto's output, without its time, or an empty string."""
    errors = re.findall(r"^(?:\d+: )?Error: (.+)$", output, re.MULTILINE)
    return errors[-1].strip() if errors else ""
