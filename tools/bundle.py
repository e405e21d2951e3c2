"""Make one script and one style sheet for each page, for a release: `python -m tools.bundle
[FOLDER]`.

esbuild, fetched by npx, bundles the modules and styles of `boardctl/web/static` into its folder
`bundle`, which the page then uses (`boardctl.web.files`). A checkout has no such folder, so
browsers load the sources.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import boardctl
from boardctl.web.files import BUNDLE

STATIC: Final = Path(boardctl.__file__).parent / "web" / "static"
ESBUILD: Final = ("npx", "--yes", "--package", "esbuild@0.25.10", "esbuild")
_SCRIPT: Final = re.compile(r'<script type="module" src="([\w-]+)\.js"></script>')
_STYLE: Final = re.compile(r'<link rel="stylesheet" href="([\w-]+\.css)">')
_URL: Final = re.compile(r'url\("?([\w-]+\.(?:woff2|svg))"?\)')


def pages(static: Path = STATIC) -> dict[str, list[str]]:
    """Return the script of each page, without the suffix, together with the page's styles in
    order."""
    found = {}
    for page in sorted(static.glob("*.html")):
        text = page.read_text("utf-8")
        if script := _SCRIPT.search(text):
            found[script[1]] = _STYLE.findall(text)
    return found


def make(folder: Path, static: Path = STATIC) -> None:
    """Bundle the scripts and styles of all pages into a folder beside `static`'s fonts.

    Args:
        folder: emptied first.
        static: the folder of the sources.

    Raises:
        subprocess.CalledProcessError: if esbuild refuses a source; it has printed the reason.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(dir=static.parent) as made:
        entries = []
        for script, styles in pages(static).items():
            imports = (f'@import "{static / style}";\n' for style in styles)
            (Path(made) / f"{script}.css").write_text("".join(imports), "utf-8")
            entries += [str(static / f"{script}.js"), str(Path(made) / f"{script}.css")]
        subprocess.run(
            [
                *(*ESBUILD, *entries),
                *("--bundle", "--minify", "--format=esm", "--target=es2022", "--log-level=warning"),
                *("--external:*.woff2", "--external:*.svg", "--entry-names=[name]"),
                f"--outdir={folder}",
            ],
            check=True,
        )
    for style in folder.glob("*.css"):
        text = style.read_text("utf-8")
        style.write_text(_URL.sub(r'url("../\1")', text), "utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else STATIC / BUNDLE)
