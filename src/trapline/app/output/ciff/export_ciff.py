"""Writing the index of all searchable documents to one file.

Terms are the stems that search itself uses (search/tongues.py), each document's in its own
language. A CIFF file begins with how many terms there are, so lists wait on disk until all are
made; memory does not grow with the collection.
"""

from __future__ import annotations

import contextlib
import gzip
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from trapline import __version__
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.places.store_link import engine_name
from trapline.app.output.ciff.messages import (
    Header,
    document_message,
    postings_message,
)
from trapline.app.output.ciff.sorted_postings import AT_ONCE, SortedPostings
from trapline.app.output.export import check_free, count_documents, open_output
from trapline.app.output.export_forms import STDOUT, Documents
from trapline.core.errors import FolderMissing, UserMistake
from trapline.core.records import Page
from trapline.search.tongues import plain_spelling, tongue_of

_ENDING: Final = ".ciff.gz"
_PACKED: Final = ".gz"
_ABOUT: Final = (
    "Trapline {version}, collection {name}: titles and texts of pages, copies left out; words in "
    "small letters without accents, stemmed by Snowball in the language of each page (signs of "
    "Chinese, Japanese, Thai, Lao, Khmer and Burmese are terms of their own), stop words kept; "
    "the docid of the collection is the URL"
)

Output = IO[bytes] | gzip.GzipFile


def export_ciff(folder: Path, out: str | None, *, force: bool) -> tuple[int, str]:
    """Write the index of all searchable documents; returns of how many, and where."""
    if not folder.is_dir():
        raise FolderMissing(folder)
    name = engine_name(folder)
    target = out or f"{name}{_ENDING}"
    _check_terminal(target)
    check_free(Path(target), force)
    place = None if target == STDOUT else Path(target).absolute().parent
    store = open_for_reading(folder)
    try:
        with (
            store.one_moment(),
            open_output(target) as file,
            count_documents(store) as documents,
            _pack(file, target) as packed,
        ):
            about = _ABOUT.format(version=__version__, name=name)
            return write_index(packed, documents, about, place), target
    finally:
        store.close()


def write_index(
    file: Output,
    documents: Documents,
    about: str,
    place: Path | None = None,
    at_once: int = AT_ONCE,
) -> int:
    """Returns how many documents it has. What is unfinished lies in `place`, without a name."""
    count = 0
    words = 0
    with (
        SortedPostings(place, at_once) as postings,
        TemporaryFile(dir=place) as records,
        TemporaryFile(dir=place) as lists,
    ):
        for page in documents:
            if page.searchable:
                found = count_terms(page)
                postings.add(count, found)
                records.write(document_message(count, page.url, found.total()))
                count += 1
                words += found.total()
        terms = _write_lists(lists, postings)
        file.write(Header(terms, count, words, about).message())
        for part in (lists, records):
            part.seek(0)
            shutil.copyfileobj(part, file)
    return count


def count_terms(page: Page) -> Counter[str]:
    """How often each stem stands in a page."""
    text = plain_spelling(f"{page.title}\n{page.text}")
    return Counter(tongue_of(page.language).analyzer.analyze(text))


def _write_lists(file: IO[bytes], postings: SortedPostings) -> int:
    count = 0
    for term, documents, counts in postings.lists():
        file.write(postings_message(term, documents, counts))
        count += 1
    return count


@contextlib.contextmanager
def _pack(file: IO[bytes], target: str) -> Iterator[Output]:
    """Compressed where the name says so; without a time, so equal indexes are equal files."""
    if not target.endswith(_PACKED):
        yield file
        return
    with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
        yield packed


def _check_terminal(target: str) -> None:
    if target == STDOUT and sys.stdout.isatty():
        raise UserMistake(
            "a CIFF file is not for the eyes: name a file with --out, or send it on by a pipe"
        )
