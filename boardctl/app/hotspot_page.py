"""The page on a card image's own Wi-Fi. On a phone that has joined this hotspot, you choose the
household's Wi-Fi here.

The page runs separately from the board, as a user without privileges, while comitup provides the
hotspot (docs/image.md) and joins the network. The page has no script and no state, only two forms.
"""

from __future__ import annotations

import logging
import re
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import parse_qs

from boardctl import text
from boardctl.message import Message
from boardctl.web import is_address

_log: Final = logging.getLogger(__name__)
CONFIG: Final = Path("/etc/boardctl/config.toml")
ADDRESS: Final = "10.41.0.1"
"""The board's address in its hotspot (comitup, nm.py)."""
PORT: Final = 8121
"""The port of the board's own page. This page is also served there."""
LONGEST: Final = 4096
"""The maximum size of a form in bytes."""
SOON: Final = 1.0
"""Seconds between the answer and the end of the hotspot, so that the phone still receives the
answer."""
PATIENCE: Final = 10.0
"""The maximum seconds in which a request must arrive."""
_HOST: Final = re.compile(r"(\[[\da-f:.]+\]|[^:\[\]]+)(?::\d+)?", re.ASCII | re.IGNORECASE)
"""The pattern of a `Host` header: the name or address, and perhaps a port."""
_STYLE: Final = (
    "body{font:1.1rem system-ui,sans-serif;max-width:26rem;margin:2rem auto;padding:0 1rem;"
    "line-height:1.5}label{display:block;margin:1rem 0}select,input,button{font:inherit;width:100%;"
    "box-sizing:border-box;min-height:44px}button{background:#0b5d3b;color:#fff;border:0;"
    "border-radius:.4rem}p.wrong{color:#a00000}"
)


class Joiner(Protocol):
    """The interface to comitup, which lists the networks and joins one."""

    def networks(self) -> Sequence[str]:
        """Return the names of the networks in range, strongest first. Raises ConnectionError."""

    def join(self, name: str, password: str) -> None:
        """Leave the hotspot and join a network. If that fails, the hotspot returns. Raises
        ConnectionError."""


class Comitup:
    """The interface to comitup over the system D-Bus."""

    def _call(self, name: str, *arguments: str) -> Any:
        import dbus

        service = "com.github.davesteele.comitup"
        try:
            found = dbus.SystemBus().get_object(service, "/com/github/davesteele/comitup")
            return found.get_dbus_method(name, service)(*arguments)
        except dbus.DBusException as error:
            raise ConnectionError(f"comitup does not answer: {error}") from error

    def networks(self) -> Sequence[str]:
        points = [dict(point) for point in self._call("access_points")]
        points.sort(key=lambda point: -float(point.get("strength") or 0))
        return tuple(dict.fromkeys(str(point["ssid"]) for point in points if point.get("ssid")))

    def join(self, name: str, password: str) -> None:
        self._call("connect", name, password)


def refusal(form: Mapping[str, str]) -> str | None:
    """Return the code for the fault in a form, or None if the form can be used."""
    name, password = form.get("ssid", ""), form.get("password", "")
    if not 1 <= len(name.encode()) <= 32 or not name.isprintable():
        return "name"
    if password and not (
        8 <= len(password) <= 63 and password.isascii() and password.isprintable()
    ):
        return "password"
    return None


def _page(language: str, body: str) -> bytes:
    title = escape(text.say(Message("hotspot", "title"), text.Reader(language)))
    return (
        f'<!DOCTYPE html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style><h1>{title}</h1>{body}</html>"
    ).encode()


def choose(networks: Sequence[str], host: str, language: str, wrong: str | None = None) -> bytes:
    """Return the page that asks for a network.

    Args:
        networks: the networks in range.
        host: the board's name in the household's network.
        wrong: the code of the last form's fault.
    """

    def say(code: str, **fields: str) -> str:
        return escape(text.say(Message("hotspot", code, fields), text.Reader(language)))

    options = "".join(f"<option>{escape(name)}</option>" for name in networks)
    field = (
        f'<select name="ssid">{options}</select>'
        if networks
        else '<input name="ssid" required maxlength="32" autocapitalize="none">'
    )
    body = (
        (f'<p class="wrong">{say(wrong)}</p>' if wrong else "")
        + f"<p>{say('choose', page=f'http://{host}')}</p>"
        + f'<form method="post" action="/connect"><label>{say("network")}{field}</label>'
        + f'<label>{say("secret")}<input name="password" type="password" maxlength="63" '
        + f'autocomplete="off"></label><button>{say("join")}</button></form>'
        + f'<p><a href="http://{ADDRESS}:{PORT}/">{say("play")}</a></p>'
    )
    return _page(language, body)


