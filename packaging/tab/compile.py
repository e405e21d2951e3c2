"""Compile the modules that the tab loads at its start, and shorten all docstrings, in the archives
in a folder.

`make tab` runs this in the tab's own Python (`compile.mjs`). Compiled modules start faster but need
more bytes, so only those that a start loads are compiled; the others stay as source.
"""

import ast
import io
import marshal
import sys
import zipfile
from importlib import import_module
from importlib.util import MAGIC_NUMBER
from pathlib import Path

APP = "/app/"
LIBRARY = "python_stdlib.zip"
STAMP = (2026, 1, 1, 0, 0, 0)
UNCHECKED = (1).to_bytes(4, "little") + bytes(8)
"""PEP 552: a compiled module that is not compared with a source."""
READ = frozenset({"anyio/__init__.py", "anyio/abc/__init__.py"})
"""Modules that read their own source (anyio's `_lazyimport`)."""
DOCUMENTED = ("_pyodide/", "pyodide/")
"""Folders whose docstrings Pyodide's core reads."""
SHORT = b"'.'"
"""The replacement of every docstring. Without a docstring, a dataclass would make a long one at
each start."""


async def start(archives):
    """Load what a start of the tab loads."""
    for file in archives:
        if file.name != LIBRARY:
            with zipfile.ZipFile(file) as archive:
                archive.extractall(APP)
    sys.path.insert(0, APP)
    await import_module("boardctl.app.tab").rehearse()


def loaded():
    """Return the paths of the loaded modules in their archives, without the frozen ones."""
    specs = [getattr(module, "__spec__", None) for module in list(sys.modules.values())]
    files = [spec.origin for spec in specs if spec and spec.origin]
    return {file.removeprefix(APP).rpartition(".zip/")[2] for file in files}


def strings(body):
    """Yield the strings that are statements, such as docstrings, in the order of the source."""
    for node in body:
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value
        for part in ("body", "handlers", "orelse", "finalbody"):
            yield from strings(getattr(node, part, ()))


def shortened(source):
    """Return a source with each docstring shortened; every other statement keeps its line."""
    lines = source.splitlines(keepends=True)
    for found in strings(ast.parse(source).body):
        first, last = found.lineno - 1, found.end_lineno - 1
        before, after = lines[first][: found.col_offset], lines[last][found.end_col_offset :]
        between = b"\n" * (last - first)
        lines[first : last + 1] = [before + SHORT + between + after, *[b""] * (last - first)]
    return b"".join(lines)


def compiled(given, names):
    """Return an archive with short docstrings, and the modules with these names compiled."""
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(given)) as archive,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as to,
    ):
        for name in archive.namelist():
            content, ending = archive.read(name), ""
            if name.endswith(".py") and name not in READ and not name.startswith(DOCUMENTED):
                content = shortened(content)
            # Features are found by the name of their source (`boardctl.features`).
            if name in names and name not in READ and not name.endswith("/feature.py"):
                code = compile(content, name, "exec", dont_inherit=True, optimize=0)
                content, ending = MAGIC_NUMBER + UNCHECKED + marshal.dumps(code), "c"
            to.writestr(zipfile.ZipInfo(name + ending, STAMP), content, zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


async def main(folder):
    """Replace the archives of a folder."""
    archives = sorted(Path(folder).iterdir())
    await start(archives)
    names = loaded()
    for file in archives:
        file.write_bytes(compiled(file.read_bytes(), names))
