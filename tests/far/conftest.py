"""What the tests of couriers share."""

from __future__ import annotations

import pytest

from boardctl.far import link, meeting
from tests.far.test_courier import Post


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Post:
    """The broker between couriers."""
    made = Post()
    monkeypatch.setattr(link, "client", made.client)
    return made


@pytest.fixture(autouse=True)
def cheap_words(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of an invitation's words takes the least effort that Argon2id allows; boards in
    processes of their own keep the real one (`@pytest.mark.usefixtures("real_words")` too)."""
    if "real_words" not in request.fixturenames:
        monkeypatch.setattr(meeting, "_EFFORT", 1)
        monkeypatch.setattr(meeting, "_MEMORY", 8192)


@pytest.fixture
def real_words() -> None:
    """The key of an invitation's words takes its real effort."""
