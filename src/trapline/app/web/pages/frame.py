"""What stands around every page: head, navigation, foot; and the page of an error."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from trapline.app.web.pages.markup import NOTHING, Html, document, element, join

_CHARTS: Final = element(
    # By this id and class Plotly knows that its rules are in a file: none are written into the page
    "link",
    id="plotly.js-style-global",
    class_="no-inline-styles",
    rel="stylesheet",
    href="/static/charts.css",
)


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages of a server have in common."""

    links: tuple[tuple[str, str], ...]  # of the navigation: address and name
    foot: str  # where the pages come from
    foot_links: tuple[tuple[str, str], ...]
    is_searched: bool = True  # there is a search, and a feed of changes


ENGINE: Final = Site(
    (
        ("/", "Search"),
        ("/dashboard", "Dashboard"),
        ("/plan", "Plan"),
        ("/laboratory", "Laboratory"),
    ),
    "Read from this folder, on this machine.",
    (("/api", "API"), ("/changes.atom", "Changes (Atom)"), ("/metrics", "Metrics")),
)

FRONT: Final = Site(
    (("/", "Search"),),
    "Asked of the servers that hold its parts.",
    (("/api", "API"), ("/changes.atom", "Changes (Atom)")),
)


@dataclass(frozen=True, slots=True)
class Look:
    """What sets a page apart from the others."""

    title: str
    path: str = ""  # of the navigation: where we are
    kind: str = "figures"  # the page's own style sheet
    body: str = ""  # class of the body; else its kind
    module: str = ""  # of JavaScript
    charts: bool = False
    refresh: str = ""  # where a browser without scripts goes at once
    site: Site = ENGINE


def frame(look: Look, *content: Html, engine: Html = NOTHING) -> Html:
    """A whole page. `engine` says whose collection this is, and whether it is growing."""
    body = element(
        "body",
        element("a", "Skip to the content", href="#main", class_="skip"),
        _top(look, engine),
        element("main", *content, id="main", tabindex="-1"),
        _foot(look.site),
        class_=look.body or look.kind,
    )
    return document(element("html", _head(look), body, lang="en"))


def _head(look: Look) -> Html:
    title = f"{look.title} · Trapline" if look.title else "Trapline"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("title", title),
        _meta("viewport", "width=device-width, initial-scale=1"),
        _meta("color-scheme", "light dark"),
        _meta("referrer", "no-referrer"),
        _link("icon", "/static/favicon.svg", "image/svg+xml"),
        _link("stylesheet", "/static/base.css"),
        _link("stylesheet", f"/static/{look.kind}.css"),
        _CHARTS if look.charts else NOTHING,
        _refresh(look.refresh) if look.refresh else NOTHING,
        _search_links() if look.site.is_searched else NOTHING,
        _module(look.module) if look.module else NOTHING,
    )


def _search_links() -> Html:
    return join(
        _link("search", "/opensearch.xml", "application/opensearchdescription+xml"),
        _link("alternate", "/changes.atom", "application/atom+xml", "Changes"),
        _module("slash_key"),
    )


def _module(name: str) -> Html:
    return element("script", type="module", src=f"/static/{name}.js")


def _refresh(href: str) -> Html:
    go = element("meta", http_equiv="refresh", content=f"0; url={href}")
    return element("noscript", go)


def _meta(name: str, content: str) -> Html:
    return element("meta", name=name, content=content)


def _link(
    rel: str, href: str, type: str | None = None, title: str = "Trapline"
) -> Html:
    titled = rel in ("search", "alternate")
    return element(
        "link", rel=rel, href=href, type=type, title=title if titled else None
    )


def _top(look: Look, engine: Html) -> Html:
    items = [
        element(
            "li",
            element(
                "a", name, href=href, aria_current="page" if href == look.path else None
            ),
        )
        for href, name in look.site.links
    ]
    brand = element(
        "a",
        element("img", src="/static/favicon.svg", alt="", width="26", height="26"),
        "Trapline",
        href="/",
        class_="brand",
    )
    return element(
        "header",
        brand,
        element("nav", element("ul", items), aria_label="Pages"),
        engine,
        class_="top",
    )


def _foot(site: Site) -> Html:
    return element(
        "footer",
        element("span", site.foot),
        [element("a", name, href=href) for href, name in site.foot_links],
        class_="foot",
    )


def notice(title: str, *content: Html, kind: str = "", alert: bool = False) -> Html:
    """A state that the reader should know of: nothing there, busy, broken."""
    return element(
        "section",
        element("h2", title),
        *content,
        class_=f"notice {kind}".strip(),
        role="alert" if alert else None,
    )


def error_page(status: int, problem: str, site: Site = ENGINE) -> str:
    phrase = HTTPStatus(status).phrase
    ways = [element("a", name, href=href) for href, name in site.links[:2]]
    said = element("p", problem, role="alert")
    return frame(
        Look(phrase, site=site),
        element("h1", phrase),
        join(said, element("p", _separate(ways))),
    )


def _separate(parts: list[Html]) -> Html:
    return join(
        *(join(" · " if place else "", part) for place, part in enumerate(parts))
    )
