"""Names for everything that can go wrong between us and a server."""

from __future__ import annotations

import ssl
from typing import Final

import aiohttp
from aiohttp.http_exceptions import (
    BadHttpMessage,
    ContentEncodingError,
    ContentLengthError,
    HttpProcessingError,
    LineTooLong,
)

from trapline.core.errors import BadUrl
from trapline.core.records import Failure

# The first that fits. ValueError: aiohttp, yarl and the codecs raise it where a server's text makes
# no sense to them.
_NAMES: Final[tuple[tuple[tuple[type[BaseException], ...], Failure], ...]] = (
    ((TimeoutError,), Failure.TIMEOUT),
    ((aiohttp.ClientHttpProxyError, aiohttp.ClientProxyConnectionError), Failure.PROXY),
    ((aiohttp.ClientConnectorDNSError,), Failure.NO_SUCH_NAME),
    # aiohttp's own are of these kinds too
    ((ssl.SSLError, ssl.CertificateError), Failure.TLS),
    ((aiohttp.ClientConnectionError, OSError), Failure.CONNECTION),
    ((aiohttp.ClientError, HttpProcessingError, BadUrl, ValueError), Failure.PROTOCOL),
)


class Stopped(Exception):
    """A visit that ends without an answer, for a reason that is known already."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


def name_failure(error: BaseException) -> Failure | None:
    """The name of what a server, or the way to it, did; None for errors that are our own.

    >>> name_failure(TimeoutError()), name_failure(ConnectionResetError())
    (<Failure.TIMEOUT: 'timeout'>, <Failure.CONNECTION: 'connection'>)
    >>> name_failure(ZeroDivisionError())
    """
    match error:
        case Stopped():
            return error.failure
        case aiohttp.ClientPayloadError():
            return _payload(error.__cause__)
        case aiohttp.ClientResponseError() if not isinstance(
            error, aiohttp.ClientHttpProxyError
        ):
            return _message(error)
    return next(
        (failure for kinds, failure in _NAMES if isinstance(error, kinds)), None
    )


def _message(error: BaseException) -> Failure:
    """What is wrong with a status line or headers: what they say, or how much of it."""
    cause: BaseException | None = error
    while cause is not None:  # aiohttp wraps its parser's errors, more than once
        # has no class of its own
        many = isinstance(cause, BadHttpMessage) and "Too many headers" in cause.message
        if many or isinstance(cause, LineTooLong):
            return Failure.HEADERS_TOO_LARGE
        cause = cause.__cause__
    return Failure.PROTOCOL


def _payload(cause: BaseException | None) -> Failure:
    """A body that ends too early is a lost connection; one that is wrongly packed or cut into
    chunks is not.
    """
    match cause:
        case ContentEncodingError():
            return Failure.BAD_ENCODING
        case ContentLengthError():
            return Failure.CONNECTION
        case HttpProcessingError():
            return Failure.PROTOCOL
    return Failure.CONNECTION
