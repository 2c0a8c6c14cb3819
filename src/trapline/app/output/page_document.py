"""A held page as one document of Markdown: front matter, then its text.

The export writes it into a file, and the HTTP API answers with it.
"""

from __future__ import annotations

from collections.abc import Collection

from trapline.app.output.changes import iso
from trapline.app.output.front_matter import front_matter
from trapline.core.records import Page
from trapline.core.storage import Store
from trapline.reading.markdown.page_markdown import markdown_of


def page_document(page: Page, store: Store, repeated: Collection[int] = ()) -> bytes:
    """Without the lines that its host repeats, by number.

    The title stands in the front matter alone: the text has its own headings.
    """
    head = front_matter(
        {
            "url": page.url,
            "title": page.title,
            "fetched": iso(page.fetched_s),
            "changed": iso(page.changed_s),
            "relevance": round(page.relevance, 4),
            "language": page.language or None,
            "same_as": store.url(page.same_as) if page.same_as >= 0 else None,
        }
    )
    return f"{head}\n{markdown_of(page, repeated)}".encode("utf-8", "replace")
