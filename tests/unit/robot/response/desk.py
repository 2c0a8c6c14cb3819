"""A desk at which answers are read: a processor whose book is a list and whose collection is a
dict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trapline.core.records import Fetched, Kind, Page, Ticket
from trapline.core.storage import Held
from trapline.core.urls import host_of
from trapline.reading.readings import Reading
from trapline.robot.response.noisy_places import NoisyPlaces
from trapline.robot.response.page_noise import PageNoise
from trapline.robot.response.page_rules import PageRules
from trapline.robot.response.response_processor import Processed, ResponseProcessor
from trapline.topic.topic import Topic

URL = "http://example.org/a"
HTML = (
    b"<title>Space</title><p>About space. "
    b"<a href=/b>tea</a> <a href=/space>x</a> <a href=/a#me>me</a>"
)


class Book:
    """Numbers in the order of asking."""

    def __init__(self) -> None:
        self.pages: list[str] = []
        self.hosts: list[str] = []

    def __len__(self) -> int:
        return len(self.pages)

    def number(self, url: str) -> tuple[int, int]:
        for known, name in ((self.pages, url), (self.hosts, host_of(url))):
            if name not in known:
                known.append(name)
        return self.pages.index(url), self.hosts.index(host_of(url))

    def url(self, page: int) -> str:
        return self.pages[page]

    def host_name(self, host: int) -> str:
        return self.hosts[host]

    def home(self, host: int) -> str:
        return f"http://{self.hosts[host]}/"


class Desk:
    """A processor whose collection is a dict."""

    def __init__(
        self,
        relevance: Callable[[str, str], Any] | None = None,
        topic: Topic | None = None,
        **rules: Any,
    ) -> None:
        self.book = Book()
        self.book.number(URL)
        self.held: dict[int, Held] = {}
        self.documents: dict[int, Page] = {}
        self.topic = topic or Topic.from_text("space")
        self.processor = ResponseProcessor(
            self.book,
            self.topic,
            self.held.get,
            relevance,
            rules=PageRules(**rules),
            noise=PageNoise(NoisyPlaces(), self.documents.get),
        )

    def read(
        self,
        status: int = 200,
        *,
        kind: Kind = Kind.PAGE,
        at_s: float = 10.0,
        url: str = URL,
        reading: Reading | None = None,
        **answer: Any,
    ) -> Processed:
        page, host = self.book.number(url) if kind is Kind.PAGE else (-1, 0)
        ticket = Ticket(7, kind, page, host, at_s - 1.0, 0.25)
        if status == 200 and not answer.get("failure"):
            answer = {"body": HTML, "content_type": "text/html"} | answer
        done = self.processor.process(
            Fetched(ticket, url, at_s, status=status, **answer), at_s + 0.5, reading
        )
        if done.gone:
            self.held.pop(page, None)
        if done.page:
            self.held[page] = Held.of(done.page)
            self.documents[page] = done.page
        return done

    def found(self, done: Processed) -> list[str]:
        """Where the links lead that were found."""
        return [self.book.url(page) for page in done.observation.links["page"]]

    def holds(self) -> set[str]:
        return {self.book.url(page) for page in self.held}
