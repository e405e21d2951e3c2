"""What the tests of couriers share."""

from __future__ import annotations

import pytest

from boardctl.far import link
from tests.far.test_courier import Post


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Post:
    """The broker between couriers."""
    made = Post()
    monkeypatch.setattr(link, "client", made.client)
    return made
