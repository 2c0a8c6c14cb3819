"""A small site over real HTTP: everything that leads to its pages is found, and nothing is visited
twice.
"""

from __future__ import annotations

import asyncio
import gzip
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web

from trapline.app.crawl.run_until import crawl_until
from trapline.app.engine.build import open_engine
from trapline.app.settings import settings_from
from trapline.core.cards import FRINGE, HELD
from trapline.core.records import Kind, Page, Turn, Visit
from trapline.stores.sqlite.store import SqliteStore

XML = "application/xml"
HOME = """<head><link rel=alternate type="application/rss+xml" href="/feed">
<link rel=sitemap href="/map.xml"></head>
<p>Words of the home page. <a href=/old>old</a> <a href=/now>now</a> <a href=/loop/1>loop</a>
<a href=/missing>no</a> <a href="/page?from=home">page</a> <a href=/twins/1>twin</a>
<a href=/secret>secret</a> <a href=/private/1>private</a>
<a href=/paid rel=sponsored>paid</a> <a href=/never rel=nofollow>never</a>"""
TEXTS: dict[str, tuple[str, str]] = {
    "/": ("text/html", HOME),
    "/feed": (
        "text/xml",
        "<rss><channel><item><title>News</title><link>/news</link></item></channel></rss>",
    ),
    "/map.xml": (
        XML,
        "<sitemapindex><sitemap><loc>/map/1.xml.gz</loc><lastmod>2020-01-01</lastmod></sitemap>"
        "<sitemap><loc>/map/2.txt</loc></sitemap></sitemapindex>",
    ),
    "/map/1.xml.gz": (
        "application/gzip",
        "<urlset><url><loc>/deep/1</loc><lastmod>2020-01-01</lastmod></url>"
        "<url><loc>/deep/2</loc></url>"
        "<url><loc>http://127.0.0.1:3/elsewhere</loc></url></urlset>",
    ),
    "/map/2.txt": ("text/plain", "HOST/deep/3\nHOST/deep/4\n"),
    # Its second copy is met after it, in whatever order the others are visited.
    "/page": (
        "text/html",
        "<head><link rel=canonical href=/page></head><p>A page. <a href='/page?from=map'>x</a>",
    ),
    "/page?from=home": (
        "text/html",
        "<head><link rel=canonical href=/page></head><p>A page.",
    ),
    "/page?from=map": (
        "text/html",
        "<head><link rel=canonical href=/page></head><p>A page.",
    ),
    "/twins/1": (
        "text/html",
        "<head><link rel=canonical href=/twins/2></head><p>A twin.",
    ),
    "/twins/2": (
        "text/html",
        "<head><link rel=canonical href=/twins/1></head><p>A twin.",
    ),
    "/secret": ("text/html", "<p>Secret words. <a href=/behind>behind</a>"),
    **{
        path: ("text/html", f"<html lang=en><p>Words of {path}.")
        for path in ("/new", "/today", "/news", "/behind")
    },
    **{f"/deep/{n}": ("text/html", f"<p>Deep words {n}.") for n in range(1, 5)},
}
MOVED = {
    "/old": (301, "/new"),
    "/now": (302, "/today"),
    "/loop/1": (301, "/loop/2"),
    "/loop/2": (308, "/loop/1"),
}


