"""Compile lgpio, the library for the Pi's pins, for another machine; Debian has no package."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

LOCK = Path(__file__).resolve().parents[2] / "requirements-pi.lock"


def compile_library(work: Path, headers: Path, target: str, python: str, out: Path) -> Path:
    """Compile the source named by the lock file, with its binding for Python.

    Args:
        work: a folder for the source.
        headers: an unpacked `libpythonX.Y-dev` of the target.
        target: in the compiler's form, `aarch64-linux-gnu` or `arm-linux-gnueabihf`.
        python: the target's Python, `3.13`.
        out: the folder for the module and the library.

    Returns:
        The source's folder.
    """
    locked = LOCK.read_text("utf-8")
    lock = work / "lgpio.lock"
    lock.write_text(re.findall(r"^lgpio==.*?(?=^[a-z]|\Z)", locked, re.M | re.S)[0], "utf-8")
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
         "--no-deps", "--no-binary", ":all:", "--require-hashes", "-r", lock, "--dest", work],
        check=True,
    )  # fmt: skip
    subprocess.run(["tar", "-C", work, "-xf", next(work.glob("lgpio-*.tar.gz"))], check=True)
    source = next(path for path in work.glob("lgpio-*") if path.is_dir())
    subprocess.run(["swig", "-python", "-o", "lgpio_wrap.c", "lgpio.i"], check=True, cwd=source)
    files = sorted(str(path.relative_to(source)) for path in source.glob("src/lg*.c"))
    library = out / f"_lgpio.cpython-{python.replace('.', '')}-{target}.so"
    subprocess.run(
        [f"{target}-gcc", "-O2", "-shared", "-fPIC", "-pthread", "-Isrc", "-s",
         "-Wl,--build-id=none",
         f"-ffile-prefix-map={headers}=.",  # its macros put file names into the library
         f"-I{headers}/usr/include/python{python}", f"-I{headers}/usr/include", "-o", library,
         *files, "src/rgpiod.c", "lgpio_wrap.c"],
        check=True, cwd=source,
    )  # fmt: skip
    shutil.copy(source / "lgpio.py", out / "lgpio.py")
    return source
