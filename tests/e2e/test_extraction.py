"""Fields that are picked out of pages while they are crawled, and what export makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.command import trapline
from tests.e2e.support.site import Site

RULES = """
[[extract]]
pages = ["/product/*"]
fields = { name = "h1", price = "span.price", image = "img.main@src", "tags[]" = "//li" }

[[extract]]
fields = { name = "title" }
"""


def product(name: str, price: str) -> str:
    return (
        f"<html><head><title>{name} in the shop</title></head><body><h1>{name}</h1>"
        f"<img class=main src=/{name}.png><p>It costs <span class=price>{price}</span> only,"
        f" and {name} is what people ask for.</p><ul><li>hot<li>leaf</ul></body></html>"
    )


def crawl(site: Site, folder: Path, rules: str) -> None:
    toml = folder / "s.toml"
    toml.write_text(
        f'seeds = ["{site.url("/")}"]\n[manners]\nown = {{ "{site.host}" = 0.0 }}\n'
        f'[budget]\nvisits = "100/s"\n{rules}'
    )
    done = trapline("crawl", toml, "--dir", folder / "e", "--visits", 30)
    assert done.returncode == 0, done.stderr


def fields(site: Site, folder: Path) -> dict[str, Any]:
    done = trapline("export", folder / "e", "--jsonl", "--out", "-")
    assert done.returncode == 0, done.stderr
    pages = map(json.loads, done.stdout.splitlines())
    return {page["url"].removeprefix(site.url("")): page["fields"] for page in pages}


@pytest.fixture
def pages() -> dict[str, str]:
    links = '<a href="/product/tea">Tea</a> <a href="/product/mate">Mate</a>'
    return {
        "/": f"<html><head><title>Shop</title></head><body>{links}</body></html>",
        "/product/tea": product("Tea", "3.50"),
        "/product/mate": product("Mate", "4.00"),
    }


def test_fields_are_picked_out_and_exported(
    pages: dict[str, str], tmp_path: Path
) -> None:
    tea = {"name": "Tea", "price": "3.50", "image": "/Tea.png", "tags": ["hot", "leaf"]}
    with Site(pages) as site:
        crawl(site, tmp_path, RULES)
        found = fields(site, tmp_path)
        assert found["/product/tea"] == tea, "of two fields of one name, the first"
        assert found["/product/mate"]["price"] == "4.00"
        assert found["/"] == {"name": "Shop"}
        table = tmp_path / "t.parquet"
        done = trapline("export", tmp_path / "e", "--parquet", "--out", table)
        assert done.returncode == 0, done.stderr
        assert parquet_fields(table, site.url("/product/tea")) == {
            "name": ["Tea"],
            "price": ["3.50"],
            "image": ["/Tea.png"],
            "tags": ["hot", "leaf"],
        }


def parquet_fields(path: Path, url: str) -> dict[str, list[str]]:
    import pyarrow.parquet as pq

    rows = pq.read_table(path).to_pylist()
    [found] = [row["fields"] for row in rows if row["url"] == url]
    return dict(found)


def test_other_rules_read_pages_anew_although_they_have_not_changed(
    pages: dict[str, str], tmp_path: Path
) -> None:
    with Site(pages) as site:
        crawl(site, tmp_path, "")
        assert set(map(str, fields(site, tmp_path).values())) == {"{}"}
        site.asked.clear()
        crawl(site, tmp_path, RULES)
        assert site.visits("/product/tea")[0] == 200, "no validators were sent"
        assert 304 in site.visits("/product/tea")[1:], "from then on they are"
        assert fields(site, tmp_path)["/product/tea"]["price"] == "3.50"
        site.asked.clear()
        crawl(site, tmp_path, "")
        assert fields(site, tmp_path)["/product/tea"] == {}
        done = trapline("export", tmp_path / "e", "--jsonl", "--out", "-")
        changes = {
            page["changed"] == page["fetched"]
            for page in map(json.loads, done.stdout.splitlines())
        }
        assert changes == {False}, "other rules are no change of a page"
