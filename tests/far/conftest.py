"""Fixtures shared by the tests of games between two houses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boardctl.far import link, meeting
from tests.far import plain_group
from tests.far.test_courier import Post


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Post:
    """The broker between couriers."""
    made = Post()
    monkeypatch.setattr(link, "client", made.client)
    return made


@pytest.fixture(autouse=True)
def cheap_words(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive the key of an invitation's words with the least effort that Argon2id allows. Boards in
    separate processes keep the real effort (as does `@pytest.mark.usefixtures("real_words")`)."""
    if "real_words" not in request.fixturenames:
        monkeypatch.setattr(meeting, "_EFFORT", 1)
        monkeypatch.setattr(meeting, "_MEMORY", 8192)


@pytest.fixture
def real_words() -> None:
    """Derive the key of an invitation's words with its real effort."""


@pytest.fixture(autouse=True)
def numbers_for_points(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Deal with numbers in place of points, except in long tests, with a real broker, where other
    processes use the curve, and with `@pytest.mark.curve`."""
    marked = any(map(request.node.get_closest_marker, ("curve", "long")))
    if not marked and "broker" not in request.fixturenames:
        plain_group.install(monkeypatch)
    yield
    plain_group.forget()
