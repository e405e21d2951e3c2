"""The routes for permission to play: `POST /phones` invites a phone, `/pair` pairs a guest's phone,
`/pair/ask` gives a guest's phone a ticket to be granted at the board, and `/pin` shows a PIN for
`boardctl pin`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hmac import compare_digest
from http import HTTPStatus
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl import text
from boardctl.console.keypad import Command
from boardctl.message import Message
from boardctl.record.names import name_key
from boardctl.web import Options, guard, invitation
from boardctl.web.board_view import BoardView
from boardctl.web.consent import Consent, NoConsent
from boardctl.web.guard import Refused, read_body, rejection
from boardctl.web.pairing import COOKIE, Paired, Pairing, hashed
from boardctl.web.phone_seats import PhoneSeats


class PhonesApi:
    """The routes and keypad commands for pairing phones."""

    def __init__(
        self,
        board: BoardView,
        options: Options,
        pairing: Pairing,
        consent: Consent,
        seats: PhoneSeats,
        dismiss: Callable[[], None],
    ) -> None:
        """Args:
        dismiss: makes every open page check its permissions again.
        """
        self._seats = seats
        self._board = board
        self._private = options.private
        self._port = options.port
        self._pairing = pairing
        self._consent = consent
        self._dismiss = dismiss
        self.key = secrets.token_urlsafe(32)
        """The key that authenticates `boardctl pin`."""
        board.controller.commanded.connect(self._command)

    def routes(self) -> list[Route]:
        return [
            Route("/phones", self._invite, methods=["POST"]),
            Route("/pin", self._pin, methods=["POST"]),
            Route("/pair", self._pair, methods=["POST"]),
            Route("/pair/ask", self._ask, methods=["POST"]),
            Route("/seat", self._take_seat, methods=["POST"]),
            Route("/seat/allow", self._allow_seat, methods=["POST"]),
        ]

    def may_play(self, connection: HTTPConnection) -> bool:
        return self._private or self._pairing.knows(connection.cookies.get(COOKIE))

    def check(self, request: Request) -> None:
        """Refuse a request without permission to play. Raises Refused."""
        if not self.may_play(request):
            raise Refused(HTTPStatus.FORBIDDEN, "not-paired")

    def seat(self, connection: HTTPConnection, seat: int | None) -> int | None:
        """Return the seat whose cards a page may show, or None if it may show only public cards.

        Args:
            connection: the page's connection.
            seat: the seat that the page requests.
        """
        if seat is None or self._private:
            return seat
        phone = self.phone(connection)
        return seat if phone and self._seats.has(phone, seat) else None

    def phone(self, connection: HTTPConnection) -> str:
        """Return the hash of a paired phone's token, or an empty string for a guest or on a private
        board."""
        token = connection.cookies.get(COOKIE)
        return hashed(token) if token and self._pairing.knows(token) else ""

    async def _take_seat(self, request: Request) -> Response:
        """`{"seat": 1, "name": "Ann"}` -> `{"seat": 1}` once this phone is Ann's; `{"seat": 0,
        "name": ""}` -> `{"seat": null}` gives up the seat. The name is refused if another player
        now sits there."""
        body = await read_body(request, {"seat": int, "name": str})
        self.check(request)
        seat, name = body["seat"], body["name"]
        if self._private:
            return JSONResponse({"seat": seat or None})
        if not seat:
            self._seats.release(self.phone(request))
            return JSONResponse({"seat": None})
        names = self._board.table.position.seats
        if name_key(text.known_as(name)) != name_key(names.get(seat, "")):
            return rejection("stale", self._how("stale", "", request))
        self._seats.take(self.phone(request), seat, names[seat], guard.address(request))
        return JSONResponse({"seat": seat})

    async def _allow_seat(self, request: Request) -> Response:
        """Answer another phone's claim to this phone's seat: `{"claim": 7, "allow": true}` ->
        `{"done": true}`, or false if the claim is no longer open.
        """
        body = await read_body(request, {"claim": int, "allow": bool})
        self.check(request)
        done = self._seats.answer(self.phone(request), body["claim"], body["allow"])
        return JSONResponse({"done": done})

    async def _invite(self, request: Request) -> Response:
        """Invite a phone: `{}` -> a PIN for it, the address to open, and the address as a QR code.
        On a board with keys, the PIN works only after `number` has been typed there, so that a
        stolen token alone does not give access.
        """
        await read_body(request, {})
        self.check(request)
        if self._private:
            return self._is_private(request)
        token = request.cookies[COOKIE]
        asks = self._board.has_own_keys
        pin = self._pairing.invite(token, granted=not asks)
        answer = _invitation(invitation.address_for(request.headers["host"]), pin)
        return JSONResponse(answer | (self._wanted(pin, request, guest=False) if asks else {}))

    async def _ask(self, request: Request) -> Response:
        """Ask to play: `{}` -> `{"ticket": …, "number": "47", "message": …}`. The ticket works like
        a PIN for `/pair` once the number has been typed at the board.
        """
        await read_body(request, {})
        if self._private:
            return self._is_private(request)
        ticket = self._pairing.ticket()
        return JSONResponse({"ticket": ticket, **self._wanted(ticket, request, guest=True)})

    def _wanted(self, ticket: str, request: Request, guest: bool) -> dict[str, Any]:
        """Ask the people at the board to grant a ticket. Return the number to type there, and a
        sentence with instructions. Raises NoConsent if they cannot be asked."""
        address = guard.address(request)
        wanted = self._consent.ask("let-in", "phone", ("ticket", ticket), address, guest)
        message = self._how("not-granted", wanted.number, request)
        return {"number": wanted.number, "message": message}

    def _how(self, code: str, number: str, request: Request) -> str:
        """Return the sentence for a refusal, with the number to type at the board."""
        return text.say(
            Message("refusal", code, {"number": number}), text.Reader(guard.language(request))
        )

    def _is_private(self, request: Request) -> Response:
        message = text.say(Message("refusal", "private"), text.Reader(guard.language(request)))
        return rejection("private", message)

    async def no_consent(self, request: Request, error: Exception) -> Response:
        """Return what must first be done at the board, or why that is impossible."""
        assert isinstance(error, NoConsent)
        fields = {"number": error.number, "name": error.name}
        message = text.say(
            Message("refusal", error.code, fields), text.Reader(guard.language(request))
        )
        number = {"number": error.number} if error.number else {}
        return rejection(error.code, message, **number)

    async def _pin(self, request: Request) -> Response:
        """Show a PIN for `boardctl pin`, which authenticates itself with the key in the data
        directory."""
        await read_body(request, {})
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not compare_digest(key.encode(), self.key.encode()):
            raise Refused(HTTPStatus.FORBIDDEN, "wrong-key")
        if self._private:
            return self._is_private(request)
        return JSONResponse(self.show_pin(invitation.address_for(request.headers["host"])))

    def invite(self) -> str:
        """Return the URL fragment that pairs the browser on this machine, or an empty string if no
        pairing is needed."""
        return "" if self._private else f"#pin={self._pairing.ticket(granted=True)}"

    def show_pin(self, address: str) -> dict[str, Any]:
        """Show a new PIN on the board, and return it with a link to `address` and a QR code. Both
        the link and the QR code contain the PIN."""
        shown = _invitation(address, self._pairing.begin())
        self._announce("pin", shown["url"], pin=shown["pin"])
        return shown

    async def _pair(self, request: Request) -> Response:
        """Pair a phone: `{"pin": "012345"}` -> `{"paired": true}` and a cookie, or the reason for
        refusing.
        """
        body = await read_body(request, {"pin": str})
        ticket = "ticket", body["pin"]
        if self._consent.is_allowed(ticket):
            self._pairing.grant(body["pin"])
        answer = self._pairing.answer(body["pin"], guard.address(request))
        if answer == "not-granted":
            raise NoConsent(answer, self._consent.number_of(ticket))
        if not isinstance(answer, Paired):
            message = text.say(Message("refusal", answer), text.Reader(guard.language(request)))
            return rejection(answer, message)
        response = JSONResponse({"paired": True})
        response.set_cookie(
            COOKIE,
            answer.token,
            max_age=int(answer.lasts),
            httponly=True,
            samesite="strict",
            secure=request.headers["origin"].startswith("https:"),
        )
        self._announce("paired")
        return response

    def _command(self, command: Command) -> None:
        """Handle a keypad command: show a PIN for a phone, forget all phones, or allow a
        request."""
        if command.what == "allow" and self._board.controller.pressed_here:
            self._announce("granted" if self._consent.allow(int(command.value)) else "nobody")
            return
        if command.what == "allow":
            self._announce("own-keys")
            return
        if command.what != "pair":
            return
        if self._private:
            self._announce("private")
        elif command.value == "forget":
            for_good = self._pairing.forget()
            self._seats.forget()
            self._consent.end()
            self._dismiss()
            self._announce("forgotten" if for_good else "forgotten-now")
        elif not self._board.controller.pressed_here:
            self._announce("own-keys")
        else:
            pin = self._pairing.begin()
            host = invitation.network_address()
            link = f"http://{host}:{self._port}/#pin={pin}" if host else ""
            self._announce("pin", link, pin=pin)

    def _announce(self, code: str, link: str = "", **fields: Any) -> None:
        """Show two lines on the small display, and a link if there is room."""
        digits = fields.get("pin") or ""
        self._board.announce(*self._lines(code, **fields), digits=digits, link=link)

    def _lines(self, code: str, **fields: Any) -> tuple[str, ...]:
        """Return the two lines that show a code on the small display."""
        return text.two_lines("pairing", code, fields, self._board.controller.language)


def _invitation(address: str, pin: str) -> dict[str, Any]:
    """Return a PIN with a link to `address` and a QR code, both of which contain the PIN."""
    url = f"{address}/#pin={pin}"
    return {"pin": pin, "url": url, "qr": invitation.qr_rows(url)}
