"""Labels: what people said of pages, one line each in the engine's folder.

The last label of a page counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.json_lines import JsonLinesFile, append_line
from trapline.core.errors import UrlUnknown
from trapline.core.urls import canonical

FILE: Final = "labels.jsonl"


def write_label(folder: Path, url: str, belongs: bool) -> str:
    """Note down that a page belongs to the topic, or not; returns the URL as it is known."""
    page = canonical(url)
    check_known(folder, page)
    append_line(folder / FILE, {"url": page, "belongs": belongs})
    return page


class LabelFile:
    """Hands out the labels that people have written since the last call of `news`."""

    def __init__(self, folder: Path) -> None:
        self._lines = JsonLinesFile(folder / FILE)

    @property
    def size(self) -> int:
        """Bytes read so far."""
        return self._lines.size

    def news(self) -> dict[str, bool]:
        """URL → belongs, the last label of each."""
        labels = map(_parse_label, self._lines.news())
        return dict(label for label in labels if label is not None)


def _parse_label(line: dict[str, Any]) -> tuple[str, bool] | None:
    url = line.get("url")
    belongs = line.get("belongs")
    if isinstance(url, str) and isinstance(belongs, bool):
        return url, belongs
    return None


def check_known(folder: Path, url: str) -> None:
    """Raise UrlUnknown unless the engine has met this URL."""
    store = open_for_reading(folder)
    try:
        if store.number_of(url) is None:
            raise UrlUnknown(url, folder)
    finally:
        store.close()
