"""Two stored versions of a page, compared."""

from __future__ import annotations

from collections.abc import Iterator

from trapline.collection.text_diff import signed_lines
from trapline.core.storage import Store, Version


def compare_versions(
    store: Store, page: int, old: Version, new: Version
) -> Iterator[str]:
    """Lines that went (- …) and came (+ …); the title is the first line of a text."""
    return signed_lines(_lines(store, page, old), _lines(store, page, new))


def _lines(store: Store, page: int, version: Version) -> list[str]:
    text = store.version_text(page, version.number)
    # beside a robot, it may have been dropped a moment ago
    return [version.title, *(text or "").split("\n")]
