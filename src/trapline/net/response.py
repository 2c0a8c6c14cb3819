"""What a server answered, read within limits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from aiohttp import EMPTY_PAYLOAD, ClientResponse, hdrs

from trapline.core.records import Failure, Fetched, Kind, Request
from trapline.net.failures import Stopped
from trapline.net.headers import (
    LONGEST,
    date_s,
    header,
    headers_as_sent,
    retry_after_s,
    validator,
)
from trapline.net.options import FetcherOptions, Limits

_ROBOTS_TAGS: Final = 20  # X-Robots-Tag headers that are read
# A server may have sent each byte as a chunk of its own: they are put together one by one.
_CHUNK: Final = 8 * 1024
_BREATH_S: Final = 5e-3
_ENCODINGS: Final = frozenset(
    ("", "identity", "gzip", "x-gzip", "deflate", "br", "zstd")
)
# sitemaps and feeds: one that is too long is cut, not refused
_LISTINGS: Final = frozenset(
    ("application/xml", "text/xml", "application/rss+xml", "application/atom+xml")
)


async def read_response(
    request: Request,
    response: ClientResponse,
    options: FetcherOptions,
    now: Callable[[], float],
) -> Fetched:
    headers = response.headers
    # What an error page says is of no interest, and must not turn a clear 404 into a failure.
    good = 200 <= response.status < 300
    body = await _read_body(request, response, options.limits) if good else b""
    ended_s = now()
    robots_tags = headers.getall("X-Robots-Tag", ())[:_ROBOTS_TAGS]
    # Reading dates costs more than all the rest here, and hardly any answer needs it.
    wait_s = retry_after_s(headers, ended_s) if hdrs.RETRY_AFTER in headers else 0.0
    return Fetched(
        request.ticket,
        request.url,
        ended_s,
        status=response.status,
        body=body,
        content_type=header(headers, hdrs.CONTENT_TYPE),
        location=header(headers, hdrs.LOCATION),
        etag=validator(headers, hdrs.ETAG),
        last_modified=validator(headers, hdrs.LAST_MODIFIED),
        retry_after_s=wait_s,
        robots_tag="\n".join(robots_tags)[:LONGEST],
        date_s=date_s(headers),
        headers=headers_as_sent(response.raw_headers) if options.keep_headers else (),
        received=_wire_bytes(response),
    )


def _wire_bytes(response: ClientResponse) -> int:
    """Headers as they were sent, about; the body as it was packed."""
    names = sum(len(name) + len(value) + 4 for name, value in response.raw_headers)
    # what has no body (304) has no stream that could count
    body = 0 if response.content is EMPTY_PAYLOAD else response.content.total_raw_bytes
    return names + body


async def _read_body(
    request: Request, response: ClientResponse, limits: Limits
) -> bytes:
    """The body after decompression; Stopped if it is too large or packed in an unknown way."""
    encoding = response.headers.get(hdrs.CONTENT_ENCODING, "").strip().lower()
    if encoding not in _ENCODINGS:
        raise Stopped(Failure.BAD_ENCODING)
    robots = request.ticket.kind is not Kind.PAGE
    most = limits.robots_bytes if robots else limits.body_bytes
    cut = robots or response.content_type.lower() in _LISTINGS
    if not cut and (response.content_length or 0) > most:
        raise Stopped(Failure.TOO_LARGE)
    body = await _read_at_most(response, most)
    if len(body) <= most:
        return body
    if not cut:
        raise Stopped(Failure.TOO_LARGE)
    return body[:most]


async def _read_at_most(response: ClientResponse, most: int) -> bytes:
    """The body, up to the first chunk that goes beyond `most` bytes.

    Chunks are counted as they come, because the announced length may be wrong.
    """
    content = response.content
    chunks = []
    size = 0
    time_s = asyncio.get_running_loop().time
    began_s = time_s()
    while not content.at_eof():
        chunk = await content.read(_CHUNK)
        chunks.append(chunk)
        size += len(chunk)
        if time_s() - began_s > _BREATH_S:
            await asyncio.sleep(0)  # others get their turn
            began_s = time_s()
        if size > most:
            response.close()
            break
    return b"".join(chunks)
