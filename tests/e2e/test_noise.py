"""A box that is another at every visit is no change in the end, though each visit is a run of its
own: what is learnt of places is kept in the folder.
"""

from __future__ import annotations

from pathlib import Path

from tests.e2e.support.command import said, trapline
from tests.e2e.support.site import Site
from trapline.robot.response.noisy_places import LEARNT
from trapline.stores.sqlite.store import SqliteStore

QUOTES = ["Be brief.", "Know thyself.", "Well begun.", "Slow down.", "Look up."]


def page(quote: str, article: str = "tea") -> str:
    paragraphs = "".join(
        f"<p>Paragraph {n} of a long article about the {n}th kind of {article}, which is "
        "grown, dried, shipped and brewed as people have done it for a long time.</p>"
        for n in range(12)
    )
    return (
        f"<html><title>All about it</title><body><h1>What to drink</h1>{paragraphs}"
        f"<h3>Quote of the day, as chosen by the editors of this page</h3><p>{quote}</p>"
        "<p>Write to the editors about this page, they will be glad to hear of you.</p>"
    )


def changes(folder: Path) -> list[bool]:
    store = SqliteStore(folder, read_only=True)
    try:
        return [visit.changed for visit in store.history() if visit.page >= 0]
    finally:
        store.close()


def test_noise_is_learnt_over_several_runs(tmp_path: Path) -> None:
    with Site({}) as site:
        for text in (*map(page, QUOTES), page("Last words.", "coffee")):
            site.pages["/"] = text
            said(
                trapline(
                    "crawl", site.url("/"), "--dir", tmp_path, "--visits", 1, "--json"
                )
            )
    noise = len(QUOTES) - 1 - LEARNT
    assert changes(tmp_path) == [True] * (1 + LEARNT) + [False] * noise + [True]
