"""A site that mirrors another one's page, and says that the page is its own."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.support.command import said, trapline
from tests.e2e.support.site import Site

PROSE = " ".join(f"sentence {n} speaks of comets and of moons" for n in range(30))


def page(*links: str, canonical: str = "") -> str:
    head = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    anchors = "".join(f'<a href="{link}">more</a>' for link in links)
    return (
        f"<html><head><title>Comets</title>{head}</head><p>{PROSE}</p>{anchors}</html>"
    )


def crawl(folder: Path, seed: str, sites: tuple[Site, ...], visits: int) -> None:
    file = folder.with_suffix(".toml")
    own = ", ".join(f'"{site.host}" = 0.0' for site in sites)
    file.write_text(f'seeds = ["{seed}"]\n[manners]\nown = {{ {own} }}\n')
    limits = ("--visits", visits, "--seconds", 30)
    done = trapline("crawl", file, "--dir", folder, *limits)
    assert done.returncode == 0, done.stderr


def shown(folder: Path) -> list[str]:
    answer = said(trapline("search", folder, "comets", "--json"))
    return [hit["url"] for hit in answer["hits"]]


def test_a_mirror_does_not_push_out_a_seed(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with Site({}, address="127.0.0.2") as mirror, Site({}) as original:
        mirror.pages["/"] = page(original.url("/"), canonical=mirror.url("/"))
        original.pages["/"] = page()
        crawl(folder, mirror.url("/"), (mirror, original), visits=8)
        assert shown(folder) == [mirror.url("/")], "nobody has said otherwise yet"
        crawl(folder, original.url("/"), (mirror, original), visits=4)
        assert shown(folder) == [original.url("/")]


def test_a_mirror_that_forgot_to_change_the_canonical_link(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with Site({}, address="127.0.0.2") as mirror, Site({}) as original:
        own = original.url("/")
        mirror.pages["/"] = "<p>Links</p><a href='/copy'>copy</a>"
        mirror.pages["/copy"] = page(own, canonical=own)
        original.pages["/"] = page(canonical=own)
        crawl(folder, mirror.url("/"), (mirror, original), visits=8)
        assert shown(folder) == [own]
