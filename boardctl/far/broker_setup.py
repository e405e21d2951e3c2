"""The set-up questions about the broker that connects two houses.

A house uses a public broker, a club's broker, or its own board as the broker for both houses. The
answers become the `[far]` section of the configuration. A password is stored in a separate file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardctl.features import Ask
from boardctl.web import is_address

OTHER, OWN, NONE = "other", "own", ""
CHOICES: Final = (NONE, OTHER, OWN)
PASSWORD: Final = "far.password"
"""The file with the password."""
CERTIFICATE: Final = "far.pem"
"""The file with the certificate of a broker that was joined with a code."""
PORT: Final = 8883
_HOST: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}[A-Za-z0-9_])?")
_MOST: Final = 65_535


class Place(NamedTuple):
    """A broker's host and port."""

    host: str
    port: int


def place(answer: str) -> Place | None:
    """Return the host and port of an answer such as `broker.example` or `broker.example:8884`, or
    None if it is not valid. An IPv6 address with a port must be in brackets."""
    answer = answer.strip()
    if is_address(answer):
        return Place(answer, PORT)
    host, colon, port = answer.rpartition(":")
    if not colon:
        host, port = answer, str(PORT)
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not (_HOST.fullmatch(bare) or is_address(bare)):
        return None
    if not (port.isdecimal() and port.isascii() and len(port) <= 5 and 1 <= int(port) <= _MOST):
        return None
    return Place(bare, int(port))


def _spell(found: Mapping[str, str], key: str) -> str:
    """Return a configured host, followed by its port unless that is the default."""
    host, port = found.get(key, ""), found.get("far.port", str(PORT))
    if not host or port == str(PORT):
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def questions(before: Mapping[str, str], ask: Ask) -> None:
    """Ask the questions that follow from the answers so far.

    Args:
        before: the present configuration as answers.
        ask: asks a question and returns its answer.
    """
    usual = OWN if before.get("far.own") else OTHER if before.get("far.host") else NONE
    chosen = ask("far.broker", usual, CHOICES)
    if chosen == OTHER:
        address = ask("far.host", _spell(before, "far.host"))
        if not _is_code(address):
            ask("far.user", before.get("far.user", ""))
            ask("far.password", "", secret=True)
    elif chosen == OWN:
        ask("far.own", _spell(before, "far.own"))


def _is_code(answer: str) -> bool:
    from boardctl.mqtt import joining

    return joining.is_code(answer)


def wrong(name: str, answer: str) -> tuple[str, dict[str, Any]] | None:
    """Return what is wrong with an answer, as the code and fields of a refusal, or None."""
    if name == "far.broker" and answer == OWN:
        from boardctl.far import own_broker

        if own_broker.program() is None:
            return "setup-no-mosquitto", {}
    if name == "far.host" and not (place(answer) or _is_code(answer)):
        return "setup-broker", {"answer": answer.strip()}
    if name == "far.own" and not _is_own(answer):
        return "setup-own-broker", {"answer": answer.strip()}
    return None


def _is_own(answer: str) -> bool:
    """Return whether the host in an answer is a name or address of this board that other machines
    can reach and a certificate can contain."""
    from boardctl.mqtt import mosquitto

    found = place(answer)
    if found is None:
        return False
    if is_address(found.host):
        return not ip_address(found.host).is_unspecified
    return mosquitto.HOST.fullmatch(found.host) is not None


def settle(config: dict[str, Any], given: Mapping[str, str], folder: Path) -> None:
    """Enter the answers in the configuration's tables.

    Args:
        config: the configuration, changed here.
        given: the answers by the questions' names.
        folder: where the files are written (`secrets`).
    """
    if "far.broker" not in given:
        return
    table = dict(config.get("far", {}))
    before = _named(table)
    answer = given.get("far.host") or given.get("far.own") or ""
    found = _joined(answer) or place(answer)
    for key in ("host", "own", "port"):
        table.pop(key, None)
    if found is not None:
        table["own" if given["far.broker"] == OWN else "host"] = found.host
        if found.port != PORT:
            table["port"] = found.port
    if _named(table) != before:  # another broker: the previous one's settings do not fit
        for key in ("tls", "ca", "user", "password_file", "websocket"):
            table.pop(key, None)
    if given["far.broker"] == OTHER:
        _credentials(table, given, folder)
    config["far"] = table


def _named(table: Mapping[str, Any]) -> tuple[str, Place] | None:
    """Return the key and the place of the broker named in a table, or None if it does not name
    one."""
    for key in ("host", "own"):
        if table.get(key):
            return key, Place(table[key], table.get("port", PORT))
    return None


def _joined(answer: str) -> Place | None:
    """Return the place of the broker in a join code, or None if the text is not a code."""
    from boardctl.mqtt import joining

    if not joining.is_code(answer):
        return None
    code = joining.parse(answer)
    return Place(code.host, code.port)


def _credentials(table: dict[str, Any], given: Mapping[str, str], folder: Path) -> None:
    """Enter the user and the files for a broker on another machine."""
    from boardctl.mqtt import joining

    if joining.is_code(given.get("far.host", "")):
        table["user"] = joining.parse(given["far.host"]).user
        table["ca"] = str(folder / CERTIFICATE)
        table["password_file"] = str(folder / PASSWORD)
        table.pop("tls", None)  # the code's broker has a certificate
        return
    if given.get("far.user"):
        table["user"] = given["far.user"]
    else:
        table.pop("user", None)
    if given.get("far.password"):
        table["password_file"] = str(folder / PASSWORD)


def secrets(given: Mapping[str, str]) -> Mapping[str, str]:
    """Return the files that the answers require, by name. The certificate of a broker given by a
    code is fetched and verified.

    Raises:
        JoinError: if the broker does not answer, or is not the one in the code.
    """
    from boardctl.mqtt import joining

    answer = given.get("far.host", "")
    if given.get("far.broker") != OTHER:
        return {}
    if joining.is_code(answer):
        found = joining.verify(answer)
        return {CERTIFICATE: found.certificate, PASSWORD: found.password}
    return {PASSWORD: given["far.password"]} if given.get("far.password") else {}
