"""A folder that stands for a crawl in PostgreSQL."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from trapline.app.folder.places.store_link import (
    FILE,
    PASSWORD,
    engine_name,
    folder_named,
    link_folder,
    linked_address,
    shown_place,
)
from trapline.app.shards.crawl_place import place_named
from trapline.core.errors import StoreAddressBad, UserMistake
from trapline.core.ledger import LEDGER_FILE

ADDRESS = "postgresql://me@db.lab.org/web#news"


@pytest.fixture(autouse=True)
def own_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setenv(PASSWORD, "")


def test_a_folder_is_a_folder(tmp_path: Path) -> None:
    assert folder_named("engine") == Path("engine")
    assert shown_place(tmp_path) == str(tmp_path)
    assert engine_name(tmp_path) == tmp_path.name
    assert list(tmp_path.iterdir()) == []


def test_an_address_has_a_folder_of_its_own_that_names_it() -> None:
    folder = folder_named(ADDRESS)
    assert linked_address(folder) == shown_place(folder) == ADDRESS
    assert engine_name(folder) == "news"
    assert folder_named(ADDRESS) == folder
    others = {folder_named(f"{ADDRESS}2"), folder_named("postgresql://me@db2/web#news")}
    assert len(others | {folder}) == 3


def test_the_place_of_a_crawl_is_named_without_making_a_folder(tmp_path: Path) -> None:
    """As `cluster` does, which writes nothing there."""
    place = place_named(ADDRESS)
    assert list(tmp_path.iterdir()) == []
    assert place.folder == folder_named(ADDRESS)


def test_a_password_goes_to_the_processes_and_into_no_file(tmp_path: Path) -> None:
    folder = folder_named("postgresql://me:geheim@db.lab.org/web#news")
    assert folder == folder_named(ADDRESS)
    assert os.environ[PASSWORD] == "geheim"
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.read_text() for path in files] == [f"{ADDRESS}\n"]
    assert "geheim" not in str(folder)


def test_a_password_that_is_set_stays_where_the_address_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PASSWORD, "set before")
    folder_named(ADDRESS)
    assert os.environ[PASSWORD] == "set before"


def test_a_folder_stands_for_one_crawl(tmp_path: Path) -> None:
    link_folder(tmp_path / "engine", ADDRESS)
    link_folder(tmp_path / "engine", "postgresql://me:geheim@db.lab.org/web#news")
    with pytest.raises(UserMistake, match="name another --dir"):
        link_folder(tmp_path / "engine", f"{ADDRESS}2")
    assert linked_address(tmp_path / "engine") == ADDRESS
    assert [path.name for path in (tmp_path / "engine").iterdir()] == [FILE]


@pytest.mark.parametrize("name", ["store.sqlite", LEDGER_FILE])
def test_a_folder_with_a_crawl_of_its_own_stands_for_no_other(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).touch()
    with pytest.raises(UserMistake, match="a crawl of its own"):
        link_folder(tmp_path, ADDRESS)
    assert linked_address(tmp_path) == ""


def test_what_is_no_address_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreAddressBad):
        folder_named("redis://me@db/x")
    assert list(tmp_path.iterdir()) == []
