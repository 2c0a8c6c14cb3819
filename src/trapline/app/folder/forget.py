"""Pages and hosts that leave the collection and are not visited again."""

from __future__ import annotations

from pathlib import Path

from trapline.app.demand.demand_file import forget_demand
from trapline.app.folder.host_rows import hosts_named, open_for_reading, rows_of
from trapline.app.folder.orders.order_file import FORGET, REMEMBER, give_order
from trapline.app.folder.places.crawl_ledger import is_in_shards
from trapline.app.folder.places.shard_writing import write_free_shards
from trapline.app.folder.places.store_link import shown_place
from trapline.app.output.standard_output import print_remark
from trapline.core.errors import FolderBusy, UrlUnknown
from trapline.core.storage import Batch, Store
from trapline.core.urls import canonical
from trapline.search.index import FullTextIndex
from trapline.stores.sqlite.store import SqliteStore


def forget(folder: Path, what: str, *, undo: bool) -> list[str]:
    """Drop a page, or a host with all its pages, and never visit it again; returns what was
    dropped.

    A robot at work does it within seconds; without one it is done here.
    """
    store = open_for_reading(folder)
    try:
        targets = _targets(store, what, folder)
        pages = [row.page for target in targets for row in rows_of(store, target)]
    finally:
        store.close()
    for target in targets:
        give_order(folder, REMEMBER if undo else FORGET, target)
    if not undo:
        _drop(folder, targets)
        forget_demand(folder, pages)
    return targets


def _targets(store: Store, what: str, folder: Path) -> list[str]:
    if "/" not in what:
        return [row.name for row in hosts_named(store, what, folder)]
    url = canonical(what)
    if store.number_of(url) is None:
        raise UrlUnknown(url, shown_place(folder))
    return [url]


def _drop(folder: Path, targets: list[str]) -> None:
    if is_in_shards(folder):
        write_free_shards(folder, lambda store: _drop_from(store, targets))
        return
    try:
        store = SqliteStore(folder, say=print_remark)
    except FolderBusy:
        return
    try:
        _drop_from(store, targets)
        index = FullTextIndex(folder / "index")
        index.catch_up(store)
        index.close()
    finally:
        store.close()


def _drop_from(store: Store, targets: list[str]) -> None:
    pages = [row.page for target in targets for row in rows_of(store, target)]
    held = [page for page in pages if store.held(page) is not None]
    if pages:
        store.commit(Batch(gone=held, forgotten=pages))
