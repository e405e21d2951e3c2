"""The folder of `make tab`: its size, its requirements, and the limits of its policies."""

from __future__ import annotations

import ast
import json
import re
import runpy
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from boardctl import features
from boardctl.web import guard
from tests.parts import need
from tools import tab

ROOT = Path(__file__).parents[2]


def test_a_first_visit_fetches_at_most_nine_megabytes(folder: Path) -> None:
    assert tab.fetched(folder) <= tab.MOST
    assert tab.fetched(folder) > 1_000_000, "it is weighed"


def test_the_same_files_make_the_same_folder(folder: Path, tmp_path: Path) -> None:
    need("pyodide")
    tab.make(tmp_path / "again", tab.installed())
    first = {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*.*")}
    again = {
        file.relative_to(tmp_path / "again"): file.read_bytes()
        for file in (tmp_path / "again").rglob("*.*")
    }
    assert first == again


def test_a_start_compiles_almost_nothing(folder: Path) -> None:
    """The rest of a start's modules are compiled in the archives."""
    need("node", "pyodide")
    script = Path(__file__).with_name("start.mjs")
    command = ["node", str(script), str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    read = [file for file in json.loads(done.stdout) if not file.endswith("/feature.py")]
    assert read == ["/app/anyio/__init__.py", "/app/anyio/abc/__init__.py"]


def test_the_archives_have_every_module_once(folder: Path) -> None:
    for pattern, files in (
        ("board-*.zip", tab.board_files()),
        ("packages-*.zip", tab.package_files()),
    ):
        (archive,) = folder.glob(pattern)
        with zipfile.ZipFile(archive) as whole:
            names = [re.sub(r"\.pyc$", ".py", name) for name in whole.namelist()]
        assert len(names) == len(set(names))
        assert {name for name, _ in files} <= set(names)


DOCUMENTED = '''"""First.

Second.
"""
import functools

YEAR = 2026
"""Its ♠ year."""


class Hand:
    """Six cards."""  # of thirteen

    def held(self) -> str:
        """Return the cards.

        In order.
        """
        return """two
        lines"""

    @functools.cache
    def empty(self):
        ("One "
         "sentence.")


if YEAR:
    def later(): 'Say nothing.'; return "♠"
'''.encode()


def compiler() -> dict[str, Any]:
    return runpy.run_path(str(tab.OURS / "compile.py"))


def without_docstrings(source: bytes) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Expr) else None
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            text.value = ""
            text.col_offset = text.end_col_offset = text.end_lineno = 0
            node.end_lineno = node.end_col_offset = 0  # type: ignore[attr-defined]
    return ast.dump(tree)


def lines_of_statements(source: bytes) -> list[int]:
    return [node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]


def test_docstrings_are_shortened_and_nothing_else() -> None:
    compiled = compiler()
    short = compiled["shortened"](DOCUMENTED)
    for text in (b"First", b"Second", b"year", b"Six", b"Return", b"order", b"sentence", b"Say"):
        assert text in DOCUMENTED, text
        assert text not in short, text
    assert b'"""two\n        lines"""' in short
    assert without_docstrings(short) == without_docstrings(DOCUMENTED)
    assert lines_of_statements(short) == lines_of_statements(DOCUMENTED), "for tracebacks"


@pytest.mark.slow
def test_every_module_is_the_same_without_its_docstrings() -> None:
    shortened = compiler()["shortened"]
    for name, content in (*tab.board_files(), *tab.package_files()):
        if name.endswith(".py"):
            short = shortened(content)
            assert without_docstrings(short) == without_docstrings(content), name
            assert lines_of_statements(short) == lines_of_statements(content), name


def test_archives_have_short_docstrings(folder: Path) -> None:
    kept = ("_pyodide/", "pyodide/", "anyio/__init__.py", "anyio/abc/__init__.py")
    for archive in folder.rglob("*.zip"):
        with zipfile.ZipFile(archive) as whole:
            for name in whole.namelist():
                if name.endswith(".py") and not name.startswith(kept):
                    with suppress(SyntaxError):  # of a later Python
                        said = ast.get_docstring(ast.parse(whole.read(name)))
                        assert said in (None, "."), name


def imported(source: bytes) -> Iterator[str]:
    """Return the modules that a source may import, each as a path without its ending."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.replace(".", "/") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield from (f"{node.module}.{name.name}".replace(".", "/") for name in node.names)


def test_nothing_imports_a_module_that_a_tab_lacks() -> None:
    library = {"heapq.py", "pdb.py", "multiprocessing/pool.py", "encodings/cp437.py"}
    library |= {"encodings/utf_8.py", "encodings/cp1252.py"}
    kept = {name for name, _ in tab.library_files(tab.packed((name, b"") for name in library))}
    assert kept == {"heapq.py", "encodings/cp437.py", "encodings/utf_8.py"}
    for name, content in (*tab.board_files(), *tab.package_files()):
        if name.endswith(".py"):
            asked = {f"{module}.py" for module in imported(content)}
            asked |= {f"{module}/" for module in imported(content)}
            assert not [module for module in asked if tab.UNUSED_LIBRARY.match(module)], name


def test_every_file_has_a_name_by_its_content_and_is_kept_for_later(folder: Path) -> None:
    names = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    plain = {"index.html", "sw.js", "licences.txt", "manifest.webmanifest"}
    assert plain <= names
    assert all(re.match(r"[a-z]+-[0-9a-f]{12}(\.zip$|/)", name) for name in names - plain)
    known = json.loads(re.search(r"const build = (\{.*\});", (folder / "sw.js").read_text())[1])  # type: ignore[index]
    assert set(known["files"]) == names - {"index.html", "sw.js", "licences.txt"}


def test_a_changed_file_changes_its_names_alone(tmp_path: Path, folder: Path) -> None:
    static = tmp_path / "static"
    static.mkdir()
    for file in tab.STATIC.iterdir():
        (static / file.name).write_bytes(file.read_bytes())
    (static / "main.js").write_text("// another")
    before, after = tab.page_files(), tab.page_files(static)
    assert {name for name in before if before[name] != after[name]} == {"main.js"}


def test_features_that_a_tab_lacks_are_not_in_it() -> None:
    names = [name for name, _ in tab.board_files()]
    rooms = {name.split("/")[1] for name in names}
    shared = {"mqtt"}  # the tab's connection to other houses
    for feature in features.installed():
        assert (feature.name in rooms) == (feature.in_tab or feature.name in shared), feature.name
    assert {"bot", "far"} <= rooms
    assert not any("/commands/" in name or name.endswith((".po", ".xz")) for name in names)


def test_the_policies() -> None:
    policy = tab.policy()
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy
    assert policy.endswith("frame-src 'self'") or "frame-src 'self';" in policy
    assert "trusted-types boardctl;" in policy
    assert "connect-src 'self';" in policy
    for name, content in tab.page_files().items():
        if name.endswith(".html"):
            page = content.decode()
            (said,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
            ours = [rule for rule in guard.policy("").split("; ") if "ancestors" not in rule]
            assert said == "; ".join(ours)
            assert page.index("Content-Security") < page.index("frame.js") < page.index("<title>")


def test_the_versions_are_those_of_the_lock_files(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = tab.pinned(tab.LOCK.read_text())
    assert set(tab.PACKAGES) <= set(versions)
    assert versions["typing-extensions"].count(".") == 2
    monkeypatch.setattr(tab, "pinned", lambda lock: dict.fromkeys(versions, "0.0"))
    with pytest.raises(tab.BuildError, match=r"is installed, not 0\.0"):
        list(tab.package_files())


def test_licences_of_everything(folder: Path) -> None:
    text = (folder / "licences.txt").read_text()
    for part in (
        "boardctl",
        "Pyodide",
        "Python",
        "libsodium",
        "paho",
        "starlette",
        "gpiozero",
        "idna",
        "anyio",
    ):
        assert re.search(rf"^==== {part}", text, re.MULTILINE), part
    assert "Mozilla Public License" in text
    assert "Eclipse Distribution License" in text
    lock = json.loads((tab.OURS / "package-lock.json").read_text())
    assert all("resolved" not in part for part in lock["packages"].values())
