"""Run a command that may start arm64 and armhf programs: `foreign.py COMMAND ARGUMENT …` (as root).

Linux 6.7 and later allow each user namespace its own binfmt_misc, so nothing changes globally and
nothing must be undone. If the machine already runs both, the command is started directly.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from pathlib import Path

_CLONE_NEWNS = 0x00020000
_CLONE_NEWUSER = 0x10000000
_MS_REC = 0x4000
_MS_PRIVATE = 0x40000
_HANDLERS = {
    "aarch64": (
        r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
        r":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
    ),
    "arm": (
        r"\x7fELF\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x28\x00"
        r":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
    ),
}
"""The first bytes of an executable and the mask of the significant ones (Linux,
admin-guide/binfmt-misc.rst), by the machine's name in `/usr/bin/qemu-NAME-static`."""


def _missing() -> list[str]:
    """Return the architectures whose programs cannot be started here."""
    told = [path.name for path in Path("/proc/sys/fs/binfmt_misc").glob("*")]
    return [
        name
        for name in _HANDLERS
        if platform.machine() != name and not any(one.endswith(f"-{name}") for one in told)
    ]


def _enter(libc: ctypes.CDLL, asked: int, mapped: int, names: list[str]) -> None:
    """Enter new namespaces as root in the child, and register these machines' handlers."""
    if libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "unshare")
    os.write(asked, b"x")
    os.read(mapped, 1)
    os.setgid(0)
    os.setuid(0)
    libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
    if libc.mount(b"binfmt_misc", b"/proc/sys/fs/binfmt_misc", b"binfmt_misc", 0, None):
        raise OSError(ctypes.get_errno(), "this kernel has no binfmt_misc for each namespace")
    for name in names:
        emulator = Path(f"/usr/bin/qemu-{name}-static")
        if emulator.exists():
            handler = f":boardctl-{name}:M::{_HANDLERS[name]}:{emulator}:F"
            Path("/proc/sys/fs/binfmt_misc/register").write_text(handler, "utf-8")


def main() -> int:
    """Run the command, and return its exit status."""
    names = _missing()
    if not names:
        os.execvp(sys.argv[1], sys.argv[1:])
    libc = ctypes.CDLL(None, use_errno=True)
    asked_read, asked = os.pipe()
    mapped, mapped_write = os.pipe()
    child = os.fork()
    if child == 0:
        _enter(libc, asked, mapped, names)
        os.execvp(sys.argv[1], sys.argv[1:])
    os.read(asked_read, 1)
    for name in ("uid_map", "gid_map"):
        Path(f"/proc/{child}/{name}").write_text("0 0 65536", "utf-8")
    os.write(mapped_write, b"x")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main())