def joining(name: str, host: str, language: str) -> bytes:
    """Return the page shown after a network has been chosen."""
    sentence = text.say(
        Message("hotspot", "joining", {"name": name, "page": f"http://{host}"}),
        text.Reader(language),
    )
    return _page(language, f"<p>{escape(sentence)}</p>")


def _join(joiner: Joiner, name: str, password: str) -> None:
    try:
        joiner.join(name, password)
    except ConnectionError as error:
        _log.error("%s", error)


def handler(
    joiner: Joiner, language: str | None, later: Callable[[float, Callable[[], None]], None]
) -> type[BaseHTTPRequestHandler]:
    """Return the server's request handler class.

    Args:
        language: the household's language, or None for each phone's own.
        later: calls a function after some seconds.
    """

    class Handler(BaseHTTPRequestHandler):
        timeout = PATIENCE
        server_version = "boardctl"
        sys_version = ""

        def _language(self) -> str:
            wanted = self.headers.get("accept-language", "")[:2].lower()
            return language or (wanted if wanted in text.LANGUAGES else text.LANGUAGES[0])

        def _host(self) -> str:
            return f"{socket.gethostname()}.local"

        def _is_asked_for(self) -> bool:
            """Return whether a request is addressed to this board by its address or name. On the
            board's Wi-Fi, all other names lead here too, including those of pages that are already
            open on a phone."""
            found = _HOST.fullmatch(self.headers.get("host", ""))
            own = socket.gethostname().lower()
            name = "" if found is None else found[1].lower().strip("[]")
            return is_address(name) or name in (own, f"{own}.local")

        def _choose(self, wrong: str | None = None) -> bytes:
            """Return the page that asks for a network. If no networks are known, the page asks for
            a name."""
            try:
                networks = joiner.networks()
            except ConnectionError as error:
                _log.error("%s", error)
                networks = ()
            return choose(networks, self._host(), self._language(), wrong)

        def _answer(self, body: bytes, status: HTTPStatus = HTTPStatus.OK) -> None:
            self.send_response(status)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(body)))
            self.send_header("cache-control", "no-store")
            self.send_header(
                "content-security-policy",
                "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
                "frame-ancestors 'none'",
            )
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def do_GET(self) -> None:
            """Serve the page, and redirect every other address to it, so that phones open the page
            automatically."""
            if self.path.partition("?")[0] != "/" or not self._is_asked_for():
                self.send_response(HTTPStatus.FOUND)
                self.send_header("location", f"http://{ADDRESS}/")
                self.send_header("content-length", "0")
                self.end_headers()
                return
            self._answer(self._choose())

        do_HEAD = do_GET  # noqa: N815 - http.server defines the name

        def do_POST(self) -> None:
            length = self.headers.get("content-length", "")
            ours = self.headers.get_all("origin", []) in ([], [f"http://{self.headers['host']}"])
            ours = ours and self._is_asked_for()
            if self.path != "/connect" or not ours or not length.isdecimal():
                self.send_error(HTTPStatus.FORBIDDEN)
                return
            if len(length) > len(str(LONGEST)) or int(length) > LONGEST:
                self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                return
            sent = parse_qs(self.rfile.read(int(length)).decode("utf-8", "replace"))
            form = {name: values[0] for name, values in sent.items()}
            wrong = refusal(form)
            if wrong is not None:
                self._answer(self._choose(wrong), HTTPStatus.BAD_REQUEST)
                return
            later(SOON, partial(_join, joiner, form["ssid"], form.get("password", "")))
            self._answer(joining(form["ssid"], self._host(), self._language()))

        def log_message(self, *_: Any) -> None:
            """Log nothing about a request, because it may contain a password."""

    return Handler


def main() -> None:
    """Serve the page on port 80 until the process ends."""
    from boardctl.options import SchemaError, read_toml

    try:
        language = read_toml(CONFIG).get("language")
    except SchemaError as error:
        _log.warning("%s: each phone gets its own language", text.sentence(error))
        language = None

    def later(seconds: float, do: Callable[[], None]) -> None:
        threading.Timer(seconds, do).start()

    known = language if language in text.LANGUAGES else None
    ThreadingHTTPServer(("", 80), handler(Comitup(), known, later)).serve_forever()
