"""The SD card image from which the board runs: its state, its updates and its factory reset.

The image's helper process carries out privileged operations. It accepts one request per connection,
over a local socket (docs/notes/image.md, "What the page may request").
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from boardctl.text import SpokenError

SOCKET: Final = Path("/run/boardctl-card.sock")
PATIENCE: Final = 900.0
"""Seconds to wait for an answer, because an update writes a whole system."""


class CardError(SpokenError):
    """The error for a failed request to the card's helper."""


def present(path: Path = SOCKET) -> bool:
    """Return whether this machine was started from the project's SD card image."""
    return path.is_socket()


def ask(do: str, path: Path = SOCKET, **fields: Any) -> Mapping[str, Any]:
    """Send a request to the helper and wait for its answer.

    Args:
        do: `status`, `update` (file, older), `reset` (games: keep or forget), `configure` (text),
            `flash` (chip: arduino or pico), `restart` or `poweroff`.

    Raises:
        CardError: if there is no helper, or the helper refused.
    """
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PATIENCE)
            line.connect(str(path))
            line.sendall(json.dumps({"do": do, **fields}).encode() + b"\n")
            line.shutdown(socket.SHUT_WR)
            received = b"".join(iter(lambda: line.recv(65536), b""))
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise CardError("no-card-image") from error
    except OSError as error:
        raise CardError("card-silent", reason=error) from error
    return read_answer(received)


def read_answer(received: bytes) -> Mapping[str, Any]:
    """Return the helper's answer without `ok`. If the helper refused, raise CardError with its
    reason."""
    try:
        answer = json.loads(received)
    except ValueError as error:
        raise CardError("card-no-answer") from error
    if not isinstance(answer, dict) or answer.pop("ok", None) is not True:
        reason = str(answer.get("error") if isinstance(answer, dict) else answer)
        raise CardError("card", reason=reason)
    return answer


def hotspot_code(name: str, password: str = "") -> str:
    """Return the content of a QR code that makes a phone join a Wi-Fi network (ZXing wiki, "Barcode
    Contents").

    Args:
        name: the network's name.
        password: the network's password, or an empty string for an open network.
    """

    def escaped(text: str) -> str:
        return "".join("\\" + c if c in '\\;,:"' else c for c in text)

    if not password:
        return f"WIFI:T:nopass;S:{escaped(name)};;"
    return f"WIFI:T:WPA;S:{escaped(name)};P:{escaped(password)};;"
