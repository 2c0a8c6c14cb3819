"""A page as the collection holds it: its text with marks, never the HTML of strangers."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.frame import Look, frame
from trapline.app.web.pages.markup import NOTHING, Html, element, join
from trapline.app.web.pages.search.search_results import with_marks
from trapline.app.web.pages.wording import say_date, time_element
from trapline.core.records import Page
from trapline.search.hits import Fragment

Lines = Sequence[tuple[Fragment, ...]]


def cached_page(
    engine: Engine, page: Page, lines: Lines, query: str, now_s: float
) -> Html:
    title = page.title or page.url
    look = Look(f"Cached: {title}", kind="search", body="cached")
    return frame(
        look,
        element("p", "The text as this collection holds it", class_="soft"),
        element("h1", title, dir="auto"),
        _source(page, query, now_s),
        element(
            "article",
            [element("p", with_marks(line), dir="auto") for line in lines if line],
            aria_label="Stored text",
        ),
        engine=engine.light(),
    )


def _source(page: Page, query: str, now_s: float) -> Html:
    source = element("a", page.url, href=page.url, rel="noreferrer")
    changed = element("span", time_element(page.changed_s, now_s))
    back = f"/search?{urlencode({'q': query})}"
    return join(
        element("p", "Source: ", source),
        element(
            "p",
            f"Fetched {say_date(page.fetched_s)}, last changed ",
            changed,
            ".",
            class_="soft",
        ),
        element(
            "p",
            element("a", "Back to the results", href=back) if query else NOTHING,
            " · " if query else NOTHING,
            element("a", "Why and when", href=f"/why?url={quote(page.url, safe='')}"),
        ),
    )