@dataclass
class Site:
    """Answers, and remembers who was asked for."""

    robots: str = "User-agent: *\nDisallow: /private"
    home: str = ""
    asked: Counter[str] = field(default_factory=Counter)

    async def answer(self, request: web.Request) -> web.Response:
        path = request.path_qs
        self.asked[path] += 1
        if path == "/robots.txt":
            return web.Response(text=self.robots)
        if path in MOVED:
            status, location = MOVED[path]
            return web.Response(status=status, headers={"Location": location})
        if path not in TEXTS:
            return web.Response(status=404)
        kind, text = TEXTS[path]
        body = text.replace("HOST", self.home).encode()
        headers = (
            {"X-Robots-Tag": "otherbot: none, trapline: noindex"}
            if path == "/secret"
            else {}
        )
        return web.Response(
            body=gzip.compress(body) if path.endswith(".gz") else body,
            content_type=kind,
            headers=headers,
        )

    async def crawled(self, folder: Path, seed: str, closed: int = 0) -> None:
        """Crawl from a seed until nothing is left of the fringe but the `closed` pages that
        robots.txt denies.
        """
        app = web.Application()
        app.router.add_get("/{path:.*}", self.answer)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        self.home = f"http://127.0.0.1:{port}"
        values: dict[str, object] = {
            "seeds": [self.home + seed],
            "budget": {"visits": "unlimited"},
            "refresh": {"policy": "nutch-adaptive"},
            "manners": {"own": {f"127.0.0.1:{port}": 0.01}},
        }
        engine = open_engine(folder, settings_from("test", values))
        count = engine.controller.agenda.count

        def look() -> None:
            if count(HELD) and count(FRINGE) == closed:
                engine.stop()

        try:
            await crawl_until(engine, seconds=300.0, visits=200, show=look)
        finally:
            engine.close()
            await runner.cleanup()

    def notes(
        self, folder: Path
    ) -> tuple[dict[str, Page], dict[str, Visit], dict[str, Turn]]:
        """(documents, visits, turns) by path."""
        store = SqliteStore(folder)
        try:
            path = {row.page: row.url.removeprefix(self.home) for row in store.urls()}
            pages = {
                path[change.page]: change.document
                for change in store.changes()
                if change.document is not None
            }
            visits = {
                path[visit.page]: visit
                for visit in store.history()
                if visit.kind is Kind.PAGE
            }
            turns = {path[diff.page]: diff.turn for _, diff in store.diffs()}
        finally:
            store.close()
        return pages, visits, turns


def test_everything_is_found_once(tmp_path: Path) -> None:
    site = Site()
    asyncio.run(site.crawled(tmp_path, "/", closed=1))
    pages, visits, turns = site.notes(tmp_path)
    with_words = {path for path, page in pages.items() if page.text}
    # The page was met first under another name, and a copy is held until the original is.
    assert with_words - {
        "/page?from=home",
        "/page?from=map",
        "/twins/1",
        "/twins/2",
    } == {
        "/",
        "/new",
        "/today",
        "/news",
        "/behind",
        "/page",
        *(f"/deep/{n}" for n in range(1, 5)),
    }
    assert len(with_words & {"/twins/1", "/twins/2"}) == 1
    assert len(with_words & {"/page?from=home", "/page?from=map"}) <= 1
    assert set(pages) - with_words == {
        "/feed",
        "/map.xml",
        "/map/1.xml.gz",
        "/map/2.txt",
    }
    assert set(turns) == with_words and set(turns.values()) == {Turn.NEW}
    assert {
        path: times
        for path, times in site.asked.items()
        if times > 1 and path in visits
    } == {}
    assert not {"/private/1", "/never", "/elsewhere"} & set(site.asked)
    remarks = {
        path: visits[path].remark
        for path in (
            "/missing",
            "/secret",
            "/old",
            "/map.xml",
            "/map/1.xml.gz",
            "/feed",
        )
    }
    assert remarks == {
        "/missing": "status 404",
        "/secret": "noindex",
        "/old": f"moved to {site.home}/new",
        "/map.xml": "sitemap of 2 sitemaps",
        "/map/1.xml.gz": "sitemap of 2 pages",
        "/feed": "feed of 1 items",
    }
    assert pages["/new"].language == "en"


def test_a_sitemap_that_only_robots_txt_names(tmp_path: Path) -> None:
    site = Site(robots="User-agent: someone\nDisallow: /\n\nSitemap: /map.xml")
    asyncio.run(site.crawled(tmp_path, "/new"))
    assert {f"/deep/{n}" for n in range(1, 5)} <= set(site.asked)
