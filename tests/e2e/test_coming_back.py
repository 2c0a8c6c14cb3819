"""A page that was given up and is named again as a seed is tried again."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.support.command import said, trapline
from tests.e2e.support.site import Site


def test_a_seed_that_was_gone_is_tried_again_at_the_next_start(tmp_path: Path) -> None:
    with Site({}) as site:
        for held in (0, 1):
            summary = said(
                trapline(
                    "crawl",
                    site.url("/late"),
                    "--dir",
                    tmp_path,
                    "--visits",
                    1,
                    "--json",
                )
            )
            assert summary["pages_held"] == held
            site.pages["/late"] = "<p>Better late than never."
    assert site.visits("/late") == [404, 200]
