"""Uses of other projects' private APIs: this test fails when they change. Modules of ours use none
of one another's."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
import uvicorn
from aiomqtt import Client
from gpiozero.pins.mock import MockFactory, MockPin
from paho.mqtt.client import Client as Paho
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from boardctl.drivers import lcd
from boardctl.drivers.virtual.pins import WiredPin
from boardctl.mqtt.connection import Connection
from boardctl.speech import rescoring
from boardctl.web import limits
from boardctl.web.serve import _Server


def parameters(function: object) -> list[str]:
    return list(inspect.signature(function).parameters)  # type: ignore[arg-type]


def test_aiomqtt_still_has_what_the_quiet_client_overrides_and_uses() -> None:
    assert parameters(Client._misc_loop) == ["self"]
    assert parameters(Client._on_subscribe)[:4] == ["self", "client", "userdata", "mid"]
    assert parameters(Client._on_socket_register_write) == ["self", "client", "userdata", "sock"]
    assert parameters(Client._wait_for) == ["self", "fut", "timeout"]
    assert parameters(Client._client_connect) == ["self"]
    source = inspect.getsource(Client)
    for name in ("_disconnected", "_pending_subscribes", "_loop", "_client"):
        assert f"self.{name}" in source, name
    own = {name for name in vars(Connection) if not name.startswith("__")}
    assert own - {"_leave"} <= set(dir(Client)), "an override of nothing is dead code"


def test_paho_still_has_the_loops_that_the_quiet_client_drives() -> None:
    assert callable(Paho.loop_misc)
    assert callable(Paho.loop_write)
    assert parameters(Paho._sock_close) == ["self"]


def test_uvicorn_still_has_what_the_server_overrides() -> None:
    assert inspect.iscoroutinefunction(uvicorn.Server.main_loop)
    assert parameters(uvicorn.Server.main_loop) == ["self"]
    assert parameters(uvicorn.Server.capture_signals) == ["self"]
    assert "self.main_loop()" in inspect.getsource(uvicorn.Server)
    assert "self.capture_signals()" in inspect.getsource(uvicorn.Server)
    own = {name for name in vars(_Server) if not name.startswith("__")}
    assert own <= set(dir(uvicorn.Server))


CALLBACKS = {
    "connection_made": ["self", "transport"],
    "data_received": ["self", "data"],
    "pause_writing": ["self"],
    "resume_writing": ["self"],
    "shutdown": ["self"],
    "connection_lost": ["self", "exc"],
}
"""The methods of uvicorn's protocols that the gate observes."""


@pytest.mark.parametrize("base", [H11Protocol, AutoWebSocketsProtocol])
def test_uvicorn_still_has_what_the_gate_observes(base: type) -> None:
    for name, expected in CALLBACKS.items():
        assert parameters(getattr(base, name)) == expected
    gate = limits.Gate()
    made = limits.http(gate) if base is H11Protocol else limits.socket(gate)
    own = {name for cls in made.__mro__ if cls.__module__ == limits.__name__ for name in vars(cls)}
    buffered = {"get_buffer", "buffer_updated"}  # asyncio.BufferedProtocol's
    overridden = {name for name in own if not name.startswith("_")} - buffered
    assert overridden == CALLBACKS.keys()


def test_uvicorn_still_takes_protocols_as_classes_and_hands_connections_over() -> None:
    gate = limits.Gate()
    http, socket = limits.http(gate), limits.socket(gate)
    config = uvicorn.Config("no:app", http=http, ws=socket, log_config=None)
    assert config.http is http
    assert config.ws is socket
    upgrade = inspect.getsource(H11Protocol.handle_websocket_upgrade)
    assert "protocol.connection_made(self.transport)" in upgrade
    assert "self.transport.set_protocol(protocol)" in upgrade
    assert "connection.shutdown()" in inspect.getsource(uvicorn.Server.shutdown)


def test_rplcd_still_opens_its_bus_where_the_display_overrides_it() -> None:
    i2c = pytest.importorskip("RPLCD.i2c", reason="the optional extra `lcd`")
    assert parameters(i2c.CharLCD._init_connection) == ["self"]
    assert "self.bus = SMBus(" in inspect.getsource(i2c.CharLCD._init_connection)
    assert "self.bus." in inspect.getsource(i2c.CharLCD), "it writes to the bus it was given"
    overridden = inspect.getsource(lcd).count("def _init_connection(self) -> None:")
    assert overridden == 1


def test_moonshines_wheel_still_carries_its_model() -> None:
    """The recogniser reads the model's files at their places in this version's wheel."""
    moonshine = pytest.importorskip("moonshine_voice", reason="the optional extra `hearing`")
    pytest.importorskip("onnxruntime", reason="the optional extra `hearing`")
    folder = Path(moonshine.__file__).parent / "assets" / "tiny-en"
    assert {path.name for path in folder.iterdir()} >= set(rescoring.FILES)
    assert rescoring.model() == folder


def test_gpiozeros_mock_pins_still_have_the_setters_that_wired_ones_override() -> None:
    for name in ("_set_function", "_set_state", "_change_state"):
        assert parameters(getattr(MockPin, name)) == ["self", "value"]
    own = {name for name in vars(WiredPin) if name.startswith("_set") or name == "_change_state"}
    assert own == {"_set_function", "_set_state", "_change_state"}
    assert "pin_class" in parameters(MockFactory.__init__)
    pin = MockFactory(pin_class=WiredPin).pin(4)
    functions: list[str] = []
    pin.notify = lambda: functions.append(pin.function)
    pin.function = "output"
    pin.state = 1
    assert pin.state == 1
    assert functions == ["output", "output"], "each setter goes through its override"
    assert len(pin.states) <= 1, "no history grows"


OF_TUPLES = {"_asdict", "_field_defaults", "_fields", "_make", "_replace"}


def private_names(tree: ast.AST) -> tuple[set[str], dict[str, int]]:
    """Return a module's own private names, and its private attributes of other objects with their
    lines."""
    own, used = set[str](), dict[str, int]()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                own.add(node.name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                own.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                own.add(name)
            case ast.Attribute(attr=name) if name.startswith("_") and not name.startswith("__"):
                used[name] = node.lineno
    return own, used


def test_no_module_of_ours_uses_private_names_of_another() -> None:
    root = Path(__file__).parents[2] / "boardctl"
    modules = {
        file.relative_to(root).as_posix(): private_names(ast.parse(file.read_text("utf-8")))
        for file in root.rglob("*.py")
    }
    ours = set[str]().union(*(own for own, _ in modules.values())) - OF_TUPLES
    found = [
        f"{file}:{line} {name}"
        for file, (own, used) in modules.items()
        for name, line in used.items()
        if name in ours - own
    ]
    assert found == []
