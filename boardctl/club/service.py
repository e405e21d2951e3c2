"""The hub's systemd unit. The hub is restarted after any exit, and can access only its state
directory and the network."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from boardctl.app.service import HARDENING

NAME: Final = "boardctl-hub"

_UNIT: Final = """\
[Unit]
Description=Cribbage club hub
Documentation=man:systemd.service(5)
Wants=network-online.target
After=network-online.target
# However often it fails, it is started again.
StartLimitIntervalSec=0

[Service]
ExecStart={command}
DynamicUser=yes
StateDirectory={name}
StateDirectoryMode=0700
{credentials}Environment=PYTHONUNBUFFERED=1
Restart=always
RestartSec=1
TimeoutStopSec=20
LimitNOFILE=4096
MemoryMax=512M
LogRateLimitIntervalSec=30
LogRateLimitBurst=200

{hardening}PrivateDevices=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6

[Install]
WantedBy=multi-user.target
"""


def unit(program: str, arguments: Sequence[str], password_file: str | None = None) -> str:
    """Return the unit's text.

    Args:
        program: the path of the `boardctl` to start.
        arguments: the arguments of `boardctl hub`, without the password file.
        password_file: a file that only root can read. Systemd passes the hub a copy
            (systemd.exec(5), LoadCredential).
    """
    words = [_escaped(word) for word in (program, "hub", *arguments)]
    credentials = ""
    if password_file is not None:
        words += ["--password-file", "%d/password"]
        credentials = f"LoadCredential=password:{password_file}\n"
    return _UNIT.format(
        command=" ".join(words), name=NAME, credentials=credentials, hardening=HARDENING
    )


def _escaped(word: str) -> str:
    """Return a word with escapes for ExecStart (systemd.service(5), COMMAND LINES)."""
    return shlex.quote(word.replace("%", "%%").replace("$", "$$"))
