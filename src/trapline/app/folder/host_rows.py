"""Hosts and pages of a folder, as people name them."""

from __future__ import annotations

from pathlib import Path

from trapline.app.folder.places.crawl_ledger import is_in_shards
from trapline.app.folder.places.crawl_store import open_crawl
from trapline.app.folder.places.store_link import shown_place
from trapline.app.output.standard_output import print_remark
from trapline.core.errors import BadUrl, FolderMissing, HostUnknown
from trapline.core.storage import HostRow, SteadyStore, Store, UrlRow
from trapline.core.urls import canonical, host_of
from trapline.stores.sqlite.store import SqliteStore


def open_for_reading(folder: Path) -> SteadyStore:
    """The store of an engine, or those of all shards of a crawl as one."""
    if not folder.is_dir():
        raise FolderMissing(folder)
    if is_in_shards(folder):
        return open_crawl(folder)
    return SqliteStore(folder, read_only=True, say=print_remark)


def hosts_named(store: Store, host: str, folder: Path) -> list[HostRow]:
    """The hosts of a name; without a port it means all its ports. HostUnknown if there is none."""
    name = _host_name(host)
    found = [
        row for row in store.hosts() if name in (row.name, row.name.rpartition(":")[0])
    ]
    if not found:
        raise HostUnknown(host, shown_place(folder))
    return found


def rows_of(store: Store, target: str) -> list[UrlRow]:
    """The page of a URL, or all pages of a host."""
    hosts = {row.host for row in store.hosts() if row.name == target}
    return [row for row in store.urls() if row.url == target or row.host in hosts]


def _host_name(host: str) -> str:
    try:
        return host_of(canonical(host))
    except BadUrl:
        return host.lower()
