"""A service that brings people messages (mail, Slack, Telegram and a hundred more), by Apprise.

Its addresses hold passwords and tokens. They are never printed, logged or stored: people see the
kind of service and a few letters of a hash, and of what the service says only a status number.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import warnings
from typing import TYPE_CHECKING, Any, Final

from trapline.app.output.change_message import ChangeMessage, message_of
from trapline.app.output.changes import Line
from trapline.app.output.outlets.outlet import Refused
from trapline.core.errors import UserMistake

if TYPE_CHECKING:
    from apprise import NotifyBase

GATHER_S: Final = 5.0  # changes of a moment are one message
_SCHEME: Final = re.compile(r"([a-z][a-z0-9+.-]{0,30})://", re.IGNORECASE)
_STATUS: Final = re.compile(r"\b(?:error|status|HTTP)\W{0,3}([1-5]\d\d)\b")


class MessageService:
    """One message for the changes of a moment.

    A service that is new to an engine is told what comes from then on, not the past.
    """

    gather_s = GATHER_S

    def __init__(self, url: str, engine: str) -> None:
        self._service = service_at(url)
        self.key = "service " + hashlib.sha256(url.encode()).hexdigest()[:16]
        self.name = f"{_scheme_of(url)}://… ({self.key[-4:]})"
        self._engine = engine

    def resume(self, noted: int | None, newest: int) -> int:
        return newest if noted is None else min(noted, newest)

    async def tell(self, lines: list[Line]) -> None:
        await self.send(message_of(lines, self._engine))

    async def send(self, message: ChangeMessage) -> None:
        trouble = await asyncio.to_thread(self._send, message)
        if trouble is not None:
            raise Refused(trouble)

    def close(self) -> None:
        pass

    def _send(self, message: ChangeMessage) -> str | None:
        """Why it was not taken; None = it was."""
        from apprise import LogCapture, NotifyFormat

        sender: Any = self._service
        capture: Any = LogCapture  # untyped
        with capture(level=logging.WARNING) as said:
            try:
                taken = sender.notify(
                    title=message.title,
                    body=message.text,
                    body_format=NotifyFormat.TEXT,
                )
            except (OSError, TypeError, ValueError):
                taken = False
            status = _STATUS.search(said.getvalue())
        if taken:
            return None
        return f"it answered {status[1]}" if status else "it did not take the message"


def service_at(url: str) -> NotifyBase:
    """The service that an address names; UserMistake if there is none, or Apprise is missing."""
    try:
        from apprise import Apprise
    except ImportError:
        raise UserMistake(
            f"telling changes to {_scheme_of(url)}:// needs Apprise: install it with "
            "`pip install trapline[notify]`"
        ) from None
    # what it logs may name the address
    log = logging.getLogger("apprise")
    log.propagate = False
    log.setLevel(logging.CRITICAL + 1)
    with warnings.catch_warnings():
        # it loads the modules of all services, some of which use what is deprecated
        warnings.simplefilter("ignore", DeprecationWarning)
        service = Apprise.instantiate(url, suppress_exceptions=True)
    if service is None:
        raise UserMistake(
            f"cannot tell changes to this {_scheme_of(url)}:// address: it is not an http(s) URL, "
            "and Apprise knows no such service or misses a part of its address"
        )
    return service


def _scheme_of(url: str) -> str:
    """
    >>> _scheme_of("slack://token/secret"), _scheme_of("?://")
    ('slack', '…')
    """
    found = _SCHEME.match(url)
    return found[1].lower() if found else "…"
