"""The visits to one page of an edit, through the real response processor."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from changes_edits import NOISE  # type: ignore[import-not-found]  # these stand beside this file
from changes_news import IN_TEXT  # type: ignore[import-not-found]
from changes_pages import (  # type: ignore[import-not-found]
    Case,
    change_text,
    insert,
    is_aside,
    lot,
    read_page,
)
from changes_values import Values  # type: ignore[import-not-found]
from trapline.core.records import Fetched, Kind, Page, Ticket
from trapline.core.storage import Held
from trapline.robot.response.noisy_places import NoisyPlaces
from trapline.robot.response.page_noise import PageNoise
from trapline.robot.response.response_processor import ResponseProcessor
from trapline.topic.topic import Topic

URL: Final = "http://a.test/page"


class _Book:
    """Numbers for URLs, in the order met."""

    def __init__(self) -> None:
        self._numbers = {URL: 0}

    def number(self, url: str) -> tuple[int, int]:
        return self._numbers.setdefault(url, len(self._numbers)), 0

    def url(self, page: int) -> str:
        return list(self._numbers)[page]


class History:
    def __init__(self, folder: Path, case: Case) -> None:
        self._case = case
        self._html = read_page(folder / case.page)
        self._held: Page | None = None
        self._processor = ResponseProcessor(
            _Book(),  # type: ignore[arg-type]
            Topic(["anything"]),
            self._what_is_held,
            noise=PageNoise(NoisyPlaces(), lambda page: self._held),
        )

    def _what_is_held(self, page: int) -> Held | None:
        return Held.of(self._held) if self._held and page == 0 else None

    def is_changed(self, visits: int) -> bool | None:
        """Whether the edit counts, after so many visits; None = the page has no place for it."""
        bodies = [self._body(visit, edited=False) for visit in range(visits)]
        last = self._body(visits, edited=True)
        if last is None:
            return None
        verdict = False
        for number, body in enumerate([*bodies, last]):
            verdict = self._visit(number, body or "")
        return verdict

    def _visit(self, number: int, body: str) -> bool:
        ticket = Ticket(number, Kind.PAGE, 0, 0, 0.0, 0.0)
        fetched = Fetched(
            ticket,
            URL,
            float(number),
            status=200,
            body=body.encode("utf-8", "replace"),
            content_type="text/html; charset=utf-8",
        )
        found = self._processor.process(fetched, float(number))
        self._held = found.page or self._held
        return found.observation.changed

    def _body(self, visit: int, edited: bool) -> str | None:
        """The page at a visit. News stand still until they are edited; noise never does."""
        case = self._case
        values = Values(f"{case.page} {case.text}", visit)
        body: str | None
        if not case.news:
            body = insert(self._html, case.text.format_map(values), case.place)
            return body
        html = self._with_noise(visit)
        if case.text in IN_TEXT:
            body = change_text(html, case.text, values) if edited else html
            return body
        still = Values(f"{case.page} {case.text}", visit if edited else 0)
        body = insert(html, case.text.format_map(still), case.place)
        return body

    def _with_noise(self, visit: int) -> str:
        """Beside news, some other thing of the page is never still."""
        aside = is_aside(str(self._case.page))
        key = f"{self._case.page} beside {self._case.text}"
        texts = [text for some in NOISE.values() for text in some]
        texts = [text for text in texts if is_aside(text) == aside]
        text = texts[lot(key) % len(texts)]
        noisy: str = insert(self._html, text.format_map(Values(key, visit)), "footer")
        return noisy
