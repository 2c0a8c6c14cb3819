"""A crawl in shards, read as one store: the same as one store that has everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from trapline.core.links import links_to
from trapline.core.records import Diff, Kind, Outcome, Page, Turn, Visit
from trapline.core.storage import Batch, HostRow, Store, UrlRow
from trapline.search.index import FullTextIndex
from trapline.search.query_language import read_query
from trapline.stores.sqlite.store import SqliteStore
from trapline.stores.united.united_store import UnitedStore
from trapline.stores.united.walk_book import WalkBook

SHARDS = 3


def url(shard: int, page: int) -> str:
    return f"http://h{shard}.example/{page}"


def document(shard: int, page: int, text: str) -> Page:
    title = f"title {shard} {page}"
    return Page(page, url(shard, page), title, text, 0.5, 1, "", "", 1.0, 1.0)


def visit(shard: int, page: int, number: int, ended_s: float) -> Visit:
    return Visit(
        number, page, 0, Kind.PAGE, ended_s, ended_s, 1.0, Outcome.OK, 200, True, 0.5
    )


def fill(store: Store, shard: int, pages: int) -> None:
    """A host with pages of which every one leads to the next; the last is a copy of the first."""
    name = f"h{shard}.example"
    numbers = range(pages)
    texts = [f"moon of shard {shard} and crater{page}" for page in numbers]
    documents = [document(shard, page, texts[page]) for page in numbers]
    documents[-1] = replace(documents[-1], same_as=0, simhash=5)
    store.commit(
        Batch(
            hosts=[HostRow(0, f"{name}:80", f"http://{name}/")],
            urls=[UrlRow(page, url(shard, page), 0) for page in numbers],
            pages=documents,
            links=[(page, links_to([page + 1], [0])) for page in range(pages - 1)],
            diffs=[Diff(page, float(page), Turn.NEW) for page in numbers],
            visits=[visit(shard, page, page, 10.0 * page + shard) for page in numbers],
            notes={"settings": "{}", "mine": str(shard)},
        )
    )


@pytest.fixture
def shards(tmp_path: Path) -> Iterator[list[SqliteStore]]:
    made = [SqliteStore(tmp_path / f"{shard:03}") for shard in range(SHARDS)]
    for shard, store in enumerate(made):
        fill(store, shard, shard + 2)
    yield made
    for store in made:
        store.close()


def test_counts_are_sums(shards: list[SqliteStore]) -> None:
    counts = UnitedStore(shards).counts()
    assert (counts.hosts, counts.known, counts.held, counts.visits) == (3, 9, 9, 9)
    assert counts.revision == sum(store.counts().revision for store in shards)


def test_each_url_has_a_number_that_leads_to_it(shards: list[SqliteStore]) -> None:
    united = UnitedStore(shards)
    rows = list(united.urls())
    assert len({row.page for row in rows}) == 9
    assert [row.page for row in rows] == sorted(row.page for row in rows)
    for row in rows:
        assert united.number_of(row.url) == row.page
        assert united.url(row.page) == row.url
        assert united.host(row.host).name in row.url.replace(
            ".example/", ".example:80/"
        )
        page = united.page(row.page)
        assert page is not None
        assert (page.page, page.url) == (row.page, row.url)
    assert [row.page for row in united.urls(rows[4].page)] == [
        row.page for row in rows[4:]
    ]
    assert united.number_of("http://nowhere.example/") is None


def test_links_and_copies_lead_to_pages_of_the_same_shard(
    shards: list[SqliteStore],
) -> None:
    united = UnitedStore(shards)
    hosts = {row.host: row.name for row in united.hosts()}
    led = {
        (united.url(page), united.url(int(link["page"])), hosts[int(link["host"])])
        for page, links in united.links()
        for link in links
    }
    assert led == {
        (url(shard, page), url(shard, page + 1), f"h{shard}.example:80")
        for shard in range(SHARDS)
        for page in range(shard + 1)
    }
    first = united.number_of(url(2, 0))
    assert first is not None
    assert [united.url(copy) for copy in united.copies(first)] == [url(2, 3)]
    assert {united.url(same) for _, _, same in united.simhashes()} == {
        url(shard, 0) for shard in range(SHARDS)
    }


def test_visits_are_told_by_time(shards: list[SqliteStore]) -> None:
    united = UnitedStore(shards)
    ends = [(one.ended_s, united.url(one.page)) for one in united.visits(last=4)]
    assert ends == [
        (32.0, url(2, 3)),
        (22.0, url(2, 2)),
        (21.0, url(1, 2)),
        (12.0, url(2, 1)),
    ]
    history = list(united.history())
    assert [one.ended_s for one in history] == sorted(one.ended_s for one in history)
    assert len({one.number for one in history}) == len(history) == 9
    middle = history[4].number
    later = {one.number for one in united.history(middle)}
    assert later == {one.number for one in history if one.number > middle}


def test_notes_are_those_of_the_first_shard_or_joined(
    shards: list[SqliteStore],
) -> None:
    assert UnitedStore(shards).note("mine") == "0"
    joined = UnitedStore(shards, joined={"mine": "+".join})
    assert joined.note("mine") == "0+1+2"
    assert joined.note("nobody") is None


def test_diffs_have_numbers_without_holes(shards: list[SqliteStore]) -> None:
    united = UnitedStore(shards)
    before = list(united.diffs())
    assert [number for number, _ in before] == list(range(1, 10))
    shards[0].commit(Batch(diffs=[Diff(0, 50.0, Turn.CHANGED)]))
    shards[2].commit(Batch(diffs=[Diff(1, 51.0, Turn.CHANGED)]))
    assert united.newest_diff() == 11
    later = [(number, united.url(diff.page)) for number, diff in united.diffs(9)]
    assert later == [(10, url(0, 0)), (11, url(2, 1))]
    # what was told before keeps its number
    assert list(united.diffs())[:9] == before
    assert list(united.diffs(4)) == list(united.diffs())[4:]


def test_numbers_of_diffs_stay_where_one_reader_holds_a_moment(
    shards: list[SqliteStore], tmp_path: Path
) -> None:
    """Another one, perhaps in another process, goes on meanwhile."""
    reading = [
        SqliteStore(tmp_path / f"{shard:03}", read_only=True) for shard in range(SHARDS)
    ]
    still = UnitedStore(reading, tmp_path / "book")
    assert len(list(still.diffs())) == 9
    shards[0].commit(Batch(diffs=[Diff(0, 50.0, Turn.CHANGED)]))
    before = list(still.diffs())  # the last one is of the first shard
    with still.one_moment():
        assert still.newest_diff() == 10
        shards[2].commit(Batch(diffs=[Diff(1, 51.0, Turn.CHANGED)]))
        other = UnitedStore(shards, tmp_path / "book")
        after = list(other.diffs())
        assert list(still.diffs()) == before
        assert list(still.diffs(4)) == before[4:]
    assert list(still.diffs()) == after == list(other.diffs())
    assert after[:10] == before
    still.close()


def test_the_last_numbers_are_of_the_newest_in_every_shard(
    shards: list[SqliteStore],
) -> None:
    """Also for whoever looks for the first time, after long."""
    for shard in shards:
        later = [Diff(0, 100.0 + n, Turn.CHANGED) for n in range(50)]
        shard.commit(Batch(diffs=later))
    united = UnitedStore(shards)
    newest = list(united.diffs(united.newest_diff() - 2 * SHARDS))
    assert {united.url(diff.page) for _, diff in newest} == {
        url(shard, 0) for shard in range(SHARDS)
    }
    assert min(diff.at_s for _, diff in newest) > 140.0


def test_changes_go_on_after_a_restart_in_the_middle(
    shards: list[SqliteStore], tmp_path: Path
) -> None:
    book = tmp_path / "book"
    seen = []
    reached = 0
    for change in UnitedStore(shards, book).changes():
        seen.append(change.page)
        reached = change.revision
        if len(seen) == 4:
            break
    shards[0].commit(Batch(pages=[document(0, 1, "new text")]))
    shards[1].commit(Batch(gone=[0]))
    later = list(UnitedStore(shards, book).changes(reached))
    united = UnitedStore(shards)
    assert later[-1].revision == united.counts().revision
    assert {*seen, *(change.page for change in later)} == {
        row.page for row in united.urls()
    }
    changed = {united.url(change.page) for change in later}
    assert {url(0, 1), url(1, 0)} <= changed


def test_a_count_of_a_lost_book_is_not_believed(
    shards: list[SqliteStore], tmp_path: Path
) -> None:
    reached = UnitedStore(shards, tmp_path / "book").counts().revision - 2
    told = list(UnitedStore(shards, tmp_path / "another").changes(reached))
    assert len(told) == 9


def test_nothing_is_missed_however_many_turns_are_joined() -> None:
    book = WalkBook(2, lately=4, twice=True)
    marks = [0, 0]
    reached = 0
    for turn in range(1, 60):
        marks[turn % 2] += 1 + turn % 3
        legs = list(book.legs(reached, lambda: tuple(marks)))
        reached = max(leg.base + leg.upto for leg in legs)
        assert reached == sum(marks)
    for after in range(reached):
        legs = list(book.legs(after, lambda: tuple(marks)))
        told = {
            (leg.shard, n) for leg in legs for n in range(leg.after + 1, leg.upto + 1)
        }
        assert len(told) >= reached - after


def titles(index: FullTextIndex, store: Store, query: str) -> set[str]:
    ranked = index.rank(read_query(query)).pages
    found = [store.page(one.page) for one in ranked]
    return {page.title for page in found if page is not None}


def test_an_index_that_follows_growing_shards_is_as_one_made_anew(
    shards: list[SqliteStore], tmp_path: Path
) -> None:
    folder = tmp_path / "index"
    for turn in range(4):
        united = UnitedStore(shards, folder)
        index = FullTextIndex(folder)  # a new process each time
        index.catch_up(united)
        assert index.revision == united.counts().revision
        index.close()
        shard = turn % SHARDS
        shards[shard].commit(Batch(pages=[document(shard, 0, f"planet{turn}")]))
        shards[(shard + 1) % SHARDS].commit(Batch(gone=[1]))
    united = UnitedStore(shards, folder)
    followed = FullTextIndex(folder)
    followed.catch_up(united)
    anew = FullTextIndex(None)
    anew.catch_up(UnitedStore(shards))
    for query in (
        "moon",
        "planet0",
        "planet1",
        "planet2",
        "planet3",
        "crater1",
        "shard",
    ):
        assert titles(followed, united, query) == titles(anew, united, query)
    assert titles(followed, united, "planet3") == {"title 0 0"}
    followed.close()
    anew.close()
