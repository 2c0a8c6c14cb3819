"""A collection of a few pages, put in one by one and asked for."""

from __future__ import annotations

from dataclasses import replace

from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.search.hits import Fragment
from trapline.search.index import FullTextIndex
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import Answer, Question
from trapline.stores.memory import MemoryStore

DAY_S = 86_400.0
NOW_S = 2_000 * DAY_S
HOSTS = ("a.org:80", "docs.b.org:443")


class Collection:
    """Pages put in one by one, and asked for."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        rows = [HostRow(n, name, f"http://{name}/") for n, name in enumerate(HOSTS)]
        self.store.commit(Batch(hosts=rows))
        self.index = FullTextIndex(None)
        self.processor = QueryProcessor(self.index, self.store, now=lambda: NOW_S)
        self._count = 0

    def put(
        self,
        title: str,
        text: str,
        host: int = 0,
        language: str = "en",
        same_as: int = -1,
        changed_s: float = NOW_S,
        relevance: float = 0.5,
    ) -> int:
        number = self._count
        self._count += 1
        scheme = "https" if HOSTS[host].endswith("443") else "http"
        url = f"{scheme}://{HOSTS[host].partition(':')[0]}/{number}"
        page = Page(
            number,
            url,
            title,
            text,
            relevance,
            1,
            "",
            "",
            changed_s,
            changed_s,
            language,
            same_as=same_as,
        )
        self.store.commit(Batch(urls=[UrlRow(number, url, host)], pages=[page]))
        return number

    def ask(self, text: str, **wishes: object) -> Answer:
        self.index.catch_up(self.store)
        return self.processor.ask(replace(Question(text), **wishes))  # type: ignore[arg-type]

    def pages(self, text: str, **wishes: object) -> list[int]:
        return [hit.page for hit in self.ask(text, **wishes).hits]


def shown(fragments: tuple[Fragment, ...]) -> str:
    return "".join(f"[{f.text}]" if f.is_match else f.text for f in fragments)
