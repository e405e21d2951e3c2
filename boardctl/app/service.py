"""The systemd service: install and remove its unit and its user.

The unit limits the board to its devices, its state directory and the private networks. If the
configuration names a broker outside these networks, a drop-in lets the board reach that broker
(`follow`).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from ipaddress import ip_address, ip_network
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import Final

from boardctl import features
from boardctl.app import config as configuration
from boardctl.storage import files
from boardctl.text import SpokenError

NAME: Final = "boardctl"
UNIT: Final = Path("/etc/systemd/system/boardctl.service")
PACKAGED: Final = Path("/usr/lib/systemd/system/boardctl.service")
"""The unit of the Debian package."""
DROP_IN: Final = Path("boardctl.service.d/broker.conf")
"""The drop-in in the folder of `UNIT`, which lists the addresses outside the private networks that
the board may reach."""
CONFIG: Final = Path("/etc/boardctl/config.toml")
GROUPS: Final = ("gpio", "spi", "i2c", "dialout", "input", "audio")
"""Raspberry Pi OS's device groups, and Debian's groups for serial ports, input devices and
sound."""
SYSTEM_FILES: Final = {
    "modules-load.d/boardctl.conf": "spidev\ni2c-dev\nusbserial\ncdc_acm\n",
    "modprobe.d/boardctl.conf": "options spidev bufsiz=65536\n",
    "udev/rules.d/60-boardctl.rules": (
        'SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"\n'
        'SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"\n'
        'SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"\n'
    ),
}
"""Files that the Debian package installs under /usr/lib: the modules of the devices in wiring.md,
an SPI buffer for a whole frame, and the device groups of Raspberry Pi OS."""
SPI_BUFFER: Final = Path("/etc/modprobe.d/boardctl.conf")
"""The SPI buffer of a machine without the package."""
WATCHDOG: Final = 30
"""The seconds without a watchdog message after which systemd restarts the board."""
FILES: Final = 512
"""The maximum number of open files and sockets. The board uses about twenty, and the page uses the
rest."""
MEMORY: Final = "256M"
"""The maximum memory: half of a Pi Zero 2 W's, and several times the board's usual amount."""

_HOMES: Final = ("/home", "/root", "/run/user")
"""The folders hidden by `ProtectHome=yes` (systemd.exec(5))."""

HARDENING: Final = """\
AmbientCapabilities=
CapabilityBoundingSet=
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateIPC=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
LockPersonality=yes
MemoryDenyWriteExecute=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# A forbidden system call fails; it does not kill the board in the middle of a game.
SystemCallErrorNumber=EPERM
UMask=0077
"""
"""The restrictions of every service of this project, in a board's unit and a hub's
(systemd.exec(5))."""

_PRIVATE: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
_NEAR: Final = ("127.0.0.0/8", "::1/128", "169.254.0.0/16", "fe80::/64")
"""systemd's `localhost` and `link-local` (systemd.resource-control(5))."""

_DROP_IN: Final = """\
# Written by boardctl, for the broker in its configuration: {hosts}.
# `boardctl service follow` writes this file again.
[Service]
IPAddressAllow={allowed}
"""

_UNIT: Final = """\
[Unit]
Description=Cribbage board
Documentation=man:systemd.service(5)
After=local-fs.target
ConditionPathExists={config}
# Not after network or time: the lights answer first. A clock that jumps later does no harm.

[Service]
Type=notify
NotifyAccess=main
ExecStart={program} run --no-browser --config {config}
User={name}
SupplementaryGroups={groups}
StateDirectory={name}
StateDirectoryMode=0750
RuntimeDirectory={name}
# lgpio creates pipes in this folder and fails to load if it cannot.
Environment=LG_WD=/run/{name}
Environment=PYTHONUNBUFFERED=1
WatchdogSec={watchdog}
Restart=on-failure
RestartSec=2
TimeoutStopSec=10

# Limits: strangers on the network cannot take the machine's files, memory or log.
LimitNOFILE={files}
MemoryMax={memory}
# A separate process (a photo, an analysis) that takes too much ends alone.
OOMPolicy=continue
LogRateLimitIntervalSec=30s
LogRateLimitBurst=200

# Allowed devices and addresses.
DevicePolicy=closed
# By number where a module brings the devices: systemd looks names up when the service starts, and
# a device whose module is loaded later would be refused (Documentation/admin-guide/devices.txt).
# SPI, I2C, USB serial, USB modem-like serial, the Pi's own serial port, sound.
DeviceAllow=char-153 rw
DeviceAllow=char-89 rw
DeviceAllow=char-188 rw
DeviceAllow=char-166 rw
DeviceAllow=char-204 rw
DeviceAllow=char-116 rw
DeviceAllow=char-input r
DeviceAllow=char-gpiochip rw
DeviceAllow=/dev/gpiomem rw
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
IPAddressDeny=any
# A broker elsewhere is allowed by a drop-in, boardctl.service.d/broker.conf.
IPAddressAllow=localhost link-local {private}

# Restrictions.
{hardening}# Everybody may write there, and the board has no use for it.
InaccessiblePaths=-/run/lock
# The devices belong to groups of the whole machine, so its users must be real in here.
PrivateUsers=no
PrivateMounts=yes
ProcSubset=all
RemoveIPC=yes

[Install]
WantedBy=multi-user.target
"""


