"""The page's HTML, made without a template engine: everything that comes from the web is escaped
here.
"""

from __future__ import annotations

from html import escape
from typing import Any
from urllib.parse import quote_plus

from trapline.app.folder.status import Status
from trapline.search.hits import Hit
from trapline.search.query_processor import Answer

PER_PAGE = 10

_STYLE = """
:root { color-scheme: light dark;
  --ink: #1c2421; --paper: #fbfaf6; --soft: #6c756f; --line: #dcd9cf; --green: #23694a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6df; --paper: #171b19; --soft: #98a29b; --line: #333b37; --green: #7cc7a2; } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif; }
header { display: flex; align-items: baseline; gap: .8rem } header a { color: inherit; text-decoration: none }
h1 { font-size: 1.5rem; margin: 0 } header span { color: var(--soft); font-size: .9rem }
form { display: flex; gap: .5rem; margin: 1.2rem 0 }
input { flex: 1; font: inherit; padding: .55rem .8rem; border: 1px solid var(--line); border-radius: .5rem;
  background: transparent; color: inherit } input:focus { outline: 2px solid var(--green) }
button { font: inherit; padding: .55rem 1.1rem; border: 0; border-radius: .5rem; background: var(--green);
  color: var(--paper) }
article { margin: 1.3rem 0 } article a { color: var(--green); font-size: 1.1rem; text-decoration: none }
article a:hover { text-decoration: underline } article p { margin: .15rem 0 }
.url, .facts, .count { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere }
mark { background: none; color: inherit; font-weight: 700 }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .6rem; margin: 1rem 0 }
dl div { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .7rem }
dt { color: var(--soft); font-size: .8rem }
dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums }
table { width: 100%; border-collapse: collapse; font-size: .85rem }
td { border-top: 1px solid var(--line); padding: .3rem .4rem; vertical-align: top; overflow-wrap: anywhere }
td:first-child { color: var(--soft); white-space: nowrap }
h2 { font-size: 1.05rem; margin: 2rem 0 .4rem }
nav { display: flex; gap: 1rem; margin-top: 1.5rem } nav a { color: var(--green) }
"""


def page(
    status: Status,
    query: str = "",
    answer: Answer | None = None,
    offset: int = 0,
    problem: str = "",
) -> str:
    body = _problem(problem) or (
        _status(status) if answer is None else _results(query, answer, offset)
    )
    return (
        '<!doctype html><html lang="en"><head><meta '
        f'charset="utf-8"><title>{escape(query or "Trapline")}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="alternate" type="application/atom+xml" title="Changes" href="/changes.atom">'
        f"<style>{_STYLE}</style></head><body>"
        f'<header><h1><a href="/">Trapline</a></h1><span>{status.pages_held:,} pages held of '
        f"{status.pages_known:,} "
        f"known</span></header>"
        f'<form action="/search" role="search"><input type="search" name="q" aria-label="Search" '
        f'placeholder="Search the collection" value="{escape(query)}" '
        "autofocus><button>Search</button></form>"
        f"<main>{body}</main></body></html>"
    )


def _problem(problem: str) -> str:
    return f'<p role="alert">{escape(problem)}</p>' if problem else ""


def _results(query: str, answer: Answer, offset: int) -> str:
    if not answer.hits:
        return '<p class="count">Nothing found. Try fewer or other words.</p>'
    first = offset + 1
    last = offset + len(answer.hits)
    count = (
        f'<p class="count">{first}–{last} of {answer.total:,}, '
        f"{answer.seconds * 1000:.1f} ms</p>"
    )
    return (
        count
        + "".join(_hit(hit) for hit in answer.hits)
        + _pages(query, answer.total, offset)
    )


def _hit(hit: Hit) -> str:
    snippet = "".join(
        f"<mark>{escape(part.text)}</mark>" if part.is_match else escape(part.text)
        for part in hit.snippet
    )
    url = escape(hit.url)
    copies = f", and {hit.copies} pages like it" if hit.copies else ""
    # Only http(s) URLs are ever canonical, so a link cannot carry a script.
    return (
        f'<article><a href="{url}" rel="noreferrer">{escape(hit.title or hit.url)}</a><p '
        f'class="url">{url}</p>'
        f'<p>{snippet}</p><p class="facts">relevance {hit.relevance:.2f}{copies}</p></article>'
    )


def _pages(query: str, total: int, offset: int) -> str:
    links = []
    if offset > 0:
        links.append(
            f'<a href="/search?q={quote_plus(query)}&offset={max(0, offset - PER_PAGE)}">Previous</a>'
        )
    if offset + PER_PAGE < total:
        links.append(
            f'<a href="/search?q={quote_plus(query)}&offset={offset + PER_PAGE}">Next</a>'
        )
    return f"<nav>{''.join(links)}</nav>" if links else ""


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
