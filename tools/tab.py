"""`make tab`: a board in a browser tab, as a folder of static files for any web server.

    python -m tools.tab dist/tab
    python -m tools.tab --install    # only fetch the npm packages, for the tests

Python comes from npm's package `pyodide`, as `packaging/tab/package-lock.json` pins it; the
packages that the board needs come from this environment, in the versions of
`requirements-deb.lock`. Changed files get a new name that depends on their content. The same input
always produces the same folder.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.metadata import Distribution, distribution
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from packaging.utils import canonicalize_name

from boardctl import features
from boardctl.board import drawing, layout, svg
from boardctl.web import guard

ROOT: Final = Path(__file__).parents[1]
OURS: Final = ROOT / "packaging" / "tab"
STATIC: Final = ROOT / "boardctl" / "web" / "static"
BUILD: Final = ROOT / "build" / "tab"
"""The folder in which npm installs Pyodide."""
LOCK: Final = ROOT / "requirements-deb.lock"
MOST: Final = 9_000_000
"""The maximum bytes, compressed, that a first visit may fetch."""
PYODIDE: Final = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    *("python_stdlib.zip", "pyodide-lock.json"),
)
PACKAGES: Final = (
    *("aiomqtt", "anyio", "colorzero", "gpiozero", "idna", "paho-mqtt", "segno", "starlette"),
    *("tomli-w", "typing-extensions"),
)
"""The packages that the board needs in a tab: not those that serve its page, open serial lines or
read commands."""
_LIBRARY: Final = "python_stdlib.zip"
_UNUSED: Final = re.compile(
    r"/_backends/_trio|pytest_plugin|/tests?/|gpiozerocli/|gpiozero/pins/(native|pigpio|lgpio|rpigpio)"
    r"|starlette/(testclient|schemas|middleware/(wsgi|opentelemetry))|segno/cli|\.pyc$|\.pyi$"
)
UNUSED_LIBRARY: Final = re.compile(
    r"(multiprocessing|_pyrepl|unittest|xmlrpc|wsgiref|ensurepip|idlelib|turtledemo)/|xml/dom/"
    r"|(pdb|doctest|pydoc|pickletools|imaplib|ftplib|smtplib|mailbox|optparse|profile|poplib|wave|bdb)\.py$"
    r"|(_pyio|_pydatetime|difflib|trace|tabnanny|pstats|cProfile|modulefinder|pyclbr|plistlib)\.py$"
    r"|(zipapp|compileall|logging/config|http/(server|cookiejar)|asyncio/(windows_|proactor_|tools).*)\.py$"
    r"|encodings/(cp(?!437)|mac_|iso8859_|iso2022|koi8_|kz1048|big5|euc_|gb|shift_jis|johab|hz"
    r"|ptcp154|tis_620|hp_roman8|palmos)"
)
"""Modules of Python's library that no part of the board imports, and codecs of other texts."""
BROKERS: Final = "'self' wss: ws://localhost:* ws://127.0.0.1:*"
"""The addresses that the board's worker may reach: brokers by TLS, and those of this machine."""
_SODIUM: Final = "libsodium-sumo.mjs"
"""libsodium compiled to WebAssembly, from npm's package `libsodium-sumo`."""
_SHARED: Final = frozenset({"mqtt"})
"""Rooms whose feature a tab lacks, with modules that other features need there."""
_ROOMS: Final = frozenset({"club", "commands", "drawings"})
"""Rooms with commands only; rooms that a tab lacks are added (`Feature.in_tab`)."""
_KEPT: Final = frozenset({".py", ".toml", ".json", ".mo", ".svg", ".css", ".js", ".html", ".txt"})
_STAMP: Final = (2026, 1, 1, 0, 0, 0)
_MANIFEST: Final = "manifest.webmanifest"
_HASHED: Final = 12


class BuildError(Exception):
    """The reason why the folder cannot be made, in one sentence."""