def unit(program: str, config: Path = CONFIG, groups: Sequence[str] = GROUPS) -> str:
    """Return the unit's text. `program` is the path of `boardctl`, and `groups` are the machine's
    groups."""
    return _UNIT.format(
        program=program,
        config=config.absolute(),
        name=NAME,
        groups=" ".join(groups),
        watchdog=WATCHDOG,
        files=FILES,
        memory=MEMORY,
        hardening=HARDENING,
        private=" ".join(_PRIVATE),
    )


def brokers(config: configuration.Config) -> tuple[str, ...]:
    """Return the hosts of the brokers to which a board with this configuration connects."""
    named = [config.mqtt.host] if config.mqtt.enabled else []
    return tuple(dict.fromkeys((*named, config.far.host) if config.far.host else named))


ANYWHERE: Final = "any"
"""The systemd setting for every address."""


def allowed(hosts: Sequence[str]) -> tuple[str, ...]:
    """Return the systemd settings that allow the unit to reach these hosts.

    An address in the private networks needs no setting. Any other address is allowed separately.
    For a name outside the home network, all addresses are allowed, because the name is looked up
    whenever the board connects, at a name server that may be anywhere, and its addresses may
    change.
    """
    found = []
    for host in hosts:
        try:
            address = ip_address(host)
        except ValueError:
            if not _is_at_home(host):
                return (ANYWHERE,)
            continue
        if not any(address in ip_network(near) for near in (*_PRIVATE, *_NEAR)):
            found.append(str(address))
    return tuple(found)


def _is_at_home(name: str) -> bool:
    """Return whether a name exists only in a home network (RFC 6761, 6762, 8375)."""
    plain = name.lower().rstrip(".")
    return "." not in plain or plain.endswith((".local", ".localhost", ".home.arpa"))


def drop_in(config: configuration.Config) -> str:
    """Return the text of the drop-in for a configuration, or an empty string if the unit already
    allows every broker."""
    hosts = brokers(config)
    needed = allowed(hosts)
    if config.far.own:  # the other house connects to this board
        hosts, needed = (*hosts, config.far.own), (ANYWHERE,)
    return _DROP_IN.format(hosts=", ".join(hosts), allowed=" ".join(needed)) if needed else ""


def installed(config: Path, folder: Path = UNIT.parent, packaged: Path = PACKAGED) -> bool:
    """Return whether a unit that reads this configuration is installed."""
    for unit_file in (folder / UNIT.name, packaged):
        try:
            return f" --config {config.absolute()}\n" in unit_file.read_text("utf-8")
        except OSError:
            continue
    return False


_ADD_USER: Final = (
    "useradd", "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin",
    "--comment", "Cribbage board", NAME,
)  # fmt: skip

Run = Callable[[Sequence[str]], None]


class ServiceError(SpokenError):
    """The error for a failed step of installing or removing the service."""


