"""The key that signs updates.

It is stored separately from the build: `make clean` and `make dist` delete build files, and a card
accepts updates only from the key that it was built with.
"""

from __future__ import annotations

import pwd
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def folder(environment: Mapping[str, str]) -> Path:
    """Return the folder of the key: with the data of the user who builds, even under sudo."""
    if told := environment.get("CARD_KEY"):
        return Path(told).parent
    user = environment.get("SUDO_USER")
    home = Path(pwd.getpwnam(user).pw_dir if user else environment.get("HOME") or Path.home())
    data = None if user else environment.get("XDG_DATA_HOME")
    return Path(data or home / ".local/share") / "boardctl" / "card-key"


def key(environment: Mapping[str, str], former: Path) -> tuple[Path, Path]:
    """Return the key and its certificate. If there are none, copy them from their former folder or
    create them.

    Args:
        environment: of the process; CARD_KEY and CARD_CERTIFICATE select others.
        former: their former folder.
    """
    place = folder(environment)
    made = Path(environment.get("CARD_KEY") or place / "key.pem")
    certificate = Path(environment.get("CARD_CERTIFICATE") or made.with_name("certificate.pem"))
    if made.exists():
        return made, certificate
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    if (former / "key.pem").exists():
        shutil.copy(former / "certificate.pem", certificate)
        shutil.copy(former / "key.pem", made)
    else:
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-days", "7300",
             "-subj", "/CN=boardctl card, own key", "-keyout", made, "-out", certificate],
            check=True,
        )  # fmt: skip
    made.chmod(0o600)
    if user := environment.get("SUDO_USER"):
        for path in (place.parent, place, made, certificate):
            shutil.chown(path, user)
    sys.stderr.write(f"the key for signing updates is {made}: keep a copy of its folder\n")
    return made, certificate
