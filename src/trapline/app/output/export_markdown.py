"""The held documents as a folder of Markdown files, one a page: what feeds a language model.

A folder for each host; file names are made of the URL alone, so they are the same in every export.
`pages.jsonl` lists them. The folder is written under another name and gets its own when it is
complete.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.places.crawl_ledger import is_in_shards
from trapline.app.folder.places.store_link import engine_name
from trapline.app.output.export import count_documents
from trapline.app.output.export_forms import STDOUT
from trapline.app.output.page_document import page_document
from trapline.app.output.readable_text import json_text
from trapline.core.errors import FolderMissing, UserMistake
from trapline.core.storage import Store
from trapline.core.urls import host_of
from trapline.search.index import FullTextIndex
from trapline.search.query_processor import QueryProcessor

LIST: Final = "pages.jsonl"  # tells a folder of ours, too
_LONGEST_NAME: Final = 100
_DIGITS: Final = 10  # of the hash that tells URLs apart whose names look alike
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_]+")


def export_markdown(folder: Path, out: str | None, *, force: bool) -> tuple[int, str]:
    """Write all documents that have words; returns how many, and where."""
    if not folder.is_dir():
        raise FolderMissing(folder)
    target = Path(out or f"{engine_name(folder)}-markdown")
    _check_free(target, force)
    store = open_for_reading(folder)
    try:
        with store.one_moment(), _make_folder(target) as place:
            # what hosts repeat is known where there is an index; none is made for it
            index = FullTextIndex(
                folder / "index", read_only=True, copies_apart=is_in_shards(folder)
            )
            search = QueryProcessor(index, store)
            return _write_pages(place, store, search), str(target)
    finally:
        store.close()


def _write_pages(
    place: Path,
    store: Store,
    search: QueryProcessor,
) -> int:
    count = 0
    with (
        count_documents(store) as documents,
        (place / LIST).open("w", encoding="utf-8") as listed,
    ):
        for page in documents:
            if page.readable:
                name = file_name(page.url)
                path = place / name
                path.parent.mkdir(exist_ok=True)
                repeated = search.repeated_lines(page)
                path.write_bytes(page_document(page, store, repeated))
                entry = {"file": name, "url": page.url, "title": page.title}
                listed.write(json_text(entry) + "\n")
                count += 1
    return count


def file_name(url: str) -> str:
    """Host and file of a page: letters, digits and a few signs that every system allows.

    >>> file_name("http://a.org:8000/b/../c%20d?e=1").removesuffix(".md")
    'a.org_8000/b-c-20d-e-1-509cbec3b8'
    >>> file_name("http://a.org/").removesuffix(".md")
    'a.org/index-61681776a9'
    """
    parts = urlsplit(url)
    words = _UNSAFE.sub("-", f"{parts.path}?{parts.query}").strip("-_")
    host = host_of(url).removesuffix(":80").removesuffix(":443")
    digits = sha256(url.encode("utf-8", "replace")).hexdigest()[:_DIGITS]
    name = f"{words[:_LONGEST_NAME] or 'index'}-{digits}.md"
    return f"{re.sub(r'[^a-z0-9.-]', '_', host)[:_LONGEST_NAME]}/{name}"


def _check_free(target: Path, force: bool) -> None:
    if str(target) == STDOUT:
        raise UserMistake("Markdown is a folder of files: name it with --out")
    if not target.parent.is_dir():
        raise UserMistake(
            f"there is no folder {target.parent}: make it first, or name another with --out"
        )
    if not target.exists() and not target.is_symlink():
        return
    if not force:
        raise UserMistake(
            f"{target} is there already: name another folder with --out, or replace it "
            "with --force"
        )
    # what others keep there must not be lost
    if target.is_symlink() or not (target / LIST).is_file():
        raise UserMistake(
            f"{target} is no earlier export, so it is not replaced: name another folder with "
            "--out"
        )


@contextlib.contextmanager
def _make_folder(target: Path) -> Iterator[Path]:
    """A folder to write into, which becomes the target if all goes well."""
    name = f"{target.name}.unfinished-"
    with TemporaryDirectory(prefix=name, dir=target.parent) as work:
        place = Path(work, "new")
        place.mkdir()
        yield place
        if target.exists():
            target.rename(Path(work, "old"))
        place.rename(target)
