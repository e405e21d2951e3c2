"""The site of the documents (`make docs`) contains every page, and every link leads somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from posixpath import normpath

import pytest

from tools import site

ROOT = Path(__file__).parents[2]
SETTINGS = (ROOT / "mkdocs.yml").read_text("utf-8")
FENCED = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the pages of the site by their path."""
    folder = tmp_path_factory.mktemp("site") / "pages"
    site.collect(folder)
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.md"))
    }


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as the repository's host generates them."""
    found: dict[str, int] = {}
    names = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", FENCED.sub("", text), re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        count = found.get(name, 0)
        found[name] = count + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def broken(pages: dict[str, str], files: frozenset[str]) -> list[str]:
    """Return every broken link of these pages, as `PAGE: LINK`."""
    found = []
    for page, text in pages.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", text)):
            target, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", link):
                continue
            path = normpath(str(Path(page).parent / target)) if target else page
            if path not in files or (anchor and anchor not in anchors(pages.get(path, ""))):
                found.append(f"{page}: {link}")
    return found


def test_no_link_is_broken(pages: dict[str, str]) -> None:
    files = frozenset(pages) | {
        name
        for ending in (".svg", ".png", ".webp")
        for name in (path.relative_to(ROOT).as_posix() for path in ROOT.rglob(f"*{ending}"))
        if name.startswith(site.ROOTS)
    }
    assert len(pages) > 40
    assert broken(pages, files) == []


def test_a_broken_link_is_found() -> None:
    pages = {"a.md": "# One two\n[x](b.md) [y](c.md) [z](#one-two) [w](b.md#three)", "b.md": "# B"}
    assert broken(pages, frozenset(pages)) == ["a.md: c.md", "a.md: b.md#three"]


def test_every_page_is_in_the_navigation(pages: dict[str, str]) -> None:
    navigation = re.findall(r"([\w./-]+\.md)$", SETTINGS.partition("\nnav:\n")[2], re.MULTILINE)
    beside = re.search(r"^not_in_nav: \|\n((?:  .*\n)+)", SETTINGS, re.MULTILINE)
    assert beside is not None
    patterns = [line.strip().lstrip("/") for line in beside[1].splitlines()]
    reached = {page for page in pages if any(fnmatch(page, one) for one in patterns)}
    assert sorted(navigation) == sorted(set(pages) - reached)


def test_a_link_to_code_leads_to_the_repository() -> None:
    shown = frozenset({"docs/a.md", "hardware/README.md", "wiring.md"})
    text = (
        "[a](../wiring.md#x) [b](../hardware/) [c](../boardctl/table.py) [d](#e) [f](https://g.h)"
    )
    assert site.with_links(text, "docs/a.md", shown, "https://x.y/blob/main") == (
        "[a](../wiring.md#x) [b](../hardware/README.md) "
        "[c](https://x.y/blob/main/boardctl/table.py) [d](#e) [f](https://g.h)"
    )


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mkdocs") is None, reason="`make docs` installs mkdocs")
def test_the_site_is_built_and_a_broken_link_is_refused(tmp_path: Path) -> None:
    """With --quiet mkdocs counts no warnings, so a broken link passed."""
    site.collect(tmp_path / "pages")
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(SETTINGS.replace("build/pages", "pages").replace("build/site", "site"))
    recipe = re.search(r"\$\(BIN\)/mkdocs (build.*)", (ROOT / "Makefile").read_text("utf-8"))
    assert recipe is not None
    command = [sys.executable, "-m", "mkdocs", *recipe[1].split(), "--config-file", str(settings)]
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "site/docs/notation/index.html").is_file()
    assert "starter" in (tmp_path / "site/search/search_index.json").read_text("utf-8")
    with (tmp_path / "pages/SECURITY.md").open("a", encoding="utf-8") as page:
        page.write("[x](docs/bot.md#nowhere)\n")
    assert subprocess.run(command, check=False, capture_output=True).returncode == 1
