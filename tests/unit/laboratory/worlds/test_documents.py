"""Documents of a simulated web: addresses that lead back, bytes that change exactly
with the world.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.laboratory.worlds import documents

PAGES = 120
HOSTS = 4


@dataclass
class SmallWeb:
    """Page p is on host p mod 4 and links to 2p+1, p+1 and, from second 50 on, 0; it changes every
    10 + p seconds.
    """

    topic: str = "space"
    seed: int = 3
    pages: int = PAGES
    host: NDArray[np.int32] = field(
        default_factory=lambda: np.arange(PAGES, dtype=np.int32) % HOSTS
    )
    subject: NDArray[np.int32] = field(
        default_factory=lambda: np.arange(PAGES, dtype=np.int32) % 11
    )
    relevance: NDArray[np.float64] = field(
        default_factory=lambda: np.linspace(0.0, 1.0, PAGES)
    )

    def relevance_at(self, page: int, now_s: float) -> float:
        return float(self.relevance[page])

    def version(self, page: int, now_s: float) -> int:
        return int(now_s // (10 + page))

    def links(self, page: int, now_s: float) -> NDArray[np.int32]:
        targets = [(2 * page + 1) % PAGES, (page + 1) % PAGES] + [0] * (now_s >= 50)
        return np.array(targets, dtype=np.int32)

    def front_page(self, host: int) -> int:
        return host


class Reader(HTMLParser):
    """Tags in order, texts by tag, links with their words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.links: list[tuple[str, str]] = []
        self._href = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self._href = dict(attrs).get("href") or ""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip() and self.open:
            self.texts.append((self.open[-1], data))
            if self.open[-1] == "a":
                self.links.append((self._href, data))


def home(host: int) -> str:
    return f"http://127.0.0.{host + 2}:8000/"


def read(web: SmallWeb, page: int, now_s: float = 0.0) -> Reader:
    return Reader(documents.html(web, page, now_s, home))


def test_paths_are_unique_and_lead_back_to_their_page() -> None:
    web = SmallWeb()
    places = {(int(web.host[page]), documents.path(web, page)) for page in range(PAGES)}
    assert len(places) == PAGES
    for page in range(PAGES):
        assert (
            documents.page_of(web, int(web.host[page]), documents.path(web, page))
            == page
        )


def test_the_front_page_is_at_the_root_only() -> None:
    web = SmallWeb()
    assert documents.path(web, 2) == "/"
    assert documents.page_of(web, 2, "/") == 2


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "/x",
        "/x-17.html",
        "/x/y-99999.html",
        "/x/y--1.html",
        "/robots.txt",
        documents.PRIVATE_PATH,
        "/?a=1",
    ],
)
def test_other_paths_are_no_pages(wrong: str) -> None:
    assert documents.page_of(SmallWeb(), 1, wrong) is None


def test_a_page_is_not_found_on_another_host_nor_under_another_title() -> None:
    web = SmallWeb()
    place = documents.path(web, 17)
    assert str(17) in place and documents.page_of(web, 1, place) == 17
    assert documents.page_of(web, 2, place) is None
    assert documents.page_of(web, 1, place.replace("/", "/un", 1)) is None


def test_the_document_is_well_formed_and_complete() -> None:
    web = SmallWeb()
    for page in range(PAGES):
        reader = read(web, page)
        assert reader.open == []
        kinds = [tag for tag, _ in reader.texts]
        assert kinds.count("title") == kinds.count("h1") == 1
        assert kinds.count("p") >= 2
        assert ("title", documents.title(web, page)) in reader.texts


def test_links_carry_the_title_of_their_target_and_reach_other_hosts_by_full_address() -> (
    None
):
    web = SmallWeb()
    links = dict(read(web, 17).links)
    assert links[home(2) + documents.path(web, 18)[1:]] == documents.title(web, 18)
    near = SmallWeb(host=np.zeros(PAGES, dtype=np.int32))
    assert dict(read(near, 17).links)[documents.path(near, 18)] == documents.title(
        near, 18
    )


def test_only_front_pages_link_to_the_private_page() -> None:
    web = SmallWeb()
    found = [
        page
        for page in range(PAGES)
        if documents.PRIVATE_PATH in dict(read(web, page).links)
    ]
    assert found == [0, 1, 2, 3]
    assert documents.PRIVATE_PATH.startswith(documents.PRIVATE_FOLDER)
    assert Reader(documents.private_html(1)).open == []


def test_bytes_and_tag_change_together_with_version_or_links_and_not_otherwise() -> (
    None
):
    web = SmallWeb()
    for page in (5, 30, 90):
        moments = [
            (documents.tag(web, page, t), documents.html(web, page, t, home))
            for t in range(0, 200, 3)
        ]
        assert (
            len({tag for tag, _ in moments})
            == len({text for _, text in moments})
            == len(set(moments))
        )
        states = {(web.version(page, t), t >= 50) for t in range(0, 200, 3)}
        assert len(set(moments)) == len(states)


def test_the_order_of_links_does_not_matter() -> None:
    class Shuffled(SmallWeb):
        def links(self, page: int, now_s: float) -> NDArray[np.int32]:
            return np.ascontiguousarray(super().links(page, now_s)[::-1])

    assert documents.html(SmallWeb(), 9, 60.0, home) == documents.html(
        Shuffled(), 9, 60.0, home
    )
    assert documents.tag(SmallWeb(), 9, 60.0) == documents.tag(Shuffled(), 9, 60.0)


def test_what_a_topic_says_is_escaped() -> None:
    web = SmallWeb(topic='<b>&"chess"</b>', relevance=np.ones(PAGES))
    text = documents.html(web, 11, 0.0, home)
    assert "<b>" not in text and "&lt;b&gt;&amp;" in text
    assert Reader(text).open == []
    assert documents.page_of(web, 3, documents.path(web, 11)) == 11


def test_each_host_has_its_own_name_and_robots_file() -> None:
    assert len({documents.site(host) for host in range(200)}) == 200
    assert documents.robots(0) != documents.robots(1)
    assert all(
        "User-agent: *\nDisallow: /private/\n" in documents.robots(host)
        for host in range(5)
    )
