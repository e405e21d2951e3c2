"""Mosquitto's files: certificate, passwords and configuration, and the code with which a client
joins.

The certificate is self-signed: clients fetch it when they join, and verify it by its fingerprint.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import ssl
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from boardctl.mqtt import LARGEST
from boardctl.storage import files
from boardctl.text import SpokenError
from boardctl.web import is_address

HOST: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9_])?")
"""The allowed names of the broker's machine. A certificate allows at most 64 characters (RFC 5280,
`ub-common-name`)."""
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


def new_passwords(users: Iterable[str]) -> dict[str, str]:
    """Return a random password for each user."""
    return {user: secrets.token_urlsafe(12) for user in dict.fromkeys(users)}


def joined(directory: Path, host: str, port: int, passwords: Mapping[str, str]) -> list[Joined]:
    """Return these users' codes. The directory must contain the broker's certificate."""
    shown = (directory / "server.crt").read_text("ascii")
    mark = hashlib.sha256(ssl.PEM_cert_to_DER_cert(shown)).digest()
    return [
        Joined(user, password, code(host, port, user, password, mark))
        for user, password in passwords.items()
    ]


def hashed(directory: Path, passwords: Mapping[str, str]) -> str:
    """Return the lines of a password file, with the passwords hashed by Mosquitto."""
    plain = directory / "passwords.new"
    try:
        private(plain, "".join(f"{user}:{password}\n" for user, password in passwords.items()))
        call("mosquitto_passwd", "-U", str(plain))
        return plain.read_text("ascii")
    finally:
        plain.unlink(missing_ok=True)


def config(directory: Path, port: int, connections: int = CONNECTIONS, memory: int = MEMORY) -> str:
    """Return the broker's own file (mosquitto.conf(5)).

    Args:
        connections: the maximum number of connections.
        memory: the memory limit in bytes.
    """
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
            f"max_connections {connections}",
            "max_keepalive 120",
            "max_queued_messages 10000",
            f"max_queued_bytes {QUEUED}",
            f"memory_limit {memory}",
            "persistent_client_expiration 14d",
            "log_dest stderr",
            "",
        )
    )


def certificate(directory: Path, *hosts: str) -> None:
    """Write a private key and a certificate for a machine with these names and addresses."""
    names = ",".join(f"{'IP' if is_address(host) else 'DNS'}:{host}" for host in hosts)
    call(
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
        *("-nodes", "-days", str(365 * YEARS), "-subj", f"/CN={hosts[0]}"),
        *("-addext", f"subjectAltName={names}"),
        *("-keyout", str(directory / "server.key"), "-out", str(directory / "server.crt")),
    )


def private(path: Path, content: str) -> None:
    """Write a file completely or not at all, so that only its owner may read it."""
    files.replace(path, content.encode())


def call(*command: str) -> str:
    """Run a program and return its output."""
    try:
        return subprocess.run(command, check=True, capture_output=True).stdout.decode()
    except FileNotFoundError as error:
        raise BrokerError("not-installed", program=command[0]) from error
    except subprocess.CalledProcessError as error:
        last = error.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise BrokerError("program-failed", program=command[0], reason="".join(last)) from error


def code(host: str, port: int, user: str, password: str, mark: bytes) -> str:
    """Return the one-time code, which contains everything that a client needs."""
    fingerprint = base64.urlsafe_b64encode(mark).decode().rstrip("=")
    return f"{user}:{password}:{fingerprint}@{host}:{port}"
