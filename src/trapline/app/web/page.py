"""The HTML of the page, made without a template engine.

Everything that comes from the web is escaped here.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote_plus

from trapline.app.folder.status import Status
from trapline.search.hits import Hit
from trapline.search.questions import Answer

PER_PAGE: Final = 10

STYLE: Final = Path(__file__).with_name("style.css").read_text(encoding="utf-8")


def page(
    status: Status,
    query: str = "",
    answer: Answer | None = None,
    offset: int = 0,
    problem: str = "",
) -> str:
    return (
        f'<!doctype html><html lang="en">{_head(query)}<body>'
        f'<header><h1><a href="/">Trapline</a></h1>'
        f"<span>{status.pages_held:,} pages held of {status.pages_known:,} known</span></header>"
        f'<form action="/search" role="search"><input type="search" name="q" aria-label="Search" '
        f'placeholder="Search the collection" value="{escape(query)}" '
        "autofocus><button>Search</button></form>"
        f"<main>{_body(status, query, answer, offset, problem)}</main></body></html>"
    )


def _head(query: str) -> str:
    return (
        f'<head><meta charset="utf-8"><title>{escape(query or "Trapline")}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="alternate" type="application/atom+xml" title="Changes" href="/changes.atom">'
        f"<style>{STYLE}</style></head>"
    )


def _body(
    status: Status, query: str, answer: Answer | None, offset: int, problem: str
) -> str:
    if problem:
        return f'<p role="alert">{escape(problem)}</p>'
    if answer is None:
        return _status(status)
    return _results(query, answer, offset)


def _results(query: str, answer: Answer, offset: int) -> str:
    if not answer.hits:
        return '<p class="count">Nothing found. Try fewer or other words.</p>'
    first = offset + 1
    last = offset + len(answer.hits)
    milliseconds = answer.seconds * 1000
    count = f"{first}–{last} of {answer.total:,}, {milliseconds:.1f} ms"
    hits = "".join(map(_hit, answer.hits))
    return f'<p class="count">{count}</p>{hits}{_pages(query, answer.total, offset)}'


def _hit(hit: Hit) -> str:
    snippet = "".join(
        f"<mark>{escape(part.text)}</mark>" if part.is_match else escape(part.text)
        for part in hit.snippet
    )
    url = escape(hit.url)
    title = escape(hit.title or hit.url)
    copies = f", and {hit.copies} pages like it" if hit.copies else ""
    # Only http(s) URLs are ever canonical, so a link cannot carry a script.
    return (
        f'<article><a href="{url}" rel="noreferrer">{title}</a><p class="url">{url}</p>'
        f'<p>{snippet}</p><p class="facts">relevance {hit.relevance:.2f}{copies}</p></article>'
    )


def _pages(query: str, total: int, offset: int) -> str:
    links = ""
    if offset > 0:
        links += _page_link(query, max(0, offset - PER_PAGE), "Previous")
    if offset + PER_PAGE < total:
        links += _page_link(query, offset + PER_PAGE, "Next")
    return f"<nav>{links}</nav>" if links else ""


def _page_link(query: str, offset: int, name: str) -> str:
    return f'<a href="/search?q={quote_plus(query)}&offset={offset}">{name}</a>'


def _status(status: Status) -> str:
    tiles = "".join(
        f"<div><dt>{escape(n)}</dt><dd>{escape(v)}</dd></div>"
        for n, v in status.figures().items()
    )
    rows = "".join(_visit(visit) for visit in status.recent)
    return f"<h2>Status</h2><dl>{tiles}</dl><h2>Latest visits</h2><table>{rows}</table>"


def _visit(visit: dict[str, Any]) -> str:
    what = "changed" if visit["changed"] else visit["outcome"]
    remark = f" ({visit['remark']})" if visit["remark"] else ""
    return f"<tr><td>{escape(what)}</td><td>{escape(visit['url'])}{escape(remark)}</td></tr>"
