"""Orders at the start of a robot: the last word on a page counts, however often the
lines are read.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from trapline.app.engine.begin import begin_run
from trapline.app.engine.build import open_engine
from trapline.app.folder.order_file import FORGET, REMEMBER, give_order
from trapline.app.settings import settings_from
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.sqlite import SqliteStore

URL = "http://127.0.0.1:3/a"


@pytest.mark.parametrize(
    ("orders", "kept"), [((FORGET,), False), ((FORGET, REMEMBER), True), ((), True)]
)
def test_what_was_taken_back_is_not_carried_out_again(
    orders: tuple[str, ...], kept: bool, tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path)
    home = HostRow(0, "127.0.0.1:3", "http://127.0.0.1:3/")
    page = Page(0, URL, "A", "some words", 1.0, 7, "", "", 1.0, 1.0)
    store.commit(Batch(hosts=[home], urls=[UrlRow(0, URL, 0)], pages=[page]))
    store.close()
    for order in orders:
        give_order(tmp_path, order, URL)
    engine = open_engine(tmp_path, settings_from("the test", {"seeds": [URL]}))
    try:
        begin_run(engine, 2.0)
        assert (engine.holdings.collection.held(0) is not None) is kept
    finally:
        engine.close()
