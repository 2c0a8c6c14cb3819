"""Ports that are not the Web's are no part of a URL that may be visited."""

from __future__ import annotations

import pytest

from trapline.app.engine.seed_check import check_seed
from trapline.app.output.outlets.webhook import webhook_url
from trapline.core.bad_ports import BAD_PORTS
from trapline.core.errors import BadUrl, UserMistake
from trapline.core.urls import canonical
from trapline.net.credentials import Credentials
from trapline.net.host_routes import Routes
from trapline.politeness.robots_txt import sitemaps_in
from trapline.reading.html.document import read_html
from trapline.reading.listings.entries import resolve_link
from trapline.reading.robots_directives import directives_of


@pytest.mark.parametrize("port", sorted(map(int, BAD_PORTS)))
def test_no_url_names_one(port: int) -> None:
    for url in (f"http://a.example:{port}/", f"https://[::1]:{port}/x"):
        with pytest.raises(BadUrl, match=f"port {port} is not one of the Web's"):
            canonical(url)
        assert resolve_link(url, "http://b.example/") is None


@pytest.mark.parametrize("port", ["80", "443", "8000", "8080", "3000", "65535"])
def test_others_may_be_named(port: str) -> None:
    assert resolve_link(f"http://a.example:{port}/", "http://b.example/")


def test_spelling_does_not_help() -> None:
    for url in (
        "http://a.example:00025/",
        "//a.example:25/",
        "http://u:p@a.example:25/",
    ):
        assert resolve_link(url, "http://b.example/") is None
    with pytest.raises(BadUrl):
        canonical("http://[::25]:25/")
    assert canonical("http://[::25]/")
    assert canonical("https://u:25@a.example/")


def test_links_seeds_sitemaps_webhooks_and_what_an_old_folder_knows() -> None:
    page = b'<a href="http://a.example:25/">x</a><a href="/y">y</a>'
    found = read_html(page, "text/html", "http://b.example/", directives_of([]))
    assert [link.url for link in found.links] == ["http://b.example/y"]
    lines = "Sitemap: http://a.example:110/map.xml"
    assert sitemaps_in(lines, "http://a.example/robots.txt") == []
    with pytest.raises(UserMistake, match="port 22"):
        check_seed("http://127.0.0.1:22/", "")
    with pytest.raises(UserMistake, match="port 25"):
        webhook_url("http://127.0.0.1:25/secret")
    with pytest.raises(BadUrl):
        Routes(Credentials()).spell("http://a.example:25/x")
