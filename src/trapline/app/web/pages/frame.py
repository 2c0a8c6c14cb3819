"""What stands around every page: head, navigation, foot; and the page of an error."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from trapline.app.web.pages.markup import NOTHING, Html, document, element, join

_LINKS: Final = (
    ("/", "Search"),
    ("/dashboard", "Dashboard"),
    ("/plan", "Plan"),
    ("/laboratory", "Laboratory"),
)
_CHARTS: Final = element(
    # By this id and class Plotly knows that its rules are in a file: none are written into the page
    "link",
    id="plotly.js-style-global",
    class_="no-inline-styles",
    rel="stylesheet",
    href="/static/charts.css",
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


def frame(look: Look, *content: Html, engine: Html = NOTHING) -> Html:
    """A whole page. `engine` says whose collection this is, and whether it is growing."""
    body = element(
        "body",
        element("a", "Skip to the content", href="#main", class_="skip"),
        _top(look.path, engine),
        element("main", *content, id="main", tabindex="-1"),
        _FOOT,
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
        _link("search", "/opensearch.xml", "application/opensearchdescription+xml"),
        _link("alternate", "/changes.atom", "application/atom+xml", "Changes"),
        [_module(name) for name in ("slash_key", look.module) if name],
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


def _top(path: str, engine: Html) -> Html:
    items = [
        element(
            "li",
            element(
                "a", name, href=href, aria_current="page" if href == path else None
            ),
        )
        for href, name in _LINKS
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


_FOOT: Final = element(
    "footer",
    element("span", "Read from this folder, on this machine."),
    element("a", "API", href="/api"),
    element("a", "Changes (Atom)", href="/changes.atom"),
    element("a", "Metrics", href="/metrics"),
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


def error_page(status: int, problem: str) -> str:
    phrase = HTTPStatus(status).phrase
    ways = element(
        "p",
        element("a", "Search", href="/"),
        " · ",
        element("a", "Dashboard", href="/dashboard"),
    )
    said = element("p", problem, role="alert")
    return frame(Look(phrase), element("h1", phrase), join(said, ways))