def board_files(package: Path = ROOT / "boardctl") -> Iterator[tuple[str, bytes]]:
    """Return the files of boardctl that a tab needs: names and contents.

    Args:
        package: the folder of the package.
    """
    absent = {f.name for f in features.installed() if not f.in_tab} - _SHARED | _ROOMS
    for file in sorted(package.rglob("*")):
        path = file.relative_to(package)
        pages = path.parts[:2] == ("web", "static") and path.suffix not in (".json", ".css")
        unused = path.parts[0] in absent or {"commands", "__pycache__"} & set(path.parts)
        if file.is_file() and file.suffix in _KEPT and not unused and not pages:
            yield f"{package.name}/{path.as_posix()}", file.read_bytes()


def pinned(lock: str) -> dict[str, str]:
    """Return the versions that a lock file pins, by the packages' normalised names."""
    found = re.findall(r"^([\w.-]+)==([^\s;]+)", lock, re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


def package_files() -> Iterator[tuple[str, bytes]]:
    """Return the files of the packages that the board needs in a tab.

    Raises:
        BuildError: if a package's installed version differs from the lock file.
    """
    versions = pinned(LOCK.read_text())
    for name in PACKAGES:
        found = distribution(name)
        if found.version != versions[name]:
            raise BuildError(f"{name} {found.version} is installed, not {versions[name]}")
        for path in sorted(found.files or ()):
            if path.parts[0].endswith(".dist-info") or ".." in path.parts:
                continue
            if path.suffix in (".py", ".json") and not _UNUSED.search(f"/{path.as_posix()}"):
                yield path.as_posix(), Path(str(found.locate_file(path))).read_bytes()


def sodium_files() -> Iterator[tuple[str, bytes]]:
    """Return the files that replace PyNaCl in a tab."""
    for file in sorted((OURS / "nacl").rglob("*.py")):
        yield file.relative_to(OURS).as_posix(), file.read_bytes()


def packed(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a ZIP archive of some files, the same for the same files."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files:
            info = zipfile.ZipInfo(name, _STAMP)
            archive.writestr(info, content, zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


def library_files(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Return the files of Python's library that a tab needs.

    Args:
        archive: Pyodide's ZIP archive of the library.
    """
    with zipfile.ZipFile(BytesIO(archive)) as whole:
        for info in whole.infolist():
            if not (info.is_dir() or UNUSED_LIBRARY.match(info.filename)):
                yield info.filename, whole.read(info)


def compiled(archives: Mapping[str, bytes], pyodide: Path) -> dict[str, bytes]:
    """Compile the modules that are loaded at the start, using the tab's Python.

    Args:
        archives: ZIP archives by name: Python's library, the packages and the board.
        pyodide: the folder of Pyodide.

    Raises:
        subprocess.CalledProcessError: if a board of these files does not start.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file, content in archives.items():
            (folder / file).write_bytes(content)
        script = OURS / "compile.mjs"
        subprocess.run(["node", str(script), str(pyodide.resolve()), name], check=True)
        return {file: (folder / file).read_bytes() for file in archives}


def _digest(files: Mapping[str, bytes]) -> str:
    whole = sha256()
    for name in sorted(files):
        whole.update(f"{name} {len(files[name])}\n".encode() + files[name])
    return whole.hexdigest()[:_HASHED]


def policy(connect: str = "'self'") -> str:
    """Return the Content-Security-Policy of the shell: that of the page, plus WebAssembly, workers
    of this address and one policy for their scripts; `connect` are the reachable addresses."""
    changed = {
        "script-src": "'self' 'wasm-unsafe-eval'",
        "connect-src": connect,
        "frame-ancestors": "",
        "trusted-types": "boardctl",
        "worker-src": "'self'",
        "frame-src": "'self'",
    }
    rules = dict(rule.partition(" ")[::2] for rule in guard.policy("").split("; "))
    return "; ".join(f"{name} {value}" for name, value in (rules | changed).items() if value)


def _page_policy() -> str:
    rules = guard.policy("").split("; ")
    return "; ".join(rule for rule in rules if not rule.startswith("frame-ancestors"))


def page_files(static: Path = STATIC) -> dict[str, bytes]:
    """Return the page's files. Each document gets the script that connects it to the worker, and
    the page's policy. The setup page is a special one for the tab.

    Raises:
        BuildError: if a document has not exactly one place for the script.
    """
    files = {file.name: file.read_bytes() for file in static.iterdir() if file.suffix != ".license"}
    files["setup.html"] = (OURS / "setup.html").read_bytes()
    for name in ("frame.js", "copies.js", "say.js"):
        files[name] = (OURS / name).read_bytes()
    del files["setup.js"]
    meta = f'<meta http-equiv="Content-Security-Policy" content="{_page_policy()}">'
    script = '<script src="frame.js"></script>'
    for name in [name for name in files if name.endswith(".html")]:
        document = files[name].decode()
        head = '<meta charset="utf-8">'
        if document.count(head) != 1:
            raise BuildError(f"{name}: no place for the script")
        document = document.replace(head, f"{head}\n  {meta}\n  {script}")
        files[name] = document.encode()
    return files


def has_pyodide(folder: Path = BUILD) -> bool:
    """Return whether Pyodide is installed as pinned in the lock file."""
    done = folder / "installed"
    return done.is_file() and done.read_bytes() == (OURS / "package-lock.json").read_bytes()


def installed(folder: Path = BUILD) -> Path:
    """Install Pyodide with npm, unless it is installed as pinned in the lock file. Return its
    folder.

    Raises:
        subprocess.CalledProcessError: if npm fails.
        FileNotFoundError: if npm is not installed.
    """
    if not has_pyodide(folder):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(OURS / name, folder / name)
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=folder, check=True)
        (folder / "installed").write_bytes((OURS / "package-lock.json").read_bytes())
    return folder / "node_modules" / "pyodide"


def sodium(pyodide: Path) -> Path:
    """Return the folder of libsodium, which npm installs next to Pyodide."""
    return pyodide.parent / "libsodium-sumo"


def _lock_of_nothing(pyodide: Path) -> bytes:
    """Return Pyodide's package list with all packages removed, because the board's own packages are
    included."""
    whole = json.loads((pyodide / "pyodide-lock.json").read_text())
    return json.dumps({**whole, "packages": {}}).encode()


def licences(pyodide: Path) -> str:
    """Return the licences of everything in the folder, as text."""
    parts = [("boardctl", (ROOT / "LICENSE").read_text())]
    parts.append(("The fonts: SIL Open Font License", (STATIC / "OFL-1.1.txt").read_text()))
    version = json.loads((pyodide / "package.json").read_text())["version"]
    source = f"Its source: https://github.com/pyodide/pyodide, tag {version}"
    texts = {file.stem: file.read_text() for file in (OURS / "licences").iterdir()}
    parts.append((f"Pyodide {version}", f"{source}\n\n{texts['pyodide']}"))
    parts.append(("Parts of Pyodide", texts["parts"]))
    ours = json.loads((sodium(pyodide) / "package.json").read_text())["version"]
    parts.append((f"libsodium-sumo {ours}", (sodium(pyodide) / "LICENSE").read_text()))
    python = "\n\n".join(_licence_texts(distribution("typing-extensions")))
    parts.append(("Python", python))  # the same text, with Python's history
    for name in PACKAGES:
        found = distribution(name)
        own = list(_licence_texts(found))
        if not own:
            raise BuildError(f"{name}: no licence in its package")
        parts.append((f"{found.name} {found.version}", "\n\n".join(own)))
    return "\n\n".join(f"==== {name} ====\n\n{text.strip()}" for name, text in parts) + "\n"


def _licence_texts(found: Distribution) -> Iterator[str]:
    for path in sorted(found.files or ()):
        named = re.match(r"(licen[sc]e|copying|notice|edl|epl)", path.name, re.IGNORECASE)
        if named and path.parts[0].endswith(".dist-info"):
            yield Path(str(found.locate_file(path))).read_text("utf-8")


def make(target: Path, pyodide: Path) -> dict[str, Any]:
    """Write the folder, and return the data about it for the service worker.

    Raises:
        BuildError: if it cannot be made from these files.
    """
    python = {name: (pyodide / name).read_bytes() for name in PYODIDE}
    python["pyodide-lock.json"] = _lock_of_nothing(pyodide)
    archives = {
        _LIBRARY: packed(library_files(python[_LIBRARY])),
        "packages.zip": packed([*package_files(), *sodium_files()]),
        "board.zip": packed(board_files()),
    }
    archives = compiled(archives, pyodide)
    python[_LIBRARY] = archives.pop(_LIBRARY)
    home = f"python-{_digest(python)}/"
    zips = {
        f"{name.removesuffix('.zip')}-{_digest({name: content})}.zip": content
        for name, content in archives.items()
    }
    page = page_files()
    page_home = f"page-{_digest(page)}/"
    library = {_SODIUM: (sodium(pyodide) / "dist/modules-sumo-esm" / _SODIUM).read_bytes()}
    library_home = f"sodium-{_digest(library)}/"

    loaded = [f"{home}{name}" for name in PYODIDE if not name.endswith(".mjs")]
    sizes = {f"{home}{name}": len(content) for name, content in python.items()}
    sizes |= {name: len(content) for name, content in zips.items()}
    build: dict[str, Any] = {
        "cache": "boardctl",
        "home": home,
        "page": page_home,
        "python": [[name, sizes[name]] for name in (*loaded, *zips)],
        "zips": list(zips),
        "sodium": f"{library_home}{_SODIUM}",
    }
    scripts = (
        *("kept.js", "python.js", "snapshot.js", "sodium.js", "board.js", "player.js"),
        *("shell.js", "shell.css", "say.js"),
    )
    shell = {name: (OURS / name).read_bytes() for name in scripts}
    shell["board.svg"] = svg.write(drawing.board(layout.load("classic-2")))
    version = _digest(shell | {"build": json.dumps(build).encode()})
    shell_home = f"shell-{version}/"
    build |= {"shell": shell_home, "version": version}
    shell["build.js"] = f"export const build = {json.dumps(build)};\n".encode()

    written = {f"{home}{name}": content for name, content in python.items()}
    written |= zips
    written |= {f"{library_home}{name}": content for name, content in library.items()}
    written |= {f"{page_home}{name}": content for name, content in page.items()}
    written |= {f"{shell_home}{name}": content for name, content in shell.items()}
    written[_MANIFEST] = _manifest(page_home)
    kept = sorted(written)
    index = (OURS / "index.html").read_text()
    for name, value in (("policy", policy()), ("page", page_home), ("shell", shell_home)):
        index = index.replace(f"{{{name}}}", value)
    written["index.html"] = index.encode()
    known = {
        **build,
        "files": kept,
        "policy": f"{policy()}; frame-ancestors 'self'",
        "policies": {f"{shell_home}board.js": policy(BROKERS)},
    }
    worker = (OURS / "sw.js").read_text().replace("'{build}'", json.dumps(known))
    written["sw.js"] = worker.encode()
    written["licences.txt"] = licences(pyodide).encode()

    shutil.rmtree(target, ignore_errors=True)
    for name, content in written.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)
    return known


def _manifest(page: str) -> bytes:
    manifest = json.loads((STATIC / "page.webmanifest").read_text())
    icons = [{**icon, "src": page + icon["src"]} for icon in manifest["icons"]]
    return json.dumps(
        manifest | {"id": "./", "start_url": "./", "scope": "./", "icons": icons}
    ).encode()


def fetched(target: Path) -> int:
    """Return the number of bytes that a first visit fetches, with each file compressed as servers
    do."""
    files = [file for file in target.rglob("*") if file.is_file() and file.name != "licences.txt"]
    return sum(
        min(file.stat().st_size, len(gzip.compress(file.read_bytes(), 6, mtime=0)))
        for file in files
    )


def main(target: Path) -> int:
    """Make the folder and report its size. Return the exit status."""
    try:
        make(target, installed())
    except BuildError as error:
        sys.stderr.write(f"tab: {error}\n")
        return 1
    except FileNotFoundError:
        sys.stderr.write("tab: npm is not installed; `make system` installs it\n")
        return 1
    size = fetched(target)
    sys.stdout.write(f"tab: {target}, {size / 1e6:.1f} MB to fetch at the first visit\n")
    if size > MOST:
        sys.stderr.write(f"tab: that is more than {MOST / 1e6:.0f} MB\n")
        return 1
    return 0


def install() -> int:
    """Install the parts that `make system` adds for the tests, and report if that is impossible."""
    try:
        installed()
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        sys.stdout.write(f"npm: Pyodide is not installed ({error}); its tests are skipped\n")
    return 0


if __name__ == "__main__":
    sys.exit(install() if sys.argv[1:] == ["--install"] else main(Path(sys.argv[1])))
