"""`watch` on a small site on loopback: listed pages only, each as often as it pays, every change
told.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.command import crumbs, said, trapline
from tests.e2e.support.site import Site, html


def settings(site: Site, path: Path, budget: str = "20/s") -> Path:
    path.write_text(
        f'[manners]\nown = {{ "{site.host}" = 0.0 }}\n[budget]\nvisits = "{budget}"\n'
    )
    return path


def listed(site: Site, path: Path, *pages: str) -> Path:
    path.write_text(
        "# pages of mine\n\n"
        + "".join(f"{site.url(page)} the page {page}\n" for page in pages)
    )
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@contextmanager
def changing(site: Site, pages: list[str], every_s: float) -> Iterator[None]:
    """Pages get another text again and again: each its own, because a copy is worth little."""
    over = threading.Event()

    def change() -> None:
        version = 0
        while not over.wait(every_s):
            version += 1
            for page in pages:
                site.pages[page] = html(
                    "Busy", f"the news of {page} is version{version}", "/unlisted"
                )

    thread = threading.Thread(target=change)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_pages_that_change_are_visited_more_often_and_every_change_is_told(
    tmp_path: Path,
) -> None:
    busy = [f"/busy{i}" for i in range(2)]
    quiet = [f"/quiet{i}" for i in range(8)]
    pages = {
        page: html("A page", f"what {page} says", "/unlisted", *quiet)
        for page in [*busy, *quiet, "/private", "/unlisted"]
    }
    with Site(
        pages, robots="User-agent: *\nDisallow: /private\nSitemap: /sitemap.xml\n"
    ) as site:
        words = [
            listed(site, tmp_path / "list.txt", *busy, *quiet, "/private"),
            settings(site, tmp_path / "s.toml"),
        ]
        with changing(site, busy, 0.8):
            # A robot that is stopped after so many seconds drops the visits under way.
            done = trapline(
                "watch",
                *words,
                "--dir",
                tmp_path / "w",
                "--visits",
                180,
                "--json",
                "--changes",
                tmp_path / "c.jsonl",
            )
        assert done.returncode == 0, done.stderr
        missing = f"Nothing is held of {site.url('/private')}: robots.txt forbids it."
        assert missing in done.stderr
        site_url = site.url("/private")
        visits = {page: site.visits(page) for page in [*busy, *quiet]}
        # of the visits made when it had learnt
        later = Counter(one.path for one in site.asked[len(site.asked) // 2 :])
        assert (
            site.visits("/unlisted")
            == site.visits("/private")
            == site.visits("/sitemap.xml")
            == []
        )
    told = lines(tmp_path / "c.jsonl")
    assert [line["number"] for line in told] == list(range(1, len(told) + 1))
    (refused,) = (line for line in told if line["turn"] == "failing")
    assert refused["url"] == site_url and refused["remark"] == "robots.txt forbids it"
    assert Counter(
        line["url"].rpartition("/")[2] for line in told if line is not refused
    ) == {page[1:]: statuses.count(200) for page, statuses in visits.items()}, (
        "every new text is told once, and nothing else is"
    )
    first = {line["url"]: line["turn"] for line in reversed(told)}
    assert set(first.values()) == {"new", "failing"}, "a first visit is new"
    assert all(
        statuses.count(200) == 1 and set(statuses[1:]) == {304}
        for page, statuses in visits.items()
        if page in quiet
    )
    assert min(visits[page].count(200) for page in busy) >= 4
    often, seldom = (
        sum(later[page] for page in some) / len(some) for some in (busy, quiet)
    )
    assert often > 1.4 * seldom, "twice as often, as a rule; in turn would be as often"
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    assert printed == told
    assert printed[0]["name"].startswith("the page /")


def test_a_list_changes_and_pages_move_or_go(tmp_path: Path) -> None:
    pages = {f"/{name}": html(f"Page {name}", f"all about {name}") for name in "abcd"}
    folder = tmp_path / "w"
    file = tmp_path / "list.txt"
    with Site(pages) as site:
        toml = settings(site, tmp_path / "s.toml", "50/s")

        def watch(*names: str) -> list[tuple[str, str]]:
            listed(site, file, *names)
            site.asked.clear()
            done = trapline(
                "watch", file, toml, "--dir", folder, "--visits", 50, "--json"
            )
            assert done.returncode == 0, done.stderr
            return [
                (line["turn"], line["url"].rpartition("/")[2])
                for line in map(json.loads, done.stdout.splitlines())
            ]

        assert sorted(watch("/a", "/b")) == [("new", "a"), ("new", "b")]
        site.pages["/b"] = site.url("/moved")
        site.pages["/moved"] = html("Moved", "b lives here now")
        told = watch("/b", "/c")
        assert set(told) == {("new", "c"), ("gone", "b"), ("new", "moved")}
        assert site.visits("/a") == [], "no longer listed"
        assert site.visits("/b") == [301], "it is watched at its new address"
        assert len(site.visits("/moved")) > 1
        del site.pages["/c"]
        assert watch("/a", "/b", "/c") == [("failing", "c")], (
            "it is gone when it is missing again, a minute later"
        )
        assert site.visits("/c") == [404], "looked for again, but not at once"
        assert len(site.visits("/a")) > 1, "listed again"
        assert site.visits("/b") == [] and len(site.visits("/moved")) > 1, (
            "also after a restart"
        )
        status = said(trapline("status", folder, "--json"))
        assert status["pages_held"] == 3
        assert said(trapline("search", folder, "lives", "--json"))["total"] == 1
        assert (
            said(trapline("why", folder, site.url("/moved"), "--json"))["policy"]
            == "adaptive-whittle"
        )


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        ("http://127.0.0.1:3/\nftp://x/\nnonsense\n", [], "line 3"),
        ("# nothing\n", [], "nothing to watch"),
        ("http://127.0.0.1:3/\n", ["--changes", "c.csv"], ".jsonl"),
        ("http://127.0.0.1:3/\n", ["--changes", "ftp://token@x/"], "http"),
        ("http://127.0.0.1:3/\n", ["--budget", "many"], "600/min"),
    ],
)
def test_mistakes_are_one_line_and_write_nothing(
    text: str, words: list[str], hint: str, tmp_path: Path
) -> None:
    (tmp_path / "list.txt").write_text(text)
    done = trapline("watch", tmp_path / "list.txt", "--dir", tmp_path / "w", *words)
    assert done.returncode == 2
    assert hint in done.stderr and "token" not in done.stderr
    assert done.stderr.count("\n") == 1
    assert crumbs(tmp_path / "w") == []
