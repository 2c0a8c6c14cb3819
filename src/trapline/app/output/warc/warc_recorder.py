"""Whole answers of a crawl as WARC records: a fetcher around the fetcher, and a thread that writes.

Bodies are recorded after decompression, so the headers of the transfer are kept as
X-Archive-Orig-…. A 304, or the same body that was recorded of this page before, becomes a
`revisit`. Requests are written from the ticket, hence without any header that could carry a secret
of ours (Authorization, Cookie).
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import queue
import threading
from collections import OrderedDict
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from trapline.app.output.changes import iso
from trapline.app.output.warc.warc_files import Warc, WarcFiles, http_head
from trapline.core.ports import Fetcher
from trapline.core.records import Fetched, Kind, Request

BACKLOG: Final = 32  # answers that may wait to be written
_SOON_S: Final = 0.01
_REMEMBERED: Final = 100_000  # pages whose last body is known again
_TRANSFER: Final = frozenset(
    ("content-encoding", "transfer-encoding", "content-length")
)
_PROFILE: Final = "http://netpreserve.org/warc/1.1/revisit/"
_REVISIT_304: Final = _PROFILE + "server-not-modified"
_REVISIT_SAME: Final = _PROFILE + "identical-payload-digest"


class WarcRecorder:
    """core.ports.Fetcher: fetches by another and records what it brings. Close it
    after the other.
    """

    def __init__(self, fetcher: Fetcher, files: WarcFiles, user_agent: str) -> None:
        self._fetcher = fetcher
        self._files = files
        self._user_agent = user_agent
        # page → digest and date of its last `response`
        self._last: OrderedDict[int, tuple[str, str]] = OrderedDict()
        self._failure: Exception | None = None
        self._queue: queue.Queue[tuple[Request, Fetched] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="warc", daemon=True)
        self._thread.start()

    async def fetch(self, request: Request) -> Fetched:
        fetched = await self._fetcher.fetch(request)
        # Of robots.txt the fetcher does not say where its redirects led: better no record than a
        # wrong one.
        if fetched.status and request.ticket.kind is Kind.PAGE:
            while self._queue.qsize() >= BACKLOG and self._failure is None:
                await asyncio.sleep(_SOON_S)
            self._queue.put((request, fetched))
        if self._failure is not None:
            raise self._failure
        return fetched

    async def locate(self, host_name: str) -> str | None:
        return await self._fetcher.locate(host_name)

    async def close(self) -> None:
        """Everything written and the last file complete; raises what went wrong."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)
        if self._failure is not None:
            raise self._failure

    def _work(self) -> None:
        try:
            while (pair := self._queue.get()) is not None:
                self._record(*pair)
            self._files.close()
        except Exception as error:
            # most likely a full disk: the next fetch raises it
            self._failure = error

    def _record(self, request: Request, fetched: Fetched) -> None:
        warc = self._files.current()
        date = iso(fetched.ended_s)
        record_id = self._record_answer(warc, fetched, date)
        warc.write(
            "request",
            fetched.url,
            {"WARC-Date": date, "WARC-Concurrent-To": record_id},
            http_head(*_request_head(request, self._user_agent), request=True),
        )

    def _record_answer(self, warc: Warc, fetched: Fetched, date: str) -> str:
        page = fetched.ticket.page
        head = {"WARC-Date": date}
        before = self._last.get(page)
        http = http_head(_status_line(fetched.status), _recorded_headers(fetched))
        if fetched.status == 304:
            head |= _refers(_REVISIT_304, fetched.url, before)
            return warc.write("revisit", fetched.url, head, http)
        digest = _digest(fetched.body)
        if before is not None and before[0] == digest and fetched.body:
            head |= _refers(_REVISIT_SAME, fetched.url, before)
            return warc.write("revisit", fetched.url, head, http)
        self._remember(page, digest, date)
        head["WARC-Payload-Digest"] = digest
        if not 200 <= fetched.status < 300:
            # the bodies of error pages and redirects are never read
            head["WARC-Truncated"] = "unspecified"
        return warc.write("response", fetched.url, head, http, fetched.body)

    def _remember(self, page: int, digest: str, date: str) -> None:
        self._last[page] = (digest, date)
        self._last.move_to_end(page)
        if len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)


def _digest(body: bytes) -> str:
    sha1 = hashlib.sha1(body, usedforsecurity=False).digest()
    return f"sha1:{base64.b32encode(sha1).decode()}"


def _refers(profile: str, url: str, before: tuple[str, str] | None) -> dict[str, str]:
    head = {"WARC-Profile": profile}
    if before is not None:
        digest, date = before
        head |= {
            "WARC-Refers-To-Target-URI": url,
            "WARC-Refers-To-Date": date,
            "WARC-Payload-Digest": digest,
        }
    return head


def _status_line(status: int) -> str:
    """
    >>> _status_line(404), _status_line(299)
    ('404 Not Found', '299 Unknown')
    """
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"{status} Unknown"


def _recorded_headers(fetched: Fetched) -> list[tuple[str, str]]:
    """An answer's headers, true of the body as we have it."""
    headers = [
        (f"X-Archive-Orig-{name}" if name.lower() in _TRANSFER else name, value)
        for name, value in fetched.headers
    ]
    if fetched.status != 304:
        headers.append(("Content-Length", str(len(fetched.body))))
    return headers


def _request_head(
    request: Request, user_agent: str
) -> tuple[str, list[tuple[str, str]]]:
    parts = urlsplit(request.url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = [
        ("Host", parts.netloc),
        ("User-Agent", user_agent),
        ("If-None-Match", request.etag),
        ("If-Modified-Since", request.last_modified),
    ]
    sent = [(name, value) for name, value in headers if value]
    return f"GET {path} HTTP/1.1", sent
