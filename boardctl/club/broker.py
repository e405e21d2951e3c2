"""A Mosquitto configuration for a club: TLS, a password for each board and for the hub, and ACLs
that let a board write only below its own name.

The server's certificate is self-signed. Boards fetch it when they join and verify it by its
fingerprint.
"""

from __future__ import annotations

import base64
import hashlib
import os
import pwd
import re
import secrets
import shutil
import ssl
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from boardctl.far import TREE as FAR_TREE
from boardctl.mqtt import LARGEST, NAME, TREE
from boardctl.mqtt.joining import HUB_USER
from boardctl.storage import files
from boardctl.text import SpokenError
from boardctl.web import is_address

HOST: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9_])?")
"""The allowed names of the broker's machine. A certificate allows at most 64 characters (RFC 5280,
`ub-common-name`)."""
HOME: Final = "home"
"""The user name for Home Assistant."""
YEARS: Final = 10
CONNECTIONS: Final = 1000
"""The broker's maximum number of connections, including those that never send a byte."""
QUEUED: Final = 16 * 2**20
"""The maximum number of bytes queued for an offline client."""
MEMORY: Final = 256 * 2**20
"""The broker's memory limit in bytes: 22 KiB per board (docs/club.md), plus memory for queued
messages."""


class BrokerError(SpokenError):
    """A broker configuration that cannot be written."""


class Joined(NamedTuple):
    """The name and code with which a client joins."""

    user: str
    password: str
    code: str


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
        passwords = {user: secrets.token_urlsafe(12) for user in users}
        _certificate(directory, host)
        _private(directory / "passwords", _hashed(directory, passwords))
        _private(directory / "acl", acl(boards))
        _private(directory / "mosquitto.conf", config(directory, port))
        _hand_over(directory)
        return _joined(directory, host, port, passwords)
    except OSError as error:
        raise BrokerError("file", error.filename or directory, reason=error) from error


def add(directory: Path, boards: Sequence[str]) -> list[Joined]:
    """Admit more boards. A known client, including the hub and Home Assistant, gets a new code, and
    its old code stops working. A running broker reloads the files on SIGHUP.

    Raises:
        BrokerError: if a name is not valid, or the directory was not written by `write`.
    """
    _check([name for name in boards if name not in (HUB_USER, HOME)])
    try:
        port = re.search(r"^listener (\d+)$", (directory / "mosquitto.conf").read_text(), re.M)
        if port is None:
            raise BrokerError("no-listener", f"{directory}/mosquitto.conf")
        subject = _call(
            *("openssl", "x509", "-noout", "-subject", "-nameopt", "RFC2253"),
            *("-in", str(directory / "server.crt")),
        )
        host = subject.strip().removeprefix("subject=CN=")
        passwords = {user: secrets.token_urlsafe(12) for user in dict.fromkeys(boards)}
        known = (directory / "passwords").read_text("ascii").splitlines(keepends=True)
        kept = [line for line in known if line.partition(":")[0] not in passwords]
        allowed = (directory / "acl").read_text("ascii")
        new = [name for name in passwords if name not in (HUB_USER, HOME)]
        for name in new:  # with the current version's rights
            allowed = _without(allowed, name)
        allowed = allowed.rstrip("\n") + "\n"
        _private(directory / "passwords", "".join(kept) + _hashed(directory, passwords))
        _private(directory / "acl", allowed + "".join(f"\n{_board_acl(name)}" for name in new))
        _hand_over(directory)
        return _joined(directory, host, int(port[1]), passwords)
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
        _private(directory / "passwords", "".join(kept))
        _private(directory / "acl", allowed)
        _hand_over(directory)
    except OSError as error:
        raise BrokerError("file", error.filename or directory, reason=error) from error


def _check(boards: Sequence[str]) -> None:
    for name in boards:
        if not NAME.fullmatch(name) or name in (HUB_USER, HOME):
            raise BrokerError("board-name", value=name)


def _joined(directory: Path, host: str, port: int, passwords: Mapping[str, str]) -> list[Joined]:
    certificate = (directory / "server.crt").read_text("ascii")
    mark = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).digest()
    return [
        Joined(user, password, _code(host, port, user, password, mark))
        for user, password in passwords.items()
    ]


def _hashed(directory: Path, passwords: Mapping[str, str]) -> str:
    """Return lines of a password file, with the passwords hashed by Mosquitto."""
    plain = directory / "passwords.new"
    try:
        _private(plain, "".join(f"{user}:{password}\n" for user, password in passwords.items()))
        _call("mosquitto_passwd", "-U", str(plain))
        return plain.read_text("ascii")
    finally:
        plain.unlink(missing_ok=True)


def config(directory: Path, port: int) -> str:
    """Return the broker's own file (mosquitto.conf(5))."""
    where = directory.resolve()
    return "\n".join(
        (
            "per_listener_settings false",
            f"listener {port}",
            f"certfile {where}/server.crt",
            f"keyfile {where}/server.key",
            "tls_version tlsv1.2",
            "allow_anonymous false",
            f"password_file {where}/passwords",
            f"acl_file {where}/acl",
            "persistence true",
            f"persistence_location {where}/data/",
            "autosave_interval 60",
            "set_tcp_nodelay true",
            f"max_packet_size {LARGEST}",
            f"max_connections {CONNECTIONS}",
            "max_keepalive 120",
            "max_queued_messages 10000",
            f"max_queued_bytes {QUEUED}",
            f"memory_limit {MEMORY}",
            "persistent_client_expiration 14d",
            "log_dest stderr",
            "",
        )
    )


def acl(boards: Sequence[str]) -> str:
    """Return the access rights. A board may write below its own name, the hub may handle results,
    and Home Assistant its entities."""
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
    """Return the access rights without a board's lines, whether this or an earlier version wrote
    them."""
    return re.sub(rf"^user {re.escape(name)}\n(?:topic .*\n)*\n?", "", allowed, flags=re.M)


def _certificate(directory: Path, host: str) -> None:
    name = f"{'IP' if is_address(host) else 'DNS'}:{host}"
    _call(
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
        *("-nodes", "-days", str(365 * YEARS), "-subj", f"/CN={host}"),
        *("-addext", f"subjectAltName={name}"),
        *("-keyout", str(directory / "server.key"), "-out", str(directory / "server.crt")),
    )


def _private(path: Path, content: str) -> None:
    """Write a file completely or not at all, so that only its owner may read it."""
    files.replace(path, content.encode())


def _hand_over(directory: Path) -> None:
    """If running as root, make the broker's user the owner of the files."""
    try:
        pwd.getpwnam("mosquitto")
    except KeyError:
        return
    if os.geteuid() == 0:
        for path in (directory, *directory.iterdir()):
            shutil.chown(path, "mosquitto", "mosquitto")


def _call(*command: str) -> str:
    """Run a program and return its output."""
    try:
        return subprocess.run(command, check=True, capture_output=True).stdout.decode()
    except FileNotFoundError as error:
        raise BrokerError("not-installed", program=command[0]) from error
    except subprocess.CalledProcessError as error:
        last = error.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise BrokerError("program-failed", program=command[0], reason="".join(last)) from error


def _code(host: str, port: int, user: str, password: str, mark: bytes) -> str:
    """Return the one-time code, which contains everything that a client needs."""
    fingerprint = base64.urlsafe_b64encode(mark).decode().rstrip("=")
    return f"{user}:{password}:{fingerprint}@{host}:{port}"
