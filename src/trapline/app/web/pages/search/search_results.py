"""Hits as people read them: where, what, how old, and what else can be done with each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import quote, urlsplit

from trapline.app.web.pages.markup import NOTHING, Html, element, join
from trapline.app.web.pages.search.search_view import View
from trapline.app.web.pages.wording import say_number, time_element
from trapline.policies.wording import say_count
from trapline.search.hits import Factor, Fragment, Hit

_FACTORS: Final = {
    "text": "words in the text",
    "closeness": "words that stand close together",
    "spelling": "share of the words, just as spelt",
    "title": "title like the query",
    "names": "what others call it",
    "close_names": "words together in what others call it",
    "address": "words in the URL",
    "relevance": "relevance to the topic",
    "meaning": "meaning of its best passage",
}


def with_marks(fragments: Iterable[Fragment]) -> Html:
    """Text with its matches marked."""
    return join(
        element("mark", part.text) if part.is_match else part.text for part in fragments
    )


def hit_item(
    hit: Hit, view: View, now_s: float, say_language: bool, origins: Html = NOTHING
) -> Html:
    """`origins` tells which engines found it, where there are several."""
    title = with_marks(hit.marked_title) or join(hit.title or hit.url)
    held = str(hit.page) if is_held(hit) else None
    # Only http(s) URLs are ever canonical, so a link cannot carry a script.
    link = element("a", title, href=hit.url, rel="noreferrer", data_page=held)
    return element(
        "li",
        element(
            "article",
            _place(hit),
            element("h3", link, dir="auto"),
            element("p", with_marks(hit.snippet), class_="snippet", dir="auto"),
            _facts(hit, view, now_s, say_language, origins),
            class_="hit",
        ),
    )


def is_held(hit: Hit) -> bool:
    """By this collection; what only other engines hold has no number."""
    return hit.page >= 0


def host_name(hit: Hit) -> str:
    return hit.host or urlsplit(hit.url).netloc


def _place(hit: Hit) -> Html:
    path = hit.url.partition("://")[2].partition("/")[2]
    return element(
        "p",
        element("b", element("bdi", host_name(hit))),
        join(" / ", element("bdi", path)) if path else NOTHING,
        class_="place",
    )


def _facts(
    hit: Hit, view: View, now_s: float, say_language: bool, origins: Html
) -> Html:
    changed = join("changed ", time_element(hit.changed_s, now_s))
    fetched = join("seen ", time_element(hit.fetched_s, now_s))
    copies = f"and {say_count(hit.copies, 'page')} like it"
    age = changed if hit.changed_s else fetched
    facts = [
        origins,
        age if hit.changed_s or hit.fetched_s or is_held(hit) else "",
        hit.language if say_language else "",
        copies if hit.copies else "",
        *_links(hit, view),
        _factors(hit.factors),
    ]
    return element(
        "ul", [element("li", fact) for fact in facts if fact], class_="facts"
    )


def _links(hit: Hit, view: View) -> list[Html]:
    """What else can be done with a hit. Each link says of which, for whoever cannot see it."""
    whose = element("span", f" of {hit.title or hit.url}", class_="unseen")
    cached = f"/cached/{hit.page}?{view.parameters()}"
    why = f"/why?url={quote(hit.url, safe='')}"
    more = view.link(host=host_name(hit), page=1)
    links = []
    if is_held(hit):
        links = [
            element("a", "Cached text", whose, href=cached),
            element("a", "Why and when", whose, href=why),
        ]
    if not view.host:
        here = element("span", f" ({host_name(hit)})", class_="unseen")
        links.append(element("a", "More from this host", here, href=more))
    return links


def _factors(factors: tuple[Factor, ...]) -> Html:
    if not factors:
        return NOTHING
    names = ("What counts", "Measured", "Points")
    head = element("tr", *(element("th", name, scope="col") for name in names))
    rows = [
        element(
            "tr",
            element("th", _FACTORS.get(factor.name, factor.name), scope="row"),
            element("td", say_number(factor.value)),
            element("td", f"{factor.points:+.3g}"),
        )
        for factor in factors
        if factor.points
    ]
    table = element(
        "table", element("thead", head), element("tbody", rows), class_="factors"
    )
    return element("details", element("summary", "Rank"), table)
