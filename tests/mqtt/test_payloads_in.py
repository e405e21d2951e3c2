"""Everything that arrives over MQTT is read within limits, or reported once, and the link
continues."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.mqtt.results import Ack, LineCommand, Malformed, read, read_brightness

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)


@pytest.mark.parametrize(
    "payload",
    [
        b'{"game": "x-1-1", "version": ' + b"9" * 31 + b"}",
        b'{"game": "x-1-1", "version": -1}',
        b'{"game": "x-1-1", "version": true}',
        b'{"game": "x-1-1", "version": 1e3}',
        b'{"game": 7, "version": 1}',
        b'{"game": "' + b"x" * 101 + b'", "version": 1}',
        b'{"game": "x"}',
        b"[" * 2000,
        b"9" * 2000,
        b"\xff",
        b"",
    ],
)
def test_an_ack_that_is_none(payload: bytes) -> None:
    with pytest.raises(Malformed):
        read(payload, Ack)


@pytest.mark.parametrize(
    "payload", [b"0050" + b"0" * 5000, b"0050", b"4", b"101", b"", b"+50", b"5_0"]
)
def test_a_brightness_that_is_none(payload: bytes) -> None:
    with pytest.raises(Malformed):
        read_brightness(payload)


def test_what_is_meant() -> None:
    assert read(b'{"game": "a-1-1", "version": 7}', Ack) == Ack("a-1-1", 7)
    assert read(b'{"line": "1 peg 2", "expect": 7}', LineCommand) == LineCommand("1 peg 2", 7)
    assert read_brightness(b"100") == 100


@given(
    ANY
    | st.fixed_dictionaries({"game": ANY, "version": ANY})
    | st.fixed_dictionaries({"line": ANY, "expect": ANY})
)
def test_any_json_is_read_or_malformed(value: object) -> None:
    payload = json.dumps(value).encode()
    with suppress(Malformed):
        assert 0 <= read(payload, Ack).version < 2**63
    with suppress(Malformed):
        assert 0 <= read(payload, LineCommand).expect < 2**63
