"""Documents as the full-text index has them: its fields, and the way in."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Final

import tantivy

from trapline.core.records import Page
from trapline.core.storage import LinkText
from trapline.core.urls import host_of
from trapline.search.furniture import NO_FURNITURE, Furniture
from trapline.search.meaning import WordVectors
from trapline.search.query_language import address_of, words_of
from trapline.search.tongues import (
    ENGLISH,
    all_tongues,
    plain_analyzer,
    plain_spelling,
    tongue_of,
)

PLAIN: Final = "plain"  # analyzer: words as they are spelt
URL_WORDS: Final = ENGLISH.field("address")
# of which every tongue has one
TITLE: Final = "title"
TEXT: Final = "text"
TITLE_SPELT: Final = "title_spelt"
TITLE_BEGINNING: Final = "title_beginning"
NAMES: Final = "names"  # what others call the page
TONGUE_NUMBER: Final = "tongue_number"
PASSAGES: Final = "passages"  # the vectors of a page's passages (meaning.py)
SIMHASH: Final = "simhash"  # of the text; only where copies do not know of each other
ADDRESS: Final = "url"  # of the page, as `address_of` has it
SPELT: Final = "spelt"  # the words of the text just as they stand there, in all tongues
_TAIL: Final = re.compile(r"\.[a-z0-9]{1,5}$", re.IGNORECASE)  # .html
_ALL_BITS: Final = (1 << 64) - 1  # without a sign
_BEGINNING: Final = 60  # letters of a title by which it is suggested
_LONGEST_URL: Final = 500  # characters that are read for words


def index_schema(*, with_texts: bool = False) -> tantivy.Schema:
    """`with_texts`: what it takes to know copies that are in other parts or shards."""
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(
        "page",
        stored=True,
        indexed=True,
        fast=True,
    )
    # the page that says the same and came first; a page without one is its own
    builder.add_unsigned_field("original", fast=True)
    for tongue in all_tongues():
        for name in (TITLE, TEXT, NAMES):
            builder.add_text_field(tongue.field(name), tokenizer_name=tongue.code)
    builder.add_text_field(URL_WORDS, tokenizer_name=ENGLISH.code)
    builder.add_unsigned_field("title_words", fast=True)  # how many that tell anything
    builder.add_unsigned_field("title_mark", fast=True)  # equal where titles are
    # as they are spelt: for suggestions, "did you mean" and the second look
    builder.add_text_field(
        TITLE_SPELT,
        tokenizer_name=PLAIN,
        stored=True,
    )
    builder.add_text_field(
        SPELT,
        tokenizer_name=PLAIN,
        index_option="basic",
    )
    builder.add_bytes_field(PASSAGES, stored=True)
    # how its title begins, as typed: for suggestions
    builder.add_text_field(
        TITLE_BEGINNING,
        tokenizer_name="raw",
        index_option="basic",
    )
    builder.add_text_field(
        ADDRESS,
        tokenizer_name="raw",
        index_option="basic",
    )
    builder.add_text_field(
        "tongue",
        tokenizer_name="raw",
        index_option="basic",
    )
    builder.add_unsigned_field(TONGUE_NUMBER, fast=True)  # its place in `all_tongues`
    # every name that the host goes by
    builder.add_text_field(
        "host",
        tokenizer_name="raw",
        index_option="basic",
    )
    # the one that is shown
    builder.add_text_field(
        "site", tokenizer_name="raw", index_option="basic", fast=True
    )
    builder.add_text_field(
        "language", tokenizer_name="raw", index_option="basic", fast=True
    )
    builder.add_float_field("relevance", fast=True)
    builder.add_float_field("changed_s", fast=True)
    if with_texts:
        builder.add_unsigned_field(SIMHASH, fast=True)
    return builder.build()


def register_tongues(index: tantivy.Index) -> tantivy.Index:
    """Teach an index to read: it forgets that whenever it is opened."""
    for tongue in all_tongues():
        index.register_tokenizer(tongue.code, tongue.analyzer)
    index.register_tokenizer(PLAIN, plain_analyzer())
    return index


def document_of(
    page: Page,
    names: Sequence[LinkText] = (),
    furniture: Furniture = NO_FURNITURE,
    vectors: WordVectors | None = None,
) -> tantivy.Document:
    tongue = tongue_of(page.language)
    title = plain_spelling(furniture.strip_title(page.title))
    text = plain_spelling(furniture.strip_text(page.text))
    host = host_of(page.url)
    document = tantivy.Document()
    document.add_unsigned("page", page.page)
    document.add_unsigned("original", page.page if page.same_as < 0 else page.same_as)
    document.add_text(tongue.field(TITLE), title)
    document.add_text(tongue.field(TEXT), text)
    for name in names:
        document.add_text(tongue.field(NAMES), plain_spelling(name.text))
    document.add_text(URL_WORDS, url_words(page.url))
    document.add_unsigned("title_words", len(tongue.telling_stems(words_of(title))))
    document.add_unsigned("title_mark", zlib.crc32(title.lower().encode()))
    document.add_text(TITLE_SPELT, title)
    document.add_text(TITLE_BEGINNING, title_beginning(title))
    document.add_text(ADDRESS, address_of(page.url))
    document.add_text(SPELT, text)
    if vectors is not None:
        document.add_bytes(PASSAGES, vectors.passages(title, text))
    document.add_text("tongue", tongue.code)
    document.add_unsigned(TONGUE_NUMBER, all_tongues().index(tongue))
    for domain in host_names(host):
        document.add_text("host", domain)
    document.add_text("site", site_of(host))
    document.add_text("language", page.language)
    document.add_float("relevance", page.relevance)
    document.add_float("changed_s", page.changed_s)
    return document


def add_simhash(document: tantivy.Document, page: Page) -> None:
    document.add_unsigned(SIMHASH, page.simhash & _ALL_BITS)


def title_beginning(title: str) -> str:
    """
    >>> title_beginning("The  write-ahead Log (WAL)")
    'the write ahead log wal'
    """
    return " ".join(words_of(title))[:_BEGINNING]


def site_of(host: str) -> str:
    """A host as people write it.

    >>> site_of("example.org:443"), site_of("example.org:8080")
    ('example.org', 'example.org:8080')
    """
    name, _, port = host.rpartition(":")
    return name if port in ("80", "443") else host


def host_names(host: str) -> list[str]:
    """What may be asked for: the host itself, and every domain that it belongs to.

    >>> host_names("docs.example.org:443")
    ['docs.example.org:443', 'docs.example.org', 'example.org', 'org']
    """
    name = host.rpartition(":")[0]
    if name.startswith("[") or name.replace(".", "").isdigit():
        return [host, name]
    labels = name.split(".")
    return [host, *(".".join(labels[first:]) for first in range(len(labels)))]


def url_words(url: str) -> str:
    """
    >>> url_words("http://example.org/docs/read_csv.html?page=2")
    'docs read csv page 2'
    """
    path, _, query = url[:_LONGEST_URL].split("/", 3)[-1].partition("?")
    return " ".join(words_of(f"{_TAIL.sub('', path)} {query}"))
