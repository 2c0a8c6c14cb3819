"""A mail server on loopback for tests: it takes what it is sent, and keeps it."""

from __future__ import annotations

import base64
import socketserver
import threading
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, Self


@dataclass(slots=True)
class MailSink:
    """`refusals` letters are not taken, then all are."""

    refusals: int = 0
    letters: list[EmailMessage] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)
    _server: Any = None

    def __enter__(self) -> Self:
        sink = self

        class Talk(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                sink.talk(self)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Talk)
        self._server.daemon_threads = True
        threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.02},
            daemon=True,
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def talk(self, line: socketserver.StreamRequestHandler) -> None:
        def say(text: str) -> None:
            line.wfile.write(text.encode() + b"\r\n")

        say("220 sink")
        while command := line.rfile.readline().decode().strip():
            word = command.split()[0].upper()
            if word == "EHLO":
                say("250-sink\r\n250 AUTH PLAIN")
            elif word == "AUTH":
                self.logins.append(base64.b64decode(command.split()[2]).decode())
                say("235 fine")
            elif word == "DATA":
                say("354 go on")
                say(self._take(line))
            elif word == "QUIT":
                say("221 bye")
                return
            else:
                say("250 fine")

    def _take(self, line: socketserver.StreamRequestHandler) -> str:
        text = b""
        while (part := line.rfile.readline()) not in (b".\r\n", b""):
            text += part.removeprefix(b".")
        if self.refusals:
            self.refusals -= 1
            return "451 not now"
        letter = message_from_bytes(text, policy=policy.default)
        assert isinstance(letter, EmailMessage)
        self.letters.append(letter)
        return "250 taken"
