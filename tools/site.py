"""`make docs`: collect the pages of the site, for `mkdocs build`.

The pages keep their places in the repository, so the links between them remain valid. A link to a
file that is not a page is changed so that it leads to the file in the repository.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final

ROOT: Final = Path(__file__).parents[1]
ROOTS: Final = ("docs/", "hardware/", "firmware/", "changelog.d/README.md")
"""The folders of pages, besides the top folder."""
SHOWN: Final = frozenset({".md", ".svg", ".png", ".webp"})
"""The file extensions on the site: pages and their pictures."""
LINK: Final = re.compile(r"(!?\[[^]]*\]\()(?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")


def pages(files: Iterable[str]) -> list[str]:
    """Return the files of the repository that are on the site, in order.

    Args:
        files: paths from the repository's top, with slashes.
    """
    return sorted(
        name
        for name in files
        if PurePosixPath(name).suffix in SHOWN and ("/" not in name or name.startswith(ROOTS))
    )


def with_links(text: str, page: str, shown: frozenset[str], source: str) -> str:
    """Return a page after replacing links to files outside the site by complete addresses.

    Args:
        text: the page. page: its path from the repository's top.
        shown: the paths on the site.
        source: the address of the repository's files, without a slash at the end.
    """

    def whole(link: re.Match[str]) -> str:
        before, target, anchor = link[1], link[2], link[3] or ""
        path = normpath(PurePosixPath(page).parent / target)
        if path in shown:
            return link[0]
        if f"{path}/README.md" in shown:
            return f"{before}{target.rstrip('/')}/README.md{anchor})"
        return f"{before}{source}/{path}{anchor})"

    return LINK.sub(whole, text)


def collect(folder: Path) -> None:
    """Write the pages and pictures into an empty folder.

    Raises:
        subprocess.CalledProcessError: outside a git checkout.
    """
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    names = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    shown = frozenset(pages(names))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    source = f"{project['project']['urls']['Source']}/blob/main"
    shutil.rmtree(folder, ignore_errors=True)
    for name in sorted(shown):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix == ".md":
            text = (ROOT / name).read_text("utf-8")
            target.write_text(with_links(text, name, shown, source), "utf-8")
        else:
            shutil.copyfile(ROOT / name, target)


if __name__ == "__main__":
    collect(Path(sys.argv[1]))
