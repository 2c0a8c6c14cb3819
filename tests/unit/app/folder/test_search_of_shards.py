"""Searching a crawl in shards: what says the same in two of them is shown once."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from trapline.app.folder.folder_search import search_folder
from trapline.app.folder.places.crawl_store import shard_folder
from trapline.app.folder.reindex import reindex
from trapline.core.ledger import Founding
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.ledgers.open_ledger import open_ledger
from trapline.search.questions import Question, Sort
from trapline.stores.sqlite.store import SqliteStore

SAME = "The first landing on the moon, told at length for all who read of it."
TEXTS = (SAME, "A landing of an aeroplane in the fog, on a runway by the sea.")


def put(folder: Path, shard: int) -> None:
    """A page of the same text in every shard, and one of its own."""
    name = f"h{shard}.example"
    urls = [UrlRow(n, f"http://{name}/{n}", 0) for n in range(len(TEXTS))]
    marks = 7, 0xFFFF << 8 * shard + 16
    pages = [
        Page(n, urls[n].url, "Landing", text, 0.9, n, "", "", 5.0, 5.0, "en", marks[n])
        for n, text in enumerate(TEXTS)
    ]
    with closing(SqliteStore(shard_folder(folder, shard))) as store:
        host = HostRow(0, f"{name}:80", f"http://{name}/")
        store.commit(Batch(hosts=[host], urls=urls, pages=pages))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(open_ledger(tmp_path, create=True)) as ledger:
        ledger.establish(Founding(3, "{}", 10.0))
    for shard in range(3):
        put(tmp_path, shard)
    return tmp_path


@pytest.mark.parametrize("sort", list(Sort))
def test_copies_in_other_shards_are_folded_and_counted(
    folder: Path, sort: Sort
) -> None:
    for _ in range(2):  # the index is made, then only opened
        found = search_folder(folder, Question("first landing moon", sort=sort))
        [shown] = [hit for hit in found.hits if "moon" in str(hit.snippet)]
        assert shown.copies == 2
    reindex(folder)
    again = search_folder(folder, Question("first landing moon", sort=sort))
    assert [hit.page for hit in again.hits] == [hit.page for hit in found.hits]


def test_an_index_that_knows_of_no_texts_is_made_anew(folder: Path) -> None:
    """As it was made by a Trapline that folded nothing."""
    asked = Question("first landing moon")
    search_folder(folder, asked)
    note = folder / "index" / "revision.json"
    note.write_text(note.read_text().replace(', "texts": true', ""))
    found = search_folder(folder, asked)
    assert [hit.copies for hit in found.hits if "moon" in str(hit.snippet)] == [2]
