"""A folder that stands for a crawl in PostgreSQL: it names the address, and holds what this machine
keeps of it (logs, WARC files, an index).

`crawl --store` and `worker --store` name the address in their --dir. An address that is given in
place of a folder has such a folder among the user's caches.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Final

from trapline.core.errors import UserMistake, disk_trouble
from trapline.core.ledger import LEDGER_FILE
from trapline.postgres.address import (
    is_store_address,
    password_in,
    read_address,
)

FILE: Final = "store-address"
PASSWORD: Final = "PGPASSWORD"  # where psycopg looks, and every process that we start
_ENGINE: Final = "store.sqlite"


def linked_address(folder: Path) -> str:
    """Without a password; "" = the folder holds what it stands for itself."""
    try:
        return (folder / FILE).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def link_folder(folder: Path, address: str) -> None:
    """Have a folder stand for a crawl; UserMistake if it stands for another."""
    shown = read_address(address).shown
    check_link(folder, address)
    if linked_address(folder) == shown:
        return
    unfinished = folder / f".{FILE}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(shown + "\n", encoding="utf-8")
        unfinished.replace(folder / FILE)
    except OSError as failure:
        raise disk_trouble(folder, failure) from None


def check_link(folder: Path, address: str) -> None:
    shown = read_address(address).shown
    linked = linked_address(folder)
    if linked and linked != shown:
        raise UserMistake(
            f"{folder} is the folder of the crawl in {linked}, not of {shown}: name another --dir"
        )
    if (folder / _ENGINE).exists() or (folder / LEDGER_FILE).exists():
        raise UserMistake(
            f"{folder} holds a crawl of its own, not that in {shown}: name another --dir"
        )


def folder_named(text: str) -> Path:
    """The folder that is meant, or that of a store address; its password goes to PGPASSWORD."""
    if not is_store_address(text):
        return Path(text)
    shown = hand_over_password(text)
    folder = cache_folder(shown)
    link_folder(folder, shown)
    return folder


def cache_folder(shown: str) -> Path:
    """Of a store that is named by its address; nobody need have made it yet."""
    mark = sha256(shown.encode()).hexdigest()[:12]
    return _caches() / f"{read_address(shown).crawl}-{mark}"


def hand_over_password(address: str) -> str:
    """The address without its password, which goes where psycopg and our own processes find it."""
    shown = read_address(address).shown
    if password := password_in(address):
        os.environ[PASSWORD] = password
    return shown


def shown_place(folder: Path) -> str:
    """What people call it: the address that a folder stands for, or the folder."""
    return linked_address(folder) or str(folder)


def engine_name(folder: Path) -> str:
    """What others call an engine: its crawl in PostgreSQL, or its folder."""
    linked = linked_address(folder)
    return read_address(linked).crawl if linked else folder.resolve().name


def _caches() -> Path:
    named = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(named) if named else Path.home() / ".cache") / "trapline" / "stores"
