"""`boardctl pin` asks the running board, and explains in a sentence if another program answers."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from boardctl.web import invitation


@pytest.mark.parametrize(
    "kept",
    [
        *(
            "[]",
            "{}",
            "[" * 100_000,
            '{"url": 5, "key": "x"}',
            '{"url": "http://[::1", "key": "x"}',
        ),
        *('{"url": "file:///etc/passwd", "key": "x"}', '{"url": "http://h", "key": "a\\nb"}'),
        *('{"url": "http://127.0.0.1:1", "key": "x"}', '{"url": "http://h\\u0000", "key": "x"}'),
    ],
)
def test_a_damaged_key_of_the_page_is_told_in_a_sentence(tmp_path: Path, kept: str) -> None:
    (tmp_path / invitation.KEY).write_text(kept)
    with pytest.raises(invitation.NotInvitedError):
        invitation.ask_for_pin(tmp_path)


@pytest.mark.parametrize(
    "answer",
    [
        *(b"", b"garbage\r\n\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"),
        *(b"HTTP/1.1 200 OK\r\n\r\n[]", b'HTTP/1.1 200 OK\r\n\r\n{"refused": 5}'),
        b'HTTP/1.1 200 OK\r\n\r\n{"url": 5, "pin": []}',
        b"HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\n\r\n",
    ],
)
def test_what_answers_in_place_of_a_board_is_told_in_a_sentence(
    tmp_path: Path, answer: bytes
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            line, _ = server.accept()
            with line:
                line.recv(65536)
                line.sendall(answer)

        serving = threading.Thread(target=serve)
        serving.start()
        invitation.write_key(tmp_path, f"http://127.0.0.1:{server.getsockname()[1]}", "key")
        with pytest.raises(invitation.NotInvitedError):
            invitation.ask_for_pin(tmp_path)
        serving.join()
