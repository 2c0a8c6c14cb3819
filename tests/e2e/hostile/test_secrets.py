"""A secret for `https://host` is sent to nobody who speaks plain http on the same port, by whatever
way his URL enters; one for `http://host` reaches that host, and only that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from tests.e2e.support.command import trapline
from tests.e2e.support.site import Site, html

SECRETS = ("s3cret", "YW5uOnMzY3JldA==", "v1s1t")
ACCESS = """
[access."{origin}"]
headers = {{ X-Key = "s3cret" }}
cookies = {{ visit = "v1s1t" }}
user = "ann"
password = "s3cret"
"""


@dataclass(slots=True)
class Listening(Site):
    """A site that notes all it is sent."""

    heads: dict[str, list[str]] = field(default_factory=dict)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        self.heads.setdefault(request.path, []).append(str(request.headers))
        Site.answer(self, request)

    def hear(self, request: BaseHTTPRequestHandler) -> None:
        self.heads.setdefault(request.path, []).append(str(request.headers))
        Site.hear(self, request)

    def drawn_out(self) -> list[str]:
        """Paths where a secret arrived."""
        return [
            path
            for path, heads in self.heads.items()
            if any(secret in head for head in heads for secret in SECRETS)
        ]


def sitemap(*urls: str) -> str:
    locations = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return f"<?xml version='1.0'?><urlset>{locations}</urlset>"


def feed(*urls: str) -> str:
    items = "".join(f"<item><link>{url}</link></item>" for url in urls)
    return f"<?xml version='1.0'?><rss version='2.0'><channel>{items}</channel></rss>"


def lure(stranger: Site, vault: Site) -> None:
    """All that a stranger can do to have the vault asked for over plain http."""
    host = vault.host
    stranger.robots = f"Sitemap: http://{host}/by-robots.xml"
    stranger.pages = {
        "/": html(
            "Stranger",
            "words",
            f"//{host}/by-scheme",
            f"http://ann:her-own@{host}/by-user",
            f"http://{host}/by-link",
            "/moved",
            "/feed.xml",
        ),
        "/moved": f"http://{host}/by-redirect",
        "/feed.xml": feed(f"http://{host}/by-feed"),
    }
    ways = ("scheme", "user", "link", "redirect", "sitemap", "feed", "seed")
    vault.pages = {f"/by-{way}": html(way, f"by {way}") for way in ways}
    vault.pages["/by-robots.xml"] = sitemap(f"http://{host}/by-sitemap")


def crawl(folder: Path, origin: str, vault: Site, stranger: Site, *lines: str) -> None:
    file = folder / "engine.toml"
    own = ", ".join(f'"{site.host}" = 0.0' for site in (vault, stranger))
    seeds = f'seeds = ["{stranger.url()}", "{vault.url("/by-seed")}"]'
    manners = f"[manners]\nown = {{ {own} }}"
    text = "\n".join((seeds, manners, ACCESS.format(origin=origin), *lines))
    file.write_text(text)
    done = trapline(
        "crawl", file, "--dir", folder / "engine", "--visits", 12, "--seconds", 40
    )
    assert done.returncode == 0, done.stderr


def test_no_way_leads_a_secret_into_the_clear(tmp_path: Path) -> None:
    with Listening({}) as vault, Listening({}, address="127.0.0.2") as stranger:
        lure(stranger, vault)
        webhook = f'[output]\nchanges = ["{vault.url("/by-webhook")}"]'
        crawl(tmp_path, f"https://{vault.host}", vault, stranger, webhook)
        ways = {path for path in vault.heads if path.startswith("/by-")}
        assert ways == {*vault.pages, "/by-webhook"}
        assert vault.drawn_out() == stranger.drawn_out() == []


def test_a_secret_for_plain_http_reaches_its_host_alone(tmp_path: Path) -> None:
    with Listening({}) as vault, Listening({}, address="127.0.0.2") as stranger:
        lure(stranger, vault)
        crawl(tmp_path, f"http://{vault.host}", vault, stranger)
        assert set(vault.drawn_out()) == set(vault.heads)
        assert stranger.heads and stranger.drawn_out() == []
        written = b"".join(
            file.read_bytes()
            for file in (tmp_path / "engine").rglob("*")
            if file.is_file()
        )
        assert not any(secret.encode() in written for secret in SECRETS)
