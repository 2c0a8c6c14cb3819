"""Documents as the full-text index has them: its schema, and the way in and out."""

from __future__ import annotations

import tantivy

from trapline.core.records import Page
from trapline.search.hits import Hit, snippet


def index_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("page", stored=True, indexed=True, fast=True)
    builder.add_text_field("url", stored=True)
    builder.add_text_field("title", stored=True, tokenizer_name="en_stem")
    builder.add_text_field("text", stored=True, tokenizer_name="en_stem")
    builder.add_float_field("relevance", stored=True, fast=True)
    builder.add_float_field("fetched_s", stored=True)
    return builder.build()


def document_of(page: Page) -> tantivy.Document:
    document = tantivy.Document()
    document.add_unsigned("page", page.page)
    document.add_text("url", page.url)
    document.add_text("title", page.title)
    document.add_text("text", page.text)
    document.add_float("relevance", page.relevance)
    document.add_float("fetched_s", page.fetched_s)
    return document


def hit_of(
    document: tantivy.Document, score: float, generator: tantivy.SnippetGenerator
) -> Hit:
    return Hit(
        document["page"][0],
        document["url"][0],
        document["title"][0],
        snippet(generator, document),
        score,
        document["relevance"][0],
        document["fetched_s"][0],
    )
