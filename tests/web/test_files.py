"""The page's files: addresses that browsers keep, gzip, and the bundles of a release."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from boardctl.web import files
from tests.parts import need
from tools import bundle


class Client:
    """Requests files from an app."""

    def __init__(self) -> None:
        self._transport = httpx.ASGITransport(Starlette(routes=files.routes()))

    def get(self, path: str, **headers: str) -> httpx.Response:
        async def ask() -> httpx.Response:
            async with httpx.AsyncClient(
                transport=self._transport, base_url="http://board"
            ) as client:
                named = {name.replace("_", "-"): value for name, value in headers.items()}
                return await client.get(path, headers=named)

        return asyncio.run(ask())


@pytest.fixture
def client() -> Client:
    return Client()


def kept(client: Client, page: str = "/") -> list[str]:
    """Return the cacheable addresses in a page."""
    return re.findall(r'(?:href|src)="(kept-[^"]+)"', client.get(page).text)


@pytest.mark.parametrize("page", ["/", "/history.html", "/setup.html", "/lesson.html"])
def test_a_page_refers_to_files_that_browsers_keep(client: Client, page: str) -> None:
    """A repeated visit no longer asks for 43 files just to learn that none has changed."""
    found = kept(client, page)
    assert {address.rpartition(".")[2] for address in found} >= {"js", "css", "woff2"}
    for address in found:
        answer = client.get(f"/{address}")
        assert answer.status_code == 200, address
        assert "immutable" in answer.headers["cache-control"], address
    assert client.get(page).headers["cache-control"] == "no-cache"


def test_modules_import_one_another_below_the_kept_address(client: Client) -> None:
    (main,) = (address for address in kept(client) if address.endswith("main.js"))
    imported = re.findall(r"from '\./([\w]+\.js)'", client.get(f"/{main}").text)
    assert imported
    for name in imported:
        assert client.get(f"/{main.rpartition('/')[0]}/{name}").status_code == 200, name


def test_another_version_is_not_there(client: Client) -> None:
    """A page of an older version must not store this version's files under its own address."""
    assert client.get("/kept-000000000000/main.js").status_code == 404


def test_text_is_sent_packed_where_a_browser_unpacks_it(client: Client) -> None:
    packed = client.get("/main.js", accept_encoding="gzip")
    plain = client.get("/main.js", accept_encoding="identity")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content  # unpacked by httpx
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    tag = packed.headers["etag"]
    assert tag != plain.headers["etag"]
    again = client.get("/main.js", accept_encoding="gzip", if_none_match=tag)
    assert again.status_code == 304


def test_a_release_has_one_script_and_one_style(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [
        files._File("bundle/main.js", b"1;"),
        files._File("bundle/main.css", b"a{}"),
        *files._read(),
    ]
    monkeypatch.setattr(files, "_read", lambda: iter(made))
    client = Client()
    names = [address.split("/", 1)[1] for address in kept(client)]
    assert [name for name in names if name.endswith((".js", ".css"))] == [
        "bundle/main.css",
        "bundle/main.js",
    ]
    assert "main.css" not in kept(client, "/history.html")


def test_every_page_is_bundled() -> None:
    pages = {"main", "history", "setup", "lesson", "drill", "position", "duplicate"}
    assert set(bundle.pages()) == pages
    assert all(styles for styles in bundle.pages().values())


@pytest.mark.slow
def test_esbuild_bundles_every_page(tmp_path: Path) -> None:
    need("node")
    bundle.make(tmp_path / "bundle")
    for name in bundle.pages():
        script = (tmp_path / "bundle" / f"{name}.js").read_text("utf-8")
        style = (tmp_path / "bundle" / f"{name}.css").read_text("utf-8")
        assert not re.search(r"\bfrom\s*['\"]\./", script), name
        assert "@import" not in style, name
        assert all(url.startswith("../") for url in re.findall(r'url\("([^"]+)"\)', style)), name
