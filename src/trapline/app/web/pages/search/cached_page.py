"""A page as the collection holds it: its text with marks, never the HTML of strangers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.frame import Look, frame
from trapline.app.web.pages.markup import NOTHING, Html, element, join
from trapline.app.web.pages.search.search_results import with_marks
from trapline.app.web.pages.search.search_view import View
from trapline.app.web.pages.wording import say_date, time_element
from trapline.core.records import Page
from trapline.search.hits import Fragment

LONGEST: Final = 200_000  # characters that a page shows
_MORE: Final = "… The rest is not shown here. Programs get it from /api/pages."

Lines = Sequence[tuple[Fragment, ...]]


def cached_page(
    engine: Engine, page: Page, lines: Lines, view: View, now_s: float
) -> Html:
    title = page.title or page.url
    look = Look(f"Cached: {title}", kind="search", body="cached")
    return frame(
        look,
        element("p", "The text as this collection holds it", class_="soft"),
        element("h1", title, dir="auto"),
        _source(page, view, now_s),
        _text(lines),
        engine=engine.light(),
    )


def _text(lines: Lines) -> Html:
    """The text, a paragraph a line; of a book, its beginning."""
    shown = []
    length = 0
    for line in lines:
        length += sum(len(part.text) for part in line)
        if length > LONGEST:
            shown.append(element("p", _MORE, class_="soft"))
            break
        if line:
            shown.append(element("p", with_marks(line), dir="auto"))
    return element("article", shown, aria_label="Stored text")


def _source(page: Page, view: View, now_s: float) -> Html:
    source = element("a", page.url, href=page.url, rel="noreferrer")
    changed = element("span", time_element(page.changed_s, now_s))
    back = join(element("a", "Back to the results", href=view.link()), " · ")
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
            back if view.query else NOTHING,
            element("a", "Why and when", href=f"/why?url={quote(page.url, safe='')}"),
        ),
    )
