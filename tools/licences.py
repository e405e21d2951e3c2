"""`make licences`: the licences of everything that boardctl depends on, from the installed
packages.

Writes docs/licences.md. Packages that ship, which a user's board installs, must have a licence
compatible with boardctl's MIT. `test_licences` reads the same tables and fails if a licence is
incompatible, or a package is not listed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import fonts

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "licences.md"
SHIPS: Final = (
    *("runtime", "pi", "rpigpio", "oled", "lcd", "mqtt", "drawings", "camera", "far", "voice"),
)
"""The packages that a board may install: the required ones and each extra."""
HUB: Final = ("club", "league")
"""The packages that a club hub's machine also installs; boardctl does not distribute them."""
HEARING: Final = ("hearing",)
"""The packages for better understanding of spoken moves; boardctl does not distribute them."""
COMPATIBLE: Final = frozenset(
    {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0"}
    | {"MIT-CMU", "PSF-2.0", "Unlicense", "Zlib"}
)
"""SPDX names of licences that only require keeping their text and notices."""

IMPORTED: Final = COMPATIBLE | {"LGPL-3.0-only", "MPL-2.0"}
"""Licences that a hub, or the extra `hearing`, may also install. The LGPL makes no demands on a
program that imports an unchanged library which its users can replace (LGPL-3.0, section 4). The MPL
makes none on files other than its own (MPL-2.0, section 3.3)."""

_SAID: Final = {
    "Apache 2.0": "Apache-2.0",
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD 2-Clause License": "BSD-2-Clause",
    "unlicense.org": "Unlicense",
    "OSI Approved :: Apache Software License": "Apache-2.0",
    "OSI Approved :: MIT License": "MIT",
    "OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "OSI Approved :: Python Software Foundation License": "PSF-2.0",
}
"""SPDX names of licences described in other words."""
_READ: Final = {
    "aiomqtt": "BSD-3-Clause",
    "axe-playwright-python": "MIT AND MPL-2.0",  # it contains axe-core
    "colorama": "BSD-3-Clause",
    "contourpy": "BSD-3-Clause",
    "cycler": "BSD-3-Clause",
    "isoduration": "ISC",
    "itsdangerous": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "kiwisolver": "BSD-3-Clause",
    "pocketsphinx": "BSD-2-Clause",
    "pyserial": "BSD-3-Clause",
    "pyusb": "BSD-3-Clause",
    "reportlab": "BSD-3-Clause",
    "scipy": "BSD-3-Clause",
    "tqdm": "MPL-2.0 AND MIT",
    "segno": "BSD-3-Clause",
}
"""Licences read from the files of packages whose metadata do not specify the BSD variant."""


def licence(package: str) -> str:
    """Return the SPDX expression of an installed package's licence.

    Raises:
        PackageNotFoundError: if it is not installed.
        LookupError: if it is not stated; people must read its licence file and extend `_READ`.
    """
    found = metadata(package).json
    if "license_expression" in found:
        return str(found["license_expression"])
    if canonicalize_name(package) in _READ:
        return _READ[canonicalize_name(package)]
    classifiers = [c.removeprefix("License :: ") for c in found.get("classifier", ())]
    for said in (str(found.get("license", "")), *classifiers):
        if said in _SAID or re.fullmatch(r"(?!UNKNOWN)[A-Z][A-Za-z]*(-[\w.]+)*", said):
            return str(_SAID.get(said, said))
    raise LookupError(
        f"{package} does not tell its licence: read it and add it to tools/licences.py"
    )


def is_compatible(expression: str, allowed: frozenset[str] = COMPATIBLE) -> bool:
    """Return whether a licence is compatible with MIT: every part joined by `AND` must have a
    compatible choice among those joined by `OR`."""
    return all(
        any(choice.strip(" ()") in allowed for choice in part.split(" OR "))
        for part in expression.split(" AND ")
    )


def packages() -> dict[str, set[str]]:
    """Return every package with the groups that need it, directly or indirectly. Raises
    PackageNotFoundError."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    roots = {
        "runtime": project["project"]["dependencies"],
        **project["project"]["optional-dependencies"],
        **project["dependency-groups"],
    }
    del roots["training"]  # only `make training` needs torch's gigabytes
    found: dict[str, set[str]] = {}
    for group, wanted in roots.items():
        for name in closure(wanted):
            found.setdefault(name, set()).add(group)
    return found


def closure(wanted: Iterable[str]) -> set[str]:
    """Return the names of these requirements and of their dependencies on this machine."""
    found: set[str] = set()
    waiting = [(Requirement(text), "") for text in wanted]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        extras = requirement.extras or {""}
        if name not in found or extras != {""}:
            found.add(name)
            waiting += [
                (Requirement(text), extra)
                for text in requires(name) or ()
                for extra in extras
                if text != str(requirement)
            ]
    return found


def page() -> str:
    """Return the content of docs/licences.md."""
    rows = {name: (licence(name), groups) for name, groups in packages().items()}
    lines = [
        "# Licences",
        "",
        "    make licences",
        "",
        "This command writes this page from the metadata of the packages that Python 3.11",
        "installs. A test fails if a package that ships is missing, or has a licence",
        "incompatible with MIT.",
        "",
        "## What ships",
        "",
        "A board installs the runtime, and the extras that its parts need: `pi`, `rpigpio`,",
        "`oled`, `lcd`, `mqtt`, `drawings`, `camera`, `far`, `voice`. The Debian package carries",
        "the runtime.",
        "These licences ask only that their text and notices are kept, which pip does.",
        "",
        *_table(rows, "ships"),
        "",
        "boardctl does not distribute the packages of the Pi's own system (lgpio, spidev,",
        "RPi.GPIO) or the programs that it calls (espeak-ng, GPL-3.0-or-later).",
        "",
        "## The page's fonts",
        "",
        f"`make fonts` makes these subsets. The licence is `boardctl/web/static/{fonts.LICENCE}`.",
        "",
        "| file | made from | copyright | licence |",
        "|---|---|---|---|",
        *(
            f"| {font.file} | {font.package.fetch[-1]} | {font.copyright} | OFL-1.1 |"
            for font in fonts.FONTS
        ),
        "",
        "## What a club's hub installs",
        "",
        "The extras `club` and `league`. psycopg (LGPL) is imported unchanged.",
        "",
        *_table(rows, "hub"),
        "",
        "## What the extra `hearing` installs",
        "",
        "For spoken moves ([voice](voice.md)). boardctl does not distribute the model (Moonshine",
        "tiny, MIT) or these packages.",
        "",
        *_table(rows, "hearing"),
        "",
        "## What the camera's networks were trained from",
        "",
        "[notes/camera.md](notes/camera.md#how-it-was-trained) lists the decks, fonts and",
        "photographs with their licences. None is in the repository; the weights are under this",
        "project's licence.",
        "",
        "## What only developers install",
        "",
        "None of these packages ships. Python packages state their licences in their metadata,",
        "Debian's packages in `/usr/share/doc/*/copyright`.",
        "",
    ]
    return "\n".join(lines)


def kind(groups: Iterable[str]) -> str:
    """Return the table on the page to which a package belongs, given the groups that need it."""
    for name, some in (("ships", SHIPS), ("hub", HUB), ("hearing", HEARING)):
        if not set(some).isdisjoint(groups):
            return name
    return "develops"


def _table(rows: dict[str, tuple[str, set[str]]], wanted: str) -> list[str]:
    """Return the rows of the packages of one kind: a licence, and the packages under it."""
    found: dict[str, list[str]] = {}
    for name, (expression, groups) in sorted(rows.items()):
        if kind(groups) == wanted:
            found.setdefault(expression, []).append(name)
    lines = [f"| {terms} | {', '.join(names)} |" for terms, names in sorted(found.items())]
    return ["| licence | packages |", "|---|---|", *lines]


if __name__ == "__main__":
    try:
        PAGE.write_text(page(), "utf-8")
    except PackageNotFoundError as error:
        raise SystemExit(
            f"{error.name} is not installed: make licences installs all first"
        ) from error
