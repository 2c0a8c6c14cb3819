"""The held documents as JSONL, Parquet or WARC, for whoever works on with them.

A file is written under another name and gets its own when it is complete, so a file that is there
is whole.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.places.store_link import engine_name
from trapline.app.output.export_forms import ENDINGS, STDOUT, Documents, writer_for
from trapline.app.output.terminal import Terminal
from trapline.core.errors import FolderMissing, UserMistake
from trapline.core.records import Page
from trapline.core.storage import Store


def export_folder(
    folder: Path, form: str, out: str | None, *, force: bool
) -> tuple[int, str]:
    """Write all held documents; returns how many, and where. `out` "-" is the standard output."""
    if not folder.is_dir():
        raise FolderMissing(folder)
    target = out or f"{engine_name(folder)}{ENDINGS[form]}"
    writer = writer_for(form, target)
    check_free(Path(target), force)
    store = open_for_reading(folder)
    try:
        with (
            store.one_moment(),
            open_output(target) as file,
            count_documents(store) as documents,
        ):
            writer(file, documents, store)
        return documents.count, target
    finally:
        store.close()


def check_free(target: Path, force: bool) -> None:
    """UserMistake unless a file can be written there, and nothing is lost by it."""
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
def open_output(target: str) -> Iterator[IO[bytes]]:
    """A file to write into, which gets its name if all goes well."""
    if target == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(target)
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


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
def count_documents(store: Store) -> Iterator[CountedDocuments]:
    """With a bar on the terminal while they pass."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Terminal(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("documents", total=store.counts().held)
        yield CountedDocuments(store, lambda: progress.advance(task))
