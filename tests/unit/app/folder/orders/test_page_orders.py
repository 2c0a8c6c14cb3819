"""Seeds and visits that people order: what is written, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trapline.app.folder.orders.order_file import (
    FILE,
    FORGET,
    give_order,
    orders_in_force,
)
from trapline.app.folder.orders.page_orders import add_seed, visit_now
from trapline.core.errors import (
    BadUrl,
    ContactMissing,
    FolderMissing,
    UrlUnknown,
    UserMistake,
)
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.sqlite.store import SqliteStore

URL = "http://127.0.0.1:3/a"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = SqliteStore(tmp_path)
    home = HostRow(0, "127.0.0.1:3", "http://127.0.0.1:3/")
    store.commit(Batch(hosts=[home], urls=[UrlRow(0, URL, 0)]))
    store.close()
    return tmp_path


def test_a_seed_and_a_visit_are_one_line_each(folder: Path) -> None:
    assert add_seed(folder, "HTTP://127.0.0.1:3/x/../b#c") == "http://127.0.0.1:3/b"
    assert visit_now(folder, URL) == URL
    lines = (folder / FILE).read_text().splitlines()
    assert [json.loads(line)["order"] for line in lines] == ["seed", "visit"]
    assert orders_in_force(folder).seeds == ["http://127.0.0.1:3/b"]


@pytest.mark.parametrize(
    ("url", "mistake"),
    [
        ("ftp://a/", BadUrl),
        ("http://[", BadUrl),
        ("http://a.invalid/", BadUrl),
        ("http://192.0.2.1/", ContactMissing),
        ("http://127.0.0.1:3/gone", UserMistake),
    ],
)
def test_what_is_no_seed_leaves_no_line(
    folder: Path, url: str, mistake: type[UserMistake]
) -> None:
    give_order(folder, FORGET, "http://127.0.0.1:3/gone")
    before = (folder / FILE).read_bytes()
    with pytest.raises(mistake):
        add_seed(folder, url)
    assert (folder / FILE).read_bytes() == before


def test_only_known_pages_are_visited(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UrlUnknown):
        visit_now(folder, "http://127.0.0.1:3/never")
    with pytest.raises(FolderMissing):
        add_seed(tmp_path / "nothing", URL)
    assert not (folder / FILE).exists()


def test_lines_of_strangers_are_passed_over(folder: Path) -> None:
    for target in ("no url", "javascript:alert(1)", "http://A/", "http://a"):
        give_order(folder, "seed", target)
    assert orders_in_force(folder).seeds == []