def run(command: Sequence[str]) -> None:
    """Run a system program. Raises ServiceError with its error output."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise ServiceError("not-installed", program=command[0]) from error
    except subprocess.CalledProcessError as error:
        raise ServiceError(
            "program-failed", program=" ".join(command), reason=error.stderr.strip()
        ) from error


def install(
    program: str,
    config: Path,
    groups: Sequence[str],
    do: Run,
    path: Path = UNIT,
    packaged: Path = PACKAGED,
) -> None:
    """Create the user, write the unit, and start it.

    If the unit of the Debian package starts this program with this configuration, that unit is
    used.

    Args:
        groups: the groups that exist on this machine. The other groups in GROUPS are omitted.
        do: runs a system program. packaged: the unit of the Debian package.

    Raises:
        ServiceError: if there is no configuration, no permission, a file that the service could not
            read, or a program failed.
        ConfigError: if the configuration cannot be used.
    """
    if not config.is_file():
        raise ServiceError("no-config", config)
    _check_seen(Path(program), "/opt/boardctl")
    named = _named(configuration.load(config))
    for file in (config.absolute(), *named):
        _check_seen(file, "/etc/boardctl")
    known = [group for group in GROUPS if group in groups]
    if NAME not in groups:
        do(_ADD_USER)
    if known:
        do(("usermod", "--append", "--groups", ",".join(known), NAME))
    for file in named:
        if file.parent == config.absolute().parent:
            _hand_over(file)
    line = f"ExecStart={program} run --no-browser --config {config.absolute()}"
    try:
        if packaged.exists() and line in packaged.read_text("utf-8").splitlines():
            files.remove(path)  # of an earlier program; it would hide the package's unit
        else:
            text = unit(program, config, known)
            # otherwise the board could change it
            files.replace(path, text.encode(), 0o644, user=(0, 0))
    except OSError as error:
        raise ServiceError("unwritable-sudo", path, reason=error) from error
    _write_drop_in(config, path.parent)
    do(("systemctl", "daemon-reload"))
    do(("systemctl", "enable", NAME))
    do(("systemctl", "restart", NAME))  # a running one may belong to an older program


def _hand_over(file: Path) -> None:
    """Give root's private file to the service's user, who did not exist when `boardctl setup` wrote
    the file. Raises ServiceError."""
    try:
        found = file.lstat()
        if S_ISREG(found.st_mode) and found.st_uid == 0 and not found.st_mode & 0o077:
            files.give(file, files.owner(file.parent))
    except FileNotFoundError:
        return  # the feature reports it
    except OSError as error:
        raise ServiceError("unwritable-sudo", file, reason=error) from error


def can_start() -> bool:
    """Return whether this user may start services and systemd is running on this machine."""
    return os.geteuid() == 0 and Path("/run/systemd/system").is_dir()


def start(do: Run) -> None:
    """Start the board, or restart it with its new configuration. Raises ServiceError."""
    do(("systemctl", "restart", NAME))


def widen(path: Path = SPI_BUFFER) -> None:
    """Enlarge the SPI buffer so that it holds a whole frame from the next boot on, as the Debian
    package does. Raises ServiceError without permission."""
    try:
        files.make_directory(path.parent, 0o755)
        files.replace(path, SYSTEM_FILES["modprobe.d/boardctl.conf"].encode(), 0o644, user=(0, 0))
    except OSError as error:
        raise ServiceError("unwritable-sudo", path, reason=error) from error


def narrow(path: Path = SPI_BUFFER) -> None:
    """Undo `widen`. Raises ServiceError without permission."""
    try:
        if path.exists():
            files.remove(path)
    except OSError as error:
        raise ServiceError("unremovable-sudo", path, reason=error) from error


def allow() -> None:
    """Raise ServiceError unless this user may install services."""
    if os.geteuid() != 0:
        raise ServiceError("not-root")


def follow(config: Path, do: Run, folder: Path = UNIT.parent) -> None:
    """Let the unit reach a configuration's brokers, and no longer those of the previous
    configuration. This takes effect immediately, even for a running board.

    Args:
        config: the configuration file. Without this file, there is no broker.
        do: runs a system program.
        folder: systemd's folder of units.

    Raises:
        ServiceError: if there is no permission, or systemd cannot reload its units.
        ConfigError: if the configuration cannot be used.
    """
    if _write_drop_in(config, folder):
        do(("systemctl", "daemon-reload"))


def _write_drop_in(config: Path, folder: Path) -> bool:
    """Write or remove the drop-in, and return whether it has changed. Raises ServiceError,
    ConfigError."""
    path = folder / DROP_IN
    wanted = drop_in(configuration.load(config)) if config.exists() else ""
    try:
        if wanted == (path.read_text("utf-8") if path.exists() else ""):
            return False
        if wanted:
            files.make_directory(path.parent, 0o755)
            files.replace(path, wanted.encode(), 0o644, user=(0, 0))
        else:
            files.remove(path)
    except OSError as error:
        raise ServiceError("unwritable-sudo", path, reason=error) from error
    return True


def _named(config: configuration.Config) -> tuple[Path, ...]:
    """Return the files that a configuration names."""
    layout = [config.layout] if config.layout.endswith(".toml") else []

    def of(feature: features.Feature) -> list[str]:
        if feature.files is None:
            return []
        return [name for key in feature.options for name in feature.files(getattr(config, key))]

    others = chain.from_iterable(features.from_each("files", of))
    return tuple(Path(name) for name in (*layout, *others) if name)


def _check_seen(file: Path, place: str) -> None:
    """Raise ServiceError for a file that does not exist or is not visible to the unit.

    Args:
        place: a folder that the unit can see.
    """
    if not file.is_absolute():
        raise ServiceError("not-absolute", file)
    real = file.resolve()
    if any(real.is_relative_to(home) for home in _HOMES):
        raise ServiceError("hidden-home", real, place=place)


def remove(do: Run, path: Path = UNIT, packaged: Path = PACKAGED) -> None:
    """Stop and remove the service. The games in its state directory are kept. The Debian package's
    unit is kept but disabled.

    Raises:
        ServiceError: if there is no permission, or a program failed.
    """
    if not path.exists() and not packaged.exists():
        raise ServiceError("no-service", path)
    do(("systemctl", "disable", "--now", NAME))
    try:
        files.remove(path, path.parent / DROP_IN)
    except OSError as error:
        raise ServiceError("unremovable-sudo", path, reason=error) from error
    do(("systemctl", "daemon-reload"))
