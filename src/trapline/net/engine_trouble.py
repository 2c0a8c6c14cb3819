"""Names, and words for people, for all that keeps an engine or a directory from answering."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import aiohttp

from trapline.core.records import Failure
from trapline.net.failures import name_failure


class EngineTrouble(StrEnum):
    TOO_SLOW = "too slow"
    NO_CONNECTION = "no connection"
    NO_SUCH_NAME = "no such name"
    PRIVATE_ADDRESS = "private address"
    UNTRUSTED = "untrusted"
    HUNG_UP = "hung up"
    STATUS = "status"
    TOO_LARGE = "too large"
    GARBAGE = "garbage"


_NAMES: Final = {
    Failure.TIMEOUT: EngineTrouble.TOO_SLOW,
    Failure.NO_SUCH_NAME: EngineTrouble.NO_SUCH_NAME,
    Failure.TLS: EngineTrouble.UNTRUSTED,
    Failure.CONNECTION: EngineTrouble.HUNG_UP,
    Failure.FORBIDDEN_ADDRESS: EngineTrouble.PRIVATE_ADDRESS,
}


def name_trouble(error: BaseException) -> EngineTrouble | None:
    """What went wrong on the way to an answer; None for errors that are our own.

    >>> name_trouble(TimeoutError()), name_trouble(ConnectionResetError())
    (<EngineTrouble.TOO_SLOW: 'too slow'>, <EngineTrouble.HUNG_UP: 'hung up'>)
    >>> name_trouble(ZeroDivisionError())
    """
    failure = name_failure(error)
    if failure is None:
        return None
    trouble = _NAMES.get(failure, EngineTrouble.GARBAGE)
    never_connected = isinstance(error, aiohttp.ClientConnectorError)
    if trouble is EngineTrouble.HUNG_UP and never_connected:
        return EngineTrouble.NO_CONNECTION
    return trouble


def say_trouble(
    trouble: EngineTrouble, *, within_s: float, most_bytes: int, status: int = 0
) -> str:
    """What comes after the name of the engine.

    >>> say_trouble(EngineTrouble.TOO_SLOW, within_s=2.0, most_bytes=10**6)
    'did not answer within 2 s'
    """
    return {
        EngineTrouble.TOO_SLOW: f"did not answer within {within_s:g} s",
        EngineTrouble.NO_CONNECTION: "refused the connection",
        EngineTrouble.NO_SUCH_NAME: "has a name that cannot be resolved",
        EngineTrouble.PRIVATE_ADDRESS: "lies at a private address that is not listed",
        EngineTrouble.UNTRUSTED: "has a certificate that cannot be trusted",
        EngineTrouble.HUNG_UP: "hung up",
        EngineTrouble.STATUS: f"answered with status {status}",
        EngineTrouble.TOO_LARGE: f"answered more than {most_bytes:,} bytes",
        EngineTrouble.GARBAGE: "answered something that is not HTTP",
    }[trouble]
