"""Join a broker with its one-time code: `USER:PASSWORD:FINGERPRINT@HOST:PORT`.

The fingerprint is the SHA-256 of the broker's certificate, so that the certificate can be fetched
over an untrusted network and verified.
"""

from __future__ import annotations

import base64
import hashlib
import re
import ssl
from pathlib import Path
from typing import Final, NamedTuple

from boardctl.mqtt import NAME
from boardctl.storage import files
from boardctl.text import SpokenError

_CODE: Final = re.compile(
    rf"(?P<user>{NAME.pattern}):(?P<password>[A-Za-z0-9_-]+):(?P<mark>[A-Za-z0-9_-]{{43}})"
    r"@(?P<host>[A-Za-z0-9.:_-]+):(?P<port>[0-9]{1,5})"
)
_MOST: Final = 65_535

HUB_USER: Final = "hub"
"""The name by which a hub joins its broker."""


class JoinError(SpokenError):
    """A joining code that cannot be used."""


class Code(NamedTuple):
    """The parts of a joining code."""

    user: str
    password: str
    mark: str
    """The SHA-256 of the broker's certificate, in base64 for URLs without padding."""
    host: str
    port: int


class Membership(NamedTuple):
    """The verified broker of a code, and the credentials for it."""

    host: str
    port: int
    user: str
    password: str
    certificate: str


def is_code(text: str) -> bool:
    """Return whether a text has the form of a code."""
    try:
        parse(text)
    except JoinError:
        return False
    return True


def parse(code: str) -> Code:
    """Return the parts of a code. Raises JoinError if the code is not valid."""
    found = _CODE.fullmatch(code.strip())
    if found is None or not 1 <= int(found["port"]) <= _MOST:
        raise JoinError("broker-code")
    user, password, mark, host = found.group("user", "password", "mark", "host")
    return Code(user, password, mark, host, int(found["port"]))


def verify(code: str) -> Membership:
    """Fetch the certificate of a code's broker and verify it.

    Raises:
        JoinError: if the code is not valid, or the broker does not respond or is not the one in the
            code.
    """
    user, password, fingerprint, host, port = parse(code)
    try:
        shown = ssl.get_server_certificate((host, port), timeout=10)
    except (OSError, UnicodeError) as error:  # a name that no name server can have
        raise JoinError("no-answer", f"{host}:{port}", reason=error) from error
    mark = hashlib.sha256(ssl.PEM_cert_to_DER_cert(shown)).digest()
    if base64.urlsafe_b64encode(mark).decode().rstrip("=") != fingerprint:
        raise JoinError("other-broker", f"{host}:{port}")
    return Membership(host, port, user, password, shown)


def join(code: str, directory: Path) -> str:
    """Fetch and verify the certificate, and store it with the password. Return the next step: the
    `[mqtt]` lines for a board's configuration, or the hub's command.

    Raises:
        JoinError: if the code is not valid, the broker does not answer or has a different
            certificate, or the directory is not writable.
    """
    host, port, user, secret, shown = verify(code)
    ca, password = directory / "mqtt.pem", directory / "mqtt.password"
    try:
        files.make_directory(directory)
        files.replace(ca, shown.encode())
        files.replace(password, secret.encode())
    except OSError as error:
        raise JoinError("file", error.filename, reason=error) from error
    if user == HUB_USER:
        return (
            f"boardctl hub --broker {host}:{port} --ca {ca.resolve()} "
            f"--password-file {password.resolve()}"
        )
    return "\n".join(
        (
            "[mqtt]",
            "enabled = true",
            f'host = "{host}"',
            f"port = {port}",
            f'board = "{user}"',
            f'ca = "{ca.resolve()}"',
            f'password_file = "{password.resolve()}"',
        )
    )
