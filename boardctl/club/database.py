"""Open a club's store, given its URL, and migrate it. The store is an SQLite file or a PostgreSQL
database.

All access goes through SQLAlchemy Core. Only this module contains code that differs between the two
engines. Alembic is imported only if a store must be migrated.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from boardctl.club.schema import HEAD
from boardctl.message import Message
from boardctl.text import SpokenError

APPLICATION_ID: Final = 0x434C5542
"""`CLUB` as a number: the mark in an SQLite file's header, and the PostgreSQL lock while tables are
changed."""
VERSION: Final = 3
"""The version in an SQLite file's header. Versions 1 and 2 did not use Alembic, and reject newer
files."""
PATIENCE: Final = 30
"""Seconds that a transaction waits for another transaction to end."""


class StoreError(SpokenError):
    """The error for a store that cannot be used."""


class Database:
    """An open store, with its engine and its transactions."""

    def __init__(self, url: str) -> None:
        """Open a store, and create or migrate the tables.

        Args:
            url: `postgresql://…`, `sqlite:///…`, or the path of an SQLite file.

        Raises:
            StoreError: if the store cannot be opened, is not a club's store, or was written by a
                newer boardctl.
        """
        self.url = _parsed(url)
        self.name = self.url.render_as_string(hide_password=True)
        self.upgraded = False
        """Whether older tables were migrated on opening."""
        try:
            if self.path is not None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                _made(self.path)
            self.engine = _engine(self.url)
            self._reader = self.engine.execution_options(isolation_level="AUTOCOMMIT")
            self._bring_up_to_date()
        except StoreError:
            self.close()
            raise
        except DBAPIError as error:
            self.close()
            raise StoreError("file", self.name, reason=_first_line(error)) from error
        except OSError as error:
            raise StoreError("file", error.filename, reason=error) from error
        except ImportError as error:
            raise StoreError(
                "package", part=Message("part", "postgresql"), package=error.name, extra="league"
            ) from error

    @property
    def path(self) -> Path | None:
        """The file of an SQLite store, or None for PostgreSQL."""
        if self.url.get_backend_name() != "sqlite" or not self.url.database:
            return None
        return Path(self.url.database)

    def close(self) -> None:
        if hasattr(self, "engine"):
            self.engine.dispose()

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A connection in autocommit mode, for reading."""
        with self._reader.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction, committed to disk when the context ends without an error."""
        with self.engine.begin() as connection:
            yield connection

    @property
    def insert(self) -> Callable[[sa.Table], Any]:
        """This engine's INSERT construct, with ON CONFLICT."""
        if self.url.get_backend_name() == "sqlite":
            from sqlalchemy.dialects import sqlite

            return sqlite.insert
        from sqlalchemy.dialects import postgresql

        return postgresql.insert

    def _bring_up_to_date(self) -> None:
        with self.write() as connection:
            server = self.path is None
            if server:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(APPLICATION_ID)))
            tables = sa.inspect(connection).get_table_names()
            revision = None
            if "alembic_version" in tables:
                revision = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
            elif tables and (server or not _is_old_file(connection)):
                raise StoreError("not-a-store", self.name)
            if revision != HEAD:
                _migrate(connection, self.name)
                self.upgraded = bool(tables)
                if not server:
                    connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
                    connection.exec_driver_sql(f"PRAGMA user_version={VERSION}")
        if self.path is not None:  # only once the file is known to be ours
            _close_to_others(self.path)
            with self.read() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode=WAL")


def _parsed(url: str) -> URL:
    try:
        url.encode()
    except UnicodeEncodeError as error:  # a file name that is not UTF-8
        raise StoreError("store-url", url) from error
    if "://" not in url:
        return URL.create("sqlite", database=url)
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError("store-url", url) from error
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError("store-kind", parsed.drivername)
    return parsed


def _engine(url: URL) -> sa.Engine:
    if url.get_backend_name() == "postgresql":
        # A lost connection is replaced before use. If a server does not answer, the request times
        # out, and the boards send again.
        bounds = {"statement_timeout": 1000 * PATIENCE, "lock_timeout": 1000 * PATIENCE}
        return sa.create_engine(
            url,
            pool_pre_ping=True,
            pool_size=5,
            max_overflow=5,
            connect_args={
                "connect_timeout": PATIENCE,
                "tcp_user_timeout": 1000 * PATIENCE,
                "options": " ".join(f"-c {name}={value}" for name, value in bounds.items()),
            },
        )
    engine = sa.create_engine(url, connect_args={"timeout": PATIENCE})

    @sa.event.listens_for(engine, "connect")
    def prepared(connection: Any, _: object) -> None:
        connection.isolation_level = None  # we send BEGIN ourselves, below
        for setting in ("synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {setting}").close()

    @sa.event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _is_old_file(connection: sa.Connection) -> bool:
    """Return whether an SQLite file is a club's store from before the use of Alembic."""
    mine = connection.exec_driver_sql("PRAGMA application_id").scalar()
    version = connection.exec_driver_sql("PRAGMA user_version").scalar()
    return mine == APPLICATION_ID and version in (1, 2)


def _migrate(connection: sa.Connection, name: str) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:  # an unknown revision
        raise StoreError("store-newer", name, reason=error) from error


def _made(path: Path) -> None:
    """Create a file that only its owner may read, unless the file exists. Raises OSError, or
    StoreError if the path is not a file but, for example, a device."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    if not path.is_file():
        raise StoreError("not-a-file", path)


def _close_to_others(path: Path) -> None:
    """Make a store readable only by its owner, because it contains names and hashes of PINs.
    SQLite's additional files are given the same permissions. Raises OSError.

    The file is not opened, because closing any handle on it would drop this process's locks.
    Another process could then delete the log (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """
    if (mode := path.stat().st_mode) & 0o007:
        path.chmod(mode & 0o770)


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).strip().splitlines()[0]
