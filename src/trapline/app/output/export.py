"""The held documents as JSONL, Parquet or WARC, for whoever works on with them.

A file is written under another name and gets its own when it is complete, so a file that is there
is whole. The store holds texts, not answers, so a WARC file has `conversion` records, like the WET
files of Common Crawl; whole answers are recorded while crawling (`crawl --warc`).
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from trapline.app.output.changes import iso
from trapline.app.output.standard_output import discard_standard_output
from trapline.app.output.warc import Warc
from trapline.core.errors import FolderMissing, UserMistake
from trapline.core.ports import Store
from trapline.core.records import Page
from trapline.stores.sqlite import SqliteStore

STDOUT: Final = "-"
ENDINGS: Final = {"jsonl": ".jsonl", "warc": ".warc.gz", "parquet": ".parquet"}
_GROUP: Final = 1000  # documents in a row group of Parquet
_COLUMNS: Final = (
    "url",
    "title",
    "text",
    "relevance",
    "language",
    "fetched",
    "fetched_s",
    "changed",
    "changed_s",
    "etag",
    "last_modified",
    "same_as",
)
_NUMBERS: Final = ("relevance", "fetched_s", "changed_s")

Documents = Iterator[Page]
Writer = Callable[[IO[bytes], Documents, Store], None]


def export_folder(
    folder: Path, form: str, out: str | None, *, force: bool
) -> tuple[int, str]:
    """Write all held documents; returns how many, and where. `out` "-" is the standard output."""
    if not folder.is_dir():
        raise FolderMissing(folder)
    target = out or f"{folder.resolve().name}{ENDINGS[form]}"
    writer = _writer(form, target)
    _check_free(Path(target), force)
    store = SqliteStore(folder, read_only=True)
    try:
        with _open_output(target) as file, _count_documents(store) as documents:
            writer(file, documents, store)
        return documents.count, target
    finally:
        store.close()


def record_of(page: Page, store: Store) -> dict[str, Any]:
    """A document as others read it."""
    return {
        "url": page.url,
        "title": page.title,
        "text": page.text,
        "relevance": page.relevance,
        "language": page.language or None,
        "fetched": iso(page.fetched_s),
        "fetched_s": page.fetched_s,
        "changed": iso(page.changed_s),
        "changed_s": page.changed_s,
        "etag": page.etag or None,
        "last_modified": page.last_modified or None,
        "same_as": store.url(page.same_as) if page.same_as >= 0 else None,
    }


def _write_jsonl(file: IO[bytes], documents: Documents, store: Store) -> None:
    for page in documents:
        line = json.dumps(record_of(page, store), ensure_ascii=False)
        file.write(line.encode() + b"\n")


def _write_warc(file: IO[bytes], documents: Documents, store: Store) -> None:
    description = "texts of held documents; titles are their first lines"
    warc = Warc(file, "", {"description": description})
    for page in documents:
        head = {"WARC-Date": iso(page.fetched_s)}
        if page.language:
            head["WARC-Identified-Content-Language"] = page.language
        text = f"{page.title}\n{page.text}" if page.title else page.text
        warc.write(
            "conversion", page.url, head, body=text.encode(), content_type="text/plain"
        )


def _write_parquet(file: IO[bytes], documents: Documents, store: Store) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {name: pa.float64() for name in _NUMBERS}
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in _COLUMNS])
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while group := [record_of(page, store) for page in islice(documents, _GROUP)]:
            writer.write_table(pa.Table.from_pylist(group, schema=schema))


def _writer(form: str, target: str) -> Writer:
    if form == "parquet":
        _check_parquet(target)
        return _write_parquet
    return _write_warc if form == "warc" else _write_jsonl


def _check_parquet(target: str) -> None:
    if target == STDOUT:
        raise UserMistake(
            "Parquet cannot be written to the standard output: name a file with --out"
        )
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise UserMistake(
            "Parquet needs pyarrow: install it with `pip install trapline[parquet]`"
        ) from None


def _check_free(target: Path, force: bool) -> None:
    if str(target) == STDOUT:
        return
    if target.is_dir():
        raise UserMistake(f"{target} is a folder: name a file with --out")
    if not target.parent.is_dir():
        raise UserMistake(
            f"there is no folder {target.parent}: make it first, or name another file with --out"
        )
    # --force would put a file in the place of a device
    if target.exists() and not target.is_file():
        raise UserMistake(
            f"{target} is not a file: name another one with --out, or write to - and send "
            "that there"
        )
    if target.exists() and not force:
        raise UserMistake(
            f"{target} is there already: name another file with --out, or replace it with --force"
        )


@contextlib.contextmanager
def _open_output(target: str) -> Iterator[IO[bytes]]:
    if target == STDOUT:
        yield from _standard_output()
        return
    path = Path(target)
    unfinished = path.with_name(path.name + ".unfinished")
    # as Ctrl-C: tidy up
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
        signal.signal(signal.SIGTERM, before)


def _standard_output() -> Iterator[IO[bytes]]:
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # as by `| head`
        discard_standard_output()


class CountedDocuments:
    """The held documents, counted as they pass."""

    def __init__(self, store: Store, passed: Callable[[], None]) -> None:
        self.count = 0
        self._documents = _held_pages(store)
        self._passed = passed

    def __iter__(self) -> Iterator[Page]:
        return self

    def __next__(self) -> Page:
        page = next(self._documents)
        self.count += 1
        self._passed()
        return page


def _held_pages(store: Store) -> Documents:
    """By number, not by revision: a robot at work gives what it reads anew a later revision."""
    return (page for row in store.urls() if (page := store.page(row.page)) is not None)


@contextlib.contextmanager
def _count_documents(store: Store) -> Iterator[CountedDocuments]:
    """With a bar on the terminal while they pass."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("documents", total=store.counts().held)
        yield CountedDocuments(store, lambda: progress.advance(task))
