"""The index of a part: what goes in, what leaves it, and which part it is."""

from __future__ import annotations

from pathlib import Path

from tests.unit.search.small_collection import Collection
from trapline.core.storage import Batch
from trapline.search.index import FullTextIndex
from trapline.search.parts.index_part import WHOLE, IndexPart
from trapline.search.query_language import read_query
from trapline.search.questions import Sort

FIRST, SECOND = IndexPart(1, 2), IndexPart(2, 2)


def small_collection(pages: int = 40) -> Collection:
    collection = Collection()
    for number in range(pages):
        collection.put(f"Moon {number}", f"The moon orbits planet {number}.")
    return collection


def pages_in(index: FullTextIndex) -> set[int]:
    found = index.rank_rows(read_query("moon"), Sort.BEST, 100)
    return {row.page for row in found.rows}


def index_of(
    collection: Collection, part: IndexPart, folder: Path | None = None
) -> FullTextIndex:
    index = FullTextIndex(folder, part=part)
    index.catch_up(collection.store)
    return index


def test_every_page_is_in_one_part() -> None:
    collection = small_collection()
    first, second = (pages_in(index_of(collection, one)) for one in (FIRST, SECOND))
    assert len(first) + len(second) == len(first | second) == 40
    assert min(len(first), len(second)) > 8


def test_pages_that_are_gone_leave_their_part() -> None:
    collection = small_collection()
    index = index_of(collection, FIRST)
    before = pages_in(index)
    gone = min(before)
    collection.store.commit(Batch(gone=[gone]))
    index.catch_up(collection.store)
    assert pages_in(index) == before - {gone}


def test_it_has_come_as_far_as_the_store_though_the_last_pages_are_of_others() -> None:
    collection = small_collection()
    for part in (FIRST, SECOND):
        index = index_of(collection, part)
        assert index.revision == collection.store.counts().revision


def test_an_index_says_which_part_it_is(tmp_path: Path) -> None:
    collection = small_collection()
    made = index_of(collection, FIRST, tmp_path)
    own = pages_in(made)
    made.close()
    assert pages_in(FullTextIndex(tmp_path, read_only=True, part=FIRST)) == own
    for other in (SECOND, IndexPart(1, 3)):
        assert FullTextIndex(tmp_path, read_only=True, part=other).damaged
    again = index_of(collection, SECOND, tmp_path)
    assert not pages_in(again) & own
    again.close()


def test_an_index_of_before_there_were_parts_is_the_whole(tmp_path: Path) -> None:
    collection = small_collection()
    index = index_of(collection, WHOLE, tmp_path)
    index.close()
    note = tmp_path / "revision.json"
    note.write_text(note.read_text().replace(', "part": "1/1"', ""))
    assert not FullTextIndex(tmp_path, read_only=True).damaged
