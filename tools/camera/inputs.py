"""The training data of the networks in addition to this project's own drawings: packages named by
version and checksum, and the labelled photographs by the checksum of their list.

Debian's and npm's own clients fetch them. docs/notes/camera.md names their licences.
"""

from __future__ import annotations

import hashlib
import io
import subprocess
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from tools.camera import decks, packs
from tools.camera.decks import Image
from tools.packages import Package, fetched

_FONTS: Final = (
    ("fonts-bebas-neue=3.0-2", "fdc713c8323e967f17e0f86fdda358af11b905bb4732551afbff75decdfd2bb4"),
    ("fonts-cabin=1.5-3", "3a7a7d6057956273b1afa22534383896e2901bcb98439033d8e7852223365238"),
    (
        "fonts-croscore=20201225-1",
        "64904820b729ff40038f85683004e3b94b328d969bc0fbba263c58d635452923",
    ),
    (
        "fonts-crosextra-caladea=20200211-1",
        "dd51af7629df5a2f3799f889cdf63d5abdda32e94e5de59398f728d98604a240",
    ),
    (
        "fonts-crosextra-carlito=20220224-1",
        "673689e3a887cd150ca5018c26e1a4162709add3a1bdc0a2527af6fd073980d7",
    ),
    (
        "fonts-dejavu-core=2.37-6",
        "8892669e51aab4dc56682c8e39d8ddb7d70fad83c369344e1e240bf3ca22bb76",
    ),
    (
        "fonts-dejavu-extra=2.37-6",
        "6cb7ed32de6df209c065e9e5cc5154a2f36d4c334d9a0af534fabb67d38ab75b",
    ),
    (
        "fonts-ebgaramond=0.016+git20210310.42d4f9f2-1",
        "2780e32df19b909823425b3e21c2f2f2a1717bbdd96f33fc59a252a308903fa2",
    ),
    (
        "fonts-freefont-ttf=20120503-10",
        "4ca1c21ebc479198a3a5879d236c8317d6f7b2f1c403f7890e24c02eead05615",
    ),
    ("fonts-gfs-didot=1.1-7", "2addbd2cdb7d938878e8e7ccdf943004c55d1312a6a8ec5e07914a57246178db"),
    (
        "fonts-ipafont-gothic=00303-23",
        "5f8e0270654fec6577fffa96015067352440065c0b49bbc8b076745a6b4bf3d3",
    ),
    ("fonts-lato=2.0-2.1", "86f50af146a7df9eca4e69f0262e73e708908435ebfa833df797adfa08843bc5"),
    (
        "fonts-liberation=1:1.07.4-11",
        "efd381517f958b01969343634ffcbdd60056be7779af84c6f53a005090430204",
    ),
    (
        "fonts-linuxlibertine=5.3.0-6",
        "5c77471e910189b3e4e2eda2b1c5f549ddcaf4de8f9640b97773643970d29087",
    ),
    ("fonts-misaki=20210505-1", "8bb6ee999bbecf997e069dc62cea22a99b72853f3e96d851c8acd970f577296c"),
    ("fonts-open-sans=1.11-2", "ed8c4258af6c23e5105fa18940544f060f3c9664fbe881f25130fe0c65bc1485"),
    (
        "fonts-play=1.002+20150307.1-0.1",
        "274f6e95f668f1fff3441056e968a4c947ac975b29000d9c513bd06bb7f7f9d4",
    ),
    (
        "fonts-roboto-unhinted=2:0~20170802-3",
        "f89cf7d8a589489daecf750031ec50456ab3e648d49ff544f0f08753268fbd91",
    ),
)
_GNOME: Final = (
    "gnome-cards-data=1:3.22.23-1",
    "54ef445826dd7701d3ea83f999fbc8f058d304b714732425b23cde5c632596e0",
)
_CARDS: Final = Package(
    ("npm", "pack", "--silent", "@heruka_urgyen/react-playing-cards@0.5.0"),
    "0a9e5c386c40af2ae591103589d3a4c340d66a325a64c3f5b1d3f6c0a907b468",
)
_DECKS: Final = ("2color", "2color-bf", "4color")

PHOTOS: Final = "e59bd2444d2320195e2e742a918938bead21f1457ab4b5f3e6e6b1429a0ecb9b"
"""The SHA-256 (`digest`) of the photographs and their labels."""


