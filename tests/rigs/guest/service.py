"""Runs in a guest as a unit of its real systemd: install the board's service and follow its
configuration, and print what the board reaches.

The broker of the configuration is a listener on an address of this machine: systemd filters the
packets of a unit on every interface. Each row has the step, systemd's settings of the unit, and
whether the board reached the broker (true) or the kernel kept it out (false).
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
CONFIG: Final = Path("/etc/boardctl/config.toml")
PROGRAM: Final = Path("/usr/local/bin/boardctl")
HOME, ONE, OTHER = "192.168.77.5", "203.0.113.5", "198.51.100.5"
PATIENCE: Final = 120


def system(*command: str) -> str:
    """Run a program; what it fails with is shown on the console."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(*command, done.stdout, done.stderr, file=sys.stderr, flush=True)
        subprocess.run(("journalctl", "-u", "boardctl", "-o", "cat"), stdout=2, check=False)
        raise SystemExit(1)
    return done.stdout


def listen(address: str) -> socket.socket:
    """Listen on an address that this machine gets."""
    system("/bin/busybox", "ip", "addr", "add", f"{address}/32", "dev", "lo")
    listener = socket.create_server((address, 8883))
    listener.settimeout(0)
    return listener


def configure(host: str) -> None:
    """Write the configuration of a board whose strip and keys are not wired yet."""
    CONFIG.parent.mkdir(exist_ok=True)
    CONFIG.write_text(
        '[leds]\ndriver = "ws2812_spi"\n[keys]\ndriver = "gpio_matrix"\n[page]\nport = 8080\n'
        f'[mqtt]\nenabled = true\nhost = "{host}"\n',
        "utf-8",
    )


def is_kept_out(listener: socket.socket) -> bool:
    """Return whether a connection to this broker waits for its first answer: the kernel drops the
    packets of a unit that may not send them, and TCP tries again. Nothing else delays one here."""
    host, port = listener.getsockname()
    there = f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"
    rows = (line.split() for line in Path("/proc/net/tcp").read_text("ascii").splitlines())
    return any(row[2] == there and row[3] == "02" for row in rows)  # SYN_SENT


def reached(listener: socket.socket, wanted: bool) -> bool | None:
    """Wait until the board reaches a broker, or is kept out where that is wanted; None if neither
    happens."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        try:
            connection, _ = listener.accept()
        except BlockingIOError:
            if not wanted and is_kept_out(listener):
                return False
            time.sleep(1)
            continue
        with connection:
            connection.settimeout(PATIENCE)
            return connection.recv(1) == b"\x16"  # the first record of TLS: a handshake
    return None


def tell(what: str, listener: socket.socket, wanted: bool = True) -> None:
    """Print a row."""
    arrived = reached(listener, wanted)
    shown = system("systemctl", "show", "boardctl", "-p", "IPAddressAllow,DropInPaths,ActiveState")
    print(json.dumps({"what": what, "reached": arrived, "shown": shown}), flush=True)


def main() -> None:
    system("/bin/busybox", "ip", "link", "set", "lo", "up")
    packages = sysconfig.get_paths()["purelib"]
    PROGRAM.write_text(
        "#!/usr/bin/python3\nimport sys\n"
        f"sys.path[:0] = [{str(ROOT)!r}, {packages!r}]\n"
        "from boardctl.commands import main\nmain()\n",
        "utf-8",
    )
    PROGRAM.chmod(0o755)
    home, one, other = map(listen, (HOME, ONE, OTHER))
    configure(ONE)
    system(str(PROGRAM), "service", "install", "--config", str(CONFIG))
    tell("installed", one)
    configure(OTHER)
    system("systemctl", "restart", "boardctl")
    tell("another broker", other, wanted=False)
    system(str(PROGRAM), "service", "follow", "--config", str(CONFIG))
    tell("followed", other)
    configure(HOME)
    system(str(PROGRAM), "service", "follow", "--config", str(CONFIG))
    system("systemctl", "restart", "boardctl")
    tell("at home", home)


if __name__ == "__main__":
    main()
