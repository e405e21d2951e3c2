"""Make the page's fonts in `boardctl/web/static`, which are subsets of openly licensed families.
From these, make the font for the club's papers in `boardctl/club`.

    make fonts

Each source is a package named by its version and checksum, fetched by its own client (npm, apt).
Letters of Latin scripts, digits of equal width and the card suits are kept. The subsets have their
own names, as the families' licence (OFL-1.1) requires of changed fonts.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from fontTools import subset
from fontTools.ttLib import TTFont

from tools.packages import Package, fetched

STATIC: Final = Path(__file__).parents[1] / "boardctl" / "web" / "static"
PAPER: Final = Path(__file__).parents[1] / "boardctl" / "club" / "sans.ttf"
"""The font embedded in the club's papers: the page's font in a form for PDF."""
LICENCE: Final = "OFL-1.1.txt"
SUITS: Final = "♠♥♦♣"
LETTERS: Final = (
    "U+0020-007E,U+00A0-017F,U+0218-021B,U+1E9E,U+2010-2026,U+2032-2033,U+20AC,U+2212,U+2713"
)
SIGNS: Final = "●■▲▼◆→"
FEATURES: Final = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "lnum", "tnum", "calt"]


class Font(NamedTuple):
    """A font of the page: its file and family, its source, and its kept characters."""

    file: str
    family: str
    package: Package
    path: str
    kept: str
    copyright: str


INTER: Final = Package(
    ("npm", "pack", "--silent", "inter-ui@4.1.1"),
    "e392e4d71f18a7c1f23dfecd833d68fa05eeab41862686584e80fd2b5d87e9c0",
)
LIBERTINE: Final = Package(
    ("apt-get", "download", "fonts-linuxlibertine=5.3.0-6"),
    "5c77471e910189b3e4e2eda2b1c5f549ddcaf4de8f9640b97773643970d29087",
)
PLEX: Final = Package(
    ("npm", "pack", "--silent", "@fontsource/ibm-plex-mono@5.3.0"),
    "60d3c0cfa549cb06fcb8867ee83f994d78e212abfac3bef3275436acb5c4d029",
)
FONTS: Final = (
    Font(
        "sans.woff2", "Boardctl Sans", INTER, "package/web/Inter-Regular.woff2",
        LETTERS, "2016 The Inter Project Authors",
    ),
    Font(
        "sans-bold.woff2", "Boardctl Sans", INTER, "package/web/Inter-SemiBold.woff2",
        LETTERS, "2016 The Inter Project Authors",
    ),
    Font(
        "serif.woff2", "Boardctl Serif", LIBERTINE,
        "./usr/share/fonts/opentype/linux-libertine/LinLibertine_RZ.otf",
        LETTERS, "2003 Philipp H. Poll",
    ),
    Font(
        "mono.woff2", "Boardctl Mono", PLEX,
        "package/files/ibm-plex-mono-latin-600-normal.woff2",
        "U+0020-007E,U+00A0-00FF,U+2010-2026", "2017 IBM Corp.",
    ),
)  # fmt: skip


def unpacked(content: bytes, path: str) -> bytes:
    """Return one file of a tar archive, or of a Debian package."""
    if content.startswith(b"!<arch>"):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "package.deb"
            file.write_bytes(content)
            content = subprocess.run(
                ("dpkg-deb", "--fsys-tarfile", file), check=True, capture_output=True
            ).stdout
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        found = archive.extractfile(path)
        assert found is not None, path
        return found.read()


def made(font: Font, source: bytes) -> bytes:
    """Return the subset of a font, under its own name, as WOFF2. The same source always produces
    the same bytes."""
    options = subset.Options(
        layout_features=FEATURES, flavor="woff2", hinting=False, name_IDs=[], notdef_outline=True
    )
    options.recalc_timestamp = False
    opened = TTFont(io.BytesIO(source), recalcTimestamp=False)
    kept = set(subset.parse_unicodes(font.kept.replace("U+", "")))
    if font.family == "Boardctl Serif":
        kept |= {ord(sign) for sign in SUITS + SIGNS}
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=kept)
    chosen.subset(opened)
    for number, text in ((0, f"Copyright {font.copyright}"), (1, font.family), (4, font.family),
                         (13, "SIL Open Font License, Version 1.1")):  # fmt: skip
        opened["name"].setName(text, number, 3, 1, 0x409)
    if "CFF " in opened:
        top = opened["CFF "].cff
        top.fontNames = [font.family.replace(" ", "")]
        for name in ("FullName", "FamilyName", "Notice", "Copyright"):
            top.topDictIndex[0].rawDict.pop(name, None)
    file = io.BytesIO()
    opened.save(file)
    return file.getvalue()


def printed(source: bytes) -> bytes:
    """Return the page's font (WOFF2) as TrueType, without the layout tables, which reportlab does
    not use. The same source always produces the same bytes."""
    opened = TTFont(io.BytesIO(source), recalcTimestamp=False)
    opened.flavor = None
    for table in ("GDEF", "GPOS", "GSUB"):
        del opened[table]
    file = io.BytesIO()
    opened.save(file)
    return file.getvalue()


def main() -> None:
    """Write every font with its licence next to it."""
    with tempfile.TemporaryDirectory() as folder:
        for font in FONTS:
            source = unpacked(fetched(font.package, Path(folder)), font.path)
            content = made(font, source)
            (STATIC / font.file).write_bytes(content)
            (STATIC / f"{font.file}.license").write_text(
                f"SPDX-FileCopyrightText: {font.copyright}\nSPDX-License-Identifier: OFL-1.1\n"
            )
            print(f"{font.file}: {len(content)} bytes, from {font.package.fetch[-1]}")
        PAPER.write_bytes(printed((STATIC / "sans.woff2").read_bytes()))
        notice = (STATIC / "sans.woff2.license").read_text()
        PAPER.with_name("sans.ttf.license").write_text(notice)
        licence = unpacked(fetched(INTER, Path(folder)), "package/LICENSE.txt").decode()
        (STATIC / LICENCE).write_text(licence[licence.index("-----") :])


if __name__ == "__main__":
    main()
