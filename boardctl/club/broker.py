"""A Mosquitto for a club: TLS, a password for each board and for the hub, and ACLs by which a
board writes below its own name only. Called by `boardctl club broker`.

The server's certificate is made here and is its own authority: boards check it by its file, which
they fetch when they join and know by its fingerprint.
"""

from __future__ import annotations

import base64
import hashlib
import os
import pwd
import secrets
import shutil
import ssl
import subprocess
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Final, NamedTuple

from boardctl.mqtt import NAME, TREE

HUB: Final = "hub"
HOME: Final = "home"
"""The user for Home Assistant."""
YEARS: Final = 10


class BrokerError(Exception):
    """The configuration can not be written; the message is one sentence."""


class Joined(NamedTuple):
    """What one who may join has to know."""

    user: str
    password: str
    code: str


def write(directory: Path, host: str, port: int, boards: Sequence[str]) -> list[Joined]:
    """Write `mosquitto.conf`, passwords, ACLs and certificate for these boards and the hub.

    `host` is the name or address by which boards reach the broker. Nothing is ever overwritten.

    Raises:
        BrokerError: a name that is none, a directory already used, openssl or mosquitto_passwd
            missing.
    """
    for name in boards:
        if not NAME.fullmatch(name) or name in (HUB, HOME):
            raise BrokerError(f"{name!r} is no name for a board")
    if (directory / "mosquitto.conf").exists():
        raise BrokerError(f"{directory}: has a mosquitto.conf already; nothing was written")
    users = [*dict.fromkeys(boards), HUB, HOME]
    try:
        (directory / "data").mkdir(parents=True, exist_ok=True)
        passwords = {user: secrets.token_urlsafe(12) for user in users}
        _certificate(directory, host)
        told = (directory / "server.crt").read_text("ascii")
        mark = hashlib.sha256(ssl.PEM_cert_to_DER_cert(told)).digest()
        _private(directory / "passwords", "".join(f"{u}:{p}\n" for u, p in passwords.items()))
        _call("mosquitto_passwd", "-U", str(directory / "passwords"))
        _private(directory / "acl", acl(boards))
        _private(directory / "mosquitto.conf", config(directory, port))
        _hand_over(directory)
    except OSError as error:
        raise BrokerError(f"{error.filename or directory}: {error.strerror}") from error
    return [
        Joined(user, password, _code(host, port, user, password, mark))
        for user, password in passwords.items()
    ]


def config(directory: Path, port: int) -> str:
    """The broker's own file (mosquitto.conf(5))."""
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
            "max_packet_size 65536",
            "max_queued_messages 10000",
            "log_dest stderr",
            "",
        )
    )


def acl(boards: Sequence[str]) -> str:
    """Who may read and write what: a board below its own name, the hub what concerns results,
    Home Assistant what it shows and asks for."""
    lines = []
    for board in boards:
        own = f"{TREE}/{board}"
        topics = ("online", "state", "event", "shout", "result", "answer")
        lines += [f"user {board}", *(f"topic write {own}/{name}" for name in topics)]
        lines += [f"topic read {own}/{name}" for name in ("command", "light", "ack")]
        lines += [f"topic read {TREE}/hub/online"]
        lines += [f"topic write homeassistant/device/boardctl_{board}/config", ""]
    lines += [f"user {HUB}", f"topic write {TREE}/hub/online", f"topic write {TREE}/+/ack"]
    lines += [f"topic read {TREE}/+/{name}" for name in ("online", "state", "result")]
    lines += ["", f"user {HOME}", "topic read homeassistant/#", f"topic read {TREE}/#"]
    lines += ["topic write homeassistant/status"]
    lines += [f"topic write {TREE}/+/{name}" for name in ("command", "light")]
    return "\n".join(lines) + "\n"


def _certificate(directory: Path, host: str) -> None:
    try:
        name = f"IP:{ip_address(host)}"
    except ValueError:
        name = f"DNS:{host}"
    _call(
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
        *("-nodes", "-days", str(365 * YEARS), "-subj", f"/CN={host}"),
        *("-addext", f"subjectAltName={name}"),
        *("-keyout", str(directory / "server.key"), "-out", str(directory / "server.crt")),
    )


def _private(path: Path, content: str) -> None:
    """A file that only its owner may read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(content)


def _hand_over(directory: Path) -> None:
    """Where root writes, the broker must be able to read as its own user."""
    try:
        pwd.getpwnam("mosquitto")
    except KeyError:
        return
    if os.geteuid() == 0:
        for path in (directory, *directory.iterdir()):
            shutil.chown(path, "mosquitto", "mosquitto")


def _call(*command: str) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError as error:
        raise BrokerError(f"{command[0]} is not installed") from error
    except subprocess.CalledProcessError as error:
        last = error.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise BrokerError(f"{command[0]}: {''.join(last)}") from error


def _code(host: str, port: int, user: str, password: str, mark: bytes) -> str:
    """All that a board needs, in one word to be shown once."""
    told = base64.urlsafe_b64encode(mark).decode().rstrip("=")
    return f"{user}:{password}:{told}@{host}:{port}"
