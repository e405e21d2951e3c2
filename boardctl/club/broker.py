"""A Mosquitto configuration for a club: TLS, a password for each board and for the hub, and ACLs
that allow a board to write only to topics below its own name.

The server's certificate is self-signed. Boards fetch it when they join and verify it by its
fingerprint.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from boardctl.far import TREE as FAR_TREE
from boardctl.mqtt import NAME, TREE
from boardctl.mqtt.joining import HUB_USER
from boardctl.mqtt.mosquitto import (
    HOST,
    BrokerError,
    Joined,
    call,
    certificate,
    config,
    hashed,
    joined,
    new_passwords,
    private,
)
from boardctl.web import is_address

HOME: Final = "home"
"""The user name for Home Assistant."""


def write(directory: Path, host: str, port: int, boards: Sequence[str]) -> list[Joined]:
    """Write `mosquitto.conf`, the passwords, the ACLs and the certificate for these boards and the
    hub.

    `host` is the broker's name or address for the boards. Existing files are never overwritten.

    Raises:
        BrokerError: if a name is not valid, the directory is already used, or openssl or
        mosquitto_passwd is missing.
    """
    _check(boards)
    if not (HOST.fullmatch(host) or is_address(host)):
        raise BrokerError("broker-host", value=host)
    if (directory / "mosquitto.conf").exists():
        raise BrokerError("broker-exists", directory)
    users = [*dict.fromkeys(boards), HUB_USER, HOME]
    try:
        (directory / "data").mkdir(parents=True, exist_ok=True)
        passwords = new_passwords(users)
        certificate(directory, host)
        private(directory / "passwords", hashed(directory, passwords))
        private(directory / "acl", acl(boards))
        private(directory / "mosquitto.conf", config(directory, port))
        _hand_over(directory)
        return joined(directory, host, port, passwords)
    except OSError as error:
        raise BrokerError("file", error.filename or directory, reason=error) from error


def add(directory: Path, boards: Sequence[str]) -> list[Joined]:
    """Admit more boards. A client that is already known (such as the hub or Home Assistant) is
    given a new code, and its old code stops working. A running broker reloads the files on SIGHUP.

    Raises:
        BrokerError: if a name is not valid, or the directory was not written by `write`.
    """
    _check([name for name in boards if name not in (HUB_USER, HOME)])
    try:
        port = re.search(r"^listener (\d+)$", (directory / "mosquitto.conf").read_text(), re.M)
        if port is None:
            raise BrokerError("no-listener", f"{directory}/mosquitto.conf")
        subject = call(
            *("openssl", "x509", "-noout", "-subject", "-nameopt", "RFC2253"),
            *("-in", str(directory / "server.crt")),
        )
        host = subject.strip().removeprefix("subject=CN=")
        passwords = new_passwords(boards)
        known = (directory / "passwords").read_text("ascii").splitlines(keepends=True)
        kept = [line for line in known if line.partition(":")[0] not in passwords]
        allowed = (directory / "acl").read_text("ascii")
        new = [name for name in passwords if name not in (HUB_USER, HOME)]
        for name in new:  # with the current version's rights
            allowed = _without(allowed, name)
        allowed = allowed.rstrip("\n") + "\n"
        private(directory / "passwords", "".join(kept) + hashed(directory, passwords))
        private(directory / "acl", allowed + "".join(f"\n{_board_acl(name)}" for name in new))
        _hand_over(directory)
        return joined(directory, host, int(port[1]), passwords)
    except OSError as error:
        raise BrokerError("file", error.filename or directory, reason=error) from error


def revoke(directory: Path, boards: Sequence[str]) -> None:
    """Revoke boards: remove their passwords and access rights. A running broker reloads the files
    on SIGHUP, and closes connections that have no password (mosquitto(8)).

    Raises:
        BrokerError: if a name is not known, or the directory was not written by `write`.
    """
    try:
        known = (directory / "passwords").read_text("ascii").splitlines(keepends=True)
        allowed = (directory / "acl").read_text("ascii")
        for name in boards:
            if not any(line.startswith(f"{name}:") for line in known):
                raise BrokerError("unknown-board", name=name)
        kept = [line for line in known if line.partition(":")[0] not in boards]
        for name in boards:
            if name not in (HUB_USER, HOME):
                allowed = _without(allowed, name)
        private(directory / "passwords", "".join(kept))
        private(directory / "acl", allowed)
        _hand_over(directory)
    except OSError as error:
        raise BrokerError("file", error.filename or directory, reason=error) from error


def _check(boards: Sequence[str]) -> None:
    for name in boards:
        if not NAME.fullmatch(name) or name in (HUB_USER, HOME):
            raise BrokerError("board-name", value=name)


def acl(boards: Sequence[str]) -> str:
    """Return the access rights. A board may write to topics below its own name. The hub may read
    results and acknowledge them. Home Assistant may send commands."""
    lines = [_board_acl(board) for board in dict.fromkeys(boards)]
    lines += [f"user {HUB_USER}", f"topic write {TREE}/hub/online", f"topic write {TREE}/+/ack"]
    lines += [f"topic read {TREE}/+/{name}" for name in ("online", "state", "result")]
    lines += ["", f"user {HOME}", "topic read homeassistant/#", f"topic read {TREE}/#"]
    lines += ["topic write homeassistant/status"]
    lines += [f"topic write {TREE}/+/{name}" for name in ("command", "light")]
    return "\n".join(lines) + "\n"


def _board_acl(board: str) -> str:
    own = f"{TREE}/{board}"
    topics = ("online", "state", "event", "shout", "result", "answer")
    lines = [f"user {board}", *(f"topic write {own}/{name}" for name in topics)]
    lines += [f"topic read {own}/{name}" for name in ("command", "light", "ack")]
    lines += [f"topic read {TREE}/hub/online", f"topic readwrite {FAR_TREE}/#"]
    lines += [f"topic write homeassistant/device/boardctl_{board}/config", ""]
    return "\n".join(lines)


def _without(allowed: str, name: str) -> str:
    """Return the access rights without a board's lines, whether they were written by this or an
    earlier version."""
    return re.sub(rf"^user {re.escape(name)}\n(?:topic .*\n)*\n?", "", allowed, flags=re.M)


def _hand_over(directory: Path) -> None:
    """If running as root, make the broker's user the owner of the files."""
    try:
        pwd.getpwnam("mosquitto")
    except KeyError:
        return
    if os.geteuid() == 0:
        for path in (directory, *directory.iterdir()):
            shutil.chown(path, "mosquitto", "mosquitto")
