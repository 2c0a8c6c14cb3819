"""Two stored versions of a page, compared."""

from __future__ import annotations

from collections.abc import Iterator

from trapline.collection.text_diff import signed_lines
from trapline.core.storage import Store, Version


def compare_versions(
    store: Store, page: int, old: Version, new: Version
) -> Iterator[str]:
    """Lines that went (- …) and came (+ …)."""
    before = full_text(store, page, old).split("\n")
    return signed_lines(before, full_text(store, page, new).split("\n"))


def full_text(store: Store, page: int, version: Version) -> str:
    """The title is the first line of a text."""
    text = store.version_text(page, version.number)
    # beside a robot, it may have been dropped a moment ago
    return f"{version.title}\n{text or ''}"