HELD_FONTS: Final = ("LiberationSansNarrow", "FreeSerif", "Play", "EBGaramond", "Roboto-")
"""Decks never used for training, like `decks.HELD`: they measure performance on unseen decks."""
HELD_SIGNS: Final = 20
"""Suit signs from this index on are held out as well."""


class Inputs(NamedTuple):
    """The fetched data."""

    fonts: Path
    decks: tuple[Path, ...]
    """Folders with a drawing of each card."""


def packages() -> list[Package]:
    """Return every package."""
    debian = [Package(("apt-get", "download", name), sha256) for name, sha256 in (*_FONTS, _GNOME)]
    return [*debian, _CARDS]


def gathered(folder: Path) -> Inputs:
    """Fetch everything that is missing in a folder, and unpack all of it there.

    Raises:
        SystemExit: if a package has another checksum, or the installed decks are not the package's.
    """
    folder = folder.resolve()
    *debian, cards = packages()
    system = folder / "debian"
    for package in debian:
        content = fetched(package, folder)
        (file,) = (folder / package.sha256).iterdir()
        if not content.startswith(b"!<arch>"):
            raise SystemExit(f"{file.name} is no Debian package")
        subprocess.run(("dpkg-deb", "--extract", file, system), check=True)
    _same(system / decks.FOLDER.relative_to("/"), decks.FOLDER)
    with tarfile.open(fileobj=io.BytesIO(fetched(cards, folder))) as archive:
        archive.extractall(folder / "npm", filter="data")
    drawings = folder / "npm" / "package" / "src" / "images"
    return Inputs(system / "usr" / "share" / "fonts", tuple(drawings / name for name in _DECKS))


def _same(wanted: Path, found: Path) -> None:
    """Raise SystemExit if an installed deck differs from its package."""
    for path in sorted(wanted.glob("*.svgz")):
        other = found / path.name
        if not other.is_file() or other.read_bytes() != path.read_bytes():
            raise SystemExit(f"{other} is not that of {_GNOME[0]}")


def checked_photos(folder: Path) -> None:
    """Raise SystemExit if the photographs or their labels are not those of `PHOTOS`."""
    if (found := digest(folder)) != PHOTOS:
        raise SystemExit(f"{folder} has other photographs: {found} instead of {PHOTOS}")


def digest(folder: Path) -> str:
    """Return one checksum of the labels and of every photograph, by name."""
    whole = hashlib.sha256()
    for path in sorted([folder / "labels.json", *folder.glob("*.jpg")]):
        whole.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def sources(fonts: Path, more: Sequence[Path], held: bool, invented: int, seed: int) -> list[Image]:
    """Return real decks (each twice) and invented ones, either those for training or the held-out
    ones."""
    real = _real(more)
    made = _invented(fonts, real, held, invented, seed, "")
    kept = [deck for name, deck in real.items() if (name in decks.HELD) == held]
    return [*made, *kept, *kept]


def held_out(fonts: Path, letters: str, count: int, seed: int) -> list[Image]:
    """Return invented packs in a language (a key of `packs.LETTERS`), from the held-out parts."""
    return _invented(fonts, _real(()), True, count, seed, letters)


def _real(more: Sequence[Path]) -> dict[str, Image]:
    real = {name: decks.faces(name) for name in decks.names()}
    return real | {str(folder): decks.drawn(folder) for folder in more}


def _invented(
    fonts: Path, real: dict[str, Image], held: bool, count: int, seed: int, letters: str
) -> list[Image]:
    chance = np.random.default_rng(seed)
    signs = packs.pips(real, packs.fonts(fonts))
    signs = signs[HELD_SIGNS:] if held else signs[:HELD_SIGNS]
    kept = {name: deck for name, deck in real.items() if (name in decks.HELD) == held}
    wanted = some_fonts(fonts, held)
    return [packs.invented(chance, kept, signs, wanted, letters) for _ in range(count)]


def some_fonts(folder: Path, held: bool) -> list[str]:
    """Return the fonts for training, or the held-out ones."""
    every = packs.fonts(folder)
    if not every:
        raise SystemExit(f"there are no fonts in {folder}")
    return [font for font in every if any(word in Path(font).name for word in HELD_FONTS) == held]
