"""What the practice web answers: pages of a world as they are at that moment, with validators."""

from __future__ import annotations

from collections.abc import Callable
from email.utils import formatdate
from typing import Final, Protocol

from aiohttp import web as http

from trapline.laboratory.worlds import documents

# pages that were there when the world began were written the day before
_BEFORE_S: Final = 86_400.0


class ServableWeb(documents.ReadableWeb, Protocol):
    """What the server needs to know of a world; `laboratory.worlds.linked.LinkedWeb` is one."""

    @property
    def hosts(self) -> int: ...
    @property
    def gap_s(self) -> float: ...
    def alive(self, page: int, now_s: float) -> bool: ...
    def changed_s(self, page: int, now_s: float) -> float: ...


class WorldPages:
    """Used by the server's thread only."""

    def __init__(
        self, web: ServableWeb, home: Callable[[int], str], began_s: float, speed: float
    ) -> None:
        """`home(host)` is a host's home page, `began_s` the wall time of world time 0."""
        self._web = web
        self._home = home
        self._began_s = began_s
        self._speed = speed
        # page → (tag last served, since when)
        self._served: dict[int, tuple[str, float]] = {}

    def answer(
        self, host: int, request: http.BaseRequest, world_s: float
    ) -> http.Response:
        path = request.path_qs
        if request.method not in ("GET", "HEAD"):
            return http.Response(status=405, headers={"Allow": "GET, HEAD"})
        if path == "/robots.txt":
            return http.Response(text=documents.robots(host))
        if path == documents.PRIVATE_PATH:
            return _html_response(documents.private_html(host))
        page = documents.page_of(self._web, host, path)
        if page is None or not self._web.alive(page, world_s):
            return http.Response(status=404, text="There is no such page.\n")
        return self._document(page, world_s, request)

    def _document(
        self, page: int, world_s: float, request: http.BaseRequest
    ) -> http.Response:
        tag = documents.tag(self._web, page, world_s)
        modified_s = self._modified_s(page, tag, world_s)
        if _is_held(request, tag, modified_s):
            answer = http.Response(status=304)
        else:
            html = documents.html(self._web, page, world_s, self._home)
            answer = _html_response(html)
        answer.headers["ETag"] = f'"{tag}"'
        # Within that second the page may change again under the same date, which would then vouch
        # for old content.
        if int(modified_s) < int(self._wall_s(world_s)):
            answer.headers["Last-Modified"] = formatdate(int(modified_s), usegmt=True)
        return answer

    def _modified_s(self, page: int, tag: str, world_s: float) -> float:
        """Wall time of the last change: the world's, or, for links that appeared, when they were
        first served.
        """
        known_tag, known_s = self._served.get(page, ("", 0.0))
        if known_tag == tag:
            return known_s
        since_s = self._wall_s(world_s) if known_tag else self._changed_s(page, world_s)
        self._served[page] = (tag, since_s)
        return since_s

    def _changed_s(self, page: int, world_s: float) -> float:
        changed_s = self._web.changed_s(page, world_s)
        if changed_s > 0.0:
            return self._wall_s(changed_s)
        return self._began_s - _BEFORE_S

    def _wall_s(self, world_s: float) -> float:
        return self._began_s + world_s / self._speed


def is_conditional(request: http.BaseRequest) -> bool:
    return request.if_none_match is not None or request.if_modified_since is not None


def _is_held(request: http.BaseRequest, tag: str, modified_s: float) -> bool:
    """Whether the client holds this very document. Where it names a tag, dates do not count
    (RFC 9110, 13.2.2).
    """
    if request.if_none_match is not None:
        return any(theirs.value in (tag, "*") for theirs in request.if_none_match)
    since = request.if_modified_since
    return since is not None and int(modified_s) <= since.timestamp()


def _html_response(text: str) -> http.Response:
    return http.Response(text=text, content_type="text/html", charset="utf-8")
