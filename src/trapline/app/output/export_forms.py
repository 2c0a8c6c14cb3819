"""The forms in which documents are exported: JSONL, WARC and Parquet.

The store holds texts, not answers, so a WARC file has `conversion` records, like the WET files of
Common Crawl; whole answers are recorded while crawling (`crawl --warc`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import IO, Any, Final

from trapline.app.output.changes import iso
from trapline.app.output.readable_text import json_text
from trapline.app.output.warc.warc_files import Warc
from trapline.core.errors import UserMistake
from trapline.core.records import Page
from trapline.core.storage import Store
from trapline.reading.rules.field_values import texts_of, unpack_fields

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
    "fields",
)
_NUMBERS: Final = ("relevance", "fetched_s", "changed_s")

Documents = Iterator[Page]
Writer = Callable[[IO[bytes], Documents, Store], None]


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
        "fields": unpack_fields(page.fields),
    }


def _write_jsonl(file: IO[bytes], documents: Documents, store: Store) -> None:
    for page in documents:
        line = json_text(record_of(page, store))
        file.write(line.encode() + b"\n")


def _write_warc(
    file: IO[bytes], documents: Documents, store: Store, plain: bool = False
) -> None:
    description = "texts of held documents; titles are their first lines"
    warc = Warc(file, "", {"description": description}, plain)
    for page in documents:
        head = {"WARC-Date": iso(page.fetched_s)}
        if page.language:
            head["WARC-Identified-Content-Language"] = page.language
        text = f"{page.title}\n{page.text}" if page.title else page.text
        warc.write(
            "conversion", page.url, head, body=text.encode(), content_type="text/plain"
        )


def _row_of(page: Page, store: Store) -> dict[str, Any]:
    """A document in columns of one type each: a field is a list of texts, whatever it holds."""
    record = record_of(page, store)
    record["fields"] = [
        (name, texts_of(value)) for name, value in record["fields"].items()
    ]
    return record


def _write_parquet(file: IO[bytes], documents: Documents, store: Store) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {name: pa.float64() for name in _NUMBERS}
    kinds["fields"] = pa.map_(pa.string(), pa.list_(pa.string()))
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in _COLUMNS])
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while group := [_row_of(page, store) for page in islice(documents, _GROUP)]:
            writer.write_table(pa.Table.from_pylist(group, schema=schema))


def writer_for(form: str, target: str) -> Writer:
    if form == "parquet":
        _check_parquet(target)
        return _write_parquet
    if form == "warc":
        _check_warc(target)
        return partial(_write_warc, plain=is_plain(target))
    return _write_jsonl


def is_plain(target: str) -> bool:
    """Only a name that ends in .gz is a promise of gzip; a stream has no name, and is compressed.

    >>> is_plain("a.warc"), is_plain("a.warc.gz"), is_plain("-")
    (True, False, False)
    """
    return target != STDOUT and not target.lower().endswith(".gz")


def _check_warc(target: str) -> None:
    if target == STDOUT and sys.stdout.isatty():
        raise UserMistake(
            "a WARC file is not for the eyes: name a file with --out, or send it on by a pipe"
        )


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
