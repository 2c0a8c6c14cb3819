"""`trapline engines suggest`: what past queries suggest, and what a robot makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.support.command import said, trapline
from tests.e2e.support.site import Site, html
from trapline.app.demand.demand_file import day_now
from trapline.app.federation.query_memory import (
    OWN,
    AnsweredPage,
    answered_query,
    opened_query,
)
from trapline.app.federation.query_memory_file import QueryDay, add_queries
from trapline.app.folder.host_rows import open_for_reading

TEA = "Boil the water and pour it over tea leaves in a pot; drink the tea with a cake."
MARS = "The rover drove over the red soil of Mars and took pictures of its two moons."
ROCKS = "A rover looks at rocks and soil below the two moons of the red planet."


def remembered(site: Site) -> list[QueryDay]:
    """Tea is answered well; Mars is not, but somebody opened the one page that there is."""
    today = day_now()
    tea = AnsweredPage(site.url("/tea"), (OWN,))
    mars = AnsweredPage(site.url("/mars"), (OWN,))
    rows = [answered_query("tea leaves", today, [OWN], [tea], 9, 3.0)] * 20
    for words in ("mars rover", "mars soil", "mars moons"):
        rows += [answered_query(words, today, [OWN], [mars], 1, 0.5)] * 10
    return [*rows, opened_query("mars rover", today, mars.url)]


def relevance(folder: Path, url: str) -> float:
    store = open_for_reading(folder)
    try:
        number = store.number_of(url)
        page = None if number is None else store.page(number)
        return -1.0 if page is None else page.relevance
    finally:
        store.close()


def test_an_engine_follows_what_is_suggested(tmp_path: Path) -> None:
    pages = {
        "/": html("Start", "Where to begin.", "/tea", "/mars", "/rocks"),
        "/tea": html("Tea", TEA),
        "/mars": html("Mars", MARS),
        "/rocks": html("Rocks", ROCKS),
    }
    folder = tmp_path / "engine"
    with Site(pages) as site:
        crawl = ("crawl", site.url(), "--topic", "tea, mars", "--dir", folder, "--json")
        said(trapline(*crawl, "--visits", 4))
        before = relevance(folder, site.url("/rocks"))
        assert said(trapline("engines", "suggest", folder, "--json"))["queries"] == 0
        add_queries(folder, remembered(site))
        found = said(trapline("engines", "suggest", folder, "--json"))
        [shift] = found["suggestions"]
        assert (shift["kind"], shift["engine"]) == ("shift", found["own"])
        assert shift["words"][0] == "mars" and found["taken_over"] is None
        assert shift["examples"] == [site.url("/mars")]
        assert "would gain" in trapline("engines", "suggest", folder).stdout
        assert not (folder / "labels.jsonl").exists()

        asked = trapline("engines", "suggest", folder, "--apply")
        assert asked.returncode == 2 and "--yes" in asked.stderr
        assert not (folder / "labels.jsonl").exists(), "nobody said yes"
        done = said(
            trapline("engines", "suggest", folder, "--apply", "--yes", "--json")
        )
        assert done["taken_over"]["examples"] == [site.url("/mars")]
        assert len(done["taken_over"]["topic"]) == 1
        # pages are judged anew beside the visits of the next robot
        site.pages["/rocks"] = html("Rocks", ROCKS + " They are red.")
        said(trapline(*crawl, "--visits", 12))
        assert before < 0.5 < relevance(folder, site.url("/rocks"))
        assert relevance(folder, site.url("/mars")) == 1.0, "somebody says so"

        again = trapline("engines", "suggest", folder, "--apply", "--yes")
        assert again.returncode == 0 and "nothing for this engine" in again.stdout


def test_mistakes_are_one_line(tmp_path: Path) -> None:
    done = trapline("engines", "suggest", tmp_path / "nowhere")
    assert done.returncode == 2 and "no engine" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--days=0", "--days=61", "--days=x"])
def test_days_are_bounded(tmp_path: Path, option: str) -> None:
    assert trapline("engines", "suggest", tmp_path, option).returncode == 2


def test_labels_are_whole_lines(tmp_path: Path) -> None:
    """Whatever a crash left before them."""
    from trapline.app.folder.label_file import FILE, LabelFile, Labels, write_labels

    (tmp_path / FILE).write_bytes(b'{"url": "http://to')
    write_labels(tmp_path, Labels({"http://a.org/": True}, {"mars rover": False}))
    assert LabelFile(tmp_path).news() == (
        {"http://a.org/": True},
        {"mars rover": False},
    )
    for line in (tmp_path / FILE).read_text().splitlines()[1:]:
        json.loads(line)
