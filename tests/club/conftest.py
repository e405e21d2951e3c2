"""The club's stores: the same tests run on SQLite, and in the slow run on PostgreSQL."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from boardctl.club import pin
from boardctl.club.store import Store
from tests.club.postgres import Postgres
from tests.parts import need


@pytest.fixture(autouse=True)
def cheap_pins(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash PINs a thousand times as fast, except if other processes or older files hash them too
    (`@pytest.mark.usefixtures("real_pins")`)."""
    if "real_pins" not in request.fixturenames:
        monkeypatch.setattr(pin, "COST", 2**4)


@pytest.fixture
def real_pins() -> None:
    """Hash PINs at their real cost."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    need("postgresql")
    server = Postgres()
    server.start()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def with_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the tables of a store, created by all migrations."""
    path = tmp_path_factory.mktemp("store") / "club.sqlite3"
    Store(str(path)).close()
    return path


@pytest.fixture(scope="session")
def database_with_tables(postgres: Postgres) -> str:
    """The name of a database with the same tables."""
    url = postgres.new()
    Store(url).close()
    name = sa.engine.make_url(url).database
    assert name is not None
    return name


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind; if the test opens it by `opened`, it has its tables."""
    opens = "opened" in request.fixturenames
    if request.param == "sqlite":
        path = tmp_path / "club.sqlite3"
        if opens:
            shutil.copyfile(request.getfixturevalue("with_tables"), path)
            path.chmod(0o600)
        return str(path)
    server: Postgres = request.getfixturevalue("postgres")
    return server.new(request.getfixturevalue("database_with_tables")) if opens else server.new()


@pytest.fixture
def opened(url: str) -> Iterator[Callable[..., Store]]:
    """Returns a function that opens the store, any number of times."""
    stores: list[Store] = []

    def open_(club: str | None = None, season: str | None = None) -> Store:
        stores.append(Store(url, club, season))
        return stores[-1]

    yield open_
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Callable[..., Store]) -> Store:
    return opened()
