"""Names for everything that can go wrong between us and a server."""

from __future__ import annotations

import aiohttp
from aiohttp.http_exceptions import ContentLengthError, HttpProcessingError

from trapline.core.errors import BadUrl
from trapline.core.records import Failure


class Stopped(Exception):
    """A visit that ends without an answer, for a reason that is known already."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


def named(error: Exception) -> Failure | None:
    """The name of what a server, or the way to it, did; None for errors that are our own.

    >>> named(TimeoutError()), named(ConnectionResetError()), named(ZeroDivisionError())
    (<Failure.TIMEOUT: 'timeout'>, <Failure.CONNECTION: 'connection'>, None)
    """
    match error:
        case Stopped():
            return error.failure
        case TimeoutError():
            return Failure.TIMEOUT
        case aiohttp.ClientPayloadError():
            return _payload(error.__cause__)
        case aiohttp.ClientConnectionError() | OSError():
            return Failure.CONNECTION
        # ValueError: aiohttp, yarl and the codecs raise it where a server's text makes no sense to them.
        case aiohttp.ClientError() | HttpProcessingError() | BadUrl() | ValueError():
            return Failure.PROTOCOL
    return None


def _payload(cause: BaseException | None) -> Failure:
    """A body that ends too early is a lost connection; one that is wrongly encoded is not."""
    wrong = isinstance(cause, HttpProcessingError) and not isinstance(cause, ContentLengthError)
    return Failure.PROTOCOL if wrong else Failure.CONNECTION
