"""Uses of other projects' private APIs: this test fails when they change."""

from __future__ import annotations

import inspect

import uvicorn
from aiomqtt import Client
from paho.mqtt.client import Client as Paho

from boardctl.mqtt.connection import _Quiet
from boardctl.web.serve import _Server


def parameters(function: object) -> list[str]:
    return list(inspect.signature(function).parameters)  # type: ignore[arg-type]


def test_aiomqtt_still_has_what_the_quiet_client_overrides_and_uses() -> None:
    assert parameters(Client._misc_loop) == ["self"]
    assert parameters(Client._on_subscribe)[:4] == ["self", "client", "userdata", "mid"]
    assert parameters(Client._on_socket_register_write) == ["self", "client", "userdata", "sock"]
    source = inspect.getsource(Client)
    for name in ("_disconnected", "_pending_subscribes", "_loop", "_client"):
        assert f"self.{name}" in source, name
    own = {name for name in vars(_Quiet) if not name.startswith("__")}
    assert own <= set(dir(Client)), "an override of nothing is dead code"


def test_paho_still_has_the_loops_that_the_quiet_client_drives() -> None:
    assert callable(Paho.loop_misc)
    assert callable(Paho.loop_write)


def test_uvicorn_still_has_what_the_server_overrides() -> None:
    assert inspect.iscoroutinefunction(uvicorn.Server.main_loop)
    assert parameters(uvicorn.Server.main_loop) == ["self"]
    assert parameters(uvicorn.Server.capture_signals) == ["self"]
    assert "self.main_loop()" in inspect.getsource(uvicorn.Server)
    assert "self.capture_signals()" in inspect.getsource(uvicorn.Server)
    own = {name for name in vars(_Server) if not name.startswith("__")}
    assert own <= set(dir(uvicorn.Server))
