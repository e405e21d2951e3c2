"""Setting up the broker between two houses: a public one, a club's, or the board itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boardctl.app import config as configuration
from boardctl.app import service, wizard
from boardctl.far import broker_setup, own_broker
from boardctl.far.broker_setup import Place, place
from boardctl.mqtt import joining
from tests.mqtt.broker import Mosquitto
from tests.parts import need

HERE = Path("/etc/boardctl")


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("broker.example", Place("broker.example", 8883)),
        (" broker.example:8884 ", Place("broker.example", 8884)),
        ("10.0.0.9", Place("10.0.0.9", 8883)),
        ("2001:db8::1", Place("2001:db8::1", 8883)),
        ("[2001:db8::1]:8884", Place("2001:db8::1", 8884)),
        ("", None),
        ("broker.example:0", None),
        ("broker.example:65536", None),
        ("broker.example:٣", None),
        ("not one", None),
        ("mqtts://broker.example", None),
    ],
)
def test_an_address_has_a_host_and_perhaps_a_port(answer: str, found: Place | None) -> None:
    assert place(answer) == found


def settled(known: dict[str, Any] | None = None, **answers: str) -> dict[str, Any]:
    """Return the `[far]` section that results from these answers."""
    given = {f"far.{name}": answer for name, answer in answers.items()}
    asked = wizard.questions(wizard.Attached(), given, known)
    for question in asked:
        assert wizard.objection(asked, given, question.name, known) is None, question
    table: dict[str, Any] = wizard.settle(asked, given, known, HERE).get("far", {})
    wizard.compose({"far": table})
    return table


def test_the_questions_follow_from_the_choice() -> None:
    def names(**answers: str) -> list[str]:
        given = {f"far.{name}": answer for name, answer in answers.items()}
        asked = wizard.questions(wizard.Attached(), given)
        return [question.name for question in asked if question.name.startswith("far.")]

    assert names() == ["far.broker"]
    assert names(broker="own") == ["far.broker", "far.own"]
    assert names(broker="other") == ["far.broker", "far.host", "far.user", "far.password"]
    code = f"two:secret:{'A' * 43}@club.example:8883"
    assert names(broker="other", host=code) == ["far.broker", "far.host"], "it has all of it"


def test_the_answers_become_the_table() -> None:
    public = settled(broker="other", host="broker.example", user="ann", password="x")
    kept = {"user": "ann", "password_file": str(HERE / "far.password")}
    assert public == {"host": "broker.example"} | kept
    known = {"far": public | {"websocket": "wss://broker.example:8884"}}
    assert settled(known) == known["far"], "only confirmed"
    assert settled(known, host="other.example:8884") == {
        "host": "other.example",
        "port": 8884,
        "user": "ann",
    }, "the password and the guests' address were the other broker's"
    assert settled({"far": public}, broker="") == {}
    assert settled({"far": public}, broker="own", own="ann.example") == {"own": "ann.example"}


def code_for(host: str) -> str:
    return f"two:secret:{'A' * 43}@{host}"


def test_another_broker_is_reached_with_tls() -> None:
    """The new password used to be sent unencrypted, because the old broker had no TLS."""
    joined = {
        "user": "two",
        "ca": str(HERE / "far.pem"),
        "password_file": str(HERE / "far.password"),
    }
    plain = {"host": "old.lan", "port": 1883, "tls": False}
    known = {"far": plain | {"websocket": "wss://guest:x@old.lan:8884"}}
    assert settled(known) == known["far"], "only confirmed"
    new = settled(known, broker="other", host=code_for("new.example:8883"))
    assert new == {"host": "new.example"} | joined
    assert settled(known, broker="other", host="new.lan:1883") == {"host": "new.lan", "port": 1883}
    same = settled({"far": plain}, broker="other", host=code_for("old.lan:1883"))
    assert same == {"host": "old.lan", "port": 1883} | joined


def test_without_a_broker_in_far_its_other_settings_stay() -> None:
    """These settings are for the broker of `[mqtt]`."""
    known = {"far": {"websocket": "wss://broker.example:8884", "page": "https://ann.example"}}
    assert settled(known) == known["far"]


def test_a_board_that_becomes_the_broker_forgets_the_files_of_another() -> None:
    known = {
        "host": "10.0.0.9",
        "user": "ann",
        "ca": "/etc/boardctl/far.pem",
        "password_file": "/etc/boardctl/far.password",
    }
    assert settled({"far": known}, broker="own", own="10.0.0.9") == {"own": "10.0.0.9"}


@pytest.mark.parametrize(
    ("place", "table"),
    [
        ("fd00::1:8883", {"host": "fd00::1"}),
        ("2001:db8::1:8884", {"host": "2001:db8::1", "port": 8884}),
        ("broker.example:65535", {"host": "broker.example", "port": 65535}),
    ],
)
def test_the_port_of_a_code_is_not_read_as_its_address(place: str, table: dict[str, Any]) -> None:
    found = settled(broker="other", host=code_for(place))
    assert {key: found.get(key) for key in ("host", "port")} == {"port": None} | table


@pytest.mark.parametrize("port", ["0", "65536", "99999", "٣"])
def test_a_code_with_an_impossible_port_is_refused_at_its_question(port: str) -> None:
    code = code_for(f"broker.example:{port}")
    assert not joining.is_code(code)
    assert broker_setup.wrong("far.host", code) is not None
    with pytest.raises(joining.JoinError):
        joining.parse(code)
    with pytest.raises(joining.JoinError):
        joining.verify(code)


def test_a_code_with_an_impossible_name_is_refused_in_a_sentence() -> None:
    with pytest.raises(joining.JoinError, match=r"a\.\.b:8883"):
        joining.verify(code_for("a..b:8883"))


@pytest.mark.parametrize(
    ("answer", "fits"),
    [
        ("a" * 64, True),
        ("a" * 65, False),
        (f"{'a' * 65}:8884", False),
        ("ann.example:8884", True),
        ("[2001:db8::1]:8884", True),
        ("fe80::1%eth0", False),
        ("0.0.0.0", False),
        ("::", False),
    ],
)
def test_the_own_address_fits_into_a_certificate(answer: str, fits: bool) -> None:
    assert (broker_setup.wrong("far.own", answer) is None) == fits


def test_a_board_that_is_the_broker_is_reached_from_anywhere() -> None:
    for far, drop_in in (({}, ""), ({"own": "10.0.0.9"}, "IPAddressAllow=any")):
        text = service.drop_in(configuration.parse({"far": far}))
        assert drop_in in text
        assert bool(text) == bool(far)


def test_a_missing_broker_program_is_said_at_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_broker, "program", lambda: None)
    answers = {"far.broker": "own"}
    asked = wizard.questions(wizard.Attached(), answers)
    said = wizard.objection(asked, answers, "far.broker")
    assert said is not None
    assert "install the package mosquitto" in said


def test_a_code_is_verified_before_anything_is_stored(broker: Mosquitto, tmp_path: Path) -> None:
    code = broker.joined["one"].code
    answers = {"far.broker": "other", "far.host": code}
    asked = wizard.questions(wizard.Attached(), answers)
    wizard.write_secrets(asked, answers, tmp_path)
    assert (tmp_path / "far.password").read_text("utf-8") == broker.joined["one"].password
    assert "BEGIN CERTIFICATE" in (tmp_path / "far.pem").read_text("ascii")
    wrong = code.replace(code.split(":")[2][:43], "A" * 43)
    with pytest.raises(joining.JoinError):
        wizard.write_secrets(asked, {**answers, "far.host": wrong}, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_only_the_address_of_another_broker_begins_its_files_anew(tmp_path: Path) -> None:
    need("mosquitto")
    folder = own_broker.prepare(tmp_path, "ann.example", 8883)
    code = own_broker.code(tmp_path)
    assert joining.is_code(code)
    assert code.endswith("@ann.example:8883")
    assert all(file.stat().st_mode & 0o077 == 0 for file in (folder, folder / "server.key"))
    own_broker.prepare(tmp_path, "ann.example", 8883)
    assert own_broker.code(tmp_path) == code, "the other house stays joined"
    own_broker.prepare(tmp_path, "ann.example", 8884)
    assert own_broker.code(tmp_path).endswith("@ann.example:8884")


def test_settings_are_refused_at_their_question() -> None:
    assert broker_setup.wrong("far.host", "not one") is not None
    assert broker_setup.wrong("far.own", "") is not None
    assert broker_setup.wrong("far.user", "anything") is None
