"""`reindex`: the index is made anew beside the old one, which answers until it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapline.app.folder.folder_search import open_query_processor, search_folder
from trapline.app.folder.reindex import reindex
from trapline.core.errors import DiskFull, FolderBusy, FolderMissing
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, Store, UrlRow
from trapline.search.index import FullTextIndex
from trapline.search.questions import Question
from trapline.stores.sqlite.store import SqliteStore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = SqliteStore(tmp_path)
    pages = [
        Page(page, f"http://a/{page}", f"Moon {page}", "moon", 0.5, 1, "", "", 1.0, 1.0)
        for page in range(3)
    ]
    urls = [UrlRow(page.page, page.url, 0) for page in pages]
    home = HostRow(0, "a:80", "http://a/")
    store.commit(Batch(hosts=[home], urls=urls, pages=pages))
    store.close()
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "index").iterdir()}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.name.startswith("index")}


def test_what_a_kill_left_is_cleared_away(folder: Path) -> None:
    for left in ("index", "index.new", "index.old"):
        (folder / left).mkdir()
        (folder / left / "meta.json").write_text("rubbish")
    said: list[str] = []
    done = reindex(folder, said.append)
    assert (done.pages_held, names(folder)) == (3, {"index"})
    assert done.size > 0 and "3 pages" in str(done)
    assert search_folder(folder, Question("moon")).total == 3
    before = files(folder)
    assert reindex(folder).pages_held == 3
    assert set(files(folder)) != set(before)


def test_who_searches_meanwhile_is_answered(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reindex(folder)
    processor, store = open_query_processor(folder)
    honest = FullTextIndex.catch_up
    found: list[int] = []

    def catch_up(index: FullTextIndex, store: Store) -> bool:
        found.append(processor.ask(Question("moon")).total)
        return honest(index, store)

    monkeypatch.setattr(FullTextIndex, "catch_up", catch_up)
    reindex(folder)
    monkeypatch.undo()
    found.append(processor.ask(Question("moon")).total)
    store.close()
    assert found == [3, 3]


def test_a_robot_at_work_is_left_alone(folder: Path) -> None:
    reindex(folder)
    before = files(folder)
    robot = SqliteStore(folder)
    try:
        with pytest.raises(FolderBusy):
            reindex(folder)
    finally:
        robot.close()
    assert files(folder) == before and names(folder) == {"index"}


def test_a_failure_leaves_the_old_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reindex(folder)
    before = files(folder)

    def fail(*_: object) -> bool:
        raise DiskFull(folder)

    monkeypatch.setattr(FullTextIndex, "catch_up", fail)
    with pytest.raises(DiskFull):
        reindex(folder)
    assert files(folder) == before and names(folder) == {"index"}


def test_no_engine_there(tmp_path: Path) -> None:
    with pytest.raises(FolderMissing):
        reindex(tmp_path)
    assert list(tmp_path.iterdir()) == []
